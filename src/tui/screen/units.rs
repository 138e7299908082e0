//! Units in which equities are displayed.
//!
//! All computations use points of the present cube, in a match normalised to it (EMG). The user may prefer
//! match-winning chances, or in money play points multiplied by the cube. Both are linear in the equity, so intervals
//! are converted alike.

use crate::cube::{Cube, Model};
use crate::game::GameState;
use crate::rollout::CandidateResult;
use crate::stats::interval::half_width;
use crate::tui::text;

/// The selected units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Units {
    /// Points of the present cube; in a match normalised to it (EMG).
    #[default]
    Cube,
    /// Match-winning chance; in money play points multiplied by the cube.
    Whole,
}

impl Units {
    /// The other units.
    pub fn other(self) -> Self {
        match self {
            Self::Cube => Self::Whole,
            Self::Whole => Self::Cube,
        }
    }
}

/// Conversion of a decision's equities into displayed units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// Value of 0 points.
    zero: f64,
    /// Value of one additional point.
    point: f64,
    chances: bool,
    /// Whether results are multiplied by the cube, even if it is 1.
    whole: bool,
}

impl Scale {
    /// Points of the present cube.
    pub const CUBE: Self = Self {
        zero: 0.0,
        point: 1.0,
        chances: false,
        whole: false,
    };

    /// The scale for equities of the player on turn in `state`.
    pub fn new(units: Units, state: &GameState, model: &Model) -> Self {
        if units == Units::Cube {
            return Self::CUBE;
        }
        let context = model.context(state);
        let level = Cube::of(state).level;
        let value = |points| f64::from(context.from_points(level, points));
        Self {
            zero: value(0.0),
            point: value(1.0) - value(0.0),
            chances: !context.is_money(),
            whole: true,
        }
    }

    /// The scale for the other player.
    pub fn flipped(self) -> Self {
        let zero = if self.chances {
            1.0 - self.zero
        } else {
            -self.zero
        };
        Self { zero, ..self }
    }

    /// The equity that corresponds to a match-winning chance.
    pub fn of_chance(&self, chance: f64) -> f64 {
        (chance - self.zero) / self.point
    }

    /// The scale for a rollout without cube and score, from whose equities no match-winning chance follows.
    pub fn without_score(self) -> Self {
        if self.chances { Self::CUBE } else { self }
    }

    pub fn name(&self) -> &'static str {
        match (self.chances, self.whole) {
            (true, _) => "MWC",
            (_, false) => "equity",
            _ => "points",
        }
    }

    /// Heading of a column of differences without units.
    pub fn head(&self) -> &'static str {
        if self.chances { "diff %" } else { "diff" }
    }

    /// Returns whether these are points of the present cube.
    pub fn is_of_cube(&self) -> bool {
        !self.whole
    }

    /// Formats an equity: `+0.123`, or as a chance `52.13%`.
    pub fn value(&self, equity: f64) -> String {
        let value = self.zero + self.point * equity;
        if !value.is_finite() {
            "—".into()
        } else if self.chances {
            percent(100.0 * value)
        } else {
            points(value)
        }
    }

    /// Formats a difference without sign, for labels and sentences: `0.012`, or as a chance `0.62%`.
    pub fn label(&self, difference: f64) -> String {
        let size = self.size(difference);
        match size.starts_with('.') {
            true => format!("0{size}"),
            false => size,
        }
    }

    /// Formats the cost of an error with its unit: `0.012 points`, or as a chance `0.62%`.
    pub fn cost(&self, difference: f64) -> String {
        let label = self.label(difference);
        if self.chances {
            label
        } else {
            format!("{label} points")
        }
    }

    /// Formats a difference without sign, in five columns: `.012`, `154.2`, or as a chance `0.62%`.
    pub fn size(&self, difference: f64) -> String {
        let size = (self.point * difference).abs();
        if self.chances && size.is_finite() {
            signed(100.0 * size).trim_start_matches('+').to_owned()
        } else if size < LARGE || !size.is_finite() {
            text::small(size)
        } else {
            points(size).trim_start_matches('+').to_owned()
        }
    }

    /// Formats a difference with its sign.
    pub fn difference(&self, difference: f64) -> String {
        if !self.chances || !difference.is_finite() {
            return points(self.point * difference);
        }
        signed(100.0 * self.point * difference)
    }

    /// Writes the lead of a verdict in this unit. The verdict has it in points: `0.310 ± 0.120`.
    pub fn with_unit(&self, verdict: &str, by: Option<[f64; 2]>) -> String {
        let Some([lead, half]) = by else {
            return verdict.to_owned();
        };
        let [new_lead, new_half] = [lead, half].map(|v| match self.chances {
            true => format!("{:.2}%", self.stretch(v)),
            false => format!("{:.3}", self.stretch(v)),
        });
        let bare = format!("{lead:.3} ± {half:.3}");
        if verdict.contains(&bare) {
            return verdict.replace(&bare, &format!("{new_lead} ± {new_half}"));
        }
        verdict.replace(&format!("by {lead:.3}"), &format!("by {new_lead}"))
    }

    /// Converts a difference: to points, or to per cent of a chance.
    pub fn stretch(&self, difference: f64) -> f64 {
        self.point * difference * if self.chances { 100.0 } else { 1.0 }
    }

    /// Formats the ±95 of a rolled-out candidate in four columns: "pass" if every trial ended at once with a pass,
    /// because its interval then does not contain how sure the pass is.
    pub fn half_of(&self, rolled: &CandidateResult) -> String {
        match rolled.is_passed() {
            true => "pass".to_owned(),
            false => self.half(rolled.equity.ci95),
        }
    }

    /// Formats the same with its sign: "±.080", or "pass".
    pub fn interval_of(&self, rolled: &CandidateResult) -> String {
        let sign = if rolled.is_passed() { "" } else { "±" };
        format!("{sign}{}", self.half_of(rolled))
    }

    /// Formats the half-width of an interval in four columns.
    pub fn half(&self, interval: [f64; 2]) -> String {
        self.half_size(half_width(interval))
    }

    /// Formats a distance from a mean to an end of its interval in four columns.
    pub fn half_size(&self, half: f64) -> String {
        let half = self.point * half;
        match self.chances && half.is_finite() {
            true if half < 0.09995 => format!("{:.2}", 100.0 * half),
            true => format!("{:.1}", (100.0 * half).min(99.9)),
            false => text::half_size(half),
        }
    }
}

/// Formats a chance in per cent, in six columns.
fn percent(value: f64) -> String {
    let decimals = if value.abs() < 99.995 { 2 } else { 1 };
    format!("{value:.decimals$}%")
}

/// Formats a signed difference of chances in percentage points, in six columns.
fn signed(value: f64) -> String {
    let value = if value.abs() < 0.005 { 0.0 } else { value };
    let decimals = if value.abs() < 9.995 { 2 } else { 1 };
    format!("{value:+.decimals$}%")
}

/// From this size on, three decimals take too many columns.
const LARGE: f64 = 9.995;

/// Formats points in six columns, however large the cube.
fn points(value: f64) -> String {
    match value.abs() {
        size if size >= 999.5 => format!("{value:+.0}"),
        size if size >= 99.95 => format!("{value:+.1}"),
        size if size >= LARGE => format!("{value:+.2}"),
        _ => text::equity(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::EquityTable;
    use crate::game::{CubeOwner, MatchScore, Position};
    use crate::rollout::{CubeSeen, ErrorMethod, Status};
    use crate::tui::testing::made_up;

    fn state() -> GameState {
        GameState {
            cube: 2,
            owner: CubeOwner::Mover,
            ..GameState::money(Position::opening())
        }
    }

    /// A rollout whose trials all ended with a pass has no interval, wherever it is shown.
    #[test]
    fn a_pass_of_all_trials_stands_for_the_interval() {
        let scale = Scale::new(Units::Cube, &state(), Model::standard());
        let mut rolled = made_up(1, 144, Status::Running).candidates[0].clone();
        let half = scale.half_of(&rolled);
        assert_eq!(scale.interval_of(&rolled), format!("±{half}"));
        rolled.error_method = ErrorMethod::Constant;
        rolled.cube = Some(CubeSeen {
            passed: 144,
            ..CubeSeen::default()
        });
        assert_eq!(scale.half_of(&rolled), "pass");
        assert_eq!(scale.interval_of(&rolled), "pass");
    }

    #[test]
    fn money_counts_the_cube_in() {
        let scale = Scale::new(Units::Whole, &state(), Model::standard());
        assert_eq!(
            (scale.value(0.25), scale.name()),
            ("+0.500".into(), "points")
        );
        assert_eq!(scale.size(-0.01), ".020");
        // At a cube of 1 the figures are equal, but still labelled as the other units.
        let one = GameState {
            cube: 1,
            owner: CubeOwner::Centred,
            ..state()
        };
        let one = Scale::new(Units::Whole, &one, Model::standard());
        assert_eq!((one.value(0.25), one.name()), ("+0.250".into(), "points"));
        assert_eq!(scale.half([-0.03, 0.03]), ".060");
        let cube = Scale::new(Units::Cube, &state(), Model::standard());
        assert_eq!((cube.value(0.25), cube.name()), ("+0.250".into(), "equity"));
        assert_eq!(cube.difference(-0.0001), "+0.000");
        assert_eq!([cube.stretch(0.1), scale.stretch(0.1)], [0.1, 0.2]);
        for (value, text) in [(12.345, "+12.35"), (-123.45, "-123.5"), (2048.0, "+2048")] {
            assert_eq!(Scale::CUBE.value(value), text);
        }
        assert_eq!(Scale::CUBE.value(f64::NAN), "—");
        // However large the cube, no figure is truncated.
        for (size, text) in [
            (9.994, "9.994"),
            (51.2, "51.20"),
            (154.21, "154.2"),
            (1024.4, "1024"),
        ] {
            assert_eq!(Scale::CUBE.size(-size), text);
        }
        for (half, text) in [(9.994, "9.99"), (17.32, "17.3"), (1024.4, "1024")] {
            assert_eq!(Scale::CUBE.half([-half, half]), text);
        }
    }

    /// A point won or lost is shown as the resulting score.
    #[test]
    fn a_match_is_shown_in_chances() {
        let table = EquityTable::standard();
        let score = MatchScore {
            length: 7,
            mover: 2,
            opponent: 4,
            crawford: false,
        };
        let scale = Scale::new(
            Units::Whole,
            &GameState { score, ..state() },
            Model::standard(),
        );
        let percent = |mwc: f32| format!("{:.2}%", 100.0 * mwc);
        assert_eq!(scale.value(1.0), percent(table.chance(3, 3, false)));
        assert_eq!(scale.value(-1.0), percent(table.chance(5, 1, false)));
        let other = scale.flipped();
        assert_eq!(other.value(1.0), percent(table.chance(1, 5, false)));
        assert_eq!(scale.name(), "MWC");
        assert_eq!(scale.difference(0.0), "+0.00%");
        for points in [0.0, 0.013, -0.8, 4.0] {
            assert!(scale.difference(points).len() <= 6 && scale.size(points).len() <= 6);
        }
        let verdict = scale.with_unit("a leads by 0.130 ± 0.080: enough", Some([0.13, 0.08]));
        let [lead, half] = [0.13, 0.08].map(|v| format!("{:.2}%", scale.stretch(v)));
        assert_eq!(verdict, format!("a leads by {lead} ± {half}: enough"));
        assert_eq!(scale.half([0.0, f64::INFINITY]), "—");
        for half in [0.0001, 0.02, 0.4, 3.0] {
            assert!(scale.half([-half, half]).len() <= 4);
        }
    }
}
