//! The cells of a game carried out on a board.
//!
//! Programs leave out what they think is plain: stars, forced plays, answers, whose column it is.
//! The rules of the game put nearly all of it back. What they do not decide is never guessed: the
//! game is cut there with a warning that says what is legal, and its result still counts.

use super::called;
use super::cells::Kind;
use super::place::{Placed, SourceRow, place};
use super::result::{Ending, settle};
use crate::game::position::BAR;
use crate::game::{Play, PlayList, Player, Position, Roll, Rules, Step};
use crate::match_file::model::{Action, Event, GameResult, Warning};
use crate::match_file::snowie;
use crate::match_file::text::quote;
use crate::notation::PlayError;
use crate::notation::Written;
use crate::notation::written::Resolved;

/// How many other readings of ambiguous hits are tried when a later play turns out illegal.
const MOST_RETRIES: usize = 8;
/// What never stands inside a play.
const WIDE_GAP: &str = "   ";

/// What is known of a game from its head.
pub(in crate::match_file) struct Setting<'a> {
    pub(in crate::match_file) number: u32,
    pub(in crate::match_file) names: &'a [String; 2],
    pub(in crate::match_file) length: u16,
    pub(in crate::match_file) score: [u16; 2],
    pub(in crate::match_file) next_score: Option<[u16; 2]>,
    pub(in crate::match_file) crawford: bool,
    pub(in crate::match_file) rules: Rules,
    pub(in crate::match_file) start: Position,
    pub(in crate::match_file) right_column: usize,
    /// Line of the head of the game.
    pub(in crate::match_file) line: u32,
}

/// A game read.
#[derive(Default)]
pub(super) struct Outcome {
    pub(super) events: Vec<Event>,
    pub(super) warnings: Vec<Warning>,
    pub(super) result: Option<GameResult>,
    pub(super) points_written: Option<u32>,
}

/// Carries a game out. If a play is illegal and an earlier one could be read in another way, the
/// other ways are tried.
pub(super) fn replay(setting: &Setting<'_>, rows: &[SourceRow], retries: &mut usize) -> Outcome {
    let cells = place(rows, setting.right_column);
    let mut first = Replay::new(setting, None);
    first.run(&cells);
    if first.cut {
        let mut doubts = first.doubts.clone();
        doubts.sort_by_key(|doubt| (doubt.certain, std::cmp::Reverse(doubt.cell)));
        let choices = doubts
            .iter()
            .flat_map(|doubt| (0..doubt.others).map(|other| (doubt.cell, other)));
        for choice in choices.take(MOST_RETRIES.min(*retries)) {
            *retries -= 1;
            let mut other = Replay::new(setting, Some(choice));
            other.run(&cells);
            if !other.cut {
                let at = cells[choice.0];
                other.warn(
                    &at,
                    "another hit than written, or the later plays are not legal",
                );
                return other.finish();
            }
        }
    }
    first.finish()
}

/// An ambiguous play.
#[derive(Clone, Copy)]
struct Doubt {
    cell: usize,
    others: usize,
    certain: bool,
}

pub(super) struct Replay<'a> {
    pub(super) setting: &'a Setting<'a>,
    /// The cell whose other reading (by number) is taken.
    choice: Option<(usize, usize)>,
    /// The board seen by the left player.
    left: Position,
    pub(super) turn: Option<Player>,
    pub(super) cube: u32,
    pub(super) owner: Option<Player>,
    /// Who has doubled, and to what, while unanswered.
    pub(super) offered: Option<(Player, u32)>,
    /// Who has beavered, until the next roll.
    pub(super) beavered: Option<Player>,
    /// A roll without a known play, which is damage unless the game ends with it.
    hidden: Option<Placed<'a>>,
    events: Vec<Event>,
    warnings: Vec<Warning>,
    pub(super) ending: Ending,
    pub(super) cut: bool,
    doubts: Vec<Doubt>,
    /// Line and column of the last cell.
    last: (u32, u32),
    list: PlayList,
}

impl<'a> Replay<'a> {
    fn new(setting: &'a Setting<'a>, choice: Option<(usize, usize)>) -> Self {
        Self {
            setting,
            choice,
            left: setting.start,
            turn: None,
            cube: 1,
            owner: None,
            offered: None,
            beavered: None,
            hidden: None,
            events: Vec::new(),
            warnings: Vec::new(),
            ending: Ending::default(),
            cut: false,
            doubts: Vec::new(),
            last: (setting.line, 1),
            list: PlayList::new(),
        }
    }

    fn run(&mut self, cells: &[Placed<'a>]) {
        for (i, cell) in cells.iter().enumerate() {
            self.last = (cell.line, cell.cell.column as u32 + 1);
            match &cell.cell.kind {
                Kind::Wins { points } => self.ending.wins(cell.side, *points, cell.line),
                Kind::Losses => self.ending.loses(cell.side, cell.line),
                _ if self.cut => {}
                _ if self.is_over() => {
                    self.warn(cell, "the game is over; what follows is not read");
                    self.only_results(&cells[i + 1..]);
                    break;
                }
                Kind::Roll { dice, body } => self.roll(i, cell, *dice, body),
                Kind::Double { to } => self.double(cell, *to),
                Kind::Take => self.take(cell),
                Kind::Drop => self.drop(cell),
                Kind::Beaver => self.beaver(cell),
                Kind::Raccoon => self.raccoon(cell),
                Kind::Resign => self.ending.resigned = true,
            }
        }
    }

    fn only_results(&mut self, cells: &[Placed<'a>]) {
        for cell in cells {
            match &cell.cell.kind {
                Kind::Wins { points } => self.ending.wins(cell.side, *points, cell.line),
                Kind::Losses => self.ending.loses(cell.side, cell.line),
                _ => {}
            }
        }
    }

    fn is_over(&self) -> bool {
        self.left.is_over() || self.ending.dropped.is_some() || self.ending.is_written()
    }

    fn finish(mut self) -> Outcome {
        self.ending.left = self.left;
        self.ending.cube = self.cube;
        self.ending.turned = self.owner.is_some() || self.cube > 1;
        self.ending.offered = self.offered;
        self.ending.cut = self.cut;
        let settled = settle(&self.ending, self.setting);
        let line = self.ending.line().or(self.events.last().map(|e| e.line));
        let line = line.unwrap_or(0);
        // A game without a result breaks off at its last cell.
        let (at, column) = match settled.result {
            None => self.last,
            Some(_) => (line, 1),
        };
        for message in settled.warnings {
            self.warnings.push(Warning {
                line: at,
                column,
                offset: None,
                message: format!("game {}: {message}", self.setting.number),
            });
        }
        if let Some((player, action)) = settled.last_event {
            self.events.push(Event {
                player,
                action,
                line,
            });
        }
        Outcome {
            events: self.events,
            warnings: self.warnings,
            result: settled.result,
            points_written: self.ending.points_written(),
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

    /// A warning at a cell, of a player.
    pub(super) fn warn_of(&mut self, cell: &Placed<'_>, player: Player, message: &str) {
        self.warn_at(cell, cell.cell.column, player, message);
    }

    fn warn_at(&mut self, cell: &Placed<'_>, column: usize, player: Player, message: &str) {
        let row = cell.row.map_or(String::new(), |row| format!("row {row}, "));
        let name = called(self.setting.names, player);
        self.warnings.push(Warning {
            line: cell.line,
            column: column as u32 + 1,
            offset: None,
            message: format!("game {}, {row}{name}: {message}", self.setting.number),
        });
    }

    /// Ends the reading of the game at this cell.
    pub(super) fn cut_of(&mut self, cell: &Placed<'_>, player: Player, message: &str) {
        self.cut_at(cell, cell.cell.column, player, message);
    }

    fn cut_at(&mut self, cell: &Placed<'_>, column: usize, player: Player, message: &str) {
        let message = format!("{message}; the rest of the game is not read");
        self.warn_at(cell, column, player, &message);
        self.cut = true;
    }

    fn seen_by(&self, player: Player) -> Position {
        match player {
            Player::Left => self.left,
            Player::Right => self.left.turned(),
        }
    }

    fn roll(&mut self, index: usize, cell: &Placed<'a>, dice: [u8; 2], body: &str) {
        if dice == [0, 0] {
            self.ending.resigned = true;
            return;
        }
        let Some(roll) = Roll::new(dice[0], dice[1]) else {
            let message = format!("{}{}: expected two dice from 1 to 6", dice[0], dice[1]);
            self.cut_of(cell, cell.side, &message);
            return;
        };
        if let Some(hidden) = self.hidden.take() {
            self.warn(
                &hidden,
                "what was played is not known; the game goes on without it",
            );
        }
        self.answer_missing(cell);
        self.beavered = None;
        let lower = body.to_ascii_lowercase();
        if is_hidden(&lower) {
            self.ending.resigned = true;
            self.hide(cell, roll);
        } else if lower.starts_with("illegal") {
            let player = self.side(cell);
            let position = self.seen_by(player);
            if let Some(play) = self.let_stand(player, &position, body) {
                self.commit(cell, player, roll, play);
                self.warn_of(cell, player, "an illegal play that was let stand");
                return;
            }
            let message = format!("{roll}: an illegal play that was let stand");
            self.cut_of(cell, player, &message);
            self.push(cell, player, Action::Hidden { roll });
        } else {
            match self.parse(cell, body) {
                Ok(written) if written.is_empty() => self.unwritten(cell, roll),
                Ok(written) => self.written(index, cell, roll, &written, body),
                Err(error) => self.unreadable(cell, roll, body, &error),
            }
        }
    }

    /// The illegal play that leads from `position` to the one described in brackets behind it.
    fn let_stand(&self, player: Player, position: &Position, body: &str) -> Option<Play> {
        let inside = body.split_once('(')?.1;
        let inside = inside.rsplit_once(')').map_or(inside, |(inside, _)| inside);
        let found = snowie::parse(inside)?;
        let after = found.state.position;
        // The names tell whose view it is; where they do not, the checkers do.
        let is = |player: Player| found.names[0] == self.setting.names[player.index()];
        let views = if is(player) {
            [after.turned(), after]
        } else {
            [after, after.turned()]
        };
        views
            .iter()
            .find_map(|after| steps_between(position, after))
    }

    /// The play alone, when something that is none stands behind a wide gap.
    fn parse(&mut self, cell: &Placed<'_>, body: &str) -> Result<Written, PlayError> {
        let whole = Written::parse(body);
        let Some(gap) = body.find(WIDE_GAP).filter(|_| whole.is_err()) else {
            return whole;
        };
        let Ok(head) = Written::parse(&body[..gap]) else {
            return whole;
        };
        let stray = body[gap..].trim_start();
        let before = &body[..body.len() - stray.len()];
        let column = cell.cell.body_column + before.chars().count();
        let message = format!("'{}' is not understood", quote(stray));
        self.warn_at(cell, column, cell.side, &message);
        Ok(head)
    }

    fn unreadable(&mut self, cell: &Placed<'_>, roll: Roll, body: &str, error: &PlayError) {
        let column = match error {
            PlayError::Character { column, .. } => cell.cell.body_column + column - 1,
            _ => cell.cell.body_column,
        };
        let message = format!("{roll}: {}: {}", quote(body), said(error));
        self.cut_at(cell, column, cell.side, &message);
        let player = self.side(cell);
        self.push(cell, player, Action::Hidden { roll });
    }

    fn hide(&mut self, cell: &Placed<'a>, roll: Roll) {
        let player = self.turn.unwrap_or(cell.side);
        self.push(cell, player, Action::Hidden { roll });
        self.turn = Some(player.other());
        self.hidden = Some(*cell);
    }

    /// A roll with nothing behind it: a dance; or the only legal play, which some servers make
    /// without writing it; or a roll that was never played.
    fn unwritten(&mut self, cell: &Placed<'a>, roll: Roll) {
        let player = self.side(cell);
        let position = self.seen_by(player);
        self.list.generate(&position, roll);
        if let [only] = *self.list.plays() {
            self.commit(cell, player, roll, only);
        } else {
            self.hide(cell, roll);
        }
    }

    /// Whose cell it is when the play itself cannot tell.
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
        written: &Written,
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
            let message = format!("{roll}: {}: {}", quote(body), said(&error));
            self.cut_of(cell, player, &message);
            // The roll stays in the record: the position before it is good.
            self.push(cell, player, Action::Hidden { roll });
        }
    }

    /// The play meant, or the other reading that is being tried.
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

    fn commit(&mut self, cell: &Placed<'_>, player: Player, roll: Roll, play: Play) {
        if let Some(turn) = self.turn {
            if turn != player {
                self.warn_of(cell, player, "plays twice in a row; a line may be missing");
            } else if cell.side != player {
                self.warn_of(cell, player, "the play stands in the other player's column");
            }
        }
        let after = play.apply(&self.seen_by(player));
        self.left = match player {
            Player::Left => after.turned(),
            Player::Right => after,
        };
        self.push(cell, player, Action::Move { roll, play });
        self.turn = Some(player.other());
    }
}

/// At most four steps of single checkers from `before` to `after`, which the next player sees.
fn steps_between(before: &Position, after: &Position) -> Option<Play> {
    let mut from = Vec::new();
    let mut to = Vec::new();
    for place in (0..=BAR).rev() {
        let (had, has) = (before.mover.at(place), after.opponent.at(place));
        from.extend((has..had).map(|_| place as u8));
        to.extend((had..has).map(|_| place as u8));
    }
    if from.is_empty() || from.len() != to.len() || from.len() > 4 {
        return None;
    }
    let steps: Vec<Step> = from
        .iter()
        .zip(&to)
        .map(|(&from, &to)| Step { from, to })
        .collect();
    let play = Play::new(&steps);
    let sound = Position::new(after.mover, after.opponent).is_ok();
    (sound && play.apply(before) == *after).then_some(play)
}

/// Question marks or a concession in place of a play.
fn is_hidden(lower: &str) -> bool {
    let marks = lower.len() >= 2 && lower.chars().all(|c| c == '?');
    marks || lower.starts_with("concede") || lower.starts_with("resign")
}

/// An error of a play without the column of the play, which the warning's own column replaces.
fn said(error: &PlayError) -> String {
    match error {
        PlayError::Character {
            found, expected, ..
        } => format!("found {found}, expected {expected}"),
        other => other.to_string(),
    }
}
