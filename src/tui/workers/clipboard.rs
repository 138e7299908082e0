//! The system's clipboard, by the tools that systems have for it: text goes to the input of one of them,
//! without a shell and not for longer than a moment. Where none is at hand, or the user sits at another
//! machine, the terminal's clipboard is left to the screen.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;

use super::in_background;
use crate::tui::message::Message;

/// How long a tool may take.
const TOOL_TIMEOUT: Duration = Duration::from_secs(2);
/// Time between two checks whether it has ended.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// What takes text for the clipboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Tool {
    program: &'static str,
    arguments: &'static [&'static str],
    /// Whether text beyond ASCII has to come in UTF-16.
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

/// Why the system's clipboard is not that of the user, if it is not.
fn elsewhere(environment: Environment<'_>) -> Option<&'static str> {
    ["SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"]
        .iter()
        .any(|name| environment(name).is_some_and(|value| !value.is_empty()))
        .then_some("the program runs on another machine")
}

/// The tools that this system may have, the likeliest first.
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
    // Linux inside Windows.
    if is_set("WSL_DISTRO_NAME") {
        all.push(WINDOWS);
    }
    all
}

/// Copies `text`, which is called `what`, in the background. The answer names the tool that took it, or says
/// why none did; `anywhere` also on another machine than the user's.
pub fn copy(what: &'static str, text: String, anywhere: bool, messages: Sender<Message>) {
    let copied = text.clone();
    let work = move || {
        let environment = |name: &str| std::env::var(name).ok();
        match elsewhere(&environment).filter(|_| !anywhere) {
            Some(why) => Err(why.to_owned()),
            None => first_of(&tools(&environment), &copied),
        }
    };
    let told = move |by| Message::Copied { what, text, by };
    in_background("clipboard", &messages, work, told);
}

/// The first tool that takes the text.
fn first_of(tools: &[Tool], text: &str) -> Result<&'static str, String> {
    let mut reasons = Vec::new();
    for tool in tools {
        match put(tool, text, TOOL_TIMEOUT) {
            Ok(()) => return Ok(tool.program),
            Err(why) => reasons.push(format!("{}: {why}", tool.program)),
        }
    }
    if reasons.is_empty() {
        reasons.push("no clipboard is known here".to_owned());
    }
    Err(reasons.join("; "))
}

/// Hands the text to a tool.
fn put(tool: &Tool, text: &str, timeout: Duration) -> Result<(), String> {
    let bytes = match tool.is_wide && !text.is_ascii() {
        true => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        false => text.as_bytes().to_vec(),
    };
    let mut command = Command::new(tool.program);
    // A tool may go on in the background until the text is pasted: it must hold nothing of the
    // terminal.
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
        // One that reads nothing holds up nobody but this thread, which ends with it. What it did not
        // read its status tells.
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
                // It may have ended this moment.
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
        assert!(elsewhere(&with(&["DISPLAY"])).is_none());
        assert!(elsewhere(&with(&["DISPLAY", "SSH_TTY"])).is_some());
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
        assert!(why.contains("such-tool: not installed"), "{why}");
        assert!(why.contains("false: ended with"), "{why}");
        let begun = Instant::now();
        let hangs = tool("sleep", &["60"]);
        let why = put(&hangs, &long, Duration::from_millis(50)).unwrap_err();
        assert_eq!(why, "does not answer");
        assert!(begun.elapsed() < Duration::from_secs(30));
        let why = first_of(&[], "x").unwrap_err();
        assert_eq!(why, "no clipboard is known here");
    }
}
