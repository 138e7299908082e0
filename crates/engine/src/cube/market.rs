//! The market: the distance of a double from being passed, and how soon the market may be lost.

use serde::Serialize;

use super::context::Cube;
use super::cube_set::Cubes;
use super::cubeful_values::{CubeActionValues, exceeds};
use super::decision::{CubeAction, CubeChoice, CubeDecision};
use super::model::Model;
use super::replies::Plays;
use crate::eval::{Evaluator, Probabilities};
use crate::game::roll::{DISTINCT, ORDERED};
use crate::game::{GameState, Roll};

/// The effects of the next roll on the market: see [`Model::market`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Market {
    /// For each of [`Roll::ALL`], whether it loses the market.
    pub lost: [bool; DISTINCT],
    /// For each of [`Roll::ALL`], the equity of a taken double after the roll, in points of the present cube.
    pub taken: [f32; DISTINCT],
    /// Standard deviation of the equity after the roll with the present cube, in its points.
    pub volatility: f32,
}

impl Market {
    /// Returns the number of rolls that lose the market: out of 21, and out of 36.
    pub fn losers(&self) -> (u32, u32) {
        let lost = Roll::ALL.iter().zip(self.lost).filter(|(_, lost)| *lost);
        lost.fold((0, 0), |(n, w), (roll, _)| (n + 1, w + roll.weight()))
    }

    /// Returns the rolls that lose the market, best first by the equity of a taken double.
    pub fn losers_best_first(&self) -> Vec<Roll> {
        let mut those: Vec<usize> = (0..DISTINCT).filter(|&i| self.lost[i]).collect();
        those.sort_by(|&a, &b| self.taken[b].total_cmp(&self.taken[a]));
        those.into_iter().map(|i| Roll::ALL[i]).collect()
    }
}

impl Model {
    /// Returns the market one roll ahead, by static evaluation: the rolls after which, played best with the
    /// turned cube, the opponent would pass a double that was a take before. Also computes the variation of
    /// the value with the present cube. `None` if a double is impossible.
    pub fn market(&self, evaluator: &dyn Evaluator, state: &GameState) -> Option<Market> {
        let cube = Cube::of(state);
        let look = self.lookahead(evaluator, state, &|| false);
        let context = &look.contexts[0];
        if !state.may_double() || !context.may_double(cube) || state.position.is_over() {
            return None;
        }
        let mut cubes = Cubes::NONE;
        let (now, unit) = look.ask(&mut cubes, 1, cube.flipped());
        let (then, unit_then) = look.ask(&mut cubes, 1, cube.doubled().flipped());
        let mut plays = Plays::default();
        let rolls = plays.value_all(evaluator, &state.position);
        let mut market = Market {
            lost: [false; DISTINCT],
            taken: [0.0; DISTINCT],
            volatility: 0.0,
        };
        let (mut sum, mut squares) = (0.0, 0.0);
        for (i, roll) in Roll::ALL.iter().enumerate() {
            let (results, chances) = rolls.of_roll(i);
            let (best, row) = look.best_plays(1, results, chances, &cubes);
            // After a taken double the best play may differ: under the Jacoby rule gammons then count.
            let play = best[then];
            let (_, seen) = look.deciding(1, &results[play], &cubes, 0, Some(&chances[play]))?;
            let taken = context.flip(unit_then * seen[then]);
            market.lost[i] = taken > context.cash(cube);
            market.taken[i] = context.to_points(cube.level, taken);
            let value = f64::from(context.to_points(cube.level, context.flip(unit * row[now])));
            let weight = f64::from(roll.weight()) / ORDERED as f64;
            sum += weight * value;
            squares += weight * (value * value);
        }
        market.volatility = (squares - sum * sum).max(0.0).sqrt() as f32;
        Some(market)
    }
}

impl Model {
    /// Returns, for each of [`Roll::ALL`], how many of the opponent's 36 replies lose the market: a taken
    /// double would be worth more than the pass. Both sides play best at 0-ply with the present cube. `None`
    /// if a double is impossible, or if `cancelled` returned true.
    pub fn market_sequences(
        &self,
        evaluator: &dyn Evaluator,
        state: &GameState,
        cancelled: &dyn Fn() -> bool,
    ) -> Option<[u32; DISTINCT]> {
        let cube = Cube::of(state);
        let look = self.lookahead(evaluator, state, cancelled);
        if !state.may_double() || !look.contexts[0].may_double(cube) || state.position.is_over() {
            return None;
        }
        let (mut theirs, mut mine) = (Cubes::NONE, Cubes::NONE);
        let seen_by_them = look.ask(&mut theirs, 1, cube.flipped()).0;
        let seen_by_me = look.ask(&mut mine, 0, cube).0;
        let (mut plays, mut replies) = (Plays::default(), Plays::default());
        let rolls = plays.value_all(evaluator, &state.position);
        let mut sequences = [0; DISTINCT];
        for (i, lost) in sequences.iter_mut().enumerate() {
            if cancelled() {
                return None;
            }
            let (results, chances) = rolls.of_roll(i);
            let (best, _) = look.best_plays(1, results, chances, &theirs);
            let after = results[best[seen_by_them]];
            if after.is_over() {
                *lost = 36;
                continue;
            }
            let answers = replies.value_all(evaluator, &after);
            for (j, roll) in Roll::ALL.iter().enumerate() {
                let (results, chances) = answers.of_roll(j);
                let (best, _) = look.best_plays(0, results, chances, &mine);
                let place = best[seen_by_me];
                let now = GameState {
                    position: results[place],
                    ..*state
                };
                if !now.position.is_over() && self.is_passed(&now, &chances[place]) {
                    *lost += roll.weight();
                }
            }
        }
        Some(sequences)
    }

    /// Returns whether a double of the player on roll, who has these chances, would be passed because the
    /// take is more expensive.
    fn is_passed(&self, state: &GameState, chances: &Probabilities) -> bool {
        let decision = self.decision(state, chances);
        let is_dearer = decision.double_take > decision.double_pass;
        is_dearer && decision.answer() == Some(CubeChoice::Pass)
    }
}

/// The winning chances at which the player on roll doubles, cashes and plays on, for constant shares of
/// gammons: see [`Model::window`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Window {
    /// From here on a double gains.
    pub double: f32,
    /// From here on a double is passed.
    pub cash: f32,
    /// From here on playing for the gammon is worth more, if that happens below certainty.
    pub too_good: Option<f32>,
}

impl Window {
    /// Returns whether `action` agrees with the window for a player with this winning chance.
    fn agrees(&self, action: CubeAction, win: f32) -> bool {
        let is_too_good = self.too_good.is_some_and(|from| win >= from);
        match action {
            CubeAction::NoDouble | CubeAction::NoDoubleBeaver => win < self.double,
            CubeAction::DoubleTake | CubeAction::DoubleBeaver => {
                (self.double..self.cash).contains(&win)
            }
            CubeAction::DoublePass => win >= self.cash && !is_too_good,
            CubeAction::TooGoodPass => is_too_good,
            // The window has no such range.
            CubeAction::TooGoodTake => true,
        }
    }
}

impl Model {
    /// Returns [`Model::window`] if it agrees with `decision`. The window depends only on the winning chance:
    /// if the analysed rolls contradict it, or exact values are known, there is none.
    pub fn window_beside(
        &self,
        decision: &CubeDecision,
        state: &GameState,
        chances: &Probabilities,
    ) -> Option<Window> {
        if self.is_exact(state) {
            return None;
        }
        let window = self.window(state, chances)?;
        let action = decision.action;
        window.agrees(action, chances.win).then_some(window)
    }

    /// Returns the market window at the shares of gammons of `chances`; `None` if a double is impossible or
    /// never right.
    pub fn window(&self, state: &GameState, chances: &Probabilities) -> Option<Window> {
        let (context, cube) = (self.context(state), Cube::of(state));
        if !state.may_double() || !context.may_double(cube) {
            return None;
        }
        let values = |win: f32| {
            let moved = with_win(chances, win);
            self.cubeful_values(&context, &state.position, &moved, cube.level)
                .values(cube)
        };
        let take = |v: &CubeActionValues| v.double_take.unwrap_or(f32::MIN);
        let cash = rises(0.0, 1.0, |p| {
            let v = values(p);
            take(&v) >= v.double_pass
        })?;
        let points = |value| context.to_points(cube.level, value);
        let double = rises(0.0, cash, |p| {
            let v = values(p);
            let doubled = v.doubled().map_or(f32::MIN, points);
            // Equal values are no reason to wait, as in a decision.
            !exceeds(points(v.no_double), doubled)
        })?;
        let too_good = rises(cash, 1.0, |p| {
            let v = values(p);
            v.no_double > v.double_pass
        });
        Some(Window {
            double,
            cash,
            too_good: too_good.filter(|&p| p < 1.0 - 1e-4),
        })
    }
}

/// Returns the lowest `p` from which `is` holds, if it holds at `to`, by bisection.
fn rises(mut from: f32, mut to: f32, is: impl Fn(f32) -> bool) -> Option<f32> {
    if !is(to) {
        return None;
    }
    for _ in 0..24 {
        let middle = 0.5 * (from + to);
        if is(middle) {
            to = middle;
        } else {
            from = middle;
        }
    }
    Some(to)
}

/// Returns these chances with winning chance `win` and the same shares of gammons and backgammons.
fn with_win(chances: &Probabilities, win: f32) -> Probabilities {
    let share = |part: f32, any: f32| if any > 0.0 { part / any } else { 0.0 };
    let (lose, was) = (1.0 - win, 1.0 - chances.win);
    Probabilities {
        win,
        win_gammon: win * share(chances.win_gammon, chances.win),
        win_backgammon: win * share(chances.win_backgammon, chances.win),
        lose_gammon: lose * share(chances.lose_gammon, was),
        lose_backgammon: lose * share(chances.lose_backgammon, was),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::Efficiency;
    use crate::eval::Engine;
    use crate::game::Position;

    /// A last-roll position: a good roll wins at once.
    #[test]
    fn a_last_roll_position_loses_its_market_with_every_good_roll() {
        // One checker on the six point against one on the ace point: 27 of 36 rolls win at once.
        let position = Position::from_points(&[(6, 1)], &[(1, 1)]).unwrap();
        let state = GameState::money(position);
        let engine = Engine::embedded();
        let market = Model::standard().market(&engine, &state).unwrap();
        let (_, rolls) = market.losers();
        assert_eq!(rolls, 27);
        // All of them win at once, and all are equal.
        let named = market.losers_best_first();
        assert_eq!(named.iter().map(|roll| roll.weight()).sum::<u32>(), rolls);
        assert!(named.is_sorted_by_key(|roll| roll.index()), "{named:?}");
        // Values are 1 in 27 of 36 and -1 in 9.
        let sd = (1.0f32 - 0.25).sqrt();
        assert!((market.volatility - sd).abs() < 1e-5);
    }

    /// Good rolls precede those that barely lose the market.
    #[test]
    fn market_losers_are_named_from_the_best_on() {
        let (mover, opponent) = ([(6, 4), (5, 3), (4, 3)], [(6, 4), (5, 4), (4, 4)]);
        let position = Position::from_points(&mover, &opponent).unwrap();
        let state = GameState::money(position);
        let market = Model::standard()
            .market(&Engine::embedded(), &state)
            .unwrap();
        let named = market.losers_best_first();
        assert_eq!(named.len(), market.losers().0 as usize);
        assert_eq!(named[0], Roll::new(6, 6).unwrap());
        let worth = |roll: &Roll| market.taken[roll.index()];
        assert!(named.is_sorted_by(|a, b| worth(a) >= worth(b)), "{named:?}");
        // Each of them is worth more than the point of a pass.
        assert!(named.iter().all(|roll| worth(roll) > 1.0), "{market:?}");
    }

    /// A double that is worth exactly the pass has not lost the market: one on the six point against one on
    /// the ace point.
    #[test]
    fn a_double_worth_the_pass_does_not_lose_the_market() {
        let state =
            crate::notation::parse_id("XGID=--A--AA------------a-a--a-:0:0:1:00:0:0:0:0:10");
        let sequences = Model::standard()
            .market_sequences(&Engine::embedded(), &state.unwrap(), &|| false)
            .unwrap();
        assert_eq!(sequences[Roll::new(5, 2).unwrap().index()], 7);
    }

    /// A beavered double is worth twice the take; a free double is right at any chance.
    #[test]
    fn the_window_is_that_of_the_decisions() {
        let model = Model::standard();
        let state = |id: &str| crate::notation::parse_id(id).unwrap();
        let kauder = |rules| {
            let id = format!("XGID=-BBBBB-C--------aaaabbdAcA:0:0:1:00:0:0:{rules}:0:10");
            let state = state(&id);
            let chances = Engine::embedded().probabilities_of(&state.position);
            let window = model.window(&state, &chances).unwrap();
            let action = model.decision(&state, &with_win(&chances, window.double + 1e-3));
            assert!(action.action.doubles(), "{window:?}");
            window.double
        };
        assert!(kauder(3) > kauder(1) + 1e-3);
        // After Crawford the trailer's double is free.
        let free = state("XGID=-AAaB---BAA-aA---a-bAda-b-:0:0:1:00:4:6:0:7:10");
        let chances = Engine::embedded().probabilities_of(&free.position);
        let window = model.window(&free, &chances).unwrap();
        assert!(window.double < 1e-3, "{window:?}");
    }

    /// On the last roll a double gains from an even chance on, unlike in the formula.
    #[test]
    fn a_window_appears_only_with_its_own_decision() {
        let (engine, model) = (Engine::embedded(), Model::standard());
        let last = Position::from_points(&[(5, 1), (2, 1)], &[(1, 2)]).unwrap();
        let race = Position::from_points(&[(6, 7)], &[(6, 7)]).unwrap();
        let beside = |position, win: f32| {
            let state = GameState::money(position);
            let chances = with_win(&engine.probabilities_of(&position), win);
            let decision = model.decision(&state, &chances);
            let mut roll = decision;
            roll.action = CubeAction::NoDouble;
            [decision, roll].map(|one| model.window_beside(&one, &state, &chances).is_some())
        };
        assert_eq!(beside(last, 19.0 / 36.0), [false, false]);
        assert_eq!(beside(race, 0.75), [true, false]);
        assert_eq!(beside(race, 0.55), [true, true]);
    }

    #[test]
    fn the_window_is_where_the_actions_change() {
        let position = Position::from_points(&[(6, 7)], &[(6, 7)]).unwrap();
        let state = GameState::money(position);
        let model = Model {
            efficiency: Efficiency::Constant(0.73),
            ..Model::default()
        };
        let even = Probabilities {
            win: 0.5,
            ..Probabilities::default()
        };
        let window = model.window(&state, &even).unwrap();
        // Janowski: cash point (L + 1/2 + x/2) / (W + L + x/2), x = 0.73.
        assert!((window.cash - 1.865 / 2.365).abs() < 1e-4, "{window:?}");
        assert!(window.double < window.cash && window.double > 0.5);
        assert_eq!(window.too_good, None);
        let gammons = Probabilities {
            win: 0.5,
            win_gammon: 0.25,
            ..Probabilities::default()
        };
        let window = model.window(&state, &gammons).unwrap();
        let too_good = window.too_good.unwrap();
        let at = |win: f32| {
            model
                .decision(&state, &with_win(&gammons, win))
                .action
                .name()
        };
        assert_eq!(at(window.double - 0.01), "no double");
        assert_eq!(at(window.double + 0.01), "double/take");
        assert_eq!(at(window.cash + 0.01), "double/pass");
        assert_eq!(at(too_good + 0.01), "too good/pass");
    }
}
