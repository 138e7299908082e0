//! What several experiments of `luckless-lab` have in common.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::cli::common::options::Threads;
use crate::cli::common::output;
use crate::eval::{Engine, Evaluator};
use crate::experiments::decisions::{self, BenchmarkDecision};
use crate::rollout::Setup;
use crate::store::file;

/// Names of the two kinds of luck.
pub(super) const LUCK: [&str; 2] = ["plain", "reduced"];

/// The evaluator of the program plays.
pub(super) fn setup() -> Setup {
    Setup::from(Arc::new(Engine::embedded()) as Arc<dyn Evaluator>)
}

/// The decisions of a file, or those of the repository.
pub(super) fn wanted(path: Option<&Path>) -> Result<Vec<BenchmarkDecision>> {
    let Some(path) = path else {
        return Ok(decisions::bundled());
    };
    let bytes = file::read(path, file::LIMIT)?;
    let found = decisions::read(&String::from_utf8_lossy(&bytes));
    if found.is_empty() {
        bail!("{}: no decisions in it", path.display());
    }
    Ok(found)
}

/// A pool of as many threads as were asked for.
pub(super) fn pool(threads: &Threads) -> Result<ThreadPool> {
    let builder = ThreadPoolBuilder::new().num_threads(threads.number().get());
    builder.build().context("cannot start the threads")
}

/// Reports a file that cannot be written to before minutes of play. What is there stays.
pub(super) fn try_to_write(path: &Path) -> Result<()> {
    if file::is_device(path) {
        return Ok(());
    }
    match fs::read(path) {
        Err(e) if e.kind() == ErrorKind::NotFound => {
            file::write(path, &[])?;
            Ok(fs::remove_file(path)?)
        }
        old => {
            let old = old.with_context(|| path.display().to_string())?;
            Ok(file::write(path, &old)?)
        }
    }
}

/// Writes a net, and prints where it is.
pub(super) fn give_net(path: &Path, net: &[u8]) -> Result<()> {
    file::write(path, net)?;
    tell_file(path)
}

/// Prints the name of a file that was written.
pub(super) fn tell_file(path: &Path) -> Result<()> {
    let name = path.display().to_string();
    output::text(&format!("{}\n", output::printable(&name)))
}

/// Prints a text, and keeps it and what belongs to it in a folder.
pub(super) fn give(
    out: Option<&Path>,
    name: &str,
    text: &str,
    files: &[(&str, String)],
) -> Result<()> {
    keep(out, name, text, files)?;
    output::text(text)
}

/// Keeps a text and what belongs to it in a folder, if there is one.
pub(super) fn keep(
    out: Option<&Path>,
    name: &str,
    text: &str,
    files: &[(&str, String)],
) -> Result<()> {
    let Some(folder) = out else {
        return Ok(());
    };
    let made = fs::create_dir_all(folder);
    made.with_context(|| format!("cannot make {}", folder.display()))?;
    let all = files.iter().map(|(end, content)| (*end, content.as_str()));
    for (end, content) in all.chain([("txt", text)]) {
        let path = folder.join(format!("{name}.{end}"));
        fs::write(&path, content).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}
