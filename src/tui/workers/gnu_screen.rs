//! GNU Screen between the program and the terminal of the user: it takes some of what either sends.

/// Whether GNU Screen is there. It says so to what it starts (`STY`), a tmux in it among that, which is between then. Over
/// ssh only the name of its terminal is passed on, and tmux uses such names too, but none with a dot.
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
