//! What the net files have in common: framing, header, first layer, and why a file is refused.
//!
//! A net file is a line that names the format, a line of JSON (architecture, recipe, checksum),
//! and the weights as little-endian integers: those of the rows of 12 bits, two in three bytes, for the
//! rows are most of the program; the others of 16 and 32.

use std::path::Path;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::features::{HEADS, LAYOUT, ROWS};
use super::simd::{ACTIVATION_BITS, FULL, HIDDEN, Row, Table};

/// No header is longer.
const LONGEST_HEADER: usize = 4096;
/// No net file is longer.
const LONGEST_FILE: u64 = 64 << 20;

/// How a net came to be.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Origin {
    /// Name of the recipe it was trained with, and how far.
    pub recipe: String,
    /// Seed of the training.
    pub seed: u64,
    /// Positions it has learnt from.
    pub positions: u64,
}

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
    /// See [`Origin`].
    pub recipe: String,
    /// See [`Origin`].
    pub seed: u64,
    /// See [`Origin`].
    pub positions: u64,
    /// CRC-32 of the weights.
    pub crc32: u32,
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
    #[error("not a net file: expected the first line '{0}'")]
    NotANet(&'static str),
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

/// Reads a file that may be a net.
pub(super) fn load(path: &Path) -> Result<Vec<u8>, NetError> {
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
    std::io::Read::read_to_end(&mut std::io::Read::take(file, LONGEST_FILE), &mut bytes)
        .map_err(read)?;
    Ok(bytes)
}

/// The header and the weights of a file, both checked; `length` is that of the weights.
pub(super) fn open<'a>(
    bytes: &'a [u8],
    magic: &'static str,
    shape: &Shape,
    length: usize,
) -> Result<(Header, &'a [u8]), NetError> {
    let rest = bytes
        .strip_prefix(magic.as_bytes())
        .and_then(|rest| rest.strip_prefix(b"\n"))
        .ok_or(NetError::NotANet(magic))?;
    let end = rest
        .iter()
        .take(LONGEST_HEADER)
        .position(|&b| b == b'\n')
        .ok_or_else(|| NetError::Header("no end of line".into()))?;
    let header: Header =
        serde_json::from_slice(&rest[..end]).map_err(|e| NetError::Header(e.to_string()))?;
    header.check(shape)?;
    let weights = &rest[end + 1..];
    if weights.len() != length {
        return Err(NetError::Length {
            found: weights.len(),
            expected: length,
        });
    }
    let found = crc32fast::hash(weights);
    if found != header.crc32 {
        return Err(NetError::Checksum {
            found,
            expected: header.crc32,
        });
    }
    Ok((header, weights))
}

/// The bytes of a net file.
pub(super) fn seal(magic: &str, header: &Header, weights: &[u8]) -> Vec<u8> {
    let mut bytes = magic.as_bytes().to_vec();
    bytes.push(b'\n');
    bytes.extend(serde_json::to_vec(header).expect("a header is plain data"));
    bytes.push(b'\n');
    bytes.extend(weights);
    bytes
}

/// The architecture of a kind of net.
pub(super) struct Shape {
    pub(super) layout: &'static str,
    pub(super) rows: usize,
    pub(super) hidden: usize,
    pub(super) heads: usize,
}

impl Header {
    /// The header of a net of this architecture.
    pub(super) fn new(shape: &Shape, origin: Origin, weights: &[u8]) -> Self {
        Self {
            layout: shape.layout.into(),
            rows: shape.rows,
            hidden: shape.hidden,
            heads: shape.heads,
            recipe: origin.recipe,
            seed: origin.seed,
            positions: origin.positions,
            crc32: crc32fast::hash(weights),
        }
    }

    fn check(&self, shape: &Shape) -> Result<(), NetError> {
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
        let number = |what, found: usize, expected: usize| {
            differs(what, found.to_string(), expected.to_string())
        };
        differs("layout", self.layout.clone(), shape.layout.to_owned())?;
        number("number of rows", self.rows, shape.rows)?;
        number("number of hidden units", self.hidden, shape.hidden)?;
        number("number of heads", self.heads, shape.heads)
    }
}

/// Real weights to be rounded, as the trainer keeps them.
#[derive(Clone, Copy)]
pub struct FloatWeights<'a> {
    /// Plans x `ROWS` x `HIDDEN`.
    pub rows: &'a [f32],
    /// Plans x `HIDDEN`.
    pub bias: &'a [f32],
    /// What follows the first layer.
    pub layers: &'a [FloatLayer<'a>],
}

/// Real weights of a layer after the first.
#[derive(Clone, Copy)]
pub struct FloatLayer<'a> {
    /// `HEADS` x outputs x inputs.
    pub weights: &'a [f32],
    /// `HEADS` x outputs.
    pub bias: &'a [f32],
}

/// A weight in units of `1 / one`.
pub(super) fn round(w: f32, one: f32) -> i16 {
    (w * one).round().clamp(-32767.0, 32767.0) as i16
}

/// The rows of a position summed, before any head.
#[derive(Clone)]
pub(super) struct FirstLayer {
    pub(super) rows: Table,
    pub(super) bias: Row,
}

impl FirstLayer {
    /// Bytes in a file.
    pub(super) const BYTES: usize = HIDDEN * (3 * ROWS + 4) / 2;

    /// The first layer of each plan.
    pub(super) fn quantised(weights: &FloatWeights<'_>) -> Vec<Self> {
        let bias = |w: &[f32]| Row(std::array::from_fn(|i| round(w[i], f32::from(FULL))));
        let row = |w: &[f32]| Row(bias(w).0.map(|w| w.clamp(-MOST, MOST)));
        let plans = weights.rows.chunks_exact(ROWS * HIDDEN);
        let layers = plans.zip(weights.bias.chunks_exact(HIDDEN));
        layers
            .map(|(rows, of_plan)| Self {
                rows: table(rows.chunks_exact(HIDDEN).map(row).collect()),
                bias: bias(of_plan),
            })
            .collect()
    }

    /// Takes the layer off the front of `bytes`, whose length the caller has checked.
    pub(super) fn read(bytes: &mut &[u8]) -> Self {
        Self {
            rows: table((0..ROWS).map(|_| take_row(bytes)).collect()),
            bias: Row(take_i16(bytes)),
        }
    }

    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        self.rows.rows().iter().for_each(|row| put_row(bytes, row));
        put(bytes, &self.bias.0);
    }
}

/// One output head of a kind of net, with `N` outputs.
pub(super) trait OutputHead<const N: usize>: Sized {
    /// First line of the files of such nets.
    const MAGIC: &'static str;
    /// First layers of such nets.
    const PLANS: usize;

    /// Bytes of a head in a file, without the bias of its outputs.
    const BYTES: usize;

    /// Takes a head off the front of `bytes`, whose length the caller has checked.
    fn read(bytes: &mut &[u8]) -> Self;

    fn write(&self, bytes: &mut Vec<u8>);

    /// Sum of the sizes of an output's weights.
    fn most(&self, output: usize) -> i64;

    /// Whether what stands before the outputs fits 32 bits.
    fn inner_fits(&self) -> bool {
        true
    }
}

/// A whole net: what [`super::net::Net`] and [`super::luck_net::LuckNet`] have in common.
#[derive(Clone)]
pub(super) struct Layers<H, const N: usize> {
    pub(super) header: Header,
    /// One for each plan.
    pub(super) first: Vec<FirstLayer>,
    pub(super) heads: Vec<H>,
    pub(super) head_bias: Vec<[i32; N]>,
}

impl<H: OutputHead<N>, const N: usize> Layers<H, N> {
    const BYTES: usize = H::PLANS * FirstLayer::BYTES + HEADS * (H::BYTES + 4 * N);
    const SHAPE: Shape = Shape {
        layout: LAYOUT,
        rows: H::PLANS * ROWS,
        hidden: HIDDEN,
        heads: HEADS,
    };

    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, NetError> {
        let (header, mut weights) = open(bytes, H::MAGIC, &Self::SHAPE, Self::BYTES)?;
        let mut net = Self {
            header,
            first: (0..H::PLANS)
                .map(|_| FirstLayer::read(&mut weights))
                .collect(),
            heads: Vec::with_capacity(HEADS),
            head_bias: Vec::with_capacity(HEADS),
        };
        for _ in 0..HEADS {
            net.heads.push(H::read(&mut weights));
            net.head_bias.push(take_i32(&mut weights));
        }
        net.check_range()?;
        Ok(net)
    }

    pub(super) fn new(
        first: Vec<FirstLayer>,
        heads: Vec<H>,
        head_bias: Vec<[i32; N]>,
        origin: Origin,
    ) -> Self {
        let mut net = Self {
            header: Header::new(&Self::SHAPE, origin, &[]),
            first,
            heads,
            head_bias,
        };
        net.header.crc32 = crc32fast::hash(&net.weights());
        net
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        seal(H::MAGIC, &self.header, &self.weights())
    }

    fn weights(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(Self::BYTES);
        self.first.iter().for_each(|layer| layer.write(&mut bytes));
        for (head, bias) in self.heads.iter().zip(&self.head_bias) {
            head.write(&mut bytes);
            bytes.extend(bias.iter().flat_map(|b| b.to_le_bytes()));
        }
        bytes
    }

    /// Outputs of fully active units must fit 32 bits.
    fn check_range(&self) -> Result<(), NetError> {
        for (head, bias) in self.heads.iter().zip(&self.head_bias) {
            let mut outputs = bias.iter().enumerate();
            if !head.inner_fits() || !outputs.all(|(o, &b)| fits(head.most(o), b)) {
                return Err(NetError::Overflow);
            }
        }
        Ok(())
    }
}

/// Whether weights of this total size, on fully active units, and a bias fit 32 bits.
pub(super) fn fits(weights: i64, bias: i32) -> bool {
    (weights << ACTIVATION_BITS) + i64::from(bias).abs() <= i64::from(i32::MAX)
}

fn table(rows: Vec<Row>) -> Table {
    Table::new(rows).expect("the caller has made ROWS rows")
}

/// The largest weight of 12 bits: two fully active units.
const MOST: i16 = 2047;

/// Appends a row, two weights in three bytes.
fn put_row(bytes: &mut Vec<u8>, row: &Row) {
    for pair in row.0.chunks_exact(2) {
        let [low, high] = [pair[0], pair[1]].map(|w| w as u32 & 0xfff);
        bytes.extend(&(low | high << 12).to_le_bytes()[..3]);
    }
}

/// Takes a row off the front of `bytes`, whose length the caller has checked.
fn take_row(bytes: &mut &[u8]) -> Row {
    let (packed, rest) = bytes.split_at(HIDDEN * 3 / 2);
    *bytes = rest;
    let mut row = Row([0; HIDDEN]);
    for (pair, b) in row.0.chunks_exact_mut(2).zip(packed.chunks_exact(3)) {
        // Shifted up and down again, so that the sign is kept.
        pair[0] = i16::from_le_bytes([b[0], b[1]]) << 4 >> 4;
        pair[1] = i16::from_le_bytes([b[1], b[2]]) >> 4;
    }
    row
}

/// Appends 16-bit weights.
pub(super) fn put(bytes: &mut Vec<u8>, weights: &[i16]) {
    bytes.extend(weights.iter().flat_map(|w| w.to_le_bytes()));
}

/// Takes the next `N` 16-bit weights; the caller has checked the length of the whole.
pub(super) fn take_i16<const N: usize>(bytes: &mut &[u8]) -> [i16; N] {
    let (words, rest) = bytes.split_at(2 * N);
    *bytes = rest;
    std::array::from_fn(|i| i16::from_le_bytes([words[2 * i], words[2 * i + 1]]))
}

/// Takes the next `N` 32-bit weights.
pub(super) fn take_i32<const N: usize>(bytes: &mut &[u8]) -> [i32; N] {
    let (words, rest) = bytes.split_at(4 * N);
    *bytes = rest;
    std::array::from_fn(|i| i32::from_le_bytes(std::array::from_fn(|b| words[4 * i + b])))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Any weights of 12 bits, the largest of either sign among them.
    #[test]
    fn rows_are_packed_and_unpacked() {
        let row = Row(std::array::from_fn(|i| match i {
            0 | 3 => MOST,
            1 | 2 => -MOST,
            _ => ((i * 37 % 4095) as i16) - MOST,
        }));
        let mut bytes = Vec::new();
        put_row(&mut bytes, &row);
        put_row(&mut bytes, &Row([-1; HIDDEN]));
        let mut rest = &bytes[..];
        assert_eq!(take_row(&mut rest), row);
        assert_eq!(take_row(&mut rest), Row([-1; HIDDEN]));
        assert!(rest.is_empty());
    }
}
