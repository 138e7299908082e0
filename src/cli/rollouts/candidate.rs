//! The figures of a candidate and of a difference, as printed.

use serde::Serialize;

use crate::cli::common::output::{self, chance_right, percent};
use crate::cube::dahl::States;
use crate::rollout::{
    CandidateResult, CubeSeen, DifferenceResult, ErrorMethod, Estimate, ExtremeTrial, FamilyResult,
    MwcLine, RolloutResult,
};
use crate::stats::interval::half_width;

/// One candidate as printed.
#[derive(Serialize)]
pub(crate) struct CandidateDocument {
    pub(crate) play: Option<String>,
    equity: f64,
    se: f64,
    ci95: [f64; 2],
    anytime95: [f64; 2],
    trials: u64,
    equivalent_trials: f64,
    win: f64,
    win_gammon: f64,
    win_backgammon: f64,
    lose_gammon: f64,
    lose_backgammon: f64,
    plain: PlainDocument,
    /// Which estimator the standard errors come from.
    error_method: ErrorMethod,
    /// Where variance-reduced results are bounded.
    nonasymptotic95: Option<[f64; 2]>,
    /// Standard errors of the five chances, in their order.
    chances_se: [f64; 5],
    chances_ci95: [[f64; 2]; 5],
    /// Variance of a single trial.
    variance: f64,
    extreme_trials: Vec<ExtremeTrial>,
    pub(crate) p_best: f64,
    /// The candidate lost a race of three plays or more.
    #[serde(skip_serializing_if = "Option::is_none")]
    out: Option<bool>,
    /// Cube statistics of a cubeful rollout.
    #[serde(skip_serializing_if = "Option::is_none")]
    cube: Option<CubeSeen>,
    /// Equities on a cube of 1 by its state, with a settlement limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<States<State>>,
    /// The equity as a chance to win the match, in a cubeful rollout at a score.
    #[serde(skip_serializing_if = "Option::is_none")]
    mwc: Option<ChanceDocument>,
}

#[derive(Serialize)]
struct ChanceDocument {
    value: f64,
    se: f64,
    ci95: [f64; 2],
}

#[derive(Clone, Copy, Serialize)]
struct State {
    equity: f64,
    se: f64,
    ci95: [f64; 2],
    anytime95: [f64; 2],
}

/// The result without variance reduction.
#[derive(Serialize)]
struct PlainDocument {
    equity: f64,
    se: f64,
    ci95: [f64; 2],
    nonasymptotic95: [f64; 2],
    variance: f64,
}

impl CandidateDocument {
    pub(crate) fn new(play: Option<String>, candidate: &CandidateResult) -> Self {
        // Nothing is known before the first trial; JSON says null for what is no number.
        let begun = |x: f64| if candidate.trials > 0 { x } else { f64::NAN };
        let [win, gammon, backgammon, lose_gammon, lose_backgammon] =
            candidate.probabilities.map(|e| begun(e.mean));
        Self {
            play,
            equity: begun(candidate.equity.mean),
            se: candidate.equity.se,
            ci95: candidate.equity.ci95,
            anytime95: candidate.equity.anytime95,
            trials: candidate.trials,
            equivalent_trials: candidate.equivalent_trials,
            win,
            win_gammon: gammon,
            win_backgammon: backgammon,
            lose_gammon,
            lose_backgammon,
            plain: PlainDocument {
                equity: begun(candidate.plain.mean),
                se: candidate.plain.se,
                ci95: candidate.plain.ci95,
                nonasymptotic95: candidate.plain_nonasymptotic95,
                variance: candidate.variances[0],
            },
            error_method: candidate.error_method,
            nonasymptotic95: candidate.nonasymptotic95,
            chances_se: candidate.probabilities.map(|e| e.se),
            chances_ci95: candidate.probabilities.map(|e| e.ci95),
            variance: candidate.variances[1],
            extreme_trials: candidate.extremes.clone(),
            p_best: begun(candidate.p_best),
            out: None,
            cube: candidate.cube,
            states: candidate.states.map(|states| {
                states.map(|e| State {
                    equity: begun(e.mean),
                    se: e.se,
                    ci95: e.ci95,
                    anytime95: e.anytime95,
                })
            }),
            mwc: None,
        }
    }

    /// This candidate as one of several, at its `place` among them.
    pub(crate) fn of_family(mut self, family: Option<&FamilyResult>, place: usize) -> Self {
        self.out = family.map(|family| family.is_out(place));
        self
    }

    /// This candidate with its match-winning chance.
    pub(crate) fn at_score(mut self, mwc: Option<MwcLine>) -> Self {
        self.mwc = mwc.map(|mwc| ChanceDocument {
            value: mwc.at(self.equity),
            se: mwc.point * self.se,
            ci95: self.ci95.map(|end| mwc.at(end)),
        });
        self
    }

    /// Returns the remark that the figures need.
    pub(crate) fn remark(&self) -> Option<String> {
        let (name, trials) = (self.name(), self.trials);
        let is_passed = self.cube.is_some_and(|cube| cube.passed == trials);
        Some(match self.error_method {
            ErrorMethod::Constant if is_passed => format!(
                "{name}: all {trials} trials ended with the same pass, and are as sure as that: --bias-check looks at \
                 it more deeply\n"
            ),
            ErrorMethod::Constant => format!(
                "{name}: all {trials} trials ended alike; the interval allows for endings \
                 not seen yet\n"
            ),
            ErrorMethod::Rare => format!(
                "{name}: hardly any of {trials} trials differed from those with the same first roll; the \
                 interval allows for other endings\n"
            ),
            ErrorMethod::NotEstimated => format!(
                "{name}: no equity of its own, since trials ended where the games became identical \
                 (--difference-only)\n"
            ),
            _ => return None,
        })
    }

    fn name(&self) -> String {
        self.play.clone().unwrap_or_else(|| "(to roll)".to_owned())
    }

    /// Headings of [`CandidateDocument::state_cells`].
    pub(crate) const STATES: [&'static str; 9] = [
        "play", "no cube", "±95%", "centred", "±95%", "own", "±95%", "theirs", "±95%",
    ];

    /// The states of the cube as a row of a table, if they were estimated.
    pub(crate) fn state_cells(&self) -> Option<Vec<String>> {
        let States {
            centred,
            own,
            other,
        } = self.states?;
        let mut cells = vec![self.name()];
        let cubeless = (self.equity, self.ci95);
        let states = [centred, own, other].map(|state| (state.equity, state.ci95));
        for (equity, interval) in std::iter::once(cubeless).chain(states) {
            cells.push(output::points(equity));
            cells.push(error(half_width(interval)));
        }
        Some(cells)
    }

    /// Headings of [`CandidateDocument::cells`].
    pub(crate) const HEADINGS: [&'static str; 10] = [
        "play", "equity", "se", "±95%", "anytime", "win", "gammon", "lose g", "plain", "P(best)",
    ];

    /// Columns that a narrow terminal can do without, the first ones first.
    pub(crate) const LEAST: [&'static str; 3] = ["se", "lose g", "plain"];

    /// The candidate as a row of a table.
    pub(crate) fn cells(&self) -> Vec<String> {
        vec![
            self.name(),
            output::points(self.equity),
            error(self.se),
            error(half_width(self.ci95)),
            error(half_width(self.anytime95)),
            percent(self.win),
            percent(self.win_gammon),
            percent(self.lose_gammon),
            output::points(self.plain.equity),
            chance_right(self.p_best),
        ]
    }
}

/// An error of an estimate, or a dash while there is none.
pub fn error(error: f64) -> String {
    if error.is_finite() {
        format!("{error:.4}")
    } else {
        "–".to_owned()
    }
}

/// An estimate with its errors, for people.
pub(crate) fn estimate(e: &Estimate) -> String {
    let mean = output::points(e.mean);
    format!(
        "{mean} ± {} (anytime ± {})",
        error(half_width(e.ci95)),
        error(half_width(e.anytime95))
    )
}

/// A difference with its errors, for people: the anytime-valid one is that of the verdict.
pub(crate) fn difference_text(d: &DifferenceResult) -> String {
    let mean = output::points(d.equity.mean);
    // Under rules that look at results both intervals are one.
    let fixed = match d.equity.ci95 == d.equity.anytime95 {
        true => String::new(),
        false => format!(" ± {}", error(half_width(d.equity.ci95))),
    };
    format!("{mean}{fixed} (anytime ± {})", error(d.decisive_half()))
}

/// The largest cubes, for people.
pub(crate) fn cubes(result: &RolloutResult) -> Option<String> {
    let cubes = result.candidates.iter().filter_map(|s| s.cube);
    let largest = cubes.map(|c| c.largest).max()?;
    Some(format!("largest cube {largest}"))
}

/// The difference of two plays as printed.
#[derive(Serialize)]
pub(crate) struct DifferenceDocument {
    equity: f64,
    se: f64,
    ci95: [f64; 2],
    anytime95: [f64; 2],
    correlation: f64,
    plain_correlation: f64,
    equivalent_trials: f64,
    independent_trials: f64,
    coalesced: u64,
    error_method: ErrorMethod,
    variance: f64,
    nonasymptotic95: Option<[f64; 2]>,
    trials: u64,
}

impl DifferenceDocument {
    pub(crate) fn new(d: &DifferenceResult) -> Self {
        Self {
            equity: if d.trials > 0 {
                d.equity.mean
            } else {
                f64::NAN
            },
            se: d.equity.se,
            ci95: d.equity.ci95,
            anytime95: d.equity.anytime95,
            correlation: d.correlation,
            plain_correlation: d.plain_correlation,
            equivalent_trials: d.equivalent_trials,
            independent_trials: d.independent_trials,
            coalesced: d.coalesced,
            error_method: d.error_method,
            variance: d.variance,
            nonasymptotic95: d.nonasymptotic95,
            trials: d.trials,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The interval from single trials is not symmetric: the verdict goes by one end of it.
    #[test]
    fn the_error_of_a_difference_is_the_one_of_its_verdict() {
        let difference = DifferenceResult {
            trials: 72,
            equity: Estimate {
                mean: -0.2,
                se: 0.05,
                ci95: [-0.3, -0.1],
                anytime95: [-0.506, -0.058],
            },
            ..DifferenceResult::default()
        };
        let text = difference_text(&difference);
        assert_eq!(text, "-0.2000 ± 0.1000 (anytime ± 0.1420)");
        let verdict = difference.verdict(["a", "b"], false, 0.005);
        assert!(verdict.sentence.contains("0.200 ± 0.142"));
    }
}
