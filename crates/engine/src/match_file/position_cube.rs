//! Imported analyses of cube decisions in the text exports of positions.

use super::analysis::{Chances, CubeUnit, CubeVerdict};
use super::position_figures::{chances, equities, has_difference, number, ranked};
use super::text::clean;

/// Returns the last of the three lines that [`cube_of_three_lines`] reads.
pub(super) fn last_of_three_lines(lines: &[String]) -> Option<usize> {
    let mut run = 0;
    lines.iter().position(|line| {
        run = if single(line).is_some() { run + 1 } else { 0 };
        run == 3
    })
}

/// Returns the equity of a line with exactly one.
fn single(line: &str) -> Option<f64> {
    match equities(line)[..] {
        [equity] if !line.contains('%') && line.contains(['+', '-', '−']) => Some(equity),
        _ => None,
    }
}

/// Reads eXtreme Gammon's analysis: three lines with one equity each, always no double, take, pass. If a take
/// would be beavered, the second line has the equity of the beaver, twice that of the take.
pub(super) fn cube_of_three_lines(lines: &[String]) -> Option<CubeVerdict> {
    let mut verdict = CubeVerdict {
        unit: CubeUnit::Points,
        ..CubeVerdict::default()
    };
    let mut run = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        if line.contains('%') && verdict.chances.is_none() {
            verdict.chances = chances(&lines[i..]);
            verdict.level = level_above(lines, i);
            continue;
        }
        match single(line) {
            Some(beaver) if run.len() == 1 && is_beaver(line) => run.push(beaver / 2.0),
            Some(equity) => run.push(equity),
            None => run.clear(),
        }
        if let [no_double, take, pass] = run[..] {
            verdict.no_double = Some(no_double);
            verdict.double_take = Some(take);
            verdict.double_pass = Some(pass);
            return Some(verdict);
        }
    }
    None
}

/// Returns whether the equity of a line is that of a beaver: the word is the same in all languages with Latin
/// letters.
fn is_beaver(line: &str) -> bool {
    line.contains("Beaver") || line.contains("ビーバー")
}

/// Returns the level in the line above the chances, such as `Analyzed in 3-ply`. The chances of a rollout are
/// indented below the name of an action, and the line above that name ends with the word for rollout.
fn level_above(lines: &[String], chances: usize) -> String {
    let is_rollout = lines[chances].starts_with(char::is_whitespace);
    let place = chances.checked_sub(if is_rollout { 2 } else { 1 });
    let Some(line) = place.and_then(|place| lines.get(place)) else {
        return String::new();
    };
    let words: Vec<&str> = line.split_whitespace().collect();
    let starts = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit()) || *word == "XG";
    let usual = if is_rollout {
        words.len().saturating_sub(1)
    } else {
        0
    };
    let from = words.iter().position(starts).unwrap_or(usual);
    clean(&words[from..].join(" "))
}

/// Reads the analysis of BGBlitz and GNU Backgammon: three lines in the order of their equities. Only the
/// label of no double contains neither slash nor comma. BGBlitz gives a cubeful and a normalised equity, each
/// with a difference in brackets. GNU Backgammon numbers the lines, and negates the equities for the player
/// who was doubled.
pub(super) fn cube_of_labels(lines: &[String], doubled: bool) -> Option<CubeVerdict> {
    let mut verdict = CubeVerdict::default();
    let mut doubles = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        if verdict.chances.is_none() {
            verdict.chances = chances(&lines[i..]).or_else(|| two_shares(&lines[i..]));
        }
        // The line `2-ply cubeless equity +0.123` of GNU Backgammon.
        if verdict.level.is_empty()
            && let Some((level, _)) = line.split_once(" cubeless ")
        {
            verdict.level = clean(level.trim());
        }
        let figures = equities(line);
        let equity = match figures[..] {
            [_, normalised] if has_difference(line) => normalised,
            [equity] if ranked(line).is_some() => equity,
            _ => continue,
        };
        let label = line.split([':', '：', '+']).next().unwrap_or("");
        let label = label.split(" -").next().unwrap_or("");
        if label.contains(['/', ',']) {
            doubles.push(equity);
        } else {
            verdict.no_double = verdict.no_double.or(Some(equity));
        }
    }
    let no_double = verdict.no_double?;
    let &[first, second, ..] = &doubles[..] else {
        return None;
    };
    let [take, pass] = take_and_pass([first, second], doubled)?;
    let sign = pass.signum();
    verdict.no_double = Some(sign * no_double);
    (verdict.double_take, verdict.double_pass) = (Some(sign * take), Some(sign * pass));
    if sign < 0.0 {
        verdict.chances = verdict.chances.map(|chances| chances.flipped());
    }
    Some(verdict)
}

/// Orders the two equities of a double as take and pass. A pass is worth exactly 1 to the doubler and −1 to
/// the opponent; a take may be worth as much. `doubled`: whether a double is pending, so that both equities
/// are those of the answering player.
fn take_and_pass([first, second]: [f64; 2], doubled: bool) -> Option<[f64; 2]> {
    let usual = if doubled { -1.0 } else { 1.0 };
    [usual, -usual].into_iter().find_map(|worth| {
        let is_pass = |equity: f64| (equity - worth).abs() < 5e-4;
        match (is_pass(first), is_pass(second)) {
            (true, _) => Some([second, first]),
            (false, true) => Some([first, second]),
            (false, false) => None,
        }
    })
}

/// Reads three percentages each for the player drawn at the top and the player at the bottom, without signs:
/// `Green 45.9 11.7 0.2`. The player to move has the second line, because an exported position shows that
/// player at the bottom.
fn two_shares(lines: &[String]) -> Option<Chances> {
    let shares = |line: &String| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let tail = words.get(words.len().checked_sub(3)?..)?;
        let found: Vec<f64> = tail.iter().filter_map(|word| number(word)).collect();
        (found.len() == 3 && words.len() > 3).then(|| found.iter().map(|n| n / 100.0).collect())
    };
    let top: Vec<f64> = shares(lines.first()?)?;
    let bottom: Vec<f64> = shares(lines.get(1)?)?;
    let sound = (top[0] + bottom[0] - 1.0).abs() < 0.003;
    let chances = Chances::new([bottom[0], bottom[1], bottom[2], top[1], top[2]]);
    chances.filter(|_| sound)
}
