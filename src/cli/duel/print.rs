//! Output of a duel.

use serde::Serialize;

use super::sides::{LuckSpec, SideSpec};
use crate::cli::common::output;
use crate::duel::{Column, Duel, DuelTally};
use crate::eval::{Engine, Evaluator as _};
use crate::grid::Grid;
use crate::review::report::signed;
use crate::stats::changes::ROUND_OFF;
use crate::stats::interval::half_width;

/// All conditions on which the results of a duel depend: duels with equal conditions are identical.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Conditions {
    /// Version of the file format and of the measurement of its figures.
    luckless_duel: u32,
    a: String,
    b: String,
    /// Evaluators of the two sides and of the luck.
    evaluators: [Option<String>; 3],
    length: Option<u16>,
    cube: bool,
    jacoby: bool,
    beavers: bool,
    cube_cap: Option<u32>,
    luck: String,
    luck_bound: f64,
    seed: u64,
}

impl Conditions {
    pub(super) fn new(
        sides: [&SideSpec; 2],
        engines: [&Option<Engine>; 2],
        duel: &Duel<'_>,
        luck: &LuckSpec,
    ) -> Self {
        let name = |engine: &Option<Engine>| engine.as_ref().map(|e| e.name().to_owned());
        let rules = &duel.rules;
        Self {
            // Version 1 measured the luck of cubeful money games on another cube.
            luckless_duel: match rules.is_money() && rules.cube {
                true => 2,
                false => 1,
            },
            a: sides[0].name(),
            b: sides[1].name(),
            evaluators: [
                name(engines[0]),
                name(engines[1]),
                Some(duel.luck.name().to_owned()),
            ],
            length: (!rules.is_money()).then_some(rules.length),
            cube: !rules.is_cubeless(),
            jacoby: rules.jacoby,
            beavers: rules.beavers,
            cube_cap: (rules.is_money() && rules.cube).then_some(rules.largest_cube),
            luck: luck.text.clone(),
            luck_bound: rules.luck_bound,
            seed: duel.seed,
        }
    }
}

/// Means and intervals of results with one kind of counting.
#[derive(Debug, Serialize)]
struct Figures {
    mean: f64,
    se: f64,
    sd: f64,
    central_limit95: [f64; 2],
    anytime95: [f64; 2],
    betting95: [f64; 2],
    order95: [f64; 2],
}

impl Figures {
    fn new(column: &Column) -> Self {
        Self {
            mean: column.pairs.mean(),
            se: column.pairs.standard_error(),
            sd: column.single.variance().sqrt(),
            central_limit95: column.central_limit(),
            anytime95: column.anytime(),
            betting95: column.betting(),
            order95: column.order_statistics(),
        }
    }
}

/// Failures of a side.
#[derive(Debug, Serialize)]
struct Voids {
    side: &'static str,
    kind: &'static str,
    pairs: u64,
}

#[derive(Debug, Serialize)]
pub(super) struct DuelDocument {
    a: String,
    b: String,
    unit: DuelUnit,
    length: Option<u16>,
    cube: bool,
    luck: String,
    luck_bound: f64,
    seed: u64,
    contests: u64,
    games: u64,
    plays: u64,
    plain: Figures,
    reduced: Figures,
    decisions: [u64; 2],
    seconds_per_decision: [f64; 2],
    voids: Vec<Voids>,
    ended: DuelEnd,
    seconds: f64,
}

/// Why a duel ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum DuelEnd {
    /// All pairs were played.
    All,
    /// One side was shown to be stronger.
    Decided,
    /// Too many pairs were void.
    Voids,
    /// The user cancelled, or a pair could not be stored.
    Interrupted,
}

/// Unit of the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum DuelUnit {
    Points,
    Mwc,
}

impl DuelUnit {
    pub(crate) fn of_money(is_money: bool) -> Self {
        match is_money {
            true => Self::Points,
            false => Self::Mwc,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Points => "points",
            Self::Mwc => "mwc",
        }
    }

    /// Formats a mean or difference with its sign.
    pub(crate) fn signed(self, value: f64) -> String {
        match self {
            Self::Points => signed(value, 4),
            Self::Mwc => signed(100.0 * value, 2),
        }
    }

    /// Formats a figure without sign.
    pub(crate) fn plain(self, value: f64) -> String {
        match self {
            _ if !value.is_finite() => "–".to_owned(),
            Self::Points => format!("{value:.4}"),
            Self::Mwc => format!("{:.2}", 100.0 * value),
        }
    }

    pub(crate) fn interval(self, [low, high]: [f64; 2]) -> String {
        if !(low.is_finite() && high.is_finite()) {
            return "–".to_owned();
        }
        format!("{} to {}", self.signed(low), self.signed(high))
    }
}

const SIDES: [&str; 2] = ["a", "b"];

impl DuelDocument {
    pub(super) fn new(
        conditions: &Conditions,
        tally: &DuelTally,
        ended: DuelEnd,
        seconds: f64,
    ) -> Self {
        let share = |side: usize| tally.seconds[side] / tally.decisions[side].max(1) as f64;
        let voids = tally.faults.iter().map(|((side, kind), pairs)| Voids {
            side: SIDES[*side],
            kind: kind.name(),
            pairs: *pairs,
        });
        Self {
            a: conditions.a.clone(),
            b: conditions.b.clone(),
            unit: DuelUnit::of_money(conditions.length.is_none()),
            length: conditions.length,
            cube: conditions.cube,
            luck: conditions.luck.clone(),
            luck_bound: conditions.luck_bound,
            seed: conditions.seed,
            contests: 2 * tally.pairs(),
            games: tally.games,
            plays: tally.plays,
            plain: Figures::new(&tally.plain),
            reduced: Figures::new(&tally.reduced),
            decisions: tally.decisions,
            seconds_per_decision: [share(0), share(1)],
            voids: voids.collect(),
            ended,
            seconds,
        }
    }

    /// Formats the results as text.
    pub(super) fn text(&self) -> String {
        let unit = self.unit;
        let what = match (self.length, self.cube) {
            (Some(1), _) => "matches of 1 point".to_owned(),
            (Some(length), _) => format!("matches of {length} points, {} games", self.games),
            (None, true) => "money games with the cube".to_owned(),
            (None, false) => "money games without a cube".to_owned(),
        };
        let (heading, single) = match unit {
            DuelUnit::Points => ("points a game for the first", "sd of a game"),
            DuelUnit::Mwc => ("%MWC of the first, less 50", "sd of a match"),
        };
        let both = [&self.plain, &self.reduced];
        let mut table = Grid::new(&[heading, "as played", "luck subtracted"]);
        let mut row = |name: &str, cell: &dyn Fn(&Figures) -> String| {
            let mut cells = vec![name.to_owned()];
            cells.extend(both.map(cell));
            table.row(cells);
        };
        row("mean", &|f| unit.signed(f.mean));
        row(single, &|f| unit.plain(f.sd));
        row("standard error", &|f| unit.plain(f.se));
        row("95% central limit", &|f| unit.interval(f.central_limit95));
        row("95% anytime", &|f| unit.interval(f.anytime95));
        row("95% betting", &|f| unit.interval(f.betting95));
        row("95% order statistics", &|f| unit.interval(f.order95));
        let mut text = format!(
            "{} against {}: {} {what}\n{table}",
            output::printable(&self.a),
            output::printable(&self.b),
            self.contests,
        );
        for void in &self.voids {
            let name = if void.side == "a" { &self.a } else { &self.b };
            let name = output::printable(name);
            text += &format!("{} void pairs: {name} was {}\n", void.pairs, void.kind);
        }
        if !self.voids.is_empty() {
            text += "The figures are of the other pairs: no fair sample if the games decide who fails\n";
        }
        text += &self.verdict();
        text
    }

    fn verdict(&self) -> String {
        let [low, high] = self.reduced.anytime95;
        let (a, b) = (output::printable(&self.a), output::printable(&self.b));
        match (low > 0.0, high < 0.0) {
            (true, _) => format!("{a} is stronger: at least {}\n", self.unit.signed(low)),
            (_, true) => format!("{b} is stronger: at least {}\n", self.unit.signed(-high)),
            _ if low.is_finite() => "Not decided: the anytime interval contains 0\n".to_owned(),
            _ if self.reduced.se <= ROUND_OFF => {
                "Not decided: all pairs gave the same, so there is no spread to judge by\n"
                    .to_owned()
            }
            _ => "Not decided: too few games for an anytime interval\n".to_owned(),
        }
    }
}

/// The progress line.
pub(super) fn progress(tally: &DuelTally, pairs: u64, unit: DuelUnit) -> String {
    let column = &tally.reduced;
    let radius = half_width(column.central_limit());
    let voids = match tally.voids() {
        0 => String::new(),
        n => format!("  {n} void"),
    };
    format!(
        "{} of {}  {} ± {}{voids}",
        2 * tally.pairs(),
        2 * pairs,
        unit.signed(column.pairs.mean()),
        unit.plain(radius)
    )
}
