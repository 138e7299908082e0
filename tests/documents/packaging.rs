//! What packages the program and installs it.

use std::fs;
use std::path::Path;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A checkout on Windows would end lines otherwise without `.gitattributes`: no shell runs such a script, and
/// the signature in the page would be none.
#[test]
fn scripts_have_the_line_ends_of_unix_everywhere() {
    let folder = fs::read_dir(root().join("docs/packaging")).unwrap();
    let scripts = folder.map(|entry| entry.unwrap().path());
    let scripts = scripts.filter(|path| path.extension().is_some_and(|e| e == "sh"));
    let others = [".ci/run", "docs/using/install.md"].map(|name| root().join(name));
    for path in scripts.chain(others) {
        let bytes = fs::read(&path).unwrap();
        assert!(!bytes.contains(&b'\r'), "{}", path.display());
    }
}

/// A release of every system, whose program only says its version.
#[cfg(unix)]
const RELEASE: &str = r#"
set -eu
mkdir rel
for system in x86_64-unknown-linux-musl aarch64-unknown-linux-musl x86_64-apple-darwin aarch64-apple-darwin; do
    name=luckless-0.1.0-$system
    mkdir -p "$name/man" "$name/completions" "$name/sample_matches" "$name/themes"
    printf '#!/bin/sh\necho luckless 0.1.0\n' >"$name/luckless"
    chmod +x "$name/luckless"
    touch "$name/man/luckless.1" "$name/sample_matches/a.mat" "$name/themes/a.toml"
    touch "$name/completions/luckless.bash" "$name/completions/_luckless" "$name/completions/luckless.fish"
    tar -czf "rel/$name.tar.gz" "$name"
    cd rel
    if command -v sha256sum >/dev/null; then
        sha256sum "$name.tar.gz" >"$name.tar.gz.sha256"
    else
        shasum -a 256 "$name.tar.gz" >"$name.tar.gz.sha256"
    fi
    cd ..
done
"#;

/// Wherever it is asked to, seen from the folder where it was called.
#[cfg(unix)]
#[test]
fn the_installer_installs_where_it_says() {
    use std::process::Command;
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str], prefix: &str| {
        let mut shell = Command::new("sh");
        let variables = [("LUCKLESS_URL", "rel"), ("LUCKLESS_VERSION", "0.1.0")];
        let shell = shell.args(arguments).current_dir(folder.path());
        let shell = shell.envs(variables).env("LUCKLESS_PREFIX", prefix);
        let output = shell.output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    run(&["-c", RELEASE], "");
    let script = root().join("docs/packaging/install.sh");
    let whole = folder.path().join("whole");
    for (prefix, name) in [
        ("here/below", "here/below"),
        (whole.to_str().unwrap(), "whole"),
    ] {
        let said = run(&[script.to_str().unwrap()], prefix);
        let place = folder.path().join(name);
        for file in ["bin/luckless", "share/man/man1/luckless.1"] {
            assert!(place.join(file).is_file(), "{prefix}: {file}");
        }
        // The system may know the folder by another name.
        let said = said.lines().next().unwrap();
        assert!(said.starts_with("luckless 0.1.0 is in /"), "{said}");
        assert!(said.ends_with(&format!("/{name}/bin")), "{said}");
    }
}
