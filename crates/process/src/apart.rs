//! What a child does between fork and exec to stand apart from us. With `hold::signals` and
//! `hold::lean` the only `unsafe` of the house.
//!
//! - A session of its own: its signals reach nobody else, and it cannot read from the terminal in
//!   which the gateway runs.
//! - The default answer to every signal, none blocked. What a program ignores stays ignored through
//!   exec: a gateway started with `nohup` or from a script's `&` would make all its commands deaf.
//! - None of our files. Ours close by themselves; those that our parent left open do not.
//!
//! The umask and the resource limits stay as they are: they are the operator's wishes.

#![expect(
    unsafe_code,
    reason = "signal dispositions can be set only in the child before exec, and only through C"
)]

use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

use libc::c_int;
#[cfg(target_os = "linux")]
use rustix::process::Signal;
use rustix::process::{Pid, Resource};

/// The classic signals. Those above are for programs that agree on them.
const SIGNALS: std::ops::RangeInclusive<c_int> = 1..=31;

/// The first file that is not input, output or errors.
const FIRST_OTHER_FILE: c_int = 3;

/// How far files are looked for one by one, where the system cannot close a range.
const FILES_MAX: u64 = 65_536;

/// Has `command` stand apart when it starts.
pub(crate) fn stand_apart(command: &mut Command) {
    // SAFETY: `prepare` runs in the forked child, where a lock held by another thread is never
    // released. It makes system calls only: it takes no lock, allocates nothing and cannot panic.
    unsafe { command.pre_exec(prepare) };
}

/// Has `command` stand apart when it starts, with the terminal that is its input as its own: what is
/// typed there as Ctrl-C reaches it, and when we let go of the terminal it hears of that.
pub(crate) fn stand_apart_on_terminal(command: &mut Command) {
    let prepare_on_terminal = || {
        prepare()?;
        Ok(rustix::process::ioctl_tiocsctty(rustix::stdio::stdin())?)
    };
    // SAFETY: as above.
    unsafe { command.pre_exec(prepare_on_terminal) };
}

/// Has `command` stand apart when it starts, and be killed when we die without having ended it. Only
/// Linux can do that; elsewhere the program finds the end of its input.
///
/// The kernel looks at the thread that starts it, so that must be one which lives as long as we do.
pub(crate) fn stand_apart_while_we_live(command: &mut Command) {
    let parent = rustix::process::getpid();
    let prepare_to_go_along = move || {
        prepare()?;
        go_along_with(parent)
    };
    // SAFETY: as above.
    unsafe { command.pre_exec(prepare_to_go_along) };
}

#[cfg(target_os = "linux")]
fn go_along_with(parent: Pid) -> io::Result<()> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    // Whoever died before that line sends no signal any more.
    match rustix::process::getppid() {
        Some(still) if still == parent => Ok(()),
        Some(_) | None => Err(io::Error::from_raw_os_error(libc::ESRCH)),
    }
}

#[cfg(not(target_os = "linux"))]
fn go_along_with(_parent: Pid) -> io::Result<()> {
    Ok(())
}

/// Has `command` do something when it starts, before it stands apart. Only for a process with one thread,
/// as a holder is.
pub(crate) fn do_before(
    command: &mut Command,
    before: impl Fn() -> io::Result<()> + Send + Sync + 'static,
) {
    // SAFETY: it runs in the forked child of a process without other threads, so there is nobody who
    // could have held a lock at the fork, and the child may do whatever its parent might.
    unsafe { command.pre_exec(before) };
}

/// Closes all files but input, output and errors. Only for the very first moment of a process, when
/// nobody in it has opened a file yet.
pub(crate) fn close_inherited_files() {
    // Closed one by one they need not be: marked ones are gone for our own children, and that some
    // stay open in ourselves harms nobody who can call this.
    if !close_range(0) {
        mark_one_by_one();
    }
}

fn prepare() -> io::Result<()> {
    rustix::process::setsid()?;
    default_signals()?;
    close_others_on_exec();
    Ok(())
}

/// The default answer to every signal, none blocked.
pub(crate) fn default_signals() -> io::Result<()> {
    for signal in SIGNALS {
        // SAFETY: sets no handler, only the default. Refused for KILL and STOP, which have no other.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
    // SAFETY: a set of signals is plain old data, and `sigemptyset` writes all of it.
    let unblocked = unsafe {
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &none, std::ptr::null_mut())
    };
    if unblocked == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}

/// Marks files, rather than closing them: through one of them a failed exec is told to the parent.
fn close_others_on_exec() {
    if !close_range(CLOSE_ON_EXEC) {
        mark_one_by_one();
    }
}

#[cfg(target_os = "linux")]
const CLOSE_ON_EXEC: libc::c_uint = libc::CLOSE_RANGE_CLOEXEC;
#[cfg(not(target_os = "linux"))]
const CLOSE_ON_EXEC: libc::c_uint = 0;

#[cfg(target_os = "linux")]
fn close_range(flags: libc::c_uint) -> bool {
    // By number, because older C libraries have no name for it.
    // SAFETY: changes only this process's own table of files, for which the callers answer.
    let done = unsafe {
        libc::syscall(
            libc::SYS_close_range,
            FIRST_OTHER_FILE,
            libc::c_uint::MAX,
            flags,
        )
    };
    done == 0
}

#[cfg(not(target_os = "linux"))]
fn close_range(_flags: libc::c_uint) -> bool {
    false
}

fn mark_one_by_one() {
    let limit = rustix::process::getrlimit(Resource::Nofile).current;
    let limit = limit.unwrap_or(FILES_MAX).min(FILES_MAX) as c_int;
    for file in FIRST_OTHER_FILE..limit {
        // SAFETY: changes a flag of a file in this child's own table; a number without file is refused.
        unsafe { libc::fcntl(file, libc::F_SETFD, libc::FD_CLOEXEC) };
    }
}
