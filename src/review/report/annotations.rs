//! The annotations of a review's moves: the file's remarks, and the user's notes and variations.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::variation_lines::variation_lines;
use super::{GameReport, MoveReport, Report};
use crate::match_file::{EventPlace, Variations};
use crate::review::MatchTurn;
use crate::sanitize;

impl Report {
    /// Puts what the user has kept beside the moves, by game and event: notes and variations. `turns` are those that it
    /// was built of.
    pub fn annotate<'a>(
        &mut self,
        turns: impl IntoIterator<Item = &'a MatchTurn>,
        notes: &BTreeMap<EventPlace, String>,
        variations: &BTreeMap<EventPlace, Variations>,
    ) {
        let names = self.players.each_ref().map(|player| player.name.clone());
        let names = names.each_ref().map(String::as_str);
        let mut places = vec![0; self.games.len()];
        for turn in turns {
            let Some(index) = places.get_mut(turn.game) else {
                continue;
            };
            if let Some(one) = self.games[turn.game].moves.get_mut(*index) {
                let place = turn.place();
                let note = notes.get(&place);
                one.note = note.map(|text| sanitize::clean(text).into_owned());
                let tree = variations.get(&place).filter(|tree| !tree.is_empty());
                one.variations = tree.map(|tree| tree.leaves() as u32);
                let dice = turn.before.state.roll;
                one.variation_lines =
                    tree.map_or_else(Vec::new, |tree| variation_lines(tree, dice, names));
            }
            *index += 1;
        }
    }

    /// All lines that stand beside the moves, each with its game and its move.
    pub fn notes(&self) -> impl Iterator<Item = (&GameReport, &MoveReport, String)> {
        let moves = self
            .games
            .iter()
            .flat_map(|game| game.moves.iter().map(move |one| (game, one)));
        moves.flat_map(|(game, one)| one.beside().into_iter().map(move |line| (game, one, line)))
    }
}

impl MoveReport {
    /// Lines that the user has kept beside the move: the note, and the variations.
    pub fn kept(&self) -> Vec<String> {
        let lines = self.variation_lines.iter();
        let all = self.variations.map_or(0, |count| count as usize);
        let left = all.saturating_sub(lines.len());
        let left = (left > 0).then(|| format!("more variations: {left}"));
        let lines = lines.map(|line| format!("what if {line}"));
        self.note.iter().cloned().chain(lines).chain(left).collect()
    }

    /// The file's remark, unless it is the user's own note.
    pub(super) fn remark(&self) -> Option<Cow<'_, str>> {
        let remark = self.comment.as_deref().map(sanitize::clean);
        remark.filter(|text| self.note.as_deref() != Some(&**text))
    }

    /// All lines that stand beside the move: the file's remark, unless it is the user's note, which was
    /// written into the file; then what the user has kept.
    fn beside(&self) -> Vec<String> {
        let remark = self.remark().map(|text| format!("in the file: {text}"));
        remark.into_iter().chain(self.kept()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{PlayList, Roll};
    use crate::match_file::{Action, Comment, Match, read_bytes};
    use crate::notation::parse_play;
    use crate::review::report::{html, markdown, testing, text};
    use crate::review::turns;

    const MATCH: &[u8] = b" 3 point match\n Game 1\n Ann : 0   B<n : 0\n  \
        1) 62: 24/18 13/11              61: 13/7* 8/7\n";

    fn record() -> Match {
        read_bytes(MATCH, "x.mat").unwrap()
    }

    /// The match reviewed, with a remark beside the first move, a note beside it, and this tree.
    fn noted(remark: &str, note: &str, tree: Variations) -> Report {
        let mut record = record();
        record.comments = vec![Comment {
            game: 0,
            event: Some(0),
            text: remark.to_owned(),
        }];
        let mut report = testing::reviewed(&record, 0);
        let place = (0, 0);
        let notes = BTreeMap::from([(place, note.to_owned())]);
        report.annotate(&turns(&record), &notes, &BTreeMap::from([(place, tree)]));
        report
    }

    fn empty() -> Variations {
        Variations::at(record().decision_states(&record().games[0])[0])
    }

    /// `62: 24/18 13/11`, and behind it `61: 13/7* 8/7`.
    fn hit() -> Variations {
        let mut tree = empty();
        let mut parent = None;
        for (dice, play) in [("62", "24/18 13/11"), ("61", "13/7* 8/7")] {
            let roll: Roll = dice.parse().unwrap();
            let position = tree.after(parent).unwrap().state.position;
            let play = parse_play(play, &position, roll).unwrap();
            parent = Some(tree.add(parent, Action::Move { roll, play }).unwrap());
        }
        tree
    }

    #[test]
    fn all_remarks_of_a_move_are_told() {
        let mut record = record();
        record.comments = ["one", "two"]
            .map(|text| Comment {
                game: 0,
                event: Some(0),
                text: text.to_owned(),
            })
            .to_vec();
        let report = testing::reviewed(&record, 0);
        assert_eq!(
            report.games[0].moves[0].comment.as_deref(),
            Some("one\ntwo")
        );
    }

    #[test]
    fn remarks_notes_and_variations_are_items_of_their_own() {
        let report = noted("White is\n*better", "my | note", hit());
        let plain = text::write(&report, None);
        let place = "1.1 Ann 62 24/18 13/11";
        let expected = format!(
            "\nnotes\n{place}: in the file: White is *better\n{place}: my | note\n\
             {place}: what if 24/18 13/11; B<n 61 13/7* 8/7\n"
        );
        assert_has!(plain, &expected);
        let page = markdown::write(&report, None);
        let expected = format!(
            "\n## Notes\n\n- **{place}** in the file: White is \\*better\n\
             - **{place}** my \\| note\n\
             - **{place}** what if 24/18 13/11; B&lt;n 61 13/7\\* 8/7\n"
        );
        assert_has!(page, &expected);
        let page = html::write(&report, None);
        let own = "my | note\nwhat if 24/18 13/11; B&lt;n 61 13/7* 8/7</div>";
        assert_has!(page, own);
    }

    /// A note that was written into the file is no remark of somebody else.
    #[test]
    fn a_note_that_is_in_the_file_stands_once() {
        let report = noted("too loose", "too loose", empty());
        let plain = text::write(&report, None);
        assert_eq!(plain.matches("too loose").count(), 1, "{plain}");
        let page = html::write(&report, None);
        assert_eq!(page.matches("too loose").count(), 1, "{page}");
        assert_lacks!(plain, "in the file", "what if");
    }

    #[test]
    fn of_many_variations_the_first_are_printed() {
        let (mut tree, mut list) = (empty(), PlayList::new());
        let position = tree.root().state.position;
        for dice in ["62", "43"] {
            let roll: Roll = dice.parse().unwrap();
            list.generate(&position, roll);
            for &play in list.plays() {
                tree.add(None, Action::Move { roll, play }).unwrap();
            }
        }
        let leaves = tree.leaves();
        assert!(leaves > 21, "{leaves}");
        let report = noted("", "note", tree);
        let kept = report.games[0].moves[0].kept();
        assert_eq!(kept.len(), 22);
        let left = format!("more variations: {}", leaves - 20);
        assert_eq!(kept.last(), Some(&left));
    }
}
