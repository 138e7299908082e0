//! The order of the candidate list: steady while a rollout runs.

use std::time::{Duration, Instant};

use super::jobs::DecisionKey;
use crate::game::Position;

/// A new order must hold this long before rows move.
const HOLD: Duration = Duration::from_millis(700);

/// The orders on screen: by depth, and by equity whatever the depth.
#[derive(Debug, Default)]
pub struct Ranking {
    by_depth: HeldOrder,
    by_equity: HeldOrder,
}

impl Ranking {
    /// When an order may have to be looked at again, though nothing else happens.
    #[must_use]
    pub fn due(&self) -> Option<Instant> {
        let orders = [&self.by_depth, &self.by_equity];
        let since = orders.into_iter().filter_map(|order| order.since).min();
        since.map(|since| since + HOLD)
    }

    /// The plays with the deepest figures first.
    #[must_use]
    pub fn by_depth(&self) -> &[Position] {
        &self.by_depth.shown
    }

    /// The plays by equity, whatever the depth.
    #[must_use]
    pub fn by_equity(&self) -> &[Position] {
        &self.by_equity.shown
    }

    /// Takes in the orders of the newest figures, by depth and by equity; answers whether rows move.
    pub fn follow(&mut self, moment: Moment, [by_depth, by_equity]: [Vec<Position>; 2]) -> bool {
        let moves = self.by_depth.follow(moment, by_depth);
        self.by_equity.follow(moment, by_equity) || moves
    }
}

/// Of what, and when, an order is.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// The decision in view.
    pub decision: DecisionKey,
    /// How deeply its plays are looked at, all together.
    pub depths: u64,
    /// When.
    pub now: Instant,
    /// Whether one of its rollouts runs.
    pub is_rolling: bool,
}

/// An order on screen, and a new one that has not held for long enough.
#[derive(Debug, Default)]
struct HeldOrder {
    decision: Option<DecisionKey>,
    shown: Vec<Position>,
    proposed: Vec<Position>,
    since: Option<Instant>,
    depths: u64,
}

impl HeldOrder {
    /// Takes in the order of the newest figures; answers whether rows move. Only while a rollout runs
    /// has it to hold, and only as long as the plays are looked at as deeply as before.
    fn follow(&mut self, moment: Moment, order: Vec<Position>) -> bool {
        let Moment {
            decision,
            depths,
            now,
            is_rolling,
        } = moment;
        if self.shown == order && self.decision == Some(decision) {
            (self.since, self.depths) = (None, depths);
            return false;
        }
        let is_new = self.decision != Some(decision) || self.depths != depths;
        if !is_new && is_rolling {
            if self.proposed != order || self.since.is_none() {
                (self.proposed, self.since) = (order, Some(now));
                return false;
            }
            if self.since.is_some_and(|since| now < since + HOLD) {
                return false;
            }
        }
        *self = Self {
            decision: Some(decision),
            shown: order,
            proposed: Vec::new(),
            since: None,
            depths,
        };
        true
    }
}
