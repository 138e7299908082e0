//! GNU Backgammon's analyses in SGF files: `A` (plays), `DA` (cube) and `LU` (luck), in the layout of
//! versions 0.14 to 1.08.

use super::syntax::{Piece, Property, Scanner, escape, unescape};
use crate::match_file::analysis::{
    Analysis, Chances, CubeUnit, CubeVerdict, MOST_PLAYS, PlayVerdict,
};
use crate::match_file::text::clean;
use crate::sanitize;

/// Properties that are written back unchanged.
const KEPT: [&str; 12] = [
    "A", "DA", "MR", "CR", "LU", "GW", "GB", "BM", "DO", "BC", "DC", "TE",
];
/// Maximum length of the text kept for one node, in bytes.
const LONGEST_ANALYSIS: usize = 256 * 1024;

/// Reads the analysis of a node. `find` converts letters to a legal play.
pub(super) fn analysis(
    program: &str,
    node: &[Property<'_>],
    money: bool,
    mut find: impl FnMut(&str) -> Option<crate::game::Play>,
) -> Option<Analysis> {
    let get = |name: &str| node.iter().find(|property| property.name == name);
    let mut analysis = Analysis {
        program: program.to_owned(),
        ..Analysis::default()
    };
    let luck = get("LU").and_then(|property| property.values.first());
    analysis.luck = luck.and_then(|value| number(value));
    if let Some(plays) = get("A") {
        let verdicts = kept_plays(plays).filter_map(|value| {
            let value = unescape(value, true);
            let (letters, rest) = value.trim().split_once(' ')?;
            let (level, equity, chances) = play_figures(rest)?;
            Some(PlayVerdict {
                play: find(letters)?,
                level,
                equity,
                chances,
            })
        });
        analysis.plays = verdicts.collect();
    }
    if let Some(value) = get("DA").and_then(|property| property.values.first()) {
        analysis.cube = cube_figures(&unescape(value, true), money);
    }
    let says_nothing =
        analysis.luck.is_none() && analysis.plays.is_empty() && analysis.cube.is_none();
    if says_nothing {
        return None;
    }
    analysis.sgf = Some(source(node));
    Some(analysis)
}

/// Returns the plays to keep: the first ones, and the play that was made, whose index is the first value.
fn kept_plays<'a>(plays: &'a Property<'a>) -> impl Iterator<Item = &'a str> {
    let made = plays
        .values
        .first()
        .and_then(|value| value.trim().parse().ok());
    let made = made.filter(|&made: &usize| made >= MOST_PLAYS);
    let listed = plays.values.iter().filter(|value| value.contains(' '));
    let listed: Vec<&str> = listed.copied().collect();
    let made = made.and_then(|made| listed.get(made).copied());
    let first = listed
        .into_iter()
        .take(MOST_PLAYS - usize::from(made.is_some()));
    first.chain(made)
}

/// Returns the analysis properties of an SGF node, without other properties.
pub(crate) fn checked_source(text: &str) -> Option<Box<str>> {
    let text = format!(";{text}");
    let mut scanner = Scanner::new(&text);
    let Piece::Node(node) = scanner.next()? else {
        return None;
    };
    let source = source(&node);
    (scanner.next().is_none() && !source.is_empty()).then_some(source)
}

/// Returns the analysis properties of a node as text.
fn source(node: &[Property<'_>]) -> Box<str> {
    let mut text = String::new();
    let kept = node
        .iter()
        .filter(|property| KEPT.contains(&&*property.name));
    for property in kept {
        let mut one = property.name.clone();
        for value in &property.values {
            one.push('[');
            one.push_str(&escape(&sanitize::clean(&unescape(value, true))));
            one.push(']');
        }
        if property.values.is_empty() {
            one.push_str("[]");
        }
        if text.len() + one.len() <= LONGEST_ANALYSIS {
            text.push_str(&one);
        }
    }
    text.into()
}

/// Parses a finite number; GNU Backgammon writes `-inf` for a figure that was not computed.
fn number(text: &str) -> Option<f64> {
    let value: f64 = text.trim().parse().ok()?;
    (value.is_finite() && value.abs() < 1e6).then_some(value)
}

fn numbers(words: &[&str]) -> Vec<f64> {
    let words = words.iter();
    words.map_while(|word| number(word)).take(64).collect()
}

/// Parses the head `E ver 3 …` or `X ver 3 …`. Returns whether it is a rollout, and the words after the head.
fn kind(text: &str) -> Option<(bool, Vec<&str>)> {
    let words: Vec<&str> = text.split_whitespace().take(200).collect();
    let rollout = match *words.first()? {
        "E" => false,
        "X" => true,
        _ => return None,
    };
    let from = if words.get(1) == Some(&"ver") { 3 } else { 1 };
    Some((rollout, words.get(from..)?.to_vec()))
}

/// Returns the numbers after each occurrence of `key`.
fn numbers_after(words: &[&str], key: &str) -> Vec<Vec<f64>> {
    let found = words.iter().enumerate().filter(|(_, word)| **word == key);
    found.map(|(i, _)| numbers(&words[i + 1..])).collect()
}

/// Converts a level such as `2C` to words.
fn level(word: &str) -> String {
    let digits: String = word.chars().take_while(char::is_ascii_digit).collect();
    let cubeful = if word.ends_with('C') { " cubeful" } else { "" };
    format!("{}-ply{cubeful}", clean(&digits))
}

fn rollout_level(words: &[&str]) -> String {
    let trials = numbers_after(words, "Trials");
    match trials.first().and_then(|n| n.first()) {
        Some(n) => format!("rollout of {n:.0}"),
        None => "rollout".to_owned(),
    }
}

fn five(numbers: &[f64]) -> Option<Chances> {
    Chances::new(numbers.get(..5)?.try_into().ok()?)
}

fn play_figures(text: &str) -> Option<(String, f64, Option<Chances>)> {
    let (rollout, words) = kind(text)?;
    if rollout {
        let outputs = numbers_after(&words, "Output");
        let output = outputs.first()?;
        let score = numbers_after(&words, "Score");
        let score = score.first().and_then(|s| s.first()).copied();
        let equity = score.or(output.get(6).copied())?;
        return Some((rollout_level(&words), equity, five(output)));
    }
    let figures = numbers(&words);
    let equity = *figures.get(5)?;
    let depth = words.get(6).map_or_else(String::new, |word| level(word));
    Some((depth, equity, five(&figures)))
}

fn cube_figures(text: &str, money: bool) -> Option<CubeVerdict> {
    let (rollout, words) = kind(text)?;
    let (depth, no_double, take) = if rollout {
        let mut outputs = numbers_after(&words, "Output").into_iter();
        let (first, second) = (outputs.next()?, outputs.next()?);
        (rollout_level(&words), first, second)
    } else {
        // Old versions have four more numbers first.
        let all = numbers(&words[words.len().checked_sub(14)?..]);
        if all.len() < 14 {
            return None;
        }
        // In those versions the level is the first word that is not a decimal number.
        let is_number = |word: &&&str| word.contains('.');
        let depth = words.iter().find(|word| !is_number(word));
        let depth = depth.map_or_else(String::new, |word| level(word));
        (depth, all[..7].to_vec(), all[7..].to_vec())
    };
    Some(CubeVerdict {
        level: depth,
        unit: if money {
            CubeUnit::Points
        } else {
            CubeUnit::Mwc
        },
        no_double: Some(*no_double.get(6)?),
        double_take: Some(*take.get(6)?),
        double_pass: money.then_some(1.0),
        chances: five(&no_double),
        error: None,
        answer_error: None,
    })
}
