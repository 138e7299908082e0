//! The terminal: taken, given back in every case, and what signals mean.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use ratatui::crossterm::style::ResetColor;
use ratatui::crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
    disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{cursor, execute, queue};
use ratatui::layout::Rect;

use super::colour_filter::ColourFilter;
use super::frame_writer::{FrameQueue, FrameWriter, begins, ends};
use super::taken::TAKEN;
use crate::store::settings::GlyphSet;
use crate::tui::Error;
use crate::tui::theme::Depth;
use crate::tui::workers::gnu_screen;

/// Live figures are drawn at most this often: faster than this nobody reads numbers.
pub(crate) const LIVE: Duration = Duration::from_millis(80);
/// Longest pause between two live frames, however slow the line.
const SLOWEST: Duration = Duration::from_millis(250);
/// How long a frame waits for the one before to be written.
const PATIENCE: Duration = Duration::from_millis(20);
/// How long a copy waits to be written.
const COPY_WAIT: Duration = Duration::from_secs(1);
/// Bytes a second that live figures may take: a slow line has room for keys besides.
const BYTES: f64 = 18_000.0;

/// Has buttons, drags and the wheel reported, in forms that know any column. A mouse that only moves means nothing here,
/// so moves, which crossterm asks for as well, are not.
const BUTTONS: &[u8] = b"\x1b[?1000h\x1b[?1002h\x1b[?1015h\x1b[?1006h";

/// How long to wait after a live frame of so many bytes.
pub(crate) fn live_pause(bytes: usize) -> Duration {
    Duration::from_secs_f64(bytes as f64 / BYTES).clamp(LIVE, SLOWEST)
}

/// What the screen and its writer share.
#[derive(Default)]
struct Line {
    /// So many bytes were written.
    bytes: AtomicUsize,
    /// The terminal is given back, or gone: nothing more is written.
    is_closed: AtomicBool,
}

/// Counts what is written through it.
struct Counted<W> {
    inner: W,
    line: Arc<Line>,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        if self.line.is_closed.load(Ordering::Relaxed) {
            return Ok(buffer.len());
        }
        let written = self.inner.write(buffer)?;
        self.line.bytes.fetch_add(written, Ordering::Relaxed);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.line.is_closed.load(Ordering::Relaxed) {
            return Ok(());
        }
        self.inner.flush()
    }
}

/// A terminal in raw mode, on its other screen. Given back when dropped.
pub(crate) struct Screen {
    terminal: Terminal<CrosstermBackend<ColourFilter<Counted<FrameWriter>>>>,
    line: Arc<Line>,
    frames: Arc<FrameQueue>,
    mouse: bool,
}

/// Whether there is a terminal to draw on and to read from.
pub(crate) fn is_there() -> bool {
    io::stdout().is_terminal() && io::stdin().is_terminal()
}

/// Whether the workstation can be drawn here.
pub(super) fn check() -> Result<(), Error> {
    if !is_there() {
        return Err(Error::NotATerminal);
    }
    match std::env::var("TERM").ok().filter(|term| term == "dumb") {
        Some(term) => Err(Error::TooSimple(term)),
        // A serial line has no size before somebody says it.
        None if ratatui::crossterm::terminal::size()
            .is_ok_and(|(columns, rows)| columns == 0 || rows == 0) =>
        {
            Err(Error::NoSize)
        }
        None => Ok(()),
    }
}

/// The characters that suit the locale: ASCII where it is the plain one, or has another charset than UTF-8. Where
/// nothing is set, as on Windows and in terminals that macOS starts, nothing is known against the usual ones.
pub(crate) fn usual_glyphs(get: &dyn Fn(&str) -> Option<String>) -> GlyphSet {
    let mut named = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(get);
    let locale = named.find(|value| !value.is_empty()).unwrap_or_default();
    // As in de_DE.ISO-8859-15@euro.
    let charset = locale
        .split_once('.')
        .and_then(|(_, rest)| rest.split('@').next());
    let is_utf_8 = |name: &str| name.replace('-', "").eq_ignore_ascii_case("utf8");
    let is_plain = matches!(locale.as_str(), "C" | "POSIX");
    if is_plain || charset.is_some_and(|name| !is_utf_8(name)) {
        GlyphSet::Ascii
    } else {
        GlyphSet::Quadrants
    }
}

/// Whether the mouse is to be reported where the settings say so. GNU Screen holds Esc back while it is, until the next
/// key comes: Esc would do nothing, and then be half of another key.
fn reports_mouse(is_wanted: bool, get: &dyn Fn(&str) -> Option<String>) -> bool {
    is_wanted && !gnu_screen::is_between(get)
}

/// Why no text comes into the clipboard of the terminal, where that is known.
fn has_no_clipboard(get: &dyn Fn(&str) -> Option<String>) -> Option<&'static str> {
    if get("TERM").is_some_and(|term| term == "linux") {
        return Some("the Linux console has no clipboard");
    }
    gnu_screen::is_between(get).then_some("GNU Screen hands nothing on to the terminal's")
}

impl Screen {
    pub(crate) fn take(wants_mouse: bool, depth: Depth) -> io::Result<Self> {
        let mouse = reports_mouse(wants_mouse, &|name| std::env::var(name).ok());
        #[cfg(unix)]
        super::fatal_signals::prepare();
        let line = Arc::<Line>::default();
        let out = FrameWriter::start()?;
        let frames = out.queue();
        let out = Counted {
            inner: out,
            line: Arc::clone(&line),
        };
        let out = ColourFilter::new(out, depth == Depth::Sixteen);
        let taken = enter(mouse).and_then(|()| Terminal::new(CrosstermBackend::new(out)));
        match taken {
            Ok(terminal) => Ok(Self {
                terminal,
                line,
                frames,
                mouse,
            }),
            Err(error) => {
                // What was taken of it is given back.
                give_back();
                Err(error)
            }
        }
    }

    /// Draws a frame, shown at once as a whole by terminals that know synchronized updates; answers how many
    /// bytes that took. `None` where the terminal has not taken the frame before yet: then nothing is drawn.
    pub(crate) fn draw(
        &mut self,
        render: impl FnOnce(&mut ratatui::Frame<'_>),
    ) -> io::Result<Option<usize>> {
        if !self.frames.is_free_within(PATIENCE) {
            return Ok(None);
        }
        let before = self.line.bytes.load(Ordering::Relaxed);
        queue!(self.terminal.backend_mut(), BeginSynchronizedUpdate)?;
        let drawn = self.terminal.draw(render).map(|_| ());
        execute!(self.terminal.backend_mut(), EndSynchronizedUpdate)?;
        let after = self.line.bytes.load(Ordering::Relaxed);
        drawn.map(|()| Some(after - before))
    }

    /// Forgets what is on screen, so that the next frame draws all of it. (Clearing by `clear`
    /// would ask the terminal where its cursor is, and the answer would go to the keyboard's
    /// thread.)
    pub(crate) fn clear(&mut self) -> io::Result<()> {
        let size = self.terminal.size()?;
        self.terminal
            .resize(Rect::new(0, 0, size.width, size.height))
    }

    /// Puts text into the terminal's clipboard (OSC 52), which works over ssh as well. Does nothing, and answers why,
    /// where there is none: other terminals do not answer whether they took it.
    pub(crate) fn copy(&mut self, text: &str) -> io::Result<Result<(), &'static str>> {
        use base64::Engine as _;
        if let Some(why) = has_no_clipboard(&|name| std::env::var(name).ok()) {
            return Ok(Err(why));
        }
        let encoded = base64::engine::general_purpose::STANDARD.encode(text);
        let out = self.terminal.backend_mut();
        write!(out, "\x1b]52;c;{encoded}\x07")?;
        out.flush()?;
        // Whoever quits at once has it all the same.
        self.frames.is_free_within(COPY_WAIT);
        Ok(Ok(()))
    }

    /// Gives the terminal back, stops the process as ctrl-z does, and takes the terminal again
    /// when the process goes on. Answers false, and does nothing, where no shell could bring it back.
    pub(crate) fn suspend(&mut self) -> io::Result<bool> {
        if !has_job_control() {
            return Ok(false);
        }
        give_back();
        #[cfg(unix)]
        signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP)?;
        self.take_again()?;
        Ok(true)
    }

    /// Takes the terminal as if it had been given back: a program that was stopped from outside had
    /// no time for that, and its shell has used the terminal since.
    pub(crate) fn take_again(&mut self) -> io::Result<()> {
        ends();
        // Raw mode that is on as far as crossterm knows would not be set.
        disable_raw_mode()?;
        enter(self.mouse)?;
        self.clear()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
        // Ratatui shows the cursor once more, and panics where neither that nor its complaint can be written.
        self.line.is_closed.store(true, Ordering::Relaxed);
    }
}

/// Whether a shell gave the process a group of its own: one of the session itself, as under `xterm -e`, has nobody who
/// would continue it, and the system lets it ignore ctrl-z.
#[cfg(unix)]
fn has_job_control() -> bool {
    use rustix::process::{getpgid, getsid};
    match (getpgid(None), getsid(None)) {
        (Ok(group), Ok(session)) => group != session,
        _ => true,
    }
}

#[cfg(not(unix))]
fn has_job_control() -> bool {
    false
}

fn enter(mouse: bool) -> io::Result<()> {
    TAKEN.store(true, Ordering::SeqCst);
    begins();
    enable_raw_mode()?;
    let mut out = io::stdout();
    // The other screen is erased in the colours that are set, and frames count on the usual ones.
    execute!(
        out,
        ResetColor,
        EnterAlternateScreen,
        EnableBracketedPaste,
        cursor::Hide
    )?;
    match mouse {
        true if cfg!(windows) => execute!(out, EnableMouseCapture),
        true => out.write_all(BUTTONS).and_then(|()| out.flush()),
        false => Ok(()),
    }
}

/// Leaves the terminal as it was found, unless it takes nothing: that would hold the end up. Safe to call at any time and
/// more than once. Answers whether something can be said there.
pub(crate) fn give_back() -> bool {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return true;
    }
    // If the terminal is gone there is nothing left to restore.
    let takes = ends();
    if takes {
        let _ = switch_off(&mut io::stdout());
    }
    let _ = disable_raw_mode();
    takes
}

/// Writes what leaves the other screen, and with it all that was switched on. A sequence that was being written is ended
/// first (CAN).
pub(super) fn switch_off(out: &mut impl Write) -> io::Result<()> {
    out.write_all(if cfg!(unix) { b"\x18" } else { b"" })?;
    execute!(
        out,
        ResetColor,
        EndSynchronizedUpdate,
        DisableMouseCapture,
        DisableBracketedPaste,
        LeaveAlternateScreen,
        cursor::Show
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::testing::environment;

    #[test]
    fn in_gnu_screen_no_mouse_holds_esc_back() {
        let screen = environment(&[("STY", "1.pts-0.host")]);
        assert!(!reports_mouse(true, &screen));
        assert!(reports_mouse(true, &|_| None));
        assert!(!reports_mouse(false, &|_| None));
    }

    #[test]
    fn the_locale_decides_the_characters() {
        let of = |list: &[(&str, &str)]| usual_glyphs(&environment(list));
        for list in [
            &[("LC_ALL", "C")][..],
            &[("LANG", "POSIX")],
            &[("LANG", "de_DE.ISO-8859-15@euro")],
            &[("LC_ALL", ""), ("LC_CTYPE", "C"), ("LANG", "en_US.UTF-8")],
            &[("LC_ALL", "C"), ("LC_CTYPE", "en_US.UTF-8")],
        ] {
            assert_eq!(of(list), GlyphSet::Ascii, "{list:?}");
        }
        for list in [
            &[("LC_ALL", ""), ("LANG", "")][..],
            &[],
            &[("LC_ALL", "C.UTF-8"), ("LANG", "C")],
            &[("LANG", "en_US.utf8")],
            &[("LANG", "de_DE.Utf-8@euro")],
            &[("LC_CTYPE", "UTF-8")],
            &[("LANG", "en_US")],
            &[("LC_COLLATE", "C"), ("LANG", "en_GB.UTF-8")],
        ] {
            assert_eq!(of(list), GlyphSet::Quadrants, "{list:?}");
        }
    }
}
