//! Order of the candidate list, kept steady during a rollout.

use std::time::{Duration, Instant};

use super::jobs::DecisionKey;
use crate::game::Position;

/// How long a new order must persist before rows move.
const HOLD: Duration = Duration::from_millis(700);

/// The displayed orders: by depth, and by equity regardless of depth.
#[derive(Debug, Default)]
pub struct Ranking {
    by_depth: HeldOrder,
    by_equity: HeldOrder,
}

impl Ranking {
    /// When an order must be checked again even without other events.
    pub fn due(&self) -> Option<Instant> {
        let orders = [&self.by_depth, &self.by_equity];
        let since = orders
            .into_iter()
            .flat_map(|order| [order.since, order.rolled_since])
            .flatten()
            .min();
        since.map(|since| since + HOLD)
    }

    /// The plays by depth of their figures, deepest first.
    pub fn by_depth(&self) -> &[Position] {
        &self.by_depth.shown
    }

    /// The plays by equity, regardless of depth.
    pub fn by_equity(&self) -> &[Position] {
        &self.by_equity.shown
    }

    /// Updates both orders (by depth, by equity) from the latest figures. Returns whether rows move.
    pub fn follow(&mut self, moment: Moment, [by_depth, by_equity]: [Vec<Position>; 2]) -> bool {
        let moves = self.by_depth.follow(moment, by_depth);
        self.by_equity.follow(moment, by_equity) || moves
    }
}

/// Data for which an order of candidates is valid.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    pub decision: DecisionKey,
    /// Combined search depth of its plays.
    pub depths: u64,
    /// Number of plays ranked by a rollout.
    pub rolled: usize,
    pub now: Instant,
    pub is_rolling: bool,
}

/// A displayed order, and a new one that has not yet persisted long enough.
#[derive(Debug, Default)]
struct HeldOrder {
    decision: Option<DecisionKey>,
    shown: Vec<Position>,
    proposed: Vec<Position>,
    since: Option<Instant>,
    depths: u64,
    /// Number of plays ranked by a rollout in the displayed order, and since when others are waiting to join them.
    rolled: usize,
    rolled_since: Option<Instant>,
}

impl HeldOrder {
    /// Updates the order from the latest figures. Returns whether rows move. A new order must persist only while a
    /// rollout runs and depths are unchanged. A play newly ranked by a rollout waits at most that long, even if
    /// others keep changing places.
    fn follow(&mut self, moment: Moment, order: Vec<Position>) -> bool {
        let Moment {
            decision,
            depths,
            rolled,
            now,
            is_rolling,
        } = moment;
        if self.shown == order && self.decision == Some(decision) {
            (self.since, self.depths) = (None, depths);
            (self.rolled_since, self.rolled) = (None, rolled);
            return false;
        }
        let is_new = self.decision != Some(decision) || self.depths != depths;
        let rolled_since = (rolled != self.rolled).then(|| *self.rolled_since.get_or_insert(now));
        let is_due = rolled_since.is_some_and(|since| now >= since + HOLD);
        if !is_new && is_rolling && !is_due {
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
            rolled,
            rolled_since: None,
        };
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::GameState;

    /// Plays with almost equal rollouts change places all the time. Another rolled-out play does not wait longer for
    /// that than for a new order.
    #[test]
    fn a_rolled_play_joins_the_others_while_they_change_places() {
        let begin = Instant::now();
        let [a, b, c] = [1, 2, 3].map(|point| {
            let mut position = Position::opening();
            position.mover.0[point] = 1;
            position
        });
        let mut ranking = Ranking::default();
        let mut follow = |millis, rolled, order: [Position; 3]| {
            let moment = Moment {
                decision: DecisionKey::of(&GameState::money(Position::opening())),
                depths: 9,
                rolled,
                now: begin + Duration::from_millis(millis),
                is_rolling: true,
            };
            ranking.follow(moment, [order.to_vec(), order.to_vec()]);
            ranking.by_depth().to_vec()
        };
        assert_eq!(follow(0, 1, [a, b, c]), [a, b, c]);
        for step in 0..7 {
            let order = if step % 2 == 0 { [c, a, b] } else { [a, c, b] };
            assert_eq!(follow(100 * step + 1, 2, order), [a, b, c], "{step}");
        }
        assert_eq!(follow(800, 2, [c, a, b]), [c, a, b]);
        // Mere changes of places must persist as before.
        assert_eq!(follow(900, 2, [a, c, b]), [c, a, b]);
        assert_eq!(follow(1650, 2, [a, c, b]), [a, c, b]);
    }
}
