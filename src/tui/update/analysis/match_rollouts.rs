//! Rolling out the whole match: what its window, its keys and its worker change.

use std::time::Duration;

use super::rollouts;
use crate::review::ErrorFilter;
use crate::review::verification::Verified;
use crate::store::settings::ReviewPreferences;
use crate::tui::figures::error_list;
use crate::tui::keys::KeyScope;
use crate::tui::message::{MatchRolloutNews, MatchRolloutProgress};
use crate::tui::rollouts::decision_count::DecisionCount;
use crate::tui::state::{App, Effect, MatchRolloutGoal};
use crate::tui::update::ranking;

/// Longest budget, in seconds.
const LONGEST_BUDGET: u64 = ReviewPreferences::LONGEST_BUDGET;

/// A time as it is typed: `90`, `90s`, `5m` or `1h`; in seconds.
pub(crate) fn seconds(typed: &str) -> Option<u64> {
    let typed = typed.trim();
    let (number, unit) = match typed.char_indices().last()? {
        (at, 's') => (&typed[..at], 1),
        (at, 'm') => (&typed[..at], 60),
        (at, 'h') => (&typed[..at], 3600),
        _ => (typed, 1),
    };
    let seconds = number.trim().parse::<u64>().ok()?.checked_mul(unit)?;
    (1..=LONGEST_BUDGET).contains(&seconds).then_some(seconds)
}

/// The window of the budget was answered; answers whether with a time.
pub(crate) fn accept(app: &mut App, typed: &str) -> bool {
    let Some(seconds) = seconds(typed) else {
        app.warn("a time is seconds such as 90, or 5m, or 1h, up to a day");
        return false;
    };
    app.settings.review.budget = seconds;
    let budget = Duration::from_secs(seconds);
    want(app, MatchRolloutGoal::Close, budget);
    true
}

/// Rolls out the errors that are listed, for up to a day, or stops that.
pub(crate) fn errors(app: &mut App) {
    match app.match_rollouts.as_ref().map(|rollouts| rollouts.goal) {
        Some(MatchRolloutGoal::Errors(_)) => return stop(app),
        Some(_) => return say_busy(app),
        None => {}
    }
    if error_list::rows(app).is_empty() {
        return app.say("no error is listed");
    }
    let goal = MatchRolloutGoal::Errors(error_list::wanted(app));
    want(app, goal, Duration::from_secs(LONGEST_BUDGET));
}

/// Starts as soon as the review has ended.
fn want(app: &mut App, goal: MatchRolloutGoal, budget: Duration) {
    app.want_match_rollouts(goal, budget);
    if app.document.is_analysed() {
        begin(app);
    } else {
        app.say("the rollouts begin when the review has ended");
    }
}

/// Rolls out what is open of what the file's program says, unless it is rolled out already; returns whether another goal
/// is not under way.
pub(crate) fn verify(app: &mut App) -> bool {
    let is_whole = |all: &Vec<Verified>| !all.iter().any(Verified::is_left);
    match &app.match_rollouts {
        None if app.opinions.as_ref().is_some_and(is_whole) => {}
        None => {
            let budget = Duration::from_secs(app.settings.review.budget);
            want(app, MatchRolloutGoal::Verify, budget);
        }
        Some(rollouts) if rollouts.goal == MatchRolloutGoal::Verify => {}
        Some(_) => {
            say_busy(app);
            return false;
        }
    }
    true
}

/// The key of the close decisions once something of the match is being rolled out: it ends only what it begins.
pub(crate) fn again(app: &mut App) {
    match app.match_rollouts.as_ref().map(|rollouts| rollouts.goal) {
        Some(MatchRolloutGoal::Close) => stop(app),
        _ => say_busy(app),
    }
}

/// Says that another goal is under way: there is one at a time.
fn say_busy(app: &mut App) {
    let Some(rollouts) = &app.match_rollouts else {
        return;
    };
    let words = match rollouts.goal {
        MatchRolloutGoal::Close => "the match is being rolled out",
        MatchRolloutGoal::Errors(_) => "the errors are being rolled out",
        MatchRolloutGoal::Verify => "the file is being verified",
    };
    // In a window the key means nothing.
    let how = match app.overlay {
        Some(_) => "{stop} stops that once the window is closed",
        None => "{stop} stops that",
    };
    app.say_keys(&format!("{words}: {how}"));
}

/// The standard review has ended: what was waiting for it begins, else what was kept is looked for.
pub(crate) fn analysed(app: &mut App) {
    if app.document.record.games.is_empty() {
        return;
    }
    match &app.match_rollouts {
        Some(rollouts) if !rollouts.has_begun => begin(app),
        Some(_) => {}
        None => {
            let number = app.next_match_run();
            app.effects.push(Effect::Recall(number));
        }
    }
}

fn begin(app: &mut App) {
    if let Some(rollouts) = &mut app.match_rollouts {
        rollouts.has_begun = true;
        app.effects.push(Effect::RollOutMatch {
            number: app.match_runs,
            goal: rollouts.goal,
            budget: rollouts.budget,
        });
    }
}

/// Ends the rollouts of the match; what was found stays.
pub(crate) fn stop(app: &mut App) {
    let Some(rollouts) = app.match_rollouts.take() else {
        return;
    };
    app.jobs.end_match_rollouts();
    rollouts::thaw_when_done(app);
    app.effects.push(Effect::EndMatchRollouts);
    let words = match rollouts.goal {
        MatchRolloutGoal::Errors(_) => {
            let again = app.keymap.named_in(KeyScope::Errors, "{roll out}");
            let list = app.keymap.named("{errors}");
            format!("the errors are rolled out no further, {again} in {list} goes on; results stay")
        }
        MatchRolloutGoal::Close => {
            "the match is rolled out no further; what was found stays".into()
        }
        MatchRolloutGoal::Verify => "the file is verified no further; what was found stays".into(),
    };
    app.say(words);
}

/// Holds it, or lets it go on.
pub(crate) fn pause(app: &mut App) {
    if let Some(rollouts) = &mut app.match_rollouts {
        rollouts.is_paused = !rollouts.is_paused;
    }
}

/// Takes in what the worker of a run tells; of a run before the newest, nothing.
pub(crate) fn news(app: &mut App, number: u64, news: MatchRolloutNews) {
    if number != app.match_runs {
        return;
    }
    match news {
        MatchRolloutNews::Rolled {
            decision,
            plays,
            settings,
            result,
        } => {
            app.jobs
                .take_match_rollout(decision, &plays, &settings, result);
            if app.decision() == Some(decision) && app.jobs.frozen().is_none() {
                ranking::rerank(app);
            }
        }
        MatchRolloutNews::Done(count, used) => {
            if let Some(rollouts) = &mut app.match_rollouts {
                (rollouts.count, rollouts.used) = (count, used);
            }
        }
        MatchRolloutNews::Opinions(all) => app.opinions = Some(all),
        MatchRolloutNews::Opinion(i, rolled) => {
            if let Some(one) = app.opinions.as_mut().and_then(|all| all.get_mut(i)) {
                one.take(rolled);
            }
        }
        MatchRolloutNews::Over { done, recalled } => over(app, done, recalled),
    }
}

fn over(app: &mut App, done: Option<MatchRolloutProgress>, recalled: bool) {
    app.jobs.end_match_rollouts();
    if recalled {
        let found = done.map_or(0, |done| done.decisions);
        // What is said already, such as that the file was read again, matters more.
        if found > 0 && app.status.is_none() {
            let decisions = match found {
                1 => "1 decision of this match was".to_owned(),
                n => format!("{n} decisions of this match were"),
            };
            app.say(format!("{decisions} rolled out before"));
        }
        return;
    }
    let Some(rollouts) = app.match_rollouts.take() else {
        return;
    };
    rollouts::thaw_when_done(app);
    let words = match rollouts.goal {
        MatchRolloutGoal::Verify => verified(app, done),
        MatchRolloutGoal::Errors(filter) => errors_done(app, done, rollouts.count, filter),
        MatchRolloutGoal::Close => {
            let key = app.keymap.named("{roll out the match}");
            match (done, rollouts.count) {
                (Some(all), _) if all.is_all => {
                    format!("rolled out: all {} close decisions", all.decisions)
                }
                (Some(_), DecisionCount { done, of }) => format!(
                    "the time is over: {done} of {of} decisions are rolled out; {key} goes on"
                ),
                (None, _) => "the match is rolled out no further".to_owned(),
            }
        }
    };
    app.say(words);
}

fn verified(app: &App, done: Option<MatchRolloutProgress>) -> String {
    let key = app.keymap.named("{verify the file}");
    match done {
        Some(all) if all.is_all => "verified: all that the file says".to_owned(),
        Some(_) => format!("the time is over: {key} goes on with what is open"),
        None => "the file is verified no further".to_owned(),
    }
}

/// Says how many errors were rolled out, and how many are none of that size any more.
fn errors_done(
    app: &App,
    done: Option<MatchRolloutProgress>,
    DecisionCount { done: rolled, of }: DecisionCount,
    filter: ErrorFilter,
) -> String {
    let all = match done {
        None => return "the errors are rolled out no further".to_owned(),
        Some(all) if !all.is_all => {
            let again = app.keymap.named_in(KeyScope::Errors, "{roll out}");
            return format!(
                "the time is over: {rolled} of {of} errors are rolled out; {again} goes on"
            );
        }
        Some(all) => all.decisions,
    };
    let of = of.max(all);
    match (all, of - all) {
        (0, 0) => "the errors listed are rolled out already".to_owned(),
        (0, _) => format!("none of the {of} errors could be rolled out"),
        (_, failed) => {
            let failed = match failed {
                0 => String::new(),
                n => format!(" ({n} failed)"),
            };
            let overturned = error_list::overturned_words(app, filter);
            format!("{all} of {of} errors rolled out{failed}; {overturned}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        let all = ["90", " 90s ", "5m", "1h", "24h"].map(seconds);
        assert_eq!(all, [90, 90, 300, 3600, 86_400].map(Some));
        let none = [
            "",
            "0",
            "m",
            "25h",
            "-3",
            "1.5m",
            "99999999999999999999",
            "3é",
        ];
        assert!(none.iter().all(|text| seconds(text).is_none()));
    }
}
