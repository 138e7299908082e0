//! Rollouts under way: many trials planned, played on several threads, counted and kept.
//!
//! * [`plan`] and [`round`]: which trials make a unit of work, with which dice, and how units are counted.
//! * [`stops`]: when a rollout ends.
//! * [`progress`], [`identity`] and [`results_digest`]: what is saved, and whether it can be resumed.
//! * [`in_order_collector`]: units of work counted in order.
//! * [`control`]: pause, resume, cancel.
//! * [`runner`] and [`blocking`]: on threads with a handle, and on the calling thread; [`cpu`] is the time
//!   that they take.
//! * [`pilot`]: the choice of coupling and luck by a short rollout.
//! * [`shard_merge`]: shards that were played elsewhere.
//! * [`bias_check`]: decisions of many trials, one ply deeper.
//! * [`replay`](mod@replay) and [`by_hand`]: one trial roll by roll, and played by a person.
//! * [`level`]: truncated rollouts as a way to analyse decisions.

pub mod bias_check;
pub(super) mod blocking;
pub mod by_hand;
pub(super) mod control;
pub(super) mod cpu;
pub(super) mod identity;
pub(super) mod in_order_collector;
pub mod level;
pub(super) mod pilot;
pub(super) mod plan;
pub(super) mod progress;
pub(super) mod replay;
pub(super) mod results_digest;
pub(super) mod round;
pub(super) mod runner;
pub(super) mod shard_merge;
pub(super) mod stops;
