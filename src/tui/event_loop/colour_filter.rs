//! Colours on their way to the terminal: none that is set already, and the sixteen as every terminal knows them.
//!
//! Where one of the two colours changes, crossterm sets both. Without those that are set already a frame has about a
//! quarter fewer bytes, which a slow line has to carry.
//!
//! Crossterm names the sixteen by the sequence of the 256 (`38;5;1`), which a terminal of sixteen takes for something
//! else: the `5` in it for text that blinks. Here they become what they have always been (`31`).

use std::io::{self, Write};

/// Longest sequence that is looked at; crossterm's have two colours at most.
const LONGEST: usize = 64;
const ESCAPE: u8 = 0x1b;
/// What sets the usual colours, of the text and of the ground.
const USUAL: [&str; 2] = ["39", "49"];

/// Writes what it is given to `inner`, but for colours that are set already; those of the sixteen in their own form where
/// it `translates`.
pub(crate) struct ColourFilter<W> {
    inner: W,
    translates: bool,
    /// The beginning of a sequence whose end is still to come.
    begun: Vec<u8>,
    /// What set the colours, of the text and of the ground; none where that is not known.
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

    /// Writes what was begun as it is. It may have been the beginning of colours.
    fn give_up(&mut self) -> io::Result<()> {
        if self.begun.len() >= LONGEST {
            self.set = [None, None];
        }
        let begun = std::mem::take(&mut self.begun);
        self.inner.write_all(&begun)
    }

    /// Takes the next byte of a sequence, or the first one.
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
                // They are digits and semicolons.
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

    /// The parameters of a sequence that sets colours and attributes, without colours that are set already; none where
    /// nothing is left.
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

    /// The parameter that begins with `first`, and what follows it.
    fn parameter<'a>(&self, first: &str, after: &'a [&'a str]) -> (String, &'a [&'a str]) {
        // 58 is the colour of lines below the text.
        let names_colour = matches!(first, "38" | "48" | "58");
        match after {
            ["5", colour, left @ ..] if names_colour => (self.of_palette(first, colour), left),
            // Three numbers that are no attributes.
            ["2", red, green, blue, left @ ..] if names_colour => {
                (format!("{first};2;{red};{green};{blue}"), left)
            }
            _ => (first.to_owned(), after),
        }
    }

    /// A colour of the 256, one of the sixteen in its own form.
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

/// Which colour a parameter with this beginning sets: that of the text (0) or of the ground (1).
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

    /// What is written is the same wherever it is cut.
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
            // What has no other form stays.
            "\x1b[38;5;16m",
            "\x1b[38;2;5;1;7m",
            "\x1b[48;2;38;5;1m",
            "\x1b[58;5;3m",
            "\x1b[0m\x1b[m",
            "\x1b[38;5m",
            // So does all that sets no colour.
            "\x1b[12;5H\x1b[?25l\x1b[2J",
            "\x1b]52;c;MzE7NW0=\x07 38;5;1m",
            "●—38;5;1m",
        ] {
            is_written(same, same, true);
            is_written(same, same, false);
        }
        // A sequence that is too long is left alone.
        let long = format!("\x1b[{}38;5;1m", "1;".repeat(LONGEST));
        assert_eq!(written(&[long.as_bytes()], true), long);
    }

    /// Colours are left out only where they are set: after a change, a reset or a sequence that is not understood they
    /// are written again.
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
            // The colour of a line is no other, and its numbers are no attributes.
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
