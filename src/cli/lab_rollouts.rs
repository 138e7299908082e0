//! `luckless lab coverage` and `luckless lab techniques`: the tables of `docs/rollouts.md`.

use std::time::Duration;

use anyhow::Result;

use super::lab_common::setup;
use super::output::{self, Table};
use super::rolling_run::refused;
use crate::dice::Source;
use crate::game::Position;
use crate::lab::techniques::CASES;
use crate::lab::{coverage, techniques};
use crate::rollout::{LuckKind, Settings, Setup, roll_here};

const SOURCES: [Source; 7] = [
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
    Source::Decks,
    Source::Stratified {
        depth: 2,
        decks: true,
    },
    Source::Sobol,
];
/// Trials of a reference for each trial of a rollout that is held against it.
const REFERENCE: u64 = 100;

/// How luck is taken out: not at all, by what costs least, and so that rigorous intervals exist.
fn kinds(setup: &Setup) -> [(String, LuckKind, Option<f64>); 3] {
    let kind = if setup.offers_cheap_luck() {
        LuckKind::Cheap
    } else {
        LuckKind::Full(Some(0))
    };
    [
        ("plain".to_owned(), LuckKind::None, None),
        (kind.to_string(), kind, None),
        (format!("{kind}, bound 1.5"), kind, Some(1.5)),
    ]
}

pub(super) fn coverage(runs: u32, trials: u64, only: Option<&str>) -> Result<()> {
    let setup = setup();
    // A bearoff whose value is stored, played out all the same.
    let bearoff = Position::from_points(&[(6, 2), (4, 1), (2, 1)], &[(5, 2), (3, 2)])?;
    let mut cases = vec![("bearoff", bearoff, None)];
    for case in [&CASES[5], &CASES[2]] {
        let best = case.candidates(&setup).first().copied();
        cases.extend(best.map(|position| (case.name, position, Some(REFERENCE))));
    }
    let headings = [
        "position",
        "dice",
        "luck",
        "fixed",
        "watched",
        "anytime",
        "rigorous",
        "order",
        "±fixed",
        "±anytime",
        "±rigorous",
        "±order",
        "err²/se²",
    ];
    output::text(&format!("{runs} rollouts of {trials} trials in each row\n"))?;
    for (name, position, reference) in cases {
        if only.is_some_and(|only| only != name) {
            continue;
        }
        let value = match reference {
            None => setup
                .evaluator
                .exact(&position)
                .map(|p| -f64::from(p.equity())),
            Some(times) => {
                let mut settings = Settings {
                    seed: 1 << 40,
                    luck: LuckKind::Auto,
                    ..Settings::default()
                };
                settings.stop.trials = times * trials;
                let reference = roll_here(&setup, &[position], &settings, &mut |_| true);
                let e = reference.map_err(refused)?.strands[0].equity;
                output::text(&format!("{name}: reference {:+.5} ± {:.5}\n", e.mean, e.se))?;
                Some(e.mean)
            }
        };
        let Some(value) = value else { continue };
        let mut table = Table::new(&headings);
        for (kind, luck, bound) in kinds(&setup) {
            for dice in SOURCES {
                let mut settings = Settings {
                    dice,
                    luck,
                    luck_bound: bound,
                    stop_at_known: reference.is_some(),
                    ..Settings::default()
                };
                settings.stop.trials = trials;
                let found = coverage::measure(&setup, position, &settings, value, runs, false);
                let s = found.map_err(refused)?;
                let share = |x: f64| format!("{:.1}%", 100.0 * x);
                let perhaps = |x: Option<f64>| x.map_or_else(|| "–".to_owned(), share);
                let mut cells = vec![name.to_owned(), dice.to_string(), kind.clone()];
                cells.extend([share(s.fixed), share(s.fixed_watched), share(s.anytime)]);
                cells.extend([perhaps(s.rigorous), perhaps(s.order)]);
                cells.extend(s.widths.map(super::strand::error));
                cells.push(format!("{:.2}", s.honesty));
                table.row(cells);
            }
        }
        output::text(&format!("{table}\n"))?;
    }
    Ok(())
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
