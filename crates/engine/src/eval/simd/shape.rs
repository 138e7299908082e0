//! The shapes of the nets' layers: inputs and outputs of every kernel.

use crate::eval::kinds::Sharing;
use crate::eval::rows::ROWS;

/// Number of hidden units.
pub const HIDDEN: usize = 256;
/// Number of outcomes of a game: win or loss, each a single game, a gammon or a backgammon.
pub const OUTCOMES: usize = 6;
/// A hidden unit's sum at which it is fully active. Sums up to 32 times as large fit 16 bits; in extreme
/// positions trained nets reach 19 times.
pub const FULL: i16 = 1024;
/// The largest weight of a row of the first layer: nearly two fully active units.
pub const LARGEST_WEIGHT: i16 = 2047;
/// log2 of the activation of a fully active unit.
pub const ACTIVATION_BITS: u32 = 13;

/// One row of the first layer, and the running sum of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub struct FirstLayerRow(pub [i16; HIDDEN]);

/// The weights of all rows of the first layer, with the sharing among kinds.
#[derive(Clone)]
pub struct FirstLayerWeights {
    weights: Vec<FirstLayerRow>,
    sharing: Sharing,
}

impl FirstLayerWeights {
    /// Creates the weights; `None` if their number differs from that of `sharing`.
    pub fn new(weights: Vec<FirstLayerRow>, sharing: Sharing) -> Option<Self> {
        (weights.len() == sharing.len()).then_some(Self { weights, sharing })
    }

    pub fn weights(&self) -> &[FirstLayerRow] {
        &self.weights
    }

    /// Returns the weights that each kind uses for each row.
    pub fn sharing(&self) -> &Sharing {
        &self.sharing
    }

    /// Returns the rows for positions of `kind`.
    #[inline]
    pub fn of(&self, kind: usize) -> Rows<'_> {
        Rows {
            weights: &self.weights,
            places: self.sharing.places(kind),
        }
    }
}

/// The rows of the first layer for one kind of position.
#[derive(Clone, Copy)]
pub struct Rows<'a> {
    /// At least as long as the largest place requires: only [`FirstLayerWeights`] creates it.
    weights: &'a [FirstLayerRow],
    places: &'a [u16; ROWS],
}

impl Rows<'_> {
    /// Returns the weights of a row.
    #[inline]
    pub(super) fn get(&self, row: u16) -> &FirstLayerRow {
        &self.weights[usize::from(self.places[usize::from(row)])]
    }

    /// Returns the weights of a row, without a check.
    ///
    /// # Safety
    /// `row` is less than [`ROWS`].
    #[inline(always)]
    pub(super) unsafe fn at(&self, row: u16) -> *const FirstLayerRow {
        // SAFETY: there are ROWS places, and each is an index of `weights`.
        unsafe {
            let place = *self.places.get_unchecked(usize::from(row));
            self.weights.as_ptr().add(usize::from(place))
        }
    }
}

/// The weights of one output head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub struct HeadWeights(pub [[i16; HIDDEN]; OUTCOMES]);

/// Number of outputs of a [`Dense`] layer: whole vectors on every kernel.
pub const DENSE_LANES: usize = 64;

/// The weights of a layer with [`DENSE_LANES`] outputs. For each pair of units there are the two weights of
/// output 0, of output 1, and so on, in the order for pairwise multiply-add.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Dense<const PAIRS: usize>(pub [[i16; 2 * DENSE_LANES]; PAIRS]);

/// The outputs of a [`Dense`] layer, aligned for stores.
#[repr(C, align(64))]
pub(super) struct Lanes(pub(super) [i32; DENSE_LANES]);
