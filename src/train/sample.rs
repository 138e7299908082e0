//! A position and its label, packed.

use crate::game::position::OFF;
use crate::game::{Position, Side};

/// Chances of the six exclusive outcomes for the player on roll: win single, gammon, backgammon,
/// lose single, gammon, backgammon.
pub type Outcomes = [f32; 6];

/// The same outcomes seen by the other player.
#[inline]
#[must_use]
pub fn turned(o: &Outcomes) -> Outcomes {
    [o[3], o[4], o[5], o[0], o[1], o[2]]
}

/// Bytes of a packed sample.
pub const BYTES: usize = 38;

const SCALE: f32 = 8192.0;

/// A labelled position in 38 bytes: two checker counts a byte, and six labels of 16 bits. Labels
/// whose luck has been taken out may lie a little outside 0 to 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Sample {
    checkers: [u8; 26],
    label: [[u8; 2]; 6],
}

impl Sample {
    /// Packs a position and its label.
    #[must_use]
    pub fn new(position: &Position, label: &Outcomes) -> Self {
        let checkers = std::array::from_fn(|place| match place {
            OFF => 0,
            _ => position.mover.at(place) | position.opponent.at(place) << 4,
        });
        let label =
            label.map(|l| ((l * SCALE).round().clamp(-32767.0, 32767.0) as i16).to_le_bytes());
        Self { checkers, label }
    }

    /// The position.
    #[must_use]
    pub fn position(&self) -> Position {
        let side = |shift: u8| {
            let counts: [u8; 26] = std::array::from_fn(|p| self.checkers[p] >> shift & 15);
            Side::new(&counts).unwrap_or(Position::opening().mover)
        };
        Position {
            mover: side(0),
            opponent: side(4),
        }
    }

    /// The label.
    #[must_use]
    pub fn label(&self) -> Outcomes {
        self.label.map(|l| f32::from(i16::from_le_bytes(l)) / SCALE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_keeps_the_position() {
        assert_eq!(std::mem::size_of::<Sample>(), BYTES);
        let p = Position::from_points(&[(25, 3), (6, 12)], &[(1, 2), (2, 13)]).unwrap();
        let label = [0.5, 0.25, 0.0, 0.125, 0.125, -0.015625];
        let sample = Sample::new(&p, &label);
        assert_eq!(sample.position(), p);
        assert_eq!(sample.label(), label);
    }
}
