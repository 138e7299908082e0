//! Packed training samples: a position with its label.

use super::learn::TrainingExample;
use super::weights::Heads;
use crate::eval::luck_net::{LUCK_OUTPUTS, MIDDLE, PARTS};
use crate::eval::simd::OUTCOMES;
use crate::game::position::OFF;
use crate::game::roll::DISTINCT;
use crate::game::{Position, Roll, Side};

/// Chances of the six exclusive outcomes for the player on roll: win single, gammon, backgammon, lose single, gammon,
/// backgammon.
pub type Outcomes = [f32; OUTCOMES];

/// Returns these outcomes seen by the other player.
#[inline]
pub fn flipped(o: &Outcomes) -> Outcomes {
    [o[3], o[4], o[5], o[0], o[1], o[2]]
}

/// Cubeless equity in points.
#[inline]
pub fn equity(o: &Outcomes) -> f32 {
    o.iter()
        .zip(OUTCOME_POINTS)
        .map(|(o, points)| o * points)
        .sum()
}

/// Chances are stored in units of 1/8192.
const SCALE: f32 = 8192.0;

fn pack(x: f32) -> [u8; 2] {
    ((x * SCALE).round().clamp(-32767.0, 32767.0) as i16).to_le_bytes()
}

fn unpack(x: [u8; 2]) -> f32 {
    f32::from(i16::from_le_bytes(x)) / SCALE
}

/// Two checker counts per byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Board([u8; 26]);

impl Board {
    fn new(position: &Position) -> Self {
        Self(std::array::from_fn(|place| match place {
            OFF => 0,
            _ => position.mover.at(place) | position.opponent.at(place) << 4,
        }))
    }

    fn side(&self, shift: u8) -> Option<Side> {
        let counts: [u8; 26] = std::array::from_fn(|p| self.0[p] >> shift & 15);
        Side::new(&counts).ok()
    }

    fn is_sound(&self) -> bool {
        self.side(0).is_some() && self.side(4).is_some()
    }

    fn position(&self) -> Position {
        let side = |shift| self.side(shift).unwrap_or(Position::opening().mover);
        Position {
            mover: side(0),
            opponent: side(4),
        }
    }
}

/// A position with the chances of its outcomes. Labels with luck subtracted may lie slightly outside 0 to 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Sample {
    board: Board,
    label: [[u8; 2]; OUTCOMES],
}

impl Sample {
    /// Packs a position and its label.
    pub fn new(position: &Position, label: &Outcomes) -> Self {
        Self {
            board: Board::new(position),
            label: label.map(pack),
        }
    }

    /// Marks the next sample as a rival: both positions result from plays of the same roll.
    pub fn with_rival(mut self) -> Self {
        self.board.0[OFF] = 1;
        self
    }

    pub fn board(&self) -> Position {
        self.board.position()
    }

    /// Returns whether bytes from a file are a valid sample.
    pub fn is_sound(&self) -> bool {
        let sum: f32 = self.label().iter().sum();
        self.board.is_sound() && (sum - 1.0).abs() < 0.05
    }

    pub fn label(&self) -> Outcomes {
        self.label.map(unpack)
    }

    /// Converts a net's outputs to chances. Returns their cross-entropy and the error of their equity in points.
    pub fn compare(&self, outputs: &mut [f32]) -> (f32, f32) {
        let position = self.board.position();
        // A player who has borne off a checker can no longer lose a gammon.
        let no_gammon = [position.opponent.off() > 0, position.mover.off() > 0];
        softmax(outputs, no_gammon);
        let label = self.label();
        let mut entropy = 0.0;
        let mut off = -equity(&label);
        for ((o, label), points) in outputs.iter().zip(label).zip(OUTCOME_POINTS) {
            if *o > 0.0 {
                entropy -= label * o.max(1e-9).ln();
            }
            off += o * points;
        }
        (entropy, off)
    }
}

impl TrainingExample for Sample {
    const HEADS: Heads = Heads::Kinds;
    const OUTPUTS: &'static [usize] = &[OUTCOMES];

    fn position(&self) -> Position {
        self.board.position()
    }

    fn has_rival(&self) -> bool {
        self.board.0[OFF] == 1
    }

    fn off(&self, outputs: &mut [f32]) -> f32 {
        self.compare(outputs).1
    }

    /// The cross-entropy plus [`EQUITY_WEIGHT`] times half the squared error of the equity: plays are chosen by
    /// equity, while cross-entropy alone weighs all outcomes equally. For the same reason an error that the rival
    /// does not share counts [`RIVAL_WEIGHT`] times.
    fn assess(&self, outputs: &mut [f32], excess: f32) -> f32 {
        let (entropy, off) = self.compare(outputs);
        let mean = off + equity(&self.label());
        let pull = EQUITY_WEIGHT * off + RIVAL_WEIGHT * excess;
        for ((o, label), points) in outputs.iter_mut().zip(self.label()).zip(OUTCOME_POINTS) {
            // An impossible outcome has no gradient.
            if *o > 0.0 {
                *o += pull * *o * (points - mean) - label;
            }
        }
        entropy + EQUITY_WEIGHT * off * off / 2.0
    }
}

/// Weight of the equity's squared error.
const EQUITY_WEIGHT: f32 = 2.0;

/// Weight of the squared error in the difference of two plays' equities.
const RIVAL_WEIGHT: f32 = 16.0;

/// Points of the six outcomes.
const OUTCOME_POINTS: Outcomes = [1.0, 2.0, 3.0, -1.0, -2.0, -3.0];

fn softmax(outputs: &mut [f32], no_gammon: [bool; 2]) {
    let most = outputs.iter().copied().fold(f32::MIN, f32::max);
    let mut total = 0.0;
    for (o, output) in outputs.iter_mut().enumerate() {
        let impossible = matches!(o, 1 | 2) && no_gammon[0] || matches!(o, 4 | 5) && no_gammon[1];
        *output = if impossible {
            0.0
        } else {
            (*output - most).exp()
        };
        total += *output;
    }
    outputs
        .iter_mut()
        .for_each(|o| *o /= total.max(f32::MIN_POSITIVE));
}

/// Values of each of the 21 rolls: chances to win, to win a gammon and to lose one, for the player who rolls.
pub type RollChances = [[f32; PARTS]; DISTINCT];

/// A position with the values of its rolls.
#[derive(Clone, Copy, PartialEq, Eq, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct LuckSample {
    board: Board,
    values: [[[u8; 2]; PARTS]; DISTINCT],
}

impl LuckSample {
    /// Returns whether bytes from a file are a valid sample.
    pub fn is_sound(&self) -> bool {
        self.board.is_sound()
    }

    pub fn new(position: &Position, values: &RollChances) -> Self {
        Self {
            board: Board::new(position),
            values: values.map(|v| v.map(pack)),
        }
    }
}

impl TrainingExample for LuckSample {
    const HEADS: Heads = Heads::Phases;
    const OUTPUTS: &'static [usize] = &[MIDDLE, LUCK_OUTPUTS];

    fn position(&self) -> Position {
        self.board.position()
    }

    /// The squared error of the luck: half of it in equity, half in the three chances, weighted by their effect on
    /// equity. Only differences between rolls matter, so both sides are centred.
    fn assess(&self, outputs: &mut [f32], _excess: f32) -> f32 {
        let mut errors = [[0.0f32; PARTS]; DISTINCT];
        let mut mean = [0.0f32; PARTS];
        for (r, roll) in Roll::ALL.iter().enumerate() {
            for p in 0..PARTS {
                errors[r][p] = outputs[p * DISTINCT + r] - unpack(self.values[r][p]);
                mean[p] += errors[r][p] * roll.weight() as f32 / 36.0;
            }
        }
        outputs.fill(0.0);
        let mut loss = 0.0;
        for (r, roll) in Roll::ALL.iter().enumerate() {
            let weight = roll.weight() as f32 / 36.0;
            let e: [f32; PARTS] = std::array::from_fn(|p| POINTS[p] * (errors[r][p] - mean[p]));
            let equity: f32 = e.iter().sum();
            loss += weight * 0.5 * (equity * equity + e.iter().map(|e| e * e).sum::<f32>());
            for p in 0..PARTS {
                outputs[p * DISTINCT + r] = weight * POINTS[p] * (equity + e[p]);
            }
        }
        loss
    }
}

/// Effect of each chance on the equity: a win turns -1 into 1.
const POINTS: [f32; PARTS] = [2.0, 1.0, -1.0];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_keeps_the_position() {
        assert_eq!(std::mem::size_of::<Sample>(), 38);
        let p = Position::from_points(&[(25, 3), (6, 12)], &[(1, 2), (2, 13)]).unwrap();
        let label = [0.5, 0.25, 0.0, 0.125, 0.125, -0.015625];
        let sample = Sample::new(&p, &label);
        assert_eq!(sample.position(), p);
        assert_eq!(sample.label(), label);
        let paired = sample.with_rival();
        assert!(paired.has_rival() && paired.is_sound() && !sample.has_rival());
        assert_eq!((paired.position(), paired.label()), (p, label));
    }

    /// The gradient is that of the sample's own loss and of the squared difference to its rival's equity. Compared
    /// with finite differences.
    #[test]
    fn rivals_pull_at_each_other() {
        let label = [0.4, 0.15, 0.01, 0.3, 0.13, 0.01];
        let sample = Sample::new(&Position::opening(), &label);
        let outputs = [0.3f32, -0.5, -2.0, 0.1, -1.0, -3.0];
        let rival_is_off = -0.07;
        let loss = |outputs: &[f32; OUTCOMES]| {
            let (entropy, off) = sample.compare(&mut outputs.clone());
            let excess = off - rival_is_off;
            f64::from(
                entropy + EQUITY_WEIGHT * off * off / 2.0 + RIVAL_WEIGHT * excess * excess / 2.0,
            )
        };
        let mut slopes = outputs;
        let excess = sample.off(&mut outputs.clone()) - rival_is_off;
        sample.assess(&mut slopes, excess);
        for (o, slope) in slopes.iter().enumerate() {
            let h = 1e-2;
            let at = |delta: f32| {
                let mut outputs = outputs;
                outputs[o] += delta;
                loss(&outputs)
            };
            let expected = (at(h) - at(-h)) / f64::from(2.0 * h);
            assert!(
                (expected - f64::from(*slope)).abs() < 1e-3,
                "{o}: {expected} {slope}"
            );
        }
    }
}
