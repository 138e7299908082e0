//! From analysed turns to the document.

use super::by_type::Types;
use super::context::ReportContext;
use super::others::{Others, opinion};
use super::wrong_choices::cube_errors;
use super::{
    CandidateReport, CubeReport, GameReport, MoveReport, PlayerReport, Report, ReportWarning,
    ResignationReport, RulesReport,
};
use crate::cube::context::ScoreChances;
use crate::cube::{Cube, CubeChoice, EquityTable, Model};
use crate::eval::Candidate;
use crate::game::{MatchScore, Player};
use crate::match_file::tag::{DATE, EVENT};
use crate::match_file::{Action, Comment, Date, Game, Match, Warning, illegal_text};
use crate::notation::play_text;
use crate::review::cube::CubeReview;
use crate::review::decision_cost::Class;
use crate::review::figures::Figures;
use crate::review::marks::Mark;
use crate::review::match_review::AnalysedTurn;
use crate::review::{MatchTurn, PositionType, TurnReview, point_value};
use crate::stats::Moments;
use crate::stats::interval::{around, of_stopped_sum, of_sum};

/// Most plays listed of one decision; the one that was made is listed in any case.
const MOST_PLAYS: usize = 5;
/// Ranks rest on so many first plays of a turn. A review that was kept has them too, so its report has the same
/// ranks.
pub const RANKED_PLAYS: usize = 10;

/// The document of a match whose turns were analysed, all in order.
pub fn build(record: &Match, analysed: &[AnalysedTurn], context: &ReportContext<'_>) -> Report {
    let mut games = Vec::with_capacity(record.games.len());
    let mut figures = [Figures::default(); 2];
    let mut others = [Others::default(), Others::default()];
    let mut types = [Types::default(), Types::default()];
    let mut rest = analysed;
    for (index, game) in record.games.iter().enumerate() {
        let n = rest.iter().take_while(|j| j.turn.game == index).count();
        let (own, after) = rest.split_at(n);
        rest = after;
        let mut players = [Figures::default(); 2];
        for one in own {
            let side = one.turn.before.player.index();
            for figures in [&mut players[side], &mut figures[side]] {
                add(figures, one, record.length, context);
            }
            types[side].add(one, point(one, context.model), context);
            if let Some(analysis) = record.analyses.of(index, one.turn.before.event) {
                others[side].add(analysis, &one.turn, context.model);
            }
        }
        let (before, after) = worth(record, game, &context.model.table);
        games.push(GameReport {
            is_cut: game.is_cut,
            number: game.number,
            score: game.score,
            crawford: game.crawford,
            winner: game.result.map(|r| r.winner),
            points: game.result.map(|r| r.points),
            before,
            after,
            players,
            moves: own.iter().map(|j| moved(record, j, context)).collect(),
        });
    }
    let score = record.final_score();
    let length = u32::from(record.length);
    Report {
        file: record.path.as_ref().map(|p| p.display().to_string()),
        format: record.format.to_owned(),
        length: record.length,
        date: record.tag(DATE).map(day),
        event: record.tag(EVENT).map(str::to_owned),
        rules: rules(record),
        engine: context.engine.to_owned(),
        ply: context.ply,
        table: context.model.table.name().to_owned(),
        thresholds: context.thresholds,
        rollouts: context.rollouts,
        score,
        complete: length == 0 || score.iter().any(|&points| points >= length),
        players: players(record, &games, &figures, others, types),
        games,
        warnings: warnings(record),
    }
}

/// A date of a file as `2026-11-20`, or as it is written where it is none.
fn day(written: &str) -> String {
    Date::parse(written).map_or_else(|| written.to_owned(), |date| date.to_string())
}

fn rules(record: &Match) -> RulesReport {
    let rules = record.rules_in_force();
    RulesReport {
        jacoby: rules.jacoby,
        beavers: rules.beavers,
        no_crawford: rules.no_crawford,
    }
}

fn warnings(record: &Match) -> Vec<ReportWarning> {
    let warning = |w: &Warning| ReportWarning {
        line: w.line,
        column: w.column,
        offset: w.offset,
        message: w.message.clone(),
    };
    record.warnings.iter().map(warning).collect()
}

fn add(figures: &mut Figures, one: &AnalysedTurn, length: u16, context: &ReportContext<'_>) {
    let point = point(one, context.model);
    for verdict in one.review.decision_costs() {
        figures.add(&verdict, point, length, &context.thresholds);
    }
    if let Some(luck) = &one.luck {
        figures.add_luck(luck);
    }
}

/// Returns the value of a point, in MWC in a match and in points for money.
fn point(one: &AnalysedTurn, model: &Model) -> f64 {
    f64::from(point_value(model, &one.turn.before.state))
}

/// Left's value of the match before a game, and after it if it has a result; in money play 0 and the
/// points won.
fn worth(record: &Match, game: &Game, table: &EquityTable) -> (f64, Option<f64>) {
    let won = |player: Player| match game.result {
        Some(result) if result.winner == player => i32::try_from(result.points).unwrap_or(i32::MAX),
        _ => 0,
    };
    let won = [won(Player::Left), won(Player::Right)];
    let [mover, opponent] = game.score;
    let score = MatchScore {
        length: record.length,
        mover,
        opponent,
        crawford: game.crawford,
    };
    let Some(chances) = ScoreChances::of(&score, record.rules_in_force(), table) else {
        let points = f64::from(won[0]) - f64::from(won[1]);
        return (0.0, game.result.map(|_| points));
    };
    let after = game.result.map(|_| f64::from(chances.after(won)));
    (f64::from(chances.before()), after)
}

/// Left's result: points won for money, the chance at the last score in a match. That counts games that are
/// missing in between.
fn result(games: &[GameReport], money: bool) -> f64 {
    let last = games.last().map(|game| game.after.unwrap_or(game.before));
    match money {
        true => games.iter().filter_map(|game| game.after).sum(),
        false => last.unwrap_or(0.5),
    }
}

/// The reports of both players, with results less the luck. Games that are missing in between, of which
/// nobody knows the luck, count as even.
fn players(
    record: &Match,
    games: &[GameReport],
    figures: &[Figures; 2],
    others: [Others; 2],
    types: [Types; 2],
) -> [PlayerReport; 2] {
    let money = record.length == 0;
    let first = games
        .first()
        .map_or(if money { 0.0 } else { 0.5 }, |g| g.before);
    let (mut adjusted, mut by_errors) = (first, first);
    let mut spread = Moments::default();
    for game in games {
        let [left, right] = &game.players;
        if let Some(gain) = game.luck_adjusted_gain() {
            by_errors += right.error_unnormalised - left.error_unnormalised;
            adjusted += gain;
            spread.push(gain);
        }
    }
    // A match is over when a score is reached, whatever the number of games; money play is about the games played.
    let error = match money {
        true => of_sum(&spread),
        false => of_stopped_sum(&spread),
    };
    let mut others = others.into_iter();
    let mut types = types.into_iter();
    [Player::Left, Player::Right].map(|side| {
        let seen = |value| side.value_for_left(value, money);
        PlayerReport {
            name: record.players[side.index()].clone(),
            figures: figures[side.index()],
            result: seen(result(games, money)),
            luck_adjusted_result: seen(adjusted),
            luck_adjusted_se: error.map(|(se, _)| se),
            luck_adjusted_ci95: error.map(|(_, radius)| around(seen(adjusted), radius)),
            result_by_errors: seen(by_errors),
            types: types
                .next()
                .map_or_else(Vec::new, |t| t.finish(record.length)),
            cube_errors: Some(cube_errors(games, side)),
            other: others.next().and_then(|o| o.finish(record.length)),
        }
    })
}

impl PlayerReport {
    /// The luck that leads from the result to the luck-adjusted one: the player's less the opponent's, in games with
    /// a result. Games that are missing between others, whose luck nobody knows, are in it with all they changed.
    pub fn net_luck(&self) -> f64 {
        self.result - self.luck_adjusted_result
    }
}

fn moved(record: &Match, one: &AnalysedTurn, context: &ReportContext<'_>) -> MoveReport {
    let (turn, review) = (&one.turn, &one.review);
    let before = &turn.before;
    let state = &before.state;
    let point = point(one, context.model);
    let name = |i: usize| play_text(&state.position, &review.candidates[i].play);
    let (played, best) = played_and_best(turn, review);
    let here = |c: &&Comment| (c.game, c.event) == (turn.game, Some(before.event));
    let comments: Vec<&str> = (record.comments.iter().filter(here))
        .map(|c| c.text.as_str())
        .collect();
    let rolled = one.rolled.as_ref().and_then(|r| r.plays.first());
    let analysis = record.analyses.of(turn.game, before.event);
    MoveReport {
        number: turn.number,
        player: before.player,
        state: *state,
        played,
        best,
        error: review.error.map(f64::from),
        error_unnormalised: review.error.map(|e| f64::from(e) * point),
        mark: review.error.map(|e| Mark::of(e, &context.thresholds)),
        forced: state.roll.is_some() && review.is_forced(),
        in_pr: (review.decision_costs())
            .find(|cost| cost.class == Class::Checker)
            .map(|cost| cost.in_pr),
        luck: one.luck.map(|l| f64::from(l.points)),
        luck_unnormalised: one.luck.map(|l| f64::from(l.unnormalised)),
        value: value(one, context.model),
        ply: review.ply,
        trials: rolled.map(|r| r.trials),
        kind: PositionType::of(&state.position),
        candidates: candidates(one, name),
        cube: review
            .cube
            .as_ref()
            .and_then(|c| cube(c, one, point, context)),
        resignation: (review.resignation.as_ref())
            .map(|given_up| ResignationReport::new(given_up, &context.thresholds)),
        other: analysis.map(|analysis| opinion(analysis, turn, context.model)),
        comment: (!comments.is_empty()).then(|| comments.join("\n")),
        note: None,
        variations: None,
        variation_lines: Vec::new(),
    }
}

/// Returns the choice made in a turn and the best one, as they are written.
fn played_and_best(turn: &MatchTurn, review: &TurnReview) -> (Option<String>, Option<String>) {
    let position = &turn.before.state.position;
    let first = review.candidates.first();
    let best_play = || first.map(|c| play_text(position, &c.play));
    match (turn.action, &review.cube) {
        (Some(Action::Move { play, .. }), _) => (Some(play_text(position, &play)), best_play()),
        (Some(Action::Hidden { .. }), _) => (None, best_play()),
        (Some(Action::Illegal { after, .. }), _) => {
            (Some(illegal_text(position, &after)), best_play())
        }
        (Some(Action::Resign), _) => (Some("resigns".to_owned()), None),
        (None, _) if turn.before.state.roll.is_some() => (None, best_play()),
        (_, Some(cube)) => (
            cube.choice.map(|c| c.name().to_owned()),
            Some(best_action(cube)),
        ),
        (Some(action), None) => (Some(action_name(action).to_owned()), None),
        (None, None) => (None, None),
    }
}

/// Left's value before the roll or the cube action.
fn value(one: &AnalysedTurn, model: &Model) -> Option<f64> {
    let state = one.turn.before.state.roller();
    let (value, doubler) = match (&one.luck, &one.review.cube) {
        (Some(luck), _) => (luck.before, one.turn.before.player),
        (None, Some(cube)) => {
            let context = model.context(&state);
            let level = Cube::of(&state).level;
            let asked = one.turn.before.state.doubled;
            let player = one.turn.before.player;
            // Once the cube is offered the value is that of the double, also of a wrong one.
            let doubled = cube.decision.doubled().filter(|_| asked);
            let points = doubled.unwrap_or(cube.decision.cubeful_equity);
            (
                context.from_points(level, points),
                if asked { player.other() } else { player },
            )
        }
        (None, None) => return None,
    };
    Some(doubler.value_for_left(f64::from(value), state.score.is_money()))
}

fn candidates(one: &AnalysedTurn, name: impl Fn(usize) -> String) -> Vec<CandidateReport> {
    let review = &one.review;
    let rolled = one.rolled.as_ref().map_or(&[][..], |r| &r.plays);
    let place = |made| place_of_made(&review.candidates, made, rolled.len());
    let made = review.played.map(|made| (made, place(made)));
    let told = |i: &usize| *i < MOST_PLAYS || review.played == Some(*i);
    (0..review.candidates.len())
        .filter(told)
        .map(|i| {
            let candidate = &review.candidates[i];
            let rolled = rolled.get(i);
            CandidateReport {
                play: name(i),
                rank: rank(i, made),
                cubeful_equity: f64::from(candidate.equity),
                made: review.played == Some(i),
                ply: candidate.ply,
                trials: rolled.map(|r| r.trials),
                se: rolled.map(|r| r.se),
                half_width: rolled.map(|r| r.half_width).filter(|half| half.is_finite()),
                chances: candidate.probabilities,
            }
        })
        .collect()
}

/// Rank, from 1, of the play that is listed at place `i`. `made`: where the one that was made is listed, and
/// its place among all plays; without one it is behind those that are listed.
fn rank(i: usize, made: Option<(usize, Option<usize>)>) -> Option<u32> {
    let place = match made {
        Some((listed, place)) if listed == i => place?,
        Some((listed, place)) => {
            let among_others = i - usize::from(listed < i);
            let is_behind = place.is_some_and(|place| place <= among_others);
            among_others + usize::from(is_behind)
        }
        None => i,
    };
    u32::try_from(place + 1).ok()
}

/// Place, from 0, of the play that was made among `all`, of which the first `rolled` were rolled out; `None`
/// where the first [`RANKED_PLAYS`] do not tell.
///
/// Deeper plays are listed before others because the filter found them better, so the list is the order of
/// the plays. But the play that was made is analysed as deeply as the best, whatever the filter found. If it is
/// the last of that depth, only this may have brought it there: shallower plays of a higher equity are
/// before it.
fn place_of_made(all: &[Candidate], made: usize, rolled: usize) -> Option<usize> {
    let depth = |i: usize| (i < rolled, all[i].ply);
    let known = &all[..all.len().min(RANKED_PLAYS)];
    let equity = known.get(made)?.equity;
    let later = &known[made + 1..];
    let is_last = later.is_empty() || depth(made + 1) != depth(made);
    if made == 0 || !is_last {
        return Some(made);
    }
    let better = later.iter().filter(|c| c.equity > equity).count();
    // Static evaluations are in order, so those that follow are no better than the last known one.
    let end = known.len() - 1;
    let is_whole = known.len() < RANKED_PLAYS;
    let is_sure = is_whole || (depth(end) == (false, 0) && all[end].equity <= equity);
    is_sure.then_some(made + better)
}

fn cube(
    cube: &CubeReview,
    one: &AnalysedTurn,
    point: f64,
    context: &ReportContext<'_>,
) -> Option<CubeReport> {
    let (choice, error) = (cube.choice?, cube.error?);
    let rolled = one.rolled.as_ref().and_then(|r| r.cube);
    Some(CubeReport {
        choice,
        best: best_action(cube),
        error: f64::from(error),
        error_unnormalised: f64::from(error) * point,
        mark: Mark::of(error, &context.thresholds),
        counts: cube.counts(),
        ply: cube.ply,
        trials: rolled.map(|[hold, _]| hold.trials),
        se: rolled.map(|both| both.map(|side| side.se)),
        half_widths: (rolled.map(|both| both.map(|side| side.half_width)))
            .filter(|both| both.iter().all(|half| half.is_finite())),
        decision: cube.decision,
    })
}

fn best_action(cube: &CubeReview) -> String {
    let answer = matches!(
        cube.choice,
        Some(CubeChoice::Take | CubeChoice::Pass | CubeChoice::Beaver)
    );
    match cube.decision.answer().filter(|_| answer) {
        Some(choice) => choice.name().to_owned(),
        None => cube.decision.action.name().to_owned(),
    }
}

pub(super) fn action_name(action: Action) -> &'static str {
    match action {
        Action::Move { .. } | Action::Hidden { .. } | Action::Illegal { .. } => "rolls",
        Action::Double { .. } => "double",
        Action::Take => "take",
        Action::Pass => "pass",
        Action::Beaver { .. } => "beaver",
        Action::Resign => "resigns",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Probabilities;
    use crate::game::{Play, Position};
    use crate::match_file::{GameResult, read_bytes};
    use crate::review::report::testing;

    /// Plays of these plies and equities.
    fn plays(all: &[(u8, f32)]) -> Vec<Candidate> {
        let play = |&(ply, equity): &(u8, f32)| Candidate {
            play: Play::new(&[]),
            result: Position::opening(),
            probabilities: Probabilities::default(),
            equity,
            ply,
        };
        all.iter().map(play).collect()
    }

    #[test]
    fn the_play_that_was_made_stands_behind_shallower_plays_that_are_better() {
        // The filter left one play, and dropped the one that was made.
        let few = [(2, 0.3), (2, -0.5), (1, 0.2), (1, 0.1), (0, 0.0), (0, -0.6)];
        let place = |all: &[(u8, f32)], made, rolled| place_of_made(&plays(all), made, rolled);
        assert_eq!(place(&few, 1, 0), Some(4));
        // A play of the same depth behind it: the filter had taken both.
        let mut mid = few;
        mid[2] = (2, -0.6);
        assert_eq!(place(&mid, 1, 0), Some(1));
        // The best stays the best, whatever the static evaluation thinks of others.
        assert_eq!(place(&[(2, 0.1), (0, 0.2)], 0, 0), Some(0));
        assert_eq!(place(&[(2, 0.1), (2, 0.0), (0, -0.2)], 1, 0), Some(1));
        // A rollout is deeper than lookahead of any depth.
        let rolled = [(2, 0.3), (2, 0.1), (2, 0.2), (2, 0.0)];
        assert_eq!(place(&rolled, 1, 2), Some(2));
    }

    #[test]
    fn a_place_beyond_those_that_are_kept_is_left_open() {
        let mut all = vec![(2, 0.3), (2, -0.05)];
        all.extend((1..16).map(|i| (0, 0.3 - 0.1 * i as f32)));
        let place = |all: &[(u8, f32)], made| place_of_made(&plays(all), made, 0);
        assert_eq!(place(&all, 1), Some(4));
        all[1].1 = -0.45;
        assert_eq!(place(&all, 1), Some(8));
        for equity in [-0.55, -0.9, -5.0] {
            all[1].1 = equity;
            assert_eq!(place(&all, 1), None, "{equity}");
        }
        // Ten plays of which the last are not the shallowest say nothing of the others.
        all[1].1 = 0.25;
        all[2..10].iter_mut().for_each(|play| *play = (1, 0.0));
        assert_eq!(place(&all, 1), None);
        let alike: Vec<(u8, f32)> = (0..16).map(|i| (0, -0.1 * i as f32)).collect();
        assert_eq!(place(&alike, 9), Some(9));
        assert_eq!(place(&alike, 10), None);
    }

    #[test]
    fn ranks_are_places_with_that_of_the_play_that_was_made() {
        let ranks = |made| [0, 1, 2, 3, 4].map(|i| rank(i, made).unwrap_or(0));
        assert_eq!(ranks(None), [1, 2, 3, 4, 5]);
        assert_eq!(ranks(Some((2, Some(2)))), [1, 2, 3, 4, 5]);
        assert_eq!(ranks(Some((1, Some(3)))), [1, 4, 2, 3, 5]);
        assert_eq!(ranks(Some((1, Some(8)))), [1, 9, 2, 3, 4]);
        assert_eq!(ranks(Some((1, None))), [1, 0, 2, 3, 4]);
        assert_eq!(ranks(Some((9, None))), [1, 2, 3, 4, 5]);
    }

    /// 6/3 6/2 is the sixteenth of the plays of 43. Analysed as deeply as the best it was the ninth.
    #[test]
    fn a_bad_play_gains_no_rank_by_its_depth() {
        let text = b" 3 point match\n Game 1\n Ann : 0   Ben : 0\n  1) 43: 6/3 6/2\n";
        let record = read_bytes(text, "x.mat").unwrap();
        for ply in 0..=1 {
            let report = testing::reviewed(&record, ply);
            let all = &report.games[0].moves[0].candidates;
            let ranks: Vec<_> = all.iter().map(|one| (one.rank, one.made)).collect();
            let best = (1..=5).map(|rank| (Some(rank), false));
            let expected: Vec<_> = best.chain([(None, true)]).collect();
            assert_eq!(ranks, expected, "{ply}");
        }
    }

    /// A cube that was offered by mistake is worth less to the doubler than no double.
    #[test]
    fn before_an_answer_the_value_is_that_of_the_double() {
        let record = read_bytes(testing::BEAVERS, "x.mat").unwrap();
        let report = testing::reviewed(&record, 0);
        let [_, double, take, ..] = &report.games[0].moves[..] else {
            panic!("three moves")
        };
        let decision = take.cube.as_ref().unwrap().decision;
        let doubled = f64::from(decision.doubled().unwrap());
        assert!((take.value.unwrap() + doubled).abs() < 1e-6);
        assert!(take.value.unwrap() > double.value.unwrap() + 0.1);
    }

    /// Of a game without a result nobody knows what luck and errors came to.
    #[test]
    fn errors_of_a_game_without_a_result_change_no_result() {
        let text = include_bytes!("../../../tests/fixtures/mat/three_points.mat");
        let mut record = read_bytes(text, "x.mat").unwrap();
        let by_errors = |record: &Match| {
            let report = testing::reviewed(record, 0);
            let [left, right] = &report.players;
            let gain = right.figures.error_unnormalised - left.figures.error_unnormalised;
            (left.result_by_errors - report.games[0].before, gain)
        };
        let (change, gain) = by_errors(&record);
        assert!(
            gain != 0.0 && (change - gain).abs() < 1e-12,
            "{change} {gain}"
        );
        record.games[0].result = None;
        assert_eq!(by_errors(&record), (0.0, gain));
    }

    /// The luck of the game is measured so: the result is worth the same.
    #[test]
    fn a_game_from_beyond_the_table_into_it_has_one_measure() {
        let table = EquityTable::standard();
        let result = GameResult {
            winner: Player::Left,
            points: 8,
        };
        let mut record = Match {
            length: 90,
            crawford: true,
            ..Match::default()
        };
        let mut game = Game {
            score: [24, 26],
            result: Some(result),
            ..Game::default()
        };
        let far = |mine, theirs| f64::from(table.far_chance(mine, theirs));
        let worth_of = |record: &Match, game: &Game| worth(record, game, table);
        assert_eq!(worth_of(&record, &game), (far(66, 64), Some(far(58, 64))));
        record.length = 0;
        assert_eq!(worth_of(&record, &game), (0.0, Some(8.0)));
        (record.length, game.score, game.crawford) = (7, [6, 3], true);
        let chance = |mine, theirs, after| f64::from(table.chance(mine, theirs, after));
        let crawford = (chance(1, 4, false), Some(chance(-7, 4, true)));
        assert_eq!(worth_of(&record, &game), crawford);
        game.result = None;
        assert_eq!(worth_of(&record, &game), (chance(1, 4, false), None));
        (game.score, game.crawford, record.crawford) = ([2, 5], false, false);
        let without = table.without_crawford();
        let free = f64::from(without.chance(5, 2, false));
        assert_eq!(worth_of(&record, &game), (free, None));
    }
}
