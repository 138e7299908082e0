//! The board as a drawing: which checker lies in which cell.
//!
//! Everything is told from the player at the *bottom*: that player bears off at the bottom right
//! (or left, when mirrored). The numbers of the points are those of the player on roll, since
//! plays are written with them.

use crate::game::position::{BAR, OFF};
use crate::game::{Player, Position, Side};

/// Sizes of a drawn board, in cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardStyle {
    /// Columns of a point.
    pub wide: u16,
    /// Rows of a checker.
    pub tall: u16,
    /// Checkers that a point shows one by one.
    pub slots: u16,
    /// Rows between the two halves.
    pub middle: u16,
}

impl Default for BoardStyle {
    fn default() -> Self {
        Self::SMALL
    }
}

impl BoardStyle {
    /// The smallest.
    pub const SMALL: Self = Self {
        wide: 3,
        tall: 1,
        slots: 5,
        middle: 1,
    };

    /// The style for a screen of `w` by `h` cells.
    #[must_use]
    pub fn choose(w: u16, h: u16) -> Self {
        let small = Self::SMALL;
        match (w, h) {
            (190.., 56..) => Self {
                wide: 7,
                tall: 3,
                slots: 5,
                middle: 3,
            },
            (150.., 42..) => Self {
                wide: 5,
                tall: 2,
                slots: 5,
                middle: 3,
            },
            (_, 38..) => Self {
                slots: 6,
                middle: 3,
                ..small
            },
            (_, 28..) => Self { middle: 3, ..small },
            _ => small,
        }
    }

    /// Columns of the whole board: twelve points, bar and tray as wide as a point, five lines.
    #[must_use]
    pub fn width(&self) -> u16 {
        14 * self.wide + 5
    }

    /// Rows of the whole board, frame included.
    #[must_use]
    pub fn height(&self) -> u16 {
        2 * self.slots * self.tall + self.middle + 2
    }

    /// Rows of one half, without frame and middle.
    #[must_use]
    pub fn half(&self) -> u16 {
        self.slots * self.tall
    }

    /// Left column of a point's cell, from the left edge of the board. `place` is 0 to 11 from the
    /// left, whatever the point's number.
    #[must_use]
    pub fn column(&self, place: u16, mirrored: bool) -> u16 {
        let before_bar = place >= 6;
        let tray = if mirrored { self.wide + 1 } else { 0 };
        let bar = if before_bar { self.wide + 2 } else { 0 };
        1 + tray + place * self.wide + bar
    }

    /// Left column of the bar.
    #[must_use]
    pub fn bar_column(&self, mirrored: bool) -> u16 {
        let tray = if mirrored { self.wide + 1 } else { 0 };
        2 + tray + 6 * self.wide
    }

    /// What is drawn at a cell, counted from the corner of the board: whether in the upper half, and the
    /// column, 6 being the bar; nothing in the middle, on the lines and in the tray.
    #[must_use]
    pub fn column_at(&self, x: u16, y: u16, mirrored: bool) -> Option<(bool, u16)> {
        let top = match y {
            y if y <= self.half() => true,
            y if y > self.half() + self.middle && y < self.height() => false,
            _ => return None,
        };
        let left = |column: u16| match column {
            6 => self.bar_column(mirrored),
            column => self.column(column - u16::from(column > 6), mirrored),
        };
        let column =
            (0..13).find(|&column| (left(column)..left(column) + self.wide).contains(&x))?;
        Some((top, column))
    }

    /// Left column of the tray.
    #[must_use]
    pub fn tray_column(&self, mirrored: bool) -> u16 {
        if mirrored { 1 } else { 4 + 13 * self.wide }
    }
}

/// What lies in one slot of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// Nothing.
    Empty,
    /// A checker of this player; `moved` if the play on show has brought it.
    Checker {
        /// Whose.
        player: Player,
        /// Whether it has just come.
        moved: bool,
    },
    /// Where a checker of this player has gone away from.
    Ghost(Player),
    /// More checkers than slots: their number, in the last slot.
    Number {
        /// Whose.
        player: Player,
        /// How many there are.
        count: u8,
        /// Whether the play on show has brought some of them.
        moved: bool,
    },
}

/// A position to be drawn, perhaps with a play shown on it.
#[derive(Clone, Copy, Debug)]
pub struct Scene {
    /// Before the play, seen by the player on roll.
    pub before: Position,
    /// After the play, still seen by the player on roll, if one is shown.
    pub after: Option<Position>,
    /// Who is on roll.
    pub on_roll: Player,
    /// Whose side is at the bottom.
    pub bottom: Player,
}

impl Scene {
    fn shown(&self) -> &Position {
        self.after.as_ref().unwrap_or(&self.before)
    }

    /// The checkers of `player`, as shown.
    #[must_use]
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

    /// The number that the player on roll gives to the bottom player's point `point`.
    #[must_use]
    pub fn number(&self, point: usize) -> usize {
        if self.on_roll == self.bottom {
            point
        } else {
            BAR - point
        }
    }

    /// Where the bottom player's point `point` is drawn: (on top, place from the left).
    #[must_use]
    pub fn place(point: usize, mirrored: bool) -> (bool, u16) {
        let (top, place) = if point <= 12 {
            (false, 12 - point)
        } else {
            (true, point - 13)
        };
        let place = if mirrored { 11 - place } else { place };
        (top, place as u16)
    }

    /// The bottom player's number of the point that is drawn there: the reverse of [`Scene::place`].
    #[must_use]
    pub fn point(top: bool, place: u16, mirrored: bool) -> usize {
        let place = usize::from(place.min(11));
        let place = if mirrored { 11 - place } else { place };
        if top { 13 + place } else { 12 - place }
    }

    /// The slots of the bottom player's point `point`, from the edge of the board.
    #[must_use]
    pub fn slots(&self, point: usize, slots: u16) -> Vec<Slot> {
        let bottom = self.stack(self.bottom, point, slots);
        let top = self.stack(self.bottom.other(), BAR - point, slots);
        // A point may have been left by one side and taken by the other: the checkers are shown.
        let has = |s: &[Slot]| s.iter().any(|x| !matches!(x, Slot::Empty | Slot::Ghost(_)));
        match (has(&bottom), has(&top)) {
            (true, _) => bottom,
            (_, true) => top,
            _ if bottom.iter().any(|s| *s != Slot::Empty) => bottom,
            _ => top,
        }
    }

    /// The slots of the bar of `player`, from the middle of the board.
    #[must_use]
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

    /// Checkers borne off by `player`, and how many of them by the play on show.
    #[must_use]
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
    fn cells_of_points_bar_and_tray_lie_apart_and_fill_the_board() {
        for (w, h) in [(80, 24), (120, 40), (160, 45), (200, 60)] {
            let style = BoardStyle::choose(w, h);
            for mirrored in [false, true] {
                let mut used = vec![false; usize::from(style.width())];
                let mut columns: Vec<u16> = (0..12).map(|p| style.column(p, mirrored)).collect();
                columns.push(style.bar_column(mirrored));
                columns.push(style.tray_column(mirrored));
                for c in columns {
                    for x in c..c + style.wide {
                        assert!(!used[usize::from(x)], "{x}");
                        used[usize::from(x)] = true;
                    }
                }
                let lines = used.iter().filter(|u| !**u).count();
                assert_eq!(lines, 5);
                assert!(!used[0] && !used[used.len() - 1]);
            }
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
