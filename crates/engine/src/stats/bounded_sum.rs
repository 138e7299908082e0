//! A sum of random terms of mean zero that is kept within a bound.
//!
//! O. Riordan, *Bot comparison: money play or matches?*, 2003. Before each term is drawn, all values that it
//! may have are scaled by one factor, so that the sum stays within the bound whichever comes. The factor
//! depends on nothing that is drawn later, so a scaled term still averages zero.

/// The factor for the next term of a sum that is `sum` so far: with it the sum stays between `-bound` and
/// `bound` whichever of `terms` is drawn.
pub fn bounded_scale(terms: impl IntoIterator<Item = f64>, sum: f64, bound: f64) -> f64 {
    let (mut up, mut down) = (0.0f64, 0.0f64);
    for term in terms {
        up = up.max(term);
        down = down.min(term);
    }
    let room = |left: f64, most: f64| if most > left { left / most } else { 1.0 };
    room(bound - sum, up).min(room(bound + sum, -down)).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_stays_within_its_bound() {
        let terms = [-2.0, 0.5, 1.5];
        assert_eq!(bounded_scale(terms, 0.0, 2.0), 1.0);
        // The worst term and the best one have one half, and a third, of the room they want.
        assert_eq!(bounded_scale(terms, 0.0, 1.0), 0.5);
        assert_eq!(bounded_scale(terms, 1.5, 2.0), 0.5 / 1.5);
        assert_eq!(bounded_scale(terms, 2.0, 2.0), 0.0);
        assert_eq!(bounded_scale([], 0.0, 1.0), 1.0);
    }
}
