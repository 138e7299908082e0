//! Filters colour sequences on the way to the terminal: omits colours that are already set, and writes the sixteen
//! basic colours in their traditional form.
//!
//! When one of the two colours changes, crossterm sets both. Omitting unchanged colours saves about a quarter of a
//! frame's bytes, which matters on slow lines.
//!
//! Crossterm writes the sixteen basic colours as colours of the 256 (`38;5;1`). A terminal with only sixteen misreads
//! that: the `5` makes text blink. Here they get their traditional form (`31`).

use std::io::{self, Write};

/// Longest sequence to examine; crossterm's have at most two colours.
const LONGEST: usize = 64;
const ESCAPE: u8 = 0x1b;
/// Parameters that reset the colours of text and background.
const USUAL: [&str; 2] = ["39", "49"];

/// Writes to `inner` without redundant colours; if it `translates`, the sixteen basic colours in their traditional
/// form.
pub(crate) struct ColourFilter<W> {
    inner: W,
    translates: bool,
    /// Start of an incomplete sequence.
    begun: Vec<u8>,
    /// Parameters that last set the colours of text and background; `None` if unknown.
    set: [Option<String>; 2],
}

impl<W: Write> ColourFilter<W> {
    pub(crate) fn new(inner: W, translates: bool) -> Self {
        Self {
            inner,
            translates,
            begun: Vec::new(),
            set: [None, None],
        }
    }

    /// Writes the incomplete sequence unchanged. It may have contained colours.
    fn give_up(&mut self) -> io::Result<()> {
        if self.begun.len() >= LONGEST {
            self.set = [None, None];
        }
        let begun = std::mem::take(&mut self.begun);
        self.inner.write_all(&begun)
    }

    /// Processes the next byte of a sequence, or its first.
    fn byte(&mut self, byte: u8) -> io::Result<()> {
        match (self.begun.len(), byte) {
            (_, ESCAPE) => {
                self.give_up()?;
                self.begun.push(byte);
                Ok(())
            }
            (1, b'[') | (2..LONGEST, b'0'..=b'9' | b';') => {
                self.begun.push(byte);
                Ok(())
            }
            (2..LONGEST, b'm') => {
                let begun = std::mem::take(&mut self.begun);
                // Only digits and semicolons.
                match self.filtered(&String::from_utf8_lossy(&begun[2..])) {
                    Some(parameters) => write!(self.inner, "\x1b[{parameters}m"),
                    None => Ok(()),
                }
            }
            _ => {
                self.give_up()?;
                self.inner.write_all(&[byte])
            }
        }
    }

    /// Removes redundant colours from the parameters of a sequence; `None` if none remain.
    fn filtered(&mut self, parameters: &str) -> Option<String> {
        let all: Vec<&str> = parameters.split(';').collect();
        let (mut out, mut rest) = (Vec::new(), &all[..]);
        while let Some((first, after)) = rest.split_first() {
            let (parameter, left) = self.parameter(first, after);
            rest = left;
            match place(first) {
                Some(place) if self.set[place].as_deref() == Some(&*parameter) => continue,
                Some(place) => {
                    let is_whole = !["38", "48"].contains(&&*parameter);
                    self.set[place] = is_whole.then(|| parameter.clone());
                }
                None if matches!(*first, "" | "0") => {
                    self.set = USUAL.map(|usual| Some(usual.to_owned()))
                }
                None => {}
            }
            out.push(parameter);
        }
        (!out.is_empty()).then(|| out.join(";"))
    }

    /// The parameter that begins with `first`, and the remaining ones.
    fn parameter<'a>(&self, first: &str, after: &'a [&'a str]) -> (String, &'a [&'a str]) {
        // 58 is the colour of underlines.
        let names_colour = matches!(first, "38" | "48" | "58");
        match after {
            ["5", colour, left @ ..] if names_colour => (self.of_palette(first, colour), left),
            // Three numbers, not attributes.
            ["2", red, green, blue, left @ ..] if names_colour => {
                (format!("{first};2;{red};{green};{blue}"), left)
            }
            _ => (first.to_owned(), after),
        }
    }

    /// A colour of the 256, with the sixteen basic ones in their traditional form.
    fn of_palette(&self, first: &str, colour: &str) -> String {
        let base = match first {
            "38" => 30,
            "48" => 40,
            _ => return format!("{first};5;{colour}"),
        };
        match colour.parse::<usize>() {
            Ok(n @ 0..8) if self.translates => (base + n).to_string(),
            Ok(n @ 8..16) if self.translates => (base + 60 + n - 8).to_string(),
            _ => format!("{first};5;{colour}"),
        }
    }
}

/// The colour that a parameter with this beginning sets: text (0) or background (1).
fn place(first: &str) -> Option<usize> {
    match first.parse::<u8>().ok()? {
        30..=39 | 90..=97 => Some(0),
        40..=49 | 100..=107 => Some(1),
        _ => None,
    }
}

impl<W: Write> Write for ColourFilter<W> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let mut rest = buffer;
        while let Some((first, after)) = rest.split_first() {
            if self.begun.is_empty() && *first != ESCAPE {
                let end = rest.iter().position(|byte| *byte == ESCAPE);
                let (text, left) = rest.split_at(end.unwrap_or(rest.len()));
                self.inner.write_all(text)?;
                rest = left;
            } else {
                self.byte(*first)?;
                rest = after;
            }
        }
        Ok(buffer.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(pieces: &[&[u8]], translates: bool) -> String {
        let mut out = Vec::new();
        let mut writer = ColourFilter::new(&mut out, translates);
        for piece in pieces {
            writer.write_all(piece).unwrap();
            writer.flush().unwrap();
        }
        String::from_utf8(out).unwrap()
    }

    /// The output does not depend on how the input is split.
    fn is_written(from: &str, to: &str, translates: bool) {
        assert_eq!(written(&[from.as_bytes()], translates), to, "{from:?}");
        for at in 0..from.len() {
            let (a, b) = from.as_bytes().split_at(at);
            assert_eq!(written(&[a, b], translates), to, "{from:?} at {at}");
        }
    }

    #[test]
    fn the_sixteen_have_their_own_form() {
        for (from, to) in [
            ("\x1b[38;5;1mred", "\x1b[31mred"),
            ("\x1b[48;5;0m", "\x1b[40m"),
            ("\x1b[38;5;8m\x1b[48;5;15m", "\x1b[90m\x1b[107m"),
            ("\x1b[38;5;7;48;5;12m", "\x1b[37;104m"),
            ("\x1b[1;38;5;9;4m", "\x1b[1;91;4m"),
            ("\x1b\x1b[38;5;2m", "\x1b\x1b[32m"),
        ] {
            is_written(from, to, true);
            is_written(from, from, false);
        }
        for same in [
            // Colours without another form stay.
            "\x1b[38;5;16m",
            "\x1b[38;2;5;1;7m",
            "\x1b[48;2;38;5;1m",
            "\x1b[58;5;3m",
            "\x1b[0m\x1b[m",
            "\x1b[38;5m",
            // So does everything else.
            "\x1b[12;5H\x1b[?25l\x1b[2J",
            "\x1b]52;c;MzE7NW0=\x07 38;5;1m",
            "●—38;5;1m",
        ] {
            is_written(same, same, true);
            is_written(same, same, false);
        }
        // Overlong sequences stay.
        let long = format!("\x1b[{}38;5;1m", "1;".repeat(LONGEST));
        assert_eq!(written(&[long.as_bytes()], true), long);
    }

    /// Only redundant colours are omitted: after a change, a reset or an unknown sequence they are written again.
    #[test]
    fn colours_that_are_set_are_not_set_again() {
        let (red, ground) = ("38;2;200;0;0", "48;2;1;2;3");
        for (from, to) in [
            (
                format!("\x1b[{red};{ground}ma\x1b[{red};49mb"),
                format!("\x1b[{red};{ground}ma\x1b[49mb"),
            ),
            (
                format!("\x1b[{red}ma\x1b[{red}mb\x1b[1;{red}mc"),
                format!("\x1b[{red}mab\x1b[1mc"),
            ),
            (
                format!("\x1b[{red}m\x1b[0m\x1b[39;49m\x1b[{red}m"),
                format!("\x1b[{red}m\x1b[0m\x1b[{red}m"),
            ),
            (
                format!("\x1b[{red}m\x1b[m\x1b[{red};{red}m"),
                format!("\x1b[{red}m\x1b[m\x1b[{red}m"),
            ),
            (
                "\x1b[31m\x1b[38m\x1b[31m".into(),
                "\x1b[31m\x1b[38m\x1b[31m".into(),
            ),
            // The underline colour is separate, and its numbers are not attributes.
            (
                "\x1b[31;41m\x1b[58;2;0;39;49m\x1b[31;41m".into(),
                "\x1b[31;41m\x1b[58;2;0;39;49m".into(),
            ),
        ] {
            is_written(&from, &to, true);
            is_written(&from, &to, false);
        }
        let long = format!("\x1b[{}m", "1;".repeat(LONGEST));
        let all = format!("\x1b[31m{long}\x1b[31m");
        assert_eq!(written(&[all.as_bytes()], false), all);
    }
}
