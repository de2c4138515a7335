//! What a command is told: a short queue in front of its input.
//!
//! A command need not read. What it does not read waits here, and once enough waits, whoever writes
//! has to wait too: `has_room` says so. An input that its reader closed is gone for good. A patient
//! input ends by itself if nobody writes, so that who reads it does not wait for ever.

use std::collections::VecDeque;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::time::Instant;

use angelia_core::limits;

use crate::spec::{Input, Surface};
use crate::terminal;

/// From here on those who write have to wait.
const WAITING_BYTES: usize = 64 * 1024;

/// Why there is no writing to an input.
const NO_INPUT: &str = "the process has no open input: it was started without one, it was closed, \
                        or the process stopped reading";

/// The input of a command.
#[derive(Debug)]
pub(super) struct Queue {
    surface: Surface,
    /// None once it is closed.
    to: Option<OwnedFd>,
    bytes: VecDeque<u8>,
    /// What was ever taken, read or not.
    taken: u64,
    end: End,
    /// When it ends by itself, unless somebody writes before.
    idle_until: Option<Instant>,
}

/// Whether the input ends after what is queued.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Open,
    Asked,
}

impl Queue {
    pub(super) fn new(surface: Surface, to: Option<OwnedFd>, now: Instant) -> Self {
        let patience = limits::INPUT_IDLE.to_std();
        Self {
            surface,
            to,
            bytes: VecDeque::new(),
            taken: 0,
            end: End::Open,
            idle_until: (surface == Surface::Pipes(Input::Patient)).then(|| now + patience),
        }
    }

    /// When it ends by itself, as things stand.
    pub(super) fn due(&self) -> Option<Instant> {
        self.idle_until.filter(|_| self.to.is_some())
    }

    /// Lets it end if nobody wrote to it in time.
    pub(super) fn tire(&mut self, now: Instant) {
        if self.due().is_some_and(|due| now >= due) {
            self.give_up();
        }
    }

    /// How many bytes were taken until now. Who wrote and did not hear the answer finds out here.
    pub(super) fn taken(&self) -> u64 {
        self.taken
    }

    /// Whether more may be queued now.
    pub(super) fn has_room(&self) -> bool {
        self.bytes.len() < WAITING_BYTES
    }

    /// Where to write, if something waits to be written.
    pub(super) fn waiting(&self) -> Option<BorrowedFd<'_>> {
        let to = self.to.as_ref().filter(|_| !self.bytes.is_empty())?;
        Some(to.as_fd())
    }

    /// Queues `bytes`, and writes what can be written now.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<(), String> {
        if self.to.is_none() || self.end == End::Asked {
            return Err(NO_INPUT.to_owned());
        }
        self.idle_until = None;
        self.bytes.extend(bytes);
        self.taken += bytes.len() as u64;
        self.write();
        Ok(())
    }

    /// Lets the input end after what is queued. On a terminal that is a letter like others, and the
    /// input stays open: who does not heed it can be told more.
    pub(super) fn close(&mut self) -> Result<(), String> {
        let Some(to) = &self.to else {
            return Err(NO_INPUT.to_owned());
        };
        match self.surface {
            Surface::Pipes(_) => self.end = End::Asked,
            Surface::Terminal(_) => {
                let letter = terminal::end_of_input(to);
                self.bytes.push_back(letter.map_err(|why| why.to_string())?);
            }
        }
        self.write();
        Ok(())
    }

    /// Writes what can be written now.
    pub(super) fn write(&mut self) {
        while let Some(to) = &self.to {
            let (first, _) = self.bytes.as_slices();
            if first.is_empty() {
                break;
            }
            match rustix::io::write(to, first) {
                Ok(count) => drop(self.bytes.drain(..count)),
                Err(rustix::io::Errno::AGAIN) => return,
                Err(rustix::io::Errno::INTR) => (),
                // Nobody reads any more.
                Err(_) => self.give_up(),
            }
        }
        if self.end == End::Asked {
            self.give_up();
        }
    }

    /// Lets go of the input.
    pub(super) fn give_up(&mut self) {
        self.to = None;
        self.bytes = VecDeque::new();
    }
}

#[cfg(test)]
#[path = "input_tests.rs"]
mod tests;
