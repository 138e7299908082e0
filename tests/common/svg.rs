//! Screens of a terminal as pictures that need nothing: SVG with the characters as text, and lines,
//! blocks and Braille dots as shapes, so that no font can move them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;

use vt100::{Color, Screen};

/// A cell in pixels.
const CELL: [u16; 2] = [8, 16];
/// Around the screen.
const MARGIN: u16 = 10;
const FOREGROUND: &str = "#d4d4d4";
/// That of the dark theme.
const BACKGROUND: &str = "#1c1c1c";
/// The first sixteen colours of a terminal.
const NAMED: [&str; 16] = [
    "#2e3436", "#e05561", "#8cc265", "#d18f52", "#4aa5f0", "#c162de", "#42b3c2", "#d4d4d4",
    "#7a818e", "#ff616e", "#a5e075", "#f0a45d", "#4dc4ff", "#de73ff", "#4cd1e0", "#ffffff",
];

/// A frame of a moving picture, and for how many seconds it is shown.
pub(crate) struct Frame {
    pub(crate) screen: Screen,
    pub(crate) seconds: f64,
}

/// One screen.
pub(crate) fn still(screen: &Screen) -> String {
    moving(&[Frame {
        screen: screen.clone(),
        seconds: 1.0,
    }])
}

/// Columns that are drawn together.
const CHUNK: u16 = 20;

/// Screens one after the other, again and again. What stays the same over several frames is written
/// once: a layer for each set of frames, shown in those.
pub(crate) fn moving(frames: &[Frame]) -> String {
    let [height, width] = size(&frames[0].screen);
    let mut layers: BTreeMap<u64, String> = BTreeMap::new();
    for y in 0..height {
        for from in (0..width).step_by(usize::from(CHUNK)) {
            let columns = from..width.min(from + CHUNK);
            let mut sets: BTreeMap<String, u64> = BTreeMap::new();
            for (number, frame) in frames.iter().enumerate() {
                *sets
                    .entry(row(&frame.screen, y, columns.clone()))
                    .or_default() |= 1 << number;
            }
            for (svg, set) in sets.into_iter().filter(|(svg, _)| !svg.is_empty()) {
                let layer = layers.entry(set).or_default();
                let y = y * CELL[1];
                let _ = write!(layer, "<g transform=\"translate(0 {y})\">{svg}</g>");
            }
        }
    }
    let (mut style, mut shown) = (String::new(), String::new());
    for (set, layer) in layers {
        let hidden = if set & 1 == 1 {
            ""
        } else {
            " visibility=\"hidden\""
        };
        let _ = writeln!(shown, "<g id=\"f{set:x}\"{hidden}>{layer}</g>");
        if set.count_ones() as usize != frames.len() {
            style += &timing(set, frames);
        }
    }
    let [w, h] = [width * CELL[0] + 2 * MARGIN, height * CELL[1] + 2 * MARGIN];
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\">\n\
         <style>\ntext{{font:13.3px 'DejaVu Sans Mono',Menlo,Consolas,'Liberation Mono',monospace;\
         white-space:pre}}\n{style}</style>\n\
         <rect width=\"{w}\" height=\"{h}\" rx=\"6\" fill=\"{BACKGROUND}\"/>\n\
         <g transform=\"translate({MARGIN} {MARGIN})\" fill=\"{FOREGROUND}\">\n{shown}</g>\n</svg>\n"
    )
}

/// When the layer of a set of frames is shown.
fn timing(set: u64, frames: &[Frame]) -> String {
    let total: f64 = frames.iter().map(|frame| frame.seconds).sum();
    let mut keys = String::new();
    let (mut begin, mut before) = (0.0, None);
    for (number, frame) in frames.iter().enumerate() {
        let is = set >> number & 1 == 1;
        if before != Some(is) {
            let word = if is { "visible" } else { "hidden" };
            let _ = write!(keys, "{:.2}%{{visibility:{word}}}", 100.0 * begin / total);
        }
        before = Some(is);
        begin += frame.seconds;
    }
    format!(
        "@keyframes f{set:x}{{{keys}}}\n#f{set:x}{{animation:f{set:x} {total:.1}s step-end infinite}}\n"
    )
}

/// Rows and columns.
fn size(screen: &Screen) -> [u16; 2] {
    let (rows, columns) = screen.size();
    [rows.get(), columns.get()]
}

fn colour(colour: Color, default: &str) -> String {
    match colour {
        Color::Default => default.to_owned(),
        Color::Idx(i) if i < 16 => NAMED[usize::from(i)].to_owned(),
        Color::Idx(i) if i < 232 => {
            let level = |n: u8| if n == 0 { 0 } else { 55 + 40 * n };
            let i = i - 16;
            let [r, g, b] = [i / 36, i / 6 % 6, i % 6].map(level);
            format!("#{r:02x}{g:02x}{b:02x}")
        }
        Color::Idx(i) => {
            let grey = 8 + 10 * (i - 232);
            format!("#{grey:02x}{grey:02x}{grey:02x}")
        }
        Color::Rgb(r, g, b) => format!("#{r:02x}{g:02x}{b:02x}"),
    }
}

/// Ends of a line within a cell, from its middle: left, right, up, down; dashed or not.
fn line(c: char) -> Option<([bool; 4], bool)> {
    let ends = match c {
        '─' | '╌' | '┄' => [true, true, false, false],
        '│' | '┆' | '╎' => [false, false, true, true],
        '┌' | '╭' => [false, true, false, true],
        '┐' | '╮' => [true, false, false, true],
        '└' | '╰' => [false, true, true, false],
        '┘' | '╯' => [true, false, true, false],
        '├' => [false, true, true, true],
        '┤' => [true, false, true, true],
        '┬' => [true, true, false, true],
        '┴' => [true, true, true, false],
        '┼' => [true, true, true, true],
        _ => return None,
    };
    Some((ends, "╌┄┆╎".contains(c)))
}

/// A block as left, top, width and height in eighths of a cell.
fn block(c: char) -> Option<[u16; 4]> {
    let code = c as u16;
    match c {
        '▀' => Some([0, 0, 8, 4]),
        '▐' => Some([4, 0, 4, 8]),
        '\u{2581}'..='\u{2588}' => Some([0, 0x2588 - code, 8, code - 0x2580]),
        '\u{2589}'..='\u{258f}' => Some([0, 0, 0x2590 - code, 8]),
        _ => None,
    }
}

/// The shapes of a character at column `x` as a path to fill, if it is one that is drawn.
fn shape(c: char, x: u16) -> Option<String> {
    let left = x * CELL[0];
    if let Some((ends, dashed)) = line(c) {
        let mut path = String::new();
        let (mid, low) = (left + CELL[0] / 2, CELL[1] / 2);
        let spans = [
            (ends[0], [left, low, CELL[0] / 2 + 1, 1]),
            (ends[1], [mid, low, CELL[0] / 2, 1]),
            (ends[2], [mid, 0, 1, CELL[1] / 2]),
            (ends[3], [mid, low, 1, CELL[1] / 2]),
        ];
        for (_, [x, y, w, h]) in spans.into_iter().filter(|(is, _)| *is) {
            match dashed {
                true if w > h => path += &rectangle([x, y, w - 2, h]),
                true => path += &rectangle([x, y, w, h - 4]),
                false => path += &rectangle([x, y, w, h]),
            }
        }
        return Some(path);
    }
    if let Some([x, y, w, h]) = block(c) {
        return Some(rectangle([left + x, 2 * y, w, 2 * h]));
    }
    let dots = (c as u32).checked_sub(0x2800).filter(|dots| *dots < 256)?;
    let places = [
        (0, 0),
        (0, 1),
        (0, 2),
        (1, 0),
        (1, 1),
        (1, 2),
        (0, 3),
        (1, 3),
    ];
    let set = (0u32..).zip(places).filter(|(bit, _)| dots >> bit & 1 == 1);
    Some(
        set.map(|(_, (dx, dy))| rectangle([left + 1 + 4 * dx, 1 + 4 * dy, 2, 2]))
            .collect(),
    )
}

fn rectangle([x, y, w, h]: [u16; 4]) -> String {
    format!("M{x} {y}h{w}v{h}h-{w}z")
}

/// How a cell is written.
#[derive(Clone, PartialEq)]
struct Look {
    fill: String,
    more: &'static str,
}

/// Cells that are written together.
#[derive(Default)]
struct Runs {
    svg: String,
    text: String,
    begin: u16,
    look: Option<Look>,
}

impl Runs {
    fn push(&mut self, x: u16, c: char, look: &Look) {
        let next = self.begin + self.text.chars().count() as u16;
        let goes_on = self.look.as_ref() == Some(look) && next == x;
        if !goes_on || (c == ' ' && self.text.ends_with(' ')) {
            self.end();
            self.begin = x;
            self.look = Some(look.clone());
        }
        if c != ' ' || !self.text.is_empty() {
            self.text.push(c);
        } else {
            self.begin = x + 1;
        }
    }

    fn end(&mut self) {
        let text = std::mem::take(&mut self.text);
        let (text, Some(look)) = (text.trim_end(), &self.look) else {
            return;
        };
        if text.is_empty() {
            return;
        }
        let (x, length) = (self.begin * CELL[0], text.chars().count() as u16 * CELL[0]);
        let text = text
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;");
        let Look { fill, more } = look;
        let fill = match fill.as_str() {
            FOREGROUND => String::new(),
            fill => format!(" fill=\"{fill}\""),
        };
        let _ = write!(
            self.svg,
            "<text x=\"{x}\" y=\"12\" textLength=\"{length}\"{fill}{more}>{text}</text>"
        );
    }
}

/// Some columns of a row; empty if nothing is in them.
fn row(screen: &Screen, y: u16, columns: Range<u16>) -> String {
    let mut grounds: Vec<(String, u16, u16)> = Vec::new();
    let mut rules: Vec<(String, u16, u16)> = Vec::new();
    let mut paths: Vec<(String, String)> = Vec::new();
    let mut glyphs: Vec<(Look, String, String)> = Vec::new();
    let mut runs = Runs::default();
    for x in columns {
        let Some(cell) = screen.cell(y, x) else {
            continue;
        };
        let mut fill = colour(cell.fgcolor(), FOREGROUND);
        let mut ground = colour(cell.bgcolor(), BACKGROUND);
        if cell.inverse() {
            std::mem::swap(&mut fill, &mut ground);
        }
        match grounds.last_mut() {
            Some((known, _, end)) if *known == ground && *end == x => *end = x + 1,
            _ => grounds.push((ground, x, x + 1)),
        }
        let c = cell.contents().chars().next().unwrap_or(' ');
        if c == '─' {
            match rules.last_mut() {
                Some((known, _, end)) if *known == fill && *end == x => *end = x + 1,
                _ => rules.push((fill, x, x + 1)),
            }
            continue;
        }
        if let Some(path) = shape(c, x) {
            match paths.iter_mut().find(|(known, _)| *known == fill) {
                Some((_, all)) => all.push_str(&path),
                None => paths.push((fill, path)),
            }
            continue;
        }
        let more = match (cell.bold(), cell.underline(), cell.dim()) {
            (_, true, _) => " text-decoration=\"underline\"",
            (true, ..) => " font-weight=\"bold\"",
            (.., true) => " opacity=\".6\"",
            _ => "",
        };
        let look = Look { fill, more };
        if c.is_ascii() {
            runs.push(x, c, &look);
            continue;
        }
        // Characters that a font may lack are placed one by one.
        let place = (x * CELL[0]).to_string();
        match glyphs.iter_mut().find(|(known, ..)| *known == look) {
            Some((_, places, all)) => {
                let _ = write!(places, " {place}");
                all.push(c);
            }
            None => glyphs.push((look, place, c.to_string())),
        }
    }
    runs.end();
    let mut svg = String::new();
    grounds.retain(|(ground, ..)| ground != BACKGROUND);
    for (ground, from, to) in grounds {
        let (x, w, h) = (from * CELL[0], (to - from) * CELL[0], CELL[1]);
        let _ = write!(
            svg,
            "<rect x=\"{x}\" width=\"{w}\" height=\"{h}\" fill=\"{ground}\"/>"
        );
    }
    svg += &runs.svg;
    for (Look { fill, more }, places, all) in glyphs {
        let _ = write!(
            svg,
            "<text x=\"{places}\" y=\"12\" fill=\"{fill}\"{more}>{all}</text>"
        );
    }
    for (fill, from, to) in rules {
        let (x, y, w) = (from * CELL[0], CELL[1] / 2, (to - from) * CELL[0]);
        let _ = write!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"1\" fill=\"{fill}\"/>"
        );
    }
    for (fill, path) in paths {
        let _ = write!(svg, "<path fill=\"{fill}\" d=\"{path}\"/>");
    }
    svg
}
