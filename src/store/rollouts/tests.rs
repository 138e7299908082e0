//! Rollouts: stored, found, continued, damaged.

use super::*;
use crate::eval::{Engine, Evaluator};
use crate::game::{GameState, Position};
use crate::notation::xgid_text;
use crate::rollout::{
    Allocation, CubeSettings, Leeway, Rollout, RolloutResult, Settings, Setup, Shard, StopRules,
};
use crate::store::{ListedRollout, MendedIn, RolloutCommand};
use rusqlite::Connection;
use std::sync::{Arc, LazyLock};

fn start() -> Vec<Position> {
    vec![Position::from_points(&[(6, 3), (4, 2)], &[(5, 3), (3, 1)]).unwrap()]
}

/// Shared, because unpacking the nets takes longer than most tests here.
static ENGINE: LazyLock<Arc<Engine>> = LazyLock::new(|| Arc::new(Engine::embedded()));

fn setup() -> Setup {
    let evaluator: Arc<dyn Evaluator> = ENGINE.clone();
    Setup {
        keep_trials: true,
        ..Setup::from(evaluator)
    }
}

fn settings(trials: u64, shard: Option<Shard>) -> Settings {
    let mut settings = Settings {
        shard,
        stop_at_known: false,
        ..Settings::default()
    };
    settings.stop.trials = trials;
    settings
}

fn rolled(
    trials: u64,
    shard: Option<Shard>,
    from: Option<Progress>,
) -> (Progress, Vec<TrialRecord>) {
    let mut handle = match from {
        Some(mut progress) => {
            progress.settings.stop.trials = trials;
            Rollout::resume(setup(), progress, 1, None).unwrap()
        }
        None => Rollout::start(setup(), start(), settings(trials, shard), 1, None).unwrap(),
    };
    handle.wait();
    handle.take_records()
}

fn wanted(settings: &Settings, candidates: &[Position], leeway: Leeway) -> WantedRollout {
    WantedRollout {
        setup: setup(),
        settings: settings.clone(),
        candidates: candidates.to_vec(),
        leeway,
    }
}

fn find(store: &RolloutStore, progress: &Progress) -> Option<StoredRollout> {
    let found = store.find(&RolloutKey::of(progress)).unwrap();
    found.sound(|why| panic!("{why}"))
}

fn all(store: &RolloutStore) -> Vec<StoredRollout> {
    store.all(&mut |why| panic!("{why}")).unwrap()
}

fn trials(store: &RolloutStore, id: i64) -> Vec<TrialRecord> {
    let (mut after, mut all) = (None, Vec::new());
    loop {
        let next = store.trials(id, after, &mut |_| ()).unwrap();
        let Some(first) = next.first() else { break };
        after = Some(first.trial);
        all.extend(next);
    }
    all
}

#[test]
fn what_is_kept_is_found_and_grows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/rollouts.sqlite");
    let shown = RolloutLabel {
        command: RolloutCommand::Rollout,
        ..RolloutLabel::default()
    };
    let (few, records) = rolled(72, None, None);
    let mut store = RolloutStore::open(&path).unwrap();
    assert!(find(&store, &few).is_none());
    store.save(&shown, &few, &records).unwrap();
    let found = find(&store, &few).unwrap();
    assert_eq!((&found.progress, &found.shown), (&few, &shown));
    // Another process with more trials; then one with fewer.
    let (many, more) = rolled(180, None, Some(few.clone()));
    assert_eq!(more.len(), 108);
    let mut other = RolloutStore::open(&path).unwrap();
    other.save(&shown, &many, &more).unwrap();
    store.save(&shown, &few, &records).unwrap();
    let found = find(&store, &many).unwrap();
    assert_eq!(found.progress, many);
    assert_eq!(all(&store).len(), 1);
    // Every trial is stored once, in order.
    let numbers: Vec<u64> = trials(&store, found.id).iter().map(|r| r.trial).collect();
    assert_eq!(numbers, (0..180).collect::<Vec<_>>());
    assert_eq!(
        std::fs::read_dir(path.parent().unwrap()).unwrap().count(),
        1
    );
}

/// The list has the last saved rollout first. A removed rollout loses its trials too.
#[test]
fn rollouts_are_listed_and_taken_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rollouts.sqlite");
    let mut store = RolloutStore::open(&path).unwrap();
    let label = |command| RolloutLabel {
        command,
        plays: vec![None],
        ..RolloutLabel::default()
    };
    let shard = Shard { index: 0, of: 2 };
    let (first, _) = rolled(36, None, None);
    let (second, records) = rolled(72, Some(shard), None);
    store
        .save(&label(RolloutCommand::Rollout), &first, &[])
        .unwrap();
    store
        .save(&label(RolloutCommand::Compare), &second, &records)
        .unwrap();
    let connection = Connection::open(&path).unwrap();
    let later = "UPDATE rollouts SET updated = 86400 * id WHERE id > 0";
    connection.execute(later, []).unwrap();
    drop(connection);
    let (all, total) = store
        .listed(&|_| true, 10, &mut |why| panic!("{why}"))
        .unwrap();
    let commands: Vec<_> = all.iter().map(|one| one.rollout.shown.command).collect();
    let expected = vec![RolloutCommand::Compare, RolloutCommand::Rollout];
    assert_eq!((commands, total), (expected, 2));
    assert_eq!(all[1].day(), "1970-01-02");
    let (last, total) = store.listed(&|_| true, 1, &mut |_| {}).unwrap();
    assert_eq!((last[0].rollout.id, total), (all[0].rollout.id, 2));
    let (some, total) = store
        .listed(
            &|shown| shown.command == RolloutCommand::Rollout,
            10,
            &mut |_| {},
        )
        .unwrap();
    assert_eq!((some.len(), total), (1, 1));
    // The candidate of a position belongs to the player who is not on roll.
    let found = some[0].candidates(&setup()).expect("made by this version");
    let result = first.result(&setup()).unwrap();
    assert_eq!(found[0].equity.mean, -result.candidates[0].equity.mean);
    assert_eq!(found[0].trials, 36);
    let id = all[0].rollout.id;
    assert_eq!(store.remove(&[id, 4711]).unwrap(), [id]);
    assert!(trials(&store, id).is_empty());
    assert!(store.remove(&[id]).unwrap().is_empty());
    assert_eq!(
        store
            .listed(&|_| true, 10, &mut |why| panic!("{why}"))
            .unwrap()
            .1,
        1
    );
    assert!(find(&store, &first).is_some() && find(&store, &second).is_none());
}

/// A beaver beyond the cube cap is no answer to a double, because the trials cannot play it.
#[test]
fn a_beaver_is_listed_up_to_the_cap() {
    let behind = Position::from_points(&[(6, 5), (5, 5), (4, 5)], &[(6, 5), (5, 5)]).unwrap();
    let mut state = GameState::money(behind);
    state.rules.beavers = true;
    let setup = Setup {
        cube: Some(Arc::default()),
        ..setup()
    };
    for (cap, has_beaver) in [(4, true), (2, false)] {
        let settings = Settings {
            ply: 0,
            horizon: Some(2),
            cube: Some(CubeSettings {
                cap,
                ..CubeSettings::of_decision(&state)
            }),
            ..settings(36, None)
        };
        let both = vec![state.position; 2];
        let mut handle = Rollout::start(setup.clone(), both, settings, 1, None).unwrap();
        handle.wait();
        let plays = ["no double", "double/take"].map(|play| Some(play.to_owned()));
        let shown = RolloutLabel {
            position: xgid_text(&state.offered()),
            plays: plays.into(),
            ..RolloutLabel::default()
        };
        let (progress, _) = handle.take_records();
        let listed = ListedRollout {
            saved: 0,
            rollout: StoredRollout {
                id: 1,
                shown,
                progress,
            },
        };
        let all = listed.candidates(&setup).expect("made by this version");
        let mut answers = all.iter().filter_map(|one| one.play.as_deref());
        assert_eq!(answers.any(|answer| answer == "beaver"), has_beaver);
    }
}

#[test]
fn overlapping_saves_keep_each_trial_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = RolloutStore::open(&folder.path().join("s")).unwrap();
    let shown = RolloutLabel::default();
    let shard = Some(Shard { index: 1, of: 3 });
    let (a, first) = rolled(360, shard, None);
    let (b, second) = rolled(720, shard, None);
    store.save(&shown, &a, &first).unwrap();
    // Trials from the start: those already stored are skipped.
    store.save(&shown, &b, &second).unwrap();
    let id = all(&store)[0].id;
    assert_eq!(trials(&store, id), second);
}

/// One rule for the command line, the workstation and the review; each leeway is named.
#[test]
fn only_what_is_on_the_way_is_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = RolloutStore::open(&folder.path().join("s")).unwrap();
    let (kept, _) = rolled(72, None, None);
    store.save(&RolloutLabel::default(), &kept, &[]).unwrap();
    let resume = |settings: &Settings, leeway| {
        let found = store.resume(&wanted(settings, &start(), leeway)).unwrap();
        found.sound(|why| panic!("{why}"))
    };
    let asked = |trials| settings(trials, None);
    for leeway in [Leeway::Nothing, Leeway::Rules, Leeway::More] {
        let found = resume(&asked(108), leeway).unwrap();
        assert_eq!((found.trials(), found.settings.stop.trials), (72, 108));
    }
    // The stored rollout is longer.
    assert!(resume(&asked(36), Leeway::Nothing).is_none());
    assert!(resume(&asked(36), Leeway::Rules).is_none());
    let more = resume(&asked(36), Leeway::More).unwrap();
    assert_eq!((more.trials(), more.settings.stop.trials), (72, 72));
    // The stored rollout might have ended earlier.
    let mut stops = asked(108);
    stops.stop.standard_error = Some(0.5);
    assert!(resume(&stops, Leeway::Nothing).is_none());
    assert!(resume(&stops, Leeway::Rules).is_some());
    // Another rollout.
    let mut other = asked(108);
    other.seed = 2;
    assert!(resume(&other, Leeway::More).is_none());
    let race = Settings {
        allocation: Allocation::Race,
        stop: StopRules {
            separated: Some(0.5),
            ..StopRules::default()
        },
        ..Settings::default()
    };
    let starts = [start()[0]; 3];
    let loose = Rollout::start(setup(), starts.to_vec(), race.clone(), 1, None).unwrap();
    loose.cancel();
    let progress = loose.progress();
    let toward = |settings: &Settings, leeway| {
        let progress = progress.clone();
        progress.toward(&wanted(settings, &starts, leeway))
    };
    assert!(toward(&race, Leeway::Nothing).is_ok());
    let mut strict = race.clone();
    strict.stop.separated = None;
    for leeway in [Leeway::Nothing, Leeway::Rules, Leeway::More] {
        assert_eq!(toward(&strict, leeway), Err(Unfit::Race));
    }
    let mut old = progress.clone();
    old.results = "other".into();
    let old = old.toward(&wanted(&race, &starts, Leeway::More));
    assert_eq!(old, Err(Unfit::Version));
}

#[test]
fn other_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x");
    let text = "something else, and long enough to be looked at ".repeat(99);
    std::fs::write(&path, &text).unwrap();
    let error = RolloutStore::open(&path).unwrap_err().to_string();
    assert_has!(error, "not a store");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    let path = folder.path().join("y");
    let other = Connection::open(&path).unwrap();
    other.execute_batch("CREATE TABLE t (x)").unwrap();
    drop(other);
    let error = RolloutStore::open(&path).unwrap_err().to_string();
    assert_has!(error, "not a store");
    assert!(RolloutStore::open(folder.path()).is_err());
}

/// The figures of a rollout without its times.
fn figures(progress: &Progress) -> RolloutResult {
    let mut result = progress.result(&setup()).unwrap();
    (result.seconds, result.cpu_seconds) = (0.0, 0.0);
    result
}

#[test]
fn a_bad_row_is_set_aside_and_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s");
    let (kept, _) = rolled(72, None, None);
    let (shard, records) = rolled(108, Some(Shard { index: 0, of: 2 }), None);
    let shown = RolloutLabel::default();
    let mut store = RolloutStore::open(&path).unwrap();
    store.save(&shown, &kept, &[]).unwrap();
    store.save(&shown, &shard, &records).unwrap();
    drop(store);
    let sql = Connection::open(&path).unwrap();
    // Changes one digit of a sum; the text still parses.
    let change = "UPDATE rollouts SET progress = replace(progress, '.0', '.2');
                  UPDATE trials SET data = zeroblob(length(data));";
    sql.execute_batch(change).unwrap();
    drop(sql);
    let mut store = RolloutStore::open(&path).unwrap();
    let found = store.find(&RolloutKey::of(&kept)).unwrap();
    assert!(
        matches!(&found, Lookup::Damaged(why) if why.contains("damaged")),
        "{found:?}"
    );
    let found = store.resume(&wanted(&settings(72, None), &start(), Leeway::More));
    assert!(matches!(found.unwrap(), Lookup::Damaged(_)));
    let warnings = std::cell::Cell::new(0);
    let mut tell = |_| warnings.set(warnings.get() + 1);
    assert!(store.all(&mut tell).unwrap().is_empty());
    assert_eq!(warnings.get(), 2);
    store.save(&shown, &kept, &[]).unwrap();
    assert_eq!(find(&store, &kept).unwrap().progress, kept);
    // A shard with damaged trials is not used either.
    store.save(&shown, &shard, &records).unwrap();
    let sql = Connection::open(&path).unwrap();
    let change = "UPDATE trials SET first = first + 1, sum = sum";
    sql.execute_batch(change).unwrap();
    let asked = settings(108, shard.settings.shard);
    let found = store.resume(&wanted(&asked, &start(), Leeway::Nothing));
    assert!(matches!(found.unwrap(), Lookup::Damaged(_)));
    // The damaged rows are still there for inspection.
    let aside: i64 = sql
        .query_row(
            "SELECT count(*) FROM rollouts WHERE key LIKE 'damaged %'",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(aside, 2);
}

/// A random generator that gives the same numbers everywhere.
struct Lcg(u64);

impl Lcg {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// Flips bits all over the file: everything found equals what was stored, and anything not found can be stored and
/// found again.
#[test]
fn flipped_bits_never_change_figures() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s");
    let shown = RolloutLabel::default();
    let shard = Some(Shard { index: 0, of: 2 });
    let all = [(36, None), (72, shard)].map(|(n, shard)| {
        let start = start();
        let mut settings = settings(n, shard);
        settings.horizon = Some(2);
        let mut handle = Rollout::start(setup(), start, settings, 1, None).unwrap();
        handle.wait();
        handle.take_records()
    });
    let mut store = RolloutStore::open(&path).unwrap();
    for (progress, records) in &all {
        store.save(&shown, progress, records).unwrap();
    }
    drop(store);
    let whole = std::fs::read(&path).unwrap();
    let expected = all.each_ref().map(|(progress, _)| figures(progress));
    let mut dice = Lcg(7);
    let (mut found, mut damaged, mut twice) = (0, 0, 0);
    let mended = MendedIn::start(folder.path());
    for run in 0..600 {
        let mut bytes = whole.clone();
        for _ in 0..1 + run % 4 {
            // In every fourth file the header is damaged, which is a small part of it.
            let range = if run % 4 == 0 { 512 } else { bytes.len() };
            let at = dice.below(range);
            // Not the version number: files of other versions are refused.
            if !(60..64).contains(&at) {
                bytes[at] ^= 1 << dice.below(8);
            }
        }
        let path = folder.path().join(format!("{run}"));
        std::fs::write(&path, &bytes).unwrap();
        let mut store = RolloutStore::open(&path).unwrap_or_else(|e| panic!("{run}: {e}"));
        for ((progress, records), expected) in all.iter().zip(&expected) {
            let (asked, starts) = (&progress.settings, &progress.candidates);
            let resumed = |store: &RolloutStore| {
                let found = store.resume(&wanted(asked, starts, Leeway::Nothing));
                found.unwrap_or_else(|e| panic!("{run}: {e}"))
            };
            match resumed(&store) {
                Lookup::Kept(kept) => {
                    assert_eq!(figures(&kept), *expected, "{run}");
                    found += 1;
                }
                Lookup::Nothing => {}
                Lookup::Damaged(_) => damaged += 1,
            }
            let saved = store.save(&shown, progress, records);
            match saved {
                Ok(()) => {
                    let mut kept = resumed(&store);
                    if matches!(kept, Lookup::Damaged(_)) {
                        // Misdescribed free space shows only after a write; the next save then rebuilds the file.
                        store.save(&shown, progress, records).unwrap();
                        kept = resumed(&store);
                        twice += 1;
                    }
                    let kept = kept.sound(|why| panic!("{run}: {why}"));
                    let kept = kept.unwrap_or_else(|| panic!("{run}: not kept"));
                    assert_eq!(figures(&kept), *expected, "{run}");
                }
                Err(e) => panic!("{run}: {e}"),
            }
        }
    }
    let mended = mended.take().len();
    assert!(
        found > 300 && damaged > 20 && mended > 20 && twice < 10,
        "{found} {damaged} {mended} {twice}"
    );
}
