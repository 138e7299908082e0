//! The review of a match as a document: plain data that can be kept, printed and drawn without the
//! match it came from.
//!
//! [`build::build`] makes it; [`text`], [`markdown`] and [`html`] write it out. The names of the fields are
//! the machine output's: see `docs/reference/json-keys.tsv`.

mod annotations;
mod bars;
pub mod build;
mod by_type;
pub(crate) mod chart;
pub mod context;
pub(crate) mod decision_text;
mod dice;
pub(crate) mod html;
pub(crate) mod markdown;
mod moves_html;
pub(crate) mod others;
pub(crate) mod position_card;
mod resignations;
mod restored;
mod rows;
mod said_html;
pub(crate) mod side_by_side;
mod style;
#[cfg(test)]
pub(crate) mod testing;
pub(crate) mod text;
mod variation_lines;
mod warning;
pub(crate) mod wire;
mod wrong_choices;

use serde::{Deserialize, Serialize};

use super::figures::{Figures, Rate};
use super::marks::{Mark, Thresholds, reaches};
use super::{CubeErrors, PositionType};
use crate::cube::{CubeChoice, CubeDecision, cube_words};
use crate::eval::Probabilities;
use crate::game::{GameState, Player};
use crate::notation::xgid_text;
use crate::stats::interval::informative;

pub use others::{OtherFigures, OtherOpinion};
pub use resignations::ResignationReport;
pub use warning::ReportWarning;

/// Text of an interval that excludes no possible value: the gains of the games differ too much.
/// Many games may do so, and a few may not.
pub const SAYS_NOTHING: &str = "too wide";

/// A review.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The file, if it was read from one.
    pub file: Option<String>,
    /// Name of the file's format.
    pub format: String,
    /// Points the match is played to, 0 for money.
    pub length: u16,
    /// When it was played, as the file says.
    pub date: Option<String>,
    /// The event, as the file says.
    pub event: Option<String>,
    /// The rules beside those of the format: a GNUBG ID does not hold them all.
    #[serde(default, skip_serializing_if = "RulesReport::is_usual")]
    pub rules: RulesReport,
    /// Name of the evaluator.
    pub engine: String,
    /// Plies at most.
    pub ply: u8,
    /// Name of the match equity table.
    pub table: String,
    /// From which loss on a decision is marked as what. What is kept or printed as JSON has the standard lines: only
    /// a page of the workstation has others.
    #[serde(skip)]
    pub thresholds: Thresholds,
    /// The rollouts after lookahead, if any were requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rollouts: Option<RolloutsReport>,
    /// Points of left and right at the end.
    pub score: [u32; 2],
    /// The match was played to its end; a money session always is.
    pub complete: bool,
    /// Left and right.
    pub players: [PlayerReport; 2],
    pub games: Vec<GameReport>,
    /// The faults of the file.
    pub warnings: Vec<ReportWarning>,
}

/// The rules of a match or a money session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RulesReport {
    /// Money play: gammons count only after the cube was turned.
    pub jacoby: bool,
    /// Money play: a double may be beavered.
    pub beavers: bool,
    /// A match without the Crawford rule.
    pub no_crawford: bool,
}

impl RulesReport {
    /// Returns whether all rules are the usual ones.
    fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

/// One player's match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerReport {
    pub name: String,
    /// Decisions and rolls.
    #[serde(flatten)]
    pub figures: Figures,
    /// The result: the chance to win the match at the final score (1 or 0 when it is over), or points
    /// in money play.
    pub result: f64,
    /// The result less the player's luck, plus the opponent's: right on average (see
    /// `docs/methods/review-statistics.md`), so it may lie outside what a result can be.
    pub luck_adjusted_result: f64,
    /// Its standard error, from how the games differ; `None` with fewer than two.
    pub luck_adjusted_se: Option<f64>,
    /// 95% interval around it.
    pub luck_adjusted_ci95: Option<[f64; 2]>,
    /// Result by the errors alone: the value before the first game plus the opponent's errors less the player's,
    /// in games with a result.
    pub result_by_errors: f64,
    /// Where it was lost, by kind of position: those in which anything was decided.
    #[serde(default)]
    pub types: Vec<TypeReport>,
    /// Errors in cube decisions, of each kind that could be made. A review that was kept before has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cube_errors: Option<Vec<CubeErrors>>,
    /// Figures of another program that analysed the match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<OtherFigures>,
}

/// A player's decisions in one kind of position.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TypeReport {
    #[serde(rename = "type")]
    pub kind: PositionType,
    /// Decisions with something to decide.
    pub decisions: u32,
    /// Points given away.
    pub error: f64,
    /// Loss as a chance to win the match, or in points with the cube counted.
    pub error_unnormalised: f64,
    pub blunders: u32,
    /// The rating of these decisions alone.
    pub pr: Option<f64>,
    /// Decisions that count for PR, and points given away in them.
    pub pr_counted: Rate,
}

/// The rollouts of a review.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RolloutsReport {
    /// Decisions rolled out.
    pub decisions: usize,
    /// Decisions worth it that the time left no room for.
    pub left: usize,
    /// Trials of each play.
    pub trials: u64,
    /// Trials of each side of a cube decision, which are played to the end.
    #[serde(default)]
    pub cube_trials: u64,
    /// Plies at which both sides play.
    pub ply: u8,
    /// Rolls after which a trial of a play is valued.
    pub horizon: u16,
    /// The limit of time, where there was one: how many decisions fit in then depends on the machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Least points of the errors that were rolled out, where it was those and not the closest decisions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub errors_from: Option<f32>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameReport {
    /// Number as written.
    pub number: u32,
    /// Points of left and right before it.
    pub score: [u16; 2],
    pub crawford: bool,
    /// Winner, if the game was finished.
    pub winner: Option<Player>,
    /// Points won.
    pub points: Option<u32>,
    /// Left's value of the match before the game: a chance, or 0 in money play.
    pub before: f64,
    /// Left's value of the match after the game, if it was played to its end; points of the game in money
    /// play.
    pub after: Option<f64>,
    /// Figures of left and right.
    pub players: [Figures; 2],
    /// Part of the game could not be read, so the luck of the rest is unknown.
    #[serde(default, rename = "cut", skip_serializing_if = "std::ops::Not::not")]
    pub is_cut: bool,
    /// Everything that was decided.
    pub moves: Vec<MoveReport>,
}

impl GameReport {
    /// Returns left's gain in the game less the luck of both, if it was read whole and played to its end.
    pub(crate) fn luck_adjusted_gain(&self) -> Option<f64> {
        if self.is_cut {
            return None;
        }
        let [left, right] = &self.players;
        let gain = self.after? - self.before;
        Some(gain - left.luck_unnormalised + right.luck_unnormalised)
    }
}

/// Something a player did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveReport {
    /// Number within the game.
    pub number: u32,
    pub player: Player,
    /// The state before it, the player who decides on roll; without a roll at a cube action.
    #[serde(flatten, with = "wire::state")]
    pub state: GameState,
    /// The play, or the cube action; `None` if nobody knows.
    pub played: Option<String>,
    /// The best choice.
    pub best: Option<String>,
    /// Points given away by it.
    pub error: Option<f64>,
    /// Loss as a chance to win the match, or in points with the cube counted.
    pub error_unnormalised: Option<f64>,
    /// How bad that is.
    pub mark: Option<Mark>,
    /// There was no choice.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub forced: bool,
    /// The play counts for PR, by all its plays, of which not all are listed.
    /// Absent without a play, and in older stored reviews.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_pr: Option<bool>,
    /// Luck of the roll in points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luck: Option<f64>,
    /// Luck as a chance, or in points with the cube counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luck_unnormalised: Option<f64>,
    /// Left's chance to win the match (in money play: left's equity with the cube counted) before
    /// the roll or the cube action.
    pub value: Option<f64>,
    /// Plies behind the best figures.
    pub ply: u8,
    /// Trials of each play, where the figures of the first plays are a rollout's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trials: Option<u64>,
    #[serde(rename = "type", default)]
    pub kind: PositionType,
    /// The best plays and the one made, best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<CandidateReport>,
    /// The cube decision, where there was one; with dice, the one before the roll.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cube: Option<CubeReport>,
    /// Points that a resignation gave up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resignation: Option<ResignationReport>,
    /// Another program's opinion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<OtherOpinion>,
    /// The file's remark about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// The user's note about it. Not stored with a review: notes have a store of their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// How many variations of it the user has kept, if any. Kept as the notes are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variations: Option<u32>,
    /// The first of these variations in words, a line each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variation_lines: Vec<String>,
}

impl MoveReport {
    /// A cube action or play of it as players say it: a player who doubles with a cube of their own redoubles.
    pub fn spoken<'a>(&self, name: &'a str) -> &'a str {
        cube_words(name, &self.state)
    }

    /// Returns the roll as text, empty at a cube action.
    pub(super) fn dice_text(&self) -> String {
        self.state
            .roll
            .map_or_else(String::new, |roll| roll.to_string())
    }

    /// Returns the cube decision that the move is, or the `silent` one before its roll.
    pub(crate) fn cube_at(&self, silent: bool) -> Option<&CubeReport> {
        (self.cube.as_ref()).filter(|_| self.state.roll.is_some() == silent)
    }

    /// Returns what was done and what would have been best as players say it. `silent`: before the roll.
    pub(super) fn played_and_best(&self, silent: bool) -> [&str; 2] {
        let names = match self.cube_at(true).filter(|_| silent) {
            Some(cube) => [Some(cube.choice.name()), Some(&*cube.best)],
            None => [self.played.as_deref(), self.best.as_deref()],
        };
        names.map(|name| self.spoken(name.unwrap_or("–")))
    }
}

impl Report {
    /// Describes the loss of a resignation and who bears it.
    /// `None` for another move, and without a loss.
    pub fn resignation_words(&self, one: &MoveReport) -> Option<String> {
        let side = one.player.index();
        let names = [side, 1 - side].map(|side| self.players[side].name.as_str());
        one.resignation.as_ref()?.words(names)
    }
}

/// A play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CandidateReport {
    pub play: String,
    /// Its place among all plays, from 1. `None` of the play that was made if it is not among the first
    /// [`RANKED_PLAYS`](build::RANKED_PLAYS).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<u32>,
    /// Its equity with the cube counted, in a match at the score. A review that was kept under the name
    /// of before is read as well.
    #[serde(alias = "equity")]
    pub cubeful_equity: f64,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub made: bool,
    /// Plies behind the figures, or behind the choice of what was rolled out.
    pub ply: u8,
    /// Trials behind the figures, where they are a rollout's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trials: Option<u64>,
    /// Standard error of the equity then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub se: Option<f64>,
    /// Half the width of its fixed-sample 95% interval. A review that was kept before has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub half_width: Option<f64>,
    /// Cubeless chances.
    #[serde(flatten)]
    pub chances: Probabilities,
}

/// A cube decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CubeReport {
    /// The choice made.
    #[serde(with = "wire::choice")]
    pub choice: CubeChoice,
    /// The best choice.
    pub best: String,
    /// Points given away.
    pub error: f64,
    /// Loss as a chance, or in points with the cube counted.
    pub error_unnormalised: f64,
    /// How bad that is.
    pub mark: Mark,
    /// It counts as a decision: see `docs/methods/review-statistics.md`.
    pub counts: bool,
    /// Plies behind the figures.
    pub ply: u8,
    /// Trials of each side of the decision, where the figures are a rollout's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trials: Option<u64>,
    /// Standard errors then, of no double and of double and take.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub se: Option<[f64; 2]>,
    /// Half the widths of their fixed-sample 95% intervals. A review that was kept before has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub half_widths: Option<[f64; 2]>,
    /// Value of each action to the doubler.
    #[serde(flatten)]
    pub decision: CubeDecision,
}

/// A decision that went wrong, by its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DecisionPlace {
    /// Place in [`Report::games`].
    pub game: usize,
    /// Place in [`GameReport::moves`].
    pub index: usize,
    /// The silent cube decision before the roll.
    pub silent: bool,
    /// Points given away.
    pub error: f64,
}

impl Report {
    /// Decisions that gave away at least `least` points, the worst first; those of one player, if
    /// one is named.
    pub fn worst(&self, least: f64, whose: Option<Player>) -> Vec<DecisionPlace> {
        let mut all = Vec::new();
        for (game, report) in self.games.iter().enumerate() {
            for (index, one) in report.moves.iter().enumerate() {
                if whose.is_some_and(|side| side != one.player) {
                    continue;
                }
                let mut add = |silent, error: Option<f64>| {
                    if let Some(error) = error.filter(|&error| reaches(error as f32, least as f32))
                    {
                        all.push(DecisionPlace {
                            game,
                            index,
                            silent,
                            error,
                        });
                    }
                };
                add(true, one.cube_at(true).map(|cube| cube.error));
                add(false, one.error);
            }
        }
        all.sort_by(|a, b| b.error.total_cmp(&a.error));
        all
    }

    pub fn at(&self, place: &DecisionPlace) -> (&GameReport, &MoveReport) {
        let game = &self.games[place.game];
        (game, &game.moves[place.index])
    }

    /// Returns the state of a decision: without dice, if it is the cube decision before the roll.
    pub fn state_at(&self, place: &DecisionPlace) -> GameState {
        let mut state = self.at(place).1.state;
        state.roll = state.roll.filter(|_| !place.silent);
        state
    }

    /// Returns the XGID of a decision.
    pub fn identifier(&self, place: &DecisionPlace) -> String {
        xgid_text(&self.state_at(place))
    }

    /// Returns the names of left and right.
    pub fn names(&self) -> [&str; 2] {
        self.players.each_ref().map(|player| player.name.as_str())
    }

    pub fn is_money(&self) -> bool {
        self.length == 0
    }

    /// Returns whether the rules allow a beaver.
    pub fn has_beavers(&self) -> bool {
        self.is_money() && self.rules.beavers
    }

    /// The smallest loss in lists of errors, in points: what is marked as doubtful.
    pub fn least_listed(&self) -> f64 {
        f64::from(self.thresholds.doubtful)
    }

    /// `7 point match` or `money session`.
    pub fn kind(&self) -> String {
        match self.length {
            0 => "money session".to_owned(),
            n => format!("{n} point match"),
        }
    }

    /// A value of the match as text: a chance in percent, or points in money play.
    pub fn value_text(&self, value: f64) -> String {
        value_text(self.is_money(), value)
    }

    /// An interval of a value of the match as text. The mean of a chance lies between 0 and 1, whatever its
    /// estimate is, so what lies outside is left off.
    pub fn interval_text(&self, [low, high]: [f64; 2]) -> String {
        if self.is_money() {
            return format!("{} … {}", self.value_text(low), self.value_text(high));
        }
        match informative([low, high], [0.0, 1.0]) {
            None => SAYS_NOTHING.to_owned(),
            Some([low, high]) => format!("{} … {}", self.value_text(low), self.value_text(high)),
        }
    }

    /// A difference of two values of the match as text, signed.
    pub fn change_text(&self, difference: f64) -> String {
        change_text(self.is_money(), difference)
    }

    /// A loss of value of the match as text, without a sign.
    pub fn lost(&self, loss: f64) -> String {
        self.change_text(loss).trim_start_matches('+').to_owned()
    }
}

impl MoveReport {
    /// Returns the source of the verdict on the play or the action: `2-ply`, or `rollout`.
    pub fn source(&self, silent: bool) -> String {
        match self.cube_at(silent) {
            Some(cube) => source(cube.ply, cube.trials),
            None => source(self.ply, self.trials),
        }
    }
}

/// Returns the source of figures: `2-ply`, or `rollout`.
fn source(ply: u8, trials: Option<u64>) -> String {
    match trials {
        Some(_) => "rollout".to_owned(),
        None => format!("{ply}-ply"),
    }
}

/// A value of a match as text: a chance in percent, or points in money play.
pub fn value_text(is_money: bool, value: f64) -> String {
    match is_money {
        true => signed(value, 3),
        false => format!("{:.1}%", 100.0 * value),
    }
}

/// A difference of two values of a match as text, signed.
pub fn change_text(is_money: bool, difference: f64) -> String {
    match is_money {
        true => signed(difference, 3),
        false => format!("{}%", signed(100.0 * difference, 2)),
    }
}

/// A number with its sign, and zero without a minus.
pub fn signed(value: f64, digits: usize) -> String {
    let text = format!("{value:+.digits$}");
    if text.trim_start_matches(['-', '0', '.']).is_empty() {
        text.replacen('-', "+", 1)
    } else {
        text
    }
}
