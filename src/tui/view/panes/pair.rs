//! What a comparison of two plays tells: the difference, what the coupling was worth, and a verdict.

use ratatui::layout::Rect;

use super::coupled;
use super::play_rows;
use crate::rollout::{ComparisonVerdict, DifferenceResult, ErrorMethod, RolloutResult, Standing};
use crate::tui::figures::trials::shown_job;
use crate::tui::rollouts::jobs::Job;
use crate::tui::screen::units::Scale;
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::view::drawing::paint::{Line, Paint};
use crate::tui::view::drawing::words;

/// Below this difference, in points, two plays with exact values are worth the same: the rest is rounding.
const SAME: f64 = 5e-7;

fn line(text: impl Into<String>, role: Role) -> Line {
    vec![(text.into(), role)]
}

/// The words for a comparison of two plays, made from what there is.
struct PairWords<'a> {
    job: &'a Job,
    d: DifferenceResult,
    names: [String; 2],
    /// What each play is worth.
    equities: [f64; 2],
    /// How long it may take yet.
    outlook: String,
    /// The verdict of a better founded rollout: the standing, its number of plays, and the lead of the first play in
    /// points.
    elsewhere: Option<(Standing, usize, f64)>,
    scale: Scale,
}

pub(crate) fn draw(
    paint: &mut Paint<'_>,
    area: Rect,
    app: &App,
    job: &Job,
    result: &RolloutResult,
) {
    let Some(said) = PairWords::of(app, job, result) else {
        return waiting(paint, area, job, app, &[0, 1].map(|i| job.name(i)));
    };
    let width = usize::from(area.width);
    // The plays with the heads of their columns, without, not at all: what there is room for.
    let full = said.full(width);
    let n = full.len() as u16;
    let (heads, lines) = if area.height >= n + 3 {
        (Some(true), full)
    } else if area.height >= n + 2 {
        (Some(false), full)
    } else {
        let short = said.short(width, false);
        match area.height >= short.len() as u16 + 2 {
            true => (Some(false), short),
            false => (None, said.short(width, true)),
        }
    };
    let y = heads.map_or(0, |heads| {
        play_rows::plays(paint, area, app, job, result, heads)
    });
    let below = rest(area, y);
    paint.lines(below, &lines);
}

fn rest(area: Rect, y: u16) -> Rect {
    let y = y.min(area.height);
    Rect {
        y: area.y + y,
        height: area.height - y,
        ..area
    }
}

fn waiting(paint: &mut Paint<'_>, area: Rect, job: &Job, app: &App, names: &[String]) {
    for (row, name) in (0u16..).zip(names) {
        let (letter, role) = words::series(usize::from(row));
        paint.line(
            area,
            row,
            &[(&letter, role), (" ", Role::Text), (name, Role::Text)],
        );
    }
    let what = coupled::trying(job, app.now);
    let lines = text::wrap(&what, usize::from(area.width), 3);
    for (row, line) in (2u16..).zip(&lines) {
        paint.line(area, row, &[(line, Role::Muted)]);
    }
}

/// The comparison of two plays that is in view, in lines: the difference with its intervals, the verdict, and what the
/// trials are worth.
pub(crate) fn pair_in_lines(app: &App) -> Option<String> {
    let job = shown_job(app).filter(|job| job.is_pair())?;
    let said = PairWords::of(app, job, job.result()?)?;
    let [a, b] = &said.names;
    let difference = said.difference().into_iter().map(|(words, _)| words);
    let difference: String = difference.collect();
    let ComparisonVerdict { sentence, work, .. } = said.verdict([a, b]);
    let mut lines = format!("{a} − {b}: {difference}\n{sentence}\n");
    if !work.is_empty() && !said.is_exact() {
        lines.push_str(&work);
        lines.push('\n');
    }
    Some(lines)
}

/// Returns the verdict of another rollout on these two plays, if it is better founded than this one and not open.
fn elsewhere(app: &App, job: &Job) -> Option<(Standing, usize, f64)> {
    let [one, other] = [0, 1].map(|i| &job.plays[i].result);
    let (by, standing) = app.jobs.founded_standing(job.decision, one, other)?;
    let lead = by.equity_of(one)? - by.equity_of(other)?;
    (by.id != job.id && standing != Standing::Open).then_some((standing, by.plays.len(), lead))
}

impl<'a> PairWords<'a> {
    /// The words for a comparison with trials; `None` without trials.
    fn of(app: &App, job: &'a Job, result: &RolloutResult) -> Option<Self> {
        let d = result.difference.filter(|d| d.trials > 0)?;
        let worth = |i: usize| result.candidates.get(i).map_or(f64::NAN, |c| c.equity.mean);
        let is_open = result.standing(0, 1, job.settings.closeness()) == Some(Standing::Open);
        let elsewhere = elsewhere(app, job).filter(|_| is_open);
        Some(Self {
            job,
            d,
            outlook: match is_open && elsewhere.is_none() {
                true => words::outlook(&d, result, job.settings.stop.trials),
                false => String::new(),
            },
            elsewhere,
            names: [0, 1].map(|i| job.name(i)),
            equities: [0, 1].map(worth),
            scale: app.scale_of(job),
        })
    }
}

impl PairWords<'_> {
    fn verdict(&self, names: [&str; 2]) -> ComparisonVerdict {
        let settings = &self.job.settings;
        let mut verdict = self
            .d
            .verdict(names, !settings.luck.is_some(), settings.closeness());
        verdict.sentence = self.scale.with_unit(&verdict.sentence, verdict.by);
        if self.is_exact() {
            (verdict.sentence, verdict.standing) = (self.known(names), Standing::Decided);
        } else if let Some((standing, plays, lead)) = self.elsewhere {
            let better = names[usize::from(lead < 0.0)];
            let by = self.scale.label(lead.abs());
            verdict.standing = standing;
            verdict.sentence = format!(
                "{} by the rollout of {plays} plays: {better} is better by {by}",
                standing.words()
            );
        }
        verdict
    }

    fn is_exact(&self) -> bool {
        self.d.error_method == ErrorMethod::Exact
    }

    /// The verdict where no trial could change it.
    fn known(&self, [a, b]: [&str; 2]) -> String {
        let mean = self.d.equity.mean;
        let by = self.scale.label(mean);
        if mean.abs() < SAME {
            "no difference: both are known exactly".to_owned()
        } else {
            let better = if mean > 0.0 { a } else { b };
            format!("{better} is better by {by}: both are known exactly")
        }
    }

    /// The verdict in at most so many lines: with the letters of the plays where their names are
    /// too long.
    fn sentence(&self, width: usize, most: usize) -> Vec<Line> {
        let [a, b] = &self.names;
        let lines = self.named_sentence([a, b], width, most + 1, true);
        if lines.len() <= most {
            return lines;
        }
        let [a, b] = Self::letters();
        self.named_sentence([&a, &b], width, most, true)
    }

    fn named_sentence(
        &self,
        names: [&str; 2],
        width: usize,
        most: usize,
        has_level: bool,
    ) -> Vec<Line> {
        let ComparisonVerdict {
            standing,
            mut sentence,
            ..
        } = self.verdict(names);
        if !has_level {
            sentence = words::without_level(&sentence);
        }
        let role = words::standing_role(standing);
        let lines = text::wrap(&sentence, width, most).into_iter();
        lines.map(|l| line(l, role)).collect()
    }

    fn letters() -> [String; 2] {
        [0, 1].map(|i| words::series(i).0)
    }

    /// The verdict in one line, and in another one what the plays are worth: with their names; with letters where the
    /// names fit in the second line; with letters and without the level of the interval. Nothing if that takes more.
    fn brief(&self, width: usize) -> Option<[Line; 2]> {
        let fits = |line: &Line| line.iter().map(|(w, _)| text::width(w)).sum::<usize>() <= width;
        let [full, short] = [true, false].map(|has_names| self.worths(has_names));
        let [a, b] = &self.names;
        let [x, y] = Self::letters();
        let worths = if fits(&full) { &full } else { &short };
        let mut all = vec![([a.as_str(), b.as_str()], worths, true)];
        if fits(&full) {
            let letters = [x.as_str(), y.as_str()];
            all.extend([true, false].map(|has_level| (letters, &full, has_level)));
        }
        all.into_iter().find_map(|(names, worths, has_level)| {
            let mut verdict = self.named_sentence(names, width, 2, has_level);
            let is_short = verdict.len() == 1 && fits(worths);
            is_short.then(|| [verdict.remove(0), worths.clone()])
        })
    }

    /// The values of both plays, behind their letters or names.
    fn worths(&self, has_names: bool) -> Line {
        let mut line = Line::new();
        for (i, name) in self.names.iter().enumerate() {
            let (letter, role) = words::series(i);
            let gap = if i == 0 { "" } else { "   " };
            let name = if has_names {
                format!(" {name}")
            } else {
                String::new()
            };
            let worth = format!("{name} {}", self.scale.value(self.equities[i]));
            line.push((format!("{gap}{letter}"), role));
            line.push((worth, Role::Text));
        }
        line
    }

    fn difference(&self) -> Line {
        let half = |ci| self.scale.half(ci);
        let mean = self.scale.difference(self.d.equity.mean);
        let mut line = vec![("difference ".into(), Role::Muted), (mean, Role::Strong)];
        if self.is_exact() {
            line.push(("  exact".into(), Role::Muted));
            return line;
        }
        line.push((" ±".into(), Role::Muted));
        let decisive = self.scale.half_size(self.d.decisive_half());
        // Under rules that look at results both intervals are one.
        if self.d.equity.ci95 == self.d.equity.anytime95 {
            line.push((decisive, Role::Text));
        } else {
            line.push((half(self.d.equity.ci95), Role::Interval));
            line.push(("  anytime ±".into(), Role::Muted));
            line.push((decisive, Role::Text));
        }
        line
    }

    /// Says how much the games of two plays have in common.
    fn correlation(&self, width: usize) -> Line {
        let met = text::percent(self.d.coalesced_share());
        let identical = match width {
            66.. => "  games that became identical ",
            _ => "  identical ",
        };
        vec![
            ("correlation ".into(), Role::Muted),
            (text::correlation(self.d.correlation), Role::Text),
            (identical.into(), Role::Muted),
            (format!("{met}%"), Role::Text),
        ]
    }

    /// How many games the trials are worth; an empty line while that cannot be said.
    fn worth(&self) -> Line {
        if !(self.d.independent_trials > 0.0 && self.d.independent_trials.is_finite()) {
            return Vec::new();
        }
        let [worth, plain] = [self.d.independent_trials, self.d.equivalent_trials].map(text::count);
        let (figure, what) = match self.job.settings.luck.is_some() {
            true => (plain, " ordinary games each"),
            false => (worth, " independent trials"),
        };
        let line = vec![
            ("as exact as ".into(), Role::Muted),
            (figure, Role::Text),
            (what.into(), Role::Muted),
        ];
        line
    }

    /// All of the comparison in sentences: the verdict first, with the one interval that it goes by.
    fn full(&self, width: usize) -> Vec<Line> {
        let mut lines = self.sentence(width, 3);
        if self.is_exact() {
            lines.extend([Vec::new(), self.difference()]);
            return lines;
        }
        let wrapped = |text: &str, role| {
            let lines = text::wrap(text, width, 4);
            lines.into_iter().map(move |l| line(l, role))
        };
        let [a, b] = &self.names;
        let work = self.verdict([a, b]).work;
        for (text, role) in [(&work, Role::Text), (&self.outlook, Role::Muted)] {
            if !text.is_empty() {
                lines.extend(wrapped(text, role));
            }
        }
        lines.extend([Vec::new(), self.difference()]);
        lines.extend(self.full_correlation(width));
        lines.extend(wrapped(&coupled::sentence(self.job), Role::Muted));
        lines
    }

    /// Says how much the games have in common, with and without variance reduction.
    fn full_correlation(&self, width: usize) -> Vec<Line> {
        let mut lines = vec![self.correlation(width)];
        if self.job.settings.luck.is_some() {
            let plain = text::correlation(self.d.plain_correlation);
            lines.push(vec![
                ("correlation without VR ".into(), Role::Muted),
                (plain, Role::Text),
            ]);
        }
        lines
    }

    /// The comparison in five rows, the verdict first; `alone` where the plays stand nowhere else in the
    /// pane.
    fn short(&self, width: usize, alone: bool) -> Vec<Line> {
        let brief = self.brief(width);
        let brief = brief.filter(|_| alone && self.outlook.is_empty());
        let mut lines = brief.map_or_else(|| self.sentence(width, 2), Vec::from);
        if self.is_exact() {
            lines.push(self.difference());
            return lines;
        }
        let luck = coupled::luck_word(self.job.luck());
        let mut correlation = self.correlation(width);
        if width < 48 {
            // Correlation and its figure stay.
            correlation.truncate(2);
        }
        correlation.push((format!("  {luck}"), Role::Muted));
        if lines.len() == 1 && !self.outlook.is_empty() {
            lines.push(line(self.outlook.clone(), Role::Muted));
        }
        lines.extend([self.difference(), correlation, self.worth()]);
        lines
    }
}
