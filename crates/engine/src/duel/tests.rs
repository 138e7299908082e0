use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use super::rules::Score;
use super::setup::Table;
use super::*;
use crate::cube::{CubeChoice, Model};
use crate::eval::Engine;
use crate::game::{GameState, PlayList, Position, Roll};

/// Makes the last legal play, never doubles, and takes every double.
struct Careless;

impl Contestant for Careless {
    fn sit(&self) -> Result<Box<dyn Player + '_>, Fault> {
        Ok(Box::new(Self))
    }
}

impl Player for Careless {
    fn doubles(&mut self, _: &GameState) -> Result<bool, Fault> {
        Ok(false)
    }

    fn reply(&mut self, state: &GameState) -> Result<CubeChoice, Fault> {
        assert!(state.doubled);
        Ok(CubeChoice::Take)
    }

    fn play(&mut self, _: &GameState, _: Roll, legal: &PlayList) -> Result<Position, Fault> {
        let last = legal.results().last();
        last.copied()
            .ok_or_else(|| Fault::new(FaultKind::Illegal, "no play"))
    }
}

/// Fails at every third decision.
struct Failing;

impl Contestant for Failing {
    fn sit(&self) -> Result<Box<dyn Player + '_>, Fault> {
        Ok(Box::new(Fails(0)))
    }

    fn most_boards(&self) -> usize {
        1
    }
}

struct Fails(u32);

impl Player for Fails {
    fn doubles(&mut self, _: &GameState) -> Result<bool, Fault> {
        Ok(false)
    }

    fn reply(&mut self, _: &GameState) -> Result<CubeChoice, Fault> {
        Ok(CubeChoice::NoDouble)
    }

    fn play(&mut self, state: &GameState, _: Roll, _: &PlayList) -> Result<Position, Fault> {
        self.0 += 1;
        match self.0 {
            3 => Ok(state.position),
            _ => Ok(Position::opening().flipped()),
        }
    }
}

const MONEY: DuelRules = DuelRules {
    length: 0,
    cube: false,
    jacoby: false,
    beavers: false,
    largest_cube: 64,
    luck_bound: 4.0,
};
const CUBE: DuelRules = DuelRules {
    cube: true,
    luck_bound: 24.0,
    ..MONEY
};

fn a_match(length: u16) -> DuelRules {
    DuelRules {
        length,
        luck_bound: 0.7,
        ..MONEY
    }
}

struct Bench {
    engine: Engine,
    model: Model,
}

impl Bench {
    fn new() -> Self {
        Self {
            engine: Engine::embedded(),
            model: Model::default(),
        }
    }

    fn ours(&self, rules: &DuelRules) -> EngineContestant<'_> {
        EngineContestant {
            evaluator: &self.engine,
            model: &self.model,
            ply: 0,
            cubeful: !rules.is_cubeless(),
            cancelled: &|| false,
        }
    }

    fn duel<'a>(
        &'a self,
        contestants: [&'a dyn Contestant; 2],
        rules: DuelRules,
        kind: DuelLuck,
    ) -> Duel<'a> {
        Duel {
            contestants,
            rules,
            luck: &self.engine,
            kind,
            model: &self.model,
            seed: 5,
        }
    }
}

fn tally_of(duel: &Duel<'_>, pairs: u64, threads: usize) -> DuelTally {
    let mut tally = DuelTally::new(duel.rules.most(), duel.rules.luck_bound);
    let all: Vec<u64> = (0..pairs).collect();
    let stop = AtomicBool::new(false);
    run(duel, &all, threads, &stop, &mut |record| {
        tally.take(record, &|_| false);
        ControlFlow::Continue(())
    });
    tally
}

#[test]
fn a_player_is_as_strong_as_itself() {
    let bench = Bench::new();
    for (rules, pairs) in [(MONEY, 4), (CUBE, 3), (a_match(3), 2)] {
        let ours = bench.ours(&rules);
        let duel = bench.duel([&ours, &ours], rules, DuelLuck::Net);
        let tally = tally_of(&duel, pairs, 2);
        assert_eq!(tally.pairs(), pairs);
        assert_eq!(tally.plain.pairs.mean(), 0.0);
        assert!(tally.reduced.pairs.mean().abs() < 1e-6);
        let [plain, reduced] = [&tally.plain, &tally.reduced].map(|c| c.single.variance());
        assert!(reduced < 0.5 * plain, "{reduced} {plain}");
    }
}

#[test]
fn the_same_bits_on_one_thread_and_on_four() {
    let bench = Bench::new();
    let rules = a_match(2);
    let ours = bench.ours(&rules);
    let duel = bench.duel([&ours, &Careless], rules, DuelLuck::Net);
    let bits = |threads| {
        let tally = tally_of(&duel, 8, threads);
        [&tally.plain, &tally.reduced].map(|column| {
            let ends = [
                column.central_limit(),
                column.betting(),
                column.order_statistics(),
            ];
            let mean = column.pairs.mean().to_bits();
            (mean, ends.concat().iter().map(|x| x.to_bits()).collect())
        })
    };
    let (one, four): ([(u64, Vec<u64>); 2], _) = (bits(1), bits(4));
    assert_eq!(one, four);
}

#[test]
fn the_careless_lose_and_the_luck_does_not_shift_it() {
    let bench = Bench::new();
    let ours = bench.ours(&MONEY);
    let duel = bench.duel([&ours, &Careless], MONEY, DuelLuck::Net);
    let tally = tally_of(&duel, 40, 2);
    let (plain, reduced) = (&tally.plain.pairs, &tally.reduced.pairs);
    assert!(reduced.mean() > 0.8, "{}", reduced.mean());
    let error = plain.standard_error().hypot(reduced.standard_error());
    let off = (plain.mean() - reduced.mean()).abs();
    assert!(off < 4.0 * error, "{off} {error}");
    let [low, high] = tally.reduced.betting();
    assert!(low <= reduced.mean() && reduced.mean() <= high);
}

/// Points beyond the match do not count. A match to one point therefore equals the last game of any match,
/// including its luck.
#[test]
fn a_match_of_one_point_is_a_game_at_double_match_point() {
    let bench = Bench::new();
    let (one, five) = (a_match(1), a_match(5));
    let ours = bench.ours(&one);
    for pair in 0..2 {
        let mut table = Table::new();
        let duel = bench.duel([&ours, &ours], one, DuelLuck::Plies(0));
        table_for(&duel, &mut table);
        let short = duel
            .contest_from(&mut table, Score::default(), pair, false)
            .unwrap();
        let duel = bench.duel([&ours, &ours], five, DuelLuck::Plies(0));
        let score = Score {
            points: [4, 4],
            crawford: false,
        };
        let long = duel.contest_from(&mut table, score, pair, false).unwrap();
        assert_eq!(
            (short.result, short.luck, short.games, short.plays),
            (long.result, long.luck, 1, long.plays)
        );
        // The luck of a whole match is nearly its result, between equal players.
        assert!((short.result - short.luck).abs() < 0.3, "{short:?}");
    }
}

fn table_for<'a>(duel: &Duel<'a>, table: &mut Table<'a>) {
    assert!(duel.play_pair(table, 99).is_some());
}

#[test]
fn the_crawford_game_is_one() {
    let rules = a_match(3);
    let after = |points: [u16; 2], crawford, won| {
        let before = Score { points, crawford };
        before.after(&rules, won)
    };
    // Only the first game in which a player needs one point.
    assert!(!after([0, 0], false, 1).crawford);
    assert!(after([0, 0], false, -2).crawford);
    assert!(after([1, 1], false, 1).crawford);
    assert!(!after([0, 2], true, 1).crawford);
    let level = after([1, 2], false, 1);
    assert_eq!((level.points, level.crawford), ([2, 2], false));
    assert!(after([0, 2], true, -1).is_won(&rules));
}

#[test]
fn a_result_without_luck_stands_alone() {
    let rules = a_match(3);
    let bench = Bench::new();
    let ours = bench.ours(&rules);
    let duel = bench.duel([&ours, &ours], rules, DuelLuck::None);
    let mut table = Table::new();
    table_for(&duel, &mut table);
    let contest = duel
        .contest_from(&mut table, Score::default(), 1, false)
        .unwrap();
    assert_eq!((contest.luck, contest.result.abs()), (0.0, 0.5));
}

#[test]
fn failures_are_counted_and_survived() {
    let bench = Bench::new();
    let ours = bench.ours(&MONEY);
    let duel = bench.duel([&ours, &Failing], MONEY, DuelLuck::None);
    let tally = tally_of(&duel, 6, 4);
    assert_eq!((tally.pairs(), tally.voids()), (0, 6));
    assert_eq!(tally.faults[&(1, FaultKind::Illegal)], 6);
}

#[test]
fn a_duel_that_is_decided_ends_at_the_same_pair() {
    let bench = Bench::new();
    let ours = bench.ours(&MONEY);
    let duel = bench.duel([&ours, &Careless], MONEY, DuelLuck::Net);
    let ended = |threads| {
        let mut tally = DuelTally::new(3.0, 4.0);
        let all: Vec<u64> = (0..400).collect();
        let stop = AtomicBool::new(false);
        let how = run(&duel, &all, threads, &stop, &mut |record| match tally
            .take(record, &DuelTally::is_decided)
        {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        });
        assert_eq!(how, Ended::Stopped);
        (tally.pairs(), tally.reduced.pairs.mean().to_bits())
    };
    let one = ended(1);
    assert_eq!(one, ended(3));
    assert!(one.0 < 400 && one.0 % tally::BLOCK == 0);
}

/// Identical blocks give no information about different ones, even if they differ by rounding.
#[test]
fn without_a_spread_there_is_no_anytime_interval() {
    let mut column = Column::new(1.0);
    for i in 0..400 {
        column.push_mean(if i % 3 == 0 { 1e-17 } else { 0.0 });
    }
    let endless = [f64::NEG_INFINITY, f64::INFINITY];
    assert_eq!([column.anytime(), column.central_limit()], [endless; 2]);
    for _ in 0..100 {
        column.push_mean(0.5);
    }
    assert!(column.anytime().iter().all(|end| end.is_finite()));
}

/// Pairs that cancel by chance give no information about others.
#[test]
fn without_a_spread_there_is_no_central_limit() {
    let mut column = Column::new(1.0);
    for _ in 0..2 {
        column.push_mean(0.0);
        assert_eq!(column.central_limit(), [f64::NEG_INFINITY, f64::INFINITY]);
    }
    column.push_mean(0.5);
    assert!(column.central_limit().iter().all(|end| end.is_finite()));
}
