//! The rollouts of a file as a list, and how some of them are taken out.

use rusqlite::OptionalExtension as _;
use serde::Serialize;

use super::{RolloutStore, StoredRollout};
use crate::notation::parse_possible_id;
use crate::rollout::{Estimate, Setup};
use crate::store::checksum::field;
use crate::store::day;
use crate::store::{Lookup, RolloutLabel, StoreError};

/// A rollout of the list.
#[derive(Clone, Debug)]
pub struct ListedRollout {
    /// When it was saved last, in seconds from the beginning of 1970.
    pub saved: i64,
    /// The rollout.
    pub rollout: StoredRollout,
}

/// What was rolled out, and what it is worth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ListedCandidate {
    /// The play or cube action; `None` for the position itself.
    pub play: Option<String>,
    /// Trials done.
    pub trials: u64,
    /// Equity in points, at a score EMG, for the player whose decision it is.
    pub equity: Estimate,
}

impl ListedRollout {
    /// The day on which it was saved last, as `2026-11-20`, in UTC.
    #[must_use]
    pub fn day(&self) -> String {
        day::date(self.saved.div_euclid(86_400))
    }

    /// What was found, the best first; `None` if this program would play the rollout otherwise, as one by another
    /// version or another evaluator.
    #[must_use]
    pub fn candidates(&self, setup: &Setup) -> Option<Vec<ListedCandidate>> {
        let StoredRollout {
            shown, progress, ..
        } = &self.rollout;
        let result = progress.result(setup).ok()?;
        // Without dice a candidate belongs to the player who is not on roll.
        let is_flipped = shown.dice.is_none();
        let both = result.candidates.iter().zip(&shown.plays);
        let all = both.map(|(candidate, play)| ListedCandidate {
            play: play.clone(),
            trials: candidate.trials,
            equity: match is_flipped {
                true => candidate.flipped().equity,
                false => candidate.equity,
            },
        });
        let mut all: Vec<ListedCandidate> = all.collect();
        if parse_possible_id(&shown.position).is_ok_and(|state| state.doubled) {
            all = answers(all);
        }
        all.sort_by(|a, b| b.worth().total_cmp(&a.worth()));
        Some(all)
    }
}

const DOUBLE_TAKE: &str = "double/take";

impl ListedCandidate {
    /// What it is worth if the opponent answers well: nobody takes a double that costs more than a pass.
    fn worth(&self) -> f64 {
        match self.play.as_deref() {
            Some(DOUBLE_TAKE) => self.equity.mean.min(1.0),
            _ => self.equity.mean,
        }
    }
}

/// What the doubled player may answer, of the rollout of a cube decision with a double on offer.
fn answers(all: Vec<ListedCandidate>) -> Vec<ListedCandidate> {
    let taken = |one: &ListedCandidate| one.play.as_deref() == Some(DOUBLE_TAKE);
    let Some(take) = all.into_iter().find(taken) else {
        return Vec::new();
    };
    let pass = ListedCandidate {
        play: Some("pass".to_owned()),
        trials: take.trials,
        equity: Estimate::exact(-1.0),
    };
    let take = ListedCandidate {
        play: Some("take".to_owned()),
        equity: take.equity.mirrored(0.0),
        ..take
    };
    vec![take, pass]
}

impl RolloutStore {
    /// The rollouts that are shown as `is_wanted` says, the last saved first, `most` at most; and how many there are.
    /// What is damaged is left out: it is reported where it is asked for by itself.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be read.
    pub fn listed(
        &self,
        is_wanted: &dyn Fn(&RolloutLabel) -> bool,
        most: usize,
    ) -> Result<(Vec<ListedRollout>, usize), StoreError> {
        let mut heads = Vec::new();
        for id in self.database.ids("rollouts")? {
            // How it is shown and when it was saved are a small part of a row.
            let head = self.database.read_row(|connection| {
                let mut head = connection
                    .prepare_cached("SELECT shown, updated FROM rollouts WHERE id = ?1")?;
                let found = head.query_row([id], |row| {
                    Ok(field::<String>(row, 0).zip(field::<i64>(row, 1)))
                });
                Ok(found.optional()?.flatten())
            })?;
            let Lookup::Kept((shown, saved)) = head else {
                continue;
            };
            if serde_json::from_str(&shown).is_ok_and(|shown| is_wanted(&shown)) {
                heads.push((saved, id));
            }
        }
        heads.sort_unstable_by(|a, b| b.cmp(a));
        let total = heads.len();
        let mut all = Vec::new();
        for (saved, id) in heads {
            if all.len() == most {
                break;
            }
            if let Lookup::Kept(Some(whole)) = self.row(id)? {
                let rollout = whole.kept();
                all.extend(rollout.map(|rollout| ListedRollout { saved, rollout }));
            }
        }
        Ok((all, total))
    }

    /// Takes the rollouts with these numbers out, with their trials; answers which were there.
    ///
    /// # Errors
    /// [`StoreError`] if the file cannot be written; nothing is taken out then.
    pub fn remove(&mut self, ids: &[i64]) -> Result<Vec<i64>, StoreError> {
        let mut removed = Vec::new();
        self.database.change(|change| {
            removed.clear();
            for id in ids {
                change.execute("DELETE FROM trials WHERE rollout = ?1", [id])?;
                if change.execute("DELETE FROM rollouts WHERE id = ?1", [id])? > 0 {
                    removed.push(*id);
                }
            }
            Ok(())
        })?;
        Ok(removed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(play: &str, mean: f64) -> ListedCandidate {
        ListedCandidate {
            play: Some(play.to_owned()),
            trials: 36,
            equity: Estimate {
                se: 0.01,
                ..Estimate::exact(mean)
            },
        }
    }

    /// A double on offer has two answers, seen by the player who gives one.
    #[test]
    fn a_double_on_offer_is_taken_or_passed() {
        let all = vec![candidate("no double", 0.3), candidate(DOUBLE_TAKE, 0.4)];
        let answers = answers(all);
        let shown = answers.iter().map(|a| (a.play.as_deref(), a.equity.mean));
        let shown: Vec<_> = shown.collect();
        assert_eq!(shown, [(Some("take"), -0.4), (Some("pass"), -1.0)]);
        assert_eq!([answers[0].equity.se, answers[1].equity.se], [0.01, 0.0]);
    }

    /// Too good to double: the double would be passed.
    #[test]
    fn a_double_is_worth_a_pass_at_most() {
        let (hold, double) = (candidate("no double", 1.1), candidate(DOUBLE_TAKE, 1.4));
        assert!(hold.worth() > double.worth());
    }
}
