//! Evaluators: the cubeless chances of a position.
//!
//! [`Evaluator`] is the only interface for evaluation: it processes batches, writes results to the caller's
//! memory, and hides the nets.

pub mod bearoff;
mod count_layer;
pub mod efficiency_net;
mod encoding;
pub mod engine;
pub mod features;
pub mod kinds;
mod last_checkers;
pub mod lookahead;
pub mod luck_net;
pub mod net;
mod net_file;
mod outcome;
pub mod probabilities;
pub mod pruning_net;
pub mod rolls;
pub mod rows;
pub mod simd;
pub mod transpositions;

pub use bearoff::Bearoff;
pub use engine::Engine;
pub use lookahead::{Candidate, CandidateFilter};
pub use probabilities::Probabilities;
pub use pruning_net::{Pruner, Shortlist};
pub use rolls::Rolls;

use crate::game::Position;
use crate::game::roll::DISTINCT;

/// A cubeless evaluator of positions.
///
/// Implementations are pure: the same position gives the same bits on any thread and machine.
pub trait Evaluator: Send + Sync {
    /// Returns a short name for results and exports.
    fn name(&self) -> &str;

    /// Writes the cubeless chances of each position for its player on roll, before the roll, to `out`, which
    /// is as long as `positions`. Positions may be finished games.
    fn probabilities(&self, positions: &[Position], out: &mut [Probabilities]);

    /// Writes the chances of each of the `results` of plays from `before`, which is seen by the player who
    /// made them. Like [`Evaluator::probabilities`], but parts shared with `before` need not be recomputed.
    fn probabilities_after(
        &self,
        before: &Position,
        results: &[Position],
        out: &mut [Probabilities],
    ) {
        let _ = before;
        self.probabilities(results, out);
    }

    /// Writes the cubeless equity, in points, of each of the `results` of one roll's plays *for the player
    /// who has just made the play* to `out`. `before` is the position before the plays, seen by that player:
    /// shared parts need not be recomputed.
    fn equities_after(&self, before: &Position, results: &[Position], out: &mut [f32]);

    /// Returns the pruner of plays from `before`: it selects plays that may be the best, for use when only
    /// the best is needed. `None`: all plays are evaluated.
    fn pruner(&self, before: &Position) -> Option<Pruner<'_>> {
        let _ = before;
        None
    }

    /// Returns the chances of `position` if they are known exactly: a finished game, the last checkers, or a
    /// bearoff whose value *for the play that this evaluator would choose* is stored exactly.
    fn exact(&self, position: &Position) -> Option<Probabilities>;

    /// Predicts, from the position *before* the roll, the value of each of the 21 rolls for the player on
    /// roll. The chances have an unknown common constant and the order of
    /// [`Roll::ALL`](crate::game::Roll::ALL). This is enough for the luck of a roll, and costs three to four
    /// evaluations. Returns false, and leaves `out` unchanged, if the evaluator does not support it.
    fn roll_values(&self, position: &Position, out: &mut [Probabilities; DISTINCT]) -> bool {
        let _ = (position, out);
        false
    }

    /// Returns the chances of one position. See [`Evaluator::probabilities`].
    fn probabilities_of(&self, position: &Position) -> Probabilities {
        let mut out = [Probabilities::default()];
        self.probabilities(std::slice::from_ref(position), &mut out);
        out[0]
    }
}
