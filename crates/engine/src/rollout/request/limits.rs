//! Upper limits of a rollout.

/// Most plays that are rolled out together.
pub const MOST_CANDIDATES: usize = 512;
/// Most trials of a candidate.
pub const MOST_TRIALS: u64 = 1_000_000_000_000;
/// Most plies at which trials are played.
pub const MOST_PLIES: u8 = 4;
/// Most shards of a rollout.
pub const MOST_SHARDS: u32 = 1_000_000;
/// Largest cap on the cube.
pub(super) const MOST_CAP: u32 = 1 << 20;
/// Most candidates of which every two are compared.
pub const MOST_PAIRWISE: usize = 16;
