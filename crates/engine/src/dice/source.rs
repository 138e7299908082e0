//! Sources of the rolls of trials, with their names.

use std::fmt;
use std::str::FromStr;

use serde_with::{DeserializeFromStr, SerializeDisplay};
use thiserror::Error;

use crate::game::Roll;
use crate::game::roll::{DISTINCT, ORDERED};

use super::stream::SOBOL_BLOCK;

/// Maximum depth of stratification: 36⁴ trials are a full set.
pub const MOST_DEPTH: u8 = 4;
/// Maximum number of prescribed rolls in a game.
pub const MOST_PRESCRIBED: usize = 128;
/// Number of ordered rolls that are not doubles.
pub const NO_DOUBLES: usize = 30;

/// A source of dice. With every source, the rolls of trial *i* depend only on the seed and on *i*, not on the
/// number of trials. Every single roll is uniform.
#[derive(Clone, Copy, Debug, PartialEq, Eq, SerializeDisplay, DeserializeFromStr)]
pub enum DiceSource {
    /// Independent random rolls.
    Random,
    /// Each block of 36 trials has each of the 36 first rolls once, in its own order. If the first roll is no
    /// double, as at the start of a game, a block has 30 trials.
    Rotation,
    /// Any 36 *consecutive* trials have each first roll once (30 if it is no double). Each block of 36 has
    /// each of the second, third, … rolls once, down to `depth`. Each 36², 36³, … trials have every sequence
    /// of 2, 3, … rolls once.
    Stratified {
        /// Number of stratified rolls, 1 to [`MOST_DEPTH`].
        depth: u8,
        /// Later rolls come from decks.
        decks: bool,
    },
    /// Dahl's decks of cards: for every turn a shuffled deck of the 36 rolls, dealt to the 36 trials of a
    /// block.
    Decks,
    /// Owen-scrambled Sobol' points: one net for each 32 trials, one dimension per turn.
    Sobol,
    /// Rolls from a file, one game per line; a longer game continues at random.
    Prescribed {
        /// Number of games in the file.
        games: u64,
        /// CRC-32 of their rolls.
        crc32: u32,
    },
}

/// A text that is not the name of a source of dice.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "'{text}' is no source of dice: expected random, rotation, stratified[=1 to {MOST_DEPTH}], \
     cross, decks, cross+decks or sobol"
)]
pub struct SourceError {
    text: String,
}

impl DiceSource {
    /// Returns the number of trials in a block. Blocks are independent, or under deeper stratification nearly
    /// so, with an error on the safe side.
    pub fn block(self, initial: bool) -> u64 {
        match self {
            Self::Sobol => SOBOL_BLOCK,
            _ if initial => NO_DOUBLES as u64,
            _ => ORDERED as u64,
        }
    }

    /// Returns whether each block has every first roll once.
    pub fn stratifies_first(self) -> bool {
        matches!(self, Self::Rotation | Self::Stratified { .. } | Self::Decks)
    }

    /// Returns whether each 36 blocks have every pair of first and second rolls once.
    pub fn stratifies_pairs(self) -> bool {
        matches!(self, Self::Stratified { depth: 2.., .. })
    }

    /// Returns whether trials of a block are correlated beyond their first two rolls, so that a valid
    /// standard error requires the spread of whole blocks.
    pub fn ties_blocks(self) -> bool {
        matches!(
            self,
            Self::Decks | Self::Sobol | Self::Stratified { decks: true, .. }
        )
    }
}

impl DiceSource {
    /// Describes the source in words.
    pub fn words(self) -> String {
        match self {
            Self::Random => "random dice".to_owned(),
            Self::Rotation => "all 36 first rolls in turn".to_owned(),
            Self::Stratified {
                depth: 1,
                decks: false,
            } => "first rolls stratified".to_owned(),
            Self::Stratified {
                depth,
                decks: false,
            } => {
                format!("first {depth} rolls stratified")
            }
            Self::Stratified { depth, decks: true } => {
                format!("first {depth} rolls stratified, the others from decks")
            }
            Self::Decks => "decks of 36 rolls".to_owned(),
            Self::Sobol => "Sobol' dice".to_owned(),
            Self::Prescribed { .. } => "dice from a file".to_owned(),
        }
    }
}

impl fmt::Display for DiceSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Random => f.write_str("random"),
            Self::Rotation => f.write_str("rotation"),
            Self::Stratified {
                depth: 2,
                decks: true,
            } => f.write_str("cross+decks"),
            Self::Stratified { depth, decks } => {
                write!(f, "stratified={depth}{}", if decks { "+decks" } else { "" })
            }
            Self::Decks => f.write_str("decks"),
            Self::Sobol => f.write_str("sobol"),
            Self::Prescribed { games, crc32 } => write!(f, "preset={games}:{crc32:08x}"),
        }
    }
}

impl FromStr for DiceSource {
    type Err = SourceError;

    fn from_str(text: &str) -> Result<Self, SourceError> {
        let wrong = || SourceError {
            text: text.chars().take(40).collect(),
        };
        let (name, decks) = match text.strip_suffix("+decks") {
            Some(name) => (name, true),
            None => (text, false),
        };
        let stratified = |depth: u8| Self::Stratified { depth, decks };
        Ok(match (name, decks) {
            ("random", false) => Self::Random,
            ("rotation", false) => Self::Rotation,
            ("decks", false) => Self::Decks,
            ("sobol", false) => Self::Sobol,
            ("stratified", _) => stratified(3),
            ("cross", _) => stratified(2),
            _ => {
                let (name, value) = name.split_once('=').ok_or_else(wrong)?;
                match name {
                    "stratified" => {
                        let depth = value.parse().map_err(|_| wrong())?;
                        if !(1..=MOST_DEPTH).contains(&depth) {
                            return Err(wrong());
                        }
                        stratified(depth)
                    }
                    "preset" if !decks => {
                        let (games, crc32) = value.split_once(':').ok_or_else(wrong)?;
                        Self::Prescribed {
                            games: games.parse().map_err(|_| wrong())?,
                            crc32: u32::from_str_radix(crc32, 16).map_err(|_| wrong())?,
                        }
                    }
                    _ => return Err(wrong()),
                }
            }
        })
    }
}

/// Returns the numbers of the ordered rolls that are not doubles.
pub(super) const fn no_doubles() -> [u8; NO_DOUBLES] {
    let mut all = [0; NO_DOUBLES];
    let (mut n, mut i) = (0, 0);
    while n < ORDERED {
        if n / 6 != n % 6 {
            all[i] = n as u8;
            i += 1;
        }
        n += 1;
    }
    all
}

/// Returns the index of each of the 21 distinct rolls among the possible first rolls; `None` for doubles if
/// `initial`.
pub fn first_places(initial: bool) -> [Option<u8>; DISTINCT] {
    let mut next = 0;
    std::array::from_fn(|i| {
        let out = initial && Roll::ALL[i].is_double();
        (!out).then(|| {
            next += 1;
            next - 1
        })
    })
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrescribedDice {
    games: Vec<Vec<u8>>,
    crc32: u32,
}

/// Errors in a file of dice.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PrescribedError {
    /// A text that is not a roll.
    #[error("line {line}: '{text}' is not a roll: expected two dice from 1 to 6, such as 31")]
    Roll {
        /// Line, from 1.
        line: usize,
        text: String,
    },
    /// A game with too many rolls.
    #[error("line {line}: more than {MOST_PRESCRIBED} rolls")]
    TooLong {
        /// Line, from 1.
        line: usize,
    },
    /// A game from an initial position that begins with a double.
    #[error("line {line}: an initial position cannot begin with a double")]
    Double {
        /// Line, from 1.
        line: usize,
    },
    /// The file contains no rolls.
    #[error("no rolls in it")]
    Empty,
}

impl PrescribedDice {
    /// Parses games: one per line, with separated rolls such as `31`; empty lines and lines that begin with
    /// `#` are skipped.
    ///
    /// # Errors
    /// [`PrescribedError`] with the line.
    pub fn parse(text: &str, initial: bool) -> Result<Self, PrescribedError> {
        let mut games = Vec::new();
        let mut crc = crc32fast::Hasher::new();
        for (i, line) in text.lines().enumerate() {
            let line_number = i + 1;
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let mut game = Vec::new();
            for word in line.split_whitespace() {
                let roll: Roll = word.parse().map_err(|_| PrescribedError::Roll {
                    line: line_number,
                    text: word.chars().take(20).collect(),
                })?;
                if game.len() == MOST_PRESCRIBED {
                    return Err(PrescribedError::TooLong { line: line_number });
                }
                game.push((roll.high() - 1) * 6 + roll.low() - 1);
            }
            if initial && game[0] / 6 == game[0] % 6 {
                return Err(PrescribedError::Double { line: line_number });
            }
            crc.update(&game);
            crc.update(&[u8::MAX]);
            games.push(game);
        }
        if games.is_empty() {
            return Err(PrescribedError::Empty);
        }
        Ok(Self {
            games,
            crc32: crc.finalize(),
        })
    }

    pub fn games(&self) -> u64 {
        self.games.len() as u64
    }

    /// Returns the source of dice that deals these games.
    pub fn source(&self) -> DiceSource {
        DiceSource::Prescribed {
            games: self.games(),
            crc32: self.crc32,
        }
    }

    /// Returns the rolls of game `trial`, as numbers of ordered rolls; empty if there is no such game.
    pub(super) fn game(&self, trial: u64) -> &[u8] {
        let place = usize::try_from(trial).unwrap_or(usize::MAX);
        self.games.get(place).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_written() {
        for text in [
            "random",
            "rotation",
            "stratified=1",
            "stratified=3",
            "stratified=4+decks",
            "cross+decks",
            "decks",
            "sobol",
            "preset=12:00ab34ff",
        ] {
            let source: DiceSource = text.parse().unwrap();
            assert_eq!(source.to_string(), text);
            let json = serde_json::to_string(&source).unwrap();
            assert_eq!(serde_json::from_str::<DiceSource>(&json).unwrap(), source);
        }
        assert_eq!("cross".parse(), "stratified=2".parse::<DiceSource>());
        for bad in [
            "",
            "dice",
            "stratified=0",
            "stratified=5",
            "sobol+decks",
            "preset=1",
        ] {
            assert!(bad.parse::<DiceSource>().is_err(), "{bad}");
        }
    }

    #[test]
    fn files_of_dice_are_checked() {
        let prescribed = PrescribedDice::parse("# two games\n31 66\n\n 54 21 11\n", false).unwrap();
        assert_eq!(prescribed.games(), 2);
        assert_eq!(prescribed.game(0), [12, 35]);
        assert_eq!(prescribed.game(2), [0u8; 0]);
        assert_ne!(
            prescribed.source(),
            PrescribedDice::parse("31\n66 54 21 11", false)
                .unwrap()
                .source()
        );
        let error = |text: &str, initial| {
            PrescribedDice::parse(text, initial)
                .unwrap_err()
                .to_string()
        };
        assert!(error("31\n71", false).starts_with("line 2: '71'"));
        assert!(error("31\n22 31", true).starts_with("line 2: an initial"));
        assert!(error("# nothing", false).contains("no rolls"));
        assert!(error(&"31 ".repeat(129), false).contains("more than 128"));
    }

    #[test]
    fn first_rolls_without_doubles() {
        assert!(no_doubles().iter().all(|n| n / 6 != n % 6));
        assert_eq!(first_places(true).iter().flatten().count(), 15);
        assert_eq!(first_places(false).iter().flatten().count(), 21);
    }
}
