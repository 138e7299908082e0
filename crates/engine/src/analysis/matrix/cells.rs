//! The scores and cubes at which a decision is asked.

use crate::game::{CubeOwner, GameState, MatchScore, Rules};

/// A score that has a name of its own, seen by the player who decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScoreName {
    /// Money play.
    Money,
    /// Double match point: both need a point.
    Dmp,
    /// Crawford, 2-away against 1-away: a gammon wins the match.
    GammonGo,
    /// Crawford, 1-away against 2-away: a lost gammon loses the match.
    GammonSave,
    /// The score of the decision itself, where it is none of the others.
    Own,
}

impl ScoreName {
    /// Name in words, as in the machine output.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    /// Its name, if it has one.
    pub name: Option<ScoreName>,
    /// Points that the player who decides needs, and the other; `None` for money.
    pub away: Option<[u16; 2]>,
    /// Whether it is the Crawford game.
    pub crawford: bool,
    pub cube: u32,
    /// Who owns it.
    pub owner: CubeOwner,
}

impl Cell {
    /// The cell of a decision.
    pub fn of(given: &GameState) -> Self {
        let score = given.score;
        Self {
            name: None,
            away: score
                .away()
                .map(|(mine, theirs)| [mine.max(1), theirs.max(1)]),
            // Both need a point: nothing is left that the Crawford game could keep.
            crawford: score.crawford && score.away() != Some((1, 1)),
            cube: given.cube,
            owner: given.owner,
        }
    }

    /// Whether this cell is that of a decision, with a name or without.
    pub fn is_of(&self, given: &GameState) -> bool {
        self.has_score_of(&Self::of(given))
    }

    /// Whether this cell has the same score and cube as another, whatever they are called.
    pub(super) fn has_score_of(&self, other: &Self) -> bool {
        let unnamed = |cell: &Self| Self {
            name: None,
            ..*cell
        };
        unnamed(self) == unnamed(other)
    }

    /// Whether this cell stands in a table of scores at these points away, in the table of the cubes of this
    /// owner: where a score has a name and one cube, in each table.
    pub fn is_at(&self, away: [u16; 2], owner: CubeOwner) -> bool {
        let is_of_table = match self.name {
            None => self.owner == owner,
            Some(ScoreName::Dmp) => true,
            // Those of a Crawford game stand above.
            Some(ScoreName::GammonGo | ScoreName::GammonSave) => {
                !self.crawford && self.owner == owner
            }
            Some(ScoreName::Money | ScoreName::Own) => false,
        };
        is_of_table && self.away == Some(away)
    }

    /// The score in words: its name, or how far away both are and where the match has its Crawford game.
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

    /// The state of the player who rolls next, at this score. `given` is seen by the player who
    /// decides.
    pub fn state(&self, given: &GameState) -> GameState {
        self.asked(given).roller()
    }

    /// `given` at this score, seen by who decides.
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

/// The cubes that a decision can have: a play, an answer to a double, or else whether to double.
pub fn owners(is_play: bool, is_asked: bool) -> &'static [CubeOwner] {
    use CubeOwner::{Centred, Mover, Opponent};
    match (is_play, is_asked) {
        (true, _) => &[Centred, Mover, Opponent],
        (false, false) => &[Centred, Mover],
        (false, true) => &[Centred, Opponent],
    }
}

/// The cells up to `max` points away: those with a name, then each score with each cube that the decision can have
/// there. 1-away is the score after the Crawford game, where the match has one. An owned cube is on 2, or on what it
/// is on in the state given. If that state is none of them, it comes behind the other names.
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
    // 1-away 1-away has a name with every cube, and gammon-go and gammon-save without the Crawford rule have one.
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
