#![no_main]

#[path = "../../common/readers.rs"]
mod readers;

libfuzzer_sys::fuzz_target!(|data: &[u8]| readers::batch(data));
