//! Sources that can be opened, and their state when last left.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::Arc;

use crate::game::Position;
use crate::match_file::{self, LonePosition};
use crate::notation::{looks_like_id, parse_id, xgid_text};
use crate::store::file::whole_path;
use crate::store::session::{SavedMatchRollouts, SavedPlace, SavedRollout, SavedSource};

/// Maximum number of positions of one list among the sources.
pub const MOST_LISTED: usize = 1000;

/// A source that can be opened.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Openable {
    /// A match file, or the first position of a file that is a list of them.
    File(PathBuf),
    /// A further position of such a file, by its index from 0.
    InFile(PathBuf, usize),
    /// A position of a pasted text, by its index from 0.
    Pasted(Arc<PastedText>, usize),
    /// A position ID, as the user gave it.
    Id(String),
    /// A position ID with the names of the player on roll and the opponent.
    Named(String, [String; 2]),
    /// The bundled sample match.
    Sample,
}

impl Openable {
    /// Interprets a command-line argument or pasted text: an existing file, else a position ID if it looks like one,
    /// else a missing file.
    pub fn of(text: &str) -> Self {
        Self::given(text.as_ref())
    }

    /// Interprets text that a terminal inserts when a file is dropped on it: a quoted path, a path with `\ ` for
    /// blanks, or a `file://` address. Otherwise as [`Openable::of`].
    pub fn dropped(text: &str) -> Self {
        let bare = text.trim_matches(['"', '\'']);
        let address = bare.strip_prefix("file://").map(unescaped);
        let word = shlex::split(text).filter(|words| words.len() == 1);
        let word = word.and_then(|mut words| words.pop());
        let known = [address, word].into_iter().flatten();
        let mut known = known.filter(|path| PathBuf::from(path).exists());
        match known.next() {
            Some(path) => Self::File(path.into()),
            None => Self::of(bare),
        }
    }

    /// A position ID, with the players' names if known.
    pub fn position(id: String, players: Option<[String; 2]>) -> Self {
        match players {
            Some(players) => Self::Named(id, players),
            None => Self::Id(id),
        }
    }

    /// Interprets an argument as [`Openable::of`] does; file names need not be UTF-8.
    pub fn given(text: &OsStr) -> Self {
        let path = PathBuf::from(text);
        match text.to_str() {
            Some(id) if !path.exists() && looks_like_id(id) => Self::Id(id.to_owned()),
            _ => Self::File(path),
        }
    }

    /// Interprets a pasted text with several positions, or with more data on one than an ID contains; `None` for
    /// other text.
    pub fn pasted(text: &str) -> Option<Self> {
        let record = match_file::read_bytes(text.as_bytes(), "pasted text").ok()?;
        let all = record.positions;
        let says_more = |lone: &LonePosition| {
            lone.analysis.is_some() || lone.comment.is_some() || lone.variations.is_some()
        };
        if !record.games.is_empty() || !(all.len() > 1 || all.iter().any(says_more)) {
            return None;
        }
        // The file reader may miss a position that is written in another form in the text.
        let holds = |board: Position| {
            let mut boards = all.iter().map(|lone| lone.state.position);
            boards.any(|other| other == board || other == board.flipped())
        };
        let is_whole = match parse_id(text) {
            Ok(state) => holds(state.position),
            Err(_) => !looks_like_id(text),
        };
        let ids = all.iter().map(|lone| xgid_text(&lone.state)).collect();
        let text = text.to_owned();
        is_whole.then(|| Self::Pasted(Arc::new(PastedText { text, ids }), 0))
    }

    /// Returns position `place` of the same list; `None` if the source cannot be a list.
    pub fn listed(&self, place: usize) -> Option<Self> {
        match self {
            Self::File(path) | Self::InFile(path, _) => Some(match place {
                0 => Self::File(path.clone()),
                _ => Self::InFile(path.clone(), place),
            }),
            Self::Pasted(text, _) => Some(Self::Pasted(Arc::clone(text), place)),
            Self::Id(_) | Self::Named(..) | Self::Sample => None,
        }
    }
}

/// Decodes `%20` and the like in an address; returns it unchanged if the bytes are not text.
fn unescaped(address: &str) -> String {
    let mut bytes = Vec::with_capacity(address.len());
    let mut rest = address.as_bytes();
    while let [first, tail @ ..] = rest {
        let digits = tail.get(..2).filter(|_| *first == b'%');
        let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        rest = if byte.is_some() { &tail[2..] } else { tail };
        bytes.push(byte.unwrap_or(*first));
    }
    String::from_utf8(bytes).unwrap_or_else(|_| address.to_owned())
}

/// A pasted text with positions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PastedText {
    pub text: String,
    /// XGIDs of its positions.
    pub ids: Vec<String>,
}

/// Index of a position in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListPlace {
    /// Index from 0.
    pub place: usize,
    /// Length of the list.
    pub count: usize,
}

impl ListPlace {
    /// Describes the place: `position 3 of 12`.
    pub fn words(self) -> String {
        format!("position {} of {}", self.place + 1, self.count)
    }
}

/// State of a source when it was last left.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftPlace {
    pub source: Openable,
    /// The displayed turn.
    pub turn: usize,
    /// Whether the cube decision before its roll was displayed.
    pub is_before_roll: bool,
    /// Turns with marked plays not yet restored, with position IDs.
    pub marked: Vec<(usize, Vec<String>)>,
    /// Unfinished rollouts.
    pub rollouts: Vec<SavedRollout>,
    /// Unfinished rollouts of the whole match.
    pub match_rollouts: Option<SavedMatchRollouts>,
}

impl LeftPlace {
    /// Converts the place for saving; `None` for the sample and for names that are not UTF-8.
    pub fn saved(&self) -> Option<SavedPlace> {
        let source = match &self.source {
            Openable::File(path) => {
                let path = whole_path(path);
                path.to_str()?;
                SavedSource::File(path)
            }
            Openable::InFile(path, place) => {
                let path = whole_path(path);
                path.to_str()?;
                SavedSource::InFile(path, *place)
            }
            // The text may be long: only the position is saved.
            Openable::Pasted(text, place) => SavedSource::Id(text.ids.get(*place)?.clone()),
            Openable::Id(id) => SavedSource::Id(id.clone()),
            Openable::Named(id, players) => SavedSource::Named(id.clone(), players.clone()),
            Openable::Sample => return None,
        };
        Some(SavedPlace {
            source,
            turn: self.turn,
            is_before_roll: self.is_before_roll,
            marked: self.marked.clone(),
            rollouts: self.rollouts.clone(),
            match_rollouts: self.match_rollouts,
        })
    }

    /// Returns whether it contains only default values.
    pub(crate) fn is_bare(&self) -> bool {
        let has_work = !self.rollouts.is_empty() || self.match_rollouts.is_some();
        self.turn == 0 && !self.is_before_roll && self.marked.is_empty() && !has_work
    }
}

/// Places of sources when last left, the newest last.
#[derive(Clone, Debug, Default)]
pub struct LeftPlaces(Vec<LeftPlace>);

impl LeftPlaces {
    /// Stores a place, replacing an older one of the same source.
    pub fn put(&mut self, place: LeftPlace) {
        self.forget(&place.source);
        self.0.push(place);
    }

    /// Forgets the place of `source`.
    pub fn forget(&mut self, source: &Openable) {
        self.0.retain(|known| !is_same(&known.source, source));
    }

    /// Removes and returns the rollouts to continue when `source` is opened; the queue then contains them.
    pub fn take_rollouts(&mut self, source: &Openable) -> Vec<SavedRollout> {
        let place = self.get_mut(source);
        place.map_or_else(Vec::new, |place| std::mem::take(&mut place.rollouts))
    }

    /// Removes and returns the match rollouts to continue when `source` is opened.
    pub fn take_match_rollouts(&mut self, source: &Openable) -> Option<SavedMatchRollouts> {
        self.get_mut(source)?.match_rollouts.take()
    }

    /// Stores the remaining work of the match rollouts of `source`.
    pub fn put_match_rollouts(&mut self, source: &Openable, saved: SavedMatchRollouts) {
        if let Some(place) = self.get_mut(source) {
            place.match_rollouts = Some(saved);
        }
    }

    /// All places, the newest first.
    pub fn newest_first(&self) -> impl Iterator<Item = &LeftPlace> {
        self.0.iter().rev()
    }

    /// Sets the turn at which to open `source`.
    pub fn set_turn(&mut self, source: &Openable, turn: usize) {
        match self.get_mut(source) {
            Some(place) => (place.turn, place.is_before_roll) = (turn, false),
            None => self.0.push(LeftPlace {
                source: source.clone(),
                turn,
                is_before_roll: false,
                marked: Vec::new(),
                rollouts: Vec::new(),
                match_rollouts: None,
            }),
        }
    }

    /// The place of `source`.
    pub fn get(&self, source: &Openable) -> Option<&LeftPlace> {
        self.0.iter().find(|place| is_same(&place.source, source))
    }

    fn get_mut(&mut self, source: &Openable) -> Option<&mut LeftPlace> {
        let mut places = self.0.iter_mut();
        places.find(|place| is_same(&place.source, source))
    }
}

/// Converts a saved source.
pub fn openable(source: &SavedSource) -> Openable {
    match source {
        SavedSource::File(path) => Openable::File(path.clone()),
        SavedSource::InFile(path, place) => Openable::InFile(path.clone(), *place),
        SavedSource::Id(id) => Openable::Id(id.clone()),
        SavedSource::Named(id, players) => Openable::Named(id.clone(), players.clone()),
    }
}

/// Returns whether both name the same source; file names may be relative to different folders.
pub(crate) fn is_same(one: &Openable, other: &Openable) -> bool {
    match (one, other) {
        (Openable::InFile(_, one), Openable::InFile(_, other)) if one != other => false,
        (Openable::File(one), Openable::File(other))
        | (Openable::InFile(one, _), Openable::InFile(other, _)) => {
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
            is_before_roll: false,
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

    #[test]
    fn a_file_that_is_dropped_is_opened_however_the_terminal_writes_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a match (é).mat");
        std::fs::write(&file, "").unwrap();
        let path = file.to_str().unwrap();
        let escaped = path
            .replace(' ', "\\ ")
            .replace('(', "\\(")
            .replace(')', "\\)");
        let address = format!("file://{}", path.replace(' ', "%20").replace('é', "%C3%A9"));
        let ways = [
            path.to_owned(),
            format!("'{path}'"),
            format!("\"{path}\""),
            escaped,
            address,
        ];
        for way in ways {
            assert_eq!(
                Openable::dropped(&way),
                Openable::File(file.clone()),
                "{way}"
            );
        }
        let id = "4HPwATDgc/ABMA";
        assert_eq!(Openable::dropped(id), Openable::Id(id.to_owned()));
        assert_eq!(
            Openable::dropped("no 100%"),
            Openable::File("no 100%".into())
        );
    }

    #[test]
    fn a_position_of_a_list_has_a_place_of_its_own() {
        let mut places = LeftPlaces::default();
        let here = std::env::current_dir().unwrap();
        places.set_turn(&Openable::File(here.join("a.txt")), 1);
        places.set_turn(&Openable::InFile(here.join("a.txt"), 2), 3);
        let turn = |source: &Openable| places.get(source).map(|place| place.turn);
        let first = Openable::File("a.txt".into());
        assert_eq!(turn(&first), Some(1));
        assert_eq!(first.listed(2).and_then(|third| turn(&third)), Some(3));
        assert_eq!(first.listed(1).and_then(|second| turn(&second)), None);
    }

    #[test]
    fn a_pasted_text_is_a_list_if_it_says_more_than_an_id() {
        const IDS: [&str; 2] = [
            "XGID=-a--BBCBB--ABb--Acbcbb----:0:0:1:42:2:1:0:5:10",
            "XGID=-b----E-C---eE---c-e----B-:0:0:1:43:0:0:0:7:10",
        ];
        let ids = |text: &str| match Openable::pasted(text) {
            Some(Openable::Pasted(text, 0)) => text.ids.clone(),
            other => panic!("{other:?}"),
        };
        let both = format!("Here\n{}\nand there\r\n{} I pass\n", IDS[0], IDS[1]);
        assert_eq!(ids(&both), IDS);
        assert_eq!(ids(&format!("{} # prime or run", IDS[0])), IDS[..1]);
        let alone = format!("see\n{}\nwhat?", IDS[0]);
        for text in [IDS[0], &*alone, "a.mat", "XGID=-b---?\n4HPwATDgc/ABMA"] {
            assert_eq!(Openable::pasted(text), None, "{text}");
        }
    }
}
