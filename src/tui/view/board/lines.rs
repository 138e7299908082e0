//! The board drawn with lines and signs, for terminals without colours or block characters: the
//! players' checkers differ by shape.

use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::disc::disc;
use crate::game::position::{BAR, OFF};
use crate::game::{Player, Roll};
use crate::store::settings::GlyphSet;
use crate::tui::board::picture::{Cube, Place, Subject, Trace};
use crate::tui::board::{BoardStyle, SLOTS, Scene, Slot};
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::view::drawing::paint::Paint;

pub(super) fn draw(paint: &mut Paint<'_>, board: Rect, subject: &Subject) {
    let drawing = Drawing {
        style: subject.style,
        mirrored: subject.mirrored,
        board,
        scene: subject.scene,
        glyphs: subject.glyphs,
    };
    drawing.frame(paint);
    drawing.points(paint);
    drawing.bar(paint);
    for trace in &subject.traces {
        drawing.trace(paint, trace);
    }
    for place in &subject.picked {
        drawing.sign(paint, *place, "◆");
    }
    drawing.trays(paint);
    drawing.cube(paint, &subject.cube);
    if let Some(roll) = subject.roll {
        drawing.dice(paint, roll);
    }
}

/// A checker, or several that are counted.
struct Checker {
    player: Player,
    is_moved: bool,
    count: Option<u8>,
    /// Its colours, where the theme has solid ones.
    face: Option<Style>,
    /// The style of its sign on whatever ground is there.
    plain: Style,
}

impl Checker {
    fn new(paint: &Paint<'_>, player: Player, is_moved: bool, count: Option<u8>) -> Self {
        Self {
            player,
            is_moved,
            count,
            face: face_style(paint, player),
            plain: paint.style(disc(player).1),
        }
    }

    /// Draws it where there is room for a sign alone.
    fn sign(&self, paint: &mut Paint<'_>, x: u16, y: u16) {
        let text = match self.count {
            Some(count) => count.to_string(),
            None => disc(self.player).0.to_owned(),
        };
        let ground = self.face.and_then(|face| face.bg);
        let style = self.sign_style(paint);
        let ground = ground.unwrap_or(paint.buffer[(x, y)].bg);
        paint.put_styled(x, y, 2, &text, style.bg(ground));
    }

    fn sign_style(&self, paint: &Paint<'_>) -> Style {
        let style = self.face.unwrap_or(self.plain);
        if !self.is_moved {
            return style;
        }
        let moved = paint.style(Role::Moved);
        match self.face.and_then(|face| face.bg) {
            Some(ground) => moved.bg(ground).fg(style.fg.unwrap_or_default()),
            None => style.patch(moved),
        }
    }

    /// Draws a line of a large one without its margins; where it is not solid, what is within stays as it is.
    fn body_line(&self, paint: &mut Paint<'_>, x: u16, y: u16, line: &str) {
        let margins = [0, line.chars().count() as u16 - 1];
        for (i, c) in (0u16..).zip(line.chars()) {
            if margins.contains(&i) || (c == ' ' && self.face.is_none()) {
                continue;
            }
            let ground = paint.buffer[(x + i, y)].bg;
            let style = self.face.unwrap_or(self.plain.bg(ground));
            let mut buffer = [0; 4];
            paint.put_styled(x + i, y, 1, c.encode_utf8(&mut buffer), style);
        }
    }

    /// What stands on a large one.
    fn label(&self) -> Option<String> {
        match self.count {
            Some(count) => Some(count.to_string()),
            None => self.is_moved.then(|| "◆".to_owned()),
        }
    }

    /// On a filled checker the label stands in the checker's own colour, reversed.
    fn label_style(&self, paint: &Paint<'_>, x: u16, y: u16) -> Style {
        let on_ground = self.plain.bg(paint.buffer[(x, y)].bg);
        self.face.unwrap_or(match self.player {
            Player::Left => on_ground.add_modifier(Modifier::REVERSED),
            Player::Right => on_ground,
        })
    }
}

struct Drawing {
    style: BoardStyle,
    mirrored: bool,
    board: Rect,
    scene: Scene,
    glyphs: GlyphSet,
}

impl Drawing {
    fn y(&self, top: bool, row: u16) -> u16 {
        if top {
            self.board.y + 1 + row
        } else {
            self.board.bottom() - 2 - row
        }
    }

    fn middle(&self) -> u16 {
        self.board.y + 1 + self.style.half + self.style.middle / 2
    }

    fn frame(&self, paint: &mut Paint<'_>) {
        let Rect { x, y, width, .. } = self.board;
        let last = self.board.bottom() - 1;
        paint.fill(self.board, Role::Felt);
        for (row, left, right, joint) in [(y, "╭", "╮", "┬"), (last, "╰", "╯", "┴")] {
            for column in x..x + width {
                paint.put(column, row, 1, "─", Role::Frame);
            }
            paint.put(x, row, 1, left, Role::Frame);
            paint.put(x + width - 1, row, 1, right, Role::Frame);
            for line in self.lines() {
                paint.put(line, row, 1, joint, Role::Frame);
            }
        }
        for row in y + 1..last {
            for line in self.lines().into_iter().chain([x, x + width - 1]) {
                paint.put(line, row, 1, "│", Role::Frame);
            }
        }
    }

    /// Columns of the three lines inside.
    fn lines(&self) -> [u16; 3] {
        let bar = self.board.x + self.style.bar_column(self.mirrored);
        let tray = self.board.x + self.style.tray_column(self.mirrored);
        let beside = if self.mirrored {
            tray + self.style.wide
        } else {
            tray - 1
        };
        [bar - 1, bar + self.style.wide, beside]
    }

    fn points(&self, paint: &mut Paint<'_>) {
        let wide = self.style.wide;
        for point in 1..=24usize {
            let (top, place) = Scene::place(point, self.mirrored);
            let x = self.board.x + self.style.column(place, self.mirrored);
            let edge = if top {
                self.board.y
            } else {
                self.board.bottom() - 1
            };
            let number = self.scene.number(point).to_string();
            let label = format!("{number:─^width$}", width = usize::from(wide));
            paint.put(x, edge, wide, &label, Role::Frame);
            let at = label.find(number.as_str()).unwrap_or(0);
            let at = label[..at].chars().count() as u16;
            paint.put(x + at, edge, 2, &number, Role::Number);
            let role = if point % 2 == 0 {
                Role::PointA
            } else {
                Role::PointB
            };
            self.triangle(paint, x, top, role);
            for (slot, what) in (0u16..).zip(self.scene.slots(point, SLOTS)) {
                self.slot(paint, x, top, slot, what, Some(role));
            }
        }
    }

    /// The point itself: broad at the edge, narrow at its tip, in steps of half a cell. A theme
    /// without backgrounds has no triangles.
    fn triangle(&self, paint: &mut Paint<'_>, x: u16, top: bool, role: Role) {
        let Some(ground) = paint.style(role).bg else {
            return;
        };
        let felt = paint.style(Role::Felt);
        let wide = self.style.wide;
        let rows = self.style.half;
        let is_ascii = self.glyphs == GlyphSet::Ascii;
        for row in 0..rows {
            // Half cells left out on each side.
            let narrow = (row * wide / rows).min(wide - 1);
            let (cells, half) = match is_ascii {
                // In ASCII half a cell would look like a checker: all of the point is narrow, with felt beside it.
                true => ((narrow / 2).clamp(1, (wide - 1) / 2), false),
                false => (narrow / 2, narrow % 2 == 1),
            };
            let y = self.y(top, row);
            let (first, last) = (x + cells, x + wide - 1 - cells);
            for column in first..=last {
                paint.put(column, y, 1, " ", role);
            }
            if half && first < last {
                paint.put_styled(first, y, 1, "▐", felt.fg(ground));
                paint.put_styled(last, y, 1, "▌", felt.fg(ground));
            }
        }
    }

    fn slot(
        &self,
        paint: &mut Paint<'_>,
        x: u16,
        top: bool,
        slot: u16,
        what: Slot,
        point: Option<Role>,
    ) {
        let (wide, tall) = (self.style.wide, self.style.tall());
        let rows: Vec<u16> = (0..tall).map(|r| self.y(top, slot * tall + r)).collect();
        let middle = rows[usize::from(tall / 2)];
        let centre = x + wide / 2;
        match what {
            Slot::Empty => {
                if let Some(role) = point {
                    self.dot(paint, centre, middle, "·", role);
                }
            }
            Slot::Ghost(_) => self.dot(paint, centre, middle, "◦", Role::Ghost),
            Slot::Checker { player, moved } => {
                let checker = Checker::new(paint, player, moved, None);
                self.checker(paint, x, &rows, &checker);
            }
            Slot::Number {
                player,
                count,
                moved,
            } => {
                let checker = Checker::new(paint, player, moved, Some(count));
                self.checker(paint, x, &rows, &checker);
            }
        }
    }

    /// A sign on whatever ground is there.
    fn dot(&self, paint: &mut Paint<'_>, x: u16, y: u16, sign: &str, role: Role) {
        let ground = paint.buffer[(x, y)].bg;
        let style = paint.style(role).bg(ground);
        paint.put_styled(x, y, 1, sign, style);
    }

    fn checker(&self, paint: &mut Paint<'_>, x: u16, rows: &[u16], checker: &Checker) {
        let wide = self.style.wide;
        if let [y] = *rows {
            return checker.sign(paint, x + wide / 2, y);
        }
        let mut ys = rows.to_vec();
        ys.sort_unstable();
        for (y, line) in ys.iter().zip(&body(checker.player, wide, rows.len())) {
            checker.body_line(paint, x, *y, line);
        }
        let Some(label) = checker.label() else {
            return;
        };
        let y = ys[ys.len() / 2];
        let style = checker.label_style(paint, x + wide / 2, y);
        // In the middle of the body, which may be nearer to the right edge of the point.
        let body = wide.saturating_sub(2).max(3);
        let at = x + 1 + body.saturating_sub(text::width(&label) as u16) / 2;
        paint.put_styled(at, y, 3, &label, style);
    }

    fn bar(&self, paint: &mut Paint<'_>) {
        let x = self.board.x + self.style.bar_column(self.mirrored);
        // A checker on the bar waits on the side where it will come in; the cube may lie at the
        // edge.
        let slots = SLOTS - 1;
        for (player, top) in [
            (self.scene.bottom, true),
            (self.scene.bottom.other(), false),
        ] {
            for (i, what) in (0u16..).zip(self.scene.bar(player, slots)) {
                let slot = SLOTS - 1 - i;
                self.slot(paint, x, top, slot, what, None);
            }
        }
    }

    /// Draws the sign of a play that is not carried out, where a checker comes.
    fn trace(&self, paint: &mut Paint<'_>, trace: &Trace) {
        if let Some(sign) = trace.sign() {
            self.sign(paint, trace.to, sign);
        }
    }

    /// A sign at a place on a point.
    fn sign(&self, paint: &mut Paint<'_>, at: Place, sign: &str) {
        let Place {
            player,
            point,
            slot,
        } = at;
        if point == OFF {
            return self.sign_off(paint, player, sign);
        }
        if point == BAR {
            return;
        }
        let point = if player == self.scene.bottom {
            point
        } else {
            BAR - point
        };
        let (top, place) = Scene::place(point, self.mirrored);
        let tall = self.style.tall();
        let row = slot.min(SLOTS - 1) * tall + tall / 2;
        let x = self.board.x + self.style.column(place, self.mirrored) + self.style.wide / 2;
        paint.put(x, self.y(top, row), 1, sign, Role::Strong);
    }

    /// A sign beyond the checkers that a player has borne off: that of the play made at the right of the other one.
    fn sign_off(&self, paint: &mut Paint<'_>, player: Player, sign: &str) {
        let x = self.board.x + self.style.tray_column(self.mirrored) + (self.style.wide - 3) / 2;
        let aside = if sign == "▸" { 2 } else { 0 };
        let row = u16::from(self.scene.off(player).0).div_ceil(3);
        let y = self.y(player != self.scene.bottom, row);
        paint.put(x + aside, y, 1, sign, Role::Strong);
    }

    /// Checkers borne off lie in rows of three at the edge.
    fn trays(&self, paint: &mut Paint<'_>) {
        let x = self.board.x + self.style.tray_column(self.mirrored);
        let left = x + (self.style.wide - 3) / 2;
        for (player, top) in [
            (self.scene.bottom, false),
            (self.scene.bottom.other(), true),
        ] {
            let (off, moved) = self.scene.off(player);
            let (sign, role) = disc(player);
            for i in 0..u16::from(off) {
                let mut style = paint
                    .style(role)
                    .bg(paint.style(Role::Felt).bg.unwrap_or_default());
                if i + u16::from(moved) >= u16::from(off) {
                    style = style.patch(paint.style(Role::Moved));
                }
                paint.put_styled(left + i % 3, self.y(top, i / 3), 1, sign, style);
            }
        }
    }

    fn cube(&self, paint: &mut Paint<'_>, cube: &Cube) {
        let x = self.board.x + self.style.bar_column(self.mirrored);
        let y = match cube.owner {
            None => self.middle(),
            Some(p) if p == self.scene.bottom => self.board.bottom() - 2,
            Some(_) => self.board.y + 1,
        };
        let tile = |n: u32| format!("{n:^3}");
        // Beside the bar there is a line.
        let lying = match tile(cube.value) {
            tile if tile.len() <= usize::from(self.style.wide) => tile,
            _ => format!("{}k", cube.value / 1024),
        };
        let at = x + (self.style.wide - 3) / 2;
        if cube.crawford {
            paint.put(at, y, 3, "Cr ", Role::Muted);
        } else if !cube.is_offered() {
            paint.put(at, y, 5, &format!("{lying:^3}"), Role::Cube);
        }
        let Some((words, value)) = cube.action else {
            return;
        };
        let (x, y) = self.hand();
        let used = paint.put(x, y, 14, words, Role::Strong);
        if let Some(value) = value {
            paint.put(x + used + 1, y, 5, &tile(value), Role::Cube);
        }
    }

    /// Cell where the dice of the player on roll lie: in the right half for the one at the bottom, else in
    /// the left.
    fn hand(&self) -> (u16, u16) {
        let right = (self.scene.on_roll == self.scene.bottom) != self.mirrored;
        let place = if right { 6 } else { 0 };
        let x = self.board.x + self.style.column(place, self.mirrored);
        (x + 1, self.middle())
    }

    fn dice(&self, paint: &mut Paint<'_>, roll: Roll) {
        let (x, y) = self.hand();
        let half = 6 * self.style.wide;
        let big = self.style.middle >= 3;
        let wide = if big { 5 } else { 3 };
        let gap = if big { 2 } else { 1 };
        let mut x = x - 1 + (half - (2 * wide + gap)) / 2;
        let style = face_style(paint, self.scene.on_roll).unwrap_or(paint.style(Role::Dice));
        for die in [roll.high(), roll.low()] {
            if big {
                for (row, line) in (0u16..).zip(face(die)) {
                    paint.put_styled(x, y - 1 + row, wide, line, style);
                }
            } else {
                paint.put_styled(x, y, wide, &format!(" {die} "), style);
            }
            x += wide + gap;
        }
    }
}

/// The colours of a player's checkers and dice, where the theme has solid ones.
fn face_style(paint: &Paint<'_>, player: Player) -> Option<Style> {
    let style = paint.style(match player {
        Player::Left => Role::CheckerLeft,
        Player::Right => Role::CheckerRight,
    });
    style.bg.is_some().then_some(style)
}

/// A large checker, a column narrower than its point on each side: solid for the left player,
/// hollow for the right one.
fn body(player: Player, wide: u16, tall: usize) -> Vec<String> {
    let inner = usize::from(wide).saturating_sub(4).max(1);
    match (player, tall) {
        (Player::Left, 2) => vec![
            format!(" {} ", "▄".repeat(inner + 2)),
            format!(" {} ", "▀".repeat(inner + 2)),
        ],
        (Player::Left, _) => {
            let mut rows = vec![format!(" ▗{}▖ ", "▄".repeat(inner))];
            rows.extend((2..tall).map(|_| format!(" ▐{}▌ ", "█".repeat(inner))));
            rows.push(format!(" ▝{}▘ ", "▀".repeat(inner)));
            rows
        }
        (Player::Right, _) => {
            let mut rows = vec![format!(" ╭{}╮ ", "─".repeat(inner))];
            rows.extend((2..tall).map(|_| format!(" │{}│ ", " ".repeat(inner))));
            rows.push(format!(" ╰{}╯ ", "─".repeat(inner)));
            rows
        }
    }
}

/// The pips of a die, three rows of five columns.
fn face(die: u8) -> [&'static str; 3] {
    match die {
        1 => ["     ", "  ●  ", "     "],
        2 => [" ●   ", "     ", "   ● "],
        3 => [" ●   ", "  ●  ", "   ● "],
        4 => [" ● ● ", "     ", " ● ● "],
        5 => [" ● ● ", "  ●  ", " ● ● "],
        _ => [" ● ● ", " ● ● ", " ● ● "],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{CubeOwner, GameState, Position};
    use crate::tui::state::Document;
    use crate::tui::testing::TestApp;
    use crate::tui::theme::Depth;

    /// The signs of the board in view.
    fn signs(bench: &mut TestApp, (w, h): (u16, u16)) -> Vec<Vec<String>> {
        let buffer = bench.draw(w, h);
        let frame = bench.app.areas.board_frame().unwrap();
        let row = |y| (frame.left()..frame.right()).map(move |x| (x, y));
        (frame.top()..frame.bottom())
            .map(|y| {
                row(y)
                    .map(|cell| buffer[cell].symbol().to_owned())
                    .collect()
            })
            .collect()
    }

    /// In points of four columns the body of a checker has three: its sign is in their middle.
    #[test]
    fn a_sign_is_in_the_middle_of_its_checker() {
        let mut bench = TestApp::new(Depth::None);
        bench.keys("n");
        let mut found = 0;
        for _ in 0..5 {
            bench.keys("j");
            let rows = signs(&mut bench, (120, 40));
            assert_eq!(bench.app.areas.style.wide, 4);
            for row in rows {
                for at in (0..row.len()).filter(|&at| row[at] == "◆") {
                    let beside = [&row[at - 1], &row[at + 1]];
                    assert!(beside.iter().all(|sign| *sign != " "), "{}", row.concat());
                    found += 1;
                }
            }
        }
        assert!(found > 0);
    }

    /// In ASCII a theme with colours draws no signs that one without does not.
    #[test]
    fn no_triangle_looks_like_checkers() {
        let [colour, mono] = [Depth::True, Depth::None].map(|depth| {
            let mut bench = TestApp::new(depth);
            bench.app.settings.glyphs = GlyphSet::Ascii;
            [(80, 24), (120, 40), (200, 60)].map(|size| signs(&mut bench, size))
        });
        assert_eq!(colour, mono);
    }

    /// A cube of four digits does not stand on the line beside the bar.
    #[test]
    fn a_large_cube_keeps_to_the_bar() {
        let state = GameState {
            cube: 1024,
            owner: CubeOwner::Mover,
            ..GameState::money(Position::opening())
        };
        let document = Document::of_position(state, "p".into(), 1);
        let mut bench = TestApp::with(Depth::None, document);
        let rows = signs(&mut bench, (80, 24));
        let style = bench.app.areas.style;
        let line = usize::from(style.bar_column(false) + style.wide);
        let inside = &rows[1..rows.len() - 1];
        assert!(inside.iter().all(|row| row[line] == "│"), "{rows:?}");
        assert!(inside.iter().any(|row| row.concat().contains("1k")));
    }
}
