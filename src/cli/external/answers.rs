//! What is answered to a line of GNU Backgammon.

use crate::cli::common::thinking::{Effort, NoDecision, Thinker};
use crate::cube::CubeChoice;
use crate::game::GameState;
use crate::notation::{parse_gnubg_board, play_text};

/// The answer to a line; none if the other side wants to end.
pub(super) fn answer(line: &str, thinker: &Thinker, effort: &Effort) -> Option<String> {
    let first = line.split([' ', ':']).next().unwrap_or_default();
    Some(match first.to_ascii_lowercase().as_str() {
        "quit" | "exit" => return None,
        "board" => board(line, thinker, effort).unwrap_or_else(|why| format!("Error: {why}")),
        "version" => format!("Luckless {}", env!("CARGO_PKG_VERSION")),
        "" => "Error: no command given".to_owned(),
        _ => "Error: a board, version or quit is understood".to_owned(),
    })
}

fn board(line: &str, thinker: &Thinker, effort: &Effort) -> Result<String, String> {
    let mut state = parse_gnubg_board(line).map_err(|error| error.to_string())?;
    options(&mut state, line)?;
    if state.position.is_over() {
        return Err("the game is over".to_owned());
    }
    let decided = |NoDecision(why): NoDecision| why.to_owned();
    if state.doubled {
        let reply = thinker.reply(effort, &state).map_err(decided)?;
        let word = match reply {
            CubeChoice::Pass => "drop",
            CubeChoice::Beaver => "beaver",
            _ => "take",
        };
        return Ok(word.to_owned());
    }
    let Some(roll) = state.roll else {
        let double = thinker.double(effort, &state).map_err(decided)?;
        let word = match double {
            CubeChoice::Double => "double",
            _ => "roll",
        };
        return Ok(word.to_owned());
    };
    let before = state.before_roll();
    let best = thinker.play(effort, &before, roll).map_err(decided)?;
    // An empty line says that no checker can move.
    let text = best.map(|best| play_text(&state.position, &best.play));
    Ok(text.unwrap_or_default())
}

/// What may stand behind the board: rules, switched on or off.
fn options(state: &mut GameState, line: &str) -> Result<(), String> {
    // Names, which stand before it, may have blanks.
    let behind = line.rsplit(':').next().unwrap_or_default();
    let words: Vec<&str> = behind.split_whitespace().skip(1).collect();
    for pair in words.chunks(2) {
        let value = match pair.get(1) {
            Some(&"on") => true,
            Some(&"off") => false,
            _ => return Err(format!("{}: expected on or off", pair[0])),
        };
        let is_money = state.score.is_money();
        match pair[0] {
            "jacobyrule" => state.rules.jacoby = value && is_money,
            "beavers" => state.rules.beavers = value && is_money,
            "crawfordrule" if value => state.rules.no_crawford = false,
            "crawfordrule" => *state = state.without_crawford_rule(),
            other => return Err(format!("{other} is not understood")),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::Model;
    use crate::eval::Engine;

    const BEFORE: &str =
        "board:gnubg:root:3:0:0:0:-2:0:2:0:0:4:0:2:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:-1";
    const AFTER: &str = "1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1";

    fn said(line: &str) -> String {
        let thinker = Thinker::new(Engine::embedded(), Model::default());
        let effort = Effort {
            ply: 0,
            threads: 1,
            cubeful: true,
        };
        answer(line, &thinker, &effort).unwrap_or_else(|| "(end)".to_owned())
    }

    /// GNU Backgammon sends names as they are.
    #[test]
    fn names_may_have_blanks() {
        let board = BEFORE.replace("gnubg:root", "Ann Lee:jacobyrule on");
        assert_eq!(said(&format!("{board}:0:0:0:0:{AFTER}")), "roll");
        assert!(said(&format!("{board}:0:0:0:0:{AFTER} so on")).starts_with("Error"));
    }

    #[test]
    fn a_turn_is_rolled_and_played() {
        assert_eq!(said(&format!("{BEFORE}:0:0:0:0:{AFTER}")), "roll");
        let play = said(&format!("{BEFORE}:6:2:6:2:{AFTER}"));
        assert!(play.starts_with("24/"), "{play}");
    }

    /// A double by the second player, as GNU Backgammon sends it: both points, the second player's first, and
    /// the board with the second player's checkers positive.
    fn doubled(points: &str, board: &str) -> String {
        said(&format!(
            "board:root:gnubg:7:{points}:{board}:1:0:0:0:0:1:1:1:1:1:-1:0:25:0:0:0:0:0:0:1:1"
        ))
    }

    #[test]
    fn a_double_is_answered_by_the_side_that_did_not_double() {
        // Two checkers against fifteen, and fifteen against two.
        let ahead = "0:2".to_owned() + &":0".repeat(17) + ":-5:-5:-5:0:0:0:0";
        let behind = "0:0:0:0:5:5:5".to_owned() + &":0".repeat(17) + ":-2:0";
        assert_eq!(doubled("0:0", &ahead), "drop");
        assert_eq!(doubled("0:0", &behind), "take");
        // The first player's double, with the second player asked.
        let turned = |board: &str| {
            said(&format!(
                "board:gnubg:root:7:0:0:{board}:-1:0:0:0:0:1:1:1:1:1:-1:0:25:0:0:0:0:0:0:0:1"
            ))
        };
        assert_eq!(turned(&ahead), "take");
        assert_eq!(turned(&behind), "drop");
    }

    #[test]
    fn a_double_is_answered_for_the_score_of_who_is_asked() {
        // Both at the same score, in a position in which nothing has happened: an easy take.
        let board = "0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0";
        assert_eq!(doubled("0:0", board), "take");
        // The free drop: the player who is asked needs one point, and stays level with the other
        // after a pass.
        assert_eq!(doubled("5:6", board), "drop");
    }

    #[test]
    fn a_redouble_is_by_who_owned_the_cube() {
        // As GNU Backgammon sent it.
        let line = "board:root:gnubg:5:2:0:0:2:2:3:3:2:3:0:0:0:0:0:0:-1:0:0:0:0:0:-3:-3:-2:-2:-2:-2:0:\
                    1:0:0:0:0:2:1:0:1:1:-1:0:25:0:0:0:0:0:0:0:1";
        let state = parse_gnubg_board(line).unwrap();
        assert!(state.roller().may_double());
        assert_eq!((state.score.mover, state.score.opponent), (0, 2));
        let pips = [&state.position.mover, &state.position.opponent].map(|side| side.pips());
        assert_eq!(pips, [65, 55]);
    }

    #[test]
    fn the_first_points_are_those_of_the_side_of_negative_numbers() {
        let line = |turn: &str| {
            let board = "0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0";
            format!("board:a:b:7:4:1:{board}:{turn}:3:1:3:1:{AFTER}")
        };
        let score = |turn: &str| parse_gnubg_board(&line(turn)).unwrap().score;
        assert_eq!((score("1").mover, score("1").opponent), (1, 4));
        assert_eq!((score("-1").mover, score("-1").opponent), (4, 1));
    }

    #[test]
    fn what_is_not_understood_is_an_error() {
        for line in [
            "",
            "hello",
            "board:",
            "board:a:b:7",
            "evaluation fibsboard x",
            "\u{1b}[2J",
        ] {
            assert!(said(line).starts_with("Error: "), "{line}");
        }
        let whole = format!("{BEFORE}:0:0:0:0:{AFTER}");
        assert_eq!(
            said(&format!("{whole} crawfordrule off beavers on")),
            "roll"
        );
        assert!(said(&format!("{whole} gravity on")).starts_with("Error: "));
        assert_eq!(said("quit"), "(end)");
    }
}
