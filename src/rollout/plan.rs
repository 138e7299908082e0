//! Which trials are played together, and with which dice.
//!
//! The trials of every strand are cut into *rounds* of a few trials each; a *unit* of work is one
//! round of one strand (of both strands of a pair). Rounds never straddle a block of 36 trials.
//! They are the smaller the slower the play, so that a slow rollout shows something soon and loses
//! little when it is cancelled; results do not depend on them.

use std::ops::Range;

use crate::dice::{Dice, Key, Purpose, rotation};
use crate::game::Position;
use crate::stats::Series;

use super::pair::{self, PairDice};
use super::settings::{Coupling, Settings};
use super::tally::Frame;
use super::trial::{Cancelled, Game, Outcome, Players};

/// The division of a rollout into units.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    seed: u64,
    rotation: bool,
    coupling: Coupling,
    strands: usize,
    /// Trials of each strand that were done before.
    done: u64,
    /// Trials of each strand in all.
    limit: u64,
    /// Trials in a round.
    chunk: u64,
}

impl Plan {
    pub(super) fn new(settings: &Settings, strands: usize, done: u64) -> Self {
        let chunk = match settings.ply {
            0 => 12,
            1 => 4,
            _ => 1,
        };
        debug_assert!(Series::BLOCK.is_multiple_of(chunk), "rounds divide blocks");
        Self {
            seed: settings.seed,
            rotation: settings.rotation,
            coupling: settings.coupling,
            strands,
            done,
            limit: settings.stop.trials,
            chunk,
        }
    }

    /// Units in a round.
    pub(super) fn width(&self) -> u64 {
        if self.strands == 2 {
            1
        } else {
            self.strands as u64
        }
    }

    /// The trials of round `round`, or `None` after the last.
    pub(super) fn trials(&self, round: u64) -> Option<Range<u64>> {
        let edge = (self.done / self.chunk).checked_add(round)?;
        let start = edge.checked_mul(self.chunk)?.max(self.done);
        let end = edge
            .checked_add(1)?
            .checked_mul(self.chunk)?
            .min(self.limit);
        (start < end).then_some(start..end)
    }

    fn key(&self, strand: usize) -> Key {
        let strand = match self.coupling {
            Coupling::None => strand as u64,
            _ => 0,
        };
        Key {
            seed: self.seed,
            strand,
        }
    }

    /// The first numbers of the block that holds `trial`, under rotation.
    fn first_numbers(&self, strand: usize, trial: u64) -> Option<[u8; 36]> {
        self.rotation
            .then(|| rotation(self.key(strand), trial / Series::BLOCK))
    }

    fn dice(&self, strand: usize, trial: u64, first: Option<u8>) -> Dice {
        let purpose = match self.coupling {
            Coupling::Rank => Purpose::Ranks,
            _ => Purpose::Rolls,
        };
        Dice::new(self.key(strand), purpose, trial, first)
    }

    /// Plays unit `place` of the round with these trials. One outcome a trial; of a pair two, the
    /// first strand's first.
    pub(super) fn play(
        &self,
        players: &mut Players<'_>,
        frame: &Frame,
        candidates: &[Position],
        place: usize,
        trials: Range<u64>,
    ) -> Result<Vec<Outcome>, Cancelled> {
        let mut outcomes = Vec::with_capacity(2 * (trials.end - trials.start) as usize);
        if let [a, b] = *candidates {
            let firsts = [0, 1].map(|strand| self.first_numbers(strand, trials.start));
            for trial in trials {
                let first = firsts.map(|f| f.map(|f| f[(trial % Series::BLOCK) as usize]));
                let games = self.pair(players, [a, b], trial, first)?;
                for (game, first) in games.iter().zip(first) {
                    outcomes.push(game.outcome(first.map_or(0, |n| frame.stratum(n))));
                }
            }
        } else {
            let firsts = self.first_numbers(place, trials.start);
            for trial in trials {
                let first = firsts.map(|f| f[(trial % Series::BLOCK) as usize]);
                let mut dice = self.dice(place, trial, first);
                let mut game = Game::after_play(candidates[place]);
                players.finish(&mut game, &mut || dice.roll())?;
                outcomes.push(game.outcome(first.map_or(0, |n| frame.stratum(n))));
            }
        }
        Ok(outcomes)
    }

    fn pair(
        &self,
        players: &mut Players<'_>,
        starts: [Position; 2],
        trial: u64,
        first: [Option<u8>; 2],
    ) -> Result<[Game; 2], Cancelled> {
        let dice = |strand: usize| self.dice(strand, trial, first[strand]);
        let dice = match self.coupling {
            Coupling::None => PairDice::Apart([dice(0), dice(1)]),
            Coupling::Dice => PairDice::Same(dice(0)),
            Coupling::Rank => PairDice::Ranks(dice(0)),
        };
        pair::play(players, starts, dice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_cover_every_trial_once_wherever_they_begin() {
        for ply in 0..3 {
            for done in [0, 1, 11, 12, 36, 50] {
                let mut settings = Settings {
                    ply,
                    ..Settings::default()
                };
                settings.stop.trials = 100;
                let plan = Plan::new(&settings, 3, done);
                let mut next = done;
                for round in 0.. {
                    let Some(trials) = plan.trials(round) else {
                        break;
                    };
                    assert_eq!(trials.start, next);
                    assert_eq!(trials.start / 36, (trials.end - 1) / 36, "one block");
                    next = trials.end;
                }
                assert_eq!(next, 100);
            }
        }
        assert_eq!(Plan::new(&Settings::default(), 1, 1296).trials(0), None);
        assert_eq!(Plan::new(&Settings::default(), 1, 5000).trials(0), None);
    }
}
