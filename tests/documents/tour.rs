//! The tour shows what the program shows: its keys are typed, and the figures of its screens and sentences must stand on
//! the screen, digit for digit.

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::terminal::Terminal;

/// How long to wait for a screen: a rollout may have to share the cores with other tests.
const PATIENCE: Duration = Duration::from_secs(300);
/// As tall as the screen with both tables of a rollout.
const SIZE: [u16; 2] = [120, 50];

/// The words of a line, without what is drawn: intervals, rules and marks.
fn words(line: &str) -> Vec<&str> {
    let drawn = |c: char| c.is_whitespace() || "├┤●○╌─★≈▸▪│".contains(c);
    line.split(drawn).filter(|word| !word.is_empty()).collect()
}

/// Whether the words of `line` stand side by side in one line of the screen.
fn has(screen: &str, line: &str) -> bool {
    let wanted = words(line);
    let mut lines = screen.lines().map(words);
    lines.any(|shown| shown.windows(wanted.len()).any(|part| part == wanted))
}

/// The lines with figures of the screen of the tour in which `part` stands.
fn screen_of<'a>(tour: &'a str, part: &str) -> Vec<&'a str> {
    let mut screens = tour
        .split("```")
        .filter(|screen| screen.starts_with("text"));
    let screen = screens.find(|screen| screen.contains(part)).unwrap();
    let lines = screen.lines().skip(1);
    let has_figure = |line: &&str| line.chars().any(|c| c.is_ascii_digit());
    lines.filter(has_figure).collect()
}

struct Tour {
    terminal: Terminal,
}

impl Tour {
    /// Waits until the screen has these lines. Between looks, `key` is typed, if there is one.
    fn until(&mut self, lines: &[&str], key: Option<&str>) {
        let begin = Instant::now();
        loop {
            let screen = self.terminal.text();
            let missing: Vec<&&str> = lines.iter().filter(|line| !has(&screen, line)).collect();
            if missing.is_empty() {
                return;
            }
            assert!(
                begin.elapsed() < PATIENCE,
                "{missing:#?} is not in\n{screen}"
            );
            sleep(Duration::from_millis(300));
            if let Some(key) = key {
                self.terminal.keys(key);
                sleep(Duration::from_millis(300));
            }
        }
    }
}

#[test]
fn the_figures_of_the_tour_are_on_the_screen() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tour = fs::read_to_string(root.join("docs/using/tour.md")).unwrap();
    let home = tempfile::tempdir().unwrap();
    let file = root.join("sample_matches/anna-ben-7pt.mat");
    let program = env!("CARGO_BIN_EXE_luckless");
    let mut shown = Tour {
        terminal: Terminal::sized(home.path(), program, &[file.to_str().unwrap()], SIZE),
    };
    shown.until(&["candidates"], None);
    shown.terminal.keys("esc");
    shown.until(&screen_of(&tour, "match ────"), None);
    shown.terminal.keys("n");
    shown.until(&screen_of(&tour, "24/20 8/3"), None);
    shown.terminal.keys("E");
    shown.until(&screen_of(&tour, "move   played"), None);
    shown.terminal.keys("down enter");
    shown.until(&["game 6/7", "move 11"], None);
    shown.terminal.keys("r");
    shown.until(&["1-ply play, VR, done"], None);
    shown.until(&screen_of(&tour, "P(best)"), None);
    // The last of the four plays is the one that was made.
    shown.terminal.keys("down down down down c");
    shown.until(&["pair", "done"], None);
    let pair = screen_of(&tour, "decided: ");
    shown.until(&pair, Some("Z"));
    shown.terminal.keys("esc E down enter");
    shown.until(&screen_of(&tour, "cube action"), None);
    shown.terminal.keys("r");
    shown.until(&screen_of(&tour, "error   0.155"), None);
}
