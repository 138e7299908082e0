//! A decision of a match: where it was, what was done and what that cost.

use crate::cube::{CubeAction, CubeChoice, Model, cube_words};
use crate::eval::{CandidateFilter, Evaluator, Probabilities};
use crate::game::{GameState, Play, Player};
use crate::match_file::{Action, Match};
use crate::notation::{parse_play, play_text};
use crate::review::decision_cost::differ;
use crate::review::report::{CubeReport, MoveReport};
use crate::review::{Class, MatchTurn, PositionType, Report, turns};

/// What was done, or would have been best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Play(Play),
    /// Something a player did with the cube.
    Cube(CubeChoice),
    /// What both players should do about a double.
    Best(CubeAction),
}

impl Answer {
    /// The answer in words, as reviews write it.
    pub fn text(&self, state: &GameState) -> String {
        match self {
            Self::Play(play) => play_text(&state.position, play),
            Self::Cube(choice) => choice.name().to_owned(),
            Self::Best(action) => action.name().to_owned(),
        }
    }

    /// The answer in words, as players say it: a player who doubles with a cube of their own redoubles.
    pub fn words(&self, state: &GameState) -> String {
        cube_words(&self.text(state), state).to_owned()
    }
}

/// A decision with something to decide. All values are those of the player who decides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// Place of the game in the match.
    pub game: u32,
    /// Place of the event in the game.
    pub event: u32,
    /// Place among all turns of the match.
    pub turn: u32,
    /// Number of the move in the game, from 1.
    pub number: u32,
    /// The player who decides.
    pub player: Player,
    /// What it is about.
    pub class: Class,
    pub kind: PositionType,
    /// The state, seen by the player who decides: with the roll before a play, without one at a cube
    /// decision; [`GameState::doubled`] where a double has to be answered.
    pub state: GameState,
    /// What was done.
    pub played: Answer,
    /// What would have been best.
    pub best: Answer,
    /// Points given away, normalised to the cube, never negative.
    pub error: f32,
    /// What was given away, as a chance to win the match, or in money play in points with the cube counted.
    pub loss: f32,
    /// Equity after the best choice, with the cube: points on the present cube (EMG in a match).
    pub equity: f32,
    /// Cubeless chances after the best play; at a cube decision those before the roll, by the static
    /// evaluation.
    pub chances: Probabilities,
    /// Luck of the roll in points; 0 at a cube decision.
    pub luck: f32,
    /// Plies behind the figures.
    pub ply: u8,
    /// Whether the figures are a rollout's.
    pub rolled: bool,
    /// Whether it counts in eXtreme Gammon's performance rating.
    pub in_pr: bool,
    /// Whether it is a cube decision made in silence, by rolling.
    pub silent: bool,
}

/// The decisions of a reviewed match in which there was something to decide, in order. `report` is the
/// review of `record`, made by `evaluator` and `model`.
pub fn decisions(
    record: &Match,
    report: &Report,
    evaluator: &dyn Evaluator,
    model: &Model,
) -> Vec<Decision> {
    let moves = report.games.iter().flat_map(|game| &game.moves);
    let mut all = Vec::new();
    for ((index, turn), one) in turns(record).iter().enumerate().zip(moves) {
        let at = ReviewedTurn {
            index,
            turn,
            one,
            evaluator,
            model,
        };
        all.extend(at.silent_cube());
        all.extend(at.spoken());
    }
    all
}

/// A turn of a match and its review.
struct ReviewedTurn<'a> {
    index: usize,
    turn: &'a MatchTurn,
    one: &'a MoveReport,
    evaluator: &'a dyn Evaluator,
    model: &'a Model,
}

impl ReviewedTurn<'_> {
    /// The decision not to double before the roll, where there was one.
    fn silent_cube(&self) -> Option<Decision> {
        let cube = self.one.cube.as_ref()?;
        let state = self.turn.before.state;
        state.roll?;
        let before = state.before_roll();
        self.cube(cube, before, CubeChoice::NoDouble)
    }

    /// The decision that the event itself is.
    fn spoken(&self) -> Option<Decision> {
        let state = self.turn.before.state;
        let choice = match self.turn.action? {
            Action::Move { play, .. } => return self.checker(play),
            Action::Double { .. } => CubeChoice::Double,
            Action::Take => CubeChoice::Take,
            Action::Pass => CubeChoice::Pass,
            Action::Beaver { .. } => CubeChoice::Beaver,
            Action::Hidden { .. } | Action::Illegal { .. } | Action::Resign => return None,
        };
        self.cube(self.one.cube.as_ref()?, state, choice)
    }

    fn checker(&self, play: Play) -> Option<Decision> {
        let state = self.turn.before.state;
        let all = &self.one.candidates;
        let first = all.first().filter(|_| !self.one.forced)?;
        let best = parse_play(&first.play, &state.position, state.roll?).ok()?;
        Some(Decision {
            class: Class::Checker,
            state,
            played: Answer::Play(play),
            best: Answer::Play(best),
            error: self.one.error? as f32,
            loss: self.one.error_unnormalised? as f32,
            equity: first.cubeful_equity as f32,
            chances: first.chances,
            luck: self.one.luck.unwrap_or(0.0) as f32,
            ply: self.one.ply,
            rolled: self.one.trials.is_some(),
            in_pr: self.one.in_pr.or_else(|| self.plays_differ())?,
            ..self.blank(state)
        })
    }

    /// Whether the plays are a choice, where the review was kept without that.
    fn plays_differ(&self) -> Option<bool> {
        let listed = self.one.candidates.iter();
        if differ(listed.map(|play| play.cubeful_equity)) {
            return Some(true);
        }
        // A review names a few plays; the others have the static evaluation.
        let state = self.turn.before.state.before_roll();
        let roll = self.turn.before.state.roll?;
        let (model, filter) = (self.model, CandidateFilter::default());
        let all = model.candidates(self.evaluator, &state, roll, 0, filter, &|| false)?;
        Some(differ(all.iter().map(|play| f64::from(play.cubeful))))
    }

    fn cube(&self, cube: &CubeReport, state: GameState, choice: CubeChoice) -> Option<Decision> {
        let answers = state.doubled;
        let doubler = self.evaluator.probabilities_of(&state.roller().position);
        let decision = &cube.decision;
        let (best, equity) = if answers {
            let worth = decision.doubled().unwrap_or(decision.cubeful_equity);
            (Answer::Cube(CubeChoice::named(&cube.best)?), -worth)
        } else {
            (Answer::Best(decision.action), decision.cubeful_equity)
        };
        cube.counts.then(|| Decision {
            class: Class::of_choice(choice),
            played: Answer::Cube(choice),
            best,
            error: cube.error as f32,
            loss: cube.error_unnormalised as f32,
            equity,
            chances: if answers { doubler.flipped() } else { doubler },
            ply: cube.ply,
            rolled: cube.trials.is_some(),
            in_pr: true,
            silent: choice == CubeChoice::NoDouble,
            ..self.blank(state)
        })
    }

    /// A decision with what is the same for every decision of the turn.
    fn blank(&self, state: GameState) -> Decision {
        let before = &self.turn.before;
        Decision {
            game: self.turn.game as u32,
            event: before.event as u32,
            turn: self.index as u32,
            number: self.turn.number,
            player: before.player,
            class: Class::Double,
            kind: self.one.kind,
            state,
            played: Answer::Cube(CubeChoice::NoDouble),
            best: Answer::Best(CubeAction::NoDouble),
            error: 0.0,
            loss: 0.0,
            equity: 0.0,
            chances: Probabilities::default(),
            luck: 0.0,
            ply: 0,
            rolled: false,
            in_pr: false,
            silent: false,
        }
    }
}
