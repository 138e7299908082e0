//! What a match comes to for both players, on a thread of its own: the luck of all rolls is valued for it.

use std::sync::Arc;
use std::thread;

use crossbeam_channel::Sender;

use super::panics::guarded;
use crate::eval::Evaluator;
use crate::tui::exported::ReviewedMatch;
use crate::tui::message::Message;

/// Works it out.
pub fn start(
    reviewed: Box<ReviewedMatch>,
    evaluator: Arc<dyn Evaluator>,
    messages: Sender<Message>,
) {
    let failures = messages.clone();
    let work = move || {
        let lines = guarded(|| Ok(reviewed.statistics(&*evaluator))).unwrap_or_else(Err);
        // Nobody listens only when the program ends.
        let _ = messages.send(Message::Statistics(lines));
    };
    if let Err(error) = thread::Builder::new().name("statistics".into()).spawn(work) {
        // The receiver is the loop itself.
        let _ = failures.send(Message::Statistics(Err(error.to_string())));
    }
}
