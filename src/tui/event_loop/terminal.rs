//! Takes the terminal and restores it in every case.

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

/// Minimum interval between frames of live figures: nobody reads numbers faster.
pub(crate) const LIVE: Duration = Duration::from_millis(80);
/// Maximum interval between live frames on slow lines.
const SLOWEST: Duration = Duration::from_millis(250);
/// How long a frame waits for the previous one to be written.
const PATIENCE: Duration = Duration::from_millis(20);
/// How long a copy waits to be written.
const COPY_WAIT: Duration = Duration::from_secs(1);
/// Bytes per second for live figures: leaves room for keys on a slow line.
const BYTES: f64 = 18_000.0;

/// Enables reports of buttons, drags and the wheel, in formats for any column. Crossterm also enables plain
/// movements, which are unused here.
const BUTTONS: &[u8] = b"\x1b[?1000h\x1b[?1002h\x1b[?1015h\x1b[?1006h";

/// Interval after a live frame of `bytes` bytes.
pub(crate) fn live_pause(bytes: usize) -> Duration {
    Duration::from_secs_f64(bytes as f64 / BYTES).clamp(LIVE, SLOWEST)
}

/// State shared by the screen and its writer.
#[derive(Default)]
struct Line {
    /// Number of bytes written.
    bytes: AtomicUsize,
    /// The terminal is restored or gone: nothing more is written.
    is_closed: AtomicBool,
}

/// Counts written bytes.
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

/// A terminal in raw mode on its alternate screen. Restored when dropped.
pub(crate) struct Screen {
    terminal: Terminal<CrosstermBackend<ColourFilter<Counted<FrameWriter>>>>,
    line: Arc<Line>,
    frames: Arc<FrameQueue>,
    mouse: bool,
}

/// Returns whether input and output are a terminal.
pub(crate) fn is_there() -> bool {
    io::stdout().is_terminal() && io::stdin().is_terminal()
}

/// Checks whether the workstation can be drawn here.
pub(super) fn check() -> Result<(), Error> {
    if !is_there() {
        return Err(Error::NotATerminal);
    }
    match std::env::var("TERM").ok().filter(|term| term == "dumb") {
        Some(term) => Err(Error::TooSimple(term)),
        // A serial line has size 0 until it is set.
        None if ratatui::crossterm::terminal::size()
            .is_ok_and(|(columns, rows)| columns == 0 || rows == 0) =>
        {
            Err(Error::NoSize)
        }
        None => Ok(()),
    }
}

/// The character set for the locale: ASCII for the C locale or a charset other than UTF-8. If no locale is set, as on
/// Windows and in terminals started by macOS, the default is used.
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

/// Returns whether to enable the mouse. Not in GNU Screen, which then delays Esc until the next key: Esc would seem
/// dead and then be taken as part of another key.
fn reports_mouse(is_wanted: bool, get: &dyn Fn(&str) -> Option<String>) -> bool {
    is_wanted && !gnu_screen::is_between(get)
}

/// The reason why the terminal has no clipboard, if known.
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
                // Restores the parts that were already set up.
                give_back();
                Err(error)
            }
        }
    }

    /// Draws a frame, which terminals with synchronized updates show at once. Returns the number of bytes. Returns
    /// `None` without drawing if the terminal has not accepted the previous frame.
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

    /// Forgets the content of the screen, so that the next frame draws all of it. (`clear` would query the cursor
    /// position, and the keyboard thread would receive the reply.)
    pub(crate) fn clear(&mut self) -> io::Result<()> {
        let size = self.terminal.size()?;
        self.terminal
            .resize(Rect::new(0, 0, size.width, size.height))
    }

    /// Copies text to the terminal's clipboard (OSC 52), which also works over ssh. Returns the reason if the
    /// terminal is known to have none; others do not acknowledge.
    pub(crate) fn copy(&mut self, text: &str) -> io::Result<Result<(), &'static str>> {
        use base64::Engine as _;
        if let Some(why) = has_no_clipboard(&|name| std::env::var(name).ok()) {
            return Ok(Err(why));
        }
        let encoded = base64::engine::general_purpose::STANDARD.encode(text);
        let out = self.terminal.backend_mut();
        write!(out, "\x1b]52;c;{encoded}\x07")?;
        out.flush()?;
        // Waits, so that the copy is not lost if the user quits at once.
        self.frames.is_free_within(COPY_WAIT);
        Ok(Ok(()))
    }

    /// Restores the terminal, stops the process as ctrl-z does, and takes the terminal again when the process
    /// continues. Returns false without effect if no shell could continue it.
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

    /// Takes the terminal after the program was stopped from outside: it could not restore the terminal, and the
    /// shell has used it since.
    pub(crate) fn take_again(&mut self) -> io::Result<()> {
        ends();
        // Crossterm would not set raw mode that it believes to be on.
        disable_raw_mode()?;
        enter(self.mouse)?;
        self.clear()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
        // Ratatui shows the cursor again on drop, and panics if neither that nor its error message can be written.
        self.line.is_closed.store(true, Ordering::Relaxed);
    }
}

/// Returns whether a shell gave the process its own group. A process of the session's own group, as under `xterm -e`,
/// has no shell to continue it, and the system makes it ignore ctrl-z.
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
    // The alternate screen is erased in the current colours, and frames assume default ones.
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

/// Restores the terminal, unless it accepts no output, which would block the end. May be called at any time and
/// repeatedly. Returns whether messages can be written there.
pub(crate) fn give_back() -> bool {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return true;
    }
    // If the terminal is gone, there is nothing to restore.
    let takes = ends();
    if takes {
        let _ = switch_off(&mut io::stdout());
    }
    let _ = disable_raw_mode();
    takes
}

/// Leaves the alternate screen and switches off all modes. First ends an interrupted sequence (CAN).
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
