//! The answer of `luckless eval` as eXtreme Gammon writes it for forums.

use super::{EvalDocument, PlayValue, PlaysDocument, PositionValue};
use crate::cube::Model;
use crate::game::GameState;
use crate::review::xg_text::{XgAnalysis, XgLevel, XgPlay, XgRolledCube, XgRollout, XgText};
use crate::rollout::{CubeSettings, Truncated};

impl EvalDocument {
    /// The answer as XG writes it for forums; `truncated` is the rollout of the level that was asked for, if
    /// it has one.
    pub(crate) fn to_xg_text(
        &self,
        state: &GameState,
        model: &Model,
        truncated: Option<Truncated>,
    ) -> String {
        let analysis = match self {
            Self::Plays(plays) => XgAnalysis::Plays(plays.to_xg(state, truncated)),
            Self::Position(value) => value.to_xg(state, truncated),
        };
        let text = XgText {
            state,
            names: None,
            analysis,
            table: &model.table,
        };
        text.write()
    }
}

impl PlaysDocument {
    fn to_xg(&self, state: &GameState, truncated: Option<Truncated>) -> Vec<XgPlay> {
        let rolled = self.plays.iter().filter(|play| play.trials.is_some());
        let rolled = rolled.count();
        let rollout = |play: &PlayValue| {
            let cube = play.cubeful_equity.map(|_| CubeSettings::after_play(state));
            let settings = truncated?.settings(rolled, cube);
            Some(XgRollout::new(&settings, play.trials?))
        };
        let xg_play = |play: &PlayValue| XgPlay {
            play: play.play.clone(),
            level: match play.trials {
                Some(_) => XgLevel::Rollout,
                None => XgLevel::Ply(play.ply),
            },
            equity: f64::from(play.equity()),
            chances: play.chances,
            half_width: play.half_width,
            p_best: play.p_best.filter(|_| rolled > 1),
            rollout: rollout(play),
        };
        self.plays.iter().map(xg_play).collect()
    }
}

impl PositionValue {
    fn to_xg(&self, state: &GameState, truncated: Option<Truncated>) -> XgAnalysis {
        let Some(cube) = &self.cube else {
            return XgAnalysis::None;
        };
        let rolled = self.rolled.zip(truncated).zip(self.trials);
        let [chances, doubled_chances] = match self.rolled {
            Some(rolled) => rolled.chances,
            None => [self.rollers_chances(state); 2],
        };
        XgAnalysis::Cube {
            level: match self.trials {
                Some(_) => XgLevel::Rollout,
                None => XgLevel::Ply(self.ply),
            },
            chances,
            decision: cube.decision,
            rolled: rolled.map(|((rolled, truncated), trials)| XgRolledCube {
                doubled_chances,
                half_widths: rolled.half_widths,
                rollout: XgRollout::new(&truncated.cube_settings(&state.roller()), trials),
            }),
        }
    }
}
