//! `luckless-lab coverage`: tests whether intervals cover and stopping rules keep their error rate, in all tables.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, Result};

use super::common::{save, setup};
use super::rollouts::SOURCES;
use crate::cli::common::options::count;
use crate::cli::common::output;
use crate::cli::common::usage::refused;
use crate::cli::common::usage::say;
use crate::cli::rollouts::candidate::error;
use crate::dice::DiceSource;
use crate::eval::bearoff::two_sided::TwoSided;
use crate::eval::{Engine, Evaluator};
use crate::experiments::at_stop::{self, AtStop, KnownEnding};
use crate::experiments::close_decisions;
use crate::experiments::coverage::{self, Shares};
use crate::experiments::oracle::{self, Blurred};
use crate::experiments::pairing::{self, COUPLINGS};
use crate::experiments::techniques::CASES;
use crate::experiments::verdicts::{self, KnownPlays, Rule, RuleRecord};
use crate::game::{PlayList, Position, Roll};
use crate::grid::Grid;
use crate::notation::parse_id;
use crate::rollout::{Allocation, Coupling, LuckKind, Settings, Setup, run_blocking};

/// Full range of the evaluator's error for positions of known value.
const NOISE: f32 = 0.1;
/// Luck bound in points, for tests with a bound.
const BOUND: f64 = 1.5;
/// Kinds of luck in every table.
const LUCKS: [LuckKind; 3] = [LuckKind::None, LuckKind::Net, LuckKind::Lookahead(Some(0))];
/// Reference trials, with luck by lookahead, for each trial of a rollout.
const REFERENCE: u64 = 200;

/// Whether 95% intervals hold as often as they say, and whether stop rules are wrong no more often
/// than they promise
#[derive(Debug, clap::Args)]
pub(super) struct Coverage {
    /// Rollouts for each row (half as many of dice, positions and pairs, an eighth of the middle game, a tenth with contact)
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = count::<u32>(8))]
    runs: u32,
    /// Only this table
    #[arg(long, value_name = "TABLE", value_parser = ["dice", "positions", "pairs", "stops", "default", "contact"])]
    only: Option<String>,
    /// Keep the text in this folder, as coverage.txt
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// Checkers a side of the exact bearoffs that rollouts are held against.
const CHECKERS: u8 = 7;
/// Endings with no more checkers: cube decisions, and plays of a roll.
const ENDINGS: [(&str, Option<&str>); 8] = [
    ("FgcAADcGAAAAAA", None),
    ("tQMAAG0MAAAAAA", None),
    ("VQUAAKsCAAAAAA", None),
    ("awoAAK0KAAAAAA", None),
    ("VQUAAKsCAAAAAA", Some("21")),
    ("awoAAK0KAAAAAA", Some("31")),
    ("2goAALUKAAAAAA", Some("21")),
    ("awoAAK0KAAAAAA", Some("41")),
];

/// Decisions with contact that are settled soon: two for money, three at scores, one of them a cube decision.
const CONTACT: [&str; 5] = [
    "a8xgMCjY5uABQQ",
    "WA80wA0bt00AQA",
    "uDsOCwDGzsIALA:UQmuAQAACAAE",
    "f28AAGDbbgsQAA:QQmmATAAMAAE",
    "qNeRwQBk5w4HAA:cInuAAAAEAAE",
];
/// Trials of each play in the reference rollout of such a decision.
const LONG: u64 = 10_008;

type Made = fn(&Coverage) -> Result<String>;

impl Coverage {
    pub(super) fn run(&self) -> Result<()> {
        let tables: [(&str, Made); 6] = [
            ("dice", Self::dice),
            ("positions", Self::positions),
            ("pairs", Self::pairs),
            ("stops", Self::stops),
            ("default", Self::default_stop),
            ("contact", Self::contact),
        ];
        let mut text = format!("Evaluator {}, seed 1.\n", setup().evaluator.name());
        output::text(&text)?;
        for (name, made) in tables {
            if self.only.as_ref().is_none_or(|only| only == name) {
                let table = format!("\n{}", made(self)?);
                output::text(&table)?;
                text += &table;
            }
        }
        save(self.out.as_deref(), "coverage", &text, &[])
    }

    /// Tests a bear-off of known value with every dice source and kind of luck.
    fn dice(&self) -> Result<String> {
        let (runs, trials) = (self.runs / 2, 360);
        let position = Position::from_points(&[(6, 1), (4, 1), (2, 1)], &[(5, 1), (3, 1), (1, 1)])?;
        let mut table = single_table();
        for dice in SOURCES {
            let bounds: &[Option<f64>] = match dice {
                DiceSource::Rotation => &[None, Some(BOUND)],
                _ => &[None],
            };
            for &bound in bounds {
                let settings = Settings {
                    dice_source: dice,
                    luck_bound: bound,
                    ..with_trials(trials)
                };
                let setup = blurred();
                let value = -oracle::value(&*setup.evaluator, &position);
                rows(
                    &mut table, "bearoff", &setup, position, &settings, value, runs,
                )?;
            }
        }
        Ok(format!(
            "dice: {runs} rollouts of {trials} trials of a bearoff of three checkers each, by an evaluator that\n\
             errs by up to {:.2} and knows nothing exactly; the value is that of its play\n{table}",
            NOISE / 2.0
        ))
    }

    /// Tests positions with default rollout settings, against long rollouts.
    fn positions(&self) -> Result<String> {
        let setup = setup();
        let trials = 144;
        let race = [(6, 3), (5, 2), (4, 2), (3, 1), (7, 1), (8, 1)];
        let other = [(6, 3), (5, 2), (4, 2), (2, 1), (7, 1), (8, 1)];
        let waiting = [(24, 2), (6, 3), (5, 3), (4, 3), (3, 2), (2, 2)];
        let off = [(6, 2), (5, 2), (4, 2), (2, 1)];
        let mut all = vec![
            ("race", Position::from_points(&race, &other)?, self.runs / 2),
            (
                "contact",
                Position::from_points(&waiting, &off)?,
                self.runs / 2,
            ),
        ];
        let middle = CASES[2].candidates(&setup).first().copied();
        all.extend(middle.map(|p| ("middle", p, self.runs / 8)));
        let mut text = format!(
            "positions: rollouts of {trials} trials by default settings (rotation; luck as named), against a\n\
             rollout of {REFERENCE} times as many with luck by lookahead\n"
        );
        let mut table = single_table();
        for (name, position, runs) in all {
            let mut settings = with_trials(trials * REFERENCE);
            settings.seed = 1 << 40;
            let reference = run_blocking(&setup, &[position], &settings, &mut |_| true);
            let e = reference.map_err(refused)?.candidates[0].equity;
            text += &format!(
                "{name}: {runs} rollouts, reference {:+.5} (se {:.5})\n",
                e.mean, e.se
            );
            let settings = with_trials(trials);
            rows(&mut table, name, &setup, position, &settings, e.mean, runs)?;
        }
        Ok(format!("{text}{table}"))
    }

    /// Tests two bear-offs of known value with every coupling and kind of luck.
    fn pairs(&self) -> Result<String> {
        let (runs, trials) = (self.runs / 2, 144);
        let setup = blurred();
        let mut table = Grid::new(&[
            "plays",
            "coupling",
            "luck",
            "fixed",
            "anytime",
            "largest error of the means, se",
            "err²/se²",
        ]);
        for (name, plays) in [("close", close(&setup)?), ("hardly vary", rare(&setup)?)] {
            let pair = [plays.candidates[0], plays.candidates[1]];
            let values = [plays.values[0], plays.values[1]];
            for coupling in COUPLINGS {
                for luck in LUCKS {
                    let settings = Settings {
                        coupling,
                        luck,
                        ..with_trials(trials)
                    };
                    let held = pairing::coverage_of(&setup, &pair, values, &settings, runs);
                    let held = held.map_err(refused)?;
                    let off = held.off.iter().map(|o| o.abs()).fold(0.0, f64::max);
                    table.row(vec![
                        name.to_owned(),
                        coupling.to_string(),
                        luck.to_string(),
                        percent(held.fixed),
                        percent(held.anytime),
                        format!("{off:.2}"),
                        format!("{:.2}", held.honesty),
                    ]);
                }
            }
        }
        Ok(format!(
            "pairs: {runs} rollouts of {trials} trials of two bearoffs of known value; intervals of the difference\n\
             {table}"
        ))
    }

    /// Endings with the cube, rolled out as by default until they are settled.
    fn default_stop(&self) -> Result<String> {
        let runs = (self.runs / 4).max(1);
        let table = TwoSided::compute(CHECKERS, &mut |_| true);
        let table = table.context("the exact bearoffs were not computed")?;
        let mut endings = Vec::new();
        for (id, dice) in ENDINGS {
            let position = parse_id(id)?.position;
            let ending = match dice {
                None => KnownEnding::cube(&table, id, position),
                Some(dice) => {
                    let name = format!("{id} {dice}");
                    KnownEnding::plays(&table, &name, position, dice.parse()?, 5)
                }
            };
            endings.push(ending.with_context(|| format!("{id}: not among the exact bearoffs"))?);
        }
        let mut shown = Grid::new(&AT_STOP);
        let net = setup();
        // An evaluator that errs misleads what is known before the first trial as well.
        for (setup, name) in [(&net, ""), (&blurred(), " blurred")] {
            for ending in &endings {
                for ply in [1, 0] {
                    let kept = at_stop::measure(setup, ending, ply, runs).map_err(refused)?;
                    shown.row(at_stop_row(ending, name, ply, &kept));
                }
            }
        }
        Ok(format!(
            "default: {runs} rollouts of each ending with the cube, for money, as by default until they were settled;\n\
             how often the interval that is shown at the stop held the exact value, and 1.96 standard errors\n{shown}"
        ))
    }

    /// Decisions with contact, for money and at scores, against long rollouts.
    fn contact(&self) -> Result<String> {
        let runs = (self.runs / 10).max(1);
        let setup = setup();
        let mut shown = Grid::new(&AT_STOP);
        let decisions = close_decisions::bundled().into_iter();
        let some = decisions.filter(|one| CONTACT.contains(&one.id.as_str()));
        for decision in some {
            let known = KnownEnding::by_rollout(&setup, &decision, LONG).map_err(refused)?;
            let kept = at_stop::measure(&setup, &known, 1, runs).map_err(refused)?;
            shown.row(at_stop_row(&known, "", 1, &kept));
            say(&known.name);
        }
        Ok(format!(
            "contact: {runs} rollouts of each decision as by default until they were settled, against one of {LONG} trials\n\
             of each play, whose own error is part of what the intervals seem to miss\n{shown}"
        ))
    }

    /// Tests every stopping rule, for pairs and families with much and with little variance.
    fn stops(&self) -> Result<String> {
        let setup = blurred();
        let mut table = Grid::new(&[
            "plays",
            "number",
            "allocation",
            "luck",
            "rule",
            "rollouts",
            "promised",
            "wrong",
            "ended",
            "trials",
        ]);
        let cases = cases(&setup)?;
        let count = cases.len();
        for (place, case) in cases.into_iter().enumerate() {
            let runs = (self.runs / case.one_of).max(1);
            let (number, name) = (place + 1, case.name);
            say(&format!("{number} of {count}: {name}, {runs} rollouts"));
            let settings = Settings {
                allocation: case.allocation,
                luck: case.luck,
                coupling: Coupling::Dice,
                ..with_trials(case.trials)
            };
            let (names, rules): (Vec<String>, Vec<Rule>) = case.rules().into_iter().unzip();
            let kept = verdicts::measure(&setup, &case.plays, &settings, &rules, runs);
            for ((name, rule), kept) in names.iter().zip(&rules).zip(kept.map_err(refused)?) {
                table.row(case.row(name, rule, &kept));
            }
        }
        Ok(format!(
            "stops: rollouts of plays of known value, watched after every block of 36 trials: how often a rule\n\
             ended with a wrong verdict (a play named that is not the best; plays called equivalent that are not;\n\
             an interval, anytime, that does not hold the value), and how often it ended before the trials ran out,\n\
             after how many trials of each play. equivalent= asks for less than the two best plays differ by, where\n\
             they do, so that each such verdict on them is wrong.\n{table}"
        ))
    }
}

fn with_trials(trials: u64) -> Settings {
    let mut settings = Settings::default();
    settings.stop.trials = trials;
    settings
}

/// Columns of the tables of what held where rollouts stopped by themselves.
const AT_STOP: [&str; 8] = [
    "ending",
    "plays",
    "ply",
    "settled",
    "wrong",
    "shown",
    "1.96 se",
    "trials of all",
];

fn at_stop_row(ending: &KnownEnding, name: &str, ply: u8, kept: &AtStop) -> Vec<String> {
    let share = |[of, held]: [u32; 2]| percent(f64::from(held) / f64::from(of));
    vec![
        format!("{}{name}", ending.name),
        match ending.count() {
            2 => "cube".to_owned(),
            count => count.to_string(),
        },
        ply.to_string(),
        percent(f64::from(kept.settled) / f64::from(kept.runs)),
        format!(
            "{:.1}%",
            100.0 * f64::from(kept.wrong) / f64::from(kept.runs)
        ),
        share(kept.shown),
        share(kept.fixed),
        format!("{:.0}", kept.trials),
    ]
}

fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

/// An evaluator with known errors, so that values are known and luck does not explain everything.
fn blurred() -> Setup {
    let evaluator = Blurred::new(Engine::embedded(), NOISE);
    Setup::from(Arc::new(evaluator) as Arc<dyn Evaluator>)
}

fn single_table() -> Grid {
    Grid::new(&[
        "position",
        "dice",
        "luck",
        "fixed",
        "watched",
        "anytime",
        "rigorous",
        "order",
        "error",
        "±fixed",
        "±anytime",
        "±rigorous",
        "±order",
        "err²/se²",
    ])
}

/// Adds a row for each kind of luck; with bounded luck only for kinds that subtract luck.
fn rows(
    table: &mut Grid,
    name: &str,
    setup: &Setup,
    position: Position,
    settings: &Settings,
    value: f64,
    runs: u32,
) -> Result<()> {
    let mut row = |luck: String, s: &Shares| {
        let perhaps = |x: Option<f64>| x.map_or_else(|| "–".to_owned(), percent);
        let mut cells = vec![name.to_owned(), settings.dice_source.to_string(), luck];
        cells.extend([s.fixed, s.fixed_watched, s.anytime].map(percent));
        cells.extend([perhaps(s.non_asymptotic), perhaps(s.order)]);
        cells.push(format!("{:.4}", s.error));
        cells.extend(s.widths.map(error));
        cells.push(format!("{:.2}", s.honesty));
        table.row(cells);
    };
    for luck in &LUCKS[1..] {
        let settings = Settings {
            luck: *luck,
            ..settings.clone()
        };
        let found = coverage::measure(setup, position, &settings, value, runs).map_err(refused)?;
        match settings.luck_bound {
            Some(bound) => row(format!("{luck}, bound {bound}"), &found.variance_reduced),
            None => {
                if *luck == LuckKind::Net {
                    row("none".to_owned(), &found.plain);
                }
                row(luck.to_string(), &found.variance_reduced);
            }
        }
    }
    Ok(())
}

/// Sorts positions by value, best first.
fn plays(setup: &Setup, candidates: Vec<Position>) -> KnownPlays {
    let values = oracle::values(&*setup.evaluator, &candidates);
    let mut all: Vec<(f64, Position)> = values.iter().map(|v| -v).zip(candidates).collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (values, candidates) = all.into_iter().unzip();
    KnownPlays { values, candidates }
}

/// Four bear-offs of two checkers with similar values.
fn close(setup: &Setup) -> Result<KnownPlays> {
    let own: [&[(usize, u8)]; 4] = [
        &[(5, 1), (3, 1)],
        &[(6, 1), (2, 1)],
        &[(5, 1), (4, 1)],
        &[(6, 1), (5, 1)],
    ];
    let candidates = own.map(|own| Position::from_points(&[(6, 1), (4, 1)], own));
    let candidates: Result<Vec<_>, _> = candidates.into_iter().collect();
    Ok(plays(setup, candidates?))
}

/// All plays of 11 in a bear-off that is nearly won.
fn all_of(setup: &Setup, id: &str) -> Result<KnownPlays> {
    let position = parse_id(id)?.position;
    let mut list = PlayList::new();
    let roll = Roll::new(1, 1).context("a roll of the dice")?;
    list.generate(&position, roll);
    Ok(plays(setup, list.results().to_vec()))
}

/// Three plays that almost never lose: two 0.004 points apart, and one 0.025 worse.
fn rare(setup: &Setup) -> Result<KnownPlays> {
    let mut all = all_of(setup, "2AYAgCYAAAAAAA")?;
    all.candidates.truncate(3);
    all.values.truncate(3);
    Ok(all)
}

/// A row of the table of stopping rules.
struct Case {
    name: &'static str,
    plays: KnownPlays,
    allocation: Allocation,
    luck: LuckKind,
    trials: u64,
    /// Divides the number of rollouts: comparing 153 pairs after each block is slow.
    one_of: u32,
}

/// Every allocation and kind of luck where cheap enough; otherwise the usual ones.
fn cases(setup: &Setup) -> Result<Vec<Case>> {
    let mut all = Vec::new();
    let two = |plays: &KnownPlays| KnownPlays {
        candidates: plays.candidates[..2].to_vec(),
        values: plays.values[..2].to_vec(),
    };
    for (name, plays) in [("close", close(setup)?), ("hardly vary", rare(setup)?)] {
        let mut case = |plays: KnownPlays, allocation, luck| {
            let trials = match luck {
                LuckKind::None => 720,
                LuckKind::Net => 504,
                _ => 216,
            };
            all.push(Case {
                name,
                plays,
                allocation,
                luck,
                trials,
                one_of: 1,
            });
        };
        for luck in LUCKS {
            case(two(&plays), Allocation::Equal, luck);
        }
        for allocation in [Allocation::Equal, Allocation::Race, Allocation::Adaptive] {
            case(plays.clone(), allocation, LuckKind::None);
        }
        for luck in &LUCKS[1..] {
            case(plays.clone(), Allocation::Race, *luck);
            case(plays.clone(), Allocation::Adaptive, *luck);
        }
    }
    let mut many = all_of(setup, "/LUBACCrAAAAAA")?;
    many.candidates.truncate(18);
    many.values.truncate(18);
    for allocation in [Allocation::Equal, Allocation::Adaptive] {
        all.push(Case {
            name: "many, hardly vary",
            plays: many.clone(),
            allocation,
            luck: LuckKind::None,
            trials: 360,
            one_of: 20,
        });
    }
    Ok(all)
}

impl Case {
    /// Returns the rules with their names. A race depends on its confidence, so it has only that rule.
    fn rules(&self) -> Vec<(String, Rule)> {
        let values = &self.plays.values;
        let gap = values.iter().map(|v| values[0] - v).find(|gap| *gap > 1e-6);
        let most = 0.9 * gap.unwrap_or(0.01);
        let mut all = vec![("separated=95".to_owned(), Rule::separated(0.95))];
        if self.allocation != Allocation::Race {
            all.push(("separated=99".to_owned(), Rule::separated(0.99)));
        }
        all.push((format!("equivalent={most:.4}"), Rule::equivalent(most)));
        for points in [0.05, 0.02] {
            all.push((format!("width={points}"), Rule::width(points)));
        }
        all.push(("se=0.02".to_owned(), Rule::standard_error(0.02)));
        all
    }

    fn row(&self, name: &str, rule: &Rule, kept: &RuleRecord) -> Vec<String> {
        vec![
            self.name.to_owned(),
            self.plays.candidates.len().to_string(),
            format!("{:?}", self.allocation).to_lowercase(),
            self.luck.to_string(),
            name.to_owned(),
            kept.runs.to_string(),
            percent(rule.promised),
            format!("{:.2}%", 100.0 * kept.share()),
            percent(f64::from(kept.ended) / f64::from(kept.runs)),
            match kept.ended {
                0 => "–".to_owned(),
                _ => format!("{:.0}", kept.trials),
            },
        ]
    }
}
