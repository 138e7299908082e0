//! The decisions of the document in view that can be studied.

use super::rolled_turns;
use crate::study::{StudyDecision, StudyPlace, decision, list};
use crate::tui::state::App;

/// The decisions that the filters of player and class let through, of turns whose review is done.
pub fn decisions(app: &App) -> Vec<StudyDecision> {
    let home = app.home();
    let turns = home.turns.iter().zip(&home.reviews).enumerate();
    let turns = turns.filter(|(i, _)| home.is_final[*i]);
    let reviewed = turns.filter_map(|(i, (turn, review))| Some((i, turn, review.as_ref()?)));
    let all = reviewed.flat_map(|(i, turn, review)| {
        let rolled = rolled_turns::rolled(&app.jobs, turn, review);
        let decisions = match &rolled {
            Some((review, rollouts)) => {
                decision::of_rolled_turn(&home.record, turn, review, rollouts)
            }
            None => decision::of_turn(&home.record, turn, review),
        };
        let note = home.notes.get(&turn.place());
        let has_rolled = turn.before.state.roll.is_some();
        decisions.into_iter().map(move |one| StudyDecision {
            place: Some(StudyPlace {
                file: None,
                turn: i,
                is_silent: has_rolled && one.state.roll.is_none(),
            }),
            ..one.with_note(note.map(String::as_str))
        })
    });
    let options = &app.options;
    let wanted = |one: &StudyDecision| {
        options.whose.is_none_or(|whose| whose == one.player)
            && options.class.is_none_or(|wanted| wanted.admits(one.class))
    };
    all.filter(wanted).collect()
}

/// What becomes a card for Anki: the errors of the match that is open that the filters let through and what the user
/// has written beside, or every position of a list.
pub fn card_decisions(app: &App) -> Vec<StudyDecision> {
    let home = app.home();
    if home.record.games.is_empty() {
        let whole = home.whole_list.as_ref().unwrap_or(&home.record);
        return list::decisions(whole, &home.title);
    }
    let least = app.least_error();
    let mut all = decisions(app);
    all.retain(|one| one.is_to_be_asked(least));
    all
}
