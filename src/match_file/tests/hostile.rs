//! Bytes that nobody meant as a match: no panic, no hang, nothing without bound.

use rand::Rng as _;
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use super::*;

/// Changes a file a little, by bytes and by lines.
fn mutate(bytes: &[u8], rng: &mut ChaCha8Rng) -> Vec<u8> {
    let mut out = bytes.to_vec();
    for _ in 0..rng.random_range(1..6) {
        if out.is_empty() {
            break;
        }
        let at = rng.random_range(0..out.len());
        let line_start = out[..at]
            .iter()
            .rposition(|&b| b == b'\n')
            .map_or(0, |i| i + 1);
        let line_end = out[at..]
            .iter()
            .position(|&b| b == b'\n')
            .map_or(out.len(), |i| at + i + 1);
        match rng.random_range(0..10) {
            0 => out[at] = rng.random(),
            1 => out[at] ^= 1 << rng.random_range(0..8),
            2 => out.truncate(at),
            3 => drop(out.drain(line_start..line_end)),
            4 => {
                let line = out[line_start..line_end].to_vec();
                for _ in 0..rng.random_range(1..20) {
                    out.splice(line_start..line_start, line.iter().copied());
                }
            }
            5 => {
                let pieces: [&[u8]; 14] = [
                    b"61: ",
                    b" Doubles => 2",
                    b" Drops",
                    b"\n Game 2\n",
                    b"????",
                    b"(",
                    b")",
                    b" 99999999999) ",
                    b"\x1b[2J",
                    b" : 4294967296 ",
                    b"\xff\xfe",
                    b"Beavers",
                    b"Raccoons",
                    b"; Set Pos=-O-----------------------o-/1\n",
                ];
                let piece = pieces[rng.random_range(0..pieces.len())];
                out.splice(at..at, piece.iter().copied());
            }
            6 => out[at] = b"0123456789/*()- :"[rng.random_range(0..17)],
            7 => {
                let with = rng.random_range(0..out.len());
                out.swap(at, with);
            }
            8 => drop(out.drain(at..line_end)),
            _ => {
                let count = rng.random_range(1..300);
                let byte = b" (:1)\t;"[rng.random_range(0..7)];
                out.splice(at..at, std::iter::repeat_n(byte, count));
            }
        }
    }
    out
}

/// Everything a screen could show of a match.
fn texts(record: &Match) -> impl Iterator<Item = &String> {
    let tags = record.tags.iter().flat_map(|(key, value)| [key, value]);
    let warnings = record.warnings.iter().map(|warning| &warning.message);
    record.players.iter().chain(tags).chain(warnings)
}

fn check(record: &Match) {
    assert!(record.games.len() <= 1000 && record.warnings.len() <= 500);
    for text in texts(record) {
        assert!(text.chars().count() <= 1000, "{text}");
        assert!(!text.chars().any(text::is_unsafe), "{text:?}");
    }
    for game in &record.games {
        for moment in record.moments(game) {
            let event = &game.events[moment.event];
            let Action::Move { roll, play } = event.action else {
                continue;
            };
            let mut list = crate::game::PlayList::new();
            list.generate(&moment.state.position, roll);
            let after = play.apply(&moment.state.position);
            assert!(list.results().contains(&after), "only legal plays are kept");
        }
    }
    assert_eq!(Summary::new(record).games.len(), record.games.len());
}

#[test]
fn damaged_files_are_read_as_far_as_they_go() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut read = 0;
    for n in 0..6000 {
        let (name, bytes) = FIXTURES[n % FIXTURES.len()];
        let damaged = mutate(bytes, &mut rng);
        if let Ok(record) = read_bytes(&damaged, name) {
            read += 1;
            check(&record);
            let written = mat::write::write(&record);
            let again =
                read_bytes(written.as_bytes(), name).unwrap_or_else(|e| panic!("{e}: {written}"));
            check(&again);
        }
    }
    assert!(read > 3000, "most damage leaves a match: {read}");
}

#[test]
fn noise_is_refused() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    for _ in 0..500 {
        let mut noise: Vec<u8> = (0..rng.random_range(1..2000))
            .map(|_| rng.random())
            .collect();
        assert!(read_bytes(&noise, "noise").is_err());
        noise.splice(0..0, *b" 7 point match\n Game 1\n a : 0   b : 0\n  1) 31:");
        if let Ok(record) = read_bytes(&noise, "noise") {
            check(&record);
        }
    }
}

/// Counts that a file may claim but that nobody plays.
#[test]
fn the_limits_hold() {
    let head = " 7 point match\n";
    let game = " Game 1\n a : 0   b : 0\n";
    let many_games = head.to_owned() + &game.repeat(1500);
    let record = read_bytes(many_games.as_bytes(), "x").unwrap();
    assert_eq!(record.games.len(), 1000);
    // A dance each: nobody is in the way of a closed board.
    let rows = "  1) 11:                        11:\n".repeat(3000);
    let record = read_bytes((head.to_owned() + game + &rows).as_bytes(), "x").unwrap();
    assert!(record.games[0].events.len() <= 4000);
    assert!(
        messages(&record)
            .iter()
            .any(|m| m.contains("more than 2000 rows"))
    );
    let junk = "what is this\n".repeat(100_000);
    let record = read_bytes((head.to_owned() + game + &junk).as_bytes(), "x").unwrap();
    assert_eq!(record.warnings.len(), 500);
    let wide = "  1) ".to_owned() + &"(".repeat(60_000) + &"31: ".repeat(20_000);
    let record = read_bytes((head.to_owned() + game + &wide).as_bytes(), "x").unwrap();
    check(&record);
}
