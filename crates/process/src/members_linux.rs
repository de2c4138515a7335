//! Finds the members of a session in `/proc`.
//!
//! It looks at every process of the machine, some thousandths of a second for some hundreds of them.

use std::fs;

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

/// Where a living process belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    group: Pid,
    session: Pid,
}

/// The living members of `leader`'s session.
pub(super) fn members(leader: Pid) -> impl Iterator<Item = Pid> {
    let entries = fs::read_dir("/proc").into_iter().flatten();
    let numbers = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let all = numbers.filter_map(Pid::from_raw);
    all.filter(move |pid| place_of(*pid).is_some_and(|place| place.session == leader))
}

/// Signals those members whom a signal to `leader`'s group does not reach.
pub(super) fn signal_outside_group(leader: Pid, signal: Signal) {
    for member in members(leader) {
        // First the handle, then the question: so it cannot reach a later owner of the number.
        let Ok(handle) = pidfd_open(member, PidfdFlags::empty()) else {
            continue;
        };
        let is_outside = |place: Place| place.session == leader && place.group != leader;
        if place_of(member).is_some_and(is_outside) {
            let _gone = pidfd_send_signal(&handle, signal).is_err();
        }
    }
}

fn place_of(pid: Pid) -> Option<Place> {
    let stat = fs::read(format!("/proc/{}/stat", pid.as_raw_pid())).ok()?;
    place_in(&String::from_utf8_lossy(&stat))
}

/// Reads `number (name) state parent group session …`; the name may hold anything, also brackets.
fn place_in(stat: &str) -> Option<Place> {
    let (_, after_name) = stat.rsplit_once(')')?;
    let mut fields = after_name.split_ascii_whitespace();
    let is_dead = matches!(fields.next()?, "Z" | "X" | "x");
    let mut pids = fields.skip(1).map(|field| field.parse().ok().and_then(pid));
    let place = Place {
        group: pids.next()??,
        session: pids.next()??,
    };
    (!is_dead).then_some(place)
}

/// A number that can be a process. Someone who is just dying has the group and session -1.
fn pid(raw: i32) -> Option<Pid> {
    Some(raw).filter(|raw| *raw > 0).and_then(Pid::from_raw)
}

#[cfg(test)]
#[path = "members_tests.rs"]
mod tests;
