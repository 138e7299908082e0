//! Whole files: dialects, damage, hostile bytes, and round trips.

use super::*;

/// Compares what is read of every file of a corpus kept outside the project with what another
/// reader found, and prints where they differ. `LUCKLESS_CORPUS` names a folder with the files and
/// an `expected.json`; without it there is nothing to compare.
#[test]
fn agrees_with_the_corpus_of_another_reader() {
    let Some(folder) = std::env::var_os("LUCKLESS_CORPUS") else {
        return;
    };
    let folder = Path::new(&folder);
    let expected = std::fs::read_to_string(folder.join("expected.json")).unwrap();
    let expected: serde_json::Value = serde_json::from_str(&expected).unwrap();
    let (mut games, mut fields, mut differing) = (0, 0, 0);
    for (file, wanted) in expected.as_object().unwrap() {
        let record = match read(&folder.join(file)) {
            Ok(record) => record,
            Err(error) => {
                println!("{file}: {error}");
                continue;
            }
        };
        let found = serde_json::to_value(Summary::new(&record)).unwrap();
        let pairs = [
            ("score", "score"),
            ("rolls", "rolls"),
            ("doubles", "doubles"),
            ("takes", "takes"),
            ("drops", "drops"),
            ("winner", "winner"),
            ("points", "points_written"),
            ("final_position_id", "final_position_id"),
        ];
        let mut notes = Vec::new();
        let wanted_games = wanted["games"].as_array().unwrap();
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
}
