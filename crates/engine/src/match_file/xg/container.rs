//! The archive in an eXtreme Gammon file, by the publisher's description
//! (<https://www.extremegammon.com/xgformat.aspx>). It consists of a head, a picture, the packed files and
//! their index. The last record of the file contains the places of these parts.
//!
//! Files are not trusted: all claims are checked against the size of the file, and unpacking stops at a fixed
//! limit.

use flate2::{Decompress, FlushDecompress, Status};

/// Size of a record, in bytes.
pub(super) const RECORD: usize = 2560;
/// Size of the head, in bytes.
pub(super) const HEAD: usize = 8232;
/// Size of the last record, in bytes.
const TRAILER: usize = 36;
/// Size of an entry of the index, in bytes.
const ENTRY: usize = 532;
/// Maximum number of files in the index.
const MOST_FILES: usize = 64;
/// Maximum size of the unpacked index; a few files are usual.
const LARGEST_INDEX: usize = ENTRY * MOST_FILES;
/// Maximum size of an unpacked file: 20,000 records of a match.
const LARGEST_MEMBER: usize = RECORD * 20_000;
/// Maximum size of the unpacked remarks, in bytes.
const LARGEST_REMARKS: usize = 4 << 20;

/// A file of the archive.
pub(super) struct Packed {
    pub(super) name: String,
    /// Offset in the whole file.
    pub(super) start: usize,
    size: usize,
    packed_size: usize,
    crc: u32,
    stored: bool,
}

/// The index of the archive, or a guess if the file was cut.
pub(super) struct Archive {
    pub(super) files: Vec<Packed>,
    pub(super) complaint: Option<(u64, &'static str)>,
}

pub(super) fn i32_at(bytes: &[u8], at: usize) -> Option<i32> {
    let four = bytes.get(at..at.checked_add(4)?)?;
    Some(i32::from_le_bytes(four.try_into().ok()?))
}

fn size_at(bytes: &[u8], at: usize) -> Option<usize> {
    usize::try_from(i32_at(bytes, at)?).ok()
}

/// Opens the archive after the head. If the index is missing or wrong, the match is read from its usual
/// place, the first one.
pub(super) fn open(file: &[u8]) -> Archive {
    match index(file) {
        Ok(files) => Archive {
            files,
            complaint: None,
        },
        Err(complaint) => {
            let start = after_head(file);
            Archive {
                files: vec![Packed {
                    name: "temp.xg".to_owned(),
                    start,
                    size: LARGEST_MEMBER,
                    packed_size: file.len().saturating_sub(start),
                    crc: 0,
                    stored: false,
                }],
                complaint: Some((file.len() as u64, complaint)),
            }
        }
    }
}

/// Returns the start of the archive according to the head.
fn after_head(file: &[u8]) -> usize {
    let head = size_at(file, 8).filter(|&size| size <= file.len());
    let picture = size_at(file, 20).unwrap_or(0);
    let start = head.unwrap_or(HEAD).saturating_add(picture);
    start.min(file.len())
}

fn index(file: &[u8]) -> Result<Vec<Packed>, &'static str> {
    const LOST: &str = "the archive has no index at its end: the file is cut";
    const WRONG: &str = "the sizes in the archive do not fit the file";
    let trailer = file.len().checked_sub(TRAILER).ok_or(LOST)?;
    let count = size_at(file, trailer + 4).ok_or(LOST)?;
    let index_size = size_at(file, trailer + 12).ok_or(LOST)?;
    let data_size = size_at(file, trailer + 16).ok_or(LOST)?;
    let packed = i32_at(file, trailer + 20).ok_or(LOST)? != 0;
    let index_start = trailer.checked_sub(index_size).ok_or(LOST)?;
    let start = index_start.checked_sub(data_size).ok_or(LOST)?;
    if count == 0 || start < 24 || start < after_head(file).min(HEAD) {
        return Err(LOST);
    }
    let raw = &file[index_start..trailer];
    let unpacked;
    let index = if packed {
        unpacked = inflate_all(raw, LARGEST_INDEX);
        &unpacked[..]
    } else {
        &raw[..raw.len().min(LARGEST_INDEX)]
    };
    let entries = index.chunks_exact(ENTRY).take(count.min(MOST_FILES));
    let mut files = Vec::new();
    for entry in entries {
        let number = |at: usize| size_at(entry, at).ok_or(WRONG);
        let packed_size = number(516)?;
        let first = start.checked_add(number(520)?).ok_or(WRONG)?;
        if first
            .checked_add(packed_size)
            .is_none_or(|end| end > index_start)
        {
            return Err(WRONG);
        }
        files.push(Packed {
            name: pascal(&entry[..256]).to_ascii_lowercase(),
            start: first,
            size: number(512)?,
            packed_size,
            crc: u32::from_le_bytes([entry[524], entry[525], entry[526], entry[527]]),
            stored: entry[528] == 1,
        });
    }
    if files.is_empty() {
        Err(WRONG)
    } else {
        Ok(files)
    }
}

impl Packed {
    /// Unpacks the remarks of a match, up to a limit.
    pub(super) fn unpack_remarks(&self, file: &[u8]) -> Vec<u8> {
        let size = self.size.min(LARGEST_REMARKS);
        let packed = self.data(file);
        if self.stored {
            return packed[..packed.len().min(size)].to_vec();
        }
        inflate_all(packed, size)
    }

    fn data<'a>(&self, file: &'a [u8]) -> &'a [u8] {
        let end = self.start.saturating_add(self.packed_size).min(file.len());
        file.get(self.start..end).unwrap_or(&[])
    }

    /// Unpacks the file and passes it on record by record, so that a small file with large content takes no
    /// memory for it. The last record may be incomplete. Returns the fault of the data.
    ///
    /// # Errors
    /// If the claimed size exceeds the limit.
    pub(super) fn records(
        &self,
        file: &[u8],
        mut each: impl FnMut(&[u8]),
    ) -> Result<Option<&'static str>, String> {
        if self.size > LARGEST_MEMBER {
            return Err(format!(
                "{} claims {} bytes unpacked, at most {LARGEST_MEMBER} are read",
                self.name, self.size
            ));
        }
        let (mut size, mut hash) = (0, crc32fast::Hasher::new());
        let mut record = Vec::with_capacity(RECORD);
        let mut take = |mut piece: &[u8]| {
            size += piece.len();
            hash.update(piece);
            while !piece.is_empty() {
                let (now, later) = piece.split_at(piece.len().min(RECORD - record.len()));
                record.extend_from_slice(now);
                piece = later;
                if record.len() == RECORD {
                    each(&record);
                    record.clear();
                }
            }
        };
        let packed = self.data(file);
        let mut complaint = None;
        if self.stored {
            take(&packed[..packed.len().min(self.size)]);
        } else {
            complaint = inflate(packed, self.size, &mut take);
        }
        if !record.is_empty() {
            each(&record);
        }
        let is_claimed = self.size < LARGEST_MEMBER;
        if complaint.is_none() && is_claimed && size != self.size {
            complaint = Some("the size in the index is not that of the data");
        } else if complaint.is_none() && is_claimed && hash.finalize() != self.crc {
            complaint = Some("the checksum does not fit the data");
        }
        Ok(complaint)
    }
}

/// Returns at most `limit` bytes of a zlib stream.
fn inflate_all(packed: &[u8], limit: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    inflate(packed, limit, &mut |piece| bytes.extend_from_slice(piece));
    bytes
}

/// Unpacks at most `limit` bytes of a zlib stream. Returns its fault. The checksum is not verified: the index
/// has one, and data with one wrong byte are still useful.
fn inflate(packed: &[u8], limit: usize, take: &mut dyn FnMut(&[u8])) -> Option<&'static str> {
    const DAMAGED: Option<&str> = Some("the packed data are damaged; they are read up to there");
    let zlib = packed.len() > 2 && packed[0] & 0x0f == 8;
    let Some(mut rest) = packed.get(2..).filter(|_| zlib) else {
        return DAMAGED;
    };
    let mut stream = Decompress::new(false);
    let mut chunk = [0u8; 4096];
    let mut left = limit;
    loop {
        let (taken, given) = (stream.total_in(), stream.total_out());
        let status = stream.decompress(rest, &mut chunk, FlushDecompress::None);
        let taken = (stream.total_in() - taken) as usize;
        let given = (stream.total_out() - given) as usize;
        take(&chunk[..given.min(left)]);
        rest = &rest[taken..];
        if given > left {
            return Some("the packed data hold more than they claim");
        }
        left -= given;
        match status {
            Ok(Status::StreamEnd) => return None,
            Ok(_) if taken > 0 || given > 0 => {}
            _ => return DAMAGED,
        }
    }
}

/// Decodes a Pascal string: a byte for the length, then the text in Windows-1252.
pub(super) fn pascal(bytes: &[u8]) -> String {
    let Some((&length, text)) = bytes.split_first() else {
        return String::new();
    };
    let text = &text[..text.len().min(usize::from(length))];
    let text = encoding_rs::WINDOWS_1252
        .decode_without_bom_handling(text)
        .0;
    crate::match_file::text::clean(&text)
}

/// Decodes a UTF-16 text that ends with its first zero.
pub(super) fn wide(bytes: &[u8]) -> String {
    let units = bytes
        .chunks_exact(2)
        .map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
        .take_while(|&unit| unit != 0);
    let text: String = char::decode_utf16(units)
        .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect();
    crate::match_file::text::clean(&text)
}
