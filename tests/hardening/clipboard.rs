//! Copies, as the user sees them: by a tool of the system where there is one, else through the terminal.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use crate::common::terminal::{Terminal, wait};

/// The opening position as an XGID.
const XGID: &str = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10";

/// The workstation with these variables, and tools of ours before those of the system.
fn open(home: &Path, variables: &[&str]) -> Terminal {
    let path = format!("PATH={}:/usr/bin:/bin", home.join("tools").display());
    let gone = [
        "SSH_CONNECTION",
        "SSH_CLIENT",
        "SSH_TTY",
        "DISPLAY",
        "WAYLAND_DISPLAY",
        "WSL_DISTRO_NAME",
    ];
    let gone = gone.iter().flat_map(|name| ["-u", name]);
    let program = env!("CARGO_BIN_EXE_luckless");
    let arguments: Vec<&str> = gone
        .chain([&*path])
        .chain(variables.iter().copied())
        .chain([program, XGID])
        .collect();
    let terminal = Terminal::start(home, "env", &arguments);
    terminal.expect("★");
    terminal
}

/// A program of the user's that keeps its arguments and its input, and then does this.
fn tool(home: &Path, name: &str, then: &str) {
    let folder = home.join("tools");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    let text = format!(
        "#!/bin/sh\nprintf '%s\\n' \"$*\" > {0}.args\ncat > {0}.text\n{then}\n",
        path.display()
    );
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

fn kept(home: &Path, name: &str) -> String {
    let path = home.join("tools").join(name);
    wait("the tool has it", || {
        std::fs::read_to_string(&path)
            .ok()
            .filter(|text| !text.is_empty())
    })
}

#[test]
fn the_systems_clipboard_gets_what_is_copied_and_is_named() {
    let home = tempfile::tempdir().unwrap();
    tool(home.path(), "wl-copy", "exit 1");
    tool(home.path(), "xclip", "");
    let mut terminal = open(home.path(), &["DISPLAY=:9", "WAYLAND_DISPLAY=none"]);
    terminal.keys("y x");
    terminal.expect("XGID copied to the system's clipboard (xclip)");
    assert!(kept(home.path(), "xclip.text").starts_with(XGID));
    assert_eq!(
        kept(home.path(), "xclip.args"),
        "-selection clipboard -in\n"
    );
    assert_eq!(
        kept(home.path(), "wl-copy.text"),
        kept(home.path(), "xclip.text")
    );
}

#[test]
fn without_a_tool_and_over_ssh_the_terminal_gets_it() {
    for variables in [&["DISPLAY=:9"][..], &["DISPLAY=:9", "SSH_TTY=/dev/pts/1"]] {
        let home = tempfile::tempdir().unwrap();
        if variables.len() > 1 {
            tool(home.path(), "xclip", "");
        }
        let mut terminal = open(home.path(), variables);
        terminal.keys("y x");
        terminal.expect("XGID sent to the terminal's clipboard (OSC 52)");
        assert!(!home.path().join("tools/xclip.text").exists());
    }
}

#[test]
fn the_linux_console_has_no_clipboard() {
    let home = tempfile::tempdir().unwrap();
    let mut terminal = open(home.path(), &["TERM=linux"]);
    terminal.keys("y x");
    terminal.expect("nothing is copied: the Linux console has no clipboard");
}

/// It takes what is sent to the terminal's, and hands nothing on.
#[test]
fn gnu_screen_keeps_the_clipboard_to_itself() {
    let home = tempfile::tempdir().unwrap();
    let mut terminal = open(home.path(), &["TERM=screen", "STY=1.pts-0.host"]);
    terminal.keys("y x");
    terminal.expect("nothing is copied: GNU Screen hands nothing on to the terminal's");
}

#[test]
fn the_setting_chooses_and_what_fails_is_said() {
    for (setting, said) in [
        ("off", "nothing is copied"),
        ("terminal", "sent to the terminal's clipboard"),
        ("system", "is not copied: xclip: ended with exit status: 3"),
    ] {
        let home = tempfile::tempdir().unwrap();
        tool(home.path(), "xclip", "exit 3");
        tool(home.path(), "xsel", "exit 4");
        let folder = home.path().join("config/luckless");
        std::fs::create_dir_all(&folder).unwrap();
        let text = format!("clipboard = \"{setting}\"\n");
        std::fs::write(folder.join("settings.toml"), text).unwrap();
        let mut terminal = open(home.path(), &["DISPLAY=:9", "SSH_TTY=/dev/pts/1"]);
        terminal.keys("y x");
        terminal.expect(said);
    }
}
