//! What `luckless eval` answers about a position, as data and in words.

use std::fmt::Write as _;

use serde::Serialize;

use super::cube_decision::of_offered;
use super::eval_book::BookValue;
use super::options::{CubeModel, Id};
use super::output::{Cubeful, percent, perhaps_points, points};
use crate::cube::{Cube, CubeChoice, CubeDecision, CubefulCandidate, Model, Window, cube_words};
use crate::eval::lookahead::{self, Candidate};
use crate::eval::{CandidateFilter, Evaluator, Probabilities};
use crate::game::{GameState, Position, Roll};
use crate::grid::Grid;
use crate::notation::{play_text, position_id};
pub(super) use crate::review::report::position_card::situation;
use crate::review::xg_text::{XgAnalysis, XgLevel, XgPlay, XgText};
use crate::rollout::level::HORIZON;
use crate::rollout::{Level, LevelDecision, LevelValue, Setup};

/// Why a lookahead that may be cancelled always ends here.
const UNCANCELLED: &str = "nothing cancels";

/// What plays ranked without the cube say of themselves.
const CUBELESS: &str =
    "cubeless: the cube does not count in these equities; --cubeful ranks with it";

/// What is asked of each position.
#[derive(Clone, Copy)]
pub(super) struct Question<'a> {
    pub(super) ply: u8,
    /// Rolls the plays out, if asked to.
    pub(super) roller: Option<(&'a Setup, Level)>,
    pub(super) top: Option<usize>,
    /// Whether plays are ranked with the cube in money play too.
    pub(super) cubeful: bool,
    pub(super) model: &'a Model,
    /// The options that the model was made of.
    pub(super) given: &'a CubeModel,
}

/// The answer of the machine output.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum EvalDocument {
    Plays(PlaysDocument),
    Position(PositionValue),
}

/// With dice: the plays, best first.
#[derive(Serialize)]
pub(super) struct PlaysDocument {
    position: String,
    dice: String,
    ply: u8,
    #[serde(flatten)]
    cubeful: Cubeful,
    plays: Vec<PlayValue>,
    /// What the opening book has of the plays of this roll, best first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    book: Vec<BookValue>,
}

#[derive(Serialize)]
struct PlayValue {
    play: String,
    result: String,
    cubeless_equity: f32,
    /// With cube and score, in points on the present cube (EMG), in a match: what ranks the plays.
    #[serde(skip_serializing_if = "Option::is_none")]
    cubeful_equity: Option<f32>,
    /// Chance to win the match, in a match.
    #[serde(skip_serializing_if = "Option::is_none")]
    mwc: Option<f32>,
    #[serde(flatten)]
    chances: Probabilities,
    /// Plies behind these figures: less than asked for where a play was out of the running. Of a
    /// play that was rolled out, those that put it in the running.
    ply: u8,
    /// Trials of the truncated rollout behind the equity and the chances, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    trials: Option<u64>,
    /// Standard error of the equity from it.
    #[serde(skip_serializing_if = "Option::is_none")]
    se: Option<f64>,
    /// Half the width of its fixed-sample 95% interval.
    #[serde(skip)]
    half_width: Option<f64>,
}

/// Without dice: the position, and the cube.
#[derive(Serialize)]
pub(super) struct PositionValue {
    position: String,
    ply: u8,
    cubeless_equity: f32,
    #[serde(flatten)]
    chances: Probabilities,
    cube: Option<CubeValue>,
    /// Trials of the truncated rollouts behind the decision, if there were any.
    #[serde(skip_serializing_if = "Option::is_none")]
    trials: Option<u64>,
    /// Standard errors from them: without a double, and after a double and a take.
    #[serde(skip_serializing_if = "Option::is_none")]
    se: Option<[f64; 2]>,
    /// When a double has been offered: what to say to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<&'static str>,
}

/// The cube decision and what follows from it.
#[derive(Serialize)]
struct CubeValue {
    #[serde(flatten)]
    decision: CubeDecision,
    /// Equity after a double that is beavered, where that is the right answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    double_beaver: Option<f32>,
    /// What each choice costs against the best, where doubling is possible.
    errors: Option<CubeErrors>,
    /// How near the double is to being passed, where doubling is possible.
    market: Option<MarketValue>,
    /// Whether the values are exact: a bearoff of few checkers.
    exact: bool,
}

#[derive(Clone, Copy, Serialize)]
struct CubeErrors {
    no_double: f32,
    double: f32,
    take: f32,
    pass: f32,
}

#[derive(Clone, Copy, Serialize)]
struct MarketValue {
    /// Chances to win from which a double gains, is passed, and is too good.
    window: Option<WindowValue>,
    /// Rolls that lose the market, of the 21 and of the 36.
    losing_rolls: u32,
    losing_rolls_of_36: u32,
    volatility: f32,
}

#[derive(Clone, Copy, Serialize)]
pub(super) struct WindowValue {
    double: f32,
    cash: f32,
    too_good: Option<f32>,
}

impl From<Window> for WindowValue {
    fn from(window: Window) -> Self {
        let Window {
            double,
            cash,
            too_good,
        } = window;
        Self {
            double,
            cash,
            too_good,
        }
    }
}

impl Question<'_> {
    /// The answer for one position, or why there is none.
    pub(super) fn answer(
        self,
        evaluator: &dyn Evaluator,
        id: &Id,
        dice: Option<Roll>,
    ) -> Result<EvalDocument, String> {
        self.given
            .agrees_with(&id.state)
            .map_err(|error| error.to_string())?;
        match id.roll(dice) {
            Some(roll) => self.plays(evaluator, id, roll).map(EvalDocument::Plays),
            None => Ok(EvalDocument::Position(self.position(evaluator, id))),
        }
    }

    fn plays(
        self,
        evaluator: &dyn Evaluator,
        id: &Id,
        roll: Roll,
    ) -> Result<PlaysDocument, String> {
        let position = id.state.position;
        if position.is_over() {
            return Err("the game is over: there is no roll to play".to_owned());
        }
        if id.state.doubled {
            return Err("a double must be answered before the roll".to_owned());
        }
        let filter = CandidateFilter::default();
        let never = || false;
        let (ply, model) = (self.ply, self.model);
        let cubeful = self.cubeful || !id.state.score.is_money();
        let plays = if let Some((setup, level)) = self.roller {
            level
                .analyse(setup, (&id.state, roll), cubeful, &never)
                .expect(UNCANCELLED)
                .iter()
                .map(|analysed| PlayValue::rolled(&position, analysed))
                .collect()
        } else if !cubeful {
            lookahead::candidates(evaluator, &position, roll, ply, filter, &never)
                .expect(UNCANCELLED)
                .iter()
                .map(|c| PlayValue::new(&position, c))
                .collect()
        } else {
            let state = GameState {
                roll: None,
                ..id.state
            };
            model
                .candidates(evaluator, &state, roll, ply, filter, &never)
                .expect(UNCANCELLED)
                .iter()
                .map(|c| PlayValue::cubeful(&position, c))
                .collect::<Vec<_>>()
        };
        let note = (!cubeful).then_some(CUBELESS);
        Ok(PlaysDocument {
            cubeful: Cubeful::new(note.is_none(), note),
            position: id.text.clone(),
            dice: roll.to_string(),
            ply: self.ply,
            plays: plays
                .into_iter()
                .take(self.top.unwrap_or(usize::MAX))
                .collect(),
            // The book has the cube.
            book: match note {
                None => BookValue::all(&id.state, roll),
                Some(_) => Vec::new(),
            },
        })
    }

    fn position(self, evaluator: &dyn Evaluator, id: &Id) -> PositionValue {
        // The player who has been doubled decides, but the doubler rolls next.
        let doubled = id.state.doubled;
        let roller = id.state.roller();
        let over = roller.position.is_over();
        let decided = (!over).then(|| self.decide(evaluator, &id.state)).flatten();
        // The chances behind the decision: at a score the best plays are others than for money.
        let chances = match &decided {
            Some(decided) => decided.chances,
            None => lookahead::evaluate(evaluator, &roller.position, self.ply, &|| false)
                .expect(UNCANCELLED),
        };
        let rolled = decided.as_ref().and_then(|decided| decided.rolled);
        let cube = decided.map(|decided| self.cube(evaluator, &roller, &decided));
        let seen = if doubled { chances.flipped() } else { chances };
        PositionValue {
            position: id.text.clone(),
            ply: self.ply,
            cubeless_equity: seen.equity(),
            chances: seen,
            trials: rolled.map(|rolled| rolled[0].trials),
            se: rolled.map(|rolled| rolled.map(|one| one.se)),
            answer: cube
                .as_ref()
                .filter(|_| doubled)
                .and_then(|c| c.decision.answer())
                .map(CubeChoice::name),
            cube,
        }
    }

    fn decide(self, evaluator: &dyn Evaluator, asked: &GameState) -> Option<LevelDecision> {
        if let Some((setup, level)) = self.roller {
            return level.decide(setup, asked, &|| false);
        }
        let never = || false;
        let found = (self.model).decide_with_chances(evaluator, asked, self.ply, &never)?;
        Some(LevelDecision {
            decision: found.0,
            chances: found.1,
            rolled: None,
        })
    }

    /// What follows from the decision of the player who rolls next.
    fn cube(
        self,
        evaluator: &dyn Evaluator,
        state: &GameState,
        decided: &LevelDecision,
    ) -> CubeValue {
        let model = self.model;
        let (decision, chances) = (decided.decision, &decided.chances);
        let error = |choice| decision.error(choice);
        let errors = error(CubeChoice::Double).map(|double| CubeErrors {
            no_double: error(CubeChoice::NoDouble).unwrap_or_default(),
            double,
            take: error(CubeChoice::Take).unwrap_or_default(),
            pass: error(CubeChoice::Pass).unwrap_or_default(),
        });
        let market = model.market(evaluator, state).map(|market| {
            let (losing_rolls, losing_rolls_of_36) = market.losers();
            MarketValue {
                window: model
                    .window_beside(&decision, state, chances)
                    .map(WindowValue::from),
                losing_rolls,
                losing_rolls_of_36,
                volatility: market.volatility,
            }
        });
        let exact = model.exact(&model.context(state), &state.position);
        CubeValue {
            decision,
            double_beaver: decision.beavered(),
            errors,
            market,
            exact: exact.is_some_and(|exact| exact.covers(Cube::of(state))),
        }
    }
}

impl PlayValue {
    fn new(position: &Position, c: &Candidate) -> Self {
        Self {
            play: play_text(position, &c.play),
            result: position_id(&c.result),
            cubeless_equity: c.equity,
            cubeful_equity: None,
            mwc: None,
            chances: c.probabilities,
            ply: c.ply,
            trials: None,
            se: None,
            half_width: None,
        }
    }

    fn rolled(position: &Position, analysed: &LevelValue) -> Self {
        Self {
            cubeful_equity: analysed.cubeful,
            mwc: analysed.mwc,
            trials: analysed.rolled.map(|r| r.trials),
            se: analysed.rolled.map(|r| r.se),
            half_width: analysed.rolled.map(|r| r.half_width),
            ..Self::new(position, &analysed.candidate)
        }
    }

    fn cubeful(position: &Position, c: &CubefulCandidate) -> Self {
        Self {
            cubeful_equity: Some(c.cubeful),
            mwc: c.mwc,
            ..Self::new(position, &c.candidate)
        }
    }
}

impl EvalDocument {
    pub(super) fn to_text(&self, state: &GameState) -> String {
        match self {
            Self::Plays(plays) => plays.to_text(state),
            Self::Position(value) => value.to_text(state),
        }
    }

    /// The figures of plays as a table; of a position there are words.
    pub(super) fn plays(&self) -> Option<Grid> {
        match self {
            Self::Plays(plays) => Some(plays.table()),
            Self::Position(_) => None,
        }
    }

    /// As XG writes it for forums.
    pub(super) fn to_xg_text(&self, state: &GameState, model: &Model) -> String {
        let analysis = match self {
            Self::Plays(plays) => XgAnalysis::Plays(plays.plays.iter().map(xg_play).collect()),
            Self::Position(value) => value.to_xg(state),
        };
        let text = XgText {
            state,
            names: None,
            analysis,
            table: &model.table,
        };
        text.write()
    }
}

fn xg_play(play: &PlayValue) -> XgPlay {
    let equity = f64::from(play.cubeful_equity.unwrap_or(play.cubeless_equity));
    XgPlay {
        play: play.play.clone(),
        level: match play.trials {
            Some(_) => XgLevel::Rollout,
            None => XgLevel::Ply(play.ply),
        },
        equity,
        chances: play.chances,
        half_width: play.half_width,
        rollout: None,
    }
}

const CHANCES: [&str; 5] = ["win", "gammon", "bg", "lose g", "lose bg"];

impl PlaysDocument {
    /// The plays with their figures.
    fn table(&self) -> Grid {
        let cubeful = self.plays.iter().any(|p| p.cubeful_equity.is_some());
        let in_match = self.plays.iter().any(|p| p.mwc.is_some());
        let extra: &[&str] = match (cubeful, in_match) {
            (true, true) => &["cubeful", "match"],
            (true, false) => &["cubeful"],
            _ => &[],
        };
        let rolled = self.plays.iter().any(|p| p.se.is_some());
        let extra = [extra, if cubeful && rolled { &["se"] } else { &[] }].concat();
        let equity: &[&str] = match (cubeful, rolled) {
            (true, _) => &["cubeless"],
            (false, true) => &["equity", "se"],
            (false, false) => &["equity"],
        };
        let looked = if rolled { "by" } else { "ply" };
        let headings = [&["play"][..], &extra, equity, &CHANCES, &[looked]].concat();
        let mut table = Grid::new(&headings);
        for p in &self.plays {
            let mut row = vec![p.play.clone()];
            let se = rolled.then(|| p.se.map_or_else(String::new, |se| format!("{se:.4}")));
            if cubeful {
                row.push(perhaps_points(p.cubeful_equity));
                row.extend(in_match.then(|| p.mwc.map_or_else(String::new, percent)));
                row.extend(se.clone());
            }
            row.push(points(p.cubeless_equity));
            row.extend(se.filter(|_| !cubeful));
            row.extend(p.chances.to_array().map(percent));
            row.push(match p.trials {
                Some(trials) => format!("{trials} trials"),
                None if rolled => format!("{}-ply", p.ply),
                None => p.ply.to_string(),
            });
            table.row(row);
        }
        table
    }

    fn to_text(&self, state: &GameState) -> String {
        let table = self.table();
        let cubeful = self.plays.iter().any(|p| p.cubeful_equity.is_some());
        let rolled = self.plays.iter().any(|p| p.se.is_some());
        let shorter = if rolled {
            truncated()
        } else if self.plays.iter().any(|p| p.ply < self.ply) {
            "plays out of the running got a shorter look: see the last column\n".to_owned()
        } else {
            String::new()
        };
        let note = self
            .cubeful
            .note
            .map_or_else(String::new, |note| format!("\n{note}"));
        let (situation, ply) = (situation(state), self.ply);
        let how = match (rolled, cubeful) {
            (true, true) => "the best rolled out, cubeful".to_owned(),
            (true, false) => "the best rolled out, cubeless".to_owned(),
            (false, true) => format!("{ply}-ply, cubeful"),
            (false, false) => format!("{ply}-ply, cubeless"),
        };
        format!(
            "{}  {situation}, to play {}, {how}{note}\n\n{table}{shorter}{}",
            self.position,
            self.dice,
            BookValue::line(&self.book)
        )
    }
}

impl PositionValue {
    fn to_xg(&self, state: &GameState) -> XgAnalysis {
        let Some(cube) = &self.cube else {
            return XgAnalysis::None;
        };
        XgAnalysis::Cube {
            level: match self.trials {
                Some(_) => XgLevel::Rollout,
                None => XgLevel::Ply(self.ply),
            },
            chances: self.rollers_chances(state),
            decision: cube.decision,
            rolled: None,
        }
    }

    /// The chances of who rolls next: of the doubler, while the other one decides.
    fn rollers_chances(&self, state: &GameState) -> Probabilities {
        match state.doubled {
            true => self.chances.flipped(),
            false => self.chances,
        }
    }

    fn to_text(&self, state: &GameState) -> String {
        let mut table = Grid::new(&[&["", "cubeless"][..], &CHANCES].concat());
        let whose = if state.doubled { "doubler, " } else { "" };
        let chances = self.rollers_chances(state);
        let mut row = vec![format!("{whose}{}-ply", self.ply), points(chances.equity())];
        row.extend(chances.to_array().map(percent));
        table.row(row);
        let place = situation(&state.roller());
        let mut text = format!("{}  {place}\n\n{table}", self.position);
        if let Some(cube) = &self.cube {
            text.push_str(&cube.to_text(self.answer, state));
            if let (Some(trials), Some([hold, take])) = (self.trials, self.se) {
                let _ = writeln!(
                    text,
                    "rolled out, {trials} trials each: se of no double {hold:.4}, of double/take {take:.4}"
                );
            }
        }
        text
    }
}

/// What a standard error of a level that rolls out does not hold.
fn truncated() -> String {
    format!("after {HORIZON} rolls the net values what is left: what it errs by is not in se\n")
}

impl CubeValue {
    fn to_text(&self, answer: Option<&str>, state: &GameState) -> String {
        let d = &self.decision;
        let action = cube_words(d.action.name(), state);
        let names = ["no double", "double/take", "double/pass", "double/beaver"];
        let names = names.map(|name| cube_words(name, state));
        let shown = if d.is_beavered() { 4 } else { 3 };
        let headings = [&["", "cubeful"][..], &names[..shown]].concat();
        let mut table = Grid::new(&headings);
        let name = match (self.exact, d.mwc) {
            (true, _) => "exact",
            (false, None) => "points",
            (false, Some(_)) => "EMG",
        };
        let mut row = vec![
            name.to_owned(),
            points(d.cubeful_equity),
            points(d.no_double),
            perhaps_points(d.double_take),
            perhaps_points(d.double_pass),
        ];
        row.extend(self.double_beaver.map(points));
        table.row(row);
        if let Some(mwc) = &d.mwc {
            let perhaps = |p: Option<f32>| p.map_or_else(|| "–".to_owned(), percent);
            table.row(vec![
                "match".to_owned(),
                percent(mwc.cubeful),
                percent(mwc.no_double),
                perhaps(mwc.double_take),
                perhaps(mwc.double_pass),
            ]);
        }
        let mut text = format!("\n{table}");
        let _ = match answer {
            Some(answer) => writeln!(text, "{}", of_offered(answer)),
            None => writeln!(text, "cube action: {action}"),
        };
        if let Some(e) = &self.errors {
            let [no_double, double] = ["no double", "double"].map(|name| cube_words(name, state));
            let _ = writeln!(
                text,
                "errors: {no_double} {:.4}  {double} {:.4}  take {:.4}  pass {:.4}",
                e.no_double, e.double, e.take, e.pass
            );
        }
        text + &self.market.as_ref().map_or_else(String::new, market_text)
    }
}

/// How many rolls lose the market, and from which chances on to double.
fn market_text(m: &MarketValue) -> String {
    let mut text = format!(
        "market losers: {} of 21 rolls ({} of 36), volatility {:.3}",
        m.losing_rolls, m.losing_rolls_of_36, m.volatility
    );
    if let Some(w) = &m.window {
        let (double, cash) = (percent(w.double), percent(w.cash));
        let _ = write!(text, "; doubling point {double}, cash point {cash}");
        if let Some(p) = w.too_good {
            let _ = write!(text, ", too good from {}", percent(p));
        }
    }
    text + "\n"
}
