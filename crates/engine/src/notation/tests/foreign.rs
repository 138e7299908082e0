//! Tests of OGIDs, FIBS boards, and positions inside other text.

use proptest::prelude::*;

use super::any_state;
use crate::game::{CubeOwner, MatchScore, Position, Roll, Rules};
use crate::notation::*;

/// Returns an OGID of a state in which White or Black decides.
fn ogid_text(state: &GameState, is_white: bool) -> String {
    let white = if is_white { *state } else { state.flipped() };
    let code = |place: usize| char::from(b"0123456789abcdefghijklmnopqrstuvwxyz"[place]);
    let mut whites = String::new();
    let mut blacks = String::new();
    for place in 0..=25 {
        if place < 25 {
            let n = white.position.mover.at(25 - place);
            whites.extend(std::iter::repeat_n(code(place), usize::from(n)));
        }
        if place > 0 {
            let n = white.position.opponent.at(place);
            blacks.extend(std::iter::repeat_n(code(place), usize::from(n)));
        }
    }
    let owner = match white.owner {
        CubeOwner::Centred => 'N',
        CubeOwner::Mover => 'W',
        CubeOwner::Opponent => 'B',
    };
    let action = if state.doubled { 'O' } else { 'N' };
    let dice = state.roll.map_or(String::new(), |roll| roll.to_string());
    // The opponent has reached the position, or has doubled.
    let colour = if is_white { 'B' } else { 'W' };
    let MatchScore {
        length,
        mover,
        opponent,
        crawford,
    } = white.score;
    let rule = if crawford { "C" } else { "" };
    let cube = white.cube.ilog2();
    format!(
        "{whites}:{blacks}:{owner}{cube}{action}:{dice}:{colour}:X:{mover}:{opponent}:{length}{rule}:3"
    )
}

/// Returns the FIBS line of a state; `you`: whether you or your opponent decides.
fn fibs_text(state: &GameState, you: bool, colour: i32, direction: i32) -> String {
    let mine = if you { *state } else { state.flipped() };
    let place = |own: usize, down: bool| if down { own } else { 25 - own };
    let mut board = [0i32; 26];
    for own in 1..=25 {
        let down = direction == -1;
        board[place(own, down)] += colour * i32::from(mine.position.mover.at(own));
        board[place(own, !down)] -= colour * i32::from(mine.position.opponent.at(own));
    }
    let board: Vec<String> = board.iter().map(i32::to_string).collect();
    let dice = state.roll.map_or((0, 0), |roll| (roll.high(), roll.low()));
    let dice = match you {
        true => format!("{}:{}:0:0", dice.0, dice.1),
        false => format!("0:0:{}:{}", dice.0, dice.1),
    };
    let may = match mine.owner {
        CubeOwner::Centred => "1:1",
        CubeOwner::Mover => "1:0",
        CubeOwner::Opponent => "0:1",
    };
    let length = if mine.score.length == 0 {
        9999
    } else {
        mine.score.length
    };
    let turn = if you { colour } else { -colour };
    let crawford = if mine.score.crawford { "0:0" } else { "1:1" };
    format!(
        "board:You:someone:{length}:{}:{}:{}:{turn}:{dice}:{}:{may}:{}:{colour}:{direction}:0:25:0:0:0:0:0:0:{crawford}",
        mine.score.mover,
        mine.score.opponent,
        board.join(":"),
        mine.cube,
        u8::from(state.doubled),
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn ogids_read_back(mut state in any_state(), white in any::<bool>()) {
        // An OGID cannot express these rules and larger cubes.
        state.rules = Rules::default();
        state.cube = 1 << (state.cube.ilog2() % 10);
        let text = ogid_text(&state, white);
        prop_assert_eq!(parse_id(&text).unwrap(), state, "{}", text);
        prop_assert_eq!(parse_id(&format!("see\nogid={text} here")).unwrap(), state);
        let own = ogid::ogid_text(&state).unwrap();
        prop_assert_eq!(parse_id(&own).unwrap(), state, "{}", own);
        state.cube = 2 * ogid::LARGEST_CUBE;
        prop_assert_eq!(ogid::ogid_text(&state), None);
    }

    #[test]
    fn boards_of_fibs_read_back(mut state in any_state(), you in any::<bool>(), minus in any::<bool>(), up in any::<bool>()) {
        state.rules = Rules::default();
        // Only you can have to answer a double; a cube of 1 is centred.
        let you = you || state.doubled;
        if state.cube == 1 {
            state.owner = CubeOwner::Centred;
        }
        state.score.crawford &= state.cube == 1 && !state.doubled;
        let text = fibs_text(&state, you, if minus { -1 } else { 1 }, if up { 1 } else { -1 });
        prop_assert_eq!(parse_id(&text).unwrap(), state, "{}", text);
        prop_assert_eq!(parse_id(&format!("> {text}\n> and so on")).unwrap(), state);
    }

    #[test]
    fn no_line_makes_them_panic(
        board in "(board:)?a:b(:-?[0-9]{1,11}){0,60}",
        ogid in "(OGID=)?[0-9a-q]{0,16}:[0-9a-q]{0,16}:[NWBD?X][0-9][OTPN](:[0-9WBICLG]{0,4}){0,11}",
        words in "(\\PC{0,16}[ \n]){0,9}",
    ) {
        for text in [&board, &ogid, &words] {
            let _ = parse_id(text);
            let _ = looks_like_id(text);
        }
    }
}

#[test]
fn the_opening_as_an_ogid() {
    let opening = "11jjjjjhhhccccc:ooddddd88866666:N0N::W:IW:0:0:1:0";
    let state = parse_id(opening).unwrap();
    assert_eq!(state.position, Position::opening());
    assert_eq!((state.score.length, state.roll), (1, None));
    // White has reached the position, so Black plays.
    let text = "11ccccchhhjjjjj:66666888dddddoo:W1N:31:W:R:2:4:7";
    let state = parse_id(text).unwrap();
    assert_eq!((state.score.mover, state.score.opponent), (4, 2));
    assert_eq!((state.cube, state.owner), (2, CubeOwner::Opponent));
    assert_eq!(state.roll, Roll::new(3, 1));
    let three = parse_id("11ccccchhhjjjjj:66666888dddddoo:N0N").unwrap();
    assert_eq!(three, GameState::money(Position::opening()));
}

/// The example in FIBS's documentation: you move down and have rolled 62, at 0-1 to three points.
#[test]
fn the_example_of_fibs() {
    let text = "board:You:someplayer:3:0:1:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0";
    let state = parse_id(text).unwrap();
    assert_eq!(state.position, Position::opening());
    assert_eq!(state.roll, Roll::new(6, 2));
    let MatchScore {
        length,
        mover,
        opponent,
        crawford,
    } = state.score;
    assert_eq!((length, mover, opponent, crawford), (3, 0, 1, false));
}

#[test]
fn an_error_names_the_wrong_character() {
    let column = |id: &str| {
        let error = parse_id(id).expect_err(id);
        (error.column(), error.to_string())
    };
    assert_eq!(column("11ccccchhhjjjjj:66666888dddddoop:N0N").0, Some(32));
    assert_eq!(
        column("OGID=11ccccchhhjjjjj:66666888ddddd0o:N0N").0,
        Some(35)
    );
    assert_eq!(column("11ccccchhhjjjjj:66666888dddddoo:N0P").0, Some(33));
    assert_eq!(column("11ccccchhhjjjjj:66666888dddddoo:N0N:71").0, Some(37));
    assert_eq!(column("11ccccchhhjjjjj:66666888dddddoo:N0N::G").0, Some(38));
    assert_eq!(
        column("11ccccchhhjjjjj:66666888dddddoo:N0N::W::0:0:5C").0,
        Some(45)
    );
    assert_eq!(
        column("11ccccchhhjjjjj:66666888dddddoo:N0N::W::5:0:5").0,
        Some(41)
    );
    assert_eq!(column("OGID=").0, Some(6));
    let board = "board:You:him:3:0:1:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:";
    let n = board.len();
    let (at, message) = column(&format!("{board}0:6:2:0:0:1:1:1:0:1:-1:0:25"));
    assert_eq!(at, Some(n + 1));
    assert!(message.contains("the game is over"), "{message}");
    assert_eq!(
        column(&format!("{board}1:6:7:0:0:1:1:1:0:1:-1:0:25")).0,
        Some(n + 5)
    );
    assert_eq!(
        column(&format!("{board}1:6:0:0:0:1:1:1:0:1:-1:0:25")).0,
        Some(n + 3)
    );
    assert_eq!(
        column(&format!("{board}1:6:2:0:0:3:1:1:0:1:-1:0:25")).0,
        Some(n + 11)
    );
    assert!(column("board:You:him:3:0:1:0").1.contains("after 6 of 52"));
}

#[test]
fn positions_in_posts_in_any_language() {
    let xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4:0:7:10";
    let block = format!(
        "{xgid}\n\nX:Änne   O:Бен\nPunktzahl ist  X:2 O:4 7 Pkt (e) match.\n +13-14-15-16-17-18-\n"
    );
    let state = parse_id(xgid).unwrap();
    assert_eq!(parse_id(&block).unwrap(), state);
    let gnubg = " GNU Backgammon  Positions-ID: 4HPwATDgc/ABMA\n                 Match-ID   : cIkWAAAAAAAA\n +12-11-10--9";
    let both = parse_id("4HPwATDgc/ABMA:cIkWAAAAAAAA").unwrap();
    assert_ne!(both, GameState::money(Position::opening()));
    assert_eq!(parse_id(gnubg).unwrap(), both);
    assert_eq!(
        parse_id("Position-ID: 4HPwATDgc/ABMA Match-ID: cIkWAAAAAAAA").unwrap(),
        both
    );
    assert_eq!(
        parse_id("what about (4HPwATDgc/ABMA:cIkWAAAAAAAA)?").unwrap(),
        both
    );
    assert_eq!(
        parse_id("regarde 4HPwATDgc/ABMA, alors").unwrap(),
        GameState::money(Position::opening())
    );
    assert!(parse_id("no position among these Representative words").is_err());
}

#[test]
fn ids_are_distinguished_from_paths() {
    for id in [
        "4HPwATDgc/ABMA",
        "4HPwATDgc/ABMA:cIkWAAAAAAAA",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10",
        "11ccccchhhjjjjj:66666888dddddoo:N0N",
        "see 4HPwATDgc/ABMA",
    ] {
        assert!(looks_like_id(id), "{id}");
    }
    for path in [
        "match.mat",
        "a/b.sgf",
        "/tmp/x",
        "sample_matches/one.mat",
        "my match.mat",
        "",
    ] {
        assert!(!looks_like_id(path), "{path}");
    }
}

/// Draws the board in eXtreme Gammon's form, for the player on roll.
fn drawn(state: &GameState) -> String {
    let position = &state.position;
    let mut rows = vec![vec![' '; 41]; 11];
    let stack =
        |rows: &mut Vec<Vec<char>>, at: usize, edge: usize, down: bool, n: u8, sign: char| {
            for i in 0..usize::from(n.min(5)) {
                let row = if down { edge + i } else { edge - i };
                rows[row][at] = sign;
                if i == 4 && n > 5 {
                    for (k, c) in n.to_string().chars().enumerate() {
                        rows[row][at + k] = c;
                    }
                }
            }
        };
    for place in 0..12usize {
        let at = 3 * place + 1 + if place < 6 { 0 } else { 5 };
        for (edge, down, point) in [(0, true, 13 + place), (10, false, 12 - place)] {
            stack(&mut rows, at, edge, down, position.mover.at(point), 'X');
            stack(
                &mut rows,
                at,
                edge,
                down,
                position.opponent.at(25 - point),
                'O',
            );
        }
    }
    stack(&mut rows, 20, 4, false, position.mover.bar(), 'X');
    stack(&mut rows, 20, 6, true, position.opponent.bar(), 'O');
    for row in &mut rows {
        (row[18], row[22]) = ('|', '|');
    }
    rows[5][19..22].copy_from_slice(&['B', 'A', 'R']);
    let MatchScore {
        length,
        mover,
        opponent,
        crawford,
    } = state.score;
    let mut text = String::from("X:Änne   O:Бен\nOù en est-on?");
    if length == 0 {
        text += if state.rules.jacoby { ", Jacoby" } else { "" };
        text += if state.rules.beavers { " Beaver" } else { "" };
    }
    text += "\n +13-14-15-16-17-18------19-20-21-22-23-24-+\n";
    for row in rows {
        text += &format!(" |{}|\n", row.into_iter().collect::<String>());
    }
    text += " +12-11-10--9--8--7-------6--5--4--3--2--1-+\n";
    let score = match length {
        0 => "0-0".to_owned(),
        n => format!("{mover}-{opponent}/{n}"),
    };
    let crawford = if crawford { " Crawford" } else { "" };
    // Pip counts that look like the value of a cube.
    let pips = 1 << (position.mover.at(6) % 8);
    text += &format!("Course  X: {pips}  O: 167 X-O: {score}{crawford}\n");
    let owner = match state.owner {
        CubeOwner::Centred => "",
        CubeOwner::Mover => ", X possède",
        CubeOwner::Opponent => ", O possède",
    };
    text += &format!("Videau: {}{owner}\n", state.cube);
    match state.roll {
        Some(roll) => text + &format!("X à jouer {roll}\n\n    1. 3-plis  8/5 6/5  éq:+0,301\n"),
        None => text + "X on roll, cube action\n",
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn boards_of_xg_read_back(mut state in any_state()) {
        state.doubled = false;
        if state.score.length == 0 {
            state.score = MatchScore::MONEY;
        }
        let text = drawn(&state);
        prop_assert_eq!(parse_id(&text).unwrap(), state, "{}", text);
        prop_assert!(looks_like_id(&text));
    }

    #[test]
    fn no_drawing_makes_it_panic(
        state in any_state(),
        changes in proptest::collection::vec((0usize..900, any::<char>()), 0..9),
    ) {
        let mut chars: Vec<char> = drawn(&state).chars().collect();
        for (at, c) in changes {
            let at = at % chars.len();
            chars[at] = c;
        }
        let _ = parse_id(&chars.into_iter().collect::<String>());
    }
}

/// Two blocks in XG's form, each with and without its identifier.
#[test]
fn the_drawing_says_what_the_identifier_says() {
    let play = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4:0:7:10

X:Ann   O:Ben
Score is X:2 O:4 7 pt.(s) match.
 +13-14-15-16-17-18------19-20-21-22-23-24-+
 | X           O    |   | O              X |
 | X           O    |   | O              X |
 | X           O    |   | O                |
 | X                |   | O                |
 | X                |   | O                |
 |                  |BAR|                  |
 | O                |   | X                |
 | O                |   | X                |
 | O           X    |   | X                |
 | O           X    |   | X              O |
 | O           X    |   | X              O |
 +12-11-10--9--8--7-------6--5--4--3--2--1-+
Pip count  X: 167  O: 167 X-O: 2-4/7
Cube: 1
X to play 31
";
    let cube = "XGID=----CCD-BBA--a-abb-dcb----:0:0:1:00:0:0:3:0:10

X:Ann   O:Ben
Score is X:0 O:0. Unlimited Game, Jacoby Beaver
 +13-14-15-16-17-18------19-20-21-22-23-24-+
 | O     O  O  O    |   | O  O  O          |
 |          O  O    |   | O  O  O          |
 |                  |   | O  O             |
 |                  |   | O                |
 |                  |   |                  |
 |                  |BAR|                  |
 |                  |   |                  |
 |                  |   | X                |
 |                  |   | X  X  X          |
 |          X  X    |   | X  X  X          |
 |       X  X  X    |   | X  X  X          |
 +12-11-10--9--8--7-------6--5--4--3--2--1-+
Pip count  X: 95  O: 103 X-O: 0-0
Cube: 1
X on roll, cube action
";
    for block in [play, cube] {
        let (_, drawing) = block.split_once("\n\n").unwrap();
        assert_eq!(parse_id(drawing).unwrap(), parse_id(block).unwrap());
    }
    let crooked =
        play.split_once("\n\n")
            .unwrap()
            .1
            .replacen("| X           O", "| Z           O", 1);
    let error = parse_id(&crooked).expect_err("a Z");
    assert!(error.to_string().contains("found 'Z'"), "{error}");
    assert!(error.column().is_some());
}

/// Any drawn score is possible in a match or refused with its place.
#[test]
fn scores_of_drawings_are_checked() {
    let drawing = |score: &str| drawn(&GameState::money(Position::opening())).replace("0-0", score);
    assert!(drawing("3-5/7").contains("3-5/7"));
    assert_eq!(
        parse_id(&drawing("3-5/7")).unwrap().score.away(),
        Some((4, 2))
    );
    for wrong in [
        "65535-0/7",
        "0-65535/7",
        "99999-0/7",
        "7-0/7",
        "3-5/40000",
        "x-0/7",
    ] {
        let error = parse_id(&drawing(wrong)).unwrap_err().to_string();
        assert!(error.contains("score"), "{wrong}: {error}");
    }
}

proptest! {
    /// A board written for GNU Backgammon reads back.
    #[test]
    fn boards_for_gnubg_are_read_back(state in any_state()) {
        let asked = GameState { doubled: false, rules: Rules::default(), ..state };
        let text = gnubg_board_text(&asked);
        let values = text.split(':').count();
        prop_assert_eq!(values, 53);
        let read = parse_gnubg_board(&text).unwrap();
        // A cube of 1 has no owner.
        let owner = if asked.cube == 1 { CubeOwner::Centred } else { asked.owner };
        let crawford = asked.score.crawford && asked.cube == 1;
        let score = MatchScore { crawford, ..asked.score };
        prop_assert_eq!(read, GameState { owner, score, ..asked });
    }
}

/// Web pages and chats add invisible characters around words.
#[test]
fn invisible_characters_are_no_part_of_an_id() {
    let xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10";
    let state = parse_id(xgid).unwrap();
    for text in [
        format!("\u{feff}{xgid}"),
        format!("\u{200e}{xgid}\u{200b}"),
        xgid.replace("XGID=", "XGID=\u{200b}"),
        xgid.replace(":31:", ":3\u{2060}1:"),
    ] {
        assert!(looks_like_id(&text));
        assert_eq!(parse_id(&text).unwrap(), state);
    }
    assert_eq!(
        parse_id("\u{200b}4HPwATDgc/ABMA").unwrap().position,
        state.position
    );
}
