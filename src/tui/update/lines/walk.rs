//! Walking through the match.

use ratatui::layout::Rect;

use crate::review::MatchTurn;
use crate::tui::documents::match_decision::MatchDecision;
use crate::tui::figures::error_list;
use crate::tui::figures::lists::{ListLine, first_line, lines, moves_rows};
use crate::tui::keys::ActionId;
use crate::tui::screen::motion::Motion;
use crate::tui::state::{App, Effect, HeldList, Selection};
use crate::tui::update::ranking;
use crate::tui::windows::palette::NamedMove;

/// Goes to a turn, as far as there is one.
pub(crate) fn go(app: &mut App, turn: usize) {
    let last = app.document.turns.len().saturating_sub(1);
    let turn = turn.min(last);
    if turn != app.at {
        let was = std::mem::replace(&mut app.at, turn);
        arrive(app);
        if turn == was + 1 && app.settings.animation {
            let [from, to] = [&app.document.turns[was], &app.document.turns[turn]];
            app.motion = Motion::between(from, to, app.now);
        }
    }
}

/// Sets right what another turn in view needs.
pub(crate) fn arrive(app: &mut App) {
    app.before = None;
    app.motion = None;
    app.selection = Selection::default();
    ranking::rerank(app);
    analyse_turn_in_view(app);
}

/// Looks at the cube decision before the roll of the turn in view, or at the roll again.
pub(crate) fn before(app: &mut App) {
    let was = app.before.is_some();
    arrive(app);
    if let Some(turn) = app.document.turns.get(app.at).filter(|_| !was) {
        app.before = Some(turn.before_roll());
    }
}

/// Whether there was a cube decision before the roll in view, as far as the position tells.
pub(crate) fn could_double(app: &App) -> bool {
    app.turn().is_some_and(|turn| {
        let before = turn.before.state.before_roll();
        turn.before.state.roll.is_some() && !turn.is_opening_roll() && before.may_double()
    })
}

/// Goes to a decision: to a double that was missed, before the roll.
pub(crate) fn to_decision(app: &mut App, decision: MatchDecision) {
    go(app, decision.turn);
    if decision.is_silent != app.before.is_some() {
        before(app);
    }
}

/// Goes to the move that was typed, or says that there is none.
pub(crate) fn to_move(app: &mut App, named: NamedMove) {
    if app.variation.is_some() {
        return app.say_keys("the move is one of the match: {back} leads there first");
    }
    let in_view = app.turn().map_or(0, |turn| turn.game);
    let NamedMove { game, number } = named;
    let game = game.map_or(Some(in_view), |game| game.checked_sub(1));
    let mut turns = app.document.turns.iter();
    let is_it = |turn: &MatchTurn| Some(turn.game) == game && turn.number == number;
    match turns.position(is_it) {
        Some(turn) => go(app, turn),
        None => app.warn(match named.game {
            Some(game) => format!("there is no move {number} of a game {game}"),
            None => format!("this game has no move {number}"),
        }),
    }
}

/// Has the turn in view analysed before all others.
pub(crate) fn analyse_turn_in_view(app: &mut App) {
    // The turn may be one of another document than at the call before.
    app.effects.retain(|e| !matches!(e, Effect::Focus { .. }));
    if app.turn().is_some() {
        app.effects.push(Effect::Focus {
            turn: app.at,
            ply: app.settings.ply,
        });
    }
}

/// Goes to the next game, or to the start of this one and then to the one before.
pub(crate) fn game(app: &mut App, next: bool) {
    let Some(here) = app.turn().map(|t| t.game) else {
        return;
    };
    let turns = &app.document.turns;
    let first_of = |game: usize| turns.iter().position(|t| t.game == game);
    let target = if next {
        turns.iter().position(|t| t.game > here)
    } else {
        let start = first_of(here);
        if start == Some(app.at) {
            turns
                .iter()
                .rev()
                .find(|t| t.game < here)
                .and_then(|t| first_of(t.game))
        } else {
            start
        }
    };
    match target {
        Some(turn) => go(app, turn),
        None if next && app.played().is_none_or(|played| played.later.is_none()) => {
            app.say("this is the last game");
        }
        None if app.played().is_some() => {
            app.say_keys("the other games are in the match itself: {back} leaves the game");
        }
        None => app.say("this is the first game"),
    }
}

/// Goes to the next or the previous error; to a double that was missed, before the roll.
pub(crate) fn error(app: &mut App, next: bool) {
    // Before the roll comes before the play of a turn.
    let place = |decision: &MatchDecision| (decision.turn, !decision.is_silent);
    let here = (app.at, app.before.is_none());
    let found = match next {
        true => app.wrong_decisions().find(|one| place(one) > here),
        false => app.wrong_decisions().filter(|one| place(one) < here).last(),
    };
    match found {
        Some(decision) => to_decision(app, decision),
        None => {
            let which = if next { "later" } else { "earlier" };
            app.say(format!("no {which} error: {}", error_list::filter(app)));
        }
    }
}

/// Goes to the first turn that stands at a line of the file, or after it.
pub(crate) fn line(app: &mut App, line: u32) {
    let games = &app.document.record.games;
    let at = |turn: &crate::review::MatchTurn| {
        let event = games.get(turn.game)?.events.get(turn.before.event)?;
        Some(event.line)
    };
    let turns = &app.document.turns;
    match turns.iter().position(|t| at(t).is_some_and(|l| l >= line)) {
        Some(turn) => go(app, turn),
        None => app.say(format!("no turn after line {line}")),
    }
}

/// Keys of the list of moves.
pub(crate) fn list(app: &mut App, action: ActionId) {
    match action {
        ActionId::Down => go(app, app.at + 1),
        ActionId::Up => go(app, app.at.saturating_sub(1)),
        ActionId::First => go(app, 0),
        _ => go(app, usize::MAX),
    }
}

/// A click into the list of moves.
pub(crate) fn click(app: &mut App, area: Rect, row: u16) {
    let lines = lines(&app.document);
    let inner = area.height.saturating_sub(1);
    let [height, ..] = moves_rows(app, inner, area.width);
    let height = usize::from(height);
    let first = first_line(app, &lines, height);
    let Some(row) = row.checked_sub(area.y + 1).map(usize::from) else {
        return;
    };
    if row < height {
        match lines.get(first + row) {
            Some(&ListLine::Turn(turn)) => {
                go(app, turn);
                app.held_list = Some(HeldList { turn, first });
            }
            Some(ListLine::Game(game)) => {
                if let Some(turn) = app.document.turns.iter().position(|t| t.game == *game) {
                    go(app, turn);
                }
            }
            Some(ListLine::Result(game, _)) => {
                if let Some(turn) = app.document.turns.iter().rposition(|t| t.game == *game) {
                    go(app, turn);
                }
            }
            Some(ListLine::Winner(_)) | None => {}
        }
    }
}
