//! Luckless's own match format in JSON: the complete model, for other programs and for archives.
//! `docs/reference/json-keys.tsv` describes the fields. The actions of a document are checked by the rules of
//! the game, like those of any other file.

mod analysis;
mod trees;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

pub use self::analysis::AnalysisForm;
pub(super) use self::analysis::rounded;
use super::bounded::{
    MOST_GAMES, MOST_MATCHES, MOST_POSITIONS, MOST_TAGS, beyond_the_last_match, first,
};
use super::builder::{GameBuilder, MOST_EVENTS, MatchBuilder, name};
use super::cube::is_value;
use super::length::MatchLength;
use super::model::{Action, Comment, Event, GameResult, LonePosition, Match, Warning};
use super::start::Start;
use super::text::{REMARK_CUT, clean, clean_lines};
use super::variations::MOST_IN_FILE;
use super::warnings::{FilePlace, LET_STAND};
use crate::game::{PlayList, Player, Position, Roll, Rules};
use crate::notation::gnubg_id::parse_position;
use crate::notation::{WrittenPlay, parse_id, play_text, position_id, xgid_text};
use crate::sanitize;

/// The text that identifies the format.
pub(super) const MARK: &str = "\"luckless\"";
/// Version of the format.
const VERSION: u32 = 1;
/// Limits for reading: one more than the model accepts, so that the excess causes a warning. The limit on
/// further matches equals the limit on all matches of a file.
const GAMES_READ: usize = MOST_GAMES + 1;
const ACTIONS_READ: usize = MOST_EVENTS + 1;

/// A file: a match, perhaps with further matches.
type FileDocument = MatchDocument<MatchDocument<Unread>>;

/// A match, with its further matches of type `Other`.
#[derive(Serialize, Deserialize)]
#[serde(bound(deserialize = "Other: Deserialize<'de>"))]
struct MatchDocument<Other> {
    luckless: String,
    version: u32,
    #[serde(default)]
    length: u16,
    #[serde(default)]
    players: [String; 2],
    #[serde(default)]
    crawford: bool,
    #[serde(default)]
    jacoby: bool,
    #[serde(default)]
    beavers: bool,
    #[serde(default, deserialize_with = "first::<MOST_TAGS, _, _>")]
    tags: Vec<(String, String)>,
    #[serde(default, deserialize_with = "first::<GAMES_READ, _, _>")]
    games: Vec<GameForm>,
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "first::<{ MOST_POSITIONS + 1 }, _, _>"
    )]
    positions: Vec<PositionForm>,
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "first::<MOST_MATCHES, _, _>"
    )]
    matches: Vec<Other>,
}

/// Skips the further matches of a further match: they could be nested without limit.
#[derive(Serialize, Deserialize)]
#[serde(from = "IgnoredAny")]
struct Unread;

impl From<IgnoredAny> for Unread {
    fn from(_: IgnoredAny) -> Self {
        Self
    }
}

#[derive(Serialize, Deserialize)]
struct GameForm {
    game: u32,
    score: [u16; 2],
    #[serde(default)]
    crawford: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cube: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    owner: Option<Player>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
    #[serde(deserialize_with = "first::<ACTIONS_READ, _, _>")]
    actions: Vec<ActionForm>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result: Option<ResultForm>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    points_written: Option<u32>,
    /// Events before the end are missing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    cut: bool,
}

#[derive(Serialize, Deserialize)]
struct ResultForm {
    winner: Player,
    points: u32,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ActionName {
    Roll,
    Double,
    Take,
    Pass,
    Beaver,
    Resign,
}

#[derive(Serialize, Deserialize)]
struct ActionForm {
    player: Player,
    action: ActionName,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    roll: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    play: Option<String>,
    /// The position after an illegal play that was let stand, seen by the next player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    after: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    to: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    analysis: Option<Box<AnalysisForm>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    comment: Option<Box<str>>,
    /// A tree as written by [`Variations::to_json`](super::Variations::to_json). Its raw text takes no more
    /// memory than the file, and is parsed when the whole game is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    variations: Option<Box<RawValue>>,
}

#[derive(Serialize, Deserialize)]
struct PositionForm {
    id: String,
    /// The match is played without the Crawford rule, which an identifier cannot express.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    no_crawford: bool,
    /// Names of the player to decide and of the opponent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    players: Option<Box<[String; 2]>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    analysis: Option<Box<AnalysisForm>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    comment: Option<Box<str>>,
    /// The variations, in the same form as those of an action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    variations: Option<Box<RawValue>>,
}

/// Returns the match as a document with one line per game.
pub fn write(record: &Match) -> String {
    let others = record.others.iter();
    let others = others.map(|other| MatchDocument::new(other, Vec::new()));
    let document: FileDocument = MatchDocument::new(record, others.collect());
    // Writing numbers, strings and lists to a string cannot fail.
    let mut text = sanitize::to_json(&document).unwrap_or_default();
    text.push('\n');
    text
}

impl<Other> MatchDocument<Other> {
    fn new(record: &Match, matches: Vec<Other>) -> Self {
        Self {
            luckless: "match".to_owned(),
            version: VERSION,
            length: record.length,
            players: record.players.clone(),
            crawford: record.crawford,
            jacoby: record.rules.jacoby,
            beavers: record.rules.beavers,
            tags: record.tags.clone(),
            games: (0..record.games.len())
                .map(|index| GameForm::new(record, index))
                .collect(),
            positions: record.positions.iter().map(PositionForm::new).collect(),
            matches,
        }
    }
}

impl GameForm {
    fn new(record: &Match, index: usize) -> Self {
        let game = &record.games[index];
        let comment = |event: Option<usize>| {
            let own = record.comments.iter();
            let own = own.filter(|c| (c.game, c.event) == (index, event));
            let texts: Vec<&str> = own.map(|c: &Comment| c.text.as_str()).collect();
            (!texts.is_empty()).then(|| texts.join("\n"))
        };
        let decisions = record.decision_states(game);
        let actions = game.events.iter().zip(&decisions).enumerate();
        let actions = actions.map(|(i, (event, decision))| {
            let position = &decision.state.position;
            let analysis = record.analyses.of(index, i);
            ActionForm {
                analysis: analysis.map(|a| AnalysisForm::new(a, position)),
                comment: comment(Some(i)).map(Into::into),
                variations: record.variations.get(&(index, i)).and_then(trees::form),
                ..ActionForm::new(event, position)
            }
        });
        let set_up = game.start != Position::opening();
        Self {
            game: game.number,
            score: game.score,
            crawford: game.crawford,
            start: set_up.then(|| position_id(&game.start)),
            cube: (game.cube != 1).then_some(game.cube),
            owner: game.owner,
            comment: comment(None),
            actions: actions.collect(),
            result: game.result.map(|result| ResultForm {
                winner: result.winner,
                points: result.points,
            }),
            points_written: game.points_written,
            cut: game.is_cut,
        }
    }
}

impl ActionForm {
    /// Creates the form of an event at `position`, without analysis and remark.
    fn new(event: &Event, position: &Position) -> Self {
        let mut form = Self {
            player: event.player,
            action: ActionName::Roll,
            roll: None,
            play: None,
            after: None,
            to: None,
            analysis: None,
            comment: None,
            variations: None,
        };
        match event.action {
            Action::Move { roll, play } => {
                form.roll = Some(roll.to_string());
                form.play = Some(play_text(position, &play));
            }
            Action::Hidden { roll } => form.roll = Some(roll.to_string()),
            Action::Illegal { roll, after } => {
                form.roll = Some(roll.to_string());
                form.after = Some(position_id(&after));
            }
            Action::Double { to } => (form.action, form.to) = (ActionName::Double, Some(to)),
            Action::Take => form.action = ActionName::Take,
            Action::Pass => form.action = ActionName::Pass,
            Action::Beaver { to } => (form.action, form.to) = (ActionName::Beaver, Some(to)),
            Action::Resign => form.action = ActionName::Resign,
        }
        form
    }
}

impl PositionForm {
    fn new(lone: &LonePosition) -> Self {
        let position = &lone.state.position;
        Self {
            id: xgid_text(&lone.state),
            no_crawford: lone.state.rules.no_crawford,
            players: lone.players.clone(),
            analysis: lone
                .analysis
                .as_ref()
                .map(|a| AnalysisForm::of_lone(a, position)),
            comment: lone.comment.clone(),
            variations: lone.variations.as_deref().and_then(trees::form),
        }
    }
}

/// Reads a document.
///
/// # Errors
/// The fault, in one line.
pub(super) fn read(bytes: &[u8]) -> Result<Match, String> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut document: FileDocument =
        serde_json::from_slice(bytes).map_err(|error| clean(&error.to_string()))?;
    if document.version > VERSION {
        let found = document.version;
        return Err(format!("version {found} of the form; {VERSION} is read"));
    }
    let mut others = std::mem::take(&mut document.matches);
    let goes_beyond = others.len() == MOST_MATCHES;
    others.truncate(MOST_MATCHES - 1);
    let mut room = FileRoom {
        variations: MOST_IN_FILE,
        positions: MOST_POSITIONS,
    };
    let first = document.read(&mut room);
    let others = others.into_iter().map(|other| other.read(&mut room));
    let has_content = |record: &Match| !record.games.is_empty() || !record.positions.is_empty();
    let mut records = std::iter::once(first).chain(others).filter(has_content);
    let mut record = records.next().ok_or("no game and no position in it")?;
    record.others = records.collect();
    if goes_beyond {
        let warning = Warning::at(FilePlace::default(), beyond_the_last_match());
        record.warnings.insert(0, warning);
    }
    Ok(record)
}

/// How much more may be read from a file, over all its matches.
struct FileRoom {
    /// Number of actions in variations.
    variations: usize,
    positions: usize,
}

impl<Other> MatchDocument<Other> {
    /// Reads the match without further matches, within the room left.
    fn read(self, room: &mut FileRoom) -> Match {
        let players =
            [Player::Left, Player::Right].map(|player| name(&self.players[player.index()], player));
        let mut is_cut = false;
        let mut tags = Vec::with_capacity(self.tags.len());
        for (key, value) in self.tags {
            let (key, value) = (clean(&key), tag_value(&key, &value, &mut is_cut));
            tags.push((key, value));
        }
        let length = MatchLength::new(i64::from(self.length));
        let money = length.points == 0;
        let mut match_builder = MatchBuilder::new(Match {
            format: "json",
            encoding: "UTF-8",
            length: length.points,
            players,
            crawford: self.crawford && !money,
            rules: Rules {
                jacoby: self.jacoby && money,
                beavers: self.beavers && money,
                ..Rules::default()
            },
            tags,
            ..Match::default()
        });
        if let Some(complaint) = length.complaint {
            match_builder.warnings.add(FilePlace::default(), complaint);
        }
        if is_cut {
            match_builder.warnings.add(FilePlace::default(), REMARK_CUT);
        }
        for game in self.games {
            if !game.read(&mut match_builder, &mut room.variations) {
                break;
            }
        }
        let kept = self.positions.len().min(room.positions);
        room.positions -= kept;
        if kept < self.positions.len() {
            let warnings = &mut match_builder.warnings;
            warnings.add_too_many_positions(FilePlace::default());
        }
        for form in self.positions.into_iter().take(kept) {
            let mut complain =
                |message: String| match_builder.warnings.add(FilePlace::default(), message);
            match form.read(&mut room.variations, &mut complain) {
                Ok(position) => match_builder.record.positions.push(position),
                Err(error) => complain(error),
            }
        }
        match_builder.finish()
    }
}

/// Returns the value of a tag; a remark may have several lines and be longer. Sets `is_cut` if it was
/// shortened.
fn tag_value(key: &str, value: &str, is_cut: &mut bool) -> String {
    if key != "Remark" {
        return clean(value);
    }
    let (text, cut) = clean_lines(value);
    *is_cut |= cut;
    text
}

impl PositionForm {
    /// Reads the position. The actions of its variations are subtracted from `room`.
    fn read(
        self,
        room: &mut usize,
        complain: &mut impl FnMut(String),
    ) -> Result<LonePosition, String> {
        let mut state = parse_id(&self.id).map_err(|e| format!("'{}': {e}", clean(&self.id)))?;
        state.rules.no_crawford |= self.no_crawford;
        let mut list = PlayList::new();
        if let Some(roll) = state.roll {
            list.generate(&state.position, roll);
        }
        let find = |written: &WrittenPlay| {
            let resolved = written.resolve(&state.position, state.roll?, &list).ok()?;
            Some(resolved.play)
        };
        let tree = self.variations.as_deref();
        let tree = tree.map(|tree| trees::read_lone(&state, tree, room));
        let (variations, complaint) = tree.unwrap_or_default();
        let (comment, is_cut) = clean_lines(self.comment.as_deref().unwrap_or_default());
        let cut = is_cut.then(|| REMARK_CUT.to_owned());
        for message in complaint.into_iter().chain(cut) {
            complain(format!("'{}': {message}", clean(&self.id)));
        }
        let names = self.players;
        let names = names.map(|names| names.each_ref().map(|name| clean(name)));
        Ok(LonePosition {
            players: names.and_then(LonePosition::known_names),
            analysis: self.analysis.map(|analysis| analysis.read(find)),
            comment: (!comment.is_empty()).then(|| comment.into()),
            variations,
            ..LonePosition::new(state, 0)
        })
    }
}

impl GameForm {
    /// Adds the game to a match. Returns false when there are too many games.
    fn read(self, match_builder: &mut MatchBuilder, room: &mut usize) -> bool {
        let place = FilePlace::default();
        let score = Some(self.score);
        let mut builder = match_builder.begin(place, self.game, score, Some(self.crawford));
        let board = self.start.as_deref().map(parse_position);
        let cube = self.cube.filter(|&cube| is_value(cube));
        match board.unwrap_or(Ok(Position::opening())) {
            Ok(board) if !board.is_over() => {
                let start = Start {
                    board,
                    cube: cube.unwrap_or(1),
                    owner: self.owner,
                };
                builder = match_builder.set(place, builder, start);
            }
            Ok(_) | Err(_) => {
                let message = format!("game {}: its start is no position", self.game);
                match_builder.warnings.add(place, message);
            }
        }
        if let Some(comment) = &self.comment {
            builder.remark(place, comment);
        }
        builder.game.is_cut = self.cut;
        let resigned = self
            .actions
            .iter()
            .any(|a| matches!(a.action, ActionName::Resign));
        let trees = self.actions.into_iter();
        let trees = trees.filter_map(|form| form.read(&mut builder, place));
        let trees: Vec<(usize, Box<RawValue>)> = trees.collect();
        // Without a result nobody can have resigned, so nothing is missing.
        if !resigned && self.result.is_some() {
            builder.breaks_off();
        }
        let result = self.result.map(|result| GameResult {
            winner: result.winner,
            points: result.points,
        });
        if let Some(result) = result {
            builder.wins(place, result.winner, self.points_written);
        }
        let next = result.and_then(|result| {
            let mut next = self.score;
            let mine = &mut next[result.winner.index()];
            *mine = mine.checked_add(u16::try_from(result.points).ok()?)?;
            Some(next)
        });
        let index = match_builder.record.games.len();
        let goes_on = match_builder.end(place, builder, next);
        trees::read(match_builder, index, trees, room);
        goes_on
    }
}

impl ActionForm {
    /// Adds the action to a game. Returns the event's index and its unparsed variations.
    fn read(self, builder: &mut GameBuilder, place: FilePlace) -> Option<(usize, Box<RawValue>)> {
        let player = self.player;
        let before = builder.game.events.len();
        match self.action {
            ActionName::Roll => {
                let text = self.roll.unwrap_or_default();
                let Ok(roll) = text.parse::<Roll>() else {
                    builder.bad_dice(place, player, &text);
                    return None;
                };
                let after = self.after.as_deref().and_then(|id| parse_position(id).ok());
                let play = self.play.as_deref().map(WrittenPlay::parse);
                match (after, play) {
                    (Some(after), _) => builder.roll_to(place, player, roll, &after, LET_STAND),
                    (None, None) => builder.unplayed(place, player, roll),
                    (None, Some(Ok(written))) => {
                        builder.roll(place, player, roll, &written, None);
                    }
                    (None, Some(Err(_))) => {
                        let text = self.play.unwrap_or_default();
                        builder.bad_play(place, player, roll, &text);
                    }
                }
            }
            ActionName::Double => builder.double(place, player),
            ActionName::Take => builder.take(place, player),
            ActionName::Pass => builder.pass(place, player),
            ActionName::Beaver => builder.beaver(place, player),
            // The builder adds the resignation as an event when the game ends.
            ActionName::Resign => {
                if let Some(comment) = self.comment {
                    builder.remark_on_end(place, &comment);
                }
                return Some((before, self.variations?));
            }
        }
        if builder.game.events.len() == before || builder.is_cut() {
            return None;
        }
        if let Some(form) = self.analysis {
            let mut analysis = form.read(|written| builder.legal(written));
            builder.note_errors(&mut analysis);
            builder.analysed(analysis);
        }
        if let Some(comment) = self.comment {
            builder.remark(place, &comment);
        }
        Some((builder.game.events.len() - 1, self.variations?))
    }
}
