//! What was read of a file, game by game: for `luckless inspect`, and for checking a reader against
//! another.

use serde::Serialize;

use super::model::{Action, Game, Match};
use crate::game::{Player, Position};
use crate::notation::position_id;

/// A match in figures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// The file, if it was read from one.
    pub file: Option<String>,
    /// Name of the format.
    pub format: &'static str,
    /// Name of the text encoding.
    pub encoding: &'static str,
    /// Points the match is played to, 0 for money.
    pub length: u16,
    /// Names of the left and the right player.
    pub players: [String; 2],
    /// The games.
    pub games: Vec<GameSummary>,
    /// What was wrong.
    pub warnings: Vec<WarningSummary>,
}

/// A game in figures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GameSummary {
    /// Its number as written.
    pub game: u32,
    /// The score before it, left and right.
    pub score: [u16; 2],
    /// Rolls, with dances and rolls whose play is not known.
    pub rolls: usize,
    /// Doubles offered.
    pub doubles: usize,
    /// Doubles taken; a beaver is also a take.
    pub takes: usize,
    /// Doubles dropped.
    pub drops: usize,
    /// `left` or `right`, if the game has a result.
    pub winner: Option<&'static str>,
    /// The points of the result as written, else as counted.
    pub points: Option<u32>,
    /// GNUBG position ID after the last known play or dance, seen by the player who would move
    /// next.
    pub final_position_id: String,
    /// Whether all of the game was read, from its start to a result.
    pub complete: bool,
}

/// A warning and its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WarningSummary {
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// What was found and what was expected.
    pub message: String,
}

impl Summary {
    /// The figures of a match.
    #[must_use]
    pub fn new(record: &Match) -> Self {
        let path = record.path.as_ref();
        let written = record.points_written.iter().copied();
        let written = written.chain(std::iter::repeat(None));
        Self {
            file: path.map(|path| super::text::clean(&path.display().to_string())),
            format: record.format,
            encoding: record.encoding,
            length: record.length,
            players: record.players.clone(),
            games: record
                .games
                .iter()
                .zip(written)
                .map(|(game, written)| GameSummary::new(record, game, written))
                .collect(),
            warnings: record
                .warnings
                .iter()
                .map(|warning| WarningSummary {
                    line: warning.line,
                    column: warning.column,
                    message: warning.message.clone(),
                })
                .collect(),
        }
    }
}

impl GameSummary {
    fn new(record: &Match, game: &Game, written: Option<u32>) -> Self {
        let count = |which: fn(&Action) -> bool| {
            game.events
                .iter()
                .filter(|event| which(&event.action))
                .count()
        };
        Self {
            game: game.number,
            score: game.score,
            rolls: count(|a| matches!(a, Action::Move { .. } | Action::Hidden { .. })),
            doubles: count(|a| matches!(a, Action::Double { .. })),
            takes: count(|a| matches!(a, Action::Take | Action::Beaver { .. })),
            drops: count(|a| matches!(a, Action::Drop)),
            winner: game.result.map(|result| match result.winner {
                Player::Left => "left",
                Player::Right => "right",
            }),
            points: written.or(game.result.map(|result| result.points)),
            final_position_id: position_id(&next_to_move(record, game)),
            complete: record.is_complete(game),
        }
    }
}

/// The last board of a game, seen by the player after the one who moved last.
fn next_to_move(record: &Match, game: &Game) -> Position {
    let board = record.final_position(game);
    let last = game
        .events
        .iter()
        .rev()
        .find(|event| matches!(event.action, Action::Move { .. }));
    match last.map(|event| event.player) {
        Some(Player::Left) => board.turned(),
        _ => board,
    }
}
