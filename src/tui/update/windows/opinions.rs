//! The window that says whether the file's program is right: its opinions, ours, and rollouts.

use ratatui::layout::Rect;

use super::window::{Window, row};
use crate::game::Player;
use crate::review::verification::{Counts, Verdict, Verified};
use crate::tui::documents::match_decision::MatchDecision;
use crate::tui::figures::imported::short_name;
use crate::tui::state::{App, MatchRolloutGoal};
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::update::analysis::match_rollouts;
use crate::tui::update::lines::walk;
use crate::tui::view::board::disc;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::window::{description, list, window};
use crate::tui::windows::overlay::Overlay;
use crate::words::counted;

const WIDTH: u16 = 96;
/// Columns besides the decision and the looks ahead: place, player, rollout and verdict.
const FIXED: usize = 7 + 2 + 15 + 11;
/// Columns of what the file, or our lookahead, says.
const LOOK: usize = 8;
/// Columns that a decision has before our lookahead has any, and before the file's.
const DECISION: [usize; 2] = [28, 20];

pub(super) struct Opinions;

impl Window for Opinions {
    fn draw(&self, paint: &mut Paint<'_>, screen: Rect, app: &App) {
        let row = row(app);
        let none = Vec::new();
        let all = app.opinions.as_ref().unwrap_or(&none);
        let program = all
            .first()
            .map_or("the file", |one| short_name(&one.claim.program));
        let title = format!("is {program} right?");
        let tallest = screen.height.saturating_sub(6).max(16);
        let height = (all.len() as u16).saturating_add(6).clamp(9, tallest);
        let area = window(paint, screen, (WIDTH, height), &title, &progress(app));
        if app.opinions.is_none() {
            let words = "the opinions are collected when the review has ended …";
            paint.line(area, 0, &[(words, Role::OverlayMuted)]);
            return;
        }
        let above = description(paint, area, &summary(app, all), 3);
        let room = usize::from(area.width).saturating_sub(FIXED);
        // Where there is little room the decision has that of the looks ahead.
        let has_ours = room >= DECISION[0] + 2 * LOOK;
        let has_file = has_ours || room >= DECISION[1] + LOOK;
        let looks = [has_file, has_ours];
        let room = room - LOOK * looks.iter().filter(|has| **has).count();
        let head = format!(
            "{}{}{}{:>14}  verdict",
            text::fit("move", 9),
            text::fit("better by the file, and the other", room),
            shown(looks, [program, "ours"]),
            "rolled out",
        );
        paint.line(above, 0, &[(&head, Role::OverlayMuted)]);
        let below = Rect {
            y: above.y + 1.min(above.height),
            height: above.height.saturating_sub(1),
            ..above
        };
        list(paint, below, row, all.len(), &mut |paint, line, i| {
            opinion(paint, line, app, &all[i], room, looks);
        });
    }

    fn rows(&self, app: &App) -> usize {
        app.opinions.as_ref().map_or(0, Vec::len)
    }

    fn begin(&self, app: &mut App) -> Option<usize> {
        match_rollouts::verify(app).then(|| {
            let last = self.rows(app).saturating_sub(1);
            app.home().opinion.min(last)
        })
    }

    fn decision(&self, app: &App) -> Option<MatchDecision> {
        decision(app, row(app))
    }

    /// Goes to the decision that the opinion is about.
    fn accept(&self, app: &mut App, window: &Overlay) -> bool {
        let row = window.row();
        app.home_mut().opinion = row;
        if let Some(decision) = decision(app, row) {
            walk::to_decision(app, decision);
        }
        true
    }
}

/// The decision that the opinion in a row is about.
fn decision(app: &App, row: usize) -> Option<MatchDecision> {
    let claim = &app.opinions.as_ref()?.get(row)?.claim;
    let turn = app.turn_at(claim.place)?;
    let has_roll = app.document.turns[turn].before.state.roll.is_some();
    let is_silent = claim.actions.is_some() && has_roll;
    Some(MatchDecision { turn, is_silent })
}

/// The looks of the file and of our lookahead, those that there is room for.
fn shown(looks: [bool; 2], words: [&str; 2]) -> String {
    let all = looks.into_iter().zip(words).filter(|(has, _)| *has);
    all.map(|(_, words)| text::fit_right(words, LOOK)).collect()
}

/// Says how far the verification is; empty while there is none.
fn progress(app: &App) -> String {
    let rollouts = app
        .match_rollouts
        .as_ref()
        .filter(|r| r.goal == MatchRolloutGoal::Verify);
    rollouts.map_or_else(String::new, |r| {
        let left = r.budget.saturating_sub(r.used).as_secs_f64();
        format!(
            "{} of {}, {} left …",
            r.count.done,
            r.count.of,
            text::seconds(left)
        )
    })
}

fn opinion(
    paint: &mut Paint<'_>,
    line: Rect,
    app: &App,
    one: &Verified,
    room: usize,
    looks: [bool; 2],
) {
    let claim = &one.claim;
    let Some(turn) = app.turn_at(claim.place).map(|at| &app.document.turns[at]) else {
        return;
    };
    let place = format!("{:>2}.{:<3} ", turn.game + 1, turn.number);
    let (sign, colour) = disc(claim.player);
    let [better, other] = claim.words(&|play| text::play(play, &claim.state.position));
    let dice = claim
        .state
        .roll
        .map_or_else(String::new, |roll| format!("{roll} "));
    let error = if claim.is_error { "? " } else { "" };
    let decision = format!(" {error}{dice}{better} > {other}");
    let claimed = claim.claimed.map_or_else(|| "–".to_owned(), text::equity);
    let ours = text::equity(claim.looked_ahead);
    let rolled = one.rolled.map_or_else(String::new, |r| {
        format!(
            "{} ±{}",
            text::equity(r.difference),
            text::half_size(r.decisive_half())
        )
    });
    let role = match one.verdict {
        Verdict::Overturned => Role::OverlayTitle,
        Verdict::Agreed | Verdict::Open => Role::OverlayMuted,
        Verdict::Confirmed | Verdict::TooClose => Role::Overlay,
    };
    let words = [
        (&*place, Role::OverlayMuted),
        (sign, colour),
        (&*text::fit(&decision, room), Role::Overlay),
        (&*shown(looks, [&claimed, &ours]), Role::Overlay),
        (&*text::fit_right(&rolled, 14), Role::Overlay),
        ("  ", Role::Overlay),
        (one.verdict.name(), role),
    ];
    paint.line(line, 0, &words);
}

/// Says what became of each player's errors.
fn summary(app: &App, all: &[Verified]) -> String {
    let of = |player: Player| {
        let Counts {
            errors, none, open, ..
        } = Counts::of(all, player);
        let name = app.name(player);
        match errors {
            0 => format!("{name}: no errors."),
            1 => format!("{name}: 1 error by the file, {none} refuted, {open} open."),
            _ => format!("{name}: {errors} errors by the file, {none} refuted, {open} open."),
        }
    };
    let count = |verdict| all.iter().filter(|one| one.verdict == verdict).count();
    format!(
        "{} {} Of {} {} overturned, {} open. ? is what the file calls an error.",
        of(Player::Left),
        of(Player::Right),
        counted(all.len(), "opinion"),
        count(Verdict::Overturned),
        count(Verdict::Open)
    )
}
