//! Prints found decisions as a table, as JSON or as a list of positions.

use std::collections::{BTreeMap, HashMap};

use anyhow::Result;
use serde::Serialize;

use super::place::Library;
use crate::cli::common::output;
use crate::cli::common::usage::{misuse, say};
use crate::eval::Probabilities;
use crate::grid::{Grid, cut};
use crate::library::{Decision, Filter, FilterError, Found, Order, People, Search, SearchResult};
use crate::match_file::write::Target;
use crate::match_file::{LonePosition, Match};
use crate::notation::xgid_text;
use crate::review::{Mark, PositionType, Thresholds};
use crate::sanitize;
use crate::store::Notes;
use crate::store::library::LibraryMatch;
use crate::study::decision;
use crate::words::counted;

/// Maximum displayed characters of a name.
const WIDEST: usize = 14;
pub(super) const EMPTY: &str = "no match in the library: luckless library add FOLDER";

/// Order of the list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Sort {
    /// The largest error
    #[default]
    Error,
    /// The largest loss of match-winning chance
    Loss,
    /// The newest match
    Newest,
}

impl From<Sort> for Order {
    fn from(sort: Sort) -> Self {
        match sort {
            Sort::Error => Self::Error,
            Sort::Loss => Self::Loss,
            Sort::Newest => Self::Newest,
        }
    }
}

/// Output form of decisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Table,
    Json,
    /// A position file.
    Ids,
}

impl Form {
    /// JSON if requested, otherwise a table.
    pub(crate) fn of_json(json: bool) -> Self {
        if json { Self::Json } else { Self::Table }
    }
}

/// The document of `library errors` and of `find`.
#[derive(Serialize)]
struct FoundDocument<'a> {
    total: usize,
    error: f64,
    decisions: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    #[serde(rename = "match")]
    id: i64,
    file: Option<String>,
    date: &'a str,
    event: Option<&'a str>,
    player: &'a str,
    opponent: &'a str,
    length: u16,
    away: Option<[u16; 2]>,
    game: u32,
    #[serde(rename = "move")]
    number: u32,
    turn: u32,
    class: &'static str,
    #[serde(rename = "type")]
    kind: PositionType,
    /// XGID with score, cube and dice.
    position: String,
    dice: Option<String>,
    played: String,
    best: String,
    /// `played` and `best` in players' words.
    #[serde(skip)]
    words: [String; 2],
    error: f32,
    error_unnormalised: f32,
    mark: Mark,
    cubeful_equity: f32,
    #[serde(flatten)]
    chances: Probabilities,
    ply: u8,
    rolled: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<u32>,
}

/// Parses the filter of arguments.
pub(crate) fn filter(arguments: &[String]) -> Result<Filter> {
    let named = |error: FilterError| misuse(format!("filter, {error}"));
    Filter::of_arguments(arguments).map_err(named)
}

/// Message for a filter that refers to the unknown user.
const NOBODY_IS_YOU: &str = "you have not said who you are: luckless library me NAME";

/// Returns the message that nothing fits, or why nothing can.
pub(super) fn nothing(filter: &Filter, people: &People) -> String {
    let why = match filter.asks_for_me() && !people.knows_me() {
        true => NOBODY_IS_YOU.to_owned(),
        false => filter.nothing_fits(),
    };
    why + "\n"
}

/// Searches the library and prints the results.
pub(crate) fn show(library: &Library, search: &Search, form: Form) -> Result<()> {
    let answer = Answer::of(library, search, form)?;
    let SearchResult { total, error, .. } = answer.result;
    let nothing = || nothing(&search.filter, &answer.people);
    match form {
        Form::Ids => {
            let listed = answer.positions();
            if answer.matches.is_empty() {
                say(EMPTY);
            } else {
                report_listed(listed.len(), total, &nothing());
            }
            output::text(&list(listed))
        }
        Form::Json => output::json(&FoundDocument {
            total,
            error,
            decisions: answer.rows(),
        }),
        Form::Table if answer.matches.is_empty() => output::text(&format!("{EMPTY}\n")),
        Form::Table if total == 0 => output::text(&nothing()),
        Form::Table => {
            let (rows, like) = (answer.rows(), search.like.is_some());
            let table = table(&rows, like, search.order);
            output::text(&(table + &totals(rows.len(), total, error, like)))
        }
    }
}

/// The library's result for a search.
#[derive(Default)]
struct Answer {
    /// All matches by ID.
    matches: HashMap<i64, LibraryMatch>,
    /// The notes on them, if found decisions are listed.
    notes: BTreeMap<i64, Notes>,
    people: People,
    result: SearchResult,
}

impl Answer {
    /// Searches, reporting damage. A missing library gives no results.
    fn of(library: &Library, search: &Search, form: Form) -> Result<Self> {
        let Some(store) = library.open_to_read()? else {
            return Ok(Self::default());
        };
        let matches = store.matches(&mut |why| say(&why))?;
        let people = store.people()?;
        // Fails for all output forms, because nothing can be found without the user's name.
        if search.filter.asks_for_me() && !people.knows_me() {
            anyhow::bail!(NOBODY_IS_YOU);
        }
        let result = store.search(search, &matches, &people)?;
        let notes = match form {
            Form::Ids => store.notes(&matches)?,
            Form::Table | Form::Json => BTreeMap::new(),
        };
        result.damage().iter().for_each(|why| say(why));
        Ok(Self {
            matches: matches.into_iter().map(|one| (one.id, one)).collect(),
            notes,
            people,
            result,
        })
    }

    /// The found decisions with their matches.
    fn found(&self) -> impl Iterator<Item = (&LibraryMatch, &Found)> {
        let found = self.result.found.iter();
        found.filter_map(|one| Some((self.matches.get(&one.id)?, one)))
    }

    /// Their positions with remarks.
    fn positions(&self) -> Vec<LonePosition> {
        let noted = |(of, one): (&LibraryMatch, &Found)| noted(of, one, self.notes.get(&of.id)?);
        self.found().filter_map(noted).collect()
    }

    /// Their table rows.
    fn rows(&self) -> Vec<Row<'_>> {
        // Once per match, not per decision.
        let mut files = HashMap::new();
        let rows = self.found().filter_map(|(of, one)| {
            let file = files.entry(of.id).or_insert_with(|| file_of(of));
            Some(row(of, file.clone(), &one.decision.unpack()?, one))
        });
        rows.collect()
    }
}

/// Reports the number of listed positions if it is less than `total`. The list itself goes to a file.
fn report_listed(listed: usize, total: usize, nothing: &str) {
    match listed {
        0 => say(nothing.trim_end()),
        n if n < total => say(&format!(
            "{total} decisions fit; {} listed: --limit N lists more",
            first(n)
        )),
        _ => {}
    }
}

/// The lines below a table of `n` of `total` decisions. A search for similar positions has one result per game, whose
/// errors are not summed.
fn totals(n: usize, total: usize, error: f64, like: bool) -> String {
    let shown = match n < total {
        true => format!("; {} shown", first(n)),
        false => String::new(),
    };
    match like {
        true if n == total => String::new(),
        true => format!("\n{total} decisions, one of each game{shown}\n"),
        false => {
            let all = counted(total, "decision");
            format!("\n{all}, error total {error:.3} by lookahead, without rollouts{shown}\n")
        }
    }
}

/// Says how many decisions are shown: `the first 20 are`.
fn first(n: usize) -> String {
    match n {
        1 => "the first is".to_owned(),
        n => format!("the first {n} are"),
    }
}

/// A decision as a line of a list, followed by players, game, move, and the first line of the note.
fn noted(of: &LibraryMatch, found: &Found, notes: &Notes) -> Option<LonePosition> {
    let packed = &found.decision;
    let decision = decision::of_library(&of.head, &packed.unpack()?)?;
    let note = notes.get(&packed.place());
    let first = note.and_then(|note| note.trim().lines().next());
    let decision = decision.with_note(first);
    let remark = match decision.note {
        Some(note) => format!("{}: {note}", decision.source),
        None => decision.source,
    };
    Some(LonePosition {
        comment: Some(remark.into()),
        ..LonePosition::new(decision.state, 0)
    })
}

/// Formats a position file.
fn list(positions: Vec<LonePosition>) -> String {
    let record = Match {
        positions,
        ..Match::default()
    };
    match record.positions.is_empty() {
        true => String::new(),
        false => Target::Text.write(&record),
    }
}

/// The displayed file of a match.
fn file_of(of: &LibraryMatch) -> Option<String> {
    of.file_there().map(|path| path.display().to_string())
}

fn row<'a>(of: &'a LibraryMatch, file: Option<String>, one: &Decision, found: &Found) -> Row<'a> {
    let head = &of.head;
    let side = found.side();
    let state = &one.state;
    Row {
        id: of.id,
        file,
        date: &head.date,
        event: head.event.as_deref(),
        player: &head.players[side],
        opponent: &head.players[1 - side],
        length: head.length,
        away: state.score.away().map(|(own, other)| [own, other]),
        game: one.game + 1,
        number: one.number,
        turn: one.turn,
        class: one.class.name(),
        kind: one.kind,
        position: xgid_text(state),
        dice: state.roll.map(|roll| roll.to_string()),
        played: one.played.text(state),
        best: one.best.text(state),
        words: [one.played, one.best].map(|answer| answer.words(state)),
        error: one.error,
        error_unnormalised: one.loss,
        mark: Mark::of(one.error, &Thresholds::default()),
        cubeful_equity: one.equity,
        chances: one.chances,
        ply: one.ply,
        rolled: one.rolled,
        distance: found.distance,
    }
}

fn table(rows: &[Row<'_>], like: bool, order: Order) -> String {
    let mut head = match like {
        true => vec!["pips", "error"],
        false => vec!["error", ""],
    };
    // Adds the column by which rows are sorted.
    let is_by_loss = !like && order == Order::Loss;
    head.extend(is_by_loss.then_some("loss"));
    head.extend([
        "match", "game", "player", "away", "roll", "played", "best", "kind",
    ]);
    let words = ["player", "played", "best", "kind"];
    let mut grid = Grid::new(&head).with_words(&words);
    for one in rows {
        let error = format!("{:.3}", one.error);
        let (head, second) = match one.distance {
            Some(pips) => (pips.to_string(), error),
            None => (error, one.mark.sign().to_owned()),
        };
        let score = match one.away {
            None => "money".to_owned(),
            Some([own, other]) => format!("{own}-{other}"),
        };
        let mut cells = vec![head, second];
        cells.extend(is_by_loss.then(|| match one.away {
            None => "–".to_owned(),
            Some(_) => output::percent(one.error_unnormalised),
        }));
        cells.extend([
            one.id.to_string(),
            format!("{}.{}", one.game, one.number),
            cut(&sanitize::clean(one.player), WIDEST),
            score,
            one.dice.clone().unwrap_or_else(|| "cube".to_owned()),
            one.words[0].clone(),
            one.words[1].clone(),
            one.kind.name().to_owned(),
        ]);
        grid.row(cells);
    }
    let grid = grid.fitting(output::columns(), &["kind", "away", "match"]);
    grid.to_string()
}
