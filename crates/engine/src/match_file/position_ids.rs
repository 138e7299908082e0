//! Identifiers of positions in the lines of a text, in any language.

use crate::notation::{gnubg_id, xgid};

/// Returns the identifier in line `i`: an XGID, or a position ID with a match ID after it in the same line or
/// the next.
pub(super) fn id_of_line(lines: &[String], i: usize) -> Option<String> {
    let line = &lines[i];
    if let Some((start, _)) = xgid::mark(line) {
        return Some(line[start..].to_owned());
    }
    let word = |line: &str, key: &str| {
        let rest = &line[line.find(key)? + key.len()..];
        let rest = rest.trim_start_matches([' ', ':']);
        Some(rest.split_whitespace().next()?.to_owned())
    };
    let next = lines.get(i + 1).map_or("", |line| line);
    let Some(position) = word(line, "Position ID").or_else(|| word(line, "Position-ID")) else {
        return translated_id(line, next);
    };
    let id = [line.as_str(), next]
        .iter()
        .find_map(|line| word(line, "Match ID").or_else(|| word(line, "Match-ID")));
    Some(match id {
        Some(id) => format!("{position}:{id}"),
        None => position,
    })
}

/// Returns the identifier in a line in another language: a position ID after a colon, and a match ID after
/// another colon in the same line or the next.
fn translated_id(line: &str, next: &str) -> Option<String> {
    let position = words_after_colon(line).find(|word| gnubg_id::parse_position(word).is_ok())?;
    let both = words_after_colon(line).chain(words_after_colon(next));
    let mut both = both.map(|word| format!("{position}:{word}"));
    let found = both.find(|both| gnubg_id::parse(both).is_ok());
    Some(found.unwrap_or_else(|| position.to_owned()))
}

/// Returns the words after the colons of a line.
fn words_after_colon(line: &str) -> impl Iterator<Item = &str> {
    let parts = line.split([':', '：']).skip(1);
    parts.filter_map(|part| part.split_whitespace().next())
}

/// Returns whether a line has a position ID after a colon.
pub(super) fn has_position_id(line: &str) -> bool {
    translated_id(line, "").is_some()
}
