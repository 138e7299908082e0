//! All about a cube decision.

use std::fmt::Write as _;

use super::{CHANCES, listed, percent, points};
use crate::analysis::{CubeFacts, EffectivePips, ErrorNeeded, cube_rule};
use crate::cube::{CubeChoice, cube_words};
use crate::game::{GameState, Roll};
use crate::grid::Grid;
use crate::review::report::position_card::rollers_situation;

/// All about a cube decision.
#[derive(Debug)]
pub struct CubeText<'a> {
    pub position: &'a str,
    /// The state before the roll.
    pub state: &'a GameState,
    pub facts: &'a CubeFacts,
}

impl CubeText<'_> {
    /// The whole explanation, in lines.
    pub fn write(&self) -> String {
        let facts = self.facts;
        // As all figures here: the doubler's, while the other one decides.
        let mut text = format!(
            "{}  {}, {}-ply\n",
            self.position,
            rollers_situation(self.state),
            facts.ply
        );
        if let Some(rule) = cube_rule(&self.state.roller()) {
            let _ = writeln!(text, "{rule}");
        }
        let _ = write!(text, "\n{}", self.actions());
        if facts.decision.double_take.is_some() {
            let action = self.words(facts.decision.action.name());
            let _ = writeln!(text, "cube action: {action}");
            if let Some(answer) = self.answer() {
                let _ = writeln!(text, "{}", of_offered(answer));
            }
            text += &self.errors();
        }
        if let Some(needed) = facts.error_needed() {
            let (errs, share) = match needed {
                ErrorNeeded::Passes(share) => ("passes", share),
                ErrorNeeded::Takes(share) => ("takes", share),
            };
            let share = percent(share);
            let _ = writeln!(
                text,
                "a double is right if the opponent wrongly {errs} {share} of the time"
            );
        }
        let _ = write!(text, "\n{}{}", self.chances(), self.points());
        if let Some(pips) = facts.effective_pips {
            let _ = writeln!(text, "{}", EffectivePips::words(pips, self.state.doubled));
        }
        text + &self.market()
    }

    /// A cube action or choice as players say it here.
    fn words<'b>(&self, name: &'b str) -> &'b str {
        cube_words(name, self.state)
    }

    /// The best answer to a double that waits for one; `None` where none does.
    pub fn answer(&self) -> Option<&'static str> {
        let best = self.facts.decision.answer();
        best.filter(|_| self.state.doubled).map(CubeChoice::name)
    }

    fn actions(&self) -> Grid {
        let decision = &self.facts.decision;
        let mut grid = Grid::new(&["", "equity", "diff"]);
        for (name, equity) in decision.named_equities() {
            grid.row(vec![
                self.words(name).to_owned(),
                points(equity),
                points(equity - decision.cubeful_equity),
            ]);
        }
        grid
    }

    /// Lists the cost of each choice against the best, in points, in a line.
    fn errors(&self) -> String {
        let decision = &self.facts.decision;
        let all = [
            CubeChoice::NoDouble,
            CubeChoice::Double,
            CubeChoice::Take,
            CubeChoice::Pass,
        ];
        let error = |choice: CubeChoice| {
            let error = decision.error(choice)?;
            Some(format!(
                "  {} {:.4}",
                self.words(choice.name()),
                error.max(0.0)
            ))
        };
        let errors: String = all.into_iter().filter_map(error).collect();
        format!("errors: {}\n", errors.trim_start())
    }

    /// The chances, and what they are worth with a dead cube: without a double, and after one that is taken.
    fn chances(&self) -> Grid {
        let facts = self.facts;
        let whose = if self.state.doubled { "doubler, " } else { "" };
        let double = facts.cubeless.double;
        let mut headings = vec!["", "cubeless"];
        headings.extend(double.is_some().then_some("doubled"));
        headings.extend(CHANCES);
        let mut row = vec![
            format!("{whose}{}-ply", facts.ply),
            points(facts.cubeless.no_double),
        ];
        row.extend(double.map(points));
        row.extend(facts.chances.to_array().map(percent));
        let mut grid = Grid::new(&headings);
        grid.row(row);
        grid
    }

    fn points(&self) -> Grid {
        let facts = self.facts;
        let mut grid = Grid::new(&["", ""]);
        let mut row = |name: &str, value: String| grid.row(vec![name.to_owned(), value]);
        row("chance to win", percent(facts.chances.win));
        if let Some(window) = facts.window {
            row("doubling point", percent(window.double));
            row("cash point", percent(window.cash));
            if let Some(too_good) = window.too_good {
                row("too good from", percent(too_good));
            }
        }
        if let Some(take) = facts.take_point {
            row("take point, live cube", percent(take.live));
            row("take point, dead cube", percent(take.dead));
        }
        let [own, theirs] = facts.gammon_values;
        row("gammon value", format!("{own:.3}"));
        row("opponent's gammon value", format!("{theirs:.3}"));
        if let Some(vig) = facts.recube_vig {
            row("recube vig", format!("{vig:.3}"));
        }
        if let Some(market) = &facts.market {
            row("volatility at 0-ply", format!("{:.3}", market.volatility));
        }
        grid
    }

    /// Which rolls lose the market, and how many replies, in lines.
    fn market(&self) -> String {
        let (Some(market), Some(sequences)) = (self.facts.market, self.facts.sequences) else {
            return String::new();
        };
        let (_, of_36) = market.losers();
        let all = self.facts.losing_sequences().unwrap_or(0);
        // After a double that is passed already only better rolls would be news.
        let is_lost = self.facts.decision.action.is_passed();
        let (losers, rolls) = match is_lost {
            true => (
                "market lost already; still after",
                "still a pass after, best first",
            ),
            false => ("market losers:", "the rolls, best first"),
        };
        let mut text = format!("\n{losers} {of_36} of 36 rolls, {all} of 1296 sequences of two\n");
        let named = market.losers_best_first();
        if !named.is_empty() {
            // All 21 are too many for a line.
            let lines: Vec<String> = named.chunks(15).map(listed).collect();
            let _ = writeln!(text, "{rolls}: {}", lines.join(",\n"));
        }
        if all == 0 {
            return text;
        }
        text += "replies of 36 that lose the market, by one's own roll\n";
        let mut grid = Grid::new(&["", "1", "2", "3", "4", "5", "6"]);
        for high in 1..=6u8 {
            let cells = (1..=6u8).filter_map(|low| Roll::new(high, low));
            let cells = cells.map(|roll| match sequences[roll.index()] {
                0 => "·".to_owned(),
                count => count.to_string(),
            });
            grid.row(std::iter::once(high.to_string()).chain(cells).collect());
        }
        let _ = write!(text, "{grid}");
        text
    }
}

/// The answer to a double on offer, beside figures that are all the doubler's.
pub fn of_offered(answer: &str) -> String {
    format!("the double: {answer}  (all figures are the doubler's)")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::Model;
    use crate::eval::Engine;
    use crate::notation::parse_id;

    /// A map of dots alone says nothing.
    #[test]
    fn rolls_that_lose_the_market_are_mapped_where_there_are_any() {
        let text = |position: &str| {
            let state = parse_id(position).unwrap();
            let model = Model::standard();
            let facts = CubeFacts::new(&Engine::embedded(), model, &state, 0, &|| false);
            let facts = facts.unwrap();
            CubeText {
                position,
                state: &state,
                facts: &facts,
            }
            .write()
        };
        let opening = text("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10");
        assert!(opening.ends_with("0 of 36 rolls, 0 of 1296 sequences of two\n"));
        let sharp = text("XGID=-BCBBBC------------bbbbcc-:0:0:1:00:0:0:0:0:10");
        assert_has!(sharp, "replies of 36");
    }
}
