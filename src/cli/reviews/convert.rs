//! `luckless convert`: converts match files between formats.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::reviewer::kept_variations;
use crate::cli::common::options::player_name;
use crate::cli::common::output;
use crate::cli::common::stdin;
use crate::cli::common::usage::{misuse, say};
use crate::match_file::{Date, HeadCorrections, Match, write::Target};
use crate::sanitize;
use crate::store::{MatchFingerprint, NoteStore, READ_TIMEOUT, UserFolders, file};

const EXAMPLES: &str = "\
Examples:
  luckless convert studio.txt match.mat
  luckless convert match.xg match.sgf
  luckless convert match.sgf - --to json   to stdout
  luckless convert positions.txt list.json
  luckless convert evening.sgf second.mat --match 2
  luckless convert match.mat match.sgf --variations --notes
  luckless convert money.mat right.mat --jacoby --date 2026-11-20

What can be written, by the extension of OUT:
  .mat    match text as GNU Backgammon and eXtreme Gammon read it
  .txt    match text as people read it; of positions, an XGID a line
  .sgf    SGF as GNU Backgammon reads it, with its own analysis kept
  .json   all that is known, read back without loss

Whatever `inspect` reads can be converted. Warnings of reading go to stderr, and so does what the format \
written cannot hold.

Options from --player1 to --beavers correct what the file says, in every match of it: text of a money \
session, say, seldom tells its rules.";

/// A rule that is in force, or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Switch {
    /// In force
    On,
    /// Not in force
    Off,
}

/// Facts about the matches that the user knows better than the file.
#[derive(Debug, clap::Args)]
struct Corrections {
    /// The name of the left player
    #[arg(long, value_name = "NAME", value_parser = player_name)]
    player1: Option<String>,
    /// The name of the right player
    #[arg(long, value_name = "NAME", value_parser = player_name)]
    player2: Option<String>,
    /// The day it was played: 2026-11-20
    #[arg(long, value_name = "DAY", value_parser = whole_day)]
    date: Option<String>,
    /// The event it belongs to
    #[arg(long, value_name = "TEXT")]
    event: Option<String>,
    /// The round of the event
    #[arg(long, value_name = "TEXT")]
    round: Option<String>,
    /// Where it was played
    #[arg(long, value_name = "TEXT")]
    place: Option<String>,
    /// Money: by the Jacoby rule, or with =off without it
    #[arg(
        long,
        value_name = "on|off",
        value_enum,
        num_args = 0..=1,
        require_equals = true,
        hide_possible_values = true,
        default_missing_value = "on"
    )]
    jacoby: Option<Switch>,
    /// Money: with beavers, or with =off without them
    #[arg(
        long,
        value_name = "on|off",
        value_enum,
        num_args = 0..=1,
        require_equals = true,
        hide_possible_values = true,
        default_missing_value = "on"
    )]
    beavers: Option<Switch>,
}

impl Corrections {
    /// Corrects the matches of a file. Money rules are refused if it has no money session.
    fn apply_to(&self, first: &mut Match) -> Result<()> {
        let text = |text: &Option<String>| {
            text.as_deref()
                .map(|text| sanitize::clean(text).trim().to_owned())
        };
        let is_on = |switch: Option<Switch>| switch.map(|switch| switch == Switch::On);
        let all = HeadCorrections {
            players: [text(&self.player1), text(&self.player2)],
            date: self.date.clone(),
            event: text(&self.event),
            round: text(&self.round),
            place: text(&self.place),
            jacoby: is_on(self.jacoby),
            beavers: is_on(self.beavers),
        };
        let is_money = |record: &Match| {
            let mut alone = record.positions.iter();
            record.length == 0 && !record.games.is_empty()
                || alone.any(|one| one.state.score.is_money())
        };
        if all.are_of_money_rules() && !is_money(first) && !first.others.iter().any(is_money) {
            return Err(misuse(
                "--jacoby and --beavers are for money play, and the file has no money session",
            ));
        }
        all.apply_to(first);
        let [left, right] = &first.players;
        if left == right && all.players.iter().any(Option::is_some) {
            return Err(misuse(format!("both players would be called {left}")));
        }
        first.others.iter_mut().for_each(|one| all.apply_to(one));
        Ok(())
    }
}

/// Selects one match of a file.
fn only(mut first: Match, number: usize) -> Result<Match> {
    let count = first.played().count();
    let others = std::mem::take(&mut first.others);
    let all = std::iter::once(first).chain(others);
    let mut played = all.filter(|one| !one.games.is_empty());
    let wanted = played.nth(number - 1);
    wanted.ok_or_else(|| misuse(format!("--match {number}: the file has {count} in all")))
}

/// Parses a complete date, in the form of match files.
fn whole_day(text: &str) -> Result<String, String> {
    let day = Date::parse(text).filter(Date::is_whole);
    let day = day.map(|day| day.to_string());
    day.ok_or_else(|| "expected a day as 2026-11-20".to_owned())
}

/// Read a match file of any known format and write it in another
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The file to read, or - for stdin
    #[arg(value_name = "IN")]
    from: PathBuf,
    /// The file to write: .mat, .txt, .sgf or .json, or - for stdout
    #[arg(value_name = "OUT", required_unless_present = "named_out")]
    out: Option<PathBuf>,
    /// The same as OUT, as other commands have it
    #[arg(
        long = "out",
        id = "named_out",
        value_name = "FILE",
        conflicts_with = "out"
    )]
    named_out: Option<PathBuf>,
    /// The format to write, whatever the extension of OUT (match text for stdout)
    #[arg(long, value_name = "FORMAT", value_parser = ["mat", "txt", "sgf", "json"])]
    to: Option<String>,
    /// Write only the match of this number in the file, as `inspect` lists them
    #[arg(long = "match", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    only: Option<u32>,
    /// Write the variations kept with the match as well (SGF and JSON)
    #[arg(long)]
    variations: bool,
    /// Write the notes kept with the match as comments (SGF and JSON)
    #[arg(long)]
    notes: bool,
    /// Replace OUT if it exists
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    corrections: Corrections,
}

impl Args {
    pub(crate) fn run(self) -> Result<()> {
        let out = self.out.as_ref().or(self.named_out.as_ref());
        // Clap requires one of them.
        let out = out.map_or(Path::new("-"), PathBuf::as_path);
        let to_stdout = output::named_file(Some(out.to_owned()), self.force)?.is_none();
        let extension = match (&self.to, out.extension()) {
            (Some(format), _) => format.clone(),
            (None, _) if to_stdout => "mat".to_owned(),
            (None, extension) => extension.unwrap_or_default().to_string_lossy().into_owned(),
        };
        let Some(target) = Target::of_extension(&extension) else {
            return Err(misuse(format!(
                "{}: formats that can be written are {}",
                out.display(),
                Target::EXTENSIONS
            )));
        };
        if file::is_same(&self.from, out) {
            let out = out.display();
            return Err(misuse(format!(
                "{out}: is the file that is read; a match is never written over its source"
            )));
        }
        let mut record = stdin::read_match(&self.from)?;
        if let Some(number) = self.only {
            record = only(record, number as usize)?;
        }
        let kept = [("--variations", self.variations), ("--notes", self.notes)];
        if let Some((option, _)) = kept.iter().find(|(_, is_wanted)| *is_wanted) {
            if !target.holds_variations() {
                return Err(misuse(format!(
                    "{option} needs SGF or JSON: match text holds neither variations nor comments"
                )));
            }
            self.add_kept(&mut record)?;
        }
        self.corrections.apply_to(&mut record)?;
        let name = self.from.display();
        for warning in record.all_warnings() {
            say(&format!("{name}:{}", warning.behind_file_name()));
        }
        let matches = record.played().count();
        if matches > 1 && matches!(target, Target::Mat | Target::Text) {
            let warning = format!(
                "{name}: {matches} matches are written one after the other; other programs \
                 read the first only"
            );
            say(&warning);
        }
        let text = target.write(&record);
        for line in target.left_out(&record, &text) {
            say(&format!("{name}: {line}"));
        }
        if to_stdout {
            return output::text(&text);
        }
        output::to_file(out, text.as_bytes(), self.force)
    }

    /// Adds the requested stored variations and notes to the matches of a file.
    fn add_kept(&self, first: &mut Match) -> Result<()> {
        let Some(places) = UserFolders::of_user() else {
            bail!("there is no folder for notes on this system");
        };
        self.add_kept_to(first, &places)?;
        let mut others = first.others.iter_mut();
        others.try_for_each(|record| self.add_kept_to(record, &places))
    }

    fn add_kept_to(&self, record: &mut Match, places: &UserFolders) -> Result<()> {
        let fingerprint = MatchFingerprint::of(record);
        let kept = NoteStore::read_all(&places.notes(), &fingerprint, READ_TIMEOUT)?;
        if self.notes {
            record.add_notes(&kept.notes);
        }
        if self.variations {
            let (all, refused) = kept_variations(record, &kept.variations);
            if let Some(why) = refused {
                say(&why);
            }
            record.variations = all;
        }
        Ok(())
    }
}
