//! What can be written to a file for others.

use std::path::Path;
use std::sync::Arc;

use crate::cube::Model;
use crate::diagram::{Colours, Diagram, PictureFormat, USUAL_WIDTH};
use crate::eval::Evaluator;
use crate::match_file::Match;
use crate::review::report::build::{ReportContext, build};
use crate::review::report::{html, text};
use crate::review::{AnalysedTurn, MatchTurn, Report, STANDARD_PLY, Thresholds, TurnReview};

/// What may be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exported {
    /// The match that is open, with its variations.
    Match,
    /// The position in view.
    Picture,
    /// The position in view with its analysis.
    Card,
    /// The review of the match that is open.
    Report,
}

/// What is written.
#[derive(Clone, Debug, PartialEq)]
pub enum Written {
    /// A match as SGF.
    Match(String),
    /// A position, as the extension of the file says.
    Picture(Box<(Diagram, Colours)>),
    /// A page of HTML.
    Card(String),
    /// A match with its review, as a page of HTML.
    Report(Box<ReviewedMatch>),
}

/// A match with its standard review.
#[derive(Clone, Debug)]
pub struct ReviewedMatch {
    /// The match.
    pub record: Arc<Match>,
    /// The turns that are reviewed.
    pub turns: Vec<MatchTurn>,
    /// Their reviews, and how much the last ply changed each.
    pub reviews: Vec<(Arc<TurnReview>, f32)>,
    /// What cubeful values were made with.
    pub model: Arc<Model>,
}

impl PartialEq for ReviewedMatch {
    /// The same match with the same verdicts.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.record, &other.record) && self.reviews == other.reviews
    }
}

impl ReviewedMatch {
    /// The page that `luckless review --format html` writes.
    fn page(&self, evaluator: &dyn Evaluator) -> String {
        html::write(&self.report(evaluator), None)
    }

    /// What the match comes to, as `luckless review` has it, in lines; with a sign of each player.
    #[must_use]
    pub fn statistics(&self, evaluator: &dyn Evaluator) -> Vec<String> {
        let text = text::figures(&self.report(evaluator), ["●", "○"]);
        text.lines().map(str::to_owned).collect()
    }

    /// The review; the luck is valued anew.
    fn report(&self, evaluator: &dyn Evaluator) -> Report {
        let turns = self.turns.iter().zip(&self.reviews);
        let analysed: Vec<AnalysedTurn> = turns
            .map(|(turn, (review, shift))| {
                AnalysedTurn::reviewed(evaluator, &self.model, turn, (review, *shift))
            })
            .collect();
        let context = ReportContext {
            engine: evaluator.name(),
            model: &self.model,
            ply: STANDARD_PLY,
            thresholds: Thresholds::default(),
            rollouts: None,
        };
        build(&self.record, &analysed, &context)
    }
}

impl Written {
    /// What the file at `path` will hold.
    ///
    /// # Errors
    /// Why it cannot be written there.
    pub fn bytes(&self, path: &Path, evaluator: &dyn Evaluator) -> Result<Vec<u8>, String> {
        let (diagram, colours) = match self {
            Self::Match(text) | Self::Card(text) => return Ok(text.clone().into_bytes()),
            Self::Report(reviewed) => return Ok(reviewed.page(evaluator).into_bytes()),
            Self::Picture(picture) => &**picture,
        };
        let format = PictureFormat::of(path)
            .ok_or_else(|| format!("a picture ends in .svg or .png: {}", path.display()))?;
        let file = diagram.file(format, colours, USUAL_WIDTH);
        file.map_err(|error| error.to_string())
    }
}
