//! The pane of the quiz: the question, what each answer is worth once it is answered, and how it went.

use ratatui::layout::Rect;

use super::moves::mark_role;
use super::paint::Paint;
use super::title;
use crate::game::{CubeOwner, GameState};
use crate::review::Mark;
use crate::store::date;
use crate::study::{Choice, Question, Rating, StudyProgress, anki, question};
use crate::tui::quiz::{OpenQuestion, Quiz};
use crate::tui::state::App;
use crate::tui::targets::Target;
use crate::tui::text;
use crate::tui::theme::Role;

/// Rows from the top of an area downwards.
struct Lines<'a, 'b> {
    paint: &'a mut Paint<'b>,
    area: Rect,
    row: u16,
    /// Whether there is so little room that only what is needed has a line.
    is_low: bool,
}

/// Rows below which room is little.
const LOW: u16 = 9;

impl Lines<'_, '_> {
    fn add(&mut self, words: &[(&str, Role)]) {
        self.paint.line(self.area, self.row, words);
        self.row += 1;
    }

    /// A text in as many rows as it takes.
    fn wrapped(&mut self, words: &str, role: Role) {
        let columns = usize::from(self.area.width.saturating_sub(2));
        for line in text::wrap(words, columns, 4) {
            self.add(&[(" ", role), (&line, role)]);
        }
    }

    /// The row that was added last.
    fn last(&self) -> Rect {
        let line = Rect {
            y: self.area.y + self.row.saturating_sub(1),
            height: 1,
            ..self.area
        };
        line.intersection(self.area)
    }

    fn gap(&mut self) {
        self.row += u16::from(!self.is_low);
    }
}

pub(super) fn draw(paint: &mut Paint<'_>, area: Rect, app: &App, quiz: &Quiz) {
    if area.is_empty() {
        return;
    }
    let open = &quiz.open;
    let name = match (quiz.is_over, open.given) {
        (true, _) => "how it went",
        (false, Some(_)) => "answer",
        (false, None) => "question",
    };
    let inner = title(paint, area, name, &quiz.place(), app.overlay.is_none());
    // A free column at the edge of the screen.
    let inner = Rect {
        width: inner.width.saturating_sub(1),
        ..inner
    };
    let mut lines = Lines {
        paint,
        area: inner,
        row: 0,
        is_low: inner.height < LOW,
    };
    if quiz.is_over {
        return summary(&mut lines, app, quiz);
    }
    head(&mut lines, &open.decision.state);
    match (&open.question, open.given) {
        (Some(asked), Some(place)) => answer(&mut lines, app, quiz, (asked, place)),
        (Some(asked), None) => choices(&mut lines, open, asked),
        (None, _) => {
            let why = open.failure.as_deref();
            lines.wrapped(why.unwrap_or("the plays are being analysed …"), Role::Muted);
        }
    }
}

/// Score, cube, and what is asked.
fn head(lines: &mut Lines<'_, '_>, state: &GameState) {
    let score = match state.score.away() {
        None => format!("money, {}", state.rules.of_money()),
        Some((own, other)) => format!("you need {own}, they need {other}"),
    };
    let owner = match state.owner {
        CubeOwner::Centred => "centred",
        CubeOwner::Mover => "yours",
        CubeOwner::Opponent => "theirs",
    };
    let cube = match state.score.crawford {
        true if lines.is_low => "Crawford".to_owned(),
        true => "Crawford game: no doubling".to_owned(),
        false => format!("cube {}, {owner}", state.cube),
    };
    let asked = anki::asked(state);
    if lines.is_low {
        let about = format!("  {score}; {cube}");
        lines.add(&[
            (" ", Role::Strong),
            (&asked, Role::Strong),
            (&about, Role::Muted),
        ]);
        return;
    }
    lines.add(&[(" ", Role::Muted), (&score, Role::Muted)]);
    lines.add(&[(" ", Role::Muted), (&cube, Role::Muted)]);
    lines.add(&[(" ", Role::Strong), (&asked, Role::Strong)]);
    lines.gap();
}

/// What may be answered, and nothing of what it is worth.
fn choices(lines: &mut Lines<'_, '_>, open: &OpenQuestion, asked: &Question) {
    if lines.is_low {
        return choices_in_rows(lines, open, asked);
    }
    for (i, choice) in asked.choices.iter().enumerate() {
        let number = format!(" {} ", i + 1);
        lines.add(&[
            (&number, Role::Key),
            (" ", Role::Text),
            (asked.words(choice), Role::Text),
        ]);
        let line = lines.last();
        lines.paint.target(line, Target::Row(i));
        if i == open.row {
            lines.paint.select(line, Role::Cursor);
        }
    }
    lines.gap();
    if open.typed.is_some() {
        lines.wrapped("your play is being analysed …", Role::Muted);
    }
}

/// The same one beside the other.
fn choices_in_rows(lines: &mut Lines<'_, '_>, open: &OpenQuestion, asked: &Question) {
    const GAP: u16 = 3;
    let area = lines.area;
    let mut x = area.x + 1;
    for (i, choice) in asked.choices.iter().enumerate() {
        let number = (i + 1).to_string();
        let wide = (text::width(&number) + 1 + text::width(asked.words(choice))) as u16;
        if x + wide > area.right() && x > area.x + 1 {
            (x, lines.row) = (area.x + 1, lines.row + 1);
        }
        let place = Rect::new(x, area.y + lines.row, wide, 1).intersection(area);
        let words = [
            (&*number, Role::Key),
            (" ", Role::Text),
            (asked.words(choice), Role::Text),
        ];
        lines.paint.line(place, 0, &words);
        lines.paint.target(place, Target::Row(i));
        if i == open.row {
            lines.paint.select(place, Role::Cursor);
        }
        x += wide + GAP;
    }
    lines.row += 1;
    if open.typed.is_some() {
        lines.wrapped("your play is being analysed …", Role::Muted);
    }
}

/// What each answer is worth, and when the decision comes back.
fn answer(lines: &mut Lines<'_, '_>, app: &App, quiz: &Quiz, (asked, place): (&Question, usize)) {
    let decision = &quiz.open.decision;
    let given = &asked.choices[place];
    let role = cost_role(app, given.cost);
    if given.cost < question::AS_GOOD {
        lines.add(&[(" right", Role::Best)]);
    } else {
        let mut lost = format!(" gives away {:.3} points", given.cost);
        let best = asked
            .choices
            .iter()
            .min_by(|a, b| a.cost.total_cmp(&b.cost));
        if let Some(best) = best.filter(|_| lines.is_low) {
            lost += &format!(", right: {}", asked.words(best));
        }
        lines.add(&[(&lost, role)]);
    }
    lines.gap();
    if !lines.is_low {
        ranked(lines, app, quiz, (asked, place));
        let legend = "› you   ● the match";
        lines.add(&[(" ", Role::Muted), (legend, Role::Muted)]);
        lines.gap();
    }
    let Some(last) = quiz.done.last() else { return };
    let mut words: Vec<(String, Role)> = Vec::new();
    for rating in Rating::ALL {
        let chosen = rating == last.rating();
        let key = if chosen { Role::Strong } else { Role::Key };
        let name = if chosen { Role::Strong } else { Role::Muted };
        words.push((format!(" {}", rating.number()), key));
        words.push((format!(" {}", rating.name()), name));
    }
    let words: Vec<(&str, Role)> = words.iter().map(|(w, r)| (w.as_str(), *r)).collect();
    lines.add(&words);
    lines.wrapped(&comes_back(app, quiz), Role::Text);
    lines.gap();
    let made = format!(
        "in the match {} ({:.3}): {}",
        decision.made_words(),
        decision.cost,
        decision.source
    );
    lines.wrapped(&made, Role::Muted);
}

/// Columns before the choices of an answer.
const MARGIN: usize = 4;
/// Columns of a figure.
const FIGURE: usize = 8;

/// Columns of a play from which on its equity has room beside it.
const PLAY: usize = 20;

/// The choices, the best first, in as many rows as they take: what was right is read before what it is worth. In a
/// narrow pane plays have the room of their equities, the short ones too, so that every question has the same columns.
fn ranked(lines: &mut Lines<'_, '_>, app: &App, quiz: &Quiz, (asked, place): (&Question, usize)) {
    let mut order: Vec<usize> = (0..asked.choices.len()).collect();
    order.sort_by(|a, b| asked.choices[*a].cost.total_cmp(&asked.choices[*b].cost));
    let columns = usize::from(lines.area.width).saturating_sub(MARGIN);
    let is_cube = quiz.open.decision.state.roll.is_none();
    let has_equity = is_cube || columns >= PLAY + 2 * FIGURE;
    let room = columns.saturating_sub(if has_equity { 2 * FIGURE } else { FIGURE });
    let figures = |equity: &str, cost: &str| match has_equity {
        true => format!("{equity:>FIGURE$}{cost:>FIGURE$}"),
        false => format!("{cost:>FIGURE$}"),
    };
    let head = format!("    {}{}", text::fit("", room), figures("equity", "cost"));
    lines.add(&[(&head, Role::Muted)]);
    for i in order {
        let choice: &Choice = &asked.choices[i];
        let own = if i == place { "›" } else { " " };
        let made = if choice.text == quiz.open.decision.made {
            "●"
        } else {
            " "
        };
        let role = match choice.cost {
            0.0 => Role::Best,
            cost => cost_role(app, cost),
        };
        let mut names = text::wrap(asked.words(choice), room, 3).into_iter();
        let name = text::fit(&names.next().unwrap_or_default(), room);
        let equity = format!("{:+.3}", choice.equity);
        let figures = figures(&equity, &format!("{:.3}", choice.cost));
        lines.add(&[
            (" ", Role::Text),
            (own, Role::Strong),
            (made, Role::Played),
            (" ", Role::Text),
            (&name, role),
            (&figures, role),
        ]);
        for rest in names {
            lines.add(&[("    ", Role::Text), (&rest, role)]);
        }
    }
}

fn cost_role(app: &App, cost: f32) -> Role {
    match Mark::of(cost, &app.thresholds()) {
        Mark::Fine => Role::Text,
        mark => mark_role(mark),
    }
}

/// When the decision in view comes back.
fn comes_back(app: &App, quiz: &Quiz) -> String {
    let standing = app.study.standing(&quiz.open.decision.key());
    match standing.and_then(|standing| Some((standing.due?, standing.last?))) {
        None => "does not come back".to_owned(),
        Some((due, last)) if due <= last => "comes back in this quiz".to_owned(),
        Some((due, last)) if due == last + 1 => "comes back tomorrow".to_owned(),
        Some((due, last)) => format!("comes back in {} days, {}", due - last, date(due)),
    }
}

/// How it went, and what is to come.
fn summary(lines: &mut Lines<'_, '_>, app: &App, quiz: &Quiz) {
    for rating in Rating::ALL {
        let same = quiz.done.iter().filter(|one| one.rating() == rating);
        let count = format!(" {:>4}", same.count());
        let name = format!("  {}", rating.name());
        lines.add(&[(&count, Role::Strong), (&name, Role::Text)]);
    }
    lines.gap();
    let today = app.study.today(app.now);
    let progress = StudyProgress::new(app.study.cards(), today);
    let s = |n: usize| if n == 1 { "" } else { "s" };
    let counts = format!(
        "{} card{}, {} due today; {} day{} in a row",
        progress.cards,
        s(progress.cards),
        progress.due,
        progress.streak,
        s(progress.streak)
    );
    lines.wrapped(&counts, Role::Text);
    if let Some(retention) = progress.retention() {
        let remembered = format!(
            "remembered {:.0}% of {} asked again on a later day",
            100.0 * retention,
            progress.repeated
        );
        lines.wrapped(&remembered, Role::Text);
    }
    lines.gap();
    lines.add(&[(" due in the days to come", Role::Muted)]);
    let most = progress.forecast.iter().copied().max().unwrap_or(0).max(1);
    let room = usize::from(lines.area.width).saturating_sub(18);
    for (ahead, count) in (0..).zip(&progress.forecast) {
        let day = date(today + ahead);
        let bar = "█".repeat((count * room).div_ceil(most).min(room));
        let row = format!(" {} {count:>4} ", &day[5..]);
        lines.add(&[(&row, Role::Muted), (&bar, Role::Best)]);
    }
}
