//! What is said in words: plays, cube actions, verdicts.

use crate::cube::cube_words;
use crate::match_file::{Action, illegal_text};
use crate::review::{Mark, MatchTurn};
use crate::rollout::{DifferenceResult, RolloutResult, Standing, Status};
use crate::stats::interval::excludes_zero;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::words::verb;

/// Play or cube action of a turn, in words and without the dice.
pub(crate) fn done(turn: &MatchTurn) -> String {
    done_by(turn, "")
}

/// The same in words that go with the player's name.
pub(crate) fn done_by(turn: &MatchTurn, name: &str) -> String {
    let does = |forms| verb(name, forms).to_owned();
    match turn.action {
        Some(Action::Move { play, .. }) => text::play(&play, &turn.before.state.position),
        Some(Action::Hidden { .. }) => "not recorded".into(),
        Some(Action::Illegal { after, .. }) => illegal_text(&turn.before.state.position, &after),
        Some(Action::Double { to }) => {
            let double = cube_words("double", &turn.before.state);
            format!("{} to {to}", does([&format!("{double}s"), double]))
        }
        Some(Action::Take) => does(["takes", "take"]),
        Some(Action::Pass) => does(["passes", "pass"]),
        Some(Action::Beaver { to }) => format!("{} to {to}", does(["beavers", "beaver"])),
        Some(Action::Resign) => does(["resigns", "resign"]),
        None => String::new(),
    }
}

/// The turn in a few characters: dice and play.
pub(crate) fn short(turn: &MatchTurn) -> String {
    let sign = match turn.before.player {
        crate::game::Player::Left => "●",
        crate::game::Player::Right => "○",
    };
    match turn.before.state.roll {
        Some(roll) => format!("{sign} {roll} {}", done(turn)),
        None => format!("{sign} {}", done(turn)),
    }
}

/// The look of a mark.
pub(crate) fn mark_role(mark: Mark) -> Role {
    match mark {
        Mark::Fine => Role::Fine,
        Mark::Doubtful => Role::Doubtful,
        Mark::Error => Role::Error,
        Mark::Blunder => Role::Blunder,
    }
}

/// Pieces of text in lines of so many columns, with `gap` between them. A piece that fits into a line is not broken.
pub(crate) fn packed(pieces: &[String], gap: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for piece in pieces {
        match lines.last_mut() {
            Some(line) if text::width(line) + text::width(gap) + text::width(piece) <= columns => {
                line.push_str(gap);
                line.push_str(piece);
            }
            _ => lines.push(piece.clone()),
        }
    }
    let fitting = lines
        .iter()
        .flat_map(|line| match text::width(line) <= columns {
            true => vec![line.clone()],
            false => text::wrap(line, columns, usize::MAX),
        });
    fitting.collect()
}

/// The sign of a play beside the best one.
pub(crate) fn standing_sign(standing: Standing) -> &'static str {
    match standing {
        Standing::Decided => " ",
        Standing::TooClose => "≈",
        Standing::Open => "…",
    }
}

/// The role of a verdict.
pub(crate) fn standing_role(standing: Standing) -> Role {
    match standing {
        Standing::Decided => Role::Best,
        Standing::TooClose | Standing::Open => Role::Strong,
    }
}

/// Trials from which on it is guessed how many a decision needs: before, the difference itself is
/// hardly known.
const GUESS: u64 = 360;
/// A guess of more than so many times the trials planned is none to wait for.
const TOO_MANY: f64 = 10.0;

/// How far two plays are from a decision, if it is not made and there is something to say. It goes by the
/// anytime-valid interval, because a reader may stop at any time. `planned` are the trials asked for.
pub(crate) fn outlook(d: &DifferenceResult, result: &RolloutResult, planned: u64) -> String {
    let half = d.decisive_half();
    if excludes_zero(d.equity.anytime95)
        || d.trials < GUESS
        || d.equity.se == 0.0
        || !half.is_finite()
    {
        return String::new();
    }
    // An interval shrinks with the square root of the trials.
    let ratio = half / d.equity.mean.abs().max(1e-9);
    let more = d.trials as f64 * (ratio * ratio - 1.0);
    if d.trials as f64 + more > TOO_MANY * planned as f64 {
        return "too close to call here".into();
    }
    let running = result.status == Status::Running && result.trials_per_second > 0.0;
    let seconds = if running {
        // Two candidates play a trial each.
        2.0 * more / result.trials_per_second
    } else {
        more * result.seconds / d.trials as f64
    };
    let time = if seconds > 0.0 {
        format!(", {}", text::seconds(one_digit(seconds)))
    } else {
        String::new()
    };
    let more = text::count(one_digit(more));
    format!("about {more} more trials may decide it{time}")
}

/// Rounded to one significant digit.
fn one_digit(x: f64) -> f64 {
    let unit = 10f64.powf(x.max(1.0).log10().floor());
    (x / unit).round() * unit
}

/// The colours of the plays of a rollout; after the last the first comes again.
pub(crate) const SERIES: [Role; 5] = [
    Role::SeriesA,
    Role::SeriesB,
    Role::SeriesC,
    Role::SeriesD,
    Role::Strong,
];

/// The letter and look of the play number `i` of a rollout, in figures and chart.
pub(crate) fn series(i: usize) -> (String, Role) {
    let letter = char::from(b'a' + (i % 26) as u8);
    (letter.to_string(), SERIES[i % SERIES.len()])
}

/// Returns a verdict without the level of its interval, for narrow panes.
pub(crate) fn without_level(sentence: &str) -> String {
    let levels = [" (95%)", " (95%, anytime)"];
    levels
        .iter()
        .fold(sentence.to_owned(), |text, level| text.replace(level, ""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rollout::{Estimate, StopReason};

    #[test]
    fn pieces_are_broken_only_where_one_has_no_line_to_itself() {
        let pieces = ["A 24/20 6/1", "B 8/3", "C bar/23 8/3 6/1*"].map(str::to_owned);
        let lines = |columns| packed(&pieces, "  ", columns);
        assert_eq!(lines(18), ["A 24/20 6/1  B 8/3", "C bar/23 8/3 6/1*"]);
        assert_eq!(lines(17), pieces);
        assert_eq!(lines(12)[2..], ["C bar/23 8/3", "6/1*"]);
    }

    #[test]
    fn what_is_left_to_do_is_guessed_by_the_anytime_interval() {
        let result = RolloutResult {
            trials_per_second: 1000.0,
            seconds: 1.0,
            cpu_seconds: 1.0,
            ..RolloutResult::empty(Status::Running)
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
        let say = |mean, half| outlook(&with(mean, half), &result, 1296);
        assert_eq!([say(0.05, 0.04), say(-0.05, 0.04)], ["", ""], "decided");
        let more = "about 3000 more trials may decide it, 6 s";
        assert_eq!(say(0.05, 0.1), more);
        // 3840 more.
        let more = "about 4000 more trials may decide it, 8 s";
        assert_eq!(say(0.05, 0.11), more);
        assert_eq!(say(0.05, f64::INFINITY), "");
        // Once it has ended, by the time that it took: 4000 trials for 1000 in 2.5 s.
        let ended = RolloutResult {
            status: Status::Done(StopReason::Trials),
            seconds: 2.5,
            ..result.clone()
        };
        let more = "about 4000 more trials may decide it, 10 s";
        assert_eq!(outlook(&with(0.05, 0.11), &ended, 1296), more);
        let close = "too close to call here";
        assert_eq!([say(0.001, 0.5), say(0.0, 0.5)], [close, close]);
        let mut few = with(0.05, 0.1);
        few.trials = 324;
        assert_eq!(outlook(&few, &result, 1296), "");
    }
}
