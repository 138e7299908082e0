//! The terminal: taken, given back in every case, and what signals mean.

use std::io::{self, IsTerminal, Stdout, Write};
use std::sync::atomic::Ordering;

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use ratatui::crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
    disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{cursor, execute, queue};
use ratatui::layout::Rect;

use super::fatal_signals::TAKEN;

/// A terminal in raw mode, on its other screen. Given back when dropped.
pub(super) struct Screen {
    terminal: Terminal<CrosstermBackend<io::BufWriter<Stdout>>>,
    mouse: bool,
}

/// Whether there is a terminal to draw on and to read from.
pub(super) fn is_there() -> bool {
    io::stdout().is_terminal() && io::stdin().is_terminal()
}

impl Screen {
    pub(super) fn take(mouse: bool) -> io::Result<Self> {
        #[cfg(unix)]
        super::fatal_signals::prepare();
        let out = io::BufWriter::with_capacity(1 << 16, io::stdout());
        let taken = enter(mouse).and_then(|()| Terminal::new(CrosstermBackend::new(out)));
        match taken {
            Ok(terminal) => Ok(Self { terminal, mouse }),
            Err(error) => {
                // What was taken of it is given back.
                give_back();
                Err(error)
            }
        }
    }

    /// Draws a frame, shown at once as a whole by terminals that know synchronized updates.
    pub(super) fn draw(&mut self, render: impl FnOnce(&mut ratatui::Frame<'_>)) -> io::Result<()> {
        queue!(self.terminal.backend_mut(), BeginSynchronizedUpdate)?;
        let drawn = self.terminal.draw(render).map(|_| ());
        execute!(self.terminal.backend_mut(), EndSynchronizedUpdate)?;
        drawn
    }

    /// Forgets what is on screen, so that the next frame draws all of it. (Clearing by `clear`
    /// would ask the terminal where its cursor is, and the answer would go to the keyboard's
    /// thread.)
    pub(super) fn clear(&mut self) -> io::Result<()> {
        let size = self.terminal.size()?;
        self.terminal
            .resize(Rect::new(0, 0, size.width, size.height))
    }

    /// Puts text into the terminal's clipboard (OSC 52), which works over ssh as well.
    pub(super) fn copy(&mut self, text: &str) -> io::Result<()> {
        use base64::Engine as _;
        let encoded = base64::engine::general_purpose::STANDARD.encode(text);
        let out = self.terminal.backend_mut();
        write!(out, "\x1b]52;c;{encoded}\x07")?;
        out.flush()
    }

    /// Gives the terminal back, stops the process as ctrl-z does, and takes the terminal again
    /// when the process goes on.
    pub(super) fn suspend(&mut self) -> io::Result<()> {
        give_back();
        #[cfg(unix)]
        signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP)?;
        self.take_again()
    }

    /// Takes the terminal as if it had been given back: a program that was stopped from outside had
    /// no time for that, and its shell has used the terminal since.
    pub(super) fn take_again(&mut self) -> io::Result<()> {
        // Raw mode that is on as far as crossterm knows would not be set.
        disable_raw_mode()?;
        enter(self.mouse)?;
        self.clear()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

fn enter(mouse: bool) -> io::Result<()> {
    TAKEN.store(true, Ordering::SeqCst);
    enable_raw_mode()?;
    let mut out = io::stdout();
    execute!(
        out,
        EnterAlternateScreen,
        EnableBracketedPaste,
        cursor::Hide
    )?;
    if mouse {
        execute!(out, EnableMouseCapture)?;
    }
    Ok(())
}

/// Leaves the terminal as it was found. Safe to call at any time and more than once.
pub(super) fn give_back() {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    // If the terminal is gone there is nothing left to restore.
    let _ = execute!(
        io::stdout(),
        EndSynchronizedUpdate,
        DisableMouseCapture,
        DisableBracketedPaste,
        LeaveAlternateScreen,
        cursor::Show
    );
    let _ = disable_raw_mode();
}
