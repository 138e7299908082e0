//! The efficiency net: how much of a live cube's value the cube of a position has.
//!
//! A small net, for it is asked at every value with a cube: its inputs are where the checkers are and the
//! chances, which the main net has given already. Four efficiencies come out, one head for each class of
//! positions.
//!
//! ```text
//! sum    = bias + a row for each checker + Σ chance · weight     32 x i16, unit 1/1024
//! active = clamp(sum, 0, 1)²                                     32 x i16, unit 1/4096
//! x_o    = bias_o + Σ active · weight_o                          4 x i32, kept between 0 and 1.2
//! ```
//! All of it is integer arithmetic: the same on every machine.

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

/// Hidden units.
pub const UNITS: usize = 32;
/// Rows of the first layer: the checkers of the player on roll, and the other's.
pub const EFFICIENCY_ROWS: usize = 2 * COUNT_ROWS;
/// Chances that the net is shown: to win, to win a gammon, to lose one.
pub const CHANCES: usize = 3;
/// Efficiencies: of an own cube, of the other's, and of one in the middle to either side.
pub const OUTPUTS: usize = 4;
/// Classes of positions, each with a head of its own: contact, race, bearoff.
pub const CLASSES: usize = 3;
/// The most that a cube can be worth of a live one. More than all of it, as gammons come and go.
pub const MOST: f32 = 1.2;

const WEIGHT_ONE: f32 = 4096.0;
const OUTPUT_ONE: f32 = WEIGHT_ONE * (1 << ACTIVATION_BITS) as f32;
/// A chance of one.
const CHANCE_ONE: f32 = 4096.0;
const CHANCE_BITS: u32 = 12;
const MAGIC: &str = "luckless efficiency net 1";

const SHAPE: Shape = Shape {
    layout: "counts7-chances3",
    rows: EFFICIENCY_ROWS + CHANCES,
    hidden: UNITS,
    heads: CLASSES * OUTPUTS,
};

/// An efficiency net, ready to use.
#[derive(Clone)]
pub struct EfficiencyNet {
    header: NetHeader,
    rows: Vec<Row<UNITS>>,
    stacks: Stacks<UNITS>,
    chances: [Row<UNITS>; CHANCES],
    bias: Row<UNITS>,
    outputs: [Row<UNITS>; CLASSES * OUTPUTS],
    output_bias: [i32; CLASSES * OUTPUTS],
}

/// Classes of positions whose cubes differ in efficiency: each has outputs of its own, by its number here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EfficiencyClass {
    /// The sides have not passed each other.
    Contact,
    /// The sides have passed each other, and not all checkers are at home.
    Race,
    /// Both sides bear off.
    Bearoff,
}

impl EfficiencyClass {
    /// The class of `position`.
    #[inline]
    #[must_use]
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

/// The chances that the net takes as inputs.
#[inline]
#[must_use]
pub fn inputs(chances: &Probabilities) -> [f32; CHANCES] {
    [chances.win, chances.win_gammon, chances.lose_gammon]
}

impl EfficiencyNet {
    /// The net that is part of the program, for cubes without the Jacoby rule.
    ///
    /// # Panics
    /// Never in a released program: a test loads it.
    #[must_use]
    pub fn embedded() -> Self {
        Self::from_bytes(include_bytes!("efficiency.net"))
            .expect("the embedded net is checked by a test")
    }

    /// The net that is part of the program, for money play with the Jacoby rule.
    ///
    /// # Panics
    /// Never in a released program: a test loads it.
    #[must_use]
    pub fn embedded_jacoby() -> Self {
        Self::from_bytes(include_bytes!("efficiency_jacoby.net"))
            .expect("the embedded net is checked by a test")
    }

    /// Reads a net file.
    ///
    /// # Errors
    /// A [`NetError`] that says what does not fit.
    pub fn load(path: &Path) -> Result<Self, NetError> {
        net_file::load(path, Self::from_bytes)
    }

    /// Reads a net from the bytes of a file.
    ///
    /// # Errors
    /// A [`NetError`] that says what does not fit.
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
            chances: [Row::ZERO; CHANCES],
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

    /// Makes a net of real weights, rounded: [`EFFICIENCY_ROWS`] rows of [`UNITS`], a bias, the weights of the
    /// chances, those of each class's outputs, and the outputs' biases.
    #[must_use]
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

    /// The bytes of a net file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        net_file::seal(MAGIC, &self.header, &self.weights())
    }

    /// What the net says of itself.
    #[must_use]
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

    /// The efficiencies in `position`; the chances are those of the player on roll. They are of an own cube,
    /// of the other's, and of one in the middle to the player on roll and to the other.
    #[inline]
    #[must_use]
    pub fn values(&self, position: &Position, chances: &Probabilities) -> [f32; OUTPUTS] {
        let shown = inputs(chances).map(|c| (c.clamp(0.0, 1.0) * CHANCE_ONE) as i32);
        outputs(self, position, &shown, EfficiencyClass::of(position))
            .map(|sum| (sum as f32 / OUTPUT_ONE).clamp(0.0, MOST))
    }
}

/// The bias and the rows of a position, in registers all the time.
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
    chances: &[i32; CHANCES],
    class: EfficiencyClass,
) -> [i32; OUTPUTS] {
    let mut sum = checkers(net, position);
    for (chance, row) in chances.iter().zip(&net.chances) {
        for (s, w) in sum.iter_mut().zip(&row.0) {
            *s = s.wrapping_add(((chance * i32::from(*w)) >> CHANCE_BITS) as i16);
        }
    }
    // Vectors by name: of a plain loop compilers make something else, depending on what else they inline.
    let parts: [i16x8; UNITS / 8] = bytemuck::cast(sum);
    let active = parts.map(|s| {
        // The upper half of a product of 16 bits, which processors have in one step.
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

    /// The integers say what the real weights say, computed plainly.
    #[test]
    fn rounding_costs_little() {
        let weight = |i: usize, most: f32| most * (((i * 7919) % 201) as f32 / 100.0 - 1.0);
        let fill = |n: usize, most: f32| -> Vec<f32> { (0..n).map(|i| weight(i, most)).collect() };
        let rows = fill(EFFICIENCY_ROWS * UNITS, 0.2);
        let (bias, chances) = (fill(UNITS, 0.5), fill(CHANCES * UNITS, 0.5));
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
        for (c, row) in inputs(&EVEN).iter().zip(chances.chunks_exact(UNITS)) {
            sum.iter_mut().zip(row).for_each(|(s, w)| *s += c * w);
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

    #[test]
    fn whatever_it_is_shown_it_stays_in_its_range() {
        let net = EfficiencyNet::embedded();
        for win in [-1.0, 0.0, 1.0, 2.0, f32::NAN] {
            let chances = Probabilities { win, ..EVEN };
            for value in net.values(&Position::opening(), &chances) {
                assert!((0.0..=MOST).contains(&value));
            }
        }
    }
}
