//! Another program's findings about the match, as its file has them, beside our own figures under the same rules
//! of what counts.

use serde::{Deserialize, Serialize};

use crate::cube::{CubeChoice, Model};
use crate::match_file::{Analysis, CubeUnit, CubeVerdict};
use crate::notation::play_text;
use crate::review::MatchTurn;
use crate::review::cube::{cube_decision_of, roll_counts};
use crate::review::decision_cost::differ;
use crate::review::figures::Rate;
use crate::review::imported_cube::ImportedCube;

/// Another program's figures of one player.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OtherFigures {
    pub program: String,
    /// PR from its figures.
    pub pr: Option<f64>,
    /// Decisions that count for PR, and points given away in them.
    pub pr_counted: Rate,
    /// Points given away.
    pub error_total: f64,
    /// Luck in points, if the file tells any.
    pub luck: Option<f64>,
}

/// Another program's opinion of one decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OtherOpinion {
    pub program: String,
    /// How deep it looked, in its own words.
    pub level: String,
    /// The play it likes best, or the cube figures.
    pub best: Option<String>,
    /// The equity of that play, in points on the present cube (EMG in a match).
    pub equity: Option<f64>,
    /// Points given away by the play, or by the action where there are no dice.
    pub error: Option<f64>,
    /// Points given away by not doubling before the roll.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cube_error: Option<f64>,
    /// The figures of that decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cube_figures: Option<String>,
    /// How deep it looked at that decision, in its own words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cube_level: Option<String>,
    /// Luck of the roll, in the same points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luck: Option<f64>,
}

/// Sums for one player.
#[derive(Clone, Debug, Default)]
pub(super) struct Others {
    figures: OtherFigures,
}

impl Others {
    pub(super) fn add(&mut self, analysis: &Analysis, turn: &MatchTurn, model: &Model) {
        let sums = &mut self.figures;
        sums.program.clone_from(&analysis.program);
        if let Some(luck) = analysis.luck {
            *sums.luck.get_or_insert(0.0) += luck;
        }
        if let Some(error) = analysis.error.filter(|_| turn.played().is_some()) {
            sums.error_total += error;
            if differ(analysis.plays.iter().map(|play| play.equity)) {
                sums.pr_counted.add(error);
            }
        }
        if let Some((error, counts)) = analysis
            .cube
            .as_ref()
            .and_then(|cube| cube_error(cube, turn, model))
        {
            sums.error_total += error;
            if counts {
                sums.pr_counted.add(error);
            }
        }
    }

    pub(super) fn finish(mut self, length: u16) -> Option<OtherFigures> {
        self.figures.pr = self.figures.pr_counted.pr(length);
        (!self.figures.program.is_empty()).then_some(self.figures)
    }
}

/// The points that what was done with the cube gave away, and whether it counts.
fn cube_error(cube: &CubeVerdict, turn: &MatchTurn, model: &Model) -> Option<(f64, bool)> {
    let (state, choice) = cube_decision_of(turn)?;
    let (cube, choice) = (ImportedCube::new(cube, &state, model)?, choice?);
    let error = cube.error(turn.action?)?;
    let gain = cube.doubled() - cube.no_double;
    let counts = choice != CubeChoice::NoDouble || roll_counts(gain, cube.no_double, error);
    Some((error, counts))
}

/// Returns another program's opinion of a decision.
pub(super) fn opinion(analysis: &Analysis, turn: &MatchTurn, model: &Model) -> OtherOpinion {
    let best = analysis.plays.first();
    let verdict = analysis
        .cube
        .as_ref()
        .and_then(|cube| cube_error(cube, turn, model));
    let has_dice = turn.before.state.roll.is_some();
    let level = match (best, &analysis.cube) {
        (Some(play), _) => play.level.clone(),
        (None, Some(cube)) => cube.level.clone(),
        (None, None) => String::new(),
    };
    let play = best.map(|b| play_text(&turn.before.state.position, &b.play));
    let silent = (analysis.cube.as_ref()).filter(|_| has_dice && verdict.is_some());
    OtherOpinion {
        program: analysis.program.clone(),
        level,
        best: play.or_else(|| analysis.cube.as_ref().and_then(figures)),
        equity: best.map(|b| b.equity),
        error: if has_dice {
            analysis.error
        } else {
            verdict.map(|v| v.0)
        },
        cube_error: verdict.map(|v| v.0).filter(|_| has_dice),
        cube_figures: silent.and_then(figures),
        cube_level: silent.map(|cube| cube.level.clone()),
        luck: analysis.luck,
    }
}

/// The figures of a cube decision in words: equities, or chances to win the match.
fn figures(cube: &CubeVerdict) -> Option<String> {
    let figure = |value: f64| match cube.unit {
        CubeUnit::Points => format!("{value:+.3}"),
        CubeUnit::Mwc => format!("{:.2}%", 100.0 * value),
    };
    let told = [
        ("no double", cube.no_double),
        ("double/take", cube.double_take),
        ("double/pass", cube.double_pass),
    ];
    let words: Vec<String> = told
        .iter()
        .filter_map(|(name, value)| Some(format!("{name} {}", figure((*value)?))))
        .collect();
    (!words.is_empty()).then(|| words.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{GameState, Position, Roll};
    use crate::match_file::{Action, PlayVerdict};
    use crate::notation::parse_play;

    /// A play, and before it the decision not to double, each with its own level.
    fn analysed(state: &GameState, roll: Roll) -> Analysis {
        let play = PlayVerdict {
            play: parse_play("8/5 6/5", &state.position, roll).unwrap(),
            level: "4-ply".to_owned(),
            equity: 0.1,
            chances: None,
        };
        let mut analysis = Analysis::of("eXtreme Gammon", vec![play]);
        analysis.cube = Some(CubeVerdict {
            level: "XG Roller+".to_owned(),
            no_double: Some(0.5),
            double_take: Some(0.7),
            double_pass: Some(1.0),
            ..CubeVerdict::default()
        });
        analysis
    }

    #[test]
    fn the_cube_before_a_roll_has_its_own_figures() {
        let roll = Roll::new(3, 1).unwrap();
        let state = GameState {
            roll: Some(roll),
            ..GameState::money(Position::opening())
        };
        let mut turn = MatchTurn::alone(state);
        // Not the first roll of a game.
        turn.before.event = 3;
        turn.action = Some(Action::Hidden { roll });
        let mut analysis = analysed(&state, roll);
        let told = opinion(&analysis, &turn, Model::standard());
        assert_eq!(
            (&*told.level, told.best.as_deref()),
            ("4-ply", Some("8/5 6/5"))
        );
        let figures = "no double +0.500, double/take +0.700, double/pass +1.000";
        assert_eq!(told.cube_figures.as_deref(), Some(figures));
        assert_eq!(told.cube_level.as_deref(), Some("XG Roller+"));
        assert!((told.cube_error.unwrap() - 0.2).abs() < 1e-9);
        // A chance to win the match is no equity.
        analysis.cube.as_mut().unwrap().unit = CubeUnit::Mwc;
        let told = opinion(&analysis, &turn, Model::standard()).cube_figures;
        assert!(told.unwrap().starts_with("no double 50.00%, "));
    }
}
