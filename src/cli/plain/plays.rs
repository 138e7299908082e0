//! Lists the plays of a decision and the values of its cube actions.

use crate::cube::Model;
use crate::eval::Evaluator;
use crate::game::{GameState, PlayList, Roll};
use crate::match_file::Action;
use crate::notation::play_text;
use crate::review::report::{CandidateReport, CubeReport, MoveReport, signed};
use crate::review::{MatchTurn, review_widely};

/// Number of listed plays, in addition to the one made.
const MOST_PLAYS: usize = 5;

/// Settings of the analysis of plays.
#[derive(Clone, Copy)]
pub(super) struct Lookahead<'a> {
    pub(super) evaluator: &'a dyn Evaluator,
    pub(super) model: &'a Model,
    pub(super) ply: u8,
}

impl Lookahead<'_> {
    /// Lists the best plays and the one made, best first, one per line after a line with their depth. A listener
    /// cannot see differing depths, so all have the same depth, as in the workstation's list.
    pub(super) fn lines(self, one: &MoveReport) -> Vec<String> {
        let Some(roll) = one.state.roll else {
            return Vec::new();
        };
        let state = &one.state;
        let made = one.candidates.iter().find(|play| play.made);
        let turn = turn(state, roll, made);
        let (evaluator, model) = (self.evaluator, self.model);
        let looked = review_widely(evaluator, model, &turn, self.ply, MOST_PLAYS, &|| false);
        let Some(review) = looked else {
            return Vec::new();
        };
        let mut lines = vec![format!("At {}-ply:", review.ply)];
        for (i, candidate) in review.candidates.iter().enumerate() {
            let is_made = review.played == Some(i);
            // The rank of a bad play among all plays is unknown.
            let rank = match i < MOST_PLAYS {
                true => format!("{}: ", i + 1),
                false if is_made => String::new(),
                false => continue,
            };
            let play = play_text(&state.position, &candidate.play);
            let equity = signed(f64::from(candidate.equity), 3);
            let made = if is_made { ", played" } else { "" };
            lines.push(format!("{rank}{play}, {equity}{made}."));
        }
        lines
    }
}

/// The turn of a decision, with the play made if that is legal.
fn turn(state: &GameState, roll: Roll, made: Option<&CandidateReport>) -> MatchTurn {
    let list = PlayList::of(&state.position, roll);
    let mut plays = list.plays().iter();
    let play =
        made.and_then(|made| plays.find(|play| play_text(&state.position, play) == made.play));
    MatchTurn {
        action: play.map(|&play| Action::Move { roll, play }),
        ..MatchTurn::alone(*state)
    }
}

/// Describes the value of each cube action for the doubler, in one line.
pub(super) fn cube_line(one: &MoveReport, cube: &CubeReport) -> String {
    let worth = |(name, equity): (&str, f32)| {
        let equity = signed(f64::from(equity), 3);
        format!("{}, {equity}", one.spoken(name))
    };
    let told: Vec<String> = cube.decision.named_equities().map(worth).collect();
    let when = match one.state.roll {
        Some(_) => "Before the roll",
        None => "For the doubler",
    };
    let best = one.spoken(&cube.best);
    let ply = cube.ply;
    format!("{when}, at {ply}-ply: {}. Best is {best}.", told.join("; "))
}
