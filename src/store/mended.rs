//! Reports damaged files that were rebuilt.
//!
//! A store rebuilds its file by itself, whoever opened it, and reports it once: the next process finds a sound file.
//! Listeners must therefore start before any store is opened.

use std::sync::{Arc, Mutex};

use crate::locks::lock;

/// Receives a one-line report about a file.
type Hear = Arc<dyn Fn(&str) + Send + Sync>;

static LISTENERS: Mutex<Listeners> = Mutex::new(Listeners {
    next: 0,
    all: Vec::new(),
});

struct Listeners {
    next: u64,
    all: Vec<(u64, Hear)>,
}

/// Listens for files that the stores of this process rebuild, until it is dropped.
#[must_use]
#[derive(Debug)]
pub struct MendedListener {
    number: u64,
}

impl MendedListener {
    /// Calls `hear` with one line: the damaged file, how much could be read, and where the old file is.
    pub fn start(hear: impl Fn(&str) + Send + Sync + 'static) -> Self {
        let mut listeners = lock(&LISTENERS);
        let number = listeners.next;
        listeners.next += 1;
        listeners.all.push((number, Arc::new(hear)));
        Self { number }
    }
}

impl Drop for MendedListener {
    fn drop(&mut self) {
        lock(&LISTENERS)
            .all
            .retain(|(number, _)| *number != self.number);
    }
}

/// Notifies all listeners.
pub(super) fn tell(news: &str) {
    // A listener may open a store: do not hold the lock.
    let all = lock(&LISTENERS).all.clone();
    all.iter().for_each(|(_, hear)| hear(news));
}

/// Reports about files in one folder; other tests rebuild theirs meanwhile.
#[cfg(test)]
pub(crate) struct MendedIn {
    heard: Arc<Mutex<Vec<String>>>,
    _listener: MendedListener,
}

#[cfg(test)]
impl MendedIn {
    pub(crate) fn start(folder: &std::path::Path) -> Self {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let (folder, to) = (folder.display().to_string(), Arc::clone(&heard));
        let listener = MendedListener::start(move |news| {
            if news.contains(&folder) {
                lock(&to).push(news.to_owned());
            }
        });
        Self {
            heard,
            _listener: listener,
        }
    }

    /// Returns the reports since the last call.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut *lock(&self.heard))
    }
}
