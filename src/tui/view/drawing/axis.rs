//! Intervals on a common axis, `├──●──┤`, so that overlap is seen without reading.

use super::paint::Paint;
use crate::rollout::Estimate;
use crate::tui::theme::Role;

/// Values at the ends of an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Axis {
    low: f64,
    high: f64,
}

impl Axis {
    /// An axis that holds all the estimates: their means and fixed-sample intervals always, their
    /// anytime intervals as far as they do not crush the rest.
    pub(crate) fn over<'a>(estimates: impl Iterator<Item = &'a Estimate> + Clone) -> Option<Self> {
        let fold = |f: &dyn Fn(&Estimate) -> [f64; 2]| {
            estimates.clone().map(f).fold(
                (f64::INFINITY, f64::NEG_INFINITY),
                |(low, high), [a, b]| {
                    let (a, b) = (a.min(b), a.max(b));
                    let ok = a.is_finite() && b.is_finite();
                    if ok {
                        (low.min(a), high.max(b))
                    } else {
                        (low, high)
                    }
                },
            )
        };
        let (low, high) = fold(&|e| [e.ci95[0].min(e.mean), e.ci95[1].max(e.mean)]);
        if low > high {
            return None;
        }
        let (wide_low, wide_high) = fold(&|e| e.anytime95);
        let slack = (high - low).max(0.002);
        let low = wide_low.clamp(low - 0.6 * slack, low);
        let high = wide_high.clamp(high, high + 0.6 * slack);
        let edge = (high - low).max(0.002) * 0.02;
        Some(Self {
            low: low - edge,
            high: high + edge,
        })
    }

    /// The column, 0 to `width - 1`, of `value`; outside values stay outside.
    fn column(&self, value: f64, width: u16) -> i32 {
        let t = (value - self.low) / (self.high - self.low);
        if !t.is_finite() {
            return if value < self.low {
                -1
            } else {
                i32::from(width)
            };
        }
        (t * f64::from(width - 1))
            .round()
            .clamp(-1.0, f64::from(width)) as i32
    }

    /// Columns from the mean to the end of an interval, at most `width`: rounded for itself, so that equal halves
    /// look equal.
    fn columns(&self, length: f64, width: u16) -> i32 {
        let columns = length / (self.high - self.low) * f64::from(width - 1);
        // Not a number: as far as it goes.
        columns.round().min(f64::from(width)) as i32
    }

    /// Draws one estimate into `width` cells at `(x, y)`.
    pub(crate) fn draw(
        &self,
        paint: &mut Paint<'_>,
        x: u16,
        y: u16,
        width: u16,
        estimate: &Estimate,
    ) {
        if width < 3 {
            return;
        }
        let last = i32::from(width) - 1;
        // What is off the axis is told by a sign at its end.
        let off = match self.column(estimate.mean, width) {
            column if column < 0 => Some((x, "‹")),
            column if column > last => Some((x + width - 1, "›")),
            _ => None,
        };
        if let Some((x, sign)) = off {
            paint.put(x, y, 1, sign, Role::Muted);
            return;
        }
        let mean = self.column(estimate.mean, width);
        let mut cells = vec![(" ", Role::IntervalWide); usize::from(width)];
        let mut bar = |[low, high]: [f64; 2], line, ends: [&'static str; 2], role| {
            if low.is_nan() || high.is_nan() {
                return;
            }
            let (a, b) = (
                mean - self.columns(estimate.mean - low, width),
                mean + self.columns(high - estimate.mean, width),
            );
            for c in a.max(0)..=b.min(last) {
                cells[c as usize] = (line, role);
            }
            for (c, end) in [(a, ends[0]), (b, ends[1])] {
                if (0..=last).contains(&c) && a != b {
                    cells[c as usize] = (end, role);
                }
            }
        };
        bar(estimate.anytime95, "╌", ["╌", "╌"], Role::IntervalWide);
        bar(estimate.ci95, "─", ["├", "┤"], Role::Interval);
        cells[mean as usize] = ("●", Role::Point);
        for (i, (sign, role)) in (0u16..).zip(cells) {
            if sign != " " {
                let ground = paint.buffer[(x + i, y)].bg;
                let style = paint.style(role).bg(ground);
                paint.put_styled(x + i, y, 1, sign, style);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(mean: f64, half: f64, wide: f64) -> Estimate {
        Estimate {
            mean,
            se: half / crate::stats::interval::NORMAL_975,
            ci95: [mean - half, mean + half],
            anytime95: [mean - wide, mean + wide],
        }
    }

    #[test]
    fn an_axis_holds_every_fixed_interval() {
        let list = [
            estimate(0.1, 0.02, 0.05),
            estimate(-0.2, 0.01, f64::INFINITY),
        ];
        let axis = Axis::over(list.iter()).unwrap();
        for e in &list {
            for v in [e.mean, e.ci95[0], e.ci95[1]] {
                assert!((0..20).contains(&axis.column(v, 20)));
            }
        }
        assert!(axis.column(0.1, 20) > axis.column(-0.2, 20));
        assert_eq!(axis.column(f64::INFINITY, 20), 20);
    }

    #[test]
    fn odd_estimates_do_no_harm() {
        let none: [Estimate; 0] = [];
        assert_eq!(Axis::over(none.iter()), None);
        let nan = [estimate(f64::NAN, f64::NAN, f64::NAN)];
        assert_eq!(Axis::over(nan.iter()), None);
        let point = [estimate(0.3, 0.0, 0.0)];
        let axis = Axis::over(point.iter()).unwrap();
        assert!((0..9).contains(&axis.column(0.3, 9)));
    }
}
