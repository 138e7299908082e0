//! Nets and the model of the cube, read once for all rollouts that are made with them: unpacking nets takes
//! longer than a short rollout, and threads that share them share the caches.

use std::path::Path;
use std::sync::{Arc, Mutex};

use anyhow::Result;

use crate::cli::common::options::{CubeModel, Nets};
use crate::cube::Model;
use crate::eval::net::Net;
use crate::eval::{Engine, Evaluator};
use crate::locks::lock;
use crate::rollout::Setup;

/// The evaluators of a rollout.
pub(crate) struct Evaluators {
    own: Arc<Engine>,
    opponent: Option<Arc<dyn Evaluator>>,
    luck: Option<Arc<dyn Evaluator>>,
}

impl Evaluators {
    /// Reads the nets of the player, and those of the opponent and for the luck where they differ.
    pub(crate) fn load(nets: &Nets, opponent: Option<&Path>, luck: Option<&Path>) -> Result<Self> {
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
    pub(crate) fn setup(&self, before_roll: bool) -> Setup {
        let mut setup = Setup::from(Arc::clone(&self.own) as Arc<dyn Evaluator>);
        setup.opponent.clone_from(&self.opponent);
        setup.luck.clone_from(&self.luck);
        if before_roll {
            setup.swap_sides();
        }
        setup
    }
}

/// The nets and the model of the cube that rollouts are made with.
pub(crate) struct RolloutFiles {
    evaluators: Evaluators,
    /// Read when a rollout has a cube.
    model: Mutex<Option<Arc<Model>>>,
}

impl RolloutFiles {
    /// Files with these evaluators; the model is read when it is wanted.
    pub(crate) fn new(evaluators: Evaluators) -> Self {
        Self {
            evaluators,
            model: Mutex::new(None),
        }
    }

    /// The evaluator that chooses which plays are rolled out.
    pub(crate) fn engine(&self) -> &Engine {
        &self.evaluators.own
    }

    /// A rollout by the evaluators, as [`Evaluators::setup`] makes it.
    pub(crate) fn setup(&self, before_roll: bool) -> Setup {
        self.evaluators.setup(before_roll)
    }

    /// The model, which is the same each time.
    pub(crate) fn model(&self, files: &CubeModel) -> Result<Arc<Model>> {
        let mut known = lock(&self.model);
        if let Some(model) = &*known {
            return Ok(Arc::clone(model));
        }
        let model = Arc::new(files.load()?);
        *known = Some(Arc::clone(&model));
        Ok(model)
    }
}
