//! A play: up to four steps of single checkers.

use super::position::{BAR, OFF, Position};

/// A move of one checker by one die, in the mover's coordinates (25 = bar, 0 = off).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Step {
    pub from: u8,
    pub to: u8,
}

/// A play: its steps in a possible order. Empty for a roll that cannot be played (a dance).
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Play {
    /// One byte per step, the first in the lowest byte: numbers stay in registers during generation.
    from: u32,
    to: u32,
    len: u8,
}

impl Play {
    /// The play without steps.
    pub const NONE: Self = Self {
        from: 0,
        to: 0,
        len: 0,
    };

    /// Creates a play of at most four steps; further steps are ignored.
    pub fn new(steps: &[Step]) -> Self {
        let mut play = Self::NONE;
        for step in steps.iter().take(4) {
            play.push(step.from, step.to);
        }
        play
    }

    #[inline]
    pub fn push(&mut self, from: u8, to: u8) {
        debug_assert!(self.len < 4, "four steps at most");
        let behind = u32::BITS / 4 * u32::from(self.len);
        self.from |= u32::from(from) << behind;
        self.to |= u32::from(to) << behind;
        self.len += 1;
    }

    pub fn steps(&self) -> impl ExactSizeIterator<Item = Step> + '_ {
        let [from, to] = [self.from, self.to].map(u32::to_le_bytes);
        (0..usize::from(self.len)).map(move |i| Step {
            from: from[i],
            to: to[i],
        })
    }

    /// Returns the number of steps.
    pub fn len(&self) -> usize {
        usize::from(self.len)
    }

    /// Returns whether no checker moves.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns at most four steps from `before` to `after`, which is seen by the opponent; they may be
    /// illegal.
    pub fn between(before: &Position, after: &Position) -> Option<Self> {
        let (mut from, mut to) = (Vec::new(), Vec::new());
        for place in (OFF..=BAR).rev() {
            let (had, has) = (before.mover.at(place), after.opponent.at(place));
            from.extend((has..had).map(|_| place as u8));
            to.extend((had..has).map(|_| place as u8));
        }
        if from.len() != to.len() || from.len() > 4 || to.contains(&(BAR as u8)) {
            return None;
        }
        let steps = from.iter().zip(&to);
        let steps: Vec<Step> = steps.map(|(&from, &to)| Step { from, to }).collect();
        let play = Self::new(&steps);
        (play.apply(before) == *after).then_some(play)
    }

    /// Returns the position after this play, seen by the opponent, who is then on roll. Legality is not
    /// checked, see [`generate`](super::generate). A step from an empty place is ignored.
    pub fn apply(&self, position: &Position) -> Position {
        let mut mover = position.mover;
        let mut opponent = position.opponent;
        for Step { from, to } in self.steps() {
            let (from, to) = (usize::from(from), usize::from(to));
            if mover.0[from] == 0 || from == OFF {
                continue;
            }
            mover.0[from] -= 1;
            mover.0[to] += 1;
            if to != OFF && opponent.0[BAR - to] == 1 {
                opponent.0[BAR - to] = 0;
                opponent.0[BAR] += 1;
            }
        }
        Position {
            mover: opponent,
            opponent: mover,
        }
    }
}

impl std::fmt::Debug for Play {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list()
            .entries(self.steps().map(|s| (s.from, s.to)))
            .finish()
    }
}
