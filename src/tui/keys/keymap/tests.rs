//! Files of keys: what they change, and what is wrong with them.

use super::*;

fn read(text: &str) -> ReadKeys {
    KeyMap::read(text)
}

fn action(scope: KeyScope, name: &str) -> &'static ActionEntry {
    let is_it = |action: &&ActionEntry| action.scope == scope && action.name == name;
    ACTIONS.iter().find(is_it).unwrap()
}

fn means(keys: &KeyMap, scope: KeyScope, text: &str) -> Option<&'static str> {
    match keys.meaning(scope, &sequence(text)) {
        Meaning::Action(action) => Some(action.name),
        _ => None,
    }
}

#[test]
fn keys_are_changed_exchanged_and_taken_away() {
    let text = "
[match]
\"roll out\" = [\"f5\", \"g r\"]
compare = \"r\"
mirror = []

[why]
\"next roll\" = \"n\"
";
    let ReadKeys { keys, complaints } = read(text);
    assert_eq!(complaints, [""; 0]);
    let at = |text| means(&keys, KeyScope::Match, text);
    assert_eq!([at("f5"), at("g r")], [Some("roll out"); 2]);
    assert_eq!([at("r"), at("c"), at("V m")], [Some("compare"), None, None]);
    assert_eq!(at("g g"), Some("first"), "what is not named stays");
    assert!(matches!(
        keys.meaning(KeyScope::Match, &sequence("g")),
        Meaning::Prefix
    ));
    let after_g = keys.followers(KeyScope::Match, &sequence("g"));
    assert!(
        after_g
            .iter()
            .any(|(key, a)| key == "r" && a.name == "roll out")
    );
    assert_eq!(means(&keys, KeyScope::Why, "n"), Some("next roll"));
    assert_eq!(keys.of(action(KeyScope::Match, "roll out")), ["f5", "g r"]);
    // Two actions may exchange their keys.
    let both = read("[match]\ncompare = \"r\"\n\"roll out\" = \"c\"");
    assert_eq!(both.complaints, [""; 0]);
    assert_eq!(means(&both.keys, KeyScope::Match, "c"), Some("roll out"));
}

#[test]
fn what_is_wrong_is_named_with_its_line_and_costs_no_more() {
    for (text, why) in [
        (
            "[match]\nflop = \"x\"",
            "line 2: there is no action 'flop' in [match]",
        ),
        ("[mtch]\nflip = \"x\"", "line 1: there is no table 'mtch'"),
        ("flip = \"x\"", "line 1: 'flip' stands in no table"),
        ("match = 3", "line 1: 'match' is a table"),
        (
            "[match]\n\nflip = \"ctr-x\"",
            "line 3: flip: 'ctr-x' is no key",
        ),
        ("[match]\nflip = 3", "line 2: flip: expected a key"),
        ("[match]\nflip = [\"\"]", "line 2: flip: '' is no key"),
        ("[match]\nquit = []", "line 2: quit: without a key"),
        ("[why]\nclose = []", "line 2: close: without a key"),
        (
            "[prompt]\nclose = \"x\"",
            "line 2: close: 'x' is typed there",
        ),
        (
            "[library]\nopen = \"a\"",
            "line 2: open: 'a' is typed there",
        ),
        ("[editor]\ncount = \"x\"", "line 2: count: the digits stay"),
        (
            "[match]\nflip = \"q\"",
            "line 2: flip: 'q' is taken by 'quit': give",
        ),
        (
            "[match]\nflip = \"g\"",
            "line 2: flip: 'g' is taken by 'first'",
        ),
        (
            "[match]\nflip = \"ctrl-c\"",
            "line 2: flip: 'ctrl-c' is taken by 'quit now'",
        ),
        (
            "[match]\nflip = \"f2\"\nmirror = \"f2\"",
            "line 3: mirror: 'f2' is taken by 'flip' (line 2)",
        ),
        (
            "[everywhere]\nredraw = \"esc\"",
            "line 2: redraw: 'esc' is taken by",
        ),
        ("[match\nflip = \"x\"", "line 1: "),
    ] {
        let ReadKeys { keys, complaints } = read(text);
        assert!(complaints[0].starts_with(why), "{text}: {complaints:?}");
        // A broken head of a table leaves its entries without one.
        assert!(complaints.len() == 1 || text.starts_with("[match\n"));
        if !text.contains("f2") {
            assert_eq!(keys, KeyMap::default(), "{text}");
        }
    }
    // The rest of the file counts.
    let some = read("[match]\nflip = \"q\"\nmirror = \"f2\"\nnothing = 1");
    assert_eq!(some.complaints.len(), 2);
    assert_eq!(means(&some.keys, KeyScope::Match, "f2"), Some("mirror"));
    assert_eq!(means(&some.keys, KeyScope::Match, "V f"), Some("flip"));
}

#[test]
fn what_is_written_is_read_again() {
    let keys = read("[match]\n\"roll out\" = [\"f5\", \"\\\\\"]\nflip = []").keys;
    let again = read(&keys.written());
    assert_eq!(again.complaints, [""; 0]);
    for action in ACTIONS {
        assert_eq!(again.keys.of(action), keys.of(action), "{}", action.name);
    }
    let usual = read(&KeyMap::default().written());
    assert!(usual.complaints.is_empty(), "{:?}", usual.complaints);
}

#[test]
fn names_of_scopes_are_unique() {
    for (i, scope) in KeyScope::ALL.iter().enumerate() {
        assert!(KeyScope::ALL[..i].iter().all(|s| s.name() != scope.name()));
    }
    assert!(ACTIONS.iter().all(|a| KeyScope::ALL.contains(&a.scope)));
}

#[test]
fn texts_name_the_keys_that_the_user_has() {
    let keys = KeyMap::read("[match]\nerrors = \"f3\"\n\"roll out\" = []\n").keys;
    assert_eq!(
        keys.named("{errors} lists, {stop} stops"),
        "F3 lists, x stops"
    );
    assert_eq!(keys.named("{roll out}, {what if} {}{"), ":roll out, v {}{");
}

/// Words that name an action in braces get its key; a name that none has any more would stand there as it is.
#[test]
fn every_action_that_words_name_is_there() {
    fn check(folder: &std::path::Path) -> usize {
        let mut found = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                found += check(&path);
                continue;
            }
            if path.extension().is_none_or(|end| end != "rs") {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            for (_, rest) in text.match_indices('{').map(|(at, _)| text.split_at(at + 1)) {
                let name = rest.split_once('}').map_or("", |(name, _)| name);
                // Of one word may be a field or a value as well.
                let is_name = |c: char| c.is_ascii_lowercase() || c == ' ';
                if name.trim() == name && name.contains(' ') && name.chars().all(is_name) {
                    let is_there = ACTIONS.iter().any(|action| action.name == name);
                    assert!(is_there, "{}: {{{name}}}", path.display());
                    found += 1;
                }
            }
        }
        found
    }
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/tui");
    assert!(check(folder.as_ref()) > 20);
}
