//! The signature of the program's results: changes exactly if they do.
//!
//! A CRC-32 over the plays of every roll of the bench positions, their values, deeper values of some, cube values of
//! all (for money and at a score), and a short rollout of a pair. It does not depend on threads or speed.

use std::sync::Arc;

use anyhow::Result;

use crate::cube::{Cube, Model};
use crate::eval::lookahead;
use crate::eval::{CandidateFilter, Evaluator, Probabilities};
use crate::game::{CubeOwner, GameState, MatchScore, PlayList, Position, Roll, Rules};
use crate::rollout::{Coupling, Estimate, Rollout, Settings, StopRules};

/// Every sixth position is evaluated more deeply.
const DEEPER: usize = 6;
const TRIALS: u64 = 18;

struct Digest(crc32fast::Hasher);

impl Digest {
    fn position(&mut self, position: &Position) {
        for side in [&position.mover, &position.opponent] {
            let counts: [u8; 26] = std::array::from_fn(|i| side.at(i));
            self.0.update(&counts);
        }
    }

    fn single(&mut self, value: f32) {
        self.0.update(&value.to_bits().to_le_bytes());
    }

    fn double(&mut self, value: f64) {
        self.0.update(&value.to_bits().to_le_bytes());
    }
}

/// Returns the signature as eight hexadecimal digits.
pub(super) fn signature(engine: &Arc<dyn Evaluator>, positions: &[Position]) -> Result<String> {
    let mut digest = Digest(crc32fast::Hasher::new());
    let mut list = PlayList::new();
    let mut equities = Vec::new();
    for position in positions {
        let chances = engine.probabilities_of(position);
        chances
            .to_array()
            .into_iter()
            .for_each(|p| digest.single(p));
        cubes(position, &chances, &mut digest);
        for roll in Roll::ALL {
            list.generate(position, roll);
            list.results().iter().for_each(|r| digest.position(r));
            equities.clear();
            equities.resize(list.len(), 0.0);
            engine.equities_after(position, list.results(), &mut equities);
            equities.iter().for_each(|&e| digest.single(e));
        }
    }
    let last = Position::from_points(&[(18, 1)], &[(25, 1)])?;
    digest.single(engine.probabilities_of(&last).win);
    for (i, position) in positions.iter().enumerate().step_by(DEEPER) {
        let roll = Roll::ALL[i % Roll::ALL.len()];
        let filter = CandidateFilter::default();
        let all = lookahead::candidates(&**engine, position, roll, 1, filter, &|| false);
        for candidate in all.expect("nothing cancels") {
            digest.position(&candidate.result);
            digest.single(candidate.equity);
        }
    }
    if let Some(position) = positions.first() {
        list.generate(position, Roll::ALL[4]);
        let pair: Vec<Position> = list.results().iter().take(2).copied().collect();
        roll_out(engine, pair, &mut digest)?;
    }
    Ok(format!("{:08x}", digest.0.finalize()))
}

/// Adds the values of the three cube states, for money (also with the Jacoby rule), at 5-away 3-away, and for both
/// players after the Crawford game.
fn cubes(position: &Position, chances: &Probabilities, digest: &mut Digest) {
    let at_score = |mover, opponent| MatchScore {
        length: 7,
        mover,
        opponent,
        crawford: false,
    };
    let scores = [(2, 4), (3, 6), (6, 3)].map(|(mover, opponent)| at_score(mover, opponent));
    let money = [false, true].map(|jacoby| (MatchScore::MONEY, jacoby));
    for (score, jacoby) in money.into_iter().chain(scores.map(|score| (score, false))) {
        for owner in [CubeOwner::Centred, CubeOwner::Mover, CubeOwner::Opponent] {
            let state = GameState {
                score,
                owner,
                rules: Rules {
                    jacoby,
                    ..Rules::default()
                },
                ..GameState::money(*position)
            };
            let model = Model::standard();
            let (context, cube) = (model.context(&state), Cube::of(&state));
            let values = model.values(&context, cube, position, chances);
            digest.single(values.no_double);
            values
                .double_take
                .into_iter()
                .for_each(|v| digest.single(v));
        }
    }
}

fn roll_out(
    engine: &Arc<dyn Evaluator>,
    candidates: Vec<Position>,
    digest: &mut Digest,
) -> Result<()> {
    let settings = Settings {
        coupling: if candidates.len() == 2 {
            Coupling::Rank
        } else {
            Coupling::Dice
        },
        stop: StopRules {
            trials: TRIALS,
            ..StopRules::default()
        },
        ..Settings::default()
    };
    let result = Rollout::start(Arc::clone(engine), candidates, settings, 0, None)?.join();
    let mut estimate = |e: &Estimate| {
        digest.double(e.mean);
        digest.double(e.se);
    };
    for candidate in &result.candidates {
        estimate(&candidate.equity);
        estimate(&candidate.plain);
        candidate.probabilities.iter().for_each(&mut estimate);
    }
    if let Some(difference) = &result.difference {
        estimate(&difference.equity);
        digest.double(difference.correlation);
    }
    Ok(())
}
