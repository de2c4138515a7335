//! The window that a process is shown in: set up for it, and given back as it was.
//!
//! For a process on a terminal every key goes to it unread: nothing is echoed here, and no key is ours
//! but the one that leaves. For one with pipes lines are typed and edited as usual, only that the key
//! that leaves ends a line too, so that it is heard at once. What is no terminal is left alone.
//!
//! Dropping gives the window back, however the sitting ends: also when it fails, is told to end, or
//! panics.

use std::io::{self, IsTerminal as _, Write as _};

use angelia_api::wire::v1::process::{ProcessMode, ResizeWish};
use rustix::termios::{
    OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcgetwinsize, tcsetattr,
};

use super::keyboard::LEAVE;
use super::modes::Modes;
use crate::errors::Failure;
use crate::output;

/// The rows of a window that does not say.
const ROWS: usize = 24;

/// A window, set up.
pub(super) struct Window {
    mode: ProcessMode,
    /// How the keyboard was before; nothing if there is none, or it was left alone.
    before: Option<Termios>,
    modes: Modes,
}

impl Window {
    /// Sets the window up for a process.
    pub(super) fn open(mode: ProcessMode) -> Result<Self, Failure> {
        let set = || -> io::Result<Option<Termios>> {
            if !io::stdin().is_terminal() {
                return Ok(None);
            }
            let before = tcgetattr(io::stdin())?;
            tcsetattr(io::stdin(), OptionalActions::Now, &set_up(&before, mode))?;
            Ok(Some(before))
        };
        let before = set().map_err(|error| {
            Failure::new(format!("the terminal cannot be set up: {error}"))
                .hint("follow the process with `angelia processes log -f`, and write with `write`")
        })?;
        let modes = Modes::default();
        Ok(Self {
            mode,
            before,
            modes,
        })
    }

    /// Whether lines are typed here, and not keys.
    pub(super) fn is_line_by_line(&self) -> bool {
        self.before.is_some() && self.mode != ProcessMode::Pty
    }

    /// The size, where the process is to have the same.
    pub(super) fn size(&self) -> Option<ResizeWish> {
        if self.mode != ProcessMode::Pty || self.before.is_none() {
            return None;
        }
        let size = tcgetwinsize(io::stdin()).ok()?;
        (size.ws_row > 0 && size.ws_col > 0).then_some(ResizeWish {
            rows: size.ws_row,
            columns: size.ws_col,
        })
    }

    /// How many lines it shows.
    pub(super) fn rows(&self) -> usize {
        let size = tcgetwinsize(io::stdout()).ok();
        let rows = size.map(|size| usize::from(size.ws_row));
        rows.filter(|rows| *rows > 0).unwrap_or(ROWS)
    }

    /// Remembers what the process does to the window.
    pub(super) fn shows(&mut self, text: &str) {
        if self.mode == ProcessMode::Pty {
            self.modes.read(text);
        }
    }

    /// Says something of our own, on a line of its own.
    pub(super) fn note(&self, words: &str) {
        match self.is_raw() {
            true => output::aside(format_args!("\r\n[{words}]\r")),
            false => output::aside(format_args!("[{words}]")),
        }
    }

    fn is_raw(&self) -> bool {
        self.before.is_some() && self.mode == ProcessMode::Pty
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        if self.mode == ProcessMode::Pty && io::stdout().is_terminal() {
            let mut out = io::stdout().lock();
            let undone = write!(out, "{}\r\n", self.modes.undo()).and_then(|()| out.flush());
            // A window that is gone needs nothing back.
            let _gone = undone.is_err();
        }
        if let Some(before) = &self.before {
            let _gone = tcsetattr(io::stdin(), OptionalActions::Now, before).is_err();
        }
    }
}

fn set_up(before: &Termios, mode: ProcessMode) -> Termios {
    let mut termios = before.clone();
    match mode {
        ProcessMode::Pty => termios.make_raw(),
        ProcessMode::Pipe | ProcessMode::Unknown => {
            termios.special_codes[SpecialCodeIndex::VEOL] = LEAVE;
        }
    }
    termios
}
