//! Reports errors as one line on stderr and an exit status.

use std::io::{self, ErrorKind, Write as _};
use std::path::Path;
use std::process::ExitCode;
use std::sync::OnceLock;

use clap::error::{ContextKind, ContextValue, ErrorKind as ClapKind};
use thiserror::Error;

use crate::rollout::RolloutError;
use crate::sanitize;
use crate::store::StoreError;

/// Exit status of a failure.
const FAILED: u8 = 1;
/// Exit status of a usage error.
const MISUSED: u8 = 2;

/// A usage error: exit status 2.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct UsageError(pub String);

/// Builds a usage error.
pub fn misuse(reason: impl std::fmt::Display) -> anyhow::Error {
    UsageError(reason.to_string()).into()
}

/// Refuses the first given option of these, with the reason why it does not apply.
pub fn refuse_given(options: &[(bool, &str)], why: &str) -> anyhow::Result<()> {
    match options.iter().find(|(is_given, _)| *is_given) {
        Some((_, name)) => Err(misuse(format!("{why}: leave out {name}"))),
        None => Ok(()),
    }
}

/// Refuses a missing input file.
pub fn must_be_there(named: Option<&Path>) -> anyhow::Result<()> {
    match named.filter(|path| !path.exists()) {
        Some(path) => Err(misuse(format!("{}: no such file", path.display()))),
        None => Ok(()),
    }
}

/// Refuses to watch anything but a folder.
pub fn must_be_folder(watched: &Path) -> anyhow::Result<()> {
    match watched.is_dir() {
        true => Ok(()),
        false => Err(misuse(format!("{}: not a folder", watched.display()))),
    }
}

/// Reports the result of parsing the command line of `definition`: help and version on stdout, errors in one line on
/// stderr.
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
        // Clap's text is the whole help, which would hide the message.
        say("a command is missing: --help names them");
        return ExitCode::from(MISUSED);
    }
    let negative = unknown(error).filter(|a| a.starts_with('-') && a.parse::<f64>().is_ok());
    say(&match negative {
        // Clap takes the first digit as the name of an option.
        Some(_) => "no option takes a negative number".to_owned(),
        None => one_line(&error.render().to_string()) + &owners(error, definition),
    });
    ExitCode::from(MISUSED)
}

/// Names the commands that have an option unknown here, as the end of a message.
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

/// The unknown argument.
fn unknown(error: &clap::Error) -> Option<&str> {
    match error.get(ContextKind::InvalidArg)? {
        ContextValue::String(argument) if error.kind() == ClapKind::UnknownArgument => {
            Some(argument)
        }
        _ => None,
    }
}

/// Suggests a command of `definition` similar to `word`, as the end of a message; empty if there is none.
pub fn suggestion(definition: &clap::Command, word: &str) -> String {
    // Clap makes suggestions, too, but only where no other argument is possible.
    let bare = definition
        .get_subcommands()
        // Clap adds `help` itself.
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

/// Converts a command's result to its exit status, reporting a failure on stderr.
pub fn status(result: anyhow::Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&error),
    }
}

/// Reports a failure. A closed pipe is not one: its reader has read enough.
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

/// Formats an error and its causes in one line. A cause already contained in its error is not repeated; `{error:#}`
/// would repeat it.
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

/// Formats a message of clap in one line, without its usage block.
fn one_line(message: &str) -> String {
    let message = message.strip_prefix("error: ").unwrap_or(message);
    let lines = message
        .lines()
        .take_while(|line| !line.starts_with("Usage:"))
        .filter(|line| !line.starts_with("For more information"))
        .map(str::trim)
        // Nobody needs to pass an option as a value.
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

/// Name of the program in messages, if it is not `luckless`.
static NAME: OnceLock<&str> = OnceLock::new();

/// Sets the name that precedes the lines of [`say`], for other programs of this crate.
pub fn speak_as(name: &'static str) {
    NAME.get_or_init(|| name);
}

/// Prints one line on stderr, without control characters.
pub fn say(message: &str) {
    let name = NAME.get().unwrap_or(&"luckless");
    // If stderr is closed, there is nobody to report to.
    let _ = writeln!(io::stderr().lock(), "{name}: {}", shown(message));
}

/// Reports why reviews are not stored, if they are not.
pub fn report_not_kept(error: Option<&StoreError>) {
    if let Some(error) = error {
        say(&format!("reviews are not kept: {error}"));
    }
}

/// Sanitises a message, and shortens a very long one in its middle; it may quote a long argument.
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

/// Converts a rollout error to a usage error, unless the user is not responsible for it.
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
