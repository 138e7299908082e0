//! `luckless plan`: where more is lost than need be.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use serde::Serialize;

use crate::cli::common::options::{CubeModel, Nets, Threads, player_name, plies};
use crate::cli::common::output;
use crate::cli::common::usage::{message_of, misuse, report_not_kept, say};
use crate::cli::reviews::match_list::{MOST_NAMES, nobody, several, side_of, whose};
use crate::cli::reviews::reviewer::{FileReview, Reviewer, open_store};
use crate::cube::{Model, cube_words};
use crate::grid::Grid;
use crate::library::{Filter, Found, names};
use crate::notation::xgid_text;
use crate::review::STANDARD_PLY;
use crate::store::{
    HistoryOf, LibraryHistory, LibraryStore, READ_TIMEOUT, References, UserFolders, Whose, folder,
};
use crate::study::plan::{FamilyFinding, Plan, RATINGS, REFERENCE_RATING};
use crate::study::plan_words::PlanWords;
use crate::study::{PlayerRecord, PlayerSummary, StudyHistory};

/// Opponents that are listed.
const MOST_OPPONENTS: usize = 20;
/// Positions of a family that are listed.
const SHOWN_REFERENCES: usize = 2;

const EXAMPLES: &str = "\
Examples:
  luckless plan                                 yours, from the library
  luckless plan --player anna
  luckless plan --filter 'date:2026 length>=7'  of the matches that fit
  luckless plan ~/matches --player anna --reference 3

A family is a class of decisions in one kind of position, or at one part of the scores. Its loss is what \
the player lost beyond a reference player in the same positions. For a player like the reference, at most 5 % \
of plans name a family, and about 5 % a habit. Matches to a length and money sessions are not \
mixed: where there are both, only the matches count, or with --money only the sessions.";

/// Where a player loses more than a reference player would, with intervals
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Match files, or folders of them; - is stdin [default: the library]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The player [default: you, as the library knows you]
    #[arg(long, value_name = "NAME", value_parser = player_name)]
    player: Option<String>,
    /// Performance rating of the reference player
    #[arg(long, value_name = "PR", default_value_t = REFERENCE_RATING, value_parser = rating)]
    reference: f64,
    /// Only matches of the library that fit: words as `find` has them, such as 'date:2026 length>=7'
    #[arg(long, value_name = "WORDS", conflicts_with = "files")]
    filter: Option<String>,
    /// Money sessions only; else only matches to a length count where there are both
    #[arg(long)]
    money: bool,
    /// Plies of lookahead where a decision is close, of files that are not reviewed yet [default: 2]
    #[arg(long, value_name = "N", value_parser = plies())]
    ply: Option<u8>,
    /// Machine output: one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    nets: Nets,
    #[command(flatten)]
    cube: CubeModel,
}

fn rating(text: &str) -> Result<f64, String> {
    let [least, most] = RATINGS;
    let number = text.parse().ok();
    number
        .filter(|pr: &f64| (least..=most).contains(pr))
        .ok_or_else(|| format!("expected a rating from {least} to {most}"))
}

#[derive(Serialize)]
struct PlanJson<'a> {
    player: &'a str,
    unit: &'static str,
    not_counted: usize,
    #[serde(flatten)]
    plan: &'a Plan,
    families: Vec<FamilyJson<'a>>,
    record: &'a PlayerRecord,
}

#[derive(Serialize)]
struct FamilyJson<'a> {
    #[serde(flatten)]
    found: &'a FamilyFinding,
    filter: String,
    references: Vec<ReferenceJson>,
}

#[derive(Serialize)]
struct ReferenceJson {
    #[serde(rename = "match")]
    id: i64,
    game: u32,
    #[serde(rename = "move")]
    number: u32,
    turn: u32,
    position: String,
    played: String,
    best: String,
    error: f32,
}

impl Args {
    pub(crate) fn run(self) -> Result<()> {
        let analyses = self.ply.is_some() || self.threads.is_given() || self.nets.is_given();
        if self.files.is_empty() && analyses {
            return Err(misuse("nothing is analysed here without match files"));
        }
        let filter = match &self.filter {
            Some(words) => {
                Some(Filter::parse(words).map_err(|error| misuse(format!("filter, {error}")))?)
            }
            None => None,
        };
        let model = self.cube.load()?;
        let mut references = References::default();
        let summary = match self.files.is_empty() {
            false => self.of_files(&model)?.summary(self.reference, self.money),
            true => {
                let places = UserFolders::of_user();
                let places = places.context("the system names no folder for a library")?;
                let (library, reviews) = (places.library(), places.reviews());
                let of = HistoryOf {
                    library: &library,
                    reviews: &reviews,
                    whose: self.player.as_deref().map_or(Whose::User, Whose::Called),
                    filter: filter.as_ref(),
                    timeout: READ_TIMEOUT,
                };
                let summary = self
                    .of_library(&of, &model)?
                    .summary(self.reference, self.money);
                match &summary {
                    Some(found) => {
                        let families = found.plan.families.iter().map(|one| one.family);
                        references =
                            of.references(&families.collect::<Vec<_>>(), found.is_money)?;
                    }
                    None => self.is_there(&library)?,
                }
                summary
            }
        };
        let Some(summary) = summary else {
            let what = if self.money { "money session" } else { "match" };
            if let Some(filter) = &filter {
                return Err(misuse(format!(
                    "no reviewed {what}: {}",
                    filter.nothing_fits()
                )));
            }
            return Err(misuse(match &self.player {
                Some(name) => format!("no {what} has a player called '{name}'"),
                None => format!("no {what} to plan from"),
            }));
        };
        match self.json {
            true => output::json(&document(&summary, &references)),
            false => output::text(&in_words(&summary, &references)),
        }
    }

    /// Returns the player's history from the reviews of the library's matches.
    fn of_library(&self, of: &HistoryOf<'_>, model: &Model) -> Result<StudyHistory> {
        match of.read(model, &mut |why| say(&why), &mut |_, _| true)? {
            LibraryHistory::Found(history) => Ok(*history),
            LibraryHistory::Empty => {
                bail!("the library is empty: name match files, or `luckless library add FOLDER`")
            }
            LibraryHistory::Unknown => Err(misuse(
                "the library does not know who you are: --player NAME, or `luckless library me NAME`",
            )),
            LibraryHistory::Several(players) => Err(several(
                self.player.as_deref().unwrap_or_default(),
                &players,
            )),
        }
    }

    /// Refuses a player whom the library does not know, and names those whom it does.
    fn is_there(&self, library: &Path) -> Result<()> {
        let store = LibraryStore::open_to_list(library, READ_TIMEOUT)?;
        let (Some(name), Some(store)) = (&self.player, store) else {
            return Ok(());
        };
        let matches = store.matches(&mut |_| ())?;
        let names = matches.iter().flat_map(|one| &one.head.players);
        let meant = store
            .people()?
            .meant(names.clone().map(String::as_str), name);
        match meant.is_empty() {
            true => Err(nobody(name, &names.take(MOST_NAMES).cloned().collect())),
            false => Ok(()),
        }
    }

    fn of_files(&self, model: &Model) -> Result<StudyHistory> {
        let name = self.player.as_deref();
        let name = name.ok_or_else(|| misuse("--player names whose plan it is"))?;
        let pool = self.threads.pool()?;
        let store = open_store(None)?;
        let ply = self.ply.unwrap_or(STANDARD_PLY);
        let mut reviewer = Reviewer::new(&self.nets, &self.cube, ply, None, store)?;
        let files = folder::with_folders(&self.files, &mut |e| say(&e));
        let mut all: Vec<FileReview> = Vec::new();
        for path in &files {
            match pool.install(|| reviewer.file(path, &|| false)) {
                Ok(reviews) => reviews.into_iter().for_each(|one| add_once(&mut all, one)),
                Err(error) if self.files.contains(path) => return Err(error),
                Err(error) => say(&message_of(&error)),
            }
        }
        report_not_kept(reviewer.not_kept().as_ref());
        let reports: Vec<_> = all.iter().map(|one| &one.report).collect();
        let mut history = StudyHistory::default();
        let Some(player) = whose(&reports, name)? else {
            let players = reports.iter().flat_map(|report| &report.players);
            let names = players.map(|player| player.name.clone());
            return Err(nobody(name, &names.take(MOST_NAMES).collect()));
        };
        for FileReview { day, report, .. } in &all {
            if let Some(whose) = side_of(report, &player) {
                let other = &report.players[1 - whose.index()].name;
                history.add(report, day, whose, &names::fold(other), model);
            }
        }
        Ok(history)
    }
}

/// Adds a match; of one that is in several files the longest record.
fn add_once(all: &mut Vec<FileReview>, one: FileReview) {
    let moves = |one: &FileReview| -> usize {
        let games = one.report.games.iter();
        games.map(|game| game.moves.len()).sum()
    };
    let known = all
        .iter()
        .position(|other| other.fingerprint == one.fingerprint);
    match known {
        Some(i) if moves(&all[i]) < moves(&one) => all[i] = one,
        Some(_) => {}
        None => all.push(one),
    }
}

fn document<'a>(summary: &'a PlayerSummary, references: &References) -> PlanJson<'a> {
    let plan = &summary.plan;
    let family = |(i, one): (usize, &'a FamilyFinding)| FamilyJson {
        found: one,
        filter: one.family.filter() + summary.length_filter(),
        references: references
            .families
            .get(i)
            .map_or_else(Vec::new, |all| all.iter().filter_map(reference).collect()),
    };
    PlanJson {
        player: &summary.player,
        unit: if summary.is_money { "points" } else { "mwc" },
        not_counted: summary.not_counted,
        plan,
        families: plan.families.iter().enumerate().map(family).collect(),
        record: &summary.record,
    }
}

fn reference(found: &Found) -> Option<ReferenceJson> {
    let one = found.decision.unpack()?;
    Some(ReferenceJson {
        id: found.id,
        game: one.game + 1,
        number: one.number,
        turn: one.turn,
        position: xgid_text(&one.state),
        played: one.played.text(&one.state),
        best: one.best.text(&one.state),
        error: one.error,
    })
}

fn in_words(summary: &PlayerSummary, references: &References) -> String {
    let found = &summary.plan;
    let words = PlanWords::of(summary);
    let mut out = format!("{}\n", words.head());
    if let Some(line) = words.not_counted() {
        let how = match summary.is_money {
            true => "without --money they are, alone",
            false => "--money makes the plan of them",
        };
        out += &format!("{line}: {how}\n");
    }
    for line in [words.trend(), words.change(), words.luck()]
        .into_iter()
        .flatten()
    {
        out += &format!("{line}\n");
    }
    out += &format!("{}\n\n", words.reference());
    if found.families.is_empty() {
        out += &format!("{}\n", words.no_family());
    } else {
        out += &format!("{}:\n", words.families());
        let mut table = Grid::new(&PlanWords::FAMILY_COLUMNS);
        for one in &found.families {
            table.row(words.family(one).to_vec());
        }
        out += &table.to_string();
    }
    out.push('\n');
    for one in &found.habits {
        out += &format!("{}\n", PlanWords::habit(one));
    }
    if found.habits.is_empty() {
        out += "no habit stands out\n";
    }
    out += &reference_table(found, references);
    if !summary.record.opponents.is_empty() {
        out += &format!("\n{}:\n", words.opponents());
        let mut table = Grid::new(&words.opponent_columns());
        for one in summary.record.opponents.iter().take(MOST_OPPONENTS) {
            table.row(words.opponent(one).to_vec());
        }
        out += &table.to_string();
        let rest = summary
            .record
            .opponents
            .len()
            .saturating_sub(MOST_OPPONENTS);
        if rest > 0 {
            out += &format!("and {rest} more (--json tells all)\n");
        }
    }
    out
}

/// Positions that stand for the families.
fn reference_table(found: &Plan, references: &References) -> String {
    let mut table = Grid::new(&[
        "family", "match", "game", "error", "played", "best", "position",
    ])
    .with_words(&["played", "best", "position"]);
    let mut is_empty = true;
    for (one, all) in found.families.iter().zip(&references.families) {
        let shown = all.iter().take(SHOWN_REFERENCES);
        let rows = shown.filter_map(|found| Some((reference(found)?, found.decision.unpack()?)));
        for (row, decision) in rows {
            is_empty = false;
            let words = |text: &str| cube_words(text, &decision.state).to_owned();
            table.row(vec![
                one.family.name(),
                row.id.to_string(),
                format!("{}.{}", decision.game + 1, decision.number),
                format!("{:.3}", row.error),
                words(&row.played),
                words(&row.best),
                row.position,
            ]);
        }
    }
    match is_empty {
        true => String::new(),
        false => format!(
            "\npositions that stand for a family (`luckless quiz --family NAME` asks more):\n{table}"
        ),
    }
}
