//! Automatic doubles: a higher cube in the middle, because no player has doubled.

use super::*;
use crate::game::{Player, Position};
use crate::match_file::write::Target;
use crate::match_file::xg::build::{Lies, pack, records};

/// Size of an eXtreme Gammon record, in bytes.
const RECORD: usize = 2560;

/// A game in which Left bears off at once and wins a gammon, on a cube of 2 with this owner.
fn gammon(jacoby: &str, owner: i32) -> Match {
    let start = format!("; Set Pos=XGID=-B----------------------o-:1:{owner}:1:00:0:0:0:0:10");
    lines(&[
        &format!("; [Jacoby \"{jacoby}\"]"),
        " 0 point match",
        &start,
        " Game 1",
        " anna : 0        ben : 0",
        "  1) 21:",
        "      Wins 2 points",
    ])
}

/// Money play with or without the Jacoby rule: two turns of a first game, then `rest`.
fn two_turns(jacoby: &str, turned: &str, rest: &[&str]) -> Match {
    let rule = format!("; [Jacoby \"{jacoby}\"]");
    let second = format!("  2) 42: 8/4 6/4   {turned}");
    let begin = [
        &*rule,
        " 0 point match",
        " Game 1",
        " anna : 0                       ben : 0",
        "  1) 31: 8/5 6/5                62: 24/18 13/11",
        &second,
    ];
    lines(&[&begin, rest].concat())
}

#[test]
fn under_the_jacoby_rule_an_automatic_double_makes_no_gammon_count() {
    for (jacoby, owner, points) in [("On", 0, 2), ("On", 1, 4), ("On", -1, 4), ("Off", 0, 4)] {
        let record = gammon(jacoby, owner);
        let wanted = Some(GameResult {
            winner: Player::Left,
            points,
        });
        assert_eq!(record.games[0].result, wanted, "{jacoby} {owner}");
        for target in [Target::Mat, Target::Sgf, Target::Json] {
            let text = target.write(&record);
            let again = read_bytes(text.as_bytes(), "again").unwrap();
            assert_eq!(again.games[0].result, wanted, "{text}");
        }
    }
    // In that format, a cube in the middle at the start means automatic doubles.
    let record = gammon("On", 0);
    let again = read_bytes(&pack(&records(&record), Lies::default()), "x.xg").unwrap();
    assert_eq!(again.games[0].result, record.games[0].result);
}

/// A resignation cannot be a gammon either, unless a player has doubled.
#[test]
fn under_the_jacoby_rule_nobody_resigns_a_gammon_before_a_double() {
    let cube = "                               Doubles => 2\n  3)  Takes";
    for (jacoby, turned, points) in [("On", "", 1), ("Off", "", 3), ("On", cube, 3)] {
        let record = two_turns(jacoby, turned, &["      Wins 3 points"]);
        let cube = if turned.is_empty() { 1 } else { 2 };
        let result = record.games[0].result.unwrap();
        assert_eq!(result.winner, Player::Left, "{record:?}");
        assert_eq!(
            result.points,
            points,
            "{jacoby} {cube}: {:?}",
            messages(&record)
        );
        let is_read_otherwise = messages(&record)
            .iter()
            .any(|line| line.contains("read as 1"));
        assert_eq!(is_read_otherwise, points == 1);
    }
}

/// The next score counts, but causes a warning.
#[test]
fn gammon_points_against_the_jacoby_rule_cause_a_warning() {
    for (jacoby, is_warned) in [("On", true), ("Off", false)] {
        let rest = [
            "      Wins 2 points",
            " Game 2",
            " anna : 2                       ben : 0",
            "  1) 31: 8/5 6/5                62: 24/18 13/11",
        ];
        let record = two_turns(jacoby, "", &rest);
        assert_eq!(record.games[0].result.unwrap().points, 2);
        let words = "a result of 2 is more than a cube of 1 gives: the next score has it";
        let all = messages(&record);
        assert_eq!(
            all.iter().any(|line| line.contains(words)),
            is_warned,
            "{all:?}"
        );
    }
}

#[test]
fn a_double_in_a_match_to_one_point_causes_a_warning() {
    let record = one_game(
        1,
        &[
            "  1) 31: 8/5 6/5                 Doubles => 2",
            "  2)  Drops",
        ],
    );
    let all = messages(&record);
    assert!(
        all.iter().any(|line| line.contains("which has no cube")),
        "{all:?}"
    );
}

/// A money game with an automatic double, and its records.
fn doubled_game() -> (Match, Vec<u8>) {
    let mut record = one_game(
        0,
        &[
            "  1) 31: 8/5 6/5                62: 24/18 13/11",
            "  2) 42: 8/4 6/4                65: 24/13",
        ],
    );
    record.games[0].cube = 2;
    let bytes = records(&record);
    (record, bytes)
}

#[test]
fn a_board_of_extreme_gammon_that_differs_keeps_the_automatic_doubles() {
    let (record, mut bytes) = doubled_game();
    let found = read_bytes(&pack(&bytes, Lies::default()), "x.xg").unwrap();
    assert_eq!((found.games.len(), found.games[0].cube), (1, 2));
    // The play of the second roll was not entered; the next board determines it.
    let second = 3 * RECORD;
    bytes[second + 35..second + 61].fill(0);
    bytes[second + 68..second + 100].fill(0);
    let found = read_bytes(&pack(&bytes, Lies::default()), "x.xg").unwrap();
    assert_eq!((found.games.len(), found.games[0].cube), (1, 2));
    assert_eq!(story(&found, 0), story(&record, 0));
    // An inconsistent board in the middle of the game.
    let (_, mut bytes) = doubled_game();
    let third = 4 * RECORD;
    bytes.truncate(5 * RECORD);
    bytes.copy_within(2 * RECORD + 9..2 * RECORD + 35, third + 9);
    bytes[third + 35..third + 61].fill(0);
    let found = read_bytes(&pack(&bytes, Lies::default()), "x.xg").unwrap();
    let starts = found.games.iter().map(|g| (g.start, g.cube, g.owner));
    let start = (Position::opening(), 2, None);
    assert_eq!(starts.collect::<Vec<_>>(), [start, start]);
}

/// Records count the cube from 1 in every game, so automatic doubles also multiply an owned cube.
#[test]
fn automatic_doubles_count_for_a_cube_that_a_player_owns() {
    let (_, mut bytes) = doubled_game();
    bytes.truncate(3 * RECORD);
    for (written, value) in [(0i32, 2), (1, 4), (-1, 4), (2, 8)] {
        bytes[2 * RECORD + 108..2 * RECORD + 112].copy_from_slice(&written.to_le_bytes());
        let found = read_bytes(&pack(&bytes, Lies::default()), "x.xgp").unwrap();
        let state = found.positions[0].state;
        assert_eq!(state.cube, value, "{written}");
    }
}

#[test]
fn a_position_of_extreme_gammon_keeps_the_automatic_doubles() {
    let (_, bytes) = doubled_game();
    let found = read_bytes(&pack(&bytes[..3 * RECORD], Lies::default()), "x.xgp").unwrap();
    let state = found.positions[0].state;
    assert_eq!(
        (state.cube, state.owner),
        (2, crate::game::CubeOwner::Centred)
    );
}

/// Unequal dice decide who begins, and nobody doubles before them.
#[test]
fn an_impossible_first_action_causes_a_warning() {
    let are_warned = |rows: &[&str], words: &str| {
        let record = one_game(5, rows);
        let sgf = read_bytes(Target::Sgf.write(&record).as_bytes(), "x").unwrap();
        [record, sgf].map(|record| messages(&record).iter().any(|one| one.contains(words)))
    };
    let (dice, double) = ("begins with equal dice", "doubles before the first roll");
    let equal = ["  1) 33: 8/5(2) 6/3(2)            21: 13/11 6/5"];
    let early = [
        "  1)  Doubles => 2                Takes",
        "  2) 31: 8/5 6/5",
    ];
    let usual = ["  1) 31: 8/5 6/5                  33: 8/5(2) 6/3(2)"];
    assert_eq!(are_warned(&equal, dice), [true; 2]);
    assert_eq!(are_warned(&early, double), [true; 2]);
    assert_eq!(are_warned(&usual, dice), [false; 2]);
    assert_eq!(are_warned(&usual, double), [false; 2]);
}

/// GNU Backgammon writes doubles and results without automatic doubles; the scores include them.
#[test]
fn automatic_doubles_that_only_the_next_score_counts() {
    let game = |number: u32, score: [u32; 2], rows: [&'static str; 2]| {
        let [left, right] = score;
        let head = format!(" anna : {left}                       ben : {right}");
        let first = "  1) 31: 8/5 6/5                42: 8/4 6/4".to_owned();
        let [second, end] = rows.map(str::to_owned);
        vec![format!(" Game {number}"), head, first, second, end]
    };
    let dropped = [
        "  2)  Doubles => 2               Drops",
        "      Wins 1 point",
    ];
    let resigned = [
        "  2) 62: ????",
        "                                  Wins 1 point",
    ];
    let games = [
        game(1, [0, 0], dropped),
        game(2, [2, 0], dropped),
        game(3, [3, 0], dropped),
        game(4, [7, 0], resigned),
        game(5, [7, 1], dropped),
    ];
    let mut text = vec![" 0 point match".to_owned()];
    text.extend(games.into_iter().flatten());
    let record = read_bytes(text.join("\n").as_bytes(), "x.mat").unwrap();
    let cubes = record.games.iter().map(|game| game.cube);
    assert_eq!(cubes.collect::<Vec<_>>(), [1 << 1, 1, 1 << 2, 1, 1]);
    let won = (0..5).map(|game| result(&record, game).unwrap().1);
    assert_eq!(won.collect::<Vec<_>>(), [2, 1, 4, 1, 1]);
    assert_eq!(record.final_score(), [8, 1]);
    assert_eq!(story(&record, 2)[2], "L doubles 8");
    let warnings = messages(&record);
    let words = "it began with a cube of 4, by automatic doubles";
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert!(
        warnings[1].contains("game 3") && warnings[1].ends_with(words),
        "{warnings:?}"
    );
}

/// A score that no automatic doubles explain is wrong, and so is one in a match.
#[test]
fn a_score_that_automatic_doubles_do_not_explain_causes_a_warning() {
    for (length, next) in [(0, 3), (7, 2)] {
        let rows = "  1) 31: 8/5 6/5                42: 8/4 6/4";
        let record = lines(&[
            &format!(" {length} point match"),
            " Game 1",
            " anna : 0                       ben : 0",
            rows,
            "  2)  Doubles => 2               Drops",
            " Game 2",
            &format!(" anna : {next}                       ben : 0"),
            rows,
        ]);
        assert_eq!(
            (record.games[0].cube, result(&record, 0).unwrap().1),
            (1, 1)
        );
        let words = format!("the score is {next}-0, but 1-0 follows");
        assert!(messages(&record)[0].contains(&words));
    }
}
