//! Reports for tests.

use super::Report;
use super::build::build;
use super::context::ReportContext;
use crate::cube::Model;
use crate::eval::Engine;
use crate::match_file::Match;
use crate::review::{AnalysedTurn, Thresholds, analyse_match};

/// A money session in which Ann takes where a beaver is right.
pub(crate) const BEAVERS: &[u8] = b"; [Beaver \"On\"]
 0 point match

 Game 1
 Ann : 0                             Ben : 0
  1) 31: 8/5 6/5                      Doubles => 2
  2)  Takes                           21: 13/11 6/5
";

/// A match reviewed by the embedded nets.
pub(crate) fn reviewed(record: &Match, ply: u8) -> Report {
    let (engine, model) = (Engine::embedded(), Model::standard());
    let analysed = analyse_match(&engine, model, record, ply, &|| false).unwrap();
    report(record, &analysed, ply)
}

/// A match with what was found of its turns.
pub(crate) fn report(record: &Match, analysed: &[AnalysedTurn], ply: u8) -> Report {
    let context = ReportContext {
        engine: "engine",
        model: Model::standard(),
        ply,
        thresholds: Thresholds::default(),
        rollouts: None,
    };
    build(record, analysed, &context)
}
