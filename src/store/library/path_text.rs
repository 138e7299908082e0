//! Paths as text that a table can hold, and back.
//!
//! A name on Unix may be any bytes. Those that are no UTF-8 stand as characters of a private plane, one for each, so
//! that two such names stay two.

use std::path::{Path, PathBuf};

/// The character of byte 0. Bytes that are no UTF-8 are 0x80 and above, and the last of them has the last character
/// that there is.
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

/// The path that [`path_text`] has made a text of.
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

/// A path as text. One that is no Unicode has other characters here, and is not found again.
#[cfg(not(unix))]
pub(super) fn path_text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// The path that a text is of.
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
