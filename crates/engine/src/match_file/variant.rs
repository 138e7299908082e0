//! Variants of the game that programs name in a head: where their games start.

use super::text::quote;
use crate::game::Position;

/// What is reported of a match that is played without a cube.
pub(super) const WITHOUT_CUBE: &str = "by its rules no cube is used; it is read as play with one, so its missed doubles are no errors";

/// What the head of a file says of the variant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Variant {
    #[default]
    Backgammon,
    Nackgammon,
    /// One with other rules or another number of checkers.
    Other,
}

impl Variant {
    /// The variant of this name.
    pub(super) fn of(name: &str) -> Self {
        let name = name.trim();
        let is = |what: &str| name.eq_ignore_ascii_case(what);
        if name.is_empty() || is("Backgammon") || is("Standard") {
            Self::Backgammon
        } else if is("Nackgammon") {
            Self::Nackgammon
        } else {
            Self::Other
        }
    }

    /// The position from which games of this variant start, unless one is set up.
    pub(super) fn start(self) -> Position {
        match self {
            Self::Nackgammon => Position::nackgammon(),
            Self::Backgammon | Self::Other => Position::opening(),
        }
    }

    /// What is reported of a match of this variant, called `name` in its file.
    pub(super) fn complaint(self, name: &str) -> String {
        let start = match self {
            Self::Nackgammon => " from its own start",
            Self::Backgammon | Self::Other => "",
        };
        format!(
            "the variation '{}' is read as backgammon{start}",
            quote(name)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_variants() {
        assert_eq!(Variant::of(" NackGammon"), Variant::Nackgammon);
        assert_eq!(Variant::of("Backgammon"), Variant::Backgammon);
        assert_eq!(Variant::of("Hypergammon3"), Variant::Other);
        let start = Variant::Nackgammon.start();
        assert_eq!(start, start.flipped());
        assert_eq!((start.mover.pips(), start.mover.at(23)), (194, 2));
        assert_eq!(Variant::Other.start(), Position::opening());
        let drawn = [(24, 2), (23, 2), (13, 4), (8, 3), (6, 4)];
        assert_eq!(Position::from_points(&drawn, &drawn), Ok(start));
    }
}
