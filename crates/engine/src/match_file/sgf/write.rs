//! Writes SGF in GNU Backgammon's form: one tree per game, one node per action.
//!
//! An analysis from an SGF file is written back unchanged. Another program's analysis becomes a comment,
//! because in the properties it would be taken for GNU Backgammon's own.

use std::fmt::Write as _;

use super::board::letter;
use super::head::ANALYSED_BY;
use super::syntax::escape;
use crate::game::position::{BAR, Side};
use crate::game::{Play, Player, Position};
use crate::match_file::analysis::Analysis;
use crate::match_file::model::{Action, DecisionState, Game, LonePosition, Match};
use crate::match_file::place::EventPlace;
use crate::match_file::text::{clean, clean_lines};
use crate::match_file::{Date, NodeId, Variations};
use crate::notation::play_text;

/// Number of plays of another program's analysis listed in a comment.
const LISTED: usize = 5;

/// Returns the match as a collection, followed by the further matches.
pub fn write(record: &Match) -> String {
    let mut text = String::new();
    for index in 0..record.games.len() {
        write_game(&mut text, record, index);
    }
    for position in &record.positions {
        write_position(&mut text, record, position);
    }
    for other in &record.others {
        text.push_str(&write(other));
    }
    text
}

fn colour(player: Player) -> char {
    match player {
        Player::Left => 'W',
        Player::Right => 'B',
    }
}

fn simple(text: &str) -> String {
    escape(&clean(text))
}

fn write_head(text: &mut String, record: &Match, number: u32, score: [u16; 2], crawford: bool) {
    let version = env!("CARGO_PKG_VERSION");
    // The program whose analysis is written back unchanged.
    let kept = record.analyses.iter().map(|(_, _, analysis)| analysis);
    let program = (kept.filter(|analysis| analysis.sgf.is_some()))
        .map(|analysis| analysis.program.as_str())
        .find(|program| !program.is_empty() && !program.starts_with("Luckless"));
    let by = program.map_or_else(String::new, |program| {
        format!("{ANALYSED_BY}{})", simple(&program.replace(':', " ")))
    });
    let _ = write!(
        text,
        "(;FF[4]GM[6]CA[UTF-8]AP[Luckless:{version}{by}]MI[length:{}][game:{}][ws:{}][bs:{}]PW[{}]PB[{}]",
        record.length,
        number.saturating_sub(1),
        score[0],
        score[1],
        simple(&record.players[0]),
        simple(&record.players[1]),
    );
    let mut rules = Vec::new();
    if record.length > 0 && record.crawford {
        rules.push("Crawford");
        if crawford {
            rules.push("CrawfordGame");
        }
    }
    if record.length == 0 && record.rules.jacoby {
        rules.push("Jacoby");
    }
    if !rules.is_empty() {
        let _ = write!(text, "RU[{}]", rules.join(":"));
    }
}

/// Writes the tags, in the first game only.
fn write_tags(text: &mut String, record: &Match) {
    for (property, tag) in super::head::TAGS {
        let is_it = |(key, _): &&(String, String)| key.eq_ignore_ascii_case(tag);
        let mut values = record.tags.iter().filter(is_it).map(|(_, value)| value);
        let value = match property {
            "DT" => values
                .next()
                .and_then(|value| Date::parse(value))
                .map(|date| date.to_string()),
            // All remarks, one per line.
            "GC" => Some(escape(
                &values
                    .map(|value| clean_lines(value).0)
                    .collect::<Vec<_>>()
                    .join("\n"),
            )),
            _ => values.next().map(|value| simple(value)),
        };
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            let _ = write!(text, "{property}[{value}]");
        }
    }
}

fn write_game(text: &mut String, record: &Match, index: usize) {
    let game = &record.games[index];
    write_head(text, record, game.number, game.score, game.crawford);
    if index == 0 {
        write_tags(text, record);
    }
    if let Some(result) = game.result {
        let resigned = if is_resigned(record, game) { "R" } else { "" };
        let _ = write!(
            text,
            "RE[{}+{}{resigned}]",
            colour(result.winner),
            result.points
        );
    }
    write_remarks(text, record, index, None, None);
    text.push('\n');
    if game.start != Position::opening() || game.cube != 1 || game.owner.is_some() {
        let first = game.events.first().map_or(Player::Left, |e| e.player);
        write_set_up(text, &game.start, game.cube, game.owner, first);
        text.push('\n');
    }
    write_events(text, record, index);
    text.push_str(")\n");
}

/// Writes the events of a game and then its variations, last one first.
fn write_events(text: &mut String, record: &Match, index: usize) {
    let game = &record.games[index];
    let decisions = record.decision_states(game);
    let mut beavered = None;
    let mut branches = Vec::new();
    for (i, (event, decision)) in game.events.iter().zip(&decisions).enumerate() {
        let tree = record.variations.get(&(index, i));
        if let Some(tree) = tree.filter(|tree| !tree.is_empty()) {
            // The game itself is the first branch.
            text.push('(');
            if event.action == Action::Resign {
                text.push_str(";\n");
            }
            branches.push((tree, beavered.is_some()));
        }
        if let Some(by) = beavered.take() {
            // A roll after a beaver means that the beaver was accepted.
            if event.action.roll().is_some() {
                let _ = writeln!(text, ";{by}[take]");
            }
        }
        if event.action == Action::Resign {
            // The result contains the resignation; a remark on it gets its own node.
            let mut remarks = String::new();
            write_remarks(&mut remarks, record, index, Some(i), None);
            if !remarks.is_empty() {
                let _ = writeln!(text, ";{remarks}");
            }
            continue;
        }
        write_action(text, event.player, event.action);
        if matches!(event.action, Action::Beaver { .. }) {
            beavered = Some(colour(event.player.other()));
        }
        write_analysis(text, record, (index, i), decision);
        text.push('\n');
    }
    while let Some((tree, is_beavered)) = branches.pop() {
        text.push_str(")\n");
        for first in tree.children(None) {
            write_branch(text, tree, first, is_beavered);
        }
    }
}

/// Writes the analysis of an event and the remarks on it.
fn write_analysis(
    text: &mut String,
    record: &Match,
    (game, event): EventPlace,
    decision: &DecisionState,
) {
    let analysis = record.analyses.of(game, event);
    if let Some(sgf) = analysis.and_then(|a| a.sgf.as_deref()) {
        text.push_str(sgf);
    }
    let foreign = analysis.filter(|a| a.sgf.is_none());
    let analysis_text = foreign.map(|analysis| in_words(analysis, decision));
    write_remarks(text, record, game, Some(event), analysis_text.as_deref());
}

/// Writes a variation from `first` on, as a branch that may contain branches.
fn write_branch(text: &mut String, tree: &Variations, first: NodeId, is_beavered: bool) {
    text.push('(');
    let (mut next, mut is_beavered) = (Some(first), is_beavered);
    while let Some(node) = next.and_then(|id| tree.node(id)) {
        let player = node.before.player;
        let action = node.action;
        if is_beavered && matches!(action, Action::Move { .. }) {
            let _ = writeln!(text, ";{}[take]", colour(player));
        }
        write_action(text, player, action);
        write_comment(text, node.comment.as_deref());
        text.push('\n');
        is_beavered = matches!(action, Action::Beaver { .. });
        let mut children = tree.children(next);
        let (one, other) = (children.next(), children.next());
        if other.is_some() {
            for child in tree.children(next) {
                write_branch(text, tree, child, is_beavered);
            }
            break;
        }
        next = one;
    }
    text.push_str(")\n");
}

fn write_action(text: &mut String, player: Player, action: Action) {
    let colour = colour(player);
    let _ = match action {
        Action::Move { roll, play } => {
            write!(text, ";{colour}[{roll}{}]", letters(player, &play))
        }
        Action::Hidden { roll } => write!(text, ";PL[{colour}]DI[{roll}]"),
        Action::Illegal { roll, after } => {
            // In GNU Backgammon's form for dice and a board that were set by hand. The letters of an illegal
            // play would end its reading.
            let _ = write!(text, ";PL[{colour}]DI[{roll}]\n;");
            write_board(text, &player.other().turned(after));
            Ok(())
        }
        Action::Double { .. } | Action::Beaver { .. } => write!(text, ";{colour}[double]"),
        Action::Take => write!(text, ";{colour}[take]"),
        Action::Pass => write!(text, ";{colour}[drop]"),
        Action::Resign => Ok(()),
    };
}

/// Returns whether a game ended by resignation: neither borne off nor passed.
fn is_resigned(record: &Match, game: &Game) -> bool {
    let last = game.events.last().map(|event| event.action);
    !matches!(last, Some(Action::Pass)) && !record.final_position(game).is_over()
}

fn write_remarks(
    text: &mut String,
    record: &Match,
    game: usize,
    event: Option<usize>,
    more: Option<&str>,
) {
    let own = record
        .comments
        .iter()
        .filter(|comment| (comment.game, comment.event) == (game, event))
        .map(|comment| comment.text.as_str());
    let all: Vec<&str> = own.chain(more).collect();
    if !all.is_empty() {
        let _ = write!(text, "C[{}]", escape(&all.join("\n")));
    }
}

/// Returns an analysis as a remark.
fn in_words(analysis: &Analysis, decision: &DecisionState) -> String {
    let mut lines = vec![format!("{}:", analysis.program)];
    if let Some(cube) = &analysis.cube {
        let figures = [
            ("no double", cube.no_double),
            ("double/take", cube.double_take),
            ("double/pass", cube.double_pass),
        ];
        let figures = figures.iter().filter_map(|(name, figure)| {
            let figure = (*figure)?;
            Some(format!("{name} {figure:+.3}"))
        });
        lines.push(format!(
            "{}: {}",
            cube.level,
            figures.collect::<Vec<_>>().join(", ")
        ));
    }
    for (i, verdict) in analysis.plays.iter().enumerate() {
        let played = analysis.played == Some(i);
        if i < LISTED || played {
            let text = play_text(&decision.state.position, &verdict.play);
            let mark = if played { "*" } else { " " };
            let (level, equity) = (&verdict.level, verdict.equity);
            lines.push(format!("{mark}{}. {text} {equity:+.3} ({level})", i + 1));
        }
    }
    if let Some(error) = analysis.error {
        lines.push(format!("error {error:.3}"));
    }
    if let Some(luck) = analysis.luck {
        lines.push(format!("luck {luck:+.3}"));
    }
    lines.join("\n")
}

/// Returns the letters of each step: origin and destination.
fn letters(player: Player, play: &Play) -> String {
    play.steps()
        .flat_map(|step| [letter(player, step.from), letter(player, step.to)])
        .collect()
}

fn write_set_up(
    text: &mut String,
    board: &Position,
    cube: u32,
    owner: Option<Player>,
    on_roll: Player,
) {
    text.push(';');
    write_board(text, board);
    let owner = match owner {
        None => 'c',
        Some(Player::Left) => 'w',
        Some(Player::Right) => 'b',
    };
    let _ = write!(text, "CV[{cube}]CP[{owner}]PL[{}]", colour(on_roll));
}

fn write_board(text: &mut String, board: &Position) {
    text.push_str("AE[a:y]");
    let mut add = |player: Player, side: &Side| {
        let mut values = String::new();
        for point in 1..=BAR {
            let letter = letter(player, point as u8);
            for _ in 0..side.at(point) {
                let _ = write!(values, "[{letter}]");
            }
        }
        if !values.is_empty() {
            let _ = write!(text, "A{}{values}", colour(player));
        }
    };
    add(Player::Left, &board.mover);
    add(Player::Right, &board.opponent);
}

fn write_comment(text: &mut String, comment: Option<&str>) {
    if let Some(comment) = comment {
        let _ = write!(text, "C[{}]", escape(comment));
    }
}

/// Writes a standalone position: a game without events in which the player on roll is white. Its variations
/// follow an empty first branch.
fn write_position(text: &mut String, record: &Match, position: &LonePosition) {
    use crate::game::CubeOwner;
    let state = &position.state;
    let roller = state.roller();
    let players = match position.players.as_deref() {
        // The player who answers a double is not on roll.
        Some([decides, other]) if state.doubled => [other.clone(), decides.clone()],
        Some(names) => names.clone(),
        None => record.players.clone(),
    };
    let alone = Match {
        length: state.score.length,
        crawford: state.has_crawford_rule(),
        players,
        rules: state.rules,
        ..Match::default()
    };
    let score = [roller.score.mover, roller.score.opponent];
    write_head(text, &alone, 1, score, state.score.crawford);
    text.push('\n');
    let owner = match roller.owner {
        CubeOwner::Centred => None,
        CubeOwner::Mover => Some(Player::Left),
        CubeOwner::Opponent => Some(Player::Right),
    };
    write_set_up(text, &roller.position, roller.cube, owner, Player::Left);
    if let Some(roll) = roller.roll {
        let _ = write!(text, "DI[{roll}]");
    }
    write_comment(text, position.comment.as_deref());
    text.push('\n');
    if state.doubled {
        text.push_str(";W[double]\n");
    }
    let tree = position.variations.as_deref();
    if let Some(tree) = tree.filter(|tree| !tree.is_empty()) {
        text.push_str("(;)\n");
        let player = match state.doubled {
            true => Player::Right,
            false => Player::Left,
        };
        let mut coloured = Variations::at(DecisionState {
            player,
            ..LonePosition::root(state)
        });
        coloured.merge(tree);
        for first in coloured.children(None) {
            write_branch(text, &coloured, first, false);
        }
    }
    text.push_str(")\n");
}
