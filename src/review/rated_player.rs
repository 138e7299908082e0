//! A player of a given performance rating, who errs at random: an option that gives away `cost` points is taken as
//! likely as exp(−cost / temperature). So errors are the rarer the more they cost, as those of people are.
//!
//! The same model is the reference player of the study plan, which fits its temperature to the decisions of a person.

use super::TurnReview;
use crate::cube::CubeChoice;
use crate::eval::Candidate;
use crate::game::GameState;
use crate::match_file::Action;
use crate::stats::portable::exp;

/// The weakest rating that there is a temperature for.
pub const WEAKEST: f64 = 30.0;

/// Ratings and the temperatures, in points, at which two such players have them in 72 matches to 7 points between
/// themselves, at 1-ply: `luckless-lab rated-players --matches 72 --seed 2 --temperatures 0.01,…,0.12`. Standard
/// errors are 0.03 to 0.6. Between the rows a straight line.
const TEMPERATURES: [(f64, f64); 9] = [
    (0.0, 0.0),
    (0.95, 0.01),
    (2.72, 0.02),
    (5.10, 0.03),
    (7.99, 0.04),
    (14.42, 0.06),
    (20.88, 0.08),
    (28.99, 0.10),
    (35.99, 0.12),
];

/// Something that a player can do in a decision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatedOption {
    /// The action; `None` is to roll without a double.
    pub action: Option<Action>,
    /// Loss in points.
    pub cost: f32,
}

/// Returns the options in `state` by an analysis of it, the best first.
pub fn options(look: &TurnReview, state: &GameState) -> Vec<RatedOption> {
    match state.roll {
        Some(roll) => {
            let all = look.candidates.iter().zip(costs(&look.candidates));
            let option = |(one, cost): (&Candidate, f32)| {
                let play = one.play;
                let action = Some(Action::Move { roll, play });
                RatedOption { action, cost }
            };
            all.map(option).collect()
        }
        None => of_cube(look, state),
    }
}

/// Points that each play gives away. Equities of unlike depths do not compare: a play that did not deserve
/// the depth of the best gives away at least as much as those that did.
fn costs(candidates: &[Candidate]) -> impl Iterator<Item = f32> + '_ {
    let mut least = 0.0_f32;
    let best = candidates.first();
    candidates.iter().map(move |one| {
        let Some(best) = best else { return 0.0 };
        let cost = (best.equity - one.equity).max(0.0);
        if one.ply == best.ply {
            least = least.max(cost);
            return cost;
        }
        cost.max(least)
    })
}

fn of_cube(look: &TurnReview, state: &GameState) -> Vec<RatedOption> {
    let Some(decision) = look.cube.map(|cube| cube.decision) else {
        return Vec::new();
    };
    let right = decision.right_choice(state.doubled);
    let all: &[CubeChoice] = match (state.doubled, decision.allows_beavers()) {
        (true, true) => &[CubeChoice::Take, CubeChoice::Pass, CubeChoice::Beaver],
        (true, false) => &[CubeChoice::Take, CubeChoice::Pass],
        (false, _) => &[CubeChoice::NoDouble, CubeChoice::Double],
    };
    let option = |choice: &CubeChoice| RatedOption {
        action: match choice {
            CubeChoice::NoDouble => None,
            CubeChoice::Double => Some(Action::Double { to: 0 }),
            CubeChoice::Take => Some(Action::Take),
            CubeChoice::Pass => Some(Action::Pass),
            CubeChoice::Beaver => Some(Action::Beaver { to: 0 }),
        },
        cost: decision.error(*choice).unwrap_or(f32::MAX),
    };
    let (first, rest): (Vec<_>, Vec<_>) = all.iter().partition(|choice| Some(**choice) == right);
    first.into_iter().chain(rest).map(option).collect()
}

/// How likely an option that gives away `cost` points is taken, compared with one that gives away nothing:
/// exp(−cost / temperature).
pub fn weight(cost: f64, temperature: f64) -> f64 {
    exp(-cost / temperature)
}

/// A player who errs at random: see the [module](self).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatedPlayer {
    temperature: f64,
}

impl RatedPlayer {
    /// A player who never errs, as far as the analysis goes.
    pub const BEST: Self = Self { temperature: 0.0 };

    /// A player of this temperature, in points.
    pub fn with_temperature(temperature: f64) -> Self {
        Self { temperature }
    }

    /// A player of about this performance rating; of [`WEAKEST`] where it is weaker.
    pub fn of_rating(rating: f64) -> Self {
        let rating = rating.clamp(0.0, WEAKEST);
        let between = |row: &[(f64, f64)]| {
            let [(from, low), (to, high)] = *row else {
                return None;
            };
            let part = (rating - from) / (to - from);
            (part <= 1.0).then_some(low + part * (high - low))
        };
        let temperature = TEMPERATURES.windows(2).find_map(between);
        Self::with_temperature(temperature.unwrap_or(0.0))
    }

    /// The option that the player takes; `chance` is a random number from 0 to 1. `None` where there are no
    /// options.
    pub fn choose(self, options: &[RatedOption], chance: f64) -> Option<RatedOption> {
        if self.temperature <= 0.0 {
            return options.first().copied();
        }
        let weight = |option: &RatedOption| weight(f64::from(option.cost), self.temperature);
        let all: f64 = options.iter().map(weight).sum();
        let mut left = chance * all;
        let taken = options.iter().find(|option| {
            left -= weight(option);
            left < 0.0
        });
        taken.or(options.first()).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weaker_player_errs_more_and_the_best_never() {
        let costs = [0.0, 0.03, 0.1, 0.4];
        let options = costs.map(|cost| RatedOption { action: None, cost });
        let lost = |player: RatedPlayer| {
            let chance = |i: u32| (f64::from(i) + 0.5) / 2000.0;
            let taken = (0..2000).filter_map(|i| player.choose(&options, chance(i)));
            taken.map(|option| f64::from(option.cost)).sum::<f64>() / 2000.0
        };
        assert_eq!(lost(RatedPlayer::BEST), 0.0);
        // The mean over the four, each as likely as exp(−cost / temperature).
        for (temperature, mean) in [(0.021, 0.00644), (0.067, 0.02286), (0.195, 0.05301)] {
            let found = lost(RatedPlayer::with_temperature(temperature));
            assert!((found - mean).abs() < 1e-3, "{temperature}: {found}");
        }
        assert_eq!(RatedPlayer::BEST.choose(&[], 0.5), None);
    }

    #[test]
    fn a_play_that_was_not_looked_at_deeply_is_no_better_than_those_that_were() {
        let candidate = |equity, ply| Candidate {
            play: crate::game::Play::default(),
            result: crate::game::Position::opening(),
            probabilities: crate::eval::Probabilities::default(),
            equity,
            ply,
        };
        let all = [(0.2, 2), (0.1, 2), (0.25, 0), (0.12, 0), (-0.3, 0)];
        let all = all.map(|(equity, ply)| candidate(equity, ply));
        let found: Vec<f32> = costs(&all).collect();
        for (found, expected) in found.iter().zip([0.0, 0.1, 0.1, 0.1, 0.5]) {
            assert!((found - expected).abs() < 1e-6, "{found} {expected}");
        }
    }

    #[test]
    fn temperatures_follow_the_table() {
        for (rating, temperature) in TEMPERATURES.into_iter().filter(|row| row.0 < WEAKEST) {
            let found = RatedPlayer::of_rating(rating).temperature;
            assert!((found - temperature).abs() < 1e-9, "{rating}");
        }
        let [(from, low), (to, high)] = [TEMPERATURES[3], TEMPERATURES[4]];
        let found = RatedPlayer::of_rating((from + to) / 2.0).temperature;
        assert!((found - (low + high) / 2.0).abs() < 1e-9);
        assert_eq!(
            RatedPlayer::of_rating(99.0),
            RatedPlayer::of_rating(WEAKEST)
        );
        assert_eq!(RatedPlayer::of_rating(0.0), RatedPlayer::BEST);
    }
}
