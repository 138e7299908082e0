//! The rules of backgammon: positions, rolls, plays, cube and score.
//!
//! Read [`position`] first (the layout of a board), then [`generate`] (every legal play of a roll, exactly
//! once: half of the hot loop), then [`state`] (score, cube, match and money rules). [`shots`] finds the
//! rolls that hit. This module does not evaluate positions.

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
