//! Files on the user's disk, and where they are.
//!
//! * [`user_folders`]: where they are.
//! * [`settings`]: the user's own file.
//! * [`mod@file`]: files written so that a crash leaves the old one or the new one, never half of one.
//! * `keys`: the keys of each kind of record; `checksum`: which rows are undamaged.
//! * [`rollouts`]: rollouts and games by hand; [`decision_rollouts`] finds those of a review in it.
//! * [`reviews`]: reviewed matches and their turns.
//! * [`library`]: all matches and their decisions; `importer` takes files in.
//! * [`notes`]: the user's notes on decisions.
//! * [`study`]: the quiz; `study_plan` reads what a plan is made of, `study_notes` the notes on what is asked,
//!   `study_rollouts` what was rolled out of it.
//! * [`anki_package`]: notes for Anki.
//! * [`session`]: the place in a match at which the user left.
//! * [`MendedListener`]: hears of damaged files that were made anew.
//! * [`worker`]: saves and finds in the background.
//! * [`folder`] and [`FolderWatch`]: match files that are there, and those that are saved while one waits.

mod analysed;
pub(crate) mod anki_package;
mod checksum;
pub(crate) mod clock;
mod database;
mod day;
pub(crate) mod decision_rollouts;
pub mod file;
pub(crate) mod folder;
mod folder_watch;
mod games;
mod hand_games;
mod importer;
mod keys;
mod kind;
pub mod library;
mod listing;
mod lookup;
pub(crate) mod match_fingerprint;
mod mended;
pub(crate) mod notes;
mod process;
mod repair;
pub(crate) mod reviews;
mod rollout_worker;
pub(crate) mod rollouts;
mod rows;
mod schema;
pub mod session;
pub(crate) mod settings;
pub(crate) mod settings_file;
pub(crate) mod study;
mod study_library;
mod study_notes;
mod study_plan;
mod study_rollouts;
#[cfg(test)]
mod tests;
pub(crate) mod user_folders;
pub(crate) mod worker;

use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;

pub use lookup::Lookup;
#[cfg(test)]
pub(crate) use mended::MendedIn;
pub use mended::MendedListener;

pub use analysed::KeptTurns;

pub use day::{date, played, today};
pub use decision_rollouts::{DecisionRolloutStore, KeptDecisions};
pub use folder_watch::FolderWatch;
pub use importer::{ImportedFile, LibraryImporter, MatchReviewer, NotTaken};
pub use keys::{HandKey, ReviewId, ReviewKey, ReviewMethod, RolloutKey};
pub use library::LibraryStore;
pub use match_fingerprint::MatchFingerprint;
pub use notes::{KeptNotes, NoteStore, Notes, VariationTexts};
pub use reviews::ReviewStore;
pub use rollout_worker::RolloutWorker;
pub use rollouts::listed::{ListedCandidate, ListedRollout};
pub use rollouts::{RolloutStore, StoredRollout};
pub use rows::{RolloutCommand, RolloutLabel};
pub use settings::UserSettings;
pub use study::{StudyChange, StudyStore};
pub use study_library::{LibraryChoice, library_decisions};
pub use study_notes::StudyNotes;
pub use study_plan::{HistoryOf, LibraryHistory, LibraryRatings, References, Whose};
pub use study_rollouts::{put_rollouts_beside, put_rollouts_beside_cards};
pub use user_folders::UserFolders;
pub use worker::{StoreWorker, UnsavedRecords};

/// How long a reader waits for another process to end its save, where nobody waits for the answer.
pub const READ_TIMEOUT: Duration = Duration::from_secs(5);

/// Seconds that a rollout of the command line has taken when it is kept without being asked for, and one of the
/// workstation while it goes on: a shorter one is done again as quickly as found again.
pub const WORTH_KEEPING: f64 = 1.0;

/// Time between two savings of a rollout that has taken so many seconds. Each writes all of it, which in a night of
/// rollouts would be more than a disk should bear: so it is a hundredth of the time, from half a second to ten.
///
/// ```
/// use std::time::Duration;
/// use luckless::store::save_interval;
/// assert_eq!(save_interval(3.0), Duration::from_millis(500));
/// assert_eq!(save_interval(200.0), Duration::from_secs(2));
/// assert_eq!(save_interval(86_400.0), Duration::from_secs(10));
/// ```
pub fn save_interval(seconds: f64) -> Duration {
    Duration::from_secs_f64((seconds / 100.0).clamp(0.5, 10.0))
}

/// What can go wrong with a stored file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The file system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is larger than anything that belongs there.
    #[error("{}: larger than {limit} bytes", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// What is accepted.
        limit: u64,
    },
    /// Another process is writing to it: the same may succeed a little later.
    #[error("{}: another process keeps it locked", path.display())]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// What is in the file is not what was written to it.
    #[error("{}: damaged: {message}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What was found.
        message: String,
    },
    /// The program failed at it.
    #[error("the program failed at it: {0}")]
    Panicked(String),
    /// What is in the file, or meant for it, is not what it should be: no other time is better for it.
    #[error("{}: {message}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What was found, with its line where it is known.
        message: String,
    },
    /// SQLite cannot open the file or write into it: no room, no right to write, no such place.
    #[error("{}: {message}", path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// Why.
        message: String,
    },
}

impl StoreError {
    /// Whether a new file could not be written because something is there already.
    pub fn is_taken(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == std::io::ErrorKind::AlreadyExists)
    }

    /// Whether there is no such file.
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == std::io::ErrorKind::NotFound)
    }

    fn io(path: &std::path::Path) -> impl FnOnce(std::io::Error) -> Self + '_ {
        move |source| Self::Io {
            path: path.to_owned(),
            source,
        }
    }
}
