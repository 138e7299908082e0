//! What the dice can do with a home board, without a generator of plays.
//!
//! With all checkers home a die can be played as long as a checker is left, so a roll is any order
//! of its dice, one step at a time.
//!
//! This file knows nothing of the crate: the build script compiles it too.

use super::numbering::{Home, POINTS, board, number};

/// Boards after one step with `die`, at most one for each point.
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

/// The twenty-one rolls with their weights among thirty-six.
pub(super) fn rolls() -> impl Iterator<Item = (usize, usize, f64)> {
    (1..=6).flat_map(|a| (1..=a).map(move |b| (a, b, if a == b { 1.0 } else { 2.0 })))
}

/// For each roll its weight among thirty-six, and the boards that its plays lead to from board `i`.
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
