use std::sync::Arc;

use super::*;
use crate::cube::Model;
use crate::eval::{Engine, Evaluator, Probabilities};
use crate::game::Player;
use crate::match_file::{self, Action, Event, Game, Match};
use crate::review::{ClassFilter, analyse_match};

fn analysed() -> (Vec<AnalysedTurn>, Setup) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/sample_matches/");
    let path = format!("{folder}clara-dev-3pt.mat");
    let record = match_file::read(std::path::Path::new(&path)).unwrap();
    let engine = Engine::embedded();
    let analysed = analyse_match(&engine, Model::standard(), &record, 0, &|| false).unwrap();
    let evaluator: Arc<dyn Evaluator> = Arc::new(engine);
    (analysed, Setup::from(evaluator))
}

/// Lets it run.
struct Alone;

impl Follower for Alone {}

fn limits(decisions: usize) -> MatchRolloutLimits {
    MatchRolloutLimits {
        aim: MatchRolloutAim::Close,
        decisions: Some(decisions),
        budget: None,
        trials: 36,
        cube_trials: 36,
        horizon: HORIZON,
    }
}

#[test]
fn the_closest_come_first_whatever_was_given_away() {
    let (analysed, _) = analysed();
    let all = tasks(&analysed, MatchRolloutAim::Close, usize::MAX);
    assert!(all.is_sorted_by(|a, b| a.worth >= b.worth));
    assert_eq!(tasks(&analysed, MatchRolloutAim::Close, 3)[..], all[..3]);
    // At 0 plies nothing has disagreed yet: then the order is that of the differences.
    let apart = |task: &Task| {
        let review = &analysed[task.turn].review;
        let [best, second, ..] = &review.candidates[..] else {
            panic!("a play without a rival");
        };
        match review.played {
            Some(0) => best.equity - second.equity,
            _ => review.error.unwrap(),
        }
    };
    let plays: Vec<f32> = all
        .iter()
        .filter(|task| task.decision == TurnDecision::Play)
        .map(apart)
        .collect();
    assert!(plays.is_sorted(), "{plays:?}");
    assert!(plays[0] < 0.002 && plays.len() > 20, "{plays:?}");
    // There are errors among them, and larger ones that are left alone.
    let errors = |turn: usize| analysed[turn].review.error.unwrap_or(0.0);
    assert!(all[..20].iter().any(|task| errors(task.turn) > 0.0));
    let left = |turn: &usize| all.iter().all(|task| task.turn != *turn);
    let most = (0..analysed.len())
        .filter(left)
        .map(errors)
        .fold(0.0, f32::max);
    assert!(most > 0.1, "{most}");
}

#[test]
fn errors_are_rolled_out_by_what_they_cost_and_found_again() {
    let (before, setup) = analysed();
    let errors = |from, player, class| {
        MatchRolloutAim::Errors(ErrorFilter {
            from,
            player,
            class,
        })
    };
    let all = tasks(&before, errors(0.02, None, None), usize::MAX);
    assert!(all.is_sorted_by(|a, b| a.worth >= b.worth));
    let costs = before.iter().flat_map(|one| one.review.decision_costs());
    let expected: Vec<f32> = costs.map(|c| c.error).filter(|&e| e >= 0.0195).collect();
    assert_eq!(all.len(), expected.len());
    // The clear blunders that the closest decisions leave out are among them.
    assert!(all[0].worth > 0.1, "{all:?}");
    let cubes = tasks(
        &before,
        errors(0.02, None, Some(ClassFilter::Double)),
        usize::MAX,
    )
    .len()
        + tasks(
            &before,
            errors(0.02, None, Some(ClassFilter::Take)),
            usize::MAX,
        )
        .len();
    let all_cubes = errors(0.02, None, Some(ClassFilter::Cube));
    assert_eq!(tasks(&before, all_cubes, usize::MAX).len(), cubes);
    let plays = tasks(
        &before,
        errors(0.02, None, Some(ClassFilter::Checker)),
        usize::MAX,
    )
    .len();
    let [left, right] = [Player::Left, Player::Right]
        .map(|player| tasks(&before, errors(0.02, Some(player), None), usize::MAX).len());
    assert_eq!([plays + cubes, left + right], [all.len(); 2]);
    assert!(left > 0 && right > 0 && plays > 0);
    // What was rolled out of them is found, though no rollout of the closest would be of it.
    let keeper = Keeper::default();
    let limits = MatchRolloutLimits {
        aim: errors(0.02, None, None),
        trials: 72,
        cube_trials: 72,
        ..limits(2)
    };
    let mut first = before.clone();
    let done = roll_out(&mut first, &setup, &limits, &keeper).unwrap();
    assert_eq!((done.decisions, done.left), (2, 0));
    assert!(first[all[0].turn].rolled.is_some() && first[all[1].turn].rolled.is_some());
    let mut again = before.clone();
    let usual = MatchRolloutLimits {
        decisions: None,
        aim: MatchRolloutAim::Close,
        ..limits
    };
    // A double and its answer are one rollout, of which one may be no error.
    let found = recall(&mut again, &setup, &usual, &keeper).unwrap();
    assert!((2..=4).contains(&found.decisions), "{found:?}");
    for (a, b) in first.iter().zip(&again).filter(|(a, _)| a.rolled.is_some()) {
        assert_eq!((&a.review, &a.rolled), (&b.review, &b.rolled));
    }
}

#[test]
fn the_closest_decisions_are_rolled_out_whatever_the_threads() {
    let (before, setup) = analysed();
    let run = |threads: usize| {
        let mut analysed = before.clone();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let done = pool
            .build()
            .unwrap()
            .install(|| roll_out(&mut analysed, &setup, &limits(4), &Alone).unwrap());
        assert_eq!(
            done,
            MatchRolloutSummary {
                decisions: 4,
                left: 0
            }
        );
        analysed
    };
    let after = run(1);
    let mut rolled = 0;
    for (old, new) in before.iter().zip(&after) {
        let Some(by) = &new.rolled else {
            assert_eq!(old.review, new.review);
            continue;
        };
        rolled += usize::from(!by.plays.is_empty()) + usize::from(by.cube.is_some());
        let review = &new.review;
        assert_eq!(review.candidates.len(), old.review.candidates.len());
        let first = &review.candidates[..by.plays.len()];
        assert!(first.is_sorted_by(|a, b| a.equity >= b.equity));
        for play in &by.plays {
            assert_eq!(play.trials, 36);
            assert!(play.se >= 0.0 && play.se < 0.2, "{}", play.se);
        }
        if let (Some(i), false) = (review.played, by.plays.is_empty()) {
            assert!(i < by.plays.len());
            let error = review.candidates[0].equity - review.candidates[i].equity;
            assert_eq!(review.error, Some(error.max(0.0)));
            let made = |r: &crate::review::TurnReview| r.candidates[r.played.unwrap()].result;
            assert_eq!(made(review), made(&old.review));
        }
    }
    assert_eq!(rolled, 4);
    for (a, b) in after.iter().zip(run(3)) {
        assert_eq!((&a.review, &a.rolled), (&b.review, &b.rolled));
    }
}

#[test]
fn a_cube_decision_is_rolled_out_with_its_chances() {
    let (mut analysed, setup) = analysed();
    let turn = analysed
        .iter()
        .position(|one| one.turn.before.state.doubled)
        .expect("somebody doubles in it");
    let limits = limits(1);
    let rolled_out =
        TaskRollout::new(&analysed[turn], TurnDecision::Cube, &setup, &limits).unwrap();
    let rollout = rolled_out.rollout(turn);
    assert!(!rollout.state.doubled && rollout.plays.is_empty());
    let rolled = roll(&rollout, &setup, &Alone, &|| false).unwrap();
    let Obtained::Rolled(result, Some(progress)) = rolled else {
        panic!("it is rolled out");
    };
    // What is kept tells the same.
    let again = progress.result(&setup).unwrap();
    assert_eq!(
        (&again.candidates, again.mwc),
        (&result.candidates, result.mwc)
    );
    let before = analysed[turn].review.cube.unwrap();
    let task = Task {
        turn,
        decision: TurnDecision::Cube,
        worth: 0.0,
    };
    put(&mut analysed, &[task], &result);
    // The double that is answered has the same figures, though only the answer was to be rolled out.
    let double = &analysed[turn - 1];
    assert!(matches!(double.turn.action, Some(Action::Double { .. })));
    assert_eq!(double.rolled, analysed[turn].rolled);
    let decisions = [turn - 1, turn].map(|at| analysed[at].review.cube.unwrap().decision);
    assert_eq!(decisions[0], decisions[1]);
    let with_cube = |one: &&AnalysedTurn| one.rolled.is_some();
    assert_eq!(analysed.iter().filter(with_cube).count(), 2);
    let review = &analysed[turn].review;
    let cube = review.cube.unwrap();
    assert_ne!(cube.decision.no_double, before.decision.no_double);
    assert!((cube.decision.no_double - before.decision.no_double).abs() < 0.3);
    assert_eq!(review.error, cube.error);
    let (old, new) = (before.decision.mwc.unwrap(), cube.decision.mwc.unwrap());
    assert!((old.point - new.point).abs() < 1e-4);
    assert!((old.double_pass.unwrap() - new.double_pass.unwrap()).abs() < 1e-4);
    assert_eq!(
        analysed[turn].rolled.as_ref().unwrap().cube.unwrap()[0].trials,
        36
    );
}

/// The answer to a double that gains nothing is known, however wrong it was.
#[test]
fn a_dead_double_is_not_rolled_out() {
    let engine = Engine::embedded();
    let mut race = dead_double();
    let all = analyse_match(&engine, Model::standard(), &race, 0, &|| false).unwrap();
    let cost = all[1].review.error.unwrap();
    assert!(cost > 0.1, "{cost}");
    let aims = [
        MatchRolloutAim::Errors(ErrorFilter {
            from: 0.02,
            player: None,
            class: None,
        }),
        MatchRolloutAim::Close,
        MatchRolloutAim::All,
    ];
    for aim in aims {
        assert_eq!(tasks(&all, aim, usize::MAX), []);
    }
    // Where a double gains something its pass is rolled out.
    race.games[0].score = [1, 1];
    let all = analyse_match(&engine, Model::standard(), &race, 0, &|| false).unwrap();
    assert!(!tasks(&all, MatchRolloutAim::All, usize::MAX).is_empty());
}

/// Left needs a point, doubles all the same, and right passes.
fn dead_double() -> Match {
    let event = |player, action| Event {
        player,
        action,
        line: 0,
    };
    Match {
        length: 5,
        games: vec![Game {
            number: 9,
            score: [4, 4],
            start: Position::from_points(&[(6, 5)], &[(6, 7)]).unwrap(),
            events: vec![
                event(Player::Left, Action::Double { to: 2 }),
                event(Player::Right, Action::Pass),
            ],
            ..Game::default()
        }],
        ..Match::default()
    }
}

/// More time would not roll it out.
#[test]
fn a_cube_too_large_for_a_rollout_is_not_left_over() {
    let (mut analysed, setup) = analysed();
    let first = &tasks(&analysed, MatchRolloutAim::Close, 1)[0];
    assert_eq!(first.decision, TurnDecision::Play);
    let turn = first.turn;
    analysed[turn].turn.before.state.cube = 1 << 21;
    let done = roll_out(&mut analysed, &setup, &limits(1), &Alone).unwrap();
    assert_eq!((done.decisions, done.left), (0, 0));
    assert!(analysed[turn].rolled.is_none());
}

#[test]
fn no_time_no_rollout_and_a_call_to_stop_is_heard() {
    let (before, setup) = analysed();
    let mut analysed = before.clone();
    let limits = MatchRolloutLimits {
        aim: MatchRolloutAim::Close,
        decisions: None,
        budget: Some(Duration::ZERO),
        trials: 36,
        cube_trials: 36,
        horizon: HORIZON,
    };
    let done = roll_out(&mut analysed, &setup, &limits, &Alone).unwrap();
    assert!(done.decisions == 0 && done.left > 10, "{done:?}");
    assert!(analysed.iter().all(|one| one.rolled.is_none()));
    struct Never;
    impl Follower for Never {
        fn goes_on(&self) -> bool {
            false
        }
    }
    assert!(roll_out(&mut analysed, &setup, &limits, &Never).is_none());
}

/// Keeps what was found, in memory.
#[derive(Default)]
struct Keeper {
    kept: Mutex<Vec<Progress>>,
    looks: AtomicUsize,
    new: AtomicUsize,
}

impl Follower for Keeper {
    fn kept(&self, rollout: &DecisionRollout<'_>) -> Option<Progress> {
        let kept = self.kept.lock().unwrap();
        let like = |p: &&Progress| {
            p.candidates == rollout.positions && p.settings.cube == rollout.settings.cube
        };
        kept.iter().find(like).cloned()
    }

    fn seen(&self, rollout: &DecisionRollout<'_>, result: &RolloutResult) {
        assert_eq!(result.candidates.len(), rollout.positions.len());
        assert!(result.candidates.iter().all(|s| s.trials < 72));
        self.looks.fetch_add(1, Ordering::Relaxed);
    }

    fn found(&self, rolled: &RolledDecision<'_>) {
        let RolledDecision {
            rollout,
            result,
            new,
            done,
            of,
        } = *rolled;
        assert!(rollout.plays.is_empty() == rollout.state.roll.is_none());
        assert!(done <= of && result.candidates[0].trials == 72);
        self.new
            .fetch_add(usize::from(new.is_some()), Ordering::Relaxed);
        self.kept.lock().unwrap().extend(new.cloned());
    }
}

#[test]
fn what_was_rolled_out_is_not_rolled_out_again() {
    let (before, setup) = analysed();
    let limits = MatchRolloutLimits {
        trials: 72,
        cube_trials: 72,
        horizon: HORIZON,
        ..limits(3)
    };
    let keeper = Keeper::default();
    let mut first = before.clone();
    assert_eq!(
        recall(&mut first, &setup, &limits, &keeper)
            .unwrap()
            .decisions,
        0
    );
    assert_eq!(
        roll_out(&mut first, &setup, &limits, &keeper)
            .unwrap()
            .decisions,
        3
    );
    let count = |n: &AtomicUsize| n.load(Ordering::Relaxed);
    assert_eq!((count(&keeper.new), count(&keeper.looks)), (3, 3));
    // Found again, whether rollouts are wanted or not.
    for again in [recall, roll_out] {
        let mut second = before.clone();
        assert_eq!(
            again(&mut second, &setup, &limits, &keeper)
                .unwrap()
                .decisions,
            3
        );
        for (a, b) in first.iter().zip(&second) {
            assert_eq!((&a.review, &a.rolled), (&b.review, &b.rolled));
        }
    }
    assert_eq!((count(&keeper.new), count(&keeper.looks)), (3, 3));
}

/// Values everything but what it is told to fail at.
struct Faulty(Engine, std::sync::Mutex<Vec<Position>>);

impl Evaluator for Faulty {
    fn name(&self) -> &str {
        "faulty"
    }

    fn probabilities(&self, positions: &[Position], out: &mut [Probabilities]) {
        self.0.probabilities(positions, out);
    }

    fn probabilities_after(
        &self,
        before: &Position,
        results: &[Position],
        out: &mut [Probabilities],
    ) {
        let is_hard = self.1.lock().unwrap().contains(before);
        assert!(!is_hard, "too hard");
        self.0.probabilities_after(before, results, out);
    }

    fn equities_after(&self, before: &Position, results: &[Position], out: &mut [f32]) {
        let is_hard = self.1.lock().unwrap().contains(before);
        assert!(!is_hard, "too hard");
        self.0.equities_after(before, results, out);
    }

    fn exact(&self, position: &Position) -> Option<Probabilities> {
        self.0.exact(position)
    }
}

/// Remembers what was rolled out and what failed.
#[derive(Default)]
struct Notes {
    all: std::sync::Mutex<Vec<(Position, Option<String>)>>,
}

impl Follower for Notes {
    fn kept(&self, rollout: &DecisionRollout<'_>) -> Option<Progress> {
        let first = rollout.positions[0];
        self.all.lock().unwrap().push((first, None));
        None
    }

    fn failed(&self, rollout: &DecisionRollout<'_>, why: &str) {
        let first = rollout.positions[0];
        self.all.lock().unwrap().push((first, Some(why.into())));
    }
}

#[test]
fn a_rollout_that_fails_costs_no_other() {
    let (before, _) = analysed();
    let faulty = Arc::new(Faulty(Engine::embedded(), std::sync::Mutex::default()));
    let setup = Setup::from(Arc::clone(&faulty) as Arc<dyn Evaluator>);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2);
    let pool = pool.build().unwrap();
    let run = |follower: &Notes| {
        let mut analysed = before.clone();
        let done = pool.install(|| roll_out(&mut analysed, &setup, &limits(3), follower));
        done.unwrap()
    };
    let follower = Notes::default();
    assert_eq!(run(&follower).decisions, 3);
    // What is rolled out first now fails.
    let first = follower.all.lock().unwrap()[0].0;
    faulty.1.lock().unwrap().push(first);
    let follower = Notes::default();
    let done = run(&follower);
    let failed: Vec<_> = follower.all.into_inner().unwrap();
    let failed: Vec<_> = failed.into_iter().filter_map(|f| f.1).collect();
    assert!(!failed.is_empty() && failed.len() < 3, "{failed:?}");
    assert!(failed.iter().all(|why| why.contains("too hard")));
    assert_eq!((done.decisions, done.left), (3 - failed.len(), 0));
}
