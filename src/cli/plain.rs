//! `luckless --plain`: a match without a screen, for screen readers, braille displays and simple terminals.
//!
//! The user types a line, and each change is described on one line. There are no borders, colours or animations.

mod plays;
mod position;
mod results;

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::Path;

use anyhow::Result;

use self::plays::Lookahead;
use crate::cli::common::options::{CubeModel, Id, Nets, Threads};
use crate::cli::common::output;
use crate::cli::common::typed::typed_line;
use crate::cli::common::usage::{misuse, say};
use crate::cli::reviews::reviewer::{Reviewer, open_store};
use crate::match_file::Match;
use crate::notation::{parse_id, play, spoken, xgid_text};
use crate::review::report::wire::position_text;
use crate::review::report::{GameReport, MoveReport, signed};
use crate::review::{Mark, Report, STANDARD_PLY};

const HELP: &str = "\
n or Enter: the next decision. p: the one before. g 3: game 3. \
e: the next error. b: the error before. w: the position in words. i: its ID. \
c: the best plays and the one made, and what the cube actions are worth. \
s: the match in short. m: the next match of the file. q: leave.
";

/// Reads a match, analyses it, and responds to lines until the user quits.
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
    if let Some(text) = source.to_str().filter(|_| !Path::new(source).exists())
        && parse_id(text).is_ok()
    {
        return read_position(text, cube);
    }
    let pool = threads.pool()?;
    let store = open_store(None)?;
    let mut reviewer = Reviewer::new(nets, cube, STANDARD_PLY, None, store)?;
    let path = Path::new(source);
    let read = match reviewer.read(path) {
        Ok(read) => read,
        Err(error) => {
            let change = |record: &mut Match| cube.apply_to(record);
            return match position::of_file(path, &change, &mut say) {
                Some(words) => output::text(&words),
                None => Err(error),
            };
        }
    };
    say("opening the match; this can take a minute where it has no review yet");
    let reviews = pool.install(|| reviewer.all(&read, &|| false))?;
    let mut reports: VecDeque<Report> = reviews.into_iter().map(|one| one.report).collect();
    let Some(first) = reports.pop_front() else {
        return Ok(());
    };
    let lookahead = Lookahead {
        evaluator: reviewer.evaluator(),
        model: reviewer.model(),
        ply: STANDARD_PLY,
    };
    let mut reading = Reading::new(first, reports, lookahead);
    let (short, several, here) = (reading.short(), reading.several(), reading.here());
    output::text(&format!("{short}\n{several}{HELP}{here}\n"))?;
    answer_lines(&mut reading)
}

/// Describes a position in words.
fn read_position(text: &str, cube: &CubeModel) -> Result<()> {
    let id: Id = text.parse().map_err(misuse)?;
    let state = cube.by_rule(id.state)?;
    // An ID with words around it cannot be passed as an argument.
    let shown = match text.split_whitespace().count() {
        1 => text.to_owned(),
        _ => xgid_text(&state),
    };
    output::text(&position::in_words(&state, &shown))
}

/// Responds to typed lines until the user quits.
fn answer_lines(reading: &mut Reading<'_>) -> Result<()> {
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
struct Reading<'a> {
    report: Report,
    /// Indices of game and move of each decision.
    all: Vec<(usize, usize)>,
    at: usize,
    /// The other matches of the file, the next one first.
    others: VecDeque<Report>,
    lookahead: Lookahead<'a>,
}

impl<'a> Reading<'a> {
    fn new(report: Report, others: VecDeque<Report>, lookahead: Lookahead<'a>) -> Self {
        Self {
            all: decisions(&report),
            report,
            at: 0,
            others,
            lookahead,
        }
    }

    /// Describes the number of matches in the file, if there are several.
    fn several(&self) -> String {
        match self.others.len() {
            0 => String::new(),
            others => format!("This is the first of {} matches.\n", others + 1),
        }
    }

    /// Switches to the next match of the file, cyclically.
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

    /// Returns the response to a line; `None` to quit.
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
                .map_or_else(String::new, |(_, one)| position_text(&one.state)),
            "s" => self.short(),
            "m" => self.next_match(),
            "q" | "quit" => return None,
            "?" | "h" | "help" => HELP.to_owned(),
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
            None => {
                let last = self.all.last().map_or(0, |(game, _)| *game);
                let result = results::of_match(&self.report, last);
                format!("This is the last decision. {result}")
            }
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
        if number.is_empty() {
            let Some(&(last, _)) = self.all.last() else {
                return self.here();
            };
            let last = self.report.games[last].number;
            return format!("Which game? Type g and its number: g {last} is the last.");
        }
        let wanted: Option<u32> = number.parse().ok();
        let is_it = |&(game, _): &(usize, usize)| Some(self.report.games[game].number) == wanted;
        match self.all.iter().position(is_it) {
            Some(at) => self.go(Some(at)),
            None => format!("There is no game {number}."),
        }
    }

    /// Describes the match in one line.
    fn short(&self) -> String {
        let report = &self.report;
        let player = |i: usize| {
            let one = &report.players[i];
            let pr = one.figures.pr;
            let pr = pr.map_or_else(String::new, |pr| format!(", PR {pr:.2}"));
            format!("{} {}{pr}", one.name, report.score[i])
        };
        format!("{}: {}; {}.", report.kind(), player(0), player(1))
    }

    /// At the first decision of a game, describes how the previous games ended.
    fn ended(&self) -> Option<String> {
        let &(game, _) = self.all.get(self.at).filter(|(_, index)| *index == 0)?;
        let before = self.at.checked_sub(1).map_or(0, |at| self.all[at].0);
        results::before_game(&self.report, before..game)
    }

    /// Describes the decision in one line.
    fn here(&self) -> String {
        let Some((game, one)) = self.current() else {
            return "There is no decision in it.".to_owned();
        };
        let name = &self.report.players[one.player.index()].name;
        let mut words: Vec<String> = self.ended().into_iter().collect();
        words.push(format!("Game {}, move {}.", game.number, one.number));
        let unknown = "nobody knows what".to_owned();
        let made = one.spoken(one.played.as_ref().unwrap_or(&unknown));
        words.push(match one.state.roll {
            // A voice reads 41 as a number.
            Some(roll) => format!("{name} rolls {} and plays {made}.", play::dice(roll)),
            None => format!("{name}: {made}."),
        });
        if let Some(error) = one.error.filter(|_| !one.forced) {
            words.push(match (&one.best, one.mark) {
                (Some(best), Some(mark)) if mark != Mark::Fine => {
                    let (name, best) = (capital(mark.name()), one.spoken(best));
                    format!("{name}, costs {error:.3}; best is {best}.")
                }
                _ => "Fine.".to_owned(),
            });
        }
        words.extend(self.report.resignation_words(one).map(|given_away| {
            match one.resignation.as_ref().map(|given_up| given_up.mark) {
                Some(mark) if mark != Mark::Fine => {
                    format!("{}: {given_away}.", capital(mark.name()))
                }
                _ => format!("{given_away}."),
            }
        }));
        // A cube action is complete by now.
        if let Some(cube) = one.cube_at(true).filter(|cube| cube.mark != Mark::Fine) {
            let name = capital(cube.mark.name());
            let [choice, best] = [cube.choice.name(), &cube.best].map(|name| one.spoken(name));
            words.push(format!(
                "Before the roll: {choice}. {name}, costs {:.3}; best is {best}.",
                cube.error
            ));
        }
        if let Some(luck) = one.luck {
            words.push(format!("Luck {} at 0-ply.", signed(luck, 3)));
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
        spoken(&one.state, names)
    }

    /// Lists the best plays, one per line, and the values of the cube actions.
    fn plays(&self) -> String {
        let Some((_, one)) = self.current() else {
            return String::new();
        };
        let mut lines = self.lookahead.lines(one);
        let cube = one.cube.as_ref();
        let cube = cube.filter(|cube| one.state.roll.is_none() || cube.counts);
        lines.extend(cube.map(|cube| plays::cube_line(one, cube)));
        match lines.is_empty() {
            true => "There is no choice here.".to_owned(),
            false => lines.join("\n"),
        }
    }
}

/// Indices of game and move of all decisions of a match.
fn decisions(report: &Report) -> Vec<(usize, usize)> {
    let games = report.games.iter().enumerate();
    let all = games.flat_map(|(game, one)| (0..one.moves.len()).map(move |index| (game, index)));
    all.collect()
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

#[cfg(test)]
mod tests;
