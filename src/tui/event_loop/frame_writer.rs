//! The thread that writes to the terminal. One that takes nothing, as over a line that has stalled, holds up no rollout, no
//! saving and no signal: frames wait until the one before is written.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use crate::locks::{lock, wait, wait_at_most};

/// How long the end waits for a terminal to take what is on its way.
const LAST_WAIT: Duration = Duration::from_secs(1);
/// Time between two looks whether it has.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// Whether something that was drawn is not written yet. Whoever gives the terminal back may know nothing else.
static IS_BEHIND: AtomicBool = AtomicBool::new(false);

/// Waits a moment until all that was drawn is written; answers whether it is.
pub(super) fn catches_up() -> bool {
    let end = Instant::now() + LAST_WAIT;
    while IS_BEHIND.load(Ordering::SeqCst) {
        if Instant::now() >= end {
            return false;
        }
        thread::sleep(POLL_INTERVAL);
    }
    true
}

/// Collects what is written, and hands it to its thread when it is flushed.
pub(super) struct FrameWriter {
    collected: Vec<u8>,
    line: Arc<FrameLine>,
}

/// What the thread and others share.
pub(super) struct FrameLine {
    queue: Mutex<Queue>,
    changed: Condvar,
    /// Says so too while something is not written.
    is_behind: &'static AtomicBool,
}

#[derive(Default)]
struct Queue {
    /// What the thread has not taken yet.
    waiting: Vec<u8>,
    is_writing: bool,
    /// Why nothing can be written any more.
    failure: Option<io::Error>,
    is_over: bool,
}

impl FrameWriter {
    /// Starts the thread, which writes to standard output.
    ///
    /// # Errors
    /// The system's, if there can be no thread.
    pub(super) fn start() -> io::Result<Self> {
        Self::over(io::stdout(), &IS_BEHIND)
    }

    /// Starts the thread for `out`.
    fn over(out: impl Write + Send + 'static, is_behind: &'static AtomicBool) -> io::Result<Self> {
        let line = Arc::new(FrameLine {
            queue: Mutex::default(),
            changed: Condvar::new(),
            is_behind,
        });
        let own = Arc::clone(&line);
        let thread = thread::Builder::new().name("frames".into());
        // Nobody waits for it: it may hang in a write for as long as the terminal does.
        thread.spawn(move || own.write_to(out))?;
        Ok(Self {
            collected: Vec::new(),
            line,
        })
    }

    /// What tells whether frames are written.
    pub(super) fn line(&self) -> Arc<FrameLine> {
        Arc::clone(&self.line)
    }
}

impl Write for FrameWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.collected.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut queue = self.line.lock();
        if let Some(why) = &queue.failure {
            return Err(repeated(why));
        }
        if self.collected.is_empty() {
            return Ok(());
        }
        self.line.is_behind.store(true, Ordering::SeqCst);
        queue.waiting.append(&mut self.collected);
        self.line.changed.notify_all();
        Ok(())
    }
}

impl Drop for FrameWriter {
    fn drop(&mut self) {
        self.line.lock().is_over = true;
        self.line.changed.notify_all();
    }
}

impl FrameLine {
    /// Whether all that was flushed is written within this time, or cannot be.
    pub(super) fn is_free_within(&self, most: Duration) -> bool {
        let end = Instant::now() + most;
        let mut queue = self.lock();
        while queue.is_writing || !queue.waiting.is_empty() {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            queue = wait_at_most(&self.changed, queue, left);
        }
        true
    }

    /// The thread: writes what is flushed until there is no more, or nothing can be written.
    fn write_to(&self, mut out: impl Write) {
        let mut queue = self.lock();
        loop {
            if queue.waiting.is_empty() {
                queue.is_writing = false;
                self.is_behind.store(false, Ordering::SeqCst);
                self.changed.notify_all();
                if queue.is_over || queue.failure.is_some() {
                    return;
                }
                queue = wait(&self.changed, queue);
                continue;
            }
            queue.is_writing = true;
            let bytes = std::mem::take(&mut queue.waiting);
            drop(queue);
            let done = out.write_all(&bytes).and_then(|()| out.flush());
            queue = self.lock();
            if let Err(why) = done {
                queue.failure = Some(why);
                queue.waiting.clear();
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        lock(&self.queue)
    }
}

/// The same error once more.
fn repeated(error: &io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => io::Error::new(error.kind(), error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossbeam_channel::{Receiver, Sender, unbounded};

    const LONG: Duration = Duration::from_secs(60);
    const SHORT: Duration = Duration::from_millis(30);

    /// A terminal that takes bytes only as often as it is let.
    struct Slow {
        may: Receiver<io::Result<()>>,
        taken: Sender<Vec<u8>>,
    }

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.may.recv().unwrap_or(Ok(()))?;
            self.taken.send(bytes.to_vec()).unwrap();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_terminal_that_takes_nothing_holds_nobody_up_and_gets_all_in_order() {
        static BEHIND: AtomicBool = AtomicBool::new(false);
        let (let_it, may) = unbounded();
        let (taken, received) = unbounded();
        let mut writer = FrameWriter::over(Slow { may, taken }, &BEHIND).unwrap();
        let line = writer.line();
        assert!(line.is_free_within(Duration::ZERO));
        for frame in [b"one ", b"two "] {
            writer.write_all(frame).unwrap();
            writer.flush().unwrap();
        }
        // What is not flushed does not count.
        writer.write_all(b"three").unwrap();
        assert!(!line.is_free_within(SHORT) && BEHIND.load(Ordering::SeqCst));
        let_it.send(Ok(())).unwrap();
        let_it.send(Ok(())).unwrap();
        assert!(line.is_free_within(LONG) && !BEHIND.load(Ordering::SeqCst));
        writer.flush().unwrap();
        let_it.send(Ok(())).unwrap();
        assert!(line.is_free_within(LONG));
        assert_eq!(
            received.try_iter().flatten().collect::<Vec<_>>(),
            b"one two three"
        );
    }

    /// Who hangs up is told of by the next flush, and by each one after that.
    #[test]
    fn a_terminal_that_is_gone_is_told_of() {
        static BEHIND: AtomicBool = AtomicBool::new(false);
        let (let_it, may) = unbounded();
        let (taken, _received) = unbounded();
        let mut writer = FrameWriter::over(Slow { may, taken }, &BEHIND).unwrap();
        writer.write_all(b"one").unwrap();
        writer.flush().unwrap();
        let_it.send(Err(io::Error::from_raw_os_error(5))).unwrap();
        assert!(writer.line().is_free_within(LONG));
        for _ in 0..2 {
            writer.write_all(b"two").unwrap();
            assert_eq!(writer.flush().unwrap_err().raw_os_error(), Some(5));
        }
        assert!(!BEHIND.load(Ordering::SeqCst));
    }
}
