//! Files that are not matches, and matches with a broken line.

use super::*;
use crate::match_file::write::Target;

fn error(bytes: &[u8]) -> String {
    let message = read_bytes(bytes, "x.mat")
        .expect_err("no match")
        .to_string();
    assert!(
        !message.contains('\n') && message.starts_with("x.mat"),
        "{message}"
    );
    message
}

#[test]
fn files_with_no_match_in_them() {
    assert_eq!(error(b""), "x.mat: the file is empty");
    assert_eq!(error(b" \r\n\t "), "x.mat: the file is empty");
    assert!(error(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0").contains("binary"));
    assert!(error(b"Dear \x1b[2Jdiary,\ntoday").contains("it begins 'Dear [2Jdiary,'"));
    assert!(
        error(b"RGMH\x01\0\0\0")
            .contains("this is an eXtreme Gammon file (.xg), but the archive has no index")
    );
    assert!(error(b"(;FF[4]GM[6])").contains("there is no game in it: expected a tree with moves"));
    assert!(error(b"(;FF[4]GM[1])").contains("there is no game of backgammon"));
    assert!(error(b" 7 point match\n").starts_with("x.mat:1: the match has no game"));
    assert!(error(b" 7 point match\n Game 1\n  1) 31: 8/5 6/5\n").contains("no names"));
    let large = vec![b' '; LARGEST_FILE as usize + 1];
    assert!(error(&large).contains("too large"));
}

#[test]
fn paths_without_a_match_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let error_text = |path: &Path| read(path).expect_err("no match").to_string();
    assert!(error_text(folder.path()).contains("is a directory"));
    assert!(error_text(&folder.path().join("none.mat")).contains("cannot be read"));
    // A file of 100 MB is refused by its size alone.
    let large = folder.path().join("large.mat");
    File::create(&large).unwrap().set_len(100_000_000).unwrap();
    let start = std::time::Instant::now();
    assert!(error_text(&large).contains("too large"));
    assert!(start.elapsed().as_secs() < 10);
    let good = folder.path().join("good.mat");
    std::fs::write(&good, FIXTURES[0].1).unwrap();
    let record = read(&good).unwrap();
    assert_eq!(record.path.as_deref(), Some(&*good));
    assert!(
        MatchSummary::new(&record)
            .file
            .unwrap()
            .ends_with("good.mat")
    );
}

#[test]
fn an_illegal_play_cuts_the_game_and_nothing_else() {
    let text = String::from_utf8(FIXTURES[0].1.to_vec()).unwrap();
    let broken = text.replace("61: 13/7 8/7", "61: 13/6 8/7");
    let record = read_bytes(broken.as_bytes(), "x").unwrap();
    assert_eq!(
        messages(&record),
        [
            "11:6: game 1, row 4, Anna Berg: 61: 13/6 8/7: the play moves 8 pips, 6-1 is 7; \
             6-1 allows 24/23 24/18, 24/18 8/7, 24/18 6/5, 24/18 4/3 and 10 more; \
             the rest of the game is not read"
        ]
        .map(str::to_owned)
    );
    assert_eq!(
        story(&record, 0).len(),
        6,
        "the roll at fault is the last event"
    );
    assert_eq!(story(&record, 0)[5], "L 61 hidden");
    assert!(!record.is_complete(&record.games[0]));
    assert_eq!(
        record.games[0].result.unwrap().points,
        2,
        "the result still counts"
    );
    assert_eq!(story(&record, 1), story(&fixture("gnubg.mat"), 1));
}

#[test]
fn warnings_say_where_and_what_was_expected() {
    let first = |rows: &[&str]| messages(&one_game(5, rows)).remove(0);
    let row = "  1) 31: 8/5 6/5                ";
    assert_eq!(
        first(&["  1) 31: 8/5 6/x                62: 24/18 13/11"]),
        "5:16: game 1, row 1, anna: 31: 8/5 6/x: found 'x', expected a point from 1 to 24, bar or off; \
         the rest of the game is not read"
    );
    assert!(
        first(&[&format!("{row}07: 8/2")])
            .starts_with("5:33: game 1, row 1, ben: 07: expected two dice")
    );
    assert!(first(&[&format!("{row} Takes")]).contains("ben: takes, but nothing was offered"));
    assert!(first(&[&format!("{row} Doubles => 8")]).contains("doubles to 8, expected 2"));
    assert!(first(&["gibberish", row]).starts_with("5:1: 'gibberish' is not understood"));
    assert!(
        first(&[row, "  2)  Doubles => 2   ", "  3) 62: 24/18 13/11"])
            .contains("the answer to the double is missing")
    );
    assert!(first(&[row, "  2)  Beavers"]).contains("nothing was offered"));
    assert!(first(&["  1) 31: Illegal play"]).contains("an illegal play that was let stand"));
}

#[test]
fn a_second_match_in_a_file_causes_a_warning() {
    let mut text = String::from_utf8(FIXTURES[0].1.to_vec()).unwrap();
    text.push_str(" 5 point match\n\n Game 1\n c : 0     d : 0\n  1) 31: 8/5 6/5\n");
    let record = read_bytes(text.as_bytes(), "x").unwrap();
    assert_eq!(record.games.len(), 2);
    assert!(messages(&record)[0].contains("another match begins here"));
}

#[test]
fn heads_may_be_missing() {
    let record = lines(&[
        "5 point match",
        " anna : 0       ben : 0",
        "  1) 31: 8/5 6/5                62: 24/18 13/11",
        "      Wins 1 point",
        " anna : 1       ben : 0",
        "  1) 31: 8/5 6/5",
    ]);
    assert_eq!(record.games.len(), 2);
    assert_eq!(record.games[1].number, 2);
    assert!(messages(&record)[0].contains("expected a line 'Game 1'"));
    let record = lines(&[
        "5 point match",
        "  1) 31: 8/5",
        " Game 1",
        " a : 0   b : 0",
        " 1) 31: 8/5 6/5",
    ]);
    assert!(messages(&record)[0].contains("expected a line 'Game 1' before the rows"));
}

/// A game without its end does not end in a resignation where the file breaks off, whatever the result in its
/// head.
#[test]
fn a_game_whose_end_is_missing_is_cut() {
    let whole = "(;GM[6]PW[w]PB[b]MI[length:5][ws:0][bs:0]RE[B+1R];W[31hefe];B[42qusu])";
    for (text, is_cut) in [(whole, false), (&whole[..whole.len() - 1], true)] {
        let record = read_bytes(text.as_bytes(), "x.sgf").unwrap();
        let game = &record.games[0];
        assert_eq!(game.events.last().unwrap().action, Action::Resign);
        assert_eq!(game.is_cut, is_cut, "{:?}", record.warnings);
        // JSON keeps the flag.
        let again = read_bytes(json::write(&record).as_bytes(), "x.json").unwrap();
        assert_eq!(again.games[0].is_cut, is_cut);
        // Match text cannot express it.
        let text = Target::Mat.write(&record);
        let left_out = Target::Mat.left_out(&record, &text);
        let is_reported = left_out
            .iter()
            .any(|one| one.contains("that actions before its end are missing"));
        assert_eq!(is_reported, is_cut, "{left_out:?}");
    }
    let damaged = " 3 point match\n\n Game 1\n a : 0    b : 0\n  1) 31: 8/5 8/1    Wins 1 point\n";
    assert!(read_bytes(damaged.as_bytes(), "x.mat").unwrap().games[0].is_cut);
}

/// A match without a game does not hide the next match.
#[test]
fn an_empty_match_before_another_is_passed_over() {
    let good = " 3 point match\n\n Game 1\n A : 0   B : 0\n  1) 31: 8/5 6/5\n";
    for empty in [" 5 point match\n", " 5 point match\n\n Game 1\n"] {
        let record = read_bytes(format!("{empty}{good}").as_bytes(), "m.mat").unwrap();
        assert_eq!((record.length, record.games.len()), (3, 1));
        let first = &record.warnings[0];
        assert!(
            first.line == 1 && first.message.contains("no game"),
            "{first:?}"
        );
        let error = read_bytes(empty.as_bytes(), "m.mat")
            .unwrap_err()
            .to_string();
        assert!(error.contains("no game"), "{error}");
    }
}

/// Row numbers are consecutive: a missing number is a lost row.
#[test]
fn a_missing_row_causes_a_warning() {
    let warnings = |third: &str| {
        let record = one_game(
            7,
            &[
                "  1) 31: 8/5 6/5                42: 8/4 6/4",
                &format!("  {third}) 43: 13/9 13/10             62: 24/18 13/11"),
                "      Wins 1 point",
            ],
        );
        assert_eq!(story(&record, 0).len(), 5);
        messages(&record)
    };
    assert_eq!(warnings("2"), [""; 0]);
    assert_eq!(warnings("1"), [""; 0]);
    let words = "game 1: row 3 follows row 1: a row is missing, and what follows may be wrong";
    let all = warnings("3");
    assert!(all.len() == 1 && all[0].ends_with(words), "{all:?}");
}
