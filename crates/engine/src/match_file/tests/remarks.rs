//! Remarks that people write in a match, and facts that programs omit from its head.

use super::*;
use crate::game::{Player, Position};
use crate::match_file::write::Target;

/// A sentence that begins like a match line is not a match line; neither is a heading above positions.
#[test]
fn a_heading_over_positions_is_no_match() {
    let id = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:3:6:0:11:10";
    for heading in [
        "11 point match, what is your play?",
        "11 point match",
        "7 point match",
    ] {
        for text in [
            format!("{heading}\n\n{id}\n"),
            format!("{heading}\n{id}\n{id}\n"),
        ] {
            let record = read_bytes(text.as_bytes(), "x.txt").unwrap();
            assert!(record.games.is_empty(), "{heading}");
            assert_eq!(record.positions.len(), text.matches("XGID").count());
        }
    }
}

/// Remarks between the lines cause warnings and are not carried out.
#[test]
fn remarks_that_look_like_match_text_are_reported() {
    let game = |remark: &str| {
        lines(&[
            " 7 point match",
            " Game 1",
            " anna : 0                       ben : 0",
            "  1) 31: 8/5 6/5                62: 24/18 13/11",
            remark,
            "  2) 42: 8/4 6/4                Doubles => 2",
            "  3) Drops",
            "                                Wins 1 point",
            " Game 2",
            " anna : 0                       ben : 1 (Crawford comes later)",
            "  1) 31: 8/5 6/5                62: 24/18 13/11",
        ])
    };
    let plain = game("");
    assert_eq!(
        (plain.games.len(), result(&plain, 0)),
        (2, Some((Player::Right, 1)))
    );
    for remark in [
        "I would double here",
        "Ben wins the race from here",
        "Clock 12:30",
        "Started 9:30 ended 9:45",
        "7 point matches are long, this one is short",
    ] {
        let record = game(remark);
        assert!(record.others.is_empty(), "{remark}");
        assert_eq!(record.games.len(), 2, "{remark}");
        assert_eq!(story(&record, 0), story(&plain, 0), "{remark}");
        assert_eq!(record.games[1].score, [0, 1], "{remark}");
        let warnings = messages(&record);
        assert!(
            warnings.iter().any(|warning| warning.starts_with("5:")),
            "{warnings:?}"
        );
    }
    // Two times of day above the first game are a remark; the last score is the result of the game.
    let record = lines(&[
        " 7 point match",
        "Started 9:30 ended 9:45",
        " Game 1",
        " anna : 0                       ben : 0",
        "  1) 31: 8/5 6/5                62: 24/18 13/11",
        " anna : 2                       ben : 0",
    ]);
    assert_eq!(record.players, ["anna", "ben"]);
    assert_eq!(result(&record, 0), Some((Player::Left, 2)));
    // Stray signs alone are a damaged row.
    assert_eq!(
        story(&game("  x) 65: 24/13"), 0)[..3],
        ["L 31 8/5 6/5", "R 62 24/18 13/11", "L 65 24/13"]
    );
    // A line that begins with a player's name is about that player.
    let record = lines(&[
        " 7 point match",
        " Game 1",
        " anna : 0                       ben : 0",
        "  1) 31: 8/5 6/5                62: 24/18 13/11",
        "anna wins 2 points",
    ]);
    assert_eq!(result(&record, 0).map(|(_, points)| points), Some(2));
}

#[test]
fn play_without_a_cube_causes_a_warning() {
    let sgf = "(;GM[6]AP[GNU Backgammon:1.08]MI[length:0][game:0][ws:0][bs:0]PW[a]PB[b]RU[NoCube];W[31hefe])";
    let warnings = messages(&read_bytes(sgf.as_bytes(), "x.sgf").unwrap());
    assert!(
        warnings
            .iter()
            .any(|warning| warning.contains("no cube is used")),
        "{warnings:?}"
    );
}

/// A missing rule means that a game is not the Crawford game only for programs that list all rules.
#[test]
fn the_crawford_game_follows_from_the_score_where_no_rule_names_it() {
    let is_crawford = |program: &str| {
        let sgf = format!(
            "(;GM[6]AP[{program}:1]MI[length:3][game:0][ws:2][bs:0]PW[a]PB[b]RU[Crawford];W[31hefe])"
        );
        read_bytes(sgf.as_bytes(), "x.sgf").unwrap().games[0].crawford
    };
    assert!(is_crawford("Another") && !is_crawford("GNU Backgammon"));
}

/// A remark is neither a set-up nor a tag, whatever its first words.
#[test]
fn a_remark_is_written_as_a_remark() {
    let mut record = one_game(3, &["  1) 31: 8/5 6/5"]);
    let text = "Set Pos=-b----E-C---dE---c-e---aB-/1\n  [Crawford \"Off\"]";
    record.tags.push(("Remark".to_owned(), text.to_owned()));
    let again = read_bytes(Target::Mat.write(&record).as_bytes(), "x.mat").unwrap();
    assert_eq!(again.games[0].start, Position::opening());
    assert!(again.crawford);
    let mut remarks = again.tags.iter().filter(|(key, _)| key == "Remark");
    assert!(remarks.any(|(_, remark)| remark.contains("Set Pos=")));
}

/// A standalone position has no game that contains the play made.
#[test]
fn the_play_made_in_a_position_is_kept() {
    let export = include_str!("../../../../../tests/fixtures/positions/gnubg.txt");
    let mut record = read_bytes(export.as_bytes(), "x.txt").unwrap();
    for made in [None, Some(1)] {
        if let Some(analysis) = &mut record.positions[0].analysis {
            analysis.played = made;
        }
        let json = Target::Json.write(&record);
        let again = read_bytes(json.as_bytes(), "x.json").unwrap();
        assert_eq!(again.positions[0].analysis, record.positions[0].analysis);
    }
}

/// A resignation without points is worth the cube.
#[test]
fn a_resignation_without_points_causes_a_warning() {
    let is_warned = |length: u16| {
        let text = format!(
            "Score is 0-0 in a {length} point match.\nanna is X - ben is O\n\nX: (3 1) 8-5 6-5\n\
             O: (6 2) 1-7 12-14\nO: wants to resign.\nX: accepts.\n"
        );
        let record = read_bytes(text.as_bytes(), "f.txt").unwrap();
        messages(&record)
            .iter()
            .any(|warning| warning.contains("the cube counts"))
    };
    assert!(is_warned(5) && !is_warned(1), "one point ends the other");
}
