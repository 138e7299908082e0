//! `luckless library list`: lists the matches, one per line.

use std::collections::BTreeMap;

use anyhow::Result;
use serde::Serialize;

use super::add::Failure;
use super::found;
use super::place::Library;
use crate::cli::common::options::player_name;
use crate::cli::common::output;
use crate::cli::common::usage::say;
use crate::cli::reviews::match_list::refuse_nobody;
use crate::grid::{Grid, cut};
use crate::library::{Filter, MatchHead, MatchRatings, People, match_score};
use crate::sanitize;
use crate::store::LibraryStore;
use crate::store::library::{FileState, LibraryFile, LibraryMatch};
use crate::words::{counted, counted_as};

/// Maximum displayed characters of a name or an event.
const WIDEST: usize = 20;

const EXAMPLES: &str = "\
Examples:
  luckless library list
  luckless library list --player anna
  luckless library list 'pr>8' date:2026 --player anna
  luckless library list blunder dice:66
  luckless library list --player anna --csv > season.csv
  luckless library list --failed
  luckless library list --json";

/// List the matches
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Which matches: words such as anna, length:7, date:2026, won; of decisions, one of the match must fit
    #[arg(value_name = "FILTER", conflicts_with = "failed")]
    filter: Vec<String>,
    /// Only matches of this player, told first
    #[arg(long, value_name = "NAME", value_parser = player_name, conflicts_with = "failed")]
    player: Option<String>,
    /// The files that could not be read, and why
    #[arg(long)]
    failed: bool,
    /// A table for a spreadsheet, one match a line, without rounding
    #[arg(long, conflicts_with_all = ["json", "failed"])]
    csv: bool,
    /// Machine output: one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    library: Library,
}

#[derive(Serialize)]
struct MatchRow<'a> {
    id: i64,
    #[serde(flatten)]
    head: &'a MatchHead,
    /// Side of the user: 0 left, 1 right.
    me: Option<usize>,
    files: Vec<String>,
}

/// The row of a file, if it could not be read.
fn failure(file: LibraryFile) -> Option<Failure> {
    match file.state {
        FileState::Failed { why, .. } => Some(Failure::new(&file.path, &why)),
        _ => None,
    }
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        let filter = found::filter(&self.filter)?;
        let store = self.library.open_to_read()?;
        let report = &mut |why: String| say(&why);
        let (mut all, mut people, mut failed) = (Vec::new(), People::default(), Vec::new());
        let mut matches = Vec::new();
        if let Some(store) = &store {
            all = store.matches(report)?;
            people = store.people()?;
            failed = store.files(&mut |_| {})?;
            matches = store.filter(&filter, &all, &people)?;
        }
        let failed: Vec<Failure> = failed.into_iter().filter_map(failure).collect();
        if self.failed {
            return self.show_failed(&failed);
        }
        if let Some(name) = &self.player {
            refuse_nobody(name, &all, &people)?;
            if let Some(store) = &store {
                matches = of_player(store, (&filter, name), &all, &people)?;
            }
        }
        if self.json {
            let rows: Vec<MatchRow<'_>> =
                matches.iter().map(|(one, _)| row(one, &people)).collect();
            return output::json(&serde_json::json!({"matches": rows, "failed": failed}));
        }
        if self.csv {
            return output::raw(csv(&matches).as_bytes());
        }
        if all.is_empty() {
            return output::text(&format!("{}\n", found::EMPTY));
        }
        if matches.is_empty() {
            return output::text(&found::nothing(&filter, &people));
        }
        let is_named = self.player.is_some() || filter.names_player();
        print(&matches, &people, is_named, failed.len())
    }

    fn show_failed(&self, failed: &[Failure]) -> Result<()> {
        if self.json {
            return output::json(&serde_json::json!({"failed": failed}));
        }
        if failed.is_empty() {
            return output::text("every file could be read\n");
        }
        failed
            .iter()
            .try_for_each(|one| output::text(&format!("{}\n", one.reason)))
    }
}

/// Prints the matches as a table, a player's rating over them if `is_named`, and the number of unreadable files.
fn print(
    matches: &[(&LibraryMatch, usize)],
    people: &People,
    is_named: bool,
    failed: usize,
) -> Result<()> {
    output::text(&table(matches))?;
    let heads = matches.iter().map(|&(one, own)| (&one.head, own));
    if let Some(ratings) = MatchRatings::of(heads, people, is_named) {
        let matches = counted_as(ratings.own.matches, ["match", "matches"]);
        output::text(&format!("\n{matches}: {}\n", ratings.in_words()))?;
    }
    match failed {
        0 => Ok(()),
        n => output::text(&format!(
            "\n{} could not be read: luckless library list --failed\n",
            counted(n, "file")
        )),
    }
}

/// Returns the matches that pass for a player of this name, with that player's side.
fn of_player<'a>(
    store: &LibraryStore,
    (filter, name): (&Filter, &str),
    all: &'a [LibraryMatch],
    people: &People,
) -> Result<Vec<(&'a LibraryMatch, usize)>> {
    let names = all.iter().flat_map(|one| &one.head.players);
    let meant = people.meant(names.map(String::as_str), name);
    let mut sides = BTreeMap::new();
    for player in &meant {
        let filter = filter.clone().of_player(Some(player));
        for (one, side) in store.filter(&filter, all, people)? {
            sides.entry(one.id).or_insert(side);
        }
    }
    let with_side = |one: &'a LibraryMatch| Some((one, *sides.get(&one.id)?));
    Ok(all.iter().filter_map(with_side).collect())
}

fn row<'a>(one: &'a LibraryMatch, people: &People) -> MatchRow<'a> {
    MatchRow {
        id: one.id,
        head: &one.head,
        me: one.head.players.iter().position(|name| people.is_me(name)),
        files: one
            .files
            .iter()
            .map(|path| path.display().to_string())
            .collect(),
    }
}

/// The columns of [`csv`].
const CSV: &str = "date,match,player,opponent,event,site,length,points,opponent_points,complete,games,pr,opponent_pr,\
                   decisions,error,luck,luck_adjusted_result,ply,files";

/// Formats a line for each match, with the figures of the player named first.
fn csv(matches: &[(&LibraryMatch, usize)]) -> String {
    let mut out = format!("{CSV}\r\n");
    for &(one, own) in matches {
        let (head, other) = (&one.head, 1 - own);
        let rating = |side: usize| head.pr[side].map_or_else(String::new, |pr| pr.to_string());
        let cells = [
            one.id.to_string(),
            head.players[own].clone(),
            head.players[other].clone(),
            head.event.clone().unwrap_or_default(),
            head.site.clone().unwrap_or_default(),
            head.length.to_string(),
            head.score[own].to_string(),
            head.score[other].to_string(),
            head.complete.to_string(),
            head.games.to_string(),
            rating(own),
            rating(other),
            head.pr_decisions[own].to_string(),
            head.error[own].to_string(),
            head.luck[own].to_string(),
            head.luck_adjusted_result[own].to_string(),
            head.ply.to_string(),
            one.files.len().to_string(),
        ];
        let cells = cells.map(|cell| output::csv_cell(&cell));
        let date = output::csv_date(&head.date);
        out += &format!("{date},{}\r\n", cells.join(","));
    }
    out
}

fn table(matches: &[(&LibraryMatch, usize)]) -> String {
    let mut grid = Grid::new(&[
        "date", "match", "player", "opponent", "length", "score", "PR", "opp.", "ply", "files",
        "event",
    ])
    .with_words(&["player", "opponent", "event"]);
    for &(one, own) in matches {
        let head = &one.head;
        let sides = [own, 1 - own];
        let name = |i: usize| cut(&sanitize::clean(&head.players[sides[i]]), WIDEST);
        let pr =
            |i: usize| head.pr[sides[i]].map_or_else(|| "–".to_owned(), |pr| format!("{pr:.2}"));
        let length = match head.length {
            0 => "money".to_owned(),
            n => n.to_string(),
        };
        let event = head.event.as_deref().unwrap_or_default();
        grid.row(vec![
            head.date.clone(),
            one.id.to_string(),
            name(0),
            name(1),
            length,
            match_score(head.length, sides.map(|side| head.score[side])),
            pr(0),
            pr(1),
            head.ply.to_string(),
            one.files.len().to_string(),
            cut(&sanitize::clean(event), WIDEST),
        ]);
    }
    let grid = grid.without_empty_last();
    let grid = grid.fitting(output::columns(), &["files", "ply", "event", "length"]);
    grid.to_string()
}
