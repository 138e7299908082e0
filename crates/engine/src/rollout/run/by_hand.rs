//! Rollouts by hand: a person plays one side or both, the program rolls, measures the luck, and
//! keeps the variance-reduced results (JellyFish's *interactive rollout*).
//!
//! The mean luck is zero whoever plays, so subtracting it leaves the estimate unbiased. How much variance it removes
//! depends on how well the evaluator predicts the results. Turning the cube is a decision, and has no luck.

use serde::Serialize;

use crate::cube::{CubeChoice, CubeDecision};
use crate::dice::{COUNTED, Dice, Purpose, StreamKey};
use crate::game::{GameState, Position, Roll};

use super::plan;
use crate::rollout::request::check::checked;
use crate::rollout::request::error::RolloutError;
use crate::rollout::request::settings::Settings;
use crate::rollout::request::setup::Setup;
use crate::rollout::trials::play_choice::CancelCheck;
use crate::rollout::trials::records::TrialRecord;
use crate::rollout::trials::roll_source::RollSource;
use crate::rollout::trials::trial::{PlayRules, TrialGame, TrialPlayers};

/// A check that never cancels: a person stops by leaving.
const NEVER_CANCELLED: CancelCheck<'static> = &|| false;

/// Whose decisions are a person's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Hands {
    /// The decisions of the player whose equity is wanted.
    Own,
    /// The decisions of the other player.
    Other,
    /// All.
    Both,
}

/// One trial that a person takes part in.
pub struct HandTrial<'a> {
    players: TrialPlayers<'a>,
    game: TrialGame,
    dice: Dice,
    numbers: [u8; COUNTED],
    trial: u64,
}

impl<'a> HandTrial<'a> {
    /// Trial `trial` of a rollout of `position` (after the candidate play, the opponent on roll).
    ///
    /// # Errors
    /// A [`RolloutError`] for settings that make no sense.
    pub fn new(
        setup: &'a Setup,
        position: Position,
        settings: &Settings,
        trial: u64,
    ) -> Result<Self, RolloutError> {
        let settings = checked(settings, &[position], setup)?;
        let mut dealer = plan::dealer(setup, &settings);
        let key = StreamKey {
            seed: settings.seed,
            candidate: 0,
        };
        let dice = dealer.deal(key, Purpose::Rolls, trial);
        let players = TrialPlayers::new(PlayRules::new(setup, &settings, NEVER_CANCELLED));
        let mut new = Self {
            game: players.start(position, 0),
            players,
            numbers: dice.prescribed(),
            dice,
            trial,
        };
        new.end_if_over();
        Ok(new)
    }

    /// Ends the game if it is over; a cube waits for its player.
    fn end_if_over(&mut self) {
        if let Some(cube) = self.players.rules.cube {
            self.players.end_if_over(&cube, &mut self.game);
        } else {
            // Nobody cancels.
            let _ = self.players.end_or_double(&mut self.game);
        }
    }

    /// The position, seen by the player on roll.
    pub fn position(&self) -> &Position {
        &self.game.position
    }

    /// Position, cube and score, seen by the player on roll; `None` in a cubeless rollout.
    pub fn state(&self) -> Option<GameState> {
        let cube = self.players.rules.cube?;
        Some(cube.state(self.game.own_turn, self.game.cube, self.game.position))
    }

    /// Returns whether the player on roll is the one who made the candidate play.
    pub fn own_turn(&self) -> bool {
        self.game.own_turn
    }

    pub fn is_over(&self) -> bool {
        self.game.value.is_some()
    }

    /// Returns whether the player on roll may double, and has not decided about it in this turn.
    pub fn may_double(&self) -> bool {
        let cube = self.players.rules.cube;
        !self.is_over() && cube.is_some_and(|cube| self.players.may_double(&cube, &self.game))
    }

    /// Returns the program's cube decision if the player on roll may double.
    /// With `answering` it is by the evaluator of the player who answers, which may be another one.
    pub fn decision(&mut self, answering: bool) -> Option<CubeDecision> {
        let cube = self.players.rules.cube.filter(|_| self.may_double())?;
        let by_own = self.game.own_turn != answering;
        // Nobody cancels.
        self.players.decide(&cube, &mut self.game, by_own).ok()
    }

    /// The player on roll doubles, and the other answers: takes, passes (which ends the trial) or
    /// beavers. A double that is not possible does nothing.
    pub fn double(&mut self, answer: CubeChoice) {
        if let Some(cube) = self.players.rules.cube.filter(|_| self.may_double()) {
            self.players.double(&cube, &mut self.game, answer);
            self.game.decided = true;
        }
    }

    /// Rolls for the player on roll, who has not doubled if it was possible.
    pub fn roll(&mut self) -> Roll {
        self.game.decided = true;
        let roll = self.dice.roll();
        // Looks up what the luck is measured from; nobody cancels.
        let _ = self.players.roll(&mut self.game, RollSource::Roll(roll));
        roll
    }

    /// Plays `roll`, what [`HandTrial::roll`] gave: to `result`, or as the program likes. The
    /// position after the play, and the luck of the roll for the player who made the candidate
    /// play, in points.
    pub fn play(&mut self, roll: Roll, result: Option<Position>) -> (Position, f64) {
        self.players.log = Some(Vec::new());
        let _ = self.players.play(&mut self.game, roll, result);
        let turn = self.players.log.take().and_then(|mut log| log.pop());
        self.end_if_over();
        turn.map_or((self.game.position, 0.0), |t| (t.result, t.luck))
    }

    /// The record of the trial; `None` until it has ended.
    pub fn record(&self) -> Option<TrialRecord> {
        self.game.value?;
        Some(TrialRecord {
            candidate: 0,
            trial: self.trial,
            outcome: self.game.outcome(self.numbers),
        })
    }
}
