//! Fingerprints of cube models: they identify everything that determines a decision, and serve as keys of
//! stored results.

use std::fmt;

use serde::Serialize;

use super::efficiency::Efficiency;
use super::equity_table::EquityTable;
use super::model::Model;

/// The parts of a model, with checksums of its tables.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModelFingerprint {
    pub table: TableFingerprint,
    pub efficiency: EfficiencyFingerprint,
    /// Exact cubeful bearoffs, if there is a table.
    pub bearoff: Option<BearoffFingerprint>,
}

/// Identifies the source of cube efficiencies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EfficiencyFingerprint {
    Net {
        /// CRC-32 of the weights of the net without the Jacoby rule, as in its file.
        crc32: u32,
        /// CRC-32 of the weights of the net with the Jacoby rule.
        jacoby: u32,
    },
    /// One efficiency for all positions and cubes.
    Constant(f32),
}

/// Identifies a match equity table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TableFingerprint {
    pub name: String,
    /// The beginning of the SHA-256 of all its chances.
    pub sha256: String,
}

/// Identifies a table of exact bearoffs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct BearoffFingerprint {
    /// Maximum number of checkers per side.
    pub checkers: u8,
    /// CRC-32 of its values, as in its file.
    pub crc32: u32,
}

impl TableFingerprint {
    fn of(table: &EquityTable) -> Self {
        let digest = table.digest();
        Self {
            name: table.name().to_owned(),
            sha256: digest[..8].iter().map(|b| format!("{b:02x}")).collect(),
        }
    }

    /// Returns the name of the table and the beginning of its checksum; `None` for the embedded table.
    pub fn unless_standard(&self) -> Option<String> {
        let is_other = *self != Self::of(EquityTable::standard());
        is_other.then(|| format!("{} {}", self.name, &self.sha256[..8]))
    }
}

impl Model {
    /// Returns the fingerprint of the model.
    pub fn fingerprint(&self) -> ModelFingerprint {
        // Destructured, so that a new field cannot be forgotten.
        let Self {
            table,
            efficiency,
            bearoff,
        } = self;
        ModelFingerprint {
            table: TableFingerprint::of(table),
            efficiency: match efficiency {
                Efficiency::Learnt(nets) => EfficiencyFingerprint::Net {
                    crc32: nets.usual.header().crc32,
                    jacoby: nets.jacoby.header().crc32,
                },
                Efficiency::Constant(x) => EfficiencyFingerprint::Constant(*x),
            },
            bearoff: bearoff.as_ref().map(|table| BearoffFingerprint {
                checkers: table.checkers(),
                crc32: table.crc32(),
            }),
        }
    }
}

impl fmt::Display for ModelFingerprint {
    /// Writes the model in one line, without the embedded match equity table.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            table,
            efficiency,
            bearoff,
        } = self;
        if let Some(table) = table.unless_standard() {
            write!(f, "match equities {table}, ")?;
        }
        // Always written, since stored results outlive these nets.
        match efficiency {
            EfficiencyFingerprint::Net { crc32, jacoby } => {
                write!(f, "cube efficiency nets {crc32:08x} {jacoby:08x}")?;
            }
            EfficiencyFingerprint::Constant(x) => write!(f, "cube efficiency {x}")?,
        }
        if let Some(BearoffFingerprint { checkers, crc32 }) = bearoff {
            write!(f, ", exact bearoffs of {checkers} checkers {crc32:08x}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::bearoff::two_sided::TwoSided;
    use std::sync::Arc;

    #[test]
    fn every_change_of_values_changes_the_fingerprint() {
        let standard = Model::default();
        let mut refitted = standard.clone();
        refitted.efficiency = Efficiency::Constant(0.74);
        let mut other = standard.clone();
        other.table = Arc::new(standard.table.without_crawford());
        let exact = |bytes: &[u8]| {
            let table = TwoSided::from_bytes(bytes).unwrap();
            Model {
                bearoff: Some(Arc::new(table)),
                ..standard.clone()
            }
        };
        let table = TwoSided::compute(1, &mut |_| true).unwrap();
        let bytes = table.to_bytes();
        // The same number of checkers, but another value.
        let mut changed = bytes.clone();
        let last = changed.len() - 1;
        changed[last] ^= 1;
        let sum = crc32fast::hash(&changed[32..]);
        changed[16..20].copy_from_slice(&sum.to_le_bytes());
        let all = [
            &standard,
            &refitted,
            &other,
            &exact(&bytes),
            &exact(&changed),
        ];
        let marks = all.map(|model| (model.fingerprint(), model.fingerprint().to_string()));
        for (i, one) in marks.iter().enumerate() {
            for two in &marks[..i] {
                assert!(one.0 != two.0 && one.1 != two.1, "{one:?} {two:?}");
            }
        }
        assert_eq!(exact(&bytes).fingerprint(), exact(&bytes).fingerprint());
    }
}
