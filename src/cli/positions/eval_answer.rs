//! The answer of `luckless eval` about a position, as data and in words.

mod words;
mod xg;

use serde::Serialize;

use super::eval_book::BookValue;
use crate::cli::common::options::{CubeModel, Id};
use crate::cli::common::output::Cubeful;
use crate::cube::{Cube, CubeChoice, CubeDecision, Model, Window};
use crate::eval::{Evaluator, Probabilities, lookahead};
use crate::game::{GameState, Position, Roll};
use crate::grid::Grid;
use crate::notation::{play_text, position_id};
use crate::rollout::{Level, LevelDecision, LevelValue, Setup};

/// Why a lookahead that may be cancelled always ends here.
const UNCANCELLED: &str = "nothing cancels";

/// Note under plays that are ranked without the cube.
const CUBELESS: &str =
    "cubeless: the cube does not count in these equities; --cubeful ranks with it";

/// Request of an evaluation, the same for each position.
#[derive(Clone, Copy)]
pub(crate) struct EvalRequest<'a> {
    pub(crate) ply: u8,
    /// Rolls the plays out, if asked to.
    pub(crate) roller: Option<(&'a Setup, Level)>,
    pub(crate) top: Option<usize>,
    /// Ranks plays with the cube in money play too.
    pub(crate) cubeful: bool,
    pub(crate) model: &'a Model,
    /// The options that the model was made of.
    pub(crate) given: &'a CubeModel,
}

/// The answer of the machine output.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum EvalDocument {
    Plays(PlaysDocument),
    Position(PositionValue),
}

/// With dice: the plays, best first.
#[derive(Serialize)]
pub(crate) struct PlaysDocument {
    position: String,
    dice: String,
    ply: u8,
    #[serde(flatten)]
    cubeful: Cubeful,
    plays: Vec<PlayValue>,
    /// Plays of this roll in the opening book, best first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    book: Vec<BookValue>,
}

#[derive(Serialize)]
struct PlayValue {
    play: String,
    result: String,
    cubeless_equity: f32,
    /// In a match what it is at the score.
    #[serde(skip)]
    cubeless_at_score: f32,
    /// With cube and score, in points on the present cube (EMG), in a match: what ranks the plays.
    #[serde(skip_serializing_if = "Option::is_none")]
    cubeful_equity: Option<f32>,
    /// Chance to win the match, in a match.
    #[serde(skip_serializing_if = "Option::is_none")]
    mwc: Option<f32>,
    #[serde(flatten)]
    chances: Probabilities,
    /// Plies behind these figures: less than asked for where a play was out of the running. Of a
    /// play that was rolled out, those that put it in the running.
    ply: u8,
    /// Trials of the truncated rollout behind the equity and the chances, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    trials: Option<u64>,
    /// Standard error of the equity from it.
    #[serde(skip_serializing_if = "Option::is_none")]
    se: Option<f64>,
    /// Half the width of its fixed-sample 95% interval.
    #[serde(skip)]
    half_width: Option<f64>,
    /// The chance that it is the best of the plays that were rolled out.
    #[serde(skip)]
    p_best: Option<f64>,
}

/// Without dice: the position, and the cube.
#[derive(Serialize)]
pub(crate) struct PositionValue {
    position: String,
    ply: u8,
    cubeless_equity: f32,
    /// In a match what it is at the score, for who rolls next.
    #[serde(skip)]
    cubeless_at_score: f32,
    #[serde(flatten)]
    chances: Probabilities,
    cube: Option<CubeValue>,
    /// Trials of the truncated rollouts behind the decision, if there were any.
    #[serde(skip_serializing_if = "Option::is_none")]
    trials: Option<u64>,
    /// Standard errors from them: without a double, and after a double and a take.
    #[serde(skip_serializing_if = "Option::is_none")]
    se: Option<[f64; 2]>,
    /// Further figures of the rollouts.
    #[serde(skip)]
    rolled: Option<RolledCube>,
    /// When a double has been offered: what to say to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<&'static str>,
}

/// Rollouts of a cube decision, for the player who rolls next: without a double, and after a double and a take.
#[derive(Clone, Copy)]
struct RolledCube {
    chances: [Probabilities; 2],
    /// Half the widths of the fixed-sample 95% intervals.
    half_widths: [f64; 2],
}

/// The cube decision and what follows from it.
#[derive(Serialize)]
struct CubeValue {
    #[serde(flatten)]
    decision: CubeDecision,
    /// Equity after a double that is beavered, where that is the right answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    double_beaver: Option<f32>,
    /// Cost of each choice against the best one, if doubling is possible.
    errors: Option<CubeErrors>,
    /// How near the double is to being passed, where doubling is possible.
    market: Option<MarketValue>,
    /// The values are exact: a bearoff of few checkers.
    exact: bool,
}

#[derive(Clone, Copy, Serialize)]
struct CubeErrors {
    no_double: f32,
    double: f32,
    take: f32,
    pass: f32,
}

#[derive(Clone, Copy, Serialize)]
struct MarketValue {
    /// Chances to win from which a double gains, is passed, and is too good.
    window: Option<Window>,
    /// Rolls that lose the market, of the 21 and of the 36.
    losing_rolls: u32,
    losing_rolls_of_36: u32,
    volatility: f32,
}

impl EvalRequest<'_> {
    /// The answer for one position, or why there is none.
    pub(crate) fn answer(
        self,
        evaluator: &dyn Evaluator,
        id: &Id,
        dice: Option<Roll>,
    ) -> Result<EvalDocument, String> {
        self.given
            .agrees_with(&id.state)
            .map_err(|error| error.to_string())?;
        match id.roll(dice) {
            Some(roll) => self.plays(evaluator, id, roll).map(EvalDocument::Plays),
            None => Ok(EvalDocument::Position(self.position(evaluator, id))),
        }
    }

    fn plays(
        self,
        evaluator: &dyn Evaluator,
        id: &Id,
        roll: Roll,
    ) -> Result<PlaysDocument, String> {
        if id.state.position.is_over() {
            return Err("the game is over: there is no roll to play".to_owned());
        }
        if id.state.doubled {
            return Err("a double must be answered before the roll".to_owned());
        }
        let cubeful = self.cubeful || !id.state.score.is_money();
        let plays = self.ranked(evaluator, id, roll, cubeful).into_iter();
        let plays = plays.map(|play| PlayValue {
            cubeless_at_score: match cubeful {
                true => self.cubeless(&id.state, &play.chances),
                false => play.cubeless_equity,
            },
            ..play
        });
        let note = (!cubeful).then_some(CUBELESS);
        Ok(PlaysDocument {
            cubeful: Cubeful::new(note.is_none(), note),
            position: id.text.clone(),
            dice: roll.to_string(),
            ply: self.ply,
            plays: plays.take(self.top.unwrap_or(usize::MAX)).collect(),
            // The book has the cube.
            book: match note {
                None => BookValue::all(&id.state, roll),
                Some(_) => Vec::new(),
            },
        })
    }

    /// All plays of a roll, best first, by the level or the depth that is asked for.
    fn ranked(
        self,
        evaluator: &dyn Evaluator,
        id: &Id,
        roll: Roll,
        cubeful: bool,
    ) -> Vec<PlayValue> {
        let (state, never) = (&id.state, || false);
        let all = match self.roller {
            Some((setup, level)) => level.analyse(setup, state, roll, cubeful, &never),
            None => {
                let model = cubeful.then_some(self.model);
                LevelValue::all(evaluator, model, state, roll, self.ply, &never)
            }
        };
        all.expect(UNCANCELLED)
            .iter()
            .map(|one| PlayValue::new(&state.position, one))
            .collect()
    }

    fn position(self, evaluator: &dyn Evaluator, id: &Id) -> PositionValue {
        // The player who has been doubled decides, but the doubler rolls next.
        let doubled = id.state.doubled;
        let roller = id.state.roller();
        let over = roller.position.is_over();
        let decided = (!over).then(|| self.decide(evaluator, &id.state)).flatten();
        // The chances behind the decision: at a score the best plays are others than for money.
        let chances = match &decided {
            Some(decided) => decided.chances,
            None => lookahead::evaluate(evaluator, &roller.position, self.ply, &|| false)
                .expect(UNCANCELLED),
        };
        let rolled = decided.as_ref().and_then(|decided| decided.rolled);
        let rolled_chances = decided.as_ref().and_then(|decided| decided.rolled_chances);
        let cube = decided.map(|decided| self.cube(evaluator, &roller, &decided));
        let seen = if doubled { chances.flipped() } else { chances };
        PositionValue {
            position: id.text.clone(),
            ply: self.ply,
            cubeless_equity: seen.equity(),
            cubeless_at_score: self.cubeless(&roller, &chances),
            chances: seen,
            trials: rolled.map(|rolled| rolled[0].trials),
            se: rolled.map(|rolled| rolled.map(|one| one.se)),
            rolled: rolled
                .zip(rolled_chances)
                .map(|(rolled, chances)| RolledCube {
                    chances,
                    half_widths: rolled.map(|one| one.half_width),
                }),
            answer: cube
                .as_ref()
                .filter(|_| doubled)
                .and_then(|c| c.decision.answer())
                .map(CubeChoice::name),
            cube,
        }
    }

    /// Returns the value of these chances without a cube, at the score.
    fn cubeless(self, state: &GameState, chances: &Probabilities) -> f32 {
        match state.score.is_money() {
            true => chances.equity(),
            false => (self.model.context(state)).cubeless_points(Cube::of(state), chances),
        }
    }

    fn decide(self, evaluator: &dyn Evaluator, asked: &GameState) -> Option<LevelDecision> {
        if let Some((setup, level)) = self.roller {
            return level.decide(setup, asked, &|| false);
        }
        let never = || false;
        let found = (self.model).decide_with_chances(evaluator, asked, self.ply, &never);
        found.map(|(decision, chances)| LevelDecision::looked_ahead(decision, chances))
    }

    /// Returns the cube values that follow from the decision of the player who rolls next.
    fn cube(
        self,
        evaluator: &dyn Evaluator,
        state: &GameState,
        decided: &LevelDecision,
    ) -> CubeValue {
        let model = self.model;
        let (decision, chances) = (decided.decision, &decided.chances);
        let error = |choice| decision.error(choice);
        let errors = error(CubeChoice::Double).map(|double| CubeErrors {
            no_double: error(CubeChoice::NoDouble).unwrap_or_default(),
            double,
            take: error(CubeChoice::Take).unwrap_or_default(),
            pass: error(CubeChoice::Pass).unwrap_or_default(),
        });
        let market = model.market(evaluator, state).map(|market| {
            let (losing_rolls, losing_rolls_of_36) = market.losers();
            MarketValue {
                window: model.window_beside(&decision, state, chances),
                losing_rolls,
                losing_rolls_of_36,
                volatility: market.volatility,
            }
        });
        CubeValue {
            decision,
            double_beaver: decision.beavered(),
            errors,
            market,
            exact: model.is_exact(state),
        }
    }
}

impl PlayValue {
    fn new(position: &Position, analysed: &LevelValue) -> Self {
        let c = &analysed.candidate;
        Self {
            play: play_text(position, &c.play),
            result: position_id(&c.result),
            cubeless_equity: c.equity,
            cubeless_at_score: c.equity,
            cubeful_equity: analysed.cubeful,
            mwc: analysed.mwc,
            chances: c.probabilities,
            ply: c.ply,
            trials: analysed.rolled.map(|r| r.trials),
            se: analysed.rolled.map(|r| r.se),
            half_width: analysed.rolled.map(|r| r.half_width),
            p_best: analysed.rolled.map(|r| r.p_best),
        }
    }
}

impl EvalDocument {
    /// The answer in words; `table` says by which match equity table, where there is something to say.
    pub(crate) fn to_text(&self, state: &GameState, table: &str) -> String {
        match self {
            Self::Plays(plays) => plays.to_text(state, table),
            Self::Position(value) => value.to_text(state, table),
        }
    }

    /// The figures of plays as a table; of a position there are words.
    pub(crate) fn plays(&self) -> Option<Grid> {
        match self {
            Self::Plays(plays) => Some(plays.table()),
            Self::Position(_) => None,
        }
    }
}
