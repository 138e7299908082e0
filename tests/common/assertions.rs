//! Assertions about texts that say which part is missing, and show the text.

/// Fails unless the text contains each of the parts.
macro_rules! assert_has {
    ($text:expr, $($part:expr),+ $(,)?) => {{
        let text = &$text;
        $(assert!(text.contains($part), "{} is missing:\n{text}", stringify!($part));)+
    }};
}

/// Fails if the text contains one of the parts.
macro_rules! assert_lacks {
    ($text:expr, $($part:expr),+ $(,)?) => {{
        let text = &$text;
        $(assert!(!text.contains($part), "{} is there:\n{text}", stringify!($part));)+
    }};
}
