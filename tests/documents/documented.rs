//! Every command that README and the book show is run, and prints what they show.
//!
//! A block is marked by the words behind its opening fence:
//! * `sh` holds commands, `console` commands behind `$ ` with what they print. `…` stands for any
//!   text within a line, and alone in a line for any lines.
//! * `shorter: --trials 36` runs them with other values of these options;
//! * `not-run: REASON` does not run them, for one of [`REASONS`];
//! * `file: NAME` is a file that the commands of the page read.
//!
//! `UPDATE_MANUAL=1` writes what the commands print into the pages. `LUCKLESS_PROGRAM=PATH` runs
//! another build of the program.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

/// Why a block is not run, and how many blocks there are of each.
const REASONS: [(&str, usize); 5] = [
    ("builds or installs", 12),
    ("opens the workstation", 3),
    ("needs another program", 9),
    ("needs notes of yours", 1),
    ("takes long", 5),
];
/// Languages of blocks that hold no commands.
const OTHERS: [&str; 3] = ["text", "toml", "json"];
/// Programs that a block must not hide in another language.
const PROGRAMS: [&str; 4] = ["luckless ", "luckless-lab ", "cargo ", "$ "];

/// A block of code.
struct Block {
    line: usize,
    language: String,
    /// What stands behind the language.
    mark: String,
    text: String,
}

impl Block {
    fn is_run(&self) -> bool {
        ["sh", "console"].contains(&self.language.as_str()) && !self.mark.starts_with("not-run: ")
    }

    fn marked(&self, what: &str) -> Option<&str> {
        self.mark.strip_prefix(what)
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The pages, as paths from the root.
fn pages() -> Vec<PathBuf> {
    let mut folders = vec![PathBuf::from("docs"), PathBuf::from("crates/lab/records")];
    let mut files = vec![PathBuf::from("README.md"), PathBuf::from("CONTRIBUTING.md")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root().join(&folder)).unwrap() {
            let path = folder.join(entry.unwrap().file_name());
            if root().join(&path).is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "md") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn read(page: &Path) -> String {
    fs::read_to_string(root().join(page)).unwrap()
}

/// The blocks of a page.
fn blocks(page: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = false;
    for (number, line) in (1..).zip(page.lines()) {
        if let Some(info) = line.trim_start().strip_prefix("```") {
            open = !open;
            if open {
                let (language, mark) = info.split_once(' ').unwrap_or((info, ""));
                blocks.push(Block {
                    line: number,
                    language: language.to_owned(),
                    mark: mark.to_owned(),
                    text: String::new(),
                });
            }
        } else if open {
            let text = &mut blocks.last_mut().unwrap().text;
            text.push_str(line);
            text.push('\n');
        }
    }
    blocks
}

/// A command, and what is shown to come of it.
#[derive(Clone, Debug, PartialEq)]
struct Shown {
    command: String,
    output: Vec<String>,
}

/// The commands of a block. A line that ends with a backslash goes on in the next.
fn commands(block: &Block) -> Vec<Shown> {
    let mut all: Vec<Shown> = Vec::new();
    let mut goes_on = false;
    for line in block.text.lines() {
        let command = match block.language.as_str() {
            "console" => line.strip_prefix("$ "),
            _ => Some(line),
        };
        match (command, all.last_mut()) {
            (_, Some(last)) if goes_on => {
                last.command.push('\n');
                last.command.push_str(line);
            }
            (Some(command), _) => all.push(Shown {
                command: command.to_owned(),
                output: Vec::new(),
            }),
            (None, Some(last)) => last.output.push(line.to_owned()),
            (None, None) => panic!("output without a command: {line}"),
        }
        goes_on = line.ends_with('\\');
    }
    all
}

/// `command` with the values of `options` (`--name value …`) in place of its own. A rollout or a
/// comparison gets the number of trials in any case.
fn shorter(command: &str, options: &str) -> String {
    let mut command = command.to_owned();
    let words: Vec<&str> = options.split_whitespace().collect();
    for pair in words.chunks(2) {
        let [name, value] = pair else {
            panic!("an option without a value: {options}");
        };
        let named = format!("{name} ");
        if let Some((before, rest)) = command.split_once(&named) {
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            command = format!("{before}{named}{value}{}", &rest[end..]);
        } else if *name == "--trials" {
            for program in ["luckless rollout", "luckless compare"] {
                command = command.replace(program, &format!("{program} {name} {value}"));
            }
        }
    }
    command
}

/// Whether `line` is as shown, where `…` is any text.
fn is_like(shown: &str, line: &str) -> bool {
    let mut parts = shown.split('…');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = line.strip_prefix(first) else {
        return false;
    };
    let mut last = None;
    for part in parts {
        last = Some(part);
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    match last {
        None => rest.is_empty(),
        Some(part) => line.len() >= first.len() + part.len() && line.ends_with(part),
    }
}

/// Whether the lines are as shown, where a line of `…` is any lines.
fn are_like(shown: &[String], lines: &[String]) -> bool {
    match shown.split_first() {
        None => lines.is_empty(),
        Some((first, rest)) if first == "…" => {
            (0..=lines.len()).any(|n| are_like(rest, &lines[n..]))
        }
        Some((first, rest)) => lines
            .split_first()
            .is_some_and(|(line, more)| is_like(first, line) && are_like(rest, more)),
    }
}

/// What is to be shown of `lines`: what was left out stays so, by the number of lines before and
/// after it. Times are left out.
fn renewed(shown: &[String], lines: &[String]) -> Vec<String> {
    let timeless = |line: &String| {
        let words = line.split_inclusive(' ').collect::<Vec<_>>();
        let is_unit = |next: Option<&&str>| next.is_some_and(|n| ["s", "s,"].contains(&n.trim()));
        let word = |(i, word): (usize, &&str)| match word.trim().parse::<f64>() {
            Ok(_) if is_unit(words.get(i + 1)) => "… ".to_owned(),
            _ => (*word).to_owned(),
        };
        words.iter().enumerate().map(word).collect::<String>()
    };
    let lines: Vec<String> = lines.iter().map(timeless).collect();
    let Some(head) = shown.iter().position(|line| line == "…") else {
        return lines;
    };
    let tail = shown.iter().rev().take_while(|line| *line != "…").count();
    let head = head.min(lines.len());
    let tail = tail.min(lines.len() - head);
    let mut all = lines[..head].to_vec();
    all.push("…".to_owned());
    all.extend_from_slice(&lines[lines.len() - tail..]);
    all
}

/// The program for developers, where the tests of the whole workspace have built it.
fn lab() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_BIN_EXE_luckless")).with_file_name("luckless-lab");
    path.exists().then_some(path)
}

/// A folder in which the commands of a page are run, one after the other.
struct Place(tempfile::TempDir);

impl Place {
    fn new(blocks: &[Block]) -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        let at = |name: &str| place.0.path().join(name);
        for folder in ["bin", "here/sample_matches", "home/matches"] {
            fs::create_dir_all(at(folder)).unwrap();
        }
        let program = std::env::var("LUCKLESS_PROGRAM");
        let program = program.unwrap_or_else(|_| env!("CARGO_BIN_EXE_luckless").to_owned());
        std::os::unix::fs::symlink(program, at("bin/luckless")).unwrap();
        if let Some(lab) = lab() {
            std::os::unix::fs::symlink(lab, at("bin/luckless-lab")).unwrap();
        }
        let sample = |name: &str| {
            let from = root().join("sample_matches").join(name);
            fs::read(from).unwrap()
        };
        let name = "here/sample_matches/anna-ben-7pt.mat";
        place.file(name, &sample("anna-ben-7pt.mat"));
        place.file("here/my.mat", &sample("clara-dev-3pt.mat"));
        // What a file is, its content says.
        place.file("here/my.xg", &sample("clara-dev-3pt.mat"));
        place.file("home/matches/my.mat", &sample("clara-dev-3pt.mat"));
        let list = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10\n";
        place.file("here/positions.txt", list.as_bytes());
        for block in blocks {
            if let Some(name) = block.marked("file: ") {
                place.file(&format!("here/{name}"), block.text.as_bytes());
            }
        }
        place
    }

    /// A file of 20 November 2026.
    fn file(&self, name: &str, bytes: &[u8]) {
        let path = self.0.path().join(name);
        fs::write(&path, bytes).unwrap();
        let day = SystemTime::UNIX_EPOCH + Duration::from_secs(1_795_176_000);
        let file = fs::File::options().append(true).open(path).unwrap();
        file.set_modified(day).unwrap();
    }

    /// What a command prints, on both streams. It must succeed.
    fn run(&self, command: &str) -> Vec<String> {
        let at = |name: &str| self.0.path().join(name);
        let path = std::env::var("PATH").unwrap();
        let output = Command::new("sh")
            .args(["-c", &format!("exec 2>&1\n{command}")])
            .current_dir(at("here"))
            .env("PATH", format!("{}:{path}", at("bin").display()))
            .env_remove("LUCKLESS_HOME")
            .env("HOME", at("home"))
            .env("XDG_DATA_HOME", at("data"))
            .env("XDG_CONFIG_HOME", at("config"))
            .env("COLUMNS", "100")
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{command}\n{text}");
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        while lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        lines
    }
}

/// A page whose commands were run.
struct Renewed {
    count: usize,
    before: String,
    /// With what the commands print.
    now: String,
}

/// Runs the commands of a page.
fn renew(page: &Path) -> Renewed {
    let before = read(page);
    let mut text = before.clone();
    let blocks = blocks(&text);
    let run: Vec<&Block> = blocks.iter().filter(|b| b.is_run()).collect();
    if run.is_empty() {
        return Renewed {
            count: 0,
            before,
            now: text,
        };
    }
    let place = Place::new(&blocks);
    let mut count = 0;
    for block in run {
        let mut now = String::new();
        for shown in commands(block) {
            let options = block.marked("shorter: ").unwrap_or_default();
            let command = shorter(&shown.command, options);
            if lab().is_none() && command.contains("luckless-lab ") {
                continue;
            }
            count += 1;
            let lines = place.run(&command);
            let as_shown = shown.output.is_empty() || are_like(&shown.output, &lines);
            let output = match as_shown {
                true => shown.output,
                false => renewed(&shown.output, &lines),
            };
            let _ = writeln!(now, "$ {}", shown.command);
            output.iter().for_each(|line| {
                let _ = writeln!(now, "{line}");
            });
        }
        if block.language == "console" {
            text = text.replacen(&block.text, &now, 1);
        }
    }
    Renewed {
        count,
        before,
        now: text,
    }
}

#[test]
fn commands_print_what_is_shown() {
    let pages = pages();
    let all: Vec<Renewed> = std::thread::scope(|scope| {
        let threads: Vec<_> = pages.iter().map(|p| scope.spawn(|| renew(p))).collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    });
    let count: usize = all.iter().map(|page| page.count).sum();
    assert!(count >= 20, "only {count} commands");
    for (page, Renewed { before, now, .. }) in pages.iter().zip(all) {
        if before == now {
            continue;
        }
        if std::env::var_os("UPDATE_MANUAL").is_some() {
            fs::write(root().join(page), now).unwrap();
            continue;
        }
        let old = before.lines().zip(now.lines()).find(|(a, b)| a != b);
        let (was, is) = old.unwrap_or_default();
        panic!(
            "{} shows\n{was}\nthe command prints\n{is}\nRun this test with UPDATE_MANUAL=1.",
            page.display()
        );
    }
}

#[test]
fn no_command_is_left_out_unseen() {
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for page in pages() {
        for block in blocks(&read(&page)) {
            let place = format!("{}:{}", page.display(), block.line);
            if let Some(reason) = block.marked("not-run: ") {
                *reasons.entry(reason.to_owned()).or_default() += 1;
            }
            if ["sh", "console"].contains(&block.language.as_str()) {
                assert!(!commands(&block).is_empty(), "{place}: no command");
                continue;
            }
            let known = OTHERS.contains(&block.language.as_str());
            assert!(known, "{place}: a block of '{}'", block.language);
            let hides = |line: &str| PROGRAMS.iter().any(|program| line.starts_with(program));
            let hidden = block.text.lines().find(|line| hides(line));
            assert_eq!(hidden, None, "{place}: a command in a block of text");
        }
    }
    let known = REASONS.map(|(reason, count)| (reason.to_owned(), count));
    assert_eq!(reasons, BTreeMap::from(known));
}

/// Pieces of inline code of a page, each in one line.
fn inline_code(page: &str) -> Vec<String> {
    let mut open = false;
    let prose: String = page
        .lines()
        .filter(|line| {
            let fence = line.trim_start().starts_with("```");
            open ^= fence;
            !open && !fence
        })
        .flat_map(|line| [line, "\n"])
        .collect();
    let paragraphs = prose.split("\n\n");
    let pieces = paragraphs.flat_map(|text| text.split('`').skip(1).step_by(2));
    pieces
        .map(|piece| piece.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect()
}

/// Commands in the text name commands and options that there are.
#[test]
fn commands_in_the_text_exist() {
    check_commands("luckless");
    if lab().is_some() {
        check_commands("luckless-lab");
    }
}

fn check_commands(program: &str) {
    let place = Place::new(&[]);
    let help = |command: &str| {
        let command = format!("{program} {command} --help");
        place.run(&command).join("\n")
    };
    let general = help("");
    let is_command = |word: &str| {
        let name = word.chars().all(|c| c.is_ascii_lowercase() || c == '-');
        name && general.contains(&format!("\n  {word} "))
    };
    let mut helps: BTreeMap<String, String> = BTreeMap::new();
    let mut count = 0;
    let mut faults = Vec::new();
    for page in pages() {
        let text = read(&page);
        let mut all = inline_code(&text);
        for block in blocks(&text) {
            if ["sh", "console"].contains(&block.language.as_str()) {
                all.extend(commands(&block).into_iter().map(|shown| shown.command));
            }
        }
        for piece in all {
            let rest = piece.strip_prefix(program);
            let Some(rest) = rest.and_then(|rest| rest.strip_prefix(' ')) else {
                continue;
            };
            count += 1;
            let mut words = rest.split_whitespace();
            let first = words.next().unwrap_or_default();
            let name = if is_command(first) { first } else { "" };
            let mut known = |name: &str| {
                let entry = helps.entry(name.to_owned());
                entry.or_insert_with(|| help(name)).clone()
            };
            let mut help = known(name);
            // A command may have commands of its own.
            let below = words.next().unwrap_or_default();
            if help.contains("\nCommands:") && help.contains(&format!("\n  {below} ")) {
                help = known(&format!("{name} {below}"));
            }
            let options = rest
                .split_whitespace()
                .filter(|word| word.starts_with("--"));
            for option in options {
                let end = option[2..].find(|c: char| !c.is_ascii_alphanumeric() && c != '-');
                let option = &option[..end.map_or(option.len(), |end| end + 2)];
                let known = |c: char| !c.is_ascii_alphanumeric() && c != '-';
                if !help.split(known).any(|word| word == option) {
                    faults.push(format!("{}: {piece}: no {option}", page.display()));
                }
            }
        }
    }
    assert!(count > 30, "only {count} commands");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn blocks_are_read_as_they_are_meant() {
    let page = "a\n```console shorter: --trials 36\n$ luckless rollout X --top 3\none\n…\n$ ls\n```\n\
                ```sh\nx \\\n  y\nz\n```\n";
    let blocks = blocks(page);
    assert_eq!(blocks[0].marked("shorter: "), Some("--trials 36"));
    let first = commands(&blocks[0]);
    assert_eq!(first[0].output, ["one", "…"]);
    assert_eq!(first[1].command, "ls");
    let second = commands(&blocks[1]);
    assert_eq!(second[0].command, "x \\\n  y");
    assert_eq!(second[1].command, "z");
    let command = shorter(&first[0].command, "--trials 36 --seconds 1");
    assert_eq!(command, "luckless rollout --trials 36 X --top 3");
    let command = shorter("luckless rollout X --trials 1296 --top 3", "--trials 36");
    assert_eq!(command, "luckless rollout X --trials 36 --top 3");
    let lines = |all: &[&str]| all.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert!(are_like(
        &lines(&["a … c", "…", "z"]),
        &lines(&["a b c", "1", "2", "z"])
    ));
    assert!(!are_like(&lines(&["a"]), &lines(&["a", "b"])));
    assert!(!is_like("ab…bc", "abc"));
    let now = renewed(&lines(&["x", "…", "z"]), &lines(&["in 0.3 s, a", "b", "c"]));
    assert_eq!(now, ["in … s, a", "…", "c"]);
    assert_eq!(inline_code("a `b\nc`\n```\n`x`\n```\n`d`"), ["b c", "d"]);
}
