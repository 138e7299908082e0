//! A match analysed: every decision with its candidates, what the play that was made cost, and how
//! lucky the roll was.
//!
//! Read [`turns`] first (what there is to walk through), then [`review()`] (one decision analysed
//! at some depth) and [`Figures`]. Nothing here runs in the background or knows a screen. Callers decide
//! when and on which thread each decision is analysed, and replace a shallow [`TurnReview`] by a deeper
//! one when it comes.
//!
//! [`analyse_match`] does all of that for a match at once, and [`roll_out`] rolls out the closest
//! decisions after it. [`Figures`] are the results of a player's decisions (ratings, luck). [`report`]
//! is the whole as a document, and as text, Markdown and HTML.
//!
//! *What counts.* Plays are ranked by what they are worth with the cube where it stands, in points
//! on it, in a match at the score and normalised (EMG; see [`crate::cube`]). So a gammon that wins
//! nothing more is not worth a risk. Cube decisions are valued the same way, including each turn at
//! which a player may double and does not ([`cube`]).

pub(crate) mod bounded_luck;
pub(crate) mod cube;
pub(crate) mod cube_errors;
pub(crate) mod decision_cost;
pub mod figures;
mod imported_cube;
mod in_order;
pub(crate) mod luck;
pub(crate) mod marks;
pub(crate) mod match_review;
pub(crate) mod match_rollouts;
mod move_numbers;
pub(crate) mod position_type;
pub mod rated_player;
pub mod report;
pub(crate) mod resignation;
pub(crate) mod trend;
pub(crate) mod trend_parts;
mod turn;
pub(crate) mod verification;
pub(crate) mod xg_text;

pub use cube::{CubeReview, FAR_FROM_DOUBLE};
pub use cube_errors::{CubeErrorKind, CubeErrors};
pub use decision_cost::{Class, ClassFilter, DecisionCost};
pub use figures::{Figures, gnubg_word};
pub use imported_cube::imported_error;
pub use marks::{Mark, Thresholds};
pub use match_review::{
    AnalysedTurn, StandardReview, analyse_match, analyse_match_observed, shift,
};
pub use match_rollouts::{ErrorFilter, MatchRolloutAim, MatchRolloutLimits, recall, roll_out};
pub use move_numbers::MoveNumbers;
pub use position_type::PositionType;
pub use report::Report;
pub use resignation::{Resignation, ResignationFault, ResignedGame};
pub use turn::{MatchTurn, turns};

use crate::cube::{Cube, CubefulCandidate, Model};
use crate::eval::lookahead::{evaluate, is_sparse};
use crate::eval::{Candidate, CandidateFilter, Evaluator, Probabilities};
use crate::game::{GameState, Position, Roll};

/// The standard review analyses every turn at 0 plies, and one ply deeper at a time where the verdict is close, up to
/// this many or to those that are asked for instead. It depends on the turn alone, so the totals of a match do not
/// depend on what was looked at in between, or in which order.
pub const STANDARD_PLY: u8 = 2;

/// How deep a review of at most `ply` plies looks, in words.
pub fn depth_words(ply: u8) -> String {
    match ply {
        0 => "at 0-ply".to_owned(),
        ply => format!("up to {ply}-ply where close"),
    }
}

/// A second play within so many points of the best makes a turn close.
const CLOSE_WITHIN: f32 = 0.04;

/// One turn analysed.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct TurnReview {
    /// The plays, best first: those of the greatest depth before the others. Empty where there
    /// are no dice. Their `equity` is what they are worth with the cube, in a match at the score and
    /// normalised; their chances are cubeless.
    pub candidates: Vec<Candidate>,
    /// Place of the play that was made.
    pub played: Option<usize>,
    /// Equity that the play, or the cube action where there are no dice, gave away against the
    /// best one, in points, never negative; both are analysed at the same depth.
    pub error: Option<f32>,
    /// The cube decision of this turn, if there was one: what was done with the cube, or that
    /// nothing was.
    pub cube: Option<CubeReview>,
    /// Value of a point of equity as a chance to win the match; `None` in money play.
    pub point: Option<f32>,
    /// Luck of the roll at 0-ply, in points on the cube, with cube and score: see [`luck`].
    pub luck: Option<f32>,
    /// The resignation and its cost.
    pub resignation: Option<Resignation>,
    /// Chances of the player whose turn it is, before any roll, where there are no dice. After a
    /// double that is the one who answers, though the doubler is on roll.
    pub chances: Option<Probabilities>,
    /// Plies of lookahead behind the best figures.
    pub ply: u8,
}

impl TurnReview {
    /// Sets the plays, best first, which of them leads to `played`, and what that one cost.
    fn set_candidates(&mut self, all: Vec<Candidate>, played: Option<Position>) {
        self.played = played.and_then(|result| all.iter().position(|c| c.result == result));
        self.error = (self.played).map(|i| (all[0].equity - all[i].equity).max(0.0));
        self.candidates = all;
    }

    /// The decision not to double before the roll, where there was one.
    pub fn silent_cube(&self) -> Option<CubeReview> {
        self.cube.filter(|_| !self.candidates.is_empty())
    }

    /// Returns whether exactly one play was legal. A turn without plays, such as a cube action, is not forced.
    pub fn is_forced(&self) -> bool {
        self.candidates.len() == 1
    }

    /// The plies at which a review of at most `most` plies looks at this turn, in `position`, next, if it does: see
    /// [`STANDARD_PLY`].
    pub fn next_ply(&self, position: &Position, done: u8, most: u8) -> Option<u8> {
        let has_choice = self.candidates.len() > 1 || self.cube.is_some();
        let close = is_sparse(position) && has_choice
            || self.is_close(CLOSE_WITHIN)
            || self.cube.is_some_and(|cube| cube.is_close(CLOSE_WITHIN))
            || self.resignation.is_some_and(|given_up| !given_up.is_even());
        (done < most && close).then_some(done + 1)
    }

    /// Returns whether a deeper analysis may change the verdict.
    /// It may if the play made is not the best one, or a second play is within `reach` points of the best.
    pub fn is_close(&self, reach: f32) -> bool {
        match &self.candidates[..] {
            [best, second, ..] => {
                self.error.is_some_and(|e| e > 0.0) || best.equity - second.equity < reach
            }
            _ => false,
        }
    }
}

/// Analyses a turn at `ply` plies, with the standard model of the cube. `None` if `cancelled`
/// answered true on the way.
pub fn review(
    evaluator: &dyn Evaluator,
    turn: &MatchTurn,
    ply: u8,
    cancelled: &dyn Fn() -> bool,
) -> Option<TurnReview> {
    review_with(evaluator, Model::standard(), turn, ply, cancelled)
}

/// Analyses a turn at `ply` plies, with any model of the cube. `None` if `cancelled` answered true on the
/// way.
pub fn review_with(
    evaluator: &dyn Evaluator,
    model: &Model,
    turn: &MatchTurn,
    ply: u8,
    cancelled: &dyn Fn() -> bool,
) -> Option<TurnReview> {
    let mut review = analyse_decisions(evaluator, model, turn, ply, cancelled)?;
    review.luck = luck::luck(evaluator, model, turn).map(|luck| luck.points);
    Some(review)
}

/// Analyses a turn as [`review_with`] does. The `most` best plays besides the one that was made get the depth
/// of the best one, also those that the filter dropped before.
pub fn review_widely(
    evaluator: &dyn Evaluator,
    model: &Model,
    turn: &MatchTurn,
    ply: u8,
    most: usize,
    cancelled: &dyn Fn() -> bool,
) -> Option<TurnReview> {
    let mut review = review_with(evaluator, model, turn, ply, cancelled)?;
    let analyse = PlayReviewer::new(evaluator, model, turn, cancelled);
    let played = review.played.map(|i| review.candidates[i].result);
    let most = most + usize::from(played.is_some());
    let all = std::mem::take(&mut review.candidates);
    // Those that are as deep already are in order, plays that are worth the same at the score included.
    let (mut deep, mut rest) = (Vec::new(), Vec::new());
    let mut deepened = Vec::new();
    for (place, candidate) in all.into_iter().enumerate() {
        if candidate.ply >= review.ply {
            deep.push(candidate);
        } else if place < most {
            deepened.push(analyse.again(&candidate, review.ply)?);
        } else {
            rest.push(candidate);
        }
    }
    for candidate in deepened {
        let better = deep.iter().rposition(|one| one.equity >= candidate.equity);
        deep.insert(better.map_or(0, |place| place + 1), candidate);
    }
    // A stable sort: of equals the order stays.
    rest.sort_by(|a, b| (b.ply.cmp(&a.ply)).then(b.equity.total_cmp(&a.equity)));
    deep.append(&mut rest);
    review.set_candidates(deep, played);
    Some(review)
}

/// Analyses a turn as [`review_widely`] does, and its cube decision at `ply` plies also where it is far from a double.
pub fn review_in_full(
    evaluator: &dyn Evaluator,
    model: &Model,
    turn: &MatchTurn,
    ply: u8,
    most: usize,
    cancelled: &dyn Fn() -> bool,
) -> Option<TurnReview> {
    let mut review = review_widely(evaluator, model, turn, ply, most, cancelled)?;
    let is_quick = review.cube.is_some_and(|cube| cube.ply < ply);
    if let Some((state, choice)) = cube::cube_decision_of(turn).filter(|_| is_quick) {
        let (cube, chances) = cube::analyse_at(evaluator, model, state, choice, ply, cancelled)?;
        (review.cube, review.chances) = (Some(cube), Some(chances));
    }
    Some(review)
}

/// The review of a turn without the luck, which does not depend on the ply.
fn analyse_decisions(
    evaluator: &dyn Evaluator,
    model: &Model,
    turn: &MatchTurn,
    ply: u8,
    cancelled: &dyn Fn() -> bool,
) -> Option<TurnReview> {
    let (cube, doubler) = match cube::cube_decision_of(turn) {
        Some((state, choice)) => {
            let (cube, chances) =
                cube::analyse(evaluator, model, turn, state, choice, ply, cancelled)?;
            (Some(cube), Some(chances))
        }
        None => (None, None),
    };
    let mut review = match turn.before.state.roll {
        Some(roll) => TurnReview {
            chances: doubler,
            ..review_play(evaluator, model, turn, roll, ply, cancelled)?
        },
        None => TurnReview {
            error: cube.and_then(|c| c.error),
            chances: match doubler {
                // Of the player whose turn it is.
                Some(chances) if turn.before.state.doubled => Some(chances.flipped()),
                Some(chances) => Some(chances),
                None => Some(chances(evaluator, &turn.before.state, ply, cancelled)?),
            },
            ply,
            ..TurnReview::default()
        },
    };
    review.cube = cube;
    if let Some(game) = turn.resigned
        && resignation::can_be_analysed(&turn.before.state)
    {
        let before = &turn.before;
        let analysed = resignation::analyse(evaluator, model, before, game, ply, cancelled)?;
        review.resignation = Some(analysed);
    }
    review.point = point(model, &turn.before.state);
    Some(review)
}

/// Returns the value of a point as a chance to win the match, or for money in points with the cube counted.
pub(crate) fn point_value(model: &Model, state: &GameState) -> f32 {
    model.context(state).point_value(Cube::of(state).level)
}

/// Returns the value of a point as a chance to win the match; `None` in money play.
fn point(model: &Model, state: &GameState) -> Option<f32> {
    (!state.score.is_money()).then(|| point_value(model, state))
}

/// Chances, before the roll, of the player whose turn it is. The player who answers a double is not
/// on roll: the doubler is, and rolls next if it is taken.
fn chances(
    evaluator: &dyn Evaluator,
    state: &GameState,
    ply: u8,
    cancelled: &dyn Fn() -> bool,
) -> Option<Probabilities> {
    if state.doubled {
        let doubler = state.position.flipped();
        evaluate(evaluator, &doubler, ply, cancelled).map(|c| c.flipped())
    } else {
        evaluate(evaluator, &state.position, ply, cancelled)
    }
}

fn review_play(
    evaluator: &dyn Evaluator,
    model: &Model,
    turn: &MatchTurn,
    roll: Roll,
    ply: u8,
    cancelled: &dyn Fn() -> bool,
) -> Option<TurnReview> {
    let position = &turn.before.state.position;
    let analyse = PlayReviewer::new(evaluator, model, turn, cancelled);
    let mut all = analyse.candidates(roll, ply)?;
    let ply = all.first().map_or(0, |c| c.ply);
    let result = turn.played().map(|play| play.apply(position));
    let find = |all: &[Candidate]| result.and_then(|r| all.iter().position(|c| c.result == r));
    if let Some(i) = find(&all).filter(|&i| all[i].ply < ply) {
        // The filter dropped the play that was made; an error is a difference of like depths.
        let played = analyse.again(&all.remove(i), ply)?;
        let place = all
            .iter()
            .position(|c| c.ply < ply || c.equity < played.equity)
            .unwrap_or(all.len());
        all.insert(place, played);
    }
    let mut review = TurnReview {
        ply,
        ..TurnReview::default()
    };
    review.set_candidates(all, result);
    Some(review)
}

/// Ranks plays by what counts: see the [module](self).
struct PlayReviewer<'a> {
    evaluator: &'a dyn Evaluator,
    model: &'a Model,
    state: GameState,
    cancelled: &'a dyn Fn() -> bool,
}

impl<'a> PlayReviewer<'a> {
    fn new(
        evaluator: &'a dyn Evaluator,
        model: &'a Model,
        turn: &MatchTurn,
        cancelled: &'a dyn Fn() -> bool,
    ) -> Self {
        Self {
            evaluator,
            model,
            state: turn.before.state.before_roll(),
            cancelled,
        }
    }

    fn candidates(&self, roll: Roll, ply: u8) -> Option<Vec<Candidate>> {
        let (model, state, filter) = (self.model, &self.state, CandidateFilter::default());
        let all = model.candidates(self.evaluator, state, roll, ply, filter, self.cancelled)?;
        Some(all.iter().map(cubeful).collect())
    }

    /// The play `candidate` analysed at `ply` plies.
    fn again(&self, candidate: &Candidate, ply: u8) -> Option<Candidate> {
        let (model, state) = (self.model, &self.state);
        let analysed = model.analyse(self.evaluator, state, *candidate, ply, self.cancelled)?;
        Some(cubeful(&analysed))
    }
}

fn cubeful(one: &CubefulCandidate) -> Candidate {
    Candidate {
        equity: one.cubeful,
        ..one.candidate
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Engine;
    use crate::game::{Play, Player};
    use crate::match_file::{Action, Event, Game, Match};

    fn no() -> bool {
        false
    }

    /// Sums up the decisions of a turn.
    pub(super) fn figures(review: &TurnReview) -> Figures {
        let mut figures = Figures::default();
        let point = f64::from(review.point.unwrap_or(0.0));
        for cost in review.decision_costs() {
            figures.add(&cost, point, 0, &Thresholds::default());
        }
        figures
    }

    fn opening_turn(play: &[(u8, u8)]) -> MatchTurn {
        let steps: Vec<_> = play
            .iter()
            .map(|&(from, to)| crate::game::Step { from, to })
            .collect();
        let roll = Roll::new(3, 1).unwrap();
        let mut turn = MatchTurn::alone(GameState::money(Position::opening()));
        turn.before.state.roll = Some(roll);
        turn.action = Some(Action::Move {
            roll,
            play: Play::new(&steps),
        });
        turn
    }

    #[test]
    fn the_play_made_is_analysed_as_deep_as_the_best() {
        let engine = Engine::embedded();
        for ply in 0..=1 {
            // No filter would look at this play more deeply by itself.
            let turn = opening_turn(&[(24, 23), (6, 3)]);
            let review = review(&engine, &turn, ply, &no).unwrap();
            assert_eq!(review.candidates.len(), 16);
            let i = review.played.unwrap();
            assert!(i > 0 && review.error.unwrap() > 0.05);
            assert_eq!(review.candidates[i].ply, review.ply);
            let shallow = review.candidates.iter().filter(|c| c.ply < ply);
            assert_eq!(shallow.count() > 0, ply > 0);
            let depths: Vec<u8> = review.candidates.iter().map(|c| c.ply).collect();
            assert!(depths.is_sorted_by(|a, b| a >= b), "{depths:?}");
        }
    }

    #[test]
    fn the_best_plays_get_the_depth_that_is_asked_for() {
        let (engine, model) = (Engine::embedded(), Model::standard());
        let turn = opening_turn(&[(24, 23), (6, 3)]);
        let narrow = review(&engine, &turn, 1, &no).unwrap();
        let wide = review_widely(&engine, model, &turn, 1, 5, &no).unwrap();
        let deep = |review: &TurnReview| review.candidates.iter().filter(|c| c.ply == 1).count();
        assert!(deep(&narrow) < 6 && deep(&wide) == 6, "{}", deep(&narrow));
        assert_eq!(wide.candidates.len(), narrow.candidates.len());
        let equities: Vec<f32> = wide.candidates.iter().take(6).map(|c| c.equity).collect();
        assert!(equities.is_sorted_by(|a, b| a >= b), "{equities:?}");
        let played = wide.candidates[wide.played.unwrap()];
        assert_eq!(
            Some(played.result),
            turn.played().map(|p| p.apply(&turn.before.state.position))
        );
        assert_eq!(wide.error, Some(equities[0] - played.equity));
        // What was as deep before is what it was.
        assert_eq!(wide.candidates[0].equity, narrow.candidates[0].equity);
    }

    /// A cube decision far from a double is quick in a review, but not where its reader asks for a depth.
    #[test]
    fn a_cube_decision_gets_the_depth_that_is_asked_for() {
        let (engine, model) = (Engine::embedded(), Model::standard());
        let mut turn = opening_turn(&[(24, 23), (6, 3)]);
        turn.before.event = 4;
        turn.number = 3;
        let narrow = review(&engine, &turn, 1, &no).unwrap();
        let wide = review_in_full(&engine, model, &turn, 1, 5, &no).unwrap();
        let [quick, deep] = [&narrow, &wide].map(|review| review.cube.unwrap());
        assert_eq!((quick.ply, deep.ply), (0, 1));
        assert_ne!(quick.decision, deep.decision);
        let state = turn.before.state.before_roll();
        let asked = review(&engine, &MatchTurn::alone(state), 1, &no).unwrap();
        assert_eq!(asked.cube.unwrap().decision, deep.decision);
        assert_eq!(wide.chances, asked.chances);
    }

    #[test]
    fn who_answers_a_double_has_what_the_doubler_lacks() {
        let engine = Engine::embedded();
        // The player of the turn is ahead, so it matters who rolls.
        let position = opening_turn(&[]).before.state.position;
        for ply in 0..=1 {
            let mut asked = MatchTurn::alone(GameState::money(position));
            let doubler = review(&engine, &asked, ply, &no).unwrap().chances.unwrap();
            asked.before.state.position = position.flipped();
            asked.before.state.doubled = true;
            let answers = review(&engine, &asked, ply, &no).unwrap().chances.unwrap();
            assert!((doubler.win + answers.win - 1.0).abs() < 1e-6);
            assert!((doubler.win_gammon - answers.lose_gammon).abs() < 1e-6);
            assert!(doubler.win > 0.5, "the one on roll is ahead");
        }
    }

    #[test]
    fn the_standard_review_goes_on_only_where_it_is_close() {
        let turn = opening_turn(&[(24, 18), (18, 17)]);
        let opening = Position::opening();
        let mut one = review(&Engine::embedded(), &turn, 0, &no).unwrap();
        one.error = Some(0.1);
        assert_eq!(one.next_ply(&opening, 0, STANDARD_PLY), Some(1));
        assert_eq!(one.next_ply(&opening, STANDARD_PLY, STANDARD_PLY), None);
        one.error = Some(0.0);
        one.candidates[1].equity = one.candidates[0].equity - 2.0 * CLOSE_WITHIN;
        assert_eq!(one.next_ply(&opening, 0, STANDARD_PLY), None);
    }

    #[test]
    fn a_play_that_is_not_legal_has_no_error() {
        let turn = opening_turn(&[(24, 18), (13, 11)]);
        let review = review(&Engine::embedded(), &turn, 0, &no).unwrap();
        assert_eq!((review.played, review.error), (None, None));
    }

    #[test]
    fn marks_and_figures() {
        let lines = Thresholds::default();
        let marks = [0.0, 0.0194, 0.02, 0.04, 0.08].map(|e| Mark::of(e, &lines));
        use Mark::{Blunder, Doubtful, Error, Fine};
        assert_eq!(marks, [Fine, Fine, Doubtful, Error, Blunder]);
        let turn = opening_turn(&[(8, 5), (6, 5)]);
        let one = review(&Engine::embedded(), &turn, 0, &no).unwrap();
        let figures = figures(&one);
        assert_eq!((figures.decisions, figures.unforced), (1, 1));
        assert_eq!(figures.error_total, f64::from(one.error.unwrap()));
    }

    #[test]
    fn cube_actions_share_the_number_of_the_move() {
        let event = |player, action| Event {
            player,
            action,
            line: 0,
        };
        let roll = Roll::new(3, 1).unwrap();
        let play = Action::Move {
            roll,
            play: Play::NONE,
        };
        let record = Match {
            games: vec![Game {
                events: vec![
                    event(Player::Left, play),
                    event(Player::Right, Action::Double { to: 2 }),
                    event(Player::Left, Action::Take),
                    event(Player::Right, play),
                    event(Player::Left, play),
                ],
                ..Game::default()
            }],
            ..Match::default()
        };
        let turns = turns(&record);
        let numbers: Vec<u32> = turns.iter().map(|t| t.number).collect();
        assert_eq!(numbers, [1, 2, 2, 2, 3]);
        assert!(!turns[4].is_opening_roll());
        assert!(turns[0].is_opening_roll());
    }
}
