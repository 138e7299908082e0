//! Shared parts of net files: framing, header, first layer, and errors.
//!
//! A net file is a line that names the format, a line of JSON (architecture, recipe, length, checksum), and
//! the weights as little-endian integers. The rows are most of the program's size. They are written in groups
//! of eight weights, with as many bits as the largest of the eight needs. Other weights have 16 or 32 bits.

use std::path::Path;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::kinds::Sharing;
use super::rows::{LAYOUT, ROWS};
use super::simd::{
    ACTIVATION_BITS, FULL, FirstLayerRow, FirstLayerWeights, HIDDEN, LARGEST_WEIGHT,
};
use crate::sanitize;

/// Maximum length of a header, in bytes.
const LONGEST_HEADER: usize = 4096;
/// Maximum length of a net file, in bytes.
const LONGEST_FILE: u64 = 64 << 20;

/// The training of a net.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Origin {
    /// Name of the training recipe, and its progress.
    pub recipe: String,
    pub seed: u64,
    /// Number of training positions.
    pub positions: u64,
}

/// The header of a net file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NetHeader {
    /// Layout of the inputs.
    pub layout: String,
    /// Number of rows of the first layer.
    pub rows: usize,
    /// Number of hidden units.
    pub hidden: usize,
    /// Number of output heads.
    pub heads: usize,
    /// See [`Origin`].
    pub recipe: String,
    /// See [`Origin`].
    pub seed: u64,
    /// See [`Origin`].
    pub positions: u64,
    /// Number of bytes of the weights.
    pub bytes: usize,
    /// CRC-32 of the weights.
    pub crc32: u32,
}

/// Why a file is not a usable net.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NetError {
    /// The file could not be read.
    #[error("cannot read the net {path}")]
    Read {
        path: String,
        source: std::io::Error,
    },
    /// The file does not contain such a net.
    #[error("{path}")]
    File { path: String, source: Box<NetError> },
    /// The bytes are not a net file.
    #[error("not a net file: expected the first line '{0}'")]
    NotANet(&'static str),
    /// The header is damaged.
    #[error("the net's header cannot be read: {0}")]
    Header(String),
    /// The net was made for another architecture.
    #[error("the net is of another kind: its {what} is {found}, this program's {expected}")]
    Architecture {
        /// The property that differs.
        what: &'static str,
        found: String,
        expected: String,
    },
    /// The number of weights differs from the architecture's.
    #[error("the net has {found} bytes of weights, expected {expected}")]
    Length { found: usize, expected: usize },
    /// The weights are damaged.
    #[error("the net's weights are damaged: checksum {found:08x}, expected {expected:08x}")]
    Checksum {
        /// CRC-32 of the weights in the file.
        found: u32,
        /// CRC-32 in the header.
        expected: u32,
    },
    /// The weights are complete, but not those of such a net.
    #[error("the net's weights cannot be read: expected {0}")]
    Weights(&'static str),
    /// The weights are so large that outputs could overflow.
    #[error("the net's output weights are too large")]
    Overflow,
}

/// Reads a net from a file.
pub(super) fn load<T>(
    path: &Path,
    from_bytes: impl FnOnce(&[u8]) -> Result<T, NetError>,
) -> Result<T, NetError> {
    from_bytes(&read(path)?).map_err(|source| NetError::File {
        path: path.display().to_string(),
        source: Box::new(source),
    })
}

/// Reads a file that may be a net.
fn read(path: &Path) -> Result<Vec<u8>, NetError> {
    let read = |source| NetError::Read {
        path: path.display().to_string(),
        source,
    };
    // Reading a pipe would wait for its writer.
    if !path.metadata().map_err(read)?.is_file() {
        return Err(read(std::io::Error::other("not a regular file")));
    }
    let file = std::fs::File::open(path).map_err(read)?;
    let mut bytes = Vec::new();
    std::io::Read::read_to_end(&mut std::io::Read::take(file, LONGEST_FILE), &mut bytes)
        .map_err(read)?;
    Ok(bytes)
}

/// Returns the header and the weights of a file, both checked.
pub(super) fn open<'a>(
    bytes: &'a [u8],
    magic: &'static str,
    shape: &Shape,
) -> Result<(NetHeader, &'a [u8]), NetError> {
    let rest = bytes
        .strip_prefix(magic.as_bytes())
        .and_then(|rest| rest.strip_prefix(b"\n"))
        .ok_or(NetError::NotANet(magic))?;
    let end = rest
        .iter()
        .take(LONGEST_HEADER)
        .position(|&b| b == b'\n')
        .ok_or_else(|| NetError::Header("no end of line".into()))?;
    let header: NetHeader =
        serde_json::from_slice(&rest[..end]).map_err(|e| NetError::Header(e.to_string()))?;
    header.check(shape)?;
    let weights = &rest[end + 1..];
    if weights.len() != header.bytes {
        return Err(NetError::Length {
            found: weights.len(),
            expected: header.bytes,
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

/// Returns the bytes of a net file.
pub(super) fn seal(magic: &str, header: &NetHeader, weights: &[u8]) -> Vec<u8> {
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

impl NetHeader {
    /// Creates the header of a net of this architecture.
    pub(super) fn new(shape: &Shape, origin: Origin, weights: &[u8]) -> Self {
        Self {
            layout: shape.layout.into(),
            rows: shape.rows,
            hidden: shape.hidden,
            heads: shape.heads,
            recipe: origin.recipe,
            seed: origin.seed,
            positions: origin.positions,
            bytes: weights.len(),
            crc32: crc32fast::hash(weights),
        }
    }

    fn check(&self, shape: &Shape) -> Result<(), NetError> {
        let differs = |what, found: String, expected: String| {
            if found == expected {
                return Ok(());
            }
            let found = sanitize::clean_at_most(&found, 60);
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

/// Real weights for rounding, in the trainer's form.
#[derive(Clone, Copy)]
pub struct FloatWeights<'a> {
    /// The sharing of rows among kinds of position.
    pub sharing: &'a Sharing,
    /// [`Sharing::len`] x `HIDDEN`.
    pub rows: &'a [f32],
    /// Heads x `HIDDEN`, or `HIDDEN` if all kinds share all rows.
    pub bias: &'a [f32],
    /// The layers after the first.
    pub layers: &'a [FloatLayer<'a>],
}

/// Real weights of a layer after the first.
#[derive(Clone, Copy)]
pub struct FloatLayer<'a> {
    /// Heads x outputs x inputs.
    pub weights: &'a [f32],
    /// Heads x outputs.
    pub bias: &'a [f32],
}

/// Rounds a weight to units of `1 / one`.
pub(super) fn round(w: f32, one: f32) -> i16 {
    (w * one).round().clamp(-32767.0, 32767.0) as i16
}

/// The first layer: the sum before the heads.
#[derive(Clone)]
pub(super) struct FirstLayer {
    pub(super) rows: FirstLayerWeights,
    /// One bias for each head, or a single one.
    pub(super) bias: Vec<FirstLayerRow>,
}

impl FirstLayer {
    pub(super) fn quantised(weights: &FloatWeights<'_>) -> Self {
        let bias = |w: &[f32]| FirstLayerRow(std::array::from_fn(|i| round(w[i], f32::from(FULL))));
        let row =
            |w: &[f32]| FirstLayerRow(bias(w).0.map(|w| w.clamp(-LARGEST_WEIGHT, LARGEST_WEIGHT)));
        let rows = weights.rows.chunks_exact(HIDDEN).map(row).collect();
        Self {
            rows: FirstLayerWeights::new(rows, weights.sharing.clone())
                .expect("as many as are shared"),
            bias: weights.bias.chunks_exact(HIDDEN).map(bias).collect(),
        }
    }

    fn read(bytes: &mut WeightReader<'_>, shared: bool, heads: usize) -> Option<Self> {
        let sharing = if shared {
            Sharing::from_bytes(bytes.take(Sharing::BYTES)?)?
        } else {
            Sharing::whole()
        };
        let mut rows = vec![FirstLayerRow([0; HIDDEN]); sharing.len()];
        for row in &mut rows {
            take_row(bytes, row)?;
        }
        let biases = if shared { heads } else { 1 };
        let bias: Option<Vec<FirstLayerRow>> = (0..biases)
            .map(|_| bytes.words().map(FirstLayerRow))
            .collect();
        Some(Self {
            rows: FirstLayerWeights::new(rows, sharing)?,
            bias: bias?,
        })
    }

    fn write(&self, shared: bool, bytes: &mut Vec<u8>) {
        if shared {
            bytes.extend(self.rows.sharing().to_bytes());
        }
        let rows = self.rows.weights().iter();
        rows.for_each(|row| put_row(bytes, row));
        self.bias.iter().for_each(|bias| put(bytes, &bias.0));
    }
}

/// One output head of a kind of net, with `N` outputs.
pub(super) trait OutputHead<const N: usize>: Sized {
    /// First line of the files of such nets.
    const MAGIC: &'static str;
    /// Number of heads of such nets.
    const HEADS: usize;
    /// Kinds of position have their own rows.
    const SHARED: bool;

    /// Reads a head from the front of `bytes`.
    fn read(bytes: &mut WeightReader<'_>) -> Option<Self>;

    fn write(&self, bytes: &mut Vec<u8>);

    /// Returns the sum of the absolute weights of an output.
    fn most(&self, output: usize) -> i64;

    /// Returns whether the sums before the outputs fit 32 bits.
    fn inner_fits(&self) -> bool {
        true
    }
}

/// A whole net: the shared parts of [`super::net::Net`] and [`super::luck_net::LuckNet`].
#[derive(Clone)]
pub(super) struct Layers<H, const N: usize> {
    pub(super) header: NetHeader,
    pub(super) first: FirstLayer,
    pub(super) heads: Vec<H>,
    pub(super) head_bias: Vec<[i32; N]>,
}

impl<H: OutputHead<N>, const N: usize> Layers<H, N> {
    const SHAPE: Shape = Shape {
        layout: LAYOUT,
        rows: ROWS,
        hidden: HIDDEN,
        heads: H::HEADS,
    };

    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, NetError> {
        let (header, weights) = open(bytes, H::MAGIC, &Self::SHAPE)?;
        let net = Self::read(header, &mut WeightReader(weights))
            .ok_or(NetError::Weights("the layers of such a net"))?;
        net.check_range()?;
        Ok(net)
    }

    fn read(header: NetHeader, bytes: &mut WeightReader<'_>) -> Option<Self> {
        let mut net = Self {
            header,
            first: FirstLayer::read(bytes, H::SHARED, H::HEADS)?,
            heads: Vec::with_capacity(H::HEADS),
            head_bias: Vec::with_capacity(H::HEADS),
        };
        for _ in 0..H::HEADS {
            net.heads.push(H::read(bytes)?);
            net.head_bias.push(bytes.longs()?);
        }
        bytes.0.is_empty().then_some(net)
    }

    pub(super) fn new(
        first: FirstLayer,
        heads: Vec<H>,
        head_bias: Vec<[i32; N]>,
        origin: Origin,
    ) -> Self {
        let mut net = Self {
            header: NetHeader::new(&Self::SHAPE, Origin::default(), &[]),
            first,
            heads,
            head_bias,
        };
        net.header = NetHeader::new(&Self::SHAPE, origin, &net.weights());
        net
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        seal(H::MAGIC, &self.header, &self.weights())
    }

    fn weights(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.first.write(H::SHARED, &mut bytes);
        for (head, bias) in self.heads.iter().zip(&self.head_bias) {
            head.write(&mut bytes);
            bytes.extend(bias.iter().flat_map(|b| b.to_le_bytes()));
        }
        bytes
    }

    /// Checks that the outputs of fully active units fit 32 bits.
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

/// Returns whether weights with this total, on fully active units, and a bias fit 32 bits.
pub(super) fn fits(weights: i64, bias: i32) -> bool {
    (weights << ACTIVATION_BITS) + i64::from(bias).abs() <= i64::from(i32::MAX)
}

/// Number of row weights packed together, with as many bits as the largest needs: whole bytes in total.
const GROUP: usize = 8;
/// Number of groups in a row.
const GROUPS: usize = HIDDEN / GROUP;

/// Appends a row: the number of bits of each group minus one, two in a byte; then the groups.
fn put_row(bytes: &mut Vec<u8>, row: &FirstLayerRow) {
    let bits_of = |w: &i16| i16::BITS - (w ^ (w >> 15)).leading_zeros();
    let groups = row.0.as_chunks::<GROUP>().0;
    let less_one = |group: &[i16; GROUP]| group.iter().map(bits_of).max().unwrap_or(0);
    for pair in groups.chunks_exact(2) {
        bytes.push((less_one(&pair[0]) | less_one(&pair[1]) << 4) as u8);
    }
    for group in groups {
        let bits = less_one(group) + 1;
        let packed = group.iter().rev().fold(0u128, |packed, &w| {
            packed << bits | u128::from(w as u16 & (u16::MAX >> (i16::BITS - bits)))
        });
        bytes.extend(&packed.to_le_bytes()[..bits as usize]);
    }
}

/// Reads a row from the front of `bytes`, after which more bytes must follow, as a bias does.
fn take_row(bytes: &mut WeightReader<'_>, row: &mut FirstLayerRow) -> Option<()> {
    let widths: &[u8; GROUPS / 2] = bytes.take(GROUPS / 2)?.try_into().ok()?;
    let groups = row.0.as_chunks_mut::<GROUP>().0;
    for (g, group) in groups.iter_mut().enumerate() {
        let less_one = usize::from(widths[g / 2] >> (g % 2 * 4) & 15);
        *group = UNPACK[less_one](bytes.0.first_chunk()?);
        bytes.take(less_one + 1)?;
    }
    Some(())
}

/// The bytes read to unpack a group: the longest group, and the bytes read with its last weight.
type Ahead = [u8; i16::BITS as usize + 3];

/// The functions that unpack a group, by its number of bits minus one. They run a million times at the start
/// of the program.
const UNPACK: [fn(&Ahead) -> [i16; GROUP]; i16::BITS as usize] = [
    unpack::<1>,
    unpack::<2>,
    unpack::<3>,
    unpack::<4>,
    unpack::<5>,
    unpack::<6>,
    unpack::<7>,
    unpack::<8>,
    unpack::<9>,
    unpack::<10>,
    unpack::<11>,
    unpack::<12>,
    unpack::<13>,
    unpack::<14>,
    unpack::<15>,
    unpack::<16>,
];

fn unpack<const BITS: usize>(bytes: &Ahead) -> [i16; GROUP] {
    std::array::from_fn(|i| {
        let (first, shift) = (i * BITS / 8, i * BITS % 8);
        let four = std::array::from_fn(|b| bytes[first + b]);
        // Shift up and down again to extend the sign.
        let up = (u32::from_le_bytes(four) >> shift) << (u32::BITS as usize - BITS);
        (up as i32 >> (u32::BITS as usize - BITS)) as i16
    })
}

/// Appends 16-bit weights.
pub(super) fn put(bytes: &mut Vec<u8>, weights: &[i16]) {
    bytes.extend(weights.iter().flat_map(|w| w.to_le_bytes()));
}

/// The unread part of a file's weights.
pub(super) struct WeightReader<'a>(pub(super) &'a [u8]);

impl<'a> WeightReader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    /// Returns the next `N` 16-bit numbers.
    pub(super) fn words<const N: usize>(&mut self) -> Option<[i16; N]> {
        let words = self.take(2 * N)?;
        Some(std::array::from_fn(|i| {
            i16::from_le_bytes([words[2 * i], words[2 * i + 1]])
        }))
    }

    /// Returns the next `N` 32-bit numbers.
    pub(super) fn longs<const N: usize>(&mut self) -> Option<[i32; N]> {
        let words = self.take(4 * N)?;
        Some(std::array::from_fn(|i| {
            i32::from_le_bytes(std::array::from_fn(|b| words[4 * i + b]))
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Weights with any number of bits, including the largest of either sign.
    #[test]
    fn rows_are_packed_and_unpacked() {
        let mut bytes = Vec::new();
        let rows: Vec<FirstLayerRow> = [0, 1, 2, 100, 127, 128, LARGEST_WEIGHT, i16::MAX]
            .into_iter()
            .flat_map(|most| {
                let spread = |i: usize| (i as i32 * 37 % (i32::from(most) + 1)) as i16;
                let down = FirstLayerRow(std::array::from_fn(|i| match i {
                    3 => most,
                    5 => -most,
                    _ => spread(i) * if i % 3 == 0 { -1 } else { 1 },
                }));
                [down, FirstLayerRow(down.0.map(|w| !w))]
            })
            .collect();
        rows.iter().for_each(|row| put_row(&mut bytes, row));
        let after = bytes.len();
        bytes.extend([7; 19]);
        let mut rest = WeightReader(&bytes);
        let mut read = FirstLayerRow([0; HIDDEN]);
        for row in &rows {
            take_row(&mut rest, &mut read).unwrap();
            assert_eq!(read, *row);
        }
        assert_eq!(rest.0.len(), bytes.len() - after);
        // A zero needs one bit.
        bytes.clear();
        put_row(&mut bytes, &FirstLayerRow([0; HIDDEN]));
        assert_eq!(bytes.len(), GROUPS / 2 + GROUPS);
        assert!(take_row(&mut WeightReader(&bytes[1..]), &mut read).is_none());
    }
}
