//! Who a process is. Its number alone does not tell: numbers are used again.
//!
//! A process is known by its number, the tick at which it started and the boot in which ticks are
//! counted. The dead keep number and tick until they are reaped, so a zombie is nobody. To act on a
//! process one first takes a handle and then compares: a handle cannot pass to a later owner of the
//! number.
//!
//! Elsewhere than on Linux nobody can be told apart, so there is nobody to act on.

use serde::{Deserialize, Serialize};

#[cfg(target_os = "linux")]
#[path = "identity_linux.rs"]
mod linux;
#[cfg(target_os = "linux")]
pub(crate) use linux::stat_of;

/// One process and no other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Identity {
    /// Its number.
    pub(crate) pid: i32,
    /// The tick of its start, counted from the boot.
    pub(crate) start: u64,
    /// The boot.
    pub(crate) boot: String,
}

#[cfg(not(target_os = "linux"))]
impl Identity {
    /// The living process with this number.
    pub(crate) fn of(_pid: i32) -> Option<Self> {
        None
    }

    /// Whether it lives. It cannot be told, and so it is not denied.
    pub(crate) fn lives(&self) -> bool {
        true
    }
}

#[cfg(all(test, target_os = "linux"))]
#[path = "identity_tests.rs"]
mod tests;
