//! The pane of a match against the program: score, who is to decide, what was done last, and what the tutor says.

use ratatui::layout::Rect;

use crate::game::Player;
use crate::tui::documents::played_match::{MatchPrompt, PlayedMatch, YOU};
use crate::tui::documents::variation::action_words;
use crate::tui::figures::conditions;
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::view::board::disc;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::pane::title;
use crate::words::counted;

pub(crate) fn draw(
    paint: &mut Paint<'_>,
    area: Rect,
    app: &App,
    (played, person): (&PlayedMatch, Player),
) {
    if area.is_empty() {
        return;
    }
    let column = frame(paint, area, "against the program", played);
    let (sign, role) = disc(person);
    let you = match name(played, person) {
        name if name == YOU => " you".to_owned(),
        name => format!(" you play {name}"),
    };
    let other = name(played, person.other());
    let you = format!("{you}{}", strength(played, &other));
    let rows: [&[(&str, Role)]; 6] = [
        &[(&asked(app, played, &other), Role::Strong)],
        &[(&last_action(app, played, &other), Role::Text)],
        &[(&tutor(app, played), Role::Text)],
        &[(sign, role), (&you, Role::Muted)],
        // The score stands in the top line too.
        &[(&app.keymap.named(others(app)), Role::Muted)],
        &[(&score(played), Role::Muted)],
    ];
    for (row, words) in (0..).zip(rows) {
        paint.line(column, row, words);
    }
}

/// Draws the head of the pane, with the number of the game, and gives the column of its rows.
pub(super) fn frame(paint: &mut Paint<'_>, area: Rect, name: &str, played: &PlayedMatch) -> Rect {
    let number = played.record.games.last().map_or(1, |game| game.number);
    let inner = title(paint, area, name, &format!("game {number}"), false);
    Rect {
        x: inner.x + 1.min(inner.width),
        width: inner.width.saturating_sub(2),
        ..inner
    }
}

/// The other keys of what is asked.
fn others(app: &App) -> &'static str {
    match app.match_prompt() {
        Some(MatchPrompt::Over) => "{remove branch} takes back",
        Some(MatchPrompt::NextGame) => "{remove branch} takes back, {against the program} tutor",
        _ if conditions::offers_left_match(app) => {
            "{play} goes on with the match that was left, {against the program} tutor"
        }
        _ => {
            "{remove branch} takes back, {program} lets the program decide, {against the program} tutor"
        }
    }
}

/// Says what the person is asked, with its keys.
fn asked(app: &App, played: &PlayedMatch, other: &str) -> String {
    let named = |text: &str| app.keymap.named(text);
    match app.match_prompt() {
        None | Some(MatchPrompt::Wait) => "the program is at work …".to_owned(),
        Some(prompt) if !prompt.is_between_games() && !conditions::is_at_end(app) => {
            named("{next turn} leads to the end of the game, where it goes on")
        }
        Some(MatchPrompt::Double | MatchPrompt::Dice) => {
            named("{double} doubles, {random dice} rolls")
        }
        Some(MatchPrompt::Answer) => {
            // Braces in a name are no key.
            let keys = named(conditions::answers(app));
            format!("{other} doubles: {keys}")
        }
        Some(MatchPrompt::Play(roll)) => {
            let keys = named("{down} chooses a play, {what if} makes it");
            format!("{roll}: {keys}")
        }
        Some(MatchPrompt::NextGame | MatchPrompt::Over) => played.between_games(&app.keymap),
    }
}

/// Says what the program did last in this game.
fn last_action(app: &App, played: &PlayedMatch, other: &str) -> String {
    let Some(open) = &app.variation else {
        return String::new();
    };
    let mut nodes = open
        .line
        .iter()
        .rev()
        .filter_map(|id| played.tree.node(*id));
    let last = nodes.find(|node| !played.decides(node.before.player));
    match last {
        Some(node) => action_words(&played.record, &node.before, &node.action),
        None => format!("{other} has not played yet"),
    }
}

/// Says what the tutor says of the last decision.
fn tutor(app: &App, played: &PlayedMatch) -> String {
    if !played.has_tutor() {
        return "tutor: off".to_owned();
    }
    let last = played.last.as_ref();
    match last.and_then(|last| Some((&last.name, last.cost?))) {
        Some((name, ..0.0005)) => format!("tutor: {name}, no error"),
        Some((name, cost)) => format!("tutor: {name} cost {cost:.3}"),
        None => format!("tutor: warns from {:.3}", app.tutored_from()),
    }
}

/// Says how well the program plays, if not as well as it can.
fn strength(played: &PlayedMatch, other: &str) -> String {
    match played.rating {
        Some(rating) => format!(", {other} plays at a PR of about {rating}"),
        None => String::new(),
    }
}

/// The score, the person's points first.
pub(super) fn score(played: &PlayedMatch) -> String {
    let score = played.record.final_score();
    let first = played.first();
    let own = score[first.index()];
    let other = score[first.other().index()];
    let crawford = played.record.games.last().is_some_and(|game| game.crawford);
    match played.record.length {
        0 => format!("money, {own}–{other} so far"),
        n if crawford => format!("{own}–{other}, to {}, Crawford game", counted(n, "point")),
        n => format!("{own}–{other}, to {}", counted(n, "point")),
    }
}

fn name(played: &PlayedMatch, player: Player) -> String {
    text::cut(&played.record.players[player.index()], 24)
}
