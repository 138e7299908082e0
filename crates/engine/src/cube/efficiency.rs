//! Cube efficiency: the fraction of a perfectly live cube's value that a real cube has. 0 means that nobody
//! will ever turn it, 1 that it is always turned at the perfect moment; the net may give values slightly
//! above 1. This is Janowski's index, but separate for each position.
//!
//! The efficiency of a cube depends on the position: on the effect of one roll, on threats, and on the player
//! to move. A small net predicts it, trained on values of cubes one roll later ([`EfficiencyNet`];
//! `luckless-lab train-efficiency` trains it, `docs/methods/cube.md` describes the method). Owning the cube,
//! facing it, and either side's use of a centred cube have separate efficiencies.

use std::sync::{Arc, LazyLock};

use crate::eval::Probabilities;
use crate::eval::efficiency_net::EfficiencyNet;
use crate::game::{CubeOwner, Position};

static EMBEDDED: LazyLock<EfficiencyNets> = LazyLock::new(|| EfficiencyNets {
    usual: Arc::new(EfficiencyNet::embedded()),
    jacoby: Arc::new(EfficiencyNet::embedded_jacoby()),
});

/// The efficiencies of the cube in one position, seen by its player on roll.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CubeEfficiencies {
    /// If the player on roll owns the cube.
    pub own: f32,
    /// If the opponent owns the cube.
    pub other: f32,
    /// With a centred cube: for the player on roll, and for the opponent.
    pub centred: [f32; 2],
}

impl CubeEfficiencies {
    /// Returns the efficiencies of both ends of a cube of `owner`: for the player on roll, and for the
    /// opponent. 0 for a player who may not turn it.
    #[inline]
    pub fn of(&self, owner: CubeOwner) -> [f32; 2] {
        match owner {
            CubeOwner::Mover => [self.own, 0.0],
            CubeOwner::Opponent => [0.0, self.other],
            CubeOwner::Centred => self.centred,
        }
    }

    /// Returns one efficiency for the whole cube of `owner`: for a centred cube the mean of both ends.
    #[inline]
    pub fn mean(&self, owner: CubeOwner) -> f32 {
        match owner {
            CubeOwner::Mover => self.own,
            CubeOwner::Opponent => self.other,
            CubeOwner::Centred => 0.5 * (self.centred[0] + self.centred[1]),
        }
    }

    /// Returns the efficiencies as seen by the opponent.
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
    /// Uses one efficiency for every cube.
    fn from(x: f32) -> Self {
        Self {
            own: x,
            other: x,
            centred: [x; 2],
        }
    }
}

/// The nets of cube efficiencies. Under the Jacoby rule nobody waits for a gammon, so a centred cube is used
/// differently. The rule has no effect after a double, nor if gammons are impossible.
#[derive(Clone, Debug)]
pub struct EfficiencyNets {
    /// For play without the Jacoby rule, for matches, and for turned cubes.
    pub usual: Arc<EfficiencyNet>,
    /// For a centred cube under the Jacoby rule.
    pub jacoby: Arc<EfficiencyNet>,
}

/// Chance of a gammon by either side from which the Jacoby net alone determines a centred cube. Below it the
/// usual net contributes, so that values stay continuous as gammons vanish.
const GAMMONS: f32 = 0.02;

impl EfficiencyNets {
    fn of(&self, position: &Position, chances: &Probabilities, jacoby: bool) -> CubeEfficiencies {
        let [own, other, mut by_mover, mut by_other] = self.usual.values(position, chances);
        let gammons = chances.win_gammon + chances.lose_gammon;
        if jacoby && gammons > 0.0 {
            let [.., mover, opponent] = self.jacoby.values(position, chances);
            let share = (gammons / GAMMONS).min(1.0);
            by_mover += share * (mover - by_mover);
            by_other += share * (opponent - by_other);
        }
        CubeEfficiencies {
            own,
            other,
            centred: [by_mover, by_other],
        }
    }
}

impl From<EfficiencyNet> for EfficiencyNets {
    /// Uses `net` both with and without the Jacoby rule.
    fn from(net: EfficiencyNet) -> Self {
        let net = Arc::new(net);
        Self {
            usual: Arc::clone(&net),
            jacoby: net,
        }
    }
}

/// The source of cube efficiencies.
#[derive(Clone, Debug)]
pub enum Efficiency {
    /// Nets, for each position.
    Learnt(EfficiencyNets),
    /// One efficiency for all positions and cubes.
    Constant(f32),
}

impl Default for Efficiency {
    /// The embedded nets.
    fn default() -> Self {
        Self::Learnt(EMBEDDED.clone())
    }
}

impl Efficiency {
    /// Returns the efficiencies in `position`. `chances`: those of its player on roll. `jacoby`: whether the
    /// Jacoby rule applies.
    #[inline]
    pub fn of(
        &self,
        position: &Position,
        chances: &Probabilities,
        jacoby: bool,
    ) -> CubeEfficiencies {
        match self {
            Self::Learnt(nets) => nets.of(position, chances, jacoby),
            Self::Constant(x) => (*x).into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{Cube, Model};
    use crate::eval::{Engine, Evaluator};
    use crate::game::{GameState, Rules};
    use crate::notation::gnubg_id::parse_position;

    /// Returns the root mean square error of the value of no double, with a centred cube under the Jacoby
    /// rule, against a lookahead over all rolls from the same chances.
    fn error(model: &Model) -> f32 {
        let rules = Rules {
            jacoby: true,
            ..Rules::default()
        };
        let engine = Engine::embedded();
        // Every thirty-fourth of the positions of the sample matches with winning chances from 10 to 90%.
        let ids = [
            "ON+IAxCMb4MBAw",
            "djqDGQAsz8EHAA",
            "Kd+IAQOSbwcHAA",
            "4HPDBwA2nsEBMA",
            "92YDAQLfNjMAAA",
            "m7PAAGhsW4UDAg",
            "4HPGASSYZ/ABMA",
            "m7PAAFLYtoUDAg",
            "NjsHCUC2ewcAIA",
            "LTsHEwC2vQPAAA",
            "tr0DwAAtO4MZAA",
            "tm1GAAOYtzkAUA",
            "vwEQANjdDoAgAA",
            "pOfCAA7D3ZYEAA",
            "trcBBEE7bBsAUA",
            "sOcOAyCGt8EBKA",
        ];
        let squares = ids.map(|id| {
            let state = GameState {
                rules,
                ..GameState::money(parse_position(id).unwrap())
            };
            let (chances, [value]) = model
                .rolling(&engine as &dyn Evaluator, &state, &[Cube::CENTRED], 1)
                .unwrap();
            let context = model.context(&state);
            let own = model.cubeful_values(&context, &state.position, &chances, 0);
            (own.no_double(Cube::CENTRED) - value).powi(2)
        });
        (squares.iter().sum::<f32>() / squares.len() as f32).sqrt()
    }

    /// The rule does not affect a turned cube, nor a centred one if gammons are impossible.
    #[test]
    fn the_jacoby_rule_is_about_gammons_with_a_cube_in_the_middle() {
        let (model, engine) = (Model::default(), Engine::embedded());
        for (id, has_gammons) in [
            ("bW8DAAU7bBsAYA", true),
            ("2w2UASSwZ/ABYA", true),
            ("OwAAAHcAAAAAAA", false),
        ] {
            let position = parse_position(id).unwrap();
            let chances = engine.probabilities_of(&position);
            assert_eq!(
                chances.win_gammon + chances.lose_gammon > GAMMONS,
                has_gammons,
                "{id}"
            );
            let [with, without] =
                [true, false].map(|jacoby| model.efficiency.of(&position, &chances, jacoby));
            assert_eq!((with.own, with.other), (without.own, without.other), "{id}");
            assert_eq!(with.centred == without.centred, !has_gammons, "{id}");
        }
    }

    #[test]
    fn the_jacoby_rule_has_a_net_of_its_own() {
        let model = Model::default();
        let Efficiency::Learnt(nets) = model.efficiency.clone() else {
            panic!("a net is in the program");
        };
        let usual = Model {
            efficiency: Efficiency::Learnt(EfficiencyNets {
                jacoby: Arc::clone(&nets.usual),
                ..nets
            }),
            ..Model::default()
        };
        let (learnt, without) = (error(&model), error(&usual));
        assert!(
            learnt < 0.03 && learnt < 0.6 * without,
            "{learnt} {without}"
        );
    }
}
