//! `luckless quiz`: one's own errors, asked until you know them.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde::Serialize;

use super::quiz_session::Session;
use super::study_files::{self, StudyFiles};
use crate::cli::common::options::plies;
use crate::cli::common::output;
use crate::cli::common::usage::{misuse, must_be_there, refuse_given, say};
use crate::grid::Grid;
use crate::review::STANDARD_PLY;
use crate::store::{READ_TIMEOUT, StudyStore, UserFolders, clock, date};
use crate::study::{
    Scheduler, StudyCard, StudyDecision, StudyProgress, day, deck, progress, question,
};
use crate::words::counted;

const EXAMPLES: &str = "\
Examples:
  luckless quiz match.mat                   the errors of a match
  luckless quiz list.txt                    the positions of a list
  luckless quiz ~/matches --player anna     those of a player in a folder
  luckless quiz                             what is due today
  luckless quiz --library                   your errors in the library
  luckless quiz --filter 'take kind:holding'  those that fit
  luckless quiz --filter note:lesson1       what you noted, right or wrong
  luckless quiz --family 'taking, holding game'
  luckless quiz --progress                  how it goes
  luckless quiz --json                      every card, and when it is due

Answer with the number of a play, with a play such as 8/5 6/5, or with n, d, t, p or b: no double, double, \
take, pass, beaver. w says the position in words, i its XGID. Among the errors are decisions that were \
right. An answer is kept at once. What it costs says when the decision comes back; a day is one of UTC.";

/// A quiz of your errors; each comes back until you know it
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    files: StudyFiles,
    /// Only what is due today: of the files or of the library, or without these of all
    #[arg(long)]
    due: bool,
    /// Your progress: cards, answers, what was remembered, what is to come
    #[arg(long, conflicts_with_all = ["files", "due", "merge", "library", "filter", "family"])]
    progress: bool,
    /// Take in the answers of another machine from a copy of its file
    #[arg(long, value_name = "STUDY", conflicts_with_all = ["files", "due", "library", "filter", "family"])]
    merge: Option<PathBuf>,
    /// Most decisions that are asked
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    count: Option<u32>,
    /// Plies of lookahead for the figures [default: 2]
    #[arg(long, value_name = "N", value_parser = plies())]
    ply: Option<u8>,
    /// Order of the questions and of the plays [default: another one each time]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// The file that answers are kept in [default: the one in the data folder]
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Machine output: the cards, or with files what would be asked; nothing is asked
    #[arg(long, conflicts_with = "merge")]
    json: bool,
    /// The time in seconds since 1970, for tests
    #[arg(long, value_name = "SECONDS", hide = true)]
    now: Option<i64>,
}

/// A card as it is printed.
#[derive(Serialize)]
struct CardJson<'a> {
    xgid: &'a str,
    error: bool,
    made: &'a str,
    cost: f32,
    source: &'a str,
    answers: usize,
    lapses: u32,
    stability: Option<f64>,
    difficulty: Option<f64>,
    last: Option<String>,
    due: Option<String>,
}

#[derive(Serialize)]
struct CardsJson<'a> {
    date: String,
    retention: Option<f64>,
    #[serde(flatten)]
    progress: &'a StudyProgress,
    list: Vec<CardJson<'a>>,
}

#[derive(Serialize)]
struct QuestionsJson {
    questions: Vec<QuestionJson>,
}

/// A question as it is printed.
#[derive(Serialize)]
struct QuestionJson {
    xgid: String,
    class: &'static str,
    error: bool,
    made: String,
    cost: f32,
    source: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

impl Args {
    pub(crate) fn run(self) -> Result<()> {
        let is_of_cards = self.files.is_of_cards()?;
        let is_told = is_of_cards && (self.progress || self.json);
        if is_told || self.merge.is_some() {
            self.asks_nothing()?;
        }
        let path = self.path()?;
        if self.progress || is_of_cards && (is_told || self.due) {
            must_be_there(self.store.as_deref())?;
        }
        let cards = StudyStore::read(&path, READ_TIMEOUT, &mut |why| say(&why))?;
        let today = day(self.now());
        if let Some(other) = &self.merge {
            return merge(&path, other);
        }
        if is_told {
            return self.tell(&self.admitted(&cards), today);
        }
        let seed = self
            .seed
            .unwrap_or_else(|| question::session_seed(self.now()));
        let mut wanted = self.wanted(&cards, today, seed)?;
        self.files.agrees_with(&wanted)?;
        wanted.truncate(self.count.map_or(usize::MAX, |count| count as usize));
        if self.json {
            let questions: Vec<_> = wanted.iter().map(|one| self.question(one)).collect();
            return output::json(&QuestionsJson { questions });
        }
        if wanted.is_empty() {
            return output::text(&self.nothing(&cards, today)?);
        }
        self.ask(wanted, cards, &path, seed)
    }

    /// Refuses options of questions where none is asked. A list of cards has its `--count`.
    fn asks_nothing(&self) -> Result<()> {
        let is_list = self.json && !self.progress;
        let given = [
            (self.count.is_some() && !is_list, "--count"),
            (self.seed.is_some(), "--seed"),
            (self.ply.is_some(), "--ply"),
            (self.files.nets.is_given(), "--nets"),
            (self.files.cube.is_given(), "--met and --no-crawford"),
        ];
        refuse_given(&given, "no question is asked here")
    }

    /// Plies of lookahead.
    fn ply(&self) -> u8 {
        self.ply.unwrap_or(STANDARD_PLY)
    }

    /// The file of answers.
    fn path(&self) -> Result<PathBuf> {
        match &self.store {
            Some(path) => Ok(path.clone()),
            None => UserFolders::of_user()
                .map(|places| places.study())
                .context("the system names no folder to keep answers in: give --store"),
        }
    }

    /// The cards of errors as large as `--from` says, if it is given, and those of right decisions.
    fn admitted(&self, cards: &[StudyCard]) -> Vec<StudyCard> {
        let is_admitted = |card: &&StudyCard| self.files.admits(card);
        cards.iter().filter(is_admitted).cloned().collect()
    }

    /// Why nothing is asked.
    fn nothing(&self, cards: &[StudyCard], today: i64) -> Result<String> {
        let is_of_cards = self.files.is_of_cards()?;
        let cards = match is_of_cards {
            true => self.admitted(cards),
            false => cards.to_vec(),
        };
        let next = next_due(&cards, today).filter(|_| self.due || is_of_cards);
        let what = match self.files.is_every() {
            true => "decision",
            false => "error",
        };
        let what = format!("{what}{}", self.files.of_yours());
        Ok(match (next, is_of_cards, self.due) {
            (Some(day), ..) => format!("nothing is due before {}\n", date(day)),
            (None, true, _) => "nothing to ask: name a match file\n".to_owned(),
            (None, false, true) => format!("nothing to ask: no such {what} is due\n"),
            (None, false, false) => {
                format!("nothing to ask: no such {what}, or all were asked and none is due\n")
            }
        })
    }

    /// Asks these decisions and keeps the answers in the file at `path`.
    fn ask(
        &self,
        wanted: Vec<StudyDecision>,
        cards: Vec<StudyCard>,
        path: &Path,
        seed: u64,
    ) -> Result<()> {
        let (engine, model) = (self.files.nets.engine()?, self.files.cube.load()?);
        let pool = self.files.threads.pool()?;
        let given = self.now;
        let clock = || given.map_or_else(clock::micros, |seconds| 1_000_000 * seconds);
        let session = Session {
            evaluator: &engine,
            model: &model,
            ply: self.ply(),
            seed,
            least: self.files.least(),
            clock: &clock,
            store: StudyStore::open(path, READ_TIMEOUT)?,
            cards,
        };
        pool.install(|| session.run(wanted))
    }

    /// Seconds since 1970.
    fn now(&self) -> i64 {
        self.now.unwrap_or_else(clock::seconds)
    }

    /// Returns the decisions of the quiz, in order.
    fn wanted(&self, cards: &[StudyCard], today: i64, seed: u64) -> Result<Vec<StudyDecision>> {
        if self.files.is_library() && !self.due {
            let all = self.files.of_library()?;
            return Ok(deck::of_library(
                all,
                cards,
                today,
                self.files.least(),
                seed,
            ));
        }
        if self.files.is_of_cards()? {
            let cards = self.files.cards_with_rollouts(self.admitted(cards))?;
            return Ok(study_files::with_notes(deck::due(&cards, today, seed)));
        }
        let all = match self.files.is_library() {
            true => self.files.of_library()?,
            false => self.files.decisions(self.ply())?,
        };
        let least = self.files.least();
        Ok(match self.due {
            true => deck::due_among(all, cards, today, least, seed),
            false => deck::mixed(all, least, seed),
        })
    }

    fn question(&self, decision: &StudyDecision) -> QuestionJson {
        QuestionJson {
            xgid: decision.key(),
            class: decision.class.name(),
            error: decision.is_error(self.files.least()),
            made: decision.made.clone(),
            cost: decision.cost,
            source: decision.source.clone(),
            note: decision.note.clone(),
        }
    }

    /// Cards and what they come to.
    fn tell(&self, cards: &[StudyCard], today: i64) -> Result<()> {
        let progress = StudyProgress::new(cards, today);
        if !self.json {
            return output::text(&in_words(&progress, today));
        }
        let scheduler = Scheduler::default();
        let is_listed =
            |card: &&StudyCard| !self.due || card.standing(&scheduler, today).is_due(today);
        let listed = cards.iter().filter(is_listed);
        let listed = listed.take(self.count.map_or(usize::MAX, |count| count as usize));
        let list = listed.map(|card| {
            let standing = card.standing(&scheduler, today);
            CardJson {
                xgid: &card.position,
                error: card.is_error,
                made: &card.made,
                cost: card.cost,
                source: &card.source,
                answers: card.answers.len(),
                lapses: standing.lapses,
                stability: standing.memory.map(|memory| memory.stability),
                difficulty: standing.memory.map(|memory| memory.difficulty),
                last: standing.last.map(date),
                due: standing.due.map(date),
            }
        });
        output::json(&CardsJson {
            date: date(today),
            retention: progress.retention(),
            progress: &progress,
            list: list.collect(),
        })
    }
}

/// The next day on which something is due.
fn next_due(cards: &[StudyCard], today: i64) -> Option<i64> {
    let scheduler = Scheduler::default();
    let due = cards
        .iter()
        .filter_map(|card| card.standing(&scheduler, today).due);
    due.filter(|due| *due > today).min()
}

/// Takes in the answers of another file.
fn merge(path: &Path, other: &Path) -> Result<()> {
    if !other.is_file() {
        return Err(misuse(format!("{}: is no file", other.display())));
    }
    let theirs = StudyStore::read_to_take_in(other, READ_TIMEOUT, &mut |why| say(&why))?;
    let all: usize = theirs.iter().map(|card| card.answers.len()).sum();
    let added = StudyStore::open(path, READ_TIMEOUT)?.merge(&theirs)?;
    let were = if added == 1 || all == 1 {
        "was"
    } else {
        "were"
    };
    let all = counted(all, "answer");
    output::text(&format!("{added} of {all} {were} new here\n"))
}

/// How it goes, with a chart of the days to come.
fn in_words(progress: &StudyProgress, today: i64) -> String {
    let mut out = format!(
        "{}, {} due today\n{}, {} today; {} in a row\n",
        counted(progress.cards, "card"),
        progress.due,
        counted(progress.answers, "answer"),
        progress.today,
        counted(progress.streak, "day")
    );
    if let Some(retention) = progress.retention() {
        out += &format!(
            "remembered: {} of {} asked again on a later day ({:.0}%; 90% is aimed at)\n",
            progress.remembered,
            progress.repeated,
            100.0 * retention
        );
    }
    if !progress.days.is_empty() {
        out += "\nby week, the newest last:\n";
        out += &progress::weeks(&progress.days, today)
            .iter()
            .fold(
                Grid::new(&["week from", "answers", "asked again", "remembered"]),
                |mut grid, week| {
                    let share = match week.repeated {
                        0 => "–".to_owned(),
                        n => format!("{:.0}%", 100.0 * week.remembered as f64 / n as f64),
                    };
                    grid.row(vec![
                        date(week.from),
                        week.answers.to_string(),
                        week.repeated.to_string(),
                        share,
                    ]);
                    grid
                },
            )
            .to_string();
    }
    out += "\ndue in the days to come:\n";
    for (ahead, count) in (0..).zip(&progress.forecast) {
        let bar = "█".repeat((*count).min(40));
        out += format!("{} {count:>4} {bar}", date(today + ahead)).trim_end();
        out.push('\n');
    }
    out
}
