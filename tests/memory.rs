//! What a reader takes of memory: at most four times the file and 32 MB, whatever is in the file.
//!
//! The allocator of this test counts. What is read is kept until the count is taken, and the file itself
//! is not part of it.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use luckless::cube::met;
use luckless::game::{Play, PlayList, Position, Roll};
use luckless::library::filter::Filter;
use luckless::match_file::{self, LARGEST_FILE};
use luckless::notation::{parse_id, parse_play};
use luckless::store::UserSettings;
use luckless::store::session::Session;
use luckless::tui::keys::KeyMap;
use luckless::tui::theme::Theme;

struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

fn more(bytes: usize) {
    MOST.fetch_max(NOW.fetch_add(bytes, Relaxed) + bytes, Relaxed);
}

// SAFETY: the system's allocator does the work; this one only counts.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        more(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // For a moment both may be there.
        more(size);
        NOW.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// The counter is one for all tests of this file.
static ONE_TEST: Mutex<()> = Mutex::new(());

/// The most that `work` held at one time, its answer included.
fn peak<T>(work: impl FnOnce() -> T) -> usize {
    let before = NOW.load(Relaxed);
    MOST.store(before, Relaxed);
    let answer = work();
    let most = MOST.load(Relaxed) - before;
    drop(answer);
    most
}

const WHOLE: usize = LARGEST_FILE as usize;
const MATCH_TEXT: &str = " 7 point match\n Game 1\n a : 0   b : 0\n";

/// A list of positions that is kept: of one that is refused only the reading is measured.
const POSITIONS: [&str; 3] = [
    "{\"luckless\":\"\",\"version\":1,\"positions\":[",
    "{\"id\":\"4HPwATDgc/ABMA\"},",
    "{\"id\":\"4HPwATDgc/ABMA\"}]}",
];

/// `piece` again and again up to `bytes`, between a head and an end.
fn filled(head: &str, piece: &str, end: &str, bytes: usize) -> Vec<u8> {
    let times = (bytes - head.len() - end.len()) / piece.len();
    [head, &piece.repeat(times), end].concat().into_bytes()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::best());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

/// BGBlitz's file around packed data.
fn bgf(data: &[u8]) -> Vec<u8> {
    [b"{\"compression\":\"gzip\"}\n", data].concat()
}

/// An eXtreme Gammon file whose archive has no index: its data are unpacked as far as they go.
fn xg(data: &[u8]) -> Vec<u8> {
    let mut head = vec![0; 8232];
    head[..4].copy_from_slice(b"RGMH");
    head[4..8].copy_from_slice(&1u32.to_le_bytes());
    head[8..12].copy_from_slice(&8232u32.to_le_bytes());
    [&head, &zlib(data)[..]].concat()
}

/// Records of an eXtreme Gammon file whose rolls are dances, each of them with as many candidates as one may
/// have.
fn dances() -> Vec<u8> {
    // A checker on the bar against a closed board.
    let mut board = [0u8; 26];
    board[19..25].fill(2u8.wrapping_neg());
    board[25] = 1;
    let record = |kind: u8, at: usize, numbers: &[(usize, i32)]| {
        let mut record = vec![0u8; 2560];
        record[8] = kind;
        record[at..at + board.len()].copy_from_slice(&board);
        for (at, number) in numbers {
            record[*at..*at + 4].copy_from_slice(&number.to_le_bytes());
        }
        record
    };
    // Player, no steps, dice, number of candidates.
    let mut dance = record(3, 9, &[(64, 1), (68, -1), (100, 6), (104, 5), (188, 32)]);
    dance[1024..1024 + 8 * 32].fill(u8::MAX);
    let game = [record(1, 21, &[]), dance.repeat(4998)].concat();
    [vec![0; 2560], game.repeat(4)].concat()
}

/// A match whose game has very many answers to nothing, and then a play that is nearly legal.
fn refused_answers() -> Vec<u8> {
    let [left, right] = ["a", "b"].map(|letter| letter.repeat(60));
    let takes = format!("  2) {}\n", "Takes ".repeat(50)).repeat(1950);
    format!(
        " 7 point match\n Game 1\n {left} : 0   {right} : 0\n  1) 31: 8/5 6/5   42: 8/4 6/4\n{takes}\
         \x20 3) 61: 13/5   31: 6/5 8/5\n  4) 42: 8/4 6/4\n"
    )
    .into_bytes()
}

/// A game in SGF with nearly as many actions of variations as one may have, each of them another one.
fn varied_game() -> String {
    let letters = |play: &Play, letter: fn(u8) -> u8| -> String {
        let both = play.steps().flat_map(|step| [step.from, step.to]);
        both.map(|point| char::from(letter(point))).collect()
    };
    let white = |point: u8| b'a' + point - 1;
    // A checker that is hit enters from the bar.
    let black = |point: u8| if point == 25 { b'y' } else { b'a' + 24 - point };
    let rolls = || (2..=6).flat_map(|high| (1..high).filter_map(move |low| Roll::new(high, low)));
    let (mut text, mut actions) = ("(;GM[6];W[31hefe](;B[42qusu])".to_owned(), 0);
    let (mut first, mut second) = (PlayList::new(), PlayList::new());
    for roll in rolls() {
        first.generate(&Position::opening(), roll);
        for (play, after) in first.plays().iter().zip(first.results()) {
            text += &format!("(;W[{roll}{}]", letters(play, white));
            for answer in rolls() {
                second.generate(after, answer);
                for play in second.plays().iter().take(9_000 - actions) {
                    text += &format!("(;B[{answer}{}])", letters(play, black));
                    actions += 1;
                }
            }
            text += ")";
        }
    }
    text + ")\n"
}

fn texts() -> Vec<(String, Vec<u8>)> {
    let rows = "11: 11: 11: 11:\n".repeat(1000);
    let many = format!("0 point match\nGame 1\na : 0  b : 0\n{rows}");
    let faulty = format!("0 point match\nGame 1\na : 0  b : 0\n1) 22: q/w 31: 8/5 6/5\n{rows}");
    let varied = varied_game();
    let lone = "{\"luckless\":\"\",\"version\":1}";
    let around = |inner: &str| {
        let inner = vec![inner; 100].join(",");
        format!("{{\"luckless\":\"\",\"version\":1,\"matches\":[{inner}]}}")
    };
    let nested = around(&around(lone)) + ",";
    let all = [
        ("sgf", "", varied.as_str(), ""),
        ("sgf", "", "(;GM[6];AE[a:y]AW[a]AB[b])", ""),
        ("mat", "", many.as_str(), ""),
        ("mat", "", faulty.as_str(), ""),
        ("mat", MATCH_TEXT, "\n", ""),
        ("mat", MATCH_TEXT, "\t", ""),
        ("mat", MATCH_TEXT, "x\n", ""),
        ("mat", MATCH_TEXT, "  1) 31: 8/5 6/5   42: 8/4 6/4\n", ""),
        ("mat", MATCH_TEXT, "  1) 11:                 11:\n", ""),
        ("mat", MATCH_TEXT, " Game 1\n a : 0   b : 0\n", ""),
        (
            "mat",
            "",
            " 7 point match\n Game 1\n a : 0   b : 0\n  1) 31: 8/5 6/5\n",
            "",
        ),
        ("mat", MATCH_TEXT, "(", ""),
        ("mat", MATCH_TEXT, "31: ", ""),
        ("mat", "; [a \"b\"]\n", "; [a \"b\"]\n", MATCH_TEXT),
        ("sgf", "(;GM[6]", "(", ""),
        ("sgf", "(;GM[6]", "(;", ""),
        ("sgf", "(;GM[6]", ";", ""),
        ("sgf", "", "(;GM[6])", ""),
        ("sgf", "(;GM[6]", ";B[31abab]", ")"),
        ("sgf", "(;GM[6]", ";C[a]", ")"),
        ("sgf", "(;GM[6]MI[length:7];W[31hefe]", ";CV[x]", ")"),
        ("sgf", "(;GM[6]MI[length:7];W[31hefe]", ";W[take]LU[0]", ")"),
        ("sgf", "(;GM[6]", "A[a]", ")"),
        ("sgf", "(;GM[6]AE", "[a]", ")"),
        ("sgf", "", "(;GM[6]PB[a]PW[b];B[31hefe])", ""),
        (
            "sgf",
            "(;GM[6]PB[a]PW[b]",
            ";B[31hefe]A[0][hefe E ver 3 0C 0.5 0 0 0 0 0.1]",
            ")",
        ),
        (
            "list",
            "",
            "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10\n",
            "",
        ),
        ("list", "", "4HPwATDgc/ABMA\n", ""),
        ("fibs", "", "Score is 0-0 in a 5 point match.\n", ""),
        (
            "fibs",
            "Score is 0-0 in a 5 point match.\n",
            "bob is X - ann is O\nX: (3 1) 8-5 6-5\n",
            "",
        ),
        (
            "json",
            "{\"luckless\":\"\",\"version\":1,\"games\":[",
            "{\"game\":1,\"score\":[0,0],\"actions\":[]},",
            "{\"game\":1,\"score\":[0,0],\"actions\":[]}]}",
        ),
        (
            "json",
            "{\"luckless\":\"\",\"version\":1,\"games\":[{\"game\":1,\"score\":[0,0],\"actions\":[",
            "{\"player\":\"left\",\"action\":\"take\"},",
            "{\"player\":\"left\",\"action\":\"take\"}]}]}",
        ),
        (
            "json",
            "{\"luckless\":\"\",\"version\":1,\"games\":[{\"game\":1,\"score\":[0,0],\"actions\":[{\"player\":\"left\",\"action\":\"roll\",\"roll\":\"31\",\"play\":\"8/5 6/5\",\"variations\":[",
            "{\"did\":\"\"},",
            "{\"did\":\"\"}]}]}]}",
        ),
        (
            "json",
            "{\"luckless\":\"\",\"version\":1,\"games\":[",
            "{\"game\":1,\"score\":[0,0],\"actions\":[{\"player\":\"left\",\"action\":\"roll\",\"roll\":\"31\",\"play\":\"8/5 6/5\",\"variations\":[{\"did\":\"21\",\"steps\":[[13,11],[6,5]]}]}]},",
            "{\"game\":1,\"score\":[0,0],\"actions\":[]}]}",
        ),
        (
            "json",
            "{\"luckless\":\"\",\"version\":1,\"positions\":[",
            "{\"id\":\"\"},",
            "{\"id\":\"\"}]}",
        ),
        ("json", POSITIONS[0], POSITIONS[1], POSITIONS[2]),
        (
            "json",
            "{\"luckless\":\"\",\"version\":1,\"tags\":[",
            "[\"\",\"\"],",
            "[\"\",\"\"]]}",
        ),
        (
            "json",
            "{\"luckless\":\"\",\"version\":1,\"matches\":[",
            "{\"luckless\":\"\",\"version\":1},",
            "{\"luckless\":\"\",\"version\":1}]}",
        ),
        (
            "json",
            "{\"luckless\":\"\",\"version\":1,\"matches\":[",
            nested.as_str(),
            "{\"luckless\":\"\",\"version\":1}]}",
        ),
        (
            "json",
            "{\"luckless\":\"\",\"version\":1,\"games\":[",
            "[",
            "",
        ),
        (
            "json",
            "{\"luckless\":\"\",\"version\":1,\"positions\":[{\"id\":\"\",\"analysis\":{\"program\":\"\",\"plays\":[",
            "{\"play\":\"\",\"level\":\"\",\"equity\":0},",
            "{\"play\":\"\",\"level\":\"\",\"equity\":0}]}}]}",
        ),
        (
            "json",
            "{\"luckless\":\"\",\"version\":1,\"more\":[",
            "[1],",
            "0]}",
        ),
    ];
    let sized = |&(format, head, piece, end): &(&str, &str, &str, &str)| {
        [WHOLE, 340 << 10].map(|bytes| {
            let mut name = format!("{format} of {bytes} bytes of {piece:?}");
            name.truncate(100);
            (name, filled(head, piece, end, bytes))
        })
    };
    let mut texts: Vec<_> = all.iter().flat_map(sized).collect();
    texts.push(("mat of refused answers".to_owned(), refused_answers()));
    texts
}

fn packed() -> Vec<(String, Vec<u8>)> {
    let named = |name: &str, bytes: Vec<u8>| (name.to_owned(), bytes);
    let mut all = vec![
        named("bgf of packed zeros", bgf(&gzip(&vec![0; 64 << 20]))),
        named("bgf of packed spaces", bgf(&gzip(&vec![b' '; 30 << 20]))),
        named("xg of packed zeros", xg(&vec![0; 64 << 20])),
    ];
    let lists = [
        "[],",
        "{},",
        "0,",
        "\"\",",
        "{\"moves\":[]},",
        "{\"moves\":[{\"from\":[0]}]},",
    ];
    for piece in lists {
        for bytes in [1 << 20, 7 << 20] {
            let json = filled("{\"games\":[", piece, "0]}", bytes);
            all.push(named(
                &format!("bgf of {bytes} packed {piece}"),
                bgf(&gzip(&json)),
            ));
            all.push(named(&format!("bgf of {bytes} open {piece}"), bgf(&json)));
        }
    }
    // Binary JSON: a list of empty lists, of empty objects, of shared texts.
    let lists: [&[u8]; 4] = [
        b"\xf8\xf9",
        b"\xfa\xfb",
        b"\xc0",
        b"\xfa\x84moves\xf8\xf9\xfb",
    ];
    for piece in lists {
        for bytes in [1 << 20, 16 << 20] {
            let body = piece.repeat(bytes / piece.len());
            let smile = [&b":)\n\x03\xfa\x84games\xf8"[..], &body, b"\xf9\xfb"].concat();
            all.push(named(
                &format!("bgf of {bytes} packed {piece:x?}"),
                bgf(&gzip(&smile)),
            ));
        }
    }
    all.push(named("xg of dances with candidates", xg(&dances())));
    // Records of an eXtreme Gammon file.
    for kind in [0u8, 1, 2, 3, 4] {
        let mut record = vec![0; 2560];
        record[8] = kind;
        all.push(named(
            &format!("xg of records {kind}"),
            xg(&record.repeat(20_000)),
        ));
    }
    all
}

/// Tables of TOML and of XML, documents of JSON: what settings, keys, themes, match equities and sessions
/// are written in.
fn written(whole: usize) -> Vec<(String, String)> {
    let all = [
        ("", "[", ""),
        ("a = ", "[", ""),
        ("a = [", "0,", "]"),
        ("a = [", "{},", "]"),
        ("a = [", "[],", "]"),
        ("a = {", "a.", "a = 1 }"),
        ("", "a.", "a = 1"),
        ("", "[[a]]\n", ""),
        ("", "\n", ""),
        ("", "#\n", ""),
        ("a = \"", "\\n", "\""),
        ("[rollout]\n", "a = 1\n", ""),
        ("<met>", "<a/>", "</met>"),
        ("<met>", "<a>", ""),
        ("<met ", "a='' ", "/>"),
        ("<met>", "&lt;", "</met>"),
        ("", "0 ", ""),
        ("", "0,", ""),
        ("", "0\n", ""),
        ("", ",", ""),
        ("{\"places\":[", "[],", "[]]}"),
        ("{\"a\":[", "0,", "0]}"),
        (
            "{\"places\":[",
            "{\"source\":{\"id\":\"\"},\"turn\":0},",
            "{\"source\":{\"id\":\"\"},\"turn\":0}]}",
        ),
        (
            "{\"places\":[{\"source\":{\"id\":\"\"},\"turn\":0,\"marked\":[",
            "[0,[]],",
            "[0,[]]]}]}",
        ),
        (
            "{\"places\":[{\"source\":{\"id\":\"\"},\"turn\":0,\"rollouts\":[{\"decision\":\"\",\"results\":[],\"aim\":\"each\",\"settings\":[",
            "0,",
            "0]}]}]}",
        ),
    ];
    let mut written: Vec<(String, String)> = all
        .iter()
        .map(|&(head, piece, end)| {
            let text = filled(head, piece, end, whole);
            (format!("{head}{piece}"), String::from_utf8(text).unwrap())
        })
        .collect();
    let keys: String = (0..whole / 14).map(|i| format!("k{i} = {i}\n")).collect();
    written.push(("many keys".to_owned(), keys.clone()));
    written.push((
        "many keys of a table".to_owned(),
        format!("[rollout]\n{keys}"),
    ));
    let tables: String = (0..whole / 14).map(|i| format!("[t{i}]\n")).collect();
    written.push(("many tables".to_owned(), tables));
    written
}

/// What readers took beyond what they may.
#[derive(Default)]
struct Excesses(Vec<String>);

impl Excesses {
    fn check(&mut self, reader: &str, name: &str, file: usize, took: usize) {
        if std::env::var_os("SHOW").is_some() {
            eprintln!("{:6.1} MB {reader} {name}", took as f64 / 1e6);
        }
        if took > 4 * file + (32 << 20) {
            self.0
                .push(format!("{reader} of {name}: {file} bytes take {took}"));
        }
    }
}

#[test]
fn what_is_written_by_hand_takes_four_times_its_size_and_32_mb() {
    let _alone = ONE_TEST.lock();
    let mut excesses = Excesses::default();
    for (name, text) in written(64 << 10) {
        let took = [
            ("settings", peak(|| UserSettings::read(&text))),
            ("keys", peak(|| KeyMap::read(&text))),
            ("theme", peak(|| Theme::parse(&text))),
            ("position ID", peak(|| parse_id(&text))),
            ("filter", peak(|| Filter::parse(&text))),
            (
                "play",
                peak(|| parse_play(&text, &Position::opening(), Roll::ALL[0])),
            ),
        ];
        for (reader, took) in took {
            excesses.check(reader, &name, text.len(), took);
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.json");
    for (name, text) in written(1 << 20) {
        std::fs::write(&path, &text).unwrap();
        let took = peak(|| Session::load(&path));
        excesses.check("session", &name, text.len(), took);
    }
    for (name, text) in written(512 << 10) {
        let took = peak(|| met::read::table("x", text.as_bytes()));
        excesses.check("equities", &name, text.len(), took);
    }
    assert!(excesses.0.is_empty(), "{:#?}", excesses.0);
}

#[test]
fn a_match_file_takes_four_times_its_size_and_32_mb() {
    let _alone = ONE_TEST.lock();
    let [head, piece, end] = POSITIONS;
    let kept = match_file::read_bytes(&filled(head, piece, end, 340 << 10), "case").unwrap();
    assert!(kept.positions.len() > 10_000);
    drop(kept);
    let mut excesses = Excesses::default();
    for (name, bytes) in texts().into_iter().chain(packed()) {
        let took = peak(|| match_file::read_bytes(&bytes, "case"));
        excesses.check("match file", &name, bytes.len(), took);
    }
    assert!(excesses.0.is_empty(), "{:#?}", excesses.0);
}
