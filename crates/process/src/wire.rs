//! What is said through a holder's socket, in frames of a kind, a length and that many bytes.
//!
//! A holder says first which version it speaks. Every request but `Follow` is answered once, by
//! `Done`, `Refused` or, to who asks how much, `Input`, in the order of the requests. A follower is told how long the log has become;
//! the bytes themselves it reads from the files, so that a slow one holds up nobody. Everybody who is
//! connected is told the exit.
//!
//! Holders live longer than gateways: a kind is never changed, only added. An unknown request is
//! refused; an unknown report is passed over.

use std::io;

use crate::exit::Exit;
use crate::spec::Size;

/// The most bytes of a frame.
pub(crate) const FRAME_BYTES_MAX: usize = 64 * 1024;

const HEAD_BYTES: usize = 5;

/// What a gateway asks of a holder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Request {
    /// Write this to the input.
    Input(Vec<u8>),
    /// Let the input end.
    CloseInput,
    /// Give the terminal another size.
    Resize(Size),
    /// Send this signal to the command's group.
    Signal(i32),
    /// Take everybody down; those who do not obey within so many milliseconds are killed.
    Kill(u32),
    /// Tell whenever the log grows.
    Follow,
    /// Tell how much was taken for the input.
    InputBytes,
    /// Something from a later version.
    Unknown(u8),
}

/// What a holder tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Report {
    /// The version that it speaks.
    Hello(u32),
    /// A request was fulfilled.
    Done,
    /// A request was not fulfilled, and why.
    Refused(String),
    /// The log has this many bytes.
    Log(u64),
    /// So many bytes were taken for the input until now.
    Input(u64),
    /// The end.
    Exit(Exit),
    /// Something from a later version.
    Unknown(u8),
}

impl Request {
    pub(crate) fn encode(&self) -> Vec<u8> {
        match self {
            Self::Input(bytes) => frame(b'i', bytes),
            Self::CloseInput => frame(b'c', &[]),
            Self::Resize(size) => frame(b'r', &size_bytes(*size)),
            Self::Signal(number) => frame(b's', &number.to_le_bytes()),
            Self::Kill(grace_ms) => frame(b'k', &grace_ms.to_le_bytes()),
            Self::Follow => frame(b'f', &[]),
            Self::InputBytes => frame(b'b', &[]),
            Self::Unknown(kind) => frame(*kind, &[]),
        }
    }

    fn decode(kind: u8, body: &[u8]) -> Option<Self> {
        Some(match kind {
            b'i' => Self::Input(body.to_owned()),
            b'c' => Self::CloseInput,
            b'r' => Self::Resize(size_of(body)?),
            b's' => Self::Signal(i32::from_le_bytes(body.try_into().ok()?)),
            b'k' => Self::Kill(u32::from_le_bytes(body.try_into().ok()?)),
            b'f' => Self::Follow,
            b'b' => Self::InputBytes,
            kind => Self::Unknown(kind),
        })
    }
}

impl Report {
    pub(crate) fn encode(&self) -> Vec<u8> {
        match self {
            Self::Hello(version) => frame(b'h', &version.to_le_bytes()),
            Self::Done => frame(b'd', &[]),
            Self::Refused(why) => frame(b'n', why.as_bytes()),
            Self::Log(bytes) => frame(b'l', &bytes.to_le_bytes()),
            Self::Input(bytes) => frame(b'i', &bytes.to_le_bytes()),
            // An exit is numbers and a reason, which always can be written.
            Self::Exit(exit) => frame(b'x', &serde_json::to_vec(exit).unwrap_or_default()),
            Self::Unknown(kind) => frame(*kind, &[]),
        }
    }

    fn decode(kind: u8, body: &[u8]) -> Option<Self> {
        Some(match kind {
            b'h' => Self::Hello(u32::from_le_bytes(body.try_into().ok()?)),
            b'd' => Self::Done,
            b'n' => Self::Refused(String::from_utf8_lossy(body).into_owned()),
            b'l' => Self::Log(u64::from_le_bytes(body.try_into().ok()?)),
            b'i' => Self::Input(u64::from_le_bytes(body.try_into().ok()?)),
            b'x' => Self::Exit(serde_json::from_slice(body).ok()?),
            kind => Self::Unknown(kind),
        })
    }
}

/// Frames out of bytes that arrive in any pieces.
#[derive(Debug, Default)]
pub(crate) struct Frames(Vec<u8>);

impl Frames {
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// Whether the next frame is bytes for the input.
    pub(crate) fn next_is_input(&self) -> bool {
        self.0.first() == Some(&b'i')
    }

    /// The next request, if it is here in whole.
    pub(crate) fn request(&mut self) -> io::Result<Option<Request>> {
        self.next(Request::decode)
    }

    /// The next report, if it is here in whole.
    pub(crate) fn report(&mut self) -> io::Result<Option<Report>> {
        self.next(Report::decode)
    }

    fn next<T>(&mut self, decode: impl Fn(u8, &[u8]) -> Option<T>) -> io::Result<Option<T>> {
        let Some((head, rest)) = self.0.split_at_checked(HEAD_BYTES) else {
            return Ok(None);
        };
        let length = u32::from_le_bytes([head[1], head[2], head[3], head[4]]) as usize;
        if length > FRAME_BYTES_MAX {
            return Err(nonsense("a frame is longer than any may be"));
        }
        let Some(body) = rest.get(..length) else {
            return Ok(None);
        };
        let value = decode(head[0], body).ok_or_else(|| nonsense("a frame has a wrong body"))?;
        self.0.drain(..HEAD_BYTES + length);
        Ok(Some(value))
    }
}

fn nonsense(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

fn frame(kind: u8, body: &[u8]) -> Vec<u8> {
    // Requests are cut to size before, and reports are short but for a reason.
    let body = &body[..body.len().min(FRAME_BYTES_MAX)];
    let mut frame = Vec::with_capacity(HEAD_BYTES + body.len());
    frame.push(kind);
    frame.extend_from_slice(&(body.len() as u32).to_le_bytes());
    frame.extend_from_slice(body);
    frame
}

fn size_bytes(size: Size) -> [u8; 4] {
    let ([a, b], [c, d]) = (size.rows.to_le_bytes(), size.columns.to_le_bytes());
    [a, b, c, d]
}

fn size_of(body: &[u8]) -> Option<Size> {
    let [a, b, c, d] = body.try_into().ok()?;
    Some(Size {
        rows: u16::from_le_bytes([a, b]),
        columns: u16::from_le_bytes([c, d]),
    })
}

#[cfg(test)]
#[path = "wire_tests.rs"]
mod tests;
