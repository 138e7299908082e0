//! The colours of a board by their use.

use ratatui::style::Color;

use crate::diagram::{Colours, Rgb};
use crate::game::Player;
use crate::tui::theme::{Role, Theme, contrast, rgb};

macro_rules! inks {
    ($($(#[$doc:meta])* $ink:ident,)*) => {
        /// The material of a piece of the board.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Ink { $($(#[$doc])* $ink,)* }

        impl Ink {
            pub const ALL: &'static [Self] = &[$(Self::$ink),*];
        }
    };
}

inks! {
    /// Frame and bar.
    Frame,
    /// The ground between the points.
    Felt,
    /// The ground of the tray.
    Tray,
    /// Odd points.
    PointA,
    /// Even points.
    PointB,
    /// A checker of the left player.
    Left,
    /// The rim of the left player's checkers.
    LeftRim,
    /// Text on the left player's checkers.
    LeftText,
    /// Highlight of the left player's checkers.
    LeftLight,
    /// A checker of the right player.
    Right,
    /// The rim of the right player's checkers.
    RightRim,
    /// Text on the right player's checkers.
    RightText,
    /// Highlight of the right player's checkers.
    RightLight,
    /// Rim marking a place that a checker of the left player has left.
    LeftGhost,
    /// Rim marking a place that a checker of the right player has left.
    RightGhost,
    /// The cube in the middle.
    Cube,
    /// The number on the centred cube.
    CubeText,
    /// The numbers of the points.
    Number,
    /// Text on the felt.
    Words,
    /// Traces of the best play.
    Best,
    /// Traces of the play made.
    Played,
    /// Traces of the selected play.
    Moved,
}

/// The inks of a player's checkers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckerInks {
    pub face: Ink,
    pub rim: Ink,
    /// Highlight.
    pub light: Ink,
    pub text: Ink,
    /// Rim marking a place that a checker has left.
    pub ghost: Ink,
}

impl Ink {
    /// The inks of a player's checkers.
    pub fn of(player: Player) -> CheckerInks {
        match player {
            Player::Left => CheckerInks {
                face: Self::Left,
                rim: Self::LeftRim,
                light: Self::LeftLight,
                text: Self::LeftText,
                ghost: Self::LeftGhost,
            },
            Player::Right => CheckerInks {
                face: Self::Right,
                rim: Self::RightRim,
                light: Self::RightLight,
                text: Self::RightText,
                ghost: Self::RightGhost,
            },
        }
    }

    /// Returns whether the ink belongs to an object on the board; outlines of objects take precedence.
    pub fn is_raised(self) -> bool {
        !matches!(
            self,
            Self::Frame | Self::Felt | Self::Tray | Self::PointA | Self::PointB
        )
    }
}

/// A colour in the terminal's form and as RGB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tone {
    pub colour: Color,
    /// Approximate appearance.
    pub rgb: [u8; 3],
}

impl Tone {
    fn of(colour: Color) -> Self {
        Self {
            colour,
            rgb: rgb(colour),
        }
    }

    fn black() -> Self {
        Self::of(Color::Rgb(0, 0, 0))
    }

    /// Perceived lightness from 0 to 1.
    fn lightness(self) -> f32 {
        let weights = [0.2126, 0.7152, 0.0722];
        let parts = weights.iter().zip(self.rgb);
        parts
            .map(|(weight, part)| weight * f32::from(part) / 255.0)
            .sum()
    }

    /// Mixes in a `part` of another colour; returns itself if colours do not mix.
    fn toward(self, other: Self, part: f32) -> Self {
        let Color::Rgb(..) = self.colour else {
            return self;
        };
        let mix = |i: usize| {
            let (a, b) = (f32::from(self.rgb[i]), f32::from(other.rgb[i]));
            (a + (b - a) * part).round() as u8
        };
        Self::of(Color::Rgb(mix(0), mix(1), mix(2)))
    }
}

/// Returns a theme's colours for diagrams: those of its board, or wooden ones if it has none.
pub fn of_diagram(theme: &Theme) -> Colours {
    let wooden = Colours::default();
    // Themes without colours use printed diagrams.
    let Some(palette) = Palette::of(theme) else {
        return Colours::printed();
    };
    let colour = |ink| Rgb::from(palette.tone(ink).rgb);
    let known = |colour: Option<Color>, other| match colour {
        Some(colour) if colour != Color::Reset => Rgb::from(rgb(colour)),
        _ => other,
    };
    let (text, blunder) = (theme.style(Role::Text), theme.style(Role::Blunder));
    // If the theme leaves the page to the terminal, text is as on paper.
    let (page, ink) = match text.bg {
        Some(Color::Reset) | None => (wooden.page, wooden.ink),
        bg => (known(bg, wooden.page), known(text.fg, wooden.ink)),
    };
    Colours {
        page,
        ink,
        wood: colour(Ink::Frame),
        number: colour(Ink::Number),
        felt: colour(Ink::Felt),
        points: [colour(Ink::PointA), colour(Ink::PointB)],
        checkers: [colour(Ink::Left), colour(Ink::Right)],
        edges: [colour(Ink::LeftText), colour(Ink::RightText)],
        cube: colour(Ink::Cube),
        cube_ink: colour(Ink::CubeText),
        arrow: colour(Ink::Best),
        hit: known(blunder.fg, wooden.hit),
    }
}

/// The colours of a player's checkers.
struct CheckerTones {
    face: Tone,
    /// Colour of the text on it.
    text: Tone,
}

impl CheckerTones {
    /// Returns the colours of solid checkers, or of their signs (`plain`) in user themes without solid checkers.
    fn of(theme: &Theme, solid: Role, plain: Role) -> Option<Self> {
        let style = |role| theme.style(role);
        let face = style(solid).bg.or(style(plain).fg)?;
        let text = style(solid).fg.or(style(Role::Text).bg)?;
        Some(Self {
            face: Tone::of(face),
            text: Tone::of(text),
        })
    }

    /// A dark rim; almost black checkers have a lighter one.
    fn rim(&self) -> Tone {
        match self.face.lightness() < 0.17 {
            true => self.face.toward(self.text, 0.35),
            false => self.face.toward(Tone::black(), 0.45),
        }
    }

    fn light(&self) -> Tone {
        self.face.toward(Tone::of(Color::Rgb(255, 255, 255)), 0.3)
    }

    fn ghost(&self, felt: Tone) -> Tone {
        self.face.toward(felt, 0.35)
    }
}

/// The colours of all inks.
#[derive(Clone, Debug, PartialEq)]
pub struct Palette {
    tones: Vec<Tone>,
    /// Whether cells may have a colour between those of their inks.
    pub mixes: bool,
}

impl Palette {
    /// The colours of a theme; `None` if its checkers have no solid colours.
    pub fn of(theme: &Theme) -> Option<Self> {
        let style = |role| theme.style(role);
        let ground = |role| style(role).bg.or(style(Role::Text).bg);
        let ground = |role| Tone::of(ground(role).unwrap_or(Color::Reset));
        let left = CheckerTones::of(theme, Role::CheckerLeft, Role::Left)?;
        let right = CheckerTones::of(theme, Role::CheckerRight, Role::Right)?;
        let text = style(Role::Text).fg.unwrap_or(Color::Reset);
        let fore = |role| Tone::of(style(role).fg.unwrap_or(text));
        let (frame, felt) = (ground(Role::Frame), ground(Role::Felt));
        // The terminal's default text colour may equal the felt.
        let on_felt = |role| {
            let own = style(role).fg.or(style(Role::Felt).fg);
            Tone::of(own.unwrap_or(text))
        };
        let tone = |ink| match ink {
            Ink::Frame => frame,
            Ink::Felt => felt,
            Ink::Tray => felt.toward(Tone::black(), 0.22),
            Ink::PointA => ground(Role::PointA),
            Ink::PointB => ground(Role::PointB),
            Ink::Left => left.face,
            Ink::LeftRim => left.rim(),
            Ink::LeftText => left.text,
            Ink::LeftLight => left.light(),
            Ink::LeftGhost => left.ghost(felt),
            Ink::Right => right.face,
            Ink::RightRim => right.rim(),
            Ink::RightText => right.text,
            Ink::RightLight => right.light(),
            Ink::RightGhost => right.ghost(felt),
            Ink::Cube => ground(Role::Cube),
            Ink::CubeText => fore(Role::Cube),
            Ink::Number => fore(Role::Number),
            Ink::Words => on_felt(Role::Strong),
            Ink::Best => on_felt(Role::Best),
            Ink::Played => on_felt(Role::Played),
            Ink::Moved => on_felt(Role::Moved),
        };
        let tones: Vec<Tone> = Ink::ALL.iter().map(|&ink| tone(ink)).collect();
        let is_true = |tone: &Tone| matches!(tone.colour, Color::Rgb(..));
        Some(Self {
            mixes: tones.iter().all(is_true),
            tones,
        })
    }

    /// Returns the ink of borne-off checker number `i` from the edge of the board. Every second one differs from the
    /// checkers' face: it is their highlight if colours mix, otherwise the first ink that contrasts with face and
    /// tray. The frame's ink may be used and is therefore never at the edge. The text colour is unsuitable if it
    /// equals the tray.
    pub fn slab(&self, player: Player, i: u8) -> Ink {
        let face = Ink::of(player).face;
        match (i % 2 == 1) == self.mixes {
            true => face,
            false => self.other_slab(player),
        }
    }

    fn other_slab(&self, player: Player) -> Ink {
        /// Minimum contrast between neighbours.
        const ENOUGH: f64 = 2.0;
        let inks = Ink::of(player);
        if self.mixes {
            return inks.light;
        }
        let least = |ink: Ink| {
            let from = |other| contrast(self.tone(ink).colour, self.tone(other).colour);
            from(inks.face).min(from(Ink::Tray))
        };
        let all = [inks.text, Ink::Frame, Ink::PointA, Ink::PointB];
        let seen = all.into_iter().find(|ink| least(*ink) >= ENOUGH);
        let best = all
            .into_iter()
            .max_by(|a, b| least(*a).total_cmp(&least(*b)));
        seen.or(best).unwrap_or(inks.text)
    }

    pub fn tone(&self, ink: Ink) -> Tone {
        self.tones[ink as usize]
    }
}
