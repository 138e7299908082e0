//! Infers rules of money play from the recorded actions, and warns of inconsistent scores.

use super::Reader;
use super::place::Source;
use super::remarks::folded;
use crate::game::Player;
use crate::match_file::model::{Action, score_after};

impl Reader {
    /// Exchanges the columns of games whose score line has the players in reverse order.
    pub(super) fn exchange_columns(&mut self, games: &mut [Source]) {
        let names = |names: &[String; 2]| names.each_ref().map(|name| folded(name));
        let mut scores = games.iter().filter(|game| game.has_score());
        let known = scores.find_map(|game| game.score.as_ref().map(|score| names(&score.names)));
        for game in games {
            let Some(score) = &mut game.score else {
                continue;
            };
            let [left, right] = names(&score.names);
            if left == right || known != Some([right, left]) {
                continue;
            }
            score.names.reverse();
            score.points.reverse();
            game.is_exchanged = true;
            if let Some(start) = &mut game.start {
                start.board = start.board.flipped();
                start.owner = start.owner.map(Player::other);
            }
            let message = format!(
                "game {}: the players stand the other way round: its columns are exchanged",
                game.number
            );
            self.warn(game.score_line, 1, message);
        }
    }

    /// Switches beavers on if a beaver was played.
    pub(super) fn learn_beavers(&mut self) {
        let mut events = self.record.games.iter().flat_map(|game| &game.events);
        let is_beavered = events.any(|event| matches!(event.action, Action::Beaver { .. }));
        if self.record.length > 0 || self.record.rules.beavers || !is_beavered {
            return;
        }
        self.record.rules.beavers = true;
        if self.tag("Beaver").is_some() {
            let message = "the tag Beaver is off, but there is a beaver: the rule is on";
            self.warn(1, 1, message.to_owned());
        }
    }

    /// Switches the Jacoby rule on if the next scores count undoubled gammons once. `of_games`: for each such
    /// game the line, and whether it counts once. Nothing follows if the games disagree.
    pub(super) fn learn_jacoby(&mut self, of_games: &[(u32, bool)]) {
        let Some(&(line, _)) = of_games.first() else {
            return;
        };
        if !of_games.iter().all(|(_, by_jacoby)| *by_jacoby) {
            return;
        }
        self.record.rules.jacoby = true;
        self.record.count_results();
        let message =
            "by the next score a gammon without a double counts once: the Jacoby rule is on";
        self.warn(line, 1, message.to_owned());
    }

    /// Warns of money scores that do not follow from the game before. A session may restart at 0–0.
    pub(super) fn check_money_scores(&mut self, sources: &[Source]) {
        if self.record.length > 0 {
            return;
        }
        let mut wrong = Vec::new();
        for (pair, source) in self.record.games.windows(2).zip(sources.iter().skip(1)) {
            let [before, game] = pair else { continue };
            let expected = score_after(before.score, before.result);
            let is_written = source.score.is_some() && game.score != [0; 2];
            if is_written && game.score != expected {
                let message = format!(
                    "game {}: the score is {}-{}, but {}-{} follows from the game before",
                    game.number, game.score[0], game.score[1], expected[0], expected[1]
                );
                wrong.push((source.score_line, message));
            }
        }
        for (line, message) in wrong {
            self.warn(line, 1, message);
        }
    }
}
