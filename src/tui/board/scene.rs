//! A position as drawn: the checkers in the slots of each point.
//!
//! Everything is seen from the *bottom* player, who bears off at the bottom right (or left, when mirrored). Points
//! are numbered for the player on roll, because plays are written in that numbering.

use crate::game::position::{BAR, OFF};
use crate::game::{Player, Position, Side};

/// The content of one slot of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    Empty,
    /// A checker; `moved` if the displayed play moved it here.
    Checker {
        player: Player,
        moved: bool,
    },
    /// A place that a checker of this player has left.
    Ghost(Player),
    /// The number of checkers, if there are more than slots; shown in the last slot.
    Number {
        player: Player,
        count: u8,
        /// Whether the displayed play moved some of them here.
        moved: bool,
    },
}

/// A position to draw, with or without a play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scene {
    /// Before the play, seen by the player on roll.
    pub before: Position,
    /// After the displayed play, also seen by the player on roll.
    pub after: Option<Position>,
    pub on_roll: Player,
    pub bottom: Player,
}

impl Scene {
    fn shown(&self) -> &Position {
        self.after.as_ref().unwrap_or(&self.before)
    }

    /// The checkers of `player` after the displayed play.
    pub fn side(&self, player: Player) -> &Side {
        Self::of(self.shown(), player, self.on_roll)
    }

    fn of(position: &Position, player: Player, on_roll: Player) -> &Side {
        if player == on_roll {
            &position.mover
        } else {
            &position.opponent
        }
    }

    /// The player on roll's number for the bottom player's `point`.
    pub fn number(&self, point: usize) -> usize {
        if self.on_roll == self.bottom {
            point
        } else {
            BAR - point
        }
    }

    /// Where the bottom player's `point` is drawn: whether at the top, and its index from the left.
    pub fn place(point: usize, mirrored: bool) -> (bool, u16) {
        let (top, place) = if point <= 12 {
            (false, 12 - point)
        } else {
            (true, point - 13)
        };
        let place = if mirrored { 11 - place } else { place };
        (top, place as u16)
    }

    /// The bottom player's number of a drawn point; the inverse of [`Scene::place`].
    pub fn point(top: bool, place: u16, mirrored: bool) -> usize {
        let place = usize::from(place.min(11));
        let place = if mirrored { 11 - place } else { place };
        if top { 13 + place } else { 12 - place }
    }

    /// The slots of the bottom player's `point`, from the edge of the board.
    pub fn slots(&self, point: usize, slots: u16) -> Vec<Slot> {
        let bottom = self.stack(self.bottom, point, slots);
        let top = self.stack(self.bottom.other(), BAR - point, slots);
        // If one side left the point and the other made it, the checkers are shown.
        let has = |s: &[Slot]| s.iter().any(|x| !matches!(x, Slot::Empty | Slot::Ghost(_)));
        match (has(&bottom), has(&top)) {
            (true, _) => bottom,
            (_, true) => top,
            _ if bottom.iter().any(|s| *s != Slot::Empty) => bottom,
            _ => top,
        }
    }

    /// The slots of `player`'s bar, from the middle of the board.
    pub fn bar(&self, player: Player, slots: u16) -> Vec<Slot> {
        self.stack(player, BAR, slots)
    }

    fn stack(&self, player: Player, place: usize, slots: u16) -> Vec<Slot> {
        let count = self.side(player).at(place);
        let was = Self::of(&self.before, player, self.on_roll).at(place);
        let come = count.saturating_sub(was);
        let gone = was.saturating_sub(count);
        let n = usize::from(slots);
        let mut out: Vec<Slot> = (0..count)
            .map(|i| Slot::Checker {
                player,
                moved: i + come >= count,
            })
            .collect();
        if usize::from(count) > n {
            out.truncate(n);
            out[n - 1] = Slot::Number {
                player,
                count,
                moved: come > 0,
            };
        }
        for _ in 0..gone {
            if out.len() < n {
                out.push(Slot::Ghost(player));
            }
        }
        out.resize(n, Slot::Empty);
        out
    }

    /// Number of checkers borne off by `player`, and how many of them by the displayed play.
    pub fn off(&self, player: Player) -> (u8, u8) {
        let now = self.side(player).at(OFF);
        let was = Self::of(&self.before, player, self.on_roll).at(OFF);
        (now, now.saturating_sub(was))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opening(after: Option<Position>) -> Scene {
        Scene {
            before: Position::opening(),
            after,
            on_roll: Player::Left,
            bottom: Player::Left,
        }
    }

    #[test]
    fn opening_from_both_sides() {
        for bottom in [Player::Left, Player::Right] {
            let mut scene = opening(None);
            scene.bottom = bottom;
            let count = |p: usize, who: Player| {
                let slots = scene.slots(p, 5);
                let full = |s: &&Slot| matches!(s, Slot::Checker { player, .. } if *player == who);
                slots.iter().filter(full).count()
            };
            for (p, n) in [(24, 2), (13, 5), (8, 3), (6, 5)] {
                assert_eq!(count(p, bottom), n);
                assert_eq!(count(25 - p, bottom.other()), n);
            }
        }
        for point in 1..=24 {
            for mirrored in [false, true] {
                let (top, place) = Scene::place(point, mirrored);
                assert_eq!(Scene::point(top, place, mirrored), point);
            }
        }
        assert_eq!(Scene::place(1, false), (false, 11));
        assert_eq!(Scene::place(24, false), (true, 11));
        assert_eq!(Scene::place(24, true), (true, 0));
        assert_eq!(Scene::place(13, false), (true, 0));
    }

    #[test]
    fn a_play_leaves_ghosts_and_shows_what_came() {
        use crate::game::{Play, Step};
        let play = Play::new(&[Step { from: 8, to: 5 }, Step { from: 6, to: 5 }]);
        let after = play.apply(&Position::opening()).flipped();
        let scene = opening(Some(after));
        let moved = Slot::Checker {
            player: Player::Left,
            moved: true,
        };
        assert_eq!(scene.slots(5, 5)[..2], [moved, moved]);
        assert_eq!(scene.slots(8, 5)[2], Slot::Ghost(Player::Left));
        assert_eq!(scene.slots(8, 5)[3], Slot::Empty);
    }

    #[test]
    fn a_tall_stack_ends_in_its_number() {
        let scene = Scene {
            before: Position::from_points(&[(6, 12), (25, 3)], &[(1, 15)]).unwrap(),
            ..opening(None)
        };
        let slots = scene.slots(6, 5);
        assert!(matches!(slots[4], Slot::Number { count: 12, .. }));
        assert_eq!(scene.bar(Player::Left, 4)[3], Slot::Empty);
        assert!(matches!(
            scene.slots(24, 5)[4],
            Slot::Number { count: 15, .. }
        ));
    }
}
