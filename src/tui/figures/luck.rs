//! The luck of a roll: one figure wherever it is shown, of the deepest look at the other rolls.

use crate::analysis::RollRank;
use crate::game::{GameState, Roll};
use crate::tui::rollouts::inquiry::Inquiry;
use crate::tui::state::App;

/// Returns the luck of the roll of a decision by the table of all rolls, and the plies behind it; `None` before the
/// table was asked for. The luck of the first roll of a game includes that of beginning, which is in no table.
pub fn by_table(app: &App, state: &GameState) -> Option<(RollRank, u8)> {
    let roll = state.roll?;
    let inquiry = Inquiry::Rolls {
        state: *state,
        is_first_roll: false,
    };
    let table = app.inquiries.about(&inquiry)?.rolls.as_ref()?;
    let mut values = Roll::ALL.map(|_| f32::NAN);
    for one in &table.rolls {
        values[one.roll.index()] = one.points;
    }
    Some((RollRank::among(&values, roll), table.ply))
}
