//! Smart Game Format for backgammon, `GM[6]`, as GNU Backgammon and Gibbon write it: a collection of games,
//! each a tree of nodes; see <https://www.red-bean.com/sgf/backgammon.html>.
//!
//! White is the left player. Points are letters, starting at white's ace point. The first branch is the game,
//! the other branches are variations. GNU Backgammon's analysis is kept (see `evaluation`).

mod board;
mod branches;
pub(super) mod evaluation;
mod head;
mod lone;
mod syntax;
pub mod write;

use std::collections::BTreeMap;

use super::analysis::Analysis;
use super::bounded::{MOST_MATCHES, MOST_POSITIONS, MOST_TAGS, beyond_the_last_match};
use super::builder::{GameBuilder, MatchBuilder};
use super::model::{LonePosition, Match, Warning};
use super::start::Start;
use super::state::is_sound;
use super::text::{
    REMARK_CUT, clean, decode_as, encoding_called, guess_warning, guessed_line, quote,
};
use super::variant::WITHOUT_CUBE;
use super::variations::{MOST_ACTIONS, MOST_IN_FILE};
use super::warnings::{FilePlace, MOST_WARNINGS, NoMatch, Warnings};
use crate::game::{GameState, Player, Roll};
use board::{SetUp, play, player_of, steps};
use branches::{Branches, LeftOut};
use head::TreeHead;
use syntax::{Piece, Property, Scanner, head_of, unescape, value};

/// Reads a collection.
///
/// # Errors
/// A message about the missing part, if there is no game of backgammon.
pub(super) fn read(bytes: &[u8]) -> Result<Match, NoMatch> {
    let label = code_page(bytes);
    let (text, encoding) = decode_as(bytes, label.as_deref());
    let mut reader = Reader {
        room: MOST_IN_FILE,
        ..Reader::default()
    };
    let mut scanner = Scanner::new(&text);
    while let Some(piece) = scanner.next() {
        reader.piece(piece, scanner.place());
    }
    reader.end(scanner.place());
    let mut matches = reader.done.into_iter().map(|mut record| {
        record.encoding = encoding;
        record
    });
    let Some(mut first) = matches.next() else {
        let missing = match (reader.has_backgammon, &reader.nothing) {
            (false, _) => "there is no game of backgammon in it: expected a tree with GM[6]",
            (true, Some(_)) => "there is no game in it that can be read",
            (true, None) => {
                "there is no game in it: expected a tree with moves, or with a position and a \
                 score that can be"
            }
        };
        return Err(NoMatch::because(missing, reader.nothing.as_ref()));
    };
    first.others = matches.collect();
    first.warnings.extend(reader.warnings.finish());
    let is_named = label.as_deref().and_then(encoding_called) == encoding_called(encoding);
    let guessed = guessed_line(bytes, encoding).filter(|_| !is_named);
    let guess = guessed.map(|line| guess_warning(line, encoding));
    first.warnings.extend(guess);
    if let Some(label) = label.filter(|label| encoding_called(label).is_none()) {
        let why = format!(
            "CA[{}] is no known encoding: read as {encoding}",
            quote(&label)
        );
        first.warnings.push(Warning::at(FilePlace::line(1, 1), why));
    }
    first.warnings.sort_by_key(|w| (w.line, w.column));
    first.warnings.truncate(MOST_WARNINGS);
    Ok(first)
}

/// Returns the code page named in the first bytes.
fn code_page(bytes: &[u8]) -> Option<String> {
    let head = &bytes[..bytes.len().min(4096)];
    let at = head.windows(3).position(|window| window == b"CA[")?;
    let value = head[at + 3..].iter().take_while(|&&b| b != b']');
    let label: Vec<u8> = value.copied().filter(|&b| b != b'\\').collect();
    String::from_utf8(label).ok()
}

#[derive(Default)]
struct Reader {
    done: Vec<Match>,
    /// The file has more matches than are kept.
    is_full: bool,
    match_builder: Option<MatchBuilder>,
    builder: Option<GameBuilder>,
    head: TreeHead,
    depth: usize,
    /// The main line of the tree has ended, so that variations follow.
    variation: bool,
    branches: Branches,
    has_root: bool,
    has_backgammon: bool,
    /// A pending resignation.
    resigning: Option<(Player, u32)>,
    /// Player on roll and dice of the last set-up.
    on_roll: Option<Player>,
    dice: Option<Roll>,
    warnings: Warnings,
    /// The game contains a set-up.
    set_up: bool,
    /// How many more actions of variations may be read from the file.
    room: usize,
    /// Number of standalone positions in all matches.
    positions: usize,
    /// The positions before the present tree, until the end of the tree shows whether it belongs to the same
    /// match.
    before: Option<MatchBuilder>,
    /// The first warning about a match without a game.
    nothing: Option<Warning>,
    /// The start of the present tree.
    root: FilePlace,
}

impl Reader {
    fn piece(&mut self, piece: Piece<'_>, end: FilePlace) {
        match piece {
            Piece::Open => {
                if self.depth == 0 {
                    self.variation = false;
                    self.branches = Branches::with_room(self.room);
                    self.has_root = false;
                }
                let builder = self.builder.as_ref().filter(|_| !self.variation);
                self.branches.open(builder.map(|b| b.game.events.len()));
                self.depth = self.depth.saturating_add(1);
            }
            Piece::Close => {
                self.depth = self.depth.saturating_sub(1);
                self.variation = true;
                self.branches.close();
                if self.depth == 0 {
                    self.end_game(end);
                }
            }
            Piece::Node(node) if self.depth > 0 => self.node(&node, end),
            Piece::Node(_) => {}
            Piece::Cut(place) => {
                self.warnings
                    .add(place, "the file ends inside this property");
            }
            Piece::Stray(place, c) => {
                let message = format!(
                    "found '{}', expected '(', ')', ';' or a property",
                    clean(&c.to_string())
                );
                self.warnings.add(place, message);
            }
        }
    }

    /// Handles the end of the text.
    fn end(&mut self, place: FilePlace) {
        if let Some(builder) = self.builder.as_mut().filter(|_| self.depth > 0) {
            builder.game.is_cut = true;
            self.warnings
                .add(place, "the file ends before its last game does");
        }
        self.end_game(place);
        self.end_match();
    }

    fn end_game(&mut self, place: FilePlace) {
        let Some(mut builder) = self.builder.take() else {
            return;
        };
        if let Some((player, points)) = self.head.result {
            builder.wins(place, player, points);
        }
        let lone = self.set_up && self.head.result.is_none() && lone::is_idle(&builder);
        // Each standalone position of a collection has its own rules and score.
        let state = lone::state(&builder, &self.head.record(), self.on_roll, self.dice);
        // A tree with an impossible score is not a position, but still a game.
        let lone = lone && is_sound(&state);
        self.join_positions(lone, place);
        if lone {
            self.lone(builder, state, place);
        } else {
            self.game(builder, place);
        }
    }

    /// Continues the positions before the tree, or ends them if the tree is a game of another match.
    fn join_positions(&mut self, lone: bool, place: FilePlace) {
        let Some(mut before) = self.before.take() else {
            return;
        };
        if lone || !self.head.is_of_other(&before.record) {
            add_tags(&mut before.record, &self.head.tags);
            let own = self.match_builder.as_ref();
            before.crawford_played |= !lone && own.is_some_and(|own| own.crawford_played);
            self.match_builder = Some(before);
            return;
        }
        let own = self.match_builder.replace(before);
        self.end_match();
        self.another_match(place);
        self.match_builder = own;
    }

    /// Adds a standalone position.
    fn lone(&mut self, mut builder: GameBuilder, state: GameState, place: FilePlace) {
        self.positions += 1;
        if self.positions > MOST_POSITIONS {
            if self.positions == MOST_POSITIONS + 1 {
                self.warnings.add_too_many_positions(place);
            }
            return;
        }
        let branches = std::mem::take(&mut self.branches);
        self.room -= branches.count();
        let player = builder.cube.offered.map(|(doubler, _)| doubler.other());
        let player = player.or(self.on_roll).unwrap_or(Player::Left);
        let events = builder.game.events.len();
        let (variations, left_out) = branches.of_lone(&state, player, events);
        let (comment, is_cut) = builder.take_remarks();
        if is_cut {
            self.warnings.add(place, REMARK_CUT);
        }
        if let Some(match_builder) = &mut self.match_builder {
            match_builder.record.positions.push(LonePosition {
                players: self.head.record().names(player),
                analysis: builder.take_analysis().map(|analysis| Analysis {
                    sgf: None,
                    ..analysis
                }),
                comment,
                variations,
                ..LonePosition::new(state, place.line)
            });
        }
        self.complain(&left_out);
    }

    /// Adds a game and its variations.
    fn game(&mut self, builder: GameBuilder, place: FilePlace) {
        let branches = std::mem::take(&mut self.branches);
        self.room -= branches.count();
        let Some(match_builder) = &mut self.match_builder else {
            return;
        };
        let index = match_builder.record.games.len();
        match_builder.end(place, builder, None);
        if index == match_builder.record.games.len() {
            return;
        }
        if let Some((name, variant)) = self.head.variant().filter(|_| index == 0) {
            let complaint = variant.complaint(name);
            match_builder.warnings.add(self.root, complaint);
        }
        if self.head.has_rule("NoCube") && index == 0 {
            match_builder.warnings.add(self.root, WITHOUT_CUBE);
        }
        let mut trees = BTreeMap::new();
        let left_out = branches.trees(&match_builder.record, index, &mut trees);
        match_builder.record.variations.append(&mut trees);
        self.complain(&left_out);
    }

    /// Adds warnings about skipped variations.
    fn complain(&mut self, left_out: &LeftOut) {
        if let Some(place) = left_out.impossible {
            let message = "a variation is not read: it could not be played";
            self.warnings.add(place, message);
        }
        if let Some(place) = left_out.too_many {
            let message = format!(
                "from here on variations are not read: a game has at most {MOST_ACTIONS} actions of \
                 them, a file {MOST_IN_FILE}"
            );
            self.warnings.add(place, message);
        }
        if let Some(place) = left_out.cut {
            self.warnings.add(place, REMARK_CUT);
        }
    }

    fn end_match(&mut self) {
        if let Some(match_builder) = self.match_builder.take()
            && self.done.len() < MOST_MATCHES
        {
            let record = match_builder.finish();
            let played =
                |game: &super::model::Game| !game.events.is_empty() || game.result.is_some();
            let has_games = record.games.iter().any(played) || self.head.length.is_some();
            if (has_games && !record.games.is_empty()) || !record.positions.is_empty() {
                self.done.push(record);
            } else if record.games.is_empty() && self.nothing.is_none() {
                self.nothing = record.warnings.into_iter().next();
            }
        }
    }

    fn node(&mut self, node: &[Property<'_>], end: FilePlace) {
        if self.variation {
            if self.builder.is_some() {
                self.branches.node(node);
            }
            return;
        }
        if !self.has_root {
            self.has_root = true;
            self.root(node, end);
        }
        self.actions(node);
    }

    /// Reads the first node of a tree: the head of a game, perhaps of another match.
    fn root(&mut self, node: &[Property<'_>], end: FilePlace) {
        let place = node.first().map_or(end, |p| p.place);
        let head = TreeHead::new(node);
        let game = node.iter().find(|p| p.name == "GM").and_then(value);
        let is_backgammon = match game.as_deref().map(str::trim) {
            Some(number) => number == "6",
            None => head.length.is_some(),
        };
        if !is_backgammon {
            let message = "this tree is not backgammon (GM[6]) and is not read";
            self.warnings.add(place, message);
            self.builder = None;
            return;
        }
        self.has_backgammon = true;
        self.on_roll = None;
        self.dice = None;
        self.resigning = None;
        self.set_up = false;
        self.end_other_match(&head, place);
        if head.is_cut {
            self.warnings.add(place, REMARK_CUT);
        }
        let complaint = head.length.as_ref().and_then(|l| l.complaint.clone());
        if let Some(complaint) = complaint.filter(|_| self.match_builder.is_none()) {
            self.warnings.add(place, complaint);
        }
        self.begin_game(head, place);
    }

    /// Ends the present match if the game with this head belongs to another match.
    fn end_other_match(&mut self, head: &TreeHead, place: FilePlace) {
        let match_builder = self.match_builder.as_ref();
        if !match_builder.is_some_and(|builder| head.begins_match(builder)) {
            return;
        }
        self.end_match();
        self.another_match(place);
    }

    /// Warns that another match begins, or once that there are too many.
    fn another_match(&mut self, place: FilePlace) {
        let Some(before) = self.done.last().filter(|_| !self.is_full) else {
            return;
        };
        self.is_full = self.done.len() == MOST_MATCHES;
        let [left, right] = &before.players;
        let message = match self.is_full {
            true => beyond_the_last_match(),
            false => format!("another match begins here; the one before was of {left} and {right}"),
        };
        self.warnings.add(place, message);
    }

    fn begin_game(&mut self, head: TreeHead, place: FilePlace) {
        // A game after positions may belong to another match, which is known at the end of the game.
        let has_games = |builder: &MatchBuilder| !builder.record.games.is_empty();
        let (own, before) = match self.match_builder.take() {
            Some(builder) if has_games(&builder) => (Some(builder), None),
            before => (None, before),
        };
        self.before = before;
        let mut match_builder = own.unwrap_or_else(|| MatchBuilder::new(head.record()));
        let last = match_builder.record.games.last();
        let next = || last.map_or(1, |game| game.number.saturating_add(1));
        let number = head.game.map_or_else(next, |game| game.saturating_add(1));
        add_tags(&mut match_builder.record, &head.tags);
        let crawford = head.is_crawford_game();
        let mut builder = match_builder.begin(place, number, Some(head.score), crawford);
        if let Some((_, variant)) = head.variant() {
            builder = match_builder.set(place, builder, Start::with_board(variant.start()));
        }
        self.builder = Some(builder);
        self.match_builder = Some(match_builder);
        self.root = place;
        self.head = head;
    }

    fn actions(&mut self, node: &[Property<'_>]) {
        if self.builder.is_none() {
            return;
        }
        self.set_board(node);
        let get = |name: &str| node.iter().find(|p| p.name == name);
        if let Some(player) = get("PL").and_then(value).as_deref().and_then(player_of) {
            self.on_roll = Some(player);
        }
        let action = node.iter().find_map(|p| Some((p.player()?, p)));
        if let Some((player, property)) = action {
            self.action(player, property, node);
        } else if let Some(property) = get("DI") {
            let sets = node.iter().any(Property::sets_checkers);
            self.rolled(property, sets);
        }
        let comment = get("C").and_then(|p| p.values.first());
        if let (Some(builder), Some(comment), [first, ..]) = (&mut self.builder, comment, node) {
            let place = first.place;
            let text = unescape(head_of(comment), false);
            // In Luckless's files a remark in its own node is about a resignation.
            let is_alone = self.head.program.starts_with("Luckless") && node.len() == 1;
            match is_alone && !builder.game.events.is_empty() {
                true => builder.remark_on_end(place, &text),
                false => builder.remark(place, &text),
            }
        }
    }

    /// Reads dice without a play: the roll before a resignation, or the last roll of a record that breaks
    /// off.
    fn rolled(&mut self, property: &Property<'_>, sets: bool) {
        let text = value(property).unwrap_or_default();
        let Some(builder) = &mut self.builder else {
            return;
        };
        let player = self.on_roll.unwrap_or(Player::Left);
        match text.trim().parse::<Roll>() {
            Ok(roll) => {
                self.dice = Some(roll);
                // GNU Backgammon writes the dice of a position in a separate node. In Luckless's files a
                // separate node is a roll; the dice of a position are in the position's node.
                let own = self.head.program.starts_with("Luckless") && !sets;
                if own || !self.set_up || !builder.game.events.is_empty() {
                    builder.unplayed(property.place, player, roll);
                }
            }
            Err(_) if text.trim() == "00" => {}
            Err(_) => builder.bad_dice(property.place, player, &text),
        }
    }

    fn action(&mut self, player: Player, property: &Property<'_>, node: &[Property<'_>]) {
        let text = value(property).unwrap_or_default();
        // The dice of a set-up belong to the following play.
        self.on_roll = Some(player.other());
        if !self.carry_out(property.place, player, text.trim()) {
            return;
        }
        let Some(builder) = &mut self.builder else {
            return;
        };
        let money = self
            .match_builder
            .as_ref()
            .is_some_and(|s| s.record.length == 0);
        let find = |letters: &str| builder.legal(&steps(player, letters)?);
        if let Some(mut analysis) = evaluation::analysis(self.head.analyst(), node, money, find) {
            builder.note_errors(&mut analysis);
            builder.analysed(analysis);
        }
    }

    /// Carries out an action. Returns whether it became an event, to which the analysis and remark of the
    /// node belong.
    fn carry_out(&mut self, place: FilePlace, player: Player, text: &str) -> bool {
        let Some(builder) = &mut self.builder else {
            return false;
        };
        let before = builder.game.events.len();
        let word = text.to_ascii_lowercase();
        match &*word {
            "double" | "redouble" | "beaver" | "raccoon" => builder.double(place, player),
            "take" => builder.take(place, player),
            "drop" | "pass" => builder.pass(place, player),
            "accept" => match self.resigning.take() {
                Some((loser, size)) => {
                    let points = builder.cube.value * size;
                    builder.resign(place, loser, Some(points));
                }
                None => builder.take(place, player),
            },
            "reject" => {
                if self.resigning.take().is_none() {
                    builder.pass(place, player);
                }
            }
            _ if word.starts_with("resign") => {
                let size = word.chars().find_map(|c| c.to_digit(10));
                self.resigning = Some((player, size.unwrap_or(1).clamp(1, 3)));
            }
            _ if word.starts_with("00") => {}
            // A roll written before its play forms one event with it.
            _ => return rolls(builder, place, player, text),
        }
        builder.game.events.len() > before
    }

    /// Reads a set-up: `AE`, `AW`, `AB`, `CV`, `CP`.
    fn set_board(&mut self, node: &[Property<'_>]) {
        let sets = |p: &Property<'_>| p.sets_checkers() || matches!(&*p.name, "CV" | "CP");
        let Some(first) = node.iter().find(|p| sets(p)) else {
            return;
        };
        let place = first.place;
        let Some(mut builder) = self.builder.take() else {
            return;
        };
        let SetUp {
            points,
            cube,
            owner,
            bad_cube,
        } = SetUp::read(node, &builder);
        if let Some(text) = bad_cube {
            let message = format!("a cube of '{text}' is not read: expected a power of two");
            self.warnings.add(place, message);
        }
        let moves_checkers = node.iter().any(Property::sets_checkers);
        // A node with checkers and the player to roll is the board before the roll.
        let on_roll = node.iter().find(|p| &*p.name == "PL");
        let on_roll = on_roll.and_then(|p| player_of(&value(p)?));
        if moves_checkers && let Some(player) = on_roll {
            builder.rolls_anew(player);
        }
        let closes_roll = moves_checkers && builder.awaits_board();
        // Ignore a board on which the game is over, unless it completes a roll.
        let board = points.position().filter(|b| closes_roll || !b.is_over());
        let same = board == Some(builder.seen_by(Player::Left)) && !closes_roll;
        let same_cube = (cube, owner) == (builder.cube.value, builder.cube.owner);
        if builder.is_cut() || (same && same_cube) {
            self.builder = Some(builder);
            self.set_up |= moves_checkers;
            return;
        }
        let Some(board) = board else {
            self.builder = Some(builder);
            let message = "the position set up here is not one of backgammon".to_owned();
            self.warnings.add(place, message);
            return;
        };
        self.set_up |= moves_checkers;
        let start = Start { board, cube, owner };
        self.builder = Some(match &mut self.match_builder {
            Some(match_builder) => match_builder.set(place, builder, start),
            None => builder,
        });
    }
}

/// Reads dice and the letters of a play, such as `31hefe`. Returns false if the game cannot continue.
fn rolls(builder: &mut GameBuilder, place: FilePlace, player: Player, text: &str) -> bool {
    let Some((roll, written)) = play(player, text) else {
        let message = format!(
            "'{}' is not understood: expected dice and letters such as 31hefe, or a cube action",
            super::text::quote(text)
        );
        builder.warn(place, player, &message);
        return false;
    };
    builder.tells_dice_first = true;
    builder.roll(place, player, roll, &written, None)
}

/// Adds the tags of another head, without duplicates.
fn add_tags(record: &mut Match, more: &[(String, String)]) {
    for tag in more {
        if record.tags.len() < MOST_TAGS && !record.tags.contains(tag) {
            record.tags.push(tag.clone());
        }
    }
}
