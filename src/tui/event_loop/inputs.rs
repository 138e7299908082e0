//! Input sources of the loop: keys, workers and signals.

use std::iter;
use std::time::Instant;

use crossbeam_channel::Receiver;
use ratatui::crossterm::event::Event;

use crate::tui::message::Message;
use crate::tui::state::App;
use crate::tui::update::update_all;
use crate::tui::workers::signals::Signal;

/// Input channels.
pub(super) struct Inputs {
    pub(super) keyboard: Receiver<Event>,
    pub(super) inbox: Receiver<Message>,
    pub(super) woken: Receiver<()>,
    pub(super) signals: Receiver<Signal>,
}

impl Inputs {
    /// Processes messages of the workers, `first` first, until a frame is due or a signal arrives. Returns whether
    /// there were any.
    pub(super) fn take_news(&self, app: &mut App, first: Option<Message>, frame: Instant) -> bool {
        let may_take = !self.inbox.is_empty() && Instant::now() < frame;
        if first.is_none() && !may_take {
            return false;
        }
        let more = iter::from_fn(|| match Instant::now() < frame && self.signals.is_empty() {
            true => self.inbox.try_recv().ok(),
            false => None,
        });
        update_all(app, first.into_iter().chain(more), Instant::now());
        true
    }
}
