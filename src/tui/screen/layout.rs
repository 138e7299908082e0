//! Layout: a pure function from the size of the screen to named rectangles.
//!
//! At 80×24 there are, from the top, one line of facts and one line of marks of the game's turns. Then come board and
//! candidates side by side, figures and chart side by side, and one line of keys. More columns add the move list;
//! more rows a taller board and chart. Below 80×24 parts are dropped, the least important first; [`Areas::hidden`]
//! lists them.

use ratatui::layout::{Position as Cell, Rect};

use super::targets::{Divider, Targets};
use crate::tui::board::BoardStyle;

/// Minimum rows of the candidate list for headings and facts.
pub const LOW: u16 = 10;

/// A pane that can fill the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pane {
    /// The board with its players' lines.
    Board,
    Candidates,
    Moves,
    /// Figures and chart of a rollout, or the chart of the game.
    Rollout,
}

impl Pane {
    /// All panes, in the order of zooming.
    pub const ALL: [Self; 4] = [Self::Board, Self::Candidates, Self::Moves, Self::Rollout];

    /// Name of the pane.
    pub fn name(self) -> &'static str {
        match self {
            Self::Board => "board",
            Self::Candidates => "candidates",
            Self::Moves => "moves",
            Self::Rollout => "rollout",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScreenPart {
    /// The top line.
    Header,
    /// The line of marks, or the note on a standalone position.
    Strip,
    Moves,
    /// The board with its players' lines.
    Board,
    Candidates,
    /// The figures of rolled-out plays.
    Figures,
    Chart,
    /// The bottom line.
    Bar,
}

/// Maximum number of steps by which the board is smaller than possible.
pub const SMALLEST_BOARD: u16 = 7;

/// Minimum and maximum of the columns by which the move list is wider than usual.
pub const WIDER_MOVES: [i16; 2] = [-20, 60];

/// Content to display, and the user's layout choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayoutOptions {
    /// Whether a rollout has figures to show.
    pub has_figures: bool,
    /// Minimum rows of candidates; on small screens the board must leave room for them.
    pub candidate_rows: u16,
    /// Whether there are moves to list.
    pub has_moves: bool,
    /// Rows of the note on a standalone position, which has no moves.
    pub note_rows: u16,
    /// Whether there is a chart to draw.
    pub has_chart: bool,
    /// The pane that fills the screen.
    pub zoom: Option<Pane>,
    /// Columns by which each point of the board is narrower than possible.
    pub smaller_board: u16,
    /// Columns by which the move list is wider (or narrower) than usual.
    pub wider_moves: i16,
    /// Minimum columns of a window that takes the place of the moves, beside the board.
    pub window: Option<u16>,
}

/// Minimum columns of a screen on which the move list has room for long plays.
const ROOMY: u16 = 132;
/// Columns of a move list with room for almost all plays.
const LONG_MOVES: u16 = 34;
/// Columns that a window beside the board gets before the board grows.
const WINDOW: u16 = 100;
/// Minimum columns of candidates with an axis.
const CANDIDATES_WITH_AXIS: u16 = 53;

impl Default for LayoutOptions {
    fn default() -> Self {
        Self {
            has_figures: true,
            candidate_rows: 0,
            has_moves: true,
            note_rows: 0,
            has_chart: true,
            zoom: None,
            smaller_board: 0,
            wider_moves: 0,
            window: None,
        }
    }
}

/// The areas of the screen. Empty rectangles are not drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Areas {
    /// The whole screen.
    pub screen: Rect,
    pub header: Rect,
    /// One line of marks if there is no room for the move list; or the note on a standalone position.
    pub strip: Rect,
    pub moves: Rect,
    /// The board with its players' lines.
    pub board: Rect,
    /// Size of the board.
    pub style: BoardStyle,
    pub candidates: Rect,
    /// Index of the first displayed candidate.
    pub first_candidate: usize,
    /// Rolled-out plays on a common axis, and the verdict of a pair.
    pub figures: Rect,
    /// Convergence of a rollout, or the chart of the game.
    pub chart: Rect,
    pub bar: Rect,
    /// Place of the window beside the board.
    pub window: Rect,
    /// Names of parts that do not fit.
    pub hidden: Vec<&'static str>,
    /// Areas that respond to the mouse.
    pub targets: Targets,
}

impl Areas {
    /// Computes the areas of a screen.
    pub fn arrange(screen: Rect, options: &LayoutOptions) -> Self {
        let mut areas = Self {
            screen,
            ..Self::default()
        };
        let (w, h) = (screen.width, screen.height);
        if w == 0 || h == 0 {
            return areas;
        }
        areas.bar = Rect::new(screen.x, screen.y + h - 1, w, 1);
        if h > 1 {
            areas.header = Rect::new(screen.x, screen.y, w, 1);
        }
        let body = Rect::new(screen.x, screen.y + 1, w, h.saturating_sub(2));
        // A board without room would leave the screen empty.
        let is_shown = |pane: &Pane| *pane != Pane::Board || areas.fits_board();
        if let Some(pane) = options.zoom.filter(|_| !body.is_empty()).filter(is_shown) {
            areas.zoomed(body, pane, options);
        } else if Self::has_room_beside(screen, options.window) {
            areas.beside_window(body, options);
        } else if w >= 80 && h >= 24 {
            areas.full(body, options);
        } else if w >= 80 && h >= 17 {
            areas.hidden = vec!["moves", "chart"];
            areas.side_by_side(body);
        } else {
            areas.stacked(body, options);
        }
        areas
    }

    /// Gives one pane the whole body.
    fn zoomed(&mut self, body: Rect, pane: Pane, options: &LayoutOptions) {
        match pane {
            Pane::Candidates => self.candidates = body,
            Pane::Moves => self.moves = body,
            Pane::Rollout => self.low(body, options),
            Pane::Board => {
                self.style = BoardStyle::largest(body.width, body.height.saturating_sub(2));
                let height = body.height.min(self.style.height() + 2);
                let width = body.width.min(self.style.width());
                let left = body.x + (body.width - width) / 2;
                let top = body.y + (body.height - height) / 2;
                self.board = Rect::new(left, top, width, height);
            }
        }
    }

    fn full(&mut self, mut body: Rect, options: &LayoutOptions) {
        let w = self.screen.width;
        // Columns of the move list, and minimum columns of the candidates.
        let (moves, candidates) = match w {
            0..100 => (0, 32),
            100..120 => (19, 32),
            120..132 => (25, 32),
            132..190 => (25, 45),
            _ => (31, 52),
        };
        if !options.has_moves || moves == 0 {
            // Without moves the list gives up its room.
            let height = if options.has_moves {
                1
            } else {
                options.note_rows
            };
            self.strip = Rect { height, ..body };
            body.y += height;
            body.height -= height;
        } else {
            let most = (w - BoardStyle::SMALL.width() - candidates - 2).max(moves);
            let moves = moves + Self::room_for_plays(body, moves, candidates, options);
            let width = moves.saturating_add_signed(options.wider_moves);
            let width = width.clamp(12, most);
            self.moves = Rect { width, ..body };
            body.x += width + 1;
            body.width -= width + 1;
        }
        self.style = Self::board_style(body, candidates, options);
        let top = (self.style.height() + 2).min(body.height);
        let board = self.style.width().min(body.width);
        self.board = Rect::new(body.x, body.y, board, top);
        let rest = body.width - board;
        self.candidates = Rect::new(body.x + board + 1, body.y, rest.saturating_sub(1), top);
        let low = Rect::new(body.x, body.y + top, body.width, body.height - top);
        self.low(low, options);
    }

    /// Additional columns that the largest board leaves for long plays in the move list.
    fn room_for_plays(body: Rect, moves: u16, candidates: u16, options: &LayoutOptions) -> u16 {
        if body.width < ROOMY {
            return 0;
        }
        let beside = Rect {
            width: body.width - moves - 1,
            ..body
        };
        let options = LayoutOptions {
            smaller_board: 0,
            ..*options
        };
        let board = Self::board_style(beside, candidates, &options).width();
        let spare = beside
            .width
            .saturating_sub(board + 1 + CANDIDATES_WITH_AXIS);
        spare.min(LONG_MOVES.saturating_sub(moves))
    }

    /// The largest board that leaves enough room for the other panes.
    fn board_style(body: Rect, candidates: u16, options: &LayoutOptions) -> BoardStyle {
        let low = match body.height {
            _ if !options.has_chart && !options.has_figures => 0,
            ..28 => 5,
            28..36 => 7,
            36..44 => 9,
            _ => 12,
        };
        let candidates = if options.has_moves {
            candidates
        } else {
            candidates.min(44)
        };
        let room = body.width.saturating_sub(candidates + 1);
        let height = body.height.saturating_sub(low + 2);
        let largest = BoardStyle::largest(room, height);
        if options.smaller_board == 0 {
            return largest;
        }
        let narrower = largest.width().saturating_sub(14 * options.smaller_board);
        BoardStyle::largest(narrower, height)
    }

    /// Places chart and figures side by side, or the one that has content.
    fn low(&mut self, low: Rect, options: &LayoutOptions) {
        match (options.has_chart, options.has_figures) {
            (true, false) => return self.chart = low,
            // Hints fill the rest.
            (false, false) => return self.figures = low,
            _ => {}
        }
        // The figures need slightly more than a third of the width for an axis beside their numbers.
        let figures = (low.width * 2 / 5).clamp(43, 76).min(low.width);
        self.chart = Rect {
            width: low.width.saturating_sub(figures + 1),
            ..low
        };
        self.figures = Rect::new(low.right() - figures, low.y, figures, low.height);
    }

    /// Whether a window of at least so many columns has room beside the board.
    pub fn has_room_beside(screen: Rect, window: Option<u16>) -> bool {
        let board = BoardStyle::SMALL.width() + 1;
        window.is_some_and(|window| screen.width >= window + board && screen.height >= 24)
    }

    /// Columns inside a window of statistics, beside the board or over the screen.
    pub fn window_columns(screen: Rect) -> u16 {
        match Self::has_room_beside(screen, Some(0)) && screen.width >= 100 {
            true => screen.width - BoardStyle::SMALL.width() - 3,
            false => screen.width.saturating_sub(4),
        }
    }

    /// Layout with a window at the left: board and candidates stand below each other at the right.
    fn beside_window(&mut self, body: Rect, options: &LayoutOptions) {
        let least = BoardStyle::SMALL.width() + 1;
        let window = (body.width - least).min(WINDOW);
        let largest = BoardStyle::largest(body.width - window - 1, body.height - LOW - 2);
        let narrower = largest.width().saturating_sub(14 * options.smaller_board);
        self.style = BoardStyle::largest(narrower, body.height - LOW - 2);
        let width = self.style.width();
        let top = (self.style.height() + 2).min(body.height);
        self.board = Rect::new(body.right() - width, body.y, width, top);
        self.candidates = Rect {
            y: body.y + top,
            height: body.height - top,
            ..self.board
        };
        self.window = Rect {
            width: body.width - width - 1,
            ..body
        };
    }

    fn side_by_side(&mut self, body: Rect) {
        self.style = BoardStyle::SMALL;
        let board = self.style.width();
        self.board = Rect {
            width: board,
            ..body
        };
        self.candidates = Rect::new(
            body.x + board + 1,
            body.y,
            body.width - board - 1,
            body.height,
        );
    }

    /// Layout of narrow screens: the most important parts from the top.
    fn stacked(&mut self, body: Rect, options: &LayoutOptions) {
        self.style = BoardStyle::SMALL;
        let needed = self.style.height() + options.candidate_rows;
        let fits = body.width >= self.style.width() && body.height >= needed;
        let mut y = body.y;
        let mut left = body.height;
        if fits {
            let with_names = self.style.height() + 2;
            // The players' lines may be beside the board.
            let is_beside = body.width >= self.style.width() + 12;
            let width = if is_beside {
                body.width
            } else {
                self.style.width()
            };
            let height = if left >= with_names && !is_beside {
                with_names
            } else {
                self.style.height()
            };
            self.board = Rect::new(body.x, y, width, height);
            y += height;
            left -= height;
        } else {
            self.hidden.push("board");
        }
        let candidates = if left >= 14 { left - 6 } else { left };
        self.candidates = Rect::new(body.x, y, body.width, candidates);
        y += candidates;
        left -= candidates;
        self.figures = Rect::new(body.x, y, body.width, left);
        if candidates < 3 {
            self.hidden.push("candidates");
        } else if candidates < LOW {
            // Its title only shows the cost of the turn.
            self.hidden.push("chances");
        }
        self.hidden.push("moves");
        self.hidden.push("chart");
    }

    /// Returns whether the screen has room for a board alone.
    pub fn fits_board(&self) -> bool {
        let (screen, least) = (self.screen, BoardStyle::SMALL);
        // In addition to the header and the bottom line.
        screen.width >= least.width() && screen.height >= least.height() + 2
    }

    /// The edges that can be dragged.
    pub fn dividers(&self) -> Vec<(Rect, Divider)> {
        let (board, below) = (self.board, self.figures.y.max(self.chart.y));
        let beside = |pane: Rect, width| Rect {
            x: pane.right(),
            width,
            ..pane
        };
        let mut all = Vec::new();
        if !self.moves.is_empty() && !board.is_empty() {
            all.push((beside(self.moves, 1), Divider::Moves));
        }
        // The edges of a board at its largest size only.
        let is_full = self.screen.width >= 80 && self.screen.height >= 24;
        if is_full && !board.is_empty() && !self.candidates.is_empty() {
            all.push((beside(board, 1), Divider::BoardSide));
            if below >= board.bottom() {
                let foot = Rect::new(board.x, below, board.width, 1);
                all.push((foot, Divider::BoardFoot));
            }
        }
        all
    }

    /// The board's frame without the players' lines, if there is room for it.
    pub fn board_frame(&self) -> Option<Rect> {
        let (area, style) = (self.board, self.style);
        let fits = area.width >= style.width() && area.height >= style.height();
        let names = area.height >= style.height() + 2;
        fits.then(|| Rect {
            y: area.y + u16::from(names),
            width: style.width(),
            height: style.height(),
            ..area
        })
    }

    /// Every displayed part of the screen.
    pub fn parts(&self) -> Vec<(ScreenPart, Rect)> {
        [
            (ScreenPart::Header, self.header),
            (ScreenPart::Strip, self.strip),
            (ScreenPart::Moves, self.moves),
            (ScreenPart::Board, self.board),
            (ScreenPart::Candidates, self.candidates),
            (ScreenPart::Figures, self.figures),
            (ScreenPart::Chart, self.chart),
            (ScreenPart::Bar, self.bar),
        ]
        .into_iter()
        .filter(|(_, r)| !r.is_empty())
        .collect()
    }

    /// The part at a cell of the screen.
    pub fn part_at(&self, column: u16, row: u16) -> Option<(ScreenPart, Rect)> {
        let cell = Cell::new(column, row);
        self.parts().into_iter().find(|(_, r)| r.contains(cell))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panes_lie_inside_the_screen_and_apart() {
        for w in (1..=230)
            .step_by(3)
            .chain([79, 80, 81, 99, 100, 119, 120, 159, 160, 200])
        {
            for h in (1..=70).step_by(2).chain([23, 24, 25, 30, 40, 45, 60]) {
                let screen = Rect::new(0, 0, w, h);
                let areas = Areas::arrange(screen, &LayoutOptions::default());
                let parts = areas.parts();
                for (i, (part, a)) in parts.iter().enumerate() {
                    assert_eq!(a.intersection(screen), *a, "{part:?} at {w}×{h}");
                    for (other, b) in &parts[i + 1..] {
                        assert!(!a.intersects(*b), "{part:?} and {other:?} at {w}×{h}");
                    }
                }
            }
        }
    }

    #[test]
    fn from_80_by_24_nothing_needed_is_missing() {
        for (w, h) in [
            (80, 24),
            (100, 30),
            (120, 40),
            (160, 45),
            (200, 60),
            (80, 60),
            (200, 24),
        ] {
            let areas = Areas::arrange(Rect::new(0, 0, w, h), &LayoutOptions::default());
            assert!(areas.hidden.is_empty(), "{w}×{h}: {:?}", areas.hidden);
            assert!(areas.candidates.width >= 32, "{w}×{h}");
            assert!(areas.candidates.height >= 13, "{w}×{h}");
            assert!(
                areas.chart.height >= 5 && areas.chart.width >= 30,
                "{w}×{h}"
            );
            assert!(areas.figures.width >= 36, "{w}×{h}");
            assert_eq!(areas.moves.is_empty(), !areas.strip.is_empty(), "{w}×{h}");
            assert!(areas.board.width >= areas.style.width());
            assert!(areas.board.height >= areas.style.height() + 2);
        }
    }

    #[test]
    fn what_is_empty_gives_its_room_to_the_board() {
        let nothing = LayoutOptions {
            has_figures: false,
            has_moves: false,
            has_chart: false,
            ..LayoutOptions::default()
        };
        for (w, h) in [(80, 24), (100, 30), (120, 40), (160, 50), (200, 60)] {
            let screen = Rect::new(0, 0, w, h);
            let [all, alone] =
                [LayoutOptions::default(), nothing].map(|w| Areas::arrange(screen, &w));
            assert!(alone.style.wide >= all.style.wide, "{w}×{h}");
            assert!(alone.moves.is_empty() && alone.strip.is_empty());
            assert!(alone.chart.is_empty());
        }
        let screen = Rect::new(0, 0, 120, 40);
        assert_eq!(
            Areas::arrange(screen, &LayoutOptions::default()).style.wide,
            4
        );
        assert_eq!(Areas::arrange(screen, &nothing).style.wide, 5);
        let chart = LayoutOptions {
            has_figures: false,
            ..LayoutOptions::default()
        };
        let areas = Areas::arrange(screen, &chart);
        assert!(areas.figures.is_empty() && areas.chart.width > 90);
    }

    #[test]
    fn a_pane_has_the_screen_to_itself_and_edges_are_moved() {
        let screen = Rect::new(0, 0, 160, 50);
        for pane in Pane::ALL {
            let zoomed = LayoutOptions {
                zoom: Some(pane),
                ..LayoutOptions::default()
            };
            let areas = Areas::arrange(screen, &zoomed);
            let shown: Vec<_> = areas.parts().into_iter().map(|(part, _)| part).collect();
            use ScreenPart::{Bar, Board, Candidates, Chart, Figures, Header, Moves};
            let expected: &[ScreenPart] = match pane {
                Pane::Board => &[Header, Board, Bar],
                Pane::Candidates => &[Header, Candidates, Bar],
                Pane::Moves => &[Header, Moves, Bar],
                Pane::Rollout => &[Header, Figures, Chart, Bar],
            };
            assert_eq!(shown, expected);
        }
        let plain = Areas::arrange(screen, &LayoutOptions::default());
        for (smaller_board, wider_moves) in [(1, 0), (7, 0), (0, 20), (0, -20)] {
            let options = LayoutOptions {
                smaller_board,
                wider_moves,
                ..LayoutOptions::default()
            };
            let areas = Areas::arrange(screen, &options);
            assert!(areas.board_frame().is_some());
            assert_eq!(
                areas.style.wide < plain.style.wide,
                smaller_board > 0 || wider_moves > 0
            );
            assert_eq!(
                areas.moves.width.cmp(&plain.moves.width),
                wider_moves.cmp(&0)
            );
        }
    }

    #[test]
    fn below_that_it_says_what_it_hides() {
        for (w, h) in [(79, 24), (80, 23), (60, 20), (40, 10), (1, 1)] {
            let areas = Areas::arrange(Rect::new(0, 0, w, h), &LayoutOptions::default());
            assert!(!areas.hidden.is_empty() || w == 1, "{w}×{h}");
        }
    }
}
