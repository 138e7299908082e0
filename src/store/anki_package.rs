//! Writes notes as an Anki package (`.apkg`): a ZIP that contains a SQLite collection.
//!
//! Uses the oldest of the three formats (`collection.anki2`, schema 11), which every version of Anki, AnkiDroid and
//! AnkiMobile reads. Everything is built in memory.

use std::io::{Cursor, Write as _};

use rusqlite::{Connection, params};
use serde_json::{Map, Value, json};
use thiserror::Error;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::study::anki::{AnkiKind, AnkiNote, FIELDS, STYLE};

/// The reason why a package could not be built.
#[derive(Debug, Error)]
#[error("the package cannot be made: {0}")]
pub struct PackageError(String);

const SCHEMA: &str = "
CREATE TABLE col (id integer PRIMARY KEY, crt integer NOT NULL, mod integer NOT NULL,
  scm integer NOT NULL, ver integer NOT NULL, dty integer NOT NULL, usn integer NOT NULL,
  ls integer NOT NULL, conf text NOT NULL, models text NOT NULL, decks text NOT NULL,
  dconf text NOT NULL, tags text NOT NULL);
CREATE TABLE notes (id integer PRIMARY KEY, guid text NOT NULL, mid integer NOT NULL,
  mod integer NOT NULL, usn integer NOT NULL, tags text NOT NULL, flds text NOT NULL,
  sfld integer NOT NULL, csum integer NOT NULL, flags integer NOT NULL, data text NOT NULL);
CREATE TABLE cards (id integer PRIMARY KEY, nid integer NOT NULL, did integer NOT NULL,
  ord integer NOT NULL, mod integer NOT NULL, usn integer NOT NULL, type integer NOT NULL,
  queue integer NOT NULL, due integer NOT NULL, ivl integer NOT NULL, factor integer NOT NULL,
  reps integer NOT NULL, lapses integer NOT NULL, left integer NOT NULL, odue integer NOT NULL,
  odid integer NOT NULL, flags integer NOT NULL, data text NOT NULL);
CREATE TABLE revlog (id integer PRIMARY KEY, cid integer NOT NULL, usn integer NOT NULL,
  ease integer NOT NULL, ivl integer NOT NULL, lastIvl integer NOT NULL, factor integer NOT NULL,
  time integer NOT NULL, type integer NOT NULL);
CREATE TABLE graves (usn integer NOT NULL, oid integer NOT NULL, type integer NOT NULL);
CREATE INDEX ix_notes_usn ON notes (usn);
CREATE INDEX ix_notes_csum ON notes (csum);
CREATE INDEX ix_cards_usn ON cards (usn);
CREATE INDEX ix_cards_nid ON cards (nid);
CREATE INDEX ix_cards_sched ON cards (did, queue, due);
CREATE INDEX ix_revlog_usn ON revlog (usn);
CREATE INDEX ix_revlog_cid ON revlog (cid);
";

/// Returns the bytes of a package of these notes, dated `now` (seconds since 1970).
///
/// # Errors
/// [`PackageError`] if it cannot be made.
pub fn package(kind: AnkiKind, notes: &[AnkiNote], now: i64) -> Result<Vec<u8>, PackageError> {
    let failed = |error: &dyn std::fmt::Display| PackageError(error.to_string());
    let collection = collection(kind, notes, now).map_err(|error| failed(&error))?;
    zipped(&collection).map_err(|error| failed(&error))
}

fn zipped(collection: &[u8]) -> zip::result::ZipResult<Vec<u8>> {
    let mut file = ZipWriter::new(Cursor::new(Vec::new()));
    // Entries carry no timestamps, so that equal notes give equal bytes.
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (name, bytes) in [("collection.anki2", collection), ("media", b"{}")] {
        file.start_file(name, options)?;
        file.write_all(bytes)?;
    }
    Ok(file.finish()?.into_inner())
}

/// Returns the collection as the bytes of its SQLite file.
fn collection(kind: AnkiKind, notes: &[AnkiNote], now: i64) -> rusqlite::Result<Vec<u8>> {
    let mut connection = Connection::open_in_memory()?;
    connection.execute_batch(SCHEMA)?;
    let change = connection.transaction()?;
    change.execute(
        "INSERT INTO col VALUES (1, ?1, ?2, ?2, 11, 0, 0, 0, ?3, ?4, ?5, ?6, '{}')",
        params![
            now,
            1000 * now,
            conf(kind, notes.len()).to_string(),
            models(kind, now).to_string(),
            decks(kind, now).to_string(),
            deck_options(now).to_string()
        ],
    )?;
    for (i, note) in (0..).zip(notes) {
        let id = 1000 * now + i;
        let tags = format!(" {} ", note.tags.join(" "));
        change.execute(
            "INSERT INTO notes VALUES (?1, ?2, ?3, ?4, -1, ?5, ?6, ?7, 0, 0, '')",
            params![
                id,
                note.guid,
                model_id(kind),
                now,
                tags,
                note.fields.join("\u{1f}"),
                note.fields[0]
            ],
        )?;
        change.execute(
            "INSERT INTO cards VALUES (?1, ?1, ?2, 0, ?3, -1, 0, 0, ?4, 0, 0, 0, 0, 0, 0, 0, 0, '')",
            params![id, deck_id(kind, note.deck), now, i + 1],
        )?;
    }
    change.commit()?;
    Ok(connection.serialize("main")?.to_vec())
}

fn model_id(kind: AnkiKind) -> i64 {
    kind.fixed_id(&format!("model:{}", kind.name()))
}

fn deck_id(kind: AnkiKind, deck: usize) -> i64 {
    let decks = kind.decks();
    kind.fixed_id(&format!("deck:{}", decks[deck.min(decks.len() - 1)]))
}

fn conf(kind: AnkiKind, notes: usize) -> Value {
    json!({
        "nextPos": notes + 1, "curDeck": 1, "activeDecks": [1], "curModel": model_id(kind).to_string(),
        "sortType": "noteFld", "sortBackwards": false, "newSpread": 0, "collapseTime": 1200,
        "dueCounts": true, "estTimes": true, "timeLim": 0, "addToCur": true
    })
}

fn models(kind: AnkiKind, now: i64) -> Value {
    let id = model_id(kind);
    // If AnkiGammon's own note type is already installed, it is newer and must not be replaced.
    let (changed, card) = match kind {
        AnkiKind::Luckless => (now, "Decision"),
        AnkiKind::AnkiGammon => (0, "Card 1"),
    };
    let fields = FIELDS.iter().enumerate();
    let fields = fields.map(|(ord, name)| {
        json!({
            "name": name, "ord": ord, "font": "Arial", "size": 20, "sticky": false, "rtl": false,
            "media": []
        })
    });
    let model = json!({
        "id": id, "name": kind.name(), "type": 0, "mod": changed, "usn": -1, "sortf": 0,
        "did": deck_id(kind, 0), "css": STYLE, "latexPre": "", "latexPost": "", "vers": [], "tags": [],
        "req": [[0, "any", [1]]],
        "flds": fields.collect::<Vec<_>>(),
        "tmpls": [{
            "name": card, "ord": 0, "qfmt": "{{Front}}", "afmt": "{{Back}}", "bqfmt": "",
            "bafmt": "", "did": null
        }]
    });
    Value::Object(Map::from_iter([(id.to_string(), model)]))
}

fn decks(kind: AnkiKind, now: i64) -> Value {
    let names = kind.decks();
    let deck = |id: i64, name: &str| {
        let deck = json!({
            "id": id, "name": name, "mod": now, "usn": -1, "desc": "", "dyn": 0, "conf": 1,
            "collapsed": false, "browserCollapsed": false, "extendNew": 0, "extendRev": 0,
            "newToday": [0, 0], "revToday": [0, 0], "lrnToday": [0, 0], "timeToday": [0, 0]
        });
        (id.to_string(), deck)
    };
    let own = (0..names.len()).map(|i| deck(deck_id(kind, i), &names[i]));
    let parent = deck(kind.fixed_id(&format!("deck:{}", kind.name())), kind.name());
    Value::Object(
        [deck(1, "Default"), parent]
            .into_iter()
            .chain(own)
            .collect(),
    )
}

fn deck_options(now: i64) -> Value {
    json!({"1": {
        "id": 1, "name": "Default", "mod": now, "usn": 0, "maxTaken": 60, "timer": 0,
        "autoplay": true, "replayq": true,
        "new": {"delays": [1, 10], "ints": [1, 4, 7], "initialFactor": 2500, "order": 1,
                "perDay": 20, "bury": false, "separate": true},
        "rev": {"perDay": 200, "ease4": 1.3, "ivlFct": 1, "maxIvl": 36500, "bury": false,
                "fuzz": 0.05, "minSpace": 1},
        "lapse": {"delays": [10], "mult": 0, "minInt": 1, "leechFails": 8, "leechAction": 0}
    }})
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read as _;

    fn note(xgid: &str, deck: usize) -> AnkiNote {
        AnkiNote {
            guid: format!("g{xgid}"),
            fields: [xgid, "front", "back", "{}"].map(str::to_owned),
            tags: vec!["a".into(), "b".into()],
            deck,
        }
    }

    #[test]
    fn a_package_holds_its_notes_and_is_the_same_again() {
        let notes = [note("one", 0), note("two", 1)];
        let bytes = package(AnkiKind::Luckless, &notes, 1_790_000_000).unwrap();
        assert_eq!(
            bytes,
            package(AnkiKind::Luckless, &notes, 1_790_000_000).unwrap()
        );
        let mut file = zip::ZipArchive::new(Cursor::new(&bytes)).unwrap();
        let mut media = String::new();
        let mut entry = file.by_name("media").unwrap();
        entry.read_to_string(&mut media).unwrap();
        drop(entry);
        assert_eq!(media, "{}");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("collection.anki2");
        let mut collection = Vec::new();
        let mut entry = file.by_name("collection.anki2").unwrap();
        entry.read_to_end(&mut collection).unwrap();
        std::fs::write(&path, collection).unwrap();
        let opened = Connection::open(&path).unwrap();
        let all = "SELECT guid, flds, sfld, tags, did FROM notes JOIN cards ON nid = notes.id";
        let rows: Vec<(String, String, String, String, i64)> = opened
            .prepare(all)
            .unwrap()
            .query_map([], |row| {
                Ok((
                    row.get(0)?,
                    row.get(1)?,
                    row.get(2)?,
                    row.get(3)?,
                    row.get(4)?,
                ))
            })
            .unwrap()
            .collect::<rusqlite::Result<_>>()
            .unwrap();
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[0].0, "gone");
        assert_eq!(rows[0].1, "one\u{1f}front\u{1f}back\u{1f}{}");
        assert_eq!((rows[0].2.as_str(), rows[0].3.as_str()), ("one", " a b "));
        assert_ne!(rows[0].4, rows[1].4);
        let models: String = opened
            .query_row("SELECT models FROM col", [], |row| row.get(0))
            .unwrap();
        assert!(models.contains(&model_id(AnkiKind::Luckless).to_string()));
    }

    /// Anki identifies type, decks, fields and notes by these numbers and names. They must match the collections of
    /// existing users; otherwise every note would be duplicated.
    #[test]
    fn by_what_anki_knows_notes_again_never_changes() {
        let kind = AnkiKind::Luckless;
        let package = Connection::open_in_memory().unwrap();
        let bytes = collection(kind, &[note("one", 0), note("two", 1)], 1_790_000_000).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("collection.anki2");
        std::fs::write(&path, bytes).unwrap();
        let attach = "ATTACH ?1 AS kept";
        package.execute(attach, [path.to_str().unwrap()]).unwrap();
        let json = |column: &str| -> Value {
            let question = format!("SELECT {column} FROM kept.col");
            let text: String = package.query_row(&question, [], |row| row.get(0)).unwrap();
            serde_json::from_str(&text).unwrap()
        };
        let numbers = |question: &str| -> Vec<i64> {
            let mut asked = package.prepare(question).unwrap();
            let rows = asked.query_map([], |row| row.get(0)).unwrap();
            rows.collect::<rusqlite::Result<_>>().unwrap()
        };
        let models = json("models");
        let model = &models["1625434959"];
        assert_eq!(models.as_object().unwrap().len(), 1);
        assert_eq!(
            (&model["id"], &model["name"]),
            (&json!(1_625_434_959), &json!("Luckless"))
        );
        let names = model["flds"].as_array().unwrap().iter();
        let names: Vec<(&Value, &Value)> = names.map(|f| (&f["ord"], &f["name"])).collect();
        let wanted = [
            (json!(0), json!("XGID")),
            (json!(1), json!("Front")),
            (json!(2), json!("Back")),
            (json!(3), json!("AnalysisData")),
        ];
        let wanted: Vec<(&Value, &Value)> = wanted.iter().map(|(a, b)| (a, b)).collect();
        assert_eq!(names, wanted);
        assert_eq!(model["sortf"], 0);
        let cards = model["tmpls"].as_array().unwrap();
        assert_eq!(cards.len(), 1);
        assert_eq!(
            (&cards[0]["ord"], &cards[0]["name"]),
            (&json!(0), &json!("Decision"))
        );
        let decks = json("decks");
        let decks = decks.as_object().unwrap().iter();
        let decks: Vec<(&str, &str)> = decks
            .map(|(id, deck)| (id.as_str(), deck["name"].as_str().unwrap()))
            .collect();
        assert_eq!(decks.len(), 4);
        for deck in [
            ("1", "Default"),
            ("1312295886", "Luckless"),
            ("1743487563", "Luckless::Checker play"),
            ("1466355110", "Luckless::Cube decisions"),
        ] {
            assert!(decks.contains(&deck), "{deck:?}: {decks:?}");
        }
        assert_eq!(numbers("SELECT mid FROM kept.notes"), [1_625_434_959; 2]);
        assert_eq!(
            numbers("SELECT did FROM kept.cards ORDER BY id"),
            [1_743_487_563, 1_466_355_110]
        );
        let xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10";
        assert_eq!(kind.guid(xgid), "lk0405c6109119bd39");
    }

    /// The IDs must equal those that Python's genanki and AnkiGammon compute.
    #[test]
    fn cards_of_ankigammon_have_its_numbers() {
        let kind = AnkiKind::AnkiGammon;
        assert_eq!(model_id(kind), 1_113_859_559);
        assert_eq!(deck_id(kind, 0), 1_907_963_700);
        assert_eq!(deck_id(kind, 1), 1_220_082_681);
        let xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10";
        assert_eq!(kind.guid(xgid), "Bo)l[nOr&<");
    }
}
