//! Taking the lock of the home, from nobody or from a running gateway that is asked to stop.
//!
//! The other one is asked once (SIGTERM), and only while the lock is held: otherwise its number may
//! belong to a stranger by now. It is never killed: it would only be restarted by whoever watches it,
//! and a gateway that does not stop in its time is a fault that someone should see.
//!
//! A gateway that was killed while it started a program may leave the lock to that child, which lets go of it
//! once it has become the program. That is waited for, or a restart after a crash would fail now and then.

use std::thread;
use std::time::Duration;

use angelia_core::limits;
use angelia_core::time::Span;
use angelia_gateway::env::Env;
use rustix::process::{Pid, Signal, kill_process, test_kill_process};

use crate::errors::Failure;
use crate::home::Home;
use crate::home::facts::Facts;
use crate::home::lock::{Attempt, Lock};
use crate::output;
use crate::output::time;

/// What the other one may take beyond its drain: its last deliveries, its open connections, and some.
const MARGIN: Span = Span::seconds(15);

/// How long a gateway that is just starting may take to say who it is.
const FACTS_TIME: Span = Span::seconds(5);

/// How long a child of a killed gateway may take to become another program.
const CHILD_TIME: Span = Span::seconds(3);

/// How often we look whether the lock is free. The kernel can wait for us, but not for a time.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// What to do about a gateway that runs already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::commands) enum Rival {
    /// Leave it alone.
    Respect,
    /// Take over from it.
    Replace,
}

impl From<bool> for Rival {
    fn from(replace: bool) -> Self {
        if replace {
            Self::Replace
        } else {
            Self::Respect
        }
    }
}

/// Takes the lock.
pub(in crate::commands) fn lock(home: &Home, rival: Rival) -> Result<Lock, Failure> {
    match (home.try_lock()?, rival) {
        (Attempt::Taken(lock), _) => Ok(lock),
        (Attempt::Held, Rival::Respect) => left(home),
        (Attempt::Held, Rival::Replace) => replace(home),
    }
}

/// The lock that a dead gateway left to a child, as soon as that lets go of it.
fn left(home: &Home) -> Result<Lock, Failure> {
    let env = Env::system();
    let begun = env.steady();
    while home.facts().is_some_and(|facts| is_dead(&facts)) && env.elapsed(begun) < CHILD_TIME {
        if let Attempt::Taken(lock) = home.try_lock()? {
            return Ok(lock);
        }
        thread::sleep(LOOK_EVERY);
    }
    Err(refused(home))
}

fn is_dead(facts: &Facts) -> bool {
    let process = i32::try_from(facts.pid).ok().and_then(Pid::from_raw);
    process.is_some_and(|process| test_kill_process(process) == Err(rustix::io::Errno::SRCH))
}

fn refused(home: &Home) -> Failure {
    let place = home.path().display();
    let who = match home.facts() {
        Some(Facts {
            pid,
            address: Some(address),
            ..
        }) => format!("pid {pid}, at {address}"),
        Some(Facts {
            pid, address: None, ..
        }) => format!("pid {pid}, just starting"),
        None => "just starting or stopping".to_owned(),
    };
    Failure::new(format!("a gateway runs on {place} already ({who})")).hint(
        "take over from it with `angelia serve --replace`, or run another one with `--home DIR` \
         and `--listen 127.0.0.1:0`",
    )
}

fn replace(home: &Home) -> Result<Lock, Failure> {
    let env = Env::system();
    let begun = env.steady();
    let mut asked: Option<Facts> = None;
    loop {
        if let Attempt::Taken(lock) = home.try_lock()? {
            return Ok(lock);
        }
        if asked.is_none()
            && let Some(facts) = home.facts()
        {
            ask(&facts)?;
            asked = Some(facts);
        }
        let patience = asked.as_ref().map_or(FACTS_TIME, patience);
        if env.elapsed(begun) > patience {
            return Err(stayed(home, asked.as_ref(), patience));
        }
        thread::sleep(LOOK_EVERY);
    }
}

fn patience(facts: &Facts) -> Span {
    Span::ms(facts.drain_ms.max(0) + limits::DRAIN_DELIVERY_TIME.as_ms() + MARGIN.as_ms())
}

/// Asks a process to stop.
fn ask(facts: &Facts) -> Result<(), Failure> {
    let pid = facts.pid;
    let process = i32::try_from(pid).ok().and_then(Pid::from_raw);
    let asked = process.map(|process| kill_process(process, Signal::TERM));
    match asked {
        Some(Ok(())) => {
            let wait = time::short(facts.drain());
            output::aside(format_args!(
                "asked the running gateway (pid {pid}) to stop; its running answers have {wait}"
            ));
            Ok(())
        }
        // It has just ended; the lock is about to be free.
        Some(Err(rustix::io::Errno::SRCH)) | None => Ok(()),
        Some(Err(error)) => {
            let what = format!("the running gateway (pid {pid}) cannot be asked to stop: {error}");
            Err(Failure::new(what).hint("run this as the user who started it"))
        }
    }
}

fn stayed(home: &Home, asked: Option<&Facts>, patience: Span) -> Failure {
    let (place, waited) = (home.path().display(), time::short(patience));
    match asked {
        Some(Facts { pid, .. }) => Failure::new(format!(
            "the gateway on {place} (pid {pid}) did not stop within {waited}"
        ))
        .hint("look at its log; `kill -9` loses nothing that was accepted, if it must be"),
        None => Failure::new(format!(
            "{place} is locked by a process that does not say who it is"
        ))
        .hint("try again, or find out who holds the file `lock` in it"),
    }
}
