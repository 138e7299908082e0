//! Transcripts of both versions, and invalid lines.

use super::*;
use crate::cube::Model;
use crate::eval::Engine;
use crate::game::Position;
use crate::notation::position_id;

fn thinker() -> Thinker {
    Thinker::new(Engine::embedded(), Model::default())
}

/// Plays a transcript: `>` to the engine, `<` its lines in order; `…` at the end of a line stands for any rest.
fn transcript(text: &str) {
    let (thinker, mut session) = (thinker(), Session::default());
    let mut waiting: Vec<String> = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match line.split_once(' ') {
            Some((">", line)) => {
                assert!(waiting.is_empty(), "not expected: {waiting:?}");
                waiting = session.answer(line, &thinker).lines;
                waiting.reverse();
            }
            Some(("<", expected)) => {
                let said = waiting.pop().unwrap_or_default();
                match expected.strip_suffix('…') {
                    Some(begin) => assert!(said.starts_with(begin), "{said}, not {expected}"),
                    None => assert_eq!(said, expected),
                }
            }
            _ => panic!("{line}"),
        }
    }
    assert!(waiting.is_empty(), "not expected: {waiting:?}");
}

#[test]
fn a_session_of_version_0_1() {
    transcript(
        "> setoption name Deterministic value true
         > setoption name Variant value backgammon
         > isready
         < readyok
         > newgame
         > newsession type match length 7 crawford on
         > setscore 2 4
         > setcube value 1 owner center
         > setturn p0
         > position gnubgid 4HPwATDgc/ABMA
         > dice 3 1
         > go role chequer
         < info depth 1 eq …
         < bestmove 8/5 6/5
         > position gnubgid 4HPwATDgc/ABMA
         > go role cube
         < bestcube nodouble
         > dice 6 1
         > go role turn movetime 500
         < bestturn cube=nodouble move=13/7 8/7
         > stop
         > quit",
    );
}

#[test]
fn a_session_of_version_0_2() {
    transcript(
        "> get engine.ply
         < value engine.ply 1
         > set engine.ply 2
         > get engine.ply
         < value engine.ply 2
         > set engine.threads 2
         > isready
         < readyok
         > newgame
         > position gnubgid 4HPwATDgc/ABMA
         > dice 1 3
         > go
         < info depth 2 eq …
         < bestmove 8/5 6/5
         > go chequer
         < info depth 2 eq …
         < bestmove 8/5 6/5
         > go cube
         < bestcube nodouble
         > go reply
         < error unsupported go reply
         > set luckless.replies true
         > go reply
         < bestreply take",
    );
}

/// A double that gains nothing can be answered.
#[test]
fn a_dead_double_on_offer_is_taken() {
    transcript(
        "> position xgid XGID=----a-a--------cb-ag-AA---:1:-1:-1:D:0:1:0:3:10
         > set luckless.replies true
         > go reply
         < bestreply take",
    );
}

#[test]
fn the_positions_that_a_driver_checks() {
    transcript(
        "> position gnubgid Np7BQSCYZ/AAWA
         > dice 5 3
         > go
         < info …
         < bestmove bar/…
         > position gnubgid /z0AADDeaxsAAA
         > dice 5 5
         > go
         < info …
         < bestmove …
         > position xgid XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4:0:7:10
         > go
         < info …
         < bestmove 8/5 6/5",
    );
    let home: Vec<(usize, u8)> = (1..=6).map(|point| (point, 2)).collect();
    let closed = Position::from_points(&[(25, 1), (6, 14)], &home).unwrap();
    let closed = position_id(&closed);
    transcript(&format!(
        "> position gnubgid {closed}
         > dice 6 6
         > go
         < bestmove pass"
    ));
}

#[test]
fn the_handshake_ends_and_has_no_error() {
    let answer = Session::default().answer("ubgi", &thinker());
    let lines = answer.lines;
    assert!(lines[0].starts_with("id name Luckless "));
    assert_eq!(lines.last().map(String::as_str), Some("ubgiok"));
    assert!(lines.iter().all(|line| !line.starts_with("error")));
    // Each announced key can be queried and has the announced default.
    for key in KEYS {
        let words: Vec<&str> = key.split(' ').collect();
        let value = Settings::default().get(words[1]).unwrap();
        assert!(words[3..5].contains(&value.as_str()), "{key}: {value}");
    }
}

#[test]
fn what_is_not_understood_is_named_and_nothing_ends() {
    transcript(
        "> nonsense 1 2 3
         < error bad_command nonsense is no command
         > go
         < error bad_state there is no position
         > position gnubgid 4HPwATDgc/ABMA
         > go
         < error bad_state there are no dice
         > dice 7 1
         < error bad_value expected two dice, 1 to 6
         > dice 3
         < error bad_value expected two dice, 1 to 6
         > position gnubgid !!!
         < error bad_value …
         > position fen x
         < error unsupported position fen
         > set engine.ply 9
         < error bad_value 9 is out of range
         > set engine.wings true
         < error bad_value there is no key engine.wings
         > set game.variant nackgammon
         < error unsupported variant nackgammon
         > get
         < error bad_value expected a key
         > go depth 1 sideways
         < error bad_value sideways is no limit
         > setscore 1
         < error bad_argument expected two numbers of points
         > newsession type match
         < error bad_argument a match has a length, and money play has none
         > newsession type match length 5
         > setscore 5 0
         < error bad_argument that match is over
         > setcube value 3 owner p0
         < error bad_argument a cube is 1, 2, 4 …
         > setcube value 2 owner center
         > position gnubgid 4HPwATDgc/ABMA
         > dice 3 1
         > go
         < error bad_argument a cube of 2 in the middle…
         > setturn p2
         < error bad_argument p2: expected p0 or p1",
    );
}

#[test]
fn the_crawford_game_is_the_first_at_its_score() {
    let (thinker, mut session) = (thinker(), Session::default());
    let mut say = |line: &str| session.answer(line, &thinker).lines;
    for line in [
        "newsession type match length 3",
        "setscore 2 0",
        "setturn p1",
    ] {
        assert!(say(line).is_empty());
    }
    say("position gnubgid 4HPwATDgc/ABMA");
    // Nobody doubles in the Crawford game; afterwards the trailer doubles at once.
    assert_eq!(say("go cube"), ["bestcube nodouble"]);
    say("newgame");
    say("setscore 2 1");
    say("position gnubgid 4HPwATDgc/ABMA");
    assert_eq!(say("go cube"), ["bestcube double"]);
}

/// If both players need one point, there is no Crawford game.
#[test]
fn a_match_of_one_point_has_no_crawford_game() {
    let (thinker, mut session) = (thinker(), Session::default());
    let mut say = |line: &str| session.answer(line, &thinker).lines;
    for (length, score) in [(1, "0 0"), (5, "4 4")] {
        say(&format!("newsession type match length {length}"));
        say(&format!("setscore {score}"));
        say("position gnubgid 4HPwATDgc/ABMA");
        say("dice 3 1");
        let said = say("go role chequer");
        assert_has!(said.last().unwrap(), "bestmove 8/5 6/5");
    }
}

/// A client plays several matches in one session.
#[test]
fn the_next_match_has_a_crawford_game_of_its_own() {
    let (thinker, mut session) = (thinker(), Session::default());
    let mut say = |line: &str| session.answer(line, &thinker).lines;
    say("newsession type match length 3");
    for score in ["2 1", "0 0", "2 0"] {
        say("newgame");
        assert!(say(&format!("setscore {score}")).is_empty());
    }
    say("setturn p1");
    say("position gnubgid 4HPwATDgc/ABMA");
    assert_eq!(say("go cube"), ["bestcube nodouble"]);
}

#[test]
fn a_double_is_answered_before_anything_else() {
    transcript(
        "> set luckless.replies true
         > position xgid XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:7:10
         > go cube
         < error bad_state a double must be answered first
         > go reply
         < bestreply take
         > dice 3 1
         > go
         < error bad_state a double must be answered first",
    );
}

/// Changing the seat does not affect an XGID; later score and cube commands do.
#[test]
fn an_xgid_says_the_score_and_the_cube_until_others_are_said() {
    let (thinker, mut session) = (thinker(), Session::default());
    let mut say = |line: &str| session.answer(line, &thinker).lines;
    // The opponent is ahead and needs one point, after the Crawford game: a double costs nothing.
    let trailing = "position xgid XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:4:0:5:10";
    assert!(say(trailing).is_empty());
    assert_eq!(say("go cube"), ["bestcube double"]);
    assert!(say("setturn p1").is_empty());
    assert_eq!(say("go cube"), ["bestcube double"]);
    assert!(say("setcube value 2 owner p0").is_empty());
    assert_eq!(say("go cube"), ["bestcube nodouble"]);
    assert!(say("setcube value 1 owner center").is_empty());
    assert!(say("setscore 0 0").is_empty());
    assert_eq!(say("go cube"), ["bestcube nodouble"]);
    assert!(say("setscore 5 0")[0].starts_with("error bad_argument"));
    // A cube and score set by command belong to the seats, whatever turn is set later.
    assert!(say(trailing).is_empty());
    assert!(say("setturn p0").is_empty());
    assert!(say("setcube value 2 owner p1").is_empty());
    assert_eq!(say("go cube"), ["bestcube nodouble"]);
    assert!(say("setturn p1").is_empty());
    assert_eq!(say("go cube"), ["bestcube double"]);
    // In the first seat the player is the leader, who has no reason to double.
    assert!(say("setcube value 1 owner center").is_empty());
    assert!(say("setturn p0").is_empty());
    assert!(say("setscore 4 0").is_empty());
    assert_eq!(say("go cube"), ["bestcube nodouble"]);
    assert!(say("setturn p1").is_empty());
    assert_eq!(say("go cube"), ["bestcube double"]);
}

/// Setting a key to its default changes nothing.
#[test]
fn plays_of_a_match_count_the_score_whatever_is_set() {
    let (thinker, mut session) = (thinker(), Session::default());
    let mut say = |line: &str| session.answer(line, &thinker).lines;
    // The opponent needs one point, so its own gammons are worthless.
    say("position xgid XGID=-b----E-C---eE---c-e----B-:0:0:1:64:0:4:0:5:10");
    let before = say("go");
    for key in [
        "set engine.cubeful false",
        "setoption name EvalMode value cubeless",
    ] {
        assert!(say(key).is_empty());
        assert_eq!(say("go"), before);
    }
}

/// After an invalid request, the former one is not answered.
#[test]
fn what_is_refused_leaves_no_older_question() {
    let (thinker, mut session) = (thinker(), Session::default());
    let mut say = |line: &str| session.answer(line, &thinker).lines;
    let whole = "position gnubgid 4HPwATDgc/ABMA";
    for refused in ["position gnubgid !!!", "position xgid XGID=-b", "dice 7 1"] {
        say(whole);
        say("dice 3 1");
        assert!(say("go")[1].starts_with("bestmove"));
        assert!(say(refused)[0].starts_with("error"));
        assert!(say("go")[0].starts_with("error bad_state"), "{refused}");
    }
}

#[test]
fn a_line_that_is_too_long_is_refused_whole() {
    let long = format!(
        "position gnubgid 4HPwATDgc/ABMA{}\nisready\n",
        " ".repeat(5000)
    );
    let mut said = Vec::new();
    super::super::converse(long.as_bytes(), &mut said, &thinker()).unwrap();
    let said = String::from_utf8(said).unwrap();
    assert_eq!(
        said,
        "error bad_value a line has at most 4096 bytes\nreadyok\n"
    );
}

#[test]
fn lines_at_random_are_answered() {
    let (thinker, mut session) = (thinker(), Session::default());
    let words = [
        "go",
        "role",
        "cube",
        "turn",
        "chequer",
        "depth",
        "1",
        "99",
        "-1",
        "position",
        "gnubgid",
        "xgid",
        "4HPwATDgc/ABMA",
        "dice",
        "3",
        "6",
        "set",
        "get",
        "keys",
        "engine.ply",
        "setscore",
        "setcube",
        "value",
        "owner",
        "p0",
        "center",
        "newsession",
        "type",
        "match",
        "length",
        "\u{1b}",
        "é",
        "newgame",
        "setturn",
        "p1",
        "ubgi",
        "isready",
        "setoption",
        "name",
        "Threads",
    ];
    let mut state = 3u64;
    for _ in 0..2000 {
        let mut line = String::new();
        for _ in 0..=state % 6 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            line.push_str(words[(state >> 33) as usize % words.len()]);
            line.push(' ');
        }
        assert!(!session.answer(&line, &thinker).is_last);
    }
}

/// The program's option overrides the client's Crawford setting.
#[test]
fn without_the_crawford_rule_the_leader_doubles() {
    let without = thinker().without_crawford(true);
    let told = |thinker: &Thinker| {
        let mut session = Session::default();
        let lines = [
            "newsession type match length 5",
            "setscore 2 4",
            "position gnubgid 4HPwATDgc/ABMA",
            "go cube",
        ];
        let answers = lines.map(|line| session.answer(line, thinker).lines);
        answers.concat().join("\n")
    };
    assert!(told(&thinker()).contains("bestcube nodouble"));
    assert!(told(&without).contains("bestcube double"));
}
