//! `luckless-lab openings`: the opening book.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Instant;

use anyhow::{Context as _, Result};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use super::common::setup;
use crate::analysis::opening_book::{self, BookLine, OpeningContext};
use crate::cli::book::table as table_of;
use crate::cli::options::Threads;
use crate::cli::output;
use crate::cli::usage::{misuse, refused, say};
use crate::lab::openings::{self, Opening};

const EXAMPLES: &str = "\
Examples:
  luckless-lab openings --out src/analysis/openings.tsv
  luckless-lab openings --out src/analysis/openings.tsv --replies
  luckless-lab openings --table

Stopped at any time, the same command goes on behind the last play in the file.";

/// The opening book: first moves and replies, rolled out
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Openings {
    /// File of the book; what is in it is not rolled out again
    #[arg(long, value_name = "FILE", required_unless_present = "table")]
    out: Option<PathBuf>,
    /// Replies for money to the best first moves of the file, rather than first moves
    #[arg(long)]
    replies: bool,
    /// Half the 95% interval of an equity, in points
    #[arg(long, value_name = "POINTS", default_value_t = 0.005)]
    half_width: f64,
    /// How much worse than the best a play may be by lookahead, in points
    #[arg(long, value_name = "POINTS", default_value_t = 0.06)]
    margin: f32,
    /// Print the book of the program as a table, and roll nothing out
    #[arg(long)]
    table: bool,
    #[command(flatten)]
    threads: Threads,
}

impl Openings {
    pub(super) fn run(&self) -> Result<()> {
        let Some(out) = self.out.as_ref().filter(|_| !self.table) else {
            return output::text(&table());
        };
        let text = match fs::read_to_string(out) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => String::new(),
            read => read.with_context(|| format!("cannot read {}", out.display()))?,
        };
        let known: Vec<BookLine> = text.lines().filter_map(BookLine::parse).collect();
        if self.replies && known.is_empty() {
            return Err(misuse(format!(
                "{}: holds no first moves; make them without --replies",
                out.display()
            )));
        }
        let setup = setup();
        let wanted = if self.replies {
            openings::replies(&known)
        } else {
            openings::first_moves()
        };
        let pool = ThreadPoolBuilder::new()
            .num_threads(self.threads.number().get())
            .build()
            .context("cannot start the threads")?;
        let is_known = |opening: &Opening, play: &str| {
            known.iter().any(|line| {
                (line.context, &line.before, line.roll)
                    == (opening.context, &opening.before, opening.roll)
                    && line.play == play
            })
        };
        let plays = |opening: &Opening| {
            let found = opening.plays(&*setup.evaluator, self.margin);
            let new = found
                .into_iter()
                .filter(|(play, _)| !is_known(opening, play));
            new.map(|(play, result)| (opening.clone(), play, result))
                .collect::<Vec<_>>()
        };
        let work: Vec<_> = pool.install(|| wanted.par_iter().flat_map_iter(plays).collect());
        let file = OpenOptions::new().create(true).append(true).open(out);
        let file = Mutex::new(file.with_context(|| format!("cannot write {}", out.display()))?);
        let (start, all) = (Instant::now(), work.len());
        let done = Mutex::new(0);
        // One after another from the front, so that what is wanted first is there first.
        let work = Mutex::new(work.into_iter());
        let next = || work.lock().expect("no other thread panicked").next();
        pool.broadcast(|_| -> Result<()> {
            while let Some((opening, play, result)) = next() {
                let line = opening
                    .roll_out(&setup, &play, result, self.half_width)
                    .map_err(refused)?;
                let text = line.to_text();
                let mut file = file.lock().expect("no other thread panicked");
                writeln!(file, "{text}").context("cannot write the book")?;
                let mut done = done.lock().expect("no other thread panicked");
                *done += 1;
                let seconds = start.elapsed().as_secs_f64();
                say(&format!(
                    "{seconds:8.1} s  {done} of {all}  {}",
                    text.replace('\t', "  ")
                ));
            }
            Ok(())
        })
        .into_iter()
        .collect::<Result<()>>()?;
        let text = fs::read_to_string(out).context("cannot read the book again")?;
        fs::write(out, sorted(&text)).context("cannot write the book")
    }
}

/// The lines of a book in their order: by context, move before and roll, the best play first.
fn sorted(text: &str) -> String {
    let mut lines: Vec<BookLine> = text.lines().filter_map(BookLine::parse).collect();
    let place = |context| OpeningContext::ALL.iter().position(|c| *c == context);
    lines.sort_by(|a, b| {
        let key = |line: &BookLine| {
            let before = line.before.as_ref().map(|(roll, _)| *roll);
            (place(line.context), before, line.roll)
        };
        key(a)
            .cmp(&key(b))
            .then(b.value.equity.total_cmp(&a.value.equity))
    });
    lines.iter().map(|line| line.to_text() + "\n").collect()
}

/// The book as tables, one for each context, and one of replies.
fn table() -> String {
    let lines = opening_book::lines();
    let mut text = String::new();
    for context in OpeningContext::ALL {
        let firsts = lines
            .iter()
            .filter(|line| line.context == context && line.before.is_none());
        text.push_str(&format!("{}\n\n{}\n", context.name(), table_of(firsts)));
    }
    let replies = lines.iter().filter(|line| line.before.is_some());
    text + &format!("replies\n\n{}", table_of(replies))
}
