//! Tests of variation trees: building, navigating, storing, and refusing impossible trees.

use std::path::Path;

use super::*;
use crate::game::{MatchScore, Player, Rules};
use crate::match_file::{self, Match};

fn root(state: GameState) -> DecisionState {
    DecisionState {
        event: 5,
        player: Player::Left,
        state,
    }
}

fn money() -> GameState {
    GameState {
        rules: Rules {
            beavers: true,
            ..Rules::default()
        },
        ..GameState::money(Position::opening())
    }
}

fn play(tree: &Variations, parent: Option<NodeId>, dice: &str, n: usize) -> Action {
    let roll: Roll = dice.parse().unwrap();
    let list = PlayList::of(&tree.after(parent).unwrap().state.position, roll);
    let play = list.plays()[n];
    Action::Move { roll, play }
}

fn add(tree: &mut Variations, parent: Option<NodeId>, dice: &str, n: usize) -> NodeId {
    let action = play(tree, parent, dice, n);
    tree.add(parent, action).unwrap()
}

/// `31 a, then 52 or 64; 31 b instead`.
fn branched() -> (Variations, [NodeId; 4]) {
    let mut tree = Variations::at(root(money()));
    let a = add(&mut tree, None, "31", 0);
    let a1 = add(&mut tree, Some(a), "52", 0);
    let a2 = add(&mut tree, Some(a), "64", 1);
    let b = add(&mut tree, None, "31", 3);
    (tree, [a, a1, a2, b])
}

#[test]
fn games_of_matches_are_variations_too() {
    for name in [
        "anna-ben-7pt.mat",
        "anna-clara-money.mat",
        "clara-dev-3pt.mat",
    ] {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_matches/");
        let record = match_file::read(Path::new(&format!("{folder}{name}"))).unwrap();
        for game in &record.games {
            check_game(&record, game);
        }
    }
}

/// Checks that a tree passes through the same states as the replay of a match.
fn check_game(record: &Match, game: &match_file::Game) {
    let states = record.decision_states(game);
    let mut tree = Variations::at(states[0]);
    let mut at = None;
    for (event, expected) in game.events.iter().zip(&states) {
        if matches!(event.action, Action::Resign | Action::Hidden { .. }) {
            break;
        }
        let next = tree.after(at).unwrap();
        assert_eq!(next.player, expected.player);
        let id = tree.add(at, event.action).unwrap();
        assert_eq!(tree.node(id).unwrap().before, *expected);
        at = Some(id);
    }
    assert_eq!(tree.leaves(), 1);
}

#[test]
fn an_equal_action_is_found_again() {
    let (mut tree, [a, a1, ..]) = branched();
    assert_eq!(add(&mut tree, None, "31", 0), a);
    assert_eq!(add(&mut tree, Some(a), "52", 0), a1);
    assert_eq!((tree.count(), tree.leaves()), (4, 3));
    // The same position from other dice is another action.
    let other = add(&mut tree, None, "13", 0);
    assert_eq!(other, a, "dice have no order");
}

#[test]
fn rows_go_in_at_branches_and_lines_from_the_root() {
    let (mut tree, [a, a1, a2, b]) = branched();
    let a1x = add(&mut tree, Some(a1), "21", 0);
    let rows: Vec<_> = tree.rows().iter().map(|r| (r.node, r.indent)).collect();
    assert_eq!(rows, [(a, 0), (b, 1), (a1, 0), (a2, 1), (a1x, 0)]);
    assert_eq!(tree.line_to(a1x), [a, a1, a1x]);
    let mut line = vec![a];
    tree.extend(&mut line);
    assert_eq!(line, [a, a2], "what was tried last");
}

#[test]
fn a_branch_is_removed_and_brought_back() {
    let (mut tree, [a, a1, a2, b]) = branched();
    tree.set_removed(a, true);
    assert_eq!(tree.rows().len(), 1);
    let kept = Variations::from_json(*tree.root(), &tree.to_json()).unwrap();
    assert_eq!(kept.count(), 1);
    tree.set_removed(a, false);
    assert_eq!(tree.children(Some(a)).collect::<Vec<_>>(), [a1, a2]);
    tree.set_removed(b, true);
    assert_eq!(tree.leaves(), 2);
}

#[test]
fn cube_actions_follow_the_rules() {
    let mut tree = Variations::at(root(money()));
    let no = |tree: &mut Variations, at, action| tree.add(at, action).is_err();
    assert!(no(&mut tree, None, Action::Take), "there is no double");
    assert!(no(&mut tree, None, Action::Resign));
    let double = tree.add(None, Action::Double { to: 99 }).unwrap();
    assert_eq!(tree.node(double).unwrap().action, Action::Double { to: 2 });
    assert!(no(&mut tree, Some(double), Action::Double { to: 4 }));
    let beaver = tree.add(Some(double), Action::Beaver { to: 0 }).unwrap();
    let after = tree.after(Some(beaver)).unwrap();
    assert_eq!((after.player, after.state.cube), (Player::Left, 4));
    assert_eq!(after.state.owner, CubeOwner::Opponent);
    assert!(no(&mut tree, Some(beaver), Action::Double { to: 8 }));
    let pass = tree.add(Some(double), Action::Pass).unwrap();
    assert!(tree.after(Some(pass)).is_none());
    assert!(no(&mut tree, Some(pass), Action::Take), "it is over");
    // Beavers are not allowed in a match, nor doubles in the Crawford game or before the first roll.
    let mut state = money();
    state.score = MatchScore {
        length: 5,
        mover: 0,
        opponent: 4,
        crawford: true,
    };
    let mut tree = Variations::at(root(state));
    assert!(no(&mut tree, None, Action::Double { to: 2 }));
    state.score.crawford = false;
    let mut tree = Variations::at(root(state));
    let double = tree.add(None, Action::Double { to: 2 }).unwrap();
    assert!(no(&mut tree, Some(double), Action::Beaver { to: 4 }));
    let first = DecisionState {
        event: 0,
        ..root(money())
    };
    assert!(no(
        &mut Variations::at(first),
        None,
        Action::Double { to: 2 }
    ));
}

#[test]
fn a_tree_is_kept_and_read_back() {
    let (mut tree, [.., b]) = branched();
    let double = tree.add(Some(b), Action::Double { to: 2 }).unwrap();
    let take = tree.add(Some(double), Action::Take).unwrap();
    add(&mut tree, Some(take), "66", 0);
    let text = tree.to_json();
    let again = Variations::from_json(*tree.root(), &text).unwrap();
    assert_eq!(again.to_json(), text);
    assert_eq!(again.rows().len(), tree.rows().len());
    let mut merged = Variations::at(*tree.root());
    add(&mut merged, None, "31", 3);
    merged.merge(&tree);
    merged.merge(&again);
    assert_eq!((merged.count(), merged.leaves()), (7, 3));
}

#[test]
fn an_impossible_tree_is_refused() {
    let root = root(money());
    let refused = |text: &str| Variations::from_json(root, text).unwrap_err().to_string();
    let first = "action 1 is not possible where it stands";
    for text in [
        r#"[{"did":"31","steps":[[24,1]]}]"#,
        r#"[{"did":"31","steps":[[255,1]]}]"#,
        r#"[{"did":"31","steps":[[8,200]]}]"#,
        r#"[{"did":"31","steps":[[0,0],[0,0]]}]"#,
        r#"[{"did":"31","steps":[[8,5],[6,5],[6,5],[6,5],[6,5]]}]"#,
        r#"[{"did":"77","steps":[[8,5],[6,5]]}]"#,
        r#"[{"did":"31","after":0,"steps":[[8,5],[6,5]]}]"#,
        r#"[{"did":"take"}]"#,
    ] {
        assert_eq!(refused(text), first, "{text}");
    }
    let second = r#"[{"did":"31","steps":[[8,5],[6,5]]},{"did":"take","after":0}]"#;
    assert!(refused(second).contains("action 2"));
    for text in ["", "{}", "[1]", "[{\"did\":3}]", "[[[[[[[["] {
        assert!(refused(text).starts_with("it is damaged"), "{text}");
    }
}

#[test]
fn trees_have_bounds() {
    let mut tree = Variations::at(root(money()));
    let mut to_grow = std::collections::VecDeque::from([None]);
    let full = loop {
        let Some(at) = to_grow.pop_front() else {
            panic!("the tree is not full");
        };
        let state = tree.after(at).unwrap().state;
        let grow = |roll: &Roll| {
            let list = PlayList::of(&state.position, *roll);
            let play = list.plays()[0];
            tree.add(at, Action::Move { roll: *roll, play })
        };
        let grown: Result<Vec<NodeId>, _> = Roll::ALL.iter().map(grow).collect();
        match grown {
            Ok(grown) => to_grow.extend(grown.into_iter().map(Some)),
            Err(why) => break why,
        }
    };
    assert_eq!(full, VariationError::Full);
    assert_eq!(tree.count(), MOST_ACTIONS);
    let text = tree.to_json();
    assert!(text.len() < 1 << 20, "{}", text.len());
    let again = Variations::from_json(*tree.root(), &text).unwrap();
    assert_eq!(again.leaves(), tree.leaves());
    let alike = |n: usize| {
        let all = vec![r#"{"did":"31","steps":[[8,5],[6,5]]}"#; n].join(",");
        Variations::from_json(root(money()), &format!("[{all}]"))
    };
    let same = alike(MOST_ACTIONS).unwrap();
    assert_eq!(same.count(), 1, "equal actions are one");
    assert_eq!(alike(MOST_ACTIONS + 1).unwrap_err(), VariationError::Full);
}
