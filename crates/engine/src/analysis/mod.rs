//! Questions about one decision: why one play is better than another, how lucky its roll was, and what is
//! right at other scores and cubes. Also the rollouts of the openings.
//!
//! [`comparison`] puts two plays side by side, chance by chance and roll by roll. [`board_facts`] counts what a play
//! leaves on the board. [`roll_luck`] values the rolls that could have come, and [`roll_table`] lists them with their
//! best plays. [`matrix`] asks the same decision at many scores. [`cube_facts`] has all about a cube decision,
//! [`cubeless`] what it is worth with a dead cube, [`score_facts`] what a score means for any, [`effective_pips`] what
//! a bearoff wastes, [`opening_book`] the first moves. What takes long can be cancelled.

pub mod board_facts;
pub mod comparison;
pub mod cube_facts;
pub mod cubeless;
pub mod effective_pips;
pub mod matrix;
pub mod opening_book;
pub mod roll_luck;
pub mod roll_table;
pub mod score_facts;

pub use board_facts::BoardFacts;
pub use comparison::{ComparisonSetup, EquitySplit, PlayComparison, PlayRolls, RollCell};
pub use cube_facts::{CubeFacts, ErrorNeeded, TakePoint, cube_rule};
pub use cubeless::CubelessEquities;
pub use effective_pips::EffectivePips;
pub use matrix::{BestChoice, Cell, CellAnswer, Matrix, ReferenceChoice, ScoreName};
pub use opening_book::{BookPlay, OpeningBook};
pub use roll_luck::RollRank;
pub use roll_table::{RollTable, RollValue};
pub use score_facts::{ScoreCube, ScoreFacts};
