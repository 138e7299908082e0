//! The windows in which one line is typed.

use std::path::Path;

use ratatui::layout::Rect;
use tui_input::Input;

use super::window::Window;
use crate::game::{GameState, Player, Position, Roll};
use crate::match_file::variations::is_first_roll;
use crate::notation::{self, parse_play};
use crate::store::file::expand_home;
use crate::tui::documents::new_match::{CORRECT, GO_ON};
use crate::tui::documents::played_match::MatchPrompt;
use crate::tui::documents::transcript::can_transcribe;
use crate::tui::figures::{conditions, study_decisions};
use crate::tui::keys::{ActionId, KeyScope, find};
use crate::tui::state::{App, Effect, Openable};
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::update::analysis::{export, match_rollouts, plays};
use crate::tui::update::document;
use crate::tui::update::lines::{self, draft, new_match, transcript, variations};
use crate::tui::update::quizzes::quiz;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::prompt::{below, prompt, select};
use crate::tui::view::drawing::window::{rows, window};
use crate::tui::windows::exported::{Exported, PendingExport, Written};
use crate::tui::windows::overlay::{Overlay, Prompt};
use crate::words::counted;

pub(super) struct Line;

/// The window of an action that asks for a line.
pub(super) fn begun(app: &App, action: ActionId) -> Option<Overlay> {
    let (what, proposed) = match action {
        ActionId::Dice if app.is_transcribing() => return Some(Overlay::prompt(Prompt::Play)),
        ActionId::Dice => return Some(Overlay::prompt(Prompt::Dice)),
        ActionId::TypePlay => return Some(Overlay::prompt(Prompt::Play)),
        ActionId::Score => return Some(Overlay::prompt(Prompt::Score)),
        ActionId::RollMatch => (Prompt::TimeLimit, app.settings.review.budget.to_string()),
        ActionId::Export => (Prompt::Export(Exported::Match), export::match_file(app)),
        ActionId::Picture => (Prompt::Export(Exported::Picture), export::picture_file(app)),
        ActionId::AddToList => (Prompt::Export(Exported::List), export::list_file(app)),
        ActionId::Card => (Prompt::Export(Exported::Card), export::card_file(app)),
        ActionId::AnkiCards => (Prompt::Export(Exported::Anki), export::anki_file(app)),
        ActionId::MatchReport => (Prompt::Export(Exported::Report), export::report_file(app)),
        _ => return None,
    };
    Some(Overlay::proposal(what, proposed))
}

/// Whether there are cards to write, or says why there are none.
pub(super) fn has_cards(app: &mut App) -> bool {
    if !app.home().is_analysed() {
        app.say("the review is not done: cards are written once it is");
        return false;
    }
    let is_any = !study_decisions::card_decisions(app).is_empty();
    if !is_any {
        app.say_keys("no error to write at this threshold ({threshold} changes it)");
    }
    is_any
}

impl Window for Line {
    fn draw(&self, paint: &mut Paint<'_>, screen: Rect, app: &App) {
        let Some(Overlay::Prompt {
            what,
            input,
            is_proposed,
        }) = &app.overlay
        else {
            return;
        };
        let is_turn = *what == Prompt::Play && app.is_transcribing();
        let (screen, columns) = match is_turn {
            true => low(screen, app),
            false => (screen, screen.width),
        };
        let (width, title, side, lines) = question(app, *what, columns);
        let size = (width, lines.len() as u16 + 2);
        let area = window(paint, screen, size, &title, side);
        prompt(paint, area, ">", input);
        if *is_proposed {
            select(paint, area, input);
        }
        // The low window has no row between.
        let below = match is_turn && area.height < size.1 {
            true => rows(area, 1, area.height),
            false => below(area),
        };
        for (row, line) in (0u16..).zip(&lines) {
            paint.line(below, row, &[(line, Role::OverlayMuted)]);
        }
    }

    fn accept(&self, app: &mut App, window: &Overlay) -> bool {
        let Overlay::Prompt { what, input, .. } = window else {
            return true;
        };
        let typed = input.value();
        match *what {
            Prompt::Dice => set_dice(app, typed.trim()),
            Prompt::Play => take_play(app, typed),
            Prompt::Score => draft::score(app, typed),
            Prompt::TimeLimit => match_rollouts::accept(app, typed),
            Prompt::NewMatch { is_transcribed } => {
                go_on_with_match(app, is_transcribed, typed)
                    || new_match::accept(app, is_transcribed, typed)
            }
            Prompt::Export(what) => write(app, what, input),
        }
    }

    fn longest(&self, app: &App) -> usize {
        match app.overlay {
            Some(Overlay::Prompt { what, .. }) => what.longest(),
            _ => 0,
        }
    }
}

/// Where the next turn of a transcript is asked for, and how wide: the board stays in view.
fn low(screen: Rect, app: &App) -> (Rect, u16) {
    /// Rows above the last.
    const ROWS: u16 = 6;
    // Over the pane, where there is one: what that says is asked here.
    let pane = app.areas.chart;
    let low = Rect {
        y: screen.bottom().saturating_sub(ROWS + 1).max(screen.y),
        height: ROWS.min(screen.height),
        ..screen
    };
    match pane.height > ROWS && pane.width > 64 {
        true => (pane, pane.width - 4),
        false => (low, screen.width.saturating_sub(4).min(96)),
    }
}

/// Returns the width of the window, its title, what stands on the right of it, and the lines below what is typed.
fn question(app: &App, what: Prompt, columns: u16) -> (u16, String, &'static str, Vec<String>) {
    let one = |line: &str| vec![line.to_owned()];
    let (width, title, side, lines) = match what {
        Prompt::Dice => (
            50,
            "dice",
            "",
            one("such as 31; an empty line takes the dice off"),
        ),
        Prompt::Play if app.is_transcribing() => {
            let (title, lines) = next_turn(app);
            return (columns, title, "", lines.into());
        }
        Prompt::Play => (
            50,
            "your play",
            "",
            one("such as 8/5 6/5, 13/7*, bar/24 or 85 65"),
        ),
        Prompt::Score => {
            let how = [
                "2-4/7: bottom player 2, top player 4, to 7 points",
                "5a-3a: what each still needs; 7 begins a match, 0 is money",
            ];
            (60, "score and length", "", how.map(str::to_owned).into())
        }
        Prompt::TimeLimit => (66, "roll out the match", "", time_limit(app, columns)),
        Prompt::NewMatch { is_transcribed } => {
            let (title, how) = new_match_words(app, is_transcribed);
            (70, title, "Enter begins it", vec![how])
        }
        Prompt::Export(what) => {
            let (title, format, how) = export_words(app, what);
            (76, title, format, vec![how])
        }
    };
    (width, title.to_owned(), side, lines)
}

fn time_limit(app: &App, columns: u16) -> Vec<String> {
    let how = [
        "how long: seconds, or 5m, or 1h. Enter starts.",
        "",
        "The closest decisions are rolled out first, until the time is up, \
         in the background. Each result is shown as it comes, and kept.",
        "{pause} pauses, {stop} or {roll out the match} stops. \
         A rollout you start ({roll out}, {compare}) goes first.",
    ];
    let columns = usize::from(columns.min(70)).saturating_sub(4);
    let wrapped = |line: &str| match line {
        "" => vec![String::new()],
        _ => text::wrap(&app.keymap.named(line), columns, 4),
    };
    how.into_iter().flat_map(wrapped).collect()
}

fn new_match_words(app: &App, is_transcribed: bool) -> (&'static str, String) {
    let corrects = can_transcribe(&app.document.record).is_ok();
    let left = app.match_to_go_on().and_then(Path::file_name);
    let left = left.map(|name| text::clean(&name.to_string_lossy(), 24));
    let title = match is_transcribed {
        true => "a match to transcribe",
        false => "a match against the program",
    };
    let how = match (is_transcribed, left) {
        (false, Some(name)) => {
            return (
                title,
                format!("go on: with {name}; or such as 7, 7 12 tutor, money"),
            );
        }
        (false, None) => "such as 7, 7 12 tutor (its PR is 12, the tutor on), money jacoby",
        (true, _) if corrects && app.document.record.is_won() => {
            "correct: this one from here; or such as 7, money, 11 Anna, Ben"
        }
        (true, _) if corrects => {
            "correct: from here; go on: at the end; or such as 7, 11 Anna, Ben"
        }
        (true, _) => "such as 7, money or 11 Anna, Ben: the first roll's left die is Anna's",
    };
    (title, how.to_owned())
}

fn export_words(app: &App, what: Exported) -> (&'static str, &'static str, String) {
    let is_position = app.home().record.games.is_empty();
    let (title, format, how) = match what {
        Exported::Match => {
            let title = match (is_position, app.home().has_variations()) {
                (false, false) => "write the match",
                (false, true) => "write the match with its variations",
                // Without variations there is nothing to write of one.
                (true, _) => "write the position with its variations",
            };
            let format = match is_position {
                true => "SGF, JSON",
                false => "SGF, MAT, TXT, JSON",
            };
            return (title, format, kept_beside(app));
        }
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
    (title, format, how.to_owned())
}

/// The title and the lines of the window for the next turn of a transcript.
fn next_turn(app: &App) -> (String, [String; 2]) {
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
    (title, how)
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

/// Has the file of this name written; returns whether there is a name.
fn write(app: &mut App, what: Exported, name: &Input) -> bool {
    let typed = name.value().trim();
    if typed.is_empty() {
        app.warn("a name for the file is missing");
        return false;
    }
    let written = export::written(app, what);
    app.say(match &written {
        Written::Anki(cards) => format!("writing {} …", counted(cards.decisions.len(), "card")),
        _ => "writing …".to_owned(),
    });
    let number = app.generations.next_request();
    let path = expand_home(typed).into();
    app.effects.push(Effect::Export(number, written, path));
    // If it fails, what was typed can be put right.
    let state = app.turn().map(|turn| turn.before.state);
    app.unwritten.push(PendingExport {
        number,
        what,
        input: name.clone(),
        state,
        is_of_earlier: false,
    });
    true
}

/// Sets the dice of a variation; a position alone is opened again with them. Returns whether dice were typed.
fn set_dice(app: &mut App, typed: &str) -> bool {
    let Some(mut state) = app.turn().map(|t| t.before.state) else {
        return true;
    };
    let digits: Vec<u8> = typed
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| c.to_digit(10).map_or(0, |d| d as u8))
        .collect();
    state.roll = match digits[..] {
        [] => None,
        [a, b] if Roll::new(a, b).is_some() => Roll::new(a, b),
        _ => {
            app.warn("a roll is two digits from 1 to 6, such as 31");
            return false;
        }
    };
    if app.editor.is_some() {
        draft::dice(app, state.roll);
    } else if app.variation.is_some() || !app.document.record.games.is_empty() {
        variations::set_dice(app, state.roll);
    } else {
        let mut names = app.document.players().cloned();
        if state.doubled && state.roll.is_some() {
            // Who might have doubled rolls.
            state = GameState {
                roll: state.roll,
                ..state.roller()
            };
            names.iter_mut().for_each(|names| names.swap(0, 1));
        }
        let id = notation::xgid_text(&state);
        document::open_changed(app, Openable::position(id, names));
    }
    true
}

/// Answers the quiz with a typed play, or takes it as a line of a transcript. Elsewhere it is selected among the plays in
/// view, and in a variation or a game that is played it is made. Returns whether it was taken, or else says what is
/// wrong.
fn take_play(app: &mut App, typed: &str) -> bool {
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
            select_play(app, play.apply(&state.position));
            true
        }
        Err(error) => {
            app.warn(error.to_string());
            false
        }
    }
}

fn select_play(app: &mut App, result: Position) {
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

/// Goes on with the match that the window of a new one names as well, if that is what was typed.
fn go_on_with_match(app: &mut App, is_transcribed: bool, typed: &str) -> bool {
    match &*typed.trim().to_lowercase() {
        CORRECT if is_transcribed && can_transcribe(&app.document.record).is_ok() => {
            transcript::correct(app);
            true
        }
        GO_ON if is_transcribed => {
            let record = &app.document.record;
            let goes_on = can_transcribe(record).is_ok() && !record.is_won();
            if goes_on {
                transcript::begin(app);
            }
            goes_on
        }
        GO_ON if !is_transcribed => {
            let Some(path) = app.match_to_go_on().map(Path::to_owned) else {
                return false;
            };
            document::open_to_play_on(app, path);
            true
        }
        _ => false,
    }
}
