//! A rollout kept in a file, to be gone on with.
//!
//! The file is a line of text (`luckless checkpoint`, version, CRC-32 of the rest) and a JSON
//! document, the rollout's [`Progress`]. It is replaced as a whole, so that whatever happens the
//! file is a complete one.

use std::io;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

use crate::game::Position;
use crate::rollout::{Progress, Settings};
use crate::store::{StoreError, file};

const MAGIC: &str = "luckless checkpoint 3 ";

/// Writes `progress`, replacing what is there.
pub(super) fn write(path: &Path, progress: &Progress) -> Result<()> {
    let body = serde_json::to_string(progress)?;
    let text = format!("{MAGIC}{:08x}\n{body}", crc32fast::hash(body.as_bytes()));
    file::write(path, text.as_bytes()).context("writing the checkpoint")
}

/// Reads the checkpoint at `path` and holds it against what is to be rolled out now; `None` if
/// there is no such file.
pub(super) fn read(
    path: &Path,
    evaluator: &str,
    settings: &Settings,
    candidates: &[Position],
) -> Result<Option<Progress>> {
    let name = path.display();
    let bytes = match file::read(path, file::LIMIT) {
        Ok(bytes) => bytes,
        Err(StoreError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
            return Ok(None);
        }
        Err(e) => return Err(e).context("reading the checkpoint"),
    };
    let text = String::from_utf8_lossy(&bytes);
    let mut progress = parse(&text).with_context(|| format!("checkpoint {name}"))?;
    if let Some(difference) = difference(&progress, evaluator, settings, candidates) {
        bail!(
            "checkpoint {name} is of another rollout: {difference}; give another file or remove it"
        );
    }
    // When to stop may change from run to run.
    progress.settings.stop = settings.stop;
    Ok(Some(progress))
}

fn parse(text: &str) -> Result<Progress> {
    let Some((crc, body)) = text
        .strip_prefix(MAGIC)
        .and_then(|rest| rest.split_once('\n'))
    else {
        bail!("not a checkpoint of this program");
    };
    if crc != format!("{:08x}", crc32fast::hash(body.as_bytes())) {
        bail!("damaged: its checksum does not fit");
    }
    Ok(serde_json::from_str(body)?)
}

/// What makes `progress` a different rollout, if anything does.
fn difference(
    progress: &Progress,
    evaluator: &str,
    settings: &Settings,
    candidates: &[Position],
) -> Option<String> {
    let old = Settings {
        stop: settings.stop,
        ..progress.settings.clone()
    };
    let of = |what: &str, old: &dyn std::fmt::Debug, new: &dyn std::fmt::Debug| {
        Some(format!("{what} {old:?}, not {new:?}"))
    };
    if progress.candidates != candidates {
        Some("it rolls out other positions".to_owned())
    } else if progress.evaluator != evaluator {
        of("evaluator", &progress.evaluator, &evaluator)
    } else if old.seed != settings.seed {
        of("seed", &old.seed, &settings.seed)
    } else if old.ply != settings.ply {
        of("ply", &old.ply, &settings.ply)
    } else if old != *settings {
        Some("its settings differ".to_owned())
    } else if !settings.goes_on_from(&progress.settings.stop) {
        Some("plays were dropped by another --stop separated".to_owned())
    } else if settings.most_trials() < progress.trials() {
        Some(format!(
            "it has {} trials already, more than {}",
            progress.trials(),
            settings.stop.trials
        ))
    } else {
        None
    }
}
