//! Functions shared by several experiments of `luckless-lab`.

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

/// The setup with the embedded evaluator.
pub(super) fn setup() -> Setup {
    Setup::from(Arc::new(Engine::embedded()) as Arc<dyn Evaluator>)
}

/// Reads the decisions of a file, or those of the repository.
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

/// Builds a pool with the requested number of threads.
pub(super) fn pool(threads: &Threads) -> Result<ThreadPool> {
    let builder = ThreadPoolBuilder::new().num_threads(threads.number().get());
    builder.build().context("cannot start the threads")
}

/// Fails early, before minutes of play, if a file cannot be written. Existing content is kept.
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

/// Writes a net and prints its path.
pub(super) fn save_net(path: &Path, net: &[u8]) -> Result<()> {
    file::write(path, net)?;
    print_path(path)
}

/// Prints the path of a written file.
pub(super) fn print_path(path: &Path) -> Result<()> {
    let name = path.display().to_string();
    output::text(&format!("{}\n", output::printable(&name)))
}

/// Prints a text, and saves it with its attachments in a folder.
pub(super) fn print_and_save(
    out: Option<&Path>,
    name: &str,
    text: &str,
    files: &[(&str, String)],
) -> Result<()> {
    save(out, name, text, files)?;
    output::text(text)
}

/// Saves a text with its attachments in a folder, if one is given.
pub(super) fn save(
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
