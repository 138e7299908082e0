//! How failures are reported: one line on stderr, and an exit status.

use std::io::{self, ErrorKind, Write as _};
use std::path::Path;
use std::process::ExitCode;
use std::sync::OnceLock;

use clap::error::{ContextKind, ContextValue, ErrorKind as ClapKind};
use thiserror::Error;

use crate::rollout::RolloutError;
use crate::sanitize;
use crate::store::StoreError;

/// Status of a failure.
const FAILED: u8 = 1;
/// Status of wrong usage.
const MISUSED: u8 = 2;

/// The user asked for what cannot be: exit status 2.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct UsageError(pub String);

/// Wrong usage as an error of this program.
pub fn misuse(reason: impl std::fmt::Display) -> anyhow::Error {
    UsageError(reason.to_string()).into()
}

/// Refuses the first of these options that was given, and says why it means nothing.
pub fn refuse_given(options: &[(bool, &str)], why: &str) -> anyhow::Result<()> {
    match options.iter().find(|(is_given, _)| *is_given) {
        Some((_, name)) => Err(misuse(format!("{why}: leave out {name}"))),
        None => Ok(()),
    }
}

/// Refuses a file that was named to be read and is not there.
pub fn must_be_there(named: Option<&Path>) -> anyhow::Result<()> {
    match named.filter(|path| !path.exists()) {
        Some(path) => Err(misuse(format!("{}: no such file", path.display()))),
        None => Ok(()),
    }
}

/// Refuses to watch what is no folder.
pub fn must_be_folder(watched: &Path) -> anyhow::Result<()> {
    match watched.is_dir() {
        true => Ok(()),
        false => Err(misuse(format!("{}: not a folder", watched.display()))),
    }
}

/// Tells what the parser of the command line of `definition` found: help and version on stdout, mistakes in
/// one line on stderr.
pub fn report(error: &clap::Error, definition: &clap::Command) -> ExitCode {
    if matches!(
        error.kind(),
        ClapKind::DisplayHelp | ClapKind::DisplayVersion
    ) {
        return match write!(io::stdout().lock(), "{}", error.render()) {
            Err(e) if e.kind() != ErrorKind::BrokenPipe => fail(&e.into()),
            _ => ExitCode::SUCCESS,
        };
    }
    if error.kind() == ClapKind::DisplayHelpOnMissingArgumentOrSubcommand {
        // Its text is the whole help: what is asked for would be lost in it.
        say("a command is missing: --help names them");
        return ExitCode::from(MISUSED);
    }
    let negative = unknown(error).filter(|a| a.starts_with('-') && a.parse::<f64>().is_ok());
    say(&match negative {
        // The parser takes its first digit for the name of an option.
        Some(_) => "no option takes a negative number".to_owned(),
        None => one_line(&error.render().to_string()) + &owners(error, definition),
    });
    ExitCode::from(MISUSED)
}

/// The commands that have the option which this one has not, as the end of a message.
fn owners(error: &clap::Error, definition: &clap::Command) -> String {
    let Some(option) = unknown(error).and_then(|argument| argument.strip_prefix("--")) else {
        return String::new();
    };
    let has = |command: &&clap::Command| {
        let mut options = command.get_arguments().filter_map(clap::Arg::get_long);
        options.any(|long| long == option)
    };
    let names: Vec<String> = definition
        .get_subcommands()
        .filter(has)
        .map(|command| format!("`{}`", command.get_name()))
        .collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => format!("; {one} has it"),
        [others @ .., last] => format!("; {} and {last} have it", others.join(", ")),
    }
}

/// The argument that is none.
fn unknown(error: &clap::Error) -> Option<&str> {
    match error.get(ContextKind::InvalidArg)? {
        ContextValue::String(argument) if error.kind() == ClapKind::UnknownArgument => {
            Some(argument)
        }
        _ => None,
    }
}

/// The command of `definition` that `word` comes near, as the end of a message; nothing if none does.
pub fn suggestion(definition: &clap::Command, word: &str) -> String {
    // The parser compares words itself, but only where no other argument can stand.
    let bare = definition
        .get_subcommands()
        // The parser adds `help` itself.
        .filter(|command| command.get_name() != "help")
        .fold(clap::Command::new(""), |bare, command| {
            bare.subcommand(command.clone())
        });
    let error = bare.try_get_matches_from(["", word]).err();
    match error
        .as_ref()
        .and_then(|e| e.get(ContextKind::SuggestedSubcommand))
    {
        Some(ContextValue::Strings(names)) if !names.is_empty() => {
            let names: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
            format!("; is {} meant?", names.join(" or "))
        }
        _ => String::new(),
    }
}

/// The exit status of a command, its failure reported on stderr.
pub fn status(result: anyhow::Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&error),
    }
}

/// Tells a failure. A closed pipe is none: its reader has had enough.
pub fn fail(error: &anyhow::Error) -> ExitCode {
    let broken_pipe = error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == ErrorKind::BrokenPipe);
    if broken_pipe {
        return ExitCode::SUCCESS;
    }
    say(&message_of(error));
    ExitCode::from(if error.is::<UsageError>() {
        MISUSED
    } else {
        FAILED
    })
}

/// The error and what it came from, in one line; a cause that is already named is not repeated (many
/// errors name their cause themselves, so that `{error:#}` would tell it twice).
pub fn message_of(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

/// The message of the parser without its usage block, in one line.
fn one_line(message: &str) -> String {
    let message = message.strip_prefix("error: ").unwrap_or(message);
    let lines = message
        .lines()
        .take_while(|line| !line.starts_with("Usage:"))
        .filter(|line| !line.starts_with("For more information"))
        .map(str::trim)
        // How to pass it as a value: nobody wants that.
        .filter(|line| !line.starts_with("tip: to pass '-"))
        .filter(|line| !line.is_empty());
    let mut text = String::new();
    for line in lines {
        if let Some(tip) = line.strip_prefix("tip: ") {
            text.push_str("; ");
            text.push_str(tip);
        } else {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(line);
        }
    }
    text
}

/// The name by which the program speaks, where it is not `luckless`.
static NAME: OnceLock<&str> = OnceLock::new();

/// Has every line of [`say`] begin with the name of another program of this crate.
pub fn speak_as(name: &'static str) {
    NAME.get_or_init(|| name);
}

/// One line on stderr, without control characters.
pub fn say(message: &str) {
    let name = NAME.get().unwrap_or(&"luckless");
    // Nobody is left to report to when stderr is closed.
    let _ = writeln!(io::stderr().lock(), "{name}: {}", shown(message));
}

/// Says why reviews are not kept, if they are not.
pub fn report_not_kept(error: Option<&StoreError>) {
    if let Some(error) = error {
        say(&format!("reviews are not kept: {error}"));
    }
}

/// The message as it may be shown: its middle left out where it is very long, as an argument that it
/// quotes may be.
fn shown(message: &str) -> String {
    const LONGEST: usize = 2000;
    let message = sanitize::clean(message);
    let length = message.chars().count();
    if length <= LONGEST {
        return message.into_owned();
    }
    let begin = message.chars().take(LONGEST / 2);
    let end = message.chars().skip(length - LONGEST / 2);
    begin.chain(" … ".chars()).chain(end).collect()
}

/// What a rollout refuses is wrong usage, but for what is not the user's doing.
pub fn refused(error: RolloutError) -> anyhow::Error {
    match error {
        RolloutError::Threads { .. }
        | RolloutError::OtherEvaluator { .. }
        | RolloutError::OtherVersion
        | RolloutError::Damaged { .. } => error.into(),
        other => misuse(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_the_parser_become_one_line() {
        let message = "error: unexpected argument '--jsn' found\n\n  tip: a similar argument \
                       exists: '--json'\n\nUsage: luckless eval <ID>\n\nFor more information, \
                       try '--help'.\n";
        let expected = "unexpected argument '--jsn' found; a similar argument exists: '--json'";
        assert_eq!(one_line(message), expected);
        let missing = "error: the following required arguments were not provided:\n  <ID>\n\n\
                       Usage: luckless eval <ID>\n";
        assert_eq!(
            one_line(missing),
            "the following required arguments were not provided: <ID>"
        );
    }

    #[test]
    fn options_of_other_commands_are_known() {
        let flag = |name: &'static str| clap::Arg::new(name).long(name);
        let definition = clap::Command::new("program")
            .subcommand(clap::Command::new("a").arg(flag("both")))
            .subcommand(clap::Command::new("b").args([flag("both"), flag("one")]))
            .subcommand(clap::Command::new("c"));
        let message = |option| {
            let parsed = definition
                .clone()
                .try_get_matches_from(["program", "c", option]);
            let error = parsed.unwrap_err();
            one_line(&error.render().to_string()) + &owners(&error, &definition)
        };
        assert_eq!(
            message("--one"),
            "unexpected argument '--one' found; `b` has it"
        );
        assert!(message("--both").ends_with("; `a` and `b` have it"));
        assert_eq!(message("--none"), "unexpected argument '--none' found");
    }

    #[test]
    fn long_messages_keep_their_ends() {
        assert_eq!(shown("a\x1b[1mb\n"), "a[1mb ");
        let long = format!("begin {} end", "é".repeat(100_000));
        let shown = shown(&long);
        assert_eq!(shown.chars().count(), 2003);
        assert!(shown.starts_with("begin é") && shown.ends_with("é end"));
    }

    #[test]
    fn a_cause_is_reported_once() {
        let gone = || io::Error::other("gone");
        let error = anyhow::Error::new(gone()).context("a.mat: cannot be read: gone");
        assert_eq!(message_of(&error), "a.mat: cannot be read: gone");
        let error = anyhow::Error::new(gone()).context("b.mat");
        assert_eq!(message_of(&error), "b.mat: gone");
    }
}
