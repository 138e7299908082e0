//! One trial: a game played out from a position, and what the dice gave in it.
//!
//! Both sides choose their plays at the same number of plies. The game ends when it is over, when
//! the evaluator knows the position exactly (the trial is then worth that value, the mean of all
//! ways to go on, so nothing is biased), or at the horizon, where the evaluator's opinion is
//! taken.

use crate::dice::{Dice, Key, Purpose, roll_of_rank, rotation};
use crate::eval::lookahead::{MoveFilter, candidates};
use crate::eval::{Evaluator, Probabilities};
use crate::game::roll::DISTINCT;
use crate::game::{Position, Roll};
use crate::stats::Series;

use super::luck::{self, Plays, RollValues, Table};
use super::settings::{Reduction, Settings};

/// Turns after which a game that does not end is valued as it stands. Real games end within some
/// hundreds of turns (Koca and others prove that they end at all); this only keeps an evaluator
/// that plays absurdly from hanging a worker.
const ENDLESS: u32 = 20_000;

/// What one trial gave, seen by the player who made the candidate play.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(super) struct Outcome {
    /// Chances at the end, nearly always certain: the plain result.
    pub(super) value: [f64; 5],
    /// Luck over the whole trial, in each of the chances.
    pub(super) luck: [f64; 5],
    /// Group of the first roll, for the error under rotation.
    pub(super) stratum: u8,
}

impl Outcome {
    /// The result with the luck taken out. These are no chances: each lies where luck leaves it,
    /// and only their means are between 0 and 1.
    pub(super) fn reduced(&self) -> [f64; 5] {
        std::array::from_fn(|i| self.value[i] - self.luck[i])
    }
}

/// Cubeless equity of five chances, in points.
pub(super) fn equity(p: &[f64; 5]) -> f64 {
    2.0 * p[0] - 1.0 + p[1] + p[2] - p[3] - p[4]
}

/// Where luck is measured from.
#[derive(Clone, Copy)]
pub(super) enum Luck<'a> {
    /// Nowhere.
    None,
    /// From the static evaluation after the best play of each roll.
    Full,
    /// From a table of somebody's making.
    Given(&'a dyn RollValues),
}

/// Somebody wants the workers to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cancelled;

/// How the next roll is found.
#[derive(Clone, Copy, Debug)]
pub(super) enum Throw {
    /// It is this one.
    Roll(Roll),
    /// It has this rank among the rolls of the position, ties broken by the key.
    Rank(u8, u64),
}

/// A game under way.
#[derive(Clone, Copy)]
pub(super) struct Game {
    /// Seen by the player on roll.
    pub(super) position: Position,
    /// Whether that is the player who made the candidate play.
    own_turn: bool,
    turns: u32,
    /// Luck of the player who made the candidate play.
    pub(super) luck: [f64; 5],
    /// Chances of that player, once the game has ended.
    pub(super) value: Option<[f64; 5]>,
}

impl Game {
    /// The game after a candidate play, the opponent on roll.
    pub(super) fn after_play(position: Position) -> Self {
        Self {
            position,
            own_turn: false,
            turns: 0,
            luck: [0.0; 5],
            value: None,
        }
    }

    fn end(&mut self, chances: Probabilities) {
        let own = if self.own_turn {
            chances
        } else {
            chances.turned()
        };
        self.value = Some(own.to_array().map(f64::from));
    }

    /// What the ended game gave.
    pub(super) fn outcome(&self, stratum: u8) -> Outcome {
        Outcome {
            value: self.value.unwrap_or_default(),
            luck: self.luck,
            stratum,
        }
    }
}

/// Plays both sides of games; each worker has its own, for the memory in it.
pub(super) struct Players<'a> {
    rules: Rules<'a>,
    plays: Plays,
    table: Box<Table>,
    given: Box<[Probabilities; DISTINCT]>,
}

/// How [`Players`] play.
#[derive(Clone, Copy)]
pub(super) struct Rules<'a> {
    /// Judges positions.
    pub(super) evaluator: &'a dyn Evaluator,
    /// Plies at which plays are chosen.
    pub(super) ply: u8,
    /// Turns after which a game is valued as it stands.
    pub(super) horizon: Option<u16>,
    /// Where luck is measured from.
    pub(super) luck: Luck<'a>,
    /// Whether to end; asked at every decision and inside deep ones. Blocks during a pause.
    pub(super) cancelled: &'a dyn Fn() -> bool,
}

impl<'a> Players<'a> {
    pub(super) fn new(rules: Rules<'a>) -> Self {
        Self {
            rules,
            plays: Plays::default(),
            table: Box::new(Table::new()),
            given: Box::new([Probabilities::default(); DISTINCT]),
        }
    }

    /// Ends the game if it is over, exactly known, or at the horizon.
    #[inline]
    pub(super) fn settle(&self, game: &mut Game) -> bool {
        let limit = self.rules.horizon.map_or(ENDLESS, u32::from);
        if let Some(chances) = self.rules.evaluator.exact(&game.position) {
            game.end(chances);
        } else if game.turns >= limit {
            game.end(self.rules.evaluator.probabilities_of(&game.position));
        }
        game.value.is_some()
    }

    /// One turn: the roll, its luck, the play.
    pub(super) fn turn(&mut self, game: &mut Game, throw: Throw) -> Result<(), Cancelled> {
        if (self.rules.cancelled)() {
            return Err(Cancelled);
        }
        let looked = matches!(throw, Throw::Rank(..)) || matches!(self.rules.luck, Luck::Full);
        if looked {
            self.table
                .fill(self.rules.evaluator, &game.position, &mut self.plays);
        }
        let roll = match throw {
            Throw::Roll(roll) => roll,
            Throw::Rank(rank, tie) => roll_of_rank(&self.table.equities, rank, tie),
        };
        if let Some(luck) = self.luck_of(&game.position, roll) {
            let luck = if game.own_turn {
                luck
            } else {
                luck::turned(luck)
            };
            for (sum, l) in game.luck.iter_mut().zip(luck) {
                *sum += l;
            }
        }
        game.position = if looked && self.rules.ply == 0 {
            self.table.results[roll.index()]
        } else {
            self.choose(&game.position, roll)?
        };
        game.own_turn = !game.own_turn;
        game.turns += 1;
        Ok(())
    }

    /// Luck of the roll for the player on roll, from the table looked up before.
    fn luck_of(&mut self, position: &Position, roll: Roll) -> Option<[f64; 5]> {
        match self.rules.luck {
            Luck::None => None,
            Luck::Full => Some(luck::of_roll(&self.table.values, roll)),
            Luck::Given(values) => {
                values.values(position, &mut self.given);
                Some(luck::of_roll(&self.given, roll))
            }
        }
    }

    fn choose(&mut self, position: &Position, roll: Roll) -> Result<Position, Cancelled> {
        let Rules {
            evaluator,
            ply,
            cancelled,
            ..
        } = self.rules;
        if ply == 0 {
            return Ok(self.plays.best(evaluator, position, roll));
        }
        let filter = MoveFilter::default();
        match candidates(evaluator, position, roll, ply, filter, cancelled) {
            // There is always a play, if only the one that moves nothing.
            Some(list) => Ok(list[0].result),
            None => Err(Cancelled),
        }
    }

    /// A game played to its end with the rolls that `throw` gives.
    pub(super) fn finish(
        &mut self,
        game: &mut Game,
        throw: &mut dyn FnMut() -> Roll,
    ) -> Result<(), Cancelled> {
        while !self.settle(game) {
            self.turn(game, Throw::Roll(throw()))?;
        }
        Ok(())
    }
}

/// One trial by itself: for experiments and for looking into a rollout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrialResult {
    /// Chances at the end of the game for the player who made the candidate play, in the order of
    /// [`Probabilities::to_array`].
    pub chances: [f64; 5],
    /// The luck in each of them.
    pub luck: [f64; 5],
    /// Turns played.
    pub turns: u32,
}

impl TrialResult {
    /// Equity at the end, in points.
    #[must_use]
    pub fn plain_equity(&self) -> f64 {
        equity(&self.chances)
    }

    /// Equity with the luck taken out, in points.
    #[must_use]
    pub fn reduced_equity(&self) -> f64 {
        equity(&self.reduced_chances())
    }

    /// Chances with the luck taken out.
    #[must_use]
    pub fn reduced_chances(&self) -> [f64; 5] {
        std::array::from_fn(|i| self.chances[i] - self.luck[i])
    }
}

/// Plays trial `trial` of a rollout of `position` (after the candidate play, the opponent on roll)
/// as a rollout of that one candidate would. `values`, if given, is what luck is measured from
/// instead of what the settings say.
#[must_use]
pub fn play_trial(
    evaluator: &dyn Evaluator,
    position: Position,
    settings: &Settings,
    values: Option<&dyn RollValues>,
    trial: u64,
) -> TrialResult {
    let key = Key {
        seed: settings.seed,
        strand: 0,
    };
    let block = Series::BLOCK;
    let first = settings
        .rotation
        .then(|| rotation(key, trial / block)[(trial % block) as usize]);
    let mut dice = Dice::new(key, Purpose::Rolls, trial, first);
    let luck = match (values, settings.reduction) {
        (Some(values), _) => Luck::Given(values),
        (None, Reduction::Full) => Luck::Full,
        (None, Reduction::None) => Luck::None,
    };
    let mut players = Players::new(Rules {
        evaluator,
        ply: settings.ply,
        horizon: settings.horizon,
        luck,
        cancelled: &|| false,
    });
    let mut game = Game::after_play(position);
    // Nobody cancels, so the game comes to its end.
    let _ = players.finish(&mut game, &mut || dice.roll());
    TrialResult {
        chances: game.value.unwrap_or_default(),
        luck: game.luck,
        turns: game.turns,
    }
}
