//! Two candidates played side by side, trial by trial.
//!
//! Turn by turn both get rolls as the [`Coupling`](crate::rollout::Coupling) says. The same player is on roll
//! in both at any turn. Each candidate begins with the opponent's roll and players roll in turn, also
//! where one cannot move. So a good rank is good for the same player.
//!
//! Candidates of different length: one game may be over first (played out, exactly known, passed at
//! a double, at the horizon). The other then goes on with ordinary rolls of the same stream, as
//! Koca has it. Nothing is left that they could be matched with.
//!
//! Candidates with coupled dice may come to the same position on the same turn, with the same cube. From
//! there they go on alike, so the rest is played once and counted for both. The difference is settled, and
//! each candidate still gets the result that its own mean needs. They can part again only where each
//! candidate breaks ties by chance of its own.

use crate::dice::Dice;
use crate::game::Position;

use super::play_choice::Cancelled;
use super::roll_source::RollSource;
use super::trial::{TrialGame, TrialPlayers};

/// The dice of the two candidates of one trial.
#[expect(
    clippy::large_enum_variant,
    reason = "lives on the stack for one trial; boxing would allocate in the hot loop"
)]
pub(crate) enum PairDice {
    /// Dice of its own for each candidate.
    Apart([Dice; 2]),
    /// The same rolls in both games.
    Same(Dice),
    /// Rolls of the same numbers in both games, by their luck.
    Ranked(Dice),
}

/// Plays one trial of both candidates, from the positions after the two candidate plays.
pub(crate) fn play(
    players: &mut TrialPlayers<'_>,
    starts: [Position; 2],
    dice: PairDice,
) -> Result<[TrialGame; 2], Cancelled> {
    let [mut a, mut b] = [players.start(starts[0], 0), players.start(starts[1], 1)];
    match dice {
        PairDice::Apart([mut first, mut second]) => {
            players.finish(&mut a, &mut || RollSource::Roll(first.roll()))?;
            players.finish(&mut b, &mut || RollSource::Roll(second.roll()))?;
        }
        PairDice::Same(mut dice) => {
            side_by_side(
                players,
                [&mut a, &mut b],
                &mut dice,
                |players, [a, b], dice| {
                    let source = RollSource::Roll(dice.roll());
                    players.turn(a, source)?;
                    players.turn(b, source)
                },
            )?;
        }
        PairDice::Ranked(mut dice) => {
            side_by_side(
                players,
                [&mut a, &mut b],
                &mut dice,
                |players, games, dice| {
                    let (number, tie) = (dice.number(), dice.tie_break());
                    players.turns(games, number, tie)
                },
            )?;
        }
    }
    Ok([a, b])
}

/// Plays turn by turn until one game has ended or both have coalesced; then plays what is left, with ordinary
/// rolls of the same stream.
fn side_by_side<'a>(
    players: &mut TrialPlayers<'a>,
    [a, b]: [&mut TrialGame; 2],
    dice: &mut Dice,
    turn: impl Fn(&mut TrialPlayers<'a>, [&mut TrialGame; 2], &mut Dice) -> Result<(), Cancelled>,
) -> Result<(), Cancelled> {
    // States of the cube may be settled in one game and open in the other.
    let stay = !players.rules.own_ties && a.states.is_none();
    loop {
        let ended = [players.end_or_double(a)?, players.end_or_double(b)?];
        if stay && ended == [false, false] && a.position == b.position && a.cube == b.cube {
            return finish_coalesced(players, a, b, dice);
        }
        match ended {
            [false, false] => turn(players, [&mut *a, &mut *b], dice)?,
            [true, false] => return players.finish(b, &mut || RollSource::Roll(dice.roll())),
            [false, true] => return players.finish(a, &mut || RollSource::Roll(dice.roll())),
            [true, true] => return Ok(()),
        }
    }
}

/// Plays the rest of two games that have coalesced: once, counted twice, the luck of each by itself.
fn finish_coalesced(
    players: &mut TrialPlayers<'_>,
    a: &mut TrialGame,
    b: &mut TrialGame,
    dice: &mut Dice,
) -> Result<(), Cancelled> {
    a.ends_here = players.rules.end_when_coalesced;
    a.other_luck = Some(b.luck);
    players.finish(a, &mut || RollSource::Roll(dice.roll()))?;
    let luck = a.other_luck.take().unwrap_or(b.luck);
    (a.coalesced, b.coalesced) = (true, true);
    // All else they have in common from here on.
    *b = TrialGame {
        luck,
        slot: b.slot,
        ready: b.ready,
        ..*a
    };
    Ok(())
}
