//! A recorded match, independent of the format of its file.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;

pub use super::action::{Action, DecisionState};
use super::analysis::{Analyses, Analysis};
use super::place::EventPlace;
use super::variations::Variations;
use crate::game::{CubeOwner, GameState, Play, Player, Position, Rules};
use crate::notation::play_text;

/// A match or money session as it was recorded.
#[derive(Clone, Debug, Default)]
pub struct Match {
    pub path: Option<PathBuf>,
    /// Name of the file format, such as `mat`.
    pub format: &'static str,
    /// Name of the text encoding, such as `UTF-8`.
    pub encoding: &'static str,
    /// Points the match is played to; 0 for a money session.
    pub length: u16,
    /// Names of the left and the right player, free of control characters.
    pub players: [String; 2],
    /// The Crawford rule is in force; never in money play.
    pub crawford: bool,
    pub rules: Rules,
    /// Other entries of the head of the file: `("Event", "…")`, in order.
    pub tags: Vec<(String, String)>,
    pub games: Vec<Game>,
    /// Faults of the file, in order of place.
    pub warnings: Vec<Warning>,
    /// Imported analyses of the decisions.
    pub analyses: Analyses,
    /// Remarks on games and events, in order of place.
    pub comments: Vec<Comment>,
    /// Standalone positions, if the file is a list of positions rather than a match.
    pub positions: Vec<LonePosition>,
    /// Alternative actions, by place in [`Match::games`] and in [`Game::events`].
    pub variations: BTreeMap<EventPlace, Variations>,
    /// Further matches of the same file, in order.
    pub others: Vec<Match>,
}

/// A remark about a game or about one of its events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// Index in [`Match::games`].
    pub game: usize,
    /// Index in [`Game::events`]; `None` for a remark about the whole game.
    pub event: Option<usize>,
    /// The sanitised text; line feeds separate its lines.
    pub text: String,
}

/// A standalone position, without a match around it.
#[derive(Clone, Debug)]
pub struct LonePosition {
    /// The state, seen by the player to decide.
    pub state: GameState,
    /// Line of the file, from 1; 0 when unknown.
    pub line: u32,
    /// The sanitised names of the player to decide and of the opponent, if the file contains them.
    pub players: Option<Box<[String; 2]>>,
    /// The imported analysis of the position.
    pub analysis: Option<Analysis>,
    /// The sanitised remark on the position; line feeds separate its lines.
    pub comment: Option<Box<str>>,
    /// Possible continuations, starting at [`LonePosition::root`].
    pub variations: Option<Box<Variations>>,
}

impl LonePosition {
    /// Creates a position without names, analysis, remark and variations.
    pub fn new(state: GameState, line: u32) -> Self {
        Self {
            state,
            line,
            players: None,
            analysis: None,
            comment: None,
            variations: None,
        }
    }

    /// Returns the names, or `None` if both are empty or placeholders that programs write for unnamed
    /// players.
    pub(super) fn known_names(names: [String; 2]) -> Option<Box<[String; 2]>> {
        const NOBODY: [&str; 4] = ["player 1", "player 2", "player", "opponent"];
        let is_known = |name: &String| {
            !name.is_empty()
                && !NOBODY
                    .iter()
                    .any(|nobody| name.eq_ignore_ascii_case(nobody))
        };
        names.iter().any(is_known).then(|| Box::new(names))
    }

    /// Returns the decision at which the variations of a standalone position begin. The left player decides;
    /// event 1 marks it as later than the first roll of a game.
    pub fn root(state: &GameState) -> DecisionState {
        DecisionState {
            event: 1,
            player: Player::Left,
            state: state.before_roll(),
        }
    }
}

/// One game of a match.
#[derive(Clone, Debug)]
pub struct Game {
    /// Number in the file, from 1.
    pub number: u32,
    /// Points of the left and the right player before the game.
    pub score: [u16; 2],
    pub crawford: bool,
    /// Starting position, seen by the left player.
    pub start: Position,
    /// Value of the cube at the start: 1, unless the game was set up or had automatic doubles.
    pub cube: u32,
    /// Owner of the cube at the start: `None` unless the game was set up.
    pub owner: Option<Player>,
    pub events: Vec<Event>,
    pub result: Option<GameResult>,
    /// Points in the result line of the file, which some servers cap or misuse; [`GameResult::points`] is the
    /// true number. `None` if the format has no such line.
    pub points_written: Option<u32>,
    /// Events before the end are missing because the file contains something unreadable.
    pub is_cut: bool,
}

impl Default for Game {
    /// A first game from the opening position, without events.
    fn default() -> Self {
        Self {
            number: 1,
            score: [0; 2],
            crawford: false,
            start: Position::opening(),
            cube: 1,
            owner: None,
            events: Vec::new(),
            result: None,
            points_written: None,
            is_cut: false,
        }
    }
}

/// The winner of a game and the points won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameResult {
    pub winner: Player,
    /// Points won, cube included.
    pub points: u32,
}

impl GameResult {
    /// Returns the result shown by a board (seen by the left player) with this cube value and owner, once a
    /// player has borne off all checkers.
    pub(super) fn on_board(
        left: &Position,
        (cube, owner): (u32, Option<Player>),
        rules: Rules,
    ) -> Option<Self> {
        let points = left.points()?;
        let winner = match points > 0 {
            true => Player::Left,
            false => Player::Right,
        };
        let times = rules.times_cube(points, CubeOwner::seen_by(owner, winner));
        let points = times.saturating_mul(cube);
        Some(Self { winner, points })
    }
}

/// Returns the score after a game that begins at `score`.
pub fn score_after(mut score: [u16; 2], result: Option<GameResult>) -> [u16; 2] {
    if let Some(GameResult { winner, points }) = result {
        let mine = &mut score[winner.index()];
        *mine = mine.saturating_add(points.min(u32::from(u16::MAX)) as u16);
    }
    score
}

/// One action of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The player who acts.
    pub player: Player,
    pub action: Action,
    /// Line of the file, from 1; 0 when unknown.
    pub line: u32,
}

/// A fault in a file. Reading continues after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// Line, from 1; 0 in a binary file.
    pub line: u32,
    /// Column, from 1; 0 in a binary file.
    pub column: u32,
    /// Byte offset in a binary file, from 0, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// Indices of the game and the event that the warning is about, if it concerns one event.
    #[serde(skip)]
    pub turn: Option<EventPlace>,
    /// The content that was found and the content that was expected, in one line without control characters.
    pub message: String,
}

/// Describes an illegal play from `position` to `after`: by its steps if four checker moves explain it.
pub fn illegal_text(position: &Position, after: &Position) -> String {
    match Play::between(position, after) {
        Some(play) => format!("illegal: {}", play_text(position, &play)),
        None => "an illegal play".to_owned(),
    }
}

impl Warning {
    /// Returns the message after its place, if known: `line 3, column 7: …` or `byte 8232: …`.
    pub fn with_place(&self) -> String {
        match (self.offset, self.line) {
            (Some(byte), _) => format!("byte {byte}: {}", self.message),
            (None, 0) => self.message.clone(),
            (None, line) => format!("line {line}, column {}: {}", self.column, self.message),
        }
    }

    /// Returns place and message as they follow the name of a file and a colon: `3:7: …`, `byte 8232: …`, or
    /// a blank and the message.
    pub fn behind_file_name(&self) -> String {
        match (self.offset, self.line) {
            (Some(_), _) => self.with_place(),
            (None, 0) => format!(" {}", self.message),
            (None, line) => format!("{line}:{}: {}", self.column, self.message),
        }
    }
}

impl Match {
    /// Names of unnamed players of a standalone position.
    pub const UNNAMED: [&str; 2] = ["player 1", "player 2"];

    /// Iterates over this match and the further matches of the file that contain games.
    pub fn played(&self) -> impl Iterator<Item = &Self> {
        let all = std::iter::once(self).chain(&self.others);
        all.filter(|one| !one.games.is_empty())
    }

    /// Returns the rules of the games, including whether the Crawford rule applies.
    pub fn rules_in_force(&self) -> Rules {
        self.rules.in_force(self.length, self.crawford)
    }

    /// Returns the names of `player` and of the opponent, if known.
    pub(super) fn names(&self, player: Player) -> Option<Box<[String; 2]>> {
        let names = [player, player.other()].map(|player| self.players[player.index()].clone());
        LonePosition::known_names(names)
    }

    /// Iterates over the standalone positions of the file, including those of further matches.
    pub fn lone_positions(&self) -> impl Iterator<Item = &LonePosition> {
        let all = std::iter::once(self).chain(&self.others);
        all.flat_map(|one| &one.positions)
    }

    /// Iterates over the warnings of the file, including those of further matches.
    pub fn all_warnings(&self) -> impl Iterator<Item = &Warning> {
        let all = std::iter::once(self).chain(&self.others);
        all.flat_map(|one| &one.warnings)
    }

    /// Switches the Crawford rule off, overriding the file, also in standalone positions and in further
    /// matches.
    pub fn remove_crawford_rule(&mut self) {
        self.crawford = false;
        self.games.iter_mut().for_each(|game| game.crawford = false);
        for LonePosition { state, .. } in &mut self.positions {
            *state = state.without_crawford_rule();
        }
        self.others.iter_mut().for_each(Self::remove_crawford_rule);
    }

    /// Returns the decisions of `game` in order: the state before each event. The state before an
    /// [`Action::Move`] has its dice set.
    ///
    /// In games from a reader each [`Action::Move`] is legal. An impossible play moves those checkers that
    /// can move.
    pub fn decision_states(&self, game: &Game) -> Vec<DecisionState> {
        let mut replay = EventReplay::new(self, game);
        game.events
            .iter()
            .enumerate()
            .map(|(i, event)| replay.step(i, event))
            .collect()
    }

    /// Returns the first decision of `game`, before the roll, if `player` begins.
    pub fn first_decision(&self, game: &Game, player: Player) -> DecisionState {
        DecisionState {
            event: 0,
            player,
            state: EventReplay::new(self, game).state(player),
        }
    }

    /// Returns whether `game` was recorded to its end: it has a result, and its last event or position ends
    /// the game (borne off, passed or resigned).
    pub fn is_complete(&self, game: &Game) -> bool {
        let last = game.events.last().map(|event| event.action);
        let ended = matches!(last, Some(Action::Pass | Action::Resign))
            || self.final_position(game).is_over();
        game.result.is_some() && ended
    }

    /// Returns the score after the last game with a result, left and right. If all games of a money session
    /// begin at 0–0, the score is the sum of the games.
    pub fn final_score(&self) -> [u32; 2] {
        let is_sum = self.length == 0 && self.games.iter().all(|game| game.score == [0, 0]);
        let from = match is_sum {
            true => 0,
            false => self.games.len().saturating_sub(1),
        };
        let games = &self.games[from..];
        let mut score = games
            .first()
            .map_or([0; 2], |game| game.score.map(u32::from));
        for result in games.iter().filter_map(|game| game.result) {
            let points = &mut score[result.winner.index()];
            *points = points.saturating_add(result.points);
        }
        score
    }

    /// Returns the position after the last event of `game`, seen by the left player.
    pub fn final_position(&self, game: &Game) -> Position {
        EventReplay::to_the_end(self, game).left
    }

    /// Recomputes the results of games that were borne off, after a change of the rules. Scores that followed
    /// from the old results are updated.
    pub(super) fn count_results(&mut self) {
        let follows = |pair: &[Game]| score_after(pair[0].score, pair[0].result) == pair[1].score;
        let followed: Vec<bool> = self.games.windows(2).map(follows).collect();
        for index in 0..self.games.len() {
            if let Some(result) = self.result_on_board(&self.games[index]) {
                let game = &mut self.games[index];
                // The written points belong to the old rules.
                let is_same = game.result == Some(result);
                game.points_written = game.points_written.filter(|_| is_same);
                game.result = Some(result);
            }
            if followed.get(index) == Some(&true) {
                let game = &self.games[index];
                self.games[index + 1].score = score_after(game.score, game.result);
            }
        }
    }

    /// Returns the result that the last board of `game` and the cube show, if a player has borne off.
    fn result_on_board(&self, game: &Game) -> Option<GameResult> {
        let end = EventReplay::to_the_end(self, game);
        GameResult::on_board(&end.left, (end.cube, end.owner), self.rules_in_force())
    }
}

/// Replays a game event by event.
struct EventReplay<'a> {
    record: &'a Match,
    game: &'a Game,
    left: Position,
    cube: u32,
    owner: Option<Player>,
    /// The value of the offered cube, while the double is unanswered.
    offered: Option<u32>,
}

impl<'a> EventReplay<'a> {
    fn new(record: &'a Match, game: &'a Game) -> Self {
        Self {
            record,
            game,
            left: game.start,
            cube: game.cube,
            owner: game.owner,
            offered: None,
        }
    }

    /// Replays all events of a game.
    fn to_the_end(record: &'a Match, game: &'a Game) -> Self {
        let mut replay = Self::new(record, game);
        for (i, event) in game.events.iter().enumerate() {
            replay.step(i, event);
        }
        replay
    }

    fn step(&mut self, index: usize, event: &Event) -> DecisionState {
        let player = event.player;
        let mut state = self.state(player);
        match event.action {
            Action::Move { roll, play } => {
                state.roll = Some(roll);
                self.move_to(player, play.apply(&state.position));
            }
            Action::Hidden { roll } => state.roll = Some(roll),
            Action::Illegal { roll, after } => {
                state.roll = Some(roll);
                self.move_to(player, after);
            }
            Action::Double { to } => self.offered = Some(to),
            Action::Take => {
                self.cube = self.offered.take().unwrap_or(self.cube * 2);
                self.owner = Some(player);
            }
            Action::Beaver { to } => {
                self.offered = None;
                self.cube = to;
                self.owner = Some(player);
            }
            Action::Pass | Action::Resign => {}
        }
        DecisionState {
            event: index,
            player,
            state,
        }
    }

    /// Returns the state before a roll of `player`.
    fn state(&self, player: Player) -> GameState {
        use crate::game::MatchScore;
        let (me, them) = (player.index(), player.other().index());
        GameState {
            position: player.turned(self.left),
            cube: self.cube,
            owner: CubeOwner::seen_by(self.owner, player),
            score: MatchScore {
                length: self.record.length,
                mover: self.game.score[me],
                opponent: self.game.score[them],
                crawford: self.game.crawford,
            },
            rules: self.record.rules_in_force(),
            roll: None,
            doubled: self.offered.is_some(),
        }
    }

    /// Sets the board to `after`, which is seen by the opponent of `player`.
    fn move_to(&mut self, player: Player, after: Position) {
        self.left = player.other().turned(after);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::MatchScore;

    #[test]
    fn the_crawford_rule_can_be_taken_out_of_force() {
        let mut state = GameState::money(Position::opening());
        state.score = MatchScore {
            length: 5,
            mover: 4,
            opponent: 2,
            crawford: true,
        };
        let one = Match {
            length: 5,
            crawford: true,
            games: vec![Game {
                score: [4, 2],
                crawford: true,
                ..Game::default()
            }],
            positions: vec![LonePosition::new(state, 0)],
            ..Match::default()
        };
        let mut record = Match {
            others: vec![one.clone()],
            ..one
        };
        assert!(!record.rules_in_force().no_crawford);
        record.remove_crawford_rule();
        for one in [&record, &record.others[0]] {
            assert!(one.rules_in_force().no_crawford && !one.games[0].crawford);
            let state = one.positions[0].state;
            assert!(state.rules.no_crawford && !state.score.crawford);
        }
        // Money play has no Crawford rule.
        record.length = 0;
        assert_eq!(record.rules_in_force(), Rules::default());
    }
}
