//! The library, through the program.

use crate::common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use common::{MATCH, command};
use luckless::game::{GameState, Position};
use luckless::library::filter::manual;
use luckless::match_file;
use luckless::store::{MatchFingerprint, NoteStore};
use serde_json::Value;

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = command(arguments);
    command
        .current_dir(folder)
        .env(common::DATA, folder.join("data"));
    command.output().unwrap()
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    let output = run(folder, &[arguments, &["--json"]].concat());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {stderr}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn added(folder: &Path, what: &str) -> [u64; 4] {
    added_with(folder, what, &[])
}

fn added_with(folder: &Path, what: &str, more: &[&str]) -> [u64; 4] {
    let add = ["library", "add", what, "--ply", "0"];
    let report = json(folder, &[&add[..], more].concat());
    let count = |key: &str| report[key].as_u64().unwrap();
    let failed = report["failed"].as_array().unwrap().len() as u64;
    [count("added"), count("updated"), count("unchanged"), failed]
}

/// A folder with a match, the same as SGF, and a file that is none.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::create_dir(path.join("m")).unwrap();
    fs::write(path.join("m/a.mat"), MATCH).unwrap();
    fs::write(path.join("m/z.txt"), "nothing").unwrap();
    assert!(
        run(path, &["convert", "m/a.mat", "m/b.sgf"])
            .status
            .success()
    );
    folder
}

#[test]
fn threads_that_share_a_folder_add_each_match_once() {
    let folder = folder();
    let folder = folder.path();
    let others = concat!(env!("CARGO_MANIFEST_DIR"), "/sample_matches");
    for (i, other) in ["anna-ben-7pt", "ben-dev-9pt", "clara-dev-3pt"]
        .iter()
        .enumerate()
    {
        for copy in 0..3 {
            // Copies of a match are neighbours, so that threads have them at the same time.
            let to = folder.join(format!("m/{i}-{copy}.mat"));
            fs::copy(format!("{others}/{other}.mat"), to).unwrap();
        }
        fs::write(folder.join(format!("m/{i}-broken.mat")), "nothing").unwrap();
    }
    let add = |threads| {
        let report = json(
            folder,
            &["library", "add", "m", "--ply", "0", "--threads", threads],
        );
        let failed = report["failed"].as_array().unwrap().clone();
        let files: Vec<String> = failed.iter().map(|one| one["file"].to_string()).collect();
        assert_eq!(files.len(), 4);
        assert!(files.is_sorted(), "{files:?}");
        ["added", "updated", "unchanged"].map(|key| report[key].as_u64().unwrap())
    };
    let [added, updated, unchanged] = add("6");
    assert_eq!(added + updated + unchanged, 11);
    let list = json(folder, &["library", "list"]);
    let matches = list["matches"].as_array().unwrap();
    let files = |one: &Value| one["files"].as_array().unwrap().len();
    let mut files: Vec<usize> = matches.iter().map(files).collect();
    files.sort_unstable();
    assert_eq!(files, [2, 3, 3, 3], "{list}");
    assert_eq!(added, 4);
    assert_eq!(add("1"), [0, 0, 11]);
}

/// A copy that was corrected counts: its day and event where they were not known, and its rules, by which the session is
/// analysed again.
#[test]
fn a_corrected_copy_counts() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("m")).unwrap();
    // Without what the head says.
    let lines = MATCH.lines().filter(|line| !line.starts_with(';'));
    let money: Vec<&str> = lines.collect();
    let money = money.join("\n").replace(" 3 point", " 0 point");
    fs::write(folder.join("m/a.mat"), money).unwrap();
    assert_eq!(added(folder, "m"), [1, 0, 0, 0]);
    let first = || json(folder, &["library", "list"])["matches"][0].clone();
    let before = first();
    assert!(before["date"].as_str().unwrap().ends_with('~'));
    assert!(before.get("jacoby").is_none(), "{before}");
    let day = ["--date", "2026-01-05", "--event", "Club"];
    let to = ["convert", "m/a.mat", "m/b.mat"];
    let done = run(folder, &[&to[..], &day[..], &["--jacoby"]].concat());
    assert!(done.status.success());
    assert_eq!(added(folder, "m"), [0, 1, 1, 0]);
    let after = first();
    assert_eq!(after["date"], "2026-01-05");
    assert_eq!(after["event"], "Club");
    assert_eq!(after["jacoby"], true);
    assert_eq!(after["files"].as_array().unwrap().len(), 2);
    // Nothing is done twice.
    assert_eq!(added(folder, "m"), [0, 0, 2, 0]);
    let inspected = run(folder, &["inspect", "m/b.mat"]);
    let text = String::from_utf8(inspected.stdout).unwrap();
    assert_has!(text, "2026-01-05, Club, money, Jacoby");
    // Nobody plays against himself, and an empty text takes a tag away.
    let both = run(folder, &["convert", "m/a.mat", "-", "--player1", "ben"]);
    assert_eq!(both.status.code(), Some(2));
    let none = run(folder, &["convert", "m/b.mat", "-", "--event", ""]);
    assert!(!String::from_utf8(none.stdout).unwrap().contains("Event "));
}

/// Many matches have no turn, or begin with the same: the names of their players tell them apart.
#[test]
fn short_matches_of_others_are_others() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("m")).unwrap();
    let forfeited = |left: &str, right: &str| {
        format!(
            " 7 point match\n\n Game 1\n {left} : 0                     {right} : 0\n      Wins 7 points\n"
        )
    };
    fs::write(folder.join("m/a.mat"), forfeited("Rolf", "Sven")).unwrap();
    fs::write(folder.join("m/b.mat"), forfeited("Timo", "Udo")).unwrap();
    fs::write(folder.join("m/c.mat"), forfeited("rolf", "sven")).unwrap();
    json(folder, &["library", "add", "m", "--ply", "0"]);
    let list = json(folder, &["library", "list"]);
    assert_eq!(list["matches"].as_array().unwrap().len(), 2, "{list}");
}

#[test]
fn a_folder_is_added_once() {
    let folder = folder();
    let folder = folder.path();
    assert_eq!(added(folder, "m"), [1, 1, 0, 1]);
    assert_eq!(added(folder, "m"), [0, 0, 2, 1]);
    let list = json(folder, &["library", "list"]);
    let matches = list["matches"].as_array().unwrap();
    assert_eq!(matches.len(), 1);
    assert_eq!(matches[0]["files"].as_array().unwrap().len(), 2);
    assert_eq!(matches[0]["players"], serde_json::json!(["anna", "ben"]));
    assert_eq!(matches[0]["me"], Value::Null);
    let reason = list["failed"][0]["reason"].as_str().unwrap();
    assert_has!(reason, "z.txt: not a match file");
    // Removed, it stays out, until a file of it is named.
    let id = matches[0]["id"].to_string();
    assert_eq!(
        json(folder, &["library", "remove", &id])["removed"].to_string(),
        format!("[{id}]")
    );
    assert_eq!(added(folder, "m"), [0, 0, 0, 1]);
    let again = ["library", "add", "m", "--ply", "0"];
    assert_eq!(json(folder, &again)["left_out"], 2);
    let told = String::from_utf8(run(folder, &again).stdout).unwrap();
    assert_has!(told, "; 2 left out because they were removed");
    assert!(
        json(folder, &["library", "list"])["matches"]
            .as_array()
            .unwrap()
            .is_empty()
    );
    // Nor does it come back in another file of the folder, or once a file has other words or another name.
    let named = MATCH.replace("2024.03.01", "2024.03.02");
    assert_ne!(named, MATCH);
    fs::write(folder.join("m/other.mat"), named).unwrap();
    fs::rename(folder.join("m/a.mat"), folder.join("m/b.mat")).unwrap();
    assert_eq!(json(folder, &again)["left_out"], 3);
    fs::rename(folder.join("m/b.mat"), folder.join("m/a.mat")).unwrap();
    fs::remove_file(folder.join("m/other.mat")).unwrap();
    assert_eq!(added(folder, "m/a.mat"), [1, 0, 0, 0]);
    // A file that was moved is no further file of its match.
    fs::rename(folder.join("m/a.mat"), folder.join("m/c.mat")).unwrap();
    assert_eq!(added(folder, "m/c.mat"), [0, 0, 1, 0]);
    let list = json(folder, &["library", "list"]);
    assert_eq!(list["matches"][0]["files"].as_array().unwrap().len(), 1);
    fs::rename(folder.join("m/c.mat"), folder.join("m/a.mat")).unwrap();
    assert_eq!(added(folder, "m/a.mat"), [0, 0, 1, 0]);
    let gone = run(folder, &["library", "remove", "999"]);
    assert_eq!(gone.status.code(), Some(2));
    // A file with other bytes is read again.
    fs::write(folder.join("m/a.mat"), format!("{MATCH}\n")).unwrap();
    assert_eq!(added(folder, "m/a.mat"), [0, 0, 1, 0]);
    // A name that is no file is a failure.
    assert_eq!(
        run(folder, &["library", "add", "none.mat"]).status.code(),
        Some(1)
    );
}

/// What is corrected in the head of a file reaches the library: the review and what the user said of names stay.
#[test]
fn corrected_names_reach_the_library() {
    let folder = folder();
    let folder = folder.path();
    // With enough turns to be known under other names.
    let rows = include_str!("../fixtures/mat/gnubg.mat").lines();
    let rows: Vec<&str> = rows.filter(|row| !row.starts_with(';')).collect();
    let rows = rows
        .join("\n")
        .replace("Anna Berg", "anna")
        .replace("Ben Cole", "ben");
    let long = format!("; [EventDate \"2024.03.01\"]\n{rows}\n");
    fs::write(folder.join("m/a.mat"), &long).unwrap();
    let again = run(folder, &["convert", "m/a.mat", "m/b.sgf", "--force"]);
    assert!(again.status.success());
    assert_eq!(added(folder, "m"), [1, 1, 0, 1]);
    assert!(run(folder, &["library", "me", "ben"]).status.success());
    let one = || json(folder, &["library", "list"])["matches"][0].clone();
    let before = one();
    let corrected = long.replace("anna", "Anna Kovács");
    let head = "; [Event \"Spring\"]\n; [EventDate \"2024.03.02\"]\n";
    fs::write(folder.join("m/a.mat"), format!("{head}{corrected}")).unwrap();
    assert_eq!(added(folder, "m"), [0, 1, 1, 1]);
    let after = one();
    assert_eq!(
        after["players"],
        serde_json::json!(["Anna Kovács", "ben"]),
        "{after}"
    );
    assert_eq!(after["event"], "Spring");
    assert_eq!(after["date"], "2024-03-02");
    for same in ["id", "pr", "me", "files", "ply", "score"] {
        assert_eq!(before[same], after[same], "{same}");
    }
    // The study plan and the rating call the opponent so too, and a new review is of the same match.
    let plan = json(folder, &["plan"]).to_string();
    assert!(
        plan.contains("Anna Kovács") && !plan.contains("\"anna\""),
        "{plan}"
    );
    fs::write(folder.join("named.mat"), &corrected).unwrap();
    let again = run(folder, &["review", "named.mat", "--ply", "0"]);
    assert!(again.status.success());
    let reviewed = json(folder, &["matches"]);
    let reviewed = reviewed["matches"].as_array().unwrap();
    assert_eq!(reviewed.len(), 1, "{reviewed:?}");
    // The other file says what it said before.
    assert_eq!(added(folder, "m"), [0, 0, 2, 1]);
    // A copy under other names is one more file, and no correction.
    fs::write(folder.join("m/c.mat"), long.replace("anna", "Nobody")).unwrap();
    assert_eq!(added(folder, "m/c.mat"), [0, 1, 0, 0]);
    assert_eq!(one()["players"], after["players"]);
    // Another day of the file is none of the match.
    let undated = corrected.replace("2024", "XXXX");
    fs::write(folder.join("m/a.mat"), undated).unwrap();
    added(folder, "m/a.mat");
    assert_eq!(one()["date"], "2024-03-02");
}

/// An empty name is not that of every file, and a library whose name was mistyped is not made.
#[test]
fn what_is_changed_must_be_there() {
    let folder = folder();
    let folder = folder.path();
    assert_eq!(added(folder, "m/a.mat"), [1, 0, 0, 0]);
    let typo = ["--library", "typo.sqlite"];
    for what in [
        vec!["remove", ""],
        [&["remove", "1"], &typo[..]].concat(),
        [&["me", "anna"], &typo[..]].concat(),
        [&["same", "anna", "bob"], &typo[..]].concat(),
    ] {
        let told = run(folder, &[&["library"], &what[..]].concat());
        assert_eq!(told.status.code(), Some(2), "{what:?}");
    }
    assert!(!folder.join("typo.sqlite").exists());
    let listed = json(folder, &["library", "list"]);
    assert_eq!(listed["matches"].as_array().unwrap().len(), 1);
}

/// Below the list stands the rating over the matches found: of who is asked for, or of the user.
#[test]
fn a_list_of_matches_has_the_rating_over_them() {
    let folder = folder();
    let folder = folder.path();
    let text = include_str!("../../sample_matches/clara-dev-3pt.mat");
    fs::write(folder.join("one.mat"), text).unwrap();
    let done = run(folder, &["library", "add", "one.mat", "--ply", "0"]);
    assert!(done.status.success());
    let head = json(folder, &["library", "list"])["matches"][0].clone();
    let of = |side: usize| format!("{:.2}", head["pr"][side].as_f64().unwrap());
    let listed = |more: &[&str]| {
        let done = run(folder, &[&["library", "list"], more].concat());
        String::from_utf8(done.stdout).unwrap()
    };
    assert!(!listed(&[]).contains("1 match: PR"), "nobody is asked for");
    let words = |own: &str, other: &str| {
        format!("1 match: PR {own} (no interval yet), the opponents' {other} (no interval yet)")
    };
    let named = listed(&["player:dev"]);
    assert_has!(named, &words(&of(1), &of(0)));
    assert!(listed(&["--player", "clara"]).contains(&words(&of(0), &of(1))));
    assert!(run(folder, &["library", "me", "Clara"]).status.success());
    assert!(listed(&[]).contains(&words(&of(0), &of(1))));
}

/// `--no-crawford` makes of a file what it is if it says so itself; what was kept of a Crawford game is refused.
#[test]
fn a_match_is_played_without_the_crawford_rule() {
    let folder = folder();
    let folder = folder.path();
    let text = include_str!("../../sample_matches/clara-dev-3pt.mat");
    let without = text.replacen("[Crawford \"On\"]", "[Crawford \"Off\"]", 1);
    assert_ne!(text, without);
    fs::write(folder.join("on.mat"), text).unwrap();
    fs::write(folder.join("off.mat"), without).unwrap();
    let record = |file: &str, more: &[&str]| {
        let found = json(folder, &[&["library", "record", file], more].concat());
        found["records"][0]["reduced"]["mean"].as_f64().unwrap()
    };
    let off = record("off.mat", &[]);
    assert_ne!(record("on.mat", &[]), off);
    assert_eq!(record("on.mat", &["--no-crawford"]), off);
    added(folder, "on.mat");
    let export = ["export", "--csv", "--filter", "score:crawford"];
    let some = ["--player", "dev", "--from", "0.001", "--no-crawford"];
    let told = run(folder, &[&export[..], &some].concat());
    let why = String::from_utf8(told.stderr).unwrap();
    assert_eq!(told.status.code(), Some(2), "{why}");
    assert_has!(why, "--no-crawford says");
    // Added by another rule the match is analysed again, once.
    let no_crawford = ["--no-crawford"];
    assert_eq!(added_with(folder, "on.mat", &no_crawford), [0, 1, 0, 0]);
    assert_eq!(added_with(folder, "on.mat", &no_crawford), [0, 0, 1, 0]);
    let table = || json(folder, &["library", "list"])["matches"][0]["table"].clone();
    assert!(table().as_str().unwrap().contains("no Crawford rule"));
    let told = run(folder, &[&export[..], &some].concat());
    let why = String::from_utf8(told.stderr).unwrap();
    assert_lacks!(why, "--no-crawford says");
    // So is it in another file, and back again.
    fs::write(folder.join("more.mat"), text.to_owned() + "\n").unwrap();
    assert_eq!(added(folder, "more.mat"), [0, 1, 0, 0]);
    assert_eq!(table(), Value::Null);
    assert_eq!(added(folder, "on.mat"), [0, 0, 1, 0]);
    let csv = run(folder, &["met", "--computed", "--csv"]).stdout;
    fs::write(folder.join("other.csv"), csv).unwrap();
    let other = ["--met", "other.csv"];
    assert_eq!(added_with(folder, "on.mat", &other), [0, 1, 0, 0]);
    assert_eq!(added_with(folder, "on.mat", &other), [0, 0, 1, 0]);
}

/// No match equity table enters a money session, so another one changes nothing.
#[test]
fn a_money_session_has_no_table() {
    let folder = folder();
    let folder = folder.path();
    let text = include_str!("../../sample_matches/anna-clara-money.mat");
    fs::write(folder.join("money.mat"), text).unwrap();
    let (first, again) = ([1, 0, 0, 0], [0, 0, 1, 0]);
    let no_crawford = ["--no-crawford"];
    assert_eq!(added_with(folder, "money.mat", &no_crawford), first);
    let listed = json(folder, &["library", "list"]);
    assert_eq!(listed["matches"][0]["table"], Value::Null);
    assert_eq!(added(folder, "money.mat"), again);
    assert_eq!(added_with(folder, "money.mat", &no_crawford), again);
}

/// A file is one file by a whole path, a path with `..`, and a link to its folder.
#[test]
fn a_file_is_known_by_all_its_paths() {
    let folder = folder();
    let folder = folder.path();
    assert_eq!(added(folder, "m"), [1, 1, 0, 1]);
    assert_eq!(added(folder, "m/../m"), [0, 0, 2, 1]);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("m", folder.join("link")).unwrap();
        assert_eq!(added(folder, "link"), [0, 0, 2, 1]);
    }
    let removed = json(folder, &["library", "remove", "m/../m/a.mat"]);
    assert_eq!(removed["removed"].as_array().unwrap().len(), 1);
}

/// Of a folder of copies the matches stay with their other files; a file that is named takes its match along.
#[test]
fn copies_are_removed_without_their_matches() {
    let folder = folder();
    let folder = folder.path();
    added(folder, "m");
    fs::create_dir(folder.join("copies")).unwrap();
    fs::write(folder.join("copies/c.mat"), MATCH).unwrap();
    assert_eq!(added(folder, "copies")[0], 0);
    let output = run(folder, &["library", "remove", "copies"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(
        text,
        "0 matches removed; 1 match in other files too, and stay\n"
    );
    let list = json(folder, &["library", "list"]);
    assert_eq!(list["matches"][0]["files"].as_array().unwrap().len(), 2);
    // They are no longer left out either.
    assert_eq!(added(folder, "copies")[3], 0);
    let list = json(folder, &["library", "list"]);
    assert_eq!(list["matches"][0]["files"].as_array().unwrap().len(), 3);
    let removed = json(folder, &["library", "remove", "copies/c.mat"]);
    assert_eq!(removed["removed"].as_array().unwrap().len(), 1);
}

/// With a player's name a filter is about that player, not about the opponent.
#[test]
fn a_filter_is_about_the_player_who_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let ended = include_str!("../../sample_matches/anna-ben-7pt.mat");
    fs::write(folder.join("a.mat"), ended).unwrap();
    added(folder, "a.mat");
    let head = &json(folder, &["library", "list"])["matches"][0];
    let score = head["score"].as_array().unwrap();
    let won = usize::from(score[1].as_u64() > score[0].as_u64());
    let found = |side: usize| {
        let name = head["players"][side].as_str().unwrap();
        let list = json(folder, &["library", "list", "won", "--player", name]);
        list["matches"].as_array().unwrap().len()
    };
    assert_eq!([found(won), found(1 - won)], [1, 0]);
    // The table for a spreadsheet tells the player who is named first.
    let loser = head["players"][1 - won].as_str().unwrap();
    let output = run(folder, &["library", "list", "--player", loser, "--csv"]);
    let text = String::from_utf8(output.stdout).unwrap();
    // A cell with a comma is in quotes.
    assert_has!(text, "\"Club evening, final\"");
    let text = text.replace("evening, final", "evening");
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 2, "{text}");
    let column = |name: &str| {
        let place = rows[0].iter().position(|cell| *cell == name).unwrap();
        rows[1][place]
    };
    assert_eq!(rows[0].len(), rows[1].len(), "{text}");
    assert_eq!(column("player"), loser);
    assert_eq!(column("points"), score[1 - won].to_string());
    assert_eq!(column("pr"), head["pr"][1 - won].to_string());
}

/// A list of positions in a folder of matches is no file that could not be read.
#[test]
fn lists_of_positions_are_passed_over_in_a_folder() {
    let folder = folder();
    let folder = folder.path();
    fs::remove_file(folder.join("m/z.txt")).unwrap();
    let list = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10\n";
    fs::write(folder.join("m/positions.txt"), list).unwrap();
    let said = run(folder, &["library", "add", "m"]).stdout;
    let said = String::from_utf8(said).unwrap();
    assert!(
        said.contains("added") && !said.contains("removed"),
        "{said}"
    );
    let failed = json(folder, &["library", "list", "--failed"]);
    assert!(failed["failed"].as_array().unwrap().is_empty(), "{failed}");
    assert!(
        !run(folder, &["library", "add", "m/positions.txt"])
            .status
            .success()
    );
}

/// A match that was removed stays away when the rest of its file is analysed anew, and when the file cannot be
/// read for a while.
#[test]
fn what_was_removed_stays_away() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let other = include_str!("../../sample_matches/clara-dev-3pt.mat");
    fs::create_dir(folder.join("m")).unwrap();
    fs::write(folder.join("m/two.mat"), format!("{MATCH}\n{other}")).unwrap();
    assert_eq!(added(folder, "m"), [2, 0, 0, 0]);
    let matches = || {
        json(folder, &["library", "list"])["matches"]
            .as_array()
            .unwrap()
            .clone()
    };
    let id = matches()[0]["id"].to_string();
    json(folder, &["library", "remove", &id]);
    let deeper = json(folder, &["library", "add", "m", "--ply", "1"]);
    assert_eq!(
        (&deeper["added"], &deeper["updated"]),
        (&0.into(), &1.into())
    );
    let left = matches();
    assert_eq!(left.len(), 1);
    let text = fs::read(folder.join("m/two.mat")).unwrap();
    let unreadable_for_a_while = || {
        fs::write(folder.join("m/two.mat"), "").unwrap();
        assert_eq!(added(folder, "m"), [0, 0, 0, 1]);
        fs::write(folder.join("m/two.mat"), &text).unwrap();
        added(folder, "m")
    };
    assert_eq!(unreadable_for_a_while(), [0, 0, 1, 0]);
    assert_eq!(matches(), left);
    json(folder, &["library", "remove", &left[0]["id"].to_string()]);
    unreadable_for_a_while();
    assert!(matches().is_empty());
}

#[test]
fn errors_are_found_by_filter_and_by_likeness() {
    let folder = folder();
    let folder = folder.path();
    let nothing = run(folder, &["library", "errors"]);
    assert!(
        String::from_utf8(nothing.stdout)
            .unwrap()
            .contains("library add")
    );
    added(folder, "m/a.mat");
    let all = json(folder, &["find"]);
    let total = all["total"].as_u64().unwrap();
    let rows = all["decisions"].as_array().unwrap();
    assert!(total > 4 && rows.len() as u64 == total);
    let error = |row: &Value| row["error"].as_f64().unwrap();
    assert!(rows.is_sorted_by(|a, b| error(a) >= error(b)));
    // The review says the same.
    let review = json(folder, &["review", "m/a.mat", "--ply", "0"]);
    let sum: f64 = review["players"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| p["error_total"].as_f64().unwrap())
        .sum();
    assert!((all["error"].as_f64().unwrap() - sum).abs() < 1e-4);
    let errors = json(folder, &["library", "errors"]);
    let is_bad = |row: &&Value| (1000.0 * error(row)).round() >= 20.0;
    let bad = rows.iter().filter(is_bad).count();
    assert_eq!(errors["total"].as_u64().unwrap() as usize, bad);
    for (filter, fits) in [("player:anna", "anna"), ("player:ben", "ben")] {
        let found = json(folder, &["find", filter]);
        let found = found["decisions"].as_array().unwrap();
        assert!(!found.is_empty() && found.iter().all(|row| row["player"] == fits));
    }
    json(folder, &["library", "me", "ANNA"]);
    assert_eq!(
        json(folder, &["find", "me"])["total"],
        json(folder, &["find", "player:anna"])["total"]
    );
    let wrong = run(folder, &["find", "checker", "eror>0.1"]);
    assert_eq!(wrong.status.code(), Some(2));
    let stderr = String::from_utf8(wrong.stderr).unwrap();
    assert_has!(stderr, "column 9: 'eror'");
    // The game with the very decision is left out; another roll is another decision.
    let row = rows
        .iter()
        .find(|row| row["class"] == "checker play")
        .unwrap();
    let id = row["position"].as_str().unwrap();
    assert_eq!(json(folder, &["find", "--like", id])["total"], 0);
    let like = json(folder, &["find", "--like", common::OPENING, "--dice", "66"]);
    let like = like["decisions"].as_array().unwrap();
    assert_eq!(like.len(), 1, "each game comes once");
    assert!(like[0]["distance"].as_u64().unwrap() < 200);
    let pattern = json(
        folder,
        &[
            "find",
            "--pattern",
            "24:2 13:5 8:3 6:5 o1:2 o12:5 o17:3 o19:5",
        ],
    );
    assert_eq!(
        pattern["total"],
        json(folder, &["find", "--pattern", common::OPENING])["total"]
    );
}

#[test]
fn the_name_that_others_go_by_can_be_set_apart() {
    let folder = folder();
    let folder = folder.path();
    added(folder, "m/a.mat");
    json(folder, &["library", "me", "anna"]);
    let joined = |names: [&str; 2]| {
        let joined = run(folder, &[&["library", "same"], &names[..]].concat());
        String::from_utf8(joined.stderr).unwrap()
    };
    // The one who came to the other goes again, and nobody else became the user.
    for (names, parted) in [(["anna", "BEN"], "ben"), (["ben", "anna"], "anna")] {
        let told = joined(names);
        assert_has!(told, "play each other in match 1");
        let way_out = format!("`library same '{parted}' --apart` parts them");
        assert_has!(told, &way_out);
        let people = json(folder, &["library", "same", parted, "--apart"]);
        assert_eq!(people["me"], serde_json::json!(["anna"]));
        assert_eq!(people["aliases"], serde_json::json!([]));
    }
    let told = joined(["anna", "annak"]);
    assert_has!(told, "has a player 'annak' yet");
    assert_eq!(joined(["anna", "annak"]), "");
    json(folder, &["library", "same", "anna", "akov"]);
    let people = json(folder, &["library", "same", "anna", "--apart"]);
    let alias = serde_json::json!([{"name": "annak", "player": "akov"}]);
    assert_eq!(people["aliases"], alias);
    assert_eq!(people["me"], serde_json::json!(["anna"]));
    // Who is named goes to nobody, whatever the order of the names.
    json(folder, &["library", "same", "anna", "ben"]);
    let people = json(folder, &["library", "same", "anna", "ben", "--apart"]);
    assert_eq!(people["me"], serde_json::json!(["anna"]));
}

/// What was written in the workstation is found again.
#[test]
fn decisions_are_found_by_notes() {
    let folder = folder();
    let folder = folder.path();
    added(folder, "m/a.mat");
    let all = json(folder, &["find", "checker"]);
    let total = all["total"].as_u64().unwrap();
    assert_eq!(json(folder, &["find", "note"])["total"], 0);
    let record = match_file::read(&folder.join("m/a.mat")).unwrap();
    let notes = folder
        .join("data")
        .join(common::STORES)
        .join("notes.sqlite");
    let mut notes = NoteStore::open(&notes).unwrap();
    let first = &record.decision_states(&record.games[0])[0];
    let of = MatchFingerprint::of(&record);
    notes.keep(&of, (0, first.event), "Why not split?").unwrap();
    let found = json(folder, &["find", "checker", "note:SPLIT"]);
    assert_eq!(found["total"], 1);
    assert_eq!(found["decisions"][0]["move"], 1);
    assert_eq!(
        json(folder, &["find", "checker", "!note"])["total"],
        total - 1
    );
    let listed = json(folder, &["library", "list", "note"]);
    assert_eq!(listed["matches"].as_array().unwrap().len(), 1);
    assert_eq!(json(folder, &["find", "note:splat"])["total"], 0);
}

/// What was written about a position alone is on its card, whatever the dice.
#[test]
fn a_card_has_the_note_about_its_position() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let id = "4HPwATDgc/ABMA";
    let card = |dice: &[&str]| {
        let arguments = [&["eval", id, "--ply", "0", "--html"], dice].concat();
        String::from_utf8(run(folder, &arguments).stdout).unwrap()
    };
    assert!(!card(&[]).contains("Robertie"));
    let notes = folder.join("data").join(common::STORES);
    let mut notes = NoteStore::open(&notes.join("notes.sqlite")).unwrap();
    let about = MatchFingerprint::of_position(&GameState::money(Position::opening()));
    notes.keep(&about, (0, 0), "Robertie, 31").unwrap();
    assert!(card(&[]).contains("Robertie, 31"));
    assert!(card(&["--dice", "31"]).contains("Robertie, 31"));
}

#[test]
fn matches_are_listed_by_filter_and_what_is_mistyped_is_told() {
    let folder = folder();
    let folder = folder.path();
    added(folder, "m/a.mat");
    let listed = |filter: &[&str]| {
        let found = json(folder, &[&["library", "list"], filter].concat());
        found["matches"].as_array().unwrap().len()
    };
    assert_eq!(listed(&[]), 1);
    assert_eq!(listed(&["ANNA", "ben"]), 1);
    assert_eq!(listed(&["clara"]), 0);
    assert_eq!(listed(&["checker"]), 1);
    assert_eq!(listed(&["error>5"]), 0);
    let said = |arguments: &[&str]| {
        let output = run(folder, arguments);
        let texts = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        texts.concat()
    };
    // The player who is asked for comes first.
    let row = said(&["library", "list", "player:ben"]);
    assert!(row.find("ben") < row.find("anna"), "{row}");
    // Nobody has won it.
    assert_has!(row, "1–0…");
    assert!(said(&["matches"]).contains("0–1…"));
    let nothing = said(&["library", "list", "ace-point"]);
    assert_has!(nothing, "is kind:ace-point meant?");
    for (typed, meant) in [
        ("blunders", "blunder"),
        ("31", "dice:31"),
        ("3-5", "score:3-5"),
        ("2026-03", "date:2026-03"),
        ("doubtful", "mark:doubtful"),
        ("chekcer", "nothing fits\n"),
    ] {
        let nothing = said(&["find", typed]);
        assert_has!(nothing, meant);
    }
    // A name that is left out is none, and no part of every name; one that nobody has is told, as by `record`.
    for arguments in [
        &["find", "player:anna,"][..],
        &["library", "list", "--player", ""],
        &["library", "list", "--player", "zorro"],
        &["library", "same", "anna", " "],
    ] {
        assert_eq!(
            run(folder, arguments).status.code(),
            Some(2),
            "{arguments:?}"
        );
    }
    let unknown = said(&["library", "me", "anna", "Nobody"]);
    assert_has!(unknown, "has a player 'Nobody' yet");
    assert_lacks!(unknown, "player 'anna'", "like it");
    // A part of a name is none; what is like it is told, and how to take it back.
    let part = said(&["library", "me", "NN"]);
    let told = "yet; like it: anna; `library me --not 'NN'` takes it back";
    assert_has!(part, told);
    let gone = said(&["library", "me", "--not", "NN"]);
    assert_lacks!(gone, "takes it back");
    // The shell takes the quotes of a value with blanks away.
    let typed = said(&["find", "best:24/18 13/11"]);
    assert_has!(typed, "1 decision,");
}

/// A second file of a match is no update of it, and a file in which something is wrong is told.
#[test]
fn what_was_added_is_told_in_words() {
    let folder = folder();
    let folder = folder.path();
    let told = |what: &str| {
        let output = run(folder, &["library", "add", what, "--ply", "0"]);
        String::from_utf8(output.stdout).unwrap()
    };
    let words = "1 added, 0 updated, 0 unchanged; 1 more file of a match that is there; 1 file could not be read\n";
    assert_eq!(told("m"), words);
    // A cut copy of it.
    let damaged = MATCH.replace("64: 24/14", "64: 24/15");
    fs::write(folder.join("bad.mat"), damaged).unwrap();
    let words = "0 added, 0 updated, 0 unchanged; 1 more file of a match that is there; \
                 1 file with warnings (luckless inspect FILE)\n";
    assert_eq!(told("bad.mat"), words);
    assert_eq!(told("bad.mat"), "0 added, 0 updated, 1 unchanged\n");
}

#[test]
fn the_manual_has_the_words() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/using/library.md");
    let text = fs::read_to_string(path).unwrap();
    let (begin, end) = ("<!-- filters -->\n", "<!-- end of filters -->");
    let (before, rest) = text.split_once(begin).unwrap();
    let (shown, after) = rest.split_once(end).unwrap();
    if std::env::var_os("UPDATE_MANUAL").is_some() {
        let text = format!("{before}{begin}{}{end}{after}", manual());
        return fs::write(path, text).unwrap();
    }
    assert_eq!(shown, manual(), "run this test with UPDATE_MANUAL=1");
}

/// Adds and watches the folder `m`, while `during` gets one report after the other.
#[cfg(unix)]
fn watched(folder: &Path, during: impl FnOnce(&mut dyn FnMut() -> Value)) {
    use std::io::{BufRead as _, BufReader};

    let arguments = ["library", "add", "m", "--ply", "0", "--watch", "--json"];
    let mut command = command(&arguments);
    command
        .current_dir(folder)
        .env(common::DATA, folder.join("data"));
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    during(&mut || serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap());
    let ended = std::process::Command::new("kill")
        .arg("-INT")
        .arg(child.id().to_string())
        .status();
    assert!(ended.unwrap().success());
    assert!(child.wait().unwrap().success());
}

#[cfg(unix)]
#[test]
fn what_is_saved_in_a_watched_folder_is_added() {
    let folder = folder();
    let folder = folder.path();
    watched(folder, |next| {
        assert_eq!(next()["added"], 1);
        fs::write(folder.join("m/new.mat"), format!("{MATCH}\n")).unwrap();
        assert_eq!(next()["updated"], 1);
    });
    let list = json(folder, &["library", "list"]);
    assert_eq!(list["matches"][0]["files"].as_array().unwrap().len(), 3);
}

/// A file that is touched in a watched folder has not been named by the user.
#[cfg(unix)]
#[test]
fn what_was_removed_stays_away_from_a_watched_folder() {
    let folder = folder();
    let folder = folder.path();
    added(folder, "m");
    let list = json(folder, &["library", "list"]);
    let id = list["matches"][0]["id"].to_string();
    json(folder, &["library", "remove", &id]);
    watched(folder, |next| {
        assert_eq!(next()["added"], 0);
        fs::write(folder.join("m/a.mat"), MATCH).unwrap();
        assert_eq!(next()["added"], 0);
    });
    let list = json(folder, &["library", "list"]);
    assert!(list["matches"].as_array().unwrap().is_empty(), "{list}");
}

/// On Linux a name may be any bytes. Two that are no UTF-8 are two files, and each is found again.
#[cfg(target_os = "linux")]
#[test]
fn names_that_are_no_utf_8_are_found_again() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("m")).unwrap();
    let other = include_str!("../../sample_matches/clara-dev-3pt.mat");
    for (name, text) in [(b"m/x\xff.mat", MATCH), (b"m/x\xfe.mat", other)] {
        fs::write(folder.join(OsStr::from_bytes(name)), text).unwrap();
    }
    assert_eq!(added(folder, "m"), [2, 0, 0, 0]);
    assert_eq!(added(folder, "m"), [0, 0, 2, 0]);
    let list = json(folder, &["library", "list"]);
    for one in list["matches"].as_array().unwrap() {
        assert_eq!(one["files"].as_array().unwrap().len(), 1, "{list}");
    }
    let mut remove = command(&["library", "remove", "--json"]);
    remove
        .arg(OsStr::from_bytes(b"m/x\xff.mat"))
        .current_dir(folder)
        .env(common::DATA, folder.join("data"));
    let output = remove.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let list = json(folder, &["library", "list"]);
    assert_eq!(list["matches"].as_array().unwrap().len(), 1, "{list}");
}

/// A match whose first file is gone is shown with one that is there.
#[test]
fn a_decision_is_in_a_file_that_is_there() {
    let folder = folder();
    let folder = folder.path();
    added(folder, "m");
    let file = || {
        let found = json(folder, &["find", "--limit", "1"]);
        let file = found["decisions"][0]["file"].as_str().unwrap();
        Path::new(file).file_name().unwrap().to_owned()
    };
    // Two threads take the files in, in either order.
    let first = file();
    fs::remove_file(folder.join("m").join(&first)).unwrap();
    let other = file();
    assert_ne!(first, other);
    fs::remove_file(folder.join("m").join(other)).unwrap();
    assert_eq!(file(), first, "none is there");
}

/// A file without a date is of the same match as one that has it, whichever is met first and however deep.
#[test]
fn a_match_with_and_without_its_day_is_listed_once() {
    let undated = MATCH.replace("; [EventDate \"2024.03.01\"]\n", "");
    assert_ne!(undated, MATCH);
    let years_ago = std::time::UNIX_EPOCH + std::time::Duration::from_secs(365 * 24 * 3600);
    for written in [std::time::SystemTime::now(), years_ago] {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        fs::write(folder.join("undated.mat"), &undated).unwrap();
        let mut options = fs::File::options();
        let file = options.write(true).open(folder.join("undated.mat"));
        file.unwrap().set_modified(written).unwrap();
        fs::write(folder.join("dated.mat"), MATCH).unwrap();
        for (file, ply) in [("undated.mat", "1"), ("dated.mat", "0")] {
            json(folder, &["review", file, "--ply", ply]);
        }
        let listed = json(folder, &["matches"]);
        let rows = listed["matches"].as_array().unwrap();
        let told: Vec<_> = rows.iter().map(|row| (&row["date"], &row["ply"])).collect();
        assert_eq!(told, [(&"2024-03-01".into(), &1.into())], "{listed}");
    }
}

/// A whole name goes before a part of one, in whatever match it stands, and figures are never of two players.
#[test]
fn figures_are_of_one_player() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("m")).unwrap();
    fs::write(folder.join("m/a.mat"), MATCH).unwrap();
    let other = MATCH
        .replace("anna", "annabel")
        .replace("2024.03", "2024.04")
        .replace("64: 24/14", "54: 24/15");
    fs::write(folder.join("m/b.mat"), other).unwrap();
    let files = ["m/a.mat", "m/b.mat"];
    json(folder, &[&["review"], &files[..], &["--ply", "0"]].concat());
    json(folder, &["library", "add", "m", "--ply", "0"]);
    let of_files = [&["plan", "--ply", "0"], &files[..]].concat();
    for command in [&["matches"], &["plan"], &of_files[..]] {
        let asked = |name| [command, &["--player", name]].concat();
        for (name, played) in [("anna", "2024-03-01"), ("nabe", "2024-04-01")] {
            let told = json(folder, &asked(name));
            match told["matches"].as_array() {
                Some(rows) => {
                    assert_eq!(rows.len(), 1, "{name}");
                    assert_eq!(rows[0]["date"], played);
                }
                None => assert_eq!(told["matches"], 1, "{command:?} {name}"),
            }
        }
        let refused = run(folder, &asked("ann"));
        let told = String::from_utf8(refused.stderr).unwrap();
        assert_eq!(refused.status.code(), Some(2), "{command:?}");
        assert_has!(
            told,
            "several players have 'ann' in their names: anna, annabel"
        );
    }
}

/// A plan is of the player's own decisions in the matches that a filter finds.
#[test]
fn a_plan_of_what_a_filter_finds() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("m")).unwrap();
    fs::write(folder.join("m/a.mat"), MATCH).unwrap();
    let other = MATCH
        .replace("2024.03", "2025.04")
        .replace("64: 24/14", "54: 24/15");
    fs::write(folder.join("m/b.mat"), other).unwrap();
    json(folder, &["library", "add", "m", "--ply", "0"]);
    json(folder, &["library", "me", "anna"]);
    let plan = |filter| json(folder, &["plan", "--filter", filter]);
    for (filter, found) in [
        ("date:2024", 1),
        ("date>=2024", 2),
        ("opponent:ben date:2025", 1),
    ] {
        assert_eq!(plan(filter)["matches"], found, "{filter}");
    }
    // Ben has decisions there, and so no word about Anna's finds a match of hers.
    for (filter, status, told) in [
        ("player:ben", 2, "no reviewed match: nothing fits"),
        ("date:2019", 2, "no reviewed match: nothing fits"),
        ("colour:red", 2, "filter, "),
    ] {
        let refused = run(folder, &["plan", "--filter", filter]);
        let words = String::from_utf8(refused.stderr).unwrap();
        assert_eq!(refused.status.code(), Some(status), "{filter}: {words}");
        assert!(words.contains(told), "{filter}: {words}");
    }
}

/// Riordan's table: the same for both sides, each match once, and only what was played to its end.
#[test]
fn the_record_of_a_pair_has_two_sides() {
    let folder = folder();
    let folder = folder.path();
    // That match was left. A session, and a whole match.
    let session = MATCH.replacen("3 point match", "0 point match", 1);
    fs::write(folder.join("m/money.mat"), session).unwrap();
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_matches");
    let whole = samples.join("clara-dev-3pt.mat");
    fs::copy(whole, folder.join("m/whole.mat")).unwrap();
    // Nobody has a record against themselves.
    let session = MATCH.replace("ben", "anna").replace("3 point", "5 point");
    fs::write(folder.join("m/alone.mat"), session).unwrap();
    let text = run(folder, &["library", "record", "m/alone.mat"]);
    let text = String::from_utf8(text.stdout).unwrap();
    assert_eq!(
        text,
        "no result\n\nleft out, both names are one player's: 1 of 1 matches\n"
    );
    let found = json(folder, &["library", "record", "m"]);
    let counts = ["matches", "unfinished", "one_player"].map(|key| found[key].as_u64().unwrap());
    assert_eq!(counts, [4, 1, 1]);
    assert_eq!(found["unfinished_games"], 0);
    let rows = found["records"].as_array().unwrap();
    let lengths = rows.iter().map(|row| row["length"].as_u64().unwrap());
    assert_eq!(lengths.collect::<Vec<u64>>(), [3, 3, 0, 0]);
    let (clara, dev) = (&rows[0], &rows[1]);
    let names = (&clara["player"], &dev["player"]);
    assert_eq!(names, (&"Clara".into(), &"Dev".into()));
    assert_eq!((&clara["won"], &clara["lost"]), (&dev["lost"], &dev["won"]));
    let number = |row: &Value, key: &str| row["reduced"][key].as_f64().unwrap();
    assert_eq!(number(clara, "mean"), -number(dev, "mean"));
    assert_eq!(clara["plain"]["mean"].as_f64().unwrap().abs(), 0.5);
    let ends = |row: &Value| [0, 1].map(|i| row["reduced"]["betting95"][i].as_f64().unwrap());
    let [low, high] = ends(clara);
    assert_eq!(ends(dev), [-high, -low]);
    // No match is worth more than a half, however few there are.
    assert!(low < number(clara, "mean") && number(clara, "mean") < high && high <= 0.5);
    // Money has no bound, and one match no spread.
    assert_eq!(rows[2]["reduced"]["order95"], Value::Null);
    assert_eq!(clara["reduced"]["central_limit95"][0], Value::Null);
    // The luck of the review is the same.
    let review = json(folder, &["review", "m/whole.mat", "--ply", "0"]);
    let adjusted = review["players"][0]["luck_adjusted_result"]
        .as_f64()
        .unwrap();
    assert!(
        (adjusted - 0.5 - number(clara, "mean")).abs() < 1e-4,
        "{adjusted} {clara}"
    );

    let text = |arguments: &[&str]| {
        let output = run(folder, arguments);
        assert!(output.status.success(), "{arguments:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let one = text(&["library", "record", "m", "--player", "BEN"]);
    assert!(
        one.contains("ben – anna") && !one.contains("Clara"),
        "{one}"
    );
    // Of two of ben's one was left; of the others nothing is said.
    assert_has!(one, "1 of 2 matches");
    let csv = text(&["library", "record", "m", "--csv"]);
    let lines: Vec<usize> = csv.lines().map(|line| line.split(',').count()).collect();
    assert_eq!(lines, [24; 5], "{csv}");
    let missing = run(folder, &["library", "record", "m", "--player", "nobody"]);
    assert_eq!(missing.status.code(), Some(2));
    let told = String::from_utf8(missing.stderr).unwrap();
    assert_has!(told, "called 'nobody', but: Clara, Dev, anna, ben");
    // Nothing is in the library, then the one match.
    assert_eq!(run(folder, &["library", "record"]).status.code(), Some(1));
    added(folder, "m/whole.mat");
    assert_eq!(json(folder, &["library", "record"])["matches"], 1);
}

/// Of a match in several files the longest record counts, whichever is read first.
#[test]
fn a_part_of_a_match_does_not_hide_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let whole = include_str!("../../sample_matches/clara-dev-3pt.mat");
    let part: String = whole.split_inclusive('\n').take(45).collect();
    fs::create_dir(folder.join("m")).unwrap();
    fs::write(folder.join("m/a-part.mat"), part).unwrap();
    fs::write(folder.join("m/b-whole.mat"), whole).unwrap();
    let is_counted = |arguments: &[&str]| {
        let found = json(folder, arguments);
        let counts = ["matches", "unfinished"].map(|key| found[key].as_u64().unwrap());
        assert_eq!(counts, [1, 0], "{arguments:?}");
        assert_eq!(found["records"].as_array().unwrap().len(), 2);
    };
    is_counted(&["library", "record", "m"]);
    for file in ["m/a-part.mat", "m/b-whole.mat"] {
        added(folder, file);
    }
    is_counted(&["library", "record"]);
    // Nor does a file that cannot be read any more.
    fs::write(folder.join("m/a-part.mat"), "").unwrap();
    is_counted(&["library", "record"]);
}

/// A library that takes nothing in is a failure of the command, not of the files.
#[test]
fn a_library_that_refuses_is_no_fault_of_the_files() {
    let folder = folder();
    let path = folder.path();
    assert_eq!(added(path, "m/a.mat"), [1, 0, 0, 0]);
    let library = path
        .join("data")
        .join(common::STORES)
        .join("library.sqlite");
    let sql = rusqlite::Connection::open(library).unwrap();
    let refuse =
        "CREATE TRIGGER full BEFORE INSERT ON files BEGIN SELECT RAISE(ABORT, 'no room'); END";
    sql.execute_batch(refuse).unwrap();
    drop(sql);
    let other = MATCH.replace("31: 8/5 6/5", "31: 24/20");
    assert_ne!(other, MATCH);
    fs::write(path.join("m/c.mat"), other).unwrap();
    let output = run(path, &["library", "add", "m", "--ply", "0"]);
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_has!(told, "library.sqlite");
    let counted = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_lacks!(counted, "could not be read");
}

/// What could not be read is listed as long as it is there and the user has not taken it out.
#[test]
fn a_file_that_is_gone_is_none_that_could_not_be_read() {
    let folder = folder();
    let folder = folder.path();
    let failed = || {
        let list = json(folder, &["library", "list", "--failed"]);
        list["failed"].as_array().unwrap().len()
    };
    let none = run(folder, &["library", "add", "none.mat"]);
    assert_eq!(none.status.code(), Some(1));
    assert_eq!(
        (failed(), added(folder, "m"), failed()),
        (0, [1, 1, 0, 1], 1)
    );
    let told = run(folder, &["library", "remove", "m/z.txt"]);
    assert_eq!(
        String::from_utf8(told.stdout).unwrap(),
        "0 matches removed; 1 file that could not be read is forgotten\n"
    );
    assert_eq!(failed(), 0);
    let again = run(folder, &["library", "remove", "m/z.txt"]);
    assert_eq!(again.status.code(), Some(2));
    // Deleted, it is not listed, and comes to be forgotten.
    assert_eq!((added(folder, "m"), failed()), ([0, 0, 2, 1], 1));
    fs::remove_file(folder.join("m/z.txt")).unwrap();
    assert_eq!(failed(), 0);
    assert_eq!(added(folder, "m"), [0, 0, 2, 0]);
    // What is known of a file that was broken before it went is kept.
    fs::write(folder.join("m/a.mat"), "").unwrap();
    assert_eq!((added(folder, "m"), failed()), ([0, 0, 1, 1], 1));
    fs::remove_file(folder.join("m/a.mat")).unwrap();
    assert_eq!((added(folder, "m"), failed()), ([0, 0, 1, 0], 0));
    fs::write(folder.join("m/a.mat"), MATCH).unwrap();
    assert_eq!(added(folder, "m"), [0, 0, 2, 0]);
}

/// A list of positions like one says how many games have one, and what its columns are.
#[test]
fn a_list_that_is_cut_says_so() {
    let folder = folder();
    let folder = folder.path();
    fs::remove_dir_all(folder.join("m")).unwrap();
    let other = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/sample_matches/clara-dev-3pt.mat"
    );
    added(folder, other);
    let found = |options: &[&str]| {
        let told = run(folder, &[&["find"], options].concat());
        String::from_utf8(told.stdout).unwrap()
    };
    let like = ["--like", common::OPENING, "--dice", "66"];
    let all = json(folder, &[&["find"], &like[..]].concat());
    let rows = all["decisions"].as_array().unwrap();
    assert!(rows.len() > 1 && all["total"] == rows.len());
    let sum: f64 = rows.iter().map(|row| row["error"].as_f64().unwrap()).sum();
    assert!((all["error"].as_f64().unwrap() - sum).abs() < 1e-6);
    let told = found(&[&like[..], &["--limit", "1"]].concat());
    let words = format!(
        "{} decisions, one of each game; the first is shown\n",
        rows.len()
    );
    assert!(told.ends_with(&words), "{told}");
    assert_has!(told.lines().next().unwrap(), "pips  error  match");
    assert!(!found(&like).contains("one of each game"));
    let told = found(&["--sort", "loss", "--limit", "2"]);
    assert_has!(told.lines().next().unwrap(), "loss");
    assert_has!(told, "; the first 2 are shown\n");
    assert!(found(&["--limit", "1"]).contains("; the first is shown\n"));
    assert!(!found(&[]).lines().next().unwrap().contains("loss"));
}

/// A file of the data folder.
fn store_of(folder: &Path, name: &str) -> PathBuf {
    let below = if cfg!(target_os = "linux") {
        "luckless"
    } else {
        "data"
    };
    folder.join("data").join(below).join(name)
}

/// The listed matches.
fn listed(folder: &Path, filter: &[&str]) -> Vec<Value> {
    let list = json(folder, &[&["library", "list"], filter].concat());
    list["matches"].as_array().unwrap().clone()
}

const LONG: &str = include_str!("../../sample_matches/anna-ben-7pt.mat");

/// What was added while a match was played, or before a play of it was corrected, is no other match.
#[test]
fn a_match_that_grows_or_is_corrected_stays_one() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    let begun: Vec<&str> = LONG.lines().take(13).collect();
    write("live.mat", &begun.join("\n"));
    assert_eq!(added(folder, "live.mat"), [1, 0, 0, 0]);
    write("live.mat", LONG);
    assert_eq!(added(folder, "live.mat"), [0, 1, 0, 0]);
    write(
        "live.mat",
        &LONG.replace(" 12) 65: 7/1 7/2 ", " 12) 65: 9/4 9/3 "),
    );
    assert_eq!(added(folder, "live.mat"), [0, 1, 0, 0]);
    // The beginning that was saved under another name.
    write("saved.mat", &begun.join("\n"));
    assert_eq!(added(folder, "saved.mat"), [0, 1, 0, 0]);
    let all = listed(folder, &[]);
    assert_eq!(all.len(), 1, "{all:?}");
    assert_eq!(all[0]["files"].as_array().unwrap().len(), 2);
    // Another match in the file's place is another match.
    write("live.mat", MATCH);
    assert_eq!(added(folder, "live.mat"), [1, 0, 0, 0]);
    assert_eq!(listed(folder, &[]).len(), 2);
}

/// First stands the player who is asked for, or fits, and the rating is of nobody else.
#[test]
fn who_fits_is_told_first() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("a.mat"), LONG).unwrap();
    assert_eq!(added(folder, "a.mat"), [1, 0, 0, 0]);
    let head = listed(folder, &[])[0].clone();
    let of = |side: usize| format!("{:.2}", head["pr"][side].as_f64().unwrap());
    assert!(run(folder, &["library", "me", "Anna"]).status.success());
    let told = |filter: &[&str]| {
        let done = run(folder, &[&["library", "list"], filter].concat());
        String::from_utf8(done.stdout).unwrap()
    };
    let ben = told(&["--player", "ben"]);
    assert_has!(ben, &format!("1 match: PR {} ", of(1)));
    let won_by_anna = head["score"][0].as_u64() > head["score"][1].as_u64();
    let [won, lost] = [told(&["won"]), told(&["lost"])];
    let own = format!("1 match: PR {} ", of(0));
    assert_eq!(
        [won.contains(&own), lost.contains(&own)],
        [won_by_anna, !won_by_anna],
        "{won}{lost}"
    );
    assert!(told(&["!player:ben"]).contains(&own));
}

/// A review that is gone is made again when its match is added again, and the plan says so until then.
#[test]
fn a_review_that_is_gone_is_made_again() {
    let folder = folder();
    let folder = folder.path();
    assert_eq!(added(folder, "m/a.mat"), [1, 0, 0, 0]);
    let player = run(folder, &["library", "me", "anna"]);
    assert!(player.status.success(), "{player:?}");
    fs::remove_file(store_of(folder, "reviews.sqlite")).unwrap();
    let planned = run(folder, &["plan"]);
    let told = String::from_utf8_lossy(&planned.stderr);
    assert_has!(told, "makes it again");
    assert_eq!(added(folder, "m/a.mat"), [0, 0, 1, 0]);
    assert!(run(folder, &["plan"]).status.success());
    // So is one that is damaged.
    let reviews = store_of(folder, "reviews.sqlite");
    let reviews = rusqlite::Connection::open(reviews).unwrap();
    let damage = "UPDATE reviews SET report_sum = 1";
    reviews.execute(damage, []).unwrap();
    assert_eq!(added(folder, "m/a.mat"), [0, 0, 1, 0]);
    assert!(run(folder, &["plan"]).status.success());
    // One of a file that was corrected has another key.
    fs::write(folder.join("m/a.mat"), format!("{MATCH}\n")).unwrap();
    reviews.execute("DELETE FROM reviews", []).unwrap();
    added(folder, "m/a.mat");
    assert!(run(folder, &["plan"]).status.success());
    // So are decisions that are damaged; a match whose head is damaged can be removed, or added again.
    let change = |sql: &str| {
        let library = store_of(folder, "library.sqlite");
        let library = rusqlite::Connection::open(library).unwrap();
        library.execute(sql, []).unwrap();
    };
    change("UPDATE matches SET decisions_sum = 1");
    assert_eq!(added(folder, "m/a.mat"), [0, 1, 0, 0]);
    assert!(json(folder, &["find"])["total"].as_u64() > Some(0));
    change("UPDATE matches SET head_sum = 1");
    assert_eq!(added(folder, "m/a.mat"), [1, 0, 0, 0]);
    let list = run(folder, &["library", "list"]);
    let told = String::from_utf8_lossy(&list.stderr);
    assert_lacks!(told, "damaged");
    change("UPDATE matches SET head_sum = 1");
    json(folder, &["library", "remove", "1"]);
    assert_eq!(added(folder, "m/a.mat"), [1, 0, 0, 0]);
}

/// What a file says of the match stays when the match is analysed again from another file.
#[test]
fn a_deeper_review_keeps_the_day_and_the_names() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("m")).unwrap();
    let dated = format!("; [EventDate \"2019.05.04\"]\n; [Site \"Paris\"]\n{LONG}");
    fs::write(folder.join("m/b.mat"), dated).unwrap();
    assert_eq!(added(folder, "m"), [1, 0, 0, 0]);
    let before = listed(folder, &[])[0].clone();
    assert_eq!(before["date"], "2019-05-04");
    let plain: Vec<&str> = LONG.lines().filter(|line| !line.starts_with(';')).collect();
    let plain = plain.join("\n").replace("Ben", "Benjamin");
    fs::write(folder.join("m/a.mat"), plain).unwrap();
    let deeper = ["library", "add", "m/a.mat", "--ply", "1"];
    assert!(run(folder, &deeper).status.success());
    let after = listed(folder, &[])[0].clone();
    assert_eq!((&before["ply"], &after["ply"]), (&0.into(), &1.into()));
    for same in ["id", "date", "event", "site", "players"] {
        assert_eq!(before[same], after[same], "{same}");
    }
}

/// A match that was removed stays out with a copy of a file that holds others, and one that was added again by name
/// gets its other files back.
#[test]
fn what_was_removed_is_known_in_other_files() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("m")).unwrap();
    let other = include_str!("../../sample_matches/clara-dev-3pt.mat");
    let two = format!("{LONG}\n{other}");
    fs::write(folder.join("m/two.mat"), &two).unwrap();
    assert_eq!(added(folder, "m"), [2, 0, 0, 0]);
    let anna = || listed(folder, &["player:anna"]);
    json(folder, &["library", "remove", &anna()[0]["id"].to_string()]);
    fs::write(folder.join("m/copy.mat"), &two).unwrap();
    fs::write(folder.join("m/two.mat"), format!("{two}\n\n")).unwrap();
    added(folder, "m");
    assert!(anna().is_empty(), "{:?}", anna());
    fs::write(folder.join("m/one.mat"), LONG).unwrap();
    added(folder, "m");
    assert!(anna().is_empty());
    // Named, it is back, and the next time so are its other files.
    assert_eq!(added(folder, "m/one.mat"), [1, 0, 0, 0]);
    fs::write(folder.join("m/later.mat"), LONG).unwrap();
    added(folder, "m");
    let files = anna()[0]["files"].as_array().unwrap().len();
    assert_eq!(files, 4, "{:?}", anna());
}

/// So it stays while its file cannot be read for a while; and it comes back where the file is named.
#[test]
fn what_was_removed_of_a_file_is_not_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("m")).unwrap();
    let other = include_str!("../../sample_matches/clara-dev-3pt.mat");
    let two = format!("{LONG}\n{other}");
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    write("m/two.mat", &two);
    assert_eq!(added(folder, "m"), [2, 0, 0, 0]);
    let anna = || listed(folder, &["player:anna"]);
    json(folder, &["library", "remove", &anna()[0]["id"].to_string()]);
    write("m/two.mat", "");
    assert_eq!(added(folder, "m"), [0, 0, 0, 1]);
    write("m/two.mat", &two);
    added(folder, "m");
    write("m/copy.mat", &format!("{two}\n"));
    added(folder, "m");
    assert!(anna().is_empty(), "{:?}", anna());
    assert_eq!(added(folder, "m/two.mat"), [1, 0, 1, 0]);
    assert_eq!(anna().len(), 1);
    // Removed with its folder it stays out, also where a file of its matches lies elsewhere.
    fs::create_dir(folder.join("o")).unwrap();
    write("o/one.mat", other);
    added(folder, "o");
    json(folder, &["library", "remove", "m"]);
    added(folder, "m");
    assert!(anna().is_empty(), "{:?}", anna());
}

/// A match removed with all its files has them all again once it is added by one of them.
#[test]
fn files_of_a_match_that_came_back_are_known() {
    let folder = folder();
    let folder = folder.path();
    assert_eq!(added(folder, "m"), [1, 1, 0, 1]);
    json(folder, &["library", "remove", "1"]);
    assert_eq!(added(folder, "m/a.mat"), [1, 0, 0, 0]);
    assert_eq!(added(folder, "m"), [0, 1, 1, 1]);
    let files = listed(folder, &[])[0]["files"].as_array().unwrap().len();
    assert_eq!(files, 2);
}

/// A match counts once in `matches` after its day and a name were corrected.
#[test]
fn a_corrected_match_is_rated_once() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let review = |name: &str, text: &str| {
        fs::write(folder.join(name), text).unwrap();
        let done = run(folder, &["review", name, "--ply", "0"]);
        assert!(done.status.success(), "{done:?}");
    };
    let matches = || json(folder, &["matches"])["matches"].clone();
    review("live.mat", LONG);
    review("live.mat", &format!("; [EventDate \"2024.01.02\"]\n{LONG}"));
    let right = LONG.replace("Ben", "Benjamin");
    review(
        "right.mat",
        &format!("; [EventDate \"2023.11.20\"]\n{right}"),
    );
    let all = matches();
    assert_eq!(all.as_array().unwrap().len(), 1, "{all}");
    assert_eq!(all[0]["date"], "2023-11-20");
    assert!(all[0].to_string().contains("Benjamin"), "{all}");
}

/// Starts a command in a folder, sends it a signal once `when` holds of its process, and answers what came of it.
#[cfg(unix)]
fn stopped(folder: &Path, arguments: &[&str], signal: &str, when: impl Fn(u32) -> bool) -> Output {
    let mut command = command(arguments);
    command.current_dir(folder);
    command.env(common::DATA, folder.join("data"));
    let mut child = command.spawn().unwrap();
    while !when(child.id()) {
        assert!(child.try_wait().unwrap().is_none(), "ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let id = child.id().to_string();
    let mut kill = std::process::Command::new("kill");
    assert!(kill.args([signal, &id]).status().unwrap().success());
    child.wait_with_output().unwrap()
}

/// Adding that is stopped by Ctrl-C, or killed, keeps the matches that are done, and the same command adds the others.
#[cfg(unix)]
#[test]
fn adding_that_is_stopped_goes_on() {
    for (signal, status) in [("-INT", Some(1)), ("-KILL", None)] {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        fs::create_dir(folder.join("m")).unwrap();
        let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/sample_matches");
        for name in [
            "anna-ben-7pt",
            "anna-clara-money",
            "ben-dev-9pt",
            "clara-dev-3pt",
        ] {
            let name = format!("{name}.mat");
            fs::copy(format!("{samples}/{name}"), folder.join("m").join(name)).unwrap();
        }
        let library = store_of(folder, "library.sqlite");
        let matches = || -> u64 {
            if !library.exists() {
                return 0;
            }
            let sql = rusqlite::Connection::open(&library).unwrap();
            let count = sql.query_row("SELECT count(*) FROM matches", [], |row| row.get(0));
            count.unwrap_or(0)
        };
        let add = ["library", "add", "m", "--ply", "2", "--threads", "1"];
        let output = stopped(folder, &add, signal, |_| matches() >= 1);
        assert_eq!(output.status.code(), status, "{output:?}");
        let kept = matches();
        assert!((1..4).contains(&kept), "{kept}");
        assert_eq!(added(folder, "m"), [4 - kept, 0, kept, 0], "{signal}");
    }
}

/// A record that is stopped by Ctrl-C is not printed.
#[cfg(target_os = "linux")]
#[test]
fn a_record_that_is_stopped_is_not_printed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("m")).unwrap();
    let sample = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/sample_matches/ben-dev-9pt.mat"
    );
    let sample = fs::read_to_string(sample).unwrap();
    // As many matches as take seconds.
    for other in 0..40 {
        let text = sample.replace("\"Dev\"", &format!("\"Dev{other}\""));
        fs::write(folder.join(format!("m/{other}.mat")), text).unwrap();
    }
    // It watches for the signal from then on.
    let is_watching = |id: u32| {
        let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = u64::from_str_radix(caught.unwrap().trim(), 16).unwrap();
        caught & 1 << (signal_hook::consts::SIGINT - 1) != 0
    };
    let record = ["library", "record", "m", "--threads", "1"];
    let output = stopped(folder, &record, "-INT", is_watching);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert_has!(said, "stopped after");
}
