//! The tables of the library and their rows.

use std::collections::{HashMap, HashSet};

use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};

use super::super::checksum::{RowChecksum, field};
use super::super::kind::{Kind, Table};
use super::super::match_fingerprint::OPENING;
use super::super::{MatchFingerprint, ReviewId, user_folders};
use super::entry::{Kept, LibraryMatch, MatchFiles, NewMatch};
use super::file_rows::files_of;
use super::path_text::path_text;
use crate::game::{Player, Roll};
use crate::library::{MatchHead, PackedDecision, People};
use crate::match_file::EventPlace;
use crate::rollout::RESULTS_DIGEST;

/// "LUCL" marks the file.
pub(crate) const KIND: Kind = Kind {
    file: user_folders::LIBRARY,
    application: 0x4c55_434c,
    version: 1,
    schema: "
CREATE TABLE matches (
  id INTEGER PRIMARY KEY,
  opening TEXT NOT NULL,
  beginning TEXT NOT NULL,
  head TEXT NOT NULL,
  results TEXT NOT NULL,
  review TEXT NOT NULL,
  head_sum INTEGER NOT NULL,
  decisions_sum INTEGER NOT NULL,
  decisions BLOB NOT NULL
);
CREATE INDEX by_opening ON matches (opening);
CREATE TABLE files (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  hash TEXT NOT NULL,
  state INTEGER NOT NULL,
  matches TEXT NOT NULL,
  reason TEXT NOT NULL,
  sum INTEGER NOT NULL
);
CREATE TABLE people (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  player TEXT NOT NULL,
  me INTEGER NOT NULL,
  sum INTEGER NOT NULL
);
",
    tables: &[
        Table::Rows("matches"),
        Table::Rows("files"),
        Table::Rows("people"),
    ],
};
/// Stored length of a mark, in characters.
pub(super) const MARK: usize = 16;
/// Minimum number of turns after which, together with the players' names, a longer record continues a shorter one.
/// Two matches of the same players rarely begin alike for so long.
const LEAST_TURNS: usize = 3;

/// The beginning of a match, as far as it identifies the match.
pub(super) struct Beginning {
    opening: String,
    /// One mark for each turn, concatenated.
    marks: String,
}

impl Beginning {
    pub(super) fn of(fingerprint: &MatchFingerprint) -> Self {
        let short = |mark: &String| mark.get(..MARK).unwrap_or_default().to_owned();
        let marks: Vec<String> = fingerprint.marks().rev().map(short).collect();
        Self::of_marks(&marks.concat())
    }

    /// Builds a beginning from the concatenated marks of its turns.
    pub(super) fn of_marks(marks: &str) -> Self {
        let turns = (marks.len() / MARK).min(OPENING);
        let opening = marks.get(turns.saturating_sub(1) * MARK..turns * MARK);
        Self {
            opening: opening.unwrap_or_default().to_owned(),
            marks: marks.to_owned(),
        }
    }

    /// The concatenated marks of its turns.
    pub(super) fn marks(&self) -> &str {
        &self.marks
    }

    /// Returns whether two records are of one match: one continues the other. Marks of fewer turns than [`OPENING`]
    /// depend on the players' names.
    pub(super) fn fits(&self, other: &str) -> bool {
        let telling = |marks| str::get(marks, (OPENING - 1) * MARK..).filter(|m| m.len() >= MARK);
        match (telling(&self.marks), telling(other)) {
            (Some(a), Some(b)) => a.starts_with(b) || b.starts_with(a),
            _ => {
                let turns = self.turns_in_common(other);
                let shorter = self.marks.len().min(other.len()) / MARK;
                self.marks == other || turns == shorter && turns >= LEAST_TURNS
            }
        }
    }

    /// Number of turns that both records share.
    fn turns_in_common(&self, other: &str) -> usize {
        let both = self
            .marks
            .as_bytes()
            .chunks(MARK)
            .zip(other.as_bytes().chunks(MARK));
        both.take_while(|(a, b)| a == b).count()
    }

    /// The openings to search for: the full one, and those of shorter stored records.
    fn openings(&self) -> impl Iterator<Item = &str> {
        let shorter = (LEAST_TURNS..OPENING).rev();
        let marks = shorter.filter_map(|turns| self.marks.get((turns - 1) * MARK..turns * MARK));
        std::iter::once(self.opening.as_str()).chain(marks)
    }

    /// Returns whether it has too few turns to identify a match.
    fn is_short(&self) -> bool {
        self.marks.len() < OPENING * MARK
    }
}

pub(super) const HEAD: &str = "id, opening, beginning, head, results, review, head_sum";

/// A row of a match, except its decisions.
pub(super) struct Stored {
    pub(super) id: i64,
    opening: String,
    pub(super) beginning: String,
    text: String,
    results: String,
    review: String,
    pub(super) head: MatchHead,
}

impl Stored {
    pub(super) fn whole(row: &Row<'_>) -> Option<Self> {
        let text: String = field(row, 3)?;
        let stored = Self {
            id: field(row, 0)?,
            opening: field(row, 1)?,
            beginning: field(row, 2)?,
            results: field(row, 4)?,
            review: field(row, 5)?,
            head: serde_json::from_str(&text).ok()?,
            text,
        };
        let sum: i64 = field(row, 6)?;
        let Self {
            opening,
            beginning,
            text,
            results,
            review,
            ..
        } = &stored;
        let whole = head_sum([opening, beginning, text, results, review]) == sum;
        whole.then_some(stored)
    }

    pub(super) fn listed(self, files: MatchFiles) -> LibraryMatch {
        LibraryMatch {
            id: self.id,
            head: self.head,
            review: ReviewId(self.review),
            is_current: self.results == RESULTS_DIGEST,
            leading: files.leading.len(),
            files: [files.leading, files.others].concat(),
            beginning: self.beginning,
        }
    }

    /// Returns whether `new`, another record of the match, should replace this one.
    pub(super) fn gives_way_to(&self, new: &MatchHead) -> bool {
        let old = &self.head;
        // A shorter record would lose turns.
        if new.turns < old.turns {
            return false;
        }
        let has_rules = (old.jacoby, old.beavers) == (new.jacoby, new.beavers);
        let is_alike =
            has_rules && old.engine == new.engine && old.is_of_table(new.table.as_deref());
        if self.results != RESULTS_DIGEST || !is_alike {
            return true;
        }
        (new.turns, new.ply, new.rolled) > (old.turns, old.ply, old.rolled)
    }
}

pub(super) fn head_sum(texts: [&str; 5]) -> i64 {
    let seal = RowChecksum::of("matches");
    texts.iter().fold(seal, |seal, text| seal.text(text)).sum()
}

pub(super) const DECISIONS: &str = "id, decisions_sum, decisions";

pub(super) fn decisions_sum(bytes: &[u8]) -> i64 {
    RowChecksum::of("decisions").bytes(bytes).sum()
}

/// Returns the decisions in a row of [`DECISIONS`], if undamaged.
pub(super) fn packed<'a>(row: &'a Row<'_>) -> Option<&'a [PackedDecision]> {
    let bytes = row.get_ref(2).ok()?.as_blob().ok()?;
    let sum: i64 = field(row, 1)?;
    (decisions_sum(bytes) == sum).then_some(())?;
    PackedDecision::read(bytes)
}

pub(super) fn by_id(connection: &Connection, id: i64) -> rusqlite::Result<Option<Stored>> {
    let question = format!("SELECT {HEAD} FROM matches WHERE id = ?1");
    let row = |row: &Row<'_>| Ok(Stored::whole(row));
    let found = connection.query_row(&question, [id], row).optional()?;
    Ok(found.flatten())
}

/// Returns the stored match of which this is the same, a longer or a shorter record.
pub(super) fn find(connection: &Connection, of: &Beginning) -> rusqlite::Result<Option<Stored>> {
    let by_opening = format!("SELECT {HEAD} FROM matches WHERE opening = ?1 ORDER BY id");
    for opening in of.openings() {
        let found = first_fitting(connection, &by_opening, opening, of)?;
        if found.is_some() {
            return Ok(found);
        }
    }
    if !of.is_short() {
        return Ok(None);
    }
    // Very short records are rare: all matches are searched for them.
    let by_beginning = "SELECT {HEAD} FROM matches WHERE substr(beginning, 1, length(?1)) = ?1";
    let by_beginning = by_beginning.replace("{HEAD}", HEAD);
    first_fitting(connection, &by_beginning, &of.marks, of)
}

/// Returns the first match found by `question` that has an undamaged row and fits.
fn first_fitting(
    connection: &Connection,
    question: &str,
    mark: &str,
    of: &Beginning,
) -> rusqlite::Result<Option<Stored>> {
    let mut statement = connection.prepare_cached(question)?;
    let mut rows = statement.query([mark])?;
    while let Some(row) = rows.next()? {
        if let Some(stored) = Stored::whole(row).filter(|stored| of.fits(&stored.beginning)) {
            return Ok(Some(stored));
        }
    }
    Ok(None)
}

/// Returns the match of this file whose beginning agrees at first and then differs: a play in it was corrected.
fn find_corrected(
    connection: &Connection,
    of: &Beginning,
    before: &FileBefore,
) -> rusqlite::Result<Option<Stored>> {
    let mut best: Option<(usize, Stored)> = None;
    for id in &before.left {
        let Some(stored) = by_id(connection, *id)? else {
            continue;
        };
        let turns = of.turns_in_common(&stored.beginning);
        if turns >= LEAST_TURNS && best.as_ref().is_none_or(|(most, _)| turns > *most) {
            best = Some((turns, stored));
        }
    }
    Ok(best.map(|(_, stored)| stored))
}

/// Returns those of `ids` that are not found under any of these matches and belong to no other file.
pub(super) fn not_found(
    connection: &Connection,
    path: &str,
    ids: &[i64],
    matches: &[NewMatch],
) -> rusqlite::Result<Vec<i64>> {
    let mut left = ids.to_vec();
    for one in matches {
        let found = find(connection, &Beginning::of(&one.fingerprint))?;
        left.retain(|id| found.as_ref().is_none_or(|found| found.id != *id));
    }
    if !left.is_empty() {
        for file in files_of(connection)? {
            let is_other = path_text(&file.path) != path;
            left.retain(|id| !is_other || !file.state.matches().contains(id));
        }
    }
    Ok(left)
}

/// The state of a file before it was read again.
#[derive(Default)]
pub(super) struct FileBefore {
    /// Its bytes differ.
    pub(super) has_changed: bool,
    pub(super) matches: Vec<i64>,
    /// Matches that it no longer contains, unchanged, and that no other file contains.
    pub(super) left: Vec<i64>,
    /// Existing matches whose record now comes from this file.
    pub(super) taken_up: Vec<i64>,
    /// Those whose beginning changed because a play was corrected.
    pub(super) corrected: Vec<CorrectedMatch>,
}

/// A match whose beginning changed because a play was corrected.
pub(super) struct CorrectedMatch {
    /// The marks of its old beginning.
    pub(super) before: String,
    /// Its new fingerprint.
    pub(super) now: MatchFingerprint,
    /// Places whose decision now has another player or roll.
    pub(super) other: HashSet<EventPlace>,
}

impl CorrectedMatch {
    /// Compares `old` with its replacement `new`; `None` if its decisions are damaged.
    fn of(
        change: &Transaction<'_>,
        old: &Stored,
        new: &NewMatch,
    ) -> rusqlite::Result<Option<Self>> {
        let before = kept_turns(change, old.id)?;
        Ok(before.map(|before| {
            let now = turns(new.decisions.as_deref().unwrap_or_default());
            // Dances and forced plays are not decisions.
            let other = |(place, turn): (EventPlace, Turn)| {
                let is_other = before.get(&place).is_some_and(|was| *was != turn);
                is_other.then_some(place)
            };
            Self {
                before: old.beginning.clone(),
                now: new.fingerprint.clone(),
                other: now.into_iter().filter_map(other).collect(),
            }
        }))
    }
}

/// Returns the turns of a stored match; `None` if its decisions are damaged.
fn kept_turns(
    change: &Transaction<'_>,
    id: i64,
) -> rusqlite::Result<Option<HashMap<EventPlace, Turn>>> {
    let question = format!("SELECT {DECISIONS} FROM matches WHERE id = ?1");
    let row = |row: &Row<'_>| Ok(packed(row).map(turns));
    let kept = change.query_row(&question, [id], row).optional()?;
    Ok(kept.flatten())
}

/// The player and the roll of a turn.
type Turn = (Player, Option<Roll>);

fn turns(decisions: &[PackedDecision]) -> HashMap<EventPlace, Turn> {
    let all = decisions.iter().filter_map(PackedDecision::unpack);
    // If a turn has a cube decision, the roll follows in a later decision and wins here.
    all.map(|one| {
        (
            (one.game as usize, one.event as usize),
            (one.player, one.state.roll),
        )
    })
    .collect()
}

/// The beginning of a match in the library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchMark(String);

impl MatchMark {
    /// Returns whether `of` is the same match, or a shorter or longer record of it.
    pub fn fits(&self, of: &MatchFingerprint) -> bool {
        Beginning::of(of).fits(&self.0)
    }
}

impl LibraryMatch {
    /// Returns its beginning.
    pub fn mark(&self) -> MatchMark {
        MatchMark(self.beginning.clone())
    }
}

/// Stores a match or finds it stored; `None` if it should exist and does not.
pub(super) fn store_match(
    change: &Transaction<'_>,
    one: &NewMatch,
    before: &mut FileBefore,
) -> rusqlite::Result<Option<Kept>> {
    let mark = Beginning::of(&one.fingerprint);
    let found = find(change, &mark)?;
    let corrected = match found {
        Some(_) => None,
        None => find_corrected(change, &mark, before)?,
    };
    let is_corrected = corrected.is_some();
    let there = found.or(corrected);
    before
        .left
        .retain(|id| there.as_ref().is_none_or(|there| there.id != *id));
    match there {
        Some(old) if !is_corrected && !is_better(change, one, &old)? => {
            describe(change, &old, one, before).map(Some)
        }
        there => {
            if let Some(old) = there.as_ref().filter(|_| is_corrected) {
                before
                    .corrected
                    .extend(CorrectedMatch::of(change, old, one)?);
            }
            write(change, there, one, &mark, before)
        }
    }
}

/// Returns whether a match should replace the stored one.
fn is_better(change: &Transaction<'_>, one: &NewMatch, old: &Stored) -> rusqlite::Result<bool> {
    let is_damaged = || Ok::<_, rusqlite::Error>(!has_sound_decisions(change, old.id)?);
    Ok(old.gives_way_to(&one.head) || one.decisions.is_some() && is_damaged()?)
}

/// Returns whether the review of `one` is a repetition of the stored match's review. A shorter record, exchanged
/// seats or fewer plies have other figures than the stored decisions.
fn has_same_review(
    change: &Transaction<'_>,
    old: &Stored,
    one: &NewMatch,
) -> rusqlite::Result<bool> {
    let depth = |head: &MatchHead| (head.turns, head.ply, head.rolled);
    let Some(decisions) = one.decisions.as_deref() else {
        return Ok(false);
    };
    Ok(depth(&old.head) == depth(&one.head)
        && kept_turns(change, old.id)? == Some(turns(decisions)))
}

/// Keeps the stored match and updates its head data from the new one.
fn describe(
    change: &Transaction<'_>,
    old: &Stored,
    one: &NewMatch,
    before: &FileBefore,
) -> rusqlite::Result<Kept> {
    let is_known = before.matches.contains(&old.id);
    let head = match is_known {
        true if before.has_changed => old.head.corrected_by(&one.head),
        true => None,
        false => old.head.completed_by(&one.head),
    };
    // A repeated review may have another key because the bytes of the file changed.
    let is_made_again = one.review.0 != old.review && has_same_review(change, old, one)?;
    let review = if is_made_again {
        &one.review.0
    } else {
        &old.review
    };
    if is_made_again || head.is_some() {
        set_head(change, old, head.as_ref().unwrap_or(&old.head), review)?;
    }
    Ok(match head {
        Some(_) => Kept::Updated(old.id),
        None if is_known => Kept::Unchanged(old.id),
        None => Kept::AnotherFile(old.id),
    })
}

/// Writes a match, replacing the stored one; `None` if it has no decisions.
fn write(
    change: &Transaction<'_>,
    there: Option<Stored>,
    one: &NewMatch,
    mark: &Beginning,
    before: &mut FileBefore,
) -> rusqlite::Result<Option<Kept>> {
    let Some(decisions) = &one.decisions else {
        return Ok(None);
    };
    let decisions: &[u8] = bytemuck::cast_slice(decisions);
    let head = match &there {
        Some(old) => {
            let is_correction = before.matches.contains(&old.id) && before.has_changed;
            match is_correction {
                true => one.head.clone().correcting(&old.head),
                false => one.head.clone().adding_to(&old.head),
            }
        }
        None => one.head.clone(),
    };
    let head = &head_text(&head)?;
    let id = there.map(|old| old.id);
    before.taken_up.extend(id);
    delete_damaged(change, mark)?;
    let sql = "INSERT OR REPLACE INTO matches
        (id, opening, beginning, head, results, review, head_sum, decisions_sum, decisions)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
    let review = &one.review.0;
    change.execute(
        sql,
        params![
            id,
            mark.opening,
            mark.marks,
            head,
            RESULTS_DIGEST,
            review,
            head_sum([&mark.opening, &mark.marks, head, RESULTS_DIGEST, review]),
            decisions_sum(decisions),
            decisions
        ],
    )?;
    Ok(Some(match id {
        Some(id) => Kept::Updated(id),
        None => Kept::Added(change.last_insert_rowid()),
    }))
}

/// Replaces the head and review key of a match; its decisions stay.
fn set_head(
    change: &Transaction<'_>,
    of: &Stored,
    head: &MatchHead,
    review: &str,
) -> rusqlite::Result<()> {
    let text = head_text(head)?;
    let sum = head_sum([&of.opening, &of.beginning, &text, &of.results, review]);
    let sql = "UPDATE matches SET head = ?2, head_sum = ?3, review = ?4 WHERE id = ?1";
    change
        .execute(sql, params![of.id, text, sum, review])
        .map(drop)
}

fn head_text(head: &MatchHead) -> rusqlite::Result<String> {
    serde_json::to_string(head)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}

/// Returns whether the decisions of a stored match are undamaged.
pub(super) fn has_sound_decisions(connection: &Connection, id: i64) -> rusqlite::Result<bool> {
    let question = format!("SELECT {DECISIONS} FROM matches WHERE id = ?1");
    let mut statement = connection.prepare_cached(&question)?;
    let row = |row: &Row<'_>| Ok(packed(row).is_some());
    Ok(statement.query_row([id], row).optional()?.unwrap_or(false))
}

/// Deletes damaged rows of the match with this beginning; it is stored anew.
fn delete_damaged(change: &Transaction<'_>, of: &Beginning) -> rusqlite::Result<()> {
    let question = format!("SELECT {HEAD} FROM matches WHERE opening = ?1");
    let mut statement = change.prepare_cached(&question)?;
    let damaged = |row: &Row<'_>| match Stored::whole(row) {
        Some(_) => Ok(None),
        None => Ok(field::<i64>(row, 0)),
    };
    let rows = statement.query_map([&of.opening], damaged)?;
    let damaged: Vec<Option<i64>> = rows.collect::<rusqlite::Result<_>>()?;
    for id in damaged.into_iter().flatten() {
        change.execute("DELETE FROM matches WHERE id = ?1", [id])?;
    }
    Ok(())
}

pub(super) fn person_sum(name: &str, player: &str, me: bool) -> i64 {
    let seal = RowChecksum::of("people").text(name).text(player);
    seal.number(i64::from(me)).sum()
}

pub(super) fn people(connection: &Connection) -> rusqlite::Result<People> {
    let rows = people_rows(connection)?.into_iter();
    Ok(People::from_rows(rows.flatten()))
}

/// Returns name, player, and whether the player is the user, for each row; `None` for a damaged row.
pub(super) fn people_rows(
    connection: &Connection,
) -> rusqlite::Result<Vec<Option<(String, String, bool)>>> {
    let mut statement = connection.prepare_cached("SELECT name, player, me, sum FROM people")?;
    let rows = statement.query_map([], |row| {
        let person: Option<(String, String, bool)> = (|| {
            let (name, player): (String, String) = (field(row, 0)?, field(row, 1)?);
            let (me, sum): (bool, i64) = (field(row, 2)?, field(row, 3)?);
            (person_sum(&name, &player, me) == sum).then_some((name, player, me))
        })();
        Ok(person)
    })?;
    rows.collect()
}
