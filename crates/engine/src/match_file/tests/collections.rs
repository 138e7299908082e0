//! SGF collections: several matches, positions and variants in a file, and the limits.

use super::*;
use crate::game::{Player, Position};
use crate::match_file::bounded::{MOST_MATCHES, MOST_POSITIONS};
use crate::match_file::variations::{MOST_ACTIONS, MOST_IN_FILE};
use crate::match_file::write::Target;
use crate::match_file::xg::build::{Lies, pack, records};

const SET_UP: &str = ";AE[a:y]AW[a][b]AB[x]PL[W]";

fn sgf(text: &str) -> Match {
    read_bytes(text.as_bytes(), "x.sgf").unwrap()
}

fn head(more: &str) -> String {
    format!("FF[4]GM[6]AP[GNU Backgammon:1.08]{more}")
}

#[test]
fn a_game_after_positions_joins_their_match_only_if_the_heads_agree() {
    let position = format!("(;{}{SET_UP})", head("MI[length:5]PW[a]PB[b]"));
    let game = |length: u16, name: &str| {
        let head = head(&format!(
            "MI[length:{length}][game:1]PW[{name}]PB[b]RE[W+1]"
        ));
        format!("(;{head};W[31hefe];B[62agln];W[double];B[drop])")
    };
    let record = sgf(&format!("{position}{position}{}", game(7, "c")));
    assert_eq!((record.positions.len(), record.games.len()), (2, 0));
    let [other] = &record.others[..] else {
        panic!("{:?}", messages(&record));
    };
    assert_eq!((other.length, other.games.len()), (7, 1));
    assert_eq!(other.players, ["c", "b"]);
    assert!(
        messages(&record)[0].contains("another match begins here"),
        "{:?}",
        messages(&record)
    );
    let record = sgf(&format!("{position}{}", game(5, "a")));
    let found = (
        record.positions.len(),
        record.games.len(),
        record.others.len(),
    );
    assert_eq!((found, record.length), ((1, 1, 0), 5));
    assert_eq!(messages(&record), [""; 0]);
}

#[test]
fn the_warning_about_a_further_match_names_the_one_before_it() {
    let all: String = ["a", "b", "c"].map(sgf_match).concat();
    let record = sgf(&all);
    assert_eq!(record.others.len(), 2);
    let warnings = messages(&record);
    for (message, name) in warnings.iter().zip(["a", "b"]) {
        let wanted = format!("the one before was of {name} and z");
        assert!(message.ends_with(&wanted), "{message}");
    }
}

/// A match between players called `name` and z.
fn sgf_match(name: &str) -> String {
    let head = head(&format!("MI[length:5][game:0]PW[{name}]PB[z]"));
    format!("(;{head};W[31hefe];B[62agln];W[double];B[drop])")
}

#[test]
fn a_file_has_a_limit_of_matches() {
    const GIVEN: usize = MOST_MATCHES + 5;
    let text = " 5 point match\n Game 1\n a : 0   b : 0\n  1) 31: 8/5 6/5   62: 24/18 13/11\n";
    let mat = text.repeat(GIVEN).into_bytes();
    let sgf: String = (0..GIVEN).map(|n| sgf_match(&format!("a{n}"))).collect();
    let one = r#"{"luckless":"match","version":1,"positions":[{"id":"4HPwATDgc/ABMA"}]}"#;
    let json = |others: usize| {
        let others = vec![one; others].join(",");
        let text = format!("{},\"matches\":[{others}]}}", &one[..one.len() - 1]);
        text.into_bytes()
    };
    let xg = records(&read_bytes(text.as_bytes(), "x.mat").unwrap());
    let xg = pack(&xg.repeat(GIVEN), Lies::default());
    for file in [mat, sgf.into_bytes(), json(GIVEN - 1), xg] {
        let record = read_bytes(&file, "x").unwrap();
        let format = record.format;
        assert_eq!(record.others.len(), MOST_MATCHES - 1, "{format}");
        let limit = format!("more than {MOST_MATCHES} matches");
        let warnings = messages(&record);
        let warnings: Vec<_> = warnings.iter().filter(|one| one.contains(&limit)).collect();
        assert_eq!(warnings.len(), 1, "{format}: {warnings:?}");
    }
    let whole = read_bytes(&json(MOST_MATCHES - 1), "x").unwrap();
    assert_eq!(whole.others.len(), MOST_MATCHES - 1);
    assert_eq!(messages(&whole), [""; 0]);
}

#[test]
fn a_double_to_be_answered_is_a_position() {
    let list = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:5:10\n\
                XGID=-b----E-C---eE---c-e----B-:1:1:1:D:2:1:0:7:10\n\
                XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:2:0:10\n";
    let record = read_bytes(list.as_bytes(), "x.txt").unwrap();
    assert!(record.positions[1].state.doubled);
    let text = Target::Sgf.write(&record);
    let again = sgf(&text);
    let states = |record: &Match| -> Vec<_> { record.positions.iter().map(|p| p.state).collect() };
    assert_eq!(states(&again)[..2], states(&record)[..2], "{text}");
    assert!(again.games.is_empty() && again.others.is_empty());
    // The rules of the third position that SGF cannot store are reported.
    let left_out = Target::Sgf.left_out(&record, &text);
    assert!(
        left_out
            .iter()
            .all(|line| line.contains("the rule without beavers of a position"))
    );
    // With an answer or a result it is a game.
    for end in [";B[take]", ";B[drop]"] {
        let record = sgf(&format!("(;{}{SET_UP};W[double]{end})", head("")));
        assert_eq!(
            (record.games.len(), record.positions.len()),
            (1, 0),
            "{end}"
        );
    }
    let record = sgf(&format!("(;{}{SET_UP};W[double])", head("RE[W+1]")));
    assert_eq!((record.games.len(), record.positions.len()), (1, 0));
}

#[test]
fn rules_that_a_position_loses_are_reported() {
    let list = "XGID=-b----E-C---eE---c-e----B-:1:1:1:00:3:2:0:0:10\n";
    let record = read_bytes(list.as_bytes(), "x.txt").unwrap();
    let text = Target::Sgf.write(&record);
    let lost = ["SGF does not hold: the rule without beavers of a position × 1"];
    assert_eq!(Target::Sgf.left_out(&record, &text), lost);
    let text = Target::Json.write(&record);
    assert_eq!(Target::Json.left_out(&record, &text), [""; 0]);
}

#[test]
fn variants_are_reported_and_nackgammon_has_its_start() {
    let record = sgf(&format!(
        "(;{};W[31hefe];B[62agbd];W[21mlwu])",
        head("MI[length:5]PW[a]PB[b]RU[Crawford:Nackgammon]")
    ));
    assert_eq!(
        story(&record, 0)[..2],
        ["L 31 8/5 6/5", "R 62 24/18 23/21"].map(str::to_owned)
    );
    let start = record.games[0].start;
    assert_eq!((start.mover.at(23), start.mover.pips()), (2, 194));
    let warnings = messages(&record);
    let wanted = "1:3: the variation 'Nackgammon' is read as backgammon from its own start";
    assert_eq!(warnings[0], wanted);
    for target in [Target::Mat, Target::Sgf, Target::Json] {
        let again = read_bytes(target.write(&record).as_bytes(), "again").unwrap();
        assert_eq!(story(&again, 0), story(&record, 0), "{target:?}");
    }
    let record = sgf(&format!("(;{};W[31hefe])", head("RU[Hypergammon1]")));
    let words = "the variation 'Hypergammon1' is read as backgammon";
    assert!(messages(&record)[0].ends_with(words));
    assert_eq!(record.games[0].start, Position::opening());
    let text = lines(&[
        "; [Variation \"NackGammon\"]",
        " 5 point match",
        " Game 1",
        " anna : 0                       ben : 0",
        "  1) 31: 8/5 6/5                 62: 24/18 23/21",
    ]);
    assert_eq!(story(&text, 0), ["L 31 8/5 6/5", "R 62 24/18 23/21"]);
    assert!(messages(&text)[0].contains("'NackGammon' is read as backgammon from its own start"));
}

#[test]
fn a_file_has_a_limit_of_positions() {
    let one = "(;GM[6];AE[a:y]AW[a]AB[b])";
    let record = sgf(&one.repeat(MOST_POSITIONS + 5));
    assert_eq!(record.positions.len(), MOST_POSITIONS);
    let limit = format!("more than {MOST_POSITIONS} positions; the rest is not read");
    let found = messages(&record);
    assert!(found.len() == 1 && found[0].ends_with(&limit), "{found:?}");
    // A text with blocks has the same limit.
    let boards = ["-b----E-C---eE---c-e----B-", "-a--BBCBB--ABb--Acbcbb----"];
    let blocks =
        boards.map(|board| format!("XGID={board}:0:0:1:31:0:0:0:0:10\n\nX:Anna   O:Ben\n"));
    let blocks = blocks.concat().repeat(MOST_POSITIONS / 2 + 5);
    let text = read_bytes(blocks.as_bytes(), "x.txt").unwrap();
    assert_eq!(text.positions.len(), MOST_POSITIONS);
    let found = messages(&text);
    assert!(found.len() == 1 && found[0].ends_with(&limit), "{found:?}");
    // In JSON the limit applies to all matches together.
    let position = r#"{"id":"4HPwATDgc/ABMA"}"#;
    let positions = vec![position; MOST_POSITIONS / 2 + 1].join(",");
    let one = format!(r#"{{"luckless":"match","version":1,"positions":[{positions}]}}"#);
    let text = format!("{},\"matches\":[{one},{one}]}}", &one[..one.len() - 1]);
    let record = read_bytes(text.as_bytes(), "x.json").unwrap();
    let all = record.others.iter().map(|other| other.positions.len());
    assert_eq!(record.positions.len() + all.sum::<usize>(), MOST_POSITIONS);
}

#[test]
fn the_variations_of_a_file_have_a_limit_of_actions() {
    let branches = "(;B[42qusu])".repeat(MOST_ACTIONS);
    let game = |n: usize| {
        let head = head(&format!("MI[length:0][game:{n}]PW[a]PB[b]"));
        format!("(;{head};W[31hefe](;B[62agln]){branches})")
    };
    let kept = |games: usize| {
        let text: String = (0..games).map(game).collect();
        let record = sgf(&text);
        let warnings = messages(&record);
        let limit =
            format!("a game has at most {MOST_ACTIONS} actions of them, a file {MOST_IN_FILE}");
        let is_limit = |m: &&String| m.ends_with(&limit);
        (
            record.variations.len(),
            warnings.iter().filter(is_limit).count(),
        )
    };
    assert_eq!(kept(2), (2, 0));
    assert_eq!(kept(4), (2, 2));
}

#[test]
fn the_play_that_was_made_is_kept_wherever_it_is_ranked() {
    use crate::game::PlayList;
    use crate::match_file::analysis::MOST_PLAYS;

    let list = PlayList::of(&Position::opening(), "22".parse().unwrap());
    let letters = |play: &crate::game::Play| -> String {
        let letter = |point: u8| char::from(b'a' + point - 1);
        play.steps()
            .flat_map(|s| [letter(s.from), letter(s.to)])
            .collect()
    };
    let all: Vec<String> = list.plays().iter().map(letters).collect();
    assert!(all.len() > MOST_PLAYS + 3);
    let listed = all.iter().enumerate().map(|(i, play)| {
        format!(
            "[{play} E ver 3 0.5 0 0 0 0 {} 0C 0 1 0 1]",
            -0.01 * i as f64
        )
    });
    let listed: String = listed.collect();
    for made in [0, MOST_PLAYS - 1, MOST_PLAYS, MOST_PLAYS + 2] {
        let text = format!("(;{};W[22{}]A[{made}]{listed})", head(""), all[made]);
        let record = sgf(&text);
        let analysis = record.analyses.of(0, 0).unwrap();
        assert_eq!(analysis.plays.len(), MOST_PLAYS);
        assert_eq!(analysis.played, Some(made.min(MOST_PLAYS - 1)), "{made}");
        let error = analysis.error.unwrap();
        assert!((error - 0.01 * made as f64).abs() < 1e-9, "{made}: {error}");
    }
}

#[test]
fn json_keeps_the_properties_of_an_analysis() {
    let source = include_bytes!("../../../../../tests/fixtures/sgf/gnubg.sgf");
    let record = read_bytes(source, "gnubg.sgf").unwrap();
    let json = Target::Json.write(&record);
    let again = read_bytes(json.as_bytes(), "x.json").unwrap();
    assert_eq!(Target::Sgf.write(&again), Target::Sgf.write(&record));
    // Other properties than those of an analysis are rejected.
    let (before, rest) = json.split_once("\"sgf\":\"").unwrap();
    let (_, behind) = rest.split_once('"').unwrap();
    let with = |text: &str| format!("{before}\"sgf\":\"{text}\"{behind}");
    for evil in [
        r"LU[0.1];W[31hefe]",
        r"LU[0.1])(;GM[6]",
        r"C[a remark]",
        r"LU[0.1",
        "nothing",
    ] {
        let record = read_bytes(with(evil).as_bytes(), "x.json").unwrap();
        assert_eq!(record.analyses.of(0, 0).unwrap().sgf, None, "{evil}");
    }
    let record = read_bytes(with("LU[0.1]C[x]").as_bytes(), "x.json").unwrap();
    let analysis = record.analyses.of(0, 0).unwrap();
    assert_eq!(analysis.sgf.as_deref(), Some("LU[0.1]"));
}

#[test]
fn a_remark_on_a_resignation_is_kept() {
    let mut record = one_game(3, &["  1) 31: 8/5 6/5", "      Wins 1 point"]);
    let resigned = record.games[0].events.len() - 1;
    let last = &record.games[0].events[resigned];
    assert_eq!((last.player, last.action), (Player::Right, Action::Resign));
    let remark = |event, text: &str| Comment {
        game: 0,
        event: Some(event),
        text: text.to_owned(),
    };
    record.comments = vec![remark(0, "first"), remark(resigned, "why?\nat once")];
    for target in [Target::Sgf, Target::Json] {
        let text = target.write(&record);
        let again = read_bytes(text.as_bytes(), "x").unwrap();
        assert_eq!(again.comments, record.comments, "{text}");
        assert_eq!(target.left_out(&record, &text), [""; 0]);
    }
}
