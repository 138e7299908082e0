//! A position as a diagram: one drawing, written as SVG or painted as PNG.
//!
//! [`Diagram`] says what is shown; [`scene`] lays it out as a list of shapes; [`svg`] writes them and
//! `png` paints them. A shape has a [`Part`](shape::Part), from which [`Colours`] makes its paint, and which is its
//! class in SVG. Every checker on a point or on the bar is a circle of the class `checker` in a group that
//! names the place. Every checker borne off is a bar of the class `off`. So a reader of the file can count
//! them. A file also holds the XGID of its position, in SVG as a `<desc>`, in PNG as a text.
//!
//! Lengths are in units of the drawing, 612 wide and 560 high, or 584 with its XGID below; y grows downwards.

mod arrows;
mod colours;
mod layout;
mod lettering;
mod png;
mod scene;
mod shape;
mod subject;
mod svg;

use std::path::Path;

pub use colours::{Colours, Rgb};
pub use png::PngError;
pub use subject::Diagram;

use crate::notation::play::dice;
use crate::notation::xgid_text;

/// How the words of a picture begin.
const WHAT: &str = "Backgammon position";

/// Pixels across a PNG where nothing else is asked for.
pub const USUAL_WIDTH: u32 = 1240;

/// What a picture can be written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureFormat {
    /// Shapes.
    Svg,
    /// Pixels.
    Png,
}

impl PictureFormat {
    /// The format that the extension of a file names, in capitals or not; `None` for any other.
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        match extension.to_ascii_lowercase().as_str() {
            "svg" => Some(Self::Svg),
            "png" => Some(Self::Png),
            _ => None,
        }
    }
}

impl Diagram {
    /// A whole SVG file, with the XGID of the position as its description.
    pub fn svg(&self, colours: &Colours) -> String {
        let description = format!("{WHAT} {}", xgid_text(&self.state));
        svg::file(&scene::drawing(self), &self.title(), &description, colours)
    }

    /// An `<svg>` element for a page whose style sheet colours the classes; `title` is read out in its
    /// place. The page names the position itself.
    pub fn svg_element(&self, title: &str) -> String {
        svg::element(scene::drawing(self), title)
    }

    /// A PNG file, `width` pixels wide, with the XGID of the position as its text `XGID`.
    ///
    /// # Errors
    /// [`PngError`] if it would have no pixels or too many.
    pub fn png(&self, colours: &Colours, width: u32) -> Result<Vec<u8>, PngError> {
        let png = png::paint(&scene::drawing(self), colours, width)?;
        Ok(png::with_text(&png, "XGID", &xgid_text(&self.state)))
    }

    /// A file in this format; a PNG is `width` pixels wide.
    ///
    /// # Errors
    /// [`PngError`] if a PNG would have no pixels or too many.
    pub fn file(
        &self,
        format: PictureFormat,
        colours: &Colours,
        width: u32,
    ) -> Result<Vec<u8>, PngError> {
        match format {
            PictureFormat::Svg => Ok(self.svg(colours).into_bytes()),
            PictureFormat::Png => self.png(colours, width),
        }
    }

    /// The picture in words.
    fn title(&self) -> String {
        let position = &self.state.position;
        let (decides, what) = match (self.state.doubled, self.state.roll) {
            (true, _) => {
                let to = self.state.cube.saturating_mul(2);
                ("to answer", format!(", doubled to {to}"))
            }
            (false, Some(roll)) => ("on roll", format!(", {} to play", dice(roll))),
            (false, None) => ("on roll", String::new()),
        };
        if !self.pips {
            return format!("{WHAT}, {decides}{what}");
        }
        format!(
            "{WHAT}: pips {} {decides}, {} opponent{what}",
            position.mover.pips(),
            position.opponent.pips()
        )
    }
}

#[cfg(test)]
mod tests;
