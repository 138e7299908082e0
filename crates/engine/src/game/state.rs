//! Players, score, cube and rules of a game.

use serde::{Deserialize, Serialize};

use super::position::Position;
use super::roll::Roll;

/// One of the two players of a match. [`Player::Left`] is the left column of a match file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Player {
    /// Named first, left column, at the bottom of the board.
    Left,
    /// Named second, right column.
    Right,
}

impl Player {
    /// Converts a value of this player to Left's: an equity is negated, a match winning chance subtracted
    /// from 1.
    pub fn value_for_left(self, value: f64, money: bool) -> f64 {
        match (self, money) {
            (Self::Left, _) => value,
            (Self::Right, true) => -value,
            (Self::Right, false) => 1.0 - value,
        }
    }

    /// Converts a board between Left's view and this player's view, in either direction.
    pub fn turned(self, board: Position) -> Position {
        match self {
            Self::Left => board,
            Self::Right => board.flipped(),
        }
    }

    pub fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }

    /// Returns 0 for left, 1 for right.
    pub fn index(self) -> usize {
        self as usize
    }
}

/// The player who may double next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CubeOwner {
    /// Both players, because nobody has doubled yet.
    #[default]
    Centred,
    /// The player on roll.
    Mover,
    /// The other player.
    Opponent,
}

impl CubeOwner {
    /// Returns the owner as seen by `player`; `None` is a centred cube.
    pub fn seen_by<P: PartialEq>(owner: Option<P>, player: P) -> Self {
        match owner {
            None => Self::Centred,
            Some(owner) if owner == player => Self::Mover,
            Some(_) => Self::Opponent,
        }
    }

    /// Returns the owner as seen by the opponent.
    pub fn flipped(self) -> Self {
        match self {
            Self::Centred => Self::Centred,
            Self::Mover => Self::Opponent,
            Self::Opponent => Self::Mover,
        }
    }
}

/// The score of a match, seen by the player on roll.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct MatchScore {
    /// Length of the match in points; 0 for money play.
    pub length: u16,
    /// Points of the player on roll.
    pub mover: u16,
    /// Points of the opponent.
    pub opponent: u16,
    /// The Crawford game, without doubling.
    pub crawford: bool,
}

/// Returns whether exactly one player needs one point, in a match to more than one: the score of a Crawford
/// game.
pub fn is_crawford_score(length: u16, points: [u16; 2]) -> bool {
    let [one, other] = points.map(|won| length > 1 && won.checked_add(1) == Some(length));
    one != other
}

impl MatchScore {
    pub const MONEY: Self = Self {
        length: 0,
        mover: 0,
        opponent: 0,
        crawford: false,
    };

    pub fn is_money(&self) -> bool {
        self.length == 0
    }

    /// Returns the points needed by the player on roll and by the opponent, or `None` in money play.
    pub fn away(&self) -> Option<(u16, u16)> {
        (self.length > 0).then(|| {
            (
                self.length.saturating_sub(self.mover),
                self.length.saturating_sub(self.opponent),
            )
        })
    }

    /// Returns the score as seen by the opponent.
    pub fn flipped(&self) -> Self {
        Self {
            mover: self.opponent,
            opponent: self.mover,
            ..*self
        }
    }
}

/// Optional rules of money play and of matches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub struct Rules {
    /// Gammons count only after the cube has been turned.
    pub jacoby: bool,
    /// In money play, a doubled player may redouble at once and keep the cube.
    pub beavers: bool,
    /// The match has no Crawford rule: doubling stays allowed when a player needs one point.
    pub no_crawford: bool,
}

impl Rules {
    /// Describes the optional rules of money play.
    ///
    /// ```
    /// use luckless_engine::game::Rules;
    /// let rules = Rules { jacoby: true, ..Rules::default() };
    /// assert_eq!(rules.of_money(), "Jacoby, no beavers");
    /// ```
    pub fn of_money(self) -> String {
        let word = |is: bool| if is { "" } else { "no " };
        format!("{}Jacoby, {}beavers", word(self.jacoby), word(self.beavers))
    }

    /// Describes money play with its optional rules, if they apply.
    ///
    /// ```
    /// use luckless_engine::game::Rules;
    /// let rules = Rules { jacoby: true, ..Rules::default() };
    /// assert_eq!(rules.money_words(), "money, Jacoby");
    /// ```
    pub fn money_words(self) -> String {
        let jacoby = if self.jacoby { ", Jacoby" } else { "" };
        let beavers = if self.beavers { ", beavers" } else { "" };
        format!("money{jacoby}{beavers}")
    }

    /// Returns the rules that apply to a match to `length` points, or to money play if `length` is 0.
    /// `crawford`: whether a match has the Crawford rule.
    pub fn in_force(self, length: u16, crawford: bool) -> Self {
        let is_money = length == 0;
        Self {
            jacoby: is_money && self.jacoby,
            beavers: is_money && self.beavers,
            no_crawford: !is_money && !crawford,
        }
    }

    /// Returns whether gammons count in money play with this owner of the cube. Under the Jacoby rule a
    /// player must have doubled. An automatic double leaves the cube centred, so it is not enough
    /// (<https://www.bkgm.com/rules.html>, optional rules).
    pub fn counts_gammons(self, owner: CubeOwner) -> bool {
        !self.jacoby || owner != CubeOwner::Centred
    }

    /// Returns the factor of the cube for a game of this size (1, 2 or 3, of either sign) with this owner.
    pub fn times_cube(self, size: i8, owner: CubeOwner) -> u32 {
        match self.counts_gammons(owner) {
            true => u32::from(size.unsigned_abs()),
            false => 1,
        }
    }
}

/// The state of a game at a decision, seen by the player to decide.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct GameState {
    pub position: Position,
    /// Value of the cube: 1, 2, 4, …
    pub cube: u32,
    /// The player who may double next.
    pub owner: CubeOwner,
    /// Score and length of the match.
    pub score: MatchScore,
    pub rules: Rules,
    /// The dice, once rolled; `None` before the roll (a cube decision).
    pub roll: Option<Roll>,
    /// The opponent has doubled, so that this player must answer.
    pub doubled: bool,
}

impl GameState {
    /// Creates a state of money play with a centred cube, before the roll.
    pub fn money(position: Position) -> Self {
        Self {
            position,
            cube: 1,
            owner: CubeOwner::Centred,
            score: MatchScore::MONEY,
            rules: Rules::default(),
            roll: None,
            doubled: false,
        }
    }

    /// Returns whether this is a match with the Crawford rule.
    pub fn has_crawford_rule(&self) -> bool {
        !self.score.is_money() && !self.rules.no_crawford
    }

    /// Returns the state without the Crawford rule; money play is unchanged.
    pub fn without_crawford_rule(&self) -> Self {
        let mut state = *self;
        state.rules = state.rules.in_force(state.score.length, false);
        state.score.crawford = false;
        state
    }

    /// Returns the state before its roll, in which the player on roll may double.
    pub fn before_roll(&self) -> Self {
        Self {
            roll: None,
            ..*self
        }
    }

    /// Returns the state of the opponent at the start of a game, if the opponent had begun. The position is
    /// the same for both.
    pub fn if_other_began(&self) -> Self {
        Self {
            score: self.score.flipped(),
            owner: self.owner.flipped(),
            ..*self
        }
    }

    /// Returns the state of the player who rolls next: before the double if one is pending, otherwise
    /// unchanged.
    pub fn roller(&self) -> Self {
        if !self.doubled {
            return *self;
        }
        Self {
            doubled: false,
            ..self.flipped()
        }
    }

    /// Returns the state after a double by the player on roll, seen by the opponent, who must answer.
    pub fn offered(&self) -> Self {
        Self {
            doubled: true,
            ..self.flipped()
        }
    }

    /// Returns the state as seen by the opponent.
    pub fn flipped(&self) -> Self {
        Self {
            position: self.position.flipped(),
            owner: self.owner.flipped(),
            score: self.score.flipped(),
            ..*self
        }
    }

    /// Returns whether the player on roll may double and can gain by it: a double is
    /// [allowed](Self::is_double_allowed), and the present cube does not already win the match.
    pub fn may_double(&self) -> bool {
        let away = self.score.away();
        let is_alive = away.is_none_or(|(mine, _)| u32::from(mine) > self.cube);
        is_alive && self.is_double_allowed()
    }

    /// Returns whether the rules allow a double by the player on roll, before rolling: the cube is centred or
    /// owned by this player, and this is neither the Crawford game nor a match to one point.
    pub fn is_double_allowed(&self) -> bool {
        let is_theirs = self.owner != CubeOwner::Opponent;
        let has_cube = !self.score.crawford && self.score.length != 1;
        is_theirs && has_cube && self.roll.is_none() && !self.doubled
    }

    /// Returns whether a gammon counts on the present cube: see [`Rules::counts_gammons`].
    pub fn counts_gammons(&self) -> bool {
        !self.score.is_money() || self.rules.counts_gammons(self.owner)
    }

    /// Returns whether the rules allow a beaver: in money play, if agreed.
    pub fn allows_beavers(&self) -> bool {
        self.score.is_money() && self.rules.beavers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offered_double_is_seen_by_the_answering_player() {
        let state = GameState {
            owner: CubeOwner::Mover,
            cube: 2,
            score: MatchScore {
                length: 7,
                mover: 1,
                opponent: 4,
                crawford: false,
            },
            ..GameState::money(Position::opening())
        };
        let offered = state.offered();
        assert!(offered.doubled && !offered.may_double());
        assert_eq!(
            (offered.owner, offered.score.mover),
            (CubeOwner::Opponent, 4)
        );
        assert_eq!(offered.roller(), state);
    }

    #[test]
    fn under_the_jacoby_rule_gammons_count_once_a_player_has_doubled() {
        let mut state = GameState::money(Position::opening());
        assert!(state.counts_gammons());
        state.rules.jacoby = true;
        // A cube after an automatic double has no owner.
        for cube in [1, 2, 4] {
            state.cube = cube;
            state.owner = CubeOwner::Centred;
            assert!(!state.counts_gammons());
            for owner in [Player::Left, Player::Right] {
                state.owner = CubeOwner::seen_by(Some(owner), Player::Left);
                assert!(state.counts_gammons());
            }
        }
        state.owner = CubeOwner::seen_by(None, Player::Left);
        assert!(!state.counts_gammons());
        state.score.length = 7;
        assert!(state.counts_gammons(), "a match has no such rule");
    }

    #[test]
    fn rules_of_money_play_and_of_matches() {
        let all = Rules {
            jacoby: true,
            beavers: true,
            no_crawford: true,
        };
        for crawford in [false, true] {
            let money = Rules {
                no_crawford: false,
                ..all
            };
            assert_eq!(all.in_force(0, crawford), money);
            let of_match = Rules {
                no_crawford: !crawford,
                ..Rules::default()
            };
            assert_eq!(all.in_force(7, crawford), of_match);
        }
    }

    #[test]
    fn who_may_double() {
        let mut state = GameState::money(Position::opening());
        assert!(state.may_double());
        state.owner = CubeOwner::Opponent;
        assert!(!state.may_double());
        state.owner = CubeOwner::Mover;
        assert!(state.may_double());
        state.score = MatchScore {
            length: 7,
            mover: 5,
            opponent: 0,
            crawford: false,
        };
        state.cube = 2;
        assert!(!state.may_double(), "a dead cube");
        state.cube = 1;
        state.score.crawford = true;
        assert!(!state.may_double());
    }
}
