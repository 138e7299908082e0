//! Settings of a rollout: how trials are played and shared out, and when it ends.

use serde::{Deserialize, Serialize};

use super::coupling::{Coupling, Ranks};
use super::cube_settings::{CAP, CubeSettings};
use super::luck_kind::LuckKind;
use super::setup::Setup;
use crate::cube::dahl::Settlement;
use crate::dice::DiceSource;
use crate::eval::CandidateFilter;
use crate::words::counted;

/// How the trials are played. Two rollouts with equal settings give equal bits, whatever the
/// number of threads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Key of the dice.
    pub seed: u64,
    /// Plies of lookahead with which both sides choose their plays.
    pub ply: u8,
    /// Which plays they look at more deeply.
    pub filter: CandidateFilter,
    /// Other plies for the first rolls.
    pub early: Option<Early>,
    /// How the opponent of the player who makes the candidate play chooses, if not as that one.
    pub opponent: Option<PlayStyle>,
    /// Rolls after which a trial is stopped and evaluated; `None` plays to the end.
    pub horizon: Option<u16>,
    /// A trial ends if the evaluator knows the position without error.
    pub stop_at_known: bool,
    /// Kind of luck that is subtracted.
    pub luck: LuckKind,
    /// Riordan's bound: luck is scaled, before each roll, so that its sum never exceeds this many
    /// points whatever the roll.
    pub luck_bound: Option<f64>,
    /// The cube and the score that trials are played with; `None` is cubeless.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cube: Option<CubeSettings>,
    /// Dahl's settlement limit: from the same cubeless games, played to their end, three states of a cube
    /// are estimated as well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settlement: Option<Settlement>,
    /// Where the dice come from.
    pub dice_source: DiceSource,
    /// The first roll is that of an initial position, never a double.
    pub initial: bool,
    /// How the candidates' dice depend on each other.
    pub coupling: Coupling,
    /// How rolls are put in order of luck, where the coupling asks for it.
    #[serde(default, skip_serializing_if = "Ranks::is_usual")]
    pub ranks: Ranks,
    /// A trial of a pair ends as soon as the two candidates coalesce, with the evaluator's estimate as its value.
    /// The difference is then final and unchanged by the early end.
    /// The candidates' own equities would rest on the evaluator's estimate, so the result has none.
    #[serde(
        default,
        rename = "end_when_met",
        skip_serializing_if = "std::ops::Not::not"
    )]
    pub end_when_coalesced: bool,
    /// Which candidates get the trials.
    pub allocation: Allocation,
    /// The shard of the trials that is played here.
    pub shard: Option<Shard>,
    pub stop: StopRules,
}

/// Other plies for the first rolls of a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Early {
    /// Rolls for which these plies hold.
    pub rolls: u16,
    /// Plies of these rolls.
    pub ply: u8,
}

/// How one player chooses plays.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayStyle {
    /// Plies of lookahead.
    pub ply: u8,
    /// Which plays are looked at more deeply.
    pub filter: CandidateFilter,
    /// Other plies for the first rolls.
    pub early: Option<Early>,
}

impl PlayStyle {
    /// Plies for the roll after `turns` rolls.
    #[inline]
    pub(crate) fn ply_at(&self, turns: u32) -> u8 {
        match self.early {
            Some(early) if turns < u32::from(early.rolls) => early.ply,
            _ => self.ply,
        }
    }
}

/// Which of several candidates get the trials.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Allocation {
    /// All the same number.
    #[default]
    Equal,
    /// Candidates that decide which is best get more trials.
    Adaptive,
    /// All the same number until they are shown not to be the best; then none. A rollout in which only
    /// one is left is at its end.
    Race,
}

/// One of several shares of the trials, taken in turns, a block at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Which shard, from 0.
    pub index: u32,
    pub of: u32,
}

impl Shard {
    /// How many of `trials` trials, in blocks of `block`, fall to the shard.
    pub fn share(self, trials: u64, block: u64) -> u64 {
        let (index, of) = (u64::from(self.index), u64::from(self.of));
        let (blocks, rest) = (trials / block, trials % block);
        let own = blocks / of + u64::from(blocks % of > index);
        own * block + if blocks % of == index { rest } else { 0 }
    }
}

/// The rules that end a rollout; whichever is met first does.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StopRules {
    /// Trials for each candidate at most (on average where trials are shared out: adaptive, race).
    pub trials: u64,
    /// Stop when the standard error of every candidate's equity (of the difference, for a pair) is
    /// at most this many points.
    pub standard_error: Option<f64>,
    /// Stop when the anytime interval of every candidate's equity (of the difference, for a pair) is
    /// at most this many points to either side.
    #[serde(rename = "width")]
    pub half_width: Option<f64>,
    /// Stop when the best play is better than every other with this confidence, at all times.
    pub separated: Option<f64>,
    /// Stop when no other play differs from the best by more than this many points, with 95%
    /// confidence at all times; plays that are shown worse do not count.
    pub equivalent: Option<f64>,
    /// Stop after this many seconds of running (pauses not counted).
    pub seconds: Option<f64>,
}

impl StopRules {
    /// Returns whether a rule depends on results, and not only on trials and time.
    pub fn look_at_results(&self) -> bool {
        let of_errors = self.standard_error.is_some() || self.half_width.is_some();
        of_errors || self.separated.is_some() || self.equivalent.is_some()
    }
}

impl Default for StopRules {
    fn default() -> Self {
        Self {
            trials: 1296,
            standard_error: None,
            half_width: None,
            separated: None,
            equivalent: None,
            seconds: None,
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            seed: 1,
            ply: 0,
            filter: Self::FILTER,
            early: None,
            opponent: None,
            horizon: None,
            stop_at_known: true,
            luck: LuckKind::Auto,
            luck_bound: None,
            cube: None,
            settlement: None,
            dice_source: DiceSource::Rotation,
            initial: false,
            coupling: Coupling::Dice,
            ranks: Ranks::default(),
            end_when_coalesced: false,
            allocation: Allocation::Equal,
            shard: None,
            stop: StopRules::default(),
        }
    }
}

impl Settings {
    /// The candidate filter of rollouts. It is narrower than where a decision is analysed, since next to nothing
    /// is lost by it (`luckless-lab filters`; `docs/methods/rollouts.md`).
    pub const FILTER: CandidateFilter = CandidateFilter {
        most: 3,
        within: 0.06,
    };

    /// Where trials are stopped, in words: `truncated after 6 rolls`; `None` if they are played to the end.
    pub fn truncation(&self) -> Option<String> {
        let horizon = self.horizon?;
        Some(format!("truncated after {}", counted(horizon, "roll")))
    }

    /// The same in short: `truncated at 6`.
    pub fn truncation_in_short(&self) -> Option<String> {
        Some(format!("truncated at {}", self.horizon?))
    }

    /// Describes the differences between rollouts of a position: plies, cube, truncation, variance reduction, dice
    /// and seed.
    /// Usual settings are left out.
    pub fn how_played(&self) -> String {
        let plies = match self.opponent {
            Some(other) if other.ply != self.ply => format!("{}- and {}-ply", self.ply, other.ply),
            _ => format!("{}-ply", self.ply),
        };
        let cube = match (self.cube, self.settlement) {
            (Some(cube), _) if cube.cap < CAP => format!("with cube up to {}", cube.cap),
            (Some(_), _) => "with cube".to_owned(),
            (None, Some(settled)) => format!("settlement limit {}", settled.limit),
            (None, None) => "without cube".to_owned(),
        };
        let mut parts = vec![plies, cube];
        parts.extend(self.truncation());
        parts.extend((!self.stop_at_known).then(|| "bearoffs played out".to_owned()));
        parts.push(self.luck.words());
        parts.extend((self.dice_source != DiceSource::Rotation).then(|| self.dice_source.words()));
        parts.push(format!("seed {}", self.seed));
        parts.join(", ")
    }

    /// How the player who makes the candidate play chooses, and how the opponent does.
    pub(crate) fn styles(&self) -> [PlayStyle; 2] {
        let own = self.own_style();
        [own, self.opponent.unwrap_or(own)]
    }

    fn own_style(&self) -> PlayStyle {
        PlayStyle {
            ply: self.ply,
            filter: self.filter,
            early: self.early,
        }
    }

    /// Each side plays as the other did. Twice changes nothing.
    pub fn swap_sides(&mut self) {
        let own = self.own_style();
        if let Some(opponent) = &mut self.opponent {
            let PlayStyle { ply, filter, early } = std::mem::replace(opponent, own);
            (self.ply, self.filter, self.early) = (ply, filter, early);
        }
    }

    /// Plies of the deepest decision of either player, also among the first rolls.
    pub(crate) fn deepest(&self) -> u8 {
        let deepest = |style: PlayStyle| style.early.map_or(style.ply, |e| e.ply.max(style.ply));
        self.styles().map(deepest).into_iter().max().unwrap_or(0)
    }

    /// These settings with `auto` luck resolved: what [`LuckKind::Auto`] and [`LuckKind::Lookahead`] mean
    /// with these evaluators, and what ranks are made by.
    pub fn resolved(&self, setup: &Setup) -> Self {
        let deepest = self.styles().map(|s| s.ply).into_iter().max().unwrap_or(0);
        let free = LuckKind::Lookahead(Some(deepest.saturating_sub(1)));
        let luck = match self.luck {
            LuckKind::Auto | LuckKind::Lookahead(None) => free,
            named => named,
        };
        let by = match (self.ranks.by, luck) {
            (by, _) if !self.coupling.is_ranked() => by,
            (LuckKind::Auto, LuckKind::None) if deepest == 0 => LuckKind::least(setup),
            (LuckKind::Auto, LuckKind::None) => free,
            (LuckKind::Auto, luck) => luck,
            (LuckKind::Lookahead(None), _) => free,
            (named, _) => named,
        };
        Self {
            luck,
            ranks: Ranks { by, ..self.ranks },
            ..self.clone()
        }
    }

    /// Returns whether these settings may be a result of [`Self::resolved`]: no luck is left `auto`.
    pub(crate) fn is_resolved(&self) -> bool {
        let is_open = |kind| matches!(kind, LuckKind::Auto | LuckKind::Lookahead(None));
        !(is_open(self.luck) || self.coupling.is_ranked() && is_open(self.ranks.by))
    }

    /// Trials of a candidate at which it has what was asked for of it here: candidates that do not
    /// share their trials end with whole blocks.
    pub fn most_trials(&self) -> u64 {
        let trials = self.stop.trials;
        match self.allocation {
            Allocation::Equal => match self.shard.filter(|shard| shard.of > 0) {
                Some(shard) => shard.share(trials, self.block()),
                None => trials,
            },
            _ => trials.next_multiple_of(self.block()),
        }
    }

    /// The settings without what may change while a rollout lasts: the rules that end it. In a race the
    /// confidence stays: it has decided which plays got no more trials.
    pub fn lasting(&self) -> Self {
        let race = self.allocation == Allocation::Race;
        let stop = StopRules {
            trials: 0,
            standard_error: None,
            half_width: None,
            separated: self.stop.separated.filter(|_| race),
            equivalent: None,
            seconds: None,
        };
        Self {
            stop,
            ..self.clone()
        }
    }

    /// Trials in a block, the unit of stopping and of sharing out.
    pub fn block(&self) -> u64 {
        self.dice_source.block(self.initial)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{GameState, Position};

    /// Rollouts of one position that differ have other words.
    #[test]
    fn words_tell_rollouts_apart() {
        let cube = |cap| CubeSettings {
            cap,
            ..CubeSettings::before_roll(&GameState::money(Position::opening()))
        };
        let usual = Settings {
            cube: Some(cube(CAP)),
            ..Settings::default()
        };
        let others = [
            Settings {
                cube: Some(cube(2)),
                ..usual.clone()
            },
            Settings {
                horizon: Some(6),
                ..usual.clone()
            },
            Settings {
                stop_at_known: !usual.stop_at_known,
                ..usual.clone()
            },
            Settings {
                dice_source: DiceSource::Random,
                ..usual.clone()
            },
            Settings {
                seed: usual.seed + 1,
                ..usual.clone()
            },
        ];
        assert!(usual.how_played().contains("-ply, with cube, "));
        for other in others {
            assert_ne!(other.how_played(), usual.how_played(), "{other:?}");
        }
    }

    #[test]
    fn sides_that_are_swapped_twice_are_as_before() {
        let given = Settings {
            ply: 2,
            early: Some(Early { rolls: 4, ply: 3 }),
            opponent: Some(PlayStyle {
                ply: 1,
                filter: CandidateFilter {
                    most: 7,
                    within: 0.25,
                },
                early: None,
            }),
            ..Settings::default()
        };
        let mut settings = given.clone();
        settings.swap_sides();
        let [own, opponent] = given.styles();
        assert_eq!(settings.styles(), [opponent, own]);
        settings.swap_sides();
        assert_eq!(settings, given);
        // Without an opponent of its own both sides play alike.
        let alike = Settings {
            opponent: None,
            ..given
        };
        let mut settings = alike.clone();
        settings.swap_sides();
        assert_eq!(settings, alike);
    }
}
