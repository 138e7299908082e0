use std::sync::LazyLock;

use proptest::prelude::*;

use super::*;
use crate::eval::{Candidate, Engine};
use crate::game::roll::ORDERED;
use crate::game::{CubeOwner, MatchScore, PlayList};

/// Shared, because unpacking the nets takes longer than a comparison.
static ENGINE: LazyLock<Engine> = LazyLock::new(Engine::embedded);

fn never() -> bool {
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

/// A position after random play, with a roll and two of its plays.
fn somewhere(mut seed: u64, plies: usize) -> Option<(GameState, [Play; 2])> {
    let mut next = |n: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % n
    };
    let mut position = Position::opening();
    let mut list = PlayList::new();
    for _ in 0..plies {
        list.generate(&position, Roll::ordered(next(ORDERED)));
        let after = list.results()[next(list.len())];
        if after.is_over() {
            break;
        }
        position = after;
    }
    list.generate(&position, Roll::ordered(next(ORDERED)));
    let first = next(list.len());
    let second = (first + 1) % list.len();
    (first != second).then(|| {
        let plays = [first, second].map(|i| list.plays()[i]);
        (GameState::money(position), plays)
    })
}

fn compared(state: GameState, plays: [Play; 2], ply: u8, cubeful: bool) -> PlayComparison {
    let setup = ComparisonSetup {
        evaluator: &*ENGINE,
        model: Model::standard(),
        state,
        cubeful,
        ply,
    };
    PlayComparison::new(&setup, plays, &never).unwrap()
}

/// The mean of the cells over the 36 rolls.
fn mean(play: &PlayRolls) -> f64 {
    let cells = Roll::ALL.iter().zip(&play.rolls);
    let sum: f64 = cells
        .map(|(roll, cell)| f64::from(roll.weight()) * f64::from(cell.equity))
        .sum();
    sum / ORDERED as f64
}

fn opening_31() -> (GameState, [Play; 2]) {
    let state = GameState::money(Position::opening());
    let roll = Roll::new(3, 1).unwrap();
    let play = |text| crate::notation::parse_play(text, &state.position, roll).unwrap();
    (state, [play("8/5 6/5"), play("24/23 13/10")])
}

/// The chances and the equity of a play by lookahead.
fn looked(state: &GameState, play: Play, ply: u8, cubeful: bool) -> (Probabilities, f32) {
    let result = play.apply(&state.position);
    if !cubeful {
        let chances = lookahead::evaluate(&*ENGINE, &result, ply, &never).unwrap();
        let chances = chances.flipped();
        return (chances, chances.equity());
    }
    let candidate = Candidate {
        play,
        result,
        probabilities: Probabilities::default(),
        equity: 0.0,
        ply: 0,
    };
    let model = Model::standard();
    let found = model
        .analyse(&*ENGINE, state, candidate, ply, &never)
        .unwrap();
    (found.candidate.probabilities, found.cubeful)
}

#[test]
fn figures_are_those_of_the_lookahead() {
    let (mut state, plays) = opening_31();
    for (ply, cubeful, score) in [
        (0, false, MatchScore::MONEY),
        (0, true, MatchScore::MONEY),
        (1, false, MatchScore::MONEY),
        (1, true, score(7, 2, 4)),
    ] {
        state.score = score;
        let found = compared(state, plays, ply, cubeful);
        for side in [&found.a, &found.b] {
            let (chances, equity) = looked(&state, side.play, ply + 1, cubeful);
            assert_eq!(side.equity, equity, "{ply} {cubeful}");
            assert_eq!(side.chances, chances);
            // The lookahead sums 21 values of 32 bits in sequence.
            let off = (mean(side) - f64::from(equity)).abs();
            assert!(off < 21.0 * f64::from(f32::EPSILON), "{off:e}");
            assert!(side.rolls.iter().all(|cell| cell.reply.is_some()));
        }
        assert!(found.difference() > 0.1, "the five point is made");
        assert_eq!(found.split.cube.is_some(), cubeful);
        let (better, of_36) = found.better();
        assert!(better.len() > 15 && of_36 > 25, "{better:?}");
    }
}

#[test]
fn a_double_before_the_roll_is_seen() {
    // An almost lost race: the opponent doubles, and the double is passed or taken.
    let position = Position::from_points(&[(6, 3), (5, 3), (4, 2)], &[(2, 4), (1, 2)]).unwrap();
    let state = GameState::money(position);
    let list = PlayList::of(&position, Roll::new(2, 1).unwrap());
    let found = compared(state, [0, 1].map(|i| list.plays()[i]), 0, true);
    assert_eq!(found.a.answer, Some(CubeChoice::Pass));
    assert!(
        found
            .a
            .rolls
            .iter()
            .all(|cell| cell.equity == -1.0 && cell.reply.is_none())
    );
    assert_eq!(found.difference(), 0.0);
    assert_eq!(found.better().1, 0);
}

#[test]
fn a_play_that_ends_the_game_has_no_replies() {
    let position = Position::from_points(&[(1, 1)], &[(6, 5), (5, 5), (4, 5)]).unwrap();
    let list = PlayList::of(&position, Roll::new(2, 1).unwrap());
    let off = list.plays()[0];
    let found = compared(GameState::money(position), [off, off], 1, false);
    assert_eq!((found.a.equity, mean(&found.a)), (2.0, 2.0));
    assert_eq!(found.a.rolls[3].reply, None);
}

#[test]
fn a_comparison_can_be_cancelled() {
    let (state, plays) = opening_31();
    for cubeful in [false, true] {
        let setup = ComparisonSetup {
            evaluator: &*ENGINE,
            model: Model::standard(),
            state,
            cubeful,
            ply: 2,
        };
        assert_eq!(PlayComparison::new(&setup, plays, &|| true), None);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn maps_have_the_mean_of_the_play_and_parts_add_up(
        seed in any::<u64>(),
        plies in 0..90usize,
        cubeful in any::<bool>(),
        away in prop::option::of((1..9u16, 1..9u16)),
        cube in 0..3u32,
    ) {
        let Some((mut state, plays)) = somewhere(seed, plies) else {
            return Ok(());
        };
        if let Some((mine, theirs)) = away {
            state.score = score(9, 9 - mine, 9 - theirs);
        }
        if cube > 0 {
            state.cube = 2;
            state.owner = [CubeOwner::Mover, CubeOwner::Opponent][cube as usize - 1];
        }
        let found = compared(state, plays, 0, cubeful);
        // Near a certain gammon, rounding of chances matters more in points of a match.
        let close = if away.is_some() { 1e-4 } else { 1e-5 };
        for side in [&found.a, &found.b] {
            prop_assert!((mean(side) - f64::from(side.equity)).abs() < close);
            let result = side.result;
            if !result.is_over() {
                // Small bearoffs are exact, but their means are rounded.
                let (_, equity) = looked(&state, side.play, 1, found.cubeful);
                prop_assert!((side.equity - equity).abs() < 2e-4, "{} {equity}", side.equity);
            }
        }
        let whole = f64::from(found.a.equity) - f64::from(found.b.equity);
        prop_assert!((found.difference() - whole).abs() < 1e-6);
        let weighted: f64 = (0..DISTINCT)
            .map(|i| f64::from(Roll::ALL[i].weight()) * found.after(i))
            .sum();
        prop_assert!((weighted / ORDERED as f64 - whole).abs() < 2e-5);
        let turned = compared(state, [plays[1], plays[0]], 0, cubeful);
        prop_assert_eq!(&turned.a, &found.b);
        prop_assert_eq!(turned.better(), found.worse());
        prop_assert!((turned.difference() + found.difference()).abs() < 1e-12);
        prop_assert!(found.better().1 + found.worse().1 <= ORDERED as u32);
    }
}

/// Under the Jacoby rule gammons do not count while the cube is centred: their value after a double belongs
/// to the cube's part. Without the cube they count.
#[test]
fn gammons_count_as_the_cube_stands() {
    let (mut state, plays) = opening_31();
    state.rules.jacoby = true;
    let parts = |state: GameState, cubeful| {
        let split = compared(state, plays, 0, cubeful).split;
        (split.gammons == 0.0 && split.backgammons == 0.0, split)
    };
    let (are_none, split) = parts(state, true);
    assert!(are_none, "{split:?}");
    let found = compared(state, plays, 0, true);
    let whole = f64::from(found.a.equity) - f64::from(found.b.equity);
    assert!((split.total() - whole).abs() < 1e-6, "{split:?}");
    assert!(!parts(state, false).0, "without the cube");
    (state.cube, state.owner) = (2, CubeOwner::Mover);
    assert!(!parts(state, true).0, "on a cube that was turned");
}
