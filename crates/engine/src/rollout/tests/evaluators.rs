//! Evaluators of known quality.

use std::collections::HashMap;

use crate::eval::rolls::best_index;
use crate::eval::{Evaluator, Probabilities};
use crate::game::{PlayList, Position, Roll};

/// Chances of the player on roll when `evaluator` chooses both sides' plays at 0 plies, by going
/// through all games: the exact answer that a rollout must find, however badly it plays. Only for
/// bearoffs of a few checkers.
pub(super) fn played_value(evaluator: &dyn Evaluator, position: &Position) -> [f64; 5] {
    walk(position, &mut HashMap::new(), &|before, list| {
        let mut equities = vec![0.0; list.len()];
        evaluator.equities_after(before, list.results(), &mut equities);
        Some(best_index(&equities))
    })
}

type Memo = HashMap<Position, [f64; 5]>;
/// Chooses a play, or leaves it to the equities of what follows.
type Choice<'a> = &'a dyn Fn(&Position, &PlayList) -> Option<usize>;

fn walk(position: &Position, memo: &mut Memo, choice: Choice<'_>) -> [f64; 5] {
    if let Some(points) = position.points() {
        return Probabilities::finished(points).to_array().map(f64::from);
    }
    if let Some(known) = memo.get(position) {
        return *known;
    }
    let mut sum = [0.0; 5];
    let mut list = PlayList::new();
    for roll in Roll::ALL {
        list.generate(position, roll);
        let value = match choice(position, &list) {
            Some(i) => flipped(walk(&list.results()[i], memo, choice)),
            None => list
                .results()
                .iter()
                .map(|r| flipped(walk(r, memo, choice)))
                .max_by(|a, b| equity(a).total_cmp(&equity(b)))
                .unwrap(),
        };
        for (s, v) in sum.iter_mut().zip(value) {
            *s += f64::from(roll.weight()) / 36.0 * v;
        }
    }
    memo.insert(*position, sum);
    sum
}

pub(super) fn flipped(p: [f64; 5]) -> [f64; 5] {
    [1.0 - p[0], p[3], p[4], p[1], p[2]]
}

pub(super) fn equity(p: &[f64; 5]) -> f64 {
    crate::rollout::trials::outcome::equity(p)
}

/// Knows every position that comes from the one it was made for.
pub(super) struct Exact {
    values: HashMap<Position, Probabilities>,
    /// Claims to know these positions; otherwise it claims to know finished games only.
    pub(super) says_so: bool,
}

impl Exact {
    pub(super) fn of(positions: &[Position]) -> Self {
        let mut memo = HashMap::new();
        for position in positions {
            walk(position, &mut memo, &|_, _| None);
        }
        let single = |v: [f64; 5]| Probabilities::from_array(v.map(|x| x as f32));
        Self {
            values: memo.into_iter().map(|(p, v)| (p, single(v))).collect(),
            says_so: false,
        }
    }

    fn value(&self, position: &Position) -> Probabilities {
        match position.points() {
            Some(points) => Probabilities::finished(points),
            None => self.values[position],
        }
    }
}

impl Evaluator for Exact {
    fn name(&self) -> &str {
        "exact"
    }

    fn probabilities(&self, positions: &[Position], out: &mut [Probabilities]) {
        for (o, p) in out.iter_mut().zip(positions) {
            *o = self.value(p);
        }
    }

    fn equities_after(&self, _before: &Position, results: &[Position], out: &mut [f32]) {
        for (o, p) in out.iter_mut().zip(results) {
            *o = -self.value(p).equity();
        }
    }

    fn exact(&self, position: &Position) -> Option<Probabilities> {
        (self.says_so || position.is_over()).then(|| self.value(position))
    }
}

/// Thinks the opposite of what another evaluator thinks, of finished games too; that a game is
/// over it does not deny.
pub(super) struct Backwards<E>(pub(super) E);

impl<E: Evaluator> Evaluator for Backwards<E> {
    fn name(&self) -> &str {
        "backwards"
    }

    fn probabilities(&self, positions: &[Position], out: &mut [Probabilities]) {
        self.0.probabilities(positions, out);
        out.iter_mut().for_each(|p| *p = p.flipped());
    }

    fn equities_after(&self, before: &Position, results: &[Position], out: &mut [f32]) {
        self.0.equities_after(before, results, out);
        out.iter_mut().for_each(|e| *e = -*e);
    }

    fn exact(&self, position: &Position) -> Option<Probabilities> {
        position.points().map(Probabilities::finished)
    }
}

/// A rough idea of a race: the pip counts, and an error that depends on the position alone.
pub(super) struct Rough {
    /// Size of the error, in the chance of winning.
    pub(super) noise: f32,
}

impl Rough {
    fn value(&self, position: &Position) -> Probabilities {
        if let Some(points) = position.points() {
            return Probabilities::finished(points);
        }
        let pips = |side: &crate::game::Side| side.pips() as f32;
        let lead = pips(&position.opponent) - pips(&position.mover) + 4.0;
        let mut hash = 0xcbf2_9ce4_8422_2325u64;
        for i in 0..26 {
            let pair = u64::from(position.mover.at(i)) << 8 | u64::from(position.opponent.at(i));
            hash = (hash ^ pair).wrapping_mul(0x0000_0100_0000_01b3);
        }
        let unit = (hash >> 40) as f32 / (1u64 << 24) as f32 - 0.5;
        let win = 1.0 / (1.0 + (-lead / 4.0).exp()) + self.noise * unit;
        Probabilities {
            win,
            win_gammon: 0.1 * win,
            ..Probabilities::default()
        }
    }
}

impl Evaluator for Rough {
    fn name(&self) -> &str {
        "rough"
    }

    fn probabilities(&self, positions: &[Position], out: &mut [Probabilities]) {
        for (o, p) in out.iter_mut().zip(positions) {
            *o = self.value(p);
        }
    }

    fn equities_after(&self, _before: &Position, results: &[Position], out: &mut [f32]) {
        for (o, p) in out.iter_mut().zip(results) {
            *o = -self.value(p).equity();
        }
    }

    fn exact(&self, position: &Position) -> Option<Probabilities> {
        position.points().map(Probabilities::finished)
    }
}
