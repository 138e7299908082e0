//! Summaries of read files, game by game: for `luckless inspect`, and for checking a reader against another
//! program.

use serde::Serialize;

use super::analysis::{Analysis, CubeUnit};
use super::json::{AnalysisForm, rounded};
use super::model::{Action, Game, LonePosition, Match, Warning};
use super::tag::{DATE, EVENT, PLACE, ROUND};
use crate::game::{Player, Position};
use crate::notation::{position_id, xgid_text};

/// The figures of a match.
#[derive(Clone, Debug, Serialize)]
pub struct MatchSummary {
    pub file: Option<String>,
    pub format: &'static str,
    pub encoding: &'static str,
    /// Points the match is played to, 0 for money.
    pub length: u16,
    /// Names of the left and the right player.
    pub players: [String; 2],
    /// Further facts of the head in words: date, event, round, place, rules of money play.
    #[serde(skip)]
    pub head: Vec<String>,
    pub games: Vec<GameSummary>,
    /// Standalone positions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub positions: Vec<PositionSummary>,
    /// Faults of the file.
    pub warnings: Vec<Warning>,
    /// Further matches of the same file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<MatchSummary>,
}

/// A standalone position.
#[derive(Clone, Debug, Serialize)]
pub struct PositionSummary {
    /// Line, from 1; 0 when unknown.
    pub line: u32,
    /// XGID of the position, with the player to decide at the bottom.
    pub xgid: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub analysis: Option<AnalysisForm>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<Box<str>>,
}

/// Totals of an imported analysis of a game.
#[derive(Clone, Debug, Default, Serialize)]
pub struct AnalysisSummary {
    pub program: String,
    /// Checker play decisions with figures.
    pub plays: usize,
    /// Cube decisions with figures, including decisions not to double.
    pub cubes: usize,
    /// Equity lost by plays, left and right.
    pub play_errors: [f64; 2],
    /// Equity lost by cube decisions, left and right. `None` if the figures are match winning chances, which
    /// cannot be added to points.
    pub cube_errors: Option<[f64; 2]>,
    /// Luck of the rolls, left and right, if the file contains any.
    pub luck: Option<[f64; 2]>,
}

/// The figures of a game.
#[derive(Clone, Debug, Serialize)]
pub struct GameSummary {
    /// Number in the file.
    pub game: u32,
    /// The score before the game, left and right.
    pub score: [u16; 2],
    pub crawford: bool,
    /// Rolls, including dances and rolls with unknown plays.
    pub rolls: usize,
    /// Doubles offered.
    pub doubles: usize,
    /// Doubles taken; a beaver is also a take.
    pub takes: usize,
    /// Doubles passed.
    pub passes: usize,
    /// `left` or `right`, if the game has a result.
    pub winner: Option<&'static str>,
    /// The points of the result line, or else the computed points.
    pub points: Option<u32>,
    /// The computed points.
    #[serde(skip)]
    pub counted: Option<u32>,
    /// GNUBG position ID after the last known play or dance, seen by the player who would move next.
    pub final_position_id: String,
    /// The game was read completely, from its start to a result.
    pub complete: bool,
    /// Totals of the imported analysis.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub analysis: Option<AnalysisSummary>,
}

/// Returns the further facts of the head of a match, in words.
fn head(record: &Match) -> Vec<String> {
    let named = [(DATE, ""), (EVENT, ""), (ROUND, "round "), (PLACE, "")];
    let tag = |(names, word): (&[&str], &str)| {
        let found = record.tag(names).filter(|value| !value.is_empty());
        found.map(|value| format!("{word}{value}"))
    };
    let is_money = record.length == 0 && !record.games.is_empty();
    let rules = is_money.then(|| record.rules.money_words());
    named.into_iter().filter_map(tag).chain(rules).collect()
}

impl MatchSummary {
    /// Summarises a match.
    pub fn new(record: &Match) -> Self {
        let path = record.path.as_ref();
        Self {
            file: path.map(|path| path.display().to_string()),
            format: record.format,
            encoding: record.encoding,
            length: record.length,
            players: record.players.clone(),
            head: head(record),
            games: record
                .games
                .iter()
                .enumerate()
                .map(|(i, game)| GameSummary::new(record, i, game))
                .collect(),
            positions: record.positions.iter().map(PositionSummary::new).collect(),
            others: record.others.iter().map(Self::new).collect(),
            warnings: record.warnings.clone(),
        }
    }
}

impl GameSummary {
    fn new(record: &Match, index: usize, game: &Game) -> Self {
        let count = |is_counted: fn(&Action) -> bool| {
            game.events
                .iter()
                .filter(|event| is_counted(&event.action))
                .count()
        };
        Self {
            game: game.number,
            score: game.score,
            crawford: game.crawford,
            rolls: count(|a| a.roll().is_some()),
            doubles: count(|a| matches!(a, Action::Double { .. })),
            takes: count(|a| matches!(a, Action::Take | Action::Beaver { .. })),
            passes: count(|a| matches!(a, Action::Pass)),
            winner: game.result.map(|result| match result.winner {
                Player::Left => "left",
                Player::Right => "right",
            }),
            counted: game.result.map(|result| result.points),
            points: (game.points_written).or(game.result.map(|result| result.points)),
            final_position_id: position_id(&next_to_move(record, game)),
            complete: record.is_complete(game),
            analysis: AnalysisSummary::new(record, index),
        }
    }
}

impl PositionSummary {
    fn new(lone: &LonePosition) -> Self {
        let position = &lone.state.position;
        let analysis = lone.analysis.as_ref();
        Self {
            line: lone.line,
            xgid: xgid_text(&lone.state),
            analysis: analysis.map(|analysis| *AnalysisForm::new(analysis, position)),
            comment: lone.comment.clone(),
        }
    }
}

impl AnalysisSummary {
    /// Returns the totals of a game, if any of its decisions were analysed.
    fn new(record: &Match, game: usize) -> Option<Self> {
        let mut sums = Self {
            cube_errors: Some([0.0; 2]),
            ..Self::default()
        };
        for (index, event) in record.games[game].events.iter().enumerate() {
            if let Some(analysis) = record.analyses.of(game, index) {
                sums.add(analysis, event.player);
            }
        }
        sums.play_errors = sums.play_errors.map(rounded);
        sums.cube_errors = sums.cube_errors.map(|sum| sum.map(rounded));
        sums.luck = sums.luck.map(|sum| sum.map(rounded));
        (!sums.program.is_empty()).then_some(sums)
    }

    fn add(&mut self, analysis: &Analysis, player: Player) {
        let side = player.index();
        self.program.clone_from(&analysis.program);
        self.plays += usize::from(!analysis.plays.is_empty());
        self.play_errors[side] += analysis.error.unwrap_or(0.0);
        if let Some(luck) = analysis.luck {
            self.luck.get_or_insert_default()[side] += luck;
        }
        if let Some(cube) = &analysis.cube {
            self.cubes += 1;
            let given = [cube.error, cube.answer_error];
            match &mut self.cube_errors {
                Some(errors) if cube.unit == CubeUnit::Points => {
                    errors[side] += given.iter().flatten().sum::<f64>();
                }
                _ => self.cube_errors = None,
            }
        }
    }
}

/// Returns the last board of a game, seen by the opponent of the player who moved last.
fn next_to_move(record: &Match, game: &Game) -> Position {
    let board = record.final_position(game);
    let last = game
        .events
        .iter()
        .rev()
        .find(|event| matches!(event.action, Action::Move { .. } | Action::Illegal { .. }));
    match last.map(|event| event.player) {
        Some(Player::Left) => board.flipped(),
        _ => board,
    }
}
