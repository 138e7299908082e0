//! What if: variations begun, gone on with, walked and left.

use std::collections::HashSet;
use std::sync::Arc;

use ratatui::layout::Rect;

use super::walk;
use crate::cube::CubeChoice;
use crate::game::Roll;
use crate::match_file::variations::{is_first_roll, may_double};
use crate::match_file::{Action, NodeId, Variations};
use crate::store::UserSettings;
use crate::tui::actions::ActionId;
use crate::tui::by_hand::{HandAsk, HandRollout};
use crate::tui::candidate_rows;
use crate::tui::document::{Home, Trees};
use crate::tui::generation::LINES;
use crate::tui::state::{App, Effect, OpenVariation};
use crate::tui::variation::{TreeLine, told};
use crate::tui::view::variation_row_at;

/// Does what a key of variations means.
pub(super) fn act(app: &mut App, action: ActionId) {
    match action {
        ActionId::Vary => vary(app),
        ActionId::RollDice => roll_dice(app),
        ActionId::NextRoll => other_roll(app, 1),
        ActionId::PreviousRoll => other_roll(app, Roll::ALL.len() - 1),
        // The value of the cube follows from the position.
        ActionId::Double => make(app, Action::Double { to: 0 }),
        ActionId::Take => make(app, Action::Take),
        ActionId::Pass => make(app, Action::Pass),
        ActionId::Beaver => make(app, Action::Beaver { to: 0 }),
        ActionId::Program => program(app),
        ActionId::Opponent => opponent(app),
        ActionId::NextBranch => sibling(app, true),
        ActionId::PreviousBranch => sibling(app, false),
        ActionId::RemoveBranch => remove(app),
        ActionId::RestoreBranch => restore(app),
        _ => {}
    }
}

/// The selected play as made; else the variations there are.
fn vary(app: &mut App) {
    let roll = app.turn().and_then(|turn| turn.before.state.roll);
    let best = best(app);
    match (selected(app), roll) {
        (Some(play), Some(roll)) => make(app, Action::Move { roll, play }),
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
                make(app, Action::Move { roll, play });
                let how = app.keymap.named("{down} and {what if} take another one");
                app.say(format!("{name}, the best play; {how}"));
            }
            None => app.say("the plays are still being analysed"),
        },
        _ if app.variation.is_some() => app.say_keys("{random dice} rolls, {dice} sets the dice"),
        _ => {
            begin(app);
            show(app, 0);
            app.say_keys("what if: {double} doubles, {random dice} rolls, {dice} sets the dice, {back} goes back");
        }
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
pub(super) fn chosen(app: &App) -> Option<crate::game::Play> {
    selected(app).or_else(|| Some(best(app)?.0))
}

/// The play in view.
pub(super) fn selected(app: &App) -> Option<crate::game::Play> {
    let selected = app.selection.play?;
    let rows = candidate_rows::rows(app);
    let row = rows.iter().find(|row| row.candidate.result == selected)?;
    Some(row.candidate.play)
}

/// Puts the match aside, unless a variation is in view already.
pub(super) fn begin(app: &mut App) {
    let Some(turn) = app.turn().copied().filter(|_| app.variation.is_none()) else {
        return;
    };
    let place = (turn.game, turn.before.event);
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
pub(super) fn show(app: &mut App, at: usize) {
    let Some(open) = &mut app.variation else {
        return;
    };
    app.lines += 1;
    app.document = open.document(LINES | app.lines);
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

/// Makes an action at the turn in view, and shows what is to be decided after it.
fn make(app: &mut App, action: Action) {
    begin(app);
    remember(app);
    let at = app.at;
    let Some(open) = &mut app.variation else {
        return;
    };
    let parent = open.parent(at);
    let Some(tree) = open.tree_mut() else { return };
    let node = match tree.add(parent, action) {
        Ok(node) => node,
        Err(why) => {
            let why = why.to_string();
            // The match comes back where nothing was begun.
            if app.document.turns.is_empty() {
                leave(app);
            }
            return app.warn(why);
        }
    };
    let is_over = tree.after(Some(node)).is_none();
    open.removed = None;
    go_on(app, at, node);
    keep(app);
    show(app, at + 1);
    if is_over {
        return app.say("the game is over here");
    }
    // What was tried last comes after it: first the decision before that.
    if app
        .turn()
        .is_some_and(|turn| turn.before.state.roll.is_some())
    {
        walk::before(app);
    }
    answer(app);
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

/// Has the tree kept.
fn keep(app: &mut App) {
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
        app.effects.push(Effect::KeepVariations { place, tree });
    }
}

/// Sets the dice of the turn in view, or takes them off.
pub(super) fn set_dice(app: &mut App, roll: Option<Roll>) {
    if app.hand().is_some() {
        return app.say("the dice of a game by hand are those of its trial");
    }
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

fn roll_dice(app: &mut App) {
    let Some(before) = app.varied_decision() else {
        return;
    };
    let roll = app.dice_cup.roll(is_first_roll(&before));
    set_dice(app, Some(roll));
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

/// The program plays the turn in view.
fn program(app: &mut App) {
    begin(app);
    if app.document.turns.is_empty() {
        // The decision of the match comes into view as the first of the line, with its dice.
        let open = app.variation.as_ref();
        let turn = open.and_then(|open| open.home.document.turns.get(open.home.at));
        let before = open.is_some_and(|open| open.home.before.is_some());
        let roll = turn.and_then(|turn| turn.before.state.roll);
        set_dice(app, roll.filter(|_| !before));
    }
    start_program(app);
}

fn start_program(app: &mut App) {
    let at = app.at;
    if let Some(open) = &mut app.variation {
        open.program = Some(at);
    }
    play(app);
}

/// The program plays a side from now on, or no longer.
fn opponent(app: &mut App) {
    let Some(player) = app.turn().map(|turn| turn.before.player) else {
        return;
    };
    let ply = app.settings.ply;
    let Some(open) = &mut app.variation else {
        return;
    };
    open.opponent = match open.opponent {
        None => Some(player.other()),
        Some(_) => None,
    };
    match open.opponent {
        Some(player) => {
            let name = app.document.record.players[player.index()].clone();
            let key = app.keymap.named("{against the program}");
            app.say(format!(
                "the program plays for {name} at {ply}-ply; {key} ends that"
            ));
        }
        None => app.say("the program plays no more"),
    }
}

/// Lets the program play if it is its turn.
fn answer(app: &mut App) {
    let player = app.turn().map(|turn| turn.before.player);
    let open = app.variation.as_ref();
    if open.is_some_and(|open| open.opponent.is_some() && open.opponent == player) {
        start_program(app);
    }
}

/// A turn of the line in view was analysed: the program may be waiting for it.
pub(super) fn analysed(app: &mut App) {
    if app
        .variation
        .as_ref()
        .is_some_and(|open| open.program.is_some() && app.editor.is_none())
    {
        play(app);
    }
}

/// What the program does where it is to play, once it knows enough.
fn play(app: &mut App) {
    let at = app.at;
    let Some(open) = app.variation.as_mut().filter(|open| open.program.is_some()) else {
        return;
    };
    if open.program != Some(at) {
        // The reader went elsewhere.
        open.program = None;
        return;
    }
    let (Some(before), Some(turn)) = (app.varied_decision(), app.turn().copied()) else {
        return;
    };
    let must_roll = turn.before.state.roll.is_none() && !before.state.doubled;
    if must_roll && !may_double(&before) {
        return roll_and_play(app);
    }
    let deep = |ply: &u8| app.document.looks.contains_key(&(at, *ply));
    let Some(ply) = (app.settings.ply..=UserSettings::MOST_PLIES).find(deep) else {
        return;
    };
    let look = app.document.looks[&(at, ply)].clone();
    let cube = look.cube.map(|cube| cube.decision);
    let action = match (turn.before.state.roll, cube) {
        (Some(roll), _) => match look.candidates.first() {
            Some(best) => Action::Move {
                roll,
                play: best.play,
            },
            None => return,
        },
        (None, Some(cube)) if before.state.doubled => match cube.answer() {
            Some(CubeChoice::Beaver) => Action::Beaver { to: 0 },
            Some(CubeChoice::Pass) => Action::Pass,
            _ => Action::Take,
        },
        (None, Some(cube)) if cube.action.doubles() => Action::Double { to: 0 },
        _ => return roll_and_play(app),
    };
    let told = told(&app.document.record, &turn.before, &action);
    app.status = None;
    make(app, action);
    // That the game is over matters more.
    if app.status.is_none() {
        app.say(told);
    }
}

fn roll_and_play(app: &mut App) {
    roll_dice(app);
    start_program(app);
}

/// Another action in the place of that of the turn in view.
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
pub(super) fn walk_tree(app: &mut App, action: ActionId) {
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

/// A click into the tree.
pub(super) fn click(app: &mut App, area: Rect, y: u16) {
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
    open.removed = Some(node);
    // The same decision stays in view.
    open.dice = match action {
        Some(Action::Move { roll, .. }) if is_end => Some(roll),
        _ => None,
    };
    keep(app);
    show(app, at);
    let s = if count == 1 { "" } else { "s" };
    let key = app.keymap.named("{restore branch}");
    app.say(format!("removed, {count} action{s}; {key} brings it back"));
}

/// Brings back what was taken away last.
fn restore(app: &mut App) {
    let Some(node) = app.variation.as_mut().and_then(|open| open.removed.take()) else {
        return;
    };
    if let Some(tree) = app.variation.as_mut().and_then(|open| open.tree_mut()) {
        tree.set_removed(node, false);
    }
    go_to(app, node);
    keep(app);
}

/// Back to the match, at the turn the variation hangs on.
pub(super) fn leave(app: &mut App) {
    let Some(open) = app.variation.take() else {
        return;
    };
    let OpenVariation {
        home, place, hand, ..
    } = *open;
    if let Some(hand) = hand {
        leave_hand(app, &hand);
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
    app.at = home.at;
    app.effects.push(Effect::Analyse);
    walk::arrive(app);
    app.before = home.before;
    candidate_rows::rerank(app);
}

/// What is left behind with games that were played by hand.
fn leave_hand(app: &mut App, hand: &HandRollout) {
    app.options.hidden = hand.was_hidden;
    if hand.trial.is_some() && !matches!(hand.ask, Some(HandAsk::Over { .. })) {
        app.effects.push(Effect::LeaveByHand {
            start: Arc::clone(&hand.start),
            hands: hand.hands,
        });
    }
}

/// What is in view of a variation: the line, dice and turn.
pub(super) struct VariationPlace {
    place: (usize, usize),
    line: Vec<NodeId>,
    dice: Option<Roll>,
    at: usize,
}

/// What is in view of a variation, if one is.
pub(super) fn view(app: &App) -> Option<VariationPlace> {
    let open = app.variation.as_ref().filter(|open| open.hand.is_none())?;
    Some(VariationPlace {
        place: open.place,
        line: open.line.clone(),
        dice: open.dice,
        at: app.at,
    })
}

/// Takes the trees of the match that is open, and where they have changed.
pub(super) fn trees(app: &mut App) -> (Trees, HashSet<(usize, usize)>) {
    let document = match &mut app.variation {
        Some(open) => &mut open.home.document,
        None => &mut app.document,
    };
    let trees = std::mem::take(&mut document.variations);
    (trees, std::mem::take(&mut document.varied))
}

/// Shows a variation again in a match that was read again, if the place is still there.
pub(super) fn view_again(app: &mut App, view: Option<VariationPlace>) {
    let Some(view) = view.filter(|view| app.document.variations.contains_key(&view.place)) else {
        return;
    };
    let is_here = |turn: &crate::review::MatchTurn| (turn.game, turn.before.event) == view.place;
    let Some(at) = app.document.turns.iter().position(is_here) else {
        return;
    };
    app.at = at;
    begin(app);
    if let Some(open) = &mut app.variation {
        (open.line, open.dice) = (view.line, view.dice);
    }
    show(app, view.at);
}
