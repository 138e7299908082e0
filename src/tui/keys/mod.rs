//! What can be done, and by which keys.

mod action_id;
mod actions;
mod condition;
mod key;
mod keymap;
mod scope;
mod synonyms;

pub use action_id::ActionId;
pub use actions::{ACTIONS, ActionEntry, find, manual};
pub use condition::Condition;
pub use key::{Key, pretty, sequence};
pub use keymap::{KeyMap, Meaning, ReadKeys};
pub use scope::KeyScope;
pub(crate) use synonyms::synonyms;
