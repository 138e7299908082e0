//! The example of Montgomery's article: Blue, on roll, has four checkers on his ace point, White
//! one on her six point. Blue wins at once with doubles (1/6); otherwise he wins if White fails
//! to bear off (1/4): 37.5%.
//!
//! Blue stands on roll here, so the candidate, whose player has just made a play, is White's; results
//! are flipped to Blue's side.

use std::sync::Arc;

use super::evaluators::{Backwards, Exact};
use super::single::play_trial;
use super::{bearoff, roll_out, settings, setup, source};
use crate::eval::{Evaluator, Probabilities};
use crate::game::roll::DISTINCT;
use crate::game::{Position, Roll};
use crate::rollout::{ErrorMethod, LuckKind};
use crate::stats::Moments;

const BLUE_WINS: f64 = 0.375;

fn start() -> Position {
    bearoff(&[(1, 4)], &[(6, 1)])
}

fn exact() -> Exact {
    Exact::of(&[start()])
}

#[test]
fn with_exact_luck_every_single_trial_gives_the_exact_answer() {
    for trial in 0..72 {
        let result = play_trial(&setup(exact()), start(), &settings(72), trial);
        let blue = 1.0 - result.variance_reduced_chances()[0];
        assert!((blue - BLUE_WINS).abs() < 1e-6, "trial {trial}: {blue}");
        assert_eq!(result.chances[0].fract(), 0.0, "the game was played out");
    }
}

#[test]
fn one_trial_of_what_is_known_exactly_has_no_error() {
    let mut evaluator = exact();
    evaluator.says_so = true;
    let evaluator: Arc<dyn Evaluator> = Arc::new(evaluator);
    let result = roll_out(&evaluator, &[start()], &settings(1), 1);
    let blue = result.candidates[0].flipped();
    assert_eq!(blue.trials, 1);
    assert_eq!(blue.error_method, ErrorMethod::Exact);
    assert_eq!(blue.probabilities[0].mean, BLUE_WINS);
    assert_eq!(blue.probabilities[0].se, 0.0);
    assert_eq!(blue.probabilities[0].ci95, [BLUE_WINS; 2]);
    assert_eq!(blue.equity.mean, 2.0 * BLUE_WINS - 1.0);
    assert_eq!(blue.equity.se, 0.0);
}

#[test]
fn without_saying_so_it_is_found_to_have_none() {
    let evaluator: Arc<dyn Evaluator> = Arc::new(exact());
    let result = roll_out(&evaluator, &[start()], &settings(360), 2);
    let blue = result.candidates[0].flipped();
    assert!((blue.probabilities[0].mean - BLUE_WINS).abs() < 1e-6);
    assert!(blue.probabilities[0].se < 1e-7 && blue.plain.se > 0.01);
    let one = roll_out(&evaluator, &[start()], &settings(1), 2);
    assert_eq!(
        one.candidates[0].equity.se,
        f64::INFINITY,
        "one trial shows no spread, so it cannot tell its error"
    );
}

/// A table of what each outcome of a turn is called to be worth to Blue.
struct Table {
    /// Blue's doubles and his other rolls.
    first: [f32; 2],
    /// White fails, and White bears off.
    second: [f32; 2],
}

impl Table {
    /// Returns the assumed value of each roll of `position` to the player on roll.
    fn values(&self, position: &Position) -> [Probabilities; DISTINCT] {
        let blue_rolls = position.mover.at(1) == 4;
        let white_rolls = position.mover.at(6) == 1;
        Roll::ALL.map(|roll| {
            let bears_off = roll.pips() >= 6 || roll.high() == 6;
            let win = match (blue_rolls, white_rolls) {
                (true, _) => self.first[usize::from(!roll.is_double())],
                (_, true) => -self.second[usize::from(bears_off)],
                // White has failed: whatever Blue rolls, he bears off his last two.
                _ => 0.0,
            };
            Probabilities {
                win,
                ..Probabilities::default()
            }
        })
    }
}

/// Plays as [`Exact`], with a made-up table in the place of a luck net.
struct WithTable {
    plays: Exact,
    table: Table,
}

impl Evaluator for WithTable {
    fn name(&self) -> &str {
        "table"
    }

    fn probabilities(&self, positions: &[Position], out: &mut [Probabilities]) {
        self.plays.probabilities(positions, out);
    }

    fn equities_after(&self, before: &Position, results: &[Position], out: &mut [f32]) {
        self.plays.equities_after(before, results, out);
    }

    fn exact(&self, position: &Position) -> Option<Probabilities> {
        self.plays.exact(position)
    }

    fn roll_values(&self, position: &Position, out: &mut [Probabilities; DISTINCT]) -> bool {
        *out = self.table.values(position);
        true
    }
}

/// Blue's result in 100 000 trials: moments of the plain and of the variance-reduced one.
fn blue(evaluator: impl Evaluator + 'static, luck: LuckKind) -> [Moments; 2] {
    let setup = setup(evaluator);
    let mut settings = settings(100_000);
    settings.dice_source = source(false);
    settings.luck = luck;
    let mut moments = [Moments::default(); 2];
    for trial in 0..100_000 {
        let result = play_trial(&setup, start(), &settings, trial);
        moments[0].push(1.0 - result.chances[0]);
        moments[1].push(1.0 - result.variance_reduced_chances()[0]);
    }
    moments
}

/// The same with luck by the table.
fn blue_by(table: Table) -> [Moments; 2] {
    let plays = exact();
    blue(WithTable { plays, table }, LuckKind::Net)
}

fn check(moments: [Moments; 2], expected_ratio: f64) {
    for m in moments {
        let distance = (m.mean() - BLUE_WINS).abs();
        assert!(distance < 4.0 * m.standard_error(), "{m:?}");
    }
    let ratio = moments[0].variance() / moments[1].variance();
    assert!((ratio / expected_ratio - 1.0).abs() < 0.03, "{ratio}");
}

/// +50/-10 and +45/-15, as printed. Both pairs average zero as they stand (50/6 - 10·5/6 and
/// 45/4 - 15·3/4), so taking the mean off, as the program does with any table, changes nothing.
/// Results of 50, 65 and 25% with chances 4/24, 5/24 and 15/24 have the variance 281.25 against
/// 2343.75 of the plain ones: 8 1/3 times fewer trials ("eight times as many games").
#[test]
fn the_made_up_table_is_worth_eight_times_the_trials() {
    let table = Table {
        first: [0.50, -0.10],
        second: [0.45, -0.15],
    };
    for position in [start(), bearoff(&[(6, 1)], &[(1, 2)])] {
        let mean: f32 = Roll::ALL
            .iter()
            .zip(table.values(&position))
            .map(|(r, v)| r.weight() as f32 * v.win / 36.0)
            .sum();
        assert!(mean.abs() < 1e-6, "{mean}");
    }
    check(blue_by(table), 2343.75 / 281.25);
}

/// A table that does not average zero does no harm either: its mean comes off.
#[test]
fn a_table_with_a_mean_is_centred() {
    let shifted = Table {
        first: [0.80, 0.20],
        second: [0.45, -0.15],
    };
    check(blue_by(shifted), 2343.75 / 281.25);
}

/// -62.5/+12.5 and -75/+25: results of 162.5 and -37.5%, variance 9375: four times as many trials.
#[test]
fn the_backwards_table_costs_four_times_the_trials() {
    let table = Table {
        first: [-0.625, 0.125],
        second: [-0.75, 0.25],
    };
    check(blue_by(table), 0.25);
}

/// The same by an evaluator that takes every win for a loss: luck by lookahead from it is exactly that
/// table, and still the mean is right.
#[test]
fn so_does_an_evaluator_that_has_everything_backwards() {
    let luck = LuckKind::Lookahead(None);
    check(blue(Backwards(exact()), luck), 0.25);
}
