//! What the room knows besides the chances of a position: a match equity table, how live cubes
//! are, and perhaps exact bearoffs.

use std::sync::{Arc, LazyLock};

use super::context::{Context, Cube};
use super::decision::Decision;
use super::met::EquityTable;
use super::outlook::Values;
use crate::eval::Probabilities;
use crate::eval::bearoff::two_sided::TwoSided;
use crate::game::{CubeOwner, GameState, Position};

static STANDARD: LazyLock<Model> = LazyLock::new(Model::default);

/// Kinds of positions whose cubes differ in life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The sides have not passed each other.
    Contact,
    /// They have, and not all checkers are at home.
    Race,
    /// Both sides bear off.
    Bearoff,
}

impl Kind {
    /// The kind of `position`.
    #[must_use]
    pub fn of(position: &Position) -> Self {
        if !position.is_race() {
            Self::Contact
        } else if position.mover.rearmost() <= 6 && position.opponent.rearmost() <= 6 {
            Self::Bearoff
        } else {
            Self::Race
        }
    }
}

/// How live a cube is, from 0 (dead) to 1 (always turned at the perfect moment), by kind of
/// position: Janowski's cube-life index.
///
/// The defaults are fitted to rollouts in which both players play the cube (`luckless-lab cube`;
/// `docs/methods/cube.md` has the errors): 0.73 with contact, 0.77 in races, 0.73 when both sides bear off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Efficiency {
    /// With contact.
    pub contact: f32,
    /// In a bearoff.
    pub bearoff: f32,
    /// In a race: at no pips.
    pub race: f32,
    /// In a race: for each pip of the player on roll.
    pub race_pip: f32,
    /// In a race: least and most.
    pub race_range: [f32; 2],
}

impl Default for Efficiency {
    fn default() -> Self {
        Self {
            contact: 0.73,
            bearoff: 0.73,
            race: 0.77,
            race_pip: 0.0,
            race_range: [0.77, 0.77],
        }
    }
}

impl Efficiency {
    /// The life of the cube in `position`.
    #[inline]
    #[must_use]
    pub fn of(&self, position: &Position) -> f32 {
        match Kind::of(position) {
            Kind::Contact => self.contact,
            Kind::Bearoff => self.bearoff,
            Kind::Race => {
                let [least, most] = self.race_range;
                let pips = position.mover.pips() as f32;
                (self.race + self.race_pip * pips).clamp(least, most)
            }
        }
    }
}

/// What cubeful values are made with. Made once, shared by all threads.
#[derive(Clone, Debug)]
pub struct Model {
    /// Match equities.
    pub table: Arc<EquityTable>,
    /// Life of the cube.
    pub efficiency: Efficiency,
    /// Exact cubeful bearoffs of money play, if there is such a table.
    pub bearoff: Option<Arc<TwoSided>>,
}

impl Default for Model {
    /// The table in the program, and no bearoffs.
    fn default() -> Self {
        Self {
            table: Arc::new(EquityTable::standard().clone()),
            efficiency: Efficiency::default(),
            bearoff: None,
        }
    }
}

impl Model {
    /// The model without any file: the same everywhere.
    #[must_use]
    pub fn standard() -> &'static Self {
        &STANDARD
    }

    /// What the game of `state` is played for, seen by its player on roll.
    #[must_use]
    pub fn context(&self, state: &GameState) -> Context {
        Context::new(&state.score, state.rules, &self.table)
    }

    /// The same for both players: the player on roll, and the other.
    #[must_use]
    pub fn contexts(&self, state: &GameState) -> [Context; 2] {
        let context = self.context(state);
        [context, context.turned()]
    }

    /// What each cube action is worth in `position`, without looking ahead: exact if it can be,
    /// else from `chances`.
    #[must_use]
    pub fn values(
        &self,
        context: &Context,
        cube: Cube,
        position: &Position,
        chances: &Probabilities,
    ) -> Values {
        if let Some(exact) = self.exact(context, position) {
            let value = |cube| exact.no_double(context, cube);
            return Values {
                no_double: value(cube),
                double_take: context.may_double(cube).then(|| value(cube.doubled())),
                double_pass: context.cash(cube),
                beavers: context.beavers(),
            };
        }
        context
            .outlook(chances, self.efficiency.of(position), cube.level)
            .values(cube)
    }

    /// The cube decision of the player on roll of `state`, before the roll, from the cubeless
    /// chances of its position. A double already offered (`state.doubled`) is not this decision:
    /// ask for it from the doubler's side.
    #[must_use]
    pub fn decision(&self, state: &GameState, chances: &Probabilities) -> Decision {
        let context = self.context(state);
        let cube = Cube::of(state);
        let values = self.values(&context, cube, &state.position, chances);
        Decision::new(&context, cube, &values)
    }

    /// Whether the value of `position` is known for every cube: a bearoff in the table, in money
    /// play, where no gammon can happen any more.
    #[inline]
    #[must_use]
    pub fn exact(&self, context: &Context, position: &Position) -> Option<Exact> {
        let table = self.bearoff.as_ref().filter(|_| context.is_money())?;
        let [_, mine, centred, theirs] = table.values(position)?;
        Some(Exact {
            mine,
            centred,
            theirs,
        })
    }
}

/// The exact money equities of a bearoff for the player on roll who does not double in this turn,
/// in points per unit of cube.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exact {
    /// The player on roll owns the cube.
    pub mine: f32,
    /// It is centred.
    pub centred: f32,
    /// The other owns it.
    pub theirs: f32,
}

impl Exact {
    /// The stake at `cube`, without a double in this turn.
    #[must_use]
    pub fn no_double(&self, context: &Context, cube: Cube) -> f32 {
        let points = match cube.owner {
            CubeOwner::Mover => self.mine,
            CubeOwner::Centred => self.centred,
            CubeOwner::Opponent => self.theirs,
        };
        context.from_points(cube.level, points)
    }
}
