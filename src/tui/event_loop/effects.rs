//! Performs the effects requested by `update`.

use std::sync::Arc;
use std::time::Duration;

use super::world::World;
use crate::review::MatchTurn;
use crate::rollout::by_hand::Hands;
use crate::store::DecisionRolloutStore;
use crate::store::settings::Clipboard;
use crate::study::question;
use crate::tui::Error;
use crate::tui::documents::by_hand::{HandRequest, HandStart};
use crate::tui::documents::notes::NoteChange;
use crate::tui::message::{Message, Tell as _};
use crate::tui::rollouts::jobs::JobId;
use crate::tui::state::{App, Effect, MatchRolloutGoal, Openable};
use crate::tui::windows::exported::ReviewedMatch;
use crate::tui::workers::match_rollouts::{self, MatchRolloutTask, MatchRun};
use crate::tui::workers::piloted::Preparation;
use crate::tui::workers::review_keeper::Opened;
use crate::tui::workers::running::RunningRollout;
use crate::tui::workers::stores::Stores;
use crate::tui::workers::{
    by_hand, clipboard, exporter, kept_list, kept_rollouts, match_writer, opener, second_opinion,
    statistics,
};

impl World {
    /// Performs all pending effects.
    pub(super) fn perform(&mut self, app: &mut App) -> Result<(), Error> {
        let mut done = Ok(());
        // Effects may cause further ones: a failed rollout lets the next one start. All are performed even if one
        // fails because the terminal is gone, so that notes are saved.
        while !app.effects.is_empty() {
            for effect in std::mem::take(&mut app.effects) {
                done = self.effect(app, effect).and(done);
            }
        }
        self.share_processor(app);
        done
    }

    fn effect(&mut self, app: &mut App, effect: Effect) -> Result<(), Error> {
        match effect {
            Effect::Quit => self.over = true,
            Effect::Suspend if self.screen.suspend()? => {}
            Effect::Suspend => app.say("not stopped: no shell here could bring it back"),
            Effect::TakeTerminal => self.screen.take_again()?,
            Effect::Redraw => self.screen.clear()?,
            Effect::Copy(what, text) => self.copy(app, what, text),
            Effect::CopyToTerminal(text) => {
                if let Err(why) = self.screen.copy(&text)? {
                    app.warn(format!("nothing is copied: {why}"));
                }
            }
            Effect::SaveSettings => self.save_settings(app),
            Effect::Open { number, source } => self.open(app, number, source, false),
            Effect::Reread { number, path } => self.open(app, number, Openable::File(path), true),
            Effect::Review => {
                self.analyse(app);
                self.watch(app);
                self.read_notes(app);
            }
            Effect::Analyse => self.analyse(app),
            Effect::Remember => self.remember(app),
            Effect::KeepReview { generation } => self.keep_review(app, generation),
            Effect::Recall(number) => self.roll_out_match(app, number, None),
            Effect::RollOutMatch {
                number,
                goal,
                budget,
            } => self.roll_out_match(app, number, Some((goal, budget))),
            Effect::EndMatchRollouts => self.match_rollouts = None,
            Effect::KeepNote(change) => self.keep_note(app, *change),
            Effect::SaveMatch(written) => self.match_writer.write(*written),
            Effect::BeginMatch(new, folder) => match_writer::begin(new, folder, &self.messages),
            Effect::Export(number, written, path) => {
                exporter::start(number, written, path, self.export_means(), &self.messages);
            }
            Effect::Statistics {
                generation,
                reviewed,
            } => self.work_statistics_out(generation, reviewed),
            Effect::ByHand { number, request } => self.answer_by_hand(number, *request),
            Effect::AskGnubg(question) => second_opinion::ask(*question, &self.messages),
            Effect::LeaveByHand { start, hands } => self.leave_by_hand(start, hands),
            Effect::Focus { turn, ply } => self.analyst.focus(turn, ply),
            Effect::Draft {
                generation,
                state,
                play,
                ply,
            } => self.analyse_draft(generation, question::turn(*state, play), ply),
            Effect::FindQuiz(wanted) => self.with_stores(|s| s.study.find(wanted)),
            Effect::Library(request) => self.with_stores(|s| s.librarian.ask(request)),
            Effect::Fill(_) | Effect::AddToLibrary(_) if self.stores.is_none() => {
                app.library.under_way.clear();
            }
            Effect::AddToLibrary(path) => self.with_stores(|s| s.filler.add(path)),
            Effect::Fill(path) => self.with_stores(|s| s.filler.take_in(path)),
            Effect::Plan(request) => self.with_stores(|s| s.planner.ask(request)),
            Effect::ListKept => self.list_kept(),
            Effect::Complete(typed) => self.path_completer.complete(typed),
            Effect::Rating(request) => self.with_stores(|s| s.planner.rate(request)),
            Effect::KeepAnswer(change) => self.with_stores(|s| s.study.keep(*change)),
            Effect::EndDraft => self.drafts.review(0, Arc::from([]), &[]),
            Effect::Ask { number, asked } => self.inquirer.ask(number, *asked),
            Effect::EndInquiry => self.inquirer.end(),
            Effect::Start(id) => self.start(app, id),
            Effect::Pause(id) => {
                self.with(id, |r| r.pause());
                self.keep_rollout(app, true);
            }
            Effect::Resume(id) => self.with(id, |r| r.resume()),
            Effect::Cancel(id) => self.with(id, |r| r.cancel()),
        }
        Ok(())
    }

    /// Copies a text to the user's chosen clipboard.
    fn copy(&self, app: &App, what: &'static str, text: String) {
        let anywhere = app.settings.clipboard == Clipboard::System;
        clipboard::copy(what, text, anywhere, self.messages.clone());
    }

    fn work_statistics_out(&self, generation: u64, reviewed: Box<ReviewedMatch>) {
        let evaluator = Arc::clone(&self.setup.evaluator);
        statistics::start(generation, reviewed, evaluator, self.messages.clone());
    }

    fn answer_by_hand(&self, number: u64, request: HandRequest) {
        let (setup, path) = (self.setup.clone(), self.hand_games.clone());
        by_hand::answer(number, request, setup, path, &self.messages);
    }

    /// Releases the game of a rollout by hand, if games are stored.
    fn leave_by_hand(&self, start: Arc<HandStart>, hands: Hands) {
        if let Some(path) = self.hand_games.clone() {
            by_hand::leave(start, hands, self.setup.clone(), path);
        }
    }

    /// Analyses a draft or quiz question instead of any former one.
    fn analyse_draft(&self, generation: u64, turn: MatchTurn, ply: u8) {
        self.drafts.review(generation, Arc::from([turn]), &[false]);
        self.drafts.focus(0, ply);
    }

    /// Lists the stored rollouts.
    fn list_kept(&self) {
        let worker = self.stores.as_ref().map(|s| Arc::clone(&s.rollouts));
        kept_list::start(worker, self.setup.clone(), &self.messages);
    }

    /// Calls `act` with the user's stores, if any.
    fn with_stores(&self, act: impl FnOnce(&Stores)) {
        if let Some(stores) = &self.stores {
            act(stores);
        }
    }

    /// Saves the standard review of the match of this generation, even if a variation is displayed; does nothing if
    /// another match was opened meanwhile.
    fn keep_review(&self, app: &App, generation: u64) {
        let document = app.home();
        if document.generation != generation {
            return;
        }
        if let (Some(stores), Some(opened)) = (&self.stores, Opened::of(document)) {
            let path = opened.record.path.clone();
            stores.reviews.keep(opened, document.standard_reviews());
            // The library takes this review if its own is shallower.
            path.into_iter()
                .for_each(|path| stores.filler.reviewed(path));
        }
    }

    /// Records that the review of the displayed document was stored. The library takes it if its own is shallower.
    fn remember(&self, app: &App) {
        self.analyst.remember(app.document.generation);
        if let (Some(stores), Some(path)) = (&self.stores, &app.document.record.path) {
            stores.filler.remembered(path.clone());
        }
    }

    /// Analyses the missing turns of the displayed document, and looks for its stored results.
    fn analyse(&self, app: &mut App) {
        let document = &app.document;
        let turns = document.turns.clone();
        let most = app.review_ply(document);
        self.analyst
            .review_to(most, document.generation, turns, &document.is_final);
        if let (Some(stores), Some(opened)) = (&self.stores, Opened::of(&app.document)) {
            stores.reviews.find(opened);
        }
        self.find_kept(app);
    }

    /// Requests the notes of the open match.
    fn read_notes(&self, app: &App) {
        if let Some(stores) = &self.stores {
            let document = app.home();
            stores
                .notes
                .read(document.generation, document.fingerprint());
        }
    }

    fn keep_note(&self, app: &mut App, change: NoteChange) {
        match &self.stores {
            Some(stores) => stores.notes.keep(change),
            None => app.warn("there is no folder for notes on this system"),
        }
    }

    fn with(&self, id: JobId, act: impl Fn(&dyn RunningRollout)) {
        if let Some((_, running)) = self.running.as_ref().filter(|(job, _)| *job == id) {
            act(running.as_ref());
        }
    }

    fn start(&mut self, app: &mut App, id: JobId) {
        let Some(job) = app.jobs.get(id) else { return };
        let positions: Vec<_> = job.plays.iter().map(|p| p.result).collect();
        let messages = self.messages.clone();
        let before = Preparation {
            find: self
                .rollout_keeper
                .as_ref()
                .map(|keeper| keeper.finder(&positions)),
            wants_pilot: job.wants_pilot(),
            warn: Box::new(move |why| messages.warn(why)),
        };
        let wake = self.wake.clone();
        let notify = Box::new(move || {
            // Full means that the loop is being woken already.
            let _ = wake.try_send(());
        });
        let own = self.kept.remove(&id).map(|mut progress| {
            progress.settings = job.settings.clone();
            progress
        });
        let settings = job.settings.clone();
        let started = match own {
            Some(progress) => self.runner.go_on(progress, notify),
            None => self.runner.start_after(before, positions, settings, notify),
        };
        match started {
            Ok(running) => {
                self.running = Some((id, running));
                // It may have ended before anyone listened.
                let _ = self.wake.try_send(());
            }
            Err(why) => self.take(app, Message::RolloutFailed { job: id, why }),
        }
    }

    /// Saves the running rollout if it is due, or if it `rests`.
    pub(super) fn keep_rollout(&self, app: &App, rests: bool) {
        if let (Some(keeper), Some((id, running))) = (&self.rollout_keeper, &self.running)
            && let Some(job) = app.jobs.get(*id)
        {
            keeper.save_if_due(job, &**running, rests);
        }
    }

    /// Looks for rollouts of earlier sessions.
    fn find_kept(&self, app: &mut App) {
        let Some(stores) = &self.stores else { return };
        let (generation, turns) = (app.document.generation, app.document.turns.clone());
        let (setup, worker) = (self.setup.clone(), Arc::clone(&stores.rollouts));
        let messages = self.messages.clone();
        if let Err(why) = kept_rollouts::find(generation, turns, setup, worker, messages) {
            app.warn(why);
        }
    }

    /// Rolls out decisions of the match within a time budget, or looks for its stored rollouts.
    fn roll_out_match(
        &mut self,
        app: &App,
        number: u64,
        wanted: Option<(MatchRolloutGoal, Duration)>,
    ) {
        let document = app.home();
        let (turns, reviews) = document.analysed_turns();
        let store = self.stores.as_ref();
        let task = MatchRolloutTask {
            run: MatchRun {
                generation: document.generation,
                number,
            },
            turns: turns.into(),
            reviews,
            setup: self.setup.clone(),
            threads: self.threads,
            store: store
                .map(|s| DecisionRolloutStore::new(Arc::clone(&s.rollouts), self.setup.clone())),
            wanted,
            record: document.record.clone(),
        };
        self.match_rollouts = match_rollouts::start(task, self.messages.clone());
    }

    fn open(&self, app: &App, number: u64, source: Openable, is_again: bool) {
        let how = self.how.to_depth(app.settings.review.ply);
        opener::start(number, source, how, is_again, &self.messages);
    }

    pub(super) fn watch(&self, app: &App) {
        self.watcher.open(app.home().record.path.clone());
    }
}
