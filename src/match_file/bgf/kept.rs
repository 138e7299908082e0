//! How much of a document is kept. Of a packed file nothing is believed: a few bytes can stand for
//! thousands of values, and the memory that these take is what is bounded.

use std::cell::Cell;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Most memory for the values of a document, in bytes.
const MOST_BYTES: usize = 200 << 20;
/// What a value takes in its list, which may be half empty.
const VALUE: usize = 3 * size_of::<Value>() / 2;
/// What the first few fields of an object take together.
const FIELDS: usize = 11 * (size_of::<Value>() + size_of::<String>()) + 32;
/// The same for the first values of a list.
const LIST: usize = 4 * size_of::<Value>();
/// Said of a document that takes more.
pub(super) const TOO_MANY: &str = "its data hold too many values";

/// What memory is left, and which fields of objects are wanted at all.
pub(super) struct ValueBudget<'a> {
    left: Cell<usize>,
    wanted: &'a dyn Fn(&str) -> bool,
}

impl<'a> ValueBudget<'a> {
    pub(super) fn new(wanted: &'a dyn Fn(&str) -> bool) -> Self {
        Self {
            left: Cell::new(MOST_BYTES),
            wanted,
        }
    }

    pub(super) fn wants(&self, name: &str) -> bool {
        (self.wanted)(name)
    }

    /// A value is about to be kept.
    pub(super) fn value(&self) -> Result<(), &'static str> {
        self.take(VALUE)
    }

    pub(super) fn text(&self, text: &str) -> Result<(), &'static str> {
        self.take(text.len() + 16)
    }

    /// One more field of an object that has so many.
    pub(super) fn field(&self, already: usize) -> Result<(), &'static str> {
        self.take(if already.is_multiple_of(6) { FIELDS } else { 0 })
    }

    /// One more value of a list that has so many.
    pub(super) fn item(&self, already: usize) -> Result<(), &'static str> {
        self.take(if already == 0 { LIST } else { 0 })
    }

    fn take(&self, bytes: usize) -> Result<(), &'static str> {
        let left = self.left.get().checked_sub(bytes).ok_or(TOO_MANY)?;
        self.left.set(left);
        Ok(())
    }
}

/// Reads JSON; of objects only the fields that are wanted.
///
/// # Errors
/// What is wrong with it, in one line.
pub(super) fn json(bytes: &[u8], wanted: &dyn Fn(&str) -> bool) -> Result<Value, String> {
    let kept = ValueBudget::new(wanted);
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let read = Reading(&kept).deserialize(&mut reader);
    read.and_then(|value| reader.end().map(|()| value))
        .map_err(|e| format!("its data are broken: {e}"))
}

struct Reading<'a>(&'a ValueBudget<'a>);

impl<'de> DeserializeSeed<'de> for Reading<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
        self.0.value().map_err(D::Error::custom)?;
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reading<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        self.0.text(text).map_err(E::custom)?;
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut all = Vec::new();
        while let Some(value) = list.next_element_seed(Reading(self.0))? {
            self.0.item(all.len()).map_err(A::Error::custom)?;
            all.push(value);
        }
        Ok(Value::Array(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut all = Map::new();
        while let Some(name) = fields.next_key::<String>()? {
            if self.0.wants(&name) {
                self.0.field(all.len()).map_err(A::Error::custom)?;
                all.insert(name, fields.next_value_seed(Reading(self.0))?);
            } else {
                fields.next_value::<IgnoredAny>()?;
            }
        }
        Ok(Value::Object(all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_read_as_it_is_without_what_nobody_wants() {
        let text =
            r#"{"a":[1,-2,0.5,"x",null,true,{"b":{}}],"no":{"a":[7]},"b":18446744073709551615}"#;
        let read = json(text.as_bytes(), &|name| name != "no").unwrap();
        let mut whole: Value = serde_json::from_str(text).unwrap();
        whole.as_object_mut().unwrap().remove("no");
        assert_eq!(read, whole);
        assert!(json(b"[1] 2", &|_| true).is_err());
    }

    #[test]
    fn what_would_take_too_much_memory_is_refused() {
        // A few bytes each, of which an object or a list makes many.
        for one in [r#"{"a":0},"#, "[0],"] {
            let text = format!("[{}0]", one.repeat((8 << 20) / one.len()));
            let told = json(text.as_bytes(), &|_| true).unwrap_err();
            assert!(told.contains(TOO_MANY), "{told}");
        }
    }
}
