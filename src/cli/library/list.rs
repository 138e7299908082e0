//! `luckless library list`: the matches, a line each.

use anyhow::Result;
use serde::Serialize;

use super::found;
use super::place::Library;
use crate::cli::common::options::player_name;
use crate::cli::common::output;
use crate::cli::common::usage::say;
use crate::cli::reviews::match_list::{MOST_NAMES, nobody};
use crate::grid::{Grid, cut};
use crate::library::{MatchHead, MatchRatings, People, match_score};
use crate::sanitize;
use crate::store::library::{FileState, LibraryMatch};
use crate::words::counted;

/// Characters of a name or an event that are shown.
const WIDEST: usize = 20;

const EXAMPLES: &str = "\
Examples:
  luckless library list
  luckless library list --player anna
  luckless library list 'pr>8' date:2026 --player anna
  luckless library list blunder dice:66
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
    /// Whether the user is the left or the right player.
    me: Option<usize>,
    files: Vec<String>,
}

#[derive(Serialize)]
struct FailedRow {
    file: String,
    reason: String,
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        let filter = found::filter(&self.filter)?;
        let store = self.library.open_to_read()?;
        let tell = &mut |why: String| say(&why);
        let (mut all, mut people, mut failed) = (Vec::new(), People::default(), Vec::new());
        let mut matches = Vec::new();
        if let Some(store) = &store {
            all = store.matches(tell)?;
            people = store.people()?;
            failed = store.files(&mut |_| {})?;
            matches = store.filter(&filter, &all, &people)?;
        }
        let failed = failed.into_iter().filter_map(|file| match file.state {
            FileState::Failed { why, .. } => Some(FailedRow {
                file: file.path.display().to_string(),
                reason: why,
            }),
            _ => None,
        });
        let failed: Vec<FailedRow> = failed.collect();
        if self.failed {
            return self.show_failed(&failed);
        }
        if let Some(name) = &self.player {
            let side = |one: &LibraryMatch| people.side_of(&one.head.players, name);
            if !all.is_empty() && all.iter().all(|one| side(one).is_none()) {
                let names = all.iter().flat_map(|one| one.head.players.iter().cloned());
                return Err(nobody(name, &names.take(MOST_NAMES).collect()));
            }
            let first = |(one, _)| Some((one, side(one)?));
            matches = matches.into_iter().filter_map(first).collect();
        }
        if self.json {
            let rows: Vec<MatchRow<'_>> =
                matches.iter().map(|(one, _)| row(one, &people)).collect();
            return output::json(&serde_json::json!({"matches": rows, "failed": failed}));
        }
        if all.is_empty() {
            return output::text(&format!("{}\n", found::EMPTY));
        }
        if matches.is_empty() {
            return output::text(&found::nothing(&filter, &people));
        }
        output::text(&table(&matches))?;
        let is_named = self.player.is_some() || filter.names_player();
        let heads = matches.iter().map(|&(one, own)| (&one.head, own));
        if let Some(ratings) = MatchRatings::of(heads, &people, is_named) {
            let matches = match ratings.own.matches {
                1 => "1 match".to_owned(),
                n => format!("{n} matches"),
            };
            output::text(&format!("\n{matches}: {}\n", ratings.in_words()))?;
        }
        match failed.len() {
            0 => Ok(()),
            n => output::text(&format!(
                "\n{} could not be read: luckless library list --failed\n",
                counted(n, "file")
            )),
        }
    }

    fn show_failed(&self, failed: &[FailedRow]) -> Result<()> {
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
