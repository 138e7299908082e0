//! Games that were given up, in a report.

use serde::{Deserialize, Serialize};

use super::{GameReport, MoveReport, Report, ReportSide, signed};
use crate::game::Player;
use crate::grid::Grid;
use crate::review::marks::{Mark, Thresholds};
use crate::review::{MatchTurn, Resignation};

/// What a resignation gave up. Equities are those of the player who resigned, in points on the cube, in a match
/// at the score (EMG).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResignationReport {
    /// Points conceded, cube included.
    pub points: u32,
    /// What the game was worth, played on.
    pub cubeful_equity: f64,
    /// What it was given up for.
    pub conceded: f64,
    /// Who gave something away: by resigning, or by accepting too little.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<ReportSide>,
    /// How much, in points on the cube.
    pub given_away: f64,
    /// How bad that is.
    pub mark: Mark,
}

impl ResignationReport {
    pub(super) fn new(turn: &MatchTurn, resignation: &Resignation, lines: &Thresholds) -> Self {
        let given_away = resignation.given_away(turn.before.player);
        let amount = given_away.map_or(0.0, |(_, amount)| amount);
        Self {
            points: resignation.points,
            cubeful_equity: f64::from(resignation.value),
            conceded: f64::from(resignation.conceded),
            by: given_away.map(|(player, _)| player.into()),
            given_away: f64::from(amount),
            mark: Mark::of(amount, lines),
        }
    }

    /// What was given away and by whom, where something was: `Ben gives away 0.350 by resigning`.
    fn words(&self, resigner: ReportSide, names: [&str; 2]) -> Option<String> {
        let by = self.by?;
        let how = match Player::from(by) == Player::from(resigner) {
            true => "resigning",
            false => "accepting",
        };
        let (name, amount) = (names[by.index()], self.given_away);
        Some(format!("{name} gives away {amount:.3} by {how}"))
    }
}

impl Report {
    /// What a resignation gave away and by whom, in words; `None` of any other move, and where nothing was.
    #[must_use]
    pub fn resignation_words(&self, one: &MoveReport) -> Option<String> {
        let names = self.players.each_ref().map(|p| p.name.as_str());
        one.resignation.as_ref()?.words(one.player, names)
    }
}

/// The resignations that gave something away, a row each; nothing where none did.
pub(super) fn grid(report: &Report) -> Option<Grid> {
    let names = report.players.each_ref().map(|p| p.name.as_str());
    let mut grid = Grid::new(&["game.move", "resigns", "for", "worth", "by", "", ""]);
    for (number, one) in moves(report) {
        let Some(given_up) = &one.resignation else {
            continue;
        };
        let Some(words) = report.resignation_words(one) else {
            continue;
        };
        grid.row(vec![
            format!("{number}.{}", one.number),
            names[one.player.index()].to_owned(),
            signed(given_up.conceded, 3),
            signed(given_up.cubeful_equity, 3),
            format!("{}-ply", one.ply),
            given_up.mark.sign().to_owned(),
            words,
        ]);
    }
    (grid.rows().len() > 1).then_some(grid)
}

/// Every move with the number of its game.
fn moves(report: &Report) -> impl Iterator<Item = (u32, &MoveReport)> {
    fn of_game(game: &GameReport) -> impl Iterator<Item = (u32, &MoveReport)> {
        game.moves.iter().map(|one| (game.number, one))
    }
    report.games.iter().flat_map(of_game)
}
