//! Equities of a decision's rolled-out plays relative to each other.
//!
//! A race gives no more games to a play shown to be worse, while the best continues. Their means then come from
//! different games. The comparison estimates their difference more accurately from common games.
//!
//! Several rollouts may share plays: often two close ones are compared again without the others. Means of different
//! rollouts are not comparable. Therefore two plays are compared by the rollout with the best founded difference
//! between them, and by their own means only if no rollout has both. The best play has the smallest deficit to any
//! other, and its equity by the rollout that compares it with the next; every other play has that equity minus its
//! deficit to the best. Candidates, errors and reports use these
//! equities; errors only use plays that a rollout compares with the one made.

use super::job::{Job, TRIALS_TO_REPLACE};
use super::jobs::{DecisionKey, Jobs, best_founded};
use crate::game::Position;
use crate::rollout::{CandidateResult, Standing};
use crate::study::rolled;

/// A rolled-out play.
#[derive(Clone, Copy, Debug)]
pub struct RolledPlay<'a> {
    /// The position after the play.
    pub result: Position,
    /// The rollout of its figures: the best founded one with this play, of equals the newest.
    pub job: &'a Job,
    pub figures: &'a CandidateResult,
    /// Equity in points relative to the other plays.
    pub equity: f64,
}

impl<'a> RolledPlay<'a> {
    /// Takes the figures of another rollout, if it has the play.
    fn by(&mut self, job: &'a Job) {
        let (figures, equity) = (job.result_of(&self.result), job.equity_of(&self.result));
        if let (Some(figures), Some(equity)) = (figures, equity) {
            *self = Self {
                job,
                figures,
                equity,
                ..*self
            };
        }
    }
}

impl Jobs {
    /// The plays of a decision ranked by rollouts, best first; cubeful or cubeless like the newest rollout.
    pub fn ranked_plays(&self, decision: DecisionKey) -> Vec<RolledPlay<'_>> {
        let jobs: Vec<&Job> = self.comparable(decision).collect();
        beside_each_other(&jobs, TRIALS_TO_REPLACE, |_| true)
    }

    /// The plays of a decision that rollouts compare with the one leading to `played`, including it, best first, once
    /// there are enough trials for errors. Cubeless rollouts are excluded, because errors of a match are in cubeful
    /// points.
    pub fn told_plays(&self, decision: DecisionKey, played: &Position) -> Vec<RolledPlay<'_>> {
        let tells = |job: &&Job| job.tells_errors();
        let jobs: Vec<&Job> = self.about(decision).filter(tells).collect();
        let compared = |play: &Position| jobs.iter().any(|job| job.compares(play, played));
        beside_each_other(&jobs, 1, compared)
    }

    /// The plays that determine the error of the play leading to `played`, best first, if a rollout with enough
    /// trials has both it and `best`, the best play by the analysis.
    pub fn plays_of_error(
        &self,
        decision: DecisionKey,
        best: &Position,
        played: &Position,
    ) -> Option<Vec<RolledPlay<'_>>> {
        let is_told = self.about(decision).any(|job| job.compares(best, played));
        is_told.then(|| self.told_plays(decision, played))
    }

    /// Error of a play in points, by those plays.
    pub fn error(&self, decision: DecisionKey, best: &Position, played: &Position) -> Option<f32> {
        let told = self.plays_of_error(decision, best, played)?;
        let made = told.iter().find(|play| play.result == *played)?;
        Some((told.first()?.equity - made.equity).max(0.0) as f32)
    }

    /// Standing of two plays by the best founded rollout with both; open without one.
    pub fn standing(&self, decision: DecisionKey, one: &Position, other: &Position) -> Standing {
        let founded = self.founded_standing(decision, one, other);
        founded.map_or(Standing::Open, |(_, standing)| standing)
    }

    /// The best founded rollout with both plays, and their standing by it.
    pub fn founded_standing(
        &self,
        decision: DecisionKey,
        one: &Position,
        other: &Position,
    ) -> Option<(&Job, Standing)> {
        let standings = self.comparable(decision).filter_map(|job| {
            let (foundation, [one, other]) = job.both(1, one, other)?;
            let standing = job
                .result()?
                .standing(one, other, job.settings.closeness())?;
            Some((foundation, (job, standing)))
        });
        best_founded(standings)
    }
}

impl Job {
    /// Equity of a play in points, once it has trials; relative to the best play if their numbers of trials differ.
    pub fn equity_of(&self, result: &Position) -> Option<f64> {
        self.result()?.equity_beside_best(self.place(result)?)
    }

    /// Returns whether this rollout determines errors of its plays.
    fn tells_errors(&self) -> bool {
        let most = self.trials_shown();
        self.is_cubeful() && most > 0 && self.tells(most)
    }

    /// Returns whether this rollout determines the error of one play against another: it is cubeful, and shows the
    /// errors of both.
    pub fn compares(&self, one: &Position, other: &Position) -> bool {
        let shows = |result, play| {
            let place = self.place(play);
            place.is_some_and(|place| rolled::tells_of(result, place))
        };
        let shown = self.result().filter(|_| self.is_cubeful());
        self.plays.len() > 1
            && shown.is_some_and(|result| shows(result, one) && shows(result, other))
    }

    /// Number of trials that both plays have.
    fn trials_of_both(&self, one: &Position, other: &Position) -> Option<u64> {
        let own = |result| self.result_of(result).map(|figures| figures.trials);
        Some(own(one)?.min(own(other)?))
    }

    /// Lead of a play over another in points, and its foundation; `None` if either has fewer than `trials` trials.
    fn lead(
        &self,
        trials: u64,
        one: &Position,
        other: &Position,
    ) -> Option<(rolled::Foundation, f64)> {
        let (foundation, _) = self.both(trials, one, other)?;
        Some((foundation, self.equity_of(one)? - self.equity_of(other)?))
    }

    /// Foundation of the difference of two plays, and their places; `None` if either has fewer than `trials` trials.
    fn both(
        &self,
        trials: u64,
        one: &Position,
        other: &Position,
    ) -> Option<(rolled::Foundation, [usize; 2])> {
        let both = self.trials_of_both(one, other);
        let both = both.filter(|both| *both >= trials)?;
        let [one, other] = [self.place(one)?, self.place(other)?];
        Some((
            self.foundation(both, self.difference_se(one, other)),
            [one, other],
        ))
    }
}

/// Lead of a play over another, and the best founded rollout in which both have `trials` trials, which gives it.
fn lead<'a>(
    jobs: &[&'a Job],
    trials: u64,
    one: &Position,
    other: &Position,
) -> Option<(&'a Job, f64)> {
    let leads = jobs.iter().filter_map(|&job| {
        let (foundation, lead) = job.lead(trials, one, other)?;
        Some((foundation, (job, lead)))
    });
    best_founded(leads)
}

/// The `wanted` plays of these rollouts, newest first, that have at least `trials` trials.
fn beside_each_other<'a>(
    jobs: &[&'a Job],
    trials: u64,
    wanted: impl Fn(&Position) -> bool,
) -> Vec<RolledPlay<'a>> {
    let mut plays: Vec<RolledPlay<'a>> = Vec::new();
    for play in jobs.iter().flat_map(|job| &job.plays) {
        if plays.iter().all(|known| known.result != play.result) && wanted(&play.result) {
            plays.extend(by_best_founded(jobs, play.result, trials));
        }
    }
    // A single rollout has compared its plays by its own equities.
    if jobs.len() > 1 {
        put_beside_best(jobs, trials, &mut plays);
    }
    plays.sort_by(|a, b| b.equity.total_cmp(&a.equity));
    plays
}

/// A play in the best founded rollout as a whole, so that plays shared by several rollouts come from the same one.
fn by_best_founded<'a>(jobs: &[&'a Job], result: Position, trials: u64) -> Option<RolledPlay<'a>> {
    let having = jobs.iter().filter_map(|job| {
        let figures = job.result_of(&result).filter(|own| own.trials >= trials)?;
        Some((job.own_foundation(), (*job, figures)))
    });
    let (job, figures) = best_founded(having)?;
    Some(RolledPlay {
        result,
        job,
        figures,
        equity: job.equity_of(&result)?,
    })
}

/// Sets the equity of each play of several rollouts to the best's minus its deficit, with the figures of the rollout
/// that gives the deficit. The best play has those of the rollout that compares it with the next.
fn put_beside_best<'a>(jobs: &[&'a Job], trials: u64, plays: &mut [RolledPlay<'a>]) {
    let ahead = |one: &RolledPlay<'a>, other: &RolledPlay<'a>| {
        let together = lead(jobs, trials, &one.result, &other.result);
        together.unwrap_or((other.job, one.equity - other.equity))
    };
    let behind = |play: &RolledPlay<'a>| {
        let others = plays.iter().filter(|other| other.result != play.result);
        others
            .map(|other| ahead(other, play).1)
            .fold(f64::NEG_INFINITY, f64::max)
    };
    let least = plays.iter().map(behind).enumerate();
    let Some((best, _)) = least.min_by(|a, b| a.1.total_cmp(&b.1)) else {
        return;
    };
    plays.swap(0, best);
    let (best, others) = plays.split_first_mut().expect("the best is one of them");
    let leads: Vec<(&'a Job, f64)> = others.iter().map(|play| ahead(best, play)).collect();
    let next = leads.iter().min_by(|a, b| a.1.total_cmp(&b.1));
    if let Some((job, _)) = next {
        best.by(job);
    }
    for (play, (job, lead)) in others.iter_mut().zip(leads) {
        play.by(job);
        // Contradictory rollouts must not put a play above the best.
        play.equity = best.equity - lead.max(0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{GameState, PlayList, Roll};
    use crate::rollout::{CubeSettings, Settings, Status, StopReason};
    use crate::tui::rollouts::jobs::JobPlay;
    use crate::tui::testing::made_up;

    /// The plays of an opening roll and jobs that rolled out some of them, given by index: the first is worth 0.1,
    /// and each next 0.03 less.
    fn rolled_out(rollouts: &[(&[usize], u64)]) -> (Jobs, DecisionKey, Vec<Position>) {
        let state = GameState {
            roll: Some(Roll::ALL[1]),
            ..GameState::money(Position::opening())
        };
        let (decision, list) = (
            DecisionKey::of(&state),
            PlayList::of(&state.position, Roll::ALL[1]),
        );
        let mut jobs = Jobs::default();
        for (places, trials) in rollouts {
            let (plays, settings) = cubeful(places);
            let result = made_up(plays.len(), *trials, Status::Done(StopReason::Trials));
            jobs.take_match_rollout(decision, &plays, &settings, result);
        }
        (jobs, decision, list.results().to_vec())
    }

    /// Returns some plays of a roll of the opening position, and the settings of a rollout of them with the cube.
    fn cubeful(places: &[usize]) -> (Vec<JobPlay>, Settings) {
        let list = PlayList::of(&Position::opening(), Roll::ALL[1]);
        let play = |&i: &usize| JobPlay {
            play: list.plays()[i],
            result: list.results()[i],
        };
        let cube = CubeSettings::after_play(&GameState::money(Position::opening()));
        let settings = Settings {
            cube: Some(cube),
            ..Settings::default()
        };
        (places.iter().map(play).collect(), settings)
    }

    fn equities(plays: &[RolledPlay<'_>], of: &[Position]) -> Vec<(usize, f64)> {
        let place = |play: &RolledPlay<'_>| of.iter().position(|result| *result == play.result);
        let rounded = |equity: f64| (equity * 1000.0).round() / 1000.0;
        let found = plays.iter();
        found
            .map(|play| (place(play).unwrap(), rounded(play.equity)))
            .collect()
    }

    /// In a comparison, plays are placed by their difference to its best play.
    #[test]
    fn a_comparison_moves_no_play_past_one_that_it_does_not_have() {
        let (jobs, decision, plays) = rolled_out(&[(&[3, 0, 1, 2], 720), (&[0, 2], 5184)]);
        let all = [(3, 0.1), (0, 0.07), (1, 0.04), (2, 0.01)];
        assert_eq!(equities(&jobs.ranked_plays(decision), &plays), all);
        assert_eq!(equities(&jobs.told_plays(decision, &plays[2]), &plays), all);
        let error = |played: usize| jobs.error(decision, &plays[0], &plays[played]);
        assert!((error(2).unwrap() - 0.09).abs() < 1e-6, "{:?}", error(2));
        assert_eq!(error(3), Some(0.0));
        assert_eq!(error(4), None, "nobody has rolled it out");
    }

    /// The best of a comparison stays first, and other plays keep their distance from it.
    #[test]
    fn the_best_of_a_comparison_leads_the_plays_of_the_rollout_before() {
        let (jobs, decision, plays) = rolled_out(&[(&[0, 1, 2], 720), (&[1, 0], 5184)]);
        let all = [(1, 0.1), (0, 0.07), (2, 0.07)];
        assert_eq!(equities(&jobs.ranked_plays(decision), &plays), all);
    }

    /// The two plays of a comparison have its figures, however well the rollout before is founded.
    #[test]
    fn the_plays_of_a_comparison_have_its_figures() {
        let (mut jobs, decision, plays) = rolled_out(&[(&[0, 1, 2], 5184)]);
        let (both, settings) = cubeful(&[0, 1]);
        let mut closer = (*made_up(2, 720, Status::Done(StopReason::Trials))).clone();
        for candidate in &mut closer.candidates {
            candidate.equity.mean -= 0.02;
        }
        closer.difference.as_mut().unwrap().equity.se = 1e-4;
        jobs.take_match_rollout(decision, &both, &settings, closer.into());
        let ranked = jobs.ranked_plays(decision);
        assert_eq!(equities(&ranked, &plays), [(0, 0.08), (1, 0.05), (2, 0.02)]);
        let trials: Vec<u64> = ranked.iter().map(|play| play.figures.trials).collect();
        assert_eq!(trials, [720, 720, 5184]);
        assert_eq!(jobs.result_of(decision, &plays[0]).unwrap().trials, 720);
    }

    /// A play rolled out alone, or with too few games in common with the play made, does not determine its error.
    #[test]
    fn an_error_is_told_by_plays_that_were_compared_with_the_one_made() {
        let (jobs, decision, plays) = rolled_out(&[(&[3, 0, 1], 720), (&[2], 5184)]);
        let told = jobs.told_plays(decision, &plays[1]);
        assert_eq!(equities(&told, &plays), [(3, 0.1), (0, 0.07), (1, 0.04)]);
        let error = jobs.error(decision, &plays[0], &plays[1]).unwrap();
        assert!((error - 0.06).abs() < 1e-6, "{error}");
        // The comparison of the first two has only begun.
        let (jobs, decision, plays) = rolled_out(&[(&[0, 2], 720), (&[1], 720), (&[1, 0], 2)]);
        let ranked = equities(&jobs.ranked_plays(decision), &plays);
        assert_eq!(ranked[2], (2, 0.07), "{ranked:?}");
        let all: Vec<&Job> = jobs.comparable(decision).collect();
        let lead =
            |one: usize, other: usize| lead(&all, TRIALS_TO_REPLACE, &plays[one], &plays[other]);
        assert!(lead(1, 0).is_none());
        assert!(lead(0, 2).unwrap().1 > 0.029);
    }

    /// A rollout that still runs, or was stopped while it was open, determines no error before it has as many trials
    /// as a rollout gets by itself.
    #[test]
    fn an_open_rollout_changes_no_error() {
        let (mut jobs, decision, plays) = rolled_out(&[]);
        let (both, settings) = cubeful(&[0, 1]);
        let mut error = |trials, status| {
            jobs.take_match_rollout(decision, &both, &settings, made_up(2, trials, status));
            assert_eq!(jobs.ranked_plays(decision).len(), 2);
            jobs.error(decision, &plays[0], &plays[1])
        };
        let done = Status::Done;
        for open in [Status::Running, Status::Paused, done(StopReason::Cancelled)] {
            assert_eq!(error(2556, open), None, "{open:?}");
            assert!(error(2592, open).is_some(), "{open:?}");
        }
        assert_eq!(error(36, done(StopReason::Trials)), None);
        for ended in [StopReason::Trials, StopReason::Time] {
            assert!(error(720, done(ended)).is_some(), "{ended:?}");
        }
        assert!(error(36, done(StopReason::Separated)).is_some());
    }

    /// A play shown worse after few games has the error of its rollout once that has ended.
    #[test]
    fn a_play_shown_worse_early_has_its_error_by_the_rollout() {
        let (mut jobs, decision, plays) = rolled_out(&[]);
        let (of, settings) = cubeful(&[0, 1, 2]);
        let mut error = |status, beaten| {
            let mut result = (*made_up(3, 720, status)).clone();
            result.candidates[2].trials = 72;
            result.family.as_mut().unwrap().beaten = vec![false, false, beaten];
            jobs.take_match_rollout(decision, &of, &settings, result.into());
            jobs.error(decision, &plays[0], &plays[2])
        };
        let ended = Status::Done(StopReason::Trials);
        assert_eq!(error(Status::Running, true), None);
        assert_eq!(error(ended, false), None);
        assert!((error(ended, true).unwrap() - 0.06).abs() < 1e-6);
    }

    /// Plays never rolled out together are compared by their own figures.
    #[test]
    fn plays_that_were_never_rolled_out_together_go_by_their_own_equities() {
        let (jobs, decision, plays) = rolled_out(&[(&[0], 720), (&[2, 1], 720)]);
        let found = equities(&jobs.ranked_plays(decision), &plays);
        assert_eq!(found.len(), 3);
        assert_eq!(found[2], (1, 0.07));
        assert_eq!(jobs.error(decision, &plays[0], &plays[1]), None);
    }

    /// Even if rollouts contradict each other in a cycle, one play is first and no other is above it.
    #[test]
    fn a_ring_of_comparisons_has_one_best_play() {
        let (jobs, decision, _) = rolled_out(&[(&[0, 1], 720), (&[1, 2], 720), (&[2, 0], 720)]);
        let found = jobs.ranked_plays(decision);
        assert_eq!(found.len(), 3);
        assert!(found.iter().all(|play| play.equity <= found[0].equity));
    }

    /// A play dropped from a race does not lead through luck in its few games, even if the plays were not to be
    /// compared.
    #[test]
    fn a_play_that_is_out_of_a_race_stands_by_its_difference() {
        let (mut jobs, decision, plays) = rolled_out(&[]);
        let list = PlayList::of(&Position::opening(), Roll::ALL[1]);
        let of = [0, 1, 2].map(|i| JobPlay {
            play: list.plays()[i],
            result: list.results()[i],
        });
        let settings = Settings {
            cube: Some(CubeSettings::after_play(&GameState::money(
                Position::opening(),
            ))),
            ..Settings::default()
        };
        let mut result = (*made_up(3, 720, Status::Done(StopReason::Trials))).clone();
        let lucky = &mut result.candidates[2];
        (lucky.trials, lucky.equity.mean) = (360, 0.2);
        result.family.as_mut().unwrap().out = vec![false, false, true];
        jobs.take_match_rollout(decision, &of, &settings, result.into());
        let all = [(0, 0.1), (1, 0.07), (2, 0.04)];
        assert_eq!(equities(&jobs.ranked_plays(decision), &plays), all);
    }
}
