//! Scores as a filter names them, seen by the player who decides.

use super::super::PackedDecision;
use super::super::packed::flag;

/// Scores that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreTest {
    /// Money play.
    Money,
    /// A match.
    Match,
    /// Both need one point.
    Dmp,
    /// The Crawford game.
    Crawford,
    /// After the Crawford game.
    PostCrawford,
    /// Both need two to five points.
    Short,
    /// Both need two points or more, and one of them six or more.
    Long,
    /// The player who decides needs so many points and the other so many; `None`: any number.
    Away(Option<u16>, Option<u16>),
}

impl ScoreTest {
    /// Reads one: `money`, `dmp`, `3-5`, `2-*`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "money" => Self::Money,
            "match" => Self::Match,
            "dmp" => Self::Dmp,
            "crawford" => Self::Crawford,
            "post-crawford" => Self::PostCrawford,
            "short" => Self::Short,
            "long" => Self::Long,
            _ => {
                let (own, other) = text.split_once('-')?;
                let points = |text: &str| match text {
                    "*" => Some(None),
                    _ => text.parse().ok().map(Some),
                };
                Self::Away(points(own)?, points(other)?)
            }
        })
    }

    /// Whether a decision was at such a score.
    #[must_use]
    pub fn fits(self, one: &PackedDecision) -> bool {
        let crawford = one.flags() & flag::CRAWFORD != 0;
        let Some([own, other]) = one.away() else {
            return self == Self::Money;
        };
        match self {
            Self::Money => false,
            Self::Match => true,
            Self::Dmp => (own, other) == (1, 1),
            Self::Crawford => crawford,
            Self::PostCrawford => {
                let last = own.min(other) == 1 && own.max(other) > 1;
                last && !crawford && one.flags() & flag::NO_CRAWFORD == 0
            }
            Self::Short => own.min(other) > 1 && own.max(other) <= 5,
            Self::Long => own.min(other) > 1 && own.max(other) > 5,
            Self::Away(mine, theirs) => {
                mine.is_none_or(|n| n == own) && theirs.is_none_or(|n| n == other)
            }
        }
    }
}
