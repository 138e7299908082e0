//! What can be opened, and where it was left.

use std::ffi::OsStr;
use std::path::PathBuf;

use crate::store::session::{SavedMatchRollouts, SavedRollout};

/// Something that can be opened.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Openable {
    /// A match file.
    File(PathBuf),
    /// A position ID, as it was written.
    Id(String),
    /// A position ID, and what the player on roll and the other one are called.
    Named(String, [String; 2]),
    /// The match that is part of the program.
    Sample,
}

impl Openable {
    /// What an argument of the command line, or pasted text, means. It is a file if there is one of
    /// that name, else a position ID if it can be one, else a file that does not exist.
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self::given(text.as_ref())
    }

    /// A position ID, with the names of the players where they are known.
    #[must_use]
    pub fn position(id: String, players: Option<[String; 2]>) -> Self {
        match players {
            Some(players) => Self::Named(id, players),
            None => Self::Id(id),
        }
    }

    /// As [`Openable::of`]; names of files need not be UTF-8.
    #[must_use]
    pub fn given(text: &OsStr) -> Self {
        let path = PathBuf::from(text);
        match text.to_str() {
            Some(id) if !path.exists() && crate::notation::looks_like_id(id) => {
                Self::Id(id.to_owned())
            }
            _ => Self::File(path),
        }
    }
}

/// Where something that was open was left.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftPlace {
    /// What was open.
    pub source: Openable,
    /// The turn in view.
    pub turn: usize,
    /// Turns with marked plays that are not on the screen yet, with position IDs.
    pub marked: Vec<(usize, Vec<String>)>,
    /// Rollouts that have not come to their end.
    pub rollouts: Vec<SavedRollout>,
    /// Those of the whole match.
    pub match_rollouts: Option<SavedMatchRollouts>,
}

/// Where things that were open were left, the newest last.
#[derive(Clone, Debug, Default)]
pub struct LeftPlaces(Vec<LeftPlace>);

impl LeftPlaces {
    /// Notes a place; the one that was noted before of the same source goes.
    pub fn put(&mut self, place: LeftPlace) {
        self.0
            .retain(|known| !is_same(&known.source, &place.source));
        self.0.push(place);
    }

    /// Takes the rollouts that go on when `source` is opened: they are in the queue from then on.
    pub fn take_rollouts(&mut self, source: &Openable) -> Vec<SavedRollout> {
        let place = self
            .0
            .iter_mut()
            .find(|place| is_same(&place.source, source));
        place.map_or_else(Vec::new, |place| std::mem::take(&mut place.rollouts))
    }

    /// Takes the rollouts of the whole match that go on when `source` is opened.
    pub fn take_match_rollouts(&mut self, source: &Openable) -> Option<SavedMatchRollouts> {
        let mut places = self.0.iter_mut();
        let place = places.find(|place| is_same(&place.source, source))?;
        place.match_rollouts.take()
    }

    /// Notes what the rollouts of the whole match have left to do in `source`, which has been left.
    pub fn put_match_rollouts(&mut self, source: &Openable, saved: SavedMatchRollouts) {
        let mut places = self.0.iter_mut();
        if let Some(place) = places.find(|place| is_same(&place.source, source)) {
            place.match_rollouts = Some(saved);
        }
    }

    /// All of them.
    pub fn newest_first(&self) -> impl Iterator<Item = &LeftPlace> {
        self.0.iter().rev()
    }

    /// Says that `source` is to be opened at a turn.
    pub fn set_turn(&mut self, source: &Openable, turn: usize) {
        match self
            .0
            .iter_mut()
            .find(|place| is_same(&place.source, source))
        {
            Some(place) => place.turn = turn,
            None => self.0.push(LeftPlace {
                source: source.clone(),
                turn,
                marked: Vec::new(),
                rollouts: Vec::new(),
                match_rollouts: None,
            }),
        }
    }

    /// Where `source` was left.
    #[must_use]
    pub fn get(&self, source: &Openable) -> Option<&LeftPlace> {
        self.0.iter().find(|place| is_same(&place.source, source))
    }
}

/// Whether both name the same: a file may be named from another folder.
fn is_same(one: &Openable, other: &Openable) -> bool {
    match (one, other) {
        (Openable::File(one), Openable::File(other)) => {
            let whole = |path: &PathBuf| std::path::absolute(path).ok();
            one == other || whole(one).is_some_and(|one| Some(one) == whole(other))
        }
        _ => one == other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_found_again_by_its_other_names() {
        let mut places = LeftPlaces::default();
        let here = std::env::current_dir().unwrap();
        places.put(LeftPlace {
            source: Openable::File(here.join("a.mat")),
            turn: 7,
            marked: Vec::new(),
            rollouts: Vec::new(),
            match_rollouts: None,
        });
        let by = |path: &str| {
            places
                .get(&Openable::File(path.into()))
                .map(|place| place.turn)
        };
        assert_eq!(by("a.mat"), Some(7));
        assert_eq!(by("./a.mat"), Some(7));
        assert_eq!(by("b/a.mat"), None);
    }
}
