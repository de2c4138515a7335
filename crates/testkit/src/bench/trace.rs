//! Counting what reaches the disk: this program again, as a child under `strace`.
//!
//! Only syncs and writes at a place are traced, filtered in the kernel, so the child runs nearly as
//! fast as without. It says where a part begins and ends by syncing a file of that name.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use super::{Bench, Trouble};

/// What one part of a child's work did to its files.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Part {
    /// Syncs of the log.
    pub(super) log_syncs: u64,
    /// Bytes written to the log.
    pub(super) log_bytes: u64,
    /// Syncs of the database, which only checkpoints do.
    pub(super) file_syncs: u64,
    /// Bytes written to the database, which only checkpoints do.
    pub(super) file_bytes: u64,
}

/// Marks a moment in the trace: what follows belongs to the part `name`.
pub(super) fn mark(folder: &Path, name: &str) -> Result<(), Trouble> {
    Ok(File::create(folder.join(format!("{name}.mark")))?.sync_data()?)
}

/// Runs the job in a folder of its own, and tells its parts by name.
pub(super) fn parts(bench: &Bench, job: &str) -> Result<BTreeMap<String, Part>, Trouble> {
    let folder = bench.folder.join(format!("traced-{job}"));
    fs::create_dir_all(&folder)?;
    let output = folder.join("trace");
    let status = Command::new("strace")
        .args([
            "-f",
            "--seccomp-bpf",
            "-qq",
            "-y",
            "-s",
            "0",
            "-e",
            "signal=none",
        ])
        .args(["-e", "trace=fdatasync,fsync,pwrite64", "-o"])
        .args([&output, &bench.program])
        .args(["--traced", job])
        .arg(&folder)
        .status()
        .map_err(|error| format!("strace cannot be started: {error}; install it"))?;
    if !status.success() {
        return Err(format!("the traced job `{job}` ended with {status}").into());
    }
    Ok(read(&fs::read_to_string(output)?))
}

/// The parts of a trace. What comes before the first mark belongs to no part.
fn read(trace: &str) -> BTreeMap<String, Part> {
    let mut parts = BTreeMap::<String, Part>::new();
    let mut current = String::new();
    for line in trace.lines() {
        let Some((call, path)) = call(line) else {
            continue;
        };
        if let Some(name) = path.strip_suffix(".mark") {
            current = name.rsplit('/').next().unwrap_or_default().to_owned();
        } else {
            count(parts.entry(current.clone()).or_default(), line, call, path);
        }
    }
    parts
}

/// The call of a line and the file it is about. The second half of a call that was interrupted by
/// another thread's line has neither.
fn call(line: &str) -> Option<(&str, &str)> {
    let (head, rest) = line.split_once('(')?;
    let call = head.rsplit(' ').next()?;
    let (_, rest) = rest.split_once('<')?;
    let (path, _) = rest.split_once('>')?;
    Some((call, path))
}

fn count(part: &mut Part, line: &str, call: &str, path: &str) {
    let to_log = path.ends_with("-wal");
    let (syncs, bytes) = if to_log {
        (&mut part.log_syncs, &mut part.log_bytes)
    } else {
        (&mut part.file_syncs, &mut part.file_bytes)
    };
    match call {
        "fdatasync" | "fsync" => *syncs += 1,
        _ => *bytes += length(line).unwrap_or(0),
    }
}

/// `pwrite64(5</…/store.db-wal>, ""..., 4096, 32) = 4096` wrote 4096 bytes.
fn length(line: &str) -> Option<u64> {
    line.split("...,")
        .nth(1)?
        .split(',')
        .next()?
        .trim()
        .parse()
        .ok()
}

#[cfg(test)]
#[path = "trace_tests.rs"]
mod tests;
