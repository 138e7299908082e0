//! How the roll of a turn is found, for one game or for two side by side.
//!
//! Before a roll is drawn everything is looked up that it is measured and ordered by: that order
//! must not depend on it.

use crate::dice::{hybrid_rolls, own_tie, places_of_roll, roll_of_quantile, roll_of_rank};
use crate::eval::Probabilities;
use crate::game::roll::DISTINCT;
use crate::game::{Position, Roll};

use super::play_choice::{Cancelled, Order};
use super::trial::{LuckSource, TrialGame, TrialPlayers};
use crate::rollout::request::coupling::Coupling;

/// How the next roll is found.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RollSource {
    Roll(Roll),
    /// By its luck: a number from 0, for the best, to 35, and a key for what the number leaves open.
    Ranked(u8, u64),
}

impl TrialPlayers<'_> {
    /// Plays one turn: the roll, its luck, the play.
    pub(super) fn turn(
        &mut self,
        game: &mut TrialGame,
        source: RollSource,
    ) -> Result<(), Cancelled> {
        if (self.rules.cancelled)() {
            return Err(Cancelled);
        }
        let roll = self.roll(game, source)?;
        self.play(game, roll, None)
    }

    /// Plays a turn of each of two games, with rolls from one number and one key.
    pub(crate) fn turns(
        &mut self,
        [a, b]: [&mut TrialGame; 2],
        number: u8,
        tie: u64,
    ) -> Result<(), Cancelled> {
        debug_assert_eq!(a.own_turn, b.own_turn, "the same player is on roll in both");
        match self.rules.coupling {
            Coupling::Hybrid { within } => {
                if (self.rules.cancelled)() {
                    return Err(Cancelled);
                }
                self.prepare(a, true)?;
                self.prepare(b, true)?;
                self.ordered += 2;
                self.drawn = Some(number);
                let values = [&self.slots[0].worth, &self.slots[1].worth];
                let [first, second] = hybrid_rolls(values, number, tie, within);
                self.play(a, first, None)?;
                self.play(b, second, None)
            }
            Coupling::Near { checkers } if checkers_apart(&a.position, &b.position) <= checkers => {
                let source = RollSource::Roll(Roll::ordered(usize::from(number)));
                self.turn(a, source)?;
                self.turn(b, source)
            }
            _ => {
                self.turn(a, RollSource::Ranked(number, tie))?;
                self.turn(b, RollSource::Ranked(number, tie))
            }
        }
    }

    /// Finds the roll that falls, after what it is measured by has been looked up.
    pub(crate) fn roll(
        &mut self,
        game: &mut TrialGame,
        source: RollSource,
    ) -> Result<Roll, Cancelled> {
        self.prepare(game, matches!(source, RollSource::Ranked(..)))?;
        self.drawn = None;
        Ok(match source {
            RollSource::Roll(roll) => roll,
            RollSource::Ranked(number, tie) => {
                self.ordered += 1;
                self.drawn = Some(number);
                let worth = &self.slots[usize::from(game.slot)].worth;
                match self.rules.coupling {
                    Coupling::Quantile { step } => {
                        roll_of_quantile(worth, number, tie, f32::from(step) / 1000.0)
                    }
                    _ if self.rules.own_ties => {
                        roll_of_rank(worth, number, own_tie(tie, game.slot))
                    }
                    _ => roll_of_rank(worth, number, tie),
                }
            }
        })
    }

    /// Looks up what luck is measured by and, for a roll that is `ranked`, what each roll is worth.
    fn prepare(&mut self, game: &mut TrialGame, ranked: bool) -> Result<(), Cancelled> {
        let order = self.rules.order.filter(|_| ranked);
        if self.rules.luck == LuckSource::Net || order == Some(Order::Guess) {
            self.guess(game);
        }
        let tabled = |ply| self.rules.table == Some(ply);
        let ranks = matches!(order, Some(Order::Table(ply)) if tabled(ply));
        if let Some(ply) = self.rules.table
            && (ranks || matches!(self.rules.luck, LuckSource::Lookahead(_)))
        {
            self.ensure_table(game, ply)?;
        }
        match order {
            None => {}
            Some(Order::Guess) => {
                let slot = &mut self.slots[usize::from(game.slot)];
                slot.worth = equities(&slot.guess);
            }
            Some(Order::Table(_)) if ranks => {
                let slot = &mut self.slots[usize::from(game.slot)];
                slot.worth = equities(&slot.table.values);
            }
            Some(Order::Table(ply)) => self.rank_by_table(game, ply)?,
        }
        Ok(())
    }

    /// Predicts what each roll of the game's position is worth. Two games in the same position
    /// share the prediction.
    fn guess(&mut self, game: &TrialGame) {
        let [a, b] = &mut self.slots;
        let (slot, other) = if game.slot == 0 { (a, b) } else { (b, a) };
        if other.guess_of == Some(game.position) {
            slot.guess.clone_from(&other.guess);
        } else {
            self.guesses += 1;
            let luck_by = self.rules.luck_by;
            if !luck_by.roll_values(&game.position, &mut slot.guess) {
                *slot.guess = [Probabilities::default(); DISTINCT];
            }
        }
        slot.guess_of = Some(game.position);
    }

    /// Values rolls by a table that nothing else needs.
    fn rank_by_table(&mut self, game: &TrialGame, ply: u8) -> Result<(), Cancelled> {
        if self.ranked != Some(game.position) {
            self.ranked = None;
            let (luck_by, cancelled) = (self.rules.luck_by, self.rules.cancelled);
            let table = &mut self.rank_table;
            self.chooser
                .table(luck_by, &game.position, ply, table, cancelled)?;
            self.ranked = Some(game.position);
        }
        let worth = equities(&self.rank_table.values);
        self.slots[usize::from(game.slot)].worth = worth;
        Ok(())
    }

    /// The places of `roll` in the game's position: in the order in which it was dealt, else by what its
    /// luck is measured by, else by static values. For a caller that looks into a trial.
    pub(super) fn ranks(&mut self, game: &TrialGame, roll: Roll) -> Result<[u8; 2], Cancelled> {
        if self.drawn.is_none() {
            match self.rules.luck {
                LuckSource::None => self.rank_by_table(game, 0)?,
                LuckSource::Lookahead(_) => {
                    let slot = &mut self.slots[usize::from(game.slot)];
                    slot.worth = equities(&slot.table.values);
                }
                LuckSource::Net => {
                    let slot = &mut self.slots[usize::from(game.slot)];
                    slot.worth = equities(&slot.guess);
                }
            }
        }
        Ok(places_of_roll(
            &self.slots[usize::from(game.slot)].worth,
            roll,
        ))
    }

    /// Plays a game to its end with the rolls that `source` gives.
    pub(crate) fn finish(
        &mut self,
        game: &mut TrialGame,
        source: &mut dyn FnMut() -> RollSource,
    ) -> Result<(), Cancelled> {
        while !self.end_or_double(game)? {
            self.turn(game, source())?;
        }
        Ok(())
    }

    /// Returns the lookups so far, in plays of a roll that were generated and evaluated.
    /// This measure of cost is the same on every machine.
    /// A prediction of all rolls costs a little less than half of that, and putting rolls in order a fifth.
    /// Values with the cube for all plays of a roll, or for all rolls, cost somewhat more (measured at 0-ply).
    pub(crate) fn work(&self) -> f64 {
        self.chooser.looked
            + 0.45 * self.guesses as f64
            + 0.2 * self.ordered as f64
            + 1.2 * self.weighed as f64
    }
}

fn equities(values: &[Probabilities; DISTINCT]) -> [f32; DISTINCT] {
    values.map(|v| v.equity())
}

/// How many checkers of both sides stand elsewhere in one position than in the other.
pub(super) fn checkers_apart(a: &Position, b: &Position) -> u8 {
    let side = |a: &crate::game::Side, b: &crate::game::Side| -> u8 {
        (0..26).map(|i| a.at(i).saturating_sub(b.at(i))).sum()
    };
    side(&a.mover, &b.mover) + side(&a.opponent, &b.opponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_as_far_apart_as_their_checkers() {
        let opening = Position::opening();
        assert_eq!(checkers_apart(&opening, &opening), 0);
        let moved = |mover: &[(usize, u8)]| {
            Position::from_points(mover, &[(24, 2), (13, 5), (8, 3), (6, 5)])
        };
        let a = moved(&[(24, 2), (13, 4), (11, 1), (8, 3), (6, 5)]).unwrap();
        let b = moved(&[(24, 1), (22, 1), (13, 5), (8, 3), (6, 5)]).unwrap();
        assert_eq!(
            (checkers_apart(&opening, &a), checkers_apart(&a, &opening)),
            (1, 1)
        );
        assert_eq!((checkers_apart(&a, &b), checkers_apart(&b, &a)), (2, 2));
    }
}
