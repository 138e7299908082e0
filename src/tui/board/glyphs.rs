//! Selects the character and two colours that best approximate the samples of a cell.
//!
//! A character is a mask of 64 bits, one for each sample covered by its foreground. The inks of a cell are masks,
//! too, so that matching reduces to counting bits.

use std::collections::HashMap;

use ratatui::style::Color;

use super::palette::{Ink, Palette};
use super::raster::SAMPLES;
use crate::store::settings::GlyphSet;

/// A character with the samples covered by its foreground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glyph {
    pub sign: char,
    /// Bit `8 * row + column` is set for each covered sample.
    pub mask: u64,
}

/// The content of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fitted {
    pub sign: char,
    /// Foreground colour; `None` if only the background is visible.
    pub fg: Option<Color>,
    /// Background colour.
    pub bg: Color,
}

/// Returns the characters of a set, simplest first, because the first of equal matches is chosen.
pub fn glyphs(set: GlyphSet) -> Vec<Glyph> {
    let mut all = vec![
        block('▀', 2, 2, 0b0011),
        block('▄', 2, 2, 0b1100),
        block('▌', 2, 2, 0b0101),
        block('▐', 2, 2, 0b1010),
    ];
    let quadrants = "▘▝▖▗▚▞▛▜▙▟".chars();
    let parts = [1, 2, 4, 8, 0b1001, 0b0110, 0b0111, 0b1011, 0b1101, 0b1110];
    all.extend(
        quadrants
            .zip(parts)
            .map(|(sign, part)| block(sign, 2, 2, part)),
    );
    // Lower and left eighths; the halves are in the list already.
    let lower = "▁▂▃▅▆▇".chars().zip([1, 2, 3, 5, 6, 7]);
    all.extend(lower.map(|(sign, n)| block(sign, 1, 8, 0xff << (8 - n) & 0xff)));
    let left = "▏▎▍▋▊▉".chars().zip([1, 2, 3, 5, 6, 7]);
    all.extend(left.map(|(sign, n)| block(sign, 8, 1, (1 << n) - 1)));
    match set {
        GlyphSet::Auto | GlyphSet::Ascii | GlyphSet::Quadrants => {}
        GlyphSet::Sextants => all.extend(sextants()),
        GlyphSet::Octants => all.extend(octants()),
    }
    all
}

/// A character whose foreground consists of parts of a grid over the cell; bit `columns * row + column` of `parts` is
/// the part there.
fn block(sign: char, columns: u32, rows: u32, parts: u32) -> Glyph {
    let is_covered = |sample: u32| {
        let (row, column) = (sample / 8 * rows / 8, sample % 8 * columns / 8);
        parts >> (columns * row + column) & 1 == 1
    };
    let mask = (0..SAMPLES as u32).filter(|&sample| is_covered(sample));
    Glyph {
        sign,
        mask: mask.fold(0, |mask, sample| mask | 1 << sample),
    }
}

/// Sixths of a cell, from U+1FB00: all except the empty, the full and the two halves, in the order of their parts.
fn sextants() -> impl Iterator<Item = Glyph> {
    let parts = (1..63u32).filter(|&parts| parts != 0b01_01_01 && parts != 0b10_10_10);
    let signs = (0x1FB00..).filter_map(char::from_u32);
    signs
        .zip(parts)
        .map(|(sign, parts)| block(sign, 2, 3, parts))
}

/// Eighths in two columns, from U+1CD00: all without an older character, in the order of their parts.
fn octants() -> impl Iterator<Item = Glyph> {
    let signs = (0x1CD00..).filter_map(char::from_u32);
    let parts = (1..255u32).filter(|&parts| !is_older(parts));
    signs
        .zip(parts)
        .map(|(sign, parts)| block(sign, 2, 4, parts))
}

/// Returns whether an octant with these parts has a character outside the octant block.
fn is_older(parts: u32) -> bool {
    let quadrants = |q: u32| {
        let half = |pair: u32| pair | pair << 2;
        half(q & 3) | half(q >> 2) << 4
    };
    // Single corners, quarters at the top, bottom and sides, and three quarters.
    const OTHERS: [u32; 10] = [0x01, 0x02, 0x40, 0x80, 0x03, 0xC0, 0x3F, 0xFC, 0x14, 0x28];
    (0..16).any(|q| quadrants(q) == parts) || OTHERS.contains(&parts)
}

/// The characters of a set, with a cache of fitted cells: most cells of boards are alike.
#[derive(Debug)]
pub struct Fitter {
    glyphs: Vec<Glyph>,
    known: HashMap<[u8; SAMPLES], Fitted>,
}

impl Fitter {
    /// Maximum number of cached cells, some hundred boards.
    const MOST: usize = 20_000;

    /// A fitter for a character set and a palette.
    pub fn new(set: GlyphSet) -> Self {
        Self {
            glyphs: glyphs(set),
            known: HashMap::new(),
        }
    }

    /// Returns the best approximation of a cell's samples.
    pub fn fit(&mut self, samples: &[Ink], palette: &Palette) -> Fitted {
        let first = samples[0];
        if samples.iter().all(|ink| *ink == first) {
            return plain(palette.tone(first).colour);
        }
        let mut key = [0; SAMPLES];
        for (byte, ink) in key.iter_mut().zip(samples) {
            *byte = *ink as u8;
        }
        if self.known.len() >= Self::MOST {
            self.known.clear();
        }
        let fitted = self.known.entry(key);
        *fitted.or_insert_with(|| fit(samples, &self.glyphs, palette))
    }
}

/// The inks of a cell with their samples.
#[derive(Debug, Default)]
struct Inks {
    found: [(u64, Option<Ink>); 8],
    count: usize,
}

impl Inks {
    fn of(samples: &[Ink]) -> Self {
        let mut inks = Self::default();
        for (i, &ink) in samples.iter().enumerate() {
            let known = inks.found[..inks.count]
                .iter()
                .position(|(_, other)| *other == Some(ink));
            let at = known.unwrap_or_else(|| {
                // Surplus inks are merged into the last.
                inks.count = (inks.count + 1).min(inks.found.len());
                inks.count - 1
            });
            inks.found[at].1.get_or_insert(ink);
            inks.found[at].0 |= 1 << i;
        }
        inks
    }
}

/// Computes the best approximation of a cell's samples.
fn fit(samples: &[Ink], glyphs: &[Glyph], palette: &Palette) -> Fitted {
    let first = samples[0];
    if samples.iter().all(|ink| *ink == first) {
        return plain(palette.tone(first).colour);
    }
    let inks = Inks::of(samples);
    let mut parts: Vec<Part> = inks.found[..inks.count]
        .iter()
        .filter_map(|(mask, ink)| Some(Part::of(*mask, (*ink)?, palette)))
        .collect();
    one_ground(&mut parts);
    let mut best = (f32::INFINITY, plain(parts[0].colour));
    let all = nearest(&parts, u64::MAX, palette.mixes);
    if let Some((error, colour)) = all {
        best = (error, plain(colour));
    }
    for glyph in glyphs {
        let (Some(fore), Some(back)) = (
            nearest(&parts, glyph.mask, palette.mixes),
            nearest(&parts, !glyph.mask, palette.mixes),
        ) else {
            continue;
        };
        // The terminal's default background cannot be a foreground.
        if fore.1 == Color::Reset {
            continue;
        }
        let error = fore.0 + back.0;
        if error < best.0 - 1.0 {
            let fitted = Fitted {
                sign: glyph.sign,
                fg: Some(fore.1),
                bg: back.1,
            };
            best = (error, fitted);
        }
    }
    best.1
}

fn plain(bg: Color) -> Fitted {
    Fitted {
        sign: ' ',
        fg: None,
        bg,
    }
}

/// Samples of one ink with their colour: three channels, and a fourth that separates objects on the board from the
/// board.
struct Part {
    mask: u64,
    colour: Color,
    look: [f32; 4],
    is_raised: bool,
}

impl Part {
    fn of(mask: u64, ink: Ink, palette: &Palette) -> Self {
        let tone = palette.tone(ink);
        let [r, g, b] = tone.rgb.map(f32::from);
        let height = if ink.is_raised() { 220.0 } else { 0.0 };
        Self {
            mask,
            colour: tone.colour,
            look: [r, g, b, height],
            is_raised: ink.is_raised(),
        }
    }
}

/// Minimum share of an ink under a mask that gives the mask its colour unmixed: traces of other colours would draw a
/// halo around objects.
const DOMINANT: f32 = 0.6;

/// If an object is in the cell, replaces all grounds with the most frequent one. A character has two colours, and the
/// outline matters more than the edge of a point behind it.
fn one_ground(parts: &mut Vec<Part>) {
    if parts.iter().all(|part| !part.is_raised) {
        return;
    }
    let grounds = parts.iter().enumerate().filter(|(_, p)| !p.is_raised);
    let most = grounds.max_by_key(|(_, p)| p.mask.count_ones());
    let Some(most) = most.map(|(i, _)| i) else {
        return;
    };
    let all = parts.iter().filter(|part| !part.is_raised);
    parts[most].mask = all.fold(0, |mask, part| mask | part.mask);
    let mut at = 0;
    parts.retain(|part| {
        at += 1;
        part.is_raised || at == most + 1
    });
}

/// Returns the colour for the samples under a mask, and its sum of squared errors. It is the colour of the most
/// frequent ink. If colours mix, no ink is dominant and an object is there, it is the mean, which smooths the
/// outline; two grounds never mix.
fn nearest(parts: &[Part], under: u64, mixes: bool) -> Option<(f32, Color)> {
    let count = |part: &Part| (part.mask & under).count_ones();
    let most = parts.iter().max_by_key(|part| count(part))?;
    let total = under.count_ones();
    if count(most) == total {
        return Some((0.0, most.colour));
    }
    let mut to = most.look;
    let mut colour = most.colour;
    let is_dominant = count(most) as f32 >= DOMINANT * total as f32;
    let smooths = |part: &Part| part.is_raised && count(part) > 0;
    if mixes && !is_dominant && parts.iter().any(smooths) {
        let mut sums = [0.0f32; 4];
        for part in parts {
            let n = count(part) as f32;
            for (sum, channel) in sums.iter_mut().zip(part.look) {
                *sum += n * channel;
            }
        }
        to = sums.map(|sum| sum / total as f32);
        let [r, g, b, _] = to.map(|channel| channel.round() as u8);
        colour = Color::Rgb(r, g, b);
    }
    let error = parts.iter().map(|part| {
        let apart = part.look.iter().zip(to).map(|(a, b)| (a - b).powi(2));
        count(part) as f32 * apart.sum::<f32>()
    });
    Some((error.sum(), colour))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::theme::{Depth, Theme};

    fn palette(depth: Depth) -> Palette {
        Palette::of(&Theme::builtin()[0].clone().at_depth(depth)).expect("dark has colours")
    }

    /// A character that matches exactly is chosen, whichever ink is its foreground.
    #[test]
    fn every_glyph_is_found_again() {
        for depth in [Depth::True, Depth::Indexed] {
            let palette = palette(depth);
            for set in GlyphSet::ALL {
                for glyph in glyphs(set) {
                    let ink = |i: usize| match glyph.mask >> i & 1 {
                        1 => Ink::PointA,
                        _ => Ink::Felt,
                    };
                    let samples: Vec<Ink> = (0..SAMPLES).map(ink).collect();
                    let fitted = fit(&samples, &glyphs(set), &palette);
                    let shown = glyphs(set).into_iter().find(|g| g.sign == fitted.sign);
                    let shown = shown.expect("a cell of two inks has a sign").mask;
                    let fore = palette.tone(Ink::PointA).colour;
                    let same = shown == glyph.mask && fitted.fg == Some(fore);
                    let inverse = shown == !glyph.mask && fitted.bg == fore;
                    assert!(same || inverse, "{} of {}", glyph.sign, set.name());
                }
            }
        }
    }

    #[test]
    fn the_sets_have_as_many_characters_as_unicode() {
        assert_eq!(sextants().count(), 60);
        assert_eq!(sextants().last().unwrap().sign, '\u{1FB3B}');
        assert_eq!(octants().count(), 230);
        assert_eq!(octants().last().unwrap().sign, '\u{1CDE5}');
    }

    #[test]
    fn colours_mix_only_where_the_terminal_has_them_all() {
        let mut samples = [Ink::Felt; SAMPLES];
        samples[27] = Ink::PointA;
        let mixed = fit(
            &samples,
            &glyphs(GlyphSet::Quadrants),
            &palette(Depth::True),
        );
        assert!(matches!(mixed.bg, Color::Rgb(..)));
        let flat = palette(Depth::Indexed);
        let whole = fit(&samples, &glyphs(GlyphSet::Quadrants), &flat);
        assert_eq!(whole, plain(flat.tone(Ink::Felt).colour));
    }
}
