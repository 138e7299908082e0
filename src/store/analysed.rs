//! Analyses of the turns of a match in stored form. Restored turns are equivalent to freshly analysed ones.
//!
//! Of a turn's plays, the first [`MOST_PLAYS`], the play made, and the worst play are kept; the spread of equities
//! decides whether a decision counts. A play is stored as its index among the legal plays. Data that follows from the
//! turn and the rules is omitted.

use serde::{Deserialize, Serialize};

use crate::cube::{CubeChoice, CubeDecision, Model};
use crate::eval::{Candidate, Probabilities};
use crate::game::PlayList;
use crate::review::report::build::RANKED_PLAYS;
use crate::review::{AnalysedTurn, CubeReview, MatchTurn, Resignation, TurnReview};

/// Number of best plays kept for each turn; reports rank as many.
const MOST_PLAYS: usize = RANKED_PLAYS;

/// The turns of a match, analysed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptTurns(Vec<KeptTurn>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct KeptTurn {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    plays: Vec<KeptPlay>,
    played: Option<usize>,
    error: Option<f32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cube: Option<KeptCube>,
    point: Option<f32>,
    luck: Option<f32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    chances: Option<Probabilities>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    resignation: Option<Resignation>,
    ply: u8,
    /// How much the last ply changed the errors.
    shift: f32,
}

/// Index among the legal plays, plies, equity, chances.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct KeptPlay(u16, u8, f32, [f32; 5]);

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct KeptCube {
    decision: CubeDecision,
    choice: Option<CubeChoice>,
    error: Option<f32>,
    ply: u8,
}

impl KeptTurns {
    /// Packs analysed turns for storage.
    pub fn of(analysed: &[AnalysedTurn]) -> Self {
        let mut legal = PlayList::default();
        let turn = |one: &AnalysedTurn| KeptTurn::of(one, &mut legal);
        Self(analysed.iter().map(turn).collect())
    }

    /// Restores the reviews of `turns`, each with the amount by which the last ply changed its errors. Returns `None`
    /// if the stored data belongs to other turns.
    pub fn restore(&self, turns: &[MatchTurn], model: &Model) -> Option<Vec<(TurnReview, f32)>> {
        let mut legal = PlayList::default();
        let all = self.0.iter().zip(turns);
        (self.0.len() == turns.len())
            .then(|| all.map(|(kept, turn)| kept.restore(turn, model, &mut legal)))?
            .collect()
    }
}

impl KeptTurn {
    fn of(analysed: &AnalysedTurn, legal: &mut PlayList) -> Self {
        let AnalysedTurn {
            turn,
            review,
            shift,
            ..
        } = analysed;
        let state = &turn.before.state;
        if let Some(roll) = state.roll {
            legal.generate(&state.position, roll);
        }
        let made = review.played.filter(|&i| i >= MOST_PLAYS);
        let first = 0..review.candidates.len().min(MOST_PLAYS);
        let worst = worst(review).filter(|&i| i >= MOST_PLAYS && Some(i) != made);
        let play = |i: usize| {
            let Candidate {
                result,
                probabilities,
                equity,
                ply,
                ..
            } = review.candidates[i];
            let place = legal.results().iter().position(|r| *r == result)?;
            let place = u16::try_from(place).ok()?;
            Some(KeptPlay(place, ply, equity, probabilities.to_array()))
        };
        Self {
            plays: first.chain(made).chain(worst).filter_map(play).collect(),
            played: review.played.map(|i| i.min(MOST_PLAYS)),
            error: review.error,
            cube: review.cube.map(KeptCube::from),
            point: review.point,
            luck: review.luck,
            chances: review.chances,
            resignation: review.resignation,
            ply: review.ply,
            shift: *shift,
        }
    }

    fn restore(
        &self,
        turn: &MatchTurn,
        model: &Model,
        legal: &mut PlayList,
    ) -> Option<(TurnReview, f32)> {
        let state = &turn.before.state;
        match state.roll {
            Some(roll) => legal.generate(&state.position, roll),
            None if !self.plays.is_empty() => return None,
            None => {}
        }
        let candidate = |&KeptPlay(place, ply, equity, chances): &KeptPlay| {
            Some(Candidate {
                play: *legal.plays().get(usize::from(place))?,
                result: *legal.results().get(usize::from(place))?,
                probabilities: Probabilities::from_array(chances),
                equity,
                ply,
            })
        };
        let candidates: Vec<_> = self.plays.iter().map(candidate).collect::<Option<_>>()?;
        if self.played.is_some_and(|i| i >= candidates.len()) {
            return None;
        }
        let beavers = model.context(&state.roller()).beavers();
        let review = TurnReview {
            candidates,
            played: self.played,
            error: self.error,
            cube: self.cube.map(|cube| cube.restore(beavers)),
            point: self.point,
            luck: self.luck,
            chances: self.chances,
            resignation: self.resignation,
            ply: self.ply,
        };
        Some((review, self.shift))
    }
}

/// Index of the play with the lowest equity.
fn worst(review: &TurnReview) -> Option<usize> {
    let equity = |&i: &usize| review.candidates[i].equity;
    (0..review.candidates.len()).min_by(|i, j| equity(i).total_cmp(&equity(j)))
}

impl From<CubeReview> for KeptCube {
    fn from(review: CubeReview) -> Self {
        let CubeReview {
            decision,
            choice,
            error,
            ply,
        } = review;
        Self {
            decision,
            choice,
            error,
            ply,
        }
    }
}

impl KeptCube {
    fn restore(self, beavers: bool) -> CubeReview {
        CubeReview {
            decision: self.decision.with_beavers(beavers),
            choice: self.choice,
            error: self.error,
            ply: self.ply,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Engine;
    use crate::match_file::Match;
    use crate::review::report::testing;
    use crate::review::{Report, analyse_match};

    const FILES: [&[u8]; 2] = [
        include_bytes!("../../tests/fixtures/mat/three_points.mat"),
        include_bytes!("../../sample_matches/anna-clara-money.mat"),
    ];

    fn report(record: &Match, analysed: &[AnalysedTurn]) -> Report {
        testing::report(record, analysed, 1)
    }

    #[test]
    fn turns_come_back_as_they_were_with_their_first_plays() {
        let (engine, model) = (Engine::embedded(), Model::standard());
        for file in FILES {
            let record = crate::match_file::read_bytes(file, "x.mat").unwrap();
            let analysed = analyse_match(&engine, model, &record, 1, &|| false).unwrap();
            let kept = KeptTurns::of(&analysed);
            let text = serde_json::to_string(&kept).unwrap();
            let turns: Vec<MatchTurn> = analysed.iter().map(|one| one.turn).collect();
            let read: KeptTurns = serde_json::from_str(&text).unwrap();
            let back = read.restore(&turns, model).unwrap();
            assert_eq!(back.len(), analysed.len());
            for ((review, shift), one) in back.iter().zip(&analysed) {
                let mut whole = one.review.clone();
                let made = whole.played.filter(|&i| i >= MOST_PLAYS);
                let worst = worst(&whole).filter(|&i| i >= MOST_PLAYS && Some(i) != made);
                let more = made.into_iter().chain(worst).map(|i| whole.candidates[i]);
                let more: Vec<Candidate> = more.collect();
                whole.candidates.truncate(MOST_PLAYS);
                whole.candidates.extend(more);
                whole.played = whole.played.map(|i| i.min(MOST_PLAYS));
                assert_eq!((review, *shift), (&whole, one.shift));
                // Ratings are unchanged.
                assert!(review.decision_costs().eq(one.review.decision_costs()));
            }
            // A report ranks the same plays as for a fresh analysis.
            let again = |((review, _), one): (&(TurnReview, f32), &AnalysedTurn)| AnalysedTurn {
                review: review.clone(),
                ..one.clone()
            };
            let again: Vec<_> = back.iter().zip(&analysed).map(again).collect();
            assert_eq!(report(&record, &again), report(&record, &analysed));
            assert!(read.restore(&turns[1..], model).is_none());
            let mut others = turns.clone();
            others.reverse();
            // Arbitrary files must not cause a panic.
            drop(read.restore(&others, model));
        }
    }
}
