//! The rollouts of the selected cell of the matrix, in words.

use super::Pane;
use crate::analysis::Cell;
use crate::tui::figures::rolled_cells::{of_cube, of_play, with_cube};
use crate::tui::rollouts::inquiry::decision_at;
use crate::tui::rollouts::jobs::Job;
use crate::tui::text;

impl Pane<'_> {
    /// What the rollouts of the selected cell have found, a piece each for what it is and for each choice. Of several
    /// rollouts each has the plays whose figures it gives, the one with the best play first.
    pub(super) fn rollout_words(&self, cell: &Cell) -> Vec<Vec<String>> {
        let decision = decision_at(&self.state, cell);
        if self.state.roll.is_none() {
            let words = of_cube(self.app, decision).and_then(cube_words);
            return words.into_iter().collect();
        }
        let mut all: Vec<(f64, Vec<String>)> = with_cube(self.app, decision)
            .filter_map(|job| {
                let is_its = |result: &_| {
                    of_play(self.app, decision, result).is_some_and(|found| found.id == job.id)
                };
                let plays = job.plays.iter().enumerate();
                let plays = plays.filter(|(_, play)| is_its(&play.result));
                let values = plays.filter_map(|(i, play)| Some((i, job.equity_of(&play.result)?)));
                let mut values: Vec<(usize, f64)> = values.collect();
                values.sort_by(|a, b| b.1.total_cmp(&a.1));
                Some((values.first()?.1, words(job, &values)?))
            })
            .collect();
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        all.into_iter().map(|(_, words)| words).collect()
    }
}

/// Words for both sides of a cube decision.
fn cube_words(job: &Job) -> Option<Vec<String>> {
    let candidates = job.result()?.candidates.iter().enumerate();
    let rolled = candidates.filter(|(_, c)| c.trials > 0);
    let values: Vec<(usize, f64)> = rolled.map(|(i, c)| (i, c.equity.mean)).collect();
    words(job, &values)
}

/// Words for a rollout, and for these of its choices with their values.
fn words(job: &Job, values: &[(usize, f64)]) -> Option<Vec<String>> {
    let candidates = &job.result()?.candidates;
    let trials = text::count(job.trials_played() as f64);
    let still = if job.is_active() { " …" } else { "" };
    let ply = job.settings.ply;
    // Where trials are shared out it is the play with the most.
    let most = match candidates
        .windows(2)
        .all(|two| two[0].trials == two[1].trials)
    {
        true => "",
        false => "up to ",
    };
    let what = format!("rolled out ({ply}-ply, {most}{trials}{still}):");
    let choices = values.iter().filter_map(|(i, worth)| {
        let candidate = candidates.get(*i)?;
        // As in the pane, a pass of all trials has no interval.
        let error = match candidate.is_passed() {
            true => "pass".to_owned(),
            false => format!("±{}", text::half(candidate.equity.ci95)),
        };
        Some(format!("{} {error} {}", text::equity(*worth), job.name(*i)))
    });
    Some([what].into_iter().chain(choices).collect())
}
