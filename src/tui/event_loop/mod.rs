//! The loop: waits for input, workers and the clock; takes everything that waits, input first;
//! draws once. When nothing happens nothing wakes it.

#[cfg(unix)]
mod fatal_signals;
mod first;
mod frame_writer;
mod inputs;
mod sixteen;
mod start;
mod taken;
pub(super) mod terminal;
mod world;

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, at, bounded, never, select, unbounded};
use ratatui::crossterm::event::{Event, MouseEvent, MouseEventKind};

use super::state::{App, Effect, MatchRolloutGoal, Openable};
use super::update::{next_tick, update};
use super::view;
use super::workers::by_hand;
use super::workers::clipboard;
use super::workers::inbox;
use super::workers::keyboard;
use super::workers::match_rollouts::{self, MatchRolloutTask, MatchRun};
use super::workers::opener;
use super::workers::panics;
use super::workers::piloted::Preparation;
use super::workers::review_keeper::Opened;
use super::workers::running::RunningRollout;
use super::workers::second_opinion;
use super::workers::signals::{self, Signal};
use super::workers::stores::{self, Stores};
use super::workers::watcher::Watcher;
use super::workers::{exporter, kept_list, kept_rollouts, match_writer, statistics};
use super::{Error, StartOptions};
use crate::rollout::Status;
use crate::store::settings::Clipboard;
use crate::store::{DecisionRolloutStore, MendedListener, UserFolders};
use crate::study::question;
use crate::tui::documents::notes::NoteChange;
use crate::tui::message::{Message, Tell as _};
use crate::tui::rollouts::jobs::{Job, JobId};
use inputs::Inputs;
use start::prepare;
use terminal::{LIVE, Screen, live_pause};
use world::World;

/// How long the frame after a change of a draft waits for its first figures: less than anyone sees.
const FIRST_FIGURES: Duration = Duration::from_millis(12);
/// Longest time for which keys are taken in a row: a flood of them keeps neither the screen nor a signal
/// waiting.
const MOST_KEYS: Duration = Duration::from_millis(16);

/// So many events at most are taken in once the terminal is gone.
const MOST_LATE_EVENTS: usize = 10_000;

/// How long the end of the program waits for the place to be written.
const SESSION_END: Duration = Duration::from_millis(300);

/// How long the end of the program waits for the settings, and for a match that was played: what the user has
/// asked for.
const SETTINGS_END: Duration = Duration::from_secs(2);

/// Whether input and output are a terminal.
#[must_use]
pub fn has_terminal() -> bool {
    terminal::is_there()
}

/// Runs the workstation until the user leaves it.
///
/// # Errors
/// [`enum@Error`]; the terminal has been given back by then.
pub fn run(options: StartOptions) -> Result<(), Error> {
    let mut app = prepare(&options)?;
    terminal::check()?;
    let (messages, inbox) = unbounded();
    let (wake, woken) = bounded(1);
    panics::install_hook(messages.clone(), || _ = terminal::give_back());
    let to = messages.clone();
    let _mended = MendedListener::start(move |news| to.warn(news.to_owned()));
    let signals = signals::listen();
    let screen = Screen::take(app.settings.mouse, app.depth)?;
    let keyboard = keyboard::listen(messages.clone());
    let themes = options.places.as_ref().map(UserFolders::themes);
    let to = messages.clone();
    let watcher = Watcher::start(themes, messages.clone(), move || {
        to.tell(Message::FileChanged);
    });
    for folder in &options.watch {
        inbox::start(folder.clone(), messages.clone());
    }
    let mut world = World::new(
        &options,
        app.settings.review.ply,
        screen,
        watcher,
        messages,
        wake,
    );
    if let Some(stores) = world.stores.as_ref().filter(|_| app.settings.fill_library) {
        let folders = options.watch.iter().cloned();
        folders.for_each(|folder| stores.filler.watched(folder));
    }
    // The first frame comes before any analysis.
    world.draw(&mut app)?;
    world.watch(&app);
    world.perform(&mut app)?;
    let inputs = Inputs {
        keyboard,
        inbox,
        woken,
        signals,
    };
    let done = world.go(&mut app, &inputs);
    world.finish(done)
}

impl World {
    fn go(&mut self, app: &mut App, inputs: &Inputs) -> Result<(), Error> {
        let done = self.until_over(app, inputs);
        if done.is_err() && !self.over {
            self.keep_typed(app, &inputs.keyboard);
        }
        // Whatever has ended the loop, what was rolled out is kept.
        self.keep_rollout(app, true);
        if let Some((_, running)) = &self.running {
            running.cancel();
        }
        self.match_rollouts = None;
        done
    }

    /// The terminal is gone: what was typed before is kept, as when a signal says so.
    fn keep_typed(&mut self, app: &mut App, keyboard: &Receiver<Event>) {
        for event in keyboard.try_iter().take(MOST_LATE_EVENTS) {
            self.input(app, event);
        }
        self.take(app, Message::Ending);
        let _ = self.perform(app);
    }

    fn until_over(&mut self, app: &mut App, inputs: &Inputs) -> Result<(), Error> {
        let mut live = Instant::now();
        let (mut stale, mut is_left_out) = (false, false);
        while !self.over {
            let due = [next_tick(app), stale.then_some(live)]
                .into_iter()
                .flatten()
                .min();
            let clock = due.map_or_else(never, at);
            // While the figures on screen are fresh a wake-up may be ignored. They are not where a frame was left out:
            // what is rolled out is saved all the same.
            let quiet = Instant::now() < live && !is_left_out;
            let waits = if quiet && self.running.is_some() {
                at(live)
            } else {
                never()
            };
            let none = never();
            let wake = if quiet { &none } else { &inputs.woken };
            let (mut urgent, mut news) = (false, None);
            select! {
                recv(inputs.keyboard) -> event => match event {
                    Ok(event) => urgent |= self.input(app, event),
                    Err(_) => return Err(Error::Gone),
                },
                recv(inputs.inbox) -> message => news = message.ok(),
                recv(inputs.signals) -> signal => if let Ok(s) = signal { self.signal(app, s); urgent = true; },
                recv(wake) -> _ => stale |= self.listen(app),
                recv(waits) -> _ => {},
                recv(clock) -> _ => { self.take(app, Message::Tick); stale = true; },
            }
            let frame = Instant::now() + MOST_KEYS;
            while let Ok(event) = inputs.keyboard.try_recv() {
                urgent |= self.input(app, event);
                if Instant::now() >= frame || !inputs.signals.is_empty() {
                    break;
                }
            }
            stale |= inputs.take_news(app, news, frame);
            self.perform(app)?;
            self.keep_session(app);
            urgent |= std::mem::take(&mut app.is_awaited);
            if urgent {
                self.await_figures(app, &inputs.inbox);
                self.perform(app)?;
            }
            let now = Instant::now();
            if urgent || (stale && now >= live) {
                let drawn = self.draw(app)?;
                let pause = match drawn {
                    Some(bytes) if !urgent => live_pause(bytes),
                    // What a key has changed does not slow the figures down, nor does a frame that was left out.
                    _ => LIVE,
                };
                live = Instant::now() + pause;
                is_left_out = drawn.is_none();
                stale = is_left_out;
            }
        }
        Ok(())
    }

    /// A draft that has just been changed is drawn with its figures, not blank for a frame.
    fn await_figures(&mut self, app: &mut App, inbox: &Receiver<Message>) {
        let end = Instant::now() + FIRST_FIGURES;
        while app.awaits_figures() {
            let Ok(message) = inbox.recv_deadline(end) else {
                return;
            };
            self.take(app, message);
        }
    }

    /// Gives the terminal back, saves what is not saved yet, and ends as it was asked to.
    fn finish(self, done: Result<(), Error>) -> Result<(), Error> {
        let takes_words = terminal::give_back();
        let Self {
            stores,
            session,
            settings,
            match_writer,
            signal,
            ..
        } = self;
        let lost_match = match_writer.finish(Instant::now() + SETTINGS_END);
        if let Some(session) = session {
            session.finish(Instant::now() + SESSION_END);
        }
        if let Some(settings) = settings {
            settings.finish(Instant::now() + SETTINGS_END);
        }
        let lost = stores::finish(stores, lost_match);
        if let Some(number) = signal {
            // A terminal that takes nothing would hold the end up.
            if let Some(lost) = lost.filter(|_| takes_words || !io::stderr().is_terminal()) {
                // It may be gone.
                let _ = writeln!(io::stderr(), "luckless: {lost}");
            }
            signals::end_by(number)?;
            return done;
        }
        done?;
        lost.map_or(Ok(()), |lost| Err(Error::Unsaved(lost)))
    }

    /// Takes an event of the user in; answers whether it may have changed something. A mouse that only moves means
    /// nothing anywhere.
    fn input(&mut self, app: &mut App, event: Event) -> bool {
        let is_move = |event: &MouseEvent| event.kind == MouseEventKind::Moved;
        if matches!(&event, Event::Mouse(event) if is_move(event)) {
            return false;
        }
        self.take(app, Message::Input(event));
        true
    }

    fn take(&mut self, app: &mut App, message: Message) {
        update(app, message, Instant::now());
    }

    /// Draws a frame; `None` where the terminal has not taken the one before, so that the screen is still to be drawn.
    fn draw(&mut self, app: &mut App) -> Result<Option<usize>, Error> {
        app.now = Instant::now();
        let mut areas = None;
        let bytes = self
            .screen
            .draw(|frame| areas = Some(view::draw(frame, app)))?;
        if let Some(areas) = areas {
            app.drawn(areas);
        }
        Ok(bytes)
    }

    /// Reads the snapshot of the rollout that runs; answers whether there is one.
    fn listen(&mut self, app: &mut App) -> bool {
        let Some((job, running)) = &self.running else {
            return false;
        };
        let job = *job;
        let has_ended = running.is_finished();
        let result = running.result();
        // It may have ended in between.
        let finished = has_ended || matches!(result.status, Status::Done(_));
        let wanted = app.jobs.get(job).is_some_and(Job::wants_pilot);
        let pilot = running.pilot().filter(|_| wanted);
        let message = Message::Rollout {
            job,
            result,
            finished,
        };
        let failure = running.failure().filter(|_| finished);
        let progress = finished.then(|| running.progress()).flatten();
        self.keep_rollout(app, finished);
        if finished {
            self.running = None;
        }
        if let Some(pilot) = pilot {
            self.take(app, Message::Chosen { job, pilot });
        }
        match (failure, progress.is_some()) {
            (Some(why), false) => self.take(app, Message::RolloutFailed { job, why }),
            (failure, _) => {
                self.take(app, message);
                if let Some(why) = failure {
                    self.take(app, Message::Warning(format!("the rollout stopped: {why}")));
                }
            }
        }
        if let Some(progress) = progress {
            self.kept.insert(job, progress);
        }
        true
    }

    fn signal(&mut self, app: &mut App, signal: Signal) {
        match signal {
            Signal::Suspend => app.effects.push(Effect::Suspend),
            Signal::Resume => app.effects.push(Effect::TakeTerminal),
            // A window that was smaller for a moment has lost what was there, at whatever size it is found.
            Signal::Resize => app.effects.push(Effect::Redraw),
            Signal::End(number) => {
                self.over = true;
                self.signal = Some(number);
                self.take(app, Message::Ending);
            }
        }
    }

    /// Carries out what the update has left to do.
    fn perform(&mut self, app: &mut App) -> Result<(), Error> {
        let mut done = Ok(());
        // Effects may lead to further ones: a rollout that fails lets the next one start. One that fails because
        // the terminal is gone keeps no note from being kept.
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
            Effect::Copy(what, text) => {
                let anywhere = app.settings.clipboard == Clipboard::System;
                clipboard::copy(what, text, anywhere, self.messages.clone());
            }
            Effect::CopyToTerminal(text) if self.screen.copy(&text)? => {}
            Effect::CopyToTerminal(_) => {
                app.warn("nothing is copied: the Linux console has no clipboard")
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
            } => {
                let evaluator = Arc::clone(&self.setup.evaluator);
                statistics::start(generation, reviewed, evaluator, self.messages.clone());
            }
            Effect::ByHand { number, request } => {
                let (setup, path) = (self.setup.clone(), self.hand_games.clone());
                by_hand::answer(number, *request, setup, path, &self.messages);
            }
            Effect::AskGnubg(question) => second_opinion::ask(*question, &self.messages),
            Effect::LeaveByHand { start, hands } => {
                if let Some(path) = self.hand_games.clone() {
                    by_hand::leave(start, hands, self.setup.clone(), path);
                }
            }
            Effect::Focus { turn, ply } => self.analyst.focus(turn, ply),
            Effect::Draft {
                generation,
                state,
                play,
                ply,
            } => {
                let turn = question::turn(*state, play);
                self.drafts.review(generation, Arc::from([turn]), &[false]);
                self.drafts.focus(0, ply);
            }
            Effect::FindQuiz(wanted) => self.with_stores(|s| s.study.find(wanted)),
            Effect::Library(request) => self.with_stores(|s| s.librarian.ask(request)),
            Effect::Fill(_) if self.stores.is_none() => app.library.under_way.clear(),
            Effect::Fill(path) => self.with_stores(|s| s.filler.take_in(path)),
            Effect::Plan(request) => self.with_stores(|s| s.planner.ask(request)),
            Effect::ListKept => {
                let worker = self.stores.as_ref().map(|s| Arc::clone(&s.rollouts));
                kept_list::start(worker, self.setup.clone(), &self.messages);
            }
            Effect::Complete(typed) => self.path_completer.complete(typed),
            Effect::Rating(request) => self.with_stores(|s| s.planner.rate(request)),
            Effect::KeepAnswer(change) => self.with_stores(|s| s.study.keep(*change)),
            Effect::EndDraft => self.drafts.review(0, Arc::from([]), &[]),
            Effect::Ask { number, asked } => self.inquirer.ask(number, *asked),
            Effect::EndInquiry => self.inquirer.end(),
            Effect::Start(id) => self.start(app, id),
            Effect::Pause(id) => self.with(id, |r| r.pause()),
            Effect::Resume(id) => self.with(id, |r| r.resume()),
            Effect::Cancel(id) => self.with(id, |r| r.cancel()),
        }
        Ok(())
    }

    /// Has something done with the user's stores, if there are any.
    fn with_stores(&self, act: impl FnOnce(&Stores)) {
        if let Some(stores) = &self.stores {
            act(stores);
        }
    }

    /// Saves the standard review of the match of this generation, also where a variation has come into view since;
    /// nothing if another match was opened before this effect was performed.
    fn keep_review(&self, app: &App, generation: u64) {
        let document = app.home();
        if document.generation != generation {
            return;
        }
        if let (Some(stores), Some(opened)) = (&self.stores, Opened::of(document)) {
            let path = opened.record.path.clone();
            stores.reviews.keep(opened, document.standard_reviews());
            // A match of a lower level in the library gets this one.
            path.into_iter()
                .for_each(|path| stores.filler.reviewed(path));
        }
    }

    /// Takes note that the review of the document in view was kept. A match of a lower level in the library gets it.
    fn remember(&self, app: &App) {
        self.analyst.remember(app.document.generation);
        if let (Some(stores), Some(path)) = (&self.stores, &app.document.record.path) {
            stores.filler.remembered(path.clone());
        }
    }

    /// Analyses what of the document in view is not analysed, and finds what was kept of it.
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

    /// Asks for the notes of the match that is open.
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
            // Full means that the loop has been woken already.
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
                // It may have been over before anyone listened.
                let _ = self.wake.try_send(());
            }
            Err(why) => self.take(app, Message::RolloutFailed { job: id, why }),
        }
    }

    fn keep_rollout(&self, app: &App, ended: bool) {
        if let (Some(keeper), Some((id, running))) = (&self.rollout_keeper, &self.running)
            && let Some(job) = app.jobs.get(*id)
        {
            keeper.save_if_due(job, &**running, ended);
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

    /// Rolls out decisions of the match within a time, or looks for what was rolled out of it.
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

    fn watch(&self, app: &App) {
        self.watcher.open(app.home().record.path.clone());
    }
}
