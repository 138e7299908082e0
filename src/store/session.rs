//! Where the user was when the workstation was left: what was open, at which turn, which plays were
//! marked, and how things were shown.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{StoreError, clock, file, repair};
use crate::review::ErrorFilter;

/// Largest file of a session, in bytes.
const LARGEST: u64 = 1 << 20;
/// Most folders and files on their way into the library.
const MOST_FILLING: usize = 100;
/// Most places kept.
const MOST_PLACES: usize = 50;
/// Most rollouts kept that were under way.
const MOST_ROLLOUTS: usize = 50;
/// Most decisions with marked plays kept of one match.
const MOST_MARKED: usize = 200;

/// Where the user was.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Session {
    /// What was open, the newest first.
    pub places: Vec<SavedPlace>,
    /// How things were shown.
    pub display: SavedDisplay,
    /// Folders and files that were on their way into the library.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub filling: Vec<PathBuf>,
    /// Those that this program has taken up, whether they are in the library by now or not: what the file has besides is
    /// of another program, or was out of reach, and stays.
    #[serde(skip)]
    pub taken_up: Vec<PathBuf>,
    /// The match against the program that was played last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_play: Option<SavedPlay>,
}

/// A match against the program that was played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedPlay {
    /// Its file.
    pub path: PathBuf,
    /// Whether there is nothing to go on with.
    #[serde(default)]
    pub is_over: bool,
    /// When it was played, in microseconds since 1970: of several programs the last one counts.
    #[serde(default)]
    pub micros: i64,
}

/// Something that was open.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedPlace {
    pub source: SavedSource,
    /// The turn in view.
    pub turn: usize,
    /// Whether it was the cube decision before its roll.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_before_roll: bool,
    /// Turns with marked plays, and the GNUBG position IDs after those.
    #[serde(default)]
    pub marked: Vec<(usize, Vec<String>)>,
    /// Rollouts that ran or waited while it was open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rollouts: Vec<SavedRollout>,
    /// Rollouts of the whole match that ran or waited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub match_rollouts: Option<SavedMatchRollouts>,
}

/// Rollouts of a whole match.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedMatchRollouts {
    /// Seconds they may still take.
    pub seconds: u64,
    /// Whether they verify what the file's program says.
    #[serde(default)]
    pub verifies: bool,
    /// The errors that are rolled out, where it is those.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub errors: Option<ErrorFilter>,
}

/// A rollout that ran or waited.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedRollout {
    /// The decision, as an XGID.
    pub decision: String,
    /// GNUBG position IDs after its plays.
    pub results: Vec<String>,
    pub aim: SavedAim,
    /// How it was asked for. Another version of the program may not understand it.
    pub settings: serde_json::Value,
}

/// What a rollout was for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SavedAim {
    /// The figures of each play.
    Each,
    /// Differences, on the coupling that was named.
    Compare,
    /// Differences, on the coupling that a pilot finds best.
    Pilot,
}

/// What can be opened again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SavedSource {
    /// A match file, or the first position of a file that is a list of them.
    File(PathBuf),
    /// A further position of such a file, by its place from 0.
    InFile(PathBuf, usize),
    /// A position ID, as it was written.
    Id(String),
    /// A position ID, and what the player on roll and the other one are called.
    Named(String, [String; 2]),
}

/// How things were shown, where it is no setting.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedDisplay {
    /// The theme that was chosen, where the settings name none.
    pub theme: String,
    /// The right player at the bottom.
    pub flipped: bool,
    /// Bearing off on the left.
    pub mirrored: bool,
    /// No pip counts.
    pub without_pips: bool,
    /// Chances instead of equities.
    pub chances: bool,
    /// The plays by equity instead of by depth.
    pub by_equity: bool,
    /// Match-winning chances instead of points of the cube.
    pub mwc: bool,
    /// Columns that a point of the board was narrower than it could have been.
    pub smaller_board: u16,
    /// Columns that the list of moves was wider (or narrower) than usual.
    pub wider_moves: i16,
    /// Tips for beginners that are done with.
    pub tips: u8,
}

impl Session {
    /// Reads the file of the last session; an empty one if there is none.
    ///
    /// # Errors
    /// As [`file::load`].
    pub fn load(path: &Path) -> Result<Self, StoreError> {
        if !path.exists() {
            return Ok(Self::default());
        }
        let mut session: Self = file::load(path, LARGEST)?;
        session.bound();
        Ok(session)
    }

    /// Reads the file of the last session as [`Session::load`] does. A file that cannot be understood is set
    /// aside, so that the next one can be written.
    ///
    /// # Errors
    /// As [`file::load`]; [`StoreError::Damaged`] says where the file is now.
    pub fn load_or_set_aside(path: &Path) -> Result<Self, StoreError> {
        let found = Self::load(path);
        let message = match &found {
            Err(StoreError::Format { message, .. }) => message.clone(),
            Err(StoreError::TooLarge { limit, .. }) => format!("larger than {limit} bytes"),
            _ => return found,
        };
        let Some(aside) = repair::place_aside(path) else {
            return found;
        };
        if std::fs::rename(path, &aside).is_err() {
            // Only the place was made.
            let _ = std::fs::remove_file(&aside);
            return found;
        }
        Err(StoreError::Damaged {
            path: path.to_owned(),
            message: format!("{message}; it is now {}", aside.display()),
        })
    }

    /// Writes the session to the file at `path`.
    ///
    /// # Errors
    /// As [`file::save`].
    pub fn save(&self, path: &Path) -> Result<(), StoreError> {
        let mut session = self.clone();
        let kept = Self::load(path).unwrap_or_default();
        let is_new = |one: &PathBuf| !self.taken_up.contains(one) && !self.filling.contains(one);
        session
            .filling
            .extend(kept.filling.into_iter().filter(is_new));
        session.last_play = later(session.last_play, kept.last_play);
        session.bound();
        let is_small = |session: &Self| {
            let text = serde_json::to_vec(session);
            text.is_ok_and(|text| text.len() as u64 <= LARGEST)
        };
        while session.places.len() > 1 && !is_small(&session) {
            session.places.truncate(session.places.len() / 2);
        }
        file::save(path, &session)
    }

    /// Leaves out what is older than the newest places and beyond the first marks.
    fn bound(&mut self) {
        self.places.truncate(MOST_PLACES);
        self.filling.truncate(MOST_FILLING);
        for place in &mut self.places {
            place.marked.truncate(MOST_MARKED);
            place.rollouts.truncate(MOST_ROLLOUTS);
        }
    }
}

/// The match that was played later. A time that is still to come is of a clock that was wrong.
fn later(own: Option<SavedPlay>, kept: Option<SavedPlay>) -> Option<SavedPlay> {
    let now = clock::micros();
    let kept = kept.filter(|kept| kept.micros <= now);
    [kept, own]
        .into_iter()
        .flatten()
        .max_by_key(|play| play.micros)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(turn: usize) -> SavedPlace {
        SavedPlace {
            source: SavedSource::Id(format!("id {turn}")),
            turn,
            is_before_roll: false,
            marked: vec![(turn, vec!["4HPwATDgc/ABMA".into()]); 300],
            rollouts: Vec::new(),
            match_rollouts: None,
        }
    }

    #[test]
    fn a_session_comes_back_and_is_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("session.json");
        assert_eq!(Session::load(&path).unwrap(), Session::default());
        let session = Session {
            places: (0..80).map(place).collect(),
            display: SavedDisplay {
                flipped: true,
                ..SavedDisplay::default()
            },
            filling: vec!["/matches".into()],
            ..Session::default()
        };
        session.save(&path).unwrap();
        let again = Session::load(&path).unwrap();
        assert_eq!(again.places.len(), MOST_PLACES);
        assert_eq!(again.places[3].marked.len(), MOST_MARKED);
        assert_eq!(again.places[3].turn, 3);
        assert!(again.display.flipped);
        // What another program promised to go on with stays; what this one took up is done.
        let of = |filling: &[&str], taken_up: &[&str]| Session {
            filling: filling.iter().map(Into::into).collect(),
            taken_up: taken_up.iter().map(Into::into).collect(),
            ..Session::default()
        };
        of(&["/new"], &["/new"]).save(&path).unwrap();
        let both = Session::load(&path).unwrap().filling;
        assert_eq!(both, ["/new", "/matches"].map(PathBuf::from));
        of(&[], &["/matches"]).save(&path).unwrap();
        assert_eq!(
            Session::load(&path).unwrap().filling,
            [PathBuf::from("/new")]
        );
    }

    /// Of several programs that one counts which has played last; without one the file of an earlier version is as before.
    #[test]
    fn the_match_that_was_played_last_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("session.json");
        let played = |micros| {
            Some(SavedPlay {
                path: format!("/matches/{micros}.mat").into(),
                is_over: false,
                micros,
            })
        };
        let save = |last_play| {
            let session = Session {
                last_play,
                ..Session::default()
            };
            session.save(&path).unwrap();
            Session::load(&path).unwrap().last_play
        };
        assert_eq!(save(None), None);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(!text.contains("last_play"), "{text}");
        assert_eq!(save(played(5)), played(5));
        assert_eq!(save(None), played(5));
        assert_eq!(save(played(4)), played(5));
        assert_eq!(save(played(6)), played(6));
        let over = played(6).map(|play| SavedPlay {
            is_over: true,
            ..play
        });
        assert_eq!(save(over.clone()), over);
        // A clock was wrong.
        let later = played(clock::micros() + 3_600_000_000);
        assert_eq!(save(later.clone()), later);
        assert_eq!(save(played(7)), played(7));
    }

    #[test]
    fn a_damaged_file_is_an_error_and_a_shorter_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("session.json");
        std::fs::write(&path, "{\"places\":[{]").unwrap();
        assert!(Session::load(&path).is_err());
        let error = Session::load_or_set_aside(&path).unwrap_err().to_string();
        assert!(error.ends_with("session.json.damaged"), "{error}");
        assert_eq!(
            Session::load_or_set_aside(&path).unwrap(),
            Session::default()
        );
        std::fs::write(&path, "{\"later\":1}").unwrap();
        assert_eq!(Session::load(&path).unwrap(), Session::default());
    }
}
