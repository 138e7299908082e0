use std::sync::LazyLock;

use super::super::numbering::{Home, board};
use super::super::recursion::Recursion;
use super::*;
use crate::game::Side;

static SMALL: LazyLock<TwoSided> =
    LazyLock::new(|| TwoSided::compute(3, &mut |_| true).expect("nobody stops it"));

fn side(home: Home) -> Side {
    let mut counts = [0; 26];
    counts[1..7].copy_from_slice(&home);
    Side::new(&counts).unwrap()
}

fn position(mine: Home, theirs: Home) -> Position {
    Position::new(side(mine), side(theirs)).unwrap()
}

fn near(actual: f64, expected: f64, within: f64) {
    assert!(
        (actual - expected).abs() <= within,
        "{actual} is not {expected}"
    );
}

/// Independent figures: two-roll positions with their winning chance, the equity of not doubling (centred),
/// and of double/take.
#[test]
fn two_roll_positions() {
    let five_two = [0, 1, 0, 0, 1, 0];
    let six_one = [1, 0, 0, 0, 0, 1];
    let six_five = [0, 0, 0, 0, 1, 1];
    let six_three = [0, 0, 1, 0, 0, 1];
    let four_one = [1, 0, 0, 1, 0, 0];
    for (mine, theirs, win, centred, taken) in [
        (five_two, five_two, 0.749_324, 0.475_309, 0.950_617),
        (six_three, six_one, 0.680_717, 0.398_148, 0.722_479),
    ] {
        let [w, _, c, t] = SMALL.values(&position(mine, theirs)).unwrap();
        near(f64::from(w), win, 1e-6);
        near(f64::from(c), centred, 1e-6);
        near(f64::from(2.0 * t), taken, 1e-6);
    }
    let [w, _, _, t] = SMALL.values(&position(six_five, six_five)).unwrap();
    near(f64::from(w), 0.772_002, 1e-6);
    near(f64::from(2.0 * t), 1.057_337, 1e-6);
    let [w, own, _, t] = SMALL.values(&position(six_one, four_one)).unwrap();
    near(f64::from(w), 0.529_492, 1e-6);
    near(f64::from(own), 0.060_185, 1e-6);
    near(f64::from(2.0 * t), -0.333, 1e-3);
}

/// Against an opponent who is off next turn: with chance p to be off now, the equity is 2p - 1 for any owner
/// of the cube.
#[test]
fn the_last_roll() {
    let one_six = [0, 0, 0, 0, 0, 1];
    let [w, own, centred, theirs] = SMALL
        .values(&position(one_six, [2, 0, 0, 0, 0, 0]))
        .unwrap();
    near(f64::from(w), 0.75, 1e-7);
    for value in [own, centred, theirs] {
        near(f64::from(value), 0.5, 1e-7);
    }
}

#[test]
fn every_pair_agrees_with_the_recursion() {
    let mut recursion = Recursion::new();
    let n = SMALL.boards;
    for i in 1..n {
        for j in 1..n {
            let p = position(board(i), board(j));
            let expected = recursion.values(&p);
            let found = SMALL.values(&p).unwrap();
            for (found, expected) in found.iter().zip(expected) {
                near(f64::from(*found), expected, 1e-6);
            }
        }
    }
    assert_eq!(recursion.len(), (n - 1) * (n - 1));
}

#[test]
fn the_embedded_chances_are_the_same() {
    let embedded = super::super::Bearoff::embedded();
    for i in 1..SMALL.boards {
        for j in 1..SMALL.boards {
            let p = position(board(i), board(j));
            let win = embedded.exact(&p).unwrap().win;
            near(
                f64::from(SMALL.values(&p).unwrap()[0]),
                f64::from(win),
                1e-6,
            );
        }
    }
}

#[test]
fn positions_outside_the_table_have_no_values() {
    let four = position([4, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0]);
    assert_eq!(SMALL.values(&four), None);
    assert_eq!(SMALL.values(&Position::opening()), None);
    let over = Position::from_points(&[], &[(1, 1)]).unwrap();
    assert_eq!(SMALL.values(&over), None);
    let out = Position::from_points(&[(7, 1)], &[(1, 1)]).unwrap();
    assert_eq!(SMALL.values(&out), None);
}

#[test]
fn files_come_back_and_damage_is_refused() {
    let table = TwoSided::compute(2, &mut |_| true).unwrap();
    let bytes = table.to_bytes();
    assert_eq!(TwoSided::from_bytes(&bytes).unwrap(), table);
    let refused = |bytes: &[u8]| TwoSided::from_bytes(bytes).unwrap_err();
    for at in [HEAD, HEAD + 1000, bytes.len() - 1, 16] {
        let mut broken = bytes.clone();
        broken[at] ^= 0x40;
        assert_eq!(refused(&broken), TwoSidedError::Damaged, "byte {at}");
    }
    let cut = &bytes[..bytes.len() - 4];
    assert!(matches!(refused(cut), TwoSidedError::Length { .. }));
    assert_eq!(refused(&bytes[..10]), TwoSidedError::Foreign);
    assert_eq!(refused(&[0; 64]), TwoSidedError::Foreign);
    let mut newer = bytes.clone();
    newer[8] = 9;
    assert_eq!(refused(&newer), TwoSidedError::Version { found: 9 });
    // A head that claims too much is rejected.
    let mut large = bytes;
    large[12] = 7;
    assert!(matches!(refused(&large), TwoSidedError::Length { .. }));
}

#[test]
fn the_computation_can_be_cancelled() {
    assert_eq!(TwoSided::compute(3, &mut |share| share < 0.3), None);
}
