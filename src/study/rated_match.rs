//! A match as the rating of one of its players has it.

use crate::game::Player;
use crate::library::names::fold;
use crate::review::figures::Figures;
use crate::review::report::TypeReport;
use crate::review::{Class, CubeErrors, Report};
use crate::sanitize;

/// A match of a player, who is the first of each pair.
#[derive(Clone, Debug, PartialEq)]
pub struct RatedMatch {
    /// The day it was played, as it is listed.
    pub date: String,
    /// The players, as the match has their names.
    pub players: [String; 2],
    /// Key that all spellings of the opponent's name share.
    pub opponent: String,
    /// The event; empty where nothing is known of it.
    pub event: String,
    /// Points the match is played to, 0 for money.
    pub length: u16,
    /// Points at the end.
    pub score: [u32; 2],
    /// The player's figures.
    pub figures: Figures,
    /// The opponent's PR.
    pub opponent_pr: Option<f64>,
    /// The player's luck less the opponent's, in games with a result: a chance to win, or for money points.
    pub net_luck: f64,
    /// The result less that luck.
    pub luck_adjusted_result: f64,
    /// The player's decisions by kind of position.
    pub types: Vec<TypeReport>,
    /// The player's errors in cube decisions, of each kind that could be made.
    pub cube_errors: Vec<CubeErrors>,
}

impl RatedMatch {
    /// The match of the player on this side of a reviewed one.
    pub fn of(report: &Report, date: &str, whose: Player) -> Self {
        let [own, other] = [whose.index(), whose.other().index()];
        let (player, opponent) = (&report.players[own], &report.players[other]);
        Self {
            date: date.to_owned(),
            players: [player.name.clone(), opponent.name.clone()],
            opponent: fold(&opponent.name),
            event: sanitize::clean(report.event.as_deref().unwrap_or_default()).into_owned(),
            length: report.length,
            score: [report.score[own], report.score[other]],
            figures: player.figures,
            opponent_pr: opponent.figures.pr,
            net_luck: player.net_luck(),
            luck_adjusted_result: player.luck_adjusted_result,
            types: player.types.clone(),
            cube_errors: player.cube_errors.clone().unwrap_or_default(),
        }
    }

    /// PR of the decisions of a class.
    pub fn pr_of(&self, class: Class) -> Option<f64> {
        self.figures.pr_counted_of(class).pr(self.length)
    }

    /// PR of all cube decisions.
    pub fn cube_pr(&self) -> Option<f64> {
        let mut both = self.figures.pr_counted_of(Class::Double);
        let takes = self.figures.pr_counted_of(Class::Take);
        both.decisions += takes.decisions;
        both.error += takes.error;
        both.pr(self.length)
    }
}
