//! Two plays side by side: chances, what the difference is made of, and the opponent's next rolls.

use std::fmt::Write as _;

use super::{listed, percent, points};
use crate::analysis::comparison::EVEN;
use crate::analysis::{PlayComparison, PlayRolls, RollCell, RollRank};
use crate::cube::CubeChoice;
use crate::game::{GameState, Roll};
use crate::grid::Grid;
use crate::notation::play::dice;
use crate::notation::play_text;
use crate::review::report;
use crate::review::report::position_card::situation;

const CUBELESS: &str = "cubeless: the cube does not count in these equities";

/// Why a play is better than another.
#[derive(Debug)]
pub struct ComparisonText<'a> {
    pub position: &'a str,
    /// The roll to be played.
    pub roll: Roll,
    /// The state before the plays.
    pub state: GameState,
    /// Both plays.
    pub compared: &'a PlayComparison,
    /// How lucky the roll was.
    pub luck: Option<RollRank>,
}

impl ComparisonText<'_> {
    fn sides(&self) -> [&PlayRolls; 2] {
        [&self.compared.a, &self.compared.b]
    }

    /// A play as it is written.
    pub fn name(&self, side: &PlayRolls) -> String {
        play_text(&self.state.position, &side.play)
    }

    /// Says that the equities are cubeless, where they are.
    pub fn note(&self) -> Option<&'static str> {
        (!self.compared.cubeful).then_some(CUBELESS)
    }

    /// The whole comparison, in lines.
    pub fn write(&self) -> String {
        let note = self.note().map_or_else(String::new, |n| format!("\n{n}"));
        let mut text = format!(
            "{}  {}, to play {}{note}\n\n",
            self.position,
            situation(&self.state),
            self.roll
        );
        for (letter, side) in ["A", "B"].iter().zip(self.sides()) {
            let _ = writeln!(text, "{letter}  {}{}", self.name(side), doubling(side));
        }
        let _ = write!(text, "\n{}\n{}", self.figures(), self.parts());
        let _ = write!(text, "\n{}", self.boards());
        let ply = self.compared.ply;
        let _ = write!(
            text,
            "\nA−B after the opponent's next roll, {ply}-ply\n{}",
            self.map()
        );
        let _ = writeln!(text, "\n{}", self.sentence());
        let _ = write!(text, "\n{}", self.replies());
        if let Some(luck) = &self.luck {
            let _ = writeln!(
                text,
                "\nluck of {}, 0-ply: {} points, {}",
                dice(self.roll),
                points(luck.points),
                luck.place()
            );
        }
        text
    }

    fn figures(&self) -> Grid {
        let mut table = Grid::new(&["", "A", "B", "A−B"]);
        let [a, b] = self.sides();
        let ply = self.compared.ply + 1;
        table.row(vec![
            format!("equity, {ply}-ply"),
            points(a.equity),
            points(b.equity),
            points(self.compared.difference()),
        ]);
        let mut chance = |name: &str, a: f32, b: f32| {
            // Of the figures as they are shown.
            let [x, y] = [a, b].map(|c| (10_000.0 * f64::from(c)).round() / 100.0);
            let more = format!("{}%", report::signed(x - y, 2));
            table.row(vec![name.to_owned(), percent(a), percent(b), more]);
        };
        if let (Some(a), Some(b)) = (a.mwc, b.mwc) {
            chance("MWC", a, b);
        }
        let names = [
            "wins",
            "gammons",
            "backgammons",
            "gammons lost",
            "backgammons lost",
        ];
        let [a, b] = [a, b].map(|side| side.chances.to_array());
        for ((name, a), b) in names.iter().zip(a).zip(b) {
            chance(name, a, b);
        }
        table
    }

    /// Splits the difference of the plays into its parts, in a line.
    fn parts(&self) -> String {
        let parts = self.compared.split.rounded(4).into_iter();
        let words = parts
            .map(|(name, part)| format!("{name} {}", points(if part == 0.0 { 0.0 } else { part })));
        let words: Vec<String> = words.collect();
        let total = points(self.compared.difference());
        format!("{total} = {}\n", words.join(", "))
    }

    /// Describes the board after each play, and the rolls that hit or miss it.
    fn boards(&self) -> String {
        let mut text = String::new();
        for (letter, side) in ["A", "B"].iter().zip(self.sides()) {
            let _ = writeln!(text, "{letter}  {}", side.board.in_words());
        }
        for (letter, side) in ["A", "B"].iter().zip(self.sides()) {
            let (hits, misses) = side.board.hits_and_misses();
            let _ = match side.board.shots_of_36() {
                0 | 36 => Ok(()),
                // The shorter list says as much.
                ..=18 => writeln!(text, "{letter} is hit by {}", listed(&hits)),
                _ => writeln!(text, "{letter} is missed by {}", listed(&misses)),
            };
        }
        text
    }

    /// The differences after each next roll as a square of both dice.
    fn map(&self) -> Grid {
        let mut table = Grid::new(&["", "1", "2", "3", "4", "5", "6"]);
        for high in 1..=6 {
            let cell = |low| {
                let roll = Roll::new(high, low);
                roll.map_or_else(String::new, |roll| {
                    signed(self.compared.after(roll.index()))
                })
            };
            let row = std::iter::once(high.to_string()).chain((1..=6).map(cell));
            table.row(row.collect());
        }
        table
    }

    fn sentence(&self) -> String {
        let (better, wins) = self.compared.better();
        let (worse, loses) = self.compared.worse();
        let even = 36 - wins - loses;
        let mut text = match (wins, loses) {
            (0, 0) => "no roll tells the plays apart".to_owned(),
            (_, 0) => format!("A is better on {}: {wins} of 36 rolls", listed(&better)),
            (0, _) => format!("B is better on {}: {loses} of 36 rolls", listed(&worse)),
            _ => format!(
                "A is better on {}: {wins} of 36 rolls\nB is better on {}: {loses} of 36 rolls",
                listed(&better),
                listed(&worse)
            ),
        };
        if even > 0 && even < 36 {
            let _ = write!(text, "\nno difference on {even}");
        }
        text
    }

    fn replies(&self) -> Grid {
        let mut table =
            Grid::new(&["roll", "A", "reply", "B", "reply", "A−B"]).with_words(&["reply"]);
        let [a, b] = self.sides();
        for (i, roll) in Roll::ALL.iter().enumerate() {
            let of = |side: &PlayRolls| {
                let cell = &side.rolls[i];
                [
                    points(cell.equity),
                    reply(side, cell).unwrap_or_else(|| "–".into()),
                ]
            };
            let cells = [of(a), of(b)].concat();
            let row = std::iter::once(dice(*roll));
            let row = row.chain(cells);
            table.row(row.chain([points(self.compared.after(i))]).collect());
        }
        table
    }
}

/// The best reply to a roll after a play, as it is written; none where no roll follows.
pub fn reply(side: &PlayRolls, cell: &RollCell) -> Option<String> {
    let reply = cell.reply?;
    Some(play_text(&side.result, &reply))
}

/// A difference in the map: shorter than elsewhere.
fn signed(difference: f64) -> String {
    if difference.abs() < EVEN {
        "=".to_owned()
    } else {
        format!("{difference:+.3}")
    }
}

/// Describes the opponent's cube action after a play; empty without one.
fn doubling(side: &PlayRolls) -> &'static str {
    match side.answer {
        Some(CubeChoice::Take) => "  (the opponent doubles, and it is taken)",
        Some(CubeChoice::Pass) => "  (the opponent doubles, and it is passed)",
        Some(CubeChoice::Beaver) => "  (the opponent doubles, and it is beavered)",
        _ => "",
    }
}
