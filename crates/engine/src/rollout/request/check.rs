//! Checks settings against the candidates. Every rollout request passes through here.

use super::coupling::Coupling;
use super::cube_settings::CubeSettings;
use super::error::RolloutError;
use super::limits::{
    MOST_CANDIDATES, MOST_CAP, MOST_PAIRWISE, MOST_PLIES, MOST_SHARDS, MOST_TRIALS,
};
use super::luck_kind::LuckKind;
use super::settings::{Allocation, PlayStyle, Settings};
use super::setup::Setup;
use crate::dice::DiceSource;
use crate::game::Position;

/// The settings with `auto` luck resolved, if these candidates can be rolled out by them.
pub(crate) fn checked(
    settings: &Settings,
    candidates: &[Position],
    setup: &Setup,
) -> Result<Settings, RolloutError> {
    check_prescribed(settings, setup)?;
    checked_counts(settings, candidates, setup)
}

/// As [`checked`], of trials that were played elsewhere: dice are not needed any more.
pub(crate) fn checked_counts(
    settings: &Settings,
    candidates: &[Position],
    setup: &Setup,
) -> Result<Settings, RolloutError> {
    let settings = settings.resolved(setup);
    check(&settings, candidates, setup)?;
    Ok(settings)
}

/// Checks that the dice which the settings prescribe are at hand.
pub(crate) fn check_prescribed(settings: &Settings, setup: &Setup) -> Result<(), RolloutError> {
    let source = settings.dice_source;
    let given = setup.prescribed_dice.as_ref().map(|dice| dice.source());
    match source {
        DiceSource::Prescribed { games, .. } if given != Some(source) => {
            Err(RolloutError::PrescribedMissing { games })
        }
        _ => Ok(()),
    }
}

/// Checks settings, with `auto` luck resolved, for these candidates.
pub(crate) fn check(
    settings: &Settings,
    positions: &[Position],
    setup: &Setup,
) -> Result<(), RolloutError> {
    let candidates = positions.len();
    let positive = |x: Option<f64>| x.is_none_or(|x| x.is_finite() && x > 0.0);
    let stop = &settings.stop;
    if candidates == 0 {
        return Err(RolloutError::NoCandidates);
    }
    if candidates > MOST_CANDIDATES {
        return Err(RolloutError::TooManyCandidates { given: candidates });
    }
    if stop.trials == 0 || stop.trials > MOST_TRIALS {
        return Err(RolloutError::Trials { given: stop.trials });
    }
    if settings.horizon == Some(0) {
        return Err(RolloutError::Horizon);
    }
    check_play(settings, setup)?;
    if !positive(stop.standard_error) {
        return Err(RolloutError::StandardError);
    }
    if !positive(stop.seconds) {
        return Err(RolloutError::Seconds);
    }
    if !positive(stop.half_width) {
        return Err(RolloutError::Width);
    }
    if !positive(stop.equivalent) {
        return Err(RolloutError::Equivalent);
    }
    if let Some(given) = stop.separated.filter(|c| !(0.5..=0.999_999).contains(c)) {
        return Err(RolloutError::Confidence { given });
    }
    if candidates < 2 && (stop.separated.is_some() || stop.equivalent.is_some()) {
        return Err(RolloutError::OnePlay);
    }
    if let Some(cube) = &settings.cube {
        check_cube(cube, positions, settings)?;
    }
    if let Some(settlement) = &settings.settlement {
        if !settlement.is_sound() {
            return Err(RolloutError::SettlementLimit);
        }
        if settings.cube.is_some() || settings.horizon.is_some() || settings.end_when_coalesced {
            return Err(RolloutError::SettlementOfWhat);
        }
    }
    check_dice(settings, candidates)?;
    check_shares(settings, candidates)
}

fn check_cube(
    cube: &CubeSettings,
    candidates: &[Position],
    settings: &Settings,
) -> Result<(), RolloutError> {
    let sound = |cube: u32| cube.is_power_of_two() && cube <= MOST_CAP;
    if !sound(cube.cap) || !sound(cube.cube) || cube.cap < cube.cube {
        return Err(RolloutError::CubeCap { cube: cube.cube });
    }
    if cube.away.is_some_and(|away| away.contains(&0)) {
        return Err(RolloutError::MatchOver);
    }
    if !cube.decision {
        return Ok(());
    }
    let alike = matches!(candidates, [a, b] if a == b);
    let position = candidates.first().copied().unwrap_or(Position::opening());
    let may = cube.state(position).may_double() && cube.cube < cube.cap;
    if !alike || settings.initial || !may {
        return Err(RolloutError::NoCubeDecision);
    }
    Ok(())
}

fn check_play(settings: &Settings, setup: &Setup) -> Result<(), RolloutError> {
    let early = |s: &PlayStyle| s.early.map(|e| e.ply);
    let plies = settings.styles().map(|s| [Some(s.ply), early(&s)]);
    if let Some(&given) = plies.iter().flatten().flatten().find(|p| **p > MOST_PLIES) {
        return Err(RolloutError::Ply { given });
    }
    if settings
        .luck_bound
        .is_some_and(|b| !b.is_finite() || b <= 0.0)
    {
        return Err(RolloutError::LuckBound);
    }
    if settings.luck_bound.is_some() && settings.luck == LuckKind::None {
        return Err(RolloutError::NothingToBound);
    }
    let ranked_by_net = settings.coupling.is_ranked() && settings.ranks.by == LuckKind::Net;
    let by_net = settings.luck == LuckKind::Net || ranked_by_net;
    if by_net && !setup.has_luck_net() {
        let by = setup.luck.as_ref().unwrap_or(&setup.evaluator);
        return Err(RolloutError::NoLuckNet {
            name: by.name().to_owned(),
        });
    }
    Ok(())
}

fn check_dice(settings: &Settings, candidates: usize) -> Result<(), RolloutError> {
    check_ranks(settings, candidates)?;
    let ranks = settings.coupling.is_ranked();
    if ranks && settings.initial {
        return Err(RolloutError::InitialRanks);
    }
    if let DiceSource::Prescribed { games, .. } = settings.dice_source {
        if ranks {
            return Err(RolloutError::PrescribedWithRanks);
        }
        if candidates > 1 && settings.coupling == Coupling::None {
            return Err(RolloutError::PrescribedIndependent);
        }
        let trials = settings.stop.trials;
        if games < trials {
            return Err(RolloutError::PrescribedShort { games, trials });
        }
    }
    Ok(())
}

fn check_ranks(settings: &Settings, candidates: usize) -> Result<(), RolloutError> {
    let Settings {
        coupling, ranks, ..
    } = *settings;
    if coupling.is_ranked() && candidates < 2 {
        return Err(RolloutError::RanksNeedTwo { given: candidates });
    }
    if coupling.is_for_two() && candidates != 2 {
        return Err(RolloutError::CouplingForTwo {
            coupling,
            given: candidates,
        });
    }
    if ranks.own_ties && (coupling != Coupling::Rank || candidates != 2) {
        return Err(RolloutError::OwnTies);
    }
    if coupling.is_ranked() && ranks.by == LuckKind::None {
        return Err(RolloutError::RanksByNothing);
    }
    let never = candidates != 2 || coupling == Coupling::None || ranks.own_ties;
    if settings.end_when_coalesced && never {
        return Err(RolloutError::NeverCoalesced);
    }
    Ok(())
}

fn check_shares(settings: &Settings, candidates: usize) -> Result<(), RolloutError> {
    let shares_out = settings.allocation != Allocation::Equal;
    if settings.allocation == Allocation::Race && candidates > MOST_PAIRWISE {
        return Err(RolloutError::RaceOfMany { given: candidates });
    }
    if shares_out && candidates < 3 {
        return Err(RolloutError::AdaptiveNeedsThree { given: candidates });
    }
    let Some(shard) = settings.shard else {
        return Ok(());
    };
    if shard.index >= shard.of || shard.of > MOST_SHARDS {
        return Err(RolloutError::Shard { of: shard.of });
    }
    if shares_out {
        return Err(RolloutError::ShardAdaptive);
    }
    let stop = &settings.stop;
    let rules = [
        (stop.standard_error, "a standard error"),
        (stop.half_width, "the width of an interval"),
        (stop.separated, "a best play"),
        (stop.equivalent, "plays that are close"),
    ];
    match rules.into_iter().find(|(rule, _)| rule.is_some()) {
        Some((_, rule)) => Err(RolloutError::ShardStop { rule }),
        None => Ok(()),
    }
}
