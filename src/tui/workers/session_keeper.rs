//! Saves the session on a separate thread. Only the newest state matters, and a slow disk delays nothing.

use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};

use crate::store::session::Session;
use crate::tui::message::{Message, Tell as _};

/// Minimum time between two saves.
const SAVE_INTERVAL: Duration = Duration::from_millis(500);
/// Time until a failed save is retried.
const RETRY: Duration = Duration::from_secs(5);

pub struct SessionKeeper {
    sessions: Option<Sender<Session>>,
    thread: Option<JoinHandle<()>>,
    last: Option<Session>,
}

impl SessionKeeper {
    /// Starts the thread for the file at `path`.
    pub fn start(path: PathBuf, messages: Sender<Message>) -> Self {
        let (sessions, waiting) = unbounded();
        let to = messages.clone();
        let work = move || write(&path, &waiting, &to, SAVE_INTERVAL);
        let spawned = thread::Builder::new().name("session".into()).spawn(work);
        let thread = super::started(spawned, "keep the session", &messages);
        Self {
            sessions: Some(sessions),
            thread,
            last: None,
        }
    }

    /// Saves the session, unless it is unchanged.
    pub fn keep(&mut self, session: Session) {
        if self.last.as_ref() == Some(&session) {
            return;
        }
        if let Some(sessions) = &self.sessions {
            // Ignored if the thread could not be started.
            let _ = sessions.send(session.clone());
        }
        self.last = Some(session);
    }

    /// Ends the thread after it has saved pending sessions, or at the deadline.
    pub fn finish(mut self, deadline: Instant) {
        self.sessions = None;
        super::join_until(self.thread.take(), deadline);
    }
}

/// Saves sessions at most once per interval, and at once at the end. A failed save is retried until it succeeds or a
/// newer session arrives, and once more at the end.
fn write(path: &Path, waiting: &Receiver<Session>, messages: &Sender<Message>, interval: Duration) {
    let (mut unsaved, mut reported, mut is_over) = (None, None, false);
    let mut due = Instant::now();
    while let Some(first) = next(waiting, unsaved.take(), &mut is_over) {
        let newest = newest_until(due, first, waiting);
        match newest.save(path) {
            Ok(()) => {
                if let Some(text) = reported.take() {
                    messages.tell(Message::Mended(text));
                }
            }
            Err(why) => {
                if reported.is_none() {
                    let text = format!("the place is not kept for the next start: {why}");
                    messages.warn(text.clone());
                    reported = Some(text);
                }
                unsaved = Some(newest).filter(|_| !is_over);
            }
        }
        due = Instant::now() + interval;
    }
}

/// The next session to save: a new one, or after a while a failed one; `None` at the end.
fn next(
    waiting: &Receiver<Session>,
    unsaved: Option<Session>,
    is_over: &mut bool,
) -> Option<Session> {
    if unsaved.is_none() {
        return waiting.recv().ok();
    }
    match waiting.recv_timeout(RETRY) {
        Ok(newer) => Some(newer),
        Err(why) => {
            *is_over = why == RecvTimeoutError::Disconnected;
            unsaved
        }
    }
}

/// The newest session that arrives before `due` or the end.
fn newest_until(due: Instant, first: Session, waiting: &Receiver<Session>) -> Session {
    let mut newest = first;
    while let Ok(next) = waiting.recv_deadline(due) {
        newest = next;
    }
    newest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::session::{SavedPlace, SavedSource};

    fn at(turn: usize) -> Session {
        Session {
            places: vec![SavedPlace {
                source: SavedSource::Id("x".into()),
                turn,
                is_before_roll: false,
                marked: Vec::new(),
                rollouts: Vec::new(),
                match_rollouts: None,
            }],
            ..Session::default()
        }
    }

    #[test]
    fn the_newest_place_is_on_the_disk_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data").join("session.json");
        let (messages, inbox) = unbounded();
        let mut keeper = SessionKeeper::start(path.clone(), messages);
        for turn in 0..200 {
            keeper.keep(at(turn));
        }
        keeper.finish(Instant::now() + Duration::from_secs(20));
        assert_eq!(Session::load(&path).unwrap(), at(199));
        assert!(inbox.is_empty());
    }

    /// Several sessions within the interval are saved once; the end does not wait for the interval.
    #[test]
    fn the_disk_is_written_once_in_an_interval() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("session.json");
        let (sessions, waiting) = unbounded();
        let (messages, _inbox) = unbounded();
        let own = path.clone();
        let day = Duration::from_secs(86_400);
        let thread = thread::spawn(move || write(&own, &waiting, &messages, day));
        let wait_for = |turn| {
            let is_there = || Session::load(&path).is_ok_and(|session| session == at(turn));
            (0..2000).any(|_| {
                thread::sleep(Duration::from_millis(5));
                is_there()
            })
        };
        sessions.send(at(0)).unwrap();
        assert!(wait_for(0), "the first is written at once");
        for turn in 1..=3 {
            sessions.send(at(turn)).unwrap();
            thread::sleep(Duration::from_millis(40));
            assert_eq!(Session::load(&path).unwrap(), at(0));
        }
        drop(sessions);
        assert!(wait_for(3), "the end waits for nothing");
        thread.join().unwrap();
    }

    /// A save refused by a full disk succeeds at the end, if there is room.
    #[test]
    fn what_was_refused_is_written_once_it_can_be() {
        let folder = tempfile::tempdir().unwrap();
        let blocked = folder.path().join("file");
        let path = blocked.join("session.json");
        std::fs::write(&blocked, "").unwrap();
        let (messages, inbox) = unbounded();
        let mut keeper = SessionKeeper::start(path.clone(), messages);
        keeper.keep(at(1));
        let warned = inbox.recv_timeout(Duration::from_secs(20)).unwrap();
        std::fs::remove_file(&blocked).unwrap();
        keeper.finish(Instant::now() + Duration::from_secs(20));
        assert_eq!(Session::load(&path).unwrap(), at(1));
        let mended = inbox.try_recv().unwrap();
        let (Message::Warning(warned), Message::Mended(mended)) = (warned, mended) else {
            panic!("neither warned nor mended");
        };
        assert_eq!(warned, mended);
    }

    #[test]
    fn a_disk_that_refuses_is_reported_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file").join("session.json");
        std::fs::write(folder.path().join("file"), "").unwrap();
        let (messages, inbox) = unbounded();
        let mut keeper = SessionKeeper::start(path, messages);
        keeper.keep(at(1));
        let first = inbox.recv_timeout(Duration::from_secs(20)).unwrap();
        assert!(matches!(first, Message::Warning(text) if text.contains("next start")));
        keeper.keep(at(2));
        keeper.finish(Instant::now() + Duration::from_secs(20));
        assert!(inbox.is_empty());
    }
}
