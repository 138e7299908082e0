//! Measures the strength and cost of each level of play in cubeless money games.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::cube::Model;
use crate::duel::{self, Duel, DuelLuck, DuelRules, DuelTally, EngineContestant, PairRecord};
use crate::eval::Evaluator;
use crate::stats::interval::negated;

use super::figure::Spot;

/// Cubeless money games, with luck by the luck net.
pub const RULES: DuelRules = DuelRules {
    length: 0,
    cube: false,
    jacoby: false,
    beavers: false,
    largest_cube: 64,
    luck_bound: 4.0,
};
const MOST_PAIRS: u64 = 1_000_000;

/// The result of a level against 0-ply.
#[derive(Clone, Debug, PartialEq)]
pub struct Rung {
    pub name: String,
    pub games: u64,
    /// Points per game won against 0-ply.
    pub points: f64,
    /// Standard error.
    pub se: f64,
    /// 95 % anytime-valid interval.
    pub anytime: [f64; 2],
    /// CPU milliseconds per decision.
    pub cost: f64,
}

impl Rung {
    /// The result of a duel between 0-ply and the level.
    pub fn new(name: String, tally: &DuelTally) -> Self {
        Self {
            name,
            games: 2 * tally.pairs(),
            points: -tally.reduced.pairs.mean(),
            se: tally.reduced.pairs.standard_error(),
            anytime: negated(tally.reduced.anytime()),
            cost: 1e3 * tally.seconds[1] / tally.decisions[1].max(1) as f64,
        }
    }

    /// 0-ply itself, at its cost per decision in that duel.
    pub fn reference(tally: &DuelTally) -> Self {
        Self {
            name: "0ply".to_owned(),
            games: 0,
            points: 0.0,
            se: 0.0,
            anytime: [0.0; 2],
            cost: 1e3 * tally.seconds[0] / tally.decisions[0].max(1) as f64,
        }
    }

    /// Returns the point of this rung in the figure.
    pub fn spot(&self) -> Spot {
        Spot {
            name: self.name.clone(),
            x: self.cost,
            y: self.points,
            interval: self.anytime,
        }
    }
}

/// Tallies stored records.
pub fn tally_of(records: impl IntoIterator<Item = PairRecord>) -> DuelTally {
    let mut tally = DuelTally::new(RULES.most(), RULES.luck_bound);
    for record in records {
        tally.take(record, &|_| false);
    }
    tally
}

/// Plays 0-ply against `ply` plies for `seconds` seconds on `threads` threads.
pub fn climb(engine: &dyn Evaluator, ply: u8, seconds: f64, threads: usize) -> DuelTally {
    let stop = AtomicBool::new(false);
    let end = Instant::now() + Duration::from_secs_f64(seconds);
    let cancelled = || stop.load(Ordering::Relaxed);
    let level = |ply| EngineContestant {
        evaluator: engine,
        model: Model::standard(),
        ply,
        cubeful: false,
        cancelled: &cancelled,
    };
    let (zero, other) = (level(0), level(ply));
    let duel = Duel {
        contestants: [&zero, &other],
        rules: RULES,
        luck: engine,
        kind: DuelLuck::Net,
        model: Model::standard(),
        seed: 1,
    };
    let all: Vec<u64> = (0..MOST_PAIRS).collect();
    let mut tally = tally_of([]);
    duel::run(&duel, &all, threads, &stop, &mut |record| {
        tally.take(record, &|_| false);
        match Instant::now() < end {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    });
    tally
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::duel::ContestRecord;

    #[test]
    fn a_rung_is_seen_from_the_level_that_climbs() {
        let records = (0..90).map(|pair| {
            let contest = ContestRecord {
                result: if pair % 3 == 0 { 1.0 } else { -1.0 },
                decisions: [10, 20],
                seconds: [0.1, 0.4],
                ..ContestRecord::default()
            };
            PairRecord {
                pair,
                contests: Some([contest; 2]),
                fault: None,
            }
        });
        let tally = tally_of(records);
        let rung = Rung::new("x".into(), &tally);
        assert!((rung.points - 1.0 / 3.0).abs() < 1e-9);
        assert!((rung.cost - 20.0).abs() < 1e-9 && rung.games == 180);
        assert!((Rung::reference(&tally).cost - 10.0).abs() < 1e-9);
        assert!(rung.anytime[0] < rung.points + 1e-9 && rung.points < rung.anytime[1] + 1e-9);
    }
}
