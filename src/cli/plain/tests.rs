//! A match read line by line.

use super::*;
use crate::cube::Model;
use crate::eval::{CandidateFilter, Engine, Evaluator as _};
use crate::match_file::read_bytes;
use crate::review::report::build::build;
use crate::review::report::context::ReportContext;
use crate::review::{Thresholds, analyse_match};

/// An evaluator and a model.
type Tools = (Engine, Model);

fn tools() -> Tools {
    (Engine::embedded(), Model::default())
}

const SHORT: &[u8] =
    b" 3 point match\n Game 1\n Ann : 0   Ben : 0\n  1) 31: 8/5 6/5   42: 13/9 6/4\n  \
      2) 64: 24/14     Doubles => 2\n  3)  Drops\n";

fn reading(tools: &Tools) -> Reading<'_> {
    reading_of(tools, SHORT, 0)
}

/// A match analysed at 0-ply, with plays listed at `ply`.
fn reading_of<'a>((engine, model): &'a Tools, text: &[u8], ply: u8) -> Reading<'a> {
    let record = read_bytes(text, "x.mat").unwrap();
    let analysed = analyse_match(engine, model, &record, 0, &|| false).unwrap();
    let context = ReportContext {
        engine: engine.name(),
        model,
        ply: 0,
        thresholds: Thresholds::default(),
        rollouts: None,
    };
    let lookahead = Lookahead {
        evaluator: engine,
        model,
        ply,
    };
    let report = build(&record, &analysed, &context);
    Reading::new(report, VecDeque::new(), lookahead)
}

/// All listed plays, including the one made, have the same depth and are sorted by their figures.
#[test]
fn plays_are_listed_at_one_depth() {
    let text = b" 3 point match\n Game 1\n Ann : 0   Ben : 0\n  1) 43: 6/3 6/2\n";
    let tools = tools();
    for ply in [0, 1] {
        let answer = reading_of(&tools, text, ply).plays();
        let lines: Vec<&str> = answer.lines().collect();
        assert_eq!(lines[0], format!("At {ply}-ply:"), "{answer}");
        assert_eq!(lines.len(), 7, "{answer}");
        for (number, line) in (1..=5).zip(&lines[1..]) {
            assert!(line.starts_with(&format!("{number}: ")), "{answer}");
        }
        // Its rank among all plays is unknown.
        assert!(lines[6].starts_with("6/3 6/2, "), "{answer}");
        assert!(lines[6].ends_with(", played."), "{answer}");
        let state = parse_id("XGID=-b----E-C---eE---c-e----B-:0:0:1:43:0:0:0:3:10").unwrap();
        let found = (tools.1).candidates(
            &tools.0,
            &state.before_roll(),
            state.roll.unwrap(),
            ply,
            CandidateFilter::default(),
            &|| false,
        );
        let best = f64::from(found.unwrap()[0].cubeful);
        assert!(lines[1].contains(&signed(best, 3)), "{answer}");
        let equity = |line: &str| -> f64 {
            let figure = line.split(", ").nth(1).unwrap();
            figure.trim_end_matches('.').parse().unwrap()
        };
        let equities: Vec<f64> = lines[1..].iter().map(|line| equity(line)).collect();
        assert!(equities.is_sorted_by(|a, b| a >= b), "{answer}");
    }
}

#[test]
fn games_end_with_their_results() {
    let text = String::from_utf8_lossy(SHORT);
    let (_, game) = text.split_once(" Game 1\n").unwrap();
    let second = game.replace("Ben : 0", "Ben : 1");
    let text = format!("{text}\n Game 2\n{second}");
    let tools = tools();
    let mut reading = reading_of(&tools, text.as_bytes(), 0);
    assert!(reading.here().starts_with("Game 1, move 1."));
    let second = reading.answer("g 2").unwrap();
    let told = "Ben wins game 1, 1 point. The score is Ann 0, Ben 1. Game 2, move 1. ";
    assert!(second.starts_with(told), "{second}");
    reading.report.games[1].crawford = true;
    let told = "The score is Ann 0, Ben 1. Crawford game. Game 2, move 1. ";
    assert!(reading.here().contains(told));
    let next = reading.answer("n").unwrap();
    assert!(next.starts_with("Game 2, move 2."), "{next}");
    reading.at = reading.all.len() - 1;
    let told = "This is the last decision. Ben wins game 2, 1 point. The score is Ann 0, Ben 2.";
    assert_eq!(reading.answer("n").unwrap(), told);
    reading.report.games[1].points = Some(2);
    (reading.report.score, reading.report.complete) = ([0, 3], true);
    let told = "Ben wins game 2, 2 points. Ben wins the match, 3 to 0.";
    assert!(reading.answer("n").unwrap().ends_with(told));
}

#[test]
fn ratings_are_told_as_elsewhere() {
    let tools = tools();
    let mut reading = reading(&tools);
    reading.report.players[0].figures.pr = Some(6.654);
    assert!(
        reading.short().contains("Ann 0, PR 6.65;"),
        "{}",
        reading.short()
    );
}

#[test]
fn the_end_of_a_part_of_a_match_tells_the_score() {
    let text = b" 5 point match\n Game 3\n Ann : 1   Ben : 2\n  1) 43: 24/20 13/10\n";
    let tools = tools();
    let mut reading = reading_of(&tools, text, 0);
    assert!(
        reading
            .here()
            .starts_with("The score is Ann 1, Ben 2. Game 3, ")
    );
    let told =
        "This is the last decision. Game 3 is not played to its end. The score is Ann 1, Ben 2.";
    assert_eq!(reading.answer("n").unwrap(), told);
}

/// The positions of a file without errors.
fn of_file(path: &Path) -> Option<String> {
    position::of_file(path, &|_| (), &mut |why| panic!("{why}"))
}

#[test]
fn positions_of_a_file_without_games_are_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.txt");
    let ids = [
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10",
    ];
    std::fs::write(&path, format!("{}\n", ids[0])).unwrap();
    let words = of_file(&path).unwrap();
    assert!(words.starts_with("On roll: 2 on 24"), "{words}");
    assert_has!(words, "3-1 to play.\nFor its plays: luckless eval XGID=");
    std::fs::write(&path, format!("{}\n{}  # a remark\n", ids[0], ids[1])).unwrap();
    let words = of_file(&path).unwrap();
    let (_, second) = words.split_once("Position 2 of 2. ").unwrap();
    let told = format!(
        "For its chances and cube action: luckless eval {}\nRemark: a remark\n",
        ids[1]
    );
    assert!(second.ends_with(&told), "{words}");
    std::fs::write(&path, SHORT).unwrap();
    assert_eq!(of_file(&path), None);
}

/// A line that is not a position is reported, and the Crawford rule may be disabled.
#[test]
fn what_is_no_position_in_a_list_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.txt");
    let id = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:6:1:7:10";
    std::fs::write(&path, format!("{id}\nnothing of the kind\n{id}\n")).unwrap();
    let mut reported = Vec::new();
    let mut words = |change: &dyn Fn(&mut Match)| {
        let mut report = |why: &str| reported.push(why.to_owned());
        position::of_file(&path, change, &mut report).unwrap()
    };
    let as_read = words(&|_| ());
    assert_has!(as_read, "Position 2 of 2. ", "Crawford game.");
    let changed = words(&Match::remove_crawford_rule);
    assert_lacks!(changed, "Crawford game.");
    assert_eq!(reported.len(), 2);
    assert!(
        reported[0].contains("p.txt: line 2, column 1: "),
        "{reported:?}"
    );
}

/// A cube action is described once, with its equities.
#[test]
fn a_cube_action_is_told_once() {
    let tools = tools();
    let mut reading = reading(&tools);
    let moves = &mut reading.report.games[0].moves;
    let at = moves
        .iter()
        .position(|one| one.played.as_deref() == Some("double"));
    let one = &mut moves[at.unwrap()];
    (one.mark, one.error, one.best) = (Some(Mark::Blunder), Some(0.234), Some("no double".into()));
    let cube = one.cube.as_mut().unwrap();
    (cube.mark, cube.error, cube.best) = (Mark::Blunder, 0.234, "no double".into());
    reading.at = at.unwrap();
    let here = reading.here();
    let told = "Ben: double. Blunder, costs 0.234; best is no double.";
    assert!(
        here.contains(told) && here.matches("costs").count() == 1,
        "{here}"
    );
    let line = reading.plays();
    let begin = "For the doubler, at 0-ply: no double, ";
    assert!(line.starts_with(begin), "{line}");
    assert_has!(line, "; double/take, ", "; double/pass, +1.000.");
    // Doubling with one's own cube is a redouble.
    let one = &mut reading.report.games[0].moves[at.unwrap()];
    one.state = parse_id("XGID=-b----E-C---eE---c-e----B-:1:1:1:00:0:0:0:3:10").unwrap();
    assert_has!(
        reading.here(),
        "Ben: redouble. Blunder, costs 0.234; best is no redouble."
    );
    assert_has!(reading.plays(), "no redouble, ");
}

#[test]
fn all_matches_of_a_file_are_read() {
    let tools = tools();
    let mut reading = reading(&tools);
    assert_eq!(reading.several(), "");
    assert_has!(reading.next_match(), "no other match");
    let mut other = reading.report.clone();
    other.players[0].name = "Dora".to_owned();
    reading.others.push_back(other);
    assert_eq!(reading.several(), "This is the first of 2 matches.\n");
    reading.answer("n");
    let mut next = || reading.answer("m").unwrap();
    let dora = next();
    assert!(
        dora.contains("Dora rolls 3-1") && !dora.contains('\n'),
        "{dora}"
    );
    assert!(next().contains("Ann rolls 3-1"));
}

#[test]
fn a_match_is_read_line_by_line() {
    let tools = tools();
    let mut reading = reading(&tools);
    let mut say = |line| reading.answer(line).unwrap();
    assert!(say("p").contains("first"));
    assert!(say("g 1").starts_with("Game 1, move 1. Ann rolls 3-1 and plays 8/5 6/5. Fine."));
    let words = say("w");
    let (own, rest) = words.split_once(" Ben: ").unwrap();
    assert_eq!(own, "Ann: 2 on 24, 5 on 13, 3 on 8, 5 on 6, 167 pips.");
    assert_has!(rest, "Ann needs 3, Ben needs 3. Cube 1 in the middle.");
    assert!(say("c").starts_with("At 0-ply:\n1: 8/5 6/5, "));
    assert!(say("").contains("Ben rolls 4-2"));
    let error = say("e");
    assert_has!(error, "costs");
    assert_eq!(
        say("g"),
        "Which game? Type g and its number: g 1 is the last."
    );
    for line in ["g 9", "g", "x", "i", "s", "?"] {
        assert!(!say(line).is_empty(), "{line}");
    }
    for _ in 0..9 {
        say("n");
    }
    assert!(say("n").contains("last"));
    // Each response except the list of plays and the help is one line of plain text.
    for line in ["p", "b", "e", "w", "s", "i"] {
        let answer = say(line);
        assert!(
            !answer.contains('\n') && answer.is_ascii(),
            "{line}: {answer}"
        );
    }
    assert_eq!(reading.answer("q"), None);
}
