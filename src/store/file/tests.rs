//! Tests of atomic writes.

use super::*;

#[test]
fn what_is_saved_is_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a/b/state.json");
    save(&path, &vec![1.5f64, -0.1]).unwrap();
    save(&path, &vec![2.5f64]).unwrap();
    assert_eq!(load::<Vec<f64>>(&path, LIMIT).unwrap(), [2.5]);
    let left = fs::read_dir(path.parent().unwrap()).unwrap().count();
    assert_eq!(left, 1, "no neighbour is left behind");
}

/// The temporary file needs a longer name than the file itself; there must be room for it.
#[test]
fn a_file_may_have_the_longest_name_there_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("é".repeat(127));
    write(&path, b"x").unwrap();
    write(&path, b"y").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"y");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    assert_eq!(short_name(&format!("x{}", "é".repeat(126))).len(), 199);
    assert_eq!(short_name("a.mat"), "a.mat");
}

#[test]
fn a_file_has_one_real_path() {
    let folder = tempfile::tempdir().unwrap();
    let folder = real_path(folder.path());
    fs::create_dir(folder.join("m")).unwrap();
    fs::write(folder.join("m/a.mat"), "x").unwrap();
    let whole = folder.join("m").join("a.mat");
    assert_eq!(real_path(&folder.join("m/../m/a.mat")), whole);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&whole, folder.join("link.mat")).unwrap();
        assert_eq!(real_path(&folder.join("link.mat")), whole);
    }
    // Also a missing file, and one in a missing folder.
    let gone = folder.join("m").join("gone.mat");
    assert_eq!(real_path(&folder.join("m/../m/gone.mat")), gone);
    let nowhere = folder.join("none").join("a.mat");
    assert_eq!(real_path(&nowhere), nowhere);
}

#[test]
fn a_path_has_no_prefix_of_windows() {
    let without = |text: &str| without_prefix(PathBuf::from(text));
    assert_eq!(without(r"\\?\C:\m\a.mat"), Path::new(r"C:\m\a.mat"));
    for other in [r"\\?\UNC\host\m\a.mat", "/m/a.mat"] {
        assert_eq!(without(other), Path::new(other));
    }
}

#[test]
fn broken_and_missing_files_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.json");
    assert!(matches!(
        load::<u32>(&path, LIMIT).unwrap_err(),
        StoreError::Io { .. }
    ));
    write(&path, b"[1,\n 2").unwrap();
    let error = load::<Vec<u32>>(&path, LIMIT).unwrap_err().to_string();
    assert_has!(error, "line 2");
    assert!(matches!(
        read(&path, 3).unwrap_err(),
        StoreError::TooLarge { limit: 3, .. }
    ));
}

#[cfg(unix)]
#[test]
fn links_stay_and_pipes_are_written_to() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("real"), "old").unwrap();
    std::os::unix::fs::symlink(at("real"), at("link")).unwrap();
    write(&at("link"), b"new").unwrap();
    assert!(at("link").symlink_metadata().unwrap().is_symlink());
    assert_eq!(fs::read(at("real")).unwrap(), b"new");
    let pipe = at("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read(pipe).unwrap()
    });
    write(&pipe, b"through").unwrap();
    assert_eq!(reader.join().unwrap(), b"through");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
}

#[cfg(unix)]
#[test]
fn links_to_what_is_not_there_yet_stay_links() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    // A relative link, a chain of links, and an absolute target.
    symlink("later", at("link")).unwrap();
    fs::create_dir(at("sub")).unwrap();
    symlink("../link", at("sub/chain")).unwrap();
    symlink(at("none/new"), at("whole")).unwrap();
    write(&at("sub/chain"), b"one").unwrap();
    write(&at("whole"), b"two").unwrap();
    for (link, real, bytes) in [
        ("link", "later", b"one"),
        ("sub/chain", "later", b"one"),
        ("whole", "none/new", b"two"),
    ] {
        assert!(at(link).symlink_metadata().unwrap().is_symlink(), "{link}");
        assert!(!at(real).symlink_metadata().unwrap().is_symlink(), "{real}");
        assert_eq!(fs::read(at(link)).unwrap(), bytes);
    }
    // Circular links stay unchanged.
    symlink("b", at("a")).unwrap();
    symlink("a", at("b")).unwrap();
    write(&at("a"), b"x").unwrap_err();
    assert_eq!(fs::read_link(at("a")).unwrap(), Path::new("b"));
}

#[cfg(unix)]
#[test]
fn a_file_that_is_replaced_keeps_its_permissions() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    let mode = || path.metadata().unwrap().permissions().mode() & 0o777;
    for wanted in [0o600, 0o640, 0o666, 0o444, 0o755] {
        write(&path, b"old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(wanted)).unwrap();
        write(&path, b"new").unwrap();
        assert_eq!(mode(), wanted);
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }
}

#[test]
fn a_new_file_is_whole_and_takes_the_place_of_none() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    write_new(&at("new"), b"whole").unwrap();
    assert_eq!(fs::read(at("new")).unwrap(), b"whole");
    assert!(write_new(&at("new"), b"other").unwrap_err().is_taken());
    assert!(write_new(&at("none/new"), b"x").is_err());
    assert_eq!(fs::read(at("new")).unwrap(), b"whole");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn pipes_without_another_end_are_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let error = write(&pipe, b"x").unwrap_err().to_string();
    assert_has!(error, "nobody reads");
    let error = read(&pipe, 10).unwrap_err().to_string();
    assert_has!(error, "not a regular file");
}

/// A process that has ended here may run on another machine: its file stays until it is old.
#[cfg(target_os = "linux")]
#[test]
fn what_a_killed_process_left_is_cleared_away() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    // A process that has certainly ended.
    let mut child = std::process::Command::new("true").spawn().unwrap();
    let gone = child.id();
    child.wait().unwrap();
    let here = process::own();
    let (here, _) = here.split_once('-').unwrap();
    let yesterday = std::time::SystemTime::now() - 2 * LONGEST_WRITE;
    for (name, old) in [
        (format!("state.{here}-{gone}.tmp"), false),
        (format!("state.{here}-{gone}.3.tmp"), false),
        (format!("state.{here}-{gone}.old.tmp"), false),
        (format!("state.{here}-1.tmp"), false),
        (format!("state.0badcafe-{gone}.tmp"), false),
        (format!("state.{gone}.tmp"), false),
        ("state.0badcafe-7.tmp".into(), true),
        (format!("other.{here}-{gone}.tmp"), false),
        ("state.2024-11.tmp".into(), true),
    ] {
        let file = File::create(folder.path().join(name)).unwrap();
        if old {
            file.set_modified(yesterday).unwrap();
        }
    }
    write(&path, b"x").unwrap();
    let mut left: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    left.sort();
    // Process 1 always runs, and the other files have other names.
    let mut expected = [
        format!("other.{here}-{gone}.tmp"),
        "state".into(),
        format!("state.{here}-1.tmp"),
        format!("state.{here}-{gone}.old.tmp"),
        format!("state.0badcafe-{gone}.tmp"),
        format!("state.{gone}.tmp"),
        "state.2024-11.tmp".into(),
    ];
    expected.sort();
    assert_eq!(left, expected);
}

/// Threads that write one file at the same time do not mix their contents.
#[test]
fn a_file_written_twice_at_once_is_one_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shared");
    let texts = [vec![b'a'; 1 << 20], vec![b'b'; 1 << 10]];
    for _ in 0..20 {
        std::thread::scope(|scope| {
            for text in &texts {
                scope.spawn(|| write(&path, text).unwrap());
            }
        });
        assert!(texts.contains(&fs::read(&path).unwrap()));
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_failed_write_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    // A folder in the place of the file: the rename must fail.
    let path = folder.path().join("taken");
    fs::create_dir(&path).unwrap();
    assert!(write(&path, b"x").is_err());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}
