//! Identifies processes across machines that share a disk.
//!
//! A process ID is meaningless on another machine, after a reboot, or in another container. It is therefore preceded
//! by a mark of its place.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::LazyLock;

/// Mark of the place where process IDs are valid: this machine since its boot, and the container. Where the system
/// does not provide these, it is a random name, and nothing is known about other processes.
static HERE: LazyLock<String> = LazyLock::new(|| {
    let place = match place() {
        Some(place) => crc32fast::hash(&place),
        None => RandomState::new().hash_one("here") as u32,
    };
    format!("{place:08x}")
});

/// Returns what identifies this place on Linux.
fn place() -> Option<Vec<u8>> {
    let start = std::fs::read("/proc/sys/kernel/random/boot_id").ok()?;
    let container = std::fs::read_link("/proc/self/ns/pid").ok()?;
    let container = container.into_os_string().into_encoded_bytes();
    Some([start, container].concat())
}

/// The mark of this process: short, and valid in a file name.
pub(super) fn own() -> String {
    format!("{}-{}", *HERE, std::process::id())
}

/// Returns whether a text is a process mark, of any place.
pub(super) fn is_mark(text: &str) -> bool {
    text.split_once('-').is_some_and(|(place, number)| {
        place.len() == HERE.len()
            && place.bytes().all(|b| b.is_ascii_hexdigit())
            && number.parse::<u32>().is_ok()
    })
}

/// Returns whether the process with this mark has certainly ended. Processes of other places count as running.
pub(super) fn is_gone(mark: &str) -> bool {
    let number = mark
        .strip_prefix(HERE.as_str())
        .and_then(|rest| rest.strip_prefix('-'))
        .and_then(|number| number.parse().ok());
    number.is_some_and(|number| number != std::process::id() && !is_running(number))
}

/// Returns whether a process with this ID runs here, or may run.
#[cfg(unix)]
fn is_running(process: u32) -> bool {
    let id = i32::try_from(process)
        .ok()
        .and_then(rustix::process::Pid::from_raw);
    id.is_some_and(|id| rustix::process::test_kill_process(id) != Err(rustix::io::Errno::SRCH))
}

#[cfg(not(unix))]
fn is_running(_process: u32) -> bool {
    true
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn only_processes_of_this_place_are_known_to_be_gone() {
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let gone = child.id();
        child.wait().unwrap();
        assert!(is_gone(&format!("{}-{gone}", *HERE)));
        assert!(!is_gone(&own()));
        assert!(!is_gone(&format!("{}-1", *HERE)));
        for elsewhere in [format!("00000000-{gone}"), gone.to_string(), String::new()] {
            assert!(!is_gone(&elsewhere), "{elsewhere}");
        }
    }
}
