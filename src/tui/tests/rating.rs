//! The window of a player's rating.

use std::path::PathBuf;

use crate::library::Filter;
use crate::review::figures::{ClassFigures, Figures, Rate};
use crate::review::report::TypeReport;
use crate::review::{CubeErrorKind, CubeErrors, PositionType};
use crate::study::{RatedMatch, RatingHistory};
use crate::tui::keys::{ActionId, KeyScope};
use crate::tui::message::Message;
use crate::tui::state::Openable;
use crate::tui::testing::TestApp;
use crate::tui::theme::Depth;
use crate::tui::windows::asked::HistoryFailure;
use crate::tui::windows::library::{ExpectedMatch, LibraryList, LibraryRow, LibraryView, RowAbout};
use crate::tui::windows::overlay::Overlay;
use crate::tui::windows::palette::palette_rows;
use crate::tui::windows::rating::{RatingList, RatingNews, RatingView};

/// A match that can be opened.
const SAMPLE: &str = "sample_matches/clara-dev-3pt.mat";

fn one(day: usize, opponent: &str, pr: f64) -> RatedMatch {
    let rate = |decisions: u32, pr: f64| Rate {
        decisions,
        error: pr * f64::from(decisions) / 500.0,
    };
    let kind = |rate: Rate| ClassFigures {
        decisions: rate.decisions,
        error: rate.error,
        ..ClassFigures::default()
    };
    let [plays, doubles] = [rate(80, pr - 1.0), rate(20, pr + 4.0)];
    let counted = Rate {
        decisions: 100,
        error: plays.error + doubles.error,
    };
    RatedMatch {
        date: format!("2026-03-{day:02}"),
        players: ["Anna".into(), opponent.into()],
        opponent: opponent.into(),
        event: String::new(),
        length: 7,
        score: [7, 4],
        figures: Figures {
            pr: counted.pr(7),
            pr_counted: counted,
            checker: kind(plays),
            double: kind(doubles),
            luck_unnormalised: 0.125,
            ..Figures::default()
        },
        opponent_pr: Some(8.5),
        net_luck: 0.39,
        luck_adjusted_result: 0.61,
        types: vec![TypeReport {
            kind: PositionType::Blitz,
            decisions: 100,
            error: counted.error,
            error_unnormalised: 0.0,
            blunders: 2,
            pr: counted.pr(7),
            pr_counted: counted,
        }],
        cube_errors: vec![CubeErrors {
            kind: CubeErrorKind::MissedDouble,
            decisions: 20,
            errors: 5,
            blunders: 1,
            error: doubles.error,
        }],
    }
}

/// Twelve matches: one is played far worse than the others.
fn view() -> RatingView {
    let mut history = RatingHistory::default();
    for i in 0..12 {
        let pr = if i == 3 { 60.0 } else { 5.0 + 0.25 * i as f64 };
        history.push(one(i + 1, "Ben \u{1b}[31m, of the club", pr));
    }
    RatingView {
        history,
        files: vec![Some(PathBuf::from(SAMPLE)); 12],
    }
}

fn open() -> TestApp {
    let mut bench = TestApp::new(Depth::None);
    bench.tell(Message::Study {
        cards: Vec::new(),
        micros: 0,
    });
    bench.keys("z r");
    let request = bench.ratings.last().expect("a rating is wanted").clone();
    assert_eq!(request.whose, None);
    bench.tell(Message::Rating {
        number: request.number,
        news: RatingNews::Progress(3, 12),
    });
    assert!(bench.screen(80, 24).contains("3 of 12 matches read"));
    answer(&mut bench, Ok(Box::new(view())));
    bench
}

/// Answers the latest question.
fn answer(bench: &mut TestApp, found: Result<Box<RatingView>, HistoryFailure>) {
    let number = bench.ratings.last().expect("a question").number;
    bench.tell(Message::Rating {
        number,
        news: RatingNews::Found(found),
    });
}

#[test]
fn a_rating_is_told_match_by_match_and_by_what_is_decided() {
    let mut bench = open();
    for (w, h) in [(80, 24), (120, 40), (200, 60)] {
        let shown = bench.screen(w, h);
        assert_has!(shown, "your rating", "12 matches, PR 10.9");
        assert_has!(shown, "the latest ten", "2026-03-12  Ben", "7–4");
        assert_has!(shown, "net luck", "+39.00%", "61.0%");
        assert_has!(shown, "● PR of a match   ─ of the latest 10", "↑");
        assert_eq!(shown.contains("checker"), w > 80, "{shown}");
        assert!(!shown.contains('\u{1b}'));
    }
    assert!(
        !bench.screen(80, 24).contains("change in ten matches"),
        "one match hides it"
    );
    bench.keys("tab");
    assert_eq!(bench.app.rating.list, RatingList::Parts);
    for (w, h) in [(80, 24), (120, 40)] {
        let shown = bench.screen(w, h);
        assert_has!(shown, "checker play", "doubling", "blitz", "960");
        assert_has!(shown, "95% interval");
        assert!(!shown.contains("taking"), "nobody was doubled: {shown}");
    }
    let mut steady = RatingHistory::default();
    // The oldest was not finished.
    steady.push(RatedMatch {
        score: [3, 6],
        ..one(1, "Ben", 9.0)
    });
    (1..12).for_each(|i| steady.push(one(i + 1, "Ben", 9.0 - 0.25 * i as f64)));
    bench.keys("m");
    let files = vec![None; 12];
    answer(
        &mut bench,
        Ok(Box::new(RatingView {
            history: steady,
            files,
        })),
    );
    assert!(
        bench
            .screen(80, 24)
            .contains("change in ten matches -2.50 (95%")
    );
    assert_has!(bench.screen_after("tab tab tab end", 80, 24), " 3–6…");
    // Small screens have no chart, and nothing is written over the frame.
    for (w, h) in [(60, 12), (40, 12), (20, 6), (3, 3), (1, 1)] {
        bench.draw(w, h);
    }
}

#[test]
fn a_match_is_opened_and_an_opponent_looked_at() {
    let mut bench = open();
    bench.keys("j o");
    let request = bench.ratings.last().expect("another one").clone();
    assert_eq!(
        request.whose.as_deref(),
        Some("Ben \u{1b}[31m, of the club")
    );
    // What comes late of the question before is no answer.
    bench.tell(Message::Rating {
        number: request.number - 1,
        news: RatingNews::Found(Err(HistoryFailure::NoReview(None))),
    });
    assert_eq!(bench.app.rating.asked.failure, None);
    let of_ben = HistoryFailure::NoReview(Some("Ben".into()));
    answer(&mut bench, Err(of_ben));
    assert!(bench.screen(80, 24).contains("no reviewed match of Ben"));
    bench.keys("o m");
    assert_eq!(bench.ratings.last().expect("my own").whose, None);
    answer(&mut bench, Err(HistoryFailure::Unknown));
    assert_has!(bench.screen(120, 40), "/ lists the matches");
    bench.keys("m");
    answer(&mut bench, Ok(Box::new(view())));
    bench.keys("?");
    assert!(bench.screen(120, 40).contains("your own rating again"));
    bench.keys("esc tab o");
    let said = bench.said().to_owned();
    assert_eq!(said, "a match is chosen in the list of matches");
    bench.keys("tab tab tab j j enter");
    assert!(bench.app.overlay.is_none());
    assert_eq!(bench.app.awaited, None, "the library was not left");
    let opened = Openable::File(SAMPLE.into());
    assert!(bench.app.sources.contains(&opened));
    bench.keys("z r");
    assert_eq!(bench.app.rating.selected(), Some(9), "as it was left");
}

/// A class of decision or kind of position leads to its errors in the library, and back.
#[test]
fn where_equity_is_lost_leads_to_the_errors() {
    let mut bench = open();
    bench.keys("esc / w o n esc z r tab j");
    assert!(bench.screen(80, 24).contains("Enter library"));
    for (keys, filter) in [
        ("enter", "class:double me"),
        ("esc j enter", "kind:blitz me"),
    ] {
        bench.keys(keys);
        assert_eq!(bench.app.library.list, LibraryList::Errors);
        assert_eq!(bench.app.library.input.value(), filter);
        assert!(Filter::parse(filter).is_ok());
    }
    // The key of the rating leads back to it, too, and from there to where it was opened.
    bench.keys("ctrl-r");
    assert!(matches!(bench.app.overlay, Some(Overlay::Rating)));
    bench.keys("esc");
    assert!(bench.app.overlay.is_none(), "{:?}", bench.app.overlay);
    bench.keys("z r enter esc");
    assert!(matches!(bench.app.overlay, Some(Overlay::Rating)));
    // Of another player those of that player; the library goes back to what was typed there.
    bench.keys("tab tab tab o");
    answer(&mut bench, Ok(Box::new(view())));
    bench.keys("tab enter");
    let typed = bench.app.library.input.value();
    assert!(typed.starts_with("class:checker player=\"Ben "), "{typed}");
    bench.keys("esc esc /");
    assert_eq!(bench.app.library.input.value(), "won");
}

/// Missed doubles and the like are counted over all matches, and lead to what they are in the library.
#[test]
fn cube_errors_are_counted_and_lead_to_the_library() {
    let mut bench = open();
    bench.keys("tab tab");
    assert_eq!(bench.app.rating.list, RatingList::CubeErrors);
    for (w, h) in [(80, 24), (120, 40)] {
        let shown = bench.screen(w, h);
        assert_has!(shown, "cube errors      possible  made  rate");
        assert_has!(shown, "missed doubles        240    60   25%");
        assert_eq!(shown.contains("95% interval"), w > 80, "{shown}");
    }
    bench.keys("enter");
    assert_eq!(bench.app.library.list, LibraryList::Errors);
    let filter = bench.app.library.input.value();
    assert_eq!(filter, "missed-double me");
    assert!(Filter::parse(filter).is_ok_and(|filter| !filter.nothing_fits().contains("names")));
    // Where nobody had a cube the list says so.
    bench.keys("esc m");
    let mut history = RatingHistory::default();
    history.push(RatedMatch {
        cube_errors: Vec::new(),
        ..one(1, "Ben", 5.0)
    });
    let files = vec![None];
    answer(&mut bench, Ok(Box::new(RatingView { history, files })));
    let shown = bench.screen_after("enter", 80, 24);
    assert_has!(shown, "no cube decision in these matches");
    for typed in ["cube errors", "missed doubles", "wrong passes"] {
        let rows = palette_rows(&bench.app.keymap, KeyScope::Match, typed);
        let first = rows.iter().take(3).any(|row| row.id == ActionId::Rating);
        assert!(first, "{typed}");
    }
}

/// The last list has months, opponents and lengths, and leads to their matches.
#[test]
fn months_opponents_and_lengths_lead_to_their_matches() {
    let mut bench = open();
    bench.keys("tab tab tab");
    assert_eq!(bench.app.rating.list, RatingList::Groups);
    for (w, h) in [(80, 24), (120, 40), (40, 12)] {
        let shown = bench.screen(w, h);
        for word in [
            "month, event, opponent…",
            "matches",
            "2026-03",
            "Ben",
            "7 points",
        ] {
            assert!(w < 80 || shown.contains(word), "{word}\n{shown}");
        }
    }
    for (keys, begins) in [
        ("enter", "date:2026-03 me"),
        ("esc j enter", "opponent=\"Ben "),
        ("esc j enter", "length:7 me"),
    ] {
        bench.keys(keys);
        assert_eq!(bench.app.library.list, LibraryList::Matches);
        let filter = bench.app.library.input.value();
        assert!(filter.starts_with(begins), "{filter}");
    }
    bench.keys("esc tab");
    assert_eq!(bench.app.rating.list, RatingList::Matches);
    for typed in ["profile", "by opponent", "statistics by opponent", "month"] {
        let rows = palette_rows(&bench.app.keymap, KeyScope::Match, typed);
        let first = rows.iter().take(3).any(|row| row.id == ActionId::Rating);
        assert!(first, "{typed}");
    }
}

/// Of matches that tell no more than their year nobody knows which came last.
#[test]
fn matches_without_an_order_have_no_latest_ones() {
    let mut bench = open();
    let mut undated = RatingHistory::default();
    for one in view().history.matches() {
        undated.push(RatedMatch {
            date: "2026".into(),
            ..one.clone()
        });
    }
    bench.keys("esc z r");
    let found = RatingView {
        history: undated,
        ..view()
    };
    answer(&mut bench, Ok(Box::new(found)));
    for (w, h) in [(80, 24), (120, 40)] {
        let shown = bench.screen(w, h);
        assert_has!(shown, "their order is not known");
        assert_lacks!(shown, "latest");
    }
}

/// In the library it is the rating of the player of the row, and the window closes into where it was opened.
#[test]
fn any_player_of_the_library_has_a_rating() {
    let mut bench = open();
    bench.keys("esc");
    assert!(bench.app.overlay.is_none());
    bench.keys("z p r");
    assert!(matches!(bench.app.overlay, Some(Overlay::Rating)));
    let asked = bench.plans.len();
    bench.keys("esc");
    assert!(matches!(bench.app.overlay, Some(Overlay::Plan)));
    // The plan was not read to its end: it is asked for again.
    assert_eq!(bench.plans.len(), asked + 1);
    assert!(bench.plans.last().is_some_and(|request| request.is_fresh));
    bench.keys("esc /");
    let number = bench.app.library.number;
    let row = LibraryRow {
        id: 3,
        date: "2026-03-05".into(),
        players: ["Clara".into(), "Dev".into()],
        path: Some("clara.mat".into()),
        file: None,
        expected: ExpectedMatch::Any,
        about: RowAbout::Match {
            length: 3,
            score: [3, 2],
            pr: [None, None],
            event: String::new(),
            ply: 2,
        },
    };
    let view = LibraryView {
        rows: vec![row],
        total: 1,
        ..LibraryView::default()
    };
    bench.tell(Message::Library {
        number,
        found: Ok(Box::new(view)),
    });
    bench.keys("ctrl-r");
    let request = bench.ratings.last().expect("a question");
    assert_eq!(request.whose.as_deref(), Some("Clara"));
    assert_eq!(request.filter, None);
    assert!(bench.screen(80, 24).contains("rating of Clara"));
    let asked = bench.requests.len();
    bench.keys("esc");
    assert!(matches!(bench.app.overlay, Some(Overlay::Library)));
    assert_eq!(bench.requests.len(), asked + 1, "it is read again");
    // In the matches that the filter finds; the user's own rating is of all.
    bench.keys("w o n ctrl-r");
    let request = bench.ratings.last().expect("a question");
    assert_eq!(request.filter, Filter::parse("won").ok());
    assert!(bench.screen(80, 24).contains("rating of Clara: won"));
    bench.keys("m");
    let request = bench.ratings.last().expect("a question");
    assert_eq!((&request.whose, &request.filter), (&None, &None));
}

/// Neither the plan nor the rating is of the whole library where its filter is wrong.
#[test]
fn a_wrong_filter_is_not_left_out() {
    let mut bench = TestApp::new(Depth::True);
    bench.tell(Message::Study {
        cards: Vec::new(),
        micros: 0,
    });
    for keys in ["ctrl-p", "ctrl-r"] {
        bench.keys("/");
        bench.app.library.input = "date:20x5".into();
        bench.keys(keys);
        assert!(
            matches!(bench.app.overlay, Some(Overlay::Library)),
            "{keys}"
        );
        let said = bench.app.status.as_ref().map_or("", |status| &status.text);
        assert_has!(said, "'20x5' is no date");
        bench.app.library.input = "".into();
        bench.keys("esc");
    }
}
