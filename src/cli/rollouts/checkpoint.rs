//! A rollout kept in a file, to be gone on with.
//!
//! The file is a line of text (`luckless checkpoint`, version, CRC-32 of the rest) and a JSON
//! document, the rollout's [`Progress`]. It is replaced as a whole, so that whatever happens the
//! file is a complete one.

use std::path::Path;

use anyhow::{Context as _, Result, bail};

use crate::rollout::{Progress, Unfit, WantedRollout};
use crate::store::file;

const MAGIC: &str = "luckless checkpoint 3 ";

/// Writes `progress`, replacing what is there.
pub(crate) fn write(path: &Path, progress: &Progress) -> Result<()> {
    let body = serde_json::to_string(progress)?;
    let text = format!("{MAGIC}{:08x}\n{body}", crc32fast::hash(body.as_bytes()));
    file::write(path, text.as_bytes()).context("writing the checkpoint")
}

/// Reads the checkpoint at `path` as that of the rollout wanted; `None` if there is no such file.
pub(crate) fn read(path: &Path, wanted: &WantedRollout) -> Result<Option<Progress>> {
    let name = path.display();
    let bytes = match file::read(path, file::LIMIT) {
        Ok(bytes) => bytes,
        Err(error) if error.is_missing() => return Ok(None),
        Err(e) => return Err(e).context("reading the checkpoint"),
    };
    let text = String::from_utf8_lossy(&bytes);
    let progress = parse(&text).with_context(|| format!("checkpoint {name}"))?;
    match progress.toward(wanted) {
        Ok(progress) => Ok(Some(progress)),
        Err(unfit @ Unfit::Damaged { .. }) => bail!("checkpoint {name}: {unfit}"),
        Err(unfit @ Unfit::Beyond { .. }) => {
            bail!("checkpoint {name}: {unfit}; ask for as many, or give another file")
        }
        Err(unfit) => bail!(
            "checkpoint {name} is of another rollout: {unfit}; give another file or remove it"
        ),
    }
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
