//! Variations in a JSON document: each tree belongs to the action that it replaces.

use serde_json::value::RawValue;

use crate::game::GameState;
use crate::match_file::builder::MatchBuilder;
use crate::match_file::text::{REMARK_CUT, clean};
use crate::match_file::variations::VariationError;
use crate::match_file::warnings::FilePlace;
use crate::match_file::{LonePosition, Variations};

/// Returns the raw JSON of a tree; `None` if it is empty.
pub(super) fn form(tree: &Variations) -> Option<Box<RawValue>> {
    let text = (!tree.is_empty()).then(|| tree.to_json())?;
    RawValue::from_string(text).ok()
}

/// Adds the trees of game `index`, by event, to a match. Trees that are impossible or exceed `room` are left
/// out with a warning.
pub(super) fn read(
    match_builder: &mut MatchBuilder,
    index: usize,
    trees: Vec<(usize, Box<RawValue>)>,
    room: &mut usize,
) {
    // A game that was left out has no trees.
    let record = &mut match_builder.record;
    let Some(game) = record.games.get(index).filter(|_| !trees.is_empty()) else {
        return;
    };
    let (number, roots) = (game.number, record.decision_states(game));
    for (event, text) in trees {
        let tree = match roots.get(event) {
            Some(root) => Variations::from_json_within(*root, text.get(), room),
            None => Err(VariationError::Impossible(0)),
        };
        let complaint = match tree {
            Ok((tree, is_cut)) => {
                if !tree.is_empty() {
                    record.variations.insert((index, event), tree);
                }
                is_cut.then(|| REMARK_CUT.to_owned())
            }
            Err(why) => Some(left_out(&why)),
        };
        if let Some(complaint) = complaint {
            let message = format!("game {number}, action {}: {complaint}", event + 1);
            let turn = Some((index, event));
            let place = FilePlace::default();
            match_builder.warnings.add_about(place, turn, message);
        }
    }
}

/// Returns the tree of a standalone position, and its fault.
pub(super) fn read_lone(
    state: &GameState,
    text: &RawValue,
    room: &mut usize,
) -> (Option<Box<Variations>>, Option<String>) {
    let root = LonePosition::root(state);
    match Variations::from_json_within(root, text.get(), room) {
        Ok((tree, is_cut)) => (
            (!tree.is_empty()).then(|| Box::new(tree)),
            is_cut.then(|| REMARK_CUT.to_owned()),
        ),
        Err(why) => (None, Some(left_out(&why))),
    }
}

fn left_out(why: &VariationError) -> String {
    let why = clean(&why.to_string());
    format!("the variations are left out: {why}")
}

#[cfg(test)]
mod tests {
    use crate::match_file::variations::{MOST_IN_FILE, VariationError};
    use crate::match_file::{EventPlace, Match, Variations, read_bytes};

    const SOUND: &str = r#"[{"did":"21","steps":[[13,11],[6,5]]}]"#;

    /// A game of three rolls, each with a tree.
    fn record([one, two, three]: [&str; 3]) -> Match {
        let action = |player: &str, roll: &str, play: &str, tree: &str| {
            format!(
                r#"{{"player":"{player}","action":"roll","roll":"{roll}","play":"{play}","variations":{tree}}}"#
            )
        };
        let actions = [
            action("left", "31", "8/5 6/5", one),
            action("right", "42", "8/4 6/4", two),
            action("left", "61", "13/7 8/7", three),
        ];
        let actions = actions.join(",");
        let text = format!(
            r#"{{"luckless":"match","version":1,"games":[{{"game":1,"score":[0,0],"actions":[{actions}]}}]}}"#
        );
        read_bytes(text.as_bytes(), "x.json").unwrap()
    }

    fn left_out(record: &Match) -> Vec<(&str, Option<EventPlace>)> {
        let all = record.warnings.iter();
        let all = all.filter(|warning| warning.message.contains("variations"));
        all.map(|warning| (&*warning.message, warning.turn))
            .collect()
    }

    #[test]
    fn an_impossible_tree_is_left_out_and_the_rest_is_read() {
        let no_play =
            r#"[{"did":"21","steps":[[13,11],[6,5]]},{"after":0,"did":"21","steps":[[24,1]]}]"#;
        let all = record([SOUND, no_play, r#"{"did":7}"#]);
        assert_eq!(all.games[0].events.len(), 3);
        let kept: Vec<_> = all.variations.keys().copied().collect();
        assert_eq!(kept, [(0, 0)]);
        let [impossible, damaged] = left_out(&all)[..] else {
            panic!("{:?}", all.warnings);
        };
        assert_eq!(impossible.1, Some((0, 1)));
        assert_eq!(
            impossible.0,
            "game 1, action 2: the variations are left out: action 2 is not possible where it stands"
        );
        assert_eq!(damaged.1, Some((0, 2)));
        assert!(damaged.0.contains("damaged"), "{damaged:?}");
        let none = record(["[]", "null", "[]"]);
        assert!(none.variations.is_empty() && left_out(&none).is_empty());
    }

    #[test]
    fn the_trees_of_a_file_share_a_limit_of_actions() {
        let copies =
            |count: usize| format!("[{}]", vec![&SOUND[1..SOUND.len() - 1]; count].join(","));
        let half = copies(MOST_IN_FILE / 2);
        let all = record([&half, SOUND, &half]);
        let kept: Vec<_> = all.variations.keys().copied().collect();
        assert_eq!(kept, [(0, 0), (0, 1)]);
        assert!(left_out(&all)[0].0.contains("at most 20000 actions"));
        // A single tree has its own limit, however much room is left.
        let root = all.decision_states(&all.games[0])[0];
        let more = Variations::from_json(root, &copies(MOST_IN_FILE / 2 + 1));
        assert_eq!(more, Err(VariationError::Full));
    }
}
