//! Who is who: the names that belong to one player, and which of them are the user's own.

use std::collections::{BTreeMap, BTreeSet};

use super::names::fold;

/// The players behind names. A name of which nothing was said is a player of its own; how it is written
/// does not matter ([`fold`]).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct People {
    /// The player of a folded name, where that is another name.
    others: BTreeMap<String, String>,
    me: BTreeSet<String>,
}

/// A name and the player whom it belongs to, both folded.
#[derive(Clone, Debug)]
pub(super) struct FoldedName {
    name: String,
    player: String,
}

impl FoldedName {
    /// Whether the name belongs to this player, a folded name as of [`People::player`].
    pub(super) fn is_of(&self, player: &str) -> bool {
        self.player == player
    }
}

impl People {
    /// The player whom a name belongs to, as a folded name.
    #[must_use]
    pub fn player(&self, name: &str) -> String {
        let folded = fold(name);
        match self.others.get(&folded) {
            Some(player) => player.clone(),
            None => folded,
        }
    }

    /// Whether a name belongs to the player who is searched for. It does if it is of the same player, or has
    /// the given part in it, as it is written or as the player is called.
    #[must_use]
    pub fn is_called(&self, name: &str, wanted: &str) -> bool {
        self.is_folded_called(&self.folded(name), &fold(wanted))
    }

    /// The place of the one of two players who is asked for, as [`People::is_called`] has it. A whole name goes
    /// before a part of one.
    #[must_use]
    pub fn side_of(&self, players: &[String; 2], wanted: &str) -> Option<usize> {
        let player = self.player(wanted);
        let whole = players.iter().position(|name| self.player(name) == player);
        whole.or_else(|| players.iter().position(|name| self.is_called(name, wanted)))
    }

    /// The players among `names` who are meant by a name, as folded names: the one whose name it is, or else all those
    /// who have it in a name. Unlike in [`People::side_of`], a whole name anywhere goes before its parts.
    #[must_use]
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

    /// A name as [`People::is_folded_called`] takes it.
    pub(super) fn folded(&self, name: &str) -> FoldedName {
        FoldedName {
            name: fold(name),
            player: self.player(name),
        }
    }

    /// Whether a folded name belongs to the player who is searched for, as [`People::is_called`] has it;
    /// `wanted` is folded too.
    pub(super) fn is_folded_called(&self, of: &FoldedName, wanted: &str) -> bool {
        let player = self.others.get(wanted).map_or(wanted, String::as_str);
        of.player == player || of.player.contains(wanted) || of.name.contains(wanted)
    }

    /// Whether a name is the user's own.
    #[must_use]
    pub fn is_me(&self, name: &str) -> bool {
        self.me.contains(&self.player(name))
    }

    /// Whether it is known who the user is.
    #[must_use]
    pub fn knows_me(&self) -> bool {
        !self.me.is_empty()
    }

    /// The folded names that stand for another player, each with that player.
    pub fn aliases(&self) -> impl Iterator<Item = (&str, &str)> {
        self.others.iter().map(|(a, b)| (a.as_str(), b.as_str()))
    }

    /// The players who are the user.
    pub fn mine(&self) -> impl Iterator<Item = &str> {
        self.me.iter().map(String::as_str)
    }

    /// Makes `name` the user's own, or no longer that.
    pub fn set_me(&mut self, name: &str, is_me: bool) {
        let player = self.player(name);
        if is_me {
            self.me.insert(player);
        } else {
            self.me.remove(&player);
        }
    }

    /// Makes `name` belong to the player who goes by `player`, with all names that belonged to it.
    pub fn set_same(&mut self, name: &str, player: &str) {
        let (old, new) = (self.player(name), self.player(player));
        if old == new {
            return;
        }
        for of in self.others.values_mut().filter(|of| **of == old) {
            new.clone_into(of);
        }
        if self.me.remove(&old) {
            self.me.insert(new.clone());
        }
        self.others.insert(old, new);
    }

    /// Makes `name` a player of its own again. A name that stood for another loses what was said of that
    /// player. Where others stand for `name`, the first of them, in the order of folded names, becomes the
    /// player of the rest. If that player is the user, all of these names stay the user's own.
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
        if self.me.contains(&name) {
            self.me.insert(first);
        }
    }

    /// The rows to be kept: a folded name, the player it belongs to, and whether that is the user.
    pub fn rows(&self) -> impl Iterator<Item = (&str, &str, bool)> {
        let aliases = self.aliases().map(|(name, player)| (name, player, false));
        aliases.chain(self.mine().map(|name| (name, name, true)))
    }

    /// The players behind names, from rows that were kept.
    pub fn from_rows(rows: impl IntoIterator<Item = (String, String, bool)>) -> Self {
        let mut people = Self::default();
        for (name, player, me) in rows {
            // They were folded by the rules of their day.
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
