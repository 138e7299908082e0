//! Shards, merged in any order, are the rollout that one machine would have done.

use std::sync::Arc;

use super::evaluators::Rough;
use super::{assert_same, bearoff, roll_out, settings};
use crate::eval::Evaluator;
use crate::game::Position;
use crate::rollout::{
    Coupling, Rollout, RolloutError, Settings, Setup, Shard, ShardMerge, TrialRecord,
};

fn starts(n: usize) -> Vec<Position> {
    (0..n)
        .map(|i| bearoff(&[(6, 1), (4, 2)], &[(5, 1 + i as u8), (3, 1)]))
        .collect()
}

/// The trials of a shard.
pub(super) fn play(
    evaluator: &Arc<dyn Evaluator>,
    starts: &[Position],
    settings: &Settings,
    shard: Shard,
) -> Vec<TrialRecord> {
    let mut own = settings.clone();
    own.shard = Some(shard);
    let mut setup = Setup::from(Arc::clone(evaluator));
    setup.keep_trials = true;
    let threads = 1 + shard.index as usize % 3;
    let mut rollout = Rollout::start(setup, starts.to_vec(), own, threads, None).unwrap();
    let mut kept = Vec::new();
    // Fetched in pieces.
    while !rollout.is_finished() {
        kept.extend(rollout.take_records().1);
        std::thread::yield_now();
    }
    rollout.wait();
    kept.extend(rollout.take_records().1);
    kept
}

/// Every second block of two full squares of pairs of rolls is no full square: its error is that of the shard
/// it came from.
#[test]
fn blocks_with_gaps_are_no_square() {
    let evaluator: Arc<dyn Evaluator> = Arc::new(Rough { noise: 0.3 });
    let mut settings = settings(2592);
    settings.dice_source = "cross".parse().unwrap();
    let starts = starts(1);
    let half = Shard { index: 0, of: 2 };
    let mut own = settings.clone();
    own.shard = Some(half);
    let alone = roll_out(&evaluator, &starts, &own, 2).candidates[0].equity;
    let setup = Setup::from(Arc::clone(&evaluator));
    let mut merge = ShardMerge::new(&setup, starts.clone(), &settings).unwrap();
    for record in play(&evaluator, &starts, &settings, half) {
        assert!(merge.push(&[record]));
    }
    let merged = merge.result().candidates[0].equity;
    assert_eq!((merged.mean, merged.se), (alone.mean, alone.se));
}

#[test]
fn shards_in_any_order_are_the_whole_to_the_bit() {
    let evaluator: Arc<dyn Evaluator> = Arc::new(Rough { noise: 0.3 });
    for (candidates, coupling, dice, trials) in [
        (1, Coupling::Dice, "rotation", 1000),
        (2, Coupling::Rank, "decks", 1000),
        (2, Coupling::None, "cross", 777),
        (3, Coupling::Dice, "sobol", 1500),
    ] {
        let mut settings = settings(trials);
        settings.coupling = coupling;
        settings.dice_source = dice.parse().unwrap();
        let whole = roll_out(&evaluator, &starts(candidates), &settings, 3);
        let mut records: Vec<TrialRecord> = Vec::new();
        // An order without any sense.
        for index in [4, 1, 6, 0, 3, 5, 2] {
            let shard = Shard { index, of: 7 };
            records.extend(play(&evaluator, &starts(candidates), &settings, shard));
        }
        records.sort_by_key(|r| (r.trial, r.candidate));
        let setup = Setup::from(Arc::clone(&evaluator));
        let mut merge = ShardMerge::new(&setup, starts(candidates), &settings).unwrap();
        for row in records.chunks(candidates) {
            assert!(merge.push(row));
        }
        assert_same(&merge.result(), &whole);
        assert_eq!(whole.family.is_some(), candidates > 2);
        // What does not belong there is not counted.
        assert!(!merge.push(&records[..candidates]));
        assert!(!merge.push(&[]));
    }
}

#[test]
fn shards_that_make_no_sense_are_refused() {
    let evaluator: Arc<dyn Evaluator> = Arc::new(Rough { noise: 0.3 });
    let refused = |change: &dyn Fn(&mut Settings)| {
        let mut settings = settings(360);
        settings.shard = Some(Shard { index: 0, of: 4 });
        change(&mut settings);
        Rollout::start(Arc::clone(&evaluator), starts(3), settings, 1, None).unwrap_err()
    };
    assert_eq!(
        refused(&|s| s.shard = Some(Shard { index: 4, of: 4 })),
        RolloutError::Shard { of: 4 }
    );
    assert!(matches!(
        refused(&|s| s.stop.standard_error = Some(0.1)),
        RolloutError::ShardStop { .. }
    ));
    assert_eq!(
        refused(&|s| s.allocation = crate::rollout::Allocation::Adaptive),
        RolloutError::ShardAdaptive
    );
}
