//! The program among kills, full disks, hostile files and real terminals.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

#[macro_use]
#[path = "../common/mod.rs"]
mod common;

#[cfg(target_os = "linux")]
mod clipboard;
mod damaged_stores;
mod damaged_text;
mod fuzz_corpus;
mod hostile;
#[cfg(target_os = "linux")]
mod killed;
mod lasting;
#[cfg(target_os = "linux")]
mod soak;
#[cfg(target_os = "linux")]
mod terminal;
#[cfg(target_os = "linux")]
mod troubles;
