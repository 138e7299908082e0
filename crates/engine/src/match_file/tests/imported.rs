//! Imported analyses of cube decisions.

use super::*;
use crate::match_file::xg::build::{Lies, pack, records};

/// Size of an eXtreme Gammon record, in bytes.
const RECORD: usize = 2560;

/// Cube figures of all positions that have them: no double, take, pass.
fn figures(text: &str) -> Vec<[f64; 3]> {
    let record = read_bytes(text.as_bytes(), "x.txt").unwrap();
    let analyses = record.positions.into_iter().filter_map(|p| p.analysis);
    let cubes = analyses.filter_map(|analysis| analysis.cube);
    let three = |cube: CubeVerdict| [cube.no_double, cube.double_take, cube.double_pass];
    cubes.map(|cube| three(cube).map(Option::unwrap)).collect()
}

#[test]
fn a_take_may_be_worth_as_much_as_a_pass() {
    let text = include_str!("../../../../../tests/fixtures/positions/bgblitz.txt");
    let row = "-0.160   (-0.242)";
    assert!(text.contains(row));
    for (take, worth) in [(" 1.000   ( 0.918)", 1.0), ("-1.000   (-1.082)", -1.0)] {
        let text = text.replace(row, take);
        assert_eq!(figures(&text), [[0.082, worth, 1.0]], "{take}");
    }
    // The second position is the first one after the double, with the figures of the answering player.
    let text = include_str!("../../../../../tests/fixtures/positions/gnubg.txt");
    let rows = ["-0.724  (-0.550)", "+0.724  (+0.550)"];
    for (takes, worth) in [
        (["+1.000  (+1.174)", "-1.000  (-1.174)"], 1.0),
        (["-1.000  (-0.826)", "+1.000  (+0.826)"], -1.0),
    ] {
        let mut text = text.to_owned();
        for (row, take) in rows.iter().zip(takes) {
            assert!(text.contains(row));
            text = text.replace(row, take);
        }
        assert_eq!(figures(&text), [[-0.174, worth, 1.0]; 2], "{takes:?}");
    }
}

/// A JSON game with a double and this answer, both with the same cube figures.
fn analysed(rules: &str, answer: &str, cube: &str) -> Match {
    let analysis = format!(r#""analysis":{{"program":"X","cube":{{{cube}}}}}"#);
    let text = format!(
        r#"{{"luckless":"match","version":1,{rules},"players":["a","b"],
        "games":[{{"game":1,"score":[0,0],"actions":[
        {{"player":"left","action":"roll","roll":"31","play":"8/5 6/5"}},
        {{"player":"right","action":"double",{analysis}}},
        {{"player":"left","action":"{answer}",{analysis}}}]}}]}}"#
    );
    read_bytes(text.as_bytes(), "x.json").unwrap()
}

/// The losses of the doubler and of the answering player.
fn errors(record: &Match) -> [Option<f64>; 2] {
    let cube = |event| record.analyses.of(0, event).unwrap().cube.clone().unwrap();
    let rounded = |error: Option<f64>| error.map(|error| (error * 1e6).round() / 1e6);
    [rounded(cube(1).error), rounded(cube(2).answer_error)]
}

#[test]
fn the_cost_of_a_double_includes_the_beaver() {
    let cube = r#""no_double":-0.1,"double_take":-0.4,"double_pass":1.0"#;
    let with = r#""length":0,"beavers":true"#;
    // Then a double is worth −0.8.
    for (answer, cost) in [("beaver", 0.0), ("take", 0.4), ("pass", 1.8)] {
        let record = analysed(with, answer, cube);
        assert_eq!(errors(&record), [Some(0.7), Some(cost)], "{answer}");
        let [left, right] = summed(&record).unwrap();
        assert!((left - cost).abs() < 1e-6 && (right - 0.7).abs() < 1e-6);
    }
    let without = analysed(r#""length":0"#, "take", cube);
    assert_eq!(errors(&without), [Some(0.3), Some(0.0)]);
}

/// The sums of cube errors in `inspect`, left and right.
fn summed(record: &Match) -> Option<[f64; 2]> {
    let summary = MatchSummary::new(record);
    summary.games[0].analysis.as_ref().unwrap().cube_errors
}

#[test]
fn chances_to_win_the_match_are_not_summed_up_as_points() {
    let cube = r#""mwc":true,"no_double":0.61,"double_take":0.58,"double_pass":0.66"#;
    let record = analysed(r#""length":7,"crawford":true"#, "pass", cube);
    assert_eq!(errors(&record), [Some(0.03), Some(0.08)]);
    assert_eq!(summed(&record), None);
}

/// Sets bytes of a record: the index of the record and the offset in it.
fn set<const N: usize>(bytes: &mut [u8], record: usize, at: usize, value: [u8; N]) {
    let at = record * RECORD + at;
    bytes[at..at + N].copy_from_slice(&value);
}

#[test]
fn the_figures_of_an_answer_stand_at_the_beaver() {
    let record = one_game(
        0,
        &[
            "  1) 31: 8/5 6/5                 Doubles => 2",
            "  2)  Beavers => 4              62: 24/18 13/11",
        ],
    );
    // Two heads and a roll precede the double.
    let double = 3;
    let mut bytes = records(&record);
    for (at, figure) in [(88, -0.1f32), (92, -0.4), (96, 1.0)] {
        set(&mut bytes, double, 64 + at, figure.to_le_bytes());
    }
    set(&mut bytes, double, 200, (-0.5f64).to_le_bytes());
    set(&mut bytes, double, 216, (-0.25f64).to_le_bytes());
    let more = |beavered: i32| {
        let mut bytes = bytes.clone();
        set(&mut bytes, double, 24, beavered.to_le_bytes());
        read_bytes(&pack(&bytes, Lies::default()), "x.xg").unwrap()
    };
    let raccoon = ["R doubles 8", "L takes", "R 62 24/18 13/11"];
    let answers: [(i32, &[&str]); 3] =
        [(1, &["R 62 24/18 13/11"]), (2, &raccoon), (0, &["R drops"])];
    for (beavered, rest) in answers {
        let found = more(beavered);
        let head = ["L 31 8/5 6/5", "R doubles 2", "L beavers 4"];
        assert_eq!(story(&found, 0), [&head[..], rest].concat());
        assert_eq!(errors(&found), [Some(0.5), Some(0.25)], "{beavered}");
        assert_eq!(found.analyses.iter().count(), 2, "{beavered}");
    }
}

#[test]
fn analyses_of_skipped_actions_are_dropped() {
    // A roll before its play forms one action with it.
    let text = "(;GM[6]MI[length:7]PW[a]PB[b];W[31];W[31hefe]LU[0.01];B[42qusu]LU[0.02]\
                ;W[take]LU[0.7];W[61mghg]LU[0.03];B[double];W[drop];B[take]LU[0.8])";
    let record = read_bytes(text.as_bytes(), "x.sgf").unwrap();
    let rolls = ["L 31 8/5 6/5", "R 42 8/4 6/4", "L 61 13/7 8/7"];
    assert_eq!(
        story(&record, 0),
        [&rolls[..], &["R doubles 2", "L drops"]].concat()
    );
    let found = record.analyses.iter();
    let lucks: Vec<_> = found
        .map(|(_, event, analysis)| (event, analysis.luck))
        .collect();
    let wanted = [0.01, 0.02, 0.03].map(Some);
    assert_eq!(lucks, [(0, wanted[0]), (1, wanted[1]), (2, wanted[2])]);
}

#[test]
fn a_record_without_a_position_that_can_be_read_keeps_its_game() {
    let record = one_game(
        7,
        &[
            "  1) 31: 8/5 6/5                42: 8/4 6/4",
            "  2) 61: 13/7 8/7",
        ],
    );
    // Two heads and a roll precede the record. Records may lack the position.
    for (damage, complaints) in [([0u8; 26], 0), ([100; 26], 1)] {
        let mut bytes = records(&record);
        set(&mut bytes, 3, 9, damage);
        let found = read_bytes(&pack(&bytes, Lies::default()), "x.xg").unwrap();
        assert_eq!(found.games.len(), 1);
        assert_eq!(story(&found, 0), story(&record, 0));
        let warnings = messages(&found);
        let warnings = warnings.iter().filter(|m| m.contains("cannot be read"));
        assert_eq!(warnings.count(), complaints);
    }
}

#[test]
fn the_variation_of_a_binary_match_is_named_as_in_other_files() {
    let rows = ["  1) 31: 8/5 6/5                42: 8/4 6/4"];
    let mut bytes = records(&one_game(7, &rows));
    for (number, wanted) in [
        (1, "'Nackgammon' is read as backgammon from its own start"),
        (2, "'Hypergammon' is read as backgammon"),
        (9, "'number 9' is read as backgammon"),
    ] {
        set(&mut bytes, 0, 96, i32::to_le_bytes(number));
        let found = read_bytes(&pack(&bytes, Lies::default()), "x.xg").unwrap();
        assert!(messages(&found)[0].ends_with(wanted), "{number}");
    }
}

/// A cube decision in eXtreme Gammon's text with this analysis.
fn forum_text(analysis: &[&str]) -> String {
    let id = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:2:0:10";
    format!(
        "{id}\n\nX:Anna   O:Ben\n\nX on roll, cube action\n\n{}\n",
        analysis.join("\n")
    )
}

fn cube_of(text: &str) -> CubeVerdict {
    let record = read_bytes(text.as_bytes(), "x.txt").unwrap();
    record.positions[0].analysis.clone().unwrap().cube.unwrap()
}

/// Chances of a rollout are indented, below the name of an action.
#[test]
fn levels_of_cube_decisions_are_read() {
    let figures = [
        "       No double:     +0.532",
        "       Double/Take:   +0.621",
        "       Double/Pass:   +1.000",
    ];
    let rolled = [
        "Analyzed in Rollout",
        "No double",
        "  Player Winning Chances:   60.61% (G:24.61% B:2.21%)",
        "  Opponent Winning Chances: 39.39% (G:13.67% B:0.41%)",
    ];
    let looked = [
        "Analyzed in XG Roller++",
        "Player Winning Chances:   60.61% (G:24.61% B:2.21%)",
        "Opponent Winning Chances: 39.39% (G:13.67% B:0.41%)",
    ];
    for (head, level) in [(&rolled[..], "Rollout"), (&looked, "XG Roller++")] {
        let text = forum_text(&[head, &figures].concat());
        assert_eq!(cube_of(&text).level, level, "{text}");
    }
    let text = include_str!("../../../../../tests/fixtures/positions/gnubg.txt");
    let record = read_bytes(text.as_bytes(), "x.txt").unwrap();
    let analyses = record.positions.into_iter().filter_map(|p| p.analysis);
    let levels: Vec<String> = analyses.filter_map(|a| Some(a.cube?.level)).collect();
    assert!(
        levels.iter().all(|level| level.ends_with("ply")),
        "{levels:?}"
    );
}

/// The equity of a beaver is twice that of the take, in any language.
#[test]
fn a_beaver_is_found_in_all_languages() {
    for word in ["Double/Beaver", "ダブル/ビーバー"] {
        let row = format!("       {word}: -0.361 (-0.480)");
        let text = forum_text(&[
            "       No double:     +0.119",
            &row,
            "       Double/Pass:   +1.000 (+0.881)",
        ]);
        assert_eq!(cube_of(&text).double_take, Some(-0.1805), "{text}");
    }
}

/// GNU Backgammon before 0.14 wrote four numbers before the plies.
#[test]
fn old_figures_of_the_cube_have_their_plies() {
    let rest = "0.5 0.1 0.0 0.1 0.0 0.1 0.2 0.5 0.1 0.0 0.1 0.0 0.1 0.3";
    for head in [
        "2C 0 1 0.000000",
        "-0.199879 -0.692673 1.000000 -0.199879 2C 0 1 0.000000",
    ] {
        let sgf = format!(
            "(;FF[4]GM[6]PW[a]PB[b]RU[Beaver:Jacoby];W[31hefe];B[double]DA[E {head} {rest}])"
        );
        let record = read_bytes(sgf.as_bytes(), "x.sgf").unwrap();
        let analysis = record.analyses.of(0, 1).unwrap();
        assert_eq!(
            analysis.cube.as_ref().unwrap().level,
            "2-ply cubeful",
            "{sgf}"
        );
    }
}

/// Every skipped analysis causes a warning.
#[test]
fn figures_in_match_winning_chances_cause_a_warning() {
    let text = include_str!("../../../../../tests/fixtures/positions/gnubg.txt");
    let is_warned = |text: &str| {
        let record = read_bytes(text.as_bytes(), "x.txt").unwrap();
        messages(&record).iter().any(|one| one.contains("mwc off"))
    };
    assert!(!is_warned(text));
    let row = "    1. Cubeful 0-ply    24/23 13/9                   MWC:  49.96%";
    assert!(is_warned(&format!("{text}\n{row}\n")));
}
