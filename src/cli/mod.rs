//! The command line: one file per subcommand, which parses options, calls the modules below and prints. Commands on
//! positions, rollouts, matches, the library and study have a folder each; `common` is shared.
//!
//! *Contract.* Data go to stdout, everything else to stderr. The exit status is 0 on success (including a reader that
//! closes the pipe early), 1 on a failure and 2 on a usage error, both reported in one line on stderr. `--json`
//! prints one document whose names do not change between versions; see `docs/reference/command-line.md`.
//!
//! A new subcommand is a file with `Args` (its options, from which help, completions and manual are generated) and
//! `Args::run`, and one line each in [`Command`] and [`Command::run`].

pub mod bench;
mod bench_signature;
pub mod common;
mod completions;
mod duel;
mod external;
mod find;
mod keys;
mod library;
pub mod lines;
mod man;
mod plain;
mod play;
pub mod positions;
mod reviews;
pub mod rollouts;
mod study;
mod transcribe;
mod ubgi;
mod workstation;

use std::error::Error as _;
use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};
use common::usage;
use positions::{bearoff, board, book, eval, matrix, met, why};
use reviews::{convert, inspect, matches, review, verify};
use rollouts::{compare, kept, merge, rollout};
use study::{export, plan, quiz};

use crate::store::MendedListener;

const EXAMPLES: &str = "\
Examples:
  luckless match.mat                    open a match in the workstation
  luckless 4HPwATDgc/ABMA               open a position
  luckless eval 4HPwATDgc/ABMA --dice 31
  luckless rollout 4HPwATDgc/ABMA --dice 31 --top 3
  luckless review match.mat --format html --out match.html
  luckless compare 4HPwATDgc/ABMA --dice 43 '24/20 13/10' '13/10 13/9'

A position is an XGID, a GNUBG position ID, POSITION:MATCH, an OGID or a FIBS board. Dice are \
written 31, plays as 8/5 6/5 from the side of the player who makes them. 0-ply is the static \
evaluation (eXtreme Gammon calls it 1-ply).

Environment:
  LUCKLESS_HOME    one folder for settings and all that is kept";

/// A backgammon analysis workstation with variance-reduced rollouts.
#[derive(Debug, Parser)]
#[command(
    name = "luckless",
    version,
    args_conflicts_with_subcommands = true,
    args_override_self = true,
    after_help = EXAMPLES,
    max_term_width = 100
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    workstation: workstation::Args,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
enum Command {
    Eval(eval::Args),
    Rollout(rollout::Args),
    Compare(compare::Args),
    Why(why::Args),
    Matrix(matrix::Args),
    Merge(merge::Args),
    Review(review::Args),
    Verify(verify::Args),
    Kept(kept::Args),
    Matches(matches::Args),
    Library(library::Args),
    Find(find::Args),
    Quiz(quiz::Args),
    Plan(plan::Args),
    Play(play::Args),
    Transcribe(transcribe::Args),
    Export(export::Args),
    Inspect(inspect::Args),
    Convert(convert::Args),
    Board(board::Args),
    Book(book::Args),
    Met(met::Args),
    Bearoff(bearoff::Args),
    Duel(duel::Args),
    Ubgi(ubgi::Args),
    External(external::Args),
    Bench(bench::Args),
    Keys(keys::Args),
    Completions(completions::Args),
    Man(man::Args),
}

impl Command {
    fn run(self) -> Result<()> {
        // The workstation reports repairs on its screen.
        let is_on_screen = matches!(self, Self::Play(_) | Self::Transcribe(_));
        let _mended = (!is_on_screen).then(|| MendedListener::start(usage::say));
        match self {
            Self::Eval(args) => args.run(),
            Self::Rollout(args) => args.run(),
            Self::Compare(args) => args.run(),
            Self::Why(args) => args.run(),
            Self::Matrix(args) => args.run(),
            Self::Merge(args) => args.run(),
            Self::Review(args) => args.run(),
            Self::Verify(args) => args.run(),
            Self::Kept(args) => args.run(),
            Self::Matches(args) => args.run(),
            Self::Library(args) => args.run(),
            Self::Find(args) => args.run(),
            Self::Quiz(args) => args.run(),
            Self::Plan(args) => args.run(),
            Self::Play(args) => args.run(),
            Self::Transcribe(args) => args.run(),
            Self::Export(args) => args.run(),
            Self::Inspect(args) => args.run(),
            Self::Convert(args) => args.run(),
            Self::Board(args) => args.run(),
            Self::Book(args) => args.run(),
            Self::Met(args) => args.run(),
            Self::Bearoff(args) => args.run(),
            Self::Duel(args) => args.run(),
            Self::Ubgi(args) => args.run(),
            Self::External(args) => args.run(),
            Self::Bench(args) => args.run(),
            Self::Keys(args) => args.run(),
            Self::Completions(args) => args.run(definition()),
            Self::Man(args) => args.run(definition()),
        }
    }
}

/// Runs the program with `arguments`, including the program name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    #[cfg(unix)]
    common::signals::survive_file_limits();
    let arguments = help_of_help(arguments.into_iter().collect());
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(error) => {
            let error = mistyped_option(&arguments).unwrap_or(error);
            return usage::report(&error, &definition());
        }
    };
    usage::status(start_threads().and_then(|()| match cli.command {
        Some(command) => command.run(),
        None => cli.workstation.run(definition),
    }))
}

/// Starts the shared threads in advance, because their first use would panic if they cannot be started.
fn start_threads() -> Result<()> {
    match rayon::ThreadPoolBuilder::new().build_global() {
        // Without a source, the threads were already started.
        Err(error) if error.source().is_some() => Err(error).context("no thread can be started"),
        _ => Ok(()),
    }
}

/// Converts `help --help` to `help help`, because clap takes the word after `help` as the name of a command.
fn help_of_help(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let is = |argument: Option<&OsString>, words: &[&str]| {
        argument.is_some_and(|a| words.iter().any(|word| a == word))
    };
    let Some(at) = arguments.iter().position(|a| a == "help") else {
        return arguments;
    };
    let mut command = definition();
    for name in &arguments[1..at] {
        match name.to_str().and_then(|name| command.find_subcommand(name)) {
            Some(below) => command = below.clone(),
            None => return arguments,
        }
    }
    if command.has_subcommands() && is(arguments.get(at + 1), &["--help", "-h"]) {
        arguments[at + 1] = "help".into();
    }
    arguments
}

/// Returns the error for an unknown option that was taken for a position: an XGID may begin like an option.
fn mistyped_option(arguments: &[OsString]) -> Option<clap::Error> {
    let is_xgid = |text: &str| text.starts_with('-') && text.contains(':') && !text.contains('=');
    let whole = arguments.iter().map(|argument| match argument.to_str() {
        Some(text) if is_xgid(text) => format!("XGID={text}").into(),
        _ => argument.clone(),
    });
    let strict = definition().mut_subcommands(|command| {
        command.mut_args(|argument| argument.allow_hyphen_values(false))
    });
    let error = strict.try_get_matches_from(whole).err()?;
    let is_about_options = matches!(
        error.kind(),
        ErrorKind::UnknownArgument | ErrorKind::InvalidValue
    );
    is_about_options.then_some(error)
}

/// The definition of the command line, for completions and the manual.
fn definition() -> clap::Command {
    Cli::command()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistyped_option_is_no_position() {
        let found = |words: &[&str]| {
            let words: Vec<OsString> = words.iter().map(OsString::from).collect();
            mistyped_option(&words).map(|error| error.render().to_string())
        };
        let told = found(&["luckless", "rollout", "--trails", "36", "4HPwATDgc/ABMA"]);
        assert!(
            told.is_some_and(|told| told.contains("'--trails'") && told.contains("'--trials'"))
        );
        let told = found(&["luckless", "find", "--like", "--limit", "3"]);
        assert!(told.is_some_and(|told| told.contains("--like")));
        let bare = "-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10";
        let told = found(&["luckless", "rollout", "--trails", "36", bare]);
        assert!(told.is_some_and(|told| told.contains("'--trails'")));
        // Errors in a position are reported by its own parser.
        assert_eq!(found(&["luckless", "rollout", bare]), None);
        assert_eq!(found(&["luckless", "eval", "-"]), None);
    }

    /// Values of which each option accepts one.
    const VALUES: [&str; 17] = [
        "1",
        "9",
        "36",
        "0.5",
        "31",
        "4-1",
        "1:1",
        "1/2",
        "net",
        "0ply",
        "dice",
        "random",
        "2:0.1",
        "127.0.0.1:1234",
        "se=0.5",
        "2026-11-20",
        "4HPwATDgc/ABMA",
    ];

    /// The spellings of an option that clap understands.
    fn written(command: &clap::Command, argument: &clap::Arg) -> Option<Vec<String>> {
        let long = format!("--{}", argument.get_long()?);
        let values = argument.get_num_args().unwrap_or_default();
        if values.max_values() == 0 || argument.is_require_equals_set() {
            return Some(vec![long]);
        }
        let possible = argument.get_possible_values();
        let possible = possible.iter().map(|value| value.get_name().to_owned());
        let mut all = possible.chain(VALUES.map(str::to_owned));
        let is_understood = |value: &String| {
            let words = ["luckless", &long, value];
            let error = command.clone().try_get_matches_from(words).err();
            let kind = error.map(|error| error.kind());
            !matches!(
                kind,
                Some(ErrorKind::ValueValidation | ErrorKind::InvalidValue)
            )
        };
        let value = all.find(is_understood);
        let value = value.unwrap_or_else(|| panic!("{long} takes none of the values"));
        Some(vec![long, value])
    }

    /// Returns the required arguments missing in these words. The error gives another reason for refusal; `None` if
    /// the words are accepted.
    fn wanting(
        command: &clap::Command,
        words: &[String],
    ) -> Result<Vec<String>, Option<ErrorKind>> {
        let own = ["luckless".to_owned()];
        let parsed = command
            .clone()
            .try_get_matches_from(own.iter().chain(words));
        match parsed {
            Ok(_) => Err(None),
            Err(error) if error.kind() == ErrorKind::MissingRequiredArgument => {
                match error.get(clap::error::ContextKind::InvalidArg) {
                    Some(clap::error::ContextValue::Strings(all)) => Ok(all.clone()),
                    _ => Ok(Vec::new()),
                }
            }
            Err(error) => Err(Some(error.kind())),
        }
    }

    /// An option that requires another one is refused without it, whatever else is given. Clap forgets a requirement
    /// if another argument conflicts with it.
    #[test]
    fn no_option_goes_without_the_one_it_needs() {
        fn check(path: &str, command: &clap::Command, found: &mut Vec<String>) {
            for below in command.get_subcommands().filter(|c| c.get_name() != "help") {
                check(&format!("{path} {}", below.get_name()), below, found);
            }
            let always = wanting(command, &[]).unwrap_or_default();
            let options: Vec<(&clap::Arg, Vec<String>)> = command
                .get_arguments()
                .filter(|one| !matches!(one.get_id().as_str(), "help" | "version"))
                .filter_map(|one| Some((one, written(command, one)?)))
                .collect();
            for (_, own) in &options {
                let mut needs = wanting(command, own).unwrap_or_default();
                needs.retain(|need| !always.contains(need));
                if needs.is_empty() {
                    continue;
                }
                for (other, words) in &options {
                    let both = [&own[..], words].concat();
                    let is_given = needs.iter().any(|need| need.contains(&other.to_string()));
                    let left = match wanting(command, &both) {
                        Ok(left) => needs.iter().all(|need| left.contains(need)),
                        Err(kind) => kind.is_some(),
                    };
                    if own != words && !is_given && !left {
                        found.push(format!("{path} {} without {needs:?}", both.join(" ")));
                    }
                }
            }
        }
        let mut command = definition();
        command.build();
        let mut found = Vec::new();
        check("luckless", &command, &mut found);
        assert!(found.is_empty(), "{}", found.join("\n"));
    }

    #[test]
    fn the_definition_is_consistent() {
        definition().debug_assert();
    }

    /// On a narrow terminal examples are not wrapped, and prose is wrapped once, by the help itself.
    #[test]
    fn help_fits_a_narrow_terminal() {
        fn check(command: clap::Command) {
            for below in command.get_subcommands() {
                check(below.clone());
            }
            let Some(after) = command.get_after_help().map(ToString::to_string) else {
                return;
            };
            let help = command.term_width(80).render_long_help().to_string();
            let prose = |line: &str| !line.is_empty() && !line.starts_with(' ');
            let mut before = "";
            for line in after.lines() {
                if prose(line) {
                    let broken = prose(before) && !before.ends_with(':');
                    assert!(!broken, "broken by hand: {before}\n{line}");
                } else {
                    assert!(help.lines().any(|l| l == line), "wrapped: {line}");
                }
                before = line;
            }
        }
        check(definition());
    }

    #[test]
    fn every_command_has_examples() {
        for command in definition().get_subcommands() {
            let help = command.clone().render_long_help().to_string();
            assert!(help.contains("Example"), "{} has none", command.get_name());
        }
    }
}
