//! Steps back: a command that has the processor for long leaves it to those who want it for a moment, such
//! as the gateway. Whoever holds it goes along, because both work on the same output.
//!
//! Each process has its niceness and passes it on. On Linux that may count among those of one session
//! only, and each session has a niceness of its own (`autogroup`): without that, two sessions share the
//! processor evenly however nice their members are. Who opens a session of its own later starts afresh.
//!
//! What the system refuses is left as it is: a command that does not step back is still right.

use std::fs;

use rustix::process::Pid;

/// Makes us nicer by this much, and with us whoever we start from now on.
pub(super) fn step_back(by: u8) {
    if by > 0 {
        let _refused = rustix::process::nice(i32::from(by)).is_err();
    }
}

/// Makes the sessions that these lead as nice. Accounts without rights may do that for one of them in a
/// tenth of a second, so the first is the one that matters most.
pub(super) fn sessions_step_back(by: u8, leaders: &[Pid]) {
    if by == 0 {
        return;
    }
    for leader in leaders {
        let file = format!("/proc/{}/autogroup", leader.as_raw_pid());
        let _refused_or_unknown = fs::write(file, by.to_string()).is_err();
    }
}
