//! Cubeful equities in money play: R. Janowski, *Take-Points in Money Games* (1993).
//!
//! Let `p` be the winning chance, `W` the mean points of a win and `L` those of a loss (both per unit of
//! cube, from the cubeless chances). Two extremes are simple.
//!
//! *Dead cube*: nobody will ever double. `E = p·W - (1 - p)·L`.
//!
//! *Live cube*: a player doubles exactly where the opponent is indifferent, so that the equity is linear
//! between fixed corners (`p`, `E`):
//!
//! ```text
//! take point  TP = (L - 1/2) / (W + L + 1/2)      cash point  CP = (L + 1) / (W + L + 1/2)
//! centred:               (0, -L) (TP, -1) (CP, 1) (1, W)
//! mine:                  (0, -L)          (CP, 1) (1, W)
//! the opponent's:        (0, -L) (TP, -1)         (1, W)
//! centred, Jacoby rule:  (0, -1) (TP, -1) (CP, 1) (1, 1)
//! ```
//!
//! A real cube lies between the extremes: `E = (1 - x)·dead + x·live` with the cube-efficiency index `x`. The
//! two *equities* are interpolated, as in Janowski's general formulas. Interpolating the take and cash points
//! instead, and drawing new lines through them, gives other values for a centred cube.
//!
//! Under the Jacoby rule gammons do not count while the cube is centred. The dead centred cube has the equity
//! `2p - 1`, and the outer corners are -1 and 1. `TP` and `CP` keep `W` and `L`, since they apply to the game
//! after a double.

use crate::eval::Probabilities;
#[cfg(test)]
use crate::game::CubeOwner;

/// The winning chance, and the mean points of wins and of losses per unit of cube (1 to 3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanPoints {
    /// Winning chance, `p`.
    pub win: f32,
    /// Mean points of a win, `W`.
    pub won: f32,
    /// Mean points of a loss, `L`.
    pub lost: f32,
}

impl MeanPoints {
    /// Computes the means from cubeless chances. A side that never wins is assumed to win single games.
    pub fn new(chances: &Probabilities) -> Self {
        let points = |any: f32, gammon: f32, backgammon: f32| {
            if any > 0.0 {
                (1.0 + (gammon + backgammon) / any).clamp(1.0, 3.0)
            } else {
                1.0
            }
        };
        let c = chances;
        Self {
            win: c.win,
            won: points(c.win, c.win_gammon, c.win_backgammon),
            lost: points(1.0 - c.win, c.lose_gammon, c.lose_backgammon),
        }
    }

    /// Returns the winning chance from which a double should be taken, with cube efficiency `x`: (L - 1/2) /
    /// (W + L + x/2).
    pub fn take_point(&self, x: f32) -> f32 {
        (self.lost - 0.5) / (self.won + self.lost + 0.5 * x)
    }

    /// Returns the winning chance from which a double should be passed, with cube efficiency `x`: (L + 1/2 +
    /// x/2) / (W + L + x/2).
    pub fn cash_point(&self, x: f32) -> f32 {
        (self.lost + 0.5 + 0.5 * x) / (self.won + self.lost + 0.5 * x)
    }
}

/// Janowski's formulas as printed, for testing the values of cubes.
#[cfg(test)]
impl MeanPoints {
    fn dead(&self) -> f32 {
        self.win * self.won - (1.0 - self.win) * self.lost
    }

    fn live(&self, owner: CubeOwner, jacoby: bool) -> f32 {
        let (most, least) = if jacoby {
            (1.0, -1.0)
        } else {
            (self.won, -self.lost)
        };
        let bottom = (0.0, least);
        let top = (1.0, most);
        let take = (self.take_point(1.0), -1.0);
        let cash = (self.cash_point(1.0), 1.0);
        match owner {
            CubeOwner::Centred => piecewise(self.win, &[bottom, take, cash, top]),
            CubeOwner::Mover => piecewise(self.win, &[bottom, cash, top]),
            CubeOwner::Opponent => piecewise(self.win, &[bottom, take, top]),
        }
    }
}

/// Returns the value at `p` of the line through `corners`, which rise in the first coordinate.
#[cfg(test)]
fn piecewise(p: f32, corners: &[(f32, f32)]) -> f32 {
    let upper = corners
        .iter()
        .position(|&(q, _)| p <= q)
        .unwrap_or(corners.len() - 1)
        .max(1);
    let ((p0, e0), (p1, e1)) = (corners[upper - 1], corners[upper]);
    if p1 > p0 {
        e0 + (e1 - e0) * (p - p0) / (p1 - p0)
    } else {
        e1
    }
}

/// Returns the cubeful equity of the player on roll, before the roll and without a double in this turn, in
/// points per unit of cube. `jacoby`: whether gammons do not count yet (Jacoby rule and centred cube). `x`:
/// the cube-efficiency index, 0 to 1.
#[cfg(test)]
pub(super) fn equity(chances: &Probabilities, owner: CubeOwner, jacoby: bool, x: f32) -> f32 {
    let mean = MeanPoints::new(chances);
    let dead = if jacoby {
        2.0 * mean.win - 1.0
    } else {
        mean.dead()
    };
    (1.0 - x) * dead + x * mean.live(owner, jacoby)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn near(actual: f32, expected: f32) {
        assert!(
            (actual - expected).abs() < 1e-4,
            "{actual} is not {expected}"
        );
    }

    const EVEN: MeanPoints = MeanPoints {
        win: 0.5,
        won: 1.0,
        lost: 1.0,
    };

    fn single_games(win: f32) -> Probabilities {
        Probabilities {
            win,
            ..Probabilities::default()
        }
    }

    /// Janowski's figures without gammons: dead 25% and 75%, live 20% and 80%, and 3/14 and 11/14 with a cube
    /// efficiency of two thirds.
    #[test]
    fn take_and_cash_points_without_gammons() {
        for (x, take, cash) in [
            (0.0, 0.25, 0.75),
            (1.0, 0.2, 0.8),
            (2.0 / 3.0, 0.2143, 0.7857),
        ] {
            near(EVEN.take_point(x), take);
            near(EVEN.cash_point(x), cash);
        }
    }

    /// Half of the losses are gammons: L = 3/2. The dead take point is 1 / 2.5, the live one 1 / 3.
    #[test]
    fn gammons_raise_the_take_point() {
        let mean = MeanPoints { lost: 1.5, ..EVEN };
        near(mean.take_point(0.0), 0.4);
        near(mean.take_point(1.0), 1.0 / 3.0);
    }

    #[test]
    fn a_live_cube_at_even_chances() {
        // From -1 at 0 to 1 at 0.8, and symmetrically.
        near(
            equity(&single_games(0.5), CubeOwner::Mover, false, 1.0),
            0.25,
        );
        near(
            equity(&single_games(0.5), CubeOwner::Opponent, false, 1.0),
            -0.25,
        );
        near(
            equity(&single_games(0.5), CubeOwner::Centred, false, 1.0),
            0.0,
        );
        near(
            equity(&single_games(0.5), CubeOwner::Mover, false, 0.0),
            0.0,
        );
    }

    #[test]
    fn jacoby_caps_the_centred_cube() {
        let p = Probabilities {
            win: 0.95,
            win_gammon: 0.8,
            ..Probabilities::default()
        };
        assert!(equity(&p, CubeOwner::Centred, false, 0.68) > 1.3);
        assert!(equity(&p, CubeOwner::Centred, true, 0.68) <= 1.0);
    }

    fn chances() -> impl Strategy<Value = Probabilities> {
        (
            0.0f32..=1.0,
            0.0f32..=1.0,
            0.0f32..=1.0,
            0.0f32..=1.0,
            0.0f32..=1.0,
        )
            .prop_map(|(win, g, b, lg, lb)| Probabilities {
                win,
                win_gammon: win * g,
                win_backgammon: win * g * b,
                lose_gammon: (1.0 - win) * lg,
                lose_backgammon: (1.0 - win) * lg * lb,
            })
    }

    proptest! {
        /// Flipping the board flips the sign. Owning the cube is worth at least as much as a centred cube,
        /// and that at least as much as facing it. A dead cube gives the cubeless equity.
        #[test]
        fn the_cube_is_fair(p in chances(), x in 0.0f32..=1.0) {
            let value = |p: &Probabilities, owner| equity(p, owner, false, x);
            for owner in [CubeOwner::Centred, CubeOwner::Mover, CubeOwner::Opponent] {
                let flipped = -value(&p.flipped(), owner.flipped());
                prop_assert!((value(&p, owner) - flipped).abs() < 1e-4);
                prop_assert!((equity(&p, owner, false, 0.0) - p.equity()).abs() < 1e-4);
                prop_assert!(value(&p, owner).abs() <= 3.0 + 1e-4);
            }
            let centred = value(&p, CubeOwner::Centred);
            prop_assert!(value(&p, CubeOwner::Mover) >= centred - 1e-4);
            prop_assert!(value(&p, CubeOwner::Opponent) <= centred + 1e-4);
        }

        /// At the general take point the owner of a turned cube loses half of it: as much as a pass costs
        /// before it is turned.
        #[test]
        fn the_take_point_is_where_passing_costs_the_same(
            won in 1.0f32..2.0, lost in 1.0f32..2.0, x in 0.0f32..=1.0,
        ) {
            let at = MeanPoints { win: 0.5, won, lost }.take_point(x);
            let p = Probabilities {
                win: at,
                win_gammon: at * (won - 1.0),
                lose_gammon: (1.0 - at) * (lost - 1.0),
                ..Probabilities::default()
            };
            prop_assert!((equity(&p, CubeOwner::Mover, false, x) + 0.5).abs() < 1e-4);
        }
    }
}
