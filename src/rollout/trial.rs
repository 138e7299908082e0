//! One trial: a game played out from a position, and what the dice gave in it.
//!
//! The game ends when it is over, when the evaluator knows the position exactly (the trial is then
//! worth that value, the mean of all ways to go on, so nothing is biased), or at the horizon,
//! where the evaluator's opinion is taken.

use crate::dice::{Dealer, Key, Purpose, roll_of_rank};
use crate::eval::{Evaluator, Probabilities};
use crate::game::roll::DISTINCT;
use crate::game::{Position, Roll};

use super::decision::{Ask, Decider, Table};
use super::luck::{self, Range, RollValues};
use super::settings::{LuckKind, Settings, Style};
use super::setup::Setup;

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
    /// The first two numbers of the dice where they were prescribed.
    pub(super) numbers: [u8; 2],
}

impl Outcome {
    /// The chances with the luck taken out. These are no chances: each lies where luck leaves it,
    /// and only their means are between 0 and 1.
    pub(super) fn reduced(&self) -> [f64; 5] {
        std::array::from_fn(|i| self.value[i] - self.luck[i])
    }

    /// The equity with the luck taken out.
    pub(super) fn reduced_equity(&self) -> f64 {
        equity(&self.reduced())
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
    /// From one look at the position before the roll.
    Cheap,
    /// From the value after the best play of each roll, at so many plies.
    Full(u8),
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
    /// Which of two games played side by side.
    pub(super) slot: u8,
    /// Whether the table of this slot is that of the position.
    ready: bool,
}

impl Game {
    /// The game after a candidate play, the opponent on roll.
    pub(super) fn after_play(position: Position, slot: u8) -> Self {
        Self {
            position,
            own_turn: false,
            turns: 0,
            luck: [0.0; 5],
            value: None,
            slot,
            ready: false,
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
    pub(super) fn outcome(&self, numbers: [u8; 2]) -> Outcome {
        Outcome {
            value: self.value.unwrap_or_default(),
            luck: self.luck,
            numbers,
        }
    }
}

/// One turn of a trial that is being looked into.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    /// Place of the strand among the candidates.
    pub strand: u16,
    /// The position before the roll, seen by the player on roll.
    pub position: Position,
    /// Whether that is the player who made the candidate play.
    pub own: bool,
    /// The roll.
    pub roll: Roll,
    /// The position after the play, seen by the other player.
    pub result: Position,
    /// Luck of the roll in points, for the player who made the candidate play; 0 where it is not
    /// measured.
    pub luck: f64,
}

/// Plays both sides of games; each worker has its own, for the memory in it.
pub(super) struct Players<'a> {
    rules: Rules<'a>,
    decider: Decider,
    slots: [Slot; 2],
    /// What happens, where somebody wants to know.
    pub(super) log: Option<Vec<Turn>>,
}

/// What is remembered for one of two games.
struct Slot {
    table: Box<Table>,
    /// What luck is measured from where it is not the table.
    guess: Box<[Probabilities; DISTINCT]>,
    /// The first position of the trials lately played, and its table.
    start: Option<Position>,
    start_table: Box<Table>,
}

/// How [`Players`] play.
#[derive(Clone, Copy)]
pub(super) struct Rules<'a> {
    /// Judge positions: for the player who made the candidate play, and for the opponent.
    evaluators: [&'a dyn Evaluator; 2],
    /// Measures luck.
    luck_by: &'a dyn Evaluator,
    /// Whether it is also the one who plays, for either player.
    plays_too: [bool; 2],
    /// Whether one evaluator plays both sides.
    one_player: bool,
    styles: [Style; 2],
    horizon: Option<u16>,
    stop_at_known: bool,
    initial: bool,
    luck: Luck<'a>,
    bound: Option<f64>,
    cancelled: Ask<'a>,
}

impl<'a> Rules<'a> {
    /// The rules of a rollout. `settings` have their luck named. `cancelled` is asked at every
    /// decision and inside deep ones, and blocks during a pause.
    pub(super) fn new(setup: &'a Setup, settings: &Settings, cancelled: Ask<'a>) -> Self {
        let own = &*setup.evaluator;
        let other = setup.opponent.as_deref();
        Self {
            evaluators: [own, other.unwrap_or(own)],
            luck_by: setup.luck.as_deref().unwrap_or(own),
            plays_too: [
                setup.luck.is_none(),
                setup.luck.is_none() && setup.opponent.is_none(),
            ],
            one_player: setup.opponent.is_none(),
            styles: settings.styles(),
            horizon: settings.horizon,
            stop_at_known: settings.stop_at_known,
            initial: settings.initial,
            luck: match settings.luck {
                LuckKind::None => Luck::None,
                LuckKind::Cheap => Luck::Cheap,
                LuckKind::Auto => Luck::Full(0),
                LuckKind::Full(ply) => Luck::Full(ply.unwrap_or(0)),
            },
            bound: settings.luck_bound,
            cancelled,
        }
    }

    /// Which rolls can fall after `turns` turns.
    #[inline]
    fn range(&self, turns: u32) -> Range {
        if self.initial && turns == 0 {
            Range::NoDoubles
        } else {
            Range::All
        }
    }

    /// Chances of the position where both players' evaluators know them without error.
    fn exact(&self, game: &Game) -> Option<Probabilities> {
        let position = &game.position;
        if !self.stop_at_known || self.range(game.turns) == Range::NoDoubles {
            return position.points().map(Probabilities::finished);
        }
        let [own, other] = self.evaluators;
        let known = own.exact(position)?;
        let agreed = self.one_player || position.is_over() || other.exact(position) == Some(known);
        agreed.then_some(known)
    }
}

impl<'a> Players<'a> {
    pub(super) fn new(rules: Rules<'a>) -> Self {
        let slot = || Slot {
            table: Box::new(Table::new()),
            guess: Box::new([Probabilities::default(); DISTINCT]),
            start: None,
            start_table: Box::new(Table::new()),
        };
        Self {
            rules,
            decider: Decider::new(),
            slots: [slot(), slot()],
            log: None,
        }
    }

    /// Ends the game if it is over, exactly known, or at the horizon.
    #[inline]
    pub(super) fn settle(&self, game: &mut Game) -> bool {
        let limit = self.rules.horizon.map_or(ENDLESS, u32::from);
        if let Some(chances) = self.rules.exact(game) {
            game.end(chances);
        } else if game.turns >= limit {
            let evaluator = self.rules.evaluators[0];
            game.end(evaluator.probabilities_of(&game.position));
        }
        game.value.is_some()
    }

    /// One turn: the roll, its luck, the play.
    pub(super) fn turn(&mut self, game: &mut Game, throw: Throw) -> Result<(), Cancelled> {
        if (self.rules.cancelled)() {
            return Err(Cancelled);
        }
        let roll = self.roll(game, throw)?;
        self.play(game, roll, None)
    }

    /// The roll that falls, after what it is measured by has been looked up.
    pub(super) fn roll(&mut self, game: &mut Game, throw: Throw) -> Result<Roll, Cancelled> {
        let ranked = matches!(throw, Throw::Rank(..));
        let slot = &mut self.slots[usize::from(game.slot)];
        let ply = match self.rules.luck {
            Luck::Full(ply) => Some(ply),
            Luck::Cheap => {
                if !self
                    .rules
                    .luck_by
                    .roll_values(&game.position, &mut slot.guess)
                {
                    *slot.guess = [Probabilities::default(); DISTINCT];
                }
                None
            }
            Luck::Given(values) => {
                values.values(&game.position, &mut slot.guess);
                ranked.then_some(0)
            }
            Luck::None => ranked.then_some(0),
        };
        if let Some(ply) = ply {
            self.look(game, ply)?;
        }
        Ok(match throw {
            Throw::Roll(roll) => roll,
            Throw::Rank(rank, tie) => {
                let slot = &self.slots[usize::from(game.slot)];
                let values = match self.rules.luck {
                    Luck::Cheap => &slot.guess,
                    _ => &slot.table.values,
                };
                roll_of_rank(&values.map(|v| v.equity()), rank, tie)
            }
        })
    }

    /// Sees to it that the table of the game's slot is that of its position.
    fn look(&mut self, game: &mut Game, ply: u8) -> Result<(), Cancelled> {
        if game.ready {
            return Ok(());
        }
        game.ready = true;
        let Rules {
            luck_by, cancelled, ..
        } = self.rules;
        let slot = &mut self.slots[usize::from(game.slot)];
        let position = &game.position;
        if game.turns > 0 {
            let table = &mut slot.table;
            return self.decider.table(luck_by, position, ply, table, cancelled);
        }
        // All trials of a strand begin with the same position.
        if slot.start != Some(*position) {
            slot.start = None;
            let table = &mut slot.start_table;
            self.decider
                .table(luck_by, position, ply, table, cancelled)?;
            slot.start = Some(*position);
        }
        slot.table.clone_from(&slot.start_table);
        Ok(())
    }

    /// Counts the luck of `roll` and plays it: as `chosen` says, or by the evaluator.
    pub(super) fn play(
        &mut self,
        game: &mut Game,
        roll: Roll,
        chosen: Option<Position>,
    ) -> Result<(), Cancelled> {
        let before = (game.position, game.own_turn, game.luck);
        self.count_luck(game, roll);
        let looked = std::mem::take(&mut game.ready);
        let result = match chosen {
            Some(result) => result,
            None => self.choose(game, roll, looked)?,
        };
        if let Some(log) = &mut self.log {
            let (position, own, luck) = before;
            let gained: [f64; 5] = std::array::from_fn(|i| game.luck[i] - luck[i]);
            log.push(Turn {
                strand: u16::from(game.slot),
                position,
                own,
                roll,
                result,
                luck: luck::equity_of_luck(&gained),
            });
        }
        game.position = result;
        game.own_turn = !game.own_turn;
        game.turns += 1;
        Ok(())
    }

    fn count_luck(&mut self, game: &mut Game, roll: Roll) {
        let slot = &self.slots[usize::from(game.slot)];
        let range = self.rules.range(game.turns);
        let values = match self.rules.luck {
            Luck::None => return,
            Luck::Full(_) => &slot.table.values,
            Luck::Cheap | Luck::Given(_) => &*slot.guess,
        };
        let luck = luck::of_roll(values, roll, range);
        let luck = if game.own_turn {
            luck
        } else {
            luck::turned(luck)
        };
        let factor = self.factor(game, values);
        for (sum, l) in game.luck.iter_mut().zip(luck) {
            *sum += factor * l;
        }
    }

    /// By what the luck of this turn is multiplied: less than one only near a bound.
    fn factor(&self, game: &Game, values: &[Probabilities; DISTINCT]) -> f64 {
        self.rules.bound.map_or(1.0, |bound| {
            let sum = luck::equity_of_luck(&game.luck);
            luck::scale(
                values,
                self.rules.range(game.turns),
                game.own_turn,
                sum,
                bound,
            )
        })
    }

    /// The position after the play. `looked` says that the slot's table is that of the position.
    fn choose(&mut self, game: &mut Game, roll: Roll, looked: bool) -> Result<Position, Cancelled> {
        let player = usize::from(!game.own_turn);
        let style = self.rules.styles[player];
        let evaluator = self.rules.evaluators[player];
        let shared = self.rules.plays_too[player];
        let ply = style.ply_at(game.turns);
        let slot = &mut self.slots[usize::from(game.slot)];
        if ply == 0 {
            return Ok(if looked && shared {
                slot.table.results[roll.index()]
            } else {
                self.decider.static_choice(evaluator, &game.position, roll)
            });
        }
        let free = matches!(self.rules.luck, Luck::Full(depth) if depth + 1 == ply) && shared;
        let (result, tabled) = self.decider.choose(
            evaluator,
            &game.position,
            roll,
            ply,
            style.filter,
            free.then_some(&mut slot.table),
            self.rules.cancelled,
        )?;
        game.ready = free && tabled;
        Ok(result)
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
    setup: &Setup,
    position: Position,
    settings: &Settings,
    values: Option<&dyn RollValues>,
    trial: u64,
) -> TrialResult {
    let key = Key {
        seed: settings.seed,
        strand: 0,
    };
    let settings = settings.resolved(setup);
    let mut dealer = Dealer::new(settings.dice, settings.initial, setup.preset.clone());
    let mut dice = dealer.deal(key, Purpose::Rolls, trial);
    let never = || false;
    let mut rules = Rules::new(setup, &settings, &never);
    if let Some(values) = values {
        rules.luck = Luck::Given(values);
    }
    let mut players = Players::new(rules);
    let mut game = Game::after_play(position, 0);
    // Nobody cancels, so the game comes to its end.
    let _ = players.finish(&mut game, &mut || dice.roll());
    TrialResult {
        chances: game.value.unwrap_or_default(),
        luck: game.luck,
        turns: game.turns,
    }
}
