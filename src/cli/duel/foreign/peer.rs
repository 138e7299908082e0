//! Exchanges lines with another program, with limits of size and time.

use std::io::{BufReader, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs as _};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};

use super::answers::fault;
use crate::bounded_lines::{Line, read_line, without_zeros};
use crate::duel::{Fault, FaultKind};

/// Maximum length of a line in bytes.
const LONGEST: u64 = 1 << 20;
/// Maximum number of unread lines; then the other side must wait.
const WAITING: usize = 16;
/// Maximum number of lines skipped before an answer.
const MOST_SKIPPED: usize = 1000;

enum Link {
    Process(Child),
    Connection(TcpStream),
}

/// A conversation in lines. Dropping it ends it: a process is killed.
pub(super) struct Peer {
    link: Link,
    lines: Receiver<Line>,
    timeout: Duration,
}

impl Peer {
    /// Starts a program with stdin and stdout as its channel.
    pub(super) fn start(command: &[String], timeout: Duration) -> Result<Self, Fault> {
        let absent = |why: String| fault(FaultKind::Absent, "cannot be started", &why);
        let (program, arguments) = command
            .split_first()
            .ok_or_else(|| absent("no command".into()))?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| absent(format!("{program}: {error}")))?;
        let (sender, lines) = crossbeam_channel::bounded(WAITING);
        let stdout = child.stdout.take();
        let peer = Self {
            link: Link::Process(child),
            lines,
            timeout,
        };
        match stdout {
            Some(stdout) => listen(stdout, sender)?,
            None => return Err(absent("no output".into())),
        }
        Ok(peer)
    }

    /// Connects to a listening program.
    pub(super) fn connect(address: &str, timeout: Duration) -> Result<Self, Fault> {
        let absent = |why: std::io::Error| {
            let why = format!("{address}: {why}");
            fault(FaultKind::Absent, "cannot be reached", &why)
        };
        let mut last = std::io::Error::other("no such host");
        for place in address.to_socket_addrs().map_err(absent)? {
            match TcpStream::connect_timeout(&place, timeout) {
                Ok(stream) => {
                    let (sender, lines) = crossbeam_channel::bounded(WAITING);
                    let reader = stream
                        .set_write_timeout(Some(timeout))
                        .and_then(|()| stream.set_nodelay(true))
                        .and_then(|()| stream.try_clone())
                        .map_err(absent)?;
                    listen(reader, sender)?;
                    return Ok(Self {
                        link: Link::Connection(stream),
                        lines,
                        timeout,
                    });
                }
                Err(error) => last = error,
            }
        }
        Err(absent(last))
    }

    pub(super) fn send(&mut self, text: &str) -> Result<(), Fault> {
        let bytes = text.as_bytes();
        let sent = match &mut self.link {
            Link::Process(child) => match &mut child.stdin {
                Some(stdin) => stdin.write_all(bytes).and_then(|()| stdin.flush()),
                None => Ok(()),
            },
            Link::Connection(stream) => stream.write_all(bytes),
        };
        sent.map_err(|error| {
            use std::io::ErrorKind::{TimedOut, WouldBlock};
            let kind = match error.kind() {
                TimedOut | WouldBlock => FaultKind::Late,
                _ => FaultKind::Closed,
            };
            Fault::new(kind, "does not listen any more")
        })
    }

    /// Waits for the first line that `meant` parses, skipping others. Time and number of lines are limited.
    pub(super) fn wait<T>(
        &self,
        mut meant: impl FnMut(&str) -> Option<Result<T, Fault>>,
    ) -> Result<T, Fault> {
        let deadline = Instant::now() + self.timeout;
        let mut last = String::new();
        for _ in 0..MOST_SKIPPED {
            match self.lines.recv_deadline(deadline) {
                Ok(Line::Whole(line)) => {
                    let line = without_zeros(&line);
                    if let Some(answer) = meant(line) {
                        return answer;
                    }
                    last = line.to_owned();
                }
                Ok(Line::TooLong) => {
                    let what = format!("a line of more than {LONGEST} bytes");
                    return Err(Fault::new(FaultKind::Garbled, what));
                }
                Err(RecvTimeoutError::Timeout) => {
                    let seconds = self.timeout.as_secs_f64();
                    let what = format!("no answer within {seconds} s");
                    return Err(Fault::new(FaultKind::Late, what));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Fault::new(FaultKind::Closed, "ended"));
                }
            }
        }
        Err(fault(
            FaultKind::Garbled,
            "no answer among many lines",
            &last,
        ))
    }
}

/// Reads lines on a separate thread until either side ends.
fn listen(input: impl Read + Send + 'static, sender: Sender<Line>) -> Result<(), Fault> {
    let work = move || {
        let mut input = BufReader::new(input);
        loop {
            let Ok(Some(line)) = read_line(&mut input, LONGEST) else {
                return;
            };
            let is_last = line == Line::TooLong;
            if sender.send(line).is_err() || is_last {
                return;
            }
        }
    };
    let spawned = thread::Builder::new().name("peer".into()).spawn(work);
    let absent = |error: std::io::Error| fault(FaultKind::Absent, "no thread", &error.to_string());
    spawned.map(drop).map_err(absent)
}

impl Drop for Peer {
    fn drop(&mut self) {
        match &mut self.link {
            // It may have ended already.
            Link::Process(child) => {
                drop(child.stdin.take());
                let _ = child.kill();
                let _ = child.wait();
            }
            Link::Connection(stream) => {
                let _ = stream.shutdown(Shutdown::Both);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    /// A list of all plays with their chances may be long; an endless line is refused.
    #[test]
    fn long_lines_are_heard_and_endless_ones_are_not() -> Result<(), Fault> {
        let longest = usize::try_from(LONGEST).unwrap_or(usize::MAX);
        let long = "x".repeat(longest);
        let (sender, lines) = crossbeam_channel::bounded(WAITING);
        let input = format!("{long}\nready\n{}", "y".repeat(2 * longest));
        listen(Cursor::new(input), sender)?;
        let lengths: Vec<Option<usize>> = lines
            .iter()
            .map(|heard| match heard {
                Line::Whole(line) => Some(line.len()),
                Line::TooLong => None,
            })
            .collect();
        assert_eq!(lengths, [Some(longest), Some(5), None]);
        Ok(())
    }
}
