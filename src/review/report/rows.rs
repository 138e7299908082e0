//! The table of a report: a row for each figure, and a column for each player.

use super::others::OtherFigures;
use super::{PlayerReport, signed};
use crate::grid::Grid;

/// The table that is being made: a row for each figure and a column for each player.
pub(super) struct Rows<'a> {
    pub(super) grid: Grid,
    pub(super) players: &'a [PlayerReport; 2],
}

impl Rows<'_> {
    /// Adds a figure of both players.
    pub(super) fn row(&mut self, name: &str, of: &dyn Fn(&PlayerReport) -> String) {
        self.both(name, self.players.each_ref().map(of));
    }

    /// Adds what is known of left and of right.
    pub(super) fn both(&mut self, name: &str, [left, right]: [String; 2]) {
        self.grid.row(vec![name.to_owned(), left, right]);
    }
}

/// Adds what another program makes of the players. Where the file has its analysis of few decisions it is said of how
/// many.
pub(super) fn others(rows: &mut Rows<'_>) {
    let mut programs = rows.players.iter().filter_map(|p| p.other.as_ref());
    let Some(program) = programs.next().map(|o| &o.program) else {
        return;
    };
    let of = |p: &PlayerReport, f: fn(&OtherFigures) -> Option<String>| {
        let told = p.other.as_ref().and_then(f);
        told.unwrap_or_else(|| "–".to_owned())
    };
    if rows.players.iter().any(is_analysed_in_part) {
        rows.row(&format!("{program}: decisions"), &|p| {
            of(p, |o| Some(o.pr_counted.decisions.to_string()))
        });
    }
    rows.row(&format!("{program}: PR"), &|p| {
        of(p, |o| Some(format!("{:.2}", o.pr?)))
    });
    rows.row(&format!("{program}: error total"), &|p| {
        of(p, |o| Some(format!("{:.3}", o.error_total)))
    });
    rows.row(&format!("{program}: luck, points"), &|p| {
        of(p, |o| Some(signed(o.luck?, 3)))
    });
}

/// Returns whether the file analyses clearly fewer of a player's decisions than count.
fn is_analysed_in_part(player: &PlayerReport) -> bool {
    let counted = player.figures.pr_counted.decisions;
    let other = player.other.as_ref();
    other.is_some_and(|other| 10 * other.pr_counted.decisions < 9 * counted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::figures::Rate;

    /// A rating from one decision of a match is not taken for that of the match.
    #[test]
    fn a_file_that_is_analysed_in_part_says_of_how_many_decisions() {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/sample_matches/clara-dev-3pt.mat"
        );
        let record = crate::match_file::read(std::path::Path::new(path)).unwrap();
        let mut report = crate::review::report::testing::reviewed(&record, 0);
        let counted = report.players[0].figures.pr_counted;
        let few = Rate {
            decisions: 1,
            ..counted
        };
        for (pr_counted, is_said) in [(counted, false), (few, true)] {
            let figures = OtherFigures {
                program: "Other".to_owned(),
                pr_counted,
                ..OtherFigures::default()
            };
            report
                .players
                .iter_mut()
                .for_each(|p| p.other = Some(figures.clone()));
            let said = crate::review::report::text::players(&report, report.names()).to_string();
            assert_eq!(said.contains("Other: decisions"), is_said, "{said}");
        }
    }
}
