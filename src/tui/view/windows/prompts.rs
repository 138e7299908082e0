//! Windows with a line to type in: a file or position, dice, time for a match, a new match, a note.

use std::path::Path;

use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use tui_input::Input;

use crate::game::Player;
use crate::match_file::variations::is_first_roll;
use crate::tui::documents::played_match::MatchPrompt;
use crate::tui::documents::transcript::can_transcribe;
use crate::tui::figures::conditions;
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::window::{description, list, rows, window};
use crate::tui::windows::exported::Exported;
use crate::tui::windows::overlay::first_row;
use crate::tui::windows::path_prompt::PathPrompt;

/// A path or an ID, with the files that complete it.
pub(crate) fn open(paint: &mut Paint<'_>, screen: Rect, typed: &PathPrompt) {
    let name = "open a file, a folder (into the library) or a position";
    let area = window(paint, screen, (76, 16), name, "");
    prompt(paint, area, ">", &typed.input);
    let found = typed.found();
    // The folder stands in the line; long ones would leave the names no room.
    let folder = typed.input.value().rfind(std::path::is_separator);
    let folder = folder.map_or(0, |i| i + 1);
    let at = typed.row.unwrap_or(usize::MAX);
    list(
        paint,
        below(area),
        at,
        found.len(),
        &mut |paint, line, i| {
            let name = found[i].get(folder..).unwrap_or(&found[i]);
            paint.put(line.x, line.y, line.width, name, Role::Overlay);
        },
    );
}

pub(crate) fn dice(paint: &mut Paint<'_>, screen: Rect, input: &Input) {
    let area = window(paint, screen, (50, 3), "dice", "");
    prompt(paint, area, ">", input);
    let how = "such as 31; an empty line takes the dice off";
    paint.line(below(area), 0, &[(how, Role::OverlayMuted)]);
}

/// A play, or a line of a transcript.
pub(crate) fn play(paint: &mut Paint<'_>, screen: Rect, app: &App, input: &Input) {
    if app.is_transcribing() {
        return line_of_transcript(paint, screen, app, input);
    }
    let area = window(paint, screen, (50, 3), "your play", "");
    prompt(paint, area, ">", input);
    let how = "such as 8/5 6/5, 13/7*, bar/24 or 85 65";
    paint.line(below(area), 0, &[(how, Role::OverlayMuted)]);
}

/// Rows above the last that the next turn of a transcript is asked in: the board stays in view.
const LOW_ROWS: u16 = 6;

/// Asks for the next turn of a transcript.
fn line_of_transcript(paint: &mut Paint<'_>, screen: Rect, app: &App, input: &Input) {
    let names = &app.document.record.players;
    let name = |player: Player| text::cut(&names[player.index()], 18);
    let before = app.varied_decision();
    let is_first = before.as_ref().is_some_and(is_first_roll);
    let [left, right] = [Player::Left, Player::Right].map(name);
    let title = match before {
        Some(_) if is_first => format!("first roll: the die of {left} first"),
        Some(before) => name(before.player),
        None => "transcript".to_owned(),
    };
    // Over the pane, where there is one: what that says is asked here.
    let pane = app.areas.chart;
    let low = Rect {
        y: screen.bottom().saturating_sub(LOW_ROWS + 1).max(screen.y),
        height: LOW_ROWS.min(screen.height),
        ..screen
    };
    let (low, width) = match pane.height > LOW_ROWS && pane.width > 64 {
        true => (pane, pane.width - 4),
        false => (low, screen.width.saturating_sub(4).min(96)),
    };
    let area = window(paint, low, (width, 4), &title, "");
    prompt(paint, area, ">", input);
    let answers = || conditions::can_beaver(app).is_ok();
    let how = match app.match_prompt() {
        Some(MatchPrompt::Answer) if answers() => {
            ["take, pass or beaver".to_owned(), String::new()]
        }
        Some(MatchPrompt::Answer) => ["take or pass".to_owned(), String::new()],
        Some(MatchPrompt::Play(_)) => [
            "the play, such as 8/5 6/5, or other dice".to_owned(),
            "resigns (gammon, backgammon), wins (the other resigns)".to_owned(),
        ],
        _ if is_first => [
            format!("31: {left} begins, 13: {right} begins"),
            "or with the play behind it, 31: 8/5 6/5".to_owned(),
        ],
        _ => {
            let double = match conditions::may_double_here(app) {
                true => "double, ",
                false => "",
            };
            [
                "31: 8/5 6/5, or 31 and choose the play on the board".to_owned(),
                format!("{double}resigns (gammon), wins (the other resigns)"),
            ]
        }
    };
    // The low window has no row between.
    let below = match area.height < 4 {
        true => rows(area, 1, area.height),
        false => below(area),
    };
    for (row, line) in (0u16..).zip(&how) {
        paint.line(below, row, &[(line, Role::OverlayMuted)]);
    }
}

/// Score and length of a draft.
pub(crate) fn score(paint: &mut Paint<'_>, screen: Rect, input: &Input) {
    let area = window(paint, screen, (60, 4), "score and length", "");
    prompt(paint, area, ">", input);
    let how = [
        "2-4/7: bottom player 2, top player 4, to 7 points",
        "5a-3a: what each still needs; 7 begins a match, 0 is money",
    ];
    for (row, line) in (0u16..).zip(how) {
        paint.line(below(area), row, &[(line, Role::OverlayMuted)]);
    }
}

/// Draws the window that asks where something is written.
pub(crate) fn export(
    paint: &mut Paint<'_>,
    screen: Rect,
    app: &App,
    what: Exported,
    input: &Input,
    is_proposed: bool,
) {
    let beside = kept_beside(app);
    let varies = app.home().has_variations();
    let is_position = app.home().record.games.is_empty();
    let (title, format, how) = match what {
        Exported::Match => (
            match (is_position, varies) {
                (false, false) => "write the match",
                (false, true) => "write the match with its variations",
                // Without variations there is nothing to write of one.
                (true, _) => "write the position with its variations",
            },
            match is_position {
                true => "SGF, JSON",
                false => "SGF, MAT, TXT, JSON",
            },
            beside.as_str(),
        ),
        Exported::Picture => (
            "write a picture of the position",
            "SVG, PNG",
            "a file that is not there yet; .svg or .png says what it will be",
        ),
        Exported::Card => (
            "write a card of the position",
            "HTML",
            "a file that is not there yet; a page with board and analysis, without links",
        ),
        Exported::List => (
            "add the position to a list",
            "TXT",
            "a list that is there, or a new one: an XGID a line, with your note",
        ),
        Exported::Anki => (
            "write cards for Anki",
            "APKG",
            "a file that is not there yet; Anki reads it with File, Import",
        ),
        Exported::Report => (
            "write the review of the match",
            "HTML",
            "a file that is not there yet; a page that needs nothing else",
        ),
    };
    let area = window(paint, screen, (76, 3), title, format);
    prompt(paint, area, ">", input);
    if is_proposed {
        select(paint, area, input);
    }
    paint.line(below(area), 0, &[(how, Role::OverlayMuted)]);
}

/// Says what of the match that is written only some formats hold, in a line for narrow screens.
fn kept_beside(app: &App) -> String {
    let home = app.home();
    let kept = match (home.has_variations(), !home.notes.is_empty()) {
        (true, true) => "variations and notes",
        (true, false) => "variations",
        (false, true) => "notes",
        (false, false) => return "a file that is not there yet".to_owned(),
    };
    format!("a new file; .sgf and .json hold {kept}")
}

/// Draws the window that asks how long the match is rolled out.
pub(crate) fn time_limit(
    paint: &mut Paint<'_>,
    screen: Rect,
    app: &App,
    input: &Input,
    is_proposed: bool,
) {
    let how = [
        "how long: seconds, or 5m, or 1h. Enter starts.",
        "",
        "The closest decisions are rolled out first, until the time is up, \
         in the background. Each result is shown as it comes, and kept.",
        "{pause} pauses, {stop} or {roll out the match} stops. \
         A rollout you start ({roll out}, {compare}) goes first.",
    ];
    let columns = usize::from(screen.width.min(70)).saturating_sub(4);
    let wrapped = |line: &str| match line {
        "" => vec![String::new()],
        _ => text::wrap(&app.keymap.named(line), columns, 4),
    };
    let lines: Vec<String> = how.into_iter().flat_map(wrapped).collect();
    let size = (66, lines.len() as u16 + 2);
    let area = window(paint, screen, size, "roll out the match", "");
    prompt(paint, area, ">", input);
    if is_proposed {
        select(paint, area, input);
    }
    for (row, line) in (0u16..).zip(&lines) {
        paint.line(below(area), row, &[(line, Role::OverlayMuted)]);
    }
}

/// Draws the window that asks what a new match is played or transcribed by.
pub(crate) fn new_match(
    paint: &mut Paint<'_>,
    screen: Rect,
    app: &App,
    is_transcribed: bool,
    (input, is_proposed): (&Input, bool),
) {
    let corrects = can_transcribe(&app.document.record).is_ok();
    let left = app.match_to_go_on().and_then(Path::file_name);
    let left = left.map(|name| text::clean(&name.to_string_lossy(), 24));
    let left = left.map(|name| format!("go on: with {name}; or such as 7, 7 12 tutor, money"));
    let (title, how) = match is_transcribed {
        false if left.is_some() => (
            "a match against the program",
            left.as_deref().unwrap_or_default(),
        ),
        false => (
            "a match against the program",
            "such as 7, 7 12 tutor (its PR is 12, the tutor on), money jacoby",
        ),
        true if corrects && app.document.record.is_won() => (
            "a match to transcribe",
            "correct: this one from here; or such as 7, money, 11 Anna, Ben",
        ),
        true if corrects => (
            "a match to transcribe",
            "correct: from here; go on: at the end; or such as 7, 11 Anna, Ben",
        ),
        true => (
            "a match to transcribe",
            "such as 7, money or 11 Anna, Ben: the first roll's left die is Anna's",
        ),
    };
    let area = window(paint, screen, (70, 3), title, "Enter begins it");
    prompt(paint, area, ">", input);
    if is_proposed {
        select(paint, area, input);
    }
    paint.line(below(area), 0, &[(how, Role::OverlayMuted)]);
}

/// Columns of a note being typed, on a screen of so many.
pub(crate) fn note_columns(screen: u16) -> usize {
    usize::from(screen.min(80)).saturating_sub(6).max(2)
}

/// A note being typed, in as many lines as it takes and there is room for.
/// Below it stands what the file remarks, which is none of it.
pub(crate) fn note(
    paint: &mut Paint<'_>,
    screen: Rect,
    name: &str,
    remark: Option<&str>,
    input: &Input,
) {
    /// Most lines of a remark.
    const MOST: usize = 40;
    let columns = note_columns(screen.width);
    let lines = text::folded(input.value(), columns);
    let remark = remark.map(|remark| format!("in the file: {remark}"));
    let remark = remark.unwrap_or_default();
    let below = match text::wrap(&remark, columns + 2, MOST).len() as u16 {
        0 => 0,
        below => below + 1,
    };
    let typed = (lines.len() as u16).clamp(3, 12);
    let size = (76, typed + below);
    let side = "an empty one is removed";
    let mut area = window(paint, screen, size, name, side);
    // Where the screen is low, what is typed has the room.
    let below = below.min(area.height.saturating_sub(typed));
    if below > 1 {
        area = description(paint, area, &remark, below - 1);
    }
    paint.fill(area, Role::Input);
    let at = text::line_of(&lines, input.cursor());
    let first = first_row(at, usize::from(area.height), lines.len());
    for (row, line) in (0..area.height).zip(&lines[first..]) {
        let chars = input.value().chars().skip(line.start);
        let part: String = chars.take(line.len()).collect();
        paint.line(area, row, &[("  ", Role::Input), (&part, Role::Input)]);
        if first + usize::from(row) == at {
            let before: String = part.chars().take(input.cursor() - line.start).collect();
            let x = area.x + 2 + text::width(&before) as u16;
            cursor(paint, Rect::new(x, area.y + row, 1, 1).intersection(area));
        }
    }
    paint.put(area.x, area.y, 1, "¶", Role::Input);
    let goes_on = match (first > 0, first + usize::from(area.height) < lines.len()) {
        (true, true) => " goes on above and below ",
        (true, false) => " goes on above ",
        (false, true) => " goes on below ",
        (false, false) => "",
    };
    let foot = Rect::new(area.x, area.bottom(), area.width, 1);
    paint.line_right(foot, 0, &[(goes_on, Role::OverlayMuted)]);
}

/// The line being typed, in the first row of `area`.
pub(crate) fn prompt(paint: &mut Paint<'_>, area: Rect, sign: &str, input: &Input) {
    let line = Rect {
        height: 1.min(area.height),
        ..area
    };
    paint.fill(line, Role::Input);
    let room = usize::from(line.width).saturating_sub(3);
    let scroll = input.visual_scroll(room.max(1));
    // The line scrolls by columns; what is cut on the left is whole characters.
    let mut skipped = 0;
    let is_cut = |c: &char| {
        let skip = skipped < scroll;
        skipped += text::width(&c.to_string());
        skip
    };
    let visible: String = input.value().chars().skip_while(is_cut).collect();
    let words = [sign, " ", &visible].map(|word| (word, Role::Input));
    paint.line(line, 0, &words);
    let at = input.visual_cursor().saturating_sub(scroll) as u16;
    cursor(
        paint,
        Rect::new(line.x + 2 + at, line.y, 1, 1).intersection(line),
    );
}

/// Shows that what is typed next takes the place of the line: it stands reversed, up to the cursor.
fn select(paint: &mut Paint<'_>, area: Rect, input: &Input) {
    let wide = text::width(input.value()) as u16;
    cursor(
        paint,
        Rect::new(area.x + 2, area.y, wide, 1).intersection(area),
    );
}

fn cursor(paint: &mut Paint<'_>, cell: Rect) {
    let style = Style::new().add_modifier(Modifier::REVERSED);
    paint.buffer.set_style(cell, style);
}

/// The part of a window below its line to type in.
pub(crate) fn below(area: Rect) -> Rect {
    Rect {
        y: area.y + 2.min(area.height),
        height: area.height.saturating_sub(2),
        ..area
    }
}
