//! Reproducible streams of rolls.
//!
//! Every trial of a rollout has a stream of its own. The generator is ChaCha with 8 rounds (Bernstein,
//! *ChaCha, a variant of Salsa20*, 2008). Its key is made of the seed and of what the stream is for, its
//! nonce is the number of the trial. So trial *i* of seed *s* gets the same rolls on any thread, in any
//! order, on any machine.
//!
//! * [`DiceSource`]: which rolls are prescribed so that trials complement each other, by name.
//! * [`Dealer`]: the dice of any trial from any source.
//! * [`Dice`]: exactly uniform numbers from 0 to 35, each an ordered roll or a rank, the first of
//!   which may be prescribed.
//! * [`PrescribedDice`]: rolls from a file.
//! * [`roll_of_rank`]: the roll that has a given place when the rolls of a position are sorted by
//!   what they are worth.
//! * [`hybrid_rolls`], [`roll_of_quantile`]: rolls for several positions at once, equally lucky, and
//!   the same where that costs little.

mod dealer;
mod matching;
mod rank;
mod source;
mod stream;

pub use dealer::Dealer;
pub use matching::{hybrid_rolls, roll_of_quantile};
pub use rank::{own_tie, places_of_roll, roll_of_rank};
pub use source::{
    DiceSource, MOST_DEPTH, MOST_PRESCRIBED, NO_DOUBLES, PrescribedDice, PrescribedError,
    SourceError, first_places,
};
pub use stream::{COUNTED, Dice, Purpose, SOBOL_BLOCK, StreamKey, rotation};
