//! The result of a verification as a document and as text.

use std::fmt::Write as _;

use serde::Serialize;

use crate::cli::common::output;
use crate::game::{Play, Player};
use crate::grid::{Grid, cut};
use crate::match_file::Match;
use crate::notation::{play_text, xgid_text};
use crate::review::AnalysedTurn;
use crate::review::report::signed;
use crate::review::verification::{Counts, Rolled, Verdict, Verified};
use crate::words::counted;

#[derive(Serialize)]
pub(super) struct VerifyDocument {
    pub(super) file: String,
    pub(super) program: String,
    pub(super) players: Vec<PlayerCounts>,
    pub(super) opinions: Vec<OpinionDocument>,
    /// Imported verdicts not rolled out.
    pub(super) left: usize,
    pub(super) seconds: f64,
}

#[derive(Serialize)]
pub(super) struct PlayerCounts {
    pub(super) name: String,
    #[serde(flatten)]
    pub(super) counts: Counts,
}

#[derive(Serialize)]
pub(super) struct OpinionDocument {
    pub(super) game: usize,
    pub(super) number: u32,
    pub(super) player: String,
    pub(super) position: String,
    pub(super) dice: Option<String>,
    pub(super) level: String,
    pub(super) better: String,
    pub(super) other: String,
    /// `better` and `other` in players' words.
    #[serde(skip)]
    pub(super) words: [String; 2],
    pub(super) claimed: Option<f64>,
    pub(super) lookahead: f64,
    pub(super) ply: u8,
    pub(super) error: bool,
    pub(super) expected_loss: f64,
    pub(super) rollout: Option<Rolled>,
    pub(super) verdict: Verdict,
}

impl OpinionDocument {
    pub(super) fn new(one: &Verified, record: &Match, analysed: &[AnalysedTurn]) -> Self {
        let claim = &one.claim;
        let turn = &analysed[claim.turn].turn;
        let name = |play: &Play| play_text(&claim.state.position, play);
        let [better, other] = claim.choices(&name);
        Self {
            game: turn.game + 1,
            number: turn.number,
            player: name_of(record, claim.player),
            position: xgid_text(&claim.state),
            dice: claim.state.roll.map(|r| r.to_string()),
            level: claim.level.clone(),
            better,
            other,
            words: claim.words(&name),
            claimed: claim.claimed,
            lookahead: claim.looked_ahead,
            ply: claim.ply,
            error: claim.is_error,
            expected_loss: claim.expected_loss,
            rollout: one.rolled,
            verdict: one.verdict,
        }
    }

    /// A row of the list.
    pub(super) fn cells(&self) -> Vec<String> {
        let [better, other] = &self.words;
        let decision = match &self.dice {
            Some(dice) => format!("{dice}: {better} over {other}"),
            None => format!("{better} over {other}"),
        };
        let rolled = self
            .rollout
            .map_or_else(String::new, |r| match r.decisive_half() {
                half if half.is_finite() => difference_text(r.difference, half),
                _ => signed(r.difference, 3),
            });
        vec![
            decision,
            format!("{}.{}", self.game, self.number),
            short(&self.player),
            if self.error { "error" } else { "" }.to_owned(),
            self.claimed
                .map_or_else(|| "–".to_owned(), |c| signed(c, 3)),
            signed(self.lookahead, 3),
            rolled,
            self.rollout
                .map_or_else(String::new, |r| r.trials.to_string()),
            self.verdict.name().to_owned(),
        ]
    }
}

/// Formats a difference and half of its interval, with enough decimals to show whether the interval contains 0.
pub(super) fn difference_text(difference: f64, half: f64) -> String {
    let thousandths = |x: f64| (1000.0 * x.abs()).round();
    match thousandths(difference) == thousandths(half) {
        true => format!("{} ±{half:.4}", signed(difference, 4)),
        false => format!("{} ±{half:.3}", signed(difference, 3)),
    }
}

/// Cuts a name to the width of a column.
fn short(name: &str) -> String {
    const ROOM: usize = 8;
    cut(name, ROOM)
}

pub(super) fn name_of(record: &Match, player: Player) -> String {
    output::printable(&record.players[player.index()])
}

impl VerifyDocument {
    pub(super) fn of(&self, verdict: Verdict) -> impl Iterator<Item = &OpinionDocument> {
        self.opinions
            .iter()
            .filter(move |one| one.verdict == verdict)
    }

    pub(super) fn file_name(&self) -> &str {
        let end = self.file.rsplit(['/', '\\']).next();
        end.unwrap_or(&self.file)
    }

    /// The text columns of the table of disagreements.
    pub(super) const WORDS: [&str; 5] = ["decision", "player", "played", "in file", "verdict"];

    /// The table of disagreements.
    pub(super) fn table(&self) -> Grid {
        let mut table = Grid::new(&[
            "decision",
            "move",
            "player",
            "played",
            "in file",
            "lookahead",
            "rolled out",
            "trials",
            "verdict",
        ])
        .with_words(&VerifyDocument::WORDS);
        let disputed = self.opinions.iter();
        let disputed = disputed.filter(|one| one.verdict != Verdict::Agreed);
        disputed.for_each(|one| table.row(one.cells()));
        table
    }
}

const EXPLAINED: &str = "Figures: the first choice less the second, in points; ± half of an interval that holds at all \
                         times, 95 % each";

/// Formats the disagreements, then the errors of each player.
pub(super) fn text(document: &VerifyDocument) -> String {
    let s = |count: usize| if count == 1 { "" } else { "s" };
    let are = |count: usize| if count == 1 { "is" } else { "are" };
    let opinions = document.opinions.len();
    let mut text = format!(
        "{}: {} of {}\n\n",
        document.file,
        counted(opinions, "opinion"),
        document.program
    );
    let _ = write!(text, "{}", document.table());
    let count = document.of(Verdict::Agreed).count();
    let _ = writeln!(text, "\n{EXPLAINED}\n");
    let _ = writeln!(text, "agreed by lookahead, not rolled out: {count}");
    if document.left > 0 {
        let _ = writeln!(text, "not rolled out, or not to the end: {}", document.left);
    }
    for player in &document.players {
        let counts = player.counts;
        let _ = writeln!(
            text,
            "{}: {} error{} by the file, {} refuted, {} open; of {} opinion{} {} {} overturned, {} {} open",
            player.name,
            counts.errors,
            s(counts.errors),
            counts.none,
            counts.open,
            counts.opinions,
            s(counts.opinions),
            counts.overturned,
            are(counts.overturned),
            counts.opinions_open,
            are(counts.opinions_open)
        );
    }
    text
}
