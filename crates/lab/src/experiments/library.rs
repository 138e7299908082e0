//! Generates a library of any size: matches that the program has played with human errors, and copies with different
//! errors.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::sample_matches::{self, SAMPLES, SampleSpec};
use crate::cube::CubeChoice;
use crate::eval::{Evaluator, Probabilities};
use crate::library::{Answer, Decision, MatchHead, PackedDecision};
use crate::match_file::{Action, Match};
use crate::review::{Class, PositionType, turns};

const LENGTH: u16 = 7;

/// Plays a match between two of the sample players; each number gives another match.
pub fn play(evaluator: &dyn Evaluator, number: u64) -> Match {
    // Anna and Ben, Clara and Dev.
    let [anna, ben] = SAMPLES[0].players;
    let [clara, dev] = SAMPLES[1].players;
    let pairs = [
        [anna, ben],
        [clara, dev],
        [ben, anna],
        [anna, dev],
        [ben, dev],
        [clara, ben],
    ];
    let spec = SampleSpec {
        players: pairs[(number % pairs.len() as u64) as usize],
        length: LENGTH,
        seed: 1000 + number,
        ..SAMPLES[0]
    };
    sample_matches::play(evaluator, &spec)
}

/// Returns the decisions of a match with random figures.
pub fn decisions(record: &Match, seed: u64) -> Vec<PackedDecision> {
    let mut stream = ChaCha8Rng::seed_from_u64(seed);
    let all = turns(record);
    let all = all.iter().enumerate().filter_map(|(index, turn)| {
        let state = turn.before.state;
        let (class, played) = match turn.action? {
            Action::Move { play, .. } => (Class::Checker, Answer::Play(play)),
            Action::Double { .. } => (Class::Double, Answer::Cube(CubeChoice::Double)),
            Action::Take => (Class::Take, Answer::Cube(CubeChoice::Take)),
            Action::Pass => (Class::Take, Answer::Cube(CubeChoice::Pass)),
            _ => return None,
        };
        // Two in three are right; the others lose 0.04 points on average.
        let error = match stream.random_range(0..3) {
            0 => -0.04 * stream.random::<f32>().max(1e-6).ln(),
            _ => 0.0,
        };
        let win = stream.random::<f32>();
        Some(PackedDecision::from(&Decision {
            game: turn.game as u32,
            event: turn.before.event as u32,
            turn: index as u32,
            number: turn.number,
            player: turn.before.player,
            class,
            kind: PositionType::of(&state.position),
            state,
            played,
            best: played,
            error,
            loss: error / 10.0,
            equity: 2.0 * win - 1.0,
            chances: Probabilities {
                win,
                win_gammon: 0.3 * win,
                win_backgammon: 0.01 * win,
                lose_gammon: 0.3 * (1.0 - win),
                lose_backgammon: 0.01 * (1.0 - win),
            },
            luck: 0.0,
            ply: 2,
            rolled: false,
            in_pr: true,
            silent: false,
        }))
    });
    all.collect()
}

/// Returns the head of the match with this number.
pub fn head(record: &Match, number: u64) -> MatchHead {
    let day = number % 3650;
    MatchHead {
        players: record.players.clone(),
        date: format!(
            "{}-{:02}-{:02}",
            2015 + day / 365,
            1 + day / 31 % 12,
            1 + day % 28
        ),
        event: record
            .tags
            .iter()
            .find(|t| t.0 == "Event")
            .map(|t| t.1.clone()),
        length: record.length,
        complete: true,
        games: record.games.len() as u32,
        turns: record.games.iter().map(|g| g.events.len() as u32).sum(),
        pr: [Some(6.0), Some(8.0)],
        engine: "made up".to_owned(),
        ply: 2,
        ..MatchHead::default()
    }
}
