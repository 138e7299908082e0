//! Variants of the game named in the head of a file, and their starting positions.

use super::text::quote;
use crate::game::Position;

/// Warning about a match without a cube.
pub(super) const WITHOUT_CUBE: &str = "by its rules no cube is used; it is read as play with one, so its missed doubles are no errors";

/// The variant named in the head of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Variant {
    #[default]
    Backgammon,
    Nackgammon,
    /// A variant with other rules or another number of checkers.
    Other,
}

impl Variant {
    /// Returns the variant with this name.
    pub(super) fn of(name: &str) -> Self {
        let name = name.trim();
        let is_called = |variant: &str| name.eq_ignore_ascii_case(variant);
        if name.is_empty() || is_called("Backgammon") || is_called("Standard") {
            Self::Backgammon
        } else if is_called("Nackgammon") {
            Self::Nackgammon
        } else {
            Self::Other
        }
    }

    /// Returns the starting position of the variant, for games that are not set up.
    pub(super) fn start(self) -> Position {
        match self {
            Self::Nackgammon => Position::nackgammon(),
            Self::Backgammon | Self::Other => Position::opening(),
        }
    }

    /// Returns the warning about a match of this variant, whose file calls it `name`.
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
