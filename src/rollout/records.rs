//! Trials as records: to be exported, or kept until shards are merged.

use serde::Serialize;

use super::trial::Outcome;

/// One trial of one strand, as it was counted. Enough to count it again, to the bit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrialRecord {
    /// Place of the strand among the candidates.
    pub strand: u16,
    /// Number of the trial.
    pub trial: u64,
    pub(super) outcome: Outcome,
}

/// A trial as exported.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ExportedTrial {
    /// Number of the trial.
    pub trial: u64,
    /// Place of the strand among the candidates.
    pub strand: u16,
    /// Equity as it ended, in points.
    pub plain: f64,
    /// Equity with the luck subtracted.
    pub reduced: f64,
    /// Chances as it ended: win, gammon, backgammon, gammon lost, backgammon lost.
    pub chances: [f64; 5],
    /// First prescribed number of the dice, 0 to 35.
    pub first: u8,
    /// Second prescribed number of the dice.
    pub second: u8,
}

/// Bytes of a record.
pub const RECORD_BYTES: usize = 2 + 8 + 5 * 4 + 5 * 8 + 2;

impl TrialRecord {
    /// For export.
    #[must_use]
    pub fn exported(&self) -> ExportedTrial {
        let o = &self.outcome;
        ExportedTrial {
            trial: self.trial,
            strand: self.strand,
            plain: super::trial::equity(&o.value),
            reduced: o.reduced_equity(),
            chances: o.value,
            first: o.numbers[0],
            second: o.numbers[1],
        }
    }

    /// Appends the record to `bytes`. Chances at the end of a trial come from an evaluator in single
    /// precision, so nothing is lost.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        let o = &self.outcome;
        bytes.extend(self.strand.to_le_bytes());
        bytes.extend(self.trial.to_le_bytes());
        o.value
            .iter()
            .for_each(|v| bytes.extend((*v as f32).to_le_bytes()));
        o.luck.iter().for_each(|l| bytes.extend(l.to_le_bytes()));
        bytes.extend(o.numbers);
    }

    /// Reads the record at the beginning of `bytes`, and what is left; `None` if it is cut off or
    /// impossible.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (own, rest) = bytes.split_at_checked(RECORD_BYTES)?;
        let mut at = 0;
        let mut take = |n: usize| {
            at += n;
            &own[at - n..at]
        };
        let strand = u16::from_le_bytes(take(2).try_into().ok()?);
        let trial = u64::from_le_bytes(take(8).try_into().ok()?);
        let mut outcome = Outcome::default();
        for v in &mut outcome.value {
            *v = f64::from(f32::from_le_bytes(take(4).try_into().ok()?));
        }
        for l in &mut outcome.luck {
            *l = f64::from_le_bytes(take(8).try_into().ok()?);
        }
        outcome.numbers = take(2).try_into().ok()?;
        let mut all = outcome.value.iter().chain(&outcome.luck);
        let sound = all.all(|x| x.is_finite());
        let numbers = outcome.numbers.iter().all(|n| *n < 36);
        (sound && numbers).then_some((
            Self {
                strand,
                trial,
                outcome,
            },
            rest,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_back_to_the_bit() {
        let record = TrialRecord {
            strand: 3,
            trial: u64::MAX - 5,
            outcome: Outcome {
                value: [f64::from(0.3f32), 1.0, 0.0, 0.25, 0.0],
                luck: [0.1, -0.2, 1e-17, 0.0, -0.0],
                numbers: [35, 0],
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
        bytes[RECORD_BYTES - 1] = 36;
        assert_eq!(TrialRecord::read(&bytes), None);
    }
}
