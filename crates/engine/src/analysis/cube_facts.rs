//! Facts about one cube decision: the equities of the actions, the distance to the market, and the market
//! losers. Also the values of owning the cube, of gammons, and of the opponent's errors.

use serde::Serialize;

use super::cubeless::CubelessEquities;
use super::effective_pips::EffectivePips;
use crate::cube::ties::MARGIN;
use crate::cube::{Cube, CubeContext, CubeDecision, CubefulValues, Market, Model, Window};
use crate::eval::{Evaluator, Probabilities};
use crate::game::roll::DISTINCT;
use crate::game::{CubeOwner, GameState};

/// Facts about a cube decision, seen by the player who may double.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CubeFacts {
    /// Plies of lookahead of the decision and the chances.
    pub ply: u8,
    /// The equities of the actions, and the best one.
    pub decision: CubeDecision,
    /// Cubeless chances of the player who may double.
    #[serde(flatten)]
    pub chances: Probabilities,
    /// Equities with a dead cube, without and after a double.
    pub cubeless: CubelessEquities,
    /// The range of winning chances in which to double, at the present shares of gammons:
    /// [`Model::window_beside`].
    pub window: Option<Window>,
    /// The opponent's take point, at the present shares of gammons.
    pub take_point: Option<TakePoint>,
    /// The gammon value on the present cube: the gain of a gammon over a win, divided by the gain of a win
    /// over a loss. For the player who may double, and for the opponent.
    #[serde(skip)]
    pub gammon_values: [f32; 2],
    /// The value for the opponent of owning the doubled cube, in points of the present cube (EMG in a match).
    /// It is double/take with a dead cube minus double/take with a live one. `None` if the opponent cannot
    /// use that cube: the difference would only show approximations of the model. `None` too if it would be
    /// negative, since no cube is. Under the Jacoby rule the chances before a double are those of games in
    /// which gammons do not count.
    pub recube_vig: Option<f32>,
    /// Rolls that lose the market, and the volatility.
    #[serde(skip)]
    pub market: Option<Market>,
    /// For each of [`Roll::ALL`](crate::game::Roll::ALL), how many of the opponent's 36 replies lead to a
    /// position in which a double would be passed. In total there are 1,296 sequences.
    #[serde(skip)]
    pub sequences: Option<[u32; DISTINCT]>,
    /// Effective pip counts of the player who may double and of the opponent, if both have all checkers at
    /// home.
    #[serde(skip)]
    pub effective_pips: Option<[EffectivePips; 2]>,
}

/// The minimum winning chance for a take.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TakePoint {
    /// With a dead cube.
    pub dead: f32,
    /// With a live cube: redoubled at the perfect moment.
    pub live: f32,
}

impl TakePoint {
    /// Returns the take point of the player on roll in `values`, for a double from `level`.
    pub(super) fn of(values: &CubefulValues<'_>, level: u8) -> Option<Self> {
        Some(Self {
            dead: values.dead_take_point(level)?,
            live: values.live_take_point(level)?,
        })
    }
}

/// The share of wrong answers at which a wrong double breaks even.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ErrorNeeded {
    /// The share of takes that the opponent must pass.
    Passes(f32),
    /// The share of passes that the opponent must take.
    Takes(f32),
}

impl CubeFacts {
    /// Analyses the decision of the player on roll of `state` at `ply` plies, or that of the doubler if a
    /// double is pending. Market losers are computed without lookahead. `None` if `cancelled` returned true,
    /// or if the game is over.
    pub fn new(
        evaluator: &dyn Evaluator,
        model: &Model,
        state: &GameState,
        ply: u8,
        cancelled: &dyn Fn() -> bool,
    ) -> Option<Self> {
        if state.position.is_over() {
            return None;
        }
        let roller = state.roller();
        let market = model.market(evaluator, &roller);
        let sequences = model.market_sequences(evaluator, &roller, cancelled);
        Self::with_market(evaluator, model, state, ply, market, sequences, cancelled)
    }

    /// Returns these facts at another depth. Market losers do not depend on it.
    pub fn at_ply(
        &self,
        evaluator: &dyn Evaluator,
        model: &Model,
        state: &GameState,
        ply: u8,
        cancelled: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let (market, sequences) = (self.market, self.sequences);
        Self::with_market(evaluator, model, state, ply, market, sequences, cancelled)
    }

    fn with_market(
        evaluator: &dyn Evaluator,
        model: &Model,
        state: &GameState,
        ply: u8,
        market: Option<Market>,
        sequences: Option<[u32; DISTINCT]>,
        cancelled: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let (decision, chances) = model.decide_with_chances(evaluator, state, ply, cancelled)?;
        let state = &state.roller();
        let [own, other] = model.contexts(state);
        let cube = Cube::of(state);
        let may = state.may_double() && own.may_double(cube);
        Some(Self {
            ply,
            decision,
            chances,
            cubeless: CubelessEquities::new(&own, state, [&chances; 2]),
            window: model.window_beside(&decision, state, &chances),
            take_point: may
                .then(|| take_point(model, &other, state, &chances))
                .flatten(),
            gammon_values: match state.counts_gammons() {
                true => [&own, &other].map(|context| context.gammon_value(cube.level, 2)),
                false => [0.0; 2],
            },
            recube_vig: (decision.double_take)
                .filter(|_| may && may_redouble(&other, cube))
                .map(|taken| own.to_points(cube.level, own.dead(cube.doubled(), &chances)) - taken)
                .filter(|vig| *vig > -MARGIN)
                .map(|vig| vig.max(0.0)),
            market,
            sequences,
            effective_pips: EffectivePips::of(&state.position),
        })
    }

    /// Returns how many of the 1,296 pairs of rolls lose the market; `None` if a double is impossible.
    pub fn losing_sequences(&self) -> Option<u32> {
        let sequences = self.sequences?;
        let rolls = crate::game::Roll::ALL.iter().zip(sequences);
        Some(rolls.map(|(roll, replies)| roll.weight() * replies).sum())
    }

    /// Returns how often the opponent must err for the doubler's second-best action to equal the best: `None`
    /// if errors cannot help.
    pub fn error_needed(&self) -> Option<ErrorNeeded> {
        ErrorNeeded::of(&self.decision)
    }
}

impl ErrorNeeded {
    /// See [`CubeFacts::error_needed`].
    pub fn of(decision: &CubeDecision) -> Option<Self> {
        let no_double = decision.no_double;
        // A beaver replaces the take if it is better for the opponent.
        let take = decision.beavered().or(decision.double_take)?;
        let pass = decision.double_pass?;
        // A double has the lower of both equities with the best answer. On a tie the double is right.
        if decision.action.doubles() || no_double <= take.min(pass) {
            return None;
        }
        let needed = |right: f32, wrong: f32| (no_double - right) / (wrong - right);
        match take <= pass {
            true if pass > no_double => Some(Self::Passes(needed(take, pass))),
            false if take > no_double => Some(Self::Takes(needed(pass, take))),
            _ => None,
        }
    }
}

/// Returns a remark if the score or the cube alone decides about the double of the player on roll.
pub fn cube_rule(state: &GameState) -> Option<&'static str> {
    if state.score.crawford {
        return Some("Crawford game: nobody doubles");
    }
    if state.owner == CubeOwner::Opponent {
        return Some("the opponent owns the cube");
    }
    match state.score.away()? {
        (mine, _) if mine <= 1 => Some("one point is enough: no use for a cube"),
        (mine, _) if state.cube >= u32::from(mine) => {
            Some("the cube is dead: a win ends the match")
        }
        (mine, 1) if state.cube == 1 && mine % 2 == 0 => Some(match state.rules.no_crawford {
            true => "an even number to go: the opponent may pass for free if behind",
            false => {
                "after Crawford, an even number to go: the opponent may pass for free if behind"
            }
        }),
        (_, 1) if !state.rules.no_crawford => Some(
            "after Crawford: a loss ends the match anyway, so a double costs nothing but gammons that a pass denies",
        ),
        (_, theirs) if state.cube >= u32::from(theirs) => Some(
            "a loss ends the match anyway: a double costs nothing but gammons that a pass denies",
        ),
        _ => None,
    }
}

/// Returns whether the opponent, whose context this is, can use the cube after a double and a take.
fn may_redouble(context: &CubeContext, cube: Cube) -> bool {
    context.may_double(Cube {
        owner: CubeOwner::Mover,
        ..cube.doubled()
    })
}

/// Returns the take point of the opponent, whose context this is.
fn take_point(
    model: &Model,
    context: &CubeContext,
    state: &GameState,
    chances: &Probabilities,
) -> Option<TakePoint> {
    let position = state.position.flipped();
    let level = Cube::of(state).level;
    let values = model.cubeful_values(context, &position, &chances.flipped(), level);
    TakePoint::of(&values, level)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::CubeAction;
    use crate::eval::Engine;
    use crate::game::Position;
    use crate::notation::parse_id;

    fn facts(state: &GameState) -> CubeFacts {
        let engine = Engine::embedded();
        CubeFacts::new(&engine, Model::standard(), state, 0, &|| false).unwrap()
    }

    /// A symmetric race for money has no gammons: the dead take point is 0.25, the live one 0.2.
    #[test]
    fn take_points_of_a_race_are_the_known_ones() {
        let side = [(6, 3), (5, 3), (4, 3), (3, 3), (2, 3)];
        let position = Position::from_points(&side, &side).unwrap();
        let facts = facts(&GameState::money(position));
        let take = facts.take_point.unwrap();
        assert!(
            (take.dead - 0.25).abs() < 1e-3 && (take.live - 0.2).abs() < 1e-3,
            "{take:?}"
        );
        assert_eq!(facts.gammon_values, [0.5, 0.5]);
        // A cube never costs its owner anything.
        assert!(facts.recube_vig.unwrap() > 0.0);
    }

    /// One checker on the six point against one on the ace point: 27 of 36 rolls win. After the others there
    /// is no reply, so only the winning rolls lose the market.
    #[test]
    fn a_last_roll_has_no_second_chance() {
        let position = Position::from_points(&[(6, 1)], &[(1, 1)]).unwrap();
        let facts = facts(&GameState::money(position));
        assert_eq!(facts.losing_sequences(), Some(27 * 36));
        // A dead cube has no value.
        assert!(
            facts.recube_vig.unwrap().abs() < 1e-5,
            "{:?}",
            facts.recube_vig
        );
    }

    /// At 5-away 3-away the taker of a cube of 4 plays for the match, so it is never turned again.
    #[test]
    fn a_cube_that_is_dead_for_the_taker_has_no_vig() {
        let mut state = GameState::money(Position::opening());
        (state.cube, state.owner) = (2, CubeOwner::Mover);
        state.score.length = 7;
        (state.score.mover, state.score.opponent) = (2, 4);
        let dead = facts(&state);
        let take = dead.take_point.unwrap();
        assert!((take.dead - take.live).abs() < 1e-4, "{take:?}");
        assert_eq!(dead.recube_vig, None);
        // If the taker needs one point more, a redouble is possible.
        state.score.opponent = 2;
        let live = facts(&state);
        let take = live.take_point.unwrap();
        assert!(take.live < take.dead, "{take:?}");
        assert!(live.recube_vig.unwrap() > 0.0);
    }

    /// While a double is pending the figures are the doubler's.
    #[test]
    fn effective_pips_are_those_of_the_doubler_first() {
        let position = Position::from_points(&[(1, 10)], &[(2, 7)]).unwrap();
        let state = GameState::money(position);
        for state in [state, state.offered()] {
            let pips = facts(&state).effective_pips.unwrap().map(|side| side.pips);
            assert_eq!(pips, [10, 14]);
        }
        let opening = facts(&GameState::money(Position::opening()));
        assert_eq!(opening.effective_pips, None);
    }

    #[test]
    fn errors_make_up_for_a_wrong_double() {
        let position = Position::opening();
        let mut facts = facts(&GameState::money(position));
        let Some(ErrorNeeded::Passes(share)) = facts.error_needed() else {
            panic!("{:?}", facts.decision);
        };
        let CubeDecision {
            no_double,
            double_take,
            double_pass,
            ..
        } = facts.decision;
        let mixed = share * double_pass.unwrap() + (1.0 - share) * double_take.unwrap();
        assert!((mixed - no_double).abs() < 1e-5);
        // Too good: the double needs a wrong take.
        facts.decision.no_double = 1.2;
        facts.decision.double_take = Some(1.6);
        let Some(ErrorNeeded::Takes(share)) = facts.error_needed() else {
            panic!("{:?}", facts.error_needed());
        };
        assert!((share - 1.0 / 3.0).abs() < 1e-5);
        // A right double needs no error.
        facts.decision.no_double = 0.5;
        assert_eq!(facts.error_needed(), None);
    }

    /// If both actions are equal the double is right and needs no error.
    #[test]
    fn a_double_as_good_as_none_needs_no_error() {
        let tie = CubeDecision::in_points(1.000_05, 3.8, false);
        assert_eq!(tie.action, CubeAction::DoublePass);
        assert_eq!(ErrorNeeded::of(&tie), None);
        let worse = CubeDecision::in_points(1.001, 3.8, false);
        assert!(matches!(ErrorNeeded::of(&worse), Some(ErrorNeeded::Takes(share)) if share > 0.0));
    }

    /// Under the Jacoby rule the plays before a double ignore gammons.
    #[test]
    fn no_cube_is_worth_less_than_nothing_to_its_owner() {
        let engine = Engine::embedded();
        let vig = |jacoby: u8| {
            let id = format!("XGID=b--aBBC-C---dC---c-e----B-:0:0:1:00:0:0:{jacoby}:0:10");
            let state = parse_id(&id).unwrap();
            let facts = CubeFacts::new(&engine, Model::standard(), &state, 1, &|| false).unwrap();
            facts.recube_vig
        };
        assert!(vig(0).unwrap() > 0.1);
        assert_eq!(vig(1), None);
    }

    #[test]
    fn deepening_equals_a_start_at_that_depth() {
        let engine = Engine::embedded();
        let state = GameState::money(Position::opening());
        let at = |ply| CubeFacts::new(&engine, Model::standard(), &state, ply, &|| false).unwrap();
        let deeper = at(0).at_ply(&engine, Model::standard(), &state, 1, &|| false);
        assert_eq!(deeper, Some(at(1)));
    }

    #[test]
    fn beavers_the_jacoby_rule_and_dead_cubes_count() {
        let mut state = GameState::money(Position::opening());
        state.rules.beavers = true;
        let beaver = facts(&state);
        let CubeDecision {
            no_double,
            double_take: Some(take),
            ..
        } = beaver.decision
        else {
            panic!("{:?}", beaver.decision);
        };
        assert!(beaver.decision.is_beavered());
        let needed = (no_double - 2.0 * take) / (1.0 - 2.0 * take);
        assert_eq!(beaver.error_needed(), Some(ErrorNeeded::Passes(needed)));
        state.rules.jacoby = true;
        assert_eq!(facts(&state).gammon_values, [0.0; 2]);
        let mut dead = GameState::money(Position::opening());
        (dead.cube, dead.owner) = (2, CubeOwner::Mover);
        dead.score.length = 7;
        (dead.score.mover, dead.score.opponent) = (5, 6);
        assert_eq!(
            cube_rule(&dead),
            Some("the cube is dead: a win ends the match")
        );
    }

    #[test]
    fn a_player_without_the_cube_has_neither_market_nor_take_point() {
        let state = GameState {
            cube: 2,
            owner: crate::game::CubeOwner::Opponent,
            ..GameState::money(Position::opening())
        };
        let facts = facts(&state);
        assert!(facts.market.is_none() && facts.take_point.is_none() && facts.window.is_none());
        assert!(facts.recube_vig.is_none() && facts.sequences.is_none());
    }
}
