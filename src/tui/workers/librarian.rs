//! Reads the library for its window on a separate thread. Of pending queries only the newest is answered.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::started;
use crate::game::GameState;
use crate::library::{
    Found, Likeness, MatchHead, MatchRatings, People, Search, SearchResult, names,
};
use crate::panics::guarded;
use crate::review::{Mark, Thresholds};
use crate::store::library::{FileState, LibraryFile, LibraryMatch};
use crate::store::{LibraryStore, READ_TIMEOUT, StoreError};
use crate::tui::documents::match_decision::MatchDecision;
use crate::tui::message::{Message, Tell as _};
use crate::tui::windows::library::{
    ExpectedMatch, LibraryList, LibraryQuery, LibraryRequest, LibraryRow, LibraryView, MOST_ROWS,
    MatchOrder, RowAbout,
};

/// Handle of the thread that reads the library.
pub struct Librarian {
    requests: Sender<LibraryRequest>,
}

impl Librarian {
    /// Starts the thread for the library at `path`.
    pub fn start(path: PathBuf, messages: Sender<Message>) -> Self {
        let (requests, inbox) = unbounded();
        let own = messages.clone();
        let spawned = std::thread::Builder::new()
            .name("librarian".into())
            .spawn(move || work(&path, &inbox, &own));
        started(spawned, "read the library", &messages);
        Self { requests }
    }

    /// Sends a request.
    pub fn ask(&self, request: LibraryRequest) {
        // The thread ends only with the program.
        let _ = self.requests.send(request);
    }
}

fn work(path: &Path, inbox: &Receiver<LibraryRequest>, messages: &Sender<Message>) {
    let mut latest: Option<LibraryQuery> = None;
    let mut listed = None;
    // Damage is reported once, not at each reading of the list.
    let mut told = HashSet::new();
    let mut tell = |why: String| {
        if told.insert(why.clone()) {
            messages.warn(why);
        }
    };
    while let Ok(first) = inbox.recv() {
        for request in std::iter::once(first).chain(inbox.try_iter()) {
            let done = match request {
                LibraryRequest::Show(query) => {
                    latest = Some(*query);
                    Ok(())
                }
                LibraryRequest::Remove(id) => {
                    LibraryStore::open(path).and_then(|mut store| store.remove(&[id]))
                }
                LibraryRequest::Me(name) => change_me(path, &name),
            };
            if let Err(error) = done {
                messages.warn(error.to_string());
            }
        }
        if let Some(query) = &latest {
            let answered = guarded(|| answer_with(path, query, &mut listed, &mut tell));
            let found = answered.and_then(|found| found.map_err(|error| error.to_string()));
            messages.tell(Message::Library {
                number: query.number,
                found: found.map(Box::new),
            });
        }
    }
}

fn change_me(path: &Path, name: &str) -> Result<(), StoreError> {
    let mut store = LibraryStore::open(path)?;
    let change = |people: &mut People| {
        let is = people.is_me(name);
        people.set_me(name, !is);
    };
    store.change_people(change).map(drop)
}

/// Answers a query.
///
/// # Errors
/// [`StoreError`] if the library cannot be read.
#[cfg(test)]
pub fn answer(path: &Path, query: &LibraryQuery) -> Result<LibraryView, StoreError> {
    answer_with(path, query, &mut None, &mut |_| {})
}

/// The part of the library that does not depend on the query. It is read again only when the file has changed, not
/// for each typed letter.
struct Listed {
    /// Length and modification time of the file.
    state: (u64, SystemTime),
    matches: Vec<LibraryMatch>,
    people: People,
    failed: usize,
}

impl Listed {
    fn read(
        store: &LibraryStore,
        state: (u64, SystemTime),
        tell: &mut dyn FnMut(String),
    ) -> Result<Self, StoreError> {
        let files = store.files(tell)?;
        let failed = |file: &&LibraryFile| matches!(file.state, FileState::Failed { .. });
        Ok(Self {
            state,
            matches: store.matches(tell)?,
            people: store.people()?,
            failed: files.iter().filter(failed).count(),
        })
    }
}

fn answer_with(
    path: &Path,
    query: &LibraryQuery,
    listed: &mut Option<Listed>,
    tell: &mut dyn FnMut(String),
) -> Result<LibraryView, StoreError> {
    let empty = LibraryView {
        list: query.list,
        ..LibraryView::default()
    };
    let meta = std::fs::metadata(path).ok();
    let state = meta.and_then(|meta| Some((meta.len(), meta.modified().ok()?)));
    let known = listed.take().filter(|listed| Some(listed.state) == state);
    let open = match known {
        Some(_) => LibraryStore::open_to_read,
        None => LibraryStore::open_to_list,
    };
    let Some(store) = open(path, READ_TIMEOUT)? else {
        return Ok(empty);
    };
    let known = match known {
        Some(known) => known,
        None => Listed::read(&store, state.unwrap_or((0, SystemTime::UNIX_EPOCH)), tell)?,
    };
    let Listed {
        matches,
        people,
        failed,
        ..
    } = listed.insert(known);
    let view = LibraryView {
        matches: matches.len(),
        failed: *failed,
        me: my_names(people, matches),
        people: people.clone(),
        ..empty
    };
    match query.list {
        LibraryList::Matches => matches_of(&store, query, matches, people, view),
        _ => decisions_of(&store, query, (matches, people), view, tell),
    }
}

/// Returns the matches that pass: with conditions on decisions, those with a decision that passes.
fn matches_of(
    store: &LibraryStore,
    query: &LibraryQuery,
    matches: &[LibraryMatch],
    people: &People,
    view: LibraryView,
) -> Result<LibraryView, StoreError> {
    let fitting = store.filter(&query.filter, matches, people)?;
    let mut all: Vec<(&LibraryMatch, usize)> = fitting.into_iter().rev().collect();
    sort(&mut all, query.by);
    let rows = all.iter().take(MOST_ROWS).map(|&(one, own)| {
        let head = &one.head;
        let order = [own, 1 - own];
        let about = RowAbout::Match {
            length: head.length,
            score: order.map(|side| head.score[side]),
            pr: order.map(|side| head.pr[side]),
            event: head.event.clone().unwrap_or_default(),
            ply: head.ply,
        };
        row(one, own, about, ExpectedMatch::Beginning(one.mark()))
    });
    Ok(LibraryView {
        rows: rows.collect(),
        total: all.len(),
        ratings: {
            let heads = all.iter().map(|&(one, own)| (&one.head, own));
            MatchRatings::of(heads, people, query.filter.names_player())
        },
        ..view
    })
}

/// Sorts matches, each with the side of the player named first; equal ones stay newest first.
fn sort(all: &mut [(&LibraryMatch, usize)], by: MatchOrder) {
    let name = |one: &LibraryMatch, side: usize| names::fold(&one.head.players[side]);
    match by {
        MatchOrder::Newest => {}
        MatchOrder::Player => {
            all.sort_by_cached_key(|&(one, own)| (name(one, own), name(one, 1 - own)));
        }
        MatchOrder::Opponent => all.sort_by_cached_key(|&(one, own)| name(one, 1 - own)),
        MatchOrder::Event => all.sort_by_cached_key(|(one, _)| {
            let event = one.head.event.as_deref().map(names::fold);
            // Matches without an event come last.
            (event.is_none(), event)
        }),
        MatchOrder::Rating => all.sort_by(|a, b| {
            let rating =
                |(one, own): &(&LibraryMatch, usize)| one.head.pr[*own].unwrap_or(f64::MAX);
            rating(a).total_cmp(&rating(b))
        }),
        MatchOrder::Result => all.sort_by_key(|&(one, own)| {
            let score = one.head.score;
            let margin = i64::from(score[own]) - i64::from(score[1 - own]);
            let rank = match one.head.winner() {
                Some(winner) if winner.index() == own => 0,
                None => 1,
                Some(_) => 2,
            };
            (rank, -margin)
        }),
    }
}

/// The user's names as spelled in the matches; folded if no match has one.
fn my_names(people: &People, matches: &[LibraryMatch]) -> Vec<String> {
    let written = |mine: &str| {
        let mut names = matches.iter().flat_map(|one| &one.head.players);
        let own = names.find(|name| people.player(name) == mine);
        own.map_or_else(|| mine.to_owned(), Clone::clone)
    };
    people.mine().map(written).collect()
}

fn decisions_of(
    store: &LibraryStore,
    query: &LibraryQuery,
    (matches, people): (&[LibraryMatch], &People),
    view: LibraryView,
    tell: &mut dyn FnMut(String),
) -> Result<LibraryView, StoreError> {
    let like = query
        .like
        .as_deref()
        .filter(|_| query.list == LibraryList::Like);
    let search = Search {
        filter: query.filter.clone(),
        least: match query.list {
            LibraryList::Errors => Thresholds::default().doubtful,
            _ => 0.0,
        },
        like: like.map(|state: &GameState| Likeness::to(state)),
        order: query.order,
        most: MOST_ROWS,
    };
    let result = store.search(&search, matches, people)?;
    result.damage().into_iter().for_each(tell);
    let SearchResult {
        found,
        total,
        error,
        ..
    } = result;
    let matches: HashMap<i64, &LibraryMatch> = matches.iter().map(|one| (one.id, one)).collect();
    let rows = found
        .iter()
        .filter_map(|one| decision_row(matches.get(&one.id)?, one));
    Ok(LibraryView {
        rows: rows.collect(),
        total,
        error,
        ..view
    })
}

/// Converts a found decision into a row.
pub fn decision_row(of: &LibraryMatch, found: &Found) -> Option<LibraryRow> {
    let one = found.decision.unpack()?;
    let state = &one.state;
    let about = RowAbout::Decision {
        decision: MatchDecision {
            turn: one.turn as usize,
            is_silent: one.silent,
        },
        place: format!("{}.{}", one.game + 1, one.number),
        score: match state.score.away() {
            None => "money".to_owned(),
            Some((own, other)) => format!("{own}-{other}"),
        },
        roll: state
            .roll
            .map_or_else(|| "cube".to_owned(), |roll| roll.to_string()),
        played: one.played.words(state),
        best: one.best.words(state),
        error: one.error,
        lost: lost(one.loss, state.score.is_money()),
        mark: Mark::of(one.error, &Thresholds::default()),
        kind: one.kind,
        ply: one.ply,
        distance: found.distance,
    };
    let expected = ExpectedMatch::Position(one.turn as usize, state.position);
    Some(row(of, found.side(), about, expected))
}

/// Formats a loss in five columns: `7.94%` of the match, or in points.
fn lost(loss: f32, is_money: bool) -> String {
    let percent = 100.0 * loss;
    match is_money {
        true if loss < 9.9995 => format!("{loss:.3}"),
        true => format!("{loss:.2}"),
        false if percent < 9.995 => format!("{percent:.2}%"),
        false => format!("{percent:.1}%"),
    }
}

fn row(of: &LibraryMatch, own: usize, about: RowAbout, expected: ExpectedMatch) -> LibraryRow {
    let MatchHead { players, date, .. } = &of.head;
    LibraryRow {
        id: of.id,
        date: date.clone(),
        players: [players[own].clone(), players[1 - own].clone()],
        path: of.file_to_open().map(Path::to_owned),
        file: of.file_there().map(Path::to_owned),
        expected,
        about,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_have_five_columns() {
        for (loss, is_money, text) in [
            (0.0794, false, "7.94%"),
            (0.1364, false, "13.6%"),
            (0.0999, false, "9.99%"),
            (0.09998, false, "10.0%"),
            (0.123, true, "0.123"),
            (12.3456, true, "12.35"),
        ] {
            assert_eq!(lost(loss, is_money), text);
        }
    }
}
