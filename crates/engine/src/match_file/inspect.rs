//! What was read of a file, game by game: for `luckless inspect`, and for checking a reader against
//! another.

use serde::Serialize;

use super::analysis::{Analysis, CubeUnit};
use super::json::{AnalysisForm, rounded};
use super::model::{Action, Game, LonePosition, Match, Warning};
use super::tag::{DATE, EVENT, PLACE, ROUND};
use crate::game::{Player, Position};
use crate::notation::{position_id, xgid_text};

/// A match in figures.
#[derive(Clone, Debug, Serialize)]
pub struct MatchSummary {
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
    /// What the head says besides, in words: day, event, round, place, rules of money play.
    #[serde(skip)]
    pub head: Vec<String>,
    pub games: Vec<GameSummary>,
    /// Positions that stand alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub positions: Vec<PositionSummary>,
    /// What was wrong.
    pub warnings: Vec<Warning>,
    /// Further matches of the same file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<MatchSummary>,
}

/// A position that stands alone.
#[derive(Clone, Debug, Serialize)]
pub struct PositionSummary {
    /// Line, from 1; 0 when unknown.
    pub line: u32,
    /// The position as an XGID, the player who decides at the bottom.
    pub xgid: String,
    /// What the file says of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub analysis: Option<AnalysisForm>,
    /// What the file remarks on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<Box<str>>,
}

/// What another program found out about a game, summed up.
#[derive(Clone, Debug, Default, Serialize)]
pub struct AnalysisSummary {
    pub program: String,
    /// Decisions about plays with figures.
    pub plays: usize,
    /// Decisions about the cube with figures, those not to double included.
    pub cubes: usize,
    /// Equity given away by plays, left and right.
    pub play_errors: [f64; 2],
    /// Equity given away by doubles, by not doubling and by answers; `None` where the file tells it in chances to win
    /// the match, which do not add up to points.
    pub cube_errors: Option<[f64; 2]>,
    /// Luck of the rolls, left and right, if the file tells any.
    pub luck: Option<[f64; 2]>,
}

/// A game in figures.
#[derive(Clone, Debug, Serialize)]
pub struct GameSummary {
    /// Its number as written.
    pub game: u32,
    /// The score before it, left and right.
    pub score: [u16; 2],
    /// Whether it is the Crawford game.
    pub crawford: bool,
    /// Rolls, with dances and rolls whose play is not known.
    pub rolls: usize,
    /// Doubles offered.
    pub doubles: usize,
    /// Doubles taken; a beaver is also a take.
    pub takes: usize,
    /// Doubles passed.
    pub passes: usize,
    /// `left` or `right`, if the game has a result.
    pub winner: Option<&'static str>,
    /// The points of the result as written, else as counted.
    pub points: Option<u32>,
    /// The points that count.
    #[serde(skip)]
    pub counted: Option<u32>,
    /// GNUBG position ID after the last known play or dance, seen by the player who would move
    /// next.
    pub final_position_id: String,
    /// Whether all of the game was read, from its start to a result.
    pub complete: bool,
    /// What another program that analysed the game found out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub analysis: Option<AnalysisSummary>,
}

/// What the head of a match says besides its players and length, in words.
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
    /// The figures of a match.
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
        let count = |which: fn(&Action) -> bool| {
            game.events
                .iter()
                .filter(|event| which(&event.action))
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
    /// The sums of a game, if anything of it was analysed.
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

/// The last board of a game, seen by the player after the one who moved last.
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
