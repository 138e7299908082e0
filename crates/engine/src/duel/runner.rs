//! Plays many pairs in parallel.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use super::record::PairRecord;
use super::setup::{Duel, Table};

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All pairs were played.
    All,
    /// The caller ended it, or `stop` was set.
    Stopped,
}

/// Pause of a thread after a void pair, because the failed program may have to restart.
const PAUSE_AFTER_VOID: Duration = Duration::from_millis(50);

/// Plays `pairs` on up to `threads` threads. Passes the records to `take` on the calling thread, in the order
/// in which pairs end. `stop` ends the run: unfinished games are lost if the players check it.
pub fn run(
    duel: &Duel<'_>,
    pairs: &[u64],
    threads: usize,
    stop: &AtomicBool,
    take: &mut dyn FnMut(PairRecord) -> ControlFlow<()>,
) -> Ended {
    let boards = duel.contestants.map(|c| c.most_boards());
    let workers = threads
        .min(boards[0])
        .min(boards[1])
        .min(pairs.len())
        .max(1);
    let next = AtomicUsize::new(0);
    let (sender, records) = crossbeam_channel::bounded(workers);
    let mut ended = Ended::All;
    thread::scope(|scope| {
        for _ in 0..workers {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                let mut table = Table::new();
                while !stop.load(Ordering::Relaxed) {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(&pair) = pairs.get(place) else {
                        return;
                    };
                    let Some(record) = duel.play_pair(&mut table, pair) else {
                        return;
                    };
                    let failed = record.fault.is_some();
                    if sender.send(record).is_err() {
                        return;
                    }
                    if failed {
                        thread::sleep(PAUSE_AFTER_VOID);
                    }
                }
            });
        }
        drop(sender);
        for record in &records {
            if ended == Ended::All && take(record).is_break() {
                ended = Ended::Stopped;
                // Players and threads check it.
                stop.store(true, Ordering::Relaxed);
            }
        }
    });
    match stop.load(Ordering::Relaxed) {
        true => Ended::Stopped,
        false => ended,
    }
}
