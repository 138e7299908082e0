//! The decisions of a reviewed match as the study plan counts them.

use super::plan_decision::{Habit, PlanDecision, PlanOption};
use crate::cube::{CubeChoice, Model};
use crate::game::{Player, Position, shots};
use crate::library::filter::ScoreRegion;
use crate::notation::parse_play;
use crate::review::decision_cost::differ;
use crate::review::figures::pr_factor;
use crate::review::position_type::anchors;
use crate::review::report::{CandidateReport, MoveReport, Report};
use crate::review::{Class, PositionType, point_value};

/// The decisions of a player that count; the games are numbered from `first` on.
pub fn of_report(report: &Report, whose: Player, model: &Model, first: usize) -> Vec<PlanDecision> {
    let games = (first..).zip(&report.games);
    let moves = games.flat_map(|(number, game)| game.moves.iter().map(move |one| (number, one)));
    let mut all = Vec::new();
    for (number, one) in moves.filter(|(_, one)| one.player == whose) {
        let state = &one.state;
        let decision = |class, options, made| PlanDecision {
            game: number,
            kind: PositionType::of(&state.position),
            class,
            region: ScoreRegion::of(state.score.away(), state.score.crawford),
            point: f64::from(point_value(model, state)),
            pr_factor: pr_factor(state.score.length),
            options,
            made,
        };
        if let Some((class, options, made)) = of_cube(one) {
            all.push(decision(class, options, made));
        }
        if let Some((options, made)) = of_play(one) {
            all.push(decision(Class::Checker, options, made));
        }
    }
    all
}

fn of_cube(one: &MoveReport) -> Option<(Class, Vec<PlanOption>, usize)> {
    let cube = one.cube.as_ref().filter(|cube| cube.counts)?;
    let (choice, decision) = (cube.choice, cube.decision);
    let class = Class::of_choice(choice);
    let (choices, habit) = match class {
        Class::Double => ([CubeChoice::Double, CubeChoice::NoDouble], Habit::Doubles),
        _ => ([CubeChoice::Take, CubeChoice::Pass], Habit::Takes),
    };
    let cost = |choice| Some(f64::from(decision.error(choice)?));
    let mut options = vec![
        PlanOption {
            cost: cost(choices[0])?,
            habits: vec![habit],
        },
        PlanOption {
            cost: cost(choices[1])?,
            habits: Vec::new(),
        },
    ];
    let is_beaver = choice == CubeChoice::Beaver;
    if class == Class::Take && (is_beaver || decision.allows_beavers()) {
        // It takes, too.
        options.push(PlanOption {
            cost: cost(CubeChoice::Beaver)?,
            habits: vec![habit],
        });
    }
    let made = match is_beaver {
        true => 2,
        false => usize::from(choice == choices[1]),
    };
    Some((class, options, made))
}

fn of_play(one: &MoveReport) -> Option<(Vec<PlanOption>, usize)> {
    let (state, roll) = (&one.state, one.state.roll?);
    if !counts(one) {
        return None;
    }
    let plays = comparable(&one.candidates);
    let made = plays.iter().position(|play| play.made)?;
    let best = plays.first()?.cubeful_equity;
    let result = |text: &str| {
        let play = parse_play(text, &state.position, roll).ok()?;
        Some(play.apply(&state.position).flipped())
    };
    let results: Option<Vec<Position>> = plays.iter().map(|play| result(&play.play)).collect();
    let results = results?;
    let fewest = results.iter().map(blots).min()?;
    let option = |(play, after): (&&CandidateReport, &Position)| PlanOption {
        cost: (best - play.cubeful_equity).max(0.0),
        habits: habits(&state.position, after, fewest),
    };
    let options = plays.iter().zip(&results).map(option).collect();
    Some((options, made))
}

/// Returns whether a play counts for PR. An older stored review does not say so; then the listed plays decide.
fn counts(one: &MoveReport) -> bool {
    let listed = || differ(one.candidates.iter().map(|play| play.cubeful_equity));
    one.in_pr.unwrap_or_else(|| !one.forced && listed())
}

/// The plays that were analysed as the best one was, and the one that was made: equities of unlike depths do not
/// compare.
fn comparable(all: &[CandidateReport]) -> Vec<&CandidateReport> {
    let depth = |play: &CandidateReport| (play.ply, play.trials.is_some());
    let best = all.first().map(depth);
    let is_like = |play: &&CandidateReport| play.made || Some(depth(play)) == best;
    all.iter().filter(is_like).collect()
}

/// Habits that a play shows.
fn habits(before: &Position, after: &Position, fewest: u32) -> Vec<Habit> {
    let all = [
        (Habit::Hits, after.opponent.bar() > before.opponent.bar()),
        (
            Habit::BreaksAnchor,
            anchors(&after.mover) < anchors(&before.mover),
        ),
        // In a race no blot is in danger.
        (
            Habit::LeavesBlots,
            !after.is_race() && blots(after) > fewest,
        ),
    ];
    all.into_iter()
        .filter_map(|(habit, is)| is.then_some(habit))
        .collect()
}

/// Blots of the player who made a play: those that some checker of the other one has not passed.
fn blots(after: &Position) -> u32 {
    shots::blots(&after.flipped())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::CubeDecision;
    use crate::match_file::read_bytes;
    use crate::review::report::testing;

    const MATCH: &[u8] = include_bytes!("../../tests/fixtures/mat/three_points.mat");

    fn report(length: u16) -> Report {
        let mut record = read_bytes(MATCH, "x.mat").unwrap();
        record.length = length;
        testing::reviewed(&record, 1)
    }

    /// The plan counts the decisions that PR counts, and rates them alike, whatever the length of the match. So it
    /// does with a review that was kept.
    #[test]
    fn the_plan_and_the_review_have_one_rating() {
        let money = testing::reviewed(&read_bytes(testing::BEAVERS, "x.mat").unwrap(), 0);
        assert!(money.rules.beavers && money.players[0].figures.pr.unwrap() > 20.0);
        for fresh in [report(1), report(3), money] {
            let kept = serde_json::to_string(&fresh).unwrap();
            let kept = serde_json::from_str::<Report>(&kept).unwrap().restored();
            for (report, whose) in [&fresh, &kept]
                .into_iter()
                .flat_map(|report| [Player::Left, Player::Right].map(|whose| (report, whose)))
            {
                let figures = &report.players[whose.index()].figures;
                let all = of_report(report, whose, Model::standard(), 0);
                assert_eq!(all.len(), figures.pr_counted.decisions as usize);
                let lost = all.iter().map(|one| one.pr_factor * one.cost());
                let pr = lost.sum::<f64>() / all.len() as f64;
                let length = report.length;
                assert!((pr - figures.pr.unwrap()).abs() < 1e-5, "{length}: {pr}");
            }
        }
    }

    /// A single checker behind all of the other side is in no danger, as `why` has it; one before it is.
    #[test]
    fn a_blot_can_be_hit() {
        let left = |own: &[(usize, u8)]| Position::from_points(own, &[(15, 2), (6, 2)]).unwrap();
        let all = [[(1, 1), (15, 2)], [(2, 1), (15, 2)], [(12, 1), (15, 2)]].map(|own| left(&own));
        assert_eq!(all.each_ref().map(blots), [0, 0, 1]);
        let is_shown = |after| habits(&all[0], after, 0) == [Habit::LeavesBlots];
        assert_eq!(all.each_ref().map(is_shown), [false, false, true]);
    }

    /// A beaver costs what it costs, as in PR: a wrong one more than a take.
    #[test]
    fn a_beaver_is_an_option_of_its_own() {
        let report = report(3);
        let mut moves = report.games.iter().flat_map(|game| &game.moves);
        let mut one = moves.find(|one| one.cube.is_some()).unwrap().clone();
        let mut costs = |choice, decision| {
            let cube = one.cube.as_mut().unwrap();
            (cube.counts, cube.choice, cube.decision) = (true, choice, decision);
            let (_, options, made) = of_cube(&one).unwrap();
            (options.len(), (100.0 * options[made].cost).round())
        };
        for (take, of_each) in [
            (0.2, [0.0, 20.0, 80.0, 0.0]),
            (-0.2, [20.0, 0.0, 140.0, 50.0]),
        ] {
            let decision = CubeDecision::in_points(0.1, take, true);
            let of = |choice| costs(choice, decision);
            use CubeChoice::{Beaver, Double, Pass, Take};
            let found = [Take, Beaver, Pass, Double].map(of);
            let [take, beaver, pass, double] = of_each;
            assert_eq!(found, [(3, take), (3, beaver), (3, pass), (2, double)]);
        }
    }

    /// The first play of the match, its plays as if the filter had left three of them.
    #[test]
    fn plays_of_another_depth_are_no_options_but_the_one_that_was_made() {
        let mut one = report(3).games[0].moves[0].clone();
        assert!(one.candidates.len() >= 4);
        for (i, play) in one.candidates.iter_mut().enumerate() {
            play.ply = if i < 2 { 2 } else { 0 };
            play.trials = (i == 0).then_some(36);
            play.made = i == 3;
        }
        let options = |one: &MoveReport| of_play(one).map(|(all, made)| (all.len(), made));
        assert_eq!(options(&one), Some((2, 1)), "only one play was rolled out");
        one.candidates[0].trials = None;
        assert_eq!(options(&one), Some((3, 2)));
        // What all plays say counts, not what the listed ones do.
        one.in_pr = Some(false);
        assert_eq!(options(&one), None);
        let equity = one.candidates[0].cubeful_equity;
        (one.candidates.iter_mut()).for_each(|play| play.cubeful_equity = equity);
        one.in_pr = Some(true);
        assert_eq!(options(&one), Some((3, 2)));
        one.in_pr = None;
        assert_eq!(options(&one), None);
    }
}
