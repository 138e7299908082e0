//! Tests of known pairs, round trips, and refused text.

mod foreign;

use proptest::prelude::*;

use super::*;
use crate::game::{CubeOwner, MatchScore, PlayList, Position, Roll, Rules};

/// A position reached by random play, and a following roll.
fn reachable() -> impl Strategy<Value = (Position, Roll)> {
    (any::<u64>(), 0usize..120).prop_map(|(seed, plies)| {
        let mut state = seed | 1;
        let mut next = move |n: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % n
        };
        let mut list = PlayList::new();
        let mut position = Position::opening();
        for _ in 0..plies {
            list.generate(&position, Roll::ordered(next(36)));
            let after = list.results()[next(list.len())];
            if after.is_over() {
                break;
            }
            position = after;
        }
        (position, Roll::ordered(next(36)))
    })
}

pub(super) fn any_state() -> impl Strategy<Value = GameState> {
    (
        reachable(),
        0u32..11,
        0u8..3,
        prop_oneof![Just(0u16), 1u16..26],
        (any::<u16>(), any::<u16>()),
        any::<[bool; 5]>(),
    )
        .prop_map(|((position, roll), cube, owner, length, points, flags)| {
            let [crawford, jacoby, beavers, rolled, doubled] = flags;
            let point = |p: u16| if length == 0 { p % 50 } else { p % length };
            let (mover, opponent) = (point(points.0), point(points.1));
            let away_one = length > 0 && (mover + 1 == length) != (opponent + 1 == length);
            let doubled = doubled && !rolled;
            GameState {
                position,
                cube: 1 << cube,
                owner: [CubeOwner::Centred, CubeOwner::Mover, CubeOwner::Opponent]
                    [usize::from(owner)],
                score: MatchScore {
                    length,
                    mover,
                    opponent,
                    crawford: crawford && away_one,
                },
                rules: Rules {
                    jacoby: jacoby && length == 0,
                    beavers: beavers && length == 0,
                    ..Rules::default()
                },
                roll: rolled.then_some(roll),
                doubled,
            }
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_legal_play_reads_back((position, roll) in reachable()) {
        let list = PlayList::of(&position, roll);
        for (play, result) in list.plays().iter().zip(list.results()) {
            let text = play_text(&position, play);
            let read = parse_play(&text, &position, roll).unwrap();
            prop_assert_eq!(read.apply(&position), *result, "{} as {}", text, roll);
        }
    }

    #[test]
    fn xgids_read_back(state in any_state(), bottom in any::<bool>(), largest in 0u8..=20) {
        let id = Xgid { state, turn_at_bottom: bottom, largest_cube: largest };
        prop_assert_eq!(Xgid::parse(&id.to_string()).unwrap(), id);
        prop_assert_eq!(parse_id(&format!("  at xgid={} here", &id.to_string()[5..])).unwrap(), state);
    }

    #[test]
    fn gnubg_ids_read_back(mut state in any_state()) {
        // A match ID cannot express beavers.
        state.rules.beavers = false;
        prop_assert_eq!(parse_id(&gnubg_id::full_id(&state).unwrap()).unwrap(), state);
        let board = gnubg_id::parse_position(&position_id(&state.position)).unwrap();
        prop_assert_eq!(board, state.position);
    }

    #[test]
    fn no_text_makes_it_panic(text in "\\PC{0,60}", ids in "[A-Za-z0-9+/]{14}(:[A-Za-z0-9+/]{12})?") {
        let _ = parse_id(&text);
        let _ = parse_id(&ids);
        let _ = parse_id(&format!("XGID={text}"));
        let _ = parse_play(&text, &Position::opening(), Roll::new(3, 1).unwrap());
    }
}

/// Some programs mark each game of a match to one point. If both players need one point, no rule prevents a
/// double.
#[test]
fn no_crawford_game_has_both_players_one_point_away() {
    for (score, is_crawford) in [("6:6:1:7", false), ("6:5:1:7", true), ("0:0:1:1", false)] {
        let id = format!("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:{score}:10");
        assert_eq!(parse_id(&id).unwrap().score.crawford, is_crawford, "{id}");
    }
}

#[test]
fn known_pairs_of_identifiers() {
    let opening = parse_id("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10").unwrap();
    assert_eq!(opening, GameState::money(Position::opening()));
    let with_jacoby = parse_id("4HPwATDgc/ABMA:cAkAAAAAAAAA").unwrap();
    assert_eq!(with_jacoby.position, Position::opening());
    assert!(with_jacoby.rules.jacoby, "an old match ID has Jacoby on");
    let a = parse_id("XGID=-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7:10").unwrap();
    assert_eq!(position_id(&a.position), "b9sBCIC5bYDQAA");
    let b = parse_id("b9sBCIC5bYDQAA:QYnoAGAAGAAE").unwrap();
    assert_eq!(a.position, b.position);
    assert_eq!((b.cube, b.owner), (2, CubeOwner::Opponent));
    assert_eq!(b.roll, Roll::new(2, 1));
    assert_eq!((b.score.length, b.score.mover, b.score.opponent), (7, 3, 6));
    assert_eq!(a, b);
}

/// GNU Backgammon 1.07's ID for an XGID, and its ID for a double by the player with 135 pips against 160.
#[test]
fn identifiers_of_gnu_backgammon() {
    let xgid = "XGID=-aAaBaDaB---bD-b-A-cA-b-b-:1:-1:-1:52:2:4:0:9:10";
    let mut expected = parse_id(xgid).unwrap();
    assert_eq!(parse_id("Ms/gIQIzDmOQJA:AYEqAUAAEAAE").unwrap(), expected);
    assert_eq!(parse_id("Ms/gIQIzDmOQJA:UYkqASAAIAAE").unwrap(), expected);
    let id = gnubg_id::full_id(&expected);
    assert_eq!(id.as_deref(), Some("Ms/gIQIzDmOQJA:UYkqASAAIAAE"));
    expected.score = MatchScore::MONEY;
    expected.rules.jacoby = true;
    let id = match_id(&expected).unwrap();
    assert_eq!(&id[11..], "A", "money with Jacoby");
    let offered = parse_id("Yw5yMCRy5sQDEA:MBmgAAAAAAAE").unwrap();
    assert!(offered.doubled);
    let pips = [&offered.position.mover, &offered.position.opponent].map(|side| side.pips());
    assert_eq!(pips, [160, 135]);
}

#[test]
fn an_offered_double_is_the_decision_of_the_answering_player() {
    // The bottom player, with 2 of 9 points, has doubled.
    let id = "XGID=-aAaBaDaB---bD-b-A-cA-b-b-:0:0:1:D:2:4:0:9:10";
    let state = parse_id(id).unwrap();
    assert!(state.doubled);
    assert_eq!((state.score.mover, state.score.opponent), (4, 2));
    assert_eq!(xgid_text(&state), id);
    let again = parse_id(&gnubg_id::full_id(&state).unwrap()).unwrap();
    assert_eq!(again, state);
}

/// The cube has four bits in a match ID, length and scores fifteen. Larger values have no ID, instead of the
/// ID of another state.
#[test]
fn states_too_large_for_a_match_id_have_none() {
    let mut state = GameState::money(Position::opening());
    state.owner = CubeOwner::Mover;
    for power in 0..=20 {
        state.cube = 1 << power;
        let read = gnubg_id::full_id(&state).map(|id| parse_id(&id).unwrap().cube);
        assert_eq!(read, (power < 16).then_some(state.cube), "{power}");
    }
    state.cube = 1;
    for points in [9998, 32_767, 32_768, 65_535] {
        state.score.mover = points;
        let read = gnubg_id::full_id(&state).map(|id| parse_id(&id).unwrap().score.mover);
        assert_eq!(read, (points < 32_768).then_some(points));
    }
}

#[test]
fn fields_at_the_end_may_be_missing() {
    let state = parse_id("-b----E-C---eE---c-e----B-:1:-1").unwrap();
    assert_eq!((state.cube, state.owner), (2, CubeOwner::Opponent));
    assert_eq!(state.position, Position::opening());
}

#[test]
fn a_wrong_position_is_refused_at_its_character() {
    let column = |id: &str| {
        let error = parse_id(id).expect_err(id);
        (error.column(), error.to_string())
    };
    let board = |text: &str| column(&format!("XGID={text}:0:0:1:00:0:0:0:0:10"));
    // The sixteenth checker is on the bar.
    assert_eq!(board("-b----E-C---eE---c-e----BA").0, Some(31));
    assert_eq!(board("-b----E-C---eE---c-e----B").0, Some(31));
    assert_eq!(board("-b----E-C---eE---c-e----B--").0, Some(32));
    assert_eq!(board("Ab----E-B---eE---c-e----B-").0, Some(6));
    assert_eq!(board("-b----E-B---eE---c-e----B?").0, Some(31));
    assert!(matches!(
        parse_id("XGID=--------------------------:0:0:1:00:0:0:0:0:10"),
        Err(IdError::Impossible(_))
    ));
    let rest = |text: &str| column(&format!("XGID=-b----E-C---eE---c-e----B-:{text}"));
    assert_eq!(rest("x:0:1:00:0:0:0:0:10").0, Some(33));
    assert_eq!(rest("0:2:1:00:0:0:0:0:10").0, Some(35));
    assert_eq!(rest("0:0:0:00:0:0:0:0:10").0, Some(37));
    let (at, message) = rest("0:0:1:07:0:0:0:0:10");
    assert_eq!(at, Some(39));
    assert!(message.contains("'07'"), "{message}");
    assert_eq!(rest("0:0:1:00:7:0:0:7:10").0, Some(42));
    assert_eq!(rest("0:0:1:00:0:0:1:7:10").0, Some(46));
    assert_eq!(rest("0:0:1:00:0:0:0:0:10:5").0, Some(53));
    // GNUBG: a bad character, too short, sixteen checkers, both sides on one point.
    assert_eq!(column("4HPwATDgc/AB!A").0, Some(13));
    assert_eq!(column("4HPwATDgc/ABM").0, Some(14));
    assert_eq!(column("4HPwATDgc/ABMAA").0, Some(15));
    assert_eq!(column("//8AAAAAAAAAAA").0, Some(2));
    assert_eq!(column("4HPwATDgc/ABMA:cAkAAAAAAAA").0, Some(27));
    assert_eq!(column("cAkAAAAAAAAA").0, Some(13));
    let one_point = "AQAAAAAAAEAAAA";
    assert!(parse_id(one_point).is_err(), "{one_point}");
    for nothing in ["", "   ", "\u{1b}[2J", "a match file.mat", "XGID="] {
        let error = parse_id(nothing).expect_err(nothing);
        assert!(!error.to_string().contains('\u{1b}'));
    }
}

#[test]
fn dice_of_a_match_id_are_checked() {
    // The opening with dice 7 and 0.
    let error = parse_id("4HPwATDgc/ABMA:cIkDAAAAAAAA").expect_err("dice 70");
    assert_eq!(error.column(), Some(17));
    assert!(error.to_string().contains("dice 70"), "{error}");
}

mod plays {
    use super::*;

    fn roll(text: &str) -> Roll {
        text.parse().unwrap()
    }

    fn canonical(position: &Position, dice: &str, text: &str) -> String {
        let play = parse_play(text, position, roll(dice)).expect(text);
        play_text(position, &play)
    }

    /// An identifier may be followed by any punctuation or markup.
    #[test]
    fn text_after_an_identifier_is_no_part_of_it() {
        for id in [
            "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10",
            "OGID=11jjjjjhhhccccc:ooddddd88866666:N0N:31:B",
        ] {
            let alone = parse_id(id).unwrap();
            for behind in [
                ":", ".", "!", "?!", "}", ">", "`", "**", "\u{201d}", "\u{3002}", "</p>", "&a=b",
            ] {
                let text = format!("Look: {id}{behind} And more");
                assert_eq!(parse_id(&text).as_ref(), Ok(&alone), "{text}");
            }
        }
        // Errors inside the identifier are still reported.
        for wrong in [
            ":0:0:1:31*:3:4:0:7:10",
            ":0:0:1:31:3:4:0_:7:10",
            ":0:0:1:31=",
        ] {
            let id = format!("XGID=-b----E-C---eE---c-e----B-{wrong}");
            assert!(parse_id(&id).is_err(), "{id}");
        }
        assert!(parse_id("XGID=-b--?-E-C---eE---c-e----B-:0:0:1:31").is_err());
    }

    #[test]
    fn every_usual_notation_is_read() {
        let p = Position::opening();
        for (dice, text, expected) in [
            ("31", "8/5 6/5", "8/5 6/5"),
            ("31", "6/5, 8/5", "8/5 6/5"),
            ("31", "6-5 8-5", "8/5 6/5"),
            ("31", " 8 / 5* 6/5 ", "8/5 6/5"),
            ("64", "24/14", "24/14"),
            ("64", "24/18/14", "24/14"),
            ("64", "24/20 20/14", "24/14"),
            ("64", "24/20/14", "24/14"),
            ("66", "24/18(2) 13/7(2)", "24/18(2) 13/7(2)"),
            ("66", "13/7 24/18 13/7 24/18", "24/18(2) 13/7(2)"),
            ("44", "24/16(2)", "24/16(2)"),
            ("44", "24/20/16(2)", "24/16(2)"),
            ("44", "24/20(2) 20/16(2)", "24/16(2)"),
            ("55", "13/3 13/8(2)", "13/8(2) 13/3"),
            ("31", "8/5 6/5 0/0", "8/5 6/5"),
            ("31", "85 65", "8/5 6/5"),
            ("31", "8 5 6 5", "8/5 6/5"),
            ("43", "2420 1310", "24/20 13/10"),
            ("43", "24 20, 13 10", "24/20 13/10"),
            ("61", "137 87", "13/7 8/7"),
        ] {
            assert_eq!(canonical(&p, dice, text), expected, "{dice}: {text}");
        }
    }

    #[test]
    fn bar_off_hits_and_dances() {
        let p =
            Position::from_points(&[(25, 1), (6, 2), (5, 2)], &[(3, 1), (1, 2), (7, 2)]).unwrap();
        // The opponent's blot is on our 22 point.
        assert_eq!(canonical(&p, "31", "Bar/22 6/5"), "bar/22* 6/5");
        assert_eq!(canonical(&p, "31", "25/22*, 6/5"), "bar/22* 6/5");
        // If digits can be read in two ways, the legal one counts.
        let far = Position::from_points(&[(21, 1), (6, 2)], &[(24, 2)]).unwrap();
        assert_eq!(canonical(&far, "65", "21 10"), "21/10");
        let race = Position::from_points(&[(6, 2), (5, 2)], &[(1, 2)]).unwrap();
        assert_eq!(canonical(&race, "65", "6/Off 5/OFF"), "6/off 5/off");
        assert_eq!(
            canonical(&race, "66", "6/0(2) 5/0(2)*"),
            "6/off(2) 5/off(2)"
        );
        assert_eq!(canonical(&race, "65", "60 50"), "6/off 5/off");
        assert_eq!(canonical(&p, "31", "2522 65"), "bar/22* 6/5");
        let closed = [(1, 2), (2, 2), (3, 2), (4, 2), (5, 2), (6, 2)];
        let shut = Position::from_points(&[(25, 1), (6, 3)], &closed).unwrap();
        for dance in ["", "Cannot Move", NO_PLAY, "no move", "dance"] {
            assert_eq!(canonical(&shut, "65", dance), NO_PLAY, "{dance}");
        }
        assert!(parse_play("bar/20", &shut, roll("65")).is_err());
        assert!(parse_play(NO_PLAY, &race, roll("65")).is_err());
    }

    /// A running checker has a blot on each of its ways: the notation of hits decides.
    #[test]
    fn hits_on_the_way() {
        // Ours: 13. Theirs: blots on our 10 (their 15) and our 11 (their 14).
        let p = Position::from_points(&[(13, 1), (6, 5)], &[(15, 1), (14, 1), (24, 2)]).unwrap();
        assert_eq!(canonical(&p, "32", "13/10*/8"), "13/10*/8");
        assert_eq!(canonical(&p, "32", "13/11*/8"), "13/11*/8");
        assert_eq!(canonical(&p, "32", "13/10 10/8"), "13/10*/8");
        let q = Position::from_points(&[(13, 1), (6, 5)], &[(15, 1), (24, 2)]).unwrap();
        assert_eq!(canonical(&q, "32", "13/8"), "13/8");
        assert_eq!(canonical(&q, "32", "13/8*"), "13/10*/8");
        let list = PlayList::of(&p, roll("32"));
        let both = WrittenPlay::parse("13/8").unwrap();
        let resolved = both.resolve(&p, roll("32"), &list).unwrap();
        assert!(!resolved.certain, "one of the two blots must be hit");
        assert_eq!(resolved.others.len(), 1);
    }

    #[test]
    fn a_wrong_play_is_refused_with_its_reason() {
        let p = Position::opening();
        let message = |dice: &str, text: &str| {
            parse_play(text, &p, roll(dice))
                .expect_err(text)
                .to_string()
        };
        assert!(message("31", "8/5 6/x").starts_with("character 7: found 'x'"));
        assert!(message("31", "8/5 6").starts_with("character 6: found the end"));
        assert!(message("31", "5/8").starts_with("character 3: found '8'"));
        assert!(message("31", "8/5(9)").starts_with("character 5"));
        assert!(message("31", "26/25").starts_with("character 1"));
        assert!(message("31", "24/22").contains("not a legal way to play 3-1"));
        assert!(message("31", "24/22").contains("3-1 allows"));
        assert!(message("31", "8/5").contains("both dice can be played"));
        assert!(message("51", "13/12 6/1").contains("not legal: point 12 is held by the opponent"));
        assert!(message("31", "9/5").contains("no checker on point 9"));
        // A player who cannot enter plays nothing, whatever the written start.
        let shut = Position::from_points(&[(25, 1), (6, 2)], &[(1, 2), (3, 2)]).unwrap();
        for text in ["24/21 6/5", "6/5 6/3"] {
            let why = parse_play(text, &shut, roll("31")).unwrap_err().to_string();
            assert!(why.contains("no checker can enter from the bar"), "{why}");
        }
        assert!(message("31", "8/5 8/5 6/5").contains("moves 7 pips"));
        assert!(message("31", "").contains("3-1 can be played"));
        assert!(message("31", &"8/5 ".repeat(40)).contains("no more than four"));
        assert!(message("31", "8/5 \u{1b}6/5").starts_with("character 5"));
        assert!(!message("31", "8/5 \u{1b}6/5").contains('\u{1b}'));
    }

    /// A damaged file may contain a play as long as the file; parsing it must not take long.
    #[test]
    fn a_million_digits_are_no_play() {
        let digits = "9".repeat(1_000_000);
        assert!(WrittenPlay::of_digits(&digits).is_none());
        assert!(parse_play(&digits, &Position::opening(), roll("31")).is_err());
        assert!(WrittenPlay::of_digits(&"85 ".repeat(1_000_000)).is_none());
    }
}
