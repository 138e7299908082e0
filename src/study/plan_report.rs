//! The decisions of a reviewed match as the study plan counts them.

use super::plan_decision::{Habit, PlanDecision, PlanOption, ScoreRegion};
use crate::cube::{Cube, CubeChoice, Model};
use crate::game::{GameState, Player, Position, Side};
use crate::notation::parse_play;
use crate::review::decision_cost::ALIKE;
use crate::review::report::{CubeReport, MoveReport, Report};
use crate::review::{Class, PositionType};

/// The decisions of a player that count.
#[must_use]
pub fn of_report(report: &Report, whose: Player, model: &Model) -> Vec<PlanDecision> {
    let games = report.games.iter();
    let moves = games.flat_map(|game| game.moves.iter().map(move |one| (game, one)));
    let own = moves.filter(|(_, one)| Player::from(one.player) == whose);
    let mut all = Vec::new();
    for (game, one) in own {
        let Some(state) = report.state(game, one) else {
            continue;
        };
        let decision = |class, options, made| PlanDecision {
            kind: PositionType::of(&state.position),
            class,
            region: ScoreRegion::of(state.score.away(), state.score.crawford),
            point: point(&state, model),
            options,
            made,
        };
        if let Some((class, options, made)) = one.cube.as_ref().and_then(of_cube) {
            all.push(decision(class, options, made));
        }
        if let Some((options, made)) = of_play(one, &state) {
            all.push(decision(Class::Checker, options, made));
        }
    }
    all
}

/// What a point is worth as a chance to win the match, or for money in points with the cube counted.
fn point(state: &GameState, model: &Model) -> f64 {
    let context = model.context(state);
    f64::from(context.point_value(Cube::of(state).level))
}

fn of_cube(cube: &CubeReport) -> Option<(Class, Vec<PlanOption>, usize)> {
    if !cube.counts {
        return None;
    }
    let (class, choices) = match cube.choice.as_str() {
        "no double" | "double" => (Class::Double, [CubeChoice::Double, CubeChoice::NoDouble]),
        _ => (Class::Take, [CubeChoice::Take, CubeChoice::Pass]),
    };
    let habit = match class {
        Class::Double => Habit::Doubles,
        _ => Habit::Takes,
    };
    let cost = |choice| Some(f64::from(cube.decision.error(choice)?));
    let options = vec![
        PlanOption {
            cost: cost(choices[0])?,
            habits: vec![habit],
        },
        PlanOption {
            cost: cost(choices[1])?,
            habits: Vec::new(),
        },
    ];
    // A beaver takes.
    let made = usize::from(cube.choice == choices[1].name());
    Some((class, options, made))
}

fn of_play(one: &MoveReport, state: &GameState) -> Option<(Vec<PlanOption>, usize)> {
    let roll = state.roll?;
    if one.forced || one.candidates.len() < 2 {
        return None;
    }
    let made = one.candidates.iter().position(|play| play.made)?;
    let best = one.candidates.first()?.cubeful_equity;
    let worst = one.candidates.iter().map(|play| play.cubeful_equity);
    if best - worst.fold(f64::MAX, f64::min) <= f64::from(ALIKE) {
        return None;
    }
    let result = |text: &str| {
        let play = parse_play(text, &state.position, roll).ok()?;
        Some(play.apply(&state.position).flipped())
    };
    let results: Option<Vec<Position>> = one
        .candidates
        .iter()
        .map(|play| result(&play.play))
        .collect();
    let results = results?;
    let fewest = results.iter().map(|after| blots(&after.mover)).min()?;
    let option = |(play, after): (&crate::review::report::CandidateReport, &Position)| PlanOption {
        cost: (best - play.cubeful_equity).max(0.0),
        habits: habits(&state.position, after, fewest),
    };
    let options = one.candidates.iter().zip(&results).map(option).collect();
    Some((options, made))
}

/// What a play shows.
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
            !after.is_race() && blots(&after.mover) > fewest,
        ),
    ];
    all.into_iter()
        .filter_map(|(habit, is)| is.then_some(habit))
        .collect()
}

/// Points that are held in the other's home board.
fn anchors(side: &Side) -> u32 {
    (side.mask(2) & places(19, 24)).count_ones()
}

/// Checkers alone on a point.
fn blots(side: &Side) -> u32 {
    (side.mask(1) & !side.mask(2) & places(1, 24)).count_ones()
}

/// The points from the first to the last.
fn places(first: u32, last: u32) -> u32 {
    (1 << (last + 1)) - (1 << first)
}
