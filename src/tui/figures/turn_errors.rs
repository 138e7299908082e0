//! What the play and the cube actions of a turn gave away, by the deepest figures there are.

use super::candidate_rows::FigureSource;
use super::rolled_turns;
use crate::review::Mark;
use crate::tui::documents::document::Document;
use crate::tui::state::App;

impl App {
    /// Error of a turn's play or cube action, in points, and its source; `None` while it is not reviewed. The
    /// source is a rollout of the play and the best one together, or of the cube decision, if there is one,
    /// else the standard review.
    pub fn error(&self, turn: usize) -> Option<(f32, FigureSource)> {
        self.error_in(&self.document, turn)
    }

    /// Error of a turn of this document, as [`Self::error`] gives it.
    pub(crate) fn error_in(&self, document: &Document, turn: usize) -> Option<(f32, FigureSource)> {
        let review = document.reviews.get(turn)?.as_ref()?;
        let error = review.error?;
        let own = &document.turns[turn];
        let rolled = match own.before.state.roll {
            None => rolled_turns::cube_error(&self.jobs, own, review).map(|(_, error)| error),
            Some(_) => rolled_turns::play_error(&self.jobs, own, review),
        };
        Some(match rolled {
            Some(rolled) => (rolled, FigureSource::Rollout),
            None => (error, FigureSource::Ply(review.ply)),
        })
    }

    /// Error of not doubling before the roll of a turn, in points, and its source; `None` where that was no
    /// decision.
    pub fn silent_error(&self, turn: usize) -> Option<(f32, FigureSource)> {
        self.silent_error_in(&self.document, turn)
    }

    /// Error of not doubling before the roll of a turn of this document, as [`Self::silent_error`] gives it.
    pub(crate) fn silent_error_in(
        &self,
        document: &Document,
        turn: usize,
    ) -> Option<(f32, FigureSource)> {
        let review = document.reviews.get(turn)?.as_ref()?;
        let cube = review.silent_cube()?;
        let error = cube.error?;
        let own = &document.turns[turn];
        Some(match rolled_turns::cube_error(&self.jobs, own, review) {
            Some((_, rolled)) => (rolled, FigureSource::Rollout),
            None => (error, FigureSource::Ply(cube.ply)),
        })
    }

    /// The mark of a turn, once it is analysed.
    pub fn mark(&self, turn: usize) -> Option<Mark> {
        self.error(turn)
            .map(|(error, _)| Mark::of(error, &self.thresholds()))
    }

    /// The worst mark of a turn, missed doubles included.
    pub fn worst_mark(&self, turn: usize) -> Option<Mark> {
        let missed = self
            .silent_error(turn)
            .map(|(error, _)| Mark::of(error, &self.thresholds()));
        self.mark(turn).max(missed)
    }
}
