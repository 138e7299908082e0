//! `luckless lab coverage` and `luckless lab techniques`: the tables of `docs/rollouts.md`.

use std::time::Duration;

use anyhow::Result;

use super::lab_common::setup;
use super::options::count;
use super::output::{self, Table};
use super::rolling_run::refused;
use crate::dice::Source;
use crate::game::Position;
use crate::lab::coverage::Shares;
use crate::lab::techniques::CASES;
use crate::lab::{coverage, techniques};
use crate::rollout::{LuckKind, Settings, Setup, roll_here};

const SOURCES: [Source; 8] = [
    Source::Random,
    Source::Rotation,
    Source::Stratified {
        depth: 1,
        decks: false,
    },
    Source::Stratified {
        depth: 2,
        decks: false,
    },
    Source::Stratified {
        depth: 3,
        decks: false,
    },
    Source::Decks,
    Source::Stratified {
        depth: 2,
        decks: true,
    },
    Source::Sobol,
];
/// Trials of a reference for each trial of a rollout that is held against it; in a race luck is taken
/// out in full, so that a few are worth many.
const REFERENCE: u64 = 1000;
const REFERENCE_OF_RACE: u64 = 60;
/// Luck is bounded by so many points where that is wanted.
const BOUND: f64 = 1.5;

/// Whether the intervals of rollouts hold as often as they say, for each source of dice, with the luck
/// subtracted and without
#[derive(Debug, clap::Args)]
pub(super) struct Coverage {
    /// Rollouts for each row (a quarter as many of the middle game)
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = count::<u32>(2))]
    runs: u32,
    /// Trials of each rollout
    #[arg(long, value_name = "N", default_value_t = 360, value_parser = count::<u64>(1))]
    trials: u64,
    /// Only this position
    #[arg(long, value_name = "NAME", value_parser = ["bearoff", "race", "contact", "middle"])]
    position: Option<String>,
    /// Only this source of dice
    #[arg(long, value_name = "SOURCE")]
    dice_source: Option<Source>,
}

/// A position whose intervals are tried.
struct Tried {
    name: &'static str,
    position: Position,
    /// Whether its value is stored, so that it is played out all the same.
    known: bool,
    runs: u32,
}

impl Coverage {
    pub(super) fn run(&self) -> Result<()> {
        let setup = setup();
        for tried in self.tried(&setup)? {
            if self.position.as_ref().is_some_and(|p| p != tried.name) {
                continue;
            }
            let Tried { name, runs, .. } = tried;
            output::text(&format!(
                "{name}: {runs} rollouts of {} trials\n",
                self.trials
            ))?;
            if let Some(value) = self.truth(&setup, &tried)? {
                self.rows(&setup, &tried, value)?;
            }
        }
        Ok(())
    }

    /// All after a play, the opponent on roll: two, one and one checkers against two and two; a race;
    /// seven checkers to bear off while two of the other side wait on the ace point; a holding game.
    fn tried(&self, setup: &Setup) -> Result<Vec<Tried>> {
        let race = [(6, 3), (5, 2), (4, 2), (3, 1), (7, 1), (8, 1)];
        let other = [(6, 3), (5, 2), (4, 2), (2, 1), (7, 1), (8, 1)];
        let waiting = [(24, 2), (6, 3), (5, 3), (4, 3), (3, 2), (2, 2)];
        let off = [(6, 2), (5, 2), (4, 2), (2, 1)];
        let bearoff = Position::from_points(&[(6, 2), (4, 1), (2, 1)], &[(5, 2), (3, 2)])?;
        let mut all = vec![
            ("bearoff", bearoff, true, self.runs),
            (
                "race",
                Position::from_points(&race, &other)?,
                false,
                self.runs,
            ),
            (
                "contact",
                Position::from_points(&waiting, &off)?,
                false,
                self.runs,
            ),
        ];
        let best = CASES[2].candidates(setup).first().copied();
        all.extend(best.map(|middle| ("middle", middle, false, self.runs.div_ceil(4))));
        let tried = |(name, position, known, runs)| Tried {
            name,
            position,
            known,
            runs,
        };
        Ok(all.into_iter().map(tried).collect())
    }

    /// The value of a position: stored, or from a long rollout with dice of its own.
    fn truth(&self, setup: &Setup, tried: &Tried) -> Result<Option<f64>> {
        if tried.known {
            let exact = setup.evaluator.exact(&tried.position);
            return Ok(exact.map(|p| -f64::from(p.equity())));
        }
        let race = tried.position.is_race();
        let mut settings = Settings {
            seed: 1 << 40,
            luck: match race {
                true => LuckKind::Full(Some(0)),
                false => LuckKind::least(setup),
            },
            ..Settings::default()
        };
        settings.stop.trials = self.trials * if race { REFERENCE_OF_RACE } else { REFERENCE };
        let reference = roll_here(setup, &[tried.position], &settings, &mut |_| true);
        let e = reference.map_err(refused)?.strands[0].equity;
        output::text(&format!("reference {:+.5} ± {:.5}\n", e.mean, e.se))?;
        Ok(Some(e.mean))
    }

    fn rows(&self, setup: &Setup, tried: &Tried, value: f64) -> Result<()> {
        let mut table = Table::new(&[
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
        ]);
        let kind = LuckKind::least(setup);
        let mut row = |dice: Source, luck: String, s: &Shares| {
            let share = |x: f64| format!("{:.1}%", 100.0 * x);
            let perhaps = |x: Option<f64>| x.map_or_else(|| "–".to_owned(), share);
            let mut cells = vec![tried.name.to_owned(), dice.to_string(), luck];
            cells.extend([share(s.fixed), share(s.fixed_watched), share(s.anytime)]);
            cells.extend([perhaps(s.rigorous), perhaps(s.order)]);
            cells.push(format!("{:.4}", s.error));
            cells.extend(s.widths.map(super::strand::error));
            cells.push(format!("{:.2}", s.honesty));
            table.row(cells);
        };
        for bound in [None, Some(BOUND)] {
            for dice in SOURCES {
                if self.dice_source.is_some_and(|only| only != dice) {
                    continue;
                }
                // Reduced results are bounded for the sake of the rigorous intervals alone.
                if bound.is_some() && dice != Source::Rotation {
                    continue;
                }
                let mut settings = Settings {
                    dice,
                    luck: kind,
                    luck_bound: bound,
                    stop_at_known: !tried.known,
                    ..Settings::default()
                };
                settings.stop.trials = self.trials;
                let found = coverage::measure(setup, tried.position, &settings, value, tried.runs);
                let found = found.map_err(refused)?;
                if let Some(bound) = bound {
                    row(dice, format!("{kind}, bound {bound}"), &found.reduced);
                } else {
                    row(dice, "plain".to_owned(), &found.plain);
                    row(dice, kind.to_string(), &found.reduced);
                }
            }
        }
        output::text(&format!("{table}\n"))
    }
}

pub(super) fn techniques(seconds: f64, only: Option<&str>) -> Result<()> {
    let setup = setup();
    let time = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::from_secs(1));
    let mut lucks = vec![LuckKind::None, LuckKind::Full(Some(0))];
    if setup.offers_cheap_luck() {
        lucks.push(LuckKind::Cheap);
    }
    let headings = [
        "position",
        "dice",
        "luck",
        "horizon",
        "equity",
        "variance",
        "of difference",
        "us/trial",
        "s to 0.005",
    ];
    let mut table = Table::new(&headings);
    for case in CASES
        .iter()
        .filter(|c| only.is_none_or(|only| only == c.name))
    {
        for &luck in &lucks {
            for horizon in [None, Some(7), Some(11)] {
                for dice in SOURCES {
                    // The dice matter little to where a horizon matters much.
                    if horizon.is_some() && dice != Source::Rotation {
                        continue;
                    }
                    let worth = techniques::measure(&setup, case, dice, luck, horizon, time);
                    let w = worth.map_err(refused)?;
                    table.row(vec![
                        case.name.to_owned(),
                        dice.to_string(),
                        luck.to_string(),
                        horizon.map_or_else(|| "end".to_owned(), |h| h.to_string()),
                        format!("{:+.3} ± {:.3}", w.equity[0], w.equity[1]),
                        format!("{:.4}", w.variance),
                        format!("{:.4}", w.difference),
                        format!("{:.0}", 1e6 * w.seconds),
                        format!("{:.2}", w.seconds_to(0.005)),
                    ]);
                }
            }
        }
    }
    output::text(&table.to_string())
}
