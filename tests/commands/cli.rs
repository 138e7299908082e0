//! The program from outside: what it prints, where, and with which status.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Stdio};

use luckless::game::Position;
use luckless::notation::position_id;
use serde_json::Value;

use crate::common::{
    CHANCES, MATCH, OPENING, command, json, keys, number, ok, race, refusal, run, stdout,
};

/// First moves, those of one roll, and replies; what no book can have is refused.
#[test]
fn the_opening_book_is_listed() {
    let plays = |arguments: &[&str]| {
        let found = json(&[&["book", "--json"], arguments].concat());
        found["plays"].as_array().unwrap().clone()
    };
    let all = plays(&[]);
    let rolls: Vec<&str> = all
        .iter()
        .map(|play| play["dice"].as_str().unwrap())
        .collect();
    let mut distinct = rolls.clone();
    distinct.dedup();
    assert_eq!(distinct.len(), 15);
    let [first] = &plays(&["31"])[..] else {
        panic!("31 has one play");
    };
    assert_eq!(first["play"], "8/5 6/5");
    let replies = plays(&["13", "64"]);
    assert!(replies.len() > 1);
    assert!(
        replies
            .iter()
            .all(|play| play["after"] == "31 8/5 6/5" && play["dice"] == "64")
    );
    let equity = |plays: &[serde_json::Value]| plays[0]["equity"].as_f64().unwrap();
    let [plain, jacoby] = [&["31"][..], &["31", "--for", "jacoby"]].map(|of| equity(&plays(of)));
    assert!((plain - jacoby).abs() < 0.03, "{plain} {jacoby}");
    assert!(equity(&plays(&["31", "--for", "gammon-save"])) < 0.0);
    let text = stdout(&["book", "62"]);
    assert!(
        text.starts_with("money\n") && text.contains("24/18 13/11"),
        "{text}"
    );
    let refused = refusal(&["book", "33"], 2);
    assert_has!(refused, "begins with a double");
    let best = json(&["book", "31", "all", "--json"]);
    let best = best["plays"].as_array().unwrap();
    assert_eq!(best.len(), 21);
    for one in best {
        let dice = one["dice"].as_str().unwrap();
        assert_eq!(*one, json(&["book", "31", dice, "--json"])["plays"][0]);
    }
    let refused = refusal(&["book", "31", "97"], 2);
    assert_has!(refused, "neither a roll, such as 64, nor all");
    let refused = refusal(&["book", "31", "all", "--for", "dmp"], 2);
    assert_has!(refused, "for money alone");
    let refused = refusal(&["book", "31", "64", "--for", "dmp"], 2);
    assert_has!(refused, "for money alone");
    refusal(&["book", "31", "64", "11"], 2);
}

#[test]
fn eval_ranks_the_plays() {
    let answer = json(&[
        "eval",
        OPENING,
        "--dice",
        "13",
        "--ply",
        "0",
        "--cubeless",
        "--json",
    ]);
    assert_eq!(
        keys(&answer),
        ["cubeful", "dice", "note", "plays", "ply", "position"]
    );
    assert_eq!(
        (&answer["position"], &answer["dice"]),
        (&OPENING.into(), &"31".into())
    );
    let plays = answer["plays"].as_array().unwrap();
    assert_eq!(plays.len(), 16);
    let mut last = f64::INFINITY;
    for play in plays {
        let chance = |name| number(&play[name]);
        let equity = 2.0 * chance("win") - 1.0 + chance("win_gammon") + chance("win_backgammon")
            - chance("lose_gammon")
            - chance("lose_backgammon");
        assert!((equity - number(&play["cubeless_equity"])).abs() < 1e-5);
        assert!(number(&play["cubeless_equity"]) <= last);
        last = number(&play["cubeless_equity"]);
        assert_eq!(play["result"].as_str().unwrap().len(), 14);
    }
    let point = plays.iter().find(|p| p["play"] == "8/5 6/5").unwrap();
    assert_eq!(point["result"], "sGfwATDgc/ABMA");
    let best = json(&[
        "eval",
        OPENING,
        "--dice",
        "31",
        "--ply",
        "0",
        "--cubeless",
        "--top",
        "2",
        "--json",
    ]);
    assert_eq!(best["plays"].as_array().unwrap()[..], plays[..2]);
    // What is not said is as in the workstation.
    let usual = json(&["eval", OPENING, "--dice", "31", "--top", "1", "--json"]);
    assert_eq!(
        (&usual["ply"], &usual["cubeful"]),
        (&2.into(), &true.into())
    );
    let text = stdout(&["eval", OPENING, "--dice", "31", "--top", "1"]);
    assert_has!(text, "to play 31, 2-ply, cubeful");
    refusal(
        &["eval", OPENING, "--dice", "31", "--cubeful", "--cubeless"],
        2,
    );
}

/// After what ranks the plays stands the difference to the best; `~` where it had a shorter look than the best one.
#[test]
fn eval_tells_the_difference_to_the_best_play() {
    let at_score = "XGID=-b----E-C---eE---c-e----B-:0:0:1:43:2:4:0:7:10";
    for arguments in [
        &["eval", OPENING, "--dice", "31", "--ply", "1"][..],
        &["eval", OPENING, "--dice", "31", "--ply", "0", "--cubeless"],
        &["eval", at_score, "--ply", "1"],
        &["eval", OPENING, "--dice", "43", "--level", "rolled"],
    ] {
        let text = stdout(arguments);
        let answer = json(&[arguments, &["--json"]].concat());
        let plays = answer["plays"].as_array().unwrap();
        let equity = |play: &Value| match play["cubeful_equity"].as_f64() {
            Some(cubeful) => cubeful,
            None => number(&play["cubeless_equity"]),
        };
        let depth = |play: &Value| match play["trials"].as_u64() {
            Some(_) => Value::Null,
            None => play["ply"].clone(),
        };
        let mut shorter = 0;
        for (i, play) in plays.iter().enumerate() {
            let begin = format!("{}  ", play["play"].as_str().unwrap());
            let row = text.lines().find(|line| line.starts_with(&begin)).unwrap();
            let difference = equity(play) - equity(&plays[0]);
            let is_shorter = depth(play) != depth(&plays[0]);
            shorter += usize::from(is_shorter);
            let sign = if difference.abs() < 5e-4 { "" } else { "-" };
            let size = difference.abs();
            let told = format!("  {}{sign}{size:.3}  ", if is_shorter { "~" } else { "" });
            assert_eq!(row.contains(&told), i > 0, "{told}\n{text}");
        }
        assert_eq!(text.contains("~ marks a hint"), shorter > 0, "{text}");
        assert_eq!(
            text.lines()
                .filter(|line| line.contains("  diff  "))
                .count(),
            1
        );
    }
}

#[test]
fn equities_without_the_cube_say_so_and_name_what_counts_it() {
    let at_score = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:4:2:0:7:10";
    let money = ["eval", OPENING, "--dice", "31", "--ply", "0", "--json"];
    let with = |more: &[&str]| json(&[&money[..], more].concat());
    let plain = with(&["--cubeless"]);
    assert_eq!(plain["cubeful"], false);
    assert!(plain["note"].as_str().unwrap().contains("--cubeful"));
    let text = stdout(&[&money[..6], &["--cubeless"]].concat());
    assert_has!(text, "0-ply, cubeless", "cubeless: the cube does not count");
    let cubeful = with(&["--cubeful"]);
    assert_eq!(
        (&cubeful["cubeful"], &cubeful["note"]),
        (&true.into(), &Value::Null)
    );
    let best = &cubeful["plays"][0];
    assert!(number(&best["cubeful_equity"]) > number(&best["cubeless_equity"]));
    assert!(best["mwc"].is_null());
    assert!(stdout(&["eval", OPENING, "--dice", "31", "--cubeful"]).contains("cubeful"));
    let scored = json(&["eval", at_score, "--json"]);
    assert_eq!(
        (&scored["cubeful"], &scored["note"]),
        (&true.into(), &Value::Null)
    );
    // A level that rolls out ranks as the others do.
    let race = race();
    let level = |more| {
        [
            "eval", &race, "--dice", "21", "--level", "rolled", "--json", more,
        ]
    };
    for (how, cubeful) in [("--cubeful", true), ("--cubeless", false)] {
        let rolled = json(&level(how));
        assert_eq!(rolled["cubeful"], cubeful);
        assert_eq!(rolled["plays"][0]["cubeful_equity"].is_null(), !cubeful);
    }
    for position in [OPENING, at_score] {
        let few = [
            "rollout",
            position,
            "--dice",
            "31",
            "--trials",
            "36",
            "--no-store",
        ];
        let with = |more: &[&str]| json(&[&few[..], &["--json"], more].concat());
        // The cube counts unless one says otherwise.
        assert_eq!(with(&[])["cubeful"], true);
        let plain = with(&["--cubeless"]);
        assert_eq!(plain["cubeful"], false);
        let note = plain["note"].as_str().unwrap();
        assert_has!(note, "score", "--cubeful");
        let text = stdout(&[&few[..], &["--cubeless"]].concat());
        assert_eq!(text.matches(note).count(), 1);
        let cubeful = with(&["--cubeful"]);
        assert_eq!(
            (&cubeful["cubeful"], &cubeful["note"]),
            (&true.into(), &Value::Null)
        );
    }
}

/// The error of a double that is beavered is that of what follows, which is shown with the rules of money play.
#[test]
fn a_beaver_is_shown_with_what_it_is_worth() {
    let id = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:3:0:10";
    let answer = json(&["eval", id, "--ply", "0", "--json"]);
    let cube = |name: &str| number(&answer["cube"][name]);
    assert!((cube("double_beaver") - 2.0 * cube("double_take")).abs() < 1e-6);
    let lost = cube("no_double") - cube("double_beaver");
    assert!((number(&answer["cube"]["errors"]["double"]) - lost).abs() < 1e-6);
    for command in ["eval", "why"] {
        let text = stdout(&[command, id, "--ply", "0"]);
        assert_has!(text, "money, Jacoby, beavers", "double/beaver");
    }
    let own = "XGID=-b----E-C---eE---c-e----B-:1:1:1:00:0:0:0:0:10";
    for command in ["eval", "why"] {
        let text = stdout(&[command, own, "--ply", "0"]);
        assert_has!(text, "redouble/take", "errors: no redouble");
    }
}

#[test]
fn eval_values_a_position_and_its_cube() {
    // Five and two left against the same: 19 rolls of 36 win at once.
    let p = Position::from_points(&[(5, 1), (2, 1)], &[(5, 1), (2, 1)]).unwrap();
    let answer = json(&["eval", &position_id(&p), "--json"]);
    assert!((number(&answer["win"]) - 0.749_324).abs() < 1e-6);
    assert_eq!(
        keys(&answer["cube"]),
        [
            "action",
            "cubeful_equity",
            "double_pass",
            "double_take",
            "errors",
            "exact",
            "market",
            "no_double"
        ]
    );
    assert_eq!(answer["cube"]["action"], "double/take");
    for name in CHANCES {
        assert!((0.0..=1.0).contains(&number(&answer[name])));
    }
    let text = stdout(&["eval", &position_id(&p)]);
    assert_has!(text, "74.93%", "cube action: double/take");
}

#[test]
fn every_form_of_a_position_is_taken() {
    let xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10";
    let plain = json(&["eval", OPENING, "--json"]);
    let from_xgid = json(&["eval", xgid, "--json"]);
    assert_eq!(plain["cubeless_equity"], from_xgid["cubeless_equity"]);
    let rolled = json(&[
        "eval",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10",
        "--json",
    ]);
    assert_eq!(rolled["dice"], "31");
}

/// A match that another program writes is read as one of a file is.
#[test]
fn matches_are_read_from_stdin() {
    let given = |args: &[&str], bytes: &[u8]| {
        let mut command = command(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(bytes).unwrap();
        drop(input);
        child.wait_with_output().unwrap()
    };
    let file = "tests/fixtures/mat/three_points.mat";
    let bytes = std::fs::read(file).unwrap();
    let json = |output: &std::process::Output| -> Value {
        assert!(output.status.success(), "{output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    };
    for args in [
        &["review", "-", "--json", "--ply", "0", "--no-store"][..],
        &["inspect", "-", "--json"],
        &["export", "--json", "--ply", "0", "-"],
        &["convert", "-", "-", "--to", "json"],
        &["quiz", "-", "--json", "--ply", "0", "--seed", "1"],
        &["plan", "-", "--player", "anna", "--json", "--ply", "0"],
        &["library", "record", "-", "--json"],
    ] {
        let [mut there, mut here] = [file, "-"].map(|name| {
            let mut args = args.to_vec();
            let place = args.iter().position(|arg| *arg == "-").unwrap();
            args[place] = name;
            json(&given(&args, &bytes))
        });
        for document in [&mut there, &mut here] {
            for key in ["file", "date", "seconds", "players"] {
                document.as_object_mut().unwrap().remove(key);
            }
        }
        assert_eq!(there, here, "{args:?}");
    }
    let output = given(&["review", "-"], b"nothing of the kind");
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("stdin"));
    // The library looks at its files again.
    let told = refusal(&["library", "add", "-"], 2);
    assert_has!(told, "none in stdin");
}

/// A post with an identifier in it, on standard input.
#[test]
fn eval_reads_a_text_from_stdin() {
    let given = |text: &str| {
        let mut command = command(&["eval", "-", "--json"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(text.as_bytes()).unwrap();
        drop(input);
        child.wait_with_output().unwrap()
    };
    let ogid = "11ccccchhhjjjjj:66666888dddddoo:N0N:31:W";
    let picture = ok(&["board", OPENING, "--dice", "31"]);
    for text in [
        "Was nun?\nXGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10\n\nX:Änne   O:Бен\n",
        ogid,
        &picture,
    ] {
        let output = given(text);
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(answer["dice"], "31", "{text}");
    }
    let output = given("nothing of the kind");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("stdin"));
    let output = given("4HPwATDgc/ABMA\n4HPwATDgc/ABMA:cAkAAAAAAAAA\nAACAAAAAAgAAAA\n");
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_has!(told, "another position, AACAAAAAAgAAAA");
    // Cut off at the limit, the identifier would be another one.
    let long = " ".repeat(65_505) + "XGID=-b----E-C---eE---c-e----B-:1:1:1:31:3:2:0:7:10\n";
    let output = given(&long);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("64 KiB"));
}

struct Conversation(Child);

impl Conversation {
    fn new() -> Self {
        let mut command = command(&["eval", "--batch", "--top", "1", "--threads", "2"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        Self(command.spawn().unwrap())
    }

    fn say(&mut self, text: &str) {
        self.0
            .stdin
            .as_mut()
            .unwrap()
            .write_all(text.as_bytes())
            .unwrap();
    }
}

#[test]
fn batch_answers_while_the_other_side_waits() {
    let mut talk = Conversation::new();
    let mut answers = BufReader::new(talk.0.stdout.take().unwrap()).lines();
    let mut next = || -> Value { serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap() };
    // Some programs begin what they pipe with a byte order mark.
    talk.say(&format!("\u{feff}{OPENING} 31\n"));
    let first = next();
    assert_eq!(
        (&first["dice"], first["plays"].as_array().unwrap().len()),
        (&"31".into(), 1)
    );
    // Stdin is still open: nothing but the line itself made the answer come.
    talk.say(&format!(
        "{OPENING} # a remark\n\n# another\n{OPENING} 07\nnonsense 31\n{OPENING} 3"
    ));
    assert!(next()["cubeless_equity"].is_number());
    assert!(next()["error"].as_str().unwrap().contains("07"));
    let nonsense = next();
    assert_eq!(nonsense["position"], "nonsense");
    assert!(nonsense["error"].is_string());
    talk.say("1 extra");
    drop(talk.0.stdin.take());
    assert!(next()["error"].is_string());
    assert!(answers.next().is_none());
    assert!(talk.0.wait().unwrap().success());
}

#[test]
fn batch_keeps_the_order_of_many_lines() {
    let mut talk = Conversation::new();
    let rolls: Vec<String> = (0..300)
        .map(|i| format!("{}{}", i % 6 + 1, i / 6 % 6 + 1))
        .collect();
    let mut stdin = talk.0.stdin.take().unwrap();
    let lines: String = rolls
        .iter()
        .map(|dice| format!("{OPENING} {dice}\n"))
        .collect();
    let writer = std::thread::spawn(move || stdin.write_all(lines.as_bytes()).unwrap());
    let output = talk.0.wait_with_output().unwrap();
    writer.join().unwrap();
    let answered: Vec<Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answered.len(), rolls.len());
    for (answer, dice) in answered.iter().zip(&rolls) {
        let mut sorted: Vec<char> = dice.chars().collect();
        sorted.sort_unstable_by(|a, b| b.cmp(a));
        assert_eq!(answer["dice"], sorted.iter().collect::<String>().as_str());
    }
}

/// Net luck in the list leads from the result to the luck-adjusted one: that of a game that broke off is not in it.
#[test]
fn net_luck_is_that_of_games_with_a_result() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (file, store) = (path("begun.mat"), path("r.sqlite"));
    let whole = include_str!("../../sample_matches/clara-dev-3pt.mat");
    let begun: Vec<&str> = whole.lines().take(110).collect();
    std::fs::write(&file, begun.join("\n") + "\n").unwrap();
    let review = json(&["review", "--json", &file, "--ply", "0", "--store", &store]);
    let net = |game: &Value| {
        let luck = |side: usize| {
            let player = &game["players"][side];
            player["luck_unnormalised"].as_f64().unwrap()
        };
        luck(0) - luck(1)
    };
    let games = review["games"].as_array().unwrap();
    let ended = games.iter().filter(|game| game["after"].is_number());
    let shown = |net: f64| format!(" {:+.2}% ", 100.0 * net);
    let ended = shown(ended.map(net).sum());
    let name = review["players"][0]["name"].as_str().unwrap();
    let table = stdout(&["matches", "--store", &store, "--player", name]);
    assert_has!(table, &ended);
    assert!(!table.contains(&shown(games.iter().map(net).sum())));
}

/// A folder is no file to write to, with or without `--force`, and that is told before anything is analysed.
#[test]
fn a_review_is_not_written_to_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (file, store, out) = (path("m.mat"), path("r.sqlite"), path("out"));
    std::fs::write(&file, MATCH).unwrap();
    std::fs::create_dir(&out).unwrap();
    let review = [
        "review", &file, "--ply", "0", "--store", &store, "--out", &out,
    ];
    let convert = ["convert", &file, &out, "--to", "mat"];
    for arguments in [&review[..], &convert] {
        for more in [&[] as &[&str], &["--force"]] {
            let told = refusal(&[arguments, more].concat(), 1);
            assert_has!(told, "out: is a folder");
        }
    }
    // Nothing was analysed.
    assert_eq!(
        stdout(&["matches", "--store", &store]),
        "no reviewed match\n"
    );
    // Several matches in one file go into the folder.
    let other = include_str!("../../sample_matches/clara-dev-3pt.mat");
    std::fs::write(&file, format!("{MATCH}\n{other}")).unwrap();
    assert_eq!(stdout(&review), "");
    assert_eq!(std::fs::read_dir(&out).unwrap().count(), 2);
}

#[test]
fn a_match_is_not_written_over_by_its_review() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("m.mat");
    std::fs::copy("sample_matches/clara-dev-3pt.mat", &copy).unwrap();
    let before = std::fs::read(&copy).unwrap();
    let file = copy.to_str().unwrap();
    refusal(
        &["review", file, "--ply", "0", "--no-store", "--out", file],
        2,
    );
    assert!(std::fs::read(&copy).unwrap() == before);
}

#[test]
fn inspect_and_convert() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (from, to) = (path("a.mat"), path("b.mat"));
    std::fs::write(&from, MATCH).unwrap();
    let read = json(&["inspect", "--json", &from]);
    assert_eq!(read["players"], serde_json::json!(["anna", "ben"]));
    assert_eq!(read["length"], 3);
    let game = &read["games"][0];
    assert_eq!(
        (&game["rolls"], &game["doubles"], &game["passes"]),
        (&3.into(), &1.into(), &1.into())
    );
    assert_eq!(stdout(&["convert", &from, &to]), "");
    let again = json(&["inspect", "--json", &to]);
    assert_eq!(read["games"], again["games"]);
    assert!(refusal(&["convert", &from, &to], 1).contains("--force"));
    assert_eq!(stdout(&["convert", "--force", &from, &to]), "");
    refusal(&["convert", &from, &path("c.pdf")], 2);
    assert!(stdout(&["inspect", &from]).contains("anna – ben, 3 point match"));
    // A list has no match of its own.
    let list = path("list.txt");
    let positions = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10\n\
                     XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10\n";
    std::fs::write(&list, positions).unwrap();
    assert!(stdout(&["inspect", &list]).contains(", 2 positions; positions"));
    assert_eq!(
        stdout(&["inspect", "--jsonl", &from, &to]).lines().count(),
        2
    );
}

#[test]
fn one_match_of_a_file_is_converted() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (first, second, both) = (path("a.mat"), path("b.mat"), path("both.sgf"));
    std::fs::write(&first, MATCH).unwrap();
    std::fs::write(&second, MATCH.replace(" 3 point", " 5 point")).unwrap();
    let as_sgf = |name: &str| stdout(&["convert", name, "-", "--to", "sgf"]);
    std::fs::write(&both, as_sgf(&first) + &as_sgf(&second)).unwrap();
    for (number, length) in [("1", 3), ("2", 5)] {
        let text = ok(&["convert", &both, "-", "--match", number]);
        assert_eq!(text.matches(" point match").count(), 1, "{text}");
        assert_has!(text, &format!(" {length} point match"));
    }
    assert!(refusal(&["convert", &both, "-", "--match", "3"], 2).contains("has 2 in all"));
}

#[test]
fn convert_corrects_what_a_file_says_of_its_match() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (money, right, length) = (path("a.mat"), path("b.mat"), path("c.mat"));
    std::fs::write(&length, MATCH).unwrap();
    std::fs::write(&money, MATCH.replace(" 3 point", " 0 point")).unwrap();
    let day = ["--date", "2026.11.20", "--event", "Club\u{1b} night"];
    let rules = ["--player1", "Ann", "--jacoby", "--beavers=on"];
    stdout(&[&["convert", &*money, &*right], &day[..], &rules[..]].concat());
    let text = std::fs::read_to_string(&right).unwrap();
    assert_has!(text, r#"[EventDate "2026-11-20"]"#, r#"[Jacoby "On"]"#);
    assert_has!(text, r#"[Beaver "On"]"#, r#"[Player 1 "Ann"]"#);
    assert!(text.contains("Club") && !text.contains('\u{1b}'));
    let report = json(&["review", &right, "--json", "--no-store", "--ply", "0"]);
    assert_eq!(report["rules"]["jacoby"], true);
    // A rule can be put out of force, but a match has none of these.
    let again = stdout(&["convert", &right, "-", "--jacoby=off"]);
    assert_has!(again, r#"[Jacoby "Off"]"#);
    assert!(refusal(&["convert", &length, "-", "--jacoby"], 2).contains("money"));
    assert!(refusal(&["convert", &length, "-", "--date", "2026-11"], 2).contains("a day as"));
}

/// Of a game that breaks off nothing is made up in between.
#[test]
fn a_game_that_breaks_off_comes_back_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let names = ["a.mat", "b.json", "c.json"].map(path);
    let text = " 5 point match\n\n Game 1\n Anna : 0                              Ben : 0\n  \
                1) 31: 8/5 6/5                        42: 8/4 6/4\n  2) 61: 13/2\n      \
                Wins 1 point\n";
    std::fs::write(&names[0], text).unwrap();
    for pair in names.windows(2) {
        assert!(run(&["convert", &pair[0], &pair[1]]).status.success());
        let [from, to] = [&pair[0], &pair[1]].map(|file| json(&["inspect", "--json", file]));
        assert_eq!(from["games"][0]["complete"], false);
        assert_eq!(from["games"], to["games"]);
    }
    assert!(std::fs::read(&names[1]).unwrap() == std::fs::read(&names[2]).unwrap());
}

#[test]
fn bad_files_are_told_in_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let files = [
        ("empty.mat", &b""[..]),
        ("binary.mat", b"\x7fELF\0\0\0\x01\x02"),
        ("text.mat", b"hello\n"),
    ];
    for (name, bytes) in files {
        std::fs::write(path(name), bytes).unwrap();
        refusal(&["inspect", &path(name)], 1);
    }
    refusal(&["inspect", folder.path().to_str().unwrap()], 1);
    refusal(&["inspect", &path("missing.mat")], 1);
    refusal(&["eval", OPENING, "--nets", &path("missing.net")], 1);
    refusal(&["eval", OPENING, "--nets", &path("text.mat")], 1);
}

/// Stdin and stdout of these tests are pipes.
#[test]
fn the_workstation_needs_a_terminal() {
    assert!(refusal(&[], 1).contains("terminal"));
    assert!(refusal(&[OPENING], 1).contains("terminal"));
    assert!(refusal(&["missing.mat"], 1).contains("missing.mat"));
    assert!(refusal(&["5HPwATDgc/ABMA"], 2).contains("16 checkers"));
}

/// Three commands watch folders, and refuse alike what is none.
#[test]
fn what_is_no_folder_is_not_watched() {
    for arguments in [
        &["--watch", "missing"][..],
        &["matches", "--watch", "missing"],
        &["library", "add", "missing", "--watch"],
    ] {
        let told = refusal(arguments, 2);
        assert_has!(told, "missing: not a folder");
    }
}

/// Of all rolls the one that is given is marked.
#[test]
fn the_roll_that_came_is_marked_among_all() {
    let rolls = ["eval", OPENING, "--rolls", "--ply", "0"];
    let told = stdout(&[&rolls[..], &["--dice", "31"]].concat());
    let marked: Vec<&str> = told
        .lines()
        .filter(|line| line.ends_with("rolled"))
        .collect();
    assert!(
        matches!(marked[..], [line] if line.starts_with("3-1")),
        "{told}"
    );
    assert!(!stdout(&rolls).contains("rolled"));
}

/// A value that is nothing is 0.0 from both sides.
#[test]
fn a_review_writes_no_zero_with_a_sign() {
    let file = "sample_matches/anna-clara-money.mat";
    let told = ok(&["review", file, "--ply", "0", "--no-store", "--json"]);
    assert_has!(told, ":0.0,");
    assert_lacks!(told, "-0.0,");
}

#[test]
fn mistakes_are_wrong_usage() {
    let id = race();
    let cases: &[(&[&str], &str)] = &[
        (&["eval"], "ID"),
        (&["eval", "5HPwATDgc/ABMA"], "16 checkers"),
        (&["eval", "nonsense"], "nonsense"),
        (&["eval", OPENING, "--dice", "07"], "07"),
        (&["eval", OPENING, "--ply", "9"], "9"),
        (&["eval", OPENING, "--jsn"], "--json"),
        (&["eval", OPENING, "--threads", "0"], "0"),
        (&["eval", "--batch", OPENING], "--batch"),
        (&["rollout", &id, "--trials", "0"], "0"),
        (&["rollout", &id, "--stop", "se=0"], "positive"),
        (&["rollout", &id, "--play", "8/5"], "--dice"),
        (&["rollout"], "position"),
        (&["rollout", &id, "--shard", "5/4"], "5/4"),
        (&["rollout", &id, "--shard", "1/4"], "--store"),
        (&["rollout", &id, "--truncate", "0"], "0"),
        (&["rollout", &id, "--dice-source", "loaded"], "loaded"),
        (&["rollout", &id, "--luck", "bad"], "bad"),
        (
            &["rollout", &id, "--cubeless", "--stop", "separated=99"],
            "2 plays",
        ),
        (&["rollout", &id, "--allocation", "adaptive"], "3 plays"),
        (&["rollout", &id, "--initial", "--dice", "31"], "--dice"),
        (&["rollout", &id, "--luck-bound", "0"], "bound"),
        (&["rollout", &id, "--batch", "jobs"], "jobs"),
        (&["merge"], "SHARD"),
        (
            &["rollout", OPENING, "--dice", "31", "--play", "8/6"],
            "8/6",
        ),
        (
            &[
                "rollout",
                OPENING,
                "--dice",
                "31",
                "--play",
                "\u{1b}[31m8/5",
            ],
            "character 1",
        ),
        (&["compare", OPENING, "--dice", "31", "8/5 6/5"], "PLAY"),
        (
            &["compare", OPENING, "--dice", "31", "8/5 6/5", "6/5 8/5"],
            "same position",
        ),
        (&["compare", OPENING, "8/5 6/5", "8/4"], "--dice"),
        (&["man", "nothing"], "nothing"),
        (&["completions", "cobol"], "cobol"),
    ];
    for (arguments, part) in cases {
        let said = refusal(arguments, 2);
        assert_has!(said, part);
        assert!(!said.trim_end().contains(char::is_control), "{said:?}");
    }
}

#[test]
fn help_manual_and_completions() {
    for command in [
        "eval",
        "rollout",
        "compare",
        "inspect",
        "convert",
        "bench",
        "completions",
        "man",
    ] {
        let help = stdout(&[command, "--help"]);
        assert_has!(help, "Examples:", "Usage: luckless");
        assert!(stdout(&["man", command]).contains(".TH"));
        assert!(stdout(&["man"]).contains(command));
    }
    let environment = "\n.SH ENVIRONMENT\n.nf\n  LUCKLESS_HOME ";
    assert!(stdout(&["man"]).contains(environment));
    assert!(stdout(&["--help"]).contains("Environment:\n  LUCKLESS_HOME "));
    assert!(stdout(&["man", "inspect"]).contains("luckless inspect [OPTIONS] <FILE>..."));
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(stdout(&["completions", shell]).contains("rollout"));
    }
    assert!(stdout(&["completions", "bash"]).contains("\"instant quick standard deep"));
    assert!(stdout(&["--version"]).starts_with("luckless "));
}

#[test]
fn the_signature_is_the_same_every_time() {
    let signature = stdout(&["bench", "--signature"]);
    assert_eq!(signature.trim_end().len(), 8);
    assert_eq!(
        signature,
        stdout(&["bench", "--signature", "--threads", "1"])
    );
    let document = json(&["bench", "--signature", "--json"]);
    assert_eq!(document["signature"], signature.trim_end());
}

#[test]
fn bench_has_the_names_of_the_contract() {
    let figures = json(&["bench", "--seconds", "0.001", "--json"]);
    for name in [
        "static_evals_per_s",
        "plays_per_s",
        "threads",
        "trials_per_s",
        "trials_per_s_all",
    ] {
        assert!(number(&figures[name]) > 0.0, "{name}");
    }
    assert_eq!(keys(&figures["decisions_per_s"]), ["0ply", "1ply", "2ply"]);
    assert!(figures["simd"].is_string() && figures["signature"].is_string());
}

/// A reader may stop reading.
#[test]
fn a_closed_pipe_is_no_failure() {
    for arguments in [
        &["completions", "bash"][..],
        &["eval", OPENING, "--dice", "31"],
        &["--help"],
    ] {
        let mut child = command(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        assert_eq!(output.stderr, b"");
    }
}

#[test]
fn reviews_are_told_kept_and_listed() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (one, two, store, page) = (
        at("one.mat"),
        at("two.mat"),
        at("r.sqlite"),
        at("page.html"),
    );
    std::fs::write(&one, MATCH.replace("2024.03.01", "2024.03.02")).unwrap();
    std::fs::write(&two, MATCH).unwrap();
    std::fs::write(at("notes.txt"), "no match").unwrap();
    let kept = ["--ply", "0", "--store", &store];
    let first = json(&[&["review", "--json", &two], &kept[..]].concat());
    assert_eq!(first["length"], 3);
    assert_eq!(first["date"], "2024-03-01");
    let anna = &first["players"][0];
    assert_eq!(anna["name"], "anna");
    for name in [
        "decisions",
        "unforced",
        "error_total",
        "pr",
        "luck",
        "luck_adjusted_result",
    ] {
        assert!(anna[name].is_number(), "{name}");
    }
    let moves = first["games"][0]["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 5);
    assert_eq!(moves[0]["played"], "8/5 6/5");
    assert_eq!(moves[0]["error"], 0.0);
    let best = &moves[0]["candidates"][0];
    assert_eq!(best["made"], true);
    assert!(best["cubeful_equity"].is_number() && best["equity"].is_null());
    assert_eq!(moves[3]["cube"]["choice"], "double");
    assert_eq!(moves[4]["played"], "pass");
    assert!(moves[4]["error"].as_f64().unwrap() > 0.1);
    // Kept, whatever is asked for: the same again.
    let again = ["review", "--json", &two, "--threads", "1"];
    assert_eq!(json(&[&again, &kept[..]].concat()), first);
    // A page in a file.
    let into = ["review", "--format", "html", "--out", &page, &two];
    assert_eq!(stdout(&[&into, &kept[..]].concat()), "");
    let text = std::fs::read_to_string(&page).unwrap();
    assert!(text.starts_with("<!DOCTYPE html>") && text.ends_with("</html>\n"));
    // What is there stays, unless it may be replaced.
    let error = refusal(&[&into, &kept[..]].concat(), 1);
    assert_has!(error, "--force");
    assert_eq!(
        stdout(&[&into, &kept[..], &["--force"]].concat()),
        "",
        "replaced"
    );
    std::fs::remove_file(&page).unwrap();
    // A folder: what is no match is error and harms nothing.
    let all = ["review", folder.path().to_str().unwrap()];
    let output = run(&[&all, &kept[..]].concat());
    assert!(output.status.success());
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(
        error.contains("notes.txt") && error.lines().count() == 1,
        "{error}"
    );
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 3);
    let listed = json(&["matches", "--store", &store, "--player", "BEN", "--json"]);
    let rows = listed["matches"].as_array().unwrap();
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[0]["date"], "2024-03-01");
    assert_eq!(listed["trend"]["pr"]["matches"], 2);
    // The table has the luck of both, which leads from the result to the luck-adjusted one.
    let luck = |side: usize| {
        first["players"][side]["luck_unnormalised"]
            .as_f64()
            .unwrap()
    };
    let net = format!("{:+.2}%", 100.0 * (luck(1) - luck(0)));
    let table = stdout(&["matches", "--store", &store, "--player", "BEN"]);
    assert_has!(table, "net luck", &net);
    // Cube errors are counted by kind, of those that were possible.
    let heads = "\ncube errors    possible  made  rate  blunders  error  share";
    assert_has!(table, heads);
    let errors = &listed["trend"]["cube_errors"][0];
    let of_match = &first["players"][1]["cube_errors"][0];
    for key in ["decisions", "errors", "blunders"] {
        let twice = of_match[key].as_u64().map(|n| 2 * n);
        assert_eq!(errors[key].as_u64(), twice, "{key}: {errors}");
    }
    assert_eq!(errors["kind"], of_match["kind"]);
    // The opponents have a row each.
    let table = stdout(&[
        "matches", "--store", &store, "--player", "BEN", "--by", "length",
    ]);
    assert_has!(table, "\nby length  matches  decisions");
    // Neither file names an event; another one does.
    let by_event = |store: &str| {
        stdout(&[
            "matches", "--store", store, "--player", "BEN", "--by", "event",
        ])
    };
    assert!(!by_event(&store).contains("by event"));
    let (named, events) = (at("named.mat"), at("events.sqlite"));
    let event = "; [Event \"Club evening\"]\n";
    std::fs::write(
        &named,
        format!("{event}{}", MATCH.replace("2024.03", "2024.05")),
    )
    .unwrap();
    json(&["review", "--json", &named, "--ply", "0", "--store", &events]);
    let table = by_event(&events);
    assert_has!(table, "\nby event      matches", "\nClub evening        1");
    // Both matches went the same way, so the ratings do not differ.
    let ben = first["players"][1]["pr"].as_f64().unwrap();
    let pooled = listed["trend"]["pr"]["value"].as_f64().unwrap();
    assert!((pooled - ben).abs() < 1e-9);
    // The same match in another format is no other match.
    let other = at("two.sgf");
    stdout(&["convert", &two, &other]);
    json(&[&["review", "--json", &other], &kept[..]].concat());
    let listed = json(&["matches", "--store", &store, "--json"]);
    assert_eq!(listed["matches"].as_array().unwrap().len(), 2);
    // Nor is it one where another file of it was looked at more deeply.
    std::fs::write(&other, std::fs::read_to_string(&other).unwrap() + "\n").unwrap();
    let deeper = ["review", "--json", &other, "--ply", "1", "--store", &store];
    json(&deeper);
    let listed = json(&["matches", "--store", &store, "--json"]);
    let rows = listed["matches"].as_array().unwrap();
    let plies: Vec<u64> = rows
        .iter()
        .map(|row| row["ply"].as_u64().unwrap())
        .collect();
    assert_eq!(plies.len(), 2, "{plies:?}");
    assert!(plies.contains(&1), "{plies:?}");
    // Ratings of both depths stand in one table, which says so.
    let shown = || stdout(&["matches", "--store", &store]);
    let several =
        "reviews of several depths (0-ply, 1-ply): `luckless review --ply 1` for the others";
    assert!(shown().contains(several), "{}", shown());
    // Its advice makes them alike.
    let review = |file: &str, more: &[&str]| {
        let one = ["review", "--json", file, "--ply", "1", "--store", &store];
        json(&[&one[..], more].concat());
    };
    review(&one, &[]);
    review(&two, &[]);
    assert!(!shown().contains("several depths"), "{}", shown());
    let rollouts = ["--rollouts", "1", "--rollout-trials", "36"];
    review(&one, &rollouts);
    let several = "(1-ply, 1-ply with rollouts): `luckless review --ply 1` and the same rollouts";
    assert!(shown().contains(several), "{}", shown());
    review(&two, &rollouts);
    assert!(!shown().contains("several depths"), "{}", shown());
    let nobody = refusal(&["matches", "--store", &store, "--player", "nobody"], 2);
    assert_has!(nobody, "anna, ben");
    refusal(&["review", "--format", "html", &one, &two], 2);
    refusal(&["review", &at("missing.mat"), "--store", &store], 1);
    refusal(
        &[&["review", &one, "--player", "zoe"], &kept[..]].concat(),
        2,
    );
}

/// A card has the board, the analysis and the identifiers, and nothing from elsewhere.
#[test]
fn a_position_as_a_card() {
    let with_dice = [
        "eval", OPENING, "--dice", "31", "--top", "2", "--ply", "0", "--html",
    ];
    let before = ["eval", OPENING, "--ply", "0", "--html"];
    for (arguments, words) in [(&with_dice[..], "<td>8/5 6/5</td>"), (&before, "<pre>")] {
        let page = stdout(arguments);
        let shows_best = page.contains("class=\"arrow\"");
        assert_eq!(shows_best, arguments.contains(&"--dice"));
        assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
        assert_has!(page, words, "<code>XGID=", "4HPwATDgc/ABMA:");
        for words in ["<a ", "href", "http", "src=", "<script"] {
            assert!(!page.contains(words), "{words}");
        }
    }
    // A double on offer is answered by the other player: GNU Backgammon's identifier has the doubler's board.
    let doubled = "XGID=-b--B-E-C---cD---e-e----A-:0:0:1:D:2:3:0:7:10";
    let page = stdout(&["eval", doubled, "--ply", "0", "--html"]);
    assert_has!(page, "<code>4PPBATCYz8EDIA:");
}

/// On a terminal a review and a rollout show a bar with the total and the time left.
#[cfg(target_os = "linux")]
#[test]
fn waiting_is_shown_on_a_terminal() {
    let shown = |arguments: &[&str]| {
        let terminal = crate::common::pseudo_terminal::Terminal::new();
        let mut command = crate::common::command(arguments);
        let child = command
            .env("TERM", "xterm")
            .stdout(std::process::Stdio::null());
        let child = child.stderr(terminal.slave).spawn();
        drop(command);
        let (mut bytes, mut master) = (Vec::new(), std::fs::File::from(terminal.master));
        // The end of a terminal is an error.
        let _ = std::io::Read::read_to_end(&mut master, &mut bytes);
        assert!(child.unwrap().wait().unwrap().success());
        String::from_utf8(bytes).unwrap()
    };
    let sample = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/sample_matches/clara-dev-3pt.mat"
    );
    let review = shown(&["review", sample, "--ply", "1", "--no-store"]);
    assert_has!(review, "░ ", " of ", " s left  analysed");
    let rollout = [
        "rollout", OPENING, "--dice", "31", "--top", "2", "--trials", "144",
    ];
    let rollout = shown(&[&rollout[..], &["--no-store"]].concat());
    assert_has!(rollout, " of 288", " s left  ", "/s");
}

/// Marks, headings and the best play have colours on a terminal, if the user has nothing against them.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_gets_colours() {
    let shown = |arguments: &[&str], no_colour: &str| {
        let terminal = crate::common::pseudo_terminal::Terminal::new();
        let mut command = crate::common::command(arguments);
        command.env("NO_COLOR", no_colour).env("TERM", "xterm");
        let child = command.stdout(terminal.slave).spawn();
        // The command keeps the other end open as well.
        drop(command);
        let (mut bytes, mut master) = (Vec::new(), std::fs::File::from(terminal.master));
        // The end of a terminal is an error.
        let _ = std::io::Read::read_to_end(&mut master, &mut bytes);
        assert!(child.unwrap().wait().unwrap().success());
        String::from_utf8(bytes).unwrap().replace('\r', "")
    };
    let eval = ["eval", OPENING, "--dice", "31", "--top", "2", "--ply", "0"];
    let plain = stdout(&eval);
    assert!(!plain.contains('\x1b') && shown(&eval, "1") == plain);
    let coloured = shown(&eval, "");
    assert_has!(coloured, "\x1b[1mplay ", "\x1b[1m8/5 6/5 ");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("two.mat");
    std::fs::write(&path, MATCH).unwrap();
    let review = ["review", path.to_str().unwrap(), "--ply", "0", "--no-store"];
    let coloured = shown(&review, "");
    assert_has!(
        coloured,
        "\x1b[1mworst decisions",
        "??\x1b[",
        "\x1b[2mXGID="
    );
}

/// The short help has the usual options, the long one all, in groups.
#[test]
fn the_short_help_has_the_usual_options() {
    let short = stdout(&["rollout", "-h"]);
    assert_has!(short, "--preset", "--trials", "--top", "--stop");
    assert!(!short.contains("--luck-bound") && short.lines().count() < 70);
    let long = stdout(&["rollout", "--help"]);
    assert_has!(long, "\nLuck:\n", "\nCube:\n", "\nDice:\n", "--luck-bound");
}

/// Dice are part of the board in text, and Markdown has its whole name.
#[test]
fn dice_in_a_board_of_text_and_markdown_by_name() {
    let board = stdout(&["board", OPENING, "--dice", "31", "--text"]);
    assert_has!(board, "|BAR|     [3] [1]      |");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("two.mat");
    std::fs::write(&path, MATCH).unwrap();
    let review = |format| {
        let path = path.to_str().unwrap();
        stdout(&[
            "review",
            path,
            "--ply",
            "0",
            "--no-store",
            "--format",
            format,
        ])
    };
    assert_eq!(review("markdown"), review("md"));
}

/// Errors with arrows come first, then both players as bars, and the moves are folded.
#[test]
fn a_page_opens_with_the_worst_errors() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/sample_matches/clara-dev-3pt.mat"
    );
    let review = [
        "review",
        path,
        "--ply",
        "0",
        "--no-store",
        "--format",
        "html",
    ];
    let page = stdout(&review);
    let parts = [
        "<h2>Worst decisions",
        "class=\"arrow\"",
        "<summary>8 more",
        "class=\"bar left\"",
        "<details><summary><h2>Game 1",
    ];
    let places = parts.map(|part| page.find(part).expect(part));
    assert!(places.is_sorted(), "{places:?}");
}

/// A cube that nobody has turned shows 1, as on the screen.
#[test]
fn a_cube_in_the_middle_shows_its_value() {
    let cube = |power: u32| {
        let id = format!("XGID=-b----E-C---eE---c-e----B-:{power}:0:1:00:0:0:0:0:10");
        let page = stdout(&["board", &id]);
        let number = page.lines().find(|line| line.contains("cube-number"));
        number.expect("a number").to_owned()
    };
    assert_ne!(cube(0), cube(6));
}

/// The text has all figures of a double on offer from one side, that of the doubler; the document keeps the chances of
/// the player who answers.
#[test]
fn a_double_on_offer_is_told_from_the_side_of_the_doubler() {
    let doubled = "XGID=a-a--CC-C--BdB---bad-Ab-A-:0:0:1:D:4:0:0:11:10";
    let text = stdout(&["eval", doubled, "--ply", "0"]);
    let document: Value =
        serde_json::from_str(&stdout(&["eval", doubled, "--ply", "0", "--json"])).unwrap();
    let win = 100.0 * (1.0 - document["win"].as_f64().unwrap());
    let row = text.lines().find(|line| line.starts_with("doubler, 0-ply"));
    let row = row.expect("a row of chances");
    assert!(win > 50.0 && row.contains(&format!("{win:.2}%")), "{text}");
    assert_has!(text, "(all figures are the doubler's)");
    // The first line too: the doubler needs 7 points, the other one 11.
    let rollout = ["--trials", "36", "--no-store"];
    for (command, more) in [("eval", &rollout[..0]), ("why", &[]), ("rollout", &rollout)] {
        let text = stdout(&[&[command, doubled, "--ply", "0"], more].concat());
        let head = text.lines().next().unwrap_or_default();
        assert_has!(head, "7-away 11-away");
    }
}

/// The options of a command are in its `--help`; the reference says which commands there are and what they share.
#[test]
fn every_command_is_in_the_reference() {
    let page = include_str!("../../docs/reference/command-line.md");
    let help = stdout(&["--help"]);
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands = commands.take_while(|line| line.starts_with("  "));
    let names: Vec<&str> = commands
        .filter(|line| line.as_bytes()[2] != b' ')
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(names.len() > 20, "{names:?}");
    for name in names {
        let is_named = ["`", " "]
            .iter()
            .any(|end| page.contains(&format!("`{name}{end}")));
        let in_full = page.contains(&format!("`luckless {name}"));
        assert!(is_named || in_full, "{name} is not in the reference");
    }
}

/// With few checkers left in contact the static values mislead: 15/7 is better than 15/10 5/2 by 0.69 points.
/// The chances of the last checkers are found by the first worker that needs them; the others wait for it.
#[test]
fn the_last_checkers_in_contact_are_judged_truly() {
    let all = json(&["eval", "AIAAQAACAAAAAA", "--dice", "53", "--json"]);
    let plays = all["plays"].as_array().unwrap();
    assert_eq!(plays[0]["play"], "15/7");
    let all = json(&["eval", "AAAAQQgAAAAAAA", "--ply", "0", "--json"]);
    assert!((all["win"].as_f64().unwrap() - 0.7210).abs() < 1e-3);
    let rolled = json(&[
        "rollout",
        "3wMAANq2rQIAAA",
        "--ply",
        "1",
        "--cubeless",
        "--trials",
        "36",
        "--threads",
        "2",
        "--json",
    ]);
    assert_eq!(rolled["plays"][0]["trials"], 36);
}
