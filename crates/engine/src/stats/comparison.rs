//! The one place that compares two candidates.
//!
//! What is known of a difference depends on how the two were counted:
//!
//! | candidates | fixed sample | at all times |
//! | --- | --- | --- |
//! | both known exactly | no error | no error |
//! | one known exactly | the other's own | the other's own |
//! | counted in pairs | from the differences | from the means of their blocks |
//! | in pairs, one or both have hardly ever varied, their difference has | each one's own, put together | the same |
//! | in pairs, with dice of their own | each one's own, put together | from the means of blocks |
//! | not in pairs | each one's own, put together | the same |
//!
//! A candidate that has hardly ever varied adds nothing to the spread of the differences, and yet it
//! might have. What has not been seen of it stands in its own interval only. Where the *difference*
//! has hardly ever varied, its own allowance is the interval.
//!
//! Where all that the two differ by may be *rounding*, every interval holds zero: they are level, whatever the
//! last bits say.
//!
//! *Putting together*: for a fixed sample errors add in squares. With standard errors the degrees of
//! freedom are Welch's and Satterthwaite's; with intervals that are not symmetric each side by itself
//! (the method of variance estimates recovery, MOVER: G. Y. Zou and A. Donner, *Construction of
//! confidence limits about effect measures*, Statistics in Medicine 27, 2008). The anytime-valid
//! interval assumes nothing of how the two depend on each other. Each one's interval gets its share of
//! the chance to miss, and the difference lies between the differences of their ends (the union
//! bound).

use super::ErrorMethod;
use super::Summary;
use super::anytime::level_of_ends;
use super::best::{self, Estimated};
use super::changes::ROUND_OFF;
use super::evidence::Evidence;
use super::interval::{ALPHA, around, hull, student};
use super::portable::hypot;
use super::strata::satterthwaite;

/// Chances to miss that an interval at all times may use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// An interval of a difference, or of one candidate if the other is known.
    pub together: f64,
    /// Each of the intervals of two candidates.
    pub own: f64,
}

impl Share {
    /// The share for a single difference, whose interval misses with chance `alpha`.
    pub fn single(alpha: f64) -> Self {
        Self {
            together: alpha,
            own: alpha / 2.0,
        }
    }

    /// The share for each difference of `n` candidates no two of which are counted in pairs: the intervals of the
    /// candidates are all there is.
    pub fn apart(alpha: f64, n: usize) -> Self {
        Self {
            together: alpha / n as f64,
            own: alpha / n as f64,
        }
    }
}

/// Two candidates, and what has been counted of their difference, the first less the second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    first: Evidence,
    second: Evidence,
    together: Option<Evidence>,
    /// Whether the observations of a pair depend on each other.
    coupled: bool,
}

/// What the interval of a difference rests upon.
enum Basis<'a> {
    /// Both values are known.
    Exact,
    /// Only this one is not known, and counts with this sign.
    One(&'a Evidence, f64),
    /// The differences of pairs.
    Pairs(&'a Evidence),
    /// Each candidate's own estimate and interval.
    Own,
}

impl Comparison {
    /// A comparison of two candidates. `together` has the differences of observations that were taken in
    /// pairs, if any were; `coupled` says that the two of a pair depend on each other.
    pub fn new(
        first: Evidence,
        second: Evidence,
        together: Option<Evidence>,
        coupled: bool,
    ) -> Self {
        Self {
            first,
            second,
            together,
            coupled,
        }
    }

    fn basis(&self) -> Basis<'_> {
        let (a, b) = (&self.first, &self.second);
        match (a.is_exact(), b.is_exact(), &self.together) {
            (true, true, _) => Basis::Exact,
            (true, false, _) => Basis::One(b, -1.0),
            (false, true, _) => Basis::One(a, 1.0),
            (_, _, Some(d)) if d.is_exact() || d.rare.is_some() => Basis::Pairs(d),
            (_, _, Some(d)) if a.rare.is_none() && b.rare.is_none() => Basis::Pairs(d),
            _ => Basis::Own,
        }
    }

    /// The differences of pairs, where the fixed-sample interval comes from them. Differences of independent
    /// observations say no more than the two candidates do by themselves.
    fn pairs(&self) -> Option<&Evidence> {
        match self.basis() {
            Basis::Pairs(d) if self.coupled || d.rare.is_some() => Some(d),
            _ => None,
        }
    }

    /// Estimate of the difference.
    pub fn mean(&self) -> f64 {
        match (self.basis(), self.together) {
            (Basis::Pairs(_) | Basis::Own, Some(d)) if self.coupled && d.n > 0 => d.mean,
            _ => self.first.mean - self.second.mean,
        }
    }

    /// Observations behind the difference: the fewest that either candidate or their pairs have.
    pub fn count(&self) -> u64 {
        let fewest = self.first.n.min(self.second.n);
        self.together.map_or(fewest, |d| d.n.min(fewest))
    }

    /// Standard error of the difference, and its degrees of freedom.
    pub fn error(&self) -> (f64, f64) {
        if let Some(d) = self.pairs() {
            return (d.se, d.dof);
        }
        match self.basis() {
            Basis::Exact => (0.0, f64::INFINITY),
            Basis::One(own, _) => (own.se, own.dof),
            Basis::Pairs(_) | Basis::Own => {
                welch(&self.first.estimated(), &self.second.estimated())
            }
        }
    }

    /// Which estimator gave the standard error of the difference.
    pub fn method(&self) -> ErrorMethod {
        if let Some(d) = self.pairs() {
            return d.method;
        }
        match self.basis() {
            Basis::Exact => ErrorMethod::Exact,
            Basis::One(own, _) => own.method,
            Basis::Pairs(_) | Basis::Own => {
                let unknown = |e: &Evidence| e.method == ErrorMethod::Unknown;
                match unknown(&self.first) || unknown(&self.second) {
                    true => ErrorMethod::Unknown,
                    false => ErrorMethod::Combined,
                }
            }
        }
    }

    /// The interval for a number of observations fixed in advance, which misses with chance `alpha`.
    pub fn fixed(&self, alpha: f64) -> [f64; 2] {
        self.or_level(self.fixed_by_basis(alpha))
    }

    fn fixed_by_basis(&self, alpha: f64) -> [f64; 2] {
        if let Some(d) = self.pairs() {
            return d.fixed(alpha);
        }
        match self.basis() {
            Basis::Exact => [self.mean(); 2],
            Basis::One(own, sign) => self.with(own.fixed(alpha), sign),
            Basis::Pairs(_) | Basis::Own => self.combined(alpha),
        }
    }

    /// The anytime-valid interval of the difference, which misses with the chances of `share`, as of the last
    /// complete block.
    pub fn anytime(&self, share: Share) -> [f64; 2] {
        self.or_level(self.anytime_by_basis(share))
    }

    /// The anytime-valid interval of which the low end misses by itself with the first chance of `ends` at most,
    /// the high end with the second.
    pub fn anytime_ends(&self, ends: [f64; 2]) -> [f64; 2] {
        let all = [Some(self.first), Some(self.second), self.together];
        // The allowance for rare results lies on one side already.
        let is_rare = all.iter().flatten().any(|e| e.rare.is_some());
        let level = |alpha| match is_rare {
            true => alpha,
            false => level_of_ends(alpha),
        };
        let [low, high] = ends.map(|alpha| self.anytime(Share::single(level(alpha))));
        [low[0], high[1]]
    }

    fn anytime_by_basis(&self, share: Share) -> [f64; 2] {
        match self.basis() {
            Basis::Exact => [self.mean(); 2],
            Basis::One(own, sign) => self.with(own.anytime(share.together), sign),
            Basis::Pairs(d) => d.anytime(share.together),
            Basis::Own => {
                let [a, b] = [&self.first, &self.second].map(|e| e.anytime(share.own));
                [a[0] - b[1], a[1] - b[0]]
            }
        }
    }

    /// Whether all that the two differ by may be rounding: neither the difference nor its error is larger.
    pub fn is_tied(&self) -> bool {
        self.mean().abs() <= ROUND_OFF && self.standard_error() <= ROUND_OFF
    }

    /// `interval`, widened to hold zero if the two are level.
    fn or_level(&self, interval: [f64; 2]) -> [f64; 2] {
        match self.is_tied() {
            true => hull(interval, [0.0; 2]),
            false => interval,
        }
    }

    /// The anytime-valid interval, widened to hold the fixed-sample one. That one goes by another
    /// spread and may by chance reach further. This interval is shown, and a pair stops by it.
    pub fn shown(&self, alpha: f64) -> [f64; 2] {
        hull(self.anytime(Share::single(alpha)), self.fixed(alpha))
    }

    /// The interval of the difference from that of the only candidate that is not known exactly; `sign` is
    /// positive if that is the first.
    fn with(&self, [low, high]: [f64; 2], sign: f64) -> [f64; 2] {
        if sign > 0.0 {
            [low - self.second.mean, high - self.second.mean]
        } else {
            [self.first.mean - high, self.first.mean - low]
        }
    }

    /// Both fixed-sample intervals put together.
    fn combined(&self, alpha: f64) -> [f64; 2] {
        let (a, b) = (&self.first, &self.second);
        let mean = self.mean();
        if a.rare.is_none() && b.rare.is_none() {
            let (se, dof) = self.error();
            let radius = if se > 0.0 {
                student(dof, alpha) * se
            } else {
                se
            };
            return around(mean, radius);
        }
        let [p, q] = [a.fixed(alpha), b.fixed(alpha)];
        let down = hypot(a.mean - p[0], q[1] - b.mean);
        let up = hypot(p[1] - a.mean, b.mean - q[0]);
        [mean - down, mean + up]
    }

    /// Chance that the first is above the second, as far as the data tell, with errors `widened` times as large.
    pub fn chance_first(&self, widened: f64) -> f64 {
        let unseen = |e: &Evidence| e.rare.is_some();
        if self.is_tied() {
            return 0.5;
        }
        if let Some(d) = self.pairs() {
            return best::above_zero(d.estimated().widened(widened));
        }
        if unseen(&self.first) || unseen(&self.second) {
            let both = [self.first, self.second].map(|e| e.estimated().widened(widened));
            return best::chances(&both)[0];
        }
        let (se, dof) = self.error();
        let difference = Estimated {
            mean: self.mean(),
            se,
            dof,
            allowance: None,
        };
        best::above_zero(difference.widened(widened))
    }

    /// Standard error of the difference. Where the interval is a zero-variance allowance, it is that of an
    /// interval as wide.
    pub fn standard_error(&self) -> f64 {
        match (self.pairs(), self.basis()) {
            (Some(d), _) => d.standard_error(),
            (None, Basis::One(own, _)) => own.standard_error(),
            (None, _) => self.error().0,
        }
    }

    /// The difference with both 95% intervals.
    pub fn summary(&self) -> Summary {
        let (se, dof) = self.error();
        Summary {
            n: self.count(),
            mean: self.mean(),
            se,
            dof,
            method: self.method(),
            ci95: self.fixed(ALPHA),
            anytime95: self.shown(ALPHA),
        }
    }
}

/// Standard error of a difference of independent estimates, and its degrees of freedom.
fn welch(a: &Estimated, b: &Estimated) -> (f64, f64) {
    let (variance, dof) = satterthwaite([a, b].map(|one| (one.se * one.se, one.dof)));
    (variance.sqrt(), dof.unwrap_or(a.dof + b.dof))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Cell, Design, Series};

    fn design() -> Design {
        Design {
            block: 36,
            product: true,
            ..Design::default()
        }
    }

    /// 360 observations.
    fn of(value: impl Fn(u32) -> f64) -> Evidence {
        let mut series = Series::new(&design());
        for i in 0..360 {
            series.push(&design(), Cell::default(), value(i));
        }
        series.evidence_within(&design(), [-3.0, 3.0])
    }

    fn noise(i: u32) -> f64 {
        f64::from((i * i * 7 + i / 36 * 5) % 11) / 10.0
    }

    fn width([low, high]: [f64; 2]) -> f64 {
        high - low
    }

    #[test]
    fn independent_estimates_add_in_squares() {
        let (a, b) = (of(noise), of(|i| 2.0 * noise(i + 3)));
        let both = Comparison::new(a, b, None, false);
        let d = both.summary();
        assert!((d.se - a.se.hypot(b.se)).abs() < 1e-15);
        assert!(d.dof > 360.0 && d.dof < 718.0, "{}", d.dof);
        assert_eq!(d.mean, a.mean - b.mean);
        assert_eq!((d.method, d.n), (ErrorMethod::Combined, 360));
        let share = Share::single(ALPHA);
        let sum = width(a.anytime(share.own)) + width(b.anytime(share.own));
        assert!((width(both.anytime(share)) - sum).abs() < 1e-12);
    }

    /// Whatever was counted of the differences, one that never varied is as open as it is itself; one that
    /// is known adds nothing.
    #[test]
    fn what_was_never_seen_widens_and_what_is_known_does_not() {
        let (varied, constant) = (of(noise), of(|_| 1.0));
        let known = Evidence::exact(360, 1.0);
        let less = of(|i| noise(i) - 1.0);
        let more = of(|i| 1.0 - noise(i));
        let share = Share::single(ALPHA);
        for (a, b, d) in [(varied, constant, less), (constant, varied, more)] {
            for together in [None, Some(d)] {
                let both = Comparison::new(a, b, together, true);
                let case = format!("{:?}", both.summary());
                let most = width(varied.fixed(ALPHA)).max(width(constant.fixed(ALPHA)));
                assert!(width(both.fixed(ALPHA)) > most, "{case}");
                let sum = width(varied.anytime(share.own)) + width(constant.anytime(share.own));
                assert!((width(both.anytime(share)) - sum).abs() < 1e-12, "{case}");
                assert_eq!(both.method(), ErrorMethod::Combined, "{case}");
                let chance = both.chance_first(1.0);
                assert!(chance > 0.0 && chance < 1.0, "{case}");
            }
        }
        for together in [None, Some(less)] {
            let both = Comparison::new(varied, known, together, true);
            assert!((width(both.fixed(ALPHA)) - width(varied.fixed(ALPHA))).abs() < 1e-12);
            let own = width(varied.anytime(ALPHA));
            assert!((width(both.anytime(share)) - own).abs() < 1e-12);
            let other = Comparison::new(known, varied, together, true);
            assert!((other.fixed(ALPHA)[0] + both.fixed(ALPHA)[1]).abs() < 1e-12);
        }
    }

    /// Beside a known value, one that never varied has the error of its allowance: a rule that stops at an
    /// error must not be met by it at once.
    #[test]
    fn what_never_varied_has_an_error_beside_what_is_known() {
        let (constant, known) = (of(|_| 1.0), Evidence::exact(360, 1.0));
        for (a, b) in [(constant, known), (known, constant)] {
            let both = Comparison::new(a, b, None, true);
            assert!(both.standard_error() > 0.0);
            assert_eq!(both.standard_error(), constant.standard_error());
            assert!(width(both.fixed(ALPHA)) > 0.0);
        }
    }

    /// Equal but for the last bits, in the same order after every trial: the plays are level, however they
    /// were counted. A difference that is larger than rounding is told.
    #[test]
    fn rounding_decides_nothing() {
        let of = |value: &dyn Fn(f64) -> f64| {
            let mut series = Series::new(&design());
            for i in 0..7200 {
                series.push(&design(), Cell::default(), value(0.1 * noise(i)));
            }
            series.evidence(&design())
        };
        let share = Share::single(ALPHA);
        for (size, is_tied) in [(2.4e-17, true), (3e-8, true), (-3e-8, true), (1e-3, false)] {
            let [a, b] = [1.0, 0.0].map(|mean| of(&|x| size * (mean + x)));
            let known = [size, 0.0].map(|value| Evidence::exact(36, value));
            for both in [
                Comparison::new(a, b, Some(a), true),
                Comparison::new(a, b, None, false),
                Comparison::new(known[0], b, None, false),
                Comparison::new(known[0], known[1], None, true),
            ] {
                let case = format!("{size} {:?}", both.summary());
                assert_eq!(both.is_tied(), is_tied, "{case}");
                for [low, high] in [both.fixed(ALPHA), both.anytime(share), both.shown(ALPHA)] {
                    assert_eq!(low <= 0.0 && high >= 0.0, is_tied, "{case}");
                }
                assert_eq!(both.chance_first(1.0) == 0.5, is_tied, "{case}");
            }
        }
    }

    #[test]
    fn two_that_are_known_have_no_error() {
        let [a, b] = [0.25, 0.5].map(|value| Evidence::exact(36, value));
        // Not even where what was counted in pairs has an allowance.
        let both = Comparison::new(a, b, Some(of(|_| -0.25)), true);
        let d = both.summary();
        assert_eq!((d.mean, d.se, d.method), (-0.25, 0.0, ErrorMethod::Exact));
        assert_eq!([d.ci95, d.anytime95], [[-0.25; 2]; 2]);
        assert_eq!(both.chance_first(1.0), 0.0);
    }

    /// Two that vary together: their difference tells it, and its own allowance if it never varied.
    #[test]
    fn pairs_are_told_by_their_differences() {
        let (a, b) = (of(noise), of(|i| noise(i) + 0.25));
        let never = Comparison::new(a, b, Some(of(|_| -0.25)), true);
        assert_eq!(never.method(), ErrorMethod::Constant);
        assert!(width(never.fixed(ALPHA)) > 0.01 && never.chance_first(1.0) < 0.01);
        let d = of(|i| noise(i * 5) / 10.0 - 0.25);
        let sometimes = Comparison::new(a, b, Some(d), true);
        assert_eq!(sometimes.error(), (d.se, d.dof));
        // Dice of their own: the fixed-sample interval is that of the two, the other one not.
        let apart = Comparison::new(a, b, Some(d), false);
        assert_eq!(apart.method(), ErrorMethod::Combined);
        assert!(apart.error().0 > d.se);
        let share = Share::single(ALPHA);
        assert_eq!(apart.anytime(share), sometimes.anytime(share));
    }
}
