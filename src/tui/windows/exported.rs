//! What can be written to a file for others.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use tui_input::Input;

use crate::cube::Model;
use crate::diagram::{Colours, Diagram, PictureFormat, USUAL_WIDTH};
use crate::eval::Evaluator;
use crate::game::GameState;
use crate::match_file::write::Target;
use crate::match_file::{self, EventPlace, LonePosition, Match, Variations};
use crate::review::match_review::TurnRollouts;
use crate::review::report::build::build;
use crate::review::report::context::ReportContext;
use crate::review::report::{html, side_by_side, text};
use crate::review::{AnalysedTurn, Class, Figures, MatchTurn, Report, StandardReview, Thresholds};
use crate::store::{Notes, anki_package, clock};
use crate::study::anki::{self, AnkiKind, AnkiNote};
use crate::study::{Question, StudyDecision};
use crate::tui::text::wrap;

/// What may be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exported {
    /// The match that is open, with its variations and notes.
    Match,
    /// The position in view.
    Picture,
    /// The position in view with its analysis.
    Card,
    /// The review of the match that is open.
    Report,
    /// The position in view, into a list of positions.
    List,
    /// The errors of the match that is open, or the positions of a list, as cards for Anki.
    Anki,
}

impl Exported {
    /// Whether this is about the position in view, not the match.
    pub const fn is_of_position(self) -> bool {
        matches!(self, Self::Picture | Self::Card | Self::List)
    }
}

/// Something that is being written to a file.
#[derive(Clone, Debug)]
pub struct PendingExport {
    /// The number of the request.
    pub number: u64,
    /// What is written.
    pub what: Exported,
    /// The name of the file as it was typed.
    pub input: Input,
    /// What was in view.
    pub state: Option<GameState>,
    /// Whether another document has come into view since: then its name is not asked again.
    pub is_of_earlier: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Written {
    /// A match, in the format that the extension of the file says.
    Match(RecordToWrite),
    /// A position, as the extension of the file says.
    Picture(Box<(Diagram, Colours)>),
    /// A page of HTML.
    Card(String),
    /// A match with its review, as a page of HTML.
    Report(Box<ReviewedMatch>),
    /// A position that is added to a list.
    Listed(Box<ListedPosition>),
    /// A package for Anki.
    Anki(Box<CardsToWrite>),
}

/// Decisions that become cards for Anki.
#[derive(Clone, Debug)]
pub struct CardsToWrite {
    pub decisions: Vec<StudyDecision>,
    /// What they are valued with at a score.
    pub model: Arc<Model>,
    /// Plies of their analysis.
    pub ply: u8,
}

impl PartialEq for CardsToWrite {
    /// Whether both have the same decisions to the same depth.
    fn eq(&self, other: &Self) -> bool {
        self.decisions == other.decisions && self.ply == other.ply
    }
}

impl CardsToWrite {
    /// The package, with each decision once, the largest cost first.
    fn package(&self, evaluator: &dyn Evaluator) -> Result<Vec<u8>, String> {
        let notes = self.notes(evaluator);
        let package = anki_package::package(AnkiKind::Luckless, &notes, clock::seconds());
        package.map_err(|error| error.to_string())
    }

    /// The notes of the package, in its order. All figures of one are of the same analysis; each is made on one of the
    /// threads of the pool in force, and they are the same on any number of them.
    fn notes(&self, evaluator: &dyn Evaluator) -> Vec<AnkiNote> {
        let mut known = HashSet::new();
        let once = self.decisions.iter().filter(|one| known.insert(one.key()));
        let once: Vec<&StudyDecision> = once.collect();
        let note = |one: &&StudyDecision| {
            let asked = Question::exported(evaluator, &self.model, one, self.ply)?;
            let cost = asked.cost_of_made(one);
            let one = StudyDecision {
                cost,
                ..(*one).clone()
            };
            Some((cost, anki::note(AnkiKind::Luckless, &one, &asked)))
        };
        let mut all: Vec<(f32, AnkiNote)> = once.par_iter().filter_map(note).collect();
        // Of equal costs the one that comes first in the list stays first.
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        all.into_iter().map(|(_, note)| note).collect()
    }
}

/// A position that is added to a list.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedPosition {
    pub state: GameState,
    /// The user's note about it.
    pub note: Option<Box<str>>,
}

/// A match that is to be written, with its variations, and its notes as comments.
#[derive(Clone, Debug)]
pub struct RecordToWrite(pub Arc<Match>);

impl PartialEq for RecordToWrite {
    /// Whether both are the same record.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenFile {
    pub path: PathBuf,
    /// What its format does not hold of it: a line each.
    pub left_out: Vec<String>,
}

/// What a file is to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileContent {
    /// All bytes of the file.
    pub bytes: Vec<u8>,
    /// What its format does not hold: a line each.
    pub left_out: Vec<String>,
}

impl From<Vec<u8>> for FileContent {
    fn from(bytes: Vec<u8>) -> Self {
        let left_out = Vec::new();
        Self { bytes, left_out }
    }
}

impl RecordToWrite {
    /// The match in the format that `path` names.
    fn content(&self, path: &Path) -> Result<FileContent, String> {
        let extension = path.extension().and_then(|extension| extension.to_str());
        let target = extension.and_then(Target::of_extension).ok_or_else(|| {
            let path = path.display();
            format!("a match ends in {}: {path}", Target::EXTENSIONS)
        })?;
        let is_varied = |position: &LonePosition| position.variations.is_some();
        if !target.holds_variations() && self.0.positions.iter().any(is_varied) {
            let path = path.display();
            return Err(format!(
                "variations of a position need .sgf or .json: {path}"
            ));
        }
        let text = target.write(&self.0);
        let left_out = target
            .losses(&self.0, &text)
            .map_err(|why| format!("not written, as it could not be read again: {why}"))?;
        let bytes = text.into_bytes();
        Ok(FileContent { bytes, left_out })
    }
}

/// Remark on where else the rollouts of a match count.
const ROLLED_HERE: &str = "counted here and in the page of the review, not in the library; luckless review and luckless matches \
                           count those of --budget, --rollouts and --rollout-errors";

/// A match with its standard review.
#[derive(Clone, Debug)]
pub struct ReviewedMatch {
    pub record: Arc<Match>,
    /// The turns that are reviewed.
    pub turns: Vec<MatchTurn>,
    /// Their reviews, with the figures of the rollouts that count, and how much the last ply changed each.
    pub reviews: Vec<StandardReview>,
    /// Plies that they go deep where close.
    pub ply: u8,
    /// How sure those rollouts are.
    pub rolled: Vec<Option<TurnRollouts>>,
    /// What the user has written beside its moves.
    pub notes: Notes,
    /// What might have been done instead.
    pub variations: BTreeMap<EventPlace, Variations>,
    /// What cubeful values were made with.
    pub model: Arc<Model>,
    /// The lines between the marks.
    pub thresholds: Thresholds,
    /// Columns that its figures may have on the screen.
    pub columns: usize,
}

/// What a match comes to for both players.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MatchStatistics {
    /// In lines of the window; none while it is worked out.
    pub lines: Vec<String>,
    /// Figures of left and right that have bars, by the label of their line; those of one scale follow each other.
    pub bars: Vec<PairedBars>,
    /// PR of left and right game by game.
    pub games: Vec<[Option<f64>; 2]>,
    /// As `luckless review` prints it.
    pub text: String,
}

/// A figure of both players as bars, each a share of the largest figure of its scale.
#[derive(Clone, Debug, PartialEq)]
pub struct PairedBars {
    /// How the line begins.
    pub label: &'static str,
    /// Of left and right.
    pub shares: [f64; 2],
}

/// The bars of a report: ratings on one scale, then what was lost.
fn paired_bars(report: &Report) -> Vec<PairedBars> {
    let pr = |class: Option<Class>| {
        report.players.each_ref().map(|player| {
            let figures = &player.figures;
            let rate = class.map(|class| figures.pr_counted_of(class).pr(report.length));
            rate.unwrap_or(figures.pr).unwrap_or(0.0)
        })
    };
    let of = |figure: fn(&Figures) -> f64| report.players.each_ref().map(|p| figure(&p.figures));
    let scales: [&[(&'static str, [f64; 2])]; 3] = [
        &[
            ("PR", pr(None)),
            ("checker play", pr(Some(Class::Checker))),
            ("doubling ", pr(Some(Class::Double))),
            ("taking ", pr(Some(Class::Take))),
        ],
        &[("error total", of(|figures| figures.error_total))],
        &[("MWC lost", of(|figures| figures.error_unnormalised))],
    ];
    let scaled = scales.into_iter().flat_map(|scale| {
        let all = scale.iter().flat_map(|(_, both)| *both);
        let most = all.fold(f64::MIN_POSITIVE, f64::max);
        (scale.iter()).map(move |(label, both)| PairedBars {
            label,
            shares: both.map(|figure| figure / most),
        })
    });
    scaled.collect()
}

impl PartialEq for ReviewedMatch {
    /// Whether both have the same match with the same verdicts.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.record, &other.record)
            && self.reviews == other.reviews
            && self.rolled == other.rolled
            && self.notes == other.notes
            && self.thresholds == other.thresholds
    }
}

impl ReviewedMatch {
    /// The page that `luckless review --format html` writes, with these lines between the marks.
    fn page(&self, evaluator: &dyn Evaluator) -> String {
        html::write(&self.report(evaluator), None)
    }

    /// Statistics of the match, as `luckless review` has them; in the lines each player has a sign.
    pub fn statistics(&self, evaluator: &dyn Evaluator) -> MatchStatistics {
        let (report, remark) = (self.report(evaluator), wrap(ROLLED_HERE, self.columns, 5));
        let signs = ["●", "○"];
        let shown = side_by_side::figures(&report, signs, self.columns, &remark.join("\n"));
        MatchStatistics {
            lines: shown.lines().map(str::to_owned).collect(),
            bars: paired_bars(&report),
            games: (report.games.iter())
                .map(|game| game.players.each_ref().map(|figures| figures.pr))
                .collect(),
            text: text::figures(&report),
        }
    }

    /// The review with what the user has kept beside it; the luck is valued anew.
    fn report(&self, evaluator: &dyn Evaluator) -> Report {
        let turns = self.turns.iter().zip(&self.reviews).zip(&self.rolled);
        let analysed: Vec<AnalysedTurn> = turns
            .map(|((turn, standard), rolled)| AnalysedTurn {
                rolled: rolled.clone(),
                ..standard.with_luck(evaluator, &self.model, turn)
            })
            .collect();
        let context = ReportContext {
            engine: evaluator.name(),
            model: &self.model,
            ply: self.ply,
            thresholds: self.thresholds,
            rollouts: None,
        };
        let mut report = build(&self.record, &analysed, &context);
        report.annotate(&self.turns, &self.notes, &self.variations);
        report
    }
}

/// The bytes of a list of positions with one more, from those that are there.
///
/// # Errors
/// Why it cannot be added: what is there is no list of positions, or has it already.
pub fn with_position(
    there: &[u8],
    path: &Path,
    position: &ListedPosition,
) -> Result<Vec<u8>, String> {
    let mut bytes = there.to_vec();
    let name = path.display().to_string();
    if !there.trim_ascii().is_empty() {
        if std::str::from_utf8(there).is_err() {
            // What is added to it is.
            return Err(format!("the list is not UTF-8, save it so first: {name}"));
        }
        let list = match_file::read_bytes(there, &name).map_err(|error| error.to_string())?;
        if list.format != match_file::POSITIONS || list.played().next().is_some() {
            return Err(format!("no list of positions: {name}"));
        }
        if list.positions.iter().any(|one| one.state == position.state) {
            return Err(format!("the position is in the list already: {name}"));
        }
        if !there.ends_with(b"\n") {
            bytes.push(b'\n');
        }
    }
    let mut line = LonePosition::new(position.state, 0);
    line.comment.clone_from(&position.note);
    bytes.extend(match_file::list_line(&line).into_bytes());
    Ok(bytes)
}

impl Written {
    /// Whether decisions have to be analysed for it.
    pub fn is_analysed(&self) -> bool {
        matches!(self, Self::Anki(_))
    }

    /// What the file at `path` will hold.
    ///
    /// # Errors
    /// Why it cannot be written there.
    pub fn content(&self, path: &Path, evaluator: &dyn Evaluator) -> Result<FileContent, String> {
        let (diagram, colours) = match self {
            Self::Match(record) => return record.content(path),
            Self::Card(text) => return Ok(text.clone().into_bytes().into()),
            Self::Anki(cards) => return cards.package(evaluator).map(Into::into),
            Self::Report(reviewed) => return Ok(reviewed.page(evaluator).into_bytes().into()),
            Self::Listed(position) => return with_position(&[], path, position).map(Into::into),
            Self::Picture(picture) => &**picture,
        };
        let format = PictureFormat::of(path)
            .ok_or_else(|| format!("a picture ends in .svg or .png: {}", path.display()))?;
        let file = diagram.file(format, colours, USUAL_WIDTH);
        file.map(FileContent::from)
            .map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Engine;
    use crate::game::Roll;
    use crate::study::list;

    /// Cards are made on many threads: their order, and all that is on them, is that of one.
    #[test]
    fn cards_are_the_same_on_any_number_of_threads() {
        let line = |roll| format!("XGID=-b----E-C---eE---c-e----B-:0:0:1:{roll}:0:0:0:0:10\n");
        let text: String = Roll::ALL.into_iter().map(line).collect();
        let record = match_file::read_bytes(text.as_bytes(), "list.txt").unwrap();
        let mut decisions = list::decisions(&record, "list.txt");
        assert_eq!(decisions.len(), Roll::ALL.len());
        let ids: Vec<String> = decisions.iter().map(StudyDecision::key).collect();
        // What comes twice is one card.
        decisions.extend_from_within(3..5);
        let cards = CardsToWrite {
            decisions,
            model: Arc::default(),
            ply: 0,
        };
        let engine = Engine::embedded();
        let notes = [1, 2, 5].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            pool.build().unwrap().install(|| cards.notes(&engine))
        });
        assert!(notes.iter().all(|all| *all == notes[0]));
        let in_order: Vec<&str> = notes[0].iter().map(|note| &*note.fields[0]).collect();
        assert_eq!(in_order, ids);
    }
}
