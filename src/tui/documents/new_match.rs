//! Settings of a new match that is played or transcribed, and their typed form.

use super::played_match::{PROGRAM, RATING, SEED, YOU, person_of, rating_of};
use super::tutor;
use crate::game::Rules;
use crate::match_file::Match;
use crate::match_file::mat::write::NAME_BYTES;
use crate::notation::LONGEST_MATCH;
use crate::review::rated_player::WEAKEST;

/// Typed to continue the match against the program that was left, or the displayed transcript.
pub const GO_ON: &str = "go on";
/// Typed to correct the displayed match, from the displayed turn.
pub const CORRECT: &str = "correct";

/// Best performance rating that the program can imitate.
const BEST: f64 = 1.0;

/// Settings of a new match.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewMatch {
    /// Match length in points, 0 for money.
    pub length: u16,
    /// The person's name; in a transcript, the left player's.
    pub name: String,
    /// The right player's name in a transcript.
    pub other: String,
    /// Seed of the dice.
    pub seed: u64,
    /// Performance rating of the program; `None` for its full strength.
    pub rating: Option<f64>,
    /// Whether the tutor starts switched on.
    pub has_tutor: bool,
    /// The money rules, and whether a match has the Crawford rule.
    pub rules: Rules,
    /// Whether it is a transcript, without seed and program.
    pub is_transcribed: bool,
}

impl NewMatch {
    /// Default match length.
    pub const LENGTH: u16 = 7;

    /// A match of default length for an unnamed person.
    pub fn usual(seed: u64) -> Self {
        Self {
            length: Self::LENGTH,
            name: YOU.to_owned(),
            seed,
            ..Self::default()
        }
    }

    /// A transcript of default length between unnamed players.
    pub fn transcript() -> Self {
        let [name, other] = Match::UNNAMED.map(str::to_owned);
        Self {
            length: Self::LENGTH,
            name,
            other,
            is_transcribed: true,
            ..Self::default()
        }
    }

    /// Removes the Crawford rule if the program was started without it.
    pub fn in_session(mut self, has_crawford: bool) -> Self {
        self.rules.no_crawford |= !has_crawford;
        self
    }

    /// A match with length, rules, name, opponent and tutor of a former one.
    pub fn like(record: &Match, seed: u64) -> Self {
        Self {
            length: record.length,
            name: record.players[person_of(record).index()].clone(),
            seed,
            rating: rating_of(record).map(|rating| rating.clamp(BEST, WEAKEST)),
            has_tutor: tutor::has_tutor(record),
            rules: record.rules_in_force(),
            ..Self::default()
        }
    }

    /// The settings of a match against the program as text, which [`Self::with_terms`] reads.
    pub fn terms(&self) -> String {
        let is_money = self.length == 0;
        let mut words = vec![match is_money {
            true => "money".to_owned(),
            false => self.length.to_string(),
        }];
        words.extend(self.rating.map(|rating| rating.to_string()));
        let named = [
            (is_money && self.rules.jacoby, "jacoby"),
            (is_money && self.rules.beavers, "beavers"),
            (self.has_tutor, "tutor"),
        ];
        let named = named.into_iter().filter(|(is_so, _)| *is_so);
        words.extend(named.map(|(_, word)| word.to_owned()));
        words.join(" ")
    }

    /// Reads typed settings of a match against the program: the length or `money`, then in any order and case the
    /// program's rating, `tutor`, and for money `jacoby` and `beavers`. Whatever is not typed is off.
    ///
    /// # Errors
    /// The expected input.
    pub fn with_terms(self, typed: &str) -> Result<Self, String> {
        let typed = typed.to_lowercase();
        let mut words = typed.split_whitespace();
        let length = words.next().and_then(read_length);
        let mut new = Self {
            length: length.ok_or_else(|| expected("7 12 tutor"))?,
            rating: None,
            has_tutor: false,
            rules: Rules {
                no_crawford: self.rules.no_crawford,
                ..Rules::default()
            },
            ..self
        };
        for word in words {
            match word {
                "tutor" => new.has_tutor = true,
                "jacoby" => new.rules.jacoby = true,
                "beavers" => new.rules.beavers = true,
                _ => {
                    let rating = read_rating(word).map_err(|_| no_term(word))?;
                    if new.rating.replace(rating).is_some() {
                        return Err("the program plays at one PR: 7 12".to_owned());
                    }
                }
            }
        }
        match new.length > 0 && (new.rules.jacoby || new.rules.beavers) {
            true => Err("jacoby and beavers are for money play: money jacoby".to_owned()),
            false => Ok(new),
        }
    }

    /// Reads the typed length and names of a transcript, such as `11 Anna, Ben`: the left player first. An omitted
    /// name stays unchanged.
    ///
    /// # Errors
    /// The expected input.
    pub fn with_names(self, typed: &str) -> Result<Self, String> {
        let typed = typed.trim();
        let (length, names) = typed.split_once(char::is_whitespace).unwrap_or((typed, ""));
        let length = read_length(length).ok_or_else(|| expected("11 Anna, Ben"))?;
        let names: Vec<&str> = names.split(',').map(str::trim).collect();
        let [name, other] = match names[..] {
            [""] => ["", ""],
            [name, other] => [name, other],
            _ => return Err("expected two names with a comma between: 11 Anna, Ben".to_owned()),
        };
        check_name(name)?;
        check_name(other)?;
        let named = |typed: &str, usual: String| match typed {
            "" => usual,
            typed => typed.to_owned(),
        };
        Ok(Self {
            length,
            name: named(name, self.name),
            other: named(other, self.other),
            ..self
        })
    }

    /// Builds the match without any game events.
    pub fn record(self) -> Match {
        if self.is_transcribed {
            return Match::to_be_played(self.length, [self.name, self.other], self.rules);
        }
        let players = [self.name, PROGRAM.to_owned()];
        let mut record = Match::to_be_played(self.length, players, self.rules);
        let mut set = |key: &str, value: String| record.tags.push((key.to_owned(), value));
        set(SEED, self.seed.to_string());
        if let Some(rating) = self.rating {
            set(RATING, rating.to_string());
        }
        if self.has_tutor {
            set(tutor::TUTOR, tutor::ON.to_owned());
        }
        record
    }
}

/// The message for a missing length, with an example.
fn expected(example: &str) -> String {
    format!("expected a length up to {LONGEST_MATCH}, or money for 0, such as 7 or {example}")
}

/// The message for an unknown word after the length.
fn no_term(word: &str) -> String {
    format!(
        "expected a PR from {BEST} to {WEAKEST}, tutor, or for money jacoby, beavers: not '{word}'"
    )
}

/// Parses a length: 0 for money; `None` if invalid.
fn read_length(word: &str) -> Option<u16> {
    match word.eq_ignore_ascii_case("money") {
        true => Some(0),
        false => word.parse().ok().filter(|length| *length <= LONGEST_MATCH),
    }
}

/// Parses a performance rating within the program's range.
///
/// # Errors
/// The valid range.
pub fn read_rating(text: &str) -> Result<f64, String> {
    let rating = text.parse().ok();
    let rating = rating.filter(|rating| (BEST..=WEAKEST).contains(rating));
    rating.ok_or_else(|| format!("'{text}' is no rating from {BEST} to {WEAKEST}"))
}

/// Refuses a name that exceeds the limit of match text.
///
/// # Errors
/// The maximum length.
pub fn check_name(name: &str) -> Result<(), String> {
    match name.trim().len() > NAME_BYTES {
        false => Ok(()),
        true => Err(format!(
            "a name in a .mat file has at most {NAME_BYTES} bytes"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_names_are_read() {
        let new = NewMatch::transcript().with_names("11 Anna, Ben").unwrap();
        assert_eq!((new.length, &*new.name, &*new.other), (11, "Anna", "Ben"));
    }

    #[test]
    fn typed_terms_are_read() {
        let new = NewMatch::usual(1).with_terms("3 tutor 4.5").unwrap();
        assert_eq!(
            (new.length, new.rating, new.has_tutor),
            (3, Some(4.5), true)
        );
        assert!(NewMatch::usual(1).with_terms("3 jacoby").is_err());
    }

    #[test]
    fn terms_are_length_rating_and_tutor() {
        let new = NewMatch {
            rating: Some(12.0),
            has_tutor: true,
            ..NewMatch::usual(1)
        };
        assert_eq!(new.terms(), "7 12 tutor");
    }

    #[test]
    fn terms_are_read_as_they_are_written() {
        for terms in [
            "7",
            "3 12",
            "25 4.5 tutor",
            "1 tutor",
            "money",
            "money 30 jacoby beavers tutor",
        ] {
            let new = NewMatch::usual(7).with_terms(terms).unwrap();
            assert_eq!(new.terms(), terms);
            let again = NewMatch::like(&new.clone().record(), 7);
            assert_eq!(again, new, "{terms}");
        }
        let money = NewMatch::usual(7).with_terms(" 0  TUTOR Jacoby ").unwrap();
        assert_eq!(money.terms(), "money jacoby tutor");
    }

    /// Settings of the former match are not kept unless typed.
    #[test]
    fn what_is_not_typed_is_not_so() {
        let before = NewMatch {
            name: "Anna".into(),
            ..NewMatch::usual(7)
                .with_terms("money 12 jacoby tutor")
                .unwrap()
        };
        let new = before.with_terms("5").unwrap().in_session(false);
        let expected = NewMatch {
            length: 5,
            name: "Anna".into(),
            seed: 7,
            rules: Rules {
                no_crawford: true,
                ..Rules::default()
            },
            ..NewMatch::default()
        };
        assert_eq!(new, expected);
    }

    #[test]
    fn wrong_terms_say_what_was_expected() {
        for (typed, why) in [
            ("", "expected a length up to 9998, or money"),
            ("seven", "expected a length"),
            ("-3", "expected a length"),
            ("9999", "expected a length"),
            ("tutor", "expected a length"),
            (
                "7 31",
                "a PR from 1 to 30, tutor, or for money jacoby, beavers: not '31'",
            ),
            ("7 0.5", "expected a PR from 1 to 30"),
            ("7 nan", "expected a PR from 1 to 30"),
            ("7 10 12", "at one PR"),
            ("7 beavers", "for money play"),
        ] {
            let said = NewMatch::usual(7).with_terms(typed).unwrap_err();
            assert!(said.contains(why), "{typed}: {said}");
        }
    }

    #[test]
    fn names_of_a_transcript_have_a_comma_between() {
        let names = |typed| {
            let new = NewMatch::transcript().with_names(typed)?;
            Ok::<_, String>((new.length, new.record().players))
        };
        let [first, second] = Match::UNNAMED;
        for (typed, length, players) in [
            ("7", 7, [first, second]),
            ("Money", 0, [first, second]),
            ("11 Anna Lee,Ben ", 11, ["Anna Lee", "Ben"]),
            ("5 , Ben", 5, [first, "Ben"]),
            ("5 Anna,", 5, ["Anna", second]),
        ] {
            let players = players.map(str::to_owned);
            assert_eq!(names(typed), Ok((length, players)), "{typed}");
        }
        for (typed, why) in [
            ("", "such as 7 or 11 Anna, Ben"),
            ("Anna, Ben", "expected a length"),
            ("11 Anna Ben", "a comma between"),
            ("11 Lee, Anna, Ben", "a comma between"),
            (
                "11 Anna, Bénédicte of the very long name",
                "at most 31 bytes",
            ),
        ] {
            let said = names(typed).unwrap_err();
            assert!(said.contains(why), "{typed}: {said}");
        }
    }
}
