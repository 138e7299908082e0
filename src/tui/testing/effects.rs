//! Performs effects of tests at once.

use std::sync::{Arc, Mutex};

use super::rollouts::fake;
use super::{Race, TestApp};
use crate::eval::Evaluator;
use crate::review::{MatchTurn, review};
use crate::rollout::{Setup, Status, StopReason};
use crate::store::UnsavedRecords;
use crate::study::question;
use crate::tui::documents::by_hand::HandRequest;
use crate::tui::documents::notes::{NoteChange, NoteContent};
use crate::tui::documents::played_match::WrittenMatch;
use crate::tui::documents::standing::Standing;
use crate::tui::documents::store_name::StoreName;
use crate::tui::message::Message;
use crate::tui::rollouts::inquiry::{Asked, Finding};
use crate::tui::rollouts::jobs::JobId;
use crate::tui::state::{Effect, MatchRolloutGoal};
use crate::tui::workers::by_hand;
use crate::tui::workers::inquirer::{answer_ply_by_ply, check_bias};

impl TestApp {
    /// Performs an effect at once, or records the request.
    pub(super) fn effect(&mut self, effect: Effect) {
        match effect {
            Effect::Review | Effect::Analyse if !self.analyses => {}
            Effect::Review | Effect::Analyse => self.analyse_all(),
            Effect::Export(_, written, path) => {
                (self.exported, self.written) = (Some(path), Some(written));
            }
            Effect::Statistics {
                generation,
                reviewed,
            } => {
                let found = Ok(reviewed.statistics(&*self.setup().evaluator));
                self.tell(Message::Statistics { generation, found });
            }
            Effect::SaveMatch(written) => self.save_match(&written),
            Effect::BeginMatch(new, folder) => self.begun = Some((*new, folder)),
            Effect::KeepNote(change) => self.keep_note(*change),
            Effect::Focus { turn, ply } => self.analyse(turn, ply.min(1), Standing::Look),
            Effect::ByHand { number, request } => self.answer_by_hand(number, &request),
            Effect::AskGnubg(question) => self.asked_gnubg = Some(*question),
            Effect::LeaveByHand { .. } => self.games_left += 1,
            Effect::Start(id) => {
                self.rolling = Some(id);
                self.started.push(id);
            }
            Effect::Cancel(id) => self.cancel(id),
            Effect::Copy(_, text) | Effect::CopyToTerminal(text) => {
                self.copied = Some(text);
            }
            Effect::Quit => self.over = true,
            Effect::Open { number, source } => self.open(number, &source),
            Effect::Reread { number, path } => self.reread(number, path),
            Effect::Draft {
                generation,
                state,
                play,
                ply,
            } => self.analyse_draft(generation, &question::turn(*state, play), ply),
            Effect::FindQuiz(wanted) => self.quiz_request = Some(wanted),
            Effect::Fill(path) | Effect::AddToLibrary(path) => self.filled.push(path),
            Effect::Plan(request) => self.plans.push(request),
            Effect::Complete(typed) => self.complete(typed),
            Effect::ListKept => self.lists_kept = true,
            Effect::Rating(request) => self.ratings.push(request),
            Effect::Library(request) => self.requests.push(request),
            Effect::KeepAnswer(change) => self.answers.push(*change),
            Effect::Ask { number, asked } => self.answer(number, *asked),
            Effect::RollOutMatch { goal, .. } => match goal {
                MatchRolloutGoal::Verify => self.verifies = true,
                _ => self.rolls_match = true,
            },
            Effect::EndMatchRollouts => self.rolls_match = false,
            Effect::Recall(_) => self.recalled += 1,
            Effect::KeepReview { .. } => self.kept += 1,
            Effect::SaveSettings => self.settings_saved += 1,
            Effect::EndInquiry => self.given_up += 1,
            Effect::Pause(_)
            | Effect::Resume(_)
            | Effect::Suspend
            | Effect::TakeTerminal
            | Effect::Redraw
            | Effect::EndDraft
            | Effect::Remember => {}
        }
    }

    fn keep_note(&mut self, change: NoteChange) {
        match change.content {
            NoteContent::Variations(tree) => {
                self.kept_variations.insert(change.place, tree.to_json());
            }
            NoteContent::Note { text, known } => {
                self.kept_note = Some((change.mark, text));
                self.known_notes = known;
            }
        }
    }

    fn answer_by_hand(&mut self, number: u64, request: &HandRequest) {
        let setup = self.setup();
        let news = by_hand::news(request, &setup, self.hand_games.clone());
        let news = news.map(Box::new);
        self.tell(Message::ByHand { number, news });
    }

    fn cancel(&mut self, job: JobId) {
        let result = fake(&self.app, job, 360, Status::Done(StopReason::Cancelled));
        self.rolling = None;
        self.tell(Message::Rollout {
            job,
            result,
            finished: true,
        });
    }

    /// Writes a match at once; failures are reported and not retried.
    fn save_match(&mut self, written: &WrittenMatch) {
        let unsaved = match self.files.save(written) {
            Ok(Some(moved)) => return self.tell(Message::MatchMoved(moved)),
            Ok(None) if self.app.unsaved.is_empty() => return,
            Ok(None) => UnsavedRecords::default(),
            Err(why) => UnsavedRecords {
                count: 1,
                why: why.to_string(),
            },
        };
        self.tell(Message::Unsaved {
            store: StoreName::Matches,
            unsaved,
        });
    }

    fn analyse_all(&mut self) {
        let generation = self.app.document.generation;
        for turn in 0..self.app.document.turns.len() {
            // The program may respond with another line.
            if self.app.document.generation == generation && !self.app.document.is_final[turn] {
                self.analyse(turn, 0, Standing::Final);
            }
        }
    }

    fn analyse(&mut self, turn: usize, ply: u8, standing: Standing) {
        let analysed = review(&Race, &self.app.document.turns[turn], ply, &|| false);
        let generation = self.app.document.generation;
        self.tell(Message::Reviewed {
            generation,
            turn,
            ply,
            standing,
            review: Arc::new(analysed.expect("nobody cancels")),
        });
    }

    fn analyse_draft(&mut self, generation: u64, turn: &MatchTurn, ply: u8) {
        for ply in 0..=ply.min(1) {
            let analysed = review(&Race, turn, ply, &|| false);
            self.tell(Message::Reviewed {
                generation,
                turn: 0,
                ply,
                standing: Standing::Look,
                review: Arc::new(analysed.expect("nobody cancels")),
            });
        }
    }

    /// The setup of rollouts.
    fn setup(&self) -> Setup {
        Setup {
            cube: Some(self.app.model.clone()),
            ..Setup::from(Arc::new(Race) as Arc<dyn Evaluator>)
        }
    }

    /// Answers a question statically.
    fn answer(&mut self, number: u64, asked: Asked) {
        let found = Mutex::new(Vec::new());
        let tell = |finding| found.lock().unwrap().push(finding);
        let model = self.app.model.clone();
        let done = match asked {
            Asked::Decision(inquiry) => {
                answer_ply_by_ply(&Race, &model, inquiry, 0, &|| false, &tell)
            }
            Asked::Play(candidates, settings) => {
                let setup = self.setup();
                let check = check_bias(&setup, &candidates, &settings, 2, 2, &|| false, &tell);
                check.expect("the rollout ran with these settings")
            }
        };
        let done = done.map(|()| Finding::Done);
        for finding in found.into_inner().unwrap().into_iter().chain(done) {
            self.tell(Message::Found { number, finding });
        }
    }
}
