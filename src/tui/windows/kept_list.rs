//! The window of the rollouts that are kept, whatever position they are of.

/// What the window lists.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KeptList {
    /// The rollouts, the last saved first.
    pub rows: Vec<KeptListRow>,
    /// How many are kept.
    pub total: usize,
}

/// A rollout that is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptListRow {
    /// The day on which it was saved last.
    pub day: String,
    /// The position with its dice, as an identifier.
    pub id: String,
    /// The roll.
    pub dice: Option<String>,
    /// What was found; `None` where another version, net or table played the trials.
    pub best: Option<KeptBest>,
    /// How many plays or cube actions were rolled out.
    pub plays: usize,
    /// Trials of each.
    pub trials: u64,
    /// Plies at which the trials were played.
    pub ply: u8,
    /// Whether with the cube.
    pub is_cubeful: bool,
}

/// The best of a rollout.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptBest {
    /// The play or cube action; none where the position itself was rolled out.
    pub play: Option<String>,
    /// Equity in points, at a score EMG.
    pub equity: f64,
    /// Half of the fixed-sample 95% interval.
    pub half: f64,
}
