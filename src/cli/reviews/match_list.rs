//! Lists matches, one per line, with their players.

use std::collections::BTreeSet;

use anyhow::Result;

use crate::cli::common::usage::misuse;
use crate::game::Player;
use crate::grid::{cut, width};
use crate::library::names::fold;
use crate::library::{People, match_score};
use crate::review::Report;
use crate::review::report::PlayerReport;
use crate::sanitize;
use crate::store::library::LibraryMatch;

/// Maximum number of remembered names, listed when the requested player is not found.
pub(crate) const MOST_NAMES: usize = 1000;

/// Side of the player with this name, or with this text in the name.
pub(crate) fn side(report: &Report, name: &str) -> Option<Player> {
    let wanted = fold(name);
    let names = report.players.each_ref().map(|p| fold(&p.name));
    let find = |fits: &dyn Fn(&str) -> bool| names.iter().position(|n| fits(n));
    find(&|n| n == wanted)
        .or_else(|| find(&|n| n.contains(&wanted)))
        .map(|i| if i == 0 { Player::Left } else { Player::Right })
}

/// The folded name of the player called `name`, or of the only one with it in the name; `None` if there is none.
pub(crate) fn whose(reports: &[&Report], name: &str) -> Result<Option<String>> {
    let players = reports.iter().flat_map(|report| &report.players);
    let names = players.map(|player| player.name.as_str());
    let mut meant = People::default().meant(names, name);
    match meant.len() {
        0 | 1 => Ok(meant.pop_first()),
        _ => Err(several(name, &meant)),
    }
}

/// Side of the player with this folded name.
pub(crate) fn side_of(report: &Report, player: &str) -> Option<Player> {
    let sides = [Player::Left, Player::Right];
    let mut both = sides.into_iter().zip(&report.players);
    both.find_map(|(side, of)| (fold(&of.name) == player).then_some(side))
}

/// The error that several players have this text in their names.
pub(crate) fn several(name: &str, players: &BTreeSet<String>) -> anyhow::Error {
    misuse(format!(
        "several players have '{name}' in their names: {}",
        some_of(players)
    ))
}

/// Lists the first of these names, for a message.
fn some_of(names: &BTreeSet<String>) -> String {
    const SHOWN: usize = 12;
    let shown: Vec<&str> = names.iter().take(SHOWN).map(String::as_str).collect();
    let more = if names.len() > SHOWN { ", …" } else { "" };
    shown.join(", ") + more
}

/// The error that no match has this player; lists the existing names.
pub(crate) fn nobody(name: &str, names: &BTreeSet<String>) -> anyhow::Error {
    misuse(if names.is_empty() {
        format!("no match has a player called '{name}': there is no match")
    } else {
        format!(
            "no match has a player called '{name}', but: {}",
            some_of(names)
        )
    })
}

/// Refuses a name that no player of these library matches has. Without matches every name is accepted.
pub(crate) fn refuse_nobody(name: &str, all: &[LibraryMatch], people: &People) -> Result<()> {
    let side = |one: &LibraryMatch| people.side_of(&one.head.players, name);
    if !all.is_empty() && all.iter().all(|one| side(one).is_none()) {
        let names = all.iter().flat_map(|one| one.head.players.iter().cloned());
        return Err(nobody(name, &names.take(MOST_NAMES).collect()));
    }
    Ok(())
}

/// Sets the date of the match in a report.
pub(crate) fn dated(report: Report, day: &str) -> Report {
    Report {
        date: Some(day.to_owned()),
        ..report
    }
}

/// Formats a table row with fixed columns, because rows are printed one by one.
fn columns(cells: [&str; 9]) -> String {
    const WIDTHS: [usize; 9] = [11, 18, 18, 6, 7, 6, 6, 8, 8];
    let mut line = String::new();
    for (i, (cell, columns)) in cells.iter().zip(WIDTHS).enumerate() {
        // Names are cut, figures never.
        let cut = match i {
            1 | 2 => cut(&sanitize::clean(cell), columns),
            _ => sanitize::clean(cell).into_owned(),
        };
        // Measured in terminal columns: characters of some scripts take two.
        let gap = " ".repeat(columns.saturating_sub(width(&cut)));
        line += &match i {
            0..=2 => format!("{cut}{gap} "),
            _ => format!("{gap}{cut} "),
        };
    }
    format!("{}\n", line.trim_end())
}

/// The table heading.
pub(crate) fn heading() -> String {
    columns([
        "date", "player", "opponent", "length", "score", "PR", "opp.", "net luck", "adjusted",
    ])
}

/// Formats a match, with the player `whose`, or the left one, first.
pub(crate) fn line_for(day: &str, report: &Report, whose: Option<Player>) -> String {
    let own = whose.unwrap_or(Player::Left).index();
    let [a, b] = [own, 1 - own];
    let players: [&PlayerReport; 2] = [&report.players[a], &report.players[b]];
    let pr = |p: &PlayerReport| {
        p.figures
            .pr
            .map_or_else(|| "–".to_owned(), |pr| format!("{pr:.2}"))
    };
    let length = match report.length {
        0 => "money".to_owned(),
        n => n.to_string(),
    };
    let score = match_score(report.length, [a, b].map(|side| report.score[side]));
    columns([
        day,
        &players[0].name,
        &players[1].name,
        &length,
        &score,
        &pr(players[0]),
        &pr(players[1]),
        &report.change_text(players[0].net_luck()),
        &report.value_text(players[0].luck_adjusted_result),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_whatever_the_script() {
        let names = [
            "Anna",
            "望月 正行",
            "Владимир Константинович",
            "e\u{301}ric",
        ];
        let lines = names.map(|name| {
            columns([
                "2024-03-01",
                name,
                "Ben",
                "7",
                "7–3",
                "5.00",
                "6.00",
                "+1%",
                "60%",
            ])
        });
        let starts = lines.map(|line| width(&line[..line.find("Ben").unwrap()]));
        assert_eq!(starts, [31; 4]);
        assert!(heading()[..31].ends_with("player             "));
    }
}
