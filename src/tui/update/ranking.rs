//! The order of the candidates, which follows the figures as they come.

use std::cmp::Ordering;

use crate::game::Position;
use crate::tui::figures::candidate_rows::{FigureSource, figures};
use crate::tui::rollouts::jobs::Job;
use crate::tui::rollouts::ranking::{Moment, Ranking};
use crate::tui::state::App;

/// Looks at the order again; answers whether rows move.
pub(super) fn rerank(app: &mut App) -> bool {
    let (Some(decision), Some(review)) = (app.decision(), app.review().cloned()) else {
        app.ranking = Ranking::default();
        return true;
    };
    let rolled = app.jobs.ranked_plays(decision);
    let mut keyed: Vec<(FigureSource, f64, Position)> = review
        .candidates
        .iter()
        .map(|c| {
            let (level, equity) = figures(&rolled, c);
            (level, equity, c.result)
        })
        .collect();
    // A deeper review replaces all figures at once: its order counts from then on.
    let depths = review.candidates.iter().map(|c| u64::from(c.ply) + 1).sum();
    let is_rolling = app.jobs.about(decision).any(Job::is_live);
    let is_rolled = |key: &&(FigureSource, f64, Position)| key.0 == FigureSource::Rollout;
    let moment = Moment {
        decision,
        depths,
        rolled: keyed.iter().filter(is_rolled).count(),
        now: app.now,
        is_rolling,
    };
    let order =
        |keyed: &[(FigureSource, f64, Position)]| keyed.iter().map(|key| key.2).collect::<Vec<_>>();
    // Of the same depth the review has them in order, ties included.
    keyed.sort_by(|a, b| {
        let rolled = if a.0 == FigureSource::Rollout {
            b.1.total_cmp(&a.1)
        } else {
            Ordering::Equal
        };
        b.0.cmp(&a.0).then(rolled)
    });
    let by_depth = order(&keyed);
    keyed.sort_by(|a, b| b.1.total_cmp(&a.1));
    app.ranking.follow(moment, [by_depth, order(&keyed)])
}
