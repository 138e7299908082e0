//! Measures the value of the net's parts: fresh nets, each without one part, learn the same labels and are tested on
//! labels of later games.

use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::eval::kinds::Sharing;
use crate::eval::simd::{HIDDEN, OUTCOMES};
use crate::train::learn::TrainingExample;
use crate::train::play::RoundSamples;
use crate::train::sample::Sample;
use crate::train::session::WEIGHTS;
use crate::train::weights::{Weights, rows_seen};
use crate::train::{InputMask, Learner};

/// Samples per step.
const BATCH: usize = 2048;
/// Initial learning rate, and the share of it at the end.
const RATE: (f32, f32) = (2e-3, 0.01);
/// Seed of the initial weights and the order of the samples, equal for all nets.
const SEED: u64 = 1;

/// A net to test.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// Name of the missing or additional part.
    pub name: &'static str,
    pub input_mask: InputMask,
    /// Whether kinds of position have their own rows.
    pub divided: bool,
    /// Units of a layer between the first and the outputs, if any.
    pub middle: Option<usize>,
}

/// The nets to test; the first has the architecture of the embedded net.
pub fn variants() -> Vec<Variant> {
    let whole = Variant {
        name: "as embedded",
        input_mask: InputMask::default(),
        divided: true,
        middle: None,
    };
    let one = Variant {
        name: "one first layer for all kinds",
        divided: false,
        ..whole
    };
    let seeing = |name, change: fn(&mut InputMask)| {
        let mut variant = Variant { name, ..one };
        change(&mut variant.input_mask);
        variant
    };
    vec![
        whole,
        one,
        seeing("one, and a single head", |s| s.heads = false),
        seeing("one, without what lies ahead", |s| s.patterns[0] = false),
        seeing("one, without shots", |s| s.patterns[1] = false),
        seeing("one, without home boards", |s| s.patterns[2] = false),
        seeing("one, checkers only", |s| s.patterns = [false; 3]),
        seeing("one, half as wide", |s| s.units = HIDDEN / 2),
        Variant {
            name: "one, and a middle layer of 32",
            middle: Some(32),
            ..one
        },
    ]
}

/// Result of a training.
#[derive(Clone, Copy, Debug)]
pub struct InputFit {
    /// Mean cross-entropy on held-out samples.
    pub loss: f64,
    /// Root mean square error of the equity on them, in points.
    pub rms: f64,
    /// The same error on an equal number of learned samples, in points.
    pub learnt_rms: f64,
}

/// Trains a fresh net on `learnt`, showing each sample `passes` times on average, and tests it on `later`.
pub fn fit(variant: &Variant, learnt: &[RoundSamples], later: &[Sample], passes: u64) -> InputFit {
    let outputs: Vec<usize> = variant.middle.into_iter().chain([OUTCOMES]).collect();
    let weights = Weights::random(Sample::HEADS, &outputs, SEED);
    let mut learner = Learner::new(weights).seeing(variant.input_mask);
    let samples: Vec<&Sample> = learnt.iter().flat_map(|h| &h.samples).collect();
    if variant.divided {
        let seen = rows_seen(samples.iter().map(|s| s.board()));
        learner.divide(&Arc::new(Sharing::by_use(&seen, WEIGHTS)));
    }
    let steps = (passes as usize * samples.len()).div_ceil(BATCH);
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let mut batch = Vec::with_capacity(BATCH);
    for step in 0..steps {
        batch.clear();
        batch.extend((0..BATCH).map(|_| samples[rng.random_range(0..samples.len())]));
        let rate = RATE.0 * RATE.1.powf(step as f32 / steps as f32);
        learner.step(&batch, rate);
    }
    let seen: Vec<Sample> = samples.iter().take(later.len()).map(|&&s| s).collect();
    let (loss, rms) = errors(&mut learner, later);
    InputFit {
        loss,
        rms,
        learnt_rms: errors(&mut learner, &seen).1,
    }
}

/// Returns mean cross-entropy and root mean square error of the equity.
fn errors(learner: &mut Learner, samples: &[Sample]) -> (f64, f64) {
    let (mut loss, mut squares) = (0.0, 0.0);
    learner.examine(samples, |sample: &Sample, outputs| {
        let (entropy, off) = sample.compare(outputs);
        loss += f64::from(entropy);
        squares += f64::from(off).powi(2);
    });
    let n = samples.len().max(1) as f64;
    (loss / n, (squares / n).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Position;
    use crate::train::sample::Outcomes;

    /// All variants can learn what every variant sees.
    #[test]
    fn all_variants_learn() {
        let at = |points: &[(usize, u8)], label: Outcomes| {
            let position = Position::from_points(points, &[(6, 5), (8, 10)]).unwrap();
            Sample::new(&position, &label)
        };
        let won = at(&[(6, 5), (8, 10)], [0.9, 0.0, 0.0, 0.1, 0.0, 0.0]);
        let lost = at(&[(24, 5), (13, 10)], [0.1, 0.0, 0.0, 0.9, 0.0, 0.0]);
        let samples = [won, lost];
        let round = [RoundSamples {
            samples: samples.to_vec(),
            luck: Vec::new(),
        }];
        for variant in variants() {
            let fit = fit(&variant, &round, &samples, 60 * BATCH as u64 / 2);
            // An untrained net has an error of 0.8.
            assert!(fit.rms < 0.6, "{variant:?} {fit:?}");
            assert_eq!(fit.rms, fit.learnt_rms);
        }
    }
}
