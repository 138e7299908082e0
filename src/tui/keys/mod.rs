//! What can be done, and by which keys.

mod actions;
mod key;
mod keymap;
mod scope;

pub use actions::{ACTIONS, ActionEntry, ActionId, find, manual};
pub(crate) use actions::{actions, synonyms};
pub use key::{Key, pretty, sequence};
pub use keymap::{KeyMap, Meaning, ReadKeys};
pub use scope::KeyScope;
