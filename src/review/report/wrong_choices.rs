//! The errors of cube decisions by the wrong choice: missed doubles, wrong takes and the like.

use super::{CubeReport, GameReport, Report};
use crate::game::Player;
use crate::review::Mark;
use crate::review::cube_errors::{CubeErrorKind, CubeErrors};
use crate::review::decision_cost::Class;

/// Marked errors of left and right in cube decisions, by the wrong choice; those of beavers where there can be any.
pub(super) fn wrong_choices(report: &Report) -> Vec<(&'static str, [u32; 2])> {
    let sides = [Player::Left, Player::Right].map(|side| cube_errors(&report.games, side));
    let count = |all: &Vec<CubeErrors>, kind| {
        let row = all.iter().find(|row| row.kind == kind);
        row.map_or(0, |row| row.errors)
    };
    let is_listed = |kind: &CubeErrorKind| match kind {
        CubeErrorKind::MissedBeaver | CubeErrorKind::WrongBeaver => report.has_beavers(),
        _ => true,
    };
    let listed = CubeErrorKind::ALL.into_iter().filter(is_listed);
    listed
        .map(|kind| (kind.plural(), sides.each_ref().map(|all| count(all, kind))))
        .collect()
}

/// A player's errors in the cube decisions of these games, of each kind that could be made.
pub(super) fn cube_errors(games: &[GameReport], side: Player) -> Vec<CubeErrors> {
    let mut all = CubeErrorKind::ALL.map(CubeErrors::none);
    let moves = games.iter().flat_map(|game| &game.moves);
    let own = moves.filter(|one| one.player == side);
    for cube in own.filter_map(|one| one.cube.as_ref()) {
        add(&mut all, cube);
    }
    let was_possible = |row: &CubeErrors| row.decisions > 0;
    all.into_iter().filter(was_possible).collect()
}

/// Adds a decision to the kinds of errors that could be made there, and its cost to the one that was.
fn add(all: &mut [CubeErrors], cube: &CubeReport) {
    if !cube.counts {
        return;
    }
    let (choice, decision) = (cube.choice, &cube.decision);
    let answers = Class::of_choice(choice) == Class::Take;
    let Some(right) = decision.right_choice(answers) else {
        return;
    };
    let is_too_good = decision.action.is_too_good();
    let made = CubeErrorKind::of(choice, right, is_too_good);
    for row in all {
        let is_made = made == Some(row.kind);
        // A file may have a beaver where the rules know none.
        let beavers = decision.allows_beavers();
        let could_be = row.kind.is_possible(right, is_too_good, beavers);
        row.decisions += u32::from(is_made || could_be);
        if is_made {
            row.error += cube.error;
            row.errors += u32::from(cube.mark != Mark::Fine);
            row.blunders += u32::from(cube.mark == Mark::Blunder);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::match_file::read_bytes;
    use crate::review::report::testing;

    /// Each cube decision of a match could be one kind of error, and each point is lost by one.
    #[test]
    fn cube_errors_come_to_the_figures_of_their_class() {
        let bytes = include_bytes!("../../../sample_matches/clara-dev-3pt.mat");
        let report = testing::reviewed(&read_bytes(bytes, "x.mat").unwrap(), 0);
        let mut made = 0;
        for player in &report.players {
            let rows = player.cube_errors.as_ref().unwrap();
            for class in [Class::Double, Class::Take] {
                let figures = player.figures.of(class);
                let own = || rows.iter().filter(|row| row.kind.class() == class);
                let decisions: u32 = own().map(|row| row.decisions).sum();
                assert_eq!(decisions, figures.decisions);
                let error: f64 = own().map(|row| row.error).sum();
                assert!((error - figures.error).abs() < 1e-6);
                let errors: u32 = own().map(|row| row.errors).sum();
                let marked = figures.doubtful + figures.errors + figures.blunders;
                assert_eq!(errors, marked);
                made += errors;
            }
        }
        assert!(made > 0);
    }

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
        let doubled = ("early doubles", [1, 0]);
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
