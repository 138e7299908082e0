//! What rollouts are made with, read once for all that are made with it: unpacking nets takes longer than a
//! short rollout, and threads that share them share the caches.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context as _, Result};

use super::options::{CubeModel, Nets};
use super::rollout_options::{RolloutOptions, Situation};
use super::usage::misuse;
use crate::cube::Model;
use crate::dice::PrescribedDice;
use crate::eval::net::Net;
use crate::eval::{Engine, Evaluator};
use crate::game::GameState;
use crate::rollout::Setup;
use crate::store::file;

/// The evaluators of a rollout.
pub(super) struct Evaluators {
    own: Arc<Engine>,
    opponent: Option<Arc<dyn Evaluator>>,
    luck: Option<Arc<dyn Evaluator>>,
}

impl Evaluators {
    /// Reads the nets of the player, and those of the opponent and for the luck where they differ.
    pub(super) fn load(nets: &Nets, opponent: Option<&Path>, luck: Option<&Path>) -> Result<Self> {
        let load = |path: &Path| -> Result<Arc<dyn Evaluator>> {
            Ok(Arc::new(Engine::with_net(Net::load(path)?)))
        };
        Ok(Self {
            own: Arc::new(nets.engine()?),
            opponent: opponent.map(load).transpose()?,
            luck: luck.map(load).transpose()?,
        })
    }

    /// A rollout by them. The opponent is that of the player whose equity is wanted, who `before_roll` is
    /// not the candidate's player, the one who has just played.
    pub(super) fn setup(&self, before_roll: bool) -> Setup {
        let mut setup = Setup::from(Arc::clone(&self.own) as Arc<dyn Evaluator>);
        if let Some(other) = self.opponent.clone() {
            setup.opponent = Some(match before_roll {
                true => std::mem::replace(&mut setup.evaluator, other),
                false => other,
            });
        }
        setup.luck.clone_from(&self.luck);
        setup
    }
}

/// What the options of rollouts name; each is asked with the options that it was read for.
pub(super) struct RolloutFiles {
    evaluators: Evaluators,
    /// Read when a rollout has a cube.
    model: Mutex<Option<Arc<Model>>>,
}

impl RolloutFiles {
    pub(super) fn load(options: &RolloutOptions) -> Result<Self> {
        let (nets, opponent, luck) = options.nets();
        Ok(Self {
            evaluators: Evaluators::load(nets, opponent, luck)?,
            model: Mutex::new(None),
        })
    }

    /// The evaluator that chooses which plays are rolled out.
    pub(super) fn engine(&self) -> &Engine {
        &self.evaluators.own
    }

    /// What plays are ranked with, if with the cube.
    pub(super) fn model(
        &self,
        options: &RolloutOptions,
        state: &GameState,
    ) -> Result<Option<Arc<Model>>> {
        let cubeful = options.is_cubeful(state);
        cubeful.then(|| self.loaded(&options.model)).transpose()
    }

    fn loaded(&self, model: &CubeModel) -> Result<Arc<Model>> {
        let mut known = self.model.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(model) = &*known {
            return Ok(Arc::clone(model));
        }
        let model = Arc::new(model.load()?);
        *known = Some(Arc::clone(&model));
        Ok(model)
    }

    /// The evaluators and the dice asked for.
    pub(super) fn setup(&self, options: &RolloutOptions, situation: Situation) -> Result<Setup> {
        let cube = options.cube(situation);
        if options.cube_cap.is_some() && cube.is_none() {
            let why = "--cube-cap is for trials with the cube: give --cubeful as well";
            return Err(misuse(why));
        }
        if options.settles() && !situation.state.score.is_money() && !options.cubeless {
            let why =
                "--settlement knows no score: with --cubeless the position is rolled out for money";
            return Err(misuse(why));
        }
        let mut setup = self.evaluators.setup(situation.before_roll);
        if let Some(path) = &options.dice_file {
            let bytes = file::read(path, file::LIMIT)?;
            let name = path.display();
            let text =
                std::str::from_utf8(&bytes).with_context(|| format!("{name}: not a text"))?;
            let preset = PrescribedDice::parse(text, situation.initial)
                .map_err(|e| misuse(format!("{name}: {e}")))?;
            setup.prescribed_dice = Some(Arc::new(preset));
        }
        if cube.is_some() {
            setup.cube = Some(self.loaded(&options.model)?);
        }
        setup.keep_trials = options.shard.is_some() || options.trials_out.is_some();
        Ok(setup)
    }
}
