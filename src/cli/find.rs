//! `luckless find`: finds decisions of the library by filter, structure and similarity.

use anyhow::Result;

use super::library::found::{Form, Sort, filter, show};
use super::library::place::Library;
use crate::cli::common::options::{Id, count};
use crate::cli::common::output;
use crate::cli::common::usage::misuse;
use crate::game::{GameState, Roll};
use crate::grid::Grid;
use crate::library::filter::{Filter, KEYS};
use crate::library::{Likeness, Pattern, Search};
use crate::notation;

const EXAMPLES: &str = "\
Examples:
  luckless find kind:race lead:8..12 double
  luckless find --like 4HPwATDgc/ABMA --dice 31
  luckless find 6:2 5:2 4:2 obar:1
  luckless find o20:2 24:2 swapped 'error>0.05'
  luckless find note:lesson1 --ids > lesson.txt   a list for `luckless quiz`
  luckless find --words

Words such as 6:2 ask for checkers on places, numbered as the player who decides counts: 6:2 is two or more of \
theirs, 6=2 just two, 7:0 none, o20:2 two of the opponent's, and bar and off are places too. --pattern \
takes a position ID and asks for at least its checkers. --like puts the positions first from which the fewest pips lead to the one \
named, one of each game.";

/// Find decisions in the library
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Which decisions: words such as me, blunder, kind:race, error>0.1
    #[arg(value_name = "FILTER")]
    filter: Vec<String>,
    /// Positions like this one come first
    #[arg(long, value_name = "ID", allow_hyphen_values = true)]
    like: Option<Id>,
    /// The roll to play in it
    #[arg(long, value_name = "ROLL", requires = "like", conflicts_with = "sort")]
    dice: Option<Roll>,
    /// Only positions with these checkers
    #[arg(long, value_name = "TEXT")]
    pattern: Option<String>,
    /// The pattern may also stand the other way round
    #[arg(long, requires = "pattern")]
    swapped: bool,
    /// What comes first
    #[arg(long, value_enum, conflicts_with = "like")]
    sort: Option<Sort>,
    /// List at most N
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = count::<usize>(1))]
    limit: usize,
    /// List the words of filters
    #[arg(long, exclusive = true)]
    words: bool,
    /// One XGID a line, a remark behind it: a list of positions for quiz, export or convert
    #[arg(long, conflicts_with = "json")]
    ids: bool,
    /// Machine output: one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    library: Library,
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        if self.words {
            let mut grid = Grid::new(&["word", "for example"]).with_words(&["for example"]);
            for key in KEYS {
                grid.row(vec![key.name.to_owned(), key.written.to_owned()]);
            }
            return output::text(&grid.to_string());
        }
        let like = self.like.as_ref().map(|id| {
            let state = GameState {
                roll: id.roll(self.dice),
                ..id.state
            };
            Likeness::to(&state)
        });
        let search = Search {
            filter: self.asked()?,
            like,
            order: self.sort.unwrap_or_default().into(),
            most: self.limit,
            ..Search::default()
        };
        let form = match self.ids {
            true => Form::Ids,
            false => Form::of_json(self.json),
        };
        show(&self.library, &search, form)
    }

    fn asked(&self) -> Result<Filter> {
        let filter = filter(&self.filter)?;
        let Some(text) = &self.pattern else {
            return Ok(filter);
        };
        let wrong = |error: String| misuse(format!("--pattern: {error}"));
        let pattern = match notation::looks_like_id(text) {
            true => {
                let state = notation::parse_possible_id(text);
                Pattern::at_least(&state.map_err(|error| wrong(error.to_string()))?)
            }
            false => Pattern::parse(text).map_err(wrong)?,
        };
        Ok(filter.with_pattern(match self.swapped {
            true => pattern.or_swapped(),
            false => pattern,
        }))
    }
}
