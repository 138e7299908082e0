//! The window that says why one play is better: chances, points, and the opponent's next roll.

use ratatui::layout::Rect;

use super::opening;
use crate::analysis::comparison::EVEN;
use crate::analysis::{PlayComparison, PlayRolls, RollRank};
use crate::cube::CubeChoice;
use crate::game::{GameState, Position, Roll};
use crate::notation::play::dice;
use crate::tui::figures::luck;
use crate::tui::rollouts::inquiry::Inquiry;
use crate::tui::rollouts::jobs::DecisionKey;
use crate::tui::screen::targets::Target;
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::view::drawing::paint::{Line, Paint};
use crate::tui::view::drawing::window::{list, rows, scrolled, window};

/// Columns of the table of chances.
const TABLE: u16 = 32;
/// Columns of a cell of the map.
const CELL: usize = 6;
/// Columns that table and map take beside each other. With fewer all stands below each other, without the map: the
/// list of rolls has its figures.
const BESIDE: u16 = TABLE + 2 + 6 * CELL as u16;
/// Rows with which a part of the list has room below them.
const LEAST: u16 = 20;
/// Rows above the list of rolls.
const ABOVE: u16 = 20;
/// From this many rows on, an empty one stands between sentences and list.
const ROOMY: u16 = 10;

pub(crate) fn draw(paint: &mut Paint<'_>, screen: Rect, app: &App, inquiry: &Inquiry, roll: usize) {
    let Inquiry::Why { state, .. } = inquiry else {
        return;
    };
    let answer = app.inquiries.about(inquiry);
    let found = answer.and_then(|answer| answer.compared.as_ref());
    let height = (ABOVE + 23).min(screen.height.saturating_sub(3)).max(21);
    let Some((compared, luck)) = found else {
        let area = window(paint, screen, (76, height), "why", "");
        let failure = answer.and_then(|answer| answer.failure.as_deref());
        let words = failure.unwrap_or("being worked out …");
        paint.line(area, 0, &[(words, Role::OverlayMuted)]);
        return;
    };
    let deeper = if answer.is_some_and(|a| a.is_done) {
        ""
    } else {
        ", deeper …"
    };
    let side = format!(
        "plays {}-ply, rolls {}-ply{deeper}",
        compared.ply + 1,
        compared.ply
    );
    let area = window(paint, screen, (76, height), "why", &side);
    let by_table = luck::by_table(app, state).map(|(luck, ply)| (Some(luck), ply));
    let pane = Pane {
        compared,
        rolled: rolled(app, state, compared),
        luck: by_table.unwrap_or((*luck, 0)),
        position: state.position,
        dice: state.roll,
        next: next_roll(app, state, compared),
        book: opening::of_pair(app, state, [compared.a.result, compared.b.result]),
    };
    if area.width < BESIDE || area.height < LEAST {
        return pane.stacked(paint, area, roll);
    }
    paint.lines(area, &pane.names());
    if let Some(luck) = pane.luck(area.width) {
        paint.line_right(area, 2, &[(&luck, Role::OverlayMuted)]);
    }
    paint.lines(rows(area, 3, 9), &pane.table());
    pane.map(paint, rows(area, 3, 9), roll);
    let parts = pane.parts(area.width);
    paint.lines(rows(area, 12, 2), &parts);
    // Where there is little room no empty row stands around what is left on the board.
    let gap = u16::from(area.height > LEAST + 2);
    let boards = pane.boards(area.width);
    let first = 12 + parts.len() as u16 + gap;
    paint.lines(rows(area, first, boards.len() as u16), &boards);
    let first = first + boards.len() as u16 + gap;
    let below = pane.sentences(paint, rows(area, first, area.height.saturating_sub(first)));
    pane.list(paint, below, roll);
}

/// Text in lines of so many columns.
fn wrapped(words: &str, columns: u16, most: usize) -> Vec<Line> {
    let lines = text::wrap(words, usize::from(columns), most).into_iter();
    lines.map(|line| vec![(line, Role::Overlay)]).collect()
}

/// Equities of the plays by rollouts, as the list of candidates has them: all else in the window is by lookahead.
fn rolled(app: &App, state: &GameState, compared: &PlayComparison) -> Option<[f64; 2]> {
    let ranked = app.jobs.ranked_plays(DecisionKey::of(state));
    let equity = |result: &Position| {
        let found = ranked.iter().find(|play| play.result == *result);
        found.map(|play| play.equity)
    };
    Some([equity(&compared.a.result)?, equity(&compared.b.result)?])
}

struct Pane<'a> {
    compared: &'a PlayComparison,
    /// Equities by rollouts.
    rolled: Option<[f64; 2]>,
    /// The luck of the roll, and the plies behind it.
    luck: (Option<RollRank>, u8),
    position: Position,
    dice: Option<Roll>,
    /// The roll that the opponent threw next in the match, and after which of the plays.
    next: Option<(Roll, usize)>,
    /// What the opening book says of the two.
    book: Option<String>,
}

/// The next roll of the match after one of the plays, if the turn in view is the one asked about.
fn next_roll(app: &App, state: &GameState, compared: &PlayComparison) -> Option<(Roll, usize)> {
    let here = app.turn().filter(|turn| turn.before.state == *state)?;
    let results = [&compared.a, &compared.b].map(|side| side.result);
    // A double and its answer may come before it.
    let later = app.document.turns.iter().skip(app.at + 1).take(3);
    let mut later = later.filter(|turn| turn.game == here.game);
    let next = later.find(|turn| turn.before.state.roll.is_some())?;
    let side = results
        .iter()
        .position(|r| *r == next.before.state.position)?;
    Some((next.before.state.roll?, side))
}

impl Pane<'_> {
    fn sides(&self) -> [&PlayRolls; 2] {
        [&self.compared.a, &self.compared.b]
    }

    /// Which of the plays no roll follows: they end the game, or are passed.
    fn ended(&self) -> [bool; 2] {
        self.sides()
            .map(|side| side.rolls.iter().all(|cell| cell.reply.is_none()))
    }

    /// Draws all parts below each other where there is little room: the window scrolls with the selected
    /// roll.
    fn stacked(&self, paint: &mut Paint<'_>, area: Rect, roll: usize) {
        let mut above = self.names();
        let luck = self.luck(area.width);
        above.extend(luck.map(|words| vec![(words, Role::OverlayMuted)]));
        above.extend(self.table());
        above.extend(self.parts(area.width));
        above.extend(self.boards(area.width));
        for sentence in self.all_sentences() {
            above.extend(wrapped(&sentence, area.width, 9));
        }
        above.push(vec![(Self::list_head(area.width), Role::OverlayMuted)]);
        // With the first roll the window begins at its top. From roll to roll it goes on by so many rows at most that
        // none is left out.
        let step = usize::from(area.height).saturating_sub(1).max(1);
        let at = (above.len() + roll).min((roll + 1) * step);
        let count = above.len() + Roll::ALL.len();
        scrolled(paint, area, at, count, &mut |paint, line, i| {
            if let Some(words) = above.get(i) {
                return paint.lines(line, std::slice::from_ref(words));
            }
            let i = i - above.len();
            self.list_row(paint, line, i);
            paint.target(line, Target::Row(i));
            if i == roll {
                paint.select(line, Role::OverlayCursor);
            }
        });
    }

    fn names(&self) -> Vec<Line> {
        let names = ["A", "B"].iter().zip(self.sides()).map(|(letter, side)| {
            let name = text::play(&side.play, &self.position);
            vec![
                ((*letter).to_owned(), Role::OverlayKey),
                (format!("  {name}"), Role::Overlay),
                (doubling(side).to_owned(), Role::OverlayMuted),
            ]
        });
        names.collect()
    }

    /// The luck of the roll that is played.
    fn luck(&self, columns: u16) -> Option<String> {
        let (luck, ply) = self.luck;
        let (luck, roll) = (luck?, dice(self.dice?));
        let points = text::equity(f64::from(luck.points));
        let least = format!("luck of {roll}, {ply}-ply: {points}");
        let places = [luck.place(), luck.rank_in_words()];
        let all = places.map(|place| format!("{least}, {place}"));
        let fitting = all
            .into_iter()
            .find(|words| text::width(words) <= usize::from(columns));
        Some(fitting.unwrap_or(least))
    }

    /// The sign of the roll that came, or a space.
    fn came(&self, roll: Roll) -> &'static str {
        match self.next {
            Some((next, _)) if next == roll => "▸",
            _ => " ",
        }
    }

    /// Equities of both with what they come from, and their chances, under their heading.
    fn table(&self) -> Vec<Line> {
        let [a, b] = self.sides();
        let difference = self.compared.difference();
        let looked = [a.equity, b.equity].map(f64::from);
        let equities = |source: String, both: [f64; 2], less: f64| {
            (source, both.map(text::equity), text::equity(less), less)
        };
        let rolled = self
            .rolled
            .map(|both| equities("rollout".to_owned(), both, both[0] - both[1]));
        let looked = equities(format!("{}-ply", self.compared.ply + 1), looked, difference);
        let mut lines: Vec<_> = rolled.into_iter().chain([looked]).collect();
        let chance = |name: &str, a: f32, b: f32| {
            // Of the figures as they are shown.
            let [x, y] = [a, b].map(|c| (1000.0 * f64::from(c)).round() / 10.0);
            let more = x - y;
            let (words, more) = match more.abs() < 0.05 {
                true => ("=".to_owned(), 0.0),
                false => (format!("{more:+.1}"), more),
            };
            let both = [a, b].map(|c| format!("{:.1}%", 100.0 * c));
            // More of what is lost is worse.
            let good = if name.ends_with("lost") { -more } else { more };
            (name.to_owned(), both, words, good)
        };
        if let (Some(a), Some(b)) = (a.mwc, b.mwc) {
            lines.push(chance("MWC", a, b));
        }
        let names = ["wins", "gammons", "bg", "gammons lost", "bg lost"];
        let [a, b] = [a, b].map(|side| side.chances.to_array());
        let all = names.iter().zip(a).zip(b);
        lines.extend(all.map(|((name, a), b)| chance(name, a, b)));
        let head = format!("{:<12}{:>6}{:>7}{:>7}", "equity", "A", "B", "A−B");
        let head = vec![(head, Role::OverlayMuted)];
        let rows = lines.into_iter().map(|(name, [a, b], more, good)| {
            vec![
                (text::fit(&name, 12), Role::OverlayMuted),
                (format!("{a:>6}{b:>7}"), Role::Overlay),
                (format!("{more:>7}"), looks(good)),
            ]
        });
        [head].into_iter().chain(rows).collect()
    }

    /// The differences as a square of both dice.
    fn map(&self, paint: &mut Paint<'_>, area: Rect, selected: usize) {
        if self.ended() == [true; 2] {
            return;
        }
        let left = area.x + TABLE + 1;
        let area = Rect {
            x: left,
            width: area.right().saturating_sub(left),
            ..area
        };
        let heads: String = (1..=6).map(|n| format!("{n:>CELL$}")).collect();
        paint.line(area, 0, &[(" ", Role::Overlay), (&heads, Role::OverlayKey)]);
        for high in 1..=6u8 {
            let row = u16::from(high);
            paint.line(area, row, &[(&high.to_string(), Role::OverlayKey)]);
            for low in 1..=6 {
                self.cell(paint, area, [high, low], selected);
            }
        }
        let words = match self.ended() {
            [true, false] => "A ends here; the roll follows B",
            [false, true] => "B ends here; the roll follows A",
            _ => "A−B after the opponent's roll",
        };
        paint.line(
            area,
            7,
            &[("  ", Role::Overlay), (words, Role::OverlayMuted)],
        );
        if let Some(words) = self.next_in_words() {
            paint.line(area, 8, &[(&words, Role::OverlayMuted)]);
        }
    }

    /// The difference after a roll, at its place in the square.
    fn cell(&self, paint: &mut Paint<'_>, area: Rect, [high, low]: [u8; 2], selected: usize) {
        let Some(roll) = Roll::new(high, low) else {
            return;
        };
        let difference = self.compared.after(roll.index());
        let width = CELL - 1;
        let words = format!("{}{:>width$}", self.came(roll), short(difference));
        let at = 1 + CELL as u16 * u16::from(low - 1);
        let line = rows(area, u16::from(high), 1);
        let cell = Rect {
            x: (line.x + at).min(line.right()),
            width: (CELL as u16).min(line.width.saturating_sub(at)),
            ..line
        };
        paint.line(cell, 0, &[(&words, looks(difference))]);
        paint.target(cell, Target::Row(roll.index()));
        if roll.index() == selected {
            paint.select(cell, Role::OverlayCursor);
        }
    }

    /// The roll that came in the match, and how lucky it was.
    fn next_in_words(&self) -> Option<String> {
        let (roll, side) = self.next?;
        if self.ended()[side] {
            return Some(format!("▸{} came in the match", dice(roll)));
        }
        let luck = self.sides()[side].next_luck(roll);
        let points = short(f64::from(luck.points));
        Some(format!(
            "▸{}: their luck {points}, {}",
            dice(roll),
            luck.rank_in_words()
        ))
    }

    /// Lines for what the difference is made of.
    fn parts(&self, columns: u16) -> Vec<Line> {
        let mut line = format!("{} =", text::equity(self.compared.difference()));
        for (i, (name, part)) in self.compared.split.rounded(3).into_iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            line.push_str(&format!("{comma} {name} {}", text::equity(part)));
        }
        wrapped(&line, columns, 2)
    }

    /// Lines for what each play leaves on the board.
    fn boards(&self, columns: u16) -> Vec<Line> {
        let sides = ["A", "B"].iter().zip(self.sides());
        let lines = sides.flat_map(|(letter, side)| {
            let words = format!("{letter} {}", side.board.in_words());
            wrapped(&words, columns, 3)
        });
        lines.collect()
    }

    /// Sentences on what the opening book says, and on which rolls each play is better.
    fn all_sentences(&self) -> Vec<String> {
        let said: Vec<String> = self.book.iter().cloned().chain(self.better_on()).collect();
        if !said.is_empty() {
            return said;
        }
        let words = match self.ended() {
            [true, true] => "no roll follows either play",
            _ => "no roll tells the plays apart",
        };
        vec![words.to_owned()]
    }

    /// The sentences; answers what is left of the area.
    fn sentences(&self, paint: &mut Paint<'_>, area: Rect) -> Rect {
        let all = self.all_sentences();
        let said: Vec<Line> = (all.iter())
            .flat_map(|words| wrapped(words, area.width, 2))
            .collect();
        paint.lines(area, &said);
        // Where there is little room the head of the list takes the place of the empty row.
        let gap = u16::from(area.height > ROOMY);
        rows(area, said.len() as u16 + gap, area.height)
    }

    /// The rolls on which each play is better, in a sentence for each. Where no roll follows one of
    /// them, it is the end of the game that the rolls after the other are held against.
    fn better_on(&self) -> Vec<String> {
        let [a, b] = self.sides();
        let end = |side: &PlayRolls| text::equity(f64::from(side.equity));
        let beats = |on: &str, off: &str, equity: String| {
            [
                format!("{on} then beats {off}'s {equity} on"),
                format!("{on} is worse than that on"),
            ]
        };
        let [for_a, for_b] = match self.ended() {
            [true, true] => return Vec::new(),
            [false, false] => ["A", "B"].map(|letter| format!("{letter} is better on")),
            [false, true] => beats("A", "B", end(b)),
            [true, false] => {
                let [better, worse] = beats("B", "A", end(a));
                [worse, better]
            }
        };
        let sides = [
            (for_a, self.compared.better()),
            (for_b, self.compared.worse()),
        ];
        let sentence = |(start, (rolls, of_36)): (String, (Vec<Roll>, u32))| match of_36 {
            0 => None,
            36 => Some(format!("{start} all 36 rolls")),
            _ => {
                let rolls: Vec<String> = rolls.iter().copied().map(dice).collect();
                Some(format!("{start} {of_36} of 36 rolls: {}", rolls.join(" ")))
            }
        };
        sides.into_iter().filter_map(sentence).collect()
    }

    /// The rolls with their replies, around the selected one.
    fn list(&self, paint: &mut Paint<'_>, area: Rect, selected: usize) {
        if area.height == 0 {
            return;
        }
        let is_headed = area.height > 2;
        if is_headed {
            let head = Self::list_head(area.width);
            paint.line(area, 0, &[(&head, Role::OverlayMuted)]);
        }
        let area = rows(area, u16::from(is_headed), area.height);
        let mut row = |paint: &mut Paint<'_>, line: Rect, i: usize| self.list_row(paint, line, i);
        list(paint, area, selected, Roll::ALL.len(), &mut row);
    }

    fn list_head(columns: u16) -> String {
        let half = half(columns);
        let [a, b] = ["A, best reply", "B, best reply"].map(|name| text::fit(name, half));
        format!("roll {a}{b}{:>7}", "A−B")
    }

    fn list_row(&self, paint: &mut Paint<'_>, line: Rect, i: usize) {
        let (roll, half) = (Roll::ALL[i], half(line.width));
        let [a, b] = self.sides().map(|side| {
            let cell = &side.rolls[i];
            let reply = match cell.reply {
                Some(reply) => text::play(&reply, &side.result),
                None => "no roll follows".to_owned(),
            };
            let words = format!("{} {reply}", text::equity(f64::from(cell.equity)));
            text::fit(&text::cut(&words, half.saturating_sub(1)), half)
        });
        let difference = self.compared.after(i);
        let more = format!("{:>7}", text::equity(difference));
        let name = format!("{}{} ", self.came(roll), dice(roll));
        let words = [
            (&*name, Role::OverlayKey),
            (&*a, Role::Overlay),
            (&*b, Role::Overlay),
            (&*more, looks(difference)),
        ];
        paint.line(line, 0, &words);
    }
}

/// Columns of a reply in the list of rolls.
fn half(columns: u16) -> usize {
    usize::from(columns).saturating_sub(12) / 2
}

/// A difference in five columns: `+.012`, `-1.23`, `=`.
fn short(difference: f64) -> String {
    if difference.abs() < EVEN {
        return "=".to_owned();
    }
    let sign = if difference < 0.0 { '-' } else { '+' };
    let size = difference.abs();
    if size < 0.9995 {
        let digits = format!("{size:.3}");
        format!("{sign}{}", digits.trim_start_matches('0'))
    } else {
        format!("{sign}{size:.2}")
    }
}

/// Colour repeats what the sign says.
fn looks(difference: f64) -> Role {
    if difference.abs() < EVEN {
        Role::OverlayMuted
    } else if difference > 0.0 {
        Role::OverlayTitle
    } else {
        Role::Overlay
    }
}

/// What the opponent does with the cube before the roll, in words; empty where there is nothing to say.
fn doubling(side: &PlayRolls) -> &'static str {
    match side.answer {
        Some(CubeChoice::Take) => "   then double, take",
        Some(CubeChoice::Pass) => "   then double, pass",
        Some(CubeChoice::Beaver) => "   then double, beaver",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_short() {
        let all = [0.0, 0.00004, 0.0123, -0.5, 0.99949, 0.9996, -1.5].map(short);
        assert_eq!(all, ["=", "=", "+.012", "-.500", "+.999", "+1.00", "-1.50"]);
    }
}
