//! The commands about matches: `review`, `verify`, `matches`, `inspect`, `convert`.

pub(in crate::cli) mod convert;
pub(in crate::cli) mod inspect;
pub(in crate::cli) mod match_list;
pub(in crate::cli) mod matches;
pub(in crate::cli) mod matches_watch;
pub(in crate::cli) mod review;
pub(in crate::cli) mod reviewer;
pub(in crate::cli) mod verify;
