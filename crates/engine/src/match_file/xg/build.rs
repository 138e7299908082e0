//! Builds eXtreme Gammon files from matches, for tests and the fuzzer only: XG itself imports match text and
//! SGF.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;

use super::container::{HEAD, RECORD};
use crate::game::position::BAR;
use crate::game::{CubeOwner, Play, Player, Position};
use crate::match_file::model::{Action, DecisionState, Game, Match};

/// Version of the records.
const VERSION: i32 = 30;
/// The match length of money play.
const MONEY: i32 = 99_999;

/// A record under construction.
struct Record([u8; RECORD]);

impl Record {
    fn new(kind: u8) -> Self {
        let mut record = Self([0; RECORD]);
        record.0[8] = kind;
        record
    }

    fn set(&mut self, at: usize, bytes: &[u8]) {
        self.0[at..at + bytes.len()].copy_from_slice(bytes);
    }

    fn i32(&mut self, at: usize, value: i32) {
        self.set(at, &value.to_le_bytes());
    }

    fn f32(&mut self, at: usize, value: f64) {
        self.set(at, &(value as f32).to_le_bytes());
    }

    fn f64(&mut self, at: usize, value: f64) {
        self.set(at, &value.to_le_bytes());
    }

    fn wide(&mut self, at: usize, text: &str) {
        for (i, unit) in text.encode_utf16().take(128).enumerate() {
            self.set(at + 2 * i, &unit.to_le_bytes());
        }
    }

    /// Writes the counts of a position; those of `own` are positive.
    fn position(&mut self, at: usize, position: &Position) {
        for point in 0..=BAR {
            let own = if point == 0 {
                0
            } else {
                position.mover.at(point)
            };
            let other = match BAR - point {
                0 => 0,
                p => position.opponent.at(p),
            };
            self.0[at + point] = (own as i8 - other as i8) as u8;
        }
    }
}

fn number(player: Player) -> i32 {
    match player {
        Player::Left => 1,
        Player::Right => -1,
    }
}

/// Returns the records of a match (`temp.xg`).
pub fn records(record: &Match) -> Vec<u8> {
    let mut out = head(record).0.to_vec();
    for (index, game) in record.games.iter().enumerate() {
        let doubles = automatic_doubles(game);
        out.extend(game_head(game, doubles).0);
        let decisions = record.decision_states(game);
        for (i, decision) in decisions.iter().enumerate() {
            match game.events[i].action {
                Action::Move { roll, play } => {
                    let mut out_record = Record::new(3);
                    let dice = [roll.high(), roll.low()];
                    move_record(&mut out_record, decision, doubles, dice, Some(&play));
                    if let Some(analysis) = record.analyses.of(index, i) {
                        candidates(&mut out_record, decision, analysis);
                    }
                    out.extend(out_record.0);
                }
                Action::Hidden { roll } => {
                    let mut out_record = Record::new(3);
                    let dice = [roll.high(), roll.low()];
                    move_record(&mut out_record, decision, doubles, dice, None);
                    out.extend(out_record.0);
                }
                Action::Illegal { roll, after } => {
                    let play = Play::between(&decision.state.position, &after);
                    let dice = [roll.high(), roll.low()];
                    let mut out_record = Record::new(3);
                    move_record(&mut out_record, decision, doubles, dice, play.as_ref());
                    out_record.position(35, &after.flipped());
                    out_record.i32(2480, 2);
                    out.extend(out_record.0);
                }
                Action::Double { .. } => {
                    let answer = game.events.get(i + 1).map(|e| e.action);
                    out.extend(cube_record(decision, doubles, answer).0);
                }
                Action::Take | Action::Pass | Action::Beaver { .. } | Action::Resign => {}
            }
        }
        out.extend(game_end(game).into_iter().flat_map(|record| record.0));
    }
    if !record.games.is_empty() {
        out.extend(Record::new(5).0);
    }
    out
}

fn head(record: &Match) -> Record {
    let mut out = Record::new(0);
    let length = if record.length == 0 {
        MONEY
    } else {
        i32::from(record.length)
    };
    out.i32(92, length);
    out.set(
        100,
        &[
            u8::from(record.crawford),
            u8::from(record.rules.jacoby),
            u8::from(record.rules.beavers),
        ],
    );
    out.i32(552, VERSION);
    out.set(556, b"DMLI");
    out.i32(576, -1);
    out.i32(580, -1);
    out.wide(880, &record.players[0]);
    out.wide(1138, &record.players[1]);
    out
}

/// Returns the number of automatic doubles: a higher cube in the middle at the start.
fn automatic_doubles(game: &Game) -> u32 {
    match game.owner {
        None => game.cube.ilog2(),
        Some(_) => 0,
    }
}

fn game_head(game: &Game, doubles: u32) -> Record {
    let mut out = Record::new(1);
    out.i32(12, i32::from(game.score[0]));
    out.i32(16, i32::from(game.score[1]));
    out.0[20] = u8::from(game.crawford);
    if game.start != Position::opening() {
        out.position(21, &game.start);
    }
    out.i32(48, game.number as i32);
    out.i32(56, -1);
    out.i32(60, -1);
    out.i32(64, doubles as i32);
    out
}

fn seen_by_left(decision: &DecisionState) -> Position {
    decision.player.turned(decision.state.position)
}

/// Returns the cube in the form of records: +n is 2 to the n owned by player 1, without automatic doubles.
fn cube(decision: &DecisionState, doubles: u32) -> i32 {
    let power = decision.state.cube.ilog2().saturating_sub(doubles) as i32;
    match (decision.state.owner, decision.player) {
        (CubeOwner::Centred, _) => 0,
        (CubeOwner::Mover, player) => number(player) * power,
        (CubeOwner::Opponent, player) => -number(player) * power,
    }
}

fn move_record(
    out: &mut Record,
    decision: &DecisionState,
    doubles: u32,
    dice: [u8; 2],
    play: Option<&Play>,
) {
    out.position(9, &seen_by_left(decision));
    out.i32(64, number(decision.player));
    out.i32(100, i32::from(dice[0]));
    out.i32(104, i32::from(dice[1]));
    out.i32(108, cube(decision, doubles));
    out.f64(2312, -1000.0);
    out.f64(2320, -1000.0);
    out.i32(2524, -1);
    let Some(play) = play else {
        return;
    };
    let after = play.apply(&decision.state.position).flipped();
    out.position(35, &after);
    for i in 0..8 {
        out.i32(68 + 4 * i, -1);
    }
    for (i, step) in play.steps().enumerate() {
        out.i32(68 + 8 * i, i32::from(step.from) - 1);
        out.i32(72 + 8 * i, i32::from(step.to) - 1);
    }
}

fn candidates(
    out: &mut Record,
    decision: &DecisionState,
    analysis: &crate::match_file::analysis::Analysis,
) {
    const BLOCK: usize = 124;
    out.i32(BLOCK + 64, analysis.plays.len() as i32);
    out.f64(2312, analysis.error.map_or(-1000.0, |error| -error));
    out.f64(2320, analysis.luck.unwrap_or(-1000.0));
    for (i, verdict) in analysis.plays.iter().take(32).enumerate() {
        let after = verdict.play.apply(&decision.state.position).flipped();
        out.position(BLOCK + 68 + 26 * i, &after);
        let mut steps = [-1i8; 8];
        for (s, step) in verdict.play.steps().enumerate() {
            steps[2 * s] = step.from as i8 - 1;
            steps[2 * s + 1] = step.to as i8 - 1;
        }
        out.set(BLOCK + 900 + 8 * i, &steps.map(|step| step as u8));
        if let Some(chances) = verdict.chances {
            let seven = [
                chances.lose_backgammon,
                chances.lose_gammon,
                1.0 - chances.win,
                chances.win,
                chances.win_gammon,
                chances.win_backgammon,
            ];
            for (n, chance) in seven.iter().enumerate() {
                out.f32(BLOCK + 1284 + 28 * i + 4 * n, *chance);
            }
        }
        out.f32(BLOCK + 1284 + 28 * i + 24, verdict.equity);
    }
}

fn cube_record(decision: &DecisionState, doubles: u32, answer: Option<Action>) -> Record {
    let mut out = Record::new(2);
    out.i32(12, number(decision.player));
    out.i32(16, 1);
    out.i32(
        20,
        match answer {
            Some(Action::Pass) => 0,
            Some(Action::Take) => 1,
            Some(Action::Beaver { .. }) => 2,
            _ => -1,
        },
    );
    out.i32(24, -1);
    out.i32(32, cube(decision, doubles));
    out.position(36, &seen_by_left(decision));
    out.f64(200, -1000.0);
    out.f64(216, -1000.0);
    out.i32(292, -1);
    out
}

fn game_end(game: &Game) -> Option<Record> {
    let result = game.result?;
    let mut out = Record::new(4);
    out.i32(24, number(result.winner));
    out.i32(28, result.points as i32);
    Some(out)
}

/// False claims of a container, for tests.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lies {
    /// Added to the size of the unpacked match.
    pub size: i32,
    /// Added to the size of the packed match.
    pub packed: i32,
    /// Added to its start.
    pub start: i32,
    /// Added to the number of files.
    pub count: i32,
    /// Number of further files with the same data; the first one contains the remarks.
    pub shared: usize,
}

/// Packs records into a file.
pub fn pack(records: &[u8], lies: Lies) -> Vec<u8> {
    let mut file = vec![0u8; HEAD];
    file[..4].copy_from_slice(b"RGMH");
    file[4..8].copy_from_slice(&1i32.to_le_bytes());
    file[8..12].copy_from_slice(&(HEAD as i32).to_le_bytes());
    let data = zlib(records);
    let mut entry = vec![0u8; 532];
    entry[0] = 7;
    entry[1..8].copy_from_slice(b"temp.xg");
    let mut set = |at: usize, value: i32| entry[at..at + 4].copy_from_slice(&value.to_le_bytes());
    set(512, (records.len() as i32).wrapping_add(lies.size));
    set(516, (data.len() as i32).wrapping_add(lies.packed));
    set(520, lies.start);
    set(524, crc32fast::hash(records) as i32);
    let mut entries = entry.clone();
    for number in 0..lies.shared {
        let name = match number {
            0 => "temp.xgc".to_owned(),
            _ => format!("temp.x{number:02}"),
        };
        entry[0] = name.len() as u8;
        entry[1..=name.len()].copy_from_slice(name.as_bytes());
        entries.extend_from_slice(&entry);
    }
    let index = zlib(&entries);
    file.extend(&data);
    file.extend(&index);
    let crc = crc32fast::hash(&file[HEAD..]);
    file.extend(crc.to_le_bytes());
    for value in [
        (1 + lies.shared as i32).wrapping_add(lies.count),
        1,
        index.len() as i32,
        data.len() as i32,
        1,
        0,
        0,
        0,
    ] {
        file.extend(value.to_le_bytes());
    }
    file
}

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::fast());
    // Writing to a vector cannot fail.
    let _ = packer.write_all(bytes);
    packer.finish().unwrap_or_default()
}
