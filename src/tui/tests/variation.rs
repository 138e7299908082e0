//! What if: keys through the application.

use std::path::Path;

use super::listed::exported;
use crate::eval::Engine;
use crate::game::{GameState, Player, Position, Roll};
use crate::match_file::Action;
use crate::store::{Notes, VariationTexts};
use crate::tui::documents::variation::{DiceCup, TreeLine};
use crate::tui::figures::error_list;
use crate::tui::message::Message;
use crate::tui::state::{App, Document};
use crate::tui::testing::{TestApp, record};
use crate::tui::theme::Depth;
use crate::tui::windows::exported::WrittenFile;

fn bench() -> TestApp {
    let mut bench = TestApp::new(Depth::True);
    bench.app.dice_cup = DiceCup::seeded(7);
    bench
}

fn actions(app: &App) -> Vec<Option<Action>> {
    app.document.turns.iter().map(|turn| turn.action).collect()
}

fn roll(app: &App) -> Option<Roll> {
    app.turn().unwrap().before.state.roll
}

#[test]
fn the_selected_play_is_made_and_the_match_comes_back_as_it_was() {
    let mut bench = bench();
    bench.keys("n");
    let (at, turn) = (bench.app.at, *bench.app.turn().unwrap());
    let before = bench.screen(120, 40);
    bench.keys("j j v");
    let app = &bench.app;
    assert_eq!((app.at, app.document.turns.len()), (1, 2));
    let made = app.document.turns[0];
    assert_eq!(made.before, turn.before);
    assert_ne!(made.action, turn.action);
    let next = app.turn().unwrap();
    assert_eq!(next.before.player, turn.before.player.other());
    assert_eq!((next.before.state.roll, next.action), (None, None));
    assert_eq!(next.number, turn.number + 1);
    // The play that was made is marked, and what it cost is known.
    bench.keys("h");
    assert!(bench.app.error(0).unwrap().0 > 0.0);
    let screen = bench.screen(120, 40);
    assert_has!(screen, "what if");
    bench.keys("esc");
    assert!(bench.app.variation.is_none());
    assert_eq!(bench.app.at, at);
    assert!(bench.app.document.is_analysed());
    bench.app.status = None;
    let after = bench.screen(120, 40);
    assert_eq!(after.replace('╠', " "), before);
    assert_has!(after, '╠');
    let kept = &bench.kept_variations[&turn.place()];
    assert_has!(kept, "did");
}

#[test]
fn dice_are_rolled_set_and_gone_through() {
    let mut bench = bench();
    bench.keys("n j v s");
    let first = roll(&bench.app).unwrap();
    assert!(bench.said().contains(&first.to_string()));
    assert_eq!(bench.app.at, 1);
    assert!(!bench.app.review().unwrap().candidates.is_empty());
    bench.keys("d 6 4 enter");
    assert_eq!(roll(&bench.app), Roll::new(6, 4));
    bench.keys(">");
    assert_eq!(roll(&bench.app), Roll::new(6, 5));
    bench.keys("> > <");
    assert_eq!(roll(&bench.app), Roll::new(6, 6));
    bench.keys(">");
    assert_eq!(roll(&bench.app), Roll::new(1, 1));
    bench.keys("d enter");
    assert_eq!(roll(&bench.app), None);
    // Enter shows a play, and makes it once it is shown.
    bench.keys("d 3 1 enter enter enter");
    assert_eq!(bench.app.at, 2);
    assert_eq!(
        bench.app.document.turns[1].before.state.roll,
        Roll::new(3, 1)
    );
    bench.keys("h d 3 1 enter");
    assert!(
        bench.app.turn().unwrap().action.is_some(),
        "what was tried with it"
    );
}

#[test]
fn the_dice_of_a_match_can_be_others() {
    let mut bench = bench();
    bench.keys("n");
    let (at, turn) = (bench.app.at, *bench.app.turn().unwrap());
    bench.keys("d 5 5 enter");
    assert_eq!(roll(&bench.app), Roll::new(5, 5));
    assert_eq!(bench.app.turn().unwrap().before.player, turn.before.player);
    bench.keys("esc");
    assert_eq!(bench.app.at, at);
    assert!(bench.kept_variations.is_empty(), "nothing was done");
    assert!(!bench.app.has_variations(at));
}

#[test]
fn branches_are_walked_removed_and_brought_back() {
    let mut bench = bench();
    bench.keys("n j v d 3 1 enter j v h j j v d 5 2 enter j v");
    // Back to the first turn, and another play there.
    bench.keys("h h h j j j v");
    let rows = |bench: &TestApp| bench.app.variation.as_ref().unwrap().rows(0).0;
    let indents: Vec<usize> = rows(&bench)
        .iter()
        .map(|line| match line {
            TreeLine::Action(row) => row.indent,
            TreeLine::Open(indent) => 10 + indent,
        })
        .collect();
    assert_eq!(indents, [0, 1, 11, 0, 1, 1]);
    bench.keys("h }");
    assert_eq!(bench.app.document.turns.len(), 4, "the line tried last");
    let other = actions(&bench.app);
    bench.keys("{");
    assert_eq!(bench.app.document.turns.len(), 2);
    bench.keys("}");
    assert_eq!(actions(&bench.app), other);
    // Along the tree with the arrows of the list.
    bench.keys("tab g g");
    assert_eq!(bench.app.at, 0);
    let mut seen: std::collections::BTreeSet<crate::match_file::NodeId> =
        std::collections::BTreeSet::new();
    for _ in 0..8 {
        let at = bench.app.at;
        let open = bench.app.variation.as_ref().unwrap();
        seen.extend(open.line.get(at));
        bench.keys("j");
    }
    assert_eq!(seen.len(), 5, "every action");
    assert_has!(bench.screen(120, 40), '└');
    bench.keys("g g delete");
    assert!(bench.said().contains("4 actions"), "{}", bench.said());
    assert_eq!(rows(&bench).len(), 2);
    bench.keys("U");
    assert_eq!(rows(&bench).len(), 6);
    bench.keys("U");
    assert!(bench.said().contains("nothing was removed"));
    // The last comes back first.
    bench.keys("delete delete U");
    assert_eq!(rows(&bench).len(), 2);
    bench.keys("U");
    assert_eq!(rows(&bench).len(), 6);
    // A removed branch is gone for good once something else is tried.
    bench.keys("delete esc v");
    assert_eq!(rows(&bench).len(), 2);
}

#[test]
fn the_cube_is_turned_where_it_may_be() {
    let mut bench = bench();
    bench.keys("n j v A");
    assert!(bench.said().contains("no double"), "{}", bench.said());
    bench.keys("D");
    assert!(bench.app.turn().unwrap().before.state.doubled);
    bench.keys("s");
    assert!(bench.said().contains("before the double is answered"));
    bench.keys("K");
    assert!(bench.said().contains("beaver"));
    bench.keys("X s");
    assert!(bench.said().contains("is over here: A takes instead"));
    assert_eq!(bench.app.document.turns.len(), 3);
    bench.keys("A");
    let state = bench.app.turn().unwrap().before.state;
    assert_eq!((state.cube, state.doubled), (2, false));
    bench.keys("D");
    assert!(bench.said().contains("owns the cube"), "{}", bench.said());
    assert_has!(bench.screen(120, 40), "passes", "takes");
}

#[test]
fn the_program_plays_a_turn_or_a_side() {
    let mut bench = bench();
    bench.keys("n .");
    let app = &bench.app;
    let best = app.document.looks[&(0, 0)].candidates[0];
    assert!(
        matches!(app.document.turns[0].action, Some(Action::Move { play, .. }) if play == best.play)
    );
    // Without dice it rolls first.
    bench.keys(".");
    let turns = bench.app.document.turns.len();
    assert!(turns >= 3);
    bench.keys("S");
    assert!(
        bench
            .said()
            .contains("at 0-ply; s rolls your dice, S ends that")
    );
    let mine = bench.app.turn().unwrap().before.player;
    for _ in 0..3 {
        bench.keys("s j v");
        if bench.app.turn().unwrap().before.state.doubled {
            bench.keys("A");
        }
    }
    assert!(bench.app.document.turns.len() >= turns + 6);
    assert_eq!(bench.app.turn().unwrap().before.player, mine);
    bench.keys("S");
    assert!(bench.said().contains("no more"));
}

#[test]
fn what_was_kept_is_there_again_and_what_cannot_be_is_refused() {
    let mut first = bench();
    first.keys("n j v d 3 1 enter j v esc");
    let kept = first.kept_variations.clone();
    let (place, tree) = kept.first_key_value().unwrap();
    let mut again = bench();
    let tell = |bench: &mut TestApp, tree: &str| {
        let variations =
            VariationTexts::from([(*place, tree.to_owned()), ((77, 1), "?".to_owned())]);
        let notes = Notes::new();
        bench.tell(Message::Notes {
            generation: 1,
            notes,
            variations,
        });
    };
    tell(&mut again, tree);
    again.keys("n v");
    assert_eq!(actions(&again.app)[..2], actions_of(&mut first)[..2]);
    // The notes of the match come also while a variation is in view.
    again.keys("delete");
    tell(&mut again, tree);
    assert!(
        again
            .app
            .variation
            .as_ref()
            .unwrap()
            .tree()
            .unwrap()
            .is_empty()
    );
    let mut bad = bench();
    tell(&mut bad, r#"[{"did":"take"}]"#);
    assert!(
        bad.said().contains("cannot be used: action 1"),
        "{}",
        bad.said()
    );
    assert!(bad.app.document.variations.is_empty());
    // What cannot be read is not written over.
    let kept = bad.kept_variations.len();
    bad.keys("n j v");
    assert!(bad.app.variation.is_some() && bad.kept_variations.len() == kept);
    assert!(bad.said().contains("stay as they are"), "{}", bad.said());
}

fn actions_of(bench: &mut TestApp) -> Vec<Option<Action>> {
    bench.keys("v");
    actions(&bench.app)
}

#[test]
fn without_a_selected_play_the_best_one_is_taken() {
    let mut bench = bench();
    bench.keys("n");
    let best = bench.app.review().unwrap().candidates[0];
    bench.keys("v");
    let Some(Action::Move { play, .. }) = bench.app.document.turns[0].action else {
        panic!("nothing was made");
    };
    assert_eq!(play, best.play);
    assert!(bench.said().contains("the best play"), "{}", bench.said());
    // There is a variation now: v leads into it.
    bench.keys("esc v");
    assert_eq!(actions(&bench.app).iter().flatten().count(), 1);
}

#[test]
fn a_position_alone_has_variations_too() {
    let mut state = GameState::money(Position::opening());
    state.roll = Roll::new(3, 1);
    let document = Document::of_position(state, "4HPwATDgc/ABMA".into(), 1);
    let mut bench = TestApp::with(Depth::True, document);
    bench.keys("j v D A");
    assert_eq!(bench.app.turn().unwrap().before.state.cube, 2);
    assert_has!(bench.screen(80, 24), "what if");
    bench.keys("esc");
    assert_eq!(roll(&bench.app), Roll::new(3, 1));
    assert_eq!(bench.kept_variations.len(), 1);
    bench.keys("v");
    assert_eq!(bench.app.document.turns.len(), 4);
}

#[test]
fn rollouts_and_windows_work_on_a_variation() {
    let mut bench = bench();
    bench.keys("n j v d 6 1 enter r");
    bench.roll(360, true);
    assert!(
        bench
            .app
            .jobs
            .about(bench.app.decision().unwrap())
            .next()
            .is_some()
    );
    bench.keys("j j Y esc M esc E");
    assert!(bench.screen(120, 40).contains("errors"));
    bench.keys("esc B");
    assert!(bench.said().contains("this is a variation"));
}

#[test]
fn a_changed_file_and_another_one_leave_nothing_behind() {
    let mut bench = bench();
    bench.keys("n");
    let at = bench.app.at;
    bench.keys("j v d 3 1 enter");
    let document = Document::of_match(record(), "anna-bénédicte.mat".into(), 2);
    bench.tell(Message::Reread(2, Ok(Box::new(document))));
    // The variation stays in view, of the match as it is now.
    assert_eq!(bench.app.home().generation, 2);
    assert_eq!(roll(&bench.app), Roll::new(3, 1));
    bench.keys("esc");
    assert_eq!(bench.app.at, at);
    assert!(bench.app.has_variations(at));
    bench.keys("v");
    let document = Document::of_match(record(), "other.mat".into(), 3);
    bench.tell(Message::Opened(3, Ok(Box::new(document))));
    assert!(bench.app.variation.is_none());
    assert!(bench.app.document.variations.is_empty());
}

/// A line of the same turn and one of another turn have come into the file.
#[test]
fn what_is_new_in_a_changed_file_comes_beside_what_was_tried() {
    let mut other = bench();
    other.keys("n j j v esc n j v esc");
    let mut again = record();
    again.variations = other.app.document.variations.clone();
    let mut bench = bench();
    bench.keys("n j v");
    let in_view = actions(&bench.app);
    let document = Document::of_match(again, "anna-bénédicte.mat".into(), 2);
    bench.tell(Message::Reread(2, Ok(Box::new(document))));
    assert_eq!(actions(&bench.app), in_view, "the line in view stays");
    bench.keys("esc");
    let trees = &bench.app.document.variations;
    let counts: Vec<usize> = trees.values().map(|tree| tree.count()).collect();
    assert_eq!(counts, [2, 1]);
}

#[test]
fn variations_in_words() {
    for (w, h) in [(80, 24), (120, 40), (200, 60)] {
        let mut bench = TestApp::new(Depth::None);
        bench.app.dice_cup = DiceCup::seeded(7);
        bench.keys("n j v d 3 1 enter j v h j j v d 5 2 enter j v d 6 5 enter j j");
        insta::assert_snapshot!(format!("variation_{w}x{h}"), bench.screen(w, h));
    }
}

#[test]
fn a_position_is_written_as_a_card_with_its_analysis() {
    let mut bench = bench();
    assert_has!(bench.screen_after("n j y h", 80, 24), "match-1-3.html");
    bench.keys("enter");
    assert_eq!(bench.exported, Some("match-1-3.html".into()));
    let page = bench.written.clone().unwrap();
    let page = page
        .content(Path::new("x.html"), &Engine::embedded())
        .unwrap()
        .bytes;
    let page = String::from_utf8(page).unwrap();
    assert_has!(page, "<!DOCTYPE html>", "<svg", "to play", "-ply", "XGID=");
    assert_has!(page, "</html>");
    assert_lacks!(page, "href", "src=");
}

#[test]
fn statistics_put_the_players_side_by_side() {
    let mut bench = bench();
    let screen = bench.screen_after("g s", 120, 60);
    assert_has!(screen, "statistics", "PR ", "checker  ?! ? ??");
    assert_has!(screen, "luck-adjusted result", "kind of position");
    assert_has!(screen, "decisions error", "game score");
    // Its marks are those of the settings, as in the list of errors.
    let marks = &mut bench.app.settings.marks;
    (marks.doubtful, marks.error, marks.blunder) = (0.001, 0.002, 0.003);
    let screen = bench.screen_after("esc g s", 120, 60);
    let plays = error_list::figures(&bench.app, Player::Left).checker;
    assert!(plays.blunders > plays.errors);
    let counts = format!("  {} {} {} ", plays.doubtful, plays.errors, plays.blunders);
    let row = screen.lines().find(|line| line.contains("checker  ?!"));
    assert!(row.is_some_and(|row| row.contains(&counts)), "{screen}");
    // Where not all lines fit they are turned, down to the last and no further.
    bench.draw(80, 24);
    let screen = bench.screen_after("G j", 80, 24);
    assert!(
        screen.contains("game score") && !screen.contains("gnubg rate"),
        "{screen}"
    );
    bench.keys("k");
    assert_ne!(bench.screen(80, 24), screen);
    bench.keys("esc");
    assert!(bench.app.overlay.is_none());
}

/// The review as a page, once it is complete; a name that does not serve can be put right.
#[test]
fn a_match_is_written_with_its_review() {
    let mut bench = bench();
    assert!(bench.app.document.is_analysed());
    let screen = bench.screen_after("y r", 80, 24);
    assert_has!(screen, "match.html");
    // The whole line goes, and another name comes.
    bench.keys("ctrl-u o n e enter");
    assert_eq!(bench.exported, Some("one".into()));
    let engine = Engine::embedded();
    let page = bench.written.clone().unwrap();
    let page = page.content(Path::new("one"), &engine).unwrap().bytes;
    let page = String::from_utf8(page).unwrap();
    assert!(
        page.contains("<svg") && page.ends_with("</html>\n"),
        "{page}"
    );
    exported(&mut bench, Err("is there already: one".into()));
    let screen = bench.screen(80, 24);
    assert_has!(screen, "> one");
    bench.keys("2 enter");
    assert_eq!(bench.exported, Some("one2".into()));
    let path = "one2".into();
    let left_out = vec!["match text does not hold: remark × 1".into()];
    exported(&mut bench, Ok(WrittenFile { path, left_out }));
    assert!(bench.app.overlay.is_none() && bench.app.unwritten.is_empty());
    let said = bench.said();
    assert_eq!(
        said,
        "written, but its format does not hold all (W says what): one2"
    );
    bench.keys("W");
    assert!(bench.screen(80, 24).contains("remark × 1"));
    bench.keys("esc");
}

#[test]
fn a_decision_is_copied_as_text_for_forums() {
    let mut bench = bench();
    bench.keys("n y t");
    let text = bench.copied.clone().unwrap();
    let position = crate::notation::parse_id(&text).unwrap().position;
    assert_eq!(position, bench.app.turn().unwrap().before.state.position);
    assert_has!(text, "    1. ", "eq:");
    assert!(text.contains("X:Anna") || text.contains("O:Anna"), "{text}");
}

#[test]
fn the_match_is_written_with_its_variations() {
    let mut bench = bench();
    let screen = bench.screen_after("n j v d 3 1 enter j v y s", 80, 24);
    assert_has!(screen, "match-variations.sgf");
    bench.keys("enter");
    assert_eq!(bench.exported, Some("match-variations.sgf".into()));
    let text = crate::match_file::sgf::write::write(&bench.app.home().record_with_variations());
    let again = crate::match_file::read_bytes(text.as_bytes(), "x.sgf").unwrap();
    let at = bench.app.home_turn();
    let mut other = TestApp::with(Depth::True, Document::of_match(again, "x.sgf".into(), 1));
    assert!(other.app.has_variations(at), "{text}");
    other.keys("n v");
    assert_eq!(actions(&other.app), actions(&bench.app));
}

/// What nothing was tried of is written without that word, and not over its own file.
#[test]
fn a_match_without_variations_is_not_said_to_have_any() {
    let mut bench = bench();
    let screen = bench.screen_after("n y s", 60, 20);
    assert_has!(screen, " write the match ─");
    // XG reads no SGF.
    assert_has!(screen, "> match.mat");
    let screen = bench.screen_after("esc a o k enter j v y s", 60, 20);
    assert_has!(screen, "with its variations");
    let hint = "a new file; .sgf and .json hold variations and notes";
    assert_has!(screen, hint);
    for (path, keys, proposed) in [
        ("m.xg", "y s", "> m.mat"),
        ("m.MAT", "y s", "> m.sgf"),
        ("m.xg", "n a o k enter y s", "> m.sgf"),
        ("m.SGF", "n a o k enter y s", "> m-copy.sgf"),
    ] {
        let mut own = record();
        own.path = Some(path.into());
        let document = Document::of_match(own, path.into(), 1);
        let mut bench = TestApp::with(Depth::True, document);
        let screen = bench.screen_after(keys, 60, 20);
        assert!(screen.contains(proposed), "{path}: {screen}");
    }
}

#[test]
fn notes_are_in_all_that_is_written() {
    let mut bench = bench();
    bench.keys("n a z u g z w a n g enter");
    let write = |bench: &mut TestApp, keys: &str, name: &str| {
        bench.keys(keys);
        let written = bench.written.take().expect("something is written");
        let content = written.content(Path::new(name), &Engine::embedded());
        let content = content.unwrap();
        (String::from_utf8(content.bytes).unwrap(), content.left_out)
    };
    for (keys, name) in [
        ("y r enter", "x.html"),
        ("y h enter", "x.html"),
        ("y s enter", "x.sgf"),
        ("y s enter", "x.json"),
    ] {
        let (text, left_out) = write(&mut bench, keys, name);
        assert!(text.contains("zugzwang"), "{name}: {text}");
        let lost = left_out.iter().any(|line| line.contains("remark"));
        assert!(!lost, "{left_out:?}");
    }
    let (_, left_out) = write(&mut bench, "y s enter", "x.mat");
    let is_told = left_out.iter().any(|line| line.contains("remark × 1"));
    assert!(is_told, "{left_out:?}");
    // The card of another decision has it not.
    let (card, _) = write(&mut bench, "l y h enter", "x.html");
    assert_lacks!(card, "zugzwang");
}

/// The sums of a game are those of what was played: a roll that was only tried counts while it is in view.
#[test]
fn the_luck_of_a_roll_that_was_tried_goes_with_it() {
    let sums = |bench: &mut TestApp| {
        let screen = bench.screen(120, 40);
        let at = screen.find("luck +").or(screen.find("luck -"))?;
        screen[at..].split_whitespace().nth(1).map(str::to_owned)
    };
    let mut bench = bench();
    bench.keys("n v");
    let played = {
        bench.keys("h");
        sums(&mut bench)
    };
    bench.keys("l d 6 6 enter");
    let tried = sums(&mut bench);
    bench.keys("h");
    assert_eq!(sums(&mut bench), played);
    assert_ne!(tried, played);
}
