//! Where the program writes to, what it reads from, and what it says when neither works.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
use luckless::match_file::xg::build::{Lies, pack, records};

use crate::common::{MATCH, OPENING, command, json, name, ok, race, refusal, run};

/// What comes of a run that must end by itself.
fn within(seconds: u64, mut command: Command, input: &[u8]) -> Output {
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // A reader who has enough may close the pipe.
    let _ = stdin.write_all(input);
    drop(stdin);
    let end = Instant::now() + Duration::from_secs(seconds);
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > end {
            child.kill().unwrap();
            panic!("it did not end within {seconds} s");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.wait_with_output().unwrap()
}

#[cfg(unix)]
fn listed(folder: &Path) -> Vec<String> {
    let all = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = all
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_match_is_not_written_over_its_source() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("m.mat"), MATCH).unwrap();
    // Elsewhere a second name of a file is not known to be one; what is written takes its place, and the file stays.
    #[cfg(unix)]
    std::fs::hard_link(at("m.mat"), at("link.mat")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(at("m.mat"), at("soft.mat")).unwrap();
    for other in ["m.mat", "link.mat", "soft.mat"] {
        if !at(other).exists() {
            continue;
        }
        for more in [&["--force"][..], &[], &["--force", "--to", "json"]] {
            let (from, out) = (at("m.mat"), at(other));
            let told = refusal(&[&["convert", name(&from), name(&out)], more].concat(), 2);
            assert_has!(told, "is the file that is read");
        }
    }
    assert_eq!(std::fs::read_to_string(at("m.mat")).unwrap(), MATCH);
    // Another file is replaced, and one that is new is made.
    let (from, out) = (at("m.mat"), at("new.sgf"));
    ok(&["convert", name(&from), name(&out)]);
    let told = refusal(&["convert", name(&from), name(&out)], 1);
    assert_has!(told, "--force replaces it");
    ok(&["convert", "--force", name(&from), name(&out)]);
}

/// A store, of which there may be no copy, is not replaced, also where a file would be.
#[test]
fn a_store_is_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("m.mat"), MATCH).unwrap();
    let analysed = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/sgf/gnubg.sgf");
    let (file, analysed, store) = (at("m.mat"), name(&analysed), at("s.sqlite"));
    let (file, store) = (name(&file), name(&store));
    let id = race();
    ok(&["rollout", &id, "--trials", "36", "--store", store]);
    let bytes = || std::fs::read(store).unwrap();
    let before = bytes();
    assert!(!before.is_empty());
    let review = ["review", file, "--ply", "0", "--no-store"];
    let verify = ["verify", analysed, "--no-store", "--decisions", "0"];
    for (what, out) in [
        (
            &["convert", "--to", "mat", file][..],
            &["--force", store][..],
        ),
        (&review, &["--force", "--out", store]),
        (&verify, &["--force", "--out", store]),
    ] {
        let told = refusal(&[what, out].concat(), 1);
        assert_has!(told, "it is not replaced");
        assert!(bytes() == before, "{what:?}");
    }
}

/// A file system that takes no more: here a limit on the size of files stands for it.
#[cfg(unix)]
#[test]
fn a_conversion_that_fails_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let long = MATCH.replace(
        "; [EventDate",
        &format!("{}; [EventDate", "; more\n".repeat(150)),
    );
    std::fs::write(at("m.mat"), long).unwrap();
    std::fs::write(at("old.mat"), "old").unwrap();
    for (out, more, left) in [
        ("new.mat", "", &["m.mat", "old.mat"][..]),
        ("old.mat", "--force", &["m.mat", "old.mat"]),
    ] {
        let script = format!(
            "trap '' XFSZ; ulimit -f 1; exec '{}' convert {more} m.mat {out}",
            env!("CARGO_BIN_EXE_luckless")
        );
        let mut shell = Command::new("sh");
        let shell = shell.args(["-c", &script]).current_dir(folder.path());
        let output = shell.output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert_has!(told, "too large");
        assert_eq!(listed(folder.path()), left);
    }
    assert_eq!(std::fs::read_to_string(at("old.mat")).unwrap(), "old");
}

/// What a format cannot hold is told, once, and what it holds is not.
#[test]
fn what_a_conversion_leaves_out_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/sgf/gnubg.sgf");
    let out = folder.path().join("m.mat");
    let output = run(&["convert", name(&from), name(&out)]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success());
    assert_eq!(told.lines().count(), 1, "{told}");
    assert_has!(told, "match text does not hold: analysed decision ×");
    let out = folder.path().join("m.json");
    assert_eq!(run(&["convert", name(&from), name(&out)]).stderr, b"");
}

#[cfg(unix)]
fn batch(jobs: &Path, out: &str) -> Command {
    let settings = ["--trials", "36", "--seed", "3"];
    command(
        &[
            &["rollout", "--batch", name(jobs), "--out", out],
            &settings[..],
        ]
        .concat(),
    )
}

#[cfg(target_os = "linux")]
#[test]
fn answers_go_to_devices_and_are_not_read_back_from_them() {
    let folder = tempfile::tempdir().unwrap();
    let jobs = folder.path().join("jobs");
    std::fs::write(&jobs, format!("{{\"position\":\"{}\"}}\n", race())).unwrap();
    let output = within(60, batch(&jobs, "/dev/zero"), b"");
    assert!(output.status.success(), "{output:?}");
    let output = within(60, batch(&jobs, "/dev/full"), b"");
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(
        told.starts_with("luckless: /dev/full: No space left"),
        "{told}"
    );
    // A pipe gets them; one that nobody reads is refused.
    let pipe = folder.path().join("pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let output = within(60, batch(&jobs, name(&pipe)), b"");
    let told = String::from_utf8(output.stderr).unwrap();
    assert_has!(told, "nobody reads");
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::read_to_string(pipe).unwrap()
    });
    let output = within(60, batch(&jobs, name(&pipe)), b"");
    assert!(output.status.success(), "{output:?}");
    let answer: serde_json::Value = serde_json::from_str(&reader.join().unwrap()).unwrap();
    assert_eq!(answer["job"], 1);
}

/// A file that may grow no more is told of as a full disk is, and nothing is left of it.
#[cfg(unix)]
#[test]
fn a_limit_on_the_size_of_files_is_told_of() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("checkpoint");
    let rollout = [
        "rollout",
        OPENING,
        "--dice",
        "31",
        "--trials",
        "36",
        "--ply",
        "0",
        "--checkpoint",
        name(&file),
    ];
    let program = command(&rollout);
    let mut limited = Command::new("sh");
    limited.args(["-c", "ulimit -f 1; exec \"$@\"", "sh"]);
    limited.arg(program.get_program()).args(program.get_args());
    limited.stdout(Stdio::piped()).stderr(Stdio::piped());
    let output = within(60, limited, b"");
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert_has!(told, "writing the checkpoint");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// A duel whose file may grow no more shows what it has, and says why it has ended.
#[cfg(unix)]
#[test]
fn a_duel_that_cannot_be_kept_shows_its_figures() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("five.duel");
    let duel = "duel --a 0ply --b 0ply --luck none --length 1 --games 400 --json --out";
    let duel: Vec<&str> = duel.split(' ').collect();
    let program = command(&[&duel[..], &[name(&file)]].concat());
    let mut limited = Command::new("sh");
    limited.args(["-c", "ulimit -f 4; exec \"$@\"", "sh"]);
    limited
        .arg(program.get_program())
        .args(program.get_args())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let output = within(60, limited, b"");
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert_has!(told, &format!("luckless: {}: ", name(&file)));
    let shown: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(shown["ended"], "interrupted");
    assert!(shown["contests"].as_u64().unwrap() > 0, "{shown}");
}

/// Answers are read back line by line, and no line without end.
#[cfg(unix)]
#[test]
fn a_file_that_holds_no_answers_is_not_taken_for_one() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("jobs"), format!("{{\"position\":\"{}\"}}\n", race())).unwrap();
    std::fs::File::create(at("zeros"))
        .unwrap()
        .set_len(4 << 30)
        .unwrap();
    let output = within(60, batch(&at("jobs"), name(&at("zeros"))), b"");
    let told = String::from_utf8(output.stderr).unwrap();
    assert_has!(told, "not a file of answers");
    assert_eq!(at("zeros").metadata().unwrap().len(), 4 << 30);
    // Nor is one whose only line has no end.
    for text in ["notes", "{\"name\":1}", "{\"job\" :1, \"position\""] {
        std::fs::write(at("notes"), text).unwrap();
        let output = within(60, batch(&at("jobs"), name(&at("notes"))), b"");
        let told = String::from_utf8(output.stderr).unwrap();
        assert_has!(told, "not a file of answers");
        assert_eq!(std::fs::read_to_string(at("notes")).unwrap(), text);
    }
    // What was answered is not asked again, and half a line is.
    let all = at("answers");
    assert!(
        within(60, batch(&at("jobs"), name(&all)), b"")
            .status
            .success()
    );
    let first = std::fs::read_to_string(&all).unwrap();
    assert!(
        within(60, batch(&at("jobs"), name(&all)), b"")
            .status
            .success()
    );
    assert_eq!(std::fs::read_to_string(&all).unwrap(), first);
    std::fs::write(&all, &first[..first.len() / 2]).unwrap();
    assert!(
        within(60, batch(&at("jobs"), name(&all)), b"")
            .status
            .success()
    );
    let again: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&all).unwrap()).unwrap();
    assert_eq!(again["position"], race());
}

#[cfg(unix)]
#[test]
fn pipes_that_nobody_reads_or_writes_stop_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("m.mat"), MATCH).unwrap();
    let pipe = at("pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let (m, p) = (at("m.mat"), name(&pipe));
    for arguments in [
        &["convert", "--force", "--to", "mat", name(&m), p][..],
        &["review", name(&m), "--ply", "0", "--no-store", "--out", p],
        &[
            "rollout",
            OPENING,
            "--trials",
            "36",
            "--no-store",
            "--trials-out",
            p,
        ],
        &["rollout", OPENING, "--trials", "36", "--checkpoint", p],
        &["rollout", OPENING, "--trials", "36", "--store", p],
        &["review", name(&m), "--ply", "0", "--store", p],
        &["matches", "--store", p],
        &["merge", p],
        &["bearoff", "--checkers", "2", "--file", p],
        &["bearoff", "--checkers", "2", "--force", "--file", p],
    ] {
        let output = within(60, command(arguments), b"");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success(), "{arguments:?}: {told}");
        assert!(
            !told.contains("panicked") && !told.is_empty(),
            "{arguments:?}: {told}"
        );
    }
}

#[test]
fn a_line_without_end_is_no_answer() {
    let by_hand = || {
        let position = race();
        let arguments = ["rollout", &position, "--interactive=both", "--no-store"];
        command(&arguments)
    };
    let endless = vec![b'x'; 1 << 20];
    let output = within(60, by_hand(), &endless);
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert_has!(told, "a line of more than 4096 bytes");
    // What is no text is no answer either, and the next line is.
    let output = within(60, by_hand(), b"\xff\xfe\nq\n");
    assert!(output.status.success(), "{output:?}");
}

/// Peak memory of a run, in kB.
#[cfg(target_os = "linux")]
fn peak(arguments: &[&str]) -> (Output, u64) {
    let mut child = command(arguments).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        most = most.max(kilobytes.unwrap_or(0));
        std::thread::sleep(Duration::from_millis(1));
    }
    (child.wait_with_output().unwrap(), most)
}

/// An archive whose files share one bomb: all of it is bounded, not each file.
#[cfg(target_os = "linux")]
#[test]
fn an_archive_whose_files_share_a_bomb_takes_no_more_than_one() {
    let folder = tempfile::tempdir().unwrap();
    let record = luckless::match_file::read_bytes(MATCH.as_bytes(), "m.mat").unwrap();
    let mut bytes = records(&record);
    let real = bytes.len();
    // Every remark is long, and every record names one.
    let line = [[b'x'; 60_000].as_slice(), b"\n"].concat();
    while bytes.len() < 48 << 20 {
        bytes.extend_from_slice(&line);
    }
    for at in (2 * 2560..real).step_by(2560) {
        bytes[at + 2524..at + 2528].copy_from_slice(&7i32.to_le_bytes());
    }
    let mut peaks = Vec::new();
    for shared in [0, 1, 60] {
        let bomb = folder.path().join(format!("{shared}.xg"));
        let lies = Lies {
            shared,
            ..Lies::default()
        };
        std::fs::write(&bomb, pack(&bytes, lies)).unwrap();
        assert!(bomb.metadata().unwrap().len() < 4 << 20);
        let (output, peak) = peak(&["inspect", name(&bomb)]);
        assert!(output.status.success(), "{output:?}");
        peaks.push(peak);
    }
    // Another twenty megabytes for all the remarks.
    assert!(
        peaks[1] < peaks[0] + 30_000 && peaks[2] < peaks[0] + 30_000,
        "{peaks:?}"
    );
    assert!(peaks[2] < 250_000, "{peaks:?}");
}

#[test]
fn a_dash_is_stdout() {
    let plain = ["review", "sample_matches/clara-dev-3pt.mat", "--ply", "0"];
    let named = ok(&[&plain[..], &["--out", "-"]].concat());
    assert_eq!(named, ok(&plain));
    let board = ["board", "4HPwATDgc/ABMA"];
    assert_eq!(ok(&[&board[..], &["--out", "-"]].concat()), ok(&board));
    let folder = tempfile::tempdir().unwrap();
    let jobs = folder.path().join("jobs");
    let job = format!("{{\"position\":\"{}\"}}\n", race());
    std::fs::write(&jobs, format!("# a remark\n\n{job}")).unwrap();
    let answers = ["rollout", "--batch", name(&jobs), "--trials", "36"];
    let answers = ok(&[&answers[..], &["--out", "-"]].concat());
    assert!(answers.starts_with("{\"job\":3,"), "{answers}");
    assert_eq!(answers.lines().count(), 1, "{answers}");
    // What goes to a file beside what is printed cannot go there too.
    for arguments in [
        &["rollout", OPENING, "--trials-out", "-"][..],
        &["rollout", OPENING, "--checkpoint", "-"],
        &["duel", "--a", "0ply", "--b", "0ply", "--out", "-"],
    ] {
        let told = refusal(arguments, 2);
        assert_has!(told, "expected the name of a file");
    }
    assert!(!Path::new("-").exists());
}

#[test]
fn help_can_be_asked_of_help_and_of_every_command() {
    for arguments in [&["help", "--help"][..], &["help", "-h"]] {
        let told = ok(arguments);
        assert_has!(told, "Print this message or the help of");
    }
    assert!(ok(&["help", "man"]).contains("luckless man eval"));
    let page = ok(&["man", "eval"]);
    assert_has!(page, "luckless-eval", "luckless 0.");
    // Lines of examples stay lines.
    let page = ok(&["man", "compare"]);
    let (_, examples) = page.split_once(".SH EXAMPLES").unwrap();
    let kept: Vec<&str> = examples.lines().skip_while(|line| *line != ".nf").collect();
    assert!(kept[1].starts_with("  luckless compare"), "{page}");
    assert!(kept.contains(&".fi"), "{page}");
    let folder = tempfile::tempdir().unwrap();
    let man = folder.path().join("man1");
    ok(&["man", "--all", name(&man)]);
    for page in ["luckless", "luckless-eval", "luckless-library-add"] {
        assert!(man.join(page).with_extension("1").is_file(), "{page}");
    }
    // What a page refers to is there.
    let main = std::fs::read_to_string(man.join("luckless.1")).unwrap();
    let others = main.lines().filter_map(|line| line.strip_suffix("(1)"));
    let others: Vec<String> = others.map(|other| other.replace('\\', "")).collect();
    assert!(others.len() > 20, "{others:?}");
    for other in others {
        assert!(man.join(format!("{other}.1")).is_file(), "{other}");
    }
    let told = refusal(&["man", "evla"], 2);
    assert_has!(told, "no command 'luckless evla'; is 'eval' meant?");
}

#[test]
fn a_command_that_is_nearly_one_is_suggested() {
    let told = refusal(&["evla", OPENING], 2);
    assert_has!(told, "'evla' is neither a file, a position nor a command");
    assert!(told.trim_end().ends_with("; is 'eval' meant?"), "{told}");
    assert!(refusal(&["roll-out"], 2).contains("is 'rollout' meant?"));
    let told = refusal(&["zzzzzz"], 2);
    assert_lacks!(told, "meant");
}

/// What would be passed over without a word is refused.
#[test]
fn options_without_a_use_are_refused() {
    let crawford = "XGID=-b----E-C---eE---c-e----B-:0:0:-1:00:6:5:1:7:10";
    let race = race();
    let replay = |more: &[&'static str]| {
        let trial = [
            "rollout", OPENING, "--dice", "31", "--top", "1", "--replay", "0",
        ];
        [&trial[..], more].concat()
    };
    let compare = |more: &[&'static str]| {
        let plays = ["compare", OPENING, "--dice", "31", "8/5 6/5", "24/20"];
        [&plays[..], more].concat()
    };
    for (arguments, word) in [
        (
            vec!["rollout", "--batch", "jobs", "--dice", "43"],
            "file of jobs",
        ),
        (
            vec!["rollout", "--batch", "jobs", "--top", "2"],
            "file of jobs",
        ),
        (
            vec!["rollout", &*race, "--interactive", "--json"],
            "by hand",
        ),
        (vec!["rollout", &*race, "--vr", "--no-vr"], "--no-vr"),
        (vec!["eval", crawford, "--no-crawford"], "Crawford game"),
        (vec!["why", crawford, "--no-crawford"], "Crawford game"),
        (vec!["matrix", crawford, "--no-crawford"], "Crawford game"),
        (vec!["rollout", crawford, "--no-crawford"], "Crawford game"),
        (vec!["rollout", &*race, "--no-crawford"], "money play"),
        (
            compare(&["--replay", "1", "--difference-only"]),
            "cannot be used with",
        ),
        (
            compare(&["--coupling", "dice", "--rank-by", "net"]),
            "ranks of rolls",
        ),
        (
            compare(&["--coupling", "none", "--ties", "own"]),
            "ranks of rolls",
        ),
        (vec!["plan", "--ply", "0"], "without match files"),
        (vec!["plan", "--threads", "1"], "without match files"),
        (vec!["eval", OPENING, "--top", "2"], "leave out --top"),
        (vec!["eval", OPENING, "--cubeless"], "leave out --cubeless"),
        (
            vec!["met", "--score", "3-5", "--length", "5"],
            "cannot be used with",
        ),
        (
            vec!["board", OPENING, "--width", "300"],
            "leave out --width",
        ),
        (
            vec!["board", OPENING, "--width", "300", "--out", "a.svg"],
            "leave out --width",
        ),
        (replay(&["--trials-out", "t.csv"]), "leave out --trials-out"),
        (replay(&["--checkpoint", "c"]), "leave out --checkpoint"),
        (replay(&["--bias-check"]), "leave out --bias-check"),
        (replay(&["--store", "s"]), "leave out --store"),
        (
            vec![
                "compare",
                OPENING,
                "--dice",
                "31",
                "8/5 6/5",
                "24/23 13/10",
                "--replay",
                "0",
                "--bias-check",
            ],
            "leave out --bias-check",
        ),
    ] {
        let told = refusal(&arguments, 2);
        assert!(told.contains(word), "{arguments:?}: {told}");
    }
}

/// A file of two matches has two reviews, as two files have.
#[test]
fn two_matches_in_a_file_are_two_reviews() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("two.mat");
    let other = MATCH.replace("anna", "dora").replace("ben", "emil");
    std::fs::write(&file, format!("{MATCH}\n{other}")).unwrap();
    let path = name(&file);
    fn review<'a>(path: &'a str, more: &[&'a str]) -> Vec<&'a str> {
        [&["review", path, "--ply", "0", "--no-store"], more].concat()
    }
    let both = json(&review(path, &["--json"]));
    let players: Vec<&str> = both
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["players"][0]["name"].as_str().unwrap())
        .collect();
    assert_eq!(players, ["anna", "dora"]);
    let told = refusal(&review(path, &["--format", "html"]), 2);
    assert_has!(told, "--out FOLDER");
    let pages = folder.path().join("pages");
    ok(&review(path, &["--format", "html", "--out", name(&pages)]));
    assert_eq!(std::fs::read_dir(&pages).unwrap().count(), 2);
    // A player of the second is found, and the first is left out.
    let of_emil = ok(&review(path, &["--player", "Émil"]));
    assert!(
        of_emil.contains("dora") && !of_emil.contains("anna"),
        "{of_emil}"
    );
    let one = json(&review(path, &["--player", "Émil", "--json"]));
    assert_eq!(one.as_array().unwrap().len(), 1);
    let told = refusal(&review(path, &["--player", "nobody", "--json"]), 2);
    assert_has!(told, "but: anna, ben, dora, emil");
}

/// What went wrong before is named, whatever ends the review.
#[test]
fn a_file_that_failed_is_named_beside_a_wrong_player() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("bad.mat"), "nothing").unwrap();
    std::fs::write(at("good.mat"), MATCH).unwrap();
    let (bad, good) = (at("bad.mat"), at("good.mat"));
    let base = ["review", name(&bad), name(&good), "--ply", "0"];
    let output = run(&[&base[..], &["--no-store", "--player", "nobody"]].concat());
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert_has!(told, "bad.mat", "but: anna, ben");
}

/// Positions that no game leads to, and decisions that are not there, are refused wherever they stand.
#[test]
fn impossible_positions_are_refused() {
    let impossible = "XGID=-b----E-C---eE---c-e----B-:3:0:1:00:0:0:0:7:10";
    let doubled = "XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:7:10";
    let played = ["board", doubled, "--dice", "31", "--play", "8/5 6/5"];
    for arguments in [
        &["find", "--pattern", impossible][..],
        &["find", "--pattern", "XGID=-b"],
        &["--plain", impossible],
        &played,
    ] {
        refusal(arguments, 2);
    }
    assert!(refusal(&played, 2).contains("must be answered"));
    // A roll that is none is no cube decision.
    for roll in ["77", "311"] {
        let id = format!("4HPwATDgc/ABMA {roll}");
        refusal(&["eval", &id], 2);
    }
    refusal(&["why", "4HPwATDgc/ABMA", "--cubeless"], 2);
}

/// In words a position is the one that was given, with its roll, and so is the command for its figures.
#[test]
fn words_for_a_position_go_by_its_roll_and_by_the_rule() {
    let told = ok(&["--plain", "4HPwATDgc/ABMA 31"]);
    assert_has!(told, "eval XGID=-b----E-C---eE---c-e----B-:0:0:1:31:");
    let crawford = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:6:3:1:7:10";
    refusal(&["--plain", crawford, "--no-crawford"], 2);
}

/// What may not be written is refused before any work.
#[test]
fn an_export_looks_at_its_place_first() {
    let folder = tempfile::tempdir().unwrap();
    let there = folder.path().join("there.csv");
    std::fs::write(&there, "mine").unwrap();
    let nowhere = folder.path().join("none/x.csv");
    for (out, why) in [(&there, "is there already"), (&nowhere, "no such folder")] {
        let told = refusal(&["export", "--csv", "missing.mat", "--out", name(out)], 1);
        assert_has!(told, why);
    }
    assert_eq!(std::fs::read(&there).unwrap(), b"mine");
}

/// An XGID without its first word begins as an option does.
#[test]
fn an_xgid_may_begin_with_a_hyphen() {
    let id = "-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10";
    let short = [
        "--trials",
        "36",
        "--truncate",
        "1",
        "--ply",
        "0",
        "--no-store",
    ];
    ok(&[&["rollout", id], &short[..]].concat());
    ok(&[&["compare", id, "8/5 6/5", "24/23 24/21"], &short[..]].concat());
    ok(&["kept", id]);
    ok(&["find", "--like", id]);
    // An option that is none is still told, wherever it stands.
    for mistyped in [
        &["rollout", OPENING, "--trails", "36"][..],
        &["rollout", "--trails", "36", OPENING],
        &["rollout", "--trails", "36", id],
    ] {
        let told = refusal(mistyped, 2);
        assert_has!(told, "'--trails'", "'--trials'");
    }
    let told = refusal(&["kept", "--al"], 2);
    assert_has!(told, "unexpected argument '--al'");
    let told = refusal(&["find", "--like", "--limit", "3"], 2);
    assert_has!(told, "a value is required for '--like");
}

/// By hand `?` ranks plays as `eval` does, with the score.
#[test]
fn a_hint_by_hand_counts_the_score() {
    let position = |dice: &str| format!("XGID=-b----E-C---eE---c-e----B-:0:0:1:{dice}:5:6:1:7:10");
    let id = position("00");
    let by_hand = command(&["rollout", &id, "--interactive=both", "--no-store"]);
    let output = within(60, by_hand, b"?\nq\n");
    let shown = String::from_utf8(output.stdout).unwrap();
    let (before, after) = shown.split_once(" (play, ? plays").unwrap();
    let id = position(before.lines().last().unwrap());
    let best = json(&["eval", &id, "--ply", "0", "--json"]);
    let equity = best["plays"][0]["cubeful_equity"].as_f64().unwrap();
    let row = after.lines().nth(1).unwrap();
    assert!(
        row.starts_with(best["plays"][0]["play"].as_str().unwrap()),
        "{row}"
    );
    assert!(row.ends_with(&format!("{equity:+.4}")), "{row} {equity}");
    // Of no game nothing is known.
    assert_has!(shown, "0 games\n");
}

/// A name in an argument steers no terminal.
#[cfg(unix)]
#[test]
fn a_file_of_keys_is_named_without_control_characters() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("k\x1b[31mx.toml");
    std::fs::write(&file, "").unwrap();
    let told = ok(&["keys", "--check", name(&file)]);
    assert!(
        told.ends_with("in order\n") && !told.contains('\x1b'),
        "{told:?}"
    );
}

#[test]
fn a_rollout_is_either_cubeful_or_cubeless() {
    for both in [["--cubeful", "--cubeless"], ["--cubeless", "--cubeful"]] {
        for arguments in [
            &["rollout", OPENING, "--trials", "36", "--no-store"][..],
            &[
                "compare",
                OPENING,
                "--dice",
                "31",
                "8/5 6/5",
                "24/23 24/21",
                "--no-store",
            ],
        ] {
            let told = refusal(&[arguments, &both].concat(), 2);
            assert_has!(told, "cannot be used with");
        }
    }
}

#[test]
fn a_budget_without_room_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("m.mat");
    std::fs::write(&file, include_str!("../fixtures/mat/gnubg.mat")).unwrap();
    let review = [
        "review",
        name(&file),
        "--ply",
        "0",
        "--no-store",
        "--budget",
        "0.000001",
    ];
    let told = ok(&review);
    assert_has!(
        told,
        "nothing rolled out: 0.000001 s had no room for one of"
    );
    assert_lacks!(told, "0 closest", "more were");
    let report = json(&[&review[..], &["--json"]].concat());
    assert_eq!(report["rollouts"]["decisions"], 0);
}

#[test]
fn errors_are_rolled_out_the_most_expensive_first() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("m.mat");
    std::fs::write(&file, include_str!("../fixtures/mat/gnubg.mat")).unwrap();
    let review = ["review", name(&file), "--ply", "0", "--no-store"];
    let errors = |size: &'static str, rest: &[&'static str]| {
        let all = [&review[..], &[size, "--rollout-trials", "36"], rest].concat();
        (ok(&all), json(&[&all[..], &["--json"]].concat()))
    };
    let (told, report) = errors("--rollout-errors", &["--rollouts", "2"]);
    assert_has!(told, "2 errors of 0.020 points or more rolled out at 1-ply");
    assert_eq!(report["rollouts"]["decisions"], 2);
    assert_eq!(report["rollouts"]["errors_from"], 0.02);
    // The most expensive of all is one of them.
    let plain = json(&[&review[..], &["--json"]].concat());
    let errors_of = |report: &serde_json::Value| -> Vec<(usize, f64, bool)> {
        let games = report["games"].as_array().unwrap();
        let moves = games.iter().flat_map(|g| g["moves"].as_array().unwrap());
        let moves = moves.enumerate();
        let all = moves.map(|(i, m)| {
            (
                i,
                m["error"].as_f64().unwrap_or(0.0),
                !(m["trials"].is_null() && m["cube"]["trials"].is_null()),
            )
        });
        all.collect()
    };
    let most = errors_of(&plain).into_iter();
    let most = most.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap().0;
    assert!(errors_of(&report)[most].2, "{most}");
    // A size that nobody reached, and one that is none.
    let (told, _) = errors("--rollout-errors=9", &[]);
    assert_has!(told, "no error of 9.000 points or more");
    let told = refusal(&[&review[..], &["--rollout-errors=0"]].concat(), 2);
    assert_has!(told, "0.001 to 10 points");
}

#[test]
fn a_cube_that_cannot_be_is_named() {
    for (rest, why) in [
        (
            "0:0:1:D:4:0:1:5:10",
            "the cube is not used in the Crawford game",
        ),
        ("2:0:1:00:4:0:0:5:10", "a cube of 4 in the middle"),
        ("0:1:1:31:0:0:0:0:10", "a cube of 1 with an owner"),
        ("1:-1:1:D:0:0:0:0:10", "the opponent may not double"),
    ] {
        let id = format!("XGID=-b----E-C---eE---c-e----B-:{rest}");
        let told = refusal(&["eval", &id], 2);
        assert_has!(told, why);
    }
}

#[test]
fn keys_are_printed_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.toml");
    let path = name(&file);
    std::fs::write(&file, "[match]\n\"roll out\" = \"f5\"\n").unwrap();
    let all = ok(&["keys", path]);
    assert_has!(all, "\"roll out\" = [\"f5\"] #");
    assert!(ok(&["keys", "--check", path]).contains("in order"));
    std::fs::write(&file, &all).unwrap();
    assert_eq!(ok(&["keys", path]), all);
    std::fs::write(&file, "[match]\nflip = \"q\"\n").unwrap();
    let why = refusal(&["keys", "--check", path], 1);
    assert_has!(why, "line 2: flip: 'q' is taken by 'quit'");
    refusal(&["keys", "--check", "no-such-file.toml"], 1);
    std::fs::write(&file, "#".repeat(70_000)).unwrap();
    let why = refusal(&["keys", "--check", path], 1);
    assert_eq!(why.matches("keys.toml").count(), 1, "{why}");
    assert_has!(why, "larger than 65536 bytes");
}

/// A name of a file keeps its control characters in JSON, so that it names the file, and shows none elsewhere.
#[cfg(unix)]
#[test]
fn names_of_files_are_whole_in_json_and_clean_in_text() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a\u{1b}b.mat");
    std::fs::write(&file, MATCH).unwrap();
    let name = file.to_str().unwrap();
    for arguments in [&["inspect", name][..], &["review", name, "--ply", "0"]] {
        let json = ok(&[arguments, &["--json"]].concat());
        assert_has!(json, "a\\u001bb.mat");
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(value["file"], name);
        let text = ok(arguments);
        assert!(
            text.contains("ab.mat") && !text.contains('\u{1b}'),
            "{text}"
        );
    }
}
