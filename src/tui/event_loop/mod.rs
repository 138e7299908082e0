//! The event loop: waits for input, workers and timers; processes everything pending, input first; draws once. It
//! sleeps while nothing happens.

pub(crate) mod colour_filter;
mod effects;
#[cfg(unix)]
mod fatal_signals;
mod first;
mod frame_writer;
mod inputs;
mod next_frame;
mod start;
mod taken;
pub(super) mod terminal;
mod world;

use std::io::{self, IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, at, bounded, never, select, unbounded};
use ratatui::crossterm::event::{Event, MouseEvent, MouseEventKind};

use super::state::{App, Effect};
use super::update::{next_tick, update, windows};
use super::view;
use super::workers::inbox;
use super::workers::keyboard;
use super::workers::panics;
use super::workers::signals::{self, Signal};
use super::workers::stores;
use super::workers::watcher::Watcher;
use super::{Error, StartOptions};
use crate::rollout::Status;
use crate::store::{MendedListener, UserFolders};
use crate::tui::message::{Message, Tell as _};
use crate::tui::rollouts::jobs::Job;
use inputs::Inputs;
use next_frame::NextFrame;
use start::prepare;
use terminal::Screen;
use world::World;

/// How long the frame after a change of a draft waits for its first figures; imperceptible.
const FIRST_FIGURES: Duration = Duration::from_millis(12);
/// Maximum time for processing keys in a row, so that many keys delay neither the screen nor a signal.
const MOST_KEYS: Duration = Duration::from_millis(16);

/// Maximum number of events to process after the terminal is gone.
const MOST_LATE_EVENTS: usize = 10_000;

/// How long the end of the program waits for the session to be saved.
const SESSION_END: Duration = Duration::from_millis(300);

/// How long the end of the program waits for a played match to be saved.
const MATCH_END: Duration = Duration::from_secs(2);

/// Returns whether input and output are a terminal.
pub fn has_terminal() -> bool {
    terminal::is_there()
}

/// Runs the workstation until the user quits.
///
/// # Errors
/// [`enum@Error`]; the terminal is already restored.
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
        let folders = options.watch.iter();
        let folders: Vec<_> = folders.map(|folder| app.library.watch(folder)).collect();
        if !folders.is_empty() {
            stores.filler.watched(folders);
        }
    }
    // The first frame precedes any analysis.
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
        // Whatever ended the loop, the running rollout is saved.
        self.keep_rollout(app, true);
        if let Some((_, running)) = &self.running {
            running.cancel();
        }
        self.match_rollouts = None;
        done
    }

    /// Processes pending input after the terminal is gone, so that it is saved as on a signal.
    fn keep_typed(&mut self, app: &mut App, keyboard: &Receiver<Event>) {
        for event in keyboard.try_iter().take(MOST_LATE_EVENTS) {
            self.input(app, event);
        }
        self.take(app, Message::Ending);
        let _ = self.perform(app);
    }

    fn until_over(&mut self, app: &mut App, inputs: &Inputs) -> Result<(), Error> {
        let mut frame = NextFrame::new();
        while !self.over {
            let due = [next_tick(app), frame.due()].into_iter().flatten().min();
            let clock = due.map_or_else(never, at);
            let fresh_until = frame.fresh_until();
            let waits = match fresh_until {
                Some(end) if self.running.is_some() => at(end),
                _ => never(),
            };
            let none = never();
            let wake = fresh_until.map_or(&inputs.woken, |_| &none);
            let (mut urgent, mut news) = (false, None);
            select! {
                recv(inputs.keyboard) -> event => match event {
                    Ok(event) => urgent |= self.input(app, event),
                    Err(_) => return Err(Error::Gone),
                },
                recv(inputs.inbox) -> message => news = message.ok(),
                recv(inputs.signals) -> signal => if let Ok(s) = signal { self.signal(app, s); urgent = true; },
                recv(wake) -> _ => frame.note(self.listen(app)),
                recv(waits) -> _ => {},
                recv(clock) -> _ => { self.take(app, Message::Tick); frame.note(true); },
            }
            let end = Instant::now() + MOST_KEYS;
            urgent |= self.take_keys(app, inputs, end);
            frame.note(inputs.take_news(app, news, end));
            self.perform(app)?;
            self.keep_session(app);
            urgent |= std::mem::take(&mut app.is_awaited);
            if urgent {
                self.await_figures(app, &inputs.inbox);
                self.perform(app)?;
            }
            if frame.is_due(urgent) {
                let drawn = self.draw(app)?;
                frame.drawn(drawn, urgent);
            }
        }
        Ok(())
    }

    /// Processes further keys until `end` or a signal. Returns whether anything may have changed.
    fn take_keys(&mut self, app: &mut App, inputs: &Inputs, end: Instant) -> bool {
        let mut is_changed = false;
        while let Ok(event) = inputs.keyboard.try_recv() {
            is_changed |= self.input(app, event);
            if Instant::now() >= end || !inputs.signals.is_empty() {
                break;
            }
        }
        is_changed
    }

    /// Waits briefly for the figures of a changed draft, so that no blank frame is drawn.
    fn await_figures(&mut self, app: &mut App, inbox: &Receiver<Message>) {
        let end = Instant::now() + FIRST_FIGURES;
        while app.awaits_figures() {
            let Ok(message) = inbox.recv_deadline(end) else {
                return;
            };
            self.take(app, message);
        }
    }

    /// Restores the terminal, saves unsaved data and ends the program as requested.
    fn finish(self, done: Result<(), Error>) -> Result<(), Error> {
        let takes_words = terminal::give_back();
        let Self {
            stores,
            session,
            match_writer,
            signal,
            ..
        } = self;
        let lost_match = match_writer.finish(Instant::now() + MATCH_END);
        if let Some(session) = session {
            session.finish(Instant::now() + SESSION_END);
        }
        let lost = stores::finish(stores, lost_match);
        if let Some(number) = signal {
            // Writing to a blocked terminal would delay the end.
            if let Some(lost) = lost.filter(|_| takes_words || !io::stderr().is_terminal()) {
                // Standard error may be closed.
                let _ = writeln!(io::stderr(), "luckless: {lost}");
            }
            signals::end_by(number)?;
            return done;
        }
        done?;
        lost.map_or(Ok(()), |lost| Err(Error::Unsaved(lost)))
    }

    /// Processes an input event. Returns whether anything may have changed. Mouse movements without a button have no
    /// effect.
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

    /// Draws a frame; `None` if the terminal has not accepted the previous one, so that the screen is still outdated.
    fn draw(&mut self, app: &mut App) -> Result<Option<usize>, Error> {
        app.now = Instant::now();
        let mut areas = None;
        let bytes = self
            .screen
            .draw(|frame| areas = Some(view::draw(frame, app, windows::draw)))?;
        if let Some(areas) = areas {
            app.drawn(areas);
        }
        Ok(bytes)
    }

    /// Reads the snapshot of the running rollout. Returns whether there is one.
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
            // A window that was briefly smaller has lost content, even if its size is the same again.
            Signal::Resize => app.effects.push(Effect::Redraw),
            Signal::End(number) => {
                self.over = true;
                self.signal = Some(number);
                self.take(app, Message::Ending);
            }
        }
    }
}
