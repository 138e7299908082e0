//! The main net: integer weights, and their file.
//!
//! ```text
//! sum      = bias + the rows, as the position's kind has them   256 x i16, unit 1/1024
//! active   = clamp(sum, 0, 1)²                                  256 x i16, unit 1/8192
//! output_o = bias_o + Σ active · weight_o                       6 x i32, one head for each kind
//! chances  = softmax(output)
//! ```

use std::path::Path;

use super::kinds::{KINDS, Sharing};
use super::net_file::{self, FirstLayer, Layers, OutputHead, WeightReader, put, round};
use super::simd::{ACTIVATION_BITS, FULL, HIDDEN, HeadWeights, OUTCOMES};

pub use super::net_file::{FloatLayer, FloatWeights, NetError, NetHeader, Origin};

/// An output weight of one.
pub const WEIGHT_ONE: i16 = 1024;
/// An output of one, in units of the integer outputs.
pub(super) const OUTPUT_ONE: f32 = (WEIGHT_ONE as i32 * (1 << ACTIVATION_BITS)) as f32;

/// A net, ready to evaluate.
#[derive(Clone)]
pub struct Net(pub(super) Layers<HeadWeights, OUTCOMES>);

impl Net {
    /// Returns the embedded net.
    ///
    /// # Panics
    /// Never in a released program: a test loads it.
    pub fn embedded() -> Self {
        Self::from_bytes(include_bytes!("luckless.net"))
            .expect("the embedded net is checked by a test")
    }

    /// Reads a net file.
    ///
    /// # Errors
    /// A [`NetError`] with the reason.
    pub fn load(path: &Path) -> Result<Self, NetError> {
        net_file::load(path, Self::from_bytes)
    }

    /// Reads a net from the bytes of a file.
    ///
    /// # Errors
    /// A [`NetError`] with the reason.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetError> {
        Layers::from_bytes(bytes).map(Self)
    }

    /// Creates a net from real weights by rounding.
    pub fn quantised(weights: &FloatWeights<'_>, origin: Origin) -> Self {
        let output = &weights.layers[0];
        let heads = (0..KINDS).map(|h| {
            HeadWeights(std::array::from_fn(|o| {
                let w = &output.weights[(h * OUTCOMES + o) * HIDDEN..][..HIDDEN];
                std::array::from_fn(|i| round(w[i], f32::from(WEIGHT_ONE)))
            }))
        });
        let head_bias = output
            .bias
            .chunks_exact(OUTCOMES)
            .map(|b| std::array::from_fn(|o| (b[o] * OUTPUT_ONE).round() as i32));
        Self(Layers::new(
            FirstLayer::quantised(weights),
            heads.collect(),
            head_bias.collect(),
            origin,
        ))
    }

    /// Returns the weights as real numbers, in the order of [`FloatWeights`]: rows, bias, heads and their
    /// bias.
    pub fn real(&self) -> [Vec<f32>; 4] {
        let Layers {
            first,
            heads,
            head_bias,
            ..
        } = &self.0;
        let unit = |w: i16| f32::from(w) / f32::from(FULL);
        let rows = first.rows.weights().iter();
        let weights = heads.iter().flat_map(|h| h.0.as_flattened());
        let biases = head_bias.as_flattened().iter();
        [
            rows.flat_map(|row| row.0.map(unit)).collect(),
            first
                .bias
                .iter()
                .flat_map(|bias| bias.0.map(unit))
                .collect(),
            weights
                .map(|&w| f32::from(w) / f32::from(WEIGHT_ONE))
                .collect(),
            biases.map(|&b| b as f32 / OUTPUT_ONE).collect(),
        ]
    }

    /// Returns the sharing of rows among kinds of position.
    pub fn sharing(&self) -> &Sharing {
        self.0.first.rows.sharing()
    }

    /// Returns the bytes of a net file.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.to_bytes()
    }

    pub fn header(&self) -> &NetHeader {
        &self.0.header
    }
}

impl OutputHead<OUTCOMES> for HeadWeights {
    const MAGIC: &'static str = "luckless net 5";
    const HEADS: usize = KINDS;
    const SHARED: bool = true;

    fn read(bytes: &mut WeightReader<'_>) -> Option<Self> {
        let mut head = Self([[0; HIDDEN]; OUTCOMES]);
        for weights in &mut head.0 {
            *weights = bytes.words()?;
        }
        Some(head)
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        self.0.iter().for_each(|w| put(bytes, w));
    }

    fn most(&self, output: usize) -> i64 {
        self.0[output].iter().map(|&w| i64::from(w).abs()).sum()
    }
}

impl std::fmt::Debug for Net {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Net").field(&self.0.header).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::super::rows::ROWS;
    use super::*;

    fn small() -> Net {
        let weight = |i: usize| ((i * 2_654_435_761) % 1000) as f32 / 5000.0 - 0.1;
        let seen: Vec<u32> = (0..KINDS * ROWS).map(|i| (i % 1009) as u32).collect();
        let sharing = Sharing::by_use(&seen, ROWS + 2000);
        let rows: Vec<f32> = (0..sharing.len() * HIDDEN).map(weight).collect();
        let heads: Vec<f32> = (0..KINDS * OUTCOMES * HIDDEN).map(weight).collect();
        Net::quantised(
            &FloatWeights {
                sharing: &sharing,
                rows: &rows,
                bias: &rows[..KINDS * HIDDEN],
                layers: &[FloatLayer {
                    weights: &heads,
                    bias: &heads[..KINDS * OUTCOMES],
                }],
            },
            Origin {
                recipe: "test".into(),
                seed: 7,
                positions: 42,
            },
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
    fn damaged_or_mismatched_nets_are_refused() {
        let bytes = small().to_bytes();
        assert!(matches!(
            Net::from_bytes(b"something"),
            Err(NetError::NotANet(_))
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
