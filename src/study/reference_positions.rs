//! A few positions that stand for many: expensive ones, and each as unlike the others as can be.

use crate::library::Found;
use crate::library::similar::distance;

/// A position is an example only if it lost at least this share of what the first did.
const LEAST: f32 = 0.2;
/// Share of all that the errors lost, that those come to among which positions are chosen.
const SHARE: f32 = 0.8;

/// Chooses at most `most` of the errors, which come in the order of what they lost. It takes the first, then
/// always the one that is farthest from all that are chosen (farthest-first traversal). Cheap errors, which
/// together come to little, are left out, and so are those that are cheap beside the first. Answers them in
/// the order of choice.
#[must_use]
pub fn diverse(errors: &[Found], most: usize) -> Vec<Found> {
    let enough = SHARE * errors.iter().map(|one| one.decision.loss()).sum::<f32>();
    let least = LEAST * errors.first().map_or(0.0, |one| one.decision.loss());
    let mut sum = 0.0;
    let expensive = errors.iter().enumerate().take_while(|(i, one)| {
        let is_in = (sum < enough || *i < most) && one.decision.loss() >= least;
        sum += one.decision.loss();
        is_in
    });
    let mut left: Vec<(u32, &Found)> = expensive.map(|(_, one)| (u32::MAX, one)).collect();
    let mut chosen = Vec::new();
    while chosen.len() < most {
        // Of those equally far the first, which is the most expensive.
        let far = (0..left.len()).rev().max_by_key(|&i| left[i].0);
        let Some(next) = far.filter(|&i| left[i].0 > 0).map(|i| left.remove(i).1) else {
            break;
        };
        let sides = next.decision.sides;
        for (nearest, one) in &mut left {
            *nearest = (*nearest).min(distance(&sides, &one.decision.sides));
        }
        chosen.push(*next);
    }
    chosen
}
