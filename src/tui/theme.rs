//! Themes: what each role of the screen looks like.
//!
//! Widgets ask for a [`Role`], never for a colour. A theme is a TOML file that gives each role a
//! style in words; nine are part of the program, the user's own lie in the configuration folder.
//! What a terminal cannot show is converted down once, when the theme is chosen.

use std::collections::BTreeMap;

use ratatui::style::{Color, Modifier, Style};
use serde::Deserialize;

use crate::store::settings::toml_message;

macro_rules! roles {
    ($($(#[$doc:meta])* $role:ident = $name:literal,)*) => {
        /// What a piece of the screen is, as far as its looks are concerned.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Role { $($(#[$doc])* $role,)* }

        impl Role {
            /// All roles, in the order of their numbers, with their names in a theme file.
            pub const ALL: &'static [(Self, &'static str)] = &[$((Self::$role, $name),)*];
        }
    };
}

roles! {
    /// Everything that has no role of its own; its background is the screen's.
    Text = "text",
    /// Figures to be seen first.
    Strong = "strong",
    /// Labels and what matters less.
    Muted = "muted",
    /// Thin lines.
    Rule = "rule",
    /// Title of a pane.
    Title = "title",
    /// Title of the pane with the keyboard.
    TitleFocused = "title_focused",
    /// Top line.
    Header = "header",
    /// Name of the program and the file in it.
    HeaderName = "header_name",
    /// Labels in it.
    HeaderMuted = "header_muted",
    /// What is running, in it.
    HeaderLive = "header_live",
    /// Bottom line.
    Bar = "bar",
    /// Keys in it.
    BarKey = "bar_key",
    /// A key named in a pane.
    Key = "key",
    /// The selected row.
    Cursor = "cursor",
    /// Frame of the board.
    Frame = "frame",
    /// Numbers of the points.
    Number = "number",
    /// The board between the points.
    Felt = "felt",
    /// Every other point.
    PointA = "point_a",
    /// The points between.
    PointB = "point_b",
    /// Checkers of the left player (`●`).
    Left = "left",
    /// Checkers of the right player (`○`).
    Right = "right",
    /// A solid checker of the left player: its rim and what is written on it, on its colour.
    CheckerLeft = "checker_left",
    /// The same of the right player.
    CheckerRight = "checker_right",
    /// Where a checker has gone away from.
    Ghost = "ghost",
    /// Where a checker has come to.
    Moved = "moved",
    /// Dice.
    Dice = "dice",
    /// The cube.
    Cube = "cube",
    /// The best play.
    Best = "best",
    /// The play that was made.
    Played = "played",
    /// A play chosen for a rollout.
    Marked = "marked",
    /// A play that is not separated from the best.
    Tied = "tied",
    /// A turn without an error.
    Fine = "fine",
    /// A doubtful play.
    Doubtful = "doubtful",
    /// An error.
    Error = "error",
    /// A blunder.
    Blunder = "blunder",
    /// Fixed-sample interval on the axis.
    Interval = "interval",
    /// Anytime interval on the axis.
    IntervalWide = "interval_wide",
    /// The mean on the axis.
    Point = "point",
    /// First line of a chart.
    SeriesA = "series_a",
    /// Second line.
    SeriesB = "series_b",
    /// Third line.
    SeriesC = "series_c",
    /// Fourth line.
    SeriesD = "series_d",
    /// Funnel of the fixed-sample interval.
    Funnel = "funnel",
    /// Funnel of the anytime interval.
    FunnelWide = "funnel_wide",
    /// Zero lines.
    Zero = "zero",
    /// A message in the bottom line.
    Message = "message",
    /// A message about something wrong.
    Warning = "warning",
    /// A window over the screen.
    Overlay = "overlay",
    /// Its title.
    OverlayTitle = "overlay_title",
    /// Labels in it.
    OverlayMuted = "overlay_muted",
    /// Keys in it.
    OverlayKey = "overlay_key",
    /// Its selected row.
    OverlayCursor = "overlay_cursor",
    /// A line being typed.
    Input = "input",
}

/// How many colours the terminal shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// None, or none are wanted.
    None,
    /// The sixteen of every terminal.
    Sixteen,
    /// The 256 indexed ones.
    Indexed,
    /// All.
    True,
}

impl Depth {
    /// What the environment says: `NO_COLOR` and `TERM=dumb` mean none. `COLORTERM` means all, and so does
    /// Windows Terminal, which names itself otherwise. A `TERM` of 256 colours means those, and so does a
    /// console of Windows, which has no `TERM`.
    #[must_use]
    pub fn from_environment(get: &dyn Fn(&str) -> Option<String>) -> Self {
        let term = get("TERM").unwrap_or_default();
        let colorterm = get("COLORTERM").unwrap_or_default();
        if get("NO_COLOR").is_some_and(|v| !v.is_empty()) || term == "dumb" {
            Self::None
        } else if matches!(colorterm.as_str(), "truecolor" | "24bit")
            // GNU Screen does not pass the colours on.
            || (get("WT_SESSION").is_some() && !term.starts_with("screen"))
        {
            Self::True
        } else if term.contains("256")
            || (term.is_empty() && get("OS").as_deref() == Some("Windows_NT"))
        {
            Self::Indexed
        } else {
            Self::Sixteen
        }
    }
}

/// The themes that are part of the program.
const BUILTIN: &[&str] = &[
    include_str!("../../themes/dark.toml"),
    include_str!("../../themes/light.toml"),
    include_str!("../../themes/wood.toml"),
    include_str!("../../themes/leather.toml"),
    include_str!("../../themes/colour-blind-dark.toml"),
    include_str!("../../themes/colour-blind-light.toml"),
    include_str!("../../themes/high-contrast.toml"),
    include_str!("../../themes/sixteen.toml"),
    include_str!("../../themes/mono.toml"),
];

/// A theme, ready for one terminal.
#[derive(Clone, Debug, PartialEq)]
pub struct Theme {
    /// Its name.
    pub name: String,
    styles: Vec<Style>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ThemeText {
    name: String,
    #[serde(default)]
    colours: BTreeMap<String, String>,
    styles: BTreeMap<String, String>,
}

impl Theme {
    /// The style of `role`.
    #[must_use]
    pub fn style(&self, role: Role) -> Style {
        self.styles[role as usize]
    }

    /// A theme from its file's text.
    ///
    /// # Errors
    /// One line that says what is wrong and where. A role that is not named takes the style of
    /// the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        // A name of the file stands in the error as it is written there.
        Self::read(text).map_err(|why| crate::sanitize::clean(&why).into_owned())
    }

    fn read(text: &str) -> Result<Self, String> {
        let raw: ThemeText = toml::from_str(text).map_err(|e| toml_message(text, &e))?;
        let mut colours = BTreeMap::new();
        for (name, value) in &raw.colours {
            let colour = literal(value)
                .ok_or_else(|| format!("colour '{name}': '{value}' is not a colour"))?;
            colours.insert(name.as_str(), colour);
        }
        if let Some(name) = raw
            .styles
            .keys()
            .find(|name| !Role::ALL.iter().any(|(_, n)| n == name))
        {
            return Err(format!("style '{name}' is not one of the roles"));
        }
        let mut styles = Vec::with_capacity(Role::ALL.len());
        for (_, name) in Role::ALL {
            let words = raw.styles.get(*name).map_or("", String::as_str);
            styles.push(style(words, &colours).map_err(|e| format!("style '{name}': {e}"))?);
        }
        Ok(Self {
            name: super::text::clean(&raw.name, 40),
            styles,
        })
    }

    /// The same theme in no more colours than `depth`.
    #[must_use]
    pub fn at_depth(mut self, depth: Depth) -> Self {
        for style in &mut self.styles {
            style.fg = style.fg.and_then(|c| convert(c, depth));
            style.bg = style.bg.and_then(|c| convert(c, depth));
        }
        self
    }

    /// The themes that are part of the program.
    #[must_use]
    pub fn builtin() -> Vec<Self> {
        BUILTIN
            .iter()
            .map(|text| Self::parse(text).expect("the bundled themes are tested"))
            .collect()
    }

    /// Name of the bundled theme that suits a terminal: by colours, and by the background that
    /// `COLORFGBG` tells where a terminal sets it.
    #[must_use]
    pub fn default_name(depth: Depth, get: &dyn Fn(&str) -> Option<String>) -> &'static str {
        match depth {
            Depth::None => "mono",
            Depth::Sixteen => "sixteen",
            Depth::Indexed | Depth::True => {
                let background = get("COLORFGBG")
                    .and_then(|v| v.rsplit(';').next().and_then(|b| b.parse::<u8>().ok()));
                match background {
                    Some(7 | 15) => "light",
                    _ => "dark",
                }
            }
        }
    }
}

/// A style from words such as `bold gold on panel`.
fn style(words: &str, colours: &BTreeMap<&str, Color>) -> Result<Style, String> {
    let mut style = Style::new();
    let mut ground = false;
    for word in words.split_whitespace() {
        let modifier = match word {
            "on" => {
                ground = true;
                continue;
            }
            "bold" => Some(Modifier::BOLD),
            "dim" => Some(Modifier::DIM),
            "italic" => Some(Modifier::ITALIC),
            "underline" => Some(Modifier::UNDERLINED),
            "reverse" => Some(Modifier::REVERSED),
            _ => None,
        };
        if let Some(modifier) = modifier {
            style = style.add_modifier(modifier);
            continue;
        }
        let colour = colours
            .get(word)
            .copied()
            .or_else(|| literal(word))
            .ok_or_else(|| format!("'{word}' is neither a colour nor a way of writing"))?;
        style = if ground {
            style.bg(colour)
        } else {
            style.fg(colour)
        };
    }
    Ok(style)
}

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

/// `#rrggbb`, `0` to `255`, or one of the sixteen names.
fn literal(word: &str) -> Option<Color> {
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

fn convert(colour: Color, depth: Depth) -> Option<Color> {
    match (depth, colour) {
        (Depth::None, _) => None,
        (Depth::Indexed, Color::Rgb(r, g, b)) => Some(Color::Indexed(nearest_indexed([r, g, b]))),
        (Depth::Sixteen, Color::Rgb(r, g, b)) => Some(nearest_sixteen([r, g, b])),
        (Depth::Sixteen, Color::Indexed(i)) => Some(nearest_sixteen(indexed_rgb(i))),
        (_, colour) => Some(colour),
    }
}

/// How a colour looks; of the terminal's own ones as most terminals have them.
#[must_use]
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
    // Weights near those of the eye.
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

/// The colours 16 to 255 are the same on every terminal: a 6x6x6 cube, then 24 greys.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bundled_themes_name_every_role() {
        for text in BUILTIN {
            let raw: ThemeText = toml::from_str(text).unwrap();
            for (_, role) in Role::ALL {
                assert!(raw.styles.contains_key(*role), "{}: {role}", raw.name);
            }
            Theme::parse(text).unwrap();
        }
    }

    #[test]
    fn mono_has_no_colour_and_depth_none_takes_every_colour_away() {
        let themes = Theme::builtin();
        let mono = themes.iter().find(|t| t.name == "mono").unwrap();
        let plain = themes[0].clone().at_depth(Depth::None);
        for theme in [mono, &plain] {
            for s in &theme.styles {
                assert_eq!((s.fg, s.bg), (None, None));
            }
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
        let dark = Theme::builtin().remove(0).at_depth(Depth::Sixteen);
        assert!(
            dark.styles
                .iter()
                .all(|s| !matches!(s.fg, Some(Color::Rgb(..) | Color::Indexed(_))))
        );
    }

    #[test]
    fn broken_themes_say_where() {
        let cases = [
            ("name = \"x\"\n[styles\n", "line 2"),
            ("name = \"x\"\n[styles]\ntext = \"mauve\"\n", "mauve"),
            ("name = \"x\"\n[styles]\ntexxt = \"red\"\n", "texxt"),
            ("name = \"x\"\n[colours]\na = \"#12\"\n[styles]\n", "'a'"),
        ];
        for (text, part) in cases {
            let error = Theme::parse(text).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }

    /// Relative luminance and contrast as WCAG 2 define them.
    fn contrast(a: Color, b: Color) -> f64 {
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

    /// Every text of every theme with grounds of its own, on each ground that it is written on.
    #[test]
    fn every_text_can_be_read() {
        // Lines, areas and dots of charts are no text.
        let drawn = [
            Role::Rule,
            Role::IntervalWide,
            Role::FunnelWide,
            Role::Funnel,
            Role::Zero,
            Role::Cursor,
            Role::Felt,
            Role::PointA,
            Role::PointB,
            Role::Moved,
        ];
        let themes = Theme::builtin();
        let coloured = |theme: &&Theme| theme.style(Role::Text).bg.is_some();
        for theme in themes.iter().filter(coloured) {
            let text = theme.style(Role::Text);
            let rows = [text.bg, theme.style(Role::Cursor).bg];
            for (role, name) in Role::ALL.iter().filter(|(role, _)| !drawn.contains(role)) {
                let style = theme.style(*role);
                let fore = style.fg.or(text.fg).unwrap();
                let grounds = match style.bg {
                    Some(own) => vec![own],
                    None => rows.into_iter().flatten().collect(),
                };
                for ground in grounds {
                    let found = contrast(fore, ground);
                    assert!(found >= 4.5, "{}: {name}: {found:.2}", theme.name);
                }
            }
        }
    }

    /// Words, signs and numbers of the board, on what they stand on.
    #[test]
    fn every_text_on_the_board_can_be_read() {
        use crate::tui::board::palette::{Ink, Palette};
        for theme in Theme::builtin() {
            let Some(palette) = Palette::of(&theme) else {
                continue;
            };
            for (text, ground) in [
                (Ink::Number, Ink::Frame),
                (Ink::Words, Ink::Felt),
                (Ink::LeftText, Ink::Left),
                (Ink::RightText, Ink::Right),
                (Ink::CubeText, Ink::Cube),
            ] {
                let [fore, back] = [text, ground].map(|ink| palette.tone(ink).colour);
                // Where the terminal's own colours are used they are the user's choice.
                if [fore, back].contains(&Color::Reset) {
                    continue;
                }
                let found = contrast(fore, back);
                assert!(found >= 4.5, "{}: {text:?}: {found:.2}", theme.name);
            }
        }
    }

    #[test]
    fn the_environment_decides_the_depth() {
        let with = |list: &'static [(&'static str, &'static str)]| {
            move |name: &str| {
                let found = list.iter().find(|(n, _)| *n == name);
                found.map(|(_, v)| (*v).to_owned())
            }
        };
        let cases: &[(&'static [(&str, &str)], Depth)] = &[
            (
                &[("COLORTERM", "truecolor"), ("NO_COLOR", "1")],
                Depth::None,
            ),
            (&[("COLORTERM", "24bit"), ("TERM", "xterm")], Depth::True),
            (
                &[("TERM", "xterm-256color"), ("NO_COLOR", "")],
                Depth::Indexed,
            ),
            (&[("TERM", "linux")], Depth::Sixteen),
            (&[("TERM", "dumb")], Depth::None),
            (&[("WT_SESSION", "1")], Depth::True),
            (&[("WT_SESSION", "1"), ("NO_COLOR", "1")], Depth::None),
            (
                &[("WT_SESSION", "1"), ("TERM", "screen-256color")],
                Depth::Indexed,
            ),
            (&[("OS", "Windows_NT")], Depth::Indexed),
        ];
        for (list, depth) in cases {
            assert_eq!(Depth::from_environment(&with(list)), *depth);
        }
        let light = with(&[("COLORFGBG", "0;15")]);
        assert_eq!(Theme::default_name(Depth::True, &light), "light");
    }
}
