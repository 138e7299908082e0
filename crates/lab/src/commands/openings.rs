//! `luckless-lab openings`: the opening book.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use rayon::prelude::*;

use super::common::{pool, setup};
use crate::analysis::opening_book::{self, BookLine, OpeningContext};
use crate::cli::common::options::Threads;
use crate::cli::common::output;
use crate::cli::common::usage::{misuse, refused, say};
use crate::cli::positions::book::table as table_of;
use crate::experiments::openings::{self, Opening};
use crate::game::Position;
use crate::rollout::Setup;
use crate::store::file;

const EXAMPLES: &str = "\
Examples:
  luckless-lab openings --out crates/engine/src/analysis/openings.tsv
  luckless-lab openings --out crates/engine/src/analysis/openings.tsv --replies
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

/// An opening, a play of it, and the position after the play.
type OpeningPlay = (Opening, String, Position);

impl Openings {
    pub(super) fn run(&self) -> Result<()> {
        let Some(out) = self.out.as_ref().filter(|_| !self.table) else {
            return output::text(&table());
        };
        let needs_first_moves = || {
            let name = out.display();
            let why = format!("{name}: holds no first moves; make them without --replies");
            Err(misuse(why))
        };
        if self.replies && !out.exists() {
            return needs_first_moves();
        }
        // Locked until the end, so that nothing else is added to the book.
        let (file, known) = open_book(out)?;
        if self.replies && known.is_empty() {
            return needs_first_moves();
        }
        let setup = setup();
        let pool = pool(&self.threads)?;
        let work = pool.install(|| self.work(&setup, &known));
        let mut file = self.roll_out(&setup, &pool, work, file)?;
        let (lines, _) = read_book(&mut file).with_context(|| out.display().to_string())?;
        // The lock ends with `file`, after the new book is in place.
        Ok(file::write(out, sorted(lines).as_bytes())?)
    }

    /// Returns the plays to roll out, each with its opening and resulting position.
    fn work(&self, setup: &Setup, known: &[BookLine]) -> Vec<OpeningPlay> {
        let wanted = if self.replies {
            openings::replies(known)
        } else {
            openings::first_moves()
        };
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
        wanted.par_iter().flat_map_iter(plays).collect()
    }

    /// Rolls plays out and appends each to the file at once.
    fn roll_out(
        &self,
        setup: &Setup,
        pool: &rayon::ThreadPool,
        work: Vec<OpeningPlay>,
        file: File,
    ) -> Result<File> {
        let file = Mutex::new(file);
        let (start, all) = (Instant::now(), work.len());
        let done = Mutex::new(0);
        // In order, so that the most important plays come first.
        let work = Mutex::new(work.into_iter());
        let next = || work.lock().expect("no other thread panicked").next();
        pool.broadcast(|_| -> Result<()> {
            while let Some((opening, play, result)) = next() {
                let line = opening
                    .roll_out(setup, &play, result, self.half_width)
                    .map_err(refused)?;
                let text = line.to_text();
                let mut file = file.lock().expect("no other thread panicked");
                // In one write: a kill leaves a complete line or one without a line end.
                let written = file.write_all(format!("{text}\n").as_bytes());
                written.context("cannot write the book")?;
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
        Ok(file.into_inner().expect("no other thread panicked"))
    }
}

/// Reads the lines of a book, and their length in bytes.
fn read_book(file: &mut File) -> Result<(Vec<BookLine>, usize)> {
    let mut text = String::new();
    file.rewind()?;
    file.read_to_string(&mut text)?;
    parse_book(&text)
}

/// Parses the lines of a book, and their length in bytes. A last line without a line end is skipped, because the
/// program was killed while writing it.
fn parse_book(text: &str) -> Result<(Vec<BookLine>, usize)> {
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    let is_begun = |context: OpeningContext| {
        let field = format!("{}\t", context.name());
        text.starts_with(&field) || field.starts_with(text)
    };
    if whole == 0 && !OpeningContext::ALL.into_iter().any(is_begun) {
        bail!("is no opening book: it is not written over");
    }
    let line =
        |(number, line)| BookLine::parse(line).with_context(|| format!("line {number} is damaged"));
    let lines = (1..).zip(text[..whole].lines()).map(line);
    Ok((lines.collect::<Result<_>>()?, whole))
}

/// Opens a book for appending, creating it if missing, and reads its lines. The file is locked.
fn open_book(path: &Path) -> Result<(File, Vec<BookLine>)> {
    let name = || path.display().to_string();
    let Some(mut file) = file::open_to_add(path).with_context(name)? else {
        bail!("{}: another process writes to it", name());
    };
    let (lines, whole) = read_book(&mut file).with_context(name)?;
    file.set_len(whole as u64).with_context(name)?;
    file.seek(SeekFrom::End(0)).with_context(name)?;
    Ok((file, lines))
}

/// Sorts the lines of a book by context, first move, roll and equity, best first.
fn sorted(mut lines: Vec<BookLine>) -> String {
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

/// Formats the book as tables, one per context, and one of replies.
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const LINES: &str = "money\t-\t21\t13/11 6/5\t+0.00877\t0.00247\t15552\n\
                         money\t-\t31\t8/5 6/5\t+0.24699\t0.00234\t16848\n";

    #[test]
    fn a_line_without_its_end_is_cut_and_a_damaged_one_refused() {
        let (lines, whole) = parse_book(LINES).unwrap();
        assert_eq!((lines.len(), whole), (2, LINES.len()));
        assert_eq!(sorted(lines), LINES);
        assert_eq!(parse_book("").unwrap().1, 0);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.tsv");
        for end in 0..LINES.len() {
            fs::write(&path, &LINES[..end]).unwrap();
            let (mut file, lines) = open_book(&path).unwrap();
            let whole = LINES[..end].matches('\n').count();
            assert_eq!(lines.len(), whole);
            file.write_all(b"next\n").unwrap();
            drop(file);
            let text = fs::read_to_string(&path).unwrap();
            assert_eq!(text, sorted(lines) + "next\n");
            let error = format!("{:#}", open_book(&path).unwrap_err());
            let told = format!("line {} is damaged", whole + 1);
            assert!(error.ends_with(&told), "{error}");
        }
        for other in ["my notes", "moneys"] {
            assert!(parse_book(other).is_err(), "{other}");
        }
    }

    /// A running command has exclusive access to the book.
    #[test]
    fn a_book_is_open_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.tsv");
        fs::write(&path, LINES).unwrap();
        let (file, _) = open_book(&path).unwrap();
        let error = open_book(&path).unwrap_err().to_string();
        assert!(error.ends_with("another process writes to it"), "{error}");
        drop(file);
        assert_eq!(open_book(&path).unwrap().1.len(), 2);
    }
}
