//! The `luckless` program: everything it does lives in the library.

use std::process::ExitCode;

/// What the threads of a rollout held goes back to the system when they end. The allocator of the GNU C
/// library keeps it, an arena a thread, and that of musl is slow with threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    luckless::cli::run(std::env::args_os())
}
