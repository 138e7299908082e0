//! Continues games of a rollout by hand: dice, the program's plays, and results.
//!
//! Each request contains the whole game so far. It is replayed, which takes a few milliseconds, and continued until
//! the person must decide. The thread thus holds no game state, and none is lost with it.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crossbeam_channel::Sender;

use super::in_background;
use crate::cube::CubeChoice;
use crate::game::{Play, PlayList, Position, Roll};
use crate::match_file::Action;
use crate::rollout::by_hand::{HandTrial, Hands};
use crate::rollout::{Identity, Setup, ShardMerge, TrialRecord};
use crate::store::{HandKey, RolloutStore, StoreError};
use crate::tui::documents::by_hand::{HandMove, HandNews, HandPrompt, HandRequest, HandStart};
use crate::tui::message::Message;

/// How long to wait for the file of rollouts.
const STORE_TIMEOUT: Duration = Duration::from_secs(1);

/// Handles a request on a background thread and sends the result. Games are stored at `path`.
pub fn answer(
    number: u64,
    request: HandRequest,
    setup: Setup,
    path: Option<PathBuf>,
    messages: &Sender<Message>,
) {
    let work = move || news(&request, &setup, path).map(Box::new);
    let told = move |news| Message::ByHand { number, news };
    in_background("by hand", messages, work, told);
}

/// Releases an unfinished game in the background.
pub fn leave(start: Arc<HandStart>, hands: Hands, setup: Setup, path: PathBuf) {
    let work = move || {
        let games = Games::new(&start, hands, &setup, Some(path));
        let _ = games.with(|store, key| store.leave_game(key));
    };
    // Its number expires later in any case.
    let _ = thread::Builder::new().name("by hand".into()).spawn(work);
}

/// Handles a request. Returns the result.
///
/// # Errors
/// The reason, in one line, why the game cannot continue.
pub fn news(
    request: &HandRequest,
    setup: &Setup,
    path: Option<PathBuf>,
) -> Result<HandNews, String> {
    let mut games = Games::new(&request.start, request.hands, setup, path);
    let mut known: Vec<TrialRecord> = request.known.to_vec();
    let trial = match request.trial {
        Some(trial) => trial,
        None => games.next(&mut known),
    };
    let start = request.start.position();
    let settings = request.start.settings.clone();
    let game = HandTrial::new(setup, start, &settings, trial).map_err(|why| why.to_string())?;
    // The candidate's player has just played; before the roll it is the other player.
    let sign = if request.start.play.is_none() {
        -1.0
    } else {
        1.0
    };
    let mut table = Table {
        game,
        request,
        done: 0,
        new: Vec::new(),
        now: request.now,
    };
    let prompt = table.play_on()?;
    let prompt = match (prompt, table.game.record()) {
        (None, Some(record)) => {
            let ended = record.exported();
            games.keep(&mut known, record);
            HandPrompt::Over {
                plain: sign * ended.plain,
                luck: sign * (ended.plain - ended.variance_reduced),
            }
        }
        (Some(prompt), _) => prompt,
        (None, None) => return Err("the game has no end".into()),
    };
    let actions = table.new;
    let sum = sum(&request.start, setup, &known)?;
    Ok(HandNews {
        trial,
        actions,
        prompt,
        known: Arc::new(known),
        sum,
        trouble: games.trouble,
    })
}

/// The result of all games as a rollout; `None` without games.
fn sum(
    start: &HandStart,
    setup: &Setup,
    known: &[TrialRecord],
) -> Result<Option<Box<crate::rollout::CandidateResult>>, String> {
    if known.is_empty() {
        return Ok(None);
    }
    let settings = start.settings.clone().resolved(setup);
    let mut merge =
        ShardMerge::new(setup, vec![start.position()], &settings).map_err(|why| why.to_string())?;
    let mut all: Vec<&TrialRecord> = known.iter().collect();
    all.sort_by_key(|game| game.trial);
    merge.recount(all);
    let one = merge.result().candidates.into_iter().next();
    Ok(one.map(|one| match start.play {
        Some(_) => Box::new(one),
        None => Box::new(one.flipped()),
    }))
}

/// The store of games, if any.
struct Games {
    path: Option<PathBuf>,
    key: HandKey,
    label: crate::store::RolloutLabel,
    trouble: Option<String>,
}

impl Games {
    fn new(start: &HandStart, hands: Hands, setup: &Setup, path: Option<PathBuf>) -> Self {
        let settings = start.settings.clone().resolved(setup);
        let identity = Identity::new(setup, &settings, &[start.position()]);
        Self {
            path,
            key: HandKey::new(identity, hands),
            label: start.label.clone(),
            trouble: None,
        }
    }

    fn with<T>(
        &self,
        act: impl FnOnce(&mut RolloutStore, &HandKey) -> Result<T, StoreError>,
    ) -> Option<Result<T, StoreError>> {
        let path = self.path.as_ref()?;
        let store = RolloutStore::open_within(path, STORE_TIMEOUT);
        Some(store.and_then(|mut store| act(&mut store, &self.key)))
    }

    /// Reserves the number of the next game, and reads the stored games.
    fn next(&mut self, known: &mut Vec<TrialRecord>) -> u64 {
        let mut damage = None;
        let found = self.with(|store, key| {
            let kept = store.games(key, &mut |why| damage = Some(why))?;
            Ok((store.begin_game(key)?, kept))
        });
        self.trouble = damage;
        match found {
            Some(Ok((trial, kept))) => {
                add_new(known, kept);
                return trial;
            }
            Some(Err(why)) => self.trouble = Some(why.to_string()),
            None => {}
        }
        known.iter().map(|game| game.trial + 1).max().unwrap_or(0)
    }

    /// Stores a game, and earlier ones that could not be stored.
    fn keep(&mut self, known: &mut Vec<TrialRecord>, game: TrialRecord) {
        add_new(known, vec![game]);
        let kept = self.with(|store, key| {
            let kept = store.games(key, &mut |_| {})?;
            let is_new = |game: &&TrialRecord| !kept.iter().any(|k| k.trial == game.trial);
            let new: Vec<TrialRecord> = known.iter().filter(is_new).cloned().collect();
            store.keep_games(key, &self.label, &new)?;
            Ok(kept)
        });
        match kept {
            Some(Ok(kept)) => add_new(known, kept),
            Some(Err(why)) => self.trouble = Some(why.to_string()),
            None => {}
        }
    }
}

/// Adds games with new numbers.
fn add_new(known: &mut Vec<TrialRecord>, more: Vec<TrialRecord>) {
    for game in more {
        if !known.iter().any(|k| k.trial == game.trial) {
            known.push(game);
        }
    }
}

/// A game being continued.
struct Table<'a> {
    game: HandTrial<'a>,
    request: &'a HandRequest,
    /// Number of replayed actions of the request.
    done: usize,
    /// Actions after those.
    new: Vec<Action>,
    now: HandMove,
}

impl Table<'_> {
    /// Plays until the person must decide; `None` at the end of the game.
    fn play_on(&mut self) -> Result<Option<HandPrompt>, String> {
        while !self.game.is_over() {
            if self.game.may_double()
                && let Some(prompt) = self.cube()?
            {
                return Ok(Some(prompt));
            }
            if self.game.is_over() {
                break;
            }
            let before = *self.game.position();
            let roll = self.game.roll();
            let known = self.next();
            let result = match known {
                Some(Action::Move { roll: was, play }) if was == roll => Some(play.apply(&before)),
                Some(_) => return Err("the dice of this game were others".into()),
                None => match forced(&before, roll) {
                    Some(only) => Some(only),
                    None if self.decides(self.game.own_turn()) => {
                        return Ok(Some(HandPrompt::Play(roll)));
                    }
                    None => None,
                },
            };
            let (result, _) = self.game.play(roll, result);
            if known.is_none() {
                let play = Play::to(&before, roll, &result).ok_or("no such play")?;
                self.add(Action::Move { roll, play });
            }
        }
        match self.next() {
            Some(_) => Err("the game is over".into()),
            None => Ok(None),
        }
    }

    /// Handles the cube before a roll. Returns the prompt, if the person must decide.
    fn cube(&mut self) -> Result<Option<HandPrompt>, String> {
        let own = self.game.own_turn();
        let doubles = match self.peek() {
            Some(Action::Double { .. }) => {
                self.done += 1;
                true
            }
            Some(_) => return Ok(None),
            None if self.now == HandMove::Roll => {
                self.now = HandMove::Wait;
                return Ok(None);
            }
            // The dice are already rolled.
            None if self.now == HandMove::ProgramPlay => return Ok(None),
            None if self.decides(own) => return Ok(Some(HandPrompt::Double)),
            None => {
                let decision = self.game.decision(false);
                let doubles = decision.is_some_and(|decision| decision.action.doubles());
                if doubles {
                    self.add(Action::Double { to: 0 });
                }
                doubles
            }
        };
        if !doubles {
            return Ok(None);
        }
        let answer = match self.next() {
            Some(Action::Take) => CubeChoice::Take,
            Some(Action::Pass) => CubeChoice::Pass,
            Some(Action::Beaver { .. }) => CubeChoice::Beaver,
            Some(_) => return Err("a double waits for its answer".into()),
            None if self.decides(!own) => return Ok(Some(HandPrompt::Answer)),
            None => {
                let decision = self.game.decision(true);
                let answer = decision.and_then(|decision| decision.answer());
                let answer = answer.unwrap_or(CubeChoice::Take);
                self.add(match answer {
                    CubeChoice::Pass => Action::Pass,
                    CubeChoice::Beaver => Action::Beaver { to: 0 },
                    _ => Action::Take,
                });
                answer
            }
        };
        self.game.double(answer);
        Ok(None)
    }

    /// Returns whether the person decides for this side; the person may let the program decide once.
    fn decides(&mut self, own: bool) -> bool {
        // The candidate's player has just played.
        let is_candidates = own == self.request.start.play.is_some();
        let by_hand = match self.request.hands {
            Hands::Both => true,
            Hands::Own => is_candidates,
            Hands::Other => !is_candidates,
        };
        if by_hand && matches!(self.now, HandMove::Program | HandMove::ProgramPlay) {
            self.now = HandMove::Wait;
            return false;
        }
        by_hand
    }

    fn peek(&self) -> Option<Action> {
        self.request.actions.get(self.done).copied()
    }

    /// Takes the next known action.
    fn next(&mut self) -> Option<Action> {
        let next = self.peek()?;
        self.done += 1;
        Some(next)
    }

    fn add(&mut self, action: Action) {
        self.new.push(action);
        self.done = self.request.actions.len() + self.new.len();
    }
}

/// The only position after a roll; `None` if there is a choice.
fn forced(position: &Position, roll: Roll) -> Option<Position> {
    let list = PlayList::of(position, roll);
    match list.results() {
        [only] => Some(*only),
        _ => None,
    }
}
