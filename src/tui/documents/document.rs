//! The open document: a match or a position with everything known about it. An open variation keeps the match it
//! belongs to.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::match_decision::MatchDecision;
use super::notes::{NoteChange, NoteContent};
use super::places::ListPlace;
use super::standing::Standing;
use super::variation::{TreeLine, tree_lines, tree_place};
use super::variation_kind::VariationKind;
use crate::game::{GameState, Player, Roll};
use crate::match_file::{
    Action, DecisionState, EventPlace, Game, LonePosition, Match, NodeId, Variations,
};
use crate::review::{MatchTurn, MoveNumbers, StandardReview, TurnReview};
use crate::sanitize::clean_lines;
use crate::store::{MatchFingerprint, Notes, ReviewKey, UserSettings};

/// Variations by game and event.
pub(crate) type Trees = BTreeMap<EventPlace, Variations>;

/// Game and event of a standalone position.
const ALONE: EventPlace = (0, 0);

/// A match or a standalone position.
#[derive(Debug, Default)]
pub struct Document {
    /// Identifies the document for late messages.
    pub generation: u64,
    /// Name in the top line.
    pub title: String,
    /// Key of its review, if it is a match of a file.
    pub key: Option<ReviewKey>,
    /// The match; a standalone position is a match without games.
    pub record: Arc<Match>,
    /// Its index in a list of positions.
    pub list: Option<ListPlace>,
    /// That whole list.
    pub whole_list: Option<Arc<Match>>,
    /// The error selected last in the list of errors.
    pub gone_to: Option<MatchDecision>,
    /// The selected row in the list of imported verdicts.
    pub opinion: usize,
    /// All turns.
    pub turns: Arc<[MatchTurn]>,
    /// Turns with warnings from the file.
    pub warned: HashSet<usize>,
    /// The file's own remarks by turn, as opposed to the user's notes.
    pub remarks: HashMap<usize, String>,
    /// The standard review of each turn so far, the source of marks and totals.
    pub reviews: Vec<Option<Arc<TurnReview>>>,
    /// Whether the standard review of a turn is final.
    pub is_final: Vec<bool>,
    /// Whether the standard review was restored from the store.
    pub is_remembered: bool,
    /// Change of each turn's errors by the last ply of the standard review, in points.
    pub shifts: Vec<f32>,
    /// All reviews of a turn, by turn and plies.
    pub looks: HashMap<(usize, u8), Arc<TurnReview>>,
    /// Whether this is the bundled sample match, opened by default.
    pub is_sample: bool,
    /// The user's notes.
    pub notes: Notes,
    /// Notes before the user's changes, by place: notes read later from disk are older than these changes.
    pub written: HashMap<EventPlace, String>,
    /// Turns whose analysis failed, with the reason.
    pub failed: BTreeMap<usize, String>,
    pub variations: Trees,
    /// Places with changed variations: those read later from disk are older.
    pub varied: HashSet<EventPlace>,
    /// Places with unreadable stored variations, which must not be overwritten.
    pub sealed: HashSet<EventPlace>,
}

impl Document {
    /// A document of a match.
    pub fn of_match(record: Match, title: String, generation: u64) -> Self {
        let turns: Arc<[MatchTurn]> = crate::review::turns(&record).into();
        Self {
            generation,
            title,
            reviews: vec![None; turns.len()],
            is_final: vec![false; turns.len()],
            shifts: vec![0.0; turns.len()],
            warned: warned_turns(&record, &turns),
            remarks: remarks(&record, &turns),
            turns,
            variations: record.variations.clone(),
            record: Arc::new(record),
            ..Self::default()
        }
    }

    /// A document of one position.
    pub fn of_position(state: GameState, title: String, generation: u64) -> Self {
        let record = Match {
            length: state.score.length,
            crawford: state.has_crawford_rule(),
            players: Match::UNNAMED.map(Into::into),
            rules: state.rules,
            ..Match::default()
        };
        Self {
            generation,
            title,
            turns: Arc::from([MatchTurn::alone(state)]),
            reviews: vec![None],
            is_final: vec![false],
            shifts: vec![0.0],
            record: Arc::new(record),
            ..Self::default()
        }
    }

    /// A document of a position in a file, with the file's remarks.
    pub fn of_lone(lone: &LonePosition, title: String, generation: u64) -> Self {
        let mut document = Self::of_position(lone.state, title, generation);
        let record = Arc::make_mut(&mut document.record);
        record.positions = vec![lone.clone()];
        if let Some(players) = &lone.players {
            record.players.clone_from(players);
        }
        if let Some(tree) = &lone.variations {
            document.variations.insert(ALONE, (**tree).clone());
        }
        if let Some(comment) = &lone.comment {
            document.remarks.insert(0, clean_lines(comment).into());
        }
        document
    }

    /// A document of a line of a variation.
    pub fn of_line(
        record: Arc<Match>,
        turns: Vec<MatchTurn>,
        title: String,
        generation: u64,
    ) -> Self {
        Self {
            generation,
            title,
            reviews: vec![None; turns.len()],
            is_final: vec![false; turns.len()],
            shifts: vec![0.0; turns.len()],
            turns: turns.into(),
            record,
            ..Self::default()
        }
    }

    /// The players' names, if known.
    pub fn players(&self) -> Option<&[String; 2]> {
        let players = &self.record.players;
        (*players != Match::UNNAMED).then_some(players)
    }

    /// The fingerprint under which notes and variations of this document are stored.
    pub fn fingerprint(&self) -> MatchFingerprint {
        match self.turns.first() {
            Some(turn) if self.record.games.is_empty() => {
                MatchFingerprint::of_position(&turn.before.state)
            }
            _ => MatchFingerprint::of(&self.record),
        }
    }

    /// Builds a change of the note or variations at an event.
    pub fn note_change(&self, place: EventPlace, content: NoteContent) -> NoteChange {
        let mut turns = self.turns.iter();
        let turn = turns.find(|turn| turn.place() == place);
        let number = turn.map_or(0, |turn| turn.number);
        let about = match self.record.games.is_empty() {
            true => self.title.clone(),
            false => format!("{}, game {}, move {number}", self.title, place.0 + 1),
        };
        NoteChange {
            mark: self.fingerprint(),
            place,
            content,
            about,
            is_carried: false,
        }
    }

    pub fn record_with_variations(&self) -> Match {
        Match {
            variations: self.variations.clone(),
            ..(*self.record).clone()
        }
    }

    /// The match or position to write to a file, with variations, and notes as comments.
    pub fn record_to_write(&self) -> Match {
        if let (true, Some(turn)) = (self.record.games.is_empty(), self.turns.first()) {
            return Match {
                positions: vec![self.position_to_write(turn.before.state)],
                ..(*self.record).clone()
            };
        }
        let mut record = self.record_with_variations();
        record.add_notes(&self.notes);
        record
    }

    fn position_to_write(&self, state: GameState) -> LonePosition {
        let mut all = self.record.positions.iter();
        let known = all.find(|lone| lone.state == state).cloned();
        let tree = self.variations.get(&ALONE).filter(|tree| !tree.is_empty());
        let mut comment = self.remarks.get(&0).cloned().unwrap_or_default();
        let note = self.notes.get(&ALONE).map(|note| clean_lines(note));
        if let Some(note) = note.filter(|note| !comment.contains(&**note)) {
            comment = format!("{comment}\n{note}").trim().to_owned();
        }
        LonePosition {
            comment: (!comment.is_empty()).then(|| comment.into()),
            variations: tree.cloned().map(Box::new),
            ..known.unwrap_or_else(|| LonePosition::new(state, 0))
        }
    }

    /// Returns whether there are any variations.
    pub fn has_variations(&self) -> bool {
        self.variations.values().any(|tree| !tree.is_empty())
    }

    /// Returns whether there are variations of a turn.
    pub fn varies(&self, turn: &MatchTurn) -> bool {
        let tree = self.variations.get(&turn.place());
        tree.is_some_and(|tree| !tree.is_empty())
    }

    /// The decision at which the variations of a place start; `None` if it has no turn.
    pub fn root(&self, (game, event): EventPlace) -> Option<DecisionState> {
        let is_here = |turn: &&MatchTurn| turn.place() == (game, event);
        let turn = self.turns.iter().find(is_here)?;
        let mut root = turn.before;
        root.state.roll = None;
        // A standalone position is not the first roll of a game.
        root.event += usize::from(turn.action.is_none());
        Some(root)
    }

    /// The standard reviews with the changes by their last ply.
    pub fn standard_reviews(&self) -> Vec<StandardReview> {
        let all = self.reviews.iter().zip(&self.shifts);
        let standard = |(review, shift): (&Option<Arc<TurnReview>>, &f32)| {
            Some(StandardReview {
                review: review.clone()?,
                shift: *shift,
            })
        };
        all.filter_map(standard).collect()
    }

    /// The turns with a standard review, and their reviews.
    pub fn analysed_turns(&self) -> (Vec<MatchTurn>, Vec<StandardReview>) {
        let all = self.turns.iter().zip(&self.reviews);
        let turns = all.filter_map(|(turn, review)| review.is_some().then_some(*turn));
        (turns.collect(), self.standard_reviews())
    }

    /// Records that a turn could not be analysed. A stored or shallower review is kept.
    pub fn fail(&mut self, turn: usize, why: String) {
        if turn < self.turns.len() && !self.is_remembered {
            self.is_final[turn] = true;
            self.failed.insert(turn, why);
        }
    }

    /// Returns whether the standard review is complete.
    pub fn is_analysed(&self) -> bool {
        self.is_final.iter().all(|&s| s)
    }

    /// Stores the standard review of all turns. Deeper analyses of single turns made meanwhile are kept, because they
    /// include all plays.
    pub fn remember(&mut self, reviews: Vec<StandardReview>) {
        self.is_remembered = true;
        for (turn, standard) in reviews.into_iter().enumerate().take(self.turns.len()) {
            let StandardReview { review, shift } = standard;
            let look = self.looks.entry((turn, review.ply));
            look.or_insert_with(|| review.clone());
            self.shifts[turn] = shift;
            self.is_final[turn] = true;
            self.reviews[turn] = Some(review);
        }
    }

    /// Stores a review of a turn.
    pub fn analysed(&mut self, turn: usize, ply: u8, standing: Standing, review: Arc<TurnReview>) {
        if turn >= self.turns.len() {
            return;
        }
        // Results that were under way when the stored review arrived are ignored.
        if standing != Standing::Look && !self.is_remembered {
            if let Some(before) = &self.reviews[turn] {
                self.shifts[turn] = crate::review::shift(before, &review);
            }
            self.reviews[turn] = Some(review.clone());
            self.is_final[turn] = standing == Standing::Final;
        }
        self.looks.insert((turn, ply), review);
    }
}

/// The turn of a warning or remark; at the end of a broken-off game the last one.
pub(crate) fn warned_turn(turns: &[MatchTurn], (game, event): EventPlace) -> Option<usize> {
    let here = |turn: &MatchTurn| turn.game == game && turn.before.event >= event;
    let last = |turn: &MatchTurn| turn.game == game;
    let found = turns.iter().position(here);
    found.or_else(|| turns.iter().rposition(last))
}

/// The file's remarks by turn. A remark on a game belongs to its first turn, on its end to the last.
fn remarks(record: &Match, turns: &[MatchTurn]) -> HashMap<usize, String> {
    let mut all: HashMap<usize, String> = HashMap::new();
    for comment in &record.comments {
        let place = (comment.game, comment.event.unwrap_or(0));
        let Some(turn) = warned_turn(turns, place) else {
            continue;
        };
        let text = all.entry(turn).or_default();
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&clean_lines(&comment.text));
    }
    all
}

/// Returns whether the player of a turn resigned after rolling.
fn ends_resigned(record: &Match, turn: &MatchTurn) -> bool {
    let game = record.games.get(turn.game);
    let next = game.and_then(|game| game.events.get(turn.before.event + 1));
    next.is_some_and(|next| next.action == Action::Resign && next.player == turn.before.player)
}

/// Turns with warnings from the file, and turns whose play it does not contain.
fn warned_turns(record: &Match, turns: &[MatchTurn]) -> HashSet<usize> {
    let places = record.warnings.iter().filter_map(|warning| warning.turn);
    let warned = places.filter_map(|place| warned_turn(turns, place));
    let is_odd = |turn: &MatchTurn| {
        match turn.action {
            Some(Action::Illegal { .. }) => true,
            // A player who resigns after rolling makes no play.
            Some(Action::Hidden { .. }) => !ends_resigned(record, turn),
            _ => false,
        }
    };
    let odd = turns.iter().enumerate().filter(|(_, turn)| is_odd(turn));
    warned.chain(odd.map(|(i, _)| i)).collect()
}

/// Reviews of an action in a variation.
#[derive(Debug)]
pub struct KnownTurn {
    review: Option<Arc<TurnReview>>,
    is_final: bool,
    shift: f32,
    looks: Vec<(u8, Arc<TurnReview>)>,
}

impl KnownTurn {
    /// The error of not doubling before the roll, by the standard review.
    pub fn silent_error(&self) -> Option<f32> {
        let review = self.review.as_ref()?;
        review.silent_cube()?.error
    }

    /// The error of the action, by the standard review.
    pub fn error(&self) -> Option<f32> {
        let review = self.review.as_ref()?;
        let all = [review.error, self.silent_error()];
        all.into_iter().flatten().max_by(f32::total_cmp)
    }
}

/// The document displayed before the variation.
#[derive(Debug)]
pub struct Home {
    pub document: Document,
    /// The turn at which the variation starts.
    pub at: usize,
    /// The cube decision before that turn's roll, if that was displayed.
    pub before: Option<MatchTurn>,
}

/// The displayed variation.
#[derive(Debug)]
pub struct OpenVariation {
    /// Restored when the variation is closed.
    pub home: Home,
    /// Game and event at which it starts.
    pub place: EventPlace,
    /// The actions of the displayed line.
    pub line: Vec<NodeId>,
    /// Dice after the last action, if set.
    pub dice: Option<Roll>,
    /// Reviews of its actions.
    pub known: HashMap<NodeId, KnownTurn>,
    /// Removed actions, the latest last.
    pub removed: Vec<NodeId>,
    /// The turn that the program must play.
    pub program: Option<usize>,
    /// The side that the program always plays.
    pub opponent: Option<Player>,
    /// The player for whom the user decided last.
    pub decided: Option<Player>,
    pub kind: VariationKind,
    /// The match without events, for names and scores.
    record: Arc<Match>,
    /// Number of the move at which it starts.
    number: u32,
}

impl OpenVariation {
    /// Opens the variations of the displayed turn, without a line.
    pub fn new(home: Home, place: EventPlace, turn: &MatchTurn) -> Self {
        Self {
            record: Arc::new(bare(&home.document.record, turn)),
            home,
            place,
            line: Vec::new(),
            dice: None,
            known: HashMap::new(),
            removed: Vec::new(),
            program: None,
            opponent: None,
            decided: None,
            kind: VariationKind::Tried,
            number: turn.number,
        }
    }

    /// Displays a game of a match against the program up to the end of `line`; `turn` is its first.
    pub fn begin_game(&mut self, line: Vec<NodeId>, turn: &MatchTurn) {
        (self.line, self.dice, self.program) = (line, None, None);
        self.known.clear();
        self.removed.clear();
        if let VariationKind::Match(played) = &mut self.kind {
            played.rolled_before.clear();
            self.record = Arc::new(bare(played.in_file(), turn));
        }
    }

    /// The rows of the variations pane, and the row of turn `at`.
    pub fn rows(&self, at: usize) -> (Vec<TreeLine>, usize) {
        let Some(tree) = self.tree() else {
            return (Vec::new(), 0);
        };
        let lines = tree_lines(tree, &self.line);
        let place = tree_place(&self.line, &lines, at);
        (lines, place)
    }

    /// The tree of the displayed line.
    pub fn tree(&self) -> Option<&Variations> {
        match &self.kind {
            VariationKind::Tried => self.home.document.variations.get(&self.place),
            VariationKind::ByHand(hand) => Some(&hand.tree),
            VariationKind::Match(played) => Some(&played.tree),
        }
    }

    pub fn tree_mut(&mut self) -> Option<&mut Variations> {
        match &mut self.kind {
            VariationKind::Tried => self.home.document.variations.get_mut(&self.place),
            VariationKind::ByHand(hand) => Some(&mut hand.tree),
            VariationKind::Match(played) => Some(&mut played.tree),
        }
    }

    /// The action before turn `at` of the line.
    pub fn parent(&self, at: usize) -> Option<NodeId> {
        at.checked_sub(1).and_then(|i| self.line.get(i).copied())
    }

    /// Stores the reviews of the displayed line.
    pub fn remember(&mut self, document: &Document) {
        for (i, node) in self.line.iter().enumerate().take(document.reviews.len()) {
            let plies = 0..=UserSettings::MOST_PLIES;
            let look = |ply| Some((ply, document.looks.get(&(i, ply))?.clone()));
            let known = KnownTurn {
                review: document.reviews[i].clone(),
                is_final: document.is_final[i],
                shift: document.shifts[i],
                looks: plies.filter_map(look).collect(),
            };
            self.known.insert(*node, known);
        }
    }

    /// The line as a document.
    pub fn document(&self, generation: u64) -> Document {
        let title = self.home.document.title.clone();
        let turns = self.turns();
        let mut document = Document::of_line(self.record.clone(), turns, title, generation);
        for (i, node) in self.line.iter().enumerate().take(document.turns.len()) {
            let node_in_tree = self.tree().and_then(|tree| tree.node(*node));
            if let Some(comment) = node_in_tree.and_then(|node| node.comment.as_deref()) {
                document.remarks.insert(i, clean_lines(comment).into());
            }
            let Some(known) = self.known.get(node) else {
                continue;
            };
            document.reviews[i].clone_from(&known.review);
            document.is_final[i] = known.is_final;
            document.shifts[i] = known.shift;
            let looks = known.looks.iter();
            document
                .looks
                .extend(looks.map(|(ply, look)| ((i, *ply), look.clone())));
        }
        document
    }

    /// The turns of the line, and the pending decision.
    fn turns(&self) -> Vec<MatchTurn> {
        let Some(tree) = self.tree() else {
            return Vec::new();
        };
        let nodes = self.line.iter().filter_map(|id| tree.node(*id));
        let done = nodes.map(|node| (node.before, Some(node.action)));
        let last = tree.after(self.line.last().copied()).map(|mut before| {
            before.state.roll = self.dice;
            (before, None)
        });
        let mut numbers = MoveNumbers::starting_at(self.number);
        let turn = |(before, action): (DecisionState, Option<Action>)| MatchTurn {
            game: self.place.0,
            number: numbers.next(&before),
            before,
            action,
            resigned: None,
            is_of_match: matches!(self.kind, VariationKind::Match(_)),
        };
        done.chain(last).map(turn).collect()
    }
}

/// A match without events.
fn bare(record: &Match, turn: &MatchTurn) -> Match {
    let score = turn.before.state.score;
    let mut games: Vec<Game> = record.games.iter().map(head).collect();
    if games.is_empty() {
        games.push(Game {
            score: [score.mover, score.opponent],
            crawford: score.crawford,
            ..Game::default()
        });
    }
    Match {
        length: record.length,
        players: record.players.clone(),
        crawford: record.crawford,
        rules: record.rules,
        games,
        ..Match::default()
    }
}

fn head(game: &Game) -> Game {
    Game {
        number: game.number,
        score: game.score,
        crawford: game.crawford,
        ..Game::default()
    }
}
