//! The pruning nets: select the plays of a roll for the main net.
//!
//! Most of the twenty plays of a roll are clearly bad. A net that sees only the checkers recognises them at a
//! tenth of the cost. The main net evaluates the plays near the best by its order, and the rest are dropped.
//! (GNU Backgammon also prunes this way, with nets of ten units.) Pruning applies only to *choosing* a play; a
//! list of all plays evaluates them all. Races have a separate net.
//!
//! ```text
//! sum    = bias + a row for each checker            64 x i16, unit 1/1024
//! active = clamp(sum, 0, 1)²                        64 x i16, unit 1/4096
//! equity = Σ active · weight                        i32; a constant would not change the order
//! ```

use multiversion::multiversion;

use std::path::Path;

use super::count_layer::{BYTES, Row, SHIFT, Stacks};
use super::features::{all_checkers, differing};
use super::net_file::{self, NetError, NetHeader, Origin, Shape, WeightReader, put};
use super::rows::COUNT_ROWS;
use super::simd::FULL;
use crate::game::position::{BAR, CHECKERS};
use crate::game::{Position, Side};

/// Number of hidden units.
pub const UNITS: usize = 64;
/// Number of rows of the first layer: for the checkers of the player on roll and of the opponent.
pub const PRUNING_ROWS: usize = 2 * COUNT_ROWS;
/// Maximum number of plays that are kept.
pub const KEPT: usize = 6;
/// Minimum number of plays that are kept, however far the second is behind.
const KEPT_ALWAYS: usize = 2;
/// Maximum distance of a kept play to the best one, in the units of a key: 0.1 points.
const WITHIN: i64 = ((0.1 * ACTIVE_ONE * WEIGHT_ONE) as i64) << u16::BITS;

/// An output weight of one.
const WEIGHT_ONE: f32 = 256.0;
/// An activation of one.
const ACTIVE_ONE: f32 = 4096.0;
const MAGIC: &str = "luckless pruning net 1";

const SHAPE: Shape = Shape {
    layout: "counts7",
    rows: PRUNING_ROWS,
    hidden: UNITS,
    heads: 1,
};

/// A pruning net, ready to use.
#[derive(Clone)]
pub struct PruningNet {
    header: NetHeader,
    rows: Vec<Row<UNITS>>,
    stacks: Stacks<UNITS>,
    bias: Row<UNITS>,
    output: Row<UNITS>,
}

/// Indices of the kept plays in the list of a roll's plays, in the order of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shortlist {
    places: [u16; KEPT],
    len: usize,
}

impl Shortlist {
    /// Returns the indices, lowest first.
    pub fn places(&self) -> impl Iterator<Item = usize> {
        let (places, len) = (self.places, self.len);
        places.into_iter().take(len).map(usize::from)
    }
}

impl PruningNet {
    /// Returns the embedded net.
    ///
    /// # Panics
    /// Never in a released program: a test loads it.
    pub fn embedded() -> Self {
        Self::from_bytes(include_bytes!("pruning.net"))
            .expect("the embedded net is checked by a test")
    }

    /// Reads a net file.
    ///
    /// # Errors
    /// A [`NetError`] with the reason.
    pub fn load(path: &Path) -> Result<Self, NetError> {
        net_file::load(path, Self::from_bytes)
    }

    /// Reads a net from the bytes of a file.
    ///
    /// # Errors
    /// A [`NetError`] with the reason.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetError> {
        let (header, weights) = net_file::open(bytes, MAGIC, &SHAPE)?;
        let net = Self::read(header, &mut WeightReader(weights))
            .ok_or(NetError::Weights("the rows of a pruning net"))?;
        if net.output.most() > i64::from(i32::MAX) {
            return Err(NetError::Overflow);
        }
        Ok(net)
    }

    fn read(header: NetHeader, bytes: &mut WeightReader<'_>) -> Option<Self> {
        let rows = (0..PRUNING_ROWS).map(|_| bytes.words().map(Row));
        let rows: Vec<_> = rows.collect::<Option<_>>()?;
        let net = Self {
            header,
            stacks: Stacks::new(&rows),
            rows,
            bias: Row(bytes.words()?),
            output: Row(bytes.words()?),
        };
        bytes.0.is_empty().then_some(net)
    }

    /// Creates a net from real weights by rounding: [`PRUNING_ROWS`] rows of [`UNITS`], a bias, the output's
    /// weights.
    pub fn quantised(rows: &[f32], bias: &[f32], output: &[f32], origin: Origin) -> Self {
        let full = f32::from(FULL);
        let rows = rows.chunks_exact(UNITS).map(|w| Row::rounded(w, full));
        let rows: Vec<_> = rows.collect();
        let mut net = Self {
            header: NetHeader::new(&SHAPE, Origin::default(), &[]),
            stacks: Stacks::new(&rows),
            rows,
            bias: Row::rounded(bias, full),
            output: Row::rounded(output, WEIGHT_ONE),
        };
        net.header = NetHeader::new(&SHAPE, origin, &net.weights());
        net
    }

    /// Returns the weights as real numbers, in the order of [`PruningNet::quantised`].
    pub fn real(&self) -> Vec<f32> {
        let first = self.rows.iter().chain([&self.bias]);
        let first = first.flat_map(|row| row.0.map(|w| f32::from(w) / f32::from(FULL)));
        let output = self.output.0.iter().map(|&w| f32::from(w) / WEIGHT_ONE);
        first.chain(output).collect()
    }

    /// Returns the bytes of a net file.
    pub fn to_bytes(&self) -> Vec<u8> {
        net_file::seal(MAGIC, &self.header, &self.weights())
    }

    pub fn header(&self) -> &NetHeader {
        &self.header
    }

    fn weights(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for row in self.rows.iter().chain([&self.bias, &self.output]) {
            put(&mut bytes, &row.0);
        }
        bytes
    }

    /// Returns the pruner of plays from `before`.
    #[inline]
    pub fn pruner(&self, before: &Position) -> Pruner<'_> {
        let from = before.flipped();
        let base = self.sum(&from);
        Pruner {
            net: self,
            from,
            base,
        }
    }

    /// Returns the sum of the bias and the rows of a position.
    fn sum(&self, position: &Position) -> Row<UNITS> {
        let mut sum = self.bias;
        all_checkers(position, |role, row| {
            for (s, w) in sum.0.iter_mut().zip(&self.rows[role * COUNT_ROWS + row].0) {
                *s = s.wrapping_add(*w);
            }
        });
        sum
    }
}

/// The pruning nets of an evaluator.
///
/// Races have a separate net. In a race the order of plays depends on gaps and stacks on one's own side, and
/// the plays are close together: the net of all positions dropped the best one too often.
#[derive(Clone, Debug)]
pub struct PruningNets {
    /// For positions with contact.
    pub contact: PruningNet,
    /// For races; without it, all plays of a race are evaluated.
    pub race: Option<PruningNet>,
}

impl PruningNets {
    /// Returns the embedded nets.
    ///
    /// # Panics
    /// Never in a released program: a test loads them.
    pub fn embedded() -> Self {
        Self {
            contact: PruningNet::embedded(),
            race: Some(
                PruningNet::from_bytes(include_bytes!("race_pruning.net"))
                    .expect("the embedded net is checked by a test"),
            ),
        }
    }

    /// Returns the pruner of plays from `before`; `None` if all are evaluated.
    #[inline]
    pub fn pruner(&self, before: &Position) -> Option<Pruner<'_>> {
        let net = match before.is_race() {
            false => Some(&self.contact),
            true => self.race.as_ref().filter(|_| Self::prunes_race(before)),
        };
        net.map(|net| net.pruner(before))
    }

    /// Returns whether the plays of a race are pruned: if the tables do not contain all of them, and no side
    /// is in danger of a gammon. Near a gammon, whole points depend on a pip and on the rearmost checker.
    pub fn prunes_race(before: &Position) -> bool {
        let [mover, opponent] = [&before.mover, &before.opponent];
        !before.is_bearoff() && is_safe(mover, opponent) && is_safe(opponent, mover)
    }
}

/// Returns whether a side is in little danger of a gammon in a race: the opponent has so much left to do that
/// this side's checkers are home earlier, except with very bad rolls.
fn is_safe(own: &Side, other: &Side) -> bool {
    /// About three standard deviations of the pips that one side rolls in seven rolls.
    const MARGIN: u32 = 36;
    /// Pips of half a roll, which bears a checker off.
    const PIPS: u32 = 4;
    let left = u32::from(CHECKERS - other.off());
    let outside = |side: &Side| {
        let pips = (7..=BAR).map(|p| (p as u32 - 6) * u32::from(side.at(p)));
        pips.sum::<u32>()
    };
    own.off() > 0 || outside(own) + MARGIN <= outside(other) + PIPS * left
}

/// Selects the plays from one position, for any roll, that deserve evaluation.
#[derive(Clone, Debug)]
pub struct Pruner<'a> {
    net: &'a PruningNet,
    /// The position before the play, with the roles of the positions after it.
    from: Position,
    /// Sum of the bias and the rows of `from`.
    base: Row<UNITS>,
}

impl Pruner<'_> {
    /// Returns whether a list of this many plays is worth shortening.
    #[inline]
    pub fn shortens(plays: usize) -> bool {
        plays > KEPT_ALWAYS
    }

    /// Returns the plays of one roll to evaluate, selected from their `results`: those near the best one, two
    /// at least; `None` for all of them, if they are few.
    #[inline]
    pub fn shortlist(&self, results: &[Position]) -> Option<Shortlist> {
        if !Self::shortens(results.len()) {
            return None;
        }
        let mut best = [i64::MAX; KEPT];
        best_of(self.net, &self.from, &self.base, results, &mut best);
        let limit = best[KEPT_ALWAYS - 1].max(best[0] + WITHIN);
        let len = best.iter().take_while(|&&key| key <= limit).count();
        let mut places = best.map(|key| key as u16);
        places[..len].sort_unstable();
        Some(Shortlist { places, len })
    }
}

/// Adds to `out` the plays of one roll to evaluate: all of them without a pruner.
#[inline]
pub fn add_likely(pruner: Option<&Pruner<'_>>, results: &[Position], out: &mut Vec<Position>) {
    match pruner.and_then(|pruner| pruner.shortlist(results)) {
        Some(short) => out.extend(short.places().map(|i| results[i])),
        None => out.extend_from_slice(results),
    }
}

/// Writes the keys of the results with the lowest equity for the opponent, who is on roll in them, to `best`;
/// among equals the first generated. Elements beyond the results keep their values.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512vl+avx2+bmi1+bmi2+lzcnt+popcnt",
    "x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"
))]
fn best_of(
    net: &PruningNet,
    from: &Position,
    base: &Row<UNITS>,
    results: &[Position],
    best: &mut [i64; KEPT],
) {
    let old: &[u8; BYTES] = bytemuck::cast_ref(from);
    for (place, result) in results.iter().enumerate() {
        let new: &[u8; BYTES] = bytemuck::cast_ref(result);
        let mut changed = differing(from, result);
        let mut sum = *base;
        // Four places at a time, as most plays change no more: their number cannot be predicted. Unused ones
        // of the four become byte 0, the checkers borne off by the side that does not move, which never
        // changes.
        loop {
            let rows: [_; 4] = std::array::from_fn(|_| {
                let byte = changed.trailing_zeros() as usize % BYTES;
                changed &= changed.wrapping_sub(1);
                (
                    net.stacks.of(byte, new[byte]),
                    net.stacks.of(byte, old[byte]),
                )
            });
            for (i, s) in sum.0.iter_mut().enumerate() {
                for (comes, goes) in rows {
                    *s = s.wrapping_add(comes[i]).wrapping_sub(goes[i]);
                }
            }
            if changed == 0 {
                break;
            }
        }
        let equity = dot(&sum.0.map(active), &net.output.0);
        insert(best, i64::from(equity) << u16::BITS | place as i64);
    }
}

/// Returns the activation of a unit.
#[inline(always)]
fn active(sum: i16) -> i16 {
    // The upper half of a 16-bit product, which processors compute in one step.
    let c = i32::from(sum.clamp(0, FULL) << SHIFT);
    ((c * c) >> 16) as i16
}

/// Returns the sum of the products, in pairs that match one vector instruction and that compilers recognise.
/// The sum cannot overflow, since reading a net checks that.
#[inline(always)]
fn dot(active: &[i16; UNITS], weights: &[i16; UNITS]) -> i32 {
    const PAIRS: usize = 8;
    let mut totals = [0i32; PAIRS];
    let some = active.chunks_exact(2 * PAIRS);
    for (a, w) in some.zip(weights.chunks_exact(2 * PAIRS)) {
        for (i, total) in totals.iter_mut().enumerate() {
            *total += i32::from(a[2 * i]) * i32::from(w[2 * i])
                + i32::from(a[2 * i + 1]) * i32::from(w[2 * i + 1]);
        }
    }
    totals.iter().sum()
}

/// Keeps the lowest keys in order: equities with indices in their last 16 bits. There are no branches,
/// because the number of lower keys cannot be predicted.
#[inline(always)]
fn insert(best: &mut [i64; KEPT], new: i64) {
    let mut left = new;
    for key in best {
        (*key, left) = ((*key).min(left), (*key).max(left));
    }
}

impl std::fmt::Debug for PruningNet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("PruningNet").field(&self.header).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{PlayList, Roll};

    #[test]
    fn the_embedded_net_loads() {
        let net = PruningNet::embedded();
        let again = PruningNet::from_bytes(&net.to_bytes()).unwrap();
        assert_eq!(again.header(), net.header());
        assert_eq!(again.rows, net.rows);
    }

    /// Races have a separate net, and no pruner without it, if tables contain all results, or if a gammon is
    /// to be saved.
    #[test]
    fn races_are_pruned_by_their_own_net() {
        let nets = PruningNets::embedded();
        let contact = Position::opening();
        let race = Position::from_points(&[(6, 8), (8, 7)], &[(6, 8), (9, 7)]).unwrap();
        let bearoff = Position::from_points(&[(6, 7), (2, 8)], &[(6, 7), (2, 8)]).unwrap();
        let gammon = Position::from_points(&[(6, 11), (15, 4)], &[(6, 2)]).unwrap();
        let net = |nets: &PruningNets, position| {
            let pruner = nets.pruner(position)?;
            Some(pruner.net.header().crc32)
        };
        let checksum = |net: &PruningNet| Some(net.header().crc32);
        assert_eq!(net(&nets, &contact), checksum(&nets.contact));
        assert_eq!(net(&nets, &race), checksum(nets.race.as_ref().unwrap()));
        assert_ne!(net(&nets, &contact), net(&nets, &race));
        assert_eq!(net(&nets, &bearoff), None);
        assert_eq!(net(&nets, &gammon), None);
        let other = gammon.flipped();
        assert_eq!(net(&nets, &other), None);
        let without = PruningNets { race: None, ..nets };
        assert_eq!(net(&without, &race), None);
        assert!(net(&without, &contact).is_some());
    }

    /// The kept plays are those with the lowest values near the lowest, computed in full and sorted.
    #[test]
    fn the_least_are_kept_in_their_order() {
        let net = PruningNet::embedded();
        let value = |position: &Position| -> i64 {
            let active = net.sum(position).0.map(|s| i64::from(s.clamp(0, FULL)));
            let weights = net.output.0.map(i64::from);
            active
                .iter()
                .zip(weights)
                .map(|(c, w)| ((c * c) >> 8) * w)
                .sum()
        };
        let mut list = PlayList::new();
        let mut position = Position::opening();
        let mut pruned = 0;
        for n in 0..80 {
            list.generate(&position, Roll::ordered(n * 7 % 36));
            let results = list.results();
            if let Some(short) = net.pruner(&position).shortlist(results) {
                let mut order: Vec<usize> = (0..results.len()).collect();
                order.sort_by_key(|&i| (value(&results[i]), i));
                let limit = value(&results[order[0]]) + (WITHIN >> u16::BITS);
                let near = order.iter().filter(|&&i| value(&results[i]) <= limit);
                order.truncate(near.count().clamp(KEPT_ALWAYS, KEPT));
                order.sort_unstable();
                assert_eq!(short.places().collect::<Vec<_>>(), order);
                pruned += 1;
            } else {
                assert!(results.len() <= KEPT_ALWAYS);
            }
            position = results[n % results.len()];
            if position.is_over() {
                position = Position::opening();
            }
        }
        assert!(pruned > 20);
    }
}
