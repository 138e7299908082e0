//! Cubeful values of a position from its cubeless chances: Janowski's interpolation between a dead
//! and a live cube, in money play and at any score.
//!
//! *Dead cube.* Nobody will double: `D = p·W + (1 - p)·L`, where `W` and `L` are the mean values of
//! wins and losses at this cube, gammons in their share.
//!
//! *Live cube.* A player doubles exactly where the other is indifferent, so the value is linear in
//! the chance to win `p`, between corners. If I may double at a cube, my *cash point* is where the
//! other is as well off passing as taking. There the value with the cube on twice as much in the
//! other's hands equals the value of the present cube won:
//!
//! ```text
//! (0, L)   (take, value of this cube lost)   (cash, value of this cube won)   (1, W)
//! ```
//!
//! The take corner is there only where the other may double, the cash corner only where I may. Neither is
//! there where its owner is too good to double before the other would pass. In money play all cubes
//! are alike, and the points follow from W and L alone ([`money`](super::money)). In a match they
//! are found from the highest cube that is still of use downwards. At the cube above it nobody
//! doubles, and the live value there is the dead one. Janowski gives the money formulas
//! (*Take-Points in Money Games*, 1993); the recursion over cubes is the usual way to carry them to
//! match play.
//!
//! *Between.* `(1 - x)·dead + x·live`, with the cube efficiency `x`; values are blended, not points. An
//! owned cube has one efficiency, the other's cube another. In the middle the cube has two ends. What the
//! corners add to the dead value is shared out into my use of it and the other's ([`Ends`]), each with an
//! efficiency of its own. Where both are alike this is the same formula. Two cases in which `x` does not
//! apply:
//! * a player with no use of the cube (it wins the match already, or the Crawford game) adds no
//!   corner. With neither side able to double, live and dead are the same line;
//! * a player with a *free double* (a loss loses the match already) will double at the next turn without
//!   fail. Up to the cash point that is worth the live line, which is the dead line of the doubled cube,
//!   and beyond it the present cube won, or playing on for a gammon as anywhere else. But the next turn
//!   comes after a roll, or after two. They move the chance to win, over the cash point or back, so that
//!   the value is a mean over what they may bring ([`FreeDouble::waited`]). And as far as they decide the
//!   game, the double comes too late: it is passed, or there is nobody left to double. So of the share of
//!   what is still open that they decide ([`CubefulValues::resolving`]) the dead line is the value. Where
//!   the last roll is due, that is all of it.

use super::context::{Cube, CubeContext, LEVELS, Scoring};
use super::efficiency::CubeEfficiencies;
use super::money::MeanPoints;
use crate::eval::Probabilities;
use crate::game::CubeOwner;

/// Values that differ by less, in points of the cube before, are the same: neither rounding nor a
/// gammon that an evaluator cannot quite exclude decides anything.
const SAME: f32 = 1e-4;

/// What a player on roll may get from each cube action, in MWC or points (see [`CubeContext`]).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CubeActionValues {
    /// Rolling without a double.
    pub no_double: f32,
    /// After a double and a take (without a beaver), if doubling is possible.
    pub double_take: Option<f32>,
    /// After a double and a pass; the value of the present cube won.
    pub double_pass: f32,
    /// Whether a double that is worth less than nothing is beavered.
    pub beavers: bool,
}

impl CubeActionValues {
    /// The values at `cube` of rolling on and of a double that is taken, with what a pass is worth there.
    #[inline]
    pub fn new(
        context: &CubeContext,
        cube: Cube,
        no_double: f32,
        double_take: Option<f32>,
    ) -> Self {
        Self {
            no_double,
            double_take,
            double_pass: context.cash(cube),
            beavers: context.beavers(),
        }
    }

    /// What a double is worth to the player on roll when it is answered best; `None` if it is not possible.
    pub fn doubled(&self) -> Option<f32> {
        let doubled = |take| doubled(take, self.double_pass, self.beavers);
        self.double_take.map(doubled)
    }

    /// The value for the player on roll with the best cube action by both.
    #[inline]
    pub fn best(&self) -> f32 {
        self.doubled()
            .map_or(self.no_double, |doubled| doubled.max(self.no_double))
    }
}

/// Whether a double that is worth so much when it is taken is beavered.
#[inline]
pub(super) fn is_beavered(take: f32, beavers: bool) -> bool {
    beavers && take < 0.0
}

/// What the best answer to a double leaves the doubler, to whom a take and a pass are worth so much.
#[inline]
pub(super) fn doubled(take: f32, pass: f32, beavers: bool) -> f32 {
    match is_beavered(take, beavers) {
        true => 2.0 * take,
        false => take.min(pass),
    }
}

/// A corner of a line: a chance to win, and a value.
type Corner = (f32, f32);

/// The lines of one cube: their ends, and the corners where somebody doubles the other out.
#[derive(Clone, Copy, Debug, Default)]
struct Lines {
    won: f32,
    lost: f32,
    /// Where the other doubles me out, if they may: the take point.
    take: Option<Corner>,
    /// Where I double the other out, if I may: the cash point.
    cash: Option<Corner>,
}

impl Lines {
    fn bottom(&self) -> Corner {
        (0.0, self.lost)
    }

    fn top(&self) -> Corner {
        (1.0, self.won)
    }

    /// The value at `p` if nobody will double.
    fn dead(&self, p: f32) -> f32 {
        p * self.won + (1.0 - p) * self.lost
    }

    /// The cash point, if to cash there is worth more than to play on from `bottom`.
    fn cash_over(&self, bottom: Corner) -> Option<Corner> {
        self.cash
            .filter(|cash| cash.1 >= between(bottom, self.top(), cash.0))
    }

    /// The take point, if the other gains by doubling there, against playing on towards `top`.
    fn take_under(&self, top: Corner) -> Option<Corner> {
        self.take
            .filter(|take| take.1 <= between(self.bottom(), top, take.0))
    }

    /// The corners that count for this owner: take, cash. A player who is too good to double before
    /// the other would pass has no corner.
    fn corners(&self, owner: CubeOwner) -> (Option<Corner>, Option<Corner>) {
        match owner {
            CubeOwner::Mover => (None, self.cash_over(self.bottom())),
            CubeOwner::Opponent => (self.take_under(self.top()), None),
            CubeOwner::Centred => {
                let cash = self.cash_over(self.take.unwrap_or(self.bottom()));
                let take = self.take_under(cash.unwrap_or(self.top()));
                let cash = cash.filter(|_| take.is_some() || self.take.is_none());
                (
                    take,
                    cash.or_else(|| self.cash_over(take.unwrap_or(self.bottom()))),
                )
            }
        }
    }
}

/// What a live cube is worth more than a dead one, by who may turn it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ends {
    /// The value if nobody will double.
    pub dead: f32,
    /// What it adds that the player on roll may double at the perfect moment: not negative.
    pub own: f32,
    /// What it adds that the other may double at the perfect moment: not positive.
    pub other: f32,
}

/// Most by which a roll is taken to change the chance to win, up or down; every change up to it is as likely.
/// Fitted to looks at all rolls after the Crawford game (`docs/methods/cube.md`).
const MOVED: f32 = 0.11;
/// [`MOVED`] for two rolls, whose changes add up as those of independent moves do.
const MOVED_TWICE: f32 = MOVED * std::f32::consts::SQRT_2;

/// A double that will be given at the next turn of its owner, because it risks nothing.
#[derive(Clone, Copy, Debug)]
struct FreeDouble {
    /// Whether the player on roll will double: two rolls come before that, else one.
    is_own: bool,
    /// Where the player who answers is as well off passing as taking.
    pass: Corner,
    /// How the value of the doubled cube rises with the chance to win.
    slope: f32,
}

impl FreeDouble {
    /// Whether the double would be passed at the chance to win `p` of the player on roll.
    fn is_beyond(&self, p: f32) -> bool {
        match self.is_own {
            true => p > self.pass.0,
            false => p < self.pass.0,
        }
    }

    /// The value for the player on roll after the rolls before the double, as a mean: each result is worth
    /// the doubled cube (`taken` is its value at `p` without these rolls), or the pass where the player who
    /// answers prefers that.
    fn waited(&self, p: f32, taken: f32) -> f32 {
        let most = if self.is_own { MOVED_TWICE } else { MOVED };
        let width = most.min(p).min(1.0 - p);
        if width <= 0.0 {
            return taken;
        }
        let near = (width - (p - self.pass.0).abs()).max(0.0);
        // The mean excess over a corner of what is spread evenly.
        let moved = self.slope * near * near / (4.0 * width);
        let now = if self.is_beyond(p) {
            self.pass.1
        } else {
            taken
        };
        match self.is_own {
            true => now - moved,
            false => now + moved,
        }
    }
}

impl CubeContext {
    /// The values of every cube from `lowest` up, for these cubeless chances of the player on roll
    /// and a cube of these efficiencies (0 dead, 1 live), or of one for every owner.
    #[inline]
    pub fn cubeful_values(
        &self,
        chances: &Probabilities,
        efficiencies: impl Into<CubeEfficiencies>,
        lowest: u8,
    ) -> CubefulValues<'_> {
        CubefulValues::new(self, chances, efficiencies.into(), lowest)
    }
}

/// The values of every cube in one position. Made by [`CubeContext::cubeful_values`]; no allocation.
#[derive(Clone, Copy, Debug)]
pub struct CubefulValues<'a> {
    context: &'a CubeContext,
    win: f32,
    efficiencies: CubeEfficiencies,
    resolved: [f32; 2],
    lines: [Lines; LEVELS],
    lowest: u8,
}

impl<'a> CubefulValues<'a> {
    #[inline]
    pub(super) fn new(
        context: &'a CubeContext,
        chances: &Probabilities,
        efficiencies: CubeEfficiencies,
        lowest: u8,
    ) -> Self {
        let mut cubeful = Self {
            context,
            win: chances.win,
            efficiencies,
            resolved: [0.0; 2],
            lines: [Lines::default(); LEVELS],
            lowest,
        };
        match context.play {
            Scoring::Money { .. } => cubeful.money(chances),
            Scoring::Match { .. } => cubeful.levels(chances),
        }
        cubeful
    }

    /// These values where the next roll decides the first of these shares of what is still open, and the next
    /// two rolls together the second. Without this the game counts as far from its end.
    #[inline]
    pub fn resolving(self, resolved: [f32; 2]) -> Self {
        Self { resolved, ..self }
    }

    fn money(&mut self, chances: &Probabilities) {
        let mean = MeanPoints::new(chances);
        self.lines[0] = Lines {
            won: mean.won,
            lost: -mean.lost,
            take: Some((mean.take_point(1.0), -1.0)),
            cash: Some((mean.cash_point(1.0), 1.0)),
        };
    }

    /// Finds the lines of every cube of a match, from the highest cube down: the corners at one cube follow
    /// from the lines above it.
    fn levels(&mut self, chances: &Probabilities) {
        let wins = shares(chances.win, chances.win_gammon, chances.win_backgammon);
        let losses = shares(
            1.0 - chances.win,
            chances.lose_gammon,
            chances.lose_backgammon,
        );
        let top = self.context.top();
        self.lowest = self.lowest.min(top);
        for level in (self.lowest..=top).rev() {
            let (values, _) = self.context.result_values(level);
            let mut lines = Lines {
                won: dot(&values.win, &wins),
                lost: dot(&values.lose, &losses),
                take: None,
                cash: None,
            };
            if level < top {
                let above = &self.lines[usize::from(level) + 1];
                if self.context.is_live(0, level) {
                    // The other holds the cube above: their corner, then certain victory.
                    let (take, _) = above.corners(CubeOwner::Opponent);
                    let from = take.unwrap_or(above.bottom());
                    lines.cash = Some(meet(from, above.top(), values.win[0]));
                }
                if self.context.is_live(1, level) {
                    let (_, cash) = above.corners(CubeOwner::Mover);
                    let to = cash.unwrap_or(above.top());
                    lines.take = Some(meet(above.bottom(), to, values.lose[0]));
                }
            }
            self.lines[usize::from(level)] = lines;
        }
    }

    /// The value for the player on roll who does not double in this turn.
    pub fn no_double(&self, cube: Cube) -> f32 {
        let (lines, level) = self.lines_of(cube);
        let (_, unit) = self.context.result_values(level);
        let p = self.win;
        let (take, cash) = lines.corners(cube.owner);
        let dead = lines.dead(p);
        let live = along(p, &lines, take, cash);
        let Some(free) = self.free_double(level, &lines, [take, cash]) else {
            let value = self.interpolated(&lines, dead, live, cube.owner);
            return unit * bounded(value, [dead, live], take, cash);
        };
        // The one who may double need not, and plays on for more than the double gives.
        let on = match free.is_beyond(p) {
            true => {
                let on = blend(dead, live, self.efficiencies.mean(cube.owner));
                bounded(on, [dead, live], take, cash)
            }
            false => dead,
        };
        let waited = free.waited(p, live);
        let then = match free.is_own {
            true => waited.max(on),
            false => waited.min(on),
        };
        unit * (then + self.resolved[usize::from(free.is_own)] * (dead - then))
    }

    /// The double that one of the players gives at their next turn without fail, if there is such a one.
    fn free_double(
        &self,
        level: u8,
        lines: &Lines,
        [take, cash]: [Option<Corner>; 2],
    ) -> Option<FreeDouble> {
        match (take, cash) {
            (_, Some(cash)) if self.context.is_free(0, level) => Some(FreeDouble {
                is_own: true,
                pass: cash,
                slope: slope(take.unwrap_or(lines.bottom()), cash),
            }),
            (Some(take), _) if self.context.is_free(1, level) => Some(FreeDouble {
                is_own: false,
                pass: take,
                slope: slope(take, cash.unwrap_or(lines.top())),
            }),
            _ => None,
        }
    }

    /// The value between the dead and the live one, by the efficiency of a cube of `owner`. That the ends of
    /// a cube in the middle are not equally efficient adds `½·(x - y)·(own - other)`, see [`Ends`].
    #[inline]
    fn interpolated(&self, lines: &Lines, dead: f32, live: f32, owner: CubeOwner) -> f32 {
        let value = blend(dead, live, self.efficiencies.mean(owner));
        let [x, y] = self.efficiencies.centred;
        if owner != CubeOwner::Centred || x == y {
            return value;
        }
        let (own, other) = self.alone(lines, dead);
        value + 0.5 * (x - y) * (own - other)
    }

    /// What the right to double adds to the dead value for the player on roll, and for the other, if only
    /// that player has it.
    fn alone(&self, lines: &Lines, dead: f32) -> (f32, f32) {
        let added = |owner| {
            let (take, cash) = lines.corners(owner);
            along(self.win, lines, take, cash) - dead
        };
        (added(CubeOwner::Mover), added(CubeOwner::Opponent))
    }

    /// The lines of a cube, and its level as far as levels differ.
    fn lines_of(&self, cube: Cube) -> (Lines, u8) {
        let (index, level) = match self.context.play {
            Scoring::Money { .. } => (0, cube.level),
            Scoring::Match { .. } => {
                let level = cube.level.clamp(self.lowest, self.context.top());
                (usize::from(level), level)
            }
        };
        let mut lines = self.lines[index];
        if !self.context.counts_gammons(cube.owner) {
            let (values, _) = self.context.result_values(level);
            (lines.won, lines.lost) = (values.win[0], values.lose[0]);
        }
        (lines, level)
    }

    /// What the two ends of a cube add to its dead value, in units of the cube, where no double is free.
    pub fn ends(&self, cube: Cube) -> Ends {
        let (lines, _) = self.lines_of(cube);
        let dead = lines.dead(self.win);
        let (own, other) = self.alone(&lines, dead);
        let (own, other) = match cube.owner {
            CubeOwner::Mover => (own, 0.0),
            CubeOwner::Opponent => (0.0, other),
            CubeOwner::Centred => {
                // Each end counts as the mean of what it adds with the other one there, and without.
                let (take, cash) = lines.corners(cube.owner);
                let both = along(self.win, &lines, take, cash) - dead;
                (0.5 * (both - other + own), 0.5 * (both - own + other))
            }
        };
        Ends { dead, own, other }
    }

    /// What each cube action is worth to the player on roll.
    pub fn values(&self, cube: Cube) -> CubeActionValues {
        let may = self.context.may_double(cube);
        let double_take = may.then(|| self.no_double(cube.doubled()));
        CubeActionValues::new(self.context, cube, self.no_double(cube), double_take)
    }

    /// The value for the player on roll before the decision to double.
    #[inline]
    pub fn best(&self, cube: Cube) -> f32 {
        self.values(cube).best()
    }

    /// The chance to win from which the player on roll doubles the other out, when the cube is
    /// live: the cash point of the model.
    #[cfg(test)]
    fn live_cash_point(&self, level: u8) -> Option<f32> {
        self.lines_at(level).cash.map(|(p, _)| p)
    }

    /// The chance to win from which the player on roll takes a live cube from `level`.
    pub fn live_take_point(&self, level: u8) -> Option<f32> {
        self.lines_at(level).take.map(|(p, _)| p)
    }

    /// The chance to win from which the player on roll takes a cube from `level` that will never
    /// be turned again.
    pub fn dead_take_point(&self, level: u8) -> Option<f32> {
        let lines = self.lines_at(level);
        let (_, lost_now) = lines.take?;
        let (bottom, top) = match self.context.play {
            Scoring::Money { .. } => ((0.0, 2.0 * lines.lost), (1.0, 2.0 * lines.won)),
            Scoring::Match { .. } => {
                let above = self.lines[usize::from(level) + 1];
                (above.bottom(), above.top())
            }
        };
        Some(meet(bottom, top, lost_now).0)
    }

    fn lines_at(&self, level: u8) -> Lines {
        match self.context.play {
            Scoring::Money { .. } => self.lines[0],
            Scoring::Match { .. } => {
                self.lines[usize::from(level.clamp(self.lowest, self.context.top()))]
            }
        }
    }
}

/// Keeps a value within what a cube can make of the position: neither end is worth more than the cube won or
/// lost, unless gammons make it so. A learnt efficiency may be above 1, and the two ends of a cube in the middle
/// unlike; else a cube that wins a point would be worth more than a point.
#[inline]
fn bounded(value: f32, [a, b]: [f32; 2], take: Option<Corner>, cash: Option<Corner>) -> f32 {
    let highest = cash.map_or(f32::MIN, |cash| cash.1).max(a).max(b);
    let lowest = take.map_or(f32::MAX, |take| take.1).min(a).min(b);
    value.max(lowest).min(highest)
}

/// The value between a dead and a live one by the cube efficiency.
#[inline]
fn blend(dead: f32, live: f32, efficiency: f32) -> f32 {
    (1.0 - efficiency) * dead + efficiency * live
}

/// Shares of single games, gammons and backgammons among `any` wins (or losses).
#[inline]
fn shares(any: f32, gammon: f32, backgammon: f32) -> [f32; 3] {
    if any <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    let gammon = (gammon / any).clamp(0.0, 1.0);
    let backgammon = (backgammon / any).clamp(0.0, gammon);
    [1.0 - gammon, gammon - backgammon, backgammon]
}

#[inline]
fn dot(values: &[f32; 3], shares: &[f32; 3]) -> f32 {
    values[0] * shares[0] + values[1] * shares[1] + values[2] * shares[2]
}

/// Where the line through two corners has the value `at`, kept between them.
#[inline]
fn meet(from: Corner, to: Corner, at: f32) -> Corner {
    let rise = to.1 - from.1;
    if rise <= 0.0 {
        return (to.0, at);
    }
    let p = from.0 + (to.0 - from.0) * (at - from.1) / rise;
    (p.clamp(from.0, to.0), at)
}

/// Slope of the line through two corners.
#[inline]
fn slope(from: Corner, to: Corner) -> f32 {
    let width = to.0 - from.0;
    if width <= 0.0 {
        0.0
    } else {
        (to.1 - from.1) / width
    }
}

/// Value at `p` of the line through two corners.
#[inline]
fn between(from: Corner, to: Corner, p: f32) -> f32 {
    let width = to.0 - from.0;
    if width <= 0.0 {
        return to.1;
    }
    from.1 + (to.1 - from.1) * (p - from.0) / width
}

/// Value at `p` of the live line.
#[inline]
fn along(p: f32, lines: &Lines, take: Option<Corner>, cash: Option<Corner>) -> f32 {
    let (mut from, mut to) = (lines.bottom(), lines.top());
    match take {
        Some(corner) if p <= corner.0 => to = corner,
        Some(corner) => from = corner,
        None => {}
    }
    match cash {
        Some(corner) if p >= corner.0 => from = corner,
        Some(corner) if corner.0 < to.0 => to = corner,
        _ => {}
    }
    between(from, to, p)
}

/// Whether `a` is larger than `b` by more than rounding, in points.
pub(super) fn exceeds(a: f32, b: f32) -> bool {
    a > b + SAME
}

#[cfg(test)]
mod tests;
