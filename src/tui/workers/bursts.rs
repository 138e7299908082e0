//! Detects pasted text in terminals that do not mark it: it arrives as keys, faster than anyone types. Treated as
//! keys it would trigger actions, so a burst is forwarded as a paste.

use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::gnu_screen;

/// Maximum time between keys of a burst, which no typist reaches. Every key is delayed by this time.
const GAP: Duration = Duration::from_millis(3);
/// Minimum keys of a paste; fewer are typed. Everything that can be opened is longer.
const SHORTEST: usize = 6;
/// Minimum number of different letters: repeated keys are not text.
const LEAST_LETTERS: usize = 3;
/// Maximum length of a paste in characters; the rest is dropped.
const LONGEST: usize = 1 << 20;

/// Returns whether this terminal may not mark pastes: a Windows console or an old terminal type. GNU Screen forwards
/// the terminal's marks, but pastes its own buffer without.
pub(super) fn come_unmarked(get: &dyn Fn(&str) -> Option<String>) -> bool {
    const NAMES: [&str; 3] = ["ansi", "cons25", "wsvt25"];
    let term = get("TERM").unwrap_or_default();
    // VTE terminals have similar names.
    let is_vt = term.starts_with("vt") && !term.starts_with("vte");
    let is_console = term == "linux" || NAMES.iter().any(|name| term.starts_with(name));
    cfg!(not(unix)) || is_vt || is_console || gnu_screen::is_between(get)
}

/// Forwards events until the end, converting bursts of letters into pastes.
pub(super) fn gather(typed: &Receiver<Event>, events: &Sender<Event>) {
    gather_within(typed, events, GAP);
}

/// The same, with a maximum time of `gap` between the keys of a burst.
fn gather_within(typed: &Receiver<Event>, events: &Sender<Event>, gap: Duration) {
    let mut burst = Vec::new();
    loop {
        let next = match burst.is_empty() {
            true => typed.recv().map_err(|_| RecvTimeoutError::Disconnected),
            false => typed.recv_timeout(gap),
        };
        let (ended, other) = match next {
            // Consoles report key releases between key presses; they are ignored.
            Ok(Event::Key(key)) if key.kind == KeyEventKind::Release => continue,
            Ok(Event::Key(key)) if letter(&key).is_some() => {
                if burst.len() < LONGEST {
                    burst.push(key);
                }
                continue;
            }
            Ok(other) => (false, Some(other)),
            Err(RecvTimeoutError::Timeout) => (false, None),
            Err(RecvTimeoutError::Disconnected) => (true, None),
        };
        for event in meant(std::mem::take(&mut burst)).into_iter().chain(other) {
            if events.send(event).is_err() {
                return;
            }
        }
        if ended {
            return;
        }
    }
}

/// The character of a key in a text; `None` for keys that type nothing.
fn letter(key: &KeyEvent) -> Option<char> {
    if !key.modifiers.difference(KeyModifiers::SHIFT).is_empty() {
        return None;
    }
    match key.code {
        KeyCode::Char(c) => Some(c),
        KeyCode::Enter => Some('\n'),
        KeyCode::Tab => Some('\t'),
        _ => None,
    }
}

/// Returns the keys as events, or as the paste they represent.
fn meant(burst: Vec<KeyEvent>) -> Vec<Event> {
    let mut letters: Vec<char> = burst.iter().filter_map(letter).collect();
    let text: String = letters.iter().collect();
    letters.sort_unstable();
    letters.dedup();
    if burst.len() >= SHORTEST && letters.len() >= LEAST_LETTERS {
        return vec![Event::Paste(text)];
    }
    burst.into_iter().map(Event::Key).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::testing::environment;
    use std::thread;

    fn key(c: char) -> Event {
        let code = match c {
            '\n' => KeyCode::Enter,
            c => KeyCode::Char(c),
        };
        Event::Key(KeyEvent::new(code, KeyModifiers::NONE))
    }

    fn keys(text: &str) -> Vec<Event> {
        text.chars().map(key).collect()
    }

    /// Number of key presses in an event: all letters of a paste.
    fn keys_in(event: &Event) -> usize {
        match event {
            Event::Paste(text) => text.chars().count(),
            Event::Key(key) => usize::from(key.kind != KeyEventKind::Release),
            _ => 1,
        }
    }

    /// The output for groups of events, each sent after the previous one was forwarded.
    fn handed_on(groups: &[Vec<Event>]) -> Vec<Event> {
        let (sender, typed) = crossbeam_channel::unbounded();
        let (events, received) = crossbeam_channel::unbounded();
        // On busy cores this thread may pause between two keys of a burst.
        let gap = Duration::from_millis(250);
        let thread = thread::spawn(move || gather_within(&typed, &events, gap));
        let mut all = Vec::new();
        for group in groups {
            for event in group {
                sender.send(event.clone()).unwrap();
            }
            let mut left: usize = group.iter().map(keys_in).sum();
            while left > 0 {
                let event = received.recv_timeout(Duration::from_secs(60)).unwrap();
                left -= keys_in(&event);
                all.push(event);
            }
        }
        drop(sender);
        thread.join().unwrap();
        all.extend(received.iter());
        all
    }

    #[test]
    fn a_burst_of_keys_is_pasted_text() {
        let id = "4HPwATDgc/ABMA";
        assert_eq!(handed_on(&[keys(id)]), [Event::Paste(id.into())]);
        let path = "C:\\games\\x.mat\n";
        let found = handed_on(&[keys("j"), keys(path), keys("q")]);
        assert_eq!(found, [key('j'), Event::Paste(path.into()), key('q')]);
    }

    #[test]
    fn a_console_that_tells_when_keys_go_up_is_no_exception() {
        let up = |event: &Event| {
            let Event::Key(key) = event else {
                unreachable!()
            };
            let (code, kind) = (key.code, KeyEventKind::Release);
            Event::Key(KeyEvent::new_with_kind(code, key.modifiers, kind))
        };
        let both = |event: Event| [event.clone(), up(&event)];
        let group: Vec<Event> = keys("XGID=-b").into_iter().flat_map(both).collect();
        assert_eq!(handed_on(&[group]), [Event::Paste("XGID=-b".into())]);
        assert_eq!(handed_on(&[both(key('q')).to_vec()]), keys("q"));
    }

    #[test]
    fn what_is_typed_or_held_down_is_keys() {
        let typed = [keys("rq"), keys("xyz"), keys(":he")];
        assert_eq!(handed_on(&typed), typed.concat());
        let held = [keys("jjjjjjjjjjjjjjjjjjkkkkkjjjkkkk")];
        assert_eq!(handed_on(&held), held.concat());
        // A key with Ctrl ends a burst and is not part of it.
        let ctrl = Event::Key(KeyEvent::new(KeyCode::Char('l'), KeyModifiers::CONTROL));
        let group = [keys("abcdefg"), vec![ctrl.clone()]].concat();
        assert_eq!(handed_on(&[group]), [Event::Paste("abcdefg".into()), ctrl]);
    }

    #[test]
    fn the_terminal_says_whether_pastes_are_marked() {
        let of = |term: &str| come_unmarked(&environment(&[("TERM", term)]));
        for term in ["linux", "vt220", "ansi", "ansi-m", "cons25", "wsvt25"] {
            assert!(of(term), "{term}");
        }
        for term in ["xterm-256color", "vte-256color", "screen-256color", "tmux"] {
            assert_eq!(of(term), cfg!(not(unix)), "{term}");
        }
        let in_screen = [("TERM", "screen-256color"), ("STY", "1.pts-0.host")];
        assert!(come_unmarked(&environment(&in_screen)));
    }
}
