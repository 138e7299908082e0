//! The window of all rolls: the best play of each, what it is worth, and how lucky it is.

use ratatui::layout::Rect;

use super::cube_facts::{LONGEST, whose_figures};
use crate::analysis::{RollTable, RollValue};
use crate::game::roll::DISTINCT;
use crate::game::{GameState, Roll};
use crate::notation::play::dice;
use crate::tui::rollouts::inquiry::Inquiry;
use crate::tui::screen::units::Scale;
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::window::{list, rows, window, with_description};

/// Columns of a roll with its mark, of an equity and of luck.
const COLUMNS: [usize; 3] = [5, 8, 9];
/// Columns of a play.
const PLAY: usize = 22;
/// Columns of the bars of luck, to either side of none.
const BARS: usize = 10;
/// Columns of all that.
const WIDTH: u16 = 69;

pub(crate) fn draw(paint: &mut Paint<'_>, screen: Rect, app: &App, inquiry: &Inquiry, row: usize) {
    let answer = app.inquiries.about(inquiry);
    let found = answer.and_then(|answer| answer.rolls.as_deref());
    let deeper = match answer.is_some_and(|answer| answer.is_done) {
        true => "",
        false => ", deeper …",
    };
    let side = found.map_or_else(String::new, |table| format!("{}-ply{deeper}", table.ply));
    let height = 26.min(screen.height.saturating_sub(3));
    let name = match whose_figures(app, inquiry.state(), LONGEST) {
        Some(whose) => format!("all rolls, {whose}"),
        None => "all rolls".to_owned(),
    };
    let area = window(paint, screen, (WIDTH, height), &name, &side);
    let Some(table) = found else {
        let failure = answer.and_then(|answer| answer.failure.as_deref());
        let words = failure.unwrap_or("being worked out …");
        paint.line(area, 0, &[(words, Role::OverlayMuted)]);
        return;
    };
    let state = inquiry.state();
    let pane = Pane {
        table,
        state: state.roller(),
        roll: state.roll,
        scale: Scale::new(app.options.units, &state.roller(), &app.model),
        has_bars: area.width >= WIDTH,
    };
    paint.line(area, 0, &[(&pane.head(), Role::OverlayMuted)]);
    let selected = row.min(table.rolls.len().saturating_sub(1));
    let below = with_description(paint, rows(area, 1, area.height), &pane.about(selected));
    list(
        paint,
        below,
        selected,
        table.rolls.len(),
        &mut |paint, line, i| {
            let one = &table.rolls[i];
            let role = match pane.roll == Some(one.roll) {
                true => Role::OverlayKey,
                false => Role::Overlay,
            };
            paint.line(line, 0, &[(&pane.row(one), role)]);
        },
    );
}

struct Pane<'a> {
    table: &'a RollTable,
    /// Before the roll.
    state: GameState,
    /// The roll that has come.
    roll: Option<Roll>,
    scale: Scale,
    has_bars: bool,
}

impl Pane<'_> {
    fn head(&self) -> String {
        let [roll, equity, luck] = COLUMNS;
        let bars = if self.has_bars {
            "  unlucky │ lucky"
        } else {
            ""
        };
        format!(
            "{}{}{}{}{bars}",
            text::fit(" roll", roll + 1),
            text::fit("best play", PLAY),
            text::fit_right(self.scale.name(), equity),
            text::fit_right("luck", luck),
        )
    }

    fn row(&self, one: &RollValue) -> String {
        let [roll, equity, luck] = COLUMNS;
        let mark = if self.roll == Some(one.roll) {
            "▸"
        } else {
            " "
        };
        let play = text::play(&one.play, &self.state.position);
        format!(
            "{}{}{}{}{}",
            text::fit(&format!("{mark}{}", dice(one.roll)), roll + 1),
            text::fit(&text::cut(&play, PLAY), PLAY),
            text::fit_right(&self.scale.value(f64::from(one.points)), equity),
            text::fit_right(&self.luck(one), luck),
            self.bar(one),
        )
    }

    fn luck(&self, one: &RollValue) -> String {
        let luck = f64::from(self.table.luck(one));
        let sign = if luck < 0.0 { "-" } else { "+" };
        format!("{sign}{}", self.scale.label(luck))
    }

    /// The luck as a bar from the middle: as long as that of the luckiest or the unluckiest roll lets it be.
    fn bar(&self, one: &RollValue) -> String {
        if !self.has_bars {
            return String::new();
        }
        let all = self
            .table
            .rolls
            .iter()
            .map(|one| self.table.luck(one).abs());
        let most = all.fold(f32::EPSILON, f32::max);
        let luck = self.table.luck(one);
        let length = (luck.abs() / most * BARS as f32).round() as usize;
        let [left, right] = match luck < 0.0 {
            true => [length, 0],
            false => [0, length],
        };
        let space = " ".repeat(BARS - left);
        format!("{space}{}│{}", "━".repeat(left), "━".repeat(right))
    }

    /// What the selected row says at length.
    fn about(&self, row: usize) -> String {
        let Some(one) = self.table.rolls.get(row) else {
            return String::new();
        };
        let count = self.table.rolls.len();
        let chance = match (one.roll.weight(), count) {
            (_, ..DISTINCT) => "1 in 15",
            (1, _) => "1 in 36",
            _ => "1 in 18",
        };
        let mean = self.scale.value(f64::from(self.table.mean));
        let worth = self.scale.value(f64::from(one.points));
        let (roll, luck) = (dice(one.roll), self.luck(one));
        if count < DISTINCT {
            return format!(
                "{roll} ({chance}) is worth {worth}, which is {luck} beside the mean of the player who begins, {mean}. \
                 In the match, to begin counts as luck as well."
            );
        }
        format!(
            "{roll} ({chance}) is worth {worth}, its luck is {luck}. All rolls are worth {mean} on average, without a \
             double before."
        )
    }
}
