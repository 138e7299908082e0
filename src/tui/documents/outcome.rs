//! Describes the result of a game that is played or transcribed.

use super::played_match::{PROGRAM, PlayedMatch};
use crate::game::Player;
use crate::match_file::GameResult;
use crate::tui::keys::KeyMap;
use crate::tui::text;
use crate::words::counted;

impl PlayedMatch {
    /// The text between games and at the end: result, score, and the key to continue.
    pub fn between_games(&self, keys: &KeyMap) -> String {
        let next = match (self.misfit(), &self.later) {
            (Some(why), _) => format!("not written, as {why}"),
            (None, Some(_)) => keys.named("{random dice} leads to the next game"),
            (None, None) if self.record.is_won() => keys.named("{random dice} shows the match"),
            (None, None) => keys.named("{random dice} begins the next game"),
        };
        match self.outcome() {
            Some(outcome) => format!("{outcome}: {next}"),
            None => next,
        }
    }

    /// Result of the last game and score: `you lose 2 points, 0–2`; `None` while it is unfinished.
    fn outcome(&self) -> Option<String> {
        let GameResult { winner, points } = self.record.games.last()?.result?;
        let score = self.record.final_score();
        let first = self.first();
        let [own, other] = [first, first.other()].map(|player| score[player.index()]);
        let points = counted(points, "point");
        let loser = winner.other();
        let gave_up = self.resigned.is_some_and(|game| game.player == loser);
        let name = |player: Player| text::cut(&self.record.players[player.index()], 24);
        let how = match self.person {
            None if gave_up => format!("{} resigns, {} wins {points}", name(loser), name(winner)),
            None => format!("{} wins {points}", name(winner)),
            Some(person) if winner != person => format!("you lose {points}"),
            Some(_) if gave_up => format!("{PROGRAM} resigns, you win {points}"),
            Some(_) => format!("you win {points}"),
        };
        Some(format!("{how}, {own}–{other}"))
    }
}
