//! One trial: a game played out from a position, and what the dice gave in it.
//!
//! The game ends when it is over, when the evaluator knows the position exactly, or at the horizon.
//! At an exactly known position the trial is worth that value, the mean of all ways to go on, so
//! nothing is biased. At the horizon it is worth the evaluator's estimate.

use crate::cube::dahl::{Settlement, Tracker};
use crate::cube::{Cube, ScoreLook, ScoreRolls};
use crate::dice::COUNTED;
use crate::eval::{Evaluator, Probabilities};
use crate::game::roll::DISTINCT;
use crate::game::{Position, Roll};

use super::cubeful::{CubeEnd, CubeRules};
use super::early_memory::{ChoiceKey, Chosen, EarlyMemory, REMEMBERED};
use super::game_memory::GameMemory;
use super::luck::{self, Range};
use super::outcome::{TrialOutcome, equity};
use super::play_choice::{ALL_ROLLS, CancelCheck, Cancelled, Order, PlayChooser};
use super::play_worth::{Cubeful, Cubeless, Worth};
use super::seats;
use super::trial_rolls::TrialRolls;
use super::turn::{CubeTurn, Turn};
use crate::rollout::request::coupling::Coupling;
use crate::rollout::request::luck_kind::LuckKind;
use crate::rollout::request::settings::{PlayStyle, Settings};
use crate::rollout::request::setup::Setup;

/// Turns after which a game that has not ended gets the evaluator's estimate. Real games end within
/// some hundreds of turns (Koca and others prove that they end at all); this only keeps an
/// evaluator that plays absurdly from hanging a worker.
const MOST_TURNS: u32 = 20_000;

/// Where luck is measured from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LuckSource {
    /// Nowhere.
    None,
    /// By the luck net, from the position before the roll.
    Net,
    /// From the value after the best play of each roll, at so many plies.
    Lookahead(u8),
}

/// Luck of the player who made the candidate play, added up over a game.
#[derive(Clone, Copy, Default)]
pub(crate) struct TrialLuck {
    /// In each of the chances.
    pub(crate) chances: [f64; 5],
    /// Cubeful, in points.
    pub(super) points: f64,
}

/// A game under way.
#[derive(Clone, Copy)]
pub(crate) struct TrialGame {
    /// Seen by the player on roll.
    pub(crate) position: Position,
    /// The player on roll made the candidate play.
    pub(crate) own_turn: bool,
    pub(crate) turns: u32,
    /// Luck so far.
    pub(crate) luck: TrialLuck,
    /// Luck of the other of two games that have coalesced and are played as one: near a bound each is scaled
    /// by its own sum.
    pub(super) other_luck: Option<TrialLuck>,
    /// Chances of the player who made the candidate play, once the game has ended.
    pub(crate) value: Option<[f64; 5]>,
    /// The cube, seen by the player on roll.
    pub(crate) cube: Cube,
    /// The cube decision of this turn has been made.
    pub(crate) decided: bool,
    /// A double was passed by the evaluator's estimate: such an end is as sure as the evaluator.
    pub(crate) is_estimated_pass: bool,
    /// End of the cube, once the game has ended.
    pub(super) cube_end: Option<CubeEnd>,
    /// Follows the states of a cube, where the settings have a settlement limit.
    pub(crate) states: Option<Tracker>,
    /// Which of two games played side by side.
    pub(super) slot: u8,
    /// The game has coalesced with the other of two games.
    pub(crate) coalesced: bool,
    /// The game is valued as it stands.
    pub(super) ends_here: bool,
    /// The table of this slot belongs to the position.
    pub(super) ready: bool,
}

impl TrialGame {
    /// The game after a candidate play, the opponent on roll.
    fn after_play(position: Position, slot: u8, cube: Cube, decided: bool) -> Self {
        Self {
            cube,
            decided,
            is_estimated_pass: false,
            cube_end: None,
            states: None,
            position,
            own_turn: false,
            turns: 0,
            luck: TrialLuck::default(),
            other_luck: None,
            value: None,
            slot,
            coalesced: false,
            ends_here: false,
            ready: false,
        }
    }

    /// Returns whether the game is valued as it stands, at the horizon or because nothing more is needed.
    pub(super) fn is_cut(&self, limit: u32) -> bool {
        self.ends_here || self.turns >= limit
    }

    pub(crate) fn end(&mut self, chances: Probabilities) {
        let own = if self.own_turn {
            chances
        } else {
            chances.flipped()
        };
        self.value = Some(own.to_array().map(f64::from));
    }

    /// The outcome of the game, which has ended.
    pub(crate) fn outcome(&self, numbers: [u8; COUNTED]) -> TrialOutcome {
        let value = self.value.unwrap_or_default();
        let luck = luck::equity_of_luck(&self.luck.chances);
        TrialOutcome {
            value,
            states: self.states.map(|s| s.finish(equity(&value), luck)),
            luck: self.luck.chances,
            numbers,
            coalesced: self.coalesced,
            first_only: self.turns <= 1 && !self.is_estimated_pass,
            cube: self.cube_end.map(|end| CubeEnd {
                luck: self.luck.points,
                ..end
            }),
        }
    }
}

/// Plays both sides of games; each worker has its own, for the memory in it.
pub(crate) struct TrialPlayers<'a> {
    pub(crate) rules: PlayRules<'a>,
    pub(super) chooser: PlayChooser,
    pub(super) slots: [GameMemory; 2],
    pub(super) early: EarlyMemory,
    /// Lookaheads at the score, by player, where plays are chosen so.
    pub(super) looks: [Option<Box<ScoreLook<'a>>>; 2],
    pub(super) score_rolls: Box<ScoreRolls>,
    /// The table that cube decisions are made from where the tables of luck do not serve.
    pub(super) cube_table: Box<TrialRolls>,
    /// The chances asked for last, of a position by a player: the other candidate may want them too.
    pub(super) recent_chances: Option<((Position, usize), Probabilities)>,
    /// The play chosen last.
    recent: Option<Recent>,
    /// The table that rolls are ranked by where no other serves, and its position.
    pub(super) rank_table: Box<TrialRolls>,
    pub(super) ranked: Option<Position>,
    /// How often rolls were predicted by the luck net, and how often they were put in order.
    pub(super) guesses: u64,
    pub(super) ordered: u64,
    /// How often all plays of a roll, or all rolls, were valued with the cube.
    pub(super) weighed: u64,
    /// The number from which the last roll was found, where ranks are dealt.
    pub(super) drawn: Option<u8>,
    /// Turns that were played, where they are logged.
    pub(crate) log: Option<Vec<Turn>>,
    /// Cube decisions, where they are logged.
    pub(crate) cube_log: Option<Vec<CubeTurn>>,
}

/// A choice that the other candidate may have to make as well.
#[derive(Clone, Copy)]
pub(super) struct Recent {
    key: ChoiceKey,
    pub(super) result: Position,
    /// The table of `slot` belongs to the result.
    tabled: bool,
    pub(super) slot: u8,
}

/// How [`TrialPlayers`] play.
#[derive(Clone, Copy)]
pub(crate) struct PlayRules<'a> {
    /// Value positions: for the player who made the candidate play, and for the opponent.
    pub(super) evaluators: [&'a dyn Evaluator; 2],
    /// Measures luck, and ranks rolls.
    pub(super) luck_by: &'a dyn Evaluator,
    /// `luck_by` also plays, for either player.
    pub(super) plays_too: [bool; 2],
    /// One evaluator plays both sides.
    pub(super) one_player: bool,
    pub(super) styles: [PlayStyle; 2],
    horizon: Option<u16>,
    pub(super) stop_at_known: bool,
    initial: bool,
    pub(super) luck: LuckSource,
    pub(super) bound: Option<f64>,
    pub(super) coupling: Coupling,
    /// By what rolls are put in order, where they are.
    pub(super) order: Option<Order>,
    /// Each candidate breaks ties by a chance of its own.
    pub(super) own_ties: bool,
    /// A trial ends if two candidates coalesce.
    pub(super) end_when_coalesced: bool,
    /// Plies of the tables that are kept from one decision to the next.
    pub(super) table: Option<u8>,
    /// These tables hold the plays that are best at the score.
    pub(super) by_score: bool,
    pub(super) cancelled: CancelCheck<'a>,
    pub(crate) cube: Option<CubeRules<'a>>,
    settlement: Option<Settlement>,
}

impl<'a> PlayRules<'a> {
    /// The rules of a rollout. `settings` have `auto` luck resolved. `cancelled` is asked at every
    /// decision and inside deep ones, and blocks during a pause.
    pub(crate) fn new(setup: &'a Setup, settings: &Settings, cancelled: CancelCheck<'a>) -> Self {
        debug_assert!(settings.is_resolved(), "{settings:?}");
        let own = &*setup.evaluator;
        let other = setup.opponent.as_deref();
        let luck = match settings.luck {
            LuckKind::None => LuckSource::None,
            LuckKind::Net => LuckSource::Net,
            LuckKind::Auto => LuckSource::Lookahead(0),
            LuckKind::Lookahead(ply) => LuckSource::Lookahead(ply.unwrap_or(0)),
        };
        let order = Order::new(settings);
        let table = match (luck, order) {
            (LuckSource::Lookahead(ply), _) | (_, Some(Order::Table(ply))) => Some(ply),
            _ => None,
        };
        let cube = CubeRules::new(setup, settings);
        let deepest = settings.styles().map(|style| style.ply).into_iter().max();
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
            luck,
            bound: settings.luck_bound,
            coupling: settings.coupling,
            order,
            own_ties: settings.ranks.own_ties,
            end_when_coalesced: settings.end_when_coalesced,
            table,
            by_score: setup.luck.is_none()
                && table.map(|ply| ply + 1) == deepest
                && cube.is_some_and(|cube| cube.is_match_below_cap()),
            cancelled,
            cube,
            settlement: settings.settlement,
        }
    }

    /// Turns after which a game is valued as it stands.
    #[inline]
    pub(super) fn limit(&self) -> u32 {
        self.horizon.map_or(MOST_TURNS, u32::from)
    }

    /// Which rolls can fall after `turns` turns.
    #[inline]
    pub(crate) fn range(&self, turns: u32) -> Range {
        if self.initial && turns == 0 {
            Range::NoDoubles
        } else {
            Range::All
        }
    }

    /// Chances of the position where both players' evaluators know them without error.
    pub(super) fn exact(&self, game: &TrialGame) -> Option<Probabilities> {
        let position = &game.position;
        // Games of which a state is open are played to their end.
        let open = game.states.is_some_and(|states| !states.is_settled());
        if open || !self.stop_at_known || self.range(game.turns) == Range::NoDoubles {
            return position.points().map(Probabilities::finished);
        }
        let [own, other] = self.evaluators;
        let known = own.exact(position)?;
        let agreed = self.one_player || position.is_over() || other.exact(position) == Some(known);
        agreed.then_some(known)
    }
}

impl<'a> TrialPlayers<'a> {
    pub(crate) fn new(rules: PlayRules<'a>) -> Self {
        Self {
            rules,
            chooser: PlayChooser::new(),
            slots: [GameMemory::new(), GameMemory::new()],
            early: EarlyMemory::default(),
            looks: [rules.score_look(0), rules.score_look(1)],
            score_rolls: Box::default(),
            cube_table: Box::new(TrialRolls::new()),
            recent_chances: None,
            recent: None,
            rank_table: Box::new(TrialRolls::new()),
            ranked: None,
            guesses: 0,
            ordered: 0,
            weighed: 0,
            drawn: None,
            log: None,
            cube_log: None,
        }
    }

    /// A candidate's game after the candidate play, the opponent on roll.
    pub(crate) fn start(&self, position: Position, slot: u8) -> TrialGame {
        let start = |c: &CubeRules<'_>| c.start(usize::from(slot));
        let (cube, decided) = self
            .rules
            .cube
            .as_ref()
            .map_or((Cube::CENTRED, true), start);
        TrialGame {
            states: self.rules.settlement.map(Tracker::new),
            ..TrialGame::after_play(position, slot, cube, decided)
        }
    }

    /// Ends the game if it is over, exactly known, or at the horizon; before that, in a cubeful trial,
    /// decides about the cube. Returns whether the game has ended.
    #[inline]
    pub(crate) fn end_or_double(&mut self, game: &mut TrialGame) -> Result<bool, Cancelled> {
        if let Some(cube) = self.rules.cube {
            return self.end_or_double_cubeful(&cube, game);
        }
        self.follow_states(game);
        if let Some(chances) = self.rules.exact(game) {
            game.end(chances);
        } else if game.is_cut(self.rules.limit()) {
            let evaluator = self.rules.evaluators[0];
            game.end(evaluator.probabilities_of(&game.position));
        }
        Ok(game.value.is_some())
    }

    /// Counts the luck of `roll` and plays it: as `chosen` says, or by the evaluator.
    pub(crate) fn play(
        &mut self,
        game: &mut TrialGame,
        roll: Roll,
        chosen: Option<Position>,
    ) -> Result<(), Cancelled> {
        let before = (game.position, game.own_turn, game.luck);
        self.count_luck(game, roll);
        let ranks = match self.log {
            Some(_) => self.ranks(game, roll)?,
            None => [0; 2],
        };
        let looked = std::mem::take(&mut game.ready);
        let result = match chosen {
            Some(result) => result,
            None => self.choose(game, roll, looked)?,
        };
        if let Some(log) = &mut self.log {
            let (position, own, luck) = before;
            let gained: [f64; 5] = std::array::from_fn(|i| game.luck.chances[i] - luck.chances[i]);
            log.push(Turn {
                candidate: u16::from(game.slot),
                position,
                own,
                roll,
                ranks,
                drawn: self.drawn.map(|number| number + 1),
                result,
                luck: match self.rules.cube {
                    None => luck::equity_of_luck(&gained),
                    Some(_) => game.luck.points - luck.points,
                },
                cube: self.rules.cube.map(|_| 1 << game.cube.level.min(31)),
                cube_state: self.rules.cube.map(|_| game.cube),
            });
        }
        game.position = result;
        game.own_turn = !game.own_turn;
        game.cube = game.cube.flipped();
        game.decided = self.rules.cube.is_none();
        game.turns += 1;
        Ok(())
    }

    fn count_luck(&mut self, game: &mut TrialGame, roll: Roll) {
        let cubeful = self
            .rules
            .cube
            .map(|cube| self.count_cube_luck(&cube, game, roll));
        let slot = &self.slots[usize::from(game.slot)];
        let range = self.rules.range(game.turns);
        let values = match self.rules.luck {
            LuckSource::None => return,
            LuckSource::Lookahead(_) => &slot.table.values,
            LuckSource::Net => &*slot.guess,
        };
        let luck = luck::of_roll(values, roll, range);
        let luck = if game.own_turn {
            luck
        } else {
            luck::flipped(luck)
        };
        let factors = cubeful.unwrap_or_else(|| {
            let factor = |sum: &TrialLuck| self.factor(game, sum, values);
            [Some(&game.luck), game.other_luck.as_ref()].map(|sum| sum.map_or(1.0, factor))
        });
        let sums = [Some(&mut game.luck), game.other_luck.as_mut()];
        for (sum, factor) in sums.into_iter().zip(factors) {
            let Some(sum) = sum else { continue };
            for (s, l) in sum.chances.iter_mut().zip(luck) {
                *s += factor * l;
            }
        }
    }

    /// The factor of this turn's luck before it is added to `sum`: less than one only near a bound.
    fn factor(&self, game: &TrialGame, sum: &TrialLuck, values: &[Probabilities; DISTINCT]) -> f64 {
        self.rules.bound.map_or(1.0, |bound| {
            luck::scale(
                values,
                self.rules.range(game.turns),
                game.own_turn,
                luck::equity_of_luck(&sum.chances),
                bound,
            )
        })
    }

    /// The position after the play that the evaluator of the player on roll chooses. `looked` says that the
    /// slot's table is that of the position.
    fn choose(
        &mut self,
        game: &mut TrialGame,
        roll: Roll,
        looked: bool,
    ) -> Result<Position, Cancelled> {
        let player = seats::player(game.own_turn);
        let style = self.rules.styles[player];
        let evaluator = self.rules.evaluators[player];
        let shared = self.rules.plays_too[player];
        let ply = style.ply_at(game.turns);
        let cube = self.rules.cube;
        if let Some(cube) = cube.filter(|c| !c.is_money()) {
            return self.choose_at_score(&cube, game, roll, style, evaluator);
        }
        if ply == 0 && looked && shared && cube.is_none() {
            let slot = &self.slots[usize::from(game.slot)];
            return Ok(slot.table.results[roll.index()]);
        }
        let key = (game.position, roll, player, ply, cube.map(|_| game.cube));
        if let Some(recent) = self.recent.filter(|recent| recent.key == key) {
            game.ready = recent.tabled && self.copy_table(game.slot, &recent);
            // Without its table the choice serves all the same: it is looked up when needed.
            return Ok(recent.result);
        }
        let recent = |result, tabled| Recent {
            key,
            result,
            tabled,
            slot: game.slot,
        };
        if ply == 0 {
            let result = match cube {
                None => self.chooser.static_choice(evaluator, &key.0, roll),
                Some(cube) => self.choose_at_once(&cube, game, roll, evaluator, looked && shared),
            };
            self.recent = Some(recent(result, false));
            return Ok(result);
        }
        let early = game.turns < REMEMBERED;
        if early && let Some((result, tabled)) = self.remembered(game.slot, &key) {
            self.recent = Some(recent(result, tabled));
            game.ready = tabled;
            return Ok(result);
        }
        let (result, tabled) = self.choose_by_lookahead(game, &key, early)?;
        self.recent = Some(recent(result, tabled));
        game.ready = tabled;
        Ok(result)
    }

    /// The choice by a lookahead of one ply or more, and whether its table is in the slot now. `early` choices
    /// are kept for later trials.
    fn choose_by_lookahead(
        &mut self,
        game: &TrialGame,
        key: &ChoiceKey,
        early: bool,
    ) -> Result<(Position, bool), Cancelled> {
        let (position, roll, player, ply, cube) = *key;
        let shared = self.rules.plays_too[player];
        let style = self.rules.styles[player];
        let slot = &mut self.slots[usize::from(game.slot)];
        slot.table_of = None;
        let free = self.rules.table.is_some_and(|depth| depth + 1 == ply) && shared;
        let before = self.chooser.looked;
        let cubeful = self.rules.cube.as_ref().zip(cube).map(|(rules, cube)| {
            self.weighed += 1;
            Cubeful {
                rules,
                own: game.own_turn,
                cube,
            }
        });
        let worth: &dyn Worth = cubeful.as_ref().map_or(&Cubeless, |cubeful| cubeful);
        let (result, tabled) = self.chooser.choose(
            self.rules.evaluators[player],
            (position, roll, player),
            worth,
            ply,
            style.filter,
            free.then_some(&mut slot.table),
            self.rules.cancelled,
        )?;
        let tabled = free && tabled;
        slot.table_of = tabled.then_some((result, None));
        if early {
            let cost = self.chooser.looked - before;
            // As many rolls as a static table of its own would take: pilots play at one ply at most.
            let kept = tabled
                && self
                    .early
                    .keep_table((result, None), ply - 1, &slot.table, ALL_ROLLS);
            if kept || !tabled {
                let chosen = Chosen {
                    result,
                    tabled,
                    cost,
                };
                self.early.keep_choice(*key, chosen);
            }
        }
        Ok((result, tabled))
    }

    /// The choice that is remembered, and whether its table is in the slot now; all is as if it had been made anew.
    fn remembered(&mut self, slot: u8, key: &ChoiceKey) -> Option<(Position, bool)> {
        let Chosen {
            result,
            tabled,
            cost,
        } = self.early.choice(key)?;
        self.chooser.looked += cost;
        self.weighed += u64::from(key.4.is_some());
        let slot = &mut self.slots[usize::from(slot)];
        slot.table_of = None;
        if tabled {
            let (table, _) = self.early.table((result, None), key.3 - 1)?;
            (*slot.table).clone_from(table);
            slot.table_of = Some((result, None));
        }
        Some((result, tabled))
    }
}
