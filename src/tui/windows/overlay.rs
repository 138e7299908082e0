//! Windows over the screen: their state, apart from how they are drawn and what their keys do.

use std::fs::DirEntry;

use tui_input::Input;

use super::equity_table::EquityTablePlace;
use super::exported::Exported;
use super::form::Form;
use super::kept_list::KeptList;
use super::quiz::StudyWindow;
use crate::tui::keys::{ACTIONS, ActionEntry, KeyScope};
use crate::tui::rollouts::inquiry::{Inquiry, MatrixPlace};

/// A window over the screen.
#[derive(Clone, Debug)]
pub enum Overlay {
    /// The keys of the place it was opened from.
    Help {
        /// That place: the screen, or the window that comes back.
        place: KeyScope,
        /// Selected row.
        row: usize,
        /// The window that comes back.
        behind: Option<Box<Overlay>>,
    },
    /// The figures in view as sentences.
    Figures {
        /// Selected row.
        row: usize,
    },
    /// What the signs on the screen mean.
    Legend {
        /// First sign in sight.
        row: usize,
    },
    /// The library; what it shows is kept in [`App::library`](crate::tui::state::App::library).
    Library,
    /// The study plan; what it shows is kept in [`App::plan`](crate::tui::state::App::plan).
    Plan,
    /// The rating of a player.
    Rating,
    /// The rollouts that are kept.
    KeptList {
        /// The list, once it is read; or why it cannot be.
        found: Option<Result<KeptList, String>>,
        /// Selected row.
        row: usize,
    },
    /// The match equity table.
    EquityTable(EquityTablePlace),
    /// The errors by cost.
    Errors {
        /// Selected row.
        row: usize,
    },
    /// What the file's program says, and what rollouts say of that.
    Opinions {
        /// Selected row.
        row: usize,
    },
    /// What the match comes to for both players.
    Statistics {
        /// In lines; none while it is worked out.
        lines: Vec<String>,
        /// The first line in sight.
        row: usize,
    },
    /// What was wrong with the file.
    Warnings {
        /// Selected row.
        row: usize,
    },
    /// What the file says of the decision in view.
    Imported {
        /// Selected row.
        row: usize,
    },
    /// The themes, the selected one in use.
    Themes {
        /// Selected row.
        row: usize,
    },
    /// Commands by name.
    Palette {
        /// What is typed.
        input: Input,
        /// Selected row.
        row: usize,
    },
    /// A path or an ID.
    Open {
        /// What is typed.
        input: Input,
        /// Names that complete it.
        found: Vec<String>,
        /// Selected row, if one is.
        row: Option<usize>,
    },
    /// A note beside the move in view.
    Note {
        /// What is typed.
        input: Input,
        /// The note as it was when the window opened.
        before: String,
    },
    /// Where something is written.
    Export {
        /// What is exported.
        what: Exported,
        /// What is typed.
        input: Input,
        /// Nothing was typed yet: the name is the one proposed, and what is typed takes its place.
        is_proposed: bool,
    },
    /// How long the match may be rolled out.
    TimeLimit {
        /// What is typed.
        input: Input,
        /// Nothing was typed yet: the time is the one proposed, and a digit takes its place.
        is_proposed: bool,
    },
    /// The dice of a position alone.
    Dice {
        /// What is typed.
        input: Input,
    },
    /// An answer to a question of the quiz.
    Play {
        /// What is typed.
        input: Input,
    },
    /// Score and length of a draft.
    Score {
        /// What is typed.
        input: Input,
    },
    /// Settings: those of rollouts, or all.
    Form(Form),
    /// Why one play is better than another, or all about a cube decision.
    Why {
        /// Which.
        inquiry: Inquiry,
        /// The selected next roll.
        roll: usize,
    },
    /// What deeper play would change of a rollout.
    Bias {
        /// Which.
        inquiry: Inquiry,
    },
    /// The decision at other scores.
    Matrix {
        /// Which.
        inquiry: Inquiry,
        /// The selected cell.
        place: MatrixPlace,
    },
}

impl From<StudyWindow> for Overlay {
    fn from(window: StudyWindow) -> Self {
        match window {
            StudyWindow::Library => Self::Library,
            StudyWindow::Plan => Self::Plan,
        }
    }
}

impl Overlay {
    /// This window, or the one from which the list of keys was opened.
    #[must_use]
    pub fn below_keys(&mut self) -> &mut Self {
        match self {
            Self::Help {
                behind: Some(window),
                ..
            } => window,
            window => window,
        }
    }

    /// Whether what is typed in this window is about the document or the decision in view.
    #[must_use]
    pub fn is_about_view(&self) -> bool {
        matches!(
            self,
            Self::Note { .. }
                | Self::Export { .. }
                | Self::TimeLimit { .. }
                | Self::Dice { .. }
                | Self::Play { .. }
                | Self::Score { .. }
        )
    }

    /// Whether this window is one of the pages of help.
    #[must_use]
    pub fn is_help(&self) -> bool {
        matches!(
            self,
            Self::Help { .. } | Self::Legend { .. } | Self::Figures { .. }
        )
    }

    /// Where keys go while this window is open.
    #[must_use]
    pub fn scope(&self) -> KeyScope {
        match self {
            Self::Help { .. }
            | Self::Legend { .. }
            | Self::Figures { .. }
            | Self::Themes { .. }
            | Self::Warnings { .. }
            | Self::Opinions { .. }
            | Self::KeptList { .. }
            | Self::Statistics { .. }
            | Self::Imported { .. }
            | Self::Bias { .. } => KeyScope::List,
            Self::Library => KeyScope::Library,
            Self::Plan => KeyScope::Plan,
            Self::Rating => KeyScope::Rating,
            Self::Errors { .. } => KeyScope::Errors,
            Self::Palette { .. }
            | Self::Open { .. }
            | Self::Dice { .. }
            | Self::Play { .. }
            | Self::Score { .. }
            | Self::Export { .. }
            | Self::TimeLimit { .. } => KeyScope::Prompt,
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
#[must_use]
pub fn help_rows(screen: KeyScope) -> Vec<&'static ActionEntry> {
    let of = |scope: KeyScope| ACTIONS.iter().filter(move |a| a.scope == scope);
    of(screen).chain(of(KeyScope::Everywhere)).collect()
}

/// Names in the folder of what is typed that begin like it: files and folders (with their slash),
/// at most `most`.
#[must_use]
pub fn completions(typed: &str, most: usize) -> Vec<String> {
    let (folder, begin) = match typed.rfind('/') {
        Some(i) => (&typed[..=i], &typed[i + 1..]),
        None => ("", typed),
    };
    let read = std::fs::read_dir(if folder.is_empty() { "." } else { folder });
    let Ok(entries) = read else {
        return Vec::new();
    };
    let completion = |entry: DirEntry| {
        let name = entry.file_name().into_string().ok()?;
        let is_shown = !name.starts_with('.') || begin.starts_with('.');
        // Only these cost more than their names.
        (name.starts_with(begin) && is_shown).then(|| {
            let slash = if is_folder(&entry) { "/" } else { "" };
            format!("{folder}{name}{slash}")
        })
    };
    let mut found: Vec<String> = entries
        .flatten()
        // A folder of a million files must not stop the keyboard.
        .take(5000)
        .filter_map(completion)
        .collect();
    found.sort();
    found.truncate(most);
    found
}

/// Whether an entry is a folder, or a link to one. Most systems tell the kind with the name, without another
/// look.
fn is_folder(entry: &DirEntry) -> bool {
    entry
        .file_type()
        .is_ok_and(|kind| kind.is_dir() || kind.is_symlink() && entry.path().is_dir())
}

/// The first row on screen of a list of `count` of which `height` fit, around the selected one.
#[must_use]
pub fn first_row(selected: usize, height: usize, count: usize) -> usize {
    selected
        .saturating_sub(height / 2)
        .min(count.saturating_sub(height))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_completed() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("anna.mat"), "").unwrap();
        std::fs::create_dir(folder.path().join("annex")).unwrap();
        let start = format!("{}/ann", folder.path().display());
        let found = completions(&start, 9);
        assert_eq!(found.len(), 2);
        assert!(found[0].ends_with("anna.mat") && found[1].ends_with("annex/"));
        assert!(completions("/no such folder/x", 9).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_folder_is_one() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("matches")).unwrap();
        for (to, name) in [("matches", "link1"), ("nowhere", "link2")] {
            std::os::unix::fs::symlink(at(to), at(name)).unwrap();
        }
        let start = format!("{}/link", folder.path().display());
        let found = completions(&start, 9);
        assert_eq!(found, [format!("{start}1/"), format!("{start}2")]);
    }
}
