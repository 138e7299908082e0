//! Computes the opening book: rolls out each play at 1-ply with the cube to a given precision.
//!
//! The *number of trials* is fixed in advance, for a fixed-sample interval. A first rollout of [`FIRST_TRIALS`]
//! estimates the variance of a trial. The play is then rolled out with the number of trials that this variance
//! requires (Stein's two stages, 1945). The second rollout repeats the trials of the first. Plays of one roll have
//! the same dice.

use crate::analysis::opening_book::{BookLine, BookPlay, OpeningContext};
use crate::cube::Model;
use crate::eval::{CandidateFilter, Evaluator};
use crate::game::roll::DISTINCT;
use crate::game::{Position, Roll};
use crate::notation::play_text;
use crate::rollout::{
    CubeSettings, RolloutError, RolloutPreset, Settings, Setup, StopRules, run_blocking,
};
use crate::stats::interval::NORMAL_975;

/// Number of trials of the first stage; the second has a multiple of it.
pub const FIRST_TRIALS: u64 = 1296;
/// Search depth for finding plays.
const SEEN: u8 = 2;

/// A roll to be played in an opening.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    /// The type of game or score.
    pub context: OpeningContext,
    /// The first move, if this is a reply.
    pub before: Option<(Roll, String)>,
    pub position: Position,
    pub roll: Roll,
}

/// Returns the fifteen first rolls of every context.
pub fn first_moves() -> Vec<Opening> {
    let of = |context| {
        let rolls = Roll::ALL.into_iter().filter(|roll| !roll.is_double());
        rolls.map(move |roll| Opening {
            context,
            before: None,
            position: Position::opening(),
            roll,
        })
    };
    OpeningContext::ALL.into_iter().flat_map(of).collect()
}

/// Returns all money replies to the book's best first move of each roll.
pub fn replies(book: &[BookLine]) -> Vec<Opening> {
    let mut all = Vec::with_capacity(15 * DISTINCT);
    for first in Roll::ALL.into_iter().filter(|roll| !roll.is_double()) {
        let firsts = book.iter().filter(|line| {
            line.before.is_none() && line.roll == first && line.context == OpeningContext::Money
        });
        let best = firsts.max_by(|a, b| a.value.equity.total_cmp(&b.value.equity));
        all.extend(best.into_iter().flat_map(|line| {
            Roll::ALL.map(|roll| Opening {
                context: OpeningContext::Money,
                before: Some((first, line.play.clone())),
                position: line.value.result,
                roll,
            })
        }));
    }
    all
}

impl Opening {
    /// Returns the plays that lookahead rates at most `margin` points below the best.
    pub fn plays(&self, evaluator: &dyn Evaluator, margin: f32) -> Vec<(String, Position)> {
        let state = self.context.state(self.position, self.roll);
        let filter = CandidateFilter {
            most: 12,
            within: 0.2,
        };
        let model = Model::standard();
        let found = model.candidates(evaluator, &state, self.roll, SEEN, filter, &|| false);
        let found = found.unwrap_or_default();
        let best = found.first().map_or(0.0, |best| best.cubeful);
        let near = found.iter().filter(|c| c.cubeful >= best - margin);
        near.map(|c| {
            let text = play_text(&self.position, &c.candidate.play);
            (text, c.candidate.result)
        })
        .collect()
    }

    /// Rolls a play out until the half-width of its interval is `half_width`.
    ///
    /// # Errors
    /// A [`RolloutError`] for invalid settings.
    pub fn roll_out(
        &self,
        setup: &Setup,
        play: &str,
        result: Position,
        half_width: f64,
    ) -> Result<BookLine, RolloutError> {
        let state = self.context.state(self.position, self.roll);
        let mut settings = Settings {
            cube: Some(CubeSettings::after_play(&state)),
            ..Settings::default()
        };
        RolloutPreset::STANDARD.apply(&mut settings, 1);
        let mut run = |trials: u64| {
            settings.stop = StopRules {
                trials,
                ..StopRules::default()
            };
            run_blocking(setup, &[result], &settings, &mut |_| true)
        };
        let wanted = half_width / NORMAL_975;
        let first = run(FIRST_TRIALS)?.candidates[0].equity.se;
        let blocks = (first / wanted).powi(2).ceil().clamp(1.0, 1e4);
        let rolled = run(blocks as u64 * FIRST_TRIALS)?;
        let rolled = &rolled.candidates[0];
        Ok(BookLine {
            context: self.context,
            before: self.before.clone(),
            roll: self.roll,
            play: play.to_owned(),
            position: self.position,
            value: BookPlay {
                result,
                equity: rolled.equity.mean,
                se: rolled.equity.se,
                trials: rolled.trials,
            },
        })
    }
}
