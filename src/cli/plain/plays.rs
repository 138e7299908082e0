//! The plays of a decision, and what its cube actions are worth.

use crate::cube::Model;
use crate::eval::Evaluator;
use crate::game::{GameState, PlayList, Roll};
use crate::match_file::Action;
use crate::notation::play_text;
use crate::review::report::{CandidateReport, CubeReport, GameReport, MoveReport, signed};
use crate::review::{MatchTurn, Report, review_widely};

/// Plays that are listed, beside the one that was made.
const MOST_PLAYS: usize = 5;

/// How plays are looked at.
#[derive(Clone, Copy)]
pub(super) struct Lookahead<'a> {
    pub(super) evaluator: &'a dyn Evaluator,
    pub(super) model: &'a Model,
    pub(super) ply: u8,
}

impl Lookahead<'_> {
    /// The best plays and the one that was made, best first, a line each behind one that tells their depth. A user who
    /// listens cannot see which figures are of another depth, so all get the same, as in the workstation's list.
    pub(super) fn lines(self, report: &Report, game: &GameReport, one: &MoveReport) -> Vec<String> {
        let state = report.state(game, one);
        let Some((state, roll)) = state.and_then(|state| Some((state, state.roll?))) else {
            return Vec::new();
        };
        let made = one.candidates.iter().find(|play| play.made);
        let turn = turn(&state, roll, made);
        let (evaluator, model) = (self.evaluator, self.model);
        let looked = review_widely(evaluator, model, &turn, self.ply, MOST_PLAYS, &|| false);
        let Some(review) = looked else {
            return Vec::new();
        };
        let mut lines = vec![format!("At {}-ply:", review.ply)];
        for (i, candidate) in review.candidates.iter().enumerate() {
            let is_made = review.played == Some(i);
            // Of the play that was made, if it is no good one, the place among all is not known.
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

/// The turn of a decision, with the play that was made, if it is a legal one.
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

/// What each cube action is worth to the doubler, in a line.
pub(super) fn cube_line(one: &MoveReport, cube: &CubeReport) -> String {
    let worth = |(name, equity): (&str, f32)| {
        let equity = signed(f64::from(equity), 3);
        format!("{}, {equity}", one.spoken(name))
    };
    let told: Vec<String> = cube.decision.named_equities().map(worth).collect();
    let when = match one.dice {
        Some(_) => "Before the roll",
        None => "For the doubler",
    };
    let best = one.spoken(&cube.best);
    let ply = cube.ply;
    format!("{when}, at {ply}-ply: {}. Best is {best}.", told.join("; "))
}
