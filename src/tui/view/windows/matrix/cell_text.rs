//! What stands in a cell of the matrix.

use crate::analysis::BestChoice;
use crate::cube::{CubeChoice, cube_words};
use crate::game::GameState;
use crate::tui::text;

/// What stands in a cell: the code of what is best, and the figure; and whether another choice is best there.
pub(super) struct CellText {
    pub(super) code: String,
    pub(super) figure: String,
    pub(super) is_change: bool,
}

impl CellText {
    /// A figure alone.
    pub(super) fn only(figure: &str) -> Self {
        Self {
            code: String::new(),
            figure: figure.to_owned(),
            is_change: false,
        }
    }

    /// The signs before it and the words, in `room` columns. A figure is not cut, and a code touches neither it nor
    /// the letter of a rollout: that one goes behind the figure, or gives way.
    pub(super) fn fitted(&self, is_here: bool, is_rolled: bool, room: usize) -> (String, String) {
        let Self { code, figure, .. } = self;
        let (padded, tight) = match code.is_empty() {
            true => (figure.clone(), figure.clone()),
            false => (format!("{code} {figure:>4}"), format!("{code} {figure}")),
        };
        let here = if is_here { "▸" } else { "" }.to_owned();
        let (signs, behind) = match is_rolled {
            true => (format!("{here}R "), format!("{tight}R")),
            false => (here.clone(), tight.clone()),
        };
        let all = [(&signs, padded), (&signs, tight.clone()), (&here, behind)];
        let width = |(signs, words): &(&String, String)| text::width(signs) + text::width(words);
        // A short code rather stands apart from the cell before.
        let gap = usize::from(text::width(code) == 1);
        let rooms = [room.saturating_sub(gap), room].into_iter();
        let found = rooms.flat_map(|room| all.iter().find(|one| width(one) <= room));
        let mut found = found.map(|(signs, words)| ((*signs).clone(), words.clone()));
        found.next().unwrap_or((here, tight))
    }
}

/// Cost of a choice in points, in four columns: `.012`, `1.25`, `12.3`.
pub(super) fn cost_text(cost: f32) -> String {
    let cost = f64::from(cost);
    match cost {
        9.995.. => format!("{cost:.1}"),
        0.9995.. => format!("{cost:.2}"),
        _ => text::small(cost),
    }
}

/// One letter for an answer to a double.
pub(super) fn short_answer(choice: CubeChoice) -> &'static str {
    match choice {
        CubeChoice::Take => "T",
        CubeChoice::Pass => "P",
        CubeChoice::Beaver => "B",
        other => other.name(),
    }
}

/// A best cube choice in words, as players say it in `state`.
pub(super) fn choice_words(best: BestChoice, state: &GameState) -> Option<&'static str> {
    match best {
        BestChoice::Play(_) => None,
        BestChoice::Action(action) => Some(cube_words(action.name(), state)),
        BestChoice::Answer(choice) => Some(choice.name()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The figure is whole and apart from the code, however little room there is.
    #[test]
    fn a_figure_does_not_touch_its_code() {
        let cell = |code: &str, cost| CellText {
            code: code.to_owned(),
            figure: cost_text(cost),
            is_change: true,
        };
        let shown = |code, cost, signs: [bool; 2], room| {
            let (signs, words) = cell(code, cost).fitted(signs[0], signs[1], room);
            format!("{signs}{words}")
        };
        assert_eq!(shown("T", 1.714, [false, false], 9), "T 1.71");
        assert_eq!(shown("D/T", 0.054, [true, false], 9), "▸D/T .054");
        assert_eq!(shown("D/T", 0.054, [true, true], 9), "▸D/T .054");
        assert_eq!(shown("D/T", 0.054, [true, true], 11), "▸R D/T .054");
        assert_eq!(shown("ND", 0.107, [true, true], 9), "▸ND .107R");
        assert_eq!(shown("B", 0.135, [true, true], 9), "▸B .135R");
        assert_eq!(shown("B", 0.135, [true, true], 11), "▸R B .135");
        assert_eq!(shown("B", 0.135, [true, true], 8), "▸B .135R");
        assert_eq!(shown("T", 2.567, [true, true], 9), "▸T 2.57R");
        assert_eq!(cost_text(12.345), "12.3");
        let none = CellText {
            code: "ND".to_owned(),
            figure: "·".to_owned(),
            is_change: false,
        };
        let (signs, words) = none.fitted(true, true, 9);
        assert_eq!(format!("{signs}{words}"), "▸R ND ·");
    }
}
