//! The games after the one that is corrected in a transcript. The file receives the corrected game only as part of a
//! complete match: until the game is over again and fits the later games, the file keeps its former version.

use crate::match_file::write::Target;
use crate::match_file::{self, Game, Match, Warning};

/// The later games, and the match as in its file.
#[derive(Debug)]
pub struct LaterGames {
    games: Vec<Game>,
    /// The match as in its file.
    pub in_file: Box<Match>,
    /// The reason why the displayed game is not yet in the file; `None` if it is.
    pub withheld: Option<Withheld>,
}

/// Why the displayed game is not written to the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Withheld {
    /// It is unfinished, unlike before.
    NotOver,
    /// The later games would change; with the reason.
    Misfit(String),
}

impl LaterGames {
    /// Removes the games after `game` from a match; `None` if it is the last one.
    pub fn split_off(record: &mut Match, game: usize) -> Option<Self> {
        if game + 1 >= record.games.len() {
            return None;
        }
        let in_file = Box::new(record.clone());
        Some(Self {
            games: record.games.split_off(game + 1),
            in_file,
            withheld: None,
        })
    }

    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The new text of the match's file, where the displayed game is the last one of `record`; `None` if it stays
    /// unchanged.
    pub fn text_to_write(&mut self, record: &Match) -> Option<String> {
        match self.whole(record) {
            Ok((whole, text)) => {
                let later = whole.games.get(record.games.len()..);
                self.games = later.unwrap_or_default().to_vec();
                (*self.in_file, self.withheld) = (whole, None);
                Some(text)
            }
            Err(why) => {
                self.withheld = Some(why);
                None
            }
        }
    }

    /// The complete match, with the last game of `record` as its corrected game, and its text; or the reason why the
    /// file stays unchanged.
    fn whole(&self, record: &Match) -> Result<(Match, String), Withheld> {
        let is_open = |one: &Match| {
            let game = one.games.get(record.games.len().saturating_sub(1));
            game.is_none_or(|game| game.result.is_none())
        };
        if is_open(record) && !is_open(&self.in_file) {
            return Err(Withheld::NotOver);
        }
        let whole = record.followed_by(&self.games, &self.in_file);
        let whole = whole.map_err(|why| Withheld::Misfit(why.to_string()))?;
        let text = Target::Mat.write(&whole);
        reads_back(&whole, &text).map_err(Withheld::Misfit)?;
        Ok((whole, text))
    }
}

/// Checks that a text parses to the match that was written, with all its games and without new warnings.
fn reads_back(whole: &Match, text: &str) -> Result<(), String> {
    let failed = |why: &str| format!("the file would not be read as it is: {why}");
    let again = match_file::read_bytes(text.as_bytes(), "match.mat");
    let again = again.map_err(|why| failed(&why.to_string()))?;
    // Warnings that the file had before may recur.
    let is_known = |warning: &Warning| {
        whole
            .warnings
            .iter()
            .any(|one| one.message == warning.message)
    };
    let is_fine = |one: &Warning| one.is_of_open_end() || one.loses_nothing() && is_known(one);
    let mut warnings = again.all_warnings();
    if let Some(warning) = warnings.find(|warning| !is_fine(warning)) {
        return Err(failed(&warning.message));
    }
    let is_same = |(one, other): (&Game, &Game)| {
        one.score == other.score
            && (one.result, one.crawford) == (other.result, other.crawford)
            && one.events.len() == other.events.len()
            && whole.final_position(one) == again.final_position(other)
    };
    let is_long = whole.games.len() == again.games.len();
    match is_long && whole.games.iter().zip(&again.games).all(is_same) {
        true => Ok(()),
        false => Err(failed("a game would be another one")),
    }
}
