//! The draft in the position editor: its changes, their analysis, and its end.

use super::program;
use crate::game::{Player, Roll};
use crate::notation;
use crate::tui::keys::KeyScope;
use crate::tui::message::Message;
use crate::tui::state::{App, Effect, Selection};
use crate::tui::text;
use crate::tui::update::ranking;
use crate::tui::windows::draft::{Edit, LONGEST_MATCH};

/// Makes a change, or says why it cannot be made.
pub(crate) fn edit(app: &mut App, edit: Edit) {
    let Some(editor) = &mut app.editor else {
        return;
    };
    match editor.apply(edit) {
        Ok(true) => changed(app),
        Ok(false) => {}
        Err(why) => app.say(why),
    }
}

/// Takes note that another draft is in view: what can be analysed is.
pub(crate) fn changed(app: &mut App) {
    let Some(editor) = &app.editor else { return };
    let generation = editor.generation;
    let state = editor.draft().state();
    app.generations.keep_draft(generation);
    app.selection = Selection::default();
    app.effects.push(match state {
        Ok(state) => Effect::Draft {
            generation,
            state: Box::new(state),
            play: None,
            ply: app.settings.ply,
        },
        Err(_) => Effect::EndDraft,
    });
    ranking::rerank(app);
}

/// An analysis of a draft has come; of one before it nobody wants to know any more.
pub(crate) fn analysed(app: &mut App, message: Message) {
    let Some(editor) = &mut app.editor else {
        return;
    };
    let is_first = editor.looks.is_empty();
    match message {
        Message::Reviewed {
            generation,
            ply,
            review,
            ..
        } if generation == editor.generation => _ = editor.looks.insert(ply, review),
        Message::ReviewFailed {
            generation, why, ..
        } if generation == editor.generation => {
            editor.failure = Some(format!("could not be analysed: {}", text::clean(&why, 300)));
        }
        _ => return,
    }
    app.is_awaited |= is_first;
    ranking::rerank(app);
}

/// Goes back to what was open, where the program may have been about to play.
pub(crate) fn leave(app: &mut App) {
    put_aside(app);
    program::go_on(app);
}

/// Closes the editor. A draft that was left before is kept until another one is.
fn put_aside(app: &mut App) {
    let Some(editor) = &app.editor else { return };
    let is_changed = editor.changes() > 0;
    app.left_draft = match is_changed {
        true => Some(editor.draft().clone()),
        false => editor.last_undone().cloned(),
    };
    if is_changed {
        let edit = app.keymap.named("{edit position}");
        let redo = app.keymap.named_in(KeyScope::Editor, "{redo}");
        app.say(format!(
            "left; {edit} and then {redo} take the draft up again"
        ));
    }
    close(app);
}

/// Closes the editor: everything is as it was before.
pub(crate) fn close(app: &mut App) {
    let Some(editor) = app.editor.take() else {
        return;
    };
    app.before = editor.view.before;
    app.selection = Selection {
        picks: Vec::new(),
        play: editor.view.play,
        scroll: editor.view.scroll,
    };
    app.effects.push(Effect::EndDraft);
    ranking::rerank(app);
}

/// Gives up the draft as another document has been opened: what was in view before is gone.
pub(crate) fn end(app: &mut App) {
    if app.editor.is_some() {
        put_aside(app);
        app.status = None;
    }
}

/// Sets the dice as typed.
pub(crate) fn dice(app: &mut App, roll: Option<Roll>) {
    edit(app, Edit::Dice(roll));
}

/// Score and length as typed: `2-4/7` or, by what is still needed, `5a-3a`, the player at the bottom first; `7` begins a
/// match, `0` is money. Answers whether it was understood.
pub(crate) fn score(app: &mut App, typed: &str) -> bool {
    let typed = typed.trim().to_lowercase();
    let present = app.editor.as_ref().map_or(0, |e| e.draft().length);
    let Some(score) = read_score(&typed).or_else(|| read_away(&typed, present)) else {
        app.warn(
            "a score is two numbers of points and a length of at most 99, such as 2-4/7, or 5a-3a; 0 is money",
        );
        return false;
    };
    let [bottom, top, length] = score;
    let mut points = [bottom, top];
    if app.bottom() == Player::Right {
        points.reverse();
    }
    edit(app, Edit::Score { length, points });
    true
}

/// `5a-3a`, or with the length `5a-3a/7`. Without it the length that there is holds, if it is long enough, else the
/// player who needs more has no point.
fn read_away(typed: &str, present: u16) -> Option<[u16; 3]> {
    let (away, length) = match typed.split_once('/') {
        Some((away, length)) => (away, Some(length.trim().parse::<u16>().ok()?)),
        None => (typed, None),
    };
    let parts = away.split_once(['-', '–', ':', ',']);
    let (bottom, top) = parts.or_else(|| away.split_once(' '))?;
    let needs = |part: &str| part.trim().strip_suffix('a')?.trim().parse::<u16>().ok();
    let (bottom, top) = (needs(bottom)?, needs(top)?);
    let length = length.unwrap_or(present.max(bottom).max(top));
    let fits = |away: u16| (1..=length).contains(&away);
    let is_one = fits(bottom) && fits(top) && length <= LONGEST_MATCH;
    is_one.then(|| [length - bottom, length - top, length])
}

fn read_score(typed: &str) -> Option<[u16; 3]> {
    if typed == "money" {
        return Some([0; 3]);
    }
    // One sign between two numbers, with blanks or without.
    let numbers = typed.split(['-', '–', '/', ':', ',']).flat_map(|part| {
        let words: Vec<&str> = part.split_whitespace().collect();
        if words.is_empty() { vec![""] } else { words }
    });
    let numbers: Option<Vec<u16>> = numbers.map(|n| n.parse::<u16>().ok()).collect();
    match numbers?[..] {
        [length] if length <= LONGEST_MATCH => Some([0, 0, length]),
        // As many points as the match has end it: that many are still needed.
        [bottom, top, length]
            if (1..=LONGEST_MATCH).contains(&length)
                && bottom.max(top) == length
                && bottom.min(top) > 0 =>
        {
            Some([length - bottom, length - top, length])
        }
        [bottom, top, length] if (1..=LONGEST_MATCH).contains(&length) => {
            Some([bottom, top, length])
        }
        _ => None,
    }
}

/// A position pasted or typed in any form takes the place of the draft; answers whether it is one.
pub(crate) fn written(app: &mut App, text: &str) -> bool {
    if app.editor.is_none() || !notation::looks_like_id(text) {
        return false;
    }
    match notation::parse_id(text) {
        Ok(state) => edit(app, Edit::Whole(state)),
        // The reason first: what was pasted is longer than the line.
        Err(error) => app.warn(format!("{error}: {}", text::clean(text.trim(), 60))),
    }
    true
}
