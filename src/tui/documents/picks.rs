//! Choosing a play on the board: each click selects a point that a checker leaves or reaches, and filters the plays.

use crate::eval::Candidate;
use crate::game::Position;
use crate::game::position::{BAR, OFF};

/// A condition on a play; points are numbered for the player on roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// A checker leaves this point or the bar.
    From(usize),
    /// A checker reaches this point or is borne off.
    To(usize),
}

impl Pick {
    /// Returns whether a checker of the player on roll can leave or reach this place.
    fn is_possible(self, before: &Position) -> bool {
        match self {
            Self::From(point) => (1..=BAR).contains(&point) && before.mover.at(point) > 0,
            Self::To(point) => (OFF..BAR).contains(&point),
        }
    }

    /// Number of checkers of a play that satisfy this.
    fn count(self, before: &Position, candidate: &Candidate) -> usize {
        let own = |point: usize| {
            let had = usize::from(before.mover.at(point));
            (had, usize::from(candidate.result.opponent.at(point)))
        };
        // If one checker leaves a point that another reaches, there are two steps but no net change.
        let steps = |does: &dyn Fn(usize, usize) -> bool| {
            let steps = candidate.play.steps();
            let all = steps.map(|step| (usize::from(step.from), usize::from(step.to)));
            all.filter(|&(from, to)| does(from, to)).count()
        };
        match self {
            Self::From(point) => {
                let (had, has) = own(point);
                had.saturating_sub(has).max(steps(&|from, _| from == point))
            }
            Self::To(point) => {
                let (had, has) = own(point);
                has.saturating_sub(had).max(steps(&|_, to| to == point))
            }
        }
    }
}

/// Returns whether a play satisfies all picks.
pub fn fits(picks: &[Pick], before: &Position, candidate: &Candidate) -> bool {
    picks.iter().all(|pick| {
        let wanted = picks.iter().filter(|other| *other == pick).count();
        pick.count(before, candidate) >= wanted
    })
}

/// Returns the pick that a click on a point adds: leaving it, or else reaching it; `None` if no play does either.
pub fn next(
    picks: &[Pick],
    point: usize,
    before: &Position,
    candidates: &[Candidate],
) -> Option<Pick> {
    let mut both = [Pick::From(point), Pick::To(point)].into_iter();
    both.find(|pick| {
        let mut more = picks.to_vec();
        more.push(*pick);
        pick.is_possible(before) && candidates.iter().any(|c| fits(&more, before, c))
    })
}

/// Describes the picks: `from 8 and 6, to 5`.
pub fn words(picks: &[Pick]) -> String {
    let name = |point: usize| match point {
        BAR => "the bar".to_owned(),
        OFF => "off".to_owned(),
        point => point.to_string(),
    };
    let list = |points: Vec<String>, word: &str| match points.len() {
        0 => None,
        _ => Some(format!("{word} {}", points.join(" and "))),
    };
    let from = picks.iter().filter_map(|pick| match pick {
        Pick::From(point) => Some(name(*point)),
        Pick::To(_) => None,
    });
    let to = picks.iter().filter_map(|pick| match pick {
        Pick::To(point) => Some(name(*point)),
        Pick::From(_) => None,
    });
    let both = [list(from.collect(), "from"), list(to.collect(), "to")];
    both.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Play, PlayList, Roll};

    fn candidates(before: &Position, roll: Roll) -> Vec<Candidate> {
        let list = PlayList::of(before, roll);
        let all = list.plays().iter().zip(list.results());
        all.map(|(play, result)| Candidate {
            play: *play,
            result: *result,
            probabilities: crate::eval::Probabilities::default(),
            equity: 0.0,
            ply: 0,
        })
        .collect()
    }

    fn left(before: &Position, roll: Roll, clicks: &[usize]) -> Vec<Play> {
        let all = candidates(before, roll);
        let mut picks = Vec::new();
        for &point in clicks {
            picks.extend(next(&picks, point, before, &all));
        }
        let fitting = all.iter().filter(|c| fits(&picks, before, c));
        fitting.map(|c| c.play).collect()
    }

    #[test]
    fn clicks_narrow_until_one_play_is_left() {
        let before = Position::opening();
        let roll = Roll::new(3, 1).unwrap();
        let all = left(&before, roll, &[]).len();
        let by_eight = left(&before, roll, &[8]).len();
        assert!(by_eight > 1 && by_eight < all);
        let made = left(&before, roll, &[8, 6, 5]);
        assert_eq!(made.len(), 1);
        // In any order, and by the reached points alone.
        assert_eq!(left(&before, roll, &[5, 6, 8]), made);
        assert_eq!(left(&before, roll, &[5, 5]), made);
        // A click that no play satisfies changes nothing.
        assert_eq!(left(&before, roll, &[8, 6, 5, 20, 25, 0]), made);
    }

    #[test]
    fn a_double_takes_a_click_for_each_checker() {
        let before = Position::opening();
        let roll = Roll::new(6, 6).unwrap();
        let made = left(&before, roll, &[24, 24, 13, 13]);
        assert_eq!(made.len(), 1, "{made:?}");
    }
}
