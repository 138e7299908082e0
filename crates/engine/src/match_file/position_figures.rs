//! Figures in the text exports of positions: numbers, equities and chances, in any language.

use super::analysis::Chances;

/// Parses a number with a decimal point or comma.
pub(super) fn number(word: &str) -> Option<f64> {
    let word = word.trim_matches(['(', ')', '%', '*', '：', ':']);
    let decimal = word.contains(['.', ',']) && word.ends_with(|c: char| c.is_ascii_digit());
    let value: f64 = word.replace(',', ".").replace('−', "-").parse().ok()?;
    (decimal && value.is_finite() && value.abs() < 1000.0).then_some(value)
}

/// Returns the equities in a line: signed decimals outside brackets; those in brackets are differences.
pub(super) fn equities(line: &str) -> Vec<f64> {
    let mut plain = String::new();
    let mut depth = 0usize;
    for c in line.chars() {
        match c {
            '(' | '（' => depth += 1,
            ')' | '）' => depth = depth.saturating_sub(1),
            _ if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    let words = plain.split([' ', ':', '：', '=']);
    words
        .filter(|word| !word.contains('%'))
        .filter_map(number)
        .collect()
}

/// Returns the text after `12. ` at the start of a line, perhaps with a star before the number.
pub(super) fn ranked(line: &str) -> Option<&str> {
    let rest = line.trim_start().trim_start_matches('*').trim_start();
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let rest = rest.get(digits..)?.strip_prefix('.')?;
    let gap = rest.starts_with(char::is_whitespace);
    (gap && (1..=3).contains(&digits)).then_some(rest)
}

/// Returns the chances below a candidate: six numbers in a line with a dash in the middle, or two lines of
/// percentages, the mover's and the opponent's.
pub(super) fn chances(lines: &[String]) -> Option<Chances> {
    let first = lines.first()?;
    if first.contains('%') {
        let mine = percentages(first);
        let theirs = percentages(lines.get(1)?);
        let (mine, theirs) = (mine.get(..3)?, theirs.get(..3)?);
        return Chances::new([mine[0], mine[1], mine[2], theirs[1], theirs[2]]);
    }
    let numbers: Vec<f64> = first.split_whitespace().filter_map(number).collect();
    match numbers[..] {
        [win, gammon, backgammon, _, lose_gammon, lose_backgammon] => {
            Chances::new([win, gammon, backgammon, lose_gammon, lose_backgammon])
        }
        _ => None,
    }
}

/// Returns the percentages of a line as fractions of 1.
pub(super) fn percentages(line: &str) -> Vec<f64> {
    line.split('%')
        .filter_map(|part| {
            let tail = part.rsplit([' ', ':', '：', '(']).next()?;
            Some(number(tail)? / 100.0)
        })
        .collect()
}

/// Returns whether a line contains a number in brackets.
pub(super) fn has_difference(line: &str) -> bool {
    let inside = line.split(['(', '（']).skip(1);
    let mut inside = inside.filter_map(|part| part.split([')', '）']).next());
    inside.any(|text| number(text.trim()).is_some())
}
