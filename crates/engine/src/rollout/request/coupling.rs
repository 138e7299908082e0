//! How the dice of several candidates depend on each other.
//!
//! A comparison seeks the difference of two plays. If both have similar luck in trial *i*, the luck
//! cancels (matched pairs; R. Koca, *A new variance reduction technique*, bug-gnubg, March 2009).
//! A [`Coupling`] defines how luck is made similar.
//!
//! Under every coupling each candidate alone has fair dice. Its next roll depends on a uniform number from 0
//! to 35, and on what was settled before that number was drawn. However that was settled, the numbers go to
//! the thirty-six ordered rolls one to one. `docs/methods/coupled-dice.md` has the proof, [`crate::dice`]
//! the tests.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_with::{DeserializeFromStr, SerializeDisplay};

use super::luck_kind::LuckKind;

/// How the dice of several candidates depend on each other. As text: `none`, `dice`, `rank`,
/// `quantile=0.1`, `hybrid=12`, `near=6`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, SerializeDisplay, DeserializeFromStr)]
pub enum Coupling {
    /// Each candidate has dice of its own.
    None,
    /// Trial i of every candidate gets the same dice.
    Dice,
    /// Koca's: trial i of every candidate gets rolls of the same rank of luck.
    Rank,
    /// One quantile of luck for all candidates. Rolls whose luck lies in the same step of a scale are
    /// alike and share their chance. The scale is laid at random each turn. Among such rolls the
    /// candidates choose the same roll where they can. The smaller the step the more it is like
    /// ranks, the larger the more like the same dice.
    Quantile {
        /// A step, in thousandths of a point.
        step: u16,
    },
    /// The same roll where its ranks in the two candidates differ by no more than this; the other
    /// rolls are matched by rank among themselves. Two candidates.
    Hybrid {
        /// Most places between the two ranks of a roll that both candidates get.
        within: u8,
    },
    /// The same dice while the two positions are near each other, ranks while they are not. Two
    /// candidates.
    Near {
        /// Most checkers, of both sides together, that stand elsewhere.
        checkers: u8,
    },
}

impl Coupling {
    /// Quantiles of luck with the usual step, a tenth of a point.
    pub const QUANTILE: Self = Self::Quantile { step: 100 };
    /// The hybrid with the usual reach, a third of the ranks.
    pub const HYBRID: Self = Self::Hybrid { within: 12 };
    /// The same dice while at most so many checkers stand elsewhere as is usual, four.
    pub const NEAR: Self = Self::Near { checkers: 4 };

    /// All couplings with their usual figures, the simplest first. What a coupling is called, what help says
    /// of it and whom it serves stands in this file; what it does to the dice in `roll_source`.
    pub const ALL: [Self; 6] = [
        Self::None,
        Self::Dice,
        Self::Rank,
        Self::QUANTILE,
        Self::HYBRID,
        Self::NEAR,
    ];

    /// The couplings that a pilot tries on so many candidates.
    pub fn tried(candidates: usize) -> impl Iterator<Item = Self> {
        let all = [Self::Dice, Self::Rank, Self::QUANTILE, Self::HYBRID];
        let fits = move |c: &Self| candidates == 2 || !c.is_for_two();
        all.into_iter().filter(fits)
    }

    /// Returns whether rolls are put in order of luck.
    pub fn is_ranked(self) -> bool {
        !matches!(self, Self::None | Self::Dice)
    }

    /// Returns whether the coupling works for two candidates only.
    pub fn is_for_two(self) -> bool {
        matches!(self, Self::Hybrid { .. } | Self::Near { .. })
    }

    /// The coupling in words, with its figure.
    pub fn words(self) -> String {
        match self {
            Self::None => "independent dice".to_owned(),
            Self::Dice => "the same dice".to_owned(),
            Self::Rank => "matched ranks".to_owned(),
            Self::Quantile { step } => {
                format!("matched quantiles of luck, in steps of {}", points(step))
            }
            Self::Hybrid { within } => format!("the same dice within {within} ranks, else ranks"),
            Self::Near { checkers } => {
                format!("the same dice while at most {checkers} checkers differ, then ranks")
            }
        }
    }
}

impl Coupling {
    /// Name of the coupling without its figure.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Dice => "dice",
            Self::Rank => "rank",
            Self::Quantile { .. } => "quantile",
            Self::Hybrid { .. } => "hybrid",
            Self::Near { .. } => "near",
        }
    }

    /// The coupling in a word or two without its figure, for a title.
    pub fn short(self) -> &'static str {
        match self {
            Self::None => "independent dice",
            Self::Dice => "same dice",
            Self::Rank => "ranks",
            Self::Quantile { .. } => "quantiles",
            Self::Hybrid { .. } => "hybrid",
            Self::Near { .. } => "near",
        }
    }

    /// The coupling in a word or two with its figure, for a title.
    pub fn short_with_figure(self) -> String {
        let figure = match self {
            Self::None | Self::Dice | Self::Rank => return self.short().to_owned(),
            Self::Quantile { step } => points(step),
            Self::Hybrid { within } => within.to_string(),
            Self::Near { checkers } => checkers.to_string(),
        };
        format!("{} {figure}", self.short())
    }

    /// The coupling without its figure as a choice among the settings.
    pub fn choice(self) -> &'static str {
        match self {
            Self::None => "independent dice",
            Self::Dice => "the same dice",
            Self::Rank => "matched ranks, ties broken alike",
            Self::Quantile { .. } => "matched quantiles of luck",
            Self::Hybrid { .. } => "same roll where ranks are near, else ranks",
            Self::Near { .. } => "the same dice while alike, then ranks",
        }
    }

    /// Returns the coupling's entry in the command line's help: its spelling, and its effect in lines.
    pub fn help(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Self::None => ("none", &["dice of its own for each play"]),
            Self::Dice => ("dice", &["the same rolls for all"]),
            Self::Rank => (
                "rank",
                &[
                    "rolls that are equally lucky: of equal rank among the 36 of the",
                    "position (Koca)",
                ],
            ),
            Self::Quantile { .. } => (
                "quantile[=X]",
                &[
                    "the same by the amount of luck; rolls within X points (0.1)",
                    "count as alike, and then the plays get the same one where they",
                    "can",
                ],
            ),
            Self::Hybrid { .. } => (
                "hybrid[=W]",
                &[
                    "the same roll where its ranks differ by at most W (12), else",
                    "ranks; two plays",
                ],
            ),
            Self::Near { .. } => (
                "near[=N]",
                &[
                    "the same rolls while at most N checkers (4) stand elsewhere,",
                    "then ranks; two plays",
                ],
            ),
        }
    }
}

/// Thousandths of a point as points.
fn points(step: u16) -> String {
    format!("{}", f64::from(step) / 1000.0)
}

impl fmt::Display for Coupling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name();
        match *self {
            Self::None | Self::Dice | Self::Rank => f.write_str(name),
            Self::Quantile { step } => write!(f, "{name}={}", points(step)),
            Self::Hybrid { within } => write!(f, "{name}={within}"),
            Self::Near { checkers } => write!(f, "{name}={checkers}"),
        }
    }
}

impl FromStr for Coupling {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            "expected none, dice, rank, quantile[=POINTS] (0.001 to 65), hybrid[=RANKS] (0 to 36), \
             near[=CHECKERS] (0 to 30)"
                .to_owned()
        };
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        let small = |value: &str, most: u8| value.parse().ok().filter(|v| *v <= most);
        let usual = Self::ALL.into_iter().find(|c| c.name() == name);
        let coupling = match (usual, value) {
            (usual, None) => usual,
            (Some(Self::Quantile { .. }), Some(value)) => {
                let step = value.parse::<f64>().ok().map(|p| (1000.0 * p).round());
                let step = step.filter(|s| (1.0..=65_000.0).contains(s));
                step.map(|s| Self::Quantile { step: s as u16 })
            }
            (Some(Self::Hybrid { .. }), Some(value)) => {
                small(value, 36).map(|within| Self::Hybrid { within })
            }
            (Some(Self::Near { .. }), Some(value)) => {
                small(value, 30).map(|checkers| Self::Near { checkers })
            }
            _ => None,
        };
        coupling.ok_or_else(wrong)
    }
}

/// How rolls are put in order, where a coupling asks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ranks {
    /// Value that orders the rolls. [`LuckKind::Auto`]: the luck that is subtracted.
    /// Without any, it is the luck net at 0-ply play if the evaluator has one, otherwise lookahead.
    pub by: LuckKind,
    /// Each candidate breaks ties by chance of its own, as in Koca's method.
    /// Candidates that have coalesced can then part again.
    /// Otherwise one random number breaks them in all candidates.
    pub own_ties: bool,
}

impl Default for Ranks {
    fn default() -> Self {
        Self {
            by: LuckKind::Auto,
            own_ties: false,
        }
    }
}

impl Ranks {
    /// Returns whether these are the default, which is not written.
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn couplings_have_names() {
        for text in [
            "none",
            "dice",
            "rank",
            "quantile=0.1",
            "quantile=0.025",
            "hybrid=3",
            "hybrid=36",
            "near=0",
        ] {
            let coupling: Coupling = text.parse().unwrap();
            assert_eq!(coupling.to_string(), text);
            let json = serde_json::to_string(&coupling).unwrap();
            assert_eq!(json, format!("\"{text}\""));
            assert_eq!(serde_json::from_str::<Coupling>(&json).unwrap(), coupling);
        }
        assert_eq!("hybrid".parse(), Ok(Coupling::HYBRID));
        assert_eq!("quantile".parse(), Ok(Coupling::QUANTILE));
        for bad in [
            "",
            "ranks",
            "hybrid=37",
            "quantile=0",
            "quantile=nan",
            "near=-1",
            "dice=2",
        ] {
            assert!(bad.parse::<Coupling>().is_err(), "{bad}");
        }
    }
}
