//! The dialects of each family of writers.

use super::*;
use crate::game::{CubeOwner, Player, Position};
use crate::match_file::write::Target;

#[test]
fn gnubg() {
    let record = fixture("gnubg.mat");
    assert_eq!(messages(&record), [""; 0]);
    assert_eq!(record.players, ["Anna Berg", "Ben Cole"]);
    assert_eq!(
        (record.length, record.format, record.encoding),
        (3, "mat", "UTF-8")
    );
    assert_eq!(
        record.tags[1],
        ("Event".to_owned(), "Thursday club".to_owned())
    );
    assert_eq!(
        story(&record, 0),
        [
            "R 31 8/5 6/5",
            "L 42 8/4 6/4",
            "R 65 24/13",
            "L doubles 2",
            "R takes",
            "L 61 13/7 8/7",
            "R 55 13/8(4)",
            "L 21 13/11 6/5",
            "R doubles 4",
            "L drops"
        ]
    );
    assert_eq!(result(&record, 0), Some((Player::Right, 2)));
    assert_eq!(record.games[0].events[0].line, 8);
    let second = &record.games[1];
    assert_eq!((second.score, second.crawford), ([0, 2], true));
    assert_eq!(
        story(&record, 1),
        [
            "L 64 24/18 13/9",
            "R 61 13/7* 8/7",
            "L 62 bar/23 13/7",
            "R 66 24/18*(2) 13/7(2)",
            "L 66 (no play)",
            "L resigns"
        ]
    );
    assert_eq!(record.final_score(), [0, 3]);
    assert!(record.games.iter().all(|game| record.is_complete(game)));
}

#[test]
fn galaxy() {
    let record = fixture("galaxy.txt");
    assert_eq!(messages(&record), [""; 0]);
    let first = story(&record, 0);
    assert_eq!(first[2], "L 61 13/7* 8/7", "the star was not written");
    assert_eq!(first[4], "L 11 24/22(2)");
    assert_eq!(first[5..7], ["R doubles 2", "L takes"]);
    assert_eq!(first.last().unwrap(), "R resigns");
    assert_eq!(result(&record, 0), Some((Player::Left, 2)));
    assert_eq!(story(&record, 1)[1..], ["L doubles 2", "R drops"]);
    assert_eq!(record.final_score(), [3, 0]);
}

#[test]
fn studio() {
    let record = fixture("studio.txt");
    assert_eq!(messages(&record), [""; 0]);
    assert_eq!(record.players, ["Łukasz", "Zoë"]);
    assert_eq!(
        story(&record, 0)[4..],
        [
            "L 65 14/3",
            "R 52 8/1*",
            "L 66 (no play)",
            "R 44 24/16(2)",
            "L 33 (no play)",
            "R doubles 2",
            "L takes",
            "R 62 16/14 16/10",
            "L 41 hidden",
            "L resigns"
        ]
    );
    assert_eq!(result(&record, 0), Some((Player::Right, 4)));
    let decisions = record.decision_states(&record.games[0]);
    let last = &decisions[decisions.len() - 1];
    assert_eq!((last.state.cube, last.state.owner), (2, CubeOwner::Mover));
}

#[test]
fn extreme_gammon_text() {
    let record = fixture("xg.txt");
    assert_eq!(messages(&record), [""; 0]);
    assert_eq!(record.players, ["Mia Lund", "Otto Rask"]);
    let first = story(&record, 0);
    assert_eq!(
        first[2..5],
        ["L 62 24/18 13/11*", "R 52 bar/23 13/8", "L 43 18/11"]
    );
    assert_eq!(
        story(&record, 1),
        ["R 51 13/8 6/5", "L 62 hidden", "L resigns"]
    );
    assert_eq!(record.final_score(), [1, 1]);
}

#[test]
fn gamesgrid() {
    let record = fixture("gamesgrid.txt");
    assert_eq!(record.players, ["raven", "oslo9"]);
    let tag = |key: &str| {
        record
            .tags
            .iter()
            .find(|(name, _)| name == key)
            .map(|tag| &*tag.1)
    };
    assert_eq!(tag("Player 1 Elo"), Some("1601"));
    assert_eq!(tag("Player 2 Elo"), Some("1544"));
    assert_eq!(
        story(&record, 0),
        [
            "R 31 8/5 6/5",
            "L 62 24/18 13/11",
            "R 61 13/7* 8/7",
            "L 66 (no play)",
            "R 11 24/23(2) 6/5(2)",
            "L 22 bar/23 24/22 13/11(2)",
            "R doubles 2",
            "L drops"
        ]
    );
    // The file breaks off in the middle of a cell.
    assert_eq!(story(&record, 1).len(), 3);
    assert_eq!(result(&record, 1), None);
    assert!(!record.is_complete(&record.games[1]));
    assert_eq!(
        messages(&record),
        [
            "14:6: game 2: the game breaks off here: expected its result",
            "14:34: game 2, row 2, raven: '4' is not understood",
        ]
    );
}

/// Two checkers to bear off against a closed race, from a set position.
fn bearoff(rows: &[&str]) -> Match {
    let mut text = vec!["; Set Pos=-B----------------------b-/1"];
    text.extend(rows);
    one_game(3, &text)
}

#[test]
fn set_positions_and_forced_plays() {
    let record = bearoff(&["  1) 21:                        65: ", "      Wins 1 point"]);
    // The only legal play bears both checkers off.
    assert_eq!(story(&record, 0), ["L 21 1/off(2)"]);
    assert_eq!(result(&record, 0), Some((Player::Left, 1)));
    let start = &record.games[0].start;
    assert_eq!((start.mover.at(1), start.opponent.at(1)), (2, 2));
    assert!(messages(&record)[0].contains("starts from a set position"));
    assert!(messages(&record)[1].contains("the game is over"));
}

#[test]
fn a_roll_without_a_play_though_several_are_legal() {
    // At the end it is a resignation, in the middle a missing play.
    let record = one_game(
        5,
        &["  1) 31:                        ", "      Wins 1 point"],
    );
    assert_eq!(story(&record, 0), ["L 31 hidden", "R resigns"]);
    let record = one_game(5, &["  1) 31:                        62: 24/18 13/11"]);
    assert_eq!(story(&record, 0), ["L 31 hidden", "R 62 24/18 13/11"]);
    assert!(messages(&record)[0].starts_with("5:6: game 1, row 1, anna: what was played"));
}

#[test]
fn a_roll_without_a_play_is_of_the_player_in_whose_column_it_stands() {
    let record = one_game(
        7,
        &[
            "  1) 31: 8/5 6/5                 42: 8/4 6/4",
            "  2) 61: 13/7 8/7",
            "  3) 52:                         64: 13/3",
        ],
    );
    // The play is not attributed to the right player, whose preceding roll is missing.
    assert_eq!(story(&record, 0)[2..], ["L 61 13/7 8/7"]);
    let expected = "6:6: game 1, row 2, ben: the roll is missing; the rest of the game is not read";
    assert_eq!(messages(&record)[0], expected);
}

/// In match text, only the first double shows automatic doubles.
#[test]
fn a_first_double_to_four_follows_an_automatic_one() {
    let rows = [
        "  1) 31: 8/5 6/5                 Doubles => 4",
        "  2)  Takes                      62: 24/18 13/11",
        "      Wins 4 points",
    ];
    let money = one_game(0, &rows);
    let warnings = messages(&money);
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].ends_with("the game begins with a cube of 2, by automatic doubles"));
    assert_eq!(
        (money.games[0].cube, &*story(&money, 0)[1]),
        (2, "R doubles 4")
    );
    assert_eq!(result(&money, 0), Some((Player::Left, 4)));
    let in_a_match = one_game(7, &rows);
    assert_eq!(in_a_match.games[0].cube, 1);
    assert!(messages(&in_a_match)[0].ends_with("doubles to 4, expected 2"));
}

#[test]
fn beavers_and_raccoons() {
    let record = one_game(
        0,
        &[
            "  1) 31: 8/5 6/5                 Doubles => 2",
            "  2)  Beavers => 4              62: 24/18 13/11",
            "  3)  Doubles => 8               Takes",
            "  4) 52: 13/8 6/4",
            "      Wins 16 points",
        ],
    );
    assert_eq!(messages(&record), [""; 0]);
    assert!(record.rules.beavers, "one was played");
    assert_eq!(
        story(&record, 0)[1..5],
        [
            "R doubles 2",
            "L beavers 4",
            "R 62 24/18 13/11",
            "L doubles 8"
        ]
    );
    assert_eq!(result(&record, 0), Some((Player::Left, 16)));
    let decisions = record.decision_states(&record.games[0]);
    assert_eq!(
        (decisions[6].state.cube, decisions[6].state.owner),
        (8, CubeOwner::Opponent)
    );
    let raccoon = one_game(
        0,
        &[
            "  1) 31: 8/5 6/5                 Doubles => 2",
            "  2)  Beavers => 4               Raccoons",
            "  3)                            62: 24/18 13/11",
            "  4)  Concedes                   Wins 8 points",
        ],
    );
    assert_eq!(messages(&raccoon), [""; 0]);
    assert_eq!(raccoon.decision_states(&raccoon.games[0])[5].state.cube, 8);
    assert_eq!(story(&raccoon, 0).last().unwrap(), "L resigns");
    // In the form of match text, and with a redundant answer.
    for third in ["Doubles => 8", "Beavers => 8", "Raccoons"] {
        let again = one_game(
            0,
            &[
                "  1) 31: 8/5 6/5                 Doubles => 2",
                &format!("  2)  Beavers => 4               {third}"),
                "  3)  Takes                     62: 24/18 13/11",
                "  4)  Concedes                   Wins 8 points",
            ],
        );
        assert_eq!(messages(&again), [""; 0], "{third}");
        assert_eq!(story(&again, 0), story(&raccoon, 0), "{third}");
    }
}

#[test]
fn a_beaver_counts_for_more_than_the_tag() {
    let read = |tag: &str, answer: &str| {
        lines(&[
            "; [Beaver \"Off\"]".replace("Off", tag).as_str(),
            " 0 point match",
            " Game 1",
            " anna : 0                       ben : 0",
            "  1) 31: 8/5 6/5                 Doubles => 2",
            answer,
        ])
    };
    let is_warned = |record: &Match| {
        let all = messages(record);
        all.iter().any(|one| one.contains("but there is a beaver"))
    };
    let beavered = read("Off", "  2)  Beavers => 4              62: 24/18 13/11");
    assert!(beavered.rules.beavers && is_warned(&beavered));
    let on = read("On", "  2)  Beavers => 4              62: 24/18 13/11");
    assert!(on.rules.beavers && !is_warned(&on));
    let taken = read("Off", "  2)  Takes                    62: 24/18 13/11");
    assert!(!taken.rules.beavers && !is_warned(&taken));
}

#[test]
fn scores_and_the_crawford_game() {
    let game = |number: u32, left: u16, right: u16, rows: &[&str]| {
        let mut text = vec![
            format!(" Game {number}"),
            format!(" anna : {left}                       ben : {right}"),
            "  1) 31: 8/5 6/5                62: 24/18 13/11".to_owned(),
        ];
        text.extend(rows.iter().map(|row| (*row).to_owned()));
        text.join("\n")
    };
    let left_wins = ["      Wins 1 point"];
    let right_wins = ["                                  Wins 1 point"];
    let games = [
        " 3 point match".to_owned(),
        game(1, 0, 0, &left_wins),
        game(2, 1, 0, &left_wins),
        game(3, 2, 0, &right_wins),
        game(4, 2, 1, &right_wins),
        // The score jumps: it is accepted with a warning.
        game(5, 2, 1, &[]),
        game(6, 3, 2, &[]),
    ];
    let games: Vec<&str> = games.iter().map(String::as_str).collect();
    let record = lines(&games);
    let crawford: Vec<bool> = record.games.iter().map(|game| game.crawford).collect();
    assert_eq!(crawford, [false, false, true, false, false]);
    assert_eq!(record.games.len(), 5, "the sixth is left out");
    let found = messages(&record).join("\n");
    assert!(
        found.contains("the score is 2-1, but 2-2 follows"),
        "{found}"
    );
    assert!(found.contains("the match is over at this score"), "{found}");
    // The fifth game has no result line, so the sixth score determines its result.
    assert_eq!(result(&record, 4), None, "both scores grew");
}

#[test]
fn a_missing_result_is_taken_from_the_next_score() {
    let record = lines(&[
        "5 point match",
        " Game 1",
        " anna : 0       ben : 0",
        "  1) 31: 8/5 6/5                62: 24/18 13/11",
        " Game 2",
        " anna : 0       ben : 2",
        "  1) 31: 8/5 6/5                62: 24/18 13/11",
    ]);
    assert_eq!(result(&record, 0), Some((Player::Right, 2)));
    assert_eq!(story(&record, 0).last().unwrap(), "L resigns");
    let warnings = messages(&record);
    assert_eq!(warnings.len(), 2);
    assert!(
        warnings[1].starts_with("7:33: game 2: the game breaks off"),
        "{warnings:?}"
    );
}

#[test]
fn a_double_in_the_crawford_game_means_there_is_no_such_rule() {
    let record = lines(&[
        "3 point match",
        " Game 1",
        " anna : 2                       ben : 0",
        "  1) 31: 8/5 6/5                 Doubles => 2",
        "  2)  Drops                      Wins 1 point",
    ]);
    assert!(!record.crawford && !record.games[0].crawford);
    assert!(messages(&record)[0].contains("Crawford"));
}

/// A record that begins late in a match may lack the Crawford game.
#[test]
fn a_double_after_games_that_are_missing_proves_nothing() {
    let record = lines(&[
        "; [Crawford \"On\"]",
        "7 point match",
        " Game 12",
        " anna : 6                       ben : 5",
        "  1) 31: 8/5 6/5                 Doubles => 2",
        "  2)  Drops                      Wins 1 point",
    ]);
    assert!(record.crawford && !record.games[0].crawford);
    assert_eq!(messages(&record), [""; 0]);
    // The same in SGF.
    let again = read_bytes(Target::Sgf.write(&record).as_bytes(), "x.sgf").unwrap();
    assert!(again.crawford && !again.games[0].crawford);
    assert_eq!(messages(&again), [""; 0]);
}

#[test]
fn the_next_score_tells_nothing_across_games_that_are_missing() {
    let record = lines(&[
        "7 point match",
        " Game 2",
        " anna : 4                       ben : 0",
        "  1) 31: 8/5 6/5                62: 24/18 13/11",
        "                                  Wins 2 points",
        " Game 4",
        " anna : 4                       ben : 3",
        "  1) 31: 8/5 6/5                62: 24/18 13/11",
        "      Wins 1 point",
    ]);
    assert_eq!(result(&record, 0), Some((Player::Right, 2)));
    assert_eq!(record.games[1].score, [4, 3]);
}

#[test]
fn real_names_in_tags_are_written_again() {
    let record = lines(&[
        "; [Player 1 \"Naoki Iketani\"]",
        "7 point match",
        " Game 1",
        " ipetani : 0                       ben : 0",
        "  1) 31: 8/5 6/5                62: 24/18 13/11",
        "      Wins 1 point",
    ]);
    assert_eq!(record.players[0], "ipetani");
    let text = Target::Mat.write(&record);
    assert!(text.contains("[Player 1 \"Naoki Iketani\"]"), "{text}");
    assert_eq!(Target::Mat.left_out(&record, &text), [""; 0]);
    let losses = Target::Sgf.left_out(&record, &Target::Sgf.write(&record));
    assert!(losses[0].contains("Player 1"), "{losses:?}");
}

/// A number far above the points won is an error. Match text does not repeat it, and a message says so.
#[test]
fn left_out_written_points_are_reported() {
    let mut record = lines(&[
        "7 point match",
        " Game 1",
        " anna : 0                          ben : 0",
        "  1) 31: 8/5 6/5                62: 24/18 13/11",
        "      Wins 1 point",
    ]);
    let losses = |record: &crate::match_file::Match| {
        Target::Mat.left_out(record, &Target::Mat.write(record))
    };
    assert_eq!(losses(&record), [""; 0]);
    record.games[0].points_written = Some(100);
    let lost = ["game 1: match text does not hold the points that were written"];
    assert_eq!(losses(&record), lost);
}

#[test]
fn columns_and_turns() {
    // Column and turn determine the side of a single cell.
    let record = one_game(
        5,
        &[
            "  1)                            31: 8/5 6/5",
            "  2) 62: 24/18 13/11            61: 13/7 8/7",
            "  3) 66:",
            "  4)                            42: 8/4 6/4",
        ],
    );
    let sides: String = story(&record, 0).iter().map(|s| &s[..1]).collect();
    assert_eq!(sides, "RLRLR");
    assert_eq!(
        messages(&record),
        ["8:33: game 1: the game breaks off here: expected its result"]
    );
    // A cell is missing: the columns are certain, so the game ends there.
    let record = one_game(
        5,
        &[
            "  1) 31: 8/5 6/5",
            "  2) 62: 24/18 13/11            61: 13/7 8/7",
        ],
    );
    let sides: String = story(&record, 0).iter().map(|s| &s[..1]).collect();
    assert_eq!(sides, "L");
    let expected = "5:6: game 1, row 1, ben: the roll is missing; the rest of the game is not read";
    assert_eq!(messages(&record)[0], expected);
}

/// The line of a score is recorded, wherever it is below the game line.
#[test]
fn a_warning_about_a_score_has_its_line() {
    let record = lines(&[
        "7 point match",
        " Game 1",
        " anna : 0            ben : 0",
        "  1) 31: 8/5 6/5     62: 24/18 13/11",
        "      Wins 1 point",
        " Game 2",
        "",
        "; a remark",
        " xena : 1            ben : 0",
        "  1) 31: 8/5 6/5",
    ]);
    let found = messages(&record);
    let names_xena = |message: &&String| message.contains("the name 'xena' differs");
    let warning = found.iter().find(names_xena);
    assert!(
        warning.is_some_and(|one| one.starts_with("9:1:")),
        "{found:?}"
    );
}

#[test]
fn names_that_are_empty_or_strange() {
    let record = lines(&[
        "; [Player 1 \"Frida\"]",
        "; [Player 2 \"\"]",
        "7 point match",
        " Game 1",
        " : 0                        : 0",
        "  1) 31: 8/5 6/5",
    ]);
    assert_eq!(record.players, ["Frida", "player 2"]);
    let long = format!(" {} : 0     b\u{1b}[31mx : 0", "n".repeat(5000));
    let record = lines(&["7 point match", " Game 1", &long, "  1) 31: 8/5 6/5"]);
    assert_eq!(record.players[0].chars().count(), 200);
    assert_eq!(record.players[1], "b[31mx");
}

/// Ben has blots on anna's 10 and 11, and the notation does not show which one 13/8 hit. Ben's next play,
/// with the remaining blot, does.
#[test]
fn hits_on_the_way_are_reconsidered_when_later_plays_need_it() {
    let set = "; Set Pos=-----E----aa-A----------b-/1";
    for (row, hit) in [
        (
            "  1) 32: 13/8                   51: 25/24 15/10",
            "L 32 13/11*/8",
        ),
        (
            "  1) 32: 13/8                   51: 25/24 14/9",
            "L 32 13/10*/8",
        ),
    ] {
        let record = one_game(5, &[set, row]);
        let story = story(&record, 0);
        assert_eq!((story.len(), &*story[0]), (2, hit));
        assert!(!messages(&record).join("").contains("not read"));
    }
}

#[test]
fn money_rules_come_from_tags() {
    let head = |tags: &[&str]| {
        let mut text = tags.to_vec();
        text.extend([
            "0 point match",
            " Game 1",
            " a : 0      b : 0",
            "  1) 31: 8/5 6/5",
        ]);
        let record = lines(&text);
        (record.rules.jacoby, record.rules.beavers)
    };
    assert_eq!(head(&[]), (false, false));
    assert_eq!(
        head(&["; [Jacoby \"On\"]", "; [Beaver \"on\"]"]),
        (true, true)
    );
    assert_eq!(head(&["; [Site \"eXtreme Gammon\"]"]), (true, false));
    assert_eq!(
        head(&["; [Site \"eXtreme Gammon\"]", "; [Jacoby \"Off\"]"]),
        (false, false)
    );
}

#[test]
fn a_summary_counts_what_the_contract_names() {
    let summary = MatchSummary::new(&fixture("gnubg.mat"));
    let json = serde_json::to_value(&summary).unwrap();
    assert_eq!(json["file"], serde_json::Value::Null);
    assert_eq!(
        json["players"],
        serde_json::json!(["Anna Berg", "Ben Cole"])
    );
    let board = Position::opening();
    assert_ne!(
        json["games"][0]["final_position_id"],
        crate::notation::position_id(&board)
    );
    let mut first = json["games"][0].clone();
    first["final_position_id"] = serde_json::Value::Null;
    assert_eq!(
        first,
        serde_json::json!({
            "game": 1, "score": [0, 0], "crawford": false, "rolls": 6, "doubles": 2, "takes": 1, "passes": 1,
            "winner": "right", "points": 2, "final_position_id": null, "complete": true
        })
    );
}
