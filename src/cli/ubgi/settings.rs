//! Settings: the keys of version 0.2 and the options of version 0.1.

use super::trouble::Trouble;
use crate::cli::common::thinking::Effort;
use crate::game::GameState;

/// Depth as the protocol counts it, including the root.
const PLIES: std::ops::RangeInclusive<u8> = 1..=4;
/// Allowed number of threads.
const THREADS: std::ops::RangeInclusive<usize> = 1..=256;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Settings {
    /// Search depth in plies; 0 for the static evaluation.
    pub(super) ply: u8,
    pub(super) threads: usize,
    /// Plays in money games are cubeful; in a match they always are.
    pub(super) cubeful: bool,
    /// `go reply` is supported.
    pub(super) replies: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            ply: 0,
            threads: 1,
            cubeful: false,
            replies: false,
        }
    }
}

/// The lines of all keys: name, type, domain, default, `!` if play does not depend on it, and a description.
pub(super) const KEYS: [&str; 5] = [
    "key game.variant enum backgammon backgammon",
    "key engine.ply int 1..4 1 plies, the root counted: 1 is the static evaluation",
    "key engine.threads int 1..256 1 ! threads",
    "key engine.cubeful bool false plays count the cube; in a match they do anyway",
    "key luckless.replies bool false ! go reply answers a double: take, pass or beaver",
];

/// The lines of all options.
pub(super) const OPTIONS: [&str; 5] = [
    "option name Threads type spin default 1 min 1 max 256",
    "option name Ply type spin default 1 min 1 max 4",
    "option name Deterministic type check default true",
    "option name Seed type spin default 1 min 0 max 2147483647",
    "option name EvalMode type combo default cubeless var cubeless var cubeful",
];

fn number<T: std::str::FromStr + PartialOrd>(
    text: &str,
    range: &std::ops::RangeInclusive<T>,
) -> Result<T, Trouble> {
    let number = text.parse().ok().filter(|n| range.contains(n));
    number.ok_or_else(|| Trouble::value(format!("{text} is out of range")))
}

fn truth(text: &str) -> Result<bool, Trouble> {
    match text {
        "true" | "on" => Ok(true),
        "false" | "off" => Ok(false),
        _ => Err(Trouble::value(format!("{text}: expected true or false"))),
    }
}

impl Settings {
    /// The effort for a state.
    pub(super) fn effort(&self, state: &GameState) -> Effort {
        Effort {
            ply: self.ply,
            threads: self.threads,
            cubeful: self.cubeful || !state.score.is_money(),
        }
    }

    /// Handles `set KEY VALUE`.
    pub(super) fn set(&mut self, key: &str, value: &str) -> Result<(), Trouble> {
        match key {
            "game.variant" if value == "backgammon" => {}
            "game.variant" => return Err(Trouble::unsupported(format!("variant {value}"))),
            "engine.ply" => self.ply = number(value, &PLIES)? - 1,
            "engine.threads" => self.threads = number(value, &THREADS)?,
            "engine.cubeful" => self.cubeful = truth(value)?,
            "luckless.replies" => self.replies = truth(value)?,
            _ => return Err(Trouble::value(format!("there is no key {key}"))),
        }
        Ok(())
    }

    pub(super) fn get(&self, key: &str) -> Result<String, Trouble> {
        Ok(match key {
            "game.variant" => "backgammon".to_owned(),
            "engine.ply" => (self.ply + 1).to_string(),
            "engine.threads" => self.threads.to_string(),
            "engine.cubeful" => self.cubeful.to_string(),
            "luckless.replies" => self.replies.to_string(),
            _ => return Err(Trouble::value(format!("there is no key {key}"))),
        })
    }

    /// Handles `setoption name NAME value VALUE`.
    pub(super) fn set_option(&mut self, name: &str, value: &str) -> Result<(), Trouble> {
        match name {
            "Threads" => self.set("engine.threads", value),
            "Ply" => self.set("engine.ply", value),
            "Variant" => self.set("game.variant", value),
            // Results are deterministic anyway.
            "Deterministic" => truth(value).map(drop),
            "Seed" => number(value, &(0..=u64::MAX)).map(drop),
            "EvalMode" => {
                self.cubeful = match value {
                    "cubeful" => true,
                    "cubeless" => false,
                    _ => return Err(Trouble::value(format!("{value}: cubeless or cubeful"))),
                };
                Ok(())
            }
            _ => Err(Trouble::value(format!("there is no option {name}"))),
        }
    }
}
