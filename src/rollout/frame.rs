//! What does not change while trials come in.

use crate::dice::{Source, first_places};
use crate::game::roll::{DISTINCT, ORDERED};
use crate::game::{Position, Roll};
use crate::stats::{Cell, Design};

use super::settings::{Allocation, Coupling, LuckKind, Settings};
use super::setup::Setup;

/// Most points that a game is worth, cubeless.
pub(super) const MOST_POINTS: f64 = 3.0;
/// Most strands of which every pair is compared trial by trial.
const MOST_DUELS: usize = 8;

/// The design of a rollout, as the statistics need it.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// How the trials of a strand hang together.
    pub(super) design: Design,
    /// How the differences of two strands do.
    pub(super) pair_design: Design,
    /// Place of a first roll among the strata.
    places: [Option<u8>; DISTINCT],
    /// Whether strata are ranks.
    ranks: bool,
    /// Chances of strands whose start is known exactly.
    pub(super) known: Vec<Option<[f64; 5]>>,
    pub(super) coupling: Coupling,
    pub(super) luck: LuckKind,
    /// Bounds of the reduced equity, to either side, if there are any.
    pub(super) bound: Option<f64>,
    /// Whether both of two strands start from the same position.
    pub(super) alike: bool,
    pub(super) adaptive: bool,
}

impl Frame {
    /// The design of a rollout with these settings, their luck named.
    pub(super) fn new(setup: &Setup, candidates: &[Position], settings: &Settings) -> Self {
        let ranks = settings.coupling == Coupling::Rank;
        let design = design(settings, ranks);
        let known = |p: &Position| {
            if !settings.stop_at_known || settings.initial || setup.opponent.is_some() {
                return None;
            }
            let chances = setup.evaluator.exact(p)?.turned();
            Some(chances.to_array().map(f64::from))
        };
        let pair_design = match settings.coupling {
            Coupling::None => Design {
                strata: Vec::new(),
                pairs: Vec::new(),
                ..design.clone()
            },
            _ => design.clone(),
        };
        Self {
            design,
            pair_design,
            places: first_places(settings.initial),
            ranks,
            known: candidates.iter().map(known).collect(),
            coupling: settings.coupling,
            luck: settings.luck,
            bound: match (settings.luck, settings.luck_bound) {
                (LuckKind::None, _) => Some(MOST_POINTS),
                (_, Some(bound)) => Some(MOST_POINTS + bound),
                _ => None,
            },
            alike: candidates.len() == 2 && candidates[0] == candidates[1],
            adaptive: settings.allocation == Allocation::Adaptive,
        }
    }

    /// Where a trial with these first numbers belongs: two ordered rolls of the same dice are one
    /// stratum.
    pub(super) fn cell(&self, numbers: [u8; 2]) -> Cell {
        if self.design.strata.is_empty() {
            return Cell::default();
        }
        if self.ranks {
            return Cell {
                stratum: u16::from(numbers[0]),
                pair: 0,
            };
        }
        let roll = |n: u8| Roll::ordered(usize::from(n)).index();
        let stratum = u16::from(self.places[roll(numbers[0])].unwrap_or(0));
        Cell {
            stratum,
            pair: stratum * DISTINCT as u16 + roll(numbers[1]) as u16,
        }
    }

    /// Pairs of strands that are compared trial by trial: of three or more with equal trials.
    pub(super) fn duels(&self) -> impl Iterator<Item = (usize, usize)> {
        let n = self.known.len();
        let n = if self.adaptive || !(3..=MOST_DUELS).contains(&n) {
            0
        } else {
            n
        };
        (0..n).flat_map(move |i| (i + 1..n).map(move |j| (i, j)))
    }
}

fn design(settings: &Settings, ranks: bool) -> Design {
    let Settings { dice, initial, .. } = *settings;
    let strata: Vec<f64> = if !dice.stratifies_first() {
        Vec::new()
    } else if ranks {
        vec![1.0 / ORDERED as f64; ORDERED]
    } else {
        let places = first_places(initial);
        let open = Roll::ALL.iter().filter(|r| places[r.index()].is_some());
        let total: u32 = open.clone().map(|r| r.weight()).sum();
        let share = |r: &Roll| f64::from(r.weight()) / f64::from(total);
        open.map(share).collect()
    };
    let pairs = if dice.stratifies_pairs() && !ranks {
        let second = |first: &f64| {
            let first = *first;
            Roll::ALL.map(|r| first * f64::from(r.weight()) / ORDERED as f64)
        };
        strata.iter().flat_map(second).collect()
    } else {
        Vec::new()
    };
    Design {
        block: settings.block(),
        strata,
        pairs,
        tied: dice.ties_blocks(),
        product: matches!(
            dice,
            Source::Random
                | Source::Rotation
                | Source::Preset { .. }
                | Source::Stratified {
                    depth: 1,
                    decks: false
                }
        ),
    }
}
