//! The sources of the workspace, read as text, comments and strings left out, and every path in them.

#![allow(dead_code, reason = "each of the tests needs some of it")]

use std::fs;
use std::path::{Path, PathBuf};

pub(crate) struct Source {
    /// Below the `src` of its crate, with `/`.
    pub(crate) name: String,
    pub(crate) module: String,
    /// Modules between the crate's root and this file.
    pub(crate) depth: usize,
    pub(crate) tokens: Vec<String>,
}

pub(crate) fn sources() -> Vec<Source> {
    let crates = ["crates/engine", "", "crates/lab"];
    let read = |one: &str| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(one).join("src");
        let mut files = Vec::new();
        walk(&root, &mut files);
        files.sort();
        let read = files.iter().map(|file| source(&root, file));
        read.collect::<Vec<_>>()
    };
    crates.into_iter().flat_map(read).collect()
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            walk(&path, files);
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
}

fn source(root: &Path, file: &Path) -> Source {
    let text = fs::read_to_string(file).unwrap();
    let parts: Vec<String> = file
        .strip_prefix(root)
        .unwrap()
        .iter()
        .map(|part| part.to_str().unwrap().to_owned())
        .collect();
    Source {
        name: parts.join("/"),
        module: parts[0].trim_end_matches(".rs").to_owned(),
        depth: parts.len() - usize::from(parts.ends_with(&["mod.rs".to_owned()])),
        tokens: tokens(&text),
    }
}

/// Identifiers, `::` and other single characters; no comments, strings or character literals.
pub(crate) fn tokens(text: &str) -> Vec<String> {
    let c: Vec<char> = text.chars().collect();
    let at = |i: usize| c.get(i).copied().unwrap_or('\0');
    let is_word = |ch: char| ch.is_alphanumeric() || ch == '_';
    let mut out = Vec::new();
    let mut i = 0;
    while i < c.len() {
        if at(i) == '/' && at(i + 1) == '/' {
            while i < c.len() && c[i] != '\n' {
                i += 1;
            }
        } else if at(i) == '/' && at(i + 1) == '*' {
            let mut depth = 1;
            i += 2;
            while i < c.len() && depth > 0 {
                match (at(i), at(i + 1)) {
                    ('/', '*') => (depth, i) = (depth + 1, i + 2),
                    ('*', '/') => (depth, i) = (depth - 1, i + 2),
                    _ => i += 1,
                }
            }
        } else if at(i) == '"' {
            i += 1;
            while i < c.len() && c[i] != '"' {
                i += if c[i] == '\\' { 2 } else { 1 };
            }
            i += 1;
        } else if at(i) == '\'' {
            // A literal, or a lifetime.
            if at(i + 1) == '\\' {
                i += 3;
                while i < c.len() && c[i] != '\'' {
                    i += 1;
                }
                i += 1;
            } else {
                i += if at(i + 2) == '\'' { 3 } else { 1 };
            }
        } else if is_word(at(i)) {
            let start = i;
            while is_word(at(i)) {
                i += 1;
            }
            let word: String = c[start..i].iter().collect();
            let hashes = c[i..].iter().take_while(|&&h| h == '#').count();
            if matches!(&*word, "r" | "br" | "cr") && at(i + hashes) == '"' {
                let close: Vec<char> = format!("\"{}", "#".repeat(hashes)).chars().collect();
                i += hashes + 1;
                while i < c.len() && !c[i..].starts_with(&close) {
                    i += 1;
                }
                i += close.len();
            } else {
                out.push(word);
            }
        } else if at(i) == ':' && at(i + 1) == ':' {
            out.push("::".to_owned());
            i += 2;
        } else {
            if !at(i).is_whitespace() {
                out.push(at(i).to_string());
            }
            i += 1;
        }
    }
    out
}

pub(crate) fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Every path of at least two parts, those in braces written out in full.
pub(crate) fn paths(tokens: &[String]) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        let starts = is_name(&tokens[i]) && tokens.get(i + 1).is_some_and(|t| t == "::");
        if starts {
            i = path(tokens, i, &[], &mut found);
        } else {
            i += 1;
        }
    }
    found
}

/// Reads one path from `i`, behind `prefix`, and says where it ends.
fn path(tokens: &[String], mut i: usize, prefix: &[String], found: &mut Vec<Vec<String>>) -> usize {
    let mut parts = prefix.to_vec();
    while i < tokens.len() {
        if tokens[i] == "{" && i > 0 && tokens[i - 1] == "::" {
            i += 1;
            while i < tokens.len() && tokens[i] != "}" {
                i = if is_name(&tokens[i]) {
                    path(tokens, i, &parts, found)
                } else {
                    i + 1
                };
            }
            return i + 1;
        }
        if !is_name(&tokens[i]) {
            break;
        }
        parts.push(tokens[i].clone());
        i += 1;
        if tokens.get(i).is_none_or(|t| t != "::") {
            break;
        }
        i += 1;
    }
    found.push(parts);
    i
}
