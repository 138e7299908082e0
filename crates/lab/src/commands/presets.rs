//! `luckless-lab presets`: counts the close decisions that each preset decides, and its cost.

use anyhow::Result;

use super::common::setup;
use crate::cli::common::options::count;
use crate::cli::common::output;
use crate::cli::common::usage::refused;
use crate::experiments::match_decisions::{self, MatchDecision};
use crate::grid::Grid;
use crate::rollout::{
    Estimate, RolloutPreset, Settings, Setup, Status, StopReason, cpu_seconds, run_blocking,
};
use crate::stats::interval::NORMAL_975;

/// How many of ten decisions of matches each preset decides between the two best plays, and the cost
#[derive(Debug, clap::Args)]
pub(super) struct Presets {
    /// Trials of each play at most, if fewer than the preset has
    #[arg(long, value_name = "N", default_value = "5184", value_parser = count::<u64>(36))]
    most: u64,
    /// Only the preset of this name
    #[arg(long, value_name = "NAME", value_parser = RolloutPreset::ALL.map(|preset| preset.name))]
    only: Option<String>,
}

impl Presets {
    pub(super) fn run(&self) -> Result<()> {
        let setup = setup();
        let all = match_decisions::bundled();
        let headings = [
            "preset",
            "position",
            "away, cube",
            "trials",
            "CPU s",
            "lead",
            "verdict",
        ];
        let mut table = Grid::new(&headings);
        let mut sums = Grid::new(&[
            "preset",
            "separated",
            "too close",
            "open",
            "CPU s",
            "median",
        ]);
        let wanted = |p: &&RolloutPreset| self.only.as_ref().is_none_or(|only| only == p.name);
        for preset in RolloutPreset::ALL.iter().filter(wanted) {
            let mut runs = Vec::new();
            for decision in &all {
                let run = self.roll_out(&setup, preset, decision)?;
                table.row(run.row(preset, decision));
                runs.push(run);
            }
            sums.row(sum(preset, &mut runs));
        }
        output::text(&format!("{table}\n{sums}"))
    }

    fn roll_out(
        &self,
        setup: &Setup,
        preset: &RolloutPreset,
        decision: &MatchDecision,
    ) -> Result<Run> {
        let mut settings = Settings {
            cube: Some(decision.cube()),
            ..Settings::default()
        };
        let plays = &decision.candidates[..2];
        preset.apply(&mut settings, plays.len());
        settings.stop.trials = settings.stop.trials.min(self.most);
        let began = cpu_seconds();
        let result = run_blocking(setup, plays, &settings, &mut |_| true).map_err(refused)?;
        let difference = result.difference.unwrap_or_default();
        Ok(Run {
            seconds: cpu_seconds() - began,
            trials: difference.trials,
            lead: difference.equity,
            reason: match result.status {
                Status::Done(reason) => reason,
                _ => StopReason::Trials,
            },
        })
    }
}

/// Result of a rollout of two plays.
struct Run {
    seconds: f64,
    trials: u64,
    /// Equity of the first play minus that of the second.
    lead: Estimate,
    reason: StopReason,
}

impl Run {
    fn row(&self, preset: &RolloutPreset, decision: &MatchDecision) -> Vec<String> {
        let best = usize::from(self.lead.mean < 0.0);
        let verdict = match self.reason {
            StopReason::Separated => "is better",
            StopReason::Equivalent => "leads, too close to matter",
            _ => "leads, not decided",
        };
        vec![
            preset.name.to_owned(),
            decision.kind.clone(),
            decision.score(),
            self.trials.to_string(),
            format!("{:.1}", self.seconds),
            format!("{:+.4} ± {:.4}", self.lead.mean, NORMAL_975 * self.lead.se),
            format!("{} {verdict}", decision.plays[best]),
        ]
    }
}

/// Returns a table row for all decisions of a preset.
fn sum(preset: &RolloutPreset, runs: &mut [Run]) -> Vec<String> {
    let count = |reason| runs.iter().filter(|run| run.reason == reason).count();
    let (separated, close) = (count(StopReason::Separated), count(StopReason::Equivalent));
    let open = runs.len() - separated - close;
    let seconds: f64 = runs.iter().map(|run| run.seconds).sum();
    runs.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    let median = runs.get(runs.len() / 2).map_or(0.0, |run| run.seconds);
    vec![
        preset.name.to_owned(),
        separated.to_string(),
        close.to_string(),
        open.to_string(),
        format!("{seconds:.0}"),
        format!("{median:.1}"),
    ]
}
