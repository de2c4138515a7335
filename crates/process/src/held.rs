//! A background process as the gateway sees it: a folder, and perhaps a living holder.
//!
//! `spawn` starts one, `adopt` finds one again after a restart. Both give a `Held`, which is no more
//! than the folder's path: it holds no file, no thread and no task, and any number of them may stand
//! for the same process. Each call connects to the holder, asks, and lets go. Whatever is awaited can
//! be dropped at any time; what was asked by then stays asked.
//!
//! Output is read from the files, here and now: at most some tens of kilobytes that the system has in
//! memory. Nothing here masks or judges what is read, and nothing is ever started twice.

mod adopt;
mod follow;
mod lost;
mod scope;
mod start;
mod talk;

use std::io;
use std::path::Path;
use std::time::Duration;

use angelia_core::time::Span;
use rustix::process::Signal;

use crate::exit::Exit;
use crate::folder::Folder;
use crate::log::{self, Piece};
use crate::spec::Size;
use crate::wire::{FRAME_BYTES_MAX, Report, Request};

use talk::Talk;

pub use adopt::{Found, adopt};
pub use follow::Follow;
pub use lost::end_lost;
pub use scope::{Left, end_scope};
pub use start::{Program, SpawnError, spawn};

/// How long a holder may take to say that its command runs.
const START_TIME: Duration = Duration::from_secs(10);

/// How long a holder that hung up may take to be gone.
const DYING_TIME: Duration = Duration::from_secs(2);

/// How often to look for the end of what rings no bell: a start that somebody else began, or the last
/// moment of a holder.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// How a process came to its end, as far as that can be known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Its holder saw it end.
    Ended(Exit),
    /// Its holder died first: how it ended, or whether, nobody knows.
    Lost,
}

/// Why a process did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum HeldError {
    /// It has ended.
    #[error("the process has already ended ({}); start it again if it is still needed", .0.how)]
    Ended(Exit),
    /// Its holder is dead.
    #[error(
        "the process is lost: its holder died, so nobody can reach it or know how it ends; \
         look at what it was to do, and start it again if need be"
    )]
    Lost,
    /// The holder said no.
    #[error("{0}")]
    Refused(String),
    /// The holder lives but cannot be talked to, or its folder cannot be read.
    #[error("the process in {} cannot be reached: {source}; check who may enter the folder", .folder.display())]
    Unreachable {
        /// Where it is.
        folder: std::path::PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// A background process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    folder: Folder,
}

impl Held {
    /// The process in `folder`, whatever became of it: what it said can be read when it has ended, too.
    pub fn at(folder: impl Into<std::path::PathBuf>) -> Self {
        Self {
            folder: Folder::at(folder),
        }
    }

    /// The folder of the process.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The number of the command on this machine, if it was started here. In a target it has another
    /// number, which means nothing here.
    pub fn pid(&self) -> io::Result<Option<i32>> {
        if self
            .folder
            .spec()?
            .is_some_and(|spec| !spec.target.is_local())
        {
            return Ok(None);
        }
        let child = self.folder.holding()?.and_then(|holding| holding.child);
        Ok(child.map(|child| child.pid))
    }

    /// Reads at most `bytes_max` bytes of the output from the place `from` on.
    pub fn read(&self, from: u64, bytes_max: usize) -> io::Result<Piece> {
        log::read(&self.folder.log(), from, bytes_max)
    }

    /// The last `bytes_max` bytes of errors that stand apart, at most.
    pub fn last_errors(&self, bytes_max: usize) -> io::Result<Vec<u8>> {
        let log = self.folder.errors();
        let from = log::length(&log)?.saturating_sub(bytes_max as u64);
        let mut last = Vec::new();
        loop {
            let piece = log::read(&log, from + last.len() as u64, bytes_max - last.len())?;
            match piece.bytes.is_empty() {
                true => return Ok(last),
                false => last.extend(piece.bytes),
            }
        }
    }

    /// How many bytes of output there were until now.
    pub fn output_bytes(&self) -> io::Result<u64> {
        log::length(&self.folder.log())
    }

    /// How many of them are kept.
    pub fn kept_bytes(&self) -> io::Result<u64> {
        log::kept(&self.folder.log())
    }

    /// Reads the output from the place `from` on as it comes, to the end of the process.
    pub async fn follow(&self, from: u64) -> Result<Follow, HeldError> {
        Follow::begin(self.clone(), from).await
    }

    /// Writes to the input. Returns when the holder has all of it; a process that does not read lets
    /// a long text wait.
    pub async fn write(&self, bytes: &[u8]) -> Result<(), HeldError> {
        let mut talk = self.talk().await?;
        for chunk in bytes.chunks(FRAME_BYTES_MAX) {
            self.ask(&mut talk, Request::Input(chunk.to_vec())).await?;
        }
        Ok(())
    }

    /// How many bytes were written to the input until now, by anybody. Whoever wrote and died before the
    /// answer came learns here whether it was written.
    pub async fn input_bytes(&self) -> Result<u64, HeldError> {
        let mut talk = self.talk().await?;
        // One that hung up is met again by whoever reads next.
        let _hung_up = talk.send(&Request::InputBytes).await.is_err();
        loop {
            match talk.next().await {
                Ok(Some(Report::Input(bytes))) => return Ok(bytes),
                Ok(Some(Report::Refused(why))) => return Err(HeldError::Refused(why)),
                Ok(Some(_)) => (),
                Ok(None) | Err(_) => return Err(self.why_silent(hung_up()).await),
            }
        }
    }

    /// Lets the input end, after what was written. On a terminal this is as if its end were typed.
    pub async fn close_input(&self) -> Result<(), HeldError> {
        self.request(Request::CloseInput).await
    }

    /// Gives the terminal another size.
    pub async fn resize(&self, size: Size) -> Result<(), HeldError> {
        self.request(Request::Resize(size)).await
    }

    /// Signals the command and its group.
    pub async fn signal(&self, signal: Signal) -> Result<(), HeldError> {
        self.request(Request::Signal(signal.as_raw())).await
    }

    /// Takes the command and everybody it started down: they are asked, have `grace` to tidy up, and
    /// are then killed. Returns when nobody is left, with the true end.
    pub async fn kill(&self, grace: Span) -> Result<Outcome, HeldError> {
        let grace_ms = u32::try_from(grace.to_std().as_millis()).unwrap_or(u32::MAX);
        let mut talk = match self.talk().await {
            Err(HeldError::Ended(exit)) => return Ok(Outcome::Ended(exit)),
            Err(HeldError::Lost) => return Ok(Outcome::Lost),
            talk => talk?,
        };
        // A holder that ends before it answers has nobody left to kill.
        match self.ask(&mut talk, Request::Kill(grace_ms)).await {
            Ok(()) | Err(HeldError::Ended(_) | HeldError::Lost) => (),
            Err(other) => return Err(other),
        }
        while let Ok(Some(_news)) = talk.next().await {}
        self.outcome().await
    }

    /// Waits for the end. It may be dropped at any time.
    pub async fn wait(&self) -> Result<Outcome, HeldError> {
        let mut talk = match self.talk().await {
            Err(HeldError::Ended(exit)) => return Ok(Outcome::Ended(exit)),
            Err(HeldError::Lost) => return Ok(Outcome::Lost),
            talk => talk?,
        };
        while let Ok(Some(news)) = talk.next().await {
            if let Report::Exit(exit) = news {
                return Ok(Outcome::Ended(exit));
            }
        }
        self.outcome().await
    }

    async fn request(&self, request: Request) -> Result<(), HeldError> {
        let mut talk = self.talk().await?;
        self.ask(&mut talk, request).await
    }

    async fn ask(&self, talk: &mut Talk, request: Request) -> Result<(), HeldError> {
        match talk.ask(&request).await {
            Ok(Some(Report::Refused(why))) => Err(HeldError::Refused(why)),
            Ok(Some(_)) => Ok(()),
            // It hung up: it has ended, or it died.
            Ok(None) | Err(_) => Err(self.why_silent(hung_up()).await),
        }
    }

    async fn talk(&self) -> Result<Talk, HeldError> {
        match Talk::open(&self.folder).await {
            Ok(talk) => Ok(talk),
            Err(source) => Err(self.why_silent(source).await),
        }
    }

    /// How it ended, once its holder has hung up.
    async fn outcome(&self) -> Result<Outcome, HeldError> {
        match self.why_silent(hung_up()).await {
            HeldError::Ended(exit) => Ok(Outcome::Ended(exit)),
            HeldError::Lost => Ok(Outcome::Lost),
            other @ (HeldError::Refused(_) | HeldError::Unreachable { .. }) => Err(other),
        }
    }

    /// Why nobody answers. A holder that is dying lets go of one thing after the other, so one that
    /// seems to live on has a moment to be gone.
    async fn why_silent(&self, source: io::Error) -> HeldError {
        let dying = async {
            while matches!(adopt::look(&self.folder), Ok(Found::Running(_))) {
                tokio::time::sleep(LOOK_EVERY).await;
            }
        };
        let _lives_on = tokio::time::timeout(DYING_TIME, dying).await.is_err();
        match adopt::look(&self.folder) {
            Ok(Found::Ended(exit)) => HeldError::Ended(exit),
            Ok(Found::Lost | Found::Absent) => HeldError::Lost,
            Ok(Found::Running(_)) => self.unreachable(source),
            Err(source) => self.unreachable(source),
        }
    }

    fn unreachable(&self, source: io::Error) -> HeldError {
        HeldError::Unreachable {
            folder: self.folder.path().to_owned(),
            source,
        }
    }
}

fn hung_up() -> io::Error {
    io::ErrorKind::ConnectionReset.into()
}
