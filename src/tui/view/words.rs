//! What is said in words: plays, cube actions, verdicts.

use crate::match_file::Action;
use crate::review::Turn;
use crate::rollout::{DifferenceResult, RolloutResult, Status};
use crate::tui::text;

/// What was done in a turn, without the dice.
#[must_use]
pub fn done(turn: &Turn) -> String {
    match turn.action {
        Some(Action::Move { play, .. }) => text::play(&play, &turn.moment.state.position),
        Some(Action::Hidden { .. }) => "not recorded".into(),
        Some(Action::Double { to }) => format!("doubles to {to}"),
        Some(Action::Take) => "takes".into(),
        Some(Action::Drop) => "drops".into(),
        Some(Action::Beaver { to }) => format!("beavers to {to}"),
        Some(Action::Resign) => "resigns".into(),
        None => String::new(),
    }
}

/// The turn in a few characters: dice and play.
#[must_use]
pub fn short(turn: &Turn) -> String {
    let sign = match turn.moment.player {
        crate::game::Player::Left => "●",
        crate::game::Player::Right => "○",
    };
    match turn.moment.state.roll {
        Some(roll) => format!("{sign} {roll} {}", done(turn)),
        None => format!("{sign} {}", done(turn)),
    }
}

/// What a pair's difference tells, once it may be told: the anytime interval decides, because a
/// reader may stop when he likes.
#[must_use]
pub fn verdict(first: &str, second: &str, d: &DifferenceResult, result: &RolloutResult) -> String {
    let [low, high] = d.equity.anytime95;
    if d.trials == 0 {
        return "no trials yet".into();
    }
    if low > 0.0 {
        return format!("decided: {first} is better");
    }
    if high < 0.0 {
        return format!("decided: {second} is better");
    }
    if d.equity.se == 0.0 {
        return "no difference".into();
    }
    let half = (high - low) / 2.0;
    let mean = d.equity.mean.abs();
    if !half.is_finite() || mean < 1e-4 {
        return "not decided".into();
    }
    // An interval shrinks with the square root of the trials.
    let more = d.trials as f64 * ((half / mean).powi(2) - 1.0);
    if more > 1e7 {
        return "not decided: too close to call".into();
    }
    let running = result.status == Status::Running && result.trials_per_second > 0.0;
    let time = if running {
        // Two strands play a trial each.
        format!(", {}", text::seconds(2.0 * more / result.trials_per_second))
    } else {
        String::new()
    };
    format!("not decided: about {} more trials{time}", text::count(more))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rollout::Estimate;

    #[test]
    fn a_verdict_needs_the_anytime_interval() {
        let result = RolloutResult {
            strands: Vec::new(),
            difference: None,
            history: Vec::new(),
            scatter: Vec::new(),
            status: Status::Running,
            trials_per_second: 1000.0,
            seconds: 1.0,
            cpu_seconds: 1.0,
        };
        let with = |mean: f64, half: f64| DifferenceResult {
            trials: 1000,
            equity: Estimate {
                mean,
                se: 0.01,
                ci95: [mean - 0.01, mean + 0.01],
                anytime95: [mean - half, mean + half],
            },
            ..DifferenceResult::default()
        };
        let say = |mean, half| verdict("a", "b", &with(mean, half), &result);
        assert_eq!(say(0.05, 0.04), "decided: a is better");
        assert_eq!(say(-0.05, 0.04), "decided: b is better");
        assert_eq!(say(0.05, 0.1), "not decided: about 3000 more trials, 6 s");
        assert_eq!(say(0.05, f64::INFINITY), "not decided");
        assert_eq!(say(0.001, 0.5), "not decided: too close to call");
    }
}
