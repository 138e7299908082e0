//! Where keys are listened to: the match screen, and each window.

/// Where an action listens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyScope {
    /// On the match screen and in every window over it.
    Everywhere,
    /// On the match screen.
    Match,
    /// In a window with a list to read: help, warnings.
    List,
    /// In the window of errors.
    Errors,
    /// In the window of statistics.
    Statistics,
    /// In the window of rollouts.
    Rollouts,
    /// In a window with a form: rollout settings.
    Form,
    /// In the window that says why.
    Why,
    /// In the window of other scores.
    Matrix,
    /// In the window of the match equity table.
    EquityTable,
    /// On the board of the position editor.
    Editor,
    Quiz,
    /// In the window of the library.
    Library,
    /// In the window of the study plan.
    Plan,
    /// In the window of a player's rating.
    Rating,
    /// Where a line is typed: palette, open, dice, score, time, a play.
    Prompt,
    /// Where a note is typed.
    Note,
}

impl KeyScope {
    /// All scopes, in the order of the manual.
    pub const ALL: [Self; 17] = [
        Self::Match,
        Self::List,
        Self::Errors,
        Self::Statistics,
        Self::Rollouts,
        Self::Form,
        Self::Why,
        Self::Matrix,
        Self::EquityTable,
        Self::Editor,
        Self::Quiz,
        Self::Library,
        Self::Plan,
        Self::Rating,
        Self::Prompt,
        Self::Note,
        Self::Everywhere,
    ];

    /// Name of this scope's table in the file of keys.
    pub fn name(self) -> &'static str {
        match self {
            Self::Everywhere => "everywhere",
            Self::Match => "match",
            Self::List => "list",
            Self::Errors => "errors",
            Self::Statistics => "statistics",
            Self::Rollouts => "rollouts",
            Self::Form => "settings",
            Self::Why => "why",
            Self::Matrix => "scores",
            Self::EquityTable => "met",
            Self::Editor => "editor",
            Self::Quiz => "quiz",
            Self::Library => "library",
            Self::Plan => "plan",
            Self::Rating => "rating",
            Self::Prompt => "prompt",
            Self::Note => "note",
        }
    }

    /// Whether an action of this scope listens in `other`.
    pub fn covers(self, other: Self) -> bool {
        self == Self::Everywhere || self == other
    }

    /// Heading in the help window and the manual.
    pub fn title(self) -> &'static str {
        match self {
            Self::Everywhere => "everywhere",
            Self::Match => "match",
            Self::List => "help and warnings",
            Self::Errors => "errors",
            Self::Statistics => "statistics",
            Self::Rollouts => "rollouts",
            Self::Form => "settings",
            Self::Why => "why",
            Self::Matrix => "other scores",
            Self::EquityTable => "match equity table",
            Self::Editor => "position editor",
            Self::Quiz => "quiz",
            Self::Library => "library",
            Self::Plan => "study plan",
            Self::Rating => "rating",
            Self::Prompt => "palette, open, dice, score and time",
            Self::Note => "note",
        }
    }
}
