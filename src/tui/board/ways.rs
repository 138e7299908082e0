//! The paths of a play's checkers.

use super::picture::Place;
use crate::game::{Play, Player, Position};

/// Returns start and end of each checker that `player` moves between `before` and `after`, which are seen by the
/// opponent; empty if no play connects them.
pub fn ways(before: &Position, after: &Position, player: Player) -> Vec<(Place, Place)> {
    let steps: Vec<_> = Play::between(before, after)
        .map(|play| play.steps().collect())
        .unwrap_or_default();
    let mut ways = Vec::with_capacity(steps.len());
    for (i, step) in steps.iter().enumerate() {
        let (from, to) = (usize::from(step.from), usize::from(step.to));
        // The top checkers move.
        let gone = steps[..i].iter().filter(|s| s.from == step.from).count();
        let come = steps[..i].iter().filter(|s| s.to == step.to).count();
        let slot = |count: u8, below: usize| u16::from(count).saturating_sub(1 + below as u16);
        let place = |point, slot| Place {
            player,
            point,
            slot,
        };
        ways.push((
            place(from, slot(before.mover.at(from), gone)),
            place(to, slot(after.opponent.at(to), come)),
        ));
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Step;

    #[test]
    fn checkers_leave_from_the_top_and_come_to_the_top() {
        let before = Position::opening();
        let steps = [(13, 10), (13, 10), (6, 3), (6, 3)].map(|(from, to)| Step { from, to });
        let after = Play::new(&steps).apply(&before);
        let ways = ways(&before, &after, Player::Right);
        let plain = |place: &Place| (place.point, place.slot);
        let found: Vec<_> = ways.iter().map(|(a, b)| (plain(a), plain(b))).collect();
        assert_eq!(
            found,
            [
                ((13, 4), (10, 1)),
                ((13, 3), (10, 0)),
                ((6, 4), (3, 1)),
                ((6, 3), (3, 0)),
            ]
        );
    }

    #[test]
    fn what_is_no_play_has_no_ways() {
        let before = Position::opening();
        assert!(ways(&before, &before, Player::Left).is_empty());
    }
}
