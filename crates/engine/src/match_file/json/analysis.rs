//! Imported analyses in a JSON document.

use serde::{Deserialize, Serialize};

use crate::game::Position;
use crate::match_file::analysis::{
    Analysis, Chances, CubeUnit, CubeVerdict, MOST_PLAYS, PlayVerdict,
};
use crate::match_file::bounded::first;
use crate::match_file::sgf::evaluation::checked_source;
use crate::match_file::text::clean;
use crate::notation::{WrittenPlay, play_text};

/// An imported analysis in serialised form.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AnalysisForm {
    program: String,
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "first::<MOST_PLAYS, _, _>"
    )]
    plays: Vec<PlayForm>,
    /// The play that was made, if no action of a game contains it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    played: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    luck: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cube: Option<CubeForm>,
    /// The analysis as properties of an SGF node, if it was read from SGF.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sgf: Option<Box<str>>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct PlayForm {
    play: String,
    equity: f64,
    #[serde(default)]
    level: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    chances: Option<[f64; 5]>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct CubeForm {
    #[serde(default)]
    level: String,
    #[serde(default)]
    mwc: bool,
    #[serde(default)]
    no_double: Option<f64>,
    #[serde(default)]
    double_take: Option<f64>,
    #[serde(default)]
    double_pass: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    chances: Option<[f64; 5]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answer_error: Option<f64>,
}

fn five(chances: &Chances) -> [f64; 5] {
    [
        chances.win,
        chances.win_gammon,
        chances.win_backgammon,
        chances.lose_gammon,
        chances.lose_backgammon,
    ]
    .map(rounded)
}

/// Rounds a figure to six decimals.
pub(crate) fn rounded(figure: f64) -> f64 {
    (figure * 1e6).round() / 1e6
}

impl AnalysisForm {
    /// Creates the form of an analysis at `position`, seen by the player to decide.
    pub(crate) fn new(analysis: &Analysis, position: &Position) -> Box<Self> {
        let plays = analysis.plays.iter().map(|verdict| PlayForm {
            play: play_text(position, &verdict.play),
            equity: rounded(verdict.equity),
            level: verdict.level.clone(),
            chances: verdict.chances.as_ref().map(five),
        });
        let cube = analysis.cube.as_ref().map(|cube| CubeForm {
            level: cube.level.clone(),
            mwc: cube.unit == CubeUnit::Mwc,
            no_double: cube.no_double.map(rounded),
            double_take: cube.double_take.map(rounded),
            double_pass: cube.double_pass.map(rounded),
            chances: cube.chances.as_ref().map(five),
            error: cube.error.map(rounded),
            answer_error: cube.answer_error.map(rounded),
        });
        Box::new(Self {
            program: analysis.program.clone(),
            plays: plays.collect(),
            played: None,
            error: analysis.error.map(rounded),
            luck: analysis.luck.map(rounded),
            cube,
            sgf: analysis.sgf.clone(),
        })
    }

    /// Returns whether two analyses have the same figures after rounding for a document. The play that was
    /// made is not compared: the actions of a game contain it.
    pub(crate) fn is_alike(one: &Analysis, other: &Analysis) -> bool {
        let figures = |analysis: &Analysis| {
            let plays = analysis.plays.iter().map(|verdict| {
                let chances = verdict.chances.as_ref().map(five);
                (
                    verdict.play,
                    rounded(verdict.equity),
                    verdict.level.clone(),
                    chances,
                )
            });
            let bare = Analysis {
                plays: Vec::new(),
                sgf: None,
                ..analysis.clone()
            };
            let bare = Self::new(&bare, &Position::opening());
            (plays.collect::<Vec<_>>(), serde_json::to_string(&bare).ok())
        };
        figures(one) == figures(other)
    }

    /// Creates the form for a standalone position, which also contains the play that was made.
    pub(super) fn of_lone(analysis: &Analysis, position: &Position) -> Box<Self> {
        let played = analysis.played.and_then(|at| analysis.plays.get(at));
        Box::new(Self {
            played: played.map(|verdict| play_text(position, &verdict.play)),
            ..*Self::new(analysis, position)
        })
    }

    /// Returns the analysis in a few words.
    pub fn in_short(&self) -> String {
        let mut words = vec![self.program.clone()];
        if let Some(best) = self.plays.first() {
            words.push(format!("{} {:+.3}", best.play, best.equity));
        }
        if let Some(cube) = &self.cube {
            let figures = [
                ("no double", cube.no_double),
                ("take", cube.double_take),
                ("pass", cube.double_pass),
            ];
            for (name, figure) in figures {
                words.extend(figure.map(|figure| format!("{name} {figure:+.3}")));
            }
        }
        words.join(", ")
    }

    /// Returns the analysis, without plays that `find` rejects.
    pub(super) fn read(self, find: impl Fn(&WrittenPlay) -> Option<crate::game::Play>) -> Analysis {
        let chances = |five: Option<[f64; 5]>| five.and_then(Chances::new);
        let find = |play: &str| find(&WrittenPlay::parse(play).ok()?);
        let plays = self.plays.into_iter().take(MOST_PLAYS).filter_map(|form| {
            Some(PlayVerdict {
                play: find(&form.play)?,
                level: clean(&form.level),
                equity: form.equity,
                chances: chances(form.chances),
            })
        });
        let plays: Vec<_> = plays.collect();
        let made = self.played.as_deref().and_then(find);
        Analysis {
            program: clean(&self.program),
            played: plays.iter().position(|verdict| Some(verdict.play) == made),
            plays,
            error: self.error,
            luck: self.luck,
            cube: self.cube.map(|cube| CubeVerdict {
                level: clean(&cube.level),
                unit: if cube.mwc {
                    CubeUnit::Mwc
                } else {
                    CubeUnit::Points
                },
                no_double: cube.no_double,
                double_take: cube.double_take,
                double_pass: cube.double_pass,
                chances: chances(cube.chances),
                error: cube.error,
                answer_error: cube.answer_error,
            }),
            sgf: self.sgf.as_deref().and_then(checked_source),
        }
    }
}
