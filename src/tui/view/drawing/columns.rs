//! Which columns the list of candidates has, and their heads.

use crate::tui::screen::units::Scale;
use crate::tui::text;

/// Columns of the depth.
const LEVEL: u16 = 4;
/// Columns of the equity where there is little room.
pub(crate) const EQUITY: u16 = 6;
/// Columns of the marks and a space, the equity and the difference.
const BASE: u16 = 4 + 7 + 7;
/// Columns of the half-width.
const HALF: u16 = 5;
/// Columns of all chances.
const CHANCES: u16 = 26;

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
        columns.trials = take(7, 34);
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

    /// Columns of this play in a narrow list. A long one takes those of the equity; the difference stands in the same
    /// ones in each row.
    pub(crate) fn play_columns(&self, play: &str) -> u16 {
        match self.has_equity(play) {
            true => self.play,
            false => self.play + EQUITY,
        }
    }
}

/// The heads of the columns; those of rollouts only where a play `is_rolled`.
pub(crate) fn heading(c: &Columns, scale: &Scale, is_rolled: bool) -> String {
    let mut line = format!("    {}", text::fit("play", usize::from(c.play)));
    let level = if c.level { " ply" } else { "" };
    if c.only_chances {
        line.push_str(heads_of_chances(c));
        line.push_str(level);
        return line;
    }
    let units = text::fit_right(scale.name(), 7);
    if c.narrow {
        let equity = match c.equity {
            true => scale.name(),
            false => "",
        };
        let equity = text::fit_right(equity, EQUITY.into());
        let difference = text::fit_right(scale.head(), 7);
        line.push_str(&format!("{equity}{difference}{level}"));
        return line;
    }
    let of_rollouts = |head| if is_rolled { head } else { "" };
    line.push_str(&format!("{units}{}", text::fit_right(scale.head(), 7)));
    line.push_str(&text::fit_right(of_rollouts("±95"), 5));
    if c.axis > 0 {
        line.push_str(&text::fit(of_rollouts("  ├─●─┤"), usize::from(c.axis) + 1));
    }
    if c.chances {
        line.push_str(heads_of_chances(c));
    }
    if c.trials {
        line.push_str(&text::fit_right(of_rollouts("trials"), 7));
    }
    line.push_str(level);
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
