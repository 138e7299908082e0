//! Study: spaced repetition of errors, the study plan and notes for Anki.
//!
//! [`decision`] finds in a reviewed match what is worth asking, errors and what was right, and [`list`] in a list of
//! positions; [`deck`] mixes both, and [`sitting`] keeps them in order. [`question`] is one decision as it is asked:
//! plausible plays in an order that tells nothing, and what each answer costs. [`rolled`] is what a rollout says of
//! it. [`card`] is its log of answers and when it is due, which [`scheduler`] decides. [`progress`] sums all cards up.
//! [`plan`] says where more is lost than need be, and [`plan_report`] reads that from reviews. [`history`] has the
//! matches of a player, [`player_record`] what they come to, [`plan_words`] says it, [`reference_positions`] chooses
//! those that stand for many. [`rating_history`] is a rating match by match, [`match_groups`] by month, event, opponent
//! and length. [`anki`] writes decisions as notes for another program of this kind, [`worksheet`] on
//! paper.
//!
//! Nothing here reads a clock: the time of an answer comes with it.

pub(crate) mod anki;
pub(crate) mod card;
pub(crate) mod decision;
pub(crate) mod deck;
pub(crate) mod history;
mod kept_rollout;
pub(crate) mod list;
pub(crate) mod match_groups;
pub(crate) mod pair_table;
pub(crate) mod plan;
pub(crate) mod plan_decision;
pub(crate) mod plan_habits;
pub(crate) mod plan_report;
pub(crate) mod plan_words;
pub(crate) mod player_record;
pub(crate) mod progress;
pub(crate) mod question;
pub(crate) mod rated_match;
pub(crate) mod rating_history;
pub(crate) mod reference_positions;
pub(crate) mod rolled;
pub(crate) mod scheduler;
pub(crate) mod sitting;
pub(crate) mod worksheet;

pub use card::{CardStanding, StudyAnswer, StudyCard, day, newest_answer};
pub use decision::{StudyDecision, StudyPlace};
pub use history::{PlayerSummary, StudyHistory};
pub use match_groups::{GroupBy, MatchGroup};
pub use player_record::PlayerRecord;
pub use progress::StudyProgress;
pub use question::{Choice, Question, StudyAction, examine};
pub use rated_match::RatedMatch;
pub use rating_history::RatingHistory;
pub use rolled::{Foundation, StudyRollout};
pub use scheduler::{CardMemory, Grade, Scheduler};
