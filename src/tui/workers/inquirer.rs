//! Answers questions about a decision: first statically, then deeper step by step.
//!
//! One question at a time: a new one, or closing the window, cancels the previous one.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::analysis::{
    ComparisonSetup, CubeFacts, Matrix, PlayComparison, ReferenceChoice, RollRank, RollTable,
};
use crate::cube::Model;
use crate::eval::Evaluator;
use crate::game::Position;
use crate::panics::guarded;
use crate::rollout::bias_check::BiasChecker;
use crate::rollout::{RolloutError, Settings, Setup};
use crate::tui::message::{Message, Tell as _};
use crate::tui::rollouts::inquiry::{Asked, Finding, Inquiry, MATRIX};

/// Maximum search depth in plies.
const DEEPEST: u8 = 2;
/// Trials per play between reports of a bias check.
const BLOCK: u64 = 12;
/// Maximum number of blocks of a bias check.
const BLOCKS: usize = 60;

/// The thread, and the number of the current question.
pub struct Inquirer {
    questions: Option<Sender<(u64, Asked)>>,
    current: Arc<AtomicU64>,
    thread: Option<JoinHandle<()>>,
}

/// Resources for answers.
struct Means {
    evaluator: Arc<dyn Evaluator>,
    model: Arc<Model>,
    threads: usize,
    messages: Sender<Message>,
    current: Arc<AtomicU64>,
}

impl Inquirer {
    /// Starts a thread that uses `threads` more threads while answering.
    pub fn start(
        evaluator: &Arc<dyn Evaluator>,
        model: &Arc<Model>,
        threads: usize,
        messages: &Sender<Message>,
    ) -> Self {
        let (questions, asked) = unbounded();
        let current = Arc::new(AtomicU64::new(0));
        let means = Means {
            evaluator: evaluator.clone(),
            model: model.clone(),
            threads,
            messages: messages.clone(),
            current: current.clone(),
        };
        let spawned = std::thread::Builder::new().name("inquirer".into());
        let spawned = spawned.spawn(move || means.work(&asked));
        let thread = super::started(spawned, "answer questions", messages);
        Self {
            questions: Some(questions),
            current,
            thread,
        }
    }

    /// Answers only this question.
    pub fn ask(&self, number: u64, asked: Asked) {
        self.current.store(number, Ordering::Relaxed);
        if let Some(questions) = &self.questions {
            // If the thread has ended, there is no answer and the window stays pending.
            let _ = questions.send((number, asked));
        }
    }

    /// Cancels the current question.
    pub fn end(&self) {
        self.current.store(0, Ordering::Relaxed);
    }
}

impl Drop for Inquirer {
    fn drop(&mut self) {
        self.end();
        self.questions = None;
        if let Some(thread) = self.thread.take() {
            // A panicking thread has reported it itself.
            let _ = thread.join();
        }
    }
}

impl Means {
    fn work(&self, asked: &Receiver<(u64, Asked)>) {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads.max(1))
            .thread_name(|i| format!("inquiry-{i}"))
            .build();
        for (number, asked) in asked {
            let answer = || answer(self, number, &asked);
            let done = match &pool {
                Ok(pool) => guarded(|| pool.install(answer)),
                Err(error) => Err(error.to_string()),
            };
            match done {
                Ok(Some(())) => self.send(number, Finding::Done),
                Ok(None) => {}
                Err(why) => self.send(number, Finding::Failed(why)),
            }
        }
    }

    fn is_cancelled(&self, number: u64) -> bool {
        self.current.load(Ordering::Relaxed) != number
    }

    fn send(&self, number: u64, finding: Finding) {
        self.messages.tell(Message::Found { number, finding });
    }
}

/// Answers a question; `None` if cancelled.
fn answer(means: &Means, number: u64, asked: &Asked) -> Option<()> {
    let send = |finding| means.send(number, finding);
    let cancelled = || means.is_cancelled(number);
    match asked {
        Asked::Decision(inquiry) => answer_ply_by_ply(
            &*means.evaluator,
            &means.model,
            *inquiry,
            DEEPEST,
            &cancelled,
            &send,
        ),
        Asked::Play(candidates, settings) => {
            let setup = Setup {
                cube: Some(means.model.clone()),
                ..Setup::from(means.evaluator.clone())
            };
            let checked = check_bias(
                &setup, candidates, settings, BLOCK, BLOCKS, &cancelled, &send,
            );
            checked.unwrap_or_else(|refused| {
                send(Finding::Failed(refused.to_string()));
                None
            })
        }
    }
}

/// Checks the decisions of a rollout's trials block by block; `None` if cancelled.
///
/// # Errors
/// A [`RolloutError`] if there is no deeper play.
pub fn check_bias(
    setup: &Setup,
    candidates: &[Position],
    settings: &Settings,
    trials: u64,
    times: usize,
    cancelled: &(dyn Fn() -> bool + Sync),
    send: &(dyn Fn(Finding) + Sync),
) -> Result<Option<()>, RolloutError> {
    let mut check = BiasChecker::new(setup, candidates, settings)?;
    for _ in 0..times {
        if !check.extend(trials, cancelled) {
            return Ok(None);
        }
        send(Finding::Bias(Arc::new(check.found().clone())));
    }
    Ok(Some(()))
}

/// Answers a question statically, then ply by ply; `None` if cancelled.
pub fn answer_ply_by_ply(
    evaluator: &dyn Evaluator,
    model: &Model,
    inquiry: Inquiry,
    deepest: u8,
    cancelled: &(dyn Fn() -> bool + Sync),
    send: &(dyn Fn(Finding) + Sync),
) -> Option<()> {
    match inquiry {
        Inquiry::Why {
            state,
            is_first_roll,
            plays,
        } => {
            let before = state.before_roll();
            let luck = |roll| RollRank::new(evaluator, model, &before, roll, is_first_roll);
            let luck = state.roll.and_then(luck);
            for ply in 0..=deepest {
                let setup = ComparisonSetup {
                    evaluator,
                    model,
                    state: before,
                    cubeful: true,
                    ply,
                };
                let compared = PlayComparison::new(&setup, plays, cancelled)?;
                send(Finding::Compared(Arc::new(compared), luck));
            }
        }
        Inquiry::Cube { state } => {
            let mut facts = CubeFacts::new(evaluator, model, &state, 0, &cancelled)?;
            send(Finding::Cube(Arc::new(facts.clone())));
            for ply in 1..=deepest {
                facts = facts.at_ply(evaluator, model, &state, ply, &cancelled)?;
                send(Finding::Cube(Arc::new(facts.clone())));
            }
        }
        Inquiry::Rolls {
            state,
            is_first_roll,
        } => {
            for ply in 0..=deepest {
                let table =
                    RollTable::new(evaluator, model, &state, is_first_roll, ply, cancelled)?;
                send(Finding::Rolls(Arc::new(table)));
            }
        }
        Inquiry::Matrix { state, reference } => {
            let matrix = Matrix::new(evaluator, model, state.before_roll(), state.roll);
            fill_matrix(&matrix, reference, deepest, cancelled, send)?;
        }
        // Needs the settings of the rollout: see `check_bias`.
        Inquiry::Bias { .. } => return None,
    }
    Some(())
}

/// Fills a matrix of scores ply by ply, with `reference` or else the best choice at the current score; `None` if
/// cancelled.
fn fill_matrix(
    matrix: &Matrix<'_>,
    reference: Option<ReferenceChoice>,
    deepest: u8,
    cancelled: &(dyn Fn() -> bool + Sync),
    send: &(dyn Fn(Finding) + Sync),
) -> Option<()> {
    let cells: Arc<[_]> = matrix.cells(MATRIX).into();
    for ply in 0..=deepest {
        let present = reference.or_else(|| matrix.best_here(ply, cancelled))?;
        send(match ply {
            0 => Finding::Cells(cells.clone(), present),
            _ => Finding::Reference(present),
        });
        let each = |i, answer| send(Finding::Cell(i, answer));
        if !matrix.fill(&cells, present, ply, cancelled, &each) {
            return None;
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Engine;
    use crate::game::{GameState, Roll};
    use std::time::Duration;

    #[test]
    fn a_question_is_answered_deeper_and_deeper_until_another_comes() {
        let (sender, receiver) = unbounded();
        let evaluator: Arc<dyn Evaluator> = Arc::new(Engine::embedded());
        let inquirer = Inquirer::start(&evaluator, &Arc::new(Model::default()), 2, &sender);
        let mut state = GameState::money(Position::opening());
        state.roll = Roll::new(4, 3);
        let matrix = Inquiry::Matrix {
            state,
            reference: None,
        };
        inquirer.ask(1, Asked::Decision(matrix));
        let next = || receiver.recv_timeout(Duration::from_secs(60)).unwrap();
        // The cells are sent before their answers.
        assert!(matches!(
            next(),
            Message::Found {
                number: 1,
                finding: Finding::Cells(..)
            }
        ));
        state.roll = None;
        let other = Inquiry::Matrix {
            state,
            reference: None,
        };
        inquirer.ask(2, Asked::Decision(other));
        let mut seen = 0;
        loop {
            match next() {
                Message::Found {
                    number: 2,
                    finding: Finding::Cell(..),
                } => seen += 1,
                Message::Found {
                    number: 2,
                    finding: Finding::Done,
                } => break,
                Message::Found { number: 1, finding } => {
                    assert!(!matches!(finding, Finding::Done), "it was given up");
                }
                Message::Found { .. } => {}
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(seen, 3 * (2 + 3 + 2 * 80));
    }
}
