//! Animation of plays: checkers move for a moment.

use std::time::{Duration, Instant};

use crate::game::Position;
use crate::review::MatchTurn;
use crate::tui::board::picture::{Moving, Place};
use crate::tui::board::ways::ways;

/// Duration of the animation.
const DURATION: Duration = Duration::from_millis(180);
/// Time between frames.
const FRAME: Duration = Duration::from_millis(30);

/// An animated play.
#[derive(Clone, Debug)]
pub struct Motion {
    since: Instant,
    ways: Vec<(Place, Place)>,
}

impl Motion {
    /// The play between two consecutive turns, if it is visible.
    pub fn between(turn: &MatchTurn, next: &MatchTurn, now: Instant) -> Option<Self> {
        let (before, after) = (&turn.before, &next.before);
        let follows = turn.game == next.game && before.player != after.player;
        turn.played().filter(|_| follows)?;
        let ways = ways(&before.state.position, &after.state.position, before.player);
        (!ways.is_empty()).then_some(Self { since: now, ways })
    }

    /// Progress of the animation at `now`, from 0 to 1.
    fn way(&self, now: Instant) -> f32 {
        let gone = now.saturating_duration_since(self.since);
        let part = (gone.as_secs_f32() / DURATION.as_secs_f32()).min(1.0);
        // Decelerates like a hand.
        1.0 - (1.0 - part) * (1.0 - part)
    }

    /// Returns whether the animation is finished.
    pub fn is_over(&self, now: Instant) -> bool {
        now >= self.since + DURATION
    }

    /// Time of the next frame.
    pub fn next_frame(&self, now: Instant) -> Instant {
        (now + FRAME).min(self.since + DURATION)
    }

    /// The moving checkers at `now`.
    pub fn checkers(&self, now: Instant) -> Vec<Moving> {
        let way = self.way(now);
        let moving = |&(from, to): &(Place, Place)| Moving {
            player: from.player,
            from,
            to,
            way,
        };
        self.ways.iter().map(moving).collect()
    }

    /// The position after the play, seen by the opponent, without the moving checkers.
    pub fn without(&self, mut position: Position) -> Position {
        for (_, to) in &self.ways {
            let count = &mut position.opponent.0[to.point];
            *count = count.saturating_sub(1);
        }
        position
    }
}

#[cfg(test)]
mod tests {
    use crate::tui::testing::TestApp;
    use crate::tui::theme::Depth;

    /// Stepping to the next turn animates the checkers until they arrive.
    #[test]
    fn checkers_are_on_their_way_for_a_moment() {
        let mut bench = TestApp::new(Depth::True);
        bench.app.settings.animation = true;
        bench.keys("g g");
        assert!(bench.app.motion.is_none(), "nothing has been played before");
        bench.keys("l");
        let here = bench.draw(120, 40);
        assert!(bench.app.motion.is_some());
        bench.wait(60);
        assert!(bench.app.is_awaited, "the next frame is drawn at once");
        assert_ne!(bench.draw(120, 40), here);
        bench.wait(150);
        assert!(bench.app.motion.is_none());
        let there = bench.draw(120, 40);
        bench.app.settings.animation = false;
        bench.keys("h l");
        assert!(bench.app.motion.is_none());
        bench.app.status = None;
        assert_eq!(bench.draw(120, 40), there, "it ends where it leads");
    }

    /// A key during the animation has the same effect as without it.
    #[test]
    fn a_key_ends_it() {
        let mut bench = TestApp::new(Depth::True);
        bench.app.settings.animation = true;
        bench.keys("l l l");
        assert!(bench.app.motion.is_some());
        assert_eq!(bench.app.at, 3);
        bench.keys("j");
        assert!(bench.app.motion.is_none());
        assert!(bench.app.selection.play.is_some());
    }
}
