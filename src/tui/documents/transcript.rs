//! Transcripts: which matches can be transcribed, and the parsing of typed lines.

use super::played_match::{Resignation, is_match_text, keeps_all, seed_of};
use crate::game::Player;
use crate::match_file::{Action, Event, Game, Match, Warning};
use crate::tui::keys::ActionId;

/// Message for an unrecognised line.
const WANTED: &str = "expected 31 or 31: 8/5 6/5, double, take, pass, beaver, resigns or wins";
/// Message for an invalid roll.
const NO_DICE: &str = "a die shows 1 to 6: expected a roll such as 31, or 31: 8/5 6/5";
/// Notations of a turn without a legal play.
const NO_PLAY: [&str; 6] = [
    "-",
    "dance",
    "dances",
    "no play",
    "(no play)",
    "cannot move",
];

/// A typed line of a transcript.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// Two dice as typed, with the play after them; empty if none is typed.
    Dice([u8; 2], String),
    /// A play of the current dice.
    Play(String),
    /// A double, a take, a pass or a beaver.
    Cube(ActionId),
    /// The end of a game by resignation.
    End(GameEnd),
}

/// The end of a game by resignation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameEnd {
    /// Whether the player on turn wins.
    pub is_won: bool,
    /// 1, 2 for a gammon, or 3 for a backgammon.
    pub size: i8,
}

/// Parses a line, in any case. If there are dice already, two digits alone or before a colon replace them.
///
/// # Errors
/// The expected input.
pub fn read(line: &str, has_dice: bool) -> Result<Entry, &'static str> {
    let line = line.trim();
    if let Some(entry) = words(line) {
        return entry;
    }
    match dice(line, has_dice) {
        Some((dice, play)) => Ok(Entry::Dice(dice, play)),
        // A play may be typed in digits, but no play has only two.
        None if is_number_of_two(line) && (!has_dice || line.len() == 2) => Err(NO_DICE),
        None if has_dice && !line.is_empty() => Ok(Entry::Play(line.to_owned())),
        None => Err(WANTED),
    }
}

/// Returns whether a line begins with two digits, whatever their values.
fn is_number_of_two(line: &str) -> bool {
    let head = line.split([':', ' ']).next().unwrap_or_default();
    head.len() == 2 && head.bytes().all(|byte| byte.is_ascii_digit())
}

/// Parses a line of keywords; `None` if it begins with none of them.
fn words(line: &str) -> Option<Result<Entry, &'static str>> {
    let lower = line.to_lowercase();
    let mut words = lower.split_whitespace();
    let first = words.next()?;
    let rest: Vec<&str> = words.collect();
    let alone = |id| match rest[..] {
        [] => Ok(Entry::Cube(id)),
        _ => Err(WANTED),
    };
    Some(match first {
        "d" | "double" | "doubles" | "redouble" | "redoubles" => alone(ActionId::Double),
        "t" | "take" | "takes" => alone(ActionId::Take),
        "p" | "pass" | "passes" | "drop" | "drops" => alone(ActionId::Pass),
        "b" | "beaver" | "beavers" => alone(ActionId::Beaver),
        "resign" | "resigns" => size(&rest).map(|size| {
            Entry::End(GameEnd {
                is_won: false,
                size,
            })
        }),
        "win" | "wins" => size(&rest).map(|size| Entry::End(GameEnd { is_won: true, size })),
        _ => return None,
    })
}

fn size(words: &[&str]) -> Result<i8, &'static str> {
    match words {
        [] | ["single"] | ["a", "single", "game"] => Ok(1),
        ["gammon"] | ["a", "gammon"] => Ok(2),
        ["backgammon"] | ["a", "backgammon"] => Ok(3),
        _ => Err("behind it: nothing, gammon or backgammon"),
    }
}

/// Splits a line into its dice and the rest.
fn dice(line: &str, has_dice: bool) -> Option<([u8; 2], String)> {
    let (head, rest) = match line.split_once(':') {
        Some((head, rest)) => (head, rest),
        // Plays may be written in digits alone: 85 65.
        None if has_dice => (line, ""),
        None => line.split_once(char::is_whitespace).unwrap_or((line, "")),
    };
    let digits = head.chars().filter(|c| !matches!(c, ' ' | '-' | ','));
    let digits: Vec<u8> = digits
        .map(|c| c.to_digit(10).map_or(0, |digit| digit as u8))
        .collect();
    let dice: [u8; 2] = digits.try_into().ok()?;
    let is_dance = NO_PLAY.contains(&rest.trim().to_lowercase().as_str());
    let play = if is_dance { "" } else { rest.trim() };
    dice.iter()
        .all(|die| (1..=6).contains(die))
        .then(|| (dice, play.to_owned()))
}

/// The first player by the opening roll, given as the left player's die, then the right one's; `None` if equal.
pub fn starter([left, right]: [u8; 2]) -> Option<Player> {
    match left.cmp(&right) {
        std::cmp::Ordering::Greater => Some(Player::Left),
        std::cmp::Ordering::Less => Some(Player::Right),
        std::cmp::Ordering::Equal => None,
    }
}

/// The events of a game before the resignation that ended it, and that resignation.
pub fn resignation(game: &Game) -> (&[Event], Option<Resignation>) {
    let (Some((last, before)), Some(result)) = (game.events.split_last(), game.result) else {
        return (&game.events, None);
    };
    if last.action != Action::Resign {
        return (&game.events, None);
    }
    let (before, roll) = match before {
        [
            rest @ ..,
            Event {
                player,
                action: Action::Hidden { roll },
                ..
            },
        ] if *player == last.player => (rest, Some(*roll)),
        _ => (before, None),
    };
    let resigned = Resignation {
        player: last.player,
        points: result.points,
        roll,
    };
    (before, Some(resigned))
}

/// Checks whether a match can be transcribed further or corrected: it must be match text that can be rewritten
/// without loss.
///
/// # Errors
/// The obstacle, in words.
pub fn can_transcribe(record: &Match) -> Result<(), &'static str> {
    let is_text = record.format == "mat" && record.path.as_deref().is_some_and(is_match_text);
    if !is_text {
        Err("only a .mat file can be gone on with: `luckless convert` writes one")
    } else if seed_of(record).is_some() {
        Err("this match is played against the program: {play} goes on with it")
    } else if !record.warnings.iter().all(Warning::loses_nothing) {
        Err("the file has warnings ({warnings}): what they are about would be lost")
    } else {
        keeps_all(record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_play_needs_dice() {
        assert_eq!(
            read("31: 8/5 6/5", false),
            Ok(Entry::Dice([3, 1], "8/5 6/5".into()))
        );
        assert_eq!(read("8/5 6/5", true), Ok(Entry::Play("8/5 6/5".into())));
        assert!(read("8/5 6/5", false).is_err());
    }

    #[test]
    fn lines_say_dice_plays_and_cube_actions() {
        let dice = |a, b, play: &str| Ok(Entry::Dice([a, b], play.to_owned()));
        for (line, has_dice, entry) in [
            ("31", false, dice(3, 1, "")),
            (" 3-1 ", false, dice(3, 1, "")),
            ("31:8/5 6/5", false, dice(3, 1, "8/5 6/5")),
            ("13 8/5 6/5", false, dice(1, 3, "8/5 6/5")),
            ("66: dances", false, dice(6, 6, "")),
            ("42", true, dice(4, 2, "")),
            ("42: 8/4 6/4", true, dice(4, 2, "8/4 6/4")),
            ("84 64", true, Ok(Entry::Play("84 64".to_owned()))),
            ("8/4 6/4", true, Ok(Entry::Play("8/4 6/4".to_owned()))),
            ("Doubles", false, Ok(Entry::Cube(ActionId::Double))),
            ("t", false, Ok(Entry::Cube(ActionId::Take))),
            ("drop", false, Ok(Entry::Cube(ActionId::Pass))),
            ("BEAVER", false, Ok(Entry::Cube(ActionId::Beaver))),
        ] {
            assert_eq!(read(line, has_dice), entry, "{line}");
        }
        for (line, is_won, size) in [
            ("resigns", false, 1),
            ("wins a gammon", true, 2),
            ("Resigns backgammon", false, 3),
        ] {
            let end = Entry::End(GameEnd { is_won, size });
            assert_eq!(read(line, true), Ok(end), "{line}");
        }
        for line in [
            "",
            "  ",
            "71",
            "3",
            "311",
            "double 2",
            "resigns 4",
            "8/5 6/5",
            "hello",
        ] {
            assert!(read(line, false).is_err(), "{line}");
        }
        for line in ["77", "70: 8/5", "19"] {
            assert_eq!(read(line, false), Err(NO_DICE), "{line}");
        }
        assert_eq!(read("77", true), Err(NO_DICE));
    }

    #[test]
    fn the_higher_die_begins() {
        assert_eq!(starter([3, 1]), Some(Player::Left));
        assert_eq!(starter([1, 3]), Some(Player::Right));
        assert_eq!(starter([2, 2]), None);
    }
}
