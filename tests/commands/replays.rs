//! Trials of a comparison, looked into from outside.

use serde_json::Value;

use crate::common::{OPENING, json, number, stdout};

const PLAYS: [&str; 2] = ["24/20 13/10", "13/10 13/9"];

/// The arguments of a comparison of the two plays.
fn compare<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let own = ["compare", OPENING, "--dice", "43", PLAYS[0], PLAYS[1]];
    let kept = ["--no-store"];
    own.into_iter()
        .chain(more.iter().copied())
        .chain(kept)
        .collect()
}

/// One trial of two plays, side by side: the same ranks under matched ranks, the same rolls under the same
/// dice, and the results that the comparison itself had.
#[test]
fn both_games_of_a_compared_trial_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("trials.csv");
    for coupling in ["rank", "dice"] {
        let coupled = ["--coupling", coupling, "--truncate", "9", "--trials", "36"];
        let file = csv.to_str().unwrap();
        json(&compare(
            &[&coupled[..], &["--trials-out", file, "--json"]].concat(),
        ));
        let text = std::fs::read_to_string(&csv).unwrap();
        std::fs::remove_file(&csv).unwrap();
        let row = |line: &str| {
            let (figures, play) = line.rsplit_once(',').unwrap();
            let row: Vec<f64> = figures.split(',').map(|x| x.parse().unwrap()).collect();
            assert_eq!(play, PLAYS[row[1] as usize]);
            row
        };
        let rows: Vec<Vec<f64>> = text.lines().skip(1).map(row).collect();
        for trial in ["0", "3"] {
            let shown = json(&compare(
                &[&coupled[..], &["--replay", trial, "--json"]].concat(),
            ));
            assert_eq!(shown["coupling"], coupling);
            let candidates = shown["candidates"].as_array().unwrap();
            let mut reduced = [0.0; 2];
            for (i, candidate) in candidates.iter().enumerate() {
                assert_eq!(candidate["play"], PLAYS[i]);
                reduced[i] = number(&candidate["result"]["variance_reduced"]);
                let is_own = |r: &&Vec<f64>| r[0].to_string() == trial && r[1] == i as f64;
                assert_eq!(rows.iter().find(is_own).unwrap()[3], reduced[i]);
            }
            let difference = &shown["difference"];
            assert_eq!(
                number(&difference["variance_reduced"]),
                reduced[0] - reduced[1]
            );
            assert_turns_match(candidates, coupling);
        }
        let text = stdout(&compare(&[&coupled[..], &["--replay", "3"]].concat()));
        let [a, b] = PLAYS.map(|play| text.contains(&format!("trial 3 of {play}: ended at")));
        assert!(a && b && text.contains("a less b"), "{text}");
    }
    let three = compare(&[
        "24/20 24/21",
        "--coupling",
        "rank",
        "--replay",
        "1",
        "--truncate",
        "3",
    ]);
    assert_eq!(stdout(&three).matches("trial 1 of ").count(), 3);
}

/// The turns of two games that are played side by side have what the coupling promises.
fn assert_turns_match(candidates: &[Value], coupling: &str) {
    let turns = |i: usize| candidates[i]["turns"].as_array().unwrap().iter();
    let mut seen = 0;
    for (a, b) in turns(0).zip(turns(1)) {
        assert_eq!(a["own"], b["own"]);
        if coupling == "dice" {
            assert_eq!(a["dice"], b["dice"]);
            assert!(a["drawn_rank"].is_null());
        } else {
            let drawn = number(&a["drawn_rank"]);
            assert_eq!(drawn, number(&b["drawn_rank"]));
            for turn in [a, b] {
                let [first, last] = [0, 1].map(|end| number(&turn["ranks"][end]));
                assert!((first..=last).contains(&drawn), "{turn}");
            }
        }
        seen += 1;
    }
    assert!(seen > 2);
}
