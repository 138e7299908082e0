//! What the plays of a rollout are worth beside each other.
//!
//! A race gives no more games to a play that is shown to be worse, while the best goes on. Their means then rest on
//! different games. The comparison knows them better by the games that both have, which is what it says of them. So
//! plays are ranked, and errors told, by the best of the comparison and its difference to each other play.

use super::job::Job;
use crate::game::Position;

impl Job {
    /// What a play is worth, in points, once it has trials: beside the best one where they are compared.
    #[must_use]
    pub fn equity_of(&self, result: &Position) -> Option<f64> {
        let own = self.result_of(result)?.equity.mean;
        Some(self.beside_best(self.place(result)?).unwrap_or(own))
    }

    /// The best play of a family less what it leads this other one by.
    fn beside_best(&self, play: usize) -> Option<f64> {
        let shown = self.result().filter(|_| self.is_family())?;
        let family = shown.family.as_ref()?;
        let is_open = |i: &usize| family.beaten.get(*i) != Some(&true);
        let mean = |i: usize| shown.candidates[i].equity.mean;
        let rolled = (0..shown.candidates.len()).filter(|&i| shown.candidates[i].trials > 0);
        let best = rolled
            .filter(is_open)
            .max_by(|&i, &j| mean(i).total_cmp(&mean(j)))?;
        let lead = family.difference(best, play).filter(|d| d.trials > 0)?;
        // What few games say of a play that is out does not put it first again.
        let most = match is_open(&play) {
            true => mean(best),
            false => mean(best).next_down(),
        };
        Some((mean(best) - lead.equity.mean).min(most))
    }

    /// What `played` gave away against the best play of this rollout, if it rolled out both that
    /// play and `best`, which was thought to be the best before, and has come far enough. Without
    /// the cube it tells no errors: those of the match are in cubeful points.
    #[must_use]
    pub fn error(&self, best: &Position, played: &Position) -> Option<f32> {
        let candidate = |r: &Position| self.result_of(r);
        let (a, b) = (candidate(best)?, candidate(played)?);
        if self.plays.len() < 2 || !self.is_cubeful() || !self.tells(a.trials.min(b.trials)) {
            return None;
        }
        let all = self.plays.iter();
        let most = all
            .filter_map(|play| self.equity_of(&play.result))
            .fold(f64::NEG_INFINITY, f64::max);
        Some((most - self.equity_of(played)?).max(0.0) as f32)
    }
}
