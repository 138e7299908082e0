//! `luckless board`: a position as a picture, or as text.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::Result;

use crate::cli::common::options::Id;
use crate::cli::common::output;
use crate::cli::common::usage::{misuse, refuse_given};
use crate::diagram::{Colours, Diagram, PictureFormat, USUAL_WIDTH};
use crate::game::{GameState, Roll};
use crate::notation::gnubg_id::full_id;
use crate::notation::ogid::ogid_text;
use crate::notation::{parse_play, xgid_text};
use crate::review::xg_text::board_text;
use crate::store::UserFolders;
use crate::tui::board::palette::of_diagram;
use crate::tui::theme::Theme;
use crate::tui::workers::watcher::read_themes;

const EXAMPLES: &str = "\
Examples:
  luckless board 4HPwATDgc/ABMA --out opening.svg
  luckless board 4HPwATDgc/ABMA --dice 31 --play '8/5 6/5' --out best.png
  luckless board 4HPwATDgc/ABMA > opening.svg
  luckless board 4HPwATDgc/ABMA --dice 31 --text

The player on roll is below. A play is shown by arrows on the position before it. The file's extension \
says what is written: SVG, or PNG at --width pixels. In the SVG each checker is a circle of the class \
'checker'. --text prints the board of eXtreme Gammon's texts, with the identifiers below it; X is on roll.";

/// A position as a picture, SVG or PNG, or as text
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The position: an XGID, a GNUBG position ID, POSITION:MATCH, an OGID or a FIBS board
    #[arg(value_name = "ID", allow_hyphen_values = true)]
    id: Id,
    /// The roll to be shown [default: the one in the ID]
    #[arg(long, value_name = "DICE")]
    dice: Option<Roll>,
    /// A play to be shown by arrows; it needs a roll
    #[arg(long, value_name = "PLAY")]
    play: Option<String>,
    /// The colours of a theme, in the program or of one's own; mono: black and white, for print
    /// [default: a wooden board on white]
    #[arg(long, value_name = "NAME")]
    theme: Option<String>,
    /// Bear off on the left
    #[arg(long)]
    flip: bool,
    /// Leave out the pips of both players
    #[arg(long)]
    no_pips: bool,
    /// Draw the XGID below the board, for people to read
    #[arg(long)]
    xgid: bool,
    /// The board as text, with XGID, GNUBG ID and OGID below it
    #[arg(long, conflicts_with_all = ["play", "theme", "flip", "no_pips", "xgid", "width"])]
    text: bool,
    /// The file to write, .svg or .png, or .txt with --text; without it SVG or the text goes to stdout
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Pixels across, of a PNG [default: 1240]
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(16..=8192))]
    width: Option<u32>,
    /// Replace a file that is there already
    #[arg(long, requires = "out")]
    force: bool,
}

impl Args {
    pub(crate) fn run(mut self) -> Result<()> {
        self.out = output::named_file(self.out, self.force)?;
        let diagram = self.diagram()?;
        if self.text {
            return self.write_text(&diagram.state);
        }
        let colours = self.colours()?;
        let format = self.out.as_deref().and_then(PictureFormat::of);
        if format != Some(PictureFormat::Png) {
            let given = [(self.width.is_some(), "--width")];
            refuse_given(&given, "only a PNG has pixels")?;
        }
        let Some(out) = &self.out else {
            return output::text(&diagram.svg(&colours));
        };
        let Some(format) = format else {
            let out = out.display();
            let text = "a text in .txt, with --text";
            return Err(misuse(format!(
                "{out}: a picture ends in .svg or .png, {text}"
            )));
        };
        let bytes = diagram.file(format, &colours, self.width.unwrap_or(USUAL_WIDTH))?;
        output::to_file(out, &bytes, self.force)
    }

    /// Writes the board of `state` as text, with its identifiers.
    fn write_text(&self, state: &GameState) -> Result<()> {
        // As in the XGID, X has doubled where a double waits for its answer.
        let mut text = board_text(&state.roller());
        if let Some(roll) = state.roll {
            let [first, second] = [roll.high(), roll.low()];
            let dice = format!("|BAR|     [{first}] [{second}]      |");
            text = text.replacen("|BAR|                  |", &dice, 1);
        }
        let _ = writeln!(text, "{}", xgid_text(state));
        if let Some(id) = full_id(state) {
            let _ = writeln!(text, "GNUBG ID {id}");
        }
        if let Some(id) = ogid_text(state) {
            let _ = writeln!(text, "OGID={id}");
        }
        let Some(out) = &self.out else {
            return output::text(&text);
        };
        let extension = out.extension();
        if !extension.is_some_and(|extension| extension.eq_ignore_ascii_case("txt")) {
            return Err(misuse(format!("{}: a text ends in .txt", out.display())));
        }
        output::to_file(out, text.as_bytes(), self.force)
    }

    fn colours(&self) -> Result<Colours> {
        let Some(name) = &self.theme else {
            return Ok(Colours::default());
        };
        let own = UserFolders::of_user().map(|folders| read_themes(&folders.themes()));
        let (own, wrong) = own.unwrap_or_default();
        let themes = Theme::with_own(own);
        let found = themes.iter().find(|theme| theme.name == *name);
        found.map(of_diagram).ok_or_else(|| {
            let names: Vec<&str> = themes.iter().map(|theme| theme.name.as_str()).collect();
            // One of the user's own may be there, and broken.
            let wrong: String = wrong.iter().map(|why| format!("; {why}")).collect();
            misuse(format!(
                "'{name}': expected a theme, one of {}{wrong}",
                names.join(", ")
            ))
        })
    }

    fn diagram(&self) -> Result<Diagram> {
        let roll = self.id.roll(self.dice);
        let state = GameState {
            roll,
            ..self.id.state
        };
        let play = match (&self.play, roll) {
            (None, _) => None,
            (Some(_), _) if state.doubled => {
                return Err(misuse("a double must be answered before the roll"));
            }
            (Some(_), None) => return Err(misuse("a play needs a roll: give --dice")),
            (Some(text), Some(roll)) => {
                let play = parse_play(text, &state.position, roll);
                Some(play.map_err(|error| misuse(format!("'{text}': {error}")))?)
            }
        };
        Ok(Diagram {
            play,
            mirrored: self.flip,
            pips: !self.no_pips,
            identified: self.xgid,
            ..Diagram::new(state)
        })
    }
}
