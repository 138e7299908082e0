//! The window of rollouts: what it has found of those that are kept, whatever position they are of.

use crate::game::Position;
use crate::rollout::{LuckKind, Settings};
use crate::tui::rollouts::job::Job;

/// The rollouts that are kept.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KeptList {
    /// The rollouts, the last saved first.
    pub rows: Vec<KeptListRow>,
    pub total: usize,
}

/// A rollout that is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptListRow {
    /// The day on which it was saved last.
    pub day: String,
    /// The position with its dice, as an identifier.
    pub id: String,
    /// The roll.
    pub dice: Option<String>,
    /// What was found; `None` where another version, net or table played the trials.
    pub best: Option<KeptBest>,
    /// What was rolled out: the positions after plays or cube actions, or the position itself.
    pub candidates: Vec<Position>,
    /// Trials of each.
    pub trials: u64,
    /// How they were played, with nothing left `auto`.
    pub settings: Box<Settings>,
}

impl KeptListRow {
    /// Whether both are the same rollout, whatever it has come to.
    pub fn is_same(&self, other: &Self) -> bool {
        let is_alike = || self.settings.lasting() == other.settings.lasting();
        self.id == other.id && self.candidates == other.candidates && is_alike()
    }

    /// Whether this is what a rollout of the session has come to; `id` is that of its decision.
    pub fn is_of(&self, job: &Job, id: &str) -> bool {
        if self.id != id || self.candidates.len() != job.plays.len() {
            return false;
        }
        let (own, mut kept) = (job.settings.lasting(), self.settings.lasting());
        // What is left open there is chosen when the rollout begins.
        let is_open = |kind| matches!(kind, LuckKind::Auto | LuckKind::Lookahead(None));
        if is_open(own.luck) {
            kept.luck = own.luck;
        }
        if is_open(own.ranks.by) {
            kept.ranks.by = own.ranks.by;
        }
        let is_there = |result: &Position| job.place(result).is_some();
        own == kept && self.candidates.iter().all(is_there)
    }
}

/// The best of a rollout.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptBest {
    /// The play or cube action; none where the position itself was rolled out.
    pub play: Option<String>,
    /// Equity in points, at a score EMG.
    pub equity: f64,
    /// Half of the fixed-sample 95% interval.
    pub half: f64,
    /// A pass, or a play after which every trial ended with a pass.
    pub is_passed: bool,
}
