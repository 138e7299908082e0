//! The arithmetic of the net's evaluation, once for each instruction set, chosen at run time.
//!
//! All kernels compute the same integers: additions of 16-bit numbers in any order, the squared
//! clipped activation, and 32-bit dot products. Each is tested for equality with [`scalar`].
//! This module and `tui::event_loop::fatal_signals` are the only places in the crate with `unsafe` code.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx2_rows;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod avx512_rows;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(target_arch = "x86_64")]
mod row_tables;
pub mod scalar;
mod shape;

pub use shape::{
    ACTIVATION_BITS, DENSE_LANES, Dense, FULL, FirstLayerRow, FirstLayerWeights, HIDDEN,
    HeadWeights, LARGEST_WEIGHT, OUTCOMES, Rows,
};

use super::encoding::{self, Encoded};
use super::features::View;
use super::rows::RowList;
use crate::game::Position;

/// A kernel for the evaluation: an instruction set that this machine has.
///
/// Safe code can get only kernels that the machine supports, and cannot name others:
///
/// ```compile_fail
/// let kernel = luckless_engine::eval::simd::Kernel::Avx512;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernel(Set);

/// The instruction sets. Outside tests only [`Kernel::available`] creates kernels from them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    /// Portable code.
    Scalar,
    /// 256-bit vectors.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// 512-bit vectors.
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// 128-bit vectors of 64-bit Arm.
    #[cfg(target_arch = "aarch64")]
    Neon,
}

/// Returns whether the processor has all instructions that the functions in `avx2` are compiled for.
#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

/// Returns whether the processor has all instructions that the functions in `avx512` are compiled for.
#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    has_avx2()
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vnni")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512vbmi2")
}

impl Kernel {
    /// Portable code, for every machine.
    pub const SCALAR: Self = Self(Set::Scalar);

    /// Returns the kernels that this machine supports, slowest first.
    pub fn available() -> Vec<Self> {
        let mut all = vec![Self::SCALAR];
        #[cfg(target_arch = "x86_64")]
        {
            if has_avx2() {
                all.push(Self(Set::Avx2));
            }
            if has_avx512() {
                all.push(Self(Set::Avx512));
            }
        }
        // Every 64-bit Arm processor has it.
        #[cfg(target_arch = "aarch64")]
        all.push(Self(Set::Neon));
        all
    }

    /// Returns the fastest kernel of this machine.
    pub fn detect() -> Self {
        *Self::available()
            .last()
            .expect("the scalar kernel is always there")
    }

    /// Returns the name of the kernel, as reported by `luckless bench`.
    pub fn name(self) -> &'static str {
        match self.0 {
            Set::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => "avx512",
            #[cfg(target_arch = "aarch64")]
            Set::Neon => "neon",
        }
    }

    /// Encodes positions, at most as many as `out` has: the differences of their rows from those of `from`,
    /// or all rows.
    #[inline]
    pub fn encode(self, from: Option<&View<'_>>, positions: &[Position], out: &mut [Encoded]) {
        match self.0 {
            Set::Scalar => encoding::portable(from, positions, out),
            // SAFETY: this kernel exists only if the processor has its instructions.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => unsafe { avx2_rows::encode(from, positions, out) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => unsafe { avx512_rows::encode(from, positions, out) },
            #[cfg(target_arch = "aarch64")]
            Set::Neon => encoding::portable(from, positions, out),
        }
    }

    /// Writes all rows of a position, in any order.
    #[inline]
    pub fn rows(self, view: &View<'_>, out: &mut RowList) {
        match self.0 {
            // SAFETY: this kernel exists only if the processor has its instructions.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => unsafe { avx2_rows::rows(view, out) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => unsafe { avx512_rows::rows(view, out) },
            _ => view.rows(out),
        }
    }

    /// Returns `base` plus the rows `add` minus the rows `sub`.
    #[inline]
    pub fn sum(
        self,
        base: &FirstLayerRow,
        rows: Rows<'_>,
        add: &RowList,
        sub: &RowList,
    ) -> FirstLayerRow {
        let (add, sub) = (add.as_slice(), sub.as_slice());
        match self.0 {
            Set::Scalar => scalar::sum(base, rows, add, sub),
            // SAFETY: this kernel exists only if the processor has its instructions; a row list contains only
            // numbers below ROWS.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => unsafe { avx2::sum(base, rows, add, sub) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => unsafe { avx512::sum(base, rows, add, sub) },
            // SAFETY: as above.
            #[cfg(target_arch = "aarch64")]
            Set::Neon => unsafe { neon::sum(base, rows, add, sub) },
        }
    }

    /// Returns the outputs of `head` for the result of [`Kernel::sum`], without bias, in units of 1 /
    /// 2^[`ACTIVATION_BITS`] of an output weight's unit.
    #[inline]
    pub fn outputs(
        self,
        base: &FirstLayerRow,
        rows: Rows<'_>,
        add: &RowList,
        sub: &RowList,
        head: &HeadWeights,
    ) -> [i32; OUTCOMES] {
        let (add, sub) = (add.as_slice(), sub.as_slice());
        match self.0 {
            Set::Scalar => scalar::outputs(base, rows, add, sub, head),
            // SAFETY: as in `sum`.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => unsafe { avx2::outputs(base, rows, add, sub, head) },
            // SAFETY: as in `sum`.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => unsafe { avx512::outputs(base, rows, add, sub, head) },
            // SAFETY: as above.
            #[cfg(target_arch = "aarch64")]
            Set::Neon => unsafe { neon::outputs(base, rows, add, sub, head) },
        }
    }

    /// Returns the outputs of `layer` for the sums of the units before it, without bias, in the units of
    /// [`Kernel::outputs`].
    ///
    /// # Panics
    /// If the number of sums is not that of the layer's inputs, or not a whole number of vectors.
    #[inline]
    pub fn dense<const PAIRS: usize>(
        self,
        sums: &[i16],
        layer: &Dense<PAIRS>,
    ) -> [i32; DENSE_LANES] {
        const { assert!(PAIRS.is_multiple_of(16)) };
        assert_eq!(sums.len(), 2 * PAIRS, "a layer takes all units");
        match self.0 {
            Set::Scalar => scalar::dense(sums, layer),
            // SAFETY: this kernel exists only if the processor has its instructions; there are as many sums
            // as inputs of the layer, in whole vectors.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => unsafe { avx2::dense(sums, layer) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => unsafe { avx512::dense(sums, layer) },
            // SAFETY: as above.
            #[cfg(target_arch = "aarch64")]
            Set::Neon => unsafe { neon::dense(sums, layer) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::kinds::{KINDS, Sharing};
    use crate::eval::rows::ROWS;
    use crate::game::{PlayList, Position, Roll};
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn sorted(list: &RowList) -> Vec<u16> {
        let mut rows = list.as_slice().to_vec();
        rows.sort_unstable();
        rows
    }

    /// Every instruction set that a function is compiled for is detected before a kernel is offered.
    #[cfg(target_arch = "x86_64")]
    #[test]
    fn enabled_features_are_detected() {
        let detection = include_str!("mod.rs");
        for source in [
            include_str!("avx2.rs"),
            include_str!("avx2_rows.rs"),
            include_str!("avx512.rs"),
            include_str!("avx512_rows.rs"),
        ] {
            let mut enabled = 0;
            for list in source.split("enable = \"").skip(1) {
                for feature in list.split('"').next().unwrap_or_default().split(',') {
                    let asked = format!("is_x86_feature_detected!(\"{feature}\")");
                    assert!(detection.contains(&asked), "{feature} is not looked for");
                    enabled += 1;
                }
            }
            assert!(enabled > 0);
        }
    }

    #[test]
    fn all_kernels_give_the_same_bits() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut row = |limit: i16| {
            let mut r = FirstLayerRow([0; HIDDEN]);
            r.0.iter_mut()
                .for_each(|w| *w = rng.random_range(-limit..=limit));
            r
        };
        let base = row(3000);
        // The first row has two sets of weights.
        let mut seen = vec![0; KINDS * ROWS];
        seen[3 * ROWS] = 100;
        seen[100 * ROWS] = 100;
        let sharing = Sharing::by_use(&seen, ROWS + 1);
        let weights = (0..sharing.len()).map(|_| row(300)).collect();
        let table = FirstLayerWeights::new(weights, sharing).unwrap();
        let head = HeadWeights(std::array::from_fn(|_| row(2000).0));
        let mut pair = || std::array::from_fn(|i| row(2000).0[i]);
        let wide = Dense::<{ HIDDEN / 2 }>(std::array::from_fn(|_| pair()));
        let narrow = Dense::<32>(std::array::from_fn(|_| pair()));
        let (mut add, mut sub) = (RowList::new(), RowList::new());
        let mut plays = PlayList::new();
        for roll in Roll::ALL {
            plays.generate(&Position::opening(), roll);
            let before = Position::opening().flipped();
            for result in plays.results() {
                let (from, to) = (View::new(&before), View::new(result));
                to.difference(&from, &mut add, &mut sub);
                let mut all = RowList::new();
                to.rows(&mut all);
                for kernel in Kernel::available() {
                    let name = kernel.name();
                    let mut encoded = Encoded::default();
                    let out = std::slice::from_mut(&mut encoded);
                    let position = std::slice::from_ref(result);
                    kernel.encode(Some(&from), position, out);
                    assert_eq!(out[0].kind, Some(to.kind()), "{name}");
                    assert_eq!(sorted(&out[0].add), sorted(&add), "{name}");
                    assert_eq!(sorted(&out[0].sub), sorted(&sub), "{name}");
                    kernel.encode(None, position, out);
                    assert_eq!(sorted(&out[0].add), sorted(&all), "{name}");
                    assert!(out[0].sub.as_slice().is_empty(), "{name}");
                    let mut rows = RowList::new();
                    kernel.rows(&to, &mut rows);
                    assert_eq!(sorted(&rows), sorted(&all), "{name}");
                }
                let rows = table.of(View::new(result).kind());
                let sum = Kernel::SCALAR.sum(&base, rows, &add, &sub);
                let outputs = Kernel::SCALAR.outputs(&base, rows, &add, &sub, &head);
                for kernel in Kernel::available() {
                    let name = kernel.name();
                    assert_eq!(kernel.sum(&base, rows, &add, &sub), sum, "{name}");
                    let again = kernel.outputs(&base, rows, &add, &sub, &head);
                    assert_eq!(again, outputs, "{name}");
                    let dense =
                        |k: Kernel| (k.dense(&sum.0, &wide), k.dense(&sum.0[..64], &narrow));
                    assert_eq!(dense(kernel), dense(Kernel::SCALAR), "{name}");
                }
            }
        }
    }
}
