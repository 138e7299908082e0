//! Describes the results of games and matches.

use std::ops::Range;

use crate::review::Report;
use crate::review::report::GameReport;
use crate::words::{counted, verb};

/// Describes the results of these games, and the score at the start of the next one; `None` at the first game of a
/// completely recorded match.
pub(super) fn before_game(report: &Report, games: Range<usize>) -> Option<String> {
    let next = report.games.get(games.end)?;
    let ended = report.games.get(games)?.iter();
    let mut words: Vec<String> = ended.map(|game| of_game(report, game)).collect();
    if !words.is_empty() || next.score != [0, 0] {
        words.push(score(report, next.score.map(u32::from)));
    }
    if next.crawford {
        words.push("Crawford game.".to_owned());
    }
    (!words.is_empty()).then(|| words.join(" "))
}

/// Describes the results of the games from this index, and of the match.
pub(super) fn of_match(report: &Report, from: usize) -> String {
    let games = report.games.iter().skip(from);
    let mut words: Vec<String> = games.map(|game| of_game(report, game)).collect();
    let [left, right] = report.score;
    words.push(match report.complete && report.length > 0 {
        true => {
            let winner = &report.players[usize::from(right > left)].name;
            let (most, least) = (left.max(right), left.min(right));
            let wins = verb(winner, ["wins", "win"]);
            format!("{winner} {wins} the match, {most} to {least}.")
        }
        false => score(report, report.score),
    });
    words.join(" ")
}

fn of_game(report: &Report, game: &GameReport) -> String {
    let number = game.number;
    match (game.winner, game.points) {
        (Some(side), Some(points)) => {
            let name = &report.players[side.index()].name;
            let points = counted(points, "point");
            let wins = verb(name, ["wins", "win"]);
            format!("{name} {wins} game {number}, {points}.")
        }
        _ => format!("Game {number} is not played to its end."),
    }
}

fn score(report: &Report, points: [u32; 2]) -> String {
    let [left, right] = &report.players;
    format!(
        "The score is {} {}, {} {}.",
        left.name, points[0], right.name, points[1]
    )
}
