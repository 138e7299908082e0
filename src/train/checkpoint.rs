//! A learner on disk.
//!
//! One line of JSON and the weights, the optimiser's moments and the average as little-endian
//! floats. Written aside and renamed, so that a kill at any time leaves a whole file.

use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::learn::Learner;
use super::session::Progress;
use super::weights::Weights;

/// Where a training stood when its weights were written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Place {
    pub(super) recipe: String,
    pub(super) seed: u64,
    pub(super) progress: Progress,
    /// Rounds whose samples are kept.
    pub(super) kept: Vec<u64>,
}

#[derive(Serialize, Deserialize)]
struct Header {
    #[serde(flatten)]
    place: Place,
    steps: u64,
    crc32: u32,
}

/// A checkpoint of `learner`.
pub(super) fn to_bytes(place: &Place, learner: &Learner) -> Vec<u8> {
    let [m, v] = &learner.moments;
    let mut body: Vec<u8> = Vec::new();
    for weights in [&learner.weights, m, v, &learner.average] {
        for group in weights.groups() {
            body.extend(group.iter().flat_map(|w| w.to_le_bytes()));
        }
    }
    let header = Header {
        place: place.clone(),
        steps: learner.steps,
        crc32: crc32fast::hash(&body),
    };
    let mut bytes = serde_json::to_vec(&header).expect("a header is plain data");
    bytes.push(b'\n');
    bytes.extend(body);
    bytes
}

/// The learner of a checkpoint, with `outputs` outputs a head, or why there is none.
pub(super) fn from_bytes(bytes: &[u8], outputs: usize) -> Result<(Place, Learner), String> {
    let end = bytes.iter().position(|&b| b == b'\n').ok_or("no header")?;
    let header: Header = serde_json::from_slice(&bytes[..end]).map_err(|e| e.to_string())?;
    let body = &bytes[end + 1..];
    let mut parts = [(); 4].map(|()| Weights::zero(outputs));
    let size: usize = parts[0].groups().iter().map(|g| 4 * g.len()).sum();
    if body.len() != 4 * size || crc32fast::hash(body) != header.crc32 {
        return Err("its checksum or length is wrong".into());
    }
    let mut words = body.chunks_exact(4);
    for part in &mut parts {
        for group in part.groups_mut() {
            for (w, word) in group.iter_mut().zip(&mut words) {
                *w = f32::from_le_bytes(word.try_into().expect("four bytes"));
            }
        }
    }
    let [weights, m, v, average] = parts;
    let learner = Learner::resume(weights, [m, v], average, header.steps);
    Ok((header.place, learner))
}

/// Writes a whole file or none.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let aside = path.with_extension("part");
    fs::write(&aside, bytes)?;
    fs::rename(&aside, path)
}
