//! Determines the winner and the points of a game from the board, the cube, the result line and the next
//! score. If they differ, the game's own moves take precedence, then the next score, then the written number.
//! Servers cap that number at the points needed, count gammons that were not won, or write a sentinel.

use crate::game::{CubeOwner, Player, Position, Rules};
use crate::match_file::cube::{GameCube, is_automatic};
use crate::match_file::model::{Action, GameResult};
use crate::match_file::start::Start;
use crate::match_file::text::quote;
use crate::match_file::warnings::{BREAKS_OFF, SCORE_HAS_IT};

/// The facts of a game that precede its cells.
pub(crate) struct GameHead<'a> {
    pub(crate) number: u32,
    pub(crate) names: &'a [String; 2],
    pub(crate) length: u16,
    pub(crate) score: [u16; 2],
    pub(crate) next_score: Option<[u16; 2]>,
    pub(crate) crawford: bool,
    /// The rules in force.
    pub(crate) rules: Rules,
    pub(crate) start: Start,
    /// Factor by which automatic doubles multiply the written numbers: 1 in most games.
    pub(crate) left_out: u32,
    pub(crate) right_column: usize,
    /// Line of the head of the game.
    pub(crate) line: u32,
}

impl GameHead<'_> {
    /// Returns the head with this cube at the start, which the written numbers do not include.
    pub(super) fn with_automatic_doubles(self, cube: u32) -> Self {
        let start = Start { cube, ..self.start };
        Self {
            start,
            left_out: cube,
            ..self
        }
    }
}

/// Returns the name of a player in messages.
pub(super) fn called(names: &[String; 2], player: Player) -> String {
    quote(&names[player.index()])
}

/// The content of a result line: winner, points and line.
#[derive(Clone, Copy)]
struct WrittenWin {
    player: Player,
    points: Option<u32>,
    line: u32,
}

/// The end of a game, according to its cells.
#[derive(Clone)]
pub(crate) struct Ending {
    /// The last board, seen by the left player.
    pub(crate) left: Position,
    /// The last cube, perhaps with an unanswered double.
    pub(crate) cube: GameCube,
    /// The winner by a pass, and the points.
    pub(crate) passed: Option<(Player, u32)>,
    /// A resignation is written.
    pub(crate) resigned: bool,
    /// The game was cut before its end.
    pub(crate) cut: bool,
    wins: Option<WrittenWin>,
    loses: Option<(Player, u32)>,
}

impl Default for Ending {
    fn default() -> Self {
        Self {
            left: Position::opening(),
            cube: GameCube::new(1, None),
            passed: None,
            resigned: false,
            cut: false,
            wins: None,
            loses: None,
        }
    }
}

impl Ending {
    pub(crate) fn wins(&mut self, player: Player, points: Option<u32>, line: u32) {
        let win = WrittenWin {
            player,
            points,
            line,
        };
        let known = self.wins.get_or_insert(win);
        // A resignation may come first, without points.
        if known.player == player {
            known.points = known.points.or(points);
        }
    }

    pub(crate) fn loses(&mut self, player: Player, line: u32) {
        self.loses.get_or_insert((player, line));
    }

    /// Returns whether a result is written.
    pub(crate) fn is_written(&self) -> bool {
        self.wins.is_some() || self.loses.is_some()
    }

    /// Returns the written winner.
    pub(super) fn winner(&self) -> Option<Player> {
        let wins = self.wins.map(|win| win.player);
        wins.or(self.loses.map(|(player, _)| player.other()))
    }

    /// Returns the line of the result.
    pub(crate) fn line(&self) -> Option<u32> {
        self.wins
            .map(|win| win.line)
            .or(self.loses.map(|(_, line)| line))
    }

    pub(crate) fn points_written(&self) -> Option<u32> {
        self.wins?.points
    }

    /// Returns the winner and points by the moves of the game: borne off, or passed.
    fn played_out(&self, rules: Rules) -> Option<(Player, u32)> {
        if self.passed.is_some() {
            return self.passed;
        }
        let cube = (self.cube.value, self.cube.owner);
        let result = GameResult::on_board(&self.left, cube, rules)?;
        Some((result.winner, result.points))
    }
}

/// The output of [`settle`].
#[derive(Default)]
pub(crate) struct Settled {
    pub(crate) result: Option<GameResult>,
    /// The last event, if it is not among the cells.
    pub(crate) last_event: Option<(Player, Action)>,
    pub(crate) warnings: Vec<String>,
    /// The next score counts a gammon by the Jacoby rule.
    /// `None` if it does not show that, or if the rule is known.
    pub(crate) by_jacoby: Option<bool>,
    /// Starting cube by automatic doubles, if the next score includes it and the file does not write it.
    pub(crate) automatic: Option<u32>,
}

pub(crate) fn settle(ending: &Ending, head: &GameHead<'_>) -> Settled {
    let mut settled = Settled {
        by_jacoby: by_jacoby(ending, head),
        automatic: automatic_doubles(ending, head),
        ..Settled::default()
    };
    if let Some((winner, points)) = ending.played_out(head.rules) {
        settled.result = Some(GameResult { winner, points });
        check_written(&mut settled, ending, head, winner, points);
        return settled;
    }
    let written = match (ending.wins, ending.loses) {
        (Some(win), _) => Some((win.player, win.points)),
        (None, Some((player, _))) => Some((player.other(), None)),
        (None, None) => None,
    };
    let by_score = by_next_score(head);
    // The next score takes precedence over the column of the result.
    let contradicts =
        |&(player, _): &(Player, u32)| written.is_some_and(|(winner, _)| winner != player);
    let written = match by_score.filter(contradicts) {
        Some((player, points)) => {
            let name = called(head.names, player);
            let message = format!(
                "{name} has won by the next score, but the result stands in the other column"
            );
            settled.warnings.push(message);
            Some((player, Some(points)))
        }
        None => written,
    };
    let outcome = written.or(by_score.map(|(player, points)| (player, Some(points))));
    let Some((winner, points)) = outcome else {
        broken_off(&mut settled, ending);
        return settled;
    };
    if written.is_none() {
        let message = "no result is written; it is taken from the next score";
        settled.warnings.push(message.to_owned());
    }
    let next = by_score.filter(|&(player, _)| player == winner);
    // It does not matter if one point ends the match.
    let matters = || needed(head, winner).is_none_or(|left| left > ending.cube.value);
    if ending.resigned && ending.points_written().is_none() && next.is_none() && matters() {
        let message = "resigned, but no line says for how many points: the cube counts";
        settled.warnings.push(message.to_owned());
    }
    let points = match next {
        Some((_, by_score)) if written.is_some() => {
            check_score(&mut settled, ending, head, winner, by_score);
            by_score
        }
        _ => resigned_points(&mut settled, ending, head, winner, points),
    };
    settled.result = Some(GameResult { winner, points });
    if !ending.cut {
        given_up(&mut settled, ending, head, next.is_some());
    }
    settled
}

/// Returns whether the next score follows the Jacoby rule, shown by a money game that ended in an undoubled
/// gammon.
fn by_jacoby(ending: &Ending, head: &GameHead<'_>) -> Option<bool> {
    if head.length > 0 || head.rules.jacoby {
        return None;
    }
    let jacoby = Rules {
        jacoby: true,
        ..head.rules
    };
    let both = [true, false].map(|by| ending.played_out(if by { jacoby } else { head.rules }));
    let next = by_next_score(head).filter(|_| both[0] != both[1]);
    next.and_then(|next| Some(both.iter().position(|one| *one == Some(next))? == 0))
}

/// Returns the starting cube of a money game, if the next score counts a multiple of the points played and
/// written. GNU Backgammon writes doubles and results without automatic doubles.
fn automatic_doubles(ending: &Ending, head: &GameHead<'_>) -> Option<u32> {
    let is_plain = head.length == 0 && ending.cube.begun_at == 1;
    let (winner, points) = ending.played_out(head.rules).filter(|_| is_plain)?;
    let agrees = |written| written == points;
    let (by, won) = by_next_score(head).filter(|_| ending.points_written().is_none_or(agrees))?;
    let cube = won / points;
    let is_so = by == winner && cube * points == won && cube > 1;
    (is_so && is_automatic(cube)).then_some(cube)
}

/// Warns that the winner is unknown.
fn broken_off(settled: &mut Settled, ending: &Ending) {
    let message = if ending.resigned {
        "resigned, but no line says who won"
    } else {
        BREAKS_OFF
    };
    // A game cut before its end already has a warning.
    if ending.resigned || !ending.cut {
        settled.warnings.push(message.to_owned());
    }
}

/// Sets the pass or resignation that ended the game.
fn given_up(settled: &mut Settled, ending: &Ending, head: &GameHead<'_>, has_next_score: bool) {
    let Some(GameResult { winner, points }) = settled.result else {
        return;
    };
    let is_offered = ending.cube.offered.is_some_and(|(by, _)| by == winner);
    // Points that end the match were won on the doubled cube; so were points of the next score that a pass
    // does not give.
    let ends_match = needed(head, winner) == Some(points);
    let is_taken = ends_match || has_next_score && points != ending.cube.value;
    let action = match (is_offered, is_taken) {
        (false, _) => Action::Resign,
        (true, true) => {
            let message = "the answer to the last double is missing";
            settled.warnings.push(message.to_owned());
            Action::Resign
        }
        (true, false) => {
            let lost = ending.cube.value;
            let message = match points == lost {
                true => "the answer to the last double is missing; it must be a pass".to_owned(),
                false => format!(
                    "the answer to the last double is missing; it is read as a pass, which gives {lost}, \
                     though the result says {points}"
                ),
            };
            settled.warnings.push(message);
            let points = lost;
            settled.result = Some(GameResult { winner, points });
            Action::Pass
        }
    };
    settled.last_event = Some((winner.other(), action));
}

/// Warns if the written result differs from that of the board.
fn check_written(
    settled: &mut Settled,
    ending: &Ending,
    head: &GameHead<'_>,
    winner: Player,
    points: u32,
) {
    let Some(written) = ending.wins else {
        return;
    };
    if written.player != winner {
        let name = called(head.names, winner);
        let message = format!("{name} has won, but the result stands in the other column");
        settled.warnings.push(message);
        return;
    }
    let capped = needed(head, winner).map_or(points, |need| points.min(need));
    let counted = |n: u32| n.saturating_mul(head.left_out);
    let differs = |&n: &u32| counted(n) != points && counted(n) != capped;
    if let Some(number) = written.points.filter(differs) {
        let message = format!("the result says {number}, the game gives {points}");
        settled.warnings.push(message);
    }
}

/// Warns if the next score gives more points than the written result, or points impossible on this cube: one
/// of the two is wrong. Fewer points need no warning: some servers count gammons that were not won.
fn check_score(
    settled: &mut Settled,
    ending: &Ending,
    head: &GameHead<'_>,
    winner: Player,
    by_score: u32,
) {
    let Some(written) = ending.points_written() else {
        return;
    };
    let cube = ending.cube.value;
    if written == by_score {
        // The Jacoby rule has no gammon before the cube is turned; the scorekeeper may not have applied the
        // rule.
        let is_too_much = by_score > most_points(ending, head, winner);
        // Points that win the match may be fewer than were won.
        let is_broken = !by_score.is_multiple_of(cube) && Some(by_score) != needed(head, winner);
        let why = match (is_too_much, is_broken) {
            // It is still unknown whether the last double was taken.
            _ if ending.cut || ending.cube.offered.is_some() => return,
            (true, _) => format!("is more than a cube of {cube} gives"),
            (_, true) => format!("does not fit a cube of {cube}"),
            _ => return,
        };
        let message = format!("a result of {written} {why}: {SCORE_HAS_IT}");
        settled.warnings.push(message);
        return;
    }
    // The cube of a game cut before its end is unknown.
    let is_of_cube = ending.cut
        || Some(by_score) == needed(head, winner)
        || by_score.is_multiple_of(cube) && by_score <= most_points(ending, head, winner);
    if !is_of_cube || written < by_score {
        let message =
            format!("the result says {written}, the next score gives {by_score}: the score counts");
        settled.warnings.push(message);
    }
}

/// Returns the points of a backgammon on the final cube; under the Jacoby rule only if it was turned.
fn most_points(ending: &Ending, head: &GameHead<'_>, winner: Player) -> u32 {
    let owner = CubeOwner::seen_by(ending.cube.owner, winner);
    head.rules.times_cube(3, owner) * ending.cube.value
}

/// Returns the points that `player` still needs in a match.
fn needed(head: &GameHead<'_>, player: Player) -> Option<u32> {
    (head.length > 0).then(|| u32::from(head.length.saturating_sub(head.score[player.index()])))
}

/// Returns the winner and points by the next score, if exactly one player's score has grown.
fn by_next_score(head: &GameHead<'_>) -> Option<(Player, u32)> {
    let next = head.next_score?;
    let grown = |player: Player| {
        let i = player.index();
        next[i].checked_sub(head.score[i]).map(u32::from)
    };
    match (grown(Player::Left)?, grown(Player::Right)?) {
        (points @ 1.., 0) => Some((Player::Left, points)),
        (0, points @ 1..) => Some((Player::Right, points)),
        _ => None,
    }
}

/// Maximum points of a money game that breaks off: a backgammon on a cube of 1,024.
const MOST_OF_CUT_GAME: u32 = 3 * 1024;

/// Returns the points of a resignation that no score confirms.
fn resigned_points(
    settled: &mut Settled,
    ending: &Ending,
    head: &GameHead<'_>,
    winner: Player,
    written: Option<u32>,
) -> u32 {
    let cube = ending.cube.value;
    let Some(written) = written else {
        return cube;
    };
    let need = needed(head, winner);
    let most = most_points(ending, head, winner);
    if Some(written) == need {
        return written;
    }
    // The cube of a game cut before its end is unknown.
    if ending.cut {
        let points = written.min(need.unwrap_or(MOST_OF_CUT_GAME));
        if points != written {
            let message =
                format!("a result of {written} of a game that breaks off, read as {points}");
            settled.warnings.push(message);
        }
        return points;
    }
    if written > most {
        // Points beyond those needed are a server's sentinel; otherwise cells may be missing.
        let points = need.map_or(most, |need| written.min(need));
        let message = match points == written {
            true => format!("a result of {written} is more than a cube of {cube} gives"),
            false => format!("a result of {written} on a cube of {cube}, read as {points}"),
        };
        settled.warnings.push(message);
        return points;
    }
    if written == 0 || written % cube != 0 {
        let message = format!("a result of {written} does not fit a cube of {cube}");
        settled.warnings.push(message);
    }
    written.max(1)
}
