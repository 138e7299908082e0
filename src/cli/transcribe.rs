//! `luckless transcribe`: records a match while others play it.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::value_parser;

use crate::cli::common::match_begun;
use crate::cli::common::screen::ScreenOptions;
use crate::cli::common::usage::misuse;
use crate::match_file::write::Target;
use crate::match_file::{self, Match};
use crate::notation::LONGEST_MATCH;
use crate::store::today;
use crate::tui;
use crate::tui::documents::new_match::NewMatch;
use crate::tui::documents::transcript::can_transcribe;
use crate::tui::keys::KeyMap;

const EXAMPLES: &str = "\
Examples:
  luckless transcribe                                    a match to 7 points
  luckless transcribe final.mat --length 11 --player1 Anna --player2 Ben
  luckless transcribe final.mat                          goes on with that file

Each line is a turn: 31: 8/5 6/5, double, take, pass, resigns. A line of dice alone leaves the play to the board. \
Of the first roll the die of player 1 comes first: 31 is player 1's game to begin, 13 is player 2's.";

/// Write down a match that others play, turn by turn
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The match: continued if it exists, else begun [default: a new one in the data folder]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Points to play to, 0 for money [default: 7]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(..=i64::from(LONGEST_MATCH)))]
    length: Option<u16>,
    /// Name of the player whose die is typed first, on the left of the file
    #[arg(long, value_name = "NAME")]
    player1: Option<String>,
    /// Name of the other player
    #[arg(long, value_name = "NAME")]
    player2: Option<String>,
    /// For money: by the Jacoby rule
    #[arg(long)]
    jacoby: bool,
    /// For money: with beavers
    #[arg(long)]
    beavers: bool,
    #[command(flatten)]
    screen: ScreenOptions,
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        let known = |path: &Path| self.known(path);
        let path = match_begun::open(self.file.as_deref(), known, || self.begun())?;
        self.screen.go_on(path, tui::PlayOn::Transcript)
    }

    /// Checks the file of an existing match.
    fn known(&self, path: &Path) -> Result<PathBuf> {
        let record = match_file::read(path)?;
        can_transcribe(&record).map_err(|why| {
            let why = KeyMap::default().named(why);
            misuse(format!("{}: {why}", path.display()))
        })?;
        if self.is_for_a_new_match() {
            let path = path.display();
            return Err(misuse(format!(
                "{path} is there already, with its length, rules and names: luckless transcribe {path} goes on with it"
            )));
        }
        Ok(path.to_owned())
    }

    fn is_for_a_new_match(&self) -> bool {
        self.length.is_some()
            || self.player1.is_some()
            || self.player2.is_some()
            || self.jacoby
            || self.beavers
            || self.screen.cube.no_crawford()
    }

    /// The text of a new match.
    fn begun(&self) -> Result<String> {
        let [first, second] = Match::UNNAMED;
        let first = self.player1.as_deref().unwrap_or(first);
        let second = self.player2.as_deref().unwrap_or(second);
        match_begun::check_name("--player1", first)?;
        match_begun::check_name("--player2", second)?;
        let length = self.length.unwrap_or(NewMatch::LENGTH);
        let rules = match_begun::rules(length, self.jacoby, self.beavers)?;
        let names = [first, second].map(str::to_owned);
        let mut record = Match::to_be_played(length, names, rules);
        record.tags.push(("EventDate".into(), today()));
        self.screen.cube.apply_to(&mut record);
        Ok(Target::Mat.write(&record))
    }
}
