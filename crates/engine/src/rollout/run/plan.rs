//! Which trials are played together, and with which dice.
//!
//! The trials of every candidate are cut into *rounds* of a few trials each; a *unit* of work is one
//! round of one candidate (of both candidates of a pair). Rounds never straddle a block. They are the
//! smaller the slower the play, so that a slow rollout shows something soon and loses little when
//! it is cancelled; results do not depend on them. Where trials are shared out a round says which candidates get a
//! block ([`crate::rollout::counts::allocation`]). Under adaptive allocation a unit is such a block. A race goes on
//! only when all of a round is counted, so that its units are parts of blocks: no worker waits for long.
//!
//! A shard plays every N-th block. Inside, trials are counted from 0 without gaps; [`WorkPlan::real`]
//! tells their numbers.

use std::ops::Range;

use crate::dice::{Dealer, Dice, Purpose, StreamKey};
use crate::game::Position;

use crate::rollout::counts::allocation::LAG;
use crate::rollout::request::coupling::Coupling;
use crate::rollout::request::settings::{Allocation, Settings, Shard};
use crate::rollout::request::setup::Setup;
use crate::rollout::trials::outcome::TrialOutcome;
use crate::rollout::trials::pair::{self, PairDice};
use crate::rollout::trials::play_choice::Cancelled;
use crate::rollout::trials::roll_source::RollSource;
use crate::rollout::trials::trial::TrialPlayers;

/// The dealer of the dice of a rollout with these settings.
pub(crate) fn dealer(setup: &Setup, settings: &Settings) -> Dealer {
    let prescribed = setup.prescribed_dice.clone();
    Dealer::new(settings.dice_source, settings.initial, prescribed)
}

/// The division of a rollout into units.
#[derive(Clone, Debug)]
pub(crate) struct WorkPlan {
    seed: u64,
    coupling: Coupling,
    candidates: usize,
    shard: Shard,
    block: u64,
    shares_out: bool,
    race: bool,
    /// Trials of each candidate that were done before; rounds where trials are shared out.
    done: u64,
    /// Trials of each candidate in all.
    limit: u64,
    /// Trials in a round, or in a unit where trials are shared out.
    chunk: u64,
}

/// A unit of work: trials of one candidate, or of both candidates of a pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WorkUnit {
    pub(crate) candidate: usize,
    pub(crate) trials: Range<u64>,
}

impl WorkPlan {
    /// The plan of what is left after `done` trials of each candidate, or rounds where trials are shared out.
    pub(crate) fn new(settings: &Settings, candidates: usize, done: u64) -> Self {
        let block = settings.block();
        let shares_out = settings.allocation != Allocation::Equal;
        let race = settings.allocation == Allocation::Race;
        let most = match settings.styles().map(|s| s.ply).into_iter().max() {
            Some(0) => 12,
            Some(1) => 4,
            _ => 1,
        };
        let chunk = (1..=most).rev().find(|c| block.is_multiple_of(*c));
        let shard = settings.shard.unwrap_or(Shard { index: 0, of: 1 });
        Self {
            seed: settings.seed,
            coupling: settings.coupling,
            candidates,
            shard,
            block,
            shares_out,
            race,
            done,
            limit: shard.share(settings.stop.trials, block),
            chunk: if shares_out && !race {
                block
            } else {
                chunk.unwrap_or(1)
            },
        }
    }

    /// Units in a round; some may be empty where trials are shared out.
    pub(super) fn width(&self) -> u64 {
        match self.candidates {
            2 => 1,
            candidates if self.shares_out => candidates as u64 * self.units_of_block() as u64,
            candidates => candidates as u64,
        }
    }

    /// Units of a block, where trials are shared out.
    pub(super) fn units_of_block(&self) -> usize {
        (self.block / self.chunk) as usize
    }

    /// The trials of unit `unit` of block `block` of a candidate.
    pub(super) fn part_of_block(&self, block: u64, unit: usize) -> Range<u64> {
        let start = self.block(block).start + unit as u64 * self.chunk;
        start..start + self.chunk
    }

    /// Rounds that may be played before the first of them is counted, where trials are shared out.
    pub(super) fn most_waiting(&self) -> u64 {
        if self.race { 1 } else { LAG as u64 + 1 }
    }

    /// Trials of each candidate in all.
    pub(super) fn limit(&self) -> u64 {
        self.limit
    }

    /// Returns whether a round ends with `trials` trials done, counted from the first.
    pub(crate) fn ends_round(&self, trials: u64) -> bool {
        trials.is_multiple_of(self.chunk) || trials == self.limit
    }

    /// The trials of round `round`, or `None` after the last. Not where they are shared out.
    pub(crate) fn trials(&self, round: u64) -> Option<Range<u64>> {
        let edge = (self.done / self.chunk).checked_add(round)?;
        let start = edge.checked_mul(self.chunk)?.max(self.done);
        let end = edge
            .checked_add(1)?
            .checked_mul(self.chunk)?
            .min(self.limit);
        (start < end).then_some(start..end)
    }

    /// The number of the trial that is the `counted`-th here.
    pub(crate) fn real(&self, counted: u64) -> u64 {
        let (block, place) = (counted / self.block, counted % self.block);
        (block * u64::from(self.shard.of) + u64::from(self.shard.index)) * self.block + place
    }

    fn key(&self, candidate: usize) -> StreamKey {
        let candidate = match self.coupling {
            Coupling::None => candidate as u64,
            _ => 0,
        };
        StreamKey {
            seed: self.seed,
            candidate,
        }
    }

    fn dice(&self, dealer: &mut Dealer, candidate: usize, trial: u64) -> Dice {
        let purpose = if self.coupling.is_ranked() {
            Purpose::Ranks
        } else {
            Purpose::Rolls
        };
        dealer.deal(self.key(candidate), purpose, trial)
    }

    /// Plays a unit. Returns one outcome for each trial; of a pair two, the first candidate's first.
    pub(crate) fn play(
        &self,
        players: &mut TrialPlayers<'_>,
        dealer: &mut Dealer,
        candidates: &[Position],
        unit: &WorkUnit,
    ) -> Result<Vec<TrialOutcome>, Cancelled> {
        let trials = unit.trials.clone();
        let mut outcomes = Vec::with_capacity(2 * (trials.end - trials.start) as usize);
        for counted in trials {
            let trial = self.real(counted);
            if let [a, b] = *candidates {
                outcomes.extend(self.pair(players, dealer, [a, b], trial)?);
            } else {
                let start = candidates[unit.candidate];
                outcomes.push(self.alone(players, dealer, start, unit.candidate, trial)?);
            }
        }
        Ok(outcomes)
    }

    /// Plays one trial of a pair.
    pub(super) fn pair(
        &self,
        players: &mut TrialPlayers<'_>,
        dealer: &mut Dealer,
        starts: [Position; 2],
        trial: u64,
    ) -> Result<[TrialOutcome; 2], Cancelled> {
        let first = self.dice(dealer, 0, trial);
        let mut numbers = [first.prescribed(); 2];
        let dice = match self.coupling {
            Coupling::None => {
                let second = self.dice(dealer, 1, trial);
                numbers[1] = second.prescribed();
                PairDice::Apart([first, second])
            }
            Coupling::Dice => PairDice::Same(first),
            _ => PairDice::Ranked(first),
        };
        let [a, b] = pair::play(players, starts, dice)?;
        Ok([a.outcome(numbers[0]), b.outcome(numbers[1])])
    }

    /// Plays one trial of every candidate.
    pub(super) fn trial(
        &self,
        players: &mut TrialPlayers<'_>,
        dealer: &mut Dealer,
        candidates: &[Position],
        trial: u64,
    ) -> Result<Vec<TrialOutcome>, Cancelled> {
        if let [a, b] = *candidates {
            return Ok(self.pair(players, dealer, [a, b], trial)?.to_vec());
        }
        let alone = |(candidate, start): (usize, &Position)| {
            self.alone(players, dealer, *start, candidate, trial)
        };
        candidates.iter().enumerate().map(alone).collect()
    }

    /// Plays one trial of a candidate by itself. Its rolls are those of the trial's numbers all the
    /// same, to the end of the game. A roll of given rank depends on the candidate's own position only,
    /// so candidates need not be played side by side to be matched.
    pub(super) fn alone(
        &self,
        players: &mut TrialPlayers<'_>,
        dealer: &mut Dealer,
        start: Position,
        candidate: usize,
        trial: u64,
    ) -> Result<TrialOutcome, Cancelled> {
        let mut dice = self.dice(dealer, candidate, trial);
        let numbers = dice.prescribed();
        // The second side of a cube decision begins on the doubled cube.
        let slot = u8::from(self.candidates == 2 && candidate == 1);
        let mut game = players.start(start, slot);
        if self.coupling.is_ranked() {
            let source = &mut || RollSource::Ranked(dice.number(), dice.tie_break());
            players.finish(&mut game, source)?;
        } else {
            players.finish(&mut game, &mut || RollSource::Roll(dice.roll()))?;
        }
        Ok(game.outcome(numbers))
    }

    pub(super) fn shares_out(&self) -> bool {
        self.shares_out
    }

    /// The trials of block `block` of a candidate.
    pub(crate) fn block(&self, block: u64) -> Range<u64> {
        block * self.block..(block + 1) * self.block
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_cover_every_trial_once_wherever_they_begin() {
        for ply in 0..3 {
            for (done, initial) in [
                (0, false),
                (1, true),
                (11, false),
                (12, true),
                (36, false),
                (50, false),
            ] {
                let mut settings = Settings {
                    ply,
                    initial,
                    ..Settings::default()
                };
                settings.stop.trials = 100;
                let block = settings.block();
                let plan = WorkPlan::new(&settings, 3, done);
                let mut next = done;
                for round in 0.. {
                    let Some(trials) = plan.trials(round) else {
                        break;
                    };
                    assert_eq!(trials.start, next);
                    assert_eq!(trials.start / block, (trials.end - 1) / block, "one block");
                    next = trials.end;
                    assert!(plan.ends_round(next));
                }
                assert_eq!(next, 100);
            }
        }
        assert_eq!(WorkPlan::new(&Settings::default(), 1, 1296).trials(0), None);
        assert_eq!(WorkPlan::new(&Settings::default(), 1, 5000).trials(0), None);
    }

    #[test]
    fn shards_share_all_trials() {
        for (trials, of) in [(1296, 7), (100, 3), (35, 4), (36 * 5 + 1, 5), (50, 1)] {
            let mut seen = vec![0; trials];
            for index in 0..of {
                let mut settings = Settings {
                    shard: Some(Shard { index, of }),
                    ..Settings::default()
                };
                settings.stop.trials = trials as u64;
                let plan = WorkPlan::new(&settings, 1, 0);
                (0..plan.limit()).for_each(|v| seen[plan.real(v) as usize] += 1);
            }
            assert!(seen.iter().all(|&n| n == 1), "{trials} {of}: {seen:?}");
        }
    }
}
