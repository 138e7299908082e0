//! Two strands played side by side, trial by trial.
//!
//! What is wanted of two plays is their difference. If trial *i* of both gets luck that is alike,
//! the luck cancels in D_i = A_i - B_i, and the mean of the D_i is surer than the difference of
//! two means (matched pairs; Koca, *A new variance reduction technique*, 2009). Three ways to
//! couple the dice: not at all, the same rolls, or rolls of the same rank in either position.
//!
//! Each strand by itself has fair dice in all three: a rank that is uniform and independent of all
//! that went before gives every roll the chance 1/36, whatever the order of the rolls.
//!
//! Strands with coupled dice that come to the same position on the same turn go on alike from
//! there, so the rest is played once and counted for both: D is settled, and each strand still
//! gets the result that its own mean needs.

use crate::dice::Dice;
use crate::game::Position;

use super::trial::{Cancelled, Game, Players, Throw};

/// The dice of the two strands of one trial.
#[expect(
    clippy::large_enum_variant,
    reason = "lives on the stack for one trial; boxing would allocate in the hot loop"
)]
pub(super) enum PairDice {
    /// Each strand its own.
    Apart([Dice; 2]),
    /// The same rolls in both.
    Same(Dice),
    /// The same ranks in both.
    Ranks(Dice),
}

/// Plays one trial of both strands, from the positions after the two candidate plays.
pub(super) fn play(
    players: &mut Players<'_>,
    starts: [Position; 2],
    dice: PairDice,
) -> Result<[Game; 2], Cancelled> {
    let [mut a, mut b] = [players.start(starts[0], 0), players.start(starts[1], 1)];
    match dice {
        PairDice::Apart([mut first, mut second]) => {
            players.finish(&mut a, &mut || first.roll())?;
            players.finish(&mut b, &mut || second.roll())?;
        }
        PairDice::Same(mut dice) => {
            let throw = |dice: &mut Dice| Throw::Roll(dice.roll());
            side_by_side(players, [&mut a, &mut b], &mut dice, throw)?;
        }
        PairDice::Ranks(mut dice) => {
            let throw = |dice: &mut Dice| Throw::Rank(dice.number(), dice.tie_break());
            side_by_side(players, [&mut a, &mut b], &mut dice, throw)?;
        }
    }
    Ok([a, b])
}

/// Turn by turn until one game has ended or both stand alike; then what is left, with ordinary
/// rolls of the same stream.
fn side_by_side(
    players: &mut Players<'_>,
    [a, b]: [&mut Game; 2],
    dice: &mut Dice,
    throw: impl Fn(&mut Dice) -> Throw,
) -> Result<(), Cancelled> {
    loop {
        let ended = [players.settle(a)?, players.settle(b)?];
        if ended == [false, false] && a.position == b.position && a.cube == b.cube {
            return together(players, a, b, dice);
        }
        match ended {
            [false, false] => {
                let throw = throw(dice);
                players.turn(a, throw)?;
                players.turn(b, throw)?;
            }
            [true, false] => return players.finish(b, &mut || dice.roll()),
            [false, true] => return players.finish(a, &mut || dice.roll()),
            [true, true] => return Ok(()),
        }
    }
}

/// The rest of two games that stand alike: played once, counted twice.
fn together(
    players: &mut Players<'_>,
    a: &mut Game,
    b: &mut Game,
    dice: &mut Dice,
) -> Result<(), Cancelled> {
    let before = (a.luck, a.cube_luck);
    players.finish(a, &mut || dice.roll())?;
    for ((sum, end), start) in b.luck.iter_mut().zip(a.luck).zip(before.0) {
        *sum += end - start;
    }
    b.cube_luck += a.cube_luck - before.1;
    b.cube_end = a.cube_end;
    b.position = a.position;
    b.value = a.value;
    Ok(())
}
