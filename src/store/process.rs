//! Processes as others can tell them: on this machine and on those that share a disk with it.
//!
//! The number of a process says nothing on another machine, nor after this one was started again, nor in
//! another container. So it stands behind a mark of where it counts.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::LazyLock;

/// Where the numbers of processes mean what they mean here: this machine since it was started, and what
/// separates containers. Where the system does not say, it is a unique name, and nothing is known of
/// other processes.
static HERE: LazyLock<String> = LazyLock::new(|| {
    let place = match place() {
        Some(place) => crc32fast::hash(&place),
        None => RandomState::new().hash_one("here") as u32,
    };
    format!("{place:08x}")
});

/// What tells this place from others, as Linux says it.
fn place() -> Option<Vec<u8>> {
    let start = std::fs::read("/proc/sys/kernel/random/boot_id").ok()?;
    let container = std::fs::read_link("/proc/self/ns/pid").ok()?;
    let container = container.into_os_string().into_encoded_bytes();
    Some([start, container].concat())
}

/// The mark of this process: short, and fit for the name of a file.
pub(super) fn own() -> String {
    format!("{}-{}", *HERE, std::process::id())
}

/// Whether a text is the mark of a process, of whatever place.
pub(super) fn is_mark(text: &str) -> bool {
    text.split_once('-').is_some_and(|(place, number)| {
        place.len() == HERE.len()
            && place.bytes().all(|b| b.is_ascii_hexdigit())
            && number.parse::<u32>().is_ok()
    })
}

/// Whether the process of this mark is certainly gone. Of those of other places nobody knows.
pub(super) fn is_gone(mark: &str) -> bool {
    let number = mark
        .strip_prefix(HERE.as_str())
        .and_then(|rest| rest.strip_prefix('-'))
        .and_then(|number| number.parse().ok());
    number.is_some_and(|number| number != std::process::id() && !is_running(number))
}

/// Whether a process of this number runs here; where that is not known, it may.
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
