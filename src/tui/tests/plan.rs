//! The window of the study plan.

use std::path::PathBuf;

use crate::game::Position;
use crate::library::Filter;
use crate::library::filter::ScoreRegion;
use crate::review::trend::{PrChange, TrendEstimate};
use crate::review::{Class, Mark, PositionType};
use crate::study::plan::{Family, FamilyFinding, Plan};
use crate::study::plan_decision::Habit;
use crate::study::plan_habits::HabitFinding;
use crate::study::player_record::{LuckTotal, OpponentRecord};
use crate::study::{PlayerRecord, PlayerSummary};
use crate::tui::documents::match_decision::MatchDecision;
use crate::tui::message::Message;
use crate::tui::screen::targets::Target;
use crate::tui::state::Openable;
use crate::tui::testing::TestApp;
use crate::tui::theme::Depth;
use crate::tui::windows::asked::HistoryFailure;
use crate::tui::windows::library::{ExpectedMatch, LibraryList, LibraryRow, RowAbout};
use crate::tui::windows::overlay::Overlay;
use crate::tui::windows::plan::{PlanNews, PlanRow, PlanView};

/// A match that can be opened.
const SAMPLE: &str = "sample_matches/clara-dev-3pt.mat";

fn family(family: Family, recoverable: f64) -> FamilyFinding {
    FamilyFinding {
        family,
        decisions: 23,
        lost: 2.0 * recoverable,
        reference: recoverable,
        recoverable,
        ci95: Some([0.5 * recoverable, 1.5 * recoverable]),
        p: 0.0001,
    }
}

fn reference(turn: usize) -> LibraryRow {
    LibraryRow {
        id: 3,
        date: "2026-03-05".into(),
        players: ["Anna".into(), "Ben".into()],
        path: Some(PathBuf::from(SAMPLE)),
        file: None,
        expected: ExpectedMatch::Any,
        about: RowAbout::Decision {
            decision: MatchDecision::done(turn),
            place: "2.14".into(),
            score: "3-5".into(),
            roll: "cube".into(),
            played: "take".into(),
            best: "pass".into(),
            error: 0.123,
            lost: "1.23%".into(),
            mark: Mark::Blunder,
            kind: PositionType::Holding,
            ply: 2,
            distance: None,
        },
    }
}

fn view() -> PlanView {
    let estimate = |value, ci95| TrendEstimate {
        matches: 12,
        value,
        se: Some(0.5),
        ci95: Some(ci95),
    };
    PlanView {
        summary: PlayerSummary {
            player: "Anna".into(),
            is_money: false,
            not_counted: 0,
            plan: Plan {
                matches: 12,
                decisions: 1500,
                pr: 6.5,
                reference_pr: 5.0,
                differs_from_request: false,
                temperature: 0.031,
                tested: 30,
                families: vec![
                    family(Family::Kind(Class::Take, PositionType::Holding), 0.021),
                    family(Family::Score(Class::Checker, ScoreRegion::Long), 0.0123),
                ],
                unreported: vec![family(
                    Family::Kind(Class::Checker, PositionType::Race),
                    0.0042,
                )],
                habits: vec![HabitFinding {
                    habit: Habit::Takes,
                    too_often: true,
                    decisions: 40,
                    share: 0.61,
                    ci95: [0.54, 0.68],
                    expected: 0.5,
                    p: 0.001,
                }],
            },
            record: PlayerRecord {
                pr: Some(estimate(6.5, [5.9, 7.1])),
                pr_change_in_ten_matches: Some(estimate(-1.2, [-2.0, -0.4])),
                pr_change_point: Some(PrChange {
                    date: "2026-03-05".into(),
                    before: estimate(8.1, [7.5, 8.7]),
                    after: estimate(4.2, [3.8, 4.6]),
                    p: 0.0005,
                }),
                luck: Some(LuckTotal {
                    net: 0.8,
                    spread: 1.2,
                    deviations: 0.667,
                }),
                opponents: vec![OpponentRecord {
                    opponent: "Ben \u{1b}[31m, of the club".into(),
                    matches: 7,
                    won: 4,
                    lost: 3,
                    result: 4.0,
                    luck_adjusted_result: 3.1,
                    luck_adjusted_ci95: Some([2.2, 4.0]),
                }],
            },
        },
        references: vec![vec![reference(4), reference(9)], Vec::new()],
    }
}

fn open() -> TestApp {
    let mut bench = TestApp::new(Depth::None);
    bench.tell(Message::Study {
        cards: Vec::new(),
        micros: 0,
    });
    bench.keys("z p");
    let request = bench.plans.last().expect("a plan is wanted").clone();
    assert!(request.is_fresh);
    bench.tell(Message::Plan {
        number: request.number,
        news: PlanNews::Progress(3, 12),
    });
    assert!(bench.screen(80, 24).contains("3 of 12 matches read"));
    bench.tell(Message::Plan {
        number: request.number,
        news: PlanNews::Found(Ok(Box::new(view()))),
    });
    bench
}

/// The plan says its reference player in fewer words where its title has little room.
#[test]
fn the_plan_says_its_reference_player_in_little_room() {
    let mut bench = open();
    for (columns, words) in [
        (
            120,
            " by lookahead, without rollouts; reference player: PR ",
        ),
        (60, " by lookahead; reference player: PR "),
        (50, " reference player: PR "),
    ] {
        assert_has!(bench.screen(columns, 20), words);
    }
}

/// Figures of families say what they are, and a match that nobody has won is neither won nor lost.
#[test]
fn units_and_unfinished_matches_are_named() {
    let mut bench = open();
    for (w, h) in [(80, 24), (120, 40)] {
        let screen = bench.screen(w, h);
        assert_has!(screen, "match-winning chance lost per match");
        assert_lacks!(screen, "unfinished");
    }
    let mut found = view();
    found.summary.record.opponents[0].lost = 2;
    bench.keys("l");
    let request = bench.plans.last().expect("a plan is wanted").clone();
    bench.tell(Message::Plan {
        number: request.number,
        news: PlanNews::Found(Ok(Box::new(found))),
    });
    assert_has!(
        bench.screen_after("end", 120, 40),
        "7 played, 1 unfinished, 4–2"
    );
}

/// The library that the plan opens closes into the plan, and so does a quiz of one of its rows.
#[test]
fn what_the_plan_opens_closes_into_it() {
    let mut bench = open();
    bench.keys("tab");
    assert!(matches!(bench.app.overlay, Some(Overlay::Library)));
    bench.keys("esc");
    assert!(matches!(bench.app.overlay, Some(Overlay::Plan)));
    bench.keys("enter");
    assert!(bench.app.overlay.is_none());
    let wanted = bench.quiz_request.clone().expect("a quiz");
    bench.tell(Message::QuizFound {
        wanted,
        decisions: Vec::new(),
    });
    assert!(matches!(bench.app.overlay, Some(Overlay::Plan)));
    bench.keys("esc / esc");
    assert!(bench.app.overlay.is_none(), "opened on its own");
}

/// The plan that the library opens closes into it, and its keys close into the plan.
#[test]
fn a_plan_of_the_library_closes_into_it() {
    let mut bench = open();
    bench.keys("esc / ctrl-p");
    assert!(matches!(bench.app.overlay, Some(Overlay::Plan)));
    bench.keys("?");
    assert!(bench.screen(120, 40).contains("stronger reference"));
    bench.keys("esc");
    assert!(matches!(bench.app.overlay, Some(Overlay::Plan)));
    bench.keys("esc");
    assert!(matches!(bench.app.overlay, Some(Overlay::Library)));
    // The library of a row of the plan replaces the one from before.
    bench.keys("ctrl-p tab esc esc");
    assert!(bench.app.overlay.is_none());
}

/// From the library it is a plan of the matches that the filter finds, and so are its rows; `zp` has them all.
#[test]
fn a_plan_of_what_the_library_finds() {
    let mut bench = open();
    bench.keys("esc / l e n g t h : 7 ctrl-p");
    let request = bench.plans.last().expect("a plan is wanted").clone();
    assert_eq!(request.filter, Filter::parse("length:7").ok());
    let answer = |bench: &mut TestApp, found| {
        bench.tell(Message::Plan {
            number: bench.app.plan.asked.number,
            news: PlanNews::Found(found),
        });
    };
    answer(&mut bench, Err(HistoryFailure::NothingFits));
    let screen = bench.screen(80, 24);
    assert_has!(screen, "study plan: length:7", "no reviewed match fits");
    answer(&mut bench, Ok(Box::new(view())));
    bench.keys("tab");
    let typed = bench.app.library.input.value();
    assert_eq!(typed, "class:take kind:holding me length:7");
    // The plan of a library that shows a row of the plan is the plan itself.
    bench.keys("ctrl-p");
    assert_eq!(
        bench.plans.last().map(|request| &request.filter),
        Some(&request.filter)
    );
    bench.keys("esc z p");
    assert_eq!(
        bench
            .plans
            .last()
            .and_then(|request| request.filter.clone()),
        None
    );
    assert!(!bench.screen(80, 24).contains("length:7"));
}

/// Matches and money sessions are not mixed: a key makes the plan of the others, and its rows find no others.
#[test]
fn a_plan_tells_what_it_does_not_count() {
    let mut bench = open();
    bench.keys("m");
    assert_has!(bench.said(), "no money session");
    let mut other = view();
    other.summary.not_counted = 3;
    let number = bench.plans.last().expect("a request").number;
    bench.tell(Message::Plan {
        number,
        news: PlanNews::Found(Ok(Box::new(other))),
    });
    let shown = bench.screen(80, 24);
    let words = "3 money sessions are not counted here: m shows the other plan";
    assert_has!(shown, words);
    bench.keys("m");
    let request = bench.plans.last().expect("another one").clone();
    assert!(request.wants_money && !request.is_fresh && request.number > number);
    bench.keys("tab");
    let typed = bench.app.library.input.value().to_owned();
    assert_eq!(typed, "class:take kind:holding me length>=1");
}

/// The reference is lower than the player's own rating, until the player chooses another; what costs most is listed
/// first, and the rest once it is asked for.
#[test]
fn the_reference_follows_the_player_and_the_rest_is_folded() {
    let mut bench = open();
    let answer = |bench: &mut TestApp, found: PlanView| {
        let number = bench.plans.last().expect("a plan is wanted").number;
        let news = PlanNews::Found(Ok(Box::new(found)));
        bench.tell(Message::Plan { number, news });
    };
    let mut found = view();
    found.summary.plan.pr = 2.56;
    let costs = [0.04, 0.03, 0.02, 0.01, -0.005];
    found.summary.plan.families = costs
        .map(|cost| family(Family::Kind(Class::Take, PositionType::Holding), cost))
        .to_vec();
    answer(&mut bench, found.clone());
    let asked = |bench: &TestApp| bench.plans.last().unwrap().reference;
    assert_eq!(asked(&bench), 2.5);
    answer(&mut bench, found.clone());
    assert_eq!((asked(&bench), bench.app.plan.row), (2.5, 0));
    bench.keys("l l");
    answer(&mut bench, found);
    assert_eq!(asked(&bench), 3.5, "the player's own choice stays");
    assert_has!(
        bench.screen(80, 24),
        "2 more kinds and scores, 1 as good as the reference: Enter lists them"
    );
    bench.keys("j j j");
    assert_eq!(bench.app.plan.selected(), Some(PlanRow::Rest(2)));
    bench.keys("enter");
    assert_eq!(bench.app.plan.selected(), Some(PlanRow::Family(3)));
    assert!(matches!(bench.app.overlay, Some(Overlay::Plan)));
}

#[test]
fn a_plan_tells_families_habits_luck_and_opponents() {
    let mut bench = open();
    for (w, h) in [(80, 24), (120, 40)] {
        let shown = bench.screen(w, h);
        assert_has!(shown, "Anna: 12 matches", "by lookahead, without rollouts");
        assert_has!(shown, "PR 6.50 (95% 5.90 … 7.10)");
        assert_has!(shown, "PR falls by 1.20 in ten matches");
        assert_has!(
            shown,
            "PR fell about 2026-03-05: 8.10 in 12 matches before (95%"
        );
        assert_has!(shown, "0.7 standard deviations lucky");
        assert_has!(shown, "taking, holding game", "1.05% … 3.15%");
        assert_has!(shown, "takes too often: 61% of 40", "against Ben");
        assert_has!(
            shown,
            "1  0.123 ?? cube take, best pass · against Ben, 2.14, 2026-03-05"
        );
        assert!(!shown.contains('\u{1b}'));
    }
    // Another reference player: what was read is not read again.
    bench.keys("l l h");
    let request = bench.plans.last().expect("another one").clone();
    assert_eq!((request.reference, request.is_fresh), (5.5, false));
    // An answer to a request of before is no answer.
    bench.tell(Message::Plan {
        number: request.number - 1,
        news: PlanNews::Found(Err(HistoryFailure::NoDecision)),
    });
    assert!(bench.app.plan.asked.view.is_some());
    bench.tell(Message::Plan {
        number: request.number,
        news: PlanNews::Found(Err(HistoryFailure::Unknown)),
    });
    assert_has!(bench.screen(120, 40), "/ lists the matches", "Ctrl-T");
}

/// Keys are named in the words of the program alone: a reason from outside stays as it is.
#[test]
fn a_reason_from_outside_has_no_keys() {
    let mut bench = open();
    let number = bench.plans.last().expect("a request").number;
    let why = "/tmp/{library}.sqlite: locked".to_owned();
    bench.tell(Message::Plan {
        number,
        news: PlanNews::Found(Err(HistoryFailure::Unread(why.clone()))),
    });
    assert_eq!(bench.app.plan.asked.failure, Some(why));
}

/// Where no family is reported all with decisions enough are shown, and lead to their quiz.
#[test]
fn kinds_of_position_are_shown_though_none_stands_out() {
    let mut bench = open();
    let number = bench.plans.last().expect("a request").number;
    let mut other = view();
    (other.summary.plan.families, other.references) = (Vec::new(), vec![vec![reference(4)]]);
    other.summary.plan.tested = 1;
    // A column in which every interval is missing gives way to bars.
    other.summary.plan.unreported[0].ci95 = None;
    bench.tell(Message::Plan {
        number,
        news: PlanNews::Found(Ok(Box::new(other))),
    });
    for (w, h) in [(80, 24), (120, 40)] {
        let shown = bench.screen(w, h);
        let flat = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        for word in [
            "no family is clearly worse",
            "checker play, race",
            "0.42%",
            "━━━━━",
            "to do: Enter begins a quiz",
        ] {
            assert!(flat.contains(word), "{word}\n{shown}");
        }
    }
    bench.keys("tab");
    assert_eq!(
        bench.app.library.input.value(),
        "class:checker kind:race me"
    );
}

#[test]
fn a_row_leads_to_its_quiz_its_errors_and_its_positions() {
    let mut bench = open();
    bench.keys("tab");
    assert!(matches!(bench.app.overlay, Some(Overlay::Library)));
    assert_eq!(bench.app.library.list, LibraryList::Errors);
    let typed = bench.app.library.input.value().to_owned();
    assert_eq!(typed, "class:take kind:holding me");
    // The library's own filter comes back when it is opened by itself.
    bench.keys("esc esc /");
    assert_eq!(bench.app.library.input.value(), "");
    bench.keys("a n n a esc z p tab esc esc /");
    assert_eq!(bench.app.library.input.value(), "anna");
    bench.keys("esc z p j j j");
    assert_eq!(bench.app.plan.selected(), Some(PlanRow::Opponent(0)));
    bench.keys("tab");
    assert_eq!(bench.app.library.list, LibraryList::Matches);
    let typed = bench.app.library.input.value();
    assert!(Filter::parse(typed).is_ok(), "{typed}");
    // The library leads back, and to a quiz of its filter.
    bench.keys("ctrl-p g g enter");
    assert!(bench.app.overlay.is_none());
    let wanted = bench.quiz_request.take().expect("a quiz");
    assert_eq!(wanted.title, "quiz: taking, holding game");
    assert_eq!(
        wanted.filter().cloned().unwrap(),
        Filter::parse("class:take kind:holding me").unwrap()
    );
    bench.keys("/");
    bench.app.library.input = "take error>0.1".into();
    bench.keys("ctrl-q");
    let wanted = bench.quiz_request.take().expect("a quiz");
    assert_eq!(
        *wanted.filter().unwrap(),
        Filter::parse("take error>0.1").unwrap()
    );
    bench.keys("z p 3");
    let said = bench.said().to_owned();
    assert_eq!(said, "no position has this number");
    bench.keys("2");
    assert!(bench.app.overlay.is_none());
    let opened = Openable::File(SAMPLE.into());
    assert!(bench.app.sources.contains(&opened));
}

/// A click on a position of a family opens it, and a second one on a row begins its quiz.
#[test]
fn rows_and_positions_of_the_plan_answer_to_clicks() {
    let mut bench = open();
    let size = (80, 24);
    super::mouse::click(&mut bench, size, |t| *t == Target::Row(1));
    assert_eq!(bench.app.plan.selected(), Some(PlanRow::Family(1)));
    bench.draw(size.0, size.1);
    let has_positions = |bench: &TestApp| {
        let mut all = bench.app.areas.targets.iter();
        all.any(|(_, target)| matches!(target, Target::Reference(_)))
    };
    assert!(!has_positions(&bench), "the second family has none");
    super::mouse::click(&mut bench, size, |t| *t == Target::Row(1));
    let wanted = bench.quiz_request.take().expect("a quiz");
    assert!(
        wanted.title.starts_with("quiz: checker play"),
        "{}",
        wanted.title
    );
    let mut bench = open();
    super::mouse::click(&mut bench, size, |t| *t == Target::Reference(1));
    assert!(bench.app.overlay.is_none());
    assert!(bench.app.sources.contains(&Openable::File(SAMPLE.into())));
}

/// A file that has another match now, or begins with another one, does not pass for the match of the row.
#[test]
fn another_match_is_told_from_that_of_the_row() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let sample = include_bytes!("../../../sample_matches/clara-dev-3pt.mat");
    std::fs::write(file.path(), sample).unwrap();
    let opened = |row: LibraryRow| {
        let mut bench = open();
        let number = bench.plans.last().expect("a request").number;
        let mut view = view();
        view.references[1] = vec![row];
        bench.tell(Message::Plan {
            number,
            news: PlanNews::Found(Ok(Box::new(view))),
        });
        bench.keys("j 1");
        bench.said().to_owned()
    };
    let path = Some(file.path().to_owned());
    let row = |expected| LibraryRow {
        path: path.clone(),
        expected,
        ..reference(4)
    };
    let here = opened(row(ExpectedMatch::Position(0, Position::opening())));
    assert_has!(here, "goes back to the plan");
    let elsewhere = opened(row(ExpectedMatch::Position(4, Position::opening())));
    assert_has!(elsewhere, "not in this file");
    let behind = opened(LibraryRow {
        path: None,
        file: path.clone(),
        ..reference(4)
    });
    assert_has!(behind, "behind another match");
}

/// What is said of the way back is true, and the plan comes back as it was left.
#[test]
fn a_position_of_the_plan_leads_back_to_its_row() {
    let mut bench = open();
    let number = bench.plans.last().expect("a request").number;
    let file = tempfile::NamedTempFile::new().unwrap();
    let sample = include_bytes!("../../../sample_matches/clara-dev-3pt.mat");
    std::fs::write(file.path(), sample).unwrap();
    let mut other = view();
    other.references[1] = vec![LibraryRow {
        path: Some(file.path().to_owned()),
        ..reference(4)
    }];
    let found = |number, view: PlanView| Message::Plan {
        number,
        news: PlanNews::Found(Ok(Box::new(view))),
    };
    bench.tell(found(number, other.clone()));
    bench.keys("j 1");
    let said = bench.app.status.as_ref().expect("the match is there");
    assert_has!(said.text, "zp goes back to the plan");
    bench.keys("z p");
    let number = bench.plans.last().expect("read again").number;
    bench.tell(found(number, other));
    assert_eq!(bench.app.plan.selected(), Some(PlanRow::Family(1)));
}

#[test]
fn every_family_has_a_filter_and_a_name_that_lead_to_it() {
    for family in Family::all() {
        assert!(
            Filter::parse(&family.filter()).is_ok(),
            "{}",
            family.filter()
        );
        assert_eq!(Family::named(&family.name().to_uppercase()), Some(family));
    }
}
