//! Writes shapes as SVG.

use std::fmt::{self, Write as _};

use super::colours::{Colours, Ink};
use super::layout::WIDTH;
use super::scene::Drawing;
use super::shape::{Form, Part, Segment, Shape};
use crate::sanitize::escape_markup;

/// A length, rounded to the visible digits.
struct Length(f32);

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Adding zero turns −0 into 0.
        let tenths = (self.0 * 10.0).round() / 10.0 + 0.0;
        write!(f, "{tenths}")
    }
}

/// Returns a standalone file: each shape has its own paint, so that no style sheet is needed, and the
/// description contains the position.
pub(super) fn file(drawing: &Drawing, title: &str, description: &str, colours: &Colours) -> String {
    let description = format!("<desc>{}</desc>", escape_markup(description));
    write_all(drawing, title, &description, Some(colours))
}

/// Returns an element without a background, whose classes the page colours.
pub(super) fn element(mut drawing: Drawing, title: &str) -> String {
    drawing.shapes.retain(|shape| shape.part != Part::Page);
    write_all(&drawing, title, "", None)
}

/// Writes the shapes; `description` is markup after the title.
fn write_all(
    drawing: &Drawing,
    title: &str,
    description: &str,
    colours: Option<&Colours>,
) -> String {
    let mut out = String::with_capacity(24_000);
    // Within a page the namespace is known.
    let space = match colours {
        Some(_) => " xmlns=\"http://www.w3.org/2000/svg\"",
        None => "",
    };
    let _ = writeln!(
        out,
        "<svg{space} class=\"board\" viewBox=\"0 0 {WIDTH} {}\" \
         role=\"img\" stroke-linecap=\"round\" stroke-linejoin=\"round\"><title>{}</title>{description}",
        drawing.height,
        escape_markup(title)
    );
    let mut place = None;
    for shape in &drawing.shapes {
        group(&mut out, &mut place, shape);
        form(&mut out, shape);
        if let Some(colours) = colours {
            paint(&mut out, &colours.ink(shape.part));
        }
        out.push_str("/>\n");
    }
    if place.is_some() {
        out.push_str("</g>\n");
    }
    out.push_str("</svg>\n");
    out
}

/// Opens and closes groups, so that the checkers of a side on one place form a group with its name.
fn group(out: &mut String, open: &mut Option<(&str, u8)>, shape: &Shape) {
    let belongs = matches!(shape.part, Part::Rim(_) | Part::Count(_));
    let wanted = match shape.place {
        Some(place) => Some((shape.part.class(), place)),
        None if belongs => *open,
        None => None,
    };
    if wanted == *open {
        return;
    }
    if open.is_some() {
        out.push_str("</g>\n");
    }
    if let Some((_, place)) = wanted {
        let _ = writeln!(out, "<g class=\"stack\" data-place=\"{place}\">");
    }
    *open = wanted;
}

fn form(out: &mut String, shape: &Shape) {
    let class = shape.part.class();
    let _ = match &shape.form {
        Form::Circle { x, y, r } => write!(
            out,
            "<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"{}\"",
            Length(*x),
            Length(*y),
            Length(*r)
        ),
        Form::Rectangle {
            x,
            y,
            width,
            height,
            round,
        } => write!(
            out,
            "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"",
            Length(*x),
            Length(*y),
            Length(*width),
            Length(*height),
            Length(*round)
        ),
        Form::Path(segments) => {
            let _ = write!(out, "<path class=\"{class}\" d=\"");
            segments.iter().for_each(|segment| step(out, *segment));
            write!(out, "\"")
        }
    };
}

fn step(out: &mut String, segment: Segment) {
    let _ = match segment {
        Segment::Move(x, y) => write!(out, "M{} {}", Length(x), Length(y)),
        Segment::Line(x, y) => write!(out, "L{} {}", Length(x), Length(y)),
        Segment::Curve(cx, cy, x, y) => write!(
            out,
            "Q{} {} {} {}",
            Length(cx),
            Length(cy),
            Length(x),
            Length(y)
        ),
        Segment::Close => write!(out, "Z"),
    };
}

fn paint(out: &mut String, ink: &Ink) {
    let _ = match ink.fill {
        Some(colour) => write!(out, " fill=\"{colour}\""),
        None => write!(out, " fill=\"none\""),
    };
    if let Some((colour, width)) = ink.line {
        let _ = write!(out, " stroke=\"{colour}\" stroke-width=\"{width}\"");
    }
    if ink.broken {
        let _ = write!(out, " stroke-dasharray=\"5 5\"");
    }
}
