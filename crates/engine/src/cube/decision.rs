//! A cube decision: what each action is worth, which is best, and what the others cost.

use serde::{Deserialize, Serialize};

use super::context::{Cube, CubeContext};
use super::cubeful_values::{CubeActionValues, doubled, exceeds, is_beavered};
use crate::game::{CubeOwner, GameState, Rules};

/// What the player on roll should do with the cube, and the other one with a double.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CubeAction {
    /// Roll; a double would be taken (or is not possible).
    #[serde(rename = "no double")]
    NoDouble,
    /// Double; the other one takes.
    #[serde(rename = "double/take")]
    DoubleTake,
    /// Double; the other one passes.
    #[serde(rename = "double/pass")]
    DoublePass,
    /// Play on for the gammon; a double would be taken.
    #[serde(rename = "too good/take")]
    TooGoodTake,
    /// Play on for the gammon; a double would be passed.
    #[serde(rename = "too good/pass")]
    TooGoodPass,
    /// Roll; a double would be redoubled at once, by a player who keeps the cube.
    #[serde(rename = "no double/beaver", alias = "beaver")]
    NoDoubleBeaver,
    /// Double although it is redoubled at once: under the Jacoby rule gammons count only then.
    #[serde(rename = "double/beaver")]
    DoubleBeaver,
}

impl CubeAction {
    /// All cube actions.
    pub const ALL: [Self; 7] = [
        Self::NoDouble,
        Self::DoubleTake,
        Self::DoublePass,
        Self::TooGoodTake,
        Self::TooGoodPass,
        Self::NoDoubleBeaver,
        Self::DoubleBeaver,
    ];

    /// Whether it is to play on for a gammon.
    pub fn is_too_good(self) -> bool {
        matches!(self, Self::TooGoodTake | Self::TooGoodPass)
    }

    /// Name in words, as in the machine output.
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

    /// Name in two or three letters, for tables.
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

    /// What the player does who may double.
    pub fn choice(self) -> CubeChoice {
        match self.doubles() {
            true => CubeChoice::Double,
            false => CubeChoice::NoDouble,
        }
    }

    /// Whether the player on roll should double.
    pub fn doubles(self) -> bool {
        matches!(
            self,
            Self::DoubleTake | Self::DoublePass | Self::DoubleBeaver
        )
    }

    /// Whether a double would be passed: the market is lost already.
    pub fn is_passed(self) -> bool {
        matches!(self, Self::DoublePass | Self::TooGoodPass)
    }
}

/// What somebody did with the cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CubeChoice {
    /// Rolled without doubling.
    NoDouble,
    Double,
    /// Took a double.
    Take,
    /// Passed it.
    Pass,
    /// Redoubled at once and kept the cube.
    Beaver,
}

impl CubeChoice {
    /// All choices.
    pub const ALL: [Self; 5] = [
        Self::NoDouble,
        Self::Double,
        Self::Take,
        Self::Pass,
        Self::Beaver,
    ];

    /// The choice of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|choice| choice.name() == name)
    }

    /// Name in words, as in the machine output.
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

/// A cube action or choice by its name in the machine output, as players say it in `state`: a player who doubles with a
/// cube of their own redoubles.
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

/// Chances to win the match with each action.
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
    /// What a point on the present cube is worth.
    pub point: f32,
}

/// A cube decision: equities of the player on roll in points on the present cube, in a match
/// normalised to them (EMG; see [`CubeContext`]).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CubeDecision {
    /// With the best cube action by both.
    pub cubeful_equity: f32,
    /// Rolling without a double.
    pub no_double: f32,
    /// After a double and a take (without a beaver); `None` when doubling is not possible.
    pub double_take: Option<f32>,
    /// After a double and a pass, 1; `None` when doubling is not possible.
    pub double_pass: Option<f32>,
    /// The best action.
    pub action: CubeAction,
    /// The values as match-winning chances, in a match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mwc: Option<MatchChances>,
    /// Whether a double worth less than nothing is beavered.
    #[serde(skip)]
    beavers: bool,
}

impl CubeDecision {
    /// The decision at `cube`, from the value of each action.
    ///
    /// The comparisons are the rules of the game: double if that is worth more when the other
    /// player answers best; take if it costs less than passing. Of two actions that are worth the
    /// same, the double is named: to wait would be to no purpose.
    pub fn new(context: &CubeContext, cube: Cube, values: &CubeActionValues) -> Self {
        let points = |value| context.to_points(cube.level, value);
        let no_double = points(values.no_double);
        let double_take = values.double_take.map(points);
        // Rounding leads beyond certainty by a hair.
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

    /// The decision from values that are already in points on the present cube, at any score: what a
    /// rollout finds.
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

    /// This decision, read from where the rule about beavers is not kept: with `beavers` the best action is
    /// found again.
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

    /// What a double is worth to the player on roll when it is answered best, in points on the present cube;
    /// `None` when it is not possible.
    pub fn doubled(&self) -> Option<f32> {
        let take = self.double_take?;
        Some(doubled(take, PASS, self.beavers))
    }

    /// Equity after a double and a beaver, where the beaver is the right answer.
    pub fn beavered(&self) -> Option<f32> {
        self.doubled().filter(|_| self.is_beavered())
    }

    /// Equities by what is done, each by its name in the machine output: those of what is possible, and of a beaver
    /// where it is the right answer.
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

    /// Whether the rules allow to answer a double by a beaver.
    pub fn allows_beavers(&self) -> bool {
        self.beavers
    }

    /// Whether the right answer to a double is a beaver.
    pub fn is_beavered(&self) -> bool {
        let take = self.double_take;
        take.is_some_and(|take| is_beavered(take, self.beavers))
    }

    /// The right answer to a double, if there can be one.
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

    /// The right choice of the player who is asked: the answer to a double that `is_offered`, or whether to double.
    pub fn right_choice(&self, is_offered: bool) -> Option<CubeChoice> {
        match is_offered {
            true => self.answer(),
            false => Some(self.action.choice()),
        }
    }

    /// What `choice` costs against the best one, in points, never negative; `None` where no double is possible. A
    /// beaver has its cost also where the rules know none: a file may have one.
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

    /// Points that a double gains (or, negative, loses) against rolling; `None` when it is not possible.
    pub fn gain(&self) -> Option<f32> {
        Some(self.doubled()? - self.no_double)
    }
}

/// What a pass is worth to the doubler, in points on the cube before.
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
            // Kauder's paradox: gammons that count only after a double are worth a beaver.
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
        // A missed double costs 0.2; passing it 0.3; a beaver 0.7.
        near(costs(&decide(0.5, 0.7, false)), [0.2, 0.0, 0.0, 0.3, 0.7]);
        // Too good: the double costs 0.1, the take 0.3.
        near(costs(&decide(1.1, 1.3, false)), [0.0, 0.1, 0.3, 0.0, 1.6]);
        // A double that is beavered costs what it loses twice over.
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

    /// What was kept knows neither the rule nor, from before, a double that is right and beavered.
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
