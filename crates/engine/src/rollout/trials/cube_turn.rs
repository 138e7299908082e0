//! A turn of a cubeful trial, as far as it is about the cube: ends, decisions, luck, and plays that
//! are chosen with it.

use super::cubeful::{CubeEnd, CubeRules, mean_value};
use super::early_memory::REMEMBERED;
use super::luck::{self, Range};
use super::play_choice::{ALL_ROLLS, Cancelled};
use super::seats;
use super::trial::{LuckSource, PlayRules, TrialGame, TrialPlayers};
use super::turn::CubeTurn;
use crate::cube::{CubeActionValues, CubeChoice, CubeDecision, ScoreLook};
use crate::eval::{Evaluator, Probabilities};
use crate::game::roll::DISTINCT;
use crate::game::{CubeOwner, Position, Roll};
use crate::rollout::request::settings::PlayStyle;

/// Plies, at least, with which the first cube action after a candidate play is decided. It is the same in all trials, so
/// a mistake in it is a mistake of the mean, and one look serves them all.
pub(crate) const FIRST_CUBE_PLY: u8 = 2;

impl TrialGame {
    /// Ends the trial, worth `value` (MWC or points) to the player on roll.
    fn end_cubeful(
        &mut self,
        cube: &CubeRules<'_>,
        chances: Probabilities,
        value: f32,
        passed: bool,
    ) {
        self.end(chances);
        self.cube_end = Some(CubeEnd {
            result: cube.points(self.own_turn, value),
            luck: 0.0,
            level: self.cube.level,
            passed,
        });
    }
}

impl TrialPlayers<'_> {
    /// Ends the game if it is over, exactly known, at the horizon, or passed; turns the cube if its time has
    /// come. Returns whether the game has ended.
    pub(super) fn end_or_double_cubeful(
        &mut self,
        cube: &CubeRules<'_>,
        game: &mut TrialGame,
    ) -> Result<bool, Cancelled> {
        if self.end_if_over(cube, game) {
            return Ok(true);
        }
        if self.may_double(cube, game) {
            self.turn_cube(cube, game)?;
        }
        game.decided = true;
        Ok(game.value.is_some())
    }

    /// Ends the game if it is over, exactly known, or at the horizon. Returns whether the game has ended.
    pub(crate) fn end_if_over(&mut self, cube: &CubeRules<'_>, game: &mut TrialGame) -> bool {
        if game.value.is_some() {
            return true;
        }
        let rules = self.rules;
        let own = game.own_turn;
        let first_of_game = rules.range(game.turns) == Range::NoDoubles;
        let known = if game.position.is_over() || (rules.stop_at_known && !first_of_game) {
            let exact = || rules.exact(game);
            cube.known(own, game.cube, game.decided, &game.position, exact)
        } else {
            None
        };
        if let Some(value) = known {
            let chances = rules
                .exact(game)
                .or_else(|| cube.exact_chances(own, &game.position))
                .unwrap_or_else(|| rules.evaluators[0].probabilities_of(&game.position));
            game.end_cubeful(cube, chances, value, false);
            return true;
        }
        if game.is_cut(rules.limit()) {
            let chances = rules.evaluators[0].probabilities_of(&game.position);
            // A trial is cut behind a play, when the player on roll has not decided about the cube yet.
            let value = cube.deciding(own, game.cube, &game.position, &chances);
            game.end_cubeful(cube, chances, value, false);
            return true;
        }
        false
    }

    /// Returns whether the player on roll may double and has not decided about it in this turn.
    /// Nobody doubles before the first roll of a game.
    pub(crate) fn may_double(&self, cube: &CubeRules<'_>, game: &TrialGame) -> bool {
        let first_of_game = self.rules.range(game.turns) == Range::NoDoubles;
        !game.decided && !first_of_game && cube.may_double(game.own_turn, game.cube)
    }

    /// Lets the player on roll double or not, and the other answer.
    fn turn_cube(&mut self, cube: &CubeRules<'_>, game: &mut TrialGame) -> Result<(), Cancelled> {
        let own = game.own_turn;
        let mut decision = self.decide(cube, game, own)?;
        if !decision.action.doubles() {
            self.log_cube(game, None);
            return Ok(());
        }
        if !self.rules.one_player || self.rules.styles[0] != self.rules.styles[1] {
            decision = self.decide(cube, game, !own)?;
        }
        let answer = decision.answer().unwrap_or(CubeChoice::Take);
        self.log_cube(game, Some(answer));
        self.double(cube, game, answer);
        Ok(())
    }

    /// Logs a cube decision, where decisions are logged.
    fn log_cube(&mut self, game: &TrialGame, answer: Option<CubeChoice>) {
        if let Some(log) = &mut self.cube_log {
            log.push(CubeTurn {
                position: game.position,
                own: game.own_turn,
                cube_state: game.cube,
                answer,
                is_first: game.turns == 0,
            });
        }
    }

    /// The cube decision of the player on roll by the evaluator of one of the players.
    pub(crate) fn decide(
        &mut self,
        cube: &CubeRules<'_>,
        game: &mut TrialGame,
        by_own: bool,
    ) -> Result<CubeDecision, Cancelled> {
        if game.turns == 0 {
            return self.decide_first(cube, game, by_own);
        }
        let values = self.cube_values(cube, game, by_own)?;
        let context = cube.context(game.own_turn);
        Ok(CubeDecision::new(context, game.cube, &values))
    }

    /// The cube decision before the first roll, by an analysis of [`FIRST_CUBE_PLY`] or more plies. It has no share in
    /// what trials cost: it is made once.
    fn decide_first(
        &mut self,
        cube: &CubeRules<'_>,
        game: &TrialGame,
        by_own: bool,
    ) -> Result<CubeDecision, Cancelled> {
        let player = seats::player(by_own);
        let key = (game.position, game.cube, player);
        if let Some(decision) = self.early.first_cube(&key) {
            return Ok(decision);
        }
        let ply = self.rules.styles[player].ply_at(0).max(FIRST_CUBE_PLY);
        let state = cube.state(game.own_turn, game.cube, game.position);
        let decision = cube
            .model
            .decide(
                self.rules.evaluators[player],
                &state,
                ply,
                self.rules.cancelled,
            )
            .ok_or(Cancelled)?;
        self.early.keep_first_cube(key, decision);
        Ok(decision)
    }

    /// Doubles for the player on roll, with the other's `answer`. A pass ends the game.
    pub(crate) fn double(
        &mut self,
        cube: &CubeRules<'_>,
        game: &mut TrialGame,
        answer: CubeChoice,
    ) {
        let own = game.own_turn;
        if answer == CubeChoice::Pass {
            let chances = self.chances(game, own);
            let context = cube.context(own);
            let cash = context.cash(game.cube);
            game.is_estimated_pass = cube.model.exact(context, &game.position).is_none();
            return game.end_cubeful(cube, chances, cash, true);
        }
        game.cube = game.cube.doubled();
        if answer == CubeChoice::Beaver && game.cube.level < cube.cap() {
            // The owner stays.
            game.cube.level += 1;
        }
        debug_assert_eq!(game.cube.owner, CubeOwner::Opponent);
    }

    /// The chances of the game's position by the evaluator of the player who made the candidate play
    /// (`by_own`) or of the other one. Two candidates in the same position share them.
    pub(crate) fn chances(&mut self, game: &TrialGame, by_own: bool) -> Probabilities {
        let player = seats::player(by_own || self.rules.one_player);
        let key = (game.position, player);
        if let Some((of, chances)) = &self.recent_chances
            && *of == key
        {
            return *chances;
        }
        let chances = self.rules.evaluators[player].probabilities_of(&game.position);
        self.recent_chances = Some((key, chances));
        chances
    }

    /// Returns the value of each cube action to the player on roll, by the evaluator of one of the players.
    /// At 0 plies it comes from the chances of the position; deeper from those after each roll's best play.
    fn cube_values(
        &mut self,
        cube: &CubeRules<'_>,
        game: &mut TrialGame,
        by_own: bool,
    ) -> Result<CubeActionValues, Cancelled> {
        let own = game.own_turn;
        let player = seats::player(by_own);
        let ply = self.rules.styles[player].ply_at(game.turns);
        let exact = cube.model.exact(cube.context(own), &game.position);
        if ply == 0 || exact.is_some() {
            let chances = self.chances(game, by_own);
            return Ok(cube.values(own, game.cube, &game.position, &chances));
        }
        let depth = ply - 1;
        let table = if self.rules.plays_too[player]
            && matches!(self.rules.luck, LuckSource::Lookahead(d) if d == depth)
        {
            self.ensure_table(game, depth)?;
            &*self.slots[usize::from(game.slot)].table
        } else {
            self.chooser.table(
                self.rules.evaluators[player],
                &game.position,
                depth,
                &mut self.cube_table,
                self.rules.cancelled,
            )?;
            &*self.cube_table
        };
        let mean = |at| {
            mean_value(match table.values_at(at) {
                Some(values) => values.map(f64::from),
                None => cube.after_rolls(own, at, &table.results, &table.values),
            })
        };
        let (no_double, double_take) = (mean(game.cube), Some(mean(game.cube.doubled())));
        Ok(CubeActionValues::new(
            cube.context(own),
            game.cube,
            no_double,
            double_take,
        ))
    }

    /// Counts the luck of `roll` in cubeful points. Returns by what luck is multiplied near a bound, in this
    /// game and in the one that is played with it.
    pub(super) fn count_cube_luck(
        &mut self,
        cube: &CubeRules<'_>,
        game: &mut TrialGame,
        roll: Roll,
    ) -> [f64; 2] {
        let own = game.own_turn;
        let range = self.rules.range(game.turns);
        let values: [f64; DISTINCT] = match self.rules.luck {
            LuckSource::None => return [1.0; 2],
            LuckSource::Lookahead(_) => {
                let table = &self.slots[usize::from(game.slot)].table;
                match table.values_at(game.cube) {
                    Some(values) => values.map(f64::from),
                    None => cube.after_rolls(own, game.cube, &table.results, &table.values),
                }
            }
            LuckSource::Net => {
                let chances = self.chances(game, true);
                let guess = &self.slots[usize::from(game.slot)].guess;
                cube.after_guess(own, game.cube, &game.position, &chances, guess, range)
            }
        };
        self.weighed += 1;
        let lucks = luck::of_values(&values, range).map(|l| cube.difference(own, l));
        let bound = self.rules.bound;
        let sums = [Some(&mut game.luck), game.other_luck.as_mut()];
        sums.map(|sum| {
            let Some(sum) = sum else { return 1.0 };
            let scale = |bound| luck::scale_points(&lucks, range, sum.points, bound);
            let factor = bound.map_or(1.0, scale);
            sum.points += factor * lucks[roll.index()];
            factor
        })
    }

    /// The play that is best with the cube as it stands, without looking ahead.
    pub(super) fn choose_at_once(
        &mut self,
        cube: &CubeRules<'_>,
        game: &TrialGame,
        roll: Roll,
        evaluator: &dyn Evaluator,
        looked: bool,
    ) -> Position {
        self.weighed += 1;
        let own = game.own_turn;
        let theirs = game.cube.flipped();
        let worth = |result: &Position, chances: &Probabilities| {
            cube.deciding(!own, theirs, result, chances)
        };
        let question = (game.position, roll, seats::player(own));
        let context = cube.context(!own);
        self.chooser
            .least_after(evaluator, question, looked, context, theirs, &worth)
    }

    /// The play that is best at the score, with the cube as it stands.
    pub(super) fn choose_at_score(
        &mut self,
        cube: &CubeRules<'_>,
        game: &mut TrialGame,
        roll: Roll,
        style: PlayStyle,
        evaluator: &dyn Evaluator,
    ) -> Result<Position, Cancelled> {
        let own = game.own_turn;
        let ply = style.ply_at(game.turns);
        if ply == 0 {
            return Ok(self.choose_at_once(cube, game, roll, evaluator, false));
        }
        self.weighed += 1;
        let keeps = self.rules.by_score
            && self.rules.plays_too[seats::player(own)]
            && self.rules.table.is_some_and(|depth| depth + 1 == ply);
        let look = self.looks[seats::player(own)].as_mut();
        let look = look.expect("made where plays are chosen at a score");
        let (side, limits) = (seats::side(own), (ply, style.filter));
        let early = game.turns < REMEMBERED;
        let (result, rolls) = look
            .choose(side, game.position, game.cube, roll, limits, early)
            .ok_or(Cancelled)?;
        let slot = &mut self.slots[usize::from(game.slot)];
        slot.table_of = None;
        if let Some(rolls) = rolls.filter(|_| keeps) {
            let theirs = game.cube.flipped();
            slot.table.copy_score(rolls, theirs);
            slot.table_of = Some((result, Some((theirs, !own))));
            game.ready = true;
        }
        Ok(result)
    }

    /// Looks up the rolls of the game's position with the plays that are best at the score, each valued at
    /// `ply` plies, for the table of its slot.
    pub(super) fn look_at_score(&mut self, game: &TrialGame, ply: u8) -> Result<(), Cancelled> {
        let look = self.looks[0].as_mut();
        let look = look.expect("made where plays are chosen at a score");
        let (side, rolls) = (seats::side(game.own_turn), &mut self.score_rolls);
        self.chooser.looked += ALL_ROLLS;
        look.rolls(side, &game.position, game.cube, ply + 1, rolls)
            .ok_or(Cancelled)?;
        let slot = &mut self.slots[usize::from(game.slot)];
        slot.table.copy_score(rolls, game.cube);
        Ok(())
    }
}

impl<'a> PlayRules<'a> {
    /// The lookahead at the score for the player who made the candidate play (0) or for the opponent; `None`
    /// where there is no score.
    pub(super) fn score_look(&self, player: usize) -> Option<Box<ScoreLook<'a>>> {
        let cube = self.cube.filter(|cube| !cube.is_money())?;
        let evaluator = self.evaluators[player];
        let look = ScoreLook::new(evaluator, cube.model, cube.contexts(), self.cancelled);
        Some(Box::new(look))
    }
}
