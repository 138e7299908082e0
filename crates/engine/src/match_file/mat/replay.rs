//! Replays the cells of a game on a board.
//!
//! Programs omit obvious parts: stars, forced plays, answers, the right column. The rules of the game restore
//! nearly all of them. Nothing is guessed: if the rules do not decide, the game is cut with a warning that
//! lists the legal plays, and its result still counts. An illegal play is stored with the game before it, so
//! that `readings` can try alternatives.

use std::sync::Arc;

use super::cells::{CellKind, WIDE_GAP, says_given_up, says_illegal, without_mark};
use super::place::Placed;
use super::result::{Ending, GameHead, called, settle};
use crate::game::{Play, PlayList, Player, Position, Roll};
use crate::match_file::cube::GameCube;
use crate::match_file::model::{Action, Event, GameResult, Warning};
use crate::match_file::snowie;
use crate::match_file::text::quote;
use crate::match_file::variations::is_start;
use crate::match_file::warnings::{FIRST_DOUBLE, FilePlace, LET_STAND, MOST_WARNINGS};
use crate::notation::PlayError;
use crate::notation::WrittenPlay;
use crate::notation::written::Resolved;

const TWICE: &str = "plays twice in a row; a line may be missing";

/// A replayed game.
#[derive(Default)]
pub(super) struct ReplayedGame {
    pub(super) events: Vec<Event>,
    pub(super) warnings: Vec<Warning>,
    pub(super) result: Option<GameResult>,
    pub(super) points_written: Option<u32>,
    pub(super) is_cut: bool,
    /// Value of the cube at the start.
    pub(super) cube: u32,
    /// The next score follows the Jacoby rule; `None` if it does not show that.
    pub(super) by_jacoby: Option<bool>,
    /// Value of the cube at the start, if only the next score includes it.
    pub(super) automatic: Option<u32>,
}

/// A play with several readings.
#[derive(Clone, Copy)]
pub(super) struct Doubt {
    pub(super) cell: usize,
    pub(super) others: usize,
    pub(super) certain: bool,
}

/// A play that is illegal or unreadable.
pub(super) struct Fault<'a> {
    /// The game up to the roll.
    pub(super) before: TextReplay<'a>,
    pub(super) cell: usize,
    pub(super) player: Player,
    pub(super) roll: Roll,
    /// The play as written, if it is readable.
    pub(super) written: Option<WrittenPlay>,
    /// Column in the line and error message.
    pub(super) error: (usize, String),
}

impl Fault<'_> {
    /// Returns whether the written play is a pass.
    pub(super) fn is_pass(&self) -> bool {
        self.written.as_ref().is_some_and(WrittenPlay::is_empty)
    }
}

#[derive(Clone)]
pub(super) struct TextReplay<'a> {
    pub(super) head: &'a GameHead<'a>,
    /// The cell to be read differently, and the number of the alternative.
    choice: Option<(usize, usize)>,
    left: Position,
    pub(super) turn: Option<Player>,
    pub(super) cube: GameCube,
    /// A roll without a known play and its player; an error unless the game ends there.
    hidden: Option<(Placed<'a>, Player)>,
    pub(super) events: Vec<Event>,
    warnings: Vec<Warning>,
    pub(super) ending: Ending,
    pub(super) cut: bool,
    /// A cell other than a result follows the end of the game.
    pub(super) goes_beyond: bool,
    pub(super) doubts: Vec<Doubt>,
    /// The first illegal play, if one cut the game.
    pub(super) fault: Option<Arc<Fault<'a>>>,
    /// Number of cells carried out.
    pub(super) carried_out: usize,
    /// Line and column of the last cell.
    last: (u32, u32),
    list: PlayList,
}

impl<'a> TextReplay<'a> {
    pub(super) fn new(head: &'a GameHead<'a>, choice: Option<(usize, usize)>) -> Self {
        Self {
            head,
            choice,
            left: head.start.board,
            turn: None,
            cube: GameCube::new(head.start.cube, head.start.owner),
            hidden: None,
            events: Vec::new(),
            warnings: Vec::new(),
            ending: Ending::default(),
            cut: false,
            goes_beyond: false,
            fault: None,
            carried_out: 0,
            doubts: Vec::new(),
            last: (head.line, 1),
            list: PlayList::new(),
        }
    }

    /// Carries out the cells from index `from` on.
    pub(super) fn run(&mut self, cells: &[Placed<'a>], from: usize) {
        for (i, cell) in cells.iter().enumerate().skip(from) {
            self.carried_out += usize::from(!self.cut);
            self.last = (cell.line, cell.cell.column as u32 + 1);
            match &cell.cell.kind {
                CellKind::Wins { points } => self.ending.wins(cell.side, *points, cell.line),
                CellKind::Losses => self.ending.loses(cell.side, cell.line),
                _ if self.cut => {}
                _ if self.is_over() => {
                    self.warn(cell, "the game is over; what follows is not read");
                    self.goes_beyond = true;
                    self.only_results(&cells[i + 1..]);
                    break;
                }
                CellKind::Roll { .. } if is_resignation(cells, i) => {
                    self.warn(
                        cell,
                        "the last roll and play once more: it is a resignation",
                    );
                    self.ending.resigned = true;
                    self.ending.loses(cell.side, cell.line);
                }
                CellKind::Roll { .. } if self.misses_roll(cells, i) => {}
                CellKind::Roll { dice, body } => self.roll(i, cell, *dice, body),
                CellKind::BadRoll { text } => {
                    self.answer_missing(cell);
                    let message = format!(
                        "'{}' is not understood: expected a roll such as 31: 8/5 6/5",
                        quote(text)
                    );
                    self.cut_of(cell, self.side(cell), &message);
                }
                CellKind::Double { to } => self.double(cell, *to, &cells[i + 1..]),
                CellKind::Take => self.take(cell),
                CellKind::Pass => self.pass(cell),
                CellKind::Beaver => self.beaver(cell),
                CellKind::Raccoon => self.raccoon(cell),
                CellKind::Resign => {
                    self.ending.resigned = true;
                    self.ending.loses(cell.side, cell.line);
                }
            }
        }
    }

    fn only_results(&mut self, cells: &[Placed<'a>]) {
        for cell in cells {
            match &cell.cell.kind {
                CellKind::Wins { points } => self.ending.wins(cell.side, *points, cell.line),
                CellKind::Losses => self.ending.loses(cell.side, cell.line),
                _ => {}
            }
        }
    }

    /// Returns whether the written winner, if any, agrees with the player who has borne off, if any.
    pub(super) fn agrees_with_result(&self) -> bool {
        let result = GameResult::on_board(&self.left, (1, None), self.head.rules);
        let written = self.ending.winner();
        result.is_none_or(|result| written.is_none_or(|winner| winner == result.winner))
    }

    fn is_over(&self) -> bool {
        self.left.is_over() || self.ending.passed.is_some() || self.ending.is_written()
    }

    pub(super) fn finish(mut self) -> ReplayedGame {
        self.ending.left = self.left;
        self.ending.cube = self.cube;
        self.ending.cut = self.cut;
        let settled = settle(&self.ending, self.head);
        let line = self.ending.line().or(self.events.last().map(|e| e.line));
        let line = line.unwrap_or(0);
        // A game without a result breaks off at its last cell.
        let (at, column) = match settled.result {
            None => self.last,
            Some(_) => (line, 1),
        };
        for message in settled.warnings {
            let message = format!("game {}: {message}", self.head.number);
            let place = FilePlace::line(at, column);
            self.warnings.push(Warning::at(place, message));
        }
        if let Some((player, action)) = settled.last_event {
            self.events.push(Event {
                player,
                action,
                line,
            });
        }
        ReplayedGame {
            events: self.events,
            warnings: self.warnings,
            result: settled.result,
            points_written: self.ending.points_written(),
            is_cut: self.cut,
            cube: self.cube.begun_at,
            by_jacoby: settled.by_jacoby,
            automatic: settled.automatic,
        }
    }

    pub(super) fn push(&mut self, cell: &Placed<'_>, player: Player, action: Action) {
        self.events.push(Event {
            player,
            action,
            line: cell.line,
        });
    }

    pub(super) fn warn(&mut self, cell: &Placed<'_>, message: &str) {
        self.warn_of(cell, cell.side, message);
    }

    /// Adds a warning at a cell about a player.
    pub(super) fn warn_of(&mut self, cell: &Placed<'_>, player: Player, message: &str) {
        self.warn_at(cell, cell.cell.column, player, message);
    }

    pub(super) fn warn_at(
        &mut self,
        cell: &Placed<'_>,
        column: usize,
        player: Player,
        message: &str,
    ) {
        // Warnings are copied with the game for every reading.
        if self.warnings.len() >= MOST_WARNINGS {
            return;
        }
        let row = cell.row.map_or(String::new(), |row| format!("row {row}, "));
        let name = called(self.head.names, player);
        // The event of the cell may already exist, or is the next one.
        let last = self.events.last();
        let is_in = last.is_some_and(|e| e.line == cell.line && e.player == player);
        let event = self.events.len() - usize::from(is_in);
        let place = FilePlace::line(cell.line, column as u32 + 1);
        let message = format!("game {}, {row}{name}: {message}", self.head.number);
        self.warnings.push(Warning {
            // The index of the game is set later.
            turn: Some((0, event)),
            ..Warning::at(place, message)
        });
    }

    /// Stops reading the game at this cell.
    pub(super) fn cut_of(&mut self, cell: &Placed<'_>, player: Player, message: &str) {
        self.cut_at(cell, cell.cell.column, player, message);
    }

    fn cut_at(&mut self, cell: &Placed<'_>, column: usize, player: Player, message: &str) {
        let message = format!("{message}; the rest of the game is not read");
        self.warn_at(cell, column, player, &message);
        self.cut = true;
    }

    /// Returns whether a game from a usual starting position has no events yet.
    pub(super) fn is_at_start(&self) -> bool {
        self.events.is_empty() && is_start(&self.left)
    }

    pub(super) fn seen_by(&self, player: Player) -> Position {
        player.turned(self.left)
    }

    fn roll(&mut self, index: usize, cell: &Placed<'a>, dice: [u8; 2], body: &str) {
        if dice == [0, 0] {
            self.ending.resigned = true;
            return;
        }
        let Some(roll) = Roll::new(dice[0], dice[1]) else {
            let message = format!("{}{}: expected two dice from 1 to 6", dice[0], dice[1]);
            self.cut_of(cell, self.side(cell), &message);
            return;
        };
        if self.is_at_start() && roll.is_double() {
            self.warn(cell, FIRST_DOUBLE);
        }
        if let Some((hidden, player)) = self.hidden.take() {
            let message = "what was played is not known; the game goes on without it";
            self.warn_of(&hidden, player, message);
        }
        self.answer_missing(cell);
        let body = without_mark(body).unwrap_or(body);
        let lower = body.to_ascii_lowercase();
        if is_hidden(&lower) {
            self.ending.resigned = true;
            self.hide(cell, self.side(cell), roll);
        } else if says_illegal(body) {
            let player = self.side(cell);
            let position = self.seen_by(player);
            if let Some(after) = self.board_after_illegal_play(player, &position, body) {
                self.add_illegal_play(cell, player, roll, after);
                return;
            }
            let message = format!("{roll}: {LET_STAND}");
            self.cut_of(cell, player, &message);
            self.push(cell, player, Action::Hidden { roll });
        } else {
            match self.parse(cell, body) {
                Ok(written) if written.is_empty() && !body.contains(char::is_alphabetic) => {
                    self.unwritten(cell, roll);
                }
                Ok(written) => self.written(index, cell, roll, &written, body),
                Err(error) => self.unreadable(index, cell, roll, body, &error),
            }
        }
    }

    /// Returns whether the other player's preceding roll is missing, and then cuts the game. A roll may be
    /// missing if that player was closed out, because some programs write nothing then.
    fn misses_roll(&mut self, cells: &[Placed<'a>], index: usize) -> bool {
        let cell = &cells[index];
        let Some(turn) = self.turn.filter(|&turn| cell.is_plain && turn != cell.side) else {
            return false;
        };
        let position = self.seen_by(turn);
        if position.mover.bar() > 0 && (1..=6).all(|p| position.opponent.at(p) > 1) {
            self.turn = Some(cell.side);
            self.warn(cell, TWICE);
            return false;
        }
        // A missing roll of the right column belongs to the row before.
        let before = index.checked_sub(1).filter(|_| cell.is_left());
        let at = before.map_or(*cell, |before| cells[before]);
        self.cut_of(&at, turn, "the roll is missing");
        true
    }

    /// Returns the position in brackets after an illegal play, seen by the next player. It is one play away
    /// from `position`, or else the names determine the side.
    fn board_after_illegal_play(
        &self,
        player: Player,
        position: &Position,
        body: &str,
    ) -> Option<Position> {
        let inside = body.split_once('(')?.1;
        let inside = inside.rsplit_once(')').map_or(inside, |(inside, _)| inside);
        let found = snowie::parse(inside)?;
        let names = found.names.map(|name| snowie::plain(&name));
        let own = |player: Player| snowie::plain(&self.head.names[player.index()]);
        // The first name is that of the player whose view it is.
        let names_begin_with = |player: Player| names == [own(player), own(player.other())];
        let after = found.state.position;
        let views = if names_begin_with(player) {
            [after.flipped(), after]
        } else {
            [after, after.flipped()]
        };
        let near = |after: &&Position| Play::between(position, after).is_some();
        let known = names_begin_with(player) != names_begin_with(player.other());
        let far = views.first().filter(|_| known);
        views.iter().find(near).or(far).copied()
    }

    /// Adds the position written after an illegal play.
    fn add_illegal_play(&mut self, cell: &Placed<'_>, player: Player, roll: Roll, after: Position) {
        let position = self.seen_by(player);
        self.list.generate(&position, roll);
        if let Some(play) = self.list.play_to(&after) {
            self.warn_of(cell, player, "a legal play is written as an illegal one");
            return self.commit(cell, player, roll, play);
        }
        let message = match Play::between(&position, &after) {
            Some(_) => LET_STAND.to_owned(),
            None => format!("{LET_STAND}: no play leads to the position that is written"),
        };
        self.warn_of(cell, player, &message);
        self.move_to(cell, player, Action::Illegal { roll, after }, after);
    }

    /// Parses a play, without other text after a wide gap.
    fn parse(&mut self, cell: &Placed<'_>, body: &str) -> Result<WrittenPlay, PlayError> {
        let whole = WrittenPlay::parse(body);
        let whole = whole.or_else(|why| WrittenPlay::of_digits(body).ok_or(why));
        let Some(gap) = body.find(WIDE_GAP).filter(|_| whole.is_err()) else {
            return whole;
        };
        let Ok(head) = WrittenPlay::parse(&body[..gap]) else {
            return whole;
        };
        let stray = body[gap..].trim_start();
        let before = &body[..body.len() - stray.len()];
        let column = cell.cell.body_column + before.chars().count();
        let message = format!("'{}' is not understood", quote(stray));
        self.warn_at(cell, column, cell.side, &message);
        Ok(head)
    }

    fn unreadable(
        &mut self,
        index: usize,
        cell: &Placed<'_>,
        roll: Roll,
        body: &str,
        error: &PlayError,
    ) {
        let column = match error {
            PlayError::Character { column, .. } => cell.cell.body_column + column - 1,
            _ => cell.cell.body_column,
        };
        let message = format!("{roll}: {}: {}", quote(body), error_text(error));
        let player = self.side(cell);
        let written = WrittenPlay::with_hops_back(body).ok();
        let error = (column, message.clone());
        self.keep_fault(index, player, roll, written.as_ref(), error);
        self.cut_at(cell, column, cell.side, &message);
        self.push(cell, player, Action::Hidden { roll });
    }

    /// Stores the first illegal play with the game before it.
    fn keep_fault(
        &mut self,
        cell: usize,
        player: Player,
        roll: Roll,
        written: Option<&WrittenPlay>,
        error: (usize, String),
    ) {
        if self.fault.is_none() {
            let before = self.clone();
            self.fault = Some(Arc::new(Fault {
                before,
                cell,
                player,
                roll,
                written: written.cloned(),
                error,
            }));
        }
    }

    fn hide(&mut self, cell: &Placed<'a>, player: Player, roll: Roll) {
        self.check_turn(cell, player);
        self.push(cell, player, Action::Hidden { roll });
        self.turn = Some(player.other());
        self.hidden = Some((*cell, player));
    }

    /// Adds a roll without a play: a dance, or the only legal play (omitted by some servers), or an unplayed
    /// roll.
    fn unwritten(&mut self, cell: &Placed<'a>, roll: Roll) {
        let player = self.side(cell);
        let position = self.seen_by(player);
        self.list.generate(&position, roll);
        if let [only] = *self.list.plays() {
            self.commit(cell, player, roll, only);
        } else {
            self.hide(cell, player, roll);
        }
    }

    /// Returns the player of a cell whose play does not determine it.
    fn side(&self, cell: &Placed<'_>) -> Player {
        match self.turn {
            Some(turn) if !cell.sure => turn,
            _ => cell.side,
        }
    }

    fn written(
        &mut self,
        index: usize,
        cell: &Placed<'a>,
        roll: Roll,
        written: &WrittenPlay,
        body: &str,
    ) {
        let first = self.side(cell);
        let mut sides = vec![first];
        if self.turn.is_none_or(|turn| turn != cell.side) {
            sides.push(first.other());
        }
        let mut failed = None;
        for player in sides {
            let position = self.seen_by(player);
            self.list.generate(&position, roll);
            match written.resolve(&position, roll, &self.list) {
                Ok(resolved) => {
                    let play = self.chosen(index, &resolved);
                    if !resolved.certain {
                        self.warn(cell, "what was hit on the way is not clear");
                    }
                    self.commit(cell, player, roll, play);
                    return;
                }
                Err(error) => {
                    failed.get_or_insert((player, error));
                }
            }
        }
        if let Some((player, error)) = failed {
            let message = format!("{roll}: {}: {}", quote(body), error_text(&error));
            let error = (cell.cell.column, message.clone());
            self.keep_fault(index, player, roll, Some(written), error);
            self.cut_of(cell, player, &message);
            // Keep the roll, because the position before it is valid.
            self.push(cell, player, Action::Hidden { roll });
        }
    }

    /// Returns the resolved play, or the alternative that is being tried.
    fn chosen(&mut self, index: usize, resolved: &Resolved) -> Play {
        if !resolved.others.is_empty() {
            self.doubts.push(Doubt {
                cell: index,
                others: resolved.others.len(),
                certain: resolved.certain,
            });
        }
        match self.choice {
            Some((cell, other)) if cell == index => resolved.others[other],
            _ => resolved.play,
        }
    }

    pub(super) fn commit(&mut self, cell: &Placed<'_>, player: Player, roll: Roll, play: Play) {
        let after = play.apply(&self.seen_by(player));
        self.move_to(cell, player, Action::Move { roll, play }, after);
    }

    /// Adds an action with the resulting position `after`, seen by the next player.
    pub(super) fn move_to(
        &mut self,
        cell: &Placed<'_>,
        player: Player,
        action: Action,
        after: Position,
    ) {
        self.check_turn(cell, player);
        self.left = player.other().turned(after);
        self.push(cell, player, action);
        self.turn = Some(player.other());
    }

    /// Warns of a roll out of turn, or in the other player's column.
    fn check_turn(&mut self, cell: &Placed<'_>, player: Player) {
        let Some(turn) = self.turn else {
            return;
        };
        if turn != player {
            self.warn_of(cell, player, TWICE);
        } else if cell.side != player {
            self.warn_of(cell, player, "the play stands in the other player's column");
        }
    }
}

/// Returns whether a cell repeats the other player's last roll and play before that player's win: some
/// programs write a resignation this way.
fn is_resignation(cells: &[Placed<'_>], at: usize) -> bool {
    let three = at.checked_sub(1).and_then(|from| cells.get(from..from + 3));
    let Some([before, cell, after]) = three else {
        return false;
    };
    let is_win = matches!(after.cell.kind, CellKind::Wins { .. });
    is_win
        && after.side == before.side
        && cell.side != before.side
        && before.cell.kind.is_same_play(&cell.cell.kind)
}

/// Returns whether question marks or a concession replace a play.
fn is_hidden(lower: &str) -> bool {
    let marks = lower.len() >= 2 && lower.chars().all(|c| c == '?');
    let given_up = lower.starts_with("concede") || lower.starts_with("resign");
    marks || given_up || says_given_up(lower)
}

/// Describes a play's error without its column, because the warning has its own.
fn error_text(error: &PlayError) -> String {
    match error {
        PlayError::Character {
            found, expected, ..
        } => format!("found {found}, expected {expected}"),
        other => other.to_string(),
    }
}
