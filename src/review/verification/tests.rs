use super::*;
use crate::eval::Engine;
use crate::game::CubeOwner;
use crate::match_file::analysis::PlayVerdict;
use crate::match_file::read_bytes;
use crate::notation::parse_play;
use crate::review::analyse_match;

const MATCH: &[u8] = include_bytes!("../../../tests/fixtures/mat/three_points.mat");

/// What a file claims that has 24/23 13/10 for the best play of the first roll, and this of the one that was made.
fn claim(level: &str, error: Option<f64>) -> Claim {
    let mut record = read_bytes(MATCH, "x.mat").unwrap();
    let engine = Engine::embedded();
    let model = Model::standard();
    let analysed = analyse_match(&engine, model, &record, 0, &|| false).unwrap();
    let state = &analysed[0].turn.before.state;
    let verdict = |text, level: &str, equity| PlayVerdict {
        play: parse_play(text, &state.position, state.roll.unwrap()).unwrap(),
        level: level.to_owned(),
        equity,
        chances: None,
    };
    let plays = vec![
        verdict("24/23 13/10", "3-ply", 0.2),
        verdict("8/5 6/5", level, 0.15),
    ];
    let mut analysis = Analysis::of("another program", plays);
    (analysis.played, analysis.error) = (Some(1), error);
    record.analyses.insert(0, 0, analysis);
    let lookahead = Lookahead {
        evaluator: &engine,
        model,
        ply: 0,
    };
    let all = claims(&record, &analysed, &lookahead);
    assert_eq!(all.len(), 1);
    all[0].claim.clone()
}

#[test]
fn an_error_costs_what_the_file_says_where_its_equities_do_not_compare() {
    let claimed = |level, error| claim(level, error).claimed;
    assert_eq!(claimed("1-ply", Some(0.06)), Some(0.06));
    assert_eq!(claimed("1-ply", None), None);
    let alike = claimed("3-ply", Some(0.06)).unwrap();
    assert!((alike - 0.05).abs() < 1e-12, "{alike}");
}

/// What is written as 0.020 is an error, as everywhere.
#[test]
fn an_error_is_one_as_it_is_written() {
    assert!(claim("3-ply", Some(0.0196)).is_error);
    assert!(!claim("3-ply", Some(0.0194)).is_error);
}

#[test]
fn a_cube_of_ones_own_is_redoubled() {
    let mut claim = claim("3-ply", None);
    claim.question = Question::Double;
    claim.actions = Some([CubeChoice::NoDouble, CubeChoice::Double]);
    claim.state.roll = None;
    let play = |_: &Play| String::new();
    let names = ["no double", "double"];
    assert_eq!(claim.words(&play), names);
    (claim.state.cube, claim.state.owner) = (2, CubeOwner::Mover);
    assert_eq!(claim.words(&play), ["no redouble", "redouble"]);
    // The machine output has one name for both.
    assert_eq!(claim.choices(&play), names);
}
