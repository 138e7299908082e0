//! Training of the embedded nets by self-play, from random weights.
//!
//! Read in this order:
//!
//! * [`sample`]: a position and what it turned out to be worth.
//! * [`play`]: self-play games and the labels they give.
//! * [`weights`]: the net in floating point.
//! * `batch`, `pass` and [`learn`]: forward and backward pass of a batch, and one step of the
//!   optimiser.
//! * `pruning`: the same for the pruning net, [`race_pruning`] for that of races; [`efficiency`]: for the two nets of
//!   cube efficiencies.
//! * [`recipe`] and [`session`]: the stages, and the loop.
//! * `folder` and `checkpoint`: what is kept, so that a training goes on as if it had never stopped; `progress`: how far
//!   it has come.
//!
//! Everything is a function of the recipe and its seed. Games are numbered, and each has its own stream of
//! random numbers. The next round is played with the net of the round before while that net learns; the
//! threads share both.

mod batch;
mod checkpoint;
pub mod efficiency;
mod folder;
pub mod learn;
mod pass;
pub mod play;
mod progress;
mod pruning;
pub mod race_pruning;
pub mod recipe;
pub mod sample;
pub mod session;
pub mod weights;

pub use batch::InputMask;
pub use folder::all_round_samples;
pub use learn::Learner;
pub use recipe::Recipe;
pub use session::TrainingSession;
