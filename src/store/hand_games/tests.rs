//! Games by hand: over several sittings, unfinished, damaged, and from older files.

use super::*;
use crate::eval::{Engine, Evaluator};
use crate::game::Position;
use crate::rollout::by_hand::{HandTrial, Hands};
use crate::rollout::{Identity, Settings, Setup};
use rusqlite::Connection;
use std::sync::{Arc, LazyLock};

/// Shared, because unpacking the nets takes longer than most tests here.
static ENGINE: LazyLock<Arc<Engine>> = LazyLock::new(|| Arc::new(Engine::embedded()));

fn setup() -> Setup {
    let evaluator: Arc<dyn Evaluator> = ENGINE.clone();
    Setup::from(evaluator)
}

fn start() -> Position {
    Position::from_points(&[(6, 1), (5, 2)], &[(6, 2), (4, 1)]).unwrap()
}

fn settings() -> Settings {
    Settings {
        stop_at_known: false,
        ..Settings::default()
    }
    .resolved(&setup())
}

fn key() -> HandKey {
    HandKey::new(
        Identity::new(&setup(), &settings(), &[start()]),
        Hands::Both,
    )
}

fn game(trial: u64) -> TrialRecord {
    let (setup, settings) = (setup(), settings());
    let mut game = HandTrial::new(&setup, start(), &settings, trial).unwrap();
    while !game.is_over() {
        let roll = game.roll();
        game.play(roll, None);
    }
    game.record().unwrap()
}

fn numbers(store: &RolloutStore) -> Vec<u64> {
    let games = store.games(&key(), &mut |why| panic!("{why}")).unwrap();
    games.iter().map(|game| game.trial).collect()
}

fn keep(store: &mut RolloutStore, trial: u64) {
    let shown = RolloutLabel::default();
    store.keep_games(&key(), &shown, &[game(trial)]).unwrap();
}

/// Inserts the row that another process leaves when it begins a game.
fn begun(path: &std::path::Path, trial: i64, sitting: &str, since: i64) {
    let sql = "INSERT INTO begun (key, trial, sitting, since) VALUES (?1, ?2, ?3, ?4)";
    let other = Connection::open(path).unwrap();
    let row = params![key().0, trial, sitting, since];
    other.execute(sql, row).unwrap();
}

#[test]
fn sittings_add_to_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s");
    let mut store = RolloutStore::open(&path).unwrap();
    assert_eq!(store.begin_game(&key()).unwrap(), 0);
    keep(&mut store, 0);
    // Another process plays the next game.
    begun(&path, 1, "0badcafe-17", clock::seconds());
    assert_eq!(store.begin_game(&key()).unwrap(), 2);
    keep(&mut store, 2);
    assert_eq!(numbers(&store), [0, 2]);
    // If both played the same game anyway, both results are kept.
    keep(&mut store, 1);
    keep(&mut store, 1);
    assert_eq!(numbers(&store), [0, 1, 1, 2]);
}

#[test]
fn what_was_left_comes_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s");
    let mut store = RolloutStore::open(&path).unwrap();
    assert_eq!(store.begin_game(&key()).unwrap(), 0);
    assert_eq!(store.begin_game(&key()).unwrap(), 0, "it plays one game");
    store.leave_game(&key()).unwrap();
    assert_eq!(store.begin_game(&key()).unwrap(), 0);
    keep(&mut store, 0);
    // Trial 1 has had no update for long; the other belongs to a process that ended.
    begun(
        &path,
        1,
        "0badcafe-17",
        clock::seconds() - 2 * UNPLAYED_EXPIRES,
    );
    assert_eq!(store.begin_game(&key()).unwrap(), 1);
    store.leave_game(&key()).unwrap();
    // The list of this test program ends soon on any system.
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    let command = command.arg("--list").stdout(std::process::Stdio::null());
    let mut child = command.spawn().unwrap();
    let gone = child.id();
    child.wait().unwrap();
    let own = process::own();
    let (here, _) = own.split_once('-').unwrap();
    begun(&path, 1, &format!("{here}-{gone}"), clock::seconds());
    let next = store.begin_game(&key()).unwrap();
    assert_eq!(next, if cfg!(target_os = "linux") { 1 } else { 2 });
}

#[test]
fn a_damaged_game_is_reported_and_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s");
    let mut store = RolloutStore::open(&path).unwrap();
    (0..3).for_each(|trial| keep(&mut store, trial));
    let sql = "UPDATE games SET data = zeroblob(length(data)) WHERE trial = 1";
    Connection::open(&path).unwrap().execute_batch(sql).unwrap();
    let mut warnings = Vec::new();
    let games = store.games(&key(), &mut |why| warnings.push(why)).unwrap();
    assert_eq!(games, [game(0), game(2)]);
    assert!(
        warnings[0].contains("1 of 3 games is damaged"),
        "{warnings:?}"
    );
}
