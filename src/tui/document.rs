//! What is open: a match or a position, and what is known of it.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::message::Standing;
use crate::game::GameState;
use crate::match_file::Match;
use crate::review::{MatchTurn, TurnReview};
use crate::store::{Notes, ReviewKey};

/// What is open: a match, or a position alone.
#[derive(Debug, Default)]
pub struct Document {
    /// Distinguishes it from what was open before, for messages that come late.
    pub generation: u64,
    /// Its name in the top line.
    pub title: String,
    /// What its review is kept by, if it is the match of a file.
    pub key: Option<ReviewKey>,
    /// The match; a position alone is a match without games.
    pub record: Arc<Match>,
    /// Everything to walk through.
    pub turns: Arc<[MatchTurn]>,
    /// The standard review of each turn, as far as it has come: marks and totals are its.
    pub reviews: Vec<Option<Arc<TurnReview>>>,
    /// Whether the standard review has said its last word on a turn.
    pub is_final: Vec<bool>,
    /// Whether the standard review was not made now, but found.
    pub is_remembered: bool,
    /// How much the last ply of the standard review changed each turn's errors, in points.
    pub shifts: Vec<f32>,
    /// Every look at a turn, by turn and plies.
    pub looks: HashMap<(usize, u8), Arc<TurnReview>>,
    /// Whether this is the bundled sample, opened because nothing was asked for.
    pub is_sample: bool,
    /// What the user has written beside its moves.
    pub notes: Notes,
    /// Where the user has written since it was opened: what comes from the disk later is older.
    pub written: HashSet<(usize, usize)>,
    /// Turns that could not be analysed, and why.
    pub failed: BTreeMap<usize, String>,
}

impl Document {
    /// A document of a match.
    #[must_use]
    pub fn of_match(record: Match, title: String, generation: u64) -> Self {
        let turns: Arc<[MatchTurn]> = crate::review::turns(&record).into();
        Self {
            generation,
            title,
            reviews: vec![None; turns.len()],
            is_final: vec![false; turns.len()],
            shifts: vec![0.0; turns.len()],
            turns,
            record: Arc::new(record),
            ..Self::default()
        }
    }

    /// A document of one position.
    #[must_use]
    pub fn of_position(state: GameState, title: String, generation: u64) -> Self {
        let record = Match {
            length: state.score.length,
            players: ["on roll".into(), "opponent".into()],
            rules: state.rules,
            ..Match::default()
        };
        Self {
            generation,
            title,
            turns: Arc::from([MatchTurn::alone(state)]),
            reviews: vec![None],
            is_final: vec![false],
            shifts: vec![0.0],
            record: Arc::new(record),
            ..Self::default()
        }
    }

    /// The standard review of each turn that has one, and how much its last ply changed.
    #[must_use]
    pub fn standard_reviews(&self) -> Vec<(Arc<TurnReview>, f32)> {
        let all = self.reviews.iter().zip(&self.shifts);
        all.filter_map(|(review, shift)| Some((review.clone()?, *shift)))
            .collect()
    }

    /// The turns that have a standard review, and those reviews.
    #[must_use]
    pub fn analysed_turns(&self) -> (Vec<MatchTurn>, Vec<(Arc<TurnReview>, f32)>) {
        let all = self.turns.iter().zip(&self.reviews);
        let turns = all.filter_map(|(turn, review)| review.is_some().then_some(*turn));
        (turns.collect(), self.standard_reviews())
    }

    /// Takes in that a turn could not be analysed. A review that was found, or made with fewer plies,
    /// stays.
    pub fn fail(&mut self, turn: usize, why: String) {
        if turn < self.turns.len() && !self.is_remembered {
            self.is_final[turn] = true;
            self.failed.insert(turn, why);
        }
    }

    /// Whether the standard review has ended.
    #[must_use]
    pub fn is_analysed(&self) -> bool {
        self.is_final.iter().all(|&s| s)
    }

    /// Takes in the standard review of all turns. A look at a turn that was made meanwhile stays: it has
    /// all plays.
    pub fn remember(&mut self, reviews: Vec<(Arc<TurnReview>, f32)>) {
        self.is_remembered = true;
        for (turn, (review, shift)) in reviews.into_iter().enumerate().take(self.turns.len()) {
            let look = self.looks.entry((turn, review.ply));
            look.or_insert_with(|| review.clone());
            self.shifts[turn] = shift;
            self.is_final[turn] = true;
            self.reviews[turn] = Some(review);
        }
    }

    /// Takes a review of a turn in.
    pub fn analysed(&mut self, turn: usize, ply: u8, standing: Standing, review: Arc<TurnReview>) {
        if turn >= self.turns.len() {
            return;
        }
        // What was on its way when the whole review was found changes nothing any more.
        if standing != Standing::Look && !self.is_remembered {
            if let Some(before) = &self.reviews[turn] {
                self.shifts[turn] = crate::review::shift(before, &review);
            }
            self.reviews[turn] = Some(review.clone());
            self.is_final[turn] = standing == Standing::Final;
        }
        self.looks.insert((turn, ply), review);
    }
}
