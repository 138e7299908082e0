//! Queries GNU Backgammon about plays, as a client of its external player.
//!
//! The user types `external 127.0.0.1:1984` there. It then answers each `evaluation fibsboard …` with one line of six
//! numbers for the player on roll. Its output is read with limits of size and time, and only numbers are accepted.

use std::io::{BufReader, ErrorKind, Write as _};
use std::net::{TcpStream, ToSocketAddrs as _};
use std::time::Duration;

use crossbeam_channel::Sender;

use super::in_background;
use crate::bounded_lines::{Line, read_line};
use crate::game::{GameState, Play};
use crate::match_file::Chances;
use crate::notation::gnubg_board_text;
use crate::tui::message::Message;
use crate::tui::rollouts::second_opinion::{SecondFigures, SecondQuestion};

/// Maximum time for a connection.
const CONNECT: Duration = Duration::from_secs(2);
/// Maximum time for an answer.
const ANSWER: Duration = Duration::from_secs(30);
/// Maximum length of an answer, in bytes.
const LONGEST: u64 = 1024;

/// Sends a query in the background.
pub fn ask(question: SecondQuestion, messages: &Sender<Message>) {
    let asked = question.clone();
    let told = move |figures| Message::SecondOpinion {
        question: Box::new(question),
        figures,
    };
    in_background("gnubg", messages, move || answers(&asked), told);
}

/// GNU Backgammon's figures for each play; `None` for plays that end the game, which it does not evaluate.
fn answers(question: &SecondQuestion) -> Result<Vec<Option<SecondFigures>>, String> {
    let address = &question.address;
    let failed = |why: &dyn std::fmt::Display| format!("gnubg at {address}: {why}");
    let stream = connect(address).map_err(|why| match why.kind() {
        ErrorKind::InvalidInput => {
            format!("gnubg: '{address}' is no host and port such as 127.0.0.1:1984")
        }
        _ => format!("type `external {address}` in gnubg, which does not answer yet ({why})"),
    })?;
    stream
        .set_read_timeout(Some(ANSWER))
        .and_then(|()| stream.set_write_timeout(Some(CONNECT)))
        .map_err(|why| failed(&why))?;
    let mut lines = BufReader::new(&stream);
    let mut all = Vec::with_capacity(question.plays.len());
    for play in &question.plays {
        let after = after(&question.state, play);
        if after.position.points().is_some() {
            all.push(None);
            continue;
        }
        let line = evaluation_command(&after, question.ply);
        (&stream)
            .write_all(line.as_bytes())
            .map_err(|why| failed(&why))?;
        let answer = match read_line(&mut lines, LONGEST).map_err(|why| failed(&why))? {
            None => return Err(failed(&"it has ended the connection")),
            Some(Line::Whole(answer)) => answer,
            Some(Line::TooLong) => return Err(failed(&"an answer without end")),
        };
        let found = figures(&answer, !after.score.is_money()).ok_or_else(|| {
            let answer = crate::sanitize::clean(answer.trim());
            failed(&format!("no six numbers: '{answer:.80}'"))
        })?;
        all.push(Some(found));
    }
    Ok(all)
}

fn connect(address: &str) -> std::io::Result<TcpStream> {
    let mut last = std::io::Error::other("no such host");
    for place in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&place, CONNECT) {
            Ok(stream) => return Ok(stream),
            Err(why) => last = why,
        }
    }
    Err(last)
}

/// The state for the opponent.
fn after(state: &GameState, play: &Play) -> GameState {
    GameState {
        position: play.apply(&state.position),
        roll: None,
        doubled: false,
        ..state.flipped()
    }
}

/// The command that evaluates a state.
fn evaluation_command(state: &GameState, ply: u8) -> String {
    let on = |is_on: bool| if is_on { "on" } else { "off" };
    format!(
        "evaluation fibsboard {} plies {ply} cube on prune on jacobyrule {} crawfordrule {}\n",
        gnubg_board_text(state),
        on(state.rules.jacoby && state.score.is_money()),
        on(!state.rules.no_crawford),
    )
}

/// Converts an answer for the opponent into figures for the player.
fn figures(answer: &str, is_match: bool) -> Option<SecondFigures> {
    let numbers: Option<Vec<f64>> = (answer.split_whitespace())
        .map(|word| word.parse().ok().filter(|n: &f64| n.is_finite()))
        .collect();
    let [win, gammon, backgammon, lost, lost_bg, worth] = numbers?[..] else {
        return None;
    };
    let chances = [1.0 - win, lost, lost_bg, gammon, backgammon];
    if !chances.iter().all(|chance| (0.0..=1.0).contains(chance)) {
        return None;
    }
    let worth = match is_match {
        true if !(0.0..=1.0).contains(&worth) => return None,
        true => 1.0 - worth,
        false => -worth,
    };
    let chances = Chances::new(chances)?;
    Some(SecondFigures { chances, worth })
}

#[cfg(test)]
mod tests {
    use std::io::BufRead as _;
    use std::net::TcpListener;

    use super::*;
    use crate::game::{PlayList, Position, Side};
    use std::thread;

    fn question(address: String) -> SecondQuestion {
        let state = GameState {
            roll: Some("31".parse().unwrap()),
            ..GameState::money(Position::opening())
        };
        let list = PlayList::of(&state.position, state.roll.unwrap());
        SecondQuestion {
            address,
            state,
            plays: list.plays()[..2].to_vec(),
            ply: 0,
        }
    }

    /// A server that answers each line with `answer`.
    fn peer(answer: &'static str) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        thread::spawn(move || {
            let (stream, _) = listener.accept().unwrap();
            for line in BufReader::new(&stream).lines() {
                let Ok(line) = line else { return };
                assert!(line.starts_with("evaluation fibsboard board:"), "{line}");
                assert!(line.len() < 256, "{line}");
                if (&stream).write_all(answer.as_bytes()).is_err() || answer.is_empty() {
                    return;
                }
            }
        });
        address
    }

    #[test]
    fn figures_are_turned_to_the_other_side() {
        let values = answers(&question(peer("0.4 0.1 0.01 0.2 0.02 -0.25\n"))).unwrap();
        assert_eq!(values.len(), 2);
        let first = values[0].unwrap();
        let wanted = Chances::new([0.6, 0.2, 0.02, 0.1, 0.01]).unwrap();
        assert_eq!(first.chances, wanted);
        assert_eq!(first.worth, 0.25);
        let of_match = figures("0.4 0.1 0.0 0.1 0.0 0.35", true).unwrap();
        assert_eq!(of_match.worth, 0.65);
    }

    #[test]
    fn the_rules_of_the_match_are_told() {
        let mut state = question(String::new()).state;
        for (length, jacoby, no_crawford, told) in [
            (7, true, false, "jacobyrule off crawfordrule on"),
            (7, false, true, "jacobyrule off crawfordrule off"),
            (0, true, false, "jacobyrule on crawfordrule on"),
        ] {
            state.score.length = length;
            (state.rules.jacoby, state.rules.no_crawford) = (jacoby, no_crawford);
            let line = evaluation_command(&state, 0);
            assert!(line.trim_end().ends_with(told), "{line}");
        }
    }

    /// In matches, too, a play that ends the game does not prevent queries about the others.
    #[test]
    fn a_play_that_ends_the_game_is_not_asked_about() {
        let side = |places: &[usize]| {
            let mut counts = [0; 26];
            places.iter().for_each(|&place| counts[place] += 1);
            Side::new(&counts).unwrap()
        };
        let mut one = question(peer("0.4 0.1 0.0 0.0 0.0 0.5\n"));
        one.state.position = Position::new(side(&[6, 1]), side(&[1])).unwrap();
        (one.state.score.length, one.state.roll) = (7, Some("61".parse().unwrap()));
        let list = PlayList::of(&one.state.position, one.state.roll.unwrap());
        one.plays = list.plays().to_vec();
        let ends = list.results().iter().map(|after| after.points().is_some());
        let ends: Vec<bool> = ends.collect();
        assert!(ends.contains(&true) && ends.contains(&false));
        let values = answers(&one).unwrap();
        let missing: Vec<bool> = values.iter().map(Option::is_none).collect();
        assert_eq!(missing, ends);
    }

    #[test]
    fn what_is_no_answer_is_said_so() {
        for answer in [
            "Error: badly formed board\n",
            "0.4 0.1\n",
            "\x1b[2J\n",
            "2 0 0 0 0 0\n",
        ] {
            let why = answers(&question(peer(answer))).unwrap_err();
            assert_has!(why, "no six numbers");
            assert_lacks!(why, '\x1b');
        }
        let why = answers(&question(peer(""))).unwrap_err();
        assert_has!(why, "ended the connection");
        let why = answers(&question("localhost".into())).unwrap_err();
        assert_has!(why, "no host and port");
        // Nobody listens there.
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        drop(listener);
        let why = answers(&question(address)).unwrap_err();
        assert_has!(why, "type `external");
    }
}
