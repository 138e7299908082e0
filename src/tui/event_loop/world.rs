//! Everything outside the state: terminal, workers and stores.

use std::collections::HashMap;
use std::sync::Arc;

use crossbeam_channel::Sender;

use super::start::how;
use super::terminal::Screen;
use crate::rollout::{Progress, Setup};
use crate::store::UserFolders;
use crate::tui::StartOptions;
use crate::tui::documents::open::How;
use crate::tui::message::Message;
use crate::tui::rollouts::jobs::JobId;
use crate::tui::state::App;
use crate::tui::workers::analyst::Analyst;
use crate::tui::workers::exporter::ExportMeans;
use crate::tui::workers::inquirer::Inquirer;
use crate::tui::workers::match_rollouts::MatchRolloutHandle;
use crate::tui::workers::match_writer::MatchWriter;
use crate::tui::workers::path_completer::PathCompleter;
use crate::tui::workers::roller::Runner;
use crate::tui::workers::rollout_keeper::RolloutKeeper;
use crate::tui::workers::running::RunningRollout;
use crate::tui::workers::session_keeper::SessionKeeper;
use crate::tui::workers::stores::Stores;
use crate::tui::workers::watcher::Watcher;

pub(crate) struct World {
    pub(crate) screen: Screen,
    pub(crate) messages: Sender<Message>,
    pub(crate) analyst: Analyst,
    /// Analyses the draft of the position editor.
    pub(crate) drafts: Analyst,
    pub(crate) inquirer: Inquirer,
    pub(crate) path_completer: PathCompleter,
    pub(crate) watcher: Watcher,
    pub(crate) runner: Runner,
    pub(crate) running: Option<(JobId, Box<dyn RunningRollout>)>,
    /// The running rollouts of the whole match.
    pub(crate) match_rollouts: Option<MatchRolloutHandle>,
    pub(crate) setup: Setup,
    pub(crate) threads: usize,
    pub(crate) how: How,
    /// The user's stores, if any.
    pub(crate) stores: Option<Stores>,
    /// Saves the session, if stored.
    pub(crate) session: Option<SessionKeeper>,
    /// Saves rollouts, if stored.
    pub(crate) rollout_keeper: Option<RolloutKeeper>,
    /// Data for continuing finished rollouts.
    pub(crate) kept: HashMap<JobId, Progress>,
    pub(crate) wake: Sender<()>,
    /// Writes the played match.
    pub(crate) match_writer: MatchWriter,
    /// Store of games played by hand.
    pub(crate) hand_games: Option<std::path::PathBuf>,
    pub(crate) over: bool,
    /// The signal that ended the program, if any.
    pub(crate) signal: Option<i32>,
}

impl World {
    /// The world at the start. Matches added to the library are reviewed at `review_ply` plies.
    pub(crate) fn new(
        options: &StartOptions,
        review_ply: u8,
        screen: Screen,
        watcher: Watcher,
        messages: Sender<Message>,
        wake: Sender<()>,
    ) -> Self {
        let StartOptions {
            evaluator,
            model,
            threads,
            no_crawford,
            ..
        } = options;
        let setup = Setup {
            cube: Some(model.clone()),
            ..Setup::from(evaluator.clone())
        };
        let places = options.places.as_ref();
        let begin = |places| {
            let (ply, rule) = (review_ply, *no_crawford);
            Stores::start(places, evaluator, model, rule, ply, &messages)
        };
        let stores = places.map(begin);
        let keeper =
            |stores: &Stores| RolloutKeeper::new(Arc::clone(&stores.rollouts), setup.clone());
        let session = places.map(|places| SessionKeeper::start(places.session(), messages.clone()));
        Self {
            screen,
            session,
            match_writer: MatchWriter::start(messages.clone()),
            analyst: Analyst::start(evaluator, model, (*threads).clamp(1, 4), &messages),
            drafts: Analyst::start(evaluator, model, 2, &messages),
            inquirer: Inquirer::start(evaluator, model, (*threads).clamp(1, 4), &messages),
            path_completer: PathCompleter::new(messages.clone()),
            messages,
            watcher,
            runner: Runner {
                setup: setup.clone(),
                threads: *threads,
            },
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

    /// Saves the session for the next start.
    pub(crate) fn keep_session(&mut self, app: &App) {
        if let (Some(keeper), Some(session)) = (&mut self.session, app.session()) {
            keeper.keep(session);
        }
    }

    /// The resources for exporting files.
    pub(crate) fn export_means(&self) -> ExportMeans {
        ExportMeans {
            evaluator: Arc::clone(&self.setup.evaluator),
            threads: self.threads,
        }
    }

    pub(crate) fn save_settings(&self, app: &mut App) {
        match &self.stores {
            Some(stores) => {
                stores.filler.review_at(app.settings.review.ply);
                stores.settings.keep(app.settings.clone());
            }
            None => app.warn("there is no folder for settings on this system"),
        }
    }

    /// Gives work that the user waits for precedence over background work.
    pub(super) fn share_processor(&self, app: &App) {
        let rolls = app.is_rolling();
        let of_match = app.match_rollouts.as_ref();
        let is_held = of_match.is_some_and(|rollouts| rollouts.has_begun && rollouts.is_paused);
        // The edited position is analysed before the open document.
        self.analyst.quiet(rolls || app.editor.is_some());
        if let Some(stores) = &self.stores {
            stores.filler.hold(rolls);
        }
        if let Some(handle) = &self.match_rollouts {
            handle.hold(app.jobs.is_rolling() || is_held);
        }
    }
}
