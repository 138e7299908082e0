//! Who the user is, and what follows from that.

use crate::game::Player;
use crate::tui::message::Message;
use crate::tui::state::Document;
use crate::tui::testing::{TestApp, record};
use crate::tui::theme::Depth;

/// Whoever is named first: one's own side of the board is below, and `f` turns it round.
#[test]
fn the_user_is_at_the_bottom() {
    let mut bench = TestApp::new(Depth::None);
    let [first, second] = bench.app.document.record.players.clone();
    assert_eq!(bench.app.bottom(), Player::Left);
    bench.app.people.set_me(&second, true);
    assert_eq!(bench.app.bottom(), Player::Right);
    let lines = bench.screen(120, 40);
    let row = |name: &str| {
        lines.lines().position(|line| {
            line.contains(&format!("● {name}")) || line.contains(&format!("○ {name}"))
        })
    };
    assert!(row(&first) < row(&second), "{lines}");
    bench.keys("V f");
    assert_eq!(bench.app.bottom(), Player::Left);
    // That holds for the match in view.
    let again = Document::of_match(record(), "again".into(), 2);
    bench.tell(Message::Opened(2, Ok(Box::new(again))));
    assert_eq!(bench.app.bottom(), Player::Right);
    // Who has both sides, or is not in the match, is nobody's opponent: boards stay as they were turned.
    bench.app.people.set_me(&first, true);
    assert_eq!(bench.app.bottom(), Player::Left);
    bench.keys("V f");
    let other = Document::of_match(record(), "other".into(), 3);
    bench.tell(Message::Opened(3, Ok(Box::new(other))));
    assert_eq!(bench.app.bottom(), Player::Right);
}
