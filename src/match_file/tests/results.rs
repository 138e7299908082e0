//! Results that differ from what the board, the cube or the next score says.

use super::*;
use crate::game::Player;
use crate::match_file::write::Target;

/// The next score counts, but a slip of it is told: what no game on the cube gives, or more than the result says.
#[test]
fn a_next_score_that_does_not_fit_the_result_is_told() {
    let told = |result: &str, next: &str| {
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
    assert!(told("2", "3") && told("2", "8") && told("2", "4"));
    assert!(!told("2", "2") && !told("4", "2"));
}

fn result_points(record: &Match) -> Option<u32> {
    result(record, 0).map(|(_, points)| points)
}

/// What the next score gives and no drop does was won on the doubled cube: no drop is made up, which would be an error.
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

/// A player who resigns in the own column has lost, whatever is written behind it.
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
    let told = "no line says for how many points: the cube counts";
    assert!(
        messages(&record)[0].contains(told),
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
    // What is less than the winner needs may be right: cells may be missing.
    let record = one_game(
        25,
        &[
            "  1) 31: 8/5 6/5                62: 24/18 13/11",
            "      Wins 4 points",
        ],
    );
    assert_eq!(result(&record, 0), Some((Player::Left, 4)));
    // A double without an answer was passed, so the cube before it is what was lost.
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
    let told = "it is read as a pass, which gives 1, though the result says 2";
    assert!(
        messages(&record)[0].contains(told),
        "{:?}",
        messages(&record)
    );
    // Unless that many end the match: then the answer that is missing was a take.
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
    // Gammon and cube are found on the board; the server wrote what was needed.
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

/// What a file says too much of does not end a match that is written again.
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

/// Nobody wins more than he needs, nor more than a cube can give, in a game that breaks off either.
#[test]
fn a_result_of_a_game_that_breaks_off_has_bounds() {
    for (length, points) in [(3, 3), (0, 3 * 1024)] {
        let text = format!(
            " {length} point match\n\n Game 1\n A : 0                      B : 0\n  \
             1) 42: 8/3 6/4                 65: 24/18 23/18\n      Wins 999999999 points\n"
        );
        let record = read_bytes(text.as_bytes(), "m.mat").unwrap();
        assert_eq!(record.games[0].result.unwrap().points, points);
        let told = record
            .warnings
            .iter()
            .any(|one| one.message.contains("read as"));
        assert!(told, "{:?}", record.warnings);
    }
}
