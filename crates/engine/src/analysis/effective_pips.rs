//! Effective pip counts of a bearoff.
//!
//! Pip counts ignore waste: a roll that bears a checker off from a low point wastes most of its pips. The
//! effective pip count (EPC; W. Trice, *Backgammon Boot Camp*, 2004) is the mean number of rolls that a side
//! needs, times 8 1/6, the mean pips of a roll. The waste is the EPC minus the pip count.

use crate::eval::bearoff::Bearoff;
use crate::game::{Position, Side};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EffectivePips {
    /// Effective pip count, for plays that minimise the mean number of rolls.
    pub epc: f32,
    /// Pip count of the checkers.
    pub pips: u32,
}

impl EffectivePips {
    /// Returns the counts of the player on roll and of the opponent; `None` unless both have all checkers at
    /// home or off.
    pub fn of(position: &Position) -> Option<[Self; 2]> {
        Some([
            Self::of_side(&position.mover)?,
            Self::of_side(&position.opponent)?,
        ])
    }

    fn of_side(side: &Side) -> Option<Self> {
        Some(Self {
            epc: Bearoff::embedded().effective_pips(side)?,
            pips: side.pips(),
        })
    }

    /// Returns the mean number of pips that the rolls will waste.
    pub fn waste(self) -> f32 {
        self.epc - self.pips as f32
    }

    /// Describes both sides in one line: player on roll and opponent, or doubler and taker while a double is
    /// pending.
    pub fn words([own, other]: [Self; 2], is_offered: bool) -> String {
        let [first, second] = match is_offered {
            true => ["doubler ", "taker"],
            false => ["", "opponent"],
        };
        format!(
            "EPC {first}{:.1}, {second} {:.1} (waste {:.1}, {:.1})",
            own.epc,
            other.epc,
            own.waste(),
            other.waste()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten checkers on the ace point have an EPC of 36.0001; five each on 4, 5 and 6 have 82.2690.
    #[test]
    fn known_positions_waste_what_is_known() {
        let home = [(4, 5), (5, 5), (6, 5)];
        let position = Position::from_points(&[(1, 10)], &home).unwrap();
        let both = EffectivePips::of(&position).unwrap();
        let known = [(36.0001, 10), (82.2690, 75)];
        for (side, (epc, pips)) in both.into_iter().zip(known) {
            assert!((side.epc - epc).abs() < 1e-4, "{side:?}");
            assert_eq!(side.pips, pips);
            assert!((side.waste() - (epc - pips as f32)).abs() < 1e-4);
        }
        let words = "EPC 36.0, opponent 82.3 (waste 26.0, 7.3)";
        assert_eq!(EffectivePips::words(both, false), words);
        let words = "EPC doubler 36.0, taker 82.3 (waste 26.0, 7.3)";
        assert_eq!(EffectivePips::words(both, true), words);
    }

    #[test]
    fn both_sides_have_to_be_at_home() {
        assert_eq!(EffectivePips::of(&Position::opening()), None);
        let race = Position::from_points(&[(1, 10)], &[(7, 1), (1, 3)]).unwrap();
        assert_eq!(EffectivePips::of(&race), None);
        assert_eq!(EffectivePips::of(&race.flipped()), None);
    }
}
