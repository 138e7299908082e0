//! `luckless rollout --interactive`: a person plays, the program rolls and counts.

use std::io::{self, Write as _};

use anyhow::Result;

use super::candidate::estimate;
use super::hand_games::Games;
use super::replay::play_to;
use super::rollout_options::RolloutOptions;
use crate::cli::common::output;
use crate::cli::common::typed::{board, score_and_cube, typed_line};
use crate::cli::common::usage::{misuse, refused};
use crate::cube::{CubeChoice, CubeDecision, cube_words};
use crate::game::{GameState, Play, Position, Roll};
use crate::grid::Grid;
use crate::notation::{gnubg_id, parse_play, play_text};
use crate::rollout::by_hand::{HandTrial, Hands};
use crate::rollout::limits::MOST_TRIALS;
use crate::rollout::{Identity, LevelValue, Settings, Setup, ShardMerge, TrialRecord};
use crate::store::{HandKey, RolloutLabel, UserFolders};
use crate::words::counted;

/// Players whose checkers the user plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum HandSide {
    /// The player whose equity is wanted
    Own,
    /// That player's opponent
    Other,
    /// Both
    Both,
}

/// Plays shown for a question mark.
const SHOWN: usize = 5;

impl From<HandSide> for Hands {
    fn from(side: HandSide) -> Self {
        match side {
            HandSide::Own => Self::Own,
            HandSide::Other => Self::Other,
            HandSide::Both => Self::Both,
        }
    }
}

/// Plays trials until the user leaves.
pub(crate) fn run(
    options: &RolloutOptions,
    side: HandSide,
    setup: Setup,
    mut settings: Settings,
    candidates: &[Position],
    shown: &RolloutLabel,
) -> Result<()> {
    let start = only_candidate(options, &settings, candidates)?;
    settings.stop.trials = MOST_TRIALS;
    let settings = settings.resolved(&setup);
    let mut merge = ShardMerge::new(&setup, vec![start], &settings).map_err(refused)?;
    let place = match &options.store {
        _ if options.no_store => None,
        Some(path) => Some(path.clone()),
        None => UserFolders::of_user().map(|p| p.rollouts()),
    };
    let identity = Identity::new(&setup, &settings, candidates);
    let key = HandKey::new(identity, side.into());
    let mut games = Games::open(place, key, shown)?;
    games.count(&mut merge);
    let before_roll = shown.is_before_roll();
    let mut table = Hand {
        setup: &setup,
        by_hand: match side {
            HandSide::Both => [true; 2],
            // The candidate's player is the one who has just played.
            HandSide::Own => [!before_roll, before_roll],
            HandSide::Other => [before_roll, !before_roll],
        },
    };
    let in_match = settings.cube.is_some_and(|c| c.away.is_some());
    let mut sit = || -> Result<()> {
        loop {
            let trial = games.begin();
            let mut game = HandTrial::new(&setup, start, &settings, trial).map_err(refused)?;
            let goes_on = table.play(&mut game, trial);
            let ended = matches!(goes_on, Ok(true)).then(|| game.record());
            let Some(record) = ended.flatten() else {
                games.leave();
                return goes_on.map(drop);
            };
            // Before anything is shown: nobody may be left to see it.
            games.keep(record);
            games.count(&mut merge);
            output::text(&ended_text(&record, trial, before_roll, in_match))?;
            report(&merge, before_roll)?;
        }
    };
    let sat = sit();
    games.count(&mut merge);
    let shown = sat.and_then(|()| report(&merge, before_roll));
    games.end().and(shown)
}

/// The one candidate that is played; refuses what cannot be had by hand.
fn only_candidate(
    options: &RolloutOptions,
    settings: &Settings,
    candidates: &[Position],
) -> Result<Position> {
    let [start] = *candidates else {
        return Err(misuse(
            "one candidate is played by hand at a time: give one --play, or the position alone",
        ));
    };
    if options.checkpoint.is_some() || options.trials_out.is_some() || settings.shard.is_some() {
        return Err(misuse(
            "by hand the games are kept in a store: give --store",
        ));
    }
    Ok(start)
}

/// How a game ended, for the player on roll at its beginning.
fn ended_text(record: &TrialRecord, trial: u64, before_roll: bool, in_match: bool) -> String {
    let ended = record.exported();
    let sign = if before_roll { -1.0 } else { 1.0 };
    let [plain, luck] = [ended.plain, ended.plain - ended.variance_reduced].map(|x| sign * x);
    // Results are whole points for money, unless the game ended by a value.
    let is_whole = !in_match && plain.fract() == 0.0;
    let digits = if is_whole { 0 } else { 3 };
    format!(
        "game {}: ended at {plain:+.digits$}, luck {luck:+.3}\n",
        trial + 1,
    )
}

fn report(merge: &ShardMerge, before_roll: bool) -> Result<()> {
    let result = merge.result();
    if result.candidates[0].trials == 0 {
        return output::text("0 games\n\n");
    }
    let candidate = if before_roll {
        result.candidates[0].flipped()
    } else {
        result.candidates[0].clone()
    };
    // A single game has no spread.
    let equal = match candidate.trials {
        0 | 1 => String::new(),
        _ => format!(
            ", equal to {:.0} without variance reduction",
            candidate.equivalent_trials
        ),
    };
    output::text(&format!(
        "{}: {}{equal}\n\n",
        counted(candidate.trials, "game"),
        estimate(&candidate.equity),
    ))
}

struct Hand<'a> {
    setup: &'a Setup,
    /// Sides played by hand: the candidate's player, and the opponent.
    by_hand: [bool; 2],
}

/// Reply of the user.
enum Reply<T> {
    This(T),
    Program,
    Leave,
}

/// Meaning of a typed line.
enum Typed<T> {
    Answer(T),
    /// Shown, and then the question is asked again.
    Message(String),
}

impl Hand<'_> {
    /// Plays a trial to its end; false if the user leaves.
    fn play(&mut self, game: &mut HandTrial<'_>, trial: u64) -> Result<bool> {
        while !game.is_over() {
            let before = *game.position();
            let own = game.own_turn();
            let mine = self.by_hand[usize::from(!own)];
            let doubled = game.may_double();
            if mine || doubled && self.by_hand[usize::from(own)] {
                output::text(&format!(
                    "game {}  {}\n{}{}",
                    trial + 1,
                    gnubg_id::position_id(&before),
                    board(&before, false),
                    game.state().map(|s| score_and_cube(&s)).unwrap_or_default(),
                ))?;
            }
            if doubled && !self.cube(game)? {
                return Ok(false);
            }
            if game.is_over() {
                break;
            }
            let roll = game.roll();
            let answer = if mine {
                self.ask_play(game, roll)?
            } else {
                Reply::Program
            };
            let result = match answer {
                Reply::This(result) => Some(result),
                Reply::Program => None,
                Reply::Leave => return Ok(false),
            };
            let (result, luck) = game.play(roll, result);
            // Luck of the player who rolled.
            let luck = if own { luck } else { -luck };
            output::text(&format!(
                "{}: {roll} {}  (luck {luck:+.3})\n",
                who(mine),
                play_to(&before, roll, &result)
            ))?;
        }
        Ok(true)
    }

    /// The player on roll doubles or not, and the other answers; false if the user leaves.
    fn cube(&mut self, game: &mut HandTrial<'_>) -> Result<bool> {
        let own = game.own_turn();
        let [mine, theirs] = [own, !own].map(|own| self.by_hand[usize::from(!own)]);
        let (Some(decision), Some(state)) = (game.decision(false), game.state()) else {
            return Ok(true);
        };
        let wanted = match mine {
            true => ask(
                "double? (y, n, ? values, ! program, q leaves): ",
                &decision,
                &state,
                |c| match c {
                    "y" | "d" => Some(true),
                    "n" | "" => Some(false),
                    _ => None,
                },
            )?,
            false => Reply::Program,
        };
        let doubles = match wanted {
            Reply::This(doubles) => doubles,
            Reply::Program => decision.action.doubles(),
            Reply::Leave => return Ok(false),
        };
        if !doubles {
            return Ok(true);
        }
        let to = 2 * state.cube;
        output::text(&format!("{}: doubles to {to}\n", who(mine)))?;
        let Some(decision) = game.decision(true) else {
            return Ok(true);
        };
        let beavers = state.rules.beavers;
        let question = match beavers {
            true => "answer (t takes, p passes, b beavers, ? values, ! program, q leaves): ",
            false => "answer (t takes, p passes, ? values, ! program, q leaves): ",
        };
        let wanted = match theirs {
            true => ask(question, &decision, &state, |c| match c {
                "t" => Some(CubeChoice::Take),
                "p" => Some(CubeChoice::Pass),
                "b" if beavers => Some(CubeChoice::Beaver),
                _ => None,
            })?,
            false => Reply::Program,
        };
        let answer = match wanted {
            Reply::This(answer) => answer,
            Reply::Program => decision.answer().unwrap_or(CubeChoice::Take),
            Reply::Leave => return Ok(false),
        };
        let said = match answer {
            CubeChoice::Pass => "passes",
            CubeChoice::Beaver => "beavers",
            _ => "takes",
        };
        output::text(&format!("{}: {said}\n", who(theirs)))?;
        game.double(answer);
        Ok(true)
    }

    fn ask_play(&self, game: &HandTrial<'_>, roll: Roll) -> Result<Reply<Position>> {
        let position = game.position();
        let question = format!("{roll} (play, ? plays, ! program, q leaves): ");
        asked(&question, |text| {
            Ok(match text {
                "?" => Typed::Message(self.hint(game, roll)),
                text => match parse_play(text, position, roll) {
                    Ok(play) => Typed::Answer(play.apply(position)),
                    Err(error) => Typed::Message(format!("{error}\n")),
                },
            })
        })
    }

    fn hint(&self, game: &HandTrial<'_>, roll: Roll) -> String {
        let mut table = Grid::new(&["play", "equity"]);
        for (play, equity) in self.ranked(game, roll).into_iter().take(SHOWN) {
            table.row(vec![
                play_text(game.position(), &play),
                output::points(equity),
            ]);
        }
        table.to_string()
    }

    /// All plays, best first, by static evaluation: with the cube and the score where the game has them.
    fn ranked(&self, game: &HandTrial<'_>, roll: Roll) -> Vec<(Play, f32)> {
        let state = game.state();
        let model = self.setup.cube.as_deref().filter(|_| state.is_some());
        let state = state.unwrap_or_else(|| GameState::money(*game.position()));
        let evaluator = &*self.setup.evaluator;
        let all = LevelValue::all(evaluator, model, &state, roll, 0, &|| false);
        let all = all.unwrap_or_default().into_iter();
        all.map(|one| (one.candidate.play, one.equity())).collect()
    }
}

fn who(by_hand: bool) -> &'static str {
    if by_hand { "you" } else { "program" }
}

/// Asks about the cube until `meaning` knows the answer.
fn ask<T>(
    question: &str,
    decision: &CubeDecision,
    state: &GameState,
    meaning: impl Fn(&str) -> Option<T>,
) -> Result<Reply<T>> {
    asked(question, |text| {
        Ok(match (text, meaning(text)) {
            (_, Some(answer)) => Typed::Answer(answer),
            ("?", None) => Typed::Message(values(decision, state)),
            (text, None) => {
                let typed = crate::sanitize::clean(text);
                Typed::Message(format!("'{typed}' is no answer\n"))
            }
        })
    })
}

/// Lists the program's equity of each cube action, for the player on roll.
fn values(decision: &CubeDecision, state: &GameState) -> String {
    let mut table = Grid::new(&["action", "equity"]);
    for (name, equity) in decision.named_equities() {
        let name = cube_words(name, state).to_owned();
        table.row(vec![name, output::points(equity)]);
    }
    format!("{table}{}\n", cube_words(decision.action.name(), state))
}

/// Asks until there is an answer.
fn asked<T>(question: &str, meaning: impl Fn(&str) -> Result<Typed<T>>) -> Result<Reply<T>> {
    loop {
        output::text(question)?;
        io::stdout().flush()?;
        let Some(line) = typed_line()? else {
            output::text("\n")?;
            return Ok(Reply::Leave);
        };
        match line.trim() {
            "q" => return Ok(Reply::Leave),
            "!" => return Ok(Reply::Program),
            text => match meaning(text)? {
                Typed::Answer(answer) => return Ok(Reply::This(answer)),
                Typed::Message(text) => output::text(&text)?,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::common::options::Id;

    #[test]
    fn the_board_shows_every_checker() {
        let id: Id = "4HPwATDgc/ABMA".parse().expect("the opening");
        let text = board(&id.state.position, false);
        let rows: Vec<&str> = text.lines().collect();
        assert_eq!(rows[1], "  5x   .   .   .  3o   .  5o   .   .   .   .  2x");
        assert_eq!(rows[2], "  5o   .   .   .  3x   .  5x   .   .   .   .  2o");
        assert_has!(
            text,
            "x (on roll): bar 0, off 0, 167 pips   o: bar 0, off 0, 167 pips"
        );
        let mut state = id.state;
        assert_eq!(score_and_cube(&state), "cube 1 (centred)   money\n");
        state.rules.jacoby = true;
        assert_eq!(score_and_cube(&state), "cube 1 (centred)   money, Jacoby\n");
    }
}
