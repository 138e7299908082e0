//! Keyboard, mouse and pastes: the terminal's input as events.
//!
//! On Unix the bytes are read here instead of by crossterm 0.29, whose reader spins when the terminal is gone and
//! waits forever for the end of an incomplete paste. Here the events end when the terminal is gone, and a sequence
//! that receives no byte for `SEQUENCE_TIMEOUT` is abandoned.

use crossbeam_channel::{Receiver, Sender, unbounded};
use ratatui::crossterm::event::Event;

use super::bursts;
use crate::tui::message::Message;

/// Returns a channel of events, which is disconnected when the terminal is gone. Overlong pastes are reported to
/// `messages`.
pub fn listen(messages: Sender<Message>) -> Receiver<Event> {
    let (sender, receiver) = unbounded();
    let spawned = std::thread::Builder::new()
        .name("keyboard".into())
        .spawn(move || send_events(&sender, &messages));
    // If the thread cannot be started, its sender is dropped and the loop ends at once.
    drop(spawned);
    if !bursts::come_unmarked(&|name| std::env::var(name).ok()) {
        return receiver;
    }
    let (sender, gathered) = unbounded();
    let spawned = std::thread::Builder::new()
        .name("bursts".into())
        .spawn(move || bursts::gather(&receiver, &sender));
    drop(spawned);
    gathered
}

#[cfg(not(unix))]
fn send_events(events: &Sender<Event>, _messages: &Sender<Message>) {
    while let Ok(event) = ratatui::crossterm::event::read() {
        if events.send(event).is_err() {
            return;
        }
    }
}

#[cfg(unix)]
use unix::send_events;

#[cfg(unix)]
mod unix {
    use std::io::{self, ErrorKind, Read as _};
    use std::thread;
    use std::time::{Duration, Instant};

    use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
    use ratatui::crossterm::event::{
        Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent,
        MouseEventKind,
    };
    use termina::Parser;
    use termina::event as sent;

    use crate::tui::message::{Message, Tell as _};

    /// Time without a byte after which a sequence is abandoned.
    const SEQUENCE_TIMEOUT: Duration = Duration::from_millis(500);
    /// Maximum total time of a sequence other than a paste: Escape and `]` typed quickly look like the start of a
    /// report, which would swallow all keys until a pause.
    const WHOLE: Duration = Duration::from_secs(2);
    /// Start of a paste.
    const PASTE: &[u8] = b"\x1b[200~";
    /// Maximum length in bytes of a sequence, which may be a paste; longer ones are dropped whole.
    const LONGEST: usize = 1 << 20;
    /// Message for a dropped paste.
    const TOO_LONG: &str = "more than 1 MiB was pasted: none of it is taken, save it as a file";
    /// Bytes per read.
    const CHUNK: usize = 4096;
    /// Maximum number of pending chunks; further input stays in the terminal.
    const CHUNKS: usize = 16;
    /// Consecutive ends of file that end the input. (Ctrl-D is one if the terminal is not raw.)
    const ENDS: u32 = 3;
    /// Interval between checks of a terminal that another program has set to non-blocking.
    const PAUSE: Duration = Duration::from_millis(20);

    pub(super) fn send_events(events: &Sender<Event>, messages: &Sender<Message>) {
        let (sender, chunks) = bounded(CHUNKS);
        let reader = thread::Builder::new()
            .name("terminal".into())
            .spawn(move || read(&sender));
        // If the thread cannot be started, its sender is dropped and there are no events.
        drop(reader);
        decode(&chunks, events, messages);
    }

    /// Forwards the terminal's input until it is gone.
    fn read(chunks: &Sender<Vec<u8>>) {
        let mut terminal = io::stdin().lock();
        let mut chunk = [0; CHUNK];
        let mut ends = 0;
        while ends < ENDS {
            match terminal.read(&mut chunk) {
                Ok(0) => ends += 1,
                Ok(n) => {
                    ends = 0;
                    if chunks.send(chunk[..n].to_vec()).is_err() {
                        return;
                    }
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => thread::sleep(PAUSE),
                Err(_) => return,
            }
        }
    }

    fn decode(chunks: &Receiver<Vec<u8>>, events: &Sender<Event>, messages: &Sender<Message>) {
        let mut decoder = Decoder::default();
        loop {
            let chunk = match decoder.unfinished {
                0 => chunks.recv().map_err(|_| RecvTimeoutError::Disconnected),
                _ => chunks.recv_timeout(SEQUENCE_TIMEOUT),
            };
            let late = decoder.is_overdue(Instant::now());
            let lost = late.then(|| decoder.give_up()).flatten();
            let found: Vec<Event> = match chunk {
                Ok(chunk) => decoder.feed(&chunk, chunk.len() == CHUNK || !chunks.is_empty()),
                Err(RecvTimeoutError::Timeout) => decoder.give_up().into_iter().collect(),
                Err(RecvTimeoutError::Disconnected) => return,
            };
            if std::mem::take(&mut decoder.has_dropped_paste) {
                messages.warn(TOO_LONG.to_owned());
            }
            for event in lost.into_iter().chain(found) {
                if events.send(event).is_err() {
                    return;
                }
            }
        }
    }

    /// Decodes bytes into events.
    #[derive(Default)]
    struct Decoder {
        parser: Parser,
        /// Number of bytes since the last event.
        unfinished: usize,
        /// The first of them, and the time when they arrived.
        head: Vec<u8>,
        began: Option<Instant>,
        /// Whether an overlong paste was dropped and not yet reported.
        has_dropped_paste: bool,
    }

    impl Decoder {
        /// Returns the events in `bytes`; `more` bytes are available.
        fn feed(&mut self, bytes: &[u8], more: bool) -> Vec<Event> {
            let mut events = Vec::new();
            for (i, byte) in bytes.iter().enumerate() {
                if self.unfinished > LONGEST {
                    continue;
                }
                self.parser.parse(&[*byte], more || i + 1 < bytes.len());
                match self.parser.pop() {
                    Some(event) => {
                        self.unfinished = 0;
                        self.head.clear();
                        events.extend(event_of(event));
                    }
                    None => {
                        if self.unfinished == 0 {
                            self.began = Some(Instant::now());
                        }
                        self.unfinished += 1;
                        if self.head.len() < PASTE.len() {
                            self.head.push(*byte);
                        }
                    }
                }
                if self.unfinished > LONGEST {
                    self.parser = Parser::default();
                    self.has_dropped_paste = self.head == PASTE;
                }
            }
            events
        }

        /// Returns whether a sequence other than a paste has exceeded its time.
        fn is_overdue(&self, now: Instant) -> bool {
            let began = self.began.filter(|_| self.unfinished > 0);
            let is_late = began.is_some_and(|began| now.saturating_duration_since(began) > WHOLE);
            is_late && self.head != PASTE
        }

        /// Abandons the incomplete sequence. A lone escape is returned as the key.
        fn give_up(&mut self) -> Option<Event> {
            self.parser.parse(&[], false);
            let event = self.parser.pop().and_then(event_of);
            *self = Self::default();
            event
        }
    }

    fn event_of(event: termina::Event) -> Option<Event> {
        match event {
            termina::Event::Key(key) => {
                let kind = match key.kind {
                    sent::KeyEventKind::Press => KeyEventKind::Press,
                    sent::KeyEventKind::Repeat => KeyEventKind::Repeat,
                    sent::KeyEventKind::Release => KeyEventKind::Release,
                };
                let (code, modifiers) = (code_of(key.code)?, modifiers_of(key.modifiers));
                Some(Event::Key(KeyEvent::new_with_kind(code, modifiers, kind)))
            }
            termina::Event::Mouse(mouse) => Some(Event::Mouse(MouseEvent {
                kind: mouse_of(mouse.kind),
                column: mouse.column,
                row: mouse.row,
                modifiers: modifiers_of(mouse.modifiers),
            })),
            termina::Event::Paste(text) => Some(Event::Paste(text)),
            // No other events were requested.
            _ => None,
        }
    }

    fn code_of(code: sent::KeyCode) -> Option<KeyCode> {
        use sent::KeyCode as Sent;
        Some(match code {
            Sent::Char(c) => KeyCode::Char(c),
            Sent::Enter => KeyCode::Enter,
            Sent::Backspace => KeyCode::Backspace,
            Sent::Tab => KeyCode::Tab,
            Sent::Escape => KeyCode::Esc,
            Sent::Left => KeyCode::Left,
            Sent::Right => KeyCode::Right,
            Sent::Up => KeyCode::Up,
            Sent::Down => KeyCode::Down,
            Sent::Home => KeyCode::Home,
            Sent::End => KeyCode::End,
            Sent::BackTab => KeyCode::BackTab,
            Sent::PageUp => KeyCode::PageUp,
            Sent::PageDown => KeyCode::PageDown,
            Sent::Insert => KeyCode::Insert,
            Sent::Delete => KeyCode::Delete,
            Sent::Function(n) => KeyCode::F(n),
            // Keys without actions.
            _ => return None,
        })
    }

    fn modifiers_of(modifiers: sent::Modifiers) -> KeyModifiers {
        [
            (sent::Modifiers::SHIFT, KeyModifiers::SHIFT),
            (sent::Modifiers::ALT, KeyModifiers::ALT),
            (sent::Modifiers::CONTROL, KeyModifiers::CONTROL),
            (sent::Modifiers::SUPER, KeyModifiers::SUPER),
            (sent::Modifiers::HYPER, KeyModifiers::HYPER),
            (sent::Modifiers::META, KeyModifiers::META),
        ]
        .into_iter()
        .filter(|(there, _)| modifiers.contains(*there))
        .fold(KeyModifiers::NONE, |all, (_, own)| all | own)
    }

    fn mouse_of(kind: sent::MouseEventKind) -> MouseEventKind {
        use sent::MouseEventKind as Sent;
        let button = |button| match button {
            sent::MouseButton::Left => MouseButton::Left,
            sent::MouseButton::Right => MouseButton::Right,
            sent::MouseButton::Middle => MouseButton::Middle,
        };
        match kind {
            Sent::Down(which) => MouseEventKind::Down(button(which)),
            Sent::Up(which) => MouseEventKind::Up(button(which)),
            Sent::Drag(which) => MouseEventKind::Drag(button(which)),
            Sent::Moved => MouseEventKind::Moved,
            Sent::ScrollDown => MouseEventKind::ScrollDown,
            Sent::ScrollUp => MouseEventKind::ScrollUp,
            Sent::ScrollLeft => MouseEventKind::ScrollLeft,
            Sent::ScrollRight => MouseEventKind::ScrollRight,
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;
        use rand::{Rng as _, SeedableRng as _};
        use rand_chacha::ChaCha8Rng;

        fn key(code: KeyCode, modifiers: KeyModifiers) -> Event {
            Event::Key(KeyEvent::new(code, modifiers))
        }

        #[test]
        fn keys_mouse_and_pastes_are_read() {
            let none = KeyModifiers::NONE;
            let cases = [
                (&b"q"[..], key(KeyCode::Char('q'), none)),
                (b"G", key(KeyCode::Char('G'), KeyModifiers::SHIFT)),
                ("é".as_bytes(), key(KeyCode::Char('é'), none)),
                (b"\x1b", key(KeyCode::Esc, none)),
                (b"\x1b[A", key(KeyCode::Up, none)),
                (b"\x1bOB", key(KeyCode::Down, none)),
                (b"\x1b[5~", key(KeyCode::PageUp, none)),
                (b"\x1b[15~", key(KeyCode::F(5), none)),
                (b"\x1b[Z", key(KeyCode::BackTab, KeyModifiers::SHIFT)),
                (b"\x0c", key(KeyCode::Char('l'), KeyModifiers::CONTROL)),
                (b"\x1bx", key(KeyCode::Char('x'), KeyModifiers::ALT)),
                (b"\x7f", key(KeyCode::Backspace, none)),
                (b"\x08", key(KeyCode::Char('h'), KeyModifiers::CONTROL)),
                (b"\r", key(KeyCode::Enter, none)),
                (b"\x1b[200~a\r\nb\x1b[201~", Event::Paste("a\r\nb".into())),
                (
                    b"\x1b[<0;12;5M",
                    Event::Mouse(MouseEvent {
                        kind: MouseEventKind::Down(MouseButton::Left),
                        column: 11,
                        row: 4,
                        modifiers: none,
                    }),
                ),
            ];
            for (bytes, event) in cases {
                let mut decoder = Decoder::default();
                assert_eq!(
                    decoder.feed(bytes, false),
                    std::slice::from_ref(&event),
                    "{bytes:?}"
                );
                // The events do not depend on how the bytes are split.
                for at in 1..bytes.len() {
                    let mut events = decoder.feed(&bytes[..at], true);
                    events.extend(decoder.feed(&bytes[at..], false));
                    assert_eq!(events, std::slice::from_ref(&event), "{bytes:?} at {at}");
                }
            }
        }

        /// An incomplete paste or sequence costs only the keys typed meanwhile.
        #[test]
        fn what_is_not_finished_is_given_up() {
            let q = key(KeyCode::Char('q'), KeyModifiers::NONE);
            for bytes in [
                &b"\x1b[200~abc"[..],
                b"\x1b]0;",
                b"\x1bP",
                b"\x1b[?1;2",
                b"\xe6",
            ] {
                let mut decoder = Decoder::default();
                assert_eq!(decoder.feed(bytes, false), [], "{bytes:?}");
                assert!(decoder.unfinished > 0);
                assert_eq!(decoder.give_up(), None);
                assert_eq!(decoder.unfinished, 0);
                assert_eq!(decoder.feed(b"q", false), std::slice::from_ref(&q));
            }
            // Continuous keys end it, too, unless it is a paste.
            for (bytes, is_paste) in [(&b"\x1b]jjj"[..], false), (b"\x1b[200~jjj", true)] {
                let mut decoder = Decoder::default();
                assert_eq!(decoder.feed(bytes, false), []);
                let now = Instant::now();
                assert!(!decoder.is_overdue(now));
                assert_eq!(decoder.is_overdue(now + 2 * WHOLE), !is_paste);
            }
            let mut decoder = Decoder::default();
            assert_eq!(decoder.feed(b"\x1b", true), []);
            let escape = key(KeyCode::Esc, KeyModifiers::NONE);
            assert_eq!(decoder.give_up(), Some(escape));
        }

        #[test]
        fn an_endless_paste_takes_no_memory() {
            let mut decoder = Decoder::default();
            let mut events = decoder.feed(b"\x1b[200~", false);
            for _ in 0..2 * LONGEST / CHUNK {
                events.extend(decoder.feed(&[b'x'; CHUNK], false));
            }
            // None of it is treated as keys.
            assert_eq!(events, []);
            assert_eq!(decoder.unfinished, LONGEST + 1);
            assert!(decoder.has_dropped_paste);
            assert_eq!(decoder.give_up(), None);
            assert_eq!(decoder.feed(b"q", false).len(), 1);
        }

        #[test]
        fn noise_is_survived() {
            let mut rng = ChaCha8Rng::seed_from_u64(3);
            let mut decoder = Decoder::default();
            for _ in 0..20_000 {
                let pieces: [&[u8]; 8] = [
                    b"\x1b",
                    b"[",
                    b"]",
                    b"<0;",
                    b"200~",
                    b"9999999999999",
                    b"M",
                    b"?>;:~u",
                ];
                let mut bytes = pieces[rng.random_range(0..pieces.len())].to_vec();
                bytes.push(rng.random());
                decoder.feed(&bytes, rng.random());
                if rng.random_ratio(1, 20) {
                    decoder.give_up();
                }
            }
        }

        /// End to end, in real time.
        #[test]
        fn the_keyboard_lives_again_after_a_pause() {
            let (chunks, taken) = bounded(CHUNKS);
            let (events, received) = crossbeam_channel::unbounded();
            let (messages, told) = crossbeam_channel::unbounded();
            let thread = thread::spawn(move || decode(&taken, &events, &messages));
            chunks.send(b"\x1b[200~never ended".to_vec()).unwrap();
            assert!(received.recv_timeout(4 * SEQUENCE_TIMEOUT).is_err());
            chunks.send(b"q".to_vec()).unwrap();
            let event = received.recv_timeout(Duration::from_secs(20)).unwrap();
            assert_eq!(event, key(KeyCode::Char('q'), KeyModifiers::NONE));
            assert!(told.is_empty());
            // An overlong paste is reported once.
            let mut long = b"\x1b[200~".to_vec();
            long.resize(2 * LONGEST, b'x');
            chunks.send(long).unwrap();
            let warning = told.recv_timeout(Duration::from_secs(20)).unwrap();
            assert!(matches!(warning, Message::Warning(why) if why == TOO_LONG));
            drop(chunks);
            thread.join().unwrap();
            assert!(received.recv().is_err() && told.recv().is_err());
        }
    }
}
