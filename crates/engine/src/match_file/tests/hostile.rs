//! Bytes that are not a match: no panic, no hang, no unlimited memory.

use rand::Rng as _;
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::match_file::write::Target;

/// All texts of a match that a screen may show.
fn texts(record: &Match) -> impl Iterator<Item = &String> {
    let tags = record.tags.iter().flat_map(|(key, value)| [key, value]);
    let warnings = record.warnings.iter().map(|warning| &warning.message);
    record.players.iter().chain(tags).chain(warnings)
}

fn check(record: &Match) {
    assert!(record.games.len() <= 1000 && record.warnings.len() <= 500);
    for text in texts(record) {
        assert!(text.chars().count() <= 1000, "{text}");
        assert!(crate::sanitize::is_clean(text), "{text:?}");
    }
    for game in &record.games {
        for decision in record.decision_states(game) {
            let event = &game.events[decision.event];
            let position = decision.state.position;
            let (roll, after, is_legal) = match event.action {
                Action::Move { roll, play } => (roll, play.apply(&position), true),
                Action::Illegal { roll, after } => (roll, after, false),
                _ => continue,
            };
            let list = crate::game::PlayList::of(&position, roll);
            assert_eq!(
                list.results().contains(&after),
                is_legal,
                "{roll} to {after:?}"
            );
        }
    }
    assert_eq!(MatchSummary::new(record).games.len(), record.games.len());
}

#[test]
fn noise_is_refused() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    for _ in 0..500 {
        assert!(read_bytes(&noise(&mut rng), "noise").is_err());
    }
}

/// Random bytes of any value.
fn noise(rng: &mut ChaCha8Rng) -> Vec<u8> {
    let length = rng.random_range(1..2000);
    (0..length).map(|_| rng.random::<u8>()).collect()
}

const LETTERS: &[u8] = b" \n0123456789:/()*-,;[]\"barofDoublesTakesDropsWins";

fn letter(byte: u8) -> u8 {
    LETTERS[usize::from(byte) % LETTERS.len()]
}

#[test]
fn noise_in_a_game_reads_as_a_sound_record() {
    const HEAD: &[u8] = b" 7 point match\n Game 1\n a : 0   b : 0\n  1) 31:";
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let mut read = 0;
    for _ in 0..500 {
        let text: Vec<u8> = noise(&mut rng).into_iter().map(letter).collect();
        if let Ok(record) = read_bytes(&[HEAD, &text].concat(), "noise") {
            check(&record);
            read += 1;
        }
    }
    assert!(read > 400, "{read}");
}

/// With a few changed characters, the plays that are read are legal or marked as illegal.
#[test]
fn a_damaged_match_reads_as_a_sound_record() {
    let let_stand = Target::Mat.write(&let_stand::with_dump()).into_bytes();
    let whole = FIXTURES.map(|(_, bytes)| bytes.to_vec());
    let mut rng = ChaCha8Rng::seed_from_u64(10);
    let (mut read, mut legal, mut illegal) = (0, 0, 0);
    for whole in whole.iter().chain([&let_stand]) {
        let head = whole.windows(3).position(|three| three == b" 1)").unwrap();
        for _ in 0..200 {
            let mut text = whole.clone();
            for _ in 0..rng.random_range(1..=6) {
                text[rng.random_range(head..whole.len())] = letter(rng.random());
            }
            let Ok(record) = read_bytes(&text, "damaged") else {
                continue;
            };
            check(&record);
            read += 1;
            for event in record.games.iter().flat_map(|game| &game.events) {
                legal += usize::from(matches!(event.action, Action::Move { .. }));
                illegal += usize::from(matches!(event.action, Action::Illegal { .. }));
            }
        }
    }
    assert!(
        read > 1000 && legal > 5000 && illegal > 50,
        "{read} {legal} {illegal}"
    );
}

/// Counts beyond the limits.
#[test]
fn the_limits_hold() {
    let head = " 7 point match\n";
    let game = " Game 1\n a : 0   b : 0\n";
    let many_games = head.to_owned() + &game.repeat(1500);
    let record = read_bytes(many_games.as_bytes(), "x").unwrap();
    assert_eq!(record.games.len(), 1000);
    // Rolls with unknown plays.
    let rows = "  1) 11:                        11:\n".repeat(3000);
    let record = read_bytes((head.to_owned() + game + &rows).as_bytes(), "x").unwrap();
    let events = &record.games[0].events;
    let is_roll = |event: &&Event| matches!(event.action, Action::Hidden { .. });
    assert_eq!(events.iter().filter(is_roll).count(), 4000);
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
