//! Measures the performance rating of players who err at random at some temperature ([`RatedPlayer`]), from reviewed
//! matches between two of them.

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

/// Search depth of the players and the review.
const PLY: u8 = 1;

/// Plays and reviews `count` matches of two players of this temperature. Returns for each the total error and the
/// number of decisions that count for PR.
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

/// A reviewed match, seen by the left player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LuckAdjusted {
    /// Number of games.
    pub games: usize,
    /// 1 for a win, otherwise 0.
    pub result: f64,
    /// The result with luck subtracted.
    pub adjusted: f64,
    /// Standard error of the adjusted result.
    pub se: Option<f64>,
    /// The 95% interval of the chance to win.
    pub ci95: Option<[f64; 2]>,
}

/// Plays and reviews `count` matches of players with these temperatures, all at 0-ply, the depth at which luck is
/// measured.
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
                // An endless game.
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

/// Chooses the player's action, with the roll if there is one.
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

/// Returns the rating over matches of this length and its standard error, with matches as sampling units.
pub fn rating(all: &[Rate], length: u16) -> Option<(f64, f64)> {
    let factor = crate::review::figures::pr_factor(length);
    let decisions: f64 = all.iter().map(|one| f64::from(one.decisions)).sum();
    let error: f64 = all.iter().map(|one| one.error).sum();
    if decisions == 0.0 || all.len() < 2 {
        return None;
    }
    let mean = error / decisions;
    // Standard error of a ratio of two sums.
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
        // The best player loses only where its decision and the review differ at 1-ply.
        assert!(best < 0.5 && weak > 3.0, "{best} {weak}");
    }
}
