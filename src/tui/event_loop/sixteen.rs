//! The sixteen colours as every terminal knows them.
//!
//! Crossterm names them by the sequence of the 256 (`38;5;1`), which a terminal of sixteen takes for something else: the
//! `5` in it for text that blinks. Here they become what they have always been (`31`).

use std::io::{self, Write};

/// Longest sequence that is looked at; crossterm's have two colours at most.
const LONGEST: usize = 64;
const ESCAPE: u8 = 0x1b;

/// Writes what it is given to `inner`, colours of the sixteen in their own form where it `translates`.
pub(super) struct SixteenColours<W> {
    inner: W,
    translates: bool,
    /// The beginning of a sequence whose end is still to come.
    begun: Vec<u8>,
}

impl<W: Write> SixteenColours<W> {
    pub(super) fn new(inner: W, translates: bool) -> Self {
        Self {
            inner,
            translates,
            begun: Vec::new(),
        }
    }

    /// Writes what was begun as it is.
    fn give_up(&mut self) -> io::Result<()> {
        let begun = std::mem::take(&mut self.begun);
        self.inner.write_all(&begun)
    }

    fn byte(&mut self, byte: u8) -> io::Result<()> {
        match (self.begun.len(), byte) {
            (_, ESCAPE) => {
                self.give_up()?;
                self.begun.push(byte);
                Ok(())
            }
            (0, _) => self.inner.write_all(&[byte]),
            (1, b'[') | (2..LONGEST, b'0'..=b'9' | b';') => {
                self.begun.push(byte);
                Ok(())
            }
            (2.., b'm') => {
                let begun = std::mem::take(&mut self.begun);
                self.inner.write_all(b"\x1b[")?;
                self.inner.write_all(translated(&begun[2..]).as_bytes())?;
                self.inner.write_all(b"m")
            }
            _ => {
                self.give_up()?;
                self.inner.write_all(&[byte])
            }
        }
    }
}

impl<W: Write> Write for SixteenColours<W> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        if !self.translates {
            return self.inner.write(buffer);
        }
        buffer.iter().try_for_each(|byte| self.byte(*byte))?;
        Ok(buffer.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// The parameters of a sequence that sets colours, those of the sixteen in their own form.
fn translated(parameters: &[u8]) -> String {
    // They are digits and semicolons.
    let text = String::from_utf8_lossy(parameters);
    let all: Vec<&str> = text.split(';').collect();
    let (mut out, mut rest) = (Vec::new(), &all[..]);
    while let Some((first, after)) = rest.split_first() {
        let place = ["38", "48"].iter().position(|p| p == first);
        rest = match (place, after) {
            (Some(ground), ["5", colour, left @ ..]) => {
                let base = 30 + 10 * ground;
                match colour.parse::<usize>() {
                    Ok(n @ 0..8) => out.push((base + n).to_string()),
                    Ok(n @ 8..16) => out.push((base + 60 + n - 8).to_string()),
                    _ => out.extend([*first, "5", *colour].map(str::to_owned)),
                }
                left
            }
            // Three numbers that are no attributes.
            (Some(_), ["2", red, green, blue, left @ ..]) => {
                out.extend([*first, "2", *red, *green, *blue].map(str::to_owned));
                left
            }
            _ => {
                out.push((*first).to_owned());
                after
            }
        };
    }
    out.join(";")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(pieces: &[&[u8]], translates: bool) -> String {
        let mut out = Vec::new();
        let mut writer = SixteenColours::new(&mut out, translates);
        for piece in pieces {
            writer.write_all(piece).unwrap();
            writer.flush().unwrap();
        }
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_sixteen_have_their_own_form() {
        for (from, to) in [
            ("\x1b[38;5;1mred", "\x1b[31mred"),
            ("\x1b[48;5;0m", "\x1b[40m"),
            ("\x1b[38;5;8m\x1b[48;5;15m", "\x1b[90m\x1b[107m"),
            ("\x1b[38;5;7;48;5;12m", "\x1b[37;104m"),
            ("\x1b[1;38;5;9;4m", "\x1b[1;91;4m"),
            // What has no other form stays.
            ("\x1b[38;5;16m", "\x1b[38;5;16m"),
            ("\x1b[38;2;5;1;7m", "\x1b[38;2;5;1;7m"),
            ("\x1b[48;2;38;5;1m", "\x1b[48;2;38;5;1m"),
            ("\x1b[0m\x1b[m\x1b[39m", "\x1b[0m\x1b[m\x1b[39m"),
            ("\x1b[38;5m", "\x1b[38;5m"),
            // So does all that sets no colour.
            ("\x1b[12;5H\x1b[?25l\x1b[2J", "\x1b[12;5H\x1b[?25l\x1b[2J"),
            (
                "\x1b]52;c;MzE7NW0=\x07 38;5;1m",
                "\x1b]52;c;MzE7NW0=\x07 38;5;1m",
            ),
            ("\x1b\x1b[38;5;2m", "\x1b\x1b[32m"),
            ("●—38;5;1m", "●—38;5;1m"),
        ] {
            assert_eq!(written(&[from.as_bytes()], true), to, "{from:?}");
            assert_eq!(written(&[from.as_bytes()], false), from);
            // Cut anywhere, it is the same.
            for at in 0..from.len() {
                let (a, b) = from.as_bytes().split_at(at);
                assert_eq!(written(&[a, b], true), to, "{from:?} at {at}");
            }
        }
        // A sequence that is too long is left alone.
        let long = format!("\x1b[{}38;5;1m", "1;".repeat(LONGEST));
        assert_eq!(written(&[long.as_bytes()], true), long);
    }
}
