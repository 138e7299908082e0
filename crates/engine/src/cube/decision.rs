//! A cube decision: the equity of each action, the best one, and the cost of the others.

use serde::{Deserialize, Serialize};

use super::context::{Cube, CubeContext};
use super::cubeful_values::{CubeActionValues, doubled, exceeds, is_beavered};
use crate::game::{CubeOwner, GameState, Rules};

/// The best cube action of the player on roll, and the best answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CubeAction {
    /// Roll; a double would be taken (or is not possible).
    #[serde(rename = "no double")]
    NoDouble,
    /// Double; the opponent takes.
    #[serde(rename = "double/take")]
    DoubleTake,
    /// Double; the opponent passes.
    #[serde(rename = "double/pass")]
    DoublePass,
    /// Play on for the gammon; a double would be taken.
    #[serde(rename = "too good/take")]
    TooGoodTake,
    /// Play on for the gammon; a double would be passed.
    #[serde(rename = "too good/pass")]
    TooGoodPass,
    /// Roll; a double would be beavered.
    #[serde(rename = "no double/beaver", alias = "beaver")]
    NoDoubleBeaver,
    /// Double although the opponent beavers: under the Jacoby rule gammons count only after a double.
    #[serde(rename = "double/beaver")]
    DoubleBeaver,
}

impl CubeAction {
    pub const ALL: [Self; 7] = [
        Self::NoDouble,
        Self::DoubleTake,
        Self::DoublePass,
        Self::TooGoodTake,
        Self::TooGoodPass,
        Self::NoDoubleBeaver,
        Self::DoubleBeaver,
    ];

    /// Returns whether the action is to play on for a gammon.
    pub fn is_too_good(self) -> bool {
        matches!(self, Self::TooGoodTake | Self::TooGoodPass)
    }

    /// Returns the name, as in the machine output.
    pub fn name(self) -> &'static str {
        match self {
            Self::NoDouble => "no double",
            Self::DoubleTake => "double/take",
            Self::DoublePass => "double/pass",
            Self::TooGoodTake => "too good/take",
            Self::TooGoodPass => "too good/pass",
            Self::NoDoubleBeaver => "no double/beaver",
            Self::DoubleBeaver => "double/beaver",
        }
    }

    /// Returns an abbreviation of two or three letters, for tables.
    pub fn short_name(self) -> &'static str {
        match self {
            Self::NoDouble => "ND",
            Self::DoubleTake => "D/T",
            Self::DoublePass => "D/P",
            Self::TooGoodTake => "TGT",
            Self::TooGoodPass => "TGP",
            Self::NoDoubleBeaver => "N/B",
            Self::DoubleBeaver => "D/B",
        }
    }

    /// Returns the choice of the player who may double.
    pub fn choice(self) -> CubeChoice {
        match self.doubles() {
            true => CubeChoice::Double,
            false => CubeChoice::NoDouble,
        }
    }

    /// Returns whether the player on roll should double.
    pub fn doubles(self) -> bool {
        matches!(
            self,
            Self::DoubleTake | Self::DoublePass | Self::DoubleBeaver
        )
    }

    /// Returns whether a double would be passed: the market is already lost.
    pub fn is_passed(self) -> bool {
        matches!(self, Self::DoublePass | Self::TooGoodPass)
    }
}

/// A player's choice about the cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CubeChoice {
    /// Roll without doubling.
    NoDouble,
    Double,
    Take,
    Pass,
    /// Redouble at once and keep the cube.
    Beaver,
}

impl CubeChoice {
    pub const ALL: [Self; 5] = [
        Self::NoDouble,
        Self::Double,
        Self::Take,
        Self::Pass,
        Self::Beaver,
    ];

    /// Returns the choice with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|choice| choice.name() == name)
    }

    /// Returns the name, as in the machine output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoDouble => "no double",
            Self::Double => "double",
            Self::Take => "take",
            Self::Pass => "pass",
            Self::Beaver => "beaver",
        }
    }
}

/// Converts the machine name of a cube action or choice to players' words in `state`: doubling one's own cube
/// is a redouble.
pub fn cube_words<'a>(name: &'a str, state: &GameState) -> &'a str {
    if state.roller().owner != CubeOwner::Mover {
        return name;
    }
    match name {
        "no double" => "no redouble",
        "double" => "redouble",
        "double/take" => "redouble/take",
        "double/pass" => "redouble/pass",
        "no double/beaver" => "no redouble/beaver",
        "double/beaver" => "redouble/beaver",
        name => name,
    }
}

/// Match winning chances with each action.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchChances {
    /// With the best cube action by both.
    pub cubeful: f32,
    /// Rolling without a double.
    pub no_double: f32,
    /// After a double and a take.
    pub double_take: Option<f32>,
    /// After a double and a pass.
    pub double_pass: Option<f32>,
    /// Value of one point of the present cube.
    pub point: f32,
}

/// A cube decision: equities of the player on roll in points of the present cube, normalised to money in a
/// match (EMG; see [`CubeContext`]).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CubeDecision {
    /// With the best cube action by both.
    pub cubeful_equity: f32,
    /// Rolling without a double.
    pub no_double: f32,
    /// After a double and a take (without a beaver); `None` if a double is impossible.
    pub double_take: Option<f32>,
    /// After a double and a pass: 1; `None` if a double is impossible.
    pub double_pass: Option<f32>,
    pub action: CubeAction,
    /// The values as match winning chances, in a match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mwc: Option<MatchChances>,
    /// A double with negative equity is beavered.
    #[serde(skip)]
    beavers: bool,
}

impl CubeDecision {
    /// Creates the decision at `cube` from the value of each action.
    ///
    /// The comparisons are the rules of the game: double if that is worth more with the best answer; take if
    /// it costs less than passing. If two actions are equal, the decision is to double, because waiting gains
    /// nothing.
    pub fn new(context: &CubeContext, cube: Cube, values: &CubeActionValues) -> Self {
        let points = |value| context.to_points(cube.level, value);
        let no_double = points(values.no_double);
        let double_take = values.double_take.map(points);
        // Rounding may slightly exceed certainty.
        let chance = |value: f32| value.clamp(0.0, 1.0);
        let mwc = (!context.is_money()).then(|| MatchChances {
            cubeful: chance(values.best()),
            no_double: chance(values.no_double),
            double_take: values.double_take.map(chance),
            double_pass: values.double_take.map(|_| chance(values.double_pass)),
            point: context.point_value(cube.level),
        });
        let mut decision = Self {
            cubeful_equity: no_double,
            no_double,
            double_take,
            double_pass: double_take.map(|_| PASS),
            action: double_take.map_or(CubeAction::NoDouble, |take| {
                best_action(no_double, take, values.beavers)
            }),
            mwc,
            beavers: values.beavers,
        };
        if let Some(doubled) = decision.doubled() {
            decision.cubeful_equity = no_double.max(doubled);
        }
        decision
    }

    /// Creates the decision from equities in points of the present cube, at any score, such as the results of
    /// a rollout.
    pub fn in_points(no_double: f32, double_take: f32, beavers: bool) -> Self {
        let context = CubeContext::money(Rules {
            jacoby: false,
            beavers,
            ..Rules::default()
        });
        let values = CubeActionValues {
            no_double,
            double_take: Some(double_take),
            double_pass: PASS,
            beavers,
        };
        Self::new(&context, Cube::CENTRED, &values)
    }

    /// Returns a stored decision, which lacks the rule about beavers, with that rule: with `beavers` the best
    /// action is determined again.
    pub fn with_beavers(self, beavers: bool) -> Self {
        let of_beavers = |take| best_action(self.no_double, take, true);
        let action = match self.double_take.filter(|_| beavers) {
            Some(take) => of_beavers(take),
            None => self.action,
        };
        Self {
            beavers,
            action,
            ..self
        }
    }

    /// Returns the equity of a double for the player on roll with the best answer, in points of the present
    /// cube; `None` if a double is impossible.
    pub fn doubled(&self) -> Option<f32> {
        let take = self.double_take?;
        Some(doubled(take, PASS, self.beavers))
    }

    /// Returns the equity after a double and a beaver, if the beaver is the best answer.
    pub fn beavered(&self) -> Option<f32> {
        self.doubled().filter(|_| self.is_beavered())
    }

    /// Returns the equities of the possible actions with their names in the machine output; that of a beaver
    /// only if it is the best answer.
    pub fn named_equities(&self) -> impl Iterator<Item = (&'static str, f32)> {
        let all = [
            ("no double", Some(self.no_double)),
            ("double/take", self.double_take),
            ("double/beaver", self.beavered()),
            ("double/pass", self.double_pass),
        ];
        let possible = |(name, equity): (_, Option<f32>)| Some((name, equity?));
        all.into_iter().filter_map(possible)
    }

    /// Returns whether the rules allow beavers.
    pub fn allows_beavers(&self) -> bool {
        self.beavers
    }

    /// Returns whether the best answer to a double is a beaver.
    pub fn is_beavered(&self) -> bool {
        let take = self.double_take;
        take.is_some_and(|take| is_beavered(take, self.beavers))
    }

    /// Returns the best answer to a double, if a double is possible.
    pub fn answer(&self) -> Option<CubeChoice> {
        let take = self.double_take?;
        Some(if self.is_beavered() {
            CubeChoice::Beaver
        } else if take >= PASS {
            CubeChoice::Pass
        } else {
            CubeChoice::Take
        })
    }

    /// Returns the best choice of the player to decide: the answer if a double `is_offered`, otherwise
    /// whether to double.
    pub fn right_choice(&self, is_offered: bool) -> Option<CubeChoice> {
        match is_offered {
            true => self.answer(),
            false => Some(self.action.choice()),
        }
    }

    /// Returns the cost of `choice` compared with the best one, in points, never negative; `None` if a double
    /// is impossible. A beaver has a cost even if the rules forbid it, because a file may contain one.
    pub fn error(&self, choice: CubeChoice) -> Option<f32> {
        let doubled = self.doubled()?;
        let take = self.double_take?;
        let cost = match choice {
            CubeChoice::NoDouble => self.cubeful_equity - self.no_double,
            CubeChoice::Double => self.cubeful_equity - doubled,
            CubeChoice::Take => take - doubled,
            CubeChoice::Pass => PASS - doubled,
            CubeChoice::Beaver => 2.0 * take - doubled,
        };
        Some(cost.max(0.0))
    }

    /// Returns the gain of a double over rolling in points, negative for a loss; `None` if a double is
    /// impossible.
    pub fn gain(&self) -> Option<f32> {
        Some(self.doubled()? - self.no_double)
    }
}

/// The value of a pass for the doubler, in points of the cube before the double.
pub const PASS: f32 = 1.0;

fn best_action(no_double: f32, double_take: f32, beavers: bool) -> CubeAction {
    let passed = double_take >= PASS;
    let waits = exceeds(no_double, doubled(double_take, PASS, beavers));
    if is_beavered(double_take, beavers) {
        match waits {
            true => CubeAction::NoDoubleBeaver,
            false => CubeAction::DoubleBeaver,
        }
    } else if waits {
        match (exceeds(no_double, PASS), passed) {
            (true, true) => CubeAction::TooGoodPass,
            (true, false) => CubeAction::TooGoodTake,
            (false, _) => CubeAction::NoDouble,
        }
    } else if passed {
        CubeAction::DoublePass
    } else {
        CubeAction::DoubleTake
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decide(no_double: f32, double_take: f32, beavers: bool) -> CubeDecision {
        CubeDecision::in_points(no_double, double_take, beavers)
    }

    #[test]
    fn actions_follow_from_the_equities() {
        for (no_double, double_take, beavers, action, worth) in [
            (0.3, 0.2, false, CubeAction::NoDouble, 0.3),
            (0.5, 0.7, false, CubeAction::DoubleTake, 0.7),
            (0.7, 0.7, false, CubeAction::DoubleTake, 0.7),
            (0.8, 1.2, false, CubeAction::DoublePass, 1.0),
            (1.0, 2.0, false, CubeAction::DoublePass, 1.0),
            (1.1, 1.3, false, CubeAction::TooGoodPass, 1.1),
            (1.1, 0.9, false, CubeAction::TooGoodTake, 1.1),
            (-0.1, -0.4, false, CubeAction::NoDouble, -0.1),
            (-0.1, -0.4, true, CubeAction::NoDoubleBeaver, -0.1),
            // Kauder's paradox: if gammons count only after a double, doubling may be right despite the
            // beaver.
            (-0.4, -0.1, true, CubeAction::DoubleBeaver, -0.2),
            (-0.15, -0.1, true, CubeAction::NoDoubleBeaver, -0.15),
            (-0.4, -0.1, false, CubeAction::DoubleTake, -0.1),
        ] {
            let decision = decide(no_double, double_take, beavers);
            assert_eq!((decision.action, decision.cubeful_equity), (action, worth));
        }
    }

    #[test]
    fn errors_are_what_the_best_is_worth_more() {
        let costs = |d: &CubeDecision| {
            use CubeChoice::{Beaver, Double, NoDouble, Pass, Take};
            [NoDouble, Double, Take, Pass, Beaver].map(|c| d.error(c).unwrap())
        };
        let near = |a: [f32; 5], b: [f32; 5]| {
            for (a, b) in a.iter().zip(b) {
                assert!((a - b).abs() < 1e-6, "{a} {b}");
            }
        };
        // A missed double costs 0.2, passing it 0.3, a beaver 0.7.
        near(costs(&decide(0.5, 0.7, false)), [0.2, 0.0, 0.0, 0.3, 0.7]);
        // Too good: the double costs 0.1, the take 0.3.
        near(costs(&decide(1.1, 1.3, false)), [0.0, 0.1, 0.3, 0.0, 1.6]);
        // A beavered double costs twice what it loses.
        near(costs(&decide(-0.1, -0.4, true)), [0.0, 0.7, 0.4, 1.8, 0.0]);
        assert_eq!(decide(-0.1, -0.4, true).answer(), Some(CubeChoice::Beaver));
        assert_eq!(decide(0.5, 0.7, false).answer(), Some(CubeChoice::Take));
        assert_eq!(decide(0.5, 1.7, false).answer(), Some(CubeChoice::Pass));
    }

    #[test]
    fn words_are_those_of_the_machine_output() {
        for action in CubeAction::ALL {
            let json = serde_json::to_string(&action).unwrap();
            assert_eq!(json, format!("\"{}\"", action.name()));
        }
        let older: CubeAction = serde_json::from_str("\"beaver\"").unwrap();
        assert_eq!(older, CubeAction::NoDoubleBeaver);
    }

    /// A stored decision lacks the rule, and in older versions also a right double that is beavered.
    #[test]
    fn a_kept_decision_is_named_by_the_rule_again() {
        let right = decide(-0.4, -0.1, true);
        let kept = CubeDecision {
            action: CubeAction::NoDoubleBeaver,
            ..right.with_beavers(false)
        };
        assert_eq!(kept.with_beavers(true), right);
        let none = decide(0.3, 0.2, false);
        assert_eq!(none.with_beavers(true).action, CubeAction::NoDouble);
    }

    #[test]
    fn only_actions_that_begin_with_a_double_double() {
        for action in CubeAction::ALL {
            assert_eq!(action.doubles(), action.name().starts_with("double/"));
        }
    }
}
