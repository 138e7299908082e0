//! Results that differ from the board, the cube or the next score.

use super::*;
use crate::game::Player;
use crate::match_file::HeadCorrections;
use crate::match_file::write::Target;

/// The next score counts, with a warning if it is impossible on the cube or exceeds the written result.
#[test]
fn a_next_score_that_does_not_fit_the_result_causes_a_warning() {
    let is_warned = |result: &str, next: &str| {
        let record = lines(&[
            " 9 point match",
            " Game 1",
            " anna : 0                       ben : 0",
            "  1) 31: 8/5 6/5                 62: 24/18 13/11",
            "  2)  Doubles => 2                Takes",
            &format!("      Wins {result} points"),
            " Game 2",
            &format!(" anna : {next}                       ben : 0"),
            "  1) 31: 8/5 6/5                 62: 24/18 13/11",
        ]);
        assert_eq!(result_points(&record), next.parse::<u32>().ok());
        messages(&record)
            .iter()
            .any(|one| one.contains("the score counts"))
    };
    assert!(is_warned("2", "3") && is_warned("2", "8") && is_warned("2", "4"));
    assert!(!is_warned("2", "2") && !is_warned("4", "2"));
}

/// The same warning applies if both the result and the next score are impossible on the cube.
#[test]
fn an_impossible_result_causes_a_warning_even_if_the_next_score_repeats_it() {
    let warns = |cube: &str, points: u32| {
        let record = lines(&[
            " 7 point match",
            " Game 1",
            " anna : 0                       ben : 0",
            "  1) 31: 8/5 6/5                 62: 24/18 13/11",
            cube,
            &format!("      Wins {points} points"),
            " Game 2",
            &format!(" anna : {points}                       ben : 0"),
            "  1) 31: 8/5 6/5                 62: 24/18 13/11",
        ]);
        assert_eq!(result_points(&record), Some(points));
        let all = messages(&record);
        all.iter().any(|one| one.contains("so it counts"))
    };
    let doubled = "  2)  Doubles => 2                Takes";
    let single = "  2) 31: 6/5 24/21               62: 24/18 13/11";
    assert!(warns(doubled, 3) && warns(single, 5));
    assert!(!warns(doubled, 2) && !warns(doubled, 4) && !warns(doubled, 6) && !warns(single, 3));
}

fn result_points(record: &Match) -> Option<u32> {
    result(record, 0).map(|(_, points)| points)
}

/// Points of the next score that no pass gives were won on the doubled cube: adding a pass would be wrong.
#[test]
fn a_double_without_an_answer_was_taken_where_the_score_says_so() {
    let read = |won: u32| {
        lines(&[
            " 7 point match",
            " Game 1",
            " anna : 0                       ben : 0",
            "  1) 31: 8/5 6/5                62: 24/18 13/11",
            "  2)  Doubles => 2",
            &format!("      Wins {won} points"),
            " Game 2",
            &format!(" anna : {won}                       ben : 0"),
            "  1) 31: 8/5 6/5                62: 24/18 13/11",
        ])
    };
    for (won, end) in [(1, "R drops"), (2, "R resigns"), (4, "R resigns")] {
        let record = read(won);
        assert_eq!(result(&record, 0), Some((Player::Left, won)));
        assert_eq!(story(&record, 0).last().unwrap(), end);
        assert!(messages(&record)[0].contains("the answer to the last double is missing"));
        let text = Target::Json.write(&record);
        assert_eq!(Target::Json.left_out(&record, &text), [""; 0]);
    }
}

/// A player who resigns in the player's own column has lost, whatever follows.
#[test]
fn a_resignation_without_a_result_counts_the_cube() {
    let rows = [
        "  1) 31: 85 65                   62: 24 18 13 11",
        "  2) Resigns",
    ];
    let record = one_game(5, &rows);
    assert_eq!(result(&record, 0), Some((Player::Right, 1)));
    assert_eq!(
        story(&record, 0),
        ["L 31 8/5 6/5", "R 62 24/18 13/11", "L resigns"],
        "digits alone are plays"
    );
    let words = "no line says for how many points: the cube counts";
    assert!(
        messages(&record)[0].contains(words),
        "{:?}",
        messages(&record)
    );
}

#[test]
fn results_that_do_not_fit() {
    let record = one_game(
        5,
        &[
            "  1) 31: 8/5 6/5                62: ????",
            "      Wins 2008 points",
        ],
    );
    assert_eq!(result(&record, 0), Some((Player::Left, 5)));
    assert_eq!(record.games[0].points_written, Some(2008));
    assert!(messages(&record)[0].contains("2008"));
    // Fewer points than the winner needs may be right: cells may be missing.
    let record = one_game(
        25,
        &[
            "  1) 31: 8/5 6/5                62: 24/18 13/11",
            "      Wins 4 points",
        ],
    );
    assert_eq!(result(&record, 0), Some((Player::Left, 4)));
    // A double without an answer was passed, so the cube before it counts.
    let record = one_game(
        7,
        &[
            "  1) 31: 8/5 6/5                62: 24/18 13/11",
            "  2)  Doubles => 2",
            "      Wins 2 points",
        ],
    );
    assert_eq!(result(&record, 0), Some((Player::Left, 1)));
    assert_eq!(story(&record, 0).last().unwrap(), "R drops");
    let words = "it is read as a pass, which gives 1, though the result says 2";
    assert!(
        messages(&record)[0].contains(words),
        "{:?}",
        messages(&record)
    );
    // Unless these points end the match: then the missing answer was a take.
    let record = one_game(
        2,
        &[
            "  1) 31: 8/5 6/5                62: 24/18 13/11",
            "  2)  Doubles => 2",
            "      Wins 2 points and the match",
        ],
    );
    assert_eq!(result(&record, 0), Some((Player::Left, 2)));
    assert_eq!(story(&record, 0).last().unwrap(), "R resigns");
    // The board and the cube show a gammon; the server wrote the points needed.
    let record = lines(&[
        " 3 point match",
        "; Set Pos=-B----------------------o-/1",
        " Game 1",
        " anna : 1        ben : 0",
        "  1) 21:",
        "      Wins 2 points and the match",
    ]);
    assert_eq!(result(&record, 0), Some((Player::Left, 2)));
}

/// An excessive result in a file does not end the written match.
#[test]
fn a_match_that_is_not_won_is_not_called_so() {
    let record = lines(&[
        " 7 point match",
        " Game 1",
        " anna : 5        ben : 0",
        "  1) 31: 8/5 6/5                62: 24/18 13/11",
        "  2)  Doubles => 2               Drops",
        "      Wins 2 points",
    ]);
    assert_eq!(result(&record, 0), Some((Player::Left, 1)));
    let text = crate::match_file::write::Target::Mat.write(&record);
    assert!(text.contains("Wins 2 points\n"), "{text}");
}

/// In a game that breaks off, too, nobody wins more points than needed, or than a cube can give.
#[test]
fn a_result_of_a_game_that_breaks_off_has_bounds() {
    for (length, points) in [(3, 3), (0, 3 * 1024)] {
        let text = format!(
            " {length} point match\n\n Game 1\n A : 0                      B : 0\n  \
             1) 42: 8/3 6/4                 65: 24/18 23/18\n      Wins 999999999 points\n"
        );
        let record = read_bytes(text.as_bytes(), "m.mat").unwrap();
        assert_eq!(record.games[0].result.unwrap().points, points);
        let is_warned = record
            .warnings
            .iter()
            .any(|one| one.message.contains("read as"));
        assert!(is_warned, "{:?}", record.warnings);
    }
}

/// Left wins gammons without a double, followed by these scores; `tags` precede the session.
fn gammons(tags: &str, scores: &[u32]) -> Match {
    let mut text = vec![tags.to_owned(), " 0 point match".to_owned()];
    let begins = std::iter::once(&0).chain(scores);
    for (number, begin) in (1..).zip(begins) {
        let is_last = number > scores.len();
        let start = "; Set Pos=XGID=-B----------------------o-:0:0:1:00:0:0:0:0:10".to_owned();
        text.extend((!is_last).then_some(start));
        text.push(format!(" Game {number}"));
        text.push(format!(" anna : {begin}                       ben : 0"));
        match is_last {
            true => text.push("  1) 31: 8/5 6/5                 62: 24/18 13/11".to_owned()),
            false => text.extend(["  1) 21: 1/0 1/0", "      Wins 2 points"].map(str::to_owned)),
        }
    }
    read_bytes(text.join("\n").as_bytes(), "test.mat").unwrap()
}

fn gammon_and_next(tags: &str, next: u32) -> Match {
    gammons(tags, &[next])
}

/// GNU Backgammon writes no rules for a session; an undoubled gammon that counts once shows the Jacoby rule.
#[test]
fn the_jacoby_rule_follows_from_the_next_score() {
    for (tags, next, jacoby) in [
        ("", 1, true),
        ("", 2, false),
        ("; [Jacoby \"Off\"]", 1, true),
    ] {
        let record = gammon_and_next(tags, next);
        assert_eq!(record.rules.jacoby, jacoby, "{tags} {next}");
        assert_eq!(result_points(&record), Some(next));
        let names_rule = |one: &String| one.contains("the Jacoby rule is on");
        assert_eq!(messages(&record).iter().any(names_rule), jacoby);
    }
    // A single wrong score is ignored if other games count without the rule; consistent scores cause no
    // warning.
    assert!(!gammons("", &[1, 3, 5]).rules.jacoby);
    let record = gammons("", &[1, 2, 3]);
    assert!(record.rules.jacoby);
    let warnings = messages(&record);
    let is_slip = |one: &String| one.contains("the result says") || one.contains("follows");
    assert!(!warnings.iter().any(is_slip), "{warnings:?}");
    // An inconsistent score also causes a warning in money play.
    let record = gammon_and_next("; [Jacoby \"On\"]", 4);
    let warnings = messages(&record);
    assert!(
        warnings.iter().any(|one| one.contains("1-0 follows")),
        "{warnings:?}"
    );
}

#[test]
fn results_follow_a_corrected_rule() {
    let mut record = gammon_and_next("; [Jacoby \"On\"]", 1);
    let off = HeadCorrections {
        jacoby: Some(false),
        ..HeadCorrections::default()
    };
    off.apply_to(&mut record);
    assert_eq!(result_points(&record), Some(2));
    assert_eq!(record.games[1].score, [2, 0], "it followed from the result");
    let text = Target::Json.write(&record);
    assert_eq!(Target::Json.left_out(&record, &text), [""; 0]);
}

/// The second cell of a row is the right player's, but GNU Backgammon writes a win of the left player there.
#[test]
fn a_result_after_a_roll_stands_in_its_column() {
    let win = |gap: usize| one_game(3, &[&format!("  1) 62:{}Wins 3 points", " ".repeat(gap))]);
    assert_eq!(result(&win(7), 0), Some((Player::Left, 3)));
    assert_eq!(result(&win(25), 0), Some((Player::Right, 3)));
}

#[test]
fn a_crawford_game_is_one_by_its_score() {
    let game = |number: u32, score: [u32; 2]| {
        let [ws, bs] = score;
        format!(
            "(;FF[4]GM[6]MI[length:3][game:{number}][ws:{ws}][bs:{bs}]PW[a]PB[b]RU[Crawford:CrawfordGame]RE[W+1];W[31hefe])"
        )
    };
    let sgf = [game(0, [0, 0]), game(1, [2, 0]), game(2, [2, 1])].concat();
    let record = read_bytes(sgf.as_bytes(), "x.sgf").unwrap();
    let flags: Vec<bool> = record.games.iter().map(|game| game.crawford).collect();
    assert_eq!(flags, [false, true, false]);
    let warnings = messages(&record);
    let warnings = warnings.iter().filter(|one| one.contains("it cannot be"));
    assert_eq!(warnings.count(), 2);
}

/// GNU Backgammon writes the opening roll before a set-up position that has the same player to roll.
#[test]
fn a_set_up_position_with_the_same_roller_completes_no_roll() {
    let sgf = "(;FF[4]GM[6]MI[length:9][game:0][ws:2][bs:8]PW[a]PB[b]RU[Crawford:CrawfordGame];PL[B]DI[32];\
               PL[B]AE[a:y]AW[a][f][p][s][t]AB[x][v][q][o][n][n][k][j][i][h][e][e][e][e][b];B[32])";
    let record = read_bytes(sgf.as_bytes(), "x.sgf").unwrap();
    let warnings = messages(&record);
    assert!(
        !warnings.iter().any(|one| one.contains("illegal")),
        "{warnings:?}"
    );
    assert_eq!(record.games.len(), 2, "{warnings:?}");
}

/// Text that contains an XGID is read as a list of positions.
#[test]
fn a_name_with_an_id_is_written_without() {
    let mut record = one_game(3, &["  1) 31: 8/5 6/5"]);
    record.players[0] = "Anna XGID=x".to_owned();
    for target in [Target::Mat, Target::Text] {
        let text = target.write(&record);
        let again = read_bytes(text.as_bytes(), "again").unwrap();
        assert_eq!(again.players, ["Anna XGID x", "ben"]);
    }
}

/// A dance was omitted before a double: the columns of the double and its answer determine the doubler, not
/// the turn.
#[test]
fn a_double_out_of_turn_stays_in_its_column() {
    for (answer, end) in [("Drops", "L drops"), ("Takes", "L takes")] {
        let record = one_game(
            5,
            &[
                "  1) 31: 8/5 6/5                 42: 8/4 6/4",
                "  2)                              Doubles => 2",
                &format!("  3)  {answer}"),
                "                                  Wins 1 point",
            ],
        );
        assert_eq!(story(&record, 0)[2..4], ["R doubles 2", end]);
        assert_eq!(
            result(&record, 0).map(|(winner, _)| winner),
            Some(Player::Right)
        );
        let warning = &messages(&record)[0];
        assert!(warning.contains("ben: doubles out of turn"), "{warning}");
    }
    // Within one row the columns only show the order, and the result shows the winner.
    let record = one_game(
        5,
        &[
            "  1) 31: 8/5 6/5                 42: 8/4 6/4",
            "  2) 61: 13/7 8/7",
            "  3) Doubles => 2                Drops",
            "                                  Wins 1 point",
        ],
    );
    assert_eq!(story(&record, 0)[3..], ["R doubles 2", "L drops"]);
    // If the answer is in the same column, both are in the wrong column.
    let record = one_game(
        5,
        &[
            "  1) 31: 8/5 6/5                 42: 8/4 6/4",
            "  2)                              Doubles => 2",
            "  3)                              Drops",
        ],
    );
    assert_eq!(story(&record, 0)[2..], ["L doubles 2", "R drops"]);
}

/// A player who runs out of time or leaves has lost.
#[test]
fn a_game_may_end_by_the_clock() {
    for end in [
        "Timed out",
        "Lost on time",
        "Forfeits",
        "Time out",
        "Out of time",
        "TIMEOUT",
    ] {
        for rows in [
            [
                "  1) 31: 8/5 6/5                42: 8/4 6/4",
                &format!("  2)  {end}                     Wins 2 points"),
            ],
            [
                "  1) 31: 8/5 6/5                42: 8/4 6/4",
                &format!("  2)                             {end}"),
            ],
            [
                &format!("  1) 31: 8/5 6/5                42: {end}"),
                "      Wins 1 point",
            ],
        ] {
            let record = one_game(5, &rows);
            let is_right = rows[1].contains("points");
            let winner = if is_right {
                Player::Right
            } else {
                Player::Left
            };
            let warnings = messages(&record);
            assert_eq!(
                result(&record, 0).map(|(who, _)| who),
                Some(winner),
                "{rows:?}"
            );
            assert!(
                warnings.iter().all(|one| one.contains("the cube counts")),
                "{warnings:?}"
            );
            assert!(story(&record, 0).last().unwrap().ends_with("resigns"));
        }
    }
}

/// The final score may follow the last game, as numbers or with names. Any other score causes a warning.
#[test]
fn the_final_score_may_stand_at_the_end() {
    let warnings = |length: u16, line: &str| {
        let result = "                                  Wins 2 points and the match";
        let rows = [
            "  1) 31: 8/5 6/5                62: 24/18 13/11",
            "  2) 42: ????",
            result,
            line,
        ];
        let record = one_game(length, &rows);
        assert_eq!(record.games.len(), 1, "{line}");
        assert_eq!(record.final_score(), [0, 2]);
        messages(&record)
    };
    for line in [
        " anna : 0                       ben : 2",
        "Final score: anna 0, ben 2",
        "Match score 2-0",
        "ben wins the match 2-0",
    ] {
        assert_eq!(warnings(2, line), [""; 0], "{line}");
        assert_eq!(warnings(7, line), [""; 0], "{line}");
    }
    assert!(warnings(2, "Final score: anna 1, ben 2")[0].contains("is not understood"));
    assert!(warnings(2, " anna : 1                       ben : 2")[0].contains("but 0-2 follows"));
}
