//! Writes match text that GNU Backgammon and eXtreme Gammon can read.
//!
//! Both are stricter readers than Luckless. They require fixed widths of the left cell, 25 and 0 for bar and
//! off, and one entry per step. They also require a blank before `Game`, and names without the separators of
//! a score line. The layout is GNU Backgammon's own. [`write_plain`] writes the notation of people, which
//! current programs read too.

use std::fmt::Write as _;

use crate::game::{CubeOwner, GameState, Play, Player, Position};
use crate::match_file::model::{Action, DecisionState, Game, Match};
use crate::match_file::snowie;
use crate::match_file::text::{clean, clean_lines};
use crate::notation::play::hits;
use crate::notation::{play_text, xgid, xgid_text};
use crate::words::counted;

/// The notation of plays.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// One entry per step, with numbers for bar and off.
    Steps,
    /// Notation of people: one entry per checker, repeats counted, `Bar` and `Off`.
    Plain,
}

impl Style {
    /// Returns the width of a left cell, after the row number.
    fn left_width(self) -> usize {
        match self {
            Self::Steps => 27,
            Self::Plain => 33,
        }
    }

    /// Returns the indents of a result of the left and of the right player.
    fn indents(self) -> [usize; 2] {
        [6, self.left_width() + 7]
    }
}

/// Maximum length of a name in GNU Backgammon, in bytes.
pub const NAME_BYTES: usize = 31;

/// Returns the match as text: UTF-8, line feeds, tags first. Further matches follow.
pub fn write(record: &Match) -> String {
    write_as(record, Style::Steps)
}

/// Returns the match in the form of eXtreme Gammon's text export, for people and for programs that read that
/// export.
pub fn write_plain(record: &Match) -> String {
    write_as(record, Style::Plain)
}

/// Writes all matches with games; standalone positions have no match text.
fn write_as(record: &Match, style: Style) -> String {
    let texts: Vec<String> = record.played().map(|one| write_match(one, style)).collect();
    match texts.is_empty() {
        true => write_match(record, style),
        false => texts.join("\n"),
    }
}

fn write_match(record: &Match, style: Style) -> String {
    let mut text = String::new();
    let names = [name(record, Player::Left), name(record, Player::Right)];
    write_tags(&mut text, record, &names);
    let _ = writeln!(text, " {} point match", record.length);
    for index in 0..record.games.len() {
        write_game(&mut text, record, index, &names, style);
    }
    text
}

/// Returns a name that cannot be read as a score or a rating.
fn name(record: &Match, player: Player) -> String {
    let plain: String = clean(&record.players[player.index()])
        .chars()
        .map(|c| if matches!(c, ':' | ',') { ' ' } else { c })
        .collect();
    // Text with an ID is read as a list of positions.
    let mut plain = plain;
    while let Some((start, behind)) = xgid::mark(&plain) {
        plain.replace_range(start + "XGID".len()..behind, " ");
    }
    let plain = plain.trim_start_matches([';', ' ']);
    let mut name = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    while name.len() > NAME_BYTES {
        name.pop();
    }
    if name.is_empty() {
        Match::UNNAMED[player.index()].clone_into(&mut name);
    }
    name
}

fn write_tags(text: &mut String, record: &Match, names: &[String; 2]) {
    let money = record.length == 0;
    let switch = |on: bool| if on { "On" } else { "Off" }.to_owned();
    let mut tags: Vec<(String, String)> = Vec::new();
    let mut set = |key: &str, value: String| tags.push((key.to_owned(), value));
    for (key, name) in ["Player 1", "Player 2"].iter().zip(names) {
        // A server's tag may contain the real name of a player with another name in the score lines.
        let tagged = record
            .tags
            .iter()
            .find(|tag| tag.0.eq_ignore_ascii_case(key));
        let tagged = tagged
            .map(|tag| tag.1.clone())
            .filter(|tagged| !tagged.is_empty());
        set(key, tagged.unwrap_or_else(|| name.clone()));
    }
    set("Variation", "Backgammon".to_owned());
    if money {
        set("Jacoby", switch(record.rules.jacoby));
        set("Beaver", switch(record.rules.beavers));
    } else {
        set("Crawford", switch(record.crawford));
    }
    let own: Vec<String> = tags.iter().map(|tag| tag.0.to_lowercase()).collect();
    let others = record.tags.iter().filter(|(key, _)| {
        !own.contains(&key.to_lowercase()) && !matches!(&**key, "Remark" | "Jacoby" | "Beaver")
    });
    for (key, value) in others.chain(&tags) {
        let plain = |s: &str| clean(s).replace(['"', '[', ']'], "'");
        let _ = writeln!(text, "; [{} \"{}\"]", plain(key), plain(value));
    }
    for (_, remark) in record.tags.iter().filter(|(key, _)| key == "Remark") {
        let (remark, _) = clean_lines(remark);
        for line in remark.lines().filter(|line| !line.is_empty()) {
            // It must not be read as a set-up or as a tag.
            let words = line.trim_start();
            let means_more = words.starts_with("Set Pos=") || words.starts_with('[');
            let sign = if means_more { "- " } else { "" };
            let _ = writeln!(text, "; {sign}{line}");
        }
    }
    text.push('\n');
}

fn write_game(text: &mut String, record: &Match, index: usize, names: &[String; 2], style: Style) {
    let game = &record.games[index];
    text.push('\n');
    if game.cube != 1 || game.owner.is_some() {
        let _ = writeln!(text, "; Set Pos={}", xgid_text(&start(game)));
    } else if game.start != Position::opening() {
        let _ = writeln!(text, "; Set Pos={}/1", board(&game.start));
    }
    let _ = writeln!(text, " Game {}", game.number);
    let left = format!(" {} : {}", names[0], game.score[0]);
    let width = style.left_width() + 3;
    let _ = writeln!(text, "{left:<width$}  {} : {}", names[1], game.score[1]);
    write_rows(text, record, game, names, style);
    write_result(text, record, index, style);
}

/// Returns the start of a game, seen by the left player.
fn start(game: &Game) -> GameState {
    GameState {
        cube: game.cube,
        owner: CubeOwner::seen_by(game.owner, Player::Left),
        ..GameState::money(game.start)
    }
}

/// Returns the board of a set-up, in the letters of an XGID.
fn board(position: &Position) -> String {
    let id = xgid_text(&GameState::money(*position));
    id["XGID=".len()..]
        .split(':')
        .next()
        .unwrap_or("")
        .to_owned()
}

fn write_rows(text: &mut String, record: &Match, game: &Game, names: &[String; 2], style: Style) {
    let decisions = record.decision_states(game);
    let mut rows: Vec<[Option<String>; 2]> = Vec::new();
    let mut after = Player::Right;
    for (i, (event, decision)) in game.events.iter().zip(&decisions).enumerate() {
        let next = game.events.get(i + 1).map(|event| event.action);
        let gave_up = match next {
            Some(action) => action == Action::Resign,
            None => game.result.is_some(),
        };
        let cell = match event.action {
            Action::Illegal { roll, after } => {
                let after = dump(names, decision, after, next);
                Some(format!("{roll}: Illegal play ({after})"))
            }
            action => cell(&action, &decision.state.position, gave_up, style),
        };
        let Some(cell) = cell else { continue };
        let side = event.player.index();
        // A cell may follow the last one in the same row only from left to right.
        let fits =
            side == 1 && after == Player::Left && rows.last().is_some_and(|row| row[1].is_none());
        if !fits {
            rows.push([None, None]);
        }
        if let Some(row) = rows.last_mut() {
            row[side] = Some(cell);
        }
        after = event.player;
    }
    for (row, number) in rows.into_iter().zip(1..) {
        let [left, right] = row;
        let left = left.unwrap_or_default();
        let right = right.unwrap_or_default();
        // An empty right cell needs its blanks: without them GNU Backgammon 1.07 reads remains of the line
        // before.
        let width = style.left_width();
        let _ = writeln!(text, "{number:>3}) {left:<width$} {right}");
    }
}

/// Returns an action as a cell; a resignation is part of the result line.
fn cell(action: &Action, position: &Position, gave_up: bool, style: Style) -> Option<String> {
    Some(match action {
        Action::Move { roll, play } if style == Style::Plain => {
            format!("{roll}: {}", plain(position, play))
        }
        Action::Move { roll, play } => format!("{roll}: {}", steps(position, play)),
        Action::Hidden { roll } if gave_up => format!("{roll}: ????"),
        Action::Hidden { roll } => format!("{roll}:"),
        Action::Double { to } => format!(" Doubles => {to}"),
        Action::Take => " Takes".to_owned(),
        Action::Pass => " Drops".to_owned(),
        Action::Beaver { to } => format!(" Beavers => {to}"),
        Action::Illegal { .. } | Action::Resign => return None,
    })
}

/// Returns the state after an illegal play, in eXtreme Gammon's form: seen by the next player, with the dice
/// of the next roll.
fn dump(
    names: &[String; 2],
    decision: &DecisionState,
    after: Position,
    next: Option<Action>,
) -> String {
    let next_player = decision.player.other();
    let state = GameState {
        position: after,
        roll: next.and_then(|action| action.roll()),
        ..decision.state.flipped()
    };
    let names = [next_player, decision.player].map(|player| names[player.index()].clone());
    snowie::write(&names, &state, next_player == Player::Left)
}

/// Returns a play in the notation of people.
fn plain(position: &Position, play: &Play) -> String {
    if play.is_empty() {
        return "Cannot Move".to_owned();
    }
    play_text(position, play)
        .replace("bar", "Bar")
        .replace("off", "Off")
}

/// Returns one entry per step, with bar as 25, off as 0, and a star after each hit.
fn steps(position: &Position, play: &Play) -> String {
    let mut text = String::new();
    // The first checker to reach a point hits.
    let mut hits = hits(position, play);
    for step in play.steps() {
        let hit = hits >> step.to & 1 != 0;
        hits &= !(1 << step.to);
        let star = if hit { "*" } else { "" };
        let _ = write!(text, "{}/{}{star} ", step.from, step.to);
    }
    text.truncate(text.trim_end().len());
    text
}

fn write_result(text: &mut String, record: &Match, index: usize, style: Style) {
    let game = &record.games[index];
    let Some(result) = game.result else {
        return;
    };
    let indent = style.indents()[result.winner.index()];
    let written = game.points_written;
    // Servers cap the number or count a gammon that was not won; a much larger number is an error.
    let points = written
        .filter(|&written| written <= result.points.saturating_mul(3))
        .unwrap_or(result.points);
    let points_won = counted(points, "point");
    let score = u32::from(game.score[result.winner.index()]);
    let is_last = index + 1 == record.games.len();
    let decided = is_last
        && record.length > 0
        && score.saturating_add(result.points) >= u32::from(record.length);
    let end = if decided { " and the match" } else { "" };
    let _ = writeln!(text, "{:indent$}Wins {points_won}{end}", "");
}
