//! Shots: the rolls that hit a blot.

use super::roll::DISTINCT;
use super::{PlayList, Position, Roll};

/// Returns, for each of [`Roll::ALL`], whether the player on roll has a legal play that hits a blot.
///
/// ```
/// use luckless_engine::game::{Position, shots};
/// // A blot six pips in front of the only checker.
/// let position = Position::from_points(&[(24, 1)], &[(7, 1)]).unwrap();
/// assert_eq!(shots::of_36(&shots::shots(&position)), 17);
/// ```
pub fn shots(position: &Position) -> [bool; DISTINCT] {
    if position.is_race() || blots(position) == 0 {
        return [false; DISTINCT];
    }
    let on_bar = position.opponent.bar();
    let mut plays = PlayList::with_room();
    Roll::ALL.map(|roll| {
        plays.generate(position, roll);
        // A result is seen by the opponent, who is on roll after the play.
        let mut results = plays.results().iter();
        results.any(|after| after.mover.bar() > on_bar)
    })
}

/// Returns how many of the 36 rolls are among these of the 21.
pub fn of_36(rolls: &[bool; DISTINCT]) -> u32 {
    let chosen = Roll::ALL.iter().zip(rolls).filter(|(_, is)| **is);
    chosen.map(|(roll, _)| roll.weight()).sum()
}

/// Counts the opponent's blots: single checkers that some checker of the player on roll has still to pass.
pub fn blots(position: &Position) -> u32 {
    let theirs = &position.opponent;
    let single = theirs.mask(1) & !theirs.mask(2);
    // In the opponent's coordinates, the rearmost checker of the player on roll is behind the points from
    // here on.
    let first = 26 - position.mover.rearmost();
    (first..25).filter(|&p| single >> p & 1 != 0).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns how many of the 36 rolls hit.
    fn hits(mover: &[(usize, u8)], opponent: &[(usize, u8)]) -> u32 {
        let position = Position::from_points(mover, opponent).unwrap();
        of_36(&shots(&position))
    }

    /// Shots by distance without blocking points, as in the literature.
    #[test]
    fn shots_by_distance_are_the_known_ones() {
        let known = [
            11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3, 0, 0, 1, 1, 0, 1, 0, 1,
        ];
        for (distance, known) in (1..).zip(known) {
            assert_eq!(hits(&[(24, 1)], &[(1 + distance, 1)]), known, "{distance}");
        }
    }

    #[test]
    fn points_in_the_way_take_shots_away() {
        // The blot is six pips away. Points one to five pips away leave only the sixes.
        let blocks = [(2, 2), (3, 2), (4, 2), (5, 2), (6, 2)];
        let all = [&[(7, 1)], &blocks[..]].concat();
        assert_eq!(hits(&[(24, 1)], &all), 11);
        // With points 3 and 5 pips away, 16 of the 17 remain: 3-3 is blocked, 5-1 begins with the ace.
        assert_eq!(hits(&[(24, 1)], &[(7, 1), (4, 2), (6, 2)]), 16);
    }

    #[test]
    fn shots_at_two_blots_count_once() {
        // The blots are one and six pips away: 20 rolls with either number, 4-2, 2-2, 3-3.
        assert_eq!(hits(&[(24, 1)], &[(2, 1), (7, 1)]), 24);
    }

    #[test]
    fn a_checker_on_the_bar_enters_before_it_hits() {
        // A one from the bar hits the blot on their ace point; there is no second checker to enter.
        assert_eq!(hits(&[(25, 1)], &[(1, 1)]), 11);
        // One checker is six pips away, the other seven. After entering, a six hits, and so do 5-2 and 4-3 in
        // total, 3-3 and 2-2.
        assert_eq!(hits(&[(25, 1), (24, 1)], &[(7, 1)]), 11 + 4 + 2);
        // Against a closed board a checker on the bar cannot hit.
        let closed = [(1, 2), (2, 2), (3, 2), (4, 2), (5, 2), (6, 2), (8, 1)];
        assert_eq!(hits(&[(25, 1), (13, 1)], &closed), 0);
    }

    #[test]
    fn a_checker_that_was_hit_before_is_no_shot() {
        assert_eq!(hits(&[(24, 2)], &[(25, 1), (13, 2)]), 0);
        assert_eq!(hits(&[(24, 1)], &[(25, 1), (7, 1)]), 17);
    }

    #[test]
    fn a_blot_is_one_as_long_as_it_can_be_reached() {
        let blots = |mover: &[(usize, u8)]| {
            let position = Position::from_points(mover, &[(3, 1), (9, 1), (20, 1), (13, 2)]);
            super::blots(&position.unwrap())
        };
        assert_eq!(blots(&[(24, 1)]), 3);
        assert_eq!(blots(&[(18, 2)]), 2);
        assert_eq!(blots(&[(4, 2)]), 0);
        assert_eq!(blots(&[(25, 1)]), 3);
    }
}
