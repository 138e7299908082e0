//! `luckless library record`: results of each pair of players, as played and luck-adjusted.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use anyhow::{Result, bail};
use serde::Serialize;

use super::place::Library;
use crate::cli::common::options::{CubeModel, Nets, Threads, player_name};
use crate::cli::common::output;
use crate::cli::common::progress::FileProgress;
use crate::cli::common::signals::asked_to_end;
use crate::cli::common::stdin;
use crate::cli::common::usage::{message_of, say};
use crate::cli::duel::print::DuelUnit;
use crate::cli::reviews::match_list::{MOST_NAMES, nobody};
use crate::duel::Column;
use crate::eval::Evaluator as _;
use crate::grid::{Grid, cut};
use crate::library::People;
use crate::match_file::{Analyses, Match};
use crate::review::bounded_luck::{LuckBounds, contests};
use crate::sanitize;
use crate::stats::interval::{negated, possible};
use crate::store::{LibraryStore, MatchFingerprint, folder};
use crate::study::pair_table::{PairResults, PairTable, Results};
use crate::words::counted;

/// Maximum displayed characters of a name.
const WIDEST: usize = 16;
/// Maximum number of pairs shown as text.
const MOST_PAIRS: usize = 20;
/// Maximum absolute value of a match result, as winning chance minus one half.
const MOST_MWC: f64 = 0.5;

const EXAMPLES: &str = "\
Examples:
  luckless library record ~/matches
  luckless library record --player anna        the matches of the library
  luckless library record ~/matches --csv > record.csv

Each match that was played to its end is one result, each money game too. The luck is that of the static \
evaluation, and is kept within --luck-bound: so betting and order statistics hold for every distribution. \
Money games have no such bound. A match that is in several files counts once. Names that the library knows as \
one player's are one player.";

/// The record of each pair of players, as played and luck-adjusted
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Match files, or folders of them; - is stdin [default: those of the library]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Only this player, against each opponent
    #[arg(long, value_name = "NAME", value_parser = player_name)]
    player: Option<String>,
    /// Bound of the luck in a match, in percent
    #[arg(long, value_name = "B", default_value_t = 70.0, value_parser = percent)]
    luck_bound: f64,
    /// A line for each player, opponent and length, as RFC 4180 has them
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Machine output: one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    library: Library,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    nets: Nets,
    #[command(flatten)]
    cube: CubeModel,
}

fn percent(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    number
        .filter(|b: &f64| (1.0..=1000.0).contains(b))
        .ok_or_else(|| "expected a number from 1 to 1000".to_owned())
}

/// Luck bound of a money game, in points.
const MONEY_BOUND: f64 = 24.0;

#[derive(Serialize)]
struct Document<'a> {
    engine: &'a str,
    luck_bound: f64,
    matches: usize,
    unfinished: usize,
    /// Unfinished games in money sessions whose other games are complete.
    unfinished_games: usize,
    /// Matches whose two names belong to one player.
    one_player: usize,
    records: Vec<RecordRow>,
}

/// A player's results against an opponent.
#[derive(Clone, Serialize)]
struct RecordRow {
    player: String,
    opponent: String,
    unit: DuelUnit,
    /// `None` for matches of all lengths.
    length: Option<u16>,
    contests: u64,
    won: u32,
    lost: u32,
    games: u64,
    plays: u64,
    /// Results whose luck reached its bound.
    bounded: u64,
    plain: Figures,
    reduced: Figures,
}

#[derive(Clone, Serialize)]
struct Figures {
    mean: f64,
    se: f64,
    sd: f64,
    central_limit95: [f64; 2],
    anytime95: [f64; 2],
    betting95: Option<[f64; 2]>,
    order95: Option<[f64; 2]>,
}

impl Figures {
    fn new(column: &Column, is_bounded: bool) -> Self {
        // No match is worth more than one half to either side, so intervals of means are clipped to that.
        let bounded = |interval: [f64; 2]| match is_bounded && interval[0].is_finite() {
            true => possible(interval, [-MOST_MWC, MOST_MWC]),
            false => interval,
        };
        Self {
            mean: column.pairs.mean(),
            se: column.pairs.standard_error(),
            sd: column.pairs.variance().sqrt(),
            central_limit95: bounded(column.central_limit()),
            anytime95: bounded(column.anytime()),
            betting95: is_bounded.then(|| bounded(column.betting())),
            order95: is_bounded.then(|| bounded(column.order_statistics())),
        }
    }

    fn flipped(&self) -> Self {
        Self {
            // Not -0.
            mean: 0.0 - self.mean,
            central_limit95: negated(self.central_limit95),
            anytime95: negated(self.anytime95),
            betting95: self.betting95.map(negated),
            order95: self.order95.map(negated),
            ..*self
        }
    }

    fn intervals(&self) -> [Option<[f64; 2]>; 4] {
        let [limit, anytime] = [self.central_limit95, self.anytime95].map(Some);
        [limit, anytime, self.betting95, self.order95]
    }
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        let store = self.library.open_to_read()?;
        let people = match &store {
            Some(store) => store.people()?,
            None => People::default(),
        };
        let engine = self.nets.engine()?;
        let mut counts = Counts::default();
        let table = self.table(store.as_ref(), &people, &engine, &mut counts)?;
        if let Some(name) = self.player.as_ref().filter(|_| counts.matches == 0) {
            let names: BTreeSet<String> = counts.others.into_iter().take(MOST_NAMES).collect();
            return Err(nobody(name, &names));
        }
        let rows = self.rows(&table, &people);
        if self.csv {
            return output::raw(csv(&rows).as_bytes());
        }
        let document = Document {
            engine: engine.name(),
            luck_bound: self.luck_bound / 100.0,
            matches: counts.matches,
            unfinished: counts.unfinished,
            unfinished_games: counts.unfinished_games,
            one_player: counts.one_player,
            records: rows.into_iter().flatten().collect(),
        };
        match self.json {
            true => output::json(&document),
            false => output::text(&document.text()),
        }
    }

    /// Collects the results of all files, and the number of matches in `counts`.
    fn table(
        &self,
        store: Option<&LibraryStore>,
        people: &People,
        engine: &crate::eval::Engine,
        counts: &mut Counts,
    ) -> Result<PairTable> {
        let model = self.cube.load()?;
        let pool = self.threads.pool()?;
        let ended = asked_to_end()?;
        let cancelled = || ended.load(Ordering::Relaxed);
        let bounds = LuckBounds {
            mwc: self.luck_bound / 100.0,
            points: MONEY_BOUND,
        };
        let records = self.records(store, &cancelled)?;
        let mut table = PairTable::default();
        let mut progress = FileProgress::new(records.len());
        for (done, record) in records.iter().enumerate() {
            progress.show(done, record.path.as_deref().unwrap_or(Path::new("")));
            if !self.is_about(record, people) {
                // Candidates for a mistyped name.
                counts.others.extend(record.players.iter().cloned());
                continue;
            }
            counts.matches += 1;
            let keys = record.players.each_ref().map(|name| people.player(name));
            if keys[0] == keys[1] {
                counts.one_player += 1;
                continue;
            }
            let found = pool.install(|| contests(engine, &model, record, bounds, &cancelled));
            let Some(found) = found else {
                progress.clear();
                bail!("stopped after {done} of {} matches", records.len());
            };
            counts.unfinished += usize::from(found.is_empty());
            if record.length == 0 && !found.is_empty() {
                counts.unfinished_games += record.games.len() - found.len();
            }
            let bound = if record.length == 0 {
                bounds.points
            } else {
                bounds.mwc
            };
            table.add(&record.players, keys, record.length, &found, bound);
        }
        progress.clear();
        Ok(table)
    }

    /// Returns whether a match involves the named player, if any.
    fn is_about(&self, record: &Match, people: &People) -> bool {
        let is_wanted = |name: &String| self.is_wanted_name(name, people);
        record.players.iter().any(is_wanted)
    }

    fn is_wanted_name(&self, name: &str, people: &People) -> bool {
        let wanted = self.player.as_ref();
        wanted.is_none_or(|wanted| people.is_called(name, wanted))
    }

    /// The matches of all files, using the longest record of each.
    fn records(
        &self,
        store: Option<&LibraryStore>,
        cancelled: &dyn Fn() -> bool,
    ) -> Result<Vec<Match>> {
        let files = self.paths(store)?;
        let mut longest = LongestRecords::default();
        let mut progress = FileProgress::new(files.len());
        for (done, path) in files.iter().enumerate() {
            if cancelled() {
                progress.clear();
                bail!("stopped after {done} of {} files", files.len());
            }
            progress.show(done, path);
            let read = match stdin::import(path) {
                Ok(read) => read,
                Err(error) => {
                    progress.clear();
                    if self.files.contains(path) {
                        return Err(error);
                    }
                    say(&message_of(&error));
                    continue;
                }
            };
            for (_, mut record) in read.matches {
                let mark = MatchFingerprint::of(&record);
                if self.is_wanted(&mark, store)? {
                    self.cube.apply_to(&mut record);
                    longest.add(mark, record);
                }
            }
        }
        progress.clear();
        Ok(longest.records)
    }

    /// Returns whether a match counts: a match removed from the library is still in its file.
    fn is_wanted(&self, mark: &MatchFingerprint, store: Option<&LibraryStore>) -> Result<bool> {
        match (self.files.is_empty(), store) {
            (true, Some(store)) => Ok(store.find(mark)?.is_some()),
            _ => Ok(true),
        }
    }

    /// The named files, or else all existing files of the library.
    fn paths(&self, store: Option<&LibraryStore>) -> Result<Vec<PathBuf>> {
        let mut all = folder::with_folders(&self.files, &mut |e| say(&e));
        if let (true, Some(store)) = (self.files.is_empty(), store) {
            let mut seen = HashSet::new();
            for one in store.matches(&mut |why| say(&why))? {
                let there = one.files.into_iter().filter(|path| path.exists());
                let there: Vec<PathBuf> = there.collect();
                if there.is_empty() {
                    say(&format!("match {}: none of its files is there", one.id));
                }
                all.extend(there.into_iter().filter(|path| seen.insert(path.clone())));
            }
        }
        match all.is_empty() {
            true => bail!("no match in there: name match files, or `luckless library add FOLDER`"),
            false => Ok(all),
        }
    }

    /// The rows of each pair: for both players, or for the named one.
    fn rows(&self, table: &PairTable, people: &People) -> Vec<Vec<RecordRow>> {
        let pairs = table.pairs().into_iter().map(|pair| {
            let own = rows_of(pair);
            let flipped = own.iter().map(RecordRow::flipped);
            let both = own.iter().cloned().chain(flipped);
            both.filter(|row| self.is_wanted_name(&row.player, people))
                .collect::<Vec<_>>()
        });
        pairs.filter(|rows| !rows.is_empty()).collect()
    }
}

/// Numbers of matches and sessions, and of those excluded.
#[derive(Default)]
struct Counts {
    /// Matches of the named player, or all.
    matches: usize,
    /// Matches not recorded from 0–0 to the end.
    unfinished: usize,
    /// Unfinished games of other sessions.
    unfinished_games: usize,
    /// Matches between two names of one player.
    one_player: usize,
    /// Names in matches without the named player.
    others: BTreeSet<String>,
}

/// The longest record of each match, in order of discovery.
#[derive(Default)]
struct LongestRecords {
    records: Vec<Match>,
    /// Indices of matches.
    known: HashMap<MatchFingerprint, usize>,
}

impl LongestRecords {
    fn add(&mut self, mark: MatchFingerprint, record: Match) {
        let events = |of: &Match| -> usize { of.games.iter().map(|game| game.events.len()).sum() };
        // All records are in memory, and imported analyses take more space than the match.
        let record = Match {
            analyses: Analyses::default(),
            ..record
        };
        let place = *self.known.entry(mark).or_insert(self.records.len());
        match self.records.get_mut(place) {
            None => self.records.push(record),
            Some(there) if events(there) < events(&record) => *there = record,
            Some(_) => {}
        }
    }
}

/// Results of the first of two players by length, then for all lengths if there are several.
fn rows_of(pair: &PairResults) -> Vec<RecordRow> {
    let row = |length: Option<u16>, of: &Results| {
        let is_money = length == Some(0);
        RecordRow {
            player: pair.names[0].clone(),
            opponent: pair.names[1].clone(),
            unit: DuelUnit::of_money(is_money),
            length,
            contests: of.contests(),
            won: of.won,
            lost: of.lost,
            games: of.games,
            plays: of.plays,
            bounded: of.bounded,
            plain: Figures::new(&of.plain, !is_money),
            reduced: Figures::new(&of.reduced, !is_money),
        }
    };
    let lengths = pair.lengths.iter();
    let mut all: Vec<RecordRow> = lengths.map(|(length, of)| row(Some(*length), of)).collect();
    let is_several = pair.lengths.keys().filter(|length| **length > 0).count() > 1;
    all.extend(
        pair.matches
            .iter()
            .filter(|_| is_several)
            .map(|of| row(None, of)),
    );
    all
}

impl RecordRow {
    fn flipped(&self) -> Self {
        Self {
            player: self.opponent.clone(),
            opponent: self.player.clone(),
            won: self.lost,
            lost: self.won,
            plain: self.plain.flipped(),
            reduced: self.reduced.flipped(),
            ..*self
        }
    }

    fn what(&self) -> String {
        match self.length {
            None => "all".to_owned(),
            Some(0) => "money".to_owned(),
            Some(length) => length.to_string(),
        }
    }
}

impl Document<'_> {
    fn text(&self) -> String {
        if self.records.is_empty() {
            return format!("no result\n{}", self.left_out());
        }
        let mut text = format!(
            "Means and standard deviations of a match in %MWC less 50, of a money game in points.\n\
             Luck at 0-ply by {}, within {:.0} %MWC. Intervals of the luck-adjusted mean are 95 %.\n",
            self.engine,
            100.0 * self.luck_bound
        );
        let is_one = |a: &RecordRow, b: &RecordRow| {
            (&a.player, &a.opponent) == (&b.player, &b.opponent)
                || (&a.player, &a.opponent) == (&b.opponent, &b.player)
        };
        let pairs: Vec<&[RecordRow]> = self.records.chunk_by(is_one).collect();
        for rows in pairs.iter().take(MOST_PAIRS) {
            text += &pair_text(rows);
        }
        if let rest @ 1.. = pairs.len().saturating_sub(MOST_PAIRS) {
            text +=
                &format!("\nand {rest} more pairs (--json and --csv tell all, --player some)\n");
        }
        if self.records.iter().any(|row| row.bounded > 0) {
            text += "\n* the luck of some matches came to its bound: what fell after that is not subtracted. \
                     --luck-bound\n  changes it.\n";
        }
        text + &self.left_out()
    }

    /// Lists the excluded matches with the reason.
    fn left_out(&self) -> String {
        let mut text = String::new();
        for (count, why) in [
            (self.unfinished, "not recorded from 0–0 to the end"),
            (self.one_player, "both names are one player's"),
        ] {
            if count > 0 {
                text += &format!("\nleft out, {why}: {count} of {} matches\n", self.matches);
            }
        }
        if self.unfinished_games > 0 {
            let games = counted(self.unfinished_games, "money game");
            text += &format!("\nleft out, not recorded to the end: {games}\n");
        }
        text
    }
}

/// Formats two tables: results and intervals.
fn pair_text(rows: &[RecordRow]) -> String {
    let name = |name: &str| cut(&sanitize::clean(name), WIDEST);
    let mut results = Grid::new(&[
        "player",
        "length",
        "matches",
        "won–lost",
        "plays",
        "played",
        "sd",
        "adjusted",
        "sd",
    ]);
    let mut intervals = Grid::new(&[
        "",
        "length",
        "central limit",
        "anytime",
        "betting",
        "order statistics",
    ]);
    for row in rows {
        let unit = row.unit;
        results.row(vec![
            name(&row.player),
            row.what(),
            row.contests.to_string(),
            format!("{}–{}", row.won, row.lost),
            row.plays.to_string(),
            unit.signed(row.plain.mean),
            unit.plain(row.plain.sd),
            format!(
                "{}{}",
                unit.signed(row.reduced.mean),
                if row.bounded > 0 { "*" } else { "" }
            ),
            unit.plain(row.reduced.sd),
        ]);
        let mut cells = vec![name(&row.player), row.what()];
        cells.extend(row.reduced.intervals().map(|ends| match ends {
            Some(ends) => unit.interval(ends),
            None => "–".to_owned(),
        }));
        intervals.row(cells);
    }
    let [one, other] = [&rows[0].player, &rows[0].opponent].map(|one| name(one));
    // A single result has no interval except the bounds.
    match rows.iter().any(|row| row.contests > 1) {
        true => format!("\n{one} – {other}\n{results}{intervals}"),
        false => format!("\n{one} – {other}\n{results}"),
    }
}

/// Formats a CSV line for each row.
fn csv(pairs: &[Vec<RecordRow>]) -> String {
    let mut out = String::from("player,opponent,unit,length,contests,won,lost,games,plays,bounded");
    for column in ["played", "reduced"] {
        out += &format!(",{column},{column}_se,{column}_sd");
    }
    for interval in ["central_limit95", "anytime95", "betting95", "order95"] {
        out += &format!(",{interval}_low,{interval}_high");
    }
    out += "\r\n";
    let number = |value: f64| match value.is_finite() {
        true => format!("{value:.6}"),
        false => String::new(),
    };
    for row in pairs.iter().flatten() {
        let mut cells = vec![
            output::csv_cell(&row.player),
            output::csv_cell(&row.opponent),
            row.unit.name().to_owned(),
            row.what(),
            row.contests.to_string(),
            row.won.to_string(),
            row.lost.to_string(),
            row.games.to_string(),
            row.plays.to_string(),
            row.bounded.to_string(),
        ];
        for one in [&row.plain, &row.reduced] {
            cells.extend([one.mean, one.se, one.sd].map(number));
        }
        for ends in row.reduced.intervals() {
            cells.extend(ends.unwrap_or([f64::INFINITY; 2]).map(number));
        }
        out += &cells.join(",");
        out += "\r\n";
    }
    out
}
