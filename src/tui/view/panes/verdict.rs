//! What the turn in view has cost, and its luck: the line below the facts of a play.

use ratatui::layout::Rect;

use crate::cube::cube_words;
use crate::review::Mark;
use crate::tui::figures::candidate_rows::{CandidateRow, FigureSource};
use crate::tui::figures::luck;
use crate::tui::screen::units::Scale;
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::words::mark_role;

/// Says how the list judges the play made, where it looks deeper than the review and marks it otherwise.
fn changed(
    app: &App,
    error: f32,
    level: FigureSource,
    rows: &[CandidateRow],
    scale: &Scale,
) -> String {
    let FigureSource::Ply(reviewed) = level else {
        return String::new();
    };
    let best = rows.iter().find(|row| row.is_best);
    let made = rows.iter().find(|row| row.is_played);
    let Some((best, made)) = best.zip(made) else {
        return String::new();
    };
    let FigureSource::Ply(shown) = best.level else {
        return String::new();
    };
    let lost = (-made.difference).max(0.0);
    let marks = [f64::from(error), lost].map(|lost| Mark::of(lost as f32, &app.thresholds()));
    if shown <= reviewed || made.level != best.level || marks[0] == marks[1] {
        return String::new();
    }
    let (size, sign) = (scale.label(lost), marks[1].sign());
    format!(", {size} {sign} at {shown}-ply")
}

/// Names the source of a turn's cost. The list may be deeper than the review that analysed the turn. Then the
/// line says that the verdict is the review's, unless the list confirms that there was no error.
fn source(error: f32, level: FigureSource, rows: &[CandidateRow]) -> String {
    let best = rows.iter().find(|row| row.is_best);
    match (level, best) {
        (FigureSource::Ply(n), Some(best)) => match best.level {
            FigureSource::Ply(shown) if shown == n => at_ply(n),
            FigureSource::Ply(shown) if shown > n && best.is_played && error <= 0.0 => {
                at_ply(shown)
            }
            _ => by_review(n),
        },
        (FigureSource::Ply(n), None) => at_ply(n),
        (FigureSource::Rollout, _) => " by rollout".to_owned(),
    }
}

pub(crate) fn at_ply(n: u8) -> String {
    format!(" at {n}-ply")
}

/// Names the review as the source, where something else in sight is of another depth.
pub(crate) fn by_review(n: u8) -> String {
    format!(" ({n}-ply)")
}

/// What is known of what a turn cost, in words.
struct Known {
    /// What not doubling before it cost.
    missed: Option<([String; 2], Mark)>,
    error_and_mark: Option<((f32, FigureSource), Mark)>,
    is_forced: bool,
    error: String,
    /// What says so, the longest first.
    sources: [String; 3],
    /// The luck of the roll, with what says so and without.
    luck: [String; 2],
}

impl Known {
    /// What is known, for a pane of so many columns; `None` without a review.
    fn of(app: &App, rows: &[CandidateRow], columns: u16) -> Option<Self> {
        let review = app.document.reviews.get(app.at).and_then(Option::as_ref);
        let review = review.filter(|_| app.editor.is_none())?;
        let error_and_mark = app.error(app.at).zip(app.mark(app.at));
        let scale = app.scale();
        let missed = missed_double(app, &scale);
        let (error, source) =
            error_and_mark.map_or_else(Default::default, |((error, level), _)| {
                // What the double cost goes before.
                let short = missed.is_some() && columns < 52;
                let source = match short {
                    true => String::new(),
                    false => source(error, level, rows),
                };
                (scale.label(f64::from(error)), source)
            });
        let state = app.turn().map(|turn| turn.before.state);
        let deeper = state.and_then(|state| luck::by_table(app, &state));
        let (luck, ply) = match deeper {
            Some((luck, ply)) => (Some(luck.points), ply),
            None => (review.luck, 0),
        };
        let luck = match luck.map(|luck| scale.difference(f64::from(luck))) {
            Some(luck) => [format!("{luck} {ply}-ply"), luck],
            None => ["—", "—"].map(str::to_owned),
        };
        let changed = error_and_mark.map_or_else(String::new, |((error, level), _)| {
            changed(app, error, level, rows, &scale)
        });
        Some(Self {
            missed,
            error_and_mark,
            is_forced: review.is_forced(),
            error,
            // The luck goes before what says so.
            sources: [format!("{source}{changed}"), changed, String::new()],
            luck,
        })
    }

    /// The lines that there may be room for, the longest first, without the luck.
    fn lines(&self) -> Vec<Words<'_>> {
        let play = self.sources.each_ref().map(|source| {
            let is_behind = self.missed.is_some();
            verdict(
                self.error_and_mark,
                (self.is_forced, is_behind),
                (&self.error, source),
            )
        });
        lines(self.missed.as_ref(), &play)
    }
}

/// Width of a line in columns.
fn wide(line: &Words<'_>) -> usize {
    line.iter().map(|(word, _)| text::width(word)).sum()
}

/// Cost of the turn in view, for the title of a pane of so many columns: the longest text first, with its
/// luck.
pub(crate) fn for_title(app: &App, rows: &[CandidateRow], columns: u16) -> Vec<String> {
    let Some(known) = Known::of(app, rows, columns) else {
        return Vec::new();
    };
    let lines = known.lines();
    let lucky = lines.first().map(|line| {
        let luck = known.luck.each_ref();
        luck.map(|luck| with_luck(line, luck))
    });
    let all = lucky.into_iter().flatten().chain(lines);
    let texts = all.map(|line| line.iter().map(|(word, _)| *word).collect::<String>());
    texts
        .map(|text| text.trim().to_owned())
        .filter(|text| !text.is_empty())
        .collect()
}

/// Luck and error of the turn, with what says so. The rule above takes the luck where the line has no room for it and
/// the rule has some: these columns.
pub(crate) fn draw(
    paint: &mut Paint<'_>,
    area: Rect,
    app: &App,
    rows: &[CandidateRow],
    room: Option<u16>,
) {
    let Some(known) = Known::of(app, rows, area.width) else {
        return;
    };
    let lines = known.lines();
    let fits = |line: &&Words<'_>| wide(line) <= usize::from(area.width);
    let [long, short] = &known.luck;
    let lucky = [(0, long), (0, short), (1, short)];
    let lucky = lucky.map(|(line, luck)| with_luck(&lines[line], luck));
    let mut shown = lucky.as_slice();
    if let Some(room) = room.filter(|_| !fits(&&lucky[1])) {
        let words = [long, short].map(|luck| format!(" luck {luck} "));
        let fitting = words
            .iter()
            .find(|words| text::width(words) <= usize::from(room));
        let luck = fitting.unwrap_or(&words[1]);
        paint.line(area, 0, &[("─", Role::Rule), (luck, Role::Muted)]);
        shown = &[];
    }
    // What no line has room for is left out whole.
    if let Some(line) = shown.iter().chain(&lines).find(fits) {
        paint.line(area, 2, line);
    }
}

/// Cost of not doubling before the roll, in words and in short ones, with its mark; `None` where that was
/// fine.
fn missed_double(app: &App, scale: &Scale) -> Option<([String; 2], Mark)> {
    let (error, _) = app.silent_error(app.at)?;
    let mark = Mark::of(error, &app.thresholds());
    let state = app.turn().map(|turn| turn.before.state);
    let name = state.map_or("no double", |state| cube_words("no double", &state));
    let size = scale.label(f64::from(error));
    let words = [name, "cube"].map(|name| format!("{name} {size} "));
    (mark > Mark::Fine).then_some((words, mark))
}

/// A line of words in their roles.
type Words<'a> = Vec<(&'a str, Role)>;

/// Lines for the cost of a turn, the longest first: a missed double, and behind it the play. Where there is
/// little room the words for the double are short, and in the end there is nothing of the play.
fn lines<'a>(missed: Option<&'a ([String; 2], Mark)>, play: &[Words<'a>; 3]) -> Vec<Words<'a>> {
    let Some((names, mark)) = missed else {
        return play.to_vec();
    };
    let double = names
        .each_ref()
        .map(|name| [(&**name, Role::Text), (mark.sign(), mark_role(*mark))]);
    let behind = |double: [(&'a str, Role); 2], play: &Words<'a>| {
        let gap = [("  ", Role::Text)];
        double
            .into_iter()
            .chain(gap)
            .chain(play.iter().copied())
            .collect()
    };
    let mut lines: Vec<Words<'a>> = play.iter().map(|play| behind(double[0], play)).collect();
    lines.push(behind(double[1], &play[2]));
    lines.extend(double.map(Vec::from));
    lines
}

/// A line with the luck of the roll behind it.
fn with_luck<'a>(line: &Words<'a>, luck: &'a str) -> Words<'a> {
    let gap = if line.is_empty() { "" } else { "   " };
    let luck = [
        (gap, Role::Text),
        ("luck ", Role::Muted),
        (luck, Role::Text),
    ];
    line.iter().copied().chain(luck).collect()
}

/// Words for the cost of the play of a turn, and for the source.
fn verdict<'a>(
    error_and_mark: Option<((f32, FigureSource), Mark)>,
    (is_forced, is_behind): (bool, bool),
    (error, source): (&'a str, &'a str),
) -> Words<'a> {
    match error_and_mark {
        _ if is_forced => vec![("forced", Role::Muted)],
        Some(((error, _), _)) if error <= 0.0 => {
            // Behind the mark of a missed double: that is none of the play.
            let whose = if is_behind { "play: " } else { "" };
            vec![
                (whose, Role::Muted),
                ("no error", Role::Muted),
                (source, Role::Muted),
            ]
        }
        Some((_, mark)) => vec![
            ("error ", Role::Muted),
            (error, Role::Text),
            (" ", Role::Text),
            (mark.sign(), mark_role(mark)),
            (source, Role::Muted),
        ],
        None => Vec::new(),
    }
}
