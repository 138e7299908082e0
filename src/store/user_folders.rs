//! The folders and files of the user, where each system puts them.

use std::path::PathBuf;

use directories::ProjectDirs;

pub(super) const ROLLOUTS: &str = "rollouts.sqlite";
pub(super) const REVIEWS: &str = "reviews.sqlite";
pub(super) const LIBRARY: &str = "library.sqlite";
pub(super) const NOTES: &str = "notes.sqlite";
pub(super) const STUDY: &str = "study.sqlite";

#[derive(Clone, Debug)]
pub struct UserFolders {
    config: PathBuf,
    data: PathBuf,
}

impl UserFolders {
    /// Returns the system's folders, or `None` if there is no home folder. If `LUCKLESS_HOME` is set, all folders are
    /// below it: for portable installations.
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

    /// Puts all folders below one folder.
    pub fn below(folder: &std::path::Path) -> Self {
        Self {
            config: folder.join("config"),
            data: folder.join("data"),
        }
    }

    pub fn settings(&self) -> PathBuf {
        self.config.join("settings.toml")
    }

    /// The user's key bindings.
    pub fn keys(&self) -> PathBuf {
        self.config.join("keys.toml")
    }

    pub fn themes(&self) -> PathBuf {
        self.config.join("themes")
    }

    pub fn rollouts(&self) -> PathBuf {
        self.data.join(ROLLOUTS)
    }

    pub fn reviews(&self) -> PathBuf {
        self.data.join(REVIEWS)
    }

    pub fn library(&self) -> PathBuf {
        self.data.join(LIBRARY)
    }

    /// The notes and variations of matches.
    pub fn notes(&self) -> PathBuf {
        self.data.join(NOTES)
    }

    /// The quiz answers.
    pub fn study(&self) -> PathBuf {
        self.data.join(STUDY)
    }

    /// Folder of matches played against the program.
    pub fn matches(&self) -> PathBuf {
        self.data.join("matches")
    }

    /// The state of the workstation when the user left.
    pub fn session(&self) -> PathBuf {
        self.data.join("session.json")
    }

    /// Exact bear-off values with a cube, if computed.
    pub fn bearoffs(&self) -> PathBuf {
        self.data.join("bearoffs.bin")
    }
}
