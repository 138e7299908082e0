//! The head of a file, and its remarks.

use super::*;
use crate::game::Player;
use crate::match_file::text::{LONGEST_REMARK, REMARK_CUT};
use crate::match_file::write::Target;

fn tagged(tags: &[&str], length: u16) -> Match {
    let mut text: Vec<String> = tags.iter().map(|tag| format!("; {tag}")).collect();
    let rest = [
        &format!(" {length} point match"),
        " Game 1",
        " anna : 0        ben : 0",
        "  1) 31: 8/5 6/5",
    ];
    text.extend(rest.map(str::to_owned));
    read_bytes(text.join("\n").as_bytes(), "x.mat").unwrap()
}

fn tag<'a>(record: &'a Match, key: &str) -> Option<&'a str> {
    let found = record.tags.iter().find(|(k, _)| k == key);
    found.map(|(_, value)| value.as_str())
}

#[test]
fn tags_switch_rules_on_and_off() {
    for (value, on) in [("On", true), ("yes", true), ("1", true), ("TRUE", true)] {
        let record = tagged(&[&format!("[Jacoby \"{value}\"]")], 0);
        assert_eq!(record.rules.jacoby, on, "{value}");
    }
    for (value, warns) in [
        ("off", false),
        ("No", false),
        ("false", false),
        ("0", false),
        ("", false),
        ("sometimes", true),
    ] {
        let record = tagged(&[&format!("[Crawford \"{value}\"]")], 5);
        // An unknown value leaves the rule at its default.
        assert_eq!(record.crawford, warns || value.is_empty(), "{value}");
        let words = "'sometimes' is no value of the tag Crawford: the rule is on";
        let found = messages(&record).iter().any(|m| m.ends_with(words));
        assert_eq!(found, warns, "{value}");
    }
}

#[test]
fn ratings_and_dates_pass_between_formats() {
    let record = tagged(
        &[
            "[Player 1 Elo \"1955.94/281\"]",
            "[Player 2 Elo \"1601\"]",
            "[EventDate \"1981\"]",
        ],
        5,
    );
    let text = Target::Sgf.write(&record);
    assert!(text.contains("DT[1981]WR[1955.94/281]BR[1601]"), "{text}");
    assert_eq!(Target::Sgf.left_out(&record, &text), [""; 0]);
    let again = read_bytes(text.as_bytes(), "x.sgf").unwrap();
    assert_eq!(tag(&again, "Player 1 Elo"), Some("1955.94/281"));
    assert_eq!(tag(&again, "Player 2 Elo"), Some("1601"));
    // An ambiguous date is left out and reported.
    let record = tagged(&["[EventDate \"12/25/23\"]"], 5);
    let text = Target::Sgf.write(&record);
    assert!(!text.contains("DT["), "{text}");
    let lost = ["SGF does not hold these tags: EventDate"];
    assert_eq!(Target::Sgf.left_out(&record, &text), lost);
}

/// A tag that a format stores in other words is not reported as missing.
#[test]
fn a_tag_that_is_written_otherwise_is_reported_with_both_values() {
    let mut record = tagged(&[], 5);
    let event = ("Event".to_owned(), "Club 1, \"open\"".to_owned());
    record.tags.push(event);
    let text = Target::Mat.write(&record);
    let loss = "the Event 'Club 1, \"open\"' is written as 'Club 1, 'open''";
    assert_eq!(Target::Mat.left_out(&record, &text), [loss]);
}

#[test]
fn remarks_keep_their_lines_and_are_cut_with_a_warning() {
    let long = "x".repeat(LONGEST_REMARK + 1);
    let record = tagged(&[&long], 5);
    let expected = format!("1:1: {REMARK_CUT}");
    let warnings = messages(&record);
    assert!(warnings.contains(&expected), "{warnings:?}");
    assert_eq!(tag(&record, "Remark").map(str::len), Some(LONGEST_REMARK));
    let sgf = format!("(;GM[6]GC[{long}];W[31hefe]C[{long}])");
    let record = read_bytes(sgf.as_bytes(), "x.sgf").unwrap();
    let cut = messages(&record);
    let cut = cut.iter().filter(|m| m.ends_with(REMARK_CUT)).count();
    assert_eq!(cut, 2, "{:?}", messages(&record));
    let json = format!(
        r#"{{"luckless":"match","version":1,"tags":[["Remark","{long}"]],"games":[{{"game":1,"score":[0,0],"actions":[]}}]}}"#
    );
    let record = read_bytes(json.as_bytes(), "x.json").unwrap();
    assert!(messages(&record).iter().any(|m| m.ends_with(REMARK_CUT)));
    // Several lines, longer than a name may be.
    let lines = format!("first\n\n{}\nlast", "y".repeat(1000));
    let mut record = tagged(&[], 5);
    record.tags.push(("Remark".to_owned(), lines.clone()));
    record
        .tags
        .push(("Remark".to_owned(), "another".to_owned()));
    for target in [Target::Mat, Target::Sgf, Target::Json] {
        let text = target.write(&record);
        assert_eq!(target.left_out(&record, &text), [""; 0], "{target:?}");
        let again = read_bytes(text.as_bytes(), "x").unwrap();
        if target == Target::Json {
            assert_eq!(tag(&again, "Remark"), Some(lines.as_str()));
        }
    }
}

#[test]
fn the_head_and_the_remarks_of_extreme_gammon() {
    use crate::match_file::xg::build::{Lies, pack, records};

    let mut bytes = records(&fixture("gnubg.mat"));
    let unrated = read_bytes(&pack(&bytes, Lies::default()), "x.xg").unwrap();
    assert_eq!(tag(&unrated, "Player 1 Elo"), None);
    for (at, elo) in [(104, 1955.94f64), (112, 1600.0)] {
        bytes[at..at + 8].copy_from_slice(&elo.to_le_bytes());
    }
    bytes[120..124].copy_from_slice(&281i32.to_le_bytes());
    let rated = read_bytes(&pack(&bytes, Lies::default()), "x.xg").unwrap();
    assert_eq!(tag(&rated, "Player 1 Elo"), Some("1955.94/281"));
    // A player without a rating has 1600 and no experience.
    assert_eq!(tag(&rated, "Player 2 Elo"), None);
}

#[test]
fn the_next_score_is_believed_before_the_column_of_a_result() {
    let game = |result: &[&str]| {
        let head = [" 5 point match", " Game 1", " anna : 0        ben : 0"];
        let rows = ["  1) 31: 8/5 6/5    62: 24/18 13/11", "  2) 42: ????"];
        let next = [" Game 2", " anna : 0        ben : 1", "  1) 31: 8/5 6/5"];
        let all: Vec<&str> = [&head[..], &rows, result, &next].concat();
        lines(&all)
    };
    for result in [&["      Wins 1 point"][..], &[]] {
        let record = game(result);
        let wanted = Some(GameResult {
            winner: Player::Right,
            points: 1,
        });
        assert_eq!(record.games[0].result, wanted);
        let warnings = messages(&record);
        let differs = |m: &String| m.contains("by the next score, but the result");
        assert_eq!(warnings.iter().any(differs), !result.is_empty());
        assert!(
            !warnings
                .iter()
                .any(|m| m.contains("follows from the games"))
        );
    }
}

#[test]
fn a_heading_does_not_hide_match_text() {
    let record = lines(&[
        "Mochy vs. Falafel",
        "",
        " 9 point match",
        " Game 1",
        " Mochy : 0        Falafel : 0",
        "  1) 31: 8/5 6/5        62: 24/18 13/11",
    ]);
    assert_eq!(record.players, ["Mochy", "Falafel"]);
    let refused = read_bytes(b"Mochy vs. Falafel\nGame 1.0-0\n", "x").unwrap_err();
    assert!(refused.to_string().contains("GamesGrid"));
}

#[test]
fn the_points_of_a_resignation_may_come_after_it() {
    let game = |end: &str| {
        let text = format!(
            "Score is 0-0 in a 5 point match.\nanna is X - ben is O\n\nX: (3 1) 8-5 6-5\n\
             O: (6 2) 1-7 12-14\nX: (4 2) 8-4 6-4\n{end}"
        );
        let record = read_bytes(text.as_bytes(), "f.txt").unwrap();
        record.games[0].result.map(|result| result.points)
    };
    assert_eq!(
        game("O: wants to resign.\nX: accepts.\nX: wins 2 points.\n"),
        Some(2)
    );
    assert_eq!(game("O: wants to resign.\nX: accepts.\n"), Some(1));
    assert_eq!(game("X: wins 2 points.\n"), Some(2));
}

#[test]
fn an_unknown_encoding_causes_a_warning() {
    let warnings = |label: &str| {
        let sgf = format!("(;GM[6]CA[{label}]PW[Ann];W[31hefe])");
        let record = read_bytes(sgf.as_bytes(), "x.sgf").unwrap();
        let warnings = messages(&record).into_iter();
        warnings
            .filter(|message| message.contains("CA["))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        warnings("cp437"),
        ["1:1: CA[cp437] is no known encoding: read as UTF-8"]
    );
    for known in ["UTF-8", "cp1251", "ISO-8859-1"] {
        assert!(warnings(known).is_empty());
    }
}
