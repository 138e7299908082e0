//! Remarks on the actions of variations.

use super::*;
use crate::match_file::text::{LONGEST_REMARK, REMARK_CUT};
use crate::match_file::write::Target;

const GAME: &str = "(;FF[4]GM[6]MI[length:3][game:0][ws:0][bs:0]PW[a]PB[b]RU[Crawford]\n\
                    (;W[31hefe]C[main])\n\
                    (;C[before];W[31xuxw]C[split];C[too \\] loose];B[42qusu])\n\
                    (;W[31hefe]C[same]))";

/// The warning that the game above has no result.
const BREAKS_OFF: &str = "game 1: the game breaks off here: expected its result";

fn warnings(record: &Match) -> Vec<&str> {
    let warnings = record.warnings.iter();
    warnings.map(|w| w.message.as_str()).collect()
}

/// The remarks on the actions of the first decision, from the top of its tree.
fn remarks(record: &Match) -> Vec<Option<&str>> {
    let tree = &record.variations[&(0, 0)];
    let rows = tree.rows().into_iter();
    rows.map(|row| tree.node(row.node).unwrap().comment.as_deref())
        .collect()
}

#[test]
fn remarks_are_read_and_written() {
    let record = read_bytes(GAME.as_bytes(), "x.sgf").unwrap();
    assert_eq!(warnings(&record), [BREAKS_OFF]);
    assert_eq!(
        remarks(&record),
        [Some("before\nsplit\ntoo ] loose"), Some("same"), None]
    );
    for target in [Target::Sgf, Target::Json] {
        let text = target.write(&record);
        let again = read_bytes(text.as_bytes(), "again").unwrap();
        assert_eq!(remarks(&again), remarks(&record), "{text}");
        assert_eq!(target.left_out(&record, &text), [""; 0]);
    }
    let text = Target::Mat.write(&record);
    let left_out = Target::Mat.left_out(&record, &text);
    let says = |what: &str| left_out.iter().any(|line| line.ends_with(what));
    assert!(says("remark × 3") && says("variation × 2"), "{left_out:?}");
}

/// Two branches with the same action: a remark that is part of another remark is kept, an equal one is not
/// repeated.
#[test]
fn a_remark_within_another_one_is_kept() {
    let of = |second: &str| {
        let game = GAME.replace("C[same]", "C[not good]");
        let branch = format!("(;W[31hefe]C[{second}]))");
        let text = game.replace("C[not good]))", &format!("C[not good])\n{branch}"));
        let record = read_bytes(text.as_bytes(), "x.sgf").unwrap();
        remarks(&record)[1].map(str::to_owned)
    };
    assert_eq!(of("good").as_deref(), Some("not good\ngood"));
    assert_eq!(of("not good").as_deref(), Some("not good"));
}

#[test]
fn another_tree_of_the_place_brings_those_that_are_missing() {
    let record = read_bytes(GAME.as_bytes(), "x.sgf").unwrap();
    let found = &record.variations[&(0, 0)];
    let mut tree = Variations::at(*found.root());
    tree.merge(found);
    assert_eq!(tree.to_json(), found.to_json());
    let other = found.to_json().replace("same", "another");
    tree.merge(&Variations::from_json(*found.root(), &other).unwrap());
    assert_eq!(tree.to_json(), found.to_json());
}

#[test]
fn remarks_are_cleaned_and_shortened() {
    let long = GAME.replace(
        "C[same]",
        &format!("C[\u{1b}{}]", "x".repeat(LONGEST_REMARK + 1)),
    );
    let record = read_bytes(long.as_bytes(), "x.sgf").unwrap();
    assert_eq!(warnings(&record), [REMARK_CUT, BREAKS_OFF]);
    let kept = remarks(&record)[1].unwrap();
    assert_eq!(kept, "x".repeat(LONGEST_REMARK));
    let document = Target::Json.write(&record);
    let longer = document.replace(kept, &format!("{kept}y\\u001b"));
    let record = read_bytes(longer.as_bytes(), "x.json").unwrap();
    assert_eq!(remarks(&record)[1], Some(kept));
    let cut = warnings(&record).into_iter();
    assert_eq!(cut.filter(|w| w.ends_with(REMARK_CUT)).count(), 1);
}
