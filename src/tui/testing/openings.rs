//! Opens documents of tests at once.

use std::path::PathBuf;

use super::{Race, TestApp};
use crate::tui::documents::open::{self, How};
use crate::tui::message::Message;
use crate::tui::state::Openable;
use crate::tui::workers::path_completer;

impl TestApp {
    /// Settings of opening.
    fn how(&self) -> How {
        How::new(&Race, &self.app.model, false).to_depth(self.app.settings.review.ply)
    }

    /// Opens a source with the number of the opening.
    pub(super) fn open(&mut self, number: u64, source: &Openable) {
        let document = open::open(source, number, &self.how());
        self.tell(Message::Opened(number, document.map(Box::new)));
    }

    /// Reads the displayed file again.
    pub(super) fn reread(&mut self, number: u64, path: PathBuf) {
        let source = Openable::File(path);
        let document = open::reopen(&source, number, &self.how());
        self.tell(Message::Reread(number, document.map(Box::new)));
    }

    /// Completes a path.
    pub(super) fn complete(&mut self, typed: String) {
        let found = path_completer::completions(&typed);
        self.tell(Message::Completed { typed, found });
    }
}
