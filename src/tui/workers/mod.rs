//! The workers' ends: threads that judge, roll out, read and watch, and tell the screen by
//! messages. None of them knows what is drawn.

pub mod analyst;
pub mod inbox;
pub mod keeper;
pub mod keyboard;
pub mod note_keeper;
pub mod panics;
pub mod piloted;
pub mod roll_keeper;
pub mod roller;
pub mod signals;
pub mod stager;
pub mod stores;
pub mod watcher;
