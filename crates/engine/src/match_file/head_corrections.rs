//! Corrections to the head of a match that is missing in the file or wrong.

use super::Match;
use super::tag::{DATE, EVENT, PLACE, ROUND};
use crate::game::Rules;

/// Corrections by the user. `None` leaves the file's value unchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeadCorrections {
    /// Names of the left and of the right player.
    pub players: [Option<String>; 2],
    /// The date, as `2026-11-20`.
    pub date: Option<String>,
    pub event: Option<String>,
    pub round: Option<String>,
    pub place: Option<String>,
    /// Money games are played by the Jacoby rule.
    pub jacoby: Option<bool>,
    /// Money games allow beavers.
    pub beavers: Option<bool>,
}

impl HeadCorrections {
    /// Returns whether a rule of money play is corrected.
    pub fn are_of_money_rules(&self) -> bool {
        self.jacoby.is_some() || self.beavers.is_some()
    }

    /// Corrects a match. Rules of money play are corrected only in money sessions and money positions.
    pub fn apply_to(&self, record: &mut Match) {
        for (i, name) in self.players.iter().enumerate() {
            if let Some(name) = name {
                record.players[i].clone_from(name);
                // A server's tag may contain another name of the same player.
                record.remove_tags(&[["Player 1", "Player 2"][i]]);
            }
        }
        set_tag(record, DATE, self.date.as_ref());
        set_tag(record, EVENT, self.event.as_ref());
        set_tag(record, ROUND, self.round.as_ref());
        set_tag(record, PLACE, self.place.as_ref());
        if record.length == 0 {
            self.correct_rules(&mut record.rules);
            if self.jacoby.is_some() {
                record.count_results();
            }
            // The corrected rules replace the tags.
            let corrected = [(self.jacoby, "Jacoby"), (self.beavers, "Beaver")];
            let corrected = corrected.into_iter().filter(|(rule, _)| rule.is_some());
            corrected.for_each(|(_, tag)| record.remove_tags(&[tag]));
        }
        let alone = record.positions.iter_mut().map(|one| &mut one.state);
        for state in alone.filter(|state| state.score.is_money()) {
            self.correct_rules(&mut state.rules);
        }
    }

    fn correct_rules(&self, rules: &mut Rules) {
        rules.jacoby = self.jacoby.unwrap_or(rules.jacoby);
        rules.beavers = self.beavers.unwrap_or(rules.beavers);
    }
}

/// Sets the first of these names of a tag to `value` and removes the others; an empty value removes the tag.
fn set_tag(record: &mut Match, names: &[&str], value: Option<&String>) {
    if let Some(value) = value {
        record.remove_tags(names);
        let is_there = !value.trim().is_empty();
        let tag = is_there.then(|| (names[0].to_owned(), value.clone()));
        record.tags.extend(tag);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::match_file::write::Target;
    use crate::match_file::{json, read_bytes};

    fn session() -> Match {
        let text = "; [Date \"2020.01.02\"]\n 0 point match\n\n Game 1\n Me : 0   You : 0\n  1) 31: 8/5 6/5\n";
        read_bytes(text.as_bytes(), "session.mat").unwrap()
    }

    #[test]
    fn corrections_replace_the_head_of_the_file() {
        let mut record = session();
        let corrections = HeadCorrections {
            players: [Some("Ann".to_owned()), None],
            date: Some("2026-11-20".to_owned()),
            event: Some("Club night".to_owned()),
            place: Some("Bath".to_owned()),
            jacoby: Some(true),
            ..HeadCorrections::default()
        };
        corrections.apply_to(&mut record);
        for target in [Target::Mat, Target::Json, Target::Sgf] {
            let text = target.write(&record);
            let again = read_bytes(text.as_bytes(), "again").unwrap();
            assert_eq!(again.players, ["Ann", "You"]);
            assert!(again.rules.jacoby && again.rules.beavers == (target == Target::Sgf));
            let tag = |name: &str| {
                let mut tags = again.tags.iter().filter(|(key, _)| key == name);
                let found = tags.next().map(|(_, value)| value.as_str());
                assert!(tags.next().is_none());
                found
            };
            assert_eq!(tag("EventDate"), Some("2026-11-20"), "{}", again.format);
            assert_eq!(tag("Event"), Some("Club night"));
            assert_eq!(tag("Place"), Some("Bath"));
            assert!(tag("Date").is_none());
        }
    }

    /// The date is found under any name of its tag.
    #[test]
    fn the_day_of_a_file_is_shown() {
        let head = crate::match_file::MatchSummary::new(&session()).head;
        assert_eq!(head, ["2020.01.02", "money"]);
    }

    #[test]
    fn no_corrections_change_nothing_and_a_match_has_no_money_rules() {
        let mut record = session();
        HeadCorrections::default().apply_to(&mut record);
        assert_eq!(json::write(&record), json::write(&session()));
        record.length = 5;
        let before = json::write(&record);
        let rules = HeadCorrections {
            jacoby: Some(true),
            ..HeadCorrections::default()
        };
        assert!(rules.are_of_money_rules());
        rules.apply_to(&mut record);
        assert_eq!(json::write(&record), before);
    }
}
