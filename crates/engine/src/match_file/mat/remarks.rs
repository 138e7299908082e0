//! Remarks in match text that look like rows or scores: they cause warnings and are not carried out.

use super::cells::TextRow;
use super::lines::ScoreLine;
use super::place::ClosingLine;
use super::{Reader, split_rating};

impl Reader {
    /// Begins the game of a score line without a game line before it.
    pub(super) fn begin_by_score(&mut self, score: ScoreLine, number: u32) -> bool {
        let next = self
            .sources
            .last()
            .map_or(1, |game| game.number.saturating_add(1));
        let is_doubtful = self.sources.iter().all(|game| game.score.is_none());
        let begun = self.begin(next, number);
        if begun {
            self.set_score(score, number);
        }
        if let Some(game) = self.sources.last_mut().filter(|_| begun) {
            (game.is_doubtful, game.by_score) = (is_doubtful, true);
        }
        begun
    }

    /// Warns of score lines without a line `Game N` before them. The last one may be the final score.
    pub(super) fn warn_of_scores_alone(&mut self) {
        let closing = self.sources.last().filter(|game| game.rows.is_empty());
        let closing = closing.map(|game| game.line);
        let alone = self.sources.iter().filter(|game| game.by_score);
        let alone = alone.filter(|game| Some(game.line) != closing || game.is_doubtful);
        let alone: Vec<(u32, u32)> = alone.map(|game| (game.line, game.number)).collect();
        for (line, number) in alone {
            let message = format!("expected a line 'Game {number}' before the score");
            self.warn(line, 1, message);
        }
    }

    /// Stores a line that may be the final score until the next lines are known.
    pub(super) fn keep_closing_line(&mut self, line: &str, number: u32, message: &str) -> bool {
        self.reject_closing_line();
        let parts = line.split(|c: char| !c.is_ascii_digit());
        let numbers: Vec<u32> = parts.filter_map(|digits| digits.parse().ok()).collect();
        if let [left, right] = numbers[..]
            && self
                .sources
                .last()
                .is_some_and(|game| !game.rows.is_empty())
        {
            self.closing = Some(ClosingLine {
                line: number,
                numbers: [left, right],
                message: message.to_owned(),
            });
        }
        self.closing.is_some()
    }

    /// Warns of the stored line: more lines follow, so it is not the final score.
    pub(super) fn reject_closing_line(&mut self) {
        if let Some(kept) = self.closing.take() {
            self.warn(kept.line, 1, kept.message);
        }
    }

    /// Warns of the stored line, unless it is the final score of the match.
    pub(super) fn check_closing_line(&mut self) {
        let score = self.record.final_score();
        let length = u32::from(self.record.length);
        let needed = |points: u32| {
            if length > 0 {
                points.min(length)
            } else {
                points
            }
        };
        let [left, right] = score.map(needed);
        let is_score = |kept: &mut ClosingLine| {
            let numbers = kept.numbers.map(needed);
            numbers == [left, right] || numbers == [right, left]
        };
        self.closing.take_if(is_score);
        self.reject_closing_line();
    }

    /// Returns whether a score line may belong to the players of this match. Two times of day in a remark
    /// look like a score too. One of the two names may be damaged.
    pub(super) fn may_be_of_this(&self, score: &ScoreLine) -> bool {
        let names = |score: &ScoreLine| score.names.each_ref().map(|name| folded(name));
        let Some(known) = self.known_score().map(names) else {
            return true;
        };
        let own = names(score);
        let reversed = [known[1].clone(), known[0].clone()];
        own.iter().zip(&known).any(|(own, known)| own == known) || own == reversed
    }

    /// Returns the first score line, whose names are those of the players.
    pub(super) fn known_score(&self) -> Option<&ScoreLine> {
        let mut games = self.sources.iter().filter(|game| game.has_score());
        games.find_map(|game| game.score.as_ref())
    }

    /// Returns whether the keywords of a line without a row number are part of a sentence. After a player's
    /// name a line may contain only an action: `anna wins 2 points`. Stray signs alone mean a damaged row.
    pub(super) fn is_remark(&self, rows: &[TextRow], line: &str) -> bool {
        let [row] = rows else {
            return false;
        };
        let (Some((column, stray)), Some(cell)) = (&row.stray, row.cells.first()) else {
            return false;
        };
        let mut names = self
            .known_score()
            .into_iter()
            .flat_map(|score| &score.names);
        let is_of_player = names.any(|name| folded(name) == folded(stray));
        let rest = line.chars().skip(cell.column).collect::<String>();
        let is_all = rest.split_whitespace().skip(1).all(is_figure);
        let letters = |word: &str| word.chars().filter(|c| c.is_alphabetic()).count();
        let has_word = stray.split_whitespace().any(|word| letters(word) > 1);
        let has_text_before = row.number.is_none() && *column < cell.column && has_word;
        has_text_before && !(is_of_player && is_all)
    }
}

/// Returns a name in lower case without its rating.
pub(super) fn folded(name: &str) -> String {
    split_rating(name).0.trim().to_lowercase()
}

/// Returns whether a word after an action is a number or unit: `=>`, `2`, `points`.
fn is_figure(word: &str) -> bool {
    let word = word.trim_end_matches(['.', '!']);
    matches!(word, "=>" | "==>" | "to" | "point" | "points")
        || word.bytes().all(|b| b.is_ascii_digit())
}
