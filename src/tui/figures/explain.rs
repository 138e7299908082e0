//! The figures in view as sentences, for readers who do not know the columns yet; and the tip on
//! show.

use super::candidate_rows::{self, CandidateRow, FigureSource};
use super::conditions;
use super::cube_figures::{self, CubeFigures};
use super::trials::shown_job;
use crate::game::{GameState, Player};
use crate::rollout::DifferenceResult;
use crate::tui::keys::{ActionId, KeyScope, find, pretty};
use crate::tui::rollouts::jobs::Job;
use crate::tui::screen::units::Scale;
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::windows::tips::Tip;
use crate::words::{counted, verb};

/// A figure as it is shown, and what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained {
    /// As it stands on the screen.
    pub figure: String,
    /// The sentence.
    pub words: String,
}

/// What stands in place of an interval.
const PASSED: &str = "each trial ended with a pass of the double that follows: how sure the pass is, no interval tells";
/// What a figure of a rollout is followed by.
const INTERVAL: &str = "half of the 95% interval: of such intervals 95 in 100 hold the true value by the \
                        play of the rollout";

fn explained(figure: impl Into<String>, words: impl Into<String>) -> Explained {
    Explained {
        figure: figure.into(),
        words: words.into(),
    }
}

/// The figures of the selected play, or of the cube decision, and of the board.
pub fn figures(app: &App) -> Vec<Explained> {
    let mut all = Vec::new();
    let Some(turn) = app.turn() else {
        return all;
    };
    if !app.options.hidden {
        let rows = candidate_rows::rows(app);
        let selected = app.selection.play;
        let row = rows
            .iter()
            .find(|row| Some(row.candidate.result) == selected);
        if let Some(row) = row.or(rows.first()) {
            play(&mut all, app, row, rows.iter().find(|row| row.is_best));
        } else if turn.before.state.roll.is_none() {
            before_roll(&mut all, app, &turn.before.state, turn.before.player);
        }
    }
    if !app.options.hidden {
        rollout(&mut all, app);
    }
    all.push(pips(app, &turn.before.state, turn.before.player));
    all.push(score(app, &turn.before.state, turn.before.player));
    all
}

fn play(all: &mut Vec<Explained>, app: &App, row: &CandidateRow, best: Option<&CandidateRow>) {
    let Some(turn) = app.turn() else { return };
    let (position, scale) = (&turn.before.state.position, row.scale(&app.scale()));
    let name = |row: &CandidateRow| text::play(&row.candidate.play, position);
    let made = if row.is_played { "; it was made" } else { "" };
    let said = match best.filter(|best| best.candidate.result != row.candidate.result) {
        None => format!("the best play that is known{made}"),
        Some(best) => format!("a play that is possible{made}. The best is {}", name(best)),
    };
    all.push(explained(name(row), said));
    let cube = if row.is_cubeless {
        "without the cube"
    } else {
        "with the cube and the score"
    };
    let value = scale.value(row.equity);
    let worth = format!(
        "{}: what the play is worth on average, {cube}; {}",
        scale.name(),
        source(row)
    );
    all.push(explained(value, worth));
    let difference = row.difference_text(&scale);
    if !difference.is_empty() {
        let depth = if row.is_across {
            ". The two were looked at to different depths, so this is a hint"
        } else {
            ""
        };
        let less = format!("how much worse than the best play, on average{depth}");
        all.push(explained(difference, less));
    }
    all.extend(interval(row, &scale));
    let [win, gammon, backgammon, ..] = row.chances.map(text::percent);
    let figure = format!("W{win} {gammon} {backgammon}");
    all.push(chances(app, turn.before.player, row.chances, figure));
}

/// After how many rolls the games of a rollout were stopped, if they were.
fn horizon(row: &CandidateRow) -> Option<u16> {
    row.rolled_at.and_then(|(_, horizon)| horizon)
}

/// Where the figures of a play come from.
fn source(row: &CandidateRow) -> String {
    match (row.level, &row.rolled) {
        (FigureSource::Rollout, Some(rolled)) => {
            let end = horizon(row).map(|rolls| {
                format!(
                    ", each stopped after {}, and valued there",
                    counted(rolls, "roll")
                )
            });
            let end = end.unwrap_or_default();
            format!(
                "the mean of {} games that were rolled out{end}",
                rolled.trials
            )
        }
        (FigureSource::Rollout, None) => "the mean of games that were rolled out".to_owned(),
        (FigureSource::Ply(0), _) => "the static evaluation, without looking ahead".to_owned(),
        (FigureSource::Ply(1), _) => "looking one roll ahead".to_owned(),
        (FigureSource::Ply(plies), _) => format!("looking {plies} rolls ahead"),
    }
}

/// The interval of a play that was rolled out.
fn interval(row: &CandidateRow, scale: &Scale) -> Option<Explained> {
    let rolled = row.rolled.as_ref();
    let rolled = rolled.filter(|_| row.level == FigureSource::Rollout)?;
    let words = match (rolled.is_passed(), horizon(row)) {
        (true, _) => PASSED.to_owned(),
        (false, None) => INTERVAL.to_owned(),
        (false, Some(_)) => {
            format!("{INTERVAL}. What the net errs by where the games stopped is not in it")
        }
    };
    Some(explained(scale.interval_of(rolled), words))
}

/// The figures of a turn without dice.
fn before_roll(all: &mut Vec<Explained>, app: &App, state: &GameState, player: Player) {
    let known = cube_figures::chances(app).map(|(chances, _)| chances);
    let scale = app.scale();
    // A double on offer is told from the side of the doubler.
    let player = match state.doubled {
        true => player.other(),
        false => player,
    };
    if let Some(cube) = CubeFigures::of(app, state, known.as_ref()) {
        let value = scale.value(f64::from(cube.equity));
        let from_here = match state.doubled && cube.decision.is_some() {
            true => "after this double, answered well",
            false => "with the cube used well by both",
        };
        let worth = format!(
            "{}: what the turn is worth on average to {}, {from_here} ({})",
            scale.name(),
            app.name(player),
            cube.source.trim()
        );
        all.push(explained(value, worth));
        let rows = cube.actions(state).into_iter();
        all.extend(rows.map(|row| {
            let value = scale.value(f64::from(row.value));
            explained(value, format!("{}: {}", row.name, row.meaning))
        }));
        if let Some([_, take]) = cube.intervals {
            let words = if take == "pass" { PASSED } else { INTERVAL };
            all.push(explained(take, words));
        }
    }
    all.extend(known.map(|known| {
        let known = known.to_array().map(f64::from);
        chances(
            app,
            player,
            known,
            format!("wins {}", text::percent(known[0])),
        )
    }));
}

/// The figures of the pane of the rollout on show.
fn rollout(all: &mut Vec<Explained>, app: &App) {
    let job = shown_job(app).filter(|job| !job.is_exact());
    let Some((job, result)) = job.and_then(|job| Some((job, job.result()?))) else {
        return;
    };
    let difference = result.difference.filter(|d| job.is_pair() && d.trials > 0);
    let is_plain = |i: &usize| {
        let known = result.candidates.get(*i);
        known.is_some_and(|c| c.trials > 0 && c.equivalent_trials > 0.0)
    };
    // Of the play that is selected, if it has such trials.
    let selected = app.selection.play.and_then(|play| job.place(&play));
    let first = (0..result.candidates.len()).find(is_plain);
    let plain = selected.filter(is_plain).or(first);
    let plain = plain.map(|i| (i, &result.candidates[i]));
    match (difference, plain) {
        (Some(difference), _) => pair(all, app, job, &difference),
        (None, Some((i, candidate))) => {
            let games = text::count(candidate.equivalent_trials);
            let words = format!(
                "ordinary games, with the luck of the dice left in, that would be as exact as the trials of {} in the \
                 rollout on show",
                job.name(i)
            );
            all.push(explained(format!("= {games} games"), words));
        }
        (None, None) => {}
    }
    if job.settings.luck.is_some() {
        let words = format!(
            "{}: the luck of each roll is measured and taken out of the result, so the mean stays and the noise shrinks",
            job.settings.luck.words()
        );
        all.push(explained("VR", words));
    }
}

/// The figures of two plays that are compared.
fn pair(all: &mut Vec<Explained>, app: &App, job: &Job, d: &DifferenceResult) {
    let scale = app.scale_of(job);
    let [a, b] = [job.name(0), job.name(1)];
    let words = format!("{a} − {b}, the mean over {} pairs of games", d.trials);
    all.push(explained(scale.difference(d.equity.mean), words));
    if d.equity.ci95 != d.equity.anytime95 {
        let half = scale.half(d.equity.ci95);
        let fixed =
            "half of the 95% interval, right if the number of trials was set before the start";
        all.push(explained(format!("±{half}"), fixed));
    }
    let half = scale.half_size(d.decisive_half());
    let anytime = "from the difference to the end of the anytime-valid interval that decides: it stays right if you look \
                   and stop whenever you like, and the verdict goes by it";
    all.push(explained(format!("anytime ±{half}"), anytime));
    let common = "how much the results of the two games of a pair go together: 1 if wholly, 0 if not at all. What goes \
                  together falls out of the difference";
    all.push(explained(
        format!("correlation {}", text::correlation(d.correlation)),
        common,
    ));
    let same = "of the pairs of games so many came to one position with the same dice to come; from there on both games \
                are the same";
    let share = text::percent(d.coalesced_share());
    all.push(explained(format!("identical {share}%"), same));
    // As the pane has it: without a reduction of the luck, games of each play with dice of their own.
    let (games, words) = match job.settings.luck.is_some() {
        true => {
            let words = "ordinary games of each play, with the luck of the dice left in, that would be as exact";
            (d.equivalent_trials, words)
        }
        false => {
            let words = "games of each play, with dice of their own, that would be as exact";
            (d.independent_trials, words)
        }
    };
    if games > 0.0 && games.is_finite() {
        let games = text::count(games);
        all.push(explained(format!("as exact as {games}"), words));
    }
}

/// Chances, which begin on the screen with this figure.
fn chances(app: &App, player: Player, chances: [f64; 5], figure: String) -> Explained {
    let [win, gammon, backgammon, lose_gammon, lose_backgammon] = chances.map(text::percent);
    let lose = text::percent(1.0 - chances[0]);
    let name = app.name(player);
    let [wins, loses] = [["wins", "win"], ["loses", "lose"]].map(|forms| verb(name, forms));
    let words = format!(
        "of 100 games {name} {wins} {win}, {gammon} of them a gammon or more and {backgammon} a backgammon, and \
         {loses} {lose}, {lose_gammon} a gammon or more and {lose_backgammon} a backgammon"
    );
    explained(figure, words)
}

fn pips(app: &App, state: &GameState, player: Player) -> Explained {
    let [own, other] = [&state.position.mover, &state.position.opponent].map(|side| side.pips());
    let (name, opponent) = (app.name(player), app.name(player.other()));
    let standing = match own.cmp(&other) {
        std::cmp::Ordering::Less => {
            let leads = verb(name, ["leads", "lead"]);
            format!("{name} {leads} the race by {}", other - own)
        }
        std::cmp::Ordering::Equal => "the race is level".to_owned(),
        std::cmp::Ordering::Greater => {
            let is = verb(name, ["is", "are"]);
            format!("{name} {is} behind in the race by {}", own - other)
        }
    };
    let words = format!(
        "pips that {name} and {opponent} have to roll to bear off all their checkers; {standing}"
    );
    explained(format!("pips {own}, {other}"), words)
}

fn score(app: &App, state: &GameState, player: Player) -> Explained {
    let (name, opponent) = (app.name(player), app.name(player.other()));
    let Some((own, other)) = state.score.away() else {
        let words = "money play: each point counts the same, and games are worth the cube's value";
        return explained("money", words);
    };
    let crawford = if state.score.crawford {
        ". This is the Crawford game: nobody may double"
    } else {
        ""
    };
    let words = format!(
        "points that {name} and {opponent} still need to win the match to {}{crawford}",
        state.score.length
    );
    explained(format!("{own} away, {other} away"), words)
}

/// The tip on show, if there is one: the first that can be followed where we are, with how many are done with
/// once it is.
pub fn due_tip(app: &App) -> Option<(u8, &'static Tip)> {
    let is_walk = app.screen_scope() == KeyScope::Match;
    let is_free = app.overlay.is_none() && is_walk && app.variation.is_none();
    let can_follow = |id: ActionId| {
        // A position alone has no next turn, and without dice there are no plays.
        let is_idle = match id {
            ActionId::NextTurn => app.document.turns.len() < 2,
            ActionId::RollOut => app.turn().is_none_or(|t| t.before.state.roll.is_none()),
            _ => false,
        };
        let action = find(id, KeyScope::Match);
        !is_idle && action.is_some_and(|action| conditions::check(app, action).is_ok())
    };
    let mut left = app.tips.filter(|_| is_free)?.left();
    left.find(|(_, tip)| tip.actions.first().is_some_and(|id| can_follow(*id)))
}

/// Action of the tip on show, its key, and what it does; `None` where there is no tip.
pub fn tip(app: &App) -> Option<(ActionId, String, String)> {
    let (done, tip) = due_tip(app)?;
    let id = *tip.actions.first()?;
    let action = find(id, KeyScope::Match)?;
    let keys = app.keymap.of(action);
    // An arrow is what beginners try.
    let arrow = keys.iter().find(|key| matches!(**key, "right" | "down"));
    let key = pretty(arrow.or(keys.first())?);
    // What a first start shows is not what anybody came for.
    let words = match done == 1 && app.document.is_sample {
        true => format!("{}; a sample: {{open}} opens your match", tip.words),
        false => tip.words.to_owned(),
    };
    Some((id, key, app.keymap.named(&words)))
}
