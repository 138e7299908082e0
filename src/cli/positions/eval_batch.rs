//! `luckless eval --batch`: a conversation in lines.
//!
//! Whatever complete lines have arrived are answered together, on all threads, in order; then the
//! answers are flushed. So a program that writes one line gets its answer at once, and one that
//! writes a file's worth keeps all cores busy.

use std::io::{self, Read, Write};

use anyhow::{Context as _, Result};
use rayon::prelude::*;
use serde::Serialize;

use super::eval_answer::EvalRequest;
use crate::cli::common::options::{Id, Threads};
use crate::cli::common::output::stdout;
use crate::eval::Evaluator;
use crate::game::Roll;
use crate::sanitize::{to_json, without_mark};

/// Longest line that is looked at; no identifier comes near.
const LONGEST_LINE: usize = 4096;
/// Bytes read at once.
const CHUNK: usize = 1 << 16;
/// Lines answered before something is written.
const TOGETHER: usize = 256;

/// A line that cannot be answered.
#[derive(Serialize)]
struct RefusedLine<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    position: &'a str,
    error: String,
}

pub(crate) fn run(
    evaluator: &dyn Evaluator,
    request: EvalRequest<'_>,
    threads: Threads,
) -> Result<()> {
    let pool = threads.pool()?;
    let mut input = Lines::new(io::stdin().lock());
    let mut out = stdout();
    while let Some(lines) = input.more().context("reading stdin")? {
        for some in lines.chunks(TOGETHER) {
            let answer = |line: &Vec<u8>| reply(evaluator, request, line);
            let answers: Vec<Option<String>> =
                pool.install(|| some.par_iter().map(answer).collect());
            for answer in answers.iter().flatten() {
                writeln!(out, "{answer}")?;
            }
            out.flush()?;
        }
    }
    Ok(())
}

/// The answer to one line; none to an empty one, or to a remark.
fn reply(evaluator: &dyn Evaluator, request: EvalRequest<'_>, line: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(line);
    let words = without_mark(&text).split_whitespace();
    // What stands behind a # is a remark, as in lists of positions.
    let mut words = words.take_while(|word| !word.starts_with('#'));
    let position = words.next()?;
    let answer = if line.len() > LONGEST_LINE {
        Err(format!("longer than {LONGEST_LINE} characters"))
    } else {
        ask(evaluator, request, position, &mut words)
    };
    let document = match answer {
        Ok(document) => document,
        Err(error) => {
            let long = line.len() > LONGEST_LINE;
            let position = if long { beginning(position) } else { position };
            to_json(&RefusedLine { position, error }).ok()?
        }
    };
    Some(document)
}

/// Returns the beginning of an unreadable position, for the error message.
fn beginning(position: &str) -> &str {
    let end = position.char_indices().nth(200);
    end.map_or(position, |(end, _)| &position[..end])
}

fn ask(
    evaluator: &dyn Evaluator,
    request: EvalRequest<'_>,
    position: &str,
    words: &mut dyn Iterator<Item = &str>,
) -> Result<String, String> {
    let id: Id = position.parse().map_err(|e| format!("{e}"))?;
    let dice: Option<Roll> = match words.next() {
        Some(dice) => Some(dice.parse().map_err(|e| format!("{e}"))?),
        None => None,
    };
    if words.next().is_some() {
        return Err("expected a position and at most a roll".to_owned());
    }
    let answer = request.answer(evaluator, &id, dice)?;
    to_json(&answer).map_err(|e| e.to_string())
}

/// Lines in the portions in which they arrive.
struct Lines<R> {
    input: R,
    partial: Vec<u8>,
    over: bool,
}

impl<R: Read> Lines<R> {
    fn new(input: R) -> Self {
        Self {
            input,
            partial: Vec::new(),
            over: false,
        }
    }

    /// Waits for input and gives all lines that are complete, perhaps none; `None` at the end. Of
    /// a line that is too long only the beginning is kept.
    fn more(&mut self) -> io::Result<Option<Vec<Vec<u8>>>> {
        if self.over {
            return Ok(None);
        }
        let mut chunk = vec![0; CHUNK];
        let n = loop {
            match self.input.read(&mut chunk) {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                result => break result?,
            }
        };
        let mut lines = Vec::new();
        for piece in chunk[..n].split_inclusive(|&b| b == b'\n') {
            let (text, ended) = match piece.strip_suffix(b"\n") {
                Some(text) => (text, true),
                None => (piece, false),
            };
            let room = (LONGEST_LINE + 1).saturating_sub(self.partial.len());
            self.partial
                .extend_from_slice(&text[..text.len().min(room)]);
            if ended {
                lines.push(std::mem::take(&mut self.partial));
            }
        }
        if n == 0 {
            self.over = true;
            lines.push(std::mem::take(&mut self.partial));
        }
        Ok(Some(lines))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives what it is asked for in pieces of three bytes.
    struct Trickle<'a>(&'a [u8]);

    impl Read for Trickle<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let n = self.0.len().min(3);
            into[..n].copy_from_slice(&self.0[..n]);
            self.0 = &self.0[n..];
            Ok(n)
        }
    }

    fn all(input: &[u8]) -> Vec<Vec<u8>> {
        let mut lines = Lines::new(Trickle(input));
        let mut all = Vec::new();
        while let Some(some) = lines.more().unwrap() {
            all.extend(some);
        }
        all
    }

    #[test]
    fn lines_are_put_together() {
        let lines = all(b"one line\n\ntwo\nand an end");
        assert_eq!(lines, [&b"one line"[..], b"", b"two", b"and an end"]);
        assert_eq!(all(b"x\n"), [&b"x"[..], b""]);
    }

    #[test]
    fn endless_lines_take_no_memory() {
        let long = [vec![b'a'; 100_000], b"\nb".to_vec()].concat();
        let lines = all(&long);
        assert_eq!((lines[0].len(), &*lines[1]), (LONGEST_LINE + 1, &b"b"[..]));
    }
}
