//! The file of a match against the program: changed by others, or on a disk without room.

use std::path::Path;

use super::played_match::{begun, opened, playing, roll_until};
use crate::match_file;
use crate::tui::documents::played_match::MatchPrompt;
use crate::tui::state::Openable;
use crate::tui::testing::TestApp;

/// The person makes a play.
fn play(bench: &mut TestApp) {
    roll_until(bench, |prompt| matches!(prompt, MatchPrompt::Play(_)));
    bench.keys("j v");
}

fn events(path: &Path) -> usize {
    match_file::read(path).unwrap().games[0].events.len()
}

const MOVED: &str = "own.mat was changed by another program: this match goes on in own-2.mat";

#[test]
fn what_another_program_has_written_stays_and_the_match_goes_on_beside_it() {
    let (folder, path) = begun(7, 3);
    let beside = folder.path().join("own-2.mat");
    let mut bench = playing(&path);
    play(&mut bench);
    // The player's name in the file is changed by hand.
    let changed = std::fs::read_to_string(&path)
        .unwrap()
        .replace("Anna", "Ann");
    std::fs::write(&path, &changed).unwrap();
    play(&mut bench);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), changed);
    assert_eq!(bench.app.log, [MOVED]);
    assert!(bench.screen(120, 40).contains("own-2.mat"));
    play(&mut bench);
    assert_eq!(bench.app.log, [MOVED], "it is said once");
    let played = bench.app.played().unwrap();
    assert_eq!(played.file.path, beside);
    assert_eq!(played.record.games[0].events.len(), events(&beside));
    assert_eq!(
        bench.app.sources,
        [&path, &beside].map(|path| Openable::File(path.clone()))
    );
    // What is shown then is what was played, and it goes on in its own file.
    bench.keys("esc esc");
    let shown = &bench.app.document;
    assert_eq!(shown.record.path.as_ref(), Some(&beside));
    assert_eq!(shown.title, "own-2.mat");
    assert_eq!(shown.record.games[0].events.len(), events(&beside));
    let before = events(&beside);
    bench.keys("g p");
    play(&mut bench);
    assert!(events(&beside) > before);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), changed);
}

#[test]
fn two_copies_on_one_file_do_not_overwrite_each_other() {
    let (folder, path) = begun(7, 3);
    let mut one = playing(&path);
    let mut other = playing(&path);
    play(&mut one);
    other.keys("g x g x");
    assert_eq!((one.app.log.len(), other.app.log.len()), (0, 1));
    play(&mut one);
    assert!(one.app.log.is_empty());
    let played = one.app.played().unwrap();
    assert_eq!(played.record.games[0].events.len(), events(&path));
    let record = match_file::read(&folder.path().join("own-2.mat")).unwrap();
    assert!(record.games[0].result.is_some());
}

#[test]
fn a_file_that_was_deleted_is_written_again() {
    let (_folder, path) = begun(7, 3);
    let mut bench = playing(&path);
    play(&mut bench);
    std::fs::remove_file(&path).unwrap();
    play(&mut bench);
    assert!(bench.app.log.is_empty());
    let played = bench.app.played().unwrap();
    assert_eq!(played.record.games[0].events.len(), events(&path));
}

#[test]
fn a_match_that_is_not_saved_is_marked_and_asked_about() {
    let (folder, path) = begun(7, 3);
    let mut bench = playing(&path);
    play(&mut bench);
    let away = folder.path().join("away");
    std::fs::rename(&path, &away).unwrap();
    // Neither can be read nor written.
    std::fs::create_dir(&path).unwrap();
    play(&mut bench);
    assert_eq!(bench.app.unsaved(), 1);
    assert!(bench.screen(120, 40).contains("unsaved 1"));
    bench.keys("q");
    assert!(!bench.over && bench.said().contains("not everything is saved yet"));
    std::fs::remove_dir(&path).unwrap();
    std::fs::rename(&away, &path).unwrap();
    play(&mut bench);
    assert!(bench.app.unsaved.is_empty());
    assert!(!bench.screen(120, 40).contains("unsaved"));
    let played = bench.app.played().unwrap();
    assert_eq!(played.record.games[0].events.len(), events(&path));
    bench.keys("q");
    assert!(bench.over);
}

/// What could not be read of a file would be lost by going on with it.
#[test]
fn a_damaged_file_is_not_gone_on_with() {
    let (_folder, path) = begun(5, 3);
    let text = std::fs::read_to_string(&path).unwrap();
    let damaged = format!(
        "{}\n  1) 31: 8/2                          42: 8/4 6/4\n",
        text.trim_end()
    );
    std::fs::write(&path, &damaged).unwrap();
    let mut bench = opened(&path);
    bench.keys("g p");
    assert!(bench.app.played().is_none());
    assert!(bench.said().contains("would be lost"), "{}", bench.said());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), damaged);
}
