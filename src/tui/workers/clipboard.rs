//! The system clipboard, through the systems' tools: text is piped to one of them, without a shell and with a
//! timeout. If there is none, or the user sits at another machine, the terminal's clipboard is used instead.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;

use super::in_background;
use crate::tui::message::Message;

/// Maximum time for a tool.
const TOOL_TIMEOUT: Duration = Duration::from_secs(2);
/// Interval between checks whether it has ended.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// A clipboard tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Tool {
    program: &'static str,
    arguments: &'static [&'static str],
    /// Whether text beyond ASCII must be UTF-16.
    is_wide: bool,
}

const fn tool(program: &'static str, arguments: &'static [&'static str]) -> Tool {
    Tool {
        program,
        arguments,
        is_wide: false,
    }
}

const WAYLAND: Tool = tool("wl-copy", &[]);
const X11: [Tool; 2] = [
    tool("xclip", &["-selection", "clipboard", "-in"]),
    tool("xsel", &["--clipboard", "--input"]),
];
const MACOS: Tool = tool("pbcopy", &[]);
const WINDOWS: Tool = Tool {
    is_wide: true,
    ..tool("clip.exe", &[])
};

type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The reason why the system clipboard is not the user's, if so.
fn remote_reason(environment: Environment<'_>) -> Option<&'static str> {
    ["SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"]
        .iter()
        .any(|name| environment(name).is_some_and(|value| !value.is_empty()))
        .then_some("the program runs on another machine")
}

/// The tools of this system, the most likely first.
fn tools(environment: Environment<'_>) -> Vec<Tool> {
    if cfg!(windows) {
        return vec![WINDOWS];
    }
    if cfg!(target_os = "macos") {
        return vec![MACOS];
    }
    let is_set = |name: &str| environment(name).is_some_and(|value| !value.is_empty());
    let mut all = Vec::new();
    if is_set("WAYLAND_DISPLAY") {
        all.push(WAYLAND);
    }
    if is_set("DISPLAY") {
        all.extend(X11);
    }
    // Linux inside Windows (WSL).
    if is_set("WSL_DISTRO_NAME") {
        all.push(WINDOWS);
    }
    all
}

/// Copies `text`, described as `what`, in the background. Sends the name of the tool, or the reason for failure. With
/// `anywhere`, also copies on a remote machine.
pub fn copy(what: &'static str, text: String, anywhere: bool, messages: Sender<Message>) {
    let copied = text.clone();
    let work = move || {
        let environment = |name: &str| std::env::var(name).ok();
        match remote_reason(&environment).filter(|_| !anywhere) {
            Some(why) => Err(why.to_owned()),
            None => first_of(&tools(&environment), &copied),
        }
    };
    let told = move |by| Message::Copied { what, text, by };
    in_background("clipboard", &messages, work, told);
}

/// Tries the tools in order. Returns the first that accepts the text.
fn first_of(tools: &[Tool], text: &str) -> Result<&'static str, String> {
    let mut reasons = Vec::new();
    for tool in tools {
        match pipe_to_tool(tool, text, TOOL_TIMEOUT) {
            Ok(()) => return Ok(tool.program),
            Err(why) => reasons.push(format!("{}: {why}", tool.program)),
        }
    }
    if reasons.is_empty() {
        reasons.push("no clipboard is known here".to_owned());
    }
    Err(reasons.join("; "))
}

/// Pipes the text to a tool.
fn pipe_to_tool(tool: &Tool, text: &str, timeout: Duration) -> Result<(), String> {
    let bytes = match tool.is_wide && !text.is_ascii() {
        true => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        false => text.as_bytes().to_vec(),
    };
    let mut command = Command::new(tool.program);
    // A tool may stay in the background until the text is pasted, so it must not hold the terminal.
    command
        .args(tool.arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = command.spawn().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => "not installed".to_owned(),
        _ => error.to_string(),
    })?;
    if let Some(mut input) = child.stdin.take() {
        // A tool that does not read blocks only this thread, which ends with it. Its exit status shows whether it
        // read the text.
        let written = thread::Builder::new().spawn(move || {
            let _ = input.write_all(&bytes);
        });
        written.map_err(|error| error.to_string())?;
    }
    let begun = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => return Err(format!("ended with {status}")),
            Ok(None) if begun.elapsed() < timeout => thread::sleep(POLL_INTERVAL),
            Ok(None) => {
                // It may have ended just now.
                let _ = child.kill();
                let _ = child.wait();
                return Err("does not answer".to_owned());
            }
            Err(error) => return Err(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with<'a>(set: &'a [&'a str]) -> impl Fn(&str) -> Option<String> + 'a {
        move |name| set.contains(&name).then(|| "x".to_owned())
    }

    #[test]
    fn another_machine_has_another_clipboard() {
        assert!(remote_reason(&with(&["DISPLAY"])).is_none());
        assert!(remote_reason(&with(&["DISPLAY", "SSH_TTY"])).is_some());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn tools_are_those_of_the_desktop() {
        let names = |set: &[&str]| -> Vec<_> {
            let all = tools(&with(set));
            all.iter().map(|tool| tool.program).collect()
        };
        assert!(names(&[]).is_empty());
        let both = names(&["WAYLAND_DISPLAY", "DISPLAY"]);
        assert_eq!(both, ["wl-copy", "xclip", "xsel"]);
        assert_eq!(names(&["WSL_DISTRO_NAME"]), ["clip.exe"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_tool_that_fails_or_hangs_is_left_for_the_next() {
        let [missing, fails, takes] = [
            tool("luckless-has-no-such-tool", &[]),
            tool("false", &[]),
            tool("cat", &[]),
        ];
        let long = "é".repeat(100_000);
        assert_eq!(first_of(&[missing, fails, takes], &long), Ok("cat"));
        let why = first_of(&[missing, fails], "x").unwrap_err();
        assert_has!(why, "such-tool: not installed", "false: ended with");
        let begun = Instant::now();
        let hangs = tool("sleep", &["60"]);
        let why = pipe_to_tool(&hangs, &long, Duration::from_millis(50)).unwrap_err();
        assert_eq!(why, "does not answer");
        assert!(begun.elapsed() < Duration::from_secs(30));
        let why = first_of(&[], "x").unwrap_err();
        assert_eq!(why, "no clipboard is known here");
    }
}
