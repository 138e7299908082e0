//! Options that all rollout commands share, and their meaning.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use clap::builder::TypedValueParser;
use serde::Serialize;

use super::rollout_files::{Evaluators, RolloutFiles};
use crate::cli::common::options::{CubeModel, Nets, Threads, file_beside_stdout, one_of, plies};
use crate::cli::common::usage::{misuse, refuse_given};
use crate::cube::Model;
use crate::cube::dahl::Settlement;
use crate::dice::{DiceSource, PrescribedDice};
use crate::eval::CandidateFilter;
use crate::game::GameState;
use crate::rollout::limits::MOST_PLIES;
use crate::rollout::{
    Allocation, Coupling, CubeSettings, Early, LuckKind, PlayStyle, Ranks, RolloutPreset, Settings,
    Setup, Shard, StopRules,
};
use crate::store::file;

/// A rule that ends a rollout.
#[derive(Clone, Copy, Debug)]
enum Stop {
    StandardError(f64),
    Width(f64),
    Separated(f64),
    Equivalent(f64),
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
        Some(("width", value)) => number(value).map(Stop::Width),
        Some(("equivalent", value)) => number(value).map(Stop::Equivalent),
        Some(("seconds", value)) => number(value).map(Stop::Seconds),
        Some(("separated", value)) => match number(value)? {
            percent if (50.0..100.0).contains(&percent) => Ok(Stop::Separated(percent / 100.0)),
            _ => Err(format!(
                "'{value}' is no confidence in percent, 50 to 99.9999"
            )),
        },
        _ => Err(
            "expected se=POINTS, width=POINTS, separated=PERCENT, equivalent=POINTS or seconds=S"
                .to_owned(),
        ),
    }
}

/// `2:1`: the first 2 rolls at 1 ply.
fn early(text: &str) -> Result<Early, String> {
    text.split_once(':')
        .and_then(|(rolls, ply)| {
            let ply = ply.parse().ok().filter(|p| *p <= MOST_PLIES)?;
            let rolls = rolls.parse().ok().filter(|r| *r > 0)?;
            Some(Early { rolls, ply })
        })
        .ok_or_else(|| format!("expected ROLLS:PLIES, such as 2:1, at most {MOST_PLIES} plies"))
}

/// `4:0.06`: at most 4 plays within 0.06 points of the best.
pub fn filter(text: &str) -> Result<CandidateFilter, String> {
    text.split_once(':')
        .and_then(|(most, within)| {
            let most = most.parse().ok().filter(|m| *m > 0)?;
            let positive = |w: &f32| w.is_finite() && *w >= 0.0;
            let within = within.parse().ok().filter(positive)?;
            Some(CandidateFilter { most, within })
        })
        .ok_or_else(|| "expected PLAYS:POINTS, such as 4:0.06".to_owned())
}

/// `0.5`: from half a point of cubeless equity.
fn settlement(text: &str) -> Result<Settlement, String> {
    let limit = text.parse().map(Settlement::at).ok();
    limit
        .filter(Settlement::is_sound)
        .ok_or_else(|| format!("'{text}' is no limit: expected points, more than 0 and at most 1"))
}

/// `2/7`: the second of seven shards.
fn shard(text: &str) -> Result<Shard, String> {
    text.split_once('/')
        .and_then(|(index, of)| {
            let of: u32 = of.parse().ok()?;
            let index: u32 = index.parse().ok().filter(|i| (1..=of).contains(i))?;
            Some(Shard {
                index: index - 1,
                of,
            })
        })
        .ok_or_else(|| format!("'{text}' is no shard: expected I/N, 1/N to N/N"))
}

/// A preset by name.
fn presets() -> impl TypedValueParser<Value = RolloutPreset> {
    one_of(
        RolloutPreset::ALL.map(|preset| preset.name),
        RolloutPreset::named,
    )
}

/// Which plays get the trials.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Allocated {
    /// All the same number
    Equal,
    /// Those that decide which play is best get more
    Adaptive,
    /// The same number for all that may still be the best, none for those shown not to be
    Race,
}

/// The workstation's settings.
const USUAL: RolloutPreset = RolloutPreset::STANDARD;

/// Options of everything that rolls out.
#[derive(Debug, clap::Args)]
pub(crate) struct RolloutOptions {
    /// Settings left open are the workstation's, for players. Otherwise they are 0-ply play and, for money, no
    /// cube, for programs.
    #[arg(skip)]
    pub(crate) as_workstation: bool,
    /// How thorough: short (1-ply play, truncated after 6 rolls), quick (0-ply play, after 11), standard
    /// (1-ply play) or thorough (2-ply play where plays are close), each until the plays are decided or
    /// too close to matter; other options change a part of it
    #[arg(long, value_name = "NAME", value_parser = presets())]
    preset: Option<RolloutPreset>,
    /// Trials of each play, on average where --allocation distributes them [default: until decided, at most
    /// 2592; 1296 with --stop and for --batch; or the preset's]
    #[arg(long, value_name = "N",
          value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    trials: Option<u64>,
    /// Plies of lookahead with which both sides choose their plays [default: 1; 0 for --batch and --interactive;
    /// or the preset's]
    #[arg(long, value_name = "N", value_parser = plies())]
    ply: Option<u8>,
    /// Other plies for the first rolls: 2:1 plays the first two rolls at 1 ply
    #[arg(help_heading = "Play", hide_short_help = true)]
    #[arg(long, value_name = "ROLLS:PLIES", value_parser = early)]
    early: Option<Early>,
    /// Which plays are looked at more deeply [default: 4:0.06, at most 4 within 0.06 points]
    #[arg(help_heading = "Play", hide_short_help = true)]
    #[arg(long, value_name = "PLAYS:POINTS", value_parser = filter)]
    filter: Option<CandidateFilter>,
    /// Plies with which the other side plays [default: as --ply]
    #[arg(help_heading = "Play", hide_short_help = true)]
    #[arg(long, value_name = "N", value_parser = plies())]
    opponent_ply: Option<u8>,
    /// The net with which the other side plays [default: as --nets]
    #[arg(help_heading = "Play", hide_short_help = true)]
    #[arg(long, value_name = "FILE")]
    opponent_nets: Option<PathBuf>,
    /// Stop each trial after H rolls and evaluate it there [default: play to the end]
    #[arg(help_heading = "Play", hide_short_help = true)]
    #[arg(long, value_name = "H", value_parser = clap::value_parser!(u16).range(1..))]
    truncate: Option<u16>,
    /// Play on where the bearoff database knows the answer
    #[arg(help_heading = "Play", hide_short_help = true)]
    #[arg(long)]
    play_bearoffs: bool,
    /// What luck is subtracted: none, net (a small net's estimate), lookahead, lookahead=PLY, or auto:
    /// lookahead, but where a pilot compares plays what it finds best [default: auto]
    #[arg(help_heading = "Luck", hide_short_help = true)]
    #[arg(long, value_name = "KIND", conflicts_with_all = ["vr", "no_vr"])]
    luck: Option<LuckKind>,
    /// The net that measures the luck [default: the one that plays]
    #[arg(help_heading = "Luck", hide_short_help = true)]
    #[arg(long, value_name = "FILE")]
    luck_nets: Option<PathBuf>,
    /// Scale the luck so that its sum stays within so many points, for intervals without any
    /// approximation
    #[arg(help_heading = "Luck", hide_short_help = true)]
    #[arg(long, value_name = "POINTS")]
    luck_bound: Option<f64>,
    /// Subtract the luck of the dice (the default)
    #[arg(help_heading = "Luck", hide_short_help = true)]
    #[arg(long, conflicts_with = "no_vr")]
    vr: bool,
    /// Plain trials: as --luck none
    #[arg(help_heading = "Luck", hide_short_help = true)]
    #[arg(long)]
    no_vr: bool,
    /// Play with the cube and the score: both sides double, take and pass (the default; for --batch and
    /// --interactive where the ID has a score)
    #[arg(help_heading = "Cube", hide_short_help = true)]
    #[arg(long, conflicts_with = "cubeless")]
    cubeful: bool,
    /// Play without cube and score (for --batch and --interactive the default for money)
    #[arg(help_heading = "Cube", hide_short_help = true)]
    #[arg(long)]
    cubeless: bool,
    /// The largest cube of cubeful trials [default: 1024, or 64 times the present one]
    #[arg(help_heading = "Cube", hide_short_help = true)]
    #[arg(long, value_name = "N")]
    cube_cap: Option<u32>,
    /// From the same cubeless games estimate the position with a cube in the middle, on the player's
    /// side and on the other's: a player on roll whose cubeless equity is LIMIT or more doubles and wins
    /// the point (Dahl's settlement limit, such as 0.5; not for compare)
    #[arg(help_heading = "Cube", hide_short_help = true)]
    #[arg(long, value_name = "LIMIT", value_parser = settlement,
          conflicts_with_all = ["cubeful", "cube_cap", "truncate"])]
    settlement: Option<Settlement>,
    #[command(flatten, next_help_heading = "Cube")]
    model: CubeModel,
    /// Where the dice come from: random, rotation, stratified[=DEPTH], cross, decks, cross+decks,
    /// sobol
    #[arg(help_heading = "Dice", hide_short_help = true)]
    #[arg(long, value_name = "SOURCE", default_value = "rotation")]
    dice_source: DiceSource,
    /// Rolls from a file, one game a line; without --trials there are as many trials as games
    #[arg(help_heading = "Dice", hide_short_help = true)]
    #[arg(long, value_name = "FILE", conflicts_with = "dice_source")]
    dice_file: Option<PathBuf>,
    /// Stop early: se=POINTS, width=POINTS (half the anytime interval), separated=PERCENT (the best play
    /// from the rest), equivalent=POINTS (too close to matter), seconds=S; several with commas
    #[arg(long, value_name = "RULE", value_parser = stop, value_delimiter = ',')]
    stop: Vec<Stop>,
    /// Which of several plays get the trials [default: race for three plays or more that are compared
    /// or rolled out until decided, else equal]
    #[arg(help_heading = "Trials", hide_short_help = true)]
    #[arg(long, value_enum)]
    allocation: Option<Allocated>,
    /// Play the I-th of N shards of the trials, kept in the --store FILE, to be put together by
    /// `luckless merge`; without --trials it is a shard of 1296
    #[arg(help_heading = "Trials", hide_short_help = true)]
    #[arg(long, value_name = "I/N", value_parser = shard)]
    shard: Option<Shard>,
    /// After the rollout, analyse the decisions of some trials of each play one ply deeper, and estimate what
    /// deeper play would change [trials if none are given: 144]
    #[arg(help_heading = "Trials", hide_short_help = true)]
    #[arg(long, value_name = "TRIALS", num_args = 0..=1, require_equals = true, conflicts_with = "shard",
          default_missing_value = "144", value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    pub(crate) bias_check: Option<u64>,
    /// Key of the dice: the same seed gives the same trials
    #[arg(help_heading = "Dice", hide_short_help = true)]
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Keep progress in this file each second, and go on from it if it is there
    #[arg(help_heading = "Files", hide_short_help = true)]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["store", "shard"], value_parser = file_beside_stdout())]
    pub(crate) checkpoint: Option<PathBuf>,
    /// Keep the rollout in this store, and go on with it if it is there [default: the user's own,
    /// for rollouts of more than a second]
    #[arg(help_heading = "Files", hide_short_help = true)]
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
    /// Keep nothing
    #[arg(help_heading = "Files", hide_short_help = true)]
    #[arg(long, conflicts_with_all = ["store", "shard"])]
    pub(crate) no_store: bool,
    /// Write every trial to this file (CSV)
    #[arg(help_heading = "Files", hide_short_help = true)]
    #[arg(long, value_name = "FILE", conflicts_with = "checkpoint", value_parser = file_beside_stdout())]
    pub(crate) trials_out: Option<PathBuf>,
    /// Machine output: one JSON document
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) threads: Threads,
    #[command(flatten)]
    nets: Nets,
}

/// The settings as printed.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SettingsDocument {
    pub(crate) evaluator: String,
    #[serde(flatten)]
    pub(crate) settings: Settings,
}

impl SettingsDocument {
    fn new(setup: &Setup, settings: &Settings) -> Self {
        Self {
            evaluator: setup.name(settings),
            settings: settings.clone(),
        }
    }

    /// The settings as the player sees them whose equity is asked for. Before a roll the candidate's player, who has just
    /// played, is the other one.
    pub(crate) fn seen(setup: &Setup, settings: &Settings, before_roll: bool) -> Self {
        let (mut setup, mut settings) = (setup.clone(), settings.clone());
        if before_roll {
            setup.swap_sides();
            settings.swap_sides();
        }
        Self::new(&setup, &settings)
    }
}

/// Facts about a rollout besides its options.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Situation {
    /// How many plays, or sides of a cube decision, are rolled out.
    pub(crate) plays: usize,
    /// How the dice of several candidates depend on each other.
    pub(crate) coupling: Coupling,
    /// The first roll is that of an initial position.
    pub(crate) initial: bool,
    /// The player whose equity is computed is on roll.
    /// The candidate's player, who has just played, is then the opponent.
    pub(crate) before_roll: bool,
    /// The candidates are the two sides of a cube decision.
    pub(crate) cube_decision: bool,
    /// The cube, the score and the rules, seen by the player whose equity is asked for.
    pub(crate) state: GameState,
}

impl RolloutOptions {
    /// Reads the nets.
    pub(crate) fn files(&self) -> Result<RolloutFiles> {
        let [opponent, luck] = [&self.opponent_nets, &self.luck_nets].map(Option::as_deref);
        let evaluators = Evaluators::load(&self.nets, opponent, luck)?;
        Ok(RolloutFiles::new(evaluators))
    }

    /// The evaluators, of `files`, and the dice asked for.
    pub(crate) fn setup(&self, files: &RolloutFiles, situation: Situation) -> Result<Setup> {
        self.model.agrees_with(&situation.state)?;
        if situation.cube_decision && self.is_cubeless() {
            return Err(misuse(
                "a cube decision is rolled out with the cube: leave out --cubeless and --settlement",
            ));
        }
        if self.cube_cap.is_some() && self.cube(situation).is_none() {
            let why = "--cube-cap is for trials with the cube: give --cubeful as well";
            return Err(misuse(why));
        }
        if self.settlement.is_some() && !situation.state.score.is_money() && !self.cubeless {
            let why =
                "--settlement knows no score: with --cubeless the position is rolled out for money";
            return Err(misuse(why));
        }
        let mut setup = files.setup(situation.before_roll);
        if let Some(path) = &self.dice_file {
            let bytes = file::read(path, file::LIMIT)?;
            let name = path.display();
            let text =
                std::str::from_utf8(&bytes).with_context(|| format!("{name}: not a text"))?;
            let dice = PrescribedDice::parse(text, situation.initial)
                .map_err(|e| misuse(format!("{name}: {e}")))?;
            setup.prescribed_dice = Some(Arc::new(dice));
        }
        if self.cube(situation).is_some() {
            setup.cube = Some(files.model(&self.model)?);
        }
        setup.keep_trials = self.shard.is_some() || self.trials_out.is_some();
        Ok(setup)
    }

    fn is_cubeless(&self) -> bool {
        self.cubeless || self.settlement.is_some()
    }

    /// Returns whether cube states are estimated from cubeless games.
    pub(crate) fn settles(&self) -> bool {
        self.settlement.is_some()
    }

    /// Returns whether plays are rolled out with the cube.
    fn is_cubeful(&self, state: &GameState) -> bool {
        let usual = self.as_workstation || !state.score.is_money();
        self.cubeful || usual && !self.is_cubeless()
    }

    /// Returns whether the cube is the question of `state` before the roll.
    /// That needs cubeful trials or a pending double, and a player to roll who may double.
    pub(crate) fn asks_about_cube(&self, state: &GameState) -> bool {
        let cubeful = self.is_cubeful(state) || state.doubled && !self.is_cubeless();
        let below_cap = self.cube_cap.is_none_or(|cap| state.cube < cap);
        cubeful && below_cap && state.roller().may_double()
    }

    /// Returns the cube model that ranks plays, or `None` for a cubeless rollout.
    pub(crate) fn model(
        &self,
        files: &RolloutFiles,
        state: &GameState,
    ) -> Result<Option<Arc<Model>>> {
        let model = || files.model(&self.model);
        self.is_cubeful(state).then(model).transpose()
    }

    /// The cube that trials are played with, if they are.
    fn cube(&self, situation: Situation) -> Option<CubeSettings> {
        let cubeful = situation.cube_decision || self.is_cubeful(&situation.state);
        let cube = match situation.before_roll {
            true => CubeSettings::before_roll(&situation.state),
            false => CubeSettings::after_play(&situation.state),
        };
        cubeful.then(|| CubeSettings {
            decision: situation.cube_decision,
            cap: self.cube_cap.unwrap_or(cube.cap),
            ..cube
        })
    }

    /// [`Self::unresolved_settings`] with their luck named.
    pub(crate) fn settings(&self, setup: &Setup, situation: Situation) -> Settings {
        self.unresolved_settings(setup, situation).resolved(setup)
    }

    /// The preset of those who say nothing about when to end.
    fn usual_preset(&self) -> Option<RolloutPreset> {
        let is_open = self.trials.is_none() && self.stop.is_empty() && self.shard.is_none();
        (self.as_workstation && is_open).then_some(USUAL)
    }

    /// Returns the stop rules of a rollout of so many plays. A shard counts trials only.
    /// Without a number of trials, a file of dice has one for each of its `games`.
    fn rules(&self, plays: usize, games: Option<u64>) -> StopRules {
        let preset = self.preset.or(self.usual_preset());
        let preset = preset.filter(|_| self.shard.is_none());
        let mut rules =
            preset.map_or_else(StopRules::default, |_| RolloutPreset::until_decided(plays));
        let preset = self.preset.or(self.usual_preset());
        if let Some(trials) = self.trials.or(games).or(preset.map(|p| p.trials)) {
            rules.trials = trials;
        }
        for stop in &self.stop {
            match *stop {
                Stop::StandardError(points) => rules.standard_error = Some(points),
                Stop::Width(points) => rules.half_width = Some(points),
                Stop::Separated(confidence) => rules.separated = Some(confidence),
                Stop::Equivalent(points) => rules.equivalent = Some(points),
                Stop::Seconds(seconds) => rules.seconds = Some(seconds),
            }
        }
        rules
    }

    /// How the player plays whose equity is asked for.
    fn style(&self) -> PlayStyle {
        PlayStyle {
            ply: self
                .ply
                .or(self.preset.map(|p| p.ply))
                .unwrap_or(if self.as_workstation { USUAL.ply } else { 0 }),
            filter: self.filter.unwrap_or(Settings::FILTER),
            early: self.early,
        }
    }

    /// The settings as they were asked for: luck may be `auto`.
    pub(crate) fn unresolved_settings(&self, setup: &Setup, situation: Situation) -> Settings {
        let games = setup.prescribed_dice.as_ref().map(|dice| dice.games());
        let style = self.style();
        let stop = self.rules(situation.plays, games);
        let dice_source = match &setup.prescribed_dice {
            Some(preset) => preset.source(),
            None => self.dice_source,
        };
        let mut settings = Settings {
            seed: self.seed,
            ply: style.ply,
            filter: style.filter,
            early: style.early,
            opponent: self.opponent_ply.map(|ply| PlayStyle { ply, ..style }),
            // Games that are settled are played to their end.
            horizon: self.truncate.or_else(|| {
                let preset = self.preset.filter(|_| self.settlement.is_none());
                preset.and_then(|p| p.horizon)
            }),
            stop_at_known: !self.play_bearoffs,
            luck: match (self.luck, self.no_vr) {
                (Some(kind), _) => kind,
                (None, true) => LuckKind::None,
                (None, false) => LuckKind::Auto,
            },
            luck_bound: self.luck_bound,
            cube: self.cube(situation),
            settlement: self.settlement,
            dice_source,
            initial: situation.initial,
            coupling: situation.coupling,
            ranks: Ranks::default(),
            end_when_coalesced: false,
            allocation: match self.allocation {
                None if self.shard.is_none() => {
                    RolloutPreset::allocation(&stop, dice_source, situation.plays)
                }
                None | Some(Allocated::Equal) => Allocation::Equal,
                Some(Allocated::Adaptive) => Allocation::Adaptive,
                Some(Allocated::Race) => Allocation::Race,
            },
            shard: self.shard,
            stop,
        };
        if situation.before_roll {
            settings.swap_sides();
        }
        settings
    }

    /// Returns whether the user chose the allocation of trials. A shard fixes the allocation too.
    pub(crate) fn names_allocation(&self) -> bool {
        self.allocation.is_some() || self.shard.is_some()
    }

    /// Returns whether the rollout saves anything besides the output.
    pub(crate) fn keeps(&self) -> bool {
        self.checkpoint.is_some()
            || self.store.is_some()
            || self.shard.is_some()
            || self.trials_out.is_some()
    }

    /// Refuses what is kept of a rollout, and what is found out after it, beside `--replay`.
    pub(crate) fn agrees_with_replay(&self) -> Result<()> {
        let given = [
            (self.checkpoint.is_some(), "--checkpoint"),
            (self.store.is_some(), "--store"),
            (self.shard.is_some(), "--shard"),
            (self.trials_out.is_some(), "--trials-out"),
            (self.bias_check.is_some(), "--bias-check"),
        ];
        refuse_given(&given, "--replay shows a trial and rolls nothing out")
    }

    /// The match equity table of trials with this setup, in words, where one was named.
    pub(crate) fn table_words(&self, setup: &Setup, state: &GameState) -> Option<String> {
        let cube = setup.cube.as_ref()?;
        self.model.table_words(cube, state)
    }

    pub(crate) fn has_time_limit(&self) -> bool {
        self.stop.iter().any(|s| matches!(s, Stop::Seconds(_)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_rules() {
        assert!(matches!(stop("se=0.005"), Ok(Stop::StandardError(x)) if x == 0.005));
        assert!(matches!(stop("seconds=60"), Ok(Stop::Seconds(x)) if x == 60.0));
        assert!(matches!(stop("separated=99"), Ok(Stop::Separated(x)) if x == 0.99));
        assert!(matches!(stop("width=0.01"), Ok(Stop::Width(_))));
        assert!(matches!(stop("equivalent=0.01"), Ok(Stop::Equivalent(_))));
        for bad in [
            "",
            "se",
            "se=",
            "se=0",
            "se=-1",
            "se=inf",
            "seconds=nan",
            "trials=5",
            "separated=100",
            "separated=40",
            "equivalent=0",
        ] {
            assert!(stop(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn shards_filters_and_early_plies() {
        assert_eq!(shard("2/7"), Ok(Shard { index: 1, of: 7 }));
        for bad in ["5/4", "0/3", "1", "1/0", "a/b", "-1/2"] {
            assert!(shard(bad).is_err(), "{bad}");
        }
        assert_eq!(settlement("0.55"), Ok(Settlement::at(0.55)));
        for bad in ["", "0", "-0.5", "1.5", "nan", "inf", "half"] {
            assert!(settlement(bad).is_err(), "{bad}");
        }
        assert_eq!(early("2:1"), Ok(Early { rolls: 2, ply: 1 }));
        assert!(early("0:1").is_err() && early("2:9").is_err() && early("2").is_err());
        assert_eq!(
            filter("4:0.08"),
            Ok(CandidateFilter {
                most: 4,
                within: 0.08
            })
        );
        assert!(filter("0:1").is_err() && filter("4:nan").is_err());
    }
}
