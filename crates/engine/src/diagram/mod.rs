//! Draws a position as a diagram, written as SVG or painted as PNG.
//!
//! [`Diagram`] contains the settings; [`scene`] lays them out as a list of shapes; [`svg`] writes them and
//! `png` paints them. A shape has a [`Part`](shape::Part), which determines its paint by [`Colours`] and is
//! its class in SVG. Every checker on a point or on the bar is a circle of class `checker` in a group that
//! names the place. Every checker borne off is a bar of class `off`. Programs can therefore count the
//! checkers in a file. A file also contains the XGID of its position, in SVG as a `<desc>`, in PNG as a text.
//!
//! Lengths are in units of the drawing, which is 612 wide and 560 high, or 584 with its XGID below; y grows
//! downwards.

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

/// The first words of a description.
const WHAT: &str = "Backgammon position";

/// Default width of a PNG, in pixels.
pub const USUAL_WIDTH: u32 = 1240;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureFormat {
    /// Vector graphics.
    Svg,
    /// Pixels.
    Png,
}

impl PictureFormat {
    /// Returns the format with the extension of a path, ignoring case; `None` for other extensions.
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
    /// Returns a complete SVG file, with the XGID of the position as its description.
    pub fn svg(&self, colours: &Colours) -> String {
        let description = format!("{WHAT} {}", xgid_text(&self.state));
        svg::file(&scene::drawing(self), &self.title(), &description, colours)
    }

    /// Returns an `<svg>` element for a page whose style sheet colours the classes. Screen readers read
    /// `title` instead. The page has to name the position.
    pub fn svg_element(&self, title: &str) -> String {
        svg::element(scene::drawing(self), title)
    }

    /// Returns a PNG file of this width in pixels, with the XGID of the position as its text `XGID`.
    ///
    /// # Errors
    /// [`PngError`] if the width is out of range or encoding fails.
    pub fn png(&self, colours: &Colours, width: u32) -> Result<Vec<u8>, PngError> {
        let png = png::paint(&scene::drawing(self), colours, width)?;
        Ok(png::with_text(&png, "XGID", &xgid_text(&self.state)))
    }

    /// Returns a file in this format; `width` applies to PNG only.
    ///
    /// # Errors
    /// [`PngError`] if the width is out of range or encoding fails.
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

    /// Describes the picture in words.
    fn title(&self) -> String {
        let position = &self.state.position;
        let (decides, detail) = match (self.state.doubled, self.state.roll) {
            (true, _) => {
                let to = self.state.cube.saturating_mul(2);
                ("to answer", format!(", doubled to {to}"))
            }
            (false, Some(roll)) => ("on roll", format!(", {} to play", dice(roll))),
            (false, None) => ("on roll", String::new()),
        };
        if !self.pips {
            return format!("{WHAT}, {decides}{detail}");
        }
        format!(
            "{WHAT}: pips {} {decides}, {} opponent{detail}",
            position.mover.pips(),
            position.opponent.pips()
        )
    }
}

#[cfg(test)]
mod tests;
