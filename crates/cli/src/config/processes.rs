//! What the `[processes]` table means: what is told of background processes, and how much of them is kept.

use angelia_core::process::watch::Notifications;

use super::keys;
use super::raw;
use super::resolve::Layers;

const MIB: u64 = 1024 * 1024;

/// What holds for background processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Processes {
    /// What is told of those that are looked at from time to time.
    pub(crate) notifications: Notifications,
    /// How much of what one says is kept.
    pub(crate) log_bytes_max: u64,
    /// How far each steps back behind the gateway.
    pub(crate) nice: u8,
}

impl Layers<'_> {
    pub(super) fn processes(&mut self) -> Option<Processes> {
        let notifications = self.pick(&keys::NOTIFICATIONS, notifications);
        let log_bytes_max = self.pick(&keys::LOG_MIB, log_bytes_max);
        let nice = self.pick(&keys::NICE, nice);
        Some(Processes {
            notifications: notifications?,
            log_bytes_max: log_bytes_max?,
            nice: nice?,
        })
    }
}

fn notifications(text: &str) -> Result<Notifications, String> {
    let names = Notifications::ALL.map(Notifications::name);
    text.parse().map_err(|_| {
        let near = raw::suggestion(text, names);
        format!("must be \"all\", \"result\", \"error\" or \"off\"; found \"{text}\"{near}")
    })
}

/// The number's own limits are those of its key.
fn log_bytes_max(text: &str) -> Result<u64, String> {
    let mib: u64 = text
        .parse()
        .map_err(|_| format!("must be a whole number; found \"{text}\""))?;
    Ok(mib.saturating_mul(MIB))
}

/// As above.
fn nice(text: &str) -> Result<u8, String> {
    text.parse()
        .map_err(|_| format!("must be a whole number; found \"{text}\""))
}
