use std::collections::HashMap;
use std::sync::LazyLock;

use proptest::prelude::*;

use super::generate::{self, OneSided};
use super::layout::{CERTAIN, ROW};
use super::numbering::{board, boards, number};
use super::*;
use crate::game::{PlayList, Roll};

static EXACT: LazyLock<OneSided> = LazyLock::new(OneSided::new);

fn side(home: Home) -> Side {
    let mut counts = [0; 26];
    counts[1..7].copy_from_slice(&home);
    Side::new(&counts).unwrap()
}

fn position(mover: Home, opponent: Home) -> Position {
    Position::new(side(mover), side(opponent)).unwrap()
}

fn win(mover: Home, opponent: Home) -> f64 {
    let position = position(mover, opponent);
    f64::from(Bearoff::embedded().probabilities(&position).unwrap().win)
}

fn near(actual: f64, expected: f64, within: f64) {
    assert!(
        (actual - expected).abs() <= within,
        "{actual} is not {expected} within {within}"
    );
}

/// Returns the rows of a fixture as numbers.
fn fixture(text: &str) -> impl Iterator<Item = Vec<f64>> + '_ {
    text.lines()
        .filter(|line| line.starts_with(|c: char| c.is_ascii_digit()))
        .map(|line| {
            line.split(',')
                .map(|field| field.parse().unwrap())
                .collect()
        })
}

fn home(fields: &[f64]) -> Home {
    std::array::from_fn(|p| fields[p] as u8)
}

#[test]
fn numbers_count_the_boards() {
    assert_eq!((BOARDS, BOARDS - FULL, SMALL), (54_264, 15_504, 210));
    for i in 0..BOARDS {
        let home = board(i);
        let (back, checkers) = number(&home);
        assert_eq!(back, i);
        assert_eq!(checkers, home.iter().sum::<u8>());
        assert!(i < boards(usize::from(checkers)));
        assert!(checkers == 0 || i >= boards(usize::from(checkers) - 1));
    }
}

#[test]
fn one_sided_reference() {
    let text = include_str!("../../../../../tests/fixtures/bearoff_one_sided.csv");
    let mut rows = 0;
    for fields in fixture(text) {
        let i = number(&home(&fields)).0;
        near(EXACT.mean[i], fields[6], 1e-11);
        let table = Bearoff::embedded()
            .distribution(&side(home(&fields)))
            .unwrap();
        near(f64::from(table.iter().sum::<f32>()), 1.0, 1e-6);
        // Plays of equal mean may have different distributions, so these agree less closely.
        for (n, &p) in (1..).zip(&fields[7..]) {
            near(EXACT.distribution[i][n], p, 1e-6);
            near(f64::from(table[n]), p, 1.7e-5);
        }
        rows += 1;
    }
    assert_eq!(rows, 36);
}

/// The sum over all boards except the empty one, computed independently.
#[test]
fn sum_of_the_means() {
    near(EXACT.mean.iter().sum(), 394_310.933_338, 1e-6);
}

#[test]
fn known_means() {
    let mean = |home| f64::from(Bearoff::embedded().mean_rolls(&side(home)).unwrap());
    near(mean([1, 0, 0, 0, 0, 1]), 1.586_420, 1e-6);
    near(mean([0, 1, 0, 0, 1, 0]), 1.475_309, 1e-6);
    near(mean([0, 0, 1, 1, 0, 0]), 1.530_864, 1e-6);
    near(mean([0, 0, 0, 0, 0, 15]), 12.266_187, 1e-6);
    near(mean([0, 0, 0, 5, 5, 5]), 10.073_759, 1e-6);
    assert_eq!(mean([0; 6]), 0.0);
}

/// For checkers on the ace point that need n rolls without a double, the EPC is nearly 7 n + 1 (W. Trice).
#[test]
fn known_effective_pips() {
    let epc = |home| f64::from(Bearoff::embedded().effective_pips(&side(home)).unwrap());
    near(epc([15, 0, 0, 0, 0, 0]), 57.0, 5e-5);
    near(epc([12, 0, 0, 0, 0, 0]), 43.0, 5e-5);
    near(epc([10, 0, 0, 0, 0, 0]), 36.0001, 5e-5);
    near(epc([7, 0, 0, 0, 0, 0]), 28.9992, 5e-5);
    // Six checkers take three rolls, or two if one of the first two is a double: 97/36 rolls on average.
    near(epc([6, 0, 0, 0, 0, 0]), 97.0 / 36.0 * 49.0 / 6.0, 5e-6);
    // One checker on the six point needs a second roll after 9 of the 36.
    near(epc([0, 0, 0, 0, 0, 1]), 1.25 * 49.0 / 6.0, 5e-6);
    near(epc([1, 0, 0, 0, 0, 0]), 49.0 / 6.0, 5e-6);
    assert_eq!(epc([0; 6]), 0.0);
    let outside = Side::new(&std::array::from_fn(|p| u8::from(p == 7))).unwrap();
    assert_eq!(Bearoff::embedded().effective_pips(&outside), None);
}

#[test]
fn known_chances_to_be_off_in_one_roll() {
    let off = |home| f64::from(Bearoff::embedded().distribution(&side(home)).unwrap()[1]);
    for (home, rolls) in [
        ([0, 0, 0, 0, 0, 1], 27),
        ([0, 0, 0, 0, 1, 0], 31),
        ([0, 0, 0, 1, 0, 0], 34),
        ([1, 0, 0, 0, 0, 1], 15),
        ([0, 1, 0, 0, 1, 0], 19),
        ([0, 0, 0, 0, 0, 2], 4),
        ([0, 0, 0, 0, 2, 0], 6),
        ([0, 0, 0, 2, 0, 0], 11),
        ([0, 0, 2, 0, 0, 0], 17),
        ([0, 2, 0, 0, 0, 0], 26),
        ([0, 0, 0, 0, 1, 1], 6),
        ([0, 0, 0, 1, 0, 1], 8),
    ] {
        near(off(home), f64::from(rolls) / 36.0, 8e-6);
    }
}

#[test]
fn two_sided_reference() {
    let text = include_str!("../../../../../tests/fixtures/bearoff_two_sided.csv");
    let mut rows = 0;
    for fields in fixture(text) {
        let position = position(home(&fields), home(&fields[6..]));
        let exact = Bearoff::embedded().exact(&position).unwrap();
        near(f64::from(exact.win), fields[12], 6e-8);
        assert_eq!(exact.equity(), 2.0 * exact.win - 1.0);
        rows += 1;
    }
    assert_eq!(rows, 48);
}

/// Montgomery's position: four checkers on the ace point are off in one roll by a double, 1/6. Otherwise the
/// opponent, on the six point, misses with nine of 36 rolls, and then the four are off. 1/6 + 5/6 · 1/4 =
/// 3/8.
#[test]
fn montgomery() {
    assert_eq!(win([4, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1]), 0.375);
}

/// Stacks on the ace points leave no choice, so the one-sided result is exact too: H. Peelle gives 0.301055
/// for 8 against 6.
#[test]
fn stacks_on_the_ace_points() {
    let stacks = |n, m| win([n, 0, 0, 0, 0, 0], [m, 0, 0, 0, 0, 0]);
    near(stacks(8, 6), 0.301_054_526_7, 1.6e-5);
    near(stacks(3, 3), 31.0 / 36.0, 1e-7);
    near(stacks(5, 5), 0.79, 5e-3);
    near(stacks(7, 7), 0.75, 5e-3);
    near(stacks(15, 15), 0.670_219, 1.7e-5);
}

/// 5-2 is off with 19 of 36 rolls and 6-1 with 15.
#[test]
fn two_rolls_against_two_rolls() {
    near(win([0, 1, 0, 0, 1, 0], [0, 1, 0, 0, 1, 0]), 0.749_324, 1e-6);
    near(win([0, 0, 0, 0, 1, 1], [0, 0, 0, 0, 1, 1]), 0.772_002, 1e-6);
    near(win([0, 0, 1, 0, 0, 1], [1, 0, 0, 0, 0, 1]), 0.680_717, 1e-6);
    near(win([1, 0, 0, 0, 0, 1], [1, 0, 0, 1, 0, 0]), 0.529_492, 1e-6);
}

#[test]
fn gammons_against_fifteen_checkers() {
    let table = Bearoff::embedded();
    let chances = |mover, opponent| table.probabilities(&position(mover, opponent)).unwrap();
    let stacked = [0, 0, 0, 0, 0, 15];
    // Certainly off at once: the opponent never rolls.
    assert_eq!(chances([2, 0, 0, 0, 0, 0], stacked).win_gammon, 1.0);
    // Fifteen on the six point bear one off with the eleven sixes, 5-1 and 4-2 (two each), 2-2 and 3-3. Four
    // on the ace point are off now with a double, else in the next roll.
    near(
        f64::from(table.still_fifteen(&side(stacked), 1).unwrap()),
        19.0 / 36.0,
        8e-6,
    );
    let four = chances([4, 0, 0, 0, 0, 0], stacked);
    near(
        f64::from(four.win_gammon),
        1.0 / 6.0 + 5.0 / 6.0 * 19.0 / 36.0,
        1.6e-5,
    );
    assert_eq!(four.win, 1.0);
    // Seen by the opponent, who rolls first: either the first roll fails (19/36) and a double follows, or a
    // second roll fails too (7.79%), and the four are off in two.
    let late = chances(stacked, [4, 0, 0, 0, 0, 0]);
    let expected = 19.0 / 36.0 / 6.0 + 0.077_932_1 * 5.0 / 6.0;
    near(f64::from(late.lose_gammon), expected, 1.6e-5);
    assert_eq!((late.win, late.win_gammon), (0.0, 0.0));
    assert_eq!(table.still_fifteen(&side([4, 0, 0, 0, 0, 0]), 0), Some(0.0));
    assert_eq!(table.still_fifteen(&side(stacked), 9), Some(0.0));
}

/// The first checker's distribution by the general play generator, for some boards.
#[test]
fn first_checker_is_the_recursion() {
    fn waiting(s: Side, known: &mut HashMap<Home, (f64, [f64; 2])>) -> (f64, [f64; 2]) {
        if s.off() > 0 {
            return (0.0, [0.0; 2]);
        }
        let home: Home = s.0[1..7].try_into().unwrap();
        if let Some(&value) = known.get(&home) {
            return value;
        }
        let mut list = PlayList::new();
        let (mut mean, mut chances) = (1.0, [0.0; 2]);
        for roll in Roll::ALL {
            list.generate(&position(home, [1, 0, 0, 0, 0, 0]), roll);
            let after: Vec<Side> = list.results().iter().map(|r| r.opponent).collect();
            let values = after.into_iter().map(|s| waiting(s, known));
            let best = values.reduce(|a, b| if b.0 < a.0 { b } else { a }).unwrap();
            let weight = f64::from(roll.weight()) / 36.0;
            mean += weight * best.0;
            chances[0] += weight * f64::from(u8::from(best.0 > 0.0));
            chances[1] += weight * best.1[0];
        }
        known.insert(home, (mean, chances));
        (mean, chances)
    }
    let mut known = HashMap::new();
    for home in [
        [0, 0, 0, 0, 0, 15],
        [12, 0, 0, 0, 0, 3],
        [0, 0, 0, 0, 14, 1],
    ] {
        let (_, expected) = waiting(side(home), &mut known);
        for (n, expected) in (1..).zip(expected) {
            let table = Bearoff::embedded().still_fifteen(&side(home), n).unwrap();
            near(f64::from(table), expected, 7.7e-6);
        }
    }
    let latest = generate::first_checker()
        .into_iter()
        .map(|w| w[FIRST - 1])
        .fold(0.0, f64::max);
    assert!((7.7e-6..1e-4).contains(&latest), "{latest}");
}

#[test]
fn finished_games_are_certain() {
    let table = Bearoff::embedded();
    let over = |mover, opponent| table.exact(&position(mover, opponent)).unwrap().equity();
    assert_eq!(over([0; 6], [3, 0, 0, 0, 0, 0]), 1.0);
    assert_eq!(over([3, 0, 0, 0, 0, 0], [0; 6]), -1.0);
    assert_eq!(over([15, 0, 0, 0, 0, 0], [0; 6]), -2.0);
}

#[test]
fn a_checker_outside_is_not_a_bearoff() {
    let table = Bearoff::embedded();
    for outside in [7, 12, 25] {
        let p = Position::from_points(&[(1, 3), (outside, 1)], &[(2, 2)]).unwrap();
        for p in [p, p.flipped()] {
            assert!(!table.contains(&p));
            assert_eq!(table.probabilities(&p), None);
            assert_eq!(table.exact(&p), None);
        }
    }
    assert_eq!(table.mean_rolls(&Position::opening().mover), None);
    assert_eq!(table.distribution(&Position::opening().mover), None);
}

/// The embedded bytes equal the generator's output, and a row is its rounded distribution.
#[test]
fn rounding_is_bounded() {
    assert_eq!(generate::pack(), BYTES.0);
    let mut widest = 0;
    for (i, distribution) in EXACT.distribution.iter().enumerate().skip(1) {
        let row = generate::row(distribution);
        let table = Bearoff::embedded().row(Board { number: i });
        let mut sum = 0.0;
        for (n, p) in distribution.iter().enumerate() {
            sum += p;
            near(f64::from(table.within(n)) / f64::from(CERTAIN), sum, 7.7e-6);
        }
        widest = widest.max(row.iter().take_while(|&&f| f != CERTAIN).count());
    }
    assert!(widest < ROW, "{widest}");
}

/// An independent computation of the same chances: the general play generator and plain recursion.
fn recursion(p: &Position, known: &mut HashMap<(Home, Home), f64>) -> f64 {
    if p.opponent.off() == 15 {
        return 0.0;
    }
    let homes = |s: &Side| -> Home { s.0[1..7].try_into().unwrap() };
    let key = (homes(&p.mover), homes(&p.opponent));
    if let Some(&value) = known.get(&key) {
        return value;
    }
    let mut list = PlayList::new();
    let mut sum = 0.0;
    for roll in Roll::ALL {
        list.generate(p, roll);
        let values = list.results().to_vec();
        let best = values
            .iter()
            .map(|r| 1.0 - recursion(r, known))
            .fold(0.0, f64::max);
        sum += f64::from(roll.weight()) * best;
    }
    known.insert(key, sum / 36.0);
    sum / 36.0
}

#[test]
fn two_sided_is_the_recursion() {
    let mut known = HashMap::new();
    for i in (1..SMALL).step_by(29) {
        for j in (1..SMALL).step_by(31) {
            let p = position(board(i), board(j));
            let expected = recursion(&p, &mut known);
            let table = f64::from(Bearoff::embedded().exact(&p).unwrap().win);
            near(table, expected, 6e-8);
        }
    }
    assert!(known.len() > 1000);
}

fn any_home() -> impl Strategy<Value = Home> {
    (1..BOARDS).prop_map(board)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// The winning chance from rounded rows equals that from exact distributions, and the five chances are
    /// consistent.
    #[test]
    fn chances_agree_with_the_distributions(a in any_home(), b in any_home()) {
        let table = Bearoff::embedded();
        let p = position(a, b);
        prop_assert!(table.contains(&p));
        let chances = table.probabilities(&p).unwrap();
        if table.exact(&p).is_none() {
            let (mine, theirs) = (number(&a).0, number(&b).0);
            let mut before = 0.0;
            let mut expected = 0.0;
            for (m, n) in EXACT.distribution[mine][1..].iter().zip(&EXACT.distribution[theirs]) {
                before += n;
                expected += m * (1.0 - before);
            }
            prop_assert!((f64::from(chances.win) - expected).abs() < 1.6e-5);
        }
        let [w, g, b, lg, lb] = chances.to_array();
        prop_assert!(0.0 <= g && g <= w && w <= 1.0);
        prop_assert!(0.0 <= lg && lg <= 1.0 - w + f32::EPSILON);
        prop_assert!(b == 0.0 && lb == 0.0);
    }

    /// The best play of a roll lowers the mean by one roll on average.
    #[test]
    fn means_fall_by_one_a_roll(home in any_home()) {
        let p = position(home, [15, 0, 0, 0, 0, 0]);
        let mut list = PlayList::new();
        let mut sum = 0.0;
        for roll in Roll::ALL {
            list.generate(&p, roll);
            let least = list
                .results()
                .iter()
                .map(|r| EXACT.mean[Board::of(&r.opponent).unwrap().number])
                .fold(f64::INFINITY, f64::min);
            sum += f64::from(roll.weight()) * least;
        }
        let mean = EXACT.mean[number(&home).0];
        prop_assert!((1.0 + sum / 36.0 - mean).abs() < 1e-9);
    }
}

/// The cost of one-sided play that ignores the opponent, where both tables apply. The module's documentation
/// quotes these figures.
#[test]
fn one_sided_play_costs_little() {
    let table = Bearoff::embedded();
    let (mut worst, mut sum) = (0.0f64, 0.0);
    for i in 1..SMALL {
        let mine = table.row(Board { number: i });
        for j in 1..SMALL {
            let estimate = mine.wins_against(&table.row(Board { number: j }));
            let exact = f32::from_le_bytes(table.two_sided[i * SMALL + j]);
            let error = f64::from(estimate - exact).abs();
            worst = worst.max(error);
            sum += error;
        }
    }
    let mean = sum / ((SMALL - 1) * (SMALL - 1)) as f64;
    assert!((0.009..0.01).contains(&worst), "{worst}");
    assert!((3e-4..3.5e-4).contains(&mean), "{mean}");
}
