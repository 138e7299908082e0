//! Ranges of numbers, as `>0.05` or `2..5`.

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    low: f32,
    high: f32,
    /// The lower and the upper end are included.
    closed: [bool; 2],
}

/// Returns whether a number is in one of the ranges.
pub(super) fn within(ranges: &[Range], number: f32) -> bool {
    ranges.iter().any(|range| range.has(number))
}

impl Range {
    /// The range from `low` to `high`, both included.
    pub fn between(low: f32, high: f32) -> Self {
        Self {
            low,
            high,
            closed: [true; 2],
        }
    }

    /// The range of an operator and a number; `None` if the operator is unknown.
    pub fn of(operator: &str, number: f32) -> Option<Self> {
        let all = Self::between(f32::NEG_INFINITY, f32::INFINITY);
        Some(match operator {
            ">" => Self {
                low: number,
                closed: [false, true],
                ..all
            },
            ">=" => Self { low: number, ..all },
            "<" => Self {
                high: number,
                closed: [true, false],
                ..all
            },
            "<=" => Self {
                high: number,
                ..all
            },
            ":" | "=" => Self::between(number, number),
            _ => return None,
        })
    }

    /// Returns whether a number is in the range, with a tolerance for single precision.
    pub fn has(&self, number: f32) -> bool {
        const NEAR: f32 = 1e-5;
        let above = match self.closed[0] {
            true => number >= self.low - NEAR,
            false => number > self.low + NEAR,
        };
        let below = match self.closed[1] {
            true => number <= self.high + NEAR,
            false => number < self.high - NEAR,
        };
        above && below
    }
}
