//! Records the screens of tests, to show that refactoring changes none.
//!
//! If the variable `LUCKLESS_RECORDS` names a folder, each test writes a file there with a line for every screen: its
//! size and a hash of text and styles. `diff -r` compares the folders of two versions.

use std::cell::Cell;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::PathBuf;

use ratatui::buffer::Buffer;
use sha2::{Digest as _, Sha256};

/// Records a screen. `content` returns its text and styles.
pub(super) fn record(buffer: &Buffer, content: impl Fn(&Buffer) -> String) {
    thread_local! { static HAS_BEGUN: Cell<bool> = const { Cell::new(false) } }
    let Some(folder) = std::env::var_os("LUCKLESS_RECORDS") else {
        return;
    };
    let thread = std::thread::current();
    let name = thread.name().unwrap_or("unnamed").replace("::", ".");
    let folder = PathBuf::from(folder).join("screens");
    fs::create_dir_all(&folder).unwrap();
    let begun = HAS_BEGUN.replace(true);
    let mut options = OpenOptions::new();
    let options = options.create(true).write(true);
    let options = options.append(begun).truncate(!begun);
    let mut file = options.open(folder.join(name)).unwrap();
    let hash = Sha256::digest(content(buffer));
    let (width, height) = (buffer.area.width, buffer.area.height);
    writeln!(file, "{width}x{height} {hash:x}").unwrap();
}
