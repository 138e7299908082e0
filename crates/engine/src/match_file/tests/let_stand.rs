//! Illegal plays: let stand, marked, or miswritten.

use super::round_trip::actions;
use super::*;
use crate::match_file::write::Target;
use crate::match_file::xg::build::{Lies, pack, records};

/// A game with an illegal play that was let stand (13/7 13/8 with 6-1, and the resulting board as a Snowie
/// line), and further turns.
pub(super) fn with_dump() -> Match {
    let after = "7;0;1;0;0;ben;anna;0;0;0;1;0;0;-2;0;0;0;0;5;0;3;0;0;0;-3;5;0;0;0;-4;-1;-5;0;0;0;0;2;0;3;1;";
    one_game(
        7,
        &[
            &format!("  1) 61: Illegal play ({after}) 31: 8/5 6/5"),
            "  2) 42: 8/4 6/4                 Doubles => 2",
            "  3)  Takes                      65: 13/7 13/8",
            "  4) 11: 8/7 7/6 6/5 6/5        62: ????",
            "      Wins 2 points",
        ],
    )
}

/// The games of a match, independent of the notation of plays.
fn all(record: &Match) -> Vec<impl PartialEq + std::fmt::Debug + use<>> {
    let games = record.games.iter();
    games
        .map(|game| (actions(record, game), game.score, game.result))
        .collect()
}

fn again(record: &Match, format: usize) -> Match {
    let bytes = match format {
        4 => pack(&records(record), Lies::default()),
        _ => {
            let targets = [Target::Mat, Target::Text, Target::Sgf, Target::Json];
            let text = targets[format].write(record);
            let left_out = targets[format].left_out(record, &text);
            assert!(
                !left_out.iter().any(|l| l.contains("game ")),
                "{left_out:?}"
            );
            text.into_bytes()
        }
    };
    read_bytes(&bytes, "again").unwrap()
}

#[test]
fn plays_after_an_illegal_one_survive_every_pair_of_formats() {
    let record = with_dump();
    let warnings = messages(&record);
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(
        warnings[0].ends_with("anna: an illegal play that was let stand"),
        "{warnings:?}"
    );
    assert_eq!(story(&record, 0)[0], "L 61 illegal: 13/8 13/7");
    assert_eq!(story(&record, 0).len(), 9);
    for first in 0..5 {
        let once = again(&record, first);
        assert_eq!(all(&once), all(&record), "{first}");
        for second in 0..5 {
            let twice = again(&once, second);
            assert_eq!(all(&twice), all(&record), "{first}, then {second}");
        }
    }
}

#[test]
fn a_position_that_no_play_leads_to_is_carried_through_every_format() {
    // Not reachable from the position before: only the board is kept.
    let far =
        "7;0;1;0;1;anna;ben;0;0;0;1;0;0;0;1;1;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;-2;-1;0;2;1;";
    let record = one_game(
        7,
        &[
            &format!("  1)                            25: Illegal play ({far})"),
            "  2) 21: 3/1 2/1                66: 2/off(2) 1/off",
            "                                  Wins 1 point",
        ],
    );
    assert_eq!(story(&record, 0)[0], "R 52 an illegal play");
    let warnings = messages(&record);
    assert!(
        warnings[0].contains("no play leads to the position"),
        "{warnings:?}"
    );
    assert_eq!(story(&record, 0).len(), 3, "{warnings:?}");
    assert!(record.is_complete(&record.games[0]));
    for format in 0..5 {
        assert_eq!(all(&again(&record, format)), all(&record), "{format}");
    }
}

/// The rows of a match before the tested ones.
const HEAD: [&str; 2] = [
    "  1) 31: 8/5 6/5                31: 8/5 6/5",
    "  2) 42: 8/4 6/4                64: 24/14",
];

fn after_head(rows: &[&str]) -> Match {
    one_game(7, &[&HEAD, rows].concat())
}

#[test]
fn a_play_is_read_as_the_one_that_what_follows_fits() {
    // No 6-2 leads from 24 to 17, but a checker later moves on from 16.
    let record = after_head(&[
        "  3) 62: 24/17                  65: 13/7 13/8",
        "  4) 42: 16/10                  61: 13/7 8/7",
    ]);
    assert_eq!(story(&record, 0)[4], "L 62 24/16");
    assert_eq!(story(&record, 0).len(), 8);
    let warnings = messages(&record);
    assert!(
        warnings[0].starts_with("7:6: game 1, row 3, anna: 62: 24/17: ")
            && warnings[0].ends_with("; read as 24/16: what follows fits nothing else"),
        "{warnings:?}"
    );
}

#[test]
fn a_play_stands_as_written_where_what_follows_fits_nothing_else() {
    // Three of four aces: after a fourth, the player would have no checker on the 3 or the 2 for the next
    // play.
    let record = lines(&[
        " 3 point match",
        "; Set Pos=-BAB---------------bb-----/1",
        " Game 1",
        " anna : 0                       ben : 0",
        "  1) 11: 3/2 1/off(2)           21: 6/4 6/5",
        "  2) 32: 3/off 2/off            21: 5/4 4/2",
        "  3) 61: 2/off",
        "      Wins 1 point",
    ]);
    let warnings = messages(&record);
    assert_eq!(
        story(&record, 0)[0],
        "L 11 illegal: 3/2 1/off(2)",
        "{warnings:?}"
    );
    assert_eq!(story(&record, 0).len(), 5, "{warnings:?}");
    assert!(
        warnings[1].contains("an illegal play that was let stand: 11: 3/2 1/off(2)"),
        "{warnings:?}"
    );
    assert!(
        warnings[1].ends_with("what follows fits nothing else"),
        "{warnings:?}"
    );
    assert!(record.is_complete(&record.games[0]));
    for format in 0..5 {
        assert_eq!(all(&again(&record, format)), all(&record), "{format}");
    }
}

#[test]
fn a_play_that_several_readings_fit_is_not_guessed() {
    // 13/7 8/7 or 13/6: no later play decides.
    let record = after_head(&["  3) 61: 13/6 8/7               65: 13/7 13/8"]);
    assert_eq!(story(&record, 0).len(), 5);
    assert_eq!(story(&record, 0)[4], "L 61 hidden");
    assert!(messages(&record)[0].ends_with("the rest of the game is not read"));
}

#[test]
fn a_binary_match_goes_on_from_the_position_after_an_illegal_play() {
    const RECORD: usize = 2560;
    let whole = after_head(&[
        "  3) 61: 13/7 8/7               65: 13/7 13/8",
        "  4) 52: 13/8 6/4               66: 14/8 13/7(3)",
    ]);
    let mut bytes = records(&whole);
    let found = read_bytes(&pack(&bytes, Lies::default()), "x.xg").unwrap();
    assert_eq!(found.games[0].events.len(), whole.games[0].events.len());
    // The third roll of the left player becomes 5-1, whatever the play: records 0 and 1 are heads.
    let at = 6 * RECORD;
    bytes[at + 100..at + 104].copy_from_slice(&5i32.to_le_bytes());
    bytes[at + 2480..at + 2484].copy_from_slice(&2i32.to_le_bytes());
    let found = read_bytes(&pack(&bytes, Lies::default()), "x.xg").unwrap();
    let warnings = messages(&found);
    assert_eq!(
        found.games[0].events.len(),
        whole.games[0].events.len(),
        "{warnings:?}"
    );
    assert_eq!(story(&found, 0)[4], "L 51 illegal: 13/7 8/7");
    assert_eq!(story(&found, 0)[5..], story(&whole, 0)[5..]);
    assert!(
        warnings[0].contains("an illegal play that was let stand: 51: 13/7 8/7: "),
        "{warnings:?}"
    );
    // The steps were not entered, but the position was.
    for step in 0..8 {
        let at = at + 68 + 4 * step;
        bytes[at..at + 4].copy_from_slice(&[0; 4]);
    }
    let found = read_bytes(&pack(&bytes, Lies::default()), "x.xg").unwrap();
    assert_eq!(story(&found, 0)[4], "L 51 illegal: 13/7 8/7");
    // Without a possible position in the record, the next board is the result of the roll.
    bytes[at + 35..at + 61].fill(0);
    let found = read_bytes(&pack(&bytes, Lies::default()), "x.xg").unwrap();
    assert_eq!(story(&found, 0)[4], "L 51 illegal: 13/7 8/7");
    assert_eq!(found.games.len(), 1);
}

#[test]
fn losses_of_a_format_are_reported() {
    let mut record = with_dump();
    record.tags.push(("Shop".to_owned(), "none".to_owned()));
    record.comments.push(Comment {
        game: 0,
        event: Some(1),
        text: "well played".to_owned(),
    });
    record.players = ["anna: b".to_owned(), "ben".to_owned()];
    let left_out = |target: Target| target.left_out(&record, &target.write(&record)).join("\n");
    assert_eq!(
        left_out(Target::Mat),
        "the name 'anna: b' is written as 'anna b'\nmatch text does not hold: remark × 1"
    );
    assert_eq!(left_out(Target::Sgf), "SGF does not hold these tags: Shop");
    assert_eq!(left_out(Target::Json), "");
    // A text that lacks recorded events is detected.
    let text = Target::Mat.write(&record);
    let cut = text.replace("  3)  Takes", "  3)  Drops");
    let left_out = Target::Mat.left_out(&record, &cut).join("\n");
    assert!(
        left_out.contains("game 1: match text does not hold the last 5 of its 9 actions"),
        "{left_out}"
    );
}

/// Transcribers write the word after a play that was let stand; the play is read as without it.
#[test]
fn a_play_may_be_marked_as_illegal() {
    let game = |marked: &str| {
        one_game(
            5,
            &[
                "  1) 31: 8/5 6/5                42: 8/4 6/4",
                &format!("  2) 65: 24/13                  61: {marked}"),
                "  3) 43: 13/10 13/9             62: 22/16 13/11",
                "  4)  Doubles => 2              Drops",
                "      Wins 1 point",
            ],
        )
    };
    let plain = game("13/7 24/22");
    assert_eq!(story(&plain, 0)[3], "R 61 illegal: 24/22 13/7");
    for mark in ["ILLEGAL?", "illegal", "(illegal!)", " Illegal."] {
        let record = game(&format!("13/7 24/22 {mark}"));
        assert_eq!(story(&record, 0), story(&plain, 0), "{mark}");
        assert_eq!(messages(&record), messages(&plain), "{mark}");
    }
}
