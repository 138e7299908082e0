//! The rolls of each player.

use super::{Report, signed};
use crate::game::Roll;
use crate::grid::Grid;
use crate::notation::NO_PLAY;

/// Pips of a roll on average: 294 in 36, where a double counts four times.
pub(super) const MEAN_PIPS: f64 = 294.0 / 36.0;

/// A player's rolls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct DiceCounts {
    pub(super) rolls: u32,
    pub(super) doubles: u32,
    /// Of all of them.
    pub(super) pips: u32,
    /// Those that no checker could be moved with.
    pub(super) unplayable: u32,
}

impl DiceCounts {
    /// Counts the rolls of left and right.
    pub(super) fn of(report: &Report) -> [Self; 2] {
        let mut all = [Self::default(); 2];
        for one in report.games.iter().flat_map(|game| &game.moves) {
            let Some(roll) = one.state.roll else { continue };
            // What was played with it may be unknown.
            all[one.player.index()].add(roll, one.played.as_deref() == Some(NO_PLAY));
        }
        all
    }

    fn add(&mut self, roll: Roll, is_unplayable: bool) {
        self.rolls += 1;
        self.doubles += u32::from(roll.is_double());
        self.pips += roll.pips();
        self.unplayable += u32::from(is_unplayable);
    }

    /// Pips a roll; none without any.
    pub(super) fn mean_pips(&self) -> Option<f64> {
        (self.rolls > 0).then(|| f64::from(self.pips) / f64::from(self.rolls))
    }

    /// How many of the rolls were doubles, and which share.
    pub(super) fn doubles_text(&self) -> String {
        match self.rolls {
            0 => "–".to_owned(),
            rolls => {
                let share = 100.0 * f64::from(self.doubles) / f64::from(rolls);
                format!("{} ({share:.0}%)", self.doubles)
            }
        }
    }
}

/// Rolls in the table of those with the most luck.
const GREATEST: usize = 8;

/// The rolls that changed the result most, for the better or for the worse of who rolled them, of players called by these
/// names. The luck is in points on the cube, and as a chance to win the match or in points times the cube. `None` where
/// no luck is known.
pub(super) fn greatest(report: &Report, names: [&str; 2]) -> Option<Grid> {
    let moves = report.games.iter();
    let moves = moves.flat_map(|game| game.moves.iter().map(move |one| (game, one)));
    let lucky = moves.filter_map(|(game, one)| Some((one.luck_unnormalised?, game, one)));
    let mut lucky: Vec<_> = lucky.collect();
    lucky.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
    let change = if report.is_money() {
        "times the cube"
    } else {
        "MWC"
    };
    let mut grid =
        Grid::new(&["game.move", "player", "roll", "luck", change]).with_words(&["player"]);
    for (luck, game, one) in lucky.into_iter().take(GREATEST) {
        grid.row(vec![
            format!("{}.{}", game.number, one.number),
            names[one.player.index()].to_owned(),
            one.dice_text(),
            one.luck.map_or_else(String::new, |luck| signed(luck, 3)),
            report.change_text(luck),
        ]);
    }
    (grid.rows().len() > 1).then_some(grid)
}

/// The table of the rolls with the most luck with its heading; nothing where none is known.
pub(super) fn greatest_text(report: &Report) -> String {
    let grid = greatest(report, report.names());
    grid.map_or_else(String::new, |grid| format!("\n{GREATEST_HEADING}\n{grid}"))
}

/// Heading of the table of the rolls with the most luck.
pub(super) const GREATEST_HEADING: &str = "rolls with the most luck, good or bad";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::match_file::{Action, read_bytes};
    use crate::review::report::testing::reviewed;

    /// The same as in the file itself.
    #[test]
    fn rolls_are_counted_as_the_file_has_them() {
        let bytes = include_bytes!("../../../sample_matches/clara-dev-3pt.mat");
        let record = read_bytes(bytes, "clara.mat").unwrap();
        let events = record.games.iter().flat_map(|game| &game.events);
        let mut expected = [DiceCounts::default(); 2];
        for event in events {
            if let Action::Move { roll, play } = event.action {
                expected[event.player.index()].add(roll, play.is_empty());
            }
        }
        let found = DiceCounts::of(&reviewed(&record, 0));
        assert_eq!(found, expected);
        assert!(found.iter().all(|one| one.rolls > 90 && one.doubles > 5));
    }

    /// The roll that changed the chance to win most stands first, whatever it was in points.
    #[test]
    fn rolls_are_listed_by_what_they_changed() {
        let bytes = include_bytes!("../../../sample_matches/clara-dev-3pt.mat");
        let report = reviewed(&read_bytes(bytes, "clara.mat").unwrap(), 0);
        let grid = greatest(&report, ["●", "○"]).unwrap();
        let moves = report.games.iter().flat_map(|game| &game.moves);
        let most = moves.filter_map(|one| one.luck_unnormalised);
        let most = most.max_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap();
        assert_eq!(grid.rows().len(), GREATEST + 1);
        assert_eq!(grid.rows()[1][4], report.change_text(most));
        assert!(greatest_text(&report).contains("Clara"));
    }

    #[test]
    fn pips_of_all_rolls_are_on_average_what_is_said() {
        let mut all = DiceCounts::default();
        for (a, b) in (1..=6).flat_map(|a| (1..=6).map(move |b| (a, b))) {
            all.add(Roll::new(a, b).unwrap(), false);
        }
        assert_eq!(all.mean_pips(), Some(MEAN_PIPS));
        assert_eq!(all.doubles_text(), "6 (17%)");
        assert_eq!(DiceCounts::default().doubles_text(), "–");
    }
}
