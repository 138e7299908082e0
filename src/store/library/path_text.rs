//! Converts paths to text for a table, and back.
//!
//! A Unix file name may contain any bytes. Each byte that is not valid UTF-8 becomes a private-use character, so that
//! different names stay different.

use std::path::{Path, PathBuf};

/// The character for byte 0. Invalid bytes are 0x80 to 0xff; 0xff maps to the last Unicode character.
#[cfg(unix)]
const BYTES: u32 = 0x10_ff00;

#[cfg(unix)]
pub(super) fn path_text(path: &Path) -> String {
    use std::os::unix::ffi::OsStrExt as _;
    let mut text = String::new();
    for chunk in path.as_os_str().as_bytes().utf8_chunks() {
        text.push_str(chunk.valid());
        let bytes = chunk.invalid().iter();
        text.extend(bytes.filter_map(|byte| char::from_u32(BYTES + u32::from(*byte))));
    }
    text
}

/// Inverts [`path_text`].
#[cfg(unix)]
pub(super) fn text_path(text: &str) -> PathBuf {
    use std::os::unix::ffi::OsStringExt as _;
    let mut bytes = Vec::with_capacity(text.len());
    for c in text.chars() {
        match u32::from(c).checked_sub(BYTES).map(u8::try_from) {
            Some(Ok(byte)) => bytes.push(byte),
            _ => bytes.extend(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    std::ffi::OsString::from_vec(bytes).into()
}

/// Converts a path to text. Names that are not Unicode are changed and will not be found again.
#[cfg(not(unix))]
pub(super) fn path_text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Inverts [`path_text`].
#[cfg(not(unix))]
pub(super) fn text_path(text: &str) -> PathBuf {
    text.into()
}

#[cfg(all(test, unix))]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_name_comes_back(name in prop::collection::vec(any::<u8>(), 0..40)) {
            let path = Path::new(OsStr::from_bytes(&name));
            prop_assert_eq!(text_path(&path_text(path)), path);
        }
    }

    #[test]
    fn usual_names_are_as_they_are() {
        let name = "/matches/Zoë – finál 決勝.mat";
        assert_eq!(path_text(Path::new(name)), name);
        let damaged = [&b"x\xff.mat"[..], b"x\xfe.mat"]
            .map(|name| path_text(Path::new(OsStr::from_bytes(name))));
        assert_ne!(damaged[0], damaged[1]);
    }
}
