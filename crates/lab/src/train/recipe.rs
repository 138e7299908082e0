//! The stages of a training.

use super::play::Labels;

/// One stage: rounds of self-play, each learnt from while the next is played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrainingStage {
    /// Name, for the log.
    pub name: &'static str,
    pub rounds: u64,
    /// Games a round.
    pub games: u64,
    /// See [`Games`](super::play::Games).
    pub labels: Labels,
    /// See [`Games`](super::play::Games).
    pub lambda: f32,
    /// See [`Games`](super::play::Games).
    pub hard: f64,
    /// See [`Games`](super::play::Games).
    pub near: f64,
    /// See [`Games`](super::play::Games).
    pub rivals: f64,
    /// Learning rate at the start and at the end of the stage; in between it falls by a constant
    /// factor a round.
    pub rate: (f32, f32),
    /// Samples a step.
    pub batch: usize,
    /// How many times a sample is used, on average.
    pub reuse: f32,
    /// How many times a position is shown to the luck net, on average.
    pub luck_reuse: f32,
    /// Its learning rate at the start and at the end.
    pub luck_rate: (f32, f32),
    /// Rounds whose samples are kept to learn from.
    pub window: usize,
    /// Whether the main net begins anew from random weights, on the samples that are kept.
    pub anew: bool,
    /// Whether kinds of position have rows of their own, from this stage on.
    pub divided: bool,
}

impl TrainingStage {
    /// Learning rate in round `round` of this stage.
    pub fn rate_at(&self, round: u64) -> f32 {
        self.between(self.rate, round)
    }

    /// Learning rate of the luck net.
    pub fn luck_rate_at(&self, round: u64) -> f32 {
        self.between(self.luck_rate, round)
    }

    fn between(&self, (start, end): (f32, f32), round: u64) -> f32 {
        let progress = round as f32 / (self.rounds.max(2) - 1) as f32;
        start * (end / start).powf(progress.min(1.0))
    }
}

/// A whole training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recipe {
    /// Name, kept in the net file.
    pub name: &'static str,
    /// The stages, in order.
    pub stages: &'static [TrainingStage],
}

const TD: TrainingStage = TrainingStage {
    name: "temporal differences",
    rounds: 30,
    games: 10_000,
    labels: Labels::Played,
    lambda: 0.7,
    hard: 0.0,
    near: 0.0,
    rivals: 0.0,
    rate: (2e-3, 1e-4),
    batch: 512,
    reuse: 1.0,
    luck_reuse: 0.0,
    luck_rate: (1e-3, 1e-4),
    window: 1,
    anew: false,
    divided: false,
};

/// What the first stage believes about rare outcomes (backgammons) outlives many rounds of
/// lookahead, so these labels depend on how games ended rather than on the net.
const LOOKAHEAD: TrainingStage = TrainingStage {
    name: "lookahead",
    rounds: 30,
    games: 2_000,
    labels: Labels::Lookahead,
    lambda: 0.9,
    rate: (1e-3, 1e-4),
    reuse: 8.0,
    window: 42,
    ..TD
};

/// A new net that learns only from the low-noise labels of lookahead. No noise of the first stage
/// is left.
const NEW_NETS: TrainingStage = TrainingStage {
    name: "anew",
    rounds: 12,
    games: 0,
    rate: (2e-3, 2e-5),
    reuse: 30.0,
    anew: true,
    ..LOOKAHEAD
};

/// The labels of lookahead again, at a lower rate.
const SETTLING: TrainingStage = TrainingStage {
    name: "settling",
    rounds: 80,
    lambda: 0.85,
    rate: (5e-4, 2.5e-4),
    luck_reuse: 2.0,
    luck_rate: (1e-3, 7e-4),
    window: 80,
    ..LOOKAHEAD
};

/// Nearly to the end, with quieter labels.
const FINISH: TrainingStage = TrainingStage {
    name: "finish",
    rounds: 200,
    lambda: 0.7,
    rate: (2.5e-4, 3e-6),
    luck_rate: (7e-4, 2e-5),
    ..SETTLING
};

/// A second cycle of training: more of the positions that the net does not understand, and larger batches,
/// which leave more of the time for labels.
const FURTHER: TrainingStage = TrainingStage {
    name: "further",
    rounds: 160,
    hard: 0.4,
    rate: (4e-4, 4e-6),
    luck_rate: (4e-4, 1e-5),
    batch: 2048,
    window: 160,
    ..FINISH
};

/// What is common in a kind of position gets rows of its own there.
const DIVIDED: TrainingStage = TrainingStage {
    name: "divided",
    rounds: 160,
    rate: (4e-4, 4e-6),
    luck_reuse: 0.0,
    divided: true,
    ..FURTHER
};

/// A third cycle, with the plays that a player chooses between.
const NEAR: TrainingStage = TrainingStage {
    name: "near plays",
    rounds: 160,
    near: 0.5,
    ..DIVIDED
};

/// The end: labels are learnt from once or twice, while they are fresh. Used eight times each, they were
/// learnt by heart with their noise.
const FRESH: TrainingStage = TrainingStage {
    name: "fresh labels",
    rounds: 800,
    rate: (4e-4, 2e-6),
    reuse: 1.5,
    window: 8,
    ..NEAR
};

/// Beside the plays that are taken, rivals are labelled: what decides a play is the difference.
const RIVALS: TrainingStage = TrainingStage {
    name: "rivals",
    rounds: 1_000,
    rivals: 1.0,
    rate: (1e-4, 2e-6),
    ..FRESH
};

/// What a step at a higher rate takes from a batch is mostly its labels' noise: at rates so low, many more
/// labels have their say in each weight.
const SMALL: TrainingStage = TrainingStage {
    name: "small steps",
    rounds: 500,
    rate: (3e-5, 1e-6),
    ..RIVALS
};

/// The luck net alone, on all that is kept.
const LUCK: TrainingStage = TrainingStage {
    name: "luck",
    rounds: 60,
    games: 0,
    reuse: 0.0,
    luck_reuse: 16.0,
    luck_rate: (2e-3, 1e-5),
    window: 220,
    ..DIVIDED
};

/// Samples for the luck net, where it is trained alone.
const GATHERING: TrainingStage = TrainingStage {
    name: "gathering",
    rounds: 118,
    reuse: 0.0,
    window: 220,
    ..NEAR
};

/// Positions labelled by games that were merely played, with the predicted luck subtracted.
const REDUCED: TrainingStage = TrainingStage {
    name: "luck taken out",
    rounds: 80,
    games: 10_000,
    labels: Labels::Reduced,
    lambda: 0.9,
    rate: (5e-4, 3e-4),
    batch: 1024,
    reuse: 1.0,
    luck_reuse: 0.0,
    window: 8,
    ..LOOKAHEAD
};

impl Recipe {
    pub const ALL: &'static [Self] = &[
        Self {
            name: "full",
            stages: &[
                TD, LOOKAHEAD, NEW_NETS, SETTLING, FINISH, FURTHER, DIVIDED, NEAR, LUCK, FRESH,
                RIVALS, SMALL,
            ],
        },
        Self {
            name: "onward",
            stages: &[RIVALS, SMALL],
        },
        Self {
            name: "luck",
            stages: &[GATHERING, LUCK],
        },
        // An experiment, see crates/lab/records/training.md.
        Self {
            name: "reduced",
            stages: &[
                TD,
                TrainingStage {
                    rounds: 20,
                    ..SETTLING
                },
                REDUCED,
                TrainingStage {
                    rounds: 150,
                    rate: (8e-4, 1e-5),
                    batch: 4096,
                    ..REDUCED
                },
            ],
        },
        Self {
            name: "quick",
            stages: &[
                TrainingStage {
                    rounds: 25,
                    games: 10_000,
                    ..TD
                },
                TrainingStage {
                    rounds: 40,
                    games: 1_000,
                    rate: (7e-4, 3e-4),
                    ..LOOKAHEAD
                },
                TrainingStage {
                    rounds: 30,
                    games: 1_000,
                    lambda: 0.7,
                    rate: (3e-4, 1e-5),
                    window: 70,
                    ..LOOKAHEAD
                },
            ],
        },
        Self {
            name: "smoke",
            stages: &[
                TrainingStage {
                    rounds: 3,
                    games: 60,
                    ..TD
                },
                TrainingStage {
                    rounds: 3,
                    games: 4,
                    hard: 0.5,
                    near: 0.5,
                    rivals: 0.5,
                    ..SETTLING
                },
                TrainingStage {
                    rounds: 2,
                    ..NEW_NETS
                },
                TrainingStage {
                    rounds: 2,
                    games: 4,
                    ..DIVIDED
                },
                TrainingStage {
                    rounds: 2,
                    games: 20,
                    ..REDUCED
                },
            ],
        },
    ];

    /// Whether this recipe begins with nets that know how to play, as its first labels are lookaheads by
    /// them.
    pub fn goes_on_from_nets(&self) -> bool {
        self.stages[0].labels != Labels::Played
    }

    /// Changes with the stages: a training goes on by those that it began with.
    pub fn checksum(&self) -> u32 {
        crc32fast::hash(format!("{:?}", self.stages).as_bytes())
    }

    /// The recipe of that name.
    pub fn named(name: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|r| r.name == name)
    }
}
