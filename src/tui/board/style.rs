//! Sizes of a drawn board, and the places of its points, bar and tray.

/// Number of checkers a point shows; with more, the last one carries their number.
pub const SLOTS: u16 = 5;

/// Sizes of a drawn board, in cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BoardStyle {
    pub wide: u16,
    /// Rows of one half, without frame and middle.
    pub half: u16,
    /// Rows between the two halves.
    pub middle: u16,
}

impl Default for BoardStyle {
    fn default() -> Self {
        Self::SMALL
    }
}

impl BoardStyle {
    /// The smallest style.
    pub const SMALL: Self = Self {
        wide: 3,
        half: 5,
        middle: 1,
    };

    /// Maximum columns of a point.
    pub const WIDEST: u16 = 10;

    /// Rows between the halves; dice have three rows.
    const MIDDLE: u16 = 3;

    /// The largest style that fits into `w` by `h` cells, or else the smallest.
    pub fn largest(w: u16, h: u16) -> Self {
        let middle = Self::MIDDLE;
        let widest = (w.saturating_sub(5) / 14).min(Self::WIDEST);
        let fitting = (4..=widest).rev().find_map(|wide| {
            let round = Self::round_half(wide);
            let half = (h.saturating_sub(2 + middle) / 2).min(round);
            // Large checkers may be slightly flattened.
            let least = if wide > 4 {
                (round * 4).div_ceil(5)
            } else {
                round
            };
            (half >= least).then_some(Self { wide, half, middle })
        });
        let roomy = Self {
            middle,
            ..Self::SMALL
        };
        fitting.unwrap_or(if h >= roomy.height() {
            roomy
        } else {
            Self::SMALL
        })
    }

    /// Rows of a half with just enough room for five round checkers: a cell is twice as tall as wide.
    fn round_half(wide: u16) -> u16 {
        // 5 checkers of 0.97 columns each, two columns per row.
        (wide * 97).div_ceil(40)
    }

    /// Columns of the whole board: twelve points, bar and tray of equal width, and five lines.
    pub fn width(&self) -> u16 {
        14 * self.wide + 5
    }

    /// Rows of the whole board with its frame.
    pub fn height(&self) -> u16 {
        2 * self.half + self.middle + 2
    }

    /// Returns whether checkers are slabs of two columns in one row.
    pub fn is_small(&self) -> bool {
        self.half <= SLOTS
    }

    /// Whole rows of a checker, for line drawings.
    pub fn tall(&self) -> u16 {
        (self.half / SLOTS).max(1)
    }

    /// First row of the middle.
    pub fn middle_row(&self) -> u16 {
        1 + self.half
    }

    /// Left column of a point, from the left edge of the board. `place` is 0 to 11 from the left, whatever the
    /// point's number.
    pub fn column(&self, place: u16, mirrored: bool) -> u16 {
        let before_bar = place >= 6;
        let tray = if mirrored { self.wide + 1 } else { 0 };
        let bar = if before_bar { self.wide + 2 } else { 0 };
        1 + tray + place * self.wide + bar
    }

    /// Left column of the bar.
    pub fn bar_column(&self, mirrored: bool) -> u16 {
        let tray = if mirrored { self.wide + 1 } else { 0 };
        2 + tray + 6 * self.wide
    }

    /// Left column of a column as counted by [`BoardStyle::column_at`].
    pub fn cell_column(&self, column: u16, mirrored: bool) -> u16 {
        match column {
            6 => self.bar_column(mirrored),
            column => self.column(column - u16::from(column > 6), mirrored),
        }
    }

    /// The column of points at a cell, counted from the board's corner: whether in the upper half, and the column; 6
    /// is the bar. `None` in the middle, on lines and in the tray.
    pub fn column_at(&self, x: u16, y: u16, mirrored: bool) -> Option<(bool, u16)> {
        let top = match y {
            y if y <= self.half => true,
            y if y > self.half + self.middle && y < self.height() => false,
            _ => return None,
        };
        let left = |column| self.cell_column(column, mirrored);
        let column =
            (0..13).find(|&column| (left(column)..left(column) + self.wide).contains(&x))?;
        Some((top, column))
    }

    /// Left column of the tray.
    pub fn tray_column(&self, mirrored: bool) -> u16 {
        if mirrored { 1 } else { 4 + 13 * self.wide }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_points_bar_and_tray_lie_apart_and_fill_the_board() {
        for wide in 3..=BoardStyle::WIDEST {
            let style = BoardStyle {
                wide,
                ..BoardStyle::SMALL
            };
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
    fn the_board_grows_with_its_room_and_fits() {
        let mut sizes = std::collections::BTreeSet::new();
        for w in 47..=160 {
            for h in 13..=60 {
                let style = BoardStyle::largest(w, h);
                assert!(style.width() <= w && style.height() <= h, "{w}×{h}");
                let (wider, taller) =
                    (BoardStyle::largest(w + 1, h), BoardStyle::largest(w, h + 1));
                assert!(wider.wide >= style.wide && taller.wide >= style.wide);
                sizes.insert((style.wide, style.half));
            }
        }
        assert!(sizes.len() >= 5, "{sizes:?}");
        assert_eq!(BoardStyle::largest(10, 2), BoardStyle::SMALL);
    }
}
