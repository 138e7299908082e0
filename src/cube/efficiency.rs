//! Cube efficiency: how much of a perfectly live cube's worth a real cube has. It goes from 0 (nobody will
//! ever turn it) to 1 (always turned at the perfect moment). Janowski's index, but for each position by
//! itself.
//!
//! How well a cube can be used hangs on the position: on how much one roll changes, on who is threatened and on
//! who moves next. So a small net tells it, learnt from what cubes are worth one roll later
//! ([`EfficiencyNet`]; `luckless-lab train-efficiency` makes it, `docs/methods/cube.md` says how). Owning the cube,
//! facing it, and either side's use of a cube in the middle have efficiencies of their own.

use std::sync::{Arc, LazyLock};

use crate::eval::Probabilities;
use crate::eval::efficiency_net::EfficiencyNet;
use crate::game::{CubeOwner, Position};

static EMBEDDED: LazyLock<Arc<EfficiencyNet>> =
    LazyLock::new(|| Arc::new(EfficiencyNet::embedded()));

/// The efficiencies of the cube in one position, seen by its player on roll.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CubeEfficiencies {
    /// Of a cube of the player on roll.
    pub own: f32,
    /// Of a cube of the other.
    pub other: f32,
    /// Of a cube in the middle: to the player on roll, and to the other.
    pub centred: [f32; 2],
}

impl CubeEfficiencies {
    /// Those of both ends of a cube of `owner`: of the player on roll, and of the other.
    #[inline]
    #[must_use]
    pub fn of(&self, owner: CubeOwner) -> [f32; 2] {
        match owner {
            CubeOwner::Mover => [self.own, 0.0],
            CubeOwner::Opponent => [0.0, self.other],
            CubeOwner::Centred => self.centred,
        }
    }

    /// One for the whole cube of `owner`.
    #[inline]
    #[must_use]
    pub fn mean(&self, owner: CubeOwner) -> f32 {
        match owner {
            CubeOwner::Mover => self.own,
            CubeOwner::Opponent => self.other,
            CubeOwner::Centred => 0.5 * (self.centred[0] + self.centred[1]),
        }
    }

    /// The same where gammons count only once the cube is turned: nobody waits for them, so that a cube in the
    /// middle is nearer to a live one. The root of what it is else fitted looks at all rolls of 2,400 positions
    /// best (`docs/methods/cube.md`).
    #[must_use]
    pub fn under_jacoby(&self) -> Self {
        Self {
            centred: self.centred.map(|x| x.max(0.0).sqrt()),
            ..*self
        }
    }

    /// The same cubes, named by the other player.
    #[must_use]
    pub fn flipped(&self) -> Self {
        let [own, other] = self.centred;
        Self {
            own: self.other,
            other: self.own,
            centred: [other, own],
        }
    }
}

impl From<f32> for CubeEfficiencies {
    /// The same for all.
    fn from(x: f32) -> Self {
        Self {
            own: x,
            other: x,
            centred: [x; 2],
        }
    }
}

/// What tells cube efficiencies.
#[derive(Clone, Debug)]
pub enum Efficiency {
    /// A net, for each position.
    Learnt(Arc<EfficiencyNet>),
    /// The same everywhere.
    Constant(f32),
}

impl Default for Efficiency {
    /// The net in the program.
    fn default() -> Self {
        Self::Learnt(Arc::clone(&EMBEDDED))
    }
}

impl Efficiency {
    /// The efficiencies in `position`, of whose player on roll these are the chances.
    #[inline]
    #[must_use]
    pub fn of(&self, position: &Position, chances: &Probabilities) -> CubeEfficiencies {
        match self {
            Self::Learnt(net) => {
                let [own, other, centred_own, centred_other] = net.values(position, chances);
                CubeEfficiencies {
                    own,
                    other,
                    centred: [centred_own, centred_other],
                }
            }
            Self::Constant(x) => (*x).into(),
        }
    }
}
