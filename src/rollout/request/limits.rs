//! What a rollout may have at most.

/// Plays that are rolled out together.
pub const MOST_CANDIDATES: usize = 512;
/// Trials of a candidate.
pub const MOST_TRIALS: u64 = 1_000_000_000_000;
/// Plies at which trials are played.
pub const MOST_PLIES: u8 = 4;
/// Shares of a rollout.
pub const MOST_SHARDS: u32 = 1_000_000;
/// Largest cap on the cube.
pub(super) const MOST_CAP: u32 = 1 << 20;
/// Candidates of which every two are compared.
pub const MOST_PAIRWISE: usize = 16;
