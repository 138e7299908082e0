//! A net: integer weights, the file they are kept in, and what a file must prove to be used.
//!
//! ```text
//! sum      = bias + the rows of the position            256 x i16, unit 1/1024
//! active   = clamp(sum, 0, 1)²                          256 x i16, unit 1/4096
//! output_o = bias_o + Σ active · weight_o               6 x i32, one head of HEADS
//! chances  = softmax(output)
//! ```
//! A net file is a line that names the format, a line of JSON (architecture, recipe, checksum),
//! and the weights as little-endian 16- and 32-bit integers.

use std::path::Path;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::features::{HEADS, LAYOUT, ROWS};
use super::simd::{ACTIVATION_BITS, FULL, HIDDEN, Head, OUTCOMES, Row, Table};

/// First line of every net file.
const MAGIC: &str = "luckless net 2\n";
/// An output weight of one.
pub const WEIGHT_ONE: i16 = 256;
/// One output, in units of the integer outputs.
pub(super) const OUTPUT_ONE: f32 = (WEIGHT_ONE as i32 * (1 << ACTIVATION_BITS)) as f32;
/// No header is longer.
const LONGEST_HEADER: usize = 4096;

/// What a net file says of itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Layout of the inputs.
    pub layout: String,
    /// Rows of the first layer.
    pub rows: usize,
    /// Hidden units.
    pub hidden: usize,
    /// Output heads.
    pub heads: usize,
    /// Name of the recipe it was trained with, and how far.
    pub recipe: String,
    /// Seed of the training.
    pub seed: u64,
    /// Positions it has learnt from.
    pub positions: u64,
    /// CRC-32 of the weights.
    pub crc32: u32,
}

/// A net, ready to evaluate.
#[derive(Clone)]
pub struct Net {
    header: Header,
    pub(super) rows: Table,
    pub(super) bias: Row,
    pub(super) heads: Vec<Head>,
    pub(super) head_bias: Vec<[i32; OUTCOMES]>,
}

/// Why a file is not a net that this program can use.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NetError {
    /// It could not be read.
    #[error("cannot read the net {path}")]
    Read {
        /// Which file.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// It is something else.
    #[error("not a net file: expected the first line '{}'", MAGIC.trim_end())]
    NotANet,
    /// The header is damaged.
    #[error("the net's header cannot be read: {0}")]
    Header(String),
    /// It was made for another architecture.
    #[error("the net is of another kind: its {what} is {found}, this program's {expected}")]
    Architecture {
        /// Which property.
        what: &'static str,
        /// What the file says.
        found: String,
        /// What is needed.
        expected: String,
    },
    /// Not as many weights as the architecture has.
    #[error("the net has {found} bytes of weights, expected {expected}")]
    Length {
        /// Bytes in the file.
        found: usize,
        /// Bytes needed.
        expected: usize,
    },
    /// The weights are damaged.
    #[error("the net's weights are damaged: checksum {found:08x}, expected {expected:08x}")]
    Checksum {
        /// Of the weights in the file.
        found: u32,
        /// In the header.
        expected: u32,
    },
    /// Weights so large that outputs could overflow.
    #[error("the net's output weights are too large")]
    Overflow,
}

impl Net {
    /// The net that is part of the program.
    ///
    /// # Panics
    /// Never in a released program: a test loads it.
    #[must_use]
    pub fn embedded() -> Self {
        Self::from_bytes(include_bytes!("luckless.net"))
            .expect("the embedded net is checked by a test")
    }

    /// Reads a net file.
    ///
    /// # Errors
    /// A [`NetError`] that says what does not fit.
    pub fn load(path: &Path) -> Result<Self, NetError> {
        let read = |source| NetError::Read {
            path: path.display().to_string(),
            source,
        };
        // Reading a pipe would wait for whoever writes to it.
        if !path.metadata().map_err(read)?.is_file() {
            return Err(read(std::io::Error::other("not a regular file")));
        }
        let file = std::fs::File::open(path).map_err(read)?;
        let mut bytes = Vec::new();
        let most = (MAGIC.len() + LONGEST_HEADER + weight_bytes() + 1) as u64;
        std::io::Read::read_to_end(&mut std::io::Read::take(file, most), &mut bytes)
            .map_err(read)?;
        Self::from_bytes(&bytes)
    }

    /// Reads a net from the bytes of a file.
    ///
    /// # Errors
    /// A [`NetError`] that says what does not fit.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetError> {
        let rest = bytes
            .strip_prefix(MAGIC.as_bytes())
            .ok_or(NetError::NotANet)?;
        let end = rest
            .iter()
            .take(LONGEST_HEADER)
            .position(|&b| b == b'\n')
            .ok_or_else(|| NetError::Header("no end of line".into()))?;
        let header: Header =
            serde_json::from_slice(&rest[..end]).map_err(|e| NetError::Header(e.to_string()))?;
        header.check()?;
        let weights = &rest[end + 1..];
        if weights.len() != weight_bytes() {
            return Err(NetError::Length {
                found: weights.len(),
                expected: weight_bytes(),
            });
        }
        let found = crc32fast::hash(weights);
        if found != header.crc32 {
            return Err(NetError::Checksum {
                found,
                expected: header.crc32,
            });
        }
        let mut reader = weights;
        let mut net = Self {
            header,
            rows: table((0..ROWS).map(|_| Row(take_i16(&mut reader))).collect()),
            bias: Row(take_i16(&mut reader)),
            heads: Vec::with_capacity(HEADS),
            head_bias: Vec::with_capacity(HEADS),
        };
        for _ in 0..HEADS {
            net.heads
                .push(Head(std::array::from_fn(|_| take_i16(&mut reader))));
            net.head_bias.push(std::array::from_fn(|_| {
                let (word, rest) = reader.split_at(4);
                reader = rest;
                i32::from_le_bytes(word.try_into().expect("four bytes"))
            }));
        }
        net.check_range()?;
        Ok(net)
    }

    /// Makes a net of real weights, rounded. `rows` are `ROWS` slices of `HIDDEN` weights.
    #[must_use]
    pub fn quantised(weights: &FloatWeights<'_>, recipe: &str, seed: u64, positions: u64) -> Self {
        let round = |w: f32, one: f32| (w * one).round().clamp(-32767.0, 32767.0) as i16;
        let row = |w: &[f32]| Row(std::array::from_fn(|i| round(w[i], f32::from(FULL))));
        let heads = (0..HEADS).map(|h| {
            Head(std::array::from_fn(|o| {
                let w = &weights.heads[(h * OUTCOMES + o) * HIDDEN..][..HIDDEN];
                std::array::from_fn(|i| round(w[i], f32::from(WEIGHT_ONE)))
            }))
        });
        let head_bias = weights
            .head_bias
            .chunks_exact(OUTCOMES)
            .map(|b| std::array::from_fn(|o| (b[o] * OUTPUT_ONE).round() as i32));
        let mut net = Self {
            header: Header {
                layout: LAYOUT.into(),
                rows: ROWS,
                hidden: HIDDEN,
                heads: HEADS,
                recipe: recipe.into(),
                seed,
                positions,
                crc32: 0,
            },
            rows: table(weights.rows.chunks_exact(HIDDEN).map(row).collect()),
            bias: row(weights.bias),
            heads: heads.collect(),
            head_bias: head_bias.collect(),
        };
        net.header.crc32 = crc32fast::hash(&net.weights());
        net
    }

    /// The bytes of a net file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.as_bytes().to_vec();
        let header = serde_json::to_string(&self.header).expect("a header is plain data");
        bytes.extend_from_slice(header.as_bytes());
        bytes.push(b'\n');
        bytes.extend(self.weights());
        bytes
    }

    /// What the net says of itself.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    fn weights(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(weight_bytes());
        let mut put = |w: &[i16]| bytes.extend(w.iter().flat_map(|w| w.to_le_bytes()));
        self.rows.rows().iter().for_each(|row| put(&row.0));
        put(&self.bias.0);
        for (head, bias) in self.heads.iter().zip(&self.head_bias) {
            head.0
                .iter()
                .for_each(|w| bytes.extend(w.iter().flat_map(|w| w.to_le_bytes())));
            bytes.extend(bias.iter().flat_map(|b| b.to_le_bytes()));
        }
        bytes
    }

    /// Outputs of fully active units must fit 32 bits.
    fn check_range(&self) -> Result<(), NetError> {
        let most = |w: &[i16; HIDDEN]| w.iter().map(|&w| i64::from(w).abs()).sum::<i64>();
        for (head, bias) in self.heads.iter().zip(&self.head_bias) {
            for (w, b) in head.0.iter().zip(bias) {
                if (most(w) << ACTIVATION_BITS) + i64::from(*b).abs() > i64::from(i32::MAX) {
                    return Err(NetError::Overflow);
                }
            }
        }
        Ok(())
    }
}

impl std::fmt::Debug for Net {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Net").field(&self.header).finish()
    }
}

impl Header {
    fn check(&self) -> Result<(), NetError> {
        let differs = |what, found: String, expected: String| {
            if found == expected {
                return Ok(());
            }
            let found = found.chars().filter(|c| !c.is_control()).take(60).collect();
            Err(NetError::Architecture {
                what,
                found,
                expected,
            })
        };
        differs("layout", self.layout.clone(), LAYOUT.to_string())?;
        differs("number of rows", self.rows.to_string(), ROWS.to_string())?;
        differs(
            "number of hidden units",
            self.hidden.to_string(),
            HIDDEN.to_string(),
        )?;
        differs("number of heads", self.heads.to_string(), HEADS.to_string())
    }
}

/// Real weights to be rounded, as the trainer keeps them.
#[derive(Clone, Copy)]
pub struct FloatWeights<'a> {
    /// `ROWS` x `HIDDEN`.
    pub rows: &'a [f32],
    /// `HIDDEN`.
    pub bias: &'a [f32],
    /// `HEADS` x `OUTCOMES` x `HIDDEN`.
    pub heads: &'a [f32],
    /// `HEADS` x `OUTCOMES`.
    pub head_bias: &'a [f32],
}

fn table(rows: Vec<Row>) -> Table {
    Table::new(rows).expect("the caller has made ROWS rows")
}

fn weight_bytes() -> usize {
    2 * HIDDEN * (ROWS + 1 + HEADS * OUTCOMES) + 4 * HEADS * OUTCOMES
}

/// The next `HIDDEN` weights; the caller has checked the length of the whole.
fn take_i16(bytes: &mut &[u8]) -> [i16; HIDDEN] {
    let (words, rest) = bytes.split_at(2 * HIDDEN);
    *bytes = rest;
    std::array::from_fn(|i| i16::from_le_bytes([words[2 * i], words[2 * i + 1]]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Net {
        let weight = |i: usize| ((i * 2_654_435_761) % 1000) as f32 / 5000.0 - 0.1;
        let rows: Vec<f32> = (0..ROWS * HIDDEN).map(weight).collect();
        let heads: Vec<f32> = (0..HEADS * OUTCOMES * HIDDEN).map(weight).collect();
        Net::quantised(
            &FloatWeights {
                rows: &rows,
                bias: &rows[..HIDDEN],
                heads: &heads,
                head_bias: &heads[..HEADS * OUTCOMES],
            },
            "test",
            7,
            42,
        )
    }

    #[test]
    fn files_keep_the_net() {
        let net = small();
        let bytes = net.to_bytes();
        let read = Net::from_bytes(&bytes).unwrap();
        assert_eq!(read.header(), net.header());
        assert_eq!(read.to_bytes(), bytes);
    }

    #[test]
    fn what_does_not_match_is_refused() {
        let bytes = small().to_bytes();
        assert!(matches!(
            Net::from_bytes(b"something"),
            Err(NetError::NotANet)
        ));
        let cut = &bytes[..bytes.len() - 1];
        assert!(matches!(Net::from_bytes(cut), Err(NetError::Length { .. })));
        let mut flipped = bytes.clone();
        *flipped.last_mut().unwrap() ^= 1;
        assert!(matches!(
            Net::from_bytes(&flipped),
            Err(NetError::Checksum { .. })
        ));
        let text = String::from_utf8_lossy(&bytes[..300]).replace("blocks6", "blocks7");
        assert!(matches!(
            Net::from_bytes(text.as_bytes()),
            Err(NetError::Architecture { what: "layout", .. })
        ));
    }

    #[test]
    fn the_embedded_net_loads() {
        assert_eq!(Net::embedded().header().hidden, HIDDEN);
    }
}
