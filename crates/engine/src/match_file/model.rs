//! A recorded match, whatever file it came from.

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
    /// Where it was read from.
    pub path: Option<PathBuf>,
    /// Name of the file format, such as `mat`.
    pub format: &'static str,
    /// Name of the text encoding, such as `UTF-8`.
    pub encoding: &'static str,
    /// Points the match is played to; 0 for a money session.
    pub length: u16,
    /// Names of the left and the right player, free of control characters.
    pub players: [String; 2],
    /// Whether the Crawford rule is in force; never in money play.
    pub crawford: bool,
    /// Money rules.
    pub rules: Rules,
    /// What else the head of the file said: `("Event", "…")`, in order.
    pub tags: Vec<(String, String)>,
    /// The games, in order.
    pub games: Vec<Game>,
    /// What was wrong with the file, in order of place.
    pub warnings: Vec<Warning>,
    /// What other programs that analysed the match made of its decisions.
    pub analyses: Analyses,
    /// What people wrote beside the games, in order of place.
    pub comments: Vec<Comment>,
    /// Positions that stand alone, of a file that is a list of them and no match.
    pub positions: Vec<LonePosition>,
    /// What might have been done instead, by place in [`Match::games`] and in [`Game::events`].
    pub variations: BTreeMap<EventPlace, Variations>,
    /// Further matches of the same file, in order.
    pub others: Vec<Match>,
}

/// A remark about a game or about one of its events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// Place in [`Match::games`].
    pub game: usize,
    /// Place in [`Game::events`]; `None` for a remark about the game.
    pub event: Option<usize>,
    /// The text, clean; line feeds divide its lines.
    pub text: String,
}

/// A position without a match around it.
#[derive(Clone, Debug)]
pub struct LonePosition {
    /// The state, seen by the player whose decision it is.
    pub state: GameState,
    /// Line of the file, from 1; 0 when unknown.
    pub line: u32,
    /// The names, clean, of the player whose decision it is and of the other, where the file has them.
    pub players: Option<Box<[String; 2]>>,
    /// What the file says of its worth.
    pub analysis: Option<Analysis>,
    /// What people wrote beside it, clean; line feeds divide its lines.
    pub comment: Option<Box<str>>,
    /// What might be done in it, from [`LonePosition::root`].
    pub variations: Option<Box<Variations>>,
}

impl LonePosition {
    /// A position of which nothing else is known.
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

    /// Names as they are kept: none where they say nothing, as what programs write for players who have no names does.
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

    /// The decision at which the variations of a lone position begin: the left player decides, and it is no
    /// first roll of a game.
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
    /// Number as written, from 1.
    pub number: u32,
    /// Points of the left and the right player before it.
    pub score: [u16; 2],
    /// Whether this is the Crawford game.
    pub crawford: bool,
    /// Where it starts, seen by the left player.
    pub start: Position,
    /// Value of the cube at the start: 1, unless the game was set up or had automatic doubles.
    pub cube: u32,
    /// Who owns the cube at the start: nobody, unless the game was set up.
    pub owner: Option<Player>,
    /// What happened, in order.
    pub events: Vec<Event>,
    /// How it ended, if it did.
    pub result: Option<GameResult>,
    /// Points of its result line exactly as written, which some servers cap or misuse;
    /// [`GameResult::points`] is what they mean. None where the format has no such line.
    pub points_written: Option<u32>,
    /// Whether events before its end are missing: something in the file could not be carried out.
    pub is_cut: bool,
}

impl Default for Game {
    /// A first game from the opening in which nothing has happened.
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

/// Who won a game and how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameResult {
    pub winner: Player,
    /// Points won, cube included.
    pub points: u32,
}

impl GameResult {
    /// What a board (seen by the left player) is worth on a cube of this value and owner, once a player has borne off.
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

/// The score after a game that begins at `score`.
pub fn score_after(mut score: [u16; 2], result: Option<GameResult>) -> [u16; 2] {
    if let Some(GameResult { winner, points }) = result {
        let mine = &mut score[winner.index()];
        *mine = mine.saturating_add(points.min(u32::from(u16::MAX)) as u16);
    }
    score
}

/// One thing a player did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The player who acts.
    pub player: Player,
    pub action: Action,
    /// Line of the file, from 1; 0 when unknown.
    pub line: u32,
}

/// Something in a file that is not as it should be. The rest was read all the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// Line, from 1; 0 in a binary file.
    pub line: u32,
    /// Column, from 1; 0 in a binary file.
    pub column: u32,
    /// Byte of a binary file, from 0, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// Game and event that it is about, both places in the match's lists, where it is one.
    #[serde(skip)]
    pub turn: Option<EventPlace>,
    /// What was found and what was expected, in one line without control characters.
    pub message: String,
}

/// An illegal play in words, made in `position` and followed by `after`: its steps where four
/// checkers' moves explain it.
pub fn illegal_text(position: &Position, after: &Position) -> String {
    match Play::between(position, after) {
        Some(play) => format!("illegal: {}", play_text(position, &play)),
        None => "an illegal play".to_owned(),
    }
}

impl Warning {
    /// The message behind its place, if that is known: `line 3, column 7: …` or `byte 8232: …`.
    pub fn with_place(&self) -> String {
        match (self.offset, self.line) {
            (Some(byte), _) => format!("byte {byte}: {}", self.message),
            (None, 0) => self.message.clone(),
            (None, line) => format!("line {line}, column {}: {}", self.column, self.message),
        }
    }

    /// The message and its place as they stand behind the name of a file and a colon: `3:7: …`,
    /// `byte 8232: …`, or the message behind a blank.
    pub fn behind_file_name(&self) -> String {
        match (self.offset, self.line) {
            (Some(_), _) => self.with_place(),
            (None, 0) => format!(" {}", self.message),
            (None, line) => format!("{line}:{}: {}", self.column, self.message),
        }
    }
}

impl Match {
    /// What players without names are called where a position stands alone.
    pub const UNNAMED: [&str; 2] = ["player 1", "player 2"];

    /// The matches of the file that have games, this one and those behind it.
    pub fn played(&self) -> impl Iterator<Item = &Self> {
        let all = std::iter::once(self).chain(&self.others);
        all.filter(|one| !one.games.is_empty())
    }

    /// The rules of its games, the switch of the Crawford rule among them.
    pub fn rules_in_force(&self) -> Rules {
        self.rules.in_force(self.length, self.crawford)
    }

    /// The names of a player and of the other, where they are known.
    pub(super) fn names(&self, player: Player) -> Option<Box<[String; 2]>> {
        let names = [player, player.other()].map(|player| self.players[player.index()].clone());
        LonePosition::known_names(names)
    }

    /// The positions that stand alone, of further matches too.
    pub fn lone_positions(&self) -> impl Iterator<Item = &LonePosition> {
        let all = std::iter::once(self).chain(&self.others);
        all.flat_map(|one| &one.positions)
    }

    /// What could not be read, of further matches too.
    pub fn all_warnings(&self) -> impl Iterator<Item = &Warning> {
        let all = std::iter::once(self).chain(&self.others);
        all.flat_map(|one| &one.warnings)
    }

    /// Takes the Crawford rule out of force, whatever the file says, also in positions that stand alone and
    /// in further matches.
    pub fn remove_crawford_rule(&mut self) {
        self.crawford = false;
        self.games.iter_mut().for_each(|game| game.crawford = false);
        for LonePosition { state, .. } in &mut self.positions {
            *state = state.without_crawford_rule();
        }
        self.others.iter_mut().for_each(Self::remove_crawford_rule);
    }

    /// The decisions of game `game`, in order: the state before each event. One before a
    /// [`Action::Move`] has its dice set.
    ///
    /// Games that a reader has built replay without fault: each [`Action::Move`] is legal. A play
    /// that cannot be carried out moves what it can.
    pub fn decision_states(&self, game: &Game) -> Vec<DecisionState> {
        let mut replay = EventReplay::new(self, game);
        game.events
            .iter()
            .enumerate()
            .map(|(i, event)| replay.step(i, event))
            .collect()
    }

    /// The first decision of `game`, before its roll, if `player` begins.
    pub fn first_decision(&self, game: &Game, player: Player) -> DecisionState {
        DecisionState {
            event: 0,
            player,
            state: EventReplay::new(self, game).state(player),
        }
    }

    /// Whether `game` was recorded to its end: it has a result, and its events lead there (borne
    /// off, passed or resigned).
    pub fn is_complete(&self, game: &Game) -> bool {
        let last = game.events.last().map(|event| event.action);
        let ended = matches!(last, Some(Action::Pass | Action::Resign))
            || self.final_position(game).is_over();
        game.result.is_some() && ended
    }

    /// The score after the last game with a result, left and right. A money session whose games all begin at
    /// 0–0 has none: its score is the sum of its games.
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

    /// The position after the last event of `game`, seen by the left player.
    pub fn final_position(&self, game: &Game) -> Position {
        EventReplay::to_the_end(self, game).left
    }

    /// Counts the games anew that were borne off, after a change of the rules. Scores that followed from the results go
    /// on following from them.
    pub(super) fn count_results(&mut self) {
        let follows = |pair: &[Game]| score_after(pair[0].score, pair[0].result) == pair[1].score;
        let followed: Vec<bool> = self.games.windows(2).map(follows).collect();
        for index in 0..self.games.len() {
            if let Some(result) = self.result_on_board(&self.games[index]) {
                let game = &mut self.games[index];
                // What was written was by the other rule.
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

    /// What the last board of `game` and the cube are worth, if one player has borne off.
    fn result_on_board(&self, game: &Game) -> Option<GameResult> {
        let end = EventReplay::to_the_end(self, game);
        GameResult::on_board(&end.left, (end.cube, end.owner), self.rules_in_force())
    }
}

/// Carries a game out event by event.
struct EventReplay<'a> {
    record: &'a Match,
    game: &'a Game,
    /// The board seen by the left player.
    left: Position,
    cube: u32,
    owner: Option<Player>,
    /// The value of the cube offered, while unanswered.
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

    /// What a game has come to.
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

    /// The state before a roll of `player`.
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

    /// `after` is seen by the opponent of `player`.
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
        // Money play has no such rule.
        record.length = 0;
        assert_eq!(record.rules_in_force(), Rules::default());
    }
}
