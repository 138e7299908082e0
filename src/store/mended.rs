//! Files that were damaged and have been made anew.
//!
//! A store mends its file by itself, no matter what opened it. It is told once, since the next to
//! open the file finds it sound. So who wants to know listens before any store is opened.

use std::sync::{Arc, Mutex};

use crate::locks::lock;

/// Hears, in a line, what became of a file.
type Hear = Arc<dyn Fn(&str) + Send + Sync>;

static LISTENERS: Mutex<Listeners> = Mutex::new(Listeners {
    next: 0,
    all: Vec::new(),
});

struct Listeners {
    next: u64,
    all: Vec<(u64, Hear)>,
}

/// Hears of each file that a store of this process mends, until it is dropped.
#[must_use]
#[derive(Debug)]
pub struct MendedListener {
    number: u64,
}

impl MendedListener {
    /// Has `hear` take, in a line, which file was damaged, what could be read of it, and where the old one is.
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

/// Tells all who listen.
pub(super) fn tell(news: &str) {
    // Who hears it may open a store.
    let all = lock(&LISTENERS).all.clone();
    all.iter().for_each(|(_, hear)| hear(news));
}

/// What is heard of the files in a folder: other tests mend theirs meanwhile.
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

    /// What was heard since the last call.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut *lock(&self.heard))
    }
}
