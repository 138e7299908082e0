//! `luckless compare`: which of two or more plays is better, and by how much.

use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::{Result, bail};

use super::compare_print::ComparisonOutput;
use super::rollout_options::{RolloutOptions, Situation};
use super::rollout_saving::RolloutTask;
use crate::cli::common::options::Id;
use crate::cli::common::signals::asked_to_end;
use crate::cli::common::usage::{misuse, refused};
use crate::game::{Play, Position, Roll};
use crate::notation::{parse_play, play_text};
use crate::review::report::position_card::situation as rules;
use crate::rollout::{Allocation, Coupling, LuckKind, Pilot, Ranks, Settings, Setup};
use crate::store::settings::Coupled;
use crate::store::{RolloutCommand, RolloutLabel};

const EXAMPLES: &str = "\
Examples:
  luckless compare 4HPwATDgc/ABMA --dice 43 '24/20 13/10' '13/10 13/9'
  luckless compare 4HPwATDgc/ABMA --dice 43 '24/20 13/10' '13/10 13/9' \\
    '24/20 24/21'
  luckless compare 4HPwATDgc/ABMA --dice 43 '24/20 13/10' '13/10 13/9' \\
    --coupling rank --replay 0
  luckless compare 4HPwATDgc/ABMA --dice 43 '24/20 13/10' '13/10 13/9' \\
    --coupling rank --json

The plays are rolled out side by side. A coupling that correlates their results narrows \
the interval of the difference sooner:";

/// Examples, and what each coupling does.
fn examples() -> String {
    let koca = (
        "koca",
        &["matched ranks as Koca wrote them, with --ties own"][..],
    );
    let auto = (
        "auto",
        &[
            "the same dice where lookahead measures the luck: measured best;",
            "else, and from 10000 trials on, what a short pilot finds best",
        ][..],
    );
    let mut all: Vec<(&str, &[&str])> = Vec::new();
    for coupling in Coupling::ALL {
        all.push(coupling.help());
        all.extend((coupling == Coupling::Rank).then_some(koca));
    }
    all.push(auto);
    let mut text = EXAMPLES.to_owned();
    for (name, lines) in all {
        let heads = std::iter::once(name).chain(std::iter::repeat(""));
        for (head, line) in heads.zip(lines) {
            text += &format!("\n  {head:<14}{line}");
        }
    }
    text
}

/// How ties of rank are broken.
#[derive(Clone, Copy, Debug, PartialEq, clap::ValueEnum)]
enum Ties {
    /// By one random number for both plays: games that become identical stay so
    Shared,
    /// By a random number for each, as Koca has it
    Own,
}

/// Roll out plays side by side: which is better, and by how much
#[derive(Debug, clap::Args)]
#[command(after_help = examples())]
// The options are those of `rollout`; one is refused.
#[command(mut_arg("settlement", |arg| arg.hide(true)))]
pub(crate) struct Args {
    /// The position: an XGID, a GNUBG position ID, POSITION:MATCH, an OGID or a FIBS board
    #[arg(value_name = "ID", allow_hyphen_values = true)]
    id: Id,
    /// The roll to be played [default: the one in the ID]
    #[arg(long, value_name = "DICE")]
    dice: Option<Roll>,
    /// The plays
    #[arg(value_name = "PLAY", num_args = 2.., required = true)]
    plays: Vec<String>,
    /// How the dice of the plays depend on each other: none, dice, rank, quantile[=POINTS],
    /// hybrid[=RANKS], near[=CHECKERS], koca or auto
    #[arg(long, value_name = "HOW", default_value = "auto")]
    coupling: Coupled,
    /// What rolls are ranked by: auto, net, lookahead or lookahead=PLY [default: the luck subtracted]
    #[arg(long, value_name = "KIND")]
    rank_by: Option<LuckKind>,
    /// How rolls of equal value are ordered
    #[arg(long, value_enum, default_value = "shared")]
    ties: Ties,
    /// End a trial as soon as the two games become identical: the difference is the same and costs less, the
    /// plays have no equities of their own
    #[arg(long)]
    difference_only: bool,
    /// Show this trial of each play, roll by roll with ranks and luck, instead of comparing; two
    /// plays side by side
    #[arg(long, value_name = "TRIAL", conflicts_with = "difference_only")]
    replay: Option<u64>,
    #[command(flatten)]
    options: RolloutOptions,
}

impl Args {
    pub(crate) fn run(mut self) -> Result<()> {
        self.options.as_workstation = true;
        let position = self.id.state.position;
        self.id
            .no_double_on_offer("`luckless rollout --cube-decision` rolls it out")?;
        if self.options.settles() {
            let why = "--settlement goes with rollouts: differences are those of cubeless games";
            return Err(misuse(why));
        }
        let is_ranked = !matches!(
            self.coupling,
            Coupled::Fixed(Coupling::None | Coupling::Dice)
        );
        if !is_ranked && (self.rank_by.is_some() || self.ties == Ties::Own) {
            let why = "--rank-by and --ties are about ranks of rolls: this --coupling has none";
            return Err(misuse(why));
        }
        let Some(roll) = self.id.roll(self.dice) else {
            return Err(misuse("plays need a roll: give --dice"));
        };
        if position.is_over() {
            return Err(misuse("the game is over: there is nothing to compare"));
        }
        let (plays, candidates) = plays(&self.plays, &position, roll)?;
        let situation = self.situation(candidates.len());
        let files = self.options.files()?;
        let setup = self.options.setup(&files, situation)?;
        let mut settings = self.options.unresolved_settings(&setup, situation);
        self.adjust(&mut settings, candidates.len());
        let pilot = match self.coupling {
            Coupled::Fixed(_) | Coupled::Koca => None,
            Coupled::Auto => Some(pilot(&setup, &candidates, &settings)?),
        };
        if let Some((pilot, _)) = &pilot {
            settings = pilot.settings.clone();
        }
        settings.end_when_coalesced = self.difference_only;
        let settings = settings.resolved(&setup);
        let names = plays.iter().map(|p| Some(play_text(&position, p)));
        let shown = RolloutLabel {
            command: RolloutCommand::Compare,
            position: self.id.text.clone(),
            dice: Some(roll.to_string()),
            plays: names.collect(),
        };
        if let Some(trial) = self.replay {
            self.options.agrees_with_replay()?;
            let json = self.options.json;
            return super::replay::run(&setup, &settings, &candidates, &shown, trial, json);
        }
        let table = self.options.table_words(&setup, &self.id.state);
        let outcome = self.options.run(RolloutTask {
            setup,
            settings,
            candidates,
            shown: shown.clone(),
        })?;
        let output = ComparisonOutput {
            outcome: &outcome,
            shown: &shown,
            rules: &(rules(&self.id.state) + &table.unwrap_or_default()),
            pilot: pilot.as_ref().map(|(pilot, seconds)| (pilot, *seconds)),
        };
        output.print(self.options.json)?;
        outcome.completed()
    }

    /// Describes the comparison, with the requested coupling or the one tried first.
    fn situation(&self, plays: usize) -> Situation {
        Situation {
            coupling: match self.coupling {
                Coupled::Fixed(coupling) => coupling,
                Coupled::Koca => Coupling::Rank,
                Coupled::Auto => Coupling::Dice,
            },
            initial: false,
            before_roll: false,
            cube_decision: false,
            state: self.id.state,
            plays,
        }
    }

    /// How rolls are ordered, and who gets more trials.
    fn adjust(&self, settings: &mut Settings, candidates: usize) {
        settings.ranks = Ranks {
            by: self.rank_by.unwrap_or(LuckKind::Auto),
            own_ties: self.coupling == Coupled::Koca || self.ties == Ties::Own,
        };
        if candidates > 2 && !self.options.names_allocation() {
            settings.allocation = Allocation::Race;
        }
    }
}

/// The plays as they are written, and the positions they lead to, no two the same.
fn plays(texts: &[String], position: &Position, roll: Roll) -> Result<(Vec<Play>, Vec<Position>)> {
    let mut plays = Vec::new();
    let mut candidates = Vec::new();
    for text in texts {
        let play = parse_play(text, position, roll);
        let play = play.map_err(|e| misuse(format!("'{text}': {e}")))?;
        let after = play.apply(position);
        if candidates.contains(&after) {
            return Err(misuse(match candidates.len() {
                1 => "the two plays lead to the same position".to_owned(),
                _ => format!("'{text}' leads to the same position as another play"),
            }));
        }
        plays.push(play);
        candidates.push(after);
    }
    Ok((plays, candidates))
}

/// Lets the pilot choose; with the seconds that took. Of a limited time it takes no more than half.
fn pilot(setup: &Setup, candidates: &[Position], settings: &Settings) -> Result<(Pilot, f64)> {
    let start = Instant::now();
    let interrupted = asked_to_end()?;
    let most = settings.stop.seconds.unwrap_or(f64::INFINITY) / 2.0;
    let end = || interrupted.load(Ordering::Relaxed) || start.elapsed().as_secs_f64() > most;
    let pilot = Pilot::choose(setup, candidates, settings, &end).map_err(refused)?;
    if interrupted.load(Ordering::Relaxed) {
        bail!("interrupted while the pilot was trying");
    }
    Ok((pilot, start.elapsed().as_secs_f64()))
}
