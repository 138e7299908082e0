//! Reads Smile, the binary form of JSON (<https://github.com/FasterXML/smile-format-specification>), as far
//! as BGBlitz writes it. Only wanted fields are stored, because most of a file is unused analysis.
//!
//! Files are not trusted: the depth, the number of values and every length are limited.

use super::kept::{LONGEST_VALUE, Value, ValueBudget};

/// The first bytes of a document.
pub(super) const MAGIC: &[u8] = b":)\n";
const DEEPEST_NESTING: usize = 64;
/// Maximum number of shared names or texts; a full table is cleared.
const SHARED: usize = 1024;
/// Maximum length of a shared text, in bytes.
pub(super) const SHARED_LENGTH: usize = 64;

/// Reads a document, with only the wanted fields of objects.
///
/// # Errors
/// The fault, in one line.
pub(super) fn read(bytes: &[u8], budget: &ValueBudget) -> Result<Value, &'static str> {
    let flags = match bytes.get(3) {
        Some(flags) if bytes.starts_with(MAGIC) => *flags,
        _ => return Err("its data do not begin as Smile does"),
    };
    if flags >> 4 != 0 {
        return Err("its data are of a version of Smile that is not known");
    }
    let mut reader = Reader {
        bytes,
        at: 4,
        kept: budget,
        names: (flags & 1 != 0).then(Vec::new),
        texts: (flags & 2 != 0).then(Vec::new),
    };
    let token = reader.byte()?;
    reader.value(token, 0, true)
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    kept: &'a ValueBudget,
    names: Option<Vec<String>>,
    texts: Option<Vec<String>>,
}

type Read<T> = Result<T, &'static str>;

const CUT: &str = "its data end in the middle";
const UNKNOWN: &str = "its data hold something that is not known";

impl Reader<'_> {
    fn byte(&mut self) -> Read<u8> {
        let byte = self.bytes.get(self.at).ok_or(CUT)?;
        self.at += 1;
        Ok(*byte)
    }

    fn take(&mut self, n: usize) -> Read<&[u8]> {
        let end = self.at.checked_add(n).ok_or(CUT)?;
        let taken = self.bytes.get(self.at..end).ok_or(CUT)?;
        self.at = end;
        Ok(taken)
    }

    /// Reads a text of `n` bytes, up to a limit.
    fn text(&mut self, n: usize) -> Read<String> {
        let text = self.take(n)?;
        let text = &text[..n.min(LONGEST_VALUE)];
        Ok(String::from_utf8_lossy(text).into_owned())
    }

    /// Reads a text up to its end mark.
    fn long_text(&mut self) -> Read<String> {
        let rest = &self.bytes[self.at..];
        let n = rest.iter().position(|&b| b == 0xfc).ok_or(CUT)?;
        let text = self.text(n)?;
        self.at += 1;
        Ok(text)
    }

    fn two(&mut self, token: u8) -> Read<usize> {
        let low = self.byte()?;
        Ok(usize::from(token & 3) << 8 | usize::from(low))
    }

    /// Reads an unsigned integer: seven bits per byte, six in the last. The sign is still folded in.
    fn number(&mut self) -> Read<u64> {
        let mut number = 0u64;
        for _ in 0..10 {
            let byte = self.byte()?;
            if byte & 0x80 != 0 {
                return Ok(number << 6 | u64::from(byte & 0x3f));
            }
            number = number << 7 | u64::from(byte);
        }
        Err(UNKNOWN)
    }

    /// Reads the bits of a float, seven per byte.
    fn float(&mut self, bytes: usize) -> Read<u64> {
        let taken = self.take(bytes)?;
        let first = taken[0];
        let all = taken
            .iter()
            .fold(0u128, |bits, &b| bits << 7 | u128::from(b & 0x7f));
        let spare = bytes * 7 % 32;
        // The specification puts the spare bits first; some files have them last.
        let are_spare_last = first >> (7 - spare) != 0;
        Ok((if are_spare_last { all >> spare } else { all }) as u64)
    }

    /// Reads a value; `Null` if it is not kept.
    fn value(&mut self, token: u8, depth: usize, keep: bool) -> Read<Value> {
        if depth > DEEPEST_NESTING {
            return Err("its data are nested too deeply");
        }
        let value = match token {
            0x01..=0x1f => self.shared(usize::from(token) - 1, keep)?,
            0x20 => self.kept.text("")?,
            0x21 => Value::Null,
            0x22 | 0x23 => Value::Bool(token == 0x23),
            0x24 | 0x25 => Value::Whole(unfold(self.number()?)),
            0x28 => float(f64::from(f32::from_bits(self.float(5)? as u32))),
            0x29 => float(f64::from_bits(self.float(10)?)),
            0x26 | 0x2a => return self.big(token),
            0x40..=0x7f => self.short(usize::from(token - 0x40) + 1, keep)?,
            0x80..=0xbf => self.short(usize::from(token - 0x80) + 2, keep)?,
            0xc0..=0xdf => Value::Whole(unfold(u64::from(token & 0x1f))),
            0xe0 | 0xe4 => {
                let text = self.long_text()?;
                self.string(&text, keep)?
            }
            0xe8 => return self.packed(),
            0xec..=0xef => {
                let place = self.two(token)?;
                self.shared(place, keep)?
            }
            0xf8 => self.array(depth, keep)?,
            0xfa => self.object(depth, keep)?,
            0xfd => {
                let n = usize::try_from(self.number()?).map_err(|_| CUT)?;
                self.take(n)?;
                Value::Null
            }
            _ => return Err(UNKNOWN),
        };
        Ok(if keep { value } else { Value::Null })
    }

    fn string(&self, text: &str, keep: bool) -> Read<Value> {
        if keep {
            self.kept.text(text)
        } else {
            Ok(Value::Null)
        }
    }

    /// Reads a short text, which a later value may refer to.
    fn short(&mut self, n: usize, keep: bool) -> Read<Value> {
        let text = self.text(n)?;
        if n <= SHARED_LENGTH {
            share(&mut self.texts, &text);
        }
        self.string(&text, keep)
    }

    fn shared(&self, place: usize, keep: bool) -> Read<Value> {
        let texts = self.texts.as_ref().ok_or(UNKNOWN)?;
        self.string(texts.get(place).ok_or(UNKNOWN)?, keep)
    }

    /// Skips a number of unlimited length, which no match needs.
    fn big(&mut self, token: u8) -> Read<Value> {
        if token == 0x2a {
            self.number()?;
        }
        self.packed()
    }

    /// Skips bytes that are packed in seven bits each.
    fn packed(&mut self) -> Read<Value> {
        let n = self.number()?;
        let bits = n.checked_mul(8).ok_or(CUT)?;
        self.take(usize::try_from(bits.div_ceil(7)).map_err(|_| CUT)?)?;
        Ok(Value::Null)
    }

    fn array(&mut self, depth: usize, keep: bool) -> Read<Value> {
        let mut all = Vec::new();
        loop {
            match self.byte()? {
                0xf9 => return self.kept.finish(all).map(Value::List),
                token => {
                    let value = self.value(token, depth + 1, keep)?;
                    if keep {
                        self.kept.push(&mut all, value)?;
                    }
                }
            }
        }
    }

    fn object(&mut self, depth: usize, keep: bool) -> Read<Value> {
        let mut all = Vec::new();
        loop {
            let Some(name) = self.name()? else {
                return self.kept.finish(all).map(Value::Object);
            };
            let wanted = self.kept.wants(&name).filter(|_| keep);
            let token = self.byte()?;
            let value = self.value(token, depth + 1, wanted.is_some())?;
            if let Some(name) = wanted {
                self.kept.push(&mut all, (name, value))?;
            }
        }
    }

    /// Reads the name of a field; `None` at the end of the object.
    fn name(&mut self) -> Read<Option<String>> {
        let token = self.byte()?;
        let place = match token {
            0xfb => return Ok(None),
            0x20 => return Ok(Some(String::new())),
            0x34 => return self.long_text().map(Some),
            0x80..=0xf7 => {
                let n = match token {
                    ..=0xbf => usize::from(token - 0x80) + 1,
                    _ => usize::from(token - 0xc0) + 2,
                };
                let name = self.text(n)?;
                share(&mut self.names, &name);
                return Ok(Some(name));
            }
            0x30..=0x33 => self.two(token)?,
            0x40..=0x7f => usize::from(token - 0x40),
            _ => return Err(UNKNOWN),
        };
        let names = self.names.as_ref().ok_or(UNKNOWN)?;
        Ok(Some(names.get(place).ok_or(UNKNOWN)?.clone()))
    }
}

fn share(table: &mut Option<Vec<String>>, text: &str) {
    if let Some(table) = table {
        if table.len() == SHARED {
            table.clear();
        }
        table.push(text.to_owned());
    }
}

/// Unfolds the sign, which is the last bit.
fn unfold(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

/// Returns a float as a value; `Null` for infinities and NaN.
fn float(value: f64) -> Value {
    if value.is_finite() {
        Value::Float(value)
    } else {
        Value::Null
    }
}

#[cfg(test)]
mod tests {
    use super::super::build::smile as write;
    use serde_json::{Map, Value as Json};

    use super::super::kept::TOO_MANY;
    use super::*;

    fn read(bytes: &[u8], wanted: &'static [&'static str]) -> Result<Value, &'static str> {
        super::read(bytes, &ValueBudget::new(1 << 20, wanted))
    }

    #[test]
    fn written_values_read_back() {
        let many: Map<String, Json> = (0..200).map(|i| (format!("n{i}"), i.into())).collect();
        let value = serde_json::json!({
            "a": [1, -1, 15, 16, -17, 3000, -123_456_789, 0.25, -1.5e-7, 0.0],
            "text": ["x", "x", "Bénédicte", "Bénédicte", "", "y".repeat(90)],
            "flags": [true, false, null],
            "many": many.clone(),
            "again": many.clone(),
        });
        let names = ["a", "text", "flags", "many", "again"].map(String::from);
        let names = names.into_iter().chain(many.keys().cloned());
        let names: Vec<&'static str> = names.map(|name| &*name.leak()).collect();
        let all = read(&write(&value), names.leak()).unwrap();
        assert_eq!(all, Value::from(&value));
        let some = read(&write(&value), &["flags"]).unwrap();
        let flags = serde_json::json!({"flags": [true, false, null]});
        assert_eq!(some, Value::from(&flags));
    }

    #[test]
    fn the_spare_bits_of_a_float_may_come_last() {
        let bits = u128::from((-0.125f64).to_bits()) << 6;
        let mut bytes = b":)\n\x03\x29".to_vec();
        bytes.extend((0..10).rev().map(|i| (bits >> (7 * i) & 0x7f) as u8));
        assert_eq!(read(&bytes, &[]).unwrap(), Value::Float(-0.125));
    }

    #[test]
    fn values_that_need_too_much_memory_are_refused() {
        // Five bytes per object with one field.
        let one = b"\xfa\x80a\xc0\xfb";
        let bytes = [b":)\n\0\xf8", &one.repeat(400_000)[..], b"\xf9"].concat();
        assert_eq!(read(&bytes, &["a"]), Err(TOO_MANY));
        let budget = ValueBudget::new(64 << 20, &[]);
        assert!(super::read(&bytes, &budget).is_ok());
    }

    #[test]
    fn broken_bytes_are_refused() {
        let value = serde_json::json!({"a": [1, "text", {"b": 0.5}]});
        let good = write(&value);
        for n in 0..good.len() {
            assert!(read(&good[..n], &["a", "b"]).is_err(), "{n}");
        }
        let mut deep = b":)\n\x03".to_vec();
        deep.resize(1000, 0xf8);
        assert!(read(&deep, &[]).unwrap_err().contains("deeply"));
        assert!(read(b":)\n\x03\xec\x07", &[]).is_err());
        assert!(read(b":)\n\x03\xfd\x7f\x7f\x7f\xbf", &[]).is_err());
    }
}
