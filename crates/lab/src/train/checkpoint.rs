//! The checkpoint format of a learner: one line of JSON, then weights, optimiser moments and average as little-endian
//! floats.

use serde::{Deserialize, Serialize};

use super::progress::TrainingProgress;

/// Position in the training when the weights were written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct TrainingPoint {
    pub(super) recipe: String,
    /// See [`Recipe::checksum`](super::recipe::Recipe::checksum).
    #[serde(default)]
    pub(super) stages: Option<u32>,
    pub(super) seed: u64,
    pub(super) progress: TrainingProgress,
    /// Rounds whose samples are stored, with their checksums.
    pub(super) kept: Vec<(u64, u32)>,
    /// Whether kinds of position have their own rows.
    #[serde(default)]
    pub(super) divided: bool,
    /// Whether the luck net was provided instead of trained.
    #[serde(default)]
    pub(super) luck_given: bool,
}

#[derive(Serialize, Deserialize)]
struct Header {
    #[serde(flatten)]
    place: TrainingPoint,
    steps: u64,
    crc32: u32,
}

/// Encodes a learner's numbers after `steps` steps.
pub(super) fn to_bytes(place: &TrainingPoint, steps: u64, groups: &[&[f32]]) -> Vec<u8> {
    let numbers = groups.iter().flat_map(|group| group.iter());
    let body: Vec<u8> = numbers.flat_map(|w| w.to_le_bytes()).collect();
    let header = Header {
        place: place.clone(),
        steps,
        crc32: crc32fast::hash(&body),
    };
    let mut bytes = serde_json::to_vec(&header).expect("a header is plain data");
    bytes.push(b'\n');
    bytes.extend(body);
    bytes
}

/// Returns the position in the training stored in a checkpoint.
pub(super) fn place(bytes: &[u8]) -> Result<TrainingPoint, String> {
    Ok(header(bytes)?.0.place)
}

/// Returns the header and the bytes of the numbers.
fn header(bytes: &[u8]) -> Result<(Header, &[u8]), String> {
    let end = bytes.iter().position(|&b| b == b'\n').ok_or("no header")?;
    let header = serde_json::from_slice(&bytes[..end]).map_err(|e| e.to_string())?;
    Ok((header, &bytes[end + 1..]))
}

/// Reads the numbers of a checkpoint into `groups`. Returns the position in the training and the number of steps, or
/// an error message.
pub(super) fn from_bytes(
    bytes: &[u8],
    groups: &mut [&mut [f32]],
) -> Result<(TrainingPoint, u64), String> {
    let (header, body) = header(bytes)?;
    let size: usize = groups.iter().map(|g| 4 * g.len()).sum();
    if body.len() != size || crc32fast::hash(body) != header.crc32 {
        return Err("its checksum or length is wrong".into());
    }
    let mut words = body.chunks_exact(4);
    for group in groups {
        for (w, word) in group.iter_mut().zip(&mut words) {
            *w = f32::from_le_bytes(word.try_into().expect("four bytes"));
        }
    }
    Ok((header.place, header.steps))
}
