//! Parses colours, and converts them for terminals with fewer colours.

use ratatui::style::Color;

/// Colour depth of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// No colours, or none wanted.
    None,
    /// The sixteen basic colours.
    Sixteen,
    /// The 256 indexed colours.
    Indexed,
    /// All RGB colours.
    True,
}

impl Depth {
    /// Determines the colour depth from the environment: `NO_COLOR` and `TERM=dumb` mean none. `COLORTERM` and
    /// Windows Terminal's own variable mean all colours, except in GNU Screen, which inherits both but does not pass
    /// the colours on. Otherwise the name in `TERM` decides. A Windows console, without `TERM`, has 256 colours.
    pub fn from_environment(get: &dyn Fn(&str) -> Option<String>) -> Self {
        let term = get("TERM").unwrap_or_default();
        let colorterm = get("COLORTERM").unwrap_or_default();
        if get("NO_COLOR").is_some_and(|v| !v.is_empty()) || term == "dumb" {
            Self::None
        } else if (matches!(colorterm.as_str(), "truecolor" | "24bit")
            || get("WT_SESSION").is_some()
            || shows_all_colours(&term))
            && !is_in_screen(&term, get)
        {
            Self::True
        } else if term.contains("256")
            || (term.is_empty() && get("OS").as_deref() == Some("Windows_NT"))
        {
            Self::Indexed
        } else if is_monochrome(&term) {
            Self::None
        } else {
            Self::Sixteen
        }
    }
}

/// Returns whether a terminal of this name shows all colours. Over ssh, which does not pass `COLORTERM`, the name is
/// all that is known.
fn shows_all_colours(term: &str) -> bool {
    const NAMES: [&str; 6] = [
        "alacritty",
        "contour",
        "foot",
        "ghostty",
        "kitty",
        "wezterm",
    ];
    let is_it = |part: &str| NAMES.contains(&part) || part.starts_with("direct");
    term.split('-').any(is_it)
}

/// Returns whether a terminal of this name is monochrome: one of the VT series before the VT525, or one with a
/// monochrome suffix.
fn is_monochrome(term: &str) -> bool {
    let number = term
        .strip_prefix("vt")
        .filter(|_| !term.starts_with("vt525"));
    let is_vt = number.is_some_and(|number| number.starts_with(['1', '2', '3', '4', '5']));
    is_vt
        || ["-m", "-mono", "wsvt25m"]
            .iter()
            .any(|end| term.ends_with(end))
}

/// Returns whether GNU Screen draws. tmux may use the same name, but converts colours for its terminal.
fn is_in_screen(term: &str, get: &dyn Fn(&str) -> Option<String>) -> bool {
    term.starts_with("screen") && (get("STY").is_some() || get("TMUX").is_none())
}

/// The sixteen basic colours: names in theme files, and typical appearance.
const SIXTEEN: [(&str, Color, [u8; 3]); 16] = [
    ("black", Color::Black, [0, 0, 0]),
    ("red", Color::Red, [205, 49, 49]),
    ("green", Color::Green, [13, 188, 121]),
    ("yellow", Color::Yellow, [205, 173, 0]),
    ("blue", Color::Blue, [36, 114, 200]),
    ("magenta", Color::Magenta, [188, 63, 188]),
    ("cyan", Color::Cyan, [17, 168, 205]),
    ("white", Color::Gray, [204, 204, 204]),
    ("bright-black", Color::DarkGray, [102, 102, 102]),
    ("bright-red", Color::LightRed, [241, 76, 76]),
    ("bright-green", Color::LightGreen, [35, 209, 139]),
    ("bright-yellow", Color::LightYellow, [245, 245, 67]),
    ("bright-blue", Color::LightBlue, [59, 142, 234]),
    ("bright-magenta", Color::LightMagenta, [214, 112, 214]),
    ("bright-cyan", Color::LightCyan, [41, 184, 219]),
    ("bright-white", Color::White, [255, 255, 255]),
];

/// Parses `#rrggbb`, `0` to `255`, or one of the sixteen names.
pub(super) fn literal(word: &str) -> Option<Color> {
    if let Some(hex) = word.strip_prefix('#') {
        let all = hex.len() == 6 && hex.bytes().all(|b| b.is_ascii_hexdigit());
        let n = u32::from_str_radix(hex, 16).ok().filter(|_| all)?;
        return Some(Color::Rgb((n >> 16) as u8, (n >> 8) as u8, n as u8));
    }
    if let Ok(index) = word.parse::<u8>() {
        return Some(Color::Indexed(index));
    }
    SIXTEEN.iter().find(|(n, ..)| *n == word).map(|s| s.1)
}

/// The nearest colour available at `depth`.
pub(super) fn convert(colour: Color, depth: Depth) -> Option<Color> {
    match (depth, colour) {
        (Depth::None, _) => None,
        (Depth::Indexed, Color::Rgb(r, g, b)) => Some(Color::Indexed(nearest_indexed([r, g, b]))),
        (Depth::Sixteen, Color::Rgb(r, g, b)) => Some(nearest_sixteen([r, g, b])),
        (Depth::Sixteen, Color::Indexed(i)) => Some(nearest_sixteen(indexed_rgb(i))),
        (_, colour) => Some(colour),
    }
}

/// The appearance of a colour; for the terminal's own colours the typical one.
pub fn rgb(colour: Color) -> [u8; 3] {
    match colour {
        Color::Rgb(r, g, b) => [r, g, b],
        Color::Indexed(index) => indexed_rgb(index),
        named => SIXTEEN
            .iter()
            .find(|(_, known, _)| *known == named)
            .map_or([0; 3], |(.., rgb)| *rgb),
    }
}

fn distance(a: [u8; 3], b: [u8; 3]) -> u32 {
    // Weights close to human perception.
    [3u32, 4, 2]
        .iter()
        .zip(a.iter().zip(&b))
        .map(|(w, (&x, &y))| w * u32::from(x.abs_diff(y)).pow(2))
        .sum()
}

fn nearest_sixteen(rgb: [u8; 3]) -> Color {
    SIXTEEN
        .iter()
        .min_by_key(|(.., c)| distance(rgb, *c))
        .map_or(Color::Reset, |s| s.1)
}

/// Colours 16 to 255 are the same on every terminal: a 6x6x6 cube, then 24 greys.
fn indexed_rgb(index: u8) -> [u8; 3] {
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    match index {
        0..=15 => SIXTEEN[usize::from(index)].2,
        16..=231 => {
            let i = usize::from(index - 16);
            [LEVELS[i / 36], LEVELS[i / 6 % 6], LEVELS[i % 6]]
        }
        232..=255 => [8 + 10 * (index - 232); 3],
    }
}

fn nearest_indexed(rgb: [u8; 3]) -> u8 {
    (16..=255)
        .min_by_key(|&i| distance(rgb, indexed_rgb(i)))
        .unwrap_or(16)
}

/// Maps these colours to different ones of the sixteen, minimising the total distance. Named colours stay unchanged.
pub(super) fn nearest_different(colours: &[Color]) -> Vec<Color> {
    let choices: Vec<Vec<(u32, usize)>> = colours
        .iter()
        .map(|colour| {
            let own = SIXTEEN.iter().position(|(_, named, _)| named == colour);
            let far = |i: usize| distance(rgb(*colour), SIXTEEN[i].2);
            let mut all: Vec<(u32, usize)> = match own {
                Some(own) => vec![(0, own)],
                None => (0..SIXTEEN.len()).map(|i| (far(i), i)).collect(),
            };
            all.sort_unstable();
            all
        })
        .collect();
    match assigned(&choices, 0, u32::MAX) {
        Some((_, places)) => places.into_iter().map(|i| SIXTEEN[i].1).collect(),
        None => colours.iter().map(|c| nearest_sixteen(rgb(*c))).collect(),
    }
}

/// The cheapest assignment below `limit` that uses no colour twice and none of `taken`. Each list of choices is
/// sorted by cost.
fn assigned(
    choices: &[Vec<(u32, usize)>],
    taken: u16,
    mut limit: u32,
) -> Option<(u32, Vec<usize>)> {
    let Some((first, rest)) = choices.split_first() else {
        return Some((0, Vec::new()));
    };
    let mut best = None;
    for &(cost, place) in first {
        if cost >= limit {
            break;
        }
        let bit = 1 << place;
        if taken & bit != 0 {
            continue;
        }
        if let Some((more, mut places)) = assigned(rest, taken | bit, limit - cost) {
            limit = cost + more;
            places.insert(0, place);
            best = Some((limit, places));
        }
    }
    best
}

/// Maps a text colour on `ground` to one of the sixteen: the nearest legible one, and not a grey if it has a hue. By
/// distance alone a dark green would become grey, because the sixteen are more saturated than themes.
pub(super) fn readable(fore: Color, ground: Color) -> Color {
    /// Minimum contrast: that of the darker grey on black.
    const LEAST_CONTRAST: f64 = 3.5;
    // Already one of the sixteen.
    let (Color::Rgb(..) | Color::Indexed(16..)) = fore else {
        return convert(fore, Depth::Sixteen).unwrap_or(fore);
    };
    let coloured = is_coloured(rgb(fore));
    let wanted = match coloured {
        true => stronger(rgb(fore)),
        false => rgb(fore),
    };
    let nearest = SIXTEEN
        .iter()
        .filter(|(_, colour, _)| contrast(*colour, ground) >= LEAST_CONTRAST)
        .min_by_key(|(.., shown)| (is_coloured(*shown) != coloured, distance(wanted, *shown)));
    nearest.map_or(Color::Reset, |s| s.1)
}

/// The smallest and largest component of a colour.
fn extremes([r, g, b]: [u8; 3]) -> (u8, u8) {
    (r.min(g).min(b), r.max(g).max(b))
}

/// Returns whether a colour is neither grey nor almost black.
fn is_coloured(rgb: [u8; 3]) -> bool {
    let (least, most) = extremes(rgb);
    most >= 100 && most - least >= 62
}

/// Moves a colour half way to its pure hue, so that a pale yellow is nearer to yellow than to pink.
fn stronger(rgb: [u8; 3]) -> [u8; 3] {
    let (least, most) = extremes(rgb);
    let [base, range] = [least, most - least].map(u32::from);
    rgb.map(|part| {
        let pure = (u32::from(part) - base) * u32::from(most) / range.max(1);
        u32::midpoint(u32::from(part), pure) as u8
    })
}

/// Contrast as defined by WCAG 2, from 1 to 21.
pub fn contrast(a: Color, b: Color) -> f64 {
    let light = |colour| {
        let channel = |c: u8| {
            let c = f64::from(c) / 255.0;
            if c <= 0.04045 {
                c / 12.92
            } else {
                ((c + 0.055) / 1.055).powf(2.4)
            }
        };
        let [r, g, b] = rgb(colour).map(channel);
        0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
    };
    let (a, b) = (light(a), light(b));
    a.max(b) / a.min(b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::testing::environment;

    #[test]
    fn the_name_of_a_terminal_says_its_colours() {
        let of = |list: &[(&str, &str)]| Depth::from_environment(&environment(list));
        let named = |term: &str| of(&[("TERM", term)]);
        for term in [
            "xterm-kitty",
            "foot",
            "foot-extra",
            "alacritty",
            "xterm-ghostty",
            "wezterm",
            "contour",
            "xterm-direct",
            "xterm-direct256",
            "tmux-direct",
        ] {
            assert_eq!(named(term), Depth::True, "{term}");
        }
        for term in [
            "vt100",
            "vt102",
            "vt220",
            "vt220-8bit",
            "vt420",
            "xterm-mono",
            "linux-m",
            "ansi-m",
            "wsvt25m",
        ] {
            assert_eq!(named(term), Depth::None, "{term}");
        }
        for term in [
            "xterm",
            "vt525",
            "vte",
            "linux",
            "ansi",
            "cons25",
            "wsvt25",
            "xterm-vt220",
        ] {
            assert_eq!(named(term), Depth::Sixteen, "{term}");
        }
        assert_eq!(named("vte-256color"), Depth::Indexed);
        // The user's variables override the name, and Screen has its own colours.
        for (list, depth) in [
            (
                &[("TERM", "vt220"), ("COLORTERM", "truecolor")][..],
                Depth::True,
            ),
            (&[("TERM", "foot"), ("NO_COLOR", "1")][..], Depth::None),
            (
                &[("TERM", "screen.xterm-kitty"), ("STY", "1.pts-0.host")][..],
                Depth::Sixteen,
            ),
        ] {
            assert_eq!(of(list), depth, "{list:?}");
        }
    }

    #[test]
    fn conversion_keeps_near_colours() {
        assert_eq!(nearest_indexed([255, 0, 0]), 196);
        assert_eq!(nearest_sixteen([250, 250, 250]), Color::White);
        assert_eq!(nearest_sixteen([10, 10, 10]), Color::Black);
        for i in 16..=255u8 {
            assert_eq!(indexed_rgb(nearest_indexed(indexed_rgb(i))), indexed_rgb(i));
        }
    }

    /// Both are nearest to the same white: it goes to the nearer one, the other gets the second white.
    #[test]
    fn colours_that_differ_stay_different() {
        let [paper, grey] = [Color::Rgb(232, 224, 205), Color::Rgb(163, 179, 176)];
        for colours in [[paper, grey], [grey, paper]] {
            let found = nearest_different(&colours);
            let paper = colours.iter().position(|colour| *colour == paper).unwrap();
            assert_eq!(
                [found[paper], found[1 - paper]],
                [Color::White, Color::Gray]
            );
        }
        assert_eq!(
            nearest_different(&[Color::Gray, paper]),
            [Color::Gray, Color::White]
        );
        assert!(nearest_different(&[]).is_empty());
    }

    #[test]
    fn text_keeps_its_hue_and_can_be_read() {
        let brown = Color::Rgb(125, 81, 16);
        assert_eq!(nearest_sixteen(rgb(brown)), Color::DarkGray);
        assert_eq!(readable(brown, Color::White), Color::Red);
        let brass = Color::Rgb(205, 176, 131);
        assert_eq!(readable(brass, Color::Black), Color::Yellow);
        let pale = Color::Rgb(205, 200, 186);
        assert_ne!(readable(pale, Color::White), Color::Gray);
        assert_eq!(readable(Color::Yellow, Color::White), Color::Yellow);
    }
}
