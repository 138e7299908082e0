//! Timing of redraws: changes by keys are drawn at once, live figures after a pause.

use std::time::Instant;

use super::terminal::{LIVE, live_pause};

/// Timing of redraws.
pub(super) struct NextFrame {
    /// The figures on the screen are recent until then.
    fresh_until: Instant,
    /// Whether there are undrawn changes.
    is_stale: bool,
    /// Whether the terminal has not accepted the latest frame.
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

    /// The time until which the figures are recent and a wake-up can be ignored. `None` after a skipped frame, so
    /// that rollouts are saved in time.
    pub(super) fn fresh_until(&self) -> Option<Instant> {
        (Instant::now() < self.fresh_until && !self.is_left_out).then_some(self.fresh_until)
    }

    /// When the next frame is due, if known.
    pub(super) fn due(&self) -> Option<Instant> {
        self.is_stale.then_some(self.fresh_until)
    }

    /// Returns whether to draw now.
    pub(super) fn is_due(&self, is_urgent: bool) -> bool {
        is_urgent || (self.is_stale && Instant::now() >= self.fresh_until)
    }

    /// Records a drawn frame of `bytes` bytes; `None` if it was skipped.
    pub(super) fn drawn(&mut self, bytes: Option<usize>, is_urgent: bool) {
        let pause = match bytes {
            Some(bytes) if !is_urgent => live_pause(bytes),
            // Neither urgent nor skipped frames slow the figures down.
            _ => LIVE,
        };
        self.fresh_until = Instant::now() + pause;
        self.is_left_out = bytes.is_none();
        self.is_stale = self.is_left_out;
    }
}
