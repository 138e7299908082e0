//! What a duel prints.

use serde::Serialize;

use super::sides::{LuckSpec, SideSpec};
use crate::cli::common::output;
use crate::duel::{Column, Duel, DuelTally};
use crate::eval::{Engine, Evaluator as _};
use crate::grid::Grid;

/// All that the results of a duel depend on: two duels with the same are one.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Conditions {
    /// Version of the file's form, and of how its figures are measured.
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
            // Money games with the cube had their luck measured on another cube before.
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

/// Means and intervals of results that were counted in one way.
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
    unit: &'static str,
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
    ended: &'static str,
    seconds: f64,
}

/// A standard error that is rounding alone: the pairs did not vary.
const ROUNDING: f64 = 1e-12;

/// The names of the sides.
const SIDES: [&str; 2] = ["a", "b"];

impl DuelDocument {
    pub(super) fn new(
        conditions: &Conditions,
        tally: &DuelTally,
        ended: &'static str,
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
            unit: match conditions.length {
                Some(_) => "mwc",
                None => "points",
            },
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

    /// The results as text, for people.
    pub(super) fn text(&self) -> String {
        let money = self.length.is_none();
        let what = match (self.length, self.cube) {
            (Some(1), _) => "matches of 1 point".to_owned(),
            (Some(length), _) => format!("matches of {length} points, {} games", self.games),
            (None, true) => "money games with the cube".to_owned(),
            (None, false) => "money games without a cube".to_owned(),
        };
        let unit = match money {
            true => "points a game for the first",
            false => "%MWC of the first, less 50",
        };
        let both = [&self.plain, &self.reduced];
        let mut table = Grid::new(&[unit, "as played", "luck subtracted"]);
        let mut row = |name: &str, cell: &dyn Fn(&Figures) -> String| {
            let mut cells = vec![name.to_owned()];
            cells.extend(both.map(cell));
            table.row(cells);
        };
        let single = if money {
            "sd of a game"
        } else {
            "sd of a match"
        };
        row("mean", &|f| signed(f.mean, money));
        row(single, &|f| plain(f.sd, money));
        row("standard error", &|f| plain(f.se, money));
        row("95% central limit", &|f| interval(f.central_limit95, money));
        row("95% anytime", &|f| interval(f.anytime95, money));
        row("95% betting", &|f| interval(f.betting95, money));
        row("95% order statistics", &|f| interval(f.order95, money));
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
        text += &self.verdict();
        text
    }

    fn verdict(&self) -> String {
        let [low, high] = self.reduced.anytime95;
        let money = self.length.is_none();
        let (a, b) = (output::printable(&self.a), output::printable(&self.b));
        match (low > 0.0, high < 0.0) {
            (true, _) => format!("{a} is stronger: at least {}\n", signed(low, money)),
            (_, true) => format!("{b} is stronger: at least {}\n", signed(-high, money)),
            _ if low.is_finite() => "Not decided: the anytime interval contains 0\n".to_owned(),
            _ if self.reduced.se <= ROUNDING => {
                "Not decided: all pairs gave the same, so there is no spread to judge by\n"
                    .to_owned()
            }
            _ => "Not decided: too few games for an anytime interval\n".to_owned(),
        }
    }
}

/// A line while it plays.
pub(super) fn progress(tally: &DuelTally, pairs: u64, money: bool) -> String {
    let column = &tally.reduced;
    let [low, high] = column.central_limit();
    let radius = (high - low) / 2.0;
    let voids = match tally.voids() {
        0 => String::new(),
        n => format!("  {n} void"),
    };
    format!(
        "{} of {}  {} ± {}{voids}",
        2 * tally.pairs(),
        2 * pairs,
        signed(column.pairs.mean(), money),
        plain(radius, money)
    )
}

pub(in crate::cli) fn signed(value: f64, money: bool) -> String {
    match money {
        true => format!("{value:+.4}"),
        false => format!("{:+.2}", 100.0 * value),
    }
}

pub(in crate::cli) fn plain(value: f64, money: bool) -> String {
    match (value.is_finite(), money) {
        (false, _) => "–".to_owned(),
        (true, true) => format!("{value:.4}"),
        (true, false) => format!("{:.2}", 100.0 * value),
    }
}

pub(in crate::cli) fn interval([low, high]: [f64; 2], money: bool) -> String {
    if !(low.is_finite() && high.is_finite()) {
        return "–".to_owned();
    }
    format!("{} to {}", signed(low, money), signed(high, money))
}
