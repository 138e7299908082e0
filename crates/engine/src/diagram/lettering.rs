//! Digits and the letters of diagrams and XGIDs as strokes: no font is needed, and a picture is the same
//! everywhere.

use super::shape::Segment;

/// Height of a digit in the units of the strokes below.
const TALL: f32 = 6.0;

/// Returns the width of a letter and its strokes in a box from (0, 0), the upper left corner, to (width, 6);
/// descenders go below. `M`, `L` and `Q` as in SVG, with numbers separated by spaces.
fn strokes(letter: char) -> (f32, &'static str) {
    match letter {
        '0'..='9' => digit(letter),
        'A'..='Z' => capital(letter),
        'a'..='z' => small_letter(letter),
        '=' => (3.4, "M0 2.6 L3.4 2.6 M0 4.4 L3.4 4.4"),
        '-' => (2.6, "M0 3.4 L2.6 3.4"),
        ':' => (1.0, "M0.5 2.3 L0.5 2.5 M0.5 5.5 L0.5 5.7"),
        _ => UNKNOWN,
    }
}

/// A gap, for a letter without strokes.
const UNKNOWN: (f32, &str) = (2.0, "");

fn digit(letter: char) -> (f32, &'static str) {
    match letter {
        '0' => (4.0, "M2 0 Q0 0 0 3 Q0 6 2 6 Q4 6 4 3 Q4 0 2 0"),
        '1' => (2.0, "M0 1.2 L1.6 0 L1.6 6"),
        '2' => (
            4.0,
            "M0.2 1.6 Q0.3 0 2 0 Q3.8 0 3.8 1.7 Q3.8 2.7 2.6 3.8 L0 6 L4 6",
        ),
        '3' => (
            4.0,
            "M0.3 0 L3.7 0 L1.7 2.4 Q4 2.3 4 4.1 Q4 6 2 6 Q0.6 6 0 5",
        ),
        '4' => (4.2, "M3.1 6 L3.1 0 L0 4.2 L4.2 4.2"),
        '5' => (
            4.0,
            "M3.6 0 L0.6 0 L0.3 2.7 Q1 2.2 2 2.2 Q4 2.3 4 4.1 Q4 6 1.9 6 Q0.6 6 0 5.1",
        ),
        '6' => (
            4.0,
            "M3.5 0.5 Q2.9 0 2.2 0 Q0 0.2 0 3.8 Q0 6 2 6 Q4 6 4 4.2 Q4 2.4 2.1 2.4 Q0.4 2.5 0 4",
        ),
        '7' => (4.0, "M0 0 L4 0 L1.5 6"),
        '8' => (
            4.0,
            "M2 0 Q0.3 0 0.3 1.4 Q0.3 2.8 2 2.8 Q3.7 2.8 3.7 1.4 Q3.7 0 2 0 \
             M2 2.8 Q0 2.8 0 4.4 Q0 6 2 6 Q4 6 4 4.4 Q4 2.8 2 2.8",
        ),
        '9' => (
            4.0,
            "M0.5 5.5 Q1.1 6 1.8 6 Q4 5.8 4 2.2 Q4 0 2 0 Q0 0 0 1.8 Q0 3.6 1.9 3.6 Q3.6 3.5 4 2",
        ),
        _ => UNKNOWN,
    }
}

/// Capital letters of XGIDs and of *Crawford*.
fn capital(letter: char) -> (f32, &'static str) {
    match letter {
        'A' => (4.2, "M0 6 L2.1 0 L4.2 6 M0.8 3.9 L3.4 3.9"),
        'B' => (
            3.8,
            "M2 2.8 Q3.4 2.8 3.4 1.4 Q3.4 0 2 0 L0 0 L0 6 L2 6 Q3.8 6 3.8 4.4 Q3.8 2.8 2 2.8 L0 2.8",
        ),
        'C' => (
            4.2,
            "M4.2 1.1 Q3.4 0 2.3 0 Q0 0.1 0 3 Q0 5.9 2.3 6 Q3.4 6 4.2 4.9",
        ),
        'D' => (4.0, "M0 0 L0 6 L1.4 6 Q4 5.8 4 3 Q4 0.2 1.4 0 L0 0"),
        'E' => (3.4, "M3.4 0 L0 0 L0 6 L3.4 6 M0 2.9 L2.8 2.9"),
        'F' => (3.2, "M3.2 0 L0 0 L0 6 M0 2.9 L2.6 2.9"),
        'G' => (
            4.4,
            "M4.2 1.1 Q3.4 0 2.3 0 Q0 0.1 0 3 Q0 5.9 2.4 6 Q4.4 5.9 4.4 3.4 L2.6 3.4",
        ),
        'H' => (4.0, "M0 0 L0 6 M4 0 L4 6 M0 2.9 L4 2.9"),
        'I' => (2.0, "M0 0 L2 0 M1 0 L1 6 M0 6 L2 6"),
        'J' => (3.0, "M3 0 L3 4.2 Q3 6 1.5 6 Q0.2 6 0 4.6"),
        'K' => (3.8, "M0 0 L0 6 M3.6 0 L0 3.6 M1.4 2.2 L3.8 6"),
        'L' => (3.2, "M0 0 L0 6 L3.2 6"),
        'M' => (5.0, "M0 6 L0 0 L2.5 4 L5 0 L5 6"),
        'N' => (4.2, "M0 6 L0 0 L4.2 6 L4.2 0"),
        'O' => (
            4.8,
            "M2.4 0 Q0 0.1 0 3 Q0 5.9 2.4 6 Q4.8 5.9 4.8 3 Q4.8 0.1 2.4 0",
        ),
        'R' => (
            3.8,
            "M0 6 L0 0 L2 0 Q3.6 0 3.6 1.6 Q3.6 3.2 2 3.2 L0 3.2 M2 3.2 L3.8 6",
        ),
        'X' => (4.0, "M0 0 L4 6 M4 0 L0 6"),
        _ => UNKNOWN,
    }
}

/// Lower-case letters of XGIDs and notes.
fn small_letter(letter: char) -> (f32, &'static str) {
    match letter {
        'a' => (
            3.2,
            "M0.4 2.6 Q0.9 2 1.7 2 Q3.2 2 3.2 3.4 L3.2 6 M3.2 3.8 L1.6 3.9 Q0 4 0 5 Q0 6 1.3 6 Q2.8 6 3.2 4.7",
        ),
        'b' => (
            3.4,
            "M0 0 L0 6 M0 4 Q0 2 1.6 2 Q3.4 2 3.4 4 Q3.4 6 1.6 6 Q0 6 0 4",
        ),
        'c' => (3.0, "M3 2.7 Q2.5 2 1.7 2 Q0 2 0 4 Q0 6 1.7 6 Q2.5 6 3 5.3"),
        'd' => (
            3.4,
            "M3.4 0 L3.4 6 M3.4 4 Q3.4 2 1.8 2 Q0 2 0 4 Q0 6 1.8 6 Q3.4 6 3.4 4",
        ),
        'e' => (
            3.4,
            "M0 4 L3.4 4 Q3.4 2 1.8 2 Q0 2 0 4 Q0 6 1.9 6 Q2.8 6 3.3 5.4",
        ),
        'f' => (2.2, "M2.2 0.1 Q0.8 -0.2 0.8 1.4 L0.8 6 M0 2.2 L2 2.2"),
        'g' => (
            3.4,
            "M3.4 2 L3.4 6.2 Q3.4 8 1.6 8 Q0.6 8 0.1 7.4 M3.4 4 Q3.4 2 1.8 2 Q0 2 0 4 Q0 6 1.8 6 Q3.4 6 3.4 4",
        ),
        'h' => (3.2, "M0 0 L0 6 M0 3.7 Q0.2 2 1.8 2 Q3.2 2 3.2 3.7 L3.2 6"),
        'i' => (0.2, "M0.1 2 L0.1 6 M0.1 0.3 L0.1 0.5"),
        'j' => (1.2, "M1.1 2 L1.1 6.6 Q1.1 8 0 8 M1.1 0.3 L1.1 0.5"),
        'k' => (3.0, "M0 0 L0 6 M2.8 2 L0 4.6 M1.2 3.6 L3 6"),
        'l' => (1.2, "M0 0 L0 5 Q0 6 1.2 6"),
        'm' => (
            5.2,
            "M0 6 L0 2 M0 3.6 Q0.1 2 1.4 2 Q2.6 2 2.6 3.6 L2.6 6 M2.6 3.6 Q2.7 2 4 2 Q5.2 2 5.2 3.6 L5.2 6",
        ),
        'n' => (3.2, "M0 6 L0 2 M0 3.7 Q0.2 2 1.8 2 Q3.2 2 3.2 3.7 L3.2 6"),
        'o' => (3.6, "M1.8 2 Q0 2 0 4 Q0 6 1.8 6 Q3.6 6 3.6 4 Q3.6 2 1.8 2"),
        'p' => (
            3.4,
            "M0 2 L0 8 M0 4 Q0 2 1.6 2 Q3.4 2 3.4 4 Q3.4 6 1.6 6 Q0 6 0 4",
        ),
        'r' => (2.0, "M0 6 L0 2 M0 3.8 Q0.2 2 2 2.1"),
        's' => (
            2.8,
            "M2.7 2.6 Q2.2 2 1.4 2 Q0.1 2 0.1 3 Q0.1 3.8 1.4 4 Q2.8 4.2 2.8 5 Q2.8 6 1.4 6 Q0.5 6 0 5.4",
        ),
        'w' => (5.2, "M0 2 L1.3 6 L2.6 2.4 L3.9 6 L5.2 2"),
        'y' => (3.4, "M0 2 L1.8 6 M3.4 2 L1.4 7 Q1 8 0 8"),
        _ => UNKNOWN,
    }
}

/// The alignment of a line of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    Left,
    Middle,
    Right,
}

/// Returns the strokes of `text` with digits of height `tall`, vertically centred at `y` and aligned at `x`.
pub(super) fn line(text: &str, held: Held, (x, y): (f32, f32), tall: f32) -> Vec<Segment> {
    let scale = tall / TALL;
    let mut at = match held {
        Held::Left => x,
        Held::Middle => x - 0.5 * width(text, scale),
        Held::Right => x - width(text, scale),
    };
    let top = y - 0.5 * tall;
    let mut segments = Vec::new();
    for letter in text.chars() {
        let (wide, way) = strokes(letter);
        read(way, |x, y| (at + scale * x, top + scale * y), &mut segments);
        at += scale * (wide + GAP);
    }
    segments
}

/// Gap between two letters.
const GAP: f32 = 1.5;

fn width(text: &str, scale: f32) -> f32 {
    let letters: f32 = text.chars().map(|letter| strokes(letter).0 + GAP).sum();
    scale * (letters - GAP).max(0.0)
}

/// Appends the strokes in `way` to `into`, with each point transformed by `place`.
fn read(way: &str, place: impl Fn(f32, f32) -> (f32, f32), into: &mut Vec<Segment>) {
    let mut words = way.split_ascii_whitespace();
    while let Some(word) = words.next() {
        let (command, first) = word.split_at(1);
        let mut numbers = std::iter::once(first)
            .chain(words.by_ref().take(if command == "Q" { 3 } else { 1 }))
            .map(|number| number.parse().unwrap_or(0.0));
        let mut point = || place(numbers.next().unwrap_or(0.0), numbers.next().unwrap_or(0.0));
        let (x, y) = point();
        into.push(match command {
            "M" => Segment::Move(x, y),
            "L" => Segment::Line(x, y),
            _ => {
                let (to_x, to_y) = point();
                Segment::Curve(x, y, to_x, to_y)
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_stay_in_their_boxes() {
        for letter in "0123456789ABCDEFGHIJKLMNORXabcdefghijklmnoprswy=-:".chars() {
            let (wide, way) = strokes(letter);
            let mut segments = Vec::new();
            read(way, |x, y| (x, y), &mut segments);
            assert!(matches!(segments[0], Segment::Move(..)), "{letter}");
            for segment in segments {
                let ends = match segment {
                    Segment::Move(x, y) | Segment::Line(x, y) => vec![(x, y)],
                    Segment::Curve(x, y, to_x, to_y) => vec![(x, y), (to_x, to_y)],
                    Segment::Close => vec![],
                };
                for (x, y) in ends {
                    assert!((0.0..=wide).contains(&x), "{letter} {x}");
                    assert!((-0.2..=8.0).contains(&y), "{letter} {y}");
                }
            }
        }
    }

    #[test]
    fn text_is_aligned_at_its_anchor() {
        let ends = |held| {
            let line = line("17", held, (100.0, 50.0), 12.0);
            let xs = line.iter().map(|s| match *s {
                Segment::Move(x, _) | Segment::Line(x, _) | Segment::Curve(_, _, x, _) => x,
                Segment::Close => 100.0,
            });
            xs.fold((f32::MAX, f32::MIN), |(low, high), x| {
                (low.min(x), high.max(x))
            })
        };
        let left = ends(Held::Left);
        assert_eq!(left.0, 100.0);
        let right = ends(Held::Right);
        assert!((right.1 - 100.0).abs() < 1e-3);
        assert!((right.1 - right.0 - (left.1 - left.0)).abs() < 1e-3);
        let middle = ends(Held::Middle);
        assert!(((middle.0 + middle.1) * 0.5 - 100.0).abs() < 1e-3);
    }
}
