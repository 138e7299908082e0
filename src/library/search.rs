//! A search through packed decisions: the best few in an order, and how many there are.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::{Filter, Likeness, MatchFit, PackedDecision};
use crate::review::marks::reaches;
use crate::words::counted_as;

/// What comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The largest error.
    #[default]
    Error,
    /// The largest loss of match-winning chance; money play, which has none, behind all matches by points.
    Loss,
    /// The newest match; within it the order of play.
    Newest,
}

/// A decision that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// The match.
    pub id: i64,
    pub decision: PackedDecision,
    /// Pips by which it differs, where positions like one are looked for.
    pub distance: Option<u32>,
}

impl Found {
    /// The side that decides: 0 left, 1 right.
    pub fn side(&self) -> usize {
        self.decision.player().index()
    }
}

/// What is looked for.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// Only decisions that fit.
    pub filter: Filter,
    /// Only errors of at least so many points.
    pub least: f32,
    /// Positions near to one come first, one of each game, and none of a game with that very decision.
    pub like: Option<Likeness>,
    /// What comes first where none is asked for.
    pub order: Order,
    /// So many are kept.
    pub most: usize,
}

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchResult {
    /// The first few, the first first.
    pub found: Vec<Found>,
    /// How many there are; where positions like one are looked for, one of each game.
    pub total: usize,
    /// Points that these gave away.
    pub error: f64,
    /// Matches that were left out since they are damaged.
    pub damaged: u32,
}

impl SearchResult {
    /// Says which matches were left out since they are damaged, if any were.
    pub fn damage(&self) -> Option<String> {
        let whose = || counted_as(self.damaged, ["match", "matches"]);
        (self.damaged > 0)
            .then(|| format!("decisions are damaged, and left out: those of {}", whose()))
    }
}

/// A search on its way.
#[derive(Debug)]
pub struct SearchRun<'a> {
    search: &'a Search,
    found: Vec<(Rank, Found)>,
    /// What comes no earlier is not among the first.
    bar: Option<Rank>,
    /// The place of the only result of a game, where positions like one are looked for.
    nearest: HashMap<(i64, u32), (Rank, Found)>,
    total: usize,
    error: f64,
}

/// What results are ordered by: smaller comes first. The last two tell equals apart, always alike.
type Rank = (f64, i64, usize);

fn earlier((x, i, p): Rank, (y, j, q): Rank) -> Ordering {
    x.total_cmp(&y).then((i, p).cmp(&(j, q)))
}

impl<'a> SearchRun<'a> {
    /// A search that has found nothing yet.
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

    /// Goes through the decisions of a match that fits as [`Filter::match_fit`] says; `newness` orders matches where the
    /// newest come first.
    pub fn visit(&mut self, id: i64, fit: &MatchFit, newness: f64, all: &[PackedDecision]) {
        if fit.is_none() {
            return;
        }
        // Games with the very decision that others are held against.
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
                // Of those equally near the ones with the same roll come first.
                (Some(distance), _) => {
                    let like = self.search.like.as_ref();
                    let other_roll = like.is_some_and(|like| !like.has_roll_of(one));
                    f64::from(distance) + if other_roll { 0.5 } else { 0.0 }
                }
                (None, Order::Error) => -f64::from(one.error()),
                // In money play there is no match to lose: behind all matches, by points.
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
        // Sorted now and then, so that memory stays small and time too.
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

    /// What was found.
    pub fn finish(mut self) -> SearchResult {
        if self.search.like.is_some() {
            // Of each game one can be listed. They are added in an order that is always the same.
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
