//! The evaluator of the program: the rules for finished games, tables for bearoffs and last checkers, and the
//! net for everything else.

use super::bearoff::Bearoff;
use super::encoding::{BATCH, Encoded};
use super::features::View;
use super::last_checkers::{self, LastCheckers};
use super::luck_net::LuckNet;
use super::net::{Net, NetHeader, OUTPUT_ONE};
use super::outcome::{self, Group, IMPOSSIBLE, LANES};
use super::pruning_net::{Pruner, PruningNets};
use super::rows::RowList;
use super::simd::{FirstLayerRow, HIDDEN, Kernel, OUTCOMES};
use super::{Evaluator, Probabilities};
use crate::game::Position;
use crate::game::roll::DISTINCT;

/// Net, tables and the machine's fastest kernel.
#[derive(Debug)]
pub struct Engine {
    net: Net,
    luck: LuckNet,
    pruning: Option<PruningNets>,
    kernel: Kernel,
    name: String,
}

impl Engine {
    /// Creates the evaluator with the embedded net.
    pub fn embedded() -> Self {
        // Unpacking takes most of the start-up time.
        let (net, luck) = rayon::join(Net::embedded, LuckNet::embedded);
        Self::new(net, luck, Some(PruningNets::embedded()))
    }

    /// Creates an evaluator with another net. The embedded nets predict luck and prune plays: they need not
    /// match the player's net.
    pub fn with_net(net: Net) -> Self {
        Self::new(net, LuckNet::embedded(), Some(PruningNets::embedded()))
    }

    /// Creates an evaluator from these nets; without `pruning`, all plays are evaluated.
    pub fn new(net: Net, luck: LuckNet, pruning: Option<PruningNets>) -> Self {
        let crc = |header: &NetHeader| header.crc32;
        // Results depend on all nets, so the name does too.
        let pruned = pruning
            .iter()
            .flat_map(|nets| [Some(&nets.contact), nets.race.as_ref()]);
        let pruned = pruned.flatten().map(|net| crc(net.header()));
        let others = pruned.fold(crc(luck.header()), |all, one| all ^ one);
        let name = format!("luckless {:08x}", crc(net.header()) ^ others.rotate_left(1));
        Self {
            net,
            luck,
            pruning,
            kernel: Kernel::detect(),
            name,
        }
    }

    /// Returns the evaluator with another kernel; all kernels give the same bits.
    pub fn on(mut self, kernel: Kernel) -> Self {
        self.kernel = kernel;
        self
    }

    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    pub fn net(&self) -> &Net {
        &self.net
    }

    /// Returns the chances of a position that is evaluated without the net: a finished game, a bearoff, or
    /// the last checkers.
    pub fn table_value(&self, position: &Position) -> Option<Probabilities> {
        Self::known(&View::new(position), position)
    }

    /// Returns the chances of a position if they are known without the net.
    #[inline]
    fn known(view: &View<'_>, position: &Position) -> Option<Probabilities> {
        if position.is_over() {
            return position.points().map(Probabilities::finished);
        }
        if view.is_bearoff() {
            return Bearoff::embedded().probabilities(position);
        }
        if last_checkers::are_left(position) {
            return LastCheckers::get().probabilities(position);
        }
        None
    }

    /// Evaluates the positions in groups, and passes each group to `emit` with the indices of its members.
    /// Chances that are known without the net go to `known`.
    #[inline]
    fn values(
        &self,
        before: Option<&Position>,
        positions: &[Position],
        mut known: impl FnMut(usize, Probabilities),
        mut emit: impl FnMut(&[usize], &Group),
    ) {
        // The position before the play, with the roles of the positions after it.
        let turned = before.map(Position::flipped);
        let mut from = turned.as_ref().map(|p| Before::new(View::new(p)));
        let mut group = [[0.0; LANES]; OUTCOMES];
        let mut members = [0; LANES];
        let mut n = 0;
        let mut batch: [Encoded; BATCH] = Default::default();
        for (start, some) in (0..).step_by(BATCH).zip(positions.chunks(BATCH)) {
            let view = from.as_ref().map(|from| &from.view);
            self.kernel.encode(view, some, &mut batch);
            for (i, (position, encoded)) in (start..).zip(some.iter().zip(&batch)) {
                let Some(kind) = encoded.kind else {
                    let value = self.table_value(position);
                    known(i, value.expect("the game is over, or a table knows it"));
                    continue;
                };
                let base: &FirstLayerRow = match &mut from {
                    Some(from) => from.sum(kind, &self.net, self.kernel),
                    None => &self.net.0.first.bias[kind],
                };
                self.outputs(kind, position, base, encoded, &mut group, n);
                members[n] = i;
                n += 1;
                if n == LANES {
                    outcome::softmax(&mut group);
                    emit(&members, &group);
                    n = 0;
                }
            }
        }
        if n > 0 {
            outcome::softmax(&mut group);
            emit(&members[..n], &group);
        }
    }

    fn chances(
        &self,
        before: Option<&Position>,
        positions: &[Position],
        out: &mut [Probabilities],
    ) {
        assert_eq!(positions.len(), out.len(), "one value for each position");
        let cells = std::cell::Cell::from_mut(out).as_slice_of_cells();
        self.values(
            before,
            positions,
            |i, value| cells[i].set(value),
            |members, group| {
                for (lane, &i) in members.iter().enumerate() {
                    cells[i].set(outcome::cumulative(group, lane));
                }
            },
        );
    }

    #[inline]
    fn outputs(
        &self,
        kind: usize,
        position: &Position,
        base: &FirstLayerRow,
        encoded: &Encoded,
        group: &mut Group,
        lane: usize,
    ) {
        let Encoded { add, sub, .. } = encoded;
        let net = &self.net.0;
        let rows = net.first.rows.of(kind);
        let raw = self.kernel.outputs(base, rows, add, sub, &net.heads[kind]);
        let bias = &net.head_bias[kind];
        for (o, row) in group.iter_mut().enumerate() {
            row[lane] = (raw[o] + bias[o]) as f32 / OUTPUT_ONE;
        }
        if position.opponent.off() > 0 {
            group[1][lane] = IMPOSSIBLE;
            group[2][lane] = IMPOSSIBLE;
        }
        if position.mover.off() > 0 {
            group[4][lane] = IMPOSSIBLE;
            group[5][lane] = IMPOSSIBLE;
        }
    }
}

/// Number of cached sums of the position before the play: the plays of a roll have few kinds.
const SUMS: usize = 4;

/// The position before the play, with the sums of its rows for some kinds.
struct Before<'a> {
    view: View<'a>,
    kinds: [usize; SUMS],
    sums: [FirstLayerRow; SUMS],
    /// Number of sums computed so far.
    made: usize,
}

impl<'a> Before<'a> {
    #[inline]
    fn new(view: View<'a>) -> Self {
        Self {
            view,
            kinds: [usize::MAX; SUMS],
            sums: [FirstLayerRow([0; HIDDEN]); SUMS],
            made: 0,
        }
    }

    /// Returns the sum of the rows for `kind`.
    #[inline]
    fn sum(&mut self, kind: usize, net: &Net, kernel: Kernel) -> &FirstLayerRow {
        if let Some(slot) = self.kinds.iter().position(|&k| k == kind) {
            return &self.sums[slot];
        }
        let slot = self.made % SUMS;
        self.made += 1;
        let (mut rows, none) = (RowList::new(), RowList::new());
        kernel.rows(&self.view, &mut rows);
        let first = &net.0.first;
        self.kinds[slot] = kind;
        self.sums[slot] = kernel.sum(&first.bias[kind], first.rows.of(kind), &rows, &none);
        &self.sums[slot]
    }
}

impl Evaluator for Engine {
    fn name(&self) -> &str {
        &self.name
    }

    fn probabilities(&self, positions: &[Position], out: &mut [Probabilities]) {
        self.chances(None, positions, out);
    }

    fn probabilities_after(
        &self,
        before: &Position,
        results: &[Position],
        out: &mut [Probabilities],
    ) {
        self.chances(Some(before), results, out);
    }

    fn equities_after(&self, before: &Position, results: &[Position], out: &mut [f32]) {
        assert_eq!(results.len(), out.len(), "one value for each result");
        let cells = std::cell::Cell::from_mut(out).as_slice_of_cells();
        self.values(
            Some(before),
            results,
            |i, value| cells[i].set(-value.equity()),
            |members, group| {
                let equities = outcome::equities(group);
                for (&i, e) in members.iter().zip(equities) {
                    cells[i].set(-e);
                }
            },
        );
    }

    fn pruner(&self, before: &Position) -> Option<Pruner<'_>> {
        self.pruning.as_ref()?.pruner(before)
    }

    fn roll_values(&self, position: &Position, out: &mut [Probabilities; DISTINCT]) -> bool {
        self.luck.values(self.kernel, position, out);
        true
    }

    fn exact(&self, position: &Position) -> Option<Probabilities> {
        match position.points() {
            Some(points) => Some(Probabilities::finished(points)),
            None if last_checkers::are_left(position) => {
                LastCheckers::get().probabilities(position)
            }
            None => Bearoff::embedded().exact(position),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{PlayList, Roll};

    /// Equities from differences equal those computed in full, on every kernel, to the last bit.
    #[test]
    fn batches_singles_and_kernels_agree() {
        let engine = Engine::embedded();
        let mut list = PlayList::new();
        let mut position = Position::opening();
        for n in 0..60 {
            list.generate(&position, Roll::ordered(n * 7 % 36));
            let mut equities = vec![0.0; list.len()];
            engine.equities_after(&position, list.results(), &mut equities);
            for (result, equity) in list.results().iter().zip(&equities) {
                let alone = engine.probabilities_of(result);
                assert!((alone.equity() + equity).abs() < 1e-5);
            }
            let mut after = vec![Probabilities::default(); list.len()];
            let mut scratch = after.clone();
            engine.probabilities_after(&position, list.results(), &mut after);
            engine.probabilities(list.results(), &mut scratch);
            assert_eq!(after, scratch);
            for kernel in Kernel::available() {
                let other = Engine::embedded().on(kernel);
                let mut again = vec![0.0; list.len()];
                other.equities_after(&position, list.results(), &mut again);
                assert_eq!(again, equities, "{}", kernel.name());
            }
            position = list.results()[n % list.len()];
            if position.is_over() {
                position = Position::opening();
            }
        }
    }

    #[test]
    fn finished_games_are_worth_their_points() {
        let engine = Engine::embedded();
        let lost = |mover: &[(usize, u8)]| {
            let p = Position::from_points(mover, &[]).unwrap();
            assert_eq!(engine.exact(&p), Some(engine.probabilities_of(&p)));
            engine.probabilities_of(&p).equity()
        };
        assert_eq!(lost(&[(3, 14)]), -1.0);
        assert_eq!(lost(&[(13, 1), (3, 13)]), -1.0);
        assert_eq!(lost(&[(13, 1), (3, 14)]), -2.0);
        assert_eq!(lost(&[(24, 1), (3, 14)]), -3.0);
    }

    #[test]
    fn impossible_gammons_have_no_chance() {
        let p = Position::from_points(&[(20, 1), (3, 13)], &[(13, 1), (2, 13)]).unwrap();
        let value = Engine::embedded().probabilities_of(&p);
        assert_eq!(value.win_gammon, 0.0);
        assert_eq!(value.lose_gammon, 0.0);
        assert!(value.win > 0.0 && value.win < 1.0);
    }
}
