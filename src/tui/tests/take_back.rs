//! Decisions taken back in a match against the program.

use std::path::Path;

use super::played_match::{begun, playing, roll_until};
use super::transcript::{file, lines, transcribing};
use crate::game::{PlayList, Player};
use crate::match_file::variations::may_double;
use crate::match_file::{self, Action, Event};
use crate::tui::documents::played_match::MatchPrompt;
use crate::tui::testing::TestApp;

fn events(path: &Path) -> Vec<Event> {
    match_file::read(path).unwrap().games[0].events.clone()
}

/// Three plays by the person, then a fourth to be made.
fn at_fourth_play(path: &Path) -> TestApp {
    let mut bench = playing(path);
    for _ in 0..3 {
        roll_until(&mut bench, |prompt| matches!(prompt, MatchPrompt::Play(_)));
        bench.keys("j v");
    }
    roll_until(&mut bench, |prompt| matches!(prompt, MatchPrompt::Play(_)));
    bench
}

#[test]
fn the_last_decision_is_taken_back_and_brought_back() {
    let (_folder, path) = begun(7, 9);
    let mut bench = at_fourth_play(&path);
    let (before, all) = (bench.app.turn().unwrap().before, events(&path));
    // First the roll, before which there was a cube decision; it comes again.
    bench.keys("delete");
    assert_eq!(bench.app.match_prompt(), Some(MatchPrompt::Double));
    bench.keys("s");
    assert_eq!(bench.app.turn().unwrap().before, before);
    bench.keys("delete delete");
    assert!(
        bench.said().contains("U brings it back"),
        "{}",
        bench.said()
    );
    let there = bench.app.turn().unwrap().before;
    assert_eq!(there.player, before.player);
    assert!(there.event < before.event && there.state.roll.is_some());
    assert_eq!(events(&path), all[..events(&path).len()]);
    assert!(events(&path).len() < all.len());
    // Back again, with the roll that was to be played.
    bench.keys("U s");
    assert_eq!(bench.app.turn().unwrap().before, before);
    assert_eq!(events(&path).len(), all.len());
    // Another play gets the same roll of the program.
    bench.keys("delete delete j j v");
    let again = events(&path);
    let at = there.event;
    assert_ne!(again[at].action, all[at].action);
    assert_eq!(again[at].action.roll(), all[at].action.roll());
    assert_eq!(again[at + 1].action.roll(), all[at + 1].action.roll());
    bench.keys("U");
    assert!(
        bench.said().contains("nothing was removed"),
        "{}",
        bench.said()
    );
}

#[test]
fn a_turn_in_view_is_taken_back_with_all_after_it() {
    let (_folder, path) = begun(7, 9);
    let mut bench = at_fourth_play(&path);
    let all = events(&path);
    let own = bench.app.played().unwrap().first();
    let first = all.iter().position(|event| event.player == own).unwrap();
    // At the first turn there is nothing before the person's own first decision.
    bench.keys("h h h h h h h h h h h h delete");
    let left = events(&path).len();
    assert_eq!(left, if first == 0 { 0 } else { all.len() });
    bench.keys("l l delete");
    assert!(events(&path).len() <= 2);
    for _ in 0..8 {
        bench.keys("delete");
    }
    assert!(
        bench.said().contains("that can be taken back"),
        "{}",
        bench.said()
    );
    // What is left goes on from there, though the file had more before.
    bench.keys("esc esc g p");
    assert_eq!(events(&path).len(), first);
    let prompt = bench.app.match_prompt().unwrap();
    assert!(matches!(prompt, MatchPrompt::Play(_) | MatchPrompt::Double));
}

#[test]
fn a_roll_and_a_resignation_are_taken_back() {
    let (_folder, path) = begun(7, 3);
    let mut bench = playing(&path);
    roll_until(&mut bench, |prompt| prompt == MatchPrompt::Double);
    let before = bench.app.turn().unwrap().before;
    bench.keys("D");
    roll_until(&mut bench, |prompt| {
        matches!(prompt, MatchPrompt::Play(_) | MatchPrompt::NextGame)
    });
    bench.keys("delete");
    assert_eq!(bench.app.match_prompt(), Some(MatchPrompt::Double));
    assert_eq!(bench.app.turn().unwrap().before, before);
    bench.keys("g x g x");
    assert_eq!(bench.app.match_prompt(), Some(MatchPrompt::NextGame));
    bench.keys("delete");
    assert_eq!(bench.said(), "the game goes on");
    assert_eq!(bench.app.match_prompt(), Some(MatchPrompt::Double));
    assert!(match_file::read(&path).unwrap().games[0].result.is_none());
}

/// A game that is lost for certain is given up by the program, without a gammon to win.
#[test]
fn the_program_gives_up_what_is_lost() {
    let given_up = (0..12).find_map(|seed| {
        let (folder, path) = begun(9, seed);
        let mut bench = playing(&path);
        for _ in 0..400 {
            match bench.app.match_prompt()? {
                MatchPrompt::NextGame => break,
                MatchPrompt::Double => bench.keys("s"),
                _ => bench.keys("."),
            }
        }
        let game = match_file::read(&path).unwrap().games[0].clone();
        let last = game.events.last()?;
        let is_resigned = last.action == Action::Resign && last.player == Player::Right;
        is_resigned.then_some((folder, path, bench, game))
    });
    let (_folder, path, mut bench, game) = given_up.expect("a lost game");
    let result = game.result.unwrap();
    assert_eq!(result.winner, Player::Left);
    let said = bench.said().to_owned();
    assert!(said.starts_with("Luckless resigns, you win"), "{said}");
    let record = match_file::read(&path).unwrap();
    assert!(
        record.is_complete(&record.games[0]),
        "{:?}",
        record.warnings
    );
    // The person's decision before it can be taken back all the same.
    bench.keys("delete");
    assert!(events(&path).len() < game.events.len());
    assert!(match_file::read(&path).unwrap().games[0].result.is_none());
}

/// Where a roll left no choice, the decision not to double before it is taken back.
#[test]
fn a_forced_roll_is_taken_back_to_the_cube_decision() {
    let found = (0..40).find_map(|seed| {
        let (folder, path) = begun(9, seed);
        let mut bench = playing(&path);
        for _ in 0..24 {
            match bench.app.match_prompt()? {
                MatchPrompt::NextGame => return None,
                MatchPrompt::Double => bench.keys("s"),
                _ => bench.keys("."),
            }
        }
        let open = bench.app.variation.as_ref()?;
        let tree = &open.kind.played()?.tree;
        let at = open.line.iter().position(|node| {
            let node = tree.node(*node).unwrap();
            let mut before = node.before;
            let roll = before.state.roll.take();
            node.before.player == Player::Left
                && may_double(&before)
                && roll.is_some_and(|roll| {
                    PlayList::of(&before.state.position, roll).plays().len() == 1
                })
        })?;
        Some((folder, path, bench, at))
    });
    let (_folder, path, mut bench, at) = found.expect("a roll without a choice");
    while bench.app.at > at {
        bench.keys("h");
    }
    bench.keys("delete");
    assert_eq!(bench.app.match_prompt(), Some(MatchPrompt::Double));
    assert_eq!(events(&path).len(), at);
}

/// A game that ends otherwise than its file said has the points of its new end.
#[test]
fn a_corrected_end_has_its_own_points() {
    let (_folder, path) = file(5);
    let mut bench = transcribing(&path);
    lines(&mut bench, &["31: 8/5 6/5", "resigns gammon"]);
    let points = |path: &Path| match_file::read(path).unwrap().games[0].points_written;
    assert_eq!(points(&path), Some(2));
    // Left, and read again with the points of the file.
    let mut bench = transcribing(&path);
    bench.keys("esc delete delete");
    lines(&mut bench, &["resigns"]);
    assert_eq!(points(&path), Some(1), "{}", bench.said());
}

/// What was taken back is not lost by going back a game, or on to the next, before it is said.
#[test]
fn turns_taken_back_are_not_lost_between_games() {
    let (_folder, path) = file(5);
    let mut bench = transcribing(&path);
    lines(&mut bench, &["31: 8/5 6/5", "resigns"]);
    bench.keys("s");
    lines(
        &mut bench,
        &["31: 8/5 6/5", "62: 24/18 13/11", "55: 13/3 13/3"],
    );
    let all = match_file::read(&path).unwrap().games[1].events.clone();
    bench.keys("esc h h h delete delete delete");
    assert!(bench.said().contains("are lost then"), "{}", bench.said());
    bench.keys("U");
    assert_eq!(match_file::read(&path).unwrap().games[1].events, all);
    bench.keys("h h h delete delete delete delete");
    assert!(bench.said().contains("the game before"), "{}", bench.said());
    assert_eq!(match_file::read(&path).unwrap().games.len(), 1);
}

/// A double that was taken back before a roll does not come back after it.
#[test]
fn a_double_is_not_brought_back_behind_the_roll() {
    let (_folder, path) = begun(7, 9);
    let mut bench = playing(&path);
    roll_until(&mut bench, |prompt| prompt == MatchPrompt::Double);
    bench.keys("D delete");
    assert_eq!(bench.app.match_prompt(), Some(MatchPrompt::Double));
    bench.keys("s");
    let before = events(&path);
    bench.keys("U");
    assert!(
        bench.said().contains("nothing was removed"),
        "{}",
        bench.said()
    );
    assert_eq!(events(&path), before);
}
