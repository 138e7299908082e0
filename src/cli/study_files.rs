//! Decisions of match files, as `quiz` and `export` want them.

use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::Result;

use super::match_list::{MOST_NAMES, nobody, side};
use super::options::{CubeModel, Nets, Threads, error_size, player_name};
use super::review_files::Files;
use super::reviewer::{Reviewer, open_store};
use super::usage::{message_of, misuse, say};
use crate::library::Filter;
use crate::review::Thresholds;
use crate::review::marks::reaches;
use crate::store::{READING, UserFolders, folder, library_decisions};
use crate::study::plan::Family;
use crate::study::{StudyCard, StudyDecision, decision};

/// Where decisions come from.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct StudyFiles {
    /// Match files, or folders of them
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Only decisions of this player, in files or the library
    #[arg(long, value_name = "NAME", value_parser = player_name)]
    player: Option<String>,
    /// Errors of the library; of --player, or yours
    #[arg(long, conflicts_with = "files")]
    library: bool,
    /// Those of the library that fit: words as `find` has them, such as 'take kind:holding'
    #[arg(long, value_name = "WORDS", conflicts_with = "files")]
    filter: Option<String>,
    /// Those of a family of the study plan, such as 'taking, holding game'
    #[arg(long, value_name = "NAME", conflicts_with_all = ["files", "filter"])]
    family: Option<String>,
    /// Points from which on a decision is an error [default: 0.02; all cards of the quiz]
    #[arg(long, value_name = "POINTS", value_parser = error_size)]
    from: Option<f32>,
    #[command(flatten)]
    pub(super) threads: Threads,
    #[command(flatten)]
    pub(super) nets: Nets,
    #[command(flatten)]
    pub(super) cube: CubeModel,
}

/// Names that have a word in common with one that is none.
fn did_you_mean(name: &str, names: &[String]) -> String {
    let typed = name.to_lowercase();
    let words = typed.split([' ', ',']);
    let words: Vec<&str> = words
        .filter(|word| word.len() > 2 && *word != "game")
        .collect();
    let near = names
        .iter()
        .filter(|one| words.iter().any(|word| one.contains(word)));
    let near: Vec<&str> = near.take(6).map(String::as_str).collect();
    match near[..] {
        [] => format!("; they are called like '{}'", names[0]),
        _ => format!("; there are: {}", near.join("; ")),
    }
}

impl StudyFiles {
    /// Whether decisions of the library are wanted.
    pub(super) fn is_library(&self) -> bool {
        self.library || self.filter.is_some() || self.family.is_some()
    }

    /// Whether nothing is named, so that the cards of the quiz are meant. They do not say who decided: then
    /// `--player` is refused.
    pub(super) fn is_of_cards(&self) -> Result<bool> {
        let is_of_cards = self.files.is_empty() && !self.is_library();
        match is_of_cards && self.player.is_some() {
            true => Err(misuse(
                "--player goes with match files or --library: the cards of the quiz do not say who decided",
            )),
            false => Ok(is_of_cards),
        }
    }

    /// Points from which on a decision is an error.
    pub(super) fn least(&self) -> f32 {
        self.from.unwrap_or(Thresholds::default().doubtful)
    }

    /// Whether a card of the quiz gave away as much as `--from` says, if it is given, or is one of a right decision.
    pub(super) fn admits(&self, card: &StudyCard) -> bool {
        !card.is_error || self.from.is_none_or(|from| reaches(card.cost, from))
    }

    /// Refuses decisions of a Crawford game where `--no-crawford` says that there is none. Those of files that are
    /// analysed now are of no such game.
    pub(super) fn agrees_with(&self, wanted: &[StudyDecision]) -> Result<()> {
        let is_crawford = |one: &StudyDecision| one.state.score.crawford;
        match self.cube.no_crawford() && wanted.iter().any(is_crawford) {
            true => Err(misuse(
                "decisions of a Crawford game are among them, --no-crawford says that there is none",
            )),
            false => Ok(()),
        }
    }

    /// What must fit.
    fn wanted(&self) -> Result<Filter> {
        let words = match &self.family {
            None => self.filter.clone().unwrap_or_default(),
            Some(name) => match Family::named(name) {
                Some(family) => family.filter(),
                None => {
                    let names: Vec<String> = Family::all().map(|one| one.name()).collect();
                    let near = did_you_mean(name, &names);
                    return Err(misuse(format!("no family is called '{name}'{near}")));
                }
            },
        };
        Filter::parse(&words).map_err(|error| misuse(format!("filter, {error}")))
    }

    /// All decisions of the library that fit, of `--player` or else of the user.
    pub(super) fn of_library(&self) -> Result<Vec<StudyDecision>> {
        let path = UserFolders::of_user().map(|places| places.library());
        let path = path.ok_or_else(|| misuse("the system names no folder for a library"))?;
        let whose = self.player.as_deref();
        let all = library_decisions(&path, (whose, &self.wanted()?), READING, &mut |why| {
            say(&why)
        })?;
        if all.is_empty() {
            let is_narrowed = self.filter.is_some() || self.family.is_some();
            say(match path.is_file() && is_narrowed {
                true => "no decision in the library fits",
                false => {
                    "no such decision in the library (`luckless library add FOLDER` adds matches)"
                }
            });
        }
        Ok(all)
    }

    /// All decisions of the files, analysed at up to `ply` plies. Matches that were reviewed before are not analysed again.
    pub(super) fn decisions(&self, ply: u8) -> Result<Vec<StudyDecision>> {
        let pool = self.threads.pool()?;
        let store = open_store(None)?;
        let mut reviewer = Reviewer::new(&self.nets, &self.cube, ply, None, store)?;
        let files = folder::with_folders(&self.files, &mut |e| say(&e));
        let mut progress = Files::new(files.len());
        let (mut all, mut names, mut met) = (Vec::new(), BTreeSet::new(), self.player.is_none());
        for (i, path) in files.iter().enumerate() {
            progress.show(i, path);
            match pool.install(|| reviewer.file(path, &|| false)) {
                Ok(reviews) => {
                    for report in reviews.iter().map(|review| &review.report) {
                        let whose = self.player.as_deref().map(|name| side(report, name));
                        if whose == Some(None) {
                            let known = report.players.iter().map(|player| player.name.clone());
                            names.extend(known.take(MOST_NAMES.saturating_sub(names.len())));
                            continue;
                        }
                        met = true;
                        let whose = whose.flatten().map(Into::into);
                        all.extend(decision::of_report(report, whose));
                    }
                }
                // What was named must be readable; in a folder there may be anything.
                Err(error) if self.files.contains(path) => {
                    progress.clear();
                    return Err(error);
                }
                Err(error) => {
                    progress.clear();
                    say(&message_of(&error));
                }
            }
        }
        progress.clear();
        if let Some(error) = reviewer.not_kept() {
            say(&format!("reviews are not kept: {error}"));
        }
        match &self.player {
            Some(name) if !met => Err(nobody(name, &names)),
            _ => Ok(all),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser as _;

    #[derive(clap::Parser)]
    struct CommandLine {
        #[command(flatten)]
        files: StudyFiles,
    }

    /// Among the errors decisions are asked that were right: they have no cost to go by.
    #[test]
    fn cards_of_right_decisions_are_admitted() {
        let parsed = CommandLine::try_parse_from(["quiz", "--from", "0.08"]);
        let files = parsed.unwrap().files;
        let card = |is_error, cost| StudyCard {
            position: String::new(),
            is_error,
            made: String::new(),
            cost,
            source: String::new(),
            answers: Vec::new(),
        };
        assert!(files.admits(&card(true, 0.1)) && files.admits(&card(false, 0.0)));
        assert!(!files.admits(&card(true, 0.05)));
    }
}
