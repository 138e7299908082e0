//! Compares cube decisions in short bearoffs at a score with an independent backward induction, which shares
//! only the match equities with the program.

use std::collections::HashMap;
use std::sync::Arc;

use super::held::{ROOM, Shelf};
use super::score::{AtScore, Lane};
use crate::cube::model::resolved;
use crate::cube::{Cube, CubeChoice, CubeContext, EquityTable, Model};
use crate::eval::bearoff::Pair;
use crate::eval::bearoff::board_set::BoardSet;
use crate::eval::{Engine, Probabilities};
use crate::game::{CubeOwner, GameState, MatchScore, Position, Side};

/// Checkers on the six points of a home board.
type Home = [u8; 6];
/// Owners of the cube, seen by the player on roll.
const OWNERS: [CubeOwner; 3] = [CubeOwner::Mover, CubeOwner::Centred, CubeOwner::Opponent];
/// Cubes 1 to 32.
const CUBES: usize = 6;
/// Match winning chances of the player on roll, by cube and by owner.
type Row = [[f64; 3]; CUBES];

/// A game at a score: the points needed by either player.
struct Oracle {
    away: [i32; 2],
    crawford: bool,
    plays: HashMap<Home, Vec<(f64, Vec<Home>)>>,
    known: HashMap<(usize, Home, Home), Row>,
}

impl Oracle {
    fn new(away: [i32; 2], crawford: bool) -> Self {
        Self {
            away,
            crawford,
            plays: HashMap::new(),
            known: HashMap::new(),
        }
    }

    /// Returns the winning chance of `player` after winning or losing `points`.
    fn after(&self, player: usize, points: i32) -> f64 {
        let mut away = [self.away[player], self.away[1 - player]];
        away[usize::from(points < 0)] -= points.abs();
        let after_crawford = self.crawford || self.away.contains(&1);
        let chance = EquityTable::standard().chance(away[0], away[1], after_crawford);
        f64::from(chance)
    }

    fn may_double(&self, player: usize, cube: usize, owner: CubeOwner) -> bool {
        !self.crawford && owner != CubeOwner::Opponent && 1 << cube < self.away[player]
    }

    /// Returns the values of rolling.
    fn rolling(&mut self, player: usize, mine: Home, theirs: Home) -> Row {
        if let Some(row) = self.known.get(&(player, mine, theirs)) {
            return *row;
        }
        let rolls = self
            .plays
            .entry(mine)
            .or_insert_with(|| rolls(mine))
            .clone();
        let mut mean = [[0.0; 3]; CUBES];
        for (weight, after) in rolls {
            let mut best = [[f64::MIN; 3]; CUBES];
            for home in after {
                let row = self.deciding(1 - player, theirs, home);
                for cube in 0..CUBES {
                    for owner in 0..3 {
                        // My cube is the opponent's cube for the opponent.
                        let value = 1.0 - row[cube][2 - owner];
                        best[cube][owner] = best[cube][owner].max(value);
                    }
                }
            }
            for (sums, best) in mean.iter_mut().zip(best) {
                sums.iter_mut()
                    .zip(best)
                    .for_each(|(s, b)| *s += weight * b);
            }
        }
        self.known.insert((player, mine, theirs), mean);
        mean
    }

    /// Returns the values before the doubling decision.
    fn deciding(&mut self, player: usize, mine: Home, theirs: Home) -> Row {
        if theirs == [0; 6] {
            return std::array::from_fn(|cube| [self.after(player, -(1 << cube)); 3]);
        }
        let rolling = self.rolling(player, mine, theirs);
        let mut all = rolling;
        for (cube, row) in all.iter_mut().enumerate() {
            let doubled = taken(&rolling, cube).min(self.after(player, 1 << cube));
            for (value, owner) in row.iter_mut().zip(OWNERS) {
                if self.may_double(player, cube, owner) {
                    *value = value.max(doubled);
                }
            }
        }
        all
    }
}

/// Returns the value after a double from `cube` and a take, from the values of rolling.
fn taken(rolling: &Row, cube: usize) -> f64 {
    // The largest cube here decides every match, so the next one has the same value.
    rolling[(cube + 1).min(CUBES - 1)][2]
}

/// Returns for each roll its chance and the boards after it.
fn rolls(home: Home) -> Vec<(f64, Vec<Home>)> {
    let mut all = Vec::new();
    for a in 1..=6 {
        for b in a..=6 {
            let dice = if a == b { vec![a; 4] } else { vec![a, b] };
            let mut after = played(home, &dice);
            after.extend(played(
                home,
                &dice.iter().rev().copied().collect::<Vec<_>>(),
            ));
            after.sort_unstable();
            after.dedup();
            all.push((if a == b { 1.0 } else { 2.0 } / 36.0, after));
        }
    }
    all
}

/// Returns the boards after these dice in order.
fn played(home: Home, dice: &[usize]) -> Vec<Home> {
    let Some((&die, rest)) = dice.split_first().filter(|_| home != [0; 6]) else {
        return vec![home];
    };
    let mut after = Vec::new();
    for from in (0..6).filter(|&p| home[p] > 0) {
        let behind = home[from + 1..].iter().any(|&n| n > 0);
        if from + 1 < die && behind {
            continue;
        }
        let mut next = home;
        next[from] -= 1;
        if from >= die {
            next[from - die] += 1;
        }
        after.extend(played(next, rest));
    }
    after.sort_unstable();
    after.dedup();
    after
}

/// A reproducible pseudo-random sequence.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = next.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    /// Returns a board of 1 to `most` checkers.
    fn home(&mut self, most: usize) -> Home {
        let mut home = [0; 6];
        for _ in 0..=self.below(most) {
            home[self.below(6)] += 1;
        }
        home
    }
}

fn side(home: Home) -> Side {
    let mut counts = [0; 26];
    counts[1..7].copy_from_slice(&home);
    Side::new(&counts).unwrap()
}

/// The results at one number of plies.
#[derive(Clone, Copy, Default)]
struct Found {
    decisions: usize,
    wrong: usize,
    /// The most expensive wrong action, and the largest error of a value, in match winning chances.
    worst: f64,
    largest: f64,
}

impl Found {
    /// Compares the decision of `state` at `ply` plies with the oracle's values.
    fn hold(&mut self, engine: &Engine, state: &GameState, ply: u8, expected: [f64; 3], may: bool) {
        let model = Model::standard();
        let decision = model.decide(engine, state, ply, &|| false).unwrap();
        let mwc = decision.mwc.unwrap();
        let [rolling, taken, passed] = expected;
        let mut off = (f64::from(mwc.no_double) - rolling).abs();
        let mut cost = 0.0;
        assert_eq!(mwc.double_take.is_some(), may, "{state:?}");
        if let Some(take) = mwc.double_take {
            off = off.max((f64::from(take) - taken).abs());
            let doubled = taken.min(passed);
            let best = rolling.max(doubled);
            let chosen = if decision.action.doubles() {
                doubled
            } else {
                rolling
            };
            let answer = match decision.answer() {
                Some(CubeChoice::Pass) => passed,
                _ => taken,
            };
            cost = (best - chosen).max(answer - doubled);
        }
        self.decisions += 1;
        self.wrong += usize::from(cost > 1e-5);
        self.worst = self.worst.max(cost);
        self.largest = self.largest.max(off);
    }
}

/// Scores, as points needed by the player on roll and by the opponent, and whether it is the Crawford game.
const SCORES: [(i32, i32, bool); 25] = [
    (2, 3, false),
    (2, 2, false),
    (3, 2, false),
    (3, 3, false),
    (2, 4, false),
    (4, 2, false),
    (4, 3, false),
    (3, 5, false),
    (4, 4, false),
    (5, 3, false),
    (2, 1, false),
    (1, 2, false),
    (3, 1, false),
    (1, 4, false),
    (5, 1, false),
    (4, 1, true),
    (1, 1, false),
    (5, 5, false),
    (7, 4, false),
    (3, 9, false),
    (9, 7, false),
    (13, 2, false),
    (11, 11, false),
    (6, 17, false),
    (25, 19, false),
];

/// Possible cubes: centred at 1, or owned above 1.
fn cubes(away: [i32; 2]) -> Vec<(usize, usize)> {
    let most = away[0].max(away[1]);
    let mut all = vec![(0, 1)];
    for cube in (1..CUBES).take_while(|c| 1 << (c - 1) < most) {
        all.extend([(cube, 0), (cube, 2)]);
    }
    all
}

/// Compares positions with the oracle at each score. `samples`: pairs of a number of positions and a maximum
/// number of checkers per side.
fn compare(samples: &[(usize, usize)], seed: u64) -> [Found; 3] {
    compare_at(&SCORES, samples, seed)
}

fn compare_at(scores: &[(i32, i32, bool)], samples: &[(usize, usize)], seed: u64) -> [Found; 3] {
    let engine = Engine::embedded();
    let mut found = [Found::default(); 3];
    let mut numbers = Numbers(seed);
    for &(mine, theirs, crawford) in scores {
        let mut oracle = Oracle::new([mine, theirs], crawford);
        for &(count, most) in samples {
            for _ in 0..count {
                let (here, there) = (numbers.home(most), numbers.home(most));
                let row = oracle.rolling(0, here, there);
                let position = Position::new(side(here), side(there)).unwrap();
                for (cube, owner) in cubes([mine, theirs]) {
                    let length = mine.max(theirs);
                    let state = GameState {
                        cube: 1 << cube,
                        owner: OWNERS[owner],
                        score: MatchScore {
                            length: length as u16,
                            mover: (length - mine) as u16,
                            opponent: (length - theirs) as u16,
                            crawford,
                        },
                        ..GameState::money(position)
                    };
                    let taken = taken(&row, cube);
                    let expected = [row[cube][owner], taken, oracle.after(0, 1 << cube)];
                    let may = oracle.may_double(0, cube, OWNERS[owner]);
                    for (ply, found) in found.iter_mut().enumerate() {
                        found.hold(&engine, &state, ply as u8, expected, may);
                    }
                }
            }
        }
    }
    found
}

fn table(found: &[Found; 3]) -> String {
    let mut text =
        "ply  decisions  wrong  worst cost  largest error (match-winning chances)\n".to_owned();
    for (ply, f) in found.iter().enumerate() {
        text += &format!(
            "{ply:3}  {:9}  {:5}  {:9.4}%  {:.7}\n",
            f.decisions,
            f.wrong,
            100.0 * f.worst,
            f.largest
        );
    }
    text
}

fn check(found: &[Found; 3]) {
    for f in found {
        assert!(f.wrong == 0 && f.largest < 1e-5, "{}", table(found));
    }
}

#[test]
fn short_bearoffs_at_a_score_are_exact_at_every_ply() {
    check(&compare(&[(4, 2), (3, 4)], 1));
}

/// A six and a five against a six and a two: the nearer checker is no advantage with a 5. With five and six
/// checkers such boards occur in nearly every game.
#[test]
fn six_checkers_a_side_are_exact() {
    check(&compare_at(&[(3, 2, false)], &[(6, 6)], 2));
}

/// A thousand positions, some with five and six checkers: `cargo test --lib a_thousand_bearoffs -- --ignored
/// --nocapture` prints the table.
#[test]
#[ignore = "takes minutes"]
fn a_thousand_bearoffs_at_a_score_are_exact() {
    let found = compare(&[(14, 2), (20, 4), (6, 6)], 2);
    println!("{}", table(&found));
    check(&found);
}

/// On a last roll the model's own value equals the table's: a free redouble that comes too late is passed.
#[test]
fn the_model_knows_the_last_roll() {
    let model = Model::standard();
    let position = Position::from_points(&[(4, 1), (2, 1)], &[(1, 1)]).unwrap();
    for &(mine, theirs, crawford) in &SCORES {
        let (a, b) = (mine as u16, theirs as u16);
        let context = CubeContext::at_score(EquityTable::standard(), a, b, crawford);
        let exact = model.exact(&context, &position).unwrap();
        let chances = Probabilities {
            win: exact.win(),
            ..Probabilities::default()
        };
        for (level, owner) in cubes([mine, theirs]) {
            let cube = Cube {
                level: level as u8,
                owner: OWNERS[owner],
            };
            let free = |level| (0..2).any(|side| context.is_free(side, level));
            let truth = exact.values(&context, cube).unwrap();
            let values = model
                .cubeful_values(&context, &position, &chances, cube.level)
                .values(cube);
            if free(cube.level) {
                let off = (values.no_double - truth.no_double).abs();
                assert!(off < 1e-5, "{mine} {theirs} {cube:?} {values:?} {truth:?}");
            }
            if let (Some(take), true) = (values.double_take, free(cube.level + 1)) {
                let off = (take - truth.double_take.unwrap()).abs();
                assert!(off < 1e-5, "{mine} {theirs} {cube:?} {values:?} {truth:?}");
            }
        }
    }
    // With contact the next roll is assumed to decide nothing.
    let context = CubeContext::at_score(EquityTable::standard(), 2, 3, false);
    assert_eq!(resolved(&context, &Position::opening()), [0.0; 2]);
}

/// If the cube has no value, the cubeless chances equal the exact values, at any depth, even one roll before
/// the tables begin.
#[test]
fn chances_beside_exact_values_are_exact() {
    let engine = Engine::embedded();
    let dmp = MatchScore {
        length: 1,
        mover: 0,
        opponent: 0,
        crawford: false,
    };
    let positions = [
        Position::from_points(&[(3, 1), (4, 1), (6, 3)], &[(2, 1), (3, 1), (5, 2)]),
        Position::from_points(&[(1, 1), (2, 2), (4, 2), (6, 2)], &[(3, 2), (4, 2), (6, 2)]),
    ];
    for (i, position) in positions.into_iter().enumerate() {
        let state = GameState {
            score: dmp,
            ..GameState::money(position.unwrap())
        };
        for ply in i as u8..3 {
            let decided = Model::standard().decide_with_chances(&engine, &state, ply, &|| false);
            let (decision, chances) = decided.unwrap();
            let off = chances.equity() - decision.cubeful_equity;
            assert!(off.abs() < 1e-5, "{i} at {ply} plies: {off}");
        }
    }
}

/// Both players' contexts lead to one table, regardless of the order of requests.
#[test]
fn both_sides_see_the_same_game() {
    let model = Model::standard();
    let position = Position::from_points(&[(6, 1), (4, 1)], &[(5, 1), (2, 1)]).unwrap();
    let at = |a, b| CubeContext::at_score(EquityTable::standard(), a, b, false);
    for (a, b) in [(3, 5), (5, 3), (4, 4), (9, 2)] {
        let (one, other) = (at(a, b), at(b, a).flipped());
        for (level, owner) in cubes([i32::from(a), i32::from(b)]) {
            let cube = Cube {
                level: level as u8,
                owner: OWNERS[owner],
            };
            let value = |context| {
                model
                    .exact(context, &position)
                    .unwrap()
                    .values(context, cube)
            };
            let (here, there) = (value(&one).unwrap(), value(&other).unwrap());
            assert_eq!(here.no_double, there.no_double);
            assert_eq!(here.double_take, there.double_take);
        }
    }
    // The model handles a cube that is impossible in a match.
    let odd = Cube {
        level: 1,
        owner: CubeOwner::Centred,
    };
    let exact = model.exact(&at(5, 5), &position).unwrap();
    assert!(!exact.covers(odd) && exact.values(&at(5, 5), odd).is_none());
}

/// A table of some boards has the same values as the table of all.
#[test]
fn tables_of_some_boards_have_the_same_values() {
    let context = CubeContext::at_score(EquityTable::standard(), 3, 4, false);
    let terms = context.terms().unwrap();
    let [few @ .., all] = BoardSet::all() else {
        panic!("no set")
    };
    let whole = AtScore::new(*terms, all);
    let parts: Vec<AtScore> = few.iter().map(|set| AtScore::new(*terms, set)).collect();
    let mut numbers = Numbers(9);
    let mut seen = vec![0; few.len()];
    for _ in 0..900 {
        let (here, there) = (numbers.home(6), numbers.home(6));
        let position = Position::new(side(here), side(there)).unwrap();
        let pair = Pair::of(&position, 6).unwrap();
        let of = BoardSet::of(pair).unwrap();
        let Some(place) = few.iter().position(|set| std::ptr::eq(set, of)) else {
            continue;
        };
        seen[place] += 1;
        for (seat, lane) in [(0, Lane::Free(0)), (1, Lane::Free(1)), (0, Lane::Held(1))] {
            let values = |table: &AtScore| {
                [
                    table.best(seat, pair, lane),
                    table.no_double(seat, pair, lane),
                ]
            };
            assert_eq!(
                values(&parts[place]).map(f32::to_bits),
                values(&whole).map(f32::to_bits)
            );
        }
    }
    assert!(seen.iter().all(|&n| n > 5), "{seen:?}");
}

/// For any number of requested scores, the cached tables stay within the limit, and the last one is present.
#[test]
fn cached_tables_are_bounded() {
    let shelf = Shelf::new();
    let context = |a, b| CubeContext::at_score(EquityTable::standard(), a, b, false);
    let (mut asked, mut largest) = (0, 0);
    for a in 2..=40 {
        for b in 2..=a {
            let context = context(a, b);
            let terms = context.terms().unwrap();
            for boards in BoardSet::all() {
                let table = shelf.at(terms, boards);
                asked += table.bytes();
                largest = largest.max(table.bytes());
                assert!(shelf.bytes() <= ROOM, "{a} {b}: {}", shelf.bytes());
                assert!(Arc::ptr_eq(&table, &shelf.at(terms, boards)));
            }
        }
    }
    assert!(asked > 50 * ROOM && 3 * largest < ROOM, "{asked} {largest}");
}

/// A caller that must not wait is informed, and the table is computed.
#[test]
fn a_table_is_computed_for_a_caller_that_does_not_wait() {
    let model = Model::standard();
    let position = Position::from_points(&[(6, 3), (4, 2)], &[(5, 3), (2, 2)]).unwrap();
    let state = GameState {
        score: MatchScore {
            length: 2,
            ..MatchScore::MONEY
        },
        ..GameState::money(position)
    };
    let begun = std::time::Instant::now();
    while !model.at_hand(&state) {
        assert!(begun.elapsed().as_secs() < 120);
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let context = model.context(&state);
    assert!(model.exact(&context, &position).is_some());
    // Positions that need no table are available.
    assert!(model.at_hand(&GameState::money(Position::opening())));
}
