//! The pane of the quiz: the question, what each answer is worth once it is answered, and how it went.

use ratatui::layout::Rect;

use crate::game::{CubeOwner, GameState};
use crate::review::Mark;
use crate::store::date;
use crate::study::{Choice, Grade, Question, StudyDecision, StudyProgress, question};
use crate::tui::screen::targets::Target;
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::pane::title;
use crate::tui::view::drawing::words::mark_role;
use crate::tui::windows::quiz::{OpenQuestion, Quiz};
use crate::words::counted;

/// Rows from the top of an area downwards.
struct Lines<'a, 'b> {
    paint: &'a mut Paint<'b>,
    area: Rect,
    row: u16,
    /// Whether there is so little room that only what is needed has a line.
    is_low: bool,
    /// Whether there are no free rows between the parts.
    is_tight: bool,
}

/// Rows below which room is little.
const LOW: u16 = 9;
/// Rows below which a note takes the free ones.
const ROOMY: u16 = 30;

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

    /// A text in as many rows as are free, but for those that stay free below it.
    fn filling(&mut self, words: &str, role: Role, below: u16) {
        let columns = usize::from(self.area.width.saturating_sub(2));
        let free = self.area.height.saturating_sub(self.row + below).max(1);
        for line in text::wrap(words, columns, usize::from(free)) {
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
        self.row += u16::from(!self.is_tight);
    }
}

/// Draws the pane; `has_board` tells whether the screen has room for the board beside it.
pub(crate) fn draw(paint: &mut Paint<'_>, area: Rect, app: &App, quiz: &Quiz, has_board: bool) {
    if area.is_empty() {
        return;
    }
    let open = &quiz.open;
    let name = match (quiz.is_over, open.given) {
        (true, _) => "how it went",
        (false, Some(_)) => "answer",
        (false, None) => "question",
    };
    // The place stands in the top line too.
    let side = match has_board {
        true => quiz.place(),
        false => "no room for the board".to_owned(),
    };
    let inner = title(paint, area, name, &side, app.overlay.is_none());
    // A free column at the edge of the screen.
    let inner = Rect {
        width: inner.width.saturating_sub(1),
        ..inner
    };
    let has_note = open.given.is_some() && open.decision.note.is_some();
    let mut lines = Lines {
        paint,
        area: inner,
        row: 0,
        is_low: inner.height < LOW,
        is_tight: inner.height < LOW || has_note && inner.height < ROOMY,
    };
    if quiz.is_over {
        return summary(&mut lines, app, quiz);
    }
    head(&mut lines, &open.decision.state);
    match (&open.question, open.given) {
        (Some(asked), Some(place)) => answer(&mut lines, app, quiz, asked, place),
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
    let asked = question::question_text(state);
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

/// Writes what may be answered, and nothing of what it is worth.
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

/// Writes what may be answered, one beside the other.
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

/// Writes what each answer is worth, and when the decision comes back.
fn answer(lines: &mut Lines<'_, '_>, app: &App, quiz: &Quiz, asked: &Question, place: usize) {
    verdict(lines, app, asked, &asked.choices[place]);
    lines.gap();
    if !lines.is_low {
        all_answers(lines, app, quiz, asked, place);
        lines.gap();
    }
    let Some(last) = quiz.done.last() else { return };
    grades(lines, last.grade());
    lines.wrapped(&comes_back(app, quiz), Role::Text);
    lines.gap();
    let decision = &quiz.open.decision;
    if let Some(note) = &decision.note {
        // The note is what explains the answer, so it comes before what was played.
        lines.filling(&format!("note: {note}"), Role::Text, SOURCE);
        lines.gap();
    }
    lines.wrapped(&in_the_match(decision, asked), Role::Muted);
}

/// Whether the answer is right, or what it costs.
fn verdict(lines: &mut Lines<'_, '_>, app: &App, asked: &Question, given: &Choice) {
    if given.cost < question::AS_GOOD {
        let right = match asked.rollout {
            Some(_) => format!(" right, {}", by(asked, given)),
            None => " right".to_owned(),
        };
        return lines.add(&[(&right, Role::Best)]);
    }
    let mut lost = match asked.rollout {
        Some(_) => format!(" costs {} {}", cost(asked, given), by(asked, given)),
        None => format!(" costs {:.3} points", given.cost),
    };
    if let Some(best) = asked.best().filter(|_| lines.is_low) {
        lost += &format!(", best: {}", asked.words(best));
    }
    lines.add(&[(&lost, cost_role(app, given.cost))]);
}

/// All answers in their order, with what the signs beside them mean.
fn all_answers(lines: &mut Lines<'_, '_>, app: &App, quiz: &Quiz, asked: &Question, place: usize) {
    ranked(lines, app, quiz, asked, place);
    // A narrow pane has no room for it, and a low one none for a second line.
    let fits = |verdict: &String| text::width(verdict) < usize::from(lines.area.width);
    if let Some(verdict) = asked.cube_verdict().filter(fits) {
        lines.add(&[(" ", Role::Muted), (&verdict, Role::Text)]);
    }
    let mut legend = match quiz.open.decision.is_lone() {
        true => " › you".to_owned(),
        false => " › you   ▸ the match".to_owned(),
    };
    if asked.rollout.is_some() && !asked.choices.iter().all(|c| asked.is_rolled(c)) {
        legend += &format!("   ~ {}-ply", asked.ply);
    }
    lines.add(&[(&legend, Role::Muted)]);
}

/// The grades with their keys, the one that counts in strong letters.
fn grades(lines: &mut Lines<'_, '_>, counts: Grade) {
    let mut words: Vec<(String, Role)> = Vec::new();
    for grade in Grade::ALL {
        let [key, name] = match grade == counts {
            true => [Role::Strong, Role::Strong],
            false => [Role::Key, Role::Muted],
        };
        words.push((format!(" {}", grade.number()), key));
        words.push((format!(" {}", grade.name()), name));
    }
    let words: Vec<(&str, Role)> = words.iter().map(|(w, r)| (w.as_str(), *r)).collect();
    lines.add(&words);
}

/// What was done in the match, what that cost, and where; of a position of a list where it stands.
fn in_the_match(decision: &StudyDecision, asked: &Question) -> String {
    if decision.is_lone() {
        return decision.source.clone();
    }
    let by_table = asked.cost_of_made(decision);
    let cost = match asked.rollout {
        None if (by_table - decision.cost).abs() >= SAME => format!(
            "{:.3} as it was analysed, the table is {}",
            decision.cost,
            asked.figures_by()
        ),
        _ => format!("{by_table:.3}"),
    };
    let made = decision.made_words();
    // Where there is little room, names may be cut, and not the place.
    let source = match decision.source.rsplit_once(", game ") {
        Some((names, place)) => format!("game {place}, {names}"),
        None => decision.source.clone(),
    };
    format!("in the match {made} ({cost}): {source}")
}

/// Costs that differ by less count as the same.
const SAME: f32 = 0.0005;
/// Rows that a note leaves to what was played.
const SOURCE: u16 = 2;
/// Columns before the choices of an answer.
const MARGIN: usize = 4;
/// Columns of a figure.
const FIGURE: usize = 8;

/// Columns of a play that every question has room for beside the equities, if the pane is so wide.
const PLAY: usize = 20;

/// The choices, the best first, in as many rows as they take: what was right is read before what it is worth. In a
/// narrow pane a play that is too long for the room beside the equities has their room.
fn ranked(lines: &mut Lines<'_, '_>, app: &App, quiz: &Quiz, asked: &Question, place: usize) {
    let columns = usize::from(lines.area.width).saturating_sub(MARGIN);
    let is_cube = quiz.open.decision.state.roll.is_none();
    let words = asked.choices.iter().map(|choice| asked.words(choice));
    let longest = words.map(text::width).max().unwrap_or(0);
    let has_equity = is_cube || columns >= PLAY.min(longest) + 2 * FIGURE;
    let room = columns.saturating_sub(if has_equity { 2 * FIGURE } else { FIGURE });
    let figures = |equity: &str, cost: &str| match has_equity {
        true => format!("{equity:>FIGURE$}{cost:>FIGURE$}"),
        false => format!("{cost:>FIGURE$}"),
    };
    let head = format!("    {}{}", text::fit("", room), figures("equity", "diff"));
    lines.add(&[(&head, Role::Muted)]);
    for choice in asked.ranked() {
        let is_own = std::ptr::eq(choice, &raw const asked.choices[place]);
        let own = if is_own { "›" } else { " " };
        let made = if choice.text == quiz.open.decision.made {
            "▸"
        } else {
            " "
        };
        let (best, role) = match choice.is_best() {
            true => ("★", Role::Best),
            false => (" ", cost_role(app, choice.cost)),
        };
        let mut names = text::wrap(asked.words(choice), room, 3).into_iter();
        let name = text::fit(&names.next().unwrap_or_default(), room);
        let equity = format!("{:+.3}", choice.equity);
        let figures = figures(&equity, &asked.difference_text(choice));
        lines.add(&[
            (best, Role::Best),
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

/// Cost of a choice in points; with a `~` where it was not rolled out and others were.
fn cost(asked: &Question, choice: &Choice) -> String {
    let sign = if asked.is_hint(choice) { "~" } else { "" };
    format!("{sign}{:.3}", choice.cost)
}

/// Words for the source of a choice's value, where others were rolled out.
fn by(asked: &Question, choice: &Choice) -> String {
    match asked.is_rolled(choice) {
        true => "by rollout".to_owned(),
        false => format!("by {}-ply", asked.ply),
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

/// Writes how the quiz went, and what is to come.
fn summary(lines: &mut Lines<'_, '_>, app: &App, quiz: &Quiz) {
    for grade in Grade::ALL {
        let same = quiz.done.iter().filter(|one| one.grade() == grade);
        let count = format!(" {:>4}", same.count());
        let name = format!("  {}", grade.name());
        lines.add(&[(&count, Role::Strong), (&name, Role::Text)]);
    }
    lines.gap();
    let today = app.study.today(app.now);
    let progress = StudyProgress::new(app.study.cards(), today);
    let counts = format!(
        "{}, {} due today; {} in a row",
        counted(progress.cards, "card"),
        progress.due,
        counted(progress.streak, "day")
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
