//! Why one of two plays is better: their chances side by side, what the difference is made of, and what
//! each next roll of the opponent makes of both.

use rayon::prelude::*;

use super::{BoardFacts, RollRank};
use crate::cube::{Cube, CubeChoice, CubeContext, Model};
use crate::eval::{Evaluator, Probabilities, Rolls, lookahead};
use crate::game::roll::{self, DISTINCT};
use crate::game::{GameState, Play, Position, Roll};

/// Differences of rolls that are smaller, in points, are shown as nothing, so they favour neither play.
pub const EVEN: f64 = 5e-5;

/// What plays are compared with, and where.
#[derive(Clone, Copy)]
pub struct ComparisonSetup<'a> {
    /// What values positions.
    pub evaluator: &'a dyn Evaluator,
    /// What cubeful values are made with.
    pub model: &'a Model,
    /// The state before the plays, seen by the player who makes them.
    pub state: GameState,
    /// Whether equities count cube and score. At a score they always do.
    pub cubeful: bool,
    /// Plies behind the value after each reply; the plays themselves have one more.
    pub ply: u8,
}

/// One next roll after a play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RollCell {
    /// What is left to the player who made the play, in points on the present cube (EMG in a
    /// match).
    pub equity: f32,
    /// The opponent's best reply without looking ahead. `None` if no roll follows: the game is over, or
    /// the opponent doubles and it is passed.
    pub reply: Option<Play>,
}

/// A play through the rolls that may follow it. Figures are those of the player who makes the play.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayRolls {
    /// What is moved.
    pub play: Play,
    /// The position after it, seen by the opponent.
    pub result: Position,
    /// What it leaves on the board.
    pub board: BoardFacts,
    /// Cubeless chances.
    pub chances: Probabilities,
    /// The equity: with the cube if that was asked for, in points on the present cube (EMG in a match).
    pub equity: f32,
    /// The chance to win the match, in a match.
    pub mwc: Option<f32>,
    /// With the cube: what the opponent does with it before the next roll, and the answer.
    pub answer: Option<CubeChoice>,
    /// The next rolls, in the order of [`Roll::ALL`].
    pub rolls: [RollCell; DISTINCT],
}

impl PlayRolls {
    /// How lucky the opponent's next roll is after this play, by the values after the best replies.
    pub fn next_luck(&self, roll: Roll) -> RollRank {
        let values = self.rolls.each_ref().map(|cell| -cell.equity);
        RollRank::among(&values, roll)
    }
}

/// What a difference of equities is made of, in points. The parts add up to the whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EquitySplit {
    /// More games won: 2 points for each.
    pub wins: f64,
    /// More gammons won, fewer lost, at what they are worth at the score.
    pub gammons: f64,
    /// More backgammons won, fewer lost, at what they are worth at the score.
    pub backgammons: f64,
    /// What the cube adds to the rest. Without the cube there is no such part.
    pub cube: Option<f64>,
}

impl EquitySplit {
    /// Sum of all parts, in points.
    pub fn total(&self) -> f64 {
        self.wins + self.gammons + self.backgammons + self.cube.unwrap_or(0.0)
    }

    /// The parts by name, rounded to so many digits in such a way that they add up to the rounded
    /// whole.
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

/// Two plays side by side. Differences are those of the first less the second.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayComparison {
    /// The first play.
    pub a: PlayRolls,
    /// The second.
    pub b: PlayRolls,
    /// What the difference of equities is made of.
    pub split: EquitySplit,
    /// Plies behind the value after each reply.
    pub ply: u8,
    /// Whether equities count cube and score.
    pub cubeful: bool,
}

impl PlayComparison {
    /// Compares two plays. `None` if `cancelled` answered true on the way.
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
        // As the cube stands a gammon may be worth no more than a game (Jacoby). What it is worth once the cube has
        // been turned is the cube's part.
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

    /// Points by which the first play is better.
    pub fn difference(&self) -> f64 {
        self.split.total()
    }

    /// Points by which the first play is better after one of [`Roll::ALL`].
    pub fn after(&self, roll: usize) -> f64 {
        f64::from(self.a.rolls[roll].equity) - f64::from(self.b.rolls[roll].equity)
    }

    /// The rolls after which the first play is better, of the 21, and how many of the 36 they are.
    pub fn better(&self) -> (Vec<Roll>, u32) {
        self.rolls_where(|difference| difference > EVEN)
    }

    /// The rolls after which the second play is better.
    pub fn worse(&self) -> (Vec<Roll>, u32) {
        self.rolls_where(|difference| difference < -EVEN)
    }

    fn rolls_where(&self, is: impl Fn(f64) -> bool) -> (Vec<Roll>, u32) {
        let all = Roll::ALL.iter().enumerate();
        let those: Vec<Roll> = all
            .filter(|(i, _)| is(self.after(*i)))
            .map(|(_, r)| *r)
            .collect();
        let weight = those.iter().map(|roll| roll.weight()).sum();
        (those, weight)
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

    /// A play that ends the game, with what it is worth.
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

/// What gammons and backgammons won, and those lost, are worth, in points on the present cube.
fn gammon_points(context: &CubeContext, level: u8) -> [[f64; 2]; 2] {
    let of = |context: &CubeContext| {
        [2, 3].map(|size| 2.0 * f64::from(context.gammon_value(level, size)))
    };
    [of(context), of(&context.flipped())]
}

/// What the difference of two plays is made of. `won` and `lost`: points of gammons and backgammons beyond
/// those of the game.
fn split([won, lost]: [[f64; 2]; 2], is_cubeful: bool, [a, b]: [&PlayRolls; 2]) -> EquitySplit {
    let more =
        |of: fn(&Probabilities) -> f32| f64::from(of(&a.chances)) - f64::from(of(&b.chances));
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
