//! Remarks in match text that look like a part of it: what people write between the lines is reported, and not carried
//! out.

use super::Reader;
use super::cells::TextRow;
use super::lines::ScoreLine;
use super::parted;

impl Reader {
    /// Whether a score is one of the players of this match, as far as they are known: two times of day in a remark look
    /// like a score too. One of the names may be damaged.
    pub(super) fn may_be_of_this(&self, score: &ScoreLine) -> bool {
        let names = |score: &ScoreLine| score.names.each_ref().map(|name| folded(name));
        let Some(known) = self.known_score().map(names) else {
            return true;
        };
        let own = names(score);
        own.iter().zip(&known).any(|(own, known)| own == known)
    }

    /// The first score of the match, whose names are those of the players.
    pub(super) fn known_score(&self) -> Option<&ScoreLine> {
        let mut games = self.sources.iter().filter(|game| game.has_score());
        games.find_map(|game| game.score.as_ref())
    }

    /// Whether the words of a line that mean something stand in a sentence: behind others, in a line without a number. Of
    /// a player it says what that player does, and no more: `anna wins 2 points`. Signs alone are a damaged row.
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
        let behind = line.chars().skip(cell.column).collect::<String>();
        let is_all = behind.split_whitespace().skip(1).all(is_figure);
        let letters = |word: &str| word.chars().filter(|c| c.is_alphabetic()).count();
        let has_word = stray.split_whitespace().any(|word| letters(word) > 1);
        let is_behind = row.number.is_none() && *column < cell.column && has_word;
        is_behind && !(is_of_player && is_all)
    }
}

/// A name without its rating, whatever its letters' case.
fn folded(name: &str) -> String {
    parted(name).0.trim().to_lowercase()
}

/// Whether a word behind an action says how much: `=>`, `2`, `points`.
fn is_figure(word: &str) -> bool {
    let word = word.trim_end_matches(['.', '!']);
    matches!(word, "=>" | "==>" | "to" | "point" | "points")
        || word.bytes().all(|b| b.is_ascii_digit())
}
