//! What a comparison tells, in words: the same for every place that says it.

use super::result::{CandidateResult, DifferenceResult, FamilyResult, best_of};
use crate::rollout::request::coupling::Coupling;
use crate::stats::changes::ROUND_OFF;
use crate::stats::interval::{excludes_zero, half_width};
use crate::words;

/// What a comparison tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComparisonVerdict {
    /// Whether it is decided, by the interval that holds at all times: a reader may stop when he
    /// likes.
    pub decided: bool,
    /// Which play is better and by how much, without a full stop: "24/14 is better by 0.031 ±
    /// 0.013 (95%, anytime)". Behind ± stands half of the interval that is named after it.
    pub sentence: String,
    /// What the coupling of the dice was worth: "1,290 paired trials: as exact as 9,400
    /// independent ones". Empty while that cannot be said.
    pub work: String,
}

/// Fewest trials from which the gain by a coupling is shown.
const LEAST_TRIALS: u64 = 72;
/// Plays that differ by less, in points, are called level.
const TIED_WITHIN: f64 = 0.0005;

impl DifferenceResult {
    /// The verdict on two plays of these names. `plain`: no luck was subtracted.
    pub fn verdict(&self, names: [&str; 2], plain: bool) -> ComparisonVerdict {
        let [first, second] = names;
        let mean = self.equity.mean;
        let (better, worse, lead) = if mean >= 0.0 {
            (first, second, mean)
        } else {
            (second, first, -mean)
        };
        let within = |interval: [f64; 2], which: &str| {
            let half = half_width(interval);
            match half.is_finite() {
                true => format!("{lead:.3} ± {half:.3} (95%, {which})"),
                false => format!("{lead:.3}"),
            }
        };
        let by = within(self.equity.anytime95, "anytime");
        let decided = self.trials > 0 && excludes_zero(self.equity.anytime95);
        let sentence = if self.trials == 0 {
            "no trials yet".to_owned()
        } else if self.equity.anytime95 == [0.0; 2] {
            // A standard error of 0 is not enough: what has never varied has an allowance.
            "no difference".to_owned()
        } else if decided {
            format!("{better} is better by {by}")
        } else if excludes_zero(self.equity.ci95) {
            let by = within(self.equity.ci95, "fixed sample");
            format!("{better} leads by {by}, not decided yet")
        } else if lead < TIED_WITHIN {
            format!("not decided: the plays are level so far, {by}")
        } else {
            format!("not decided: {better} leads {worse} by {by}")
        };
        ComparisonVerdict {
            decided,
            sentence,
            work: self.work(plain),
        }
    }

    fn work(&self, plain: bool) -> String {
        let is_known = |x: f64| x.is_finite() && x > 0.0;
        // An error that is smaller than rounding is worth no number of trials.
        let is_rounding = self.equity.se <= ROUND_OFF;
        if self.trials < LEAST_TRIALS || is_rounding || !is_known(self.independent_trials) {
            return String::new();
        }
        let mut text = format!(
            "{} paired trials: as exact as {} independent ones",
            count(self.trials as f64),
            count(self.independent_trials)
        );
        if !plain && is_known(self.equivalent_trials) {
            text += &format!(
                ", or {} ordinary games of each play",
                count(self.equivalent_trials)
            );
        }
        text
    }

    /// The share of the trials in which the two candidates coalesced.
    pub fn coalesced_share(&self) -> f64 {
        if self.trials == 0 {
            0.0
        } else {
            self.coalesced as f64 / self.trials as f64
        }
    }
}

impl FamilyResult {
    /// The verdict on several plays of these names.
    pub fn verdict(
        &self,
        names: &[&str],
        candidates: &[CandidateResult],
        coupling: Coupling,
    ) -> ComparisonVerdict {
        let name = |i: usize| names.get(i).copied().unwrap_or("?");
        let open: Vec<usize> = (0..candidates.len())
            .filter(|&i| self.beaten.get(i) != Some(&true))
            .collect();
        let Some(best) = best_of(candidates, Some(self)) else {
            return ComparisonVerdict {
                decided: false,
                sentence: "no trials yet".to_owned(),
                work: String::new(),
            };
        };
        let others = candidates.len() - 1;
        let decided = open.len() == 1;
        let sentence = if decided {
            format!("{} is better than the other {others}", name(best))
        } else {
            self.undecided(&name, candidates, best, &open)
        };
        let work = match coupling {
            Coupling::None => String::new(),
            _ => self.correlation_text(best, candidates.len()),
        };
        ComparisonVerdict {
            decided,
            sentence,
            work,
        }
    }

    /// Says of a comparison that is not decided which candidate leads, and where the others stand. `open` are those
    /// that are not shown to be worse.
    fn undecided<'a>(
        &self,
        name: &dyn Fn(usize) -> &'a str,
        candidates: &[CandidateResult],
        best: usize,
        open: &[usize],
    ) -> String {
        let mean = |i: usize| candidates[i].equity.mean;
        let names = |all: &[usize]| all.iter().map(|&i| name(i)).collect::<Vec<_>>().join(", ");
        let (out, racing): (Vec<usize>, Vec<usize>) = open.iter().partition(|&&i| self.is_out(i));
        let rivals = racing.into_iter().filter(|&i| i != best);
        let (level, behind): (Vec<usize>, Vec<usize>) =
            rivals.partition(|&i| mean(best) - mean(i) < TIED_WITHIN);
        let mut sentence = match level.is_empty() {
            true => format!("not decided: {} leads", name(best)),
            false => format!(
                "not decided: {} and {} are level so far",
                name(best),
                names(&level)
            ),
        };
        if !behind.is_empty() {
            sentence += &format!("; still possible: {}", names(&behind));
        }
        if !out.is_empty() {
            sentence += &format!("; out of the race: {}", names(&out));
        }
        let worse: Vec<usize> = (0..candidates.len())
            .filter(|i| !open.contains(i))
            .collect();
        match &worse[..] {
            [] => sentence,
            [one] => format!("{sentence}; shown worse: {}", name(*one)),
            several => format!("{sentence}; {} shown worse", several.len()),
        }
    }

    /// Says how the results of the other candidates correlate with those of `best`; empty if that is not
    /// known.
    fn correlation_text(&self, best: usize, candidates: usize) -> String {
        let correlations: Vec<f64> = (0..candidates)
            .filter(|&i| i != best)
            .filter_map(|i| self.difference(best, i).map(|d| d.correlation))
            .filter(|correlation| correlation.is_finite())
            .collect();
        if correlations.is_empty() {
            return String::new();
        }
        let mean = correlations.iter().sum::<f64>() / correlations.len() as f64;
        format!("results correlate by {mean:.2} with the best play's")
    }
}

/// A number of trials with its thousands set apart, to three digits where it is large.
fn count(x: f64) -> String {
    let unit = 10f64.powf((x.max(1.0).log10().floor() - 2.0).max(0.0));
    let rounded = if x >= 10_000.0 {
        (x / unit).round() * unit
    } else {
        x.round()
    };
    words::grouped(rounded)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rollout::{ErrorMethod, Estimate, PlayDifference};

    fn with(mean: f64, fixed: f64, ever: f64) -> DifferenceResult {
        DifferenceResult {
            trials: 1290,
            equity: Estimate {
                mean,
                se: fixed / 2.0,
                ci95: [mean - fixed, mean + fixed],
                anytime95: [mean - ever, mean + ever],
            },
            equivalent_trials: 9412.0,
            independent_trials: 2100.4,
            ..DifferenceResult::default()
        }
    }

    #[test]
    fn two_plays_in_words() {
        let names = ["24/14", "16/6"];
        let decided = with(0.031, 0.008, 0.013).verdict(names, false);
        assert!(decided.decided);
        assert_eq!(
            decided.sentence,
            "24/14 is better by 0.031 ± 0.013 (95%, anytime)"
        );
        assert_eq!(
            decided.work,
            "1,290 paired trials: as exact as 2,100 independent ones, or 9,412 ordinary games of \
             each play"
        );
        let other = with(-0.031, 0.008, 0.013).verdict(names, true);
        assert_eq!(
            other.sentence,
            "16/6 is better by 0.031 ± 0.013 (95%, anytime)"
        );
        assert!(!other.work.contains("ordinary"));
        let one_look = with(0.031, 0.02, 0.04).verdict(names, false);
        assert!(!one_look.decided && one_look.sentence.contains("fixed sample"));
        let open = with(-0.031, 0.04, 0.08).verdict(names, false);
        assert!(!open.decided);
        assert_eq!(
            open.sentence,
            "not decided: 16/6 leads 24/14 by 0.031 ± 0.080 (95%, anytime)"
        );
        let none = DifferenceResult::default().verdict(names, false);
        assert_eq!((none.decided, &*none.sentence), (false, "no trials yet"));
        let equal = with(0.0, 0.0, 0.0).verdict(names, false);
        assert_eq!(equal.sentence, "no difference");
    }

    #[test]
    fn plays_that_have_never_differed_may_still_differ() {
        let mut never = with(0.0, 0.1, 0.2);
        (never.equity.se, never.error_method) = (0.0, ErrorMethod::Constant);
        let verdict = never.verdict(["3/off", "3/1 2/1"], true);
        assert!(!verdict.decided);
        assert_eq!(
            verdict.sentence,
            "not decided: the plays are level so far, 0.000 ± 0.200 (95%, anytime)"
        );
    }

    #[test]
    fn several_plays_in_words() {
        let candidate = |mean| CandidateResult {
            trials: 72,
            equity: Estimate {
                mean,
                ..Estimate::default()
            },
            ..CandidateResult::default()
        };
        let candidates = [candidate(0.1), candidate(0.2), candidate(-0.5)];
        let difference = |first, second| PlayDifference {
            first,
            second,
            correlation: 0.5,
            ..PlayDifference::default()
        };
        let mut family = FamilyResult {
            differences: vec![difference(0, 1), difference(0, 2), difference(1, 2)],
            beaten: vec![false, false, true],
            out: Vec::new(),
        };
        let say =
            |family: &FamilyResult| family.verdict(&["a", "b", "c"], &candidates, Coupling::Dice);
        let open = say(&family);
        assert!(!open.decided);
        assert_eq!(
            open.sentence,
            "not decided: b leads; still possible: a; shown worse: c"
        );
        let mut even = candidates.clone();
        even[0].equity.mean = 0.2;
        let level = family.verdict(&["a", "b", "c"], &even, Coupling::Dice);
        assert_eq!(
            level.sentence,
            "not decided: a and b are level so far; shown worse: c"
        );
        // Before the first trial nothing is level.
        let mut none = candidates.clone();
        none.iter_mut().for_each(|one| one.trials = 0);
        let begun = family.verdict(&["a", "b", "c"], &none, Coupling::Dice);
        assert_eq!(begun.sentence, "no trials yet");
        // A race by less than 95% drops a play before it is shown to be worse: it leads no more.
        family.out = vec![false, true, true];
        assert_eq!(
            say(&family).sentence,
            "not decided: a leads; out of the race: b; shown worse: c"
        );
        family.out = Vec::new();
        family.beaten[0] = true;
        let decided = say(&family);
        assert!(decided.decided);
        assert_eq!(decided.sentence, "b is better than the other 2");
        assert!(decided.work.contains("0.50"));
    }

    #[test]
    fn numbers_have_their_thousands_apart() {
        assert_eq!(count(0.4), "0");
        assert_eq!(count(999.0), "999");
        assert_eq!(count(1290.0), "1,290");
        assert_eq!(count(1_234_567.0), "1,230,000");
    }
}
