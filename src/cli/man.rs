//! `luckless man`: prints the manual pages.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use clap_mangen::roff::{Roff, roman};

use crate::cli::common::output;
use crate::cli::common::usage::{misuse, suggestion};

const EXAMPLES: &str = "\
Examples:
  luckless man | man -l -            read it
  luckless man rollout | man -l -
  luckless man eval > luckless-eval.1
  luckless man --all man1            the pages of all commands, for packages

The page is in the language of man pages (roff). `luckless --help` lists the commands; where man has no \
-l, write the page to a file and give its path. With --all a page that is in the folder already is replaced.";

/// The manual page, of the program or of one command
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The command whose page is wanted, such as eval [default: the program]
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,
    /// Write the pages of the program and of all commands into this folder
    #[arg(long, value_name = "FOLDER", conflicts_with = "command")]
    all: Option<PathBuf>,
}

impl Args {
    pub(super) fn run(self, definition: clap::Command) -> Result<()> {
        // `help` has no page. Building the command sets the full names of its subcommands.
        let mut page = without_help(definition);
        page.build();
        let mut title = "luckless".to_owned();
        if let Some(folder) = &self.all {
            fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
            return write_all(page, &title, folder);
        }
        for name in &self.command {
            let Some(command) = page.find_subcommand(name) else {
                let tip = suggestion(&page, name);
                return Err(misuse(format!("there is no command '{title} {name}'{tip}")));
            };
            page = command.clone();
            title = format!("{title}-{name}");
        }
        output::raw(&written(page, title)?)
    }
}

fn without_help(command: clap::Command) -> clap::Command {
    let command = command.disable_help_subcommand(true);
    command.mut_subcommands(without_help)
}

/// Writes the pages of a command and its subcommands.
fn write_all(command: clap::Command, title: &str, folder: &Path) -> Result<()> {
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        write_all(sub.clone(), &format!("{title}-{}", sub.get_name()), folder)?;
    }
    let path = folder.join(format!("{title}.1"));
    fs::write(&path, written(command, title.to_owned())?)
        .with_context(|| path.display().to_string())
}

/// Formats the page of a command. The synopsis is the usage of the help, because that of the library lists all
/// options without showing which may be repeated. Its section of examples is replaced, because it would join the
/// commands into a paragraph.
fn written(mut command: clap::Command, title: String) -> Result<Vec<u8>> {
    let usage = command.render_usage().to_string();
    let help = command.get_after_help().map(ToString::to_string);
    let (has_subcommands, has_version) =
        (command.has_subcommands(), command.get_version().is_some());
    let man = clap_mangen::Man::new(command)
        .title(title)
        .source(concat!("luckless ", env!("CARGO_PKG_VERSION")))
        .manual("Luckless");
    let mut roff = Vec::new();
    man.render_title(&mut roff)?;
    man.render_name_section(&mut roff)?;
    synopsis(&usage).to_writer(&mut roff)?;
    man.render_description_section(&mut roff)?;
    man.render_options_section(&mut roff)?;
    if has_subcommands {
        man.render_subcommands_section(&mut roff)?;
    }
    if has_version {
        man.render_version_section(&mut roff)?;
    }
    if let Some(help) = help {
        examples(&help).to_writer(&mut roff)?;
    }
    Ok(roff)
}

fn synopsis(usage: &str) -> Roff {
    let mut roff = Roff::default();
    roff.control("SH", ["SYNOPSIS"]).control("nf", []);
    for line in usage.lines() {
        roff.text([roman(line.trim_start_matches("Usage:").trim())]);
    }
    roff.control("fi", []);
    roff
}

/// Formats the text after the options: indented lines stay separate, others are filled.
fn examples(help: &str) -> Roff {
    let mut roff = Roff::default();
    const ENVIRONMENT: &str = "Environment:";
    roff.control("SH", ["EXAMPLES"]);
    for paragraph in help.trim().split("\n\n") {
        match paragraph.starts_with(ENVIRONMENT) {
            true => roff.control("SH", ["ENVIRONMENT"]),
            false => roff.control("PP", []),
        };
        let mut keeps_lines = false;
        let is_heading = |line: &&str| ["Examples:", ENVIRONMENT].contains(line);
        for line in paragraph.lines().filter(|line| !is_heading(line)) {
            if line.starts_with(' ') != keeps_lines {
                keeps_lines = !keeps_lines;
                roff.control(if keeps_lines { "nf" } else { "fi" }, []);
            }
            roff.text([roman(line)]);
        }
        if keeps_lines {
            roff.control("fi", []);
        }
    }
    roff
}
