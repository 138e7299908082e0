//! Standalone positions, with the rules of their match.

use super::*;
use crate::game::{GameState, MatchScore, PlayList, Position, Roll};
use crate::match_file::write::Target;
use crate::match_file::xg::build::{Lies, pack, records};
use crate::notation::parse_id;

#[test]
fn a_position_of_extreme_gammon_has_the_switch_of_the_crawford_rule() {
    for crawford in [false, true] {
        let mut record = fixture("gnubg.mat");
        record.crawford = crawford;
        let bytes = records(&record)[..3 * 2560].to_vec();
        let found = read_bytes(&pack(&bytes, Lies::default()), "x.xgp").unwrap();
        let state = found.positions[0].state;
        assert_eq!(
            (state.score.length, state.rules.no_crawford),
            (3, !crawford)
        );
    }
}

#[test]
fn a_position_in_sgf_has_the_switch_of_the_crawford_rule() {
    for no_crawford in [false, true] {
        let mut state = GameState::money(Position::opening());
        state.score = MatchScore {
            length: 7,
            mover: 2,
            opponent: 4,
            crawford: false,
        };
        state.rules.no_crawford = no_crawford;
        let record = Match {
            length: 7,
            players: Match::UNNAMED.map(str::to_owned),
            positions: vec![LonePosition::new(state, 0)],
            ..Match::default()
        };
        let text = Target::Sgf.write(&record);
        assert_eq!(text.contains("RU[Crawford]"), !no_crawford, "{text}");
        let again = read_bytes(text.as_bytes(), "x.sgf").unwrap();
        assert_eq!(again.positions[0].state, state, "{text}");
        let text = Target::Json.write(&record);
        assert!(Target::Json.left_out(&record, &text).is_empty(), "{text}");
        let again = read_bytes(text.as_bytes(), "x.json").unwrap();
        assert_eq!(again.positions[0].state, state, "{text}");
    }
}

const TO_PLAY: &str = "XGID=-a--BBCBB--ABb--Acbcbb----:0:0:1:42:2:1:0:5:10";
const DOUBLED: &str = "XGID=-b-BBBC-B---bB--bc-d-bA-A-:0:0:1:D:2:3:0:7:10";

/// Two lines of a position, the second with a remark; with a double, the root branches into pass and take.
fn tree(state: &GameState) -> Variations {
    let mut tree = Variations::at(LonePosition::root(state));
    let start = state.doubled.then(|| {
        tree.add(None, Action::Pass).unwrap();
        tree.add(None, Action::Take).unwrap()
    });
    for (n, dice) in ["42", "61"].into_iter().enumerate() {
        let first = roll(&mut tree, start, dice, n);
        let reply = roll(&mut tree, Some(first), "31", 0);
        if n == 1 {
            tree.remark(reply, "in brackets: [a]\nand a second line");
        }
    }
    tree
}

fn roll(tree: &mut Variations, parent: Option<NodeId>, dice: &str, n: usize) -> NodeId {
    let roll: Roll = dice.parse().unwrap();
    let list = PlayList::of(&tree.after(parent).unwrap().state.position, roll);
    let play = list.plays()[n.min(list.plays().len() - 1)];
    tree.add(parent, Action::Move { roll, play }).unwrap()
}

#[test]
fn a_position_is_written_with_its_variations_and_its_remark() {
    for id in [TO_PLAY, DOUBLED] {
        let state = parse_id(id).unwrap();
        let tree = tree(&state);
        let record = Match {
            players: Match::UNNAMED.map(str::to_owned),
            positions: vec![LonePosition {
                players: Some(Box::new(["Anna".to_owned(), "Ben".to_owned()])),
                comment: Some("prime or run".into()),
                variations: Some(Box::new(tree.clone())),
                ..LonePosition::new(state, 0)
            }],
            ..Match::default()
        };
        for target in [Target::Sgf, Target::Json] {
            let text = target.write(&record);
            let again = read_bytes(text.as_bytes(), "x").unwrap();
            assert_eq!(again.warnings, [], "{text}");
            assert!(
                again.games.is_empty() && again.positions.len() == 1,
                "{text}"
            );
            let position = &again.positions[0];
            assert_eq!(position.state, state, "{text}");
            assert_eq!(position.comment, record.positions[0].comment, "{text}");
            assert_eq!(position.players, record.positions[0].players, "{text}");
            let read = position.variations.as_deref().unwrap();
            assert_eq!(read.root(), tree.root());
            assert_eq!(read.to_json(), tree.to_json(), "{text}");
            assert_eq!(target.left_out(&record, &text), [""; 0]);
        }
        // A list of XGIDs cannot store variations and reports them.
        let text = Target::Text.write(&record);
        let variations = tree.leaves();
        assert_eq!(
            Target::Text.left_out(&record, &text),
            [
                "match text does not hold: remark × 1".to_owned(),
                format!("match text does not hold: variation × {variations}"),
                "match text does not hold: names of the players of a position × 1".to_owned(),
            ]
        );
    }
}

/// A position whose player to decide is black in the file.
#[test]
fn variations_of_a_position_may_begin_with_either_colour() {
    let white = "(;FF[4]GM[6]MI[length:0][game:0][ws:0][bs:0]PW[a]PB[b]\n\
                 ;AE[a:y]AW[f][f][h]AB[s][s][q]CV[1]CP[c]PL[W]\n(;)\n(;W[31hefe]C[here]))";
    let black = white
        .replace("PL[W]", "PL[B]")
        .replace("W[31hefe]", "B[31qtst]");
    let trees = [white, &black].map(|text| {
        let record = read_bytes(text.as_bytes(), "x.sgf").unwrap();
        assert_eq!(record.warnings, []);
        let tree = record.positions[0].variations.clone().unwrap();
        assert_eq!((tree.count(), tree.remarks()), (1, 1));
        tree.to_json()
    });
    assert_eq!(trees[0], trees[1]);
}

/// Match text cannot store positions, but the games after them in the file are written.
#[test]
fn games_after_a_list_of_positions_are_written() {
    let mut played = one_game(
        1,
        &[
            "  1) 31: 8/5 6/5                62: 24/18 13/11",
            "      Wins 1 point",
        ],
    );
    played.players = ["anna".into(), "ben".into()];
    let list = Match {
        positions: vec![LonePosition::new(GameState::money(Position::opening()), 0)],
        others: vec![played],
        ..Match::default()
    };
    for target in [Target::Mat, Target::Text] {
        let text = target.write(&list);
        let again = read_bytes(text.as_bytes(), "x.mat").unwrap();
        assert_eq!((again.games.len(), again.others.len()), (1, 0), "{text}");
        assert_eq!(again.players, ["anna", "ben"]);
        let left = target.left_out(&list, &text);
        assert_eq!(left, ["1 of 2 matches are written"]);
    }
}

/// A checker play and a cube decision in eXtreme Gammon's export, up to the comment.
const PLAY: &str = "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:3:0:10

X:Anna   O:Ben
Score is X:0 O:0. Unlimited Game, Jacoby Beaver
Pip count  X: 167  O: 167 X-O: 0-0
Cube: 1
X to play 52

    1. Rollout¹    13/11 13/8                   eq:+0.005
      Player:   50.64% (G:11.55% B:0.54%)
      Opponent: 49.36% (G:13.95% B:0.42%)

    2. XG Roller++ 24/22 13/8                   eq:-0.001 (-0.006)
      Player:   48.27% (G:10.81% B:0.55%)
      Opponent: 51.73% (G:15.83% B:0.49%)


¹  1296 Games rolled with Variance Reduction.
   Dice Seed: 12345678
   Moves: 3-ply, cube decisions: XG Roller

";
const CUBE: &str = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:3:0:10

X:Anna   O:Ben
Score is X:0 O:0. Unlimited Game, Jacoby Beaver
Pip count  X: 167  O: 167 X-O: 0-0
Cube: 1
X on roll, cube action

Analyzed in XG Roller++
Player Winning Chances:   52.40% (G:18.22% B:0.53%)
Opponent Winning Chances: 47.60% (G:12.71% B:0.51%)

Cubeful Equities:
       No double:     +0.070
       Double/Take:   -0.115 (-0.185)
       Double/Pass:   +1.000 (+0.930)

Best Cube action: No double / Take
Percentage of wrong pass needed to make the double decision right: 16.6%

";
const PLAIN: &str = "XGID=-b----E-C---eE---c-e----B-:0:0:1:63:0:0:3:0:10

X:Anna   O:Ben
Pip count  X: 167  O: 167 X-O: 0-0
X to play 63

";

#[test]
fn the_comment_of_an_exported_position_is_kept() {
    let version = "\n\neXtreme Gammon Version: 2.10, MET: Kazaross XG2\n\n";
    for comment in [
        "Split or slot?",
        "two lines\n  the second indented\n\nand a paragraph",
        "ND = -0.081, D/T = -0.166\n12 %\n1. 24/22 0.1",
        "Opponent: 3 pips better, as in XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:3:0:10",
    ] {
        let text = [PLAY, CUBE, PLAIN]
            .map(|block| format!("{block}{comment}{version}"))
            .concat();
        let record = read_bytes(text.as_bytes(), "x.txt").unwrap();
        assert_eq!(record.warnings, [], "{comment}");
        let all = record.positions.iter();
        let comments: Vec<_> = all.map(|one| one.comment.as_deref()).collect();
        assert_eq!(comments, [Some(comment); 3]);
        let of_play = record.positions[0].analysis.as_ref().unwrap();
        assert_eq!(of_play.plays.len(), 2);
        let of_cube = record.positions[1].analysis.as_ref().unwrap();
        assert_eq!(of_cube.cube.as_ref().unwrap().double_pass, Some(1.0));
    }
    let text = [PLAY, CUBE, PLAIN]
        .map(|block| format!("{block}{version}"))
        .concat();
    let record = read_bytes(text.as_bytes(), "x.txt").unwrap();
    assert!(record.positions.iter().all(|one| one.comment.is_none()));
}
