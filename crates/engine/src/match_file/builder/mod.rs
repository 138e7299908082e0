//! A game carried out action by action, for the formats that say plainly who did what (match text
//! does not, and has a replay of its own).
//!
//! No [`Action::Move`] that is not legal gets into a [`Game`]. Where the record has the position after
//! an illegal play, the game goes on from it ([`Action::Illegal`]). Elsewhere an illegal play ends the
//! reading of the game, with a warning that says what would be legal, and the game's result still
//! counts.

mod cube;
mod illegal;

use super::analysis::Analysis;
use super::bounded::MOST_GAMES;
use super::crawford::CrawfordGame;
use super::cube::{GameCube, NO_ANSWER};
use super::mat::{Ending, GameHead, settle};
use super::model::{Action, Comment, Event, Game, Match, score_after};
use super::start::Start;
use super::text::{REMARK_CUT, clean, clean_lines, quote};
use super::warnings::{FIRST_DOUBLE, FilePlace, LET_STAND, MOST_WARNINGS, Warnings};
use crate::game::{Play, PlayList, Player, Position, Roll, is_crawford_score};
use crate::notation::WrittenPlay;
pub(super) use illegal::is_one_turn;

/// Most events kept of a game.
pub(super) const MOST_EVENTS: usize = 5000;
/// Most remarks kept of a match.
const MOST_COMMENTS: usize = 5000;

/// A match on the way in.
pub(super) struct MatchBuilder {
    pub(super) record: Match,
    pub(super) warnings: Warnings,
    pub(super) crawford_played: bool,
    /// The score that follows from the games so far.
    expected: [u16; 2],
}

/// A game on the way in.
pub(super) struct GameBuilder {
    pub(super) game: Game,
    names: [String; 2],
    length: u16,
    rules: crate::game::Rules,
    /// The board seen by the left player.
    left: Position,
    turn: Option<Player>,
    pub(super) cube: GameCube,
    ending: Ending,
    cut: bool,
    told_over: bool,
    hidden: Option<(FilePlace, Player)>,
    /// Whether a roll may be written before its play, and then again with it.
    pub(super) tells_dice_first: bool,
    list: PlayList,
    /// The position and the roll whose plays `list` holds.
    rolled: Option<(Position, Roll)>,
    /// Each with the event that it is about.
    warnings: Vec<(FilePlace, Option<usize>, String)>,
    analyses: Vec<(usize, Analysis)>,
    comments: Vec<(Option<usize>, String)>,
}

impl MatchBuilder {
    /// A match with its head filled in.
    pub(super) fn new(record: Match) -> Self {
        Self {
            record,
            warnings: Warnings::default(),
            crawford_played: false,
            expected: [0; 2],
        }
    }

    /// Begins a game. A score that is not known is the one that follows; whether it is the
    /// Crawford game is found from the score if it is not given.
    pub(super) fn begin(
        &mut self,
        place: FilePlace,
        number: u32,
        score: Option<[u16; 2]>,
        crawford: Option<bool>,
    ) -> GameBuilder {
        let length = self.record.length;
        if let Some(score) = score
            && !self.record.games.is_empty()
            && length > 0
            && score != self.expected
        {
            let [a, b] = score;
            let [c, d] = self.expected;
            let message = format!(
                "game {number}: the score is {a}-{b}, but {c}-{d} follows from the games before"
            );
            self.warnings.add(place, message);
        }
        let score = score.unwrap_or(self.expected);
        let crawford = self.is_crawford_game(place, number, score, crawford);
        self.crawford_played |= crawford;
        GameBuilder {
            game: Game {
                number,
                score,
                crawford,
                ..Game::default()
            },
            names: self.record.players.clone(),
            length,
            rules: self.record.rules_in_force(),
            left: Position::opening(),
            turn: None,
            cube: GameCube::new(1, None),
            ending: Ending::default(),
            cut: false,
            told_over: false,
            hidden: None,
            tells_dice_first: false,
            list: PlayList::new(),
            rolled: None,
            warnings: Vec::new(),
            analyses: Vec::new(),
            comments: Vec::new(),
        }
    }

    /// Whether a game is the Crawford game: by what the file says of it, where that can be, else by its score.
    fn is_crawford_game(
        &mut self,
        place: FilePlace,
        number: u32,
        score: [u16; 2],
        told: Option<bool>,
    ) -> bool {
        let length = self.record.length;
        // One that breaks off may be listed again.
        let goes_on = self
            .record
            .games
            .last()
            .is_some_and(|last| last.crawford && last.score == score && last.result.is_none());
        let can_be = is_crawford_score(length, score) && (goes_on || !self.crawford_played);
        let by_score = can_be && self.record.crawford;
        if told == Some(true) && !can_be && length > 1 {
            let [a, b] = score;
            let message = format!(
                "game {number}: it is said to be the Crawford game, which at {a}-{b} to {length} points it cannot be"
            );
            self.warnings.add(place, message);
        }
        told.map_or(by_score, |told| told && can_be)
    }

    /// Takes a game in; false when there are too many. `next` is the score after it, if it is
    /// written somewhere.
    pub(super) fn end(
        &mut self,
        place: FilePlace,
        builder: GameBuilder,
        next: Option<[u16; 2]>,
    ) -> bool {
        if self.record.games.len() == MOST_GAMES {
            let message = format!("more than {MOST_GAMES} games; the rest is not read");
            self.warnings.add(place, message);
            return false;
        }
        let length = self.record.length;
        if length > 0 && builder.game.score.iter().any(|&points| points >= length) {
            let number = builder.game.number;
            let message = format!("game {number}: the match is over at its score; it is left out");
            self.warnings.add(place, message);
            return true;
        }
        let mut done = builder.finish(place, next);
        if done.game.crawford {
            let found = CrawfordGame::of(&self.record, done.game.number, &done.game.events);
            self.record.crawford &= found != CrawfordGame::NoRule;
            done.game.crawford = found == CrawfordGame::Played;
            done.warnings
                .retain(|(_, _, message)| found.stands(message));
        }
        let index = self.record.games.len();
        for (place, event, message) in done.warnings {
            let turn = event.map(|event| (index, event));
            self.warnings.add_about(place, turn, message);
        }
        for (event, analysis) in done.analyses {
            if event < done.game.events.len() {
                self.record.analyses.insert(index, event, analysis);
            }
        }
        for (event, text) in done.comments {
            if self.record.comments.len() < MOST_COMMENTS {
                let event = event.filter(|&event| event < done.game.events.len());
                self.record.comments.push(Comment {
                    game: index,
                    event,
                    text,
                });
            }
        }
        self.expected = score_after(done.game.score, done.game.result);
        self.record.games.push(done.game);
        true
    }

    /// Sets the board. At the start of a game that is where it starts, and behind a roll without a
    /// play it is where that roll led. Elsewhere the game is ended without a result and goes on as
    /// another one.
    pub(super) fn set(
        &mut self,
        place: FilePlace,
        mut builder: GameBuilder,
        start: Start,
    ) -> GameBuilder {
        let Start { board, cube, owner } = start;
        let same_cube = (builder.cube.value, builder.cube.owner) == (cube, owner);
        if same_cube && builder.cube.offered.is_none() && builder.closes_roll(place, &board) {
            return builder;
        }
        if !builder.game.events.is_empty() {
            let game = &builder.game;
            let (number, score, crawford) = (game.number, game.score, game.crawford);
            let message = format!(
                "game {number}: a position is set in its middle; from there on it is listed as \
                 another game"
            );
            self.warnings.add(place, message);
            let expected = self.expected;
            self.end(place, builder, None);
            self.expected = expected;
            builder = self.begin(place, number, Some(score), Some(crawford));
        }
        builder.left = board;
        (builder.cube.value, builder.cube.owner) = (cube, owner);
        builder.game.start = board;
        (builder.game.cube, builder.game.owner) = (cube, owner);
        builder
    }

    pub(super) fn finish(self) -> Match {
        let mut record = self.record;
        record.warnings = self.warnings.finish();
        record
    }
}

/// A game that has been read.
struct FinishedGame {
    game: Game,
    warnings: Vec<(FilePlace, Option<usize>, String)>,
    analyses: Vec<(usize, Analysis)>,
    comments: Vec<(Option<usize>, String)>,
}

impl GameBuilder {
    /// The board as `player` sees it.
    pub(super) fn seen_by(&self, player: Player) -> Position {
        player.turned(self.left)
    }

    /// Whether actions are still taken.
    pub(super) fn is_open(&self) -> bool {
        !self.cut && !self.is_over()
    }

    /// Whether nothing of the game is read any more, because something in it was not legal.
    pub(super) fn is_cut(&self) -> bool {
        self.cut
    }

    fn is_over(&self) -> bool {
        self.left.is_over() || self.ending.passed.is_some() || self.ending.resigned
    }

    /// Keeps a warning about what a player does next.
    pub(super) fn warn(&mut self, place: FilePlace, player: Player, message: &str) {
        let name = quote(&self.names[player.index()]);
        let message = format!("game {}, {name}: {message}", self.game.number);
        if self.warnings.len() < MOST_WARNINGS {
            let event = self.game.events.len();
            self.warnings.push((place, Some(event), message));
        }
    }

    fn cut(&mut self, place: FilePlace, player: Player, message: &str) {
        let message = format!("{message}; the rest of the game is not read");
        self.warn(place, player, &message);
        self.cut = true;
    }

    /// Ends the reading of the game. Nothing more is known to have happened, and a resignation would be: a
    /// game that has not come to its end is left as it is, whatever its result.
    pub(super) fn breaks_off(&mut self) {
        self.cut |= self.cube.offered.is_none() && !self.is_over();
    }

    /// Whether an action can be taken; if not, that is said once.
    fn ready(&mut self, place: FilePlace, player: Player) -> bool {
        if self.cut {
            return false;
        }
        if self.is_over() {
            if !self.told_over {
                self.warn(place, player, "the game is over; what follows is not read");
                self.told_over = true;
            }
            return false;
        }
        if self.game.events.len() >= MOST_EVENTS {
            let message = format!("more than {MOST_EVENTS} actions in a game");
            self.cut(place, player, &message);
            return false;
        }
        true
    }

    fn push(&mut self, place: FilePlace, player: Player, action: Action) {
        self.game.events.push(Event {
            player,
            action,
            line: place.line,
        });
    }

    /// What `analysis` says of the last event.
    pub(super) fn analysed(&mut self, analysis: Analysis) {
        if let Some(event) = self.game.events.len().checked_sub(1) {
            self.analyses.push((event, analysis));
        }
    }

    /// Takes out what was said of the last event that was analysed.
    pub(super) fn take_analysis(&mut self) -> Option<Analysis> {
        self.analyses.pop().map(|(_, analysis)| analysis)
    }

    /// Takes out all remarks, as one, and whether any of it was cut.
    pub(super) fn take_remarks(&mut self) -> (Option<Box<str>>, bool) {
        let all = std::mem::take(&mut self.comments).into_iter();
        let texts: Vec<String> = all.map(|(_, text)| text).collect();
        let (text, is_cut) = clean_lines(&texts.join("\n"));
        let was_cut = |(_, _, message): &(_, _, String)| message.ends_with(REMARK_CUT);
        let is_cut = is_cut || self.warnings.iter().any(was_cut);
        ((!text.is_empty()).then(|| text.into()), is_cut)
    }

    /// A remark about the last event, or about the game when nothing has happened.
    pub(super) fn remark(&mut self, place: FilePlace, text: &str) {
        let event = self.game.events.len().checked_sub(1);
        self.remark_on(place, event, text);
    }

    /// A remark about how the game ends: about the resignation that becomes its last event.
    pub(super) fn remark_on_end(&mut self, place: FilePlace, text: &str) {
        let event = self.game.events.len();
        self.remark_on(place, Some(event), text);
    }

    fn remark_on(&mut self, place: FilePlace, event: Option<usize>, text: &str) {
        let (text, is_cut) = clean_lines(text);
        if text.is_empty() || self.comments.len() >= MOST_COMMENTS {
            return;
        }
        self.comments.push((event, text));
        if is_cut && self.warnings.len() < MOST_WARNINGS {
            let message = format!("game {}: {REMARK_CUT}", self.game.number);
            self.warnings.push((place, event, message));
        }
    }

    /// A roll that was written before its play: the two are one.
    fn join(&mut self, player: Player, roll: Roll) {
        let last = self.game.events.last().map(|event| event.action);
        let told = self.hidden.is_some_and(|(_, by)| by == player);
        if told && self.tells_dice_first && last == Some(Action::Hidden { roll }) {
            self.game.events.pop();
            self.hidden = None;
            self.turn = Some(player);
        }
    }

    /// Closes what is still open before a roll.
    fn before_roll(&mut self, place: FilePlace, player: Player, roll: Roll) {
        if self.is_at_start() && roll.is_double() {
            self.warn(place, player, FIRST_DOUBLE);
        }
        if let Some((place, player)) = self.hidden.take() {
            let message = "what was played is not known; the game goes on without it";
            self.warn(place, player, message);
        }
        if let Some(taker) = self.cube.roll() {
            self.push(place, taker, Action::Take);
            self.warn(place, taker, NO_ANSWER);
        }
        if self.turn.is_some_and(|turn| turn != player) {
            self.warn(place, player, "plays twice in a row");
        }
    }

    /// A roll and the play written for it. No entries are a dance or the one forced play; where
    /// several plays are legal they are a play that nobody knows. `after`, seen by the next
    /// player, decides between readings, and where the game goes on after a play that is not legal.
    /// False when it does not go on.
    pub(super) fn roll(
        &mut self,
        place: FilePlace,
        player: Player,
        roll: Roll,
        written: &WrittenPlay,
        after: Option<&Position>,
    ) -> bool {
        if !self.ready(place, player) {
            return false;
        }
        self.join(player, roll);
        self.before_roll(place, player, roll);
        let position = self.seen_by(player);
        self.list.generate(&position, roll);
        self.rolled = Some((position, roll));
        if let Some(play) = after.and_then(|after| self.list.play_to(after)) {
            self.commit(place, player, roll, play);
            return true;
        }
        if written.is_empty() {
            match *self.list.plays() {
                [only] => self.commit(place, player, roll, only),
                _ => self.hide(place, player, roll),
            }
            return true;
        }
        let quoted = format!("{roll}: {}", quote(&written.text()));
        match (written.resolve(&position, roll, &self.list), after) {
            // A file that says where the checkers stood afterwards meant another play than the legal
            // one that its text could be: another hit on the way, or none.
            (Ok(_), Some(after)) => {
                let message = format!("{LET_STAND}: {quoted}");
                self.stand(place, player, roll, after, &message);
                true
            }
            (Ok(resolved), None) => {
                if !resolved.certain {
                    self.warn(place, player, "what was hit on the way is not clear");
                }
                self.commit(place, player, roll, resolved.play);
                true
            }
            (Err(error), Some(after)) => {
                let message = format!("{LET_STAND}: {quoted}: {error}");
                self.stand(place, player, roll, after, &message);
                true
            }
            (Err(error), None) => {
                self.cut(place, player, &format!("{quoted}: {error}"));
                // The roll stays in the record: the position before it is good.
                self.push(place, player, Action::Hidden { roll });
                false
            }
        }
    }

    fn commit(&mut self, place: FilePlace, player: Player, roll: Roll, play: Play) {
        let after = play.apply(&self.seen_by(player));
        self.move_to(place, player, Action::Move { roll, play }, after);
    }

    /// Takes an action after which the next player sees `after`.
    fn move_to(&mut self, place: FilePlace, player: Player, action: Action, after: Position) {
        self.left = player.other().turned(after);
        self.push(place, player, action);
        self.turn = Some(player.other());
    }

    fn hide(&mut self, place: FilePlace, player: Player, roll: Roll) {
        self.push(place, player, Action::Hidden { roll });
        self.hidden = Some((place, player));
        self.turn = Some(player.other());
    }

    /// A roll without a play, whatever is legal: the roll before a resignation.
    pub(super) fn unplayed(&mut self, place: FilePlace, player: Player, roll: Roll) {
        if self.ready(place, player) {
            self.before_roll(place, player, roll);
            self.hide(place, player, roll);
        }
    }

    /// The legal play of the last roll that `written` means.
    pub(super) fn legal(&self, written: &WrittenPlay) -> Option<Play> {
        let (position, roll) = self.rolled?;
        let resolved = written.resolve(&position, roll, &self.list).ok()?;
        Some(resolved.play)
    }

    /// The play of the last roll that leads to `after`, seen by the next player.
    pub(super) fn legal_to(&self, after: &Position) -> Option<Play> {
        self.rolled?;
        self.list.play_to(after)
    }

    /// Fills in which of the plays analysed was made and what the last action gave away.
    pub(super) fn note_errors(&self, analysis: &mut Analysis) {
        let Some(last) = self.game.events.last() else {
            return;
        };
        if let (Action::Move { play, .. }, Some((position, _))) = (last.action, self.rolled) {
            analysis.mark_played(&position, &play.apply(&position));
        }
        // What follows a beaver is no answer to the double, whose figures GNU Backgammon repeats there.
        let before = self.game.events.iter().rev().skip(1);
        let mut offers = before.map_while(|event| match event.action {
            Action::Beaver { .. } => Some(true),
            Action::Double { .. } => Some(false),
            _ => None,
        });
        let is_after_beaver = offers.any(|is_beaver| is_beaver);
        if let Some(cube) = analysis.cube.as_mut().filter(|_| !is_after_beaver) {
            cube.note_error(last.action, self.rules.beavers);
        }
    }

    /// Dice that cannot be thrown.
    pub(super) fn bad_dice(&mut self, place: FilePlace, player: Player, found: &str) {
        if self.ready(place, player) {
            let message = format!("'{}': expected two dice from 1 to 6", quote(found));
            self.cut(place, player, &message);
        }
    }

    /// A play that cannot be read.
    pub(super) fn bad_play(&mut self, place: FilePlace, player: Player, roll: Roll, found: &str) {
        if self.ready(place, player) {
            let message = format!("{roll}: '{}' is not a play", quote(found));
            self.cut(place, player, &message);
            self.push(place, player, Action::Hidden { roll });
        }
    }

    /// The game given up by `player`. `points`, cube included, are what the winner gets.
    pub(super) fn resign(&mut self, place: FilePlace, player: Player, points: Option<u32>) {
        if self.is_over() {
            return;
        }
        self.ending.resigned = true;
        self.ending.wins(player.other(), points, place.line);
    }

    /// What the file says of the result.
    pub(super) fn wins(&mut self, place: FilePlace, player: Player, points: Option<u32>) {
        self.ending.wins(player, points, place.line);
    }

    fn finish(mut self, place: FilePlace, next_score: Option<[u16; 2]>) -> FinishedGame {
        self.ending.left = self.left;
        self.ending.cube = self.cube;
        self.ending.cut = self.cut;
        let head = GameHead {
            number: self.game.number,
            names: &self.names,
            length: self.length,
            score: self.game.score,
            next_score,
            crawford: self.game.crawford,
            rules: self.rules,
            start: Start::of(&self.game),
            left_out: 1,
            right_column: 0,
            line: place.line,
        };
        let settled = settle(&self.ending, &head);
        for message in settled.warnings {
            let message = format!("game {}: {message}", self.game.number);
            self.warnings.push((place, None, message));
        }
        if let Some((player, action)) = settled.last_event {
            self.push(place, player, action);
        }
        self.game.result = settled.result;
        self.game.points_written = self.ending.points_written();
        self.game.is_cut |= self.cut;
        FinishedGame {
            game: self.game,
            warnings: self.warnings,
            analyses: self.analyses,
            comments: self.comments,
        }
    }
}

/// A name as it is kept: clean, and never empty.
pub(super) fn name(text: &str, player: Player) -> String {
    let name = clean(text);
    if name.is_empty() {
        return Match::UNNAMED[player.index()].to_owned();
    }
    name
}
