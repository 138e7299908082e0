//! The pane of a rollout by hand: who is to decide, what the games come to, and what the last ones gave.

use ratatui::layout::Rect;

use crate::game::Player;
use crate::rollout::CandidateResult;
use crate::rollout::by_hand::Hands;
use crate::stats::interval::half_width;
use crate::tui::documents::by_hand::{EndedGame, HandPrompt, HandRollout};
use crate::tui::figures::conditions;
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::view::board::disc;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::pane::title;
use crate::words::{counted, verb};

pub(crate) fn draw(paint: &mut Paint<'_>, area: Rect, app: &App, hand: &HandRollout) {
    if area.is_empty() {
        return;
    }
    let game = hand
        .trial
        .map_or_else(String::new, |n| format!("game {}", n + 1));
    let play = hand.start.label.plays.first().and_then(Option::as_deref);
    let play = play.unwrap_or("before the roll");
    let inner = title(paint, area, &format!("by hand: {play}"), &game, false);
    let column = Rect {
        x: inner.x + 1.min(inner.width),
        width: inner.width.saturating_sub(2),
        ..inner
    };
    let mut row = 0;
    let mut add = |paint: &mut Paint<'_>, words: &[(&str, Role)]| {
        paint.line(column, row, words);
        row += 1;
    };
    let (sign, role) = disc(hand.start.player);
    match hand.hands {
        Hands::Both => add(paint, &[("you play both sides", Role::Text)]),
        _ => {
            let whose = format!(" you play {}", name(app, hand.start.player));
            add(paint, &[(sign, role), (&whose, Role::Text)]);
        }
    }
    add(paint, &[(&prompt(app, hand), Role::Strong)]);
    match &hand.sum {
        None => add(paint, &[("no game has ended yet", Role::Muted)]),
        Some(sum) => {
            let [figure, worth] = sums(sum);
            add(paint, &[(&figure, Role::Strong)]);
            add(paint, &[(&worth, Role::Muted)]);
        }
    }
    let rows = usize::from(column.height.saturating_sub(row));
    // The last game matters more than the keys, and the keys more than the games before it.
    let most = rows.saturating_sub(1).max(1);
    let games = hand.ended.iter().rev().take(most);
    let games = games.map(|game| {
        let EndedGame { trial, plain, luck } = game;
        format!("game {:<4} {plain:+.3}, of it luck {luck:+.3}", trial + 1)
    });
    let keys = "{program} lets the program decide, {against the program} changes sides";
    let keys = app.keymap.named(keys);
    for (row, words) in (row..).zip(games.chain([keys])) {
        paint.line(column, row, &[(&words, Role::Muted)]);
    }
}

/// What is to be decided now, with the keys that do so.
fn prompt(app: &App, hand: &HandRollout) -> String {
    let named = |text: &str| app.keymap.named(text);
    match hand.prompt {
        None => "the program is at work …".to_owned(),
        Some(HandPrompt::Double) => named("{double} doubles, {random dice} rolls"),
        Some(HandPrompt::Answer) => {
            let asked = app
                .turn()
                .map_or(hand.start.player, |turn| turn.before.player);
            let doubler = name(app, asked.other());
            // Braces in a name are no key.
            let keys = named(conditions::answers(app));
            let doubles = verb(&doubler, ["doubles", "double"]);
            format!("{doubler} {doubles} before rolling: {keys}")
        }
        Some(HandPrompt::Play(roll)) => named(&format!(
            "{roll}: {{down}} chooses a play, {{what if}} makes it"
        )),
        Some(HandPrompt::Over { plain, luck }) => {
            format!("over: {plain:+.3}, of it luck {luck:+.3}")
        }
    }
}

/// Equity with both intervals, and what it rests on.
fn sums(sum: &CandidateResult) -> [String; 2] {
    let figure = match sum.trials {
        0 | 1 => text::equity(sum.equity.mean),
        _ => format!(
            "{} ±{:.3}  anytime ±{:.3}",
            text::equity(sum.equity.mean),
            half_width(sum.equity.ci95),
            half_width(sum.equity.anytime95)
        ),
    };
    let games = format!("mean of {}, luck taken out", counted(sum.trials, "game"));
    let worth = match sum.equivalent_trials.is_finite() && sum.trials > 1 {
        true => format!(
            "{games}: as exact as {} with it",
            text::count(sum.equivalent_trials)
        ),
        false => games,
    };
    [figure, worth]
}

/// A player's name, with room for what is said behind it.
fn name(app: &App, player: Player) -> String {
    text::cut(&app.document.record.players[player.index()], 24)
}
