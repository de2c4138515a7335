//! Reads what a command says, as it says it, into a window.
//!
//! Reading goes on while something else is awaited, so that a command never stands still because
//! nobody listens. The pipe's end is not the command's: a program left behind can hold it open for
//! ever, so nobody waits for it without a limit.

use std::future::Future;
use std::io;

use angelia_core::limits;
use tokio::net::unix::pipe::Receiver;
use tokio::time::timeout;

use crate::window::Window;

/// How much is read at once: what a pipe holds.
const CHUNK_BYTES: usize = 64 * 1024;

/// How often at most the pipe is emptied without waiting. A pipe that is full again each time belongs
/// to a program that never stops talking.
const CHUNKS_AT_ONCE: usize = 16;

/// The reading end, and what was read.
pub(crate) struct Output {
    /// None after its end.
    pipe: Option<Receiver>,
    chunk: Vec<u8>,
    window: Window,
}

impl Output {
    /// Will read from `pipe`.
    pub(crate) fn new(pipe: Receiver) -> Self {
        let window = Window::new(limits::TOOL_OUTPUT_CHARS_MAX);
        Self {
            pipe: Some(pipe),
            chunk: vec![0; CHUNK_BYTES],
            window,
        }
    }

    /// Reads until `event` happens, and then what is there already.
    pub(crate) async fn read_until<T>(&mut self, event: impl Future<Output = T>) -> T {
        tokio::pin!(event);
        let happened = loop {
            tokio::select! {
                biased;
                happened = &mut event => break happened,
                () = self.read() => (),
            }
        };
        self.take_ready();
        happened
    }

    /// Reads to the end of the pipe, or for a moment if somebody holds it open.
    pub(crate) async fn drain(&mut self) {
        let _held_open = timeout(limits::OUTPUT_DRAIN.to_std(), self.read_to_end())
            .await
            .is_err();
        self.take_ready();
    }

    /// What was said.
    pub(crate) fn into_text(self) -> String {
        self.window.into_text("")
    }

    async fn read_to_end(&mut self) {
        while self.pipe.is_some() {
            self.read().await;
        }
    }

    /// Waits for more and takes it; for ever after the end.
    async fn read(&mut self) {
        let Some(pipe) = &self.pipe else {
            return std::future::pending().await;
        };
        let taken = match pipe.readable().await {
            Ok(()) => pipe.try_read(&mut self.chunk),
            Err(error) => Err(error),
        };
        self.took(taken);
    }

    /// Takes what is there without waiting. It asks the system itself: the runtime learns of new
    /// words only when it next looks.
    fn take_ready(&mut self) {
        for _ in 0..CHUNKS_AT_ONCE {
            let Some(pipe) = &self.pipe else { return };
            let taken = rustix::io::read(pipe, &mut self.chunk[..]);
            self.took(taken.map_err(io::Error::from));
        }
    }

    fn took(&mut self, taken: io::Result<usize>) {
        match taken {
            Ok(0) => self.pipe = None,
            Ok(count) => self.window.push(&self.chunk[..count]),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => (),
            // A pipe that cannot be read any more has ended for us.
            Err(_) => self.pipe = None,
        }
    }
}
