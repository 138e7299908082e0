//! Which estimate of the luck is subtracted.

use std::fmt;
use std::str::FromStr;

use serde_with::{DeserializeFromStr, SerializeDisplay};

use super::limits::MOST_PLIES;
use super::setup::Setup;

/// Which estimate of the luck is subtracted from a trial's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, SerializeDisplay, DeserializeFromStr)]
pub enum LuckKind {
    /// The kind that costs least for its worth.
    /// That is lookahead, from the values that deeper play computes anyway; at 0-ply play from static values.
    /// `docs/methods/rollouts.md` has the figures.
    Auto,
    /// None: the plain result.
    None,
    /// By the luck net: one evaluation of the position before the roll.
    Net,
    /// Dahl's: the value of the best play of the roll less its mean over all thirty-six, at so
    /// many plies; `None` for those that the play looks up anyway.
    Lookahead(Option<u8>),
}

impl LuckKind {
    /// Returns whether luck is subtracted.
    pub fn is_some(self) -> bool {
        self != Self::None
    }

    /// The kind that costs least a trial at 0-ply play, where many trials are wanted rather than little
    /// chance in each: the luck net if there is one, else lookahead.
    pub fn least(setup: &Setup) -> Self {
        if setup.has_luck_net() {
            Self::Net
        } else {
            Self::Lookahead(Some(0))
        }
    }
}

impl LuckKind {
    /// The kind of luck in words, for readers.
    pub fn words(self) -> String {
        match self {
            Self::None => "no variance reduction".to_owned(),
            Self::Net => "variance reduction by the luck net".to_owned(),
            Self::Auto | Self::Lookahead(None) => "variance reduction by lookahead".to_owned(),
            Self::Lookahead(Some(ply)) => format!("variance reduction by {ply}-ply lookahead"),
        }
    }
}

impl fmt::Display for LuckKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::None => f.write_str("none"),
            Self::Net => f.write_str("net"),
            Self::Lookahead(None) => f.write_str("lookahead"),
            Self::Lookahead(Some(ply)) => write!(f, "lookahead={ply}"),
        }
    }
}

impl FromStr for LuckKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let ply = |digit: &str| digit.parse().ok().filter(|p| *p <= MOST_PLIES);
        Ok(match text {
            "auto" => Self::Auto,
            "none" => Self::None,
            "net" => Self::Net,
            "lookahead" => Self::Lookahead(None),
            _ => match text.strip_prefix("lookahead=").and_then(ply) {
                Some(ply) => Self::Lookahead(Some(ply)),
                None => {
                    return Err("expected auto, none, net, lookahead or lookahead=PLY".to_owned());
                }
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_luck_have_names() {
        for text in [
            "auto",
            "none",
            "net",
            "lookahead",
            "lookahead=0",
            "lookahead=3",
        ] {
            assert_eq!(text.parse::<LuckKind>().unwrap().to_string(), text);
        }
        for bad in ["", "some", "lookahead=", "lookahead=9", "lookahead=-1"] {
            assert!(bad.parse::<LuckKind>().is_err(), "{bad}");
        }
    }
}
