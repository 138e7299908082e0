//! Checks that results agree with [`RESULTS_DIGEST`], for small tasks of every stored kind.

mod damaged_files;
mod tables;

use std::sync::Arc;

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::cube::Model;
use crate::cube::dahl::Settlement;
use crate::dice::DiceSource;
use crate::eval::{CandidateFilter, Engine, Evaluator};
use crate::game::{GameState, MatchScore, Position, Roll, Rules};
use crate::match_file;
use crate::review::report::build::build;
use crate::review::report::context::ReportContext;
use crate::review::{Thresholds, analyse_match};
use crate::rollout::{
    Allocation, Coupling, CubeSettings, LuckKind, RESULTS_DIGEST, Settings, Setup, StopRules,
    run_blocking,
};

/// A match with plays, doubles and a short race.
const MATCH: &[u8] = include_bytes!("../../tests/fixtures/mat/three_points.mat");

/// Writes a document with numbers to six places; smaller differences may come from the machine.
fn write(value: &Value, to: &mut String) {
    match value {
        Value::Number(number) => {
            let number = number.as_f64().unwrap_or(f64::NAN);
            let text = format!("{number:.6}");
            let zero = text.trim_matches(['-', '0', '.']).is_empty();
            to.push_str(if zero { "0" } else { &text });
        }
        Value::Array(all) => all.iter().for_each(|v| write(v, to)),
        Value::Object(all) => {
            let is_reported = |key: &&String| {
                !["seconds", "cpu_seconds", "results", "evaluator", "engine"].contains(&&***key)
            };
            for key in all.keys().filter(is_reported) {
                to.push_str(key);
                write(&all[key], to);
            }
        }
        other => to.push_str(&other.to_string()),
    }
    to.push(' ');
}

fn trials(n: u64) -> StopRules {
    StopRules {
        trials: n,
        ..StopRules::default()
    }
}

/// Rollouts of each kind: with cube, score, coupling, luck and allocation.
fn rollouts() -> Vec<(Vec<Position>, Settings)> {
    let points = |mover: &[_], other: &[_]| Position::from_points(mover, other).unwrap();
    let middle = points(
        &[(13, 4), (8, 3), (6, 4), (5, 2), (24, 2)],
        &[(13, 5), (8, 3), (6, 5), (24, 2)],
    );
    let race = points(&[(6, 3), (5, 3), (3, 2)], &[(6, 2), (5, 3), (4, 2)]);
    let last = points(&[(3, 1), (2, 2)], &[(4, 1), (1, 1)]);
    let (a, b, c) = (Position::opening(), middle, middle.flipped());
    let at = |mine: u16, theirs: u16| GameState {
        score: MatchScore {
            length: 7,
            mover: 7 - mine,
            opponent: 7 - theirs,
            crawford: false,
        },
        ..GameState::money(a)
    };
    let cube = |state: &GameState| Some(CubeSettings::before_roll(state));
    let base = Settings {
        horizon: Some(6),
        stop: trials(36),
        ..Settings::default()
    };
    let ranks = Settings {
        coupling: Coupling::Rank,
        luck: LuckKind::Net,
        luck_bound: Some(0.3),
        ..base.clone()
    };
    let race_of_three = Settings {
        allocation: Allocation::Race,
        cube: cube(&GameState::money(a)),
        luck: LuckKind::Net,
        stop: trials(108),
        ..base.clone()
    };
    let adaptive = Settings {
        allocation: Allocation::Adaptive,
        cube: None,
        ..race_of_three.clone()
    };
    let decision = Settings {
        ply: 1,
        horizon: Some(2),
        cube: cube(&at(3, 5)).map(|cube| CubeSettings {
            decision: true,
            ..cube
        }),
        ..base.clone()
    };
    let played_out = |mine, theirs| Settings {
        horizon: None,
        stop_at_known: false,
        luck: LuckKind::None,
        dice_source: DiceSource::Decks,
        cube: cube(&at(mine, theirs)),
        ..base.clone()
    };
    let settled = Settings {
        settlement: Some(Settlement::default()),
        horizon: None,
        ..base.clone()
    };
    let jacoby = Settings {
        cube: cube(&GameState {
            rules: Rules {
                jacoby: true,
                ..Rules::default()
            },
            ..GameState::money(b)
        }),
        ..base.clone()
    };
    let hit = points(&[(18, 1)], &[(25, 1)]);
    let three_left = points(&[(9, 1), (5, 1)], &[(25, 1)]);
    // The static evaluation passes the double that follows; two plies take it.
    let primes = points(
        &[(13, 2), (8, 2), (7, 2), (6, 2), (5, 2), (4, 2), (3, 1)],
        &[
            (24, 1),
            (9, 1),
            (8, 2),
            (7, 2),
            (6, 2),
            (5, 2),
            (4, 2),
            (3, 2),
            (1, 1),
        ],
    );
    let doubled = Settings {
        cube: cube(&GameState::money(primes)),
        ..base.clone()
    };
    vec![
        (vec![primes], doubled),
        (vec![three_left], played_out(3, 3)),
        (vec![race], settled),
        (vec![b], jacoby),
        (vec![b], played_out(4, 1)),
        (vec![hit], played_out(1, 3)),
        (vec![a, b], ranks),
        (vec![a, b, c], race_of_three),
        (vec![a, b, c], adaptive),
        (vec![b, b], decision),
        (vec![race], played_out(2, 4)),
        (vec![last, last.flipped()], played_out(6, 1)),
        (vec![last], base),
    ]
}

/// The equities of all plays of a roll with six checkers left in contact.
fn few_left(engine: &dyn Evaluator, model: &Model) -> Vec<f32> {
    let position = Position::from_points(&[(15, 1), (8, 1), (4, 2)], &[(15, 1), (1, 1)]).unwrap();
    let (state, filter) = (GameState::money(position), CandidateFilter::default());
    let roll = Roll::new(4, 1).unwrap();
    let all = model.candidates(engine, &state, roll, 2, filter, &|| false);
    all.unwrap().iter().map(|one| one.cubeful).collect()
}

/// Removes counts from a report that were added later. They follow from its games, and are computed when older
/// reviews are read.
fn without_later_counts(mut report: Value) -> Value {
    for player in report["players"].as_array_mut().unwrap() {
        let counts = player.as_object_mut().unwrap().remove("cube_errors");
        assert!(counts.is_some());
    }
    report
}

fn digest() -> String {
    let engine: Arc<dyn Evaluator> = Arc::new(Engine::embedded());
    let setup = Setup::from(engine.clone());
    let mut text = String::new();
    for (starts, settings) in rollouts() {
        let mut last = None;
        let result = run_blocking(&setup, &starts, &settings, &mut |look| {
            last = Some(look.progress());
            true
        });
        result.unwrap();
        let progress = serde_json::to_value(last.unwrap()).unwrap();
        write(&progress, &mut text);
    }
    let record = match_file::read_bytes(MATCH, "x.mat").unwrap();
    let model = Model::standard();
    let analysed = analyse_match(&*engine, model, &record, 1, &|| false).unwrap();
    let setting = ReportContext {
        engine: "",
        model,
        ply: 1,
        thresholds: Thresholds::default(),
        rollouts: None,
    };
    let report = build(&record, &analysed, &setting);
    write(
        &without_later_counts(serde_json::to_value(report).unwrap()),
        &mut text,
    );
    write(&Value::from(few_left(&*engine, model)), &mut text);
    let digest = Sha256::digest(text);
    digest[..4].iter().map(|b| format!("{b:02x}")).collect()
}

/// If this fails, results have changed and stored results are outdated: write the digest from the message into
/// `RESULTS_DIGEST`.
#[test]
fn results_are_those_that_kept_ones_are_found_by() {
    assert_eq!(
        digest(),
        RESULTS_DIGEST,
        "results have changed: write the digest on the left into crates/engine/src/rollout/run/results_digest.rs"
    );
}
