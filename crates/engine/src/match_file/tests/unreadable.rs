//! Match text with a lost roll, a resignation written as a roll, or the players in reverse order.

use super::*;

/// A game of two good rows with `row` between them.
fn with_row(row: &str) -> Match {
    one_game(
        7,
        &[
            "  1) 31: 8/5 6/5                42: 8/4 6/4",
            row,
            "  3) 43: 13/9 13/10             62: 24/18 13/11",
            "  4) 21: 6/4 24/23              31: 8/5 6/5",
            "      Wins 1 point",
        ],
    )
}

const WAYS: [&str; 14] = [
    "6S:", "S5:", "65", "65;", "6 5:", "65 :", "651:", "6:", "07:", "69:", "lS:", "6-5:", "?5:", "",
];

#[test]
fn a_game_ends_at_a_roll_of_the_left_column_that_cannot_be_read() {
    for dice in WAYS {
        let cell = format!("{dice} 24/13").trim_start().to_owned();
        let record = with_row(&format!("  2) {cell:<28}61: 13/7 8/7"));
        let warnings = messages(&record);
        assert_eq!(
            story(&record, 0),
            ["L 31 8/5 6/5", "R 42 8/4 6/4"],
            "{warnings:?}"
        );
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(
            warnings[0].starts_with("6:6: game 1, row 2, anna: "),
            "{warnings:?}"
        );
        assert!(
            warnings[0].ends_with("the rest of the game is not read"),
            "{warnings:?}"
        );
        assert_eq!(result(&record, 0), Some((Player::Left, 1)), "{warnings:?}");
    }
}

#[test]
fn a_game_ends_at_a_roll_of_the_right_column_that_cannot_be_read() {
    for dice in WAYS {
        let cell = format!("{dice} 13/7 8/7").trim_start().to_owned();
        let record = with_row(&format!("  2) 65: 24/13                   {cell}"));
        let warnings = messages(&record);
        assert_eq!(story(&record, 0).len(), 3, "{dice}: {warnings:?}");
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(
            warnings[0].starts_with("6:34: game 1, row 2, ben: "),
            "{warnings:?}"
        );
    }
}

#[test]
fn a_game_ends_where_a_cell_is_lost() {
    let left = with_row("  2)                             61: 13/7 8/7");
    let warnings = messages(&left);
    assert_eq!(story(&left, 0).len(), 2, "{warnings:?}");
    assert!(
        warnings[0].starts_with("6:34: game 1, row 2, anna: the roll is missing"),
        "{warnings:?}"
    );
    let right = with_row("  2) 65: 24/13");
    let warnings = messages(&right);
    assert_eq!(story(&right, 0).len(), 3, "{warnings:?}");
    assert!(
        warnings[0].starts_with("6:6: game 1, row 2, ben: the roll is missing"),
        "{warnings:?}"
    );
}

/// A player who is closed out does not roll, and some programs write nothing then.
#[test]
fn a_closed_out_player_need_not_roll() {
    let record = lines(&[
        " 3 point match",
        "; Set Pos=aBBBBBBC-----------dddb---/1",
        " Game 1",
        " anna : 0                       ben : 0",
        "  1) 21: 7/5 7/6",
        "  2) 61: 7/1 6/5",
        "  3) 65: 6/off 5/off            11:",
    ]);
    let warnings = messages(&record);
    let sides: String = story(&record, 0).iter().map(|s| &s[..1]).collect();
    assert_eq!(sides, "LLLR", "{warnings:?}");
    let is_warned = warnings
        .iter()
        .any(|one| one.contains("plays twice in a row"));
    assert!(is_warned, "{warnings:?}");
}

#[test]
fn the_last_play_written_once_more_before_the_win_is_a_resignation() {
    // Legal or not, in either column.
    for play in ["14/9 24/21", "13/8 6/3"] {
        let rows = [
            "  1) 31: 8/5 6/5                42: 8/4 6/4".to_owned(),
            "  2) 65: 24/13                  64: 24/14".to_owned(),
            format!("  3) 64: 24/14                  53: {play}"),
            format!("  4) 53: {play}             Wins 2 points"),
        ];
        let record = one_game(7, &rows.each_ref().map(|row| &**row));
        let warnings = messages(&record);
        assert_eq!(story(&record, 0).len(), 7, "{warnings:?}");
        assert_eq!(story(&record, 0)[6], "L resigns");
        assert_eq!(result(&record, 0), Some((Player::Right, 2)));
        assert!(record.is_complete(&record.games[0]), "{warnings:?}");
        let expected =
            "8:6: game 1, row 4, anna: the last roll and play once more: it is a resignation";
        assert_eq!(warnings, [expected]);
    }
    let record = one_game(
        7,
        &[
            "  1) 31: 8/5 6/5                42: 8/4 6/4",
            "  2) 63: 24/15                  63: 24/15",
            "      Wins 1 point",
        ],
    );
    assert_eq!(story(&record, 0)[3], "R resigns");
    assert_eq!(result(&record, 0), Some((Player::Left, 1)));
    // The winner's own last roll is not a resignation.
    let record = one_game(
        7,
        &[
            "  1) 31: 8/5 6/5                42: 8/4 6/4",
            "  2) 63: 24/15                  63: 24/15",
            "                                 Wins 1 point",
        ],
    );
    assert_eq!(story(&record, 0)[3], "R 63 24/15");
}

#[test]
fn a_written_pass_stands_even_if_a_play_is_legal() {
    let game = |pass: &str, next: &str, then: &str| {
        one_game(
            7,
            &[
                "  1) 21: 24/23 24/22            31: 6/3*/2*",
                &format!("  2) 64: {pass:<24}65: 24/13"),
                &format!("  3) 53: {next:<24}61: 13/7 8/7"),
                &format!("  4) 62: {then:<24}43: 13/9 13/10"),
            ],
        )
    };
    for pass in ["Cannot Move", "Can't move", "no move"] {
        let record = game(pass, "Bar/20 Bar/22", "22/14");
        let warnings = messages(&record);
        assert_eq!(
            story(&record, 0)[2],
            "L 64 illegal: (no play)",
            "{warnings:?}"
        );
        assert_eq!(story(&record, 0)[4], "L 53 bar/22 bar/20", "{warnings:?}");
        let expected =
            format!("game 1, row 2, anna: an illegal play that was let stand: 64: {pass}: ");
        assert!(warnings[0].contains(&expected), "{warnings:?}");
    }
    // The later plays require a play where none was written.
    let record = game("Cannot Move", "Bar/20 21/18", "20/14 8/6");
    assert_eq!(
        story(&record, 0)[2],
        "L 64 bar/21",
        "{:?}",
        messages(&record)
    );
}

#[test]
fn columns_are_exchanged_where_the_names_are() {
    let text = |head: &str| {
        lines(&[
            " 7 point match",
            " Game 1",
            " anna : 0                       ben : 0",
            "  1) 31: 8/5 6/5                Doubles => 2",
            "  2) Drops                      Wins 1 point",
            " Game 2",
            head,
            "  1) 31: 8/5 6/5                42: 8/4 6/4",
            "  2) Doubles => 2               Drops",
            "      Wins 1 point",
            " Game 3",
            " anna : 0                       ben : 2",
            "  1) 31: 8/5 6/5                Doubles => 2",
            "  2) Takes",
        ])
    };
    for head in [
        " ben : 1                        anna : 0",
        "  Ben  : 1                       ANNA : 0",
    ] {
        let record = text(head);
        let warnings = messages(&record);
        assert_eq!(record.games[1].score, [0, 1], "{warnings:?}");
        let expected = ["R 31 8/5 6/5", "L 42 8/4 6/4", "R doubles 2", "L drops"];
        assert_eq!(story(&record, 1), expected, "{warnings:?}");
        assert_eq!(result(&record, 1), Some((Player::Right, 1)));
        assert!(
            warnings
                .iter()
                .any(|one| one.starts_with("7:1: game 2: the players stand")),
            "{warnings:?}"
        );
        assert!(
            head.contains("Ben") || !warnings.iter().any(|one| one.contains("differs")),
            "{warnings:?}"
        );
    }
}

#[test]
fn a_written_step_backwards_stands_as_an_illegal_play() {
    let record = one_game(
        5,
        &[
            "  1) 31: 8/5 6/5                42: 8/4 6/4",
            "  2) 65: 13/7 13/8 6/8          54: 13/8 13/9",
            "  3) 22: 8/6(4)                 31: 9/6 24/23",
        ],
    );
    let warnings = messages(&record);
    assert_eq!(story(&record, 0).len(), 6, "{warnings:?}");
    assert!(
        warnings[0].starts_with("6:22: game 1, row 2, anna: an illegal play"),
        "{warnings:?}"
    );
}

#[test]
fn several_plays_of_a_game_may_not_be_legal() {
    let rows = [
        "  1) 31: 8/5 6/5                31: 8/5 6/5",
        "  2) 42: 8/4 6/4                64: 24/14",
        "  3) 62: 24/17                  65: 13/7 13/8",
        "  4) 42: 16/10                  62: 24/17",
        "  5) 61: 10/4 6/5               42: 16/10",
    ];
    let record = one_game(7, &rows);
    let warnings = messages(&record);
    assert_eq!(story(&record, 0)[4], "L 62 24/16", "{warnings:?}");
    assert_eq!(story(&record, 0)[7], "R 62 24/16", "{warnings:?}");
    assert_eq!(story(&record, 0).len(), 10, "{warnings:?}");
}
