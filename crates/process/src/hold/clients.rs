//! Those who talk to a holder: a door, and a few connections.
//!
//! Nobody can hold up the command or each other. What cannot be sent waits, and what waits is short:
//! a follower is told the newest length of the log, not every one. Who says nonsense, or belongs to
//! another user, is shown out, and so is who would linger when many do.

use std::fs;
use std::io;
use std::os::fd::{AsFd as _, BorrowedFd};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::event::PollFlags;
use rustix::io::Errno;

use crate::folder::PROTOCOL;
use crate::wire::{Frames, Report, Request};

/// Connections at once. More wait at the door.
const CLIENTS_MAX: usize = 24;

/// Connections of those who linger: who follow the log, or wait to write to an input that is full. The
/// others are for those who have a short word to say, such as that it is to end.
const LINGERERS_MAX: usize = 12;

/// What is read at once.
const CHUNK_BYTES: usize = 16 * 1024;

/// What may wait to be sent before a client that asks and asks but never reads is shown out.
const UNREAD_BYTES_MAX: usize = 256 * 1024;

/// How often followers are told at most. Who says little is heard at once; who says much would wake them
/// for every line.
const TELL_EVERY: Duration = Duration::from_millis(5);

/// The door.
#[derive(Debug)]
pub(super) struct Door(UnixListener);

impl Door {
    /// Opens the door at `path`, for our own user alone.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        // Left by a holder that was given up before it started anything; there is no other but us.
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => (),
        }
        let listener = UnixListener::bind(path)?;
        fs::set_permissions(path, fs::Permissions::from_mode(0o600))?;
        listener.set_nonblocking(true)?;
        Ok(Self(listener))
    }

    pub(super) fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// Whether a client wants to hear of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Follows {
    Nothing,
    /// It knows that the log has this many bytes.
    Log {
        told: u64,
    },
}

/// Whether more of a client's words can be taken now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    Goes,
    /// Its next words are for an input that is full.
    Waits,
}

/// One who talks to us.
#[derive(Debug)]
pub(super) struct Client {
    stream: UnixStream,
    frames: Frames,
    unsent: Vec<u8>,
    follows: Follows,
    /// What its connection is ready for.
    ready: PollFlags,
}

impl Client {
    fn new(stream: UnixStream) -> Self {
        Self {
            stream,
            frames: Frames::default(),
            unsent: Report::Hello(PROTOCOL).encode(),
            follows: Follows::Nothing,
            ready: PollFlags::empty(),
        }
    }

    pub(super) fn as_fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }

    /// Whether something waits to be sent.
    pub(super) fn has_unsent(&self) -> bool {
        !self.unsent.is_empty()
    }

    /// Whether it waits until there is room for its words in the command's input.
    pub(super) fn waits_for_input(&self) -> bool {
        self.frames.next_is_input()
    }

    /// Reads what it said, if it said something and `may` say more now. An error shows it out.
    pub(super) fn read(&mut self, may: Reading) -> io::Result<()> {
        let ready = std::mem::replace(&mut self.ready, PollFlags::empty());
        let is_gone = ready.intersects(PollFlags::HUP | PollFlags::ERR);
        match may {
            Reading::Goes if is_gone || ready.contains(PollFlags::IN) => self.read_some(),
            // Whoever left without waiting for an answer has not been promised anything, and would
            // wake us for ever.
            Reading::Waits if is_gone => Err(io::ErrorKind::ConnectionReset.into()),
            Reading::Goes | Reading::Waits => Ok(()),
        }
    }

    fn read_some(&mut self) -> io::Result<()> {
        let mut chunk = [0; CHUNK_BYTES];
        match rustix::io::read(&self.stream, &mut chunk) {
            Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => {
                self.frames.push(&chunk[..count]);
                Ok(())
            }
            Err(Errno::AGAIN | Errno::INTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Its next request.
    pub(super) fn request(&mut self) -> io::Result<Option<Request>> {
        self.frames.request()
    }

    /// Whether it stays for long: it follows the log, or its words are for an input that is full.
    fn lingers(&self, may: Reading) -> bool {
        self.follows != Follows::Nothing || may == Reading::Waits
    }

    /// Will tell it of the log.
    pub(super) fn follow(&mut self) {
        self.follows = Follows::Log { told: 0 };
    }

    /// Tells it something.
    pub(super) fn tell(&mut self, report: &Report) {
        self.unsent.extend(report.encode());
    }

    /// Whether it follows a log and has not been told of all of it, though it could be.
    fn is_behind(&self, length: u64) -> bool {
        matches!(self.follows, Follows::Log { told } if told < length) && self.unsent.is_empty()
    }

    /// Tells a follower how long the log is, unless it knows, or has not read the last news yet.
    fn tell_log(&mut self, length: u64) {
        if self.is_behind(length) {
            self.follows = Follows::Log { told: length };
            self.unsent = Report::Log(length).encode();
        }
    }

    /// Sends what can be sent now. An error shows it out.
    fn send(&mut self) -> io::Result<()> {
        while !self.unsent.is_empty() {
            match rustix::io::write(&self.stream, &self.unsent) {
                Ok(count) => drop(self.unsent.drain(..count)),
                Err(Errno::AGAIN) if self.unsent.len() <= UNREAD_BYTES_MAX => return Ok(()),
                Err(Errno::INTR) => (),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }
}

/// Counts those who linger, the first to come first.
#[derive(Debug, Default)]
pub(super) struct Lingerers(usize);

impl Lingerers {
    /// Lets a client stay. An error shows it out, with a word why.
    pub(super) fn admit(&mut self, client: &mut Client, may: Reading) -> io::Result<()> {
        if !client.lingers(may) {
            return Ok(());
        }
        self.0 += 1;
        if self.0 <= LINGERERS_MAX {
            return Ok(());
        }
        let why = format!(
            "{LINGERERS_MAX} others follow the process or wait to write to it; try again when one of \
             them is gone"
        );
        client.tell(&Report::Refused(why));
        client.send()?;
        Err(io::ErrorKind::QuotaExceeded.into())
    }
}

/// Everybody who talks to us.
#[derive(Debug, Default)]
pub(super) struct Clients {
    all: Vec<Client>,
    /// Before this, followers are not told again.
    tell_at: Option<Instant>,
    /// When to tell followers who are behind; nothing if nobody is.
    due: Option<Instant>,
}

impl Clients {
    /// Whether somebody may come in.
    pub(super) fn has_room(&self) -> bool {
        self.all.len() < CLIENTS_MAX
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Client> {
        self.all.iter()
    }

    /// Lets in who waits at the door, and tells them `news`.
    pub(super) fn accept(&mut self, door: &Door, news: Option<&Report>) {
        while self.has_room() {
            // Nobody there, or gone again: there is nothing to do about either.
            let Ok((stream, _)) = door.0.accept() else {
                return;
            };
            if !is_ours(&stream) || stream.set_nonblocking(true).is_err() {
                continue;
            }
            let mut client = Client::new(stream);
            if let Some(news) = news {
                client.tell(news);
            }
            self.all.push(client);
        }
    }

    /// Tells everybody.
    pub(super) fn tell(&mut self, report: &Report) {
        for client in &mut self.all {
            client.tell(report);
        }
    }

    /// Listens to everybody whom `listen` does not fail for.
    pub(super) fn each(&mut self, mut listen: impl FnMut(&mut Client) -> io::Result<()>) {
        self.all.retain_mut(|client| listen(client).is_ok());
    }

    /// Remembers what the connection at `index` is ready for.
    pub(super) fn wake(&mut self, index: usize, ready: PollFlags) {
        if let Some(client) = self.all.get_mut(index) {
            client.ready = ready;
        }
    }

    /// When followers are to be told something.
    pub(super) fn due(&self) -> Option<Instant> {
        self.due
    }

    /// Sends what can be sent now, to followers also how long the log is, unless they were told just now.
    pub(super) fn send(&mut self, log: u64, now: Instant) {
        // What waits first, so that there is room for the news.
        self.each(Client::send);
        self.due = None;
        if !self.all.iter().any(|client| client.is_behind(log)) {
            return;
        }
        if self.tell_at.is_some_and(|at| now < at) {
            self.due = self.tell_at;
            return;
        }
        self.tell_at = Some(now + TELL_EVERY);
        self.each(|client| {
            client.tell_log(log);
            client.send()
        });
    }
}

/// Whether the other end is of our own user. The folder keeps others out already; this also holds if
/// somebody opened it to them.
#[cfg(target_os = "linux")]
fn is_ours(stream: &UnixStream) -> bool {
    let peer = rustix::net::sockopt::socket_peercred(stream);
    peer.is_ok_and(|peer| peer.uid == rustix::process::geteuid())
}

#[cfg(not(target_os = "linux"))]
fn is_ours(_stream: &UnixStream) -> bool {
    true
}
