//! The family below us, in `/proc`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use super::Search;
use crate::identity::stat_of;

/// How often to look again for those who moved while we looked: who lost a parent at that moment was
/// below neither the old nor the new one.
const LOOKS_MAX: usize = 8;

/// Signals everybody below us once.
pub(super) fn signal(signals: &[Signal], search: Search) {
    let us = rustix::process::getpid().as_raw_pid();
    let mut done = BTreeSet::new();
    for _ in 0..LOOKS_MAX {
        let below = match search {
            Search::Quick => by_lists(us),
            Search::Certain => by_scan(us),
        };
        let before = done.len();
        for pid in below {
            signal_once(pid, signals, &mut done);
        }
        if done.len() == before {
            break;
        }
    }
}

/// Signals one process, unless it is among those who are `done`.
fn signal_once(pid: i32, signals: &[Signal], done: &mut BTreeSet<(i32, u64)>) {
    let Some(found) = stat_of(pid).filter(|stat| !stat.is_dead) else {
        return;
    };
    let Some(handle) = Pid::from_raw(pid).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok())
    else {
        return;
    };
    // First the handle, then the question: it is still the one we found.
    let is_same = stat_of(pid).is_some_and(|now| now.start == found.start);
    if is_same && done.insert((pid, found.start)) {
        for signal in signals {
            let _gone = pidfd_send_signal(&handle, *signal).is_err();
        }
    }
}

/// Everybody below `top`, from the lists of children.
fn by_lists(top: i32) -> Vec<i32> {
    let mut found = Vec::new();
    let mut open = vec![top];
    // A number that came round again must not lead in circles.
    let mut seen = BTreeSet::from([top]);
    while let Some(parent) = open.pop() {
        for child in children_of(parent) {
            if seen.insert(child) {
                found.push(child);
                open.push(child);
            }
        }
    }
    found
}

/// Each thread has its own list.
fn children_of(parent: i32) -> Vec<i32> {
    let threads = fs::read_dir(format!("/proc/{parent}/task"));
    let threads = threads.into_iter().flatten().filter_map(Result::ok);
    let lists =
        threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| {
            let numbers = list.split_ascii_whitespace().map(str::parse);
            numbers.filter_map(Result::ok).collect::<Vec<_>>()
        })
        .collect()
}

/// Everybody below `top`, from the list of all processes.
fn by_scan(top: i32) -> Vec<i32> {
    let entries = fs::read_dir("/proc").into_iter().flatten();
    let numbers = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let parents: BTreeMap<i32, i32> = numbers
        .filter_map(|pid| Some((pid, stat_of(pid)?.parent)))
        .collect();
    let is_below = |pid: &i32| {
        let mut at = *pid;
        // No family is deeper than there are processes.
        for _ in 0..parents.len() {
            match parents.get(&at) {
                Some(parent) if *parent == top => return true,
                Some(parent) => at = *parent,
                None => return false,
            }
        }
        false
    };
    parents.keys().copied().filter(is_below).collect()
}

#[cfg(test)]
#[path = "descendants_tests.rs"]
mod tests;
