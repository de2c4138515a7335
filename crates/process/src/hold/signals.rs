//! The signals that a holder hears, such as a child's end and the wish that it ends itself, and those
//! that a bridge hears and passes on.
//!
//! A handler may do almost nothing, so it writes the signal's number into a pipe, which the holder
//! reads like everything else. Hang-ups and interrupts are not for a holder, and are ignored.

#![expect(unsafe_code, reason = "handlers of signals can be set only through C")]

use std::io::{self, PipeReader};
use std::os::fd::{AsFd as _, AsRawFd as _, IntoRawFd as _};
use std::sync::atomic::{AtomicI32, Ordering};

use libc::c_int;
use rustix::io::ioctl_fionbio;

/// The writing end of the pipe. It stays open as long as the process lives.
static BELL: AtomicI32 = AtomicI32::new(-1);

/// What was heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Heard {
    /// A child ended.
    Child,
    /// We are asked to end.
    End,
}

/// The reading end of the pipe.
#[derive(Debug)]
pub(crate) struct Bell(PipeReader);

impl Bell {
    /// Listens to what concerns a holder.
    pub(super) fn listen() -> io::Result<Self> {
        let ignored = [libc::SIGHUP, libc::SIGINT, libc::SIGQUIT, libc::SIGPIPE];
        Self::listen_to(&[libc::SIGCHLD, libc::SIGTERM], &ignored)
    }

    /// Listens to `signals` from now on, and ignores others.
    pub(crate) fn listen_to(signals: &[c_int], ignored: &[c_int]) -> io::Result<Self> {
        let (reader, writer) = io::pipe()?;
        ioctl_fionbio(&reader, true)?;
        // A full pipe has rung already.
        ioctl_fionbio(&writer, true)?;
        BELL.store(writer.into_raw_fd(), Ordering::SeqCst);
        let ring: extern "C" fn(c_int) = ring;
        for signal in signals {
            answer(*signal, ring as *const () as libc::sighandler_t)?;
        }
        for signal in ignored {
            answer(*signal, libc::SIG_IGN)?;
        }
        Ok(Self(reader))
    }

    /// What was heard since the last time.
    pub(super) fn heard(&self) -> Vec<Heard> {
        let heard = |number| match number {
            libc::SIGCHLD => Heard::Child,
            _ => Heard::End,
        };
        self.numbers().into_iter().map(heard).collect()
    }

    /// The signals that were heard since the last time.
    pub(crate) fn numbers(&self) -> Vec<c_int> {
        let mut numbers = [0; 64];
        let count = rustix::io::read(&self.0, &mut numbers).unwrap_or(0);
        numbers[..count]
            .iter()
            .map(|one| c_int::from(*one))
            .collect()
    }

    pub(crate) fn as_fd(&self) -> std::os::fd::BorrowedFd<'_> {
        debug_assert!(self.0.as_raw_fd() >= 0, "an open file has a number");
        self.0.as_fd()
    }
}

fn answer(signal: c_int, handler: libc::sighandler_t) -> io::Result<()> {
    // SAFETY: an action is plain old data; all of it is set, and `ring` keeps to what a handler may.
    let done = unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler;
        action.sa_flags = libc::SA_RESTART;
        libc::sigemptyset(&mut action.sa_mask);
        libc::sigaction(signal, &action, std::ptr::null_mut())
    };
    if done == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}

extern "C" fn ring(signal: c_int) {
    let number = [signal as u8];
    // SAFETY: `write` may be called in a handler, and the pipe is never closed. The error number is
    // put back, because the interrupted code may be about to read its own.
    unsafe {
        let place = error_number();
        let before = *place;
        libc::write(BELL.load(Ordering::SeqCst), number.as_ptr().cast(), 1);
        *place = before;
    }
}

/// Where the C library keeps the thread's error number.
unsafe fn error_number() -> *mut c_int {
    #[cfg(target_os = "linux")]
    // SAFETY: always valid for the thread that asks.
    return unsafe { libc::__errno_location() };
    #[cfg(not(target_os = "linux"))]
    // SAFETY: always valid for the thread that asks.
    return unsafe { libc::__error() };
}
