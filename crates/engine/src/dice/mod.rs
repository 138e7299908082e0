//! Reproducible streams of rolls.
//!
//! Every trial of a rollout has its own stream. The generator is ChaCha with 8 rounds (Bernstein, *ChaCha, a
//! variant of Salsa20*, 2008). Its key consists of the seed and the purpose of the stream; its nonce is the
//! number of the trial. Trial *i* of seed *s* therefore gets the same rolls on any thread, in any order, on
//! any machine.
//!
//! * [`DiceSource`]: which rolls are prescribed so that trials complement each other, by name.
//! * [`Dealer`]: the dice of any trial from any source.
//! * [`Dice`]: exactly uniform numbers from 0 to 35, each an ordered roll or a rank; the first ones may be
//!   prescribed.
//! * [`PrescribedDice`]: rolls from a file.
//! * [`roll_of_rank`]: the roll at a given place when the rolls of a position are sorted by value.
//! * [`hybrid_rolls`], [`roll_of_quantile`]: rolls for several positions, equally lucky, and the same roll
//!   where that costs little.

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
