//! One line to a target: the program that leads there, and the script that runs at its other end.
//!
//! Nothing waits while the line stands. What is to be sent waits in a queue, what arrived is taken when asked for. A
//! line that is dropped is cut: the script inside hears its input end, and the program is asked to end
//! and killed if it does not. Only then something waits, and not for long.

use std::collections::VecDeque;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::Duration;

use rustix::event::PollFlags;
use rustix::io::{Errno, ioctl_fionbio};
use rustix::process::{Pid, Signal};

use crate::target::Target;
use crate::target::said::{Ear, Said};
use crate::{apart, clock};

/// What is read at once.
const CHUNK_BYTES: usize = 64 * 1024;

/// How long a program on the way may take to end when it is asked to.
const LEAVING_TIME: Duration = Duration::from_millis(500);

/// How often it is looked at meanwhile.
const LOOK_TIME: Duration = Duration::from_millis(2);

/// A line to a target.
#[derive(Debug)]
pub(super) struct Link {
    program: Child,
    /// None once it is closed.
    to: Option<ChildStdin>,
    unsent: VecDeque<u8>,
    /// None after its end.
    output: Option<ChildStdout>,
    /// None after its end.
    errors: Option<ChildStderr>,
    ear: Ear,
}

impl Link {
    /// Opens a line to `target` and sends `script`. The program on the way does not see the variables
    /// `hidden`.
    pub(super) fn open(target: &Target, hidden: &[String], script: &str) -> io::Result<Self> {
        let words = target.enter().unwrap_or_default();
        let nothing = || io::Error::other("no words lead to the target");
        let (name, rest) = words.split_first().ok_or_else(nothing)?;
        let mut command = Command::new(name);
        command.args(rest);
        for variable in hidden {
            command.env_remove(variable);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(Stdio::piped());
        apart::stand_apart(&mut command);
        let spawned = command.spawn();
        let mut program =
            spawned.map_err(|why| io::Error::new(why.kind(), format!("{name}: {why}")))?;
        let mut link = Self {
            to: program.stdin.take(),
            unsent: script.bytes().collect(),
            output: program.stdout.take(),
            errors: program.stderr.take(),
            ear: Ear::default(),
            program,
        };
        link.never_wait()?;
        link.write();
        Ok(link)
    }

    fn never_wait(&mut self) -> io::Result<()> {
        for file in [
            self.to.as_ref().map(AsFd::as_fd),
            self.output.as_ref().map(AsFd::as_fd),
            self.errors.as_ref().map(AsFd::as_fd),
        ] {
            file.map_or(Ok(()), |file| ioctl_fionbio(file, true))?;
        }
        Ok(())
    }

    /// What may wake us, and for what.
    pub(super) fn wakers(&self) -> Vec<(BorrowedFd<'_>, PollFlags)> {
        let to = self.to.as_ref().filter(|_| !self.unsent.is_empty());
        let files = [
            to.map(|file| (file.as_fd(), PollFlags::OUT)),
            self.output
                .as_ref()
                .map(|file| (file.as_fd(), PollFlags::IN)),
            self.errors
                .as_ref()
                .map(|file| (file.as_fd(), PollFlags::IN)),
        ];
        files.into_iter().flatten().collect()
    }

    /// Sends `bytes`, after what was sent before.
    pub(super) fn send(&mut self, bytes: &[u8]) {
        self.unsent.extend(bytes);
        self.write();
    }

    /// Sends what can be sent now.
    pub(super) fn write(&mut self) {
        while let Some(to) = self.to.as_ref().filter(|_| !self.unsent.is_empty()) {
            match rustix::io::write(to, self.unsent.as_slices().0) {
                Ok(count) => drop(self.unsent.drain(..count)),
                Err(Errno::INTR) => (),
                Err(Errno::AGAIN) => return,
                // Nobody reads any more; the end of what is said tells why.
                Err(_) => self.hang_up(),
            }
        }
    }

    /// Whether something waits to be sent.
    pub(super) fn has_unsent(&self) -> bool {
        !self.unsent.is_empty()
    }

    /// Lets the script's input end.
    pub(super) fn hang_up(&mut self) {
        self.unsent.clear();
        self.to = None;
    }

    /// The next words of the command; empty if there are none now.
    pub(super) fn output(&mut self) -> Vec<u8> {
        read(&mut self.output)
    }

    /// What the script has said by now.
    pub(super) fn said(&mut self) -> Vec<Said> {
        let bytes = read(&mut self.errors);
        self.ear.hear(&bytes)
    }

    /// What the program on the way complained about.
    pub(super) fn complaints(&mut self) -> String {
        self.ear.complaints()
    }

    /// Whether the line is broken. A program that ended may have left others who hold it open; whatever
    /// they still say is said again on the next line.
    pub(super) fn is_over(&mut self) -> bool {
        let is_silent = self.output.is_none() && self.errors.is_none();
        is_silent || !matches!(self.program.try_wait(), Ok(None))
    }
}

fn read<T: AsFd>(from: &mut Option<T>) -> Vec<u8> {
    let Some(file) = from else { return Vec::new() };
    let mut chunk = vec![0; CHUNK_BYTES];
    match rustix::io::read(file, &mut chunk) {
        Ok(count) if count > 0 => chunk.truncate(count),
        Err(Errno::AGAIN | Errno::INTR) => chunk.clear(),
        // It ended, or cannot be read any more.
        Ok(_) | Err(_) => {
            *from = None;
            chunk.clear();
        }
    }
    chunk
}

impl Link {
    /// Whether the program has ended before `LEAVING_TIME` is over.
    fn has_left(&mut self) -> bool {
        let begun = clock::steady();
        while begun.elapsed() < LEAVING_TIME {
            if !matches!(self.program.try_wait(), Ok(None)) {
                return true;
            }
            thread::sleep(LOOK_TIME);
        }
        false
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.hang_up();
        // It opened a session of its own, so its group is nobody else's, and it is reaped only here.
        // The script may stand in it, with a piece of input in its hands: it is asked, not killed.
        let group = Pid::from_child(&self.program);
        let _gone = rustix::process::kill_process_group(group, Signal::TERM).is_err();
        if !self.has_left() {
            let _gone = rustix::process::kill_process_group(group, Signal::KILL).is_err();
            let _reaped = self.program.wait().is_err();
        }
    }
}
