//! Tests with whole files: dialects, damage, hostile bytes, and round trips.

mod automatic_doubles;
mod collections;
mod dialects;
mod errors;
mod formats;
mod heads;
mod hostile;
mod imported;
mod let_stand;
mod lists;
mod lone_positions;
mod remarks;
mod results;
mod round_trip;
mod unreadable;
mod variation_remarks;

use super::*;
use crate::game::Player;

/// Small files, one in the form of each large family of writers.
const FIXTURES: [(&str, &[u8]); 5] = [
    (
        "gnubg.mat",
        include_bytes!("../../../../../tests/fixtures/mat/gnubg.mat"),
    ),
    (
        "galaxy.txt",
        include_bytes!("../../../../../tests/fixtures/mat/galaxy.txt"),
    ),
    (
        "studio.txt",
        include_bytes!("../../../../../tests/fixtures/mat/studio.txt"),
    ),
    (
        "xg.txt",
        include_bytes!("../../../../../tests/fixtures/mat/xg.txt"),
    ),
    (
        "gamesgrid.txt",
        include_bytes!("../../../../../tests/fixtures/mat/gamesgrid.txt"),
    ),
];

fn fixture(name: &str) -> Match {
    let (_, bytes) = FIXTURES.iter().find(|(n, _)| *n == name).unwrap();
    read_bytes(bytes, name).unwrap()
}

/// Reads lines as match text.
fn lines(text: &[&str]) -> Match {
    read_bytes(text.join("\n").as_bytes(), "test.mat").unwrap()
}

/// A match to `length` points, or for money, with one game of `rows`.
fn one_game(length: u16, rows: &[&str]) -> Match {
    let mut text = vec![format!(" {length} point match"), String::new()];
    text.push(" Game 1".to_owned());
    text.push(" anna : 0                       ben : 0".to_owned());
    text.extend(rows.iter().map(|row| (*row).to_owned()));
    read_bytes(text.join("\n").as_bytes(), "test.mat").unwrap()
}

fn messages(record: &Match) -> Vec<String> {
    let warnings = record.warnings.iter();
    warnings
        .map(|w| w.behind_file_name().trim_start().to_owned())
        .collect()
}

/// Returns the winner and the points of a game.
fn result(record: &Match, game: usize) -> Option<(Player, u32)> {
    record.games[game].result.map(|r| (r.winner, r.points))
}

/// The events of a game in short: `L 31 8/5 6/5`, `R doubles 2`.
fn story(record: &Match, game: usize) -> Vec<String> {
    use crate::notation::play_text;
    let game = &record.games[game];
    let decisions = record.decision_states(game);
    let text = |(event, decision): (&Event, &DecisionState)| {
        let side = match event.player {
            Player::Left => 'L',
            Player::Right => 'R',
        };
        let what = match event.action {
            Action::Move { roll, play } => {
                format!("{roll} {}", play_text(&decision.state.position, &play))
            }
            Action::Hidden { roll } => format!("{roll} hidden"),
            Action::Illegal { roll, after } => {
                format!("{roll} {}", illegal_text(&decision.state.position, &after))
            }
            Action::Double { to } => format!("doubles {to}"),
            Action::Take => "takes".to_owned(),
            Action::Pass => "drops".to_owned(),
            Action::Beaver { to } => format!("beavers {to}"),
            Action::Resign => "resigns".to_owned(),
        };
        format!("{side} {what}")
    };
    game.events.iter().zip(&decisions).map(text).collect()
}

/// Deliberately damaged files of the corpus that only this reader can read.
const READ_FURTHER: [&str; 3] = [
    "made-cut.xg",
    "made-flipped-byte.xg",
    "made-illegal-play.mat",
];

/// Compares the content of every file of an external corpus with the results of another reader, and prints
/// the differences. `LUCKLESS_CORPUS` names a folder with the files and an `expected.json`.
#[test]
#[ignore = "needs a folder of files and what another reader found in them"]
fn agrees_with_the_corpus_of_another_reader() {
    let folder = std::env::var_os("LUCKLESS_CORPUS").expect("LUCKLESS_CORPUS names a folder");
    let folder = Path::new(&folder);
    let expected = std::fs::read_to_string(folder.join("expected.json")).unwrap();
    let expected: serde_json::Value = serde_json::from_str(&expected).unwrap();
    let (mut games, mut fields, mut differing) = (0, 0, 0);
    let mut files = Vec::new();
    for (file, wanted) in expected.as_object().unwrap() {
        let record = match read(&folder.join(file)) {
            Ok(record) => record,
            Err(error) => {
                println!("{file}: {error}");
                files.push(file.as_str());
                continue;
            }
        };
        let found = serde_json::to_value(MatchSummary::new(&record)).unwrap();
        let pairs = [
            ("score", "score"),
            ("rolls", "rolls"),
            ("doubles", "doubles"),
            ("takes", "takes"),
            ("passes", "drops"),
            ("winner", "winner"),
            ("points", "points_written"),
            ("final_position_id", "final_position_id"),
        ];
        let mut notes = Vec::new();
        let none = Vec::new();
        let wanted_games = wanted["games"].as_array().unwrap_or(&none);
        let found_games = found["games"].as_array().unwrap();
        if wanted["length"] != found["length"] || wanted_games.len() != found_games.len() {
            notes.push("length or number of games".to_owned());
        }
        for (wanted, found) in wanted_games.iter().zip(found_games) {
            games += 1;
            for (ours, theirs) in pairs {
                fields += 1;
                if found[ours] != wanted[theirs] {
                    differing += 1;
                    notes.push(format!(
                        "game {} {ours}: {} here, {} there",
                        wanted["game"], found[ours], wanted[theirs]
                    ));
                }
            }
        }
        if !notes.is_empty() {
            files.push(file.as_str());
        }
        let complete = found_games
            .iter()
            .filter(|game| game["complete"] == true)
            .count();
        println!(
            "{file}: {} games, {complete} complete, {} warnings; {}",
            found_games.len(),
            record.warnings.len(),
            if notes.is_empty() {
                "all alike".to_owned()
            } else {
                notes.join("; ")
            }
        );
        for warning in &record.warnings {
            println!(
                "    {}:{}: {}",
                warning.line, warning.column, warning.message
            );
        }
    }
    println!("{games} games, {differing} of {fields} fields differ");
    assert_eq!(files, READ_FURTHER);
}
