//! Variations in words: a line for each way from the root of a tree to an end.

use super::build::action_name;
use crate::cube::cube_words;
use crate::game::Roll;
use crate::match_file::variations::VariationNode;
use crate::match_file::{Action, NodeId, Variations};
use crate::notation::play_text;

/// Most lines of a tree.
const MOST_LINES: usize = 20;
/// Most actions of a line: a file may have lines of a thousand.
const MOST_ACTIONS: usize = 60;

/// The first variations of a tree in words, depth first: `24/18 13/10; Dev 66 13/7*/1* 13/1`. `dice`: those of the turn
/// whose tree it is, which are not said again. `names`: of left and right.
pub(super) fn variation_lines(
    tree: &Variations,
    dice: Option<Roll>,
    names: [&str; 2],
) -> Vec<String> {
    let mut lines = Vec::new();
    // What is still to be followed, the next one last.
    let mut to_come: Vec<NodeId> = tree.children(None).rev().collect();
    while let Some(id) = to_come.pop().filter(|_| lines.len() < MOST_LINES) {
        let others = to_come.len();
        to_come.extend(tree.children(Some(id)).rev());
        if to_come.len() == others {
            lines.push(line(tree, id, dice, names));
        }
    }
    lines
}

/// The variation that ends at the node `end`, in words. The player of its first action is the one whose turn
/// it is.
fn line(tree: &Variations, end: NodeId, dice: Option<Roll>, names: [&str; 2]) -> String {
    let path = tree.line_to(end);
    let nodes = path.iter().filter_map(|id| tree.node(*id));
    let words = nodes
        .take(MOST_ACTIONS)
        .enumerate()
        .map(|(i, node)| match i {
            0 => done(node, dice),
            _ => {
                let name = names[node.before.player.index()];
                format!("{name} {}", done(node, None))
            }
        });
    let mut words: Vec<String> = words.collect();
    if path.len() > MOST_ACTIONS {
        words.push("…".to_owned());
    }
    words.join("; ")
}

/// Writes the action, without the dice if they are `known`.
fn done(node: &VariationNode, known: Option<Roll>) -> String {
    let state = &node.before.state;
    match node.action {
        Action::Move { roll, play } => {
            let play = play_text(&state.position, &play);
            match known == Some(roll) {
                true => play,
                false => format!("{roll} {play}"),
            }
        }
        action => cube_words(action_name(action), state).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{GameState, PlayList, Player, Position};
    use crate::match_file::DecisionState;

    fn tree() -> Variations {
        Variations::at(DecisionState {
            event: 5,
            player: Player::Right,
            state: GameState::money(Position::opening()),
        })
    }

    /// Adds the first legal play of these dice.
    fn add(tree: &mut Variations, parent: Option<NodeId>, dice: &str) -> NodeId {
        let (roll, mut list): (Roll, _) = (dice.parse().unwrap(), PlayList::new());
        list.generate(&tree.after(parent).unwrap().state.position, roll);
        let play = list.plays()[0];
        tree.add(parent, Action::Move { roll, play }).unwrap()
    }

    fn play_of(tree: &Variations, id: NodeId) -> String {
        done(tree.node(id).unwrap(), None)
    }

    #[test]
    fn each_variation_is_a_line_depth_first() {
        let mut tree = tree();
        let first = add(&mut tree, None, "31");
        let double = tree.add(None, Action::Double { to: 2 }).unwrap();
        let answer = add(&mut tree, Some(first), "64");
        tree.add(Some(double), Action::Pass).unwrap();
        let take = tree.add(Some(double), Action::Take).unwrap();
        let roll = add(&mut tree, Some(take), "52");
        let next = add(&mut tree, Some(roll), "21");
        let redoubled = tree.add(Some(roll), Action::Double { to: 4 }).unwrap();
        tree.add(Some(redoubled), Action::Pass).unwrap();
        let [first, answer, roll, next] = [first, answer, roll, next].map(|id| play_of(&tree, id));
        let dice: Roll = "31".parse().unwrap();
        let names = ["Ann", "Ben"];
        let lines = variation_lines(&tree, Some(dice), names);
        let without = first.strip_prefix("31 ").unwrap();
        let rolled = format!("double; Ann take; Ben {roll}");
        let expected = [
            format!("{without}; Ann {answer}"),
            "double; Ann pass".to_owned(),
            format!("{rolled}; Ann {next}"),
            format!("{rolled}; Ann redouble; Ben pass"),
        ];
        assert_eq!(lines, expected);
        // Other dice than those of the turn are said.
        let lines = variation_lines(&tree, None, names);
        assert_eq!(lines[0], format!("{first}; Ann {answer}"));
    }

    #[test]
    fn a_long_variation_is_cut_with_a_sign() {
        let mut tree = tree();
        let mut end = None;
        for _ in 0..MOST_ACTIONS {
            end = Some(add(&mut tree, end, "21"));
        }
        let line = |tree: &Variations| variation_lines(tree, None, ["Ann", "Ben"]).remove(0);
        assert!(!line(&tree).contains('…'));
        add(&mut tree, end, "21");
        let line = line(&tree);
        assert!(line.ends_with("; …"), "{line}");
        assert_eq!(line.matches("; ").count(), MOST_ACTIONS);
    }
}
