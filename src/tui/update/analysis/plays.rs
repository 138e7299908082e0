//! The candidate plays: selecting, marking, rolling out, comparing, copying.

use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;

use crate::game::{GameState, Play, Position};
use crate::notation::{gnubg_id, ogid};
use crate::rollout::limits::MOST_PAIRWISE;
use crate::rollout::{Allocation, CubeSettings, Settings, StopRules};
use crate::store::settings::{Clipboard, Coupled};
use crate::tui::figures::candidate_rows::{self, CandidateRow};
use crate::tui::figures::conditions;
use crate::tui::figures::lists::{list_height, list_top, pinned_candidate};
use crate::tui::figures::rollout_list;
use crate::tui::keys::{ActionId, Key};
use crate::tui::rollouts::jobs::{Aim, DecisionKey, Job, JobId, JobPlay, JobState};
use crate::tui::screen::units::Units;
use crate::tui::state::{App, Effect};
use crate::tui::text;
use crate::words::counted;

/// Most plays that can be compared with each other.
const MOST_COMPARED: usize = MOST_PAIRWISE;
/// A rollout that is done is doubled to no more trials than this.
const MOST_DOUBLED: u64 = 100_000_000;

fn place(app: &App, rows: &[CandidateRow]) -> Option<usize> {
    let selected = app.selection.play?;
    rows.iter().position(|r| r.candidate.result == selected)
}

/// Moves the selection; the first press shows the first play.
pub(crate) fn select(app: &mut App, action: ActionId) {
    let rows = candidate_rows::rows(app);
    if rows.is_empty() {
        return;
    }
    let last = rows.len() - 1;
    let to = match (action, place(app, &rows)) {
        (ActionId::First, _) | (ActionId::Down | ActionId::Up, None) => 0,
        (ActionId::Last, _) => last,
        (ActionId::Down, Some(i)) => (i + 1).min(last),
        (_, Some(i)) => i.saturating_sub(1),
        (_, None) => 0,
    };
    choose(app, &rows, to);
}

fn choose(app: &mut App, rows: &[CandidateRow], to: usize) {
    app.selection.play = Some(rows[to].candidate.result);
    // Rules between levels take rows as well.
    let rules = rows.iter().filter(|r| r.starts_level).count();
    let height = usize::from(list_height(app.areas.candidates.height)).max(rules + 2) - rules - 1;
    let first = app.selection.scroll.min(to);
    app.selection.scroll = first.max((to + 1).saturating_sub(height.max(1)));
}

/// Shows a play that is listed.
pub(crate) fn show(app: &mut App, result: Position) {
    let is_it = |row: &CandidateRow| row.candidate.result == result;
    let mut rows = candidate_rows::rows(app);
    if !rows.iter().any(is_it) {
        app.selection.clear();
        rows = candidate_rows::rows(app);
    }
    if let Some(place) = rows.iter().position(is_it) {
        choose(app, &rows, place);
    }
}

/// A click on a row selects it; answers whether it was selected before.
pub(crate) fn click(app: &mut App, area: Rect, row: u16) -> bool {
    let top = area.y + list_top(area.height);
    let Some(mut wanted) = row.checked_sub(top) else {
        return false;
    };
    if wanted >= list_height(area.height) {
        return false;
    }
    let rows = candidate_rows::rows(app);
    let height = list_height(area.height);
    let pinned = pinned_candidate(app, &rows, app.selection.scroll, height.into());
    if let Some(made) = pinned.filter(|_| wanted + 1 == height) {
        app.selection.play = Some(rows[made].candidate.result);
        return false;
    }
    for (i, r) in rows.iter().enumerate().skip(app.selection.scroll) {
        if r.starts_level && i > app.selection.scroll {
            if wanted == 0 {
                return false;
            }
            wanted -= 1;
        }
        if wanted == 0 {
            let clicked = Some(r.candidate.result);
            return std::mem::replace(&mut app.selection.play, clicked) == clicked;
        }
        wanted -= 1;
    }
    false
}

/// Shows the selected play on the board, or the position before it.
pub(crate) fn toggle_shown_play(app: &mut App) {
    if app.selection.play.take().is_none() {
        select(app, ActionId::Down);
    }
}

/// Marks the selected play, or the first one.
pub(crate) fn mark(app: &mut App) {
    if app.selection.play.is_none() {
        select(app, ActionId::Down);
    }
    let (Some(decision), Some(play)) = (app.decision(), app.selection.play) else {
        return;
    };
    let set = app.marked.entry(decision).or_default();
    if !set.remove(&play) {
        set.insert(play);
    }
}

/// Rolls out the plays that are worth it, or the position before the roll.
pub(crate) fn roll_out(app: &mut App) {
    let cube = app.rollout_cube();
    let plays = worth_rolling(app, cube);
    let mut settings = app.settings.rollout.settings(plays.len());
    settings.cube = cube;
    settings.settlement = app.settlement();
    // Games that are settled are played to their end.
    settings.horizon = settings.horizon.filter(|_| settings.settlement.is_none());
    let is_left_out = settings.settlement.is_none() && app.settings.rollout.settlement().is_some();
    begin(app, plays, Aim::Each, settings);
    if is_left_out {
        app.say("without the settlement limit: it is for money play, not for a score");
    }
}

/// The plays that are worth rolling out with this cube. Before the roll it is the position itself, and a cube decision
/// has it twice: without a double, and after a double and a take.
pub(super) fn worth_rolling(app: &App, cube: Option<CubeSettings>) -> Vec<JobPlay> {
    let play = |result| JobPlay {
        play: Play::NONE,
        result,
    };
    match app.decision().and_then(|d| d.before_roll()) {
        Some(result) if cube.is_some_and(|cube| cube.decision) => vec![play(result); 2],
        Some(result) => vec![play(result)],
        None => candidate_rows::worth_rolling(&candidate_rows::ranked(app)),
    }
}

/// Compares plays: all that are marked, if there are two or more, else the selected one with the
/// best, else the best with the one played, else the best two.
pub(crate) fn compare(app: &mut App) {
    let rows = candidate_rows::ranked(app);
    let marked: Vec<JobPlay> = rows
        .iter()
        .filter(|r| r.is_marked)
        .map(CandidateRow::job_play)
        .collect();
    if marked.len() > MOST_COMPARED {
        return app.say_keys(&format!(
            "{{compare}} compares up to {MOST_COMPARED} plays: unmark the others, or roll all of them out \
             with {{roll out}}"
        ));
    }
    let plays = if marked.len() >= 2 {
        marked
    } else if let Some(pair) = best_and_other(app, &rows) {
        pair.map(CandidateRow::job_play).to_vec()
    } else {
        return;
    };
    let mut settings = app.settings.rollout.settings(plays.len());
    settings.cube = app.live_cube();
    let aim = couple(app, &mut settings, plays.len());
    begin(app, plays, aim, settings);
}

/// Compares by matched ranks, whatever the settings say of the dice.
pub(crate) fn compare_by_ranks(app: &mut App) {
    let usual = std::mem::replace(&mut app.settings.rollout.coupling, Coupled::Koca);
    compare(app);
    app.settings.rollout.coupling = usual;
}

/// In a match against the program, selects the play in the row of this number among those in sight; answers whether the
/// key was one.
pub(crate) fn digit(app: &mut App, key: Key) -> bool {
    let row = match key.code() {
        KeyCode::Char(digit) => digit.to_digit(10).and_then(|row| row.checked_sub(1)),
        _ => None,
    };
    let Some(row) = row.filter(|_| conditions::is_choosing(app)) else {
        return false;
    };
    let rows = candidate_rows::rows(app);
    match rows.get(row as usize + app.selection.scroll) {
        Some(row) => app.selection.play = Some(row.candidate.result),
        None => app.say("no play has this number"),
    }
    true
}

/// The two plays that are marked, or else the best and the one selected, made, or next to it.
pub(crate) fn pair(app: &App) -> Option<[Play; 2]> {
    let rows = candidate_rows::ranked(app);
    let marked: Vec<&CandidateRow> = rows.iter().filter(|r| r.is_marked).collect();
    let pair = match marked[..] {
        [] | [_] => best_and_other(app, &rows)?,
        [a, b] => [a, b],
        _ => return None,
    };
    Some(pair.map(|row| row.candidate.play))
}

fn best_and_other<'a>(app: &App, rows: &'a [CandidateRow]) -> Option<[&'a CandidateRow; 2]> {
    let best = rows.iter().find(|r| r.is_best)?;
    let is_other = |r: &&CandidateRow| r.candidate.result != best.candidate.result;
    let pick = |f: &dyn Fn(&CandidateRow) -> bool| rows.iter().filter(is_other).find(|r| f(r));
    let selected = app.selection.play;
    // A pair goes on where the play that was selected for it has come to lead.
    let decision = app
        .decision()
        .filter(|_| selected == Some(best.candidate.result));
    let jobs = || {
        decision
            .into_iter()
            .flat_map(|decision| app.jobs.about(decision))
    };
    let pairs = || jobs().filter(|job| job.is_pair());
    let with = |job: &Job, r: &CandidateRow| job.has_plays(&[best, r].map(CandidateRow::job_play));
    let other = pick(&|r| Some(r.candidate.result) == selected)
        .or_else(|| pick(&|r| r.is_marked))
        .or_else(|| pairs().find_map(|job| pick(&|r| with(job, r))))
        .or_else(|| pick(&|r| r.is_played))
        .or_else(|| pick(&|_| true));
    Some([best, other?])
}

/// Rolls plays out, or goes on with the rollout of them, of a decision that is not in view. A rollout without the play
/// `shown` is not gone on with.
pub(crate) fn roll_elsewhere(
    app: &mut App,
    decision: DecisionKey,
    plays: Vec<JobPlay>,
    shown: Option<Position>,
    cube: CubeSettings,
) {
    let mut settings = app.settings.rollout.settings(plays.len());
    settings.cube = Some(cube);
    let has_shown = |j: &Job| shown.is_none_or(|shown| j.place(&shown).is_some());
    let is_like = |j: &&Job| !j.is_of_match() && j.is_like(Aim::Each, &settings) && has_shown(j);
    let like = app.jobs.about(decision).find(is_like).map(|j| j.id);
    match like {
        Some(id) => go_on(app, id, &settings.stop),
        None => start(app, decision, plays, Aim::Each, settings),
    }
}

/// Starts a rollout, or goes on with the one that is like it.
pub(super) fn begin(app: &mut App, plays: Vec<JobPlay>, aim: Aim, settings: Settings) {
    let Some(decision) = app.decision() else {
        return;
    };
    match rolled_alike(app, &plays, aim, &settings).map(|job| job.id) {
        Some(id) => go_on(app, id, &settings.stop),
        None => start(app, decision, plays, aim, settings),
    }
}

/// The rollout of the decision in view that can go on in the place of one with these settings: of the same plays, or,
/// where the user has not chosen any, of whichever plays were rolled out last, the best and the one made among them.
pub(super) fn rolled_alike<'a>(
    app: &'a App,
    plays: &[JobPlay],
    aim: Aim,
    settings: &Settings,
) -> Option<&'a Job> {
    let decision = app.decision()?;
    let any = aim == Aim::Each && app.marked.get(&decision).is_none_or(|m| m.is_empty());
    let rows = match any {
        true => candidate_rows::rows(app),
        false => Vec::new(),
    };
    let has_needed = |j: &Job| {
        let mut needed = rows.iter().filter(|row| row.is_best || row.is_played);
        needed.all(|row| j.place(&row.candidate.result).is_some())
    };
    let is_meant = |j: &Job| any && has_needed(j) || j.has_plays(plays);
    let is_like = |j: &&Job| !j.is_of_match() && j.is_like(aim, settings) && is_meant(j);
    app.jobs.about(decision).find(is_like)
}

fn start(app: &mut App, decision: DecisionKey, plays: Vec<JobPlay>, aim: Aim, settings: Settings) {
    let (n, is_cube) = (plays.len(), decision.before_roll().is_some());
    app.shown_rollout = None;
    app.add_job(decision, plays, aim, settings, app.shown);
    super::rollouts::start_next(app);
    if app.jobs.active().count() > 1 {
        let is_paused = !app.jobs.is_rolling();
        let first = if is_paused { "is paused" } else { "runs" };
        let what = match (n, is_cube) {
            (_, true) => "the cube decision".to_owned(),
            (n, false) => counted(n, "play"),
        };
        app.say(format!("{what} queued after the rollout that {first}"));
    }
}

/// How the dice of plays that are compared depend on each other; more than two get trials until they
/// are surely not the best.
fn couple(app: &mut App, settings: &mut Settings, plays: usize) -> Aim {
    if plays > 2 {
        // It ends by itself once one play is left.
        settings.stop.separated = None;
        settings.allocation = Allocation::Race;
    }
    let wanted = app.settings.rollout.coupling;
    let Some((coupling, own_ties)) = wanted.named(plays) else {
        if wanted != Coupled::Auto {
            app.say("the dice chosen in the settings are for two plays: these get others");
        }
        return Aim::Pilot;
    };
    settings.coupling = coupling;
    settings.ranks.own_ties = own_ties;
    Aim::Compare
}

/// Goes on with a rollout: one that was stopped to its end, one that is done to the trials now
/// wanted, or else to twice as many as it has.
fn go_on(app: &mut App, id: JobId, rules: &StopRules) {
    let wanted = rules.trials;
    app.shown_rollout = Some(id);
    let Some(job) = app.jobs.get(id) else { return };
    match job.state {
        JobState::Queued => return app.say("this rollout waits for the one that runs"),
        JobState::Paused => {
            return app.say_keys("this rollout is paused: {pause} goes on with it");
        }
        _ if job.is_active() => return app.say("this rollout is under way already"),
        _ => {}
    }
    if job.has_one_play_left() {
        return app.say("decided: one play is left, more trials would tell nothing new");
    }
    if job.is_exact() {
        return app.say("known exactly: more trials would tell nothing new");
    }
    let (done, planned) = (job.trials_played(), job.settings.stop.trials);
    let to = if job.was_stopped() && planned.max(wanted) > done {
        planned.max(wanted)
    } else if wanted > done {
        wanted
    } else {
        done.saturating_mul(2).min(MOST_DOUBLED)
    };
    if to <= done {
        return app.say("this rollout has all the trials there can be");
    }
    app.say(format!(
        "the rollout goes on from {done} to {to} trials of each play"
    ));
    app.jobs.go_on(id, to, rules);
    super::rollouts::start_next(app);
}

/// The job `x` means: the one that runs if it is about the decision in view, else one that waits
/// about it, else the one that runs.
fn meant(app: &App) -> Option<JobId> {
    let decision = app.decision();
    let current = app.jobs.current();
    current
        .filter(|j| decision.is_some_and(|d| app.jobs.about_by_id(d, j.id).is_some()))
        .or_else(|| app.jobs.about(decision?).find(|j| j.is_active()))
        .or(current)
        .map(|j| j.id)
}

/// Pauses the rollout or lets it go on.
pub(crate) fn pause(app: &mut App) {
    let Some(id) = app.jobs.current().map(|j| j.id) else {
        return;
    };
    let Some(job) = app.jobs.get_mut(id) else {
        return;
    };
    let effect = if job.state == JobState::Paused {
        job.state = JobState::Running;
        Effect::Resume(id)
    } else {
        job.state = JobState::Paused;
        Effect::Pause(id)
    };
    app.effects.push(effect);
}

/// Stops a rollout; one that still waits is taken from the queue.
pub(crate) fn stop(app: &mut App) {
    if let Some(id) = meant(app) {
        stop_job(app, id);
    }
}

/// Stops this rollout, or takes it from the queue.
pub(crate) fn stop_job(app: &mut App, id: JobId) {
    let Some(job) = app.jobs.get_mut(id) else {
        return;
    };
    if job.state == JobState::Queued {
        job.state = if job.result().is_some() {
            JobState::Done
        } else {
            JobState::Failed("taken from the queue".into())
        };
        app.say("taken from the queue");
        return;
    }
    let (decision, has_result) = (job.decision, job.trials_played() > 0);
    app.effects.push(Effect::Cancel(id));
    let place =
        place_elsewhere(app, decision).map_or_else(String::new, |place| format!(": {place}"));
    app.say(match has_result {
        true => format!("stopped, the result stays{place}"),
        false => format!("stopped{place}"),
    });
}

/// The turn of a decision, as game and move, where it is not in view.
fn place_elsewhere(app: &App, decision: DecisionKey) -> Option<String> {
    if app.decision() == Some(decision) {
        return None;
    }
    let place = rollout_list::place_in(app.home(), decision)?;
    Some(rollout_list::place_words(app.home(), place))
}

/// Shows equities in the other units, and says which.
pub(crate) fn change_units(app: &mut App) {
    app.options.units = app.options.units.other();
    let money = app.turn().is_none_or(|t| t.before.state.score.is_money());
    let units = match (app.options.units, money) {
        (Units::Cube, true) => "points on the present cube",
        (Units::Cube, false) => "points normalised to the present cube (EMG)",
        (Units::Whole, true) => "points times the cube",
        (Units::Whole, false) => "chances to win the match, in percent",
    };
    // The chances of the game are no equities: they stay as they are.
    match app.options.chances {
        true => app.say_keys(&format!("equities are {units}; {{columns}} shows them")),
        false => app.say(units),
    }
}

/// Copies to the clipboard; answers whether the action does so.
pub(crate) fn copy(app: &mut App, action: ActionId) -> bool {
    let text: fn(&mut App, &GameState) -> Option<(&'static str, String)> = match action {
        ActionId::CopyXgid => |_, state| Some(("XGID", crate::notation::xgid_text(state))),
        ActionId::CopyGnubg => gnubg_id,
        ActionId::CopyOgid => ogid,
        ActionId::CopyXgText => |app, _| Some(("board and analysis", super::export::xg_text(app))),
        ActionId::CopyTable => |app, state| Some(("analysis", table(app, state))),
        _ => return false,
    };
    let state = app.turn().map(|turn| turn.before.state);
    if let Some((what, text)) = state.and_then(|state| text(app, &state)) {
        to_clipboard(app, what, text);
    }
    true
}

/// The ID of GNU Backgammon, where it has room for the state.
fn gnubg_id(app: &mut App, state: &GameState) -> Option<(&'static str, String)> {
    let id = gnubg_id::full_id(state);
    if id.is_none() {
        app.warn(format!(
            "a GNUBG ID has no room for this cube or score (largest cube {}); copy the XGID",
            gnubg_id::LARGEST_CUBE
        ));
    }
    id.map(|id| ("GNUBG ID", id))
}

/// The OGID, where it has room for the cube.
fn ogid(app: &mut App, state: &GameState) -> Option<(&'static str, String)> {
    let id = ogid::ogid_text(state);
    if id.is_none() {
        app.warn(format!(
            "an OGID has no room for this cube (largest {}); copy the XGID",
            ogid::LARGEST_CUBE
        ));
    }
    id.map(|id| ("OGID", id))
}

/// Copies a text as the settings say.
pub(crate) fn to_clipboard(app: &mut App, what: &'static str, text: String) {
    match app.settings.clipboard {
        Clipboard::Off => app.warn("nothing is copied: the setting clipboard is off"),
        Clipboard::Terminal => to_terminal(app, what, text),
        Clipboard::Auto | Clipboard::System => app.effects.push(Effect::Copy(what, text)),
    }
}

/// The system's clipboard has the text, or does not take it.
pub(crate) fn copied(
    app: &mut App,
    what: &'static str,
    text: String,
    by: Result<&'static str, String>,
) {
    match by {
        Ok(tool) => app.say(format!("{what} copied to the system's clipboard ({tool})")),
        Err(why) if app.settings.clipboard == Clipboard::System => {
            app.warn(format!("{what} is not copied: {why}"));
        }
        Err(_) => to_terminal(app, what, text),
    }
}

fn to_terminal(app: &mut App, what: &str, text: String) {
    app.effects.push(Effect::CopyToTerminal(text));
    app.say(format!("{what} sent to the terminal's clipboard (OSC 52)"));
}

/// The candidates as text, in the order players quote them, and the comparison in view. Without dice the cube
/// decision.
fn table(app: &App, state: &GameState) -> String {
    let scale = app.scale();
    let mut out = crate::notation::xgid_text(state);
    out.push('\n');
    if let Some(turn) = app.turn() {
        out += &format!("{}\n", super::export::heading(app, turn));
    }
    if state.roll.is_none() {
        return out + &super::export::cube_table(app, state).to_string();
    }
    let play = text::fit("play", 20);
    out += &format!("     {:<8} {play} {} (difference)\n", "by", scale.name());
    out += "       win, gammon, backgammon - lose, gammon, backgammon, in percent\n";
    for (i, row) in candidate_rows::rows(app).iter().take(10).enumerate() {
        let play = text::fit(&text::play(&row.candidate.play, &state.position), 20);
        let level = match row.level {
            candidate_rows::FigureSource::Rollout if row.is_cubeless => "cubeless".to_owned(),
            candidate_rows::FigureSource::Rollout => "rollout".to_owned(),
            candidate_rows::FigureSource::Ply(n) => format!("{n}-ply"),
        };
        let equity = scale.value(row.equity);
        out.push_str(&format!("{:>3}. {level:<8} {play} {equity}", i + 1));
        let difference = row.difference_text(&scale);
        if !difference.is_empty() {
            out.push_str(&format!(" ({difference})"));
        }
        if let Some(s) = row
            .rolled
            .as_ref()
            .filter(|_| row.level == candidate_rows::FigureSource::Rollout)
        {
            let interval = scale.interval_of(s);
            out.push_str(&format!(" {interval} ({} trials)", s.trials));
        }
        out.push('\n');
        let [w, g, b, lg, lb] = row.chances.map(text::percent);
        let lose = text::percent(1.0 - row.chances[0]);
        out.push_str(&format!("       {w} {g} {b} - {lose} {lg} {lb}\n"));
    }
    if let Some(pair) = crate::tui::view::pair_in_lines(app) {
        out.push_str(&pair);
    }
    out
}
