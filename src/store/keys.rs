//! What is kept is found by what it is. Each kind of result has a document that names all that decides
//! about it. The key is the SHA-256 of that document in canonical form: JSON without spaces, fields in the
//! order of the types here. A change of a document's meaning is another [`KEY_VERSION`]; what was kept under
//! another one is not found.

use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::cube::{Model, ModelFingerprint};
use crate::match_file::{Match, json};
use crate::review::MatchRolloutLimits;
use crate::review::match_rollouts::PLY;
use crate::rollout::by_hand::Hands;
use crate::rollout::{Identity, Progress, RESULTS_DIGEST, WantedRollout};

/// Version of the documents.
const KEY_VERSION: u32 = 1;

/// The key of a document of this kind.
fn key(kind: &'static str, document: &impl Serialize) -> String {
    let all = serde_json::json!({"luckless": kind, "encoding": KEY_VERSION});
    let text =
        |of: serde_json::Result<String>| of.expect("names, numbers and lists can be written");
    let (head, body) = (
        text(serde_json::to_string(&all)),
        text(serde_json::to_string(document)),
    );
    format!("{:x}", Sha256::digest(format!("{head}\n{body}")))
}

/// What a rollout is found by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RolloutKey(pub(super) String);

impl RolloutKey {
    /// The key of a rollout that is wanted.
    pub fn new(wanted: &WantedRollout) -> Self {
        Self::named(&wanted.identity())
    }

    /// The key of a rollout that has begun.
    pub fn of(progress: &Progress) -> Self {
        Self::named(&Identity::of(progress))
    }

    fn named(identity: &Identity) -> Self {
        Self(key("rollout", identity))
    }
}

/// What the games are found by that a person has played out of one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandKey(pub(super) String);

impl HandKey {
    /// The key of games in which `hands` are a person's. Games stay what they are under another version
    /// of the program: their results owe nothing to what it would have counted.
    pub fn new(identity: Identity, hands: Hands) -> Self {
        #[derive(Serialize)]
        struct Document {
            hands: Hands,
            rollout: Identity,
        }
        let rollout = identity.of_any_version();
        Self(key("by hand", &Document { hands, rollout }))
    }
}

/// How matches are analysed, but for the depth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReviewMethod {
    evaluator: String,
    cube: ModelFingerprint,
    no_crawford: bool,
    stage: Option<RolledOut>,
}

/// What is rolled out besides.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
struct RolledOut {
    decisions: Option<usize>,
    seconds: Option<f64>,
    trials: u64,
    cube_trials: u64,
    ply: u8,
    horizon: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    errors_from: Option<f32>,
}

impl ReviewMethod {
    /// The method by this evaluator, with this model of the cube, and without the Crawford rule where that is
    /// so.
    pub fn new(evaluator: &str, model: &Model, no_crawford: bool) -> Self {
        Self {
            evaluator: evaluator.to_owned(),
            cube: model.fingerprint(),
            no_crawford,
            stage: None,
        }
    }

    /// This method with rollouts of close decisions or of errors, as these limits have it; without limits,
    /// without rollouts.
    pub fn rolled(self, limits: Option<&MatchRolloutLimits>) -> Self {
        let stage = limits.map(|limits| RolledOut {
            decisions: limits.decisions,
            seconds: limits.budget.map(|budget| budget.as_secs_f64()),
            trials: limits.trials,
            cube_trials: limits.cube_trials,
            ply: PLY,
            horizon: limits.horizon,
            errors_from: limits.aim.errors_from(),
        });
        Self { stage, ..self }
    }
}

/// What a review is found by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewId(pub(super) String);

/// A review that is to be made: what it is found by, and of which match it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewKey {
    /// What it is found by.
    pub id: ReviewId,
    /// The file, and the place of the match in it.
    pub(super) record: String,
    pub(super) ply: u8,
}

impl ReviewKey {
    /// Plies that the review goes deep where a verdict is close.
    pub fn ply(&self) -> u8 {
        self.ply
    }

    /// Whether both are of the same match in the same bytes of a file, however it is reviewed.
    pub fn is_of_same_match(&self, other: &Self) -> bool {
        self.record == other.record
    }

    /// The key of `record`, read from place `index` of the file with these `bytes`, analysed at up to `ply`
    /// plies.
    ///
    /// What was read counts besides the bytes: a reader that understands more makes another match of
    /// them.
    pub fn new(bytes: &[u8], index: usize, record: &Match, by: &ReviewMethod, ply: u8) -> Self {
        #[derive(Serialize)]
        struct Document<'a> {
            results: &'a str,
            form: u32,
            file: &'a str,
            read: String,
            by: &'a ReviewMethod,
            ply: u8,
        }
        let file = format!("{:x}#{index}", Sha256::digest(bytes));
        let document = Document {
            results: RESULTS_DIGEST,
            form: REPORT_VERSION,
            file: &file,
            read: read(record),
            by,
            ply,
        };
        Self {
            id: ReviewId(key("review", &document)),
            record: file,
            ply,
        }
    }
}

/// The form of the documents: a change of what their fields mean is another form.
const REPORT_VERSION: u32 = 8;

/// A digest of all that a report tells of a match itself.
fn read(record: &Match) -> String {
    let mut digest = Sha256::new();
    let alone = (!record.others.is_empty()).then(|| Match {
        others: Vec::new(),
        ..record.clone()
    });
    digest.update(json::write(alone.as_ref().unwrap_or(record)));
    for warning in &record.warnings {
        let (line, column, text) = (warning.line, warning.column, &warning.message);
        digest.update(format!("{line}:{column} {text}\n"));
    }
    digest.update(record.format);
    format!("{:x}", digest.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Engine, Evaluator};
    use crate::game::{GameState, Position};
    use crate::match_file::read_bytes;
    use crate::review::{ErrorFilter, MatchRolloutAim};
    use crate::rollout::{Allocation, CubeSettings, Leeway, Settings, Setup, StopRules};
    use std::sync::Arc;

    const TEXT: &[u8] = include_bytes!("../../tests/fixtures/mat/three_points.mat");

    fn setup(cube: Option<Model>) -> Setup {
        let evaluator: Arc<dyn Evaluator> = Arc::new(Engine::embedded());
        Setup {
            cube: cube.map(Arc::new),
            ..Setup::from(evaluator)
        }
    }

    fn wanted(setup: &Setup, settings: &Settings, candidates: &[Position]) -> RolloutKey {
        RolloutKey::new(&WantedRollout {
            setup: setup.clone(),
            settings: settings.clone(),
            candidates: candidates.to_vec(),
            leeway: Leeway::Nothing,
        })
    }

    /// The cube is part of what a rollout is only where it is played; where none is named it is the
    /// standard one.
    #[test]
    fn a_cubeless_rollout_is_the_same_with_a_model_at_hand() {
        let (without, with) = (setup(None), setup(Some(Model::default())));
        let start = [Position::opening()];
        let cubeless = Settings::default();
        let key = |setup: &Setup, settings: &Settings| wanted(setup, settings, &start);
        assert_eq!(key(&without, &cubeless), key(&with, &cubeless));
        let state = GameState::money(start[0]);
        let cubeful = Settings {
            cube: Some(CubeSettings::before_roll(&state)),
            ..Settings::default()
        };
        assert_eq!(key(&without, &cubeful), key(&with, &cubeful));
        assert_ne!(key(&with, &cubeful), key(&with, &cubeless));
        let refitted = Model {
            efficiency: crate::cube::Efficiency::Constant(0.7),
            ..Model::default()
        };
        let refitted = setup(Some(refitted));
        assert_ne!(key(&refitted, &cubeful), key(&with, &cubeful));
        assert_eq!(key(&refitted, &cubeless), key(&with, &cubeless));
    }

    /// When a rollout ends does not count; in a race the confidence does, which drops plays.
    #[test]
    fn rules_that_end_it_are_no_part_of_a_rollout_but_for_a_race() {
        let setup = setup(None);
        let starts = [Position::opening(); 3];
        let key = |allocation, separated: Option<f64>| {
            let settings = Settings {
                allocation,
                stop: StopRules {
                    trials: if separated.is_some() { 72 } else { 36 },
                    separated,
                    ..StopRules::default()
                },
                ..Settings::default()
            };
            wanted(&setup, &settings, &starts)
        };
        let (equal, race) = (Allocation::Equal, Allocation::Race);
        assert_eq!(key(equal, None), key(equal, Some(0.5)));
        assert_ne!(key(race, None), key(race, Some(0.5)));
    }

    #[test]
    fn a_review_is_found_by_all_that_its_verdicts_come_from() {
        let record = read_bytes(TEXT, "x.mat").unwrap();
        let by = |model: &Model| ReviewMethod::new("e", model, false);
        let standard = by(&Model::default());
        let key = ReviewKey::new(TEXT, 0, &record, &standard, 2);
        assert_eq!(key, ReviewKey::new(TEXT, 0, &record, &standard, 2));
        let refitted = Model {
            efficiency: crate::cube::Efficiency::Constant(0.6),
            ..Model::default()
        };
        let mut exact = Model::default();
        let table = crate::eval::bearoff::two_sided::TwoSided::compute(1, &mut |_| true);
        exact.bearoff = table.map(Arc::new);
        let mut scores = Model::default();
        scores.table = Arc::new(scores.table.without_crawford());
        let limits = MatchRolloutLimits {
            aim: MatchRolloutAim::Close,
            decisions: Some(3),
            budget: None,
            trials: 36,
            cube_trials: 36,
            horizon: crate::review::match_rollouts::HORIZON,
        };
        let mut others = record.clone();
        others.games[0].events.pop();
        let mut warned = record.clone();
        warned.warnings.push(crate::match_file::Warning {
            line: 1,
            column: 1,
            offset: None,
            turn: None,
            message: "x".into(),
        });
        let rolled = standard.clone().rolled(Some(&limits));
        let errors = |from| {
            let aim = MatchRolloutAim::Errors(ErrorFilter {
                from,
                player: None,
                class: None,
            });
            let limits = MatchRolloutLimits { aim, ..limits };
            standard.clone().rolled(Some(&limits))
        };
        let [errors, blunders] = [0.02, 0.08].map(errors);
        assert_ne!(
            ReviewKey::new(TEXT, 0, &record, &errors, 2),
            ReviewKey::new(TEXT, 0, &record, &blunders, 2)
        );
        for other in [
            ReviewKey::new(b"else", 0, &record, &standard, 2),
            ReviewKey::new(TEXT, 1, &record, &standard, 2),
            ReviewKey::new(TEXT, 0, &others, &standard, 2),
            ReviewKey::new(TEXT, 0, &warned, &standard, 2),
            ReviewKey::new(TEXT, 0, &record, &by(&refitted), 2),
            ReviewKey::new(TEXT, 0, &record, &by(&exact), 2),
            ReviewKey::new(TEXT, 0, &record, &by(&scores), 2),
            ReviewKey::new(TEXT, 0, &record, &rolled, 2),
            ReviewKey::new(TEXT, 0, &record, &errors, 2),
            ReviewKey::new(TEXT, 0, &record, &standard, 1),
        ] {
            assert_ne!(key.id, other.id);
        }
        // What else is in the file changes nothing.
        let mut more = record.clone();
        more.others.push(record.clone());
        assert_eq!(key, ReviewKey::new(TEXT, 0, &more, &standard, 2));
    }
}
