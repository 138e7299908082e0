//! The positions of a list as decisions. Nobody has made them, so what is right is what their analysis says.

use super::decision::{StudyDecision, StudyPlace};
use crate::game::GameState;
use crate::match_file::Match;

/// What is to be decided in the positions of a file without games, in their order. `name` is what the list is called.
/// The note of a decision is what the author of the list wrote beside its position.
pub fn decisions(record: &Match, name: &str) -> Vec<StudyDecision> {
    let all = record.lone_positions().enumerate();
    let asked = all.filter(|(_, one)| is_decision(&one.state));
    let decision = asked.map(|(index, one)| {
        let place = match one.line {
            0 => format!("position {}", index + 1),
            line => format!("line {line}"),
        };
        let place_in_list = StudyPlace {
            file: None,
            turn: index,
            is_silent: false,
        };
        StudyDecision {
            place: Some(place_in_list),
            ..StudyDecision::of_position(one.state, format!("{name}, {place}"))
                .with_note(one.comment.as_deref())
        }
    });
    decision.collect()
}

/// Whether a quiz can ask what is to be done: how dice are played, whether to double, whether to take.
fn is_decision(state: &GameState) -> bool {
    let is_asked = state.roll.is_some() || state.doubled || state.may_double();
    is_asked && !state.position.is_over()
}
