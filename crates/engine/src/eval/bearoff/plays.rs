//! Plays within a home board, without a general generator.
//!
//! With all checkers at home, a die can be played while a checker is left. A roll is therefore any order of
//! its dice, one step at a time.
//!
//! This file does not use the crate, because the build script compiles it too.

use super::numbering::{Home, POINTS, board, number};

/// Returns the boards after one step with `die`, at most one for each point.
pub(super) fn steps(home: &Home, die: usize) -> impl Iterator<Item = usize> + '_ {
    let rearmost = (0..POINTS).rev().find(|&p| home[p] > 0);
    (0..POINTS).filter_map(move |p| {
        let legal = home[p] > 0 && (p + 1 >= die || rearmost == Some(p));
        legal.then(|| {
            let mut next = *home;
            next[p] -= 1;
            if p >= die {
                next[p - die] += 1;
            }
            number(&next).0
        })
    })
}

/// Returns the 21 rolls with their weights out of 36.
pub(super) fn rolls() -> impl Iterator<Item = (usize, usize, f64)> {
    (1..=6).flat_map(|a| (1..=a).map(move |b| (a, b, if a == b { 1.0 } else { 2.0 })))
}

/// Returns for each roll its weight out of 36, and the resulting boards of its plays from board `i`.
pub(super) fn results(i: usize) -> Vec<(f64, Vec<usize>)> {
    let play = |dice: &[usize]| {
        dice.iter().fold(vec![i], |boards, &die| {
            let mut next: Vec<usize> = boards
                .into_iter()
                .flat_map(|b| {
                    let home = board(b);
                    let moved: Vec<usize> = steps(&home, die).collect();
                    if moved.is_empty() { vec![b] } else { moved }
                })
                .collect();
            next.sort_unstable();
            next.dedup();
            next
        })
    };
    rolls()
        .map(|(a, b, weight)| {
            let mut after = if a == b { play(&[a; 4]) } else { play(&[a, b]) };
            if a != b {
                after.extend(play(&[b, a]));
            }
            after.sort_unstable();
            after.dedup();
            (weight, after)
        })
        .collect()
}
