//! What if: variations begun, gone on with, walked and left.

use std::sync::Arc;

use ratatui::layout::Rect;

use super::walk;
use crate::game::{Player, Roll};
use crate::match_file::variations::is_first_roll;
use crate::match_file::write::Target;
use crate::match_file::{Action, EventPlace, Match, NodeId, Variations};
use crate::tui::documents::by_hand::{HandPrompt, HandRollout};
use crate::tui::documents::document::Home;
use crate::tui::documents::notes::NoteContent;
use crate::tui::documents::played_match::LeftMatch;
use crate::tui::documents::variation::TreeLine;
use crate::tui::documents::variation_kind::VariationKind;
use crate::tui::figures::{candidate_rows, conditions};
use crate::tui::keys::ActionId;
use crate::tui::state::{App, Effect, OpenVariation};
use crate::tui::update::ranking;
use crate::tui::view::variation_row_at;
use crate::words::counted;

/// Does what a key of variations means; whether an action was made after which the game goes on.
pub(crate) fn act(app: &mut App, action: ActionId) -> bool {
    match action {
        ActionId::Vary => return vary(app),
        ActionId::RollDice => roll_dice(app),
        ActionId::NextRoll => other_roll(app, 1),
        ActionId::PreviousRoll => other_roll(app, Roll::ALL.len() - 1),
        // The value of the cube follows from the position.
        ActionId::Double => return make(app, Action::Double { to: 0 }),
        ActionId::Take => return make(app, Action::Take),
        ActionId::Pass => return make(app, Action::Pass),
        ActionId::Beaver => return make(app, Action::Beaver { to: 0 }),
        ActionId::NextBranch => sibling(app, true),
        ActionId::PreviousBranch => sibling(app, false),
        ActionId::RemoveBranch => remove(app),
        ActionId::RestoreBranch => restore(app),
        _ => {}
    }
    false
}

/// The selected play as made; else the variations there are.
fn vary(app: &mut App) -> bool {
    let roll = app.turn().and_then(|turn| turn.before.state.roll);
    let best = best(app);
    match (selected(app), roll) {
        (Some(play), Some(roll)) => return make(app, Action::Move { roll, play }),
        _ if app.has_variations(app.at) => {
            begin(app);
            if let Some(open) = &mut app.variation {
                let mut line = Vec::new();
                open.tree()
                    .into_iter()
                    .for_each(|tree| tree.extend(&mut line));
                open.line = line;
            }
            show(app, 0);
        }
        (None, Some(roll)) => match best {
            Some((play, name)) => {
                let is_only = candidate_rows::ranked(app).len() == 1;
                let goes_on = make(app, Action::Move { roll, play });
                let how = app.keymap.named("{down} and {what if} take another one");
                app.say(match is_only {
                    true => name,
                    false => format!("{name}, the best play; {how}"),
                });
                return goes_on;
            }
            None => app.say_keys(no_best(app)),
        },
        _ if app.variation.is_some() => app.say_keys("{random dice} rolls, {dice} sets the dice"),
        _ => {
            begin(app);
            show(app, 0);
            let is_doubled = app.turn().is_some_and(|turn| turn.before.state.doubled);
            let can = match is_doubled {
                true => conditions::answers(app),
                false if conditions::may_double_here(app) => {
                    "{double} doubles, {random dice} rolls, {dice} sets the dice"
                }
                false => "{random dice} rolls, {dice} sets the dice",
            };
            app.say_keys(&format!("what if: {can}, {{back}} goes back"));
        }
    }
    false
}

/// Why there is no best play to take.
pub(crate) fn no_best(app: &App) -> &'static str {
    match app.options.hidden && app.review().is_some() {
        true => "the answers are hidden: choose a play with {down}",
        false => "the plays are still being analysed",
    }
}

/// The best play of the turn in view by what is known, and its name.
fn best(app: &App) -> Option<(crate::game::Play, String)> {
    let rows = candidate_rows::ranked(app);
    let row = rows.iter().find(|row| row.is_best)?;
    let position = app.turn()?.before.state.position;
    let play = row.candidate.play;
    Some((play, crate::tui::text::play(&play, &position)))
}

/// The play in view, or else the best.
pub(crate) fn chosen(app: &App) -> Option<crate::game::Play> {
    selected(app).or_else(|| Some(best(app)?.0))
}

/// The selected play; `None` where there is none.
pub(crate) fn selected(app: &App) -> Option<crate::game::Play> {
    let selected = app.selection.play?;
    let rows = candidate_rows::rows(app);
    let row = rows.iter().find(|row| row.candidate.result == selected)?;
    Some(row.candidate.play)
}

/// Puts the match aside, unless a variation is in view already.
pub(crate) fn begin(app: &mut App) {
    let Some(turn) = app.turn().copied().filter(|_| app.variation.is_none()) else {
        return;
    };
    let place = turn.place();
    let Some(root) = app.document.root(place) else {
        return;
    };
    let home = Home {
        document: std::mem::take(&mut app.document),
        at: app.at,
        before: app.before.take(),
    };
    let mut open = OpenVariation::new(home, place, &turn);
    let trees = &mut open.home.document.variations;
    trees.entry(place).or_insert_with(|| Variations::at(root));
    app.variation = Some(Box::new(open));
    // The line in view begins there.
    app.at = 0;
}

/// Shows the line from its turn `at`.
pub(crate) fn show(app: &mut App, at: usize) {
    let Some(open) = &mut app.variation else {
        return;
    };
    app.document = open.document(app.generations.next_line());
    open.program = None;
    app.at = at.min(app.document.turns.len().saturating_sub(1));
    app.effects.push(Effect::Analyse);
    walk::arrive(app);
}

/// Takes the line in view in, before another one comes into view.
fn remember(app: &mut App) {
    if let Some(open) = &mut app.variation {
        open.remember(&app.document);
    }
}

/// Makes an action at the turn in view, and shows what is to be decided after it; whether the game goes
/// on.
pub(crate) fn make(app: &mut App, action: Action) -> bool {
    begin(app);
    remember(app);
    let at = app.at;
    let Some(open) = &mut app.variation else {
        return false;
    };
    let parent = open.parent(at);
    let Some(tree) = open.tree_mut() else {
        return false;
    };
    let node = match tree.add(parent, action) {
        Ok(node) => node,
        Err(why) => {
            let why = why.to_string();
            // The match comes back where nothing was begun.
            if app.document.turns.is_empty() {
                leave(app);
            }
            app.warn(why);
            return false;
        }
    };
    let is_over = tree.after(Some(node)).is_none();
    open.removed.clear();
    go_on(app, at, node);
    keep(app);
    show(app, at + 1);
    if is_over {
        app.say("the game is over here");
        return false;
    }
    // What was tried last comes after it: first the decision before that.
    if app
        .turn()
        .is_some_and(|turn| turn.before.state.roll.is_some())
    {
        walk::before(app);
    }
    true
}

/// The line goes on from turn `at` with this action, and with what followed it.
fn go_on(app: &mut App, at: usize, node: NodeId) {
    let Some(open) = &mut app.variation else {
        return;
    };
    let mut line = std::mem::take(&mut open.line);
    line.truncate(at);
    line.push(node);
    if let Some(tree) = open.tree() {
        tree.extend(&mut line);
    }
    (open.line, open.dice) = (line, None);
}

/// Has the tree kept, or the match against the program that it is of.
fn keep(app: &mut App) {
    if app.played().is_some() {
        return app.save_match();
    }
    let Some(open) = &mut app.variation else {
        return;
    };
    let place = open.place;
    if open.home.document.sealed.contains(&place) {
        return app.warn(
            "not saved: the variations kept of this turn cannot be read, and stay as they are",
        );
    }
    open.home.document.varied.insert(place);
    if let Some(tree) = open.tree().cloned().map(Box::new) {
        let content = NoteContent::Variations(tree);
        let change = open.home.document.note_change(place, content);
        app.effects.push(Effect::KeepNote(Box::new(change)));
    }
}

/// Sets the dice of the turn in view, or takes them off.
pub(crate) fn set_dice(app: &mut App, roll: Option<Roll>) {
    if app.hand().is_some() {
        return app.say("the dice of a game by hand are those of its trial");
    }
    if app.played().is_some_and(|played| !played.is_transcribed()) {
        return app.say("the dice of a match against the program are rolled");
    }
    put_dice(app, roll);
}

pub(super) fn put_dice(app: &mut App, roll: Option<Roll>) {
    begin(app);
    remember(app);
    let at = app.at;
    let Some(open) = &mut app.variation else {
        return;
    };
    let parent = open.parent(at);
    let known = open.tree().and_then(|tree| {
        let has_roll = |id: &NodeId| match tree.node(*id).map(|node| node.action) {
            Some(Action::Move { roll: known, .. }) => Some(known) == roll,
            _ => false,
        };
        tree.children(parent).rfind(has_roll)
    });
    match known {
        Some(node) => go_on(app, at, node),
        None => {
            open.line.truncate(at);
            open.dice = roll;
        }
    }
    show(app, at);
}

/// Rolls the dice of the turn in view.
pub(crate) fn roll_dice(app: &mut App) {
    let Some(before) = app.varied_decision() else {
        return;
    };
    let line = app.variation.as_ref().map_or(&[][..], |open| &open.line);
    let roll = match app.played() {
        Some(played) if !played.is_transcribed() => played.roll(&before, line),
        _ => app.dice_cup.roll(is_first_roll(&before)),
    };
    put_dice(app, Some(roll));
    app.say(format!("rolled {roll}"));
}

/// The roll so many places after the one in view.
fn other_roll(app: &mut App, step: usize) {
    let Some(before) = app.varied_decision() else {
        return;
    };
    let n = Roll::ALL.len();
    let now = app.turn().and_then(|turn| turn.before.state.roll);
    let mut next = match now {
        Some(roll) => (roll.index() + step) % n,
        None => (step + n - 1) % n,
    };
    while is_first_roll(&before) && Roll::ALL[next].is_double() {
        next = (next + step) % n;
    }
    set_dice(app, Some(Roll::ALL[next]));
}

/// Goes to another action in the place of that of the turn in view.
fn sibling(app: &mut App, next: bool) {
    let at = app.at;
    let Some(open) = &app.variation else { return };
    let Some(tree) = open.tree() else { return };
    let all: Vec<NodeId> = tree.children(open.parent(at)).collect();
    let here = open.line.get(at);
    let place = here.and_then(|here| all.iter().position(|id| id == here));
    let n = all.len();
    let to = match place {
        _ if n == 0 => None,
        Some(_) if n == 1 => None,
        Some(i) => Some((i + if next { 1 } else { n - 1 }) % n),
        None => Some(if next { 0 } else { n - 1 }),
    };
    let Some(to) = to else {
        return match all.is_empty() || open.parent(at).is_some() {
            true => app.say("nothing else was tried here"),
            false => app.say_keys("nothing else was tried here; {back} goes back to the match"),
        };
    };
    remember(app);
    go_on(app, at, all[to]);
    show(app, at);
}

/// Goes to a row of the tree: so many below, or above.
pub(crate) fn walk_tree(app: &mut App, action: ActionId) {
    let Some(open) = &app.variation else { return };
    let (lines, here) = open.rows(app.at);
    let last = lines.len().saturating_sub(1);
    let to = match action {
        ActionId::Down => (here + 1).min(last),
        ActionId::Up => here.saturating_sub(1),
        ActionId::First => 0,
        _ => last,
    };
    go_to_row(app, to);
}

/// Takes in a click into the tree.
pub(crate) fn click(app: &mut App, area: Rect, y: u16) {
    let Some(open) = &app.variation else { return };
    if let Some(row) = variation_row_at(app, open, area, y) {
        go_to_row(app, row);
    }
}

/// Goes to a row of the tree.
fn go_to_row(app: &mut App, row: usize) {
    let Some(open) = &app.variation else { return };
    let node = match open.rows(app.at).0.get(row) {
        Some(TreeLine::Action(row)) => row.node,
        Some(TreeLine::Open(_)) => return walk::go(app, open.line.len()),
        None => return,
    };
    if let Some(at) = open.line.iter().position(|id| *id == node) {
        return walk::go(app, at);
    }
    go_to(app, node);
}

/// Shows the line of an action at its turn.
fn go_to(app: &mut App, node: NodeId) {
    remember(app);
    let line = app.variation.as_ref().and_then(|open| open.tree());
    let Some(line) = line.map(|tree| tree.line_to(node)) else {
        return;
    };
    let at = line.len().saturating_sub(1);
    if let Some(open) = &mut app.variation {
        open.line = line;
    }
    go_on(app, at, node);
    show(app, at);
}

/// Takes the action of the turn in view away, and all after it.
fn remove(app: &mut App) {
    let at = app.at;
    remember(app);
    let Some(open) = &mut app.variation else {
        return;
    };
    let at = at.min(open.line.len().saturating_sub(1));
    let Some(node) = open.line.get(at).copied() else {
        return app.say("there is nothing to remove yet");
    };
    let before = open.tree().map_or(0, Variations::count);
    if let Some(tree) = open.tree_mut() {
        tree.set_removed(node, true);
    }
    let count = before.saturating_sub(open.tree().map_or(0, Variations::count));
    let action = open.tree().and_then(|tree| Some(tree.node(node)?.action));
    let mut line = std::mem::take(&mut open.line);
    line.truncate(at);
    if let Some(tree) = open.tree() {
        tree.extend(&mut line);
    }
    let is_end = line.len() == at;
    open.line = line;
    open.removed.push(node);
    // The same decision stays in view.
    open.dice = match action {
        Some(Action::Move { roll, .. }) if is_end => Some(roll),
        _ => None,
    };
    keep(app);
    show(app, at);
    let count = counted(count, "action");
    let key = app.keymap.named("{restore branch}");
    app.say(format!("removed, {count}; {key} brings it back"));
}

/// Brings back what was taken away last and is away still.
pub(super) fn restore(app: &mut App) {
    let Some(node) = app.variation.as_mut().and_then(|open| open.removed.pop()) else {
        return;
    };
    if let Some(tree) = app.variation.as_mut().and_then(|open| open.tree_mut()) {
        tree.set_removed(node, false);
    }
    go_to(app, node);
    keep(app);
}

/// Goes back to the match, at the turn the variation hangs on.
pub(crate) fn leave(app: &mut App) {
    app.note_play();
    let Some(open) = app.variation.take() else {
        return;
    };
    let OpenVariation {
        home, place, kind, ..
    } = *open;
    let was_played = kind.played().is_some();
    let is_corrected = kind.played().is_some_and(|played| played.later.is_some());
    let in_game = (place.0, app.at);
    match kind {
        VariationKind::Tried => {}
        VariationKind::ByHand(hand) => leave_hand(app, &hand),
        VariationKind::Match(played) => {
            app.options.hidden = played.was_hidden;
            let written = |record: &Match| Target::Mat.write(record);
            app.left_match = Some(LeftMatch {
                is_read: written(&home.document.record) == written(played.in_file()),
                file: played.file.clone(),
                was_taken_back: played.was_taken_back,
                record: Box::new(played.into_file()),
            });
        }
    }
    app.document = home.document;
    if app
        .document
        .variations
        .get(&place)
        .is_some_and(Variations::is_empty)
    {
        app.document.variations.remove(&place);
    }
    let turns = &app.document.turns;
    app.at = match was_played {
        // The same turn of the match, or else the end of its game.
        true if is_corrected => turns
            .iter()
            .rposition(|turn| turn.place() <= in_game)
            .unwrap_or(0),
        true => turns.len().saturating_sub(1),
        false => home.at,
    };
    app.effects.push(Effect::Analyse);
    walk::arrive(app);
    // Of the turn that was in view then.
    app.before = home.before.filter(|_| !was_played);
    ranking::rerank(app);
}

/// Leaves the variation in view, if there is one, for a turn of the match. A game by hand that is not over is not
/// given up for that, nor what of a transcript is not in its file.
pub(crate) fn may_leave(app: &mut App) -> bool {
    if app.is_playing_by_hand() {
        app.say_keys("the game by hand is not over: {back} leaves it");
        return false;
    }
    if let Some(lost) = conditions::lost_by_leaving(app, "{back} leaves") {
        app.say_keys(&lost);
        return false;
    }
    leave(app);
    true
}

/// Leaves a game that is played by hand, and what belongs to it.
fn leave_hand(app: &mut App, hand: &HandRollout) {
    app.options.hidden = hand.was_hidden;
    if hand.trial.is_some() && !matches!(hand.prompt, Some(HandPrompt::Over { .. })) {
        app.effects.push(Effect::LeaveByHand {
            start: Arc::clone(&hand.start),
            hands: hand.hands,
        });
    }
}

/// What is in view of a variation: the line, dice and turn.
pub(crate) struct VariationPlace {
    place: EventPlace,
    line: Vec<NodeId>,
    dice: Option<Roll>,
    removed: Vec<NodeId>,
    opponent: Option<Player>,
    decided: Option<Player>,
    at: usize,
}

/// What is in view of a variation, if one is.
pub(crate) fn view(app: &App) -> Option<VariationPlace> {
    let open = app.variation.as_ref().filter(|open| open.kind.is_tried())?;
    Some(VariationPlace {
        place: open.place,
        line: open.line.clone(),
        dice: open.dice,
        removed: open.removed.clone(),
        opponent: open.opponent,
        decided: open.decided,
        at: app.at,
    })
}

/// Shows a variation again in a match that was read again, if the place is still there.
pub(crate) fn view_again(app: &mut App, view: Option<VariationPlace>) {
    let Some(view) = view.filter(|view| app.document.variations.contains_key(&view.place)) else {
        return;
    };
    let Some(at) = app.turn_at(view.place) else {
        return;
    };
    app.at = at;
    begin(app);
    if let Some(open) = &mut app.variation {
        (open.line, open.dice, open.removed) = (view.line, view.dice, view.removed);
        (open.opponent, open.decided) = (view.opponent, view.decided);
    }
    show(app, view.at);
}
