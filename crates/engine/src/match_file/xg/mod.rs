//! eXtreme Gammon's binary matches (`.xg`) and positions (`.xgp`), with their analysis.
//!
//! `container` unpacks the archive. A match is a list of records of equal size: heads, cube decisions, plays,
//! ends of games. Fields are read by offset, because unused parts contain random memory. The layout is the
//! publisher's (<https://www.extremegammon.com/xgformat.aspx>); gaps in it were filled by examining files.

pub mod build;
mod code_page;
mod container;
mod record;
mod rtf;

use super::analysis::{Analysis, MOST_PLAYS};
use super::bounded::{MOST_MATCHES, beyond_the_last_match};
use super::builder::{GameBuilder, MatchBuilder, is_one_turn, name};
use super::cube::LARGEST_CUBE;
use super::length::MatchLength;
use super::model::{LonePosition, Match, Warning};
use super::start::Start;
use super::state::is_sound;
use super::text::{REMARK_CUT, clean_lines};
use super::variant::Variant;
use super::warnings::{FilePlace, LET_STAND};
use crate::game::{CubeOwner, GameState, MatchScore, PlayList, Player, Position, Rules};
use container::{Archive, RECORD};
use record::{CubeRecord, MoveRecord, PROGRAM, Record};

/// Maximum size of the remarks kept for a file, in bytes.
const MOST_REMARKS: usize = 8 << 20;
/// Maximum number of candidates kept for a file: three times those of a long match.
const MOST_CANDIDATES: usize = 100_000;

/// Reads a match or a position.
///
/// # Errors
/// Why there is nothing to show, in one line.
pub(super) fn read(file: &[u8]) -> Result<Match, String> {
    let Archive { files, complaint } = container::open(file);
    let named = |name: &str| files.iter().find(|packed| packed.name == name);
    let packed = named("temp.xg").ok_or("the archive has no match (temp.xg) in it")?;
    let remarks = named("temp.xgc").map(|packed| packed.unpack_remarks(file));
    let comments = remarks.map_or_else(Vec::new, |bytes| rtf::texts(&bytes));
    let mut reader = Reader {
        comments,
        ..Reader::default()
    };
    let mut at = 0;
    let damage = packed.records(file, |bytes| {
        reader.place = FilePlace::byte(at);
        at += RECORD as u64;
        match Record::new(bytes) {
            Some(record) => reader.record(&record),
            None => reader.warn("the last record is cut".to_owned()),
        }
    })?;
    reader.end_match();
    let mut matches = reader.done.into_iter();
    let Some(mut first) = matches.next() else {
        return Err(match (complaint, damage) {
            (Some((_, message)), _) | (None, Some(message)) => message.to_owned(),
            _ => "the archive has no game in it".to_owned(),
        });
    };
    first.others = matches.collect();
    let packed_data = damage.map(|message| (packed.start as u64, message));
    let warnings = complaint.into_iter().chain(packed_data);
    let warnings = warnings.map(|(byte, message)| (FilePlace::byte(byte), message.to_owned()));
    let warnings = warnings.chain(reader.beyond.map(|place| (place, beyond_the_last_match())));
    let warnings = warnings.map(|(place, message)| Warning::at(place, message));
    first.warnings.splice(0..0, warnings);
    Ok(first)
}

#[derive(Default)]
struct Reader {
    done: Vec<Match>,
    match_builder: Option<MatchBuilder>,
    builder: Option<GameBuilder>,
    comments: Vec<String>,
    /// Bytes of remarks used: several records can refer to one remark.
    remarked: usize,
    /// Number of candidates used.
    candidates: usize,
    place: FilePlace,
    version: i32,
    /// Automatic doubles of the game, which the cubes of its records do not include.
    doubles: u32,
    /// The analysis of not doubling, for the next roll.
    no_double: Option<Analysis>,
    /// The remark on not doubling, for the next roll.
    no_double_remark: Option<String>,
    /// Counts of decisions and of ends of games, to distinguish a position from a match.
    decisions: usize,
    ends: usize,
    lone: Option<LonePosition>,
    /// The warning about the length of the match.
    length_complaint: Option<String>,
    /// The end of the first match beyond the limit.
    beyond: Option<FilePlace>,
}

impl Reader {
    fn warn(&mut self, message: String) {
        let message = format!("temp.xg: {message}");
        if let Some(match_builder) = &mut self.match_builder {
            match_builder.warnings.add(self.place, message);
        }
    }

    fn record(&mut self, record: &Record<'_>) {
        match record.kind() {
            0 => self.match_head(record),
            1 => self.game_head(record),
            2 => self.cube(&CubeRecord(*record)),
            3 => self.roll(&MoveRecord(*record)),
            4 => self.game_end(record),
            5..=7 => {}
            kind => self.warn(format!("found a record of type {kind}, expected 0 to 7")),
        }
    }

    fn end_match(&mut self) {
        self.end_game();
        let Some(mut match_builder) = self.match_builder.take() else {
            return;
        };
        if let Some(lone) = self.lone.take()
            && is_sound(&lone.state)
            && self.decisions == 1
            && self.ends == 0
        {
            match_builder.record.games.clear();
            match_builder.record.analyses = super::analysis::Analyses::default();
            match_builder.record.positions.push(lone);
            match_builder.warnings = super::warnings::Warnings::default();
            let complaint = self.length_complaint.take();
            let warning = complaint.map(|complaint| format!("temp.xg: {complaint}"));
            warning
                .into_iter()
                .for_each(|warning| match_builder.warnings.add(FilePlace::byte(0), warning));
        }
        let record = match_builder.finish();
        let has_content = !record.games.is_empty() || !record.positions.is_empty();
        if has_content && self.done.len() < MOST_MATCHES {
            self.done.push(record);
        } else if has_content {
            self.beyond.get_or_insert(self.place);
        }
    }

    fn end_game(&mut self) {
        self.no_double = None;
        self.add_no_double_remark();
        if let (Some(builder), Some(match_builder)) = (self.builder.take(), &mut self.match_builder)
        {
            match_builder.end(self.place, builder, None);
        }
    }

    fn match_head(&mut self, record: &Record<'_>) {
        self.end_match();
        (self.decisions, self.ends, self.lone) = (0, 0, None);
        self.doubles = 0;
        self.version = record.i32(552);
        let length = MatchLength::new(i64::from(record.i32(92)));
        let (head, known) = head(record, self.version, length.points);
        self.match_builder = Some(MatchBuilder::new(head));
        if let Some(complaint) = &length.complaint {
            self.warn(complaint.clone());
        }
        self.length_complaint = length.complaint;
        if !known {
            self.warn("the head of the match has not its mark DMLI".to_owned());
        }
        let variation = record.i32(96);
        if variation != 0 {
            let names = ["Backgammon", "Nackgammon", "Hypergammon", "Longgammon"];
            let known = usize::try_from(variation).ok().and_then(|v| names.get(v));
            let name = known.map_or_else(|| format!("number {variation}"), |&n| n.to_owned());
            self.warn(Variant::of(&name).complaint(&name));
        }
        for at in [576, 580] {
            let Some((text, is_cut)) = self.comment(record.i32(at)).map(|text| clean_lines(&text))
            else {
                continue;
            };
            if is_cut {
                self.warn(REMARK_CUT.to_owned());
            }
            if let Some(match_builder) = &mut self.match_builder {
                match_builder.record.tags.push(("Remark".to_owned(), text));
            }
        }
    }

    /// Returns the remark with this number, within the limit on all remarks.
    fn comment(&mut self, index: i32) -> Option<String> {
        let text = self.comments.get(usize::try_from(index).ok()?)?;
        let sum = self.remarked + text.len();
        if text.is_empty() || sum > MOST_REMARKS {
            return None;
        }
        self.remarked = sum;
        Some(text.clone())
    }

    fn game_head(&mut self, record: &Record<'_>) {
        self.end_game();
        let place = self.place;
        let Some(match_builder) = &mut self.match_builder else {
            return;
        };
        let number = record.i32(48);
        let number = u32::try_from(number)
            .ok()
            .filter(|n| (1..100_000).contains(n));
        let number = number.unwrap_or(match_builder.record.games.len() as u32 + 1);
        let score = [12, 16].map(|at| u16::try_from(record.i32(at)).unwrap_or(0));
        let crawford = record.u8(20) != 0;
        let mut builder = match_builder.begin(place, number, Some(score), Some(crawford));
        let has_doubles = self.version >= 26 && match_builder.record.length == 0;
        self.doubles = match has_doubles {
            true => record.i32(64).clamp(0, 10).unsigned_abs(),
            false => 0,
        };
        let board = record.position(21).unwrap_or_else(Position::opening);
        if board != Position::opening() || self.doubles > 0 {
            let (cube, owner) = cube_of(0, self.doubles);
            builder = match_builder.set(place, builder, Start { board, cube, owner });
        }
        for text in [record.i32(56), record.i32(60)].map(|index| self.comment(index)) {
            builder.remark(place, &text.unwrap_or_default());
        }
        self.builder = Some(builder);
    }

    fn game_end(&mut self, record: &Record<'_>) {
        self.ends += 1;
        let winner = player(record.i32(24));
        let points = u32::try_from(record.i32(28)).ok();
        let place = self.place;
        if let (Some(builder), Some(winner)) = (&mut self.builder, winner) {
            builder.wins(place, winner, points);
        }
        self.end_game();
    }

    /// Compares the board of a record with that of the game so far.
    fn board(&mut self, record: &Record<'_>, at: usize, cube: i32) {
        let Some(board) = record.position(at) else {
            if record.has_damaged_board(at) {
                self.warn("the position of a decision cannot be read and is not used".to_owned());
            }
            return;
        };
        let Some(builder) = self.builder.take() else {
            return;
        };
        let differs = board != builder.seen_by(Player::Left);
        if !differs || !builder.is_open() {
            self.builder = Some(builder);
            return;
        }
        let (cube, owner) = cube_of(cube, self.doubles);
        let (place, start) = (self.place, Start { board, cube, owner });
        self.builder = match &mut self.match_builder {
            Some(match_builder) => Some(match_builder.set(place, builder, start)),
            None => Some(builder),
        };
    }

    fn cube(&mut self, record: &CubeRecord<'_>) {
        let Some(player) = player(record.0.i32(12)) else {
            self.warn("a cube decision of no player".to_owned());
            return;
        };
        self.no_double = None;
        let doubled = record.0.i32(16);
        if doubled < 0 && record.verdict().is_none() {
            return;
        }
        self.decisions += usize::from(doubled == 1);
        if self.lone.is_none() {
            self.lone = self.lone_cube(record, player);
            self.decisions = self.decisions.max(1);
        }
        self.board(&record.0, 36, record.0.i32(32));
        let place = self.place;
        let comment = self.comment(record.0.i32(292));
        if doubled != 1 {
            self.no_double = record.analysis();
            self.add_no_double_remark();
            self.no_double_remark = comment;
            return;
        }
        let Some(builder) = &mut self.builder else {
            return;
        };
        let before = builder.game.events.len();
        builder.double(place, player);
        if builder.game.events.len() == before {
            return;
        }
        if let Some(analysis) = record.analysis() {
            builder.analysed(analysis);
        }
        if let Some(text) = comment {
            builder.remark(place, &text);
        }
        self.answer(record, player);
    }

    /// Adds the answer to a double of `player`, and the doubler's reaction to a beaver.
    fn answer(&mut self, record: &CubeRecord<'_>, player: Player) {
        let (place, Some(builder)) = (self.place, &mut self.builder) else {
            return;
        };
        let (before, answerer) = (builder.game.events.len(), player.other());
        let answer = record.0.i32(20);
        match answer {
            0 => builder.pass(place, answerer),
            1 => builder.take(place, answerer),
            2 => builder.beaver(place, answerer),
            _ => {}
        }
        if builder.game.events.len() == before {
            return;
        }
        // The figures do not apply to events after a beaver.
        if let Some(analysis) = record.answer() {
            builder.analysed(analysis);
        }
        match (answer, record.0.i32(24), record.0.i32(28)) {
            (2, 2, _) | (2, _, 1) => builder.raccoon(place, player),
            (2, 0, _) => builder.pass(place, player),
            _ => {}
        }
    }

    fn roll(&mut self, record: &MoveRecord<'_>) {
        let Some(player) = player(record.0.i32(64)) else {
            self.warn("a roll of no player".to_owned());
            return;
        };
        let place = self.place;
        let no_double = self.no_double.take();
        self.decisions += 1;
        if self.decisions == 1 {
            self.lone = self.lone_roll(record, player);
        }
        self.board(&record.0, 9, record.0.i32(108));
        let Some(builder) = &mut self.builder else {
            return;
        };
        let Some(roll) = record.dice() else {
            let (a, b) = (record.0.i32(100), record.0.i32(104));
            builder.bad_dice(place, player, &format!("{a} {b}"));
            return;
        };
        let before = builder.game.events.len();
        // A play that is not marked as illegal may be damaged: then the position must be possible.
        let is_sound = |after: &Position| is_one_turn(&builder.seen_by(player), after);
        let after = record.after();
        let after = after.filter(|after| record.is_invalid() || is_sound(after));
        match (record.steps(), after) {
            (None, Some(after)) if record.is_invalid() => {
                builder.roll_to(place, player, roll, &after, LET_STAND);
            }
            (None, _) => builder.unplayed(place, player, roll),
            (Some(written), _) => {
                builder.roll(place, player, roll, &written, after.as_ref());
            }
        }
        if builder.game.events.len() == before || builder.is_cut() {
            return;
        }
        self.analysis_of_roll(record, no_double);
        self.add_no_double_remark();
        let text = self.comment(record.comment()).unwrap_or_default();
        if let Some(builder) = &mut self.builder {
            builder.remark(place, &text);
        }
    }

    /// Adds the analysis of a roll, and of not doubling before it, to the last event.
    fn analysis_of_roll(&mut self, record: &MoveRecord<'_>, no_double: Option<Analysis>) {
        let Some(builder) = &mut self.builder else {
            return;
        };
        let by_steps = |steps: &crate::notation::WrittenPlay, after: Option<Position>| {
            builder
                .legal(steps)
                .or_else(|| after.and_then(|after| builder.legal_to(&after)))
        };
        let room = MOST_CANDIDATES - self.candidates;
        let mut analysis = record.analysis(room, by_steps);
        let candidates = analysis.as_ref().map_or(0, |found| found.plays.len());
        self.candidates += candidates;
        if let Some(no_double) = no_double {
            let analysis = analysis.get_or_insert_with(|| Analysis {
                program: PROGRAM.to_owned(),
                ..Analysis::default()
            });
            analysis.cube = no_double.cube;
        }
        if let Some(mut analysis) = analysis {
            builder.note_errors(&mut analysis);
            builder.analysed(analysis);
        }
        if candidates > 0 && self.candidates == MOST_CANDIDATES {
            self.warn(format!(
                "{MOST_CANDIDATES} candidates: from here on none is read"
            ));
        }
    }

    /// Adds the remark on not doubling to the last event.
    fn add_no_double_remark(&mut self) {
        if let (Some(builder), Some(text)) = (&mut self.builder, self.no_double_remark.take()) {
            builder.remark(self.place, &text);
        }
    }

    fn lone_cube(&self, record: &CubeRecord<'_>, player: Player) -> Option<LonePosition> {
        let board = record.0.position(36)?;
        let mut state = self.state(player, &board, record.0.i32(32))?;
        state.roll = None;
        Some(LonePosition {
            players: self.match_builder.as_ref()?.record.names(player),
            analysis: record.analysis(),
            ..LonePosition::new(state, 0)
        })
    }

    fn lone_roll(&self, record: &MoveRecord<'_>, player: Player) -> Option<LonePosition> {
        let board = record.0.position(9)?;
        let mut state = self.state(player, &board, record.0.i32(108))?;
        let roll = record.dice()?;
        state.roll = Some(roll);
        let list = PlayList::of(&state.position, roll);
        let analysis = record.analysis(MOST_PLAYS, |steps, _| {
            let resolved = steps.resolve(&state.position, roll, &list).ok()?;
            Some(resolved.play)
        });
        Some(LonePosition {
            players: self.match_builder.as_ref()?.record.names(player),
            analysis,
            ..LonePosition::new(state, 0)
        })
    }

    /// Returns the state of a standalone position.
    fn state(&self, player: Player, board: &Position, cube: i32) -> Option<GameState> {
        let match_builder = self.match_builder.as_ref()?;
        let game = &self.builder.as_ref()?.game;
        let (value, owner) = cube_of(cube, self.doubles);
        Some(GameState {
            position: player.turned(*board),
            cube: value,
            owner: CubeOwner::seen_by(owner, player),
            score: MatchScore {
                length: match_builder.record.length,
                mover: game.score[player.index()],
                opponent: game.score[player.other().index()],
                crawford: game.crawford,
            },
            rules: match_builder.record.rules_in_force(),
            roll: None,
            doubled: false,
        })
    }
}

/// Returns the player with number 1 or −1.
fn player(number: i32) -> Option<Player> {
    match number {
        1 => Some(Player::Left),
        -1 => Some(Player::Right),
        _ => None,
    }
}

/// Converts the cube of a record: +n is 2 to the n owned by player 1, −n by player 2; 0 is in the middle.
/// Automatic doubles are added, because every game starts at 1.
fn cube_of(cube: i32, doubles: u32) -> (u32, Option<Player>) {
    let owner = match cube.signum() {
        1 => Some(Player::Left),
        -1 => Some(Player::Right),
        _ => None,
    };
    let power = cube.unsigned_abs().saturating_add(doubles);
    (1 << power.min(LARGEST_CUBE.ilog2()), owner)
}

/// Returns a rating with its experience in points, in eXtreme Gammon's match text form. Unrated players have
/// 1600 and no experience.
fn rating(elo: f64, experience: i32) -> Option<String> {
    let is_rated = experience > 0 || (elo - 1600.0).abs() > 0.005;
    let sound = (1.0..10_000.0).contains(&elo) && (0..10_000_000).contains(&experience);
    (sound && is_rated).then(|| format!("{elo:.2}/{experience}"))
}

/// Returns the head of a match, and whether it contains its mark.
fn head(record: &Record<'_>, version: i32, length: u16) -> (Match, bool) {
    let wide = version >= 24;
    let text = |old: (usize, usize), new: usize| {
        let found = if wide {
            record.wide(new)
        } else {
            String::new()
        };
        if found.is_empty() {
            record.pascal(old.0, old.1)
        } else {
            found
        }
    };
    let mut tags = vec![("Site".to_owned(), PROGRAM.to_owned())];
    let mut tag = |key: &str, value: String| {
        if !value.is_empty() {
            tags.push((key.to_owned(), value));
        }
    };
    tag("Event", text((136, 129), 622));
    tag("Round", text((417, 129), 1654));
    tag("Place", text((283, 129), 1396));
    tag("EventDate", record.date(128).unwrap_or_default());
    for (key, elo, games) in [("Player 1 Elo", 104, 120), ("Player 2 Elo", 112, 124)] {
        tag(
            key,
            rating(record.f64(elo), record.i32(games)).unwrap_or_default(),
        );
    }
    if version >= 30 {
        tag("Transcriber", record.wide(1960));
    }
    let players = [
        name(&text((9, 41), 880), Player::Left),
        name(&text((50, 41), 1138), Player::Right),
    ];
    let record_of = Match {
        format: "xg",
        encoding: "binary",
        length,
        players,
        crawford: length > 0 && record.u8(100) != 0,
        rules: Rules {
            jacoby: length == 0 && record.u8(101) != 0,
            beavers: length == 0 && record.u8(102) != 0,
            ..Rules::default()
        },
        tags,
        ..Match::default()
    };
    (
        record_of,
        record.bytes(556, 4) == b"DMLI" || record.bytes(556, 4) == b"ILMD",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::match_file::{Action, read_bytes};

    /// A remark on not doubling belongs to the roll after it, not to the event before.
    #[test]
    fn a_remark_on_not_doubling_belongs_to_the_roll() {
        let text = b" 5 point match\n Game 1\n Ann : 0   Ben : 0\n  1) 31: 8/5 6/5   62: 24/18 13/11\n  2)  Doubles => 2  Takes\n  3) 42: 8/4 6/4\n";
        let mut bytes = build::records(&read_bytes(text, "x.mat").unwrap());
        let mut records = bytes.chunks_exact_mut(RECORD);
        let cube = records.find(|record| record[8] == 2).unwrap();
        cube[16..20].copy_from_slice(&0i32.to_le_bytes());
        cube[292..296].copy_from_slice(&0i32.to_le_bytes());
        let mut reader = Reader {
            comments: vec!["why not?".to_owned()],
            ..Reader::default()
        };
        for record in bytes.chunks_exact(RECORD) {
            reader.record(&Record::new(record).unwrap());
        }
        reader.end_match();
        let record = &reader.done[0];
        let [remark] = &record.comments[..] else {
            panic!("{:?}", record.comments);
        };
        let event = &record.games[0].events[remark.event.unwrap()];
        assert_eq!(
            (remark.text.as_str(), event.player),
            ("why not?", crate::game::Player::Left)
        );
        assert!(matches!(event.action, Action::Move { roll, .. } if roll.to_string() == "42"));
    }
}
