//! The colours of a board, by what they are the colour of.

use ratatui::style::Color;

use crate::diagram::{Colours, Rgb};
use crate::game::Player;
use crate::tui::theme::{Role, Theme, contrast, rgb};

macro_rules! inks {
    ($($(#[$doc:meta])* $ink:ident,)*) => {
        /// What a piece of the board is made of.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Ink { $($(#[$doc])* $ink,)* }

        impl Ink {
            /// All inks, in the order of their numbers.
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
    /// Every other point.
    PointA,
    /// The points between.
    PointB,
    /// A checker of the left player.
    Left,
    /// Its rim.
    LeftRim,
    /// What is written on it.
    LeftText,
    /// Where it catches the light.
    LeftLight,
    /// A checker of the right player.
    Right,
    /// Its rim.
    RightRim,
    /// What is written on it.
    RightText,
    /// Where it catches the light.
    RightLight,
    /// The rim of a checker of the left player that has gone away.
    LeftGhost,
    /// The rim of a checker of the right player that has gone away.
    RightGhost,
    /// The cube in the middle.
    Cube,
    /// Its number.
    CubeText,
    /// The numbers of the points.
    Number,
    /// Words on the felt.
    Words,
    /// What the best play moves.
    Best,
    /// What the play that was made moves.
    Played,
    /// What the selected play moves.
    Moved,
}

/// What a player's checkers are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckerInks {
    /// The checker.
    pub face: Ink,
    /// Its rim.
    pub rim: Ink,
    /// Where it catches the light.
    pub light: Ink,
    /// What is written on it.
    pub text: Ink,
    /// The rim of one that has gone.
    pub ghost: Ink,
}

impl Ink {
    /// What a player's checkers are made of.
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

    /// Whether what has this ink lies on the board and not in it: the outlines of such things come first.
    pub fn is_raised(self) -> bool {
        !matches!(
            self,
            Self::Frame | Self::Felt | Self::Tray | Self::PointA | Self::PointB
        )
    }
}

/// A colour as the terminal gets it, and as it is reckoned with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tone {
    /// For the terminal.
    pub colour: Color,
    /// How it looks, as far as that is known.
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

    /// How light this colour looks, from 0 to 1.
    fn lightness(self) -> f32 {
        let weights = [0.2126, 0.7152, 0.0722];
        let parts = weights.iter().zip(self.rgb);
        parts
            .map(|(weight, part)| weight * f32::from(part) / 255.0)
            .sum()
    }

    /// Part of the way to another colour; where colours do not mix, itself.
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

/// The colours of a diagram in a theme: those of the board; a wooden one where the theme has none.
pub fn of_diagram(theme: &Theme) -> Colours {
    let wooden = Colours::default();
    // A theme without colours is printed.
    let Some(palette) = Palette::of(theme) else {
        return Colours::printed();
    };
    let colour = |ink| Rgb::from(palette.tone(ink).rgb);
    let known = |colour: Option<Color>, other| match colour {
        Some(colour) if colour != Color::Reset => Rgb::from(rgb(colour)),
        _ => other,
    };
    let (text, blunder) = (theme.style(Role::Text), theme.style(Role::Blunder));
    // Words on a ground that the theme leaves to the terminal are as on paper.
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
    /// Of what is written on it.
    text: Tone,
}

impl CheckerTones {
    /// Those of solid checkers, or of their signs, which are `plain`: all that a theme of someone who knows no solid ones
    /// has.
    fn of(theme: &Theme, solid: Role, plain: Role) -> Option<Self> {
        let style = |role| theme.style(role);
        let face = style(solid).bg.or(style(plain).fg)?;
        let text = style(solid).fg.or(style(Role::Text).bg)?;
        Some(Self {
            face: Tone::of(face),
            text: Tone::of(text),
        })
    }

    /// A shadow all around; what is nearly black itself has a lighter edge.
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
    /// Whether a cell may get a colour between those of its inks.
    pub mixes: bool,
}

impl Palette {
    /// The colours of a theme; none if its checkers have no colours of their own to be solid with.
    pub fn of(theme: &Theme) -> Option<Self> {
        let style = |role| theme.style(role);
        let ground = |role| style(role).bg.or(style(Role::Text).bg);
        let ground = |role| Tone::of(ground(role).unwrap_or(Color::Reset));
        let left = CheckerTones::of(theme, Role::CheckerLeft, Role::Left)?;
        let right = CheckerTones::of(theme, Role::CheckerRight, Role::Right)?;
        let text = style(Role::Text).fg.unwrap_or(Color::Reset);
        let fore = |role| Tone::of(style(role).fg.unwrap_or(text));
        let (frame, felt) = (ground(Role::Frame), ground(Role::Felt));
        // The terminal's own colour of text may be that of the felt.
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

    /// The ink of a checker that is borne off, number `i` from the edge of the board. Every other one has another than the
    /// checkers' own: their light where colours mix, and else the first that stands out from them and from the tray. That
    /// may be the frame's, so it is not at the edge then. What is written on checkers may have the colour of the tray.
    pub fn slab(&self, player: Player, i: u8) -> Ink {
        let face = Ink::of(player).face;
        match (i % 2 == 1) == self.mixes {
            true => face,
            false => self.other_slab(player),
        }
    }

    fn other_slab(&self, player: Player) -> Ink {
        /// Contrast that is seen in a row.
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

    /// The colour of an ink.
    pub fn tone(&self, ink: Ink) -> Tone {
        self.tones[ink as usize]
    }
}
