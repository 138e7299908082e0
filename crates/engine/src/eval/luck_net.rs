//! The luck net predicts, from a position *before* the roll, the value of each of the 21 rolls.
//!
//! Measuring luck with the main net requires the best play of all 21 rolls, about 420 evaluations, while
//! choosing one play takes 17. But any function of position and roll can serve as luck if its mean over the
//! 36 rolls is subtracted (Dahl 1996). This net is trained to predict the 21 values at the cost of three to
//! four evaluations.
//!
//! ```text
//! sum      = bias + the rows of the position            256 x i16, unit 1/1024
//! active   = clamp(sum, 0, 1)²                          256 x i16, unit 1/8192
//! middle_m = bias_m + Σ active · weight_m               64 x i16, unit 1/1024, one head for each phase
//! output_o = bias_o + Σ clamp(middle, 0, 1)² · weight_o 63 x i32, of the same head
//! ```
//! The value of a roll depends on the relation of checkers, points and shots: the middle layer combines
//! features of the first.
//!
//! The inputs are those of the main net. The outputs are, for each roll, its change of the chances of
//! winning, of winning a gammon and of losing one. They have an unknown constant common to all rolls, so that
//! luck can be computed at any score.

use std::path::Path;

use super::Probabilities;
use super::features::View;
use super::kinds::PHASES;
use super::net_file::{self, FirstLayer, FloatLayer, Layers, OutputHead, fits, put, round};
use super::net_file::{FloatWeights, NetError, NetHeader, Origin, WeightReader};
use super::rows::RowList;
use super::simd::{ACTIVATION_BITS, DENSE_LANES, Dense, FULL, HIDDEN, Kernel};
use crate::game::Position;
use crate::game::roll::DISTINCT;

/// Number of chances predicted for each roll: win, win a gammon, lose a gammon.
pub const PARTS: usize = 3;
/// Number of outputs of a head: for each part the 21 rolls.
pub const LUCK_OUTPUTS: usize = PARTS * DISTINCT;

/// Number of units of the middle layer.
pub const MIDDLE: usize = DENSE_LANES;

const _: () = assert!(LUCK_OUTPUTS <= DENSE_LANES);

const WEIGHT_ONE: f32 = 2048.0;
const OUTPUT_ONE: f32 = WEIGHT_ONE * (1 << ACTIVATION_BITS) as f32;
/// log2 of the ratio of a middle unit's 32-bit sum to its 16-bit sum.
const MIDDLE_SHIFT: u32 = 14;

const _: () = assert!(OUTPUT_ONE as i32 >> MIDDLE_SHIFT == FULL as i32);

/// A luck net, ready to use.
#[derive(Clone)]
pub struct LuckNet(Layers<LuckHead, DENSE_LANES>);

/// One head: the middle layer and the weights of the outputs.
#[derive(Clone)]
struct LuckHead {
    middle: Dense<{ HIDDEN / 2 }>,
    middle_bias: [i32; MIDDLE],
    outputs: Dense<{ MIDDLE / 2 }>,
}

impl LuckNet {
    /// Returns the embedded net.
    ///
    /// # Panics
    /// Never in a released program: a test loads it.
    pub fn embedded() -> Self {
        Self::from_bytes(include_bytes!("luck.net")).expect("the embedded net is checked by a test")
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
        let [middle, output] = weights.layers else {
            unreachable!("a luck net has two layers after the first");
        };
        let heads = (0..PHASES).map(|h| LuckHead {
            middle: dense(middle, h, MIDDLE),
            middle_bias: bias(middle, h, MIDDLE),
            outputs: dense(output, h, LUCK_OUTPUTS),
        });
        let head_bias = (0..PHASES).map(|h| bias(output, h, LUCK_OUTPUTS));
        Self(Layers::new(
            FirstLayer::quantised(weights),
            heads.collect(),
            head_bias.collect(),
            origin,
        ))
    }

    /// Returns the bytes of a net file.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.to_bytes()
    }

    pub fn header(&self) -> &NetHeader {
        &self.0.header
    }

    /// Computes for each roll the three chances of the player who rolls, up to a common constant. Backgammons
    /// are left out.
    #[inline]
    pub(super) fn values(
        &self,
        kernel: Kernel,
        position: &Position,
        out: &mut [Probabilities; DISTINCT],
    ) {
        let view = View::new(position);
        let (mut add, sub) = (RowList::new(), RowList::new());
        kernel.rows(&view, &mut add);
        let first = &self.0.first;
        let sum = kernel.sum(&first.bias[0], first.rows.of(0), &add, &sub);
        let number = view.phase();
        let (head, bias) = (&self.0.heads[number], &self.0.head_bias[number]);
        let mut middle = kernel.dense(&sum.0, &head.middle);
        for (m, b) in middle.iter_mut().zip(head.middle_bias) {
            *m = (*m + b) >> MIDDLE_SHIFT;
        }
        // Activations are limited to fully active, so that 16 bits do not overflow.
        let middle = middle.map(|m| m.clamp(0, i32::from(FULL)) as i16);
        let raw = kernel.dense(&middle, &head.outputs);
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

/// Returns a layer of head `head`, rounded; weights of outputs beyond `outputs` are zero.
fn dense<const PAIRS: usize>(layer: &FloatLayer<'_>, head: usize, outputs: usize) -> Dense<PAIRS> {
    let weight = |o: usize, i: usize| {
        if o < outputs {
            let weight = layer.weights[(head * outputs + o) * 2 * PAIRS + i];
            round(weight, WEIGHT_ONE)
        } else {
            0
        }
    };
    Dense(std::array::from_fn(|pair| {
        std::array::from_fn(|lane| weight(lane / 2, 2 * pair + lane % 2))
    }))
}

/// Returns the bias of a layer of head `head`, rounded.
fn bias(layer: &FloatLayer<'_>, head: usize, outputs: usize) -> [i32; DENSE_LANES] {
    let of_head = &layer.bias[head * outputs..][..outputs];
    std::array::from_fn(|o| {
        of_head
            .get(o)
            .map_or(0, |b| (b * OUTPUT_ONE).round() as i32)
    })
}

impl<const PAIRS: usize> Dense<PAIRS> {
    fn read(bytes: &mut WeightReader<'_>) -> Option<Self> {
        let mut layer = Self([[0; 2 * DENSE_LANES]; PAIRS]);
        for pair in &mut layer.0 {
            *pair = bytes.words()?;
        }
        Some(layer)
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        self.0.iter().for_each(|w| put(bytes, w));
    }

    /// Returns the sum of the absolute weights of an output.
    fn most(&self, output: usize) -> i64 {
        let pairs = self.0.iter();
        let weights = pairs.flat_map(|pair| &pair[2 * output..2 * output + 2]);
        weights.map(|&w| i64::from(w).abs()).sum()
    }
}

impl OutputHead<DENSE_LANES> for LuckHead {
    const MAGIC: &'static str = "luckless luck net 4";
    const HEADS: usize = PHASES;
    const SHARED: bool = false;

    fn read(bytes: &mut WeightReader<'_>) -> Option<Self> {
        Some(Self {
            middle: Dense::read(bytes)?,
            middle_bias: bytes.longs()?,
            outputs: Dense::read(bytes)?,
        })
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        self.middle.write(bytes);
        bytes.extend(self.middle_bias.iter().flat_map(|b| b.to_le_bytes()));
        self.outputs.write(bytes);
    }

    fn most(&self, output: usize) -> i64 {
        self.outputs.most(output)
    }

    fn inner_fits(&self) -> bool {
        let mut units = self.middle_bias.iter().enumerate();
        units.all(|(m, &b)| fits(self.middle.most(m), b))
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
