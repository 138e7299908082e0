//! The readers other than match text, on small files.

use super::*;
use crate::game::Player;
use crate::match_file::write::Target;
use crate::match_file::xg::build::{Lies, pack, records};

fn file(name: &str) -> Match {
    let bytes: &[u8] = match name {
        "gnubg.sgf" => include_bytes!("../../../../../tests/fixtures/sgf/gnubg.sgf"),
        "set_up.sgf" => include_bytes!("../../../../../tests/fixtures/sgf/set_up.sgf"),
        "own.match" => include_bytes!("../../../../../tests/fixtures/javafibs/own.match"),
        "oldmoves" => include_bytes!("../../../../../tests/fixtures/fibs/oldmoves.txt"),
        "gnubg text" => include_bytes!("../../../../../tests/fixtures/positions/gnubg.txt"),
        "xg text" => include_bytes!("../../../../../tests/fixtures/positions/xg.txt"),
        "bgblitz text" => include_bytes!("../../../../../tests/fixtures/positions/bgblitz.txt"),
        "list" => include_bytes!("../../../../../tests/fixtures/positions/list.txt"),
        _ => panic!("{name}"),
    };
    read_bytes(bytes, name).unwrap()
}

fn stories(record: &Match) -> Vec<Vec<String>> {
    (0..record.games.len())
        .map(|game| story(record, game))
        .collect()
}

#[test]
fn one_match_in_every_format_is_one_match() {
    let wanted = fixture("gnubg.mat");
    for name in ["gnubg.sgf", "own.match", "oldmoves"] {
        let found = file(name);
        assert_eq!(messages(&found), Vec::<String>::new(), "{name}");
        assert_eq!(stories(&found), stories(&wanted), "{name}");
        assert_eq!(found.length, 3);
        for (a, b) in found.games.iter().zip(&wanted.games) {
            assert_eq!(
                (a.score, a.result, a.crawford),
                (b.score, b.result, b.crawford)
            );
        }
    }
    assert_eq!(file("own.match").players, wanted.players);
    assert_eq!(file("oldmoves").players, ["Anna_Berg", "Ben_Cole"]);
}

#[test]
fn sgf_set_ups_cubes_variations_and_resignations() {
    let record = file("set_up.sgf");
    assert_eq!(record.players, ["Anna [1]", "Ben"]);
    assert!(record.rules.jacoby && record.length == 0);
    let game = &record.games[0];
    assert_eq!((game.cube, game.owner), (2, Some(Player::Right)));
    assert_eq!((game.start.mover.bar(), game.start.mover.at(24)), (1, 2));
    assert_eq!(
        story(&record, 0),
        [
            "L 31 bar/24 6/3",
            "R doubles 4",
            "L beavers 8",
            "R 64 13/9 13/7",
            "L 52 13/11 13/8",
            "R 21 8/7 8/6",
            "R resigns",
        ]
    );
    let result = game.result.unwrap();
    assert_eq!((result.winner, result.points), (Player::Left, 16));
    let comment = &record.comments[0];
    assert_eq!((comment.game, comment.event), (0, Some(0)));
    assert_eq!(comment.text, "a note ]with brackets: one;\ntwo");
    let warnings = messages(&record);
    assert!(
        warnings
            .iter()
            .any(|m| m.starts_with("12:") && m.contains("a variation")),
        "{warnings:?}"
    );
    assert!(record.variations.is_empty(), "neither could be played");
    // Dice before their play form one roll with it; impossible dice end the game.
    assert_eq!(story(&record, 1), ["R 65 24/13", "L 42 8/4 6/4"]);
    assert!(
        warnings
            .iter()
            .any(|m| m.contains("expected dice and letters")),
        "{warnings:?}"
    );
}

#[test]
fn the_analysis_of_gnubg_is_kept() {
    let record = file("gnubg.sgf");
    let first = record.analyses.of(0, 0).unwrap();
    assert_eq!(first.program, "GNU Backgammon 1.07.001");
    assert_eq!(first.plays[0].level, "0-ply cubeful");
    assert!((first.plays[0].equity - 0.243_313).abs() < 1e-9);
    assert_eq!((first.played, first.error), (Some(0), Some(0.0)));
    let worse = record
        .analyses
        .iter()
        .find(|(_, _, analysis)| analysis.played == Some(1))
        .unwrap();
    let [best, second] = [&worse.2.plays[0], &worse.2.plays[1]];
    assert_eq!(worse.2.error, Some(best.equity - second.equity));
    let cubes: Vec<_> = record
        .analyses
        .iter()
        .filter_map(|(_, _, a)| a.cube.as_ref())
        .collect();
    assert!(cubes.len() >= 5);
    assert!(
        cubes
            .iter()
            .all(|cube| cube.unit == CubeUnit::Mwc && cube.chances.is_some())
    );
    // Written back, nothing is lost for Luckless or for GNU Backgammon.
    let text = Target::Sgf.write(&record);
    let source = include_str!("../../../../../tests/fixtures/sgf/gnubg.sgf");
    for property in ["]A[", "]DA[", "]LU[-0.", "]BM["] {
        let count = |text: &str| text.matches(property).count();
        assert_eq!(count(&text), count(source), "{property}");
    }
    let again = read_bytes(text.as_bytes(), "again").unwrap();
    let all = |record: &Match| -> Vec<_> {
        let list = record.analyses.iter().map(|(g, e, a)| (g, e, a.clone()));
        list.collect()
    };
    let plain = |record: &Match| -> Vec<_> {
        let list = all(record).into_iter();
        list.map(|(g, e, a)| (g, e, a.plays, a.luck, a.cube))
            .collect()
    };
    assert_eq!(plain(&again), plain(&record));
    // The analysis keeps its author when it is written again.
    let twice = read_bytes(Target::Sgf.write(&again).as_bytes(), "twice").unwrap();
    for record in [&again, &twice] {
        let first = record.analyses.of(0, 0).unwrap();
        assert_eq!(first.program, "GNU Backgammon 1.07.001");
    }
    // JSON keeps the figures to six decimals.
    let again = read_bytes(Target::Json.write(&record).as_bytes(), "again").unwrap();
    for ((g, e, a), (h, f, b)) in all(&again).iter().zip(&all(&record)) {
        assert_eq!((g, e, a.played, &a.program), (h, f, b.played, &b.program));
        assert_eq!(a.plays.len(), b.plays.len());
        for (p, q) in a.plays.iter().zip(&b.plays) {
            assert!((p.equity - q.equity).abs() < 1e-6 && p.level == q.level);
        }
    }
    assert_eq!(all(&again).len(), all(&record).len());
}

#[test]
fn extreme_gammon_files() {
    let wanted = file("gnubg.sgf");
    let packed = pack(&records(&wanted), Lies::default());
    let found = read_bytes(&packed, "x.xg").unwrap();
    assert_eq!((found.format, found.length), ("xg", 3));
    assert_eq!(messages(&found), Vec::<String>::new());
    assert_eq!(found.players, wanted.players);
    assert_eq!(stories(&found), stories(&wanted));
    let (ours, theirs) = (
        found.analyses.of(0, 0).unwrap(),
        wanted.analyses.of(0, 0).unwrap(),
    );
    assert_eq!(ours.program, "eXtreme Gammon");
    assert_eq!(
        (ours.played, ours.plays.len()),
        (theirs.played, theirs.plays.len())
    );
    assert!((ours.plays[1].equity - theirs.plays[1].equity).abs() < 1e-6);
    let (a, b) = (
        ours.plays[1].chances.unwrap(),
        theirs.plays[1].chances.unwrap(),
    );
    assert!((a.win_gammon - b.win_gammon).abs() < 1e-6);
    assert!((a.lose_backgammon - b.lose_backgammon).abs() < 1e-6);
    assert_eq!(ours.luck, theirs.luck);
}

#[test]
fn archives_that_lie_or_are_cut() {
    let bytes = records(&fixture("gnubg.mat"));
    let read_with = |lies: Lies| read_bytes(&pack(&bytes, lies), "x.xg");
    let size = |size: i32| Lies {
        size,
        ..Lies::default()
    };
    let refused = read_with(size(1 << 30)).unwrap_err().to_string();
    assert!(refused.contains("claims 1073"), "{refused}");
    let short = read_with(size(-2560)).unwrap();
    assert!(
        messages(&short)[0].contains("more than they claim"),
        "{:?}",
        messages(&short)
    );
    assert_eq!(short.warnings[0].offset, Some(8232));
    let wrong = read_with(Lies {
        start: 1 << 20,
        ..Lies::default()
    });
    assert!(messages(&wrong.unwrap())[0].contains("do not fit"));
    // A small file that unpacks to a large one is read up to its claimed size.
    let mut bomb = bytes.clone();
    bomb.resize(30 << 20, 0);
    let packed = pack(&bomb, size(bytes.len() as i32 - bomb.len() as i32));
    assert!(packed.len() < 1 << 20);
    let read = read_bytes(&packed, "x.xg").unwrap();
    assert_eq!(read.games.len(), 2);
    // Without the index, the match is found at its usual place.
    let whole = pack(&bytes, Lies::default());
    let cut = read_bytes(&whole[..whole.len() - 40], "x.xg").unwrap();
    assert_eq!(cut.games.len(), 2);
    assert!(
        messages(&cut)[0].contains("has no index"),
        "{:?}",
        messages(&cut)
    );
    let nothing = read_bytes(&whole[..8300], "x.xg").unwrap_err().to_string();
    assert!(
        nothing.starts_with("x.xg: this is an eXtreme Gammon file (.xg), but"),
        "{nothing}"
    );
    assert!(read_bytes(b"RGMH", "x").is_err());
}

#[test]
fn one_record_alone_is_a_position() {
    let record = fixture("gnubg.mat");
    let all = records(&record);
    // Head of the match, head of the game, the first roll.
    let found = read_bytes(&pack(&all[..3 * 2560], Lies::default()), "x.xgp").unwrap();
    assert_eq!((found.games.len(), found.positions.len()), (0, 1));
    let state = found.positions[0].state;
    assert_eq!(state.roll.unwrap().to_string(), "31");
    assert_eq!(state.position, crate::game::Position::opening());
    assert_eq!((state.score.length, state.cube), (3, 1));
}

#[test]
fn impossible_scores_are_not_read() {
    let mut all = records(&fixture("gnubg.mat"))[..3 * 2560].to_vec();
    all[2560 + 12..2560 + 16].copy_from_slice(&768i32.to_le_bytes());
    let error = read_bytes(&pack(&all, Lies::default()), "x.xgp").unwrap_err();
    assert!(error.to_string().contains("no game in it"), "{error}");
    // Crawford at 1-1 to 3 points causes a warning and is ignored.
    let sgf = "(;GM[6]MI[length:3][game:4][ws:1][bs:1]RU[Crawford:CrawfordGame];AE[a:y]AW[s]AB[p])";
    let record = read_bytes(sgf.as_bytes(), "x.sgf").unwrap();
    assert_eq!((record.games.len(), record.positions.len()), (0, 1));
    let warnings = messages(&record);
    assert!(warnings[0].contains("it cannot be"), "{warnings:?}");
    let list = "4HPwATDgc/ABMA\n4HPwATDgc/ABMA\n4HPwATDgc/ABMA:cAn/fwAAAAAA\n";
    let record = read_bytes(list.as_bytes(), "list").unwrap();
    assert!(record.positions.iter().all(|p| state::is_sound(&p.state)));
}

/// A score at the limit of its field, found by damaging records.
#[test]
fn a_score_beyond_all_matches_causes_a_warning() {
    let mut all = records(&fixture("gnubg.mat"));
    all[2560 + 12..2560 + 16].copy_from_slice(&65_535i32.to_le_bytes());
    let record = read_bytes(&pack(&all, Lies::default()), "x.xg").unwrap();
    assert!(record.games[1..].iter().all(|game| game.score[0] < 100));
    assert!(!record.warnings.is_empty());
}

#[test]
fn exported_positions_in_several_languages() {
    let record = file("xg text");
    let [play, cube] = &record.positions[..] else {
        panic!("{:?}", record.positions);
    };
    let analysis = play.analysis.as_ref().unwrap();
    let best = &analysis.plays[0];
    assert_eq!(
        (analysis.program.as_str(), best.level.as_str()),
        ("eXtreme Gammon", "4-ply")
    );
    assert_eq!((best.equity, analysis.plays[1].equity), (0.161, -0.014));
    assert!((best.chances.unwrap().lose_gammon - 0.124).abs() < 1e-9);
    let verdict = cube.analysis.as_ref().unwrap().cube.as_ref().unwrap();
    let figures = (verdict.no_double, verdict.double_take, verdict.double_pass);
    assert_eq!(figures, (Some(0.41), Some(0.275), Some(1.0)));
    assert!((verdict.chances.unwrap().win - 0.593).abs() < 1e-9);
    assert_eq!(verdict.level, "XG Roller++");

    let record = file("bgblitz text");
    assert_eq!(record.positions.len(), 1);
    let verdict = record.positions[0]
        .analysis
        .as_ref()
        .unwrap()
        .cube
        .as_ref()
        .unwrap();
    let figures = (verdict.no_double, verdict.double_take, verdict.double_pass);
    assert_eq!(figures, (Some(0.082), Some(-0.16), Some(1.0)));
    let chances = verdict.chances.unwrap();
    assert_eq!((chances.win, chances.lose_gammon), (0.525, 0.129));

    let record = file("gnubg text");
    assert_eq!(record.positions.len(), 4);
    let first = record.positions[0].analysis.as_ref().unwrap();
    assert_eq!(
        (first.played, first.plays[0].equity, first.luck),
        (Some(0), 0.243, Some(0.243))
    );
    for offered in &record.positions[2..] {
        let verdict = offered.analysis.as_ref().unwrap().cube.as_ref().unwrap();
        let figures = (verdict.no_double, verdict.double_take, verdict.double_pass);
        assert_eq!(figures, (Some(-0.174), Some(-0.724), Some(1.0)));
        assert!((verdict.chances.unwrap().win - 0.455).abs() < 1e-9);
    }
    assert!(record.positions[3].state.doubled);
}

#[test]
fn lists_of_positions() {
    let record = file("list");
    let lines: Vec<u32> = record.positions.iter().map(|p| p.line).collect();
    assert_eq!(lines, [2, 3, 5, 8]);
    assert_eq!(record.positions[3].state.roll.unwrap().to_string(), "31");
    let warnings = messages(&record);
    assert_eq!(warnings.len(), 1);
    assert!(
        warnings[0].starts_with("4:1: 'not a position'"),
        "{warnings:?}"
    );
    let text = Target::Text.write(&record);
    assert_eq!(text.lines().count(), 4);
    let again = read_bytes(text.as_bytes(), "again").unwrap();
    assert_eq!(again.positions[3].state, record.positions[3].state);
    let sgf = read_bytes(Target::Sgf.write(&record).as_bytes(), "sgf").unwrap();
    let boards = |record: &Match| -> Vec<_> {
        let states = record.positions.iter().map(|p| p.state);
        states.map(|state| (state.position, state.roll)).collect()
    };
    let mut all = boards(&sgf);
    all.extend(sgf.others.iter().flat_map(boards));
    assert_eq!(all, boards(&record));
}

/// Without scores, the games of a money session are added up.
#[test]
fn a_money_session_of_games_that_begin_at_nothing() {
    let game = |n, who| {
        format!(" Game {n}\n anna : 0    ben : 0\n  1) 31: 8/5 6/5    62: 24/18 13/11\n{who}\n\n")
    };
    let left = "      Wins 1 point";
    let right = "                                  Wins 2 points";
    let text = format!(
        " 0 point match\n\n{}{}{}",
        game(1, left),
        game(2, right),
        game(3, left)
    );
    let record = read_bytes(text.as_bytes(), "x.mat").unwrap();
    let results: Vec<_> = record.games.iter().filter_map(|game| game.result).collect();
    assert_eq!(results.len(), 3);
    let sum = |player| -> u32 {
        let own = results.iter().filter(|result| result.winner == player);
        own.map(|result| result.points).sum()
    };
    assert_eq!(
        record.final_score(),
        [sum(Player::Left), sum(Player::Right)]
    );
    assert!(record.final_score().iter().sum::<u32>() >= 3);
}

/// A match without a game does not hide the next match.
#[test]
fn a_match_without_a_game_between_two() {
    let text = String::from_utf8(FIXTURES[0].1.to_vec()).unwrap();
    let record = read_bytes(
        format!("{text}\n 7 point match\n\n{text}").as_bytes(),
        "x.mat",
    )
    .unwrap();
    assert_eq!(record.others.len(), 1);
    assert_eq!(record.others[0].games.len(), record.games.len());
    let warnings = messages(&record);
    assert!(
        warnings
            .iter()
            .any(|one| one.contains("the match has no game")),
        "{warnings:?}"
    );
}

#[test]
fn two_matches_in_one_file() {
    let one = include_str!("../../../../../tests/fixtures/mat/gnubg.mat");
    let other = include_str!("../../../../../tests/fixtures/mat/studio.txt");
    let record = read_bytes(format!("{one}\n{other}").as_bytes(), "two.mat").unwrap();
    assert_eq!((record.games.len(), record.others.len()), (2, 1));
    assert!(messages(&record)[0].contains("another match begins here"));
    let (second, alone) = (&record.others[0], fixture("studio.txt"));
    assert_eq!(second.players, alone.players);
    assert_eq!(second.tags, alone.tags);
    assert_eq!(stories(second), stories(&alone));
    assert!(!record.tags.iter().any(|tag| alone.tags.contains(tag)));
    for target in [Target::Mat, Target::Text, Target::Sgf, Target::Json] {
        let again = read_bytes(target.write(&record).as_bytes(), "again").unwrap();
        assert_eq!(again.others.len(), 1, "{target:?}");
        assert_eq!(stories(&again.others[0]), stories(second), "{target:?}");
    }
}

#[test]
fn a_game_without_the_head_of_a_match() {
    let text =
        "anna ben\n 1)                             31: 8/5 6/5\n 2) 42: 8/4 6/4  61: 13/7 8/7\n";
    let record = read_bytes(text.as_bytes(), "one.gam").unwrap();
    assert_eq!((record.length, record.games.len()), (0, 1));
    assert_eq!(record.players, ["anna", "ben"]);
    assert_eq!(
        story(&record, 0),
        ["R 31 8/5 6/5", "L 42 8/4 6/4", "R 61 13/7 8/7"]
    );
}

#[test]
fn an_illegal_play_that_was_let_stand() {
    // 13/7 13/8 with 6-1, and the resulting board, seen by the right player.
    let dump =
        "7;0;0;0;0;ben;anna;0;0;0;1;0;0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0;0;0;";
    let after = dump.replace("-5;5;0;0;0;-3;0;-5", "-3;5;0;0;0;-4;-1;-5");
    // In Right's view: Left's 13, 8, 7 and 6 are its 12, 17, 18 and 19.
    let record = one_game(
        7,
        &[
            &format!("  1) 61: Illegal play ({after})"),
            "  2)                             31: 8/5 6/5",
        ],
    );
    let warnings = messages(&record);
    assert!(
        warnings.iter().any(|m| m.contains("let stand")),
        "{warnings:?}"
    );
    let board = record.final_position(&record.games[0]);
    assert_eq!(
        (board.mover.at(13), board.mover.at(8), board.mover.at(7)),
        (3, 4, 1)
    );
    assert_eq!(board.opponent.at(5), 2);
    let cut = one_game(7, &["  1) 61: Illegal play", "  2)          31: 8/5 6/5"]);
    assert_eq!(story(&cut, 0), ["L 61 hidden"]);
}

#[test]
fn odd_lengths_and_broken_ends_cause_warnings() {
    let record = lines(&[
        " 65536 point match",
        " Game 1",
        " a : 0   b : 0",
        " 1) 31: 8/5 6/5",
    ]);
    assert_eq!(record.length, 0);
    let warnings = messages(&record);
    assert!(
        warnings[0].contains("65536 points is read as money"),
        "{warnings:?}"
    );
    assert!(
        warnings
            .iter()
            .any(|m| m.starts_with("4:") && m.contains("breaks off")),
        "{warnings:?}"
    );
    let sgf = b"(;FF[4]GM[6]MI[length:99999999999][game:0][ws:0][bs:0]PW[a]PB[b];B[31hefe])";
    let record = crate::match_file::read_bytes(sgf, "x.sgf").unwrap();
    let warnings = messages(&record);
    assert_eq!(record.length, 0);
    assert!(
        warnings[0].contains("99999999999 points is read as money"),
        "{warnings:?}"
    );
    let money = lines(&[
        " 99999 point match",
        " Game 1",
        " a : 0   b : 0",
        " 1) 31: 8/5 6/5",
    ]);
    assert_eq!(messages(&money).len(), 1);
}

/// In every format, reading a match as money play causes a warning.
#[test]
fn an_impossible_length_causes_a_warning_in_every_format() {
    let warns = |name: &str, bytes: &[u8], length: &str, place: &str| {
        let record = crate::match_file::read_bytes(bytes, name).unwrap();
        let warnings = messages(&record);
        let wanted = format!("a match to {length} points is read as money");
        assert_eq!(record.length, 0, "{name}");
        assert!(!record.crawford, "{name}");
        let is_it = |m: &String| m.starts_with(place) && m.contains(&wanted);
        assert!(warnings.iter().any(is_it), "{name} {length}: {warnings:?}");
    };
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let own = text(include_bytes!(
        "../../../../../tests/fixtures/javafibs/own.match"
    ));
    let oldmoves = text(include_bytes!(
        "../../../../../tests/fixtures/fibs/oldmoves.txt"
    ));
    for length in ["10000", "65543", "99999999999999999999"] {
        let long = own.replace("8:Anna Berg:3", &format!("8:Anna Berg:{length}"));
        warns("x.match", long.as_bytes(), length, "2:");
        let long = oldmoves.replace("in a 3 point", &format!("in a {length} point"));
        warns("oldmoves", long.as_bytes(), length, "1:");
        let sgf = format!("(;FF[4]GM[6]MI[length:{length}]PW[a]PB[b];B[31hefe])");
        warns("x.sgf", sgf.as_bytes(), length, "1:");
        let mat = format!(" {length} point match\n Game 1\n a : 0   b : 0\n 1) 31: 8/5 6/5\n");
        warns("x.mat", mat.as_bytes(), length, "1:");
    }
    let wanted = fixture("gnubg.mat");
    for length in [10_000i32, 65_543, -3] {
        let mut xg = records(&wanted);
        xg[92..96].copy_from_slice(&length.to_le_bytes());
        let file = pack(&xg, Lies::default());
        warns("x.xg", &file, &length.to_string(), "byte 0: temp.xg: ");
        let alone = pack(&xg[..3 * 2560], Lies::default());
        warns("x.xgp", &alone, &length.to_string(), "byte 0: temp.xg: ");
        let mut document = crate::match_file::bgf::build::document(&wanted);
        document["matchlen"] = length.into();
        let file = crate::match_file::bgf::build::pack(document.to_string().as_bytes());
        warns("x.bgf", &file, &length.to_string(), "");
    }
    let json = Target::Json.write(&wanted);
    let json = json.replace("\"length\":3", "\"length\":10000");
    warns("x.json", json.as_bytes(), "10000", "");
    // The lengths that programs write for money play are normal.
    for money in ["9999", "99999", "0"] {
        let text = own.replace("8:Anna Berg:3", &format!("8:Anna Berg:{money}"));
        let record = crate::match_file::read_bytes(text.as_bytes(), "x.match").unwrap();
        assert_eq!(record.length, 0);
        assert!(!messages(&record).iter().any(|m| m.contains("as money")));
    }
}

/// Time and memory for a file do not grow with its number of matches.
#[test]
fn all_matches_of_a_file_are_read_to_one_limit() {
    let rows = "11: 11: 11: 11:\n".repeat(1900);
    let head = " 0 point match\n Game 1\n a : 0   b : 0\n";
    // More warnings before the end than are kept.
    let text = format!("{head}{rows}").repeat(30);
    let record = read_bytes(text.as_bytes(), "long.mat").unwrap();
    let warnings = messages(&record);
    assert_eq!(record.warnings.len(), 500);
    let limit = "there are more than 250000 rows and cells: from here on nothing is read";
    assert!(warnings.iter().any(|m| m.ends_with(limit)), "{warnings:?}");
    assert_eq!(record.others.len(), 26);
    assert!(
        record
            .others
            .iter()
            .all(|one| !one.games[0].events.is_empty())
    );
    // An illegal play with many possible readings in each game.
    let fault = "1) 22: q/w\n";
    let game = format!(" Game 1\n a : 0   b : 0\n{fault}11: 11: 11: 11:\n");
    let text = format!(" 0 point match\n{}", game.repeat(5)).repeat(60);
    let record = read_bytes(text.as_bytes(), "faulty.mat").unwrap();
    let warnings = messages(&record);
    let limit = "too many plays are not legal: from here on none is read in another way";
    assert!(warnings.iter().any(|m| m.ends_with(limit)), "{warnings:?}");
    assert_eq!(record.others.len(), 59);
}

#[test]
fn long_files_are_read_to_a_limit() {
    let head = " 7 point match\n Game 1\n a : 0   b : 0\n 1) 31: 8/5 6/5\n";
    for filler in [
        "\n",
        "1)\n",
        "11: 11: 11: 11:\n",
        "; x\n",
        "\t\t\t\t\t\t\t\t\n",
    ] {
        let count = (6 << 20) / filler.len();
        let text = head.to_owned() + &filler.repeat(count);
        let record = read_bytes(text.as_bytes(), "long.mat").unwrap();
        let warnings = messages(&record);
        assert!(
            warnings.iter().any(|m| m.contains("is not read")),
            "{filler:?}: {warnings:?}"
        );
        assert!(record.games[0].events.len() < 10_000);
    }
}
