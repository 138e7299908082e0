//! The form of settings: steps, digits and text.

use super::*;
use ratatui::crossterm::event::{Event, KeyCode};

use crate::cube::dahl::Settlement;
use crate::rollout::Coupling;
use crate::store::settings::{Coupled, MarkThresholds, ReviewPreferences, RolloutPreferences};
use crate::tui::figures::candidate_rows::rows;
use crate::tui::message::Message;
use crate::tui::testing::TestApp;
use crate::tui::theme::Depth;
use crate::tui::update::update;
use crate::tui::windows::overlay::Overlay;

#[test]
fn the_form_steps_and_takes_digits() {
    let mut form = Form::of_rollouts(UserSettings::default());
    assert_eq!(form.value(Field::Preset), "standard");
    form.row = 1;
    form.step(true);
    assert_eq!(form.values.rollout.trials, 5184);
    assert_eq!(form.value(Field::Preset), "custom");
    for d in "500".chars() {
        form.type_digit(Some(d));
    }
    assert_eq!(form.values.rollout.trials, 500);
    form.type_digit(None);
    assert_eq!(form.values.rollout.trials, 50);
    form.step(false);
    assert_eq!(form.values.rollout.trials, 36);
    form.row = 0;
    form.go(false);
    assert_eq!(form.field(), Field::Coupling);
    form.step(true);
    assert_eq!(form.values.rollout.coupling, Coupled::Koca);
    form.step(false);
    form.step(false);
    assert_eq!(form.values.rollout.coupling, Coupled::Fixed(Coupling::None));
    form.values.rollout.coupling = Coupled::Fixed(Coupling::Hybrid { within: 3 });
    form.step(true);
    assert_eq!(form.values.rollout.coupling, Coupled::Auto);
    form.go(false);
    assert_eq!(form.field(), Field::Rotation);
    form.step(true);
    assert!(!form.values.rollout.rotation);
    form.row = 6;
    form.step(true);
    assert_eq!(form.value(Field::Horizon), "5 rolls");
    form.go(true);
    assert_eq!(form.value(Field::Settlement), "none");
    form.step(true);
    assert_eq!(form.value(Field::Settlement), "0.30 points");
    for d in "55".chars() {
        form.type_digit(Some(d));
    }
    assert_eq!(form.value(Field::Settlement), "0.55 points");
    form.step(true);
    assert_eq!(form.values.rollout.settlement(), Some(Settlement::at(0.6)));
    form.go(false);
    form.row = 5;
    form.step(false);
    assert!(!form.values.rollout.cubeful);
}

#[test]
fn the_address_of_gnubg_is_typed() {
    let mut bench = TestApp::new(Depth::None);
    let screen = bench.screen_after(": s e t t i n g s enter j j j j j j", 80, 24);
    assert_has!(screen, "‹ 127.0.0.1:1984 ›");
    // A digit begins anew, letters are text from then on, also those that are actions in other fields.
    let screen = bench.screen_after("1 h j : 9 backspace 8", 80, 24);
    assert_has!(screen, "› 1hj:8_", "default 127.0.0.1:1984");
    // → goes on with what is there.
    bench.keys("down k l backspace l enter");
    // The settings file would not be taken with this: it can be put right.
    let said = |bench: &TestApp| bench.said().to_owned();
    assert_eq!(
        said(&bench),
        "gnubg: expected host:port, such as 127.0.0.1:1984"
    );
    assert_eq!(bench.app.settings.gnubg, "127.0.0.1:1984");
    assert_eq!(bench.settings_saved, 0);
    assert_has!(bench.screen(80, 24), "› 1hj:l_");
    bench.keys("backspace 9 enter");
    assert_eq!(bench.app.settings.gnubg, "1hj:9");
    assert!(bench.app.overlay.is_none());
}

/// Trials that are no whole rounds are the user's own; those that are chosen in the window become whole rounds.
#[test]
fn the_window_leaves_trials_that_nobody_changes() {
    let mut bench = TestApp::new(Depth::None);
    bench.app.settings.rollout.trials = 1000;
    for keys in [
        ", enter",
        ", j j j l enter",
        "R enter",
        "R R down down l enter",
    ] {
        bench.keys(keys);
        assert!(bench.app.overlay.is_none(), "{keys}");
        assert_eq!(bench.app.settings.rollout.trials, 1000, "{keys}");
    }
    assert!(bench.app.settings.animation && !bench.app.settings.rollout.until_decided);
    bench.keys("R R down 7 enter");
    assert_eq!(bench.app.settings.rollout.trials, 36);
}

/// The window takes what the settings file takes, and says where that ends.
#[test]
fn typed_numbers_end_where_those_of_the_file_do() {
    let mut bench = TestApp::typed(Depth::None, "R R down");
    for (keys, said) in [
        ("9 9 9 9 9 9 9 9 9 9 9 9", None),
        ("9", Some("trials: at most 1000000000000")),
        ("down down 9 2 2 3 3 7 2 0 3 6 8 5 4 7 7 5 8 0 7", None),
        ("0", Some("seed: at most 9223372036854775807")),
        ("down 3", Some("plies: at most 2 (XG 3-ply)")),
        ("down down 0 6 5 5 3 5", None),
        ("0", Some("truncate after: at most 65535 rolls")),
        ("down 1 0 1", Some("settlement limit: at most 1.00 points")),
    ] {
        bench.app.status = None;
        bench.keys(keys);
        let status = bench.app.status.as_ref().map(|status| &*status.text);
        assert_eq!(status, said, "{keys}");
    }
    bench.keys("enter");
    let rollout = bench.app.settings.rollout;
    assert_eq!(rollout.trials, 999_999_999_972, "whole rounds");
    assert_eq!(rollout.seed, RolloutPreferences::LARGEST_SEED);
    assert_eq!(rollout.horizon, u16::MAX);
    assert_eq!((rollout.ply, rollout.settlement), (2, 1.0));
    assert_eq!(bench.app.settings.trouble(), None);
}

/// What stands behind a value is whole, and a blank is between them, also where the value is long.
#[test]
fn a_long_value_and_its_default_stay_apart() {
    let mut bench = TestApp::new(Depth::None);
    bench.app.settings.rollout.coupling = Coupled::Fixed(Coupling::Near { checkers: 30 });
    bench.app.settings.export_folder = "a folder with a very long name for matches".to_owned();
    bench.keys(", k");
    for width in [120, 80, 60] {
        let screen = bench.screen(width, 40);
        assert_has!(screen, "‹ the same dice", "… › default automatic");
        assert_has!(screen, "… default beside the");
    }
    let screen = bench.screen_after("up", 120, 40);
    let words = "the same dice while alike, then ranks default automatic";
    assert_has!(screen, words);
}

#[test]
fn presets_are_stepped_through_and_left_by_other_values() {
    let mut form = Form::of_rollouts(UserSettings::default());
    for name in [
        "thorough", "short", "quick", "standard", "thorough", "short",
    ] {
        form.step(true);
        assert_eq!(form.value(Field::Preset), name);
    }
    assert_eq!(form.value(Field::Horizon), "6 rolls");
    form.step(false);
    assert_eq!(form.value(Field::Preset), "thorough");
    assert_eq!(
        (form.values.rollout.ply, form.values.rollout.trials),
        (2, 5184)
    );
    form.row = 2;
    form.step(true);
    assert!(!form.values.rollout.until_decided);
    assert_eq!(form.value(Field::Preset), "custom");
}

#[test]
fn all_settings_are_stepped_within_what_can_be() {
    let themes = vec!["dark".to_owned(), "light".to_owned()];
    let mut form = Form::of_all(UserSettings::default(), themes);
    assert_eq!(form.value(Field::Theme), "automatic");
    form.step(true);
    assert_eq!(form.values.theme, "dark");
    assert_eq!(
        form.default_value(Field::Theme).as_deref(),
        Some("automatic")
    );
    form.step(false);
    assert_eq!(form.default_value(Field::Theme), None);
    let mut walk = 0;
    while walk < 2000 {
        form.row = walk % form.fields.len();
        form.step(walk % 7 < 5);
        walk += 1;
        let text = toml::to_string(&form.values).unwrap();
        let read = UserSettings::read(&text);
        assert!(read.complaints.is_empty(), "{:?}\n{text}", read.complaints);
    }
}

#[test]
fn every_setting_has_a_name_a_value_and_a_sentence() {
    let form = Form::of_all(UserSettings::default(), Vec::new());
    for field in Field::ALL {
        assert!(!field.name().is_empty() && !form.value(field).is_empty());
        assert!(
            field.about().len() > 20 && field.about().len() <= 76,
            "{}",
            field.about()
        );
    }
}

/// `:settings`, a theme chosen, Enter: it is used at once, and written.
#[test]
fn a_theme_is_seen_while_it_is_chosen() {
    let mut bench = TestApp::typed(Depth::True, ": s e t t i n g s enter l l");
    assert_eq!(bench.app.theme().name, "light");
    bench.keys("esc");
    assert_eq!(bench.app.theme().name, "dark");
}

#[test]
fn the_window_changes_and_keeps_settings() {
    let mut bench = TestApp::new(Depth::True);
    let ply = bench.app.settings.ply;
    let screen = bench.screen_after(": s e t t i n g s enter", 80, 24);
    assert_has!(screen, "plies in view", "?? from", "clipboard");
    assert_has!(screen, "plies of a review", "automatic");
    // What does not fit comes into view when it is reached.
    let screen = bench.screen_after("k", 80, 24);
    assert_has!(screen, "all 36 first rolls", "coupled dice (c)");
    let screen = bench.screen_after("j l j j j j j j j j l", 80, 24);
    assert_has!(screen, "default automatic", "default 2");
    bench.keys("enter");
    assert!(bench.app.overlay.is_none());
    assert_eq!(bench.app.settings.ply, ply + 1);
    assert_eq!(bench.app.theme().name, bench.app.settings.theme);
    assert!(bench.settings_saved > 0);
}

/// Both ends are reached at once; a digit that no field takes is answered.
#[test]
fn the_ends_are_a_key_away_and_no_digit_is_lost_without_a_word() {
    let mut bench = TestApp::new(Depth::True);
    let field = |bench: &TestApp| match &bench.app.overlay {
        Some(Overlay::Form(form)) => form.field(),
        _ => panic!("the form is open"),
    };
    bench.keys(",");
    let first = field(&bench);
    bench.keys("G");
    let last = field(&bench);
    bench.keys("j");
    assert_eq!(field(&bench), first);
    bench.keys("end");
    assert_eq!(field(&bench), last);
    bench.keys("home");
    assert_eq!(field(&bench), first);
    while field(&bench) != Field::Error {
        bench.keys("j");
    }
    let marks = bench.app.settings.marks;
    bench.keys("5");
    assert_has!(bench.said(), "h and l change it");
    bench.keys("enter");
    assert_eq!(bench.app.settings.marks, marks);
}

/// Lines that only the settings file can have, and those between two steps.
#[test]
fn unusual_lines_between_marks_are_stepped() {
    let lines = [
        (0.001, 0.002, 0.003),
        (1.5, 2.0, 5.0),
        (0.0204, 0.0206, 0.0208),
    ];
    for (doubtful, error, blunder) in lines {
        let marks = MarkThresholds {
            doubtful,
            error,
            blunder,
        };
        let settings = UserSettings {
            marks,
            ..UserSettings::default()
        };
        let mut form = Form::of_all(settings, Vec::new());
        for step in 0..60 {
            let fields = [Field::Doubtful, Field::Error, Field::Blunder];
            let field = fields[step % 3];
            form.row = Field::ALL.iter().position(|f| *f == field).unwrap();
            form.step(step % 5 < 2);
            let read = UserSettings::read(&toml::to_string(&form.values).unwrap());
            assert!(read.complaints.is_empty(), "{:?}", form.values.marks);
        }
    }
}

#[test]
fn a_time_and_an_address_are_typed_as_they_are_taken() {
    let mut form = Form::of_all(UserSettings::default(), Vec::new());
    form.row = Field::ALL.iter().position(|f| *f == Field::Budget).unwrap();
    let said = "999999".chars().map(|digit| form.type_digit(Some(digit)));
    let last = said.last().flatten();
    assert_eq!(last.as_deref(), Some("match rollouts: at most 86400 s"));
    assert_eq!(form.values.review.budget, ReviewPreferences::LONGEST_BUDGET);
    // What is taken back is a digit of what is in view.
    form.type_digit(None);
    assert_eq!(form.values.review.budget, 8640);
    form.select(Field::ALL.iter().position(|f| *f == Field::Gnubg).unwrap());
    form.values.gnubg.clear();
    assert_eq!(form.value(Field::Gnubg), "none");
    form.step(true);
    assert_eq!(form.value(Field::Gnubg), "");
    form.type_text(Some('h'));
    assert_eq!(form.value(Field::Gnubg), "h");
}

/// A folder may have spaces and digits; without one the match's own is proposed.
#[test]
fn the_folder_of_exports_is_typed() {
    let mut bench = TestApp::new(Depth::None);
    let screen = bench.screen_after(": s e t t i n g s enter j j j j j j j", 80, 24);
    assert_has!(screen, "‹ beside the match ›");
    // Of a long name the end is in view while it is typed.
    bench.keys(&format!("l {} z", "a ".repeat(60)));
    assert_has!(bench.screen(80, 24), "aaz_");
    bench.keys(&"backspace ".repeat(61));
    bench.keys("2 0 space m y enter");
    assert_eq!(bench.app.settings.export_folder, "20 my");
    let screen = bench.screen_after("y s", 80, 24);
    let name = std::path::Path::new("20 my").join("match");
    assert_has!(screen, name.to_str().unwrap());
}

/// `automatic` is the theme that suits the terminal, at once.
#[test]
fn the_automatic_theme_is_used_at_once() {
    let mut bench = TestApp::new(Depth::True);
    bench.app.usual_theme = "dark".to_owned();
    bench.keys(": s e t t i n g s enter l l enter");
    assert_eq!(bench.app.theme().name, "light");
    bench.keys(": s e t t i n g s enter h h");
    assert_eq!(bench.app.theme().name, "dark", "seen while it is chosen");
    bench.keys("enter");
    assert_eq!(bench.app.settings.theme, "");
    assert_eq!(bench.app.theme().name, "dark");
}

/// The plays are in the order of the plies that are wanted from now on, before anything else happens.
#[test]
fn other_plies_bring_their_order_at_once() {
    let mut bench = TestApp::new(Depth::True);
    let order = |bench: &TestApp| -> Vec<_> {
        let rows = rows(&bench.app);
        rows.iter().map(|row| row.candidate.result).collect()
    };
    let mut shallow = order(&bench);
    bench.keys("+");
    for _ in 0..60 {
        if order(&bench) != shallow {
            break;
        }
        bench.keys("- l");
        shallow = order(&bench);
        bench.keys("+");
    }
    let deep = order(&bench);
    bench.keys("-");
    assert!(order(&bench) == shallow && shallow != deep);
    bench.keys(": s e t t i n g s enter j j j j j j j j l");
    let enter = Event::Key(KeyCode::Enter.into());
    update(&mut bench.app, Message::Input(enter), bench.now);
    assert_eq!(bench.app.settings.ply, 1);
    assert_eq!(order(&bench), deep);
}
