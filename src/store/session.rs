//! The state of the workstation when the user left: open documents, turns, marked plays and display options.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{StoreError, clock, file, repair};
use crate::review::ErrorFilter;

/// Maximum size of a session file, in bytes.
const LARGEST: u64 = 1 << 20;
/// Maximum number of folders and files queued for the library.
const MOST_FILLING: usize = 100;
/// Maximum number of stored documents.
const MOST_PLACES: usize = 50;
/// Maximum number of stored unfinished rollouts.
const MOST_ROLLOUTS: usize = 50;
/// Maximum number of decisions with marked plays per match.
const MOST_MARKED: usize = 200;

/// State of the workstation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Session {
    /// Open documents, newest first.
    pub places: Vec<SavedPlace>,
    pub display: SavedDisplay,
    /// Folders and files queued for the library.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub filling: Vec<PathBuf>,
    /// Queued paths that this program has picked up, whether finished or not. Other paths in the file belong to
    /// another program or were out of reach, and stay queued.
    #[serde(skip)]
    pub taken_up: Vec<PathBuf>,
    /// The last match played against the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_play: Option<SavedPlay>,
}

/// A match played against the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedPlay {
    pub path: PathBuf,
    #[serde(default)]
    pub is_over: bool,
    /// When it was played, in microseconds since 1970. Of several programs the latest counts.
    #[serde(default)]
    pub micros: i64,
}

/// An open document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedPlace {
    pub source: SavedSource,
    /// The displayed turn.
    pub turn: usize,
    /// The cube decision before its roll was displayed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_before_roll: bool,
    /// Turns with marked plays, and the GNUBG position IDs after those plays.
    #[serde(default)]
    pub marked: Vec<(usize, Vec<String>)>,
    /// Rollouts that ran or waited.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rollouts: Vec<SavedRollout>,
    /// Rollouts of the whole match that ran or waited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub match_rollouts: Option<SavedMatchRollouts>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedMatchRollouts {
    /// Remaining time budget in seconds.
    pub seconds: u64,
    /// The rollouts verify imported analyses.
    #[serde(default)]
    pub verifies: bool,
    /// The filter, if errors are rolled out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub errors: Option<ErrorFilter>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedRollout {
    pub decision: String,
    /// GNUBG position IDs after its plays.
    pub results: Vec<String>,
    pub aim: SavedAim,
    /// Settings of the rollout. Another version of the program may not understand them.
    pub settings: serde_json::Value,
}

/// Purpose of a rollout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SavedAim {
    /// Figures of each play.
    Each,
    /// Differences, with the named coupling.
    Compare,
    /// Differences, with the coupling that a pilot selects.
    Pilot,
}

/// A source that can be opened again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SavedSource {
    /// A match file, or the first position of a file that is a list of them.
    File(PathBuf),
    /// A further position of such a file, by its index from 0.
    InFile(PathBuf, usize),
    /// A position ID, as the user gave it.
    Id(String),
    /// A position ID, with the names of the player on roll and the opponent.
    Named(String, [String; 2]),
}

/// Display options that are not settings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedDisplay {
    /// The chosen theme, if the settings name none.
    pub theme: String,
    /// The right player is at the bottom.
    pub flipped: bool,
    /// Bears off on the left.
    pub mirrored: bool,
    /// Hides pip counts.
    pub without_pips: bool,
    /// Shows chances instead of equities.
    pub chances: bool,
    /// Sorts plays by equity instead of depth.
    pub by_equity: bool,
    /// Shows match-winning chances instead of cube points.
    pub mwc: bool,
    /// Columns by which each point of the board is narrower than possible.
    pub smaller_board: u16,
    /// Columns by which the move list is wider (or narrower) than usual.
    pub wider_moves: i16,
    /// Number of dismissed beginner tips.
    pub tips: u8,
}

impl Session {
    /// Reads the session file; an empty session if it is missing.
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

    /// Reads the session file as [`Session::load`] does. An unreadable file is set aside, so that the next session
    /// can be written.
    ///
    /// # Errors
    /// As [`file::load`]; [`StoreError::Damaged`] names the new place of the file.
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
            // The reserved file is empty.
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

    /// Drops documents, marks and rollouts beyond the limits.
    fn bound(&mut self) {
        self.places.truncate(MOST_PLACES);
        self.filling.truncate(MOST_FILLING);
        for place in &mut self.places {
            place.marked.truncate(MOST_MARKED);
            place.rollouts.truncate(MOST_ROLLOUTS);
        }
    }
}

/// Returns the match played later. A time in the future comes from a wrong clock and is ignored.
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
        // Paths queued by another program stay; those picked up here are done.
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

    /// Of several programs the last one to play counts. Files of earlier versions without a match are unchanged.
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
        assert_lacks!(text, "last_play");
        assert_eq!(save(played(5)), played(5));
        assert_eq!(save(None), played(5));
        assert_eq!(save(played(4)), played(5));
        assert_eq!(save(played(6)), played(6));
        let over = played(6).map(|play| SavedPlay {
            is_over: true,
            ..play
        });
        assert_eq!(save(over.clone()), over);
        // The clock was wrong.
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
