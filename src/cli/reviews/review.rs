//! `luckless review`: shows the cost of every decision of a match, and the luck of the dice.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use anyhow::{Context as _, Result, anyhow};

use super::match_list::{MOST_NAMES, heading, line_for, nobody, side};
use super::reviewer::{FileReview, ReviewRollouts, Reviewer, open_store};
use crate::cli::common::options::{CubeModel, Nets, Threads, player_name, plies};
use crate::cli::common::output;
use crate::cli::common::progress::FileProgress;
use crate::cli::common::signals::asked_to_end;
use crate::cli::common::stdin;
use crate::cli::common::usage::{message_of, misuse, report_not_kept, say};
use crate::review::report::{html, markdown, text};
use crate::review::{Report, STANDARD_PLY};
use crate::sanitize;
use crate::store::{file, folder};

const EXAMPLES: &str = "\
Examples:
  luckless review match.mat
  luckless review match.xg --format html --out match.html
  luckless review match.mat --ply 0 --json
  luckless review match.mat --level thorough   all close decisions rolled out
  luckless review match.mat --rollouts 10   ten close decisions rolled out
  luckless review match.mat --budget 60     as many as a minute has room for
  luckless review ~/matches                 every match of a folder, kept

A folder is searched for match files; each is analysed once and kept, and a line is printed for it. \
`luckless matches` lists what is kept. Nothing that is kept is analysed again unless the file, the net, \
the plies or what is rolled out change.";

/// How a review is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum ReviewFormat {
    /// Plain text
    #[default]
    Text,
    /// One JSON document (an array when there are several matches)
    Json,
    /// One page that needs nothing else
    Html,
    /// Markdown
    #[value(alias = "markdown")]
    Md,
}

/// A match analysed: errors, ratings, luck
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Match files, or folders of them; - is stdin
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Plies of lookahead where a decision is close; 0 is the static evaluation
    #[arg(long, value_name = "N", default_value_t = STANDARD_PLY, value_parser = plies())]
    ply: u8,
    /// How the review is written [default: by the end of the name of --out, else text]
    #[arg(long = "format", id = "format", value_name = "FORMAT", value_enum)]
    given: Option<ReviewFormat>,
    #[arg(skip)]
    format: ReviewFormat,
    /// Machine output: the same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Write to FILE, - for stdout; with several matches, to a folder of this name
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace what is there already
    #[arg(long, requires = "out")]
    force: bool,
    /// List the errors of this player only
    #[arg(long, value_name = "NAME", value_parser = player_name)]
    player: Option<String>,
    /// Keep reviews in FILE instead of the data folder
    #[arg(long, value_name = "FILE", conflicts_with = "no_store")]
    store: Option<PathBuf>,
    /// Keep nothing, and use nothing that is kept
    #[arg(long)]
    no_store: bool,
    #[command(flatten)]
    rollouts: ReviewRollouts,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    nets: Nets,
    #[command(flatten)]
    cube: CubeModel,
}

impl Args {
    /// Writes a file, creating its folder if missing.
    fn write(&self, path: &Path, text: &[u8]) -> Result<()> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        }
        output::to_file(path, text, self.force)
    }

    /// The requested format, or the one of the file extension.
    fn wanted_format(&self, many: bool) -> ReviewFormat {
        let extension = self
            .out
            .as_deref()
            .filter(|_| !many)
            .and_then(Path::extension);
        let extension = extension.map(|end| end.to_string_lossy().to_ascii_lowercase());
        match (self.given, extension.as_deref()) {
            _ if self.json => ReviewFormat::Json,
            (Some(format), _) => format,
            (None, Some("html" | "htm")) => ReviewFormat::Html,
            (None, Some("json")) => ReviewFormat::Json,
            (None, Some("md")) => ReviewFormat::Md,
            _ => ReviewFormat::Text,
        }
    }

    /// Refuses to write several HTML pages to one file.
    fn check_pages(&self, many: bool) -> Result<()> {
        if many && self.format == ReviewFormat::Html && self.out.is_none() {
            return Err(misuse("several pages need --out FOLDER"));
        }
        Ok(())
    }

    /// Returns the files, including those in folders, and whether there are folders.
    fn all_files(&self) -> (Vec<PathBuf>, bool) {
        let files = folder::with_folders(&self.files, &mut |e| say(&e));
        (files, self.files.iter().any(|path| path.is_dir()))
    }

    /// Refuses to overwrite a match to review, or another file without `--force`.
    fn check_out(&self, files: &[PathBuf], many: bool) -> Result<()> {
        let Some(out) = &self.out else { return Ok(()) };
        if files.iter().any(|path| file::is_same(path, out)) {
            let name = out.display();
            return Err(misuse(format!("--out {name} is a match to be reviewed")));
        }
        // Several matches of one file go to a folder, too.
        match many || (out.is_dir() && !is_one_match(files)) {
            true => must_be_folder(out),
            false => output::may_write(out, self.force),
        }
    }

    pub(crate) fn run(mut self) -> Result<()> {
        self.out = output::named_file(self.out, self.force)?;
        let (files, folders) = self.all_files();
        let many = folders || files.len() > 1;
        self.format = self.wanted_format(many);
        self.check_pages(many)?;
        let pool = self.threads.pool()?;
        let mut writer = Writer::new(&self, many, folders);
        let asked = asked_to_end()?;
        let is_ended = || asked.load(Ordering::Relaxed);
        let store = match self.no_store {
            true => None,
            false => open_store(self.store.as_deref())?,
        };
        self.check_out(&files, many)?;
        let limits = self.rollouts.limits()?;
        let ply = self.rollouts.ply(self.ply);
        let mut reviewer = Reviewer::new(&self.nets, &self.cube, ply, limits, store)?;
        if writer.lines {
            reviewer = reviewer.short();
        }
        let mut progress = FileProgress::new(files.len());
        let mut failures = Vec::new();
        let mut written = Ok(());
        let mut interruption = None;
        for (i, path) in files.iter().enumerate() {
            progress.show(i, path);
            let done = pool.install(|| reviewer.file(path, &is_ended));
            progress.clear();
            match done {
                Ok(reviews) => written = writer.take_all(&reviews),
                Err(_) if is_ended() => {
                    interruption = Some(interrupted(i, files.len(), self.no_store))
                }
                Err(error) => failures.push(message_of(&error)),
            }
            if written.is_err() || interruption.is_some() {
                break;
            }
        }
        let mut failure = written.and_then(|()| writer.end()).err();
        failure = interruption.or(failure);
        if files.is_empty() {
            failure = failure.or(Some(anyhow!("no match file there")));
        }
        // Folders may contain anything; named files must be readable.
        if !folders && failure.is_none() {
            failure = failures.pop().map(anyhow::Error::msg);
        }
        failures.iter().for_each(|e| say(e));
        match reviewer.not_kept() {
            // If the user named the store, storing is part of the request.
            Some(error) if self.store.is_some() && failure.is_none() => return Err(error.into()),
            error => report_not_kept(error.as_ref()),
        }
        failure.map_or(Ok(()), Err)
    }
}

/// The error after an interruption.
fn interrupted(done: usize, of: usize, no_store: bool) -> anyhow::Error {
    match of {
        1 => anyhow!("interrupted: the match is not analysed"),
        of if no_store => anyhow!("interrupted after {done} of {of} files"),
        of => anyhow!("interrupted after {done} of {of} files: the same command goes on"),
    }
}

/// Returns whether the first file has one match. Reading errors are reported later.
fn is_one_match(files: &[PathBuf]) -> bool {
    let first = files.first().map(|path| stdin::import(path));
    first.is_some_and(|read| read.is_ok_and(|file| file.matches.len() == 1))
}

/// Refuses a file as the destination of several reviews.
fn must_be_folder(out: &Path) -> Result<()> {
    match out.is_file() {
        true => Err(misuse(format!(
            "{}: is a file; several matches need --out FOLDER",
            out.display()
        ))),
        false => Ok(()),
    }
}

/// Writes reviews to their destinations, one by one.
struct Writer<'a> {
    args: &'a Args,
    many: bool,
    /// Writes a line per match instead of whole reviews.
    lines: bool,
    written: usize,
    /// Players of matches without the requested player.
    names: BTreeSet<String>,
    /// Buffer for a single output file.
    file: Option<Vec<u8>>,
}

impl<'a> Writer<'a> {
    fn new(args: &'a Args, many: bool, folders: bool) -> Self {
        Self {
            args,
            many,
            lines: folders && args.format == ReviewFormat::Text && args.out.is_none(),
            written: 0,
            names: BTreeSet::new(),
            file: (!many && args.out.is_some()).then(Vec::new),
        }
    }

    /// Prepares for several matches in a file.
    fn expect_many(&mut self) -> Result<()> {
        if self.many {
            return Ok(());
        }
        (self.many, self.file) = (true, None);
        self.args.out.as_deref().map_or(Ok(()), must_be_folder)?;
        self.args.check_pages(true)
    }

    /// Writes the matches of a file.
    fn take_all(&mut self, reviews: &[FileReview]) -> Result<()> {
        if reviews.len() > 1 {
            self.expect_many()?;
        }
        let mut all = reviews.iter();
        all.try_for_each(|one| self.take(&one.day, &one.report))
    }

    /// Writes a match, unless the requested player did not play it.
    fn take(&mut self, day: &str, report: &Report) -> Result<()> {
        let whose = self.args.player.as_deref().and_then(|n| side(report, n));
        if self.args.player.is_some() && whose.is_none() {
            if self.names.len() < MOST_NAMES {
                let names = report.players.iter().map(|player| player.name.clone());
                self.names.extend(names);
            }
            return Ok(());
        }
        let first = self.written == 0;
        self.written += 1;
        if self.lines {
            let head = if first { heading() } else { String::new() };
            return output::text(&format!("{head}{}", line_for(day, report, whose)));
        }
        let text = match self.args.format {
            ReviewFormat::Text => text::write(report, whose),
            ReviewFormat::Md => markdown::write(report, whose),
            ReviewFormat::Html => html::write(report, whose),
            ReviewFormat::Json => sanitize::to_json(report)?,
        };
        if let (Some(folder), true) = (&self.args.out, self.many) {
            let path = folder.join(self.name(report));
            return self.args.write(&path, text.as_bytes());
        }
        let between = match (self.args.format, first) {
            (ReviewFormat::Json, true) if self.many => "[",
            (ReviewFormat::Json, false) if self.many => ",\n",
            (_, false) => "\n",
            _ => "",
        };
        self.put(between)?;
        self.put(&text)
    }

    fn put(&mut self, text: &str) -> Result<()> {
        match &mut self.file {
            Some(bytes) => Ok(bytes.write_all(text.as_bytes())?),
            None => output::text(text),
        }
    }

    fn end(mut self) -> Result<()> {
        if let (Some(name), 0, false) = (&self.args.player, self.written, self.names.is_empty()) {
            return Err(nobody(name, &self.names));
        }
        let into_files = self.many && self.args.out.is_some();
        if self.args.format == ReviewFormat::Json && !into_files {
            let end = match (self.many, self.written) {
                (true, 0) => "[]\n",
                (true, _) => "]\n",
                (false, 0) => "",
                (false, _) => "\n",
            };
            self.put(end)?;
        }
        if let (Some(path), Some(bytes)) = (&self.args.out, &self.file)
            && !bytes.is_empty()
        {
            self.args.write(path, bytes)?;
        }
        Ok(())
    }

    /// A unique name for each review, from the name of the match file.
    fn name(&self, report: &Report) -> String {
        let extension = match self.args.format {
            ReviewFormat::Text => "txt",
            ReviewFormat::Json => "json",
            ReviewFormat::Html => "html",
            ReviewFormat::Md => "md",
        };
        let path = report.file.as_deref().map(Path::new);
        let stem = path.and_then(Path::file_stem).unwrap_or_default();
        let stem = stem.to_string_lossy();
        let stem = output::printable(&stem);
        let stem = file::short_name(&stem);
        format!("{:04}-{stem}.{extension}", self.written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::match_file;
    use crate::review::report::testing;
    use clap::Parser as _;

    #[derive(clap::Parser)]
    struct CommandLine {
        #[command(flatten)]
        args: Args,
    }

    /// A file that appears during the analysis is not overwritten, even in a folder of reviews.
    #[test]
    fn a_file_that_came_meanwhile_stays() {
        let sample = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/sample_matches/clara-dev-3pt.mat"
        );
        let record = match_file::read(Path::new(sample)).unwrap();
        let report = testing::reviewed(&record, 0);
        let folder = tempfile::tempdir().unwrap();
        let args = |out: &Path| {
            let name = out.to_str().unwrap();
            let parsed = CommandLine::try_parse_from(["review", "m.mat", "--out", name]);
            parsed.unwrap().args
        };
        let one = folder.path().join("new/review.txt");
        let of_one = args(&one);
        let mut writer = Writer::new(&of_one, false, false);
        writer.take("2024-03-01", &report).unwrap();
        file::write(&one, b"came").unwrap();
        assert!(writer.end().is_err());
        assert_eq!(std::fs::read(&one).unwrap(), b"came");
        let all = folder.path().join("all");
        let of_all = args(&all);
        let mut writer = Writer::new(&of_all, true, false);
        writer.take("2024-03-01", &report).unwrap();
        let second = all.join("0002-clara-dev-3pt.txt");
        file::write(&second, b"came").unwrap();
        assert!(writer.take("2024-03-01", &report).is_err());
        assert_eq!(std::fs::read(&second).unwrap(), b"came");
        assert_eq!(std::fs::read_dir(&all).unwrap().count(), 2);
    }

    #[test]
    fn the_name_of_the_file_says_the_format() {
        let format = |more: &[&str], many| {
            let line = [&["review", "m.mat"][..], more].concat();
            CommandLine::try_parse_from(line)
                .unwrap()
                .args
                .wanted_format(many)
        };
        for (name, wanted) in [
            ("a.html", ReviewFormat::Html),
            ("a.HTM", ReviewFormat::Html),
            ("a.json", ReviewFormat::Json),
            ("a.md", ReviewFormat::Md),
            ("a.txt", ReviewFormat::Text),
            ("a", ReviewFormat::Text),
        ] {
            assert_eq!(format(&["--out", name], false), wanted, "{name}");
        }
        // Folders have no format, and an explicit format takes precedence.
        assert_eq!(format(&["--out", "a.html"], true), ReviewFormat::Text);
        let asked = ["--out", "a.html", "--format", "md"];
        assert_eq!(format(&asked, false), ReviewFormat::Md);
        assert_eq!(
            format(&["--out", "a.html", "--json"], false),
            ReviewFormat::Json
        );
    }
}
