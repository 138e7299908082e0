//! The inputs that the fuzzer keeps, replayed: those that once failed, and a few of each kind.
//! `crates/lab/records/fuzzing.md` says how to look for more.

#[path = "../common/readers.rs"]
mod readers;

fn replay(target: &str, read: fn(&[u8])) {
    let folder = format!(
        "{}/tests/fixtures/fuzz/{target}",
        env!("CARGO_MANIFEST_DIR")
    );
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let data = std::fs::read(&path).unwrap();
        let read = std::panic::catch_unwind(|| read(&data));
        assert!(read.is_ok(), "{}", path.display());
        count += 1;
    }
    assert!(count > 0, "no input of {target}");
}

#[test]
fn match_files() {
    replay("match_file", readers::match_file);
}

#[test]
fn texts() {
    replay("text", readers::text);
}

#[test]
fn nets() {
    replay("net", readers::net);
}

#[test]
fn stores() {
    replay("store", readers::store);
}

#[test]
fn lines_of_ubgi() {
    replay("ubgi", readers::ubgi);
}

#[test]
fn lines_of_gnu_backgammon() {
    replay("external", readers::external);
}

#[test]
fn jobs_of_batches() {
    replay("batch", readers::batch);
}
