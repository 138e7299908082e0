//! Cube efficiency: how much of a perfectly live cube's worth a real cube has. 0 means that nobody will ever
//! turn it, 1 that it is always turned at the perfect moment; what the net says may be a little above 1.
//! Janowski's index, but for each position by itself.
//!
//! How well a cube can be used hangs on the position: on how much one roll changes, on who is threatened and on
//! who moves next. So a small net tells it, learnt from what cubes are worth one roll later
//! ([`EfficiencyNet`]; `luckless-lab train-efficiency` makes it, `docs/methods/cube.md` says how). Owning the cube,
//! facing it, and either side's use of a cube in the middle have efficiencies of their own.

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
    /// Of a cube of the player on roll.
    pub own: f32,
    /// Of a cube of the other.
    pub other: f32,
    /// Of a cube in the middle: to the player on roll, and to the other.
    pub centred: [f32; 2],
}

impl CubeEfficiencies {
    /// Efficiencies of both ends of a cube of `owner`: of the player on roll, and of the other. 0 for a
    /// player who may not turn it.
    #[inline]
    pub fn of(&self, owner: CubeOwner) -> [f32; 2] {
        match owner {
            CubeOwner::Mover => [self.own, 0.0],
            CubeOwner::Opponent => [0.0, self.other],
            CubeOwner::Centred => self.centred,
        }
    }

    /// One efficiency for the whole cube of `owner`: in the middle, the mean of both ends.
    #[inline]
    pub fn mean(&self, owner: CubeOwner) -> f32 {
        match owner {
            CubeOwner::Mover => self.own,
            CubeOwner::Opponent => self.other,
            CubeOwner::Centred => 0.5 * (self.centred[0] + self.centred[1]),
        }
    }

    /// The efficiencies seen by the other player.
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
    /// One efficiency for every cube.
    fn from(x: f32) -> Self {
        Self {
            own: x,
            other: x,
            centred: [x; 2],
        }
    }
}

/// The nets of cube efficiencies. Under the Jacoby rule nobody waits for a gammon, so that a cube in the middle is
/// used otherwise. Once it is turned the rule is of no account, nor where nobody can win a gammon.
#[derive(Clone, Debug)]
pub struct EfficiencyNets {
    /// For play without the Jacoby rule, for matches, and for a cube that was turned.
    pub usual: Arc<EfficiencyNet>,
    /// For a cube in the middle under the Jacoby rule.
    pub jacoby: Arc<EfficiencyNet>,
}

/// Chance of a gammon by either side from which the net of the Jacoby rule tells all of a cube in the middle. Below it
/// the usual one has its share, so that nothing jumps where the last gammon goes.
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
    /// Uses `net` both without the Jacoby rule and with it.
    fn from(net: EfficiencyNet) -> Self {
        let net = Arc::new(net);
        Self {
            usual: Arc::clone(&net),
            jacoby: net,
        }
    }
}

/// Where cube efficiencies come from.
#[derive(Clone, Debug)]
pub enum Efficiency {
    /// Nets, for each position.
    Learnt(EfficiencyNets),
    /// One efficiency for all positions and cubes.
    Constant(f32),
}

impl Default for Efficiency {
    /// The nets in the program.
    fn default() -> Self {
        Self::Learnt(EMBEDDED.clone())
    }
}

impl Efficiency {
    /// The efficiencies in `position`, of whose player on roll these are the chances, with the Jacoby rule or
    /// without.
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

    /// Root mean square of what the value of no double, with a cube in the middle under the Jacoby rule, is off a look
    /// at all rolls from the same chances.
    fn error(model: &Model) -> f32 {
        let rules = Rules {
            jacoby: true,
            ..Rules::default()
        };
        let engine = Engine::embedded();
        // Every thirty-fourth of the positions of the sample matches with chances to win from 10 to 90%.
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

    /// A cube that was turned is the same with the rule, and so is one in the middle where nobody wins a gammon.
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
