//! Writes frames to the terminal on a separate thread. A blocked terminal, as on a stalled line, then delays no
//! rollout, save or signal: frames wait until the previous one is written.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use crate::locks::{lock, wait, wait_at_most};

/// A terminal that accepts nothing for this time is stalled.
const STALLED: Duration = Duration::from_secs(1);
/// Interval between checks for progress.
const POLL_INTERVAL: Duration = Duration::from_millis(2);
/// Bytes per write; small, so that a slow line is quickly free.
const PIECE: usize = 512;
/// Whether a flush waits until everything is written: old Windows consoles receive colours and positions by separate
/// calls, whose order must be kept.
const WAITS: bool = cfg!(windows);

/// State of the terminal line, also for the handler of a fatal signal.
static LINE: LineState = LineState::new();

/// Progress of writing.
pub(super) struct LineState {
    is_behind: AtomicBool,
    /// Number of written pieces.
    written: AtomicUsize,
    /// Whether to discard unwritten bytes.
    drops: AtomicBool,
}

impl LineState {
    const fn new() -> Self {
        Self {
            is_behind: AtomicBool::new(false),
            written: AtomicUsize::new(0),
            drops: AtomicBool::new(false),
        }
    }

    /// Discards unwritten bytes and waits for the current piece. Returns whether the terminal accepts output. `pause`
    /// sleeps for [`POLL_INTERVAL`].
    fn ends(&self, mut pause: impl FnMut()) -> bool {
        self.drops.store(true, Ordering::SeqCst);
        let mut written = self.written.load(Ordering::SeqCst);
        let most = (STALLED.as_millis() / POLL_INTERVAL.as_millis()) as usize;
        let mut left = most;
        while self.is_behind.load(Ordering::SeqCst) {
            let now = self.written.load(Ordering::SeqCst);
            left = if now == written { left - 1 } else { most };
            written = now;
            if left == 0 {
                return false;
            }
            pause();
        }
        true
    }
}

/// Discards unwritten bytes. Returns whether the terminal accepts output.
pub(super) fn ends() -> bool {
    LINE.ends(|| thread::sleep(POLL_INTERVAL))
}

/// The same for signal handlers: `pause` sleeps for a number of nanoseconds.
#[cfg(unix)]
pub(super) fn ends_with(pause: impl Fn(u32)) -> bool {
    LINE.ends(|| pause(POLL_INTERVAL.subsec_nanos()))
}

/// Accepts output again after the terminal was taken.
pub(super) fn begins() {
    LINE.drops.store(false, Ordering::SeqCst);
}

/// Collects output and passes it to its thread on flush.
pub(super) struct FrameWriter {
    collected: Vec<u8>,
    frames: Arc<FrameQueue>,
}

/// State shared with the thread.
pub(super) struct FrameQueue {
    queue: Mutex<Queue>,
    changed: Condvar,
    line: &'static LineState,
}

#[derive(Default)]
struct Queue {
    /// Bytes that the thread has not taken yet.
    waiting: Vec<u8>,
    is_writing: bool,
    /// The error after which nothing can be written.
    failure: Option<io::Error>,
    is_over: bool,
}

impl FrameWriter {
    /// Starts the thread for standard output.
    ///
    /// # Errors
    /// The system's error if the thread cannot be started.
    pub(super) fn start() -> io::Result<Self> {
        Self::over(io::stdout(), &LINE)
    }

    /// Starts the thread for `out`.
    fn over(out: impl Write + Send + 'static, line: &'static LineState) -> io::Result<Self> {
        let frames = Arc::new(FrameQueue {
            queue: Mutex::default(),
            changed: Condvar::new(),
            line,
        });
        let own = Arc::clone(&frames);
        let thread = thread::Builder::new().name("frames".into());
        // Not joined, because it may hang in a write as long as the terminal does.
        thread.spawn(move || own.write_to(out))?;
        Ok(Self {
            collected: Vec::new(),
            frames,
        })
    }

    /// The queue, whose state shows whether frames are written.
    pub(super) fn queue(&self) -> Arc<FrameQueue> {
        Arc::clone(&self.frames)
    }
}

impl Write for FrameWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.collected.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut queue = self.frames.lock();
        if let Some(why) = &queue.failure {
            return Err(repeated(why));
        }
        if self.collected.is_empty() {
            return Ok(());
        }
        self.frames.line.is_behind.store(true, Ordering::SeqCst);
        queue.waiting.append(&mut self.collected);
        self.frames.changed.notify_all();
        drop(queue);
        while WAITS && !self.frames.is_free_within(STALLED) {}
        Ok(())
    }
}

impl Drop for FrameWriter {
    fn drop(&mut self) {
        self.frames.lock().is_over = true;
        self.frames.changed.notify_all();
    }
}

impl FrameQueue {
    /// Returns whether everything flushed is written within `most`, or cannot be.
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

    /// Runs the thread: writes flushed bytes until the end or an error.
    fn write_to(&self, mut out: impl Write) {
        let mut queue = self.lock();
        loop {
            if queue.waiting.is_empty() {
                queue.is_writing = false;
                self.line.is_behind.store(false, Ordering::SeqCst);
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
            let done = self.write_pieces(&bytes, &mut out);
            queue = self.lock();
            if self.line.drops.load(Ordering::SeqCst) {
                queue.waiting.clear();
            }
            if let Err(why) = done {
                queue.failure = Some(why);
                queue.waiting.clear();
            }
        }
    }

    /// Writes bytes until they are discarded.
    fn write_pieces(&self, bytes: &[u8], out: &mut impl Write) -> io::Result<()> {
        for piece in bytes.chunks(PIECE) {
            if self.line.drops.load(Ordering::SeqCst) {
                break;
            }
            out.write_all(piece)?;
            out.flush()?;
            self.line.written.fetch_add(1, Ordering::SeqCst);
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        lock(&self.queue)
    }
}

/// Copies an error.
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

    /// A terminal that accepts bytes only when allowed.
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
        static LINE: LineState = LineState::new();
        let (let_it, may) = unbounded();
        let (taken, received) = unbounded();
        let mut writer = FrameWriter::over(Slow { may, taken }, &LINE).unwrap();
        let frames = writer.queue();
        assert!(frames.is_free_within(Duration::ZERO));
        for frame in [b"one ", b"two "] {
            writer.write_all(frame).unwrap();
            writer.flush().unwrap();
        }
        // Unflushed bytes do not count.
        writer.write_all(b"three").unwrap();
        assert!(!frames.is_free_within(SHORT) && LINE.is_behind.load(Ordering::SeqCst));
        let_it.send(Ok(())).unwrap();
        let_it.send(Ok(())).unwrap();
        assert!(frames.is_free_within(LONG) && !LINE.is_behind.load(Ordering::SeqCst));
        writer.flush().unwrap();
        let_it.send(Ok(())).unwrap();
        assert!(frames.is_free_within(LONG));
        assert_eq!(
            received.try_iter().flatten().collect::<Vec<_>>(),
            b"one two three"
        );
    }

    /// The next flush and all later ones report a closed terminal.
    #[test]
    fn a_terminal_that_is_gone_is_told_of() {
        static LINE: LineState = LineState::new();
        let (let_it, may) = unbounded();
        let (taken, _received) = unbounded();
        let mut writer = FrameWriter::over(Slow { may, taken }, &LINE).unwrap();
        writer.write_all(b"one").unwrap();
        writer.flush().unwrap();
        let_it.send(Err(io::Error::from_raw_os_error(5))).unwrap();
        assert!(writer.queue().is_free_within(LONG));
        for _ in 0..2 {
            writer.write_all(b"two").unwrap();
            assert_eq!(writer.flush().unwrap_err().raw_os_error(), Some(5));
        }
        assert!(!LINE.is_behind.load(Ordering::SeqCst));
    }
    /// A slow line receives the current piece only; a stalled one is abandoned.
    #[test]
    fn the_end_leaves_out_what_is_not_written() {
        static LINE: LineState = LineState::new();
        let (let_it, may) = unbounded();
        let (taken, received) = unbounded();
        let mut writer = FrameWriter::over(Slow { may, taken }, &LINE).unwrap();
        writer.write_all(&[b'x'; 10 * PIECE]).unwrap();
        writer.flush().unwrap();
        let_it.send(Ok(())).unwrap();
        while received.is_empty() {
            thread::sleep(SHORT);
        }
        assert!(!LINE.ends(|| ()), "it takes no more");
        let_it.send(Ok(())).unwrap();
        assert!(LINE.ends(|| thread::sleep(SHORT)));
        assert_eq!(
            received.try_iter().map(|piece| piece.len()).sum::<usize>(),
            2 * PIECE
        );
        // Later output is discarded, too, until the terminal is taken again.
        writer.write_all(b"more").unwrap();
        writer.flush().unwrap();
        assert!(writer.queue().is_free_within(LONG) && received.is_empty());
    }
}
