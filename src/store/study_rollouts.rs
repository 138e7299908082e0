//! Adds results of stored rollouts to quiz decisions.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::time::Duration;

use rayon::prelude::*;

use super::{RolloutStore, StoreError, StoredRollout};
use crate::game::GameState;
use crate::notation::xgid_text;
use crate::rollout::Setup;
use crate::study::{Foundation, StudyCard, StudyDecision, StudyRollout};

/// Index of a decision, and the rollout's result for it.
type FoundRollout = (usize, (StudyRollout, Foundation));

/// Adds the results of rollouts in the file at `path` to decisions. Uses the best founded of the valid rollouts that
/// `setup` would repeat. Waits at most `timeout` for another process.
///
/// # Errors
/// [`StoreError`] if the file cannot be read.
pub fn put_rollouts_beside(
    path: &Path,
    setup: &Setup,
    all: &mut [StudyDecision],
    timeout: Duration,
) -> Result<(), StoreError> {
    let store = RolloutStore::open_to_read(path, timeout)?.filter(|_| !all.is_empty());
    let Some(store) = store else { return Ok(()) };
    let labels = store.labels()?.into_iter();
    let labels: Vec<(i64, String)> = labels.map(|(id, label)| (id, label.xgid())).collect();
    let places = places(all, &labels.iter().map(|(_, xgid)| xgid.as_str()).collect());
    let of_these = labels.iter().filter(|(_, xgid)| places.contains_key(xgid));
    let kept = store.numbered(of_these.map(|(id, _)| *id))?;
    // The same decision may have been played differently in two matches.
    let found = |rollout: &StoredRollout| -> Vec<FoundRollout> {
        let of = |place: &usize| {
            let decision = &all[*place];
            let found = StudyRollout::of_kept(decision, &rollout.progress, setup)?;
            Some((*place, found))
        };
        let places = places.get(&rollout.shown.xgid()).into_iter().flatten();
        places.filter_map(of).collect()
    };
    // Evaluating a rollout takes about a millisecond, and there may be hundreds.
    let found: Vec<Vec<FoundRollout>> = kept.par_iter().map(found).collect();
    let mut best: HashMap<usize, (StudyRollout, Foundation)> = HashMap::new();
    for (place, found) in found.into_iter().flatten() {
        // Of equally founded rollouts the one started last wins.
        if best.get(&place).is_none_or(|known| found.1 >= known.1) {
            best.insert(place, found);
        }
    }
    for (place, (rollout, _)) in best {
        all[place] = all[place].clone().with_rollout(Some(rollout));
    }
    Ok(())
}

/// Adds the results of rollouts in the file at `path` to cards. The cards keep their cost from when they were asked.
///
/// # Errors
/// [`StoreError`] if the file cannot be read.
pub fn put_rollouts_beside_cards(
    path: &Path,
    setup: &Setup,
    cards: &mut [StudyCard],
    timeout: Duration,
) -> Result<(), StoreError> {
    let of_cards = (cards.iter().enumerate())
        .filter_map(|(place, card)| Some((place, StudyDecision::of_card(card)?)));
    let (places, mut decisions): (Vec<usize>, Vec<StudyDecision>) = of_cards.unzip();
    put_rollouts_beside(path, setup, &mut decisions, timeout)?;
    for (place, decision) in places.into_iter().zip(decisions) {
        cards[place].rollout = decision.rollout;
    }
    Ok(())
}

/// Returns the indices of decisions by the XGIDs of their stored rollouts. There may be a million decisions and few
/// rollouts.
fn places(all: &[StudyDecision], kept: &HashSet<&str>) -> HashMap<String, Vec<usize>> {
    let mut places: HashMap<String, Vec<usize>> = HashMap::new();
    for (place, decision) in all.iter().enumerate() {
        for id in ids(&decision.state)
            .into_iter()
            .filter(|id| kept.contains(id.as_str()))
        {
            places.entry(id).or_default().push(place);
        }
    }
    places
}

/// Returns the XGIDs that a rollout of this decision may have: a cube rollout covers the double and its answer.
fn ids(state: &GameState) -> HashSet<String> {
    let both = match (state.roll, state.doubled) {
        (Some(_), _) => [*state; 2],
        (None, true) => [*state, state.roller()],
        (None, false) => [*state, state.offered()],
    };
    both.iter().map(xgid_text).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::cube::CubeChoice;
    use crate::eval::{Engine, Evaluator};
    use crate::game::{Play, PlayList, Position, Roll};
    use crate::review::Class;
    use crate::review::match_rollouts::DecisionRollout;
    use crate::rollout::{CubeSettings, Settings, StopRules, run_blocking};
    use crate::store::{DecisionRolloutStore, READ_TIMEOUT, RolloutWorker};
    use crate::study::question::{examine, turn};
    use crate::study::{Question, rolled};

    struct Kept {
        setup: Setup,
        worker: Arc<RolloutWorker>,
    }

    impl Kept {
        /// Rolls out and stores `trials` trials.
        fn roll(&self, state: GameState, plays: &[Play], trials: u64) {
            let cube = match plays.is_empty() {
                true => CubeSettings::of_decision(&state),
                false => CubeSettings::after_play(&state),
            };
            self.roll_with(cube, state, plays, trials);
        }

        fn roll_with(&self, cube: CubeSettings, state: GameState, plays: &[Play], trials: u64) {
            let results = plays.iter().map(|play| play.apply(&state.position));
            let mut positions: Vec<Position> = results.collect();
            if plays.is_empty() {
                positions = vec![state.position; 2];
            }
            let settings = Settings {
                ply: 0,
                horizon: Some(2),
                cube: Some(cube),
                stop: StopRules {
                    trials,
                    ..StopRules::default()
                },
                ..Settings::default()
            }
            .resolved(&self.setup);
            let mut progress = None;
            run_blocking(&self.setup, &positions, &settings, &mut |look| {
                progress = Some(look.progress());
                look.trials() < trials
            })
            .unwrap();
            let rollout = DecisionRollout {
                turn: 0,
                state,
                plays,
                positions: &positions,
                settings: &settings,
            };
            let store = DecisionRolloutStore::new(self.worker.clone(), self.setup.clone());
            store.keep(&rollout, &progress.unwrap());
        }
    }

    fn of_play(state: GameState, made: Play, best: Play) -> StudyDecision {
        StudyDecision {
            play: Some(made),
            made: crate::notation::play_text(&state.position, &made),
            cost: 0.5,
            best: Some(best.apply(&state.position)),
            ..StudyDecision::of_position(state, "a – b, game 1, move 1".into())
        }
    }

    #[test]
    fn what_was_rolled_out_is_asked_by_the_rollout() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rollouts.sqlite");
        let evaluator: Arc<dyn Evaluator> = Arc::new(Engine::embedded());
        let setup = Setup {
            cube: Some(Arc::default()),
            ..Setup::from(evaluator)
        };
        let kept = Kept {
            setup: setup.clone(),
            worker: Arc::new(RolloutWorker::start(path.clone(), |_| ())),
        };
        let opening = GameState::money(Position::opening());
        let with = |roll: [u8; 2]| GameState {
            roll: Roll::new(roll[0], roll[1]),
            ..opening
        };
        let [rolled_out, few, apart] = [[3, 1], [4, 2], [6, 5]].map(with);
        let plays = |state: &GameState| {
            let list = PlayList::of(&state.position, state.roll.unwrap());
            list.plays().to_vec()
        };
        let [first, second, third] = [rolled_out, few, apart].map(|state| plays(&state));
        kept.roll(rolled_out, &first[..2], 360);
        kept.roll(few, &second[..2], 36);
        // Lacks the play with the best evaluation.
        kept.roll(apart, &third[..2], 360);
        kept.roll(opening, &[], 360);
        drop(kept);
        let double = StudyDecision {
            class: Class::Double,
            made: "double".into(),
            cost: 0.5,
            ..StudyDecision::of_position(opening, String::new())
        };
        let take = StudyDecision {
            class: Class::Take,
            made: "take".into(),
            ..StudyDecision::of_position(opening.offered(), String::new())
        };
        let mut all = [
            of_play(rolled_out, first[0], first[1]),
            of_play(few, second[0], second[1]),
            of_play(apart, third[0], third[2]),
            double,
            take,
        ];
        put_rollouts_beside(&path, &setup, &mut all, READ_TIMEOUT).unwrap();
        let counts = all.each_ref().map(|one| one.rollout.is_some());
        assert_eq!(counts, [true, false, false, true, true]);
        assert_ne!(all[0].cost, 0.5);
        assert_eq!((all[1].cost, all[2].cost), (0.5, 0.5));
        // An opening has no cube decision: its cost comes from the rollout, too.
        assert!(all[3].cost > 0.0 && all[3].cost != 0.5);
        assert_eq!(all[4].cost, 0.0);
        // The card gets the rollout and keeps its cost.
        let mut cards = [of_play(rolled_out, first[0], first[1]).card(0.02)];
        put_rollouts_beside_cards(&path, &setup, &mut cards, READ_TIMEOUT).unwrap();
        assert!(cards[0].rollout.is_some() && cards[0].cost == 0.5);
        // The question shows the figures of the rollout.
        let engine = Engine::embedded();
        let asked = |one: &StudyDecision| {
            let turn = turn(one.state, one.play);
            let review = examine(&engine, setup.model(), &turn, 0, &|| false).unwrap();
            Question::about(one, &review, 1).unwrap()
        };
        let double = asked(&all[3]);
        assert_eq!(double.figures_by(), "by rollout");
        assert!(double.choices.iter().all(|choice| double.is_rolled(choice)));
        assert!((double.cost_of_made(&all[3]) - all[3].cost).abs() < 1e-6);
        assert_eq!(asked(&all[1]).figures_by(), "0-ply");
        const { assert!(rolled::TRIALS_TO_TELL > 36) };
    }

    /// A stored rollout does not recommend a beaver beyond the cube cap, which its trials cannot play.
    #[test]
    fn a_kept_rollout_advises_no_beaver_beyond_its_cap() {
        let behind = Position::from_points(&[(6, 5), (5, 5), (4, 5)], &[(6, 5), (5, 5)]).unwrap();
        let mut state = GameState::money(behind);
        state.rules.beavers = true;
        let evaluator: Arc<dyn Evaluator> = Arc::new(Engine::embedded());
        let setup = Setup {
            cube: Some(Arc::default()),
            ..Setup::from(evaluator)
        };
        for (cap, answer) in [(4, CubeChoice::Beaver), (2, CubeChoice::Take)] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("rollouts.sqlite");
            let kept = Kept {
                setup: setup.clone(),
                worker: Arc::new(RolloutWorker::start(path.clone(), |_| ())),
            };
            let of_decision = CubeSettings::of_decision(&state);
            kept.roll_with(CubeSettings { cap, ..of_decision }, state, &[], 360);
            drop(kept);
            let mut all = [StudyDecision {
                class: Class::Take,
                made: "take".into(),
                ..StudyDecision::of_position(state.offered(), String::new())
            }];
            put_rollouts_beside(&path, &setup, &mut all, READ_TIMEOUT).unwrap();
            let Some(StudyRollout::Cube(known)) = all[0].rollout.as_deref() else {
                panic!("the rollout counts");
            };
            assert_eq!(known.answer(), Some(answer));
        }
    }
}
