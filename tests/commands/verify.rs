//! `luckless verify`: opinions of an analysed file, and what rollouts make of them.

use crate::common::{json, number, refusal, stdout};

/// A file of GNU Backgammon with its analysis.
const ANALYSED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/sgf/gnubg.sgf");
const PLAIN: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/sample_matches/clara-dev-3pt.mat"
);

#[test]
fn opinions_are_rolled_out_kept_and_found_again() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("rollouts.sqlite");
    let store = store.to_str().unwrap();
    let run = |more: &[&str]| {
        let base = ["verify", ANALYSED, "--ply", "0", "--trials", "36", "--json"];
        json(&[&base[..], &["--store", store], more].concat())
    };
    let none = run(&["--decisions", "0"]);
    let opinions = none["opinions"].as_array().unwrap();
    assert!(!opinions.is_empty());
    let of = |verdict: &str| opinions.iter().filter(|o| o["verdict"] == verdict).count();
    assert_eq!(of("open") + of("agreed"), opinions.len());
    assert_eq!(number(&none["left"]) as usize, of("open"));
    let losses: Vec<f64> = opinions
        .iter()
        .map(|o| number(&o["expected_loss"]))
        .collect();
    assert!(losses.is_sorted_by(|a, b| a >= b), "{losses:?}");
    let first = run(&["--decisions", "2", "--threads", "1"]);
    let rolled = |document: &serde_json::Value| -> Vec<serde_json::Value> {
        let all = document["opinions"].as_array().unwrap().iter();
        let all = all.filter(|o| !o["rollout"].is_null());
        all.map(|o| o["rollout"].clone()).collect()
    };
    assert_eq!(rolled(&first).len(), 2);
    assert_eq!(rolled(&first)[0]["trials"], 36);
    // Again: what was kept, to the last bit, whatever the threads.
    let again = run(&["--decisions", "2", "--threads", "2"]);
    assert_eq!(rolled(&first), rolled(&again));
    for player in first["players"].as_array().unwrap() {
        assert!(number(&player["none"]) <= number(&player["errors"]));
    }
}

#[test]
fn opinions_of_a_match_without_the_crawford_rule() {
    let base = ["verify", ANALYSED, "--ply", "0", "--decisions", "0"];
    // The seventh field of an XGID behind its board.
    let are_crawford = |more: &[&str]| -> Vec<bool> {
        let found = json(&[&base[..], &["--no-store", "--json"], more].concat());
        let all = found["opinions"].as_array().unwrap().iter();
        let ids = all.map(|one| one["position"].as_str().unwrap());
        ids.map(|id| id.split(':').nth(7) == Some("1")).collect()
    };
    assert!(are_crawford(&[]).contains(&true));
    assert!(!are_crawford(&["--no-crawford"]).contains(&true));
}

#[test]
fn a_list_for_readers() {
    let text = stdout(&[
        "verify",
        ANALYSED,
        "--ply",
        "0",
        "--decisions",
        "0",
        "--no-store",
    ]);
    // The first line names the file, and is as long as its path.
    let rows = text.lines().skip(1);
    let widest = rows.map(|line| line.chars().count()).max();
    assert!(widest.unwrap() <= 120, "{text}");
    assert_has!(text, "opinions of GNU Backgammon", "refuted", "verdict");
}

#[test]
fn a_document_goes_into_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("verdicts.json");
    let base = ["verify", ANALYSED, "--ply", "0", "--decisions", "0"];
    let more = ["--no-store", "--json", "--out", out.to_str().unwrap()];
    assert_eq!(stdout(&[&base[..], &more].concat()), "");
    let text = std::fs::read_to_string(&out).unwrap();
    assert_eq!(text.lines().count(), 1);
    let document: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert!(!document["opinions"].as_array().unwrap().is_empty());
}

#[test]
fn a_file_without_analysis_is_refused() {
    let told = refusal(&["verify", PLAIN], 1);
    assert_has!(told, "no analysis of another program");
}

#[test]
fn a_page_that_needs_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("verdicts.html");
    let out = out.to_str().unwrap();
    let base = [
        "verify",
        ANALYSED,
        "--ply",
        "0",
        "--no-store",
        "--format",
        "html",
    ];
    let some = ["--decisions", "0", "--out", out];
    assert_eq!(stdout(&[&base[..], &some].concat()), "");
    let page = std::fs::read_to_string(out).unwrap();
    for words in [
        "<!DOCTYPE html>",
        "analysed by GNU Backgammon",
        "rolled out",
        "overturned",
    ] {
        assert!(page.contains(words), "{words}");
    }
    // A link, a picture or a font from elsewhere; the folder of the file.
    for words in ["http://", "https://", "src=", "@import", "tests/fixtures"] {
        assert!(!page.contains(words), "{words}");
    }
    assert_eq!(
        page.matches("<article").count(),
        page.matches("</article>").count()
    );
    // A folder is refused before anything is rolled out.
    let into_folder = ["--out", folder.path().to_str().unwrap(), "--force"];
    let told = refusal(&[&base[..], &into_folder].concat(), 1);
    assert_has!(told, "is a folder");
    // It is not written over.
    let told = refusal(&[&base[..], &some].concat(), 1);
    assert_has!(told, "is there already");
}

/// Positions with the analysis of another program are no matches; what is said of them is true.
#[test]
fn an_analysed_position_is_not_called_one_without_analysis() {
    let positions = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/fixtures/positions/xg.txt"
    );
    let error = refusal(&["verify", positions, "--no-store"], 1);
    assert_has!(error, "holds another program's analysis of positions");
    assert_lacks!(error, "holds no analysis");
}
