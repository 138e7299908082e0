//! Streams of rolls.
//!
//! Every trial of a rollout has a stream of its own, found by counting and not by rolling on: the
//! generator is ChaCha with 8 rounds (Bernstein, *ChaCha, a variant of Salsa20*, 2008), its key is
//! made of the seed and of what the stream is for, its nonce is the number of the trial. So trial
//! *i* of seed *s* gets the same rolls on any thread, in any order, on any machine.
//!
//! * [`Dice`]: independent, exactly uniform numbers from 0 to 35, each an ordered roll or a rank;
//!   the first may be prescribed.
//! * [`rotation`]: an order of the 36 first numbers for each block of 36 trials, so that each
//!   block begins with each of them once.
//! * [`roll_of_rank`]: the roll that has a given place when the rolls of a position are sorted by
//!   what they are worth.

mod rank;
mod stream;

pub use rank::roll_of_rank;
pub use stream::{Dice, Key, Purpose, rotation};
