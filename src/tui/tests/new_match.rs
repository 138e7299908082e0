//! Beginning a match against the program with a key.

use std::sync::Arc;

use super::played_match::{begun, opened, said};
use crate::cube::{EquityTable, Model};
use crate::game::Player;
use crate::match_file;
use crate::match_file::write::Target;
use crate::tui::documents::played_match::{MatchPrompt, NewMatch, PROGRAM, rating_of, seed_of};
use crate::tui::message::Message;
use crate::tui::testing::TestApp;
use crate::tui::theme::Depth;

/// The key asks first, since it leaves a file; the match is played once its file is in view.
#[test]
fn a_match_is_begun_where_none_can_be_gone_on_with() {
    let mut bench = TestApp::new(Depth::True);
    bench.keys("g p");
    assert!(bench.begun.is_none());
    assert!(
        said(&bench).contains("begins a match to 7 points"),
        "{}",
        said(&bench)
    );
    bench.keys("j g p");
    assert!(bench.begun.is_none(), "another key takes the question back");
    bench.keys("g p");
    let (new, folder) = bench.begun.take().expect("a match is begun");
    assert_eq!((new.length, folder), (7, None));
    let record = new.record();
    assert_eq!(record.players, ["You", PROGRAM]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new.mat");
    std::fs::write(&path, Target::Mat.write(&record)).unwrap();
    bench.tell(Message::MatchBegun(Ok(path)));
    assert!(bench.app.played().is_some(), "{}", said(&bench));
    assert!(bench.app.new_match.is_none());
    // What is played is gone on with, not begun anew.
    bench.keys("esc esc g p");
    assert!(bench.app.played().is_some() && bench.begun.is_none());
}

#[test]
fn a_match_that_is_over_is_followed_by_another_like_it() {
    let (folder, path) = begun(3, 5);
    let new = NewMatch {
        length: 3,
        name: "Anna".into(),
        seed: 5,
        rating: Some(12.0),
        ..NewMatch::default()
    };
    let mut record = new.record();
    record.resign(Player::Left, 3, None);
    std::fs::write(&path, Target::Mat.write(&record)).unwrap();
    assert!(match_file::read(&path).unwrap().is_won());
    let mut bench = opened(&path);
    bench.keys("g p g p");
    let (next, place) = bench.begun.take().expect("a match is begun");
    let next = next.record();
    assert_eq!(place.as_deref(), Some(folder.path()));
    assert_eq!((next.length, rating_of(&next)), (3, Some(12.0)));
    assert_eq!(next.players, ["Anna", PROGRAM]);
    assert!(seed_of(&next).is_some_and(|seed| seed != 5), "other dice");
    assert!(next.games.iter().all(|game| game.events.is_empty()));
    bench.tell(Message::MatchBegun(Err("the disk is full".into())));
    assert!(
        said(&bench).contains("the disk is full"),
        "{}",
        said(&bench)
    );
    assert!(bench.app.played().is_none());
}

/// At the end of a match its screen leads to the next one.
#[test]
fn the_end_of_a_match_names_the_key() {
    let (_folder, path) = begun(1, 5);
    let mut bench = opened(&path);
    bench.keys("g p");
    for _ in 0..400 {
        match bench.app.match_prompt() {
            Some(MatchPrompt::Over) | None => break,
            Some(MatchPrompt::Play(_)) => bench.keys("j v"),
            _ => bench.keys("s"),
        }
    }
    assert_eq!(bench.app.match_prompt(), Some(MatchPrompt::Over));
    bench.keys("s");
    assert!(
        said(&bench).contains("gp begins another match"),
        "{}",
        said(&bench)
    );
}

/// A program that was started without the Crawford rule begins matches without it.
#[test]
fn a_match_is_begun_by_the_rule_of_the_session() {
    for keys in ["g p g p", "g w g w"] {
        let mut bench = TestApp::new(Depth::True);
        let table = Arc::new(EquityTable::standard().without_crawford());
        bench.app.model = Arc::new(Model {
            table,
            ..Model::default()
        });
        bench.keys(keys);
        let (new, _) = bench.begun.take().expect("a match is begun");
        let text = Target::Mat.write(&new.record());
        let again = match_file::read_bytes(text.as_bytes(), "new.mat").unwrap();
        assert!(!again.crawford && again.length == 7, "{text}");
    }
}
