//! `luckless ubgi`: an engine for other programs, with the Universal Backgammon Interface.
//!
//! Supports both versions in use (0.1 and 0.2 of bgci): responds to each line until `quit` or the end of input.
//! [`session`] handles the lines and settings; [`table`] is the described game.

mod session;
mod settings;
mod table;
mod trouble;

use std::io::{self, BufRead, Write};

use anyhow::Result;

use crate::bounded_lines::{Line, read_line};
use crate::cli::common::options::{CubeModel, Nets};
use crate::cli::common::thinking::Thinker;
use crate::sanitize::without_mark;
use session::Session;

const EXAMPLES: &str = "\
Examples:
  printf 'position gnubgid 4HPwATDgc/ABMA\\ndice 3 1\\ngo\\n' | luckless ubgi

Versions 0.1 and 0.2 of the protocol. Single steps are written, such as 24/18 18/13, with bar and off, and \
pass where no checker can move. Plies are set as the protocol counts them: engine.ply 1 is the static \
evaluation. Answers to a double are an extension: `set luckless.replies true`, then `go reply`.";

/// An engine for other programs: the Universal Backgammon Interface on stdin and stdout
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    nets: Nets,
    #[command(flatten)]
    cube: CubeModel,
}

/// Maximum length of a line in bytes.
const LONGEST: u64 = 4096;

impl Args {
    pub(super) fn run(self) -> Result<()> {
        let thinker = Thinker::new(self.nets.engine()?, self.cube.load()?)
            .without_crawford(self.cube.no_crawford());
        converse(io::stdin().lock(), io::stdout().lock(), &thinker)?;
        Ok(())
    }
}

/// Responds to each line until the client quits or disconnects.
pub(super) fn converse(
    mut input: impl BufRead,
    mut output: impl Write,
    thinker: &Thinker,
) -> io::Result<()> {
    let mut session = Session::default();
    while let Some(line) = read_line(&mut input, LONGEST)? {
        let answer = match line {
            Line::Whole(line) => session.answer(without_mark(&line), thinker),
            Line::TooLong => {
                input.skip_until(b'\n')?;
                session.too_long(LONGEST)
            }
        };
        for line in &answer.lines {
            writeln!(output, "{}", crate::sanitize::clean(line))?;
        }
        output.flush()?;
        if answer.is_last {
            return Ok(());
        }
    }
    Ok(())
}
