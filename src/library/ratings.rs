//! A player's rating over matches of the library.

use super::{MatchHead, People};
use crate::review::trend::{Trend, TrendEstimate};

/// PR over several matches, from their entries in the library.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchRatings {
    /// Rating of the requested player.
    pub own: TrendEstimate,
    pub opponents: TrendEstimate,
}

impl MatchRatings {
    /// Rates the players on the given sides of `matches`, and their opponents: if `is_named`, whoever sits there,
    /// otherwise only the user. Other matches are ignored. Returns `None` if no match has a rating.
    pub fn of<'a>(
        matches: impl IntoIterator<Item = (&'a MatchHead, usize)>,
        people: &People,
        is_named: bool,
    ) -> Option<Self> {
        let mut both = [Trend::default(), Trend::default()];
        for (head, side) in matches {
            if is_named || people.is_me(&head.players[side]) {
                for (trend, side) in both.iter_mut().zip([side, 1 - side]) {
                    trend.push_rated(head.pr_decisions[side], head.pr[side]);
                }
            }
        }
        let [own, opponents] = both.each_ref().map(Trend::pr);
        Some(Self {
            own: own?,
            opponents: opponents?,
        })
    }

    /// Formats as `PR 6.10 (95% 5.20 … 7.00), the opponents' 7.31 (no interval yet)`.
    pub fn in_words(&self) -> String {
        let number = |pr: f64| format!("{pr:.2}");
        let words = |one: &TrendEstimate| format!("{:.2}{}", one.value, one.in_brackets(&number));
        format!(
            "PR {}, the opponents' {}",
            words(&self.own),
            words(&self.opponents)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::match_file::read_bytes;
    use crate::review::report::testing::reviewed;

    #[test]
    fn ratings_are_those_of_the_player_asked_for() {
        let bytes = include_bytes!("../../sample_matches/clara-dev-3pt.mat");
        let record = read_bytes(bytes, "clara.mat").unwrap();
        let report = reviewed(&record, 0);
        let head = MatchHead::new(&record, &report, "2026-01-02");
        let mut people = People::default();
        let of = |side: usize, people: &People, is_named: bool| {
            MatchRatings::of([(&head, side); 3], people, is_named)
        };
        assert_eq!(of(0, &people, false), None, "nobody is asked for");
        let near = |found: &TrendEstimate, side: usize| {
            (found.value - head.pr[side].unwrap()).abs() < 1e-9
        };
        let named = of(1, &people, true).unwrap();
        assert!(near(&named.own, 1) && near(&named.opponents, 0));
        assert_eq!(named.own.matches, 3);
        people.set_me(&head.players[0], true);
        let mine = of(0, &people, false).unwrap();
        assert!(near(&mine.own, 0));
        assert_eq!(of(1, &people, false), None, "that is the opponent");
        assert!(mine.in_words().starts_with("PR ") && mine.in_words().contains("the opponents' "));
    }
}
