//! Output of `luckless compare`.

use std::fmt::Write as _;

use anyhow::Result;
use serde::Serialize;

use super::bias_check::BiasDocument;
use super::candidate::{CandidateDocument, DifferenceDocument, difference_text, error};
use super::ended_document::EndedDocument;
use super::rollout_run::EndedRollout;
use crate::cli::common::output;
use crate::dice::DiceSource;
use crate::grid::Grid;
use crate::rollout::{
    ComparisonVerdict, Coupling, DifferenceResult, FamilyResult, LuckKind, Pilot, Standing, Tried,
};
use crate::stats::interval::half_width;
use crate::store::RolloutLabel;

/// A comparison to be printed.
pub(crate) struct ComparisonOutput<'a> {
    pub(crate) outcome: &'a EndedRollout,
    pub(crate) shown: &'a RolloutLabel,
    /// The score and the cube, after two spaces.
    pub(crate) rules: &'a str,
    /// And the seconds it took.
    pub(crate) pilot: Option<(&'a Pilot, f64)>,
}

#[derive(Serialize)]
struct CompareDocument {
    position: String,
    dice: String,
    /// Of two plays.
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<CandidateDocument>,
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<CandidateDocument>,
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<DifferenceDocument>,
    /// Of more.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    plays: Vec<CandidateDocument>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    differences: Vec<PairDifferenceDocument>,
    verdict: VerdictDocument,
    coupling: Coupling,
    #[serde(skip_serializing_if = "Option::is_none")]
    pilot: Option<PilotDocument>,
    #[serde(flatten)]
    ended: EndedDocument,
}

#[derive(Serialize)]
struct VerdictDocument {
    decided: bool,
    sentence: String,
    work: String,
}

impl From<&ComparisonVerdict> for VerdictDocument {
    fn from(v: &ComparisonVerdict) -> Self {
        Self {
            decided: v.standing == Standing::Decided,
            sentence: v.sentence.clone(),
            work: v.work.clone(),
        }
    }
}

#[derive(Serialize)]
struct PilotDocument {
    tried: Vec<Tried>,
    cost: f64,
    seconds: f64,
}

/// A difference of two of several plays.
#[derive(Serialize)]
struct PairDifferenceDocument {
    a: Option<String>,
    b: Option<String>,
    equity: f64,
    se: f64,
    ci95: [f64; 2],
    anytime95: [f64; 2],
    simultaneous_ci95: [f64; 2],
    simultaneous_anytime95: [f64; 2],
    correlation: f64,
    trials: u64,
}

impl ComparisonOutput<'_> {
    pub(crate) fn print(&self, json: bool) -> Result<()> {
        let result = &self.outcome.result;
        match (&result.difference, &result.family) {
            (Some(difference), _) => self.pair(difference, json),
            (None, family) if result.candidates.len() > 2 => self.family(family.as_ref(), json),
            _ => anyhow::bail!("the rollout ended before there was anything to compare"),
        }
    }

    /// The pilot, unless experience chose.
    fn tried(&self) -> Option<(&Pilot, f64)> {
        self.pilot.filter(|(pilot, _)| !pilot.is_experience())
    }

    fn name(&self, i: usize) -> Option<String> {
        self.shown.plays.get(i).cloned().flatten()
    }

    fn names(&self) -> Vec<String> {
        let candidates = 0..self.outcome.result.candidates.len();
        candidates
            .map(|i| self.name(i).unwrap_or_else(|| format!("play {}", i + 1)))
            .collect()
    }

    pub(super) fn candidate(&self, i: usize) -> CandidateDocument {
        let result = &self.outcome.result;
        CandidateDocument::new(self.name(i), &result.candidates[i])
            .at_score(result.mwc)
            .of_family(result.family.as_ref(), i)
    }

    fn document(&self, verdict: &ComparisonVerdict) -> CompareDocument {
        let outcome = self.outcome;
        CompareDocument {
            position: self.shown.position.clone(),
            dice: self.shown.dice.clone().unwrap_or_default(),
            a: None,
            b: None,
            difference: None,
            plays: Vec::new(),
            differences: Vec::new(),
            verdict: verdict.into(),
            coupling: outcome.described.settings.coupling,
            pilot: self.tried().map(|(pilot, seconds)| PilotDocument {
                tried: pilot.tried.clone(),
                cost: pilot.cost,
                seconds,
            }),
            ended: outcome.into(),
        }
    }

    /// Position, settings, the table of plays.
    fn head(&self, candidates: &[CandidateDocument]) -> String {
        let mut table = Grid::new(&CandidateDocument::HEADINGS);
        candidates.iter().for_each(|s| table.row(s.cells()));
        let table = table.fitting(output::columns(), &CandidateDocument::LEAST);
        let remarks: String = candidates
            .iter()
            .filter_map(CandidateDocument::remark)
            .chain([self.outcome.caveat_lines()])
            .collect();
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
        let plain = settings.luck == LuckKind::None;
        let verdict = difference.verdict([&names[0], &names[1]], plain, settings.closeness());
        if json {
            return output::json(&CompareDocument {
                a: Some(self.candidate(0)),
                b: Some(self.candidate(1)),
                difference: Some(DifferenceDocument::new(difference)),
                ..self.document(&verdict)
            });
        }
        let mut text = self.head(&[self.candidate(0), self.candidate(1)]);
        if difference.trials == 0 {
            // Stopped before the first one.
            say(&mut text, &verdict);
            return output::text(&text);
        }
        let _ = writeln!(text, "\ndifference   {}", difference_text(difference));
        let _ = match difference.correlation {
            r if r.is_nan() => writeln!(text, "standard error {}", error(difference.equity.se)),
            r => writeln!(
                text,
                "correlation {r:.3}, standard error {}",
                error(difference.equity.se),
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
        output::text(&(text + &self.bias()))
    }

    /// Returns the change by deeper play, if it was requested.
    fn bias(&self) -> String {
        let bias = self.outcome.bias.as_ref();
        bias.map_or_else(String::new, BiasDocument::text)
    }

    fn family(&self, family: Option<&FamilyResult>, json: bool) -> Result<()> {
        let result = &self.outcome.result;
        let settings = &self.outcome.described.settings;
        let names = self.names();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let none = FamilyResult::default();
        let family = family.unwrap_or(&none);
        let (coupling, close) = (settings.coupling, settings.closeness());
        let verdict = family.verdict(&names, &result.candidates, coupling, close);
        let candidates: Vec<CandidateDocument> =
            (0..names.len()).map(|i| self.candidate(i)).collect();
        let differences = family.differences.iter();
        if json {
            let of_two = |d: &crate::rollout::PlayDifference| PairDifferenceDocument {
                a: self.name(d.first),
                b: self.name(d.second),
                equity: d.equity.mean,
                se: d.equity.se,
                ci95: d.equity.ci95,
                anytime95: d.equity.anytime95,
                simultaneous_ci95: d.simultaneous_ci95,
                simultaneous_anytime95: d.simultaneous_anytime95,
                correlation: d.correlation,
                trials: d.trials,
            };
            return output::json(&CompareDocument {
                plays: candidates,
                differences: differences.map(of_two).collect(),
                ..self.document(&verdict)
            });
        }
        let mut text = self.head(&candidates);
        if !family.differences.is_empty() {
            let mut table = Grid::new(&[
                "difference",
                "equity",
                "±95%",
                "anytime, best",
                "correlation",
                "trials",
            ]);
            for d in differences {
                table.row(vec![
                    format!("{} − {}", names[d.first], names[d.second]),
                    output::points(d.equity.mean),
                    error(half_width(d.equity.ci95)),
                    error(d.decisive_half()),
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
        output::text(&(text + &self.bias()))
    }
}

fn say(text: &mut String, verdict: &ComparisonVerdict) {
    let work = match verdict.work.as_str() {
        "" => String::new(),
        work => format!("; {work}"),
    };
    let _ = writeln!(text, "{}{work}", verdict.sentence);
}

/// Describes the pilot's choice and its alternatives.
fn chosen(pilot: &Pilot, seconds: f64) -> String {
    let Some(best) = pilot.tried.first() else {
        let dice = pilot.settings.coupling.words();
        let why = match pilot.settings.dice_source {
            DiceSource::Prescribed { .. } => "rolls from a file",
            _ => "by experience; --coupling names others",
        };
        return format!("dice: {dice} ({why})");
    };
    let mut text = format!(
        "dice: {} (chosen by a pilot of {} trials, {seconds:.1} s)",
        best.coupling.words(),
        pilot.tried.iter().map(|t| t.trials).sum::<u64>()
    );
    if let Some(next) = pilot.tried.get(1) {
        let more = next.figure() / best.figure() - 1.0;
        if more.is_finite() {
            let (dice, luck) = (next.coupling.words(), next.luck.words());
            let percent = 100.0 * more;
            let _ = write!(
                text,
                "\nnext best: {dice}, {luck}; takes about {percent:.0}% longer"
            );
        }
    }
    text
}
