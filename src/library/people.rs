//! Who is who: the names that belong to one player, and which of them are the user's own.

use std::collections::{BTreeMap, BTreeSet};

use super::names::fold;
use crate::game::Player;

/// The players behind names. A name of which nothing was said is a player of its own; how it is written
/// does not matter ([`fold`]).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct People {
    /// The player of a folded name, where that is another name.
    others: BTreeMap<String, String>,
    /// The folded names that the user said are their own, and not those of the same player: what becomes of players
    /// later is undone without a trace.
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
    pub fn player(&self, name: &str) -> String {
        self.player_of(&fold(name)).to_owned()
    }

    /// The player whom a folded name belongs to.
    fn player_of<'a>(&'a self, folded: &'a str) -> &'a str {
        self.others.get(folded).map_or(folded, String::as_str)
    }

    /// Whether a name belongs to the player who is searched for. It does if it is of the same player, or has
    /// the given part in it, as it is written or as the player is called.
    pub fn is_called(&self, name: &str, wanted: &str) -> bool {
        self.is_folded_called(&self.folded(name), &fold(wanted))
    }

    /// The place of the one of two players who is asked for, as [`People::is_called`] has it. A whole name goes
    /// before a part of one.
    pub fn side_of(&self, players: &[String; 2], wanted: &str) -> Option<usize> {
        let player = self.player(wanted);
        let whole = players.iter().position(|name| self.player(name) == player);
        whole.or_else(|| players.iter().position(|name| self.is_called(name, wanted)))
    }

    /// The players among `names` who are meant by a name, as folded names: the one whose name it is, or else all those
    /// who have it in a name. Unlike in [`People::side_of`], a whole name anywhere goes before its parts.
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
        let player = self.player_of(wanted);
        of.player == player || of.player.contains(wanted) || of.name.contains(wanted)
    }

    /// Whether a name is the user's own: one of the names of its player is.
    pub fn is_me(&self, name: &str) -> bool {
        let player = self.player(name);
        self.me.iter().any(|mine| self.player_of(mine) == player)
    }

    /// Which of the players of a match is the user; `None` where that is unknown, or both are.
    pub fn own_side(&self, players: &[String; 2]) -> Option<Player> {
        let is_me = |name: &String| self.knows_me() && self.is_me(name);
        match players.each_ref().map(is_me) {
            [true, false] => Some(Player::Left),
            [false, true] => Some(Player::Right),
            _ => None,
        }
    }

    /// Whether it is known who the user is.
    pub fn knows_me(&self) -> bool {
        !self.me.is_empty()
    }

    /// The folded names that stand for another player, each with that player.
    pub fn aliases(&self) -> impl Iterator<Item = (&str, &str)> {
        self.others.iter().map(|(a, b)| (a.as_str(), b.as_str()))
    }

    /// The players who are the user.
    pub fn mine(&self) -> impl Iterator<Item = &str> {
        let players: BTreeSet<&str> = self.me.iter().map(|name| self.player_of(name)).collect();
        players.into_iter()
    }

    /// Makes `name` the user's own, or its player with all names no longer that.
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

    /// Makes `name` belong to the player who goes by `player`, with all names that belonged to it. If one of these
    /// players is the user, all names are the user's own until they are parted.
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

    /// Makes `name` a player of its own again. A name that stood for another loses what was said of that
    /// player. Where others stand for `name`, the first of them, in the order of folded names, becomes the
    /// player of the rest. Of the names only those stay the user's own that were said to be.
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

    /// The rows to be kept: a folded name, the player it belongs to, and whether that is the user.
    pub fn rows(&self) -> impl Iterator<Item = (&str, &str, bool)> {
        let aliases = self.aliases().map(|(name, player)| (name, player, false));
        let mine = self.me.iter().map(String::as_str);
        aliases.chain(mine.map(|name| (name, name, true)))
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
