//! The stores of the user's data.

/// A store of the user's data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StoreName {
    /// Notes and variations.
    Notes,
    Rollouts,
    /// Reviews of matches.
    Reviews,
    /// Quiz answers.
    Study,
    /// Matches against the program, one file each.
    Matches,
    /// The settings, which are one thing.
    Settings,
}

impl StoreName {
    /// Describes a number of its records: `1 note`.
    pub fn counted(self, count: usize) -> String {
        let name = match self {
            Self::Settings => return "the settings".into(),
            _ if count != 1 => self.plural(),
            Self::Notes => "note",
            Self::Rollouts => "rollout",
            Self::Reviews => "review",
            Self::Study => "answer",
            Self::Matches => "match",
        };
        format!("{count} {name}")
    }

    /// Plural noun for its records: `notes`.
    pub fn plural(self) -> &'static str {
        match self {
            Self::Notes => "notes",
            Self::Rollouts => "rollouts",
            Self::Reviews => "reviews",
            Self::Study => "answers",
            Self::Matches => "matches",
            Self::Settings => "settings",
        }
    }
}
