//! Analysis of one decision: compares plays, measures the luck of the roll, and finds the best action at
//! other scores and cubes. Also contains the opening book.
//!
//! [`comparison`] compares two plays, chance by chance and roll by roll. [`board_facts`] counts shots, blots
//! and points after a play. [`roll_luck`] computes the luck of a roll, and [`roll_table`] lists all rolls
//! with their best plays. [`matrix`] repeats a decision at many scores. [`cube_facts`] describes a cube
//! decision, [`cubeless`] its equities with a dead cube, and [`score_facts`] the properties of a score.
//! [`effective_pips`] computes the waste of a bearoff, and [`opening_book`] contains the first moves. Long
//! computations can be cancelled.

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
