//! Compares cube formulas (Janowski's, Dahl's, and cubeless equity) with cubeful rollouts.
//!
//! Positions come from self-play of the evaluator, one per game, of several kinds. A cubeless rollout gives the
//! chances for the formulas, so that only the formulas are tested, not the evaluator's chances. Cubeful rollouts give
//! the values of the three cube states: centred, mine, and the opponent's. The player on roll does not double in this
//! turn.
//!
//! Both players decide by the current cube efficiencies.

use std::sync::Arc;

use rayon::prelude::*;

use crate::cube::{Cube, CubeContext, CubeEfficiencies, Model, dahl};
use crate::dice::{Dice, Purpose, StreamKey};
use crate::eval::efficiency_net::EfficiencyClass;
use crate::eval::{CandidateFilter, Evaluator, Probabilities, lookahead};
use crate::game::{CubeOwner, GameState, Position, Rules};
use crate::rollout::{
    CubeSettings, LuckKind, RolloutError, RolloutResult, Settings, Setup, run_blocking,
};

/// The compared cube states.
pub const STATES: [CubeOwner; 3] = [CubeOwner::Centred, CubeOwner::Mover, CubeOwner::Opponent];
/// Constant efficiencies that fit contact, races and bear-offs best.
const CONSTANTS: [f32; 3] = [0.73, 0.77, 0.73];
/// Range of winning chances: outside, the cube decides the game.
const WINS: [f32; 2] = [0.1, 0.9];
/// Maximum number of turns in a game.
const LONGEST_GAME: u32 = 400;

/// Results for one position.
#[derive(Clone, Copy, Debug)]
pub struct CubeCase {
    /// Before the roll.
    pub position: Position,
    pub kind: EfficiencyClass,
    /// Chances by the cubeless rollout.
    pub chances: Probabilities,
    /// Values of the rollouts in points of the present cube, in the order of [`STATES`], with their standard errors.
    pub live: [[f64; 2]; 3],
}

/// Errors of the four methods.
#[derive(Clone, Copy, Debug, Default)]
pub struct FormulaErrors {
    /// Number of values compared.
    pub n: u32,
    /// Mean absolute difference from the rollouts: Janowski with the current efficiencies, Janowski with
    /// [`CONSTANTS`], Dahl, and cubeless equity.
    pub mean: [f64; 4],
    /// Mean standard error of the rollouts.
    pub se: f64,
}

/// Returns `n` positions from self-play of `evaluator`; a sixth each are races and bear-offs, if games yield enough.
pub fn positions(evaluator: &dyn Evaluator, n: usize, seed: u64) -> Vec<Position> {
    const CLASSES: [EfficiencyClass; 3] = [
        EfficiencyClass::Contact,
        EfficiencyClass::Race,
        EfficiencyClass::Bearoff,
    ];
    let quota = [n - 2 * (n / 6), n / 6, n / 6];
    let mut counts = [0usize; 3];
    let mut kept: Vec<Position> = Vec::with_capacity(n);
    // Not every game has a position of the required kind; this limit is more than enough.
    for game in 0..(100 * n as u64) {
        let open = |k: &usize| counts[*k] < quota[*k];
        let turn = (game % 3) as usize;
        let Some(k) = (0..3).map(|i| (turn + i) % 3).find(open) else {
            break;
        };
        if let Some(position) = from_game(evaluator, CLASSES[k], seed, game) {
            counts[k] += 1;
            kept.push(position);
        }
    }
    kept
}

/// Returns a random position of this kind from game `game`.
fn from_game(
    evaluator: &dyn Evaluator,
    kind: EfficiencyClass,
    seed: u64,
    game: u64,
) -> Option<Position> {
    let key = StreamKey { seed, candidate: 0 };
    let mut dice = Dice::new(key, Purpose::Rolls, game);
    let mut position = Position::opening();
    let (mut kept, mut seen) = (None, 0u64);
    for _ in 0..LONGEST_GAME {
        if position.is_over() {
            break;
        }
        if EfficiencyClass::of(&position) == kind && evaluator.exact(&position).is_none() {
            let win = evaluator.probabilities_of(&position).win;
            if (WINS[0]..=WINS[1]).contains(&win) {
                seen += 1;
                if dice.tie_break().is_multiple_of(seen) {
                    kept = Some(position);
                }
            }
        }
        let roll = dice.roll();
        let filter = CandidateFilter::default();
        let plays = lookahead::candidates(evaluator, &position, roll, 0, filter, &|| false)?;
        position = plays.first()?.result;
    }
    kept
}

/// Rolls out all positions in parallel; calls `done` for each one.
///
/// # Errors
/// A [`RolloutError`] for invalid settings.
pub fn measure(
    evaluator: &Arc<dyn Evaluator>,
    positions: &[Position],
    trials: u64,
    seed: u64,
    done: &(dyn Fn() + Sync),
) -> Result<Vec<CubeCase>, RolloutError> {
    let case = |position: &Position| {
        let case = roll_out(evaluator, *position, trials, seed);
        done();
        case
    };
    positions.par_iter().map(case).collect()
}

fn roll_out(
    evaluator: &Arc<dyn Evaluator>,
    position: Position,
    trials: u64,
    seed: u64,
) -> Result<CubeCase, RolloutError> {
    let setup = Setup::from(Arc::clone(evaluator));
    let mut settings = Settings {
        seed,
        // More expensive than the luck net, but worth its price with the cube.
        luck: LuckKind::Lookahead(Some(0)),
        ..Settings::default()
    };
    settings.stop.trials = trials;
    let cubeless = run_blocking(&setup, &[position], &settings, &mut |_| true)?;
    let means = cubeless.candidates[0]
        .flipped()
        .probabilities
        .map(|p| p.mean as f32);
    // Variance-reduced chances near 0 may be slightly negative.
    let chances = Probabilities::from_array(means.map(|p| p.clamp(0.0, 1.0)));
    let mut values = |owner| -> Result<RolloutResult, RolloutError> {
        let state = GameState {
            owner,
            ..GameState::money(position)
        };
        settings.cube = Some(CubeSettings::of_decision(&state));
        run_blocking(&setup, &[position; 2], &settings, &mut |_| true)
    };
    let roller_equity = |result: &RolloutResult, candidate: usize| {
        let e = result.candidates[candidate].flipped().equity;
        [e.mean, e.se]
    };
    let (centred, mine) = (values(CubeOwner::Centred)?, values(CubeOwner::Mover)?);
    // The value is on twice the cube.
    let theirs = roller_equity(&centred, 1).map(|x| x / 2.0);
    Ok(CubeCase {
        position,
        kind: EfficiencyClass::of(&position),
        chances,
        live: [roller_equity(&centred, 0), roller_equity(&mine, 0), theirs],
    })
}

impl CubeCase {
    /// Values by Janowski's formula with these efficiencies, in the order of [`STATES`].
    fn janowski(&self, efficiencies: CubeEfficiencies) -> [f64; 3] {
        let context = CubeContext::money(Rules::default());
        let cubeful = context.cubeful_values(&self.chances, efficiencies, 0);
        STATES.map(|owner| f64::from(cubeful.no_double(Cube { level: 0, owner })))
    }

    /// Values by Dahl's formula: a centred cube has the value of both players' cubes.
    fn dahl(&self) -> [f64; 3] {
        let c = &self.chances;
        let centred = c.equity() + dahl::cube_value(c) - dahl::cube_value(&c.flipped());
        [centred, dahl::holding(c), dahl::facing(c)].map(f64::from)
    }
}

/// Errors of the four methods over these cases, for one cube state or all.
pub fn errors(cases: &[&CubeCase], model: &Model, state: Option<usize>) -> FormulaErrors {
    let mut errors = FormulaErrors::default();
    for case in cases {
        let ways = [
            case.janowski(model.efficiency.of(&case.position, &case.chances, false)),
            case.janowski(CONSTANTS[case.kind as usize].into()),
            case.dahl(),
            [f64::from(case.chances.equity()); 3],
        ];
        for (s, [live, se]) in case.live.iter().enumerate() {
            if state.is_some_and(|only| only != s) {
                continue;
            }
            errors.n += 1;
            errors.se += se;
            for (sum, way) in errors.mean.iter_mut().zip(&ways) {
                *sum += (way[s] - live).abs();
            }
        }
    }
    let n = f64::from(errors.n.max(1));
    errors.mean = errors.mean.map(|sum| sum / n);
    errors.se /= n;
    errors
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::Efficiency;

    /// Values computed by Janowski's formula have no error by it, but one by the others.
    #[test]
    fn errors_are_those_of_each_way() {
        let case = |win: f32| {
            let mut case = CubeCase {
                position: Position::opening(),
                kind: EfficiencyClass::Contact,
                chances: Probabilities {
                    win,
                    win_gammon: 0.3 * win,
                    lose_gammon: 0.2 * (1.0 - win),
                    ..Probabilities::default()
                },
                live: [[0.0; 2]; 3],
            };
            case.live = case.janowski(0.6.into()).map(|v| [v, 0.01]);
            case
        };
        let cases = [0.3, 0.45, 0.6, 0.7].map(case);
        let cases: Vec<&CubeCase> = cases.iter().collect();
        let model = Model {
            efficiency: Efficiency::Constant(0.6),
            ..Model::default()
        };
        let all = errors(&cases, &model, None);
        assert_eq!(all.n, 12);
        let [right, constant, dahl, cubeless] = all.mean;
        assert!(right < 1e-6 && constant > 0.005 && dahl > 0.01 && cubeless > dahl);
        assert_eq!(errors(&cases, &model, Some(1)).n, 4);
    }
}
