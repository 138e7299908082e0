//! Players' names: which names belong to one player, and which to the user.

use std::collections::{BTreeMap, BTreeSet};

use super::names::fold;
use crate::game::Player;

/// Assigns names to players. A name without an assignment is a player of its own; spelling is ignored ([`fold`]).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct People {
    /// The player of a folded name, if it differs from the name.
    others: BTreeMap<String, String>,
    /// The folded names that the user claimed, without other names of the same player: later changes to players can
    /// then be undone without a trace.
    me: BTreeSet<String>,
}

/// A folded name and the folded name of its player.
#[derive(Clone, Debug)]
pub(super) struct FoldedName {
    name: String,
    player: String,
}

impl FoldedName {
    /// Returns whether the name belongs to this player, a folded name as from [`People::player`].
    pub(super) fn is_of(&self, player: &str) -> bool {
        self.player == player
    }
}

impl People {
    /// Returns the folded name of the player to whom a name belongs.
    pub fn player(&self, name: &str) -> String {
        self.player_of(&fold(name)).to_owned()
    }

    /// Returns the player to whom a folded name belongs.
    fn player_of<'a>(&'a self, folded: &'a str) -> &'a str {
        self.others.get(folded).map_or(folded, String::as_str)
    }

    /// Returns whether a name matches a search: it belongs to that player, or contains the text in its own spelling
    /// or in its player's name.
    pub fn is_called(&self, name: &str, wanted: &str) -> bool {
        self.is_folded_called(&self.folded(name), &fold(wanted))
    }

    /// Returns the index of the player who matches a search, as [`People::is_called`] defines. A whole name takes
    /// precedence over a part.
    pub fn side_of(&self, players: &[String; 2], wanted: &str) -> Option<usize> {
        let player = self.player(wanted);
        let whole = players.iter().position(|name| self.player(name) == player);
        whole.or_else(|| players.iter().position(|name| self.is_called(name, wanted)))
    }

    /// Returns the folded names of the players meant by a name: the player with that name, or else all who have it in
    /// a name. Unlike in [`People::side_of`], a whole name among all `names` takes precedence.
    pub fn meant<'a>(
        &self,
        names: impl IntoIterator<Item = &'a str>,
        wanted: &str,
    ) -> BTreeSet<String> {
        let player = self.player(wanted);
        let names = names.into_iter();
        let called = names.filter(|name| self.is_called(name, wanted));
        let mut meant: BTreeSet<String> = called.map(|name| self.player(name)).collect();
        if meant.contains(&player) {
            meant.retain(|one| *one == player);
        }
        meant
    }

    /// Folds a name for [`People::is_folded_called`].
    pub(super) fn folded(&self, name: &str) -> FoldedName {
        FoldedName {
            name: fold(name),
            player: self.player(name),
        }
    }

    /// Returns whether a folded name matches a search, as [`People::is_called`] defines; `wanted` is folded, too.
    pub(super) fn is_folded_called(&self, of: &FoldedName, wanted: &str) -> bool {
        let player = self.player_of(wanted);
        of.player == player || of.player.contains(wanted) || of.name.contains(wanted)
    }

    /// Returns whether a name is the user's: one of its player's names was claimed.
    pub fn is_me(&self, name: &str) -> bool {
        let player = self.player(name);
        self.me.iter().any(|mine| self.player_of(mine) == player)
    }

    /// Returns which player of a match is the user; `None` if unknown or both are.
    pub fn own_side(&self, players: &[String; 2]) -> Option<Player> {
        let is_me = |name: &String| self.knows_me() && self.is_me(name);
        match players.each_ref().map(is_me) {
            [true, false] => Some(Player::Left),
            [false, true] => Some(Player::Right),
            _ => None,
        }
    }

    /// Returns whether the user has claimed a name.
    pub fn knows_me(&self) -> bool {
        !self.me.is_empty()
    }

    /// The folded names that belong to another name's player, with that player.
    pub fn aliases(&self) -> impl Iterator<Item = (&str, &str)> {
        self.others.iter().map(|(a, b)| (a.as_str(), b.as_str()))
    }

    /// The players who are the user.
    pub fn mine(&self) -> impl Iterator<Item = &str> {
        let players: BTreeSet<&str> = self.me.iter().map(|name| self.player_of(name)).collect();
        players.into_iter()
    }

    /// Claims `name` as the user's, or gives up all names of its player.
    pub fn set_me(&mut self, name: &str, is_me: bool) {
        if is_me {
            self.me.insert(fold(name));
        } else {
            let player = self.player(name);
            let mut mine = std::mem::take(&mut self.me);
            mine.retain(|name| self.player_of(name) != player);
            self.me = mine;
        }
    }

    /// Assigns `name`, with all names of its player, to the player called `player`. If either is the user, all these
    /// names are the user's until they are separated.
    pub fn set_same(&mut self, name: &str, player: &str) {
        let (old, new) = (self.player(name), self.player(player));
        if old == new {
            return;
        }
        for of in self.others.values_mut().filter(|of| **of == old) {
            new.clone_into(of);
        }
        self.others.insert(old, new);
    }

    /// Makes `name` a player of its own. An alias loses its assignment. If other names were assigned to `name`, the
    /// first of them in folded order becomes their player. Only names that were claimed remain the user's.
    pub fn set_alone(&mut self, name: &str) {
        let name = fold(name);
        if self.others.remove(&name).is_some() {
            return;
        }
        let first = self.aliases().find(|(_, player)| *player == name);
        let Some(first) = first.map(|(first, _)| first.to_owned()) else {
            return;
        };
        self.others.remove(&first);
        for player in self.others.values_mut().filter(|of| **of == name) {
            first.clone_into(player);
        }
    }

    /// The rows to store: a folded name, its player, and whether that is the user.
    pub fn rows(&self) -> impl Iterator<Item = (&str, &str, bool)> {
        let aliases = self.aliases().map(|(name, player)| (name, player, false));
        let mine = self.me.iter().map(String::as_str);
        aliases.chain(mine.map(|name| (name, name, true)))
    }

    /// Restores the assignment from stored rows.
    pub fn from_rows(rows: impl IntoIterator<Item = (String, String, bool)>) -> Self {
        let mut people = Self::default();
        for (name, player, me) in rows {
            // They may have been folded by older rules.
            let (name, player) = (fold(&name), fold(&player));
            if me {
                people.me.insert(player);
            } else if name != player {
                people.others.insert(name, player);
            }
        }
        people
    }
}
