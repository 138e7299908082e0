//! Describes a position in words, for a screen reader: one sentence per side, with the side's own numbers.

use super::play::dice;
use crate::game::position::BAR;
use crate::game::{CubeOwner, GameState, Side};

/// Describes the position, the score, the cube, and the dice or the double, seen by the player to decide.
/// `names`: this player and the opponent.
pub fn spoken(state: &GameState, names: [&str; 2]) -> String {
    let position = &state.position;
    let [own, other] = names;
    let mut words = vec![
        format!("{own}: {}.", side(&position.mover)),
        format!("{other}: {}.", side(&position.opponent)),
    ];
    if let Some((own_away, other_away)) = state.score.away() {
        words.push(format!(
            "{own} needs {own_away}, {other} needs {other_away}."
        ));
    }
    if state.score.crawford {
        words.push("Crawford game.".to_owned());
    }
    let owner = match state.owner {
        CubeOwner::Centred => "in the middle".to_owned(),
        CubeOwner::Mover => format!("with {own}"),
        CubeOwner::Opponent => format!("with {other}"),
    };
    words.push(format!("Cube {} {owner}.", state.cube));
    if state.doubled {
        let to = state.cube.saturating_mul(2);
        words.push(format!("{other} doubles to {to}, {own} is to answer."));
    }
    if let Some(roll) = state.roll {
        words.push(format!("{} to play.", dice(roll)));
    }
    words.join(" ")
}

/// Describes a side: `6 on the 24 point, 1 on the bar, 3 off, 130 pips`.
fn side(side: &Side) -> String {
    let mut words = Vec::new();
    match side.bar() {
        0 => {}
        n => words.push(format!("{n} on the bar")),
    }
    for point in (1..BAR).rev() {
        match side.at(point) {
            0 => {}
            n => words.push(format!("{n} on {point}")),
        }
    }
    match side.off() {
        0 => {}
        n => words.push(format!("{n} off")),
    }
    words.push(format!("{} pips", side.pips()));
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_id;

    #[test]
    fn a_position_is_said_side_by_side() {
        let state = parse_id("4HPwATDgc/ABMA").unwrap();
        let side = "2 on 24, 5 on 13, 3 on 8, 5 on 6, 167 pips";
        let expected = format!("Anna: {side}. Ben: {side}. Cube 1 in the middle.");
        assert_eq!(spoken(&state, ["Anna", "Ben"]), expected);
        let xgid = "XGID=aB--BB------------------b-:1:-1:1:31:2:3:0:7:10";
        assert_eq!(
            spoken(&parse_id(xgid).unwrap(), ["A", "B"]),
            "A: 2 on 5, 2 on 4, 2 on 1, 9 off, 20 pips. B: 1 on the bar, 2 on 1, 12 off, 27 pips. \
             A needs 5, B needs 4. Cube 2 with B. 3-1 to play."
        );
        let text_of = |fields: &str| {
            let xgid = format!("XGID=-b----E-C---eE---c-e----B-:{fields}");
            let text = spoken(&parse_id(&xgid).unwrap(), ["A", "B"]);
            text.rsplit_once("pips. ").unwrap().1.to_owned()
        };
        assert_eq!(
            text_of("0:0:1:00:6:3:1:7:10"),
            "A needs 1, B needs 4. Crawford game. Cube 1 in the middle."
        );
        assert_eq!(
            text_of("1:1:1:D:6:3:0:7:10"),
            "A needs 4, B needs 1. Cube 2 with B. B doubles to 4, A is to answer."
        );
    }
}
