//! Stores the answers of the quiz in a SQLite file.
//!
//! Each decision that was asked is a card and each answer a row, written at once. A card's due date is computed from
//! its answers ([`crate::study`]), so no other state needs to be kept in sync.

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, Params, Row, Transaction, params};

use super::checksum::{RowChecksum, field};
use super::database::{Database, FOREIGN};
use super::kind::{Kind, Table};
use super::listing::open_to_list;
use super::rows::damaged;
use super::{StoreError, user_folders};
use crate::study::{Grade, StudyAnswer, StudyCard};

/// "LUCS" marks the file.
pub(super) const KIND: Kind = Kind {
    file: user_folders::STUDY,
    application: 0x4c55_4353,
    version: 1,
    schema: "
CREATE TABLE cards (
  id INTEGER PRIMARY KEY,
  position TEXT NOT NULL UNIQUE,
  is_error INTEGER NOT NULL,
  made TEXT NOT NULL,
  cost REAL NOT NULL,
  source TEXT NOT NULL,
  sum INTEGER
);
CREATE TABLE answers (
  id INTEGER PRIMARY KEY,
  position TEXT NOT NULL,
  rating INTEGER NOT NULL,
  given TEXT NOT NULL,
  cost REAL NOT NULL,
  sum INTEGER
);
",
    tables: &[Table::Rows("cards"), Table::Rows("answers")],
};

/// An answer to store or to undo.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyChange {
    pub card: StudyCard,
    /// The card, without answers, that this one replaces, if any. Undoing the answer restores it, unless the new card
    /// was answered since.
    pub before: Option<StudyCard>,
    /// ID of the answer.
    pub id: i64,
    /// The answer; `None` undoes it.
    pub answer: Option<StudyAnswer>,
}

impl StudyChange {
    /// A new answer to `card`; `cards` are the known cards.
    pub fn new(card: StudyCard, cards: &[StudyCard], answer: StudyAnswer) -> Self {
        let gives_way =
            |known: &&StudyCard| known.position == card.position && takes_place_of(&card, known);
        let before = cards.iter().find(gives_way).map(StudyCard::unanswered);
        Self {
            card,
            before,
            id: answer.id,
            answer: Some(answer),
        }
    }

    /// Returns the index of its card in `cards`; a new card is appended.
    pub fn place_in(&self, cards: &mut Vec<StudyCard>) -> usize {
        let known = |card: &StudyCard| card.position == self.card.position;
        cards.iter().position(known).unwrap_or_else(|| {
            cards.push(self.card.clone());
            cards.len() - 1
        })
    }

    /// Applies the change to `cards`. Returns the index of its card.
    pub fn apply(&self, cards: &mut Vec<StudyCard>) -> usize {
        let place = self.place_in(cards);
        self.apply_to(&mut cards[place]);
        place
    }

    /// Adds the answer to its card, or removes it.
    pub fn apply_to(&self, card: &mut StudyCard) {
        let becomes = match (&self.answer, &self.before) {
            (Some(_), _) => takes_place_of(&self.card, card).then_some(&self.card),
            (None, before) => {
                let is_answered = card.answers.iter().any(|answer| answer.id > self.id);
                let is_back = !is_answered && has_decision_of(card, &self.card);
                before.as_ref().filter(|_| is_back)
            }
        };
        if let Some(becomes) = becomes {
            let answers = std::mem::take(&mut card.answers);
            *card = StudyCard {
                answers,
                ..becomes.clone()
            };
        }
        card.answers.retain(|answer| answer.id != self.id);
        card.answers.extend(self.answer.clone());
    }
}

/// Returns whether `card` replaces the known card of its position: a decision that is an error now was asked as a
/// right one before.
fn takes_place_of(card: &StudyCard, known: &StudyCard) -> bool {
    card.is_error && !known.is_error
}

/// Returns whether both are about the same decision of the same match.
fn has_decision_of(card: &StudyCard, other: &StudyCard) -> bool {
    card_sum(card) == card_sum(other)
}

#[derive(Debug)]
pub struct StudyStore(Database);

impl StudyStore {
    /// Opens or creates the file at `path`. All operations wait at most `timeout` for another process.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be opened.
    pub fn open(path: &Path, timeout: Duration) -> Result<Self, StoreError> {
        Database::open_within(path, &KIND, timeout).map(Self)
    }

    /// Reads all cards of the file at `path`; none if it is missing. Damage is passed to `report` and skipped.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read.
    pub fn read(
        path: &Path,
        timeout: Duration,
        report: &mut dyn FnMut(String),
    ) -> Result<Vec<StudyCard>, StoreError> {
        match open_to_list(path, &KIND, timeout)? {
            None => Ok(Vec::new()),
            Some(database) => Self(database).cards(report),
        }
    }

    /// Reads all cards of another user's file. A damaged file is an error and stays unchanged.
    ///
    /// # Errors
    /// [`StoreError`] if the file is missing, damaged or of another program.
    pub fn read_to_take_in(
        path: &Path,
        timeout: Duration,
        report: &mut dyn FnMut(String),
    ) -> Result<Vec<StudyCard>, StoreError> {
        match Database::open_to_take_in(path, &KIND, timeout)? {
            Some(database) => Self(database).cards(report),
            // A failed copy is empty.
            None => Err(StoreError::Format {
                path: path.to_owned(),
                message: FOREIGN.to_owned(),
            }),
        }
    }

    /// Stores or undoes an answer. An answer with the same ID is replaced.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be written.
    pub fn change(&mut self, change: &StudyChange) -> Result<(), StoreError> {
        self.0.change(|transaction| write(transaction, change))
    }

    /// Adds the answers of another file that are missing here. Returns their number.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be written.
    pub fn merge(&mut self, cards: &[StudyCard]) -> Result<usize, StoreError> {
        let mut added = 0;
        self.0.change(|transaction| {
            added = 0;
            for card in cards {
                put_card(transaction, card)?;
                for answer in &card.answers {
                    added += put_answer(transaction, &card.position, answer, "IGNORE")?;
                }
            }
            Ok(())
        })?;
        Ok(added)
    }

    /// Returns all cards with their answers, in the order in which they were first asked.
    fn cards(&self, report: &mut dyn FnMut(String)) -> Result<Vec<StudyCard>, StoreError> {
        let mut bad = 0;
        let (cards, answers) = self.0.read(|connection| {
            // In one transaction: a card written between two queries would lack its answer.
            let moment = connection.unchecked_transaction()?;
            let cards = rows(&moment, CARDS, card)?;
            Ok((cards, rows(&moment, ANSWERS, answer)?))
        })?;
        let mut all: Vec<StudyCard> = Vec::with_capacity(cards.len());
        let mut places = HashMap::new();
        for card in cards {
            match card {
                Some(card) => {
                    places.insert(card.position.clone(), all.len());
                    all.push(card);
                }
                None => bad += 1,
            }
        }
        for answer in answers {
            let place = answer.map(|(position, answer)| (places.get(&position).copied(), answer));
            match place {
                Some((Some(place), answer)) => all[place].answers.push(answer),
                _ => bad += 1,
            }
        }
        if bad > 0 {
            report(damaged(self.0.path(), bad, ["row", "rows"]));
        }
        Ok(all)
    }
}

const CARD: &str = "position, is_error, made, cost, source, sum";
const CARDS: &str = "SELECT position, is_error, made, cost, source, sum FROM cards ORDER BY id";
const ANSWERS: &str = "SELECT id, position, rating, given, cost, sum FROM answers ORDER BY id";

fn rows<T>(
    connection: &Connection,
    question: &str,
    read: impl Fn(&Row<'_>) -> Option<T>,
) -> rusqlite::Result<Vec<Option<T>>> {
    rows_of(connection, question, [], read)
}

fn rows_of<T>(
    connection: &Connection,
    question: &str,
    of: impl Params,
    read: impl Fn(&Row<'_>) -> Option<T>,
) -> rusqlite::Result<Vec<Option<T>>> {
    let mut prepared = connection.prepare_cached(question)?;
    let rows = prepared.query_map(of, |row| Ok(read(row)))?;
    rows.collect()
}

/// Returns the card of a row if its checksum is right.
fn card(row: &Row<'_>) -> Option<StudyCard> {
    let cost: f64 = field(row, 3)?;
    let card = StudyCard {
        position: field(row, 0)?,
        is_error: field::<i64>(row, 1)? != 0,
        made: field(row, 2)?,
        cost: cost as f32,
        source: field(row, 4)?,
        note: None,
        rollout: None,
        answers: Vec::new(),
    };
    let sum: i64 = field(row, 5)?;
    (sum == card_sum(&card)).then_some(card)
}

/// Returns the answer of a row, with its card's position, if the checksum is right.
fn answer(row: &Row<'_>) -> Option<(String, StudyAnswer)> {
    let position: String = field(row, 1)?;
    let cost: f64 = field(row, 4)?;
    let answer = StudyAnswer {
        id: field(row, 0)?,
        grade: Grade::of_number(field(row, 2)?)?,
        given: field(row, 3)?,
        cost: cost as f32,
    };
    let sum: i64 = field(row, 5)?;
    (sum == answer_sum(&position, &answer)).then_some((position, answer))
}

fn card_sum(card: &StudyCard) -> i64 {
    RowChecksum::of("cards")
        .text(&card.position)
        .number(i64::from(card.is_error))
        .text(&card.made)
        .number(i64::from(card.cost.to_bits()))
        .text(&card.source)
        .sum()
}

fn answer_sum(position: &str, answer: &StudyAnswer) -> i64 {
    RowChecksum::of("answers")
        .number(answer.id)
        .text(position)
        .number(i64::from(answer.grade.number()))
        .text(&answer.given)
        .number(i64::from(answer.cost.to_bits()))
        .sum()
}

fn write(transaction: &Transaction<'_>, change: &StudyChange) -> rusqlite::Result<()> {
    let Some(answer) = &change.answer else {
        let delete = "DELETE FROM answers WHERE id = ?1";
        transaction.execute(delete, [change.id])?;
        // A card without answers was never asked.
        let unasked = "DELETE FROM cards WHERE position = ?1
                       AND NOT EXISTS (SELECT 1 FROM answers WHERE position = ?1)";
        transaction.execute(unasked, [&change.card.position])?;
        return match &change.before {
            Some(before) if !is_answered_since(transaction, change)? => {
                let known = known_card(transaction, &change.card.position)?;
                match known.is_some_and(|known| has_decision_of(&known, &change.card)) {
                    true => replace_card(transaction, before),
                    false => Ok(()),
                }
            }
            _ => Ok(()),
        };
    };
    put_card(transaction, &change.card)?;
    put_answer(transaction, &change.card.position, answer, "REPLACE").map(drop)
}

/// Returns whether the card was answered after this change, as another process may do.
fn is_answered_since(
    transaction: &Transaction<'_>,
    change: &StudyChange,
) -> rusqlite::Result<bool> {
    let later = "SELECT EXISTS (SELECT 1 FROM answers WHERE position = ?1 AND id > ?2)";
    let parameters = (&change.card.position, change.id);
    transaction.query_row(later, parameters, |row| row.get(0))
}

/// Adds a card if it is new; an existing card becomes an error if it was one this time.
fn put_card(transaction: &Transaction<'_>, card: &StudyCard) -> rusqlite::Result<()> {
    // A damaged card is replaced.
    match known_card(transaction, &card.position)? {
        Some(known) if !takes_place_of(card, &known) => Ok(()),
        _ => replace_card(transaction, card),
    }
}

/// Returns the undamaged card of a position, if any.
fn known_card(
    transaction: &Transaction<'_>,
    position: &String,
) -> rusqlite::Result<Option<StudyCard>> {
    let known = format!("SELECT {CARD} FROM cards WHERE position = ?1");
    let known = rows_of(transaction, &known, [position], self::card)?;
    Ok(known.into_iter().flatten().next())
}

/// Replaces the card of a position.
fn replace_card(transaction: &Transaction<'_>, card: &StudyCard) -> rusqlite::Result<()> {
    transaction
        .prepare_cached("DELETE FROM cards WHERE position = ?1")?
        .execute([&card.position])?;
    let insert = "INSERT INTO cards (position, is_error, made, cost, source, sum)
                  VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    transaction.prepare_cached(insert)?.execute(params![
        card.position,
        i64::from(card.is_error),
        card.made,
        f64::from(card.cost),
        card.source,
        card_sum(card)
    ])?;
    Ok(())
}

fn put_answer(
    transaction: &Transaction<'_>,
    position: &str,
    answer: &StudyAnswer,
    otherwise: &str,
) -> rusqlite::Result<usize> {
    let insert = format!(
        "INSERT OR {otherwise} INTO answers (id, position, rating, given, cost, sum)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
    );
    transaction.prepare_cached(&insert)?.execute(params![
        answer.id,
        position,
        answer.grade.number(),
        answer.given,
        f64::from(answer.cost),
        answer_sum(position, answer)
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::READ_TIMEOUT;

    fn change(id: i64, position: &str, grade: Option<Grade>) -> StudyChange {
        let card = StudyCard {
            position: position.into(),
            is_error: true,
            made: "24/23 6/3".into(),
            cost: 0.11,
            source: "a – b, game 1, move 1".into(),
            note: None,
            rollout: None,
            answers: Vec::new(),
        };
        let answer = grade.map(|grade| StudyAnswer {
            id,
            grade,
            given: "8/5 6/5".into(),
            cost: 0.003,
        });
        StudyChange {
            card,
            before: None,
            id,
            answer,
        }
    }

    fn silent(why: String) {
        panic!("{why}");
    }

    #[test]
    fn answers_are_kept_changed_and_taken_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/study.sqlite");
        let read = || StudyStore::read(&path, READ_TIMEOUT, &mut silent).unwrap();
        assert!(read().is_empty());
        assert!(!path.exists(), "reading makes nothing");
        let mut store = StudyStore::open(&path, READ_TIMEOUT).unwrap();
        let (good, hard) = (Some(Grade::Good), Some(Grade::Hard));
        store.change(&change(1, "one", good)).unwrap();
        store.change(&change(2, "two", good)).unwrap();
        store.change(&change(3, "one", good)).unwrap();
        store.change(&change(3, "one", hard)).unwrap();
        let all = read();
        let ids = |card: &StudyCard| -> Vec<i64> { card.answers.iter().map(|a| a.id).collect() };
        assert_eq!((ids(&all[0]), ids(&all[1])), (vec![1, 3], vec![2]));
        assert_eq!(all[0].answers[1].grade, Grade::Hard);
        let expected = change(0, "one", None).card;
        assert_eq!((&all[0].made, all[0].cost), (&expected.made, expected.cost));
        // Undone: the card stays while it has another answer.
        store.change(&change(3, "one", None)).unwrap();
        assert_eq!(ids(&read()[0]), [1]);
        store.change(&change(1, "one", None)).unwrap();
        assert_eq!(read().len(), 1);
    }

    #[test]
    fn a_decision_that_is_an_error_in_one_match_is_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("study.sqlite");
        let mut store = StudyStore::open(&path, READ_TIMEOUT).unwrap();
        let right = |id| {
            let mut right = change(id, "one", Some(Grade::Good));
            (right.card.is_error, right.card.cost) = (false, 0.0);
            right
        };
        let wrong = change(2, "one", Some(Grade::Good));
        // The cards in memory agree with the file.
        let mut session: Vec<StudyCard> = Vec::new();
        for (step, is_error) in [(right(1), false), (wrong.clone(), true), (right(3), true)] {
            store.change(&step).unwrap();
            assert_eq!(step.apply(&mut session), 0);
            let kept = StudyStore::read(&path, READ_TIMEOUT, &mut silent).unwrap();
            assert_eq!(kept, session);
            assert_eq!(kept[0].is_error, is_error);
        }
        assert_eq!(session[0].answers.len(), 3);
        assert!(session[0].cost > 0.0 && session[0].cost == wrong.card.cost);
    }

    /// Undoing an answer restores the card, in the file and in memory.
    #[test]
    fn an_answer_taken_back_leaves_the_card_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("study.sqlite");
        let mut store = StudyStore::open(&path, READ_TIMEOUT).unwrap();
        let mut right = change(1, "one", Some(Grade::Good));
        (right.card.is_error, right.card.cost) = (false, 0.0);
        right.card.source = "c – d, game 4, move 27".into();
        let mut session: Vec<StudyCard> = Vec::new();
        let mut take = |step: &StudyChange| {
            store.change(step).unwrap();
            step.apply(&mut session);
            let kept = StudyStore::read(&path, READ_TIMEOUT, &mut silent).unwrap();
            assert_eq!(kept, session);
            session.clone()
        };
        let first = take(&right);
        let wrong = change(2, "one", Some(Grade::Hard));
        let wrong = StudyChange::new(wrong.card, &first, wrong.answer.unwrap());
        assert!(take(&wrong)[0].is_error);
        let mut undone = wrong.clone();
        undone.answer = None;
        assert_eq!(take(&undone), first);
        // A card that was answered since stays.
        take(&wrong);
        take(&change(3, "one", Some(Grade::Easy)));
        let left = take(&undone);
        assert!(left[0].is_error && left[0].answers.len() == 2, "{left:?}");
    }

    #[test]
    fn the_logs_of_two_machines_come_together() {
        let folder = tempfile::tempdir().unwrap();
        let paths = ["a", "b"].map(|name| folder.path().join(name));
        let read = |path: &Path| StudyStore::read(path, READ_TIMEOUT, &mut silent).unwrap();
        for (path, ids) in paths.iter().zip([[1, 2], [2, 3]]) {
            let mut store = StudyStore::open(path, READ_TIMEOUT).unwrap();
            for id in ids {
                store.change(&change(id, "one", Some(Grade::Good))).unwrap();
            }
        }
        let mut store = StudyStore::open(&paths[0], READ_TIMEOUT).unwrap();
        assert_eq!(store.merge(&read(&paths[1])).unwrap(), 1);
        assert_eq!(store.merge(&read(&paths[1])).unwrap(), 0);
        assert_eq!(read(&paths[0])[0].answers.len(), 3);
    }

    #[test]
    fn a_row_that_is_not_what_was_written_is_left_out_and_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("study.sqlite");
        let mut store = StudyStore::open(&path, READ_TIMEOUT).unwrap();
        store.change(&change(1, "one", Some(Grade::Good))).unwrap();
        store.change(&change(2, "one", Some(Grade::Good))).unwrap();
        let other = Connection::open(&path).unwrap();
        let damage = "UPDATE answers SET rating = 4 WHERE id = 2";
        other.execute(damage, []).unwrap();
        let mut warnings = Vec::new();
        let cards = StudyStore::read(&path, READ_TIMEOUT, &mut |why| warnings.push(why)).unwrap();
        assert_eq!(cards[0].answers.len(), 1);
        assert!(warnings[0].contains("1 row is damaged"), "{warnings:?}");
        // A damaged card is rewritten when asked again, even if the answer was right.
        let damage = "UPDATE cards SET made = 'x'";
        other.execute(damage, []).unwrap();
        let mut right = change(3, "one", Some(Grade::Good));
        right.card.is_error = false;
        store.change(&right).unwrap();
        let cards = StudyStore::read(&path, READ_TIMEOUT, &mut |_| {}).unwrap();
        assert_eq!((cards.len(), cards[0].answers.len()), (1, 2));
        assert_eq!(cards[0].made, right.card.made);
    }
}
