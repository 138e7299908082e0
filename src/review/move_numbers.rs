//! The numbers of the moves of a game.

use crate::game::Player;
use crate::match_file::DecisionState;

/// The numbers of the moves of a game, for matches and variations alike. Each turn of a player has one: it is
/// that of the double before the roll too, and of all that is answered to it.
#[derive(Clone, Copy, Debug)]
pub struct MoveNumbers {
    number: u32,
    /// The player whose turn it was last.
    player: Option<Player>,
}

impl MoveNumbers {
    /// Move numbers that begin with `first`.
    pub fn starting_at(first: u32) -> Self {
        Self {
            number: first,
            player: None,
        }
    }

    pub fn next(&mut self, before: &DecisionState) -> u32 {
        // An answer, a beaver among them, is no turn of who answers.
        if !before.state.doubled {
            let is_other = self.player.is_some_and(|player| player != before.player);
            self.number += u32::from(is_other);
            self.player = Some(before.player);
        }
        self.number
    }
}

#[cfg(test)]
mod tests {
    use crate::game::{Player, Roll};
    use crate::match_file::{Action, Event, Game, Match};
    use crate::review::turns;

    #[test]
    fn beavers_and_raccoons_share_the_number_of_the_move() {
        use Player::{Left, Right};
        let event = |player, action| Event {
            player,
            action,
            line: 0,
        };
        let roll = Roll::new(3, 1).unwrap();
        let rolls = |player| event(player, Action::Hidden { roll });
        let double = |player, to| event(player, Action::Double { to });
        let beaver = |player, to| event(player, Action::Beaver { to });
        let take = |player| event(player, Action::Take);
        let pass = |player| event(player, Action::Pass);
        let beavered = [rolls(Left), double(Right, 2), beaver(Left, 4)];
        for (events, expected) in [
            (vec![rolls(Right), rolls(Left)], vec![2, 3]),
            (vec![pass(Right)], vec![2]),
            (vec![double(Right, 8), take(Left), rolls(Right)], vec![2; 3]),
        ] {
            let record = Match {
                games: vec![Game {
                    events: [&beavered[..], &events].concat(),
                    ..Game::default()
                }],
                ..Match::default()
            };
            let numbers: Vec<u32> = turns(&record).iter().map(|t| t.number).collect();
            assert_eq!(numbers, [vec![1, 2, 2], expected].concat());
        }
    }
}
