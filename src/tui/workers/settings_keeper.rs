//! Saves the settings file on a separate thread. A slow disk delays nothing, and failed saves are retried.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;

use crate::store::worker::Backend;
use crate::store::{StoreError, StoreWorker, UnsavedRecords, UserSettings};
use crate::tui::documents::store_name::StoreName;
use crate::tui::message::{Message, Tell as _};

pub struct SettingsKeeper(StoreWorker<File>);

/// The file and its last known content.
struct File {
    path: PathBuf,
    /// The settings last read or written: differences from these were made here.
    known: UserSettings,
    messages: Sender<Message>,
}

impl SettingsKeeper {
    /// Starts the thread for the file at `path`, as it is now.
    pub fn start(path: PathBuf, messages: Sender<Message>) -> Self {
        let tell = StoreName::Settings.reporter(messages.clone());
        let file = File {
            known: UserSettings::load(&path).settings,
            path,
            messages,
        };
        Self(StoreWorker::start("settings", file, tell))
    }

    /// Saves the settings; a message confirms it.
    pub fn keep(&self, settings: UserSettings) {
        self.0.save(settings);
    }

    /// Starts shutting down; see [`StoreWorker::end`].
    pub fn end(&self, deadline: Instant) {
        self.0.end(deadline);
    }

    /// Shuts down. Returns whether the settings are unsaved, and the reason.
    pub fn finish(&self, deadline: Instant) -> UnsavedRecords {
        self.0.finish_counted(deadline)
    }
}

impl Backend for File {
    type Record = UserSettings;
    type Query = ();

    /// Only the newest pending settings matter.
    fn is_same(_: &UserSettings, _: &UserSettings) -> bool {
        true
    }

    fn save(&mut self, settings: &UserSettings, _: Duration) -> Result<(), StoreError> {
        let backup = match settings.save(&self.known, &self.path) {
            // Retrying would not help.
            Err(why @ (StoreError::Format { .. } | StoreError::TooLarge { .. })) => {
                self.messages.warn(why.to_string());
                return Ok(());
            }
            other => other?,
        };
        self.known = settings.clone();
        let written = format!("settings written to {}", self.path.display());
        self.messages.tell(Message::SettingsSaved(match backup {
            None => written,
            Some(backup) => format!("{written}, as it was before: {}", backup.display()),
        }));
        Ok(())
    }

    fn answer(&mut self, (): &(), _: &[Arc<UserSettings>], _: Duration) -> Result<(), StoreError> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use crossbeam_channel::unbounded;

    use super::*;

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(20)
    }

    fn at(ply: u8) -> UserSettings {
        UserSettings {
            ply,
            ..UserSettings::default()
        }
    }

    #[test]
    fn the_newest_settings_are_on_the_disk_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.toml");
        let (messages, inbox) = unbounded();
        let keeper = SettingsKeeper::start(path.clone(), messages);
        (0..=UserSettings::MOST_PLIES).for_each(|ply| keeper.keep(at(ply)));
        assert_eq!(keeper.finish(soon()).count, 0);
        let newest = at(UserSettings::MOST_PLIES);
        assert_eq!(UserSettings::load(&path).settings, newest);
        let told = |message: Message| matches!(message, Message::SettingsSaved(_));
        assert!(!inbox.is_empty() && inbox.try_iter().all(told));
    }

    /// Settings refused by the disk are retried until they are saved.
    #[test]
    fn what_the_disk_refuses_is_tried_again() {
        let folder = tempfile::tempdir().unwrap();
        let in_the_way = folder.path().join("file");
        fs::write(&in_the_way, "").unwrap();
        let path = in_the_way.join("settings.toml");
        let (messages, inbox) = unbounded();
        let keeper = SettingsKeeper::start(path.clone(), messages);
        keeper.keep(at(3));
        let waits = inbox.recv_deadline(soon()).unwrap();
        let is_one = |unsaved: &UnsavedRecords| unsaved.count == 1 && !unsaved.why.is_empty();
        assert!(
            matches!(&waits, Message::Unsaved { store: StoreName::Settings, unsaved } if is_one(unsaved)),
            "{waits:?}"
        );
        fs::remove_file(&in_the_way).unwrap();
        fs::create_dir(&in_the_way).unwrap();
        let written = inbox.recv_deadline(soon()).unwrap();
        assert!(matches!(written, Message::SettingsSaved(_)), "{written:?}");
        assert_eq!(keeper.finish(soon()).count, 0);
        assert_eq!(UserSettings::load(&path).settings, at(3));
    }

    /// A file that can never be written is reported once and not retried.
    #[test]
    fn a_file_in_another_encoding_is_told_of_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.toml");
        fs::write(&path, b"# caf\xe9\n").unwrap();
        let (messages, inbox) = unbounded();
        let keeper = SettingsKeeper::start(path, messages);
        keeper.keep(at(3));
        assert_eq!(keeper.finish(soon()).count, 0);
        let told: Vec<Message> = inbox.try_iter().collect();
        assert!(
            matches!(&told[..], [Message::Warning(why)] if why.contains("not UTF-8")),
            "{told:?}"
        );
    }

    /// Changes by other programs are kept, unless the same setting was changed here.
    #[test]
    fn settings_of_others_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.toml");
        fs::write(&path, "ply = 2\nmouse = true\n").unwrap();
        let (messages, inbox) = unbounded();
        let keeper = SettingsKeeper::start(path.clone(), messages);
        let mut own = UserSettings::load(&path).settings;
        fs::write(&path, "ply = 1\nmouse = false # too restless\n").unwrap();
        own.animation = !own.animation;
        for ply in [2, 3] {
            own.ply = ply;
            keeper.keep(own.clone());
            let written = inbox.recv_deadline(soon()).unwrap();
            assert!(matches!(written, Message::SettingsSaved(_)), "{written:?}");
            let text = fs::read_to_string(&path).unwrap();
            assert_has!(text, "mouse = false # too restless");
            let there = UserSettings::load(&path).settings;
            assert_eq!(there.animation, own.animation);
            assert_eq!(there.ply, if ply == 2 { 1 } else { 3 }, "{text}");
        }
        assert_eq!(keeper.finish(soon()).count, 0);
    }
}
