//! Detection of GNU Screen, which filters the communication with the user's terminal.

/// Returns whether GNU Screen is the innermost multiplexer. It sets `STY` for its children, which include a tmux
/// inside it. Over ssh only the terminal name is passed on; tmux uses similar names, but without a dot.
pub fn is_between(get: &dyn Fn(&str) -> Option<String>) -> bool {
    let is_set = |name: &str| get(name).is_some_and(|value| !value.is_empty());
    is_set("STY") && !is_set("TMUX") || get("TERM").is_some_and(|term| term.starts_with("screen."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::testing::environment;

    #[test]
    fn screen_is_told_from_tmux() {
        let between = |list: &[(&str, &str)]| is_between(&environment(list));
        assert!(between(&[("STY", "1.pts-0.host"), ("TERM", "screen")]));
        assert!(between(&[("STY", "1.pts-0.host"), ("TERM", "xterm")]));
        assert!(between(&[("TERM", "screen.xterm-256color")]));
        assert!(!between(&[("STY", ""), ("TERM", "screen-256color")]));
        assert!(!between(&[
            ("STY", "1.pts-0.host"),
            ("TMUX", "/tmp/x,1,0"),
            ("TERM", "tmux-256color")
        ]));
        assert!(!between(&[
            ("TERM", "tmux-256color"),
            ("TMUX", "/tmp/x,1,0")
        ]));
        assert!(!between(&[]));
    }
}
