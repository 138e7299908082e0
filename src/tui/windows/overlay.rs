//! Windows over the screen: their state, apart from how they are drawn and what their keys do.

use tui_input::Input;

use super::equity_table::EquityTablePlace;
use super::exported::{Exported, MatchStatistics};
use super::form::Form;
use super::kept_list::KeptList;
use super::path_prompt::PathPrompt;
use super::quiz::StudyWindow;
use crate::tui::keys::{ACTIONS, ActionEntry, ActionId, KeyScope};
use crate::tui::rollouts::inquiry::{Inquiry, MatrixPlace};

/// A window over the screen.
#[derive(Clone, Debug)]
pub enum Overlay {
    /// The keys of the place it was opened from, found by what is typed.
    Help {
        /// That place: the screen, or the window that comes back.
        place: KeyScope,
        /// The typed filter.
        input: Input,
        /// Without a filter all keys are listed, not only the usual ones.
        all: bool,
        /// Selected row.
        row: usize,
        /// The window that comes back.
        behind: Option<Box<Overlay>>,
    },
    /// A list of which only the selected row is kept.
    List {
        /// The action that opens it.
        of: ActionId,
        row: usize,
    },
    /// The library; what it shows is kept in [`App::library`](crate::tui::state::App::library).
    Library,
    /// The study plan; what it shows is kept in [`App::plan`](crate::tui::state::App::plan).
    Plan,
    /// The rating of a player.
    Rating,
    /// The rollouts that run or wait, and those that are kept.
    KeptList {
        /// Those that are kept, once they are read; or why they cannot be.
        found: Option<Result<KeptList, String>>,
        /// Selected row.
        row: usize,
    },
    /// The match equity table.
    EquityTable(EquityTablePlace),
    /// What the match comes to for both players.
    Statistics {
        /// What it comes to.
        found: MatchStatistics,
        /// The first line in sight.
        row: usize,
    },
    /// A path or an ID.
    Open(PathPrompt),
    /// A note beside the move in view.
    Note {
        /// What is typed.
        input: Input,
        /// The note as it was when the window opened.
        before: String,
    },
    /// A line that is typed.
    Prompt {
        what: Prompt,
        /// What is typed.
        input: Input,
        /// Nothing was typed yet: the text is the one proposed, and what is typed takes its place.
        is_proposed: bool,
    },
    /// Settings: those of rollouts, or all.
    Form(Form),
    /// Why one play is better than another, or all about a cube decision.
    Why {
        inquiry: Inquiry,
        /// The selected next roll.
        roll: usize,
    },
    /// What deeper play would change of a rollout.
    Bias { inquiry: Inquiry },
    /// The decision at other scores.
    Matrix {
        inquiry: Inquiry,
        /// The selected cell.
        place: MatrixPlace,
    },
}

/// What a typed line is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prompt {
    /// The file that something is written to.
    Export(Exported),
    /// How long the match may be rolled out.
    TimeLimit,
    /// What a new match is played or transcribed by.
    NewMatch {
        /// Whether others play it, and it is only written down.
        is_transcribed: bool,
    },
    /// The dice of a variation or of a position alone.
    Dice,
    /// An answer to a question of the quiz, or the next turn of a transcript.
    Play,
    /// Score and length of a draft.
    Score,
}

impl Prompt {
    /// The maximum number of characters.
    pub const fn longest(self) -> usize {
        match self {
            Self::Dice | Self::TimeLimit => 6,
            Self::Score => 12,
            Self::Play => 60,
            // Two names have room.
            Self::NewMatch { .. } => 100,
            Self::Export(_) => 1024,
        }
    }
}

impl From<StudyWindow> for Overlay {
    fn from(window: StudyWindow) -> Self {
        match window {
            StudyWindow::Library => Self::Library,
            StudyWindow::Plan => Self::Plan,
            StudyWindow::Rating => Self::Rating,
        }
    }
}

impl Overlay {
    /// This window, or the one from which the list of keys was opened.
    pub fn below_keys(&mut self) -> &mut Self {
        match self {
            Self::Help {
                behind: Some(window),
                ..
            } => window,
            window => window,
        }
    }

    /// The same, only to be looked at.
    pub fn under_keys(&self) -> &Self {
        match self {
            Self::Help {
                behind: Some(window),
                ..
            } => window,
            window => window,
        }
    }

    /// The window for a line.
    pub fn prompt(what: Prompt) -> Self {
        Self::Prompt {
            what,
            input: Input::default(),
            is_proposed: false,
        }
    }

    /// The window for a line that is proposed.
    pub fn proposal(what: Prompt, proposed: String) -> Self {
        Self::Prompt {
            what,
            input: Input::new(proposed),
            is_proposed: true,
        }
    }

    /// Takes a text that was proposed as if it were typed: it is edited from now on. Returns whether it was proposed.
    pub fn keep_proposed(&mut self) -> bool {
        match self {
            Self::Prompt { is_proposed, .. } => std::mem::take(is_proposed),
            _ => false,
        }
    }

    /// Whether what is typed in this window is about the document or the decision in view.
    pub fn is_about_view(&self) -> bool {
        matches!(self, Self::Note { .. } | Self::Prompt { .. })
    }

    /// The columns with which this window takes the place of the moves beside the board; `None` for a window that never
    /// does.
    pub fn columns_beside(&self) -> Option<u16> {
        match self {
            // Texts, and lists of what is in view already.
            Self::List {
                of:
                    ActionId::Figures
                    | ActionId::Imported
                    | ActionId::Legend
                    | ActionId::Themes
                    | ActionId::Warnings,
                ..
            } => None,
            Self::List { .. }
            | Self::Statistics { .. }
            | Self::Why { .. }
            | Self::Matrix { .. } => Some(52),
            // With fewer their rows would say less than on a narrow screen.
            Self::Library | Self::Plan => Some(80),
            _ => None,
        }
    }

    /// The selected row, where the window keeps one.
    pub fn row_mut(&mut self) -> Option<&mut usize> {
        match self {
            Self::Help { row, .. }
            | Self::List { row, .. }
            | Self::KeptList { row, .. }
            | Self::Statistics { row, .. }
            | Self::Why { roll: row, .. } => Some(row),
            _ => None,
        }
    }

    /// The selected row, or the first.
    pub fn row(&self) -> usize {
        match self {
            Self::Help { row, .. }
            | Self::List { row, .. }
            | Self::KeptList { row, .. }
            | Self::Statistics { row, .. }
            | Self::Why { roll: row, .. } => *row,
            _ => 0,
        }
    }

    /// The line that is typed in this window.
    pub fn input(&self) -> Option<&Input> {
        match self {
            Self::Help { input, .. } | Self::Note { input, .. } | Self::Prompt { input, .. } => {
                Some(input)
            }
            Self::Open(prompt) => Some(&prompt.input),
            _ => None,
        }
    }

    /// The same, to be changed.
    pub fn input_mut(&mut self) -> Option<&mut Input> {
        match self {
            Self::Help { input, .. } | Self::Note { input, .. } | Self::Prompt { input, .. } => {
                Some(input)
            }
            Self::Open(prompt) => Some(&mut prompt.input),
            _ => None,
        }
    }

    /// What is typed.
    pub fn typed(&self) -> &str {
        self.input().map_or("", Input::value)
    }

    /// The selected row of the list that this action opens.
    pub fn row_of_list(&self, action: ActionId) -> Option<usize> {
        match self {
            Self::List { of, row } if *of == action => Some(*row),
            _ => None,
        }
    }

    /// Whether this window is one of the pages of help.
    pub fn is_help(&self) -> bool {
        matches!(
            self,
            Self::Help { .. }
                | Self::List {
                    of: ActionId::Legend | ActionId::Figures,
                    ..
                }
        )
    }

    /// Where keys go while this window is open.
    pub fn scope(&self) -> KeyScope {
        match self {
            Self::List {
                of: ActionId::Errors,
                ..
            } => KeyScope::Errors,
            Self::List { .. } | Self::Bias { .. } => KeyScope::List,
            Self::Statistics { .. } => KeyScope::Statistics,
            Self::KeptList { .. } => KeyScope::Rollouts,
            Self::Library => KeyScope::Library,
            Self::Plan => KeyScope::Plan,
            Self::Rating => KeyScope::Rating,
            Self::Help { .. } | Self::Open(_) | Self::Prompt { .. } => KeyScope::Prompt,
            Self::Note { .. } => KeyScope::Note,
            Self::Form(form) if form.takes_text() => KeyScope::Prompt,
            Self::Form(_) => KeyScope::Form,
            Self::Why { .. } => KeyScope::Why,
            Self::Matrix { .. } => KeyScope::Matrix,
            Self::EquityTable(_) => KeyScope::EquityTable,
        }
    }
}

/// The rows of the help window: the actions of the match screen or of the editor, then those that work
/// everywhere.
pub fn help_rows(screen: KeyScope) -> Vec<&'static ActionEntry> {
    let of = |scope: KeyScope| ACTIONS.iter().filter(move |a| a.scope == scope);
    of(screen).chain(of(KeyScope::Everywhere)).collect()
}

/// The first row on screen of a list of `count` of which `height` fit, around the selected one.
pub fn first_row(selected: usize, height: usize, count: usize) -> usize {
    selected
        .saturating_sub(height / 2)
        .min(count.saturating_sub(height))
}
