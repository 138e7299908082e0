//! What becomes of a question to a store.

/// What was looked for in a store.
#[derive(Clone, Debug, PartialEq)]
pub enum Lookup<T> {
    Kept(T),
    /// It is not.
    Nothing,
    /// It was there, and is damaged: why, in a line for the user.
    Damaged(String),
}

impl<T> Lookup<T> {
    /// What was found, if it is whole; damage is reported to `tell`, and counts as nothing.
    pub fn sound(self, tell: impl FnOnce(String)) -> Option<T> {
        match self {
            Self::Kept(kept) => Some(kept),
            Self::Nothing => None,
            Self::Damaged(why) => {
                tell(why);
                None
            }
        }
    }

    /// Looks further into what is there.
    pub(super) fn and_then<U>(self, further: impl FnOnce(T) -> Lookup<U>) -> Lookup<U> {
        match self {
            Self::Kept(kept) => further(kept),
            Self::Nothing => Lookup::Nothing,
            Self::Damaged(why) => Lookup::Damaged(why),
        }
    }
}
