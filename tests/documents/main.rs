//! What documents and sources say of the program, held against it.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

#[macro_use]
#[path = "../common/mod.rs"]
mod common;
#[path = "../sources/mod.rs"]
mod sources;

mod book;
#[cfg(unix)]
mod documented;
mod import_cycles;
mod json_reference;
mod module_order;
mod packaging;
#[cfg(target_os = "linux")]
mod pictures;
#[cfg(target_os = "linux")]
mod tour;
