//! `luckless library errors`: lists errors across matches.

use anyhow::Result;

use super::found::{Form, Sort, filter, show};
use super::place::Library;
use crate::cli::common::options::count;
use crate::library::Search;
use crate::review::Thresholds;

const EXAMPLES: &str = "\
Examples:
  luckless library errors
  luckless library errors me blunder date>=2026
  luckless library errors player:anna take score:2-4 --sort loss
  luckless library errors kind:blitz,back --json

All words of a filter must hold; ! before a word is its opposite. `luckless find --words` lists the words.";

/// The errors of all matches, the most expensive first
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Which decisions: words such as me, blunder, kind:race, error>0.1
    #[arg(value_name = "FILTER")]
    filter: Vec<String>,
    /// What comes first
    #[arg(long, value_enum, default_value = "error")]
    sort: Sort,
    /// List at most N
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = count::<usize>(1))]
    limit: usize,
    /// Machine output: one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    library: Library,
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        let search = Search {
            filter: filter(&self.filter)?,
            least: Thresholds::default().doubtful,
            order: self.sort.into(),
            most: self.limit,
            ..Search::default()
        };
        show(&self.library, &search, Form::of_json(self.json))
    }
}
