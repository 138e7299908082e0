//! The pane of a match that is transcribed: whose turn it is, what was written last, the score, and its file.

use ratatui::layout::Rect;

use super::played_match::{frame, score};
use crate::tui::documents::played_match::{MatchPrompt, PlayedMatch};
use crate::tui::documents::variation::action_words;
use crate::tui::figures::conditions;
use crate::tui::keys::{ActionId, KeyScope, find};
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::view::board::disc;
use crate::tui::view::drawing::paint::Paint;

pub(crate) fn draw(paint: &mut Paint<'_>, area: Rect, app: &App, played: &PlayedMatch) {
    if area.is_empty() {
        return;
    }
    let column = frame(paint, area, "transcript", played);
    let before = app.varied_decision();
    let player = before.map_or(played.first(), |before| before.player);
    let (sign, role) = disc(player);
    let name = text::cut(&played.record.players[player.index()], 24);
    let rows: [&[(&str, Role)]; 6] = [
        &[(&asked(app, played), Role::Strong)],
        &[(sign, role), (&format!(" {name}"), Role::Text)],
        &[(&last_action(app, played), Role::Text)],
        // The score stands in the top line too.
        &[(&other_keys(app), Role::Muted)],
        &[(&score(played), Role::Muted)],
        &[(&file(played), Role::Muted)],
    ];
    for (row, words) in (0..).zip(rows) {
        paint.line(column, row, words);
    }
}

/// The keys besides those of the next turn, as far as they do something now.
fn other_keys(app: &App) -> String {
    let words = [
        (ActionId::RemoveBranch, "{remove branch} takes back"),
        (ActionId::RestoreBranch, "{restore branch} brings back"),
        (ActionId::Resign, "{resign} resigns"),
    ];
    let is_possible = |id| {
        let action = find(id, KeyScope::Match);
        action.is_some_and(|action| conditions::check(app, action).is_ok())
    };
    let words = words.iter().filter(|(id, _)| is_possible(*id));
    let words: Vec<&str> = words.map(|(_, words)| *words).collect();
    app.keymap.named(&words.join(", "))
}

/// Says what comes next, with its keys.
fn asked(app: &App, played: &PlayedMatch) -> String {
    let named = |text: &str| app.keymap.named(text);
    match app.match_prompt() {
        Some(prompt) if !prompt.is_between_games() && !conditions::is_at_end(app) => {
            named("{next turn} leads to the end of the game, where it goes on")
        }
        Some(MatchPrompt::Answer) => named(conditions::answers(app)),
        Some(MatchPrompt::Play(roll)) => {
            let keys = named("{down} chooses the play, {what if} makes it; {dice} types it");
            format!("{roll}: {keys}")
        }
        Some(MatchPrompt::NextGame | MatchPrompt::Over) => played.between_games(&app.keymap),
        _ => named(conditions::dice_or_double(app)),
    }
}

/// Says what was written down last in this game, or why the game is not in the file.
fn last_action(app: &App, played: &PlayedMatch) -> String {
    if let Some(why) = played.misfit() {
        return format!("not written: {why}");
    }
    let open = app.variation.as_ref();
    let last = open.and_then(|open| played.tree.node(*open.line.last()?));
    match last {
        Some(node) => action_words(&played.record, &node.before, &node.action),
        None => "nothing is written in this game yet".to_owned(),
    }
}

/// Names the file, and says whether it waits.
fn file(played: &PlayedMatch) -> String {
    let name = played.file.path.file_name();
    let name = name.map(|name| text::clean(&name.to_string_lossy(), 60));
    let name = name.unwrap_or_default();
    match played.withheld() {
        Some(_) => format!("{name} keeps this game as it was"),
        None => format!("in {name}"),
    }
}
