//! `luckless --plain`: a match without a screen, for screen readers, braille lines and simple terminals.
//!
//! A line is typed, and what changes is said on one line. There are no borders, no colours, and nothing moves.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::Path;

use anyhow::Result;

use super::by_hand::typed_line;
use super::options::{CubeModel, Nets, Threads};
use super::output;
use super::reviewer::{Reviewer, open_store};
use super::usage::{misuse, say};
use crate::notation::{parse_id, spoken};
use crate::review::report::{CandidateReport, CubeReport, GameReport, MoveReport, signed};
use crate::review::{Mark, Report, STANDARD_PLY};

const HELP: &str = "\
n or Enter: the next decision. p: the one before. g 3: game 3. \
e: the next error. b: the error before. w: the position in words. i: its ID. \
c: the best plays, and what the cube actions are worth. \
s: the match in short. m: the next match of the file. q: leave.
";
/// Plays that `c` lists.
const MOST_PLAYS: usize = 5;

/// Reads a match, analyses it, and answers lines until the user leaves.
pub(super) fn run(
    sources: &[OsString],
    nets: &Nets,
    cube: &CubeModel,
    threads: &Threads,
) -> Result<()> {
    let [source] = sources else {
        return Err(misuse(
            "--plain wants one match file or position".to_owned(),
        ));
    };
    if let Some(id) = source.to_str().filter(|_| !Path::new(source).exists())
        && let Ok(state) = parse_id(id)
    {
        state.check().map_err(misuse)?;
        // A player who is to answer a double is not on roll.
        let own = if state.doubled { "Player" } else { "On roll" };
        let words = spoken(&state, [own, "Opponent"]);
        return output::text(&format!("{words}\nFor its plays: luckless eval {id}\n"));
    }
    let pool = threads.pool()?;
    let store = open_store(None)?;
    let mut reviewer = Reviewer::new(nets, cube, STANDARD_PLY, None, store)?;
    say("opening the match; this can take a minute where it has no review yet");
    let reviews = pool.install(|| reviewer.file(Path::new(source), &|| false))?;
    let mut reports: VecDeque<Report> = reviews.into_iter().map(|one| one.report).collect();
    let Some(first) = reports.pop_front() else {
        return Ok(());
    };
    let mut reading = Reading::new(first, reports);
    let (short, several, here) = (reading.short(), reading.several(), reading.here());
    output::text(&format!("{short}\n{several}{HELP}{here}\n"))?;
    loop {
        output::text("> ")?;
        io::stdout().flush()?;
        let Some(line) = typed_line()? else {
            return output::text("\n");
        };
        match reading.answer(line.trim()) {
            Some(answer) => output::text(&format!("{}\n", answer.trim_end()))?,
            None => return Ok(()),
        }
    }
}

/// A match that is read decision by decision.
struct Reading {
    report: Report,
    /// Each decision: places of the game and of the move.
    all: Vec<(usize, usize)>,
    at: usize,
    /// The other matches of the file, the next one first.
    others: VecDeque<Report>,
}

impl Reading {
    fn new(report: Report, others: VecDeque<Report>) -> Self {
        Self {
            all: decisions(&report),
            report,
            at: 0,
            others,
        }
    }

    /// How many matches are in the file, where there are several.
    fn several(&self) -> String {
        match self.others.len() {
            0 => String::new(),
            others => format!("This is the first of {} matches.\n", others + 1),
        }
    }

    /// The next match of the file; after the last one the first.
    fn next_match(&mut self) -> String {
        let Some(next) = self.others.pop_front() else {
            return "There is no other match in this file.".to_owned();
        };
        let shown = std::mem::replace(&mut self.report, next);
        self.others.push_back(shown);
        (self.all, self.at) = (decisions(&self.report), 0);
        format!("{} {}", self.short(), self.here())
    }

    fn current(&self) -> Option<(&GameReport, &MoveReport)> {
        let &(game, index) = self.all.get(self.at)?;
        let game = self.report.games.get(game)?;
        Some((game, game.moves.get(index)?))
    }

    /// What to say to a line; `None` to leave.
    fn answer(&mut self, line: &str) -> Option<String> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        Some(match word {
            "" | "n" => self.go(self.at.checked_add(1)),
            "p" => self.go(self.at.checked_sub(1)),
            "e" => self.error((self.at + 1..self.all.len()).collect()),
            "b" => self.error((0..self.at).rev().collect()),
            "g" => self.game(rest.trim()),
            "w" => self.words(),
            "c" => self.plays(),
            "i" => self
                .current()
                .map_or_else(String::new, |(_, one)| one.position.clone()),
            "s" => self.short(),
            "m" => self.next_match(),
            "q" => return None,
            "?" | "h" => HELP.to_owned(),
            other => format!("'{other}' is no command. {HELP}"),
        })
    }

    fn go(&mut self, at: Option<usize>) -> String {
        match at.filter(|at| *at < self.all.len()) {
            Some(at) => {
                self.at = at;
                self.here()
            }
            None if at.is_none() => "This is the first decision.".to_owned(),
            None => "This is the last decision.".to_owned(),
        }
    }

    fn error(&mut self, places: Vec<usize>) -> String {
        let is_error = |at: &usize| {
            let (game, index) = self.all[*at];
            let one = &self.report.games[game].moves[index];
            let marks = [one.mark, one.cube.as_ref().map(|cube| cube.mark)];
            marks.into_iter().flatten().any(|mark| mark != Mark::Fine)
        };
        match places.into_iter().find(is_error) {
            Some(at) => self.go(Some(at)),
            None => "There is no more error in this direction.".to_owned(),
        }
    }

    fn game(&mut self, number: &str) -> String {
        let wanted: Option<u32> = number.parse().ok();
        let is_it = |&(game, _): &(usize, usize)| Some(self.report.games[game].number) == wanted;
        match self.all.iter().position(is_it) {
            Some(at) => self.go(Some(at)),
            None => format!("There is no game {number}."),
        }
    }

    /// The match in a line.
    fn short(&self) -> String {
        let report = &self.report;
        let player = |i: usize| {
            let one = &report.players[i];
            let pr = one.figures.pr;
            let pr = pr.map_or_else(String::new, |pr| format!(", PR {pr:.1}"));
            format!("{} {}{pr}", one.name, report.score[i])
        };
        format!("{}: {}; {}.", report.kind(), player(0), player(1))
    }

    /// The decision in a line.
    fn here(&self) -> String {
        let Some((game, one)) = self.current() else {
            return "There is no decision in it.".to_owned();
        };
        let name = &self.report.players[one.player.index()].name;
        let mut words = vec![format!("Game {}, move {}.", game.number, one.number)];
        let unknown = "nobody knows what".to_owned();
        let made = one.spoken(one.played.as_ref().unwrap_or(&unknown));
        words.push(match &one.dice {
            Some(dice) => format!("{name} rolls {dice} and plays {made}."),
            None => format!("{name}: {made}."),
        });
        if let Some(error) = one.error.filter(|_| !one.forced) {
            words.push(match (&one.best, one.mark) {
                (Some(best), Some(mark)) if mark != Mark::Fine => {
                    let (name, best) = (capital(mark.name()), one.spoken(best));
                    format!("{name}, loses {error:.3}; best is {best}.")
                }
                _ => "Fine.".to_owned(),
            });
        }
        // Of a cube action all is said by now.
        let silent = one.cube.as_ref().filter(|_| one.dice.is_some());
        if let Some(cube) = silent.filter(|cube| cube.mark != Mark::Fine) {
            let name = capital(cube.mark.name());
            let [choice, best] = [&cube.choice, &cube.best].map(|name| one.spoken(name));
            words.push(format!(
                "Before the roll: {choice}. {name}, loses {:.3}; best is {best}.",
                cube.error
            ));
        }
        if let Some(luck) = one.luck {
            words.push(format!("Luck {}.", signed(luck, 3)));
        }
        words.extend(one.note.iter().map(|note| format!("Your note: {note}.")));
        words.join(" ")
    }

    fn words(&self) -> String {
        let Some((_, one)) = self.current() else {
            return String::new();
        };
        let side = one.player.index();
        let names = [side, 1 - side].map(|i| &*self.report.players[i].name);
        match parse_id(&one.position) {
            Ok(state) => spoken(&state, names),
            Err(error) => error.to_string(),
        }
    }

    /// The best plays, a line each, and what the cube actions are worth.
    fn plays(&self) -> String {
        let Some((_, one)) = self.current() else {
            return String::new();
        };
        let line = |one: &CandidateReport| {
            let made = if one.made { ", played" } else { "" };
            let equity = signed(one.cubeful_equity, 3);
            let rank = one
                .rank
                .map_or_else(String::new, |rank| format!("{rank}: "));
            format!("{rank}{}, {equity}{made}.", one.play)
        };
        let plays = one.candidates.iter().take(MOST_PLAYS).map(line);
        let cube = one.cube.as_ref();
        let cube = cube.filter(|cube| one.dice.is_none() || cube.counts);
        let lines: Vec<String> = plays.chain(cube.map(|cube| cube_line(one, cube))).collect();
        match lines.is_empty() {
            true => "There is no choice here.".to_owned(),
            false => lines.join("\n"),
        }
    }
}

/// The decisions of a match: places of the game and of the move.
fn decisions(report: &Report) -> Vec<(usize, usize)> {
    let games = report.games.iter().enumerate();
    let all = games.flat_map(|(game, one)| (0..one.moves.len()).map(move |index| (game, index)));
    all.collect()
}

/// What each cube action is worth to the doubler, in a line.
fn cube_line(one: &MoveReport, cube: &CubeReport) -> String {
    let worth = |(name, equity): (&str, f32)| {
        let equity = signed(f64::from(equity), 3);
        format!("{}, {equity}", one.spoken(name))
    };
    let told: Vec<String> = cube.decision.named_equities().map(worth).collect();
    let when = match one.dice {
        Some(_) => "Before the roll",
        None => "For the doubler",
    };
    let best = one.spoken(&cube.best);
    format!("{when}: {}. Best is {best}.", told.join("; "))
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::Model;
    use crate::eval::{Engine, Evaluator as _};
    use crate::review::report::build::{ReportContext, build};
    use crate::review::{Thresholds, analyse_match};

    fn reading() -> Reading {
        let text =
            b" 3 point match\n Game 1\n Ann : 0   Ben : 0\n  1) 31: 8/5 6/5   42: 13/9 6/4\n  \
                     2) 64: 24/14     Doubles => 2\n  3)  Drops\n";
        let record = crate::match_file::read_bytes(text, "x.mat").unwrap();
        let (engine, model) = (Engine::embedded(), Model::default());
        let analysed = analyse_match(&engine, &model, &record, 0, &|| false).unwrap();
        let context = ReportContext {
            engine: engine.name(),
            model: &model,
            ply: 0,
            thresholds: Thresholds::default(),
            rollouts: None,
        };
        Reading::new(build(&record, &analysed, &context), VecDeque::new())
    }

    #[test]
    fn a_play_without_a_rank_is_listed_without_one() {
        let mut reading = reading();
        let plays = &mut reading.report.games[0].moves[0].candidates;
        assert!(plays[1].rank.take().is_some());
        let name = plays[1].play.clone();
        let answer = reading.plays();
        let lines: Vec<&str> = answer.lines().collect();
        assert!(lines[0].starts_with("1: 8/5 6/5, "), "{answer}");
        assert!(lines[1].starts_with(&format!("{name}, ")), "{answer}");
        assert!(lines[2].starts_with("3: "), "{answer}");
    }

    /// A cube action is told once, and its equities can be heard.
    #[test]
    fn a_cube_action_is_told_once() {
        let mut reading = reading();
        let moves = &mut reading.report.games[0].moves;
        let at = moves
            .iter()
            .position(|one| one.played.as_deref() == Some("double"));
        let one = &mut moves[at.unwrap()];
        (one.mark, one.error, one.best) =
            (Some(Mark::Blunder), Some(0.234), Some("no double".into()));
        let cube = one.cube.as_mut().unwrap();
        (cube.mark, cube.error, cube.best) = (Mark::Blunder, 0.234, "no double".into());
        reading.at = at.unwrap();
        let here = reading.here();
        let told = "Ben: double. Blunder, loses 0.234; best is no double.";
        assert!(
            here.contains(told) && here.matches("loses").count() == 1,
            "{here}"
        );
        let line = reading.plays();
        assert!(line.starts_with("For the doubler: no double, "), "{line}");
        assert!(
            line.contains("; double/take, ") && line.contains("; double/pass, +1.000."),
            "{line}"
        );
        // A cube of one's own is redoubled.
        let one = &mut reading.report.games[0].moves[at.unwrap()];
        one.position = "XGID=-b----E-C---eE---c-e----B-:1:1:1:00:0:0:0:3:10".to_owned();
        assert!(
            reading
                .here()
                .contains("Ben: redouble. Blunder, loses 0.234; best is no redouble.")
        );
        assert!(reading.plays().contains("no redouble, "));
    }

    #[test]
    fn all_matches_of_a_file_are_read() {
        let mut reading = reading();
        assert_eq!(reading.several(), "");
        assert!(reading.next_match().contains("no other match"));
        let mut other = reading.report.clone();
        other.players[0].name = "Dora".to_owned();
        reading.others.push_back(other);
        assert_eq!(reading.several(), "This is the first of 2 matches.\n");
        reading.answer("n");
        let mut next = || reading.answer("m").unwrap();
        let dora = next();
        assert!(
            dora.contains("Dora rolls 31") && !dora.contains('\n'),
            "{dora}"
        );
        assert!(next().contains("Ann rolls 31"));
    }

    #[test]
    fn a_match_is_read_line_by_line() {
        let mut reading = reading();
        let mut say = |line| reading.answer(line).unwrap();
        assert!(say("p").contains("first"));
        assert!(say("g 1").starts_with("Game 1, move 1. Ann rolls 31 and plays 8/5 6/5. Fine."));
        let words = say("w");
        let (own, rest) = words.split_once(" Ben: ").unwrap();
        assert_eq!(own, "Ann: 2 on 24, 5 on 13, 3 on 8, 5 on 6, 167 pips.");
        assert!(
            rest.contains("Ann needs 3, Ben needs 3. Cube 1 in the middle."),
            "{rest}"
        );
        assert!(say("c").starts_with("1: 8/5 6/5, "));
        assert!(say("").contains("Ben rolls 42"));
        let error = say("e");
        assert!(error.contains("loses"), "{error}");
        for line in ["g 9", "g", "x", "i", "s", "?"] {
            assert!(!say(line).is_empty(), "{line}");
        }
        for _ in 0..9 {
            say("n");
        }
        assert!(say("n").contains("last"));
        // Each answer but the list of plays and the help is one line of plain text.
        for line in ["p", "b", "e", "w", "s", "i"] {
            let answer = say(line);
            assert!(
                !answer.contains('\n') && answer.is_ascii(),
                "{line}: {answer}"
            );
        }
        assert_eq!(reading.answer("q"), None);
    }
}
