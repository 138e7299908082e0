//! Compares two plays: their chances, the parts of the difference, and the result after each next roll of the
//! opponent.

use rayon::prelude::*;
use serde::Serialize;

use super::{BoardFacts, RollRank};
use crate::cube::{Cube, CubeChoice, CubeContext, Model};
use crate::eval::{Evaluator, Probabilities, Rolls, lookahead};
use crate::game::roll::{self, DISTINCT};
use crate::game::{GameState, Play, Position, Roll};

/// Smaller differences of rolls, in points, are displayed as zero and favour neither play.
pub const EVEN: f64 = 5e-5;

/// The settings of a comparison.
#[derive(Clone, Copy)]
pub struct ComparisonSetup<'a> {
    pub evaluator: &'a dyn Evaluator,
    /// The model of cubeful equities.
    pub model: &'a Model,
    /// The state before the plays, seen by the player to move.
    pub state: GameState,
    /// Equities include cube and score. In a match they always do.
    pub cubeful: bool,
    /// Plies of lookahead after each reply; the plays themselves have one more.
    pub ply: u8,
}

/// The result of one next roll after a play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RollCell {
    /// Equity for the player who made the play, in points of the present cube (EMG in a match).
    pub equity: f32,
    /// The opponent's best reply without lookahead. `None` if no roll follows: the game is over, or the
    /// opponent doubles and the double is passed.
    pub reply: Option<Play>,
}

/// A play and the results of the next rolls. Figures are for the player who makes the play.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayRolls {
    pub play: Play,
    /// The resulting position, seen by the opponent.
    pub result: Position,
    /// Facts about the resulting board.
    pub board: BoardFacts,
    /// Cubeless chances.
    pub chances: Probabilities,
    /// Equity in points of the present cube (EMG in a match), cubeful if the setup is.
    pub equity: f32,
    /// Match winning chance, in a match.
    pub mwc: Option<f32>,
    /// If cubeful: the opponent's cube action before the next roll, and the answer.
    pub answer: Option<CubeChoice>,
    /// The next rolls, in the order of [`Roll::ALL`].
    pub rolls: [RollCell; DISTINCT],
}

impl PlayRolls {
    /// Returns the luck of the opponent's next roll after this play, by the equities after the best replies.
    pub fn next_luck(&self, roll: Roll) -> RollRank {
        let values = self.rolls.each_ref().map(|cell| -cell.equity);
        RollRank::among(&values, roll)
    }
}

/// The parts of a difference of equities, in points. They add up to the difference.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct EquitySplit {
    /// By more wins, at 2 points each.
    pub wins: f64,
    /// By more gammons won or fewer lost, at their value at the score.
    pub gammons: f64,
    /// By more backgammons won or fewer lost, at their value at the score.
    pub backgammons: f64,
    /// By the cube: the remainder. `None` for cubeless comparisons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cube: Option<f64>,
}

impl EquitySplit {
    /// Returns the sum of all parts, in points.
    pub fn total(&self) -> f64 {
        self.wins + self.gammons + self.backgammons + self.cube.unwrap_or(0.0)
    }

    /// Returns the parts with their names, rounded to `digits` digits so that they add up to the rounded sum.
    pub fn rounded(&self, digits: u8) -> Vec<(&'static str, f64)> {
        let scale = 10f64.powi(i32::from(digits));
        let parts = [
            ("wins", self.wins),
            ("net gammons", self.gammons),
            ("net bg", self.backgammons),
        ];
        let cube = self.cube.map(|cube| ("cube", cube));
        let (mut sum, mut shown) = (0.0, 0.0);
        let round = |(name, part): (&'static str, f64)| {
            sum += part;
            let upto = (scale * sum).round() / scale;
            (name, upto - std::mem::replace(&mut shown, upto))
        };
        parts.into_iter().chain(cube).map(round).collect()
    }
}

/// Two compared plays. Differences are the first minus the second.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayComparison {
    pub a: PlayRolls,
    pub b: PlayRolls,
    /// The parts of the difference of equities.
    pub split: EquitySplit,
    /// Plies of lookahead after each reply.
    pub ply: u8,
    /// Equities include cube and score.
    pub cubeful: bool,
}

impl PlayComparison {
    /// Compares two plays. `None` if `cancelled` returned true.
    pub fn new(
        setup: &ComparisonSetup<'_>,
        plays: [Play; 2],
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Option<Self> {
        let (a, b) = rayon::join(
            || setup.play_rolls(plays[0], cancelled),
            || setup.play_rolls(plays[1], cancelled),
        );
        let (a, b) = (a?, b?);
        let level = Cube::of(&setup.state).level;
        let is_cubeful = setup.is_cubeful();
        // Under the Jacoby rule, gammons do not count before a double. Their value afterwards belongs to the
        // cube's part.
        let gammons = match is_cubeful && !setup.state.counts_gammons() {
            true => [[0.0; 2]; 2],
            false => gammon_points(&setup.context(), level),
        };
        let split = split(gammons, is_cubeful, [&a, &b]);
        Some(Self {
            a,
            b,
            split,
            ply: setup.ply,
            cubeful: is_cubeful,
        })
    }

    /// Returns the difference of the plays in points; positive if the first is better.
    pub fn difference(&self) -> f64 {
        self.split.total()
    }

    /// Returns the difference after a roll (an index in [`Roll::ALL`]), in points.
    pub fn after(&self, roll: usize) -> f64 {
        f64::from(self.a.rolls[roll].equity) - f64::from(self.b.rolls[roll].equity)
    }

    /// Returns the rolls, out of 21, after which the first play is better, and their number out of 36.
    pub fn better(&self) -> (Vec<Roll>, u32) {
        self.rolls_where(|difference| difference > EVEN)
    }

    /// Returns the rolls after which the second play is better, likewise.
    pub fn worse(&self) -> (Vec<Roll>, u32) {
        self.rolls_where(|difference| difference < -EVEN)
    }

    fn rolls_where(&self, is_wanted: impl Fn(f64) -> bool) -> (Vec<Roll>, u32) {
        let all = Roll::ALL.iter().enumerate();
        let rolls: Vec<Roll> = all
            .filter(|(i, _)| is_wanted(self.after(*i)))
            .map(|(_, r)| *r)
            .collect();
        let weight = rolls.iter().map(|roll| roll.weight()).sum();
        (rolls, weight)
    }
}

impl ComparisonSetup<'_> {
    fn is_cubeful(&self) -> bool {
        self.cubeful || !self.state.score.is_money()
    }

    fn context(&self) -> CubeContext {
        self.model.context(&self.state)
    }

    fn play_rolls(&self, play: Play, cancelled: &(dyn Fn() -> bool + Sync)) -> Option<PlayRolls> {
        let result = play.apply(&self.state.position);
        if let Some(points) = result.points() {
            return Some(self.over(play, result, -points));
        }
        if self.is_cubeful() {
            self.with_cube(play, result, cancelled)
        } else {
            self.cubeless(play, result, cancelled)
        }
    }

    /// Returns a play that ends the game, with its result.
    fn over(&self, play: Play, result: Position, points: i8) -> PlayRolls {
        let (context, cube) = (self.context(), Cube::of(&self.state));
        let value = context.result(cube, points);
        let equity = if self.is_cubeful() {
            context.to_points(cube.level, value)
        } else {
            f32::from(points)
        };
        PlayRolls {
            play,
            result,
            board: BoardFacts::after(&result),
            chances: Probabilities::finished(points),
            equity,
            mwc: (!context.is_money()).then_some(value),
            answer: self.is_cubeful().then_some(CubeChoice::NoDouble),
            rolls: [RollCell {
                equity,
                reply: None,
            }; DISTINCT],
        }
    }

    fn with_cube(
        &self,
        play: Play,
        result: Position,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Option<PlayRolls> {
        let state = self.state.before_roll();
        let map = (self.model).reply_map(self.evaluator, &state, &result, self.ply, cancelled)?;
        let is_passed = map.answer == CubeChoice::Pass;
        let cell = |i: usize| {
            let (after, equity) = map.rolls[i];
            RollCell {
                equity,
                reply: (!is_passed)
                    .then(|| Play::to(&result, Roll::ALL[i], &after))
                    .flatten(),
            }
        };
        Some(PlayRolls {
            play,
            result,
            board: BoardFacts::after(&result),
            chances: map.chances,
            equity: map.cubeful,
            mwc: map.mwc,
            answer: Some(map.answer),
            rolls: std::array::from_fn(cell),
        })
    }

    fn cubeless(
        &self,
        play: Play,
        result: Position,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Option<PlayRolls> {
        let mut rolls = Rolls::default();
        rolls.value_all(self.evaluator, &result);
        if self.ply > 0 {
            let value = |after| lookahead::evaluate(self.evaluator, after, self.ply, cancelled);
            let deeper: Option<Vec<_>> = rolls.results.par_iter().map(value).collect();
            for (value, deeper) in rolls.values.iter_mut().zip(deeper?) {
                *value = deeper.flipped();
            }
        }
        let values = rolls.values.iter().map(Probabilities::to_array);
        let chances = Probabilities::from_array(roll::mean(values)).flipped();
        let cell = |i: usize| RollCell {
            equity: rolls.values[i].flipped().equity(),
            reply: Play::to(&result, Roll::ALL[i], &rolls.results[i]),
        };
        Some(PlayRolls {
            play,
            result,
            board: BoardFacts::after(&result),
            chances,
            equity: chances.equity(),
            mwc: None,
            answer: None,
            rolls: std::array::from_fn(cell),
        })
    }
}

/// Returns the values of gammons and backgammons won, and lost, in points of the present cube.
fn gammon_points(context: &CubeContext, level: u8) -> [[f64; 2]; 2] {
    let values = |context: &CubeContext| {
        [2, 3].map(|size| 2.0 * f64::from(context.gammon_value(level, size)))
    };
    [values(context), values(&context.flipped())]
}

/// Returns the parts of the difference of two plays. `won` and `lost`: extra points of gammons and
/// backgammons over a single game.
fn split([won, lost]: [[f64; 2]; 2], is_cubeful: bool, [a, b]: [&PlayRolls; 2]) -> EquitySplit {
    let more = |share: fn(&Probabilities) -> f32| {
        f64::from(share(&a.chances)) - f64::from(share(&b.chances))
    };
    let wins = 2.0 * more(|c| c.win);
    let gammons = won[0] * more(|c| c.win_gammon) - lost[0] * more(|c| c.lose_gammon);
    let backgammons = won[1] * more(|c| c.win_backgammon) - lost[1] * more(|c| c.lose_backgammon);
    let whole = f64::from(a.equity) - f64::from(b.equity);
    EquitySplit {
        wins,
        gammons,
        backgammons,
        cube: is_cubeful.then_some(whole - (wins + gammons + backgammons)),
    }
}

#[cfg(test)]
mod tests;
