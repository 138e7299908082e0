//! Ties between plays in a match: one rule for rollouts, lookahead and review.
//!
//! If a gammon decides the match, a backgammon adds nothing. Every play with an almost certain gammon then
//! gives nearly the same match winning chance. The remaining differences are errors of the evaluator: in
//! races in which no roll saves the gammon, it gives saving chances up to 0.002. Choosing by such differences
//! is random, and loses unnecessary backgammons. Values are therefore ties if they differ by less than
//! [`MARGIN`], or are all within [`CERTAIN`] of the value of a certain result. A tie goes to the better
//! cubeless equity, which wins and saves gammons and backgammons whether they count or not.
//!
//! In money play every point counts at every cube: only equal values are ties, such as those of plays that
//! are all followed by a double and a pass.

use super::context::CubeContext;

/// Smaller differences of values in a match, in points of the present cube, are ties.
pub const MARGIN: f32 = 1e-4;
/// Values within this distance of a certain result, in points of the present cube, count as certain.
pub const CERTAIN: f32 = 2e-3;

/// Returns the index of the play with the lowest value for the opponent, at the cube of `level`. `values`:
/// the value of each play for the opponent, who is on roll after it. Ties go to the lowest cubeless `equity`
/// for the opponent, then to the first.
#[inline]
pub fn least(
    context: &CubeContext,
    level: u8,
    values: &[f32],
    equity: impl Fn(usize) -> f32,
) -> usize {
    let least = values.iter().copied().fold(f32::INFINITY, f32::min);
    let [_, limit] = context.ties_of(level, least);
    let mut best: Option<(usize, f32)> = None;
    for (i, _) in values.iter().enumerate().filter(|(_, v)| **v <= limit) {
        let equity = equity(i);
        if best.is_none_or(|(_, least)| equity < least) {
            best = Some((i, equity));
        }
    }
    best.map_or(0, |(i, _)| i)
}

impl CubeContext {
    /// Returns the range of values that are ties of `value` at the cube of `level`, if it is the lowest or
    /// the highest.
    #[inline]
    pub fn ties_of(&self, level: u8, value: f32) -> [f32; 2] {
        if self.is_money() {
            return [value; 2];
        }
        let (values, _) = self.result_values(level);
        let point = 0.5 * (values.win[0] - values.lose[0]);
        let near = CERTAIN * point;
        let results = values.win.iter().chain(&values.lose);
        for certain in results {
            if (value - certain).abs() <= near {
                return [certain - near, certain + near];
            }
        }
        [value - MARGIN * point, value + MARGIN * point]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::EquityTable;
    use crate::game::Rules;

    fn at(mine: u16, theirs: u16) -> CubeContext {
        CubeContext::at_score(EquityTable::standard(), mine, theirs, false)
    }

    /// Chooses among plays with these points on a cube of 1.
    fn chosen(context: &CubeContext, points: &[f32], equities: &[f32]) -> usize {
        let values: Vec<f32> = points.iter().map(|p| context.from_points(0, *p)).collect();
        least(context, 0, &values, |i| equities[i])
    }

    #[test]
    fn ties_go_by_cubeless_equity_and_nothing_else_does() {
        let points = [0.30002, 0.3, 0.30008, 0.3003, 0.30008];
        let equities = [-1.5, -1.0, -2.0, -3.0, -2.0];
        assert_eq!(
            chosen(&at(7, 7), &points, &equities),
            2,
            "the first of equals"
        );
        assert_eq!(
            chosen(&CubeContext::money(Rules::default()), &points, &equities),
            1
        );
        let money = CubeContext::money(Rules::default());
        assert_eq!(
            chosen(&money, &[0.5, 0.5], &[-1.0, -2.0]),
            1,
            "equal values"
        );
        assert_eq!(chosen(&money, &[], &[]), 0);
        assert_eq!(chosen(&money, &[f32::NAN, 0.1], &[-1.0, -1.0]), 1);
    }

    /// With two points to go a gammon wins the match: no evaluator can distinguish 0.9990 from 0.9999 of that
    /// value.
    #[test]
    fn values_near_a_certain_result_count_as_certain() {
        let context = at(2, 5);
        let [won, gammon] = [1, 2].map(|points| context.result(crate::cube::Cube::CENTRED, points));
        let points = |value: f32| context.to_points(0, value);
        let values = [
            points(gammon) - 1e-3,
            points(gammon) - 1e-5,
            points(gammon) - 0.1,
        ];
        assert_eq!(chosen(&context, &values[..2], &[0.3, 0.2]), 1);
        assert_eq!(chosen(&context, &values, &[0.3, 0.2, 0.5]), 2);
        // Between certain results an equal difference decides.
        let open = 0.5 * (points(won) + points(gammon));
        assert_eq!(chosen(&context, &[open - 1e-3, open], &[0.3, 0.2]), 0);
    }
}
