//! A position being put together: checkers, dice, cube and score, and what is wrong with them.
//!
//! A draft may be anything between an empty board and a position of a match. What stands on the board is
//! kept by player and in that player's own coordinates. What is missing to fifteen counts as borne off,
//! so no draft has sixteen checkers, and no point two owners.

use thiserror::Error;

use crate::game::position::{BAR, CHECKERS, POINTS};
use crate::game::{
    CubeOwner, GameState, MatchScore, Player, Position, PositionError, Roll, Rules, Side,
    StateProblem, is_crawford_score,
};
use crate::library::Pattern;

/// Largest cube that editing leads to.
const LARGEST_CUBE: u32 = 64;
/// Longest match that can be set.
pub const LONGEST_MATCH: u16 = 99;

/// A place where checkers stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// A point, by the number that the left player gives it.
    Point(usize),
    /// The bar, for the checkers of this player.
    Bar(Player),
}

impl Spot {
    /// This place in a player's own coordinates; `None` for the other player's bar.
    fn own(self, player: Player) -> Option<usize> {
        match (self, player) {
            (Self::Point(point), Player::Left) => Some(point.clamp(1, POINTS)),
            (Self::Point(point), Player::Right) => Some(BAR - point.clamp(1, POINTS)),
            (Self::Bar(whose), _) => (whose == player).then_some(BAR),
        }
    }
}

/// A change of a draft.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// One more checker of this player, or one of the other's less where those stand.
    Push(Spot, Player),
    /// One checker less, of either player.
    Take(Spot),
    /// So many checkers of this player and none of the other's; what is left of fifteen at most.
    Set(Spot, Player, u8),
    /// The next of: no checkers are wanted here at all, none of the left, none of the right player, whatever there is.
    Unwanted(Spot),
    /// No checkers.
    Clear,
    /// The checkers of the opening.
    Opening,
    /// Each player has what the other had.
    SwapSides,
    /// The other player is on roll.
    OnRoll,
    /// These dice, or none.
    Dice(Option<Roll>),
    /// The player on roll doubles, and the other one is to answer; or that is taken back.
    Offer,
    /// The next value of the cube.
    CubeValue,
    /// The next owner of the cube.
    CubeOwner,
    /// Length (0 is money) and points of the left and the right player.
    Score {
        /// Points the match is played to.
        length: u16,
        /// Of the left and the right player.
        points: [u16; 2],
    },
    /// The Crawford game, or not.
    Crawford,
    /// With the Jacoby rule, or not.
    Jacoby,
    /// With beavers, or not.
    Beavers,
    /// Something else altogether.
    Whole(GameState),
}

/// What keeps a draft from being a position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DraftProblem {
    /// An empty board.
    #[error("no checkers on the board")]
    Empty,
    /// One side has none.
    #[error("{} has no checker on the board: the game is over", sign(*.0))]
    Over(Player),
    /// No game leads to such a board.
    #[error("{0}")]
    Impossible(#[from] PositionError),
    /// No game leads to such a score and cube.
    #[error("{}", of_player_on_roll(.problem, *.on_roll))]
    State {
        /// What is wrong.
        problem: StateProblem,
        on_roll: Player,
    },
    /// A cube that nobody had a reason to turn.
    #[error("a cube of {cube}: {} points end the match for both", .cube / 2)]
    TooHigh { cube: u32 },
    /// A double that its player may not offer.
    #[error("{} may not double here", sign(*.0))]
    NoDouble(Player),
}

fn of_player_on_roll(problem: &StateProblem, on_roll: Player) -> String {
    problem.text(sign(on_roll), sign(on_roll.other()))
}

/// The sign of a player's checkers.
pub fn sign(player: Player) -> &'static str {
    match player {
        Player::Left => "●",
        Player::Right => "○",
    }
}

/// A position being put together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// Checkers of the left and the right player, in each one's own coordinates.
    checkers: [[u8; BAR + 1]; 2],
    /// Where none of theirs are wanted in positions that are looked for, in the same way.
    unwanted: [[bool; BAR + 1]; 2],
    /// Who decides.
    pub on_roll: Player,
    /// The dice.
    pub roll: Option<Roll>,
    /// Whether a double waits for the answer of the player on roll.
    pub doubled: bool,
    pub cube: u32,
    pub owner: Option<Player>,
    /// Points the match is played to, 0 for money.
    pub length: u16,
    /// Points of the left and the right player.
    pub points: [u16; 2],
    /// The Crawford game.
    pub crawford: bool,
    /// A match without the Crawford rule.
    pub no_crawford: bool,
    /// Gammons count only after a double (money).
    pub jacoby: bool,
    /// A doubled player may redouble at once (money).
    pub beavers: bool,
}

impl Draft {
    /// The draft of a state in which `on_roll` decides.
    pub fn of(state: &GameState, on_roll: Player) -> Self {
        let counts = |side: &Side| {
            let mut counts = [0; BAR + 1];
            (1..=BAR).for_each(|place| counts[place] = side.at(place));
            counts
        };
        let by_player = |mover, opponent| match on_roll {
            Player::Left => [mover, opponent],
            Player::Right => [opponent, mover],
        };
        let GameState {
            position, score, ..
        } = state;
        let [left, right] = by_player(position.mover, position.opponent);
        let mut points = [score.mover, score.opponent];
        if on_roll == Player::Right {
            points.reverse();
        }
        Self {
            checkers: [counts(&left), counts(&right)],
            unwanted: [[false; BAR + 1]; 2],
            on_roll,
            roll: state.roll,
            doubled: state.doubled,
            cube: state.cube.max(1),
            owner: match state.owner {
                CubeOwner::Centred => None,
                CubeOwner::Mover => Some(on_roll),
                CubeOwner::Opponent => Some(on_roll.other()),
            },
            length: score.length,
            points,
            crawford: score.crawford,
            no_crawford: state.rules.no_crawford,
            jacoby: state.rules.jacoby,
            beavers: state.rules.beavers,
        }
    }

    /// How many checkers of a player stand somewhere.
    pub fn count(&self, spot: Spot, player: Player) -> u8 {
        spot.own(player)
            .map_or(0, |own| self.checkers[player.index()][own])
    }

    /// Who stands somewhere, if anyone.
    pub fn holder(&self, spot: Spot) -> Option<Player> {
        [Player::Left, Player::Right]
            .into_iter()
            .find(|player| self.count(spot, *player) > 0)
    }

    /// Whose checkers are not wanted at a place in positions that are looked for: the left, the right
    /// player's.
    pub fn unwanted(&self, spot: Spot) -> [bool; 2] {
        [Player::Left, Player::Right].map(|player| {
            spot.own(player)
                .is_some_and(|own| self.unwanted[player.index()][own])
        })
    }

    /// The pattern that is looked for: at least these checkers, and none where none are wanted.
    pub fn pattern(&self) -> Pattern {
        let mut pattern = Pattern::at_least(&self.shown());
        for (side, player) in [self.on_roll, self.on_roll.other()].into_iter().enumerate() {
            let all = self.unwanted[player.index()].iter().enumerate();
            let places = all.filter(|(_, unwanted)| **unwanted);
            places.for_each(|(place, _)| pattern.forbid(side, place));
        }
        pattern
    }

    /// Checkers of a player on points and bar.
    pub fn placed(&self, player: Player) -> u8 {
        self.checkers[player.index()].iter().sum()
    }

    /// Checkers of a player that are neither: borne off.
    pub fn off(&self, player: Player) -> u8 {
        CHECKERS - self.placed(player)
    }

    /// `10 ● and 15 ○ still to place`, while a side has no checker on the board: it is not over, but not begun.
    pub fn to_place(&self) -> Option<String> {
        let players = [Player::Left, Player::Right];
        if players.iter().all(|player| self.placed(*player) > 0) {
            return None;
        }
        let missing = players.into_iter().filter(|player| self.off(*player) > 0);
        let missing = missing.map(|player| format!("{} {}", self.off(player), sign(player)));
        let missing: Vec<String> = missing.collect();
        Some(format!("{} still to place", missing.join(" and ")))
    }

    fn put(&mut self, spot: Spot, player: Player, count: u8) {
        if let Some(own) = spot.own(player) {
            self.checkers[player.index()][own] = count;
        }
        if count > 0 {
            self.set_unwanted(spot, [false; 2]);
        }
    }

    fn set_unwanted(&mut self, spot: Spot, whose: [bool; 2]) {
        for (player, unwanted) in [Player::Left, Player::Right].into_iter().zip(whose) {
            if let Some(own) = spot.own(player) {
                self.unwanted[player.index()][own] = unwanted;
            }
        }
    }

    fn next_unwanted(&mut self, spot: Spot) -> Result<(), String> {
        if self.holder(spot).is_some() {
            return Err("checkers stand here: 0 takes them off first".to_owned());
        }
        let next = match (spot, self.unwanted(spot)) {
            (Spot::Point(_), [false, false]) => [true, true],
            (Spot::Point(_), [true, true]) => [true, false],
            (Spot::Point(_), [true, false]) => [false, true],
            (Spot::Bar(whose), [false, false]) => [whose == Player::Left, whose == Player::Right],
            _ => [false, false],
        };
        self.set_unwanted(spot, next);
        Ok(())
    }

    /// Makes a change.
    ///
    /// # Errors
    /// Why nothing has changed, for the user.
    pub fn apply(&mut self, edit: Edit) -> Result<(), String> {
        match edit {
            Edit::Push(spot, player) => return self.push(spot, player),
            Edit::Take(spot) => return self.take(spot),
            Edit::Set(spot, player, count) => return self.set(spot, player, count),
            Edit::Unwanted(spot) => return self.next_unwanted(spot),
            Edit::Clear => self.clear(),
            Edit::Opening => {
                let opening = Self::of(&GameState::money(Position::opening()), Player::Left);
                self.checkers = opening.checkers;
                self.unwanted = opening.unwanted;
            }
            Edit::SwapSides => self.swap_sides(),
            Edit::OnRoll => self.on_roll = self.on_roll.other(),
            Edit::Dice(roll) => {
                self.roll = roll;
                if roll.is_some() {
                    self.withdraw_double();
                }
            }
            Edit::Offer => self.offer_double(),
            Edit::CubeValue => self.next_value(),
            Edit::CubeOwner => self.next_owner(),
            Edit::Score { length, points } => {
                (self.length, self.points) = (length.min(LONGEST_MATCH), points);
                self.crawford &= is_crawford_score(length, points);
            }
            Edit::Crawford if self.length == 0 => {
                return Err("money play has no Crawford game: s sets the score".to_owned());
            }
            Edit::Crawford => {
                self.crawford = !self.crawford;
                // Where there is such a game there is the rule.
                self.no_crawford &= !self.crawford;
            }
            Edit::Jacoby | Edit::Beavers if self.length > 0 => {
                return Err("a rule of money play: s and 0 set money".to_owned());
            }
            Edit::Jacoby => self.jacoby = !self.jacoby,
            Edit::Beavers => self.beavers = !self.beavers,
            Edit::Whole(state) => *self = Self::of(&state, Player::Left),
        }
        Ok(())
    }

    fn clear(&mut self) {
        self.checkers = [[0; BAR + 1]; 2];
        self.unwanted = [[false; BAR + 1]; 2];
        self.roll = None;
        self.withdraw_double();
    }

    fn swap_sides(&mut self) {
        self.checkers.reverse();
        self.unwanted.reverse();
        self.points.reverse();
        self.on_roll = self.on_roll.other();
        self.owner = self.owner.map(Player::other);
    }

    /// The player on roll doubles, and the other one answers; or the double is taken back.
    fn offer_double(&mut self) {
        self.on_roll = self.on_roll.other();
        self.doubled = !self.doubled;
        self.roll = self.roll.filter(|_| !self.doubled);
    }

    /// Takes a double back: who has doubled is on roll again.
    fn withdraw_double(&mut self) {
        if self.doubled {
            (self.doubled, self.on_roll) = (false, self.on_roll.other());
        }
    }

    fn take(&mut self, spot: Spot) -> Result<(), String> {
        let Some(player) = self.holder(spot) else {
            return Err("no checkers here".to_owned());
        };
        self.put(spot, player, self.count(spot, player) - 1);
        Ok(())
    }

    fn push(&mut self, spot: Spot, player: Player) -> Result<(), String> {
        let other = player.other();
        if self.count(spot, other) > 0 {
            self.put(spot, other, self.count(spot, other) - 1);
        } else if spot.own(player).is_none() {
            return Err(format!("this is the bar of {}", sign(other)));
        } else if self.off(player) == 0 {
            return Err(all_placed(player));
        } else {
            self.put(spot, player, self.count(spot, player) + 1);
        }
        Ok(())
    }

    fn set(&mut self, spot: Spot, player: Player, count: u8) -> Result<(), String> {
        // On a bar there is but one colour.
        let player = match spot {
            Spot::Bar(whose) => whose,
            Spot::Point(_) => player,
        };
        let had = self.count(spot, player);
        let most = had + self.off(player);
        if count > 0 && most == 0 {
            return Err(all_placed(player));
        }
        self.put(spot, player.other(), 0);
        self.put(spot, player, count.min(most));
        Ok(())
    }

    fn next_value(&mut self) {
        self.cube = match self.cube {
            LARGEST_CUBE.. => 1,
            value => 2 * value,
        };
        self.owner = match self.cube {
            1 => None,
            _ => self.owner.or(Some(self.on_roll)),
        };
    }

    /// The player on roll, the other one, nobody. A cube in the middle of a match is 1, one with an
    /// owner is not.
    fn next_owner(&mut self) {
        let (mine, theirs) = (self.on_roll, self.on_roll.other());
        self.owner = match self.owner {
            None => Some(mine),
            Some(owner) if owner == mine => Some(theirs),
            Some(_) => None,
        };
        if self.owner.is_some() {
            self.cube = self.cube.max(2);
        } else if self.length > 0 {
            self.cube = 1;
        }
    }

    /// The board, whether it can be or not, for the player on roll.
    fn board(&self) -> Position {
        // There are never more than fifteen.
        let side = |player: Player| Side::new(&self.checkers[player.index()]);
        match (side(self.on_roll), side(self.on_roll.other())) {
            (Ok(mover), Ok(opponent)) => Position { mover, opponent },
            _ => Position::opening(),
        }
    }

    /// The state that is drawn, whether it can be or not.
    pub fn shown(&self) -> GameState {
        let (mine, theirs) = (self.on_roll.index(), self.on_roll.other().index());
        let money = self.length == 0;
        GameState {
            position: self.board(),
            cube: self.cube,
            owner: match self.owner {
                None => CubeOwner::Centred,
                Some(owner) if owner == self.on_roll => CubeOwner::Mover,
                Some(_) => CubeOwner::Opponent,
            },
            score: MatchScore {
                length: self.length,
                mover: self.points[mine],
                opponent: self.points[theirs],
                crawford: self.crawford,
            },
            rules: Rules {
                jacoby: self.jacoby && money,
                beavers: self.beavers && money,
                no_crawford: self.no_crawford && !money,
            },
            roll: self.roll,
            doubled: self.doubled,
        }
    }

    /// The state, if it can come about.
    ///
    /// # Errors
    /// What keeps it from that.
    pub fn state(&self) -> Result<GameState, DraftProblem> {
        let state = self.shown();
        let players = [Player::Left, Player::Right];
        match players.map(|player| self.placed(player)) {
            [0, 0] => return Err(DraftProblem::Empty),
            [0, _] => return Err(DraftProblem::Over(Player::Left)),
            [_, 0] => return Err(DraftProblem::Over(Player::Right)),
            _ => {}
        }
        Position::new(state.position.mover, state.position.opponent)?;
        state.check().map_err(|problem| DraftProblem::State {
            problem,
            on_roll: self.on_roll,
        })?;
        self.check_cube()?;
        if self.doubled && !state.roller().may_double() {
            return Err(DraftProblem::NoDouble(self.on_roll.other()));
        }
        Ok(state)
    }

    fn check_cube(&self) -> Result<(), DraftProblem> {
        let needs = self
            .points
            .map(|points| u32::from(self.length.saturating_sub(points)));
        if self.length > 0 && self.cube > 1 && self.cube / 2 >= needs[0].max(needs[1]) {
            return Err(DraftProblem::TooHigh { cube: self.cube });
        }
        Ok(())
    }
}

fn all_placed(player: Player) -> String {
    format!("all 15 checkers of {} are on the board", sign(player))
}
