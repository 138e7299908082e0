//! A pair of games or matches between two contestants.

use super::game::{Game, Void};
use super::luck::LuckSum;
use super::player::Fault;
use super::record::{ContestRecord, FaultRecord, PairRecord};
use super::rules::Score;
use super::setup::{Duel, Table};
use crate::dice::{Dice, Purpose, StreamKey};

impl<'a> Duel<'a> {
    /// Plays pair `pair`; `None` if the duel was cancelled. A player that fails is removed from the table.
    pub(super) fn play_pair(&self, table: &mut Table<'a>, pair: u64) -> Option<PairRecord> {
        let played = self.sit(table).and_then(|()| {
            Ok([
                self.contest(table, pair, false)?,
                self.contest(table, pair, true)?,
            ])
        });
        let (contests, fault) = match played {
            Ok(both) => (Some(both), None),
            Err((_, Fault::Cancelled)) => return None,
            Err((side, Fault::Failed { kind, message })) => {
                table.players[side] = None;
                (
                    None,
                    Some(FaultRecord {
                        side,
                        kind,
                        message,
                    }),
                )
            }
        };
        Some(PairRecord {
            pair,
            contests,
            fault,
        })
    }

    fn sit(&self, table: &mut Table<'a>) -> Result<(), Void> {
        for side in [0, 1] {
            if table.players[side].is_none() {
                let player = self.contestants[side].sit();
                table.players[side] = Some(player.map_err(|fault| (side, fault))?);
            }
        }
        Ok(())
    }

    /// Plays one game or match.
    fn contest(
        &self,
        table: &mut Table<'a>,
        pair: u64,
        exchanged: bool,
    ) -> Result<ContestRecord, Void> {
        self.contest_from(table, Score::default(), pair, exchanged)
    }

    /// Plays one game or match from a score.
    pub(super) fn contest_from(
        &self,
        table: &mut Table<'a>,
        mut score: Score,
        pair: u64,
        exchanged: bool,
    ) -> Result<ContestRecord, Void> {
        let (mut record, mut sum) = (ContestRecord::default(), LuckSum::default());
        record.result = loop {
            // Each game of a match has separate dice, so that later games get the same dice too.
            let key = StreamKey {
                seed: self.seed,
                candidate: u64::from(record.games),
            };
            let mut dice = Dice::new(key, Purpose::Rolls, pair);
            record.games += 1;
            let game = Game::new(self, table, score, &mut sum, &mut record);
            let points = game.play(&mut dice, exchanged)?;
            if self.rules.is_money() {
                break points as f64;
            }
            score = score.after(&self.rules, points);
            if score.is_won(&self.rules) {
                break if points > 0 { 0.5 } else { -0.5 };
            }
        };
        (record.luck, record.bounded) = (sum.plain, sum.bounded);
        Ok(record)
    }
}
