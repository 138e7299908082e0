//! Cubeful values of a position from its cubeless chances: Janowski's interpolation between a dead and a live
//! cube, in money play and at any score.
//!
//! *Dead cube.* Nobody will double: `D = p·W + (1 - p)·L`, where `W` and `L` are the mean values of wins and
//! losses at this cube, including gammons.
//!
//! *Live cube.* A player doubles exactly where the opponent is indifferent, so the value is linear in the
//! winning chance `p` between corners. If I may double at a cube, my *cash point* is where the opponent is
//! indifferent between passing and taking. There the value with the opponent owning twice the cube equals the
//! value of winning the present cube:
//!
//! ```text
//! (0, L)   (take, value of this cube lost)   (cash, value of this cube won)   (1, W)
//! ```
//!
//! The take corner exists only if the opponent may double, the cash corner only if I may. Neither exists if
//! its player is too good to double before the other would pass. In money play all cubes are alike, and the
//! points follow from W and L alone ([`money`](super::money)). In a match they are computed from the highest
//! usable cube downwards. At the cube above it nobody doubles, and the live value equals the dead one.
//! Janowski gives the money formulas (*Take-Points in Money Games*, 1993); the recursion over cubes is the
//! usual extension to match play.
//!
//! *Interpolation.* `(1 - x)·dead + x·live`, with the cube efficiency `x`; values are interpolated, not
//! points. An owned cube and the opponent's cube have separate efficiencies. A centred cube has two ends. The
//! difference between live and dead value is divided into my use of the cube and the opponent's ([`Ends`]),
//! each with its own efficiency. If both efficiencies are equal this is the same formula. In two cases `x`
//! does not apply:
//! * a player who cannot use the cube (it already wins the match, or this is the Crawford game) adds no
//!   corner. If neither side can double, live and dead are the same line;
//! * a player with a *free double* (a loss already loses the match) will certainly double at the next turn.
//!   Up to the cash point the value is the live line, which is the dead line of the doubled cube. Beyond it the
//!   value is that of winning the present cube, or of playing on for a gammon as usual. But the next turn comes
//!   after one roll, or after two. These move the winning chance across the cash point in either direction, so
//!   that the value is a mean over their results ([`FreeDouble::waited`]). And if they decide the game, the
//!   double comes too late: it is passed, or the game is over. For the fraction of the open game that they
//!   decide ([`CubefulValues::resolving`]) the value is therefore the dead line. On the last roll this fraction
//!   is 1.

use super::context::{Cube, CubeContext, LEVELS, Scoring};
use super::efficiency::CubeEfficiencies;
use super::money::MeanPoints;
use crate::eval::Probabilities;
use crate::game::CubeOwner;

/// Smaller differences of values, in points of the cube before, are ignored: rounding, or a gammon that an
/// evaluator cannot quite exclude, must not decide.
const SAME: f32 = 1e-4;

/// Values of the cube actions for the player on roll, in MWC or points (see [`CubeContext`]).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CubeActionValues {
    /// Rolling without a double.
    pub no_double: f32,
    /// After a double and a take (without a beaver), if a double is possible.
    pub double_take: Option<f32>,
    /// After a double and a pass: the value of winning the present cube.
    pub double_pass: f32,
    /// A double with a negative value is beavered.
    pub beavers: bool,
}

impl CubeActionValues {
    /// Creates the values at `cube` from those of rolling and of double/take, adding that of a pass.
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

    /// Returns the value of a double for the player on roll, with the best answer; `None` if a double is
    /// impossible.
    pub fn doubled(&self) -> Option<f32> {
        let doubled = |take| doubled(take, self.double_pass, self.beavers);
        self.double_take.map(doubled)
    }

    /// Returns the value for the player on roll with the best cube action by both.
    #[inline]
    pub fn best(&self) -> f32 {
        self.doubled()
            .map_or(self.no_double, |doubled| doubled.max(self.no_double))
    }
}

/// Returns whether a double with this value after a take is beavered.
#[inline]
pub(super) fn is_beavered(take: f32, beavers: bool) -> bool {
    beavers && take < 0.0
}

/// Returns the value of a double with the best answer, from the doubler's values after a take and a pass.
#[inline]
pub(super) fn doubled(take: f32, pass: f32, beavers: bool) -> f32 {
    match is_beavered(take, beavers) {
        true => 2.0 * take,
        false => take.min(pass),
    }
}

/// A corner of a line: a winning chance and a value.
type Corner = (f32, f32);

/// The lines of one cube: their ends, and the corners at which a player doubles the other out.
#[derive(Clone, Copy, Debug, Default)]
struct Lines {
    won: f32,
    lost: f32,
    /// The corner at which the opponent doubles me out, if allowed: the take point.
    take: Option<Corner>,
    /// The corner at which I double the opponent out, if allowed: the cash point.
    cash: Option<Corner>,
}

impl Lines {
    fn bottom(&self) -> Corner {
        (0.0, self.lost)
    }

    fn top(&self) -> Corner {
        (1.0, self.won)
    }

    /// Returns the value at `p` if nobody will double.
    fn dead(&self, p: f32) -> f32 {
        p * self.won + (1.0 - p) * self.lost
    }

    /// Returns the cash point, if cashing there is worth more than playing on from `bottom`.
    fn cash_over(&self, bottom: Corner) -> Option<Corner> {
        self.cash
            .filter(|cash| cash.1 >= between(bottom, self.top(), cash.0))
    }

    /// Returns the take point, if the opponent gains by doubling there, compared with playing on towards
    /// `top`.
    fn take_under(&self, top: Corner) -> Option<Corner> {
        self.take
            .filter(|take| take.1 <= between(self.bottom(), top, take.0))
    }

    /// Returns the corners that apply for this owner: take, cash. A player who is too good to double before
    /// the opponent would pass has no corner.
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

/// The difference between a live and a dead cube, by the player who may turn it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ends {
    /// The value if nobody will double.
    pub dead: f32,
    /// Gain by the player on roll doubling at the perfect moment: not negative.
    pub own: f32,
    /// Gain by the opponent doubling at the perfect moment: not positive.
    pub other: f32,
}

/// Maximum change of the winning chance by a roll in the model, in either direction, with a uniform
/// distribution. Fitted to lookaheads over all rolls after the Crawford game (`docs/methods/cube.md`).
const MOVED: f32 = 0.11;
/// [`MOVED`] for two rolls, whose changes add up like independent ones.
const MOVED_TWICE: f32 = MOVED * std::f32::consts::SQRT_2;

/// A double that will certainly be made at the next turn of its player, because it is free.
#[derive(Clone, Copy, Debug)]
struct FreeDouble {
    /// `true` if the player on roll doubles next (after two rolls); `false` if the opponent does (after one).
    is_own: bool,
    /// The corner at which the answering player is indifferent between passing and taking.
    pass: Corner,
    /// The slope of the doubled cube's value in the winning chance.
    slope: f32,
}

impl FreeDouble {
    /// Returns whether the double would be passed at winning chance `p` of the player on roll.
    fn is_beyond(&self, p: f32) -> bool {
        match self.is_own {
            true => p > self.pass.0,
            false => p < self.pass.0,
        }
    }

    /// Returns the mean value for the player on roll after the rolls before the double. Each result has the
    /// value of the doubled cube (`taken` is its value at `p` without these rolls), or of the pass if the
    /// answering player prefers it.
    fn waited(&self, p: f32, taken: f32) -> f32 {
        let most = if self.is_own { MOVED_TWICE } else { MOVED };
        let width = most.min(p).min(1.0 - p);
        if width <= 0.0 {
            return taken;
        }
        let near = (width - (p - self.pass.0).abs()).max(0.0);
        // The mean excess over a corner of a uniform distribution.
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
    /// Returns the values of every cube from `lowest` up, for these cubeless chances of the player on roll
    /// and these cube efficiencies (0 dead, 1 live), or one for all owners.
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

/// The values of every cube in one position, created by [`CubeContext::cubeful_values`] without allocation.
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

    /// Returns the values for a game in which the next roll decides the first of these fractions of the open
    /// game, and the next two rolls the second. By default the game is assumed to be far from its end.
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

    /// Computes the lines of every cube of a match, from the highest cube down: the corners of one cube
    /// follow from the lines of the next.
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
                    // The opponent owns the next cube: from the opponent's corner to certain victory.
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

    /// Returns the value for the player on roll, who does not double in this turn.
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
        // The player may also play on, if that is worth more than the double.
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

    /// Returns the free double of one of the players at the next turn, if there is one.
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

    /// Returns the value between the dead and the live one, by the efficiency of a cube of `owner`. Different
    /// efficiencies of the ends of a centred cube add `½·(x - y)·(own - other)`, see [`Ends`].
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

    /// Returns the gain over the dead value if only the player on roll may double, and if only the opponent
    /// may.
    fn alone(&self, lines: &Lines, dead: f32) -> (f32, f32) {
        let added = |owner| {
            let (take, cash) = lines.corners(owner);
            along(self.win, lines, take, cash) - dead
        };
        (added(CubeOwner::Mover), added(CubeOwner::Opponent))
    }

    /// Returns the lines of a cube, and its level clamped to the levels that differ.
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

    /// Returns the gains of the two ends of a cube over its dead value, in units of the cube, without free
    /// doubles.
    pub fn ends(&self, cube: Cube) -> Ends {
        let (lines, _) = self.lines_of(cube);
        let dead = lines.dead(self.win);
        let (own, other) = self.alone(&lines, dead);
        let (own, other) = match cube.owner {
            CubeOwner::Mover => (own, 0.0),
            CubeOwner::Opponent => (0.0, other),
            CubeOwner::Centred => {
                // Each end is the mean of its gain with the other end and without it.
                let (take, cash) = lines.corners(cube.owner);
                let both = along(self.win, &lines, take, cash) - dead;
                (0.5 * (both - other + own), 0.5 * (both - own + other))
            }
        };
        Ends { dead, own, other }
    }

    /// Returns the value of each cube action for the player on roll.
    pub fn values(&self, cube: Cube) -> CubeActionValues {
        let may = self.context.may_double(cube);
        let double_take = may.then(|| self.no_double(cube.doubled()));
        CubeActionValues::new(self.context, cube, self.no_double(cube), double_take)
    }

    /// Returns the value for the player on roll before the doubling decision.
    #[inline]
    pub fn best(&self, cube: Cube) -> f32 {
        self.values(cube).best()
    }

    /// Returns the winning chance from which the player on roll doubles the opponent out with a live cube:
    /// the cash point of the model.
    #[cfg(test)]
    fn live_cash_point(&self, level: u8) -> Option<f32> {
        self.lines_at(level).cash.map(|(p, _)| p)
    }

    /// Returns the winning chance from which the player on roll takes a live cube from `level`.
    pub fn live_take_point(&self, level: u8) -> Option<f32> {
        self.lines_at(level).take.map(|(p, _)| p)
    }

    /// Returns the winning chance from which the player on roll takes a dead cube from `level`.
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

/// Bounds a value by those of winning and losing the cube, unless gammons exceed them. A trained efficiency
/// may exceed 1, and the ends of a centred cube may differ; without this bound a cube that wins a point could
/// be worth more than a point.
#[inline]
fn bounded(value: f32, [a, b]: [f32; 2], take: Option<Corner>, cash: Option<Corner>) -> f32 {
    let highest = cash.map_or(f32::MIN, |cash| cash.1).max(a).max(b);
    let lowest = take.map_or(f32::MAX, |take| take.1).min(a).min(b);
    value.max(lowest).min(highest)
}

/// Interpolates between a dead and a live value by the cube efficiency.
#[inline]
fn blend(dead: f32, live: f32, efficiency: f32) -> f32 {
    (1.0 - efficiency) * dead + efficiency * live
}

/// Returns the shares of single games, gammons and backgammons among `any` wins (or losses).
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

/// Returns the corner at which the line through two corners has the value `at`, clamped between them.
#[inline]
fn meet(from: Corner, to: Corner, at: f32) -> Corner {
    let rise = to.1 - from.1;
    if rise <= 0.0 {
        return (to.0, at);
    }
    let p = from.0 + (to.0 - from.0) * (at - from.1) / rise;
    (p.clamp(from.0, to.0), at)
}

/// Returns the slope of the line through two corners.
#[inline]
fn slope(from: Corner, to: Corner) -> f32 {
    let width = to.0 - from.0;
    if width <= 0.0 {
        0.0
    } else {
        (to.1 - from.1) / width
    }
}

/// Returns the value at `p` of the line through two corners.
#[inline]
fn between(from: Corner, to: Corner, p: f32) -> f32 {
    let width = to.0 - from.0;
    if width <= 0.0 {
        return to.1;
    }
    from.1 + (to.1 - from.1) * (p - from.0) / width
}

/// Returns the value at `p` of the live line.
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

/// Returns whether `a` exceeds `b` by more than rounding, in points.
pub(super) fn exceeds(a: f32, b: f32) -> bool {
    a > b + SAME
}

#[cfg(test)]
mod tests;
