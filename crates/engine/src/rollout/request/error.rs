//! Reasons why a rollout is refused.

use thiserror::Error;

use super::coupling::Coupling;
use super::limits::{MOST_CANDIDATES, MOST_CAP, MOST_PAIRWISE, MOST_PLIES, MOST_TRIALS};

/// Why a rollout cannot be started.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum RolloutError {
    /// Nothing to roll out.
    #[error("no plays to roll out")]
    NoCandidates,
    /// Too many plays at once.
    #[error("{given} plays given, at most {MOST_CANDIDATES} can be rolled out together")]
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
    #[error("a rollout must be truncated after 1 roll or more")]
    Horizon,
    /// Play too deep to end.
    #[error("trials can be played at 0 to {MOST_PLIES} plies, not {given}")]
    Ply {
        /// Plies asked for.
        given: u8,
    },
    /// A standard error to stop at that is not positive.
    #[error("standard error to stop at must be a positive number of points")]
    StandardError,
    /// A time limit that is not positive.
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
        coupling: Coupling,
        /// Plays given.
        given: usize,
    },
    /// Ties broken by each candidate for itself, where that is not provided for.
    #[error("independent tie-breaks (--ties own) need 2 plays and matched ranks")]
    OwnTies,
    #[error("ranks need something to be made by: auto, net, lookahead or lookahead=PLY")]
    RanksByNothing,
    /// A trial that ends where candidates coalesce, and candidates that cannot.
    #[error("games become identical only where 2 plays share dice and tie-breaks")]
    NeverCoalesced,
    /// A half-width to stop at that is not positive.
    #[error("interval width to stop at must be a positive number of points")]
    Width,
    /// A confidence to stop at that is too low or too high.
    #[error("confidence to stop at must be from 0.5 to 0.999999, not {given}")]
    Confidence {
        /// Confidence asked for.
        given: f64,
    },
    /// A difference that does not matter, and is not positive.
    #[error("difference that does not matter must be a positive number of points")]
    Equivalent,
    /// A stop rule about the best of several plays, and one play.
    #[error("to stop when the best play is known takes at least 2 plays")]
    OnePlay,
    /// A bound for luck that is not subtracted.
    #[error("no luck is subtracted that could be bounded")]
    NothingToBound,
    /// A bound for the luck that is not positive.
    #[error("bound of the luck must be a positive number of points")]
    LuckBound,
    /// Luck by the luck net from an evaluator that has none.
    #[error("evaluator '{name}' has no luck net")]
    NoLuckNet {
        /// The evaluator.
        name: String,
    },
    /// Ranks and a first roll that is no double.
    #[error("an initial position cannot be rolled out with matched ranks")]
    InitialRanks,
    /// Prescribed rolls, and ranks.
    #[error("rolls from a file cannot be used with matched ranks")]
    PrescribedWithRanks,
    /// Prescribed rolls, and independent dice.
    #[error("rolls from a file are the same for all plays: they go with --coupling dice")]
    PrescribedIndependent,
    /// Fewer prescribed games than trials.
    #[error("the file of dice has {games} games, fewer than {trials} trials")]
    PrescribedShort {
        /// Games in the file.
        games: u64,
        /// Trials asked for.
        trials: u64,
    },
    /// Prescribed rolls that are not at hand.
    #[error("the rolls are those of a file of {games} games: give the same file with --dice-file")]
    PrescribedMissing {
        /// Games in the file.
        games: u64,
    },
    /// A shard whose number is not among those of the rollout.
    #[error("shard must be 1/{of} to {of}/{of}")]
    Shard {
        /// Number of shards.
        of: u32,
    },
    /// A shard of a rollout whose end depends on all of it.
    #[error("a shard sees only its own trials: it cannot stop at {rule}")]
    ShardStop {
        /// Name of the stop rule.
        rule: &'static str,
    },
    /// A shard of a rollout whose allocation depends on all of it.
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
    #[error("a race can have at most {MOST_PAIRWISE} plays, not {given}")]
    RaceOfMany {
        /// Plays given.
        given: usize,
    },
    /// The operating system starts no threads.
    #[error("cannot start worker threads: {reason}")]
    Threads {
        /// Message of the system.
        reason: String,
    },
    /// A cap on the cube that is not a power of 2, or is out of range.
    #[error("the cap on the cube must be a power of 2 from {cube} to {MOST_CAP}")]
    CubeCap {
        /// The cube at the beginning.
        cube: u32,
    },
    #[error("the match is over: there is nothing to roll out")]
    MatchOver,
    /// A cube decision where the player on roll cannot double.
    #[error(
        "there is no cube decision: the player on roll may not double, or the cube is at its cap"
    )]
    NoCubeDecision,
    /// A settlement limit that is not positive, or above one point.
    #[error("the settlement limit must be more than 0 points and at most 1")]
    SettlementLimit,
    /// A settlement limit without cubeless games that are played out.
    #[error("a settlement limit goes with cubeless games that are played to their end")]
    SettlementOfWhat,
    /// Saved progress of another evaluator: its trials cannot be continued by this one.
    #[error("progress was made with evaluator '{made}', not '{present}'")]
    OtherEvaluator {
        /// The evaluator that played the saved trials.
        made: String,
        /// The one at hand.
        present: String,
    },
    /// Saved progress of another version of this program.
    #[error("progress was made by another version of this program, whose trials are not the same")]
    OtherVersion,
    /// Saved progress that contradicts itself.
    #[error("saved progress is damaged: {what}")]
    Damaged {
        /// The fault.
        what: &'static str,
    },
}
