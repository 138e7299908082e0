//! Modules of one folder do not need each other in cycles: what stands in one can be understood without
//! the other.

use std::collections::{BTreeMap, BTreeSet};

use crate::sources::{Source, paths, sources};

/// Folders in layers: each needs only those before it.
const LAYERS: [(&str, &[&str]); 3] = [
    ("rollout", &["request", "trials", "counts", "run"]),
    (
        "tui",
        &[
            "text",
            "theme",
            "board",
            "keys",
            "rollouts",
            "documents",
            "screen",
            "windows",
            "message",
            "state",
            "session",
            "figures",
            "view",
            "update",
            "workers",
            "event_loop",
        ],
    ),
    (
        "tui/update",
        &[
            "lines",
            "analysis",
            "appearance",
            "quizzes",
            "folder",
            "notes",
            "document",
            "windows",
            "quiz_match",
            "editor",
            "input",
        ],
    ),
];

/// The modules of a file: `eval/simd/mod.rs` is eval, simd.
fn modules(source: &Source) -> Vec<&str> {
    let mut parts: Vec<&str> = source.name.trim_end_matches(".rs").split('/').collect();
    if parts.last() == Some(&"mod") {
        parts.pop();
    }
    parts
}

/// The tokens without the items that are there for tests alone.
fn without_tests(tokens: &[String]) -> Vec<String> {
    const TEST: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut out = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        if !tokens[i..].iter().zip(TEST).all(|(a, b)| a == b) {
            out.push(tokens[i].clone());
            i += 1;
            continue;
        }
        let mut depth = 0;
        while i < tokens.len() {
            match &*tokens[i] {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            i += 1;
            if depth == 0 && matches!(&*tokens[i - 1], "}" | ";") {
                break;
            }
        }
    }
    out
}

/// A path from the crate's root, if it says where it begins.
fn absolute<'a>(path: &'a [String], own: &[&'a str]) -> Option<Vec<&'a str>> {
    let supers = path.iter().take_while(|p| *p == "super").count();
    let (base, rest) = match &*path[0] {
        "crate" => (&own[..0], &path[1..]),
        "self" => (own, &path[1..]),
        _ if supers > 0 => (&own[..own.len().checked_sub(supers)?], &path[supers..]),
        _ => return None,
    };
    let rest = rest.iter().map(String::as_str);
    Some(base.iter().copied().chain(rest).collect())
}

/// The part of `path` that comes after `at`, if it leads below it.
fn next_below<'a>(at: &[&str], path: &[&'a str]) -> Option<&'a str> {
    let leads = path.len() > at.len() && path.iter().zip(at).all(|(a, b)| a == b);
    leads.then(|| path[at.len()])
}

/// What the modules of one folder need of each other; `mod` is the folder's own file, `x/mod.rs` or `x.rs`.
struct Folder<'a> {
    /// Its modules, from the crate's root.
    at: Vec<&'a str>,
    children: BTreeSet<&'a str>,
    /// Names that its `mod.rs` has from a child.
    exports: BTreeMap<String, &'a str>,
    needs: BTreeMap<&'a str, BTreeSet<&'a str>>,
}

impl<'a> Folder<'a> {
    fn new(own: &'a Source, all: &'a [Source]) -> Self {
        let at = modules(own);
        let below = all.iter().map(modules).filter(|m| m.len() > at.len());
        let children = below
            .filter(|m| m.starts_with(&at))
            .map(|m| m[at.len()])
            .collect();
        let mut folder = Self {
            at,
            children,
            exports: BTreeMap::new(),
            needs: BTreeMap::new(),
        };
        folder.read_own(&without_tests(&own.tokens));
        for source in all {
            folder.read_child(source);
        }
        folder
    }

    fn need(&mut self, one: &'a str, other: &'a str) {
        if one != other {
            self.needs.entry(one).or_default().insert(other);
        }
    }

    /// The child or `mod` that an absolute path leads to.
    fn child(&self, path: &[&str]) -> Option<&'a str> {
        let next = next_below(&self.at, path)?;
        let exported = || self.exports.get(next).copied();
        let child = self.children.get(next).copied();
        Some(child.or_else(exported).unwrap_or("mod"))
    }

    /// The folder's `mod.rs`: what it hands on counts only where it uses it itself.
    fn read_own(&mut self, tokens: &[String]) {
        let at = self.at.clone();
        let mut body = Vec::new();
        let mut i = 0;
        while i < tokens.len() {
            if tokens[i] != "use" {
                body.push(tokens[i].clone());
                i += 1;
                continue;
            }
            let handed_on = i > 0 && matches!(&*tokens[i - 1], "pub" | ")");
            let end = i + tokens[i..].iter().take_while(|t| *t != ";").count();
            for path in paths(&tokens[i + 1..end]) {
                let Some(child) = self.own_child(&path, &at) else {
                    continue;
                };
                if let Some(name) = path.last() {
                    self.exports.insert(name.clone(), child);
                }
                if !handed_on {
                    self.need("mod", child);
                }
            }
            i = end;
        }
        for path in paths(&body) {
            if let Some(child) = self.own_child(&path, &at) {
                self.need("mod", child);
            }
        }
        for token in &body {
            if let Some(child) = self.exports.get(token).copied() {
                self.need("mod", child);
            }
        }
    }

    /// The child that a path in `mod.rs` leads to.
    fn own_child(&self, path: &[String], at: &[&'a str]) -> Option<&'a str> {
        let near = self.children.get(path[0].as_str()).copied();
        let far = || {
            let path = absolute(path, at)?;
            self.children.get(next_below(at, &path)?).copied()
        };
        near.or_else(far)
    }

    fn read_child(&mut self, source: &'a Source) {
        let own = modules(source);
        if own.len() <= self.at.len() || !own.starts_with(&self.at) || is_test(&own) {
            return;
        }
        let child = own[self.at.len()];
        let tokens = without_tests(&source.tokens);
        for path in paths(&tokens) {
            let to = absolute(&path, &own).and_then(|path| self.child(&path));
            if let Some(to) = to {
                self.need(child, to);
            }
        }
    }

    /// What a module needs, and what that needs, and so on.
    fn reach(&self, from: &'a str) -> BTreeSet<&'a str> {
        let mut found = BTreeSet::new();
        let mut open = vec![from];
        while let Some(next) = open.pop() {
            for &other in self.needs.get(next).into_iter().flatten() {
                if found.insert(other) {
                    open.push(other);
                }
            }
        }
        found
    }

    /// Its cycles: modules of which each needs all the others.
    fn cycles(&self) -> BTreeSet<Vec<&'a str>> {
        let mut cycles = BTreeSet::new();
        for &one in self.needs.keys() {
            let reached = self.reach(one);
            if reached.contains(one) {
                let mutual = reached.iter().filter(|o| self.reach(o).contains(one));
                cycles.insert(mutual.copied().collect());
            }
        }
        cycles
    }
}

fn is_test(modules: &[&str]) -> bool {
    modules.iter().any(|m| m.ends_with("tests"))
}

#[test]
fn modules_of_a_folder_do_not_need_each_other_in_cycles() {
    let all = sources();
    let mut found = Vec::new();
    // A file without a folder has no modules below it, and so no cycles.
    for own in &all {
        let folder = Folder::new(own, &all);
        if !is_test(&folder.at) {
            let name = folder.at.join("/");
            let cycles = folder.cycles().into_iter();
            found.extend(cycles.map(|cycle| format!("{name}: {}", cycle.join(", "))));
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn layers_keep_their_order() {
    let all = sources();
    for (name, layers) in LAYERS {
        let own = all.iter().find(|s| modules(s).join("/") == name).unwrap();
        let folder = Folder::new(own, &all);
        let rank = |module: &str| layers.iter().position(|layer| *layer == module);
        for (&one, others) in &folder.needs {
            let Some(layer) = rank(one) else { continue };
            for &other in others {
                assert!(
                    rank(other).is_none_or(|below| below < layer),
                    "{name}: {one} may not use {other}, which is above it"
                );
            }
        }
        for layer in layers {
            assert!(folder.children.contains(layer), "{name}: no {layer}");
        }
        assert!(!folder.needs.is_empty(), "{name}: not read");
    }
}
