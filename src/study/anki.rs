//! A decision as a note of Anki: the board and the choices in front, what each is worth behind.
//!
//! The note has the fields that players know from AnkiGammon: `XGID`, `Front`, `Back`, `AnalysisData`. Its
//! GUID comes from the XGID alone, so a decision that is exported again is the same note, and its history
//! stays. Note type, decks and fields are fixed for the same reason.

use std::fmt::Write as _;

use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::StudyDecision;
use super::question::{AS_GOOD, Choice, KNOWN_WITHIN, Question, StudyAction, question_text};
use crate::cube::cube_words;
use crate::diagram::{Colours, Diagram};
use crate::game::{CubeOwner, GameState};
use crate::notation::xgid_text;
use crate::sanitize::escape_markup as escape;

/// Whose note type, decks and GUIDs a package has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AnkiKind {
    /// Our own.
    #[default]
    Luckless,
    /// The note type, decks and GUIDs of AnkiGammon: a card that it has made of the same XGID is brought up
    /// to date, and keeps its history.
    AnkiGammon,
}

impl AnkiKind {
    /// Name of the note type, and of the deck above the others.
    pub fn name(self) -> &'static str {
        match self {
            Self::Luckless => "Luckless",
            Self::AnkiGammon => "AnkiGammon",
        }
    }

    /// The deck of plays, and that of cube decisions.
    pub fn decks(self) -> [String; 2] {
        let plays = match self {
            Self::Luckless => "Checker play",
            Self::AnkiGammon => "Checker Play",
        };
        [plays, "Cube Decisions"].map(|deck| match self {
            Self::Luckless if deck != plays => format!("{}::Cube decisions", self.name()),
            _ => format!("{}::{deck}", self.name()),
        })
    }

    /// A number of a name that does not change, in the range that Anki's numbers of types and decks have.
    pub fn fixed_id(self, name: &str) -> i64 {
        let digest = Sha256::digest(name);
        let number = u32::from_be_bytes([digest[0], digest[1], digest[2], digest[3]]);
        const FROM: u32 = 1 << 30;
        i64::from(match self {
            Self::Luckless => FROM | (number >> 2),
            Self::AnkiGammon => FROM + number % FROM,
        })
    }

    /// The GUID by which Anki knows a decision again.
    pub fn guid(self, xgid: &str) -> String {
        match self {
            Self::Luckless => guid(xgid),
            Self::AnkiGammon => base_91(xgid),
        }
    }
}

/// The first eight bytes of a digest, to the base of 91, as Anki and the library behind AnkiGammon write GUIDs.
fn base_91(text: &str) -> String {
    const DIGITS: &[u8; 91] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789\
        !#$%&()*+,-./:;<=>?@[]^_`{|}~";
    let digest = Sha256::digest(text);
    let bytes = digest.iter().take(8);
    let mut number = bytes.fold(0u64, |number, byte| number << 8 | u64::from(*byte));
    let mut digits = Vec::new();
    while number > 0 {
        digits.push(char::from(DIGITS[(number % 91) as usize]));
        number /= 91;
    }
    digits.iter().rev().collect()
}

/// The fields of a note, in order.
pub const FIELDS: [&str; 4] = ["XGID", "Front", "Back", "AnalysisData"];
/// The style sheet of the cards.
pub const STYLE: &str = "\
.card { font-family: sans-serif; font-size: 17px; text-align: center; }
.board { width: 100%; max-width: 560px; height: auto; }
table { margin: 8px auto; border-collapse: collapse; }
td, th { padding: 2px 10px; text-align: left; }
td.figure { text-align: right; font-variant-numeric: tabular-nums; }
ol { display: inline-block; text-align: left; }
.best { font-weight: bold; }
.close { background: #fff3c4; color: #222; }
.wrong { background: #f7c6c5; color: #222; }
";

/// A decision as a note.
#[derive(Clone, Debug, PartialEq)]
pub struct AnkiNote {
    /// The GUID by which Anki knows it again.
    pub guid: String,
    /// In the order of [`FIELDS`].
    pub fields: [String; 4],
    /// Words to find it by.
    pub tags: Vec<String>,
    /// Place of its deck in [`AnkiKind::decks`].
    pub deck: usize,
}

/// Content of the last field.
#[derive(Serialize)]
struct AnalysisData<'a> {
    version: u32,
    xgid: &'a str,
    kind: &'a str,
    ply: u8,
    made: &'a str,
    source: &'a str,
    choices: Vec<ChoiceData<'a>>,
}

#[derive(Serialize)]
struct ChoiceData<'a> {
    text: &'a str,
    equity: f32,
    cost: f32,
}

/// A decision as a note; `question` must be its own.
pub fn note(kind: AnkiKind, decision: &StudyDecision, question: &Question) -> AnkiNote {
    let xgid = xgid_text(&decision.state);
    let is_play = decision.state.roll.is_some();
    let ranked = question.ranked();
    let data = AnalysisData {
        version: 1,
        xgid: &xgid,
        kind: if is_play { "checker" } else { "cube" },
        ply: question.ply,
        made: &decision.made,
        source: &decision.source,
        choices: ranked.iter().map(|choice| data(choice)).collect(),
    };
    AnkiNote {
        guid: kind.guid(&xgid),
        // Text and numbers cannot fail to be written.
        fields: [
            xgid.clone(),
            front(decision, question),
            back(decision, question, &ranked),
            match kind {
                AnkiKind::Luckless => escape(&serde_json::to_string(&data).unwrap_or_default()),
                // Its own has another form: better none than one that it cannot read.
                AnkiKind::AnkiGammon => String::new(),
            },
        ],
        tags: tags(&decision.state),
        deck: usize::from(!is_play),
    }
}

fn data(choice: &Choice) -> ChoiceData<'_> {
    ChoiceData {
        text: &choice.text,
        equity: choice.equity,
        cost: choice.cost,
    }
}

/// A GUID from the decision alone.
fn guid(xgid: &str) -> String {
    let digest = Sha256::digest(format!("luckless {xgid}"));
    digest
        .iter()
        .take(8)
        .fold(String::from("lk"), |mut all, byte| {
            let _ = write!(all, "{byte:02x}");
            all
        })
}

fn tags(state: &GameState) -> Vec<String> {
    let kind = match (state.roll, state.doubled) {
        (Some(_), _) => "checker_play",
        (None, true) => "take_or_pass",
        (None, false) => "double_or_not",
    };
    let length = match state.score.length {
        0 => "unlimited_game".to_owned(),
        n => format!("match_{n}pt"),
    };
    let position = crate::review::PositionType::of(&state.position);
    let position = position.name().replace([' ', '-'], "_");
    ["luckless", "backgammon", kind, &length, &position]
        .map(str::to_owned)
        .to_vec()
}

/// Score and cube, as the player who decides sees them.
pub(super) fn head(state: &GameState) -> String {
    let score = match state.score.away() {
        None => format!("money play, {}", state.rules.of_money()),
        Some((own, other)) => {
            let crawford = if state.score.crawford {
                ", Crawford game"
            } else {
                ""
            };
            format!("you need {own}, they need {other}{crawford}")
        }
    };
    let cube = match (state.cube, state.owner) {
        (1, CubeOwner::Centred) => "cube centred".to_owned(),
        (n, CubeOwner::Centred) => format!("cube {n}, centred"),
        (n, CubeOwner::Mover) => format!("cube {n}, yours"),
        (n, CubeOwner::Opponent) => format!("cube {n}, theirs"),
    };
    format!("{score}; {cube}")
}

fn board(diagram: &Diagram) -> String {
    diagram.svg(&Colours::default()).replace('\n', "")
}

fn front(decision: &StudyDecision, question: &Question) -> String {
    let state = &decision.state;
    let mut out = board(&Diagram::new(*state));
    let _ = write!(
        out,
        "<div>{}</div><div><b>{}</b></div><ol>",
        head(state),
        question_text(state)
    );
    for choice in &question.choices {
        let _ = write!(out, "<li>{}</li>", escape(question.words(choice)));
    }
    out.push_str("</ol>");
    out
}

fn back(decision: &StudyDecision, question: &Question, ranked: &[&Choice]) -> String {
    let best = ranked.first().map(|choice| choice.action);
    let play = match best {
        Some(StudyAction::Play(play)) => Some(play),
        _ => None,
    };
    let mut out = board(&Diagram {
        play,
        ..Diagram::new(decision.state)
    });
    let _ = write!(
        out,
        "<div>{}</div><div><b>{}</b></div>",
        head(&decision.state),
        question_text(&decision.state)
    );
    out + &answer(decision, question, ranked)
}

/// The answer as HTML: what each choice is worth, what was played where, and the note.
pub(super) fn answer(decision: &StudyDecision, question: &Question, ranked: &[&Choice]) -> String {
    let mut out = "<table><tr><th></th><th>equity</th><th>diff</th></tr>".to_owned();
    for choice in ranked {
        let class = match choice.cost {
            _ if choice.is_best() => "best",
            cost if cost < AS_GOOD => "good",
            cost if cost < KNOWN_WITHIN => "close",
            _ => "wrong",
        };
        let made = if choice.text == decision.made {
            "\u{a0}●"
        } else {
            ""
        };
        let _ = write!(
            out,
            "<tr class=\"{class}\"><td>{}{made}</td><td class=\"figure\">{:+.3}</td>\
             <td class=\"figure\">{}</td></tr>",
            escape(cube_words(&choice.text, &decision.state)),
            choice.equity,
            question.difference_text(choice)
        );
    }
    out.push_str("</table>");
    if let Some(verdict) = question.cube_verdict() {
        let _ = write!(out, "<div>{}</div>", escape(&verdict));
    }
    if question.rollout.is_some() {
        let _ = write!(out, "<div>{}</div>", question.figures_by());
    }
    let source = escape(&decision.source);
    let _ = match decision.is_lone() {
        true => write!(out, "<div>{source}</div>"),
        false => {
            let made = escape(decision.made_words());
            write!(out, "<div>● played: {made} ({source})</div>")
        }
    };
    if let Some(note) = &decision.note {
        let _ = write!(out, "<div>note: {}</div>", escape(note));
    }
    out
}
