//! Stores a document within a limit of memory. A few bytes of a packed file can expand to thousands of
//! values, so the memory of these values is counted.

use std::cell::Cell;
use std::ops::Index;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// Maximum length of a text, in bytes.
pub(super) const LONGEST_VALUE: usize = 4096;
/// Error for a document that exceeds its memory.
pub(super) const TOO_MANY: &str = "its data hold too many values";

/// A value of a document, stored compactly: a long match has half a million.
#[derive(Debug, PartialEq)]
pub(super) enum Value {
    Null,
    Bool(bool),
    Whole(i64),
    Float(f64),
    Text(Box<str>),
    List(Box<[Value]>),
    Object(Box<[(&'static str, Value)]>),
}

impl Value {
    pub(super) fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }

    pub(super) fn as_i64(&self) -> Option<i64> {
        match self {
            Self::Whole(value) => Some(*value),
            _ => None,
        }
    }

    pub(super) fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Whole(value) => Some(*value as f64),
            Self::Float(value) => Some(*value),
            _ => None,
        }
    }

    pub(super) fn as_str(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn as_array(&self) -> Option<&[Self]> {
        match self {
            Self::List(all) => Some(all),
            _ => None,
        }
    }

    pub(super) fn is_object(&self) -> bool {
        matches!(self, Self::Object(_))
    }
}

impl Index<&str> for Value {
    type Output = Self;

    /// Returns the field with this name, the last of several; `Null` if there is none.
    fn index(&self, name: &str) -> &Self {
        let Self::Object(fields) = self else {
            return &Self::Null;
        };
        let field = fields.iter().rev().find(|(field, _)| *field == name);
        field.map_or(&Self::Null, |(_, value)| value)
    }
}

impl Index<usize> for Value {
    type Output = Self;

    fn index(&self, at: usize) -> &Self {
        let all = self.as_array();
        all.and_then(|all| all.get(at)).unwrap_or(&Self::Null)
    }
}

/// The memory left, in bytes, and the names of the fields to keep.
pub(super) struct ValueBudget {
    left: Cell<usize>,
    wanted: &'static [&'static str],
}

impl ValueBudget {
    pub(super) fn new(bytes: usize, wanted: &'static [&'static str]) -> Self {
        Self {
            left: Cell::new(bytes),
            wanted,
        }
    }

    /// Returns the static name of a field to keep, or `None` for other fields.
    pub(super) fn wants(&self, name: &str) -> Option<&'static str> {
        self.wanted.iter().find(|wanted| **wanted == name).copied()
    }

    pub(super) fn text(&self, text: &str) -> Result<Value, &'static str> {
        self.take(text.len())?;
        Ok(Value::Text(text.into()))
    }

    /// Appends a value to a list. While a list grows, both the old and the new allocation are counted.
    pub(super) fn push<T>(&self, list: &mut Vec<T>, value: T) -> Result<(), &'static str> {
        let held = list.capacity();
        if list.len() == held {
            let next = (2 * held).max(4);
            self.take(next * size_of::<T>())?;
            list.reserve_exact(next - list.len());
            self.give(held * size_of::<T>());
        }
        list.push(value);
        Ok(())
    }

    /// Shrinks a list that is complete.
    pub(super) fn finish<T>(&self, list: Vec<T>) -> Result<Box<[T]>, &'static str> {
        let held = list.capacity();
        self.take(list.len() * size_of::<T>())?;
        let list = list.into_boxed_slice();
        self.give(held * size_of::<T>());
        Ok(list)
    }

    fn take(&self, bytes: usize) -> Result<(), &'static str> {
        let left = self.left.get().checked_sub(bytes).ok_or(TOO_MANY)?;
        self.left.set(left);
        Ok(())
    }

    fn give(&self, bytes: usize) {
        self.left.set(self.left.get() + bytes);
    }
}

/// Reads JSON, with only the wanted fields of objects.
///
/// # Errors
/// The fault, in one line.
pub(super) fn json(bytes: &[u8], budget: &ValueBudget) -> Result<Value, String> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let read = Reading(budget).deserialize(&mut reader);
    read.and_then(|value| reader.end().map(|()| value))
        .map_err(|e| format!("its data are broken: {e}"))
}

struct Reading<'a>(&'a ValueBudget);

impl<'de> DeserializeSeed<'de> for Reading<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
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
        Ok(Value::Whole(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        let whole = i64::try_from(value).map(Value::Whole);
        Ok(whole.unwrap_or(Value::Float(value as f64)))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Float(value))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        if text.len() > LONGEST_VALUE {
            return Ok(Value::Null);
        }
        self.0.text(text).map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut all = Vec::new();
        while let Some(value) = list.next_element_seed(Reading(self.0))? {
            self.0.push(&mut all, value).map_err(A::Error::custom)?;
        }
        self.0
            .finish(all)
            .map(Value::List)
            .map_err(A::Error::custom)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut all = Vec::new();
        while let Some(name) = fields.next_key::<String>()? {
            if let Some(name) = self.0.wants(&name) {
                let value = fields.next_value_seed(Reading(self.0))?;
                self.0
                    .push(&mut all, (name, value))
                    .map_err(A::Error::custom)?;
            } else {
                fields.next_value::<IgnoredAny>()?;
            }
        }
        self.0
            .finish(all)
            .map(Value::Object)
            .map_err(A::Error::custom)
    }
}

#[cfg(test)]
impl From<&serde_json::Value> for Value {
    fn from(value: &serde_json::Value) -> Self {
        use serde_json::Value as Json;
        match value {
            Json::Null => Self::Null,
            Json::Bool(value) => Self::Bool(*value),
            Json::Number(n) => n
                .as_i64()
                .map_or_else(|| Self::Float(n.as_f64().unwrap()), Self::Whole),
            Json::String(text) => Self::Text(text.as_str().into()),
            Json::Array(all) => Self::List(all.iter().map(Self::from).collect()),
            Json::Object(all) => {
                let field =
                    |(name, value): (&String, _)| (&*name.clone().leak(), Self::from(value));
                Self::Object(all.iter().map(field).collect())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_read_without_the_unwanted_fields() {
        let text =
            r#"{"a":[1,-2,0.5,"x",null,true,{"b":{}}],"no":{"a":[7]},"b":18446744073709551615}"#;
        let budget = ValueBudget::new(10_000, &["a", "b"]);
        let read = json(text.as_bytes(), &budget).unwrap();
        let mut whole: serde_json::Value = serde_json::from_str(text).unwrap();
        whole.as_object_mut().unwrap().remove("no");
        assert_eq!(read, Value::from(&whole));
        assert_eq!(read["a"][1].as_i64(), Some(-2));
        assert_eq!(read["a"]["b"][7], Value::Null);
        assert!(json(b"[1] 2", &budget).is_err());
    }

    #[test]
    fn values_that_need_too_much_memory_are_refused() {
        // Each repetition is a few bytes that become an object or a list.
        for one in [r#"{"a":0},"#, "[0],"] {
            let text = format!("[{}0]", one.repeat((1 << 20) / one.len()));
            let budget = ValueBudget::new(8 << 20, &["a"]);
            let complaint = json(text.as_bytes(), &budget).unwrap_err();
            assert!(complaint.contains(TOO_MANY), "{complaint}");
        }
    }

    #[test]
    fn the_old_memory_of_a_grown_list_is_released() {
        let text = format!("[{}0]", "0,".repeat(1000));
        // The final list and the largest allocation while it grew.
        let bytes = (1001 + 1024 + 512) * size_of::<Value>();
        assert!(json(text.as_bytes(), &ValueBudget::new(bytes, &[])).is_ok());
        assert!(json(text.as_bytes(), &ValueBudget::new(1500 * 24, &[])).is_err());
    }
}
