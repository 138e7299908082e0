use serde_json::json;

use super::build::{OPEN, document, pack as packed, smile as smiled};
use crate::game::Player;
use crate::match_file::{Action, Match, read_bytes};

fn sample(name: &str) -> Match {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_matches/");
    crate::match_file::read(std::path::Path::new(&format!("{folder}{name}"))).unwrap()
}

fn same(found: &Match, wanted: &Match) {
    assert_eq!(found.warnings, [], "{:?}", found.warnings);
    assert_eq!(found.players, wanted.players);
    assert_eq!(found.length, wanted.length);
    assert_eq!(found.games.len(), wanted.games.len());
    for (a, b) in found.games.iter().zip(&wanted.games) {
        assert_eq!(
            (a.score, a.crawford, a.result),
            (b.score, b.crawford, b.result)
        );
        let story = |record: &Match, game| {
            let decisions = record.decision_states(game);
            let states: Vec<_> = decisions.iter().map(|m| (m.player, m.state)).collect();
            (states, record.final_position(game))
        };
        assert_eq!(story(found, a), story(wanted, b));
    }
}

#[test]
fn a_match_in_smile_and_in_json_is_the_match() {
    for name in ["anna-ben-7pt.mat", "ben-dev-9pt.mat"] {
        let wanted = sample(name);
        let document = document(&wanted);
        let found = read_bytes(&packed(&smiled(&document)), "x.bgf").unwrap();
        same(&found, &wanted);
        let analysis = found.analyses.of(0, 0).unwrap();
        assert_eq!(analysis.program, "BGBlitz");
        assert_eq!((analysis.luck, analysis.error), (Some(0.02), Some(0.0)));
        assert_eq!(analysis.plays[0].equity, 0.125);
        assert_eq!(analysis.plays[0].chances.unwrap().win_gammon, 0.2);
        let cubes = found
            .analyses
            .iter()
            .filter_map(|(_, _, a)| a.cube.as_ref());
        let cube = cubes.into_iter().next().unwrap();
        assert_eq!((cube.no_double, cube.double_pass), (Some(0.60), Some(0.65)));
        let plain = packed(document.to_string().as_bytes());
        same(&read_bytes(&plain, "x.bgf").unwrap(), &wanted);
    }
}

#[test]
fn a_set_position_and_a_play_of_two_ends() {
    let mut points = vec![0i64; 26];
    // Red's six point holds five red checkers; green has two on its twenty point and one on the bar.
    points[5] = -5;
    points[4] = 2;
    points[24] = 1;
    let document = json!({
        "matchlen": 0, "nameGreen": "a", "nameRed": "b", "useJacoby": true,
        "games": [{"scoreGreen": 0, "scoreRed": 0, "initial": {"points": points, "cube": 2,
            "cubeOwner": 1}, "moves": [{"player": -1, "red": 4, "green": 3,
            "from": [25, -1, -1, -1], "to": [18, -1, -1, -1]}]}],
    });
    let found = read_bytes(&packed(&smiled(&document)), "x.bgf").unwrap();
    let game = &found.games[0];
    assert_eq!((game.cube, game.owner), (2, Some(Player::Right)));
    assert_eq!((game.start.mover.at(20), game.start.mover.bar()), (2, 1));
    assert_eq!(game.start.opponent.at(6), 5);
    let Action::Move { roll, play } = game.events[0].action else {
        panic!("no play: {:?}", found.warnings);
    };
    assert_eq!((roll.to_string().as_str(), play.len()), ("43", 2));
    assert!(found.rules.jacoby);
}

#[test]
fn a_warning_without_a_place_names_none() {
    let document = json!({
        "matchlen": 1_000_000, "nameGreen": "a", "nameRed": "b",
        "games": [{"scoreGreen": 0, "scoreRed": 0, "moves": [{"player": -1, "red": 4, "green": 3,
            "from": [1, -1, -1, -1], "to": [0, -1, -1, -1]}]}],
    });
    let found = read_bytes(&packed(&smiled(&document)), "x.bgf").unwrap();
    assert!(found.warnings.len() > 1, "{:?}", found.warnings);
    for warning in &found.warnings {
        assert_eq!(warning.with_place(), warning.message);
        assert_eq!(warning.behind_file_name(), format!(" {}", warning.message));
    }
}

#[test]
fn a_broken_file_is_refused_with_a_one_line_error() {
    let body = smiled(&document(&sample("clara-dev-3pt.mat")));
    let good = packed(&body);
    for n in (60..good.len()).step_by(41) {
        let _ = read_bytes(&good[..n], "x.bgf");
    }
    // Uncompressed, so that no checksum rejects the damaged data.
    let open = [OPEN.to_vec(), body].concat();
    assert!(read_bytes(&open, "x.bgf").is_ok());
    let (mut whole, mut damaged) = (0, 0);
    for n in (26..open.len()).step_by(17) {
        let mut flipped = open.clone();
        flipped[n] ^= 1 << (n % 8);
        match read_bytes(&flipped, "x.bgf") {
            Ok(record) if record.warnings.is_empty() => whole += 1,
            Ok(_) => damaged += 1,
            Err(error) => assert_eq!(error.to_string().lines().count(), 1),
        }
    }
    assert!(whole > 0 && damaged > 0, "{whole} {damaged}");
    for body in [
        &b"{}"[..],
        b"[1]",
        b"",
        b":)\n\x03\xfa\xfb",
        b"{\"games\": []}",
    ] {
        let error = read_bytes(&packed(body), "x.bgf").unwrap_err().to_string();
        assert!(
            error.starts_with("x.bgf: this is a BGBlitz file"),
            "{error}"
        );
        assert_eq!(error.lines().count(), 1);
    }
    // Only zeros, compressed: refused by size.
    let bomb = packed(&vec![0u8; 40 << 20]);
    let error = read_bytes(&bomb, "x.bgf").unwrap_err().to_string();
    assert!(error.contains("larger than any match"), "{error}");
}
