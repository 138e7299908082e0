//! Lists and exports of positions, and warnings about unreadable ones.

use super::*;
use crate::match_file::text::REMARK_CUT;
use crate::match_file::write::Target;
use crate::notation::parse_id;

const SNOWIE: &str =
    "7;0;1;0;0;anna;ben;0;1;2;1;0;0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0;3;1;";

fn error(text: &str) -> String {
    read_bytes(text.as_bytes(), "x").unwrap_err().to_string()
}

#[test]
fn lists_of_lines_of_snowie() {
    for text in [
        format!("{SNOWIE}\n{SNOWIE}\n"),
        format!("# two\n{SNOWIE}\n4HPwATDgc/ABMA\n"),
    ] {
        let record = read_bytes(text.as_bytes(), "x").unwrap();
        assert_eq!((record.format, record.positions.len()), ("positions", 2));
    }
    let record = read_bytes(format!("# one\n{SNOWIE}\n").as_bytes(), "x").unwrap();
    assert_eq!(record.positions[0].line, 2);
}

/// GNU Backgammon copies position ID and match ID as two words; the second must not be read as a remark.
#[test]
fn a_match_id_apart_belongs_to_its_position() {
    let text = "HGfkICHgc+ExAA cAkqARAAAAAE\nHGfkICHgc+ExAA\tcAkqARAAAAAE  # mine\n4HPwATDgc/ABMA interesting!\n\
                4HPwATDgc/ABMA championship\n4HPwATDgc/ABMA Championship\n4HPwATDgc/ABMA BackgammonNJ\n";
    let record = read_bytes(text.as_bytes(), "x").unwrap();
    let whole = parse_id("HGfkICHgc+ExAA:cAkqARAAAAAE").unwrap();
    assert!(whole.roll.is_some() && !whole.score.is_money());
    let read = record
        .positions
        .iter()
        .map(|one| (one.state, one.comment.as_deref()));
    let opening = parse_id("4HPwATDgc/ABMA").unwrap();
    let expected = [
        (whole, None),
        (whole, Some("mine")),
        (opening, Some("interesting!")),
        (opening, Some("championship")),
        (opening, Some("Championship")),
        (opening, Some("BackgammonNJ")),
    ];
    assert_eq!(read.collect::<Vec<_>>(), expected);
}

#[test]
fn an_error_says_where_and_why_no_position_is_read() {
    let bad = "XGID=-b----E-C---eE---c-e----B-:0:0:1:07:0:0:0:0:10";
    let message = error(&format!("{bad}\n"));
    assert!(message.starts_with("x:1: there is no position in it that can be read: "));
    assert!(message.contains("character 39: found '07'"), "{message}");
    let message = error(&format!("   {bad}\n\nX:a   O:b\n\n\n"));
    assert!(
        message.starts_with("x:1: ") && message.contains("found '07'"),
        "{message}"
    );
    let message = error("4HPwATDgc/ABMA:cIkDAAAAAAAA\n");
    assert!(
        message.starts_with("x:1: no line is a position that can be read: '4HPw"),
        "{message}"
    );
    let message = error("(;FF[4]GM[6]MI[length:7][game:0][ws:7][bs:0]PW[a]PB[b]\n;W[31hefe]\n)");
    assert!(
        message.contains("the match is over at its score"),
        "{message}"
    );
}

#[test]
fn the_column_of_a_bad_position_counts_from_its_line() {
    let good = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10";
    let bad = good.replace(":31:", ":07:");
    let text = format!("{good}\n{good} # ok\nProblem 1: {bad}\n");
    let record = read_bytes(text.as_bytes(), "x").unwrap();
    assert_eq!(
        (record.warnings[0].line, record.warnings[0].column),
        (3, 50)
    );
    // An ID in two parts: the column is that of the first part.
    let export = include_str!("../../../../../tests/fixtures/positions/bgblitz.txt");
    let record = read_bytes(export.as_bytes(), "x").unwrap();
    let [only] = &record.warnings[..] else {
        panic!("{:?}", record.warnings);
    };
    assert_eq!((only.line, only.column), (4, 15));
}

#[test]
fn a_remark_after_an_identifier_is_kept() {
    let id = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10";
    let text = format!(
        "# heading\n{id} # prime or run\n{id};later\n4HPwATDgc/ABMA ; one\n{id}  opening\n"
    );
    let record = read_bytes(text.as_bytes(), "x").unwrap();
    let remarks = |record: &Match| -> Vec<Option<String>> {
        let all = record.positions.iter();
        all.map(|position| position.comment.as_deref().map(str::to_owned))
            .collect()
    };
    let own = [
        Some("prime or run"),
        Some("later"),
        Some("one"),
        Some("opening"),
    ];
    assert_eq!(remarks(&record), own.map(|text| text.map(str::to_owned)));
    for target in [Target::Text, Target::Sgf, Target::Json] {
        let text = target.write(&record);
        let again = read_bytes(text.as_bytes(), "again").unwrap();
        assert_eq!(remarks(&again), remarks(&record), "{text}");
    }
    let long = format!("{id} # {}\n", "x".repeat(5000));
    let record = read_bytes(long.as_bytes(), "x").unwrap();
    assert_eq!(record.warnings[0].message, REMARK_CUT);
}

/// One board twice, as identifiers of two programs with different dice and scores.
#[test]
fn blocks_of_two_programs_are_two_positions() {
    let text = "Two scores:\n\nXGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10\n\n \
                GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n\
                 Match ID   : MACqAAAAAAAE\n";
    let record = read_bytes(text.as_bytes(), "x").unwrap();
    let found: Vec<_> = (record.positions.iter())
        .map(|p| (p.line, p.state.roll, p.state.score.length))
        .collect();
    let [first, second] = ["52", "42"].map(|roll| roll.parse().ok());
    assert_eq!(found, [(3, first, 0), (5, second, 5)]);
}

/// One board twice, as identifiers of one program with different scores or cubes.
#[test]
fn two_scores_of_one_board_are_two_positions() {
    let first = "XGID=-b----E-C---eE---c-e----B-:0:0:1:42:2:1:0:5:10";
    for second in [
        first.replace(":2:1:0:5:", ":1:2:0:5:"),
        first.replace(":2:1:0:5:", ":4:1:1:5:"),
        first.replace(":0:0:1:42:", ":1:1:1:42:"),
        first.replace(":0:0:1:42:", ":1:-1:1:42:"),
    ] {
        let text = format!("X:anna   O:ben\n{first}\nthe same, but\n{second}\n");
        let record = read_bytes(text.as_bytes(), "x").unwrap();
        let found: Vec<_> = record.positions.iter().map(|p| (p.line, p.state)).collect();
        let wanted = [first, &second].map(|id| parse_id(id).unwrap());
        assert_eq!(found, [(2, wanted[0]), (4, wanted[1])], "{second}");
        // The same identifier twice is one position.
        let text = text.replace(&second, first);
        let record = read_bytes(text.as_bytes(), "x").unwrap();
        assert_eq!(record.positions.len(), 1);
    }
}

#[test]
fn text_of_gnu_backgammon_in_other_languages() {
    let english = include_str!("../../../../../tests/fixtures/positions/gnubg.txt");
    let wanted = read_bytes(english.as_bytes(), "gnubg.txt").unwrap();
    for (position, match_id) in [
        ("Positions-ID", "Match-ID"),
        ("Identifiant de position", "Identifiant du match"),
        ("局面ID", "マッチID"),
    ] {
        let text = english.replace("Position ID", position);
        let text = text.replace("Match ID", match_id);
        let found = read_bytes(text.as_bytes(), "x.txt").unwrap();
        assert_eq!(found.format, "gnubg text");
        assert_eq!(found.positions.len(), wanted.positions.len());
        for (one, other) in found.positions.iter().zip(&wanted.positions) {
            assert_eq!(one.state, other.state, "{position}");
            assert_eq!(one.analysis, other.analysis, "{position}");
        }
    }
    let line = "GNU Backgammon  Identifiant de position: 4HPwATDgc/ABMA\n\
                Identifiant du match   : MACqAAAAAAAE";
    let state = crate::notation::parse_id(line).unwrap();
    assert_eq!((state.score.length, state.roll), (5, "42".parse().ok()));
}

/// The commands refuse such positions, so lists and exports leave them out.
#[test]
fn unreachable_positions_are_left_out_with_a_warning() {
    let board = "XGID=-b----E-C---eE---c-e----B-";
    for (fields, why) in [
        (
            "0:0:1:D:6:4:1:7:10",
            "the cube is not used in the Crawford game",
        ),
        ("1:0:1:31:0:0:0:7:10", "a cube of 2 in the middle"),
        (
            "1:1:-1:D:0:0:0:1:10",
            "the cube is not used in a match to 1 point",
        ),
    ] {
        let sound = format!("{board}:0:0:1:31:0:0:0:7:10");
        let record = read_bytes(format!("{sound}\n{board}:{fields}\n").as_bytes(), "x").unwrap();
        assert_eq!(record.positions.len(), 1, "{fields}");
        assert_eq!(record.warnings[0].line, 2);
        assert!(
            messages(&record)[0].contains(why),
            "{:?}",
            messages(&record)
        );
        let alone = error(&format!("{board}:{fields}\nX:a   O:b\n"));
        assert!(alone.contains(why), "{alone}");
    }
}

/// A forum post without the identifier, but with its drawing.
const DRAWN: &str = "\
X:Anna   O:Ben
Score is X:2 O:4 7 pt.(s) match.
 +13-14-15-16-17-18------19-20-21-22-23-24-+
 | X     O  O  O  O |   | O     O        X |
 | X           O  O |   | O     O          |
 | X           O    |   | O                |
 | X                |   | O                |
 |                  |   | O                |
 |                  |BAR|                  |
 |                  |   |                  |
 |                  |   |                  |
 |                  |   | X                | +---+
 |             X    |   | X  X  X          | | 2 |
 |          X  X    |   | X  X  X     O    | +---+
 +12-11-10--9--8--7-------6--5--4--3--2--1-+
Pip count  X: 137  O: 118 X-O: 2-4/7
Cube: 2, X own cube
X on roll, cube action
";

#[test]
fn a_drawn_board_without_an_identifier_is_a_position() {
    let record = read_bytes(DRAWN.as_bytes(), "x").unwrap();
    let state = parse_id("XGID=--a-BBC-BA---D-aacbe-b--A-:1:1:1:00:2:4:0:7:10").unwrap();
    assert_eq!(record.positions.len(), 1);
    assert_eq!(record.positions[0].state, state);
    assert!(record.warnings.is_empty(), "{:?}", record.warnings);
    let other = DRAWN
        .replace("X:2 O:4", "X:3 O:4")
        .replace("2-4/7", "3-4/7");
    let two = read_bytes(format!("{DRAWN}\n{other}").as_bytes(), "x").unwrap();
    let [warning] = &two.warnings[..] else {
        panic!("{:?}", two.warnings);
    };
    assert_eq!((two.positions.len(), warning.line), (1, 22));
    assert_eq!(two.positions[0].state, state);
    assert_eq!(record.positions[0].line, 3);
    // GNU Backgammon draws the same board but writes the score elsewhere; FIBS draws wider boards.
    let (board, _) = DRAWN.split_once("Pip count").unwrap();
    assert!(
        error(board).contains("not a match file"),
        "{}",
        error(board)
    );
    let wider = DRAWN.replace("-18------19", "-18-------19");
    assert!(error(&wider).contains("not a match file"));
    // X has sixteen checkers.
    let wrong = DRAWN.replace(
        "| X           O    |   | O  ",
        "| X     X     O    |   | O  ",
    );
    assert!(error(&wrong).starts_with("x:3: "), "{}", error(&wrong));
}

/// People write the word before an XGID in lower case, or with blanks around the equals sign.
#[test]
fn an_xgid_in_a_sentence_is_found_however_it_is_written() {
    let board = "-b----E-C---eE---c-e----B-";
    let others = [
        format!("XGID={board}:0:0:1:00:0:0:0:0:10"),
        format!("XGID = {board}:0:0:1:00:0:0:3:0:10 (with Jacoby)"),
        format!("Better to play xgid={board}:1:-1:1:66:0:0:0:0:10, is it not?"),
        format!("Xgid= {board}:0:0:1:31:0:0:0:0:10"),
    ];
    // With few other lines it is a list with remarks.
    for prose in [
        "What would you do?\n",
        "One\ntwo\nthree\nfour\nfive words\n",
    ] {
        let text = format!("{prose}{}", others.join("\n"));
        let record = read_bytes(text.as_bytes(), "x.txt").unwrap();
        let rolls = record.positions.iter().map(|one| one.state.roll);
        let rolls: Vec<_> = rolls
            .map(|roll| roll.map(|roll| roll.to_string()))
            .collect();
        let wanted = [None, None, Some("66"), Some("31")];
        assert_eq!(rolls, wanted.map(|roll| roll.map(str::to_owned)), "{text}");
        assert!(record.positions[1].state.rules.beavers);
    }
    for text in others {
        assert!(parse_id(&text).is_ok(), "{text}");
    }
}
