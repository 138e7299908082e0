//! The stages of a training.

/// One stage: rounds of self-play, each learnt from while the next is played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stage {
    /// Name, for the log.
    pub name: &'static str,
    /// Rounds.
    pub rounds: u64,
    /// Games a round.
    pub games: u64,
    /// See [`Games`](super::play::Games).
    pub lookahead: bool,
    /// See [`Games`](super::play::Games).
    pub lambda: f32,
    /// Learning rate at the start and at the end of the stage; in between it falls by a constant
    /// factor a round.
    pub rate: (f32, f32),
    /// Samples a step.
    pub batch: usize,
    /// How many times a sample is used, on average.
    pub reuse: f32,
    /// Rounds whose samples are kept to learn from.
    pub window: usize,
}

impl Stage {
    /// Learning rate in round `round` of this stage.
    #[must_use]
    pub fn rate_at(&self, round: u64) -> f32 {
        let progress = round as f32 / (self.rounds.max(2) - 1) as f32;
        self.rate.0 * (self.rate.1 / self.rate.0).powf(progress.min(1.0))
    }
}

/// A whole training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recipe {
    /// Name, kept in the net file.
    pub name: &'static str,
    /// The stages, in order.
    pub stages: &'static [Stage],
}

const TD: Stage = Stage {
    name: "temporal differences",
    rounds: 40,
    games: 10_000,
    lookahead: false,
    lambda: 0.7,
    rate: (2e-3, 2e-4),
    batch: 512,
    reuse: 1.0,
    window: 1,
};

const LOOKAHEAD: Stage = Stage {
    name: "lookahead",
    rounds: 100,
    games: 2_000,
    lookahead: true,
    lambda: 0.8,
    rate: (1e-3, 3e-4),
    batch: 512,
    reuse: 8.0,
    window: 60,
};

/// Labels that hang more on how games ended than on what the net thought of the next position:
/// beliefs of the first stage about rare outcomes (backgammons) outlive many rounds of lookahead.
const FURTHER: Stage = Stage {
    name: "further ahead",
    rounds: 200,
    lambda: 0.9,
    rate: (3e-4, 5e-5),
    window: 100,
    ..LOOKAHEAD
};

/// The same again, further still.
const STILL_FURTHER: Stage = Stage {
    name: "still further",
    rounds: 100,
    lambda: 0.95,
    rate: (5e-5, 3e-6),
    ..FURTHER
};

impl Recipe {
    /// The recipes there are.
    pub const ALL: &'static [Self] = &[
        Self {
            name: "full",
            stages: &[TD, LOOKAHEAD, FURTHER, STILL_FURTHER],
        },
        Self {
            name: "quick",
            stages: &[
                Stage {
                    rounds: 25,
                    games: 10_000,
                    ..TD
                },
                Stage {
                    rounds: 40,
                    games: 1_000,
                    rate: (7e-4, 3e-4),
                    ..LOOKAHEAD
                },
                Stage {
                    rounds: 30,
                    games: 1_000,
                    rate: (3e-4, 1e-5),
                    ..LOOKAHEAD
                },
            ],
        },
        Self {
            name: "smoke",
            stages: &[
                Stage {
                    rounds: 3,
                    games: 60,
                    ..TD
                },
                Stage {
                    rounds: 2,
                    games: 4,
                    ..LOOKAHEAD
                },
            ],
        },
    ];

    /// The recipe of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|r| r.name == name)
    }
}
