use super::*;
use crate::cube::{CubeAction, Efficiency};
use crate::eval::Engine;
use crate::eval::bearoff::recursion::Recursion;
use crate::eval::bearoff::two_sided::TwoSided;
use crate::eval::lookahead::evaluate;
use crate::game::{CubeOwner, MatchScore, PlayList};
use std::sync::Arc;

fn no() -> bool {
    false
}

fn score(length: u16, mover: u16, opponent: u16) -> MatchScore {
    MatchScore {
        length,
        mover,
        opponent,
        crawford: false,
    }
}

/// At double match point, with dead cubes, the lookahead gives the cubeless winning chance.
#[test]
fn at_double_match_point_only_wins_count() {
    let engine = Engine::embedded();
    let mut state = GameState::money(Position::opening());
    state.score = score(5, 4, 4);
    for ply in 0..=1 {
        let decision = Model::standard().decide(&engine, &state, ply, &no).unwrap();
        assert_eq!(decision.action, CubeAction::NoDouble);
        let chances = evaluate(&engine, &state.position, ply, &no).unwrap();
        let mwc = decision.mwc.unwrap();
        // Plays chosen for wins win at least as often as plays chosen for equity.
        assert!(mwc.no_double > chances.win - 1e-3, "{mwc:?} {chances:?}");
        assert!((mwc.no_double - chances.win).abs() < 0.03);
    }
}

/// A lookahead of one ply at a bearoff inside the table gives the table's own values, since the table is
/// closed under rolling.
#[test]
fn one_ply_over_exact_values_is_exact() {
    let table = TwoSided::compute(3, &mut |_| true).unwrap();
    let engine = Engine::embedded();
    // A model with a table of bearoffs.
    let model = Model {
        bearoff: Some(Arc::new(table.clone())),
        ..Model::default()
    };
    for (mine, theirs) in [
        ([(5, 1), (2, 1)], [(5, 1), (2, 1)]),
        ([(6, 1), (5, 1)], [(6, 1), (5, 1)]),
        ([(6, 1), (1, 1)], [(4, 1), (1, 1)]),
    ] {
        let position = Position::from_points(&mine, &theirs).unwrap();
        let [_, own, centred, facing] = table.values(&position).unwrap();
        for (owner, value) in [
            (CubeOwner::Mover, own),
            (CubeOwner::Centred, centred),
            (CubeOwner::Opponent, facing),
        ] {
            let mut state = GameState::money(position);
            (state.owner, state.cube) = (owner, 4);
            let look = model.lookahead(&engine, &state, &no);
            let mut cubes = Cubes::NONE;
            let (at, unit) = look.ask(&mut cubes, 0, Cube::of(&state));
            assert_eq!(unit, 4.0);
            // Computed from the rolls by hand, without the table's value at the root.
            let mut sum = 0.0;
            let mut list = PlayList::new();
            for roll in Roll::ALL {
                list.generate(&position, roll);
                let best = list.results().iter().map(|result| {
                    let mut flipped = Cubes::NONE;
                    let (place, _) = look.ask(&mut flipped, 1, Cube::of(&state).flipped());
                    let (_, row) = look.deciding(1, result, &flipped, 0, None).unwrap();
                    -row[place]
                });
                sum += roll.weight() as f32 / 36.0 * best.fold(f32::MIN, f32::max);
            }
            assert!((sum - value).abs() < 1e-5, "{sum} {value}");
            let (_, row) = look.rolling(0, &position, &cubes, 1, None).unwrap();
            assert!((row[at] - value).abs() < 1e-6);
            let decision = model.decide(&engine, &state, 2, &no).unwrap();
            assert!((decision.no_double - value).abs() < 1e-5);
        }
    }
}

/// For positions outside the table, each ply of lookahead reduces the error. Seven checkers against seven,
/// with exact values by direct recursion.
#[test]
fn deeper_looks_are_nearer_to_the_truth() {
    let engine = Engine::embedded();
    let position = Position::from_points(&[(2, 2), (1, 5)], &[(2, 1), (1, 6)]).unwrap();
    let state = GameState::money(position);
    let [_, _, centred, facing] = Recursion::new().values(&position);
    let off = |ply| {
        let d = Model::standard().decide(&engine, &state, ply, &no).unwrap();
        let take = d.double_take.unwrap();
        (f64::from(d.no_double) - centred).abs() + (f64::from(take) - 2.0 * facing).abs()
    };
    let errors = [0, 1, 2].map(off);
    assert!(errors[2] < 0.7 * errors[0], "{errors:?}");
}

/// Ahead in a match, a gammon may have no value: the ranking follows the score.
#[test]
fn plays_are_ranked_by_what_counts_at_the_score() {
    let engine = Engine::embedded();
    let model = Model::standard();
    let position = Position::opening();
    let mut state = GameState::money(position);
    state.score = score(3, 2, 2);
    let roll = Roll::new(5, 2).unwrap();
    let filter = CandidateFilter::default();
    let all = model
        .candidates(&engine, &state, roll, 0, filter, &no)
        .unwrap();
    assert!(all.is_sorted_by(|a, b| a.cubeful >= b.cubeful));
    // Double match point: plays are ordered by winning chance.
    assert!(
        all.is_sorted_by(|a, b| a.candidate.probabilities.win >= b.candidate.probabilities.win)
    );
    for one in &all {
        let win = one.candidate.probabilities.win;
        assert!((one.mwc.unwrap() - win).abs() < 1e-5);
        assert!((one.cubeful - (2.0 * win - 1.0)).abs() < 1e-4);
    }
    let deeper = model
        .candidates(&engine, &state, roll, 1, filter, &no)
        .unwrap();
    assert_eq!(deeper.len(), all.len());
    assert_eq!(deeper[0].candidate.ply, 1);
    let analysed = model
        .analyse(&engine, &state, deeper[0].candidate, 1, &no)
        .unwrap();
    assert_eq!(analysed, deeper[0]);
}

#[test]
fn cancelled_work_returns_nothing() {
    let engine = Engine::embedded();
    let state = GameState::money(Position::opening());
    let model = Model::standard();
    assert!(model.decide(&engine, &state, 1, &|| true).is_none());
    let roll = Roll::new(3, 1).unwrap();
    let filter = CandidateFilter::default();
    assert!(
        model
            .candidates(&engine, &state, roll, 2, filter, &|| true)
            .is_none()
    );
}

/// The model's efficiency is used: a livelier cube makes owning it worth more.
#[test]
fn the_cube_efficiency_can_be_replaced() {
    let engine = Engine::embedded();
    let mut state = GameState::money(Position::opening());
    (state.owner, state.cube) = (CubeOwner::Mover, 2);
    let value = |x| {
        let model = Model {
            efficiency: Efficiency::Constant(x),
            ..Model::default()
        };
        model.decide(&engine, &state, 0, &no).unwrap().no_double
    };
    assert!(value(0.2) < value(0.5) && value(0.5) < value(0.9));
}

/// If every play is followed by a double and a pass, all have the same cubeful equity; those with better
/// cubeless equity still come first, and are analysed deeper.
#[test]
fn plays_that_lose_to_a_double_alike_go_by_cubeless_equity() {
    let engine = Engine::embedded();
    let position = Position::from_points(
        &[(8, 3), (7, 4), (6, 4), (5, 4)],
        &[(6, 5), (5, 5), (4, 3), (3, 2)],
    )
    .unwrap();
    let state = GameState::money(position);
    let roll = Roll::ALL[1];
    let filter = CandidateFilter::default();
    let model = Model::standard();
    let all = model.candidates(&engine, &state, roll, 0, filter, &no);
    let all = all.unwrap();
    let lost: Vec<f32> = all
        .iter()
        .filter(|c| c.cubeful == all[0].cubeful)
        .map(|c| c.candidate.equity)
        .collect();
    assert!(all[0].cubeful == -1.0 && lost.len() > 2, "{all:?}");
    assert!(lost.is_sorted_by(|a, b| a >= b) && lost[0] > lost[lost.len() - 1]);
}

/// No roll saves this gammon, which loses the match: differences between the plays are errors of the
/// evaluator. The plays are ties, and the one that saves the backgammon is chosen at any depth.
#[test]
fn plays_of_a_lost_gammon_go_by_cubeless_equity() {
    let engine = Engine::embedded();
    let position = crate::notation::parse_id("OQAAwNkOCzAAAA")
        .unwrap()
        .position;
    let mut state = GameState::money(position);
    (state.owner, state.cube) = (CubeOwner::Mover, 2);
    state.score = score(7, 5, 4);
    let roll = Roll::new(6, 3).unwrap();
    for ply in [0, 1] {
        let filter = CandidateFilter::default();
        let all = Model::standard().candidates(&engine, &state, roll, ply, filter, &no);
        let all = all.unwrap();
        let chances = |c: &CubefulCandidate| c.candidate.probabilities;
        assert!(all.len() > 10 && all.iter().all(|c| chances(c).lose_gammon > 0.998));
        let equities = all.iter().filter(|c| c.candidate.ply == ply);
        let best = equities
            .map(|c| c.candidate.equity)
            .fold(f32::MIN, f32::max);
        assert_eq!(all[0].candidate.equity, best, "{ply}");
        assert!(chances(&all[0]).lose_backgammon < 0.01);
    }
}
