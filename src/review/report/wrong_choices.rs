//! The errors of cube decisions by the wrong choice: missed doubles, wrong takes and the like.

use super::{CubeReport, Report};
use crate::cube::CubeChoice;
use crate::review::Mark;

/// Marked errors of left and right in cube decisions, by the wrong choice; those of beavers where there can be any.
pub(super) fn wrong_choices(report: &Report) -> Vec<(&'static str, [u32; 2])> {
    let count = |is_it: fn(&CubeReport) -> bool| {
        let mut counts = [0; 2];
        let moves = report.games.iter().flat_map(|game| &game.moves);
        for (player, cube) in moves.filter_map(|one| Some((one.player, one.cube.as_ref()?))) {
            let is_marked = cube.mark != Mark::Fine;
            counts[player.index()] += u32::from(is_marked && is_it(cube));
        }
        counts
    };
    const TAKE: &str = CubeChoice::Take.name();
    const PASS: &str = CubeChoice::Pass.name();
    const BEAVER: &str = CubeChoice::Beaver.name();
    let mut all = vec![
        (
            "missed doubles",
            count(|cube| cube.choice == CubeChoice::NoDouble.name()),
        ),
        (
            "wrong doubles",
            count(|cube| cube.choice == CubeChoice::Double.name()),
        ),
        // To take where a beaver is right is another error.
        (
            "wrong takes",
            count(|cube| cube.choice != PASS && cube.best == PASS),
        ),
        ("wrong passes", count(|cube| cube.choice == PASS)),
    ];
    if report.has_beavers() {
        let missed = count(|cube| cube.choice == TAKE && cube.best == BEAVER);
        let wrong = count(|cube| cube.choice == BEAVER && cube.best == TAKE);
        all.extend([("missed beavers", missed), ("wrong beavers", wrong)]);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::match_file::read_bytes;
    use crate::review::report::testing;

    /// A bad double that is only taken, and a beaver of a good one.
    #[test]
    fn errors_of_beavers_are_counted_where_there_are_beavers() {
        let counts = |rule: &str, begin: &str, answer: &str| {
            let text = format!(
                "; [Beaver \"{rule}\"]\n\n 0 point match\n\n Game 1\n A : 0              B : 0\n\
                 {begin}\n  2)  Doubles => 2                {answer}\n  3) 64: 24/14\n"
            );
            let report = testing::reviewed(&read_bytes(text.as_bytes(), "x.mat").unwrap(), 0);
            let all = wrong_choices(&report).into_iter();
            let made = all.filter(|(_, counts)| *counts != [0; 2]);
            made.collect::<Vec<_>>()
        };
        let (good, bad) = (
            "  1) 31: 8/5 6/5                 41: 24/23 13/9",
            "  1) 41: 24/23 13/9                 31: 8/5 6/5",
        );
        let doubled = ("wrong doubles", [1, 0]);
        assert_eq!(
            counts("On", bad, "Takes"),
            [doubled, ("missed beavers", [0, 1])]
        );
        assert_eq!(counts("Off", bad, "Takes"), [doubled]);
        assert_eq!(counts("On", bad, "Beavers => 4"), [doubled]);
        assert_eq!(
            counts("On", good, "Beavers => 4"),
            [doubled, ("wrong beavers", [0, 1])]
        );
    }
}
