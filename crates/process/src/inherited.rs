//! Children that this process had before it became this program.
//!
//! A gateway that starts itself again stays the same process, and so the parent of the holders that the program before
//! it started. Their ends are nobody's to wait for: without somebody who does, each would stay behind as a dead
//! entry of the process table until the gateway ends. Each is waited for by its number, so that
//! nothing is taken from those who started children since. A number is not given anew while it stands there.
//!
//! Only Linux tells who they are.

use std::fs;

use rustix::process::{Pid, WaitOptions, waitpid};

/// The children that were there, as far as they have not been seen to end.
#[derive(Debug, Default)]
pub struct Inherited(Vec<Pid>);

impl Inherited {
    /// Finds them. To be asked before anything is started.
    pub fn find() -> Self {
        let threads = fs::read_dir("/proc/self/task").into_iter().flatten();
        let lists = threads
            .flatten()
            .filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
        let numbers = lists.flat_map(|list| {
            let numbers = list.split_whitespace().map(str::parse);
            numbers.filter_map(Result::ok).collect::<Vec<i32>>()
        });
        Self(numbers.filter_map(Pid::from_raw).collect())
    }

    /// Forgets those who have ended.
    pub fn reap(&mut self) {
        let lives = |child: &Pid| matches!(waitpid(Some(*child), WaitOptions::NOHANG), Ok(None));
        self.0.retain(lives);
    }

    /// How many are left.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(all(test, target_os = "linux"))]
#[path = "inherited_tests.rs"]
mod tests;
