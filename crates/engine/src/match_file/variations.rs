//! Alternative actions at one place of a match or of a position: a tree of variations.
//!
//! The root is the state before the roll, so a variation may begin with other dice, another play of the same
//! dice, or a cube action. Each node is a legal action: a tree from a file with an impossible action is
//! refused.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::action::{Action, DecisionState};
use super::bounded::first;
use super::cube::LARGEST_CUBE;
use super::remark::{LONGEST_REMARK, clean_lines};
use crate::game::position::BAR;
use crate::game::{CubeOwner, GameState, Play, PlayList, Position, Roll, Step};

/// Maximum number of actions in a tree, removed ones included.
pub const MOST_ACTIONS: usize = 10_000;
/// Maximum number of actions in all trees of a file.
pub(super) const MOST_IN_FILE: usize = 2 * MOST_ACTIONS;
/// Maximum number of actions in one line.
pub const DEEPEST: usize = 1_000;

/// The index of an action in its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

/// Why an action cannot be added to a tree, or a tree cannot be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum VariationError {
    /// The action with this number, from 0, is impossible in its state.
    #[error("action {} is not possible where it stands", .0 + 1)]
    Impossible(usize),
    #[error("a tree has at most {MOST_ACTIONS} actions")]
    Full,
    #[error("the variations of a file have at most {MOST_IN_FILE} actions")]
    NoRoom,
    #[error("a variation has at most {DEEPEST} actions")]
    TooDeep,
    /// The text is not a valid tree.
    #[error("it is damaged: {0}")]
    Damaged(String),
}

/// An action of a variation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariationNode {
    /// The preceding action; `None` at the root.
    pub parent: Option<NodeId>,
    pub action: Action,
    /// The decision before the action, with the dice if there were any.
    pub before: DecisionState,
    /// The next decision; `None` when the game is over.
    pub after: Option<DecisionState>,
    /// The file's remark on the action, sanitised; line feeds separate its lines.
    pub comment: Option<Box<str>>,
    children: Vec<NodeId>,
    is_removed: bool,
}

/// The variations at one place: see the [module](self).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variations {
    root: DecisionState,
    nodes: Vec<VariationNode>,
    first: Vec<NodeId>,
}

/// A displayed row of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VariationRow {
    pub node: NodeId,
    /// Depth of branching, 0 for the first variation.
    pub indent: usize,
    /// The row begins an alternative branch.
    pub is_branch: bool,
}

/// A part of the tree that is not displayed yet.
enum ToShow {
    Row(VariationRow),
    /// The actions after this one, at this indent.
    Following(Option<NodeId>, usize),
}

impl Variations {
    /// Creates a tree without variations. The dice of `root` are removed.
    pub fn at(mut root: DecisionState) -> Self {
        root.state.roll = None;
        Self {
            root,
            nodes: Vec::new(),
            first: Vec::new(),
        }
    }

    /// Returns the decision at the root, before the roll.
    pub fn root(&self) -> &DecisionState {
        &self.root
    }

    pub fn node(&self, id: NodeId) -> Option<&VariationNode> {
        self.nodes.get(id.0 as usize)
    }

    /// Returns the actions that follow `parent`, oldest first; those at the root for `None`.
    pub fn children(&self, parent: Option<NodeId>) -> impl DoubleEndedIterator<Item = NodeId> + '_ {
        let is_here = |id: &NodeId| self.node(*id).is_some_and(|node| !node.is_removed);
        self.with_removed(parent).iter().copied().filter(is_here)
    }

    fn with_removed(&self, parent: Option<NodeId>) -> &[NodeId] {
        match parent.map(|id| self.node(id)) {
            None => &self.first,
            Some(node) => node.map_or(&[], |node| &node.children),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.children(None).next().is_none()
    }

    /// Returns the decision after `parent`, before the roll; `None` when the game is over.
    pub fn after(&self, parent: Option<NodeId>) -> Option<DecisionState> {
        match parent {
            None => Some(self.root).filter(|root| !root.state.position.is_over()),
            Some(id) => self.node(id)?.after,
        }
    }

    /// Adds an action after `parent`, or returns the node that it already has.
    ///
    /// # Errors
    /// If the action is impossible there, or a limit is reached.
    pub fn add(
        &mut self,
        parent: Option<NodeId>,
        action: Action,
    ) -> Result<NodeId, VariationError> {
        let impossible = VariationError::Impossible(self.nodes.len());
        let before = self.after(parent).ok_or(impossible.clone())?;
        let (action, before, after) = step(&before, action).ok_or(impossible)?;
        if let Some(known) = self.find(self.children(parent), &action, after.as_ref()) {
            return Ok(known);
        }
        if self.nodes.len() >= MOST_ACTIONS {
            return Err(VariationError::Full);
        }
        if before.event.saturating_sub(self.root.event) >= DEEPEST {
            return Err(VariationError::TooDeep);
        }
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(VariationNode {
            parent,
            action,
            before,
            after,
            comment: None,
            children: Vec::new(),
            is_removed: false,
        });
        match parent.and_then(|id| self.nodes.get_mut(id.0 as usize)) {
            Some(parent) => parent.children.push(id),
            None => self.first.push(id),
        }
        Ok(id)
    }

    /// Appends a remark to those of an action. Returns whether it was shortened to [`LONGEST_REMARK`].
    pub(super) fn remark(&mut self, id: NodeId, text: &str) -> bool {
        let (text, is_cut) = clean_lines(text);
        let Some(node) = self.nodes.get_mut(id.0 as usize) else {
            return false;
        };
        let known = node.comment.as_deref().unwrap_or_default();
        // Compare whole lines: "good" is a part of "not good".
        let is_known = || format!("\n{known}\n").contains(&format!("\n{text}\n"));
        if text.is_empty() || is_known() {
            return is_cut;
        }
        let mut all = match known.is_empty() {
            true => text,
            false => format!("{known}\n{text}"),
        };
        let end = all.char_indices().nth(LONGEST_REMARK);
        if let Some((end, _)) = end {
            all.truncate(end);
            all.truncate(all.trim_end().len());
        }
        node.comment = Some(all.into());
        is_cut || end.is_some()
    }

    /// Counts the actions with a remark.
    pub fn remarks(&self) -> usize {
        let rows = self.rows();
        let nodes = rows.iter().filter_map(|row| self.node(row.node));
        nodes.filter(|node| node.comment.is_some()).count()
    }

    /// Returns the node among these with the same action and the same resulting state.
    fn find(
        &self,
        mut among: impl Iterator<Item = NodeId>,
        action: &Action,
        after: Option<&DecisionState>,
    ) -> Option<NodeId> {
        among.find(|id| {
            let node = self.node(*id);
            node.is_some_and(|n| n.after.as_ref() == after && is_alike(&n.action, action))
        })
    }

    /// Returns whether an action was removed here and not added again since.
    fn has_removed(&self, parent: Option<NodeId>, node: &VariationNode) -> bool {
        let (action, after) = (&node.action, node.after.as_ref());
        let is_here = self.find(self.children(parent), action, after).is_some();
        let removed = self.with_removed(parent).iter().copied();
        !is_here && self.find(removed, action, after).is_some()
    }

    /// Removes an action with its continuation, or restores it.
    pub fn set_removed(&mut self, id: NodeId, is_removed: bool) {
        if let Some(node) = self.nodes.get_mut(id.0 as usize) {
            node.is_removed = is_removed;
        }
    }

    /// Returns the actions from the root to this one.
    pub fn line_to(&self, id: NodeId) -> Vec<NodeId> {
        let up = |id: &NodeId| self.node(*id).and_then(|node| node.parent);
        let mut line: Vec<NodeId> = std::iter::successors(Some(id), up).collect();
        line.reverse();
        line
    }

    /// Extends a line by the most recent continuation until the tree ends.
    pub fn extend(&self, line: &mut Vec<NodeId>) {
        while let Some(next) = self.children(line.last().copied()).next_back() {
            line.push(next);
        }
    }

    pub fn count(&self) -> usize {
        self.rows().len()
    }

    /// Counts the variations: paths from the root to a leaf.
    pub fn leaves(&self) -> usize {
        let is_leaf = |row: &&VariationRow| self.children(Some(row.node)).next().is_none();
        self.rows().iter().filter(is_leaf).count()
    }

    /// Returns the rows of the tree from top to bottom. After an action come its alternatives, indented, and
    /// then its continuation.
    pub fn rows(&self) -> Vec<VariationRow> {
        let mut rows = Vec::with_capacity(self.nodes.len());
        // A stack: the last element is displayed next.
        let mut to_come = vec![ToShow::Following(None, 0)];
        while let Some(next) = to_come.pop() {
            let (parent, indent) = match next {
                ToShow::Row(row) => {
                    rows.push(row);
                    continue;
                }
                ToShow::Following(parent, indent) => (parent, indent),
            };
            let mut all = self.children(parent);
            let Some(first) = all.next() else { continue };
            let row = |node, indent, is_branch| {
                ToShow::Row(VariationRow {
                    node,
                    indent,
                    is_branch,
                })
            };
            to_come.push(ToShow::Following(Some(first), indent));
            for other in all.rev() {
                to_come.push(ToShow::Following(Some(other), indent + 1));
                to_come.push(row(other, indent + 1, true));
            }
            to_come.push(row(first, indent, false));
        }
        rows
    }

    /// Adds all actions of another tree of the same place, except those that are impossible or were removed
    /// here. Existing remarks are kept.
    pub fn merge(&mut self, other: &Self) {
        let mut places = vec![None; other.nodes.len()];
        for (i, node) in other.nodes.iter().enumerate() {
            if node.is_removed {
                continue;
            }
            let parent = match node.parent {
                None => None,
                // Skip the continuation of a skipped action.
                Some(id) => match places[id.0 as usize] {
                    None => continue,
                    known => known,
                },
            };
            if !self.has_removed(parent, node) {
                places[i] = self.add(parent, node.action).ok();
            }
            let own = places[i].and_then(|id| self.nodes.get_mut(id.0 as usize));
            if let Some(own) = own.filter(|own| own.comment.is_none()) {
                own.comment.clone_from(&node.comment);
            }
        }
    }

    /// Returns the tree as JSON, without removed actions.
    pub fn to_json(&self) -> String {
        // As in `nodes`, an action follows its parent.
        let mut places = vec![None; self.nodes.len()];
        let mut stored = Vec::new();
        for (i, node) in self.nodes.iter().enumerate() {
            let after = match node.parent {
                None => None,
                Some(id) => match places[id.0 as usize] {
                    None => continue,
                    place => place,
                },
            };
            if node.is_removed {
                continue;
            }
            places[i] = Some(stored.len());
            stored.push(StoredAction::new(after, node));
        }
        serde_json::to_string(&stored).unwrap_or_default()
    }

    /// Reads a tree from JSON.
    ///
    /// # Errors
    /// If the text is not a valid tree, or an action in it is impossible.
    pub fn from_json(root: DecisionState, text: &str) -> Result<Self, VariationError> {
        let mut room = MOST_ACTIONS;
        Self::from_json_within(root, text, &mut room).map(|(tree, _)| tree)
    }

    /// Reads one of several trees of a file, as [`Variations::from_json`] does. Subtracts its actions from
    /// `room`, even if the tree is refused. Also returns whether a remark was shortened.
    pub(super) fn from_json_within(
        root: DecisionState,
        text: &str,
        room: &mut usize,
    ) -> Result<(Self, bool), VariationError> {
        let damaged = |e: serde_json::Error| VariationError::Damaged(e.to_string());
        let StoredTree(stored) = serde_json::from_str(text).map_err(damaged)?;
        if stored.len() > MOST_ACTIONS {
            return Err(VariationError::Full);
        }
        if stored.len() > *room {
            *room = 0;
            return Err(VariationError::NoRoom);
        }
        *room -= stored.len();
        let mut tree = Self::at(root);
        let mut places = Vec::with_capacity(stored.len());
        let mut is_cut = false;
        for (i, stored) in stored.into_iter().enumerate() {
            let impossible = || VariationError::Impossible(i);
            let parent = match stored.after {
                None => None,
                Some(after) => Some(*places.get(after).ok_or_else(impossible)?),
            };
            let before = tree.after(parent).ok_or_else(impossible)?;
            let action = stored.action(&before.state).ok_or_else(impossible)?;
            let added = tree.add(parent, action);
            let id = added.map_err(|error| match error {
                VariationError::Impossible(_) => impossible(),
                error => error,
            })?;
            if let Some(comment) = stored.comment {
                is_cut |= tree.remark(id, &comment);
            }
            places.push(id);
        }
        tree.nodes.shrink_to_fit();
        Ok((tree, is_cut))
    }
}

/// Returns whether two actions with the same resulting state are equal, ignoring the order of steps.
fn is_alike(one: &Action, other: &Action) -> bool {
    match (one, other) {
        (Action::Move { roll: a, .. }, Action::Move { roll: b, .. }) => a == b,
        _ => one == other,
    }
}

/// Carries out an action at a decision before the roll. Returns the normalised action, the decision with its
/// dice, and the next decision. `None` if the action is impossible.
fn step(
    before: &DecisionState,
    action: Action,
) -> Option<(Action, DecisionState, Option<DecisionState>)> {
    let mut before = *before;
    let (mut state, is_over) = (before.state, before.state.position.is_over());
    let (event, player) = (before.event + 1, before.player.other());
    let next = |state: GameState| DecisionState {
        event,
        player,
        state: GameState {
            roll: None,
            ..state.flipped()
        },
    };
    let after = match action {
        _ if is_over => return None,
        Action::Move { roll, play } if !state.doubled => {
            let play = legal(&state.position, roll, &play)?;
            let result = play.apply(&state.position);
            before.state.roll = Some(roll);
            state.position = result.flipped();
            let over = result.is_over();
            let after = (!over).then(|| next(state));
            return Some((Action::Move { roll, play }, before, after));
        }
        Action::Double { .. } if is_double_allowed(&before) => {
            let to = state.cube.checked_mul(2)?;
            state.doubled = true;
            return Some((Action::Double { to }, before, Some(next(state))));
        }
        Action::Take if state.doubled => {
            (state.cube, state.owner) = (state.cube.checked_mul(2)?, CubeOwner::Mover);
            state.doubled = false;
            Some(next(state))
        }
        Action::Beaver { .. } if may_beaver(&state) => {
            let to = state.cube.checked_mul(4)?;
            (state.cube, state.owner) = (to, CubeOwner::Mover);
            state.doubled = false;
            return Some((Action::Beaver { to }, before, Some(next(state))));
        }
        Action::Pass if state.doubled => None,
        _ => return None,
    };
    Some((action, before, after))
}

/// Returns whether this is a starting position of backgammon or Nackgammon.
pub fn is_start(position: &Position) -> bool {
    [Position::opening(), Position::nackgammon()].contains(position)
}

/// Returns whether this is the first roll of a game: nobody may double before it.
pub fn is_first_roll(before: &DecisionState) -> bool {
    before.event == 0 && is_start(&before.state.position)
}

/// Returns whether the player may double here and can gain by it. A player cannot double before the first
/// roll of a game, nor beyond the largest cube that a file may contain.
pub fn may_double(before: &DecisionState) -> bool {
    before.state.may_double() && is_double_allowed(before)
}

/// Returns whether the rules allow a double here, even if it cannot gain anything: a record may contain one.
pub fn is_double_allowed(before: &DecisionState) -> bool {
    let is_allowed = before.state.is_double_allowed() && !is_first_roll(before);
    is_allowed && before.state.cube < LARGEST_CUBE / 2
}

/// Returns whether the player may take and redouble at once.
pub fn may_beaver(state: &GameState) -> bool {
    state.doubled && state.allows_beavers() && state.cube < LARGEST_CUBE / 4
}

/// Returns the legal play with the same result as `play`.
fn legal(position: &Position, roll: Roll, play: &Play) -> Option<Play> {
    let is_sound = |s: Step| (1..=BAR).contains(&usize::from(s.from)) && usize::from(s.to) < BAR;
    if !play.steps().all(is_sound) {
        return None;
    }
    PlayList::of(position, roll).play_to(&play.apply(position))
}

/// A tree in a file, read up to one action more than [`MOST_ACTIONS`]: enough to detect that it is too large.
#[derive(Deserialize)]
#[serde(transparent)]
struct StoredTree(
    #[serde(deserialize_with = "first::<{ MOST_ACTIONS + 1 }, _, _>")] Vec<StoredAction>,
);

/// An action in a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct StoredAction {
    /// Index of the preceding action in the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    after: Option<usize>,
    /// The dice, or a word for a cube action.
    did: String,
    /// Origin and destination of each step.
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "first::<5, _, _>"
    )]
    steps: Vec<[u8; 2]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    comment: Option<Box<str>>,
}

impl StoredAction {
    fn new(after: Option<usize>, node: &VariationNode) -> Self {
        let (did, steps) = match &node.action {
            Action::Move { roll, play } => (
                roll.to_string(),
                play.steps().map(|step| [step.from, step.to]).collect(),
            ),
            Action::Double { .. } => ("double".to_owned(), Vec::new()),
            Action::Take => ("take".to_owned(), Vec::new()),
            Action::Beaver { .. } => ("beaver".to_owned(), Vec::new()),
            _ => ("pass".to_owned(), Vec::new()),
        };
        Self {
            after,
            did,
            steps,
            comment: node.comment.clone(),
        }
    }

    fn action(&self, state: &GameState) -> Option<Action> {
        Some(match &*self.did {
            "double" => Action::Double { to: state.cube },
            "take" => Action::Take,
            "pass" => Action::Pass,
            "beaver" => Action::Beaver { to: state.cube },
            dice => {
                let steps = self.steps.iter().map(|&[from, to]| Step { from, to });
                let steps: Vec<Step> = steps.collect();
                if steps.len() > 4 {
                    return None;
                }
                Action::Move {
                    roll: dice.parse().ok()?,
                    play: Play::new(&steps),
                }
            }
        })
    }
}

#[cfg(test)]
mod tests;
