//! Lists stored rollouts and removes some of them.

use rusqlite::OptionalExtension as _;
use serde::Serialize;

use super::{RolloutStore, StoredRollout};
use crate::cube::cube_words;
use crate::game::GameState;
use crate::match_file::variations::may_beaver;
use crate::notation::parse_possible_id;
use crate::rollout::{CubeSettings, Estimate, RolloutResult, Setup};
use crate::store::checksum::{ASIDE, field};
use crate::store::day;
use crate::store::rows::damaged;
use crate::store::{Lookup, RolloutLabel, StoreError};

#[derive(Clone, Debug)]
pub struct ListedRollout {
    /// Time of the last save, in seconds since 1970.
    pub saved: i64,
    pub rollout: StoredRollout,
}

/// A candidate of a rollout and its result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ListedCandidate {
    /// The play or cube action; `None` for the position itself.
    pub play: Option<String>,
    /// Trials done.
    pub trials: u64,
    /// Equity in points (EMG in a match) for the player who decides.
    pub equity: Estimate,
    /// A pass, or a play after which every trial ended at once with a pass: its interval says nothing.
    #[serde(skip)]
    pub is_passed: bool,
}

impl ListedRollout {
    /// Day of the last save in UTC, as `2026-11-20`.
    pub fn day(&self) -> String {
        day::date(self.saved.div_euclid(86_400))
    }

    /// Returns the candidates with their equities, best first; `None` if this program would roll out differently, as
    /// for another version, evaluator or table.
    pub fn candidates(&self, setup: &Setup) -> Option<Vec<ListedCandidate>> {
        let StoredRollout {
            shown, progress, ..
        } = &self.rollout;
        let result = progress.result(setup).ok()?;
        Some(listed(&result, shown, progress.settings.cube.as_ref()))
    }
}

/// Returns the candidates of a rollout with their figures, best first.
fn listed(
    result: &RolloutResult,
    shown: &RolloutLabel,
    cube: Option<&CubeSettings>,
) -> Vec<ListedCandidate> {
    let is_flipped = shown.is_before_roll();
    let state = parse_possible_id(&shown.position).ok();
    let state = state.map(|state| cube.map_or(state, |cube| cube.restricted(&state)));
    // The command that stored it may have written double for redouble.
    let named = |play: &String| match &state {
        Some(state) => cube_words(play, state).to_owned(),
        None => play.clone(),
    };
    let listed = |i: usize| {
        let (candidate, play) = (&result.candidates[i], shown.plays.get(i)?);
        Some(ListedCandidate {
            play: play.as_ref().map(named),
            trials: candidate.trials,
            equity: match is_flipped {
                true => candidate.flipped().equity,
                false => candidate.equity,
            },
            is_passed: candidate.is_passed(),
        })
    };
    let ranked = result.best_first().into_iter().filter_map(listed);
    ListedCandidate::answered(ranked.collect(), state.as_ref())
}

impl ListedCandidate {
    /// Returns the candidates of a decision, best first, including answers to a double that need no trials. `ranked`
    /// is in the order of [`RolloutResult::best_first`](crate::rollout::RolloutResult::best_first).
    pub fn answered(ranked: Vec<Self>, state: Option<&GameState>) -> Vec<Self> {
        match state.filter(|state| state.doubled) {
            Some(state) => in_order(answers(ranked, may_beaver(state))),
            None if ranked.iter().any(|one| one.pass().is_some()) => in_order(with_pass(ranked)),
            None => ranked,
        }
    }

    /// Returns the pass that corresponds to this take of a double or redouble; `None` for any other candidate.
    fn pass(&self) -> Option<String> {
        let doubled = self.play.as_deref()?.strip_suffix("/take")?;
        Some(format!("{doubled}/pass"))
    }

    /// Returns whether this is a double with one of its answers.
    fn is_answered(&self) -> bool {
        let play = self.play.as_deref().unwrap_or_default();
        play.ends_with("/take") || play.ends_with("/pass")
    }
}

/// Sorts the choices of a cube decision, best first. The opponent chooses the answer that is worse for the doubler,
/// so both answers are ranked by that one.
fn in_order(mut all: Vec<ListedCandidate>) -> Vec<ListedCandidate> {
    let answered = all.iter().filter(|one| one.is_answered());
    let double = answered.map(|one| one.equity.mean).reduce(f64::min);
    let worth = |one: &ListedCandidate| match double {
        Some(double) if one.is_answered() => double,
        _ => one.equity.mean,
    };
    all.sort_by(|a, b| {
        let by_worth = worth(b).total_cmp(&worth(a));
        by_worth.then(a.equity.mean.total_cmp(&b.equity.mean))
    });
    all
}

/// Adds the pass to the candidates of a double. It is not rolled out: it is worth the cube.
fn with_pass(mut all: Vec<ListedCandidate>) -> Vec<ListedCandidate> {
    let of_take = |one: &ListedCandidate| Some((one.pass()?, one.trials));
    if let Some((pass, trials)) = all.iter().find_map(of_take) {
        all.push(ListedCandidate {
            play: Some(pass),
            trials,
            equity: Estimate::exact(1.0),
            is_passed: true,
        });
    }
    all
}

/// Returns the possible answers to an offered double, from the rollout of the cube decision.
fn answers(all: Vec<ListedCandidate>, may_beaver: bool) -> Vec<ListedCandidate> {
    let Some(take) = all.into_iter().find(|one| one.pass().is_some()) else {
        return Vec::new();
    };
    let pass = ListedCandidate {
        play: Some("pass".to_owned()),
        trials: take.trials,
        equity: Estimate::exact(-1.0),
        is_passed: true,
    };
    let take = ListedCandidate {
        play: Some("take".to_owned()),
        equity: take.equity.mirrored(0.0),
        ..take
    };
    // After a beaver the same games are played for twice as much.
    let beaver = may_beaver.then(|| ListedCandidate {
        play: Some("beaver".to_owned()),
        equity: doubled(&take.equity),
        ..take.clone()
    });
    [take, pass].into_iter().chain(beaver).collect()
}

/// Doubles an estimate.
fn doubled(one: &Estimate) -> Estimate {
    let twice = |ends: [f64; 2]| ends.map(|end| 2.0 * end);
    Estimate {
        mean: 2.0 * one.mean,
        se: 2.0 * one.se,
        ci95: twice(one.ci95),
        anytime95: twice(one.anytime95),
    }
}

impl RolloutStore {
    /// Returns the labels of all rollouts by ID, oldest first. Damaged rows are skipped; lookups by key report them.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be read.
    pub(crate) fn labels(&self) -> Result<Vec<(i64, RolloutLabel)>, StoreError> {
        let mut all = Vec::new();
        for id in self.database.ids("rollouts")? {
            // The label is a small part of a row.
            let shown = self.database.read_row(|connection| {
                let mut head =
                    connection.prepare_cached("SELECT shown FROM rollouts WHERE id = ?1")?;
                let shown = head.query_row([id], |row| Ok(field::<String>(row, 0)));
                Ok(shown.optional()?.flatten())
            })?;
            let Lookup::Kept(shown) = shown else { continue };
            all.extend(serde_json::from_str(&shown).ok().map(|label| (id, label)));
        }
        Ok(all)
    }

    /// Returns the undamaged rollouts with these IDs.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be read.
    pub(crate) fn numbered(
        &self,
        ids: impl IntoIterator<Item = i64>,
    ) -> Result<Vec<StoredRollout>, StoreError> {
        let mut kept = Vec::new();
        for id in ids {
            if let Lookup::Kept(Some(whole)) = self.row(id)? {
                kept.extend(whole.kept());
            }
        }
        Ok(kept)
    }

    /// Returns the undamaged rollouts whose label `is_wanted`, oldest first.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be read.
    pub fn shown_as(
        &self,
        is_wanted: &dyn Fn(&RolloutLabel) -> bool,
    ) -> Result<Vec<StoredRollout>, StoreError> {
        let labels = self.labels()?.into_iter();
        self.numbered(
            labels
                .filter(|(_, label)| is_wanted(label))
                .map(|(id, _)| id),
        )
    }

    /// Returns at most `most` rollouts whose label `is_wanted`, last saved first, and their total number. Damaged
    /// rollouts are passed to `report` and skipped.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be read.
    pub fn listed(
        &self,
        is_wanted: &dyn Fn(&RolloutLabel) -> bool,
        most: usize,
        report: &mut dyn FnMut(String),
    ) -> Result<(Vec<ListedRollout>, usize), StoreError> {
        let (mut heads, mut bad) = (Vec::new(), 0);
        for id in self.database.ids("rollouts")? {
            // Label and time are a small part of a row.
            let head = self.database.read_row(|connection| {
                let mut head = connection
                    .prepare_cached("SELECT shown, updated, key FROM rollouts WHERE id = ?1")?;
                let found = head.query_row([id], |row| {
                    let key: Option<String> = field(row, 2);
                    let is_aside = key.is_some_and(|key| key.starts_with(ASIDE));
                    let head = field::<String>(row, 0).zip(field::<i64>(row, 1));
                    Ok((!is_aside).then_some(head))
                });
                Ok(found.optional()?.flatten())
            })?;
            let head = match head {
                Lookup::Nothing => continue,
                Lookup::Kept(head) => head,
                Lookup::Damaged(_) => None,
            };
            let label = |(shown, saved): (String, i64)| {
                Some((serde_json::from_str::<RolloutLabel>(&shown).ok()?, saved))
            };
            match head.and_then(label) {
                Some((shown, saved)) if is_wanted(&shown) => heads.push((saved, id)),
                Some(_) => {}
                None => bad += 1,
            }
        }
        heads.sort_unstable_by(|a, b| b.cmp(a));
        let mut total = heads.len();
        let mut all = Vec::new();
        for (saved, id) in heads {
            if all.len() == most {
                break;
            }
            let whole = match self.row(id)? {
                Lookup::Kept(Some(whole)) => whole.kept(),
                _ => None,
            };
            match whole {
                Some(rollout) => all.push(ListedRollout { saved, rollout }),
                None => {
                    total -= 1;
                    bad += 1;
                }
            }
        }
        if bad > 0 {
            report(damaged(self.path(), bad, ["rollout", "rollouts"]));
        }
        Ok((all, total))
    }

    /// Deletes the rollouts with these IDs and their trials. Returns the IDs that existed.
    ///
    /// # Errors
    /// [`StoreError`] if the file cannot be written; nothing is deleted then.
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
        self.database.shrink();
        Ok(removed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rollout::testing::race_without_the_first;

    fn candidate(play: &str, mean: f64) -> ListedCandidate {
        ListedCandidate {
            is_passed: false,
            play: Some(play.to_owned()),
            trials: 36,
            equity: Estimate {
                se: 0.01,
                ..Estimate::exact(mean)
            },
        }
    }

    fn shown(all: Vec<ListedCandidate>) -> Vec<(String, f64)> {
        let shown = in_order(all).into_iter();
        shown.map(|a| (a.play.unwrap(), a.equity.mean)).collect()
    }

    /// A play dropped from a race ranks last, even if its few trials are the highest.
    #[test]
    fn a_play_that_is_out_of_a_race_is_listed_last() {
        let own = [(612, 0.118), (2628, 0.107), (2628, 0.111)];
        let result = race_without_the_first(own, [-0.016, -0.02, -0.004]);
        let shown = RolloutLabel {
            dice: Some("61".to_owned()),
            plays: ["9/3 4/3", "8/2 4/3", "9/2"]
                .map(|play| Some(play.to_owned()))
                .into(),
            ..RolloutLabel::default()
        };
        let plays = listed(&result, &shown, None).into_iter();
        let plays: Vec<String> = plays.filter_map(|one| one.play).collect();
        assert_eq!(plays, ["9/2", "8/2 4/3", "9/3 4/3"]);
    }

    /// An offered double has two answers, valued for the player who answers.
    #[test]
    fn a_double_on_offer_is_taken_or_passed() {
        let all = vec![candidate("no double", 0.3), candidate("double/take", 0.4)];
        let answers = answers(all, false);
        assert_eq!([answers[0].equity.se, answers[1].equity.se], [0.01, 0.0]);
        assert_eq!(
            shown(answers),
            [("take".into(), -0.4), ("pass".into(), -1.0)]
        );
    }

    /// A beaver doubles the value of a take and its uncertainty.
    #[test]
    fn a_double_on_offer_may_be_beavered() {
        let offered = |take: f64| {
            let all = vec![candidate("no double", 0.3), candidate("double/take", take)];
            answers(all, true)
        };
        let answers = offered(-0.2);
        let beaver = answers.iter().find(|a| a.play.as_deref() == Some("beaver"));
        assert_eq!(beaver.unwrap().equity.se, 0.02);
        let first = |take: f64| shown(offered(take))[0].clone();
        assert_eq!(first(-0.2), ("beaver".into(), 0.4));
        assert_eq!(first(0.2), ("take".into(), -0.2));
        assert_eq!(first(1.2), ("pass".into(), -1.0));
    }

    /// The opponent answers correctly: the value of a take above 1 is out of reach.
    #[test]
    fn the_best_of_a_double_is_what_the_opponent_leaves() {
        let listed = |hold: f64, take: f64| {
            let all = vec![
                candidate("no redouble", hold),
                candidate("redouble/take", take),
            ];
            shown(with_pass(all))
        };
        let first = |hold, take| listed(hold, take)[0].clone();
        assert_eq!(first(0.3, 0.4), ("redouble/take".into(), 0.4));
        assert_eq!(first(0.9, 1.27), ("redouble/pass".into(), 1.0));
        // Too good to redouble.
        assert_eq!(first(1.1, 1.4), ("no redouble".into(), 1.1));
        assert_eq!(listed(1.1, 1.4).len(), 3);
        assert_eq!(shown(with_pass(vec![candidate("8/5 6/5", 0.2)])).len(), 1);
    }
}
