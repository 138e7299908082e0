//! Score, cube and rules around a position: what a game is played for.

use serde::{Deserialize, Serialize};

use super::position::Position;
use super::roll::Roll;

/// One of the two players of a match. In a match file the left column is [`Player::Left`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Player {
    /// First named, left column, drawn at the bottom of the board.
    Left,
    /// Second named, right column.
    Right,
}

impl Player {
    /// A value of this player as Left sees it: an equity negated, a match-winning chance subtracted from 1.
    pub fn value_for_left(self, value: f64, money: bool) -> f64 {
        match (self, money) {
            (Self::Left, _) => value,
            (Self::Right, true) => -value,
            (Self::Right, false) => 1.0 - value,
        }
    }

    /// A board that Left sees, as this player sees it; one that this player sees, as Left does.
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

    /// 0 for left, 1 for right.
    pub fn index(self) -> usize {
        self as usize
    }
}

/// Who may double next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CubeOwner {
    /// Nobody has doubled yet: both may.
    #[default]
    Centred,
    /// The player on roll.
    Mover,
    /// The other player.
    Opponent,
}

impl CubeOwner {
    /// `owner` as `player` sees it; a cube of nobody is centred.
    pub fn seen_by<P: PartialEq>(owner: Option<P>, player: P) -> Self {
        match owner {
            None => Self::Centred,
            Some(owner) if owner == player => Self::Mover,
            Some(_) => Self::Opponent,
        }
    }

    /// This owner seen by the other player.
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
    /// Points the match is played to; 0 is a money session.
    pub length: u16,
    /// Points of the player on roll.
    pub mover: u16,
    /// Points of the other player.
    pub opponent: u16,
    /// Whether this is the Crawford game (no doubling).
    pub crawford: bool,
}

/// Whether just one player needs one point of a match to several: the score of a Crawford game.
pub fn is_crawford_score(length: u16, points: [u16; 2]) -> bool {
    let [one, other] = points.map(|won| length > 1 && won.checked_add(1) == Some(length));
    one != other
}

impl MatchScore {
    /// Money play.
    pub const MONEY: Self = Self {
        length: 0,
        mover: 0,
        opponent: 0,
        crawford: false,
    };

    /// Whether this is money play.
    pub fn is_money(&self) -> bool {
        self.length == 0
    }

    /// Points that (the player on roll, the other) still need, or `None` in money play.
    pub fn away(&self) -> Option<(u16, u16)> {
        (self.length > 0).then(|| {
            (
                self.length.saturating_sub(self.mover),
                self.length.saturating_sub(self.opponent),
            )
        })
    }

    /// This score seen by the other player.
    pub fn flipped(&self) -> Self {
        Self {
            mover: self.opponent,
            opponent: self.mover,
            ..*self
        }
    }
}

/// Rules that change decisions: of money play, and of matches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub struct Rules {
    /// Gammons count only after the cube has been turned.
    pub jacoby: bool,
    /// A doubled player may redouble at once and keep the cube.
    pub beavers: bool,
    /// A match without the Crawford rule: when a player comes to one point the cube stays in play.
    pub no_crawford: bool,
}

impl Rules {
    /// What changes decisions in money play, in words.
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

    /// Money play with those of its rules that are in force, in words.
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

    /// The rules that are in force to `length` points (0: money play). `crawford` says whether a match has
    /// the Crawford rule.
    pub fn in_force(self, length: u16, crawford: bool) -> Self {
        let is_money = length == 0;
        Self {
            jacoby: is_money && self.jacoby,
            beavers: is_money && self.beavers,
            no_crawford: !is_money && !crawford,
        }
    }

    /// Whether gammons count in money play on a cube of this owner. Under the Jacoby rule a player must
    /// have doubled. An automatic double leaves the cube in the middle, so it does not count
    /// (<https://www.bkgm.com/rules.html>, optional rules).
    pub fn counts_gammons(self, owner: CubeOwner) -> bool {
        !self.jacoby || owner != CubeOwner::Centred
    }

    /// How many times its cube a game of this size (1, 2 or 3, of either sign) is worth, on a cube of this owner.
    pub fn times_cube(self, size: i8, owner: CubeOwner) -> u32 {
        match self.counts_gammons(owner) {
            true => u32::from(size.unsigned_abs()),
            false => 1,
        }
    }
}

/// All that a decision depends on, seen by the player on roll.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct GameState {
    /// The checkers.
    pub position: Position,
    /// Value of the cube: 1, 2, 4, …
    pub cube: u32,
    /// Who may double next.
    pub owner: CubeOwner,
    /// Score and length of the match.
    pub score: MatchScore,
    /// Rules that change decisions.
    pub rules: Rules,
    /// The dice, once rolled; `None` before the roll (a cube decision).
    pub roll: Option<Roll>,
    /// Whether a double has been offered *to* the player on roll, who must answer.
    pub doubled: bool,
}

impl GameState {
    /// Money play with a centred cube, before the roll.
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

    /// Whether the state is of a match with the Crawford rule.
    pub fn has_crawford_rule(&self) -> bool {
        !self.score.is_money() && !self.rules.no_crawford
    }

    /// The state in a match without the Crawford rule; money play stays as it is.
    pub fn without_crawford_rule(&self) -> Self {
        let mut state = *self;
        state.rules = state.rules.in_force(state.score.length, false);
        state.score.crawford = false;
        state
    }

    /// The state before its roll: the player on roll may double there.
    pub fn before_roll(&self) -> Self {
        Self {
            roll: None,
            ..*self
        }
    }

    /// The state of the other player, had that one begun the game: the position is the same for both.
    pub fn if_other_began(&self) -> Self {
        Self {
            score: self.score.flipped(),
            owner: self.owner.flipped(),
            ..*self
        }
    }

    /// The state of the player who will roll next: while a double waits for its answer that is the
    /// doubler, before doubling; otherwise the state as it is.
    pub fn roller(&self) -> Self {
        if !self.doubled {
            return *self;
        }
        Self {
            doubled: false,
            ..self.flipped()
        }
    }

    /// The state after the player on roll has doubled: of the opponent, who is to answer.
    pub fn offered(&self) -> Self {
        Self {
            doubled: true,
            ..self.flipped()
        }
    }

    /// This state seen by the other player.
    pub fn flipped(&self) -> Self {
        Self {
            position: self.position.flipped(),
            owner: self.owner.flipped(),
            score: self.score.flipped(),
            ..*self
        }
    }

    /// Whether the player on roll may double before rolling, and has something to win by it: it is [allowed](
    /// Self::is_double_allowed), and the match is not already won by the present cube.
    pub fn may_double(&self) -> bool {
        let away = self.score.away();
        let is_alive = away.is_none_or(|(mine, _)| u32::from(mine) > self.cube);
        is_alive && self.is_double_allowed()
    }

    /// Whether the rules allow the player on roll to double before rolling: the cube is centred or theirs, and it is
    /// neither the Crawford game nor a match to one point.
    pub fn is_double_allowed(&self) -> bool {
        let is_theirs = self.owner != CubeOwner::Opponent;
        let has_cube = !self.score.crawford && self.score.length != 1;
        is_theirs && has_cube && self.roll.is_none() && !self.doubled
    }

    /// Whether a gammon counts on the present cube: see [`Rules::counts_gammons`].
    pub fn counts_gammons(&self) -> bool {
        !self.score.is_money() || self.rules.counts_gammons(self.owner)
    }

    /// Whether the rules allow to answer a double by a beaver: in money play, if it was agreed upon.
    pub fn allows_beavers(&self) -> bool {
        self.score.is_money() && self.rules.beavers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offer_is_seen_by_who_answers() {
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
        // An automatic double is nobody's.
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
