//! The board: frame, points, checkers, bar, tray, dice, cube, and a line for each player.

use ratatui::layout::Rect;
use ratatui::style::Modifier;

use super::paint::Paint;
use crate::game::position::BAR;
use crate::game::{CubeOwner, GameState, Player, Roll};
use crate::match_file::Action;
use crate::review::MatchTurn;
use crate::tui::board::{BoardStyle, Scene, Slot};
use crate::tui::draft::{Spot, sign};
use crate::tui::editor::{BoardCell, Editor};
use crate::tui::layout::Areas;
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::theme::Role;

/// The sign of a player's checkers.
pub(super) fn disc(player: Player) -> (&'static str, Role) {
    match player {
        Player::Left => ("●", Role::Left),
        Player::Right => ("○", Role::Right),
    }
}

pub(super) fn draw(paint: &mut Paint<'_>, areas: &Areas, app: &App) {
    let (area, style) = (areas.board, areas.style);
    let (Some(board), Some(turn)) = (areas.board_frame(), app.turn()) else {
        return;
    };
    let scene = scene(app, turn);
    let names = area.height >= style.height() + 2;
    if names {
        player_line(
            paint,
            Rect { height: 1, ..area },
            app,
            scene.bottom.other(),
            &scene,
        );
        let below = Rect::new(area.x, board.bottom(), area.width, 1);
        player_line(paint, below, app, scene.bottom, &scene);
    }
    let drawing = Drawing {
        style,
        mirrored: app.options.mirrored,
        board,
        scene,
    };
    drawing.frame(paint);
    drawing.points(paint);
    drawing.bar(paint);
    drawing.trays(paint);
    drawing.cube(paint, &turn.before.state, turn.action);
    if let Some(roll) = turn.before.state.roll {
        drawing.dice(paint, roll);
    }
    if let Some(editor) = &app.editor {
        drawing.cursor(paint, editor);
    }
}

/// The board with the selected play, or with an illegal one as the file has it.
fn scene(app: &App, turn: &MatchTurn) -> Scene {
    let as_recorded = match turn.action {
        Some(Action::Illegal { after, .. }) => Some(after),
        _ => None,
    };
    let after = app.selection.play.or(as_recorded);
    Scene {
        before: turn.before.state.position,
        after: after.map(|result| result.flipped()),
        on_roll: turn.before.player,
        bottom: app.bottom(),
    }
}

/// What is odd about what the file has of a turn, while the board shows it.
fn oddity(app: &App, turn: &MatchTurn) -> &'static str {
    match turn.action {
        _ if app.selection.play.is_some() => "",
        Some(Action::Illegal { .. }) => "illegal",
        Some(Action::Hidden { .. }) => "no play recorded",
        _ => "",
    }
}

/// Name, score and pips of a player, and whether it is their turn.
fn player_line(paint: &mut Paint<'_>, area: Rect, app: &App, player: Player, scene: &Scene) {
    let Some(turn) = app.turn() else { return };
    let score = turn.before.state.score;
    let points = if player == scene.on_roll {
        score.mover
    } else {
        score.opponent
    };
    let (sign, role) = disc(player);
    let on_roll = player == scene.on_roll;
    let oddity = if on_roll { oddity(app, turn) } else { "" };
    let name = text::cut(app.name(player), 20);
    let arrow = if on_roll { "▸" } else { " " };
    let named = if on_roll { Role::Strong } else { Role::Text };
    let x = paint.line(
        area,
        0,
        &[
            (arrow, Role::TitleFocused),
            (" ", Role::Text),
            (sign, role),
            (" ", Role::Text),
            (&name, named),
        ],
    );
    let mut right = String::new();
    if score.length > 0 {
        let away = score.length.saturating_sub(points);
        right.push_str(&format!("{points} ({away} away)"));
    } else if !app.document.record.games.is_empty() {
        right.push_str(&format!("{points}"));
    }
    let off = scene.off(player).0;
    if off > 0 {
        right.push_str(&format!("   off {off}"));
    }
    if app.options.pips {
        right.push_str(&format!("   pips {:>3}", scene.side(player).pips()));
    }
    right.push(' ');
    let end = paint.line_right(area, 0, &[(&right, Role::Muted)]);
    // It matters more than the end of a long name.
    let at = x
        .saturating_add(2)
        .min(end.saturating_sub(oddity.len() as u16 + 1));
    paint.put(at, area.y, end.saturating_sub(at), oddity, Role::Error);
}

struct Drawing {
    style: BoardStyle,
    mirrored: bool,
    board: Rect,
    scene: Scene,
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
        self.board.y + 1 + self.style.half() + self.style.middle / 2
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
        let BoardStyle { wide, slots, .. } = self.style;
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
            for (slot, what) in (0u16..).zip(self.scene.slots(point, slots)) {
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
        let rows = self.style.half();
        for row in 0..rows {
            // Half cells left out on each side.
            let narrow = (row * wide / rows).min(wide - 1);
            let (cells, half) = (narrow / 2, narrow % 2 == 1);
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
        let BoardStyle { wide, tall, .. } = self.style;
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
                self.checker(paint, x, &rows, player, moved, None);
            }
            Slot::Number {
                player,
                count,
                moved,
            } => self.checker(paint, x, &rows, player, moved, Some(count)),
        }
    }

    /// A sign on whatever ground is there.
    fn dot(&self, paint: &mut Paint<'_>, x: u16, y: u16, sign: &str, role: Role) {
        let ground = paint.buffer[(x, y)].bg;
        let style = paint.style(role).bg(ground);
        paint.put_styled(x, y, 1, sign, style);
    }

    fn checker(
        &self,
        paint: &mut Paint<'_>,
        x: u16,
        rows: &[u16],
        player: Player,
        moved: bool,
        count: Option<u8>,
    ) {
        let (sign, role) = disc(player);
        let wide = self.style.wide;
        let mut style = paint.style(role);
        if moved {
            style = style.patch(paint.style(Role::Moved));
        }
        if rows.len() == 1 {
            let y = rows[0];
            let text = count.map_or_else(|| sign.to_owned(), |n| n.to_string());
            let x = x + wide / 2;
            let ground = paint.buffer[(x, y)].bg;
            paint.put_styled(x, y, 2, &text, style.bg(ground));
            return;
        }
        let body = body(player, wide, rows.len());
        let mut ys = rows.to_vec();
        ys.sort_unstable();
        for (y, line) in ys.iter().zip(&body) {
            for (i, c) in (0u16..).zip(line.chars()) {
                if c == ' ' {
                    continue;
                }
                let cell = (x + i, *y);
                let ground = paint.buffer[cell].bg;
                let mut buffer = [0; 4];
                let plain = paint.style(role).bg(ground);
                paint.put_styled(cell.0, cell.1, 1, c.encode_utf8(&mut buffer), plain);
            }
        }
        let y = ys[ys.len() / 2];
        let label = match count {
            Some(n) => n.to_string(),
            None if moved => "◆".to_owned(),
            None => return,
        };
        // On a filled checker the label stands in the checker's own colour, reversed.
        let mut style = paint.style(role).bg(paint.buffer[(x + wide / 2, y)].bg);
        if player == Player::Left {
            style = style.add_modifier(Modifier::REVERSED);
        }
        let at = x + (wide - text::width(&label) as u16) / 2;
        paint.put_styled(at, y, 3, &label, style);
    }

    /// The place at which checkers are put, marked at the edge of the board with the colour in hand.
    fn cursor(&self, paint: &mut Paint<'_>, editor: &Editor) {
        let wide = self.style.wide;
        let BoardCell { top, column } = editor.cell;
        let (x, label) = match editor.cell.spot(self.scene.bottom, self.mirrored) {
            Spot::Bar(_) => (
                self.board.x + self.style.bar_column(self.mirrored),
                "bar".to_owned(),
            ),
            Spot::Point(point) => {
                let place = column - u16::from(column > BoardCell::BAR);
                let point = match self.scene.bottom {
                    Player::Left => point,
                    Player::Right => BAR - point,
                };
                (
                    self.board.x + self.style.column(place, self.mirrored),
                    format!("{}{}", sign(editor.hand), self.scene.number(point)),
                )
            }
        };
        let edge = match top {
            true => self.board.y,
            false => self.board.bottom() - 1,
        };
        let wide = wide.max(text::width(&label) as u16);
        let label = format!("{label:^width$}", width = usize::from(wide));
        let style = paint
            .style(Role::TitleFocused)
            .add_modifier(Modifier::REVERSED);
        paint.put_styled(x, edge, wide, &label, style);
    }

    fn bar(&self, paint: &mut Paint<'_>) {
        let x = self.board.x + self.style.bar_column(self.mirrored);
        // A checker on the bar waits on the side where it will come in; the cube may lie at the
        // edge.
        let slots = self.style.slots - 1;
        for (player, top) in [
            (self.scene.bottom, true),
            (self.scene.bottom.other(), false),
        ] {
            for (i, what) in (0u16..).zip(self.scene.bar(player, slots)) {
                let slot = self.style.slots - 1 - i;
                self.slot(paint, x, top, slot, what, None);
            }
        }
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

    fn cube(&self, paint: &mut Paint<'_>, state: &GameState, action: Option<Action>) {
        let x = self.board.x + self.style.bar_column(self.mirrored);
        let wide = self.style.wide;
        let owner = match state.owner {
            CubeOwner::Centred => None,
            CubeOwner::Mover => Some(self.scene.on_roll),
            CubeOwner::Opponent => Some(self.scene.on_roll.other()),
        };
        let y = match owner {
            None => self.middle(),
            Some(p) if p == self.scene.bottom => self.board.bottom() - 2,
            Some(_) => self.board.y + 1,
        };
        let tile = |n: u32| format!("{n:^3}");
        let at = x + (wide - 3) / 2;
        if state.score.crawford {
            paint.put(at, y, 3, "Cr ", Role::Muted);
        } else {
            paint.put(at, y, 5, &tile(state.cube), Role::Cube);
        }
        let (words, value) = match action {
            Some(Action::Double { to }) => ("doubles to", Some(to)),
            Some(Action::Take) => ("takes", Some(state.cube * 2)),
            Some(Action::Beaver { to }) => ("beavers to", Some(to)),
            Some(Action::Pass) => ("passes", Some(state.cube * 2)),
            Some(Action::Resign) => ("resigns", None),
            _ if state.doubled => ("is doubled to", Some(state.cube * 2)),
            _ => return,
        };
        let (x, y) = self.hand();
        let used = paint.put(x, y, 14, words, Role::Strong);
        if let Some(value) = value {
            paint.put(x + used + 1, y, 5, &tile(value), Role::Cube);
        }
    }

    /// Where the player on roll throws: the right half for the one at the bottom, else the left.
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
        for die in [roll.high(), roll.low()] {
            if big {
                for (row, line) in (0u16..).zip(face(die)) {
                    paint.put(x, y - 1 + row, wide, line, Role::Dice);
                }
            } else {
                paint.put(x, y, wide, &format!(" {die} "), Role::Dice);
            }
            x += wide + gap;
        }
    }
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
