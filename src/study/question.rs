//! One decision as it is asked: what may be answered, and what each answer costs.

use std::sync::Arc;

use rand::seq::SliceRandom as _;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use sha2::{Digest as _, Sha256};

use super::StudyDecision;
use super::rolled::StudyRollout;
use super::scheduler::Grade;
use crate::cube::{CubeChoice, CubeDecision, Model, cube_words};
use crate::eval::Evaluator;
use crate::game::{GameState, Play, Position};
use crate::match_file::Action;
use crate::match_file::variations::may_beaver;
use crate::notation::play::dice;
use crate::notation::play_text;
use crate::review::marks::as_written;
use crate::review::{MatchTurn, TurnReview, review_widely};

/// Most plays to choose from.
pub const MOST_CHOICES: usize = 6;
/// An answer that costs less, in points, is as good as the best.
pub const AS_GOOD: f32 = 0.005;
/// An answer that costs less, in points, is known, though not well.
pub const KNOWN_WITHIN: f32 = 0.02;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StudyAction {
    Play(Play),
    /// About the cube.
    Cube(CubeChoice),
}

/// Something that may be answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    pub action: StudyAction,
    /// The position after a play, seen by the opponent.
    pub result: Option<Position>,
    /// In words, as in the machine output.
    pub text: String,
    /// Value to the player who decides, in points.
    pub equity: f32,
    /// Points that it gives away.
    pub cost: f32,
}

/// A decision as it is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// The decision.
    pub state: GameState,
    /// Visible choices. Plays are in an order that gives no hint, cube actions in their usual one.
    pub choices: Vec<Choice>,
    /// Values of both sides' choices, if the question is whether to double.
    pub cube: Option<CubeDecision>,
    /// Choice of the analysis: the cube action, or the first of the plays that may be worth the same.
    named: Option<StudyAction>,
    /// Plies behind the figures.
    pub ply: u8,
    /// The rollout that the figures are by, if one counts; those of plays that it has not are held against it.
    pub rollout: Option<Arc<StudyRollout>>,
}

/// Analyses a decision for a question: the play that was made, and the best ones, to the same depth.
/// `None` if `cancelled` answered true on the way.
pub fn examine(
    evaluator: &dyn Evaluator,
    model: &Model,
    turn: &MatchTurn,
    ply: u8,
    cancelled: &dyn Fn() -> bool,
) -> Option<TurnReview> {
    review_widely(evaluator, model, turn, ply, MOST_CHOICES, cancelled)
}

/// A decision as a turn that stands alone, with a play that must be analysed as deeply as the best.
pub fn turn(state: GameState, play: Option<Play>) -> MatchTurn {
    MatchTurn {
        action: play
            .zip(state.roll)
            .map(|(play, roll)| Action::Move { roll, play }),
        ..MatchTurn::alone(state)
    }
}

/// Returns the question of a state, in words.
pub fn question_text(state: &GameState) -> String {
    match (state.roll, state.doubled) {
        (Some(roll), _) => format!("{} to play", dice(roll)),
        (None, true) if state.allows_beavers() => "take, pass or beaver?".to_owned(),
        (None, true) => "take or pass?".to_owned(),
        (None, false) => "double or not?".to_owned(),
    }
}

impl Choice {
    /// Returns whether the choice costs nothing, as costs are written.
    pub fn is_best(&self) -> bool {
        as_written(self.cost) == 0.0
    }
}

impl Question {
    /// A choice in words, as players say it here.
    pub fn words<'a>(&self, choice: &'a Choice) -> &'a str {
        cube_words(&choice.text, &self.state)
    }

    /// A question from an analysis of its decision; `None` where there is nothing to decide. The
    /// order of the plays depends on `seed` and on the position.
    pub fn new(state: &GameState, review: &TurnReview, seed: u64) -> Option<Self> {
        let mut choices = match state.roll {
            Some(_) => plays(state, review),
            None => cube_actions(state, &review.cube?.decision),
        };
        if choices.len() < 2 {
            return None;
        }
        let first = choices.first().map(|choice| choice.action);
        if state.roll.is_some() {
            choices.shuffle(&mut stream(state, seed));
        }
        let decision = review.cube.map(|cube| cube.decision);
        let decision = decision.filter(|_| state.roll.is_none());
        Some(Self {
            state: *state,
            choices,
            cube: decision.filter(|_| !state.doubled),
            named: match decision {
                Some(decision) => decision.right_choice(state.doubled).map(StudyAction::Cube),
                None => first,
            },
            ply: review.ply,
            rollout: None,
        })
    }

    /// A question as it is exported: from an analysis of its decision at `ply` plies, with its plays in an order that
    /// depends on the position alone.
    pub fn exported(
        evaluator: &dyn Evaluator,
        model: &Model,
        decision: &StudyDecision,
        ply: u8,
    ) -> Option<Self> {
        const SEED: u64 = 0;
        let turn = turn(decision.state, decision.play);
        let review = examine(evaluator, model, &turn, ply, &|| false)?;
        Self::about(decision, &review, SEED)
    }

    /// A question about a decision, from an analysis: by the rollout that counts, if there is one that has
    /// the play this analysis thinks best.
    pub fn about(decision: &StudyDecision, review: &TurnReview, seed: u64) -> Option<Self> {
        let rollout = decision.rollout.as_ref();
        let rolled = rollout.and_then(|one| Some((one.put_into(review)?, one)));
        let Some((review, rollout)) = rolled else {
            return Self::new(&decision.state, review, seed);
        };
        let asked = Self::new(&decision.state, &review, seed)?;
        Some(Self {
            rollout: Some(Arc::clone(rollout)),
            ..asked
        })
    }

    /// Returns both sides' best cube actions, in a line: `too good/pass: take +1.769, pass +1.000`.
    pub fn cube_verdict(&self) -> Option<String> {
        let decision = self.cube?;
        let action = cube_words(decision.action.name(), &self.state);
        let (take, pass) = (decision.double_take?, decision.double_pass?);
        Some(format!("{action}: take {take:+.3}, pass {pass:+.3}"))
    }

    /// Returns whether the value of a choice was rolled out.
    pub fn is_rolled(&self, choice: &Choice) -> bool {
        let rollout = self.rollout.as_ref();
        rollout.is_some_and(|rollout| rollout.has(choice.result.as_ref()))
    }

    /// Returns the source of the figures: `by rollout`, or `2-ply`.
    pub fn figures_by(&self) -> String {
        match self.rollout {
            Some(_) => "by rollout".to_owned(),
            None => format!("{}-ply", self.ply),
        }
    }

    /// Points that what was done in the match gave away, by the figures of the choices; by the decision's own
    /// if it is not among them.
    pub fn cost_of_made(&self, decision: &StudyDecision) -> f32 {
        let mut choices = self.choices.iter();
        let made = choices.find(|choice| choice.text == decision.made);
        made.map_or(decision.cost, |made| made.cost)
    }

    /// A choice's difference to the best, as written: nothing of the best, `-0.049` of another, with a `~` where
    /// others were rolled out and it was not.
    pub fn difference_text(&self, choice: &Choice) -> String {
        match self.is_hint(choice) {
            _ if choice.is_best() => String::new(),
            true => format!("~-{:.3}", choice.cost),
            false => format!("-{:.3}", choice.cost),
        }
    }

    /// Returns whether others were rolled out and this one was not: its cost is then a hint.
    pub fn is_hint(&self, choice: &Choice) -> bool {
        self.rollout.is_some() && !self.is_rolled(choice)
    }

    /// The best answer. Of two about the cube that cost the same, the one that the analysis names.
    pub fn best(&self) -> Option<&Choice> {
        let all = self.choices.iter();
        let by_name = all.clone().find(|choice| Some(choice.action) == self.named);
        by_name.or_else(|| all.min_by(|a, b| a.cost.total_cmp(&b.cost)))
    }

    /// The name of the best answer in the machine output. Where it is to play on for a gammon, that of reviews:
    /// `too good/pass`. Empty without a choice.
    pub fn best_name(&self) -> &str {
        let action = self.cube.map(|decision| decision.action);
        match action.filter(|action| action.is_too_good()) {
            Some(action) => action.name(),
            None => self.best().map_or("", |best| &best.text),
        }
    }

    /// The choices by what they give away, the best first.
    pub fn ranked(&self) -> Vec<&Choice> {
        let best = self.best().map(|best| best.action);
        let mut ranked: Vec<&Choice> = self.choices.iter().collect();
        ranked.sort_by(|a, b| a.cost.total_cmp(&b.cost));
        ranked.sort_by_key(|choice| Some(choice.action) != best);
        ranked
    }

    /// Points that the second best choice gives away; the largest number if there is none.
    pub fn gap(&self) -> f32 {
        let mut costs: Vec<f32> = self.choices.iter().map(|choice| choice.cost).collect();
        costs.sort_by(f32::total_cmp);
        costs.get(1).copied().unwrap_or(f32::MAX)
    }

    /// Returns whether the question is too easy for a right decision: the best answer is far ahead, or all answers
    /// are as good.
    fn is_trivial(&self) -> bool {
        let all_good = self.choices.iter().all(|choice| choice.cost < AS_GOOD);
        all_good || self.gap() >= super::rolled::NEAR
    }

    /// Returns whether the question is useful for a decision.
    /// If errors are asked, that of a right decision must not be too easy.
    pub fn is_of_use(&self, decision: &StudyDecision, least: f32) -> bool {
        decision.is_error(least) || !decision.is_right() || !self.is_trivial()
    }

    /// The choice with this action, if it is among them: a play counts as another that leads to the same
    /// position.
    pub fn find(&self, action: StudyAction) -> Option<usize> {
        let result = match action {
            StudyAction::Play(play) => Some(play.apply(&self.state.position)),
            StudyAction::Cube(_) => None,
        };
        self.choices.iter().position(|choice| match action {
            StudyAction::Play(_) => choice.result == result,
            StudyAction::Cube(_) => choice.action == action,
        })
    }

    /// Takes in a play that was not among the choices, from an analysis in which it is the one that was made.
    /// Returns its place.
    pub fn add(&mut self, review: &TurnReview) -> Option<usize> {
        let rollout = self.rollout.as_ref();
        let rolled = rollout.and_then(|rollout| rollout.put_into(review));
        let review = rolled.as_ref().unwrap_or(review);
        let candidate = review.candidates.get(review.played?)?;
        let best = review.candidates.first()?;
        let known = self.best().map_or(best.equity, |choice| choice.equity);
        let cost = (best.equity - candidate.equity).max(0.0);
        self.choices.push(Choice {
            action: StudyAction::Play(candidate.play),
            result: Some(candidate.result),
            text: play_text(&self.state.position, &candidate.play),
            // Beside the others: what was found of the best the first time counts.
            equity: known - cost,
            cost,
        });
        Some(self.choices.len() - 1)
    }
}

/// Numbers that depend on a decision and a seed.
fn stream(state: &GameState, seed: u64) -> ChaCha8Rng {
    let text = format!("{seed} {}", crate::notation::xgid_text(state));
    ChaCha8Rng::from_seed(Sha256::digest(text).into())
}

/// The best plays of full depth, and the one that was made.
fn plays(state: &GameState, review: &TurnReview) -> Vec<Choice> {
    let Some(best) = review.candidates.first() else {
        return Vec::new();
    };
    let is_deep = |i: &usize| review.candidates[*i].ply == best.ply;
    let mut chosen: Vec<usize> = (0..review.candidates.len())
        .filter(is_deep)
        .take(MOST_CHOICES)
        .collect();
    if let Some(made) = review.played.filter(|made| !chosen.contains(made)) {
        chosen.truncate(MOST_CHOICES - 1);
        chosen.push(made);
    }
    let choice = |i: usize| {
        let candidate = &review.candidates[i];
        Choice {
            action: StudyAction::Play(candidate.play),
            result: Some(candidate.result),
            text: play_text(&state.position, &candidate.play),
            equity: candidate.equity,
            cost: (best.equity - candidate.equity).max(0.0),
        }
    };
    chosen.into_iter().map(choice).collect()
}

/// Returns the possible cube actions.
fn cube_actions(state: &GameState, decision: &CubeDecision) -> Vec<Choice> {
    let choice = |choice: CubeChoice, equity: Option<f32>| {
        Some(Choice {
            action: StudyAction::Cube(choice),
            result: None,
            text: choice.name().to_owned(),
            equity: equity?,
            cost: decision.error(choice)?,
        })
    };
    let (take, pass) = (decision.double_take, decision.double_pass);
    let all = if state.doubled {
        // The equities of a decision are the doubler's.
        let own = |equity: Option<f32>| equity.map(|equity| -equity);
        let beaver = take.filter(|_| may_beaver(state)).map(|take| -2.0 * take);
        vec![
            choice(CubeChoice::Take, own(take)),
            choice(CubeChoice::Pass, own(pass)),
            choice(CubeChoice::Beaver, beaver),
        ]
    } else {
        vec![
            choice(CubeChoice::NoDouble, Some(decision.no_double)),
            choice(CubeChoice::Double, decision.doubled()),
        ]
    };
    all.into_iter().flatten().collect()
}

/// The grade that an answer of this cost proposes.
pub fn grade(cost: f32) -> Grade {
    if cost < AS_GOOD {
        Grade::Good
    } else if cost < KNOWN_WITHIN {
        Grade::Hard
    } else {
        Grade::Again
    }
}

/// A seed of its own for each session.
pub fn session_seed(now: i64) -> u64 {
    ChaCha8Rng::seed_from_u64(now as u64).random()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Engine;
    use crate::game::{CubeOwner, MatchScore, Roll, Rules};

    fn no() -> bool {
        false
    }

    fn opening() -> GameState {
        GameState {
            roll: Roll::new(3, 1),
            ..GameState::money(Position::opening())
        }
    }

    fn examined(state: GameState, play: Option<Play>) -> TurnReview {
        let engine = Engine::embedded();
        let turn = turn(state, play);
        examine(&engine, Model::standard(), &turn, 0, &no).unwrap()
    }

    #[test]
    fn the_best_play_and_the_one_made_are_among_the_choices_in_no_order() {
        let state = opening();
        let odd = crate::notation::parse_play("24/23 6/3", &state.position, state.roll.unwrap());
        let review = examined(state, Some(odd.clone().unwrap()));
        let mut places = [0; MOST_CHOICES];
        for seed in 0..600 {
            let question = Question::new(&state, &review, seed).unwrap();
            assert_eq!(question.choices.len(), MOST_CHOICES);
            let best = question.best().unwrap();
            assert_eq!((best.text.as_str(), best.cost), ("8/5 6/5", 0.0));
            let made = StudyAction::Play(odd.clone().unwrap());
            let made = question.find(made).unwrap();
            assert!(grade(question.choices[made].cost) == Grade::Again);
            places[question.find(best.action).unwrap()] += 1;
        }
        // The best play is as often in each place: 100 of 600, nine standard errors at most.
        assert!(places.iter().all(|n| (20..=180).contains(n)), "{places:?}");
        let again = |seed| Question::new(&state, &review, seed);
        assert_eq!(again(7), again(7));
    }

    #[test]
    fn whether_to_double_has_the_verdict_of_both_sides() {
        let too_good = "XGID=--aaBBC-BA---D-Aabbe-ba---:1:1:1:00:2:4:0:7:10";
        let state = crate::notation::parse_id(too_good).unwrap();
        let question = Question::new(&state, &examined(state, None), 1).unwrap();
        let verdict = question.cube_verdict().unwrap();
        assert!(verdict.starts_with("too good/pass: take +1."), "{verdict}");
        assert!(verdict.ends_with(", pass +1.000"), "{verdict}");
        assert_eq!(question.best().unwrap().text, "no double");
        assert_eq!(question.best_name(), "too good/pass");
        let answer = GameState {
            doubled: true,
            ..state.flipped()
        };
        for other in [opening(), answer] {
            let question = Question::new(&other, &examined(other, None), 1).unwrap();
            assert_eq!(question.cube_verdict(), None);
            assert_eq!(question.best_name(), question.best().unwrap().text);
        }
    }

    #[test]
    fn where_nothing_is_to_be_decided_nothing_is_asked() {
        let state = opening();
        let mut question = Question::new(&state, &examined(state, None), 1).unwrap();
        let mut with = |costs: [f32; 3]| {
            question.choices.truncate(costs.len());
            for (choice, cost) in question.choices.iter_mut().zip(costs) {
                choice.cost = cost;
            }
            question.is_trivial()
        };
        assert!(!with([0.0, 0.01, 0.3]));
        assert!(!with([0.0, 0.001, 0.3]));
        assert!(with([0.0, 0.001, 0.004]));
        assert!(with([0.0, 0.25, 0.3]));
    }

    #[test]
    fn a_play_that_was_not_shown_is_analysed_and_not_guessed() {
        let state = opening();
        let mut question = Question::new(&state, &examined(state, None), 1).unwrap();
        let roll = state.roll.unwrap();
        let odd = crate::notation::parse_play("24/23 6/3", &state.position, roll).unwrap();
        assert_eq!(question.find(StudyAction::Play(odd)), None);
        let review = examined(state, Some(odd));
        let place = question.add(&review).unwrap();
        let added = &question.choices[place];
        assert_eq!(added.text, "24/23 6/3");
        assert_eq!(Some(added.cost), review.error);
        assert_eq!(question.find(StudyAction::Play(odd)), Some(place));
    }

    #[test]
    fn of_cube_actions_that_cost_the_same_the_best_is_the_one_of_the_analysis() {
        let best = |state: GameState| {
            let question = Question::new(&state, &examined(state, None), 0).unwrap();
            let costs: Vec<f32> = question.choices.iter().map(|choice| choice.cost).collect();
            assert_eq!(costs, [0.0; 2]);
            question.best().unwrap().text.clone()
        };
        // One that wins with the next roll whatever comes.
        let won = Position::from_points(&[(2, 1)], &[(1, 1)]).unwrap();
        assert_eq!(best(GameState::money(won)), "double");
        // One that wins with 27 rolls of 36: to take is worth what a pass is.
        let answered = Position::from_points(&[(1, 1)], &[(6, 1)]).unwrap();
        let answers = GameState {
            doubled: true,
            ..GameState::money(answered)
        };
        assert_eq!(best(answers), "pass");
    }

    #[test]
    fn cube_actions_cost_what_the_decision_says() {
        // Far ahead in a race: double and pass.
        let position = Position::from_points(&[(6, 5)], &[(6, 7)]).unwrap();
        let state = GameState::money(position);
        let question = Question::new(&state, &examined(state, None), 0).unwrap();
        let texts: Vec<_> = question.choices.iter().map(|c| c.text.as_str()).collect();
        assert_eq!(texts, ["no double", "double"]);
        assert_eq!(question.best().unwrap().text, "double");
        let own = GameState {
            cube: 2,
            owner: CubeOwner::Mover,
            ..state
        };
        let question = Question::new(&own, &examined(own, None), 0).unwrap();
        assert_eq!(question.words(question.best().unwrap()), "redouble");
        let answers = GameState {
            position: position.flipped(),
            doubled: true,
            ..state
        };
        let question = Question::new(&answers, &examined(answers, None), 0).unwrap();
        let texts: Vec<_> = question.choices.iter().map(|c| c.text.as_str()).collect();
        assert_eq!(texts, ["take", "pass"]);
        let best = question.best().unwrap();
        assert_eq!((best.text.as_str(), best.equity), ("pass", -1.0));
        let take = &question.choices[0];
        assert!((best.equity - take.equity - take.cost).abs() < 1e-6);
        let rules = Rules {
            beavers: true,
            ..Rules::default()
        };
        let beavers = GameState { rules, ..answers };
        let question = Question::new(&beavers, &examined(beavers, None), 0).unwrap();
        assert_eq!(question.choices.len(), 3);
    }

    #[test]
    fn where_nothing_is_to_decide_nothing_is_asked() {
        let position = Position::from_points(&[(1, 1)], &[(6, 7)]).unwrap();
        let one = GameState {
            roll: Roll::new(3, 3),
            ..GameState::money(position)
        };
        assert_eq!(Question::new(&one, &examined(one, None), 0), None);
        // The opponent has the cube.
        let theirs = GameState {
            owner: CubeOwner::Opponent,
            cube: 2,
            score: MatchScore::MONEY,
            ..GameState::money(Position::opening())
        };
        assert_eq!(Question::new(&theirs, &examined(theirs, None), 0), None);
    }
}
