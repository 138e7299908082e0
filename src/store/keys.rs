//! Keys of stored results. Each kind of result has a document that names everything that determines the result. Its
//! key is the SHA-256 of the document in canonical form: JSON without spaces, fields in the order of the types here.
//! If the meaning of a document changes, [`KEY_VERSION`] must change; results under other versions are not found.

use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::cube::{Model, ModelFingerprint};
use crate::match_file::{Match, json};
use crate::review::MatchRolloutLimits;
use crate::review::match_rollouts::PLY;
use crate::rollout::by_hand::Hands;
use crate::rollout::{Identity, Progress, RESULTS_DIGEST, WantedRollout};

const KEY_VERSION: u32 = 1;

/// Returns the key of a document of this kind.
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

/// Key of a rollout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RolloutKey(pub(super) String);

impl RolloutKey {
    /// Returns the key of a requested rollout.
    pub fn new(wanted: &WantedRollout) -> Self {
        Self::named(&wanted.identity())
    }

    /// Returns the key of a rollout in progress.
    pub fn of(progress: &Progress) -> Self {
        Self::named(&Identity::of(progress))
    }

    fn named(identity: &Identity) -> Self {
        Self(key("rollout", identity))
    }
}

/// Key of the games that a person has played from one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandKey(pub(super) String);

impl HandKey {
    /// Returns the key of games in which a person plays `hands`. The key omits the program version, because the
    /// results do not depend on it.
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

/// Settings of a match analysis, except its depth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReviewMethod {
    evaluator: String,
    cube: ModelFingerprint,
    no_crawford: bool,
    stage: Option<RolledOut>,
}

/// The rollout stage of a review.
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
    /// A method of this evaluator and cube model, with or without the Crawford rule.
    pub fn new(evaluator: &str, model: &Model, no_crawford: bool) -> Self {
        Self {
            evaluator: evaluator.to_owned(),
            cube: model.fingerprint(),
            no_crawford,
            stage: None,
        }
    }

    /// Adds rollouts of close decisions or of errors within these limits; `None` adds no rollouts.
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

/// Key of a review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewId(pub(super) String);

/// Key of a requested review, with the match it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewKey {
    pub id: ReviewId,
    /// The file and the index of the match in it.
    pub(super) record: String,
    pub(super) ply: u8,
}

impl ReviewKey {
    /// Depth, in plies, of the review where a verdict is close.
    pub fn ply(&self) -> u8 {
        self.ply
    }

    /// Returns whether both are reviews of the same match in the same file bytes, by whatever method.
    pub fn is_of_same_match(&self, other: &Self) -> bool {
        self.record == other.record
    }

    /// Returns the key of `record`, match `index` of the file with these `bytes`, analysed at up to `ply` plies.
    ///
    /// The parsed match is part of the key: an improved reader may produce another match from the same bytes.
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

/// Version of the documents; changes with the meaning of their fields.
const REPORT_VERSION: u32 = 8;

/// Returns a digest of the parts of a match that a report shows.
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

    /// The cube model is part of a rollout's identity only for cubeful rollouts; the default is the standard model.
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

    /// Stopping rules are not part of the key. In a race the confidence level is, because it decides when plays are
    /// dropped.
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
        // Other matches in the file change nothing.
        let mut more = record.clone();
        more.others.push(record.clone());
        assert_eq!(key, ReviewKey::new(TEXT, 0, &more, &standard, 2));
    }
}
