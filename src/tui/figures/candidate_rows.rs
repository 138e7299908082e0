//! The rows of the candidate list: plays with the best figures there are, in a steady order.
//!
//! Rolled-out plays come first, then those of the greatest ply, and so on down: figures of
//! different depths are ranked among each other only where the reader wants it so. While a rollout runs the order changes
//! only when a new one has held for some time, so that rows do not move under the reader's eyes.

use crate::eval::Candidate;
use crate::game::Position;
use crate::rollout::{CandidateResult, Standing};
use crate::tui::documents::picks;
use crate::tui::rollouts::jobs::{DecisionKey, JobPlay};
use crate::tui::rollouts::rolled_plays::RolledPlay;
use crate::tui::screen::units::Scale;
use crate::tui::state::App;
use crate::tui::text;

/// A play within so many points of the best is worth a rollout of its own accord.
const WORTH_ROLLING_WITHIN: f64 = 0.05;
/// Most plays that are worth a rollout of their own accord.
const MOST_PLAYS: usize = 5;

/// Where a row's figures come from, deepest last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FigureSource {
    /// n-ply evaluation.
    Ply(u8),
    Rollout,
}

impl FigureSource {
    /// The source in one or two characters: plies, or `R` for a rollout.
    pub fn text(self) -> String {
        match self {
            Self::Ply(n) => n.to_string(),
            Self::Rollout => "R".into(),
        }
    }
}

#[derive(Clone, Debug)]
pub struct CandidateRow {
    /// The play with its evaluation.
    pub candidate: Candidate,
    /// Where the figures come from.
    pub level: FigureSource,
    /// Equity in points.
    pub equity: f64,
    /// Equity less that of the best play (0 for that one).
    pub difference: f64,
    /// `[win, win_gammon, win_backgammon, lose_gammon, lose_backgammon]`.
    pub chances: [f64; 5],
    /// The rollout's figures.
    pub rolled: Option<CandidateResult>,
    /// The best play there is.
    pub is_best: bool,
    /// The play that was made.
    pub is_played: bool,
    /// Chosen for a rollout.
    pub is_marked: bool,
    /// Its figures are of a rollout without the cube, so that it does not compare with the
    /// evaluations, which have it.
    pub is_cubeless: bool,
    /// Plies and truncation of the rollout that its figures are of.
    pub rolled_at: Option<(u8, Option<u16>)>,
    /// Its standing beside the best play, by the best founded rollout with both; `None` without one of its depth.
    pub standing: Option<Standing>,
    /// First of its level, below another level.
    pub starts_level: bool,
    /// Of another level than the best play, or of a rollout of another depth, so that the difference compares unlike
    /// with like.
    pub is_across: bool,
    /// Of the two one is without the cube and the other with it: no difference means anything.
    pub is_unlike: bool,
}

impl CandidateRow {
    /// The play as a candidate of a rollout.
    pub fn job_play(&self) -> JobPlay {
        JobPlay {
            play: self.candidate.play,
            result: self.candidate.result,
        }
    }

    /// The units of its figures on the screen's `scale`.
    pub fn scale(&self, scale: &Scale) -> Scale {
        match self.is_cubeless {
            true => scale.without_score(),
            false => *scale,
        }
    }

    /// The difference as written: nothing for the best play, and where the figures do not compare.
    pub fn difference_text(&self, scale: &Scale) -> String {
        // The head of the column has the unit.
        let size = self.scale(scale).label(self.difference);
        let size = size.trim_end_matches('%');
        match self.difference {
            _ if self.is_best || self.is_unlike => String::new(),
            less if less < 0.0 => format!("-{size}"),
            more if more > 0.0 => format!("+{size}"),
            _ => size.to_owned(),
        }
    }
}

/// The plays `r` takes: those marked, or else the best, the one played and those within reach.
pub fn worth_rolling(rows: &[CandidateRow]) -> Vec<JobPlay> {
    let marked: Vec<&CandidateRow> = rows.iter().filter(|r| r.is_marked).collect();
    let chosen = if marked.is_empty() {
        let near = |r: &&CandidateRow| !r.starts_level && r.difference >= -WORTH_ROLLING_WITHIN;
        let top = rows.first().map(|r| r.level);
        let mut near: Vec<&CandidateRow> = rows
            .iter()
            .take_while(|r| Some(r.level) == top)
            .filter(near)
            .take(MOST_PLAYS)
            .collect();
        let best_and_next = rows.iter().take(2);
        for row in best_and_next.chain(rows.iter().filter(|r| r.is_played)) {
            if !near
                .iter()
                .any(|r| r.candidate.result == row.candidate.result)
            {
                near.push(row);
            }
        }
        near
    } else {
        marked
    };
    chosen.iter().map(|r| r.job_play()).collect()
}

/// The source of a play's figures and its equity in points, where rollouts rank these plays.
pub(crate) fn figures(ranked: &[RolledPlay<'_>], candidate: &Candidate) -> (FigureSource, f64) {
    match ranked.iter().find(|play| play.result == candidate.result) {
        Some(play) => (FigureSource::Rollout, play.equity),
        None => (
            FigureSource::Ply(candidate.ply),
            f64::from(candidate.equity),
        ),
    }
}

/// The rows of the decision in view, as shown.
pub fn rows(app: &App) -> Vec<CandidateRow> {
    let mut rows = ordered(app);
    leave_picked(app, &mut rows);
    rows
}

/// All rows in the order in which they are shown, whatever was clicked on the board.
pub fn ordered(app: &App) -> Vec<CandidateRow> {
    let mut rows = ranked(app);
    if app.options.by_equity && !app.options.hidden {
        let order = app.ranking.by_equity();
        rows.sort_by_key(|row| order.iter().position(|r| *r == row.candidate.result));
        rows.iter_mut().for_each(|row| row.starts_level = false);
    }
    rows
}

/// Leaves only the plays that do what was clicked on the board.
fn leave_picked(app: &App, rows: &mut Vec<CandidateRow>) {
    let picks = &app.selection.picks;
    let Some(turn) = app.turn().filter(|_| !picks.is_empty()) else {
        return;
    };
    rows.retain(|row| picks::fits(picks, &turn.before.state.position, &row.candidate));
    let is_parted = !app.options.by_equity && !app.options.hidden;
    let levels: Vec<FigureSource> = rows.iter().map(|row| row.level).collect();
    for (i, row) in rows.iter_mut().enumerate() {
        row.starts_level = is_parted && i > 0 && levels[i - 1] != row.level;
    }
}

/// The rows of the decision in view, the deepest figures first.
pub fn ranked(app: &App) -> Vec<CandidateRow> {
    let decision = app.decision().filter(|d| d.state().roll.is_some());
    let (Some(decision), Some(review)) = (decision, app.review()) else {
        return Vec::new();
    };
    let played = review.played.map(|i| review.candidates[i].result);
    let rolled = app.jobs.ranked_plays(decision);
    let mut rows: Vec<CandidateRow> = Vec::with_capacity(review.candidates.len());
    for result in app.ranking.by_depth() {
        let Some(candidate) = review.candidates.iter().find(|c| c.result == *result) else {
            continue;
        };
        rows.push(row(app, decision, candidate, &rolled, played));
    }
    if app.options.hidden {
        let before = decision.state().position;
        rows.sort_by_cached_key(|r| text::play(&r.candidate.play, &before));
        return rows;
    }
    relate(&mut rows);
    compare(app, decision, &mut rows);
    rows
}

/// Fills in the standing of each rolled-out play beside the best one.
fn compare(app: &App, decision: DecisionKey, rows: &mut [CandidateRow]) {
    let Some(best) = rows.iter().find(|r| r.is_best).map(|r| r.candidate.result) else {
        return;
    };
    for row in rows.iter_mut() {
        if row.level == FigureSource::Rollout && !row.is_best && !row.is_across {
            row.standing = Some(app.jobs.standing(decision, &best, &row.candidate.result));
        }
    }
}

fn row(
    app: &App,
    decision: DecisionKey,
    candidate: &Candidate,
    ranked: &[RolledPlay<'_>],
    played: Option<Position>,
) -> CandidateRow {
    let (level, equity) = figures(ranked, candidate);
    let by = ranked.iter().find(|play| play.result == candidate.result);
    let rollout = by.map(|play| (play.job, play.figures));
    let rollout = rollout.or_else(|| app.jobs.newest_rollout_of(decision, &candidate.result));
    let rolled = rollout.map(|(_, figures)| figures.clone());
    let depth = rollout.map(|(job, _)| (job.settings.ply, job.settings.horizon));
    let chances = match &rolled {
        Some(s) if level == FigureSource::Rollout => s.probabilities.map(|e| e.mean),
        _ => candidate.probabilities.to_array().map(f64::from),
    };
    CandidateRow {
        candidate: *candidate,
        level,
        equity,
        difference: 0.0,
        chances,
        rolled,
        is_best: false,
        is_played: played == Some(candidate.result),
        is_marked: app.is_marked(&candidate.result),
        is_cubeless: level == FigureSource::Rollout
            && app
                .jobs
                .comparable(decision)
                .next()
                .is_some_and(|j| !j.is_cubeful()),
        rolled_at: depth.filter(|_| level == FigureSource::Rollout),
        standing: None,
        starts_level: false,
        is_across: false,
        is_unlike: false,
    }
}

/// Fills in what a row is to the others.
fn relate(rows: &mut [CandidateRow]) {
    // The order holds for a moment while a rollout runs, and the sign of the best play with it.
    let Some(leader) = rows.first().cloned() else {
        return;
    };
    let top = leader.level;
    for i in 0..rows.len() {
        rows[i].difference = rows[i].equity - leader.equity;
        if rows[i].level == top && top != FigureSource::Rollout {
            // A tie that goes by cubeless equity may be behind by a trifle.
            rows[i].difference = rows[i].difference.min(0.0);
        }
        rows[i].is_across = rows[i].level != top || leader.rolled_at != rows[i].rolled_at;
        rows[i].is_unlike = leader.is_cubeless != rows[i].is_cubeless;
        rows[i].starts_level = i > 0 && rows[i - 1].level != rows[i].level;
        rows[i].is_best = i == 0;
    }
}
