//! The result of a lookup in a store.

#[derive(Clone, Debug, PartialEq)]
pub enum Lookup<T> {
    Kept(T),
    /// Not stored.
    Nothing,
    /// Stored, but damaged; with a one-line message for the user.
    Damaged(String),
}

impl<T> Lookup<T> {
    /// Returns the value if undamaged; damage is passed to `report` and counts as missing.
    pub fn sound(self, report: impl FnOnce(String)) -> Option<T> {
        match self {
            Self::Kept(kept) => Some(kept),
            Self::Nothing => None,
            Self::Damaged(why) => {
                report(why);
                None
            }
        }
    }

    /// Applies a further lookup to the value.
    pub(super) fn and_then<U>(self, further: impl FnOnce(T) -> Lookup<U>) -> Lookup<U> {
        match self {
            Self::Kept(kept) => further(kept),
            Self::Nothing => Lookup::Nothing,
            Self::Damaged(why) => Lookup::Damaged(why),
        }
    }
}
