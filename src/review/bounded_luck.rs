//! Results of recorded matches after subtracting the luck within a bound, as in a duel.
//!
//! A match that was played to its end is one result. Before each roll the luck of all rolls that could fall is
//! scaled, so that the sum stays within the bound whichever falls ([`LuckSum`]). So results less luck lie within
//! bounds that are known beforehand, whatever the evaluation, and intervals hold that rest on bounds alone.

use rayon::prelude::*;

use super::{MatchTurn, turns};
use crate::analysis::roll_luck::values_after_rolls;
use crate::cube::Model;
use crate::duel::ContestRecord;
use crate::duel::luck::{LuckSum, weighted};
use crate::eval::Evaluator;
use crate::game::{Player, Roll};
use crate::match_file::model::score_after;
use crate::match_file::{Action, Game, Match};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LuckBounds {
    /// In a match, as a chance to win it.
    pub mwc: f64,
    /// In a money game, in points.
    pub points: f64,
}

/// The results of a record for the left player: one of a match, as a chance to win it less one half; of a
/// session one for each game, in points. Matches that began before the record or are not played to their end,
/// and games without a result or of which a part is missing, have none. `None` if `cancelled` answered true on the way.
pub fn contests(
    evaluator: &dyn Evaluator,
    model: &Model,
    record: &Match,
    bounds: LuckBounds,
    cancelled: &(dyn Fn() -> bool + Sync),
) -> Option<Vec<ContestRecord>> {
    let is_match = record.length > 0;
    if is_match && !is_whole(record) {
        return Some(Vec::new());
    }
    let turns = turns(record);
    let rolls: Option<Vec<Option<RollValues>>> = turns
        .par_iter()
        .map(|turn| (!cancelled()).then(|| RollValues::new(evaluator, model, turn)))
        .collect();
    let mut found = Vec::new();
    let mut sum = LuckSum::default();
    let mut contest = ContestRecord::default();
    let mut all = turns.iter().zip(rolls?).peekable();
    for (index, game) in record.games.iter().enumerate() {
        let bound = if is_match { bounds.mwc } else { bounds.points };
        while let Some((turn, values)) = all.next_if(|(turn, _)| turn.game == index) {
            contest.plays += u32::from(matches!(turn.action, Some(Action::Move { .. })));
            if let Some(values) = values.filter(|_| game.result.is_some()) {
                sum.add(values.fallen, &values.all, bound);
            }
        }
        contest.games += 1;
        let sign = |winner: Player| if winner == Player::Left { 1.0 } else { -1.0 };
        let result = game.result.map(|won| match is_match {
            true => 0.5 * sign(won.winner),
            false => f64::from(won.points) * sign(won.winner),
        });
        if is_match && index + 1 < record.games.len() {
            continue;
        }
        if let Some(result) = result.filter(|_| is_match || !game.is_cut) {
            (contest.result, contest.luck, contest.bounded) = (result, sum.plain, sum.bounded);
            found.push(contest);
        }
        (sum, contest) = (LuckSum::default(), ContestRecord::default());
    }
    Some(found)
}

/// Returns whether a match begins at 0–0, was played to its end, and has all its games.
/// Each game begins at the score that the previous one led to.
fn is_whole(record: &Match) -> bool {
    let [left, right] = record.final_score();
    let length = u32::from(record.length);
    let begins = |game: &Game| game.score == [0; 2];
    let follows = |pair: &[Game]| {
        pair[0].result.is_some() && score_after(pair[0].score, pair[0].result) == pair[1].score
    };
    let is_cut = |game: &Game| game.is_cut;
    !record.games.iter().any(is_cut)
        && record.games.first().is_some_and(begins)
        && record.games.windows(2).all(follows)
        && left.max(right) >= length
}

/// The value to the left player of each possible roll with its weight, and of the roll that fell.
struct RollValues {
    fallen: f64,
    all: Vec<(f64, f64)>,
}

impl RollValues {
    fn new(evaluator: &dyn Evaluator, model: &Model, turn: &MatchTurn) -> Option<Self> {
        let state = &turn.before.state;
        let roll = state.roll?;
        if state.position.is_over() {
            return None;
        }
        let context = model.context(state);
        let seen = |value: f32| match turn.before.player {
            Player::Left => f64::from(value),
            Player::Right => f64::from(context.flip(value)),
        };
        let own = values_after_rolls(evaluator, model, state);
        let fallen = seen(own[roll.index()]);
        let all = weighted(&own.map(seen));
        if !turn.says_who_begins() {
            let all = all.to_vec();
            return Some(Self { fallen, all });
        }
        // Which player begins is luck too.
        let theirs = values_after_rolls(evaluator, model, &state.if_other_began());
        let theirs = weighted(&theirs.map(|value| seen(context.flip(value))));
        let can_fall = |one: &(Roll, (f64, f64))| !one.0.is_double();
        let both = [all, theirs]
            .into_iter()
            .flat_map(|all| Roll::ALL.into_iter().zip(all));
        let all = both.filter(can_fall).map(|one| one.1).collect();
        Some(Self { fallen, all })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::RollRank;
    use crate::eval::Engine;
    use crate::match_file;
    use crate::review::luck::luck;

    const MATCH: &str = include_str!("../../tests/fixtures/mat/three_points.mat");

    /// The match, as long as its one game makes it, or longer.
    fn record(length: u16) -> Match {
        let mut record = match_file::read_bytes(MATCH.as_bytes(), "x").unwrap();
        record.length = length;
        record
    }

    fn of(record: &Match, mwc: f64) -> Vec<ContestRecord> {
        let bounds = LuckBounds { mwc, points: 24.0 };
        let (engine, model) = (Engine::embedded(), Model::default());
        contests(&engine, &model, record, bounds, &|| false).unwrap()
    }

    /// Left's luck in a match, as a review has it.
    fn reviewed(record: &Match) -> f64 {
        let (engine, model) = (Engine::embedded(), Model::default());
        let lucks = turns(record).into_iter().filter_map(|turn| {
            let value = f64::from(luck(&engine, &model, &turn)?.unnormalised);
            Some(match turn.before.player {
                Player::Left => value,
                Player::Right => -value,
            })
        });
        lucks.sum()
    }

    /// A double that a file has as the first roll came as any roll does: in the review, here, and where one asks why.
    #[test]
    fn a_double_as_the_first_roll_came_as_any_does() {
        let text = " 0 point match\n\n Game 1\n Ann : 0   Ben : 0\n  1) 66: 24/18 24/18 13/7 13/7\n      Wins 1 point\n";
        let record = match_file::read_bytes(text.as_bytes(), "x.mat").unwrap();
        let first = &turns(&record)[0];
        assert!(first.is_opening_roll());
        let (engine, model) = (Engine::embedded(), Model::default());
        let state = first.before.state.before_roll();
        let roll = first.before.state.roll.unwrap();
        let rank = RollRank::new(&engine, &model, &state, roll, true).unwrap();
        let (kept, reviewed) = (of(&record, 0.7)[0].luck, reviewed(&record));
        assert!((reviewed - kept).abs() < 1e-4, "{reviewed} {kept}");
        let why = f64::from(rank.points);
        assert!((reviewed - why).abs() < 1e-4, "{reviewed} {why}");
    }

    #[test]
    fn the_luck_is_that_of_a_review_and_stays_within_its_bound() {
        let record = record(1);
        let found = of(&record, 0.7);
        assert_eq!(found.len(), 1);
        let reviewed = reviewed(&record);
        assert!(
            (found[0].luck - reviewed).abs() < 1e-4,
            "{reviewed} {found:?}"
        );
        assert!(found[0].plays == 3 && found[0].result.abs() == 0.5);
        assert!(of(&record, 0.01)[0].bounded.abs() <= 0.01);
    }

    #[test]
    fn a_match_without_its_end_has_no_result_and_a_session_one_for_each_game() {
        assert!(of(&record(3), 0.7).is_empty());
        // A match whose first games are missing, or whose game was cut, tells of luck that nobody has seen.
        let mut missing = record(2);
        let mut last = missing.games[0].clone();
        last.score = [1, 1];
        missing.games.push(last);
        assert!(of(&missing, 0.7).is_empty());
        let mut cut = record(1);
        cut.games[0].is_cut = true;
        assert!(of(&cut, 0.7).is_empty());
        let session = record(0);
        let won = session.games[0].result.unwrap();
        let found = of(&session, 0.7);
        assert_eq!(found.len(), session.games.len());
        assert_eq!(found[0].result.abs(), f64::from(won.points));
        // Of a game that could not be read whole a part of the luck is unknown.
        let mut cut = session.clone();
        cut.games[0].is_cut = true;
        assert_eq!(of(&cut, 0.7).len(), found.len() - 1);
    }
}
