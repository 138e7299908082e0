//! A match that is played against the program, or transcribed: written down as two others play it.
//!
//! The game under way is the line of a tree of its own, walked like variations. After each action the whole match is
//! written to its file, so that nothing is lost and any program can read it. The dice depend on the seed in the file and
//! on the place in the match alone, and the file says where a player has rolled without doubling: a match that was left
//! goes on with the roll it had.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::later_games::LaterGames;
use super::variation::DiceCup;
use crate::cube::{Cube, Model};
use crate::game::{GameState, Player, Roll};
use crate::match_file::variations::{is_first_roll, may_double};
use crate::match_file::{Action, DecisionState, Match, NodeId, Variations};
use crate::review::rated_player::{RatedOption, RatedPlayer};
use crate::tui::keys::ActionId;

/// What the program is called in the file of a match.
pub const PROGRAM: &str = "Luckless";
/// What a person without a name is called in the file of a match.
pub const YOU: &str = "You";
/// The tag of the file that has the seed of its dice.
pub(super) const SEED: &str = "Dice seed";
/// The tag of the file that has the rating at which the program plays.
pub(super) const RATING: &str = "Program PR";
/// The tag of the file that has the place of the last roll before which the person could double, as
/// [`PlayedMatch::roll_place`] writes it.
const ROLLED: &str = "Rolled";
/// Equities that differ by no more than this count as equal where a resignation is weighed.
const HAIR: f32 = 0.001;
/// The places of the program's choices, behind those of rolls.
const CHOICES: u64 = 1 << 31;
/// The place of the first roll's winner among the places of a game: behind all others.
const STARTER: u64 = u32::MAX as u64;

/// A match in view that is played against the program, or transcribed.
#[derive(Debug)]
pub struct PlayedMatch {
    /// The match up to the game in view; events of that are those that were there when it came into view.
    pub record: Match,
    /// The games behind it, where an earlier game of a transcript is corrected.
    pub later: Option<LaterGames>,
    /// What was done in the last game.
    pub tree: Variations,
    /// Whose decisions are the person's; both players' where the match is transcribed.
    pub person: Option<Player>,
    /// Who begins the game in view, where a transcribed first roll says so.
    pub starter: Option<Player>,
    /// What the dice come from.
    pub seed: u64,
    /// The performance rating at which the program plays; as well as it can where there is none.
    pub rating: Option<f64>,
    /// How the game was given up.
    pub resigned: Option<Resignation>,
    /// The file of the match.
    pub file: PlayedFile,
    /// Whether the end of the game in view has been told.
    pub has_ended: bool,
    /// The play that the tutor has a look at, or has looked at: its generation, and what it gives away.
    pub weighed: Option<Weighed>,
    /// What the person decided last.
    pub last: Option<LastChoice>,
    /// Whether something was taken back, so that fewer actions may be newer.
    pub was_taken_back: bool,
    /// For each time that something was taken back and may be brought back, the tag [`ROLLED`] of before.
    pub rolled_before: Vec<Option<String>>,
    /// The game of a transcript as it was before something was taken back: by whom what was done. What stands behind the
    /// end of the line can be brought back.
    pub former: Vec<(Player, Action)>,
    /// How that game was given up behind its last action, until it is again or more is written.
    pub former_end: Option<FormerEnd>,
    /// Whether answers were hidden before.
    pub was_hidden: bool,
}

/// A game that was given up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resignation {
    /// Who has given it up.
    pub player: Player,
    /// Points that it loses.
    pub points: u32,
    /// The dice of the turn, if they had been rolled.
    pub roll: Option<Roll>,
}

/// A resignation that was taken back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FormerEnd {
    pub resigned: Resignation,
    /// The cube that its points are of.
    pub cube: u32,
}

/// The file of a match that is played.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedFile {
    /// What the match is known by while the program runs.
    pub number: u64,
    pub path: PathBuf,
    /// The match as it was read from it, written again.
    pub read: Arc<str>,
}

/// A match against the program as it was left.
#[derive(Clone, Debug)]
pub struct LeftMatch {
    pub file: PlayedFile,
    pub record: Box<Match>,
    /// Whether something was taken back, so that fewer actions may be newer.
    pub was_taken_back: bool,
    /// Whether all of it has been read from the file again: what is read later is newer.
    pub is_read: bool,
}

/// The match against the program that was played last.
#[derive(Clone, Debug)]
pub struct LastPlay {
    /// Its file.
    pub path: PathBuf,
    /// Whether it has come to its end, or its file is gone: there is nothing to go on with.
    pub is_over: bool,
    /// When it was played, in microseconds since 1970.
    pub micros: i64,
    /// The match as it was played here; `None` where that was another day.
    pub record: Option<Box<Match>>,
}

/// What is to be written to the file of a match that is played.
#[derive(Clone, Debug, PartialEq)]
pub struct WrittenMatch {
    pub file: PlayedFile,
    /// The whole match.
    pub text: String,
}

/// A match that goes on in another file, since another program has changed its own.
#[derive(Debug)]
pub struct MovedMatch {
    /// What the match is known by.
    pub number: u64,
    /// The file that was changed.
    pub from: PathBuf,
    /// The file of the match from now on.
    pub to: PathBuf,
}

/// A play of the person that the tutor looks at as deeply as at the best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weighed {
    /// What the analysis is known by.
    pub generation: u64,
    /// Place of the decision in the line.
    pub at: usize,
    /// The play.
    pub action: Action,
    /// What it gives away, in points, once that is known.
    pub cost: Option<f32>,
}

/// What the person decided last.
#[derive(Clone, Debug, PartialEq)]
pub struct LastChoice {
    pub name: String,
    /// What it gave away, in points, if that is known.
    pub cost: Option<f32>,
}

impl PlayedMatch {
    /// Whether both players' decisions are typed, and their dice.
    pub fn is_transcribed(&self) -> bool {
        self.person.is_none()
    }

    /// Whether the person has done something in a match against the program.
    pub fn is_begun(&self) -> bool {
        let mut events = self.record.games.iter().flat_map(|game| &game.events);
        events.any(|event| Some(event.player) == self.person)
    }

    /// Whether the person makes this player's decisions.
    pub fn decides(&self, player: Player) -> bool {
        self.person.is_none_or(|person| person == player)
    }

    /// How many actions of a transcript stood behind this many, and are not in its file any more.
    pub fn former_behind(&self, actions: usize) -> usize {
        self.former.len().saturating_sub(actions)
    }

    /// Remembers what is done in a line of a transcript, before a part of it is taken back.
    pub fn remember_former(&mut self, line: &[NodeId]) {
        let nodes = line.iter().filter_map(|id| self.tree.node(*id));
        let done: Vec<_> = nodes
            .map(|node| (node.before.player, node.action))
            .collect();
        if done.len() > self.former.len() {
            // What is written now stands where the game was given up.
            self.former_end = None;
        }
        let behind = self.former.split_off(done.len().min(self.former.len()));
        self.former = done;
        self.former.extend(behind);
    }

    /// Takes the resignation back that ended a transcript behind this line; it can be brought back with what is before it.
    pub fn take_end_back(&mut self, line: &[NodeId]) -> Option<Resignation> {
        let resigned = self.resigned.take()?;
        if line.len() < self.former.len() {
            // It stood in the place of what is still to be brought back.
            return Some(resigned);
        }
        self.remember_former(line);
        let after = self.tree.after(line.last().copied());
        let cube = after.map_or(0, |at| at.state.cube);
        self.former_end = Some(FormerEnd { resigned, cube });
        Some(resigned)
    }

    /// The resignation that can be brought back behind this line: all that was before it stands there, and the cube.
    pub fn end_to_bring_back(&self, line: &[NodeId]) -> Option<Resignation> {
        let end = self.former_end.filter(|_| self.resigned.is_none())?;
        let after = self.tree.after(line.last().copied())?;
        let is_turn = end.resigned.roll.is_none() || end.resigned.player == after.player;
        let fits = line.len() == self.former.len() && after.state.cube == end.cube;
        (fits && is_turn && !after.state.doubled).then_some(end.resigned)
    }

    /// Forgets what was taken back in the game before the one that comes into view.
    pub fn forget_former(&mut self) {
        self.former.clear();
        self.former_end = None;
    }

    /// Whether the match ends with the game in view.
    pub fn is_won_here(&self) -> bool {
        self.later.is_none() && self.record.is_won()
    }

    /// Whose points are told first: the person's, or else those of the player on the left.
    pub fn first(&self) -> Player {
        self.person.unwrap_or(Player::Left)
    }

    /// The next roll of the game after these actions. Doubles do not change it: it depends on how many rolls there have
    /// been.
    pub fn roll(&self, before: &DecisionState, line: &[NodeId]) -> Roll {
        let is_roll = |id: &&NodeId| match self.tree.node(**id) {
            Some(node) => matches!(node.action, Action::Move { .. }),
            None => false,
        };
        let rolls = line.iter().filter(is_roll).count() as u64;
        dice(self.seed, self.game(), rolls).roll(is_first_roll(before))
    }

    /// The option that the program chooses in a decision: for its own side as a player of its rating does,
    /// for the person's side the best.
    pub fn choose(&self, before: &DecisionState, options: &[RatedOption]) -> Option<RatedOption> {
        let rating = self.rating.filter(|_| !self.decides(before.player));
        let player = rating.map_or(RatedPlayer::BEST, RatedPlayer::of_rating);
        let place = CHOICES | before.event as u64;
        player.choose(options, dice(self.seed, self.game(), place).chance())
    }

    /// The place of a roll after so many actions of the game in view.
    fn roll_place(&self, actions: usize) -> String {
        format!("{}.{}", self.game() + 1, actions + 1)
    }

    /// Notes that the person has rolled without doubling after so many actions of the game.
    pub fn set_rolled(&mut self, actions: usize) {
        self.set_rolled_at(Some(self.roll_place(actions)));
    }

    fn set_rolled_at(&mut self, place: Option<String>) {
        if self.is_transcribed() {
            return;
        }
        self.set_tag(ROLLED, place);
    }

    /// Writes a tag of the file anew, or takes it out.
    pub(super) fn set_tag(&mut self, key: &str, value: Option<String>) {
        self.record.tags.retain(|(known, _)| known != key);
        let tag = value.map(|value| (key.to_owned(), value));
        self.record.tags.extend(tag);
    }

    /// Goes back to the decision after so many actions of the game; `with_dice`: to that on the play of a roll.
    pub fn take_back_to(&mut self, actions: usize, with_dice: bool) {
        let rolled = tag(&self.record, ROLLED).map(str::to_owned);
        self.rolled_before.push(rolled);
        self.set_rolled_at(with_dice.then(|| self.roll_place(actions)));
        self.went_back();
    }

    /// Takes back that the person has rolled without doubling.
    pub fn take_roll_back(&mut self) {
        self.set_rolled_at(None);
        self.went_back();
    }

    /// Brings back what was taken back last.
    pub fn bring_back(&mut self) {
        if let Some(rolled) = self.rolled_before.pop() {
            self.set_rolled_at(rolled);
        }
        self.went_back();
    }

    /// What was known of the last decision is of another one now.
    fn went_back(&mut self) {
        (self.last, self.weighed) = (None, None);
        self.has_ended = false;
        self.was_taken_back = true;
    }

    /// Whether the person has rolled without doubling after so many actions of the game.
    pub fn has_rolled(&self, actions: usize) -> bool {
        tag(&self.record, ROLLED) == Some(&self.roll_place(actions))
    }

    /// Which game is in view, from 0.
    pub fn game(&self) -> usize {
        self.record.games.len().saturating_sub(1)
    }
}

/// The fewest points for which the opponent takes a resignation in `state`: those that are worth no less than the
/// opponent expects of the game, where `equity` is that of the player who resigns (EMG).
pub fn points_to_resign(equity: f32, state: &GameState, model: &Model) -> u32 {
    let (context, cube) = (model.context(state), Cube::of(state));
    let loss = |size: i8| context.to_points(cube.level, context.result(cube, -size));
    let is_taken = |size: &i8| loss(*size) <= equity + HAIR;
    let size = [1, 2].into_iter().find(is_taken).unwrap_or(3);
    let times = state.rules.times_cube(size, state.owner);
    times.saturating_mul(state.cube)
}

/// Dice of a place in a game: of a roll, of a choice, or of who begins.
fn dice(seed: u64, game: usize, place: u64) -> DiceCup {
    DiceCup::at_place(seed, ((game as u64) << 32) | place)
}

/// Who begins a game of which nothing was played.
pub fn starter(seed: u64, game: usize) -> Player {
    dice(seed, game, STARTER).starter()
}

/// The seed of a match that was begun as a [`NewMatch`](super::new_match::NewMatch).
pub fn seed_of(record: &Match) -> Option<u64> {
    tag(record, SEED)?.parse().ok()
}

/// The rating at which the program plays in such a match.
pub fn rating_of(record: &Match) -> Option<f64> {
    let rating: f64 = tag(record, RATING)?.parse().ok()?;
    rating.is_finite().then_some(rating)
}

/// What a tag of the file of a match says.
pub(super) fn tag<'a>(record: &'a Match, key: &str) -> Option<&'a str> {
    let mut tags = record.tags.iter();
    let found = tags.find(|(known, _)| known == key);
    found.map(|(_, value)| value.as_str())
}

/// Whose decisions are the person's: not those of the program, which plays on the right unless it stands on the left.
pub fn person_of(record: &Match) -> Player {
    match record.players.each_ref().map(|name| name == PROGRAM) {
        [true, false] => Player::Right,
        _ => Player::Left,
    }
}

/// How many actions there are in a match.
pub fn actions(record: &Match) -> usize {
    record.games.iter().map(|game| game.events.len()).sum()
}

/// Whether a file of this name holds match text, the form in which such a match is written.
pub fn is_match_text(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("mat"))
}

/// Why a match cannot be gone on with; nothing if it can.
///
/// # Errors
/// The reason, in words.
pub fn can_go_on(record: &Match) -> Result<(), &'static str> {
    let is_text = record.format == "mat" && record.path.as_deref().is_none_or(is_match_text);
    match seed_of(record) {
        None => Err("only a match that was begun with `luckless play` can be gone on with"),
        Some(_) if !is_text => Err("only a .mat file can be gone on with: it is written anew"),
        Some(_) if record.is_won() => Err("the match is over: `luckless FILE` shows it"),
        // What could not be read would be lost.
        Some(_) if record.games.iter().any(|game| game.is_cut) => {
            Err("not all of the file could be read: the rest would be lost")
        }
        Some(_) => keeps_all(record),
    }
}

/// Whether nothing of a match gets lost when its file is written anew.
///
/// # Errors
/// What would be, in words.
pub(super) fn keeps_all(record: &Match) -> Result<(), &'static str> {
    let lacks_rule = tag(record, "Crawford") == Some("On") && !record.crawford;
    if !record.others.is_empty() {
        Err("the file holds more than one match")
    } else if record.length > 0 && lacks_rule {
        Err("the match is played by the Crawford rule: open it without --no-crawford")
    } else {
        Ok(())
    }
}

/// What the person is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchPrompt {
    /// Nothing: the program is at work.
    Wait,
    /// Double, or roll.
    Double,
    /// In a transcript: the dice, or a double.
    Dice,
    /// Take or pass.
    Answer,
    Play(Roll),
    NextGame,
    /// To look at the match, which is over.
    Over,
}

impl MatchPrompt {
    /// What is asked at the end of a line.
    pub fn at(played: &PlayedMatch, after: Option<&DecisionState>, dice: Option<Roll>) -> Self {
        let after = after.filter(|_| played.resigned.is_none());
        match (after, dice) {
            (None, _) if played.is_won_here() => Self::Over,
            (None, _) => Self::NextGame,
            (Some(at), _) if !played.decides(at.player) => Self::Wait,
            (Some(at), _) if at.state.doubled => Self::Answer,
            (Some(_), Some(roll)) => Self::Play(roll),
            (Some(_), None) if played.is_transcribed() => Self::Dice,
            (Some(at), None) if may_double(at) => Self::Double,
            (Some(_), None) => Self::Wait,
        }
    }

    /// Whether no game is under way.
    pub fn is_between_games(self) -> bool {
        matches!(self, Self::NextGame | Self::Over)
    }

    /// Whether an action is an answer to it.
    pub fn is_answered_by(self, id: ActionId) -> bool {
        match id {
            ActionId::Vary => matches!(self, Self::Play(_)),
            ActionId::Double => matches!(self, Self::Double | Self::Dice),
            ActionId::Dice => self == Self::Dice,
            ActionId::Take | ActionId::Pass | ActionId::Beaver => self == Self::Answer,
            ActionId::RollDice => matches!(
                self,
                Self::Double | Self::Dice | Self::NextGame | Self::Over
            ),
            ActionId::Program => matches!(self, Self::Double | Self::Answer | Self::Play(_)),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{CubeOwner, Position, Rules};
    use crate::tui::documents::new_match::NewMatch;

    #[test]
    fn a_game_is_given_up_for_as_little_as_is_taken() {
        let state = |owner, jacoby| GameState {
            cube: 2,
            owner,
            rules: Rules {
                jacoby,
                ..Rules::default()
            },
            ..GameState::money(Position::opening())
        };
        let resigned =
            |equity, state: &GameState| points_to_resign(equity, state, Model::standard());
        let owned = state(CubeOwner::Opponent, true);
        assert_eq!(resigned(0.3, &owned), 2);
        assert_eq!(resigned(-1.0, &owned), 2);
        assert_eq!(resigned(-1.2, &owned), 4);
        assert_eq!(resigned(-2.1, &owned), 6);
        // Without a double gammons do not count under the Jacoby rule.
        let centred = state(CubeOwner::Centred, true);
        assert_eq!(resigned(-1.0, &centred), 2);
        // Where a point wins the match no more is given.
        let mut last = owned;
        last.score = crate::game::MatchScore {
            length: 1,
            mover: 0,
            opponent: 0,
            crawford: false,
        };
        (last.cube, last.owner) = (1, CubeOwner::Centred);
        assert_eq!(resigned(-1.0, &last), 1);
    }

    fn begun(length: u16) -> Match {
        let begun = NewMatch {
            length,
            name: "Anna".into(),
            seed: 7,
            rating: Some(4.5),
            rules: Rules {
                jacoby: true,
                beavers: true,
                ..Rules::default()
            },
            ..NewMatch::default()
        };
        begun.record()
    }

    fn read_back(record: &Match) -> Match {
        let text = crate::match_file::write::Target::Mat.write(record);
        crate::match_file::read_bytes(text.as_bytes(), "own.mat").unwrap()
    }

    #[test]
    fn what_a_match_is_played_by_is_read_back() {
        for length in [0, 5] {
            let again = read_back(&begun(length));
            assert_eq!(can_go_on(&again), Ok(()), "{:?}", again.warnings);
            assert_eq!((seed_of(&again), rating_of(&again)), (Some(7), Some(4.5)));
            assert_eq!(
                (again.rules.jacoby, again.rules.beavers),
                (length == 0, length == 0)
            );
            assert_eq!(person_of(&again), Player::Left);
        }
    }

    #[test]
    fn what_cannot_be_written_back_is_not_gone_on_with() {
        assert!(can_go_on(&Match::default()).is_err());
        let again = read_back(&begun(5));
        for name in ["own.json", "own.txt", "own"] {
            let moved = Match {
                path: Some(name.into()),
                ..again.clone()
            };
            assert!(can_go_on(&moved).is_err(), "{name}");
        }
        let mut without = again;
        without.remove_crawford_rule();
        assert!(can_go_on(&without).is_err());
    }
}
