//! What the kernel counts about a process.

use std::fs;
use std::time::Duration;

use super::Trouble;

/// Processor time is told in ticks of this length on every Linux we run on.
const TICK: Duration = Duration::from_millis(10);

/// Bytes that this process handed to `write` and its kin (`wchar`). Counted when written, so it does
/// not matter when or whether the kernel merges writes on their way to the disk.
pub(super) fn bytes_written() -> Result<u64, Trouble> {
    field("/proc/self/io", "wchar:")
}

/// How long all threads of the process have been on a processor, in ticks of ten milliseconds.
pub(super) fn cpu(pid: u32) -> Result<Duration, Trouble> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"))?;
    // The name may hold spaces; what follows its closing bracket does not.
    let (_, after) = stat.rsplit_once(") ").ok_or("/proc/…/stat has no name")?;
    let ticks = |place: usize| -> Result<u32, Trouble> {
        let field = after.split(' ').nth(place).ok_or("/proc/…/stat is short")?;
        Ok(field.parse()?)
    };
    // Fields 14 and 15 of the line; the name is the second.
    Ok(TICK * (ticks(11)? + ticks(12)?))
}

/// Threads of the process.
pub(super) fn threads(pid: u32) -> Result<u64, Trouble> {
    field(&format!("/proc/{pid}/status"), "Threads:")
}

/// Memory of the process that is not elsewhere, in bytes.
pub(super) fn resident(pid: u32) -> Result<u64, Trouble> {
    Ok(1024 * field(&format!("/proc/{pid}/status"), "VmRSS:")?)
}

/// What a process has in memory, three ways to count, in bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Memory {
    /// Every page that is there for it, also those that it shares with others of the same program.
    pub(super) resident: u64,
    /// The same, with each shared page divided among those who share it.
    pub(super) share: u64,
    /// Only pages that nobody else has.
    pub(super) private: u64,
}

/// What a process has in memory, counted page by page.
pub(super) fn memory(pid: u32) -> Result<Memory, Trouble> {
    let path = format!("/proc/{pid}/smaps_rollup");
    let bytes = |name| field(&path, name).map(|kilobytes| 1024 * kilobytes);
    Ok(Memory {
        resident: bytes("Rss:")?,
        share: bytes("Pss:")?,
        private: bytes("Private_Clean:")? + bytes("Private_Dirty:")?,
    })
}

/// How long the processors of the machine have worked and rested, all together, in ticks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Machine {
    worked: f64,
    rested: f64,
}

impl Machine {
    /// Which part of the time since then they have worked.
    pub(super) fn busy_since(self, before: &Self) -> f64 {
        let (worked, rested) = (self.worked - before.worked, self.rested - before.rested);
        worked / (worked + rested)
    }
}

/// What the processors of the machine have done since it was started.
pub(super) fn machine() -> Result<Machine, Trouble> {
    let stat = fs::read_to_string("/proc/stat")?;
    let ticks = stat.lines().next().unwrap_or_default().split_whitespace();
    let ticks: Vec<f64> = ticks.filter_map(|one| one.parse().ok()).collect();
    // The fourth and the fifth are idle and waiting for a disk.
    let rested: f64 = ticks.iter().skip(3).take(2).sum();
    let worked = ticks.iter().sum::<f64>() - rested;
    Ok(Machine { worked, rested })
}

fn field(path: &str, name: &str) -> Result<u64, Trouble> {
    let text = fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    let number = line.and_then(|rest| rest.split_whitespace().next());
    let number = number.ok_or_else(|| format!("{path} has no `{name}`"))?;
    Ok(number.parse()?)
}
