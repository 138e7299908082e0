//! What leaves the program to be shown: `luckless board`, and texts for forums.

use crate::common::{OPENING, command, ok, refusal};

#[test]
fn a_board_goes_to_stdout_or_to_a_file_that_is_not_there() {
    let svg = ok(&["board", OPENING, "--dice", "31", "--play", "8/5 6/5"]);
    assert_eq!(svg.matches("<circle class=\"checker").count(), 30);
    assert_eq!(svg.matches("class=\"arrow\"").count(), 2);
    // It says which position it shows.
    let xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10";
    assert!(svg.contains(&format!("<desc>Backgammon position {xgid}</desc>")));
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let board = |name: &str, more: &[&str]| {
        let name = at(name);
        ok(&[&["board", OPENING, "--dice", "31", "--out", &name], more].concat());
        std::fs::read(name).unwrap()
    };
    let file = board("a.svg", &["--play", "8/5 6/5"]);
    assert_eq!(file, svg.as_bytes());
    assert_ne!(board("b.svg", &["--play", "8/5 6/5", "--flip"]), file);
    assert_ne!(
        board("c.svg", &["--play", "8/5 6/5", "--theme", "leather"]),
        file
    );
    // To be read as well, it makes the picture higher.
    let named = board("d.svg", &["--xgid"]);
    let named = String::from_utf8(named).unwrap();
    assert_has!(svg, "viewBox=\"0 0 612 560\"");
    assert_has!(named, "viewBox=\"0 0 612 584\"");
    let png = board("a.png", &["--width", "300"]);
    assert!(png.starts_with(b"\x89PNG"));
    assert_eq!(png[16..20], 300u32.to_be_bytes());
    let text = [&b"tEXtXGID\0"[..], xgid.as_bytes()].concat();
    assert!(png.windows(text.len()).any(|part| part == text));
    let why = refusal(&["board", OPENING, "--out", &at("a.png")], 1);
    assert_has!(why, "is there already");
    board("a.png", &["--force"]);
}

#[test]
fn a_board_is_written_as_text_with_its_identifiers() {
    let text = ok(&["board", OPENING, "--dice", "31", "--text"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 16, "{text}");
    assert_eq!(lines[1], " | X           O    |   | O              X |");
    let xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10";
    assert_eq!(lines[13], xgid);
    // The text for forums has the same board, without dice on it, as XG writes it.
    assert_has!(lines[6], "[3] [1]");
    let forum = ok(&["eval", xgid, "--ply", "0", "--xg-text"]);
    assert_has!(forum, &lines[..13].join("\n").replace("[3] [1]", "       "));
    // All of it is a position again, and so is each identifier.
    let gnubg = lines[14].strip_prefix("GNUBG ID ").unwrap();
    for id in [text.as_str(), xgid, gnubg, lines[15]] {
        assert_eq!(ok(&["board", id, "--text"]), text, "{id}");
    }
    // X has doubled, as in the identifier.
    let doubled = "XGID=-b----E-D---eD---c-e----B-:0:0:1:D:2:4:0:7:10";
    let offered = ok(&["board", doubled, "--text"]);
    let forum = ok(&["eval", doubled, "--ply", "0", "--xg-text"]);
    let (board, ids) = offered.split_once("XGID").unwrap();
    assert!(forum.contains(board), "{offered}{forum}");
    assert!(ids.starts_with(&doubled[4..]), "{offered}");
}

#[test]
fn a_board_as_text_goes_to_a_text_file() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
        [&["board", OPENING, "--text"][..], more].concat()
    }
    ok(&with(&["--out", &at("a.txt")]));
    let written = std::fs::read_to_string(at("a.txt")).unwrap();
    assert_eq!(written, ok(&with(&[])));
    refusal(&with(&["--out", &at("a.txt")]), 1);
    ok(&with(&["--out", &at("a.txt"), "--force"]));
    let why = refusal(&with(&["--out", &at("a.svg")]), 2);
    assert_has!(why, "a text ends in .txt");
    let why = refusal(&["board", OPENING, "--out", &at("b.txt")], 2);
    assert_has!(why, "--text");
    for of_pictures in [
        &["--dice", "31", "--play", "8/5 6/5"][..],
        &["--theme", "leather"],
        &["--flip"],
        &["--no-pips"],
        &["--xgid"],
        &["--width", "300"],
    ] {
        let why = refusal(&with(of_pictures), 2);
        assert_has!(why, "cannot be used with");
    }
}

#[test]
fn a_theme_of_ones_own_stands_for_that_of_the_program_with_its_name() {
    let home = tempfile::tempdir().unwrap();
    let themes = home.path().join("config/themes");
    std::fs::create_dir_all(&themes).unwrap();
    let own = include_str!("../../themes/leather.toml").replacen("\"leather\"", "\"dark\"", 1);
    std::fs::write(themes.join("mine.toml"), own).unwrap();
    let drawn = |theme: &str| {
        let mut command = command(&["board", OPENING, "--theme", theme]);
        let output = command.env("LUCKLESS_HOME", home.path()).output().unwrap();
        assert!(output.status.success());
        output.stdout
    };
    assert_eq!(drawn("dark"), drawn("leather"));
    // What is wrong with one is said where it is asked for.
    std::fs::write(themes.join("dune.toml"), "name = \"dune\"\nstyles = 3\n").unwrap();
    let mut command = command(&["board", OPENING, "--theme", "dune"]);
    let output = command.env("LUCKLESS_HOME", home.path()).output().unwrap();
    let why = String::from_utf8(output.stderr).unwrap();
    assert!(
        !output.status.success() && why.contains("dune.toml"),
        "{why}"
    );
}

#[test]
fn xg_text_has_the_position_the_plays_and_the_cube() {
    let text = ok(&[
        "eval",
        OPENING,
        "--dice",
        "31",
        "--ply",
        "0",
        "--top",
        "3",
        "--xg-text",
    ]);
    assert!(
        text.starts_with("XGID=-b----E-C---eE---c-e----B-:"),
        "{text}"
    );
    assert_has!(text, "    1. 1-ply       8/5 6/5        ");
    assert_eq!(text.matches("eq:").count(), 3);
    let text = ok(&["eval", OPENING, "--dice", "31", "--ply", "0", "--xg-text"]);
    assert_eq!(text.matches("eq:").count(), 5);
    let text = ok(&["eval", OPENING, "--ply", "1", "--xg-text"]);
    assert_has!(text, "Analyzed in 2-ply");
    assert_has!(
        text,
        "Best Cube action: No double / Take\nPercentage of wrong pass needed"
    );
    refusal(&["eval", OPENING, "--xg-text", "--json"], 2);
}

/// A truncated rollout of few games is not taken for a full one.
#[test]
fn xg_text_says_how_a_level_rolled_out() {
    let rolled = |more: &[&str]| ok(&[&["eval", "--level", "rolled", "--xg-text"], more].concat());
    let text = rolled(&[OPENING, "--dice", "43", "--top", "2"]);
    assert_has!(text, "    1. Rollout¹    ", "%]\n\n    2. Rollout");
    assert_has!(text, "¹ 252 Games rolled with Variance Reduction.\n");
    assert_has!(text, "  Moves: 2-ply, cube decisions: 2-ply\n");
    assert_has!(text, "  Games truncated after 6 rolls\n");
    // Cube decisions are played to the end.
    let text = rolled(&["fwMAAN4BAAAAAA"]);
    assert_has!(
        text,
        "Rollout:\n 144 Games rolled with Variance Reduction.\n"
    );
    assert_has!(text, " Confidence Double:    ±");
    assert_has!(text, "Double/Take\n  Player Winning Chances:   ");
    assert_lacks!(text, "truncated");
}

#[test]
fn a_rollout_is_written_as_xg_text() {
    const USUAL: [&str; 7] = [
        "rollout",
        "--xg-text",
        "--no-store",
        "--trials",
        "72",
        "--ply",
        "0",
    ];
    let text = ok(&[
        &USUAL[..],
        &[OPENING, "--dice", "31", "--top", "2", "--cubeless"],
    ]
    .concat());
    assert_has!(text, "X to play 31\n", "    1. Rollout¹    8/5 6/5 ");
    assert_has!(text, "%]\n\n    2. Rollout");
    assert_has!(text, "¹ 72 Games rolled with Variance Reduction.\n");
    // A cube decision, by the doubler's chances.
    let text = ok(&[&USUAL[..], &["fwMAAN4BAAAAAA"]].concat());
    assert_has!(text, "72 Games rolled", "Double/Take", "Best Cube action:");
    let why = refusal(
        &[&USUAL[..], &["4HPwATDgc/ABMA", "--initial", "--cubeless"]].concat(),
        2,
    );
    assert_has!(why, "--xg-text has the plays");
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    for (arguments, reason) in [
        (vec!["--play", "8/5 6/5"], "needs a roll"),
        (vec!["--dice", "31", "--play", "8/2"], "8/2"),
        (vec!["--out", "x.gif"], ".svg or .png"),
        (vec!["--width", "9000"], "8192"),
        (vec!["--theme", "nosuch"], "leather"),
    ] {
        let why = refusal(&[&["board", OPENING], &arguments[..]].concat(), 2);
        assert_has!(why, reason);
    }
}
