//! Collects variations while reading SGF: the actions of all branches after the first, with their places in
//! the game.

use std::collections::BTreeMap;

use super::board::play;
use super::syntax::{Property, head_of, unescape, value};
use crate::game::{GameState, PlayList, Player};
use crate::match_file::model::{Action, DecisionState, LonePosition, Match};
use crate::match_file::place::EventPlace;
use crate::match_file::text::LONGEST_REMARK;
use crate::match_file::variations::{MOST_ACTIONS, NodeId, Variations};
use crate::match_file::warnings::FilePlace;

/// Maximum nesting of branches.
const DEEPEST_BRANCH: usize = 10_000;
/// Maximum size of a remark, in bytes: a character has up to four.
const MOST_BYTES: usize = 4 * LONGEST_REMARK;

/// The place of a node in the variations of a game.
#[derive(Clone, Copy, Default)]
struct BranchPlace {
    /// Number of preceding events in the main line.
    event: usize,
    /// The preceding action of the variation, as an index into `actions`.
    parent: Option<usize>,
    /// A preceding action was not understood.
    is_lost: bool,
}

/// The place of an action in its tree.
#[derive(Clone, Copy)]
enum TreePlace {
    Root,
    /// After this action.
    Behind(NodeId),
    /// After an action that was not understood, so it is dropped too.
    Lost,
}

/// The meaning of an action in a variation.
enum Meaning {
    Action(Action),
    /// The other player lets a beaver stand, which changes nothing.
    LetsBeaverStand,
}

/// An action of a variation, as text.
struct WrittenAction {
    place: BranchPlace,
    player: Player,
    text: String,
    remark: String,
    line: FilePlace,
}

#[derive(Default)]
pub(super) struct Branches {
    open: Vec<BranchPlace>,
    /// Number of open branches beyond [`DEEPEST_BRANCH`].
    deeper: usize,
    here: BranchPlace,
    actions: Vec<WrittenAction>,
    /// A remark in its own node before the first action of its branch.
    pending: String,
    /// Place of the first unreadable action.
    lost: Option<FilePlace>,
    /// Place of the first action beyond the limit.
    too_many: Option<FilePlace>,
    /// Maximum number of actions kept.
    room: usize,
}

/// Skipped parts of the variations of a game: the first place of each kind.
#[derive(Default)]
#[must_use]
pub(super) struct LeftOut {
    /// An impossible action.
    pub(super) impossible: Option<FilePlace>,
    /// An action beyond the limit.
    pub(super) too_many: Option<FilePlace>,
    /// A remark that was shortened.
    pub(super) cut: Option<FilePlace>,
}

impl Branches {
    /// Creates an empty set of variations for a game, with `room` for actions in the file.
    pub(super) fn with_room(room: usize) -> Self {
        Self {
            room: room.min(MOST_ACTIONS),
            ..Self::default()
        }
    }

    /// Counts the actions.
    pub(super) fn count(&self) -> usize {
        self.actions.len()
    }

    /// Opens a branch. `main`: the number of preceding events, if the branch starts in the main line.
    pub(super) fn open(&mut self, main: Option<usize>) {
        if let Some(event) = main {
            self.here = BranchPlace {
                event,
                ..BranchPlace::default()
            };
        }
        if self.open.len() < DEEPEST_BRANCH {
            self.open.push(self.here);
        } else {
            self.deeper += 1;
        }
    }

    /// Closes a branch. The next branch starts where this one started.
    pub(super) fn close(&mut self) {
        self.pending.clear();
        match self.deeper.checked_sub(1) {
            // The start of a branch beyond the limit is unknown: skip nodes until a known branch ends.
            Some(left) => {
                self.deeper = left;
                self.here.is_lost = true;
            }
            None => self.here = self.open.pop().unwrap_or_default(),
        }
    }

    /// Reads a node of a variation.
    pub(super) fn node(&mut self, node: &[Property<'_>]) {
        let action = node.iter().find_map(|p| Some((p.player()?, p)));
        let sets = |p: &Property<'_>| p.sets_checkers() || matches!(&*p.name, "CV" | "CP" | "DI");
        let Some((player, property)) = action else {
            if let Some(property) = node.iter().find(|p| sets(p)) {
                self.lose(property.place);
            } else if !self.here.is_lost {
                self.remark(&remark(node));
            }
            return;
        };
        if self.here.is_lost {
            return;
        }
        if self.actions.len() >= self.room {
            self.here.is_lost = true;
            self.too_many.get_or_insert(property.place);
            return;
        }
        let mut remarks = std::mem::take(&mut self.pending);
        add_remark(&mut remarks, &remark(node));
        self.actions.push(WrittenAction {
            place: self.here,
            player,
            text: value(property).unwrap_or_default(),
            remark: remarks,
            line: property.place,
        });
        self.here.parent = Some(self.actions.len() - 1);
    }

    /// Adds a remark of its own node to the preceding action, or else to the next one.
    fn remark(&mut self, text: &str) {
        match self.here.parent.and_then(|i| self.actions.get_mut(i)) {
            Some(action) => add_remark(&mut action.remark, text),
            None => add_remark(&mut self.pending, text),
        }
    }

    fn lose(&mut self, place: FilePlace) {
        self.here.is_lost = true;
        self.lost.get_or_insert(place);
    }

    /// Adds the trees of game `index` by game and event. Returns the skipped parts.
    pub(super) fn trees(
        self,
        record: &Match,
        index: usize,
        trees: &mut BTreeMap<EventPlace, Variations>,
    ) -> LeftOut {
        let game = record.games.get(index).filter(|_| !self.actions.is_empty());
        let states = game.map_or_else(Vec::new, |game| record.decision_states(game));
        self.grow(index, |event| states.get(event).copied(), trees)
    }

    /// Returns the tree of a standalone position, in which `player` decides after `events` events.
    pub(super) fn of_lone(
        self,
        state: &GameState,
        player: Player,
        events: usize,
    ) -> (Option<Box<Variations>>, LeftOut) {
        let root = DecisionState {
            player,
            ..LonePosition::root(state)
        };
        let mut trees = BTreeMap::new();
        let left_out = self.grow(0, |event| (event == events).then_some(root), &mut trees);
        let tree = trees.remove(&(0, events)).map(|found| {
            // The player to decide becomes the left player, whatever the colour in the file.
            let mut tree = Variations::at(LonePosition::root(state));
            tree.merge(&found);
            Box::new(tree)
        });
        (tree, left_out)
    }

    /// Builds the trees of game `index`. `root` gives the decision after a number of events. Returns the
    /// skipped parts.
    fn grow(
        self,
        index: usize,
        root: impl Fn(usize) -> Option<DecisionState>,
        trees: &mut BTreeMap<EventPlace, Variations>,
    ) -> LeftOut {
        let mut left_out = LeftOut {
            impossible: self.lost,
            too_many: self.too_many,
            cut: None,
        };
        // For each action, the place of the actions that follow it.
        let mut places: Vec<TreePlace> = Vec::with_capacity(self.actions.len());
        for written in &self.actions {
            let root = root(written.place.event);
            let place = match written.place.parent {
                Some(i) => places.get(i).copied().unwrap_or(TreePlace::Lost),
                None => TreePlace::Root,
            };
            let added = root.and_then(|root| {
                let parent = match place {
                    TreePlace::Root => None,
                    TreePlace::Behind(node) => Some(node),
                    TreePlace::Lost => return None,
                };
                let key = (index, written.place.event);
                let tree = trees.entry(key).or_insert_with(|| Variations::at(root));
                let place = match meaning(tree.after(parent), written)? {
                    Meaning::Action(action) => TreePlace::Behind(tree.add(parent, action).ok()?),
                    Meaning::LetsBeaverStand => place,
                };
                if let TreePlace::Behind(node) = place
                    && tree.remark(node, &written.remark)
                {
                    left_out.cut.get_or_insert(written.line);
                }
                Some(place)
            });
            if added.is_none() {
                left_out.impossible.get_or_insert(written.line);
            }
            places.push(added.unwrap_or(TreePlace::Lost));
        }
        trees.retain(|_, tree| !tree.is_empty());
        left_out
    }
}

/// Returns the remark of a node, or an empty string.
fn remark(node: &[Property<'_>]) -> String {
    let property = node.iter().find(|property| property.name == "C");
    let text = property.and_then(|property| property.values.first());
    text.map_or_else(String::new, |text| unescape(head_of(text), false))
}

/// Appends a remark, until the limit in bytes is exceeded.
fn add_remark(all: &mut String, text: &str) {
    if text.is_empty() || all.len() > MOST_BYTES {
        return;
    }
    if !all.is_empty() {
        all.push('\n');
    }
    all.push_str(text);
}

/// Returns the meaning of the text, if the action is legal.
fn meaning(before: Option<DecisionState>, written: &WrittenAction) -> Option<Meaning> {
    let before = before?;
    let (text, state) = (written.text.trim().to_ascii_lowercase(), &before.state);
    if &*text == "take" && !state.doubled && written.player == before.player {
        return Some(Meaning::LetsBeaverStand);
    }
    if written.player != before.player {
        return None;
    }
    Some(Meaning::Action(match &*text {
        "double" | "redouble" | "beaver" if state.doubled => Action::Beaver { to: 0 },
        "double" | "redouble" => Action::Double { to: 0 },
        "take" | "accept" => Action::Take,
        "drop" | "pass" | "reject" => Action::Pass,
        _ => {
            let (roll, written) = play(written.player, &text)?;
            let list = PlayList::of(&state.position, roll);
            let play = match *list.plays() {
                [only] if written.is_empty() => only,
                _ => written.resolve(&state.position, roll, &list).ok()?.play,
            };
            Action::Move { roll, play }
        }
    }))
}
