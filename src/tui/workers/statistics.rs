//! What a match comes to for both players, on a thread of its own: the luck of all rolls is valued for it.

use std::sync::Arc;
use std::thread;

use crossbeam_channel::Sender;

use super::panics::guarded;
use crate::eval::Evaluator;
use crate::tui::exported::ReviewedMatch;
use crate::tui::message::Message;

/// Works it out; `generation` says of which document.
pub fn start(
    (generation, reviewed): (u64, Box<ReviewedMatch>),
    evaluator: Arc<dyn Evaluator>,
    messages: Sender<Message>,
) {
    let failures = messages.clone();
    let work = move || {
        let lines = guarded(|| Ok(reviewed.statistics(&*evaluator))).unwrap_or_else(Err);
        // Nobody listens only when the program ends.
        let _ = messages.send(Message::Statistics { generation, lines });
    };
    if let Err(error) = thread::Builder::new().name("statistics".into()).spawn(work) {
        // The receiver is the loop itself.
        let lines = Err(error.to_string());
        let _ = failures.send(Message::Statistics { generation, lines });
    }
}
