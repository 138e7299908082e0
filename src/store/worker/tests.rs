use super::*;
use crossbeam_channel::{Receiver, Sender, unbounded};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Timeout that suffices on the busiest machine.
const LONG: Duration = Duration::from_secs(60);

#[derive(Clone, Copy, PartialEq)]
enum Trouble {
    None,
    Locked,
    Full,
    Panics,
    Hangs,
}

type Saved = Arc<Mutex<BTreeMap<u32, u32>>>;

struct Fake {
    trouble: Arc<Mutex<Trouble>>,
    saved: Saved,
    answers: Sender<Option<u32>>,
}

impl Fake {
    fn trouble(&self) -> Result<(), StoreError> {
        let path = PathBuf::from("x");
        let trouble = *self.trouble.lock().unwrap();
        match trouble {
            Trouble::None => Ok(()),
            Trouble::Locked => Err(StoreError::Locked { path }),
            Trouble::Full => Err(StoreError::Refused {
                path,
                message: "full".into(),
            }),
            Trouble::Panics => panic!("a fault of the program"),
            Trouble::Hangs => loop {
                thread::sleep(Duration::from_secs(1));
            },
        }
    }
}

impl Backend for Fake {
    type Record = (u32, u32);
    type Query = u32;

    fn is_same(one: &(u32, u32), other: &(u32, u32)) -> bool {
        one.0 == other.0
    }

    fn save(&mut self, record: &(u32, u32), _: Duration) -> Result<(), StoreError> {
        self.trouble()?;
        self.saved.lock().unwrap().insert(record.0, record.1);
        Ok(())
    }

    fn answer(
        &mut self,
        query: &u32,
        unsaved: &[Arc<(u32, u32)>],
        _: Duration,
    ) -> Result<(), StoreError> {
        self.trouble()?;
        let waiting = unsaved.iter().find(|record| record.0 == *query);
        let saved = || self.saved.lock().unwrap().get(query).copied();
        let found = waiting.map(|record| record.1).or_else(saved);
        self.answers.send(found).unwrap();
        Ok(())
    }
}

struct Bench {
    worker: StoreWorker<Fake>,
    trouble: Arc<Mutex<Trouble>>,
    saved: Saved,
    answers: Receiver<Option<u32>>,
    reports: Receiver<UnsavedRecords>,
}

impl Bench {
    fn new(trouble: Trouble) -> Self {
        let (answer, answers) = unbounded();
        let (tell, reports) = unbounded();
        let trouble = Arc::new(Mutex::new(trouble));
        let saved = Saved::default();
        let fake = Fake {
            trouble: Arc::clone(&trouble),
            saved: Arc::clone(&saved),
            answers: answer,
        };
        let tell = move |unsaved: &UnsavedRecords| tell.send(unsaved.clone()).unwrap();
        Self {
            worker: StoreWorker::start("store", fake, tell),
            trouble,
            saved,
            answers,
            reports,
        }
    }

    fn becomes(&self, trouble: Trouble) {
        *self.trouble.lock().unwrap() = trouble;
    }

    fn count(&self) -> usize {
        let report = self.reports.recv_timeout(LONG).unwrap();
        assert_eq!(report.count == 0, report.why.is_empty());
        report.count
    }

    /// Waits until everything is saved. A round running when the trouble ends may save only one record, and report
    /// that.
    fn until_saved(&self) {
        while self.count() > 0 {}
        // A record that replaced one being saved needs its own round.
        let deadline = Instant::now() + LONG;
        while !self.worker.is_saved() {
            assert!(Instant::now() < deadline);
            thread::sleep(Duration::from_millis(1));
        }
    }
}

#[test]
fn what_cannot_be_saved_waits_until_it_can() {
    for trouble in [Trouble::Locked, Trouble::Full, Trouble::Panics] {
        let bench = Bench::new(trouble);
        bench.worker.save((1, 10));
        assert_eq!(bench.count(), 1);
        // Later records are counted, too; of the same thing the newest counts.
        bench.worker.save((2, 20));
        assert_eq!(bench.count(), 2);
        bench.worker.save((1, 11));
        bench.becomes(Trouble::None);
        bench.until_saved();
        let saved = bench.saved.lock().unwrap().clone();
        assert_eq!(saved, BTreeMap::from([(1, 11), (2, 20)]));
        // And again later in the session.
        bench.becomes(trouble);
        bench.worker.save((3, 30));
        assert_eq!(bench.count(), 1);
        bench.becomes(Trouble::None);
        bench.until_saved();
        let (left, why) = bench.worker.finish(Instant::now());
        assert!(left.is_empty() && why.is_empty());
        assert_eq!(bench.saved.lock().unwrap().len(), 3);
    }
}

#[test]
fn questions_wait_and_know_what_is_not_saved() {
    let wait = LONG;
    let bench = Bench::new(Trouble::None);
    bench.worker.save((1, 10));
    bench.worker.ask(1, None);
    assert_eq!(bench.answers.recv_timeout(wait), Ok(Some(10)));
    bench.becomes(Trouble::Locked);
    bench.worker.save((1, 11));
    assert_eq!(bench.count(), 1);
    bench.worker.ask(1, None);
    bench.worker.ask(2, None);
    let soon = Instant::now() + Duration::from_millis(30);
    bench.worker.ask(3, Some(soon));
    let short = Duration::from_millis(100);
    assert!(bench.answers.recv_timeout(short).is_err());
    bench.becomes(Trouble::None);
    assert_eq!(bench.answers.recv_timeout(wait), Ok(Some(11)));
    assert_eq!(bench.answers.recv_timeout(wait), Ok(None));
    assert_eq!(bench.count(), 0);
    // The third query has expired.
    assert!(bench.answers.recv_timeout(short).is_err());
}

#[test]
fn the_end_tries_and_does_not_wait_for_ever() {
    let second = Duration::from_secs(1);
    for trouble in [Trouble::Locked, Trouble::Full, Trouble::Hangs] {
        let bench = Bench::new(trouble);
        bench.worker.save((1, 10));
        bench.worker.save((2, 20));
        let begin = Instant::now();
        let (left, why) = bench.worker.finish(begin + second / 2);
        assert!(begin.elapsed() < 10 * second);
        let left: Vec<_> = left.iter().map(|record| **record).collect();
        assert_eq!(left, [(1, 10), (2, 20)]);
        assert!(!why.is_empty());
    }
    // A lock that is released in time loses nothing.
    let bench = Bench::new(Trouble::Locked);
    bench.worker.save((1, 10));
    assert_eq!(bench.count(), 1);
    let trouble = Arc::clone(&bench.trouble);
    thread::spawn(move || {
        thread::sleep(Duration::from_millis(300));
        *trouble.lock().unwrap() = Trouble::None;
    });
    let (left, _) = bench.worker.finish(Instant::now() + 20 * second);
    assert!(left.is_empty());
    assert_eq!(bench.saved.lock().unwrap().get(&1), Some(&10));
}
