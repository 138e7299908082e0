//! The units of what is in view.

use super::App;
use crate::tui::screen::units::Scale;

impl App {
    /// The units wanted for the turn in view, seen by whose turn it is, or by who has doubled.
    #[must_use]
    pub fn scale(&self) -> Scale {
        let state = self.turn().map(|turn| turn.before.state);
        state.map_or(Scale::CUBE, |state| {
            Scale::new(self.options.units, &state.roller(), &self.model)
        })
    }
}
