//! Plays one game of a duel.

use super::luck::{LuckMeter, LuckSum, weighted};
use super::player::{Fault, FaultKind, Player};
use super::record::ContestRecord;
use super::rules::Score;
use super::setup::{Duel, Table};
use crate::cube::{Cube, CubeChoice};
use crate::dice::Dice;
use crate::game::roll::ORDERED;
use crate::game::{CubeOwner, GameState, Position, Roll};
use crate::rollout::cpu_seconds;

/// Maximum number of turns in a game.
const LONGEST_GAME: u32 = 4_000;

/// The contestant responsible for a void game, and the fault.
pub(super) type Void = (usize, Fault);

/// A game in progress. Sides are contestants: 0 and 1.
pub(super) struct Game<'t, 'a> {
    duel: &'t Duel<'a>,
    table: &'t mut Table<'a>,
    score: Score,
    meter: LuckMeter<'a>,
    /// The position, seen by `side`.
    position: Position,
    side: usize,
    level: u8,
    owner: Option<usize>,
    sum: &'t mut LuckSum,
    record: &'t mut ContestRecord,
}

impl<'t, 'a> Game<'t, 'a> {
    pub(super) fn new(
        duel: &'t Duel<'a>,
        table: &'t mut Table<'a>,
        score: Score,
        sum: &'t mut LuckSum,
        record: &'t mut ContestRecord,
    ) -> Self {
        let state = score.state(&duel.rules, 0, Position::opening());
        let contexts = duel.model.contexts(&state);
        let cubeless = duel.rules.is_cubeless();
        Self {
            meter: LuckMeter::new(duel.luck, duel.model, duel.kind, contexts, cubeless),
            duel,
            table,
            score,
            position: Position::opening(),
            side: 0,
            level: 0,
            owner: None,
            sum,
            record,
        }
    }

    /// Plays the game. Returns the points of the first contestant. `exchanged`: whether the first contestant
    /// has the second seat.
    pub(super) fn play(mut self, dice: &mut Dice, exchanged: bool) -> Result<i64, Void> {
        let mut roll = self.open(dice, exchanged);
        for turn in 0..LONGEST_GAME {
            if turn > 0 {
                if let Some(points) = self.turn_cube()? {
                    return Ok(points);
                }
                roll = dice.roll();
                let values = self.meter.values(self.side, &self.position, self.cube());
                let bound = self.duel.rules.luck_bound;
                self.sum
                    .add(values[roll.index()], &weighted(&values), bound);
            }
            self.move_checkers(roll)?;
            if let Some(points) = self.position.points() {
                return Ok(self.points(points));
            }
        }
        let message = format!("no end after {LONGEST_GAME} turns");
        Err((self.side, Fault::new(FaultKind::Endless, message)))
    }

    /// Rolls the first dice, which decide who begins, and adds their luck.
    fn open(&mut self, dice: &mut Dice, exchanged: bool) -> Roll {
        let number = loop {
            let number = usize::from(dice.number());
            if !Roll::ordered(number).is_double() {
                break number;
            }
        };
        // The first die belongs to the first seat, the second to the second seat.
        let starter = |number: usize| usize::from((number / 6 < number % 6) != exchanged);
        let values = [0, 1].map(|side| self.meter.values(side, &self.position, Cube::CENTRED));
        let value = |number: usize| values[starter(number)][Roll::ordered(number).index()];
        let all: Vec<(f64, f64)> = (0..ORDERED)
            .filter(|&n| !Roll::ordered(n).is_double())
            .map(|n| (value(n), 1.0))
            .collect();
        let bound = self.duel.rules.luck_bound;
        self.sum.add(value(number), &all, bound);
        self.side = starter(number);
        Roll::ordered(number)
    }

    fn cube(&self) -> Cube {
        Cube {
            level: self.level,
            owner: self.cube_owner(),
        }
    }

    /// Returns the owner of the cube, seen by the player on roll.
    fn cube_owner(&self) -> CubeOwner {
        CubeOwner::seen_by(self.owner, self.side)
    }

    fn state(&self) -> GameState {
        GameState {
            cube: 1 << self.level,
            owner: self.cube_owner(),
            ..self.score.state(&self.duel.rules, self.side, self.position)
        }
    }

    /// Converts points of the player on roll, without the cube, to points of the first contestant.
    fn points(&self, of_mover: i8) -> i64 {
        let rules = &self.duel.rules;
        let alone = rules.is_money() && rules.jacoby && rules.cube && self.owner.is_none();
        let size = if alone { of_mover.signum() } else { of_mover };
        let points = i64::from(size) << self.level;
        if self.side == 0 { points } else { -points }
    }

    /// Lets the player on roll double and the opponent answer. Returns the result if the game is over.
    fn turn_cube(&mut self) -> Result<Option<i64>, Void> {
        let rules = &self.duel.rules;
        let state = self.state();
        let may = rules.has_cube() && state.may_double() && state.cube < rules.cap();
        if !may || !self.ask(self.side, |player| player.doubles(&state))? {
            return Ok(None);
        }
        let other = 1 - self.side;
        let offered = state.offered();
        match self.ask(other, |player| player.reply(&offered))? {
            CubeChoice::Pass => return Ok(Some(self.points(1))),
            CubeChoice::Take => self.level += 1,
            CubeChoice::Beaver if rules.beavers && rules.is_money() => {
                self.level += 1 + u8::from(4 * state.cube <= rules.cap());
            }
            _ => {
                let fault = Fault::new(FaultKind::Illegal, "no answer to a double");
                return Err((other, fault));
            }
        }
        self.owner = Some(other);
        Ok(None)
    }

    fn move_checkers(&mut self, roll: Roll) -> Result<(), Void> {
        let state = self.state();
        let mut list = std::mem::take(&mut self.table.list);
        list.generate(&self.position, roll);
        let found = self.ask(self.side, |player| player.play(&state, roll, &list));
        let is_legal = |result: &Position| list.results().contains(result);
        let found = found.and_then(|result| match is_legal(&result) {
            true => Ok(result),
            false => Err((self.side, Fault::new(FaultKind::Illegal, "an illegal play"))),
        });
        self.table.list = list;
        self.position = found?;
        self.side = 1 - self.side;
        self.record.plays += 1;
        Ok(())
    }

    /// Lets a player decide, and measures the time.
    fn ask<T>(
        &mut self,
        side: usize,
        decide: impl FnOnce(&mut dyn Player) -> Result<T, Fault>,
    ) -> Result<T, Void> {
        let thinks_here = self.duel.contestants[side].thinks_here();
        let clock = std::time::Instant::now();
        let cpu = if thinks_here { cpu_seconds() } else { 0.0 };
        let answer = decide(self.table.player(side));
        self.record.decisions[side] += 1;
        self.record.seconds[side] += match thinks_here {
            true => cpu_seconds() - cpu,
            false => clock.elapsed().as_secs_f64(),
        };
        answer.map_err(|fault| (side, fault))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::Model;
    use crate::duel::{Contestant, DuelLuck, DuelRules};
    use crate::eval::Engine;
    use crate::game::PlayList;

    /// Doubles whenever possible, and has a fixed answer to every double.
    #[derive(Clone, Copy)]
    struct Scripted(CubeChoice);

    impl Contestant for Scripted {
        fn sit(&self) -> Result<Box<dyn Player + '_>, Fault> {
            Ok(Box::new(*self))
        }
    }

    impl Player for Scripted {
        fn doubles(&mut self, _: &GameState) -> Result<bool, Fault> {
            Ok(true)
        }

        fn reply(&mut self, state: &GameState) -> Result<CubeChoice, Fault> {
            assert!(state.doubled);
            Ok(self.0)
        }

        fn play(&mut self, _: &GameState, _: Roll, legal: &PlayList) -> Result<Position, Fault> {
            Ok(legal.results()[0])
        }
    }

    const RULES: DuelRules = DuelRules {
        length: 0,
        cube: true,
        jacoby: true,
        beavers: true,
        largest_cube: 64,
        luck_bound: 4.0,
    };

    /// Calls `look` on a game in which the first contestant is on roll and every double gets this answer.
    fn in_game(rules: DuelRules, answer: CubeChoice, look: impl FnOnce(&mut Game<'_, '_>)) {
        let (engine, model, player) = (Engine::embedded(), Model::default(), Scripted(answer));
        let duel = Duel {
            contestants: [&player, &player],
            rules,
            luck: &engine,
            kind: DuelLuck::None,
            model: &model,
            seed: 1,
        };
        let mut table = Table::new();
        table.players = [player.sit().ok(), player.sit().ok()];
        let (mut sum, mut record) = (LuckSum::default(), ContestRecord::default());
        let score = Score::default();
        look(&mut Game::new(
            &duel,
            &mut table,
            score,
            &mut sum,
            &mut record,
        ));
    }

    /// Returns the cube and its owner after a double with this answer.
    fn after(rules: DuelRules, answer: CubeChoice) -> (u32, Option<usize>) {
        let mut found = (0, None);
        in_game(rules, answer, |game| {
            assert_eq!(game.turn_cube(), Ok(None));
            found = (1 << game.level, game.owner);
        });
        found
    }

    #[test]
    fn a_pass_gives_the_cube_as_it_was() {
        in_game(RULES, CubeChoice::Pass, |game| {
            assert_eq!(game.turn_cube(), Ok(Some(1)));
            game.side = 1;
            assert_eq!(game.turn_cube(), Ok(Some(-1)));
            // A redouble.
            (game.level, game.owner) = (2, Some(1));
            assert_eq!(game.turn_cube(), Ok(Some(-4)));
        });
    }

    #[test]
    fn the_cube_goes_to_the_answering_player() {
        let largest = |largest_cube| DuelRules {
            largest_cube,
            ..RULES
        };
        assert_eq!(after(RULES, CubeChoice::Take), (2, Some(1)));
        assert_eq!(after(RULES, CubeChoice::Beaver), (4, Some(1)));
        assert_eq!(after(largest(4), CubeChoice::Beaver), (4, Some(1)));
        // The limit leaves no room for the beaver, or for any double.
        assert_eq!(after(largest(2), CubeChoice::Beaver), (2, Some(1)));
        assert_eq!(after(largest(1), CubeChoice::Pass), (1, None));
    }

    #[test]
    fn a_beaver_needs_its_rule() {
        let without = DuelRules {
            beavers: false,
            ..RULES
        };
        in_game(without, CubeChoice::Beaver, |game| {
            let fault = Fault::new(FaultKind::Illegal, "no answer to a double");
            assert_eq!(game.turn_cube(), Err((1, fault)));
        });
    }

    #[test]
    fn a_gammon_counts_by_jacoby_once_the_cube_was_turned() {
        in_game(RULES, CubeChoice::Take, |game| {
            assert_eq!([1, 2, 3].map(|won| game.points(won)), [1, 1, 1]);
            assert_eq!([-1, -2, -3].map(|won| game.points(won)), [-1, -1, -1]);
            assert_eq!(game.turn_cube(), Ok(None));
            assert_eq!([1, 2, -3].map(|won| game.points(won)), [2, 4, -6]);
            game.side = 1;
            assert_eq!([1, 2, -3].map(|won| game.points(won)), [-2, -4, 6]);
        });
        let without = DuelRules {
            jacoby: false,
            ..RULES
        };
        in_game(without, CubeChoice::Take, |game| {
            assert_eq!([1, 2, 3].map(|won| game.points(won)), [1, 2, 3]);
        });
    }
}
