//! Searches packed decisions: the best few in an order, and their total number.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::{Filter, Likeness, MatchFit, PackedDecision};
use crate::review::marks::reaches;
use crate::words::counted_as;

/// Order of the results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Largest error first.
    #[default]
    Error,
    /// Largest loss of match-winning chance first; money decisions follow all matches, by points.
    Loss,
    /// Newest match first; within a match in the order of play.
    Newest,
}

/// A search result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    pub id: i64,
    pub decision: PackedDecision,
    /// Distance in pips, in a search for similar positions.
    pub distance: Option<u32>,
}

impl Found {
    /// The side that decides: 0 left, 1 right.
    pub fn side(&self) -> usize {
        self.decision.player().index()
    }
}

/// A search.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// Only decisions that pass.
    pub filter: Filter,
    /// Only errors of at least this many points.
    pub least: f32,
    /// Sort by similarity to this position, one result per game; games that contain this very decision are left out.
    pub like: Option<Likeness>,
    /// Order of the results, if `like` is not set.
    pub order: Order,
    /// Maximum number of results.
    pub most: usize,
}

/// The results of a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchResult {
    /// The first results, in order.
    pub found: Vec<Found>,
    /// Number of all results; in a search for similar positions, one per game.
    pub total: usize,
    /// Sum of their errors in points.
    pub error: f64,
    /// Number of matches left out because they are damaged.
    pub damaged: u32,
}

impl SearchResult {
    /// Returns a message about damaged matches, if there were any.
    pub fn damage(&self) -> Option<String> {
        let whose = || counted_as(self.damaged, ["match", "matches"]);
        (self.damaged > 0)
            .then(|| format!("decisions are damaged, and left out: those of {}", whose()))
    }
}

/// A search in progress.
#[derive(Debug)]
pub struct SearchRun<'a> {
    search: &'a Search,
    found: Vec<(Rank, Found)>,
    /// Results ranked at or after this are not among the first.
    bar: Option<Rank>,
    /// The nearest result of each game, in a search for similar positions.
    nearest: HashMap<(i64, u32), (Rank, Found)>,
    total: usize,
    error: f64,
}

/// Sort key of a result, smaller first. The last two fields break ties deterministically.
type Rank = (f64, i64, usize);

fn earlier((x, i, p): Rank, (y, j, q): Rank) -> Ordering {
    x.total_cmp(&y).then((i, p).cmp(&(j, q)))
}

impl<'a> SearchRun<'a> {
    pub fn new(search: &'a Search) -> Self {
        Self {
            search,
            found: Vec::new(),
            bar: None,
            nearest: HashMap::new(),
            total: 0,
            error: 0.0,
        }
    }

    /// Searches the decisions of a match, which passed as `fit` describes. `newness` orders matches for
    /// [`Order::Newest`].
    pub fn visit(&mut self, id: i64, fit: &MatchFit, newness: f64, all: &[PackedDecision]) {
        if fit.is_none() {
            return;
        }
        // Games that contain the reference decision.
        let own: Vec<u32> = match &self.search.like {
            Some(like) => all
                .iter()
                .filter(|one| like.is(one))
                .map(PackedDecision::game)
                .collect(),
            None => Vec::new(),
        };
        for (place, one) in all.iter().enumerate() {
            if !reaches(one.error(), self.search.least) || !self.search.filter.fits(fit, one) {
                continue;
            }
            let distance = match &self.search.like {
                None => None,
                Some(_) if own.contains(&one.game()) => continue,
                Some(like) => match like.distance(one) {
                    None => continue,
                    near => near,
                },
            };
            self.total += 1;
            self.error += f64::from(one.error());
            let rank = match (distance, self.search.order) {
                // Of equally distant positions those with the same roll come first.
                (Some(distance), _) => {
                    let like = self.search.like.as_ref();
                    let other_roll = like.is_some_and(|like| !like.has_roll_of(one));
                    f64::from(distance) + if other_roll { 0.5 } else { 0.0 }
                }
                (None, Order::Error) => -f64::from(one.error()),
                // Money play has no match to lose: after all matches, by points.
                (None, Order::Loss) if one.length() == 0 => 1.0 / (1.0 + f64::from(one.error())),
                (None, Order::Loss) => -f64::from(one.loss()),
                (None, Order::Newest) => -newness,
            };
            let found = Found {
                id,
                decision: *one,
                distance,
            };
            self.add((rank, id, place), found);
        }
    }

    fn add(&mut self, rank: Rank, found: Found) {
        if self.bar.is_some_and(|bar| bar <= rank) {
            return;
        }
        if found.distance.is_some() {
            let place = self.nearest.entry((found.id, found.decision.game()));
            let best = place.or_insert((rank, found));
            if rank < best.0 {
                *best = (rank, found);
            }
            return;
        }
        self.found.push((rank, found));
        // Sorted from time to time, to bound memory and time.
        if self.found.len() >= 2 * self.search.most + 4096 {
            self.shorten();
        }
    }

    fn shorten(&mut self) {
        self.found.sort_by(|a, b| earlier(a.0, b.0));
        self.found.truncate(self.search.most);
        let full = self.found.len() == self.search.most;
        self.bar = self.found.last().filter(|_| full).map(|last| last.0);
    }

    /// Returns the results.
    pub fn finish(mut self) -> SearchResult {
        if self.search.like.is_some() {
            // One per game. Added in a deterministic order.
            self.found = std::mem::take(&mut self.nearest).into_values().collect();
            self.found.sort_by(|a, b| earlier(a.0, b.0));
            self.total = self.found.len();
            let errors = self.found.iter().map(|(_, one)| one.decision.error());
            self.error = errors.map(f64::from).sum();
        }
        self.shorten();
        SearchResult {
            found: self.found.into_iter().map(|(_, found)| found).collect(),
            total: self.total,
            error: self.error,
            damaged: 0,
        }
    }
}
