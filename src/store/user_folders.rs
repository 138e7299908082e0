//! Where the user's files lie: the folders each system has for them.

use std::path::PathBuf;

use directories::ProjectDirs;

/// Name of the file of rollouts.
pub(super) const ROLLOUTS: &str = "rollouts.sqlite";
/// Name of the file of reviewed matches.
pub(super) const REVIEWS: &str = "reviews.sqlite";
/// Name of the file of the library.
pub(super) const LIBRARY: &str = "library.sqlite";
/// Name of the file of notes and variations.
pub(super) const NOTES: &str = "notes.sqlite";
/// Name of the file of answers.
pub(super) const STUDY: &str = "study.sqlite";

#[derive(Clone, Debug)]
pub struct UserFolders {
    config: PathBuf,
    data: PathBuf,
}

impl UserFolders {
    /// The folders the system names, or `None` where it knows no home; those below the folder of `LUCKLESS_HOME` where
    /// that is set: for an installation that is carried about.
    pub fn of_user() -> Option<Self> {
        if let Some(folder) = std::env::var_os("LUCKLESS_HOME").filter(|name| !name.is_empty()) {
            return Some(Self::below(folder.as_ref()));
        }
        let dirs = ProjectDirs::from("", "", "luckless")?;
        Some(Self {
            config: dirs.config_dir().to_owned(),
            data: dirs.data_local_dir().to_owned(),
        })
    }

    /// Everything below one folder.
    pub fn below(folder: &std::path::Path) -> Self {
        Self {
            config: folder.join("config"),
            data: folder.join("data"),
        }
    }

    /// The user's settings.
    pub fn settings(&self) -> PathBuf {
        self.config.join("settings.toml")
    }

    /// The user's own keys.
    pub fn keys(&self) -> PathBuf {
        self.config.join("keys.toml")
    }

    /// The user's own themes.
    pub fn themes(&self) -> PathBuf {
        self.config.join("themes")
    }

    /// The file of rollouts.
    pub fn rollouts(&self) -> PathBuf {
        self.data.join(ROLLOUTS)
    }

    /// The file of reviewed matches.
    pub fn reviews(&self) -> PathBuf {
        self.data.join(REVIEWS)
    }

    /// The file of the library of matches.
    pub fn library(&self) -> PathBuf {
        self.data.join(LIBRARY)
    }

    /// The file of notes beside moves.
    pub fn notes(&self) -> PathBuf {
        self.data.join(NOTES)
    }

    /// The file of answers to the quiz.
    pub fn study(&self) -> PathBuf {
        self.data.join(STUDY)
    }

    /// The folder of matches that were played against the program.
    pub fn matches(&self) -> PathBuf {
        self.data.join("matches")
    }

    /// The file that says where the user was when the workstation was left.
    pub fn session(&self) -> PathBuf {
        self.data.join("session.json")
    }

    /// The exact bearoffs with a cube, if they were computed.
    pub fn bearoffs(&self) -> PathBuf {
        self.data.join("bearoffs.bin")
    }
}
