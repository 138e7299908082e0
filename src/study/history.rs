//! The matches of a player, as far as a study plan is made of them.

use super::plan::{Plan, plan};
use super::plan_decision::PlanDecision;
use super::plan_report;
use super::player_record::{PlayerRecord, RecordSum};
use crate::cube::Model;
use crate::game::Player;
use crate::review::Report;

/// The reviewed matches of a player. Matches to a length and money sessions are kept apart.
#[derive(Clone, Debug, Default)]
pub struct StudyHistory {
    matches: Part,
    money: Part,
}

#[derive(Clone, Debug, Default)]
struct Part {
    /// The player, as the first of these matches writes the name.
    player: Option<String>,
    decisions: Vec<PlanDecision>,
    count: usize,
    games: usize,
    record: RecordSum,
}

/// A study plan, and what it is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerSummary {
    /// The player, as the first match that is counted writes the name.
    pub player: String,
    /// The plan is of money sessions; otherwise of matches to a length.
    pub is_money: bool,
    /// Money sessions that are not counted in a plan of matches, or the other way round.
    pub not_counted: usize,
    pub plan: Plan,
    /// Rating, luck and opponents.
    pub record: PlayerRecord,
}

impl PlayerSummary {
    /// Returns the end of a filter that finds matches alone or money sessions alone, with a blank before it.
    /// Empty if this plan leaves out no other matches.
    pub fn length_filter(&self) -> &'static str {
        match (self.not_counted, self.is_money) {
            (0, _) => "",
            (_, true) => " length:0",
            (_, false) => " length>=1",
        }
    }
}

impl StudyHistory {
    /// Adds a match of the player, played on `date`. `opponent` is what all ways to write the other's name have
    /// in common.
    pub fn add(
        &mut self,
        report: &Report,
        date: &str,
        whose: Player,
        opponent: &str,
        model: &Model,
    ) {
        let into = match report.is_money() {
            true => &mut self.money,
            false => &mut self.matches,
        };
        into.count += 1;
        into.decisions
            .extend(plan_report::of_report(report, whose, model, into.games));
        into.games += report.games.len();
        into.record.add(report, date, whose, opponent);
        let name = &report.players[whose.index()].name;
        into.player.get_or_insert_with(|| name.clone());
    }

    /// The plan beside a reference player of this rating. It is of the money sessions where they are wanted,
    /// or where there is nothing else, and otherwise of the matches to a length. `None` without a decision.
    pub fn summary(&self, reference_pr: f64, wants_money: bool) -> Option<PlayerSummary> {
        let is_money = wants_money || self.matches.count == 0;
        let (part, other) = match is_money {
            true => (&self.money, &self.matches),
            false => (&self.matches, &self.money),
        };
        Some(PlayerSummary {
            player: part.player.clone().unwrap_or_default(),
            is_money,
            not_counted: other.count,
            plan: plan(&part.decisions, part.count, reference_pr)?,
            record: part.record.finish(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::match_file::read_bytes;
    use crate::review::report::testing;

    const MATCH: &[u8] = include_bytes!("../../tests/fixtures/mat/three_points.mat");

    /// A player with several names sees the plan of matches under the name in these matches, not in an earlier
    /// money session.
    #[test]
    fn a_plan_has_the_name_of_what_it_counts() {
        let mut history = StudyHistory::default();
        for (length, name) in [(0, "A. K."), (3, "Ann")] {
            let mut record = read_bytes(MATCH, "x.mat").unwrap();
            record.length = length;
            record.players[0] = name.to_owned();
            let report = testing::reviewed(&record, 0);
            let model = Model::standard();
            history.add(&report, "2026-03-05", Player::Left, "ben", model);
        }
        for (wants_money, name) in [(false, "Ann"), (true, "A. K.")] {
            let summary = history.summary(5.0, wants_money).unwrap();
            assert_eq!((summary.is_money, &*summary.player), (wants_money, name));
        }
    }
}
