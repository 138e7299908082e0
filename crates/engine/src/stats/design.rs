//! The design of a run: its blocks, and the strata that they balance.

use serde::{Deserialize, Serialize};

/// How the observations of a run depend on each other.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Design {
    /// Observations in a block. Blocks are independent of each other, unless pairs are balanced across
    /// them ([`Self::latin_period`]).
    pub block: u64,
    /// Weights of the strata that each block draws its share of; none without strata.
    pub strata: Vec<f64>,
    /// Weights of the pairs of strata that some number of blocks together draw their share of, by
    /// the first and then by the second. None if pairs are left to chance. Each block draws its
    /// share of the second ones.
    pub pairs: Vec<f64>,
    /// How many second strata each first one has in the list of pairs.
    pub second_strata: usize,
    /// Further numbers of which each block draws its share, with as many strata as there are
    /// second ones.
    pub later_numbers: usize,
    /// Blocks after which every pair has come equally often; 0 if the design has no such period.
    pub latin_period: u64,
    /// Whether observations of a block depend on each other in further ways, so that only the
    /// variance of block means tells the error.
    pub correlated: bool,
    /// Whether, given their strata, the observations of a block are independent, and the strata
    /// have equal shares of a block: what the non-asymptotic interval for chances needs.
    pub product: bool,
}

impl Design {
    /// This design without strata, pairs and later numbers: for observations that have none in common.
    pub fn without_strata(&self) -> Self {
        Self {
            block: self.block,
            correlated: self.correlated,
            product: self.product,
            ..Self::default()
        }
    }

    /// The share of the interaction of pairs that is still in the mean of so many blocks. Within a
    /// Latin-square period blocks are drawn without replacement (Cochran, *Sampling techniques*, §2.6);
    /// a whole period has nothing of it.
    pub(super) fn unbalanced_share(&self, blocks: u64) -> f64 {
        if self.latin_period == 0 || blocks == 0 {
            return 1.0;
        }
        let open = (blocks % self.latin_period) as f64;
        open * (1.0 - open / self.latin_period as f64) / blocks as f64
    }
}

/// Most numbers beyond the second that can be balanced.
const MOST_LATER: usize = 2;

/// Strata of an observation, as places in the lists of a [`Design`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Cell {
    pub stratum: u16,
    /// Its pair of strata.
    pub pair: u16,
    /// Its stratum of each later number.
    pub later_numbers: [u16; MOST_LATER],
}
