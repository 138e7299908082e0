//! `luckless merge`: the shards of one rollout, counted together.
//!
//! The trials are counted in the order of their numbers, as one machine would have done, so that
//! the sums are the same to the last bit. What is missing is left out by whole blocks, and
//! reported.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use anyhow::{Result, bail};

use super::compare_print::ComparisonOutput;
use super::rollout_files::Evaluators;
use super::rollout_options::SettingsDocument;
use super::rollout_print;
use super::rollout_run::EndedRollout;
use crate::cli::common::options::{CubeModel, Id, Nets};
use crate::cli::common::usage::{misuse, refused, say};
use crate::review::report::position_card::rollers_situation;
use crate::rollout::{Identity, Settings, Setup, Shard, ShardMerge, TrialRecord};
use crate::store::{READ_TIMEOUT, RolloutStore, StoredRollout};

const EXAMPLES: &str = "\
Examples:
  luckless rollout 4HPwATDgc/ABMA --dice 31 --shard 1/2 --store shard1
  luckless rollout 4HPwATDgc/ABMA --dice 31 --shard 2/2 --store shard2
  luckless merge shard1 shard2 --json

A store may hold several shards. The result is the one that a single rollout gives, bit for bit; if \
shards or parts of them are missing, it is that of the whole blocks of trials that are there, and says \
how many are not.";

/// Put the shards of a rollout together
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The stores that the shards were kept in
    #[arg(value_name = "SHARD", required = true)]
    shards: Vec<PathBuf>,
    /// Machine output: one JSON document
    #[arg(long)]
    json: bool,
    /// The net with which the other side played, if another one
    #[arg(long, value_name = "FILE")]
    opponent_nets: Option<PathBuf>,
    /// The net that measured the luck, if another one
    #[arg(long, value_name = "FILE")]
    luck_nets: Option<PathBuf>,
    #[command(flatten)]
    model: CubeModel,
    #[command(flatten)]
    nets: Nets,
}

/// A shard being read.
struct Reader {
    store: Rc<RolloutStore>,
    kept: StoredRollout,
    shard: Shard,
    /// First trial of the row that was read last.
    last: Option<u64>,
    /// All rows have been read.
    is_read: bool,
    /// Records that were read but not counted yet.
    ahead: VecDeque<TrialRecord>,
}

impl Reader {
    fn new(store: Rc<RolloutStore>, kept: StoredRollout, shard: Shard) -> Self {
        Self {
            store,
            kept,
            shard,
            last: None,
            is_read: false,
            ahead: VecDeque::new(),
        }
    }

    /// The records of the trials from `from` up to `to`, all candidates of all of them, or none. Later blocks
    /// come later.
    fn block(&mut self, from: u64, to: u64) -> Result<Option<Vec<TrialRecord>>> {
        let wanted = (to - from) as usize * self.kept.progress.candidates.len();
        self.pass_over(from);
        while self.ahead.len() < wanted && self.read_row()? {
            self.pass_over(from);
        }
        let fits = self.ahead.front().is_some_and(|r| r.trial == from)
            && self
                .ahead
                .get(wanted - 1)
                .is_some_and(|r| r.trial == to - 1);
        if !fits {
            self.pass_over(to);
            return Ok(None);
        }
        Ok(Some(self.ahead.drain(..wanted).collect()))
    }

    /// Reads the next row that is whole; false if there is none.
    fn read_row(&mut self) -> Result<bool> {
        if self.is_read {
            // A damaged row at the end would be reported again.
            return Ok(false);
        }
        let more = self
            .store
            .trials(self.kept.id, self.last, &mut |why| say(&why))?;
        // A row is found by its first trial.
        match more.first() {
            Some(first) => self.last = Some(first.trial),
            None => self.is_read = true,
        }
        self.ahead.extend(more);
        Ok(!self.is_read)
    }

    /// Leaves out the trials before this one. Rows end within blocks, so a damaged row leaves parts of blocks
    /// at both of its ends.
    fn pass_over(&mut self, trial: u64) {
        while self.ahead.front().is_some_and(|r| r.trial < trial) {
            self.ahead.pop_front();
        }
    }
}

impl Args {
    pub(crate) fn run(self) -> Result<()> {
        let mut readers = self.readers()?;
        let Some(first) = readers.first() else {
            bail!("no shards in it");
        };
        let (whole, shown) = (whole(&first.kept), first.kept.shown.clone());
        let of = first.shard.of;
        if let Some(other) = readers.iter().find(|r| whole_differs(&r.kept, &first.kept)) {
            let path = other.store.path().display();
            return Err(misuse(format!("{path}: shards of different rollouts")));
        }
        let setup = self.setup(shown.is_before_roll(), whole.cube.is_some())?;
        let progress = &first.kept.progress;
        let wanted = Identity::new(&setup, &whole, &progress.candidates);
        if let Some(unfit) = Identity::of(progress).of_all_shards().difference(&wanted) {
            bail!("the shards cannot be merged here: {unfit}");
        }
        let candidates = progress.candidates.len();
        let mut merge =
            ShardMerge::new(&setup, progress.candidates.clone(), &whole).map_err(refused)?;
        readers.sort_by_key(|r| (r.shard.index, u64::MAX - r.kept.progress.trials()));
        readers.dedup_by_key(|r| r.shard.index);
        for reader in &readers {
            let p = &reader.kept.progress;
            merge.add_time(p.seconds, p.cpu_seconds);
        }
        count(&mut readers, &mut merge, &whole, of, candidates)?;
        let missing = whole.stop.trials - merge.trials();
        if merge.trials() == 0 {
            bail!("the shards have no trials yet");
        }
        if missing > 0 {
            say(&missing_text(&readers, &whole, of, missing));
        }
        let described = SettingsDocument::seen(&setup, &whole, shown.is_before_roll());
        let outcome = EndedRollout {
            missing_trials: (missing > 0).then_some(missing),
            ..EndedRollout::new(Arc::new(merge.result()), described)
        };
        // What stands in the identifier that was typed.
        let state = shown.position.parse().map(|id: Id| id.state).ok();
        let rules = state.map_or_else(String::new, |state| {
            let cube = setup.cube.as_ref();
            let table = cube.and_then(|cube| self.model.table_words(cube, &state));
            rollers_situation(&state) + &table.unwrap_or_default()
        });
        if shown.is_comparison() {
            let output = ComparisonOutput {
                outcome: &outcome,
                shown: &shown,
                rules: &rules,
                pilot: None,
            };
            return output.print(self.json);
        }
        let is_offered = state.is_some_and(|state| state.doubled);
        rollout_print::print(&outcome, &shown, &rules, is_offered, self.json)
    }

    fn setup(&self, before_roll: bool, cubeful: bool) -> Result<Setup> {
        let [opponent, luck] = [&self.opponent_nets, &self.luck_nets].map(Option::as_deref);
        let evaluators = Evaluators::load(&self.nets, opponent, luck)?;
        let mut setup = evaluators.setup(before_roll);
        if cubeful {
            setup.cube = Some(Arc::new(self.model.load()?));
        }
        Ok(setup)
    }

    fn readers(&self) -> Result<Vec<Reader>> {
        let mut readers = Vec::new();
        for path in &self.shards {
            if !path.is_file() {
                let what = match path.exists() {
                    true => "not a file",
                    false => "no such file",
                };
                bail!("{}: {what}", path.display());
            }
            let Some(store) = RolloutStore::open_to_take_in(path, READ_TIMEOUT)? else {
                continue;
            };
            let store = Rc::new(store);
            for kept in store.all(&mut |why| say(&why))? {
                let Some(shard) = kept.progress.settings.shard else {
                    continue;
                };
                readers.push(Reader::new(Rc::clone(&store), kept, shard));
            }
        }
        Ok(readers)
    }
}

/// The settings of the rollout that a shard is of.
fn whole(kept: &StoredRollout) -> Settings {
    let mut settings = Settings {
        shard: None,
        ..kept.progress.settings.clone()
    };
    // Time limits are each shard's own.
    settings.stop.seconds = None;
    settings
}

fn whole_differs(a: &StoredRollout, b: &StoredRollout) -> bool {
    let of = |k: &StoredRollout| k.progress.settings.shard.map(|s| s.of);
    let identity = |k: &StoredRollout| Identity::of(&k.progress).of_all_shards();
    identity(a) != identity(b) || whole(a).stop != whole(b).stop || of(a) != of(b)
}

fn count(
    readers: &mut [Reader],
    merge: &mut ShardMerge,
    whole: &Settings,
    of: u32,
    candidates: usize,
) -> Result<()> {
    let (block, trials) = (whole.block(), whole.stop.trials);
    for number in 0..trials.div_ceil(block) {
        let owner = (number % u64::from(of)) as u32;
        let Ok(place) = readers.binary_search_by_key(&owner, |r| r.shard.index) else {
            continue;
        };
        let (from, to) = (number * block, ((number + 1) * block).min(trials));
        let Some(records) = readers[place].block(from, to)? else {
            continue;
        };
        for row in records.chunks(candidates) {
            if !merge.push(row) {
                bail!(
                    "{}: its trials are out of order",
                    readers[place].store.path().display()
                );
            }
        }
    }
    Ok(())
}

fn missing_text(readers: &[Reader], whole: &Settings, of: u32, missing: u64) -> String {
    let here = |index: u32| readers.iter().any(|r| r.shard.index == index);
    let (trials, block) = (whole.stop.trials, whole.block());
    // Of more shards than blocks some are empty.
    let has_trials = |index: u32| Shard { index, of }.share(trials, block) > 0;
    let absent: Vec<String> = (0..of)
        .filter(|&i| !here(i) && has_trials(i))
        .take(20)
        .map(|i| format!("{}/{of}", i + 1))
        .collect();
    let mut text = format!("{missing} of {trials} trials are missing");
    if !absent.is_empty() {
        text += &format!("; no shard {}", absent.join(", "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Engine, Evaluator};
    use crate::game::Position;
    use crate::rollout::{Rollout, StopRules};
    use crate::store::RolloutLabel;

    /// Records in a row of a store.
    const ROW: u64 = 4096;

    /// A shard of three rows: both sides bear off their last checker.
    fn save_three_rows(path: &std::path::Path) {
        let evaluator: Arc<dyn Evaluator> = Arc::new(Engine::embedded());
        let setup = Setup {
            keep_trials: true,
            ..Setup::from(evaluator)
        };
        let settings = Settings {
            shard: Some(Shard { index: 0, of: 1 }),
            stop_at_known: false,
            stop: StopRules {
                trials: 3 * ROW,
                ..StopRules::default()
            },
            ..Settings::default()
        };
        let last_roll = Position::from_points(&[(1, 1)], &[(1, 1)]).unwrap();
        let mut rollout = Rollout::start(setup, vec![last_roll], settings, 1, None).unwrap();
        rollout.wait();
        let (progress, records) = rollout.take_records();
        assert_eq!(records.len() as u64, 3 * ROW);
        let mut store = RolloutStore::open(path).unwrap();
        let shown = RolloutLabel::default();
        store.save(&shown, &progress, &records).unwrap();
    }

    /// The blocks of the shard that are whole.
    fn whole_blocks(path: &std::path::Path) -> Vec<u64> {
        let store = RolloutStore::open(path).unwrap();
        let kept = store.all(&mut |why| panic!("{why}")).unwrap().remove(0);
        let settings = kept.progress.settings.clone();
        let (block, trials) = (settings.block(), settings.stop.trials);
        assert_eq!((block, trials), (36, 3 * ROW));
        let mut reader = Reader::new(Rc::new(store), kept, settings.shard.unwrap());
        let mut is_whole = |&number: &u64| {
            let (from, to) = (number * block, ((number + 1) * block).min(trials));
            let Some(records) = reader.block(from, to).unwrap() else {
                return false;
            };
            let numbers = records.iter().map(|record| record.trial);
            assert!(numbers.eq(from..to));
            true
        };
        let blocks = 0..trials.div_ceil(block);
        blocks.filter(|number| is_whole(number)).collect()
    }

    /// A row that ends within a block, then a damaged one: only the blocks with trials of that row are missing.
    #[test]
    fn a_damaged_row_costs_its_own_blocks_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shard");
        save_three_rows(&path);
        let blocks = (3 * ROW).div_ceil(36);
        assert_eq!(whole_blocks(&path), Vec::from_iter(0..blocks));
        let damage = |first: u64| {
            let sql = rusqlite::Connection::open(&path).unwrap();
            let change = format!("UPDATE trials SET sum = sum + 1 WHERE first = {first}");
            assert_eq!(sql.execute(&change, []).unwrap(), 1);
        };
        damage(ROW);
        let before = 0..ROW / 36;
        let after = (2 * ROW).div_ceil(36)..blocks;
        let left = before.clone().chain(after);
        assert_eq!(whole_blocks(&path), Vec::from_iter(left));
        damage(2 * ROW);
        assert_eq!(whole_blocks(&path), Vec::from_iter(before));
    }
}
