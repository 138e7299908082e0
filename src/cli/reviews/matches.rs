//! `luckless matches`: lists reviewed matches, shows the trend of a player's rating, and watches a folder for new
//! matches.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::Result;
use serde::Serialize;

use super::match_list::{MOST_NAMES, dated, heading, line_for, nobody, side, side_of, whose};
use super::matches_watch::Watched;
use crate::cli::common::options::{CubeModel, Nets, Threads, player_name, plies};
use crate::cli::common::output::{self, percent};
use crate::cli::common::usage::{misuse, must_be_there, say};
use crate::game::Player;
use crate::grid::Grid;
use crate::review::report::signed;
use crate::review::trend::TrendEstimate;
use crate::review::trend_parts::{ClassTrend, CubeErrorTrend, PartTrend, TypeTrend};
use crate::review::{Report, STANDARD_PLY};
use crate::store::{READ_TIMEOUT, ReviewStore, StoreError, UserFolders};
use crate::study::{GroupBy, MatchGroup, RatedMatch, RatingHistory};

const EXAMPLES: &str = "\
Examples:
  luckless review ~/matches
  luckless matches
  luckless matches --player anna
  luckless matches --player anna --by opponent
  luckless matches --player anna --json
  luckless matches --watch ~/matches

With --watch the matches of a folder that are not kept yet are reviewed, and then those that are saved \
there, each with a line when it is done, until Ctrl-C. A ~ after a date: the file has none, and \
this is the day it was written. A … after a score: nobody has won the match.";

/// The matches that were reviewed, and the trend of a player's rating
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Only matches of this player, and their trend and kinds of errors
    #[arg(long, value_name = "NAME", value_parser = player_name)]
    player: Option<String>,
    /// With --player: the matches by this as well
    #[arg(
        long,
        value_name = "WHAT",
        requires = "player",
        conflicts_with = "watch"
    )]
    by: Option<By>,
    /// Machine output: one JSON document; with --watch a line for each match
    #[arg(long)]
    json: bool,
    /// The file that reviews are kept in [default: the one in the data folder]
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Review the matches in FOLDER, and those that are saved there from now on
    #[arg(long, value_name = "FOLDER")]
    watch: Option<PathBuf>,
    /// Plies of lookahead of these reviews where a decision is close [default: 2]
    #[arg(long, value_name = "N", value_parser = plies(), requires = "watch")]
    ply: Option<u8>,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    nets: Nets,
    #[command(flatten)]
    cube: CubeModel,
}

#[derive(Serialize)]
struct TrendRow {
    player: String,
    pr: Option<TrendEstimate>,
    latest_ten: Option<TrendEstimate>,
    pr_change_in_ten_matches: Option<TrendEstimate>,
    classes: Vec<ClassTrend>,
    types: Vec<TypeTrend>,
    cube_errors: Vec<CubeErrorTrend>,
    #[serde(skip_serializing_if = "Option::is_none")]
    groups: Option<Vec<MatchGroup>>,
}

impl Args {
    pub(crate) fn run(self) -> Result<()> {
        if let Some(folder) = &self.watch {
            let watched = Watched {
                player: self.player.as_deref(),
                json: self.json,
                store: self.store.as_deref(),
                ply: self.ply.unwrap_or(STANDARD_PLY),
                threads: &self.threads,
                nets: &self.nets,
                cube: &self.cube,
            };
            return watched.run(folder);
        }
        if self.threads.is_given() || self.nets.is_given() || self.cube.is_given() {
            return Err(misuse("nothing is analysed here without --watch"));
        }
        self.list()
    }

    fn list(self) -> Result<()> {
        must_be_there(self.store.as_deref())?;
        let path = self
            .store
            .or_else(|| UserFolders::of_user().map(|places| places.reviews()));
        let mut kept = KeptReviews::default();
        let mut names = BTreeSet::new();
        let store = path.map(|path| ReviewStore::open_to_read(&path, READ_TIMEOUT));
        if let Some(store) = store.transpose()?.flatten() {
            let name = self.player.as_deref();
            let is_own = |report: &Report| name.is_some_and(|name| side(report, name).is_some());
            store.each_counted(&mut |why| say(&why), &is_own, |day, report| {
                if name.is_none_or(|name| side(&report, name).is_some()) {
                    kept.add(day, report);
                } else if names.len() < MOST_NAMES {
                    names.extend(report.players.map(|player| player.name));
                }
                Ok::<_, StoreError>(())
            })?;
        }
        let kept = match &self.player {
            None => kept.by_day(),
            Some(name) => kept.of(name)?.ok_or_else(|| nobody(name, &names))?,
        };
        let any = !kept.is_empty();
        let depths: BTreeSet<ReviewDepth> =
            kept.iter().map(|one| ReviewDepth::of(&one.1)).collect();
        // Money sessions do not use the match equity table.
        let matches = kept.iter().filter(|one| one.1.length > 0);
        let method = |one: &OwnReview| (one.1.engine.clone(), one.1.table.clone());
        let methods: BTreeSet<_> = matches.map(method).collect();
        let mut history = RatingHistory::default();
        let mut rows = Vec::new();
        let mut text = heading();
        for (day, report, whose) in kept {
            if let Some(side) = whose {
                history.push(RatedMatch::of(&report, &day, side));
            }
            if self.json {
                rows.push(dated(report, &day));
            } else {
                text += &line_for(&day, &report, whose);
            }
        }
        let trend = self.player.map(|player| TrendRow {
            player,
            pr: history.pr(),
            latest_ten: history.latest(),
            pr_change_in_ten_matches: history.slope(),
            classes: history.classes(),
            types: history.types(),
            cube_errors: history.cube_errors(),
            groups: self.by.map(|by| history.groups(by.into())),
        });
        if self.json {
            return output::json(&serde_json::json!({"matches": rows, "trend": trend}));
        }
        let order = match history.is_ordered() {
            true => "",
            false => "the order of the matches is not known: no latest ten, no change\n",
        };
        let note = format!("{order}{}{}", depths_note(&depths), methods_note(&methods));
        match trend {
            Some(trend) if any => output::text(&(text + &trend.text() + &note)),
            _ if any => output::text(&(text + &note)),
            _ => output::text("no reviewed match\n"),
        }
    }
}

/// A review with the date of the match.
type DatedReview = (String, Report);
/// A review with its date and the side of the requested player.
type OwnReview = (String, Report, Option<Player>);

/// The stored reviews, one per match.
#[derive(Default)]
struct KeptReviews {
    all: Vec<DatedReview>,
    /// Indices of matches by [`likeness`].
    known: HashMap<String, Vec<usize>>,
}

impl KeptReviews {
    /// Adds a later review. Of the reviews of one match the deepest stays, of several the latest, with the last date
    /// from its files.
    fn add(&mut self, day: &str, report: Report) {
        // A review that found no decision worth a rollout is deeper than one without rollouts.
        let depth = |of: &Report| (of.ply, of.rollouts.as_ref().map(|r| r.decisions));
        let places = self.known.entry(likeness(&report)).or_default();
        let mut alike = places.iter().copied();
        let is_told = has_luck(&report) && decisions(&report) >= TELLING;
        let is_alike = |&place: &usize| is_told || is_one_day(&self.all[place].0, day);
        let Some(place) = alike.find(is_alike) else {
            places.push(self.all.len());
            self.all.push((day.to_owned(), report));
            return;
        };
        let (day_there, there) = &mut self.all[place];
        // A less precise date does not replace a longer one.
        if !is_of_file(day) && !day_there.starts_with(day) {
            day.clone_into(day_there);
        }
        if depth(there) <= depth(&report) {
            *there = report;
        }
    }

    /// All reviews by date, without a player.
    fn by_day(mut self) -> Vec<OwnReview> {
        // Some dates became known after insertion.
        self.all.sort_by(|(a, _), (b, _)| a.cmp(b));
        let all = self.all.into_iter();
        all.map(|(day, report)| (day, report, None)).collect()
    }

    /// The reviews of the player meant by this name, by date; `None` if there is no such player.
    fn of(self, name: &str) -> Result<Option<Vec<OwnReview>>> {
        let reports: Vec<&Report> = self.all.iter().map(|(_, report)| report).collect();
        let Some(player) = whose(&reports, name)? else {
            return Ok(None);
        };
        let all = self.by_day().into_iter();
        let own = all.filter_map(|(day, report, _)| {
            let side = side_of(&report, &player)?;
            Some((day, report, Some(side)))
        });
        Ok(Some(own.collect()))
    }
}

/// Returns whether a date is the modification date of a file, which says nothing about the match.
fn is_of_file(day: &str) -> bool {
    day.contains('~')
}

/// Returns whether two dates may be of the same match.
fn is_one_day(a: &str, b: &str) -> bool {
    // One may be only a year or month.
    a.starts_with(b) || b.starts_with(a) || is_of_file(a) || is_of_file(b)
}

/// Key shared by different files of the same match: independent of format, depth, date, and corrected names.
fn likeness(report: &Report) -> String {
    // Luck is computed at 0-ply in every review. Equal luck over a whole match is no coincidence, unless it is zero.
    let luck = report.players.each_ref().map(|p| p.figures.luck.to_bits());
    let names = report.names();
    let names = if has_luck(report) { [""; 2] } else { names };
    format!("{:?}", (report.length, report.score, luck, names))
}

/// Number of decisions from which luck alone identifies a match, whatever its date.
const TELLING: u64 = 8;

/// Number of decisions of both players that count for PR.
fn decisions(report: &Report) -> u64 {
    let counted = report
        .players
        .iter()
        .map(|player| &player.figures.pr_counted);
    counted.map(|counted| u64::from(counted.decisions)).sum()
}

/// Returns whether luck identifies the match.
fn has_luck(report: &Report) -> bool {
    report.players.iter().any(|p| p.figures.luck != 0.0)
}

/// Depth of a review, ordered.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct ReviewDepth {
    ply: u8,
    is_rolled: bool,
}

impl ReviewDepth {
    fn of(report: &Report) -> Self {
        Self {
            ply: report.ply,
            is_rolled: report.rollouts.is_some(),
        }
    }

    fn words(self) -> String {
        let rollouts = if self.is_rolled { " with rollouts" } else { "" };
        format!("{}-ply{rollouts}", self.ply)
    }
}

/// The note on reviews of several depths, whose ratings are not comparable. The deepest review of a match is listed,
/// so others can be repeated at the maximum depth.
fn depths_note(depths: &BTreeSet<ReviewDepth>) -> String {
    let Some(deepest) = depths.last().filter(|_| depths.len() > 1) else {
        return String::new();
    };
    let all: Vec<String> = depths.iter().map(|depth| depth.words()).collect();
    let rollouts = if deepest.is_rolled {
        " and the same rollouts"
    } else {
        ""
    };
    format!(
        "\nreviews of several depths ({}): `luckless review --ply {}`{rollouts} for the others makes them alike\n",
        all.join(", "),
        deepest.ply
    )
}

/// The note on reviews by several evaluators and match equity tables.
fn methods_note(methods: &BTreeSet<(String, String)>) -> String {
    if methods.len() < 2 {
        return String::new();
    }
    let all: Vec<String> = methods
        .iter()
        .map(|(engine, table)| format!("{engine} with {table}"))
        .collect();
    format!(
        "\nreviews by several methods ({}): their ratings do not compare well\n",
        all.join(", ")
    )
}

impl TrendRow {
    fn text(&self) -> String {
        let mut out = String::from("\n");
        let mut row = |name: &str, estimate: &Option<TrendEstimate>, sign: bool| {
            let Some(e) = estimate else { return };
            let number = |v: f64| {
                if sign {
                    signed(v, 2)
                } else {
                    format!("{v:.2}")
                }
            };
            let interval = e.telling().map_or_else(
                || "  no interval yet".to_owned(),
                |[a, b]| format!("  95% interval {} … {}", number(a), number(b)),
            );
            let _ = writeln!(
                out,
                "{name} {}{interval}  ({} match{})",
                number(e.value),
                e.matches,
                if e.matches == 1 { "" } else { "es" }
            );
        };
        row("PR", &self.pr, false);
        row("PR of the latest ten", &self.latest_ten, false);
        // Few matches give no significant change; the JSON document contains it with its interval.
        let change = self.pr_change_in_ten_matches;
        let change = change.filter(TrendEstimate::says_something);
        row("change of PR in ten matches", &change, true);
        let classes = self.classes.iter().map(|row| (row.class.name(), &row.part));
        let types = self.types.iter().map(|row| (row.kind.name(), &row.part));
        parts_text(&mut out, "by class of decision", classes);
        parts_text(&mut out, "by kind of position", types);
        out += &cube_errors_text(&self.cube_errors);
        if let Some(groups) = &self.groups {
            out += &groups_text(groups);
        }
        out
    }
}

/// Grouping of matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum By {
    Month,
    Event,
    Opponent,
    Length,
}

impl From<By> for GroupBy {
    fn from(by: By) -> Self {
        match by {
            By::Month => Self::Month,
            By::Event => Self::Event,
            By::Opponent => Self::Opponent,
            By::Length => Self::Length,
        }
    }
}

/// A table with a row per group of matches.
fn groups_text(groups: &[MatchGroup]) -> String {
    let Some(first) = groups.first() else {
        return String::new();
    };
    let heading = match first.by {
        GroupBy::Month => "by month",
        GroupBy::Event => "by event",
        GroupBy::Opponent => "by opponent",
        GroupBy::Length => "by length",
    };
    let [matches, decisions, error, pr, interval] = MatchGroup::HEADS;
    let heads = [heading, matches, decisions, error, pr, interval];
    table(heads, groups.iter().map(MatchGroup::cells))
}

/// A table with a row per kind of cube error; empty if there were no opportunities.
fn cube_errors_text(errors: &[CubeErrorTrend]) -> String {
    match errors.is_empty() {
        true => String::new(),
        false => table(
            CubeErrorTrend::HEADS,
            errors.iter().map(CubeErrorTrend::cells),
        ),
    }
}

/// A table whose last column is an interval.
fn table<const N: usize>(heads: [&str; N], rows: impl Iterator<Item = [String; N]>) -> String {
    let mut grid = Grid::new(&heads).with_words(&heads[N - 1..]);
    rows.for_each(|row| grid.row(row.to_vec()));
    format!("\n{grid}")
}

/// Adds a table of the cost of parts of the decisions, with this heading.
fn parts_text<'a>(
    out: &mut String,
    heading: &str,
    parts: impl Iterator<Item = (&'static str, &'a PartTrend)>,
) {
    let head = [heading, "decisions", "error", "share", "PR"];
    for (i, (name, part)) in parts.enumerate() {
        if i == 0 {
            let _ = writeln!(
                out,
                "\n{:<22}{:>9}{:>9}{:>8}{:>8}  95% interval",
                head[0], head[1], head[2], head[3], head[4]
            );
        }
        let [pr, interval] = TrendEstimate::cells(part.pr);
        let line = format!(
            "{name:<22}{:>9}{:>9.3}{:>8}{pr:>8}  {interval}",
            part.decisions,
            part.error,
            percent(part.share),
        );
        let _ = writeln!(out, "{}", line.trim_end());
    }
}
