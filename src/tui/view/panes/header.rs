//! The top line: what is open, where in it, and what is running.

use ratatui::layout::Rect;

use crate::game::GameState;
use crate::match_file::Game;
use crate::review::MatchTurn;
use crate::tui::documents::variation_kind::VariationKind;
use crate::tui::figures::pace::time_left;
use crate::tui::figures::troubles;
use crate::tui::keys::ActionId;
use crate::tui::rollouts::decision_count::DecisionCount;
use crate::tui::rollouts::jobs::{Job, JobState};
use crate::tui::screen::targets::Target;
use crate::tui::state::{App, MatchRolloutGoal, MatchRollouts};
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::view::board::disc;
use crate::tui::view::drawing::paint::Paint;
use crate::words::counted;

/// Columns from which on both the pace and the time left are shown.
const BOTH_FROM: u16 = 100;
/// With fewer columns than this the turn in view stands where the name of the program does.
const NARROW: u16 = 80;
/// Place of the title among the words: what is open stands second.
const TITLE: usize = 1;
/// Columns that its name may take where the lesser facts after it have no room for then.
const LONG_TITLE: usize = 28;
/// Columns that it keeps beside the facts that are needed.
const SHORT_TITLE: usize = 6;

/// Draws it into `area`; `has_board` tells whether the screen has room for the board.
pub(crate) fn draw(paint: &mut Paint<'_>, area: Rect, app: &App, has_board: bool) {
    if area.is_empty() {
        return;
    }
    paint.fill(area, Role::Header);
    let mut right = running(app, area.width);
    if area.width < 60 {
        // The rollout matters most where there is little room.
        right.retain(|(_, role)| *role != Role::HeaderMuted);
    }
    let mut place = place(app, area.width, has_board);
    let is_plain = app.editor.is_none() && app.quiz.is_none();
    if let Some(turn) = app.turn().filter(|_| !has_board && is_plain) {
        // Nothing else tells whose turn it is.
        place[TITLE].0 = whose_turn(app, turn);
    }
    let needed = needed_columns(&place);
    make_room(&mut right, usize::from(area.width).saturating_sub(needed));
    leave_time_out(&mut right, area.width.into());
    let words: Vec<(&str, Role)> = right.iter().map(|(w, r)| (w.as_str(), *r)).collect();
    let end = if right.is_empty() {
        area.right()
    } else {
        paint.line_right(area, 0, &words)
    };
    trouble_targets(paint, area, end, &right);
    let mut x = area.x;
    let room = usize::from(end - area.x);
    let title = title_columns(&place, room, needed);
    place[TITLE].0 = text::cut(&place[TITLE].0, title);
    for (i, (word, role)) in place.iter().enumerate() {
        if word.is_empty() {
            continue;
        }
        let gap = if i == 0 { 1 } else { 2 };
        let wide = text::width(word) as u16;
        // Facts that do not fit are left out whole; the name of the file is cut.
        if x + gap + wide + 2 > end && i != TITLE {
            break;
        }
        let most = end.saturating_sub(x + gap + 1);
        if i == TITLE {
            let title = Rect::new(x + gap, area.y, wide.min(most), 1);
            paint.target(title, Target::Action(ActionId::Open));
        }
        x += gap
            + paint.put(
                x + gap,
                area.y,
                most,
                &text::cut(word, usize::from(most)),
                *role,
            );
    }
}

/// Columns of facts of the place, each with its gap, and of the gaps around the title.
fn fact_columns(place: &[(String, Role)]) -> usize {
    let facts = place.iter().enumerate().filter(|(i, _)| *i != TITLE);
    facts
        .map(|(_, (word, _))| text::width(word) + 2)
        .sum::<usize>()
        + 3
}

/// Columns of what is needed of the place: the start of the title, game and score, or of a position what is played
/// for.
fn needed_columns(place: &[(String, Role)]) -> usize {
    let last = place.iter().rposition(|word| word.1 != Role::HeaderMuted);
    let needed = (last.unwrap_or(0) + 1).max(TITLE + 2).min(place.len());
    fact_columns(&place[..needed]) + text::width(&place[TITLE].0).min(SHORT_TITLE)
}

/// Leaves words at the right end out, the lesser ones from the last on, until the others fit into so many columns:
/// first those that are muted, then what waits to be looked at and is no trouble.
fn make_room(right: &mut Vec<(String, Role)>, columns: usize) {
    let wide = |right: &[(String, Role)]| right.iter().map(|w| text::width(&w.0)).sum::<usize>();
    for role in [Role::HeaderMuted, Role::HeaderName] {
        while wide(right.as_slice()) > columns {
            let Some(lesser) = right.iter().rposition(|word| word.1 == role) else {
                break;
            };
            right.remove(lesser);
        }
    }
}

/// Leaves the time out where not even the whole line has room for all: half of it says nothing.
fn leave_time_out(right: &mut Vec<(String, Role)>, columns: usize) {
    let wide: usize = right.iter().map(|word| text::width(&word.0)).sum();
    if wide > columns {
        right.retain(|word| word.1 != Role::Header);
    }
}

/// Columns of the title: all that the facts leave, else as many as leave the needed ones whole. Where there is no room
/// for these, the title goes.
fn title_columns(place: &[(String, Role)], room: usize, needed: usize) -> usize {
    let least = match (room + SHORT_TITLE).checked_sub(needed) {
        Some(title) if title >= SHORT_TITLE => title.min(LONG_TITLE),
        _ => 0,
    };
    room.saturating_sub(fact_columns(place)).max(least)
}

/// Makes each word about what is wrong a place to click, which shows it.
fn trouble_targets(paint: &mut Paint<'_>, area: Rect, start: u16, words: &[(String, Role)]) {
    let mut x = start;
    for (word, _) in words {
        let wide = text::width(word) as u16;
        let part = Rect::new(x, area.y, wide, 1).intersection(area);
        let is_trouble = ["unsaved", "failed"].iter().any(|w| word.starts_with(w));
        if is_trouble || word.contains(" warning") {
            paint.target(part, Target::Action(ActionId::Warnings));
        }
        let is_library = [" new", "unreadable", "library "];
        if is_library.iter().any(|w| word.contains(w)) {
            paint.target(part, Target::Action(ActionId::Library));
        }
        x = x.saturating_add(wide);
    }
}

/// The roll and who is to play it, or who is to decide about the cube.
fn whose_turn(app: &App, turn: &MatchTurn) -> String {
    let (sign, name) = (disc(turn.before.player).0, app.name(turn.before.player));
    let state = &turn.before.state;
    match state.roll {
        // It stands first: a name may be cut.
        Some(roll) => format!("{roll} {sign} {name}"),
        None if state.doubled => format!("doubled: {sign} {name}"),
        None => format!("cube: {sign} {name}"),
    }
}

/// Words for where we are, most important first.
fn place(app: &App, columns: u16, has_board: bool) -> Vec<(String, Role)> {
    let is_narrow = columns < NARROW;
    let title = match (&app.editor, &app.quiz) {
        (Some(_), _) => "position editor",
        (None, Some(quiz)) => &quiz.title,
        (None, None) => &app.document.title,
    };
    let mut words = vec![
        ("luckless".to_owned(), Role::HeaderName),
        (title.to_owned(), Role::Header),
    ];
    if let Some(quiz) = &app.quiz {
        words.push((quiz.place(), Role::Header));
        return words;
    }
    if let Some(list) = app.home().list.filter(|_| app.editor.is_none()) {
        if is_narrow {
            words[0].0 = list.words();
        } else {
            words.push((list.words(), Role::Header));
        }
    }
    // Without the board the roll and whose turn it is need the room.
    if let Some(open) = app.variation.as_ref().filter(|_| has_board) {
        let name = match open.kind {
            VariationKind::ByHand(_) => "by hand",
            VariationKind::Match(ref played) if played.is_transcribed() => "transcribing",
            VariationKind::Match(_) => "playing",
            VariationKind::Tried => "what if",
        };
        words.push((name.to_owned(), Role::HeaderLive));
        if let Some(player) = open.opponent {
            let sign = disc(player).0;
            words.push((format!("{sign} by program"), Role::HeaderMuted));
        }
    }
    if let Some(turn) = app.turn() {
        let length = length(&turn.before.state);
        let game = app.document.record.games.get(turn.game);
        match game.filter(|_| app.editor.is_none()) {
            Some(game) => in_match(&mut words, app, (turn, game), length, columns),
            None => words.push((length, Role::HeaderMuted)),
        }
    }
    words
}

/// Adds where in its match a turn is: game, score and length, and the number of the move.
fn in_match(
    words: &mut Vec<(String, Role)>,
    app: &App,
    (turn, game): (&MatchTurn, &Game),
    length: String,
    columns: u16,
) {
    let is_narrow = columns < NARROW;
    let ([left, right], games) = (game.score, app.document.record.games.len());
    if is_narrow {
        words[0].0 = format!("game {} move {}", turn.game + 1, turn.number);
    } else {
        words.push((format!("game {}/{games}", turn.game + 1), Role::Header));
    }
    // The score says little without the length, so both stand or go together.
    match turn.before.state.score.length {
        0 => {
            words.push((format!("{left}–{right}"), Role::Header));
            words.push((length, Role::HeaderMuted));
        }
        to if columns < BOTH_FROM => {
            words.push((format!("{left}–{right}/{to}"), Role::Header));
        }
        to => words.push((format!("{left}–{right} to {to}"), Role::Header)),
    }
    if game.crawford {
        words.push(("Crawford".to_owned(), Role::Header));
    }
    if !is_narrow {
        words.push((format!("move {}", turn.number), Role::HeaderMuted));
    }
}

/// Length of the match in words, or the rules of money that are in force.
fn length(state: &GameState) -> String {
    match state.score.length {
        0 => state.rules.money_words(),
        n => counted(n, "point"),
    }
}

/// The word for what of the match is rolled out, or verified.
fn goal_word(goal: MatchRolloutGoal) -> &'static str {
    match goal {
        MatchRolloutGoal::Close => "match",
        MatchRolloutGoal::Errors(_) => "errors",
        MatchRolloutGoal::Verify => "file",
    }
}

/// The rollouts of the whole match: how many are done, and how long they may go on.
fn match_words(rollouts: &MatchRollouts) -> Vec<(String, Role)> {
    let DecisionCount { done, of } = rollouts.count;
    let what = goal_word(rollouts.goal);
    let doing = match rollouts.goal {
        MatchRolloutGoal::Verify => "verifying",
        MatchRolloutGoal::Close | MatchRolloutGoal::Errors(_) => "rolling out",
    };
    let word = match (rollouts.has_begun, rollouts.is_paused) {
        (false, _) => format!("{what}: after the review"),
        (_, true) => format!("{what} paused {done}/{of}"),
        _ => format!("{doing} the {what} {done}/{of}"),
    };
    let left = rollouts.seconds_left().map_or_else(
        || " ".to_owned(),
        |left| format!("  {} left ", text::seconds(left)),
    );
    vec![
        (format!("● {word}"), Role::HeaderLive),
        (left, Role::Header),
    ]
}

fn running(app: &App, width: u16) -> Vec<(String, Role)> {
    let mut words = Vec::new();
    let turns = app.document.reviews.len();
    let analysed = app.document.is_final.iter().filter(|&&s| s).count();
    if analysed < turns {
        let share = 100 * analysed / turns;
        let word = match (app.is_rolling(), width < BOTH_FROM) {
            (false, _) => format!("review {share}%  "),
            (true, false) => format!("review {share}% waits for the rollout  "),
            (true, true) => "review waits  ".to_owned(),
        };
        words.push((word, Role::HeaderMuted));
    }
    words.extend(troubles(app));
    if let Some(since) = app.jobs.frozen() {
        let age = app.now.saturating_duration_since(since).as_secs();
        words.push((format!("frozen {age} s  "), Role::HeaderLive));
    }
    if let Some(job) = app.jobs.current() {
        words.extend(rollout_words(app, job));
        if let Some(left) = time_left(job) {
            // Where there is little room the time is worth more than the pace.
            if width < BOTH_FROM {
                words.pop();
            }
            let gap = if width < BOTH_FROM { " " } else { "" };
            words.push((format!("{gap} {left} "), Role::Header));
        }
    } else if let Some(rollouts) = &app.match_rollouts {
        words.extend(match_words(rollouts));
    } else if !words.is_empty() {
        words.push((" ".into(), Role::Header));
    }
    words
}

/// Words for what is not saved, not analysed, or warned of.
fn troubles(app: &App) -> Vec<(String, Role)> {
    let mut words = Vec::new();
    let due = app.study.due();
    if due > 0 {
        words.push((format!("quiz: {due} due  "), Role::HeaderName));
    }
    words.extend(filling_words(app));
    let unsaved = app.unsaved();
    if unsaved > 0 {
        words.push((format!("unsaved {unsaved}  "), Role::HeaderLive));
    }
    let failed = app.document.failed.len();
    if failed > 0 {
        words.push((format!("failed {failed}  "), Role::HeaderLive));
    }
    let warnings = troubles::of_file(&app.document.record).count();
    if warnings > 0 {
        let warnings = counted(warnings, "warning");
        words.push((format!("{warnings}  "), Role::HeaderMuted));
    }
    words
}

/// Words for how far the library is filled, and what is new in it.
fn filling_words(app: &App) -> Vec<(String, Role)> {
    let mut words = Vec::new();
    let filling = &app.library.filling;
    if filling.done < filling.of {
        let word = format!("library {}/{}  ", filling.done, filling.of);
        words.push((word, Role::HeaderMuted));
    }
    let word = match app.library.news() {
        (0, 0) => return words,
        (added, 0) => format!("{added} new in library  "),
        (0, failed) => format!("{failed} unreadable  "),
        (added, failed) => format!("{added} new, {failed} unreadable  "),
    };
    words.push((word, Role::HeaderName));
    words
}

/// The rollout under way, what waits behind it, and its speed.
fn rollout_words(app: &App, job: &Job) -> Vec<(String, Role)> {
    let pilot = job.piloted_for(app.now);
    let n = job.plays.len();
    let word = match job.state {
        JobState::Paused => "● paused".to_owned(),
        _ if pilot.is_some() => "● pilot at work".to_owned(),
        _ if n == 1 => "● rolling 1 play".to_owned(),
        _ => format!("● rolling {n} plays"),
    };
    let mut words = vec![(word, Role::HeaderLive)];
    if let Some(rollouts) = &app.match_rollouts {
        let word = format!(" +{}", goal_word(rollouts.goal));
        words.push((word, Role::HeaderMuted));
    }
    let queued = app.jobs.active().filter(|j| j.state == JobState::Queued);
    let waiting = queued.count();
    if waiting > 0 {
        words.push((format!(" +{waiting} queued"), Role::HeaderMuted));
    }
    // A pilot's trials are none of the rollout's.
    let rate = job.result().map_or(0.0, |r| r.trials_per_second);
    let pace = match pilot {
        // What stands still has no speed.
        _ if job.state == JobState::Paused => String::new(),
        Some(time) => format!("  {}", text::seconds(time.as_secs() as f64)),
        None => format!("  {}/s", text::count(rate)),
    };
    words.push((format!("{pace} "), Role::Header));
    words
}
