//! Opens sources on a separate thread, because files may be large and disks slow.

use crossbeam_channel::Sender;

use super::in_background;
use crate::tui::documents::open::{self, How};
use crate::tui::message::Message;
use crate::tui::state::{Document, Openable};

/// Opens `source` and sends it with the number of the opening; with `is_again`, rereads the displayed file.
pub fn start(number: u64, source: Openable, how: How, is_again: bool, messages: &Sender<Message>) {
    let read = move || match is_again {
        true => open::reopen(&source, number, &how),
        false => open::open(&source, number, &how),
    };
    answer(number, is_again, read, messages);
}

fn answer(
    number: u64,
    is_again: bool,
    read: impl FnOnce() -> Result<Document, String> + Send + 'static,
    messages: &Sender<Message>,
) {
    let told = move |document: Result<Document, String>| {
        let document = document.map(Box::new);
        match is_again {
            true => Message::Reread(number, document),
            false => Message::Opened(number, document),
        }
    };
    in_background("open", messages, read, told);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::testing::TestApp;
    use crate::tui::theme::Depth;
    use crossbeam_channel::unbounded;

    /// After a panic nothing waits forever.
    #[test]
    fn a_panic_ends_the_opening() {
        let (messages, heard) = unbounded();
        for is_again in [false, true] {
            let mut bench = TestApp::new(Depth::True);
            let number = match is_again {
                true => bench.app.openings.begin_again(),
                false => bench.app.openings.begin(),
            };
            answer(number, is_again, || panic!("a damaged file"), &messages);
            bench.tell(heard.recv().unwrap());
            assert!(!bench.app.openings.is_under_way());
            let said = bench.app.status.as_ref().map(|status| &*status.text);
            assert!(
                said.is_some_and(|said| said.contains("a damaged file")),
                "{said:?}"
            );
        }
    }
}
