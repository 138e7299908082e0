//! Snowie's position line: forty fields, each ended by a semicolon, seen by the player on roll. A file may
//! consist of such a line. In match text it is the position after an illegal play that was let stand.

use super::cube::is_value;
use super::model::LonePosition;
use super::text::clean;
use crate::game::position::{BAR, Side};
use crate::game::{CubeOwner, GameState, MatchScore, Position, Roll, Rules};
use crate::notation::LONGEST_MATCH;

/// Number of fields in a line.
const FIELDS: usize = 40;

/// A position and the names of its players.
pub(super) struct Snowie {
    /// Names of the player on roll and of the opponent.
    pub(super) names: [String; 2],
    pub(super) state: GameState,
}

/// Parses a line of forty fields.
pub(super) fn parse(line: &str) -> Option<Snowie> {
    let fields: Vec<&str> = line
        .trim()
        .split(';')
        .map(str::trim)
        .take(FIELDS + 2)
        .collect();
    if fields.len() < FIELDS || fields.len() > FIELDS + 1 {
        return None;
    }
    let number = |at: usize| fields[at].parse::<i32>().ok();
    let points = |at: usize| u16::try_from(number(at)?).ok();
    let length = points(0).filter(|&n| n <= LONGEST_MATCH)?;
    let mut own = [0u8; BAR + 1];
    let mut other = [0u8; BAR + 1];
    for i in 0..=BAR {
        let count = number(12 + i)?;
        let checkers = u8::try_from(count.unsigned_abs()).ok()?;
        let (side, at) = match (i, count > 0) {
            // The sign identifies the bars, because writers disagree about their order.
            (0 | BAR, true) => (&mut own, BAR),
            (0 | BAR, false) => (&mut other, BAR),
            (_, true) => (&mut own, i),
            (_, false) => (&mut other, BAR - i),
        };
        side[at] = side[at].saturating_add(checkers);
    }
    let position = Position::new(Side::new(&own).ok()?, Side::new(&other).ok()?).ok()?;
    let cube = u32::try_from(number(10)?).ok()?;
    let cube = cube.max(1);
    let die = |at: usize| u8::try_from(number(at)?).ok();
    let state = GameState {
        position,
        cube: is_value(cube).then_some(cube)?,
        owner: match number(11)? {
            0 => CubeOwner::Centred,
            1 => CubeOwner::Mover,
            _ => CubeOwner::Opponent,
        },
        score: MatchScore {
            length,
            mover: points(8)?,
            opponent: points(9)?,
            crawford: length > 0 && number(7)? == 1,
        },
        rules: Rules {
            jacoby: length == 0 && number(1) == Some(1),
            beavers: false,
            ..Rules::default()
        },
        roll: Roll::new(die(38)?, die(39)?),
        doubled: false,
    };
    let fits = length == 0 || (state.score.mover < length && state.score.opponent < length);
    fits.then(|| Snowie {
        names: [clean(fields[5]), clean(fields[6])],
        state,
    })
}

/// Writes a state as forty fields. `names` are those of the player on roll and of the opponent. `is_left`:
/// whether the player on roll has the left column of the match.
pub(super) fn write(names: &[String; 2], state: &GameState, is_left: bool) -> String {
    let mut fields = vec![
        state.score.length.to_string(),
        u8::from(state.rules.jacoby).to_string(),
        // The meaning of these two is unknown; eXtreme Gammon writes the same values in every match.
        "1".to_owned(),
        "0".to_owned(),
        u8::from(is_left).to_string(),
        plain(&names[0]),
        plain(&names[1]),
        u8::from(state.score.crawford).to_string(),
        state.score.mover.to_string(),
        state.score.opponent.to_string(),
        state.cube.to_string(),
        match state.owner {
            CubeOwner::Centred => 0,
            CubeOwner::Mover => 1,
            CubeOwner::Opponent => -1,
        }
        .to_string(),
    ];
    for place in 0..=BAR {
        let own = if place == 0 {
            0
        } else {
            state.position.mover.at(place)
        };
        let other = if place == BAR {
            0
        } else {
            state.position.opponent.at(BAR - place)
        };
        fields.push((own as i8 - other as i8).to_string());
    }
    let dice = state.roll.map_or([0, 0], |roll| [roll.high(), roll.low()]);
    fields.extend(dice.map(|die| die.to_string()));
    fields.join(";") + ";"
}

/// Returns a name without the characters that end a field or a bracket.
pub(super) fn plain(name: &str) -> String {
    let blank = |c: char| if "();".contains(c) { ' ' } else { c };
    let name: String = clean(name).chars().map(blank).collect();
    name.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Reads the position of a file that consists of one line.
pub(super) fn read(line: &str, number: u32) -> Option<LonePosition> {
    let Snowie { state, .. } = parse(line)?;
    let sound = !state.position.is_over() && super::state::is_sound(&state);
    sound.then_some(LonePosition::new(state, number))
}

#[cfg(test)]
mod tests {
    use super::*;

    pub const OPENING: &str =
        "7;0;0;0;0;anna;ben;0;1;2;1;0;0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0;3;1;";

    #[test]
    fn forty_fields() {
        let found = parse(OPENING).unwrap();
        assert_eq!(found.names, ["anna", "ben"]);
        assert_eq!(found.state.position, Position::opening());
        assert_eq!(found.state.roll, Roll::new(3, 1));
        assert_eq!(
            (found.state.score.mover, found.state.score.opponent),
            (1, 2)
        );
        // Fields of unknown meaning are written as eXtreme Gammon writes them.
        let written = write(&found.names, &found.state, false);
        let known = OPENING.replacen("7;0;0;0;0;", "7;0;1;0;0;", 1);
        assert_eq!(written, known);
        assert!(parse("7;0;0;").is_none());
        assert!(parse(&OPENING.replace("-2;", "-9;")).is_none());
    }
}
