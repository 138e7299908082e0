//! A decision of a match: its position, the action taken and its cost.

use crate::cube::{CubeAction, CubeChoice, Model, cube_words};
use crate::eval::{CandidateFilter, Evaluator, Probabilities};
use crate::game::{GameState, Play, Player};
use crate::match_file::{Action, Match};
use crate::notation::{parse_play, play_text};
use crate::review::decision_cost::differ;
use crate::review::report::{CubeReport, MoveReport};
use crate::review::{Class, MatchTurn, PositionType, Report, turns};

/// An action taken, or the best action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Play(Play),
    /// A player's cube action.
    Cube(CubeChoice),
    /// The correct cube actions of both players.
    Best(CubeAction),
}

impl Answer {
    /// The action in words, as reviews write it.
    pub fn text(&self, state: &GameState) -> String {
        match self {
            Self::Play(play) => play_text(&state.position, play),
            Self::Cube(choice) => choice.name().to_owned(),
            Self::Best(action) => action.name().to_owned(),
        }
    }

    /// The action in words, as players say it: doubling with one's own cube is a redouble.
    pub fn words(&self, state: &GameState) -> String {
        cube_words(&self.text(state), state).to_owned()
    }
}

/// A decision with at least two choices. All values are for the player who decides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// Index of the game in the match.
    pub game: u32,
    /// Index of the event in the game.
    pub event: u32,
    /// Index among all turns of the match.
    pub turn: u32,
    /// Number of the move in the game, from 1.
    pub number: u32,
    pub player: Player,
    pub class: Class,
    pub kind: PositionType,
    /// The state, seen by the player who decides: with the roll for a play, without one for a cube decision.
    /// [`GameState::doubled`] is set if a double must be answered.
    pub state: GameState,
    pub played: Answer,
    pub best: Answer,
    /// Error in points, normalised to the cube, never negative.
    pub error: f32,
    /// Error as match-winning chance; in money play in points, multiplied by the cube.
    pub loss: f32,
    /// Cubeful equity after the best choice, in points of the present cube (EMG in a match).
    pub equity: f32,
    /// Cubeless chances after the best play; for a cube decision those before the roll, by the static evaluation.
    pub chances: Probabilities,
    /// Luck of the roll in points; 0 for a cube decision.
    pub luck: f32,
    /// Search depth of the figures.
    pub ply: u8,
    /// The figures come from a rollout.
    pub rolled: bool,
    /// The decision counts in eXtreme Gammon's performance rating.
    pub in_pr: bool,
    /// A decision not to double, made by rolling.
    pub silent: bool,
}

/// Returns the decisions of a reviewed match with at least two choices, in order. `report` is the review of `record`
/// by `evaluator` and `model`.
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

/// A turn of a match with its review.
struct ReviewedTurn<'a> {
    index: usize,
    turn: &'a MatchTurn,
    one: &'a MoveReport,
    evaluator: &'a dyn Evaluator,
    model: &'a Model,
}

impl ReviewedTurn<'_> {
    /// Returns the decision not to double before the roll, if there was one.
    fn silent_cube(&self) -> Option<Decision> {
        let cube = self.one.cube.as_ref()?;
        let state = self.turn.before.state;
        state.roll?;
        let before = state.before_roll();
        self.cube(cube, before, CubeChoice::NoDouble)
    }

    /// Returns the decision of the event itself.
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

    /// Returns whether the plays differ in equity, for reviews stored without that flag.
    fn plays_differ(&self) -> Option<bool> {
        let listed = self.one.candidates.iter();
        if differ(listed.map(|play| play.cubeful_equity)) {
            return Some(true);
        }
        // A review lists only some plays; the others need a static evaluation.
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
            (Answer::Cube(decision.answer()?), -worth)
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

    /// A decision with the data common to all decisions of the turn.
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
