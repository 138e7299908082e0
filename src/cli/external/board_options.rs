//! Options after a board, in any order.

use std::iter::Peekable;
use std::str::SplitWhitespace;

use crate::game::GameState;
use crate::rollout::limits::MOST_PLIES;

/// Options of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct BoardOptions {
    /// Offered resignation: 1 single game, 2 gammon, 3 backgammon.
    pub(super) resignation: Option<u8>,
    /// Search depth of an evaluation.
    pub(super) plies: u8,
    pub(super) cubeful: bool,
}

impl BoardOptions {
    /// Parses the options of a board to respond to: rules, which are set in `state`, and a resignation.
    ///
    /// # Errors
    /// The unknown word.
    pub(super) fn of_board(state: &mut GameState, line: &str) -> Result<Self, String> {
        Self::read(state, line, false)
    }

    /// Parses the options of a board to evaluate.
    ///
    /// # Errors
    /// The unknown word.
    pub(super) fn of_evaluation(state: &mut GameState, line: &str) -> Result<Self, String> {
        Self::read(state, line, true)
    }

    fn read(state: &mut GameState, line: &str, is_evaluation: bool) -> Result<Self, String> {
        // Names before it may contain blanks. The first word is the last value of the board.
        let behind = line.rsplit(':').next().unwrap_or_default();
        let mut words = behind.split_whitespace().peekable();
        words.next();
        let mut options = Self::default();
        while let Some(name) = words.next() {
            if is_evaluation && options.set(name, &mut words)? {
                continue;
            }
            match name {
                "resignation" if !is_evaluation => {
                    let size = number(name, words.next(), 3)?;
                    options.resignation = (size > 0).then_some(size);
                }
                "resignation" => return Err("resignation is not understood here".to_owned()),
                rule => set_rule(state, rule, switch(rule, words.next())?)?,
            }
        }
        Ok(options)
    }

    /// Sets an option of evaluations. Returns false if `name` is unknown.
    fn set(
        &mut self,
        name: &str,
        words: &mut Peekable<SplitWhitespace<'_>>,
    ) -> Result<bool, String> {
        match name {
            "plies" => self.plies = number(name, words.next(), MOST_PLIES)?,
            "cubeful" | "cubeless" => {
                let is_on = words.next_if(|word| on_or_off(word).is_some());
                let is_on = is_on.and_then(on_or_off).unwrap_or(true);
                self.cubeful = (name == "cubeful") == is_on;
            }
            "cube" => self.cubeful = switch(name, words.next())?,
            // Results do not depend on these here.
            "prune" | "deterministic" => {
                words.next_if(|word| on_or_off(word).is_some());
            }
            "noise" => {
                let noise = words.next().and_then(|word| word.parse::<f32>().ok());
                if noise != Some(0.0) {
                    return Err("noise: expected 0, none can be added".to_owned());
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

fn on_or_off(word: &str) -> Option<bool> {
    match word {
        "on" | "yes" | "true" => Some(true),
        "off" | "no" | "false" => Some(false),
        _ => None,
    }
}

fn switch(name: &str, word: Option<&str>) -> Result<bool, String> {
    let value = word.and_then(on_or_off);
    value.ok_or_else(|| format!("{name}: expected on or off"))
}

fn number(name: &str, word: Option<&str>, most: u8) -> Result<u8, String> {
    let number = word.and_then(|word| word.parse().ok());
    let number = number.filter(|number| *number <= most);
    number.ok_or_else(|| format!("{name}: expected a number from 0 to {most}"))
}

/// Switches a rule on or off.
fn set_rule(state: &mut GameState, name: &str, value: bool) -> Result<(), String> {
    let is_money = state.score.is_money();
    match name {
        "jacobyrule" => state.rules.jacoby = value && is_money,
        "beavers" => state.rules.beavers = value && is_money,
        "crawfordrule" if value => state.rules.no_crawford = false,
        "crawfordrule" => *state = state.without_crawford_rule(),
        other => return Err(format!("{other} is not understood")),
    }
    Ok(())
}
