//! `luckless play`: plays a match against the program.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::value_parser;

use crate::cli::common::match_begun;
use crate::cli::common::screen::ScreenOptions;
use crate::cli::common::usage::{misuse, say};
use crate::match_file;
use crate::match_file::write::Target;
use crate::notation::LONGEST_MATCH;
use crate::store::{clock, today};
use crate::study::question::session_seed;
use crate::tui;
use crate::tui::documents::new_match::{NewMatch, read_rating};
use crate::tui::documents::played_match::{PROGRAM, YOU, can_go_on};

const EXAMPLES: &str = "\
Examples:
  luckless play                         a match to 7 points
  luckless play --length 3 --tutor      to 3, with a warning before errors
  luckless play --length 0              for money
  luckless play --opponent 10           against a player of PR 10
  luckless play evening.mat             begins that file, or goes on with it

The match is an ordinary match file, written after each action. The dice come from the seed in it, and from the \
place in the match alone. Keys: j and v choose and make a play, s rolls, D doubles, A takes, X passes.";

/// A match against the program, with a tutor if you like
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The match: continued if it exists, else begun [default: a new one in the data folder]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Points to play to, 0 for money [default: 7]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(..=i64::from(LONGEST_MATCH)))]
    length: Option<u16>,
    /// For money: by the Jacoby rule
    #[arg(long)]
    jacoby: bool,
    /// For money: with beavers
    #[arg(long)]
    beavers: bool,
    /// What you are called in the file [default: You]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Performance rating (PR) at which the program plays, 1 to 30: the higher the weaker [default: as well as it can]
    #[arg(long, value_name = "PR", value_parser = read_rating)]
    opponent: Option<f64>,
    /// Warn before an error is made, and say what it costs; the key t sets from which size on
    #[arg(long)]
    tutor: bool,
    /// Seed of the dice [default: another one each time]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    screen: ScreenOptions,
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        let known = |path: &Path| self.known(path);
        let path = match_begun::open(self.file.as_deref(), known, || self.begun())?;
        let how = tui::PlayOn::AgainstProgram {
            has_tutor: self.tutor,
        };
        self.screen.go_on(path.clone(), how)?;
        let is_left = || match_file::read(&path).is_ok_and(|record| !record.is_won());
        if self.file.is_none() && is_left() {
            let path = path.display();
            say(&format!(
                "the match is kept: luckless play '{path}' goes on with it"
            ));
        }
        Ok(())
    }

    /// Checks the file of an existing match.
    fn known(&self, path: &Path) -> Result<PathBuf> {
        let record = match_file::read(path)?;
        can_go_on(&record).map_err(|why| misuse(format!("{}: {why}", path.display())))?;
        if self.is_for_a_new_match() {
            let path = path.display();
            return Err(misuse(format!(
                "{path} is there already, with its length, rules, names, opponent and dice: \
                 luckless play {path} goes on with it"
            )));
        }
        Ok(path.to_owned())
    }

    fn is_for_a_new_match(&self) -> bool {
        self.length.is_some()
            || self.name.is_some()
            || self.opponent.is_some()
            || self.seed.is_some()
            || self.jacoby
            || self.beavers
            || self.screen.cube.no_crawford()
    }

    /// The text of a new match.
    fn begun(&self) -> Result<String> {
        let name = self.name.as_deref().unwrap_or(YOU);
        if name.trim().eq_ignore_ascii_case(PROGRAM) {
            return Err(misuse(format!(
                "{PROGRAM} is the name of the program: --name needs another"
            )));
        }
        match_begun::check_name("--name", name)?;
        let now = clock::since_1970().as_nanos() as i64;
        let seed = self.seed.unwrap_or_else(|| session_seed(now));
        let length = self.length.unwrap_or(NewMatch::LENGTH);
        let rules = match_begun::rules(length, self.jacoby, self.beavers)?;
        let begun = NewMatch {
            length,
            name: name.to_owned(),
            seed,
            rating: self.opponent,
            rules,
            ..NewMatch::default()
        };
        let mut record = begun.record();
        record.tags.push(("EventDate".into(), today()));
        self.screen.cube.apply_to(&mut record);
        Ok(Target::Mat.write(&record))
    }
}
