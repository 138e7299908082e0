//! Reads games of the server FIBS (`oldmoves`): a score, the names of X and O, then a line per action. One
//! side numbers its points upwards. X and O, and with them the score, may be exchanged from game to game.

use super::builder::{GameBuilder, MatchBuilder, name};
use super::javafibs::steps;
use super::length::MatchLength;
use super::model::Match;
use super::text::{Text, quote};
use super::warnings::FilePlace;
use crate::game::{Player, Roll};
use crate::notation::WrittenPlay;

/// The score line of a game: printed points of X and O, and the length of the match.
#[derive(Clone)]
struct Score {
    points: [u16; 2],
    length: MatchLength,
    place: FilePlace,
}

/// Reads the games of one match.
///
/// # Errors
/// A message about the missing part.
pub(super) fn read(text: &Text) -> Result<Match, &'static str> {
    let mut reader = Reader::default();
    for (line, number) in text.lines.iter().zip(1..) {
        if !reader.line(line.trim(), FilePlace::line(number, 1)) {
            break;
        }
    }
    reader.end_game(FilePlace::line(text.lines.len() as u32, 1), None);
    let record = reader.match_builder.map(MatchBuilder::finish);
    record
        .filter(|record| !record.games.is_empty())
        .ok_or("there is no game: expected a line 'anna is X - ben is O' behind the score")
}

/// Parses `Score is 1-2 in a 7 point match.`
fn score(line: &str, place: FilePlace) -> Option<Score> {
    let rest = line.strip_prefix("Score is ")?;
    let mut words = rest.split([' ', '-']);
    let mut number = || words.next()?.parse::<u16>().ok();
    let points = [number()?, number()?];
    let length = rest
        .split_once(" in a ")
        .and_then(|(_, rest)| Some(MatchLength::read(rest.split(' ').next()?)));
    Some(Score {
        points,
        length: length.unwrap_or_default(),
        place,
    })
}

/// Parses `anna is X - ben is O` into the names of X and of O.
fn players(line: &str) -> Option<[String; 2]> {
    let (first, second) = line.split_once(" - ")?;
    let side = |text: &str, sign: &str| text.trim().strip_suffix(sign).map(str::to_owned);
    let pair = |x: &str, o: &str| Some([side(x, " is X")?, side(o, " is O")?]);
    pair(first, second.trim_end_matches('.')).or_else(|| pair(second.trim_end_matches('.'), first))
}

#[derive(Default)]
struct Reader {
    match_builder: Option<MatchBuilder>,
    builder: Option<GameBuilder>,
    score: Option<Score>,
    /// The player with X.
    x: Option<Player>,
    resigning: Option<Player>,
}

impl Reader {
    fn end_game(&mut self, place: FilePlace, next: Option<[u16; 2]>) {
        self.resigning = None;
        if let (Some(builder), Some(match_builder)) = (self.builder.take(), &mut self.match_builder)
        {
            match_builder.end(place, builder, next);
        }
    }

    /// Reads a line. Returns false when another match begins.
    fn line(&mut self, line: &str, place: FilePlace) -> bool {
        if line.is_empty() {
            return true;
        }
        if let Some(score) = score(line, place) {
            self.score = Some(score);
            return true;
        }
        if let (Some(names), Some(score)) = (players(line), self.score.clone()) {
            return self.begin(&names, &score, place);
        }
        let sign = line
            .split_once(':')
            .filter(|(sign, _)| matches!(*sign, "X" | "O"));
        match (sign, self.x) {
            (Some((sign, action)), Some(x)) => {
                let player = if sign == "X" { x } else { x.other() };
                self.action(player, action.trim(), place);
            }
            _ => {
                if let Some(match_builder) = &mut self.match_builder {
                    let message = format!(
                        "'{}' is not understood: expected a line such as 'X: (3 1) 8-5 6-5'",
                        quote(line)
                    );
                    match_builder.warnings.add(place, message);
                }
            }
        }
        true
    }

    fn begin(&mut self, names: &[String; 2], score: &Score, place: FilePlace) -> bool {
        let length = score.length.points;
        let match_builder = self.match_builder.get_or_insert_with(|| {
            let mut match_builder = MatchBuilder::new(Match {
                format: "fibs",
                length,
                crawford: length > 0,
                players: [
                    name(&names[0], Player::Left),
                    name(&names[1], Player::Right),
                ],
                ..Match::default()
            });
            if let Some(complaint) = &score.length.complaint {
                match_builder.warnings.add(score.place, complaint);
            }
            match_builder
        });
        let record = &match_builder.record;
        let x = if name(&names[0], Player::Left) == record.players[0] {
            Player::Left
        } else {
            Player::Right
        };
        let strangers = [x, x.other()]
            .iter()
            .zip(names)
            .any(|(player, text)| name(text, *player) != record.players[player.index()]);
        if strangers || length != record.length {
            let message = "another match begins here; it is not read";
            match_builder.warnings.add(place, message);
            return false;
        }
        let mut points = score.points;
        if x == Player::Right {
            points.reverse();
        }
        // The score is sometimes printed in reverse: use the order that can follow the score before.
        let before = self.builder.as_ref().map(|builder| builder.game.score);
        let grown = |points: [u16; 2]| {
            before.is_none_or(|before| {
                let same = [0, 1].map(|i| points[i] == before[i]);
                points[0] >= before[0] && points[1] >= before[1] && same[0] != same[1]
            })
        };
        let flipped = [points[1], points[0]];
        if !grown(points) && grown(flipped) {
            points = flipped;
        }
        self.end_game(place, grown(points).then_some(points));
        let Some(match_builder) = &mut self.match_builder else {
            return false;
        };
        let number = match_builder.record.games.len() as u32 + 1;
        self.builder = Some(match_builder.begin(place, number, Some(points), None));
        self.x = Some(x);
        self.score = None;
        true
    }

    fn action(&mut self, player: Player, text: &str, place: FilePlace) {
        let Some(builder) = &mut self.builder else {
            return;
        };
        if let Some(rest) = text.strip_prefix('(') {
            let (dice, play) = rest.split_once(')').unwrap_or((rest, ""));
            let Ok(roll) = dice.parse::<Roll>() else {
                builder.bad_dice(place, player, dice);
                return;
            };
            let play = play.trim().trim_end_matches('.');
            let dance = play.is_empty() || play.to_ascii_lowercase().contains("can't move");
            let written = if dance {
                Some(WrittenPlay::default())
            } else {
                steps(play)
            };
            match written {
                Some(written) => {
                    builder.roll(place, player, roll, &written, None);
                }
                None => builder.bad_play(place, player, roll, play),
            }
            return;
        }
        let lower = text.trim_end_matches('.').to_ascii_lowercase();
        if lower.starts_with("doubles") || lower.starts_with("redoubles") {
            builder.double(place, player);
        } else if lower.starts_with("beaver") {
            builder.beaver(place, player);
        } else if lower.starts_with("raccoon") {
            builder.raccoon(place, player);
        } else if lower.starts_with("accept") {
            match self.resigning.take() {
                Some(loser) => builder.resign(place, loser, None),
                None => builder.take(place, player),
            }
        } else if lower.starts_with("reject") {
            if self.resigning.take().is_none() {
                builder.pass(place, player);
            }
        } else if lower.contains("resign") {
            self.resigning = Some(player);
        } else if lower.starts_with("wins") {
            let points = lower.split_whitespace().find_map(|word| word.parse().ok());
            builder.wins(place, player, points);
        } else {
            let message = format!("'{}' is not understood", quote(text));
            builder.warn(place, player, &message);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn head_lines() {
        let points = |line: &str| {
            let score = score(line, FilePlace::line(1, 1)).unwrap();
            (score.points, score.length.points)
        };
        assert_eq!(points("Score is 1-2 in a 7 point match."), ([1, 2], 7));
        assert_eq!(points("Score is 3-0 in an unlimited match."), ([3, 0], 0));
        assert_eq!(
            players("anna is X - ben_2 is O"),
            Some(["anna".to_owned(), "ben_2".to_owned()])
        );
        assert_eq!(
            players("ben is O - anna is X."),
            Some(["anna".to_owned(), "ben".to_owned()])
        );
        assert_eq!(players("X: doubles"), None);
    }
}
