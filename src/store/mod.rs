//! Files on the user's disk and their folders.
//!
//! * [`user_folders`]: the folders.
//! * [`settings`]: the user's settings file.
//! * [`mod@file`]: atomic writes: after a crash the old or the new file is there, never half of one.
//! * `keys`: the keys of each kind of record; `checksum`: detection of damaged rows.
//! * [`rollouts`]: rollouts and games by hand; [`decision_rollouts`] finds the rollouts of a review's decisions.
//! * [`reviews`]: reviewed matches and their turns.
//! * [`library`]: all matches and their decisions; `importer` adds files.
//! * [`notes`]: the user's notes on decisions.
//! * [`study`]: the quiz; `study_plan` reads the data of a plan, `study_notes` the notes on quiz decisions,
//!   `study_rollouts` their rollouts.
//! * [`anki_package`]: notes for Anki.
//! * [`session`]: the place in a match where the user left.
//! * [`MendedListener`]: reports damaged files that were repaired.
//! * [`worker`]: saves and finds in the background.
//! * [`folder`] and [`FolderWatch`]: the match files of a folder, and files saved while the program runs.

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

/// How long a background reader waits for another process to finish its save.
pub const READ_TIMEOUT: Duration = Duration::from_secs(5);

/// Minimum duration, in seconds, of a rollout that the command line keeps without being asked and that the
/// workstation saves while it runs. Repeating a shorter rollout is as quick as finding it.
pub const WORTH_KEEPING: f64 = 1.0;

/// Time between two saves of a rollout that has run for `seconds`: 1 % of that time, between 0.5 and 10 seconds. Each
/// save writes the whole rollout, so frequent saves would wear the disk.
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

/// An error of a stored file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The file system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        source: std::io::Error,
    },
    /// The file is larger than anything that belongs there.
    #[error("{}: larger than {limit} bytes", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Maximum size in bytes.
        limit: u64,
    },
    /// Another process is writing to the file. A later attempt may succeed.
    #[error("{}: another process keeps it locked", path.display())]
    Locked { path: PathBuf },
    /// The content differs from what was written.
    #[error("{}: damaged: {message}", path.display())]
    Damaged { path: PathBuf, message: String },
    /// The program panicked while working on the file.
    #[error("the program failed at it: {0}")]
    Panicked(String),
    /// The content, or the data to be written, is not valid. A later attempt will fail too.
    #[error("{}: {message}", path.display())]
    Format {
        path: PathBuf,
        /// The problem, with its line if known.
        message: String,
    },
    /// SQLite cannot open or write the file: disk full, no permission, or no such folder.
    #[error("{}: {message}", path.display())]
    Refused { path: PathBuf, message: String },
}

impl StoreError {
    /// Returns whether the file could not be created because it already exists.
    pub fn is_taken(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == std::io::ErrorKind::AlreadyExists)
    }

    /// Returns whether the file does not exist.
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
