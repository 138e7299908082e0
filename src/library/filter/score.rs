//! Score conditions of a filter, seen by the player who decides.

use super::super::PackedDecision;

/// A region of scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ScoreRegion {
    /// Money play.
    Money,
    /// Both players need one point.
    Dmp,
    /// One player needs one point, and the cube is out of play.
    Crawford,
    /// One player needs one point, and the other may double: after the Crawford game, or in a match without that
    /// rule.
    PostCrawford,
    /// Both players need at most five points.
    Short,
    /// All other scores.
    Long,
}

impl ScoreRegion {
    pub const ALL: [Self; 6] = [
        Self::Money,
        Self::Dmp,
        Self::Crawford,
        Self::PostCrawford,
        Self::Short,
        Self::Long,
    ];

    /// Name in a filter.
    pub fn filter(self) -> &'static str {
        match self {
            Self::Money => "money",
            Self::Dmp => "dmp",
            Self::Crawford => "crawford",
            Self::PostCrawford => "post-crawford",
            Self::Short => "short",
            Self::Long => "long",
        }
    }

    /// Returns the region of a score, given the points that both players need.
    pub fn of(away: Option<(u16, u16)>, is_crawford: bool) -> Self {
        match away {
            None => Self::Money,
            Some((1, 1)) => Self::Dmp,
            Some(_) if is_crawford => Self::Crawford,
            Some((1, _) | (_, 1)) => Self::PostCrawford,
            Some((a, b)) if a.max(b) <= 5 => Self::Short,
            Some(_) => Self::Long,
        }
    }

    /// Name for the user.
    pub fn name(self) -> &'static str {
        match self {
            Self::Money => "money",
            Self::Dmp => "DMP",
            Self::Crawford => "Crawford",
            Self::PostCrawford => "post-Crawford",
            Self::Short => "5-away or less",
            Self::Long => "more than 5-away",
        }
    }
}

/// A condition on the score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreTest {
    Match,
    Region(ScoreRegion),
    /// Points needed by the player who decides and by the opponent; `None` for any number.
    Away(Option<u16>, Option<u16>),
}

impl ScoreTest {
    /// Parses a score condition: `money`, `dmp`, `3-5`, `2-*`.
    pub fn parse(text: &str) -> Option<Self> {
        let mut regions = ScoreRegion::ALL.into_iter();
        if let Some(region) = regions.find(|region| region.filter() == text) {
            return Some(Self::Region(region));
        }
        if text == "match" {
            return Some(Self::Match);
        }
        let (own, other) = text.split_once('-')?;
        let points = |text: &str| match text {
            "*" => Some(None),
            _ => text.parse().ok().map(Some),
        };
        Some(Self::Away(points(own)?, points(other)?))
    }

    /// Returns whether a decision has such a score.
    pub fn fits(self, one: &PackedDecision) -> bool {
        let away = one.away();
        match self {
            Self::Match => away.is_some(),
            Self::Region(region) => ScoreRegion::of(away, one.is_crawford()) == region,
            Self::Away(mine, theirs) => away.is_some_and(|(own, other)| {
                mine.is_none_or(|n| n == own) && theirs.is_none_or(|n| n == other)
            }),
        }
    }
}
