//! The commands about one position: `eval`, `why`, `matrix`, `book`, `met`, `bearoff`, `board`.

pub(in crate::cli) mod bearoff;
pub(in crate::cli) mod board;
pub(in crate::cli) mod book;
pub(in crate::cli) mod eval;
pub(in crate::cli) mod eval_answer;
pub(in crate::cli) mod eval_batch;
pub(in crate::cli) mod eval_book;
pub(in crate::cli) mod eval_card;
mod eval_rolls;
pub(in crate::cli) mod matrix;
pub(in crate::cli) mod met;
pub(in crate::cli) mod why;
pub(in crate::cli) mod why_cube;
