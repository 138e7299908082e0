//! Cube decisions of a match analysed: doubles, takes and passes, and the turns in which somebody who
//! might have doubled rolled instead.
//!
//! Every equity is the doubler's, in points on the cube before the double (EMG in a match), so that
//! the two halves of one double compare. A turn without a double counts in PR only where there was something
//! to decide. There a double would have lost less than [`FAR_FROM_DOUBLE`], and rolling was worth more than nothing.
//! That is eXtreme Gammon's rule, as far as it is known, so the ratings agree. An error always counts.

use super::MatchTurn;
use crate::cube::{CubeChoice, CubeDecision, Model};
use crate::eval::lookahead::is_sparse;
use crate::eval::{Evaluator, Probabilities};
use crate::game::{CubeOwner, GameState};
use crate::match_file::Action;

/// A double that would lose so many points needs no thought.
pub const FAR_FROM_DOUBLE: f32 = 0.2;

/// Returns whether a roll without a double counts among a player's decisions: see the [module](self).
/// All are in points: the gain of a double, the value of the roll, and the loss.
pub(super) fn roll_counts(gain: f64, no_double: f64, error: f64) -> bool {
    let is_near = gain > -f64::from(FAR_FROM_DOUBLE) && no_double > 0.0;
    is_near || error > 0.0
}

/// A cube decision analysed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CubeReview {
    /// The doubler's decision.
    pub decision: CubeDecision,
    /// The choice made; `None` for a position that stands alone.
    pub choice: Option<CubeChoice>,
    /// Points given away by the player who chose, never negative; `None` without a choice.
    pub error: Option<f32>,
    /// Plies of lookahead behind the figures.
    pub ply: u8,
}

impl CubeReview {
    /// Returns whether the decision counts among a player's: see the [module](self).
    pub fn counts(&self) -> bool {
        match self.choice {
            None => false,
            Some(CubeChoice::NoDouble) => {
                let gain = self.decision.gain().map_or(f64::NEG_INFINITY, f64::from);
                let error = self.error.map_or(0.0, f64::from);
                roll_counts(gain, f64::from(self.decision.no_double), error)
            }
            Some(_) => true,
        }
    }

    /// Returns whether a deeper analysis may change the verdict.
    /// It may if the choice made is not the best one, or if another is within `reach` points.
    /// The verdict on a double includes whether it is a take or a pass.
    pub fn is_close(&self, reach: f32) -> bool {
        let doubled = self.choice == Some(CubeChoice::Double);
        let asked = matches!(
            self.choice,
            Some(CubeChoice::Take | CubeChoice::Pass | CubeChoice::Beaver)
        );
        let double = self.decision.gain().is_some_and(|gain| gain.abs() < reach);
        let take = self.decision.double_take;
        let answer = take.is_some_and(|take| {
            (take - 1.0).abs() < reach || self.decision.allows_beavers() && take.abs() < reach
        });
        self.error.is_some_and(|e| e > 0.0) || (double && !asked) || (answer && (asked || doubled))
    }
}

/// Analyses the cube decision of a turn ([`cube_decision_of`]), with the doubler's chances; `None` if `cancelled`
/// answered true on the way. A decision not to double that is far from one is analysed at 0 plies.
pub(super) fn analyse(
    evaluator: &dyn Evaluator,
    model: &Model,
    turn: &MatchTurn,
    state: GameState,
    choice: Option<CubeChoice>,
    ply: u8,
    cancelled: &dyn Fn() -> bool,
) -> Option<(CubeReview, Probabilities)> {
    // A double that was made is analysed even if it gains nothing.
    let is_offered = turn.before.state.doubled || choice == Some(CubeChoice::Double);
    let state = if is_offered { state.offered() } else { state };
    let analysed = |ply| analyse_at(evaluator, model, state, choice, ply, cancelled);
    if choice == Some(CubeChoice::NoDouble) && ply > 0 && !is_sparse(&state.position) {
        let quick = analysed(0)?;
        if !quick.0.counts() && !quick.0.is_close(FAR_FROM_DOUBLE) {
            return Some(quick);
        }
    }
    analysed(ply)
}

/// Analyses a cube decision at exactly `ply` plies, with the doubler's chances.
pub(super) fn analyse_at(
    evaluator: &dyn Evaluator,
    model: &Model,
    state: GameState,
    choice: Option<CubeChoice>,
    ply: u8,
    cancelled: &dyn Fn() -> bool,
) -> Option<(CubeReview, Probabilities)> {
    let (decision, chances) = model.decide_with_chances(evaluator, &state, ply, cancelled)?;
    let review = CubeReview {
        decision,
        choice,
        error: choice.and_then(|c| decision.error(c)),
        ply,
    };
    Some((review, chances))
}

/// The state in which the cube decision of a turn was made, seen by the doubler before doubling, and what was
/// chosen. `None` where there was no such decision.
pub(super) fn cube_decision_of(turn: &MatchTurn) -> Option<(GameState, Option<CubeChoice>)> {
    let state = turn.before.state.roller().before_roll();
    let choice = match turn.action {
        // What was done with the cube before a roll that stands alone nobody knows.
        None => None,
        Some(Action::Move { .. } | Action::Hidden { .. } | Action::Illegal { .. }) => {
            Some(CubeChoice::NoDouble)
        }
        Some(Action::Double { .. }) => Some(CubeChoice::Double),
        Some(Action::Take) => Some(CubeChoice::Take),
        Some(Action::Pass) => Some(CubeChoice::Pass),
        Some(Action::Beaver { .. }) => Some(CubeChoice::Beaver),
        Some(Action::Resign) => return None,
    };
    let has_rolled = turn.before.state.roll.is_some();
    let silent = choice == Some(CubeChoice::NoDouble) || choice.is_none() && has_rolled;
    // Who answers a beaver, or the raccoon after it, has a cube that is the opponent's. That is not rated.
    let is_after_beaver = !silent && state.owner == CubeOwner::Opponent;
    let cannot_double = silent && (!state.may_double() || turn.is_opening_roll());
    if state.position.is_over() || is_after_beaver || cannot_double {
        return None;
    }
    Some((state, choice))
}

#[cfg(test)]
mod tests {
    use super::super::tests::figures;
    use super::super::{review, turns};
    use super::*;
    use crate::eval::Engine;
    use crate::game::{Play, PlayList, Player, Position, Roll};
    use crate::match_file::{Event, Game, Match};

    fn no() -> bool {
        false
    }

    /// The cube is the beavering player's then, so no figures of a double fit.
    #[test]
    fn what_answers_a_beaver_is_not_rated() {
        let head = "; [Beaver \"On\"]\n\n 0 point match\n\n Game 1\n A : 0              B : 0\n  \
                    1) 41: 24/23 13/9                 31: 8/5 6/5\n  2)  Doubles => 2                Beavers => 4\n";
        for (answers, count) in [
            ("  3)  Drops\n      Wins 2 points\n", 1),
            (
                "  3)  Doubles => 8                Takes\n  4) 64: 24/14\n",
                2,
            ),
        ] {
            let text = format!("{head}{answers}");
            let record = crate::match_file::read_bytes(text.as_bytes(), "x.mat").unwrap();
            let turns = turns(&record);
            let choices: Vec<_> = turns.iter().map(|turn| cube_decision_of(turn)?.1).collect();
            let (double, beaver) = (Some(CubeChoice::Double), Some(CubeChoice::Beaver));
            assert_eq!(choices[2..4], [double, beaver], "{choices:?}");
            assert!(
                choices[4..4 + count].iter().all(Option::is_none),
                "{choices:?}"
            );
        }
    }

    /// Seven checkers on the six point each: the player on roll is a favourite by far.
    fn race(length: u16, score: [u16; 2], events: Vec<Event>) -> Match {
        Match {
            length,
            games: vec![Game {
                number: 2,
                score,
                start: Position::from_points(&[(6, 5)], &[(6, 7)]).unwrap(),
                events,
                ..Game::default()
            }],
            ..Match::default()
        }
    }

    fn event(player: Player, action: Action) -> Event {
        Event {
            player,
            action,
            line: 0,
        }
    }

    fn rolled() -> Action {
        let roll = Roll::new(2, 1).unwrap();
        let list = PlayList::of(&Position::from_points(&[(6, 5)], &[(6, 7)]).unwrap(), roll);
        let play: Play = list.plays()[0];
        Action::Move { roll, play }
    }

    #[test]
    fn doubles_takes_and_passes_are_analysed_by_both_sides() {
        use Player::{Left, Right};
        let engine = Engine::embedded();
        for (length, score) in [(0, [0, 0]), (7, [1, 2])] {
            for (answer, wrong) in [(Action::Take, true), (Action::Pass, false)] {
                let events = vec![event(Left, Action::Double { to: 2 }), event(Right, answer)];
                let record = race(length, score, events);
                let all = turns(&record);
                let analysed: Vec<_> = all
                    .iter()
                    .map(|t| review(&engine, t, 1, &no).unwrap())
                    .collect();
                let double = analysed[0].cube.unwrap();
                // Far ahead: double and pass; both see the same figures.
                assert_eq!(analysed[0].error, Some(0.0));
                assert_eq!(double.decision.action, crate::cube::CubeAction::DoublePass);
                assert_eq!(double.decision, analysed[1].cube.unwrap().decision);
                let error = analysed[1].error.unwrap();
                assert_eq!(error > 0.0, wrong, "{error}");
                let take = double.decision.double_take.unwrap();
                if wrong {
                    assert!((error - (take - 1.0)).abs() < 1e-6);
                    let mwc = analysed[1].cube.unwrap().decision.mwc;
                    assert_eq!(mwc.is_some(), length > 0);
                }
                let figures = figures(&analysed[1]);
                assert_eq!((figures.decisions, figures.take.decisions), (1, 1));
                assert_eq!(figures.take.error, f64::from(error));
                assert_eq!(figures.error_unnormalised > 0.0, wrong && length > 0);
            }
        }
    }

    /// A double of a player whom the present cube wins the match already gains nothing, but to pass it loses the
    /// match.
    #[test]
    fn a_pass_of_a_dead_double_is_the_worst_there_is() {
        use Player::{Left, Right};
        let engine = Engine::embedded();
        // Left needs a point, right two, or one as well.
        for score in [[4, 3], [4, 4]] {
            for (answer, wrong) in [(Action::Pass, true), (Action::Take, false)] {
                let events = vec![event(Left, Action::Double { to: 2 }), event(Right, answer)];
                let record = race(5, score, events);
                let all = turns(&record);
                let answered = review(&engine, &all[1], 0, &no).unwrap();
                let cube = answered.cube.unwrap();
                assert_eq!(cube.decision.answer(), Some(CubeChoice::Take));
                let mwc = cube.decision.mwc.unwrap();
                assert_eq!(mwc.double_pass, Some(1.0));
                let error = answered.error.unwrap();
                assert_eq!(error > 0.0, wrong, "{error}");
                let double = review(&engine, &all[0], 0, &no).unwrap();
                assert!(double.error.unwrap() >= 0.0);
                // It makes the other's gammons and the match count for more, or changes nothing.
                assert!(mwc.double_take.unwrap() <= mwc.no_double + 1e-6);
            }
        }
    }

    #[test]
    fn a_missed_double_is_an_error_of_who_rolled() {
        let engine = Engine::embedded();
        let record = race(0, [0, 0], vec![event(Player::Left, rolled())]);
        let turn = turns(&record)[0];
        let analysed = review(&engine, &turn, 0, &no).unwrap();
        let cube = analysed.cube.unwrap();
        assert_eq!(cube.choice, Some(CubeChoice::NoDouble));
        let gain = cube.decision.gain().unwrap();
        assert!(gain > 0.0 && cube.counts());
        assert_eq!(cube.error, Some(gain));
        let figures = figures(&analysed);
        assert_eq!((figures.decisions, figures.double.decisions), (2, 1));
        let lost = f64::from(analysed.error.unwrap() + gain);
        assert!((figures.error_total - lost).abs() < 1e-6);
    }

    #[test]
    fn no_cube_no_decision() {
        let engine = Engine::embedded();
        // The leader of a match who needs one point, and the opening roll of a game.
        let mut record = race(7, [6, 2], vec![event(Player::Left, rolled())]);
        let turn = turns(&record)[0];
        assert_eq!(review(&engine, &turn, 0, &no).unwrap().cube, None);
        record.games[0].score = [0, 0];
        record.games[0].start = Position::opening();
        let roll = Roll::new(3, 1).unwrap();
        let play = Play::NONE;
        record.games[0].events = vec![event(Player::Left, Action::Move { roll, play })];
        let turn = turns(&record)[0];
        assert_eq!(review(&engine, &turn, 0, &no).unwrap().cube, None);
    }

    #[test]
    fn plays_at_a_score_are_ranked_by_what_they_win() {
        let engine = Engine::embedded();
        let mut record = race(5, [4, 4], vec![event(Player::Left, rolled())]);
        record.games[0].start = Position::opening();
        let roll = Roll::new(5, 2).unwrap();
        let list = PlayList::of(&Position::opening(), roll);
        let play = list.plays()[list.len() - 1];
        record.games[0].events = vec![event(Player::Left, Action::Move { roll, play })];
        for ply in 0..=1 {
            let analysed = review(&engine, &turns(&record)[0], ply, &no).unwrap();
            let all = &analysed.candidates;
            let deep = all.iter().filter(|c| c.ply == analysed.ply);
            // Double match point: the chance to win, and nothing else.
            assert!(
                deep.clone()
                    .all(|c| { (c.equity - (2.0 * c.probabilities.win - 1.0)).abs() < 2e-3 })
            );
            let i = analysed.played.unwrap();
            let error = all[0].equity - all[i].equity;
            assert_eq!(analysed.error, Some(error.max(0.0)));
            assert_eq!(all[i].ply, analysed.ply);
            assert!((analysed.point.unwrap() - 0.5).abs() < 1e-6);
        }
    }
}
