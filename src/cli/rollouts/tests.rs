//! Output of an invented rollout: a race that has dropped the play with the largest mean of its own.

use std::sync::Arc;

use super::compare_print::ComparisonOutput;
use super::rollout_options::SettingsDocument;
use super::rollout_print;
use super::rollout_run::EndedRollout;
use super::rollout_xg;
use crate::cube::EquityTable;
use crate::eval::{Engine, Evaluator};
use crate::notation::parse_id;
use crate::rollout::testing::race_without_the_first;
use crate::rollout::{Settings, Setup};
use crate::store::RolloutLabel;

const POSITION: &str = "XGID=---AB-DCCB------bccd-ba---:0:0:1:61:0:0:0:0:10";
const PLAYS: [&str; 3] = ["9/3 4/3", "8/2 4/3", "9/2"];

/// The first play is out, and by its own few trials ahead of the last, which is the best.
fn race() -> (EndedRollout, RolloutLabel) {
    let own = [(612, 0.118), (2628, 0.107), (2664, 0.111)];
    let result = race_without_the_first(own, [-0.016, -0.02, -0.004]);
    let setup = Setup::from(Arc::new(Engine::embedded()) as Arc<dyn Evaluator>);
    let described = SettingsDocument::seen(&setup, &Settings::default(), true);
    let shown = RolloutLabel {
        position: POSITION.to_owned(),
        dice: Some("61".to_owned()),
        plays: PLAYS.map(|play| Some(play.to_owned())).into(),
        ..RolloutLabel::default()
    };
    (EndedRollout::new(Arc::new(result), described), shown)
}

/// A play that gets no more trials says so itself: a script need not read it from the sentence.
#[test]
fn a_play_that_is_out_of_the_race_says_so() {
    let (outcome, shown) = race();
    let output = ComparisonOutput {
        outcome: &outcome,
        shown: &shown,
        rules: "",
        pilot: None,
    };
    for (i, is_out) in [true, false, false].into_iter().enumerate() {
        let play = serde_json::to_value(output.candidate(i)).unwrap();
        assert_eq!(play["out"], is_out, "{}", PLAYS[i]);
    }
    let rollout = serde_json::to_value(rollout_print::document(&outcome, &shown)).unwrap();
    let plays = rollout["plays"].as_array().unwrap();
    assert_eq!(plays.len(), PLAYS.len());
    for play in plays {
        assert_eq!(play["out"], play["play"] == PLAYS[0]);
    }
}

/// The play that is out stands last, though its own mean is the largest.
#[test]
fn a_play_that_is_out_of_the_race_is_printed_last() {
    let (outcome, shown) = race();
    let order = [PLAYS[2], PLAYS[1], PLAYS[0]];
    let rollout = serde_json::to_value(rollout_print::document(&outcome, &shown)).unwrap();
    let plays = rollout["plays"].as_array().unwrap().iter();
    assert!(plays.map(|play| &play["play"]).eq(order), "{rollout}");
    let state = parse_id(POSITION).unwrap();
    let text = rollout_xg::text(&outcome, &shown.plays, &state, EquityTable::standard()).unwrap();
    let places = order.map(|play| text.find(play));
    assert!(places.is_sorted() && places[0].is_some(), "{text}");
    // By what it shares with the best, not by its own few trials.
    assert!(text.contains("0.091") && !text.contains("0.118"), "{text}");
}
