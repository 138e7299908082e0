//! The game as the client describes it.

use super::trouble::Trouble;
use crate::game::{CubeOwner, GameState, MatchScore, Position, Roll, Rules, is_crawford_score};
use crate::notation::{LARGEST_CUBE_POWER, gnubg_id, parse_id};

/// A player, in the terms of version 0.1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Seat {
    #[default]
    P0,
    P1,
}

/// The described game.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// Seen by the player who decides.
    position: Option<Position>,
    roll: Option<Roll>,
    /// Match length in points; 0 for money.
    length: u16,
    /// Points of p0 and p1.
    score: [u16; 2],
    jacoby: bool,
    has_crawford: bool,
    /// The score at which a player first needed one point: that of the Crawford game.
    crawford_score: Option<[u16; 2]>,
    cube: u32,
    owner: Option<Seat>,
    turn: Seat,
    /// A complete state from an XGID, seen by the player who decides. It takes precedence over everything set before;
    /// a later score or cube changes it.
    whole: Option<GameState>,
    /// Cube and score of `whole` were set by seat.
    has_own_cube: bool,
    has_own_score: bool,
}

impl Default for Table {
    fn default() -> Self {
        Self {
            position: None,
            roll: None,
            length: 0,
            score: [0; 2],
            jacoby: false,
            has_crawford: true,
            crawford_score: None,
            cube: 1,
            owner: None,
            turn: Seat::P0,
            whole: None,
            has_own_cube: false,
            has_own_score: false,
        }
    }
}

/// Checks that a state can occur in a game.
fn checked(state: GameState) -> Result<GameState, Trouble> {
    let checked = state.check().map(|()| state);
    checked.map_err(|problem| Trouble::value(problem.to_string()))
}

fn seat(word: &str) -> Result<Seat, Trouble> {
    match word {
        "p0" => Ok(Seat::P0),
        "p1" => Ok(Seat::P1),
        _ => Err(Trouble::value(format!("{word}: expected p0 or p1"))),
    }
}

/// The points of p0 and p1 as seen by the player on turn.
fn seen([p0, p1]: [u16; 2], turn: Seat) -> [u16; 2] {
    match turn {
        Seat::P0 => [p0, p1],
        Seat::P1 => [p1, p0],
    }
}

/// The state at another score of the same match. The first score at which a player needs one point is that of the
/// Crawford game.
fn with_score(state: GameState, [mover, opponent]: [u16; 2]) -> GameState {
    let old = state.score;
    if [mover, opponent] == [old.mover, old.opponent] {
        return state;
    }
    let fits = |points| is_crawford_score(old.length, points);
    let is_first = fits([mover, opponent]) && !fits([old.mover, old.opponent]);
    let score = MatchScore {
        mover,
        opponent,
        crawford: is_first && !state.rules.no_crawford,
        ..old
    };
    GameState { score, ..state }
}

fn points(word: &str) -> Result<u16, Trouble> {
    let points = word.parse().ok().filter(|&n| n <= 255);
    points.ok_or_else(|| Trouble::value(format!("{word}: expected a number of points")))
}

fn switch(word: Option<&str>) -> Result<bool, Trouble> {
    match word {
        Some("on") => Ok(true),
        Some("off") => Ok(false),
        _ => Err(Trouble::value("expected on or off".into())),
    }
}

impl Table {
    /// Forgets position and dice.
    pub(super) fn forget(&mut self) {
        (self.position, self.roll, self.whole) = (None, None, None);
        (self.has_own_cube, self.has_own_score) = (false, false);
    }

    /// Starts a new game of the session: resets board, dice and cube.
    pub(super) fn new_game(&mut self) {
        self.forget();
        (self.cube, self.owner) = (1, None);
    }

    /// Handles `newsession type money|match [length N] [jacoby on|off] [crawford on|off]`.
    pub(super) fn new_session(&mut self, words: &[&str]) -> Result<(), Trouble> {
        let mut new = Self::default();
        let mut is_match = false;
        for pair in words.chunks(2) {
            let value = pair.get(1).copied();
            match (pair[0], value) {
                ("type", Some("money")) => is_match = false,
                ("type", Some("match")) => is_match = true,
                ("length", Some(word)) => new.length = points(word)?,
                ("jacoby", word) => new.jacoby = switch(word)?,
                ("crawford", word) => new.has_crawford = switch(word)?,
                (word, _) => return Err(Trouble::value(format!("{word} is not understood"))),
            }
        }
        if is_match != (new.length > 0) {
            let said = "a match has a length, and money play has none";
            return Err(Trouble::value(said.into()));
        }
        *self = new;
        Ok(())
    }

    /// Handles `setscore A B`.
    pub(super) fn set_score(&mut self, words: &[&str]) -> Result<(), Trouble> {
        let [a, b] = words else {
            return Err(Trouble::value("expected two numbers of points".into()));
        };
        let score = [points(a)?, points(b)?];
        let length = self.whole.map_or(self.length, |whole| whole.score.length);
        if length > 0 && score.iter().any(|&points| points >= length) {
            return Err(Trouble::value("that match is over".into()));
        }
        self.score = score;
        self.has_own_score = self.whole.is_some();
        self.whole = self
            .whole
            .map(|whole| with_score(whole, seen(score, self.turn)));
        let needs_one = |points: &u16| self.length > 0 && points + 1 == self.length;
        if is_crawford_score(self.length, score) {
            self.crawford_score.get_or_insert(score);
        } else if !score.iter().any(needs_one) {
            // This score cannot follow the recorded Crawford game in the same match.
            self.crawford_score = None;
        }
        Ok(())
    }

    /// Handles `setcube value N owner center|p0|p1`.
    pub(super) fn set_cube(&mut self, words: &[&str]) -> Result<(), Trouble> {
        let ["value", value, "owner", owner] = words else {
            return Err(Trouble::value("expected value N owner WHO".into()));
        };
        let value: Option<u32> = value.parse().ok();
        let value = value.filter(|n| n.is_power_of_two() && n.ilog2() <= LARGEST_CUBE_POWER);
        let Some(value) = value else {
            return Err(Trouble::value("a cube is 1, 2, 4 …".into()));
        };
        self.owner = match *owner {
            "center" | "centre" => None,
            who => Some(seat(who)?),
        };
        self.cube = value;
        let owner = self.seen_owner();
        self.has_own_cube = self.whole.is_some();
        if let Some(whole) = &mut self.whole {
            (whole.cube, whole.owner) = (value, owner);
        }
        Ok(())
    }

    /// Handles `setturn p0|p1`. An XGID is seen by the player on turn.
    pub(super) fn set_turn(&mut self, words: &[&str]) -> Result<(), Trouble> {
        let [who] = words else {
            return Err(Trouble::value("expected p0 or p1".into()));
        };
        self.turn = seat(who)?;
        // A cube or score set after an XGID belongs to a seat; the rest is seen by the player on turn.
        let (owner, [mover, opponent]) = (self.seen_owner(), seen(self.score, self.turn));
        if let Some(whole) = &mut self.whole {
            if self.has_own_cube {
                whole.owner = owner;
            }
            if self.has_own_score {
                (whole.score.mover, whole.score.opponent) = (mover, opponent);
            }
        }
        Ok(())
    }

    /// Handles `position gnubgid ID` and `position xgid XGID`. An invalid one clears the position.
    pub(super) fn set_position(&mut self, words: &[&str]) -> Result<(), Trouble> {
        self.forget();
        let (form, id) = match words {
            [form, id] => (*form, *id),
            _ => return Err(Trouble::value("expected gnubgid ID or xgid ID".into())),
        };
        let bad = |error: crate::notation::IdError| Trouble::value(error.to_string());
        match form {
            "gnubgid" => {
                self.position = Some(gnubg_id::parse_position(id).map_err(bad)?);
            }
            "xgid" => {
                let state = parse_id(id).map_err(bad)?;
                (self.position, self.roll) = (Some(state.position), state.roll);
                self.whole = Some(state);
            }
            _ => return Err(Trouble::unsupported(format!("position {form}"))),
        }
        Ok(())
    }

    /// Handles `dice D1 D2`. Invalid dice clear the roll.
    pub(super) fn set_dice(&mut self, words: &[&str]) -> Result<(), Trouble> {
        self.roll = None;
        let dice = match words {
            [a, b] => a.parse().ok().zip(b.parse().ok()),
            _ => None,
        };
        let roll = dice.and_then(|(a, b)| Roll::new(a, b));
        self.roll = Some(roll.ok_or_else(|| Trouble::value("expected two dice, 1 to 6".into()))?);
        Ok(())
    }

    /// The roll to play.
    pub(super) fn roll(&self) -> Result<Roll, Trouble> {
        self.roll.ok_or_else(|| Trouble::state("there are no dice"))
    }

    /// The state before the roll, seen by the player on turn.
    pub(super) fn state(&self) -> Result<GameState, Trouble> {
        let state = self.described()?;
        match state.doubled {
            true => Err(Trouble::state("a double must be answered first")),
            false => Ok(state),
        }
    }

    /// The described game without its roll.
    fn described(&self) -> Result<GameState, Trouble> {
        let position = self.position;
        let position = position.ok_or_else(|| Trouble::state("there is no position"))?;
        if position.is_over() {
            return Err(Trouble::state("the game is over"));
        }
        let state = match self.whole {
            Some(whole) => whole.before_roll(),
            None => GameState {
                cube: self.cube,
                owner: self.seen_owner(),
                score: self.seen_score(),
                rules: Rules {
                    jacoby: self.jacoby,
                    ..Rules::default()
                }
                .in_force(self.length, self.has_crawford),
                ..GameState::money(position)
            },
        };
        checked(state)
    }

    /// The state with a double offered to the player on turn.
    pub(super) fn reply_state(&self) -> Result<GameState, Trouble> {
        let state = GameState {
            doubled: true,
            ..self.described()?
        };
        checked(state)
    }

    fn seen_owner(&self) -> CubeOwner {
        match self.owner {
            None => CubeOwner::Centred,
            Some(owner) if owner == self.turn => CubeOwner::Mover,
            Some(_) => CubeOwner::Opponent,
        }
    }

    fn seen_score(&self) -> MatchScore {
        if self.length == 0 {
            return MatchScore::MONEY;
        }
        let is_crawford = self.has_crawford && self.crawford_score == Some(self.score);
        let [mover, opponent] = seen(self.score, self.turn);
        MatchScore {
            length: self.length,
            mover,
            opponent,
            crawford: is_crawford,
        }
    }
}
