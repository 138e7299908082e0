//! What a position is worth.
//!
//! [`Evaluator`] is the one seam through which everything above asks for a value: batches in,
//! results into the caller's memory, nothing about nets leaking out.

pub mod bearoff;
pub mod engine;
pub mod features;
pub mod lookahead;
pub mod net;
mod outcome;
pub mod probabilities;
pub mod simd;

pub use bearoff::Bearoff;
pub use engine::Engine;
pub use lookahead::{Candidate, MoveFilter};
pub use probabilities::Probabilities;

use crate::game::Position;

/// Something that values positions, cubeless.
///
/// Implementations are pure: the same position gives the same bits on any thread and machine.
pub trait Evaluator: Send + Sync {
    /// A short name for results and exports.
    fn name(&self) -> &str;

    /// The cubeless chances of each position for its player on roll, dice not yet rolled, into
    /// `out`, which is as long as `positions`. Positions may be finished games.
    fn probabilities(&self, positions: &[Position], out: &mut [Probabilities]);

    /// The cubeless equity, in points, of each of the `results` of one roll's plays *for the
    /// player who has just made the play*, into `out`. `before` is the position the plays were
    /// made from, seen by that player: what the results share with it need not be computed again.
    fn equities_after(&self, before: &Position, results: &[Position], out: &mut [f32]);

    /// The cubeless chances of each of the `results` of one roll's plays for their player on roll,
    /// into `out`, as [`Evaluator::probabilities`] does; `before` is the position the plays were
    /// made from, seen by the player who made them.
    fn probabilities_after(
        &self,
        before: &Position,
        results: &[Position],
        out: &mut [Probabilities],
    ) {
        let _ = before;
        self.probabilities(results, out);
    }

    /// The chances of `position` if they are known without error: a finished game, or a bearoff
    /// whose value, *for the play that this evaluator itself would choose*, is stored exactly.
    fn exact(&self, position: &Position) -> Option<Probabilities>;

    /// The chances of one position. See [`Evaluator::probabilities`].
    fn probabilities_of(&self, position: &Position) -> Probabilities {
        let mut out = [Probabilities::default()];
        self.probabilities(std::slice::from_ref(position), &mut out);
        out[0]
    }
}
