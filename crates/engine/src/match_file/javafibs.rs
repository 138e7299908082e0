//! JavaFIBS replays: one event per line, `code:name:text`.
//!
//! The owner of the file is `You`; only a score line contains the owner's name. Points are numbered in one
//! direction for both players, so that one of them moves upwards. A play itself shows its direction.

use super::builder::{GameBuilder, MatchBuilder, name};
use super::length::MatchLength;
use super::model::Match;
use super::text::{Text, quote};
use super::warnings::FilePlace;
use crate::game::{Player, Roll};
use crate::notation::WrittenPlay;

/// Reads a replay.
///
/// # Errors
/// A message about the missing part.
pub(super) fn read(text: &Text) -> Result<Match, &'static str> {
    let mut reader = Reader::new(names(text));
    for (line, number) in text.lines.iter().zip(1..).skip(1) {
        if !reader.line(line, FilePlace::line(number, 1)) {
            break;
        }
    }
    reader.end_game(FilePlace::line(text.lines.len() as u32, 1));
    let record = reader.match_builder.finish();
    if record.games.is_empty() {
        return Err("the replay has no game: expected lines such as '13:name:'");
    }
    Ok(record)
}

/// Returns the opponent's name from the first line that has it, and the owner's name: the other name of the
/// first score line.
fn names(text: &Text) -> [String; 2] {
    let mut opponent = String::new();
    let mut owner = String::new();
    for line in &text.lines {
        let Some((code, name_field, text_field)) = parts(line) else {
            continue;
        };
        if opponent.is_empty() && matches!(code, 8 | 13) && name_field != "You" {
            opponent = name_field.to_owned();
        }
        if code == 14 {
            let scored = name_field
                .rsplit_once('-')
                .into_iter()
                .chain(text_field.rsplit_once('-'));
            let mut names = scored.map(|(name, _)| name);
            if let Some(found) = names.find(|name| *name != opponent) {
                owner = found.to_owned();
                break;
            }
        }
    }
    if owner.is_empty() {
        owner = "You".to_owned();
    }
    [name(&opponent, Player::Left), name(&owner, Player::Right)]
}

/// Splits a line into code, name and text.
fn parts(line: &str) -> Option<(u32, &str, &str)> {
    let (code, rest) = line.trim().split_once(':')?;
    let (name_field, text_field) = rest.split_once(':')?;
    Some((code.parse().ok()?, name_field.trim(), text_field.trim()))
}

struct Reader {
    match_builder: MatchBuilder,
    builder: Option<GameBuilder>,
    roll: Option<(Player, Roll)>,
    resigning: Option<(Player, u32)>,
}

impl Reader {
    fn new(players: [String; 2]) -> Self {
        Self {
            match_builder: MatchBuilder::new(Match {
                format: "javafibs",
                players,
                ..Match::default()
            }),
            builder: None,
            roll: None,
            resigning: None,
        }
    }

    fn end_game(&mut self, place: FilePlace) {
        self.unplayed(place);
        self.resigning = None;
        if let Some(builder) = self.builder.take() {
            self.match_builder.end(place, builder, None);
        }
    }

    /// Adds a roll whose play is missing.
    fn unplayed(&mut self, place: FilePlace) {
        if let (Some((player, roll)), Some(builder)) = (self.roll.take(), &mut self.builder) {
            builder.unplayed(place, player, roll);
        }
    }

    /// Reads a line. Returns false when a second match begins.
    fn line(&mut self, line: &str, place: FilePlace) -> bool {
        if line.trim().is_empty() {
            return true;
        }
        let Some((code, name, text)) = parts(line) else {
            let message = format!("'{}': expected 'code:name:text'", quote(line));
            self.match_builder.warnings.add(place, message);
            return true;
        };
        let player = if name == "You" || name == self.match_builder.record.players[1] {
            Player::Right
        } else {
            Player::Left
        };
        match code {
            8 => {
                if !self.match_builder.record.games.is_empty() || self.builder.is_some() {
                    let message = "another match begins here; it is not read";
                    self.match_builder.warnings.add(place, message);
                    return false;
                }
                let length = MatchLength::read(text);
                self.match_builder.record.length = length.points;
                self.match_builder.record.crawford = length.points > 0;
                if let Some(complaint) = length.complaint {
                    self.match_builder.warnings.add(place, complaint);
                }
            }
            13 => {
                self.end_game(place);
                let number = self.match_builder.record.games.len() as u32 + 1;
                self.builder = Some(self.match_builder.begin(place, number, None, None));
            }
            14 => self.score(name, text, place),
            _ => self.action(code, player, text, place),
        }
        true
    }

    /// Reads a score line after a game.
    fn score(&mut self, one: &str, other: &str, place: FilePlace) {
        let mut score = [None; 2];
        for (name, points) in [one, other].iter().filter_map(|s| s.rsplit_once('-')) {
            let owner = name == self.match_builder.record.players[1] || name == "You";
            score[usize::from(owner)] = points.trim().parse::<u16>().ok();
        }
        let next = match score {
            [Some(left), Some(right)] => Some([left, right]),
            _ => None,
        };
        self.unplayed(place);
        if let Some(builder) = self.builder.take() {
            self.match_builder.end(place, builder, next);
        }
    }

    fn action(&mut self, code: u32, player: Player, text: &str, place: FilePlace) {
        if self.builder.is_none() && code <= 15 && !matches!(code, 6 | 9 | 10) {
            let message = "something happens before a game has begun; it is not read";
            self.match_builder.warnings.add(place, message);
            return;
        }
        if matches!(code, 0 | 2..=5 | 7 | 11) {
            self.unplayed(place);
        }
        let Some(builder) = &mut self.builder else {
            return;
        };
        match code {
            0 | 11 => match text.parse::<Roll>() {
                Ok(roll) => self.roll = Some((player, roll)),
                Err(_) => builder.bad_dice(place, player, text),
            },
            1 => {
                let Some((_, roll)) = self.roll.take() else {
                    builder.warn(place, player, "plays without a roll");
                    return;
                };
                match steps(text) {
                    Some(written) => {
                        builder.roll(place, player, roll, &written, None);
                    }
                    None => builder.bad_play(place, player, roll, text),
                }
            }
            15 => {
                if let Some((_, roll)) = self.roll.take() {
                    builder.roll(place, player, roll, &WrittenPlay::default(), None);
                }
            }
            2 => builder.double(place, player),
            3 => {
                let points = text.chars().find_map(|c| c.to_digit(10)).unwrap_or(1);
                self.resigning = Some((player, points));
            }
            4 => match self.resigning.take() {
                Some((loser, size)) => {
                    let points = builder.cube.value * size.clamp(1, 3);
                    builder.resign(place, loser, Some(points));
                }
                None => builder.take(place, player),
            },
            5 => builder.pass(place, player),
            7 => builder.wins(place, player, text.parse().ok()),
            12 => self.resigning = None,
            _ => {}
        }
    }
}

/// Parses steps such as `24-22 bar-23 1-off`, in either direction.
pub(super) fn steps(text: &str) -> Option<WrittenPlay> {
    let mut steps: Vec<(u8, u8)> = Vec::new();
    let mut upwards = false;
    for entry in text.split([' ', ',']).filter(|entry| !entry.is_empty()) {
        // Some writers put all steps of a checker in one entry: 24-22-20.
        let mut places = entry.split(['-', '/']);
        let mut from = places.next()?;
        for to in places {
            let point = |text: &str| {
                let text = text.trim_end_matches('*');
                text.parse::<u8>().ok().filter(|p| (1..=24).contains(p))
            };
            let (bar, off) = (is(from, "bar"), is(to, "off") || is(to, "home"));
            let step = match (bar, off) {
                (true, _) => {
                    let to = point(to)?;
                    upwards |= to <= 12;
                    (if to <= 12 { 0 } else { 25 }, to)
                }
                (_, true) => {
                    let from = point(from)?;
                    upwards |= from > 12;
                    (from, if from > 12 { 25 } else { 0 })
                }
                _ => {
                    let (from, to) = (point(from)?, point(to)?);
                    upwards |= from < to;
                    (from, to)
                }
            };
            steps.push(step);
            from = to;
        }
        if steps.len() > 8 {
            return None;
        }
    }
    if upwards {
        for (from, to) in &mut steps {
            (*from, *to) = (25 - *from, 25 - *to);
        }
    }
    Some(WrittenPlay::of_steps(&steps))
}

fn is(text: &str, word: &str) -> bool {
    text.trim_end_matches('*').eq_ignore_ascii_case(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plays_of_both_directions() {
        let text = |steps_: &str| steps(steps_).map(|written| written.text());
        assert_eq!(text("24-22 13-10").as_deref(), Some("24/22 13/10"));
        assert_eq!(text("1-5 19-22").as_deref(), Some("24/20 6/3"));
        assert_eq!(text("bar-23 23-18").as_deref(), Some("bar/23 23/18"));
        assert_eq!(text("bar-4 17-20").as_deref(), Some("bar/21 8/5"));
        assert_eq!(text("1-off 6-off*").as_deref(), Some("1/off 6/off"));
        assert_eq!(text("24-off 20-off").as_deref(), Some("1/off 5/off"));
        assert_eq!(text("13-8-3*").as_deref(), Some("13/8 8/3"));
        assert_eq!(text("13-x"), None);
    }
}
