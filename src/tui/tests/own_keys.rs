//! Keys of the user's own file, through the application.

use crate::tui::testing::TestApp;
use crate::tui::theme::Depth;

#[test]
fn keys_of_the_user_work_and_are_shown() {
    let mut bench = TestApp::new(Depth::True);
    let text_of_file = "[match]\n\"next error\" = \"f2\"\nquit = \"f9\"\n\
                        \"previous turn\" = \"f7\"\n\"next turn\" = \"@\"\n\"roll out\" = []";
    let read = crate::tui::keys::KeyMap::read(text_of_file);
    assert!(read.complaints.is_empty(), "{:?}", read.complaints);
    bench.app.keymap = read.keys;
    let bar = bench.screen(120, 40);
    let bar = bar.lines().last().unwrap();
    assert_has!(bar, "F7@ turns", "F2 next error");
    assert!(
        bar.contains("F9 quit") && !bar.contains("roll out"),
        "{bar}"
    );
    // The hints of the panes and messages name them too, and answer to clicks.
    assert_lacks!(bench.screen(200, 60), "r rolls out");
    bench.keys("f2");
    let at = bench.app.at;
    assert!(at > 0);
    bench.keys("n q");
    assert!(bench.app.at == at && !bench.over);
    bench.keys("@");
    assert_eq!(bench.app.at, at + 1);
    // What has no key is in the palette and in the list of keys.
    let screen = bench.screen_after(": F 2", 80, 24);
    assert_has!(screen, "next error");
    bench.keys("esc : r o l l space o u t enter");
    assert!(bench.rolling.is_some());
    bench.keys("? j");
    assert!(bench.screen(120, 60).contains("F2 "));
    bench.keys("esc f9 f9");
    assert!(bench.over);
}
