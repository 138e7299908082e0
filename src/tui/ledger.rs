//! What the match came to: its errors by cost, each player's figures, and its course. Read from the
//! standard review as far as it has come.

use super::state::App;
use crate::cube::{Cube, Model};
use crate::game::Player;
use crate::review::{Figures, Mark, Review, Turn};

/// An error and where it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// The turn.
    pub turn: usize,
    /// Whether it is the decision not to double before the roll.
    pub silent: bool,
    /// Points given away.
    pub error: f32,
}

/// The errors at the present threshold, of whose errors are wanted, the dearest first.
#[must_use]
pub fn rows(app: &App) -> Vec<Row> {
    let lines = app.thresholds();
    let mut rows = Vec::new();
    for (turn, review) in app.document.reviews.iter().enumerate() {
        let Some(review) = review else { continue };
        let player = app.document.turns[turn].moment.player;
        if app.options.whose.is_some_and(|whose| whose != player) {
            continue;
        }
        let silent = review.cube.filter(|_| !review.candidates.is_empty());
        let both = [
            (false, app.error(turn).map(|e| e.0)),
            (true, silent.and_then(|cube| cube.error)),
        ];
        for (silent, error) in both {
            let counts = |e: &f32| Mark::of(*e, &lines) >= app.options.threshold && *e > 0.0;
            if let Some(error) = error.filter(counts) {
                rows.push(Row {
                    turn,
                    silent,
                    error,
                });
            }
        }
    }
    rows.sort_by(|a, b| b.error.total_cmp(&a.error));
    rows
}

/// What a player's decisions and rolls come to.
#[must_use]
pub fn figures(app: &App, player: Player) -> Figures {
    let mut figures = Figures::default();
    let lines = app.thresholds();
    let reviews = app.document.turns.iter().zip(&app.document.reviews);
    for (turn, review) in reviews.filter(|(turn, _)| turn.moment.player == player) {
        let Some(review) = review else { continue };
        let cube = f64::from(turn.moment.state.cube);
        let point = review.point.map_or(cube, f64::from);
        for verdict in review.verdicts() {
            figures.add(&verdict, point, app.document.record.length, &lines);
        }
        if let Some(luck) = review.luck {
            figures.rolls += 1;
            figures.luck += f64::from(luck);
            figures.luck_stake += f64::from(luck) * point;
        }
    }
    figures
}

/// The left player's chance to win the match after the best play of each turn, or in money play the
/// equity with the cube counted: turn and value.
#[must_use]
pub fn course(app: &App) -> Vec<(usize, f64)> {
    let reviews = app.document.turns.iter().zip(&app.document.reviews);
    reviews
        .enumerate()
        .filter_map(|(i, (turn, review))| Some((i, value(turn, review.as_ref()?)?)))
        .collect()
}

fn value(turn: &Turn, review: &Review) -> Option<f64> {
    let state = &turn.moment.state;
    let best = review.candidates.first()?;
    let context = Model::standard().context(state);
    let stake = f64::from(context.from_points(Cube::of(state).level, best.equity));
    Some(match (turn.moment.player, context.is_money()) {
        (Player::Left, _) => stake,
        (Player::Right, true) => -stake,
        (Player::Right, false) => 1.0 - stake,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::testing::{Bench, text};
    use crate::tui::theme::Depth;

    #[test]
    fn errors_are_listed_by_cost_and_lead_to_their_place() {
        let mut bench = Bench::new(Depth::True);
        let all = rows(&bench.app);
        assert!(all.len() > 2);
        assert!(all.is_sorted_by(|a, b| a.error >= b.error));
        bench.keys("E");
        for (width, height) in [(80, 24), (120, 40)] {
            insta::assert_snapshot!(
                format!("errors_{width}x{height}"),
                text(&bench.draw(width, height))
            );
        }
        bench.keys("down enter");
        assert!(bench.app.overlay.is_none());
        assert_eq!(bench.app.at, all[1].turn);
        // Only one player's.
        bench.keys("w");
        let whose = bench.app.options.whose.unwrap();
        let turns = &bench.app.document.turns;
        let own = rows(&bench.app);
        assert!(own.iter().all(|r| turns[r.turn].moment.player == whose));
        assert!(!own.is_empty() && own.len() < all.len());
    }

    #[test]
    fn figures_and_course_cover_the_match() {
        let bench = Bench::new(Depth::True);
        let decided: u32 = [Player::Left, Player::Right]
            .iter()
            .map(|&p| figures(&bench.app, p).decisions)
            .sum();
        let judged = |r: &std::sync::Arc<Review>| r.verdicts().count() as u32;
        let all: u32 = bench
            .app
            .document
            .reviews
            .iter()
            .flatten()
            .map(judged)
            .sum();
        assert_eq!(decided, all);
        let course = course(&bench.app);
        assert!(course.len() > 10);
        let money = bench.app.document.record.length == 0;
        assert!(money || course.iter().all(|(_, v)| (-0.01..=1.01).contains(v)));
    }
}
