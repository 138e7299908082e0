//! The net of luck: from one look at a position *before* the roll, what each of the 21 rolls
//! brings.
//!
//! Luck measured with the net of outcomes takes the best play of all 21 rolls, some 420
//! evaluations, where choosing one play takes 17. But any function of position and roll will do
//! for luck, as long as its mean over the 36 rolls is subtracted (Dahl 1996): this net is trained
//! to foretell those 21 values at the price of about one evaluation.
//!
//! ```text
//! sum      = bias + the rows of the position            256 x i16, unit 1/1024
//! active   = clamp(sum, 0, 1)²                          256 x i16, unit 1/4096
//! output_o = bias_o + Σ active · weight_o               63 x i32, one head of HEADS
//! ```
//! The inputs are those of the net of outcomes. The outputs are, for each roll, what it adds to
//! the chances of winning, of winning a gammon and of losing one, up to something the same for all
//! rolls; so that luck can be told at any score.

use std::path::Path;

use super::Probabilities;
use super::features::{HEADS, RowList, View};
use super::net_file::{self, FirstLayer, Layers, OutputHead, put, round, take_i16};
use super::net_file::{FloatWeights, Header, NetError, Origin};
use super::simd::{ACTIVATION_BITS, HIDDEN, Kernel, LUCK_LANES, LuckHead};
use crate::game::Position;
use crate::game::roll::DISTINCT;

/// Chances that are told for each roll: win, win a gammon, lose a gammon.
pub const PARTS: usize = 3;
/// Outputs of a head: for each part the 21 rolls.
pub const LUCK_OUTPUTS: usize = PARTS * DISTINCT;

const _: () = assert!(LUCK_OUTPUTS <= LUCK_LANES);

/// An output weight of one.
const WEIGHT_ONE: f32 = 2048.0;
const OUTPUT_ONE: f32 = WEIGHT_ONE * (1 << ACTIVATION_BITS) as f32;

/// A net of luck, ready to use.
#[derive(Clone)]
pub struct LuckNet(Layers<LuckHead, LUCK_LANES>);

impl LuckNet {
    /// The net that is part of the program.
    ///
    /// # Panics
    /// Never in a released program: a test loads it.
    #[must_use]
    pub fn embedded() -> Self {
        Self::from_bytes(include_bytes!("luck.net")).expect("the embedded net is checked by a test")
    }

    /// Reads a net file.
    ///
    /// # Errors
    /// A [`NetError`] that says what does not fit.
    pub fn load(path: &Path) -> Result<Self, NetError> {
        Self::from_bytes(&net_file::load(path)?)
    }

    /// Reads a net from the bytes of a file.
    ///
    /// # Errors
    /// A [`NetError`] that says what does not fit.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetError> {
        Layers::from_bytes(bytes).map(Self)
    }

    /// Makes a net of real weights, rounded.
    #[must_use]
    pub fn quantised(weights: &FloatWeights<'_>, origin: Origin) -> Self {
        let weight = |h: usize, o: usize, i: usize| {
            if o < LUCK_OUTPUTS {
                round(
                    weights.heads[(h * LUCK_OUTPUTS + o) * HIDDEN + i],
                    WEIGHT_ONE,
                )
            } else {
                0
            }
        };
        let heads = (0..HEADS).map(|h| {
            LuckHead(std::array::from_fn(|pair| {
                std::array::from_fn(|lane| weight(h, lane / 2, 2 * pair + lane % 2))
            }))
        });
        let head_bias = weights.head_bias.chunks_exact(LUCK_OUTPUTS).map(|b| {
            std::array::from_fn(|o| b.get(o).map_or(0, |b| (b * OUTPUT_ONE).round() as i32))
        });
        Self(Layers::new(
            FirstLayer::quantised(weights),
            heads.collect(),
            head_bias.collect(),
            origin,
        ))
    }

    /// The bytes of a net file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.to_bytes()
    }

    /// What the net says of itself.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.0.header
    }

    /// For each roll the three chances of the player who rolls, up to something the same for all.
    /// Backgammons are left out.
    #[inline]
    pub(super) fn values(
        &self,
        kernel: Kernel,
        position: &Position,
        out: &mut [Probabilities; DISTINCT],
    ) {
        let view = View::new(position);
        let (mut add, sub) = (RowList::new(), RowList::new());
        view.rows(&mut add);
        let first = &self.0.first[0];
        let sum = kernel.sum(&first.bias, &first.rows, &add, &sub);
        let head = view.head();
        let raw = kernel.luck_outputs(&sum, &self.0.heads[head]);
        let bias = &self.0.head_bias[head];
        let output = |part: usize, roll: usize| {
            let o = part * DISTINCT + roll;
            (raw[o] + bias[o]) as f32 / OUTPUT_ONE
        };
        for (roll, value) in out.iter_mut().enumerate() {
            *value = Probabilities {
                win: output(0, roll),
                win_gammon: output(1, roll),
                win_backgammon: 0.0,
                lose_gammon: output(2, roll),
                lose_backgammon: 0.0,
            };
        }
    }
}

impl OutputHead<LUCK_LANES> for LuckHead {
    const MAGIC: &'static str = "luckless luck net 1";
    const PLANS: usize = 1;

    fn read(bytes: &mut &[u8]) -> Self {
        Self(std::array::from_fn(|_| take_i16(bytes)))
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        self.0.iter().for_each(|w| put(bytes, w));
    }

    fn most(&self, output: usize) -> i64 {
        let pairs = self
            .0
            .iter()
            .flat_map(|pair| &pair[2 * output..2 * output + 2]);
        pairs.map(|&w| i64::from(w).abs()).sum()
    }
}

impl std::fmt::Debug for LuckNet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("LuckNet").field(&self.0.header).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_net_loads() {
        let net = LuckNet::embedded();
        assert_eq!(net.header().hidden, HIDDEN);
        assert_eq!(
            LuckNet::from_bytes(&net.to_bytes()).unwrap().header(),
            net.header()
        );
    }
}
