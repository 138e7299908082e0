//! A few positions that stand for many: expensive ones, and each as unlike the others as can be.

use crate::library::Found;
use crate::library::similar::distance;

/// A position is an example only if it lost at least this share of what the first did.
const LEAST: f32 = 0.2;
/// Share of all that the errors lost, that those come to among which positions are chosen.
const SHARE: f32 = 0.8;

/// Chooses at most `most` of the errors, which come in the order of what they lost. It takes the first, then
/// always the one that is farthest from all that are chosen (farthest-first traversal). Cheap errors, which
/// together come to little, are left out, and so are those that are cheap beside the first. Answers them by what
/// they lost, the most expensive first.
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
    chosen.sort_by(|a, b| b.decision.loss().total_cmp(&a.decision.loss()));
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Probabilities;
    use crate::game::{GameState, Player, Position, Roll};
    use crate::library::{Answer, Decision, PackedDecision};
    use crate::review::{Class, PositionType};

    /// A roll of 31 in the position that so many plays of it lead to, which lost so much.
    fn error(plays: usize, loss: f32) -> Found {
        let roll = Roll::new(3, 1);
        let play =
            |position: &Position| crate::game::PlayList::of(position, roll.unwrap()).plays()[0];
        let mut position = Position::opening();
        for _ in 0..plays {
            position = play(&position).apply(&position);
        }
        let made = Answer::Play(play(&position));
        let decision = Decision {
            game: 0,
            event: 0,
            turn: 0,
            number: 1,
            player: Player::Left,
            class: Class::Checker,
            kind: PositionType::Opening,
            state: GameState {
                roll,
                ..GameState::money(position)
            },
            played: made,
            best: made,
            error: loss,
            loss,
            equity: 0.0,
            chances: Probabilities::default(),
            luck: 0.0,
            ply: 2,
            rolled: false,
            in_pr: true,
            silent: false,
        };
        Found {
            id: 1,
            decision: PackedDecision::from(&decision),
            distance: None,
        }
    }

    /// The farthest is chosen before the next expensive one, and stands behind it all the same.
    #[test]
    fn examples_come_by_what_they_lost() {
        let errors = [
            error(0, 0.3),
            error(0, 0.29),
            error(2, 0.28),
            error(8, 0.27),
        ];
        let chosen = diverse(&errors, 3);
        let losses: Vec<f32> = chosen.iter().map(|one| one.decision.loss()).collect();
        assert_eq!(losses, [0.3, 0.28, 0.27], "the second is the first again");
        let two = diverse(&errors, 2);
        assert_eq!(two[1].decision.loss(), 0.27, "it is farther from the first");
    }
}
