//! The bottom line: a message, or the keys of where we are, and what the screen is too small for.

use ratatui::layout::Rect;

use crate::study::{Grade, question};
use crate::tui::figures::conditions;
use crate::tui::figures::rollout_list;
use crate::tui::keys::{ACTIONS, ActionEntry, ActionId, KeyScope, find, pretty};
use crate::tui::rollouts::inquiry::Inquiry;
use crate::tui::rollouts::jobs::JobState;
use crate::tui::screen::targets::Target;
use crate::tui::state::{App, Focus, MatchRolloutGoal, StatusLine};
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::windows::overlay::Overlay;
use crate::tui::windows::rating::RatingList;

/// Draws it into `area`; `hidden` is what the screen is too small for.
pub(crate) fn draw(paint: &mut Paint<'_>, area: Rect, hidden: &[&str], app: &App) {
    if area.is_empty() {
        return;
    }
    paint.fill(area, Role::Bar);
    let mut end = area.right();
    // What is said or asked, keys that may follow, and the keys of a window need the whole line.
    let is_free = app.status.is_none() && app.pending.is_empty();
    let is_plain = is_free && app.overlay.is_none() && app.quiz.is_none();
    // So does the way back from a pane alone.
    let is_plain = is_plain && (app.options.zoom.is_none() || app.editor.is_some());
    if !hidden.is_empty() && area.width >= 24 && is_plain {
        let hidden = hidden_words(area.width, hidden, app);
        let room = usize::from(area.width) - 10;
        let hidden = format!(" {} ", text::cut(&hidden, room));
        end = paint.line_right(area, 0, &[(&hidden, Role::Bar)]);
    }
    let area = Rect {
        width: end - area.x,
        ..area
    };
    if !app.pending.is_empty() {
        return draw_followers(paint, area, app);
    }
    if let Some(status) = &app.status {
        draw_message(paint, message_area(area), status);
        if !keeps_keys(area) {
            return;
        }
    }
    draw_keys(paint, area, app);
}

/// Whether the screen has so many rows that a message stands above the keys, not in their place.
fn keeps_keys(area: Rect) -> bool {
    area.y >= 29
}

/// The last row of a message over or in the bottom line.
fn message_area(area: Rect) -> Rect {
    Rect {
        y: area.y - u16::from(keeps_keys(area)),
        ..area
    }
}

/// Says what there is no room for, and the key that shows it where that is all that it takes.
fn hidden_words(columns: u16, hidden: &[&str], app: &App) -> String {
    let all = hidden.join(", ");
    let zoom = find(ActionId::Zoom, KeyScope::Match).map(|action| first_key(app, Some(action), ""));
    let needs_more = app.editor.is_some() || hidden.contains(&"board");
    match zoom.filter(|key| !key.is_empty() && !needs_more) {
        Some(key) if columns < 60 => format!("{key}: {all}"),
        None if columns < 60 => format!("no {all}"),
        Some(key) => format!("{key} shows {all}"),
        None => format!("too small for {all}"),
    }
}

/// Rows that a message may have.
const MESSAGE_ROWS: usize = 2;

/// What a message begins with.
fn sign_of(status: &StatusLine) -> &'static str {
    match status.is_warning {
        true => " ! ",
        false => " ",
    }
}

/// The lines of a message whose last one has this place.
fn message_lines(area: Rect, status: &StatusLine) -> Vec<String> {
    let room = usize::from(area.width).saturating_sub(text::width(sign_of(status)));
    let rows = MESSAGE_ROWS.min(usize::from(area.y) + 1);
    text::wrap(&status.text, room, rows)
}

/// Whether what is said takes the row above `area` too.
pub(crate) fn is_said_above(area: Rect, app: &App) -> bool {
    let status = app.status.as_ref();
    status.is_some_and(|status| keeps_keys(area) || message_lines(area, status).len() > 1)
}

/// A message: what does not fit into the bottom line has the row above as well.
fn draw_message(paint: &mut Paint<'_>, area: Rect, status: &StatusLine) {
    let role = match status.is_warning {
        true => Role::Warning,
        false => Role::Message,
    };
    let sign = sign_of(status);
    let lines = message_lines(area, status);
    let top = area.y.saturating_sub(lines.len().saturating_sub(1) as u16);
    for (y, line) in (top..).zip(&lines) {
        let row = Rect { y, ..area };
        paint.fill(row, Role::Bar);
        paint.target(row, Target::Cover);
        let margin = " ".repeat(text::width(sign));
        let sign = if y == top { sign } else { &*margin };
        paint.line(row, 0, &[(sign, role), (line, role)]);
    }
}

/// The keys that may follow those typed: in as many rows above the bottom as they need.
fn draw_followers(paint: &mut Paint<'_>, area: Rect, app: &App) {
    const GAP: u16 = 3;
    let typed: String = app.pending.iter().map(ToString::to_string).collect();
    let start = area.x + text::width(&typed) as u16 + 3;
    let followers = app.keymap.followers(app.scope(), &app.pending);
    let wide = |key: &str, name: &str| GAP + (text::width(key) + 1 + text::width(name)) as u16;
    // The place of each: its row, and its column.
    let (mut x, mut row) = (start, 0);
    let mut places = Vec::with_capacity(followers.len());
    for (key, action) in &followers {
        let wide = wide(key, action.name);
        if x + wide > area.right() && x > start {
            (x, row) = (start, row + 1);
        }
        places.push((x, row));
        x += wide;
    }
    let top = area.y.saturating_sub(row);
    let menu = Rect {
        y: top,
        height: area.bottom() - top,
        ..area
    };
    paint.fill(menu, Role::Bar);
    paint.target(menu, Target::Cover);
    let head = [(" ", Role::Bar), (&*typed, Role::BarKey), (" …", Role::Bar)];
    paint.line(Rect::new(area.x, top, area.width, 1), 0, &head);
    for ((key, action), (x, row)) in followers.iter().zip(places) {
        let x = (x + GAP).min(area.right());
        let line = Rect::new(x, top + row, area.right() - x, 1);
        let words = [
            (&**key, Role::BarKey),
            (" ", Role::Bar),
            (action.name, Role::Bar),
        ];
        let end = paint.line(line, 0, &words);
        let word = Rect::new(x, line.y, end.saturating_sub(x), 1);
        paint.target(word, Target::Action(action.id));
    }
}

/// The keys of an action in the bottom line.
fn keys_of(app: &App, action: &ActionEntry) -> String {
    let parts = parts_of(app, action);
    parts.into_iter().map(|(_, key)| key).collect()
}

/// The keys of an action for the bottom line, each with its action: both directions together.
fn parts_of(app: &App, action: &ActionEntry) -> Vec<(ActionId, String)> {
    let both = match action.id {
        ActionId::PreviousTurn => [(action.id, "left"), (ActionId::NextTurn, "right")],
        ActionId::Up => [(action.id, "up"), (ActionId::Down, "down")],
        ActionId::More => [(ActionId::Less, "left"), (action.id, "right")],
        ActionId::Count => return vec![(action.id, "0–9".to_owned())],
        ActionId::Choice => {
            let digits = match app.scope() {
                KeyScope::Plan => app.plan.references().len(),
                _ if is_answered(app) => Grade::ALL.len(),
                _ => choices(app),
            };
            let range = match digits {
                0 | 1 => "1".to_owned(),
                more => format!("1–{more}"),
            };
            return vec![(action.id, range)];
        }
        _ => return vec![(action.id, first_key(app, Some(action), ""))],
    };
    let key = |(id, arrow)| (id, first_key(app, find(id, action.scope), arrow));
    both.map(key).to_vec()
}

/// The arrow, if it is one of an action's keys, or else the first of them.
fn first_key(app: &App, action: Option<&ActionEntry>, arrow: &str) -> String {
    let keys = action.map_or_else(Vec::new, |action| app.keymap.of(action));
    let arrow = keys.iter().find(|key| **key == arrow);
    arrow
        .or(keys.first())
        .map_or_else(String::new, |key| pretty(key))
}

/// Number of answers to the question in view; the most that there are until that is known.
fn choices(app: &App) -> usize {
    let quiz = app.quiz.as_ref();
    let asked = quiz.and_then(|quiz| quiz.open.question.as_ref());
    asked.map_or(question::MOST_CHOICES, |asked| asked.choices.len())
}

/// Whether the question in view is answered.
fn is_answered(app: &App) -> bool {
    let quiz = app.quiz.as_ref();
    quiz.is_some_and(|quiz| quiz.open.given.is_some() && !quiz.is_over)
}

/// Whether all has been asked.
fn is_over(app: &App) -> bool {
    app.quiz.as_ref().is_some_and(|quiz| quiz.is_over)
}

/// The word for an action in the bottom line: what the key would do now.
fn hint_of(action: &ActionEntry, app: &App) -> &'static str {
    let rollout = app.jobs.current().map(|job| job.state == JobState::Paused);
    let paused = rollout.or(app
        .match_rollouts
        .as_ref()
        .map(|rollouts| rollouts.is_paused));
    match (action.id, action.scope) {
        (ActionId::Pause, KeyScope::Match) if paused == Some(true) => "go on",
        (ActionId::RollMatch, KeyScope::Match) if rolls_close(app) => "stop match",
        (ActionId::RollOut, KeyScope::Errors) if rolls_errors(app) => "stop",
        (ActionId::BothPlays, KeyScope::Matrix) if shows_made(app) => "best",
        (ActionId::Choice, _) if is_answered(app) => "grade",
        (ActionId::Accept, KeyScope::Quiz) if is_over(app) => "leave",
        (ActionId::Accept, KeyScope::Quiz) if is_answered(app) => "next",
        (ActionId::Accept, KeyScope::List) => accept_hint(app),
        (ActionId::Accept, KeyScope::Prompt) if is_of_keys(app) => "run",
        (ActionId::Complete, KeyScope::Prompt) if is_of_keys(app) => "more",
        (ActionId::Accept, KeyScope::Rating) if app.rating.list != RatingList::Matches => "library",
        (ActionId::Accept, KeyScope::Rollouts) if leads_to_place(app) => "go there",
        (ActionId::Stop, KeyScope::Rollouts) if selects_waiting(app) => "take out",
        (ActionId::Before, _) if app.before.is_some() => "roll",
        (ActionId::Back, _) if brings_panes_back(action.id, app) => "all panes",
        (ActionId::Vary, _) if app.variation.is_some() => "make",
        (ActionId::RollDice, _) if app.is_between_games() => "go on",
        (ActionId::Up, KeyScope::Match) if app.focus == Focus::Moves => "moves",
        _ => action.hint,
    }
}

/// Whether the close decisions of the match are being rolled out.
fn rolls_close(app: &App) -> bool {
    let goal = app.match_rollouts.as_ref().map(|rollouts| rollouts.goal);
    goal == Some(MatchRolloutGoal::Close)
}

/// Whether the errors listed are being rolled out.
fn rolls_errors(app: &App) -> bool {
    let goal = app.match_rollouts.as_ref().map(|rollouts| rollouts.goal);
    matches!(goal, Some(MatchRolloutGoal::Errors(_)))
}

/// Whether the window of other scores has the cost of what was made.
fn shows_made(app: &App) -> bool {
    let shown = match app.overlay {
        Some(Overlay::Matrix {
            inquiry: Inquiry::Matrix { reference, .. },
            ..
        }) => reference,
        _ => None,
    };
    shown.is_some() && shown == app.made_choice()
}

/// Whether the selected rollout is of a decision of what is in view.
fn leads_to_place(app: &App) -> bool {
    let row = rollout_list::selected(app);
    row.is_some_and(|row| rollout_list::goal(app, &row).is_some())
}

/// Whether the selected rollout waits.
fn selects_waiting(app: &App) -> bool {
    rollout_list::selected_job(app).is_some_and(|job| job.state == JobState::Queued)
}

fn is_of_keys(app: &App) -> bool {
    matches!(app.overlay, Some(Overlay::Help { .. }))
}

/// What Enter does in a list, in a word: none where there is only something to read.
fn accept_hint(app: &App) -> &'static str {
    match app.overlay {
        Some(Overlay::Bias { .. }) => "",
        Some(Overlay::List { of, .. }) => match of {
            ActionId::Figures | ActionId::Legend => "",
            ActionId::Imported | ActionId::Themes => "choose",
            _ => "go there",
        },
        _ => "choose",
    }
}

/// Whether an action can be done; of the two directions that share a hint, whether one can.
fn is_useful(action: &ActionEntry, app: &App) -> bool {
    let next = || {
        find(ActionId::NextTurn, KeyScope::Match).is_some_and(|a| conditions::check(app, a).is_ok())
    };
    conditions::check(app, action).is_ok() || (action.id == ActionId::PreviousTurn && next())
}

/// Whether an action has its place in the bottom line.
fn is_named(id: ActionId, app: &App) -> bool {
    if let Some(Overlay::Help { place, .. }) = app.overlay {
        // Of a window the keys alone are shown: figures and signs are the screen's.
        return id != ActionId::Complete || place == app.screen_scope();
    }
    if needs_row(id, app) && is_empty_list(app) {
        return false;
    }
    if id == ActionId::Back {
        return app.variation.is_some() || brings_panes_back(id, app);
    }
    if let Some(editor) = app.editor.as_ref().filter(|_| id == ActionId::Accept) {
        return editor.draft().state().is_ok();
    }
    if let Some(hand) = app.hand() {
        return !is_of_variations(id) || hand.asks_for(id);
    }
    if let Some(prompt) = app.match_prompt() {
        return !is_of_variations(id) && id != ActionId::Before || prompt.is_answered_by(id);
    }
    if id == ActionId::Vary && app.variation.is_some() {
        // Without dice there is no play that it could make.
        return app
            .turn()
            .is_some_and(|turn| turn.before.state.roll.is_some());
    }
    let alone = id == ActionId::Dice && app.document.record.games.is_empty();
    app.variation.is_some() || id == ActionId::Vary || alone || !is_of_variations(id)
}

/// Whether an action in a window is about a row of its list.
fn needs_row(id: ActionId, app: &App) -> bool {
    use ActionId::{Accept, Choice, Complete, Down, Myself, OpponentRating, RemoveMatch, Up};
    let is_of_row = matches!(
        id,
        Accept | Choice | Down | Myself | OpponentRating | RemoveMatch | Up
    );
    is_of_row || id == Complete && app.scope() == KeyScope::Plan
}

/// Whether the window in view has a list without rows.
fn is_empty_list(app: &App) -> bool {
    match &app.overlay {
        Some(Overlay::Library) => app.library.rows() == 0,
        Some(Overlay::Plan) => app.plan.rows().is_empty(),
        Some(Overlay::Rating) => app.rating.rows() == 0,
        Some(Overlay::KeptList { .. }) => rollout_list::rows(app).is_empty(),
        Some(Overlay::Statistics { found, .. }) => found.lines.is_empty(),
        _ => false,
    }
}

/// Whether an action is named in the bottom line while a variation is in view.
fn is_of_variations(id: ActionId) -> bool {
    matches!(
        id,
        ActionId::Vary
            | ActionId::RollDice
            | ActionId::Dice
            | ActionId::Double
            | ActionId::Take
            | ActionId::Pass
            | ActionId::Beaver
            | ActionId::Program
    )
}

/// The actions that have their place in the bottom line, and those at its end: the way out, and to all other
/// keys.
fn named(app: &App) -> (Vec<&'static ActionEntry>, Vec<&'static ActionEntry>) {
    let scope = app.scope();
    let (mut first, last): (Vec<_>, Vec<_>) = ACTIONS
        .iter()
        .filter(|a| a.scope == scope && !a.hint.is_empty() && is_useful(a, app))
        .filter(|a| !hint_of(a, app).is_empty())
        .filter(|a| !app.keymap.of(a).is_empty())
        .filter(|a| is_named(a.id, app))
        .partition(|a| !is_way_out(a.id) || brings_panes_back(a.id, app));
    // Of a position alone a note is written less often than another one is opened.
    let is_alone = app.document.record.games.is_empty();
    let is_last = |a: &ActionEntry| is_alone && a.id == ActionId::Note;
    let opens_draft = |a: &ActionEntry| a.id == ActionId::Accept && scope == KeyScope::Editor;
    first.sort_by_key(|a| {
        let is_first = brings_panes_back(a.id, app) || opens_draft(a);
        (!is_first, is_last(a))
    });
    (first, last)
}

/// Whether an action leads out of where we are, or to all other keys.
fn is_way_out(id: ActionId) -> bool {
    use ActionId::{Back, Close, Help, Quit};
    matches!(id, Back | Help | Quit | Close)
}

/// Whether an action leads from a pane that has the screen alone to all of them. The line begins with it:
/// nothing else on the screen says that there are others.
fn brings_panes_back(id: ActionId, app: &App) -> bool {
    id == ActionId::Back && app.options.zoom.is_some()
}

/// Whether an action is needed at once, as it holds or ends the work under way.
fn is_urgent(id: ActionId, app: &App) -> bool {
    let stops_errors = id == ActionId::RollOut && app.scope() == KeyScope::Errors;
    let works = matches!(id, ActionId::Pause | ActionId::Stop)
        || stops_errors && app.match_rollouts.is_some();
    let opens_draft = id == ActionId::Accept && app.scope() == KeyScope::Editor;
    works
        || opens_draft
        || brings_panes_back(id, app)
        || (app.variation.is_some() && is_of_variations(id))
}

/// Columns of a key and what it does.
fn wide(key: &str, hint: &str) -> u16 {
    (text::width(key) + text::width(hint) + 4) as u16
}

/// Columns of the keys that always have their place.
pub(crate) fn least_width(app: &App) -> u16 {
    let (first, last) = named(app);
    let urgent = first.into_iter().filter(|a| is_urgent(a.id, app));
    let all = urgent.chain(last);
    all.map(|a| wide(&keys_of(app, a), hint_of(a, app))).sum()
}

fn draw_keys(paint: &mut Paint<'_>, area: Rect, app: &App) {
    let mut shown: Vec<(&ActionEntry, &str)> = Vec::new();
    let (first, last) = named(app);
    let mut used: u16 = last.iter().map(|a| wide(&keys_of(app, a), a.hint)).sum();
    // The places stay those of the table.
    let (urgent, others): (Vec<usize>, Vec<usize>) =
        (0..first.len()).partition(|&i| is_urgent(first[i].id, app));
    let mut fits = vec![false; first.len()];
    for i in urgent.into_iter().chain(others) {
        let w = wide(&keys_of(app, first[i]), hint_of(first[i], app));
        if used + w <= area.width {
            used += w;
            fits[i] = true;
        }
    }
    for (action, _) in first.iter().zip(fits).filter(|(_, fits)| *fits) {
        shown.push((*action, hint_of(action, app)));
    }
    shown.extend(last.iter().map(|a| (*a, a.hint)));
    let mut x = area.x;
    for (action, hint) in shown {
        let parts = parts_of(app, action);
        let keys: String = parts.iter().map(|part| part.1.as_str()).collect();
        let rest = Rect::new(x, area.y, area.right().saturating_sub(x), 1);
        if wide(&keys, hint) > rest.width + 2 {
            break;
        }
        let mut at = x + 1;
        x = paint.line(
            rest,
            0,
            &[
                (" ", Role::Bar),
                (&keys, Role::BarKey),
                (" ", Role::Bar),
                (hint, Role::Bar),
                ("  ", Role::Bar),
            ],
        );
        for (i, (id, key)) in parts.iter().enumerate() {
            // The word belongs to the last of the keys.
            let end = match i + 1 == parts.len() {
                true => x,
                false => at + text::width(key) as u16,
            };
            let part = Rect::new(at, area.y, end.saturating_sub(at), 1);
            paint.target(part, Target::Action(*id));
            at = end;
        }
    }
}
