//! Draws shapes as PNG.

use thiserror::Error;
use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, StrokeDash,
    Transform,
};

use super::colours::{Colours, Ink, Rgb};
use super::layout::WIDTH;
use super::scene::Drawing;
use super::shape::{Form, Segment};

/// Maximum width of a picture, in pixels.
const WIDEST: u32 = 8192;

/// Offset of the second chunk of a PNG, in bytes: after the signature and the header.
const SECOND_CHUNK: usize = 8 + 25;

/// Why a picture cannot be drawn.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PngError {
    /// The picture would be too small or too large.
    #[error("a picture {0} pixels wide: from 16 to {WIDEST} are possible")]
    Width(u32),
    /// The encoder reported an error.
    #[error("the picture could not be encoded: {0}")]
    Encoding(String),
}

pub(super) fn paint(drawing: &Drawing, colours: &Colours, width: u32) -> Result<Vec<u8>, PngError> {
    let scale = width as f32 / WIDTH;
    let height = (drawing.height * scale).ceil() as u32;
    let canvas = (16..=WIDEST)
        .contains(&width)
        .then(|| Pixmap::new(width, height));
    let mut canvas = canvas.flatten().ok_or(PngError::Width(width))?;
    for shape in &drawing.shapes {
        if let Some(path) = outline(&shape.form) {
            draw(&mut canvas, &path, &colours.ink(shape.part), scale);
        }
    }
    let encoded = canvas.encode_png();
    encoded.map_err(|error| PngError::Encoding(error.to_string()))
}

/// Inserts a text chunk after the header of a PNG. Keyword and text are ASCII without zeros. A chunk consists
/// of its length, its type, its data, and the CRC of type and data (PNG specification, `tEXt`).
pub(super) fn with_text(png: &[u8], keyword: &str, text: &str) -> Vec<u8> {
    let held = [keyword.as_bytes(), b"\0", text.as_bytes()].concat();
    let length = held.len() as u32;
    let checked = [&b"tEXt"[..], &held].concat();
    let crc = crc32fast::hash(&checked);
    let (before, behind) = png.split_at(SECOND_CHUNK.min(png.len()));
    [
        before,
        &length.to_be_bytes(),
        &checked,
        &crc.to_be_bytes(),
        behind,
    ]
    .concat()
}

fn draw(canvas: &mut Pixmap, path: &Path, ink: &Ink, scale: f32) {
    let scaled = Transform::from_scale(scale, scale);
    if let Some(colour) = ink.fill {
        canvas.fill_path(path, &solid(colour), FillRule::Winding, scaled, None);
    }
    if let Some((colour, width)) = ink.line {
        let dash = ink.broken.then(|| StrokeDash::new(vec![5.0, 5.0], 0.0));
        let stroke = Stroke {
            width,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            dash: dash.flatten(),
            ..Stroke::default()
        };
        canvas.stroke_path(path, &solid(colour), &stroke, scaled, None);
    }
}

fn solid(Rgb(red, green, blue): Rgb) -> Paint<'static> {
    let mut paint = Paint {
        anti_alias: true,
        ..Paint::default()
    };
    paint.set_color(Color::from_rgba8(red, green, blue, 255));
    paint
}

/// Converts a form to a path; `None` if it is empty.
fn outline(form: &Form) -> Option<Path> {
    let mut path = PathBuilder::new();
    match form {
        Form::Circle { x, y, r } => path.push_circle(*x, *y, *r),
        Form::Rectangle {
            x,
            y,
            width,
            height,
            round,
        } if *round <= 0.0 => path.push_rect(Rect::from_xywh(*x, *y, *width, *height)?),
        Form::Rectangle {
            x,
            y,
            width,
            height,
            round,
        } => rounded(&mut path, [*x, *y, x + width, y + height], *round),
        Form::Path(segments) => segments.iter().for_each(|segment| match *segment {
            Segment::Move(x, y) => path.move_to(x, y),
            Segment::Line(x, y) => path.line_to(x, y),
            Segment::Curve(cx, cy, x, y) => path.quad_to(cx, cy, x, y),
            Segment::Close => path.close(),
        }),
    }
    path.finish()
}

fn rounded(path: &mut PathBuilder, [left, top, right, bottom]: [f32; 4], r: f32) {
    path.move_to(left + r, top);
    path.line_to(right - r, top);
    path.quad_to(right, top, right, top + r);
    path.line_to(right, bottom - r);
    path.quad_to(right, bottom, right - r, bottom);
    path.line_to(left + r, bottom);
    path.quad_to(left, bottom, left, bottom - r);
    path.line_to(left, top + r);
    path.quad_to(left, top, left + r, top);
    path.close();
}
