//! `luckless rollout --interactive`: a person plays, the program rolls and counts.

use std::io::{self, BufRead as _, Write as _};

use anyhow::Result;

use super::output::{self, Table};
use super::replay::play_to;
use super::rolling::Options;
use super::rolling_run::refused;
use super::strand::estimate;
use super::usage::misuse;
use crate::eval::{MoveFilter, lookahead};
use crate::game::{Position, Roll};
use crate::notation::{gnubg_id, parse_play, play_text};
use crate::rollout::by_hand::HandTrial;
use crate::rollout::error::MOST_TRIALS;
use crate::rollout::{Folder, LuckKind, Settings, Setup};
use crate::store::{Places, RolloutKey, RolloutStore, Shown};

/// Who is played by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Side {
    /// The player whose equity is wanted
    Own,
    /// That player's opponent
    Other,
    /// Both
    Both,
}

/// Plays shown for a question mark.
const SHOWN: usize = 5;

/// Plays trials until the user leaves.
pub(super) fn run(
    options: &Options,
    side: Side,
    setup: Setup,
    mut settings: Settings,
    candidates: &[Position],
    shown: &Shown,
) -> Result<()> {
    let [start] = *candidates else {
        return Err(misuse(
            "by hand one play is rolled out at a time: give one --play",
        ));
    };
    if options.checkpoint.is_some() || options.trials_out.is_some() || settings.shard.is_some() {
        return Err(misuse(
            "by hand the games are kept in a store: give --store",
        ));
    }
    if settings.cube.is_some() {
        return Err(misuse("by hand games are played without the cube"));
    }
    settings.stop.trials = MOST_TRIALS;
    if !options.names_luck() {
        // Nobody waits for the evaluator here.
        settings.luck = LuckKind::Full(None);
    }
    let settings = settings.resolved(&setup);
    let name = format!("{} by hand ({side:?})", setup.name());
    let mut folder = Folder::new(&setup, vec![start], &settings).map_err(refused)?;
    let key = RolloutKey::new(&name, &settings, candidates);
    let place = match &options.store {
        _ if options.no_store => None,
        Some(path) => Some(path.clone()),
        None => Places::of_user().map(|p| p.rollouts()),
    };
    let mut store = place.as_deref().map(RolloutStore::open).transpose()?;
    if let Some(store) = &store
        && let Some(kept) = store.find(&key)?
    {
        let mut last = None;
        loop {
            let records = store.trials(kept.id, last)?;
            let Some(first) = records.first() else { break };
            last = Some(first.trial);
            for record in records {
                folder.push(&[record]);
            }
        }
    }
    let before_roll = shown.dice.is_none();
    let mut table = Hand {
        setup: &setup,
        by_hand: match side {
            Side::Both => [true; 2],
            // The strand's player is the one who has just played.
            Side::Own => [!before_roll, before_roll],
            Side::Other => [before_roll, !before_roll],
        },
    };
    loop {
        let trial = folder.trials();
        let mut game = HandTrial::new(&setup, start, &settings, trial).map_err(refused)?;
        if !table.play(&mut game, trial)? {
            break;
        }
        let Some(record) = game.record() else { break };
        folder.push(&[record]);
        let ended = record.exported();
        let sign = if before_roll { -1.0 } else { 1.0 };
        output::text(&format!(
            "game {}: ended at {:+.0}, luck {:+.3}\n",
            trial + 1,
            sign * ended.plain,
            sign * (ended.plain - ended.reduced),
        ))?;
        if let Some(store) = &mut store {
            store.save(&key, shown, folder.progress(), &[record])?;
        }
        report(&folder, before_roll)?;
    }
    report(&folder, before_roll)
}

fn report(folder: &Folder, before_roll: bool) -> Result<()> {
    let result = folder.result();
    let strand = if before_roll {
        result.strands[0].turned()
    } else {
        result.strands[0].clone()
    };
    output::text(&format!(
        "{} games: {}, worth {:.0} counted by their results\n\n",
        strand.trials,
        estimate(&strand.equity),
        strand.equivalent_trials,
    ))
}

struct Hand<'a> {
    setup: &'a Setup,
    /// Whether the strand's player, and the opponent, are played by hand.
    by_hand: [bool; 2],
}

/// What the user wants.
enum Answer {
    Play(Position),
    Program,
    Leave,
}

impl Hand<'_> {
    /// Plays a trial to its end; false if the user leaves.
    fn play(&mut self, game: &mut HandTrial<'_>, trial: u64) -> Result<bool> {
        while !game.is_over() {
            let before = *game.position();
            let own = game.own_turn();
            let roll = game.roll();
            let mine = self.by_hand[usize::from(!own)];
            let answer = if mine {
                output::text(&format!(
                    "game {}  {}\n{}",
                    trial + 1,
                    gnubg_id::position_id(&before),
                    board(&before)
                ))?;
                self.ask(&before, roll)?
            } else {
                Answer::Program
            };
            let result = match answer {
                Answer::Play(result) => Some(result),
                Answer::Program => None,
                Answer::Leave => return Ok(false),
            };
            let (result, luck) = game.play(roll, result);
            let who = if mine { "you" } else { "program" };
            // Luck of whoever rolled.
            let luck = if own { luck } else { -luck };
            output::text(&format!(
                "{who}: {roll} {}  (luck {luck:+.3})\n",
                play_to(&before, roll, &result)
            ))?;
        }
        Ok(true)
    }

    fn ask(&self, position: &Position, roll: Roll) -> Result<Answer> {
        loop {
            output::text(&format!("{roll} (play, ? plays, ! program, q leaves): "))?;
            io::stdout().flush()?;
            let mut line = String::new();
            if io::stdin().lock().read_line(&mut line)? == 0 {
                output::text("\n")?;
                return Ok(Answer::Leave);
            }
            match line.trim() {
                "q" => return Ok(Answer::Leave),
                "!" => return Ok(Answer::Program),
                "?" => self.hint(position, roll)?,
                text => match parse_play(text, position, roll) {
                    Ok(play) => return Ok(Answer::Play(play.apply(position))),
                    Err(error) => output::text(&format!("{error}\n"))?,
                },
            }
        }
    }

    fn hint(&self, position: &Position, roll: Roll) -> Result<()> {
        let filter = MoveFilter::default();
        let evaluator = &*self.setup.evaluator;
        let plays = lookahead::candidates(evaluator, position, roll, 0, filter, &|| false);
        let mut table = Table::new(&["play", "equity"]);
        for play in plays.unwrap_or_default().iter().take(SHOWN) {
            table.row(vec![
                play_text(position, &play.play),
                output::points(play.equity),
            ]);
        }
        output::text(&table.to_string())
    }
}

/// The board as two rows of points, the player on roll moving from 24 down.
fn board(position: &Position) -> String {
    let cell = |point: usize| {
        let (own, other) = (position.mover.at(point), position.opponent.at(25 - point));
        match (own, other) {
            (0, 0) => "  .".to_owned(),
            (own, 0) => format!("{own:>2}x"),
            (_, other) => format!("{other:>2}o"),
        }
    };
    let row = |points: &mut dyn Iterator<Item = usize>| {
        let (mut numbers, mut checkers) = (String::new(), String::new());
        for point in points {
            numbers += &format!(" {point:>3}");
            checkers += &format!(" {}", cell(point));
        }
        (numbers, checkers)
    };
    let (top, upper) = row(&mut (13..25));
    let (bottom, lower) = row(&mut (1..13).rev());
    let side = |s: &crate::game::Side| format!("bar {}, off {}", s.bar(), s.off());
    format!(
        "{top}\n{upper}\n{lower}\n{bottom}\nx (on roll): {}   o: {}\n",
        side(&position.mover),
        side(&position.opponent)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::options::Id;

    #[test]
    fn the_board_shows_every_checker() {
        let id: Id = "4HPwATDgc/ABMA".parse().expect("the opening");
        let text = board(&id.state.position);
        let rows: Vec<&str> = text.lines().collect();
        assert_eq!(rows[1], "  5x   .   .   .  3o   .  5o   .   .   .   .  2x");
        assert_eq!(rows[2], "  5o   .   .   .  3x   .  5x   .   .   .   .  2o");
        assert!(text.contains("bar 0, off 0"));
    }
}
