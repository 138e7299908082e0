//! A match of the library whose file is not there any more.

use super::{answered, library};
use crate::tui::testing::TestApp;
use crate::tui::theme::Depth;
use crate::tui::windows::overlay::Overlay;

/// A copy of the file is the way out: not that the system knows no such file.
#[test]
fn a_match_without_its_file_names_the_way_out() {
    let (folder, path) = library();
    std::fs::remove_file(folder.path().join("clara.mat")).unwrap();
    let mut bench = TestApp::typed(Depth::None, "/");
    answered(&mut bench, &path);
    bench.keys("enter");
    assert_has!(bench.said(), "`luckless library add FILE`");
    // The list stays, for another match.
    assert!(matches!(bench.app.overlay, Some(Overlay::Library)));
}
