//! Writes the settings file, by a thread of its own: a slow disk holds nobody up.

use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::panics::guarded;
use crate::store::UserSettings;
use crate::tui::message::{Message, Tell as _};

/// The thread that writes the settings.
pub struct SettingsKeeper {
    settings: Option<Sender<UserSettings>>,
    thread: Option<JoinHandle<()>>,
}

impl SettingsKeeper {
    /// Starts the thread for the file at `path`.
    #[must_use]
    pub fn start(path: PathBuf, messages: Sender<Message>) -> Self {
        let (settings, waiting) = unbounded();
        let to = messages.clone();
        let work = move || write_all(&path, &waiting, &to);
        let spawned = thread::Builder::new().name("settings".into()).spawn(work);
        Self {
            settings: Some(settings),
            thread: super::started(spawned, "keep the settings", &messages),
        }
    }

    /// Has the settings written; a message says what became of it.
    pub fn keep(&self, settings: UserSettings) {
        if let Some(waiting) = &self.settings {
            // Nobody listens when there is no thread, which was reported.
            let _ = waiting.send(settings);
        }
    }

    /// Ends the thread once it has written what waits, or when the time is over.
    pub fn finish(mut self, deadline: Instant) {
        self.settings = None;
        super::join_until(self.thread.take(), deadline);
    }
}

/// Writes what comes; of several that wait, the newest.
fn write_all(path: &Path, waiting: &Receiver<UserSettings>, messages: &Sender<Message>) {
    while let Ok(first) = waiting.recv() {
        let newest = waiting.try_iter().last().unwrap_or(first);
        let written = guarded(|| write(&newest, path)).unwrap_or_else(Err);
        messages.tell(Message::SettingsSaved(written));
    }
}

/// Writes them; answers what to say.
fn write(settings: &UserSettings, path: &Path) -> Result<String, String> {
    let backup = settings.save(path).map_err(|error| error.to_string())?;
    let written = format!("settings written to {}", path.display());
    Ok(match backup {
        None => written,
        Some(backup) => format!("{written}, as it was before: {}", backup.display()),
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_newest_settings_are_on_the_disk_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.toml");
        let (messages, inbox) = unbounded();
        let keeper = SettingsKeeper::start(path.clone(), messages);
        let at = |ply| UserSettings {
            ply,
            ..UserSettings::default()
        };
        (0..=UserSettings::MOST_PLIES).for_each(|ply| keeper.keep(at(ply)));
        keeper.finish(Instant::now() + Duration::from_secs(20));
        let newest = at(UserSettings::MOST_PLIES);
        assert_eq!(UserSettings::load(&path).settings, newest);
        let told = |message: Message| matches!(message, Message::SettingsSaved(Ok(_)));
        assert!(!inbox.is_empty() && inbox.try_iter().all(told));
    }

    #[test]
    fn a_disk_that_refuses_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("file"), "").unwrap();
        let path = folder.path().join("file").join("settings.toml");
        let (messages, inbox) = unbounded();
        let keeper = SettingsKeeper::start(path, messages);
        keeper.keep(UserSettings::default());
        let answer = inbox.recv_timeout(Duration::from_secs(20)).unwrap();
        assert!(matches!(answer, Message::SettingsSaved(Err(_))));
        keeper.finish(Instant::now() + Duration::from_secs(20));
    }
}
