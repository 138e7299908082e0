//! Computes the statistics of a match on a separate thread, including the luck of all rolls.

use std::sync::Arc;

use crossbeam_channel::Sender;

use super::in_background;
use crate::eval::Evaluator;
use crate::tui::message::Message;
use crate::tui::windows::exported::ReviewedMatch;

/// Computes the statistics; `generation` identifies the document.
pub fn start(
    generation: u64,
    reviewed: Box<ReviewedMatch>,
    evaluator: Arc<dyn Evaluator>,
    messages: Sender<Message>,
) {
    let work = move || Ok(reviewed.statistics(&*evaluator));
    let told = move |found| Message::Statistics { generation, found };
    in_background("statistics", &messages, work, told);
}
