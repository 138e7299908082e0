//! What the targets of the fuzzer do with bytes: read them as whatever they may be. Nothing may panic, and
//! what is said has to be fit for a terminal. The tests replay the kept inputs by the same functions.

#![allow(dead_code, reason = "each target uses one of them")]

use std::sync::LazyLock;

use luckless::cli::lines::LineAnswers;
use luckless::cube::met;
use luckless::eval::bearoff::two_sided::TwoSided;
use luckless::eval::luck_net::LuckNet;
use luckless::eval::net::Net;
use luckless::eval::pruning_net::PruningNet;
use luckless::game::{Position, Roll};
use luckless::library::filter::Filter;
use luckless::match_file::write::Target;
use luckless::match_file::{self, Match, MatchSummary};
use luckless::notation::{parse_gnubg_board, parse_id, parse_play, parse_possible_id};
use luckless::sanitize::is_clean;
use luckless::store::library::LibraryStore;
use luckless::store::{
    MatchFingerprint, NoteStore, READ_TIMEOUT, ReviewStore, RolloutStore, StoreError, StudyStore,
    UserSettings,
};
use luckless::tui::keys::KeyMap;
use luckless::tui::theme::Theme;

fn hold(said: impl std::fmt::Display) {
    let said = said.to_string();
    assert!(is_clean(&said), "{said:?}");
}

/// A match file.
pub(crate) fn match_file(data: &[u8]) {
    match match_file::read_bytes(data, "x") {
        Ok(record) => {
            record.all_warnings().for_each(|w| hold(&w.message));
            hold_match(&record);
            record.others.iter().for_each(hold_match);
            let _ = MatchSummary::new(&record);
            // What was read can be written, and read again; in our own form without loss.
            for target in [Target::Mat, Target::Text, Target::Sgf] {
                let losses = target.losses(&record, &target.write(&record));
                losses.expect("what we write can be read");
            }
            let mut losses = Target::Json.left_out(&record, &Target::Json.write(&record));
            // A result that is not that of its game is put right on the way in.
            losses.retain(|line| !line.ends_with("does not hold its result"));
            assert_eq!(losses, [""; 0]);
        }
        Err(error) => hold(error),
    }
}

/// What a screen shows of a match.
fn hold_match(record: &Match) {
    record.players.iter().for_each(hold);
    for (key, value) in &record.tags {
        hold(key);
        // A remark has lines.
        value.lines().for_each(hold);
    }
    let remarks = record.comments.iter().flat_map(|c| c.text.lines());
    let alone = record.positions.iter().filter_map(|p| p.comment.as_deref());
    remarks.chain(alone.flat_map(str::lines)).for_each(hold);
}

/// What is typed, pasted or written by hand.
pub(crate) fn text(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    UserSettings::read(text).complaints.iter().for_each(hold);
    KeyMap::read(text).complaints.iter().for_each(hold);
    Theme::parse(text).err().into_iter().for_each(hold);
    Filter::parse(text).err().into_iter().for_each(hold);
    parse_id(text).err().into_iter().for_each(hold);
    parse_possible_id(text).err().into_iter().for_each(hold);
    parse_gnubg_board(text).err().into_iter().for_each(hold);
    let table = met::read::table("x", data);
    table.err().into_iter().for_each(hold);
    for roll in [Roll::ALL[0], Roll::ALL[7]] {
        let play = parse_play(text, &Position::opening(), roll);
        play.err().into_iter().for_each(hold);
    }
}

/// A net or a table of bearoffs.
pub(crate) fn net(data: &[u8]) {
    Net::from_bytes(data).err().into_iter().for_each(hold);
    LuckNet::from_bytes(data).err().into_iter().for_each(hold);
    PruningNet::from_bytes(data)
        .err()
        .into_iter()
        .for_each(hold);
    TwoSided::from_bytes(data).err().into_iter().for_each(hold);
}

/// A file in the place of a store; the first byte chooses which.
pub(crate) fn store(data: &[u8]) {
    let Some((first, bytes)) = data.split_first() else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let names = ["reviews", "rollouts", "notes", "library", "study"];
    let which = usize::from(*first) % names.len();
    let path = folder.path().join(format!("{}.sqlite", names[which]));
    std::fs::write(&path, bytes).expect("a file");
    let tell = &mut |said: String| drop(said);
    // What cannot be read is an error, and all that counts here is that it is one.
    match which {
        0 => {
            if let Ok(Some(store)) = ReviewStore::open_to_read(&path, READ_TIMEOUT) {
                let _ = store.each(tell, |_, _| Ok::<(), StoreError>(()));
            }
        }
        1 => {
            if let Ok(Some(store)) = RolloutStore::open_to_read(&path, READ_TIMEOUT) {
                for kept in store.all(tell).unwrap_or_default() {
                    let _ = store.trials(kept.id, None, tell);
                }
            }
        }
        2 => {
            let position = luckless::game::GameState::money(Position::opening());
            let mark = MatchFingerprint::of_position(&position);
            let _ = NoteStore::read_all(&path, &mark, READ_TIMEOUT);
        }
        3 => {
            if let Ok(Some(store)) = LibraryStore::open_to_read(&path, READ_TIMEOUT) {
                let _ = store.matches(tell);
                let _ = store.people();
                let _ = store.each(|_, _| ());
            }
        }
        _ => {
            let _ = StudyStore::read(&path, READ_TIMEOUT, tell);
        }
    }
}

static ANSWERS: LazyLock<LineAnswers> = LazyLock::new(|| LineAnswers::new().expect("the nets"));

fn hold_lines(said: Vec<u8>) {
    let said = String::from_utf8(said).expect("text");
    said.lines().for_each(hold);
}

/// What a program says to `luckless ubgi`.
pub(crate) fn ubgi(data: &[u8]) {
    hold_lines(ANSWERS.ubgi(data).expect("memory takes what is written"));
}

/// What GNU Backgammon, or another program, says to `luckless external`.
pub(crate) fn external(data: &[u8]) {
    hold_lines(
        ANSWERS
            .external(data)
            .expect("memory takes what is written"),
    );
}

/// Jobs of `luckless rollout --batch`, and the answers that it goes on with.
pub(crate) fn batch(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for line in text.lines() {
        ANSWERS.refused_job(line).into_iter().for_each(hold);
    }
    let refused = ANSWERS.refused_answers(data);
    assert!(refused.is_none_or(|why| !why.is_empty()));
}
