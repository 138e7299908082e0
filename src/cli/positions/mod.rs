//! The commands about one position: `eval`, `why`, `matrix`, `book`, `met`, `bearoff`, `board`.

pub(crate) mod bearoff;
pub(crate) mod board;
pub mod book;
pub(crate) mod eval;
pub(crate) mod eval_answer;
pub(crate) mod eval_batch;
pub(crate) mod eval_book;
pub(crate) mod eval_card;
mod eval_rolls;
pub(crate) mod matrix;
pub(crate) mod met;
pub(crate) mod why;
pub(crate) mod why_cube;
