//! Themes: the style of each role of the screen.
//!
//! Widgets use a [`Role`], never a colour. A theme is a TOML file with a style in words for each role; ten are built
//! in, the user's are in the configuration folder. Colours that a terminal cannot show are converted once, when the
//! theme is selected.

mod colours;

use std::collections::BTreeMap;

use ratatui::style::{Color, Modifier, Style};
use serde::Deserialize;

use crate::store::settings::toml_message;
pub use colours::{Depth, contrast, rgb};
use colours::{convert, literal, nearest_different, readable};

macro_rules! roles {
    ($($(#[$doc:meta])* $role:ident = $name:literal,)*) => {
        /// The role of a screen element, which determines its style.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Role { $($(#[$doc])* $role,)* }

        impl Role {
            /// All roles, in the order of their numbers, with their names in a theme file.
            pub const ALL: &'static [(Self, &'static str)] = &[$((Self::$role, $name),)*];
        }
    };
}

roles! {
    /// Default style; inherits the screen background.
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
    /// A solid checker of the right player: its rim and what is written on it, on its colour.
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

/// Roles that are adjacent on the board.
const BOARD: [Role; 5] = [
    Role::Felt,
    Role::PointA,
    Role::PointB,
    Role::CheckerLeft,
    Role::CheckerRight,
];

/// The built-in themes.
const BUILTIN: &[&str] = &[
    include_str!("../../themes/dark.toml"),
    include_str!("../../themes/light.toml"),
    include_str!("../../themes/wood.toml"),
    include_str!("../../themes/leather.toml"),
    include_str!("../../themes/colour-blind-dark.toml"),
    include_str!("../../themes/colour-blind-light.toml"),
    include_str!("../../themes/high-contrast.toml"),
    include_str!("../../themes/sixteen.toml"),
    include_str!("../../themes/sixteen-light.toml"),
    include_str!("../../themes/mono.toml"),
];

/// A theme adapted to a terminal.
#[derive(Clone, Debug, PartialEq)]
pub struct Theme {
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
    pub fn style(&self, role: Role) -> Style {
        self.styles[role as usize]
    }

    /// Parses a theme.
    ///
    /// # Errors
    /// A one-line message with the place. A role without a style inherits its background's.
    pub fn parse(text: &str) -> Result<Self, String> {
        // The message may quote a name of the file.
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

    /// Converts the theme to the colours of `depth`.
    pub fn at_depth(mut self, depth: Depth) -> Self {
        if depth == Depth::Sixteen {
            self.keep_apart();
        }
        for style in &mut self.styles {
            style.bg = style.bg.and_then(|c| convert(c, depth));
        }
        let screen = self.style(Role::Text).bg;
        for style in &mut self.styles {
            style.fg = match (style.fg, style.bg.or(screen)) {
                (Some(fore), Some(ground)) if depth == Depth::Sixteen => {
                    Some(readable(fore, ground))
                }
                (fore, _) => fore.and_then(|c| convert(c, depth)),
            };
        }
        self
    }

    /// Converts the backgrounds of the board to different colours among the sixteen, each as near as possible: equal
    /// ones would merge points, or hide checkers on the felt.
    fn keep_apart(&mut self) {
        let mut grounds: Vec<Color> = Vec::new();
        for ground in BOARD.iter().filter_map(|role| self.style(*role).bg) {
            if !grounds.contains(&ground) {
                grounds.push(ground);
            }
        }
        let converted = nearest_different(&grounds);
        for role in BOARD {
            let style = &mut self.styles[role as usize];
            let pairs = grounds.iter().zip(&converted);
            let found = style
                .bg
                .and_then(|ground| pairs.clone().find(|(g, _)| **g == ground));
            style.bg = found.map_or(style.bg, |(_, converted)| Some(*converted));
        }
    }

    /// The built-in themes.
    pub fn builtin() -> Vec<Self> {
        BUILTIN
            .iter()
            .map(|text| Self::parse(text).expect("the bundled themes are tested"))
            .collect()
    }

    /// The built-in themes and the user's; the user's replace built-in ones of the same name.
    pub fn with_own(own: Vec<Self>) -> Vec<Self> {
        let mut all = Self::builtin();
        all.retain(|theme| own.iter().all(|one| one.name != theme.name));
        all.extend(own);
        all
    }

    /// Name of the built-in theme that suits a terminal: by its colours, and by the background in `COLORFGBG` if set.
    pub fn default_name(depth: Depth, get: &dyn Fn(&str) -> Option<String>) -> &'static str {
        let background = get("COLORFGBG");
        let background = background.and_then(|v| v.rsplit(';').next()?.parse::<u8>().ok());
        let is_light = matches!(background, Some(7 | 15));
        match depth {
            Depth::None => "mono",
            Depth::Sixteen if is_light => "sixteen-light",
            Depth::Sixteen => "sixteen",
            Depth::Indexed | Depth::True if is_light => "light",
            Depth::Indexed | Depth::True => "dark",
        }
    }
}

/// Parses a style such as `bold gold on panel`.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::board::palette::{Ink, Palette};
    use crate::tui::testing::environment;

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
    fn a_converted_theme_has_colours_of_the_terminal_only() {
        let dark = Theme::builtin().remove(0).at_depth(Depth::Sixteen);
        assert!(
            dark.styles
                .iter()
                .all(|s| !matches!(s.fg, Some(Color::Rgb(..) | Color::Indexed(_))))
        );
    }

    /// In sixteen colours the points and checkers of every theme differ from their surroundings, and headings and
    /// best plays from labels.
    #[test]
    fn sixteen_colours_keep_the_board_apart() {
        for theme in Theme::builtin() {
            let few = theme.clone().at_depth(Depth::Sixteen);
            for (i, a) in BOARD.iter().enumerate() {
                for b in &BOARD[..i] {
                    let was = theme.style(*a).bg == theme.style(*b).bg;
                    let is = few.style(*a).bg == few.style(*b).bg;
                    assert_eq!(was, is, "{}: {a:?}, {b:?}", theme.name);
                }
            }
        }
        let light = Theme::builtin().remove(1).at_depth(Depth::Sixteen);
        for role in [Role::TitleFocused, Role::Best] {
            assert_ne!(light.style(role).fg, light.style(Role::Muted).fg);
        }
    }

    /// The themes of sixteen colours use the terminal's background: their text suits a dark or a light one. The board
    /// has its own backgrounds and looks the same on both.
    #[test]
    fn the_themes_of_sixteen_colours_suit_their_grounds() {
        for (name, ground) in [("sixteen", Color::Black), ("sixteen-light", Color::White)] {
            let themes = Theme::builtin();
            let theme = themes.iter().find(|theme| theme.name == name).unwrap();
            for (role, named) in Role::ALL {
                let style = theme.style(*role);
                if let (Some(fore), None) = (style.fg, style.bg) {
                    let found = contrast(fore, ground);
                    assert!(found >= 3.5, "{name}: {named}: {found:.2}");
                }
            }
            let palette = Palette::of(theme).unwrap();
            for ink in Ink::ALL {
                let colour = palette.tone(*ink).colour;
                assert_ne!(colour, Color::Reset, "{name}: {ink:?}");
            }
        }
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
            assert_has!(error, part);
        }
    }

    /// Checks every text on every background on which it is used, in all themes with backgrounds.
    #[test]
    fn every_text_can_be_read() {
        // Lines, areas and dots of charts are not text.
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

    /// Intervals and funnels must be visible, and checkers must differ in lightness from their surroundings, because
    /// not everyone distinguishes hues.
    #[test]
    fn what_is_drawn_stands_out() {
        let themes = Theme::builtin();
        let coloured = |theme: &&Theme| theme.style(Role::Text).bg.is_some();
        for theme in themes.iter().filter(coloured) {
            let ground = theme.style(Role::Text).bg.unwrap();
            for role in [Role::IntervalWide, Role::FunnelWide, Role::Funnel] {
                let found = contrast(theme.style(role).fg.unwrap(), ground);
                assert!(found >= 3.0, "{}: {role:?}: {found:.2}", theme.name);
            }
            let Some(palette) = Palette::of(theme) else {
                continue;
            };
            let colour = |ink| palette.tone(ink).colour;
            for checker in [Ink::Left, Ink::Right] {
                for under in [Ink::Felt, Ink::PointA, Ink::PointB] {
                    let found = contrast(colour(checker), colour(under));
                    let name = &theme.name;
                    assert!(found >= 1.4, "{name}: {checker:?} on {under:?}: {found:.2}");
                }
            }
        }
    }

    /// A checker on the bar differs from it in lightness, also in 256 colours.
    #[test]
    fn checkers_on_the_bar_stand_out() {
        for theme in Theme::builtin() {
            for depth in [Depth::True, Depth::Indexed] {
                let Some(palette) = Palette::of(&theme.clone().at_depth(depth)) else {
                    continue;
                };
                let colour = |ink| palette.tone(ink).colour;
                for checker in [Ink::Left, Ink::Right] {
                    let found = contrast(colour(checker), colour(Ink::Frame));
                    let name = &theme.name;
                    assert!(found >= 1.2, "{name} {depth:?}: {checker:?}: {found:.2}");
                }
            }
        }
    }

    /// Checks words, signs and numbers of the board on their backgrounds.
    #[test]
    fn every_text_on_the_board_can_be_read() {
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
                // The terminal's own colours are the user's choice.
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
            (
                &[("COLORTERM", "truecolor"), ("TERM", "screen")],
                Depth::Sixteen,
            ),
            (
                &[
                    ("COLORTERM", "truecolor"),
                    ("TERM", "screen.xterm-256color"),
                    ("STY", "1.pts-0.host"),
                ],
                Depth::Indexed,
            ),
            (
                &[
                    ("COLORTERM", "truecolor"),
                    ("TERM", "screen-256color"),
                    ("TMUX", "/tmp/tmux-0/default,1,0"),
                ],
                Depth::True,
            ),
            (
                &[("COLORTERM", "truecolor"), ("TERM", "tmux-256color")],
                Depth::True,
            ),
            (&[("TERM", "tmux-256color")], Depth::Indexed),
        ];
        for (list, depth) in cases {
            assert_eq!(Depth::from_environment(&environment(list)), *depth);
        }
        let light = environment(&[("COLORFGBG", "0;15")]);
        assert_eq!(Theme::default_name(Depth::True, &light), "light");
        assert_eq!(Theme::default_name(Depth::Sixteen, &light), "sixteen-light");
        let dark = environment(&[("COLORFGBG", "15;0")]);
        assert_eq!(Theme::default_name(Depth::Sixteen, &dark), "sixteen");
    }
}
