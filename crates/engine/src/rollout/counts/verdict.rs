//! What a comparison tells, in words: the same for every place that says it.

use super::result::{
    CandidateResult, DifferenceResult, FamilyResult, PlayDifference, RolloutResult, Status,
    StopReason, best_of,
};
use crate::rollout::request::coupling::Coupling;
use crate::rollout::request::settings::Settings;
use crate::stats::changes::ROUND_OFF;
use crate::stats::interval::decisive_half;
use crate::words;

/// The state of a comparison of plays, said in three words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The leader is shown to be the best (95%, at all times).
    Decided,
    /// The leader is less than the points that matter ahead, and is shown to give up no more than those.
    TooClose,
    /// Neither.
    Open,
}

impl Standing {
    /// The standing of two plays whose difference has this mean and interval. `close` are the points that do not matter.
    pub fn of(mean: f64, [low, high]: [f64; 2], close: f64) -> Self {
        let (lead, low) = match mean >= 0.0 {
            true => (mean, low),
            false => (-mean, -high),
        };
        match (low > 0.0, low >= -close && lead <= close) {
            (true, _) => Self::Decided,
            (_, true) => Self::TooClose,
            _ => Self::Open,
        }
    }

    /// The three words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Decided => "decided",
            Self::TooClose => "too close to matter",
            Self::Open => "still open",
        }
    }
}

/// What a comparison tells.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparisonVerdict {
    /// The state by the anytime-valid interval, so that a reader may stop at any time.
    pub standing: Standing,
    /// Which play is better and by how much, without a full stop: "decided: 24/14 is better by 0.031 ± 0.013 (95%)".
    /// Behind ± stands how far the interval reaches toward no difference: that end decides.
    pub sentence: String,
    /// The lead in the sentence and what stands behind its ±, in points, for those who write it in another unit.
    pub by: Option<[f64; 2]>,
    /// What the coupling of the dice was worth: "1,290 paired trials: as exact as 9,400
    /// independent ones". Empty while that cannot be said.
    pub work: String,
}

/// Fewest trials from which the gain by a coupling is shown.
const LEAST_TRIALS: u64 = 72;
/// Plays that differ by less, in points, are called level.
const TIED_WITHIN: f64 = 0.0005;

impl RolloutResult {
    /// The verdict on the plays of a rollout with these settings; `None` of one play, of a cube decision, and of so
    /// many that no two are compared.
    pub fn verdict(&self, names: &[&str], settings: &Settings) -> Option<ComparisonVerdict> {
        let close = settings.closeness();
        if let Some(family) = &self.family {
            return Some(family.verdict(names, &self.candidates, settings.coupling, close));
        }
        let difference = self.difference.as_ref()?;
        let is_cube = settings.cube.is_some_and(|cube| cube.decision);
        let [first, second] = *names else { return None };
        (!is_cube).then(|| difference.verdict([first, second], !settings.luck.is_some(), close))
    }

    /// The standing of two plays; `None` if they are not compared. `close` are the points that do not matter.
    pub fn standing(&self, one: usize, other: usize, close: f64) -> Option<Standing> {
        match &self.family {
            Some(family) => Some(family.standing(one, other, close)),
            None => Some(self.difference?.standing(close)),
        }
    }
}

impl Status {
    /// Returns the standing of a cube decision whose rollout has this status.
    pub fn standing(self) -> Standing {
        match self {
            Self::Done(StopReason::Separated) => Standing::Decided,
            Self::Done(StopReason::Equivalent) => Standing::TooClose,
            _ => Standing::Open,
        }
    }
}

impl DifferenceResult {
    /// Returns the distance from the lead to that end of the anytime-valid interval that lies toward zero.
    pub fn decisive_half(&self) -> f64 {
        decisive_half(self.equity.mean, self.equity.anytime95)
    }

    fn standing(&self, close: f64) -> Standing {
        match self.trials {
            0 => Standing::Open,
            _ => Standing::of(self.equity.mean, self.equity.anytime95, close),
        }
    }

    /// The verdict on two plays of these names. `plain`: no luck was subtracted. `close` are the points that do not
    /// matter.
    pub fn verdict(&self, names: [&str; 2], plain: bool, close: f64) -> ComparisonVerdict {
        let [first, second] = names;
        let mean = self.equity.mean;
        let (better, worse, lead) = if mean >= 0.0 {
            (first, second, mean)
        } else {
            (second, first, -mean)
        };
        let half = self.decisive_half();
        let by = lead_text(lead, half, self.equity.ci95 == self.equity.anytime95);
        let standing = self.standing(close);
        let word = standing.words();
        let sentence = if self.trials == 0 {
            "no trials yet".to_owned()
        } else if self.equity.anytime95 == [0.0; 2] {
            // A standard error of 0 is not enough: what has never varied has an allowance.
            "no difference".to_owned()
        } else if standing == Standing::Decided {
            format!("{word}: {better} is better by {by}")
        } else if lead < TIED_WITHIN {
            format!("{word}: the plays are level so far, {by}")
        } else {
            format!("{word}: {better} leads {worse} by {by}")
        };
        ComparisonVerdict {
            standing,
            sentence,
            by: Some([lead, half]),
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

impl PlayDifference {
    /// Returns the distance from the lead to that end of the simultaneous interval that lies toward zero.
    pub fn decisive_half(&self) -> f64 {
        decisive_half(self.equity.mean, self.simultaneous_anytime95)
    }
}

impl FamilyResult {
    /// The verdict on several plays of these names. `close` are the points that do not matter.
    pub fn verdict(
        &self,
        names: &[&str],
        candidates: &[CandidateResult],
        coupling: Coupling,
        close: f64,
    ) -> ComparisonVerdict {
        let name = |i: usize| names.get(i).copied().unwrap_or("?");
        let Some(best) = best_of(candidates, Some(self)) else {
            return ComparisonVerdict {
                standing: Standing::Open,
                sentence: "no trials yet".to_owned(),
                by: None,
                work: String::new(),
            };
        };
        let standing = self.standing_of_best(best, close);
        let mut by = None;
        let sentence = match standing {
            Standing::Decided => format!(
                "decided: {} is the best of the {} rolled out, as this net plays",
                name(best),
                candidates.len()
            ),
            _ => format!(
                "{}: {}",
                standing.words(),
                self.undecided(&name, candidates, best, &mut by)
            ),
        };
        let work = match coupling {
            Coupling::None => String::new(),
            _ => self.correlation_text(best, candidates.len()),
        };
        ComparisonVerdict {
            standing,
            sentence,
            by,
            work,
        }
    }

    /// The standing of two plays: decided if one of them is shown to be worse than any other play.
    fn standing(&self, one: usize, other: usize, close: f64) -> Standing {
        if self.beaten.get(one) != self.beaten.get(other) {
            return Standing::Decided;
        }
        match self.difference(one, other) {
            Some(d) if d.trials > 0 => Standing::of(d.equity.mean, d.simultaneous_anytime95, close),
            _ => Standing::Open,
        }
    }

    /// The standing of the leader beside all plays that are not shown to be worse.
    fn standing_of_best(&self, best: usize, close: f64) -> Standing {
        let open = (0..self.beaten.len()).filter(|&i| i != best && !self.beaten[i]);
        let all: Vec<Standing> = open.map(|i| self.standing(best, i, close)).collect();
        match all.iter().all(|one| *one == Standing::Decided) {
            true => Standing::Decided,
            false if all.contains(&Standing::Open) => Standing::Open,
            false => Standing::TooClose,
        }
    }

    /// Says of a comparison that is not decided which candidate leads, and where the others stand.
    fn undecided<'a>(
        &self,
        name: &dyn Fn(usize) -> &'a str,
        candidates: &[CandidateResult],
        best: usize,
        by: &mut Option<[f64; 2]>,
    ) -> String {
        let is_open = |i: usize| self.beaten.get(i) != Some(&true);
        let (open, worse): (Vec<usize>, Vec<usize>) =
            (0..candidates.len()).partition(|&i| is_open(i));
        let mean = |i: usize| candidates[i].equity.mean;
        let names = |all: &[usize]| all.iter().map(|&i| name(i)).collect::<Vec<_>>().join(", ");
        let (out, racing): (Vec<usize>, Vec<usize>) = open.iter().partition(|&&i| self.is_out(i));
        let rivals = racing.into_iter().filter(|&i| i != best);
        let (level, behind): (Vec<usize>, Vec<usize>) =
            rivals.partition(|&i| mean(best) - mean(i) < TIED_WITHIN);
        let mut sentence = match level.is_empty() {
            true => format!("{} leads", name(best)),
            false => format!("{} and {} are level so far", name(best), names(&level)),
        };
        let lead = |rival| self.difference(best, rival).filter(|d| d.trials > 0);
        match (&behind[..], &level[..]) {
            ([], _) => {}
            ([rival], []) if lead(*rival).is_some() => {
                let d = lead(*rival).unwrap_or_default();
                let (mean, half) = (d.equity.mean, d.decisive_half());
                *by = Some([mean, half]);
                let alone = d.simultaneous_ci95 == d.simultaneous_anytime95;
                sentence += &format!(" {} by {}", name(*rival), lead_text(mean, half, alone));
            }
            _ => sentence += &format!("; still possible: {}", names(&behind)),
        }
        if !out.is_empty() {
            sentence += &format!("; out of the race: {}", names(&out));
        }
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

/// A lead and how far its anytime-valid interval reaches toward no difference. It is named unless it is the only one
/// that is shown (`alone`).
fn lead_text(lead: f64, half: f64, alone: bool) -> String {
    match (half.is_finite(), alone) {
        (true, true) => format!("{lead:.3} ± {half:.3} (95%)"),
        (true, false) => format!("{lead:.3} ± {half:.3} (95%, anytime)"),
        (false, _) => format!("{lead:.3}"),
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
        let decided = with(0.031, 0.008, 0.013).verdict(names, false, 0.005);
        assert_eq!(decided.standing, Standing::Decided);
        assert_eq!(
            decided.sentence,
            "decided: 24/14 is better by 0.031 ± 0.013 (95%, anytime)"
        );
        assert_eq!(
            decided.work,
            "1,290 paired trials: as exact as 2,100 independent ones, or 9,412 ordinary games of \
             each play"
        );
        let other = with(-0.031, 0.008, 0.013).verdict(names, true, 0.005);
        assert_eq!(
            other.sentence,
            "decided: 16/6 is better by 0.031 ± 0.013 (95%, anytime)"
        );
        assert!(!other.work.contains("ordinary"));
        let open = with(-0.031, 0.04, 0.08).verdict(names, false, 0.005);
        assert_eq!(open.standing, Standing::Open);
        assert_eq!(
            open.sentence,
            "still open: 16/6 leads 24/14 by 0.031 ± 0.080 (95%, anytime)"
        );
        // What is given up at most decides whether it matters, and only where as little is seen.
        let close = with(0.002, 0.003, 0.006).verdict(names, false, 0.005);
        assert_eq!(close.standing, Standing::TooClose);
        assert_eq!(
            close.sentence,
            "too close to matter: 24/14 leads 16/6 by 0.002 ± 0.006 (95%, anytime)"
        );
        for (mean, half) in [(0.002, 0.0071), (0.006, 0.0065)] {
            let open = with(mean, half, half).verdict(names, false, 0.005);
            assert_eq!(open.standing, Standing::Open, "{mean} {half}");
        }
        // The end toward no difference decides, however far the other one is.
        let mut uneven = with(0.031, 0.008, 0.013);
        uneven.equity.anytime95 = [0.001, 0.091];
        let verdict = uneven.verdict(names, false, 0.005);
        assert_eq!(
            verdict.sentence,
            "decided: 24/14 is better by 0.031 ± 0.030 (95%, anytime)"
        );
        let none = DifferenceResult::default().verdict(names, false, 0.005);
        assert_eq!(
            (none.standing, &*none.sentence),
            (Standing::Open, "no trials yet")
        );
        let equal = with(0.0, 0.0, 0.0).verdict(names, false, 0.005);
        assert_eq!(equal.sentence, "no difference");
    }

    #[test]
    fn plays_that_have_never_differed_may_still_differ() {
        let mut never = with(0.0, 0.1, 0.2);
        (never.equity.se, never.error_method) = (0.0, ErrorMethod::Constant);
        let verdict = never.verdict(["3/off", "3/1 2/1"], true, 0.005);
        assert_eq!(verdict.standing, Standing::Open);
        assert_eq!(
            verdict.sentence,
            "still open: the plays are level so far, 0.000 ± 0.200 (95%, anytime)"
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
            equity: Estimate::exact([0.1, 0.2, -0.5][first] - [0.1, 0.2, -0.5][second]),
            simultaneous_anytime95: [-1.0, 1.0],
            correlation: 0.5,
            ..PlayDifference::default()
        };
        let mut family = FamilyResult {
            differences: vec![difference(0, 1), difference(0, 2), difference(1, 2)],
            beaten: vec![false, false, true],
            out: Vec::new(),
        };
        let say = |family: &FamilyResult| {
            family.verdict(&["a", "b", "c"], &candidates, Coupling::Dice, 0.005)
        };
        let open = say(&family);
        assert_eq!(open.standing, Standing::Open);
        assert_eq!(
            open.sentence,
            "still open: b leads; still possible: a; shown worse: c"
        );
        let mut even = candidates.clone();
        even[0].equity.mean = 0.2;
        let level = family.verdict(&["a", "b", "c"], &even, Coupling::Dice, 0.005);
        assert_eq!(
            level.sentence,
            "still open: a and b are level so far; shown worse: c"
        );
        // Before the first trial nothing is level.
        let mut none = candidates.clone();
        none.iter_mut().for_each(|one| one.trials = 0);
        let begun = family.verdict(&["a", "b", "c"], &none, Coupling::Dice, 0.005);
        assert_eq!(begun.sentence, "no trials yet");
        // A race by less than 95% drops a play before it is shown to be worse: it leads no more.
        family.out = vec![false, true, true];
        assert_eq!(
            say(&family).sentence,
            "still open: a leads; out of the race: b; shown worse: c"
        );
        family.out = Vec::new();
        family.beaten[0] = true;
        let decided = say(&family);
        assert_eq!(decided.standing, Standing::Decided);
        assert_eq!(
            decided.sentence,
            "decided: b is the best of the 3 rolled out, as this net plays"
        );
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
