//! Decisions with an imported analysis of every play, and the loss of choices on them.

use anyhow::{Context as _, Result};
use serde::Deserialize;

use crate::cube::{Cube, Model, ScoreLook};
use crate::eval::{CandidateFilter, Evaluator, lookahead};
use crate::game::{GameState, MatchScore, Position, Roll};
use crate::notation::gnubg_id::parse_position;
use crate::rollout::cpu_seconds;
use crate::stats::Moments;

/// A decision with imported equities of its plays.
#[derive(Clone, Debug, PartialEq)]
pub struct AnalysedDecision {
    /// The state, with the roll to be played.
    pub state: GameState,
    /// Whether the equities include cube and score.
    pub cubeful: bool,
    /// For each play the resulting position, seen by the opponent, and the equity in points for the player who makes
    /// it.
    pub plays: Vec<(Position, f64)>,
}

#[derive(Deserialize)]
struct Line {
    position: String,
    dice: String,
    plays: Vec<Play>,
}

#[derive(Deserialize)]
struct Play {
    result: String,
    equity: f64,
}

impl AnalysedDecision {
    fn asked(&self) -> Option<(Position, Roll)> {
        Some((self.state.position, self.state.roll?))
    }

    fn parse(line: &str) -> Result<Self> {
        let line: Line = serde_json::from_str(line)?;
        let play = |play: &Play| Ok((parse_position(&play.result)?, play.equity));
        let position = parse_position(&line.position)?;
        Ok(Self {
            state: GameState {
                roll: Some(line.dice.parse()?),
                ..GameState::money(position)
            },
            cubeful: false,
            plays: line.plays.iter().map(play).collect::<Result<_>>()?,
        })
    }

    /// Returns the position after the best play of the imported analysis.
    pub fn best(&self) -> Option<Position> {
        let best = self.plays.iter().max_by(|a, b| a.1.total_cmp(&b.1));
        best.map(|(result, _)| *result)
    }

    /// Returns the loss of the choice `result` in points; the loss of the worst play if it has no imported equity.
    pub fn loss(&self, result: &Position) -> f64 {
        let equities = self.plays.iter().map(|(_, equity)| *equity);
        let best = equities.clone().fold(f64::NEG_INFINITY, f64::max);
        let worst = equities.fold(f64::INFINITY, f64::min);
        let judged = self.plays.iter().find(|(of, _)| of == result);
        best - judged.map_or(worst, |(_, equity)| *equity)
    }
}

/// Reads the decisions of a JSON lines file.
///
/// # Errors
/// The line that is not a decision, and the reason.
pub fn read(text: &str) -> Result<Vec<AnalysedDecision>> {
    let decision = |(i, line)| {
        AnalysedDecision::parse(line).with_context(|| format!("line {}: no decision", i + 1))
    };
    text.lines().enumerate().map(decision).collect()
}

/// Loss and cost of a filter.
#[derive(Clone, Copy, Debug, Default)]
pub struct FilterRecord {
    /// Loss per decision in points.
    pub loss: Moments,
    /// Number of plays searched at full depth.
    pub looked: Moments,
}

/// Chooses at `ply` plies behind `filter` in all decisions.
pub fn choose_all(
    evaluator: &dyn Evaluator,
    decisions: &[AnalysedDecision],
    ply: u8,
    filter: CandidateFilter,
) -> FilterRecord {
    let mut record = FilterRecord::default();
    for d in decisions {
        let never = || false;
        let Some((position, roll)) = d.asked() else {
            continue;
        };
        let all = lookahead::candidates(evaluator, &position, roll, ply, filter, &never);
        let all = all.unwrap_or_default();
        let Some(best) = all.first() else { continue };
        record.loss.push(d.loss(&best.result));
        let looked = all.iter().filter(|c| c.ply == ply).count();
        record.looked.push(looked as f64);
    }
    record
}

/// Loss of a rollout's choices at a score against full lookahead, which searches every reply.
#[derive(Clone, Copy, Debug, Default)]
pub struct ScoreChoices {
    /// Loss per decision in points of the present cube, by full lookahead.
    pub loss: Moments,
    /// Loss per decision in points, by the imported analyses, which are for money play.
    pub judged: Moments,
    /// Number of decisions with another choice.
    pub others: u32,
    /// CPU seconds of the choices and of full lookahead.
    pub seconds: [f64; 2],
}

/// Chooses at one ply behind `filter`, as a rollout does, with a centred cube, when the player on roll and the
/// opponent need `away` points.
pub fn choose_at_score(
    evaluator: &dyn Evaluator,
    decisions: &[AnalysedDecision],
    away: [u16; 2],
    filter: CandidateFilter,
) -> ScoreChoices {
    let model = Model::standard();
    let length = away[0].max(away[1]);
    let score = MatchScore {
        length,
        mover: length - away[0],
        opponent: length - away[1],
        crawford: false,
    };
    let at = |position| GameState {
        score,
        ..GameState::money(position)
    };
    let never = || false;
    let contexts = model.contexts(&at(Position::opening()));
    let mut look = ScoreLook::new(evaluator, model, contexts, &never);
    let mut choices = ScoreChoices::default();
    for d in decisions {
        let wide = CandidateFilter {
            most: 16,
            within: 0.32,
        };
        let Some((position, roll)) = d.asked() else {
            continue;
        };
        let began = cpu_seconds();
        let state = at(position);
        let full = model.candidates(evaluator, &state, roll, 1, wide, &never);
        let middle = cpu_seconds();
        let chosen = look.choose(0, position, Cube::CENTRED, roll, (1, filter), false);
        let seconds = [cpu_seconds() - middle, middle - began];
        let (Some(full), Some((result, _))) = (full, chosen) else {
            continue;
        };
        let found = full.iter().find(|c| c.candidate.result == result);
        let loss = found.map_or(0.0, |c| full[0].cubeful - c.cubeful);
        choices.loss.push(f64::from(loss.max(0.0)));
        choices.judged.push(d.loss(&result));
        choices.others += u32::from(full[0].candidate.result != result);
        for (sum, seconds) in choices.seconds.iter_mut().zip(seconds) {
            *sum += seconds;
        }
    }
    choices
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Engine;

    /// The opening roll of 3-1: making the 5 point, and as a worse result the position unmoved.
    const LINES: &str = concat!(
        r#"{"position":"4HPwATDgc/ABMA","dice":"31","plays":["#,
        r#"{"result":"4HPwATDgc/ABMA","equity":-0.3},{"result":"sGfwATDgc/ABMA","equity":0.16}]}"#,
    );

    #[test]
    fn a_choice_loses_what_it_was_judged_behind() {
        let all = read(LINES).unwrap();
        assert_eq!(all.len(), 1);
        let refused = read(&format!("{LINES}\nnothing")).unwrap_err();
        assert_eq!(refused.to_string(), "line 2: no decision");
        let best = all[0].plays[1].0;
        assert_eq!(all[0].loss(&best), 0.0);
        assert!((all[0].loss(&all[0].plays[0].0) - 0.46).abs() < 1e-9);
        let filter = CandidateFilter::default();
        let record = choose_all(&Engine::embedded(), &all, 1, filter);
        assert_eq!(record.loss.mean(), 0.0);
        assert!(record.looked.mean() >= 1.0);
    }

    /// Making the 5 point is best at every score.
    #[test]
    fn choices_at_a_score_are_held_against_a_full_look() {
        let filter = CandidateFilter::default();
        for away in [[7, 7], [1, 1], [2, 5]] {
            let choices = choose_at_score(&Engine::embedded(), &read(LINES).unwrap(), away, filter);
            assert_eq!((choices.loss.count(), choices.others), (1, 0), "{away:?}");
        }
    }
}
