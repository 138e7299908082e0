//! The files in which something is kept.

/// A file in which something is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StoreName {
    /// What the user has written.
    Notes,
    Rollouts,
    /// Reviews of matches.
    Reviews,
    /// Answers of the quiz.
    Study,
    /// Matches against the program, each in a file of its own.
    Matches,
    /// The settings, which are one thing.
    Settings,
}

impl StoreName {
    /// So many things of those that this file keeps, in words: `1 note`.
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

    /// The things that are kept in it: `notes`.
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
