//! A match that is played against the program, or transcribed while two others play it.
//!
//! The current game is a line of a separate tree, walked like variations. After each action the whole match is
//! written to its file, so that nothing is lost and any program can read it. The dice depend only on the seed in the
//! file and the place in the match, and the file records rolls without doubling: a resumed match has the same next
//! roll.

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

/// Name of the program in match files.
pub const PROGRAM: &str = "Luckless";
/// Name of an unnamed person in match files.
pub const YOU: &str = "You";
/// File tag with the seed of the dice.
pub(super) const SEED: &str = "Dice seed";
/// File tag with the program's performance rating.
pub(super) const RATING: &str = "Program PR";
/// File tag with the place of the last roll before which the person could double, as written by
/// [`PlayedMatch::roll_place`].
const ROLLED: &str = "Rolled";
/// Equities within this distance count as equal for resignations.
const HAIR: f32 = 0.001;
/// Start of the places of the program's choices, after those of rolls.
const CHOICES: u64 = 1 << 31;
/// Place of the draw of the first player, after all others in a game.
const STARTER: u64 = u32::MAX as u64;

/// A displayed match that is played against the program, or transcribed.
#[derive(Debug)]
pub struct PlayedMatch {
    /// The match up to the displayed game, which has the events it had when it was displayed.
    pub record: Match,
    /// The later games, while an earlier game of a transcript is corrected.
    pub later: Option<LaterGames>,
    /// The actions of the last game.
    pub tree: Variations,
    /// The side played by the person; `None` in a transcript, where both sides are typed.
    pub person: Option<Player>,
    /// The first player of the displayed game, if a transcribed first roll decides it.
    pub starter: Option<Player>,
    /// Seed of the dice.
    pub seed: u64,
    /// Performance rating of the program; `None` for its full strength.
    pub rating: Option<f64>,
    /// The resignation that ended the game.
    pub resigned: Option<Resignation>,
    pub file: PlayedFile,
    /// Whether the end of the displayed game has been announced.
    pub has_ended: bool,
    /// The person's play that the tutor checks or has checked.
    pub weighed: Option<Weighed>,
    /// The person's last decision.
    pub last: Option<LastChoice>,
    /// Whether an action was undone, so that a state with fewer actions may be newer.
    pub was_taken_back: bool,
    /// The tag [`ROLLED`] before each undo that can be redone.
    pub rolled_before: Vec<Option<String>>,
    /// The transcript's game before an undo, with the player of each action. Actions after the end of the line can be
    /// redone.
    pub former: Vec<(Player, Action)>,
    /// The resignation that ended that game; cleared when redone or when an action is added.
    pub former_end: Option<FormerEnd>,
    /// Whether answers were hidden before.
    pub was_hidden: bool,
}

/// A resignation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resignation {
    /// The player who resigns.
    pub player: Player,
    /// Points lost.
    pub points: u32,
    /// The dice of the turn, if rolled.
    pub roll: Option<Roll>,
}

/// An undone resignation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FormerEnd {
    pub resigned: Resignation,
    /// Cube value on which its points are based.
    pub cube: u32,
}

/// The file of a played match.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedFile {
    /// Identifies the match while the program runs.
    pub number: u64,
    pub path: PathBuf,
    /// The match as read from the file, in written form.
    pub read: Arc<str>,
}

/// A match against the program that was left.
#[derive(Clone, Debug)]
pub struct LeftMatch {
    pub file: PlayedFile,
    pub record: Box<Match>,
    /// Whether an action was undone, so that a state with fewer actions may be newer.
    pub was_taken_back: bool,
    /// Whether it was completely read from the file again; later reads are then newer.
    pub is_read: bool,
}

/// The last match played against the program.
#[derive(Clone, Debug)]
pub struct LastPlay {
    pub path: PathBuf,
    /// Whether it is finished or its file is missing, so that it cannot be continued.
    pub is_over: bool,
    /// When it was played, in microseconds since 1970.
    pub micros: i64,
    /// The match as played in this session; `None` for an earlier one.
    pub record: Option<Box<Match>>,
}

/// A write to the file of a played match.
#[derive(Clone, Debug, PartialEq)]
pub struct WrittenMatch {
    pub file: PlayedFile,
    pub text: String,
}

/// A match that continues in another file, because another program has changed its own.
#[derive(Debug)]
pub struct MovedMatch {
    /// Identifies the match.
    pub number: u64,
    /// The changed file.
    pub from: PathBuf,
    /// The new file of the match.
    pub to: PathBuf,
}

/// A play of the person that the tutor analyses as deeply as the best one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weighed {
    /// Generation of the analysis.
    pub generation: u64,
    /// Index of the decision in the line.
    pub at: usize,
    pub action: Action,
    /// Its error in points, once known.
    pub cost: Option<f32>,
}

/// The person's last decision.
#[derive(Clone, Debug, PartialEq)]
pub struct LastChoice {
    pub name: String,
    /// Its error in points, if known.
    pub cost: Option<f32>,
}

impl PlayedMatch {
    /// Returns whether the decisions and dice of both players are typed.
    pub fn is_transcribed(&self) -> bool {
        self.person.is_none()
    }

    /// Returns whether the person has acted in a match against the program.
    pub fn is_begun(&self) -> bool {
        let mut events = self.record.games.iter().flat_map(|game| &game.events);
        events.any(|event| Some(event.player) == self.person)
    }

    /// Returns whether the person decides for this player.
    pub fn decides(&self, player: Player) -> bool {
        self.person.is_none_or(|person| person == player)
    }

    /// Number of actions of a transcript after this many that were undone and are no longer in the file.
    pub fn former_behind(&self, actions: usize) -> usize {
        self.former.len().saturating_sub(actions)
    }

    /// Remembers the actions of a transcript's line before some are undone.
    pub fn remember_former(&mut self, line: &[NodeId]) {
        let nodes = line.iter().filter_map(|id| self.tree.node(*id));
        let done: Vec<_> = nodes
            .map(|node| (node.before.player, node.action))
            .collect();
        if done.len() > self.former.len() {
            // The next action replaces the resignation.
            self.former_end = None;
        }
        let behind = self.former.split_off(done.len().min(self.former.len()));
        self.former = done;
        self.former.extend(behind);
    }

    /// Undoes the resignation that ended a transcript after this line; it can be redone.
    pub fn take_end_back(&mut self, line: &[NodeId]) -> Option<Resignation> {
        let resigned = self.resigned.take()?;
        if line.len() < self.former.len() {
            // Its place is taken by actions that can be redone.
            return Some(resigned);
        }
        self.remember_former(line);
        let after = self.tree.after(line.last().copied());
        let cube = after.map_or(0, |at| at.state.cube);
        self.former_end = Some(FormerEnd { resigned, cube });
        Some(resigned)
    }

    /// The resignation that can be redone after this line: only if the same actions and cube precede it.
    pub fn end_to_bring_back(&self, line: &[NodeId]) -> Option<Resignation> {
        let end = self.former_end.filter(|_| self.resigned.is_none())?;
        let after = self.tree.after(line.last().copied())?;
        let is_turn = end.resigned.roll.is_none() || end.resigned.player == after.player;
        let fits = line.len() == self.former.len() && after.state.cube == end.cube;
        (fits && is_turn && !after.state.doubled).then_some(end.resigned)
    }

    /// Forgets undone actions of the previously displayed game.
    pub fn forget_former(&mut self) {
        self.former.clear();
        self.former_end = None;
    }

    /// Returns whether the displayed game ends the match.
    pub fn is_won_here(&self) -> bool {
        self.later.is_none() && self.record.is_won()
    }

    /// The player whose points are shown first: the person, or else the left player.
    pub fn first(&self) -> Player {
        self.person.unwrap_or(Player::Left)
    }

    /// The next roll after these actions. It depends on the number of rolls, so doubles do not change it.
    pub fn roll(&self, before: &DecisionState, line: &[NodeId]) -> Roll {
        let is_roll = |id: &&NodeId| match self.tree.node(**id) {
            Some(node) => matches!(node.action, Action::Move { .. }),
            None => false,
        };
        let rolls = line.iter().filter(is_roll).count() as u64;
        dice(self.seed, self.game(), rolls).roll(is_first_roll(before))
    }

    /// Chooses the program's option: for its own side as a player of its rating does, for the person's side the best.
    pub fn choose(&self, before: &DecisionState, options: &[RatedOption]) -> Option<RatedOption> {
        let rating = self.rating.filter(|_| !self.decides(before.player));
        let player = rating.map_or(RatedPlayer::BEST, RatedPlayer::of_rating);
        let place = CHOICES | before.event as u64;
        player.choose(options, dice(self.seed, self.game(), place).chance())
    }

    /// Identifies a roll after `actions` actions of the displayed game.
    fn roll_place(&self, actions: usize) -> String {
        format!("{}.{}", self.game() + 1, actions + 1)
    }

    /// Records that the person has rolled without doubling after `actions` actions.
    pub fn set_rolled(&mut self, actions: usize) {
        self.set_rolled_at(Some(self.roll_place(actions)));
    }

    fn set_rolled_at(&mut self, place: Option<String>) {
        if self.is_transcribed() {
            return;
        }
        self.set_tag(ROLLED, place);
    }

    /// Sets or removes a tag of the file.
    pub(super) fn set_tag(&mut self, key: &str, value: Option<String>) {
        self.record.tags.retain(|(known, _)| known != key);
        let tag = value.map(|value| (key.to_owned(), value));
        self.record.tags.extend(tag);
    }

    /// Undoes back to the decision after `actions` actions; `with_dice`: to the play of its roll.
    pub fn take_back_to(&mut self, actions: usize, with_dice: bool) {
        let rolled = tag(&self.record, ROLLED).map(str::to_owned);
        self.rolled_before.push(rolled);
        self.set_rolled_at(with_dice.then(|| self.roll_place(actions)));
        self.went_back();
    }

    /// Undoes a roll without doubling.
    pub fn take_roll_back(&mut self) {
        self.set_rolled_at(None);
        self.went_back();
    }

    /// Redoes the last undo.
    pub fn bring_back(&mut self) {
        if let Some(rolled) = self.rolled_before.pop() {
            self.set_rolled_at(rolled);
        }
        self.went_back();
    }

    /// Clears data on the former last decision.
    fn went_back(&mut self) {
        (self.last, self.weighed) = (None, None);
        self.has_ended = false;
        self.was_taken_back = true;
    }

    /// Returns whether the person has rolled without doubling after `actions` actions.
    pub fn has_rolled(&self, actions: usize) -> bool {
        tag(&self.record, ROLLED) == Some(&self.roll_place(actions))
    }

    /// Index of the displayed game.
    pub fn game(&self) -> usize {
        self.record.games.len().saturating_sub(1)
    }
}

/// The fewest points for which the opponent accepts a resignation in `state`: they must be worth at least the opponent's
/// equity. `equity` is that of the resigning player (EMG).
pub fn points_to_resign(equity: f32, state: &GameState, model: &Model) -> u32 {
    let (context, cube) = (model.context(state), Cube::of(state));
    let loss = |size: i8| context.to_points(cube.level, context.result(cube, -size));
    let is_taken = |size: &i8| loss(*size) <= equity + HAIR;
    let size = [1, 2].into_iter().find(is_taken).unwrap_or(3);
    let times = state.rules.times_cube(size, state.owner);
    times.saturating_mul(state.cube)
}

/// The dice for a place in a game: a roll, a choice, or the draw of the first player.
fn dice(seed: u64, game: usize, place: u64) -> DiceCup {
    DiceCup::at_place(seed, ((game as u64) << 32) | place)
}

/// The first player of a game without actions.
pub fn starter(seed: u64, game: usize) -> Player {
    dice(seed, game, STARTER).starter()
}

/// The dice seed of a match begun as a [`NewMatch`](super::new_match::NewMatch).
pub fn seed_of(record: &Match) -> Option<u64> {
    tag(record, SEED)?.parse().ok()
}

/// The program's rating in such a match.
pub fn rating_of(record: &Match) -> Option<f64> {
    let rating: f64 = tag(record, RATING)?.parse().ok()?;
    rating.is_finite().then_some(rating)
}

/// The value of a tag of the match file.
pub(super) fn tag<'a>(record: &'a Match, key: &str) -> Option<&'a str> {
    let mut tags = record.tags.iter();
    let found = tags.find(|(known, _)| known == key);
    found.map(|(_, value)| value.as_str())
}

/// The side played by the person. The program plays on the right unless it is named on the left.
pub fn person_of(record: &Match) -> Player {
    match record.players.each_ref().map(|name| name == PROGRAM) {
        [true, false] => Player::Right,
        _ => Player::Left,
    }
}

/// Number of actions in a match.
pub fn actions(record: &Match) -> usize {
    record.games.iter().map(|game| game.events.len()).sum()
}

/// Returns whether a file name has the extension of match text, the format of played matches.
pub fn is_match_text(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("mat"))
}

/// Checks whether a match can be continued.
///
/// # Errors
/// The reason, in words.
pub fn can_go_on(record: &Match) -> Result<(), &'static str> {
    let is_text = record.format == "mat" && record.path.as_deref().is_none_or(is_match_text);
    match seed_of(record) {
        None => Err("only a match that was begun with `luckless play` can be gone on with"),
        Some(_) if !is_text => Err("only a .mat file can be gone on with: it is written anew"),
        Some(_) if record.is_won() => Err("the match is over: `luckless FILE` shows it"),
        // Text that could not be parsed would be lost.
        Some(_) if record.games.iter().any(|game| game.is_cut) => {
            Err("not all of the file could be read: the rest would be lost")
        }
        Some(_) => keeps_all(record),
    }
}

/// Checks that rewriting the file of a match would lose nothing.
///
/// # Errors
/// What would be lost, in words.
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

/// The decision required of the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchPrompt {
    /// None: the program works.
    Wait,
    /// Double or roll.
    Double,
    /// In a transcript: the dice, or a double.
    Dice,
    /// Take or pass.
    Answer,
    Play(Roll),
    NextGame,
    /// None: the match is over and can be reviewed.
    Over,
}

impl MatchPrompt {
    /// The prompt at the end of a line.
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

    /// Returns whether no game is in progress.
    pub fn is_between_games(self) -> bool {
        matches!(self, Self::NextGame | Self::Over)
    }

    /// Returns whether an action is possible at this prompt.
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
        // Under the Jacoby rule gammons only count after a double.
        let centred = state(CubeOwner::Centred, true);
        assert_eq!(resigned(-1.0, &centred), 2);
        // If one point wins the match, no more is offered.
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
