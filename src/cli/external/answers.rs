//! Responses to GNU Backgammon.

use super::board_options::BoardOptions;
use crate::cli::common::thinking::{Effort, NoDecision, Thinker};
use crate::cube::CubeChoice;
use crate::notation::{parse_gnubg_board, play_text};

/// Returns the response to a line; `None` if the client ends the connection.
pub(super) fn answer(line: &str, thinker: &Thinker, effort: &Effort) -> Option<String> {
    let first = line.split([' ', ':']).next().unwrap_or_default();
    Some(match first.to_ascii_lowercase().as_str() {
        "quit" | "exit" => return None,
        "board" => board(line, thinker, effort).unwrap_or_else(refused),
        "evaluation" => evaluation(line, thinker, effort).unwrap_or_else(refused),
        "version" => version(thinker),
        "" => "Error: no command given".to_owned(),
        _ => "Error: a board, evaluation, version or quit is understood".to_owned(),
    })
}

/// The four lines of GNU Backgammon's response, with this program's engine.
fn version(thinker: &Thinker) -> String {
    let (engine, version) = (thinker.engine_name(), env!("CARGO_PKG_VERSION"));
    format!("Interface: 2\nRFBF: 0\nEngine: {engine}\nSoftware: Luckless {version}")
}

fn refused(why: String) -> String {
    format!("Error: {why}")
}

/// Decides for the requested player; for an offered resignation, whether to accept it.
fn board(line: &str, thinker: &Thinker, effort: &Effort) -> Result<String, String> {
    let mut state = parse_gnubg_board(line).map_err(|error| error.to_string())?;
    let asked = BoardOptions::of_board(&mut state, line)?;
    if state.position.is_over() {
        return Err("the game is over".to_owned());
    }
    let decided = |NoDecision(why): NoDecision| why;
    if state.doubled {
        let reply = thinker.reply(effort, &state).map_err(decided)?;
        let word = match reply {
            CubeChoice::Pass => "drop",
            CubeChoice::Beaver => "beaver",
            _ => "take",
        };
        return Ok(word.to_owned());
    }
    if let Some(size) = asked.resignation {
        let accepts = thinker.accepts(effort, &state, size).map_err(decided)?;
        let word = if accepts { "accept" } else { "reject" };
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
    // An empty line means that no checker can move.
    let text = best.map(|best| play_text(&state.position, &best.play));
    Ok(text.unwrap_or_default())
}

/// The six numbers for the player on turn before the roll, ignoring dice: chances to win, to win a gammon and a
/// backgammon, to lose these two, and the equity.
fn evaluation(line: &str, thinker: &Thinker, effort: &Effort) -> Result<String, String> {
    let form = line.split_whitespace().nth(1);
    if !form.is_some_and(|form| form.eq_ignore_ascii_case("fibsboard")) {
        return Err("expected evaluation fibsboard board:…".to_owned());
    }
    let mut state = parse_gnubg_board(line).map_err(|error| error.to_string())?;
    let asked = BoardOptions::of_evaluation(&mut state, line)?;
    if state.position.is_over() {
        return Err("the game is over".to_owned());
    }
    if state.doubled {
        return Err("a double waits for its answer".to_owned());
    }
    let effort = Effort {
        ply: asked.plies,
        cubeful: asked.cubeful,
        ..*effort
    };
    let found = thinker.evaluate(&effort, &state);
    let found = found.map_err(|NoDecision(why)| why)?;
    let [win, gammon, backgammon, lost, lost_more] = found.chances.to_array();
    let six = [win, gammon, backgammon, lost, lost_more, found.worth];
    Ok(six.map(|number| format!("{number:.6}")).join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::Model;
    use crate::eval::Engine;
    use crate::game::{CubeOwner, GameState, MatchScore, Position, Roll};
    use crate::notation::gnubg_board_text;

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

    /// GNU Backgammon does not escape names.
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

    /// A double by the second player, in GNU Backgammon's form: both points, the second player's first, and the board
    /// with the second player's checkers positive.
    fn doubled(points: &str, board: &str) -> String {
        said(&format!(
            "board:root:gnubg:7:{points}:{board}:1:0:0:0:0:1:1:1:1:1:-1:0:25:0:0:0:0:0:0:1:1"
        ))
    }

    #[test]
    fn a_double_is_answered_by_the_side_that_did_not_double() {
        // Two checkers against fifteen, and vice versa.
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
        // Equal score, opening position: an easy take.
        let board = "0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0";
        assert_eq!(doubled("0:0", board), "take");
        // The free drop: the player who is asked needs one point, and after a pass is still level with the opponent.
        assert_eq!(doubled("5:6", board), "drop");
    }

    #[test]
    fn a_redouble_is_by_who_owned_the_cube() {
        // As sent by GNU Backgammon.
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

    /// The numbers of an evaluation.
    fn numbers(state: &GameState, options: &str) -> [f32; 6] {
        let line = format!("evaluation fibsboard {} {options}", gnubg_board_text(state));
        let answer = said(&line);
        let words: Vec<&str> = answer.split(' ').collect();
        let has_six_decimals = |word: &&str| word.split_once('.').map(|two| two.1.len()) == Some(6);
        assert!(words.iter().all(has_six_decimals), "{line}: {answer}");
        let numbers: Vec<f32> = words.iter().map(|word| word.parse().unwrap()).collect();
        numbers.try_into().unwrap()
    }

    #[test]
    fn an_evaluation_has_the_chances_and_the_equity_of_the_player_on_turn() {
        let opening = GameState::money(Position::opening());
        let six = numbers(&opening, "");
        let [win, gammon, backgammon, lost, lost_more, equity] = six;
        assert!((0.5..0.55).contains(&win), "{six:?}");
        let sum = 2.0 * win - 1.0 + gammon + backgammon - lost - lost_more;
        assert!((equity - sum).abs() < 1e-5, "{six:?}");
        // The defaults are static and cubeless, in any order.
        let options =
            "cubeful cubeless beavers on prune plies 0 noise 0 deterministic off cube off prune on";
        assert_eq!(numbers(&opening, options), six);
        let cubeful = numbers(&opening, "cube on");
        assert_eq!(cubeful, numbers(&opening, "cubeful jacobyrule off"));
        assert_ne!(cubeful[5], equity);
        assert_ne!(numbers(&opening, "plies 1"), six);
        // Under the Jacoby rule gammons only count after a double.
        let jacoby = numbers(&opening, "jacobyrule yes");
        assert!((jacoby[5] - (2.0 * win - 1.0)).abs() < 1e-5, "{jacoby:?}");
        let mut turned = opening;
        (turned.cube, turned.owner) = (2, CubeOwner::Mover);
        let turned = numbers(&turned, "jacobyrule yes");
        assert!((turned[5] - sum).abs() < 1e-5, "{turned:?}");
        // Dice are ignored.
        let mut rolled = opening;
        rolled.roll = Roll::new(6, 5);
        assert_eq!(numbers(&rolled, ""), six);
    }

    #[test]
    fn an_evaluation_in_a_match_ends_with_the_chance_to_win_it() {
        let at = |mover: u16, opponent: u16| {
            let mut state = GameState::money(Position::opening());
            state.score = MatchScore {
                length: 7,
                mover,
                opponent,
                crawford: false,
            };
            [numbers(&state, "")[5], numbers(&state, "cubeful")[5]]
        };
        for (ahead, behind) in at(2, 0).into_iter().zip(at(0, 2)) {
            assert!((0.55..0.75).contains(&ahead), "{ahead}");
            assert!((0.3..0.45).contains(&behind), "{behind}");
        }
    }

    #[test]
    fn what_cannot_be_evaluated_is_an_error() {
        let opening = GameState::money(Position::opening());
        let board = gnubg_board_text(&opening);
        let doubled = gnubg_board_text(&opening.offered());
        for (line, why) in [
            (format!("evaluation {board}"), "fibsboard"),
            (format!("evaluation fibsboard {doubled}"), "double"),
            (format!("evaluation fibsboard {board} plies"), "0 to 4"),
            (format!("evaluation fibsboard {board} plies 9"), "0 to 4"),
            (format!("evaluation fibsboard {board} noise 0.5"), "noise"),
            (format!("evaluation fibsboard {board} cube 1"), "on or off"),
            (
                format!("evaluation fibsboard {board} prune perhaps"),
                "perhaps",
            ),
            // These options are only valid for evaluations.
            (format!("{board} plies 1"), "plies"),
            (format!("{board} resignation 4"), "0 to 3"),
        ] {
            let answer = said(&line);
            assert!(
                answer.starts_with("Error: ") && answer.contains(why),
                "{answer}"
            );
        }
    }

    /// The board is seen by the player on turn, who resigns.
    #[test]
    fn a_resignation_is_accepted_unless_the_game_is_worth_more() {
        let state = |mover: &[(usize, u8)], roll: Option<Roll>| GameState {
            roll,
            ..GameState::money(Position::from_points(mover, &[(1, 1)]).unwrap())
        };
        let answers = |state: &GameState, rule: &str| {
            let board = gnubg_board_text(state);
            [1, 2, 3].map(|size| said(&format!("{board} resignation {size}{rule}")))
        };
        // Nine checkers are off: the game is lost, without a gammon.
        let lost = state(&[(6, 6)], None);
        assert_eq!(answers(&lost, ""), ["accept"; 3]);
        assert_eq!(
            answers(&GameState::money(Position::opening()), ""),
            ["accept"; 3]
        );
        // A backgammon is certain.
        let worst = state(&[(23, 15)], None);
        assert_eq!(answers(&worst, "")[0], "reject");
        assert_eq!(answers(&worst, "")[2], "accept");
        assert_eq!(answers(&worst, " jacobyrule on"), ["accept"; 3]);
        // A six bears off a checker and saves the gammon.
        for (roll, answer) in [((6, 2), "accept"), ((2, 1), "reject")] {
            let rolled = state(&[(6, 15)], Roll::new(roll.0, roll.1));
            assert_eq!(answers(&rolled, "")[0], answer, "{roll:?}");
        }
        // If a single game wins the match, a gammon wins no more.
        let mut at_score = worst;
        at_score.score = MatchScore {
            length: 3,
            mover: 0,
            opponent: 2,
            crawford: true,
        };
        assert_eq!(answers(&at_score, ""), ["accept"; 3]);
        // No resignation is offered.
        let board = gnubg_board_text(&lost);
        assert_eq!(said(&format!("{board} resignation 0")), said(&board));
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
