//! Work that is handed out in order to the threads of a pool, so that what matters most is done first.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Calls `work` with each number below `count`, the lower ones first, on the threads of the pool in force. A
/// thread gets no more where `work` answers false.
pub(super) fn in_order(count: usize, work: &(dyn Fn(usize) -> bool + Sync)) {
    let next = AtomicUsize::new(0);
    let worker = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count || !work(number) {
                return;
            }
        }
    };
    rayon::scope(|scope| {
        for _ in 0..rayon::current_num_threads() {
            scope.spawn(|_| worker());
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn each_is_done_once_and_none_after_the_end() {
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let pool = pool.build().unwrap();
            let done = Mutex::new(Vec::new());
            let work = |i| {
                done.lock().unwrap().push(i);
                i < 20
            };
            pool.install(|| in_order(10, &work));
            let mut all = std::mem::take(&mut *done.lock().unwrap());
            all.sort_unstable();
            assert_eq!(all, (0..10).collect::<Vec<_>>());
            pool.install(|| in_order(1000, &work));
            // Each thread may have one more under way.
            let done = done.lock().unwrap();
            assert!((21..=20 + threads).contains(&done.len()), "{done:?}");
        }
    }
}
