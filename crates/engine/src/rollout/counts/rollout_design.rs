//! The design of a rollout: its strata and blocks, and what is known of its values, all of which stays while
//! trials come in.

use crate::dice::{COUNTED, DiceSource, first_places};
use crate::game::roll::{DISTINCT, ORDERED};
use crate::game::{Position, Roll, Side};
use crate::stats::interval::ALPHA;
use crate::stats::portable::exp;
use crate::stats::{Cell, Design};

use super::allocation::LAG;
use crate::rollout::request::coupling::Coupling;
use crate::rollout::request::limits::MOST_PAIRWISE;
use crate::rollout::request::luck_kind::LuckKind;
use crate::rollout::request::settings::{Allocation, Settings};
use crate::rollout::request::setup::Setup;
use crate::rollout::trials::cubeful::{CubeRules, MwcLine};
use crate::rollout::trials::outcome::equity;

/// Most points that a game is worth, cubeless.
pub(super) const MOST_POINTS: f64 = 3.0;
/// Neighbouring ranks that are one stratum in pairs.
const RANKS_TOGETHER: usize = 2;

/// What is known of a candidate without playing it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownValue {
    pub(crate) chances: [f64; 5],
    pub(super) equity: f64,
}

/// The design of a rollout, as the statistics need it.
#[derive(Clone, Debug)]
pub(crate) struct RolloutDesign {
    /// How the trials of a candidate depend on each other.
    pub(crate) trial_design: Design,
    /// How the differences of two candidates depend on each other.
    pub(super) pair_design: Design,
    /// How the differences of every two of several candidates depend on each other. Tables of pairs of rolls
    /// for all of them would be large: where these are balanced, blocks tell it.
    pub(super) pairwise_design: Design,
    /// Place of a first roll among the strata.
    places: [Option<u8>; DISTINCT],
    /// Whether strata are ranks.
    ranks: bool,
    /// What is known of candidates whose start is known exactly.
    pub(crate) known: Vec<Option<KnownValue>>,
    /// Most points that a trial is worth to either side.
    pub(super) most: f64,
    /// Points of the worst and of the best end of each candidate, on a cube of one.
    pub(super) bounds: Vec<[f64; 2]>,
    /// Whether the cube is played.
    pub(super) cubeful: bool,
    /// Whether states of the cube are estimated from cubeless games.
    pub(super) settles: bool,
    /// Whether the candidates are the two sides of a cube decision.
    pub(crate) decision: bool,
    /// Whether a double may be beavered.
    pub(super) beavers: bool,
    /// The cube at the beginning is 2 to this power.
    pub(super) least_cube: u8,
    pub(super) mwc: Option<MwcLine>,
    pub(super) coupling: Coupling,
    pub(crate) luck: LuckKind,
    /// Bounds of the variance-reduced equity, to either side, if there are any.
    pub(super) bound: Option<f64>,
    /// Whether both of two candidates start from the same position.
    pub(super) same_start: bool,
    /// Whether trials end where candidates coalesce, so that they tell the difference alone.
    pub(super) difference_only: bool,
    /// Whether trials are shared out by what they show: adaptive allocation, or a race.
    pub(crate) shares_out: bool,
    /// The number of trials depends on results, by a stop rule or by the allocation.
    pub(super) looks: bool,
    /// The share of the chance of a wrong verdict that each candidate has for its claim to be ahead of others; empty
    /// where no two are compared.
    pub(super) shares: Vec<f64>,
    /// Whether candidates that are shown not to be the best get no more trials, and the chance of a mistake
    /// in that.
    pub(super) race: bool,
    pub(super) race_alpha: f64,
}

impl RolloutDesign {
    /// The design of a rollout with these settings, with `auto` luck resolved.
    pub(crate) fn new(setup: &Setup, candidates: &[Position], settings: &Settings) -> Self {
        let ranks = settings.coupling.is_ranked();
        let trial_design = trial_design(settings, ranks);
        let cube = CubeRules::new(setup, settings);
        let most = cube.map_or(MOST_POINTS, |c| c.most_points());
        let is_money = cube.as_ref().is_none_or(CubeRules::is_money);
        let pair_design = match settings.coupling {
            Coupling::None => trial_design.without_strata(),
            _ => trial_design.clone(),
        };
        let pairwise_design = Design {
            strata: pair_design.strata.clone(),
            correlated: pair_design.correlated || !pair_design.pairs.is_empty(),
            ..pair_design.without_strata()
        };
        Self {
            trial_design,
            pair_design,
            pairwise_design,
            places: first_places(settings.initial),
            ranks,
            known: known(setup, settings, cube.as_ref(), candidates),
            most,
            bounds: candidates.iter().map(|p| bounds(p, is_money)).collect(),
            cubeful: cube.is_some(),
            settles: settings.settlement.is_some(),
            decision: settings.cube.is_some_and(|c| c.decision),
            beavers: settings.cube.is_some_and(|c| c.allows_beavers()),
            least_cube: settings.cube.map_or(0, |c| c.cube.ilog2() as u8),
            mwc: cube.and_then(|c| c.mwc()),
            coupling: settings.coupling,
            luck: settings.luck,
            bound: match (settings.luck, settings.luck_bound) {
                (LuckKind::None, _) => Some(most),
                (_, Some(bound)) => Some(most + bound),
                _ => None,
            },
            same_start: candidates.len() == 2
                && candidates[0] == candidates[1]
                && !settings.cube.is_some_and(|c| c.decision)
                && !settings.ranks.own_ties,
            difference_only: settings.end_when_coalesced,
            shares_out: settings.allocation != Allocation::Equal,
            looks: settings.stop.look_at_results() || settings.allocation != Allocation::Equal,
            shares: match candidates.len() {
                2..=MOST_PAIRWISE => shares(&static_equities(setup, cube.as_ref(), candidates)),
                _ => Vec::new(),
            },
            race: settings.allocation == Allocation::Race,
            race_alpha: settings.stop.separated.map_or(ALPHA, |c| 1.0 - c),
        }
    }

    /// This design where blocks are missing in between: no 36 of those that are there make a full set of
    /// pairs of rolls.
    pub(crate) fn with_gaps(mut self) -> Self {
        self.trial_design.latin_period = 0;
        self.pair_design.latin_period = 0;
        self.pairwise_design.latin_period = 0;
        self
    }

    /// Where a trial with these first numbers belongs: two ordered rolls of the same dice are one
    /// stratum. Ranks are one each at the first turn; further on two neighbours are put together, which
    /// hardly differ, so that pairs of them are seen again.
    pub(crate) fn cell(&self, numbers: [u8; COUNTED]) -> Cell {
        if self.trial_design.strata.is_empty() {
            return Cell::default();
        }
        let place = |n: u8| {
            if self.ranks {
                u16::from(n) / RANKS_TOGETHER as u16
            } else {
                Roll::ordered(usize::from(n)).index() as u16
            }
        };
        let (stratum, row) = if self.ranks {
            (u16::from(numbers[0]), place(numbers[0]))
        } else {
            let open = self.places[usize::from(place(numbers[0]))];
            let stratum = u16::from(open.unwrap_or(0));
            (stratum, stratum)
        };
        let [_, second, later_numbers @ ..] = numbers;
        Cell {
            stratum,
            pair: row * self.trial_design.second_strata as u16 + place(second),
            later_numbers: later_numbers.map(place),
        }
    }

    /// Rounds between a decision about who gets trials and its effect.
    pub(super) fn lag(&self) -> usize {
        if self.race { 0 } else { LAG }
    }

    /// Whether each block has every first roll.
    pub(super) fn has_first_rolls(&self) -> bool {
        !self.ranks && !self.trial_design.strata.is_empty()
    }

    /// Pairs of candidates that are compared block by block: of three or more that share theirs.
    pub(super) fn pairwise(&self) -> impl Iterator<Item = (usize, usize)> {
        let n = self.known.len();
        let n = if (self.shares_out && !self.race) || !(3..=MOST_PAIRWISE).contains(&n) {
            0
        } else {
            n
        };
        (0..n).flat_map(move |i| (i + 1..n).map(move |j| (i, j)))
    }
}

/// The values of candidates whose start is known exactly; `None` for others.
fn known(
    setup: &Setup,
    settings: &Settings,
    cube: Option<&CubeRules<'_>>,
    candidates: &[Position],
) -> Vec<Option<KnownValue>> {
    let plays_on = !settings.stop_at_known || settings.settlement.is_some();
    if plays_on || settings.initial || setup.opponent.is_some() {
        return vec![None; candidates.len()];
    }
    let known = |(candidate, p): (usize, &Position)| {
        let exact = setup.evaluator.exact(p);
        let chances = match cube {
            None => exact?,
            Some(cube) => exact
                .or_else(|| cube.exact_chances(false, p))
                .unwrap_or_else(|| setup.evaluator.probabilities_of(p)),
        };
        let chances = chances.flipped().to_array().map(f64::from);
        let equity = match cube {
            None => equity(&chances),
            Some(cube) => {
                let (start, decided) = cube.start(candidate);
                let value = cube.known(false, start, decided, p, || exact)?;
                cube.points(false, value)
            }
        };
        Some(KnownValue { chances, equity })
    };
    candidates.iter().enumerate().map(known).collect()
}

/// Returns the static equity of each candidate, for the player who makes the play.
fn static_equities(
    setup: &Setup,
    cube: Option<&CubeRules<'_>>,
    candidates: &[Position],
) -> Vec<f64> {
    let equity_of = |(candidate, p): (usize, &Position)| {
        let chances = setup.evaluator.probabilities_of(p);
        match cube {
            None => -f64::from(chances.equity()),
            Some(cube) => {
                let (start, _) = cube.start(candidate);
                cube.points(false, cube.deciding(false, start, p, &chances))
            }
        }
    };
    candidates.iter().enumerate().map(equity_of).collect()
}

/// The shares of candidates with these static equities: what is said to be ahead is more often a good one than a bad
/// one. Whatever the evaluator takes them for, no sum of shares is more than 1, so that verdicts keep their promise;
/// good shares only make them sooner. So the part of each is never small.
fn shares(equities: &[f64]) -> Vec<f64> {
    /// The error of a static difference of two plays, in points.
    const SPREAD: f64 = 0.02;
    /// The part that is shared equally.
    const EQUAL: f64 = 0.15;
    let best = equities.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weight = |equity: &f64| match best.is_finite() && equity.is_finite() {
        true => exp((equity - best) / SPREAD),
        false => 1.0,
    };
    let weights: Vec<f64> = equities.iter().map(weight).collect();
    let sum: f64 = weights.iter().sum();
    let equal = 1.0 / equities.len() as f64;
    let share = |weight: &f64| EQUAL * equal + (1.0 - EQUAL) * weight / sum;
    weights.iter().map(share).collect()
}

/// Points of the worst and of the best end of games from `start`, the opponent on roll: a player who
/// has borne a checker off loses no gammon. At a score a single game may be worth more than its
/// points.
fn bounds(start: &Position, counts_points: bool) -> [f64; 2] {
    let most = |loser: &Side| match counts_points && loser.off() > 0 {
        true => 1.0,
        false => MOST_POINTS,
    };
    [-most(&start.opponent), most(&start.mover)]
}

/// The shares of the strata of first rolls, or of ranks; none where a block does not have them all.
fn strata(dice: DiceSource, initial: bool, ranks: bool) -> Vec<f64> {
    if !dice.stratifies_first() {
        return Vec::new();
    }
    if ranks {
        return vec![1.0 / ORDERED as f64; ORDERED];
    }
    let places = first_places(initial);
    let open = Roll::ALL.iter().filter(|r| places[r.index()].is_some());
    let total: u32 = open.clone().map(|r| r.weight()).sum();
    let share = |r: &Roll| f64::from(r.weight()) / f64::from(total);
    open.map(share).collect()
}

fn trial_design(settings: &Settings, ranks: bool) -> Design {
    let Settings {
        dice_source: dice,
        initial,
        ..
    } = *settings;
    let strata = strata(dice, initial, ranks);
    let second = |first: &f64| {
        let first = *first;
        Roll::ALL.map(|r| first * f64::from(r.weight()) / ORDERED as f64)
    };
    let (pairs, second_strata) = match (dice.stratifies_pairs(), ranks) {
        (false, _) => (Vec::new(), 0),
        (true, false) => (strata.iter().flat_map(second).collect(), DISTINCT),
        (true, true) => {
            let places = ORDERED / RANKS_TOGETHER;
            let cells = places * places;
            (vec![1.0 / cells as f64; cells], places)
        }
    };
    let later_numbers = match dice {
        DiceSource::Stratified {
            depth,
            decks: false,
        } => usize::from(depth).saturating_sub(2),
        _ => 0,
    };
    Design {
        block: settings.block(),
        strata,
        pairs,
        second_strata,
        later_numbers,
        latin_period: if settings.shard.is_none() && second_strata > 0 {
            ORDERED as u64
        } else {
            0
        },
        correlated: dice.ties_blocks(),
        product: matches!(
            dice,
            DiceSource::Random
                | DiceSource::Rotation
                | DiceSource::Prescribed { .. }
                | DiceSource::Stratified {
                    depth: 1,
                    decks: false
                }
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Any two have one together at most, so that the interval of their difference holds; all have one.
    #[test]
    fn shares_are_those_of_one_chance_whatever_the_evaluator_says() {
        for equities in [
            vec![0.1, 0.08, -0.3, -0.9],
            vec![0.0; 5],
            vec![-1.0, 3.0],
            vec![f64::NAN, 0.2, f64::INFINITY],
        ] {
            let all = shares(&equities);
            assert!((all.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{all:?}");
            let least = 0.15 / equities.len() as f64;
            assert!(all.iter().all(|share| *share >= least), "{all:?}");
        }
        let all = shares(&[0.1, 0.08, -0.3]);
        assert!(all[0] > all[1] && all[1] > 3.0 * all[2], "{all:?}");
    }
}
