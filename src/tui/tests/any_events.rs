//! Keys, clicks, wheels, pastes and sizes at random, and every cell of every frame looked at: nothing
//! panics, nothing overlaps.
//!
//! `LUCKLESS_EVENTS=100000 cargo test --lib any_events -- --ignored` is the long run; `LUCKLESS_SEED` begins
//! elsewhere.

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Rect;

use crate::game::{GameState, Position, Roll};
use crate::tui::keys::{ACTIONS, sequence};
use crate::tui::message::Message;
use crate::tui::screen::layout::Areas;
use crate::tui::screen::targets::Target;
use crate::tui::state::Document;
use crate::tui::testing::TestApp;
use crate::tui::text;
use crate::tui::theme::Depth;
use crate::tui::view::drawing::bounds;
use crate::tui::windows::overlay::Overlay;

/// A small generator: the same events everywhere.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n.max(1)
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }

    /// A size: the usual ones, small ones, and any up to 400×120.
    fn size(&mut self) -> (u16, u16) {
        match self.below(8) {
            0..3 => self.of(&[(80, 24), (120, 40), (60, 20), (100, 30)]),
            3..6 => (1 + self.below(90) as u16, 1 + self.below(30) as u16),
            6 => (1 + self.below(180) as u16, 1 + self.below(60) as u16),
            _ => (1 + self.below(400) as u16, 1 + self.below(120) as u16),
        }
    }
}

fn document(chance: &mut Chance) -> Option<Document> {
    let mut state = GameState::money(Position::opening());
    match chance.below(3) {
        0 => return None,
        1 => {}
        _ => state.roll = Roll::new(1 + chance.below(6) as u8, 1 + chance.below(6) as u8),
    }
    Some(Document::of_position(state, "x".into(), 1))
}

fn workstation(chance: &mut Chance) -> TestApp {
    let depth = chance.of(&[
        Depth::True,
        Depth::True,
        Depth::Indexed,
        Depth::Sixteen,
        Depth::None,
    ]);
    let mut bench = match document(chance) {
        Some(document) => TestApp::with(depth, document),
        None => TestApp::new(depth),
    };
    bench.app.settings.animation = chance.below(2) == 0;
    bench.app.tips = (chance.below(2) == 0).then(Default::default);
    bench
}

/// Does one thing; answers it in words.
fn act(bench: &mut TestApp, chance: &mut Chance, size: (u16, u16)) -> String {
    match chance.below(20) {
        0..9 => press_action(bench, chance),
        9 => {
            let code = match chance.below(4) {
                0 => chance.of(&[
                    KeyCode::Enter,
                    KeyCode::Esc,
                    KeyCode::Tab,
                    KeyCode::Backspace,
                ]),
                1 => {
                    KeyCode::Char(chance.of(&['é', '漢', '\u{301}', '\u{1F3B2}', '\u{200d}', ' ']))
                }
                _ => KeyCode::Char(char::from(32 + chance.below(95) as u8)),
            };
            bench.tell(Message::Input(Event::Key(KeyEvent::new(
                code,
                KeyModifiers::NONE,
            ))));
            format!("{code:?}")
        }
        10..17 => point(bench, chance, size),
        17 => {
            let words = chance.of(&[
                "4HPwATDgc/ABMA",
                "no such thing",
                "漢字 \u{1b}[31m x",
                "7",
                "2-4/7",
            ]);
            bench.tell(Message::Input(Event::Paste(words.to_owned())));
            format!("paste {words:?}")
        }
        18 => {
            bench.wait(chance.of(&[10, 100, 900, 6000]));
            "wait".to_owned()
        }
        _ if bench.rolling.is_some() => {
            let done = chance.below(4) == 0;
            bench.roll(36 * (1 + chance.below(36)), done);
            "roll".to_owned()
        }
        _ => "nothing".to_owned(),
    }
}

/// A key that has a meaning; most of them where it has it.
fn press_action(bench: &mut TestApp, chance: &mut Chance) -> String {
    let scope = bench.app.scope();
    let here = ACTIONS
        .iter()
        .filter(|a| a.scope == scope && !a.keys.is_empty());
    let all = ACTIONS.iter().filter(|a| !a.keys.is_empty());
    let actions: Vec<_> = match chance.below(4) {
        0 => all.collect(),
        _ => here.collect(),
    };
    // Files of the machine that runs this are none of its business.
    let is_safe = |name: &str| !["suspend", "quit now"].contains(&name);
    let Some(action) = actions.get(chance.below(actions.len() as u64) as usize) else {
        return "nothing".to_owned();
    };
    let opens = matches!(bench.app.overlay, Some(Overlay::Open(_)));
    if !is_safe(action.name) || (opens && ["accept", "complete"].contains(&action.name)) {
        bench.keys("esc");
        return "esc".to_owned();
    }
    let keys = chance.of(action.keys);
    let typed: Vec<String> = sequence(keys).iter().map(ToString::to_string).collect();
    bench.keys(&typed.join(" "));
    format!("{keys} ({})", action.name)
}

fn point(bench: &mut TestApp, chance: &mut Chance, (w, h): (u16, u16)) -> String {
    let button = chance.of(&[
        MouseButton::Left,
        MouseButton::Left,
        MouseButton::Right,
        MouseButton::Middle,
    ]);
    let kind = match chance.below(8) {
        0 => MouseEventKind::ScrollDown,
        1 => MouseEventKind::ScrollUp,
        2 => MouseEventKind::Drag(button),
        3 => MouseEventKind::Up(button),
        _ => MouseEventKind::Down(button),
    };
    // On something that answers, or anywhere, a little beside the screen too.
    let targets: Vec<Rect> = bench.app.areas.targets.iter().map(|t| t.0).collect();
    let (column, row) = match chance.below(2) {
        0 if !targets.is_empty() => {
            let area = chance.of(&targets);
            let x = area.x + chance.below(area.width.into()) as u16;
            (x, area.y + chance.below(area.height.into()) as u16)
        }
        _ => (
            chance.below(u64::from(w) + 3) as u16,
            chance.below(u64::from(h) + 3) as u16,
        ),
    };
    let found = bench.app.areas.targets.at(column, row).map(|t| t.1);
    let opens = matches!(bench.app.overlay, Some(Overlay::Open(_)));
    if opens && matches!(found, Some(Target::Row(_) | Target::Action(_))) {
        bench.keys("esc");
        return "esc".to_owned();
    }
    bench.tell(Message::Input(Event::Mouse(MouseEvent {
        kind,
        column,
        row,
        modifiers: KeyModifiers::NONE,
    })));
    format!("{kind:?} at {column}, {row}: {found:?}")
}

/// Nothing overlaps: panes lie apart, what is between them is empty, frames and titles are whole.
fn check(buffer: &Buffer, areas: &Areas, is_plain: bool) -> Result<(), String> {
    let parts = areas.parts();
    for (i, (part, a)) in parts.iter().enumerate() {
        if a.intersection(buffer.area) != *a {
            return Err(format!("{part:?} {a} is not on the screen"));
        }
        for (other, b) in &parts[i + 1..] {
            if a.intersects(*b) {
                return Err(format!("{part:?} {a} and {other:?} {b} overlap"));
            }
        }
    }
    for (area, target) in areas.targets.iter() {
        if area.is_empty() || area.intersection(buffer.area) != *area {
            return Err(format!("{target:?} at {area} is not on the screen"));
        }
    }
    for cell in buffer.area.positions() {
        let sign = buffer[cell].symbol();
        let wide = text::width(sign) as u16;
        if !text::is_clean(sign) || wide > 2 {
            return Err(format!("{sign:?} at {cell}"));
        }
        if wide == 2 && cell.x + 1 >= buffer.area.right() {
            return Err(format!("half of {sign} at {cell}"));
        }
    }
    if let Some((window, _)) = areas.targets.iter().find(|t| t.1 == Target::Ground) {
        return whole_frame(buffer, *window);
    }
    let gaps = [(areas.moves, "moves"), (areas.board, "board")];
    for (pane, name) in gaps.iter().filter(|(pane, _)| is_plain && !pane.is_empty()) {
        let x = pane.right();
        let is_gap = parts
            .iter()
            .all(|(_, p)| !(p.left()..p.right()).contains(&x) || p.width == areas.screen.width);
        if x >= buffer.area.right() || !is_gap {
            continue;
        }
        for y in pane.top()..pane.bottom().saturating_sub(1) {
            let lies_in = parts.iter().any(|(_, p)| p.contains((x, y).into()));
            if !lies_in && buffer[(x, y)].symbol() != " " {
                return Err(format!(
                    "{:?} beside {name} at {x}, {y}",
                    buffer[(x, y)].symbol()
                ));
            }
        }
    }
    Ok(())
}

/// The sides of a window are not written over.
fn whole_frame(buffer: &Buffer, window: Rect) -> Result<(), String> {
    // A window beside the board has no sides.
    if window.width < 2
        || window.height < 3
        || buffer[(window.left(), window.top())].symbol() == "─"
    {
        return Ok(());
    }
    for y in window.top() + 1..window.bottom() - 1 {
        for x in [window.left(), window.right() - 1] {
            if !["│", "|"].contains(&buffer[(x, y)].symbol()) {
                return Err(format!(
                    "{:?} in the frame at {x}, {y}",
                    buffer[(x, y)].symbol()
                ));
            }
        }
    }
    Ok(())
}

fn run(seed: u64, events: usize) {
    bounds::watch();
    let mut chance = Chance(seed);
    let mut done = 0;
    while done < events {
        let mut bench = workstation(&mut chance);
        let mut size = chance.size();
        bench.draw(size.0, size.1);
        let mut story = Vec::new();
        for _ in 0..60.min(events - done) {
            done += 1;
            if chance.below(6) == 0 {
                size = chance.size();
            }
            let what = act(&mut bench, &mut chance, size);
            story.push(format!("{size:?} {what}"));
            let tail = story.len().saturating_sub(12);
            let step = std::panic::AssertUnwindSafe(|| {
                let buffer = bench.draw(size.0, size.1);
                let is_plain = bench.app.overlay.is_none() && bench.app.options.zoom.is_none();
                check(
                    &buffer,
                    &bench.app.areas,
                    is_plain && bench.app.tips.is_none(),
                )
            });
            match std::panic::catch_unwind(step) {
                Ok(Ok(())) => {}
                Ok(Err(why)) => panic!("seed {seed}: {why}\n{}", story[tail..].join("\n")),
                Err(cause) => {
                    eprintln!("seed {seed}:\n{}", story[tail..].join("\n"));
                    std::panic::resume_unwind(cause);
                }
            }
            if bench.over {
                break;
            }
        }
    }
}

#[test]
fn a_few_random_events_overlap_nothing() {
    run(7, 300);
}

#[test]
#[ignore = "takes minutes"]
fn many_random_events_overlap_nothing() {
    let number = |name: &str, usual| {
        let set = std::env::var(name).ok().and_then(|n| n.parse().ok());
        set.unwrap_or(usual)
    };
    run(
        number("LUCKLESS_SEED", 1),
        number("LUCKLESS_EVENTS", 100_000) as usize,
    );
}
