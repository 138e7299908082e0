//! One game, played out with its luck subtracted.
//!
//! * [`luck`]: the luck of a roll, the control variate.
//! * [`play_choice`]: plays, by what [`play_worth`] says; [`trial_rolls`]: the rolls that luck is measured from.
//! * [`game_memory`], [`early_memory`] and [`tables`]: which positions and games those tables belong to.
//! * [`cubeful`] and [`cube_turn`]: the cube; [`settlement`]: the states of a cube that ends cubeless games.
//! * [`trial`] and [`turn`]: one game, and one turn of it; [`outcome`] is what it gave.
//! * [`seats`]: the places of both players.
//! * [`roll_source`]: how its rolls are found.
//! * [`pair`](mod@pair): two candidates' games side by side.
//! * [`records`]: trials that were played elsewhere.

pub(super) mod cube_turn;
pub(super) mod cubeful;
pub(super) mod early_memory;
pub(super) mod game_memory;
pub(super) mod luck;
pub(super) mod outcome;
pub(super) mod pair;
pub(super) mod play_choice;
mod play_worth;
pub(super) mod records;
pub(super) mod roll_source;
pub(super) mod seats;
mod settlement;
pub(super) mod tables;
pub(super) mod trial;
mod trial_rolls;
pub(super) mod turn;
