//! When the screen is drawn again: what a key changes at once, figures once those on the screen were there for a while.

use std::time::Instant;

use super::terminal::{LIVE, live_pause};

/// When the screen is drawn again.
pub(super) struct NextFrame {
    /// Until then the figures on the screen are fresh.
    fresh_until: Instant,
    /// Whether something has changed that is not drawn.
    is_stale: bool,
    /// Whether the terminal has not taken the latest frame.
    is_left_out: bool,
}

impl NextFrame {
    pub(super) fn new() -> Self {
        Self {
            fresh_until: Instant::now(),
            is_stale: false,
            is_left_out: false,
        }
    }

    pub(super) fn note(&mut self, is_changed: bool) {
        self.is_stale |= is_changed;
    }

    /// Until when the figures on the screen are fresh, so that a wake-up may be ignored. They are not where a frame was
    /// left out: what is rolled out is saved all the same.
    pub(super) fn fresh_until(&self) -> Option<Instant> {
        (Instant::now() < self.fresh_until && !self.is_left_out).then_some(self.fresh_until)
    }

    /// When it is to be drawn next, as far as is known.
    pub(super) fn due(&self) -> Option<Instant> {
        self.is_stale.then_some(self.fresh_until)
    }

    /// Whether it is to be drawn now.
    pub(super) fn is_due(&self, is_urgent: bool) -> bool {
        is_urgent || (self.is_stale && Instant::now() >= self.fresh_until)
    }

    /// It was drawn, in so many bytes; `None` where the frame was left out.
    pub(super) fn drawn(&mut self, bytes: Option<usize>, is_urgent: bool) {
        let pause = match bytes {
            Some(bytes) if !is_urgent => live_pause(bytes),
            // What a key has changed does not slow the figures down, nor does a frame that was left out.
            _ => LIVE,
        };
        self.fresh_until = Instant::now() + pause;
        self.is_left_out = bytes.is_none();
        self.is_stale = self.is_left_out;
    }
}
