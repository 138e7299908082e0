//! Lists stored rollouts in the background.

use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::Sender;

use super::in_background;
use crate::rollout::Setup;
use crate::stats::interval::half_width;
use crate::store::{ListedRollout, RolloutWorker};
use crate::tui::message::Message;
use crate::tui::windows::kept_list::{KeptBest, KeptList, KeptListRow};

/// Maximum number of listed rollouts.
const MOST: usize = 500;
/// How long to wait for the file of rollouts.
const STORE_TIMEOUT: Duration = Duration::from_secs(20);

/// Reads the list and sends it; it is empty without a file of rollouts.
pub fn start(worker: Option<Arc<RolloutWorker>>, setup: Setup, messages: &Sender<Message>) {
    let work = move || list(worker.as_deref(), &setup);
    in_background("kept list", messages, work, Message::KeptList);
}

fn list(worker: Option<&RolloutWorker>, setup: &Setup) -> Result<KeptList, String> {
    let Some(worker) = worker.filter(|worker| worker.may_hold()) else {
        return Ok(KeptList::default());
    };
    let (all, total) = worker.listed(MOST, STORE_TIMEOUT)?;
    Ok(KeptList {
        rows: all.iter().map(|one| row(one, setup)).collect(),
        total,
    })
}

fn row(one: &ListedRollout, setup: &Setup) -> KeptListRow {
    let rollout = &one.rollout;
    let candidates = one.candidates(setup).unwrap_or_default();
    let best = candidates.first().map(|best| KeptBest {
        play: best.play.clone(),
        equity: best.equity.mean,
        half: half_width(best.equity.ci95),
        is_passed: best.is_passed,
    });
    KeptListRow {
        day: one.day(),
        id: rollout.shown.xgid(),
        dice: rollout.shown.dice.clone(),
        best,
        candidates: rollout.progress.candidates.clone(),
        trials: rollout.progress.trials(),
        settings: Box::new(rollout.progress.settings.clone()),
    }
}

#[cfg(test)]
mod tests {
    use crossbeam_channel::unbounded;

    use super::*;
    use crate::eval::{Engine, Evaluator};
    use crate::game::{GameState, Position};
    use crate::rollout::{Rollout, Settings};
    use crate::store::{RolloutCommand, RolloutLabel};

    /// A rollout of the command line with separate dice is listed with an identifier of both; rollouts of whole
    /// matches are not listed.
    #[test]
    fn what_is_kept_is_listed_with_its_position() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.sqlite");
        let evaluator: Arc<dyn Evaluator> = Arc::new(Engine::embedded());
        let setup = Setup::from(evaluator);
        let worker = Arc::new(RolloutWorker::start(path, |_| ()));
        let mut settings = Settings {
            horizon: Some(2),
            ..Settings::default()
        };
        settings.stop.trials = 36;
        let mut state = GameState::money(Position::opening());
        let rolled = |settings: Settings| {
            let candidates = vec![state.position.flipped()];
            let handle = Rollout::start(setup.clone(), candidates, settings, 1, None);
            let mut handle = handle.unwrap();
            handle.wait();
            handle.progress()
        };
        let progress = rolled(settings.clone());
        let label = RolloutLabel {
            command: RolloutCommand::Rollout,
            position: "4HPwATDgc/ABMA".into(),
            dice: Some("31".into()),
            plays: vec![Some("8/5 6/5".into())],
        };
        worker.save(label.clone(), progress);
        let of_match = RolloutLabel {
            command: RolloutCommand::Review,
            ..label
        };
        worker.save(
            of_match,
            rolled(Settings {
                seed: 9,
                ..settings
            }),
        );
        let (messages, inbox) = unbounded();
        start(Some(Arc::clone(&worker)), setup, &messages);
        let Ok(Message::KeptList(Ok(found))) = inbox.recv_timeout(Duration::from_secs(60)) else {
            panic!("no list");
        };
        assert_eq!((found.total, found.rows.len()), (1, 1), "{found:?}");
        let row = &found.rows[0];
        state.roll = Some("31".parse().unwrap());
        assert_eq!(row.id, crate::notation::xgid_text(&state));
        assert_eq!((row.trials, row.candidates.len()), (36, 1));
        let best = row.best.as_ref().expect("this version played it");
        assert_eq!(best.play.as_deref(), Some("8/5 6/5"));
        assert!(best.equity.abs() < 1.0 && best.half > 0.0, "{best:?}");
    }
}
