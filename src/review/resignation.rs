//! Games that are given up: what the game was still worth, and what it was given up for.
//!
//! Both players can err. The player who resigns gives away what the game is worth above the points conceded,
//! the one who accepts gives away what it is worth below them. Neither counts for PR or the totals: a file
//! seldom says whether a player offered a game or left the table.

use serde::{Deserialize, Serialize};

use crate::cube::{Cube, Model};
use crate::eval::{CandidateFilter, Evaluator};
use crate::game::{GameState, Player, Roll};
use crate::match_file::{Action, DecisionState, Game};

/// A game that ended by a resignation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResignedGame {
    /// Points conceded, cube included.
    pub points: u32,
    /// The player who rolls next, or has rolled and not played.
    pub roller: Player,
    /// The roll that was not played.
    pub roll: Option<Roll>,
}

impl ResignedGame {
    /// Returns the game that the resignation among the events of `game` ended.
    /// `None` if the event is no resignation, or if the events before it are unknown.
    /// They are if events are missing, a double was not answered, or nobody had rolled yet.
    pub fn of(game: &Game, event: usize) -> Option<Self> {
        let resigned = game.events.get(event)?;
        if resigned.action != Action::Resign || game.is_cut {
            return None;
        }
        let result = (game.result).filter(|result| result.winner != resigned.player)?;
        let last = &game.events[event.checked_sub(1)?];
        let other = last.player.other();
        let (roller, roll) = match last.action {
            Action::Move { .. } | Action::Illegal { .. } => (other, None),
            Action::Hidden { roll } => (last.player, Some(roll)),
            // The doubler rolls.
            Action::Take | Action::Beaver { .. } => (other, None),
            Action::Double { .. } | Action::Pass | Action::Resign => return None,
        };
        Some(Self {
            points: result.points,
            roller,
            roll,
        })
    }
}

/// How something is given away at the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ResignationFault {
    /// The player who resigned gave up more than the game was worth.
    Resigning,
    /// The other player accepted less.
    Accepting,
}

/// A resignation analysed. Both values are those of the player who resigned, in points on the cube, in a match
/// normalised to them (EMG).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Resignation {
    /// Points conceded, cube included.
    pub points: u32,
    /// Value of the game with the cube if played on.
    pub value: f32,
    /// Value of the concession.
    pub conceded: f32,
}

impl Resignation {
    /// Differences below this are none: chances of one in a thousand are as small.
    const LEAST: f32 = 0.002;

    /// Analyses at `ply` plies what the player of `state` offers to give up for so many points, cube included: before
    /// the roll, or instead of playing the one that is there. `None` if `cancelled` answered true on the way.
    pub fn offered(
        evaluator: &dyn Evaluator,
        model: &Model,
        state: &GameState,
        points: u32,
        ply: u8,
        cancelled: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let before = state.before_roll();
        Some(Self {
            points,
            value: roller_value(evaluator, model, &before, state.roll, ply, cancelled)?,
            conceded: conceded(model, &before, points),
        })
    }

    /// Points on the cube that the player who resigned gave away; negative if the other player did, who accepted.
    pub fn cost(&self) -> f32 {
        self.value - self.conceded
    }

    /// Returns whether the concession equals the value of the game.
    pub fn is_even(&self) -> bool {
        self.cost().abs() < Self::LEAST
    }

    /// How the difference was given away, if there was one.
    pub fn fault(&self) -> Option<ResignationFault> {
        let fault = match self.cost() > 0.0 {
            true => ResignationFault::Resigning,
            false => ResignationFault::Accepting,
        };
        (!self.is_even()).then_some(fault)
    }
}

/// Returns whether the cost of a resignation can be computed.
/// It cannot while a double is pending, or after the game.
pub(super) fn can_be_analysed(state: &GameState) -> bool {
    !state.doubled && !state.position.is_over() && state.cube != 0
}

/// Analyses the resignation of the player of `before` at `ply` plies, where that [can be](can_be_analysed); `None` if
/// `cancelled` answered true on the way.
pub(super) fn analyse(
    evaluator: &dyn Evaluator,
    model: &Model,
    before: &DecisionState,
    game: ResignedGame,
    ply: u8,
    cancelled: &dyn Fn() -> bool,
) -> Option<Resignation> {
    let state = before.state.before_roll();
    let resigner_rolls = game.roller == before.player;
    let roller = match resigner_rolls {
        true => state,
        false => state.flipped(),
    };
    let value = roller_value(evaluator, model, &roller, game.roll, ply, cancelled)?;
    Some(Resignation {
        points: game.points,
        value: if resigner_rolls { value } else { -value },
        conceded: conceded(model, &state, game.points),
    })
}

/// Returns the cubeful value of a game, in points on the cube, to the player of `state`, who rolls next or plays
/// `roll`.
fn roller_value(
    evaluator: &dyn Evaluator,
    model: &Model,
    state: &GameState,
    roll: Option<Roll>,
    ply: u8,
    cancelled: &dyn Fn() -> bool,
) -> Option<f32> {
    let Some(roll) = roll else {
        let decision = model.decide(evaluator, state, ply, cancelled)?;
        return Some(decision.cubeful_equity);
    };
    let filter = CandidateFilter::default();
    let plays = model.candidates(evaluator, state, roll, ply, filter, cancelled)?;
    Some(plays.first().map_or(0.0, |best| best.cubeful))
}

/// Returns the value to the player of `state`, in points on the cube, of giving the game up for `points`, cube
/// included.
fn conceded(model: &Model, state: &GameState, points: u32) -> f32 {
    let (cube, context) = (Cube::of(state), model.context(state));
    let size = points.div_ceil(state.cube).clamp(1, 3) as i8;
    context.to_points(cube.level, context.result(cube, -size))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Engine;
    use crate::game::{Play, Position, Step};
    use crate::match_file::{Event, GameResult, Match};
    use crate::review::{TurnReview, review, turns};

    /// Points and the checkers there.
    type Side = [(usize, u8)];

    fn event(player: Player, action: Action) -> Event {
        Event {
            player,
            action,
            line: 0,
        }
    }

    fn hidden(dice: (u8, u8)) -> Action {
        let roll = Roll::new(dice.0, dice.1).unwrap();
        Action::Hidden { roll }
    }

    /// A game for money that left resigns for so many points after `before`.
    fn resigned(left: &Side, right: &Side, points: u32, before: (Player, Action)) -> Match {
        let result = GameResult {
            winner: Player::Right,
            points,
        };
        Match {
            games: vec![Game {
                start: Position::from_points(left, right).unwrap(),
                events: vec![
                    event(before.0, before.1),
                    event(Player::Left, Action::Resign),
                ],
                result: Some(result),
                ..Game::default()
            }],
            ..Match::default()
        }
    }

    fn last(record: &Match) -> TurnReview {
        let turn = turns(record).pop().unwrap();
        review(&Engine::embedded(), &turn, 0, &|| false).unwrap()
    }

    #[test]
    fn who_would_win_with_the_roll_gives_away_the_whole_game() {
        let record = resigned(&[(1, 1)], &[(1, 1)], 1, (Player::Left, hidden((2, 1))));
        let review = last(&record);
        let given_up = review.resignation.unwrap();
        assert_eq!((given_up.value, given_up.conceded), (1.0, -1.0));
        assert_eq!(given_up.fault(), Some(ResignationFault::Resigning));
        assert_eq!(given_up.cost(), 2.0);
        // It is no decision that counts.
        assert_eq!(review.decision_costs().count(), 0);
    }

    #[test]
    fn a_lost_game_is_given_up_for_what_it_is_worth() {
        // Right is to roll after left's play, and bears the last checker off.
        let roll = Roll::new(2, 1).unwrap();
        let play = Play::new(&[Step { from: 6, to: 4 }, Step { from: 4, to: 3 }]);
        let before = (Player::Left, Action::Move { roll, play });
        let given_up = last(&resigned(&[(6, 2)], &[(1, 1)], 1, before));
        let given_up = given_up.resignation.unwrap();
        assert_eq!((given_up.value, given_up.conceded), (-1.0, -1.0));
        assert!(given_up.is_even() && given_up.fault().is_none());
    }

    #[test]
    fn who_accepts_a_single_game_for_a_sure_gammon_gives_the_other_half_away() {
        let roll = Roll::new(2, 1).unwrap();
        let play = Play::new(&[Step { from: 23, to: 21 }, Step { from: 21, to: 20 }]);
        let before = (Player::Left, Action::Move { roll, play });
        let given_up = last(&resigned(&[(23, 15)], &[(1, 1)], 1, before));
        let given_up = given_up.resignation.unwrap();
        assert!(given_up.value < -1.9, "{given_up:?}");
        assert_eq!(given_up.fault(), Some(ResignationFault::Accepting));
        assert!(given_up.cost() < -0.9, "{given_up:?}");
    }

    #[test]
    fn at_a_score_a_gammon_that_wins_no_more_is_no_more_to_concede() {
        let mut record = resigned(&[(6, 2)], &[(1, 1)], 1, (Player::Right, hidden((2, 1))));
        record.length = 3;
        record.games[0].score = [0, 2];
        let given_up = last(&record).resignation.unwrap();
        assert_eq!((given_up.value, given_up.conceded), (-1.0, -1.0));
        record.games[0].result.as_mut().unwrap().points = 2;
        assert_eq!(last(&record).resignation.unwrap().conceded, -1.0);
    }

    #[test]
    fn where_it_is_not_known_what_came_before_nothing_is_said() {
        let doubled = Action::Double { to: 2 };
        let record = resigned(&[(6, 2)], &[(1, 1)], 1, (Player::Right, doubled));
        assert_eq!(last(&record).resignation, None);
        let mut cut = resigned(&[(1, 1)], &[(1, 1)], 1, (Player::Left, hidden((2, 1))));
        cut.games[0].is_cut = true;
        assert_eq!(last(&cut).resignation, None);
        // The doubler rolls after a take.
        let game = resigned(&[(6, 2)], &[(1, 1)], 2, (Player::Left, Action::Take));
        let known = ResignedGame::of(&game.games[0], 1).unwrap();
        assert_eq!((known.roller, known.roll), (Player::Right, None));
    }
}
