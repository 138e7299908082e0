//! Builds a game action by action, for formats that state who acts. Match text does not, and has its own
//! replay.
//!
//! A [`Game`] contains only legal [`Action::Move`]s. If the record has the position after an illegal play,
//! the game continues from it ([`Action::Illegal`]). Otherwise reading stops at the illegal play, with a
//! warning that lists legal ones; the result of the game still counts.

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

/// Maximum number of events kept for a game.
pub(super) const MOST_EVENTS: usize = 5000;
/// Maximum number of remarks kept for a match.
const MOST_COMMENTS: usize = 5000;

/// A match under construction.
pub(super) struct MatchBuilder {
    pub(super) record: Match,
    pub(super) warnings: Warnings,
    pub(super) crawford_played: bool,
    /// The score that follows from the games so far.
    expected: [u16; 2],
}

/// A game under construction.
pub(super) struct GameBuilder {
    pub(super) game: Game,
    names: [String; 2],
    length: u16,
    rules: crate::game::Rules,
    left: Position,
    turn: Option<Player>,
    pub(super) cube: GameCube,
    ending: Ending,
    cut: bool,
    has_warned_of_end: bool,
    hidden: Option<(FilePlace, Player)>,
    /// The format may write a roll alone and then again with its play.
    pub(super) tells_dice_first: bool,
    list: PlayList,
    /// The position and the roll of the plays in `list`.
    rolled: Option<(Position, Roll)>,
    /// Place, event and message.
    warnings: Vec<(FilePlace, Option<usize>, String)>,
    analyses: Vec<(usize, Analysis)>,
    comments: Vec<(Option<usize>, String)>,
}

impl MatchBuilder {
    /// Creates a match from a record with its head filled in.
    pub(super) fn new(record: Match) -> Self {
        Self {
            record,
            warnings: Warnings::default(),
            crawford_played: false,
            expected: [0; 2],
        }
    }

    /// Begins a game. Without `score`, the score follows from the games before. Without `crawford`, the score
    /// determines the Crawford game.
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
            has_warned_of_end: false,
            hidden: None,
            tells_dice_first: false,
            list: PlayList::new(),
            rolled: None,
            warnings: Vec::new(),
            analyses: Vec::new(),
            comments: Vec::new(),
        }
    }

    /// Returns whether a game is the Crawford game: by `stated` (the file) if that is possible, else by its
    /// score.
    fn is_crawford_game(
        &mut self,
        place: FilePlace,
        number: u32,
        score: [u16; 2],
        stated: Option<bool>,
    ) -> bool {
        let length = self.record.length;
        // A Crawford game that broke off may be listed again.
        let goes_on = self
            .record
            .games
            .last()
            .is_some_and(|last| last.crawford && last.score == score && last.result.is_none());
        let can_be = is_crawford_score(length, score) && (goes_on || !self.crawford_played);
        let by_score = can_be && self.record.crawford;
        if stated == Some(true) && !can_be && length > 1 {
            let [a, b] = score;
            let message = format!(
                "game {number}: it is said to be the Crawford game, which at {a}-{b} to {length} points it cannot be"
            );
            self.warnings.add(place, message);
        }
        stated.map_or(by_score, |stated| stated && can_be)
    }

    /// Adds a finished game. Returns false when there are too many. `next`: the score after the game, if it
    /// is written.
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

    /// Sets up a board. At the start of a game it becomes the starting position. After a roll without a play
    /// it becomes the result of that roll. Otherwise the present game ends without a result, and the builder
    /// continues with a new game from this board.
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

/// A game that was read.
struct FinishedGame {
    game: Game,
    warnings: Vec<(FilePlace, Option<usize>, String)>,
    analyses: Vec<(usize, Analysis)>,
    comments: Vec<(Option<usize>, String)>,
}

impl GameBuilder {
    /// Returns the board as seen by `player`.
    pub(super) fn seen_by(&self, player: Player) -> Position {
        player.turned(self.left)
    }

    /// Returns whether the game accepts further actions.
    pub(super) fn is_open(&self) -> bool {
        !self.cut && !self.is_over()
    }

    /// Returns whether reading stopped at an illegal action.
    pub(super) fn is_cut(&self) -> bool {
        self.cut
    }

    fn is_over(&self) -> bool {
        self.left.is_over() || self.ending.passed.is_some() || self.ending.resigned
    }

    /// Adds a warning about the next action of a player.
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

    /// Stops reading before the end of the game. Without further events, an unfinished game with a result
    /// would otherwise get a resignation.
    pub(super) fn breaks_off(&mut self) {
        self.cut |= self.cube.offered.is_none() && !self.is_over();
    }

    /// Returns whether the game accepts an action, and warns once if it is over.
    fn ready(&mut self, place: FilePlace, player: Player) -> bool {
        if self.cut {
            return false;
        }
        if self.is_over() {
            if !self.has_warned_of_end {
                self.warn(place, player, "the game is over; what follows is not read");
                self.has_warned_of_end = true;
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

    /// Adds an analysis of the last event.
    pub(super) fn analysed(&mut self, analysis: Analysis) {
        if let Some(event) = self.game.events.len().checked_sub(1) {
            self.analyses.push((event, analysis));
        }
    }

    /// Removes and returns the last analysis.
    pub(super) fn take_analysis(&mut self) -> Option<Analysis> {
        self.analyses.pop().map(|(_, analysis)| analysis)
    }

    /// Removes all remarks. Returns them joined, and whether any was shortened.
    pub(super) fn take_remarks(&mut self) -> (Option<Box<str>>, bool) {
        let all = std::mem::take(&mut self.comments).into_iter();
        let texts: Vec<String> = all.map(|(_, text)| text).collect();
        let (text, is_cut) = clean_lines(&texts.join("\n"));
        let was_cut = |(_, _, message): &(_, _, String)| message.ends_with(REMARK_CUT);
        let is_cut = is_cut || self.warnings.iter().any(was_cut);
        ((!text.is_empty()).then(|| text.into()), is_cut)
    }

    /// Adds a remark on the last event, or on the game if it has no events.
    pub(super) fn remark(&mut self, place: FilePlace, text: &str) {
        let event = self.game.events.len().checked_sub(1);
        self.remark_on(place, event, text);
    }

    /// Adds a remark on the resignation that will become the last event.
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

    /// Removes a roll that the format wrote before its play, so that the roll with its play replaces it.
    fn join(&mut self, player: Player, roll: Roll) {
        let last = self.game.events.last().map(|event| event.action);
        let was_rolled_alone = self.hidden.is_some_and(|(_, by)| by == player);
        if was_rolled_alone && self.tells_dice_first && last == Some(Action::Hidden { roll }) {
            self.game.events.pop();
            self.hidden = None;
            self.turn = Some(player);
        }
    }

    /// Completes pending events before a roll: unknown plays and untaken doubles.
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

    /// Adds a roll and its recorded play. An empty play means a dance or a single legal play; with several
    /// legal plays it means an unknown play. `after`, seen by the next player, decides between readings, and
    /// is the position after an illegal play. Returns false if the game cannot continue.
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
            // The file contains the position after the play, so it means another play than the legal one that
            // its text suggests: with or without a hit on the way.
            (Ok(_), Some(after)) => {
                let message = format!("{LET_STAND}: {quoted}");
                self.commit_to(place, player, roll, after, &message);
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
                self.commit_to(place, player, roll, after, &message);
                true
            }
            (Err(error), None) => {
                self.cut(place, player, &format!("{quoted}: {error}"));
                // Keep the roll, because the position before it is valid.
                self.push(place, player, Action::Hidden { roll });
                false
            }
        }
    }

    fn commit(&mut self, place: FilePlace, player: Player, roll: Roll, play: Play) {
        let after = play.apply(&self.seen_by(player));
        self.move_to(place, player, Action::Move { roll, play }, after);
    }

    /// Adds an action with the resulting position `after`, seen by the next player.
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

    /// Adds a roll without a play, such as the roll before a resignation.
    pub(super) fn unplayed(&mut self, place: FilePlace, player: Player, roll: Roll) {
        if self.ready(place, player) {
            self.before_roll(place, player, roll);
            self.hide(place, player, roll);
        }
    }

    /// Returns the legal play of the last roll that `written` stands for.
    pub(super) fn legal(&self, written: &WrittenPlay) -> Option<Play> {
        let (position, roll) = self.rolled?;
        let resolved = written.resolve(&position, roll, &self.list).ok()?;
        Some(resolved.play)
    }

    /// Returns the legal play of the last roll that leads to `after`, seen by the next player.
    pub(super) fn legal_to(&self, after: &Position) -> Option<Play> {
        self.rolled?;
        self.list.play_to(after)
    }

    /// Sets the played candidate and the error of the last action in an analysis.
    pub(super) fn note_errors(&self, analysis: &mut Analysis) {
        let Some(last) = self.game.events.last() else {
            return;
        };
        if let (Action::Move { play, .. }, Some((position, _))) = (last.action, self.rolled) {
            analysis.mark_played(&position, &play.apply(&position));
        }
        // After a beaver GNU Backgammon repeats the figures of the double, which do not apply to the answer
        // to the beaver.
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

    /// Stops reading at impossible dice.
    pub(super) fn bad_dice(&mut self, place: FilePlace, player: Player, found: &str) {
        if self.ready(place, player) {
            let message = format!("'{}': expected two dice from 1 to 6", quote(found));
            self.cut(place, player, &message);
        }
    }

    /// Stops reading at an unreadable play.
    pub(super) fn bad_play(&mut self, place: FilePlace, player: Player, roll: Roll, found: &str) {
        if self.ready(place, player) {
            let message = format!("{roll}: '{}' is not a play", quote(found));
            self.cut(place, player, &message);
            self.push(place, player, Action::Hidden { roll });
        }
    }

    /// Ends the game by a resignation of `player`. `points`: the winner's points, cube included.
    pub(super) fn resign(&mut self, place: FilePlace, player: Player, points: Option<u32>) {
        if self.is_over() {
            return;
        }
        self.ending.resigned = true;
        self.ending.wins(player.other(), points, place.line);
    }

    /// Adds the result written in the file.
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

/// Returns a sanitised name, or a default name if it is empty.
pub(super) fn name(text: &str, player: Player) -> String {
    let name = clean(text);
    if name.is_empty() {
        return Match::UNNAMED[player.index()].to_owned();
    }
    name
}
