//! The scores and cubes of a matrix.

use serde::Serialize;

use crate::game::{CubeOwner, GameState, MatchScore, Rules};

/// A score with a name, seen by the player to decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScoreName {
    Money,
    /// Double match point: both players need one point.
    #[serde(rename = "DMP")]
    Dmp,
    /// Crawford game at 2-away 1-away: a gammon wins the match.
    GammonGo,
    /// Crawford game at 1-away 2-away: a lost gammon loses the match.
    GammonSave,
    /// The score of the decision itself, if it has no other name.
    #[serde(rename = "own score")]
    Own,
}

impl ScoreName {
    /// Returns the name, as in the machine output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Money => "money",
            Self::Dmp => "DMP",
            Self::GammonGo => "gammon-go",
            Self::GammonSave => "gammon-save",
            Self::Own => "own score",
        }
    }
}

/// A score and a cube, seen by the player who decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Cell {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<ScoreName>,
    /// Points needed by the player to decide and by the opponent; `None` for money.
    pub away: Option<[u16; 2]>,
    pub crawford: bool,
    pub cube: u32,
    pub owner: CubeOwner,
}

impl Cell {
    /// Returns the cell of a state.
    pub fn of(given: &GameState) -> Self {
        let score = given.score;
        Self {
            name: None,
            away: score
                .away()
                .map(|(mine, theirs)| [mine.max(1), theirs.max(1)]),
            // If both need one point, the Crawford rule has no effect.
            crawford: score.crawford && score.away() != Some((1, 1)),
            cube: given.cube,
            owner: given.owner,
        }
    }

    /// Returns whether this is the cell of a state, ignoring the name.
    pub fn is_of(&self, given: &GameState) -> bool {
        self.has_score_of(&Self::of(given))
    }

    /// Returns whether both cells have the same score and cube, ignoring names.
    pub(super) fn has_score_of(&self, other: &Self) -> bool {
        let unnamed = |cell: &Self| Self {
            name: None,
            ..*cell
        };
        unnamed(self) == unnamed(other)
    }

    /// Returns whether this cell belongs at this score in the table for this owner. Double match point
    /// appears in the tables of all owners.
    pub fn is_at(&self, away: [u16; 2], owner: CubeOwner) -> bool {
        let is_of_table = match self.name {
            None => self.owner == owner,
            Some(ScoreName::Dmp) => true,
            // Cells of the Crawford game appear above the table.
            Some(ScoreName::GammonGo | ScoreName::GammonSave) => {
                !self.crawford && self.owner == owner
            }
            Some(ScoreName::Money | ScoreName::Own) => false,
        };
        is_of_table && self.away == Some(away)
    }

    /// Returns the score in words: its name, or the points away and the Crawford status.
    pub fn score_words(&self, rules: Rules) -> String {
        let name = self.name.map(|name| name.name().to_owned());
        let away = self.away.filter(|_| self.name != Some(ScoreName::Dmp));
        let away = away.map(|[mine, theirs]| {
            let game = match self.crawford {
                true => " Crawford",
                false if mine.min(theirs) == 1 && mine != theirs && !rules.no_crawford => {
                    " post-Crawford"
                }
                false => "",
            };
            format!("{mine}-away {theirs}-away{game}")
        });
        let own_money = self.away.is_none() && self.name == Some(ScoreName::Own);
        let money = own_money.then(|| ScoreName::Money.name().to_owned());
        let parts: Vec<String> = name.into_iter().chain(away).chain(money).collect();
        parts.join(", ")
    }

    /// Returns the state at this score, seen by the player who rolls next. `given` is seen by the player to
    /// decide.
    pub fn state(&self, given: &GameState) -> GameState {
        self.asked(given).roller()
    }

    /// Returns `given` at this score, seen by the player to decide.
    pub(super) fn asked(&self, given: &GameState) -> GameState {
        let length = self.away.map_or(0, |[mine, theirs]| mine.max(theirs));
        let points = self.away.map_or([0; 2], |away| away.map(|a| length - a));
        GameState {
            cube: self.cube,
            owner: self.owner,
            score: MatchScore {
                length,
                mover: points[0],
                opponent: points[1],
                crawford: self.crawford,
            },
            roll: None,
            ..*given
        }
    }
}

/// Returns the owners of the cube that are possible for a play, an answer to a double, or a doubling
/// decision.
pub fn owners(is_play: bool, is_asked: bool) -> &'static [CubeOwner] {
    use CubeOwner::{Centred, Mover, Opponent};
    match (is_play, is_asked) {
        (true, _) => &[Centred, Mover, Opponent],
        (false, false) => &[Centred, Mover],
        (false, true) => &[Centred, Opponent],
    }
}

/// Returns the cells up to `max` points away: first those with names, then each score with each possible
/// owner. 1-away means post-Crawford, if the match has the Crawford rule. An owned cube is at 2, or at the
/// value in the given state. If no cell is that of the given state, its cell follows the other names.
pub fn cells(given: &GameState, is_play: bool, max: u16) -> Vec<Cell> {
    let owners = owners(is_play, given.doubled);
    let crawford = !given.rules.no_crawford;
    let cell = |name, away, crawford, owner| Cell {
        name,
        away,
        crawford,
        cube: if owner == CubeOwner::Centred {
            1
        } else {
            given.cube.max(2)
        },
        owner,
    };
    let money = |&owner| cell(Some(ScoreName::Money), None, false, owner);
    let named = [
        (ScoreName::Dmp, [1, 1], false),
        (ScoreName::GammonGo, [2, 1], crawford),
        (ScoreName::GammonSave, [1, 2], crawford),
    ];
    let named = named
        .map(|(name, away, crawford)| cell(Some(name), Some(away), crawford, CubeOwner::Centred));
    let named: Vec<Cell> = owners.iter().map(money).chain(named).collect();
    // Leave out scores with names: 1-away 1-away with any owner, and without the Crawford rule gammon-go and
    // gammon-save.
    let is_new = |cell: &Cell| {
        cell.away != Some([1, 1]) && !named.iter().any(|named| named.has_score_of(cell))
    };
    let scores = (1..=max).flat_map(|mine| (1..=max).map(move |theirs| [mine, theirs]));
    let table = |&owner| {
        let scores = scores.clone();
        scores.map(move |away| cell(None, Some(away), false, owner))
    };
    let others: Vec<Cell> = owners.iter().flat_map(table).filter(is_new).collect();
    let is_there = named.iter().chain(&others).any(|cell| cell.is_of(given));
    let own = (!is_there && owners.contains(&given.owner)).then(|| Cell {
        name: Some(ScoreName::Own),
        ..Cell::of(given)
    });
    named.into_iter().chain(own).chain(others).collect()
}
