//! The documents hold together: every page is in the table of contents, and every link leads
//! somewhere.

use std::collections::HashMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Folders without documents of ours.
const SKIPPED: [&str; 2] = ["target", ".git"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All Markdown files, as paths from the root.
fn documents() -> Vec<PathBuf> {
    let mut folders = vec![root().to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() && !SKIPPED.contains(&name.as_str()) {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "md") {
                files.push(path.strip_prefix(root()).unwrap().to_owned());
            }
        }
    }
    files.sort();
    files
}

fn read(file: &Path) -> String {
    fs::read_to_string(root().join(file)).unwrap()
}

/// The lines of a document outside of code blocks, with their numbers.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut code = false;
    text.lines().enumerate().filter_map(move |(i, line)| {
        let fence = line.trim_start().starts_with("```");
        code ^= fence;
        (!code && !fence).then_some((i + 1, line))
    })
}

/// A line with its inline code blanked.
fn without_code(line: &str) -> String {
    let parts = line.split('`').enumerate();
    parts
        .map(|(i, s)| if i % 2 == 0 { s } else { "_" })
        .collect()
}

/// The targets of the links and pictures of a document, with their lines.
fn links(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (number, line) in prose(text) {
        let line = without_code(line);
        for rest in line.split("](").skip(1) {
            if let Some((target, _)) = rest.split_once(')') {
                found.push((number, target.to_owned()));
            }
        }
    }
    found
}

/// The anchors of a document's headings, as code hosts and mdBook make them.
fn anchors(text: &str) -> Vec<String> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let headings = prose(text).filter(|(_, line)| {
        let marks = line.bytes().take_while(|&b| b == b'#').count();
        (1..=6).contains(&marks) && line[marks..].starts_with(' ')
    });
    headings
        .map(|(_, line)| {
            let title = line.trim_start_matches('#').trim().to_lowercase();
            let name: String = title
                .chars()
                .filter(|c| c.is_alphanumeric() || " -_".contains(*c))
                .map(|c| if c == ' ' { '-' } else { c })
                .collect();
            let again = seen.entry(name.clone()).or_default();
            *again += 1;
            match *again {
                1 => name,
                n => format!("{name}-{}", n - 1),
            }
        })
        .collect()
}

/// `link`, as written in `file`, as a path from the root; `None` if it leaves the repository.
fn target(file: &Path, link: &str) -> Option<PathBuf> {
    let mut path = file.parent().unwrap().to_owned();
    for part in Path::new(link).components() {
        match part {
            Component::Normal(name) => path.push(name),
            Component::CurDir => {}
            Component::ParentDir if path.pop() => {}
            _ => return None,
        }
    }
    Some(path)
}

/// What is wrong with one link, if anything.
fn fault(file: &Path, link: &str) -> Option<String> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let to = if path.is_empty() {
        file.to_owned()
    } else {
        let Some(to) = target(file, path) else {
            return Some("leaves the repository".into());
        };
        to
    };
    if !root().join(&to).exists() {
        return Some("does not exist".into());
    }
    let known = anchor.is_empty() || anchors(&read(&to)).iter().any(|a| a == anchor);
    (!known).then(|| "has no such heading".into())
}

fn none(faults: &[String]) {
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// The pages of the book, as paths from the root.
fn pages() -> Vec<PathBuf> {
    let summary = Path::new("docs/SUMMARY.md");
    let links = links(&read(summary));
    links
        .iter()
        .map(|(_, link)| target(summary, link).unwrap())
        .collect()
}

#[test]
fn the_contents_name_each_page_once() {
    let mut pages = pages();
    assert!(pages.len() > 10);
    let missing = pages.iter().filter(|p| !root().join(p).is_file());
    none(
        &missing
            .map(|p| format!("{} does not exist", p.display()))
            .collect::<Vec<_>>(),
    );
    pages.sort();
    let twice = pages.windows(2).filter(|w| w[0] == w[1]);
    none(
        &twice
            .map(|w| format!("{} stands twice", w[0].display()))
            .collect::<Vec<_>>(),
    );
}

#[test]
fn every_page_is_in_the_contents() {
    let pages = pages();
    let lost = documents().into_iter().filter(|file| {
        let name = file.to_string_lossy().replace('\\', "/");
        name.starts_with("docs/") && name != "docs/SUMMARY.md" && !pages.contains(file)
    });
    none(
        &lost
            .map(|p| format!("{} is not in docs/SUMMARY.md", p.display()))
            .collect::<Vec<_>>(),
    );
}

#[test]
fn every_link_leads_somewhere() {
    let mut faults = Vec::new();
    for file in documents() {
        for (line, link) in links(&read(&file)) {
            if let Some(fault) = fault(&file, &link) {
                faults.push(format!("{}:{line}: {link} {fault}", file.display()));
            }
        }
    }
    none(&faults);
}

/// The page whose parts others copy.
const BENCHMARKS: &str = "docs/reference/benchmarks.md";

/// The generated parts of a page of benchmarks, from `<!-- begin figures-…` to the end of its last line.
fn figures(text: &str) -> Vec<(&str, &str)> {
    let begin = "<!-- begin figures-";
    text.match_indices(begin)
        .map(|(at, _)| {
            let (name, _) = text[at + begin.len()..].split_once(" -->").unwrap();
            let end = format!("<!-- end figures-{name} -->");
            let length = text[at..].find(&end).unwrap();
            (name, &text[at..at + length])
        })
        .collect()
}

/// Other pages quote the page of benchmarks, to the letter. `UPDATE_MANUAL=1` renews the copies.
#[test]
fn quoted_figures_are_those_of_the_benchmarks() {
    let source = read(Path::new(BENCHMARKS));
    let known: HashMap<&str, &str> = figures(&source).into_iter().collect();
    let mut copies = 0;
    let mut faults = Vec::new();
    for file in documents() {
        let text = read(&file);
        if file == Path::new(BENCHMARKS) {
            continue;
        }
        let mut renewed = text.clone();
        for (name, copy) in figures(&text) {
            copies += 1;
            match known.get(name) {
                Some(part) if *part == copy => {}
                Some(part) => renewed = renewed.replace(copy, part),
                None => faults.push(format!("{}: no part {name}", file.display())),
            }
        }
        if renewed != text && std::env::var_os("UPDATE_MANUAL").is_some() {
            fs::write(root().join(&file), renewed).unwrap();
        } else if renewed != text {
            faults.push(format!("{} is behind {BENCHMARKS}", file.display()));
        }
    }
    none(&faults);
    assert!(copies > 1);
}

/// Paragraphs and items of lists, with their first lines; tables, headings and code left out.
fn paragraphs(text: &str) -> Vec<(usize, String)> {
    let mut all: Vec<(usize, String)> = Vec::new();
    let mut last = 0;
    for (number, line) in prose(text) {
        let line = line.trim();
        if line.is_empty() || line.starts_with(['|', '#', '<']) {
            continue;
        }
        let item = line.starts_with("* ") || line.starts_with("- ");
        if item || number != last + 1 || all.is_empty() {
            all.push((number, String::new()));
        }
        last = number;
        let (_, paragraph) = all.last_mut().unwrap();
        paragraph.push_str(line);
        paragraph.push(' ');
    }
    all
}

/// Pages whose prose still has measurements of its own, which belong into records.
const WITH_MEASUREMENTS: [&str; 3] = ["rollouts.md", "intervals.md", "coupled-dice.md"];
/// Figures of prose that are no measurements, but rules, parameters and versions: by page, or for all pages.
const CONSTANTS: [(&str, &[&str]); 12] = [
    ("", &["0%", "5%", "95%", "100%", "1,296", "2,592", "10,000"]),
    ("README.md", &["1.89", "2.0"]),
    ("docs/using/faq.md", &["1.000"]),
    ("docs/using/install.md", &["1.89"]),
    (
        "docs/methods/bibliography.md",
        &["2.0", "2310.03722", "2210.08589"],
    ),
    (
        "docs/methods/cube.md",
        &["28.5%", "0.55", "0.60", "0.70", "0.00125", "0.0001"],
    ),
    (
        "docs/methods/review-statistics.md",
        &["0.04", "0.02", "0.00001", "0.06", "1,999"],
    ),
    ("docs/using/cube.md", &["0.5"]),
    (
        "docs/using/reviews-and-pr.md",
        &["0.002", "0.0196", "0.010", "5.0", "0.5"],
    ),
    (
        "docs/using/statistics-for-players.md",
        &["0.002", "0.006", "70%", "30%"],
    ),
    ("docs/using/study.md", &["10%", "90%"]),
    ("docs/using/why-and-scores.md", &["0.06"]),
];

/// Numbers with a decimal point, with thousands set apart, or with a percent sign.
fn measured(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let is_digit = |c: char| c.is_ascii_digit() || c == '.' || c == ',';
    let mut rest = text;
    while let Some(start) = rest.find(is_digit) {
        let inside = rest[..start].ends_with(|c: char| c.is_ascii_alphanumeric());
        let end = rest[start..]
            .find(|c| !is_digit(c))
            .map_or(rest.len(), |n| start + n);
        let number = rest[start..end].trim_end_matches(['.', ',']);
        rest = &rest[end..];
        let percent = rest.starts_with('%') || rest.starts_with(" %");
        let plain = number.bytes().all(|b| b.is_ascii_digit());
        if !inside && !number.is_empty() && (percent || !plain) {
            let sign = if percent { "%" } else { "" };
            all.push(format!("{number}{sign}"));
        }
    }
    all
}

/// The text of a page's code, tables and generated parts: what commands and records wrote.
fn sources(text: &str) -> String {
    let prose: Vec<usize> = prose(text).map(|(number, _)| number).collect();
    let lines = text.lines().enumerate();
    let is_source = |(i, line): &(usize, &str)| line.starts_with('|') || !prose.contains(&(i + 1));
    lines
        .filter(is_source)
        .flat_map(|(_, line)| [line, "\n"])
        .collect()
}

/// A figure in prose is one of a block or table of its page or of a page that it links to, or a constant.
#[test]
fn figures_in_prose_have_a_source() {
    let number = |figure: &str| {
        figure
            .trim_start_matches('0')
            .trim_end_matches('%')
            .to_owned()
    };
    let mut faults = Vec::new();
    for page in pages() {
        let name = page.to_string_lossy().replace('\\', "/");
        let folders = ["docs/using/", "docs/methods/"];
        let is_front = ["README.md", "docs/README.md"].contains(&&*name);
        let is_held = is_front || folders.iter().any(|folder| name.starts_with(folder));
        if !is_held || WITH_MEASUREMENTS.iter().any(|page| name.ends_with(page)) {
            continue;
        }
        let text = read(&page);
        let mut known = measured(&sources(&text));
        for (_, link) in links(&text) {
            let path = link.split('#').next().unwrap();
            let linked =
                target(&page, path).filter(|to| path.ends_with(".md") && root().join(to).exists());
            known.extend(
                linked
                    .map(|to| measured(&sources(&read(&to))))
                    .unwrap_or_default(),
            );
        }
        let known: Vec<String> = known.iter().map(|figure| number(figure)).collect();
        let constants = CONSTANTS
            .iter()
            .filter(|(of, _)| of.is_empty() || *of == name);
        let constants: Vec<&str> = constants.flat_map(|(_, all)| all.iter().copied()).collect();
        for (line, paragraph) in paragraphs(&text) {
            for figure in measured(&without_code(&paragraph)) {
                if !constants.contains(&figure.as_str()) && !known.contains(&number(&figure)) {
                    faults.push(format!(
                        "{name}:{line}: {figure} is in no block, table or linked record"
                    ));
                }
            }
        }
    }
    none(&faults);
    assert_eq!(
        measured("36 rolls, 1,296 a.b x0.1 0.25 ± .004, 5 %."),
        ["1,296", "0.25", ".004", "5%"]
    );
}

/// The files of the project that a line names as code: `src/main.rs`, or below `src` `cube/mod.rs`.
fn named_files(line: &str) -> impl Iterator<Item = &str> {
    const KINDS: [&str; 6] = [".rs", ".md", ".toml", ".tsv", ".net", ".sh"];
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    line.split('`').skip(1).step_by(2).filter(move |name| {
        name.contains('/')
            && name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.chars().all(is_plain)
            && KINDS.iter().any(|kind| name.ends_with(kind))
    })
}

#[test]
fn every_file_that_is_named_is_there() {
    let mut faults = Vec::new();
    let kept = |page: &PathBuf| page.as_os_str() != "CHANGELOG.md";
    for page in documents().into_iter().filter(kept) {
        let beside = page.parent().unwrap_or(Path::new("")).to_owned();
        for (line, text) in prose(&read(&page)) {
            for name in named_files(text) {
                let places = [
                    Path::new(""),
                    Path::new("src"),
                    Path::new("crates/engine/src"),
                    Path::new("crates/lab/src"),
                    &beside,
                ];
                if !places.iter().any(|p| root().join(p).join(name).exists()) {
                    faults.push(format!("{}:{line}: no file {name}", page.display()));
                }
            }
        }
    }
    none(&faults);
    let named: Vec<&str> = named_files("`src/a.rs` and b/c.rs, `d` `cube/e.rs`").collect();
    assert_eq!(named, ["src/a.rs", "cube/e.rs"]);
}
