//! What `rollout` and `compare` share: settings, running with progress and checkpoints, and the
//! figures of a strand.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use crossbeam_channel::{RecvTimeoutError, bounded};
use serde::Serialize;

use super::checkpoint;
use super::options::{Nets, Threads, plies};
use super::output::percent;
use super::usage::misuse;
use crate::eval::{Engine, Evaluator};
use crate::game::Position;
use crate::rollout::{
    Coupling, ErrorMethod, Estimate, Reduction, Rollout, RolloutHandle, RolloutResult, Settings,
    Status, StopReason, StopRules, StrandResult,
};

/// Time between checkpoints.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(1);
/// Time between looks at what a signal has asked for.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// How the first roll of the trials is drawn.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum DiceSource {
    /// Every roll at random
    Random,
    /// Each 36 trials begin with each of the 36 rolls once, the rest at random
    Rotation,
}

/// A rule that ends a rollout.
#[derive(Clone, Copy, Debug)]
enum Stop {
    StandardError(f64),
    Seconds(f64),
}

fn stop(text: &str) -> Result<Stop, String> {
    let number = |value: &str| {
        value
            .parse()
            .ok()
            .filter(|x: &f64| x.is_finite() && *x > 0.0)
            .ok_or_else(|| format!("'{value}' is not a positive number"))
    };
    match text.split_once('=') {
        Some(("se", value)) => number(value).map(Stop::StandardError),
        Some(("seconds", value)) => number(value).map(Stop::Seconds),
        _ => Err("expected se=POINTS or seconds=S".to_owned()),
    }
}

/// Options of everything that rolls out.
#[derive(Debug, clap::Args)]
pub(super) struct Options {
    /// Trials of each play
    #[arg(long, value_name = "N", default_value = "1296",
          value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    trials: u64,
    /// Plies of lookahead with which both sides choose their plays
    #[arg(long, value_name = "N", default_value = "0", value_parser = plies())]
    ply: u8,
    /// Stop each trial after H rolls and evaluate it there [default: play to the end]
    #[arg(long, value_name = "H", value_parser = clap::value_parser!(u16).range(1..))]
    truncate: Option<u16>,
    /// Subtract the luck of the dice (the default)
    #[arg(long, overrides_with = "no_vr")]
    vr: bool,
    /// Plain trials: subtract nothing
    #[arg(long)]
    no_vr: bool,
    /// How the first roll is drawn
    #[arg(long, value_name = "SOURCE", value_enum, default_value = "rotation")]
    dice_source: DiceSource,
    /// Stop early: se=POINTS at this standard error, seconds=S after this time
    #[arg(long, value_name = "RULE", value_parser = stop)]
    stop: Vec<Stop>,
    /// Key of the dice: the same seed gives the same trials
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Keep progress here each second, and go on from it if it is there
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Machine output: one JSON document
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    nets: Nets,
}

/// The settings as printed.
#[derive(Clone, Serialize)]
pub(super) struct Described {
    evaluator: String,
    #[serde(flatten)]
    settings: Settings,
}

impl Options {
    pub(super) fn engine(&self) -> Result<Engine> {
        self.nets.engine()
    }

    pub(super) fn settings(&self, coupling: Coupling) -> Settings {
        let mut rules = StopRules {
            trials: self.trials,
            standard_error: None,
            seconds: None,
        };
        for stop in &self.stop {
            match *stop {
                Stop::StandardError(points) => rules.standard_error = Some(points),
                Stop::Seconds(seconds) => rules.seconds = Some(seconds),
            }
        }
        Settings {
            seed: self.seed,
            ply: self.ply,
            horizon: self.truncate,
            reduction: if self.no_vr {
                Reduction::None
            } else {
                Reduction::Full
            },
            rotation: matches!(self.dice_source, DiceSource::Rotation),
            coupling,
            stop: rules,
        }
    }

    /// Rolls out the `candidates` to the end, showing progress on a terminal.
    pub(super) fn run(
        &self,
        engine: Engine,
        candidates: Vec<Position>,
        settings: Settings,
    ) -> Result<Outcome> {
        let described = Described {
            evaluator: engine.name().to_owned(),
            settings: settings.clone(),
        };
        let (wake, woken) = bounded(1);
        let bell = Box::new(move || {
            // A full channel has been rung already.
            let _ = wake.try_send(());
        });
        let engine: Arc<dyn Evaluator> = Arc::new(engine);
        let threads = self.threads.number().get();
        let saved = match &self.checkpoint {
            Some(path) => checkpoint::read(path, &*engine, &settings, &candidates)?,
            None => None,
        };
        let started = match saved {
            Some(progress) => Rollout::resume(engine, progress, threads, Some(bell)),
            None => Rollout::start(engine, candidates, settings, threads, Some(bell)),
        };
        let rollout = started.map_err(misuse)?;
        let interrupted = Arc::new(AtomicBool::new(false));
        for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
            signal_hook::flag::register(signal, Arc::clone(&interrupted))
                .context("watching for signals")?;
        }
        // A place that cannot be written to is better known now than after the first second.
        self.keep(&rollout)?;
        let mut progress = ProgressLine::new();
        let mut kept = Instant::now();
        while !rollout.is_finished() {
            match woken.recv_timeout(LOOK_EVERY) {
                Ok(()) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            progress.show(&rollout.result());
            if interrupted.load(Ordering::Relaxed) {
                rollout.cancel();
            }
            if kept.elapsed() >= CHECKPOINT_EVERY {
                kept = Instant::now();
                // Tried again at the end: what is there by then is printed in any case.
                let _ = self.keep(&rollout);
            }
        }
        let unsaved = self.keep(&rollout).err();
        let failure = rollout.failure();
        let result = rollout.join();
        progress.clear();
        if let Some(reason) = failure {
            bail!("the rollout failed: {reason}");
        }
        Ok(Outcome {
            result,
            described,
            unsaved,
        })
    }

    fn keep(&self, rollout: &RolloutHandle) -> Result<()> {
        match &self.checkpoint {
            Some(path) => checkpoint::write(path, &rollout.progress()),
            None => Ok(()),
        }
    }
}

/// A rollout that has ended.
pub(super) struct Outcome {
    pub(super) result: Arc<RolloutResult>,
    pub(super) described: Described,
    /// Why the progress could not be kept, if it could not.
    unsaved: Option<anyhow::Error>,
}

impl Outcome {
    /// Trials, time and settings in a line.
    pub(super) fn summary(&self) -> String {
        let settings = &self.described.settings;
        let trials = self.result.strands.first().map_or(0, |s| s.trials);
        let plural = if trials == 1 { "" } else { "s" };
        let mut text = format!("{trials} trial{plural}, {}-ply", settings.ply);
        if let Some(horizon) = settings.horizon {
            text += &format!(", truncated at {horizon}");
        }
        text += match settings.reduction {
            Reduction::None => ", plain",
            Reduction::Full => ", luck subtracted",
        };
        text += &format!(", seed {}", settings.seed);
        text + &format!(", {:.1} s", self.result.seconds)
    }

    /// An error when its progress could not be kept, or when it was cut short by a signal, once its
    /// figures have been printed.
    pub(super) fn completed(self) -> Result<()> {
        if let Some(error) = self.unsaved {
            return Err(error);
        }
        if self.result.status == Status::Done(StopReason::Cancelled) {
            let trials = self.result.strands.first().map_or(0, |s| s.trials);
            bail!("interrupted after {trials} trials");
        }
        Ok(())
    }
}

/// One strand as printed.
#[derive(Serialize)]
pub(super) struct Strand {
    pub(super) play: Option<String>,
    equity: f64,
    se: f64,
    ci95: [f64; 2],
    anytime95: [f64; 2],
    trials: u64,
    equivalent_trials: f64,
    win: f64,
    win_gammon: f64,
    win_backgammon: f64,
    lose_gammon: f64,
    lose_backgammon: f64,
    plain: Plain,
    /// How the standard errors were come by.
    errors: ErrorMethod,
    pub(super) p_best: f64,
}

#[derive(Serialize)]
struct Plain {
    equity: f64,
    se: f64,
}

impl Strand {
    pub(super) fn new(play: Option<String>, strand: &StrandResult) -> Self {
        let [win, gammon, backgammon, lose_gammon, lose_backgammon] =
            strand.probabilities.map(|e| e.mean);
        Self {
            play,
            equity: strand.equity.mean,
            se: strand.equity.se,
            ci95: strand.equity.ci95,
            anytime95: strand.equity.anytime95,
            trials: strand.trials,
            equivalent_trials: strand.equivalent_trials,
            win,
            win_gammon: gammon,
            win_backgammon: backgammon,
            lose_gammon,
            lose_backgammon,
            plain: Plain {
                equity: strand.plain.mean,
                se: strand.plain.se,
            },
            errors: strand.errors,
            p_best: strand.p_best,
        }
    }

    pub(super) fn equity(&self) -> f64 {
        self.equity
    }

    /// Headings of [`Strand::cells`].
    pub(super) const HEADINGS: [&'static str; 10] = [
        "play", "equity", "se", "±95%", "any time", "win", "gammon", "lose g", "plain", "best",
    ];

    /// As a row of a table.
    pub(super) fn cells(&self) -> Vec<String> {
        let half = |[low, high]: [f64; 2]| error((high - low) / 2.0);
        vec![
            self.play.clone().unwrap_or_else(|| "(to roll)".to_owned()),
            super::output::points(self.equity),
            error(self.se),
            half(self.ci95),
            half(self.anytime95),
            percent(self.win),
            percent(self.win_gammon),
            percent(self.lose_gammon),
            super::output::points(self.plain.equity),
            percent(self.p_best),
        ]
    }
}

/// An error of an estimate, or a dash while there is none.
pub(super) fn error(error: f64) -> String {
    if error.is_finite() {
        format!("{error:.4}")
    } else {
        "–".to_owned()
    }
}

/// An estimate with its errors, for people.
pub(super) fn estimate(e: &Estimate) -> String {
    let half = |[low, high]: [f64; 2]| error((high - low) / 2.0);
    let mean = super::output::points(e.mean);
    format!(
        "{mean} ± {} (any time ± {})",
        half(e.ci95),
        half(e.anytime95)
    )
}

/// A line on stderr that overwrites itself, where stderr is a terminal.
struct ProgressLine {
    terminal: bool,
    shown: Option<Instant>,
}

impl ProgressLine {
    fn new() -> Self {
        Self {
            terminal: io::stderr().is_terminal(),
            shown: None,
        }
    }

    fn show(&mut self, result: &RolloutResult) {
        let due = self.shown.is_none_or(|at| at.elapsed() >= LOOK_EVERY);
        if !self.terminal || !due {
            return;
        }
        self.shown = Some(Instant::now());
        let Some(first) = result.strands.first() else {
            return;
        };
        let value = result.difference.map_or(first.equity, |d| d.equity);
        let _ = write!(
            io::stderr().lock(),
            "\r{} trials  {}  {:.0}/s\x1b[K",
            first.trials,
            estimate(&value),
            result.trials_per_second,
        );
    }

    fn clear(&self) {
        if self.shown.is_some() {
            let _ = write!(io::stderr().lock(), "\r\x1b[K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_rules() {
        assert!(matches!(stop("se=0.005"), Ok(Stop::StandardError(x)) if x == 0.005));
        assert!(matches!(stop("seconds=60"), Ok(Stop::Seconds(x)) if x == 60.0));
        for bad in [
            "",
            "se",
            "se=",
            "se=0",
            "se=-1",
            "se=inf",
            "seconds=nan",
            "trials=5",
        ] {
            assert!(stop(bad).is_err(), "{bad}");
        }
    }
}
