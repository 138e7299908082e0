//! The levels beyond lookahead: what is close is rolled out for a while.

use crate::rollout::{CubeSettings, Level, Settings, Truncated};
use crate::store::UserSettings;
use crate::tui::rollouts::jobs::{Aim, Job};
use crate::tui::state::App;
use crate::tui::update::analysis::plays::{begin, rolled_alike, worth_rolling};
use crate::tui::update::lines::walk;
use crate::tui::update::ranking;
use crate::words::counted;

/// Goes one level deeper: another ply of lookahead, and after the last one the levels that roll out.
pub(crate) fn deepen(app: &mut App) {
    if app.settings.ply < UserSettings::MOST_PLIES {
        return look_ahead(app, app.settings.ply + 1);
    }
    roll_out(app);
}

/// Looks so many plies ahead from now on.
pub(crate) fn look_ahead(app: &mut App, ply: u8) {
    app.settings.ply = ply;
    ranking::rerank(app);
    walk::analyse_turn_in_view(app);
}

/// Rolls out the decision in view at the first level that it has not come to yet.
fn roll_out(app: &mut App) {
    let cube = app.live_cube();
    let plays = worth_rolling(app, cube);
    let mut is_decided = false;
    for level in Level::ALL {
        let Some(truncated) = level.rollout else {
            continue;
        };
        let settings = settings_of(app, &truncated, plays.len(), cube);
        let like = rolled_alike(app, &plays, Aim::Each, &settings);
        if let Some(job) = like.filter(|job| has_come_to(job, &settings)) {
            is_decided |= job.is_decided();
            continue;
        }
        if like.is_none() {
            app.say(level_words(app, level.name, plays.len(), &settings));
        }
        return begin(app, plays, Aim::Each, settings);
    }
    app.say_keys(match is_decided {
        true => {
            "decided: no deeper level would go on; {roll out} rolls out by the rollout settings"
        }
        false => "no level is deeper; {roll out} rolls out by the rollout settings",
    });
}

/// How a level rolls out so many plays, with the reader's seed.
fn settings_of(app: &App, level: &Truncated, plays: usize, cube: Option<CubeSettings>) -> Settings {
    let mut settings = Settings {
        seed: app.settings.rollout.seed,
        ..level.settings(plays, cube)
    };
    if plays < 2 {
        // One position has nothing that it could be compared with.
        (settings.stop.separated, settings.stop.equivalent) = (None, None);
    }
    settings
}

/// Whether a rollout has all that a level with these settings would give it.
fn has_come_to(job: &Job, settings: &Settings) -> bool {
    let is_whole = !job.is_active() && !job.was_stopped();
    is_whole && (job.is_decided() || job.settings.stop.trials >= settings.stop.trials)
}

/// Says what a level does: "rolled: 4 plays, 1-ply play, truncated after 6 rolls, at most 216 trials".
fn level_words(app: &App, name: &str, plays: usize, settings: &Settings) -> String {
    let is_before_roll = app.decision().is_some_and(|d| d.before_roll().is_some());
    let what = match settings.cube {
        Some(cube) if cube.decision => "the cube decision".to_owned(),
        _ if is_before_roll => "the position".to_owned(),
        _ => counted(plays, "play"),
    };
    let end = match settings.horizon {
        Some(rolls) => format!("truncated after {rolls} rolls"),
        None => "to the end".to_owned(),
    };
    let (ply, trials) = (settings.ply, settings.stop.trials);
    format!("{name}: {what}, {ply}-ply play, {end}, at most {trials} trials")
}
