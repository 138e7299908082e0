//! A position and its analysis in the form of the text that eXtreme Gammon writes for forums.
//!
//! Forums, AnkiGammon and blunderDB read that form, so it is kept to the column: identifier, names, score,
//! board, pips, cube, then candidate plays or the cube decision. The player on roll is X and below. Plies
//! are counted as that program counts them, one more than here: its 1-ply is the static evaluation. The
//! last line names this program. What was rolled out says by how many games, with which dice and which play.
//! All words are English and all decimals have points, whatever the system.

use std::fmt::Write as _;

use crate::analysis::{CubelessEquities, ErrorNeeded};
use crate::cube::{CubeAction, CubeContext, CubeDecision, EquityTable};
use crate::eval::Probabilities;
use crate::game::position::BAR;
use crate::game::{CubeOwner, GameState, Side};
use crate::notation::xgid_text;
use crate::review::report::decision_text::chance_right;
use crate::rollout::Settings;

/// Plays of a roll that eXtreme Gammon lists.
pub const USUAL_PLAYS: usize = 5;
/// Rows of half a board.
const ROWS: u8 = 5;

/// A position with its figures, to be written as text.
#[derive(Clone, Debug)]
pub struct XgText<'a> {
    /// The position, seen by the player who decides.
    pub state: &'a GameState,
    /// The names of the player who decides, and of the other, where they are known.
    pub names: Option<[&'a str; 2]>,
    pub analysis: XgAnalysis,
    /// The match equity table.
    pub table: &'a EquityTable,
}

/// The analysis of a position.
#[derive(Clone, Debug)]
pub enum XgAnalysis {
    None,
    /// The plays of a roll, in the order in which they are shown.
    Plays(Vec<XgPlay>),
    /// The first plays of a roll, and the play that was made, which stands below them.
    PlaysAndMade {
        /// The first plays of the list.
        first: Vec<XgPlay>,
        /// Place of the play that was made in the whole list, from 1.
        rank: usize,
        made: XgPlay,
    },
    /// The cube decision before a roll.
    Cube {
        /// Where the figures come from.
        level: XgLevel,
        /// Chances of the player on roll, without the cube.
        chances: Probabilities,
        /// The equity of each choice.
        decision: CubeDecision,
        /// The rollout, if the figures are of one that tells its intervals.
        rolled: Option<XgRolledCube>,
    },
}

/// Figures of a cube decision's rollout besides the equities.
#[derive(Clone, Debug)]
pub struct XgRolledCube {
    /// Chances of the player on roll after a double that is taken; those of the analysis are without a double.
    pub doubled_chances: Probabilities,
    /// Half the widths of the 95 % intervals: without a double, and after one that is taken.
    pub half_widths: [f64; 2],
    /// How it was done.
    pub rollout: XgRollout,
}

/// How a rollout was done, in lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct XgRollout(Vec<String>);

impl XgRollout {
    /// How a rollout of so many games by these settings was done.
    pub fn new(settings: &Settings, games: u64) -> Self {
        let ply = XgLevel::Ply(settings.ply).name();
        let reduced = match settings.luck.is_some() {
            true => " with Variance Reduction",
            false => "",
        };
        let moves = match settings.early {
            Some(early) => {
                let first = XgLevel::Ply(early.ply).name();
                format!("{first} for {} rolls, then {ply}", early.rolls)
            }
            None => ply.clone(),
        };
        let cube = match settings.cube {
            Some(_) => format!("cube decisions: {ply}"),
            None => "without the cube".into(),
        };
        let mut lines = vec![
            format!("{games} Games rolled{reduced}."),
            format!("Dice Seed: {}", settings.seed),
            format!("Moves: {moves}, {cube}"),
        ];
        lines.extend(settings.truncation().map(|how| format!("Games {how}")));
        Self(lines)
    }
}

/// A candidate play.
#[derive(Clone, Debug)]
pub struct XgPlay {
    /// The play as players write it.
    pub play: String,
    /// Where the figures come from.
    pub level: XgLevel,
    /// Points on the present cube.
    pub equity: f64,
    /// Chances of the player who makes it.
    pub chances: Probabilities,
    /// Half the width of the 95 % interval, of a rollout.
    pub half_width: Option<f64>,
    /// The chance that it is the best of the plays that were rolled out with it.
    pub p_best: Option<f64>,
    /// How it was rolled out, where that is known.
    pub rollout: Option<XgRollout>,
}

/// Where figures come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum XgLevel {
    /// Lookahead of so many plies, as this program counts them.
    Ply(u8),
    Rollout,
}

impl XgLevel {
    fn name(self) -> String {
        match self {
            Self::Ply(ply) => format!("{}-ply", u32::from(ply) + 1),
            Self::Rollout => "Rollout".into(),
        }
    }
}

impl XgText<'_> {
    /// The text, with a line feed at the end of each line.
    pub fn write(&self) -> String {
        // What is asked before the roll is asked of the doubler.
        let state = match self.state.roll {
            Some(_) => *self.state,
            None => self.state.roller(),
        };
        let names = match self.names {
            // X is on roll, no matter who decides.
            None => ["Player", "Opponent"],
            Some([decides, other]) if self.state.doubled && self.state.roll.is_none() => {
                [other, decides]
            }
            Some(names) => names,
        };
        let mut out = format!("{}\n\n", xgid_text(&state));
        let _ = writeln!(out, "X:{}   O:{}", word(names[0]), word(names[1]));
        score(&mut out, &state);
        out.push_str(&board_text(&state));
        below(&mut out, &state);
        match &self.analysis {
            XgAnalysis::None => {}
            XgAnalysis::Plays(plays) => write_plays(&mut out, (1..).zip(plays)),
            XgAnalysis::PlaysAndMade { first, rank, made } => {
                write_plays(&mut out, (1..).zip(first).chain([(*rank, made)]));
            }
            XgAnalysis::Cube {
                level,
                chances,
                decision,
                rolled,
            } => {
                let _ = writeln!(out, "Analyzed in {}", level.name());
                write_chances(&mut out, &state, chances, rolled.as_ref());
                let doubled = rolled.as_ref().map_or(chances, |r| &r.doubled_chances);
                write_cubeless(&mut out, &state, self.table, [chances, doubled]);
                write_cube(&mut out, &state, decision);
                if let Some(rolled) = rolled {
                    write_rolled_cube(&mut out, decision, rolled);
                }
            }
        }
        let _ = write!(out, "\nLuckless Version: {}", env!("CARGO_PKG_VERSION"));
        if !state.score.is_money() {
            let _ = write!(out, ", MET: {}", self.table.name());
        }
        out.push('\n');
        out
    }
}

/// A name as one word: readers end it at a blank or a colon.
fn word(name: &str) -> String {
    let letter = |c: char| {
        if c.is_whitespace() || c == ':' {
            '_'
        } else {
            c
        }
    };
    match crate::sanitize::clean(name).trim() {
        "" => "Player".into(),
        name => name.chars().map(letter).collect(),
    }
}

fn score(out: &mut String, state: &GameState) {
    let score = &state.score;
    if score.is_money() {
        out.push_str("Score is X:0 O:0. Unlimited Game");
        if state.rules.jacoby {
            out.push_str(", Jacoby");
        }
        if state.rules.beavers {
            out.push_str(if state.rules.jacoby {
                " Beaver"
            } else {
                ", Beaver"
            });
        }
        out.push('\n');
    } else {
        let _ = writeln!(
            out,
            "Score is X:{} O:{} {} pt.(s) match.",
            score.mover, score.opponent, score.length
        );
    }
}

/// The board alone, 13 lines. X is the player of `state`, who bears off at the lower right. A turned cube
/// stands beside it, on its owner's side.
pub fn board_text(state: &GameState) -> String {
    let mut out = String::new();
    let cube = turned_cube(state);
    let mut line = |row: usize, text: &str| {
        let beside = cube.iter().find(|(at, _)| *at == row);
        let beside = beside.map_or("", |(_, part)| part);
        let _ = writeln!(out, "{}", format!("{text}{beside}").trim_end());
    };
    line(0, " +13-14-15-16-17-18------19-20-21-22-23-24-+");
    for row in 0..ROWS {
        line(1 + usize::from(row), &half(state, row, true));
    }
    line(6, " |                  |BAR|                  |");
    for row in (0..ROWS).rev() {
        line(11 - usize::from(row), &half(state, row, false));
    }
    line(12, " +12-11-10--9--8--7-------6--5--4--3--2--1-+");
    out
}

/// A row of half a board, counted from its edge.
fn half(state: &GameState, row: u8, top: bool) -> String {
    let cell = |column: usize| {
        let point = if top { 13 + column } else { 12 - column };
        let [mover, opponent] = sides(state);
        match (mover.at(point), opponent.at(BAR - point)) {
            (0, 0) => "   ".to_owned(),
            (0, count) => checker(count, row, 'O'),
            (count, _) => checker(count, row, 'X'),
        }
    };
    let cells = |columns: std::ops::Range<usize>| columns.map(cell).collect::<String>();
    // Those on the bar stand nearest the middle: the mover's above it.
    let [mover, opponent] = sides(state);
    let (count, sign) = if top {
        (mover.bar(), 'X')
    } else {
        (opponent.bar(), 'O')
    };
    let bar = checker(count, ROWS - 1 - row, sign);
    format!(" |{}|{bar}|{}|", cells(0..6), cells(6..12))
}

fn sides(state: &GameState) -> [&Side; 2] {
    [&state.position.mover, &state.position.opponent]
}

/// Draws a stack's row, counted from its edge. Above five checkers the innermost row has their number.
fn checker(count: u8, row: u8, sign: char) -> String {
    match count {
        _ if row >= count => "   ".into(),
        6.. if row == ROWS - 1 => format!("{count:>2} "),
        _ => format!(" {sign} "),
    }
}

/// A cube that somebody owns, in three parts beside rows of the board.
fn turned_cube(state: &GameState) -> Vec<(usize, String)> {
    let first = match state.owner {
        CubeOwner::Centred => return Vec::new(),
        CubeOwner::Opponent => 1,
        CubeOwner::Mover => 9,
    };
    let value = format!("{:^3}", state.cube);
    let edge = format!(" +{}+", "-".repeat(value.len()));
    vec![
        (first, edge.clone()),
        (first + 1, format!(" |{value}|")),
        (first + 2, edge),
    ]
}

fn below(out: &mut String, state: &GameState) {
    let score = &state.score;
    let of_match = match score.is_money() {
        true => String::new(),
        false => format!("/{}", score.length),
    };
    let crawford = if score.crawford { " Crawford" } else { "" };
    let (mover, opponent) = match score.is_money() {
        true => (0, 0),
        false => (score.mover, score.opponent),
    };
    let _ = writeln!(
        out,
        "Pip count  X: {}  O: {} X-O: {mover}-{opponent}{of_match}{crawford}",
        state.position.mover.pips(),
        state.position.opponent.pips(),
    );
    let owner = match state.owner {
        CubeOwner::Centred => "",
        CubeOwner::Mover => ", X own cube",
        CubeOwner::Opponent => ", O own cube",
    };
    let _ = writeln!(out, "Cube: {}{owner}", state.cube);
    match state.roll {
        Some(roll) => writeln!(out, "X to play {roll}\n"),
        None => writeln!(out, "X on roll, cube action\n"),
    }
    .unwrap_or_default();
}

/// Writes the plays with their places in the list, from 1.
fn write_plays<'a>(out: &mut String, plays: impl Iterator<Item = (usize, &'a XgPlay)>) {
    let mut best = None;
    // One note for all plays that were rolled out alike.
    let mut rollouts: Vec<&XgRollout> = Vec::new();
    for (place, one) in plays {
        let mut level = one.level.name();
        if let Some(rollout) = &one.rollout {
            let known = rollouts.iter().position(|r| *r == rollout);
            let at = known.unwrap_or(rollouts.len());
            if known.is_none() {
                rollouts.push(rollout);
            }
            level.push_str(&note_sign(at));
        }
        let head = format!("{place:>5}. {level:<12}{:<29}", one.play);
        let _ = write!(out, "{head}eq:{:+.3}", one.equity);
        match best {
            None => best = Some(one.equity),
            Some(best) => {
                let _ = write!(out, " ({:+.3})", one.equity - best);
            }
        }
        out.push('\n');
        let [mover, opponent] = shares(&one.chances);
        let _ = writeln!(out, "      {:<10}{mover}", "Player:");
        let _ = writeln!(out, "      {:<10}{opponent}", "Opponent:");
        if let Some(half) = one.half_width {
            let (low, high) = (one.equity - half, one.equity + half);
            let _ = write!(out, "      Confidence: ±{half:.3} ({low:+.3}..{high:+.3})");
            if let Some(chance) = one.p_best {
                let chance = chance_right(chance);
                let _ = write!(out, " - [{}]", chance.trim_start_matches(['<', '>']));
            }
            out.push('\n');
        }
        out.push('\n');
    }
    for (i, XgRollout(lines)) in rollouts.into_iter().enumerate() {
        let _ = writeln!(out, "{} {}", note_sign(i), lines.join("\n  "));
    }
}

/// The sign of the note about a rollout.
fn note_sign(place: usize) -> String {
    match place {
        0 => "¹".into(),
        1 => "²".into(),
        2 => "³".into(),
        place => (place + 1).to_string(),
    }
}

/// The chances of each side: wins, and among them gammons or more, and backgammons.
fn shares(chances: &Probabilities) -> [String; 2] {
    let line = |win: f32, gammon: f32, backgammon: f32| {
        // Subtracted luck can leave less than nothing.
        let [win, gammon, backgammon] = [win, gammon, backgammon].map(|p| 100.0 * p.max(0.0));
        format!("{win:.2}% (G:{gammon:.2}% B:{backgammon:.2}%)")
    };
    [
        line(chances.win, chances.win_gammon, chances.win_backgammon),
        line(
            1.0 - chances.win,
            chances.lose_gammon,
            chances.lose_backgammon,
        ),
    ]
}

/// Writes the chances: a rollout has those after a double as well.
fn write_chances(
    out: &mut String,
    state: &GameState,
    chances: &Probabilities,
    rolled: Option<&XgRolledCube>,
) {
    let mut block = |head: &str, indent: &str, chances: &Probabilities| {
        let [mover, opponent] = shares(chances);
        out.push_str(head);
        let _ = writeln!(out, "{indent}{:<26}{mover}", "Player Winning Chances:");
        let _ = writeln!(out, "{indent}{:<26}{opponent}", "Opponent Winning Chances:");
    };
    let doubled = rolled.map_or(chances, |rolled| &rolled.doubled_chances);
    match (rolled, state.owner) {
        (None, _) => block("", "", chances),
        (Some(_), CubeOwner::Mover) => {
            block("No redouble\n", "  ", chances);
            block("Redouble/Take\n", "  ", doubled);
        }
        (Some(_), _) => {
            block("No double\n", "  ", chances);
            block("Double/Take\n", "  ", doubled);
        }
    }
}

/// Writes what the chances without a double and after one that is taken are worth with a dead cube, in points on the
/// present cube.
fn write_cubeless(
    out: &mut String,
    state: &GameState,
    table: &EquityTable,
    chances: [&Probabilities; 2],
) {
    let context = CubeContext::new(&state.score, state.rules, table);
    let CubelessEquities { no_double, double } = CubelessEquities::new(&context, state, chances);
    let _ = write!(out, "\nCubeless Equities: No Double={no_double:+.3}");
    if let Some(double) = double {
        let _ = write!(out, ", Double={double:+.3}");
    }
    out.push_str("\n\n");
}

/// Writes how a cube decision was rolled out.
fn write_rolled_cube(out: &mut String, decision: &CubeDecision, rolled: &XgRolledCube) {
    let _ = writeln!(out, "\nRollout:");
    for line in &rolled.rollout.0 {
        let _ = writeln!(out, " {line}");
    }
    let doubled = doubled(decision).unwrap_or(decision.no_double);
    let [hold_half, take_half] = rolled.half_widths;
    // The rollout is of a take; a beaver is worth twice as much.
    let doubled_half = match decision.is_beavered() {
        true => 2.0 * take_half,
        false => take_half,
    };
    let sides = [
        ("Confidence No Double:", decision.no_double),
        ("Confidence Double:", doubled),
    ];
    let sides = sides.into_iter().zip([hold_half, doubled_half]);
    // One trial shows no spread.
    for ((name, value), half) in sides.filter(|(_, half)| half.is_finite()) {
        let value = f64::from(value);
        let (low, high) = (value - half, value + half);
        let _ = writeln!(out, " {name:<22}±{half:.3} ({low:+.3}..{high:+.3})");
    }
}

/// Returns the value of a double that is taken, with the beaver if that is the right answer.
fn doubled(decision: &CubeDecision) -> Option<f32> {
    decision.beavered().or(decision.double_take)
}

fn write_cube(out: &mut String, state: &GameState, decision: &CubeDecision) {
    let is_turned = state.owner == CubeOwner::Mover;
    let (names, width) = match is_turned {
        true if decision.is_beavered() => {
            (["No redouble:", "Redouble/Beaver:", "Redouble/Pass:"], 17)
        }
        true => (["No redouble:", "Redouble/Take:", "Redouble/Pass:"], 17),
        false if decision.is_beavered() => (["No double:", "Double/Beaver:", "Double/Pass:"], 15),
        false => (["No double:", "Double/Take:", "Double/Pass:"], 15),
    };
    out.push_str("Cubeful Equities:\n");
    let right = decision.cubeful_equity;
    let values = [
        Some(decision.no_double),
        doubled(decision),
        decision.double_pass,
    ];
    for (name, value) in names.into_iter().zip(values) {
        let Some(value) = value else { continue };
        let _ = write!(out, "       {name:<width$}{value:+.3}");
        // The right action is the one that is worth what the decision is.
        if (value - right).abs() > 5e-7 {
            let _ = write!(out, " ({:+.3})", value - right);
        }
        out.push('\n');
    }
    let action = match decision.double_take {
        Some(_) => best(decision.action, is_turned),
        // Nobody may double, so nobody answers.
        None => "No double",
    };
    let _ = writeln!(out, "\nBest Cube action: {action}");
    let (answer, share) = match ErrorNeeded::of(decision) {
        Some(ErrorNeeded::Passes(share)) => ("pass", share),
        Some(ErrorNeeded::Takes(share)) => ("take", share),
        None => return,
    };
    let _ = writeln!(
        out,
        "Percentage of wrong {answer} needed to make the double decision right: {:.1}%",
        100.0 * share
    );
}

fn best(action: CubeAction, is_turned: bool) -> &'static str {
    match (action, is_turned) {
        (CubeAction::NoDouble, false) => "No double / Take",
        (CubeAction::NoDouble, true) => "No redouble / Take",
        (CubeAction::DoubleTake, false) => "Double / Take",
        (CubeAction::DoubleTake, true) => "Redouble / Take",
        (CubeAction::DoublePass, false) => "Double / Pass",
        (CubeAction::DoublePass, true) => "Redouble / Pass",
        (CubeAction::TooGoodTake, false) => "Too good to double / Take",
        (CubeAction::TooGoodTake, true) => "Too good to redouble / Take",
        (CubeAction::TooGoodPass, false) => "Too good to double / Pass",
        (CubeAction::TooGoodPass, true) => "Too good to redouble / Pass",
        (CubeAction::NoDoubleBeaver, false) => "No double / Beaver",
        (CubeAction::NoDoubleBeaver, true) => "No redouble / Beaver",
        (CubeAction::DoubleBeaver, false) => "Double / Beaver",
        (CubeAction::DoubleBeaver, true) => "Redouble / Beaver",
    }
}

#[cfg(test)]
mod tests;
