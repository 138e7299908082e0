//! Training of the embedded nets by self-play, from random weights.
//!
//! * [`sample`]: a position and its training label.
//! * [`play`]: self-play games and their labels.
//! * [`weights`]: the net in floating point.
//! * `batch`, `pass` and [`learn`]: forward and backward pass of a batch, and one step of the optimiser.
//! * `pruning`: the same for the pruning net, [`race_pruning`] for the one of races; [`efficiency`]: for the two nets
//!   of cube efficiencies.
//! * [`recipe`] and [`session`]: the stages and the training loop.
//! * `folder` and `checkpoint`: stored state, so that a stopped training continues exactly; `progress`: its progress.
//!
//! Everything is determined by the recipe and its seed. Games are numbered, and each has its own random stream. The
//! next round is played with the net of the previous round while that net learns; the threads share both tasks.

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
