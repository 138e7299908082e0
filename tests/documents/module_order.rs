//! The modules keep their order: a module uses only modules below it.
//!
//! The sources are read as text, comments and strings left out, and every path in them is looked
//! at, so that neither a nested `use` nor a path in the middle of an expression slips through.

use std::fs;
use std::path::Path;

use crate::sources::{Source, paths, sources, tokens};

/// From the ground up.
const ORDER: [&str; 26] = [
    "sanitize",
    "words",
    "locks",
    "panics",
    "bounded_lines",
    "grid",
    "stats",
    "game",
    "notation",
    "diagram",
    "match_file",
    "eval",
    "cube",
    "analysis",
    "dice",
    "rollout",
    "duel",
    "review",
    "library",
    "study",
    "store",
    "tui",
    "cli",
    "train",
    "experiments",
    "commands",
];

fn rank(module: &str) -> Option<usize> {
    ORDER.iter().position(|r| *r == module)
}

/// Complaints of `check` about the files of all modules.
fn complaints(check: impl Fn(&Source) -> Vec<String>) -> Vec<String> {
    let all = sources();
    assert!(all.len() > 10, "the sources were not found");
    all.iter()
        .flat_map(|s| {
            check(s)
                .into_iter()
                .map(move |c| format!("src/{}: {c}", s.name))
        })
        .collect()
}

fn none(complaints: &[String]) {
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// The module a path inside the crate leads to, if it names one.
fn target(path: &[String], depth: usize) -> Option<&str> {
    let supers = path.iter().take_while(|p| *p == "super").count();
    let next = match &*path[0] {
        "crate" => 1,
        "super" if supers >= depth => supers,
        _ => return None,
    };
    path.get(next)
        .map(String::as_str)
        .filter(|module| rank(module).is_some())
}

fn is_root(source: &Source) -> bool {
    matches!(&*source.name, "lib.rs" | "main.rs")
}

#[test]
fn every_folder_is_a_module() {
    none(&complaints(|s| match rank(&s.module) {
        None if !is_root(s) => vec![format!("'{}' is not in the order of modules", s.module)],
        _ => vec![],
    }));
}

#[test]
fn modules_use_only_modules_below() {
    none(&complaints(|s| {
        let Some(own) = rank(&s.module) else {
            return vec![];
        };
        paths(&s.tokens)
            .iter()
            .filter_map(|p| target(p, s.depth))
            .filter(|module| rank(module) > Some(own))
            .map(|module| format!("{} may not use {module}, which is above it", s.module))
            .collect()
    }));
}

#[test]
fn only_the_screen_knows_a_terminal() {
    none(&complaints(|s| {
        let names = ["ratatui", "crossterm", "tui_input", "termina", "termios"];
        let knows = |t: &String| names.contains(&&**t);
        if rank(&s.module) >= rank("tui") {
            return vec![];
        }
        s.tokens
            .iter()
            .filter(|t| knows(t))
            .map(|t| format!("names {t}"))
            .collect()
    }));
}

#[test]
fn unsafe_code_stays_with_the_kernels_and_the_handler() {
    none(&complaints(|s| {
        // A handler of a signal cannot be installed without.
        let here = s.name.starts_with("eval/simd") || s.name == "tui/event_loop/fatal_signals.rs";
        if !here && s.tokens.iter().any(|t| t == "unsafe") {
            vec!["unsafe code outside eval/simd and tui/event_loop/fatal_signals.rs".to_owned()]
        } else {
            vec![]
        }
    }));
}

/// What is safe to show is decided in one place: two lists of characters would drift apart.
#[test]
fn one_place_says_which_characters_are_safe() {
    none(&complaints(|s| {
        let classifies = |t: &String| matches!(&**t, "is_control" | "is_ascii_control");
        if s.module != "sanitize" && s.tokens.iter().any(classifies) {
            vec!["classifies characters by itself; see sanitize".to_owned()]
        } else {
            vec![]
        }
    }));
}

#[test]
fn disks_are_touched_by_few() {
    none(&complaints(|s| {
        // A net is read where it is understood.
        let reads = s.module == "match_file" || s.name == "eval/net_file.rs";
        let may = reads || rank(&s.module) >= rank("store");
        if may || is_root(s) {
            return vec![];
        }
        let disk = |p: &&Vec<String>| p.windows(2).any(|w| w[0] == "std" && w[1] == "fs");
        paths(&s.tokens)
            .iter()
            .filter(disk)
            .map(|p| format!("uses {}", p.join("::")))
            .collect()
    }));
}

#[test]
fn every_dependency_has_its_reason() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifests = ["", "crates/engine", "crates/lab"];
    let manifests =
        manifests.map(|at| fs::read_to_string(root.join(at).join("Cargo.toml")).unwrap());
    let manifest = manifests.join("\n");
    let reasons = fs::read_to_string(root.join("docs/internals/dependencies.md")).unwrap();
    let mut listed: Vec<&str> = reasons
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next())
        .collect();
    let mut used = Vec::new();
    let mut inside = false;
    for line in manifest.lines() {
        if line.starts_with('[') {
            inside = line.ends_with("dependencies]");
        } else if let Some((name, _)) = line.split_once(" = ").filter(|_| inside) {
            used.push(name);
        }
    }
    listed.sort_unstable();
    used.sort_unstable();
    used.dedup();
    used.retain(|name| !name.starts_with("luckless"));
    assert!(used.len() > 10);
    assert_eq!(listed, used);
}

/// The reader of paths sees through what it must.
#[test]
fn paths_are_read() {
    let text = r##"
        // use crate::cli::Comment;
        use crate::{game::{Position, roll}, tui};
        const S: &str = "crate::lab::text \" crate::lab";
        const R: &str = r#"crate::lab "raw" crate::lab"#;
        fn f<'a>(c: char) -> bool { c == '"' || c == '\'' || crate::store::open(c) }
    "##;
    let found: Vec<String> = paths(&tokens(text)).iter().map(|p| p.join("::")).collect();
    let expected = [
        "crate::game::Position",
        "crate::game::roll",
        "crate::tui",
        "crate::store::open",
    ];
    assert_eq!(found, expected);
    let split = |p: &str| p.split("::").map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(target(&split("super::super::tui::run"), 2), Some("tui"));
    assert_eq!(target(&split("super::super::tui::run"), 3), None);
    assert_eq!(target(&split("crate::eval"), 1), Some("eval"));
}
