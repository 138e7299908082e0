//! The board with a line for each player above and below.

mod blocks;
mod disc;
mod lines;

use crate::words::counted;
use ratatui::layout::Rect;
use ratatui::style::Modifier;

pub(crate) use disc::disc;

use crate::game::position::{BAR, OFF};
use crate::game::{CubeOwner, GameState, MatchScore, Player, Position};
use crate::match_file::Action;
use crate::review::MatchTurn;
use crate::store::settings::GlyphSet;
use crate::tui::board::Scene;
use crate::tui::board::palette::{Ink, Palette};
use crate::tui::board::picture::{Cube, Moving, Place, Subject, Trace};
use crate::tui::board::ways::ways;
use crate::tui::documents::picks::Pick;
use crate::tui::figures::candidate_rows::ranked;
use crate::tui::keys::{ActionId, KeyScope};
use crate::tui::screen::layout::Areas;
use crate::tui::screen::targets::Target;
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::windows::draft::{Spot, sign};
use crate::tui::windows::editor::{BoardCell, Editor};

/// Columns of a player's lines beside the board.
const BESIDE: u16 = 14;

/// Draws the board with its players' lines.
pub(super) fn draw(paint: &mut Paint<'_>, areas: &Areas, app: &App) {
    let (area, style) = (areas.board, areas.style);
    let (Some(board), Some(turn)) = (areas.board_frame(), app.turn()) else {
        return;
    };
    let (scene, traces) = shown_plays(app, turn);
    let (scene, moving) = in_motion(app, scene);
    players(paint, area, board, app, &scene);
    let subject = Subject {
        scene,
        style,
        mirrored: app.options.mirrored,
        roll: turn.before.state.roll,
        cube: cube(&turn.before.state, &scene, turn.action),
        traces,
        picked: picked(app, turn),
        moving,
        glyphs: app.glyphs(),
    };
    let palette = Palette::of(paint.theme()).filter(|_| subject.glyphs != GlyphSet::Ascii);
    match palette {
        Some(palette) => blocks::draw(paint, board, subject, palette, &app.picture),
        None => lines::draw(paint, board, &subject),
    }
    if app.editor.is_none() {
        // The cube in the middle of the bar.
        let x = board.x + style.bar_column(app.options.mirrored);
        let middle = Rect::new(x, board.y + style.middle_row(), style.wide, style.middle);
        paint.target(middle, Target::Action(ActionId::Before));
    }
    if let Some(editor) = &app.editor {
        unwanted(paint, board, areas, app, editor, &scene);
        cursor(paint, board, areas, app, editor, &scene);
    }
    if let Some(point) = app.quiz.as_ref().and_then(|quiz| quiz.open.cursor) {
        quiz_cursor(paint, board, areas, app, point);
    }
}

/// The lines of the players above and below the board, or beside it. In the editor a click on those of one who is not on
/// roll changes that.
fn players(paint: &mut Paint<'_>, area: Rect, board: Rect, app: &App, scene: &Scene) {
    let are_beside = area.height < board.height + 2;
    for player in [scene.bottom.other(), scene.bottom] {
        let is_bottom = player == scene.bottom;
        let place = if are_beside {
            let down = u16::from(is_bottom) * board.height.saturating_sub(4);
            let beside = Rect::new(board.right() + 1, board.y + down, BESIDE, 4).intersection(area);
            player_column(paint, beside, app, player, scene);
            beside
        } else {
            let y = if is_bottom {
                board.bottom()
            } else {
                board.y - 1
            };
            let line = Rect::new(board.x, y, board.width, 1);
            player_line(paint, line, app, player, scene);
            line
        };
        if app.editor.is_some() && player != scene.on_roll {
            paint.target(place, Target::Action(ActionId::OnRoll));
        }
    }
}

/// The position with the selected play (or an illegal one as the file has it) and its lines; or as it is, with lines
/// for the best play and the one that was made.
fn shown_plays(app: &App, turn: &MatchTurn) -> (Scene, Vec<Trace>) {
    let (before, on_roll) = (turn.before.state.position, turn.before.player);
    let as_recorded = match turn.action {
        Some(Action::Illegal { after, .. }) => Some(after),
        _ => None,
    };
    let selected = app.selection.play.or(as_recorded);
    let mut scene = Scene {
        before,
        after: None,
        on_roll,
        bottom: app.bottom(),
    };
    let lines = |result: &Position, ink| {
        let ways = ways(&before, result, on_roll);
        ways.into_iter()
            .map(move |(from, to)| Trace { from, to, ink })
    };
    let is_both =
        app.options.both_plays && !app.options.hidden && app.screen_scope() == KeyScope::Match;
    if let Some((best, other)) = both(app).filter(|_| is_both) {
        let other = other.iter().flat_map(|result| lines(result, Ink::Played));
        return (scene, other.chain(lines(&best, Ink::Best)).collect());
    }
    scene.after = selected.map(|result| result.flipped());
    let traces = selected.iter().flat_map(|result| lines(result, Ink::Moved));
    (scene, traces.collect())
}

/// The checkers that were clicked to choose a play, as long as none is shown.
fn picked(app: &App, turn: &MatchTurn) -> Vec<Place> {
    let picks = match app.selection.play {
        Some(_) => &[],
        None => app.selection.picks.as_slice(),
    };
    let (mover, player) = (&turn.before.state.position.mover, turn.before.player);
    let from = |pick: &Pick| match pick {
        Pick::From(point) => Some(*point),
        Pick::To(_) => None,
    };
    let points: Vec<usize> = picks.iter().filter_map(from).collect();
    let place = |(i, &point): (usize, &usize)| {
        // The checkers on top go first.
        let above = points[..i].iter().filter(|other| **other == point).count();
        let below = usize::from(mover.at(point)).checked_sub(1 + above)?;
        Some(Place {
            player,
            point,
            slot: below as u16,
        })
    };
    points.iter().enumerate().filter_map(place).collect()
}

/// The results of the best play, and of the one that was made (or else is selected) if it is another.
fn both(app: &App) -> Option<(Position, Option<Position>)> {
    // The best is not the first of the list when that is ordered by equity, or narrowed by clicks.
    let rows = ranked(app);
    let best = rows.iter().find(|row| row.is_best)?.candidate.result;
    let made = rows
        .iter()
        .find(|row| row.is_played)
        .map(|row| row.candidate.result);
    let other = made.or(app.selection.play);
    Some((best, other.filter(|other| *other != best)))
}

/// The scene without checkers that are on their way, and those.
fn in_motion(app: &App, mut scene: Scene) -> (Scene, Vec<Moving>) {
    let motion = app
        .motion
        .as_ref()
        .filter(|motion| !motion.is_over(app.now));
    let Some(motion) = motion else {
        return (scene, Vec::new());
    };
    scene.before = motion.without(scene.before);
    (scene, motion.checkers(app.now))
}

fn cube(state: &GameState, scene: &Scene, action: Option<Action>) -> Cube {
    let owner = match state.owner {
        CubeOwner::Centred => None,
        CubeOwner::Mover => Some(scene.on_roll),
        CubeOwner::Opponent => Some(scene.on_roll.other()),
    };
    let action = match action {
        Some(Action::Double { to }) if state.owner == CubeOwner::Mover => {
            Some(("redoubles to", Some(to)))
        }
        Some(Action::Double { to }) => Some(("doubles to", Some(to))),
        Some(Action::Take) => Some(("takes", Some(state.cube * 2))),
        Some(Action::Beaver { to }) => Some(("beavers to", Some(to))),
        Some(Action::Pass) => Some(("passes", Some(state.cube * 2))),
        Some(Action::Resign) => Some(("resigns", None)),
        _ if state.doubled => Some(("is doubled to", Some(state.cube * 2))),
        _ => None,
    };
    Cube {
        value: state.cube,
        owner,
        crawford: state.score.crawford,
        action,
    }
}

/// What is odd about the file's record of a turn, in words and in fewer, while the board shows it.
fn oddity(app: &App, turn: &MatchTurn) -> [&'static str; 2] {
    match turn.action {
        _ if app.selection.play.is_some() => [""; 2],
        Some(Action::Illegal { .. }) => ["illegal"; 2],
        Some(Action::Hidden { .. }) => ["no play recorded", "no play"],
        _ => [""; 2],
    }
}

/// The points of the player on roll, or of the other one.
fn points(score: &MatchScore, on_roll: bool) -> u16 {
    if on_roll { score.mover } else { score.opponent }
}

/// Name, score and pips of a player.
fn player_line(paint: &mut Paint<'_>, area: Rect, app: &App, player: Player, scene: &Scene) {
    let Some(turn) = app.turn() else { return };
    let score = turn.before.state.score;
    let points = points(&score, player == scene.on_roll);
    let mut right = String::new();
    if score.length > 0 {
        let away = score.length.saturating_sub(points);
        right.push_str(&format!("{points} ({away} away)"));
    } else if !app.document.record.games.is_empty() {
        right.push_str(&counted(points, "point"));
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
    let room = usize::from(end - area.x).saturating_sub(8);
    let name = text::cut(app.name(player), room.min(32));
    let forms = match player == scene.on_roll {
        true => oddity(app, turn),
        false => [""; 2],
    };
    // With two spaces before it. It matters more than the end of a long name.
    let shortest = text::width(&name).min(SHORTEST_NAME);
    let fits = |form: &&str| form.len() + 2 + shortest <= room;
    let oddity = forms.into_iter().find(fits).unwrap_or(forms[1]);
    let taken = match oddity.len() {
        0 => 0,
        length => length + 2,
    };
    let name = text::cut(&name, room.saturating_sub(taken).max(1));
    let x = name_plate(paint, area, player, &name, player == scene.on_roll);
    let at = x.saturating_add(2);
    paint.put(at, area.y, end.saturating_sub(at), oddity, Role::Error);
}

/// Fewest characters of a name beside what else is told of a player.
const SHORTEST_NAME: usize = 8;

/// Draws a player's facts in a few short lines, where there is room beside the board alone.
fn player_column(paint: &mut Paint<'_>, area: Rect, app: &App, player: Player, scene: &Scene) {
    let Some(turn) = app.turn().filter(|_| !area.is_empty()) else {
        return;
    };
    let name = text::cut(app.name(player), usize::from(area.width).saturating_sub(6));
    name_plate(paint, area, player, &name, player == scene.on_roll);
    let score = turn.before.state.score;
    let points = points(&score, player == scene.on_roll);
    let mut lines = Vec::new();
    if score.length > 0 {
        lines.push(format!("{} away", score.length.saturating_sub(points)));
    }
    if app.options.pips {
        lines.push(format!("pips {}", scene.side(player).pips()));
    }
    let off = scene.off(player).0;
    if off > 0 {
        lines.push(format!("off {off}"));
    }
    for (row, line) in (1..).zip(&lines) {
        paint.line(area, row, &[("   ", Role::Muted), (line, Role::Muted)]);
    }
}

/// The name of a player, lit in the colour of the checkers while on roll; answers where it ends.
fn name_plate(paint: &mut Paint<'_>, area: Rect, player: Player, name: &str, lit: bool) -> u16 {
    let (sign, role) = disc(player);
    if !lit {
        let words = [
            ("   ", Role::Text),
            (sign, role),
            (" ", Role::Text),
            (name, Role::Text),
        ];
        return paint.line(area, 0, &words);
    }
    let checker = match player {
        Player::Left => Role::CheckerLeft,
        Player::Right => Role::CheckerRight,
    };
    let style = paint.style(checker).add_modifier(Modifier::BOLD);
    // In the player's own colour on the ground: dark checkers make a dark plate, which a dark ground may hide.
    let arrow = paint.style(role).add_modifier(Modifier::BOLD);
    let x = area.x + paint.put_styled(area.x, area.y, area.width, " ▸", arrow);
    let plate = format!(" {sign} {name} ");
    let most = area.right().saturating_sub(x);
    x + paint.put_styled(x, area.y, most, &plate, style)
}

/// Crosses where no checkers are wanted in positions that are looked for, with the sign of the player whose.
fn unwanted(
    paint: &mut Paint<'_>,
    board: Rect,
    areas: &Areas,
    app: &App,
    editor: &Editor,
    scene: &Scene,
) {
    let (style, mirrored) = (areas.style, app.options.mirrored);
    for (top, column) in [true, false]
        .into_iter()
        .flat_map(|top| (0..=BoardCell::LAST).map(move |column| (top, column)))
    {
        let spot = BoardCell { top, column }.spot(scene.bottom, mirrored);
        let whose = match editor.draft().unwanted(spot) {
            [false, false] => continue,
            [true, true] => "",
            [left, _] => sign(if left { Player::Left } else { Player::Right }),
        };
        let x = style.cell_column(column, mirrored);
        let row = match spot {
            // Checkers on the bar stand nearest to the middle.
            Spot::Bar(_) => style.half,
            Spot::Point(_) => 1 + (style.tall() - 1) / 2,
        };
        let y = if top {
            board.y + row
        } else {
            board.bottom() - 1 - row
        };
        let wide = usize::from(style.wide);
        let label = format!("{:^wide$}", format!("×{whose}"));
        let ground = paint.buffer[(board.x + x, y)].bg;
        let ink = paint
            .style(Role::Error)
            .bg(ground)
            .add_modifier(Modifier::BOLD);
        paint.put_styled(board.x + x, y, style.wide, &label, ink);
    }
}

/// The place at which checkers are put, marked at the edge of the board with the colour in hand.
fn cursor(
    paint: &mut Paint<'_>,
    board: Rect,
    areas: &Areas,
    app: &App,
    editor: &Editor,
    scene: &Scene,
) {
    let (style, mirrored) = (areas.style, app.options.mirrored);
    let BoardCell { top, column } = editor.cell;
    let x = style.cell_column(column, mirrored);
    let label = match editor.cell.spot(scene.bottom, mirrored) {
        Spot::Bar(_) => "bar".to_owned(),
        Spot::Point(point) => {
            let point = match scene.bottom {
                Player::Left => point,
                Player::Right => BAR - point,
            };
            let number = scene.number(point).to_string();
            let coloured = format!("{}{number}", sign(editor.hand));
            // What fills its columns would run into the number beside it.
            match text::width(&coloured) < usize::from(style.wide) {
                true => coloured,
                false => number,
            }
        }
    };
    mark(paint, board, areas, (top, x), &label);
}

/// The point that the arrow keys have reached in the quiz, whose player on roll is at the bottom.
fn quiz_cursor(paint: &mut Paint<'_>, board: Rect, areas: &Areas, app: &App, point: usize) {
    let (style, mirrored) = (areas.style, app.options.mirrored);
    let (at, label) = match point {
        BAR => ((true, style.bar_column(mirrored)), "bar".to_owned()),
        OFF => ((false, style.tray_column(mirrored)), "off".to_owned()),
        point => {
            let (top, place) = Scene::place(point, mirrored);
            ((top, style.column(place, mirrored)), point.to_string())
        }
    };
    mark(paint, board, areas, at, &label);
}

/// A label at the upper or lower edge of the board, in the colours of the numbers there, reversed: these can be read on
/// the frame in every theme, and so the label is seen on it.
fn mark(paint: &mut Paint<'_>, board: Rect, areas: &Areas, at: (bool, u16), label: &str) {
    let (top, x) = at;
    let edge = if top { board.y } else { board.bottom() - 1 };
    let wide = areas.style.wide.max(text::width(label) as u16);
    let label = format!("{label:^width$}", width = usize::from(wide));
    let style = paint
        .style(Role::Number)
        .remove_modifier(Modifier::DIM)
        .add_modifier(Modifier::REVERSED | Modifier::BOLD);
    paint.put_styled(board.x + x, edge, wide, &label, style);
}
