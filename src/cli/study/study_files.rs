//! Decisions of match files and positions of lists, as `quiz` and `export` want them.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;

use crate::cli::common::options::{CubeModel, Nets, Threads, asked_size, player_name};
use crate::cli::common::progress::FileProgress;
use crate::cli::common::stdin;
use crate::cli::common::usage::{message_of, misuse, report_not_kept, say};
use crate::cli::reviews::match_list::{MOST_NAMES, nobody, refuse_nobody, side};
use crate::cli::reviews::reviewer::{FileReview, Reviewer, open_store};
use crate::eval::Evaluator;
use crate::library::Filter;
use crate::review::Thresholds;
use crate::review::marks::reaches;
use crate::rollout::Setup;
use crate::sanitize;
use crate::store::{
    LibraryChoice, LibraryStore, READ_TIMEOUT, StoreError, StudyNotes, UserFolders, file, folder,
    library_decisions, put_rollouts_beside, put_rollouts_beside_cards,
};
use crate::study::plan::Family;
use crate::study::{StudyCard, StudyDecision, decision, list};

/// Where decisions come from.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct StudyFiles {
    /// Match files or lists of positions, or folders of match files; - is stdin
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Only decisions of this player, in files or the library
    #[arg(long, value_name = "NAME", value_parser = player_name)]
    player: Option<String>,
    /// Errors of the library; of --player, or yours
    #[arg(long, conflicts_with = "files")]
    library: bool,
    /// Those of the library that fit: words as `find` has them, such as 'take kind:holding'; of --player, of the
    /// player the words name, or yours
    #[arg(long, value_name = "WORDS", conflicts_with = "files")]
    filter: Option<String>,
    /// Those of a family of the study plan, such as 'taking, holding game'
    #[arg(long, value_name = "NAME", conflicts_with_all = ["files", "filter"])]
    family: Option<String>,
    /// Points from which on a decision is an error; 0: every decision, right ones too [default: 0.02; 0 where --filter
    /// asks for notes; all cards of the quiz]
    #[arg(long, value_name = "POINTS", value_parser = asked_size)]
    from: Option<f32>,
    #[command(flatten)]
    pub(crate) threads: Threads,
    #[command(flatten)]
    pub(crate) nets: Nets,
    #[command(flatten)]
    pub(crate) cube: CubeModel,
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
    /// Returns whether the decisions come from the library.
    pub(crate) fn is_library(&self) -> bool {
        self.library || self.filter.is_some() || self.family.is_some()
    }

    /// Returns whether no source is named, so that the quiz's cards are used.
    /// Cards do not name the player, so `--player` is refused.
    pub(crate) fn is_of_cards(&self) -> Result<bool> {
        let is_of_cards = self.files.is_empty() && !self.is_library();
        match is_of_cards && self.player.is_some() {
            true => Err(misuse(
                "--player goes with match files or --library: the cards of the quiz do not say who decided",
            )),
            false => Ok(is_of_cards),
        }
    }

    /// Returns whether `path` is one of the files, or lies in one of the folders.
    pub(crate) fn reads(&self, path: &Path) -> bool {
        let files = folder::with_folders(&self.files, &mut |_| ());
        files.iter().any(|one| file::is_same(one, path))
    }

    /// Points from which on a decision is an error; 0 where every decision is wanted.
    pub(crate) fn least(&self) -> f32 {
        self.from.unwrap_or_else(|| match self.is_of_notes() {
            true => 0.0,
            false => Thresholds::default().doubtful,
        })
    }

    /// Returns whether every decision is wanted, right ones too.
    pub(crate) fn is_every(&self) -> bool {
        self.least() <= 0.0
    }

    /// Returns whether `--filter` selects decisions with notes of the user, who has chosen them already.
    fn is_of_notes(&self) -> bool {
        let filter = self.filter.as_deref().map(Filter::parse);
        filter.is_some_and(|filter| filter.is_ok_and(|filter| filter.wants_notes()))
    }

    /// Returns whether a card's error reaches `--from`, if given.
    /// A card without a cost passes: one of a right decision, or of a position of a list.
    pub(crate) fn admits(&self, card: &StudyCard) -> bool {
        // A position of a list has no cost to go by either.
        let has_cost = card.is_error && !card.made.is_empty();
        !has_cost || self.from.is_none_or(|from| reaches(card.cost, from))
    }

    /// Refuses decisions of a Crawford game where `--no-crawford` says that there is none. Those of files that are
    /// analysed now are of no such game.
    pub(crate) fn agrees_with(&self, wanted: &[StudyDecision]) -> Result<()> {
        let is_crawford = |one: &StudyDecision| one.state.score.crawford;
        match self.cube.no_crawford() && wanted.iter().any(is_crawford) {
            true => Err(misuse(
                "decisions of a Crawford game are among them, --no-crawford says that there is none",
            )),
            false => Ok(()),
        }
    }

    /// Returns the filter that decisions must match.
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

    /// Returns the selection from the library.
    fn choice<'a>(&'a self, filter: &'a Filter) -> LibraryChoice<'a> {
        LibraryChoice {
            whose: self.player.as_deref(),
            filter,
            with_right: !self.is_every(),
        }
    }

    /// ` of yours`, where decisions of the library are looked for and nobody else is named.
    pub(crate) fn of_yours(&self) -> &'static str {
        let path = UserFolders::of_user().map(|places| places.library());
        let filter = self.wanted().ok().filter(|_| self.is_library());
        let is_of_user = |(path, filter): (PathBuf, Filter)| {
            let wanted = self.choice(&filter);
            wanted.is_of_user(&path, READ_TIMEOUT)
        };
        match path.zip(filter).is_some_and(is_of_user) {
            true => " of yours",
            false => "",
        }
    }

    /// All decisions of the library that fit, of `--player` or else of the user. Where not every decision is wanted,
    /// right ones are among them.
    pub(crate) fn of_library(&self) -> Result<Vec<StudyDecision>> {
        let path = UserFolders::of_user().map(|places| places.library());
        let path = path.ok_or_else(|| misuse("the system names no folder for a library"))?;
        let filter = self.wanted()?;
        let wanted = self.choice(&filter);
        let all = library_decisions(&path, &wanted, READ_TIMEOUT, &mut |why| say(&why))?;
        if all.is_empty() {
            self.refuse_nobody(&path)?;
            let is_narrowed = self.filter.is_some() || self.family.is_some();
            say(match path.is_file() && is_narrowed {
                true if wanted.is_of_user(&path, READ_TIMEOUT) => {
                    "no decision of yours in the library fits; --player NAME, or player:NAME in the filter, asks another's"
                }
                true => "no decision in the library fits",
                false => {
                    "no such decision in the library (`luckless library add FOLDER` adds matches)"
                }
            });
        }
        Ok(with_notes(self.with_rollouts(all)?))
    }

    /// Refuses a `--player` whom no match of the library at `path` has.
    fn refuse_nobody(&self, path: &Path) -> Result<()> {
        let Some(name) = &self.player else {
            return Ok(());
        };
        match LibraryStore::open_to_list(path, READ_TIMEOUT)? {
            // Whoever looked for decisions has told what is damaged.
            Some(store) => refuse_nobody(name, &store.matches(&mut |_| {})?, &store.people()?),
            None => Ok(()),
        }
    }

    /// Returns the decisions in the positions of a file without games, or `None` without positions.
    /// Reports the parts that could not be read.
    fn positions(&self, path: &Path) -> Result<Option<Vec<StudyDecision>>> {
        let Ok(mut record) = stdin::read_match(path) else {
            return Ok(None);
        };
        self.cube.apply_to(&mut record);
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = sanitize::clean(&name).into_owned();
        let count = record.lone_positions().count();
        if count == 0 {
            return Ok(None);
        }
        if self.player.is_some() {
            return Err(misuse(format!(
                "{name}: holds positions, of which nobody is the player; leave --player out"
            )));
        }
        for warning in record.all_warnings() {
            say(&format!("{name}: {}", warning.with_place()));
        }
        let mut asked = list::decisions(&record, &name);
        let left_out = count - asked.len();
        if left_out > 0 {
            say(&format!(
                "{name}: {left_out} of {count} positions left out: nothing is to be decided there"
            ));
        }
        let (mut known, all) = (HashSet::new(), asked.len());
        asked.retain(|one| known.insert(one.key()));
        if let again @ 1.. = all - asked.len() {
            let are = if again == 1 {
                "position is"
            } else {
                "positions are"
            };
            say(&format!(
                "{name}: {again} {are} in it before, and counted once, with the first remark"
            ));
        }
        if let Some(notes) = notes(&asked) {
            notes.put_over_remarks(&mut asked);
        }
        Ok(Some(asked))
    }

    /// All decisions of the files, analysed at up to `ply` plies. Matches that were reviewed before are not analysed
    /// again.
    /// Of a file without a game its positions are the decisions, if it is named.
    pub(crate) fn decisions(&self, ply: u8) -> Result<Vec<StudyDecision>> {
        let pool = self.threads.pool()?;
        let store = open_store(None)?;
        let mut reviewer = Reviewer::new(&self.nets, &self.cube, ply, None, store)?;
        let files = folder::with_folders(&self.files, &mut |e| say(&e));
        let mut progress = FileProgress::new(files.len());
        let (mut all, mut names, mut met) = (Vec::new(), BTreeSet::new(), self.player.is_none());
        let mut numbers = HashMap::new();
        for (i, path) in files.iter().enumerate() {
            progress.show(i, path);
            match pool.install(|| reviewer.file(path, &|| false)) {
                Ok(reviews) => {
                    for FileReview {
                        fingerprint,
                        report,
                        ..
                    } in &reviews
                    {
                        let whose = self.player.as_deref().map(|name| side(report, name));
                        if whose == Some(None) {
                            let known = report.players.iter().map(|player| player.name.clone());
                            names.extend(known.take(MOST_NAMES.saturating_sub(names.len())));
                            continue;
                        }
                        met = true;
                        let whose = whose.flatten();
                        let next = numbers.len() as i64;
                        let number = *numbers.entry(fingerprint.clone()).or_insert(next);
                        let found = decision::of_report(report, whose).into_iter();
                        all.extend(found.map(|one| StudyDecision {
                            match_number: Some(number),
                            ..one
                        }));
                    }
                }
                // What was named must be readable; in a folder there may be anything.
                Err(error) if self.files.contains(path) => {
                    progress.clear();
                    match self.positions(path)? {
                        Some(lone) => all.extend(lone),
                        None => return Err(error),
                    }
                }
                Err(error) => {
                    progress.clear();
                    say(&message_of(&error));
                }
            }
        }
        progress.clear();
        report_not_kept(reviewer.not_kept().as_ref());
        match &self.player {
            Some(name) if !met => Err(nobody(name, &names)),
            _ => self.with_rollouts(all),
        }
    }

    /// The decisions with what the user's rollouts say.
    fn with_rollouts(&self, all: Vec<StudyDecision>) -> Result<Vec<StudyDecision>> {
        self.put_beside(all, put_rollouts_beside)
    }

    /// The cards with what the user's rollouts say; they keep what they cost.
    pub(crate) fn cards_with_rollouts(&self, cards: Vec<StudyCard>) -> Result<Vec<StudyCard>> {
        self.put_beside(cards, put_rollouts_beside_cards)
    }

    /// Puts rollouts beside what is asked. Where these cannot be read, it is asked all the same.
    fn put_beside<T: Send>(&self, mut all: Vec<T>, put: PutRollouts<T>) -> Result<Vec<T>> {
        let path = UserFolders::of_user().map(|places| places.rollouts());
        let Some(path) = path.filter(|path| path.is_file() && !all.is_empty()) else {
            return Ok(all);
        };
        let evaluator: Arc<dyn Evaluator> = Arc::new(self.nets.engine()?);
        let setup = Setup {
            cube: Some(Arc::new(self.cube.load()?)),
            ..Setup::from(evaluator)
        };
        let pool = self.threads.pool()?;
        if let Err(why) = pool.install(|| put(&path, &setup, &mut all, READ_TIMEOUT)) {
            say(&format!("rollouts are left out: {why}"));
        }
        Ok(all)
    }
}

/// Puts what rollouts say beside decisions or cards.
type PutRollouts<T> = fn(&Path, &Setup, &mut [T], Duration) -> Result<(), StoreError>;

/// The decisions with the user's notes on those that come without their match.
pub(crate) fn with_notes(mut all: Vec<StudyDecision>) -> Vec<StudyDecision> {
    if let Some(notes) = notes(&all) {
        notes.put_beside(&mut all);
    }
    all
}

/// The user's notes, where there is anything to put them beside. Where they cannot be read, decisions are asked all the
/// same.
fn notes(beside: &[StudyDecision]) -> Option<StudyNotes> {
    let places = UserFolders::of_user().filter(|_| !beside.is_empty())?;
    let read = StudyNotes::read(&places.library(), READ_TIMEOUT);
    read.map_err(|why| say(&format!("notes are left out: {why}")))
        .ok()
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
            is_error,
            made: "8/5 6/5".to_owned(),
            cost,
            ..StudyCard::default()
        };
        assert!(files.admits(&card(true, 0.1)) && files.admits(&card(false, 0.0)));
        assert!(!files.admits(&card(true, 0.05)));
        // Nor has a position of a list.
        let lone = StudyCard {
            made: String::new(),
            ..card(true, 0.0)
        };
        assert!(files.admits(&lone));
    }
}
