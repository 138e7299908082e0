//! The columns of the list of candidates: one table, and which of them there is room for.

use crate::rollout::CandidateResult;
use crate::tui::figures::candidate_rows::{CandidateRow, FigureSource};
use crate::tui::screen::units::Scale;
use crate::tui::text;
use crate::tui::theme::Role;

/// A column behind the play.
pub(crate) struct Column {
    /// Its width; 0 where it is left out.
    pub(crate) width: fn(&Columns) -> u16,
    /// Its head, which may be left out while no play is rolled out.
    head: fn(&Columns, &Scale, bool) -> &'static str,
    /// What a row has there; none in the column of the axis that all plays share.
    pub(crate) text: Option<fn(&CandidateRow, &Columns, &Scale) -> String>,
    pub(crate) role: fn(&CandidateRow) -> Role,
}

/// All columns behind the play, from left to right. The equity comes first: a long play may take its place.
pub(crate) const COLUMNS: [Column; 7] = [
    Column {
        width: |c| match (c.only_chances, c.narrow) {
            (true, _) => 0,
            (_, true) => EQUITY,
            _ => 7,
        },
        head: |c, scale, _| if c.equity { scale.name() } else { "" },
        text: Some(|row, _, scale| scale.value(row.equity)),
        role: |row| {
            if row.is_best {
                Role::Strong
            } else {
                Role::Text
            }
        },
    },
    Column {
        width: |c| if c.only_chances { 0 } else { 7 },
        head: |_, scale, _| scale.head(),
        text: Some(|row, _, scale| row.difference_text(scale)),
        role: |_| Role::Muted,
    },
    Column {
        width: |c| if c.half { HALF } else { 0 },
        head: |_, _, is_rolled| if is_rolled { "±95" } else { "" },
        text: Some(|row, _, scale| of_rollout(row, |s| scale.half_of(s))),
        role: |_| Role::Interval,
    },
    Column {
        // With a gap before it.
        width: |c| if c.axis > 0 { c.axis + 1 } else { 0 },
        head: |_, _, is_rolled| if is_rolled { "  ├─●─┤" } else { "" },
        text: None,
        role: |_| Role::Text,
    },
    Column {
        width: |c| match c.chances || c.only_chances {
            true => heads_of_chances(c).len() as u16,
            false => 0,
        },
        head: |c, _, _| heads_of_chances(c),
        text: Some(|row, c, _| chances(row, c)),
        role: |_| Role::Text,
    },
    Column {
        width: |c| if c.trials { TRIALS } else { 0 },
        head: |_, _, is_rolled| if is_rolled { "trials" } else { "" },
        text: Some(|row, _, _| of_rollout(row, |s| text::count(s.trials as f64))),
        role: |_| Role::Muted,
    },
    Column {
        width: |c| if c.level { LEVEL } else { 0 },
        head: |_, _, _| "ply",
        text: Some(|row, _, _| level(row)),
        role: |_| Role::Muted,
    },
];

/// A figure of the rollout that ranks a row; nothing where none does.
fn of_rollout(row: &CandidateRow, figure: impl Fn(&CandidateResult) -> String) -> String {
    rolled(row).map_or_else(String::new, figure)
}

/// The rollout that ranks a row, if one does.
pub(crate) fn rolled(row: &CandidateRow) -> Option<&CandidateResult> {
    (row.rolled.as_ref()).filter(|_| row.level == FigureSource::Rollout)
}

/// The depth of the figures.
fn level(row: &CandidateRow) -> String {
    match (row.level, &row.rolled) {
        // Trials too few to rank by are under way.
        (FigureSource::Ply(_), Some(_)) => "…".to_owned(),
        (level, _) => level.text(),
    }
}

fn chances(row: &CandidateRow, columns: &Columns) -> String {
    let mut line = String::new();
    for (i, chance) in row.chances.iter().enumerate() {
        if columns.few && matches!(i, 2 | 4) {
            continue;
        }
        // Subtracted luck can leave less than nothing.
        let chance = if *chance > 0.0 { 100.0 * chance } else { 0.0 };
        let (width, decimals) = match (i, columns.decimals) {
            (_, 0) => (4, 0),
            (0, d) => (6, d),
            (_, d) => (5, d),
        };
        line.push_str(&format!("{chance:>width$.decimals$}"));
    }
    line
}

/// Columns of the depth.
const LEVEL: u16 = 4;
/// Columns of the equity where there is little room.
const EQUITY: u16 = 6;
/// Columns of the marks and a space, the equity and the difference.
const BASE: u16 = 4 + 7 + 7;
/// Columns of the half-width.
const HALF: u16 = 5;
/// Columns of all chances.
const CHANCES: u16 = 26;
const TRIALS: u16 = 7;

/// What decides about the columns of a list, beside the width of its pane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ListShape {
    /// Whether chances were asked for.
    pub(crate) chances: bool,
    /// Whether the list goes by equity, and tells the depth of each row.
    pub(crate) by_equity: bool,
    /// Columns of the shortest play.
    pub(crate) shortest: u16,
    /// Columns of the longest play.
    pub(crate) longest: u16,
}

impl ListShape {
    /// Columns of the depth, where each row tells it.
    fn level_columns(&self) -> u16 {
        if self.by_equity { LEVEL } else { 0 }
    }
}

/// Which columns there are, by the width of the pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Columns {
    pub(crate) play: u16,
    /// Chances take the place of the equities.
    pub(crate) only_chances: bool,
    /// Decimals of the chances.
    pub(crate) decimals: usize,
    /// Wins and gammons alone: there is no room for backgammons.
    pub(crate) few: bool,
    /// Little room: rules between the levels carry their names instead of a column.
    pub(crate) narrow: bool,
    /// Equities. With little room they give way to long plays: in the whole list, or in the rows of those plays
    /// where the list goes by equity. The difference keeps its column.
    pub(crate) equity: bool,
    pub(crate) half: bool,
    pub(crate) axis: u16,
    pub(crate) chances: bool,
    pub(crate) trials: bool,
    /// The depth of each row, where no rule between the levels tells it.
    pub(crate) level: bool,
}

impl Columns {
    /// The columns of such a list in a pane of this width.
    pub(crate) fn choose(width: u16, list: &ListShape) -> Self {
        let least = Self::least(width, list.by_equity);
        if list.chances && width < BASE + LEVEL + HALF + CHANCES + 14 {
            least.with_chances_alone(width, list)
        } else if least.narrow {
            least.with_equity_if_it_fits(list)
        } else {
            least.with_all_that_fits(width, list)
        }
    }

    /// The play and what stands beside it anywhere: marks, equity and difference.
    fn least(width: u16, level: bool) -> Self {
        Self {
            play: width.saturating_sub(BASE),
            only_chances: false,
            decimals: 1,
            few: false,
            narrow: width < BASE + LEVEL + HALF + 17,
            equity: true,
            half: false,
            axis: 0,
            chances: false,
            trials: false,
            level,
        }
    }

    /// Chances in place of the equities.
    fn with_chances_alone(self, width: u16, list: &ListShape) -> Self {
        // Wins and gammons alone or not, decimals, and the columns that takes: what leaves the plays their names.
        let forms = [
            (false, 1, CHANCES),
            (false, 0, 20),
            (true, 1, 16),
            (true, 0, 12),
        ];
        let mut wide_enough = forms.into_iter().filter(|form| form.0 || width >= 42);
        let fits =
            |form: &(bool, usize, u16)| width >= 4 + list.longest + form.2 + list.level_columns();
        let (few, decimals, chances) = wide_enough.find(fits).unwrap_or(forms[3]);
        Self {
            only_chances: true,
            few,
            decimals,
            play: width.saturating_sub(4 + chances + list.level_columns()),
            ..self
        }
    }

    /// Little room.
    fn with_equity_if_it_fits(self, list: &ListShape) -> Self {
        let play = self.play.saturating_sub(list.level_columns()) + 7 - EQUITY;
        // With a gap between the play and what follows.
        let play_needed = if list.by_equity {
            list.shortest
        } else {
            list.longest
        };
        Self {
            play,
            equity: play_needed < play,
            ..self
        }
    }

    fn with_all_that_fits(self, width: u16, list: &ListShape) -> Self {
        let mut columns = Self {
            half: true,
            level: true,
            ..self
        };
        let mut left = width - BASE - LEVEL - HALF;
        let mut take = |n: u16, keep: u16| {
            let fits = left >= n + keep;
            if fits {
                left -= n;
            }
            fits
        };
        columns.chances = (list.chances || width >= 76) && take(CHANCES, 14);
        columns.trials = take(TRIALS, 34);
        // An axis is worth more than room for the rare long play.
        if left >= 25 {
            columns.axis = (left - 25).max(8);
            columns.play = left - 1 - columns.axis;
        } else {
            columns.play = left;
        }
        columns
    }

    /// Whether the row of this play has its equity.
    pub(crate) fn has_equity(&self, play: &str) -> bool {
        // With a gap between the play and what follows.
        self.equity && (!self.narrow || text::width(play) < usize::from(self.play))
    }

    /// Columns of this play. In a narrow list a long one takes those of the equity; the difference stands in the same
    /// ones in each row.
    pub(crate) fn play_columns(&self, play: &str) -> u16 {
        match self.only_chances || self.has_equity(play) {
            true => self.play,
            false => self.play + EQUITY,
        }
    }
}

/// The heads of the columns; those of rollouts only where a play `is_rolled`.
pub(crate) fn heading(c: &Columns, scale: &Scale, is_rolled: bool) -> String {
    let mut line = format!("    {}", text::fit("play", usize::from(c.play)));
    for column in &COLUMNS {
        let (head, width) = ((column.head)(c, scale, is_rolled), (column.width)(c));
        line.push_str(&match column.text {
            Some(_) => text::fit_right(head, width.into()),
            None => text::fit(head, width.into()),
        });
    }
    line
}

/// Wins and losses, with the gammons (g) and backgammons (b) among each.
pub(crate) fn heads_of_chances(c: &Columns) -> &'static str {
    match (c.few, c.decimals) {
        (true, 0) => " win  wg  lg",
        (true, _) => "   win   wg   lg",
        (false, 0) => " win  wg  wb  lg  lb",
        (false, _) => "   win   wg   wb   lg   lb",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The columns for plays between these widths.
    fn columns(
        width: u16,
        chances: bool,
        by_equity: bool,
        [shortest, longest]: [u16; 2],
    ) -> Columns {
        let list = ListShape {
            chances,
            by_equity,
            shortest,
            longest,
        };
        Columns::choose(width, &list)
    }

    #[test]
    fn columns_fill_the_pane_and_never_more() {
        for width in 30..140u16 {
            for (chances, level) in [(false, false), (false, true), (true, false), (true, true)] {
                let c = columns(width, chances, level, [12; 2]);
                let head = text::width(&heading(&c, &Scale::CUBE, true)) as u16;
                assert!(head <= width, "{width} {chances} {level}: {head} {c:?}");
            }
        }
        let narrow = columns(32, false, false, [12; 2]);
        assert!(narrow.narrow && narrow.play == 15 && narrow.equity);
        assert!(!columns(32, false, false, [12, 15]).equity);
        // A list by equity has those of its short plays.
        let by_equity = columns(32, false, true, [7, 15]);
        assert!(by_equity.has_equity("8/5 6/5") && !by_equity.has_equity("24/23 13/10"));
        assert!(!columns(32, false, true, [11, 15]).equity);
        assert!(!columns(46, false, false, [12; 2]).narrow);
        assert!(columns(60, false, false, [12; 2]).axis >= 8);
    }

    /// A decimal tells plays apart that whole per cents do not, but it takes nothing from their names.
    #[test]
    fn chances_have_a_decimal_where_the_plays_leave_room() {
        let decimals = |width, longest| columns(width, true, false, [longest; 2]).decimals;
        assert_eq!([decimals(32, 12), decimals(32, 13)], [1, 0]);
        assert_eq!([decimals(44, 14), decimals(44, 15)], [1, 0]);
        assert_eq!([decimals(46, 16), decimals(46, 17)], [1, 0]);
        let long = columns(46, true, false, [30; 2]);
        assert!(long.few && long.play >= 30, "{long:?}");
    }
}
