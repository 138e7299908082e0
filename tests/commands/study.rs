//! The quiz and the export of errors, through the program.

use crate::common;

use std::io::Write as _;
#[cfg(unix)]
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::Stdio;

use common::{MATCH, command};
use luckless::match_file;
use luckless::notation::{parse_id, spoken};
use luckless::store::{MatchFingerprint, NoteStore, READ_TIMEOUT, StudyChange, StudyStore};
use luckless::study::{Grade, StudyAnswer, StudyCard};
use serde_json::Value;

/// A money session of the same player.
const MONEY: &str = include_str!("../../sample_matches/anna-clara-money.mat");
const DAY: i64 = 86_400;
/// A day in 2026.
const BEGIN: i64 = 20_600 * DAY;

/// A folder with a match and nothing else.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.mat"), MATCH).unwrap();
    folder
}

/// What the quiz prints on a day, given these lines.
fn quiz(folder: &Path, day: i64, options: &[&str], input: &str) -> String {
    let now = (BEGIN + day * DAY).to_string();
    // Options of questions are refused where none is asked.
    let first = options.first().copied().unwrap_or_default();
    let is_list = options.contains(&"--json") && matches!(first, "--json" | "--from" | "--due");
    let how = match is_list || matches!(first, "--progress" | "--merge") {
        true => &[][..],
        false => &["--seed", "1", "--ply", "0"],
    };
    let fixed = ["--now", &now, "--store", "study"];
    let arguments = [&["quiz"], options, how, &fixed].concat();
    let mut command = command(&arguments);
    let mut child = command
        .current_dir(folder)
        .env(common::DATA, folder.join("data"))
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // It may have ended without reading.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{options:?}: {told}");
    String::from_utf8(output.stdout).unwrap()
}

fn json(folder: &Path, day: i64, options: &[&str]) -> Value {
    let options = [options, &["--json"]].concat();
    serde_json::from_str(&quiz(folder, day, &options, "")).unwrap()
}

const FILE: [&str; 3] = ["m.mat", "--from", "0.001"];

#[test]
fn errors_come_back_until_they_are_known() {
    let folder = folder();
    let folder = folder.path();
    let asked = json(folder, 0, &FILE);
    let questions = asked["questions"].as_array().unwrap();
    let first = &questions[0];
    let errors = questions.iter().filter(|q| q["error"] == true).count();
    let right = questions.len() - errors;
    assert!(
        errors > 0 && right > 0 && right <= errors.div_ceil(2),
        "{asked}"
    );
    // Nothing before the answer tells what was played, or what is best.
    let shown = quiz(folder, 0, &FILE, "");
    let question = shown.split("answer (?").next().unwrap();
    assert_lacks!(question, "in the match", "equity", "cost", "error", "anna");
    assert_lacks!(question, "XGID");
    // Each answer is the first choice; whatever was wrong is asked again.
    let answered = quiz(folder, 0, &FILE, "1\n\nq\n");
    assert_has!(answered, "in the match: ", first["made"].as_str().unwrap());
    let cards = json(folder, 0, &[]);
    assert_eq!(cards["answers"], 1);
    let card = &cards["list"][0];
    assert_eq!(card["xgid"], first["xgid"]);
    // A new sitting has no answer of its own yet.
    let again = quiz(folder, 0, &FILE, "u\n1\n1\n1\n3\n\nq\n");
    assert_has!(again, "no answer to take back");
    let cards = json(folder, 0, &[]);
    assert_eq!(cards["answers"], 2);
}

#[test]
fn an_answer_is_taken_back_and_graded_otherwise() {
    let folder = folder();
    let folder = folder.path();
    let taken = quiz(folder, 0, &FILE, "1\nu\nq\n");
    assert_has!(taken, "taken back");
    assert_eq!(json(folder, 0, &[])["answers"], 0);
    // An error that is known: two days, then eleven.
    let all = json(folder, 0, &FILE);
    let questions = all["questions"].as_array().unwrap();
    let place = questions.iter().position(|q| q["error"] == true).unwrap();
    let skip = "s\n".repeat(place);
    quiz(folder, 0, &FILE, &format!("{skip}1\n3\n\nq\n"));
    let due = |day| json(folder, day, &[])["due"].as_u64().unwrap();
    assert_eq!([due(0), due(1), due(2)], [0, 0, 1]);
    let early = quiz(folder, 1, &[], "");
    assert_has!(early, "nothing is due before 2026-05-29");
    quiz(folder, 2, &[], "1\n3\n\nq\n");
    assert_eq!([due(12), due(13)], [0, 1]);
    // Forgotten: in the same sitting again.
    let again = quiz(folder, 13, &[], "1\n1\n\n1\n3\n\n");
    assert_has!(again, "it comes back in this sitting");
    let card = &json(folder, 13, &[])["list"][0];
    assert_eq!((&card["answers"], &card["lapses"]), (&4.into(), &1.into()));
    assert_eq!(json(folder, 13, &[])["retention"], 0.5);
    let told = quiz(folder, 13, &["--progress"], "");
    assert_has!(told, "remembered: 1 of 2");
}

/// The plies of an explanation are those of the answer, so that their figures agree.
#[test]
fn a_cube_decision_is_explained_as_it_was_graded() {
    let folder = folder();
    let folder = folder.path();
    let told = quiz(folder, 0, &FILE, &"1\nw\n\n".repeat(8));
    // The heading of what is told of a cube decision, behind the question what to do next.
    let is_heading = |line: &&str| line.contains("): XGID=") && line.ends_with("-ply");
    let headings: Vec<&str> = told.lines().filter(is_heading).collect();
    assert!(!headings.is_empty(), "{told}");
    for heading in headings {
        assert!(heading.ends_with(", 0-ply"), "{heading}");
    }
}

/// An answer that was not known leaves a copy at the end, which undo removes: not a question that was skipped.
#[test]
fn undo_after_a_skip_asks_each_question_once() {
    let counts = |begin: &str| {
        let folder = folder();
        let rest = "1\n4\n\n".repeat(100);
        quiz(folder.path(), 0, &FILE, &format!("{begin}{rest}"));
        let cards = json(folder.path(), 0, &[]);
        let asked = cards["list"].as_array().unwrap().len();
        (cards["answers"].as_u64().unwrap(), asked)
    };
    let plain = counts("");
    assert!(plain.1 > 2, "{plain:?}");
    assert_eq!(plain, (plain.1 as u64, plain.1));
    assert_eq!(counts("1\n1\n\ns\nu\n"), plain);
}

/// Killed while it waits for the next line: the answers before it are there.
#[cfg(unix)]
#[test]
fn answers_survive_a_kill() {
    let folder = folder();
    let folder = folder.path();
    quiz(folder, 0, &FILE, "q\n");
    for kept in 1..=3 {
        let now = BEGIN.to_string();
        let mut command = command(&[
            "quiz", "m.mat", "--from", "0.001", "--ply", "0", "--store", "study", "--now", &now,
        ]);
        let mut child = command
            .current_dir(folder)
            .env(common::DATA, folder.join("data"))
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.as_mut().unwrap().write_all(b"1\n").unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(lines.any(|line| line.unwrap().starts_with("in the match")));
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(json(folder, 0, &[])["answers"], kept);
    }
}

#[test]
fn logs_of_two_machines_come_together() {
    let [one, two] = [folder(), folder()];
    quiz(one.path(), 0, &FILE, "1\n\nq\n");
    quiz(two.path(), 1, &FILE, "1\n\nq\n");
    let copy = one.path().join("copy");
    std::fs::copy(two.path().join("study"), &copy).unwrap();
    let merge = || quiz(one.path(), 2, &["--merge", "copy"], "");
    assert_eq!(merge(), "1 of 1 answer was new here\n");
    assert_eq!(merge(), "0 of 1 answer was new here\n");
    assert_eq!(json(one.path(), 2, &[])["answers"], 2);
}

/// A copy that failed has nothing in it, which is not the same as no answers.
#[test]
fn an_empty_file_is_no_log() {
    let one = folder();
    std::fs::write(one.path().join("empty"), "").unwrap();
    let mut merge = command(&["quiz", "--store", "study", "--merge", "empty"]);
    let output = merge.current_dir(one.path()).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(
        !output.status.success() && told.contains("not a store of this program"),
        "{told}"
    );
}

/// What is only read stays as it is, damaged or not.
#[test]
fn a_damaged_log_of_another_machine_is_left_alone() {
    let (one, other) = (folder(), folder());
    quiz(other.path(), 0, &FILE, "1\n\nq\n");
    let whole = std::fs::read(other.path().join("study")).unwrap();
    let cut = other.path().join("cut.sqlite");
    std::fs::write(&cut, &whole[..5000]).unwrap();
    let mut merge = command(&["quiz", "--store", "study", "--merge", cut.to_str().unwrap()]);
    let output = merge.current_dir(one.path()).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{told}");
    assert_has!(told, "cut.sqlite");
    assert_eq!(std::fs::read(&cut).unwrap(), whole[..5000]);
    assert!(!other.path().join("cut.sqlite.damaged").exists());
}

#[test]
fn errors_of_the_library_are_asked() {
    let folder = folder();
    let folder = folder.path();
    let mut add = command(&["library", "add", "m.mat"]);
    add.current_dir(folder)
        .env(common::DATA, folder.join("data"));
    assert!(add.output().unwrap().status.success());
    let library = |options: &[&str]| {
        let options = [&["--library", "--from", "0.001"], options].concat();
        json(folder, 0, &options)["questions"].clone()
    };
    let all = library(&[]);
    let all = all.as_array().unwrap();
    assert!(all.iter().any(|one| one["error"] == true));
    let ben = library(&["--player", "ben"]);
    assert!(ben.as_array().unwrap().len() < all.len());
    // The same decisions as those of the file.
    let file = json(folder, 0, &FILE)["questions"].clone();
    let errors = |questions: &[Value]| {
        let errors = questions.iter().filter(|one| one["error"] == true);
        let mut keys: Vec<String> = errors.map(|one| one["xgid"].to_string()).collect();
        keys.sort();
        keys
    };
    assert_eq!(errors(all), errors(file.as_array().unwrap()));
    // What was asked and is known is not asked again.
    let asked = quiz(folder, 0, &["--library", "--from", "0.001"], "1\n3\n\nq\n");
    assert_has!(asked, "in the match");
    let known = json(folder, 0, &[])["list"][0]["xgid"].clone();
    let is_known = |one: &Value| one["xgid"] == known;
    assert!(all.iter().any(is_known));
    assert!(!library(&[]).as_array().unwrap().iter().any(is_known));
    // A filter leaves errors out, and a family is one; right decisions of the kind stay among them.
    let keys = |options: &[&str]| -> Vec<String> {
        let all = library(options);
        let all = all.as_array().unwrap().iter();
        all.map(|one| one["class"].as_str().unwrap().to_owned())
            .collect()
    };
    let take = keys(&["--filter", "take error>0.001"]);
    assert_eq!(take, ["taking"]);
    let family = keys(&["--family", "Taking, opening"]);
    assert_eq!(family, ["taking"]);
    let wrong = quiz_fails(folder, &["--family", "takeing, holding game"]);
    assert_has!(wrong, "taking, holding game");
    let wrong = quiz_fails(folder, &["--filter", "eror>1"]);
    assert_has!(wrong, "filter, column 1");
    for of_nobody in [&["--library"][..], &["--filter", "take"]] {
        let wrong = quiz_fails(folder, &[of_nobody, &["--player", "bne"]].concat());
        assert_has!(wrong, "'bne', but: anna, ben");
    }
    // The same selection as a table.
    let table = |options: &[&str]| {
        let fixed = ["export", "--csv", "--ply", "0", "--from", "0.001"];
        let mut command = command(&[&fixed, options].concat());
        command
            .current_dir(folder)
            .env(common::DATA, folder.join("data"));
        let told = command.output().unwrap();
        assert!(told.status.success(), "{options:?}");
        String::from_utf8(told.stdout).unwrap()
    };
    let all = table(&["--library"]);
    let some = table(&["--filter", "take kind:opening"]);
    assert!(1 < some.lines().count() && some.lines().count() < all.lines().count());
    assert!(
        some.lines()
            .skip(1)
            .all(|line| line.contains("taking,opening"))
    );
    // Of one card that was asked at most that one is due.
    assert!(table(&["--due", "--store", "study"]).lines().count() <= 2);
}

/// The cards of the quiz know what an error cost, and do not know whose it was.
#[test]
fn cards_are_chosen_by_cost_and_not_by_player() {
    let folder = folder();
    let folder = folder.path();
    quiz(folder, 0, &FILE, &"1\n1\n\n".repeat(30));
    let list = json(folder, 0, &[])["list"].clone();
    let cost = |card: &Value| card["cost"].as_f64().unwrap();
    let cards = list.as_array().unwrap().iter();
    let errors: Vec<&Value> = cards.filter(|card| card["error"] == true).collect();
    let largest = errors.iter().map(|card| cost(card)).fold(0.0, f64::max);
    let from = format!("{:.3}", largest - 0.001);
    let is_as_large = |card: &&&Value| (1000.0 * cost(card)).round() >= 1000.0 * largest - 1.5;
    let large = errors.iter().filter(is_as_large).count();
    assert!(large > 0 && large < errors.len(), "{list}");
    let exported = |options: &[&str]| {
        let fixed = ["export", "--csv", "--ply", "0", "--store", "study"];
        let mut command = command(&[&fixed, options].concat());
        let command = command
            .current_dir(folder)
            .env(common::DATA, folder.join("data"));
        let output = command.output().unwrap();
        let lines = String::from_utf8(output.stdout).unwrap().lines().count();
        (output.status.code(), lines)
    };
    assert_eq!(exported(&[]), (Some(0), errors.len() + 1));
    assert_eq!(exported(&["--from", &from]), (Some(0), large + 1));
    assert_eq!(exported(&["--player", "anna"]).0, Some(2));
    let is_error = |card: &&Value| card["error"] == true;
    let chosen = json(folder, 0, &["--from", &from])["list"].clone();
    let chosen = chosen.as_array().unwrap().iter().filter(is_error);
    assert_eq!(chosen.count(), large);
    let refused = quiz_fails(folder, &["--player", "anna", "--store", "study"]);
    assert_has!(refused, "do not say who decided");
    assert_eq!(exported(&["--from", "10.1"]).0, Some(2));
    assert_eq!(exported(&["--from", "10"]), (Some(0), 1));
}

/// What a quiz that cannot be asked says.
fn quiz_fails(folder: &Path, options: &[&str]) -> String {
    let arguments = [&["quiz", "--json", "--now", "0"], options].concat();
    let mut command = command(&arguments);
    command
        .current_dir(folder)
        .env(common::DATA, folder.join("data"));
    let told = command.output().unwrap();
    assert_eq!(told.status.code(), Some(2), "{options:?}");
    String::from_utf8(told.stderr).unwrap()
}

#[test]
fn a_plan_says_what_it_was_held_against() {
    let folder = folder();
    let folder = folder.path();
    let plan = |options: &[&str]| {
        let arguments = [&["plan", "--ply", "0"], options].concat();
        let mut command = command(&arguments);
        command
            .current_dir(folder)
            .env(common::DATA, folder.join("data"));
        command.output().unwrap()
    };
    let told = plan(&["m.mat", "--player", "anna", "--reference", "7"]);
    assert!(told.status.success());
    let text = String::from_utf8(told.stdout).unwrap();
    assert_has!(text, "reference: PR 7.00 (temperature 0.");
    // A short match proves nothing.
    assert_has!(text, "no family is clearly worse", "no habit stands out");
    let json = plan(&["m.mat", "--player", "anna", "--json"]);
    let json: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(
        (&json["unit"], &json["matches"]),
        (&"mwc".into(), &1.into())
    );
    assert!(json["temperature"].as_f64().unwrap() > 0.0);
    // One match carries no trend, but rating, luck and a record.
    let record = &json["record"];
    assert!(record["pr_change_in_ten_matches"].is_null());
    assert!(record["pr_change_point"].is_null());
    let luck = &record["luck"];
    let [net, spread] = ["net", "spread"].map(|key| luck[key].as_f64().unwrap());
    assert!((net / spread - luck["deviations"].as_f64().unwrap()).abs() < 1e-9);
    assert_eq!(record["opponents"][0]["matches"], 1);
    let words = ["(expected standard deviation ", "against each opponent"];
    assert!(words.iter().all(|word| text.contains(word)), "{text}");
    // A match that is in two files is one.
    std::fs::write(folder.join("again.mat"), format!("{MATCH}\n")).unwrap();
    let json = plan(&["m.mat", "again.mat", "--player", "anna", "--json"]);
    let json: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(json["matches"], 1);
    // Money sessions are a plan of their own.
    std::fs::write(folder.join("money.mat"), MONEY).unwrap();
    let both = ["m.mat", "money.mat", "--player", "anna"];
    for (more, unit, words) in [
        (None, "mwc", "1 money session is not counted here"),
        (Some("--money"), "points", "1 match is not counted here"),
    ] {
        let of = |last: &[&'static str]| plan(&[&both, more.as_slice(), last].concat());
        let text = String::from_utf8(of(&[]).stdout).unwrap();
        assert_has!(text, words);
        let contests = if more.is_some() {
            "sessions"
        } else {
            "matches"
        };
        let head = text.lines().find(|line| line.starts_with("opponent"));
        assert!(head.is_some_and(|head| head.contains(contests)), "{text}");
        let json: Value = serde_json::from_slice(&of(&["--json"]).stdout).unwrap();
        assert_eq!(
            (&json["unit"], &json["not_counted"]),
            (&unit.into(), &1.into())
        );
    }
    for (options, status) in [
        (&["m.mat"][..], 2),
        (&["m.mat", "--player", "anna", "--money"][..], 2),
        (&["m.mat", "--player", "nobody"][..], 2),
        (&[][..], 2),
    ] {
        assert_eq!(plan(options).status.code(), Some(status), "{options:?}");
    }
    let empty = command(&["plan"])
        .env(common::DATA, folder.join("data"))
        .output();
    assert_eq!(empty.unwrap().status.code(), Some(1));
    // The players there are, of the files and of the library.
    done(folder, &["library", "add", "m.mat", "--ply", "0"]);
    let nobody = plan(&["m.mat", "--player", "nobody"]);
    let of_library = command(&["plan", "--player", "nobody"])
        .current_dir(folder)
        .env(common::DATA, folder.join("data"))
        .output()
        .unwrap();
    for told in [nobody, of_library] {
        assert_eq!(told.status.code(), Some(2));
        let words = String::from_utf8(told.stderr).unwrap();
        assert_has!(words, "called 'nobody', but: anna, ben");
    }
}

fn export(folder: &Path, options: &[&str]) -> Vec<u8> {
    let arguments = [&["export"], &FILE[..], &["--ply", "0"], options].concat();
    let mut command = command(&arguments);
    command
        .current_dir(folder)
        .env(common::DATA, folder.join("data"));
    let output = command.output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{options:?}: {told}");
    output.stdout
}

/// Cards of a file have its rules: a GNUBG ID does not hold beavers.
#[test]
fn cards_of_a_file_have_its_rules() {
    let folder = folder();
    let folder = folder.path();
    let text = MONEY.replace("[Beaver \"Off\"]", "[Beaver \"On\"]");
    assert_ne!(text, MONEY);
    std::fs::write(folder.join("beaver.mat"), text).unwrap();
    let mut command = command(&[
        "export",
        "--json",
        "beaver.mat",
        "--ply",
        "0",
        "--from",
        "0.02",
    ]);
    command
        .current_dir(folder)
        .env(common::DATA, folder.join("data"));
    let json: Value = serde_json::from_slice(&command.output().unwrap().stdout).unwrap();
    let cards = json["decisions"].as_array().unwrap();
    assert!(!cards.is_empty());
    for card in cards {
        // The field before the largest cube: Jacoby 1, beavers 2.
        assert!(
            card["xgid"].as_str().unwrap().ends_with(":3:0:10"),
            "{card}"
        );
    }
}

/// On a worksheet the boards tell nothing of the answers, which follow under the same numbers.
#[test]
fn errors_are_exported_as_a_worksheet() {
    let folder = folder();
    let folder = folder.path();
    let told: Value = serde_json::from_slice(&export(folder, &["--json"])).unwrap();
    let decisions = told["decisions"].as_array().unwrap();
    let page = String::from_utf8(export(folder, &["--html"])).unwrap();
    let (boards, answers) = page.split_once("<h2>Answers</h2>").unwrap();
    assert_eq!(boards.matches("<svg").count(), decisions.len());
    assert_eq!(answers.matches("<svg").count(), 0);
    for (number, decision) in (1..).zip(decisions) {
        let xgid = decision["xgid"].as_str().unwrap();
        assert!(boards.contains(&format!("<h3>{number}. ")));
        assert!(!boards.contains(xgid) && answers.contains(xgid), "{xgid}");
        let dice = decision["dice"].as_str();
        if let (Some(best), Some(_)) = (decision["best"].as_str(), dice) {
            assert!(
                answers.contains(&format!("<h3>{number}. {best}</h3>")),
                "{best}"
            );
        }
    }
    for word in ["equity", "played"] {
        assert!(!boards.contains(word) && answers.contains(word), "{word}");
    }
    // Nothing is loaded from anywhere.
    assert_lacks!(page, "http");
}

#[test]
fn errors_are_exported_as_cards_and_as_a_table() {
    let folder = folder();
    let folder = folder.path();
    let told: Value = serde_json::from_slice(&export(folder, &["--json"])).unwrap();
    let decisions = told["decisions"].as_array().unwrap();
    assert!(!decisions.is_empty());
    let table = String::from_utf8(export(folder, &["--csv"])).unwrap();
    assert_eq!(table.lines().count(), decisions.len() + 1);
    export(folder, &["--anki", "--out", "one.apkg"]);
    let guids = |name: &str| package_notes(folder, name);
    let notes = guids("one.apkg");
    assert_eq!(notes.len(), decisions.len());
    for ((guid, fields), decision) in notes.iter().zip(decisions) {
        let fields: Vec<&str> = fields.split('\u{1f}').collect();
        let [xgid, front, back, data] = fields[..] else {
            panic!("{fields:?}");
        };
        assert_eq!(xgid, decision["xgid"]);
        assert!(guid.starts_with("lk"));
        for side in [front, back] {
            assert_eq!(side.matches("<svg").count(), 1);
            assert_eq!(
                side.matches("<circle class=\"checker").count() + off(side),
                30
            );
        }
        // In front nothing tells what was played or what it cost.
        assert_lacks!(front, "equity", "played");
        assert_has!(back, "● played: ");
        assert_has!(data, "version");
    }
    export(folder, &["--anki", "--out", "two.apkg"]);
    let again = guids("two.apkg");
    assert_eq!(again, notes);
}

/// A match of Anna and Ben that begins with an error, and goes on with these moves.
fn another_match(day: &str, moves: [&str; 3]) -> String {
    let [answer, own, last] = moves;
    format!(
        "; [Player 1 \"Anna\"]\n; [Player 2 \"Ben\"]\n; [EventDate \"{day}\"]\n\n5 point match\n\n Game 1\n \
         Anna : 0                              Ben : 0\n  \
         1) 31: 24/23 13/10                    {answer}\n  \
         2) {own:<35}{last}\n"
    )
}

/// Two regular opponents make the same error in two matches. A table leaves out only the match that it reads twice.
#[test]
fn a_table_has_an_error_of_each_match_of_two_players() {
    let folder = folder();
    let folder = folder.path();
    let spring = [
        "42: 24/20 13/11",
        "66: 24/18 13/7 13/7 13/7",
        "21: 13/11 6/5",
    ];
    let summer = [
        "65: 24/18 18/13",
        "43: 13/9 13/10",
        "11: 24/23 24/23 6/5 6/5",
    ];
    let all = [
        ("a.mat", "2026.03.01", spring),
        ("b.mat", "2026.06.01", summer),
    ];
    for (name, day, moves) in all {
        std::fs::write(folder.join(name), another_match(day, moves)).unwrap();
    }
    std::fs::copy(folder.join("b.mat"), folder.join("c.mat")).unwrap();
    let lines = |from: &[&str]| {
        let fixed = ["export", "--csv", "--ply", "0", "--from", "0.01"];
        let table = done(folder, &[&fixed, from].concat()).stdout;
        let table = String::from_utf8(table).unwrap();
        let mut lines: Vec<String> = table.lines().skip(1).map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let [spring, summer] = [lines(&["a.mat"]), lines(&["b.mat"])];
    // The first error of both is one line.
    assert!(spring.iter().any(|line| summer.contains(line)));
    let mut both = [spring, summer].concat();
    both.sort();
    assert_eq!(lines(&["a.mat", "b.mat"]), both);
    assert_eq!(lines(&["a.mat", "b.mat", "c.mat", "a.mat"]), both);
    done(
        folder,
        &["library", "add", "a.mat", "b.mat", "c.mat", "--ply", "0"],
    );
    assert_eq!(lines(&["--library"]), both);
}

/// A note beside every turn of the match.
fn write_notes(folder: &Path) {
    let record = match_file::read(&folder.join("m.mat")).unwrap();
    let of = MatchFingerprint::of(&record);
    let path = folder.join("data").join(common::STORES);
    let mut notes = NoteStore::open(&path.join("notes.sqlite")).unwrap();
    for (game, one) in record.games.iter().enumerate() {
        for decision in record.decision_states(one) {
            let place = (game, decision.event);
            notes.keep(&of, place, "prime <or>\nrun, \"3\"").unwrap();
        }
    }
}

const NOTE: &str = "prime <or> run, \"3\"";

/// The program in the folder; it must succeed.
fn done(folder: &Path, arguments: &[&str]) -> std::process::Output {
    let mut command = command(arguments);
    command
        .current_dir(folder)
        .env(common::DATA, folder.join("data"));
    let output = command.output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {told}");
    output
}

/// The notes of a package, each with its name for Anki and its fields.
fn package_notes(folder: &Path, name: &str) -> Vec<(String, String)> {
    let bytes = std::fs::read(folder.join(name)).unwrap();
    let mut package = zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
    let mut collection = package.by_name("collection.anki2").unwrap();
    let path = folder.join("collection");
    let mut file = std::fs::File::create(&path).unwrap();
    std::io::copy(&mut collection, &mut file).unwrap();
    let opened = rusqlite::Connection::open(&path).unwrap();
    let mut all = opened
        .prepare("SELECT guid, flds FROM notes ORDER BY id")
        .unwrap();
    all.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .collect::<rusqlite::Result<_>>()
        .unwrap()
}

/// Their fields.
fn fields(folder: &Path, name: &str) -> Vec<Vec<String>> {
    let notes = package_notes(folder, name).into_iter();
    let split = |fields: String| fields.split('\u{1f}').map(str::to_owned).collect();
    notes.map(|(_, fields)| split(fields)).collect()
}

/// What an error costs as a chance to win the match is what the review says of it.
#[test]
fn a_cost_is_told_as_a_chance_to_win_too() {
    let folder = folder();
    let folder = folder.path();
    let told: Value = serde_json::from_slice(&export(folder, &["--json"])).unwrap();
    let review = ["review", "m.mat", "--ply", "0", "--format", "json"];
    let review: Value = serde_json::from_slice(&done(folder, &review).stdout).unwrap();
    let moves = review["games"].as_array().unwrap().iter();
    let moves = moves.flat_map(|game| game["moves"].as_array().unwrap());
    let all = moves.flat_map(|one| [one, &one["cube"]]);
    let pair = |one: &Value, keys: [&str; 2]| {
        let [points, chance] = keys.map(|key| one[key].as_f64());
        Some([points?, chance?])
    };
    let all: Vec<[f64; 2]> = all
        .filter_map(|one| pair(one, ["error", "error_unnormalised"]))
        .collect();
    for decision in told["decisions"].as_array().unwrap() {
        let cost = pair(decision, ["cost", "cost_unnormalised"]).unwrap();
        let is_same = |one: &&[f64; 2]| (0..2).all(|i| (one[i] - cost[i]).abs() < 1e-5);
        assert!(all.iter().any(|one| is_same(&one)), "{decision}");
        assert!(cost[1] > 0.0 && cost[1] != cost[0], "{decision}");
    }
}

#[test]
fn notes_are_behind_the_answer_and_in_exports() {
    let folder = folder();
    let folder = folder.path();
    write_notes(folder);
    let told: Value = serde_json::from_slice(&export(folder, &["--json"])).unwrap();
    let decisions = told["decisions"].as_array().unwrap();
    assert!(decisions.len() > 1);
    assert!(decisions.iter().all(|one| one["note"] == NOTE), "{told}");
    let table = String::from_utf8(export(folder, &["--csv"])).unwrap();
    let lines: Vec<&str> = table.lines().collect();
    assert!(
        lines[0].ends_with(",source,note,rollout,player,mark,cost_unnormalised"),
        "{table}"
    );
    let noted = |line: &&str| line.contains(",\"prime <or> run, \"\"3\"\"\",false,");
    assert!(lines.len() == decisions.len() + 1 && lines[1..].iter().all(noted));
    export(folder, &["--anki", "--out", "one.apkg"]);
    for card in fields(folder, "one.apkg") {
        assert_has!(card[2], "<div>note: prime &lt;or&gt; run, ");
        assert_lacks!(card[1], "prime");
    }
    // In the quiz below the answer alone.
    let told = quiz(folder, 0, &FILE, &"1\n1\n\n".repeat(decisions.len()));
    let (question, rest) = told.split_once("answer (?").unwrap();
    assert_lacks!(question, "prime");
    assert_has!(rest, &format!("note: {NOTE}\n"));
    let questions = json(folder, 0, &FILE)["questions"].clone();
    assert_eq!(questions[0]["note"], NOTE);
    // A card has them of the library, which knows the match.
    let due = || quiz(folder, 0, &[], &"1\n1\n\n".repeat(decisions.len()));
    let exported = || {
        done(
            folder,
            &["export", "--csv", "--ply", "0", "--store", "study"],
        )
        .stdout
    };
    let has_note = |text: &[u8]| String::from_utf8_lossy(text).contains("prime <or> run");
    assert!(!has_note(due().as_bytes()) && !has_note(&exported()));
    done(folder, &["library", "add", "m.mat", "--ply", "0"]);
    assert!(has_note(due().as_bytes()) && has_note(&exported()));
    let library = [
        "export",
        "--csv",
        "--library",
        "--ply",
        "0",
        "--from",
        "0.001",
    ];
    assert!(has_note(&done(folder, &library).stdout));
}

/// What was written beside a move is about what was done there, and not about the same decision of another match.
#[test]
fn a_note_stays_with_its_match() {
    let folder = folder();
    let folder = folder.path();
    let begin = |name: &str, reply: &str| {
        format!(
            " 3 point match\n\n Game 1\n {name} : 0                            ben : 0\n  \
             1) 31: 24/23 13/10                  {reply}\n"
        )
    };
    std::fs::write(folder.join("m.mat"), begin("anna", "62: 24/18 13/11")).unwrap();
    std::fs::write(folder.join("other.mat"), begin("dora", "41: 24/23 13/9")).unwrap();
    write_notes(folder);
    done(
        folder,
        &["library", "add", "m.mat", "other.mat", "--ply", "0"],
    );
    let first = |name: &str| {
        let line = format!("export --json --library --player {name} --ply 0 --from 0.02");
        let told = done(folder, &line.split(' ').collect::<Vec<_>>()).stdout;
        let told: Value = serde_json::from_slice(&told).unwrap();
        told["decisions"][0].clone()
    };
    let (noted, other) = (first("anna"), first("dora"));
    assert_eq!(noted["xgid"], other["xgid"]);
    assert_eq!(
        (&noted["note"], &other["note"]),
        (&NOTE.into(), &Value::Null)
    );
}

/// A folder whose library has the match, with notes on the first play, which is right, and on the pass at the end.
fn folder_of_lesson() -> tempfile::TempDir {
    let folder = folder();
    let record = match_file::read(&folder.path().join("m.mat")).unwrap();
    let stores = folder.path().join("data").join(common::STORES);
    let mut notes = NoteStore::open(&stores.join("notes.sqlite")).unwrap();
    let (of, all) = (
        MatchFingerprint::of(&record),
        record.decision_states(&record.games[0]),
    );
    let ends = [
        (0, "lesson1 the point\nmore"),
        (all.len() - 1, "lesson1; # 2"),
    ];
    for (place, text) in ends {
        notes.keep(&of, (0, all[place].event), text).unwrap();
    }
    done(folder.path(), &["library", "add", "m.mat", "--ply", "0"]);
    folder
}

/// The XGIDs of questions, of exported or of found decisions, sorted.
fn xgids(list: &Value, key: &str) -> Vec<String> {
    let all = list.as_array().unwrap().iter();
    let mut all: Vec<String> = all
        .map(|one| one[key].as_str().unwrap().to_owned())
        .collect();
    all.sort();
    all
}

/// The decisions that `find` lists.
fn found(folder: &Path, filter: &str) -> Vec<String> {
    let told = done(folder, &["find", filter, "--json"]).stdout;
    let told: Value = serde_json::from_slice(&told).unwrap();
    xgids(&told["decisions"], "position")
}

const LESSON: [&str; 2] = ["--filter", "note:lesson1"];

#[test]
fn what_was_noted_is_asked_and_exported_right_or_wrong() {
    let folder = folder_of_lesson();
    let folder = folder.path();
    // No matter who decided: the notes are the user's own.
    done(folder, &["library", "me", "ben"]);
    let noted = found(folder, "note:lesson1");
    assert_eq!(noted.len(), 2);
    let asked = |options: &[&str]| {
        let questions = json(folder, 0, &[&LESSON, options].concat())["questions"].clone();
        xgids(&questions, "xgid")
    };
    assert_eq!(asked(&[]), noted);
    assert_eq!(asked(&["--from", "0"]), noted);
    assert!(asked(&["--from", "10"]).len() < 2);
    assert!(asked(&["--player", "ben"]).is_empty());
    let exported = |filter: &str, options: &[&str]| {
        let fixed = ["export", "--json", "--ply", "0", "--filter", filter];
        let told = done(folder, &[&fixed, options].concat()).stdout;
        let told: Value = serde_json::from_slice(&told).unwrap();
        xgids(&told["decisions"], "xgid")
    };
    assert_eq!(exported("note:lesson1", &[]), noted);
    assert!(exported("note:lesson1", &["--from", "10"]).is_empty());
    let table = done(
        folder,
        &[&["export", "--csv", "--ply", "0"], &LESSON[..]].concat(),
    );
    assert_eq!(
        String::from_utf8(table.stdout).unwrap().lines().count(),
        noted.len() + 1
    );
    // Any filter, if it is asked for; a filter for what has no note does not ask for it.
    let plays = found(folder, "checker player:ben");
    let from_0 = exported("checker player:ben", &["--from", "0"]);
    assert_eq!((&from_0, plays.is_empty()), (&plays, false));
    assert!(
        exported("checker player:anna !note", &[]).len() < found(folder, "checker !note").len()
    );
    let wrong = quiz_fails(folder, &["--from", "0.0005"]);
    assert_has!(wrong, "or 0 for every decision");
    // All of them come back, also those that were right and are known.
    let told = quiz(folder, 0, &LESSON, "1\n3\n\n1\n3\n\n");
    assert_has!(told, "2 answers: ");
    let cards = json(folder, 0, &[]);
    let comes_back = |card: &Value| card["error"] == true && card["due"].is_string();
    let list = cards["list"].as_array().unwrap();
    assert!(list.len() == 2 && list.iter().all(comes_back), "{cards}");
    let told = quiz(folder, 0, &LESSON, "");
    assert!(
        told.starts_with("nothing to ask: no such decision"),
        "{told}"
    );
}

#[test]
fn a_list_of_what_was_found_is_asked() {
    let folder = folder_of_lesson();
    let folder = folder.path();
    let ids = |options: &[&str]| {
        let told = done(folder, &[&["find", "--ids"], options].concat());
        [told.stdout, told.stderr].map(|text| String::from_utf8(text).unwrap())
    };
    let [list, said] = ids(&["note:lesson1"]);
    assert!(said.is_empty(), "{said}");
    let mut lines: Vec<&str> = list.lines().collect();
    lines.sort_by_key(|line| line.contains("move 1"));
    let [pass, play] = lines[..] else {
        panic!("{list}")
    };
    assert!(
        play.ends_with(":31:0:0:0:3:10  # anna – ben, game 1, move 1: lesson1 the point"),
        "{play}"
    );
    assert!(pass.ends_with(": lesson1; # 2"), "{pass}");
    std::fs::write(folder.join("lesson.txt"), &list).unwrap();
    // It is read as it was meant, and written the same.
    let questions = json(folder, 0, &["lesson.txt"])["questions"].clone();
    assert_eq!(xgids(&questions, "xgid"), found(folder, "note:lesson1"));
    done(folder, &["convert", "lesson.txt", "again.txt"]);
    assert_eq!(
        std::fs::read_to_string(folder.join("again.txt")).unwrap(),
        list
    );
    // The remark is shown to users without notes.
    let away = tempfile::tempdir().unwrap();
    std::fs::write(away.path().join("lesson.txt"), &list).unwrap();
    let questions = json(away.path(), 0, &["lesson.txt"])["questions"].clone();
    let notes = questions.as_array().unwrap().iter();
    let notes: Vec<&str> = notes.map(|one| one["note"].as_str().unwrap()).collect();
    assert!(
        notes.len() == 2 && notes.iter().all(|note| note.contains("ben, game 1, move")),
        "{notes:?}"
    );
    // What is no position stands beside the list.
    let [list, said] = ids(&["--limit", "1"]);
    assert_eq!(list.lines().count(), 1);
    assert_has!(said, "; the first is listed");
    let [list, said] = ids(&["note:lesson9"]);
    assert!(list.is_empty() && said.contains("nothing fits"), "{said}");
    let both = command(&["find", "--ids", "--json"]).output().unwrap();
    assert_eq!(both.status.code(), Some(2));
}

/// A race that is nearly lost: nobody doubles it.
const BEHIND: &str = "XGID=------G------------e------:0:0:1:00:0:0:0:0:10";

#[test]
fn what_is_due_is_asked_after_a_rollout_has_refuted_the_error() {
    let folder = folder();
    let folder = folder.path();
    let change = StudyChange {
        before: None,
        card: StudyCard {
            position: BEHIND.to_owned(),
            is_error: true,
            made: "no double".to_owned(),
            cost: 0.25,
            source: "anna – ben, game 1, move 9".to_owned(),
            ..StudyCard::default()
        },
        id: 1_000_000 * BEGIN,
        answer: Some(StudyAnswer {
            id: 1_000_000 * BEGIN,
            grade: Grade::Again,
            given: "double".to_owned(),
            cost: 0.25,
        }),
    };
    let mut study = StudyStore::open(&folder.join("study"), READ_TIMEOUT).unwrap();
    study.change(&change).unwrap();
    drop(study);
    std::fs::create_dir_all(folder.join("data").join(common::STORES)).unwrap();
    let line = format!(
        "rollout {BEHIND} --cube-decision --trials 360 --ply 0 --store data/{}/rollouts.sqlite",
        common::STORES
    );
    done(folder, &line.split(' ').collect::<Vec<_>>());
    // The card keeps its cost, its choices go by the rollout.
    let fixed = ["export", "--ply", "0", "--store", "study"];
    let told = done(folder, &[&fixed[..], &["--json"]].concat()).stdout;
    let told: Value = serde_json::from_slice(&told).unwrap();
    let card = &told["decisions"][0];
    assert_eq!(
        (&card["cost"], &card["rollout"]),
        (&0.25.into(), &true.into())
    );
    assert_eq!(card["best"], "no double");
    assert_eq!(card["choices"][0]["cost"], 0.0);
    // The table says the same.
    let table = String::from_utf8(done(folder, &[&fixed[..], &["--csv"]].concat()).stdout).unwrap();
    assert!(
        table.contains(",note,rollout,player,mark,cost_unnormalised\r\n")
            && table.ends_with(",true,,blunder,0.250000\r\n"),
        "{table}"
    );
    done(
        folder,
        &[&fixed[..], &["--anki", "--out", "one.apkg"]].concat(),
    );
    assert!(fields(folder, "one.apkg")[0][2].contains("<div>by rollout</div>"));
    assert_eq!(json(folder, 1, &[])["due"], 1);
    let told = quiz(folder, 1, &[], "1\n\n");
    assert_has!(told, "no double is right", "in the match: no double, ");
    assert_has!(told, "(0.000 points by rollout)");
    let cards = json(folder, 1, &[]);
    assert_eq!(
        (&cards["due"], &cards["list"][0]["cost"]),
        (&0.into(), &0.25.into())
    );
}

#[test]
fn a_list_with_nothing_to_decide_can_be_read() {
    let folder = folder();
    let folder = folder.path();
    let dmp = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:1:10\n";
    std::fs::write(folder.join("dmp.txt"), dmp).unwrap();
    let told = done(folder, &["quiz", "dmp.txt", "--now", "0"]);
    let said = String::from_utf8(told.stderr).unwrap();
    assert_has!(said, "1 of 1 positions left out");
    assert!(
        String::from_utf8(told.stdout)
            .unwrap()
            .starts_with("nothing to ask")
    );
}

/// An opening roll, a first double, a cube of the opponent's without dice, and a line that is none.
const LIST: &str = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10
XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10
XGID=-b----E-C---eE---c-e----B-:1:-1:1:00:0:0:0:7:10
XGID=nothing
";

#[test]
fn positions_of_a_list_are_asked_and_exported() {
    let folder = folder();
    let folder = folder.path();
    std::fs::write(folder.join("list.txt"), LIST).unwrap();
    let told = done(folder, &["quiz", "list.txt", "--json", "--now", "0"]);
    let said = String::from_utf8(told.stderr).unwrap();
    assert_has!(said, "list.txt: line 4, column");
    assert_has!(said, "1 of 3 positions left out");
    let questions = json(folder, 0, &["list.txt"])["questions"].clone();
    let mut all: Vec<[String; 3]> = questions.as_array().unwrap().iter().map(place).collect();
    all.sort();
    let expected = [
        ["list.txt, line 1", "", "checker play"],
        ["list.txt, line 2", "", "doubling"],
    ];
    assert_eq!(all, expected.map(|one| one.map(str::to_owned)));
    let told = quiz(folder, 0, &["list.txt"], "1\n4\n\n1\n4\n\n");
    assert_has!(told, "list.txt, line 2 (the table is 0-ply)");
    assert_lacks!(told, "in the match");
    // Known or not, it comes back, also where the list is gone.
    std::fs::rename(folder.join("list.txt"), folder.join("other.txt")).unwrap();
    let cards = json(folder, 0, &[]);
    let is_to_learn = |card: &Value| card["error"] == true && card["due"].is_string();
    let list = cards["list"].as_array().unwrap();
    assert!(list.len() == 2 && list.iter().all(is_to_learn), "{cards}");
    let later = quiz(folder, 365, &["--from", "0.5"], "1\n4\n\n");
    assert_has!(later, "list.txt, line ");
    // The analysis alone says what is right.
    let fixed = ["export", "other.txt", "--ply", "0"];
    let told = done(folder, &[&fixed[..], &["--json"]].concat()).stdout;
    let told: Value = serde_json::from_slice(&told).unwrap();
    let decisions = told["decisions"].as_array().unwrap();
    let best: Vec<&Value> = decisions.iter().map(|one| &one["best"]).collect();
    assert_eq!(best, ["8/5 6/5", "no double"]);
    assert!(
        decisions
            .iter()
            .all(|one| one["made"] == "" && one["cost"] == 0.0)
    );
    done(
        folder,
        &[&fixed[..], &["--anki", "--out", "list.apkg"]].concat(),
    );
    let cards = fields(folder, "list.apkg");
    assert!(cards.len() == 2 && cards.iter().all(|card| !card[2].contains("played")));
    let refused = quiz_fails(folder, &["other.txt", "--player", "anna"]);
    assert_has!(refused, "leave --player out");
    // What is there twice is asked once, and that is said.
    std::fs::write(folder.join("twice.txt"), format!("{LIST}\n{LIST}")).unwrap();
    let told = done(folder, &["export", "twice.txt", "--ply", "0", "--json"]);
    let said = String::from_utf8(told.stderr).unwrap();
    assert_has!(said, "2 positions are in it before");
    assert!(!said.contains("that came before"), "said once: {said}");
    let told: Value = serde_json::from_slice(&told.stdout).unwrap();
    assert_eq!(told["decisions"].as_array().unwrap().len(), 2);
}

/// Cards are known by their position; a table has every player's error there, and a decision that is read twice once.
#[test]
fn a_table_has_the_errors_of_every_player_in_a_position() {
    let folder = folder();
    let folder = folder.path();
    let other = MATCH.replace("anna", "clara").replace("ben", "dev");
    std::fs::write(folder.join("other.mat"), other).unwrap();
    std::fs::write(folder.join("copy.mat"), MATCH).unwrap();
    let exported = |form: &[&str], files: &[&str]| {
        let fixed = ["export", "--ply", "0", "--from", "0.001"];
        let told = done(folder, &[&fixed, form, files].concat());
        let said = String::from_utf8(told.stderr).unwrap();
        (
            String::from_utf8(told.stdout).unwrap().lines().count(),
            said,
        )
    };
    let (one, _) = exported(&["--csv"], &["m.mat"]);
    let errors = one - 1;
    let (copied, said) = exported(&["--csv"], &["m.mat", "copy.mat"]);
    assert_eq!(copied, one);
    let words = format!("{errors} decisions that came before: each is exported once");
    assert_has!(said, &words);
    let (both, said) = exported(&["--csv"], &["m.mat", "other.mat"]);
    assert_eq!((both, &*said), (1 + 2 * errors, ""));
    let cards = ["--anki", "--out", "both.apkg"];
    let (_, said) = exported(&cards, &["m.mat", "other.mat"]);
    assert_eq!(fields(folder, "both.apkg").len(), errors);
    let words = format!("{errors} decisions in a position that came before: each position");
    assert_has!(said, &words);
}

/// Whether a double was too early or too good is told apart in every output.
#[test]
fn a_table_says_too_good_and_redouble_as_the_review_does() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let ended = include_str!("../../sample_matches/anna-ben-7pt.mat");
    std::fs::write(folder.join("m.mat"), ended).unwrap();
    let read = |arguments: &[&str]| -> Value {
        serde_json::from_slice(&done(folder, arguments).stdout).unwrap()
    };
    let review = read(&["review", "m.mat", "--ply", "0", "--json"]);
    let moves = review["games"][2]["moves"].as_array().unwrap().iter();
    let reviewed = moves.clone().find(|one| one["number"] == 16).unwrap();
    let fixed = ["export", "m.mat", "--ply", "0", "--from", "0.08"];
    let told = read(&[&fixed[..], &["--json"]].concat());
    let is_it = |one: &&Value| one["source"].as_str().unwrap().ends_with("game 3, move 16");
    let decisions = told["decisions"].as_array().unwrap();
    let exported = decisions.iter().find(is_it).unwrap();
    let both = |one: &Value, keys: [&str; 2]| keys.map(|key| one[key].clone());
    let named = both(exported, ["made", "best"]);
    assert_eq!(named, both(&reviewed["cube"], ["choice", "best"]));
    assert_eq!(named, ["double", "too good/pass"]);
    assert_eq!(exported["choices"][0]["text"], "no double");
    let table = done(folder, &[&fixed[..], &["--csv"]].concat()).stdout;
    let table = String::from_utf8(table).unwrap();
    let line = table.lines().find(|line| line.contains("game 3, move 16"));
    let line = line.unwrap();
    assert_has!(line, ",redouble,too good/pass,");
}

/// Where a question comes from, what was made, and what it is about.
fn place(question: &Value) -> [String; 3] {
    ["source", "made", "class"].map(|key| question[key].as_str().unwrap().to_owned())
}

/// Checkers borne off in a drawing.
fn off(svg: &str) -> usize {
    svg.matches("class=\"off").count()
}

/// The cards are listed as `--due` and `--count` say; what goes with questions is refused where none is asked.
#[test]
fn cards_are_listed_by_what_is_due() {
    let folder = folder();
    let folder = folder.path();
    // Wrong answers, and one that was known.
    quiz(
        folder,
        0,
        &FILE,
        &format!("1\n4\n\n{}", "1\n1\n\n".repeat(30)),
    );
    let listed = |day, options: &[&str]| {
        let cards = json(folder, day, options);
        let list = cards["list"].as_array().unwrap().len() as u64;
        (list, cards["due"].as_u64().unwrap(), cards["cards"].clone())
    };
    let (all, due, cards) = listed(1, &[]);
    assert!(0 < due && due < all, "{due} of {all}");
    assert_eq!(listed(1, &["--due"]), (due, due, cards.clone()));
    assert_eq!(listed(1, &["--due", "--count", "1"]), (1, due, cards));
    for (options, named) in [
        (&["--seed", "1"][..], "--seed"),
        (&["--ply", "0"], "--ply"),
        (&["--nets", "none.net"], "--nets"),
        (&["--progress", "--count", "1"], "--count"),
    ] {
        let told = quiz_fails(folder, &[&["--store", "study"], options].concat());
        let words = "no question is asked here: leave out ";
        assert_has!(told, &format!("{words}{named}"));
    }
    let merge = ["quiz", "--merge", "study", "--seed", "1"];
    let told = command(&merge).current_dir(folder).output().unwrap();
    assert_eq!(told.status.code(), Some(2));
}

/// A cube decision that does not count is none, wherever decisions come from.
#[test]
fn a_file_has_the_decisions_that_the_library_has() {
    let folder = folder();
    let folder = folder.path();
    done(folder, &["library", "add", "m.mat", "--ply", "0"]);
    let exported = |from: &str| {
        let arguments = ["export", "--json", "--ply", "0", "--from", "0", from];
        let told = done(folder, &arguments).stdout;
        let told: Value = serde_json::from_slice(&told).unwrap();
        xgids(&told["decisions"], "xgid")
    };
    let review = done(folder, &["review", "m.mat", "--ply", "0", "--json"]).stdout;
    let review: Value = serde_json::from_slice(&review).unwrap();
    let players = review["players"].as_array().unwrap().iter();
    let unforced = players.map(|one| one["unforced"].as_u64().unwrap());
    let of_file = exported("m.mat");
    assert_eq!(of_file, exported("--library"));
    assert_eq!(of_file.len() as u64, unforced.sum::<u64>());
}

/// Where nobody is named the user is meant, and that is told where nothing fits.
#[test]
fn a_filter_says_whose_decisions_it_looks_for() {
    let folder = folder_of_lesson();
    let folder = folder.path();
    let told = |arguments: &[&str]| {
        let mut command = command(arguments);
        command
            .current_dir(folder)
            .env(common::DATA, folder.join("data"));
        let told = command.output().unwrap();
        let words = String::from_utf8(told.stderr).unwrap();
        (told.status.code(), words)
    };
    // Right decisions of the kind would be candidates as well, where one asks for errors.
    let none = ["--filter", "lead>500", "--out", "x.apkg"];
    let export = |options: &[&str]| told(&[&["export", "--anki"], &none[..], options].concat());
    let (status, words) = export(&[]);
    assert_eq!(status, Some(1));
    assert_has!(words, "no decision in the library fits");
    done(folder, &["library", "me", "ben"]);
    let (status, words) = export(&[]);
    assert_eq!(status, Some(1));
    let own = "no decision of yours in the library fits; --player NAME, or player:NAME in the filter, asks another's";
    assert_has!(words, own, "nothing is written");
    assert!(!folder.join("x.apkg").exists());
    // What the list shows is asked and exported where the filter says who decides.
    let exported = |filter: &str| {
        let options = [
            "export", "--json", "--ply", "0", "--from", "0", "--filter", filter,
        ];
        let told: Value = serde_json::from_slice(&done(folder, &options).stdout).unwrap();
        xgids(&told["decisions"], "xgid")
    };
    for (filter, listed) in [
        ("!me error>0.02", "player:anna error>0.02"),
        ("!player:ben error>0.02", "player:anna error>0.02"),
        ("opponent:ben error>0.02", "player:anna error>0.02"),
        ("opponent:anna error>0.02", "me error>0.02"),
    ] {
        let shown = found(folder, listed);
        assert!(!shown.is_empty(), "{listed}");
        assert_eq!(found(folder, filter), shown, "{filter}");
        assert_eq!(exported(filter), shown, "{filter}");
        let asked = json(folder, 0, &["--filter", filter]);
        assert!(!asked["questions"].as_array().unwrap().is_empty());
    }
    // Where somebody is named it is not the user.
    let (_, words) = export(&["--player", "anna"]);
    assert_has!(words, "no decision in the library fits");
    // So it is told where decisions of the kind are there, and none is an error.
    let (status, words) = told(&["export", "--csv", "--filter", "error>5"]);
    assert_eq!(status, Some(0));
    assert_has!(words, "no decision of yours to export");
    let asked = json(folder, 0, &["--filter", "error>5"]);
    assert!(asked["questions"].as_array().unwrap().is_empty());
    let asked = quiz(folder, 0, &["--filter", "error>5"], "");
    assert_has!(asked, "no such error of yours, or all");
    let table = told(&["export", "--csv", "--filter", "lead>500 player:anna"]);
    assert_eq!(table.0, Some(0));
    assert!(
        table.1.contains("no decision in the library fits"),
        "{}",
        table.1
    );
}

/// An answer to another question is none of a play, in words that are no parser's.
#[test]
fn a_letter_is_no_play() {
    let folder = folder();
    let folder = folder.path();
    let told = quiz(folder, 0, &FILE, &"n\nx\n8/5 6/99\ns\n".repeat(3));
    for letter in ["n", "x"] {
        let words = format!("'{letter}' is no answer here; ? explains");
        assert_has!(told, &words);
    }
}

/// For a reader who does not see the board; the answer stays hidden, and nothing is answered.
#[test]
fn a_question_is_said_in_words() {
    let folder = folder();
    let folder = folder.path();
    let questions = json(folder, 0, &FILE)["questions"].clone();
    let known = xgids(&questions, "xgid");
    let told = quiz(folder, 0, &FILE, &"w\ni\ns\n".repeat(known.len()));
    let prompt = "answer (? explains): ";
    let said = told.lines().filter_map(|line| line.strip_prefix(prompt));
    let said: Vec<&str> = said.filter(|line| !line.is_empty()).collect();
    assert_eq!(said.len(), 2 * known.len(), "{told}");
    for pair in said.chunks(2) {
        let state = parse_id(pair[1]).unwrap();
        assert!(known.iter().any(|xgid| xgid == pair[1]), "{told}");
        let own = if state.doubled { "Player" } else { "On roll" };
        assert_eq!(pair[0], spoken(&state, [own, "Opponent"]));
    }
    assert_lacks!(told, "in the match", "equity", "cost", "error", "anna");
    assert_eq!(json(folder, 0, &[])["answers"], 0);
    let help = quiz(folder, 0, &FILE, "?\n");
    assert_has!(help, "w: the position in words   i: its XGID\n");
}

/// At a score plays that are worth the same go by the chances without the cube, in every output.
#[test]
fn the_best_play_is_that_of_the_analysis() {
    // Another play is worth a little more: ties at a score go by the cubeless equity.
    let id = "XGID=-b----E-C---eE---c-e----B-:0:0:1:43:6:5:0:7:10";
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("one.txt"), format!("{id}\n")).unwrap();
    let run = |arguments: &[&str]| -> Value {
        let output = command(arguments)
            .current_dir(folder.path())
            .output()
            .unwrap();
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let valued = run(&["eval", id, "--ply", "0", "--json"]);
    let best = &valued["plays"][0]["play"];
    assert_eq!(best, "13/10 13/9");
    let worth = |place: usize| valued["plays"][place]["cubeful_equity"].as_f64().unwrap();
    assert!(worth(1) > worth(0));
    let exported = run(&["export", "--json", "--ply", "0", "one.txt"]);
    let one = &exported["decisions"][0];
    assert_eq!((&one["best"], &one["choices"][0]["text"]), (best, best));
    assert_eq!(one["choices"][0]["cost"], 0.0);
}

/// A store that was mistyped is none with nothing in it.
#[test]
fn a_store_of_answers_has_to_be_there_where_it_is_told_of() {
    for how in ["--json", "--due", "--progress"] {
        let output = command(&["quiz", how, "--store", "no-such-file"])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{how}");
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(told.contains("no such file"), "{how}: {told}");
    }
}
