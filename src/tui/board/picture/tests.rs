//! Verifies pictures by reading their cells.

use ratatui::style::Color;

use super::*;
use crate::game::{Position, Side};
use crate::tui::board::glyphs::{Glyph, glyphs};
use crate::tui::theme::{Depth, Theme};

fn subject(scene: Scene, style: BoardStyle) -> Subject {
    Subject {
        scene,
        style,
        mirrored: false,
        roll: None,
        cube: Cube {
            value: 1,
            owner: None,
            crawford: false,
            action: None,
        },
        traces: Vec::new(),
        picked: Vec::new(),
        moving: Vec::new(),
        glyphs: GlyphSet::Quadrants,
    }
}

fn scene(before: Position) -> Scene {
    Scene {
        before,
        after: None,
        on_roll: Player::Left,
        bottom: Player::Left,
    }
}

/// All board sizes.
fn styles() -> Vec<BoardStyle> {
    let mut styles = vec![BoardStyle::SMALL];
    for wide in 3..=BoardStyle::WIDEST {
        for h in [15, 19, 31, 70] {
            let style = BoardStyle::largest(14 * wide + 5, h);
            if !styles.contains(&style) {
                styles.push(style);
            }
        }
    }
    styles
}

fn palettes() -> Vec<(String, Palette)> {
    let mut all = Vec::new();
    for theme in Theme::builtin() {
        for depth in [Depth::True, Depth::Indexed, Depth::Sixteen] {
            let name = format!("{} {depth:?}", theme.name);
            let palette = Palette::of(&theme.clone().at_depth(depth));
            all.extend(palette.map(|palette| (name, palette)));
        }
    }
    all
}

/// The most frequent colour of a cell.
fn colour(picture: &Picture, glyphs: &[Glyph], [x, y]: [f32; 2]) -> Color {
    let (x, row) = (x as usize, (y / 2.0) as usize);
    let cell = picture.cells[row * usize::from(picture.width) + x];
    let glyph = glyphs.iter().find(|glyph| glyph.sign == cell.sign);
    match (glyph, cell.fg) {
        (Some(glyph), Some(fg)) if glyph.mask.count_ones() > 32 => fg,
        _ => cell.bg,
    }
}

fn rgb_distance(a: Color, b: [u8; 3]) -> i32 {
    let a = crate::tui::theme::rgb(a);
    (0..3)
        .map(|i| (i32::from(a[i]) - i32::from(b[i])).pow(2))
        .sum()
}

/// Counts the checkers of each player that the points show, adding the numbers on stacks.
fn counted(picture: &Picture, subject: &Subject, palette: &Palette) -> [usize; 2] {
    let set = glyphs(subject.glyphs);
    let mut seen = [0, 0];
    for point in 1..=24 {
        let (top, place) = Scene::place(point, subject.mirrored);
        let column = subject.style.column(place, subject.mirrored);
        for slot in 0..SLOTS {
            let at = places::on_point(subject.style, column, top, slot);
            let here = colour(picture, &set, at);
            let near = |ink| rgb_distance(here, palette.tone(ink).rgb);
            let grounds = [Ink::Felt, Ink::PointA, Ink::PointB].map(near);
            let checkers = [Ink::Left, Ink::Right].map(near);
            let ground = grounds.into_iter().min().unwrap_or_default();
            for (count, checker) in seen.iter_mut().zip(checkers) {
                *count += usize::from(checker < ground && checker == checkers[0].min(checkers[1]));
            }
        }
    }
    let extra = |player| {
        let face = Ink::of(player).face;
        let numbers = picture.labels.iter().filter(|label| label.ground == face);
        let counts = numbers.filter_map(|label| label.text.parse::<usize>().ok());
        counts
            .map(|count| count - usize::from(SLOTS))
            .sum::<usize>()
    };
    [
        seen[0] + extra(Player::Left),
        seen[1] + extra(Player::Right),
    ]
}

fn on_points(side: &Side) -> usize {
    (1..=24).map(|point| usize::from(side.at(point))).sum()
}

#[test]
fn checkers_can_be_counted_at_every_size_in_every_theme() {
    let crowded = Position::from_points(&[(6, 9), (8, 1), (13, 5)], &[(1, 2), (20, 7), (24, 6)]);
    for position in [Position::opening(), crowded.unwrap()] {
        let expected = [&position.mover, &position.opponent].map(on_points);
        for style in styles() {
            let subject = subject(scene(position), style);
            for (name, palette) in palettes() {
                let picture = Picture::of(&subject, &palette, &mut Fitter::new(subject.glyphs));
                let seen = counted(&picture, &subject, &palette);
                assert_eq!(seen, expected, "{name} {style:?}");
            }
        }
    }
}

#[test]
fn finer_characters_show_the_same_checkers() {
    let position = Position::opening();
    let (_, palette) = palettes().remove(0);
    for set in [GlyphSet::Sextants, GlyphSet::Octants] {
        for style in styles() {
            let mut subject = subject(scene(position), style);
            subject.glyphs = set;
            let picture = Picture::of(&subject, &palette, &mut Fitter::new(set));
            assert_eq!(counted(&picture, &subject, &palette), [15, 15], "{style:?}");
        }
    }
}

/// Both sides are drawn alike: after swapping, each sample has the other's ink.
#[test]
fn both_players_have_the_same_shape() {
    let position = Position::from_points(&[(6, 3), (25, 1)], &[(6, 3), (25, 1)]).unwrap();
    let [left, right] = [Player::Left, Player::Right].map(|player| {
        let inks = Ink::of(player);
        [inks.face, inks.rim, inks.light, inks.text, inks.ghost]
    });
    let (_, palette) = palettes().remove(0);
    for style in styles() {
        let one = subject(scene(position), style);
        let mut other = one.clone();
        (other.scene.bottom, other.scene.on_roll) = (Player::Right, Player::Right);
        let [one, other] = [&one, &other].map(|subject| Drawing::of(subject, &palette).raster);
        for (x, y) in (0..style.height()).flat_map(|y| (0..style.width()).map(move |x| (x, y))) {
            for (a, b) in one.cell(x, y).iter().zip(other.cell(x, y)) {
                let swapped = left.iter().zip(right).find(|(l, _)| *l == a);
                let back = right.iter().zip(left).find(|(r, _)| *r == a);
                let expected = swapped.or(back).map_or(*a, |(_, other)| other);
                assert_eq!(expected, *b, "{style:?} at {x}, {y}");
            }
        }
    }
}

/// Every borne-off checker is distinguishable from the tray and the next one, in every theme and colour depth.
#[test]
fn checkers_borne_off_can_be_counted() {
    let position = Position::from_points(&[(6, 4)], &[(6, 4)]).unwrap();
    let style = BoardStyle::largest(14 * 8 + 5, 70);
    let subject = subject(scene(position), style);
    let set = glyphs(subject.glyphs);
    for (name, palette) in palettes() {
        let picture = Picture::of(&subject, &palette, &mut Fitter::new(subject.glyphs));
        let x = f32::from(style.tray_column(false)) + 2.0;
        for top in [true, false] {
            let away = if top { 1.0 } else { -1.0 };
            let at = |i: u8| {
                [
                    x,
                    places::foot(style, top) + away * (f32::from(i) * 2.0 + 1.0),
                ]
            };
            let seen: Vec<Color> = (0..11).map(|i| colour(&picture, &set, at(i))).collect();
            let tray = palette.tone(Ink::Tray).colour;
            assert!(!seen.contains(&tray), "{name}: {seen:?}");
            // A checker in the frame's colour would be invisible at the edge.
            assert_ne!(seen[0], palette.tone(Ink::Frame).colour, "{name}");
            assert!(
                seen.windows(2).all(|two| two[0] != two[1]),
                "{name}: {seen:?}"
            );
        }
    }
}

/// All labels are inside the board, and the number of cells is right.
#[test]
fn everything_lies_on_the_board() {
    let position = Position::from_points(&[(6, 9), (25, 6)], &[(1, 2), (25, 13)]).unwrap();
    let (_, palette) = palettes().remove(0);
    for style in styles() {
        for (mirrored, die) in [(false, 1), (true, 5), (false, 6)] {
            let mut subject = subject(scene(position), style);
            subject.mirrored = mirrored;
            subject.roll = Roll::new(die, 3);
            subject.cube.action = Some(("doubles to", Some(4)));
            subject.cube.owner = Some(Player::Right);
            let picture = Picture::of(&subject, &palette, &mut Fitter::new(subject.glyphs));
            let cells = usize::from(style.width()) * usize::from(style.height());
            assert_eq!(picture.cells.len(), cells);
            for label in &picture.labels {
                let end = label.x + label.text.chars().count() as u16;
                assert!(
                    end <= style.width() && label.y < style.height(),
                    "{label:?} {style:?}"
                );
            }
        }
    }
}
