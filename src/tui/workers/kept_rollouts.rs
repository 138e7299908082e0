//! Finds rollouts of earlier sessions when their match is opened.
//!
//! Rollouts are stored with their position. Those of positions in the match that this program would repeat
//! identically are restored as if they had just ended. They are stored with `auto` luck resolved, but restored with
//! the settings requested here, so that the same keys continue them.

use std::collections::HashMap;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crossbeam_channel::Sender;

use crate::notation::xgid_text;
use crate::panics::guarded;
use crate::review::MatchTurn;
use crate::rollout::{Leeway, LuckKind, Ranks, Settings, Setup, WantedRollout};
use crate::store::{RolloutWorker, StoredRollout};
use crate::tui::message::{Message, Tell as _};
use crate::tui::rollouts::jobs::{Aim, DecisionKey, JobPlay, KeptRollout};

/// How long to wait for the file of rollouts.
const STORE_TIMEOUT: Duration = Duration::from_secs(20);

/// Looks for rollouts of these turns in the background and sends the result.
///
/// # Errors
/// The reason, in one line, why the thread cannot be started.
pub fn find(
    generation: u64,
    turns: Arc<[MatchTurn]>,
    setup: Setup,
    worker: Arc<RolloutWorker>,
    messages: Sender<Message>,
) -> Result<(), String> {
    let work = move || {
        let found = guarded(|| found(&turns, &setup, &worker));
        let message = match found.and_then(|found| found) {
            Ok(rollouts) if rollouts.is_empty() => return,
            Ok(rollouts) => Message::Kept {
                generation,
                rollouts,
            },
            Err(why) => Message::Warning(format!("rollouts that were kept cannot be read: {why}")),
        };
        messages.tell(message);
    };
    thread::Builder::new()
        .name("kept".into())
        .spawn(work)
        .map(drop)
        .map_err(|error| error.to_string())
}

fn found(
    turns: &[MatchTurn],
    setup: &Setup,
    worker: &RolloutWorker,
) -> Result<Vec<KeptRollout>, String> {
    if !worker.may_hold() {
        return Ok(Vec::new());
    }
    let mut decisions = HashMap::new();
    for turn in turns {
        let state = turn.before.state;
        for state in [state, state.before_roll()] {
            decisions.insert(xgid_text(&state), DecisionKey::of(&state));
        }
    }
    let positions = decisions.keys().cloned().collect();
    let all = worker.find_all(positions, STORE_TIMEOUT)?;
    let all = all.into_iter().filter_map(|kept| {
        let decision = *decisions.get(&kept.shown.xgid())?;
        again(decision, kept, setup)
    });
    Ok(all.collect())
}

/// Converts a stored rollout; `None` if this program would not repeat it identically.
fn again(decision: DecisionKey, kept: StoredRollout, setup: &Setup) -> Option<KeptRollout> {
    let StoredRollout {
        shown, progress, ..
    } = kept;
    // Rollouts of the whole match are restored separately.
    if shown.is_of_match() || progress.settings.shard.is_some() {
        return None;
    }
    let wanted = WantedRollout {
        setup: setup.clone(),
        settings: progress.settings.clone(),
        candidates: progress.candidates.clone(),
        leeway: Leeway::More,
    };
    let progress = progress.toward(&wanted).ok()?;
    let result = progress.result(setup).ok()?;
    let plays = JobPlay::all(&decision, &progress.candidates)?;
    Some(KeptRollout {
        decision,
        plays,
        aim: if shown.is_comparison() {
            Aim::Compare
        } else {
            Aim::Each
        },
        settings: Box::new(as_asked(&progress.settings, setup)),
        resolved: Box::new(progress.settings),
        result: Arc::new(result),
    })
}

/// Replaces settings with `auto` where that resolves to the same.
fn as_asked(resolved: &Settings, setup: &Setup) -> Settings {
    let is_alike = |asked: &Settings| asked.resolved(setup) == *resolved;
    let auto = Settings {
        luck: LuckKind::Auto,
        ..resolved.clone()
    };
    let asked = if is_alike(&auto) {
        auto
    } else {
        resolved.clone()
    };
    let auto = Settings {
        ranks: Ranks {
            by: LuckKind::Auto,
            ..asked.ranks
        },
        ..asked.clone()
    };
    if is_alike(&auto) { auto } else { asked }
}

#[cfg(test)]
mod tests {
    use super::super::roller::Runner;
    use super::super::roller::tests::finish;
    use super::super::rollout_keeper::RolloutKeeper;
    use super::*;
    use crate::eval::{Engine, Evaluator};
    use crate::game::GameState;
    use crate::game::{PlayList, Position};
    use crate::rollout::Coupling;
    use crate::tui::rollouts::jobs::Jobs;
    use crate::tui::testing::TestApp;
    use crate::tui::theme::Depth;
    use crossbeam_channel::unbounded;

    /// A rollout of one session is restored with its plays when the match is opened in the next; rollouts of other
    /// positions are not.
    #[test]
    fn rollouts_come_back_with_the_match() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.sqlite");
        let evaluator: Arc<dyn Evaluator> = Arc::new(Engine::embedded());
        let setup = Setup::from(evaluator);
        let mut runner = Runner {
            setup: setup.clone(),
            threads: 1,
        };
        let mut state = GameState::money(Position::opening());
        state.roll = Some("31".parse().unwrap());
        let list = PlayList::of(&state.position, state.roll.unwrap());
        let plays: Vec<JobPlay> = [0, 1]
            .map(|i| JobPlay {
                play: list.plays()[i],
                result: list.results()[i],
            })
            .to_vec();
        let mut settings = Settings {
            horizon: Some(2),
            ..Settings::default()
        };
        settings.stop.trials = 36;
        let mut jobs = Jobs::default();
        let here = DecisionKey::of(&state);
        let other = DecisionKey::of(&GameState {
            roll: Some("64".parse().unwrap()),
            ..state
        });
        for (decision, aim) in [(here, Aim::Each), (here, Aim::Compare), (other, Aim::Each)] {
            settings.seed += 1;
            let id = jobs.add(decision, plays.clone(), aim, settings.clone());
            let positions = plays.iter().map(|p| p.result).collect();
            let rolling = runner
                .start(positions, settings.clone(), Box::new(|| ()))
                .unwrap();
            finish(&*rolling);
            let worker = Arc::new(RolloutWorker::start(path.clone(), |_| ()));
            let keeper = RolloutKeeper::new(Arc::clone(&worker), setup.clone());
            keeper.save_if_due(jobs.get(id).unwrap(), &*rolling, true);
        }
        let (messages, heard) = unbounded();
        let turns = Arc::from([MatchTurn::alone(state)]);
        let worker = Arc::new(RolloutWorker::start(path, |_| ()));
        find(7, turns, setup, worker, messages).unwrap();
        let Ok(Message::Kept {
            generation: 7,
            rollouts,
        }) = heard.recv_timeout(Duration::from_secs(30))
        else {
            panic!("nothing was found")
        };
        let aims: Vec<Aim> = rollouts.iter().map(|r| r.aim).collect();
        assert_eq!(aims, [Aim::Each, Aim::Compare]);
        assert!(
            rollouts
                .iter()
                .all(|r| r.plays == plays && r.decision == here)
        );
        assert!(rollouts.iter().all(|r| r.result.candidates[0].trials == 36));
        let mut later = Jobs::default();
        assert_eq!(later.remember(rollouts.clone()), 2);
        assert!(later.result_of(here, &plays[1].result).is_some());
        assert_eq!(later.remember(rollouts.clone()), 0, "each once");
        assert!(later.current().is_none() && later.next().is_none());
        // A session does not restore its own rollouts.
        assert_eq!(jobs.remember(rollouts), 0);
    }

    /// The store contains resolved settings, while keys request `auto`: the rollout continues anyway. Its figures
    /// rank the plays anew, so these may differ from those that would be rolled out without it.
    #[test]
    fn a_key_goes_on_with_what_was_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.sqlite");
        let evaluator: Arc<dyn Evaluator> = Arc::new(Engine::embedded());
        let setup = Setup {
            cube: Some(Arc::default()),
            ..Setup::from(evaluator)
        };
        let session = || {
            let mut bench = TestApp::new(Depth::True);
            bench.app.settings.rollout.trials = 36;
            bench.app.settings.rollout.horizon = 2;
            bench.keys("n");
            bench
        };
        let mut first = session();
        first.keys("r");
        let job = first.app.jobs.current().expect("a rollout runs").clone();
        let mut runner = Runner {
            setup: setup.clone(),
            threads: 1,
        };
        let positions = job.plays.iter().map(|p| p.result).collect();
        let rolling = runner.start(positions, job.settings.clone(), Box::new(|| ()));
        let rolling = rolling.unwrap();
        finish(&*rolling);
        let worker = Arc::new(RolloutWorker::start(path.clone(), |_| ()));
        RolloutKeeper::new(worker, setup.clone()).save_if_due(&job, &*rolling, true);
        let kept = |bench: &TestApp| {
            let (messages, heard) = unbounded();
            let document = &bench.app.document;
            let (generation, turns) = (document.generation, document.turns.clone());
            let worker = Arc::new(RolloutWorker::start(path.clone(), |_| ()));
            find(generation, turns, setup.clone(), worker, messages).unwrap();
            let heard = heard.recv_timeout(Duration::from_secs(30));
            heard.expect("it was kept")
        };
        let message = kept(&first);
        first.tell(message);
        assert_eq!(first.app.jobs.all().count(), 1, "it has that itself");
        let mut later = session();
        let message = kept(&later);
        later.tell(message);
        later.keys("r");
        let job = later.app.jobs.current().expect("it goes on");
        assert_eq!((job.trials_played(), job.settings.stop.trials), (36, 72));
        assert_eq!(later.app.jobs.all().count(), 1);
    }

    /// `auto` is restored only if it means the same.
    #[test]
    fn settings_come_back_as_they_were_asked_for() {
        let evaluator: Arc<dyn Evaluator> = Arc::new(Engine::embedded());
        let setup = Setup::from(evaluator);
        let of = |luck, coupling, by| Settings {
            luck,
            coupling,
            ranks: Ranks {
                by,
                ..Ranks::default()
            },
            ..Settings::default()
        };
        let (auto, rank) = (LuckKind::Auto, Coupling::Rank);
        for asked in [
            of(auto, Coupling::Dice, auto),
            of(auto, rank, auto),
            of(LuckKind::None, rank, auto),
            of(LuckKind::Net, rank, auto),
            of(LuckKind::Net, rank, LuckKind::Lookahead(Some(1))),
            of(LuckKind::Lookahead(Some(1)), Coupling::Dice, auto),
        ] {
            assert_eq!(as_asked(&asked.resolved(&setup), &setup), asked);
        }
    }
}
