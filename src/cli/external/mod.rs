//! `luckless external`: a player for GNU Backgammon, over TCP.
//!
//! Listens only on this machine unless another address is given. Each connection has its own thread; their number is
//! limited.

mod answers;
mod board_options;

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::{Context as _, Result};

use crate::bounded_lines::{Line, read_line, without_zeros};
use crate::cli::common::options::{CubeModel, Nets, Threads, plies};
use crate::cli::common::thinking::{Effort, Thinker};
use crate::cli::common::usage::{misuse, say};
use crate::sanitize;

const EXAMPLES: &str = "\
Examples:
  luckless external
  luckless external --listen 127.0.0.1:4000 --ply 1

In GNU Backgammon: set player 0 external localhost:1234. Luckless then plays that player: rolls, doubles, \
takes, passes and plays. Other programs may ask for evaluations. It listens on this machine alone; an address that others reach is warned about, \
since the protocol has no password. Ctrl-C ends it.";

/// A player for GNU Backgammon, over its external player's protocol
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Where to listen
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:1234")]
    listen: String,
    /// Plies of lookahead, except where an evaluation names its own
    #[arg(long, value_name = "N", default_value = "2", value_parser = plies())]
    ply: u8,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    nets: Nets,
    #[command(flatten)]
    cube: CubeModel,
}

/// Maximum number of connections.
const MOST: usize = 8;
/// Maximum length of a line in bytes.
const LONGEST: u64 = 4096;

impl Args {
    pub(super) fn run(self) -> Result<()> {
        let address = address(&self.listen)?;
        let listener = TcpListener::bind(address);
        let listener = listener.with_context(|| format!("{address}: cannot listen there"))?;
        let address = listener.local_addr()?;
        if !address.ip().is_loopback() {
            say(&format!(
                "{address} can be reached from other machines, and there is no password"
            ));
        }
        say(&format!(
            "listening on {address}; in GNU Backgammon: set player 0 external {address}"
        ));
        let effort = Effort {
            ply: self.ply,
            threads: self.threads.number().get(),
            cubeful: true,
        };
        let thinker = Thinker::new(self.nets.engine()?, self.cube.load()?)
            .without_crawford(self.cube.no_crawford());
        let thinker = Arc::new(thinker);
        let open = Arc::new(AtomicUsize::new(0));
        for connection in listener.incoming() {
            match connection {
                Ok(connection) => accept(connection, &thinker, effort, &open),
                Err(error) => say(&format!("a connection failed: {error}")),
            }
        }
        Ok(())
    }
}

fn address(text: &str) -> Result<SocketAddr> {
    let found = text.to_socket_addrs().ok().and_then(|mut all| all.next());
    found.ok_or_else(|| {
        misuse(format!(
            "'{text}': expected an address such as 127.0.0.1:1234"
        ))
    })
}

/// Serves a connection on its own thread, or refuses it if there are too many.
fn accept(
    mut connection: TcpStream,
    thinker: &Arc<Thinker>,
    effort: Effort,
    open: &Arc<AtomicUsize>,
) {
    if open.fetch_add(1, Ordering::Relaxed) >= MOST {
        open.fetch_sub(1, Ordering::Relaxed);
        // Errors are ignored, because the client may be gone.
        let _ = connection.write_all(b"Error: too many connections\n");
        return;
    }
    let (thinker, counted) = (Arc::clone(thinker), Counted(Arc::clone(open)));
    let work = move || {
        let _counted = counted;
        // The client may disconnect at any time.
        let _ = converse(BufReader::new(&connection), &connection, &thinker, effort);
    };
    // If the thread cannot be started, the connection is closed.
    let _ = thread::Builder::new().name("external".into()).spawn(work);
}

/// Counts a connection until dropped, even after a panic.
struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Responds to each line until the client disconnects.
pub(super) fn converse(
    mut input: impl BufRead,
    mut output: impl Write,
    thinker: &Thinker,
    effort: Effort,
) -> std::io::Result<()> {
    while let Some(line) = read_line(&mut input, LONGEST)? {
        let Line::Whole(text) = line else {
            return output.write_all(b"Error: that line is too long\n");
        };
        // A zero byte after the last line is not a line.
        if text == "\0" {
            continue;
        }
        let Some(answer) = answers::answer(without_zeros(&text), thinker, &effort) else {
            return Ok(());
        };
        // Errors quote the line; the client may print them to a terminal.
        output.write_all(format!("{}\n", sanitize::clean_lines(&answer)).as_bytes())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::Model;
    use crate::eval::Engine;

    /// The last line needs no line end, and a zero byte after it is not a line.
    #[test]
    fn each_line_is_answered_once() {
        let thinker = Thinker::new(Engine::embedded(), Model::standard().clone());
        let effort = Effort {
            ply: 0,
            threads: 1,
            cubeful: true,
        };
        let engine = thinker.engine_name();
        let version = env!("CARGO_PKG_VERSION");
        let version =
            format!("Interface: 2\nRFBF: 0\nEngine: {engine}\nSoftware: Luckless {version}\n");
        for (asked, answered) in [
            ("version", version.clone()),
            ("version\n\0", version.clone()),
            ("\0version\n\0version\n", version.repeat(2)),
            ("version\nquit\nversion\n", version.clone()),
        ] {
            let mut out = Vec::new();
            converse(asked.as_bytes(), &mut out, &thinker, effort).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), answered, "{asked:?}");
        }
        let mut out = Vec::new();
        let long = "x".repeat(5000);
        converse(long.as_bytes(), &mut out, &thinker, effort).unwrap();
        assert!(out.starts_with(b"Error: that line is too long"));
    }
}
