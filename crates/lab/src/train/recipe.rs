//! The stages of a training.

use super::play::Labels;

/// One stage: rounds of self-play. Each round is learned while the next is played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrainingStage {
    /// Name for the log.
    pub name: &'static str,
    pub rounds: u64,
    /// Games per round.
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
    /// Learning rate at the start and the end of the stage; in between it falls by a constant factor per round.
    pub rate: (f32, f32),
    /// Samples per step.
    pub batch: usize,
    /// How often a sample is used, on average.
    pub reuse: f32,
    /// How often a position is shown to the luck net, on average.
    pub luck_reuse: f32,
    /// Learning rate of the luck net at the start and the end.
    pub luck_rate: (f32, f32),
    /// Number of rounds whose samples are kept for learning.
    pub window: usize,
    /// Whether the main net restarts from random weights, on the kept samples.
    pub anew: bool,
    /// Whether kinds of position have their own rows from this stage on.
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

/// A complete training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recipe {
    /// Name, stored in the net file.
    pub name: &'static str,
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

/// The first stage's estimates of rare outcomes (backgammons) persist for many rounds of lookahead, so these labels
/// depend on the results of games, not on the net.
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

/// A new net that learns only from the low-noise labels of lookahead, without any noise of the first stage.
const NEW_NETS: TrainingStage = TrainingStage {
    name: "anew",
    rounds: 12,
    games: 0,
    rate: (2e-3, 2e-5),
    reuse: 30.0,
    anew: true,
    ..LOOKAHEAD
};

/// Labels of lookahead again, at a lower rate.
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

/// Long final stage with less noisy labels.
const FINISH: TrainingStage = TrainingStage {
    name: "finish",
    rounds: 200,
    lambda: 0.7,
    rate: (2.5e-4, 3e-6),
    luck_rate: (7e-4, 2e-5),
    ..SETTLING
};

/// A second cycle: more positions that the net gets wrong, and larger batches, which leave more time for labels.
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

/// Rows that are common in a kind of position become its own.
const DIVIDED: TrainingStage = TrainingStage {
    name: "divided",
    rounds: 160,
    rate: (4e-4, 4e-6),
    luck_reuse: 0.0,
    divided: true,
    ..FURTHER
};

/// A third cycle, with the plays between which players choose.
const NEAR: TrainingStage = TrainingStage {
    name: "near plays",
    rounds: 160,
    near: 0.5,
    ..DIVIDED
};

/// Final stage: fresh labels are used once or twice. When used eight times each, their noise was memorised.
const FRESH: TrainingStage = TrainingStage {
    name: "fresh labels",
    rounds: 800,
    rate: (4e-4, 2e-6),
    reuse: 1.5,
    window: 8,
    ..NEAR
};

/// Rivals of the plays are labelled, too: a choice depends on the difference.
const RIVALS: TrainingStage = TrainingStage {
    name: "rivals",
    rounds: 1_000,
    rivals: 1.0,
    rate: (1e-4, 2e-6),
    ..FRESH
};

/// At a higher rate, a step follows mostly the noise of its batch's labels. At these low rates many more labels
/// contribute to each weight.
const SMALL: TrainingStage = TrainingStage {
    name: "small steps",
    rounds: 500,
    rate: (3e-5, 1e-6),
    ..RIVALS
};

/// The luck net alone, on all kept samples.
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

/// Samples for training the luck net alone.
const GATHERING: TrainingStage = TrainingStage {
    name: "gathering",
    rounds: 118,
    reuse: 0.0,
    window: 220,
    ..NEAR
};

/// Labels of games without lookahead, with the predicted luck subtracted.
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
        // An experiment; see crates/lab/records/training.md.
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

    /// Returns whether this recipe starts from trained nets, because its first labels are their lookahead values.
    pub fn goes_on_from_nets(&self) -> bool {
        self.stages[0].labels != Labels::Played
    }

    /// Checksum of the stages: a training may only continue with unchanged stages.
    pub fn checksum(&self) -> u32 {
        crc32fast::hash(format!("{:?}", self.stages).as_bytes())
    }

    pub fn named(name: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|r| r.name == name)
    }
}
