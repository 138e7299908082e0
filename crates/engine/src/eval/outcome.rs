//! Converts a net's outputs to chances: the softmax over the six outcomes, eight positions at a time.
//!
//! It uses plain additions and multiplications in a fixed order, so that every machine and instruction set
//! gives the same bits.

use super::Probabilities;
use super::simd::OUTCOMES;

/// Number of positions in a group.
pub(super) const LANES: usize = 8;

/// Outputs, then chances, of up to eight positions: indexed by outcome, then position. The outcomes for the
/// player on roll are: win single, win gammon, win backgammon, lose single, lose gammon, lose backgammon.
pub(super) type Group = [[f32; LANES]; OUTCOMES];

/// An output that makes an outcome impossible.
pub(super) const IMPOSSIBLE: f32 = -1.0e4;

/// Points of each outcome for the player on roll.
const POINTS: [f32; OUTCOMES] = [1.0, 2.0, 3.0, -1.0, -2.0, -3.0];

/// Replaces outputs by chances that sum to one.
#[inline]
pub(super) fn softmax(group: &mut Group) {
    let mut most = group[0];
    for row in &group[1..] {
        for (m, x) in most.iter_mut().zip(row) {
            *m = if *x > *m { *x } else { *m };
        }
    }
    let mut total = [0.0f32; LANES];
    for row in group.iter_mut() {
        for ((x, m), t) in row.iter_mut().zip(&most).zip(&mut total) {
            *x = exp(*x - *m);
            *t += *x;
        }
    }
    for row in group.iter_mut() {
        for (x, t) in row.iter_mut().zip(&total) {
            *x /= *t;
        }
    }
}

/// Returns the cubeless equity of the player on roll in each position of a group, in points.
#[inline]
pub(super) fn equities(group: &Group) -> [f32; LANES] {
    let mut out = [0.0f32; LANES];
    for (row, points) in group.iter().zip(POINTS) {
        for (o, p) in out.iter_mut().zip(row) {
            *o += points * p;
        }
    }
    out
}

/// Returns the cumulative chances of position `lane`.
#[inline]
pub(super) fn cumulative(group: &Group, lane: usize) -> Probabilities {
    let p = |outcome: usize| group[outcome][lane];
    let (win_gammon, lose_gammon) = (p(1) + p(2), p(4) + p(5));
    Probabilities {
        win: (p(0) + win_gammon).min(1.0),
        win_gammon,
        win_backgammon: p(2),
        lose_gammon,
        lose_backgammon: p(5),
    }
}

/// Below this an exponential is zero.
const LOWEST: f32 = -80.0;

/// Returns e^x for x <= 0, with an error of a few parts in a million.
#[inline]
fn exp(x: f32) -> f32 {
    // x = (k + f) ln 2 with |f| <= 1/2: 2^f by its Taylor polynomial, 2^k by the exponent bits.
    const ROUND: f32 = 12_582_912.0; // 1.5 * 2^23: adding it rounds to an integer
    let t = (if x < LOWEST { LOWEST } else { x }) * std::f32::consts::LOG2_E;
    let shifted = t + ROUND;
    let f = t - (shifted - ROUND);
    let mut p = 1.540_353e-4;
    for c in [
        1.333_355_8e-3,
        9.618_129e-3,
        5.550_411e-2,
        2.402_265e-1,
        6.931_472e-1,
        1.0,
    ] {
        p = p * f + c;
    }
    let k = shifted.to_bits().wrapping_sub(ROUND.to_bits());
    let power = f32::from_bits(p.to_bits().wrapping_add(k << 23));
    if x < LOWEST { 0.0 } else { power }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponential() {
        for i in 0..3000 {
            let x = -0.02 * i as f32;
            let (got, want) = (f64::from(exp(x)), f64::from(x).exp());
            assert!(
                (got - want).abs() <= 1e-5 * want.max(1e-30),
                "{x} {got} {want}"
            );
        }
        assert_eq!(exp(IMPOSSIBLE), 0.0);
    }

    #[test]
    fn chances_sum_to_one_and_are_ordered() {
        let mut group: Group =
            std::array::from_fn(|o| std::array::from_fn(|l| (o as f32 - 2.0) * l as f32));
        group[2] = [IMPOSSIBLE; LANES];
        softmax(&mut group);
        for lane in 0..LANES {
            let sum: f32 = group.iter().map(|row| row[lane]).sum();
            assert!((sum - 1.0).abs() < 1e-6);
            let p = cumulative(&group, lane);
            assert!(p.win >= p.win_gammon && p.win_gammon >= p.win_backgammon);
            assert!((p.equity() - equities(&group)[lane]).abs() < 1e-5);
        }
    }
}
