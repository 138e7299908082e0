//! Everything outside the state: the terminal, the workers, and where things are kept.

use std::collections::HashMap;
use std::sync::Arc;

use crossbeam_channel::Sender;

use super::StartOptions;
use super::jobs::JobId;
use super::message::Message;
use super::open::How;
use super::start::how;
use super::state::App;
use super::terminal::Screen;
use super::workers::analyst::Analyst;
use super::workers::inquirer::Inquirer;
use super::workers::match_rollouts::MatchRolloutHandle;
use super::workers::match_writer::MatchWriter;
use super::workers::roller::{RolloutStarter, Runner, RunningRollout};
use super::workers::rollout_keeper::RolloutKeeper;
use super::workers::session_keeper::SessionKeeper;
use super::workers::settings_keeper::SettingsKeeper;
use super::workers::stores::Stores;
use super::workers::watcher::Watcher;
use crate::rollout::{Progress, Setup};
use crate::store::UserFolders;

/// Everything outside the state.
pub(super) struct World {
    pub(super) screen: Screen,
    pub(super) messages: Sender<Message>,
    pub(super) analyst: Analyst,
    /// Analyses what the position editor has in view.
    pub(super) drafts: Analyst,
    pub(super) inquirer: Inquirer,
    pub(super) watcher: Watcher,
    pub(super) runner: Box<dyn RolloutStarter>,
    pub(super) running: Option<(JobId, Box<dyn RunningRollout>)>,
    /// The rollouts of the whole match, while they run.
    pub(super) match_rollouts: Option<MatchRolloutHandle>,
    pub(super) setup: Setup,
    pub(super) threads: usize,
    pub(super) how: How,
    /// Where things are kept, if anywhere.
    pub(super) stores: Option<Stores>,
    /// Keeps where the user is, if anything is kept.
    pub(super) session: Option<SessionKeeper>,
    /// Keeps what is rolled out, if anything is kept.
    pub(super) rollout_keeper: Option<RolloutKeeper>,
    /// What ended rollouts need to go on.
    pub(super) kept: HashMap<JobId, Progress>,
    pub(super) wake: Sender<()>,
    /// Keeps the settings, if anything is kept.
    pub(super) settings: Option<SettingsKeeper>,
    /// Writes the match that is being played.
    pub(super) match_writer: MatchWriter,
    /// Where games played by hand are kept.
    pub(super) hand_games: Option<std::path::PathBuf>,
    pub(super) over: bool,
    /// The signal that ended it, if one did.
    pub(super) signal: Option<i32>,
}

impl World {
    /// What is there when nothing runs yet.
    pub(super) fn new(
        options: &StartOptions,
        screen: Screen,
        watcher: Watcher,
        messages: Sender<Message>,
        wake: Sender<()>,
    ) -> Self {
        let StartOptions {
            evaluator,
            model,
            threads,
            ..
        } = options;
        let setup = Setup {
            cube: Some(model.clone()),
            ..Setup::from(evaluator.clone())
        };
        let places = options.places.as_ref();
        let stores = places.map(|places| Stores::start(places, evaluator, model, &messages));
        let keeper =
            |stores: &Stores| RolloutKeeper::new(Arc::clone(&stores.rollouts), setup.clone());
        let session = places.map(|places| SessionKeeper::start(places.session(), messages.clone()));
        let settings =
            places.map(|places| SettingsKeeper::start(places.settings(), messages.clone()));
        Self {
            screen,
            session,
            settings,
            match_writer: MatchWriter::start(messages.clone()),
            analyst: Analyst::start(evaluator, model, (*threads).clamp(1, 4), &messages),
            drafts: Analyst::start(evaluator, model, 2, &messages),
            inquirer: Inquirer::start(evaluator, model, (*threads).clamp(1, 4), &messages),
            messages,
            watcher,
            runner: Box::new(Runner {
                setup: setup.clone(),
                threads: *threads,
            }),
            running: None,
            match_rollouts: None,
            rollout_keeper: stores.as_ref().map(keeper),
            setup,
            threads: *threads,
            how: how(options),
            stores,
            kept: HashMap::new(),
            wake,
            hand_games: places.map(UserFolders::rollouts),
            over: false,
            signal: None,
        }
    }

    /// Has the place written that the next start goes to.
    pub(super) fn keep_session(&mut self, app: &App) {
        if let (Some(keeper), Some(session)) = (&mut self.session, app.session()) {
            keeper.keep(session);
        }
    }
}
