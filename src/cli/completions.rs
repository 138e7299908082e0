//! `luckless completions`: shell completion of the command line.

use anyhow::Result;
use clap::ValueHint;
use clap_complete::Shell;

use crate::cli::common::output;

const EXAMPLES: &str = "\
Examples:
  mkdir -p ~/.local/share/bash-completion/completions
  luckless completions bash \\
    > ~/.local/share/bash-completion/completions/luckless
  mkdir -p ~/.config/fish/completions
  luckless completions fish > ~/.config/fish/completions/luckless.fish";

/// Completion of the command line for a shell
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Which shell
    shell: Shell,
}

impl Args {
    pub(super) fn run(self, definition: clap::Command) -> Result<()> {
        let (mut definition, mut script) = (files_only_where_they_are_read(definition), Vec::new());
        clap_complete::generate(self.shell, &mut definition, "luckless", &mut script);
        output::raw(&script)
    }
}

/// Without a hint, shells offer files for every value, even numbers. Path arguments have a hint from clap; text
/// arguments that may be a path are recognised by their value name.
fn files_only_where_they_are_read(command: clap::Command) -> clap::Command {
    let hinted = |argument: clap::Arg| {
        let names = argument.get_value_names().unwrap_or_default();
        let may_be_file = names
            .iter()
            .any(|name| name.contains("PATH") || name.contains("FILE"));
        match argument.get_value_hint() {
            ValueHint::Unknown if argument.get_action().takes_values() && !may_be_file => {
                argument.value_hint(ValueHint::Other)
            }
            _ => argument,
        }
    };
    command
        .mut_args(hinted)
        .mut_subcommands(files_only_where_they_are_read)
}

#[cfg(test)]
mod tests {
    use clap::{Arg, ArgAction, Command, value_parser};

    use super::*;

    #[test]
    fn files_are_offered_for_files() {
        let text = |name: &'static str, value| Arg::new(name).long(name).value_name(value);
        let command = Command::new("luckless").subcommand(
            Command::new("eval")
                .arg(text("luck", "KIND"))
                .arg(text("engine", "NAME=FILE"))
                .arg(text("met", "FILE").value_parser(value_parser!(std::path::PathBuf)))
                .arg(Arg::new("json").long("json").action(ArgAction::SetTrue)),
        );
        let mut command = files_only_where_they_are_read(command);
        command.build();
        let eval = command.find_subcommand("eval").unwrap();
        let hint = |name| {
            let argument = eval
                .get_arguments()
                .find(|argument| argument.get_id() == name);
            argument.unwrap().get_value_hint()
        };
        assert_eq!(hint("luck"), ValueHint::Other);
        assert_eq!(hint("engine"), ValueHint::Unknown);
        assert_eq!(hint("met"), ValueHint::AnyPath);
    }
}
