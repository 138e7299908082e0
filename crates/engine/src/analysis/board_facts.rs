//! Facts about the board after a play, as players count them: shots, blots, points and pips.

use crate::game::roll::DISTINCT;
use crate::game::{Position, Roll, Side, shots};

/// Facts about the board after a play, for the player who made it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardFacts {
    /// Checkers can still hit or block each other.
    pub has_contact: bool,
    /// For each of [`Roll::ALL`], whether the opponent has a legal play that hits.
    pub shots: [bool; DISTINCT],
    /// Number of single checkers that an opposing checker has still to pass.
    pub blots: u32,
    /// Made points in the home board, highest first.
    pub home_points: Vec<usize>,
    /// Made points in the opponent's home board, furthest from home first.
    pub anchors: Vec<usize>,
    /// Pips of the player and of the opponent.
    pub pips: [u32; 2],
}

impl BoardFacts {
    /// Computes the facts from the position after a play, seen by the opponent.
    pub fn after(result: &Position) -> Self {
        let (own, theirs) = (&result.opponent, &result.mover);
        Self {
            has_contact: !result.is_race() && !result.is_over(),
            shots: shots::shots(result),
            blots: shots::blots(result),
            home_points: made(own, 1, 6),
            anchors: made(own, 19, 24),
            pips: [own.pips(), theirs.pips()],
        }
    }

    /// Returns how many of the opponent's 36 rolls hit.
    pub fn shots_of_36(&self) -> u32 {
        shots::of_36(&self.shots)
    }

    /// Returns the hitting and the missing rolls, out of the 21.
    pub fn hits_and_misses(&self) -> (Vec<Roll>, Vec<Roll>) {
        let all = Roll::ALL.into_iter();
        all.partition(|roll| self.shots[roll.index()])
    }

    /// Returns the facts as a line of text.
    pub fn in_words(&self) -> String {
        let [own, theirs] = self.pips;
        let pips = format!("pips {own} to {theirs}");
        if !self.has_contact {
            return format!("no contact, {pips}");
        }
        let counted = |count: usize, name: &str| match count {
            0 => format!("no {name}s"),
            1 => format!("1 {name}"),
            _ => format!("{count} {name}s"),
        };
        let anchors: Vec<String> = self.anchors.iter().map(ToString::to_string).collect();
        let anchors = match &*anchors {
            [] => "no anchor".to_owned(),
            [one] => format!("anchor {one}"),
            all => format!("anchors {}", all.join(" ")),
        };
        [
            format!("hit by {} of 36", self.shots_of_36()),
            counted(self.blots as usize, "exposed blot"),
            counted(self.home_points.len(), "home point"),
            anchors,
            pips,
        ]
        .join(", ")
    }
}

/// Returns the made points from `last` down to `first`.
fn made(side: &Side, first: usize, last: usize) -> Vec<usize> {
    let points = (first..=last).rev();
    points.filter(|&point| side.at(point) >= 2).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_play;

    fn after(play: &str, dice: [u8; 2]) -> BoardFacts {
        let position = Position::opening();
        let roll = Roll::new(dice[0], dice[1]).unwrap();
        let play = parse_play(play, &position, roll).unwrap();
        BoardFacts::after(&play.apply(&position))
    }

    #[test]
    fn opening_plays_leave_the_shots_that_players_know() {
        let slot = after("13/11 6/5", [2, 1]);
        // Fours, 3-1, 2-2 and 1-1 hit. The six point blocks 5-5 from the other blot.
        assert_eq!(slot.shots_of_36(), 15);
        assert_eq!((slot.blots, &*slot.home_points), (2, &[6][..]));
        assert_eq!((&*slot.anchors, slot.pips), (&[24][..], [164, 167]));
        let made = after("8/5 6/5", [3, 1]);
        assert_eq!(
            made.in_words(),
            "hit by 0 of 36, no exposed blots, 2 home points, anchor 24, pips 163 to 167"
        );
        assert!(made.hits_and_misses().0.is_empty());
    }

    #[test]
    fn a_split_breaks_the_anchor() {
        let split = after("24/23 13/11", [2, 1]);
        assert_eq!((split.blots, split.anchors.len()), (3, 0));
        let words = split.in_words();
        assert!(
            words.contains(", 3 exposed blots, 1 home point, no anchor, "),
            "{words}"
        );
        let (hits, misses) = split.hits_and_misses();
        assert_eq!(hits.len() + misses.len(), DISTINCT);
        let weight: u32 = hits.iter().map(|roll| roll.weight()).sum();
        assert_eq!(weight, split.shots_of_36());
    }

    #[test]
    fn without_contact_pips_are_all() {
        let race = Position::from_points(&[(6, 1), (3, 2)], &[(5, 1), (2, 3)]).unwrap();
        assert_eq!(
            BoardFacts::after(&race).in_words(),
            "no contact, pips 11 to 12"
        );
    }
}
