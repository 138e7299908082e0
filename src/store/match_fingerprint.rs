//! Identifies a match.
//!
//! A match is identified by its beginning: its length, and the positions and rolls of its first thirty turns, or
//! fewer if it is shorter. No two matches share these, and they are the same in every file format and under other
//! player names. Notes written while the match had fewer turns are found by the shorter beginning unless newer ones
//! exist. Beginnings shorter than eight turns are common, and identify a match only together with the players' names.

use std::hash::{Hash, Hasher};

use sha2::{Digest as _, Sha256};

use crate::game::GameState;
use crate::library::names::fold;
use crate::match_file::Match;
use crate::notation::gnubg_id::full_id;
use crate::notation::xgid_text;

/// Number of turns that identify a match.
const BEGINNING: usize = 30;
/// From this number of turns on, players' names are not part of the mark.
pub(super) const OPENING: usize = 8;

/// Identity of a match; see the [module](self). Records with the same first turns are equal, from `OPENING`
/// turns on whatever the players are called. A longer record continues a shorter one.
#[derive(Clone, Debug)]
pub struct MatchFingerprint {
    pub(super) mark: String,
    /// Its marks when it had fewer turns, the longest beginning first.
    shorter: Vec<String>,
    /// Marks of short beginnings without names, used by earlier versions, the longest first.
    pub(super) former: Vec<String>,
}

impl PartialEq for MatchFingerprint {
    fn eq(&self, other: &Self) -> bool {
        self.mark == other.mark
    }
}

impl Eq for MatchFingerprint {}

impl Hash for MatchFingerprint {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.mark.hash(state);
    }
}

impl MatchFingerprint {
    /// The fingerprint of a match.
    pub fn of(record: &Match) -> Self {
        let mut digest = Sha256::new();
        let mut marks = Vec::new();
        let mut names = record.players.each_ref().map(|name| fold(name));
        names.sort();
        let names = serde_json::to_string(&names).unwrap_or_default();
        let mut former = Vec::new();
        // The mark of a beginning of `turns` turns.
        let mut mark = |turns: usize, digest: &Sha256| {
            let mut digest = digest.clone();
            if turns < OPENING {
                former.push(format!("{:x}", digest.clone().finalize()));
                digest.update(&names);
            }
            format!("{:x}", digest.finalize())
        };
        digest.update(record.length.to_le_bytes());
        let decisions = record
            .games
            .iter()
            .flat_map(|game| record.decision_states(game));
        let rolled = decisions.filter(|decision| decision.state.roll.is_some());
        for decision in rolled.take(BEGINNING) {
            // Positions, not plays: programs write the steps of a play differently.
            let alone = GameState {
                roll: decision.state.roll,
                ..GameState::money(decision.state.position)
            };
            // A money position always has an ID.
            digest.update(full_id(&alone).unwrap_or_default());
            marks.push(mark(marks.len() + 1, &digest));
        }
        let whole = marks.pop().unwrap_or_else(|| mark(0, &digest));
        marks.reverse();
        former.reverse();
        Self {
            former,
            mark: whole,
            shorter: marks,
        }
    }

    /// The fingerprint of a standalone position, whatever its dice.
    pub fn of_position(state: &GameState) -> Self {
        let state = state.before_roll();
        let mut digest = Sha256::new();
        digest.update("position ");
        digest.update(xgid_text(&state));
        Self {
            mark: format!("{:x}", digest.finalize()),
            shorter: Vec::new(),
            former: Vec::new(),
        }
    }

    /// Returns whether this is the same match as `other` or a continuation of it.
    pub fn continues(&self, other: &Self) -> bool {
        self.marks().any(|mark| *mark == other.mark)
    }

    /// Returns whether everything stored under `other` is found under this fingerprint.
    pub fn finds_all_of(&self, other: &Self) -> bool {
        let mut all = other.marks();
        all.all(|one| self.marks().any(|mark| mark == one))
    }

    /// The mark, then those of shorter beginnings.
    pub(super) fn marks(&self) -> impl DoubleEndedIterator<Item = &String> {
        std::iter::once(&self.mark).chain(&self.shorter)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::path::Path;

    use super::*;
    use crate::match_file;

    pub(crate) fn sample() -> Match {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/sample_matches/");
        let path = format!("{folder}anna-ben-7pt.mat");
        match_file::read(Path::new(&path)).unwrap()
    }

    /// The sample match cut after `events` events of its first game.
    pub(crate) fn beginning(events: usize) -> Match {
        let mut record = sample();
        record.games.truncate(1);
        record.games[0].events.truncate(events);
        record
    }

    /// Many matches share their first turns.
    #[test]
    fn a_few_turns_are_of_one_match_with_the_names_of_its_players() {
        let fingerprint = |events: usize, players: [&str; 2]| {
            let mut record = beginning(events);
            record.players = players.map(str::to_owned);
            MatchFingerprint::of(&record)
        };
        let names = ["Anna", "Ben"];
        for events in [0, 1, 7] {
            let one = fingerprint(events, names);
            assert_eq!(one, fingerprint(events, ["ben", " ANNA"]));
            assert_ne!(one, fingerprint(events, ["Xaver", "Yvonne"]));
        }
        let [short, long] = [1, 12].map(|events| fingerprint(events, names));
        let other = fingerprint(12, ["Xaver", "Yvonne"]);
        assert!(long == other && long.continues(&short) && !other.continues(&short));
        assert!(long.finds_all_of(&short) && !other.finds_all_of(&long));
    }

    #[test]
    fn a_match_is_the_same_in_other_formats_and_as_it_goes_on() {
        let record = sample();
        let mark = MatchFingerprint::of(&record);
        let again = match_file::sgf::write::write(&record);
        let again = match_file::read_bytes(again.as_bytes(), "x.sgf").unwrap();
        assert_eq!(MatchFingerprint::of(&again), mark);
        let mut renamed = record.clone();
        renamed.players = ["x".into(), "y".into()];
        renamed.games.pop();
        assert_eq!(MatchFingerprint::of(&renamed), mark);
        let mut other = record.clone();
        other.games[0].events.remove(2);
        assert_ne!(MatchFingerprint::of(&other), mark);
    }
}
