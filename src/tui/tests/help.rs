//! What explains itself: the figures in view as sentences, tips for beginners, themes while one chooses.

use crate::store::session::Session;
use crate::tui::figures::explain::figures;
use crate::tui::keys::KeyMap;
use crate::tui::message::Message;
use crate::tui::screen::targets::Target;
use crate::tui::testing::TestApp;
use crate::tui::theme::{Depth, Theme};
use crate::tui::windows::overlay::Overlay;

/// Esc takes back the keys of a menu, and nothing is wrong with that.
#[test]
fn esc_leaves_a_menu_without_a_word() {
    let mut bench = TestApp::new(Depth::None);
    for keys in ["y esc", "g esc", "z esc"] {
        bench.keys(keys);
        assert!(
            bench.app.pending.is_empty() && bench.app.status.is_none(),
            "{keys}"
        );
    }
    bench.keys("g !");
    assert!(bench.screen(80, 24).contains("means nothing here"));
}

/// `?` has the keys of the window in view, which comes back; in help it closes.
#[test]
fn windows_have_their_keys() {
    for (keys, words) in [
        ("E", "the cheapest"),
        ("R R", "field before"),
        ("g m", "ten points more"),
        ("R l", "the rollouts go on"),
    ] {
        let mut bench = TestApp::new(Depth::True);
        let window = bench.screen_after(keys, 120, 40);
        let help = bench.screen_after("?", 120, 40);
        assert!(help.contains(words), "{keys}: {help}");
        bench.keys("esc");
        assert_eq!(bench.screen(120, 40), window, "{keys}");
    }
    let mut bench = TestApp::typed(Depth::True, "W ?");
    assert!(bench.screen(120, 40).contains("run the action"));
    bench.keys("esc");
    assert!(bench.app.overlay.is_some(), "the window comes back");
    bench.keys("q");
    assert!(bench.app.overlay.is_none());
}

/// The usual keys that do something now come first, and `Tab` lists all. What is typed finds a key in every window.
#[test]
fn keys_are_found_by_what_is_typed() {
    let mut bench = TestApp::typed(Depth::None, "?");
    let usual = bench.screen(120, 60);
    assert_has!(usual, "roll out", "Tab: all ");
    assert_lacks!(usual, "next game", "resign", "not now");
    assert_has!(bench.screen_after("tab", 120, 60), "next game");
    let found = bench.screen_after("t a k e space p o i n t", 120, 60);
    assert_has!(found, "match equity table");
    assert_lacks!(found, "next game");
    bench.keys("esc E ?");
    assert_has!(bench.screen(120, 60), "the cheapest", "the most expensive");
    let found = bench.screen_after("c h e a p", 120, 60);
    assert_has!(found, "the cheapest");
    assert_lacks!(found, "the most expensive");
}

/// In the quiz the figures are told of *you*.
#[test]
fn you_have_verbs_of_your_own() {
    let mut bench = TestApp::new(Depth::None);
    bench.has_stores();
    bench.keys("z z");
    let all = figures(&bench.app);
    let race = all.iter().find(|one| one.figure.starts_with("pips "));
    let race = race.expect("both have pips").words.clone();
    assert_lacks!(race, "you is", "you leads");
}

#[test]
fn figures_are_explained_where_the_cursor_is() {
    let mut bench = TestApp::typed(Depth::None, "n j");
    let first = figures(&bench.app);
    assert!(first[0].words.starts_with("the best play"), "{first:?}");
    assert!(first.iter().any(|one| one.figure.starts_with("pips ")));
    bench.keys("j");
    let second = figures(&bench.app);
    assert_ne!(first[0], second[0]);
    assert!(
        second
            .iter()
            .any(|one| one.words.contains("how much worse than the best play"))
    );
    for (w, h) in [(80, 24), (120, 40)] {
        let screen = bench.screen_after("? tab tab", w, h);
        assert_has!(screen, "the figures in view", &second[0].figure);
        assert_has!(screen, "what the play is worth on average");
        assert_has!(bench.screen_after("tab", w, h), "legend");
        bench.keys("esc");
    }
}

/// What stands in the pane of a rollout is explained as well.
#[test]
fn the_figures_of_a_rollout_are_explained() {
    let explained = |keys: &str, names: &[&str]| {
        let mut bench = TestApp::new(Depth::None);
        bench.keys(keys);
        bench.roll(12_960, true);
        let all = figures(&bench.app);
        for name in names {
            let found = all.iter().any(|one| one.figure.starts_with(name));
            assert!(found, "{name}: {all:?}");
        }
        bench.keys(": h i d e enter");
        let hidden = figures(&bench.app);
        assert!(hidden.iter().all(|one| !one.figure.starts_with("VR")));
    };
    explained("n r", &["= ", "VR"]);
    explained(
        "n j j c",
        &[
            "anytime ±",
            "correlation 0.71",
            "identical 12",
            "as exact as",
            "VR",
        ],
    );
}

#[test]
fn nothing_is_shown_of_hidden_answers() {
    let bench = TestApp::typed(Depth::None, "n j : h i d e enter");
    let listed = figures(&bench.app);
    assert!(
        listed.iter().all(|one| !one.words.contains("best")),
        "{listed:?}"
    );
    assert_eq!(listed.len(), 2);
}

/// The tip on the screen.
fn tip(bench: &mut TestApp, (w, h): (u16, u16)) -> Option<String> {
    let screen = bench.screen(w, h);
    let mut lines = screen.lines();
    let found = lines.find_map(|line| line.split_once(" tip: "));
    found.map(|(_, rest)| rest.to_owned())
}

#[test]
fn tips_are_followed_or_ended() {
    for size in [(80, 24), (120, 40), (200, 60)] {
        let mut bench = TestApp::new(Depth::True);
        assert_eq!(tip(&mut bench, size), None, "only a first start has them");
        bench.app.resume(&Session::default());
        assert!(
            tip(&mut bench, size)
                .unwrap()
                .starts_with("→ goes to the next turn")
        );
        bench.keys("j");
        assert!(tip(&mut bench, size).unwrap().starts_with("→"));
        bench.keys("l");
        assert!(
            tip(&mut bench, size)
                .unwrap()
                .starts_with("n goes to the next error")
        );
        bench.app.keymap = KeyMap::read("[match]\n\"next error\" = \"f2\"\n").keys;
        assert!(tip(&mut bench, size).unwrap().starts_with("F2 goes"));
        bench.keys("f2 j r");
        bench.app.status = None;
        let last = tip(&mut bench, size).unwrap();
        assert!(last.starts_with("? shows keys"), "{last}");
        // They go on where they were at the next start.
        let mut again = TestApp::new(Depth::True);
        again.app.resume(&bench.app.session().unwrap());
        let found = tip(&mut again, size).unwrap();
        assert!(last.starts_with(found.trim_end()), "{found}");
        bench.keys(": esc");
        assert_eq!(tip(&mut bench, size), None);
        bench.keys(": t i p s enter");
        assert!(tip(&mut bench, size).is_some());
        // The first Esc is for the play on the board, the second one for the tips.
        bench.keys("j esc");
        assert!(tip(&mut bench, size).is_some());
        bench.keys("esc");
        assert_eq!(tip(&mut bench, size), None);
    }
    let mut bench = TestApp::new(Depth::True);
    bench.app.resume(&Session::default());
    bench.app.document.is_sample = true;
    let first = tip(&mut bench, (120, 40)).unwrap();
    assert_has!(first, "a sample: o opens your match");
    bench.keys(&"i ".repeat(8));
    let second = tip(&mut bench, (80, 24)).unwrap();
    assert!(
        second.starts_with("n "),
        "one that nobody follows goes away"
    );
}

/// A message of two rows is read whole, and the tip comes back after it.
#[test]
fn tips_give_way_to_long_messages() {
    let mut bench = TestApp::new(Depth::True);
    bench.app.resume(&Session::default());
    let size = (80, 24);
    let long = format!(
        "{} the end",
        "words that go on and on ".repeat(5).trim_end()
    );
    bench.app.warn(long.as_str());
    assert_eq!(tip(&mut bench, size), None);
    let screen = bench.screen(80, 24);
    let shown: Vec<&str> = screen.split_whitespace().collect();
    let all: Vec<&str> = long.split_whitespace().collect();
    assert!(
        shown.windows(all.len()).any(|words| words == all),
        "{screen}"
    );
    bench.keys("j");
    assert!(tip(&mut bench, size).is_some());
}

/// A theme that is read takes effect, whatever is wrong with another of a like name.
#[test]
fn a_broken_theme_does_not_hold_another_back() {
    let mut bench = TestApp::new(Depth::True);
    let builtin = crate::tui::theme::Theme::builtin();
    let own = |name: &str, from: &str| {
        let mut theme = builtin.iter().find(|t| t.name == from).unwrap().clone();
        theme.name = name.into();
        theme
    };
    bench.app.settings.theme = "ocean".into();
    let (first, second) = (own("ocean", "dark"), own("ocean", "light"));
    for (theme, errors) in [
        (first, vec![]),
        (second.clone(), vec!["ocean2.toml: line 3".into()]),
    ] {
        let themes = vec![theme];
        bench.tell(Message::Themes { themes, errors });
    }
    assert_eq!(bench.app.theme(), &second);
    // One that is broken itself keeps the look it had, also where the program has one of its name.
    let mine = own("dark", "wood");
    bench.app.settings.theme = "dark".into();
    let (themes, errors) = (vec![mine.clone()], Vec::new());
    bench.tell(Message::Themes { themes, errors });
    let (themes, errors) = (Vec::new(), vec!["dark.toml: line 3".into()]);
    bench.tell(Message::Themes { themes, errors });
    assert_eq!(bench.app.theme(), &mine);
}

/// What is wrong with themes is said of the files as they are: a mended one is complained of no more.
#[test]
fn a_theme_that_is_mended_is_complained_of_no_more() {
    let mut bench = TestApp::new(Depth::True);
    let builtin = crate::tui::theme::Theme::builtin();
    let mut mine = builtin.into_iter().find(|t| t.name == "light").unwrap();
    mine.name = "mine".into();
    bench.app.settings.theme = "mine".into();
    bench.app.log.push("about another thing".into());
    let tell = |bench: &mut TestApp, themes: &[Theme], errors: &[&str]| {
        let errors = errors.iter().map(|&error| error.to_owned()).collect();
        let themes = themes.to_vec();
        bench.tell(Message::Themes { themes, errors });
        let status = bench.app.status.as_ref().map(|status| status.text.clone());
        let screen = bench.screen_after("W", 120, 40);
        bench.keys("esc");
        assert_has!(screen, "about another thing");
        (screen, status)
    };
    let wrong = ["mine.toml: style 'header'", "other.toml: line 1"];
    let (screen, _) = tell(&mut bench, &[], &wrong);
    assert_has!(screen, "there is no theme 'mine'", wrong[0], wrong[1]);
    // One of them is mended.
    let (screen, status) = tell(&mut bench, std::slice::from_ref(&mine), &wrong[1..]);
    assert_eq!(status.as_deref(), Some(wrong[1]));
    assert_has!(screen, wrong[1]);
    assert_lacks!(screen, "there is no theme", wrong[0]);
    // The other one as well.
    let errors = vec![wrong[1].to_owned()];
    let themes = vec![mine.clone()];
    bench.tell(Message::Themes { themes, errors });
    assert!(bench.app.status.is_some());
    let (_, status) = tell(&mut bench, std::slice::from_ref(&mine), &[]);
    assert_eq!(status, None);
    assert_eq!(bench.app.log, ["about another thing"]);
    // What was said of another thing meanwhile stays.
    tell(&mut bench, &[], &wrong);
    bench.app.say("something else");
    bench.tell(Message::Themes {
        themes: vec![mine],
        errors: vec![],
    });
    assert_eq!(bench.said(), "something else");
}

#[test]
fn the_list_of_themes_shows_each_at_once() {
    let mut bench = TestApp::new(Depth::True);
    let first = bench.app.theme().name.clone();
    for size in [(80, 24), (120, 40)] {
        bench.keys("V t");
        bench.draw(size.0, size.1);
        // The board can be seen meanwhile.
        let board = bench.app.areas.board_frame().unwrap();
        let targets = bench.app.areas.targets.clone();
        let window = targets.iter().find(|(_, target)| *target == Target::Ground);
        let window = window.unwrap();
        assert!(!window.0.intersects(board), "{size:?}");
        let names: Vec<String> = bench.app.themes.iter().map(|t| t.name.clone()).collect();
        for name in &names[1..] {
            bench.keys("j");
            assert_eq!(&bench.app.theme().name, name);
            assert!(bench.screen(size.0, size.1).contains(name));
        }
        bench.keys("esc");
        assert_eq!(bench.app.theme().name, first);
    }
    bench.keys("V t j enter");
    assert!(bench.app.overlay.is_none());
    assert_ne!(bench.app.theme().name, first);
    assert_eq!(bench.app.settings.theme, bench.app.theme().name);
    bench.keys(": d a r k space m o d e enter");
    assert!(matches!(bench.app.overlay, Some(Overlay::List { .. })));
}

/// The legend has the sizes of errors that are in force.
#[test]
fn the_legend_goes_by_the_settings() {
    let mut bench = TestApp::new(Depth::True);
    bench.app.settings.marks.error = 0.1;
    bench.app.settings.marks.blunder = 0.2;
    let screen = bench.screen_after("? tab tab tab", 120, 60);
    assert_has!(screen, "doubtful (from .020;", "an error (from .100)");
    assert_has!(screen, "a blunder (from .200)");
}

/// Its last row is the key that quits without a question: chosen there it asks.
#[test]
fn quitting_from_the_last_row_of_the_help_asks() {
    let mut bench = TestApp::typed(Depth::None, "n r ? tab");
    bench.keys(&format!("{}enter", "pgdn ".repeat(12)));
    assert!(!bench.over, "a rollout is under way");
    assert_has!(bench.said(), "again");
    bench.keys("q");
    assert!(bench.over);
}
