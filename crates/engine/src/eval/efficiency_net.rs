//! The efficiency net: the fraction of a live cube's value that the cube of a position has.
//!
//! The net is small, because it is evaluated for every cubeful value. Its inputs are the checkers, and
//! chances from the main net: those of gammons, and the place in the doubling window ([`window`]). It has
//! four outputs, with one head for each class of positions.
//!
//! Cube efficiency changes abruptly at the take point and the cash point. A net of few units cannot represent
//! that as a function of the winning chance alone (crates/lab/records/cube.md). The window therefore has a
//! row for each tenth of its length, and the sum is interpolated linearly between rows.
//!
//! ```text
//! sum    = bias + a row for each checker + Σ share · chance row  32 x i16, unit 1/1024
//! active = clamp(sum, 0, 1)²                                     32 x i16, unit 1/4096
//! x_o    = bias_o + Σ active · weight_o                          4 x i32, kept between 0 and 1.2
//! ```
//! All arithmetic is in integers: the same on every machine.

use multiversion::multiversion;
use wide::{i16x8, i32x4};

use std::path::Path;

use super::Probabilities;
use super::count_layer::{ACTIVATION_BITS, BYTES, Row, SHIFT, Stacks};
use super::net_file::{self, NetError, NetHeader, Origin, Shape, WeightReader, put};
use super::rows::COUNT_ROWS;
use super::simd::FULL;
use crate::game::position::OFF;
use crate::game::{Position, Side};

/// Number of hidden units.
pub const UNITS: usize = 32;
/// Number of rows of the first layer: for the checkers of the player on roll and of the opponent.
pub const EFFICIENCY_ROWS: usize = 2 * COUNT_ROWS;
/// Number of rows of the doubling window, at distances of a tenth.
pub const WINDOW_ROWS: usize = 25;
/// Place of the first row in the window. Values are constant beyond the first and the last row.
const WINDOW_BEGIN: f32 = -0.6;
/// Number of rows from the take point to the cash point.
const ROWS_PER_WINDOW: f32 = 10.0;
/// Number of rows of the chances: of the window, and of gammons won and lost.
pub const CHANCE_ROWS: usize = WINDOW_ROWS + 2;
/// Number of efficiencies: of an owned cube, of the opponent's cube, and of a centred cube for either side.
pub const OUTPUTS: usize = 4;
/// Number of classes of positions with separate heads: contact, race, bearoff.
pub const CLASSES: usize = 3;
/// Maximum efficiency of a cube. It may exceed 1, because the chance of gammons may change.
pub const MOST: f32 = 1.2;

const WEIGHT_ONE: f32 = 4096.0;
const OUTPUT_ONE: f32 = WEIGHT_ONE * (1 << ACTIVATION_BITS) as f32;
const SHARE_BITS: u32 = 12;
/// The share of a whole row.
pub const SHARE_ONE: i32 = 1 << SHARE_BITS;
const MAGIC: &str = "luckless efficiency net 2";

const SHAPE: Shape = Shape {
    layout: "counts7-window25-gammons2",
    rows: EFFICIENCY_ROWS + CHANCE_ROWS,
    hidden: UNITS,
    heads: CLASSES * OUTPUTS,
};

/// An efficiency net, ready to use.
#[derive(Clone)]
pub struct EfficiencyNet {
    header: NetHeader,
    rows: Vec<Row<UNITS>>,
    stacks: Stacks<UNITS>,
    chances: [Row<UNITS>; CHANCE_ROWS],
    bias: Row<UNITS>,
    outputs: [Row<UNITS>; CLASSES * OUTPUTS],
    output_bias: [i32; CLASSES * OUTPUTS],
}

/// Classes of positions with different cube efficiencies: each has its own outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EfficiencyClass {
    /// The sides have not passed each other.
    Contact,
    /// The sides have passed each other, and not all checkers are at home.
    Race,
    /// Both sides have all checkers at home or off.
    Bearoff,
}

impl EfficiencyClass {
    /// Returns the class of `position`.
    #[inline]
    pub fn of(position: &Position) -> Self {
        if !position.is_race() {
            Self::Contact
        } else if position.is_bearoff() {
            Self::Bearoff
        } else {
            Self::Race
        }
    }
}

/// The index of a row of the chances, and its share in units of 1/[`SHARE_ONE`].
pub type ChanceShare = (usize, i32);

/// Returns the place of these chances in the doubling window of a live cube for money: 0 at the take point, 1
/// at the cash point, and other values outside.
///
/// With `W` and `L` the mean points of wins and losses, these points are `TP = (L - 1/2) / (W + L + 1/2)` and
/// `CP = (L + 1) / (W + L + 1/2)` (Janowski 1993). As `p·W - (1 - p)·L` is the cubeless equity `E`, `(p - TP)
/// / (CP - TP) = (E + p/2 + 1/2) / (3/2)`.
///
/// ```
/// # use luckless_engine::eval::{Probabilities, efficiency_net::window};
/// let without_gammons = |win| Probabilities { win, ..Probabilities::default() };
/// assert!(window(&without_gammons(0.2)).abs() < 1e-6);
/// assert!((window(&without_gammons(0.8)) - 1.0).abs() < 1e-6);
/// ```
#[inline]
pub fn window(chances: &Probabilities) -> f32 {
    (chances.equity() + 0.5 * chances.win + 0.5) / 1.5
}

/// Returns the rows that these chances add: two of the window, and those of gammons.
#[inline]
pub fn shares(chances: &Probabilities) -> [ChanceShare; 4] {
    let whole = |share: f32| (share * SHARE_ONE as f32) as i32;
    let last = WINDOW_ROWS as i32 - 1;
    let along = (window(chances) - WINDOW_BEGIN) * ROWS_PER_WINDOW;
    let along = whole(along.clamp(0.0, last as f32));
    let below = (along >> SHARE_BITS).min(last - 1);
    let above = along - (below << SHARE_BITS);
    let gammon = |chance: f32| whole(chance.clamp(0.0, 1.0));
    [
        (below as usize, SHARE_ONE - above),
        (below as usize + 1, above),
        (WINDOW_ROWS, gammon(chances.win_gammon)),
        (WINDOW_ROWS + 1, gammon(chances.lose_gammon)),
    ]
}

impl EfficiencyNet {
    /// Returns the embedded net for cubes without the Jacoby rule.
    ///
    /// # Panics
    /// Never in a released program: a test loads it.
    pub fn embedded() -> Self {
        Self::from_bytes(include_bytes!("efficiency.net"))
            .expect("the embedded net is checked by a test")
    }

    /// Returns the embedded net for money play with the Jacoby rule.
    ///
    /// # Panics
    /// Never in a released program: a test loads it.
    pub fn embedded_jacoby() -> Self {
        Self::from_bytes(include_bytes!("efficiency_jacoby.net"))
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
        let (header, weights) = net_file::open(bytes, MAGIC, &SHAPE)?;
        let net = Self::read(header, &mut WeightReader(weights))
            .ok_or(NetError::Weights("the rows of an efficiency net"))?;
        let fits = net
            .outputs
            .iter()
            .zip(net.output_bias)
            .all(|(row, bias)| row.most() + i64::from(bias).abs() <= i64::from(i32::MAX));
        if fits {
            Ok(net)
        } else {
            Err(NetError::Overflow)
        }
    }

    fn read(header: NetHeader, bytes: &mut WeightReader<'_>) -> Option<Self> {
        let rows = (0..EFFICIENCY_ROWS).map(|_| bytes.words().map(Row));
        let rows: Vec<_> = rows.collect::<Option<_>>()?;
        let mut net = Self {
            header,
            stacks: Stacks::new(&rows),
            rows,
            chances: [Row::ZERO; CHANCE_ROWS],
            bias: Row(bytes.words()?),
            outputs: [Row::ZERO; CLASSES * OUTPUTS],
            output_bias: [0; CLASSES * OUTPUTS],
        };
        for row in net.chances.iter_mut().chain(&mut net.outputs) {
            *row = Row(bytes.words()?);
        }
        net.output_bias = bytes.longs()?;
        bytes.0.is_empty().then_some(net)
    }

    /// Creates a net from real weights by rounding: [`EFFICIENCY_ROWS`] rows of [`UNITS`], a bias,
    /// [`CHANCE_ROWS`] rows of the chances, the weights of each class's outputs, and the outputs' biases.
    pub fn quantised(
        rows: &[f32],
        bias: &[f32],
        chances: &[f32],
        outputs: &[f32],
        output_bias: &[f32],
        origin: Origin,
    ) -> Self {
        let full = f32::from(FULL);
        let rows = rows.chunks_exact(UNITS).map(|w| Row::rounded(w, full));
        let rows: Vec<_> = rows.collect();
        let at = |all: &[f32], i: usize, one: f32| Row::rounded(&all[i * UNITS..], one);
        let mut net = Self {
            header: NetHeader::new(&SHAPE, Origin::default(), &[]),
            stacks: Stacks::new(&rows),
            rows,
            bias: Row::rounded(bias, full),
            chances: std::array::from_fn(|i| at(chances, i, full)),
            outputs: std::array::from_fn(|i| at(outputs, i, WEIGHT_ONE)),
            output_bias: std::array::from_fn(|i| (output_bias[i] * OUTPUT_ONE).round() as i32),
        };
        net.header = NetHeader::new(&SHAPE, origin, &net.weights());
        net
    }

    /// Returns the bytes of a net file.
    pub fn to_bytes(&self) -> Vec<u8> {
        net_file::seal(MAGIC, &self.header, &self.weights())
    }

    pub fn header(&self) -> &NetHeader {
        &self.header
    }

    fn weights(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let rows = self.rows.iter().chain([&self.bias]);
        for row in rows.chain(&self.chances).chain(&self.outputs) {
            put(&mut bytes, &row.0);
        }
        bytes.extend(self.output_bias.iter().flat_map(|b| b.to_le_bytes()));
        bytes
    }

    /// Returns the efficiencies in `position` for chances of the player on roll: of an owned cube, of the
    /// opponent's cube, and of a centred cube for the player on roll and for the opponent.
    #[inline]
    pub fn values(&self, position: &Position, chances: &Probabilities) -> [f32; OUTPUTS] {
        let class = EfficiencyClass::of(position);
        outputs(self, position, &shares(chances), class)
            .map(|sum| (sum as f32 / OUTPUT_ONE).clamp(0.0, MOST))
    }
}

/// Returns the sum of the bias and the rows of a position, kept in registers.
#[inline(always)]
fn checkers(net: &EfficiencyNet, position: &Position) -> [i16; UNITS] {
    type Parts = [i16x8; UNITS / 8];
    let bytes: &[u8; BYTES] = bytemuck::cast_ref(position);
    let mut sum: Parts = bytemuck::cast(net.bias.0);
    let mut add = |place: usize| {
        let row: &Parts = bytemuck::cast_ref(net.stacks.of(place, bytes[place]));
        for (s, w) in sum.iter_mut().zip(row) {
            *s += *w;
        }
    };
    let mut places = u64::from(position.mover.mask(1)) | u64::from(position.opponent.mask(1)) << 32;
    // The masks leave out checkers that have been borne off.
    add(OFF);
    add(size_of::<Side>() + OFF);
    while places != 0 {
        add(places.trailing_zeros() as usize % BYTES);
        places &= places - 1;
    }
    bytemuck::cast(sum)
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl+avx2", "x86_64+avx2"))]
fn outputs(
    net: &EfficiencyNet,
    position: &Position,
    shares: &[ChanceShare; 4],
    class: EfficiencyClass,
) -> [i32; OUTPUTS] {
    let mut sum = checkers(net, position);
    for (row, share) in shares {
        for (s, w) in sum.iter_mut().zip(&net.chances[*row].0) {
            *s = s.wrapping_add(((share * i32::from(*w)) >> SHARE_BITS) as i16);
        }
    }
    // Explicit vectors: compilers vectorise a plain loop differently, depending on other inlining.
    let parts: [i16x8; UNITS / 8] = bytemuck::cast(sum);
    let active = parts.map(|s| {
        // The upper half of a 16-bit product, which processors compute in one step.
        let c: i16x8 = s.max(i16x8::ZERO).min(i16x8::splat(FULL)) << SHIFT;
        i16x8::mul_keep_high(c, c)
    });
    std::array::from_fn(|o| {
        let head = class as usize * OUTPUTS + o;
        let weights: &[i16x8; UNITS / 8] = bytemuck::cast_ref(&net.outputs[head].0);
        let products = active.iter().zip(weights);
        let total = products.fold(i32x4::ZERO, |total, (a, w)| total + a.dot(*w));
        net.output_bias[head] + total.reduce_add()
    })
}

impl std::fmt::Debug for EfficiencyNet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("EfficiencyNet").field(&self.header).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::features::all_checkers;

    const EVEN: Probabilities = Probabilities {
        win: 0.5,
        win_gammon: 0.13,
        win_backgammon: 0.01,
        lose_gammon: 0.13,
        lose_backgammon: 0.01,
    };

    #[test]
    fn the_embedded_nets_load() {
        for net in [EfficiencyNet::embedded(), EfficiencyNet::embedded_jacoby()] {
            let bytes = net.to_bytes();
            let again = EfficiencyNet::from_bytes(&bytes).unwrap();
            assert_eq!(again.header(), net.header());
            assert_eq!((&again.rows, again.outputs), (&net.rows, net.outputs));
            let short = EfficiencyNet::from_bytes(&bytes[..bytes.len() - 1]);
            assert!(matches!(short, Err(NetError::Length { .. })));
        }
    }

    /// The integers match the real weights, computed directly.
    #[test]
    fn rounding_costs_little() {
        let weight = |i: usize, most: f32| most * (((i * 7919) % 201) as f32 / 100.0 - 1.0);
        let fill = |n: usize, most: f32| -> Vec<f32> { (0..n).map(|i| weight(i, most)).collect() };
        let rows = fill(EFFICIENCY_ROWS * UNITS, 0.2);
        let (bias, chances) = (fill(UNITS, 0.5), fill(CHANCE_ROWS * UNITS, 0.5));
        let outputs = fill(CLASSES * OUTPUTS * UNITS, 0.1);
        let output_bias = vec![0.6; CLASSES * OUTPUTS];
        let net = EfficiencyNet::quantised(
            &rows,
            &bias,
            &chances,
            &outputs,
            &output_bias,
            Origin::default(),
        );
        let position = Position::opening();
        let mut sum = bias.clone();
        all_checkers(&position, |role, row| {
            let row = &rows[(role * COUNT_ROWS + row) * UNITS..][..UNITS];
            sum.iter_mut().zip(row).for_each(|(s, w)| *s += w);
        });
        for (row, share) in shares(&EVEN) {
            let share = share as f32 / SHARE_ONE as f32;
            let row = &chances[row * UNITS..][..UNITS];
            sum.iter_mut().zip(row).for_each(|(s, w)| *s += share * w);
        }
        let values = net.values(&position, &EVEN);
        for (o, value) in values.iter().enumerate() {
            let row = &outputs[o * UNITS..][..UNITS];
            let expected = sum.iter().zip(row);
            let expected = expected
                .map(|(s, w)| s.clamp(0.0, 1.0).powi(2) * w)
                .sum::<f32>()
                + 0.6;
            assert!(
                (value - expected.clamp(0.0, MOST)).abs() < 0.01,
                "{value} {expected}"
            );
        }
        assert!(values.iter().any(|v| (v - 0.6).abs() > 0.05));
    }

    /// The shares of two rows encode the place in the window, including its ends and beyond.
    #[test]
    fn the_window_is_shared_out_between_two_rows() {
        for win in [0.0, 0.05, 0.2, 0.45, 0.8, 1.0] {
            let chances = Probabilities { win, ..EVEN };
            let [(low, a), (high, b), gammons @ ..] = shares(&chances);
            assert_eq!((high, a + b), (low + 1, SHARE_ONE));
            assert!(a >= 0 && b >= 0 && high < WINDOW_ROWS);
            let place = low as f32 + b as f32 / SHARE_ONE as f32;
            let place = WINDOW_BEGIN + place / ROWS_PER_WINDOW;
            let end = WINDOW_BEGIN + (WINDOW_ROWS - 1) as f32 / ROWS_PER_WINDOW;
            let wanted = window(&chances).clamp(WINDOW_BEGIN, end);
            assert!((place - wanted).abs() < 1e-3, "{win}: {place} {wanted}");
            assert_eq!(gammons.map(|(row, _)| row), [WINDOW_ROWS, WINDOW_ROWS + 1]);
        }
    }

    #[test]
    fn outputs_stay_in_their_range_for_any_input() {
        let net = EfficiencyNet::embedded();
        for win in [-1.0, 0.0, 1.0, 2.0, f32::NAN] {
            let chances = Probabilities { win, ..EVEN };
            for value in net.values(&Position::opening(), &chances) {
                assert!((0.0..=MOST).contains(&value));
            }
        }
    }
}
