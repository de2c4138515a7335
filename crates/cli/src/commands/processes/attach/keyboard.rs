//! What is typed, or piped in: bytes as they come, and the key that leaves.
//!
//! A thread of the runtime waits for keys, and for us to go: it never sits in a read that outlives
//! everything else, so no key is taken from whoever uses the terminal next. What is piped in has no key
//! that leaves.

use std::io::{self, IsTerminal as _};
use std::os::fd::OwnedFd;
use std::sync::Arc;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};
use tokio::task::JoinHandle;

use crate::errors::Failure;

/// `Ctrl-]`.
pub(super) const LEAVE: u8 = 0x1d;

/// What is read at once.
const CHUNK_BYTES: usize = 4 * 1024;

/// What came from the keyboard.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// Keys.
    Keys(Vec<u8>),
    /// The last keys before the one that leaves.
    Leave(Vec<u8>),
    /// There is no more, or the end was typed.
    EndOfInput,
}

/// Where keys come from.
pub(super) struct Keyboard {
    typist: Typist,
    /// The read under way.
    reading: Option<JoinHandle<io::Result<Vec<u8>>>>,
    /// Whether there is more.
    state: State,
    /// Ends when the other end is dropped, which ends the read under way.
    stop: Arc<OwnedFd>,
    _running: OwnedFd,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    Over,
}

/// Who types.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Typist {
    Person,
    Program,
}

impl Keyboard {
    /// Standard input.
    pub(super) fn open() -> Result<Self, Failure> {
        let typist = match io::stdin().is_terminal() {
            true => Typist::Person,
            false => Typist::Program,
        };
        let (stop, running) = pipe_with(PipeFlags::CLOEXEC).map_err(|error| unread(&error))?;
        Ok(Self {
            typist,
            reading: None,
            state: State::Open,
            stop: Arc::new(stop),
            _running: running,
        })
    }

    /// The next keys. Nothing is missed if this is dropped; after the end of what is piped in there is
    /// nothing.
    pub(super) async fn next(&mut self) -> Result<Heard, Failure> {
        if self.state == State::Over {
            std::future::pending::<()>().await;
        }
        let stop = &self.stop;
        let reading = self.reading.get_or_insert_with(|| {
            let stop = Arc::clone(stop);
            tokio::task::spawn_blocking(move || read(&stop))
        });
        let read = reading.await;
        self.reading = None;
        let bytes = read.map_err(|error| unread(&error))?;
        let bytes = bytes.map_err(|error| unread(&error))?;
        if bytes.is_empty() && self.typist == Typist::Program {
            self.state = State::Over;
        }
        Ok(heard(bytes, self.typist))
    }
}

fn unread(error: &dyn std::fmt::Display) -> Failure {
    Failure::new(format!("standard input cannot be read: {error}"))
}

/// Reads once, when there is something; nothing if we are to stop first.
fn read(stop: &OwnedFd) -> io::Result<Vec<u8>> {
    let stdin = io::stdin();
    let mut ready = [
        PollFd::new(&stdin, PollFlags::IN),
        PollFd::new(stop, PollFlags::IN),
    ];
    while let Err(error) = poll(&mut ready, None) {
        if error != Errno::INTR {
            return Err(error.into());
        }
    }
    if !ready[1].revents().is_empty() {
        return Ok(Vec::new());
    }
    let mut bytes = vec![0; CHUNK_BYTES];
    match rustix::io::read(&stdin, &mut bytes[..]) {
        Ok(count) => bytes.truncate(count),
        // A terminal that hung up has no more keys, and its signal says the rest.
        Err(Errno::IO) => bytes.clear(),
        Err(error) => return Err(error.into()),
    }
    Ok(bytes)
}

fn heard(mut bytes: Vec<u8>, typist: Typist) -> Heard {
    if bytes.is_empty() {
        return Heard::EndOfInput;
    }
    let leave = bytes.iter().position(|byte| *byte == LEAVE);
    match leave.filter(|_| typist == Typist::Person) {
        None => Heard::Keys(bytes),
        Some(at) => {
            bytes.truncate(at);
            Heard::Leave(bytes)
        }
    }
}

#[cfg(test)]
#[path = "keyboard_tests.rs"]
mod tests;
