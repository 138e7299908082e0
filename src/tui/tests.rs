//! The workstation as a whole, without a terminal: screens, key scripts, and what must never be.

mod all_rolls;
mod analysis;
mod any_events;
mod by_hand;
mod bytes;
mod copied_windows;
mod edited;
mod editor;
mod equity_table;
mod filled;
mod help;
mod imported;
mod inquiry;
mod keeping;
mod kept_list;
mod late_news;
mod layout;
mod left_match;
mod library;
mod listed;
mod match_rollouts;
mod matrix;
mod mouse;
mod new_match;
mod openings;
mod own_keys;
mod pair;
mod plan;
mod played_file;
mod played_match;
mod position;
mod program;
mod quiz;
mod quiz_match;
mod rating;
mod remarks;
mod rollouts;
mod second_opinion;
mod small_screens;
mod statistics;
mod take_back;
mod transcript;
mod tutor;
mod typing;
mod variation;
mod wanted_errors;
mod warned;
mod written_positions;

use proptest::prelude::*;
use ratatui::crossterm::event::{Event, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use super::state::{Document, Focus};
use super::testing::{TestApp, record, styles};
use super::theme::Depth;
use crate::game::{GameState, Player, Position, Roll};
use crate::review::Mark;
use crate::tui::keys::{ACTIONS, KeyScope, manual, sequence};
use crate::tui::message::Message;
use crate::tui::windows::overlay::Overlay;

/// A rollout of three plays half way, seen from the decision.
fn rolling(depth: Depth) -> TestApp {
    let mut bench = TestApp::new(depth);
    bench.keys("n j space j space j space r");
    bench.roll(648, false);
    bench.wait(5000);
    bench.app.status = None;
    bench
}

fn pair(depth: Depth) -> TestApp {
    let mut bench = TestApp::new(depth);
    bench.keys("n j j c");
    bench.roll(1296, true);
    bench.app.status = None;
    bench
}

/// A family of five half way.
fn family(depth: Depth) -> TestApp {
    let mut bench = TestApp::new(depth);
    bench.keys("n j space j space j space j space j space c");
    bench.roll(648, false);
    bench.wait(5000);
    bench.app.status = None;
    bench
}

#[test]
fn screens_in_words() {
    for (w, h) in [(80, 24), (120, 40), (200, 60)] {
        let mut bench = TestApp::new(Depth::True);
        insta::assert_snapshot!(format!("first_{w}x{h}"), bench.screen(w, h));
        let mut bench = rolling(Depth::True);
        insta::assert_snapshot!(format!("rolling_{w}x{h}"), bench.screen(w, h));
        let mut bench = pair(Depth::True);
        insta::assert_snapshot!(format!("pair_{w}x{h}"), bench.screen(w, h));
        let mut bench = family(Depth::True);
        insta::assert_snapshot!(format!("family_{w}x{h}"), bench.screen(w, h));
    }
    for (w, h) in [(100, 30), (160, 45), (60, 20), (40, 12)] {
        let mut bench = rolling(Depth::True);
        insta::assert_snapshot!(format!("rolling_{w}x{h}"), bench.screen(w, h));
    }
}

#[test]
fn screens_in_colour_and_without() {
    for (name, depth) in [("colour", Depth::True), ("mono", Depth::None)] {
        for (w, h) in [(80, 24), (120, 40), (200, 60)] {
            let mut bench = rolling(depth);
            let buffer = bench.draw(w, h);
            insta::assert_snapshot!(format!("styles_{name}_{w}x{h}"), styles(&buffer));
        }
    }
}

#[test]
fn windows() {
    let mut bench = TestApp::new(Depth::True);
    for (name, keys) in [
        ("help", "?"),
        ("palette", "esc : f r e"),
        ("form", "esc R R j"),
        ("warnings", "esc W"),
        ("signs", "esc ? tab tab"),
        ("stage", "esc B"),
        ("note", "esc a w o r t h"),
        ("prefix", "esc y"),
    ] {
        bench.keys(keys);
        insta::assert_snapshot!(format!("window_{name}"), bench.screen(80, 24));
    }
}

#[test]
fn a_position_alone() {
    let mut state = GameState::money(Position::opening());
    let document = Document::of_position(state, "4HPwATDgc/ABMA".into(), 1);
    let mut bench = TestApp::with(Depth::True, document);
    insta::assert_snapshot!("position", bench.screen(80, 24));
    state.roll = Roll::new(3, 1);
    let document = Document::of_position(state, "4HPwATDgc/ABMA".into(), 1);
    let mut bench = TestApp::with(Depth::True, document);
    insta::assert_snapshot!("position_with_dice", bench.screen(80, 24));
}

#[test]
fn errors_are_walked_in_both_directions_and_by_side() {
    let mut bench = TestApp::new(Depth::True);
    let all: Vec<usize> = bench.app.errors().collect();
    assert!(all.len() > 3, "the test match has errors");
    bench.keys("n n n N");
    let first = all.iter().position(|&t| t > 0).unwrap();
    assert_eq!(bench.app.at, all[first + 1]);
    bench.keys("w");
    assert_eq!(bench.app.options.whose, Some(Player::Left));
    let left: Vec<usize> = bench.app.errors().collect();
    assert!(left.len() < all.len());
    assert!(left.iter().all(|t| all.contains(t)));
    bench.keys("t t");
    assert_eq!(bench.app.options.threshold, Mark::Blunder);
    bench.keys("t w w");
    assert_eq!(bench.app.errors().collect::<Vec<_>>(), all);
}

#[test]
fn games_are_walked() {
    let mut bench = TestApp::new(Depth::True);
    let game = |b: &TestApp| b.app.turn().unwrap().game;
    bench.keys("L L");
    assert_eq!(game(&bench), 2);
    bench.keys("L");
    assert_eq!(game(&bench), 2, "there is no fourth game");
    bench.keys("l l H");
    assert_eq!(
        (game(&bench), bench.app.turn().unwrap().before.event),
        (2, 0)
    );
    bench.keys("H");
    assert_eq!(
        (game(&bench), bench.app.turn().unwrap().before.event),
        (1, 0)
    );
    bench.keys("tab end");
    assert_eq!(bench.app.at + 1, bench.app.document.turns.len());
    bench.keys("l");
    assert_eq!(bench.said(), "this is the last turn");
    bench.keys("g g");
    assert_eq!(bench.app.at, 0);
}

#[test]
fn the_board_shows_the_selected_play_until_one_steps_back() {
    let mut bench = TestApp::new(Depth::True);
    assert_eq!(bench.app.selection.play, None);
    bench.keys("j");
    let best = bench.app.review().unwrap().candidates[0].result;
    assert_eq!(bench.app.selection.play, Some(best));
    bench.keys("j j k");
    let second = bench.app.review().unwrap().candidates[1].result;
    assert_eq!(bench.app.selection.play, Some(second));
    bench.keys("esc");
    assert_eq!(bench.app.selection.play, None);
    bench.keys("j l");
    assert_eq!(
        bench.app.selection.play, None,
        "another turn, no play shown"
    );
}

#[test]
fn the_keys_needed_most_have_their_place() {
    let mut bench = rolling(Depth::True);
    // Also beside the tips of a first start.
    bench.app.resume(&crate::store::session::Session::default());
    let last = |bench: &mut TestApp, w| {
        bench.app.status = None;
        let screen = bench.screen(w, 24);
        screen.lines().last().unwrap_or_default().to_owned()
    };
    for width in [80, 100] {
        let line = last(&mut bench, width);
        let all = ["p pause", "x stop", "? keys", "q quit"];
        assert!(all.iter().all(|key| line.contains(key)), "{line}");
    }
    bench.keys("p");
    let line = last(&mut bench, 80);
    assert_has!(line, "p go on  ", "x stop");
    // What stands still has no speed.
    let screen = bench.screen(80, 24);
    assert!(
        screen.contains("● paused\n") && !screen.contains("/s"),
        "{screen}"
    );
    bench.keys("E");
    let line = last(&mut bench, 80);
    assert!(line.ends_with("Esc close"), "{line}");
    assert_has!(line, "t size", "w player", "c class");
}

#[test]
fn a_long_warning_is_read_to_its_end() {
    let mut record = record();
    let words = "what stands here is no play that the rules allow ".repeat(4);
    record.warnings[0].message = format!("{words}and ends so");
    let mut bench = TestApp::with(Depth::True, Document::of_match(record, "x".into(), 1));
    bench.keys("W");
    for (w, h) in [(80, 24), (120, 40)] {
        assert_has!(bench.screen(w, h), "and ends so");
    }
}

#[test]
fn rows_do_not_jump_while_figures_settle() {
    let mut bench = TestApp::new(Depth::True);
    // The second play marked first: the made-up rollout finds the first candidate best.
    bench.keys("n j j space r");
    let before = bench.app.ranking.by_depth().to_vec();
    bench.roll(360, false);
    assert_eq!(bench.app.ranking.by_depth(), before);
    bench.wait(300);
    assert_eq!(bench.app.ranking.by_depth(), before);
    bench.wait(600);
    let after = bench.app.ranking.by_depth();
    assert_eq!(
        after[0], before[1],
        "once it has held, the rolled-out play leads"
    );
}

#[test]
fn hidden_answers_are_hidden_everywhere() {
    let mut bench = rolling(Depth::True);
    bench.keys(": h i d e enter");
    bench.app.status = None;
    for (w, h) in [(80, 24), (120, 40), (200, 60)] {
        // The threshold of `n` stays in the title of the list.
        let screen = bench.screen(w, h).replace("≥?!", "");
        // Equities and marks, not dice, scores or pips.
        for sign in ["+0.", "-0.", "★", "≈", "??", "?!"] {
            assert!(!screen.contains(sign), "'{sign}' at {w}×{h}:\n{screen}");
        }
    }
    bench.keys("r");
    assert_has!(bench.said(), "hidden");
}

#[test]
fn windows_take_their_keys_and_close() {
    let mut bench = TestApp::typed(Depth::True, ": m i r r o r enter");
    assert!(bench.app.overlay.is_none());
    assert!(bench.app.options.mirrored);
    bench.keys("R R down down down down l enter");
    assert_eq!(bench.app.settings.rollout.ply, 1);
    bench.keys("R R l esc");
    assert_eq!(
        bench.app.settings.rollout.trials, 1296,
        "esc changes nothing"
    );
    bench.keys("? esc");
    assert!(bench.app.overlay.is_none() && !bench.over);
    bench.keys("o");
    bench.tell(Message::Input(Event::Paste("4HPwATDgc/ABMA".into())));
    bench.keys("enter");
    assert_eq!(bench.app.document.title, "4HPwATDgc/ABMA");
    assert_eq!(
        bench.app.turn().unwrap().before.state.position,
        Position::opening()
    );
    bench.keys("q");
    assert!(bench.over);
}

#[test]
fn identifiers_are_pasted_and_copied() {
    let mut bench = TestApp::new(Depth::True);
    let xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10";
    bench.tell(Message::Input(Event::Paste(format!("see\n{xgid}\nwhat?"))));
    assert_eq!(bench.app.decision().unwrap().state().roll, Roll::new(3, 1));
    bench.keys("y g");
    assert!(bench.copied.as_ref().unwrap().starts_with("4HPwATDgc/ABMA"));
    bench.keys("y x");
    assert_eq!(bench.copied.as_deref(), Some(xgid));
    bench.keys("y a");
    let copied = bench.copied.take().unwrap();
    // Above stand the decision and the heads of the columns.
    let above = " to play 31, money, cube 1, centred\n     by       play  ";
    assert!(copied.contains("1. 0-ply") && copied.contains(above));
    let long = "x".repeat(100_000);
    bench.tell(Message::Input(Event::Paste(long)));
    assert!(bench.app.status.as_ref().unwrap().is_warning);
    bench.tell(Message::Input(Event::Paste("/no/such/file.mat".into())));
    assert!(bench.app.status.as_ref().unwrap().is_warning);
}

#[test]
fn the_mouse_finds_what_is_drawn() {
    let mut bench = TestApp::new(Depth::True);
    let screen = bench.screen(120, 40);
    let click = |column: u16, row: u16| {
        Message::Input(Event::Mouse(MouseEvent {
            kind: MouseEventKind::Down(MouseButton::Left),
            column,
            row,
            modifiers: KeyModifiers::NONE,
        }))
    };
    let third = bench.app.review().unwrap().candidates[2];
    let position = bench.app.turn().unwrap().before.state.position;
    let name = super::text::play(&third.play, &position);
    let area = bench.app.areas.candidates;
    let row = (0u16..)
        .zip(screen.lines())
        .filter(|(y, _)| *y > area.y + 1)
        .find(|(_, l)| {
            l.chars()
                .skip(usize::from(area.x))
                .collect::<String>()
                .contains(&name)
        })
        .unwrap()
        .0;
    bench.tell(click(area.x + 6, row));
    assert_eq!(bench.app.selection.play, Some(third.result));
    bench.tell(click(area.x + 6, row));
    assert!(bench.app.is_marked(&third.result));
    let moves = bench.app.areas.moves;
    bench.tell(click(moves.x + 3, moves.y + 4));
    assert_eq!((bench.app.at, bench.app.focus), (2, Focus::Moves));
}

#[test]
fn a_changed_file_keeps_the_place() {
    let mut bench = TestApp::typed(Depth::True, "n n");
    let at = bench.app.at;
    let mut again = record();
    again.games.pop();
    let document = Document::of_match(again, "again.mat".into(), 2);
    bench.tell(Message::Reread(2, Ok(Box::new(document))));
    assert_eq!(bench.app.at, at);
    assert_eq!(bench.app.document.record.games.len(), 2);
    bench.tell(Message::Reread(3, Err("gone".into())));
    assert_eq!(
        bench.app.document.record.games.len(),
        2,
        "what was read stays"
    );
}

#[test]
fn a_broken_theme_keeps_the_old_one() {
    let mut bench = TestApp::new(Depth::True);
    let own = include_str!("../../themes/light.toml").replace("\"light\"", "\"own\"");
    let own = super::theme::Theme::parse(&own).unwrap();
    bench.tell(Message::Themes {
        themes: vec![own],
        errors: vec![],
    });
    bench.app.choose_theme("own");
    let before = bench.app.theme().clone();
    bench.tell(Message::Themes {
        themes: vec![],
        errors: vec!["own.toml: line 3: no".into()],
    });
    assert_eq!(*bench.app.theme(), before);
    assert_has!(bench.said(), "line 3");
}

#[test]
fn the_theme_of_the_settings_is_chosen_once_it_is_read() {
    let own = include_str!("../../themes/light.toml").replace("\"light\"", "\"own\"");
    let own = super::theme::Theme::parse(&own).unwrap();
    let mut bench = TestApp::new(Depth::True);
    bench.app.settings.theme = "own".into();
    let themes = |themes| Message::Themes {
        themes,
        errors: vec![],
    };
    bench.tell(themes(vec![]));
    assert_eq!(bench.app.theme().name, "dark");
    assert_has!(bench.said(), "'own'");
    let rows = crate::tui::figures::troubles::rows(&bench.app);
    assert!(rows.iter().any(|row| row.text.contains("'own'")));
    bench.tell(themes(vec![own]));
    assert_eq!(bench.app.theme().name, "own");
}

#[test]
fn each_theme_that_is_wrong_is_named() {
    let mut bench = TestApp::new(Depth::True);
    bench.app.settings.theme = "nope".into();
    bench.tell(Message::Themes {
        themes: vec![],
        errors: vec!["a.toml: line 1".into(), "b.toml: line 2".into()],
    });
    let rows = crate::tui::figures::troubles::rows(&bench.app);
    for wrong in ["'nope'", "a.toml", "b.toml"] {
        assert!(rows.iter().any(|row| row.text.contains(wrong)), "{wrong}");
    }
    assert_has!(bench.said(), "a.toml");
}

#[test]
fn a_warning_leads_to_its_place() {
    let mut record = record();
    for game in &mut record.games {
        for (i, event) in (1u32..).zip(&mut game.events) {
            event.line = 100 * game.number + i;
        }
    }
    record.warnings[0].line = 205;
    let mut bench = TestApp::with(Depth::True, Document::of_match(record, "x".into(), 1));
    bench.keys("W enter");
    let turn = bench.app.turn().unwrap();
    assert_eq!(turn.place(), (1, 4));
}

#[test]
fn no_control_character_reaches_the_screen() {
    let bad = "\u{1b}[31mA\u{7}\u{202e}n\r\nna\u{9b}2J\u{fff9}\u{e0041}";
    let mut record = record();
    record.players = [bad.into(), bad.into()];
    record.warnings[0].message = bad.into();
    let mut bench = TestApp::with(Depth::True, Document::of_match(record, bad.into(), 1));
    for keys in ["h", "W", "esc o", "esc w"] {
        bench.keys(keys);
        bench.tell(Message::Input(Event::Paste(bad.into())));
        bench.tell(Message::Warning(bad.into()));
        let buffer = bench.draw(120, 40);
        for cell in buffer.content() {
            assert!(
                crate::sanitize::is_clean(cell.symbol()),
                "{:?}",
                cell.symbol()
            );
        }
    }
}

#[test]
fn the_manual_has_the_keys() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/docs/reference/keys-and-legend.md"
    );
    let parts = [
        ("keys", manual()),
        ("signs", crate::tui::screen::legend::manual()),
    ];
    let mut text = std::fs::read_to_string(path).unwrap();
    if std::env::var_os("UPDATE_MANUAL").is_some() {
        for (name, part) in &parts {
            let (begin, end) = (
                format!("<!-- {name} -->\n"),
                format!("<!-- end of {name} -->"),
            );
            let (before, rest) = text.split_once(&begin).unwrap();
            let (_, after) = rest.split_once(&end).unwrap();
            text = format!("{before}{begin}{part}{end}{after}");
        }
        std::fs::write(path, text).unwrap();
        return;
    }
    assert!(
        parts.iter().all(|(_, part)| text.contains(part)),
        "docs/reference/keys-and-legend.md is behind the table of actions: run this test with UPDATE_MANUAL=1"
    );
}

/// The page of settings shows every key, with its default.
#[test]
fn the_manual_has_the_settings() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/docs/reference/settings-and-themes.md"
    );
    let text = std::fs::read_to_string(path).unwrap();
    let (_, rest) = text.split_once("```toml\n").unwrap();
    let (shown, _) = rest.split_once("```").unwrap();
    let defaults = crate::store::UserSettings::default();
    let read: crate::store::UserSettings = toml::from_str(shown).unwrap();
    assert_eq!(read, defaults);
    let keys = |table: toml::Table| -> Vec<String> {
        let names = table.into_iter().flat_map(|(name, value)| match value {
            toml::Value::Table(inner) => inner.keys().map(|k| format!("{name}.{k}")).collect(),
            _ => vec![name],
        });
        let mut names: Vec<String> = names.collect();
        names.sort_unstable();
        names
    };
    let all = toml::Table::try_from(&defaults).unwrap();
    assert_eq!(keys(shown.parse().unwrap()), keys(all));
}

#[test]
fn a_match_without_turns_does_no_harm() {
    let mut bench = TestApp::with(
        Depth::True,
        Document::of_match(crate::match_file::Match::default(), "empty".into(), 1),
    );
    for action in ACTIONS
        .iter()
        .filter(|a| a.scope == KeyScope::Match && !a.keys.is_empty())
    {
        bench.keys(action.keys[0]);
        bench.draw(120, 40);
        bench.keys("esc");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Any keys at any size: nothing panics, and the selection stays a play of the decision.
    #[test]
    fn any_keys_at_any_size(
        script in prop::collection::vec((0usize..ACTIONS.len(), any::<bool>()), 1..120),
        w in 1u16..230,
        h in 1u16..70,
    ) {
        let mut bench = TestApp::new(Depth::True);
        for (action, roll) in script {
            let action = &ACTIONS[action];
            let Some(binding) = action.keys.first() else { continue };
            if action.name == "suspend" || action.name == "open" {
                continue;
            }
            let keys: Vec<String> = sequence(binding).iter().map(ToString::to_string).collect();
            bench.keys(&keys.join(" "));
            if roll && bench.rolling.is_some() {
                bench.roll(72, false);
            }
            bench.wait(100);
            bench.draw(w, h);
            if let Some(play) = bench.app.selection.play {
                let review = bench.app.review().unwrap();
                prop_assert!(review.candidates.iter().any(|c| c.result == play));
            }
        }
        let overlay = bench.app.overlay.as_ref().map(Overlay::scope);
        prop_assert_eq!(bench.app.scope(), overlay.unwrap_or(bench.app.screen_scope()));
    }
}
