//! Tests that read diagrams back and compare them with the board.

use super::*;
use crate::game::GameState;
use crate::game::position::{BAR, OFF};
use crate::game::{Play, PlayList, Position, Roll, Side, Step};
use tiny_skia::Pixmap;

/// Positions of random games.
fn positions(count: usize) -> Vec<Position> {
    let mut state = 5u64;
    let mut below = |n: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    let mut position = Position::opening();
    let mut found = Vec::new();
    while found.len() < count {
        found.push(position);
        let plays = PlayList::of(&position, Roll::ordered(below(36)));
        position = plays.results()[below(plays.len())];
        if position.is_over() {
            position = Position::opening();
        }
    }
    found
}

/// Reads the checkers of one side from the groups of an SVG.
fn read(svg: &str, side: &str) -> [u8; 26] {
    let mut counts = [0u8; 26];
    let checker = format!("<circle class=\"checker {side}\"");
    for group in svg.split("<g class=\"stack\" data-place=\"").skip(1) {
        let (place, rest) = group.split_once('"').unwrap();
        let inside = rest.split_once("</g>").unwrap().0;
        let count = inside.matches(&checker).count();
        counts[place.parse::<usize>().unwrap()] += u8::try_from(count).unwrap();
    }
    let off = format!("<rect class=\"off {side}\"");
    counts[OFF] = u8::try_from(svg.matches(&off).count()).unwrap();
    counts
}

fn counts(side: &Side) -> [u8; 26] {
    std::array::from_fn(|place| side.at(place))
}

#[test]
fn checkers_of_a_thousand_positions_are_those_of_the_file() {
    for (i, position) in positions(1000).into_iter().enumerate() {
        let diagram = Diagram {
            mirrored: i % 2 == 1,
            ..Diagram::new(GameState::money(position))
        };
        for svg in [diagram.svg(&Colours::default()), diagram.svg_element("x")] {
            assert_eq!(read(&svg, "left"), counts(&position.mover), "{svg}");
            assert_eq!(read(&svg, "right"), counts(&position.opponent));
            roxmltree::Document::parse(&svg).unwrap();
        }
    }
}

/// The file contains the position that it shows.
#[test]
fn a_file_has_the_xgid_of_its_position() {
    let mut state = GameState::money(Position::opening());
    state.roll = Roll::new(3, 1);
    for state in [state, state.before_roll().offered()] {
        let diagram = Diagram::new(state);
        let xgid = crate::notation::xgid_text(&state);
        let svg = diagram.svg(&Colours::default());
        let description = format!("</title><desc>Backgammon position {xgid}</desc>\n");
        assert!(svg.contains(&description), "{svg}");
        assert_eq!(crate::notation::parse_id(&svg), Ok(state));
        // A page that contains the element also contains the position.
        assert!(!diagram.svg_element("x").contains("XGID"));
        let png = diagram.png(&Colours::default(), 100).unwrap();
        let text = [&b"tEXtXGID\0"[..], xgid.as_bytes()].concat();
        let at = png.windows(text.len()).position(|part| part == text);
        let at = at.unwrap();
        let length = u32::try_from(text.len() - 4).unwrap();
        assert_eq!(png[at - 4..at], length.to_be_bytes());
        let end = at + text.len();
        let crc = crc32fast::hash(&text).to_be_bytes();
        assert_eq!(png[end..end + 4], crc);
        // The next chunk follows, and a reader skips the text.
        assert!(png[end + 8..].starts_with(b"IDAT"));
        assert_eq!(Pixmap::decode_png(&png).unwrap().width(), 100);
    }
}

/// A visible XGID is below all other parts, within the picture, and complete.
#[test]
fn the_identifier_stands_below_the_board() {
    let mut state = GameState::money(Position::opening());
    state.roll = Roll::new(6, 5);
    let plain = Diagram::new(state);
    let named = Diagram {
        identified: true,
        ..plain
    };
    let heights = [&plain, &named].map(|diagram| {
        let png = diagram.png(&Colours::default(), 612).unwrap();
        Pixmap::decode_png(&png).unwrap().height()
    });
    assert_eq!(heights, [560, 584]);
    let [without, with] = [&plain, &named].map(|diagram| {
        Pixmap::decode_png(&diagram.png(&Colours::default(), 612).unwrap()).unwrap()
    });
    let is_drawn = |x: u32| (561..584).any(|y| with.pixel(x, y) != with.pixel(0, 583));
    let inked: Vec<u32> = (0..612).filter(|x| is_drawn(*x)).collect();
    let (first, last) = (inked[0], inked[inked.len() - 1]);
    assert!(
        first > 40 && last < 572 && last - first > 300,
        "{first} {last}"
    );
    for y in 0..560 {
        assert!(
            (0..612).all(|x| with.pixel(x, y) == without.pixel(x, y)),
            "{y}"
        );
    }
    let xgid = crate::notation::xgid_text(&state);
    for letter in xgid.chars().filter(|letter| *letter != ' ') {
        let strokes = lettering::line(&letter.to_string(), lettering::Held::Left, (0.0, 0.0), 9.0);
        assert!(!strokes.is_empty(), "{letter}");
    }
}

/// Returns the colour at a place of the drawing.
fn pixel(canvas: &Pixmap, (x, y): (f32, f32)) -> Rgb {
    let scale = canvas.width() as f32 / layout::WIDTH;
    let pixel = canvas.pixel((x * scale) as u32, (y * scale) as u32);
    let colour = pixel.unwrap().demultiply();
    Rgb(colour.red(), colour.green(), colour.blue())
}

#[test]
fn a_png_shows_each_checker_and_nothing_where_none_is() {
    let colours = Colours::default();
    for (i, position) in positions(40).into_iter().enumerate() {
        let diagram = Diagram {
            mirrored: i % 2 == 1,
            ..Diagram::new(GameState::money(position))
        };
        let png = diagram.png(&colours, 620).unwrap();
        let canvas = Pixmap::decode_png(&png).unwrap();
        let lies = layout::Layout {
            mirrored: diagram.mirrored,
        };
        for (side, below, own) in [(&position.mover, true, 0), (&position.opponent, false, 1)] {
            for place in 1..=BAR {
                let (count, stack) = (side.at(place), lies.stack(place, below));
                for checker in 0..count {
                    let (x, y) = stack.checker(checker, count);
                    let beside = (x + 0.84 * layout::RADIUS, y);
                    assert_eq!(pixel(&canvas, beside), colours.checkers[own], "{place}");
                }
                let other = if below {
                    &position.opponent
                } else {
                    &position.mover
                };
                if count == 0 && place < BAR && other.at(BAR - place) == 0 {
                    let ground = pixel(&canvas, stack.checker(0, 1));
                    assert!(colours.points.contains(&ground), "{place}");
                }
            }
        }
    }
}

#[test]
fn a_picture_has_the_width_that_is_asked_for() {
    let diagram = Diagram::new(GameState::money(Position::opening()));
    let png = diagram.png(&Colours::default(), 390).unwrap();
    let canvas = Pixmap::decode_png(&png).unwrap();
    assert_eq!(canvas.width(), 390);
    for width in [0, 15, 8193, u32::MAX] {
        let refused = diagram.png(&Colours::default(), width);
        assert_eq!(refused, Err(PngError::Width(width)));
    }
}

#[test]
fn a_play_has_an_arrow_for_each_checker_and_a_cross_for_each_hit() {
    let position = Position::from_points(&[(13, 2), (6, 13)], &[(16, 1), (24, 14)]).unwrap();
    // 13/9* by one checker, 13/10 by another: the opponent's 16 is our 9.
    let play = Play::new(&[Step { from: 13, to: 9 }, Step { from: 13, to: 10 }]);
    let count = |play: &Play| {
        let diagram = Diagram {
            play: Some(*play),
            ..Diagram::new(GameState::money(position))
        };
        let svg = diagram.svg(&Colours::default());
        ["arrow\"", "arrow-head\"", "landing left\"", "hit\""]
            .map(|class| svg.matches(&format!("class=\"{class}")).count())
    };
    assert_eq!(count(&play), [2, 2, 2, 1]);
    // Two steps of one checker are one arrow, with a hit on the way.
    let through = Play::new(&[Step { from: 13, to: 9 }, Step { from: 9, to: 6 }]);
    assert_eq!(count(&through), [1, 1, 1, 1]);
    let off = Play::new(&[Step {
        from: 6,
        to: OFF as u8,
    }]);
    assert_eq!(count(&off), [1, 1, 0, 0]);
}

#[test]
fn dice_cube_and_score_are_drawn() {
    let mut state = GameState::money(Position::opening());
    let has = |state: &GameState, class: &str| {
        let svg = Diagram::new(*state).svg(&Colours::default());
        svg.matches(&format!("class=\"{class}\"")).count()
    };
    assert_eq!(has(&state, "die left"), 0);
    state.roll = Roll::new(6, 5);
    assert_eq!(has(&state, "die left"), 2);
    assert_eq!(has(&state, "spot left"), 11);
    assert_eq!(has(&state, "cube"), 1);
    assert_eq!(has(&state, "on-roll"), 1);
    assert_eq!(has(&state, "number"), 24);
}

/// The owned cube leaves room in the tray for the checkers that a play bears off, so that no arrow ends on
/// it.
#[test]
fn the_own_cube_lies_beyond_the_checkers_on_their_way_off() {
    let position = Position::from_points(&[(3, 2), (2, 3), (1, 2)], &[(2, 6)]).unwrap();
    let mut state = GameState::money(position);
    (state.cube, state.owner) = (2, crate::game::CubeOwner::Mover);
    state.roll = Roll::new(6, 6);
    let off = |from| Step {
        from,
        to: OFF as u8,
    };
    let play = Play::new(&[off(3), off(3), off(2), off(2)]);
    let diagram = |play| Diagram {
        play,
        ..Diagram::new(state)
    };
    let lower_edge = |diagram: &Diagram| {
        let svg = diagram.svg(&Colours::default());
        let (_, cube) = svg.split_once("class=\"cube\"").unwrap();
        let (_, y) = cube.split_once(" y=\"").unwrap();
        let y: f32 = y.split_once('"').unwrap().0.parse().unwrap();
        y + layout::DIE
    };
    let layout = layout::Layout { mirrored: false };
    let top = |nth: u8| layout.off(nth, true)[1];
    let before = position.mover.off();
    assert!(lower_edge(&diagram(None)) <= top(before - 1));
    assert!(lower_edge(&diagram(Some(play))) <= top(before + 3));
    // All fifteen checkers and the cube fit into the owner's half.
    assert!(top(14) - layout::DIE > layout::MIDDLE);
}

#[test]
fn a_double_that_waits_is_in_the_words_and_the_doubler_is_on_roll() {
    let svg = |state: GameState| Diagram::new(state).svg(&Colours::default());
    let mark = |svg: &str| {
        let (_, mark) = svg.split_once("class=\"on-roll\"").unwrap();
        mark.split_once("/>").unwrap().0.to_owned()
    };
    let state = GameState::money(Position::opening());
    let (before, offered) = (svg(state), svg(state.offered()));
    assert!(before.contains("pips 167 on roll, 167 opponent<"));
    assert!(offered.contains("pips 167 to answer, 167 opponent, doubled to 2<"));
    assert_ne!(mark(&before), mark(&offered));
}

/// Pictures without unnecessary parts: no cube where none is used, pips on request, and one word for money.
#[test]
fn a_picture_has_no_unnecessary_parts() {
    let parts = |diagram: &Diagram, part: &str| {
        let svg = diagram.svg(&Colours::default());
        svg.matches(&format!("class=\"{part}\"")).count()
    };
    let money = Diagram::new(GameState::money(Position::opening()));
    let notes = parts(&money, "note");
    assert_eq!(notes, 3, "two of pips, and one of money");
    let silent = Diagram {
        pips: false,
        ..money
    };
    assert_eq!(parts(&silent, "note"), 1);
    let tells = |diagram: &Diagram| diagram.svg(&Colours::default()).contains("167 on roll");
    assert_eq!([tells(&money), tells(&silent)], [true, false]);
    assert_eq!(parts(&money, "cube"), 1);
    for (score, crawford, cubes) in [([6, 0], true, 0), ([6, 0], false, 1), ([6, 6], false, 0)] {
        let mut at_score = money;
        at_score.state.score = crate::game::MatchScore {
            length: 7,
            mover: score[0],
            opponent: score[1],
            crawford,
        };
        assert_eq!(parts(&at_score, "cube"), cubes, "{score:?} {crawford}");
    }
    let printed = money.svg(&Colours::printed());
    for colour in printed.split("fill=\"#").skip(1) {
        assert_eq!(
            (&colour[..2], &colour[2..4]),
            (&colour[2..4], &colour[4..6])
        );
    }
}
