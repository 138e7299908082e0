//! Asks for a play, or for a line of a transcript.

use ratatui::layout::Rect;
use tui_input::Input;

use super::window::{Window, input};
use crate::game::{Player, Position};
use crate::match_file::variations::is_first_roll;
use crate::notation::parse_play;
use crate::tui::documents::played_match::MatchPrompt;
use crate::tui::figures::conditions;
use crate::tui::keys::{ActionId, KeyScope, find};
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::update::analysis::plays;
use crate::tui::update::lines::{self, transcript};
use crate::tui::update::quizzes::quiz;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::prompt::{below, prompt};
use crate::tui::view::drawing::window::{rows, window};
use crate::tui::windows::overlay::Overlay;

pub(super) struct Play;

impl Window for Play {
    fn draw(&self, paint: &mut Paint<'_>, screen: Rect, app: &App) {
        let Some(input) = input(app) else { return };
        if app.is_transcribing() {
            return line_of_transcript(paint, screen, app, input);
        }
        let area = window(paint, screen, (50, 3), "your play", "");
        prompt(paint, area, ">", input);
        let how = "such as 8/5 6/5, 13/7*, bar/24 or 85 65";
        paint.line(below(area), 0, &[(how, Role::OverlayMuted)]);
    }

    fn accept(&self, app: &mut App, window: &Overlay) -> bool {
        take(app, window.typed())
    }

    fn longest(&self) -> usize {
        60
    }
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

/// Answers the quiz with a typed play, or takes it as a line of a transcript. Elsewhere it is selected among the plays in
/// view, and in a variation or a game that is played it is made. Answers whether it was taken, or else says what is
/// wrong.
fn take(app: &mut App, typed: &str) -> bool {
    if app.quiz.is_some() {
        return quiz::typed(app, typed);
    }
    if app.is_transcribing() {
        return transcript::line(app, typed);
    }
    let state = app.turn().map(|turn| turn.before.state);
    let Some((state, roll)) = state.and_then(|state| Some((state, state.roll?))) else {
        return true;
    };
    match parse_play(typed, &state.position, roll) {
        Ok(play) => {
            select(app, play.apply(&state.position));
            true
        }
        Err(error) => {
            app.warn(error.to_string());
            false
        }
    }
}

fn select(app: &mut App, result: Position) {
    plays::show(app, result);
    if app.selection.play != Some(result) {
        return app.say("that play is legal, but is not among those that are listed");
    }
    let vary = find(ActionId::Vary, KeyScope::Match).filter(|_| app.variation.is_some());
    let Some(vary) = vary else { return };
    match conditions::check(app, vary) {
        Ok(()) => lines::act(app, ActionId::Vary),
        Err(why) => app.say(app.keymap.reason(vary, why)),
    }
}
