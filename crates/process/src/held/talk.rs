//! One conversation with a holder.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::UnixStream;

use crate::folder::{Folder, PROTOCOL, SOCKET};
use crate::wire::{Frames, Report, Request};

/// A path may be this long to be connected to.
const PATH_BYTES_MAX: usize = 100;

/// How long a holder may take to say hello. It says so at once, unless it is stopped or has no room.
const HELLO_TIME: Duration = Duration::from_secs(3);

/// What is read at once: reports are short.
const CHUNK_BYTES: usize = 1024;

/// A connection to a holder.
#[derive(Debug)]
pub(super) struct Talk {
    stream: UnixStream,
    frames: Frames,
}

impl Talk {
    /// Connects to the holder of `folder`, and hears which version it speaks.
    pub(super) async fn open(folder: &Folder) -> io::Result<Self> {
        let opened = tokio::time::timeout(HELLO_TIME, Self::greet(folder)).await;
        opened.map_err(|_| io::Error::new(io::ErrorKind::TimedOut, "its holder does not answer"))?
    }

    async fn greet(folder: &Folder) -> io::Result<Self> {
        let mut talk = Self {
            stream: connect(folder).await?,
            frames: Frames::default(),
        };
        match talk.next().await? {
            Some(Report::Hello(version)) if version >= PROTOCOL => Ok(talk),
            Some(_) => Err(io::Error::other("it speaks a version that is too old")),
            None => Err(io::ErrorKind::ConnectionReset.into()),
        }
    }

    /// Asks for something. Nothing is answered by a holder that hung up.
    pub(super) async fn ask(&mut self, request: &Request) -> io::Result<Option<Report>> {
        self.send(request).await?;
        while let Some(report) = self.next().await? {
            if matches!(report, Report::Done | Report::Refused(_)) {
                return Ok(Some(report));
            }
        }
        Ok(None)
    }

    /// Asks for something that has no answer.
    pub(super) async fn send(&mut self, request: &Request) -> io::Result<()> {
        self.stream.write_all(&request.encode()).await
    }

    /// What it tells next; nothing after it hung up. Nothing is missed if this is dropped.
    pub(super) async fn next(&mut self) -> io::Result<Option<Report>> {
        loop {
            if let Some(report) = self.frames.report()? {
                return Ok(Some(report));
            }
            let mut chunk = [0; CHUNK_BYTES];
            match self.stream.read(&mut chunk).await? {
                0 => return Ok(None),
                count => self.frames.push(&chunk[..count]),
            }
        }
    }
}

/// A socket's path has to be short; a folder's handle makes it so.
#[cfg(target_os = "linux")]
async fn connect(folder: &Folder) -> io::Result<UnixStream> {
    use std::os::fd::AsRawFd as _;

    let path = folder.path().join(SOCKET);
    if path.as_os_str().len() <= PATH_BYTES_MAX {
        return UnixStream::connect(path).await;
    }
    let handle = std::fs::File::open(folder.path())?;
    UnixStream::connect(format!("/proc/self/fd/{}/{SOCKET}", handle.as_raw_fd())).await
}

#[cfg(not(target_os = "linux"))]
async fn connect(folder: &Folder) -> io::Result<UnixStream> {
    let path = folder.path().join(SOCKET);
    if path.as_os_str().len() > PATH_BYTES_MAX {
        return Err(io::Error::other("its path is too long for a socket"));
    }
    UnixStream::connect(path).await
}
