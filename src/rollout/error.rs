//! What a rollout refuses.

use thiserror::Error;

use super::coupling::Coupling;
use super::cubeful::MOST_CAP;
use super::frame::MOST_DUELS;
use super::settings::{Allocation, LuckKind, Settings};
use super::setup::Setup;
use crate::dice::Source;
use crate::game::Position;

/// Most plays that are rolled out together.
pub const MOST_STRANDS: usize = 512;
/// Most trials of a strand.
pub const MOST_TRIALS: u64 = 1_000_000_000_000;
/// Most plies at which trials are played.
pub const MOST_PLIES: u8 = 4;

/// Why a rollout cannot be started.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum RolloutError {
    /// Nothing to roll out.
    #[error("no plays to roll out")]
    NoCandidates,
    /// Too many plays at once.
    #[error("{given} plays given, at most {MOST_STRANDS} can be rolled out together")]
    TooManyCandidates {
        /// Plays given.
        given: usize,
    },
    /// No trials, or absurdly many.
    #[error("number of trials must be from 1 to {MOST_TRIALS}, not {given}")]
    Trials {
        /// Trials asked for.
        given: u64,
    },
    /// A horizon of no rolls.
    #[error("horizon must be at least 1 roll")]
    Horizon,
    /// Play too deep to end.
    #[error("trials can be played at 0 to {MOST_PLIES} plies, not {given}")]
    Ply {
        /// Plies asked for.
        given: u8,
    },
    /// A standard error to stop at that is none.
    #[error("standard error to stop at must be a positive number of points")]
    StandardError,
    /// A time limit that is none.
    #[error("time limit must be a positive number of seconds")]
    Seconds,
    /// Matched ranks of a single play.
    #[error("matched ranks need at least 2 plays, not {given}")]
    RanksNeedTwo {
        /// Plays given.
        given: usize,
    },
    /// A coupling made for two, of another number of plays.
    #[error("the coupling {coupling} is made for 2 plays, not {given}")]
    CouplingForTwo {
        /// The coupling.
        coupling: Coupling,
        /// Plays given.
        given: usize,
    },
    /// Ties broken by each strand for itself, where that is not provided for.
    #[error("ties can be broken by each strand for itself only between 2 plays with ranks")]
    OwnTies,
    /// Ranks by nothing.
    #[error("ranks need something to be made by: auto, cheap, full or full=PLY")]
    RanksByNothing,
    /// A trial that ends where strands meet, and strands that cannot.
    #[error("strands meet only where 2 plays share their dice and tie-break")]
    NeverMet,
    /// A width to stop at that is none.
    #[error("interval width to stop at must be a positive number of points")]
    Width,
    /// A confidence that is none.
    #[error("confidence to stop at must be from 0.5 to 0.999999, not {given}")]
    Confidence {
        /// Asked for.
        given: f64,
    },
    /// A difference that matters not, which is none.
    #[error("difference that does not matter must be a positive number of points")]
    Equivalent,
    /// A stop rule about the best of several plays, and one play.
    #[error("to stop when the best play is known takes at least 2 plays")]
    OnePlay,
    /// A bound for luck that is not subtracted.
    #[error("no luck is subtracted that could be bounded")]
    NothingToBound,
    /// A bound for the luck that is none.
    #[error("bound of the luck must be a positive number of points")]
    LuckBound,
    /// Cheap luck from an evaluator that has none.
    #[error("evaluator '{name}' offers no cheap luck")]
    NoCheapLuck {
        /// The evaluator.
        name: String,
    },
    /// Ranks and a first roll that is no double.
    #[error("an initial position cannot be rolled out with matched ranks")]
    InitialRanks,
    /// Prescribed rolls, and ranks.
    #[error("rolls from a file cannot be used with matched ranks")]
    PresetRanks,
    /// Fewer prescribed games than trials.
    #[error("the file of dice has {games} games, fewer than {trials} trials")]
    PresetShort {
        /// Games in the file.
        games: u64,
        /// Trials asked for.
        trials: u64,
    },
    /// No such share.
    #[error("shard must be 1/{of} to {of}/{of}")]
    Shard {
        /// Shares.
        of: u32,
    },
    /// A share of a rollout whose end depends on all of it.
    #[error("a shard sees only its share: it cannot stop at {rule}")]
    ShardStop {
        /// What it was to stop at.
        rule: &'static str,
    },
    /// A share of a rollout whose allocation depends on all of it.
    #[error("shards give all plays the same trials: they go with --allocation equal")]
    ShardAdaptive,
    /// Adaptive allocation among fewer than three.
    #[error(
        "sharing out trials by what they show (adaptive, race) needs at least 3 plays, not {given}"
    )]
    AdaptiveNeedsThree {
        /// Plays given.
        given: usize,
    },
    /// A race of too many.
    #[error("a race can have at most {MOST_DUELS} plays, not {given}")]
    RaceOfMany {
        /// Plays given.
        given: usize,
    },
    /// The operating system gives no threads.
    #[error("cannot start worker threads: {reason}")]
    Threads {
        /// What it said.
        reason: String,
    },
    /// A cap on the cube that is none.
    #[error("the cap on the cube must be a power of 2 from {cube} to {MOST_CAP}")]
    CubeCap {
        /// The cube at the beginning.
        cube: u32,
    },
    /// A match that is over.
    #[error("the match is over: there is nothing to roll out")]
    MatchOver,
    /// A cube decision where there is none.
    #[error(
        "there is no cube decision: the player on roll may not double, or the cube is at its cap"
    )]
    NoCubeDecision,
    /// Saved progress of another evaluator: its trials cannot be continued by this one.
    #[error("progress was made with evaluator '{made}', not '{present}'")]
    OtherEvaluator {
        /// The evaluator that played the saved trials.
        made: String,
        /// The one at hand.
        present: String,
    },
    /// Saved progress that contradicts itself.
    #[error("saved progress is damaged: {what}")]
    Damaged {
        /// What is wrong with it.
        what: &'static str,
    },
}

/// Most shares of a rollout.
pub const MOST_SHARDS: u32 = 1_000_000;

/// Checks settings, their luck named, for these candidates.
pub(super) fn check(
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
    if candidates > MOST_STRANDS {
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
    if !positive(stop.width) {
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
        cube.check(positions, settings)?;
    }
    check_dice(settings, candidates)?;
    check_shares(settings, candidates)
}

fn check_play(settings: &Settings, setup: &Setup) -> Result<(), RolloutError> {
    let early = |s: &super::settings::Style| s.early.map(|e| e.ply);
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
    let ranked_cheaply = settings.coupling.is_ranked() && settings.ranks.by == LuckKind::Cheap;
    let cheap = settings.luck == LuckKind::Cheap || ranked_cheaply;
    if cheap && !setup.offers_cheap_luck() {
        let by = setup.luck.as_ref().unwrap_or(&setup.evaluator);
        return Err(RolloutError::NoCheapLuck {
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
    if let Source::Preset { games, .. } = settings.dice {
        if ranks {
            return Err(RolloutError::PresetRanks);
        }
        let trials = settings.stop.trials;
        if games < trials {
            return Err(RolloutError::PresetShort { games, trials });
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
    if settings.end_when_met && never {
        return Err(RolloutError::NeverMet);
    }
    Ok(())
}

fn check_shares(settings: &Settings, candidates: usize) -> Result<(), RolloutError> {
    let adaptive = settings.allocation != Allocation::Equal;
    if settings.allocation == Allocation::Race && candidates > MOST_DUELS {
        return Err(RolloutError::RaceOfMany { given: candidates });
    }
    if adaptive && candidates < 3 {
        return Err(RolloutError::AdaptiveNeedsThree { given: candidates });
    }
    let Some(shard) = settings.shard else {
        return Ok(());
    };
    if shard.index >= shard.of || shard.of > MOST_SHARDS {
        return Err(RolloutError::Shard { of: shard.of });
    }
    if adaptive {
        return Err(RolloutError::ShardAdaptive);
    }
    let stop = &settings.stop;
    let rules = [
        (stop.standard_error, "a standard error"),
        (stop.width, "the width of an interval"),
        (stop.separated, "a best play"),
        (stop.equivalent, "plays that are close"),
    ];
    match rules.into_iter().find(|(rule, _)| rule.is_some()) {
        Some((_, rule)) => Err(RolloutError::ShardStop { rule }),
        None => Ok(()),
    }
}
