//! The inputs that the fuzzer keeps, replayed: those that once failed, and a few of each kind.
//! `crates/lab/records/fuzzing.md` says how to look for more.

#[path = "../common/readers.rs"]
pub(crate) mod readers;

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
fn kept_inputs_are_read_without_a_panic() {
    replay("match_file", readers::match_file);
    replay("text", readers::text);
    replay("net", readers::net);
    replay("store", readers::store);
    replay("ubgi", readers::ubgi);
    replay("external", readers::external);
    replay("batch", readers::batch);
}
