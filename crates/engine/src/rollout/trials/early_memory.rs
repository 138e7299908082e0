//! A worker's memory of the first turns.
//! All trials of a rollout begin alike, so the same positions come again and again. The memory changes no result.

use std::collections::HashMap;

use super::game_memory::TableKey;
use super::trial_rolls::TrialRolls;
use crate::cube::{Cube, CubeDecision};
use crate::game::{Position, Roll};

/// In so many turns the choices of other trials are remembered, and the tables of where they lead.
pub(super) const REMEMBERED: u32 = 2;
/// Tables and choices that are remembered at most: those of two rolls of four plays. 4 MB of tables.
const MOST: usize = 2048;

/// Key of a choice: position, roll, player, plies and, if it counts, the cube.
pub(super) type ChoiceKey = (Position, Roll, usize, u8, Option<Cube>);

/// Key of the first cube decision: position, cube and player.
pub(crate) type FirstCubeKey = (Position, Cube, usize);

/// A choice, and what it cost in the unit of [`PlayChooser::looked`](super::play_choice::PlayChooser).
#[derive(Clone, Copy)]
pub(super) struct Chosen {
    /// The position after the play.
    pub(super) result: Position,
    /// The table of that position came with it, and is remembered too.
    pub(super) tabled: bool,
    pub(super) cost: f64,
}

/// Tables and choices of the first turns, and cube decisions before the first roll.
#[derive(Default)]
pub(super) struct EarlyMemory {
    tables: HashMap<(TableKey, u8), (Box<TrialRolls>, f64)>,
    choices: HashMap<ChoiceKey, Chosen>,
    first_cubes: HashMap<FirstCubeKey, CubeDecision>,
}

impl EarlyMemory {
    /// The table of a position whose rolls are valued at `ply` plies, and what it cost.
    pub(super) fn table(&self, of: TableKey, ply: u8) -> Option<(&TrialRolls, f64)> {
        let (table, cost) = self.tables.get(&(of, ply))?;
        Some((table, *cost))
    }

    /// Keeps a table while there is room. Returns whether it is kept now.
    pub(super) fn keep_table(
        &mut self,
        of: TableKey,
        ply: u8,
        table: &TrialRolls,
        cost: f64,
    ) -> bool {
        if self.tables.contains_key(&(of, ply)) {
            return true;
        }
        let room = self.tables.len() < MOST;
        if room {
            let kept = (Box::new(table.clone()), cost);
            self.tables.insert((of, ply), kept);
        }
        room
    }

    pub(super) fn choice(&self, key: &ChoiceKey) -> Option<Chosen> {
        self.choices.get(key).copied()
    }

    pub(super) fn first_cube(&self, key: &FirstCubeKey) -> Option<CubeDecision> {
        self.first_cubes.get(key).copied()
    }

    pub(super) fn keep_first_cube(&mut self, key: FirstCubeKey, decision: CubeDecision) {
        if self.first_cubes.len() < MOST {
            self.first_cubes.insert(key, decision);
        }
    }

    pub(super) fn keep_choice(&mut self, key: ChoiceKey, chosen: Chosen) {
        if self.choices.len() < MOST {
            self.choices.insert(key, chosen);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::dice::{Dealer, Purpose, StreamKey};
    use crate::eval::{Engine, Evaluator};
    use crate::game::Position;
    use crate::rollout::trials::roll_source::RollSource;
    use crate::rollout::trials::trial::{PlayRules, TrialPlayers};
    use crate::rollout::{LuckKind, Settings, Setup};

    /// A trial counts as much where all of its first turns are remembered as where none is: what a pilot
    /// chooses must not depend on the trials before.
    #[test]
    fn what_is_remembered_counts() {
        let engine: Arc<dyn Evaluator> = Arc::new(Engine::embedded());
        let setup = Setup::from(engine);
        for ply in [0, 1] {
            let settings = Settings {
                ply,
                horizon: Some(4),
                luck: LuckKind::Lookahead(Some(0)),
                ..Settings::default()
            };
            let never = || false;
            let players = || TrialPlayers::new(PlayRules::new(&setup, &settings, &never));
            let cost = |players: &mut TrialPlayers<'_>, trial: u64| {
                let key = StreamKey {
                    seed: settings.seed,
                    candidate: 0,
                };
                let mut dealer = Dealer::new(settings.dice_source, settings.initial, None);
                let mut dice = dealer.deal(key, Purpose::Rolls, trial);
                let before = players.work();
                let mut game = players.start(Position::opening(), 0);
                let done = players.finish(&mut game, &mut || RollSource::Roll(dice.roll()));
                assert_eq!(done, Ok(()));
                players.work() - before
            };
            let (mut knows, mut knows_little) = (players(), players());
            cost(&mut knows, 5);
            cost(&mut knows_little, 6);
            let [again, anew] = [&mut knows, &mut knows_little].map(|p| cost(p, 5));
            assert!(again > 0.0);
            assert_eq!(again, anew, "{ply}-ply");
        }
    }
}
