//! The positions of a list as decisions. Nobody has made them, so what is right is what their analysis says.

use super::decision::{StudyDecision, StudyPlace};
use crate::game::GameState;
use crate::match_file::Match;

/// Returns the decisions in the positions of a file without games, in their order. `name` is the list's name.
/// The note of a decision is the remark of the list's author on its position.
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

/// Returns whether a quiz can ask about the state: how to play the dice, whether to double, whether to take.
fn is_decision(state: &GameState) -> bool {
    let is_asked = state.roll.is_some() || state.doubled || state.may_double();
    is_asked && !state.position.is_over()
}
