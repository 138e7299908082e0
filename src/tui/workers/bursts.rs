//! Text that is pasted into a terminal that does not mark it: it comes as keys, faster than anybody types.
//! Taken for keys it would run whatever the letters mean; so a burst is handed on as what was pasted.

use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::gnu_screen;

/// Between the keys of a burst there is less. Nobody types so fast; every key waits so long.
const GAP: Duration = Duration::from_millis(3);
/// Fewer keys than this are typed, not pasted: what can be opened is longer.
const SHORTEST: usize = 6;
/// A key that is held down, or two in turn, are no text.
const LEAST_LETTERS: usize = 3;
/// Longest text, in characters; what is beyond is dropped.
const LONGEST: usize = 1 << 20;

/// Whether this terminal may not mark what is pasted: a console of Windows, or one of a kind that knows no marks. GNU
/// Screen passes the marks of the terminal on, and sends what was copied in itself without.
pub(super) fn come_unmarked(get: &dyn Fn(&str) -> Option<String>) -> bool {
    const NAMES: [&str; 3] = ["ansi", "cons25", "wsvt25"];
    let term = get("TERM").unwrap_or_default();
    // Those of the VTE library begin alike.
    let is_vt = term.starts_with("vt") && !term.starts_with("vte");
    let is_console = term == "linux" || NAMES.iter().any(|name| term.starts_with(name));
    cfg!(not(unix)) || is_vt || is_console || gnu_screen::is_between(get)
}

/// Hands events on, bursts of letters as pasted text, until there are no more.
pub(super) fn gather(typed: &Receiver<Event>, events: &Sender<Event>) {
    gather_within(typed, events, GAP);
}

/// The same, with less than `gap` between the keys of a burst.
fn gather_within(typed: &Receiver<Event>, events: &Sender<Event>, gap: Duration) {
    let mut burst = Vec::new();
    loop {
        let next = match burst.is_empty() {
            true => typed.recv().map_err(|_| RecvTimeoutError::Disconnected),
            false => typed.recv_timeout(gap),
        };
        let (ended, other) = match next {
            // A console tells of keys that go up between those that go down. They mean nothing here.
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

/// The character that a key stands for in a text; `None` for a key that types nothing.
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

/// The keys, or the text that they are.
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

    /// Keys that go down in an event: of pasted text all its letters.
    fn keys_in(event: &Event) -> usize {
        match event {
            Event::Paste(text) => text.chars().count(),
            Event::Key(key) => usize::from(key.kind != KeyEventKind::Release),
            _ => 1,
        }
    }

    /// What comes of events that come in groups, each after the one before was handed on.
    fn handed_on(groups: &[Vec<Event>]) -> Vec<Event> {
        let (sender, typed) = crossbeam_channel::unbounded();
        let (events, received) = crossbeam_channel::unbounded();
        // On busy cores this thread may rest between two keys of a burst.
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
        // A key with Ctrl ends a burst, and is none of it.
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
