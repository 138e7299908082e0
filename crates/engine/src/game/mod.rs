//! The rules of backgammon: positions, rolls, plays, and who may do what.
//!
//! Read [`position`] first (how a board is laid out), then [`generate`] (every legal play of a
//! roll, exactly once: half of the hot loop), then [`state`] (score, cube, match and money rules).
//! [`shots`] says which rolls hit.
//! Nothing here knows what a position is worth.

pub mod generate;
pub mod play;
pub mod position;
pub mod roll;
pub mod shots;
pub mod state;
pub mod state_problem;

pub use generate::{PlayList, ResultList};
pub use play::{Play, Step};
pub use position::{Position, PositionError, Side};
pub use roll::{Roll, RollError};
pub use state::{CubeOwner, GameState, MatchScore, Player, Rules, is_crawford_score};
pub use state_problem::StateProblem;
