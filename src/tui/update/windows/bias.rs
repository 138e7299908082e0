//! The window that says what deeper play would change of a rollout.

use ratatui::layout::Rect;

use super::window::Window;
use crate::rollout::bias_check::{BiasCheck, BiasEstimate};
use crate::rollout::{CandidateResult, RolloutResult};
use crate::stats::interval::half_width;
use crate::tui::rollouts::inquiry::Inquiry;
use crate::tui::rollouts::jobs::{DecisionKey, Job, JobState};
use crate::tui::screen::units::Scale;
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::window::{rows, window};
use crate::tui::windows::overlay::Overlay;

const WIDTH: u16 = 74;
/// Columns of the names of plays.
const NAME: usize = 24;

pub(super) struct Bias;

impl Window for Bias {
    fn draw(&self, paint: &mut Paint<'_>, screen: Rect, app: &App) {
        let Some(Overlay::Bias {
            inquiry: inquiry @ Inquiry::Bias { state, job },
        }) = &app.overlay
        else {
            return;
        };
        let answer = app.inquiries.about(inquiry);
        let found = answer.and_then(|answer| answer.bias.as_deref());
        let job = app.jobs.about_by_id(DecisionKey::of(state), *job);
        let (Some(found), Some(job)) = (found, job) else {
            let area = window(paint, screen, (WIDTH, 5), "bias check", "");
            let failure = answer.and_then(|answer| answer.failure.as_deref());
            let words = failure.unwrap_or(match job.map(|job| &job.state) {
                Some(JobState::Queued) => "the rollout waits for its turn: it has no games yet",
                _ => "analysing games of the rollout …",
            });
            let lines = text::wrap(words, usize::from(area.width), 5);
            for (row, line) in (0u16..).zip(&lines) {
                paint.line(area, row, &[(line, Role::OverlayMuted)]);
            }
            return;
        };
        let going_on = answer.is_some_and(|a| !a.is_done);
        let side = format!(
            "played {}-ply, analysed {}-ply, {} games each{}",
            job.settings.ply,
            found.ply,
            found.trials,
            if going_on { " …" } else { "" }
        );
        let pane = Pane {
            job,
            found,
            scale: app.scale_of(job),
        };
        let table = pane.table();
        let words = pane.words();
        let lines = text::wrap(&words, usize::from(WIDTH), 8);
        let height = (table.len() + 1 + lines.len()) as u16;
        let area = window(paint, screen, (WIDTH, height), "bias check", &side);
        for (row, (line, role)) in (0u16..).zip(&table) {
            paint.line(area, row, &[(line, *role)]);
        }
        let below = rows(area, table.len() as u16 + 1, lines.len() as u16);
        for (row, line) in (0u16..).zip(&lines) {
            paint.line(below, row, &[(line, Role::Overlay)]);
        }
    }
}

struct Pane<'a> {
    job: &'a Job,
    found: &'a BiasCheck,
    scale: Scale,
}

impl Pane<'_> {
    fn result(&self) -> Option<&RolloutResult> {
        self.job.result().map(|r| &**r)
    }

    fn candidate(&self, i: usize) -> Option<&CandidateResult> {
        self.result()?.candidates.get(i).filter(|c| c.trials > 0)
    }

    /// What deeper play would add to the equity of the player whose figures are shown, in points.
    fn gain(&self, estimate: BiasEstimate) -> BiasEstimate {
        match self.job.decision.is_flipped() {
            true => estimate.flipped(),
            false => estimate,
        }
    }

    /// The candidates, best first.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.found.candidates()).collect();
        let mean = |i: usize| {
            let candidate = self.candidate(i);
            candidate.map_or(f64::NEG_INFINITY, |c| c.equity.mean)
        };
        if !self.job.is_cube_decision() {
            order.sort_by(|&i, &j| mean(j).total_cmp(&mean(i)));
        }
        order
    }

    /// A row for each play: what was rolled out, and what deeper play adds to it.
    fn table(&self) -> Vec<(String, Role)> {
        let head = format!(
            "{}{:>10}{:>8}{:>16}{:>8}",
            text::fit("", NAME),
            self.scale.name(),
            "±95",
            "deeper play",
            "±95"
        );
        let mut rows = vec![(head, Role::OverlayMuted)];
        for i in self.order() {
            let gain = self.gain(self.found.of(i));
            let rolled = self.candidate(i).map(|c| c.equity);
            let rolled = rolled.map(|e| [self.scale.value(e.mean), self.scale.half(e.ci95)]);
            let [value, half] = rolled.unwrap_or_default();
            let row = format!(
                "{}{value:>10}{half:>8}{:>16}{:>8}",
                text::fit(&self.job.name(i), NAME),
                self.scale.difference(gain.mean),
                self.scale.half(gain.ci95),
            );
            rows.push((row, Role::Overlay));
        }
        rows
    }

    /// Says what the found changes mean.
    fn words(&self) -> String {
        let (decisions, changed) = (self.found.decisions, self.found.changed);
        let share = 100.0 * changed as f64 / (decisions.max(1)) as f64;
        let mut words = format!(
            "Looked at one ply deeper, {share:.0}% of {} decisions would change. ",
            text::count(decisions as f64)
        );
        words += &match &*self.order() {
            [best, next, ..] if !self.job.is_cube_decision() => self.verdict(*best, *next),
            _ => String::new(),
        };
        words
            + "The interval of a rollout holds for games played as they were; this estimate, with its \
                 interval, is of what play one ply deeper would add, which may be wrong as well."
    }

    /// Whether the best play stays better than the next.
    fn verdict(&self, best: usize, next: usize) -> String {
        let (Some(a), Some(b)) = (self.candidate(best), self.candidate(next)) else {
            return String::new();
        };
        // Of a comparison the difference and its interval are known.
        let compared = self.result().and_then(|result| result.compared(best, next));
        let (rolled, spread) = match compared {
            Some(difference) => (difference.mean, half_width(difference.ci95)),
            None => (
                a.equity.mean - b.equity.mean,
                half_width(a.equity.ci95).hypot(half_width(b.equity.ci95)),
            ),
        };
        let gain = self.gain(self.found.of_difference(best, next));
        if !gain.ci95[0].is_finite() {
            return String::new();
        }
        let (sum, radius) = (rolled + gain.mean, spread.hypot(half_width(gain.ci95)));
        let [a, b] = [best, next].map(|i| self.job.name(i));
        let figures = format!(
            "{a} − {b} is {} ± {}, now {}",
            self.scale.difference(sum),
            self.scale.half([sum - radius, sum + radius]),
            self.scale.difference(rolled),
        );
        match (sum - radius > 0.0, sum + radius < 0.0) {
            (true, _) => format!("With deeper play {figures}: the order stands. "),
            (_, true) => format!("With deeper play {figures}: the order turns. "),
            _ => format!("With deeper play {figures}: the order stays open. "),
        }
    }
}
