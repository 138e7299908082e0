//! How the dice of a comparison depend on each other, in as many words as there is room for.

use std::time::Instant;

use crate::rollout::{Coupling, LuckKind};
use crate::tui::rollouts::jobs::{Aim, Job, JobState};
use crate::tui::text;

/// Says what happens before the first trial is counted: what the pilot tries and for how long it has, or what
/// it chose.
pub(crate) fn trying(job: &Job, now: Instant) -> String {
    if !job.wants_pilot() {
        return match job.state {
            JobState::Running => format!("{}; the first trials are being played", sentence(job)),
            _ => "no trials yet".into(),
        };
    }
    let seconds = job.piloted_for(now).map_or(0, |time| time.as_secs());
    let so_far = match seconds {
        0 => String::new(),
        n => format!(" ({})", text::seconds(n as f64)),
    };
    let tried: Vec<&str> = Coupling::tried(job.plays.len())
        .map(Coupling::short)
        .collect();
    let tried = tried.join(", ");
    let luck = match job.settings.luck {
        LuckKind::Auto => "; with and without variance reduction",
        _ => "",
    };
    format!("a pilot run looks for the dice that decide soonest{so_far}: {tried}{luck}")
}

/// The coupling of a job in a sentence: what the pilot chose, or what was named.
pub(crate) fn sentence(job: &Job) -> String {
    let s = &job.settings;
    let mut words = match (s.coupling, s.ranks.own_ties) {
        (Coupling::Rank, true) => "matched ranks, ties broken independently".to_owned(),
        (coupling, _) => coupling.words(),
    };
    words += &format!("; {}", luck(job.luck()));
    match job.pilot() {
        Some(pilot) if pilot.is_experience() => format!("by experience: {words}"),
        Some(_) => format!("chosen by a pilot: {words}"),
        None => words,
    }
}

fn luck(kind: LuckKind) -> &'static str {
    match kind {
        LuckKind::None => "without VR",
        LuckKind::Net => "variance reduction by the luck net",
        LuckKind::Lookahead(_) => "variance reduction by lookahead",
        LuckKind::Auto => "variance reduction",
    }
}

/// The variance reduction in a few words.
pub(crate) fn luck_word(kind: LuckKind) -> &'static str {
    match kind {
        LuckKind::None => "without VR",
        LuckKind::Net => "VR: luck net",
        LuckKind::Lookahead(_) => "VR: lookahead",
        LuckKind::Auto => "VR",
    }
}

/// The coupling in a word or two.
fn word(job: &Job) -> String {
    match job.settings.coupling {
        Coupling::Rank if job.settings.ranks.own_ties => "Koca's ranks".into(),
        coupling => coupling.short_with_figure(),
    }
}

/// Where trials are truncated, for a title, which leaves it out last: what the net errs by there is in no interval.
pub(super) fn truncation(job: &Job) -> String {
    let cut = job.settings.truncation_in_short();
    cut.map_or_else(String::new, |cut| format!("{cut}, "))
}

/// The coupling and `state` for a title with so many columns to spare, behind `legend` where there is room.
pub(crate) fn title(job: &Job, state: &str, legend: &str, room: usize) -> String {
    let word = word(job);
    let cube = if job.is_cubeful() { "" } else { "cubeless, " };
    let by = match job.aim {
        Aim::Pilot if job.pilot().is_none_or(|pilot| !pilot.is_experience()) => "pilot: ",
        _ => "",
    };
    let luck = luck_word(job.luck());
    let ply = job.settings.ply;
    if job.wants_pilot() {
        // Who chooses, a pilot or experience, is not known before it runs.
        return match job.state {
            JobState::Running => format!("{cube}pilot, {ply}-ply, choosing"),
            _ => format!("{cube}automatic, {ply}-ply, {state}"),
        };
    }
    let cut = truncation(job);
    let is_cut = if cut.is_empty() { "" } else { "truncated, " };
    let full = format!("{cube}{by}{word}, {luck}, {ply}-ply, {cut}{state}");
    [
        format!("{legend}{full}"),
        full,
        format!("{cube}{by}{word}, {ply}-ply, {cut}{state}"),
        format!("{cube}{by}{word}, {cut}{state}"),
        format!("{cube}{word}, {cut}{state}"),
        format!("{cube}{word}, {is_cut}{state}"),
        format!("{cube}{is_cut}{state}"),
    ]
    .into_iter()
    .find(|line| text::width(line) <= room)
    .unwrap_or_else(|| format!("{cube}{word}"))
}
