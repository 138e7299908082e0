//! The games behind the one of a transcript that is corrected. Its file gets the corrected game only as part of a whole
//! match: what is not over again, or does not go with the later games, stays in the file as it was.

use crate::match_file::write::Target;
use crate::match_file::{self, Game, Match, Warning};

/// The games behind the one in view, and what the file of the match has meanwhile.
#[derive(Debug)]
pub struct LaterGames {
    games: Vec<Game>,
    /// The match as its file has it.
    pub in_file: Box<Match>,
    /// Why the game in view is not in the file as it stands; `None` where it is.
    pub withheld: Option<Withheld>,
}

/// Why the game in view is not written to the file as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Withheld {
    /// It is not over, as it was before.
    NotOver,
    /// The later games could not stay as they are; why, in words.
    Misfit(String),
}

impl LaterGames {
    /// Takes the games behind game `game` off a match; none where that is the last one.
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

    /// Whether there are none any more.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The text that the file of the match gets, of which the game in view is the last one in `record`; `None` where it
    /// stays as it is.
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

    /// The whole match with the game in view as its last one in `record`, and its text; or why the file stays as it is.
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

/// Whether a text is read as the match that was written: with all its games, and without a warning of what is lost.
fn reads_back(whole: &Match, text: &str) -> Result<(), String> {
    let failed = |why: &str| format!("the file would not be read as it is: {why}");
    let again = match_file::read_bytes(text.as_bytes(), "match.mat");
    let again = again.map_err(|why| failed(&why.to_string()))?;
    // What the file had told before it may tell again.
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
