//! The commands about matches: `review`, `verify`, `matches`, `inspect`, `convert`.

pub(crate) mod convert;
pub(crate) mod inspect;
pub(crate) mod match_list;
pub(crate) mod matches;
pub(crate) mod matches_watch;
pub(crate) mod review;
pub(crate) mod reviewer;
pub(crate) mod verify;
