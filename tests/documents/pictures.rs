//! The pictures of the documents, drawn from the program itself: keys of `docs/tape` go into a
//! terminal of its own, and what is on the screen becomes SVG. Boards in the themes are drawn by
//! `luckless board`.
//!
//! `docs/pictures.sh` draws all of them anew, in a minute or two.
//! `LUCKLESS_PROGRAM=PATH` uses another build of the program.

use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::svg::{Frame, moving, still};
use crate::common::terminal::Terminal;

/// No picture is larger, in bytes.
const LARGEST: u64 = 400_000;
/// How long to wait for a step.
const PATIENCE: Duration = Duration::from_secs(500);
/// Terminals the tape is played in.
const SIZES: [[u16; 2]; 2] = [[80, 24], [120, 40]];
/// The match of the pictures, below the folder of the repository.
const MATCH: &str = "sample_matches/anna-ben-7pt.mat";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A tape being played.
struct Player {
    terminal: Terminal,
    frames: Vec<Frame>,
    stills: Vec<(String, String)>,
}

impl Player {
    fn until(&self, what: &str, is: impl Fn(&str) -> bool) {
        let begin = Instant::now();
        while !is(&self.terminal.text()) {
            assert!(
                begin.elapsed() < PATIENCE,
                "{what}:\n{}",
                self.terminal.text()
            );
            sleep(Duration::from_millis(20));
        }
    }

    /// Until the screen has stayed the same for so long.
    fn settle(&self, time: Duration) {
        let begin = Instant::now();
        let (mut text, mut since) = (self.terminal.text(), Instant::now());
        while since.elapsed() < time {
            assert!(begin.elapsed() < PATIENCE, "it never settles:\n{text}");
            sleep(Duration::from_millis(50));
            let now = self.terminal.text();
            if now != text {
                (text, since) = (now, Instant::now());
            }
        }
    }

    fn step(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let seconds = || rest.parse::<f64>().unwrap();
        match word {
            "press" => self.terminal.keys(rest),
            "type" => self.terminal.typed(rest),
            "wait" => self.until(rest, |text| text.contains(rest)),
            "settle" => self.settle(Duration::from_secs_f64(seconds())),
            "frame" => {
                sleep(Duration::from_millis(400));
                self.frames.push(Frame {
                    screen: self.terminal.screen(),
                    seconds: seconds(),
                });
            }
            "still" => {
                let picture = still(&self.terminal.screen());
                self.stills.push((rest.to_owned(), picture));
            }
            _ => panic!("unknown step: {line}"),
        }
    }
}

#[test]
#[ignore = "draws the pictures of the documents anew"]
fn draw_the_pictures() {
    let tape = fs::read_to_string(root().join("docs/tape/tour.tape")).unwrap();
    let program = std::env::var("LUCKLESS_PROGRAM");
    let program = program.unwrap_or_else(|_| env!("CARGO_BIN_EXE_luckless").to_owned());
    for size in SIZES {
        let home = tempfile::tempdir().unwrap();
        let file = root().join(MATCH);
        let mut player = Player {
            terminal: Terminal::sized(home.path(), &program, &[file.to_str().unwrap()], size),
            frames: Vec::new(),
            stills: Vec::new(),
        };
        for line in tape.lines().filter(|line| !line.starts_with('#')) {
            player.step(line);
        }
        let [columns, rows] = size;
        let Player {
            frames, mut stills, ..
        } = player;
        stills.push(("tour".to_owned(), moving(&frames)));
        for (name, picture) in stills {
            let path = format!("docs/pictures/{name}-{columns}x{rows}.svg");
            fs::write(root().join(path), picture).unwrap();
        }
    }
}

/// Themes whose boards are in the book: those that have colours of their own.
const THEMES: [&str; 7] = [
    "dark",
    "light",
    "wood",
    "leather",
    "colour-blind-dark",
    "colour-blind-light",
    "high-contrast",
];

/// The boards of the book are those that the program draws now; `UPDATE_MANUAL=1` draws them anew.
#[test]
fn boards_of_the_themes_are_up_to_date() {
    let renews = std::env::var_os("UPDATE_MANUAL").is_some();
    for theme in THEMES {
        let drawn = Command::new(env!("CARGO_BIN_EXE_luckless"))
            .args([
                "board",
                "4HPwATDgc/ABMA",
                "--dice",
                "31",
                "--play",
                "8/5 6/5",
            ])
            .args(["--theme", theme])
            .output()
            .unwrap();
        assert!(drawn.status.success(), "{theme}");
        let path = root().join(format!("docs/pictures/theme-{theme}.svg"));
        if renews {
            fs::write(&path, &drawn.stdout).unwrap();
        }
        let kept = fs::read(&path).unwrap_or_default();
        let is_same = kept == drawn.stdout;
        assert!(
            is_same,
            "theme-{theme}.svg is not what the program draws: docs/pictures.sh"
        );
    }
}

#[test]
fn pictures_are_small_and_need_nothing() {
    let folder = root().join("docs/pictures");
    let pictures: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    assert_eq!(pictures.len(), 4 * SIZES.len() + THEMES.len());
    for path in pictures {
        let name = path.display();
        assert!(
            path.metadata().unwrap().len() < LARGEST,
            "{name} is too large"
        );
        let text = fs::read_to_string(&path).unwrap();
        let links = text.replace("http://www.w3.org/2000/svg", "");
        assert!(
            !links.contains("http") && !links.contains("<script"),
            "{name}"
        );
        // Screens are made of text, boards of checkers that a reader can count.
        let parts = ["<text", "<circle class=\"checker"];
        assert!(parts.iter().any(|part| text.contains(part)), "{name}");
    }
}

#[test]
fn a_screen_is_drawn_cell_by_cell() {
    let [rows, columns] = [2, 12].map(|n| NonZero::new(n).unwrap());
    let mut parser = vt100::Parser::new(rows, columns, 0);
    parser.process("a <b  c\u{1b}[1;31m─●\u{1b}[0m\r\n\u{1b}[7mx\u{1b}[0m".as_bytes());
    let picture = still(parser.screen());
    assert_has!(
        picture,
        "<text x=\"0\" y=\"12\" textLength=\"32\">a &lt;b</text>"
    );
    assert_has!(picture, "<text x=\"48\" y=\"12\" textLength=\"8\">c</text>");
    assert_has!(
        picture,
        "<text x=\"64\" y=\"12\" fill=\"#e05561\" font-weight=\"bold\">●</text>"
    );
    assert_has!(
        picture,
        "<rect x=\"56\" y=\"8\" width=\"8\" height=\"1\" fill=\"#e05561\"/>"
    );
    assert_has!(
        picture,
        "<g transform=\"translate(0 16)\"><rect x=\"0\" width=\"8\" height=\"16\" fill=\"#d4d4d4\"/>"
    );
    let first = parser.screen().clone();
    parser.process(b"!");
    let screens = [first, parser.screen().clone()];
    let frames: Vec<Frame> = screens
        .into_iter()
        .zip([0.5, 1.5])
        .map(|(screen, seconds)| Frame { screen, seconds })
        .collect();
    let picture = moving(&frames);
    assert_eq!(picture.matches("●").count(), 1);
    let second = "@keyframes f2{0.00%{visibility:hidden}25.00%{visibility:visible}}";
    assert_has!(picture, second);
}
