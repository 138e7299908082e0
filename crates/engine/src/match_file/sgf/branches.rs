//! Variations on the way in: the actions of all branches behind the first of each game, by where they hang.

use std::collections::BTreeMap;

use super::board::play;
use super::syntax::{Property, head_of, unescape, value};
use crate::game::{GameState, PlayList, Player};
use crate::match_file::model::{Action, DecisionState, LonePosition, Match};
use crate::match_file::place::EventPlace;
use crate::match_file::text::LONGEST_REMARK;
use crate::match_file::variations::{MOST_ACTIONS, NodeId, Variations};
use crate::match_file::warnings::FilePlace;

/// Branches in branches are followed so deep.
const DEEPEST_BRANCH: usize = 10_000;
/// Most bytes of a remark, as characters have up to four.
const MOST_BYTES: usize = 4 * LONGEST_REMARK;

/// Where a node hangs.
#[derive(Clone, Copy, Default)]
struct BranchPlace {
    /// Events of the main line before it.
    event: usize,
    /// The action of a variation before it.
    parent: Option<usize>,
    /// Whether something before it was not understood.
    is_lost: bool,
}

/// Where an action hangs in its tree.
#[derive(Clone, Copy)]
enum TreePlace {
    Root,
    /// Behind this action.
    Behind(NodeId),
    /// Behind one that was not understood: it is left out with it.
    Lost,
}

/// What an action of a variation means.
enum Meaning {
    Action(Action),
    /// The other player lets a beaver stand, which changes nothing.
    LetsBeaverStand,
}

/// An action of a variation as it is written.
struct WrittenAction {
    place: BranchPlace,
    player: Player,
    text: String,
    remark: String,
    line: FilePlace,
}

/// The variations of a game.
#[derive(Default)]
pub(super) struct Branches {
    open: Vec<BranchPlace>,
    /// Branches open beyond the deepest that is kept.
    deeper: usize,
    here: BranchPlace,
    actions: Vec<WrittenAction>,
    /// A remark in a node of its own, before the first action of its branch.
    pending: String,
    /// What is not read.
    lost: Option<FilePlace>,
    /// Actions that the file has no room for.
    too_many: Option<FilePlace>,
    /// How many actions are kept.
    room: usize,
}

/// What was not read of the variations of a game: the place of the first each.
#[derive(Default)]
#[must_use]
pub(super) struct LeftOut {
    /// What could not have been played.
    pub(super) impossible: Option<FilePlace>,
    /// What was too much.
    pub(super) too_many: Option<FilePlace>,
    /// A remark that is too long.
    pub(super) cut: Option<FilePlace>,
}

impl Branches {
    /// The variations of a game, in a file that has room for so many actions.
    pub(super) fn with_room(room: usize) -> Self {
        Self {
            room: room.min(MOST_ACTIONS),
            ..Self::default()
        }
    }

    /// How many actions there are.
    pub(super) fn count(&self) -> usize {
        self.actions.len()
    }

    /// A branch opens, in the main line behind so many events.
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

    /// Closes a branch: what follows hangs where the branch hung.
    pub(super) fn close(&mut self) {
        self.pending.clear();
        match self.deeper.checked_sub(1) {
            // Where these hung is not known: what follows is left out up to the next that is.
            Some(left) => {
                self.deeper = left;
                self.here.is_lost = true;
            }
            None => self.here = self.open.pop().unwrap_or_default(),
        }
    }

    /// Takes in a node of a variation.
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

    /// A remark in a node of its own: about the action before it, or about the next one.
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

    /// The trees of game `index` of a match, by game and event. Answers what was not read.
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

    /// The tree of a position that stands alone, in which `player` decides behind so many events.
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
            // Whatever its colour in the file, the player who decides is the left one.
            let mut tree = Variations::at(LonePosition::root(state));
            tree.merge(&found);
            Box::new(tree)
        });
        (tree, left_out)
    }

    /// The trees of game `index`, each from the root behind so many events. Answers what was not read.
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
        // Of each where that hangs which follows it.
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

/// The remark of a node, empty where there is none.
fn remark(node: &[Property<'_>]) -> String {
    let property = node.iter().find(|property| property.name == "C");
    let text = property.and_then(|property| property.values.first());
    text.map_or_else(String::new, |text| unescape(head_of(text), false))
}

/// Puts a further remark behind those that are there, up to more bytes than are kept of them.
fn add_remark(all: &mut String, text: &str) {
    if text.is_empty() || all.len() > MOST_BYTES {
        return;
    }
    if !all.is_empty() {
        all.push('\n');
    }
    all.push_str(text);
}

/// What was written, where it is legal.
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
