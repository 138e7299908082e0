//! The play generator against one written straight from the rules.
//!
//! The rules, in the words of any rule book: a checker moves by one die to a point that the
//! opponent does not hold; checkers on the bar come first; with all checkers home they may be borne
//! off, by an exact die or, if nothing stands higher, by a larger one; as many dice as possible must
//! be played, in either order; if only one can be, the higher. The generator here does just that,
//! in all orders, and compares positions; it shares nothing with the fast one but [`Position`].

use std::collections::HashSet;

use luckless_engine::game::{PlayList, Position, Roll, Side};
use rand::Rng as _;
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// Positions compared, all different.
const POSITIONS: usize = 200_000;

/// Both sides' checkers in the coordinates of the player who moves: 25 is that player's bar, and
/// 0 the other's; checkers borne off are those that are missing. Four bits a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Board {
    mine: u128,
    theirs: u128,
}

/// One checker on place `p`.
fn one(p: usize) -> u128 {
    1 << (4 * p)
}

/// The checkers on place `p`.
fn count(side: u128, p: usize) -> u8 {
    (side >> (4 * p) & 15) as u8
}

/// Whether there are checkers on place `p` or higher.
fn from_up(side: u128, p: usize) -> bool {
    side >> (4 * p) != 0
}

/// A side in the other player's coordinates.
fn mirrored(side: u128) -> u128 {
    (0..=25).fold(0, |turned, p| {
        turned | (side >> (4 * p) & 15) << (4 * (25 - p))
    })
}

impl Board {
    fn new(mine: &Side, theirs: &Side) -> Self {
        let mut board = Self { mine: 0, theirs: 0 };
        for p in 1..=25 {
            board.mine |= u128::from(mine.at(p)) << (4 * p);
            board.theirs |= u128::from(theirs.at(p)) << (4 * (25 - p));
        }
        board
    }

    fn of(position: &Position) -> Self {
        Self::new(&position.mover, &position.opponent)
    }

    /// Of the position after a play, which is seen by the opponent.
    fn after(result: &Position) -> Self {
        Self::new(&result.opponent, &result.mover)
    }

    fn position(&self) -> Position {
        let side = |side: u128| {
            let counts = std::array::from_fn(|p| count(side, p));
            Side::new(&counts).expect("no more than fifteen checkers")
        };
        Position::new(side(self.mine), side(mirrored(self.theirs))).expect("a position met in play")
    }

    fn flipped(&self) -> Self {
        Self {
            mine: mirrored(self.theirs),
            theirs: mirrored(self.mine),
        }
    }

    fn is_home(&self) -> bool {
        !from_up(self.mine, 7)
    }

    /// Adds every board after one checker is moved by `die`.
    fn by_one_die(&self, die: usize, boards: &mut Vec<Self>) {
        let lowest = if from_up(self.mine, 25) { 25 } else { 1 };
        for from in lowest..=25 {
            if count(self.mine, from) == 0 {
                continue;
            }
            let mut board = *self;
            board.mine -= one(from);
            if from > die {
                let to = from - die;
                match count(self.theirs, to) {
                    0 => {}
                    1 => board.theirs = board.theirs - one(to) + one(0),
                    _ => continue,
                }
                board.mine += one(to);
            } else if !self.is_home() || (from < die && from_up(self.mine, from + 1)) {
                continue;
            }
            boards.push(board);
        }
    }

    /// Every board after the roll is played, in order.
    fn by_roll(&self, roll: Roll) -> Vec<Self> {
        let (high, low) = (usize::from(roll.high()), usize::from(roll.low()));
        let mut last = vec![*self];
        if high == low {
            for _ in 0..4 {
                let next = by_each(&last, high);
                if next.is_empty() {
                    break;
                }
                last = next;
            }
            return last;
        }
        let highs = by_each(&last, high);
        let lows = by_each(&last, low);
        let mut both = by_each(&highs, low);
        both.extend(by_each(&lows, high));
        last = [both, highs, lows]
            .into_iter()
            .find(|boards| !boards.is_empty())
            .unwrap_or(last);
        last.sort_unstable();
        last.dedup();
        last
    }

    fn pips(&self) -> usize {
        (1..26).map(|p| p * usize::from(count(self.mine, p))).sum()
    }

    /// Checkers of the mover on the places `from` to `to`.
    fn between(&self, from: usize, to: usize) -> usize {
        (from..=to).map(|p| usize::from(count(self.mine, p))).sum()
    }
}

/// Every board after one more checker of each board is moved by `die`, in order, each once.
fn by_each(boards: &[Board], die: usize) -> Vec<Board> {
    let mut next = Vec::with_capacity(16 * boards.len());
    for board in boards {
        board.by_one_die(die, &mut next);
    }
    next.sort_unstable();
    next.dedup();
    next
}

/// How one player of a game chooses, so that games go everywhere.
#[derive(Clone, Copy)]
enum Style {
    /// Any play.
    Random,
    /// Home as fast as possible: races and bearoffs.
    Run,
    /// Hits whatever can be hit: many checkers on both bars.
    Hit,
    /// Keeps the rearmost checkers back: backgames.
    Wait,
}

impl Style {
    fn of(n: u32) -> Self {
        [Self::Random, Self::Run, Self::Hit, Self::Wait][n as usize % 4]
    }

    /// Larger is liked better.
    fn likes(self, board: &Board) -> usize {
        match self {
            Self::Random => 0,
            Self::Run => 1000 - 10 * board.between(7, 25) - board.pips(),
            Self::Hit => usize::from(count(board.theirs, 0)),
            Self::Wait => board.between(19, 25),
        }
    }

    fn choose(self, boards: &[Board], rng: &mut ChaCha8Rng) -> Board {
        let best = boards.iter().map(|board| self.likes(board)).max();
        let anything = rng.random_range(0..6) == 0;
        let liked: Vec<&Board> = boards
            .iter()
            .filter(|board| anything || Some(self.likes(board)) == best)
            .collect();
        *liked[rng.random_range(0..liked.len())]
    }
}

/// Different positions met in random games from the opening.
fn reachable(count: usize) -> Vec<Board> {
    let mut seen = HashSet::new();
    let mut boards = Vec::new();
    let mut rng = ChaCha8Rng::seed_from_u64(20_240_229);
    let mut game = 0;
    while boards.len() < count {
        let styles = [Style::of(game), Style::of(game / 4)];
        let mut board = Board::of(&Position::opening());
        game += 1;
        for ply in 0..400 {
            if seen.insert(board) {
                boards.push(board);
            }
            let plays = board.by_roll(Roll::ordered(rng.random_range(0..36)));
            board = styles[ply % 2].choose(&plays, &mut rng);
            if board.pips() == 0 {
                break;
            }
            board = board.flipped();
        }
    }
    boards.truncate(count);
    boards
}

/// What is wrong with the fast list for one position, in all rolls.
fn compare(board: &Board, list: &mut PlayList) -> Option<String> {
    let position = board.position();
    for roll in Roll::ALL {
        list.generate(&position, roll);
        let mut fast: Vec<Board> = list.results().iter().map(Board::after).collect();
        fast.sort_unstable();
        fast.dedup();
        if fast.len() < list.len() {
            return Some(format!("{roll} twice the same result: {position:?}"));
        }
        let slow = board.by_roll(roll);
        if fast != slow {
            let (fast, slow) = (fast.len(), slow.len());
            return Some(format!("{roll}: {fast} plays, not {slow}: {position:?}"));
        }
        let carried_out = list.plays().iter().map(|play| play.apply(&position));
        if !carried_out.eq(list.results().iter().copied()) {
            return Some(format!(
                "{roll}: a play does not lead to its result: {position:?}"
            ));
        }
    }
    None
}

#[test]
fn every_play_once_in_reachable_positions() {
    let boards = reachable(POSITIONS);
    // The sample goes where generators go wrong.
    let share = |which: fn(&Board) -> bool| {
        boards.iter().filter(|b| which(b)).count() * 1000 / boards.len()
    };
    let home = share(Board::is_home);
    let on_bar = share(|b| b.between(25, 25) > 1);
    let few = share(|b| b.between(1, 25) <= 5);
    let backgame = share(|b| b.between(19, 24) >= 4);
    assert!(
        home >= 20 && on_bar >= 20 && few >= 10 && backgame >= 20,
        "per mille: home {home}, two on the bar {on_bar}, five or fewer left {few}, backgames {backgame}"
    );
    let wrong: Vec<String> = boards
        .par_iter()
        .map_init(PlayList::new, |list, board| compare(board, list))
        .flatten()
        .collect();
    assert!(
        wrong.is_empty(),
        "{} positions differ; first: {}",
        wrong.len(),
        wrong[0]
    );
}

/// Distinct plays of the 21 rolls from the opening, as published by many generators.
#[test]
fn opening_counts() {
    let doubles = [42, 75, 73, 52, 4, 11];
    let others = [
        (21, 15),
        (31, 16),
        (41, 14),
        (51, 8),
        (61, 10),
        (32, 17),
        (42, 18),
        (52, 8),
        (62, 14),
        (43, 17),
        (53, 9),
        (63, 14),
        (54, 9),
        (64, 14),
        (65, 7),
    ];
    let doubles = (1..).map(|die| die * 11).zip(doubles);
    let mut list = PlayList::new();
    for (dice, plays) in doubles.chain(others) {
        let roll: Roll = dice.to_string().parse().unwrap();
        list.generate(&Position::opening(), roll);
        assert_eq!(list.len(), plays, "{dice}");
        let slow = Board::of(&Position::opening()).by_roll(roll);
        assert_eq!(slow.len(), plays, "{dice}, slowly");
    }
}
