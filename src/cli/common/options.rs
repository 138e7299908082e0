//! Options shared by several subcommands, and their value parsers.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use clap::builder::{PathBufValueParser, PossibleValuesParser, TypedValueParser};

use super::usage;
use crate::cube::{EquityTable, Model, met};
use crate::eval::Engine;
use crate::eval::bearoff::two_sided::TwoSided;
use crate::eval::net::Net;
use crate::game::{GameState, Roll};
use crate::library::names::fold;
use crate::match_file::Match;
use crate::notation::{self, IdError};
use crate::rollout::{Level, limits::MOST_PLIES};
use crate::store::{UserFolders, file};

/// A position ID with its parsed state.
#[derive(Clone, Debug)]
pub struct Id {
    /// As the user wrote it, for the output.
    pub text: String,
    pub state: GameState,
}

impl FromStr for Id {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let mut state = notation::parse_possible_id(text)?;
        if let Some(roll) = roll_behind(text)?.filter(|_| !state.doubled) {
            state.roll = Some(roll);
        }
        Ok(Self {
            text: text.trim().to_owned(),
            state,
        })
    }
}

/// Parses the roll after an ID, as in `4HPwATDgc/ABMA 31`: exactly two words.
///
/// # Errors
/// Digits that are not a roll.
fn roll_behind(text: &str) -> Result<Option<Roll>, IdError> {
    let [_, word] = text.split_whitespace().collect::<Vec<_>>()[..] else {
        return Ok(None);
    };
    let column = text.trim_end().chars().count() - word.chars().count() + 1;
    // No dice, as in an XGID.
    let is_none = word.bytes().all(|b| b == b'0');
    let is_meant = word.len() <= 3 && word.bytes().all(|b| b.is_ascii_digit()) && !is_none;
    match word.parse::<Roll>() {
        Err(why) if is_meant => Err(IdError::at(column, why.to_string())),
        roll => Ok(roll.ok()),
    }
}

impl Id {
    /// Refuses a position with an offered double; `instead` says what to do.
    pub fn no_double_on_offer(&self, instead: &str) -> Result<()> {
        if self.state.doubled {
            return Err(usage::misuse(format!(
                "a double is on offer here: {instead}"
            )));
        }
        Ok(())
    }

    /// The roll to play: `--dice`, or the ID's own.
    pub fn roll(&self, dice: Option<Roll>) -> Option<Roll> {
        dice.or(self.state.roll)
    }
}

/// How many threads work.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Threads {
    /// Number of worker threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<NonZeroUsize>,
}

impl Threads {
    pub fn is_given(self) -> bool {
        self.threads.is_some()
    }

    pub fn number(self) -> NonZeroUsize {
        self.threads
            .or_else(|| std::thread::available_parallelism().ok())
            .unwrap_or(NonZeroUsize::MIN)
    }

    pub fn pool(self) -> Result<rayon::ThreadPool> {
        self.pool_of(1)
    }

    /// A pool for one of several workers that share the threads.
    pub fn pool_of(self, workers: usize) -> Result<rayon::ThreadPool> {
        rayon::ThreadPoolBuilder::new()
            .num_threads((self.number().get() / workers).max(1))
            .build()
            .context("no thread can be started")
    }
}

fn threads(text: &str) -> Result<NonZeroUsize, String> {
    const MOST: usize = 1024;
    text.parse()
        .ok()
        .filter(|n: &NonZeroUsize| n.get() <= MOST)
        .ok_or_else(|| format!("expected a number from 1 to {MOST}"))
}

/// Which net evaluates.
#[derive(Clone, Debug, clap::Args)]
pub struct Nets {
    /// A net to use instead of the one in the program
    #[arg(long, value_name = "FILE")]
    nets: Option<PathBuf>,
}

impl Nets {
    /// Returns whether a net was given.
    pub fn is_given(&self) -> bool {
        self.nets.is_some()
    }

    /// The selected evaluator.
    pub fn engine(&self) -> Result<Engine> {
        Ok(match &self.nets {
            None => Engine::embedded(),
            Some(path) => Engine::with_net(Net::load(path)?),
        })
    }
}

/// Options of the model of cubeful values.
#[derive(Clone, Debug, clap::Args)]
pub struct CubeModel {
    /// A match equity table to use instead of the one in the program
    #[arg(long, value_name = "FILE")]
    met: Option<PathBuf>,
    /// The match is played without the Crawford rule
    #[arg(long)]
    no_crawford: bool,
}

impl CubeModel {
    /// Returns whether any of these options was given.
    pub fn is_given(&self) -> bool {
        self.met.is_some() || self.no_crawford
    }

    /// Names the match equity table, if it was given and matters at the score.
    pub fn table_words(&self, model: &Model, state: &GameState) -> Option<String> {
        let is_told = self.met.is_some() && !state.score.is_money();
        is_told.then(|| format!(", match equities {}", model.table.name()))
    }

    /// Refuses the Crawford game of a match without that rule, and the option in money play.
    pub fn agrees_with(&self, state: &GameState) -> Result<()> {
        let why = match state.score {
            _ if !self.no_crawford => return Ok(()),
            score if score.is_money() => "--no-crawford is about matches: this is money play",
            score if score.crawford => {
                "the ID says that this is the Crawford game, --no-crawford that there is none"
            }
            _ => return Ok(()),
        };
        Err(usage::misuse(why))
    }

    /// Applies the Crawford option to a state; refuses a contradictory state.
    pub fn by_rule(&self, mut state: GameState) -> Result<GameState> {
        self.agrees_with(&state)?;
        state.rules.no_crawford |= self.no_crawford;
        Ok(state)
    }

    /// Applies the Crawford option to all matches of a file.
    pub fn apply_to(&self, record: &mut Match) {
        if self.no_crawford {
            record.remove_crawford_rule();
        }
    }

    /// Returns whether the Crawford rule is disabled, whatever a file says.
    pub fn no_crawford(&self) -> bool {
        self.no_crawford
    }

    /// Loads the selected model, with the exact bear-offs computed by `luckless bearoff`, if any.
    pub fn load(&self) -> Result<Model> {
        let mut model = Model::default();
        if let Some(path) = &self.met {
            model.table = Arc::new(load_table(path)?);
        }
        if self.no_crawford {
            model.table = Arc::new(model.table.without_crawford());
        }
        if let Some(path) = bearoff_file().filter(|path| path.exists()) {
            match load_bearoff(&path) {
                Ok(table) => model.bearoff = Some(Arc::new(table)),
                Err(error) => usage::say(&format!("{}: not used", usage::message_of(&error))),
            }
        }
        Ok(model)
    }
}

/// Loads a match equity table.
pub fn load_table(path: &Path) -> Result<EquityTable> {
    const LIMIT: u64 = 512 << 10;
    let bytes = file::read(path, LIMIT)?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    met::read::table(&name, &bytes).with_context(|| path.display().to_string())
}

/// Path of the exact bear-offs, if the system has a folder for them.
pub fn bearoff_file() -> Option<PathBuf> {
    UserFolders::of_user().map(|places| places.bearoffs())
}

/// Loads exact bear-offs.
pub fn load_bearoff(path: &Path) -> Result<TwoSided> {
    let bytes = file::read(path, file::LIMIT)?;
    TwoSided::from_bytes(&bytes).with_context(|| {
        let path = path.display();
        format!("{path} (luckless bearoff --force computes it again)")
    })
}

/// Parses a whole number from `least` to ten million: more would take weeks or exhaust the memory.
pub fn count<T: TryFrom<u64>>(
    least: u64,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    const MOST: u64 = 10_000_000;
    move |text| {
        let number = text.parse().ok().filter(|n| (least..=MOST).contains(n));
        number
            .and_then(|n| T::try_from(n).ok())
            .ok_or_else(|| format!("expected a whole number from {least} to {MOST}"))
    }
}

/// Parses the name of an additional output file: not `-`, because stdout is in use.
pub fn file_beside_stdout() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path.as_os_str() == "-" {
        true => Err("stdout has what is printed: expected the name of a file"),
        false => Ok(path),
    })
}

/// Parses a duration in seconds, up to a day.
pub fn seconds(text: &str) -> Result<f64, String> {
    const MOST: f64 = 86_400.0;
    text.parse()
        .ok()
        .filter(|s: &f64| *s > 0.0 && *s <= MOST)
        .ok_or_else(|| format!("expected seconds, more than 0 and at most {MOST}"))
}

/// Parses the size of an error, in points.
pub fn error_size(text: &str) -> Result<f32, String> {
    let size = text.parse::<f32>().ok();
    size.filter(|size| (0.001..=10.0).contains(size))
        .ok_or_else(|| "an error is 0.001 to 10 points".to_owned())
}

/// Parses the minimum error for asking or exporting a decision; 0 stands for every decision, including right ones.
pub fn asked_size(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(0.0) => Ok(0.0),
        _ => error_size(text).map_err(|why| why + ", or 0 for every decision"),
    }
}

/// Parses a player's name. An empty one would be part of every name.
pub fn player_name(text: &str) -> Result<String, String> {
    match fold(text).is_empty() {
        true => Err("expected a name".to_owned()),
        false => Ok(text.to_owned()),
    }
}

/// Parses a search depth.
pub fn plies() -> clap::builder::RangedI64ValueParser<u8> {
    clap::value_parser!(u8).range(0..=i64::from(MOST_PLIES))
}

/// Parses a level of analysis.
pub fn levels() -> impl TypedValueParser<Value = Level> {
    one_of(Level::ALL.map(|level| level.name), Level::named)
}

/// Parses one of these names, which help and completions list.
pub fn one_of<T: Clone + Send + Sync + 'static, const N: usize>(
    names: [&'static str; N],
    named: fn(&str) -> Option<T>,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(names).try_map(move |name| named(&name).ok_or("no such name"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_letters() {
        assert_eq!(player_name(" Anna "), Ok(" Anna ".to_owned()));
        assert!(player_name("").is_err() && player_name("  ").is_err());
    }

    #[test]
    fn an_error_has_a_size_of_up_to_ten_points() {
        assert_eq!(
            [error_size("0.001"), error_size("10")],
            [Ok(0.001), Ok(10.0)]
        );
        assert!(
            ["0", "10.1", "nan", ""]
                .map(error_size)
                .iter()
                .all(Result::is_err)
        );
        assert_eq!([asked_size("0"), asked_size("0.08")], [Ok(0.0), Ok(0.08)]);
        assert!(
            ["0.0001", "-1", "10.1", "nan"]
                .map(asked_size)
                .iter()
                .all(Result::is_err)
        );
    }
}
