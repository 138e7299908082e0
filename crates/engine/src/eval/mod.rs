//! Evaluators: the cubeless chances of a position.
//!
//! [`Evaluator`] is the one interface through which everything above asks for a value: batches in,
//! results into the caller's memory, nothing about nets leaking out.

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

/// Something that values positions, cubeless.
///
/// Implementations are pure: the same position gives the same bits on any thread and machine.
pub trait Evaluator: Send + Sync {
    /// A short name for results and exports.
    fn name(&self) -> &str;

    /// The cubeless chances of each position for its player on roll, dice not yet rolled, into
    /// `out`, which is as long as `positions`. Positions may be finished games.
    fn probabilities(&self, positions: &[Position], out: &mut [Probabilities]);

    /// The chances of each of the `results` of plays made from `before`, which is seen by the player
    /// who made them: [`Evaluator::probabilities`], given where the positions come from. What they
    /// share with `before` need not be computed again.
    fn probabilities_after(
        &self,
        before: &Position,
        results: &[Position],
        out: &mut [Probabilities],
    ) {
        let _ = before;
        self.probabilities(results, out);
    }

    /// The cubeless equity, in points, of each of the `results` of one roll's plays *for the
    /// player who has just made the play*, into `out`. `before` is the position the plays were
    /// made from, seen by that player: what the results share with it need not be computed again.
    fn equities_after(&self, before: &Position, results: &[Position], out: &mut [f32]);

    /// The pruner of plays made from `before`: it names those that may be the best and are worth valuing
    /// where only the best is wanted. `None`: all are.
    fn pruner(&self, before: &Position) -> Option<Pruner<'_>> {
        let _ = before;
        None
    }

    /// The chances of `position` if they are known without error: a finished game, the last checkers, or a
    /// bearoff whose value, *for the play that this evaluator itself would choose*, is stored exactly.
    fn exact(&self, position: &Position) -> Option<Probabilities>;

    /// Predicts, from the position *before* the roll, what each of the 21 rolls is worth to the
    /// player on roll. The chances are up to a constant that is the same for all rolls, in the
    /// order of [`Roll::ALL`](crate::game::Roll::ALL). For the luck of a roll that is enough, and
    /// it costs three to four evaluations. Returns false, and leaves `out` as it is, if this evaluator
    /// offers no such thing.
    fn roll_values(&self, position: &Position, out: &mut [Probabilities; DISTINCT]) -> bool {
        let _ = (position, out);
        false
    }

    /// The chances of one position. See [`Evaluator::probabilities`].
    fn probabilities_of(&self, position: &Position) -> Probabilities {
        let mut out = [Probabilities::default()];
        self.probabilities(std::slice::from_ref(position), &mut out);
        out[0]
    }
}
