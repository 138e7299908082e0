//! What `luckless compare` prints.

use std::fmt::Write as _;

use anyhow::Result;
use serde::Serialize;

use super::output::{self, Cubeful, Table};
use super::rolling::Described;
use super::rolling_run::Outcome;
use super::strand::{Difference, Strand, error, estimate};
use crate::rollout::{
    Coupling, DifferenceResult, FamilyResult, LuckKind, Pilot, StopReason, Tried, Verdict,
};
use crate::store::Shown;

/// A comparison to be told.
pub(super) struct Tell<'a> {
    pub(super) outcome: &'a Outcome,
    pub(super) shown: &'a Shown,
    /// The score and the cube, after two spaces.
    pub(super) rules: &'a str,
    /// And the seconds it took.
    pub(super) pilot: Option<(&'a Pilot, f64)>,
}

#[derive(Serialize)]
struct Document {
    position: String,
    dice: String,
    /// Of two plays.
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<Strand>,
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<Strand>,
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<Difference>,
    /// Of more.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    plays: Vec<Strand>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    differences: Vec<OfTwo>,
    verdict: Said,
    coupling: Coupling,
    #[serde(skip_serializing_if = "Option::is_none")]
    pilot: Option<Piloted>,
    settings: Described,
    #[serde(flatten)]
    cubeful: Cubeful,
    stopped: Option<StopReason>,
    seconds: f64,
    cpu_seconds: f64,
}

#[derive(Serialize)]
struct Said {
    decided: bool,
    sentence: String,
    work: String,
}

impl From<&Verdict> for Said {
    fn from(v: &Verdict) -> Self {
        Self {
            decided: v.decided,
            sentence: v.sentence.clone(),
            work: v.work.clone(),
        }
    }
}

#[derive(Serialize)]
struct Piloted {
    tried: Vec<Tried>,
    cost: f64,
    seconds: f64,
}

/// A difference of two of several plays.
#[derive(Serialize)]
struct OfTwo {
    a: Option<String>,
    b: Option<String>,
    equity: f64,
    se: f64,
    ci95: [f64; 2],
    anytime95: [f64; 2],
    simultaneous_ci95: [f64; 2],
    simultaneous95: [f64; 2],
    correlation: f64,
    trials: u64,
}

impl Tell<'_> {
    pub(super) fn print(&self, json: bool) -> Result<()> {
        let result = &self.outcome.result;
        match (&result.difference, &result.family) {
            (Some(difference), _) => self.pair(difference, json),
            (None, family) if result.strands.len() > 2 => self.family(family.as_ref(), json),
            _ => anyhow::bail!("the rollout ended before there was anything to compare"),
        }
    }

    fn name(&self, i: usize) -> Option<String> {
        self.shown.plays.get(i).cloned().flatten()
    }

    fn names(&self) -> Vec<String> {
        let strands = 0..self.outcome.result.strands.len();
        strands
            .map(|i| self.name(i).unwrap_or_else(|| format!("play {}", i + 1)))
            .collect()
    }

    fn strand(&self, i: usize) -> Strand {
        let result = &self.outcome.result;
        Strand::new(self.name(i), &result.strands[i]).at_score(result.match_chances)
    }

    fn document(&self, verdict: &Verdict) -> Document {
        let outcome = self.outcome;
        Document {
            position: self.shown.position.clone(),
            dice: self.shown.dice.clone().unwrap_or_default(),
            a: None,
            b: None,
            difference: None,
            plays: Vec::new(),
            differences: Vec::new(),
            verdict: verdict.into(),
            coupling: outcome.described.settings.coupling,
            pilot: self.pilot.map(|(pilot, seconds)| Piloted {
                tried: pilot.tried.clone(),
                cost: pilot.cost,
                seconds,
            }),
            settings: outcome.described.clone(),
            cubeful: outcome.cubeful(),
            stopped: outcome.stopped(),
            seconds: outcome.result.seconds,
            cpu_seconds: outcome.result.cpu_seconds,
        }
    }

    /// Position, settings, the table of plays.
    fn head(&self, strands: &[Strand]) -> String {
        let mut table = Table::new(&Strand::HEADINGS);
        strands.iter().for_each(|s| table.row(s.cells()));
        let remarks: String = strands.iter().filter_map(Strand::remark).collect();
        let coupling = self.outcome.described.settings.coupling;
        format!(
            "{}  to play {}  {}\n{}{}\n{}\n\n{table}{remarks}",
            self.shown.position,
            self.shown.dice.clone().unwrap_or_default(),
            self.rules,
            self.outcome.summary(),
            self.outcome.note_line(),
            match self.pilot {
                Some((pilot, seconds)) => chosen(pilot, seconds),
                None => coupling.words(),
            }
        )
    }

    fn pair(&self, difference: &DifferenceResult, json: bool) -> Result<()> {
        let settings = &self.outcome.described.settings;
        let names = self.names();
        let verdict = difference.verdict([&names[0], &names[1]], settings.luck == LuckKind::None);
        if json {
            return output::json(&Document {
                a: Some(self.strand(0)),
                b: Some(self.strand(1)),
                difference: Some(Difference::new(difference)),
                ..self.document(&verdict)
            });
        }
        let mut text = self.head(&[self.strand(0), self.strand(1)]);
        let _ = writeln!(text, "\ndifference   {}", estimate(&difference.equity));
        let _ = match difference.correlation {
            r if r.is_nan() => writeln!(text, "standard error {}", error(difference.equity.se)),
            r => writeln!(
                text,
                "correlation {r:.3}, standard error {}, equals {:.0} ordinary games of each play",
                error(difference.equity.se),
                difference.equivalent_trials,
            ),
        };
        if settings.coupling != Coupling::None && !settings.ranks.own_ties {
            let share = 100.0 * difference.coalesced_share();
            let _ = writeln!(
                text,
                "the two games became identical in {share:.1}% of the trials"
            );
        }
        say(&mut text, &verdict);
        output::text(&text)
    }

    fn family(&self, family: Option<&FamilyResult>, json: bool) -> Result<()> {
        let result = &self.outcome.result;
        let settings = &self.outcome.described.settings;
        let names = self.names();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let none = FamilyResult::default();
        let family = family.unwrap_or(&none);
        let verdict = family.verdict(&names, &result.strands, settings.coupling);
        let strands: Vec<Strand> = (0..names.len()).map(|i| self.strand(i)).collect();
        let differences = family.differences.iter();
        if json {
            let of_two = |d: &crate::rollout::PlayDifference| OfTwo {
                a: self.name(d.first),
                b: self.name(d.second),
                equity: d.equity.mean,
                se: d.equity.se,
                ci95: d.equity.ci95,
                anytime95: d.equity.anytime95,
                simultaneous_ci95: d.simultaneous_ci95,
                simultaneous95: d.simultaneous95,
                correlation: d.correlation,
                trials: d.trials,
            };
            return output::json(&Document {
                plays: strands,
                differences: differences.map(of_two).collect(),
                ..self.document(&verdict)
            });
        }
        let mut text = self.head(&strands);
        if !family.differences.is_empty() {
            let mut table = Table::new(&[
                "difference",
                "equity",
                "±95%",
                "all, anytime",
                "correlation",
                "trials",
            ]);
            let half = |[low, high]: [f64; 2]| error((high - low) / 2.0);
            for d in differences {
                table.row(vec![
                    format!("{} less {}", names[d.first], names[d.second]),
                    output::points(d.equity.mean),
                    half(d.equity.ci95),
                    half(d.simultaneous95),
                    match d.correlation {
                        r if r.is_finite() => format!("{r:.2}"),
                        _ => "–".to_owned(),
                    },
                    d.trials.to_string(),
                ]);
            }
            let _ = write!(text, "\n{table}");
        }
        text.push('\n');
        say(&mut text, &verdict);
        output::text(&text)
    }
}

fn say(text: &mut String, verdict: &Verdict) {
    let work = match verdict.work.as_str() {
        "" => String::new(),
        work => format!("; {work}"),
    };
    let _ = writeln!(text, "{}{work}", verdict.sentence);
}

/// What the pilot chose, and over what.
fn chosen(pilot: &Pilot, seconds: f64) -> String {
    let Some(best) = pilot.tried.first() else {
        return String::new();
    };
    let mut others: Vec<String> = Vec::new();
    for other in pilot.tried.iter().skip(1).take(3) {
        let times = other.figure() / best.figure();
        if times.is_finite() {
            others.push(format!(
                "{}, luck {} ×{times:.2}",
                other.coupling, other.luck
            ));
        }
    }
    let mut text = format!(
        "{}: chosen by a pilot of {} trials, {seconds:.1} s",
        best.coupling.words(),
        pilot.tried.iter().map(|t| t.trials).sum::<u64>()
    );
    if !others.is_empty() {
        let _ = write!(text, " (variance × cost of others: {})", others.join("; "));
    }
    text
}
