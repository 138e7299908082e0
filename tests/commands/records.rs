//! Records of what the program answers and of how it reads files, so that a change of structure can show that none
//! of it changed.
//!
//! `LUCKLESS_RECORDS=FOLDER cargo test records` writes them, and a hash of every screen that tests draw; `diff -r`
//! compares the folders of two versions. Without the variable nothing is written.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{OPENING, command};
use luckless::match_file;

const CUBE: &str = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10";
const SAMPLE: &str = "sample_matches/clara-dev-3pt.mat";
/// Each is run as it is, and with `--json`.
const COMMANDS: [&[&str]; 22] = [
    &["eval", OPENING, "--dice", "31"],
    &["eval", OPENING, "--dice", "31", "--ply", "1"],
    &["eval", CUBE],
    &["eval", "4HPwATDgc/ABMA"],
    &["why", OPENING, "--dice", "43", "24/20 13/10", "13/10 13/9"],
    &["matrix", CUBE],
    &["matrix", OPENING, "--dice", "64"],
    &["met"],
    &["met", "--score", "3,5"],
    &["book", "31"],
    &["board", OPENING],
    &["bearoff", "AQAAAAAAAAAAAA"],
    &[
        "rollout",
        OPENING,
        "--dice",
        "43",
        "--top",
        "2",
        "--trials",
        "72",
        "--no-store",
    ],
    &["rollout", CUBE, "--trials", "72", "--no-store"],
    &[
        "compare",
        OPENING,
        "--dice",
        "43",
        "24/20 13/10",
        "13/10 13/9",
        "--trials",
        "72",
        "--no-store",
    ],
    &["review", SAMPLE, "--ply", "0"],
    &["matches", SAMPLE, "--ply", "0"],
    &["inspect", SAMPLE],
    &["verify", "tests/fixtures/sgf/gnubg.sgf"],
    &["duel", "--a", "0ply", "--b", "0ply", "--games", "10"],
    &["keys"],
    &["--help"],
];

fn folder(name: &str) -> Option<PathBuf> {
    let folder = PathBuf::from(std::env::var_os("LUCKLESS_RECORDS")?).join(name);
    fs::create_dir_all(&folder).unwrap();
    Some(folder)
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn records_of_commands() {
    let Some(folder) = folder("commands") else {
        return;
    };
    for (number, arguments) in COMMANDS.iter().enumerate() {
        for more in [&[][..], &["--json"]] {
            let home = tempfile::tempdir().unwrap();
            let mut command = command(&[arguments, more].concat());
            let command = command
                .current_dir(root())
                .env("LUCKLESS_HOME", home.path());
            let output = command.output().unwrap();
            let mut text = format!("{arguments:?} {more:?}: {}\n", output.status);
            for stream in [&output.stdout, &output.stderr] {
                // How long it took is another matter each time.
                let lines = String::from_utf8_lossy(stream).into_owned();
                let timed = |line: &&str| !line.contains("seconds") && !line.contains(" CPU");
                lines.lines().filter(timed).for_each(|line| {
                    let _ = writeln!(text, "{line}");
                });
            }
            let name = format!("{number:02}-{}{}", arguments[0], more.concat());
            fs::write(folder.join(name), text).unwrap();
        }
    }
}

/// Every match file of the project, and of the corpus beside it where there is one: the match as JSON, with the
/// warnings.
#[test]
fn records_of_files() {
    let Some(folder) = folder("files") else {
        return;
    };
    let mut open: Vec<PathBuf> = ["sample_matches", "tests/fixtures", "../shared/corpus"]
        .map(PathBuf::from)
        .into();
    while let Some(path) = open.pop() {
        let place = root().join(&path);
        if place.is_dir() {
            let entries = fs::read_dir(&place).unwrap();
            open.extend(entries.map(|entry| path.join(entry.unwrap().file_name())));
            continue;
        }
        let Ok(bytes) = fs::read(&place) else {
            continue;
        };
        let name = path.to_str().unwrap().replace("../", "").replace('/', ".");
        let text = match match_file::read_bytes(&bytes, path.to_str().unwrap()) {
            Ok(record) => format!(
                "{}\n{:#?}\n",
                match_file::json::write(&record),
                record.warnings
            ),
            Err(error) => format!("{error}\n"),
        };
        fs::write(folder.join(name), text).unwrap();
    }
}
