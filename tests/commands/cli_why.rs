//! `luckless why` and `luckless matrix` from outside: their figures, their words, and what they refuse.

use serde_json::Value;

use crate::common::{CHANCES, OPENING, json, keys, number, refusal, stdout};

const AT_SCORE: &str = "XGID=-b----E-C---eE---c-e----B-:0:0:1:43:4:2:0:7:10";
const RACE: &str = "XGID=-BCBBBC------------bbbbcc-:0:0:1:00:0:0:0:0:10";
const PAIR: [&str; 2] = ["24/20 13/10", "13/10 13/9"];

fn why(more: &[&str]) -> Value {
    json(
        &[
            &["why", OPENING, "--dice", "43", PAIR[0], PAIR[1], "--json"],
            more,
        ]
        .concat(),
    )
}

fn matrix(id: &str, more: &[&str]) -> Value {
    json(&[&["matrix", id, "--ply", "0", "--json"], more].concat())
}

/// The mean over the 36 rolls of what stands under `side`.
fn mean(answer: &Value, side: &str) -> f64 {
    let rolls = answer["rolls"].as_array().unwrap();
    let sum = rolls.iter().map(|roll| {
        let weight = number(&roll["weight"]);
        assert!(weight == 1.0 || weight == 2.0);
        weight * number(&roll[side]["equity"])
    });
    sum.sum::<f64>() / 36.0
}

#[test]
fn why_says_what_eval_says_of_the_plays_one_ply_deeper() {
    let answer = why(&["--ply", "0", "--cubeless"]);
    assert_eq!(
        keys(&answer),
        [
            "a",
            "b",
            "better",
            "cubeful",
            "dice",
            "difference",
            "luck",
            "note",
            "ply",
            "position",
            "rolls",
            "split",
            "worse"
        ]
    );
    let eval = json(&[
        "eval",
        OPENING,
        "--dice",
        "43",
        "--ply",
        "1",
        "--cubeless",
        "--json",
    ]);
    for side in ["a", "b"] {
        let play = &answer[side];
        let plays = eval["plays"].as_array().unwrap();
        let found = plays.iter().find(|p| p["play"] == play["play"]).unwrap();
        assert_eq!(found["cubeless_equity"], play["equity"]);
        assert_eq!(found["result"], play["result"]);
        assert!(CHANCES.iter().all(|chance| found[chance] == play[chance]));
        assert!((mean(&answer, side) - number(&play["equity"])).abs() < 1e-6);
    }
}

/// With the cube, which is the default of both.
#[test]
fn why_and_eval_say_the_same_without_options() {
    let answer = why(&["--ply", "0"]);
    assert_eq!(answer["cubeful"], true);
    assert!(answer.get("note").is_none());
    let eval = json(&["eval", OPENING, "--dice", "43", "--ply", "1", "--json"]);
    for side in ["a", "b"] {
        let play = &answer[side];
        let plays = eval["plays"].as_array().unwrap();
        let found = plays.iter().find(|p| p["play"] == play["play"]).unwrap();
        let apart = number(&found["cubeful_equity"]) - number(&play["equity"]);
        assert!(apart.abs() < 1e-6, "{} {}", play["play"], apart);
    }
    assert_eq!(why(&["--ply", "0", "--cubeful"]), answer);
}

#[test]
fn why_adds_up() {
    for more in [&["--ply", "0"][..], &["--ply", "0", "--cubeless"]] {
        let answer = why(more);
        let rolls = answer["rolls"].as_array().unwrap();
        assert_eq!(rolls.len(), 21);
        assert_eq!(rolls[0]["dice"], "11");
        let split = answer["split"].as_object().unwrap();
        let parts: f64 = split.values().map(number).sum();
        let difference = number(&answer["difference"]);
        assert!((parts - difference).abs() < 1e-12);
        assert_eq!(split.contains_key("cube"), more.len() == 2);
        assert!((mean(&answer, "a") - mean(&answer, "b") - difference).abs() < 1e-6);
        let of = |name: &str| number(&answer[name]["of_36"]);
        assert!(of("better") > 0.0 && of("better") + of("worse") <= 36.0);
    }
    // The other way round everything is what it was, with the other sign.
    let turned = [
        "why", OPENING, "--dice", "43", PAIR[1], PAIR[0], "--ply", "0", "--json",
    ];
    let (plain, turned) = (why(&["--ply", "0"]), json(&turned));
    assert_eq!(
        (&plain["a"], &plain["better"]),
        (&turned["b"], &turned["worse"])
    );
    let sum = number(&plain["difference"]) + number(&turned["difference"]);
    assert!(sum.abs() < 1e-12);
    assert_eq!(plain["luck"], turned["luck"]);
}

/// A race of equal sides for money: no gammons, so the take points are the known ones.
#[test]
fn why_without_dice_has_all_about_the_cube() {
    let race = "XGID=-BCBBBC------------bbbbcc-:0:0:1:00:0:0:0:0:10";
    let answer = json(&["why", race, "--ply", "0", "--json"]);
    let eval = json(&["eval", race, "--ply", "0", "--json"]);
    for key in ["no_double", "double_take", "double_pass", "action"] {
        assert_eq!(answer["decision"][key], eval["cube"][key], "{key}");
    }
    assert_eq!(number(&answer["take_point"]["dead"]), 0.25);
    assert!((number(&answer["take_point"]["live"]) - 0.2).abs() < 1e-6);
    assert_eq!(answer["window"], eval["cube"]["market"]["window"]);
    let rolls = answer["rolls"].as_array().unwrap();
    let of = |key: &str| {
        let weighted = rolls.iter().map(|r| number(&r["weight"]) * number(&r[key]));
        weighted.sum::<f64>()
    };
    let sequences = number(&answer["losing_sequences_of_1296"]);
    assert!(sequences > 0.0 && of("losing_replies_of_36") == sequences);
    // So many wrong passes make up for a wrong double.
    let share = number(&answer["passes_needed"]);
    let [hold, take, pass] =
        ["no_double", "double_take", "double_pass"].map(|key| number(&answer["decision"][key]));
    assert!((share * pass + (1.0 - share) * take - hold).abs() < 1e-6);
    let text = stdout(&["why", race, "--ply", "0"]);
    assert_has!(text, "take point, dead cube    25.00%", "market losers");
    assert_has!(text, "recube vig");
}

/// The chances stand above the points, with what they are worth if the cube is not turned again.
#[test]
fn a_cube_decision_has_its_chances_and_cubeless_equities() {
    let before = AT_SCORE.replace(":43:4:2:", ":00:4:2:");
    let crawford = AT_SCORE.replace(":43:4:2:0:7:", ":00:6:2:1:7:");
    for (id, doubles) in [(RACE, true), (&*before, true), (&*crawford, false)] {
        let answer = json(&["why", id, "--ply", "0", "--json"]);
        let cubeless = &answer["cubeless"];
        let hold = number(&cubeless["no_double"]);
        let mut cells = vec!["0-ply".to_owned(), format!("{hold:+.4}")];
        match doubles {
            true => cells.push(format!("{:+.4}", number(&cubeless["double"]))),
            false => assert!(cubeless["double"].is_null(), "{cubeless}"),
        }
        cells.extend(CHANCES.map(|key| format!("{:.2}%", 100.0 * number(&answer[key]))));
        let text = stdout(&["why", id, "--ply", "0"]);
        let has = |words: &[String]| {
            let mut lines = text.lines();
            lines.any(|line| line.split_whitespace().eq(words.iter().map(String::as_str)))
        };
        assert!(has(&cells), "{cells:?}:\n{text}");
        let both = if doubles { " doubled" } else { "" };
        let heads = format!("cubeless{both} win gammon bg lose g lose bg");
        let heads: Vec<String> = heads.split(' ').map(str::to_owned).collect();
        assert!(has(&heads), "{text}");
    }
    // For money a double is worth twice as much, and eval has the same equity.
    let answer = json(&["why", RACE, "--ply", "0", "--json"]);
    let [hold, double] = ["no_double", "double"].map(|key| number(&answer["cubeless"][key]));
    assert!((double - 2.0 * hold).abs() < 1e-5);
    let eval = json(&["eval", RACE, "--ply", "0", "--json"]);
    assert!((number(&eval["cubeless_equity"]) - hold).abs() < 1e-5);
}

/// Ten checkers on the ace point need 4.4082 rolls on average: 36.0001 pips. The others are 14 on six points.
#[test]
fn a_bearoff_has_effective_pip_counts() {
    let stacks = "XGID=-J-----------------bbbbcc-:0:0:1:00:0:0:0:0:10";
    let answer = json(&["why", stacks, "--ply", "0", "--json"]);
    let near = |key: &str, expected: f64| {
        let found = number(&answer[key]);
        assert!((found - expected).abs() < 1e-4, "{key}: {found}");
    };
    near("epc", 36.0001);
    near("waste", 26.0001);
    near("opponent_epc", 57.8031);
    near("opponent_waste", 12.8031);
    let text = stdout(&["why", stacks, "--ply", "0"]);
    let line = "EPC 36.0, opponent 57.8 (waste 26.0, 12.8)";
    assert!(text.lines().any(|l| l == line), "{text}");
    // Before the bearoff there are none.
    let opening = json(&["why", OPENING, "--ply", "0", "--json"]);
    for key in ["epc", "opponent_epc", "waste", "opponent_waste"] {
        assert!(opening[key].is_null(), "{key}");
    }
}

/// In a race, the better the roll, the more a taken double is worth.
#[test]
fn market_losers_are_named_the_best_first() {
    let race = "XGID=-CCBCBB------------cbcbcb-:0:0:1:00:0:0:0:0:10";
    let answer = json(&["why", race, "--ply", "0", "--json"]);
    let losers = &answer["market_losers"];
    let named: Vec<&str> = (losers["rolls"].as_array().unwrap().iter())
        .map(|roll| roll.as_str().unwrap())
        .collect();
    assert_eq!(named[0], "66", "{losers}");
    let rolls = answer["rolls"].as_array().unwrap().iter();
    let lost: Vec<&Value> = rolls.filter(|roll| roll["market_lost"] == true).collect();
    let weight: f64 = lost.iter().map(|roll| number(&roll["weight"])).sum();
    assert_eq!(
        (named.len(), number(&losers["of_36"])),
        (lost.len(), weight)
    );
    assert!(
        lost.iter()
            .all(|roll| named.contains(&roll["dice"].as_str().unwrap()))
    );
    let text = stdout(&["why", race, "--ply", "0"]);
    assert_has!(text, "the rolls, best first: 6-6, ");
}

/// What each play leaves: the shots are those of the words.
#[test]
fn why_counts_what_the_plays_leave() {
    let slot = [
        "why",
        OPENING,
        "--dice",
        "21",
        "13/11 6/5",
        "24/23 13/11",
        "--ply",
        "0",
    ];
    let answer = json(&[&slot[..], &["--json"]].concat());
    let board = &answer["a"]["board"];
    assert_eq!(number(&board["hit_by"]["of_36"]), 15.0);
    assert_eq!(
        (number(&board["blots"]), number(&board["pips"])),
        (2.0, 164.0)
    );
    assert_eq!(board["anchors"], serde_json::json!([24]));
    assert_eq!(answer["b"]["board"]["anchors"], serde_json::json!([]));
    let text = stdout(&slot);
    assert_has!(
        text,
        "A  hit by 15 of 36, 2 exposed blots, 1 home point, anchor 24, pips 164 to 167"
    );
    assert_has!(text, "A is hit by 1-1, 2-2, 3-1, 4-1", "B  hit by ");
}

/// A double on offer: the doubler's figures and the answer; also where the present cube wins the doubler the match.
#[test]
fn why_answers_a_double_on_offer() {
    let offered = "XGID=-BCBBBC------------bbbbcc-:0:0:1:D:0:0:0:0:10";
    let (asked, before) = (
        json(&["why", offered, "--ply", "0", "--json"]),
        json(&["why", RACE, "--ply", "0", "--json"]),
    );
    assert!(before.get("answer").is_none());
    assert_eq!(asked["answer"], "take");
    assert_eq!(asked["decision"]["double_pass"], 1.0);
    // The doubler of a needs two points, and has two on the cube.
    let dead = "XGID=-BCBBBC------------bbbbcc-:1:1:1:D:3:0:0:5:10";
    let gains_nothing = json(&["why", dead, "--ply", "0", "--json"]);
    assert_eq!(gains_nothing["answer"], "take");
    let mwc = &gains_nothing["decision"]["mwc"];
    assert_eq!(mwc["double_pass"], 1.0);
    assert!(number(&mwc["double_take"]) <= number(&mwc["no_double"]) + 1e-6);
    let text = stdout(&["why", dead, "--ply", "0"]);
    assert_has!(text, "the double: take");
    let matrix = matrix(dead, &["--max", "2"]);
    assert_eq!(matrix["present_choice"], "take", "{matrix}");
    // Score and cube say whose they are, and the doubler's are not those of who answers.
    assert_has!(text, "2-away 5-away, cube 2, own");
    assert_has!(text, "(as the doubler has it)");
    let answers = stdout(&["matrix", dead, "--ply", "0", "--max", "2"]);
    assert_has!(answers, "(as who answers has it)");
    let error = refusal(&["rollout", dead, "--cube-decision", "--no-store"], 2);
    assert_has!(error, "gains nothing");
    let error = refusal(&["why", offered, "--dice", "31", "8/5 6/5", "24/20"], 2);
    assert_has!(error, "before the roll");
}

#[test]
fn why_counts_cube_and_score_in_a_match() {
    let answer = json(&[
        "why",
        AT_SCORE,
        "13/10 24/20",
        "13/10 13/9",
        "--ply",
        "0",
        "--json",
    ]);
    let eval = json(&["eval", AT_SCORE, "--ply", "1", "--json"]);
    let plays = eval["plays"].as_array().unwrap();
    let found = plays
        .iter()
        .find(|p| p["play"] == answer["a"]["play"])
        .unwrap();
    assert_eq!(found["cubeful_equity"], answer["a"]["equity"]);
    assert_eq!(found["mwc"], answer["a"]["mwc"]);
    assert_eq!(
        (&answer["cubeful"], &answer["note"]),
        (&true.into(), &Value::Null)
    );
}

#[test]
fn why_in_words() {
    let text = stdout(&[
        "why",
        OPENING,
        "--dice",
        "43",
        "24/20, 13/10",
        "13/9, 13/10",
    ]);
    assert_has!(text, "A  24/20 13/10", "B  13/10 13/9", "A is better on");
    assert_has!(text, "of 36 rolls", "wins +", " of 21, ");
    assert!(
        text.lines().all(|line| line.chars().count() <= 100),
        "{text}"
    );
}

#[test]
fn why_refuses_what_cannot_be() {
    let cases: [&[&str]; 9] = [
        &["why", OPENING, PAIR[0], PAIR[1]],
        &["why", OPENING, "--dice", "43", PAIR[0], "8/1"],
        &["why", OPENING, "--dice", "43", PAIR[0], "13/10 24/20"],
        &["why", OPENING, "--dice", "43", PAIR[0]],
        &["why", OPENING, "--dice", "43", PAIR[0], PAIR[1], "13/6"],
        &[
            "why", OPENING, "--dice", "43", PAIR[0], PAIR[1], "--ply", "9",
        ],
        &["why", "nonsense", "--dice", "43", PAIR[0], PAIR[1]],
        &["why", OPENING, "--dice", "07", PAIR[0], PAIR[1]],
        &[
            "why",
            OPENING,
            "--dice",
            "43",
            PAIR[0],
            PAIR[1],
            "--threads",
            "99999999999",
        ],
    ];
    for case in cases {
        let why = refusal(case, 2);
        assert_eq!(why.trim_end().lines().count(), 1, "{case:?}: {why}");
    }
    assert!(refusal(cases[0], 2).contains("--dice"));
    assert!(refusal(cases[2], 2).contains("the same position"));
}

#[test]
fn the_matrix_agrees_with_eval_at_each_score() {
    let answer = matrix(OPENING, &["--dice", "43", "--max", "5"]);
    let cells = answer["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 6 + 3 * 24);
    assert_eq!(answer["decision"], "checker play");
    let post_crawford = |c: &&Value| c["away"] == serde_json::json!([1, 4]);
    assert_eq!(cells.iter().filter(post_crawford).count(), 3);
    let named: Vec<&str> = cells.iter().filter_map(|c| c["name"].as_str()).collect();
    assert_eq!(
        named,
        ["money", "money", "money", "DMP", "gammon-go", "gammon-save"]
    );
    for cell in cells.iter().skip(6).filter(|c| c["owner"] == "centred") {
        let away = cell["away"].as_array().unwrap();
        let score = |i: usize| 5 - away[i].as_u64().unwrap();
        let (mine, theirs) = (score(0), score(1));
        let id = format!("XGID=-b----E-C---eE---c-e----B-:0:0:1:43:{mine}:{theirs}:0:5:10");
        let eval = json(&["eval", &id, "--ply", "0", "--json"]);
        let best = &eval["plays"][0];
        assert_eq!(cell["best"], best["play"], "{id}");
        assert_eq!(
            cell["equities"][0]["equity"], best["cubeful_equity"],
            "{id}"
        );
    }
}

/// A score that is none of the others has a cell of its own.
/// A double is part of double/take and of double/pass: it is right where one of them is best.
#[test]
fn a_choice_that_is_part_of_another_is_counted() {
    let text = stdout(&[
        "matrix", RACE, "--play", "double", "--ply", "0", "--max", "3",
    ]);
    let cells = matrix(RACE, &["--play", "double", "--max", "3"])["cells"].take();
    let cells = cells.as_array().unwrap();
    let is_right = |cell: &&Value| cell["best"].is_string() && cell["changed"] == false;
    let right = cells.iter().filter(is_right).count();
    assert!(right > 0 && right < cells.len(), "{cells:?}");
    assert_has!(text, &format!("double: right in {right} cell"));
}

#[test]
fn the_matrix_has_the_positions_own_score() {
    let id = "XGID=-b----E-C---eE---c-e----B-:0:0:1:43:6:2:1:7:10";
    let cells = matrix(id, &["--max", "3"])["cells"].take();
    let cells = cells.as_array().unwrap();
    let own: Vec<&Value> = cells.iter().filter(|c| c["name"] == "own score").collect();
    assert_eq!(own.len(), 1);
    assert_eq!(own[0]["away"], serde_json::json!([1, 5]));
    assert_eq!(own[0]["crawford"], true);
    let eval = json(&["eval", id, "--ply", "0", "--json"]);
    assert_eq!(own[0]["best"], eval["plays"][0]["play"]);
    let text = stdout(&["matrix", id, "--ply", "0", "--max", "3"]);
    assert_has!(text, "own score, 1-away 5-away Crawford");
    assert_has!(text, "(1: post-Crawford)");
    // A row for each score, with each owner of the cube.
    for row in ["1  ", "2  ", "3  "] {
        let rows = text.lines().filter(|line| line.starts_with(row));
        assert_eq!(rows.count(), 3, "{text}");
    }
}

#[test]
fn the_matrix_of_a_cube_decision() {
    let answer = matrix(RACE, &["--max", "4"]);
    assert_eq!(answer["decision"], "cube action");
    let cells = answer["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 5 + 2 * 15);
    let money = json(&["eval", RACE, "--ply", "0", "--json"]);
    assert_eq!(cells[0]["best"], money["cube"]["action"]);
    assert_eq!(answer["present_choice"], money["cube"]["action"]);
    assert_eq!(number(&cells[0]["cost"]), 0.0);
    let equities = cells[0]["equities"].as_array().unwrap();
    assert_eq!(equities[1]["equity"], money["cube"]["double_take"]);
    // Nobody doubles at double match point or in the Crawford game.
    let dead = cells
        .iter()
        .filter(|c| c["name"].is_string() && c["name"] != "money");
    assert!(dead.clone().count() == 3 && dead.clone().all(|c| c["best"].is_null()));
    let named = matrix(RACE, &["--max", "4", "--play", "double"]);
    assert!(number(&named["cells"][0]["cost"]) > 0.0);
    assert_eq!(named["cells"][0]["changed"], true);
}

#[test]
fn the_matrix_is_the_same_for_any_number_of_threads() {
    let with = |threads| {
        let more = ["--dice", "43", "--max", "3", "--threads", threads];
        json(&[&["matrix", OPENING, "--ply", "1", "--json"][..], &more].concat())
    };
    assert_eq!(with("1"), with("3"));
}

#[test]
fn the_matrix_in_words() {
    let text = stdout(&["matrix", OPENING, "--dice", "43", "--ply", "0"]);
    assert_has!(text, "the present choice", "DMP", "gammon-go");
    assert_has!(text, "gammon-save", "cube centred", "their cube");
    assert!(
        text.lines().all(|line| line.chars().count() <= 110),
        "{text}"
    );
    let text = stdout(&["matrix", RACE, "--ply", "0"]);
    assert!(text.contains("D/P") || text.contains("D/T"), "{text}");
}

/// By a double that is best both players can lose at another score; a named one is the doubler's choice alone.
#[test]
fn the_matrix_says_whose_loss_a_figure_is() {
    let blitz = "XGID=b--aBBC-C---dC---c-e----B-:0:0:1:00:0:0:1:0:10";
    let both = "A figure is what the present choice costs doubler and taker there";
    let arguments = ["matrix", blitz, "--ply", "0", "--max", "4"];
    let text = stdout(&arguments);
    assert_has!(text, "D/P", both);
    let alone = stdout(&[&arguments[..], &["--play", "double"]].concat());
    assert_has!(alone, "what the present choice costs there");
}

/// There is no answer to a double at scores at which nobody may double.
#[test]
fn the_matrix_of_answers_leaves_out_what_nobody_doubles() {
    let offered = "XGID=--BBCCD-A--------b-dccba--:1:1:1:D:2:3:0:7:10";
    let answers = matrix(offered, &["--max", "4"]);
    let cells = answers["cells"].as_array().unwrap();
    let is_dead = |cell: &&Value| cell["away"][1].as_u64().is_some_and(|away| away <= 2);
    let dead: Vec<&Value> = cells
        .iter()
        .filter(is_dead)
        .filter(|c| c["cube"] == 2)
        .collect();
    // Four rows, two columns, and one of them has a name instead.
    assert!(dead.len() == 7, "{dead:?}");
    assert!(dead.iter().all(|c| c["best"].is_null()), "{dead:?}");
    let dmp = cells.iter().find(|c| c["name"] == "DMP").unwrap();
    assert!(dmp["best"].is_null() && dmp["cost"].is_null(), "{dmp}");
}

#[test]
fn the_matrix_refuses_what_cannot_be() {
    let dice = ["matrix", OPENING, "--dice", "43"];
    for more in [
        &["--max", "1"][..],
        &["--max", "99999999999999999999"],
        &["--max", "26"],
        &["--ply", "-1"],
        &["--ply", "4"],
        &["--play", "8/1"],
        &["--play", "\u{1b}[31m"],
    ] {
        let why = refusal(&[&dice[..], more].concat(), 2);
        assert_eq!(why.trim_end().lines().count(), 1, "{more:?}: {why}");
        assert!(!why.contains('\u{1b}'));
    }
    for case in [
        &["matrix", "nonsense"][..],
        &["matrix", RACE, "--play", "raise"],
        &["matrix"],
    ] {
        let why = refusal(case, 2);
        assert_eq!(why.trim_end().lines().count(), 1, "{case:?}: {why}");
    }
}
