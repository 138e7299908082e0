//! What the plays of a rollout are worth beside each other.
//!
//! A race gives no more games to a play that is shown to be worse, while the best goes on. Their means then rest on
//! different games. The comparison knows them better by the games that both have, which is what it says of them. So
//! plays are ranked, and errors told, by the best of the comparison and its difference to each other play.

use super::job::Job;
use crate::game::Position;
use crate::study::rolled;

impl Job {
    /// Equity of a play in points, once it has trials: beside the best play where they are compared.
    #[must_use]
    pub fn equity_of(&self, result: &Position) -> Option<f64> {
        rolled::equity_of(self.result()?, self.place(result)?, self.is_comparison())
    }

    /// Error of `played` against the best play of this rollout, in points, if it rolled out both that play
    /// and `best`, which was thought to be the best before, and has come far enough. A rollout without the
    /// cube tells no errors: those of the match are in cubeful points.
    #[must_use]
    pub fn error(&self, best: &Position, played: &Position) -> Option<f32> {
        let candidate = |r: &Position| self.result_of(r);
        let (a, b) = (candidate(best)?, candidate(played)?);
        if self.plays.len() < 2 || !self.is_cubeful() || !self.tells(a.trials.min(b.trials)) {
            return None;
        }
        let all = self.plays.iter();
        let most = all
            .filter_map(|play| self.equity_of(&play.result))
            .fold(f64::NEG_INFINITY, f64::max);
        Some((most - self.equity_of(played)?).max(0.0) as f32)
    }
}
