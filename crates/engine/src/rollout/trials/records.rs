//! Trials as records: to be exported, or kept until shards are merged.

use serde::Serialize;

use super::cubeful::CubeEnd;
use super::outcome::TrialOutcome;
use crate::cube::dahl::{Settled, States};
use crate::dice::COUNTED;

/// One trial of one candidate, as it was counted. Enough to count it again, to the bit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrialRecord {
    /// Place of the candidate.
    pub candidate: u16,
    pub trial: u64,
    pub(crate) outcome: TrialOutcome,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ExportedTrial {
    pub trial: u64,
    /// Place of the candidate.
    pub candidate: u16,
    /// Equity as it ended, in points.
    pub plain: f64,
    /// Equity with the luck subtracted.
    pub variance_reduced: f64,
    /// Chances as it ended: win, gammon, backgammon, gammon lost, backgammon lost.
    pub chances: [f64; 5],
    /// The largest cube, in a cubeful rollout.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cube: Option<u32>,
    /// First prescribed number of the dice, 0 to 35.
    pub first: u8,
    /// Second prescribed number of the dice.
    pub second: u8,
}

impl ExportedTrial {
    /// This trial seen by the other player.
    pub fn flipped(self) -> Self {
        let [win, gammon, backgammon, lose_gammon, lose_backgammon] = self.chances;
        Self {
            plain: -self.plain,
            variance_reduced: -self.variance_reduced,
            chances: [1.0 - win, lose_gammon, lose_backgammon, gammon, backgammon],
            ..self
        }
    }
}

/// Bytes of a cubeless record; a cubeful one has [`CUBE_BYTES`] more.
pub const RECORD_BYTES: usize = 2 + 8 + 5 * 4 + 5 * 8 + COUNTED;

/// Bytes of what the cube adds: result, luck, cube, and whether it ended with a pass.
const CUBE_BYTES: usize = 8 + 8 + 1 + 1;
/// Bytes of the states of the cube: results and lucks, and for each a bit that the cube ended it, and one that it did
/// so before the second roll.
const STATES_BYTES: usize = 3 * (8 + 8) + 1;
/// Bit in the number of the candidate: what the cube adds follows.
const HAS_CUBE: u16 = 1 << 15;
/// Bit in the number of the candidate: the two candidates of the pair have coalesced.
const COALESCED: u16 = 1 << 14;
/// Bit in the number of the candidate: the first roll decided the trial.
const FIRST_ONLY: u16 = 1 << 13;
/// Bit in the number of the candidate: the states of the cube follow.
const HAS_STATES: u16 = 1 << 12;

impl TrialRecord {
    /// Returns whether this is a trial of a pair whose candidates have coalesced.
    pub fn has_coalesced(&self) -> bool {
        self.outcome.coalesced
    }

    pub fn exported(&self) -> ExportedTrial {
        let o = &self.outcome;
        ExportedTrial {
            trial: self.trial,
            candidate: self.candidate,
            plain: o.plain_equity(),
            variance_reduced: o.variance_reduced_equity(),
            chances: o.value,
            cube: o.cube.map(|c| 1 << c.level.min(31)),
            first: o.numbers[0],
            second: o.numbers[1],
        }
    }

    /// Appends the record to `bytes`. Chances at the end of a trial come from an evaluator in single
    /// precision, so nothing is lost.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        let o = &self.outcome;
        let flag = |is: bool, bit: u16| if is { bit } else { 0 };
        let flags = flag(o.cube.is_some(), HAS_CUBE)
            | flag(o.coalesced, COALESCED)
            | flag(o.first_only, FIRST_ONLY)
            | flag(o.states.is_some(), HAS_STATES);
        bytes.extend((self.candidate | flags).to_le_bytes());
        bytes.extend(self.trial.to_le_bytes());
        o.value
            .iter()
            .for_each(|v| bytes.extend((*v as f32).to_le_bytes()));
        o.luck.iter().for_each(|l| bytes.extend(l.to_le_bytes()));
        bytes.extend(o.numbers);
        if let Some(cube) = &o.cube {
            bytes.extend(cube.result.to_le_bytes());
            bytes.extend(cube.luck.to_le_bytes());
            bytes.extend([cube.level, u8::from(cube.passed)]);
        }
        if let Some(states) = &o.states {
            let mut bits = 0;
            for (i, state) in states.all().into_iter().enumerate() {
                bytes.extend(state.points.to_le_bytes());
                bytes.extend(state.luck.to_le_bytes());
                bits |= u8::from(state.by_cube) << i | u8::from(state.by_first_roll) << (i + 3);
            }
            bytes.push(bits);
        }
    }

    /// Reads the record at the beginning of `bytes`, and what is left; `None` if it is cut off or
    /// impossible.
    pub fn read(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (own, mut rest) = bytes.split_at_checked(RECORD_BYTES)?;
        let mut at = 0;
        let mut take = |n: usize| {
            at += n;
            &own[at - n..at]
        };
        let flagged = u16::from_le_bytes(take(2).try_into().ok()?);
        let candidate = flagged & !(HAS_CUBE | COALESCED | FIRST_ONLY | HAS_STATES);
        let trial = u64::from_le_bytes(take(8).try_into().ok()?);
        let mut outcome = TrialOutcome {
            coalesced: flagged & COALESCED != 0,
            first_only: flagged & FIRST_ONLY != 0,
            ..TrialOutcome::default()
        };
        for v in &mut outcome.value {
            *v = f64::from(f32::from_le_bytes(take(4).try_into().ok()?));
        }
        for l in &mut outcome.luck {
            *l = f64::from_le_bytes(take(8).try_into().ok()?);
        }
        outcome.numbers = take(COUNTED).try_into().ok()?;
        if flagged & HAS_CUBE != 0 {
            let (cube, left) = rest.split_at_checked(CUBE_BYTES)?;
            outcome.cube = Some(read_cube(cube)?);
            rest = left;
        }
        if flagged & HAS_STATES != 0 {
            let (states, left) = rest.split_at_checked(STATES_BYTES)?;
            outcome.states = Some(read_states(states)?);
            rest = left;
        }
        let mut all = outcome.value.iter().chain(&outcome.luck);
        let sound = all.all(|x| x.is_finite());
        let numbers = outcome.numbers.iter().all(|n| *n < 36);
        (sound && numbers).then_some((
            Self {
                candidate,
                trial,
                outcome,
            },
            rest,
        ))
    }
}

fn number(bytes: &[u8], at: usize) -> Option<f64> {
    let bytes = bytes.get(at..at + 8)?.try_into().ok()?;
    Some(f64::from_le_bytes(bytes)).filter(|x| x.is_finite())
}

fn read_states(bytes: &[u8]) -> Option<States<Settled>> {
    let bits = *bytes.get(STATES_BYTES - 1)?;
    let settled = |i: usize| {
        Some(Settled {
            points: number(bytes, 16 * i)?,
            luck: number(bytes, 16 * i + 8)?,
            by_cube: bits & 1 << i != 0,
            by_first_roll: bits & 8 << i != 0,
        })
    };
    Some(States {
        centred: settled(0)?,
        own: settled(1)?,
        other: settled(2)?,
    })
}

fn read_cube(bytes: &[u8]) -> Option<CubeEnd> {
    let (level, passed) = (*bytes.get(16)?, *bytes.get(17)?);
    (level < 32 && passed < 2).then_some(CubeEnd {
        result: number(bytes, 0)?,
        luck: number(bytes, 8)?,
        level,
        passed: passed == 1,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_back_to_the_bit() {
        let record = TrialRecord {
            candidate: 3,
            trial: u64::MAX - 5,
            outcome: TrialOutcome {
                value: [f64::from(0.3f32), 1.0, 0.0, 0.25, 0.0],
                luck: [0.1, -0.2, 1e-17, 0.0, -0.0],
                numbers: [35, 0, 7, 1],
                cube: None,
                states: None,
                coalesced: true,
                first_only: true,
            },
        };
        let mut bytes = Vec::new();
        record.write(&mut bytes);
        record.write(&mut bytes);
        assert_eq!(bytes.len(), 2 * RECORD_BYTES);
        let (first, rest) = TrialRecord::read(&bytes).unwrap();
        assert_eq!(first, record);
        assert_eq!(TrialRecord::read(rest).unwrap().0, record);
        assert_eq!(TrialRecord::read(&rest[1..]), None);
        let mut cubeful = record;
        cubeful.outcome.cube = Some(CubeEnd {
            result: -2.0 / 3.0,
            luck: 0.1,
            level: 3,
            passed: true,
        });
        let mut settled = record;
        let state = |points, luck, by_cube| Settled {
            points,
            luck,
            by_cube,
            by_first_roll: by_cube && luck > 0.0,
        };
        settled.outcome.states = Some(States {
            centred: state(1.0, 0.1, true),
            own: state(-2.0, 1e-17, false),
            other: state(-1.0, -0.0, true),
        });
        let mut states = Vec::new();
        settled.write(&mut states);
        assert_eq!(states.len(), RECORD_BYTES + STATES_BYTES);
        let (back, rest) = TrialRecord::read(&states).unwrap();
        assert_eq!((back, rest), (settled, &[][..]));
        assert_eq!(TrialRecord::read(&states[..states.len() - 1]), None);
        let mut mixed = Vec::new();
        cubeful.write(&mut mixed);
        record.write(&mut mixed);
        let (first, rest) = TrialRecord::read(&mixed).unwrap();
        assert_eq!(first, cubeful);
        assert_eq!(TrialRecord::read(rest).unwrap().0, record);
        assert_eq!(TrialRecord::read(&mixed[..RECORD_BYTES + 5]), None);
        mixed[RECORD_BYTES + 17] = 2;
        assert_eq!(TrialRecord::read(&mixed), None);
        bytes[RECORD_BYTES - 1] = 36;
        assert_eq!(TrialRecord::read(&bytes), None);
    }
}
