//! The luck of a roll: its value compared with the other possible rolls.

use serde::Serialize;

use crate::cube::{Cube, Model};
use crate::eval::rolls::RollPlays;
use crate::eval::{Evaluator, Probabilities};
use crate::game::roll::{DISTINCT, mean_by_weight};
use crate::game::{GameState, Position, ResultList, Roll};

/// Plays within this many points of the best cubeless play are evaluated with cube and score, which may
/// change their order.
const NEAR: f32 = 0.15;

/// Returns the value after the best play of each roll, in the order of [`Roll::ALL`], for the player on roll:
/// MWC in a match, cubeful points for money. Uses the static evaluation.
pub fn values_after_rolls(
    evaluator: &dyn Evaluator,
    model: &Model,
    state: &GameState,
) -> [f32; DISTINCT] {
    let mut plays = RollPlays::default();
    plays.value_all(evaluator, &state.position, None, &mut ResultList::new());
    let [_, theirs] = model.contexts(state);
    let cube = Cube::of(state).flipped();
    // The value of gammons lies between two bounds: that of money play, and that at this score with a dead
    // cube. Under the Jacoby rule it depends on the chance of a double, so the bounds are always and never.
    let bounds = |chances: &Probabilities| {
        let always = chances.equity();
        let never = 2.0 * chances.win - 1.0;
        let other = match (state.score.is_money(), state.counts_gammons()) {
            (true, true) => always,
            (true, false) => never,
            (false, _) => theirs.cubeless_points(cube, chances),
        };
        [always, other]
    };
    std::array::from_fn(|roll| {
        let (results, chances) = plays.of_roll(roll);
        // Chances are the opponent's: the lowest is best.
        let all = chances.iter().map(bounds);
        let least = all.fold([f32::INFINITY; 2], |least, one| {
            [least[0].min(one[0]), least[1].min(one[1])]
        });
        let is_near =
            |chances: &Probabilities| (0..2).any(|k| bounds(chances)[k] <= least[k] + NEAR);
        let near = results
            .iter()
            .zip(chances)
            .filter(|(_, chances)| is_near(chances));
        let worth = |(result, chances): (&Position, &Probabilities)| match result.points() {
            Some(points) => theirs.result(cube, points),
            None => model.best(&theirs, cube, result, chances),
        };
        theirs.flip(near.map(worth).fold(f32::INFINITY, f32::min))
    })
}

/// Returns the mean of `values`, the values of the rolls in `state`, over the 36 rolls. If the roll decides
/// who begins, the mean is over 30 outcomes: 15 for this player, and 15 in which the opponent begins.
pub fn mean_before_roll(
    evaluator: &dyn Evaluator,
    model: &Model,
    state: &GameState,
    values: &[f32; DISTINCT],
    says_who_begins: bool,
) -> f32 {
    if !says_who_begins {
        return mean(values, |_| true);
    }
    let other = values_after_rolls(evaluator, model, &state.if_other_began());
    let [own, theirs] = [values, &other].map(|values| mean(values, |roll| !roll.is_double()));
    0.5 * (own + model.context(state).flip(theirs))
}

/// Returns the mean of `values` over the possible rolls, weighted by their frequency.
fn mean(values: &[f32; DISTINCT], can_come: impl Fn(&Roll) -> bool) -> f32 {
    let possible = Roll::ALL.iter().zip(values);
    let possible = possible.filter(|(roll, _)| can_come(roll));
    mean_by_weight(possible.map(|(roll, value)| (*value, roll.weight() as f32)))
}

/// The luck of a roll among the possible rolls.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RollRank {
    /// Value minus the mean of the rolls ([`mean_before_roll`]), in points of the present cube (EMG in a
    /// match).
    pub points: f32,
    /// Rank among the different rolls, 1 for the best. Equal rolls share the better rank.
    pub rank: u32,
    /// Number of different rolls: 21, or the 15 non-doubles.
    #[serde(skip)]
    pub rolls: u32,
    /// Percentage of the 36 rolls, or of the 30, that are worse; equal rolls count half.
    pub percentile: f32,
}

impl RollRank {
    /// Returns the rank in words: `12th of 21`.
    pub fn rank_in_words(&self) -> String {
        format!("{} of {}", ordinal(self.rank), self.rolls)
    }

    /// Returns rank and percentile in words: `12th of 21, 58th percentile`.
    pub fn place(&self) -> String {
        let percentile = ordinal(self.percentile.round() as u32);
        format!("{}, {percentile} percentile", self.rank_in_words())
    }

    /// Returns the luck of `roll` in `state`. The first roll of a game is never a double: the players roll
    /// again after equal dice. Its rank is among the 15 rolls of the player who begins, and its luck includes
    /// that of beginning. `None` when the game is over.
    pub fn new(
        evaluator: &dyn Evaluator,
        model: &Model,
        state: &GameState,
        roll: Roll,
        is_first_roll: bool,
    ) -> Option<Self> {
        if state.position.is_over() {
            return None;
        }
        let values = values_after_rolls(evaluator, model, state);
        // A double recorded as a first roll counts as an ordinary roll.
        let says_who_begins = is_first_roll && !roll.is_double();
        let before = mean_before_roll(evaluator, model, state, &values, says_who_begins);
        let more = values[roll.index()] - before;
        let level = Cube::of(state).level;
        let points = model.context(state).difference_to_points(level, more);
        let could_come = |other: &Roll| !(says_who_begins && other.is_double());
        Some(Self::ranked(&values, roll, could_come, points))
    }

    /// Returns the luck of `roll` for these values of all rolls, in the order of [`Roll::ALL`], in points.
    pub fn among(values: &[f32; DISTINCT], roll: Roll) -> Self {
        let points = values[roll.index()] - mean(values, |_| true);
        Self::ranked(values, roll, |_| true, points)
    }

    /// Creates the luck of a roll with its rank among the possible rolls.
    fn ranked(
        values: &[f32; DISTINCT],
        roll: Roll,
        could_come: impl Fn(&Roll) -> bool,
        points: f32,
    ) -> Self {
        let own = values[roll.index()];
        let (mut all, mut rolls) = (0, 0);
        let (mut worse, mut same, mut better) = (0, 0, 0);
        let all_rolls = Roll::ALL.iter().zip(values);
        for (other, value) in all_rolls.filter(|(other, _)| could_come(other)) {
            all += other.weight();
            rolls += 1;
            if *value < own {
                worse += other.weight();
            } else if *value > own {
                better += 1;
            } else {
                same += other.weight();
            }
        }
        Self {
            points,
            rank: better + 1,
            rolls,
            percentile: (100 * worse + 50 * same) as f32 / all as f32,
        }
    }
}

/// Returns a number as an ordinal: `1st`, `2nd`, `3rd`, `11th`.
fn ordinal(n: u32) -> String {
    let ending = match (n % 10, n % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{n}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Engine;
    use crate::game::PlayList;
    use crate::notation::parse_id;

    #[test]
    fn the_luck_of_all_rolls_is_none_and_their_ranks_are_in_order() {
        let (engine, model) = (Engine::embedded(), Model::standard());
        let state = GameState::money(Position::opening());
        let rank = |roll: &Roll| RollRank::new(&engine, model, &state, *roll, false).unwrap();
        let all: Vec<RollRank> = Roll::ALL.iter().map(rank).collect();
        let mean: f32 = (Roll::ALL.iter().zip(&all))
            .map(|(roll, luck)| roll.weight() as f32 * luck.points)
            .sum();
        assert!(mean.abs() < 1e-4, "{mean}");
        for a in &all {
            assert!((1..=21).contains(&a.rank) && (0.0..=100.0).contains(&a.percentile));
            for b in &all {
                if a.points > b.points + 1e-6 {
                    assert!(a.rank < b.rank && a.percentile > b.percentile);
                }
            }
        }
        // 4-1 is one of the worst first rolls, 3-1 one of the best.
        let luck = |high, low| all[Roll::new(high, low).unwrap().index()];
        assert!(
            luck(4, 1).rank > 15 && luck(3, 1).rank < 9,
            "{:?}",
            luck(4, 1)
        );
    }

    /// The value of a roll is that of its best cubeful play. Under the Jacoby rule and at scores where
    /// gammons do not count, that play wins more games rather than gammons.
    #[test]
    fn a_roll_is_worth_its_best_play_with_the_cube() {
        let (engine, model) = (Engine::embedded(), Model::standard());
        for id in [
            "Hm6DACN2Ng00AA:cAkAAAAAAAAA",
            "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",
            "XGID=-B-CBBB---a---A---ABcbbbd-:1:1:1:00:0:0:0:0:10",
            "ttuQAkBuuxMgAA:8InyAFAAMAAE",
            "Hm6DACN2Ng00AA:8InyAFAAMAAE",
        ] {
            let mut state = parse_id(id).unwrap();
            for jacoby in [true, false] {
                state.rules.jacoby = jacoby && state.score.is_money();
                let values = values_after_rolls(&engine, model, &state);
                let [_, theirs] = model.contexts(&state);
                let cube = Cube::of(&state).flipped();
                for (roll, value) in Roll::ALL.into_iter().zip(values) {
                    let list = PlayList::of(&state.position, roll);
                    let mut chances = vec![Probabilities::default(); list.results().len()];
                    engine.probabilities_after(&state.position, list.results(), &mut chances);
                    let worth = |(after, chances)| model.best(&theirs, cube, after, chances);
                    let all = list.results().iter().zip(&chances).map(worth);
                    let best = theirs.flip(all.fold(f32::INFINITY, f32::min));
                    assert!(
                        (best - value).abs() < 1e-4,
                        "{id} {roll} {jacoby}: {value}, {best}"
                    );
                }
            }
        }
    }

    /// The best of the 15 first rolls is 3-1. The player who begins is lucky on average.
    #[test]
    fn no_double_is_a_first_roll() {
        let (engine, model) = (Engine::embedded(), Model::standard());
        let state = GameState::money(Position::opening());
        let rank = |roll| RollRank::new(&engine, model, &state, roll, true).unwrap();
        let rolls = Roll::ALL.into_iter().filter(|roll| !roll.is_double());
        let all: Vec<RollRank> = rolls.map(rank).collect();
        let mean = all.iter().map(|luck| luck.points).sum::<f32>() / 15.0;
        // The value of the first roll for money: half the difference between the two players.
        assert!((0.02..0.1).contains(&mean), "{mean}");
        let best = rank(Roll::new(3, 1).unwrap());
        assert_eq!(best.place(), "1st of 15, 97th percentile");
        assert!(all.iter().all(|luck| luck.points <= best.points));
    }
}
