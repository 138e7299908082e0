//! A session of the Universal Backgammon Interface.

use super::settings::{KEYS, OPTIONS, Settings};
use super::table::Table;
use super::trouble::Trouble;
use crate::cli::common::thinking::{Choice, Thinker, steps};
use crate::cube::CubeChoice;
use crate::eval::Probabilities;

/// The settings and the current game.
#[derive(Debug, Default)]
pub(super) struct Session {
    settings: Settings,
    table: Table,
    /// The client has used a command that exists only in version 0.1, which determines the error codes.
    is_old: bool,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) lines: Vec<String>,
    /// The session ends after this answer.
    pub(super) is_last: bool,
}

impl Session {
    /// Handles a line.
    pub(super) fn answer(&mut self, line: &str, thinker: &Thinker) -> Answer {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((&command, words)) = words.split_first() else {
            return Answer::default();
        };
        let is_old = ["setoption", "newsession", "setscore", "setcube", "setturn"];
        self.is_old |= is_old.contains(&command) || (command == "go" && words.contains(&"role"));
        let lines = self.carry_out(command, words, thinker);
        Answer {
            lines: lines.unwrap_or_else(|trouble| vec![trouble.line(self.is_old)]),
            is_last: command == "quit",
        }
    }

    /// Refuses a line of more than `most` bytes. Its content is unknown, so the former position is no longer valid.
    pub(super) fn too_long(&mut self, most: u64) -> Answer {
        self.table.forget();
        let trouble = Trouble::value(format!("a line has at most {most} bytes"));
        Answer {
            lines: vec![trouble.line(self.is_old)],
            is_last: false,
        }
    }

    fn carry_out(
        &mut self,
        command: &str,
        words: &[&str],
        thinker: &Thinker,
    ) -> Result<Vec<String>, Trouble> {
        let one = |line: String| Ok(vec![line]);
        match command {
            "ubgi" => return Ok(handshake()),
            "isready" => return one("readyok".to_owned()),
            "keys" => return Ok(KEYS.map(str::to_owned).to_vec()),
            "get" => {
                let [key] = words else {
                    return Err(Trouble::value("expected a key".to_owned()));
                };
                return one(format!("value {key} {}", self.settings.get(key)?));
            }
            "go" => return self.go(words, thinker),
            // Answers are complete before the next line is read: there is nothing to stop.
            "stop" | "quit" => {}
            "newgame" => self.table.new_game(),
            "set" => match words {
                [key, value] => self.settings.set(key, value)?,
                _ => return Err(Trouble::value("expected a key and a value".to_owned())),
            },
            "setoption" => match words {
                ["name", name, "value", value] => self.settings.set_option(name, value)?,
                _ => return Err(Trouble::value("expected name N value V".to_owned())),
            },
            "newsession" => self.table.new_session(words)?,
            "setscore" => self.table.set_score(words)?,
            "setcube" => self.table.set_cube(words)?,
            "setturn" => self.table.set_turn(words)?,
            "position" => self.table.set_position(words)?,
            "dice" => self.table.set_dice(words)?,
            unknown => return Err(Trouble::command(unknown)),
        }
        Ok(Vec::new())
    }

    /// `go`, `go chequer`, `go role chequer` and so on. Depth limits are respected; time limits are unnecessary.
    fn go(&mut self, words: &[&str], thinker: &Thinker) -> Result<Vec<String>, Trouble> {
        let words = words.strip_prefix(&["role"]).unwrap_or(words);
        let (what, limits) = match words.split_first() {
            Some((&what, limits)) if !LIMITS.contains(&what) => (what, limits),
            _ => ("chequer", words),
        };
        let mut settings = self.settings;
        for limit in limits.chunks(2) {
            match limit {
                ["depth", depth] => settings.set("engine.ply", depth)?,
                [name, value] if LIMITS.contains(name) && value.parse::<u64>().is_ok() => {}
                _ => return Err(Trouble::value(format!("{} is no limit", limit.join(" ")))),
            }
        }
        match what {
            "chequer" | "checker" => self.chequer(&settings, thinker),
            "cube" => {
                let state = self.table.state()?;
                let double = thinker.double(&settings.effort(&state), &state)?;
                Ok(vec![format!("bestcube {}", word(double))])
            }
            "turn" => {
                let (state, roll) = (self.table.state()?, self.table.roll()?);
                let effort = settings.effort(&state);
                let double = word(thinker.double(&effort, &state)?);
                let best = thinker.play(&effort, &state, roll)?;
                let play = best.map_or_else(|| PASS.to_owned(), |best| steps(&best.play));
                Ok(vec![format!("bestturn cube={double} move={play}")])
            }
            "reply" if self.settings.replies => {
                let state = self.table.reply_state()?;
                let reply = thinker.reply(&settings.effort(&state), &state)?;
                Ok(vec![format!("bestreply {}", word(reply))])
            }
            _ => Err(Trouble::unsupported(format!("go {what}"))),
        }
    }

    fn chequer(&self, settings: &Settings, thinker: &Thinker) -> Result<Vec<String>, Trouble> {
        let (state, roll) = (self.table.state()?, self.table.roll()?);
        Ok(
            match thinker.play(&settings.effort(&state), &state, roll)? {
                Some(best) => vec![info(&best), format!("bestmove {}", steps(&best.play))],
                None => vec![format!("bestmove {PASS}")],
            },
        )
    }
}

/// The information sent with a play.
fn info(best: &Choice) -> String {
    let Probabilities {
        win,
        win_gammon,
        win_backgammon,
        ..
    } = best.chances;
    format!(
        "info depth {} eq {:.4} pwin {win:.4} pgammon {win_gammon:.4} pbg {win_backgammon:.4} pv {}",
        best.ply + 1,
        best.equity,
        steps(&best.play)
    )
}

/// The protocol's word for a cube action.
fn word(choice: CubeChoice) -> &'static str {
    match choice {
        CubeChoice::NoDouble => "nodouble",
        CubeChoice::Double => "double",
        CubeChoice::Take => "take",
        CubeChoice::Pass => "pass",
        CubeChoice::Beaver => "beaver",
    }
}

/// Response if no checker can move.
const PASS: &str = "pass";
/// Words that introduce a limit.
const LIMITS: [&str; 4] = ["movetime", "depth", "nodes", "trials"];

fn handshake() -> Vec<String> {
    let mut lines = vec![
        format!("id name Luckless {}", env!("CARGO_PKG_VERSION")),
        "id author the Luckless authors".to_owned(),
        "proto 0.2".to_owned(),
    ];
    lines.extend(OPTIONS.map(str::to_owned));
    lines.extend(KEYS.map(str::to_owned));
    lines.push("ubgiok".to_owned());
    lines
}

#[cfg(test)]
mod tests;
