//! What performance rating a player has who errs at random at some temperature
//! ([`RatedPlayer`]): matches between two of them, reviewed.

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::cube::Model;
use crate::eval::Evaluator;
use crate::game::{Player, Roll, Rules};
use crate::match_file::variations::{is_first_roll, may_double};
use crate::match_file::{Action, DecisionState, Match, NodeId, Variations};
use crate::review::figures::Rate;
use crate::review::rated_player::{RatedPlayer, options};
use crate::review::report::build::build;
use crate::review::report::context::ReportContext;
use crate::review::{MatchTurn, Thresholds, analyse_match, review};

/// Plies of lookahead of the players and of the review.
const PLY: u8 = 1;

/// Plays and reviews so many matches of two players of this temperature: of each the points given away in decisions
/// that count for PR, and how many those are.
pub fn matches(
    evaluator: &(dyn Evaluator + Sync),
    temperature: f64,
    length: u16,
    count: u64,
    seed: u64,
) -> Vec<Rate> {
    let player = RatedPlayer::with_temperature(temperature);
    let one = |number: u64| {
        let mut chance = ChaCha8Rng::seed_from_u64(seed);
        chance.set_stream(number);
        let record = play(evaluator, [player; 2], PLY, length, &mut chance);
        let turns = analyse_match(evaluator, Model::standard(), &record, PLY, &|| false);
        let mut counted = Rate::default();
        for turn in turns.into_iter().flatten() {
            let costs = turn.review.decision_costs().filter(|cost| cost.in_pr);
            costs.for_each(|cost| counted.add(f64::from(cost.error)));
        }
        counted
    };
    (0..count).into_par_iter().map(one).collect()
}

/// A match as its review tells it to the player on the left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LuckAdjusted {
    /// Games of the match.
    pub games: usize,
    /// 1 if it was won.
    pub result: f64,
    /// The same with the luck subtracted.
    pub adjusted: f64,
    /// Its standard error.
    pub se: Option<f64>,
    /// The 95% interval of the chance to win it.
    pub ci95: Option<[f64; 2]>,
}

/// Plays and reviews so many matches of two players of these temperatures, all at 0-ply, as luck is measured.
pub fn luck_adjusted(
    evaluator: &(dyn Evaluator + Sync),
    temperatures: [f64; 2],
    length: u16,
    count: u64,
    seed: u64,
) -> Vec<LuckAdjusted> {
    let players = temperatures.map(RatedPlayer::with_temperature);
    let model = Model::standard();
    let context = ReportContext {
        engine: evaluator.name(),
        model,
        ply: 0,
        thresholds: Thresholds::default(),
        rollouts: None,
    };
    let one = |number: u64| {
        let mut chance = ChaCha8Rng::seed_from_u64(seed);
        chance.set_stream(number);
        let record = play(evaluator, players, 0, length, &mut chance);
        let turns = analyse_match(evaluator, model, &record, 0, &|| false)?;
        let report = build(&record, &turns, &context);
        let left = &report.players[0];
        Some(LuckAdjusted {
            games: record.games.len(),
            result: left.result,
            adjusted: left.luck_adjusted_result,
            se: left.luck_adjusted_se,
            ci95: left.luck_adjusted_ci95,
        })
    };
    (0..count).into_par_iter().filter_map(one).collect()
}

fn play(
    evaluator: &dyn Evaluator,
    players: [RatedPlayer; 2],
    ply: u8,
    length: u16,
    chance: &mut ChaCha8Rng,
) -> Match {
    let mut record = Match::to_be_played(length, Match::UNNAMED.map(Into::into), Rules::default());
    while let Some(game) = record.games.last() {
        let starter = match chance.random() {
            true => Player::Left,
            false => Player::Right,
        };
        let mut tree = Variations::at(record.first_decision(game, starter));
        let mut line: Vec<NodeId> = Vec::new();
        while let Some(before) = tree.after(line.last().copied()) {
            let action = decide(
                evaluator,
                players[before.player.index()],
                ply,
                before,
                chance,
            );
            match tree.add(line.last().copied(), action) {
                Ok(node) => line.push(node),
                // A game without an end.
                Err(_) => return record,
            }
        }
        record.record_line(&tree, &line);
        match record.next_game() {
            Some(next) => record.games.push(next),
            None => break,
        }
    }
    record
}

/// What the player does, with the roll if there is one.
fn decide(
    evaluator: &dyn Evaluator,
    player: RatedPlayer,
    ply: u8,
    mut before: DecisionState,
    chance: &mut ChaCha8Rng,
) -> Action {
    if before.state.doubled || may_double(&before) {
        let chosen = choose(evaluator, player, ply, before, chance);
        if let Some(action) = chosen {
            return action;
        }
    }
    let roll = loop {
        let roll = Roll::ordered(chance.random_range(0..36));
        if !(is_first_roll(&before) && roll.is_double()) {
            break roll;
        }
    };
    before.state.roll = Some(roll);
    let chosen = choose(evaluator, player, ply, before, chance);
    chosen.unwrap_or(Action::Hidden { roll })
}

fn choose(
    evaluator: &dyn Evaluator,
    player: RatedPlayer,
    ply: u8,
    before: DecisionState,
    chance: &mut ChaCha8Rng,
) -> Option<Action> {
    let look = review(evaluator, &MatchTurn::alone(before.state), ply, &|| false)?;
    let all = options(&look, &before.state);
    player.choose(&all, chance.random())?.action
}

/// The rating of some matches of this length, and its standard error: matches are drawn, not decisions.
pub fn rating(all: &[Rate], length: u16) -> Option<(f64, f64)> {
    let factor = crate::review::figures::pr_factor(length);
    let decisions: f64 = all.iter().map(|one| f64::from(one.decisions)).sum();
    let error: f64 = all.iter().map(|one| one.error).sum();
    if decisions == 0.0 || all.len() < 2 {
        return None;
    }
    let mean = error / decisions;
    // The error of a ratio of two sums.
    let squares = all.iter().map(|one| {
        let rest = one.error - mean * f64::from(one.decisions);
        rest * rest
    });
    let n = all.len() as f64;
    let standard_error = (squares.sum::<f64>() * n / (n - 1.0)).sqrt() / decisions;
    Some((factor * mean, factor * standard_error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Engine;

    #[test]
    fn the_best_player_hardly_errs_and_a_hot_one_does() {
        let engine = Engine::embedded();
        let rated = |temperature| {
            let all = matches(&engine, temperature, 1, 3, 7);
            rating(&all, 1).unwrap().0
        };
        let (best, weak) = (rated(0.0), rated(0.1));
        // What one decision sees at 1-ply and another does not is all that the first gives away.
        assert!(best < 0.5 && weak > 3.0, "{best} {weak}");
    }
}
